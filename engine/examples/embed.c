// The least that a game needs: a world with a log, a floor, and a crate that falls on it and comes
// to rest there.
#include <graze/graze.h>

#include <stdio.h>

// Says why a call was refused: the message names the call, the field and its value.
static void write_log(graze_status status, const char *message, void *user)
{
    (void)status;
    (void)user;
    fprintf(stderr, "%s\n", message);
}

static graze_world *make_world(void)
{
    graze_world_def def = graze_world_def_default();
    def.gravity.y = -10;
    def.log = write_log;
    return graze_world_create(&def);
}

static void add_floor(graze_world *world)
{
    graze_chain_def floor = graze_chain_def_default();
    floor.points = (graze_vec2[]){{-20, 0}, {20, 0}};
    floor.count = 2;
    graze_chain_create(world, &floor);
}

static graze_body_id add_crate(graze_world *world)
{
    graze_body_def crate = graze_body_def_default();
    crate.shape = graze_shape_rect(1, 1);
    crate.position.y = 5;
    crate.response = GRAZE_SLIDE;
    crate.friction = 0;
    return graze_body_create(world, &crate);
}

int main(void)
{
    graze_world *world = make_world();
    if (!world) {
        return 1;
    }
    add_floor(world);
    graze_body_id crate = add_crate(world);
    uint32_t contacts = 0;
    for (int step = 0; step < 120; ++step) {
        graze_world_step(world, 1.0f / 60.0f);
        contacts += graze_world_contacts(world).count;
    }
    float height = graze_body_position(world, crate).y;
    printf("after two seconds the crate's centre is %g above the floor\n", (double)height);
    graze_world_destroy(world);
    return contacts > 0 && height > 0.99f && height < 1.01f ? 0 : 1;
}
