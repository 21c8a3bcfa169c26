#include "body_defs.h"
#include "response_kit.h"

#include "solve/slices.h"
#include "world/rows.h"
#include "world/world_state.h"

#include <math.h>
#include <string.h>

// Where many are fast, bodies are paired slice by slice of a step. The results must be those of a
// step that is not cut, to the last bit: as long as none are pressed together, see slices.h.

enum { SEEDS = 24, COLUMNS = 13, BODIES = COLUMNS * COLUMNS, FRAMES = 4, SIDE = 26 };

static const float dt = 1.0f / 60;

// None overlaps another at the start: what the solver decides then, it decides for a whole step.
static graze_body_def make_fast(random_state *random, int number, float speed)
{
    const float half = random_float(random, 0.2f, 0.5f);
    const float x = (float)(2 * (number % COLUMNS) + 1) + random_float(random, -0.4f, 0.4f);
    const float y = (float)(2 * (number / COLUMNS) + 1) + random_float(random, -0.4f, 0.4f);
    graze_body_def def =
        random_below(random, 3) ? kit_circle(x, y, half) : kit_rect(x, y, half, half / 2);
    def.response = random_below(random, 2) ? GRAZE_BOUNCE : GRAZE_RIGID;
    def.restitution = random_float(random, 0.5f, 1);
    def.friction = random_float(random, 0, 0.5f);
    def.mass = random_below(random, 8) ? random_float(random, 0.5f, 3) : 0;
    def.velocity.x = random_float(random, -speed, speed);
    def.velocity.y = random_float(random, -speed, speed);
    def.hit_limit = random_below(random, 10) ? 0 : 9;
    return def;
}

// One in three is something else: slow, rigid, a bullet, a zone, a lift.
static graze_body_def make_body(random_state *random, int number, float speed, bool has_filters)
{
    static const graze_response responses[] = {GRAZE_PASS, GRAZE_STOP, GRAZE_SLIDE, GRAZE_RIGID};
    graze_body_def def = make_fast(random, number, speed);
    if (random_below(random, 3) == 0) {
        def.response = responses[random_below(random, 4)];
        def.sensor = def.response == GRAZE_PASS && random_below(random, 2);
        def.hit_limit = 0;
        if (random_below(random, 3)) {
            def.velocity.x /= 50;
            def.velocity.y /= 50;
        }
        if (random_below(random, 4) == 0) {
            def = kit_bullet(def.position.x, def.position.y, def.velocity.x, def.velocity.y);
        }
    }
    if (has_filters) {
        def.filter.category = 1u << random_below(random, 4);
        def.filter.mask = ~(1u << random_below(random, 4));
        def.filter.pass = random_below(random, 4) ? 0 : 1u << random_below(random, 4);
    }
    return def;
}

static void put_anywhere(graze_body_def *def, random_state *random)
{
    def->position.x = random_float(random, 1, SIDE - 1);
    def->position.y = random_float(random, 1, SIDE - 1);
}

static graze_world *make_world_of(uint64_t seed, float speed, bool is_crowded)
{
    random_state random = random_seed(seed);
    graze_world *world = kit_world_with_gravity(0, seed % 3 == 0 ? -10.0f : 0);
    kit_square(world, 0, SIDE);
    kit_wall(world, 8, 8, 14, 14);
    for (int i = 0; i < BODIES; ++i) {
        graze_body_def def = make_body(&random, i, speed, seed % 2 == 1);
        if (is_crowded) {
            put_anywhere(&def, &random);
        }
        kit_add(world, def);
    }
    return world;
}

static graze_world *make_world(uint64_t seed, float speed)
{
    return make_world_of(seed, speed, false);
}

static bool is_thrown(const graze_world *world, graze_body_id body)
{
    return graze_body_response(world, body) >= GRAZE_BOUNCE && !graze_body_is_sensor(world, body) &&
           graze_body_surface(world, body).restitution > 0 &&
           graze_body_shape(world, body).kind != GRAZE_SHAPE_RAY;
}

// Whether two that bounce off each other are inside each other: circles within them overlap.
static bool are_any_pressed(const graze_world *world)
{
    uint32_t count;
    const uint32_t *indices = graze_world_indices(world, &count);
    for (uint32_t i = 0; i < count; ++i) {
        const graze_body_id a = graze_world_body_at(world, indices[i]);
        for (uint32_t k = 0; is_thrown(world, a) && k < i; ++k) {
            const graze_body_id b = graze_world_body_at(world, indices[k]);
            const graze_vec2 at = graze_body_position(world, a), to = graze_body_position(world, b);
            const double radii = (double)grz_half_of(graze_body_shape(world, a)).y +
                                 (double)grz_half_of(graze_body_shape(world, b)).y;
            const double apart = hypot((double)to.x - (double)at.x, (double)to.y - (double)at.y);
            if (apart < 0.95 * radii && is_thrown(world, b) &&
                (graze_body_mass(world, a) > 0 || graze_body_mass(world, b) > 0)) {
                return true;
            }
        }
    }
    return false;
}

static bool are_equal(const graze_world *cut, const graze_world *whole)
{
    const graze_contact_list a = graze_world_contacts(cut), b = graze_world_contacts(whole);
    return a.count == b.count && memcmp(a.data, b.data, a.count * sizeof *a.data) == 0 &&
           graze_world_hash(cut) == graze_world_hash(whole);
}

// Returns the number of slices; worlds whose results differ because some are pressed together are
// counted, and not followed further.
static uint32_t compare(uint64_t seed, float speed, uint32_t *left)
{
    graze_world *cut = make_world(seed, speed), *whole = make_world(seed, speed);
    uint32_t most = 0;
    bool equal = true;
    whole->impacts.slices.never = true;
    for (int frame = 0; frame < FRAMES && equal; ++frame) {
        const bool pressed = are_any_pressed(cut);
        kit_step(cut, dt);
        kit_step(whole, dt);
        most = cut->impacts.slices.count > most ? cut->impacts.slices.count : most;
        assert_true(whole->impacts.slices.count <= 1);
        equal = are_equal(cut, whole);
        if (!equal && !pressed) {
            fail_msg("seed %u, speed %g, step %d, in %u slices", (unsigned)seed, (double)speed,
                     frame, (unsigned)cut->impacts.slices.count);
        }
    }
    *left += !equal;
    graze_world_destroy(cut);
    graze_world_destroy(whole);
    return most;
}

static void slices_change_no_result(void **state)
{
    (void)state;
    static const float speeds[] = {30, 100, 300, 1000};
    uint32_t most = 0, left = 0;
    for (size_t k = 0; k < sizeof speeds / sizeof *speeds; ++k) {
        for (uint64_t seed = 0; seed < SEEDS; ++seed) {
            const uint32_t count = compare(seed, speeds[k], &left);
            most = count > most ? count : most;
        }
    }
    assert_true(most > 4); // Or the test shows nothing.
    assert_true(left < 3);
}

enum { SIDE_COUNT = 30 };

/// Of the circles of a gas.
typedef struct kind_of_gas {
    graze_response response;
    float restitution;
    int slow; ///< So many of four move a hundredth as fast.
} kind_of_gas;

static const kind_of_gas gases[] = {
    {GRAZE_STOP, 0, 0},  {GRAZE_SLIDE, 0, 0}, {GRAZE_BOUNCE, 0, 0}, {GRAZE_BOUNCE, 1, 0},
    {GRAZE_RIGID, 0, 0}, {GRAZE_RIGID, 1, 0}, {GRAZE_SLIDE, 0, 2},  {GRAZE_RIGID, 1, 2},
};

enum { GASES = sizeof gases / sizeof *gases };

// Circles that are apart; in a square, if it is closed.
static graze_world *make_gas(const kind_of_gas *of, float speed, graze_filter filter, bool closed)
{
    graze_world *world = kit_world();
    random_state random = random_seed(1);
    if (closed) {
        kit_square(world, 0, 2 * SIDE_COUNT);
    }
    for (int i = 0; i < SIDE_COUNT * SIDE_COUNT; ++i) {
        const float most = i % 4 < of->slow ? speed / 100 : speed;
        graze_body_def def =
            kit_circle((float)(2 * (i % SIDE_COUNT) + 1), (float)(2 * (i / SIDE_COUNT) + 1), 0.5f);
        def = kit_moving(def, random_float(&random, -most, most),
                         random_float(&random, -most, most), of->response);
        def.restitution = of->restitution;
        def.filter = filter;
        kit_add(world, def);
    }
    return world;
}

static double count_candidates(const kind_of_gas *of, float speed)
{
    graze_world *world = make_gas(of, speed, graze_filter_default(), true);
    kit_step(world, dt);
    const double count = (double)graze_world_get_stats(world).pair_count;
    graze_world_destroy(world);
    return count;
}

// Without slices four times the speed makes sixteen times as many.
static void pairs_grow_with_the_speed_and_not_with_its_square(void **state)
{
    (void)state;
    for (size_t k = 0; k < GASES; ++k) {
        const double slow = count_candidates(&gases[k], 250);
        const double fast = count_candidates(&gases[k], 1000);
        if (!(fast < 6 * slow)) {
            fail_msg("gas %u: %g pairs at 250 units/s, %g at 1000", (unsigned)k, slow, fast);
        }
    }
}

// None is pressed in the first step of what is apart, in the open.
static void slices_change_no_first_step(void **state)
{
    (void)state;
    for (size_t k = 0; k < GASES; ++k) {
        graze_world *cut = make_gas(&gases[k], 1000, graze_filter_default(), false);
        graze_world *whole = make_gas(&gases[k], 1000, graze_filter_default(), false);
        whole->impacts.slices.never = true;
        kit_step(cut, dt);
        kit_step(whole, dt);
        assert_true(cut->impacts.slices.count > 4);
        if (!are_equal(cut, whole)) {
            fail_msg("gas %u", (unsigned)k);
        }
        graze_world_destroy(cut);
        graze_world_destroy(whole);
    }
}

static void what_never_meets_its_kind_needs_no_slices(void **state)
{
    (void)state;
    graze_filter filter = graze_filter_default();
    filter.category = 2;
    filter.mask = 1;
    for (size_t k = 0; k < GASES; ++k) {
        graze_world *world = make_gas(&gases[k], 1000, filter, true);
        kit_step(world, dt);
        assert_true(world->impacts.slices.count <= 1);
        assert_int_equal(graze_world_get_stats(world).pair_count, 0);
        graze_world_destroy(world);
    }
}

static void what_is_slow_and_far_away_is_in_no_slice(void **state)
{
    (void)state;
    for (size_t k = 0; k < GASES; ++k) {
        graze_world *world = make_gas(&gases[k], 1000, graze_filter_default(), false);
        for (int i = 0; i < SIDE_COUNT; ++i) {
            kit_add(world, kit_circle(1000, (float)(2 * i), 0.5f));
        }
        kit_step(world, dt);
        assert_int_equal(world->impacts.slices.rows.count, SIDE_COUNT * SIDE_COUNT);
        graze_world_destroy(world);
    }
}

static double deepest_overlap(const graze_world *world)
{
    uint32_t count;
    const uint32_t *indices = graze_world_indices(world, &count);
    double deepest = 0;
    for (uint32_t i = 0; i < count; ++i) {
        const graze_vec2 a = graze_body_position(world, graze_world_body_at(world, indices[i]));
        for (uint32_t k = 0; k < i; ++k) {
            const graze_vec2 b = graze_body_position(world, graze_world_body_at(world, indices[k]));
            const double apart = hypot((double)a.x - (double)b.x, (double)a.y - (double)b.y);
            deepest = 1 - apart > deepest ? 1 - apart : deepest;
        }
    }
    return deepest;
}

// All touch another, and do not bounce: the solver moves all of them. It knows no pairs but those
// of the first slice; what they meet later holds them back.
static void what_the_solver_moves_is_held_in_later_slices(void **state)
{
    (void)state;
    random_state random = random_seed(1);
    graze_world *world = kit_world();
    for (int i = 0; i < 40 * 40; ++i) {
        graze_body_def def = kit_circle((float)(i % 40) * 0.9f, (float)(i / 40) * 0.9f, 0.5f);
        kit_add(world, kit_moving(def, random_float(&random, -1000, 1000),
                                  random_float(&random, -1000, 1000), GRAZE_RIGID));
    }
    kit_step(world, dt);
    assert_true(world->impacts.slices.count > 4);
    assert_int_equal(world->found.totals.flying, 0);
    if (!(deepest_overlap(world) < 0.25)) { // 0.1 before the step.
        fail_msg("two overlap by %g", deepest_overlap(world));
    }
    graze_world_destroy(world);
}

// What is out of each other's reach is not compared: a rect that an impact has turned reaches
// farther than it did.
static void shortcuts_miss_nothing_in_a_crowd(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 10 * SEEDS; ++seed) {
        graze_world *fast = make_world_of(seed, 100, true);
        graze_world *slow = make_world_of(seed, 100, true);
        fast->impacts.slices.never = true;
        slow->config.no_shortcuts = true;
        kit_step(fast, dt);
        kit_step(slow, dt);
        if (graze_world_hash(fast) != graze_world_hash(slow)) {
            fail_msg("seed %u", (unsigned)seed);
        }
        graze_world_destroy(fast);
        graze_world_destroy(slow);
    }
}

// The grid knows fast bodies under a kind of its own: queries ask for that, too.
static void queries_find_what_is_fast(void **state)
{
    (void)state;
    const graze_aabb all = {{-1e6f, -1e6f}, {1e6f, 1e6f}};
    graze_body_id bodies[2 * BODIES];
    for (uint64_t seed = 0; seed < SEEDS; seed += 2) {
        graze_world *world = make_world(seed, 1000);
        for (int i = 0; i < COLUMNS; ++i) { // These are at rest, and apart from the others.
            kit_add(world, kit_circle((float)(2 * i + 1), 13, 0.5f));
        }
        kit_step(world, dt);
        assert_true(world->impacts.slices.count > 1);
        for (int step = 0; step < 4; ++step) {
            kit_step(world, dt);
        }
        const uint32_t found =
            graze_query_box(world, all, graze_filter_default(), bodies, 2 * BODIES);
        assert_int_equal(found, graze_world_get_stats(world).body_count);
        graze_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs_grow_with_the_speed_and_not_with_its_square),
        cmocka_unit_test(what_never_meets_its_kind_needs_no_slices),
        cmocka_unit_test(what_is_slow_and_far_away_is_in_no_slice),
        cmocka_unit_test(what_the_solver_moves_is_held_in_later_slices),
        cmocka_unit_test(shortcuts_miss_nothing_in_a_crowd),
        cmocka_unit_test(queries_find_what_is_fast),
        cmocka_unit_test(slices_change_no_first_step),
        cmocka_unit_test(slices_change_no_result),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
