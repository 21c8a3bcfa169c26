#include "peer_bullets.h"

#include "bench_memory.h"

#include <stdlib.h>
#include <string.h>

peer_bullets peer_bullets_create(const scene *place)
{
    peer_bullets bullets = {.place = place, .count = place->bullet_count};
    bullets.bodies = bench_allocate(bullets.count, sizeof *bullets.bodies);
    bullets.hits = bench_allocate(bullets.count, sizeof *bullets.hits);
    const scene_body *first = place->bodies + (place->body_count - place->bullet_count);
    memcpy(bullets.bodies, first, bullets.count * sizeof *bullets.bodies);
    return bullets;
}

void peer_bullets_destroy(peer_bullets *bullets)
{
    free(bullets->bodies);
    free(bullets->hits);
}

graze_vec2 peer_bullets_end(const peer_bullets *bullets, uint32_t bullet)
{
    const scene_body *body = &bullets->bodies[bullet];
    return graze_vec2_add(body->position, graze_vec2_scale(body->velocity, SCENE_STEP));
}

void peer_bullets_keep(peer_bullets *bullets, random_state *random)
{
    for (uint32_t i = 0; i < bullets->count; ++i) {
        bullets->bodies[i].position = peer_bullets_end(bullets, i);
        if (bullets->hits[i].hit || !scene_is_inside(bullets->place, bullets->bodies[i].position)) {
            bullets->bodies[i] = scene_new_bullet(bullets->place, random);
        }
    }
}
