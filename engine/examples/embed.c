// All that a game needs to put Graze in: a world, a floor, a crate that falls on it, one contact.
#include <graze/graze.h>

#include <stdio.h>

int main(void)
{
    graze_world_def def = graze_world_def_default();
    def.gravity = (graze_vec2){0, -10};
    graze_world *world = graze_world_create(&def);

    graze_chain_def floor = graze_chain_def_default();
    floor.points = (graze_vec2[]){{-20, 0}, {20, 0}};
    floor.count = 2;
    graze_chain_create(world, &floor);

    graze_body_def crate = graze_body_def_default();
    crate.shape = graze_shape_rect(1, 1);
    crate.position = (graze_vec2){0, 5};
    crate.response = GRAZE_STOP;
    graze_body_id id = graze_body_create(world, &crate);

    for (int step = 0; step < 120; ++step) {
        graze_world_step(world, 1.0f / 60.0f);
        graze_contact_list contacts = graze_world_contacts(world);
        for (uint32_t i = 0; i < contacts.count; ++i) {
            if (contacts.data[i].phase == GRAZE_CONTACT_BEGIN) {
                printf("step %d: the crate lands\n", step);
            }
        }
    }
    float height = graze_body_position(world, id).y;
    graze_world_destroy(world);
    return height > 0.99f && height < 1.01f ? 0 : 1;
}
