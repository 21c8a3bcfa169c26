#include "contact/contact_keys.h"
#include "step.h"

// Pairs of bodies were decided as they were found (step_pairs.c, decide.c). Only walls are left.
graze_status grz_step_decide(graze_world *world)
{
    world->fresh.count = 0;
    world->keys_indexed = false;
    return grz_step_walls(world) ? GRAZE_OK : GRAZE_ERROR_OUT_OF_MEMORY;
}
