// Crowds: hordes that a game steers before each step, and bodies that meet in free flight.

#include "failing_allocator.h"
#include "response_kit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 500 };

#define STEP    (1.0f / 60)
#define PACKING 0.9069 ///< Of the densest packing of circles, that of honeycombs: pi / sqrt(12).

/// Bodies, and what they have in common.
typedef struct horde {
    graze_world *world;
    graze_body_id ids[MOST];
    graze_body_def defs[MOST];
    graze_response response;
    int count;
    kit_tally tally;
    random_state random;
} horde;

// --- Hordes ---

static horde *make_horde(uint64_t seed)
{
    horde *of = calloc(1, sizeof *of);
    assert_non_null(of);
    of->world = kit_world();
    of->response = GRAZE_SLIDE;
    of->random = random_seed(seed);
    return of;
}

static void free_horde(horde *of)
{
    graze_world_destroy(of->world);
    free(of);
}

static graze_body_id join(horde *of, graze_body_def def)
{
    def.response = of->response;
    of->defs[of->count] = def;
    of->ids[of->count] = kit_add(of->world, def);
    return of->ids[of->count++];
}

static graze_vec2 position_of(const horde *of, int i)
{
    return graze_body_position(of->world, of->ids[i]);
}

static float radius_of(const graze_body_def *def)
{
    return def->shape.kind == GRAZE_SHAPE_RECT ? hypotf(def->shape.half.x, def->shape.half.y)
                                               : def->shape.radius;
}

static bool is_free(const horde *of, const graze_body_def *def)
{
    for (int i = 0; i < of->count; ++i) {
        const graze_vec2 at = of->defs[i].position;
        const float reach = radius_of(&of->defs[i]) + radius_of(def);
        if (hypotf(at.x - def->position.x, at.y - def->position.y) < 1.02f * reach) {
            return false;
        }
    }
    return true;
}

typedef graze_body_def draw_fn(horde *of);

static graze_body_def draw_circle(horde *of)
{
    (void)of;
    return kit_circle(0, 0, 0.5f);
}

static graze_body_def draw_rect(horde *of)
{
    graze_body_def def = kit_rect(0, 0, 0.5f, 0.35f);
    def.angle = random_float(&of->random, -3, 3);
    return def;
}

static graze_body_def draw_any(horde *of)
{
    const float half = random_float(&of->random, 0.2f, 1.2f);
    graze_body_def def = kit_circle(0, 0, half);
    if (random_below(&of->random, 2)) {
        def = kit_rect(0, 0, half, 0.7f * half);
        def.angle = random_float(&of->random, -3, 3);
    }
    def.mass = 4 * half * half;
    return def;
}

// Adds `count` bodies in a box, none of which touch.
static void fill(horde *of, int count, draw_fn *draw, graze_aabb box)
{
    while (count > 0) {
        graze_body_def def = draw(of);
        def.position.x = random_float(&of->random, box.lower.x, box.upper.x);
        def.position.y = random_float(&of->random, box.lower.y, box.upper.y);
        if (is_free(of, &def)) {
            join(of, def);
            --count;
        }
    }
}

static graze_aabb box_around(float x, float y, float half_x, float half_y)
{
    const graze_aabb box = {{x - half_x, y - half_y}, {x + half_x, y + half_y}};
    return box;
}

// The velocity straight to the point, at this speed, but not past it.
static void steer(horde *of, int i, graze_vec2 to, float speed)
{
    const graze_vec2 at = position_of(of, i);
    const graze_vec2 way = {to.x - at.x, to.y - at.y};
    const float distance = hypotf(way.x, way.y);
    const float share = fminf(speed / fmaxf(distance, 1e-6f), 1 / STEP);
    graze_body_set_velocity(of->world, of->ids[i], graze_vec2_scale(way, share));
}

static void steer_all(horde *of, graze_vec2 to, float speed)
{
    for (int i = 0; i < of->count; ++i) {
        steer(of, i, to, speed);
    }
}

static void step(horde *of)
{
    kit_step_and_count(of->world, STEP, &of->tally);
}

static double area_of(const graze_body_def *def)
{
    const double pi = 3.14159265358979;
    return def->shape.kind == GRAZE_SHAPE_RECT
               ? 4 * (double)def->shape.half.x * (double)def->shape.half.y
               : pi * (double)def->shape.radius * (double)def->shape.radius;
}

// The mean distance from a point, by area; one disc of the same area would have `*full`.
static double mean_distance(const horde *of, graze_vec2 from, double *full)
{
    double sum = 0;
    double area = 0;
    for (int i = 0; i < of->count; ++i) {
        const graze_vec2 at = position_of(of, i);
        sum += area_of(&of->defs[i]) * (double)hypotf(at.x - from.x, at.y - from.y);
        area += area_of(&of->defs[i]);
    }
    *full = sqrt(area / 3.14159265358979) * 2 / 3;
    return sum / area;
}

// --- To a point ---

static void assert_no_chain_hangs(const horde *of, graze_vec2 middle, double radius)
{
    for (int i = 0; i < of->count; ++i) {
        const graze_vec2 at = position_of(of, i);
        const double distance = (double)hypotf(at.x - middle.x, at.y - middle.y);
        if (distance > 1.25 * radius) {
            fail_msg("body %d hangs %g away from the middle of a disc of %g", i, distance, radius);
        }
    }
}

static void many_that_go_to_a_point_lie_as_close_as_they_can(void **state)
{
    (void)state;
    const struct {
        int count;
        float half; ///< Of the box that they come from.
        float speed;
        int steps;
    } runs[] = {{500, 18, 5, 450}, {200, 11, 20, 150}, {200, 11, 1, 1100}};
    for (size_t k = 0; k < sizeof runs / sizeof runs[0]; ++k) {
        horde *of = make_horde(k + 1);
        const graze_vec2 middle = {3, -2};
        fill(of, runs[k].count, draw_circle, box_around(0, 0, runs[k].half, runs[k].half));
        for (int i = 0; i < runs[k].steps; ++i) {
            steer_all(of, middle, runs[k].speed);
            step(of);
        }
        double full;
        const double mean = mean_distance(of, middle, &full);
        const double least = full / sqrt(PACKING);
        assert_true(of->tally.depth < 0.12f);
        if (!(mean < 1.05 * least)) {
            fail_msg("speed %g: %g from the middle in the mean, not %g", (double)runs[k].speed,
                     mean, least);
        }
        assert_no_chain_hangs(of, middle, 1.5 * least);
        free_horde(of);
    }
}

static void hordes_of_other_shapes_close_up(void **state)
{
    (void)state;
    const struct {
        draw_fn *draw;
        double most_mean; ///< Of that of a disc of their area.
        float most_depth;
    } runs[] = {{draw_rect, 1.2, 0.15f}, {draw_any, 1.15, 0.25f}};
    for (size_t k = 0; k < sizeof runs / sizeof runs[0]; ++k) {
        horde *of = make_horde(k + 1);
        const graze_vec2 middle = {0, 0};
        fill(of, 200, runs[k].draw, box_around(0, 0, 23, 23));
        for (int i = 0; i < 400; ++i) {
            steer_all(of, middle, 5);
            step(of);
        }
        double full;
        const double mean = mean_distance(of, middle, &full);
        assert_true(of->tally.depth < runs[k].most_depth);
        if (!(mean < runs[k].most_mean * full)) {
            fail_msg("run %d: %g from the middle in the mean, and %g of a disc", (int)k, mean,
                     full);
        }
        free_horde(of);
    }
}

static void mirror(horde *of)
{
    for (int i = 0; i < of->count; ++i) {
        const graze_vec2 at = position_of(of, i);
        graze_body_set_position(of->world, of->ids[i], (graze_vec2){-at.x, at.y});
        graze_body_set_angle(of->world, of->ids[i], -graze_body_angle(of->world, of->ids[i]));
    }
}

static void let_go(horde *of)
{
    for (int i = 0; i < of->count; ++i) {
        graze_body_set_velocity(of->world, of->ids[i], (graze_vec2){0, 0});
        graze_body_set_spin(of->world, of->ids[i], 0);
    }
}

static double mean_speed(const horde *of)
{
    double sum = 0;
    for (int i = 0; i < of->count; ++i) {
        sum += kit_speed(of->world, of->ids[i]) / of->count;
    }
    return sum;
}

// Returns how fast a horde becomes that was steered to a point, and then is stopped.
static double speed_after(horde *of, float speed)
{
    enum { PRESSED = 300, AFTER = 60 };
    for (int i = 0; i < PRESSED; ++i) {
        steer_all(of, (graze_vec2){0, 0}, speed);
        step(of);
    }
    let_go(of);
    double most = 0;
    for (int i = 0; i < AFTER; ++i) {
        step(of);
        most = fmax(most, mean_speed(of));
    }
    return most;
}

// Springs that a press has pushed in would throw it, at up to half of the speed that it had.
static void a_horde_that_turns_parts_softly_when_it_is_let_go(void **state)
{
    (void)state;
    enum { SEEDS = 12, COUNT = 94, RUNS = 2 * 3 * SEEDS };
    draw_fn *const draws[] = {draw_circle, draw_rect};
    const float speeds[] = {1, 3, 6};
    double mean = 0;
    for (int k = 0; k < RUNS; ++k) {
        horde *of = make_horde((uint64_t)(k / 12));
        of->response = GRAZE_RIGID;
        fill(of, COUNT, draws[k % 2], box_around(0, 0, 12, 12));
        if (k / 6 % 2) {
            mirror(of);
        }
        const double kept = speed_after(of, speeds[k / 2 % 3]) / (double)speeds[k / 2 % 3];
        if (!(kept < 0.1)) {
            fail_msg("run %d: they fly apart at %g of their speed", k, kept);
        }
        mean += kept / RUNS;
        free_horde(of);
    }
    assert_true(mean < 0.01);
}

// --- Past walls ---

// Steers bodies to the door, and away behind it. Returns how many are behind. None may pass the
// wall.
static int steer_through_door(horde *of, float width, bool *beyond)
{
    int through = 0;
    for (int i = 0; i < of->count; ++i) {
        const graze_vec2 at = position_of(of, i);
        const graze_vec2 door = {0.3f, 0};
        const graze_vec2 away = {5, 0};
        if (at.x > 0 && !beyond[i]) {
            assert_true(fabsf(at.y) < width / 2);
        }
        beyond[i] = at.x > 0;
        through += beyond[i];
        if (beyond[i]) {
            graze_body_set_velocity(of->world, of->ids[i], away);
        } else {
            steer(of, i, door, 5);
        }
    }
    return through;
}

// They overlap by a hundredth of their size.
static void a_horde_goes_through_a_door(void **state)
{
    (void)state;
    enum { SEEDS = 20, COUNT = 150, STEPS = 1500 };
    for (uint64_t seed = 1; seed <= SEEDS; ++seed) {
        horde *of = make_horde(seed);
        bool beyond[COUNT] = {false};
        kit_wall(of->world, 0, 1.25f, 0, 40);
        kit_wall(of->world, 0, -40, 0, -1.25f);
        fill(of, COUNT, draw_circle, box_around(-12, 0, 10, 10));
        int through = 0;
        double overlap = 0;
        for (int i = 0; i < STEPS && through < COUNT; ++i) {
            through = steer_through_door(of, 2.5f, beyond);
            step(of);
            overlap = i == 180 ? kit_mean_depth(of->world) : overlap; // They press at the door.
        }
        assert_true(overlap > 0 && overlap < 0.01);
        assert_true(of->tally.depth < 0.12f);
        if (through < COUNT) {
            fail_msg("seed %d: %d of %d went through", (int)seed, through, COUNT);
        }
        free_horde(of);
    }
}

static void a_horde_spreads_along_a_wall(void **state)
{
    (void)state;
    horde *of = make_horde(1);
    kit_wall(of->world, 0, -60, 0, 60);
    fill(of, 300, draw_circle, box_around(-22, 0, 15, 15));
    const graze_vec2 ahead = {5, 0};
    for (int k = 0; k < 600; ++k) {
        for (int i = 0; i < of->count; ++i) {
            graze_body_set_velocity(of->world, of->ids[i], ahead);
        }
        step(of);
    }
    double mean = 0;
    for (int i = 0; i < of->count; ++i) {
        const graze_vec2 at = position_of(of, i);
        if (!(at.x < -0.499f)) {
            fail_msg("body %d is %g before the wall", i, (double)-at.x);
        }
        mean += (double)at.x / of->count;
    }
    // Packed as honeycombs, in a block as wide as before, they would reach 4.7 from the wall.
    assert_true(mean > -4.2);
    assert_true(of->tally.depth < 0.1f);
    free_horde(of);
}

static void a_horde_flows_around_a_pillar(void **state)
{
    (void)state;
    enum { CORNERS = 16, COUNT = 200 };
    horde *of = make_horde(1);
    graze_vec2 pillar[CORNERS];
    for (int i = 0; i < CORNERS; ++i) {
        const double angle = i * 2 * 3.14159265358979 / CORNERS;
        pillar[i].x = (float)(3 * cos(angle));
        pillar[i].y = (float)(3 * sin(angle));
    }
    kit_loop(of->world, pillar, CORNERS);
    fill(of, COUNT, draw_circle, box_around(-15, 0, 10, 9));
    const graze_vec2 goal = {20, 0.37f};
    for (int k = 0; k < 900; ++k) {
        steer_all(of, goal, 5);
        step(of);
    }
    for (int i = 0; i < COUNT; ++i) {
        assert_true(position_of(of, i).x > 3.5f);
    }
    assert_true(of->tally.depth < 0.1f);
    free_horde(of);
}

// --- Each other ---

static void a_heavy_one_walks_through_a_horde(void **state)
{
    (void)state;
    horde *of = make_horde(1);
    graze_body_def def = kit_circle(0, 0, 0.6f);
    def.mass = 20;
    const graze_body_id hero = join(of, def);
    fill(of, 300, draw_circle, box_around(0, 0, 15, 15));
    const graze_vec2 walk = {6, 0};
    for (int k = 0; k < 600; ++k) {
        steer_all(of, graze_body_position(of->world, hero), 4);
        graze_body_set_velocity(of->world, hero, walk);
        step(of);
    }
    assert_true(graze_body_position(of->world, hero).x > 15);
    assert_true(of->tally.depth < 0.1f);
    free_horde(of);
}

static void two_hordes_go_through_each_other(void **state)
{
    (void)state;
    enum { SIDE = 10, HALF = SIDE * SIDE };
    horde *of = make_horde(1);
    for (int i = 0; i < 2 * HALF; ++i) {
        const bool left = i < HALF;
        const float column = 3 + 1.1f * (float)(i % SIDE);
        const float row = 1.1f * (float)(i % HALF / SIDE) - 5 + (left ? 0.2f : 0);
        const float x = (left ? -column : column) + random_float(&of->random, -0.04f, 0.04f);
        join(of, kit_circle(x, row + random_float(&of->random, -0.04f, 0.04f), 0.5f));
    }
    for (int k = 0; k < 1200; ++k) {
        for (int i = 0; i < of->count; ++i) {
            const graze_vec2 ahead = {i < HALF ? 5 : -5, 0};
            graze_body_set_velocity(of->world, of->ids[i], ahead);
        }
        step(of);
    }
    for (int i = 0; i < of->count; ++i) {
        assert_true((i < HALF) == (position_of(of, i).x > 0));
    }
    assert_true(of->tally.depth < 0.1f);
    free_horde(of);
}

// --- In free flight ---

/// What is conserved, summed in double.
typedef struct sums {
    double x, y, energy, speeds;
} sums;

static sums sum_up(const horde *of)
{
    sums total = {0};
    for (int i = 0; i < of->count; ++i) {
        const graze_vec2 velocity = graze_body_velocity(of->world, of->ids[i]);
        const double x = (double)velocity.x;
        const double y = (double)velocity.y;
        const double mass = (double)of->defs[i].mass;
        total.x += mass * x;
        total.y += mass * y;
        total.energy += mass * (x * x + y * y) / 2;
        total.speeds += mass * hypot(x, y);
    }
    return total;
}

// Nobody steers them: they meet in a lump, and none is pressed into another. None falls asleep:
// that would take what is left of its speed.
static void what_comes_together_keeps_momentum_and_gains_no_energy(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 6; ++seed) {
        horde *of = make_horde(seed);
        fill(of, 200, draw_circle, box_around(0, 0, 14, 14));
        for (int i = 0; i < of->count; ++i) {
            const graze_vec2 at = position_of(of, i);
            const graze_vec2 velocity = {-at.x, 0.3f - at.y};
            graze_body_set_velocity(of->world, of->ids[i], velocity);
            graze_body_set_never_sleeps(of->world, of->ids[i], true);
        }
        const sums before = sum_up(of);
        double energy = before.energy;
        for (int k = 0; k < 300; ++k) {
            step(of);
            const sums now = sum_up(of);
            const double fault = hypot(now.x - before.x, now.y - before.y);
            if (now.energy > energy * (1 + 2e-6) || fault > 1e-6 * before.speeds) {
                fail_msg("seed %d, step %d: energy %g to %g, momentum off by %g of %g", (int)seed,
                         k, energy, now.energy, fault, before.speeds);
            }
            energy = now.energy;
        }
        assert_true(energy < 0.1 * before.energy);
        assert_true(of->tally.depth < 0.05f);
        free_horde(of);
    }
}

// --- The same bits ---

// A horde before a door: its own bodies after others, far away, if there are any.
static horde *make_with_others(int others)
{
    horde *of = make_horde(1);
    kit_wall(of->world, 0, 1.25f, 0, 40);
    kit_wall(of->world, 0, -40, 0, -1.25f);
    for (int i = 0; i < others; ++i) {
        const float x = 1000 + 1.01f * (float)(i % 7);
        const float y = 500 + 1.01f * (float)(i / 7);
        kit_add(of->world, kit_moving_mass(kit_circle(x, y, 0.5f), x > 1003 ? -9 : 9,
                                           y > 503 ? -9 : 9, GRAZE_SLIDE, 1));
    }
    fill(of, 60, draw_circle, box_around(-8, 0, 6, 6));
    return of;
}

static void march(horde *of, int steps)
{
    const graze_vec2 goal = {9, 0};
    for (int k = 0; k < steps; ++k) {
        steer_all(of, goal, 5);
        step(of);
    }
}

static void a_crowd_does_not_depend_on_another_far_away(void **state)
{
    (void)state;
    horde *alone = make_with_others(0);
    horde *other = make_with_others(49);
    march(alone, 300);
    march(other, 300);
    for (int i = 0; i < alone->count; ++i) {
        const graze_vec2 first = position_of(alone, i);
        const graze_vec2 second = position_of(other, i);
        assert_true(memcmp(&first, &second, sizeof first) == 0);
    }
    assert_true(alone->tally.blocked > 1000);
    free_horde(alone);
    free_horde(other);
}

// It is saved when it has been steered, and before the step.
static void a_crowd_goes_on_from_a_snapshot(void **state)
{
    (void)state;
    horde *first = make_with_others(0);
    march(first, 150);
    steer_all(first, (graze_vec2){9, 0}, 5);
    horde *second = make_horde(1);
    size_t size;
    void *bytes = kit_save(first->world, &size);
    kit_load(second->world, bytes, size);
    free(bytes);
    memcpy(second->ids, first->ids, sizeof first->ids);
    second->count = first->count;
    step(first);
    step(second);
    march(first, 150);
    march(second, 150);
    kit_assert_same_bytes(first->world, second->world);
    free_horde(first);
    free_horde(second);
}

// Fails each allocation of a step in turn.
static void a_crowd_survives_lack_of_memory(void **state)
{
    (void)state;
    failing_allocator memory = {.calls = 0};
    graze_world_def def = graze_world_def_default();
    def.allocator = failing_allocator_interface(&memory);
    horde *of = make_horde(1);
    graze_world_destroy(of->world);
    of->world = graze_world_create(&def);
    fill(of, 40, draw_circle, box_around(0, 0, 5, 5));
    const graze_vec2 middle = {0, 0};
    size_t failures = 0;
    for (int k = 0; k < 30; ++k) {
        steer_all(of, middle, 5);
        const uint64_t before = graze_world_hash(of->world);
        for (size_t n = 1;; ++n) {
            failing_allocator_arm(&memory, n);
            const graze_status status = graze_world_step(of->world, STEP);
            if (!failing_allocator_disarm(&memory)) {
                assert_int_equal(status, GRAZE_OK);
                break;
            }
            assert_int_equal(status, GRAZE_ERROR_OUT_OF_MEMORY);
            assert_true(graze_world_hash(of->world) == before);
            ++failures;
        }
    }
    assert_true(failures > 20);
    free_horde(of);
    failing_allocator_assert_empty(&memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(many_that_go_to_a_point_lie_as_close_as_they_can),
        cmocka_unit_test(hordes_of_other_shapes_close_up),
        cmocka_unit_test(a_horde_that_turns_parts_softly_when_it_is_let_go),
        cmocka_unit_test(a_horde_goes_through_a_door),
        cmocka_unit_test(a_horde_spreads_along_a_wall),
        cmocka_unit_test(a_horde_flows_around_a_pillar),
        cmocka_unit_test(a_heavy_one_walks_through_a_horde),
        cmocka_unit_test(two_hordes_go_through_each_other),
        cmocka_unit_test(what_comes_together_keeps_momentum_and_gains_no_energy),
        cmocka_unit_test(a_crowd_does_not_depend_on_another_far_away),
        cmocka_unit_test(a_crowd_goes_on_from_a_snapshot),
        cmocka_unit_test(a_crowd_survives_lack_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
