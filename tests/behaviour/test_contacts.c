// The rules of contacts, one by one.

#include "world_model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void contacts_come_by_ids_and_terrain_by_time(void **state)
{
    (void)state;
    graze_world *world = kit_world();
    graze_body_id mover = kit_add(world, kit_moving(kit_circle(0, 0, 0.5f), 10, 0, GRAZE_PASS));
    graze_body_id far = kit_add(world, kit_circle(8, 0, 0.5f));
    graze_body_id near = kit_add(world, kit_circle(3, 0, 0.5f));
    graze_chain_id far_wall = kit_wall(world, 6, -5, 6, 5);
    graze_chain_id near_wall = kit_wall(world, 2, -5, 2, 5);
    kit_step(world, 1);
    graze_contact_list contacts = graze_world_contacts(world);
    assert_int_equal(contacts.count, 4);
    assert_true(kit_is_none(contacts.data[0].b) && kit_is_none(contacts.data[1].b));
    assert_int_equal(contacts.data[0].segment.chain.index, near_wall.index);
    assert_int_equal(contacts.data[1].segment.chain.index, far_wall.index);
    assert_true(contacts.data[0].time < contacts.data[1].time);
    assert_true(kit_is_same(contacts.data[2].b, far) && kit_is_same(contacts.data[3].b, near));
    for (uint32_t i = 0; i < 4; ++i) {
        assert_true(kit_is_same(contacts.data[i].a, mover));
    }
    graze_world_destroy(world);
}

static void the_normal_points_from_a_to_b_and_the_point_lies_on_both(void **state)
{
    (void)state;
    graze_world *world = kit_world();
    graze_body_id left = kit_add(world, kit_moving(kit_circle(0, 0, 1), 4, 0, GRAZE_PASS));
    graze_body_id right = kit_add(world, kit_circle(5, 0, 2));
    kit_step(world, 1);
    const graze_contact *contact = kit_find_contact(world, left, right);
    assert_non_null(contact);
    assert_true(kit_is_same(contact->a, left) && kit_is_same(contact->b, right));
    kit_assert_near(contact->time, 0.5f, 1e-6f);
    kit_assert_near_vec2(contact->normal, 1, 0, 1e-6f);
    kit_assert_near_vec2(contact->point, 3, 0, 1e-6f);
    assert_true(contact->depth == 0);
    assert_int_equal(contact->segment.chain.generation, 0);
    graze_world_destroy(world);
}

static void bodies_that_overlap_at_the_start_meet_at_time_0_with_a_depth(void **state)
{
    (void)state;
    graze_world *world = kit_world();
    graze_body_id first = kit_add(world, kit_circle(0, 0, 1));
    graze_body_id second = kit_add(world, kit_circle(0, 1.5f, 1));
    kit_step(world, 1);
    const graze_contact *contact = kit_find_contact(world, first, second);
    assert_non_null(contact);
    assert_true(contact->time == 0);
    kit_assert_near(contact->depth, 0.5f, 1e-6f);
    kit_assert_near_vec2(contact->normal, 0, 1, 1e-6f);
    graze_world_destroy(world);
}

/// Two that overlap, and the point and the depth of their contact; the normal is (1, 0).
typedef struct overlap_case {
    graze_body_def a, b;
    graze_vec2 point;
    float depth;
} overlap_case;

static void the_point_of_an_overlap_is_as_documented(void **state)
{
    (void)state;
    const overlap_case cases[] = {
        {kit_circle(0, 0, 1), kit_circle(1.5f, 0, 1), {0.5f, 0}, 0.5f},
        {kit_circle(0, 0, 1), kit_circle(0.5f, 0, 1), {0, 0}, 1.5f}, // Its centre is inside.
        {kit_circle(0, 0, 3), kit_circle(0.5f, 0, 0.25f), {0.25f, 0}, 2.75f},
        {kit_circle(0, 0, 1), kit_rect(1.5f, 0, 1, 1), {0.5f, 0}, 0.5f},
        {kit_circle(0, 0, 1), kit_rect(0.5f, 0, 1, 2), {0, 0}, 1.5f},
        {kit_rect(0, 0, 1, 2), kit_circle(0.5f, 0, 1), {0.5f, 0}, 1.5f},
        {kit_rect(0, 0, 1, 1), kit_rect(1.5f, 0.5f, 1, 1), {0.5f, 0.25f}, 0.5f},
        {kit_rect(0, 0, 3, 0.5f), kit_rect(1, 0, 0.5f, 3), {0.5f, 0}, 2.5f},
        {kit_rect(0, 0, 0.5f, 3), kit_rect(1, 0, 3, 0.5f), {-2, 0}, 2.5f}, // It reaches through.
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        graze_world *world = kit_world();
        const graze_body_id a = kit_add(world, cases[i].a);
        const graze_body_id b = kit_add(world, cases[i].b);
        kit_step(world, 1);
        const graze_contact *contact = kit_find_contact(world, a, b);
        assert_non_null(contact);
        kit_assert_near_vec2(contact->normal, 1, 0, 1e-6f);
        kit_assert_near_vec2(contact->point, cases[i].point.x, cases[i].point.y, 1e-6f);
        kit_assert_near(contact->depth, cases[i].depth, 1e-6f);
        graze_world_destroy(world);
    }
}

static void touching_bodies_are_a_contact_of_depth_0(void **state)
{
    (void)state;
    graze_world *world = kit_world();
    graze_body_id first = kit_add(world, kit_circle(0, 0, 1));
    graze_body_id second = kit_add(world, kit_rect(2, 0, 1, 1));
    kit_step(world, 1);
    const graze_contact *contact = kit_find_contact(world, first, second);
    assert_non_null(contact);
    assert_true(contact->time == 0 && contact->depth == 0);
    graze_world_destroy(world);
}

static void a_contact_begins_stays_and_ends(void **state)
{
    (void)state;
    graze_world *world = kit_world();
    graze_body_id still = kit_add(world, kit_circle(0, 0, 1));
    graze_body_id mover = kit_add(world, kit_moving(kit_circle(-3, 0, 1), 2, 0, GRAZE_PASS));
    const graze_contact_phase phases[] = {GRAZE_CONTACT_BEGIN, GRAZE_CONTACT_STAY,
                                          GRAZE_CONTACT_STAY};
    for (uint32_t step = 0; step < 3; ++step) {
        kit_step(world, 1);
        const graze_contact *contact = kit_find_contact(world, still, mover);
        assert_non_null(contact);
        assert_int_equal(contact->phase, phases[step]);
        assert_int_equal(graze_world_contact_ends(world).count, 0);
    }
    kit_step(world, 1);
    assert_int_equal(graze_world_contacts(world).count, 0);
    graze_contact_end_list ends = graze_world_contact_ends(world);
    assert_int_equal(ends.count, 1);
    assert_true(kit_is_same(ends.data[0].a, still) && kit_is_same(ends.data[0].b, mover));
    kit_step(world, 1);
    assert_int_equal(graze_world_contact_ends(world).count, 0);
    graze_world_destroy(world);
}

static void a_world_reports_nothing_before_its_first_step(void **state)
{
    (void)state;
    graze_world *world = kit_world();
    kit_add(world, kit_circle(0, 0, 1));
    kit_add(world, kit_circle(0, 0, 1));
    assert_int_equal(graze_world_contacts(world).count, 0);
    assert_int_equal(graze_world_contact_ends(world).count, 0);
    graze_world_destroy(world);
}

static void destroying_and_creating_while_reading_the_lists_is_legal(void **state)
{
    (void)state;
    graze_world *world = kit_world();
    for (uint32_t i = 0; i < 20; ++i) {
        kit_add(world, kit_circle(0.1f * (float)i, 0, 1));
    }
    kit_wall(world, -1, 0, 3, 0);
    kit_step(world, 1);
    graze_contact_list contacts = graze_world_contacts(world);
    uint32_t count = contacts.count;
    graze_contact *copy = malloc(count * sizeof *copy);
    assert_non_null(copy);
    memcpy(copy, contacts.data, count * sizeof *copy);
    for (uint32_t i = 0; i < contacts.count; ++i) {
        graze_body_destroy(world, contacts.data[i].a);
        graze_body_destroy(world, contacts.data[i].b);
        kit_add(world, kit_circle(50 + 3 * (float)i, 0, 1));
        kit_wall(world, 0, 100, 1, 100 + (float)i);
    }
    assert_memory_equal(contacts.data, copy, count * sizeof *copy);
    free(copy);
    kit_step(world, 1);
    assert_int_equal(graze_world_contact_ends(world).count, count);
    assert_int_equal(graze_world_contacts(world).count, 0);
    graze_world_destroy(world);
}

static void a_reused_index_begins_its_own_contact(void **state)
{
    (void)state;
    graze_world *world = kit_world();
    graze_body_id still = kit_add(world, kit_circle(0, 0, 1));
    graze_body_id first = kit_add(world, kit_circle(1, 0, 1));
    kit_step(world, 1);
    assert_int_equal(graze_body_destroy(world, first), GRAZE_OK);
    graze_body_id second = kit_add(world, kit_circle(1, 0, 1));
    assert_int_equal(second.index, first.index);
    kit_step(world, 1);
    const graze_contact *contact = kit_find_contact(world, still, second);
    assert_non_null(contact);
    assert_int_equal(contact->phase, GRAZE_CONTACT_BEGIN);
    graze_contact_end_list ends = graze_world_contact_ends(world);
    assert_int_equal(ends.count, 1);
    assert_true(kit_is_same(ends.data[0].b, first));
    graze_world_destroy(world);
}

static void a_removed_chain_ends_its_contacts_and_a_new_one_begins(void **state)
{
    (void)state;
    graze_world *world = kit_world();
    graze_body_id body = kit_add(world, kit_circle(0, 0, 1));
    graze_chain_id first = kit_wall(world, -2, 0, 2, 0);
    kit_step(world, 1);
    assert_non_null(kit_find_wall_contact(world, body, first));
    assert_int_equal(graze_chain_destroy(world, first), GRAZE_OK);
    graze_chain_id second = kit_wall(world, -2, 0, 2, 0);
    assert_int_equal(second.index, first.index);
    kit_step(world, 1);
    const graze_contact *contact = kit_find_wall_contact(world, body, second);
    assert_non_null(contact);
    assert_int_equal(contact->phase, GRAZE_CONTACT_BEGIN);
    graze_contact_end_list ends = graze_world_contact_ends(world);
    assert_int_equal(ends.count, 1);
    assert_int_equal(ends.data[0].segment.chain.generation, first.generation);
    graze_world_destroy(world);
}

static void what_only_a_rotation_makes_touch_is_met_when_it_does(void **state)
{
    (void)state;
    graze_world *world = kit_world();
    graze_body_def def = kit_rect(0, 0, 2, 0.5f);
    def.spin = 1.5707964f;
    const graze_body_id turning = kit_add(world, def);
    const graze_body_id ball = kit_add(world, kit_circle(0, 1.5f, 0.5f));
    const graze_chain_id wall = kit_wall(world, -3, -1.5f, 3, -1.5f);
    kit_step(world, 1);
    const graze_contact *met = kit_find_contact(world, turning, ball);
    assert_non_null(met);
    kit_assert_near(met->time, 0.535438f, 1e-5f); // acos(2 / 3) of a quarter turn.
    kit_assert_near_vec2(met->point, 0.372678f, 1.166667f, 1e-5f);
    assert_true(met->depth == 0);
    met = kit_find_wall_contact(world, turning, wall);
    assert_non_null(met);
    kit_assert_near(met->time, 0.362773f, 1e-5f);
    kit_assert_near(met->point.y, -1.5f, 1e-5f);
    assert_true(met->depth == 0);
    graze_body_set_spin(world, turning, 0);
    kit_step(world, 1);
    met = kit_find_wall_contact(world, turning, wall);
    assert_non_null(met);
    assert_true(met->time == 0 && met->phase == GRAZE_CONTACT_STAY);
    kit_assert_near(met->depth, 0.5f, 1e-6f);
    graze_world_destroy(world);
}

// The circle touches the end of the first segment and the middle of the second.
static void at_a_joint_the_normal_is_the_chains_and_the_depth_the_segments(void **state)
{
    (void)state;
    graze_world *world = kit_world();
    const graze_vec2 points[] = {{-4, 1}, {0, 0}, {4, 1}};
    graze_chain_def def = graze_chain_def_default();
    def.points = points;
    def.count = 3;
    const graze_chain_id chain = graze_chain_create(world, &def);
    const graze_body_id ball = kit_add(world, kit_circle(1, 2, 2.5f));
    kit_step(world, 1);
    const graze_contact *met = kit_find_wall_contact(world, ball, chain);
    assert_non_null(met);
    assert_int_equal(met->segment.index, 0);
    kit_assert_near_vec2(met->normal, -0.24253563f, -0.9701425f, 1e-6f);
    kit_assert_near(met->depth, 2.5f - sqrtf(5), 1e-6f);
    graze_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contacts_come_by_ids_and_terrain_by_time),
        cmocka_unit_test(the_normal_points_from_a_to_b_and_the_point_lies_on_both),
        cmocka_unit_test(bodies_that_overlap_at_the_start_meet_at_time_0_with_a_depth),
        cmocka_unit_test(the_point_of_an_overlap_is_as_documented),
        cmocka_unit_test(touching_bodies_are_a_contact_of_depth_0),
        cmocka_unit_test(what_only_a_rotation_makes_touch_is_met_when_it_does),
        cmocka_unit_test(at_a_joint_the_normal_is_the_chains_and_the_depth_the_segments),
        cmocka_unit_test(a_contact_begins_stays_and_ends),
        cmocka_unit_test(a_world_reports_nothing_before_its_first_step),
        cmocka_unit_test(destroying_and_creating_while_reading_the_lists_is_legal),
        cmocka_unit_test(a_reused_index_begins_its_own_contact),
        cmocka_unit_test(a_removed_chain_ends_its_contacts_and_a_new_one_begins),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
