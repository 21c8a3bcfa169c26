// All that a game needs to put Graze in: a world, a floor, a crate that falls on it and stops
// there.
#include <graze/graze.h>

int main(void)
{
    graze_world_def def = graze_world_def_default();
    def.gravity = (graze_vec2){0, -10};
    graze_world *world = graze_world_create(&def);

    graze_chain_def floor = graze_chain_def_default();
    floor.points = (graze_vec2[]){{-20, 0}, {20, 0}};
    floor.count = 2;
    graze_chain_create(world, &floor);

    graze_body_def def_of_crate = graze_body_def_default();
    def_of_crate.shape = graze_shape_rect(1, 1);
    def_of_crate.position = (graze_vec2){0, 5};
    def_of_crate.response = GRAZE_STOP;
    graze_body_id crate = graze_body_create(world, &def_of_crate);

    uint32_t contacts = 0;
    for (int step = 0; step < 120; ++step) {
        graze_world_step(world, 1.0f / 60.0f);
        contacts += graze_world_contacts(world).count;
    }
    float height = graze_body_position(world, crate).y;
    graze_world_destroy(world);
    return contacts > 0 && height > 0.99f && height < 1.01f ? 0 : 1;
}
