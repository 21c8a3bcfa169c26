#include "ray_scenes.h"

#include "bench_memory.h"

enum {
    SEED = 1,
    RAY_SEED = 2 ///< Not the terrain's, or rays would begin at its ends and lie in it.
};

const ray_scene ray_scenes[RAY_SCENE_COUNT] = {
    {"bullets-terrain", "1k", 1000, false},
    {"bullets-terrain", "10k", 10000, true},
    {"bullets-terrain", "100k", 100000, false},
    {"bullets-bodies", "10k", 10000, false},
};

scene ray_scene_make(const ray_scene *which, uint32_t bullets)
{
    return which < ray_scenes + RAY_TERRAIN_COUNT
               ? scene_make_bullets_terrain(SEED, which->size, bullets)
               : scene_make_bullets_bodies(SEED, which->size, bullets);
}

graze_ray *ray_scene_draw(const scene *place, uint32_t count)
{
    graze_ray *rays = bench_allocate(count, sizeof *rays);
    random_state random = random_seed(RAY_SEED);
    for (uint32_t i = 0; i < count; ++i) {
        scene_body bullet = scene_new_bullet(place, &random);
        rays[i].origin = bullet.position;
        rays[i].delta = graze_vec2_scale(bullet.velocity, SCENE_STEP);
    }
    return rays;
}
