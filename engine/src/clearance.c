#include "clearance.h"

#include "box.h"
#include "meet.h"
#include "predict.h"
#include "rows.h"
#include "terrain.h"

graze_aabb grz_surroundings_of(const grz_rows *rows, uint32_t row, graze_vec2 gain, float dt)
{
    const graze_vec2 at = rows->position[row];
    const graze_vec2 half = rows->half[row];
    const graze_vec2 own = grz_extent_of(rows, row);
    const double reach = grz_reach_of(rows, row, rows->end[row], gain, dt) * grz_reach_margin;
    const float size = half.x < half.y ? half.x : half.y;
    const float beyond = (float)reach + size * (float)grz_clearance_margin;
    const graze_vec2 extent = {own.x + beyond + grz_magnitude(at.x) * grz_clearance_rounding,
                               own.y + beyond + grz_magnitude(at.y) * grz_clearance_rounding};
    return grz_swept_box(at, at, extent);
}

/// Boxes around all that some rows may reach: of row first + i at i.
typedef struct surroundings {
    graze_vec2 lower[GRZ_CLEARANCES_AT_ONCE], upper[GRZ_CLEARANCES_AT_ONCE];
} surroundings;

// Of at least one row.
static void surround(const graze_world *world, uint32_t first, uint32_t end, surroundings *around)
{
    const grz_prediction columns = grz_prediction_of(world);
    const grz_predict_table *loops = grz_predict_loops_for(world->lanes);
    const bool has_rects = world->rect_count > 0;
    uint32_t row = loops->surround(&columns, first, end, has_rects, around->lower, around->upper);
    for (; row < end; ++row) {
        const graze_aabb box = grz_surroundings_of(&world->rows, row, columns.gain, columns.dt);
        around->lower[row - first] = box.lower;
        around->upper[row - first] = box.upper;
    }
}

// Puts the boxes of the rows that are listed in front.
static void keep_listed(surroundings *around, uint32_t first, const uint32_t *rows, uint32_t count)
{
    for (uint32_t k = 0; k < count; ++k) {
        around->lower[k] = around->lower[rows[k] - first];
        around->upper[k] = around->upper[rows[k] - first];
    }
}

static void note_walls(void *context, const graze_segment_finds *finds)
{
    grz_clearance *clearances = context;
    for (uint32_t i = 0; i < finds->count; ++i) {
        clearances[finds->move[i]] = GRZ_WALLED;
    }
}

static void search(const graze_world *world, const graze_vec2 *lower, const graze_vec2 *upper,
                   uint32_t count, grz_clearance *clearances)
{
    uint8_t searched[GRZ_CLEARANCES_AT_ONCE];
    for (uint32_t k = 0; k < count; ++k) {
        clearances[k] = GRZ_UNKNOWN;
    }
    graze_segment_grid_find(&world->terrain, lower, upper, count, searched, note_walls, clearances);
    for (uint32_t k = 0; k < count; ++k) {
        if (clearances[k] == GRZ_UNKNOWN && searched[k] == GRAZE_SEARCHED_BOX) {
            clearances[k] = GRZ_CLEAR;
        }
    }
}

// Rows that follow one another are mostly neighbours: where terrain is sparse, one search finds
// that all are clear.
static bool are_all_clear(const graze_world *world, const surroundings *around, uint32_t count)
{
    graze_vec2 lower = around->lower[0];
    graze_vec2 upper = around->upper[0];
    for (uint32_t k = 1; k < count; ++k) {
        lower.x = around->lower[k].x < lower.x ? around->lower[k].x : lower.x;
        lower.y = around->lower[k].y < lower.y ? around->lower[k].y : lower.y;
        upper.x = around->upper[k].x > upper.x ? around->upper[k].x : upper.x;
        upper.y = around->upper[k].y > upper.y ? around->upper[k].y : upper.y;
    }
    grz_clearance clearance;
    search(world, &lower, &upper, 1, &clearance);
    return clearance == GRZ_CLEAR;
}

// HOT. bench: engine/step/gas-bounce, engine/step/heap
//
// Data    A row; a byte of the cells around it, if there may be walls.
// Branch  By group.
void grz_clearances_find(const graze_world *world, uint32_t first, uint32_t end,
                         const uint32_t *rows, uint32_t count, grz_clearance *clearances)
{
    surroundings around;
    if (world->segment_count && count) {
        surround(world, first, end, &around);
        keep_listed(&around, first, rows, count);
        if (!are_all_clear(world, &around, count)) {
            search(world, around.lower, around.upper, count, clearances);
            return;
        }
    }
    for (uint32_t k = 0; k < count; ++k) {
        clearances[k] = GRZ_CLEAR;
    }
}

bool grz_clearance_find(const graze_world *world, grz_motion *motion)
{
    if (motion->clearance == GRZ_UNKNOWN) {
        const graze_vec2 gain = grz_gain_of(world->gravity, world->dt);
        const graze_aabb box = grz_surroundings_of(&world->rows, motion->row, gain, world->dt);
        motion->clearance = grz_is_wall_near(world, &box) ? GRZ_WALLED : GRZ_CLEAR;
    }
    return motion->clearance == GRZ_CLEAR;
}
