#include "clearance.h"

#include "box.h"
#include "meet.h"
#include "terrain.h"
#include "tolerance.h"

static const double rounding = 0x1p-20; ///< Of the coordinates: of all knots of a motion.

static double measure_path(graze_vec2d way)
{
    return absolute(way.x) + absolute(way.y);
}

// Holds all points that the body, turned as it is or will be, may come to, and the margin around
// them. No root: it reaches as far as grz_reach_of along the axes, or farther.
static graze_aabb find_surroundings(const graze_world *world, uint32_t row)
{
    const grz_rows *rows = &world->rows;
    const graze_vec2 at = rows->position[row];
    const graze_vec2 own = grz_extent_of(rows, row);
    const double path = greater(measure_path(offset(rows->end[row], at)),
                                measure_path(widen(rows->velocity[row])) * (double)world->dt);
    const double beyond = path + grz_clearance_margin * grz_size_of(world, row);
    const graze_vec2 extent = {(float)((double)own.x + beyond + rounding * absolute((double)at.x)),
                               (float)((double)own.y + beyond + rounding * absolute((double)at.y))};
    return grz_swept_box(at, at, extent);
}

static void note_walls(void *context, const graze_segment_finds *finds)
{
    grz_clearance *clearances = context;
    for (uint32_t i = 0; i < finds->count; ++i) {
        clearances[finds->move[i]] = GRZ_WALLED;
    }
}

// Of at least one row.
//
// HOT. bench: engine/step/heap
//
// Data    A row; a byte of the cells around it.
// Branch  By group.
static void search_around(const graze_world *world, const uint32_t *rows, uint32_t count,
                          grz_clearance *clearances)
{
    graze_vec2 lower[GRZ_CLEARANCES_AT_ONCE];
    graze_vec2 upper[GRZ_CLEARANCES_AT_ONCE];
    uint8_t searched[GRZ_CLEARANCES_AT_ONCE];
    uint32_t next = 0;
    do {
        const graze_aabb box = find_surroundings(world, rows[next]);
        lower[next] = box.lower;
        upper[next] = box.upper;
        clearances[next] = GRZ_UNKNOWN;
    } while (++next < count);
    graze_segment_grid_find(&world->terrain, lower, upper, count, searched, note_walls, clearances);
    for (uint32_t k = 0; k < count; ++k) {
        if (clearances[k] == GRZ_UNKNOWN && searched[k] == GRAZE_SEARCHED_BOX) {
            clearances[k] = GRZ_CLEAR;
        }
    }
}

void grz_clearances_find(const graze_world *world, const uint32_t *rows, uint32_t count,
                         grz_clearance *clearances)
{
    if (world->segment_count && count) {
        search_around(world, rows, count, clearances);
        return;
    }
    for (uint32_t k = 0; k < count; ++k) {
        clearances[k] = GRZ_CLEAR;
    }
}

bool grz_clearance_find(const graze_world *world, grz_motion *motion)
{
    if (motion->clearance == GRZ_UNKNOWN) {
        const graze_aabb box = find_surroundings(world, motion->row);
        motion->clearance = grz_is_wall_near(world, &box) ? GRZ_WALLED : GRZ_CLEAR;
    }
    return motion->clearance == GRZ_CLEAR;
}
