// graze_world_sort: bodies into the grid between steps, for queries.

#include <graze/world.h>

#include "fp_environment.h"
#include "plural.h"
#include "step/step.h"
#include "world/call_hook.h"
#include "world/message.h"

// Predicted over zero seconds nothing moves: the boxes are those of the bodies as they are.
static graze_status sort_bodies(graze_world *world)
{
    world->call.dt = 0;
    graze_status status = grz_step_predict(world);
    status = status ? status : grz_step_sort(world);
    return status ? grz_fail(world, status, "graze_world_sort: no room for %u %s in the grid",
                             (unsigned)world->bodies.count,
                             grz_plural(world->bodies.count, "body", "bodies"))
                  : GRAZE_OK;
}

graze_status graze_world_sort(graze_world *world)
{
    const graze_status busy = grz_check_not_busy(world, "graze_world_sort");
    if (busy) {
        return busy;
    }
    const grz_fp_environment caller = grz_fp_enter();
    const graze_status status = sort_bodies(world);
    grz_note_call(world, status, GRZ_RECORD_SORT, NULL);
    grz_fp_leave(caller);
    return status;
}
