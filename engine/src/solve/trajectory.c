#include "solve/trajectory.h"

#include "asserts.h"
#include "bounds.h"
#include "collide/box.h"
#include "collide/certify.h"
#include "collide/pair_sweep.h"
#include "collide/predict.h"
#include "collide/sleep.h"
#include "collide/terrain_sweep.h"
#include "fault.h"
#include "likely.h"
#include "min_max.h"
#include "solve/solve.h"
#include "vec2d.h"
#include "world/bodies.h"
#include "world/contact_keys.h"
#include "world/forest.h"
#include "world/parallel.h"
#include "world/rows.h"

#include <string.h>

// --- Clearance ---

// Bodies without a wall in reach need no search of terrain, however often they are deflected in the
// step. For the others the walls nearby are kept for the step, so that they are looked up only once
// (grz_known_walls).

enum {
    AT_ONCE = 64 ///< Rows of a group.
};

// What is found out about a row: how many walls are known, of those that may be near; or this.
enum { IS_CLEAR = 2 * GRZ_KNOWN_WALLS_MAX };

/// Boxes around all that some rows may reach: that of row first + i at i.
typedef struct surroundings {
    graze_vec2 lower[AT_ONCE], upper[AT_ONCE];
} surroundings;

/// Some rows of dynamic bodies but rays.
typedef struct shape_rows {
    uint32_t count;
    uint32_t rows[AT_ONCE];
} shape_rows;

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

static void surround(const graze_world *world, uint32_t first, uint32_t end, surroundings *near)
{
    const grz_prediction columns = grz_prediction_of(world);
    const grz_predict_table *loops = grz_predict_loops_for(world->config.lanes);
    const bool has_rects = world->bodies.rect_count > 0;
    const bool by_lanes = loops->surround && !world->bodies.rows.carry;
    grz_row row = by_lanes
                      ? loops->surround(&columns, first, end, has_rects, near->lower, near->upper)
                      : first;
    for (; row < end; ++row) {
        const graze_aabb box =
            grz_surroundings_of(&world->bodies.rows, row, columns.gravity_step, columns.dt);
        near->lower[row - first] = box.lower;
        near->upper[row - first] = box.upper;
    }
}

// Moves the boxes of the listed rows to the front.
static void keep_listed(surroundings *near, uint32_t first, const shape_rows *list)
{
    for (uint32_t k = 0; k < list->count; ++k) {
        near->lower[k] = near->lower[list->rows[k] - first];
        near->upper[k] = near->upper[list->rows[k] - first];
    }
}

static void note_any_wall(void *context, const graze_segment_finds *finds)
{
    bool *is_any = context;
    *is_any |= finds->count > 0;
}

// Consecutive rows are mostly neighbours: where terrain is sparse, one search finds that all of
// them are clear.
static bool are_all_clear(const grz_terrain *terrain, const surroundings *near, uint32_t count)
{
    graze_aabb all = {near->lower[0], near->upper[0]};
    for (uint32_t k = 1; k < count; ++k) {
        const graze_aabb box = {near->lower[k], near->upper[k]};
        extend_by_box(&all, box);
    }
    uint8_t searched;
    bool is_any = false;
    graze_segment_grid_find(&terrain->grid, &all.lower, &all.upper, 1, &searched, note_any_wall,
                            &is_any);
    return !is_any && searched == GRAZE_SEGMENT_SEARCH_BOX;
}

/// The walls near some rows as they are found.
typedef struct wall_finds {
    uint32_t count_of[AT_ONCE]; ///< By row; GRZ_NONE: some are left out.
    grz_wall walls[AT_ONCE][GRZ_KNOWN_WALLS_MAX];
} wall_finds;

static bool is_listed(const grz_wall *walls, uint32_t count, const graze_segment_name *name)
{
    uint32_t k = 0;
    while (k < count && (walls[k].item != name->item || walls[k].chain != name->owner)) {
        ++k;
    }
    return k < count;
}

// If there is no room for all walls of a row, none of them is of use.
static void note_walls(void *context, const graze_segment_finds *found)
{
    wall_finds *finds = context;
    for (uint32_t i = 0; i < found->count; ++i) {
        const graze_segment_name *name = found->names[i];
        uint32_t *count = &finds->count_of[found->move[i]];
        grz_wall *walls = finds->walls[found->move[i]];
        if (*count == GRZ_NONE || is_listed(walls, *count, name)) {
            continue;
        }
        if (*count == GRZ_KNOWN_WALLS_MAX) {
            *count = GRZ_NONE;
            continue;
        }
        const grz_wall wall = {
            {{found->ax[i], found->ay[i]}, {found->bx[i], found->by[i]}}, name->owner, name->item};
        walls[(*count)++] = wall;
    }
}

/// The walls near the rows of a block. Before those of a row comes one whose ends are the corners
/// of the box in which they were found. Once there is no room they are only counted.
typedef struct block_walls {
    grz_wall *walls;
    uint32_t count, room;
} block_walls;

// Appends the box of the walls near a row. Returns where these are to follow; null: nowhere.
static grz_wall *begin_walls(block_walls *part, uint32_t count, const surroundings *near,
                             uint32_t near_row)
{
    grz_wall *to = part->walls + part->count;
    part->count += 1 + count;
    if (part->count > part->room) {
        return NULL;
    }
    *to++ = (grz_wall){.segment = {near->lower[near_row], near->upper[near_row]}};
    return to;
}

static void keep_walls(block_walls *part, const wall_finds *finds, const surroundings *near,
                       uint32_t near_row)
{
    const uint32_t count = finds->count_of[near_row];
    grz_wall *to = begin_walls(part, count, near, near_row);
    if (to) {
        memcpy(to, finds->walls[near_row], count * sizeof *to);
    }
}

static uint32_t note_of(graze_world *world, block_walls *part, const wall_finds *finds,
                        const surroundings *near, bool is_searched, uint32_t near_row)
{
    const uint32_t count = finds->count_of[near_row];
    if (!is_searched || !count || count == GRZ_NONE || world->config.no_shortcuts) {
        return is_searched && !count ? IS_CLEAR : 0;
    }
    keep_walls(part, finds, near, near_row);
    return count;
}

static void search(graze_world *world, block_walls *part, const surroundings *near, uint32_t count,
                   uint32_t *notes)
{
    uint8_t searched[AT_ONCE];
    wall_finds finds;
    memset(finds.count_of, 0, sizeof finds.count_of);
    graze_segment_grid_find(&world->terrain.grid, near->lower, near->upper, count, searched,
                            note_walls, &finds);
    for (uint32_t k = 0; k < count; ++k) {
        notes[k] = note_of(world, part, &finds, near, searched[k] == GRAZE_SEGMENT_SEARCH_BOX, k);
    }
}

// Whether the solver has looked for the walls near all listed rows, as it does for what flies, and
// in boxes that hold these.
static bool are_known_to_solver(const graze_world *world, const surroundings *near,
                                const shape_rows *list)
{
    const grz_solve *solve = &world->solve;
    const graze_aabb *boxes = world->found.box_memory.data;
    bool known = solve->rigid_count && !world->config.filter && !world->config.no_shortcuts;
    for (uint32_t k = 0; k < list->count && known; ++k) {
        const graze_aabb box = {near->lower[k], near->upper[k]};
        known = solve->slot_of_row.data[list->rows[k]] < solve->rigid_count &&
                grz_holds_box(&boxes[list->rows[k]], &box);
    }
    return known;
}

static void take_from_solver(const grz_solve *solve, block_walls *part, const surroundings *near,
                             const shape_rows *list, uint32_t *notes)
{
    for (uint32_t k = 0; k < list->count; ++k) {
        const grz_slot slot = solve->slot_of_row.data[list->rows[k]];
        const uint32_t first = grz_first_of(&solve->wall_ends, slot);
        const uint32_t count = solve->wall_ends.data[slot] - first;
        GRZ_FAULT(walls_of_the_solver, count = 0);
        notes[k] = !count ? (uint32_t)IS_CLEAR : count > GRZ_KNOWN_WALLS_MAX ? 0 : count;
        grz_wall *to = count == notes[k] ? begin_walls(part, count, near, k) : NULL;
        for (uint32_t i = 0; to && i < count; ++i) {
            to[i] = solve->walls.data[first + i].wall;
        }
    }
}

// HOT. bench: engine/step/gas-bounce, engine/step/heap, engine/step/walkers
//
// Data    36 bytes of a row, 16 more of rects, and 16 of its box, written and read; a byte of the
//         cells around it. Of each wall that is near 24 bytes read, 28 written, and 24 copied.
// Branch  By group: whether any of its rows is near a wall.
static void survey(graze_world *world, block_walls *part, uint32_t first, uint32_t end,
                   const shape_rows *list, uint32_t *notes)
{
    surroundings near;
    if (world->terrain.segment_count && list->count) {
        surround(world, first, end, &near);
        keep_listed(&near, first, list);
        if (are_known_to_solver(world, &near, list)) {
            take_from_solver(&world->solve, part, &near, list, notes);
            return;
        }
        if (!are_all_clear(&world->terrain, &near, list->count)) {
            search(world, part, &near, list->count, notes);
            return;
        }
    }
    for (uint32_t k = 0; k < list->count; ++k) {
        notes[k] = IS_CLEAR;
    }
}

// --- Trajectories ---

static const double shortest = 0x1p-40; ///< Of the step: a shorter piece takes no time.

// Fills in all but the places of the first two knots, which follow. Other knots and planes, of
// which there are none yet, are not cleared.
static void fill_in(grz_trajectory *trajectory, grz_row row, grz_index index)
{
    const graze_vec2d nowhere = {0, 0};
    const graze_aabb none = {{0, 0}, {0, 0}};
    trajectory->row = row;
    trajectory->index = index;
    trajectory->count = 2;
    trajectory->version = 1;
    trajectory->time[0] = 0;
    trajectory->time[1] = 1;
    trajectory->old_version = 0;
    trajectory->spared = 0;
    trajectory->deflection_time = -1;
    trajectory->stands = trajectory->gone = trajectory->was_hit = trajectory->hurries =
        trajectory->held = false;
    trajectory->shoved = trajectory->strays = false;
    trajectory->found_anew = 0;
    trajectory->pushes = none;
    trajectory->driven = nowhere;
    trajectory->spin = trajectory->rate = trajectory->turn = 0;
    trajectory->old_rate = trajectory->old_turn = 0;
    trajectory->known_walls = (grz_known_walls){.count = 0};
    trajectory->slide.count = 0;
    trajectory->first_contact = GRZ_NONE;
    trajectory->met = grz_no_segment;
    trajectory->met_time = -1;
    trajectory->met_version = 0;
}

// What the solver moves stays in the box in which the solver has looked for walls.
static bool has_no_walls(const graze_world *world, grz_row row)
{
    const grz_solve *solve = &world->solve;
    return grz_is_solved(world->bodies.rows.traits[row]) && !world->config.no_shortcuts &&
           !grz_count_of(&solve->wall_ends, solve->slot_of_row.data[row]);
}

// At a place among the trajectories.
static inline void begin(graze_world *world, grz_row row, uint32_t place, graze_vec2 gravity_step)
{
    const grz_rows *rows = &world->bodies.rows;
    const graze_vec2d velocity = widen(rows->end_velocity[row]);
    grz_trajectory *trajectory = &world->impacts.trajectories.data[place];
    world->impacts.trajectory_of_row.data[row] = place;
    fill_in(trajectory, row, rows->index[row]);
    trajectory->at[0] = rows->position[row];
    trajectory->at[1] = rows->end[row];
    trajectory->velocity = velocity;
    trajectory->slide.desired = velocity;
    trajectory->reach = grz_reach_of(rows, row, rows->end[row], gravity_step, world->call.dt);
    trajectory->is_clear = grz_is_free_shape(rows->traits[row]) || has_no_walls(world, row);
    trajectory->hit_count = grz_life_of(world, trajectory->index).hit_count;
    if (grz_is_rigid(rows->traits[row])) {
        const grz_slot slot = world->solve.slot_of_row.data[row];
        trajectory->spin = trajectory->rate = world->solve.ends.data[slot].spin;
        trajectory->turn = world->solve.bodies.data[slot].turn;
    }
}

bool grz_trajectory_begin(graze_world *world, grz_row row)
{
    if (!grz_array_reserve_more(&world->impacts.trajectories, &world->config.counting, 1)) {
        return false;
    }
    begin(world, row, world->impacts.trajectories.count++,
          grz_gravity_step(world->config.gravity, world->call.dt));
    return true;
}

// All go straight as long as nothing turns them.
static void list_shapes(graze_world *world, uint32_t first, uint32_t end, shape_rows *list)
{
    const grz_rows *rows = &world->bodies.rows;
    list->count = 0;
    for (grz_row row = first; row < end; ++row) {
        if (grz_is_free_shape(rows->traits[row])) {
            const grz_course straight = {rows->position[row], rows->end[row], 0};
            world->impacts.courses.data[row] = straight;
            list->rows[list->count++] = row;
        }
    }
}

// --- How they begin ---
//
// Blocks of rows are surveyed, in parallel. Then it is known how many trajectories there are: the
// blocks of rows begin them where they belong, in the order of rows.

enum { BLOCK_ROWS = 1024 };

// Notes in trajectory_of_row those that may meet a wall, or may stand still for good
// (grz_standstill_find).
static void survey_some(graze_world *world, grz_trajectory_block *block, block_walls *walls,
                        uint32_t first, uint32_t end)
{
    const grz_rows *rows = &world->bodies.rows;
    shape_rows list;
    uint32_t notes[AT_ONCE];
    list_shapes(world, first, end, &list);
    survey(world, walls, first, end, &list, notes);
    for (uint32_t k = 0; k < list.count; ++k) {
        const grz_row row = list.rows[k];
        if (notes[k] != IS_CLEAR || is_same_point(rows->position[row], rows->end[row])) {
            world->impacts.trajectory_of_row.data[row] = notes[k];
            ++block->count;
        }
    }
}

static void survey_block(graze_world *world, uint32_t number, grz_range *own)
{
    block_walls walls = {(grz_wall *)own->items + own->first, 0, own->room};
    grz_trajectory_block *block = &world->impacts.trajectory_blocks.data[number];
    grz_row row = number * BLOCK_ROWS;
    const uint32_t end = row + min_u32(world->bodies.active_count - row, BLOCK_ROWS);
    block->count = 0;
    for (grz_row k = row; k < end; ++k) {
        world->impacts.trajectory_of_row.data[k] = GRZ_NONE;
    }
    for (; row < end; row += AT_ONCE) {
        survey_some(world, block, &walls, row, row + min_u32(end - row, AT_ONCE));
    }
    own->count = walls.count;
}

// Begins the trajectories of a block of rows.
static void begin_block(void *context, uint32_t number, uint32_t first, uint32_t end)
{
    graze_world *world = context;
    const graze_vec2 gravity_step = grz_gravity_step(world->config.gravity, world->call.dt);
    uint32_t place = world->impacts.trajectory_blocks.data[number].first;
    uint32_t wall = world->impacts.wall_ranges.data[number].closed;
    for (grz_row row = first; row < end; ++row) {
        const uint32_t note = world->impacts.trajectory_of_row.data[row];
        if (note == GRZ_NONE) {
            continue;
        }
        begin(world, row, place, gravity_step);
        grz_trajectory *trajectory = &world->impacts.trajectories.data[place++];
        trajectory->is_clear = note == IS_CLEAR;
        if (note && note != IS_CLEAR) {
            const graze_segment corners = world->impacts.known_walls.data[wall].segment;
            const grz_known_walls known = {
                .box = {corners.a, corners.b}, .first = wall + 1, .count = note};
            trajectory->known_walls = known;
            wall += 1 + note;
        }
    }
}

static bool survey_all(graze_world *world)
{
    grz_impacts *impacts = &world->impacts;
    const grz_finding finding = {
        .list_count = 1,
        .lists = {GRZ_FILLED(&impacts->known_walls)},
        .apart = {GRZ_FILLED(&impacts->block_walls)},
        .find = survey_block,
    };
    const uint32_t blocks = grz_count_blocks(world->bodies.active_count, BLOCK_ROWS);
    if (!grz_array_reserve(&impacts->trajectory_blocks, &world->config.counting, blocks)) {
        return false;
    }
    impacts->trajectory_blocks.count = blocks;
    impacts->known_walls.count = 0;
    return grz_find_in_blocks(world, &finding, blocks, &impacts->wall_ranges);
}

static bool place_trajectories(graze_world *world)
{
    for (uint32_t k = 0; k < world->impacts.trajectory_blocks.count; ++k) {
        grz_trajectory_block *block = &world->impacts.trajectory_blocks.data[k];
        block->first = world->impacts.trajectories.count;
        world->impacts.trajectories.count += block->count;
    }
    return grz_array_reserve(&world->impacts.trajectories, &world->config.counting,
                             world->impacts.trajectories.count);
}

static bool begin_shapes(graze_world *world)
{
    if (!survey_all(world) || !place_trajectories(world)) {
        return false;
    }
    grz_run_blocks(world, world->bodies.active_count, BLOCK_ROWS, begin_block, world);
    return true;
}

bool grz_trajectories_start(graze_world *world)
{
    const uint32_t rows = world->bodies.active_count;
    world->impacts.trajectories.count = 0;
    if (!grz_array_reserve(&world->impacts.trajectory_of_row, &world->config.counting, rows) ||
        !grz_array_reserve(&world->impacts.courses, &world->config.counting,
                           world->found.totals.free_shapes ? rows : 0)) {
        return false;
    }
    if (world->found.totals.free_shapes) {
        return begin_shapes(world);
    }
    for (grz_row row = 0; row < rows; ++row) {
        world->impacts.trajectory_of_row.data[row] = GRZ_NONE;
    }
    return true;
}

// The point of the last piece at `time`, after its start: certified, unless the body passes through
// walls anyway.
static GRZ_APART graze_vec2 find_later_point(const graze_world *world,
                                             const grz_trajectory *trajectory, double time)
{
    const uint32_t last = trajectory->count - 1;
    const double start = trajectory->time[last - 1];
    const double length = trajectory->time[last] - start;
    const graze_vec2 from = trajectory->at[last - 1];
    const graze_vec2 to = trajectory->at[last];
    const double fraction = length > 0 ? (time - start) / length : 0;
    const graze_vec2 point = grz_point_at(from, to, fraction);
    const bool walled = world->terrain.segment_count && !trajectory->is_clear;
    if (!walled || is_same_point(from, point) ||
        !(world->bodies.rows.traits[trajectory->row] & (GRZ_TRAIT_RESPONDS | GRZ_TRAIT_RIGID)) ||
        grz_is_far_from_walls(world, &trajectory->known_walls, from, point)) {
        return point;
    }
    grz_mover mover;
    grz_mover_fill(world, trajectory->row, trajectory, &mover);
    return grz_certified_point(world, &mover, from, to, fraction);
}

// Most turn where they begin.
static inline graze_vec2 find_point(const graze_world *world, const grz_trajectory *trajectory,
                                    double time)
{
    const uint32_t before = trajectory->count - 2;
    const graze_vec2 from = trajectory->at[before];
    return time == trajectory->time[before] ? (graze_vec2){from.x + 0.0f, from.y + 0.0f}
                                            // As grz_point_at() has it.
                                            : find_later_point(world, trajectory, time);
}

static void end_piece(grz_trajectory *trajectory, double time, graze_vec2 point)
{
    const uint32_t last = trajectory->count - 1;
    trajectory->at[last] = point;
    trajectory->time[last] = time;
    if (trajectory->deflection_time != time) {
        trajectory->deflection_time = time;
        trajectory->old_version = trajectory->version;
    }
    ++trajectory->version;
}

// Where the course leads, but never out of the box by which the body's pairs were found.
static graze_vec2 find_end(grz_trajectory *trajectory, graze_vec2 from, graze_vec2d course,
                           double fraction)
{
    trajectory->hurries = length_of(course) > trajectory->reach;
    const graze_vec2d shorter =
        trajectory->hurries ? scale(course, trajectory->reach / length_of(course)) : course;
    const graze_vec2 end = {(float)((double)from.x + shorter.x * fraction) + 0.0f,
                            (float)((double)from.y + shorter.y * fraction) + 0.0f};
    return end;
}

bool grz_trajectory_is_worn_out(const grz_trajectory *trajectory)
{
    enum { MAX_FORESEEN = 1024 };
    return trajectory->found_anew >= MAX_FORESEEN;
}

void grz_trajectory_deflect(const graze_world *world, grz_trajectory *trajectory, double time,
                            graze_vec2d course)
{
    GRZ_ASSERT(trajectory->count < GRZ_KNOTS);
    const double start = trajectory->time[trajectory->count - 2];
    time = time - start < shortest ? start : time;
    end_piece(trajectory, time, find_point(world, trajectory, time));
    const uint32_t last = trajectory->count++;
    trajectory->held = false;
    const graze_vec2 from = trajectory->at[last - 1];
    const bool is_spent = trajectory->count == GRZ_KNOTS || grz_trajectory_is_worn_out(trajectory);
    trajectory->stands = is_spent || (course.x == 0 && course.y == 0);
    trajectory->at[last] = trajectory->stands ? from : find_end(trajectory, from, course, 1 - time);
    trajectory->time[last] = 1;
    if (grz_is_solved(world->bodies.rows.traits[trajectory->row])) { // No event stops it at a wall.
        trajectory->at[last] = find_point(world, trajectory, 1);
    }
}

// The first piece that takes no time, if the last one ends at `time`; GRZ_NONE: all take some.
static uint32_t find_empty_piece(const grz_trajectory *trajectory, double time)
{
    const uint32_t last = trajectory->count - 1;
    for (uint32_t k = 0; k < last; ++k) {
        const double end = k + 1 == last ? time : trajectory->time[k + 1];
        if (trajectory->time[k] == end) {
            return k;
        }
    }
    return GRZ_NONE;
}

void grz_trajectory_spare_deflection(grz_trajectory *trajectory, double time)
{
    enum { MAX_SPARED = 16 };
    if (trajectory->count == 2 || trajectory->spared == MAX_SPARED) {
        return;
    }
    const uint32_t empty = find_empty_piece(trajectory, time);
    if (empty == GRZ_NONE) {
        return;
    }
    for (uint32_t k = empty + 1; k + 1 < trajectory->count; ++k) {
        trajectory->time[k] = trajectory->time[k + 1];
        trajectory->at[k] = trajectory->at[k + 1];
    }
    --trajectory->count;
    ++trajectory->spared;
}

void grz_trajectory_redirect(grz_trajectory *trajectory, graze_vec2d course)
{
    const uint32_t last = trajectory->count - 1;
    trajectory->at[last] =
        find_end(trajectory, trajectory->at[last - 1], course, 1 - trajectory->time[last - 1]);
}

static double path_of(const grz_trajectory *trajectory)
{
    double path = 0;
    for (uint32_t i = 1; i < trajectory->count; ++i) {
        path += length_of(offset(trajectory->at[i], trajectory->at[i - 1]));
    }
    return path;
}

// What gravity adds to a body's speed in a step, at most.
static double find_fall(const graze_world *world, grz_row row)
{
    const bool has_infinite_mass = (world->bodies.rows.traits[row] & GRZ_TRAIT_INFINITE_MASS) != 0;
    return has_infinite_mass ? 0 : length_of(widen(world->config.gravity)) * (double)world->call.dt;
}

static double speed_before(const grz_rows *rows, const grz_trajectory *trajectory)
{
    return length_of(widen(rows->velocity[trajectory->row]));
}

// Whether something has kept a body from moving in this step although it came with a speed, more
// than gravity makes in one. So a body that stood, and has just been hit, is not jammed.
// Most go farther in their last piece along one axis alone, which takes no root to tell.
static bool is_jammed(const graze_world *world, const grz_trajectory *trajectory)
{
    const uint32_t last = trajectory->count - 1;
    const double least_path = 0x1p-8 * trajectory->reach; // Of the way it had.
    const graze_vec2d way = offset(trajectory->at[last], trajectory->at[last - 1]);
    return trajectory->version > 1 && absolute(way.x) <= least_path &&
           absolute(way.y) <= least_path && path_of(trajectory) <= least_path &&
           speed_before(&world->bodies.rows, trajectory) > find_fall(world, trajectory->row);
}

// Takes from the speed of a body what gravity added while it could not move: that of
// the whole step if it is jammed, that of the rest of the step if its last turn has dropped this.
void grz_trajectory_drop_rest(const graze_world *world, grz_trajectory *trajectory)
{
    if (trajectory->version == 1) { // Nothing has turned it.
        return;
    }
    const bool jammed = is_jammed(world, trajectory);
    const bool held = trajectory->held || grz_is_solved(world->bodies.rows.traits[trajectory->row]);
    if (trajectory->gone || (!jammed && !held && trajectory->count < GRZ_KNOTS)) {
        return;
    }
    const double fall = find_fall(world, trajectory->row);
    if (fall == 0) {
        return;
    }
    const double speed = length_of(trajectory->velocity);
    if (!(speed > 0)) {
        return;
    }
    const double rest = 1 - trajectory->time[trajectory->count - 2];
    const double slower =
        jammed ? speed - fall
               : max_double(speed - rest * fall, speed_before(&world->bodies.rows, trajectory));
    trajectory->velocity =
        scale(trajectory->velocity, min_double(max_double(slower, 0) / speed, 1));
}

void grz_trajectory_end(const graze_world *world, grz_trajectory *trajectory, double time)
{
    end_piece(trajectory, time, find_point(world, trajectory, time));
    trajectory->gone = true;
}

// --- Standstill ---

// A forest of trajectories (disjoint sets): bodies that may meet are in one tree. One more node,
// the last, is the root of the tree of all that do not stand: bodies in this tree do not stay as
// they are.

// The later node leads: so the last one stays a root.
static void join(uint32_t *parents, uint32_t a, uint32_t b)
{
    const uint32_t root_a = grz_forest_root(parents, a);
    const uint32_t root_b = grz_forest_root(parents, b);
    parents[root_a < root_b ? root_a : root_b] = root_a < root_b ? root_b : root_a;
}

// Whether the step leaves a body as it was, to the last bit, and counts no hit of it. What has as
// many impacts as it may have is jammed: the solver keeps that (slots.c). Bodies that pass through
// others cost too little to be kept out of the step. A rigid one that flies turns, and waits for
// sleep: find_standing() (outcome.c) has those that sleep.
static bool stands(const graze_world *world, const grz_trajectory *trajectory)
{
    const uint32_t changes = GRZ_TRAIT_EXPIRES | GRZ_TRAIT_RIGID;
    const uint32_t traits = world->bodies.rows.traits[trajectory->row];
    const graze_vec2 position = world->bodies.rows.position[trajectory->row];
    const graze_vec2 velocity = world->bodies.rows.velocity[trajectory->row];
    const graze_vec2 end = trajectory->at[trajectory->count - 1];
    return end.x == position.x && end.y == position.y &&
           (float)trajectory->velocity.x == velocity.x &&
           (float)trajectory->velocity.y == velocity.y && !trajectory->was_hit &&
           trajectory->count < GRZ_KNOTS && !(traits & changes) && (traits & GRZ_TRAIT_RESPONDS) &&
           grz_kind_of(traits) != GRAZE_SHAPE_RAY &&
           grz_spin_of(&world->bodies.rows, trajectory->row) == 0;
}

// Whether the solver leaves a body, with all that it may meet, as it was.
static bool is_kept_still(const grz_solve *solve, grz_row row)
{
    const grz_slot slot = solve->rigid_count ? solve->slot_of_row.data[row] : GRZ_NONE;
    return slot < solve->rigid_count && solve->ends.data[slot].stands;
}

// The node of a body that another may meet; GRZ_NONE: nothing can change it.
static uint32_t node_of(const graze_world *world, grz_row row)
{
    const grz_trajectory *trajectory = grz_trajectory_of(world, row);
    if (trajectory) {
        return (uint32_t)(trajectory - world->impacts.trajectories.data);
    }
    const bool is_fixed = row >= world->bodies.active_count || grz_sleep_is_fixed(world, row) ||
                          is_kept_still(&world->solve, row);
    return is_fixed ? GRZ_NONE : world->impacts.trajectories.count;
}

// Which one-sided walls a body meets depends, too, on those that it met in the last step
// (joint.h): so one stands only if these stay the same. Bit k of its number in `kept` says that
// it meets again what its k-th key of terrain names.
enum { KEPT_MAX = 32 };

static bool is_one_sided(const graze_world *world, graze_segment_id segment)
{
    const grz_chain *chain = &world->terrain.chains[segment.chain.index];
    return chain->in_world && chain->generation == segment.chain.generation && chain->one_sided;
}

// Returns which of the body's keys of terrain this contact repeats; KEPT_MAX: none, or a late one.
static uint32_t place_of_key(const graze_world *world, const grz_contact *contact)
{
    const uint32_t first = grz_keys_of_terrain(world, contact->a);
    graze_segment_id met;
    for (uint32_t k = 0; k < KEPT_MAX && grz_key_is_of_terrain(world, contact->a, first + k, &met);
         ++k) {
        if (grz_compare_segments(met, contact->segment) == 0) {
            return k;
        }
    }
    return KEPT_MAX;
}

static void note_kept(graze_world *world, uint32_t *parents)
{
    uint32_t *kept = world->sleep.kept.data;
    for (uint32_t i = world->found.others_first; i < world->found.contacts.count; ++i) {
        const grz_contact *contact = &world->found.contacts.data[i];
        if (contact->b.generation || !is_one_sided(world, contact->segment)) {
            continue;
        }
        const uint32_t m = node_of(world, world->bodies.row_of_index.data[contact->a.index]);
        if (m < world->impacts.trajectories.count) {
            const uint32_t k = place_of_key(world, contact);
            kept[m] |= k < KEPT_MAX ? 1u << k : 0;
            GRZ_FAULT(standing_on_new_walls, continue);
            parents[m] = k < KEPT_MAX ? parents[m] : world->impacts.trajectories.count;
        }
    }
}

static bool keeps_walls(const graze_world *world, const grz_trajectory *trajectory, uint32_t kept)
{
    const graze_body_id body = grz_row_id(&world->bodies.rows, trajectory->row);
    const uint32_t first = grz_keys_of_terrain(world, body);
    graze_segment_id met;
    for (uint32_t k = 0; grz_key_is_of_terrain(world, body, first + k, &met); ++k) {
        if (is_one_sided(world, met) && !(k < KEPT_MAX && kept >> k & 1)) {
            return false;
        }
    }
    return true;
}

// Before anything is joined.
static void leave_those_on_new_walls(graze_world *world, uint32_t *parents)
{
    const uint32_t count = world->impacts.trajectories.count;
    if (!world->terrain.odd_chain_count) { // No wall is one-sided.
        return;
    }
    memset(world->sleep.kept.data, 0, count * sizeof *world->sleep.kept.data);
    note_kept(world, parents);
    for (uint32_t m = 0; m < count; ++m) {
        if (parents[m] == m &&
            !keeps_walls(world, &world->impacts.trajectories.data[m], world->sleep.kept.data[m])) {
            parents[m] = count;
        }
    }
}

static void join_candidates(const graze_world *world, uint32_t *parents)
{
    for (uint32_t k = 0; k < world->found.candidates.count; ++k) {
        const uint32_t a = node_of(world, world->found.candidates.data[k].row_a);
        const uint32_t b = node_of(world, world->found.candidates.data[k].row_b);
        if (a != GRZ_NONE && b != GRZ_NONE) {
            join(parents, a, b);
        }
    }
}

// Returns how many stand, whatever they may meet.
static uint32_t plant(const graze_world *world, uint32_t *parents)
{
    const uint32_t count = world->impacts.trajectories.count;
    uint32_t standing = 0;
    parents[count] = count;
    for (uint32_t m = 0; m < count; ++m) {
        const bool own = stands(world, &world->impacts.trajectories.data[m]);
        parents[m] = own ? m : count;
        standing += own;
    }
    return standing;
}

static void list_standing(graze_world *world, uint32_t *parents)
{
    grz_numbers *standing = &world->sleep.standing;
    const uint32_t count = world->impacts.trajectories.count;
    for (uint32_t m = 0; m < count; ++m) {
        standing->data[standing->count] = world->impacts.trajectories.data[m].index;
        standing->count += grz_forest_root(parents, m) != count;
    }
}

bool grz_standstill_find(graze_world *world)
{
    grz_sleep *sleep = &world->sleep;
    const size_t count = world->impacts.trajectories.count;
    if (sleep->wait || !sleep->steady || !count || world->found.totals.overflow) {
        return true;
    }
    if (!grz_array_reserve(&sleep->parents, &world->config.counting, count + 1) ||
        !grz_array_reserve(&sleep->standing, &world->config.counting,
                           count + world->solve.rigid_count) ||
        !grz_array_reserve(&sleep->kept, &world->config.counting, count)) {
        return false;
    }
    if (plant(world, sleep->parents.data)) {
        leave_those_on_new_walls(world, sleep->parents.data);
        join_candidates(world, sleep->parents.data);
        list_standing(world, sleep->parents.data);
    }
    return true;
}
