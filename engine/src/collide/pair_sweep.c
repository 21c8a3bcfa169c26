#include "collide/pair_sweep.h"

#include <graze/overlap.h>
#include <graze/sweep_turn.h>

#include "collide/box.h"
#include "fault.h"
#include "likely.h"
#include "vec2d.h"
#include "world/bodies.h"
#include "world/rows.h"

static bool ask_filter(const graze_world *world, uint32_t a, uint32_t b)
{
    return world->config.filter(world, grz_bodies_id(world, a), grz_bodies_id(world, b),
                                grz_no_segment, world->config.filter_user);
}

bool grz_bodies_meet(const graze_world *world, grz_row row_a, grz_row row_b)
{
    const uint32_t a = world->bodies.rows.index[row_a];
    const uint32_t b = world->bodies.rows.index[row_b];
    return grz_filters_meet(*grz_filter_of(world, a), *grz_filter_of(world, b));
}

bool grz_game_lets_meet(const graze_world *world, grz_row row_a, grz_row row_b)
{
    const uint32_t a = world->bodies.rows.index[row_a];
    const uint32_t b = world->bodies.rows.index[row_b];
    return a < b ? ask_filter(world, a, b) : ask_filter(world, b, a);
}

grz_figure grz_figure_of(const grz_rows *rows, grz_row row)
{
    const grz_figure shape = {grz_kind_of(rows->traits[row]), rows->half[row],
                              grz_rotation_of(rows, row)};
    return shape;
}

// A circle's or a ray's: its half extents are its radius.
static double radius_of(const grz_figure *shape)
{
    return (double)shape->half.x;
}

// The kernel wants the rect as b: turned around, the answer is turned back.
static graze_sweep sweep_rect_circle(const grz_figure *a, const grz_figure *b, graze_vec2d start,
                                     graze_vec2d delta)
{
    graze_sweep sweep =
        graze_sweep_circle_rect(negate(start), negate(delta), radius_of(b), a->half, a->rotation);
    const graze_vec2d centre = along(start, delta, sweep.time);
    sweep.normal = negate(sweep.normal);
    sweep.point = add(sweep.point, centre);
    return sweep;
}

graze_sweep grz_sweep_figures(const grz_figure *a, const grz_figure *b, graze_vec2d start,
                              graze_vec2d delta)
{
    const bool a_is_rect = a->kind == GRAZE_SHAPE_RECT;
    const bool b_is_rect = b->kind == GRAZE_SHAPE_RECT;
    if (a_is_rect && b_is_rect) {
        return graze_sweep_rects(start, delta, a->half, a->rotation, b->half, b->rotation);
    }
    if (a_is_rect) {
        return sweep_rect_circle(a, b, start, delta);
    }
    if (b_is_rect) {
        return graze_sweep_circle_rect(start, delta, radius_of(a), b->half, b->rotation);
    }
    return graze_sweep_circles(start, delta, radius_of(a), radius_of(b));
}

// What the kernels want goes to them straight from the columns: where a figure was put together of
// floats, and then read in pairs of them, each pair had to wait until both had been written.
GRZ_IN_PLACE graze_sweep sweep_bodies(const grz_rows *rows, grz_row row_a, graze_vec2 half_a,
                                      grz_row row_b, graze_vec2d start, graze_vec2d delta)
{
    const graze_vec2 half_b = rows->half[row_b];
    const uint32_t traits_a = rows->traits[row_a];
    const uint32_t traits_b = rows->traits[row_b];
    if (!((traits_a | traits_b) & GRAZE_SHAPE_RECT)) {
        return graze_sweep_circles(start, delta, (double)half_a.x, (double)half_b.x);
    }
    if (traits_a & traits_b & GRAZE_SHAPE_RECT) {
        return graze_sweep_rects(start, delta, half_a, rows->rotation[row_a], half_b,
                                 rows->rotation[row_b]);
    }
    grz_figure a = grz_figure_of(rows, row_a);
    const grz_figure b = grz_figure_of(rows, row_b);
    a.half = half_a;
    return grz_sweep_figures(&a, &b, start, delta);
}

// Fills `touch` from a sweep over part of the step; b is at `b_start` when the part begins and goes
// `b_delta`.
static void fill_touch(grz_touch *touch, const graze_sweep *sweep, graze_vec2d b_start,
                       graze_vec2d b_delta)
{
    const graze_vec2d b = along(b_start, b_delta, sweep->time);
    touch->point = add(b, sweep->point);
    touch->normal = vec2d(sweep->normal.x, sweep->normal.y); // A copy would wait for both.
    touch->depth = sweep->depth;
    touch->crosses = false;
    touch->passes = false;
    touch->turns = false;
}

// --- Bodies that turn ---

// Most turns are short: then the shapes as they are turned at the start of the step tell well
// enough when two touch. But not whether: what these miss is swept as it turns.

static grz_spinning spinning_of(const grz_rows *rows, grz_row row, double from)
{
    const double turn = grz_turn_of(rows, row);
    const grz_spinning made = {turn * from, turn};
    return made;
}

grz_spinning grz_spinning_at(const graze_world *world, grz_row row, double from)
{
    const uint32_t traits = world->bodies.rows.traits[row];
    const bool may_spin = grz_flies(traits) && grz_has_sides(traits);
    const grz_trajectory *trajectory = may_spin ? grz_trajectory_of(world, row) : NULL;
    const uint32_t pieces = trajectory ? trajectory->count - 1 : 0;
    const bool is_old = pieces > 1 && from < trajectory->time[pieces - 1];
    if (pieces < 2 + (uint32_t)is_old) {
        return spinning_of(&world->bodies.rows, row, from);
    }
    const float per_second = is_old ? trajectory->old_rate : trajectory->rate;
    const double turn = (double)(is_old ? trajectory->old_turn : trajectory->turn);
    const double rate = (double)(per_second * world->call.dt);
    const grz_spinning made = {turn - rate * (1 - from), rate};
    return made;
}

/// Two bodies in a part of the step.
typedef struct spinning_pair {
    grz_row row_a, row_b;
    double from, until;
    grz_spinning a, b;
} spinning_pair;

static double reach_of(const grz_rows *rows, grz_row row)
{
    return length_of(widen(rows->half[row])) * GRAZE_TURN_MARGIN;
}

// How far any points of both go by turning until a time, at most: as the narrowphase has it.
static double arc_until(const grz_rows *rows, const spinning_pair *pair, double time)
{
    const grz_spinning *a = &pair->a, *b = &pair->b;
    if (a->before == 0 && a->rate == 0 && b->before == 0 && b->rate == 0) {
        return 0;
    }
    const double reach_a = reach_of(rows, pair->row_a), reach_b = reach_of(rows, pair->row_b);
    const double arc = absolute(a->rate) * reach_a + absolute(b->rate) * reach_b;
    const double before = absolute(a->before) * reach_a + absolute(b->before) * reach_b;
    return before + arc * (time - pair->from);
}

static double size_of_rect(const grz_rows *rows, grz_row row)
{
    const graze_vec2 half = rows->half[row];
    const bool is_rect = (rows->traits[row] & GRAZE_SHAPE_RECT) != 0;
    return is_rect ? (double)min_float(half.x, half.y) : (double)FLT_MAX;
}

// Whether a turn is long: a corner goes farther than the smaller half size of a rect. Then it is no
// longer where it was before the step, and a touch that was found there may be none.
static bool is_long_turn(const grz_rows *rows, const spinning_pair *pair, double time)
{
    return arc_until(rows, pair, time) >
           min_double(size_of_rect(rows, pair->row_a), size_of_rect(rows, pair->row_b));
}

static graze_turning turning_of(const grz_rows *rows, grz_row row, const grz_spinning *spins,
                                double length)
{
    const graze_rotation rotation = grz_rotation_of(rows, row);
    const graze_turning turning = {
        grz_shape_of(grz_kind_of(rows->traits[row]), rows->half[row]),
        spins->before != 0 ? graze_rotation_turned(rotation, spins->before) : rotation,
        spins->rate * length};
    return turning;
}

static graze_sweep sweep_turning(const grz_rows *rows, const spinning_pair *pair, graze_vec2d start,
                                 graze_vec2d delta)
{
    const double length = pair->until - pair->from;
    const graze_turning a = turning_of(rows, pair->row_a, &pair->a, length);
    const graze_turning b = turning_of(rows, pair->row_b, &pair->b, length);
    return graze_sweep_turning(&a, &b, start, delta);
}

// Sweeps two bodies in a part of the step.
GRZ_IN_PLACE graze_sweep sweep_part(const grz_rows *rows, const spinning_pair *pair,
                                    graze_vec2d start, graze_vec2d delta)
{
    const graze_sweep sweep =
        sweep_bodies(rows, pair->row_a, rows->half[pair->row_a], pair->row_b, start, delta);
    const double time = pair->from + sweep.time * (pair->until - pair->from);
    const bool counts =
        sweep.hit ? !is_long_turn(rows, pair, time) : !(arc_until(rows, pair, pair->until) > 0);
    return counts ? sweep : sweep_turning(rows, pair, start, delta);
}

static inline spinning_pair whole_step(grz_row row_a, grz_row row_b, double turn_a, double turn_b)
{
    const spinning_pair pair = {row_a, row_b, 0, 1, {0, turn_a}, {0, turn_b}};
    return pair;
}

static void fill_straight(graze_vec2 b_from, graze_vec2 b_to, graze_vec2d delta,
                          const graze_sweep *sweep, grz_touch *touch)
{
    fill_touch(touch, sweep, widen(b_from), offset(b_to, b_from));
    touch->time = sweep->time;
    touch->approach = dot(delta, sweep->normal);
}

bool grz_touch_turning(const grz_rows *rows, grz_row row_a, grz_row row_b, grz_touch *touch)
{
    const graze_vec2d start = offset(rows->position[row_a], rows->position[row_b]);
    const graze_vec2d delta = subtract(offset(rows->end[row_a], rows->end[row_b]), start);
    const spinning_pair pair =
        whole_step(row_a, row_b, grz_turn_of(rows, row_a), grz_turn_of(rows, row_b));
    const graze_sweep sweep = sweep_turning(rows, &pair, start, delta);
    if (sweep.hit) {
        fill_straight(rows->position[row_b], rows->end[row_b], delta, &sweep, touch);
    }
    return sweep.hit;
}

// HOT. bench: engine/step/gas
//
// Data    Position, end, half and traits of two rows: 56 bytes.
// Branch  The kernel is chosen by kinds: pairs of one world are mostly alike, and mostly round.
bool grz_touch_on_ways(const grz_rows *rows, grz_row row_a, grz_row row_b, const grz_ways *ways,
                       grz_touch *touch)
{
    graze_vec2 end_b = ways->end_b;
    GRZ_FAULT(relative_motion, end_b = rows->position[row_b]);
    const graze_vec2d start = offset(rows->position[row_a], rows->position[row_b]);
    const graze_vec2d delta = subtract(offset(ways->end_a, end_b), start);
    const spinning_pair pair = whole_step(row_a, row_b, ways->turn_a, ways->turn_b);
    const graze_sweep sweep = sweep_part(rows, &pair, start, delta);
    if (sweep.hit) {
        fill_straight(rows->position[row_b], end_b, delta, &sweep, touch);
    }
    return sweep.hit;
}

bool grz_touch_straight(const grz_rows *rows, grz_row row_a, grz_row row_b, grz_touch *touch)
{
    const grz_ways ways = {rows->end[row_a], rows->end[row_b], grz_turn_of(rows, row_a),
                           grz_turn_of(rows, row_b)};
    return grz_touch_on_ways(rows, row_a, row_b, &ways, touch);
}

// Finds the piece of a body's trajectory that is under way at `time`, before the step's end.
// Returns false when the body is gone then.
static inline bool find_piece(const graze_world *world, grz_row row, double time, grz_piece *found)
{
    const grz_trajectory *trajectory = grz_trajectory_of(world, row);
    if (!trajectory) {
        const grz_piece straight = {0, 1, world->bodies.rows.position[row],
                                    world->bodies.rows.end[row]};
        *found = straight;
        return true;
    }
    const uint32_t last = trajectory->count - 1;
    if (trajectory->gone && time >= trajectory->time[last]) {
        return false;
    }
    uint32_t k = last - 1;
    while (k > 0 && trajectory->time[k] > time) {
        --k;
    }
    const grz_piece bent = {trajectory->time[k], trajectory->time[k + 1], trajectory->at[k],
                            trajectory->at[k + 1]};
    *found = bent;
    return true;
}

grz_course grz_course_find(const graze_world *world, grz_row row)
{
    const grz_trajectory *trajectory = grz_trajectory_of(world, row);
    const grz_course straight = {world->bodies.rows.position[row], world->bodies.rows.end[row], 0};
    return trajectory ? grz_course_of_trajectory(trajectory) : straight;
}

static graze_vec2d position_on(const grz_piece *piece, double time)
{
    const graze_vec2d end = widen(piece->end);
    const graze_vec2d start = widen(piece->start);
    if (time >= piece->end_time) {
        return end;
    }
    if (time == piece->start_time) {
        return start;
    }
    const double fraction = (time - piece->start_time) / (piece->end_time - piece->start_time);
    return along(start, subtract(end, start), fraction);
}

graze_vec2d grz_place_at(const graze_world *world, grz_row row, double time)
{
    grz_piece piece;
    return find_piece(world, row, time, &piece) ? position_on(&piece, time)
                                                : widen(world->bodies.rows.end[row]);
}

graze_vec2d grz_course_at(const graze_world *world, grz_row row, double time)
{
    grz_piece piece;
    const graze_vec2d still = {0, 0};
    if (!find_piece(world, row, time, &piece) || piece.end_time <= piece.start_time) {
        return still;
    }
    return scale(offset(piece.end, piece.start), 1 / (piece.end_time - piece.start_time));
}

/// Two bodies from one time to another, between which neither turns.
typedef struct passage {
    double from, until;
    graze_vec2d a_start, a_end, b_start, b_end;
} passage;

// Finds where a body goes from `from` to the end of the step. Returns false where it turns before,
// or is gone.
GRZ_IN_PLACE bool find_way_to_end(const graze_world *world, grz_row row, double from,
                                  graze_vec2d *start, graze_vec2d *end)
{
    const grz_course course = grz_course_of(world, row);
    if (course.begin > from) {
        return false;
    }
    *start = from > course.begin ? grz_course_start(&course, from) : widen(course.from);
    *end = widen(course.to);
    return true;
}

// Most go straight on. Written in place: else all of it would go to memory, and be read back.
GRZ_IN_PLACE bool find_last_passage(const graze_world *world, grz_row row_a, grz_row row_b,
                                    passage *part)
{
    part->until = 1;
    return find_way_to_end(world, row_a, part->from, &part->a_start, &part->a_end) &&
           find_way_to_end(world, row_b, part->from, &part->b_start, &part->b_end);
}

static bool find_passage_of_pieces(const graze_world *world, grz_row row_a, grz_row row_b,
                                   passage *part)
{
    grz_piece way_a, way_b;
    if (!find_piece(world, row_a, part->from, &way_a) ||
        !find_piece(world, row_b, part->from, &way_b)) {
        return false;
    }
    part->until = min_double(way_a.end_time, way_b.end_time);
    part->a_start = position_on(&way_a, part->from);
    part->b_start = position_on(&way_b, part->from);
    part->a_end = position_on(&way_a, part->until);
    part->b_end = position_on(&way_b, part->until);
    return true;
}

GRZ_IN_PLACE bool find_passage(const graze_world *world, grz_row row_a, grz_row row_b,
                               passage *part)
{
    return find_last_passage(world, row_a, row_b, part) ||
           find_passage_of_pieces(world, row_a, row_b, part);
}

static inline spinning_pair spinning_on(const graze_world *world, grz_row row_a, grz_row row_b,
                                        const passage *part)
{
    const spinning_pair pair = {row_a,
                                row_b,
                                part->from,
                                part->until,
                                grz_spinning_at(world, row_a, part->from),
                                grz_spinning_at(world, row_b, part->from)};
    return pair;
}

// What is round is the same however it turns.
static inline graze_sweep sweep_passage(const graze_world *world, grz_row row_a, grz_row row_b,
                                        const passage *part, graze_vec2d start, graze_vec2d delta)
{
    const grz_rows *rows = &world->bodies.rows;
    if (grz_are_round(rows, row_a, row_b)) {
        return sweep_bodies(rows, row_a, rows->half[row_a], row_b, start, delta);
    }
    const spinning_pair pair = spinning_on(world, row_a, row_b, part);
    return sweep_part(rows, &pair, start, delta);
}

static inline bool touch_on_passage(const graze_world *world, grz_row row_a, grz_row row_b,
                                    const passage *part, grz_touch *touch)
{
    const double length = part->until - part->from;
    const graze_vec2d start = subtract(part->a_start, part->b_start);
    const graze_vec2d delta = subtract(subtract(part->a_end, part->b_end), start);
    const graze_sweep sweep = sweep_passage(world, row_a, row_b, part, start, delta);
    if (!sweep.hit) {
        return false;
    }
    fill_touch(touch, &sweep, part->b_start, subtract(part->b_end, part->b_start));
    touch->time = part->from + sweep.time * length;
    touch->depth = part->from > 0 ? 0 : sweep.depth;
    touch->approach = dot(delta, sweep.normal) / length;
    return true;
}

bool grz_touch_moving(const graze_world *world, grz_row row_a, grz_row row_b, double *from,
                      grz_touch *touch)
{
    if (*from >= 1) {
        return false;
    }
    passage part;
    do {
        part.from = *from;
        if (!find_passage(world, row_a, row_b, &part)) {
            return false;
        }
        *from = part.until;
        if (touch_on_passage(world, row_a, row_b, &part, touch)) {
            return true;
        }
    } while (*from < 1);
    return false;
}

static bool are_parted(const grz_rows *rows, grz_row row_a, grz_row row_b, graze_vec2d start,
                       graze_vec2d delta)
{
    return !sweep_bodies(rows, row_a, rows->half[row_a], row_b, start, delta).hit;
}

// Whether two that are round touch on their way: by far more than kernels round, which is a share
// of how far apart they begin.
static bool touch_clearly(const grz_rows *rows, grz_row row_a, grz_row row_b, graze_vec2d start,
                          graze_vec2d delta)
{
    const double reach = (double)rows->half[row_a].x + (double)rows->half[row_b].x;
    const double path = dot(delta, delta);
    const double share = path > 0 ? clamp(-dot(start, delta) / path, 0, 1) : 0;
    const graze_vec2d nearest = along(start, delta, share);
    GRZ_FAULT(round_pairs_aside, reach *= 1.01);
    return dot(nearest, nearest) < (1 - 0x1p-30) * squared(reach) &&
           dot(start, start) < 4 * squared(reach);
}

bool grz_pass_aside(const graze_world *world, grz_row row_a, grz_row row_b, double time,
                    graze_vec2d aside)
{
    GRZ_FAULT(rows_at_the_end, if (time >= 1) return false);
    passage part = {.from = time};
    if (!find_passage(world, row_a, row_b, &part)) {
        return false;
    }
    const graze_vec2d start = subtract(part.a_start, part.b_start);
    const graze_vec2d delta = subtract(subtract(part.a_end, part.b_end), start);
    const grz_rows *rows = &world->bodies.rows;
    if (!world->config.no_shortcuts && grz_are_round(rows, row_a, row_b) &&
        touch_clearly(rows, row_a, row_b, add(start, aside), delta) &&
        touch_clearly(rows, row_a, row_b, subtract(start, aside), delta)) {
        return false;
    }
    const spinning_pair pair = spinning_on(world, row_a, row_b, &part);
    if (arc_until(&world->bodies.rows, &pair, part.until) > 0 &&
        (is_long_turn(&world->bodies.rows, &pair, time) ||
         are_parted(&world->bodies.rows, row_a, row_b, start, delta))) {
        return false; // It touches by turning.
    }
    return are_parted(&world->bodies.rows, row_a, row_b, add(start, aside), delta) ||
           are_parted(&world->bodies.rows, row_a, row_b, subtract(start, aside), delta);
}

static graze_vec2 rotated_extent(graze_vec2 half, graze_rotation rotation)
{
    const float cosine = grz_magnitude(rotation.cosine);
    const float sine = grz_magnitude(rotation.sine);
    const graze_vec2 extent = {
        (cosine * half.x + sine * half.y) * GRZ_ROTATION_MARGIN + grz_least_margin,
        (sine * half.x + cosine * half.y) * GRZ_ROTATION_MARGIN + grz_least_margin};
    return extent;
}

// The extent of a rect that turns between two rotations. Where it is largest between the two, the
// nearer of them is at most half the turn away, and the extent is there its half diagonal times the
// cosine of that at least: for turns up to 1 the factor is above 1 / cos(turn / 2).
static graze_vec2 extent_in_turn(graze_vec2 half, graze_vec2 at_ends, float turn)
{
    const float square = turn * turn;
    const float factor = 1 + square * 0.25f;
    const float most = (half.x + half.y) * GRZ_ROTATION_MARGIN;
    const graze_vec2 reached = {square > 1 ? most : at_ends.x * factor,
                                square > 1 ? most : at_ends.y * factor};
    return reached;
}

graze_vec2 grz_extent_of_figure(const grz_figure *shape)
{
    return grz_kind_has_sides(shape->kind) ? rotated_extent(shape->half, shape->rotation)
                                           : shape->half;
}

graze_vec2 grz_extent_of(const grz_rows *rows, grz_row row)
{
    const uint32_t traits = rows->traits[row];
    if (!grz_has_sides(traits)) {
        return rows->half[row];
    }
    graze_vec2 extent = rotated_extent(rows->half[row], rows->rotation[row]);
    if (rows->turn[row] != 0) {
        const graze_vec2 end = rotated_extent(rows->half[row], rows->end_rotation[row]);
        extent.x = extent.x > end.x ? extent.x : end.x;
        extent.y = extent.y > end.y ? extent.y : end.y;
        extent = extent_in_turn(rows->half[row], extent, rows->turn[row]);
    }
    return extent;
}

// --- What is near a body as it is now ---

static graze_aabb box_of_row(const grz_rows *rows, grz_row row)
{
    const grz_figure figure = grz_figure_of(rows, row);
    const graze_vec2 place = rows->position[row];
    return grz_swept_box(place, place, grz_extent_of_figure(&figure));
}

bool grz_is_near(const grz_rows *rows, grz_row row, graze_aabb box)
{
    return graze_overlap_aabbs(box_of_row(rows, row), box);
}

// The grid leaves out boxes that surely lie beside the ray. Each holds the body's present box, so
// that one lies beside the ray, too.
bool grz_is_near_ray(const grz_rows *rows, grz_row row, graze_vec2 from, graze_vec2 end)
{
    const graze_aabb box = box_of_row(rows, row);
    GRZ_FAULT(rays_from_afar, return !grz_is_outside(from, end, &box));
    return !grz_is_outside(from, end, &box) && grz_line_meets_box(from, end, &box);
}
