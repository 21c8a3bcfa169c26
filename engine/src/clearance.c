#include "clearance.h"

#include "box.h"
#include "meet.h"
#include "terrain.h"
#include "tolerance.h"

enum { MOTIONS_AT_ONCE = 64 };

static const double rounding = 0x1p-20; ///< Of the coordinates: of all knots of a motion.

// Holds all points that the body, turned as it is or will be, may come to, and the margin around
// them.
static graze_aabb find_surroundings(const graze_world *world, const grz_motion *motion)
{
    const graze_vec2 at = motion->at[0];
    const graze_vec2 own = grz_extent_of(&world->rows, motion->row);
    const double beyond = motion->reach + grz_clearance_margin * grz_size_of(world, motion->row);
    const graze_vec2 extent = {(float)((double)own.x + beyond + rounding * absolute((double)at.x)),
                               (float)((double)own.y + beyond + rounding * absolute((double)at.y))};
    return grz_swept_box(at, at, extent);
}

static void note_walls(void *context, const graze_segment_finds *finds)
{
    grz_motion *motions = context;
    for (uint32_t i = 0; i < finds->count; ++i) {
        motions[finds->move[i]].clearance = GRZ_WALLED;
    }
}

// Of at least one motion.
//
// HOT. bench: engine/step/heap
//
// Data    A row and the start of its motion; a byte of the cells around it.
// Branch  By group.
static void search_around(const graze_world *world, grz_motion *motions, uint32_t count)
{
    graze_vec2 lower[MOTIONS_AT_ONCE];
    graze_vec2 upper[MOTIONS_AT_ONCE];
    uint8_t searched[MOTIONS_AT_ONCE];
    uint32_t k = 0;
    do {
        const graze_aabb box = find_surroundings(world, &motions[k]);
        lower[k] = box.lower;
        upper[k] = box.upper;
    } while (++k < count);
    graze_segment_grid_find(&world->terrain, lower, upper, count, searched, note_walls, motions);
    for (k = 0; k < count; ++k) {
        if (motions[k].clearance == GRZ_UNKNOWN && searched[k] == GRAZE_SEARCHED_BOX) {
            motions[k].clearance = GRZ_CLEAR;
        }
    }
}

void grz_clearances_find(graze_world *world)
{
    const uint32_t count = world->motions.count;
    for (uint32_t first = 0; world->segment_count && first < count; first += MOTIONS_AT_ONCE) {
        const uint32_t rest = count - first;
        search_around(world, &world->motions.data[first],
                      rest < MOTIONS_AT_ONCE ? rest : MOTIONS_AT_ONCE);
    }
}

bool grz_clearance_find(const graze_world *world, grz_motion *motion)
{
    if (motion->clearance == GRZ_UNKNOWN) {
        const graze_aabb box = find_surroundings(world, motion);
        motion->clearance = grz_is_wall_near(world, &box) ? GRZ_WALLED : GRZ_CLEAR;
    }
    return motion->clearance == GRZ_CLEAR;
}
