// A closed cave with islands: the terrain of the bullet hell.

#include "play_scene.h"

#include <math.h>

enum { WALL_POINTS = 480, ISLAND_POINTS = 48, ISLAND_COUNT = 11, WAVE_COUNT = 5, MAX_TRIES = 4000 };

static const float two_pi = 6.28318531f;
static const graze_vec2 middle = {80, 45};

const graze_vec2 play_emitters[PLAY_EMITTER_COUNT] = {{30, 24}, {82, 21}, {131, 26},
                                                      {33, 66}, {78, 63}, {127, 66}};

/// A closed curve's roughness: waves of rising frequency around it.
typedef struct rock_waves {
    float height[WAVE_COUNT], phase[WAVE_COUNT];
    uint32_t frequency[WAVE_COUNT];
} rock_waves;

static rock_waves make_waves(play *game, float height, uint32_t first)
{
    rock_waves waves = {{0}, {0}, {0}};
    for (uint32_t i = 0; i < WAVE_COUNT; ++i) {
        waves.frequency[i] = first + i * (first + 1) + play_random_below(game, first + 1);
        waves.phase[i] = play_random(game, 0, two_pi);
        waves.height[i] = height / (1 + 0.8f * (float)i);
    }
    return waves;
}

static float sum_waves(const rock_waves *waves, float angle)
{
    float sum = 0;
    for (uint32_t i = 0; i < WAVE_COUNT; ++i) {
        sum += waves->height[i] * play_sine((float)waves->frequency[i] * angle + waves->phase[i]);
    }
    return sum;
}

// A superellipse of exponent 4, |x/a|^4 + |y/b|^4 = 1: it fills a wide picture, without corners.
static float radius_of_room(float angle)
{
    const graze_vec2 towards = play_direction(angle, 1);
    const float x = towards.x / 75.0f;
    const float y = towards.y / 40.5f;
    return 1 / sqrtf(sqrtf(x * x * x * x + y * y * y * y));
}

static void add_wall(play *game)
{
    graze_vec2 points[WALL_POINTS];
    const rock_waves waves = make_waves(game, 1.9f, 5);
    for (int i = 0; i < WALL_POINTS; ++i) {
        const float angle = two_pi * (float)i / WALL_POINTS;
        const float radius = radius_of_room(angle) + sum_waves(&waves, angle) - 1.5f;
        points[i] = graze_vec2_add(middle, play_direction(angle, radius));
    }
    play_add_loop(game, points, WALL_POINTS);
}

static void add_island(play *game, graze_vec2 center, float radius)
{
    graze_vec2 points[ISLAND_POINTS];
    const rock_waves waves = make_waves(game, 0.13f * radius, 2);
    for (int i = 0; i < ISLAND_POINTS; ++i) {
        const float angle = two_pi * (float)i / ISLAND_POINTS;
        const graze_vec2 off = play_direction(angle, radius + sum_waves(&waves, angle));
        points[i].x = center.x + off.x;
        points[i].y = center.y + 0.8f * off.y;
    }
    play_add_loop(game, points, ISLAND_POINTS);
}

static const graze_filter walls = {~(uint32_t)0, PLAY_GROUND, 0, 0};

// How often a line from the point to the left crosses terrain: once more than outside of the cave.
static bool is_in_the_open(const play *game, graze_vec2 point)
{
    const graze_ray ray = {point, {-400, 0.37f}};
    return graze_query_ray_all(game->world, ray, walls, NULL, 0) % 2 == 1;
}

bool play_is_open(const play *game, graze_vec2 center, float radius)
{
    for (int i = 0; i < 8; ++i) {
        const graze_vec2 off = play_direction(two_pi * (float)i / 8, radius);
        const graze_ray spoke = {center, off};
        graze_query_hit hit;
        graze_query_ray(game->world, spoke, walls, &hit);
        if (hit.time < 1) {
            return false;
        }
    }
    return is_in_the_open(game, center);
}

static bool is_clear_of_emitters(graze_vec2 center, float radius)
{
    for (int i = 0; i < PLAY_EMITTER_COUNT; ++i) {
        if (graze_vec2_length(graze_vec2_sub(center, play_emitters[i])) < radius + 7) {
            return false;
        }
    }
    return true;
}

void play_build_cave(play *game)
{
    add_wall(game);
    int islands = 0;
    for (int tries = 0; tries < MAX_TRIES && islands < ISLAND_COUNT; ++tries) {
        const float radius = play_random(game, 2.5f, 6.0f);
        graze_vec2 center;
        center.x = play_random(game, 10, 150);
        center.y = play_random(game, 8, 82);
        if (is_clear_of_emitters(center, radius) && play_is_open(game, center, radius + 5)) {
            add_island(game, center, radius);
            ++islands;
        }
    }
}
