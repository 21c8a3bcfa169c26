#include "world_kit.h"

// Walls that are met at the same time: the first is the one with the smaller id.

// Two walls on the same line, one drawn there, one back.
static const graze_vec2 doubled[3] = {{4, -4}, {4, 4}, {4, -4}};

// Two walls that share the vertex that is met.
static const graze_vec2 wedge[3] = {{8, 4}, {4, 0}, {8, -4}};

static void add_chain(graze_world *world, const graze_vec2 points[3], bool turned)
{
    const graze_vec2 back[3] = {points[2], points[1], points[0]};
    graze_chain_def def = graze_chain_def_default();
    def.points = turned ? back : points;
    def.count = 3;
    assert_true(graze_chain_is_valid(world, graze_chain_create(world, &def)));
}

// Shoots a body at a chain. Its first hit removes it, and must be with segment 0.
static void expect_first_segment(graze_body_def body, const graze_vec2 points[3], bool turned)
{
    graze_world *world = kit_world();
    add_chain(world, points, turned);
    body.hit_limit = 1;
    kit_add(world, body);
    kit_step(world, 1);
    const graze_contact_list contacts = graze_world_contacts(world);
    assert_int_equal(contacts.count, 1);
    assert_int_equal(contacts.data[0].segment.index, 0);
    assert_true(contacts.data[0].flags & GRAZE_CONTACT_SPENT);
    graze_world_destroy(world);
}

static void of_walls_hit_at_once_the_first_is_the_one_with_the_smaller_id(void **state)
{
    (void)state;
    for (graze_response response = GRAZE_STOP; response <= GRAZE_BOUNCE; ++response) {
        for (int turned = 0; turned < 2; ++turned) {
            const graze_body_def bullet = kit_moving(kit_bullet(0, 0, 8, 0), 8, 0, response);
            const graze_body_def point = kit_moving(kit_circle(0, 0, 0), 8, 0, response);
            const graze_body_def disc = kit_moving(kit_circle(0, 0, 1), 8, 0, response);
            expect_first_segment(bullet, doubled, turned);
            expect_first_segment(point, doubled, turned);
            expect_first_segment(disc, doubled, turned);
            expect_first_segment(point, wedge, turned);
            expect_first_segment(disc, wedge, turned);
        }
    }
}

static void of_chains_hit_at_once_the_first_is_the_one_with_the_smaller_id(void **state)
{
    (void)state;
    graze_world *world = kit_world();
    const graze_chain_id first = kit_wall(world, 4, -4, 4, 4);
    const graze_chain_id second = kit_wall(world, 4, 4, 4, -4);
    kit_add(world, kit_bullet(0, 0, 8, 0));
    kit_step(world, 1);
    const graze_contact_list contacts = graze_world_contacts(world);
    assert_int_equal(contacts.count, 1);
    assert_int_equal(contacts.data[0].segment.chain.index,
                     first.index < second.index ? first.index : second.index);
    graze_world_destroy(world);
}

static void a_ray_that_hits_walls_at_once_lists_them_by_id(void **state)
{
    (void)state;
    const graze_ray ray = {{0, 0}, {8, 0}};
    const graze_filter all = graze_filter_default();
    for (int turned = 0; turned < 2; ++turned) {
        graze_world *world = kit_world();
        graze_query_hit hits[3];
        add_chain(world, doubled, turned);
        assert_int_equal(graze_query_ray_all(world, ray, all, hits, 3), 2);
        assert_int_equal(hits[0].segment.index, 0);
        assert_int_equal(hits[1].segment.index, 1);
        assert_int_equal(graze_query_ray(world, ray, all, &hits[2]), GRAZE_OK);
        assert_int_equal(hits[2].segment.index, 0);
        graze_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_walls_hit_at_once_the_first_is_the_one_with_the_smaller_id),
        cmocka_unit_test(of_chains_hit_at_once_the_first_is_the_one_with_the_smaller_id),
        cmocka_unit_test(a_ray_that_hits_walls_at_once_lists_them_by_id),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
