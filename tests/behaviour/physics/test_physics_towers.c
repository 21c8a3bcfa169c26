// What is stacked stands, as high as it may, and falls asleep.
#include "physics_kit.h"

#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

enum { SECOND = 60 };

static graze_body_id add(graze_world *world, graze_body_def def, bool awake)
{
    def.never_sleeps = awake;
    return kit_add(world, def);
}

static graze_world *world_with_floor(void)
{
    graze_world *world = kit_world_with_gravity(0, -10);
    physics_floor(world, -200, 0, 200, 0);
    return world;
}

/// Where bodies were, to see how far they have gone since.
typedef struct places {
    uint32_t count;
    graze_body_id *ids;
    graze_vec2 *at;
} places;

static places note_places(const graze_world *world)
{
    places noted = {0};
    const uint32_t *indices = graze_world_indices(world, &noted.count);
    noted.ids = malloc(noted.count * sizeof *noted.ids);
    noted.at = malloc(noted.count * sizeof *noted.at);
    assert_true(noted.ids && noted.at);
    for (uint32_t i = 0; i < noted.count; ++i) {
        noted.ids[i] = graze_world_body_at(world, indices[i]);
        noted.at[i] = graze_body_position(world, noted.ids[i]);
    }
    return noted;
}

static void free_places(places *noted)
{
    free(noted->ids);
    free(noted->at);
}

static double farthest(const graze_world *world, const places *noted)
{
    double most = 0;
    for (uint32_t i = 0; i < noted->count; ++i) {
        const graze_vec2 now = graze_body_position(world, noted->ids[i]);
        most = fmax(most, hypot((double)now.x - (double)noted->at[i].x,
                                (double)now.y - (double)noted->at[i].y));
    }
    return most;
}

// --- Steps of several lengths ---

// Frames that shake, a screen of 144 Hz that skips frames, what is left of a frame after whole
// steps, and a first frame that loads.
typedef enum rhythm { SHAKES, SKIPS, LEFT_OVERS, LOADS, RHYTHMS } rhythm;

static float length_of_step(rhythm kind, int step, random_state *random)
{
    switch (kind) {
    case SHAKES:
        return random_float(random, 0.7f, 1.3f);
    case SKIPS:
        return step % 2 ? 1 : 1 / 2.4f;
    case LEFT_OVERS:
        return step % 2 ? 1 : random_float(random, 0.001f, 0.2f);
    default:
        return step == 0 ? 30 : 1;
    }
}

static void add_rows(graze_world *world, int rows, bool pyramid)
{
    for (int row = 0; row < rows; ++row) {
        for (int i = 0; i < (pyramid ? rows - row : 1); ++i) {
            const double x = pyramid ? 1.05 * i + 0.525 * row : 0;
            add(world, physics_box(x, 0.5 + row, 0.5, 0.5, 1), false);
        }
    }
}

static void play_rhythm(rhythm kind, int rows, bool pyramid, uint64_t seed)
{
    random_state random = random_seed(seed);
    graze_world *world = world_with_floor();
    add_rows(world, rows, pyramid);
    places noted = note_places(world);
    int step = 0;
    for (; step < 10 * SECOND && (step < 2 || physics_count_awake(world)); ++step) {
        kit_step(world, physics_dt * length_of_step(kind, step, &random));
    }
    const double moved = farthest(world, &noted);
    if (step == 10 * SECOND || moved > 0.5) {
        fail_msg("rhythm %d, %d rows, pyramid %d, seed %u: %s, moved by %.6g", (int)kind, rows,
                 pyramid, (unsigned)seed, step == 10 * SECOND ? "awake" : "asleep", moved);
    }
    free_places(&noted);
    graze_world_destroy(world);
}

static void what_is_stacked_sleeps_though_steps_are_of_several_lengths(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 8; ++seed) {
        for (rhythm kind = SHAKES; kind < RHYTHMS; ++kind) {
            play_rhythm(kind, 10, false, seed);
            play_rhythm(kind, 10, true, seed);
        }
        play_rhythm(SHAKES, 20, false, seed);
        play_rhythm(SHAKES, 20, true, seed);
    }
}

// --- Substeps that change ---

// Fails if the stack jumps: if its top rises above where nothing presses it, or is too fast.
static void change_substeps(uint32_t before, uint32_t after, double most)
{
    graze_world *world = world_with_floor();
    graze_body_id top = {0};
    assert_int_equal(graze_world_set_substeps(world, before), GRAZE_OK);
    for (int row = 0; row < 10; ++row) {
        top = add(world, physics_box(0, 0.5 + row, 0.5, 0.5, 1), false);
    }
    physics_run(world, 2 * SECOND);
    assert_int_equal(graze_world_set_substeps(world, after), GRAZE_OK);
    for (int step = 0; step < 3 * SECOND; ++step) {
        kit_step(world, physics_dt);
        const double speed = fabs((double)graze_body_velocity(world, top).y);
        const double high = (double)graze_body_position(world, top).y;
        if (speed > most || high > 9.51) {
            fail_msg("%u to %u substeps, step %d: the top is at %g, with speed %g",
                     (unsigned)before, (unsigned)after, step, high, speed);
        }
    }
    graze_world_destroy(world);
}

static void a_stack_does_not_jump_when_substeps_change(void **state)
{
    (void)state;
    change_substeps(1, 64, 1);
    change_substeps(2, 8, 1);
    change_substeps(64, 1, 2.5);
}

// --- Towers ---

static void add_tower(graze_world *world, int count, bool awake)
{
    for (int i = 0; i < count; ++i) {
        add(world, physics_box(0, 0.5 + i, 0.5, 0.5, 1), awake);
    }
}

// Twenty boxes hardly sink into each other, do not lean, and then stay where they are.
static void play_tower(bool awake)
{
    graze_world *world = world_with_floor();
    add_tower(world, 20, awake);
    physics_run(world, 2 * SECOND);
    const uint32_t left = physics_count_awake(world);
    const double depth = kit_mean_depth(world);
    if (depth > 0.007 || (!awake && left)) {
        fail_msg("boxes overlap by %.6g in the mean; %u are awake", depth, (unsigned)left);
    }
    places noted = note_places(world);
    for (int second = 3; second <= 60; ++second) {
        physics_run(world, SECOND);
        const graze_vec2 top = graze_body_position(world, noted.ids[19]);
        const double sunk = fabs((double)top.y - (double)noted.at[19].y);
        if (fabs((double)top.x) > 0.02 || sunk > 0.02 || (!awake && farthest(world, &noted) > 0)) {
            fail_msg("second %d: the top is %.6g aside, and %.6g lower", second, (double)top.x,
                     sunk);
        }
    }
    free_places(&noted);
    graze_world_destroy(world);
}

// By a quarter of g dt^2 for each box above, as the header says.
static void boxes_sink_into_each_other_by_their_loads(void **state)
{
    enum { HIGH = 6 };
    static const graze_response responses[] = {GRAZE_SLIDE, GRAZE_BOUNCE, GRAZE_RIGID};
    (void)state;
    for (uint32_t i = 0; i < 12; ++i) {
        const float gravity = i % 2 ? 10 : 30, dt = i / 2 % 2 ? 1.0f / 60 : 1.0f / 30;
        graze_world *world = kit_world_with_gravity(0, -gravity);
        graze_body_id boxes[HIGH];
        physics_floor(world, -9, 0, 9, 0);
        for (int k = 0; k < HIGH; ++k) {
            graze_body_def def = physics_box(0, 0.5 + k, 0.5, 0.5, 1);
            def.response = responses[i / 4];
            def.never_sleeps = true;
            boxes[k] = kit_add(world, def);
        }
        for (int step = 0; step < 200; ++step) {
            kit_step(world, dt);
        }
        for (int k = 1; k < HIGH; ++k) {
            const double high = (double)graze_body_position(world, boxes[k]).y;
            const double sink = 1 - (high - (double)graze_body_position(world, boxes[k - 1]).y);
            const double load = (double)(gravity * dt * dt) * (HIGH - k);
            assert_true(sink > 0.15 * load && sink < 0.28 * load);
        }
        graze_world_destroy(world);
    }
}

// What lies still on what is as much lighter lies still.
static void a_stack_does_not_jump_when_it_becomes_lighter(void **state)
{
    enum { HIGH = 4 };
    static const graze_response responses[] = {GRAZE_SLIDE, GRAZE_BOUNCE, GRAZE_RIGID};
    static const double masses[] = {2, 100, 1e4};
    (void)state;
    for (uint32_t i = 0; i < 9; ++i) {
        graze_world *world = kit_world_with_gravity(0, -10);
        graze_body_id boxes[HIGH];
        physics_floor(world, -9, 0, 9, 0);
        for (int k = 0; k < HIGH; ++k) {
            graze_body_def def = physics_box(0, 0.5 + k, 0.5, 0.5, masses[i / 3]);
            def.response = responses[i % 3];
            boxes[k] = kit_add(world, def);
        }
        physics_run(world, 60);
        for (int k = 0; k < HIGH; ++k) {
            graze_body_set_mass(world, boxes[k], 1);
        }
        for (int step = 0; step < 60; ++step) {
            kit_step(world, physics_dt);
            for (int k = 0; k < HIGH; ++k) {
                assert_true(kit_speed(world, boxes[k]) < 0.2);
            }
        }
        graze_world_destroy(world);
    }
}

static void twenty_boxes_that_never_sleep_hardly_drift(void **state)
{
    (void)state;
    play_tower(true);
}

static void twenty_boxes_sleep_within_two_seconds_and_stay_to_the_last_bit(void **state)
{
    (void)state;
    play_tower(false);
}

// Twice the substeps are four times as stiff.
static void a_tower_sinks_by_a_quarter_with_twice_the_substeps(void **state)
{
    (void)state;
    double last = 0;
    for (uint32_t substeps = 4; substeps <= 16; substeps *= 2) {
        graze_world *world = world_with_floor();
        graze_world_set_substeps(world, substeps);
        add_tower(world, 20, true);
        physics_run(world, 5 * SECOND);
        const double depth = kit_mean_depth(world);
        if (last > 0) {
            physics_assert_share(depth, last / 4, 0.05, "mean overlap with twice the substeps");
        }
        last = depth;
        graze_world_destroy(world);
    }
}

// One of a hundred times the mass on five: they give way, but hold it.
static void play_load(bool awake)
{
    graze_world *world = world_with_floor();
    graze_body_id top = {0, 0};
    for (int i = 0; i < 6; ++i) {
        top = add(world, physics_box(0, 0.5 + i, 0.5, 0.5, i == 5 ? 100 : 1), awake);
    }
    for (int second = 1; second <= 60; ++second) {
        physics_run(world, SECOND);
        const graze_vec2 at = graze_body_position(world, top);
        if (fabs((double)at.x) > 0.1 || (double)at.y < 5) {
            fail_msg("%s, second %d: the load is at (%.6g, %.6g)", awake ? "awake" : "may sleep",
                     second, (double)at.x, (double)at.y);
        }
    }
    graze_world_destroy(world);
}

static void a_box_of_a_hundred_times_the_mass_stands_on_five(void **state)
{
    (void)state;
    play_load(false);
}

static void a_box_of_a_hundred_times_the_mass_stands_on_five_that_never_sleep(void **state)
{
    (void)state;
    play_load(true);
}

// --- Pyramids ---

static void play_pyramid(int rows, int seconds, bool awake)
{
    graze_world *world = world_with_floor();
    graze_body_id top = {0, 0};
    for (int row = 0; row < rows; ++row) {
        for (int i = 0; i < rows - row; ++i) {
            const double x = 1.05 * (i - (rows - row - 1) / 2.0);
            top = add(world, physics_box(x, 0.5 + row, 0.5, 0.5, 1), awake);
        }
    }
    places noted = note_places(world);
    for (int second = 1; second <= seconds; ++second) {
        physics_run(world, SECOND);
        const graze_vec2 at = graze_body_position(world, top);
        const double moved = farthest(world, &noted);
        if (moved > 0.5) {
            fail_msg("%s, second %d: a box is %.6g from where it was, the top at (%.6g, %.6g)",
                     awake ? "awake" : "may sleep", second, moved, (double)at.x, (double)at.y);
        }
    }
    const double depth = kit_mean_depth(world);
    const uint32_t left = physics_count_awake(world);
    if (depth > 0.007 || (!awake && left)) {
        fail_msg("boxes overlap by %.6g in the mean; %u are awake", depth, (unsigned)left);
    }
    free_places(&noted);
    graze_world_destroy(world);
}

static void a_pyramid_of_forty_rows_stands_and_sleeps(void **state)
{
    (void)state;
    play_pyramid(PHYSICS_SHARE > 1 ? 15 : 40, 60, false);
}

static void a_pyramid_that_never_sleeps_stands(void **state)
{
    (void)state;
    play_pyramid(PHYSICS_SHARE > 1 ? 10 : 40, PHYSICS_SHARE > 1 ? 10 : 60, true);
}

// --- A house of cards ---

// A level has `count` pairs of leaning cards, and cards that lie from pair to pair.
static void add_level(graze_world *world, int count, double left, double low, bool awake,
                      double *high)
{
    const double half = 1, thick = 0.05, lean = 25 * pi / 180, period = 2 * half + 0.04;
    const double rise = half * cos(lean) + thick * sin(lean);
    const double aside = half * sin(lean) + thick * cos(lean) + 0.0005;
    for (int i = 0; i < count; ++i) {
        const double x = left + i * period;
        for (int side = -1; side <= 1; side += 2) {
            graze_body_def def = physics_box(x + side * aside, low + rise, thick, half, 1);
            def.angle = (float)(side * lean);
            def.friction = 0.8f;
            add(world, def, awake);
        }
        if (i + 1 < count) {
            graze_body_def def =
                physics_box(x + period / 2, low + 2 * rise + thick, half, thick, 1);
            def.friction = 0.8f;
            add(world, def, awake);
        }
    }
    *high = low + 2 * rise + 2 * thick;
}

static void play_cards(bool awake)
{
    graze_world *world = kit_world_with_gravity(0, -10);
    const graze_vec2 ends[2] = {{-50, 0}, {50, 0}};
    physics_chain(world, ends, 2, false, physics_surface(0.8, 0));
    double low = 0;
    for (int level = 0; level < 5; ++level) {
        add_level(world, 5 - level, 1.02 * level, low, awake, &low);
    }
    places noted = note_places(world);
    for (int second = 1; second <= 60; ++second) {
        physics_run(world, SECOND);
        const double moved = farthest(world, &noted);
        if (moved > 0.2) {
            fail_msg("%s, second %d: a card is %.6g from where it was",
                     awake ? "awake" : "may sleep", second, moved);
        }
    }
    free_places(&noted);
    graze_world_destroy(world);
}

static void a_house_of_cards_of_five_levels_stands(void **state)
{
    (void)state;
    play_cards(false);
}

static void a_house_of_cards_that_never_sleeps_stands(void **state)
{
    (void)state;
    play_cards(true);
}

// --- What lands ---

static double deepest(const graze_world *world)
{
    const graze_contact_list contacts = graze_world_contacts(world);
    double most = 0;
    for (uint32_t i = 0; i < contacts.count; ++i) {
        const graze_contact *contact = &contacts.data[i];
        if (contact->b.generation) {
            const double radii = (double)graze_body_shape(world, contact->a).radius +
                                 (double)graze_body_shape(world, contact->b).radius;
            most = fmax(most, (double)contact->depth / radii);
        }
    }
    return most;
}

// Under eighty rows that come down on them discs come nearer by up to a quarter, and leave that.
static void eighty_rows_that_land_do_not_press_discs_flat(void **state)
{
    enum { COLUMNS = 20 };
    (void)state;
    random_state random = random_seed(1);
    graze_world *world = world_with_floor();
    physics_floor(world, -11, 200, -11, 0);
    physics_floor(world, 11, 0, 11, 200);
    for (int i = 0; i < COLUMNS * (PHYSICS_SHARE > 1 ? 40 : 80); ++i) {
        const double x = 1.1 * (i % COLUMNS - 0.5 * (COLUMNS - 1)), y = 1 + 1.1 * (i / COLUMNS);
        const double radius = (double)random_float(&random, 0.3f, 0.5f);
        add(world, physics_disc(x, y, radius, radius * radius), true);
    }
    double most = 0;
    for (int step = 0; step < 4 * SECOND; ++step) {
        kit_step(world, physics_dt);
        most = fmax(most, deepest(world));
    }
    if (!(most < 0.25)) {
        fail_msg("discs come nearer by %g of their radii", most);
    }
    physics_run(world, 4 * SECOND);
    const double mean = kit_mean_depth(world);
    if (!(mean < 0.03)) {
        fail_msg("at rest they overlap by %g in the mean", mean);
    }
    graze_world_destroy(world);
}

// --- A tumbler ---

enum { WALLS = 4 };

// Four driven rects around the origin, at this angle: their velocities lead to where they should be
// after the step.
static void turn_walls(graze_world *world, const graze_body_id *walls, double half, double angle,
                       double rate)
{
    for (int i = 0; i < WALLS; ++i) {
        const double next = angle + rate * (double)physics_dt + i * pi / 2;
        const graze_vec2 at = graze_body_position(world, walls[i]);
        const graze_vec2 velocity = {
            (float)((half * cos(next) - (double)at.x) / (double)physics_dt),
            (float)((half * sin(next) - (double)at.y) / (double)physics_dt)};
        graze_body_set_velocity(world, walls[i], velocity);
        graze_body_set_spin(world, walls[i], (float)rate);
    }
}

static void play_tumbler(double rate, int count, int seconds)
{
    enum { SIDE = 23 };
    const double half = 14;
    graze_world *world = kit_world_with_gravity(0, -10);
    graze_body_id walls[WALLS];
    for (int i = 0; i < WALLS; ++i) {
        graze_body_def def =
            physics_block((half + 1) * cos(i * pi / 2), (half + 1) * sin(i * pi / 2), 1, half + 2);
        def.angle = (float)(i * pi / 2);
        walls[i] = kit_add(world, def);
    }
    for (int i = 0; i < count; ++i) {
        add(world,
            physics_box(1.1 * (i % SIDE - SIDE / 2), 1.1 * (i / SIDE - SIDE / 2), 0.5, 0.5, 1),
            false);
    }
    // Faster than a fall through it and its walls together nothing should be.
    const double most = 1.5 * (sqrt(2 * 10 * 2 * half * sqrt(2)) + rate * half * sqrt(2));
    for (int step = 0; step < seconds * SECOND; ++step) {
        const double angle = rate * step * (double)physics_dt;
        turn_walls(world, walls, half + 1, angle, rate);
        kit_step(world, physics_dt);
        uint32_t bodies;
        const graze_vec2 *at = graze_world_positions(world, &bodies);
        const graze_vec2 *velocities = graze_world_velocities(world, NULL);
        const uint32_t *indices = graze_world_indices(world, NULL);
        for (uint32_t i = 0; i < bodies; ++i) {
            const double far = hypot((double)at[i].x, (double)at[i].y);
            const double speed = hypot((double)velocities[i].x, (double)velocities[i].y);
            const bool wall = indices[i] < walls[WALLS - 1].index + 1;
            if (!wall && (far > (half + 1) * sqrt(2) || speed > most)) {
                fail_msg(
                    "%g a second, step %d: body %u is %.6g from the middle, at a speed of %.6g "
                    "(at most %.6g)",
                    rate, step, (unsigned)indices[i], far, speed, most);
            }
        }
    }
    graze_world_destroy(world);
}

static void a_tumbler_keeps_its_boxes_and_their_energy(void **state)
{
    (void)state;
    play_tumbler(0.4, 500 / PHYSICS_SHARE, PHYSICS_SHARE > 1 ? 8 : 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(twenty_boxes_that_never_sleep_hardly_drift),
        cmocka_unit_test(twenty_boxes_sleep_within_two_seconds_and_stay_to_the_last_bit),
        cmocka_unit_test(what_is_stacked_sleeps_though_steps_are_of_several_lengths),
        cmocka_unit_test(a_stack_does_not_jump_when_substeps_change),
        cmocka_unit_test(boxes_sink_into_each_other_by_their_loads),
        cmocka_unit_test(a_stack_does_not_jump_when_it_becomes_lighter),
        cmocka_unit_test(a_tower_sinks_by_a_quarter_with_twice_the_substeps),
        cmocka_unit_test(a_box_of_a_hundred_times_the_mass_stands_on_five),
        cmocka_unit_test(a_box_of_a_hundred_times_the_mass_stands_on_five_that_never_sleep),
        cmocka_unit_test(a_pyramid_of_forty_rows_stands_and_sleeps),
        cmocka_unit_test(a_pyramid_that_never_sleeps_stands),
        cmocka_unit_test(a_house_of_cards_of_five_levels_stands),
        cmocka_unit_test(a_house_of_cards_that_never_sleeps_stands),
        cmocka_unit_test(eighty_rows_that_land_do_not_press_discs_flat),
        cmocka_unit_test(a_tumbler_keeps_its_boxes_and_their_energy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
