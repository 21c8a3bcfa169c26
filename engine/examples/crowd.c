#include "crowd.h"

#include <graze/graze.h>

enum { DISCS_A_ROW = 110, STEPS = 20 };

static void add_walls(graze_world *world)
{
    const graze_vec2 corners[] = {{-10, -10}, {230, -10}, {230, 230}, {-10, 230}};
    graze_chain_def walls = graze_chain_def_default();
    walls.points = corners;
    walls.count = 4;
    walls.loop = true;
    graze_chain_create(world, &walls);
}

// Every eighth is a bullet, and some of the discs bounce; the others are only met.
static void add_body(graze_world *world, uint32_t column, uint32_t row)
{
    const uint32_t scrambled = (column * 7919u + row * 104729u) % 1009u;
    const graze_rotation towards = graze_rotation_from_angle((float)scrambled * 0.00622f);
    const bool bullet = scrambled % 8 == 1;
    const float speed = bullet ? 200.0f : 5.0f;
    graze_body_def body = graze_body_def_default();
    body.shape = bullet ? graze_shape_ray() : graze_shape_circle(0.7f);
    body.position = (graze_vec2){(float)column * 2, (float)row * 2};
    body.velocity = (graze_vec2){speed * towards.cosine, speed * towards.sine};
    body.response = bullet || scrambled % 64 == 0 ? GRAZE_BOUNCE : GRAZE_PASS;
    body.friction = 0;
    body.restitution = 1;
    graze_body_create(world, &body);
}

uint64_t crowd_run(const graze_world_def *def)
{
    graze_world *world = graze_world_create(def);
    if (!world) {
        return 0;
    }
    add_walls(world);
    for (uint32_t i = 0; i < DISCS_A_ROW * DISCS_A_ROW; ++i) {
        add_body(world, i % DISCS_A_ROW, i / DISCS_A_ROW);
    }
    for (uint32_t step = 0; step < STEPS; ++step) {
        graze_world_step(world, 1.0f / 60.0f);
    }
    const uint64_t hash = graze_world_hash(world);
    graze_world_destroy(world);
    return hash;
}
