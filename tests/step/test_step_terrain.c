#include "world_kit.h"

#include <math.h>

// Terrain is watertight: a body that starts in a closed loop never leaves it: not at vertices, not
// along walls, and not after landing exactly on one.

enum { STAR_POINTS = 24, MOVERS = 30 };

/// A closed loop, and a point that is inside it.
typedef struct arena {
    graze_vec2 points[STAR_POINTS];
    uint32_t count;
    graze_vec2 inside;
    float size;
} arena;

static graze_vec2 around(graze_vec2 center, float x, float y)
{
    graze_vec2 point = {center.x + x, center.y + y};
    return point;
}

static arena make_square(graze_vec2 center, float size)
{
    arena place = {.count = 4, .inside = center, .size = size};
    place.points[0] = around(center, -size, -size);
    place.points[1] = around(center, size, -size);
    place.points[2] = around(center, size, size);
    place.points[3] = around(center, -size, size);
    return place;
}

static arena make_star(graze_vec2 center, float size, random_state *random)
{
    arena place = {.count = STAR_POINTS, .inside = center, .size = size};
    for (uint32_t i = 0; i < STAR_POINTS; ++i) {
        double angle = 6.283185307179586 * (double)i / STAR_POINTS;
        double radius = (double)(size * (i % 2 ? random_float(random, 0.3f, 0.6f) : 1));
        place.points[i] =
            around(center, (float)(radius * cos(angle)), (float)(radius * sin(angle)));
    }
    return place;
}

// A path from a point inside crosses the loop an even number of times; graze_crosses keeps count
// also where it goes through vertices or ends on a wall.
static bool is_inside(const arena *place, graze_vec2 position)
{
    bool inside = true;
    for (uint32_t i = 0; i < place->count; ++i) {
        graze_segment wall = {place->points[i], place->points[(i + 1) % place->count]};
        inside ^= graze_crosses(place->inside, position, wall);
    }
    return inside;
}

// Somewhere to go: at random, exactly to a vertex, or exactly (but for rounding) to a wall.
static graze_vec2 choose_goal(const arena *place, random_state *random)
{
    uint32_t corner = random_below(random, place->count);
    graze_vec2 a = place->points[corner];
    graze_vec2 b = place->points[(corner + 1) % place->count];
    switch (random_below(random, 4)) {
    case 0:
        return a;
    case 1:
        return graze_vec2_add(a,
                              graze_vec2_scale(graze_vec2_sub(b, a), random_float(random, 0, 1)));
    case 2:
        return graze_vec2_add(a, graze_vec2_scale(graze_vec2_sub(b, a), 0.5f));
    default:
        a.x = random_float(random, -3, 3);
        a.y = random_float(random, -3, 3);
        return graze_vec2_add(place->inside, graze_vec2_scale(a, place->size));
    }
}

static graze_body_def make_mover(const arena *place, uint32_t number, random_state *random)
{
    float x = place->inside.x + random_float(random, -0.05f, 0.05f) * place->size;
    float y = place->inside.y;
    float size = 0.02f * place->size * (float)(1 + number % 5);
    graze_body_def def = kit_circle(x, y, number % 6 ? size : 0);
    if (number % 3 == 0) {
        def = kit_bullet(x, y, 0, 0);
        def.hit_limit = 0;
    } else if (number % 3 == 1) {
        def = kit_rect(x, y, size, size / 2);
        def.angle = random_float(random, -3, 3);
        def.spin = number % 2 ? 1.0f : 0;
    }
    const graze_response responses[] = {GRAZE_STOP, GRAZE_SLIDE, GRAZE_BOUNCE};
    def.response = responses[number / 6 % 3];
    def.restitution = 0.9f;
    def.filter.group = number % 2 ? -1 : 0;
    return def;
}

static void send_off(graze_world *world, const arena *place, const graze_body_id *movers,
                     random_state *random)
{
    for (uint32_t i = 0; i < MOVERS; ++i) {
        graze_vec2 goal = choose_goal(place, random);
        graze_vec2 way = graze_vec2_sub(goal, graze_body_position(world, movers[i]));
        float factor = random_below(random, 3) ? 1 : random_float(random, 0, 40);
        assert_int_equal(graze_body_set_velocity(world, movers[i], graze_vec2_scale(way, factor)),
                         GRAZE_OK);
    }
}

static void assert_all_inside(const graze_world *world, const arena *place,
                              const graze_body_id *movers, uint32_t step)
{
    for (uint32_t i = 0; i < MOVERS; ++i) {
        graze_vec2 position = graze_body_position(world, movers[i]);
        assert_true(graze_body_is_valid(world, movers[i]));
        if (!is_inside(place, position)) {
            fail_msg("mover %u left at step %u, to (%a, %a)", (unsigned)i, (unsigned)step,
                     (double)position.x, (double)position.y);
        }
    }
}

static uint32_t count_blocked(const graze_world *world)
{
    graze_contact_list contacts = graze_world_contacts(world);
    uint32_t count = 0;
    for (uint32_t i = 0; i < contacts.count; ++i) {
        count += (contacts.data[i].flags & GRAZE_CONTACT_BLOCKED) != 0;
    }
    return count;
}

// Sends movers at the walls for some steps. Returns how often one was blocked.
static uint32_t send_off_for(graze_world *world, const arena *place, uint32_t steps,
                             random_state *random)
{
    graze_body_id movers[MOVERS];
    for (uint32_t i = 0; i < MOVERS; ++i) {
        movers[i] = kit_add(world, make_mover(place, i, random));
    }
    uint32_t blocked = 0;
    for (uint32_t step = 0; step < steps; ++step) {
        send_off(world, place, movers, random);
        kit_step(world, 1);
        assert_all_inside(world, place, movers, step);
        blocked += count_blocked(world);
    }
    return blocked;
}

static void try_to_leave(const arena *place, uint64_t seed, uint32_t steps)
{
    random_state random = random_seed(seed);
    graze_world *world = kit_world();
    kit_loop(world, place->points, place->count);
    assert_true(send_off_for(world, place, steps, &random) > steps);
    graze_world_destroy(world);
}

static void nothing_leaves_a_square(void **state)
{
    (void)state;
    const graze_vec2 centers[] = {{0, 0}, {1000.3f, -999.7f}, {1e6f, 1e6f}, {0.001f, -3e7f}};
    for (uint32_t i = 0; i < 4; ++i) {
        arena place = make_square(centers[i], 10);
        try_to_leave(&place, 10 + i, 150);
    }
}

static void nothing_leaves_a_star(void **state)
{
    (void)state;
    const graze_vec2 centers[] = {{0, 0}, {1000.3f, -999.7f}, {1e6f, 1e6f}};
    for (uint32_t i = 0; i < 6; ++i) {
        random_state random = random_seed(20 + i);
        arena place = make_star(centers[i % 3], 10, &random);
        try_to_leave(&place, 30 + i, 100);
    }
}

static void nothing_leaves_a_tiny_or_a_huge_star(void **state)
{
    (void)state;
    const graze_vec2 origin = {0, 0};
    const float sizes[] = {1e-6f, 1e-3f, 1e6f, 1e15f};
    for (uint32_t i = 0; i < 4; ++i) {
        random_state random = random_seed(40 + i);
        arena place = make_star(origin, sizes[i], &random);
        try_to_leave(&place, 50 + i, 60);
    }
}

static void nothing_leaves_where_two_loops_share_their_walls(void **state)
{
    (void)state;
    random_state random = random_seed(60);
    const graze_vec2 origin = {0, 0};
    arena place = make_star(origin, 10, &random);
    graze_world *world = kit_world();
    kit_loop(world, place.points, place.count);
    graze_vec2 reversed[STAR_POINTS];
    for (uint32_t i = 0; i < place.count; ++i) {
        reversed[i] = place.points[place.count - 1 - i];
    }
    kit_loop(world, reversed, place.count);
    assert_true(send_off_for(world, &place, 100, &random) > 100);
    graze_world_destroy(world);
}

// A bullet that is removed at a wall is inside, too: its mark belongs on this side.
static void bullets_are_spent_on_the_near_side(void **state)
{
    (void)state;
    random_state random = random_seed(70);
    const graze_vec2 center = {100, 50};
    arena place = make_star(center, 10, &random);
    graze_world *world = kit_world();
    kit_loop(world, place.points, place.count);
    for (uint32_t round = 0; round < 60; ++round) {
        graze_body_id bullets[MOVERS];
        for (uint32_t i = 0; i < MOVERS; ++i) {
            graze_vec2 way = graze_vec2_sub(choose_goal(&place, &random), place.inside);
            way = graze_vec2_scale(way, 5);
            bullets[i] = kit_add(world, kit_bullet(center.x, center.y, way.x, way.y));
        }
        kit_step(world, 1);
        for (uint32_t i = 0; i < MOVERS; ++i) {
            bool valid = graze_body_is_valid(world, bullets[i]);
            assert_true(is_inside(&place, graze_body_position(world, bullets[i])));
            if (valid) {
                assert_int_equal(graze_body_destroy(world, bullets[i]), GRAZE_OK);
            }
        }
    }
    graze_world_destroy(world);
}

static graze_vec2 lattice_or_any_point(random_state *random, bool lattice)
{
    graze_vec2 point = {random_float(random, -9, 9), random_float(random, -9, 9)};
    graze_vec2 node = {(float)random_integer(random, -9, 9), (float)random_integer(random, -9, 9)};
    return lattice ? node : point;
}

// Moves from one side of a wall to a place on it, or a rounding step beside it, and on from there.
static uint32_t cross_by_landing(graze_world *world, graze_body_id bullet, random_state *random,
                                 bool lattice)
{
    graze_vec2 a = lattice_or_any_point(random, lattice);
    graze_vec2 way = lattice_or_any_point(random, lattice);
    way.x = way.x == 0 && way.y == 0 ? 1 : way.x;
    graze_vec2 b = graze_vec2_add(a, graze_vec2_scale(way, 2));
    graze_vec2 landing = graze_vec2_add(a, way);
    graze_vec2 off = {-way.y, way.x};
    graze_chain_id wall = kit_wall(world, a.x, a.y, b.x, b.y);
    graze_body_set_position(world, bullet, graze_vec2_add(landing, off));
    uint32_t crossings = 0;
    for (uint32_t step = 0; step < 2; ++step) {
        graze_vec2 goal = step == 0 ? landing : graze_vec2_sub(landing, off);
        graze_vec2 move = graze_vec2_sub(goal, graze_body_position(world, bullet));
        assert_int_equal(graze_body_set_velocity(world, bullet, move), GRAZE_OK);
        kit_step(world, 1);
        crossings += graze_world_contacts(world).count;
    }
    assert_int_equal(graze_chain_destroy(world, wall), GRAZE_OK);
    return crossings;
}

static void a_wall_landed_on_is_crossed_in_exactly_one_step(void **state)
{
    (void)state;
    random_state random = random_seed(80);
    graze_world *world = kit_world();
    graze_body_def def = kit_bullet(0, 0, 0, 0);
    def.hit_limit = 0;
    def.response = GRAZE_PASS;
    graze_body_id bullet = kit_add(world, def);
    for (uint32_t i = 0; i < 2000; ++i) {
        assert_int_equal(cross_by_landing(world, bullet, &random, i % 2), 1);
    }
    graze_world_destroy(world);
}

// --- One-sided and sensor chains ---

static graze_body_def mover_of_kind(uint32_t kind, float x, float velocity_x,
                                    graze_response response)
{
    graze_body_def def = kind == 0   ? kit_bullet(x, 0, 0, 0)
                         : kind == 1 ? kit_circle(x, 0, 0.5f)
                                     : kit_rect(x, 0, 0.5f, 0.5f);
    def.hit_limit = 0;
    return kit_moving(def, velocity_x, 0, response);
}

static graze_chain_id add_gate(graze_world *world, bool one_sided, bool sensor)
{
    const graze_vec2 points[] = {{0, -5}, {0, 5}}; // Its left is x < 0.
    graze_chain_def def = graze_chain_def_default();
    def.points = points;
    def.count = 2;
    def.one_sided = one_sided;
    def.sensor = sensor;
    graze_chain_id chain = graze_chain_create(world, &def);
    assert_true(graze_chain_is_valid(world, chain));
    return chain;
}

// Points of a chain may repeat: the wall between them is a point, and has no sides.
static void a_point_that_comes_to_a_point_of_terrain_faces_it(void **state)
{
    (void)state;
    const graze_vec2 ways[] = {{4, 3}, {-4, 3}, {4, -3}, {-4, -3}};
    for (uint32_t i = 0; i < 4; ++i) {
        const graze_vec2 way = ways[i];
        graze_world *world = kit_world();
        graze_chain_id dot = kit_wall(world, way.x, way.y, way.x, way.y);
        graze_query_hit hit;
        graze_query_cast(world, graze_shape_circle(0), (graze_vec2){0, 0}, 0, way,
                         graze_filter_default(), &hit);
        kit_assert_near_vec2(hit.normal, -way.x / 5, -way.y / 5, 1e-6f);
        kit_add(world, kit_moving(kit_circle(0, 0, 0), way.x, way.y, GRAZE_PASS));
        kit_step(world, 1);
        const graze_contact_list contacts = graze_world_contacts(world);
        assert_int_equal(contacts.count, 1);
        assert_int_equal(contacts.data[0].segment.chain.index, dot.index);
        kit_assert_near_vec2(contacts.data[0].normal, way.x / 5, way.y / 5, 1e-6f);
        graze_world_destroy(world);
    }
}

static void a_one_sided_chain_is_met_from_its_left_only(void **state)
{
    (void)state;
    const graze_response responses[] = {GRAZE_PASS, GRAZE_STOP};
    for (uint32_t i = 0; i < 6; ++i) {
        uint32_t kind = i / 2;
        graze_response response = responses[i % 2];
        graze_world *world = kit_world();
        graze_chain_id gate = add_gate(world, true, false);
        graze_body_id left = kit_add(world, mover_of_kind(kind, -4, 10, response));
        kit_step(world, 1);
        assert_non_null(kit_find_wall_contact(world, left, gate));
        float x = response == GRAZE_PASS ? 6 : kind == 0 ? 0 : -0.5f;
        kit_assert_near_vec2(graze_body_position(world, left), x, 0, 1e-5f);
        assert_int_equal(graze_body_destroy(world, left), GRAZE_OK);
        graze_body_id right = kit_add(world, mover_of_kind(kind, 4, -10, response));
        kit_step(world, 1);
        assert_null(kit_find_wall_contact(world, right, gate));
        kit_assert_near_vec2(graze_body_position(world, right), -6, 0, 1e-5f);
        graze_world_destroy(world);
    }
}

static void one_that_came_through_from_behind_cannot_go_back(void **state)
{
    (void)state;
    for (uint32_t kind = 0; kind < 3; ++kind) {
        graze_world *world = kit_world();
        add_gate(world, true, false);
        graze_body_id mover = kit_add(world, mover_of_kind(kind, 4, -10, GRAZE_STOP));
        kit_step(world, 1);
        kit_assert_near_vec2(graze_body_position(world, mover), -6, 0, 1e-5f);
        const graze_vec2 back = {10, 0};
        assert_int_equal(graze_body_set_velocity(world, mover, back), GRAZE_OK);
        kit_step(world, 1);
        assert_true(graze_body_position(world, mover).x <= 0);
        graze_world_destroy(world);
    }
}

static void a_sensor_chain_is_reported_and_stops_nobody(void **state)
{
    (void)state;
    for (uint32_t kind = 0; kind < 3; ++kind) {
        graze_world *world = kit_world();
        graze_chain_id gate = add_gate(world, false, true);
        graze_body_id mover = kit_add(world, mover_of_kind(kind, -4, 10, GRAZE_STOP));
        kit_step(world, 1);
        kit_assert_near_vec2(graze_body_position(world, mover), 6, 0, 1e-5f);
        assert_int_equal(kit_find_wall_contact(world, mover, gate)->flags, GRAZE_CONTACT_SENSOR);
        graze_world_destroy(world);
    }
}

// --- Terrain that changes ---

static void a_chain_on_top_of_bodies_holds_them_and_lets_them_go(void **state)
{
    (void)state;
    graze_world *world = kit_world();
    graze_body_id disc = kit_add(world, kit_moving(kit_circle(0, 0, 1), 0, 0, GRAZE_STOP));
    graze_body_id rect = kit_add(world, kit_moving(kit_rect(5, 0, 1, 1), 0, 0, GRAZE_STOP));
    kit_step(world, 1);
    graze_chain_id chain = kit_wall(world, -9, 0.5f, 9, 0.5f);
    const graze_vec2 up = {0, 4};
    for (uint32_t step = 0; step < 2; ++step) {
        graze_body_set_velocity(world, disc, up);
        graze_body_set_velocity(world, rect, up);
        kit_step(world, 1);
        float y = 4 * (float)step;
        kit_assert_near_vec2(graze_body_position(world, disc), 0, y, 0);
        kit_assert_near_vec2(graze_body_position(world, rect), 5, y, 0);
        if (step == 0) {
            const graze_contact *contact = kit_find_wall_contact(world, disc, chain);
            assert_non_null(contact);
            kit_assert_near(contact->depth, 0.5f, 1e-6f);
            kit_assert_near_vec2(contact->normal, 0, 1, 1e-6f);
            assert_int_equal(graze_chain_destroy(world, chain), GRAZE_OK);
        }
    }
    assert_int_equal(graze_world_contact_ends(world).count, 2);
    graze_world_destroy(world);
}

static void terrain_edited_at_random_stops_bullets_as_brute_force_says(void **state)
{
    (void)state;
    random_state random = random_seed(90);
    graze_world *world = kit_world();
    graze_chain_id chains[40] = {{0, 0}};
    graze_segment walls[40];
    for (uint32_t round = 0; round < 1000; ++round) {
        uint32_t place = random_below(&random, 40);
        if (graze_chain_is_valid(world, chains[place])) {
            assert_int_equal(graze_chain_destroy(world, chains[place]), GRAZE_OK);
        } else {
            walls[place].a.x = random_float(&random, -20, 20);
            walls[place].a.y = random_float(&random, -20, 20);
            walls[place].b.x = random_float(&random, -20, 20);
            walls[place].b.y = random_float(&random, -20, 20);
            chains[place] = kit_wall(world, walls[place].a.x, walls[place].a.y, walls[place].b.x,
                                     walls[place].b.y);
        }
        const float x = random_float(&random, -20, 20);
        const float speed_x = random_float(&random, -20, 20);
        const float speed_y = random_float(&random, -20, 20);
        graze_body_def def = kit_bullet(x, 0, speed_x, speed_y);
        graze_body_id bullet = kit_add(world, def);
        bool hit = false;
        graze_vec2 end = graze_vec2_add(def.position, def.velocity);
        for (uint32_t i = 0; i < 40; ++i) {
            hit |= graze_chain_is_valid(world, chains[i]) &&
                   graze_crosses(def.position, end, walls[i]);
        }
        kit_step(world, 1);
        assert_int_equal(graze_body_is_valid(world, bullet), !hit);
        graze_body_destroy(world, bullet);
    }
    graze_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_leaves_a_square),
        cmocka_unit_test(nothing_leaves_a_star),
        cmocka_unit_test(nothing_leaves_a_tiny_or_a_huge_star),
        cmocka_unit_test(nothing_leaves_where_two_loops_share_their_walls),
        cmocka_unit_test(bullets_are_spent_on_the_near_side),
        cmocka_unit_test(a_wall_landed_on_is_crossed_in_exactly_one_step),
        cmocka_unit_test(a_point_that_comes_to_a_point_of_terrain_faces_it),
        cmocka_unit_test(a_one_sided_chain_is_met_from_its_left_only),
        cmocka_unit_test(one_that_came_through_from_behind_cannot_go_back),
        cmocka_unit_test(a_sensor_chain_is_reported_and_stops_nobody),
        cmocka_unit_test(a_chain_on_top_of_bodies_holds_them_and_lets_them_go),
        cmocka_unit_test(terrain_edited_at_random_stops_bullets_as_brute_force_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
