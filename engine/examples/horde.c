// A horde walks through a door, to a player on the other side. Each step the game only steers every
// member towards the door, or from there to the player; in the world they push each other, pack
// together, and slide along the wall.
#include <graze/graze.h>

#include <math.h>
#include <stdio.h>

enum { MEMBER_COUNT = 100, MAX_STEPS = 1800 };

static const graze_vec2 door = {0, 0};
static const graze_vec2 player = {12, 3};
static const float half_width = 1.25f; ///< Of the door: two and a half members fit side by side.
static const float radius = 0.5f;
static const float speed = 5; ///< Units a second.

static void make_wall(graze_world *world)
{
    const graze_vec2 ends[2][2] = {{{0, half_width}, {0, 30}}, {{0, -half_width}, {0, -30}}};
    for (int side = 0; side < 2; ++side) {
        graze_chain_def wall = graze_chain_def_default();
        wall.points = ends[side];
        wall.count = 2;
        graze_chain_create(world, &wall);
    }
}

static void make_horde(graze_world *world, graze_body_id members[MEMBER_COUNT])
{
    for (int i = 0; i < MEMBER_COUNT; ++i) {
        graze_body_def member = graze_body_def_default();
        member.shape = graze_shape_circle(radius);
        member.position = (graze_vec2){-6 - 1.3f * (float)(i % 10), 1.3f * (float)(i / 10) - 6};
        member.response = GRAZE_SLIDE;
        member.friction = 0;
        members[i] = graze_body_create(world, &member);
    }
}

static bool is_through(graze_vec2 position)
{
    return position.x > door.x + radius;
}

static void steer(graze_world *world, graze_body_id member)
{
    const graze_vec2 position = graze_body_position(world, member);
    const bool is_in_door = fabsf(position.y - door.y) < half_width - radius;
    const graze_vec2 target = is_through(position) || is_in_door ? player : door;
    const graze_vec2 way = graze_vec2_sub(target, position);
    const float length = graze_vec2_length(way);
    const graze_vec2 none = {0, 0};
    graze_body_set_velocity(world, member,
                            length > 0 ? graze_vec2_scale(way, speed / length) : none);
}

static int count_through(const graze_world *world, const graze_body_id members[MEMBER_COUNT])
{
    int count = 0;
    for (int i = 0; i < MEMBER_COUNT; ++i) {
        count += is_through(graze_body_position(world, members[i]));
    }
    return count;
}

int main(void)
{
    graze_body_id members[MEMBER_COUNT];
    graze_world_def def = graze_world_def_default();
    graze_world *world = graze_world_create(&def);
    make_wall(world);
    make_horde(world, members);
    int through = 0;
    for (int step = 1; step <= MAX_STEPS && through < MEMBER_COUNT; ++step) {
        for (int i = 0; i < MEMBER_COUNT; ++i) {
            steer(world, members[i]);
        }
        graze_world_step(world, 1.0f / 60.0f);
        through = count_through(world, members);
        if (step % 300 == 0 || through == MEMBER_COUNT) {
            printf("after %4.1f seconds %d of %d are through\n", step / 60.0, through,
                   MEMBER_COUNT);
        }
    }
    graze_world_destroy(world);
    return through == MEMBER_COUNT ? 0 : 1;
}
