#include "frame_kit.h"
#include "response_kit.h"

#include <math.h>
#include <stdlib.h>

// hit_limit: after that many hits a body is removed, at the point of the last one.

static graze_body_def limited(graze_body_def def, uint32_t hit_limit, graze_response response)
{
    def.hit_limit = hit_limit;
    def.response = response;
    return def;
}

static graze_body_def shape_moving_right(uint32_t kind, float y)
{
    graze_body_def def = kind == 0   ? kit_bullet(0, y, 0, 0)
                         : kind == 1 ? kit_circle(0, y, 0.5f)
                                     : kit_rect(0, y, 0.5f, 0.25f);
    return kit_moving(def, 100, 0, GRAZE_PASS);
}

static float reach_of(uint32_t kind)
{
    return kind == 0 ? 0 : 0.5f;
}

static void a_bullet_is_removed_where_it_hits(void **state)
{
    (void)state;
    graze_world *world = kit_world();
    graze_chain_id wall = kit_wall(world, 4, -5, 4, 5);
    graze_body_def def = kit_bullet(0, 1, 10, 0);
    def.user_data = 77;
    graze_body_id bullet = kit_add(world, def);
    kit_step(world, 1);
    assert_false(graze_body_is_valid(world, bullet));
    kit_assert_near_vec2(graze_body_position(world, bullet), 4, 1, 1e-6f);
    assert_int_equal(graze_body_user_data(world, bullet), 77);
    assert_int_equal(graze_body_shape(world, bullet).kind, GRAZE_SHAPE_RAY);
    const graze_contact *contact = kit_find_wall_contact(world, bullet, wall);
    assert_non_null(contact);
    kit_assert_near(contact->time, 0.4f, 1e-6f);
    kit_assert_near_vec2(contact->point, 4, 1, 1e-6f);
    kit_assert_near_vec2(contact->normal, 1, 0, 1e-6f);
    assert_true(contact->flags & GRAZE_CONTACT_SPENT);
    assert_int_equal(graze_world_get_stats(world).removed_count, 1);
    assert_int_equal(graze_world_get_stats(world).hit_count, 1);
    graze_world_destroy(world);
}

static void a_spent_body_can_be_read_until_the_next_step_and_not_changed(void **state)
{
    (void)state;
    kit_log log;
    graze_world *world = kit_world_logging(&log);
    kit_wall(world, 4, -5, 4, 5);
    graze_body_id bullet = kit_add(world, kit_bullet(0, 1, 10, 0));
    kit_step(world, 1);
    const graze_vec2 zero = {0, 0};
    assert_int_equal(graze_body_destroy(world, bullet), GRAZE_OK);
    assert_int_equal(graze_body_set_position(world, bullet, zero), GRAZE_ERROR_STALE_ID);
    graze_body_id next = kit_add(world, kit_circle(50, 50, 1));
    assert_int_not_equal(next.index, bullet.index);
    kit_assert_near_vec2(graze_body_position(world, bullet), 4, 1, 1e-6f);
    kit_step(world, 1);
    kit_assert_same_vec2(graze_body_position(world, bullet), zero);
    graze_contact_end_list ends = graze_world_contact_ends(world);
    assert_int_equal(ends.count, 1);
    assert_true(kit_is_same(ends.data[0].a, bullet));
    graze_body_id reused = kit_add(world, kit_circle(60, 50, 1));
    assert_int_equal(reused.index, bullet.index);
    assert_int_not_equal(reused.generation, bullet.generation);
    assert_false(graze_body_is_valid(world, bullet));
    graze_world_destroy(world);
}

static void every_shape_passes_through_n_walls_and_stops_being_at_the_nth(void **state)
{
    (void)state;
    for (uint32_t kind = 0; kind < 3; ++kind) {
        for (uint32_t limit = 1; limit <= 6; ++limit) {
            graze_world *world = kit_world();
            for (uint32_t wall = 1; wall <= 5; ++wall) {
                kit_wall(world, 10 * (float)wall, -50, 10 * (float)wall, 50);
            }
            graze_body_def def = limited(shape_moving_right(kind, 0), limit, GRAZE_PASS);
            graze_body_id mover = kit_add(world, def);
            kit_step(world, 1);
            bool spent = limit <= 5;
            float x = spent ? 10 * (float)limit - reach_of(kind) : 100;
            assert_int_equal(graze_body_is_valid(world, mover), !spent);
            kit_assert_near_vec2(graze_body_position(world, mover), x, 0, 1e-5f);
            assert_int_equal(kit_count_contacts(world, mover), spent ? limit : 5);
            uint32_t flags = graze_world_contacts(world).data[(spent ? limit : 5) - 1].flags;
            assert_int_equal(flags, spent ? GRAZE_CONTACT_SPENT : 0);
            graze_world_destroy(world);
        }
    }
}

static void every_shape_passes_through_n_bodies(void **state)
{
    (void)state;
    for (uint32_t kind = 0; kind < 3; ++kind) {
        graze_world *world = kit_world();
        graze_body_id targets[5];
        for (uint32_t i = 0; i < 5; ++i) {
            graze_body_def target = i % 2 ? kit_circle(10 * (float)(i + 1), 0, 1)
                                          : kit_rect(10 * (float)(i + 1), 0, 1, 1);
            targets[i] = kit_add(world, target);
        }
        graze_body_id mover = kit_add(world, limited(shape_moving_right(kind, 0), 3, GRAZE_PASS));
        kit_step(world, 1);
        assert_false(graze_body_is_valid(world, mover));
        kit_assert_near_vec2(graze_body_position(world, mover), 29 - reach_of(kind), 0, 1e-5f);
        for (uint32_t i = 0; i < 5; ++i) {
            const graze_contact *contact = kit_find_contact(world, mover, targets[i]);
            assert_int_equal(contact != NULL, i < 3);
            assert_true(!contact || (contact->flags & GRAZE_CONTACT_SPENT) ==
                                        (i == 2 ? GRAZE_CONTACT_SPENT : 0u));
        }
        graze_world_destroy(world);
    }
}

static void hits_add_up_over_steps(void **state)
{
    (void)state;
    graze_world *world = kit_world();
    for (uint32_t wall = 1; wall <= 5; ++wall) {
        kit_wall(world, 10 * (float)wall, -50, 10 * (float)wall, 50);
    }
    graze_body_id mover = kit_add(world, limited(shape_moving_right(0, 0), 4, GRAZE_PASS));
    for (uint32_t step = 1; step < 7; ++step) {
        assert_true(graze_body_is_valid(world, mover));
        kit_step(world, 1.0f / 16);
    }
    kit_step(world, 1.0f / 16);
    assert_false(graze_body_is_valid(world, mover));
    kit_assert_near_vec2(graze_body_position(world, mover), 40, 0, 1e-5f);
    graze_world_destroy(world);
}

static void a_stopping_body_hits_again_when_it_is_sent_off_again(void **state)
{
    (void)state;
    graze_world *world = kit_world();
    kit_wall(world, 5, -5, 5, 5);
    kit_wall(world, -5, -5, -5, 5);
    graze_body_def def = limited(kit_moving(kit_circle(0, 0, 1), 10, 0, GRAZE_STOP), 2, GRAZE_STOP);
    graze_body_id disc = kit_add(world, def);
    for (uint32_t step = 0; step < 4; ++step) {
        kit_step(world, 1);
        const graze_vec2 onward = {10, 0};
        assert_int_equal(graze_body_set_velocity(world, disc, onward), GRAZE_OK);
        kit_assert_near_vec2(graze_body_position(world, disc), 4, 0, 1e-5f);
    }
    const graze_vec2 back = {-10, 0};
    assert_int_equal(graze_body_set_velocity(world, disc, back), GRAZE_OK);
    kit_step(world, 1);
    assert_false(graze_body_is_valid(world, disc));
    kit_assert_near_vec2(graze_body_position(world, disc), -4, 0, 1e-5f);
    graze_world_destroy(world);
}

// The body bounces off the floor some times and comes to rest: then STAY for ever, and no more
// hits.
static void what_rests_on_a_wall_is_not_hit_again(void **state)
{
    (void)state;
    for (uint32_t kind = 0; kind < 3; ++kind) {
        for (float restitution = 0; restitution < 0.75f; restitution += 0.25f) {
            graze_world_def world_def = graze_world_def_default();
            world_def.gravity.y = -10;
            graze_world *world = graze_world_create(&world_def);
            kit_wall(world, -9, 0, 9, 0);
            graze_body_def def = limited(shape_moving_right(kind, 2), 16, GRAZE_BOUNCE);
            def.velocity.x = 0;
            def.restitution = restitution;
            graze_body_id ball = kit_add(world, def);
            for (uint32_t step = 0; step < 300; ++step) {
                kit_step(world, 1.0f / 60);
            }
            assert_int_equal(graze_world_contacts(world).count, 1);
            assert_int_equal(graze_world_get_stats(world).hit_count, 0);
            assert_true(graze_body_is_valid(world, ball));
            graze_world_destroy(world);
        }
    }
}

// In the step in which it is hit a body goes no farther than it would have gone. So the other one
// runs into it until it may not be deflected any more; all of that is one hit.
static void what_is_pushed_along_is_hit_once(void **state)
{
    (void)state;
    for (uint32_t kind = 0; kind < 3; ++kind) {
        graze_world *world = kit_world();
        graze_body_id slow = kit_add(world, limited(shape_moving_right(kind, 0), 2, GRAZE_BOUNCE));
        const graze_vec2 velocity = {1, 0};
        assert_int_equal(graze_body_set_velocity(world, slow, velocity), GRAZE_OK);
        kit_add(world, kit_moving(kit_circle(-2, 0, 0.5f), 30, 0, GRAZE_PASS));
        kit_step(world, 0.125f);
        assert_int_equal(graze_world_get_stats(world).hit_count, 1);
        assert_true(graze_body_is_valid(world, slow));
        kit_assert_near_vec2(graze_body_velocity(world, slow), 30, 0, 1e-4f);
        graze_world_destroy(world);
    }
}

static void a_bullet_inside_a_target_hits_it_once(void **state)
{
    (void)state;
    graze_world *world = kit_world();
    graze_body_id target = kit_add(world, kit_circle(10, 0, 5));
    graze_body_id bullet = kit_add(world, limited(kit_bullet(0, 0, 2, 0), 2, GRAZE_PASS));
    uint32_t stays = 0;
    for (uint32_t step = 0; step < 10; ++step) {
        kit_step(world, 1);
        const graze_contact *contact = kit_find_contact(world, bullet, target);
        stays += contact && contact->phase == GRAZE_CONTACT_STAY;
        assert_true(graze_body_is_valid(world, bullet));
    }
    assert_true(stays >= 4);
    const graze_vec2 back = {-8, 0};
    assert_int_equal(graze_body_set_velocity(world, bullet, back), GRAZE_OK);
    assert_null(kit_find_contact(world, bullet, target));
    kit_step(world, 1);
    assert_false(graze_body_is_valid(world, bullet));
    kit_assert_near_vec2(graze_body_position(world, bullet), 15, 0, 1e-5f);
    graze_world_destroy(world);
}

static void a_body_made_inside_a_target_hits_it_at_once(void **state)
{
    (void)state;
    graze_world *world = kit_world();
    kit_add(world, kit_circle(0, 0, 5));
    graze_body_id bullet = kit_add(world, kit_bullet(1, 0, 9, 0));
    kit_step(world, 1);
    assert_false(graze_body_is_valid(world, bullet));
    kit_assert_near_vec2(graze_body_position(world, bullet), 1, 0, 0);
    graze_world_destroy(world);
}

static void sensors_rays_and_sensor_chains_are_no_hits(void **state)
{
    (void)state;
    const graze_vec2 points[] = {{20, -5}, {20, 5}};
    for (uint32_t kind = 0; kind < 3; ++kind) {
        graze_world *world = kit_world();
        graze_body_def sensor = kit_circle(10, 0, 1);
        sensor.sensor = true;
        graze_body_id seen = kit_add(world, sensor);
        graze_chain_def def = graze_chain_def_default();
        def.points = points;
        def.count = 2;
        def.sensor = true;
        graze_chain_id gate = graze_chain_create(world, &def);
        graze_body_id ray = kit_add(world, limited(kit_bullet(30, 0, 0, 0), 2, GRAZE_STOP));
        graze_body_id mover = kit_add(world, limited(shape_moving_right(kind, 0), 1, GRAZE_STOP));
        kit_step(world, 1);
        assert_true(graze_body_is_valid(world, mover));
        kit_assert_near_vec2(graze_body_position(world, mover), 100, 0, 1e-5f);
        assert_int_equal(kit_find_contact(world, mover, seen)->flags, GRAZE_CONTACT_SENSOR);
        assert_int_equal(kit_find_wall_contact(world, mover, gate)->flags, GRAZE_CONTACT_SENSOR);
        assert_int_equal(kit_find_contact(world, mover, ray) != NULL, kind > 0);
        assert_int_equal(graze_world_get_stats(world).hit_count, kind > 0); // The ray's own.
        graze_world_destroy(world);
    }
}

static void a_target_that_is_spent_is_not_met_later_in_the_step(void **state)
{
    (void)state;
    graze_world *world = kit_world();
    graze_body_id target = kit_add(world, limited(kit_circle(10, 0, 1), 1, GRAZE_PASS));
    graze_body_id first = kit_add(world, kit_moving(kit_circle(0, 0, 1), 20, 0, GRAZE_STOP));
    graze_body_id second = kit_add(world, kit_moving(kit_circle(10, 20, 1), 0, -40, GRAZE_STOP));
    graze_body_id bullet = kit_add(world, kit_bullet(10, -20, 0, 40));
    kit_step(world, 1);
    assert_false(graze_body_is_valid(world, target));
    const graze_contact *contact = kit_find_contact(world, target, first);
    assert_non_null(contact);
    assert_int_equal(contact->flags, GRAZE_CONTACT_BLOCKED | GRAZE_CONTACT_SPENT);
    kit_assert_near_vec2(graze_body_position(world, first), 8, 0, 1e-5f);
    assert_null(kit_find_contact(world, target, second));
    assert_null(kit_find_contact(world, target, bullet));
    kit_assert_near_vec2(graze_body_position(world, second), 10, -20, 1e-5f);
    graze_world_destroy(world);
}

static void two_that_are_spent_on_each_other_go_together(void **state)
{
    (void)state;
    graze_world *world = kit_world();
    graze_body_id first =
        kit_add(world, limited(kit_moving(kit_circle(0, 0, 1), 10, 0, GRAZE_PASS), 1, GRAZE_PASS));
    graze_body_id second = kit_add(
        world, limited(kit_moving(kit_rect(12, 0, 1, 1), -10, 0, GRAZE_STOP), 1, GRAZE_STOP));
    kit_step(world, 1);
    assert_false(graze_body_is_valid(world, first));
    assert_false(graze_body_is_valid(world, second));
    kit_assert_near_vec2(graze_body_position(world, first), 5, 0, 1e-5f);
    kit_assert_near_vec2(graze_body_position(world, second), 7, 0, 1e-5f);
    assert_int_equal(graze_world_get_stats(world).hit_count, 2);
    assert_int_equal(graze_world_get_stats(world).removed_count, 2);
    graze_world_destroy(world);
}

static void contacts_name_what_was_hit(void **state)
{
    (void)state;
    graze_world *world = kit_world();
    graze_body_id enemies[3];
    for (uint32_t i = 0; i < 3; ++i) {
        graze_body_def def = kit_circle(10 * (float)(i + 1), 0, 1);
        def.user_data = 100 + i;
        enemies[i] = kit_add(world, def);
    }
    graze_body_id bullet = kit_add(world, limited(shape_moving_right(0, 0), 2, GRAZE_PASS));
    kit_step(world, 1);
    graze_contact_list contacts = graze_world_contacts(world);
    assert_int_equal(contacts.count, 2);
    for (uint32_t i = 0; i < 2; ++i) {
        assert_true(kit_is_same(contacts.data[i].a, enemies[i]));
        assert_true(kit_is_same(contacts.data[i].b, bullet));
        assert_int_equal(graze_body_user_data(world, contacts.data[i].a), 100 + i);
        kit_assert_near_vec2(contacts.data[i].normal, -1, 0, 1e-6f);
    }
    graze_world_destroy(world);
}

// --- Corners ---

static void assert_corner_is_one_hit(const graze_vec2 points[3], graze_vec2 from, graze_vec2 way,
                                     float radius)
{
    graze_world *world = kit_world();
    graze_chain_def def = graze_chain_def_default();
    def.points = points;
    def.count = 3;
    graze_chain_create(world, &def);
    assert_int_equal(graze_world_last_status(world), GRAZE_OK);
    graze_body_def mover =
        radius > 0 ? kit_circle(from.x, from.y, radius) : kit_bullet(from.x, from.y, 0, 0);
    mover = limited(kit_moving(mover, way.x, way.y, GRAZE_PASS), 2, GRAZE_PASS);
    graze_body_id body = kit_add(world, mover);
    kit_step(world, 1);
    uint32_t contacts = kit_count_contacts(world, body);
    uint64_t hits = graze_world_get_stats(world).hit_count;
    if (hits > 1 || (hits == 1) != (contacts > 0)) {
        fail_msg("%u hits in %u contacts: from (%a, %a) by (%a, %a), corner (%a, %a) (%a, %a) "
                 "(%a, %a)",
                 (unsigned)hits, (unsigned)contacts, (double)from.x, (double)from.y, (double)way.x,
                 (double)way.y, (double)points[0].x, (double)points[0].y, (double)points[1].x,
                 (double)points[1].y, (double)points[2].x, (double)points[2].y);
    }
    graze_world_destroy(world);
}

static graze_vec2 random_point(random_state *random, float extent)
{
    graze_vec2 point;
    point.x = random_float(random, -extent, extent);
    point.y = random_float(random, -extent, extent);
    return point;
}

// Bullets that go exactly through the corner of two random walls.
static void shoot_at_corners(uint64_t seed, int extent)
{
    random_state random = random_seed(seed);
    for (uint32_t i = 0; i < 2000; ++i) {
        graze_vec2 points[3];
        points[0] = random_point(&random, i % 2 ? 100 : 0.3f);
        points[2] = random_point(&random, 100);
        points[1].x = (float)random_integer(&random, -extent, extent);
        points[1].y = (float)random_integer(&random, -extent, extent);
        graze_vec2 unit = {(float)random_integer(&random, -9, 9),
                           (float)random_integer(&random, -9, 9)};
        float before = (float)random_integer(&random, 1, 7);
        float whole = before + (float)random_integer(&random, 0, 7);
        graze_vec2 from = {points[1].x - before * unit.x, points[1].y - before * unit.y};
        graze_vec2 way = {whole * unit.x, whole * unit.y};
        assert_corner_is_one_hit(points, from, way, 0);
    }
}

static void a_bullet_through_a_corner_of_a_chain_hits_once(void **state)
{
    (void)state;
    shoot_at_corners(8, 50);
}

static void a_bullet_through_a_corner_of_walls_a_million_long_hits_once(void **state)
{
    (void)state;
    shoot_at_corners(9, 4000000);
}

static void a_disc_that_runs_into_a_corner_hits_once(void **state)
{
    (void)state;
    const graze_vec2 spike[3] = {{10, 5}, {4, 0}, {10, -5}};
    const graze_vec2 from = {0, 0};
    const graze_vec2 way = {3.75f, 0};
    assert_corner_is_one_hit(spike, from, way, 0.5f);
}

static void what_is_made_across_a_corner_is_hit_once_by_each_chain(void **state)
{
    (void)state;
    const graze_vec2 corner[3] = {{-5, 0}, {0, 0.25f}, {5, 0}};
    for (uint32_t chains = 1; chains <= 2; ++chains) {
        graze_world *world = kit_world();
        for (uint32_t i = 0; i < chains; ++i) {
            kit_chain(world, corner, 3, false, false);
        }
        graze_body_id body = kit_add(world, limited(kit_circle(0.125f, 0.5f, 1), 3, GRAZE_PASS));
        kit_step(world, 1);
        assert_int_equal(graze_world_get_stats(world).begin_count, 2 * chains);
        assert_int_equal(graze_world_get_stats(world).hit_count, chains);
        assert_true(graze_body_is_valid(world, body));
        graze_world_destroy(world);
    }
}

// Slides a body 10 units along a floor of segments of one unit. Returns the number of hits.
static uint64_t slide_over_pieces(bool of_tiles)
{
    graze_world *world = kit_world_with_gravity(0, -10);
    graze_vec2 joints[21];
    for (int x = 0; x <= 20; ++x) {
        const float left = (float)x;
        const graze_vec2 tile[4] = {{left, 0}, {left, -1}, {left + 1, -1}, {left + 1, 0}};
        joints[x] = tile[0];
        if (of_tiles) {
            kit_chain(world, tile, 4, true, false);
        }
    }
    if (!of_tiles) {
        kit_chain(world, joints, 21, false, false);
    }
    graze_body_def def = kit_moving(kit_circle(2.5f, 0.5f, 0.5f), 5, 0, GRAZE_SLIDE);
    def.hit_limit = 1000;
    graze_body_id body = kit_add(world, def);
    uint64_t hits = 0;
    uint64_t begins = 0;
    while (graze_body_position(world, body).x < 12.25f) {
        kit_step(world, 1.0f / 60);
        hits += graze_world_get_stats(world).hit_count;
        begins += graze_world_get_stats(world).begin_count;
    }
    assert_true(hits <= begins);
    graze_world_destroy(world);
    return hits;
}

static void what_slides_is_hit_by_each_segment(void **state)
{
    (void)state;
    assert_int_equal(slide_over_pieces(false), 11);
    assert_in_range(slide_over_pieces(true), 12, 22);
}

// Into each corner of a room along its diagonal: both walls are met at one time.
static void assert_bounce_is_one_hit(const kit_frame *frame, bool is_rect, graze_response response,
                                     uint32_t limit)
{
    static const kit_xy room[] = {{-5, -5}, {5, -5}, {5, 5}, {-5, 5}};
    const kit_xy centre = {0, 0}, velocity = {60, 60};
    graze_world *world = kit_world();
    kit_frame_chain(frame, world, room, 4, true, graze_filter_default());
    graze_body_def def = kit_frame_body(
        frame, is_rect ? kit_frame_rect(frame, 0.5, 0.5) : kit_frame_circle(frame, 0.5), centre,
        velocity, response);
    def.restitution = 1;
    def.friction = 0; // As a mirror.
    def.hit_limit = limit;
    const graze_body_id body = kit_add(world, def);
    uint32_t hits = 0;
    for (int step = 0; step < 6; ++step) {
        kit_step(world, 1.0f / 60);
        hits += (uint32_t)graze_world_get_stats(world).hit_count;
    }
    assert_int_equal(hits, 1);
    assert_int_equal(graze_body_is_valid(world, body), limit != 1);
    assert_int_equal(graze_body_hit_limit(world, body), limit < 2 ? 0 : limit - 1);
    if (response == GRAZE_BOUNCE && limit != 1) {
        const kit_xy back = {-60, -60};
        kit_frame_assert_near(frame, "the corner", kit_frame_velocity(frame, world, body), back,
                              1e-3);
    }
    graze_world_destroy(world);
}

static void what_bounces_into_a_corner_is_hit_once(void **state)
{
    (void)state;
    for (int f = 0; f < KIT_FRAMES; ++f) {
        for (uint32_t limit = 0; limit < 4; ++limit) {
            const bool is_exact = kit_frame_rounding(&kit_frames[f]) < 1e-5;
            for (int variant = 0; variant < 6 && is_exact; ++variant) {
                const graze_response response = (graze_response)(GRAZE_STOP + variant / 2);
                assert_bounce_is_one_hit(&kit_frames[f], variant % 2, response, limit);
            }
        }
    }
}

// --- What is driven, and what is rigid ---

enum { LANDING = 180 };

// A platform without weight, of 20 by 1, whose top is at 0.
static graze_body_id add_platform(graze_world *world, graze_response response, uint32_t hit_limit)
{
    graze_body_def def = limited(kit_rect(0, -0.5f, 10, 0.5f), hit_limit, response);
    def.mass = 0;
    return kit_add(world, def);
}

static graze_body_id drop(graze_world *world, bool rect, float y, graze_response response)
{
    return kit_add(world, kit_moving(rect ? kit_rect(0, y, 0.5f, 0.5f) : kit_circle(0, y, 0.5f), 0,
                                     0, response));
}

static void run(graze_world *world, int steps)
{
    for (int step = 0; step < steps; ++step) {
        kit_step(world, 1.0f / 60);
    }
}

// Two bodies, one on the other: the lower one is the only hit, however long they lie.
static void a_platform_with_a_hit_limit_carries_as_any_other(void **state)
{
    (void)state;
    for (uint32_t k = 0; k < 12; ++k) {
        const graze_response response = k % 2 ? GRAZE_STOP : GRAZE_PASS;
        const graze_response of_bodies = (graze_response)(GRAZE_SLIDE + k / 2 % 3);
        const bool lifted = k >= 6;
        graze_world *world = kit_world_with_gravity(0, -10);
        const graze_body_id platform = add_platform(world, response, 3);
        const graze_body_id lower = drop(world, true, 1, of_bodies);
        const graze_body_id upper = drop(world, true, 2, of_bodies);
        run(world, LANDING);
        if (lifted) {
            graze_body_set_velocity(world, platform, (graze_vec2){0, 1});
        }
        run(world, LANDING);
        const float top = graze_body_position(world, platform).y + 0.5f;
        kit_assert_near(graze_body_position(world, lower).y, top + 0.5f, 0.01f);
        kit_assert_near(graze_body_position(world, upper).y, top + 1.5f, 0.02f);
        assert_int_equal(graze_body_hit_limit(world, platform), 2);
        assert_true(graze_body_is_asleep(world, lower) == !lifted);
        graze_world_destroy(world);
    }
}

static void a_platform_that_is_spent_lets_fall_what_lies_on_it(void **state)
{
    (void)state;
    for (uint32_t k = 0; k < 8; ++k) {
        graze_world *world = kit_world_with_gravity(0, -10);
        const graze_body_id platform = add_platform(world, k % 2 ? GRAZE_STOP : GRAZE_PASS, 2);
        const graze_body_id body = drop(world, k & 2, k & 4 ? 0.5f : 2, GRAZE_RIGID);
        run(world, LANDING);
        kit_assert_near(graze_body_position(world, body).y, 0.5f, 0.01f);
        kit_add(world, kit_rect(5, 1, 0.5f, 0.5f));
        run(world, LANDING);
        assert_false(graze_body_is_valid(world, platform));
        assert_true(graze_body_position(world, body).y < -1);
        graze_world_destroy(world);
    }
}

// What holds all others holds what is rigid, too, whichever is made first.
static void what_stops_and_has_no_mass_holds_what_is_rigid(void **state)
{
    (void)state;
    for (uint32_t k = 0; k < 4; ++k) {
        graze_world *world = kit_world();
        graze_body_def block = kit_moving(kit_rect(3, 0, 1, 1), 0, 0, GRAZE_STOP);
        block.mass = 0;
        const graze_body_def disc = kit_moving(kit_circle(0, 0, 0.5f), 4, 0, GRAZE_RIGID);
        graze_body_id body = kit_add(world, k % 2 ? block : disc);
        const graze_body_id other = kit_add(world, k % 2 ? disc : block);
        body = k % 2 ? other : body;
        run(world, LANDING);
        kit_assert_near(graze_body_position(world, body).x, 1.5f, 0.01f);
        graze_world_destroy(world);
    }
}

// Rays are not solid, whether they respond or not.
static void no_ray_hits_a_rigid_body(void **state)
{
    (void)state;
    for (uint32_t k = 0; k < 5; ++k) {
        graze_world *world = kit_world();
        const graze_body_id body = kit_add(
            world, limited(kit_moving(kit_circle(0, 0, 1), 0, 0, GRAZE_RIGID), 2, GRAZE_RIGID));
        graze_body_def ray = kit_bullet(-3, 0.25f, 120, 0);
        ray.response = (graze_response)k;
        ray.hit_limit = 0;
        kit_add(world, ray);
        run(world, 4);
        assert_int_equal(graze_body_hit_limit(world, body), 2);
        graze_world_destroy(world);
    }
}

// A sensor stops nothing, but counts its own hits.
static void a_rigid_sensor_counts_its_hits(void **state)
{
    (void)state;
    for (uint32_t k = 0; k < 4; ++k) {
        graze_world *world = kit_world_with_gravity(0, -10);
        if (k % 2) {
            add_platform(world, GRAZE_PASS, 0);
        } else {
            kit_wall(world, -10, 0, 10, 0);
        }
        graze_body_def def = limited(kit_rect(0, k & 2 ? 0.5f : 2, 0.5f, 0.5f), 1, GRAZE_RIGID);
        def.sensor = true;
        const graze_body_id sensor = kit_add(world, def);
        run(world, LANDING);
        assert_false(graze_body_is_valid(world, sensor));
        graze_world_destroy(world);
    }
}

// --- What the solver moves, in the order of time ---

static graze_world *load_copy(const graze_world *world)
{
    size_t size;
    void *bytes = kit_save(world, &size);
    graze_world *copy = kit_world();
    kit_load(copy, bytes, size);
    free(bytes);
    return copy;
}

static void assert_removed(const graze_world *world, graze_body_id body, float time, float x)
{
    const graze_removal_list removals = graze_world_removals(world);
    assert_int_equal(removals.count, 1);
    assert_true(kit_is_same(removals.data[0].id, body));
    kit_assert_near(removals.data[0].time, time, 1e-5f);
    kit_assert_near(removals.data[0].point.x, x, 1e-5f);
}

// It passes three at 3, 6 and 9 in one step, whichever of all four are made first.
static void what_is_rigid_is_removed_at_its_nth_hit(void **state)
{
    (void)state;
    for (uint32_t k = 0; k < 48; ++k) {
        const uint32_t limit = 1 + k % 3, first = k / 3 % 4;
        graze_world *world = kit_world();
        graze_body_def moving = k & 16 ? kit_rect(0, 0, 0.5f, 0.25f) : kit_circle(0, 0, 0.5f);
        moving = limited(kit_moving(moving, 600, 0, GRAZE_RIGID), limit, GRAZE_RIGID);
        moving.sensor = k / 32;
        moving.filter.pass = k / 32 ? 0 : 2;
        graze_body_id body = {0, 0};
        for (uint32_t i = first; i < first + 4; ++i) {
            const uint32_t place = i % 4;
            graze_body_def other =
                kit_moving(kit_circle(3.0f * (float)place, 0, 0.5f), 0, 0, GRAZE_PASS);
            other.filter.category = 2;
            const graze_body_id made = kit_add(world, place ? other : moving);
            body = place ? body : made;
        }
        graze_world *copy = load_copy(world);
        kit_step(world, 1.0f / 60);
        kit_step(copy, 1.0f / 60);
        assert_removed(world, body, 0.3f * (float)limit - 0.1f, 3 * (float)limit - 1);
        assert_int_equal(graze_world_contacts(world).count, limit);
        kit_assert_near_vec2(graze_body_velocity(world, body), 600, 0, 0);
        assert_null(kit_find_difference(world, copy));
        graze_world_destroy(world);
        graze_world_destroy(copy);
    }
}

// Its last hit takes no speed and no spin: also where the solver has stopped it.
static void the_last_hit_of_what_is_rigid_leaves_it_as_it_was(void **state)
{
    (void)state;
    for (uint32_t k = 0; k < 8; ++k) {
        graze_world *world = kit_world();
        graze_body_def block = kit_moving(kit_rect(3, 0, 1, 3), 0, 0, GRAZE_RIGID);
        block.mass = k % 4 == 3 ? 5 : 0;
        block.response = k % 4 == 1 ? GRAZE_PASS : GRAZE_RIGID;
        if (k % 4) {
            kit_add(world, block);
        } else {
            kit_wall(world, 2, -5, 2, 5);
        }
        graze_body_def def =
            limited(kit_moving(kit_circle(0, 0, 0.5f), 12, 3, GRAZE_RIGID), 1, GRAZE_RIGID);
        def.spin = 4;
        def.restitution = k < 4 ? 0 : 0.5f;
        const graze_body_id body = kit_add(world, def);
        run(world, 8);
        assert_removed(world, body, 0.5f, 1.5f);
        kit_assert_near_vec2(graze_body_velocity(world, body), 12, 3, 1e-5f);
        kit_assert_near(graze_body_spin(world, body), 4, 1e-5f);
        graze_world_destroy(world);
    }
}

// Two land on a wall from both sides in one step: the first one's hit is the wall's last.
static void the_first_that_lands_in_a_step_spends_what_is_driven(void **state)
{
    (void)state;
    for (uint32_t k = 0; k < 2; ++k) {
        graze_world *world = kit_world();
        const graze_body_id wall = kit_add(world, limited(kit_rect(0, 0, 0.5f, 2), 1, GRAZE_PASS));
        for (uint32_t i = 0; i < 2; ++i) {
            const float side = i == k ? 1 : -1, gap = i == k ? 0.02f : 0.05f;
            kit_add(world,
                    kit_moving(kit_circle(side * (1 + gap), 0, 0.5f), -6 * side, 0, GRAZE_RIGID));
        }
        kit_step(world, 1.0f / 60);
        assert_removed(world, wall, 0.2f, 0);
        assert_int_equal(graze_world_contacts(world).count, 1);
        graze_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bullet_is_removed_where_it_hits),
        cmocka_unit_test(a_spent_body_can_be_read_until_the_next_step_and_not_changed),
        cmocka_unit_test(every_shape_passes_through_n_walls_and_stops_being_at_the_nth),
        cmocka_unit_test(every_shape_passes_through_n_bodies),
        cmocka_unit_test(hits_add_up_over_steps),
        cmocka_unit_test(a_stopping_body_hits_again_when_it_is_sent_off_again),
        cmocka_unit_test(what_rests_on_a_wall_is_not_hit_again),
        cmocka_unit_test(what_is_pushed_along_is_hit_once),
        cmocka_unit_test(a_bullet_inside_a_target_hits_it_once),
        cmocka_unit_test(a_body_made_inside_a_target_hits_it_at_once),
        cmocka_unit_test(sensors_rays_and_sensor_chains_are_no_hits),
        cmocka_unit_test(a_target_that_is_spent_is_not_met_later_in_the_step),
        cmocka_unit_test(two_that_are_spent_on_each_other_go_together),
        cmocka_unit_test(contacts_name_what_was_hit),
        cmocka_unit_test(a_bullet_through_a_corner_of_a_chain_hits_once),
        cmocka_unit_test(a_bullet_through_a_corner_of_walls_a_million_long_hits_once),
        cmocka_unit_test(a_disc_that_runs_into_a_corner_hits_once),
        cmocka_unit_test(what_bounces_into_a_corner_is_hit_once),
        cmocka_unit_test(what_is_made_across_a_corner_is_hit_once_by_each_chain),
        cmocka_unit_test(what_slides_is_hit_by_each_segment),
        cmocka_unit_test(a_platform_with_a_hit_limit_carries_as_any_other),
        cmocka_unit_test(a_platform_that_is_spent_lets_fall_what_lies_on_it),
        cmocka_unit_test(what_stops_and_has_no_mass_holds_what_is_rigid),
        cmocka_unit_test(no_ray_hits_a_rigid_body),
        cmocka_unit_test(a_rigid_sensor_counts_its_hits),
        cmocka_unit_test(what_is_rigid_is_removed_at_its_nth_hit),
        cmocka_unit_test(the_last_hit_of_what_is_rigid_leaves_it_as_it_was),
        cmocka_unit_test(the_first_that_lands_in_a_step_spends_what_is_driven),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
