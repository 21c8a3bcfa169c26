#include "world_kit.h"

// Moving against moving: things that meet on exact paths are found, however fast both are.

enum { LANES = 100, ROUNDS = 125 };

#define LANE_WIDTH 1000.0f
#define STEP       (1.0f / 60)

/// A bullet and a target, in a lane of their own.
typedef struct lane {
    graze_body_id bullet, target;
    float size; ///< Half the least width of the target.
} lane;

static graze_vec2 random_direction(random_state *random)
{
    graze_vec2 way = {0, 0};
    float length = 0;
    while (!(length > 0.1f && length <= 1)) {
        way.x = random_float(random, -1, 1);
        way.y = random_float(random, -1, 1);
        length = graze_vec2_length(way);
    }
    return graze_vec2_scale(way, 1 / length);
}

static void make_lanes(graze_world *world, lane *lanes, random_state *random, bool piercing)
{
    for (uint32_t i = 0; i < LANES; ++i) {
        lanes[i].size = random_float(random, 0.05f, 2);
        graze_body_def target = i % 2 ? kit_circle(0, 0, lanes[i].size)
                                      : kit_rect(0, 0, lanes[i].size, 2 * lanes[i].size);
        target.angle = i % 2 ? 0 : random_float(random, -3, 3);
        lanes[i].target = kit_add(world, target);
        graze_body_def bullet = kit_bullet(0, 0, 0, 0);
        bullet.hit_limit = 0;
        bullet.response = piercing ? GRAZE_PASS : GRAZE_STOP;
        lanes[i].bullet = kit_add(world, bullet);
    }
}

static graze_vec2 random_vector(random_state *random, float least, float most)
{
    const graze_vec2 direction = random_direction(random);
    return graze_vec2_scale(direction, random_float(random, least, most));
}

static void place(graze_world *world, graze_body_id body, graze_vec2 position, graze_vec2 velocity)
{
    assert_int_equal(graze_body_set_position(world, body, position), GRAZE_OK);
    assert_int_equal(graze_body_set_velocity(world, body, velocity), GRAZE_OK);
}

// Sends the two so that at `time` of the step the bullet is inside the target, not at its rim.
static void aim(graze_world *world, const lane *one, uint32_t number, float speed,
                random_state *random)
{
    float time = random_float(random, 0, 1) * STEP;
    graze_vec2 bullet = graze_vec2_scale(random_direction(random), 200);
    graze_vec2 target = graze_vec2_scale(random_direction(random), speed);
    graze_vec2 meet = {LANE_WIDTH * (float)number, random_float(random, -50, 50)};
    graze_vec2 offset = random_vector(random, 0, 0.95f);
    offset = graze_vec2_scale(offset, one->size);
    place(world, one->target, graze_vec2_sub(meet, graze_vec2_scale(target, time)), target);
    graze_vec2 inside = graze_vec2_add(meet, offset);
    place(world, one->bullet, graze_vec2_sub(inside, graze_vec2_scale(bullet, time)), bullet);
}

static void count_misses(float speed, bool piercing)
{
    random_state random = random_seed((uint64_t)speed + 1000 * piercing);
    graze_world *world = kit_world();
    static lane lanes[LANES];
    make_lanes(world, lanes, &random, piercing);
    uint32_t missed = 0;
    for (uint32_t round = 0; round < ROUNDS; ++round) {
        for (uint32_t i = 0; i < LANES; ++i) {
            aim(world, &lanes[i], i, speed, &random);
        }
        kit_step(world, STEP);
        for (uint32_t i = 0; i < LANES; ++i) {
            missed += !kit_find_contact(world, lanes[i].bullet, lanes[i].target);
        }
        assert_int_equal(missed, 0);
        assert_int_equal(graze_world_contacts(world).count, LANES);
    }
    graze_world_destroy(world);
}

static void a_bullet_of_200_units_a_second_misses_no_mover_of_100000(void **state)
{
    (void)state;
    const float speeds[] = {20, 60, 120, 199};
    for (uint32_t i = 0; i < 4; ++i) {
        count_misses(speeds[i], true);
        count_misses(speeds[i], false);
    }
}

// Both cross their meeting point in the middle of the step, and end far from each other.
static void cross(graze_body_def first, graze_body_def second, random_state *random)
{
    graze_vec2 meet = {random_float(random, -500, 500), random_float(random, -500, 500)};
    graze_vec2 way = random_vector(random, 50, 400);
    graze_vec2 other = random_vector(random, 50, 400);
    first.velocity = way;
    second.velocity = other;
    first.position = graze_vec2_sub(meet, graze_vec2_scale(way, 0.5f));
    second.position = graze_vec2_sub(meet, graze_vec2_scale(other, 0.5f));
    graze_world *world = kit_world();
    graze_body_id a = kit_add(world, first);
    graze_body_id b = kit_add(world, second);
    kit_step(world, 1);
    const graze_contact *contact = kit_find_contact(world, a, b);
    assert_non_null(contact);
    assert_true(contact->time <= 0.5f);
    graze_world_destroy(world);
}

static void fast_shapes_that_cross_within_a_step_meet(void **state)
{
    (void)state;
    random_state random = random_seed(77);
    for (uint32_t i = 0; i < 4000; ++i) {
        float size = random_float(&random, 0.1f, 3);
        graze_body_def circle = kit_circle(0, 0, random_float(&random, 0.1f, 3));
        graze_body_def rect = kit_rect(0, 0, size, 0.2f);
        rect.angle = random_float(&random, -3, 3);
        graze_response response = random_below(&random, 2) ? GRAZE_STOP : GRAZE_PASS;
        circle.response = response;
        cross(circle, circle, &random);
        cross(circle, rect, &random);
        cross(rect, rect, &random);
    }
}

static void movers_side_by_side_at_any_speed_do_not_meet(void **state)
{
    (void)state;
    graze_world *world = kit_world();
    for (uint32_t i = 0; i < 50; ++i) {
        kit_add(world, kit_moving(kit_circle(0, 2.5f * (float)i, 1), 1e4f, 0, GRAZE_STOP));
    }
    kit_step(world, 1);
    assert_int_equal(graze_world_contacts(world).count, 0);
    graze_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bullet_of_200_units_a_second_misses_no_mover_of_100000),
        cmocka_unit_test(fast_shapes_that_cross_within_a_step_meet),
        cmocka_unit_test(movers_side_by_side_at_any_speed_do_not_meet),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
