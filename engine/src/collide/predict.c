#include "collide/predict.h"

#include "collide/pair_sweep.h"
#include "collide/tolerance.h"
#include "min_max.h"
#include "vec2d.h"
#include "world/bodies.h"
#include "world/parallel.h"
#include "world/rows.h"

#include <string.h>

enum {
    ROWS_AT_ONCE = 256, ///< Few, so that the next pass finds them in the cache.
    /// Traits of rows whose box is not that of a round body that moves straight.
    SPECIAL_BOX = GRZ_TRAIT_TURNS | GRZ_TRAIT_RIGID | GRAZE_SHAPE_RECT
};

// --- Without lanes ---
//
// The scalar set has plain loops: its lanes, one after the other, took about twice as long (bench:
// engine/step/gas with GRAZE_LANES=scalar).

static grz_predicted predict_each(const grz_prediction *columns, uint32_t first, uint32_t end)
{
    const grz_prediction local = *columns;
    grz_predicted found = {0, 0, true};
    for (grz_row row = first; row < end; ++row) {
        grz_predict_row(&local, row, &found);
    }
    return found;
}

static void rotate_each(const float *angles, graze_rotation *rotations, uint32_t count)
{
    for (uint32_t i = 0; i < count; ++i) {
        rotations[i] = graze_rotation_from_angle(angles[i]);
    }
}

static void spin_each(const float *angles, const float *spins, float dt, uint32_t count,
                      float *turned)
{
    for (uint32_t i = 0; i < count; ++i) {
        turned[i] = grz_wrap_angle(angles[i] + spins[i] * dt);
    }
}

const grz_predict_table grz_predict_wide_scalar = {
    .straight = predict_each, .rotate = rotate_each, .spin = spin_each};

const grz_predict_table *grz_predict_loops_for(grz_lane_set lanes)
{
    static const grz_predict_table *const tables[] = GRZ_WIDE_TABLES(grz_predict_wide);
    return tables[lanes];
}

// --- With lanes ---

grz_prediction grz_prediction_of(const graze_world *world)
{
    const grz_rows *rows = &world->bodies.rows;
    const grz_prediction columns = {
        .position = rows->position,
        .velocity = rows->velocity,
        .half = rows->half,
        .rotation = rows->rotation,
        .end_rotation = rows->end_rotation,
        .turn = rows->turn,
        .spin = rows->spin,
        .traits = rows->traits,
        .index = rows->index,
        .dynamics = world->bodies.dynamics.data,
        .end = rows->end,
        .end_velocity = rows->end_velocity,
        .gravity_step = grz_gravity_step(world->config.gravity, world->call.dt),
        .dt = world->call.dt,
    };
    return columns;
}

grz_predict_job grz_predict_prepare(graze_world *world)
{
    grz_rows *rows = &world->bodies.rows;
    const size_t capacity = rows->capacity;
    grz_prediction columns = grz_prediction_of(world);
    columns.boxes = world->found.box_memory.data;
    const grz_predict_job job = {
        rows,
        columns,
        world->bodies.ray_count || world->bodies.filter_count
            ? (uint8_t *)(columns.boxes + capacity)
            : NULL,
        world->bodies.filter_count > 0,
        grz_predict_loops_for(world->config.lanes),
        world->found.row_counts.data,
        world->bodies.rotation_count > 0,
    };
    return job;
}

// A body whose motion would leave the range of float stays in place, with velocity 0.
static uint32_t hold_overflowing(const grz_prediction *columns, uint32_t first, uint32_t end)
{
    const graze_vec2 rest = {0, 0};
    uint32_t held = 0;
    for (grz_row row = first; row < end; ++row) {
        if (!is_finite(columns->end[row]) || !is_finite(columns->end_velocity[row])) {
            const graze_vec2 position = columns->position[row];
            columns->end[row] = position;
            columns->end_velocity[row] = rest;
            columns->boxes[row] = grz_swept_box(position, position, columns->half[row]);
            ++held;
        }
    }
    return held;
}

double grz_rigid_reach(const grz_rows *rows, grz_row row, graze_vec2 end, graze_vec2 gravity_step,
                       float dt)
{
    const double size = (double)min_float(rows->half[row].x, rows->half[row].y);
    return grz_reach_of(rows, row, end, gravity_step, dt) * grz_reach_margin +
           grz_contact_margin * size;
}

double grz_reach_of_solved(const graze_world *world, grz_row row)
{
    return grz_rigid_reach(&world->bodies.rows, row, world->bodies.rows.end[row],
                           grz_gravity_step(world->config.gravity, world->call.dt), world->call.dt);
}

// A rect may turn on its way: but no corner is farther from the centre than in any rotation.
static graze_aabb box_of_rigid(const grz_rows *rows, grz_row row, graze_vec2 end,
                               graze_vec2 gravity_step, float dt)
{
    const graze_vec2 position = rows->position[row];
    const float reach = (float)grz_rigid_reach(rows, row, end, gravity_step, dt);
    graze_vec2 extent = grz_extent_of(rows, row);
    if (grz_has_sides(rows->traits[row])) {
        const float radius = (float)length_of(widen(rows->half[row])) * GRZ_ROTATION_MARGIN;
        const float turned = grz_magnitude(grz_spin_of(rows, row)) * dt * radius;
        extent.x = min_float(extent.x + turned, radius);
        extent.y = min_float(extent.y + turned, radius);
    }
    extent.x += reach;
    extent.y += reach;
    return grz_swept_box(position, position, extent);
}

graze_aabb grz_predicted_box(const grz_rows *rows, grz_row row, graze_vec2 end,
                             graze_vec2 gravity_step, float dt)
{
    if (grz_is_solved(rows->traits[row])) {
        return box_of_rigid(rows, row, end, gravity_step, dt);
    }
    const graze_vec2 position = rows->position[row];
    graze_vec2 extent = grz_extent_of(rows, row);
    if (!(rows->traits[row] & GRZ_TRAIT_TURNS)) {
        return grz_swept_box(position, end, extent);
    }
    const float reach = (float)(grz_reach_of(rows, row, end, gravity_step, dt) * grz_reach_margin);
    extent.x += reach;
    extent.y += reach;
    return grz_swept_box(position, position, extent);
}

/// Some rows of a chunk.
typedef struct row_list {
    uint32_t count;
    uint32_t rows[ROWS_AT_ONCE];
} row_list;

// Rows that have any of some traits are scattered among the others, and a branch at each row could
// not be predicted: so they are listed, and done separately (bench: engine/step/gas-mixed).
static void list_rows(const grz_rows *rows, uint32_t first, uint32_t end, uint32_t wanted,
                      row_list *found)
{
    const uint32_t *traits = rows->traits;
    uint32_t count = 0;
    for (grz_row row = first; row < end; ++row) {
        found->rows[count] = row;
        count += (traits[row] & wanted) != 0;
    }
    found->count = count;
}

// Fills in the rotations of some rows, from angles that begin with that of row `first`.
static void rotate_listed(const grz_predict_job *job, const row_list *list, const float *angles,
                          uint32_t first, graze_rotation *to)
{
    float listed[ROWS_AT_ONCE + GRZ_LANES_MAX] = {0};
    graze_rotation rotations[ROWS_AT_ONCE + GRZ_LANES_MAX];
    for (uint32_t i = 0; i < list->count; ++i) {
        listed[i] = angles[list->rows[i] - first];
    }
    job->loops->rotate(listed, rotations, list->count);
    for (uint32_t i = 0; i < list->count; ++i) {
        to[list->rows[i]] = rotations[i];
    }
}

// Compilers make lanes of it.
static void predict_turns(const grz_rows *rows, float dt, uint32_t first, uint32_t end)
{
    const float *spin = rows->spin + first;
    float *turn = rows->turn + first;
    for (uint32_t i = 0; i < end - first; ++i) {
        turn[i] = spin[i] * dt;
    }
}

// Spins that are damped: the loop before turned all by their spins as they were.
static void turn_adjusted(const grz_predict_job *job, const row_list *spinning, uint32_t first,
                          float *turned)
{
    const grz_rows *rows = job->rows;
    for (uint32_t i = 0; i < spinning->count; ++i) {
        const grz_row row = spinning->rows[i];
        if (rows->traits[row] & GRZ_TRAIT_ADJUSTED) {
            const grz_dynamics *dynamics = &job->columns.dynamics[rows->index[row]];
            const float spin = grz_adjusted_spin(rows->spin[row], dynamics, job->columns.dt);
            rows->turn[row] = spin * job->columns.dt;
            turned[row - first] = grz_wrap_angle(rows->angle[row] + rows->turn[row]);
        }
    }
}

static void predict_rotations(const grz_predict_job *job, uint32_t first, uint32_t end,
                              bool adjusted)
{
    const grz_rows *rows = job->rows;
    row_list spinning;
    float turned[ROWS_AT_ONCE];
    job->loops->spin(rows->angle + first, rows->spin + first, job->columns.dt, end - first, turned);
    list_rows(rows, first, end, GRZ_TRAIT_SPINS, &spinning);
    predict_turns(rows, job->columns.dt, first, end);
    if (adjusted) {
        turn_adjusted(job, &spinning, first, turned);
    }
    rotate_listed(job, &spinning, turned, first, rows->end_rotation);
}

// Loading leaves this to the first step: only rects turn.
static void fill_rotations(const grz_predict_job *job, uint32_t first, uint32_t end)
{
    const graze_rotation upright = {1, 0};
    const grz_rows *rows = job->rows;
    row_list rects;
    for (grz_row row = first; row < end; ++row) {
        rows->rotation[row] = upright;
    }
    list_rows(rows, first, end, GRAZE_SHAPE_RECT, &rects);
    rotate_listed(job, &rects, rows->angle + first, first, rows->rotation);
}

// Moves the rows that gravity moves otherwise: the first loop treated them as all others.
static void predict_adjusted(const grz_predict_job *job, uint32_t first, uint32_t end,
                             grz_predicted *found)
{
    const grz_prediction *columns = &job->columns;
    row_list adjusted;
    list_rows(job->rows, first, end, GRZ_TRAIT_ADJUSTED, &adjusted);
    for (uint32_t i = 0; i < adjusted.count; ++i) {
        const grz_row row = adjusted.rows[i];
        const graze_vec2 position = columns->position[row];
        const graze_vec2 velocity =
            grz_adjusted_velocity(columns->velocity[row], &columns->dynamics[columns->index[row]],
                                  columns->gravity_step, columns->dt);
        const graze_vec2 end_of_row = grz_straight_end(position, velocity, columns->dt);
        found->slow += grz_is_slow(velocity);
        found->slow -= grz_is_slow(columns->end_velocity[row]);
        found->finite = found->finite && is_finite(end_of_row);
        columns->end_velocity[row] = velocity;
        columns->end[row] = end_of_row;
        columns->boxes[row] = grz_swept_box(position, end_of_row, columns->half[row]);
    }
}

// Fills the boxes of rows with a special one: the first loop treated all rows as round bodies that
// move straight.
static void put_special_boxes(const grz_predict_table *loops, const grz_rows *rows,
                              const grz_prediction *columns, uint32_t first, uint32_t end,
                              uint32_t traits)
{
    row_list special;
    const bool by_lanes = loops->box && !rows->carry;
    const uint32_t next = by_lanes ? loops->box(columns, first, end, traits) : first;
    list_rows(rows, next, end, SPECIAL_BOX, &special);
    for (uint32_t i = 0; i < special.count; ++i) {
        const grz_row row = special.rows[i];
        columns->boxes[row] =
            grz_predicted_box(rows, row, columns->end[row], columns->gravity_step, columns->dt);
    }
}

void grz_predict_boxes(const graze_world *world, uint32_t first, uint32_t end)
{
    const grz_predict_table *loops = grz_predict_loops_for(world->config.lanes);
    grz_prediction columns = grz_prediction_of(world);
    const uint32_t traits =
        world->found.totals.traits | GRZ_TRAIT_RIGID; // Some may have joined these.
    columns.boxes = world->found.box_memory.data;
    for (; first < end; first += ROWS_AT_ONCE) {
        const uint32_t some = min_u32(end - first, ROWS_AT_ONCE);
        put_special_boxes(loops, &world->bodies.rows, &columns, first, first + some, traits);
    }
}

// With default filters, rays are the next kind.
static void put_kinds(const grz_predict_job *job, uint32_t first, uint32_t end)
{
    const uint32_t *traits = job->rows->traits;
    uint8_t *kinds = job->kinds;
    if (job->has_filters) {
        for (grz_row row = first; row < end; ++row) {
            kinds[row] = (uint8_t)(traits[row] >> GRZ_TRAIT_FILTER_KIND_SHIFT);
        }
        return;
    }
    for (grz_row row = first; row < end; ++row) {
        kinds[row] = GRZ_KIND_USUAL + (grz_kind_of(traits[row]) == GRAZE_SHAPE_RAY);
    }
}

// The compiler makes lanes of it, and of the loop above.
static void count_traits(const grz_predict_job *job, uint32_t first, uint32_t end,
                         grz_row_counts *counts)
{
    const uint32_t *traits = job->rows->traits;
    uint32_t free_count = 0, free_shapes = 0, expiring = 0, rigid = 0, driving = 0;
    for (grz_row row = first; row < end; ++row) {
        const bool free = (traits[row] & GRZ_TRAIT_FREE) != 0;
        free_count += free;
        free_shapes += free & (grz_kind_of(traits[row]) != GRAZE_SHAPE_RAY);
        expiring += (traits[row] & GRZ_TRAIT_EXPIRES) != 0;
        rigid += grz_is_solved(traits[row]);
        driving += grz_drives(traits[row]);
    }
    counts->free += free_count;
    counts->free_shapes += free_shapes;
    counts->expiring += expiring;
    counts->rigid += rigid;
    counts->driving += driving;
}

static void predict_some(const grz_predict_job *job, uint32_t first, uint32_t end,
                         grz_row_counts *counts)
{
    grz_predicted found = job->loops->straight(&job->columns, first, end);
    if (found.traits & GRZ_TRAIT_ADJUSTED) {
        predict_adjusted(job, first, end, &found);
    }
    counts->traits |= found.traits;
    counts->slow += found.slow;
    if (!found.finite) {
        counts->overflow += hold_overflowing(&job->columns, first, end);
    }
    if (job->turns && job->rows->rotations_due) {
        fill_rotations(job, first, end);
    }
    if (job->turns) {
        memcpy(job->rows->end_rotation + first, job->rows->rotation + first,
               (end - first) * sizeof(graze_rotation));
        memset(job->rows->turn + first, 0, (end - first) * sizeof(float));
    }
    if (found.traits & GRZ_TRAIT_SPINS) {
        predict_rotations(job, first, end, (found.traits & GRZ_TRAIT_ADJUSTED) != 0);
    }
    if (found.traits & SPECIAL_BOX) {
        put_special_boxes(job->loops, job->rows, &job->columns, first, end, found.traits);
    }
    if (found.traits & (GRZ_TRAIT_OPEN | GRZ_TRAIT_EXPIRES)) {
        count_traits(job, first, end, counts);
    }
    if (job->kinds) {
        put_kinds(job, first, end);
    }
}

static void predict_block(void *context, uint32_t block, uint32_t first, uint32_t end)
{
    const grz_predict_job *job = context;
    grz_row_counts counts = {0};
    for (; first < end; first += ROWS_AT_ONCE) {
        const uint32_t rest = end - first;
        predict_some(job, first, first + min_u32(rest, ROWS_AT_ONCE), &counts);
    }
    job->counts[block] = counts;
}

// Some hundred rows at a time: first all as if they were round and moved straight, then those that
// are not.
void grz_predict_rows(graze_world *world, grz_predict_job *job)
{
    grz_run_blocks(world, world->bodies.active_count, GRZ_BLOCK_ROWS, predict_block, job);
}
