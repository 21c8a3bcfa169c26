#include "failing_allocator.h"
#include "record_kit.h"
#include "world_kit.h"

#include "world/world_state.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The surfaces of bodies, chains and single segments.

static const graze_surface ice = {0.05f, 0.25f, 0, 0}, belt = {2, 0, 0.125f, -3};
static const graze_surface plain = {0, 0, 0, 0};
static const graze_vec2 points[4] = {{0, 0}, {1, 0}, {2, 0}, {3, 1}};

static bool is_same(graze_surface first, graze_surface second)
{
    return memcmp(&first, &second, sizeof first) == 0;
}

// --- Of bodies ---

static void friction_and_restitution_are_those_of_the_surface(void **state)
{
    (void)state;
    graze_body_def def = graze_body_def_default();
    def.surface = belt;
    assert_true(def.friction == 2 && def.restitution == 0);
    def.friction = 0.5f;
    def.restitution = 0.75f;
    assert_true(def.surface.friction == 0.5f && def.surface.restitution == 0.75f);
    assert_true(def.surface.rolling_resistance == 0.125f && def.surface.speed == -3);
    const graze_surface usual = {0.6f, 0, 0, 0};
    assert_true(is_same(graze_surface_default(), usual));
}

static void a_surface_that_is_set_is_read(void **state)
{
    (void)state;
    graze_world *world = kit_world();
    graze_body_def def = kit_circle(0, 0, 1);
    def.surface = belt;
    const graze_body_id body = kit_add(world, def);
    assert_true(is_same(graze_body_surface(world, body), belt));
    assert_true(graze_body_friction(world, body) == 2);
    assert_int_equal(graze_body_set_surface(world, body, ice), GRAZE_OK);
    assert_true(is_same(graze_body_surface(world, body), ice));
    assert_int_equal(graze_body_set_friction(world, body, 7), GRAZE_OK);
    assert_true(graze_body_surface(world, body).friction == 7);
    assert_true(graze_body_surface(world, body).restitution == 0.25f);
    assert_int_equal(graze_body_destroy(world, body), GRAZE_OK);
    assert_true(is_same(graze_body_surface(world, body), plain));
    graze_world_destroy(world);
}

static void a_bad_surface_is_refused_by_its_number(void **state)
{
    (void)state;
    const struct {
        graze_surface surface;
        const char *words;
    } cases[] = {
        {{-1, 0, 0, 0}, "surface.friction is -1; it must be finite and at least 0"},
        {{INFINITY, 0, 0, 0}, "surface.friction is inf"},
        {{0, 1.5f, 0, 0}, "surface.restitution is 1.5; it must be 0 to 1"},
        {{0, 0, NAN, 0}, "surface.rolling_resistance is nan; it must be finite and at least 0"},
        {{0, 0, 0, -INFINITY}, "surface.speed is -inf; it must be finite"},
    };
    kit_log log;
    graze_world *world = kit_world_logging(&log);
    const graze_body_id body = kit_add(world, kit_circle(0, 0, 1));
    const graze_chain_id wall = kit_wall(world, 0, 0, 1, 0);
    const uint64_t hash = graze_world_hash(world);
    for (uint32_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        assert_int_equal(graze_body_set_surface(world, body, cases[i].surface),
                         GRAZE_ERROR_ARGUMENT);
        kit_assert_logged(&log, GRAZE_ERROR_ARGUMENT, cases[i].words);
        assert_int_equal(graze_chain_set_surface(world, wall, GRAZE_ALL_SEGMENTS, cases[i].surface),
                         GRAZE_ERROR_ARGUMENT);
        kit_assert_logged(&log, GRAZE_ERROR_ARGUMENT, cases[i].words);
        graze_chain_def def = graze_chain_def_default();
        def.points = points;
        def.count = 4;
        graze_surface surfaces[3] = {ice, belt, cases[i].surface};
        def.surface = cases[i].surface;
        assert_int_equal(graze_chain_create(world, &def).generation, 0);
        kit_assert_logged(&log, GRAZE_ERROR_ARGUMENT, cases[i].words);
        def.surface = ice;
        def.surfaces = surfaces;
        assert_int_equal(graze_chain_create(world, &def).generation, 0);
        kit_assert_logged(&log, GRAZE_ERROR_ARGUMENT, "graze_chain_create: surfaces[2].");
        assert_true(graze_world_hash(world) == hash);
    }
    graze_world_destroy(world);
}

// --- Of chains ---

static graze_chain_id add_chain(graze_world *world, const graze_surface *surfaces, bool loop)
{
    graze_chain_def def = graze_chain_def_default();
    def.points = points;
    def.count = 4;
    def.loop = loop;
    def.surface = ice;
    def.surfaces = surfaces;
    return graze_chain_create(world, &def);
}

static void segments_have_the_surface_of_the_chain_or_their_own(void **state)
{
    (void)state;
    graze_world *world = kit_world();
    graze_surface own[4] = {plain, belt, ice, belt};
    const graze_chain_id common = add_chain(world, NULL, false);
    const graze_chain_id single = add_chain(world, own, true);
    own[1] = plain;
    for (uint32_t i = 0; i < 3; ++i) {
        assert_true(is_same(graze_chain_surface(world, common, i), ice));
    }
    assert_true(is_same(graze_chain_surface(world, common, 3), plain)); // There is none.
    assert_true(is_same(graze_chain_surface(world, single, 1), belt));
    assert_true(is_same(graze_chain_surface(world, single, 3), belt));
    assert_true(is_same(graze_chain_surface(world, single, 4), plain));
    assert_true(is_same(graze_chain_get_def(world, common).surface, ice));
    assert_null(graze_chain_get_def(world, common).surfaces);
    assert_true(is_same(graze_chain_get_def(world, single).surfaces[2], ice));
    assert_int_equal(graze_chain_destroy(world, single), GRAZE_OK);
    assert_true(is_same(graze_chain_surface(world, single, 1), plain));
    assert_int_equal(world->terrain.surface_count, 0);
    graze_world_destroy(world);
}

static void the_surface_of_a_segment_or_of_all_can_be_set(void **state)
{
    (void)state;
    graze_world *world = kit_world();
    const graze_chain_id chain = add_chain(world, NULL, false);
    const uint64_t common = graze_world_hash(world);
    assert_int_equal(graze_chain_set_surface(world, chain, 1, ice), GRAZE_OK);
    assert_true(graze_world_hash(world) == common && world->terrain.surface_count == 0);
    assert_int_equal(graze_chain_set_surface(world, chain, 1, belt), GRAZE_OK);
    assert_true(is_same(graze_chain_surface(world, chain, 0), ice));
    assert_true(is_same(graze_chain_surface(world, chain, 1), belt));
    assert_true(is_same(graze_chain_surface(world, chain, 2), ice));
    assert_true(graze_world_hash(world) != common && world->terrain.surface_count == 3);
    assert_int_equal(graze_chain_set_surface(world, chain, GRAZE_ALL_SEGMENTS, belt), GRAZE_OK);
    for (uint32_t i = 0; i < 3; ++i) {
        assert_true(is_same(graze_chain_surface(world, chain, i), belt));
    }
    assert_true(world->terrain.surface_count == 0);
    assert_int_equal(graze_chain_set_surface(world, chain, GRAZE_ALL_SEGMENTS, ice), GRAZE_OK);
    assert_true(graze_world_hash(world) == common);
    graze_world_destroy(world);
}

static void what_cannot_be_set_is_refused(void **state)
{
    (void)state;
    kit_log log;
    graze_world *world = kit_world_logging(&log);
    const graze_chain_id chain = add_chain(world, NULL, false);
    assert_int_equal(graze_chain_set_surface(world, chain, 3, belt), GRAZE_ERROR_ARGUMENT);
    kit_assert_logged(&log, GRAZE_ERROR_ARGUMENT,
                      "graze_chain_set_surface: segment is 3; the chain has 3");
    assert_int_equal(graze_chain_destroy(world, chain), GRAZE_OK);
    assert_int_equal(graze_chain_set_surface(world, chain, 0, belt), GRAZE_ERROR_STALE_ID);
    kit_assert_logged(&log, GRAZE_ERROR_STALE_ID, "graze_chain_set_surface: chain {0, 1}");
    graze_world_destroy(world);
}

static void without_memory_no_surface_changes(void **state)
{
    (void)state;
    failing_allocator memory = {0};
    graze_world_def def = graze_world_def_default();
    def.allocator = failing_allocator_interface(&memory);
    graze_world *world = graze_world_create(&def);
    const graze_chain_id chain = add_chain(world, NULL, false);
    const uint64_t hash = graze_world_hash(world);
    for (size_t n = 1;; ++n) {
        failing_allocator_arm(&memory, n);
        const graze_status status = graze_chain_set_surface(world, chain, 1, belt);
        if (!failing_allocator_disarm(&memory)) {
            assert_int_equal(status, GRAZE_OK);
            assert_true(n > 1);
            break;
        }
        assert_int_equal(status, GRAZE_ERROR_OUT_OF_MEMORY);
        assert_true(graze_world_hash(world) == hash);
    }
    const graze_surface own[4] = {plain, belt, ice, belt};
    const uint64_t before = graze_world_hash(world);
    for (size_t n = 1;; ++n) {
        failing_allocator_arm(&memory, n);
        const graze_chain_id added = add_chain(world, own, true);
        if (!failing_allocator_disarm(&memory)) {
            assert_true(added.generation != 0);
            break;
        }
        assert_int_equal(added.generation, 0);
        assert_true(graze_world_hash(world) == before);
    }
    graze_world_destroy(world);
    failing_allocator_assert_empty(&memory);
}

// The points stay where they are, so that only the surfaces are loaded; and the other way round.
static void snapshots_bring_the_surfaces_of_their_chains(void **state)
{
    (void)state;
    const graze_surface own[4] = {plain, belt, ice, belt};
    graze_world *worlds[4] = {kit_world(), kit_world(), kit_world(), kit_world()};
    add_chain(worlds[0], NULL, true);
    add_chain(worlds[1], own, true);
    kit_wall(worlds[2], 5, 5, 6, 6);
    add_chain(worlds[2], own, false);
    kit_wall(worlds[3], 5, 5, 6, 6);
    for (uint32_t from = 0; from < 4; ++from) {
        for (uint32_t to = 0; to < 4; ++to) {
            size_t size, size_before;
            void *bytes = kit_save(worlds[from], &size);
            void *before = kit_save(worlds[to], &size_before);
            kit_load(worlds[to], bytes, size);
            kit_assert_saves(worlds[to], bytes, size);
            assert_true(graze_world_hash(worlds[to]) == graze_world_hash(worlds[from]));
            assert_int_equal(worlds[to]->terrain.surface_count,
                             worlds[from]->terrain.surface_count);
            kit_load(worlds[to], before, size_before);
            kit_assert_saves(worlds[to], before, size_before);
            free(bytes);
            free(before);
        }
    }
    for (uint32_t i = 0; i < 4; ++i) {
        graze_world_destroy(worlds[i]);
    }
}

static void loading_without_memory_changes_no_surface(void **state)
{
    (void)state;
    const graze_surface own[4] = {plain, belt, ice, belt};
    graze_world *saved = kit_world();
    add_chain(saved, own, true);
    size_t size;
    void *bytes = kit_save(saved, &size);
    failing_allocator memory = {0};
    graze_world_def def = graze_world_def_default();
    def.allocator = failing_allocator_interface(&memory);
    graze_world *world = graze_world_create(&def);
    add_chain(world, NULL, true);
    const uint64_t hash = graze_world_hash(world);
    for (size_t n = 1;; ++n) {
        failing_allocator_arm(&memory, n);
        const graze_status status = graze_world_load(world, bytes, size);
        if (!failing_allocator_disarm(&memory)) {
            assert_int_equal(status, GRAZE_OK);
            break;
        }
        assert_int_equal(status, GRAZE_ERROR_OUT_OF_MEMORY);
        assert_true(graze_world_hash(world) == hash);
    }
    kit_assert_saves(world, bytes, size);
    graze_world_destroy(world);
    failing_allocator_assert_empty(&memory);
    graze_world_destroy(saved);
    free(bytes);
}

// --- Substeps ---

static void substeps_have_a_range(void **state)
{
    (void)state;
    kit_log log = {.count = 0};
    graze_world_def def = graze_world_def_default();
    def.log = kit_write_log;
    def.log_user = &log;
    def.substeps = 0;
    assert_null(graze_world_create(&def));
    kit_assert_logged(&log, GRAZE_ERROR_ARGUMENT, "graze_world_create: substeps is 0|1 to 64");
    def.substeps = 65;
    assert_null(graze_world_create(&def));
    kit_assert_logged(&log, GRAZE_ERROR_ARGUMENT, "graze_world_create: substeps is 65|1 to 64");
    def.substeps = 64;
    graze_world *world = graze_world_create(&def);
    assert_int_equal(graze_world_substeps(world), 64);
    assert_int_equal(graze_world_set_substeps(world, 1), GRAZE_OK);
    assert_int_equal(graze_world_substeps(world), 1);
    assert_int_equal(graze_world_set_substeps(world, 0), GRAZE_ERROR_ARGUMENT);
    kit_assert_logged(&log, GRAZE_ERROR_ARGUMENT, "graze_world_set_substeps: substeps is 0");
    assert_int_equal(graze_world_set_substeps(world, 65), GRAZE_ERROR_ARGUMENT);
    kit_assert_logged(&log, GRAZE_ERROR_ARGUMENT, "graze_world_set_substeps: substeps is 65");
    assert_int_equal(graze_world_substeps(world), 1);
    graze_world_destroy(world);
}

// --- Records ---

static void a_record_repeats_every_change(void **state)
{
    (void)state;
    const graze_surface own[4] = {plain, belt, ice, belt};
    kit_record record = {0};
    graze_record_def def = graze_record_def_default();
    def.write = kit_record_write;
    def.write_user = &record;
    graze_world *world = kit_world();
    assert_int_equal(graze_record_start(world, &def), GRAZE_OK);
    graze_body_def body_def = kit_rect(0, 0, 1, 2);
    body_def.response = GRAZE_RIGID;
    body_def.surface = belt;
    body_def.inertia = 3;
    body_def.damping = body_def.spin_damping = 0.5f;
    body_def.gravity_scale = 2;
    body_def.never_sleeps = true;
    const graze_body_id body = kit_add(world, body_def);
    const graze_chain_id chain = add_chain(world, own, true);
    kit_step(world, 1);
    graze_chain_set_surface(world, chain, 0, ice);
    graze_body_set_surface(world, body, ice);
    graze_body_set_inertia(world, body, 1);
    graze_body_set_damping(world, body, 2);
    graze_body_set_spin_damping(world, body, 3);
    graze_body_set_gravity_scale(world, body, 4);
    graze_body_set_never_sleeps(world, body, false);
    graze_world_set_substeps(world, 9);
    kit_step(world, 1);
    const uint64_t hash = graze_world_hash(world);
    assert_int_equal(graze_record_stop(world), GRAZE_OK);
    graze_replay *replay = kit_replay(&record);
    kit_replay_to_end(replay, 2, hash);
    const graze_world *again = graze_replay_world(replay);
    assert_true(graze_world_hash(again) == hash);
    assert_true(is_same(graze_chain_surface(again, chain, 0), ice));
    assert_true(is_same(graze_chain_surface(again, chain, 1), belt));
    assert_int_equal(graze_world_substeps(again), 9);
    graze_replay_destroy(replay);
    graze_world_destroy(world);
    kit_record_free(&record);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(friction_and_restitution_are_those_of_the_surface),
        cmocka_unit_test(a_surface_that_is_set_is_read),
        cmocka_unit_test(a_bad_surface_is_refused_by_its_number),
        cmocka_unit_test(segments_have_the_surface_of_the_chain_or_their_own),
        cmocka_unit_test(the_surface_of_a_segment_or_of_all_can_be_set),
        cmocka_unit_test(what_cannot_be_set_is_refused),
        cmocka_unit_test(without_memory_no_surface_changes),
        cmocka_unit_test(snapshots_bring_the_surfaces_of_their_chains),
        cmocka_unit_test(loading_without_memory_changes_no_surface),
        cmocka_unit_test(substeps_have_a_range),
        cmocka_unit_test(a_record_repeats_every_change),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
