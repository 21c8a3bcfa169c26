#include "solve/clearance.h"

#include "bounds.h"
#include "collide/box.h"
#include "collide/pair_sweep.h"
#include "collide/predict.h"
#include "collide/terrain_sweep.h"
#include "fault.h"
#include "world/rows.h"

enum { WALLS_AT_ONCE = 512 }; ///< Walls kept for a group; a row whose walls do not fit has none.

graze_aabb grz_surroundings_of(const grz_rows *rows, grz_row row, graze_vec2 gravity_step, float dt)
{
    const graze_vec2 at = rows->position[row];
    const graze_vec2 half = rows->half[row];
    const graze_vec2 own = grz_extent_of(rows, row);
    const double reach =
        grz_reach_of(rows, row, rows->end[row], gravity_step, dt) * grz_reach_margin;
    GRZ_FAULT(clearance, reach = 0);
    const float size = half.x < half.y ? half.x : half.y;
    const float beyond = (float)reach + size * (float)grz_clearance_margin;
    const graze_vec2 extent = {own.x + beyond + grz_magnitude(at.x) * grz_clearance_rounding,
                               own.y + beyond + grz_magnitude(at.y) * grz_clearance_rounding};
    return grz_swept_box(at, at, extent);
}

void grz_surround(const graze_world *world, uint32_t first, uint32_t end, grz_surroundings *near)
{
    const grz_prediction columns = grz_prediction_of(world);
    const grz_predict_table *loops = grz_predict_loops_for(world->config.lanes);
    const bool has_rects = world->bodies.rect_count > 0;
    grz_row row = loops->surround(&columns, first, end, has_rects, near->lower, near->upper);
    for (; row < end; ++row) {
        const graze_aabb box =
            grz_surroundings_of(&world->bodies.rows, row, columns.gravity_step, columns.dt);
        near->lower[row - first] = box.lower;
        near->upper[row - first] = box.upper;
    }
}

// Moves the boxes of the listed rows to the front.
static void keep_listed(grz_surroundings *near, uint32_t first, const uint32_t *rows,
                        uint32_t count)
{
    for (uint32_t k = 0; k < count; ++k) {
        near->lower[k] = near->lower[rows[k] - first];
        near->upper[k] = near->upper[rows[k] - first];
    }
}

static void note_any_wall(void *context, const graze_segment_finds *finds)
{
    bool *is_any = context;
    *is_any |= finds->count > 0;
}

// Consecutive rows are mostly neighbours: where terrain is sparse, one search finds that all of
// them are clear.
static bool are_all_clear(const graze_world *world, const grz_surroundings *near, uint32_t count)
{
    graze_aabb all = {near->lower[0], near->upper[0]};
    for (uint32_t k = 1; k < count; ++k) {
        const graze_aabb box = {near->lower[k], near->upper[k]};
        extend_by_box(&all, box);
    }
    uint8_t searched;
    bool is_any = false;
    graze_segment_grid_find(&world->terrain.grid, &all.lower, &all.upper, 1, &searched,
                            note_any_wall, &is_any);
    return !is_any && searched == GRAZE_SEGMENT_SEARCH_BOX;
}

/// A wall near one of some rows.
typedef struct found_wall {
    grz_wall wall;
    uint32_t before; ///< Place of another one near that row; GRZ_NONE: there is none.
} found_wall;

/// The walls near some rows as they are found.
typedef struct wall_finds {
    uint32_t count;
    uint32_t last[GRZ_CLEARANCES_AT_ONCE];     ///< By row: place of the last one; GRZ_NONE: none.
    uint32_t count_of[GRZ_CLEARANCES_AT_ONCE]; ///< GRZ_NONE: some are left out.
    found_wall walls[WALLS_AT_ONCE];
} wall_finds;

static bool is_listed(const wall_finds *finds, uint32_t near_row, const graze_segment_name *name)
{
    uint32_t place = finds->last[near_row];
    while (place != GRZ_NONE && (finds->walls[place].wall.item != name->item ||
                                 finds->walls[place].wall.chain != name->owner)) {
        place = finds->walls[place].before;
    }
    return place != GRZ_NONE;
}

// If there is no room for all walls of a row, none of them is of use.
static void note_walls(void *context, const graze_segment_finds *found)
{
    wall_finds *finds = context;
    for (uint32_t i = 0; i < found->count; ++i) {
        const uint32_t near_row = found->move[i];
        const graze_segment_name *name = found->names[i];
        if (finds->count_of[near_row] == GRZ_NONE || is_listed(finds, near_row, name)) {
            continue;
        }
        if (finds->count == WALLS_AT_ONCE || finds->count_of[near_row] == GRZ_KNOWN_WALLS_MAX) {
            finds->count_of[near_row] = GRZ_NONE;
            continue;
        }
        const found_wall wall = {
            {{{found->ax[i], found->ay[i]}, {found->bx[i], found->by[i]}}, name->owner, name->item},
            finds->last[near_row]};
        finds->last[near_row] = finds->count;
        finds->walls[finds->count++] = wall;
        ++finds->count_of[near_row];
    }
}

// Appends the walls near a row to those of its block.
static grz_known_walls keep_walls(graze_world *world, grz_wall_block *part, const wall_finds *finds,
                                  uint32_t near_row)
{
    const uint64_t first = part->first + part->count;
    const grz_known_walls kept = {.first = (uint32_t)first, .count = finds->count_of[near_row]};
    part->count += kept.count;
    if (part->count > part->room) {
        return kept;
    }
    grz_wall *to = world->impacts.known_walls.data + first;
    for (uint32_t place = finds->last[near_row]; place != GRZ_NONE;
         place = finds->walls[place].before) {
        *to++ = finds->walls[place].wall;
    }
    return kept;
}

static grz_survey make_survey(graze_world *world, grz_wall_block *part,
                              const grz_surroundings *near, const wall_finds *finds,
                              bool is_searched, uint32_t near_row)
{
    grz_survey survey = {.clearance = GRZ_WALLED};
    if (!finds->count_of[near_row]) {
        survey.clearance = is_searched ? GRZ_CLEAR : GRZ_UNKNOWN;
    } else if (is_searched && finds->count_of[near_row] != GRZ_NONE &&
               !world->config.no_shortcuts) {
        survey.walls = keep_walls(world, part, finds, near_row);
        survey.walls.box.lower = near->lower[near_row];
        survey.walls.box.upper = near->upper[near_row];
    }
    return survey;
}

static void search(graze_world *world, grz_wall_block *part, const grz_surroundings *near,
                   uint32_t count, grz_survey *surveys)
{
    uint8_t searched[GRZ_CLEARANCES_AT_ONCE];
    wall_finds finds;
    finds.count = 0;
    for (uint32_t k = 0; k < count; ++k) {
        finds.last[k] = GRZ_NONE;
        finds.count_of[k] = 0;
    }
    graze_segment_grid_find(&world->terrain.grid, near->lower, near->upper, count, searched,
                            note_walls, &finds);
    for (uint32_t k = 0; k < count; ++k) {
        surveys[k] =
            make_survey(world, part, near, &finds, searched[k] == GRAZE_SEGMENT_SEARCH_BOX, k);
    }
}

// HOT. bench: engine/step/gas-bounce, engine/step/heap, engine/step/walkers
//
// Data    36 bytes of a row, 16 more of rects, and 16 of its box, written and read; a byte of the
//         cells around it. Of each wall that is near 24 bytes read, 28 written, and 24 copied.
// Branch  By group: whether any of its rows is near a wall.
void grz_clearances_find(graze_world *world, grz_wall_block *part, uint32_t first, uint32_t end,
                         const uint32_t *rows, uint32_t count, grz_survey *surveys)
{
    grz_surroundings near;
    const grz_survey clear = {.clearance = GRZ_CLEAR};
    if (world->terrain.segment_count && count) {
        grz_surround(world, first, end, &near);
        keep_listed(&near, first, rows, count);
        if (!are_all_clear(world, &near, count)) {
            search(world, part, &near, count, surveys);
            return;
        }
    }
    for (uint32_t k = 0; k < count; ++k) {
        surveys[k] = clear;
    }
}

bool grz_clearance_find(const graze_world *world, grz_trajectory *trajectory)
{
    if (trajectory->clearance == GRZ_UNKNOWN) {
        const graze_vec2 gravity_step = grz_gravity_step(world->config.gravity, world->call.dt);
        const graze_aabb box =
            grz_surroundings_of(&world->bodies.rows, trajectory->row, gravity_step, world->call.dt);
        trajectory->clearance = grz_is_wall_near(world, &box) ? GRZ_WALLED : GRZ_CLEAR;
    }
    return trajectory->clearance == GRZ_CLEAR;
}
