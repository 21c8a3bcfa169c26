#include "frame_kit.h"
#include "response_kit.h"

#include <string.h>

static void assert_stopped(const graze_world *world, graze_body_id body, float x, float y)
{
    kit_assert_near_vec2(graze_body_position(world, body), x, y, 1e-5f);
    const graze_vec2 rest = {0, 0};
    kit_assert_same_vec2(graze_body_velocity(world, body), rest);
}

static void assert_blocked(const graze_contact *contact, float time)
{
    assert_non_null(contact);
    kit_assert_near(contact->time, time, 1e-6f);
    assert_true(contact->flags & GRAZE_CONTACT_BLOCKED);
}

static graze_body_def stopping(graze_body_def def, float velocity_x, float velocity_y)
{
    return kit_moving(def, velocity_x, velocity_y, GRAZE_STOP);
}

static graze_body_def stopping_ray(float x, float y, float velocity_x, float velocity_y)
{
    graze_body_def def = kit_bullet(x, y, velocity_x, velocity_y);
    def.hit_limit = 0;
    return def;
}

// --- One mover ---

static void every_shape_stops_at_a_wall(void **state)
{
    (void)state;
    graze_world *world = kit_world();
    graze_chain_id wall = kit_wall(world, 4, -20, 4, 20);
    graze_body_id circle = kit_add(world, stopping(kit_circle(0, 0, 0.5f), 10, 0));
    graze_body_id rect = kit_add(world, stopping(kit_rect(0, 5, 1, 0.5f), 10, 0));
    graze_body_id ray = kit_add(world, stopping_ray(0, 10, 10, 0));
    kit_step(world, 1);
    assert_stopped(world, circle, 3.5f, 0);
    assert_stopped(world, rect, 3, 5);
    assert_stopped(world, ray, 4, 10);
    assert_blocked(kit_find_wall_contact(world, circle, wall), 0.35f);
    assert_blocked(kit_find_wall_contact(world, rect, wall), 0.3f);
    assert_blocked(kit_find_wall_contact(world, ray, wall), 0.4f);
    graze_world_destroy(world);
}

// The touch is the last thing in the step: nothing is left of the move.
static void what_reaches_a_wall_as_the_step_ends_stops_then(void **state)
{
    (void)state;
    for (int k = 0; k < 3; ++k) {
        graze_world *world = kit_world();
        const graze_chain_id wall = kit_wall(world, 5, -20, 5, 20);
        const graze_body_def defs[] = {stopping(kit_circle(0, 0, 1), 4, 0),
                                       stopping(kit_rect(0, 0, 1, 1), 4, 0),
                                       stopping_ray(1, 0, 4, 0)};
        const graze_body_id body = kit_add(world, defs[k]);
        kit_step(world, 1);
        const graze_contact *contact = kit_find_wall_contact(world, body, wall);
        assert_blocked(contact, 1);
        assert_int_equal(contact->phase, GRAZE_CONTACT_BEGIN);
        assert_stopped(world, body, k < 2 ? 4 : 5, 0);
        graze_world_destroy(world);
    }
}

static void every_shape_stops_at_bodies(void **state)
{
    (void)state;
    graze_world *world = kit_world();
    for (int row = 0; row < 3; ++row) {
        kit_add(world, kit_circle(6, 10 * (float)row, 1));
        kit_add(world, kit_rect(6, 100 + 10 * (float)row, 1, 1));
    }
    for (int lane = 0; lane < 2; ++lane) {
        float y = 100 * (float)lane;
        graze_body_id circle = kit_add(world, stopping(kit_circle(0, y, 0.5f), 10, 0));
        graze_body_id rect = kit_add(world, stopping(kit_rect(0, y + 10, 1, 0.5f), 10, 0));
        graze_body_id ray = kit_add(world, stopping_ray(0, y + 20, 10, 0));
        kit_step(world, 1);
        assert_stopped(world, circle, 4.5f, y);
        assert_stopped(world, rect, 4, y + 10);
        assert_stopped(world, ray, 5, y + 20);
    }
    graze_world_destroy(world);
}

static void a_turned_rect_stops_with_its_corner_at_the_wall(void **state)
{
    (void)state;
    graze_world *world = kit_world();
    kit_wall(world, 4, -20, 4, 20);
    graze_body_def def = stopping(kit_rect(0, 0, 1, 1), 10, 0);
    def.angle = 0.78539816f;
    graze_body_id rect = kit_add(world, def);
    kit_step(world, 1);
    assert_stopped(world, rect, 4 - 1.41421356f, 0);
    graze_world_destroy(world);
}

static void sensors_rays_and_what_the_filter_forbids_stop_nobody(void **state)
{
    (void)state;
    graze_world *world = kit_world();
    graze_body_def sensor = kit_circle(2, 0, 1);
    sensor.sensor = true;
    graze_body_id seen = kit_add(world, sensor);
    kit_add(world, kit_moving(kit_bullet(4, 0, 0, 0), 0, 0, GRAZE_PASS));
    graze_body_def stranger = kit_circle(6, 0, 1);
    stranger.filter.category = 2;
    graze_body_id passed = kit_add(world, stranger);
    graze_body_def def = stopping(kit_circle(0, 0, 0.5f), 10, 0);
    def.filter.mask = ~2u;
    graze_body_id mover = kit_add(world, def);
    kit_step(world, 1);
    kit_assert_near_vec2(graze_body_position(world, mover), 10, 0, 1e-5f);
    const graze_contact *contact = kit_find_contact(world, mover, seen);
    assert_non_null(contact);
    assert_int_equal(contact->flags, GRAZE_CONTACT_SENSOR);
    assert_null(kit_find_contact(world, mover, passed));
    graze_world_destroy(world);
}

static void a_sensor_that_moves_is_stopped_but_stops_nobody(void **state)
{
    (void)state;
    graze_world *world = kit_world();
    graze_body_def sensor = stopping(kit_circle(0, 0, 0.5f), 10, 0);
    sensor.sensor = true;
    graze_body_id first = kit_add(world, sensor);
    graze_body_id second = kit_add(world, stopping(kit_circle(10, 0, 0.5f), -2, 0));
    kit_step(world, 1);
    assert_stopped(world, first, 7.5f, 0);
    kit_assert_near_vec2(graze_body_position(world, second), 8, 0, 1e-5f);
    graze_world_destroy(world);
}

static void sliding_along_exactly_is_not_blocked(void **state)
{
    (void)state;
    graze_world *world = kit_world();
    graze_chain_id floor = kit_wall(world, -100, 0, 100, 0);
    graze_body_id block = kit_add(world, kit_rect(0, 50, 100, 1));
    graze_body_id circle = kit_add(world, stopping(kit_circle(0, 0.5f, 0.5f), 10, 0));
    graze_body_id rect = kit_add(world, stopping(kit_rect(20, 1, 2, 1), -3, 0));
    graze_body_id above = kit_add(world, stopping(kit_circle(0, 51.5f, 0.5f), 10, 0));
    kit_step(world, 0.5f);
    kit_assert_near_vec2(graze_body_position(world, circle), 5, 0.5f, 0);
    kit_assert_near_vec2(graze_body_position(world, rect), 18.5f, 1, 0);
    kit_assert_near_vec2(graze_body_position(world, above), 5, 51.5f, 0);
    const graze_contact *contacts[] = {kit_find_wall_contact(world, circle, floor),
                                       kit_find_wall_contact(world, rect, floor),
                                       kit_find_contact(world, above, block)};
    for (uint32_t i = 0; i < 3; ++i) {
        assert_non_null(contacts[i]);
        assert_int_equal(contacts[i]->flags, 0);
    }
    graze_world_destroy(world);
}

// Presses a body against a wall of some slope, then sends it along. Rounding must not hold it.
static void press_and_send_along(random_state *random, bool circle)
{
    const float x = random_float(random, -1, 1);
    const float y = random_float(random, -1, 1);
    const graze_vec2 along = graze_vec2_normalize((graze_vec2){x, y});
    graze_world *world = kit_world();
    graze_chain_id wall = kit_wall(world, -50 * along.x, -50 * along.y, 50 * along.x, 50 * along.y);
    graze_body_def def = circle ? kit_circle(-3 * along.y, 3 * along.x, 0.5f)
                                : kit_rect(-3 * along.y, 3 * along.x, 0.5f, 0.25f);
    def.angle = circle ? 0 : graze_vec2_angle((graze_vec2){1, 0}, along);
    graze_body_id body = kit_add(world, stopping(def, 4 * along.y, -4 * along.x));
    kit_step(world, 1);
    assert_non_null(kit_find_wall_contact(world, body, wall));
    for (int step = 0; step < 100; ++step) {
        const graze_vec2 before = graze_body_position(world, body);
        const graze_vec2 course = {0.2f * along.x, 0.2f * along.y};
        graze_body_set_velocity(world, body, course);
        kit_step(world, 1);
        const graze_vec2 way = graze_vec2_sub(graze_body_position(world, body), before);
        if (!(graze_vec2_dot(way, along) > 0.199f)) {
            fail_msg("held after %d steps along (%a, %a)", step, (double)along.x, (double)along.y);
        }
    }
    const graze_vec2 end = graze_body_position(world, body);
    kit_assert_near(graze_vec2_cross(along, end), circle ? 0.5f : 0.25f, 1e-4f);
    graze_world_destroy(world);
}

static void what_stopped_at_a_slanted_wall_can_go_along_it(void **state)
{
    (void)state;
    random_state random = random_seed(31);
    for (int i = 0; i < 500; ++i) {
        press_and_send_along(&random, i % 2 == 0);
    }
}

static void leaving_an_overlap_is_not_blocked_and_going_deeper_is(void **state)
{
    (void)state;
    for (int sign = -1; sign <= 1; sign += 2) {
        graze_world *world = kit_world();
        kit_wall(world, -100, 0, 100, 0);
        kit_add(world, kit_circle(0, 50, 1));
        float speed = 4 * (float)sign;
        graze_body_id at_wall = kit_add(world, stopping(kit_circle(0, 0.25f, 0.5f), 0, speed));
        graze_body_id rect_at_wall = kit_add(world, stopping(kit_rect(9, 0.25f, 1, 1), 0, speed));
        graze_body_id at_body = kit_add(world, stopping(kit_circle(0, 51, 0.5f), 0, speed));
        kit_step(world, 1);
        float gone = sign > 0 ? speed : 0;
        kit_assert_near_vec2(graze_body_position(world, at_wall), 0, 0.25f + gone, 0);
        kit_assert_near_vec2(graze_body_position(world, rect_at_wall), 9, 0.25f + gone, 0);
        kit_assert_near_vec2(graze_body_position(world, at_body), 0, 51 + gone, 0);
        graze_world_destroy(world);
    }
}

static void a_stopping_mover_reports_only_what_it_met_on_its_way(void **state)
{
    (void)state;
    graze_world *world = kit_world();
    graze_chain_id wall = kit_wall(world, 4, -20, 4, 20);
    graze_chain_id behind = kit_wall(world, 5, -20, 5, 20);
    graze_body_def sensor = kit_circle(2, 0, 0.25f);
    sensor.sensor = true;
    graze_body_id before = kit_add(world, sensor);
    graze_body_id beyond = kit_add(world, kit_circle(8, 0, 1));
    graze_body_id mover = kit_add(world, stopping(kit_circle(0, 0, 0.5f), 10, 0));
    graze_body_id passer = kit_add(world, kit_moving(kit_circle(0, 0, 0), 10, 0, GRAZE_PASS));
    kit_step(world, 1);
    assert_non_null(kit_find_contact(world, mover, before));
    assert_non_null(kit_find_wall_contact(world, mover, wall));
    assert_null(kit_find_wall_contact(world, mover, behind));
    assert_null(kit_find_contact(world, mover, beyond));
    assert_non_null(kit_find_wall_contact(world, passer, behind));
    assert_non_null(kit_find_contact(world, passer, beyond));
    graze_world_destroy(world);
}

static void a_body_that_falls_on_the_floor_stays_on_it(void **state)
{
    (void)state;
    graze_world_def def = graze_world_def_default();
    def.gravity.y = -10;
    graze_world *world = graze_world_create(&def);
    assert_non_null(world);
    graze_chain_id floor = kit_wall(world, -10, -1, 10, 1);
    graze_body_id circle = kit_add(world, stopping(kit_circle(0, 3, 0.5f), 0, 0));
    graze_body_id rect = kit_add(world, stopping(kit_rect(5, 3, 0.5f, 0.5f), 0, 0));
    for (int step = 0; step < 600; ++step) {
        kit_step(world, 1.0f / 60);
        const graze_contact *contact = kit_find_wall_contact(world, circle, floor);
        assert_true(step < 60 || (contact && contact->depth < 1e-4f));
    }
    kit_assert_near_vec2(graze_body_position(world, circle), 0, 0.5f * 1.00499f, 1e-4f);
    assert_non_null(kit_find_wall_contact(world, rect, floor));
    graze_world_destroy(world);
}

// --- Several movers ---

static void bodies_stop_at_bodies_that_stopped(void **state)
{
    (void)state;
    graze_world *world = kit_world();
    kit_wall(world, 20, -5, 20, 5);
    graze_body_id queue[5];
    for (int i = 0; i < 5; ++i) {
        queue[i] = kit_add(world, stopping(kit_circle(3 * (float)i, 0, 0.5f), 20, 0));
    }
    kit_step(world, 1);
    for (int i = 0; i < 5; ++i) {
        assert_stopped(world, queue[i], 19.5f - (float)(4 - i), 0);
    }
    assert_blocked(kit_find_contact(world, queue[3], queue[4]), 9.5f / 20);
    assert_blocked(kit_find_contact(world, queue[0], queue[1]), 15.5f / 20);
    graze_world_destroy(world);
}

static void a_body_that_stopped_stands_in_the_way_of_another(void **state)
{
    (void)state;
    graze_world *world = kit_world();
    kit_wall(world, 4.5f, -1, 4.5f, 1);
    graze_body_id first = kit_add(world, stopping(kit_circle(0, 0, 0.5f), 10, 0));
    graze_body_id second = kit_add(world, stopping(kit_circle(4, 8, 0.5f), 0, -10));
    kit_step(world, 1);
    assert_stopped(world, first, 4, 0);
    assert_stopped(world, second, 4, 1);
    assert_blocked(kit_find_contact(world, first, second), 0.7f);
    graze_world_destroy(world);
}

static void a_body_that_stopped_is_not_met_where_it_would_have_gone(void **state)
{
    (void)state;
    graze_world *world = kit_world();
    kit_wall(world, 2, -1, 2, 1);
    graze_body_id first = kit_add(world, stopping(kit_circle(0, 0, 0.5f), 10, 0));
    graze_body_id second = kit_add(world, stopping(kit_circle(8, 8, 0.5f), 0, -10));
    kit_step(world, 1);
    assert_stopped(world, first, 1.5f, 0);
    assert_null(kit_find_contact(world, first, second));
    kit_assert_near_vec2(graze_body_position(world, second), 8, -2, 1e-5f);
    graze_world_destroy(world);
}

static void a_body_that_stands_is_hit_later_in_the_step(void **state)
{
    (void)state;
    graze_world *world = kit_world();
    graze_chain_id wall = kit_wall(world, 2.5f, -1, 2.5f, 1);
    graze_body_id first = kit_add(world, stopping(kit_circle(0, 0, 0.5f), 10, 0));
    graze_body_id second = kit_add(world, kit_moving(kit_circle(-15, 0, 0.5f), 20, 0, GRAZE_PASS));
    graze_body_id bullet = kit_add(world, kit_bullet(2, 6.5f, 0, -10));
    kit_step(world, 1);
    assert_stopped(world, first, 2, 0);
    assert_blocked(kit_find_wall_contact(world, first, wall), 0.2f);
    const graze_contact *contact = kit_find_contact(world, first, second);
    assert_non_null(contact);
    kit_assert_near(contact->time, 0.8f, 1e-6f);
    assert_int_equal(contact->flags, 0);
    kit_assert_near_vec2(graze_body_position(world, second), 5, 0, 1e-5f);
    assert_blocked(kit_find_contact(world, first, bullet), 0.6f);
    assert_false(graze_body_is_valid(world, bullet));
    graze_world_destroy(world);
}

static void two_that_meet_head_on_both_stop(void **state)
{
    (void)state;
    graze_world *world = kit_world();
    graze_body_id first = kit_add(world, stopping(kit_circle(0, 0, 0.5f), 10, 0));
    graze_body_id second = kit_add(world, stopping(kit_rect(10, 0, 0.5f, 0.5f), -10, 0));
    kit_step(world, 1);
    assert_stopped(world, first, 4.5f, 0);
    assert_stopped(world, second, 5.5f, 0);
    assert_blocked(kit_find_contact(world, first, second), 0.45f);
    graze_world_destroy(world);
}

static void one_that_is_overtaken_is_not_stopped_by_a_passer(void **state)
{
    (void)state;
    graze_world *world = kit_world();
    graze_body_id slow = kit_add(world, stopping(kit_circle(2, 0, 0.5f), 1, 0));
    graze_body_id fast = kit_add(world, kit_moving(kit_circle(0, 0, 0.5f), 11, 0, GRAZE_PASS));
    kit_step(world, 1);
    const graze_contact *contact = kit_find_contact(world, slow, fast);
    assert_non_null(contact);
    kit_assert_near(contact->time, 0.1f, 1e-6f);
    kit_assert_near_vec2(graze_body_position(world, fast), 11, 0, 1e-5f);
    graze_world_destroy(world);
}

// --- A crowd in a box ---

enum { DISCS = 40 };

static void assert_apart(const graze_world *world, const graze_body_id *discs)
{
    for (uint32_t i = 0; i < DISCS; ++i) {
        graze_circle a = {graze_body_position(world, discs[i]), 0.5f};
        assert_true(a.center.x > -7.0001f && a.center.x < 7.0001f && a.center.y > -7.0001f &&
                    a.center.y < 7.0001f);
        for (uint32_t k = 0; k < i; ++k) {
            graze_circle b = {graze_body_position(world, discs[k]), 0.5f};
            graze_manifold overlap = graze_collide_circles(a, b);
            assert_true(overlap.count == 0 || overlap.depths[0] < 1e-5f);
        }
    }
}

static void discs_that_stop_never_get_into_each_other_or_a_wall(void **state)
{
    (void)state;
    random_state random = random_seed(5);
    graze_world *world = kit_world();
    kit_square(world, -7.5f, 7.5f);
    graze_body_id discs[DISCS];
    for (uint32_t i = 0; i < DISCS; ++i) {
        graze_body_def def = kit_circle(2 * (float)(i % 7) - 6, 2 * (float)(i / 7) - 6, 0.5f);
        discs[i] = kit_add(world, stopping(def, 0, 0));
    }
    for (uint32_t step = 0; step < 300; ++step) {
        for (uint32_t i = 0; i < DISCS; ++i) {
            graze_vec2 velocity = {random_float(&random, -9, 9), random_float(&random, -9, 9)};
            assert_int_equal(graze_body_set_velocity(world, discs[i], velocity), GRAZE_OK);
        }
        kit_step(world, 0.5f);
        assert_apart(world, discs);
    }
    graze_world_destroy(world);
}

// --- Order ---

// Bodies that stand apart on a grid of cells: no two touches come at the same time, so that nothing
// is left for ids to decide.
enum { CROWD_SIDE = 8, CROWD = CROWD_SIDE * CROWD_SIDE };

static graze_body_def crowd_member(uint64_t seed, uint32_t member)
{
    random_state random = random_seed(seed * 1000 + member);
    float x = 3 * (float)(member % CROWD_SIDE) + random_float(&random, -0.6f, 0.6f);
    float y = 3 * (float)(member / CROWD_SIDE) + random_float(&random, -0.6f, 0.6f);
    float size = random_float(&random, 0.2f, 0.8f);
    uint32_t kind = random_below(&random, 4);
    graze_body_def def = kind == 0   ? kit_rect(x, y, size, 0.4f)
                         : kind == 1 ? kit_bullet(x, y, 0, 0)
                                     : kit_circle(x, y, size);
    def.angle = kind == 0 ? random_float(&random, -3, 3) : 0;
    def.velocity.x = random_float(&random, -20, 20);
    def.velocity.y = random_float(&random, -20, 20);
    def.response = random_below(&random, 4) ? GRAZE_STOP : GRAZE_PASS;
    def.hit_limit = random_below(&random, 3);
    def.sensor = random_below(&random, 8) == 0;
    def.user_data = member;
    return def;
}

/// The final state of a crowd, by user_data.
typedef struct outcome {
    graze_vec2 positions[CROWD];
    bool valid[CROWD];
    uint32_t contact_count;
    double time_sum;
} outcome;

static void run_crowd(uint64_t seed, const uint32_t *order, outcome *result)
{
    graze_body_id ids[CROWD];
    graze_world *world = kit_world();
    kit_square(world, -5, 30);
    kit_wall(world, 3, 4.5f, 14, 16.5f);
    for (uint32_t i = 0; i < CROWD; ++i) {
        ids[order[i]] = kit_add(world, crowd_member(seed, order[i]));
    }
    kit_step(world, 0.5f);
    graze_contact_list contacts = graze_world_contacts(world);
    result->contact_count = contacts.count;
    result->time_sum = 0;
    for (uint32_t i = 0; i < contacts.count; ++i) {
        result->time_sum += (double)(int)(contacts.data[i].time * 0x1p24f);
    }
    for (uint32_t i = 0; i < CROWD; ++i) {
        result->positions[i] = graze_body_position(world, ids[i]);
        result->valid[i] = graze_body_is_valid(world, ids[i]);
    }
    graze_world_destroy(world);
}

static void shuffle(uint32_t *order, uint32_t count, random_state *random)
{
    for (uint32_t i = count; i > 1; --i) {
        uint32_t other = random_below(random, i);
        uint32_t swapped = order[i - 1];
        order[i - 1] = order[other];
        order[other] = swapped;
    }
}

static void the_result_does_not_depend_on_the_order_of_creation(void **state)
{
    (void)state;
    uint32_t order[CROWD];
    for (uint32_t i = 0; i < CROWD; ++i) {
        order[i] = i;
    }
    for (uint64_t seed = 1; seed <= 100; ++seed) {
        random_state random = random_seed(seed);
        outcome first, second;
        run_crowd(seed, order, &first);
        shuffle(order, CROWD, &random);
        run_crowd(seed, order, &second);
        for (uint32_t i = 0; i < CROWD; ++i) {
            if (memcmp(&first.positions[i], &second.positions[i], sizeof first.positions[i])) {
                print_message("seed %u body %u\n", (unsigned)seed, (unsigned)i);
            }
            kit_assert_same_vec2(first.positions[i], second.positions[i]);
            assert_int_equal(first.valid[i], second.valid[i]);
        }
        assert_int_equal(first.contact_count, second.contact_count);
        assert_true(first.contact_count > 20);
        assert_true(first.time_sum == second.time_sum);
    }
}

// The body rests on a wall with its centre, goes along it past its end, and is lifted a little to
// the side that it did not come from: the straight path there crosses the wall.
static void what_stops_is_not_lifted_to_where_no_straight_way_leads(void **state)
{
    (void)state;
    const graze_vec2 points[] = {{0, 0}, {0, 0.0125f}, {-0.025f, 0}, {-0.0375f, 0}};
    const float aims[] = {0, -0.05f};
    graze_world *world = kit_world();
    kit_chain(world, points, 4, false, false);
    graze_body_id body = kit_add(world, stopping(kit_circle(-0.0375f, 0, 3.05175786e-06f), 0, 0));
    for (int step = 0; step < 2; ++step) {
        const graze_vec2 from = graze_body_position(world, body);
        graze_body_set_velocity(world, body, (graze_vec2){aims[step] - from.x, -from.y});
        kit_step(world, 1);
        const graze_vec2 to = graze_body_position(world, body);
        for (int k = 0; k < 3; ++k) {
            const graze_segment wall = {points[k], points[k + 1]};
            assert_false(graze_crosses(from, to, wall));
        }
    }
    graze_world_destroy(world);
}

// Of two walls that a body is in, one is no deeper in it than rounding leads: it is lifted out of
// that one alone.
static void what_stops_is_lifted_out_of_nothing_that_it_is_deep_in(void **state)
{
    (void)state;
    for (int deep_first = 0; deep_first < 2; ++deep_first) {
        graze_world *world = kit_world();
        const float heights[] = {deep_first ? -0.25f : -0.499f, deep_first ? -0.499f : -0.25f};
        kit_wall(world, -2, heights[0], 2, heights[0]);
        kit_wall(world, -2, heights[1], 2, heights[1]);
        graze_body_id body = kit_add(world, stopping(kit_circle(0, 0, 0.5f), 0, -1));
        for (int step = 0; step < 4; ++step) {
            kit_step(world, 1.0f / 64);
            const graze_vec2 at = graze_body_position(world, body);
            assert_true(at.x == 0 && at.y >= 0 && at.y <= 0.0011f);
        }
        graze_world_destroy(world);
    }
}

// --- What is only touched ---

/// What a body goes past: `count` boxes of this half size, from `first` on, each a place farther.
typedef struct row_of_boxes {
    int count;
    kit_xy first, next, half;
} row_of_boxes;

/// A body that goes past, and where it is after a second.
typedef struct passer {
    const char *name;
    row_of_boxes past;
    bool is_round;
    kit_xy from, velocity, to;
} passer;

static const passer passers[] = {
    {"beside a tall box", {1, {1.5, 32}, {0, 0}, {0.5, 32}}, false, {0.5, 60}, {0, -10}, {0.5, 50}},
    {"beside a column",
     {64, {1.5, 0.5}, {0, 1}, {0.5, 0.5}},
     false,
     {0.5, 60},
     {0, -10},
     {0.5, 50}},
    {"past the top", {1, {1.5, 5}, {0, 0}, {0.5, 5}}, false, {0.5, 15}, {0, -10}, {0.5, 5}},
    {"a disc past the top", {1, {1.5, 5}, {0, 0}, {0.5, 5}}, true, {0.5, 15}, {0, -10}, {0.5, 5}},
    {"off a corner", {1, {1.5, 5}, {0, 0}, {0.5, 5}}, false, {0.5, 10.5}, {-5, -5}, {-4.5, 5.5}},
    {"along a floor",
     {22, {-1.5, -0.5}, {1, 0}, {0.5, 0.5}},
     false,
     {0.5, 0.5},
     {10, 0},
     {10.5, 0.5}},
    {"a disc along a floor",
     {22, {-1.5, -0.5}, {1, 0}, {0.5, 0.5}},
     true,
     {0.5, 0.5},
     {10, 0},
     {10.5, 0.5}},
};

static void add_boxes(const kit_frame *frame, graze_world *world, const row_of_boxes *row,
                      bool are_bodies)
{
    const kit_xy still = {0, 0};
    for (int i = 0; i < row->count; ++i) {
        const kit_xy at = {row->first.x + row->next.x * i, row->first.y + row->next.y * i};
        const kit_xy lower = {at.x - row->half.x, at.y - row->half.y};
        const kit_xy upper = {at.x + row->half.x, at.y + row->half.y};
        const graze_shape box = kit_frame_rect(frame, row->half.x, row->half.y);
        if (are_bodies) {
            kit_add(world, kit_frame_body(frame, box, at, still, GRAZE_PASS));
        } else {
            kit_frame_tile(frame, world, lower, upper);
        }
    }
}

static void assert_goes_past(const kit_frame *frame, const passer *one, bool bodies, bool is_first)
{
    graze_world *world = kit_world();
    const graze_shape shape =
        one->is_round ? kit_frame_circle(frame, 0.5) : kit_frame_rect(frame, 0.5, 0.5);
    const graze_body_def def = kit_frame_body(frame, shape, one->from, one->velocity, GRAZE_STOP);
    graze_body_id body;
    if (is_first) {
        body = kit_add(world, def);
        add_boxes(frame, world, &one->past, bodies);
    } else {
        add_boxes(frame, world, &one->past, bodies);
        body = kit_add(world, def);
    }
    for (int step = 0; step < 60; ++step) {
        kit_step(world, 1.0f / 60);
    }
    kit_frame_assert_near(frame, one->name, kit_frame_position(frame, world, body), one->to,
                          1e-3 + 64 * kit_frame_rounding(frame));
    graze_world_destroy(world);
}

static void what_is_only_touched_in_passing_stops_nobody(void **state)
{
    (void)state;
    for (int f = 0; f < KIT_FRAMES; ++f) {
        for (size_t i = 0; i < sizeof passers / sizeof *passers; ++i) {
            for (int variant = 0; variant < 4; ++variant) {
                assert_goes_past(&kit_frames[f], &passers[i], variant & 1, variant & 2);
            }
        }
    }
}

static void two_lanes_that_touch_go_on(void **state)
{
    (void)state;
    for (int run = 0; run < KIT_FRAMES * 2; ++run) {
        const kit_frame *frame = &kit_frames[run / 2];
        const graze_response other = run % 2 ? GRAZE_STOP : GRAZE_SLIDE;
        const kit_xy at[] = {{0, 0.5}, {3, -0.5}}, way[] = {{5, 0}, {-5, 0}};
        const kit_xy to[] = {{5, 0.5}, {-2, -0.5}};
        graze_world *world = kit_world();
        const graze_shape box = kit_frame_rect(frame, 0.5, 0.5);
        const graze_body_id bodies[] = {
            kit_add(world, kit_frame_body(frame, box, at[0], way[0], GRAZE_STOP)),
            kit_add(world, kit_frame_body(frame, box, at[1], way[1], other))};
        for (int step = 0; step < 60; ++step) {
            kit_step(world, 1.0f / 60);
        }
        for (int i = 0; i < 2; ++i) {
            kit_frame_assert_near(frame, "a lane", kit_frame_position(frame, world, bodies[i]),
                                  to[i], 1e-3 + 64 * kit_frame_rounding(frame));
        }
        graze_world_destroy(world);
    }
}

// What stops on the ground stops there in each step, and holds what falls on it.
static void what_lies_on_the_ground_holds_what_falls_on_it(void **state)
{
    (void)state;
    for (int k = 0; k < 24; ++k) {
        graze_world *world = kit_world_with_gravity(0, -10);
        kit_wall(world, -20, 0, 20, 0);
        const graze_response response = (graze_response)(GRAZE_SLIDE + k % 3);
        const float height = 1.5f + 0.4f * (float)(k / 6);
        const graze_body_def crate =
            k / 3 % 2 ? kit_circle(0, height, 0.5f) : kit_rect(0, height, 0.5f, 0.5f);
        kit_add(world, kit_moving(kit_rect(0, 0.5f, 2, 0.5f), 0, 0, GRAZE_STOP));
        const graze_body_id body = kit_add(world, kit_moving(crate, 0, 0, response));
        for (int step = 0; step < 180; ++step) {
            kit_step(world, 1.0f / 60);
        }
        kit_assert_near(graze_body_position(world, body).y, 1.5f, 0.015f);
        graze_world_destroy(world);
    }
}

// Falls until all has come to rest, and returns how high a body is then.
static float height_at_rest(graze_world *world, graze_body_id body)
{
    for (int step = 0; step < 240; ++step) {
        kit_step(world, 1.0f / 60);
    }
    return graze_body_position(world, body).y;
}

// A column of crates or discs falls on what stands on the ground, or on a crate, and rests there.
// It falls on when that goes. Mass 0 holds it as well.
static void what_stands_holds_columns(void **state)
{
    (void)state;
    for (int k = 0; k < 72; ++k) {
        graze_world *world = kit_world_with_gravity(0, -10);
        kit_wall(world, -20, 0, 20, 0);
        const graze_response response = (graze_response)(GRAZE_SLIDE + k % 3);
        const float low = k / 24 == 1 ? 1.0f : 0.0f, gap = 0.2f * (float)(k / 6 % 2);
        const float mass = k / 24 == 2 ? 0.0f : 1.0f;
        if (k / 24 == 1) {
            kit_add(world, kit_moving(kit_rect(0, 0.5f, 2, 0.5f), 0, 0, GRAZE_RIGID));
        }
        const graze_body_id base = kit_add(
            world, kit_moving_mass(kit_rect(0, low + 0.5f, 2, 0.5f), 0, 0, GRAZE_STOP, mass));
        const int count = 2 + k / 12 % 2;
        graze_body_id bodies[3];
        for (int i = 0; i < count; ++i) {
            const float y = low + 1.5f + (1 + gap) * (float)i;
            const graze_body_def crate =
                k / 3 % 2 ? kit_circle(0, y, 0.5f) : kit_rect(0, y, 0.5f, 0.5f);
            bodies[i] = kit_add(world, kit_moving(crate, 0, 0, response));
        }
        for (int i = 0; i < count; ++i) {
            const float height = height_at_rest(world, bodies[i]);
            kit_assert_near(height, low + 1.5f + (float)i, 0.03f);
        }
        assert_int_equal(graze_body_destroy(world, base), GRAZE_OK);
        const float height = height_at_rest(world, bodies[0]);
        assert_true(height < low + 0.515f); // On a crate it may fall over.
        graze_world_destroy(world);
    }
}

// What much heavier discs press against a disc of mass 0 that stands does not go into it.
static void what_stands_with_mass_0_holds_what_is_pressed(void **state)
{
    (void)state;
    for (int k = 0; k < 9; ++k) {
        const graze_response response = (graze_response)(GRAZE_SLIDE + k % 3);
        const float mass = k / 3 == 0 ? 30.0f : k / 3 == 1 ? 300.0f : 3000.0f;
        graze_world *world = kit_world();
        kit_add(world, kit_moving_mass(kit_circle(0, 0, 0.5f), 0, 0, GRAZE_STOP, 0));
        const graze_body_id pressed =
            kit_add(world, kit_moving_mass(kit_circle(1, 0, 0.5f), 0, 0, response, 1));
        kit_add(world, kit_moving_mass(kit_circle(4, 0, 0.5f), -5, 0, response, mass));
        for (int step = 0; step < 300; ++step) {
            kit_step(world, 1.0f / 60);
            assert_true(graze_body_position(world, pressed).x > 0.99f);
        }
        graze_world_destroy(world);
    }
}

// A crate in the air meets what stops, and moves too: it never gets into it.
static void what_flies_meets_what_stops(void **state)
{
    (void)state;
    for (int k = 0; k < 20; ++k) {
        graze_world *world = kit_world();
        const float speed = 5 + 7 * (float)k;
        const graze_body_id first =
            kit_add(world, kit_moving(kit_rect(0, 0, 1, 1), 5, 0, GRAZE_STOP));
        const graze_body_id other =
            kit_add(world, kit_moving(kit_rect(8, 0, 1, 1), -speed, 0, GRAZE_RIGID));
        for (int step = 0; step < 60; ++step) {
            kit_step(world, 1.0f / 60);
            const float apart =
                graze_body_position(world, other).x - graze_body_position(world, first).x;
            assert_true(apart > 1.99f);
        }
        kit_assert_near(graze_body_position(world, first).x, 6 * 5 / (5 + speed), 1e-3f);
        graze_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_shape_stops_at_a_wall),
        cmocka_unit_test(what_reaches_a_wall_as_the_step_ends_stops_then),
        cmocka_unit_test(every_shape_stops_at_bodies),
        cmocka_unit_test(a_turned_rect_stops_with_its_corner_at_the_wall),
        cmocka_unit_test(sensors_rays_and_what_the_filter_forbids_stop_nobody),
        cmocka_unit_test(a_sensor_that_moves_is_stopped_but_stops_nobody),
        cmocka_unit_test(sliding_along_exactly_is_not_blocked),
        cmocka_unit_test(what_stopped_at_a_slanted_wall_can_go_along_it),
        cmocka_unit_test(leaving_an_overlap_is_not_blocked_and_going_deeper_is),
        cmocka_unit_test(a_stopping_mover_reports_only_what_it_met_on_its_way),
        cmocka_unit_test(a_body_that_falls_on_the_floor_stays_on_it),
        cmocka_unit_test(bodies_stop_at_bodies_that_stopped),
        cmocka_unit_test(a_body_that_stopped_stands_in_the_way_of_another),
        cmocka_unit_test(a_body_that_stopped_is_not_met_where_it_would_have_gone),
        cmocka_unit_test(a_body_that_stands_is_hit_later_in_the_step),
        cmocka_unit_test(two_that_meet_head_on_both_stop),
        cmocka_unit_test(one_that_is_overtaken_is_not_stopped_by_a_passer),
        cmocka_unit_test(discs_that_stop_never_get_into_each_other_or_a_wall),
        cmocka_unit_test(the_result_does_not_depend_on_the_order_of_creation),
        cmocka_unit_test(what_stops_is_not_lifted_to_where_no_straight_way_leads),
        cmocka_unit_test(what_stops_is_lifted_out_of_nothing_that_it_is_deep_in),
        cmocka_unit_test(what_is_only_touched_in_passing_stops_nobody),
        cmocka_unit_test(two_lanes_that_touch_go_on),
        cmocka_unit_test(what_lies_on_the_ground_holds_what_falls_on_it),
        cmocka_unit_test(what_stands_holds_columns),
        cmocka_unit_test(what_stands_with_mass_0_holds_what_is_pressed),
        cmocka_unit_test(what_flies_meets_what_stops),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
