#include "support/world_kit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Queries find the same whether the grid knows a body or not, also where it touches, or does not,
// by rounding alone: on small integers, some of them off by less than double can add to them.

enum { BODIES = 60, QUESTIONS = 40, MOST = BODIES };

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
    graze_body_def def = graze_body_def_default();
    def.shape = shape(random);
    def.position = point(random);
    def.velocity = point(random);
    def.angle = random_below(random, 2) ? random_float(random, -3, 3) : 0;
    def.spin = random_below(random, 3) ? 0 : random_float(random, -2, 2);
    def.response = (graze_response)random_below(random, 4);
    return def;
}

// What two worlds answer to the same questions.
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
    graze_body_def def = graze_body_def_default();
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

// A bullet that passes meets what a ray along its way does.
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(queries_find_the_same_before_and_after_sorting),
        cmocka_unit_test(queries_find_the_same_after_a_step_and_after_loading),
        cmocka_unit_test(turned_rects_of_denormal_size_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
