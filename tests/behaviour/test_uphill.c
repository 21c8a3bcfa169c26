// Bodies that others push up a slope: along it they have to go faster than what pushes them.
#include "response_kit.h"
#include "world_kit.h"

#include <math.h>

enum { CRATES = 6, STEPS = 240 };

#define STEP (1.0f / 60)

static const float slopes[] = {0, 0.02f, 0.05f, 0.1f, 0.25f, 0.5f, 1};

enum { SLOPES = sizeof slopes / sizeof *slopes };

static graze_world *make_hill(float slope, float gravity)
{
    graze_world *world = kit_world_with_gravity(0, gravity);
    kit_wall(world, -20, -20 * slope, 100, 100 * slope);
    return world;
}

// The first gets its speed anew before each step, and gives the others a share; gravity takes some.
// The steady speed of a row follows from that.
static void crates_are_pushed_up_a_slope(void **state)
{
    (void)state;
    for (int run = 0; run < SLOPES * CRATES; ++run) {
        const float slope = slopes[run % SLOPES];
        const float length = hypotf(1, slope);
        graze_world *world = make_hill(slope, -30);
        graze_body_id first = {0, 0};
        for (int i = run / SLOPES; i >= 0; --i) {
            const float x = (float)i;
            const graze_body_def def = kit_rect(x, 0.5f + slope * (x + 0.5f), 0.5f, 0.5f);
            first = kit_add(world, kit_moving(def, 0, 0, GRAZE_SLIDE));
        }
        for (int step = 0; step < STEPS; ++step) {
            const graze_vec2 up = {4 / length, 4 * slope / length};
            graze_body_set_velocity(world, first, up);
            kit_step(world, STEP);
        }
        const int count = run / SLOPES + 1;
        const float moved = graze_body_position(world, first).x * length;
        const float speed = 4 - (float)count * 30 * STEP * slope / length;
        const float least = count > 3 ? 0 : 0.7f * 4;
        if (!(moved > 0.95f * speed * STEPS * STEP && moved > least * STEPS * STEP)) {
            fail_msg("%d crates, slope %g: moved by %g, not %g", count, (double)slope,
                     (double)moved, (double)(speed * STEPS * STEP));
        }
        graze_world_destroy(world);
    }
}

// What stands on a hero's head must go up with him, as fast as he does: at first it is slower than
// that, and he waits for it.
static void a_hero_carries_a_crate_up_a_slope(void **state)
{
    (void)state;
    static const float masses[] = {0.01f, 0.1f, 1}, speeds[] = {3, 6};
    for (int run = 0; run < SLOPES * 12; ++run) {
        const float slope = slopes[run % SLOPES], mass = masses[run / SLOPES % 3];
        const float speed = speeds[run / SLOPES / 3 % 2];
        const bool is_round = run / SLOPES / 6 % 2;
        graze_world *world = make_hill(slope, -30);
        const float y = 0.5f * (is_round ? hypotf(1, slope) : 1 + slope) + 1e-4f;
        const graze_body_def hero = is_round ? kit_circle(0, y, 0.5f) : kit_rect(0, y, 0.5f, 0.5f);
        graze_body_def crate = kit_rect(0, y + 0.8f, 0.3f, 0.3f);
        crate.friction = 0.8f;
        const graze_body_id walker = kit_add(world, kit_moving(hero, 0, 0, GRAZE_SLIDE));
        kit_add(world, kit_moving_mass(crate, 0, 0, GRAZE_SLIDE, mass));
        for (int step = 0; step < STEPS / 2; ++step) {
            const graze_vec2 velocity = {speed, graze_body_velocity(world, walker).y};
            graze_body_set_velocity(world, walker, velocity);
            kit_step(world, STEP);
        }
        const float moved = graze_body_position(world, walker).x;
        if (!(moved > 0.75f * speed * STEPS / 2 * STEP)) {
            fail_msg("run %d: slope %g, mass %g: moved by %g", run, (double)slope, (double)mass,
                     (double)moved);
        }
        graze_world_destroy(world);
    }
}

/// A wall that nothing holds up, and the body that it pushes.
typedef struct push {
    graze_world *world;
    graze_body_id wall, body;
} push;

static push make_push(float slope, float gravity, bool is_round, graze_response response)
{
    push made = {.world = make_hill(slope, gravity)};
    graze_body_def wall = kit_moving(kit_rect(-1.5f, 0, 0.4f, 30), 3, 0, response);
    wall.mass = 0;
    wall.filter.category = 2;
    wall.filter.mask = 4;
    const float above = 0.5f * hypotf(1, slope) + 1e-4f;
    graze_body_def body =
        is_round ? kit_circle(0, above, 0.5f) : kit_rect(0, 0.5f + 0.5f * slope, 0.5f, 0.5f);
    body.filter.category = 4;
    made.wall = kit_add(made.world, wall);
    made.body = kit_add(made.world, kit_moving(body, 0, 0, GRAZE_SLIDE));
    return made;
}

// It overlaps the body by the way of one step at most.
static void a_moving_wall_pushes_a_body_up_a_slope(void **state)
{
    (void)state;
    static const graze_response responses[] = {GRAZE_PASS, GRAZE_SLIDE};
    for (int run = 0; run < SLOPES * 8; ++run) {
        const float slope = slopes[run % SLOPES];
        const bool is_round = run / SLOPES % 2, falls = run / SLOPES / 2 % 2;
        push one = make_push(slope, falls ? -30 : 0, is_round, responses[run / SLOPES / 4]);
        for (int step = 0; step < STEPS; ++step) {
            const graze_vec2 right = {3, 0};
            graze_body_set_velocity(one.world, one.wall, right);
            kit_step(one.world, STEP);
            const float wall = graze_body_position(one.world, one.wall).x;
            const float body = graze_body_position(one.world, one.body).x;
            if (!(wall + 0.4f - (body - 0.5f) < 1.2f * 3 * STEP)) {
                fail_msg("run %d, slope %g, step %d: a wall at %g, a body at %g", run,
                         (double)slope, step, (double)wall, (double)body);
            }
        }
        assert_true(graze_body_position(one.world, one.wall).x > -1.5f + 2.9f * STEPS * STEP);
        graze_world_destroy(one.world);
    }
}

/// What a slope and a row on it are made of, at random.
typedef struct hill_row {
    random_state random;
    float slope, length; ///< Of one unit along x.
    float x;             ///< Where the row ends so far.
} hill_row;

static graze_body_id add_to_row(graze_world *world, hill_row *row, bool is_round, float gap)
{
    const float half_x = random_float(&row->random, 0.15f, 0.75f);
    const float half_y = is_round ? half_x : random_float(&row->random, 0.15f, 0.75f);
    row->x += half_x;
    const float above = is_round ? half_x * row->length : half_y + row->slope * half_x;
    const float y = row->slope * row->x + above + 1e-3f;
    const graze_body_def def =
        is_round ? kit_circle(row->x, y, half_x) : kit_rect(row->x, y, half_x, half_y);
    graze_body_def pushed = kit_moving(def, 0, 0, GRAZE_SLIDE);
    pushed.filter.category = 4;
    row->x += half_x + gap;
    return kit_add(world, pushed);
}

static hill_row make_row(uint64_t seed)
{
    hill_row row = {.random = random_seed(seed)};
    row.slope = random_float(&row.random, 0.1f, 1);
    row.length = hypotf(1, row.slope);
    return row;
}

// It comes below some of them, and lifts them; others would have to go faster than they can in one
// step. All have the speed for it in the next.
static void a_round_walker_pushes_any_row_up_a_slope(void **state)
{
    (void)state;
    enum { RUNS = 300, LATE = 200 };
    for (uint64_t seed = 1; seed <= RUNS; ++seed) {
        hill_row row = make_row(seed);
        const float gravity = random_float(&row.random, 10, 30);
        const float speed = random_float(&row.random, 5, 9);
        graze_world *world = make_hill(row.slope, -gravity);
        const graze_body_id walker = add_to_row(world, &row, true, 0.01f);
        const int count = random_integer(&row.random, 1, 5);
        for (int i = 0; i < count; ++i) {
            const bool is_round = seed % 3 == 0 || (seed % 3 == 1 && random_below(&row.random, 2));
            add_to_row(world, &row, is_round, random_float(&row.random, 0.01f, 0.06f));
        }
        const float fall = gravity * STEP * row.slope / row.length;
        const float steady = speed - (float)(count + 1) * fall; // Of the whole row.
        float before = 0;
        for (int step = 0; step < 600; ++step) {
            before = step == 600 - LATE ? graze_body_position(world, walker).x : before;
            const graze_vec2 up = {speed / row.length, speed * row.slope / row.length};
            graze_body_set_velocity(world, walker, up);
            kit_step(world, STEP);
        }
        const float moved = (graze_body_position(world, walker).x - before) * row.length;
        if (steady > 1 && !(moved > 0.1f * steady * LATE * STEP)) {
            fail_msg("seed %llu: slope %g, %d at %g: moved by %g", (unsigned long long)seed,
                     (double)row.slope, count, (double)speed, (double)moved);
        }
        graze_world_destroy(world);
    }
}

// It pushes no more than a few crates: in each step it goes as far as a sixth of their width.
static void a_fast_wall_leaves_none_of_three_crates_behind(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 200; ++seed) {
        random_state random = random_seed(seed);
        const float slope = random_float(&random, 0.5f, 1);
        const float half = random_float(&random, 0.4f, 0.75f);
        graze_world *world = make_hill(slope, -random_float(&random, 10, 30));
        graze_body_def def = kit_moving(kit_rect(-1.5f, 0, 0.4f, 100), 12, 0, GRAZE_PASS);
        def.mass = 0;
        def.filter.category = 2;
        def.filter.mask = 4;
        const graze_body_id wall = kit_add(world, def);
        graze_body_id crates[3];
        const int count = 1 + (int)(seed % 3);
        for (int i = 0; i < count; ++i) {
            const float x = half - 1.05f + (2 * half + 1e-3f) * (float)i;
            const graze_body_def crate = kit_rect(x, slope * (x + half) + half + 1e-4f, half, half);
            graze_body_def pushed = kit_moving(crate, 0, 0, GRAZE_SLIDE);
            pushed.filter.category = 4;
            crates[i] = kit_add(world, pushed);
        }
        for (int step = 0; step < STEPS; ++step) {
            kit_step(world, STEP);
        }
        for (int i = 0; i < count; ++i) {
            const float at = graze_body_position(world, crates[i]).x;
            if (!(at > graze_body_position(world, wall).x)) {
                fail_msg("seed %llu: crate %d of %d, half size %g, slope %g: left behind",
                         (unsigned long long)seed, i, count, (double)half, (double)slope);
            }
        }
        graze_world_destroy(world);
    }
}

// The first is hit in one step, and those before it in the next: until these go along it cannot.
static void a_fast_wall_leaves_none_of_a_level_row_behind(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 200; ++seed) {
        random_state random = random_seed(seed);
        const float half = random_float(&random, 0.2f, 0.7f);
        const float way = half * random_float(&random, 0.3f, 0.85f); // In a step.
        graze_world *world = make_hill(0, -random_float(&random, 10, 30));
        const float x = -2 * half - random_float(&random, 0, 1);
        graze_body_def def = kit_moving(kit_rect(x, 2, half, 1.9f), way / STEP, 0, GRAZE_PASS);
        def.mass = 0;
        const graze_body_id wall = kit_add(world, def);
        graze_body_id row[12];
        const int count = 1 + (int)(seed % 12);
        for (int i = 0; i < count; ++i) {
            const float at = 2 * half * (float)i;
            const bool is_round = seed / 12 % 2;
            const graze_body_def body =
                is_round ? kit_circle(at, half, half) : kit_rect(at, half, half, half);
            row[i] = kit_add(world, kit_moving(body, 0, 0, GRAZE_SLIDE));
        }
        for (int step = 0; step < 60; ++step) {
            kit_step(world, STEP);
        }
        for (int i = 0; i < count; ++i) {
            const float at = graze_body_position(world, row[i]).x;
            if (!(at > graze_body_position(world, wall).x + half)) {
                fail_msg("seed %llu: body %d of %d, half size %g, %g in a step: left behind",
                         (unsigned long long)seed, i, count, (double)half, (double)way);
            }
        }
        graze_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(crates_are_pushed_up_a_slope),
        cmocka_unit_test(a_hero_carries_a_crate_up_a_slope),
        cmocka_unit_test(a_moving_wall_pushes_a_body_up_a_slope),
        cmocka_unit_test(a_round_walker_pushes_any_row_up_a_slope),
        cmocka_unit_test(a_fast_wall_leaves_none_of_three_crates_behind),
        cmocka_unit_test(a_fast_wall_leaves_none_of_a_level_row_behind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
