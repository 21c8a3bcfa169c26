// Bullets against terrain: a ring of 360 bullets is fired inside a closed cave. Each ends where it
// hits the rock, at the exact point, and none gets out, however fast it is.
#include <graze/graze.h>

#include <stdio.h>

enum { BULLET_COUNT = 360 };

static void make_cave(graze_world *world)
{
    const graze_vec2 points[] = {{-30, -12}, {-8, -20}, {14, -16}, {30, -18}, {34, 2},
                                 {22, 16},   {4, 11},   {-12, 19}, {-28, 14}, {-35, 3}};
    graze_chain_def cave = graze_chain_def_default();
    cave.points = points;
    cave.count = sizeof points / sizeof *points;
    cave.loop = true;
    graze_chain_create(world, &cave);
}

static void fire_ring(graze_world *world, float speed)
{
    graze_body_def bullets[BULLET_COUNT];
    for (int i = 0; i < BULLET_COUNT; ++i) {
        graze_rotation towards = graze_rotation_from_angle((float)i * 0.0174533f);
        bullets[i] = graze_body_def_default();
        bullets[i].shape = graze_shape_ray();
        bullets[i].velocity = (graze_vec2){speed * towards.cosine, speed * towards.sine};
        bullets[i].response = GRAZE_STOP;
        bullets[i].hit_limit = 1;
    }
    graze_body_create_many(world, bullets, BULLET_COUNT, NULL);
}

// Every contact is the end of a bullet: here a game draws a spark, plays a sound, makes a hole in
// the wall.
static uint32_t count_hits(const graze_world *world)
{
    uint32_t hits = 0;
    graze_contact_list contacts = graze_world_contacts(world);
    for (uint32_t i = 0; i < contacts.count; ++i) {
        hits += (contacts.data[i].flags & GRAZE_CONTACT_SPENT) != 0;
    }
    return hits;
}

int main(void)
{
    uint32_t hits = 0;
    graze_world_def def = graze_world_def_default();
    graze_world *world = graze_world_create(&def);
    make_cave(world);
    fire_ring(world, 20);   // A third of a unit a step.
    fire_ring(world, 9000); // 150 units a step: through the whole cave and far beyond.
    for (int step = 0; step < 180; ++step) {
        graze_world_step(world, 1.0f / 60.0f);
        hits += count_hits(world);
    }
    uint32_t left = graze_world_get_stats(world).body_count;
    printf("%u bullets hit the rock, %u are left\n", hits, left);
    graze_world_destroy(world);
    return hits == 2 * BULLET_COUNT && left == 0 ? 0 : 1;
}
