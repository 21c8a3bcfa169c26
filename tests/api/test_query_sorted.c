#include "body_defs.h"
#include "world/world_state.h"
#include "world_kit.h"

#include <graze/orient.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Queries find the same whether the grid knows a body or not, even if only rounding decides whether
// it touches: numbers are small integers, some of them off by less than double can add to them.

enum { BODIES = 60, QUESTIONS = 40, MOST = BODIES, ROWS = 8 };

static float coordinate(random_state *random)
{
    static const float tiny[] = {0, 0, 1e-16f, -1e-16f, 1e-45f, -1e-45f, 6e-8f, -6e-8f, 2e-6f};
    return (float)random_integer(random, -4, 4) + tiny[random_below(random, 9)];
}

static graze_vec2 point(random_state *random)
{
    const float x = coordinate(random);
    const graze_vec2 place = {x, coordinate(random)};
    return place;
}

static graze_shape shape(random_state *random)
{
    const float size = (float)random_integer(random, 1, 3);
    switch (random_below(random, 4)) {
    case 0:
        return graze_shape_ray();
    case 1:
        return graze_shape_rect(size, (float)random_integer(random, 1, 3));
    default:
        return graze_shape_circle(size);
    }
}

static graze_body_def body(random_state *random)
{
    graze_body_def def = test_body_def();
    def.shape = shape(random);
    def.position = point(random);
    def.velocity = point(random);
    def.angle = random_below(random, 2) ? random_float(random, -3, 3) : 0;
    def.spin = random_below(random, 3) ? 0 : random_float(random, -2, 2);
    def.response = (graze_response)random_below(random, 4);
    return def;
}

/// What two worlds answer to the same questions.
typedef struct answers {
    uint32_t count[4];
    graze_body_id bodies[3][MOST];
    graze_query_hit hits[MOST], many, cast;
} answers;

static void ask(const graze_world *world, random_state random, answers *to)
{
    const graze_filter all = graze_filter_default();
    const graze_vec2 from = point(&random), end = point(&random);
    const graze_ray ray = {from, graze_vec2_sub(end, from)};
    const graze_aabb box = {{fminf(from.x, end.x), fminf(from.y, end.y)},
                            {fmaxf(from.x, end.x), fmaxf(from.y, end.y)}};
    const float radius = (float)random_integer(&random, 0, 3);
    const graze_shape mover = shape(&random);
    memset(to, 0, sizeof *to);
    to->count[0] = graze_query_point(world, from, all, to->bodies[0], MOST);
    to->count[1] = graze_query_box(world, box, all, to->bodies[1], MOST);
    to->count[2] = graze_query_nearest(world, from, radius, all, to->bodies[2], MOST);
    to->count[3] = graze_query_ray_all(world, ray, all, to->hits, MOST);
    assert_int_equal(graze_query_ray_many(world, &ray, 1, all, &to->many), GRAZE_OK);
    assert_int_equal(graze_query_cast(world, mover, from, 0, ray.delta, all, &to->cast), GRAZE_OK);
}

static void check_same(const graze_world *one, const graze_world *other, random_state *random)
{
    for (uint32_t i = 0; i < QUESTIONS; ++i) {
        answers first, second;
        ask(one, *random, &first);
        ask(other, *random, &second);
        if (memcmp(&first, &second, sizeof first) != 0) {
            fail_msg("%u %u %u %u bodies, and %u %u %u %u", (unsigned)first.count[0],
                     (unsigned)first.count[1], (unsigned)first.count[2], (unsigned)first.count[3],
                     (unsigned)second.count[0], (unsigned)second.count[1],
                     (unsigned)second.count[2], (unsigned)second.count[3]);
        }
        (void)random_below(random, 2);
    }
}

static graze_world *fill_world(random_state random)
{
    graze_world *world = kit_world();
    for (uint32_t i = 0; i < BODIES; ++i) {
        kit_add(world, body(&random));
    }
    kit_wall(world, -9, -2, 9, 2);
    return world;
}

static void queries_find_the_same_before_and_after_sorting(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 60; ++seed) {
        random_state random = random_seed(seed);
        graze_world *loose = fill_world(random);
        graze_world *sorted = fill_world(random);
        assert_int_equal(graze_world_sort(sorted), GRAZE_OK);
        check_same(loose, sorted, &random);
        graze_world_destroy(loose);
        graze_world_destroy(sorted);
    }
}

static void queries_find_the_same_after_a_step_and_after_loading(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 60; ++seed) {
        random_state random = random_seed(seed);
        graze_world *stepped = fill_world(random);
        graze_world *loaded = kit_world();
        for (uint32_t i = 0; i < 3; ++i) {
            size_t size = 0;
            kit_step(stepped, i == 0 ? 1.0f : 0.25f);
            void *bytes = kit_save(stepped, &size);
            kit_load(loaded, bytes, size);
            free(bytes);
            check_same(stepped, loaded, &random);
        }
        graze_world_destroy(stepped);
        graze_world_destroy(loaded);
    }
}

// --- Bodies that are pushed ---

// Circles that overlap by a twentieth of their diameter; every other one gives no way, and the rest
// are steered to the middle of all.
static graze_world *fill_crowd(void)
{
    graze_world *world = kit_world();
    for (uint32_t i = 0; i < ROWS * ROWS; ++i) {
        const float x = 1.9f * ((float)(i % ROWS) - (ROWS - 1) / 2.0f);
        const float y = 1.9f * ((float)(i / ROWS) - (ROWS - 1) / 2.0f);
        const bool fixed = (i % ROWS + i / ROWS) % 2;
        kit_add(world,
                fixed ? kit_circle(x, y, 1) : kit_moving(kit_circle(x, y, 1), -x, -y, GRAZE_SLIDE));
    }
    return world;
}

static uint32_t count_shoved(const graze_world *world)
{
    uint32_t count = 0;
    for (uint32_t m = 0; m < world->impacts.trajectories.count; ++m) {
        count += world->impacts.trajectories.data[m].shoved;
    }
    return count;
}

static uint32_t count_unsorted(const graze_world *world)
{
    uint32_t count = 0;
    for (uint32_t i = 0; (i = grz_index_set_next(&world->bodies.unsorted, i)) != UINT32_MAX; ++i) {
        ++count;
    }
    return count;
}

// A query tests all others one by one.
static void what_is_pushed_less_far_than_it_may_go_stays_in_the_grid(void **state)
{
    (void)state;
    graze_world *world = fill_crowd();
    kit_step(world, 1.0f / 30);
    assert_true(count_shoved(world) > 3 * ROWS * ROWS / 8);
    assert_true(count_unsorted(world) < count_shoved(world) / 4);
    graze_world_destroy(world);
}

static graze_body_def jammed_body(random_state *random)
{
    graze_body_def def = graze_body_def_default();
    const float half = random_float(random, 0.5f, 3);
    def.shape = random_below(random, 2) ? graze_shape_circle(half)
                                        : graze_shape_rect(half, random_float(random, 0.5f, 3));
    def.position.x = random_float(random, -6, 6);
    def.position.y = random_float(random, -6, 6);
    def.angle = random_float(random, -3, 3);
    def.response = (graze_response)random_integer(random, GRAZE_SLIDE, GRAZE_RIGID);
    def.mass = random_below(random, 4) ? 1.0f : 0.0f;
    return def;
}

static void check_thin_boxes(const graze_world *one, const graze_world *other, random_state *random)
{
    for (uint32_t i = 0; i < 4 * QUESTIONS; ++i) {
        const float x = random_float(random, -9, 9), y = random_float(random, -9, 9);
        const graze_vec2 half = {i % 2 ? 2.0f : 0.0f, i % 2 ? 0.0f : 2.0f};
        const graze_aabb box = {{x - half.x, y - half.y}, {x + half.x, y + half.y}};
        const graze_filter all = graze_filter_default();
        assert_int_equal(graze_query_box(one, box, all, NULL, 0),
                         graze_query_box(other, box, all, NULL, 0));
    }
}

// The solver pushes what is jammed farther than its speed leads it, and turns it farther than its
// spin.
static void what_is_jammed_is_found_where_it_is(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 30; ++seed) {
        random_state random = random_seed(seed);
        graze_world *stepped = kit_world(), *loaded = kit_world();
        for (uint32_t i = 0; i < 20; ++i) {
            kit_add(stepped, jammed_body(&random));
        }
        for (uint32_t i = 0; i < 10; ++i) {
            size_t size = 0;
            kit_step(stepped, 1.0f / 60);
            void *bytes = kit_save(stepped, &size);
            kit_load(loaded, bytes, size);
            free(bytes);
            check_thin_boxes(stepped, loaded, &random);
        }
        graze_world_destroy(stepped);
        graze_world_destroy(loaded);
    }
}

// --- As small as floats go, where rounding takes a large share of a turned rect ---

static float least_coordinate(random_state *random, int low, int high)
{
    return (float)random_integer(random, low, high) * 0x1p-149f;
}

static graze_vec2 least_point(random_state *random)
{
    const float x = least_coordinate(random, -20, 20);
    const graze_vec2 place = {x, least_coordinate(random, -20, 20)};
    return place;
}

static graze_rect add_least_rect(graze_world *world, random_state *random)
{
    const float half_x = least_coordinate(random, 1, 8);
    graze_body_def def = test_body_def();
    def.shape = graze_shape_rect(half_x, least_coordinate(random, 1, 8));
    def.position = least_point(random);
    def.angle = random_float(random, -3, 3);
    kit_add(world, def);
    graze_rotation rotation = graze_rotation_from_angle(def.angle);
    const graze_rect rect = {def.position, def.shape.half, rotation};
    return rect;
}

static uint32_t count_hits(const graze_rect *rects, graze_ray ray)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < BODIES; ++i) {
        count += graze_cast_ray_rect(ray, rects[i]).hit;
    }
    return count;
}

// A bullet with PASS meets what a ray along its path meets.
static uint32_t count_met(graze_world *world, graze_ray ray)
{
    graze_body_def bullet = kit_bullet(ray.origin.x, ray.origin.y, 0, 0);
    bullet.hit_limit = 0;
    graze_body_id body = kit_add(world, kit_moving(bullet, ray.delta.x, ray.delta.y, GRAZE_PASS));
    kit_step(world, 1);
    const uint32_t count = kit_count_contacts(world, body);
    assert_int_equal(graze_body_destroy(world, body), GRAZE_OK);
    return count;
}

static void turned_rects_of_denormal_size_are_found(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 60; ++seed) {
        random_state random = random_seed(seed);
        graze_world *world = kit_world();
        graze_rect rects[BODIES];
        for (uint32_t i = 0; i < BODIES; ++i) {
            rects[i] = add_least_rect(world, &random);
        }
        assert_int_equal(graze_world_sort(world), GRAZE_OK);
        for (uint32_t i = 0; i < QUESTIONS; ++i) {
            const graze_ray ray = {least_point(&random), least_point(&random)};
            const uint32_t hits = count_hits(rects, ray);
            const uint32_t found = graze_query_ray_all(world, ray, graze_filter_default(), NULL, 0);
            const uint32_t met = count_met(world, ray);
            if (found != hits || met != hits) {
                fail_msg("seed %u, ray %u: found %u, met %u, of %u", (unsigned)seed, (unsigned)i,
                         (unsigned)found, (unsigned)met, (unsigned)hits);
            }
        }
        graze_world_destroy(world);
    }
}

// --- Rays from afar ---

// A number of any size up to 2^most, of either sign.
static float far_number(random_state *random, int most)
{
    const uint32_t doublings = random_below(random, (uint32_t)most);
    return ldexpf(random_float(random, -1, 1), (int)doublings);
}

static graze_vec2 far_point(random_state *random, int most)
{
    const float x = far_number(random, most);
    const graze_vec2 place = {x, far_number(random, most)};
    return place;
}

static graze_world *fill_far_world(random_state random, int most)
{
    graze_world *world = kit_world();
    for (uint32_t i = 0; i < BODIES; ++i) {
        graze_body_def def = body(&random);
        def.position = far_point(&random, random_below(&random, 2) ? most : 4);
        if (def.shape.kind == GRAZE_SHAPE_RECT) {
            const float half_y = fabsf(far_number(&random, most)) + 1;
            def.shape = graze_shape_rect(fabsf(far_number(&random, most)) + 1, half_y);
        }
        kit_add(world, def);
    }
    return world;
}

// The ray passes through the origin, or through a point near a body, or ends there.
static graze_ray far_ray(const graze_world *world, random_state *random, int most)
{
    if (random_below(random, 2)) {
        const float unit = ldexpf(1, (int)random_below(random, (uint32_t)most));
        const float x = (float)random_integer(random, -4, 4) * unit;
        const graze_vec2 away = {x, (float)random_integer(random, -4, 4) * unit};
        const graze_ray ray = {away, graze_vec2_scale(away, -2)};
        return ray;
    }
    const graze_body_id body = graze_world_body_at(world, random_below(random, BODIES));
    const graze_vec2 beside = graze_vec2_scale(point(random), 2);
    const graze_vec2 target = graze_vec2_add(graze_body_position(world, body), beside);
    const graze_vec2 away = far_point(random, most);
    const float share = random_float(random, 0.5f, 2);
    const graze_ray ray = {graze_vec2_add(target, away), graze_vec2_scale(away, -share)};
    return ray;
}

// Whether the line from one point to another meets the box of a body, which is enlarged by its own
// rounding; nothing else is rounded. The box must lie neither beside nor beyond the line.
static bool may_meet(graze_vec2 from, graze_vec2 to, graze_aabb box)
{
    const graze_vec2 corners[] = {
        box.lower, {box.upper.x, box.lower.y}, box.upper, {box.lower.x, box.upper.y}};
    const graze_segment way = {from, to};
    uint32_t left = 0, right = 0;
    for (uint32_t i = 0; i < 4; ++i) {
        const int side = graze_orient(way.a, way.b, corners[i]);
        left += side > 0;
        right += side < 0;
    }
    return left < 4 && right < 4 && fminf(from.x, to.x) <= box.upper.x &&
           fmaxf(from.x, to.x) >= box.lower.x && fminf(from.y, to.y) <= box.upper.y &&
           fmaxf(from.y, to.y) >= box.lower.y;
}

static graze_aabb box_around(const graze_world *world, graze_body_id body)
{
    const graze_shape shape = graze_body_shape(world, body);
    const graze_vec2 at = graze_body_position(world, body);
    float reach_x = 0, reach_y = 0;
    if (shape.kind == GRAZE_SHAPE_CIRCLE) {
        reach_x = reach_y = shape.radius;
    } else if (shape.kind == GRAZE_SHAPE_RECT) {
        const graze_rotation turned = graze_rotation_from_angle(graze_body_angle(world, body));
        reach_x = fabsf(shape.half.x * turned.cosine) + fabsf(shape.half.y * turned.sine);
        reach_y = fabsf(shape.half.x * turned.sine) + fabsf(shape.half.y * turned.cosine);
    }
    const float room_x = 1e-6f * (fabsf(at.x) + reach_x), room_y = 1e-6f * (fabsf(at.y) + reach_y);
    const graze_aabb box = {{at.x - reach_x - room_x, at.y - reach_y - room_y},
                            {at.x + reach_x + room_x, at.y + reach_y + room_y}};
    return box;
}

typedef struct ray_answers {
    uint32_t count;
    graze_query_hit hits[MOST], first, many;
} ray_answers;

static void ask_ray(const graze_world *world, graze_ray ray, ray_answers *to)
{
    const graze_filter all = graze_filter_default();
    memset(to, 0, sizeof *to);
    to->count = graze_query_ray_all(world, ray, all, to->hits, MOST);
    assert_int_equal(graze_query_ray(world, ray, all, &to->first), GRAZE_OK);
    assert_int_equal(graze_query_ray_many(world, &ray, 1, all, &to->many), GRAZE_OK);
}

// Bodies that no grid knows are all tested, one by one.
static void rays_from_afar_find_the_same_in_any_order(void **state)
{
    (void)state;
    uint32_t met = 0;
    for (uint64_t seed = 0; seed < 3000; ++seed) {
        random_state random = random_seed(seed);
        const int most = 20 + (int)random_below(&random, 100);
        graze_world *loose = fill_far_world(random, most);
        graze_world *sorted = fill_far_world(random, most);
        assert_int_equal(graze_world_sort(sorted), GRAZE_OK);
        for (uint32_t i = 0; i < QUESTIONS; ++i) {
            const graze_ray ray = far_ray(loose, &random, most);
            ray_answers first, second;
            ask_ray(loose, ray, &first);
            ask_ray(sorted, ray, &second);
            if (memcmp(&first, &second, sizeof first) != 0) {
                fail_msg("seed %lu, ray %u: %u bodies, and %u in order", (unsigned long)seed,
                         (unsigned)i, (unsigned)first.count, (unsigned)second.count);
            }
            assert_memory_equal(&first.first, &first.many, sizeof first.many);
            const graze_vec2 end = graze_vec2_add(ray.origin, ray.delta);
            for (uint32_t k = 0; k < first.count; ++k) {
                const graze_aabb box = box_around(loose, first.hits[k].body);
                assert_true(may_meet(ray.origin, end, box));
            }
            met += first.count;
        }
        graze_world_destroy(loose);
        graze_world_destroy(sorted);
    }
    assert_in_range(met, 100000, UINT32_MAX);
}

static uint32_t count_sorted_near(const graze_world *world, float x, float y)
{
    const graze_aabb box = {{x - 0.1f, y - 0.1f}, {x + 0.1f, y + 0.1f}};
    graze_grid_cursor cursor = graze_grid_begin_box(world->grid.cells, box);
    uint32_t places[2];
    return graze_grid_next_box(world->grid.cells, &cursor, places, 2);
}

// The bodies must not be stored where they would go: queries would test them all along that path.
static void bodies_are_sorted_where_they_are(void **state)
{
    (void)state;
    graze_world *world = kit_world();
    kit_add(world, kit_moving(kit_circle(0, 0, 0.5f), 100, 0, GRAZE_PASS));
    kit_add(world, kit_moving(kit_circle(0, 50, 0.5f), 100, 0, GRAZE_BOUNCE));
    kit_step(world, 1);
    assert_int_equal(graze_world_sort(world), GRAZE_OK);
    for (float y = 0; y <= 50; y += 50) {
        assert_int_equal(count_sorted_near(world, 100, y), 1);
        assert_int_equal(count_sorted_near(world, 150, y), 0);
        assert_int_equal(count_sorted_near(world, 50, y), 0);
    }
    graze_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(queries_find_the_same_before_and_after_sorting),
        cmocka_unit_test(queries_find_the_same_after_a_step_and_after_loading),
        cmocka_unit_test(what_is_pushed_less_far_than_it_may_go_stays_in_the_grid),
        cmocka_unit_test(what_is_jammed_is_found_where_it_is),
        cmocka_unit_test(turned_rects_of_denormal_size_are_found),
        cmocka_unit_test(rays_from_afar_find_the_same_in_any_order),
        cmocka_unit_test(bodies_are_sorted_where_they_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
