#include "scenes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

enum { COUNT = 4000, SEED = 7 };

typedef struct maker {
    const char *name;
    scene_make_fn *make;
    uint64_t hash; ///< Of COUNT movers from SEED: the same on every machine.
} maker;

static const maker makers[] = {
    {"gas", scene_make_gas, 0xA03FF5A093218B56},
    {"gas-slow", scene_make_gas_slow, 0x10A858ABCBA06D77},
    {"gas-mixed", scene_make_gas_mixed, 0x951BE60B50C2EE64},
    {"gas-sizes, log-uniform", scene_make_gas_log_sizes, 0xDEE9B98361B71547},
    {"gas-sizes, giants", scene_make_gas_giants, 0x3FF455E4D661868A},
    {"gas-sizes, power law", scene_make_gas_power_sizes, 0xBAF43C376737B6FA},
    {"clusters", scene_make_clusters, 0x6816E5C8B2427AEA},
    {"dense clusters", scene_make_dense_clusters, 0xC8720D5C2B0B0A5E},
    {"debris", scene_make_debris, 0xE00804569378DF91},
    {"gas-fast", scene_make_gas_fast, 0x7B79727E17DB097A},
    {"rest", scene_make_rest, 0x13C741D5665CCFA1},
    {"heavy-tail", scene_make_heavy_tail, 0xAEECDED0066A1E56},
};

enum { MAKER_COUNT = sizeof makers / sizeof makers[0] };

static uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t size)
{
    const unsigned char *next = bytes;
    for (size_t i = 0; i < size; ++i) {
        hash = (hash ^ next[i]) * 0x100000001B3u;
    }
    return hash;
}

static uint64_t hash_word(uint64_t hash, uint32_t word)
{
    const unsigned char bytes[4] = {(unsigned char)word, (unsigned char)(word >> 8),
                                    (unsigned char)(word >> 16), (unsigned char)(word >> 24)};
    return hash_bytes(hash, bytes, sizeof bytes);
}

static uint64_t hash_float(uint64_t hash, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return hash_word(hash, bits);
}

static uint64_t hash_vec2(uint64_t hash, graze_vec2 v)
{
    return hash_float(hash_float(hash, v.x), v.y);
}

static uint64_t hash_body(uint64_t hash, const scene_body *body)
{
    hash = hash_word(hash, (uint32_t)body->kind);
    hash = hash_vec2(hash, body->position);
    hash = hash_vec2(hash, body->velocity);
    hash = hash_vec2(hash, body->half);
    return hash_float(hash_float(hash, body->angle), body->spin);
}

static uint64_t hash_scene(const scene *made)
{
    uint64_t hash = 0xCBF29CE484222325u;
    hash = hash_vec2(hash_vec2(hash, made->bounds.lower), made->bounds.upper);
    for (uint32_t i = 0; i < made->body_count; ++i) {
        hash = hash_body(hash, &made->bodies[i]);
    }
    for (uint32_t i = 0; i < made->point_count; ++i) {
        hash = hash_vec2(hash, made->points[i]);
    }
    for (uint32_t i = 0; i < made->chain_count; ++i) {
        hash = hash_word(hash_word(hash, made->chains[i].first), made->chains[i].count);
    }
    return hash;
}

static void assert_hash(const char *name, const scene *made, uint64_t expected)
{
    uint64_t hash = hash_scene(made);
    if (hash != expected) {
        fail_msg("%s: hash 0x%016llX, not 0x%016llX", name, (unsigned long long)hash,
                 (unsigned long long)expected);
    }
}

static void assert_everything_inside(const char *name, const scene *made)
{
    for (uint32_t i = 0; i < made->body_count; ++i) {
        if (!scene_is_inside(made, made->bodies[i].position)) {
            fail_msg("%s: body %u is out of bounds", name, i);
        }
    }
    for (uint32_t i = 0; i < made->point_count; ++i) {
        if (!scene_is_inside(made, made->points[i])) {
            fail_msg("%s: point %u is out of bounds", name, i);
        }
    }
}

static void scenes_have_the_same_bits_everywhere(void **state)
{
    (void)state;
    for (size_t i = 0; i < MAKER_COUNT; ++i) {
        scene made = makers[i].make(SEED, COUNT);
        assert_hash(makers[i].name, &made, makers[i].hash);
        scene_free(&made);
    }
}

static void another_seed_is_another_scene(void **state)
{
    (void)state;
    for (size_t i = 0; i < MAKER_COUNT; ++i) {
        scene made = makers[i].make(SEED + 1, COUNT);
        assert_int_not_equal(hash_scene(&made), makers[i].hash);
        scene_free(&made);
    }
}

static void movers_are_inside_the_bounds(void **state)
{
    (void)state;
    for (size_t i = 0; i < MAKER_COUNT; ++i) {
        scene made = makers[i].make(SEED, COUNT);
        assert_int_equal(made.body_count, COUNT);
        assert_int_equal(made.bullet_count, 0);
        assert_everything_inside(makers[i].name, &made);
        scene_free(&made);
    }
}

/// Pi / 4 of what the bodies' square boxes cover is what circles cover.
static double cover_of(const scene *made)
{
    double area = 0;
    for (uint32_t i = 0; i < made->body_count; ++i) {
        area += 3.14159265358979 * (double)made->bodies[i].half.x * (double)made->bodies[i].half.x;
    }
    double side = 2.0 * (double)made->bounds.upper.x;
    return area / (side * side);
}

static void movers_cover_a_fifth_of_the_square(void **state)
{
    (void)state;
    for (size_t i = 0; i < MAKER_COUNT; ++i) {
        scene made = makers[i].make(SEED, COUNT);
        double cover = cover_of(&made);
        if (cover < 0.1999 || cover > 0.2001) {
            fail_msg("%s: cover is %f", makers[i].name, cover);
        }
        scene_free(&made);
    }
}

static bool overlap(const scene_body *a, const scene_body *b)
{
    double x = (double)a->position.x - (double)b->position.x;
    double y = (double)a->position.y - (double)b->position.y;
    double sum = (double)a->half.x + (double)b->half.x;
    return x * x + y * y <= sum * sum;
}

static uint32_t count_overlaps(const scene *made)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < made->body_count; ++i) {
        for (uint32_t j = 0; j < i; ++j) {
            count += overlap(&made->bodies[i], &made->bodies[j]);
        }
    }
    return count;
}

static void a_gas_has_two_overlaps_for_five_bodies(void **state)
{
    (void)state;
    scene made = scene_make_gas(SEED, COUNT);
    assert_in_range(count_overlaps(&made), COUNT * 38 / 100, COUNT * 42 / 100);
    scene_free(&made);
}

static void every_second_body_of_a_mixed_gas_is_a_rect(void **state)
{
    (void)state;
    scene made = scene_make_gas_mixed(SEED, COUNT);
    for (uint32_t i = 0; i < COUNT; ++i) {
        const scene_body *body = &made.bodies[i];
        assert_int_equal(body->kind, i % 2 ? SCENE_RECT : SCENE_CIRCLE);
        assert_true(body->half.x == 0.5f && body->half.y == (i % 2 ? 0.3f : 0.5f));
        assert_true(body->spin >= -2.0f && body->spin <= 2.0f);
    }
    scene_free(&made);
}

static void assert_radius_range(scene_make_fn *make, float low, float high)
{
    scene made = make(SEED, COUNT);
    float smallest = high;
    float largest = low;
    for (uint32_t i = 0; i < COUNT; ++i) {
        float radius = made.bodies[i].half.x;
        assert_true(radius >= low && radius <= high);
        smallest = radius < smallest ? radius : smallest;
        largest = radius > largest ? radius : largest;
    }
    assert_true(smallest < low * 1.01f && largest > high * 0.9f);
    scene_free(&made);
}

static void radii_fill_their_ranges(void **state)
{
    (void)state;
    assert_radius_range(scene_make_gas_log_sizes, 0.1f, 10.0f);
    assert_radius_range(scene_make_gas_giants, 0.5f, 32.0f);
    assert_radius_range(scene_make_gas_power_sizes, 0.5f, 16.0f);
    assert_radius_range(scene_make_heavy_tail, 0.5f, 50.0f);
}

static void half_of_log_uniform_radii_are_below_their_geometric_mean(void **state)
{
    (void)state;
    scene made = scene_make_gas_log_sizes(SEED, COUNT);
    uint32_t below = 0;
    for (uint32_t i = 0; i < COUNT; ++i) {
        below += made.bodies[i].half.x < 1.0f;
    }
    assert_in_range(below, COUNT * 47 / 100, COUNT * 53 / 100);
    scene_free(&made);
}

static void one_body_in_a_hundred_moves_at_rest(void **state)
{
    (void)state;
    scene made = scene_make_rest(SEED, COUNT);
    uint32_t moving = 0;
    for (uint32_t i = 0; i < COUNT; ++i) {
        moving += made.bodies[i].velocity.x != 0.0f || made.bodies[i].velocity.y != 0.0f;
    }
    assert_int_equal(moving, COUNT / 100);
    scene_free(&made);
}

/// The share of bodies in the cells of a 100 x 100 raster that hold at least `crowd` bodies.
static double share_in_crowded_cells(const scene *made, uint32_t crowd)
{
    static uint32_t cells[100][100];
    memset(cells, 0, sizeof cells);
    float scale = 100.0f / (made->bounds.upper.x - made->bounds.lower.x);
    for (uint32_t i = 0; i < made->body_count; ++i) {
        graze_vec2 offset = graze_vec2_sub(made->bodies[i].position, made->bounds.lower);
        ++cells[(int)(offset.x * scale) % 100][(int)(offset.y * scale) % 100];
    }
    uint32_t crowded = 0;
    for (int i = 0; i < 100 * 100; ++i) {
        uint32_t count = cells[i / 100][i % 100];
        crowded += count >= crowd ? count : 0;
    }
    return (double)crowded / made->body_count;
}

static void clusters_hold_their_share_of_the_bodies(void **state)
{
    (void)state;
    scene gas = scene_make_gas(SEED, 40000);
    scene clusters = scene_make_clusters(SEED, 40000);
    scene dense = scene_make_dense_clusters(SEED, 40000);
    assert_true(share_in_crowded_cells(&gas, 16) < 0.01);
    assert_true(share_in_crowded_cells(&clusters, 16) > 0.75);
    assert_true(share_in_crowded_cells(&dense, 100) > 0.85);
    scene_free(&gas);
    scene_free(&clusters);
    scene_free(&dense);
}

static void assert_step_length(graze_vec2 velocity)
{
    float length = graze_vec2_length(velocity) * SCENE_STEP;
    assert_true(length > 0.0999f && length < 5.001f);
}

static void bullets_come_last_and_go_a_tenth_to_five_units(void **state)
{
    (void)state;
    scene made = scene_make_bullets_bodies(SEED, 1000, 5000);
    assert_int_equal(made.body_count, 6000);
    assert_int_equal(made.bullet_count, 5000);
    assert_everything_inside("bullets-bodies", &made);
    for (uint32_t i = 0; i < made.body_count; ++i) {
        assert_int_equal(made.bodies[i].kind, i < 1000 ? SCENE_CIRCLE : SCENE_BULLET);
        if (i >= 1000) {
            assert_step_length(made.bodies[i].velocity);
        }
    }
    assert_hash("bullets-bodies", &made, 0x9AD0BB371B78BC42);
    scene_free(&made);
}

static void a_new_bullet_is_like_the_others(void **state)
{
    (void)state;
    scene made = scene_make_bullets_bodies(SEED, 10, 0);
    random_state random = random_seed(SEED);
    for (uint32_t i = 0; i < COUNT; ++i) {
        scene_body bullet = scene_new_bullet(&made, &random);
        assert_int_equal(bullet.kind, SCENE_BULLET);
        assert_true(scene_is_inside(&made, bullet.position));
        assert_step_length(bullet.velocity);
    }
    scene_free(&made);
}

static void assert_chains_are_whole(const scene *made)
{
    uint32_t next = 0;
    for (uint32_t i = 0; i < made->chain_count; ++i) {
        assert_int_equal(made->chains[i].first, next);
        assert_true(made->chains[i].count >= 2 && made->chains[i].count <= 201);
        next += made->chains[i].count;
    }
    assert_int_equal(next, made->point_count);
    assert_int_equal(made->segment_count, made->point_count - made->chain_count);
}

static void assert_segment_lengths(const scene *made)
{
    for (uint32_t i = 0; i < made->chain_count; ++i) {
        const graze_vec2 *points = made->points + made->chains[i].first;
        for (uint32_t j = 1; j < made->chains[i].count; ++j) {
            float length = graze_vec2_length(graze_vec2_sub(points[j], points[j - 1]));
            assert_true(length > 0.999f && length < 5.001f);
        }
    }
}

static void terrain_has_as_many_segments_as_asked_for(void **state)
{
    (void)state;
    static const uint32_t counts[] = {0, 1, 7, 999, 1000, 12345};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; ++i) {
        scene made = scene_make_bullets_terrain(SEED, counts[i], 100);
        assert_int_equal(made.segment_count, counts[i]);
        assert_int_equal(made.bullet_count, 100);
        assert_int_equal(made.body_count, 100);
        assert_chains_are_whole(&made);
        assert_segment_lengths(&made);
        assert_everything_inside("bullets-terrain", &made);
        scene_free(&made);
    }
}

static void a_bullet_hell_holds_everything(void **state)
{
    (void)state;
    scene made = scene_make_bullet_hell(SEED, 1000, 2000, 3000);
    assert_int_equal(made.body_count, 3000);
    assert_int_equal(made.bullet_count, 2000);
    assert_int_equal(made.segment_count, 3000);
    assert_int_equal(made.bodies[1].kind, SCENE_RECT);
    assert_true(made.bounds.lower.x == -500.0f && made.bounds.upper.y == 500.0f);
    assert_everything_inside("bullet-hell", &made);
    assert_hash("bullet-hell", &made, 0x6BA65F235B62B28F);
    scene_free(&made);
}

static void walls_turn_only_what_leaves(void **state)
{
    (void)state;
    scene made = scene_make_bullets_terrain(SEED, 0, 0);
    graze_vec2 outside = {501.0f, -501.0f};
    graze_vec2 velocity = {3.0f, 2.0f};
    assert_true(scene_turn_back(&made, outside, &velocity));
    assert_true(velocity.x == -3.0f && velocity.y == 2.0f);
    assert_false(scene_turn_back(&made, outside, &velocity));
    velocity.y = -2.0f;
    assert_true(scene_turn_back(&made, outside, &velocity));
    assert_true(velocity.x == -3.0f && velocity.y == 2.0f);
    graze_vec2 inside = {500.0f, -500.0f};
    velocity.x = 3.0f;
    assert_false(scene_turn_back(&made, inside, &velocity));
    assert_true(scene_is_inside(&made, inside));
    assert_false(scene_is_inside(&made, outside));
    scene_free(&made);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scenes_have_the_same_bits_everywhere),
        cmocka_unit_test(another_seed_is_another_scene),
        cmocka_unit_test(movers_are_inside_the_bounds),
        cmocka_unit_test(movers_cover_a_fifth_of_the_square),
        cmocka_unit_test(a_gas_has_two_overlaps_for_five_bodies),
        cmocka_unit_test(every_second_body_of_a_mixed_gas_is_a_rect),
        cmocka_unit_test(radii_fill_their_ranges),
        cmocka_unit_test(half_of_log_uniform_radii_are_below_their_geometric_mean),
        cmocka_unit_test(one_body_in_a_hundred_moves_at_rest),
        cmocka_unit_test(clusters_hold_their_share_of_the_bodies),
        cmocka_unit_test(bullets_come_last_and_go_a_tenth_to_five_units),
        cmocka_unit_test(a_new_bullet_is_like_the_others),
        cmocka_unit_test(terrain_has_as_many_segments_as_asked_for),
        cmocka_unit_test(a_bullet_hell_holds_everything),
        cmocka_unit_test(walls_turn_only_what_leaves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
