#include "solve/trajectory.h"

#include "asserts.h"
#include "collide/certify.h"
#include "collide/pair_sweep.h"
#include "collide/predict.h"
#include "collide/terrain_sweep.h"
#include "min_max.h"
#include "solve/clearance.h"
#include "vec2d.h"
#include "world/bodies.h"
#include "world/parallel.h"
#include "world/rows.h"

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
    trajectory->foreseen = 0;
    trajectory->pushes = none;
    trajectory->driven = nowhere;
    trajectory->spin = trajectory->rate = trajectory->turn = 0;
    trajectory->walls_until = 0;
    trajectory->known_walls = (grz_known_walls){.count = 0};
    trajectory->slide.count = 0;
    trajectory->first_contact = GRZ_NONE;
    trajectory->met = (graze_segment_id){{0, 0}, 0};
    trajectory->met_time = -1;
    trajectory->met_version = 0;
}

// As the solver has it of a rigid body.
static void begin_rigid(const graze_world *world, grz_trajectory *trajectory)
{
    const grz_solve *solve = &world->solve;
    const grz_slot slot = solve->slot_of_row.data[trajectory->row];
    trajectory->hit_count += solve->ends.data[slot].hits;
    trajectory->spin = trajectory->rate = solve->ends.data[slot].spin;
    trajectory->turn = solve->bodies.data[slot].turn;
}

// At a place among the trajectories.
static void begin(graze_world *world, grz_row row, uint32_t place)
{
    const grz_rows *rows = &world->bodies.rows;
    const graze_vec2 gravity_step = grz_gravity_step(world->config.gravity, world->call.dt);
    const graze_vec2d velocity = widen(rows->end_velocity[row]);
    grz_trajectory *trajectory = &world->impacts.trajectories.data[place];
    world->impacts.trajectory_of_row.data[row] = place;
    fill_in(trajectory, row, rows->index[row]);
    trajectory->at[0] = rows->position[row];
    trajectory->at[1] = rows->end[row];
    trajectory->velocity = velocity;
    trajectory->slide.desired = velocity;
    trajectory->reach = grz_reach_of(rows, row, rows->end[row], gravity_step, world->call.dt);
    trajectory->clearance = grz_is_free_shape(rows->traits[row]) ? GRZ_CLEAR : GRZ_UNKNOWN;
    trajectory->hit_count = grz_life_of(world, trajectory->index).hit_count;
    if (grz_is_rigid(rows->traits[row])) {
        begin_rigid(world, trajectory);
    }
}

grz_trajectory *grz_trajectory_begin(graze_world *world, grz_row row)
{
    if (!grz_array_reserve_more(&world->impacts.trajectories, &world->config.counting, 1)) {
        return NULL;
    }
    begin(world, row, world->impacts.trajectories.count++);
    return &world->impacts.trajectories.data[world->impacts.trajectories.count - 1];
}

void grz_trajectory_note_course(graze_world *world, const grz_trajectory *trajectory)
{
    if (grz_is_free_shape(world->bodies.rows.traits[trajectory->row])) {
        world->impacts.courses.data[trajectory->row] = grz_course_of_trajectory(trajectory);
    }
}

/// Some rows of dynamic bodies but rays.
typedef struct shape_rows {
    uint32_t count;
    uint32_t rows[GRZ_CLEARANCES_AT_ONCE];
} shape_rows;

static void list_shapes(const graze_world *world, uint32_t first, uint32_t end, shape_rows *list)
{
    list->count = 0;
    for (grz_row row = first; row < end; ++row) {
        list->rows[list->count] = row;
        list->count += grz_is_free_shape(world->bodies.rows.traits[row]);
    }
}

static void note_straight_courses(graze_world *world, const shape_rows *list)
{
    const grz_rows *rows = &world->bodies.rows;
    for (uint32_t k = 0; k < list->count; ++k) {
        const grz_row row = list->rows[k];
        const grz_course straight = {rows->position[row], rows->end[row], 0};
        world->impacts.courses.data[row] = straight;
    }
}

static bool goes_nowhere(const graze_world *world, grz_row row)
{
    const graze_vec2 start = world->bodies.rows.position[row];
    const graze_vec2 end = world->bodies.rows.end[row];
    return start.x == end.x && start.y == end.y;
}

// --- How they begin ---
//
// Blocks of rows are surveyed, in parallel. Then it is known how many trajectories there are: the
// blocks of rows begin them where they belong, in the order of rows.

enum { BLOCK_ROWS = 1024 };

_Static_assert(BLOCK_ROWS / (int)GRZ_CLEARANCES_AT_ONCE <= 32, "each group of rows has a bit");

// What a survey has found waits in trajectory_of_row: the clearance, and how many walls are known.
enum { NOTE_BASE = 2 * GRZ_KNOWN_WALLS_MAX };

static uint32_t note_of(const grz_survey *survey)
{
    return (uint32_t)survey->clearance * NOTE_BASE + survey->walls.count;
}

// Notes those that may meet a wall, or may stand still for good (standstill.c).
static void survey_some(graze_world *world, grz_trajectory_block *block, uint32_t first,
                        uint32_t end)
{
    shape_rows list;
    grz_survey surveys[GRZ_CLEARANCES_AT_ONCE];
    list_shapes(world, first, end, &list);
    note_straight_courses(world, &list);
    grz_clearances_find(world, &block->walls, first, end, list.rows, list.count, surveys);
    for (uint32_t k = 0; k < list.count; ++k) {
        const grz_row row = list.rows[k];
        if (surveys[k].clearance != GRZ_CLEAR || goes_nowhere(world, row)) {
            world->impacts.trajectory_of_row.data[row] = note_of(&surveys[k]);
            ++block->count;
        }
    }
}

static void survey_block(void *context, uint32_t number, uint32_t first, uint32_t end)
{
    graze_world *world = context;
    grz_trajectory_block *block = &world->impacts.trajectory_blocks.data[number];
    if (block->walls.is_searched) {
        return;
    }
    block->count = block->groups = 0;
    block->walls.count = 0;
    for (grz_row row = first; row < end; ++row) {
        world->impacts.trajectory_of_row.data[row] = GRZ_NONE;
    }
    for (grz_row row = first; row < end; row += GRZ_CLEARANCES_AT_ONCE) {
        const uint32_t rest = end - row;
        const uint32_t before = block->count;
        survey_some(world, block, row, row + min_u32(rest, GRZ_CLEARANCES_AT_ONCE));
        block->groups |= (uint32_t)(block->count > before)
                         << (row - first) / GRZ_CLEARANCES_AT_ONCE;
    }
    block->walls.is_searched = block->walls.count <= block->walls.room;
}

// Begins the trajectories of some rows at a place among the trajectories; `*wall` is the place of
// their first known wall. Returns where the trajectories end.
static uint32_t begin_some(graze_world *world, uint32_t first, uint32_t end, uint32_t place,
                           uint32_t *wall)
{
    grz_surroundings near;
    const uint32_t walls = *wall;
    for (grz_row row = first; row < end; ++row) {
        const uint32_t note = world->impacts.trajectory_of_row.data[row];
        if (note == GRZ_NONE) {
            continue;
        }
        begin(world, row, place);
        grz_trajectory *trajectory = &world->impacts.trajectories.data[place++];
        trajectory->clearance = (grz_clearance)(note / NOTE_BASE);
        if (note % NOTE_BASE) {
            if (*wall == walls) {
                grz_surround(world, first, end, &near);
            }
            trajectory->known_walls.box.lower = near.lower[row - first];
            trajectory->known_walls.box.upper = near.upper[row - first];
            trajectory->known_walls.first = *wall;
            trajectory->known_walls.count = note % NOTE_BASE;
            *wall += note % NOTE_BASE;
        }
    }
    return place;
}

static void begin_block(void *context, uint32_t number, uint32_t first, uint32_t end)
{
    graze_world *world = context;
    const grz_trajectory_block *block = &world->impacts.trajectory_blocks.data[number];
    uint32_t place = block->first, wall = (uint32_t)block->walls.first;
    uint32_t groups = block->groups;
    for (grz_row row = first; groups; row += GRZ_CLEARANCES_AT_ONCE, groups >>= 1) {
        const uint32_t rest = end - row;
        if (groups & 1) {
            place =
                begin_some(world, row, row + min_u32(rest, GRZ_CLEARANCES_AT_ONCE), place, &wall);
        }
    }
}

// Places the walls of the blocks that are still to be surveyed from a place on. Returns where the
// last ends.
static uint64_t place_walls(graze_world *world, uint64_t end)
{
    for (uint32_t k = 0; k < world->impacts.trajectory_blocks.count; ++k) {
        grz_wall_block *walls = &world->impacts.trajectory_blocks.data[k].walls;
        if (!walls->is_searched) {
            walls->first = end;
            walls->room = walls->count;
            end += walls->room;
        }
    }
    return end;
}

// Blocks that the last step did not have knew no walls in it.
static bool reserve_blocks(graze_world *world)
{
    enum { SPARE_WALLS = 64 };
    const uint32_t blocks = grz_count_blocks(world->bodies.active_count, BLOCK_ROWS);
    if (!grz_array_reserve(&world->impacts.trajectory_blocks, &world->config.counting, blocks)) {
        return false;
    }
    for (uint32_t k = 0; k < blocks; ++k) {
        grz_trajectory_block *block = &world->impacts.trajectory_blocks.data[k];
        const uint64_t before = k < world->impacts.trajectory_blocks.count ? block->walls.count : 0;
        const uint64_t room = before + before / 4 + SPARE_WALLS;
        *block =
            (grz_trajectory_block){.walls = {.count = world->terrain.segment_count ? room : 0}};
    }
    world->impacts.trajectory_blocks.count = blocks;
    return true;
}

// A block that finds more walls than it has room for is surveyed again, with all that it needs.
static bool survey_all(graze_world *world)
{
    uint64_t end = place_walls(world, 0), surveyed;
    do {
        if (end >= GRZ_NONE ||
            !grz_array_reserve(&world->impacts.known_walls, &world->config.counting, (size_t)end)) {
            return false;
        }
        grz_run_blocks(world, world->bodies.active_count, BLOCK_ROWS, survey_block, world);
        surveyed = end;
        end = place_walls(world, end);
    } while (end > surveyed);
    return true;
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
    if (!reserve_blocks(world) || !survey_all(world) || !place_trajectories(world)) {
        world->impacts.trajectory_blocks.count =
            0; // So that the next step need not ask for as much.
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

// The point of the last piece at `time`: certified, unless the body passes through walls anyway.
static graze_vec2 find_point(const graze_world *world, const grz_trajectory *trajectory,
                             double time)
{
    const uint32_t last = trajectory->count - 1;
    const double start = trajectory->time[last - 1];
    const double length = trajectory->time[last] - start;
    const graze_vec2 from = trajectory->at[last - 1];
    const graze_vec2 to = trajectory->at[last];
    const double fraction = length > 0 ? (time - start) / length : 0;
    const graze_vec2 point = grz_point_at(from, to, fraction);
    const bool walled = world->terrain.segment_count && trajectory->clearance != GRZ_CLEAR;
    if (!walled || is_same_point(from, point) ||
        !(world->bodies.rows.traits[trajectory->row] & (GRZ_TRAIT_RESPONDS | GRZ_TRAIT_RIGID)) ||
        grz_is_far_from_walls(world, &trajectory->known_walls, from, point)) {
        return point;
    }
    grz_mover mover;
    grz_mover_fill(world, trajectory->row, &mover);
    return grz_certified_point(world, &mover, from, to, fraction);
}

static void note_change(grz_trajectory *trajectory, double time)
{
    if (trajectory->deflection_time != time) {
        trajectory->deflection_time = time;
        trajectory->old_version = trajectory->version;
    }
    ++trajectory->version;
}

static void end_piece(grz_trajectory *trajectory, double time, graze_vec2 point)
{
    const uint32_t last = trajectory->count - 1;
    trajectory->at[last] = point;
    trajectory->time[last] = time;
    note_change(trajectory, time);
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
    return trajectory->foreseen >= MAX_FORESEEN;
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

static double speed_before(const graze_world *world, const grz_trajectory *trajectory)
{
    return length_of(widen(world->bodies.rows.velocity[trajectory->row]));
}

// Whether something has kept a body from moving in this step although it came with a speed, more
// than gravity makes in one. So a body that stood, and has just been hit, is not jammed.
static bool is_jammed(const graze_world *world, const grz_trajectory *trajectory, double path)
{
    const double least_path = 0x1p-8; // Of the way it had.
    return trajectory->version > 1 && path <= least_path * trajectory->reach &&
           speed_before(world, trajectory) > find_fall(world, trajectory->row);
}

// Takes from the speed of a body what gravity added while it could not move: that of
// the whole step if it is jammed, that of the rest of the step if its last turn has dropped this.
static void drop_gain(const graze_world *world, grz_trajectory *trajectory)
{
    const bool jammed = is_jammed(world, trajectory, path_of(trajectory));
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
        jammed ? speed - fall : max_double(speed - rest * fall, speed_before(world, trajectory));
    trajectory->velocity =
        scale(trajectory->velocity, min_double(max_double(slower, 0) / speed, 1));
}

void grz_trajectory_drop_rest(const graze_world *world, grz_trajectory *trajectory)
{
    if (trajectory->version > 1) { // Something has turned it.
        drop_gain(world, trajectory);
    }
}

void grz_trajectory_end(const graze_world *world, grz_trajectory *trajectory, double time)
{
    end_piece(trajectory, time, find_point(world, trajectory, time));
    trajectory->gone = true;
}
