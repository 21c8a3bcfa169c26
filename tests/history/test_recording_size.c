// How many bytes a record takes: what record.h says of each step and each call, to the byte.

#include "record_kit.h"

enum { STEP_BYTES = 45, VETO_BYTES = 8, BLOCK_BYTES = 168, BLOCK = 64 };

static bool allow_nothing(const graze_world *world, graze_body_id a, graze_body_id b,
                          graze_segment_id segment, void *user)
{
    (void)world, (void)a, (void)b, (void)segment, (void)user;
    return false;
}

static void start(kit_record *record, graze_world *world, bool names_bodies)
{
    graze_record_def def = graze_record_def_default();
    def.write = kit_record_write;
    def.write_user = record;
    def.names_bodies = names_bodies;
    assert_int_equal(graze_record_start(world, &def), GRAZE_OK);
}

// Returns how many bytes the record grows by in a step, with the calls made since the last one.
static size_t grow(const kit_record *record, graze_world *world)
{
    const size_t before = record->size;
    kit_step(world, 1);
    return record->size - before;
}

static void a_step_takes_what_the_header_says(void **state)
{
    (void)state;
    for (uint32_t count = 0; count < 3 * BLOCK; count += 37) {
        for (int names_bodies = 0; names_bodies < 2; ++names_bodies) {
            kit_record record = {0};
            graze_world *world = kit_world();
            for (uint32_t i = 0; i < count; ++i) {
                kit_add(world, kit_circle(3 * (float)i, 0, 1));
            }
            start(&record, world, names_bodies);
            const size_t blocks = names_bodies ? (count + BLOCK - 1) / BLOCK : 0;
            assert_int_equal(grow(&record, world), STEP_BYTES + BLOCK_BYTES * blocks);
            graze_world_destroy(world);
            kit_record_free(&record);
        }
    }
}

static void a_veto_takes_what_the_header_says(void **state)
{
    (void)state;
    kit_record record = {0};
    graze_world_def def = graze_world_def_default();
    def.filter = allow_nothing;
    graze_world *world = graze_world_create(&def);
    assert_non_null(world);
    for (uint32_t i = 0; i < 4; ++i) {
        kit_add(world, kit_circle(0, 0, 1)); // Six pairs.
    }
    kit_wall(world, -1, 0, 1, 0); // Four more.
    start(&record, world, false);
    assert_int_equal(grow(&record, world), STEP_BYTES + 10 * VETO_BYTES);
    graze_world_destroy(world);
    kit_record_free(&record);
}

static void each_call_takes_what_the_header_says(void **state)
{
    (void)state;
    kit_record record = {0};
    graze_world *world = kit_world();
    start(&record, world, false);
    graze_body_id body = kit_add(world, kit_circle(0, 0, 1));
    assert_int_equal(grow(&record, world), STEP_BYTES + 122);
    const graze_vec2 points[] = {{5, 0}, {6, 0}, {6, 1}};
    graze_chain_def chain = graze_chain_def_default();
    chain.points = points;
    chain.count = 3;
    graze_chain_create(world, &chain);
    assert_int_equal(grow(&record, world), STEP_BYTES + 57 + 3 * 8);
    graze_body_set_filter(world, body, graze_filter_default());
    assert_int_equal(grow(&record, world), STEP_BYTES + 25);
    graze_body_set_spin(world, body, 0);
    assert_int_equal(grow(&record, world), STEP_BYTES + 13);
    graze_chain_set_surface(world, (graze_chain_id){0, 1}, 1, graze_surface_default());
    assert_int_equal(grow(&record, world), STEP_BYTES + 29);
    const graze_surface surfaces[2] = {{1, 0, 0, 0}, {0, 1, 0, 0}};
    chain.surfaces = surfaces;
    graze_chain_create(world, &chain);
    assert_int_equal(grow(&record, world), STEP_BYTES + 57 + 3 * 8 + 2 * 16);
    graze_body_destroy(world, body);
    assert_int_equal(grow(&record, world), STEP_BYTES + 9);
    graze_world_destroy(world);
    kit_record_free(&record);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_step_takes_what_the_header_says),
        cmocka_unit_test(a_veto_takes_what_the_header_says),
        cmocka_unit_test(each_call_takes_what_the_header_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
