#include "demo_cave.h"

#include <graze/shape.h>

#include <math.h>

enum { WALL_POINTS = 720, ISLAND_POINTS = 56, ISLAND_COUNT = 11, WAVE_COUNT = 5 };

static const float two_pi = 6.28318530718f;
static const graze_vec2 middle = {80, 45};

const graze_vec2 cli_emitter_places[CLI_EMITTER_COUNT] = {{30, 24}, {82, 21}, {131, 26},
                                                          {33, 66}, {78, 63}, {127, 66}};

static uint64_t next_bits(cli_random *random)
{
    random->state += 0x9E3779B97F4A7C15u;
    uint64_t bits = random->state;
    bits = (bits ^ bits >> 30) * 0xBF58476D1CE4E5B9u;
    bits = (bits ^ bits >> 27) * 0x94D049BB133111EBu;
    return bits ^ bits >> 31;
}

float cli_random_float(cli_random *random, float low, float high)
{
    return low + (high - low) * ((float)(next_bits(random) >> 40) / 16777216.0f);
}

uint32_t cli_random_below(cli_random *random, uint32_t count)
{
    return (uint32_t)((next_bits(random) >> 32) * count >> 32);
}

/// A closed curve's roughness: waves of rising frequency around it.
typedef struct rock_waves {
    float height[WAVE_COUNT], phase[WAVE_COUNT];
    uint32_t frequency[WAVE_COUNT];
} rock_waves;

static rock_waves make_waves(cli_random *random, float height, uint32_t first)
{
    rock_waves waves;
    for (uint32_t i = 0; i < WAVE_COUNT; ++i) {
        waves.frequency[i] = first + i * (first + 1) + cli_random_below(random, first + 1);
        waves.phase[i] = cli_random_float(random, 0, two_pi);
        waves.height[i] = height / (1 + 0.8f * (float)i);
    }
    return waves;
}

static float sum_waves(const rock_waves *waves, float angle)
{
    float sum = 0;
    for (uint32_t i = 0; i < WAVE_COUNT; ++i) {
        float at = (float)waves->frequency[i] * angle + waves->phase[i];
        sum += waves->height[i] * graze_rotation_from_angle(at).sine;
    }
    return sum;
}

// A superellipse of exponent 4, |x/a|^4 + |y/b|^4 = 1: it fills a wide picture, without corners.
static float radius_of_room(graze_rotation towards)
{
    float x = towards.cosine / 75.0f;
    float y = towards.sine / 40.5f;
    return 1 / sqrtf(sqrtf(x * x * x * x + y * y * y * y));
}

static cli_chain loop_of(cli_fill fill)
{
    cli_chain chain = {graze_chain_def_default(), 0, fill, 0, "the cave"};
    chain.def.surface = cli_plain_surface;
    chain.def.loop = true;
    return chain;
}

static void add_wall(cli_scene *scene, cli_random *random)
{
    graze_vec2 points[WALL_POINTS];
    rock_waves waves = make_waves(random, 1.9f, 5);
    for (int i = 0; i < WALL_POINTS; ++i) {
        float angle = two_pi * (float)i / WALL_POINTS;
        graze_rotation towards = graze_rotation_from_angle(angle);
        float radius = radius_of_room(towards) + sum_waves(&waves, angle) - 1.5f;
        points[i].x = middle.x + radius * towards.cosine;
        points[i].y = middle.y + radius * towards.sine;
    }
    cli_scene_add_chain(scene, loop_of(CLI_FILL_OUTSIDE), points, WALL_POINTS);
}

static bool is_clear_of_emitters(graze_vec2 center, float radius)
{
    for (int i = 0; i < CLI_EMITTER_COUNT; ++i) {
        graze_vec2 off = graze_vec2_sub(center, cli_emitter_places[i]);
        if (graze_vec2_length(off) < radius + 7) {
            return false;
        }
    }
    return true;
}

static bool is_clear_of_islands(const cli_scene *scene, graze_vec2 center, float radius)
{
    for (size_t i = 1; i < grz_list_count(scene->chains); ++i) {
        graze_aabb box = cli_scene_chain_box(scene, &scene->chains[i]);
        graze_vec2 off = {center.x - (box.lower.x + box.upper.x) / 2,
                          center.y - (box.lower.y + box.upper.y) / 2};
        float reach = (box.upper.x - box.lower.x) / 2;
        if (graze_vec2_length(off) < radius + reach + 5) {
            return false;
        }
    }
    return true;
}

static void add_island(cli_scene *scene, cli_random *random, graze_vec2 center, float radius)
{
    graze_vec2 points[ISLAND_POINTS];
    rock_waves waves = make_waves(random, 0.13f * radius, 2);
    for (int i = 0; i < ISLAND_POINTS; ++i) {
        float angle = two_pi * (float)i / ISLAND_POINTS;
        graze_rotation towards = graze_rotation_from_angle(angle);
        float reach = radius + sum_waves(&waves, angle);
        points[i].x = center.x + reach * towards.cosine;
        points[i].y = center.y + 0.8f * reach * towards.sine;
    }
    cli_scene_add_chain(scene, loop_of(CLI_FILL_INSIDE), points, ISLAND_POINTS);
}

bool cli_cave_has_room(const cli_scene *scene, graze_vec2 center, float radius)
{
    for (int i = 0; i < 8; ++i) {
        graze_rotation towards = graze_rotation_from_angle(two_pi * (float)i / 8);
        graze_vec2 point = {center.x + radius * towards.cosine, center.y + radius * towards.sine};
        bool is_open = cli_scene_chain_contains(scene, &scene->chains[0], point);
        for (size_t k = 1; k < grz_list_count(scene->chains); ++k) {
            is_open = is_open && !cli_scene_chain_contains(scene, &scene->chains[k], point);
        }
        if (!is_open) {
            return false;
        }
    }
    return true;
}

void cli_cave_build(cli_scene *scene, cli_random *random)
{
    scene->has_view = true;
    scene->view.upper.x = 2 * middle.x;
    scene->view.upper.y = 2 * middle.y;
    add_wall(scene, random);
    while (grz_list_count(scene->chains) < 1 + ISLAND_COUNT) {
        float radius = cli_random_float(random, 2.5f, 6.0f);
        graze_vec2 center;
        center.x = cli_random_float(random, 10, 150);
        center.y = cli_random_float(random, 8, 82);
        if (is_clear_of_emitters(center, radius) && is_clear_of_islands(scene, center, radius) &&
            cli_cave_has_room(scene, center, radius + 4)) {
            add_island(scene, random, center, radius);
        }
    }
}
