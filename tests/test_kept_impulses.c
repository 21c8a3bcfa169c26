// What the constraints of heaps keep from step to step, and what it is good for: heaps with
// friction come to rest, and sleep.

#include "support/failing_allocator.h"
#include "world_kit.h"

#include "pile/kept_impulses.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DT 0.015625f

enum { SIDE = 20, BODIES = SIDE * SIDE };

static graze_world *make_box(float half, const graze_allocator *allocator)
{
    graze_world_def def = graze_world_def_default();
    def.gravity.y = -10;
    def.allocator = allocator ? *allocator : def.allocator;
    graze_world *world = graze_world_create(&def);
    assert_non_null(world);
    kit_wall(world, -half, 4 * half, -half, 0);
    kit_wall(world, -half, 0, half, 0);
    kit_wall(world, half, 0, half, 4 * half);
    return world;
}

// Columns of circles, or of circles and crates in turn, that fall a little. Shifted, they lean.
static graze_world *drop_columns(bool has_crates, float shift, uint64_t seed)
{
    random_state random = random_seed(seed);
    graze_world *world = make_box(0.6f * SIDE + 1, NULL);
    for (int k = 0; k < BODIES; ++k) {
        const float x = 1.2f * ((float)(k % SIDE) + 0.5f - SIDE / 2.0f);
        const float y = 1.1f * (float)(k / SIDE) + 0.6f;
        const bool is_crate = has_crates && (k + k / SIDE) % 2;
        graze_body_def def = is_crate ? kit_rect(x, y, 0.5f, 0.4f) : kit_circle(x, y, 0.5f);
        def.position.x += random_float(&random, -shift, shift);
        def.response = GRAZE_SLIDE;
        def.friction = 0.5f;
        kit_add(world, def);
    }
    return world;
}

static void run(graze_world *world, int steps)
{
    for (int k = 0; k < steps; ++k) {
        kit_step(world, DT);
    }
}

// --- Rest ---

// To the last bit: the energy of all would otherwise never be 0, and they could not sleep.
static void assert_sleep(graze_world *world, int steps)
{
    run(world, steps);
    assert_int_equal(world->active_count, 0);
    for (uint32_t k = 0; k < world->body_count; ++k) {
        const graze_vec2 velocity = graze_body_velocity(world, graze_world_body_at(world, k));
        if (hypotf(velocity.x, velocity.y) > 1e-6f) {
            fail_msg("body %u has a velocity of (%g, %g)", (unsigned)k, (double)velocity.x,
                     (double)velocity.y);
        }
    }
}

// The height of a column's top says whether it still stands.
static void assert_stand(const graze_world *world, float size)
{
    for (uint32_t k = 0; k < SIDE; ++k) {
        const graze_body_id top = graze_world_body_at(world, BODIES - SIDE + k);
        kit_assert_near(graze_body_position(world, top).y, size * (SIDE - 0.5f), 0.05f);
    }
}

static void columns_that_friction_holds_come_to_rest(void **state)
{
    (void)state;
    graze_world *world = drop_columns(false, 0.04f, 1);
    assert_sleep(world, 700);
    assert_stand(world, 1);
    graze_world_destroy(world);
}

static void a_heap_of_crates_and_circles_comes_to_rest(void **state)
{
    (void)state;
    graze_world *world = drop_columns(true, 0.04f, 2);
    assert_sleep(world, 700);
    graze_world_destroy(world);
}

// Circles and crates of all sizes, fallen on each other.
static void an_untidy_heap_comes_to_rest(void **state)
{
    (void)state;
    random_state random = random_seed(11);
    graze_world *world = make_box(8, NULL);
    for (int k = 0; k < 200; ++k) {
        const float x = random_float(&random, -7, 7);
        const float half_x = random_float(&random, 0.25f, 0.6f);
        const float half_y = random_float(&random, 0.25f, 0.5f);
        const float angle = random_float(&random, -1.5f, 1.5f);
        const float y = 1 + 0.5f * (float)k;
        graze_body_def def = k % 2 ? kit_rect(x, y, half_x, half_y) : kit_circle(x, y, half_x);
        def.angle = k % 2 ? angle : 0;
        def.response = GRAZE_SLIDE;
        def.friction = 0.5f;
        kit_add(world, def);
    }
    assert_sleep(world, 3000);
    graze_world_destroy(world);
}

// Upright, it needs to keep nothing: it rests within a second.
static void an_upright_pyramid_comes_to_rest(void **state)
{
    enum { ROWS = 30 };
    (void)state;
    graze_world *world = make_box(2 * ROWS, NULL);
    for (int row = 0; row < ROWS; ++row) {
        for (int k = 0; k < ROWS - row; ++k) {
            const float x = 1.05f * ((float)k + (float)row / 2 - ROWS / 2);
            graze_body_def def = kit_rect(x, 0.5f + 1.02f * (float)row, 0.5f, 0.5f);
            def.response = GRAZE_SLIDE;
            def.friction = 0.5f;
            kit_add(world, def);
        }
    }
    assert_sleep(world, 64);
    assert_int_equal(grz_kept_count(world), 0);
    graze_world_destroy(world);
}

// Without what it has kept, a heap that wakes would have to find out again what its lowest bodies
// bear, and slip meanwhile. (Another dt wakes all.)
static void a_heap_that_wakes_stays_where_it_is(void **state)
{
    (void)state;
    graze_vec2 before[BODIES];
    graze_world *world = drop_columns(false, 0.04f, 3);
    assert_sleep(world, 700);
    for (uint32_t k = 0; k < BODIES; ++k) {
        before[k] = graze_body_position(world, graze_world_body_at(world, k));
    }
    for (int step = 0; step < 200; ++step) {
        kit_step(world, step % 2 ? DT : DT / 2);
        assert_int_equal(world->active_count, BODIES);
    }
    for (uint32_t k = 0; k < BODIES; ++k) {
        const graze_vec2 now = graze_body_position(world, graze_world_body_at(world, k));
        kit_assert_near_vec2(now, before[k].x, before[k].y, 1e-4f);
    }
    graze_world_destroy(world);
}

// --- What is kept ---

enum { MAX_SPAN = 16 };

/// Of all bodies, by index.
typedef struct record {
    grz_kept_impulse kept[BODIES][MAX_SPAN];
    uint32_t counts[BODIES];
    graze_vec2 positions[BODIES], velocities[BODIES];
    bool still[BODIES];
} record;

static void take_record(const graze_world *world, record *now)
{
    for (uint32_t index = 0; index < BODIES; ++index) {
        const graze_body_id body = graze_world_body_at(world, index);
        const grz_kept_span span = grz_kept_of(world, index);
        assert_true(body.index == index && span.count <= MAX_SPAN);
        now->counts[index] = span.count;
        for (uint32_t k = 0; k < span.count; ++k) {
            now->kept[index][k] = span.data[k];
        }
        now->positions[index] = graze_body_position(world, body);
        now->velocities[index] = graze_body_velocity(world, body);
        now->still[index] = world->row_of_index.data[index] >= world->active_count;
    }
}

static uint32_t index_of(const graze_world *world, uint32_t body)
{
    return world->motions.data[world->piles.bodies.data[body].motion].index;
}

// A step without piles leaves those of an earlier one.
static uint32_t count_constraints(const graze_world *world)
{
    return world->motions.count && world->piles.bodies.count ? world->piles.order.count : 0;
}

static void spread(const graze_world *world, bool marks[BODIES])
{
    const grz_piles *piles = &world->piles;
    for (bool changes = true; changes;) {
        changes = false;
        for (uint32_t k = 0; k < count_constraints(world); ++k) {
            const grz_constraint *constraint = &piles->constraints.data[piles->order.data[k]];
            if (constraint->kind == GRZ_CONSTRAINT_BODY) {
                bool *upper = &marks[index_of(world, constraint->upper)];
                bool *lower = &marks[index_of(world, constraint->lower)];
                changes = changes || *upper != *lower;
                *upper = *lower = *upper || *lower;
            }
        }
    }
}

// Which bodies have a slanted constraint (gravity is along y), or lie with one that has.
static void find_leaning(const graze_world *world, bool leans[BODIES])
{
    const grz_piles *piles = &world->piles;
    memset(leans, 0, BODIES * sizeof *leans);
    for (uint32_t k = 0; k < count_constraints(world); ++k) {
        const grz_constraint *constraint = &piles->constraints.data[piles->order.data[k]];
        if (fabs(constraint->normal.x) > 1e-9 && fabs(constraint->normal.y) > 1e-9) {
            leans[index_of(world, constraint->upper)] = true;
        }
    }
    spread(world, leans);
}

// Which bodies of piles moved, or lie with one that did.
static void find_moved(const graze_world *world, const record *before, const record *after,
                       bool moved[BODIES])
{
    for (uint32_t index = 0; index < BODIES; ++index) {
        moved[index] =
            memcmp(&before->positions[index], &after->positions[index], sizeof(graze_vec2)) != 0 ||
            memcmp(&before->velocities[index], &after->velocities[index], sizeof(graze_vec2)) != 0;
    }
    spread(world, moved);
}

static bool is_about(float kept, double impulse)
{
    return fabs((double)kept - impulse / (double)DT) <= fabs(impulse / (double)DT) * 0x1p-24;
}

static grz_kept_impulse identify(const graze_world *world, const grz_constraint *constraint)
{
    const bool is_body = constraint->kind == GRZ_CONSTRAINT_BODY;
    const uint64_t id = is_body ? index_of(world, constraint->lower) : constraint->id;
    const grz_kept_impulse own = {.upper = index_of(world, constraint->upper),
                                  .kind = (uint32_t)constraint->kind,
                                  .chain = (uint32_t)(id >> 32),
                                  .other = (uint32_t)id};
    return own;
}

static const grz_kept_impulse *find_last(const record *before, const grz_kept_impulse *own)
{
    for (uint32_t k = 0; k < before->counts[own->upper]; ++k) {
        if (memcmp(&before->kept[own->upper][k], own, offsetof(grz_kept_impulse, normal)) == 0) {
            return &before->kept[own->upper][k];
        }
    }
    return NULL;
}

// What the constraint had kept before; of two bodies the lower one may have been the upper.
static const grz_kept_impulse *find_before(const record *before, const grz_kept_impulse *own)
{
    const grz_kept_impulse flipped = {.upper = own->other, .kind = own->kind, .other = own->upper};
    const grz_kept_impulse *found = find_last(before, own);
    return found || own->kind != GRZ_CONSTRAINT_BODY ? found : find_last(before, &flipped);
}

static void assert_keeps(const record *after, const grz_kept_impulse *own, bool moved,
                         const grz_constraint *constraint, const grz_kept_impulse *before)
{
    const grz_kept_impulse *kept = find_last(after, own);
    if (moved) {
        assert_non_null(kept);
        assert_true(is_about(kept->normal, constraint->impulse));
        assert_true(is_about(kept->tangent, constraint->tangent_impulse));
    } else {
        assert_int_equal(kept != NULL, before != NULL);
        assert_true(!kept || (kept->normal == before->normal && kept->tangent == before->tangent));
    }
}

// Leaning piles that moved keep what their constraints with friction had at the end, those that did
// not what they kept before; bodies that are still, too.
static void assert_all_keep(const graze_world *world, const record *before, const record *after)
{
    const grz_piles *piles = &world->piles;
    uint32_t counts[BODIES] = {0};
    bool moved[BODIES], leans[BODIES];
    find_leaning(world, leans);
    find_moved(world, before, after, moved);
    for (uint32_t k = 0; k < count_constraints(world); ++k) {
        const grz_constraint *constraint = &piles->constraints.data[piles->order.data[k]];
        const grz_kept_impulse own = identify(world, constraint);
        const grz_kept_impulse *last = find_before(before, &own);
        if (constraint->friction > 0 && leans[own.upper]) {
            assert_keeps(after, &own, moved[own.upper], constraint, last);
            counts[own.upper] += moved[own.upper] || last;
        }
    }
    for (uint32_t index = 0; index < BODIES; ++index) {
        if (!before->still[index]) {
            assert_int_equal(after->counts[index], counts[index]);
        } else if (after->still[index]) {
            assert_int_equal(after->counts[index], before->counts[index]);
            assert_memory_equal(after->kept[index], before->kept[index],
                                before->counts[index] * sizeof(grz_kept_impulse));
        }
    }
}

static void what_constraints_had_is_kept(void **state)
{
    (void)state;
    static record records[2];
    uint32_t still = 0;
    graze_world *world = drop_columns(false, 0.04f, 4);
    random_state random = random_seed(5);
    take_record(world, &records[1]);
    for (int step = 0; step < 2000; ++step) {
        if (step % 500 == 499) { // It falls on those that sleep.
            const uint32_t which = random_below(&random, BODIES);
            const graze_vec2 above = {(float)which / 50, 30};
            graze_body_set_position(world, graze_world_body_at(world, which), above);
            take_record(world, &records[(step + 1) % 2]);
        }
        kit_step(world, DT);
        take_record(world, &records[step % 2]);
        assert_all_keep(world, &records[(step + 1) % 2], &records[step % 2]);
        still += world->active_count == 0;
    }
    assert_true(still > 100);
    graze_world_destroy(world);
}

// It is saved as the same bytes wherever the impulses lie in memory; and what `other` has kept
// since the last time is gone.
static void assert_loads(const graze_world *world, graze_world *other)
{
    size_t size;
    void *bytes = kit_save(world, &size);
    kit_load(other, bytes, size);
    kit_assert_saves(other, bytes, size);
    assert_true(graze_world_hash(other) == graze_world_hash(world));
    assert_int_equal(grz_kept_count(other), grz_kept_count(world));
    free(bytes);
}

// A pile that is loaded goes on as the one that was saved, asleep or not.
static void snapshots_have_it(void **state)
{
    (void)state;
    graze_world *world = drop_columns(false, 0.1f, 6);
    graze_world *other = make_box(1, NULL);
    uint32_t kept = 0;
    for (int round = 0; round < 12; ++round) {
        run(world, 60);
        assert_loads(world, other);
        kept += grz_kept_count(world);
        for (int k = 0; k < 20; ++k) {
            kit_step(world, DT);
            kit_step(other, DT);
            assert_null(kit_find_difference(world, other));
        }
    }
    assert_true(kept > 12 * BODIES / 2);
    graze_world_destroy(world);
    graze_world_destroy(other);
}

static void the_hash_covers_it(void **state)
{
    (void)state;
    graze_world *world = drop_columns(false, 0.1f, 7);
    run(world, 60);
    const uint64_t before = graze_world_hash(world);
    grz_kept_impulse *kept = &world->kept_impulses.list.data[world->kept_impulses.list.count - 1];
    const grz_kept_impulse old = *kept;
    kept->normal += 1;
    assert_true(graze_world_hash(world) != before);
    *kept = old;
    kept->tangent += 1;
    assert_true(graze_world_hash(world) != before);
    *kept = old;
    assert_true(graze_world_hash(world) == before);
    graze_world_destroy(world);
}

// Neither in the same moment, nor after a step, nor in a snapshot.
static void a_new_body_gets_nothing_from_one_with_its_index(void **state)
{
    (void)state;
    graze_world *world = drop_columns(false, 0.04f, 8);
    run(world, 700);
    for (uint32_t k = 0; k < 10; ++k) {
        const graze_body_id body = graze_world_body_at(world, BODIES / 2 + k);
        const graze_vec2 position = graze_body_position(world, body);
        graze_body_def def = kit_circle(position.x, position.y, 0.5f);
        const uint32_t count = grz_kept_count(world);
        const uint32_t own = grz_kept_of(world, body.index).count;
        assert_true(own > 0);
        graze_body_destroy(world, body);
        assert_int_equal(grz_kept_count(world), count - own);
        assert_int_equal(kit_add(world, def).index, body.index);
        assert_int_equal(grz_kept_of(world, body.index).count, 0);
        assert_int_equal(grz_kept_count(world), count - own);
        run(world, 1);
        assert_int_equal(grz_kept_of(world, body.index).count, 0);
        assert_loads(world, world);
    }
    graze_world_destroy(world);
}

static bool is_in_world(const graze_world *world, uint32_t index)
{
    return world->row_of_index.data[index] < GRZ_NONE;
}

// Fails unless all that is kept is of bodies in the world.
static void assert_kept_in_world(const graze_world *world)
{
    uint32_t count = 0;
    for (uint32_t index = 0; index < world->bodies.count; ++index) {
        const uint32_t own = grz_kept_of(world, index).count;
        assert_true(own == 0 || is_in_world(world, index));
        count += own;
    }
    assert_int_equal(grz_kept_count(world), count);
}

static graze_world *drop_again(void)
{
    return drop_columns(false, 0.04f, 12);
}

// Returns how many steps it takes until the first of them sleep.
static int count_steps_to_rest(void)
{
    graze_world *world = drop_again();
    int steps = 0;
    for (; world->active_count == BODIES; ++steps) {
        kit_step(world, DT);
    }
    graze_world_destroy(world);
    return steps;
}

// Not even if others come to rest in that step.
static void a_body_that_a_step_removes_keeps_nothing(void **state)
{
    (void)state;
    const int steps = count_steps_to_rest();
    uint32_t at_rest = 0;
    graze_world *other = make_box(1, NULL);
    for (uint32_t k = BODIES - SIDE; k < BODIES; ++k) {
        graze_world *world = drop_again();
        run(world, steps - 1);
        const graze_body_id body = graze_world_body_at(world, k);
        const bool had_some = grz_kept_of(world, body.index).count > 0;
        graze_body_set_lifetime(world, body, DT);
        kit_step(world, DT);
        assert_int_equal(world->body_count, BODIES - 1);
        assert_kept_in_world(world);
        assert_loads(world, other);
        at_rest += had_some && world->active_count < world->body_count;
        graze_world_destroy(world);
    }
    assert_true(at_rest > 0);
    graze_world_destroy(other);
}

// Three circles, each leaning on the one below: they touch after a few steps.
static graze_world *drop_three(failing_allocator *memory)
{
    const graze_allocator allocator = failing_allocator_interface(memory);
    graze_world *world = make_box(5, &allocator);
    for (int k = 0; k < 3; ++k) {
        graze_body_def def = kit_circle(0.125f * (float)k, 0.501f + (float)k, 0.5f);
        def.response = GRAZE_SLIDE;
        def.friction = 0.5f;
        kit_add(world, def);
    }
    return world;
}

static void a_step_without_memory_keeps_what_was_kept(void **state)
{
    (void)state;
    size_t failures = 0;
    uint32_t kept = 0;
    for (size_t n = 1;; ++n) {
        failing_allocator memory = {0}, other_memory = {0};
        graze_world *world = drop_three(&memory);
        graze_world *other = drop_three(&other_memory);
        failing_allocator_arm(&memory, n);
        for (int step = 0; step < 8; ++step) {
            const uint64_t before = graze_world_hash(world);
            if (graze_world_step(world, DT) == GRAZE_ERROR_OUT_OF_MEMORY) {
                assert_true(graze_world_hash(world) == before);
                ++failures;
                kit_step(world, DT);
            }
            kit_step(other, DT);
            assert_true(graze_world_hash(world) == graze_world_hash(other));
        }
        kept = grz_kept_count(world);
        const bool failed = failing_allocator_disarm(&memory);
        graze_world_destroy(world);
        graze_world_destroy(other);
        failing_allocator_assert_empty(&memory);
        failing_allocator_assert_empty(&other_memory);
        if (!failed) {
            break;
        }
    }
    assert_int_equal(kept, 3);
    assert_true(failures > 10);
}

// A heap may rest under any gravity: the grid to which impulses are rounded goes with it.
static void heaps_rest_under_any_gravity(void **state)
{
    static const float pulls[] = {1e-3f, 0.5f, 3000};
    (void)state;
    for (size_t i = 0; i < sizeof pulls / sizeof *pulls; ++i) {
        graze_world *world = drop_columns(false, 0.04f, 9);
        world->gravity.y = -pulls[i];
        const float dt = DT * sqrtf(10 / pulls[i]); // The same motion, at another speed.
        for (int step = 0; step < 2000; ++step) {
            kit_step(world, dt);
        }
        assert_int_equal(world->active_count, 0);
        graze_world_destroy(world);
    }
}

// Without gravity nothing is kept. (No game can change it but by loading a snapshot.)
static void crowds_keep_nothing(void **state)
{
    (void)state;
    graze_world *world = drop_columns(false, 0.1f, 10);
    run(world, 60);
    assert_true(grz_kept_count(world) > 0);
    world->gravity.y = 0;
    kit_step(world, DT);
    assert_int_equal(grz_kept_count(world), 0);
    graze_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_that_friction_holds_come_to_rest),
        cmocka_unit_test(a_heap_of_crates_and_circles_comes_to_rest),
        cmocka_unit_test(an_untidy_heap_comes_to_rest),
        cmocka_unit_test(an_upright_pyramid_comes_to_rest),
        cmocka_unit_test(a_heap_that_wakes_stays_where_it_is),
        cmocka_unit_test(what_constraints_had_is_kept),
        cmocka_unit_test(snapshots_have_it),
        cmocka_unit_test(the_hash_covers_it),
        cmocka_unit_test(a_new_body_gets_nothing_from_one_with_its_index),
        cmocka_unit_test(a_body_that_a_step_removes_keeps_nothing),
        cmocka_unit_test(a_step_without_memory_keeps_what_was_kept),
        cmocka_unit_test(heaps_rest_under_any_gravity),
        cmocka_unit_test(crowds_keep_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
