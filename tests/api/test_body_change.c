#include "response_kit.h"

#include <math.h>
#include <string.h>

// What follows when a body becomes something else. (test_rest.c and test_sleepers.c have the tests
// of bodies at rest, which wake.)

static const float step = 1.0f / 60;

static void step_often(graze_world *world, uint32_t count)
{
    for (uint32_t k = 0; k < count; ++k) {
        kit_step(world, step);
    }
}

static graze_contact only_contact(const graze_world *world)
{
    const graze_contact_list contacts = graze_world_contacts(world);
    assert_int_equal(contacts.count, 1);
    return contacts.data[0];
}

// --- All at once ---

static graze_body_def make_def(random_state *random)
{
    const float x = random_float(random, -6, 6);
    const float y = random_float(random, 1, 9);
    const float size = random_float(random, 0.2f, 1);
    graze_body_def def = kit_circle(x, y, size);
    switch (random_below(random, 4)) {
    case 0:
        def.shape = graze_shape_ray();
        break;
    case 1:
        def.shape = graze_shape_rect(size, 0.4f);
        def.angle = random_float(random, -3, 3);
        def.spin = random_float(random, -3, 3);
        break;
    default:
        break;
    }
    def.velocity.x = random_float(random, -9, 9);
    def.response = (graze_response)random_below(random, 4);
    def.mass = random_below(random, 4) ? random_float(random, 0, 3) : 0;
    def.restitution = random_float(random, 0, 1);
    def.friction = random_float(random, 0, 1);
    def.sensor = random_below(random, 4) == 0;
    def.hit_limit = random_below(random, 2) * random_below(random, 5);
    def.lifetime = random_below(random, 2) ? 0 : random_float(random, 0, 2);
    return def;
}

// Adds the body of `other`, with the position and the velocity of `def`.
static graze_body_id add_another(graze_world *world, const graze_body_def *def,
                                 graze_body_def other)
{
    other.position = def->position;
    other.velocity = def->velocity;
    return kit_add(world, other);
}

static void set_all(graze_world *world, graze_body_id body, const graze_body_def *def)
{
    assert_int_equal(graze_body_set_hit_limit(world, body, def->hit_limit), GRAZE_OK);
    assert_int_equal(graze_body_set_shape(world, body, def->shape), GRAZE_OK);
    assert_int_equal(graze_body_set_angle(world, body, def->angle), GRAZE_OK);
    assert_int_equal(graze_body_set_spin(world, body, def->spin), GRAZE_OK);
    assert_int_equal(graze_body_set_lifetime(world, body, def->lifetime), GRAZE_OK);
    assert_int_equal(graze_body_set_response(world, body, def->response), GRAZE_OK);
    assert_int_equal(graze_body_set_mass(world, body, def->mass), GRAZE_OK);
    assert_int_equal(graze_body_set_restitution(world, body, def->restitution), GRAZE_OK);
    assert_int_equal(graze_body_set_friction(world, body, def->friction), GRAZE_OK);
    assert_int_equal(graze_body_set_sensor(world, body, def->sensor), GRAZE_OK);
}

// A def may have -0, too.
static void what_is_set_before_the_first_step_might_have_been_in_the_def(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 30; ++seed) {
        random_state random = random_seed(seed);
        graze_world *made = kit_world_with_gravity(0, -10);
        graze_world *set = kit_world_with_gravity(0, -10);
        kit_square(made, -10, 10);
        kit_square(set, -10, 10);
        for (uint32_t k = 0; k < 30; ++k) {
            graze_body_def def = make_def(&random);
            const graze_body_def other = make_def(&random);
            def.mass = k == 0 ? -0.0f : def.mass;
            def.friction = k == 1 ? -0.0f : def.friction;
            def.lifetime = k == 2 ? -0.0f : def.lifetime;
            kit_add(made, def);
            set_all(set, add_another(set, &def, other), &def);
        }
        kit_assert_same_bytes(made, set);
        for (uint32_t k = 0; k < 60; ++k) {
            kit_step(made, step);
            kit_step(set, step);
            assert_null(kit_find_difference(made, set));
            kit_assert_same_bytes(made, set);
        }
        graze_world_destroy(made);
        graze_world_destroy(set);
    }
}

static void become(graze_world *world, graze_body_id body, graze_shape shape,
                   graze_response response, bool shape_first)
{
    if (shape_first) {
        assert_int_equal(graze_body_set_shape(world, body, shape), GRAZE_OK);
    }
    assert_int_equal(graze_body_set_response(world, body, response), GRAZE_OK);
    assert_int_equal(graze_body_set_shape(world, body, shape), GRAZE_OK);
}

// One body alone: no other has made room for what the new one needs.
static void any_kind_and_response_becomes_any_other(void **state)
{
    (void)state;
    enum { KINDS = 3, RESPONSES = 5, ALL = KINDS * RESPONSES };
    const graze_shape shapes[KINDS] = {graze_shape_circle(0.3f), graze_shape_rect(0.3f, 0.2f),
                                       graze_shape_ray()};
    for (int k = 0; k < 2 * ALL * ALL; ++k) {
        graze_world *made = kit_world_with_gravity(0, -10);
        graze_world *set = kit_world_with_gravity(0, -10);
        kit_square(made, -1, 1);
        kit_square(set, -1, 1);
        graze_body_def def = kit_moving(kit_circle(0, 0, 1), 3, 0, (graze_response)(k % RESPONSES));
        graze_body_def other = def;
        def.shape = shapes[k / RESPONSES % KINDS];
        other.shape = shapes[k / ALL % KINDS];
        other.response = (graze_response)(k / ALL / KINDS % RESPONSES);
        kit_add(made, def);
        become(set, kit_add(set, other), def.shape, def.response, k >= ALL * ALL);
        for (int i = 0; i < 60; ++i) {
            kit_assert_same_bytes(made, set);
            kit_step(made, step);
            kit_step(set, step);
        }
        graze_world_destroy(made);
        graze_world_destroy(set);
    }
}

// --- Mass, restitution, friction ---

static void a_heavier_body_gives_way_less(void **state)
{
    (void)state;
    graze_world *world = kit_world();
    graze_body_id slow = kit_add(world, kit_moving(kit_circle(0, 0, 1), 0, 0, GRAZE_BOUNCE));
    graze_body_id fast = kit_add(world, kit_moving(kit_circle(-4, 0, 1), 4, 0, GRAZE_BOUNCE));
    graze_body_set_mass(world, slow, 3);
    graze_body_set_restitution(world, fast, 1);
    kit_step(world, 1);
    kit_assert_velocity(world, fast, -2, 0);
    kit_assert_velocity(world, slow, 2, 0);
    graze_world_destroy(world);
}

static void without_mass_a_body_falls_no_faster(void **state)
{
    (void)state;
    graze_world *world = kit_world_with_gravity(0, -8);
    graze_body_id body = kit_add(world, kit_circle(0, 0, 1));
    kit_step(world, 0.5f);
    kit_assert_velocity(world, body, 0, -4);
    graze_body_set_mass(world, body, 0);
    kit_step(world, 0.5f);
    kit_assert_velocity(world, body, 0, -4);
    graze_body_set_mass(world, body, 2);
    kit_step(world, 0.5f);
    kit_assert_velocity(world, body, 0, -8);
    graze_world_destroy(world);
}

static void what_slides_stops_where_it_gets_friction(void **state)
{
    (void)state;
    graze_world *world = kit_world_with_gravity(0, -10);
    kit_wall(world, -100, 0, 100, 0);
    graze_body_id body =
        kit_add(world, kit_moving(kit_rect(0, 0.5f, 0.5f, 0.5f), 5, 0, GRAZE_SLIDE));
    step_often(world, 60);
    kit_assert_velocity(world, body, 5, 0);
    graze_body_set_friction(world, body, 1);
    step_often(world, 60);
    kit_assert_velocity(world, body, 0, 0);
    assert_int_equal(only_contact(world).phase, GRAZE_CONTACT_STAY);
    graze_world_destroy(world);
}

// A body that sleeps on a slope, held by friction alone.
static void a_stack_that_sleeps_slips_when_it_loses_its_friction(void **state)
{
    (void)state;
    graze_world *world = kit_world_with_gravity(0, -10);
    kit_wall(world, -100, -20, 100, 20);
    graze_body_id bodies[40];
    for (uint32_t k = 0; k < 40; ++k) {
        const float x = 4 * (float)k - 80;
        graze_body_def def = kit_rect(x, 0.2f * x + 0.52f, 0.5f, 0.5f);
        def.angle = atanf(0.2f);
        def.response = GRAZE_SLIDE;
        def.friction = 0.75f;
        bodies[k] = kit_add(world, def);
    }
    step_often(world, 120);
    const graze_vec2 before = graze_body_position(world, bodies[7]);
    step_often(world, 30);
    kit_assert_same_vec2(graze_body_position(world, bodies[7]), before);
    graze_body_set_friction(world, bodies[7], 0);
    step_often(world, 30);
    assert_true(graze_body_position(world, bodies[7]).x < before.x - 0.1f);
    graze_world_destroy(world);
}

// --- Sensors ---

static void a_sensor_that_becomes_solid_is_no_hit_and_pushes_out(void **state)
{
    (void)state;
    graze_world *world = kit_world();
    graze_body_def def = kit_circle(0, 0, 1);
    def.sensor = true;
    def.mass = 0;
    graze_body_id area = kit_add(world, def);
    def = kit_moving(kit_circle(1.5f, 0, 1), 0, 0, GRAZE_SLIDE);
    def.hit_limit = 1;
    graze_body_id body = kit_add(world, def);
    step_often(world, 2);
    assert_int_equal(only_contact(world).flags, GRAZE_CONTACT_SENSOR);
    graze_body_set_sensor(world, area, false);
    kit_step(world, step);
    assert_int_equal(only_contact(world).phase, GRAZE_CONTACT_STAY);
    assert_int_equal(only_contact(world).flags & GRAZE_CONTACT_SENSOR, 0);
    step_often(world, 60);
    assert_true(graze_body_is_valid(world, body));
    assert_true(graze_body_position(world, body).x > 1.99f);
    graze_world_destroy(world);
}

static void what_lay_on_what_becomes_a_sensor_falls_through(void **state)
{
    (void)state;
    graze_world *world = kit_world_with_gravity(0, -10);
    graze_body_def def = kit_rect(0, 0, 9, 0.5f);
    def.mass = 0;
    graze_body_id floor = kit_add(world, def);
    graze_body_id bodies[40];
    for (uint32_t k = 0; k < 40; ++k) {
        const float x = (float)(k % 5) * 3 - 6, y = 1 + (float)(k / 5);
        bodies[k] = kit_add(world, kit_moving(kit_rect(x, y, 0.5f, 0.5f), 0, 0, GRAZE_SLIDE));
    }
    step_often(world, 60);
    for (uint32_t k = 0; k < 40; ++k) {
        kit_assert_near(graze_body_position(world, bodies[k]).y, 1 + (float)(k / 5), 0.02f);
    }
    graze_body_set_sensor(world, floor, true);
    kit_step(world, step);
    const graze_contact_list contacts = graze_world_contacts(world);
    for (uint32_t i = 0; i < contacts.count; ++i) {
        assert_int_equal(contacts.data[i].phase, GRAZE_CONTACT_STAY);
    }
    step_often(world, 60);
    for (uint32_t k = 0; k < 40; ++k) {
        assert_true(graze_body_position(world, bodies[k]).y < (float)(k / 5) - 2);
    }
    graze_world_destroy(world);
}

// --- Shapes ---

static void what_grows_is_found_at_once_and_met_in_the_next_step(void **state)
{
    (void)state;
    graze_world *world = kit_world();
    const graze_body_id body = kit_add(world, kit_circle(0, 0, 1));
    const graze_body_id other = kit_add(world, kit_circle(4, 0, 1));
    const graze_vec2 beside = {2.5f, 0};
    graze_body_id found;
    kit_step(world, step);
    assert_int_equal(graze_query_point(world, beside, graze_filter_default(), &found, 1), 0);
    assert_int_equal(graze_body_set_shape(world, body, graze_shape_circle(3.5f)), GRAZE_OK);
    assert_int_equal(graze_query_point(world, beside, graze_filter_default(), &found, 1), 1);
    assert_true(kit_is_same(found, body));
    kit_step(world, step);
    const graze_contact contact = only_contact(world);
    assert_true(kit_is_same(contact.a, body) && kit_is_same(contact.b, other));
    assert_true(contact.phase == GRAZE_CONTACT_BEGIN && contact.depth == 0.5f);
    graze_body_set_shape(world, body, graze_shape_circle(1));
    kit_step(world, step);
    assert_int_equal(graze_world_contacts(world).count, 0);
    assert_int_equal(graze_world_contact_ends(world).count, 1);
    graze_world_destroy(world);
}

static void a_body_that_grows_in_a_corner_is_pushed_out_and_does_not_leak(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 20; ++seed) {
        random_state random = random_seed(seed);
        graze_world *world = kit_world();
        kit_square(world, -5, 5);
        graze_body_id body = kit_add(world, kit_moving(kit_circle(0, 0, 0.1f), 0, 0, GRAZE_SLIDE));
        for (uint32_t k = 0; k < 100; ++k) {
            const float size = random_float(&random, 0.1f, 2);
            const uint32_t kind = random_below(&random, 3);
            const graze_vec2 velocity = {random_float(&random, -400, 400),
                                         random_float(&random, -400, 400)};
            graze_body_set_shape(world, body,
                                 kind == 0   ? graze_shape_circle(size)
                                 : kind == 1 ? graze_shape_rect(size, 0.7f)
                                             : graze_shape_ray());
            graze_body_set_velocity(world, body, velocity);
            kit_step(world, step);
            const graze_vec2 at = graze_body_position(world, body);
            assert_true(fabsf(at.x) <= 5 && fabsf(at.y) <= 5);
        }
        graze_world_destroy(world);
    }
}

static void a_rect_that_is_none_for_a_while_is_upright_again(void **state)
{
    (void)state;
    graze_world *world = kit_world();
    graze_body_def def = kit_rect(0, 0, 1, 2);
    def.angle = 1;
    def.spin = 2;
    const graze_body_id body = kit_add(world, def);
    assert_int_equal(graze_body_set_shape(world, body, graze_shape_rect(3, 1)), GRAZE_OK);
    assert_true(graze_body_angle(world, body) == 1 && graze_body_spin(world, body) == 2);
    assert_int_equal(graze_body_set_shape(world, body, graze_shape_circle(1)), GRAZE_OK);
    assert_true(graze_body_angle(world, body) == 0 && graze_body_spin(world, body) == 0);
    kit_step(world, step);
    assert_int_equal(graze_body_set_shape(world, body, graze_shape_rect(3, 1)), GRAZE_OK);
    kit_step(world, step);
    assert_true(graze_body_angle(world, body) == 0 && graze_body_spin(world, body) == 0);
    const graze_vec2 aside = {2.9f, 0.9f};
    graze_body_id found;
    assert_int_equal(graze_query_point(world, aside, graze_filter_default(), &found, 1), 1);
    graze_world_destroy(world);
}

// A body that has become a bullet stops nobody, and meets no other bullet.
static void what_becomes_a_ray_is_one(void **state)
{
    (void)state;
    graze_world *world = kit_world();
    const graze_body_id body = kit_add(world, kit_circle(5, 0, 1));
    const graze_body_id other = kit_add(world, kit_circle(5, 1, 1));
    kit_step(world, step);
    assert_int_equal(only_contact(world).phase, GRAZE_CONTACT_BEGIN);
    graze_body_set_shape(world, body, graze_shape_ray());
    kit_step(world, step);
    assert_int_equal(only_contact(world).phase, GRAZE_CONTACT_STAY);
    graze_body_set_shape(world, other, graze_shape_ray());
    const graze_body_id bullet = kit_add(world, kit_bullet(0, 0, 600, 0));
    kit_step(world, step);
    assert_int_equal(graze_world_contacts(world).count, 0);
    assert_int_equal(graze_world_contact_ends(world).count, 1);
    assert_true(graze_body_is_valid(world, bullet));
    graze_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_set_before_the_first_step_might_have_been_in_the_def),
        cmocka_unit_test(any_kind_and_response_becomes_any_other),
        cmocka_unit_test(a_heavier_body_gives_way_less),
        cmocka_unit_test(without_mass_a_body_falls_no_faster),
        cmocka_unit_test(what_slides_stops_where_it_gets_friction),
        cmocka_unit_test(a_stack_that_sleeps_slips_when_it_loses_its_friction),
        cmocka_unit_test(a_sensor_that_becomes_solid_is_no_hit_and_pushes_out),
        cmocka_unit_test(what_lay_on_what_becomes_a_sensor_falls_through),
        cmocka_unit_test(what_grows_is_found_at_once_and_met_in_the_next_step),
        cmocka_unit_test(a_body_that_grows_in_a_corner_is_pushed_out_and_does_not_leak),
        cmocka_unit_test(a_rect_that_is_none_for_a_while_is_upright_again),
        cmocka_unit_test(what_becomes_a_ray_is_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
