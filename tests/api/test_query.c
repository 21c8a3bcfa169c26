#include "body_defs.h"
#include "query_oracle.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// Queries against brute force, and against one another.

// --- Random places ---

static float coordinate(random_state *random, float extent)
{
    return random_below(random, 3) ? random_float(random, -extent, extent)
                                   : (float)random_integer(random, -(int)extent, (int)extent);
}

static graze_vec2 random_point(random_state *random, float extent)
{
    graze_vec2 point;
    point.x = coordinate(random, extent);
    point.y = coordinate(random, extent);
    return point;
}

static graze_shape random_shape(random_state *random)
{
    float size = random_below(random, 8) ? random_float(random, 0.1f, 2) : 9;
    switch (random_below(random, 3)) {
    case 0:
        return graze_shape_circle(random_below(random, 5) ? size : 0);
    case 1:
        return graze_shape_rect(size, random_float(random, 0.1f, 2));
    default:
        return graze_shape_ray();
    }
}

static graze_filter random_filter(random_state *random)
{
    graze_filter filter = graze_filter_default();
    if (random_below(random, 3) == 0) {
        filter.category = random_below(random, 4);
        filter.mask = random_below(random, 8);
        filter.group = random_integer(random, -1, 1);
    }
    return filter;
}

static void add_body(oracle_place *here, random_state *random, float extent)
{
    graze_body_def def = test_body_def();
    def.shape = random_shape(random);
    def.position = random_point(random, extent);
    def.velocity = random_point(random, 5);
    def.angle = random_float(random, -3, 3);
    def.spin = random_below(random, 2) ? random_float(random, -2, 2) : 0;
    def.response = random_below(random, 2) ? GRAZE_STOP : GRAZE_PASS;
    def.lifetime = random_below(random, 6) ? 0 : 1;
    def.sensor = random_below(random, 5) == 0;
    def.filter = random_filter(random);
    kit_add(here->world, def);
}

static void add_chain(oracle_place *here, random_state *random, float extent)
{
    graze_vec2 points[8];
    graze_chain_def def = graze_chain_def_default();
    def.points = points;
    def.count = 2 + random_below(random, 7);
    for (uint32_t i = 0; i < def.count; ++i) {
        points[i] = random_point(random, extent);
    }
    def.loop = random_below(random, 2);
    def.one_sided = random_below(random, 3) == 0;
    def.filter = random_filter(random);
    here->chains[here->chain_count++] = graze_chain_create(here->world, &def);
}

static void ask_everything(const oracle_place *here, random_state *random, float extent)
{
    for (uint32_t i = 0; i < 6; ++i) {
        graze_filter filter = random_filter(random);
        graze_vec2 point = random_point(random, extent);
        float reach = random_below(random, 4) ? 5 : 3 * extent;
        graze_vec2 delta = random_point(random, reach);
        graze_ray ray = {point, delta};
        oracle_check_ray(here, ray, filter);
        const graze_shape shape = random_shape(random);
        const float angle = random_float(random, -3, 3);
        oracle_check_cast(here, shape, angle, point, delta, filter);
        oracle_check_point(here, point, filter);
        graze_aabb box = {point, point};
        box.upper.x += random_float(random, 0, 1) * reach;
        box.upper.y += random_float(random, 0, 1) * reach;
        oracle_check_box(here, box, filter);
        oracle_check_nearest(here, point, random_float(random, 0, 1) * reach, filter);
    }
}

static void change_something(oracle_place *here, random_state *random, float extent)
{
    for (uint32_t i = 0; i < 20; ++i) {
        graze_body_id body = graze_world_body_at(here->world, random_below(random, 200));
        switch (random_below(random, 4)) {
        case 0:
            graze_body_destroy(here->world, body);
            break;
        case 1:
            graze_body_set_position(here->world, body, random_point(random, extent));
            break;
        case 2:
            graze_body_set_angle(here->world, body, random_float(random, -3, 3));
            break;
        default:
            add_body(here, random, extent);
        }
    }
    graze_chain_destroy(here->world, here->chains[random_below(random, here->chain_count)]);
    add_chain(here, random, extent);
}

static void queries_find_what_brute_force_finds(void **state)
{
    (void)state;
    const float extents[] = {8, 20, 60};
    for (uint32_t seed = 0; seed < 6; ++seed) {
        print_message("seed %u\n", (unsigned)seed);
        random_state random = random_seed(seed);
        float extent = extents[seed % 3];
        oracle_place here = {.world = kit_world()};
        for (uint32_t i = 0; i < 150; ++i) {
            add_body(&here, &random, extent);
        }
        for (uint32_t i = 0; i < 12; ++i) {
            add_chain(&here, &random, extent);
        }
        for (uint32_t round = 0; round < 5; ++round) {
            ask_everything(&here, &random, extent); // Before the first step, too.
            kit_step(here.world, 0.25f);
            ask_everything(&here, &random, extent);
            change_something(&here, &random, extent);
        }
        graze_world_destroy(here.world);
    }
}

// --- Single rules ---

static void a_ray_lists_hundreds_of_hits_in_order(void **state)
{
    (void)state;
    oracle_place here = {.world = kit_world()};
    graze_vec2 points[200];
    for (uint32_t i = 0; i < 200; ++i) {
        points[i].x = (float)i;
        points[i].y = i % 2 ? 1 : -1;
    }
    graze_chain_def def = graze_chain_def_default();
    def.points = points;
    def.count = 200;
    here.chains[here.chain_count++] = graze_chain_create(here.world, &def);
    here.chains[here.chain_count++] = graze_chain_create(here.world, &def);
    for (uint32_t i = 0; i < 180; ++i) {
        kit_add(here.world, kit_circle((float)(i / 3), 0, 0.25f));
    }
    for (uint32_t round = 0; round < 2; ++round) {
        const graze_ray rays[] = {{{-5, 0}, {300, 0}}, {{300, 0}, {-400, 0}}, {{5, -5}, {90, 11}}};
        for (uint32_t i = 0; i < 3; ++i) {
            oracle_check_ray(&here, rays[i], graze_filter_default());
        }
        kit_step(here.world, 1);
    }
    static graze_query_hit hits[1000];
    const graze_ray ray = {{-5, 0}, {300, 0}};
    uint32_t total = graze_query_ray_all(here.world, ray, graze_filter_default(), hits, 1000);
    assert_int_equal(total, 2 * 199 + 180);
    graze_world_destroy(here.world);
}

static void of_equal_times_terrain_comes_first_then_the_smaller_id(void **state)
{
    (void)state;
    graze_world *world = kit_world();
    graze_body_id first = kit_add(world, kit_rect(6, 0, 1, 1));
    graze_body_id second = kit_add(world, kit_rect(6, 0, 1, 1));
    graze_chain_id wall = kit_wall(world, 5, -3, 5, 3);
    const graze_ray ray = {{0, 0}, {10, 0}};
    graze_query_hit hits[3];
    assert_int_equal(graze_query_ray_all(world, ray, graze_filter_default(), hits, 3), 3);
    assert_int_equal(hits[0].segment.chain.generation, wall.generation);
    assert_true(kit_is_same(hits[1].body, first) && kit_is_same(hits[2].body, second));
    for (uint32_t i = 0; i < 3; ++i) {
        assert_true(hits[i].time == 0.5f);
        kit_assert_near_vec2(hits[i].point, 5, 0, 0);
        kit_assert_near_vec2(hits[i].normal, -1, 0, 0);
    }
    graze_world_destroy(world);
}

// --- Batches ---

enum { BATCH = 700 };

// Corners on a lattice, walls that overlap, repeat points and share corners; sensors too.
static void add_lattice_chain(oracle_place *here, random_state *random, int extent)
{
    graze_vec2 points[8];
    graze_chain_def def = graze_chain_def_default();
    def.points = points;
    def.count = 2 + random_below(random, 7);
    points[0].x = (float)random_integer(random, -extent, extent);
    points[0].y = (float)random_integer(random, -extent, extent);
    for (uint32_t i = 1; i < def.count; ++i) {
        points[i].x = points[i - 1].x + (float)random_integer(random, -2, 2);
        points[i].y = points[i - 1].y + (float)random_integer(random, -2, 2);
    }
    def.loop = random_below(random, 2);
    def.one_sided = random_below(random, 3) == 0;
    def.sensor = random_below(random, 4) == 0;
    def.filter = random_filter(random);
    here->chains[here->chain_count++] = graze_chain_create(here->world, &def);
}

static graze_ray random_ray(random_state *random, float extent)
{
    const float reaches[] = {0, 1, 3, 3, 3, 8, 100};
    const float reach = reaches[random_below(random, 7)];
    graze_ray ray = {random_point(random, extent), {0, 0}};
    if (random_below(random, 2)) {
        ray.delta = random_point(random, reach);
    } else {
        ray.origin.x = rintf(ray.origin.x);
        ray.origin.y = rintf(ray.origin.y);
        ray.delta.x = (float)random_integer(random, -(int)reach, (int)reach);
        ray.delta.y = (float)random_integer(random, -(int)reach, (int)reach);
    }
    return ray;
}

static void check_batch(const oracle_place *here, random_state *random, float extent)
{
    static graze_ray rays[BATCH];
    static graze_query_hit hits[BATCH];
    const uint32_t count = 1 + random_below(random, BATCH);
    const graze_filter filter = random_filter(random);
    for (uint32_t i = 0; i < count; ++i) {
        rays[i] = random_ray(random, extent);
    }
    memset(hits, 0xAB, sizeof hits);
    assert_int_equal(graze_query_ray_many(here->world, rays, count, filter, hits), GRAZE_OK);
    for (uint32_t i = 0; i < count; ++i) {
        graze_query_hit alone;
        assert_int_equal(graze_query_ray(here->world, rays[i], filter, &alone), GRAZE_OK);
        if (memcmp(&alone, &hits[i], sizeof alone) != 0) {
            fail_msg("ray %u of %u, (%.9g, %.9g) + (%.9g, %.9g): time %.9g alone, %.9g with others",
                     (unsigned)i, (unsigned)count, (double)rays[i].origin.x,
                     (double)rays[i].origin.y, (double)rays[i].delta.x, (double)rays[i].delta.y,
                     (double)alone.time, (double)hits[i].time);
        }
    }
}

static void a_batch_of_rays_finds_what_each_finds_alone(void **state)
{
    (void)state;
    random_state random = random_seed(4711);
    for (uint32_t round = 0; round < 60; ++round) {
        oracle_place here = {.world = kit_world()};
        const int extent = round % 3 ? 12 : 200;
        for (uint32_t i = 0; i < (uint32_t)ORACLE_CHAINS; ++i) {
            if (round % 2) {
                add_lattice_chain(&here, &random, extent);
            } else {
                add_chain(&here, &random, (float)extent);
            }
        }
        check_batch(&here, &random, (float)extent);
        for (uint32_t i = 0; i < 30; ++i) {
            add_body(&here, &random, (float)extent);
        }
        check_batch(&here, &random, (float)extent);
        kit_step(here.world, 0.25f);
        check_batch(&here, &random, (float)extent);
        graze_world_destroy(here.world);
    }
}

static void add_lattice_wall(oracle_place *here, random_state *random, int extent, bool one_sided)
{
    graze_vec2 points[2];
    graze_chain_def def = graze_chain_def_default();
    def.points = points;
    def.count = 2;
    def.one_sided = one_sided;
    points[0].x = (float)random_integer(random, -extent, extent);
    points[0].y = (float)random_integer(random, -extent, extent);
    points[1].x = points[0].x + (float)random_integer(random, 1, 3);
    points[1].y = points[0].y + (float)random_integer(random, -2, 2);
    here->chains[here->chain_count++] = graze_chain_create(here->world, &def);
}

static void check_loaded_batch(const oracle_place *saved, random_state *random, float extent)
{
    size_t size;
    void *bytes = kit_save(saved->world, &size);
    oracle_place loaded = {.world = kit_world()};
    kit_load(loaded.world, bytes, size);
    check_batch(&loaded, random, extent);
    graze_world_destroy(loaded.world);
    free(bytes);
}

// If all chains are alike, none is read until all walls are found. So chains that differ come and
// go, and are loaded. On such a small lattice many walls are met at one time, some of them from
// several cells: more than fit the list of ties.
static void a_batch_of_rays_knows_whether_all_chains_are_plain(void **state)
{
    (void)state;
    random_state random = random_seed(4712);
    for (uint32_t round = 0; round < 40; ++round) {
        const int extent = 2 + (int)round % 6;
        oracle_place here = {.world = kit_world()};
        while (here.chain_count + 1 < (uint32_t)ORACLE_CHAINS) {
            add_lattice_wall(&here, &random, extent, false);
        }
        check_batch(&here, &random, (float)extent);
        check_loaded_batch(&here, &random, (float)extent);
        add_lattice_wall(&here, &random, extent, true);
        check_batch(&here, &random, (float)extent);
        check_loaded_batch(&here, &random, (float)extent);
        graze_chain_destroy(here.world, here.chains[here.chain_count - 1]);
        check_batch(&here, &random, (float)extent);
        here.chain_count -= 1;
        add_lattice_wall(&here, &random, extent, true);
        check_batch(&here, &random, (float)extent);
        graze_world_destroy(here.world);
    }
}

// Crowds of plain circles, at rest or not, and some other bodies among them: enough that lanes
// fill, and that some leave the step. Then some are moved by hand, and some removed.
static void a_batch_of_rays_finds_bodies_as_each_finds_them_alone(void **state)
{
    (void)state;
    random_state random = random_seed(4712);
    for (uint32_t round = 0; round < 8; ++round) {
        oracle_place here = {.world = kit_world()};
        graze_body_id ids[ORACLE_INDICES];
        for (uint32_t i = 0; i < (uint32_t)ORACLE_INDICES; ++i) {
            graze_body_def def = kit_circle(0, 0, random_float(&random, 0, 1.5f));
            def.position = random_point(&random, 20);
            def.velocity = i % 2 ? random_point(&random, 5) : def.velocity;
            def.shape = i % 40 || round % 2 ? def.shape : random_shape(&random);
            ids[i] = kit_add(here.world, def);
        }
        for (uint32_t i = 0; i < 20; ++i) {
            kit_step(here.world, 1.0f / 64);
        }
        check_batch(&here, &random, 20);
        for (uint32_t i = 0; i < (uint32_t)ORACLE_INDICES; i += 17) {
            graze_body_set_position(here.world, ids[i], random_point(&random, 20));
            graze_body_destroy(here.world, ids[i + 1]);
        }
        check_batch(&here, &random, 20);
        graze_world_destroy(here.world);
    }
}

// A button is a rect; of those under the finger the game takes the topmost by a key of its own.
static void a_finger_on_buttons_finds_the_topmost(void **state)
{
    (void)state;
    graze_world *world = kit_world();
    const uint64_t heights[] = {3, 9, 5};
    for (uint32_t i = 0; i < 3; ++i) {
        graze_body_def def = kit_rect((float)i, 0, 2, 1);
        def.user_data = heights[i];
        kit_add(world, def);
    }
    const graze_vec2 finger = {0.5f, 0.5f};
    graze_body_id under[8];
    uint32_t count = graze_query_point(world, finger, graze_filter_default(), under, 8);
    assert_int_equal(count, 3);
    graze_body_id top = under[0];
    for (uint32_t i = 1; i < count; ++i) {
        bool higher = graze_body_user_data(world, under[i]) > graze_body_user_data(world, top);
        top = higher ? under[i] : top;
    }
    assert_int_equal(graze_body_user_data(world, top), 9);
    const graze_vec2 corner = {-2, -1};
    assert_int_equal(graze_query_point(world, corner, graze_filter_default(), under, 8), 1);
    const graze_vec2 beside = {-2.0001f, -1};
    assert_int_equal(graze_query_point(world, beside, graze_filter_default(), under, 8), 0);
    graze_world_destroy(world);
}

// A rect and a point on either side of the place asked about, equally far from it.
static void of_equal_distances_the_smaller_id_comes_first(void **state)
{
    (void)state;
    graze_world *world = kit_world();
    const graze_vec2 point = {-8, 10};
    for (uint32_t i = 0; i < 64; ++i) {
        const float x = (float)(i % 8), y = (float)(i / 8);
        const graze_body_id rect = kit_add(world, kit_rect(x - 6, y + 12, 2, 2));
        const graze_body_id dot = kit_add(world, kit_circle(x - 8, 10 - y, 0));
        graze_body_id found[2];
        assert_int_equal(graze_query_nearest(world, point, 10, graze_filter_default(), found, 2),
                         2);
        assert_int_equal(found[0].index, rect.index < dot.index ? rect.index : dot.index);
        graze_body_destroy(world, i % 2 ? dot : rect);
        graze_body_destroy(world, i % 2 ? rect : dot);
    }
    graze_world_destroy(world);
}

// Where floats are 0.0625 apart, corners rounded to float would touch boxes a thousandth away.
static void a_turned_rect_far_from_the_origin_is_in_the_boxes_that_it_touches(void **state)
{
    (void)state;
    const graze_vec2 center = {-999999, -999998};
    const graze_aabb beside = {{-999997, -1000006}, {-999997, -999990}};
    const float halves[] = {1.75996f, 1.7621f}; // It reaches 1.9989 and 2.0010 to the side.
    for (uint32_t touches = 0; touches < 2; ++touches) {
        graze_world *world = kit_world();
        graze_body_def def = kit_rect(center.x, center.y, 1.25f, halves[touches]);
        def.angle = 1.80127f;
        kit_add(world, def);
        assert_int_equal(graze_query_box(world, beside, graze_filter_default(), NULL, 0), touches);
        graze_world_destroy(world);
    }
}

// In a box of 1e30 units, anything measured from its middle is lost.
static void a_box_is_as_exact_as_its_sides_however_large_it_is(void **state)
{
    (void)state;
    const float far = 1e30f;
    const graze_aabb beside = {{-far, -far}, {-8.5f, far}}, touching = {{-far, -far}, {-6.5f, far}};
    graze_world *world = kit_world();
    graze_body_def def = kit_rect(-5, 3, 1.5f, 1);
    def.angle = 0.5f; // It reaches 1.796 to the side.
    kit_add(world, def);
    for (int stepped = 0; stepped < 2; ++stepped) {
        assert_int_equal(graze_query_box(world, beside, graze_filter_default(), NULL, 0), 0);
        assert_int_equal(graze_query_box(world, touching, graze_filter_default(), NULL, 0), 1);
        kit_step(world, 1);
    }
    graze_world_destroy(world);
}

static void what_is_gone_is_not_found_and_what_is_new_is(void **state)
{
    (void)state;
    graze_world *world = kit_world();
    const graze_vec2 origin = {0, 0};
    graze_body_def mortal = kit_circle(0, 0, 1);
    mortal.lifetime = 1;
    kit_add(world, mortal);
    graze_body_id doomed = kit_add(world, kit_circle(0, 0, 1));
    graze_body_id bodies[4];
    assert_int_equal(graze_query_point(world, origin, graze_filter_default(), bodies, 4), 2);
    kit_step(world, 1);
    assert_int_equal(graze_query_point(world, origin, graze_filter_default(), bodies, 4), 1);
    assert_true(kit_is_same(bodies[0], doomed));
    graze_body_destroy(world, doomed);
    assert_int_equal(graze_query_point(world, origin, graze_filter_default(), bodies, 4), 0);
    graze_body_id reused = kit_add(world, kit_circle(0.5f, 0, 1));
    assert_int_equal(reused.index, doomed.index);
    assert_int_equal(graze_query_point(world, origin, graze_filter_default(), bodies, 4), 1);
    assert_true(kit_is_same(bodies[0], reused));
    graze_world_destroy(world);
}

static void bodies_that_were_pushed_or_bounced_are_found_where_they_are(void **state)
{
    (void)state;
    random_state random = random_seed(66);
    oracle_place here = {.world = kit_world()};
    here.chains[here.chain_count++] = kit_square(here.world, -8, 8);
    const graze_response responses[] = {GRAZE_STOP, GRAZE_SLIDE, GRAZE_BOUNCE};
    for (uint32_t i = 0; i < 60; ++i) {
        float x = random_float(&random, -7, 7);
        graze_body_def def = kit_circle(x, random_float(&random, -7, 7), 0.6f);
        def.restitution = 1;
        def.velocity = random_point(&random, 9);
        def.response = responses[i % 3];
        kit_add(here.world, def);
    }
    for (uint32_t step = 0; step < 40; ++step) {
        kit_step(here.world, 0.25f);
        for (uint32_t i = 0; i < 60; ++i) {
            graze_body_id body = graze_world_body_at(here.world, i);
            oracle_check_point(&here, graze_body_position(here.world, body),
                               graze_filter_default());
        }
    }
    graze_world_destroy(here.world);
}

// At a million units neighbouring floats are 0.0625 apart: 10.02 farther is 10 farther.
static void a_ray_and_a_cast_end_where_the_end_rounds_to(void **state)
{
    (void)state;
    graze_world *world = kit_world();
    const graze_vec2 from = {1e6f, 0};
    const graze_vec2 delta = {10.02f, 0};
    const graze_body_id body = kit_add(world, kit_circle(from.x + 5, 0, 0.5f));
    graze_query_hit hit;
    graze_ray ray = {from, delta};
    assert_int_equal(graze_query_ray(world, ray, graze_filter_default(), &hit), GRAZE_OK);
    assert_true(kit_is_same(hit.body, body));
    assert_true(hit.time == 0.45f);
    graze_query_hit cast;
    assert_int_equal(graze_query_cast(world, graze_shape_circle(0.25f), from, 0, delta,
                                      graze_filter_default(), &cast),
                     GRAZE_OK);
    assert_true(kit_is_same(cast.body, body));
    assert_true(cast.time == 0.425f);
    graze_world_destroy(world);
}

// Movers that start exactly on the line of a wall, which is not met from there: the corner counts
// as the end of the wall before it.
static void a_corner_with_a_wall_that_is_not_met_is_an_end(void **state)
{
    (void)state;
    graze_world *world = kit_world();
    const graze_vec2 points[] = {{3, 3}, {3, 4}, {1, 2}, {-1, 1}, {-1, -1}};
    graze_chain_def def = graze_chain_def_default();
    def.points = points;
    def.count = 5;
    def.loop = true;
    def.one_sided = true;
    graze_chain_create(world, &def);
    const graze_shape shape = graze_shape_rect(3, 1);
    const graze_vec2 from = {3, 5}, delta = {-11, -14};
    const float angle = 2.6987f;
    graze_query_hit hit;
    assert_int_equal(
        graze_query_cast(world, shape, from, angle, delta, graze_filter_default(), &hit), GRAZE_OK);
    const graze_rect rect = {from, shape.half, graze_rotation_from_angle(angle)};
    const graze_segment wall = {points[4], points[0]};
    const graze_hit alone = graze_cast_rect_segment(rect, delta, wall);
    assert_int_equal(hit.segment.index, 4);
    assert_true(hit.time == alone.time);
    assert_true(hit.normal.x == alone.normal.x && hit.normal.y == alone.normal.y);
    graze_world_destroy(world);
}

// Corners of rects at the end of the range of float lie beyond it.
static void what_a_cast_finds_is_finite_at_the_end_of_the_range(void **state)
{
    (void)state;
    graze_world *world = kit_world();
    kit_add(world, kit_rect(-FLT_MAX, 0, 0x1p105f, 0x1p105f));
    const float sizes[] = {1, 0x1p107f, FLT_MAX};
    for (int i = 0; i < 3 * 64; ++i) {
        const graze_shape shape = graze_shape_rect(sizes[i % 3], sizes[i % 3]);
        const graze_vec2 from = {-FLT_MAX, 0}, delta = {0, 1};
        const float angle = (float)(i / 3) * 0.1f;
        graze_query_hit hit;
        assert_int_equal(
            graze_query_cast(world, shape, from, angle, delta, graze_filter_default(), &hit),
            GRAZE_OK);
        assert_int_not_equal(hit.body.generation, 0);
        if (!isfinite(hit.point.x) || !isfinite(hit.point.y)) {
            fail_msg("half %g, angle %g: point (%g, %g)", (double)sizes[i % 3], (double)angle,
                     (double)hit.point.x, (double)hit.point.y);
        }
    }
    graze_world_destroy(world);
}

// The rotation of a rect is rounded: points in it may lie past the ends of the ray.
static void a_batch_of_rays_finds_points_in_the_range_of_float(void **state)
{
    (void)state;
    enum { RAYS_AT_ENDS = 16 };
    const graze_filter all = graze_filter_default();
    for (uint32_t angle = 0; angle < 64; ++angle) {
        graze_world *world = kit_world();
        graze_body_def def = kit_rect(0, 0, FLT_MAX, FLT_MAX);
        def.angle = (float)angle * 0.1f;
        kit_add(world, def);
        kit_add(world, kit_circle(0, FLT_MAX, 0x1p120f));
        graze_ray rays[RAYS_AT_ENDS];
        graze_query_hit hits[RAYS_AT_ENDS], alone;
        for (uint32_t i = 0; i < RAYS_AT_ENDS; ++i) {
            const float end = i & 1 ? FLT_MAX : -FLT_MAX, beside = (float)i * 0x1p110f;
            const graze_vec2 above = {beside, end}, left = {end, beside}, in = {0, -end / 2};
            rays[i].origin = i & 2 ? above : left;
            rays[i].delta = in;
        }
        assert_int_equal(graze_query_ray_many(world, rays, RAYS_AT_ENDS, all, hits), GRAZE_OK);
        for (uint32_t i = 0; i < RAYS_AT_ENDS; ++i) {
            assert_int_equal(graze_query_ray(world, rays[i], all, &alone), GRAZE_OK);
            if (memcmp(&hits[i], &alone, sizeof alone)) {
                fail_msg("angle %u, ray %u: point (%g, %g), alone (%g, %g)", angle, i,
                         (double)hits[i].point.x, (double)hits[i].point.y, (double)alone.point.x,
                         (double)alone.point.y);
            }
            assert_true(isfinite(alone.point.x) && isfinite(alone.point.y));
        }
        graze_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(queries_find_what_brute_force_finds),
        cmocka_unit_test(a_ray_lists_hundreds_of_hits_in_order),
        cmocka_unit_test(of_equal_times_terrain_comes_first_then_the_smaller_id),
        cmocka_unit_test(a_batch_of_rays_finds_what_each_finds_alone),
        cmocka_unit_test(a_batch_of_rays_knows_whether_all_chains_are_plain),
        cmocka_unit_test(a_batch_of_rays_finds_bodies_as_each_finds_them_alone),
        cmocka_unit_test(a_finger_on_buttons_finds_the_topmost),
        cmocka_unit_test(of_equal_distances_the_smaller_id_comes_first),
        cmocka_unit_test(a_turned_rect_far_from_the_origin_is_in_the_boxes_that_it_touches),
        cmocka_unit_test(a_box_is_as_exact_as_its_sides_however_large_it_is),
        cmocka_unit_test(what_is_gone_is_not_found_and_what_is_new_is),
        cmocka_unit_test(a_ray_and_a_cast_end_where_the_end_rounds_to),
        cmocka_unit_test(a_corner_with_a_wall_that_is_not_met_is_an_end),
        cmocka_unit_test(bodies_that_were_pushed_or_bounced_are_found_where_they_are),
        cmocka_unit_test(what_a_cast_finds_is_finite_at_the_end_of_the_range),
        cmocka_unit_test(a_batch_of_rays_finds_points_in_the_range_of_float),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
