// Links graze::engine and nothing else.
#include <graze/graze.h>

int main(void)
{
    graze_world_def def = graze_world_def_default();
    graze_world *world = graze_world_create(&def);
    graze_status status = graze_world_step(world, 1.0f / 60.0f);
    graze_world_destroy(world);
    return status == GRAZE_OK ? 0 : 1;
}
