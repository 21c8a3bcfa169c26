#include "support/body_defs.h"
#include "support/response_kit.h"

#include "respond/slices.h"
#include "state.h"

#include <math.h>

// Fast bodies that bounce are paired slice by slice of a step. The results must be those of a step
// that is not cut, to the last bit: as long as none are pressed together, see slices.h.

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

static uint32_t compare(uint64_t seed, float speed)
{
    graze_world *cut = make_world(seed, speed), *whole = make_world(seed, speed);
    uint32_t most = 0;
    whole->slices.never = true;
    for (int frame = 0; frame < FRAMES; ++frame) {
        kit_step(cut, dt);
        kit_step(whole, dt);
        most = cut->slices.count > most ? cut->slices.count : most;
        assert_true(whole->slices.count <= 1);
        const graze_contact_list a = graze_world_contacts(cut), b = graze_world_contacts(whole);
        if (a.count != b.count) {
            fail_msg("seed %u, speed %g, step %d: %u contacts, not %u", (unsigned)seed,
                     (double)speed, frame, (unsigned)a.count, (unsigned)b.count);
        }
        if (a.count) {
            assert_memory_equal(a.data, b.data, a.count * sizeof *a.data);
        }
        if (graze_world_hash(cut) != graze_world_hash(whole)) {
            fail_msg("seed %u, speed %g, step %d, in %u slices", (unsigned)seed, (double)speed,
                     frame, (unsigned)cut->slices.count);
        }
    }
    graze_world_destroy(cut);
    graze_world_destroy(whole);
    return most;
}

static void slices_change_no_result(void **state)
{
    (void)state;
    static const float speeds[] = {30, 100, 300, 1000};
    uint32_t most = 0;
    for (size_t k = 0; k < sizeof speeds / sizeof *speeds; ++k) {
        for (uint64_t seed = 0; seed < SEEDS; ++seed) {
            const uint32_t count = compare(seed, speeds[k]);
            most = count > most ? count : most;
        }
    }
    assert_true(most > 4); // Or the test shows nothing.
}

static double count_candidates(float speed)
{
    enum { SIDE_COUNT = 30 };
    graze_world *world = kit_world();
    random_state random = random_seed(1);
    kit_square(world, 0, 2 * SIDE_COUNT);
    for (int i = 0; i < SIDE_COUNT * SIDE_COUNT; ++i) {
        graze_body_def def =
            kit_circle((float)(2 * (i % SIDE_COUNT) + 1), (float)(2 * (i / SIDE_COUNT) + 1), 0.5f);
        def = kit_moving(def, random_float(&random, -speed, speed),
                         random_float(&random, -speed, speed), GRAZE_BOUNCE);
        def.restitution = 1;
        kit_add(world, def);
    }
    kit_step(world, dt);
    const double count = (double)graze_world_get_stats(world).pair_count;
    graze_world_destroy(world);
    return count;
}

// Without slices four times the speed makes sixteen times as many.
static void pairs_grow_with_the_speed_and_not_with_its_square(void **state)
{
    (void)state;
    const double slow = count_candidates(250), fast = count_candidates(1000);
    if (!(fast < 6 * slow)) {
        fail_msg("%g pairs at 250 units/s, %g at 1000", slow, fast);
    }
}

// What is out of each other's reach is not compared: a rect that an impact has turned reaches
// farther than it did.
static void shortcuts_miss_nothing_in_a_crowd(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 10 * SEEDS; ++seed) {
        graze_world *fast = make_world_of(seed, 100, true);
        graze_world *slow = make_world_of(seed, 100, true);
        fast->slices.never = true;
        slow->no_shortcuts = true;
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
        assert_true(world->slices.count > 1);
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
        cmocka_unit_test(slices_change_no_result),
        cmocka_unit_test(pairs_grow_with_the_speed_and_not_with_its_square),
        cmocka_unit_test(shortcuts_miss_nothing_in_a_crowd),
        cmocka_unit_test(queries_find_what_is_fast),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
