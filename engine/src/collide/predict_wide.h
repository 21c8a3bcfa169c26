/// @file predict_wide.h
/// The loops of the Predict phase over many rows at a time: see lanes.h.

#include "collide/predict.h"
#include "collide/tolerance.h"
#include "sine_cosine.h"
#include "world/bodies.h"
#include "world/rows.h"

// --- All rows, as if they were round and moved straight ---

// The sides of grz_lower_side and grz_upper_side, lane by lane.
static inline floats margin_of(floats side)
{
    const floats negative = sub_floats(fill_floats(0), side);
    const floats size = select_floats(less_floats(side, fill_floats(0)), negative, side);
    return mul_floats(size, fill_floats(GRZ_SIDE_MARGIN));
}

static inline floats lower_sides(floats from, floats to, floats extent)
{
    const floats side = sub_floats(min_floats(from, to), extent);
    return max_floats(sub_floats(side, margin_of(side)), fill_floats(-FLT_MAX));
}

static inline floats upper_sides(floats from, floats to, floats extent)
{
    const floats side = add_floats(max_floats(from, to), extent);
    return min_floats(add_floats(side, margin_of(side)), fill_floats(FLT_MAX));
}

static inline floats load_weights(const uint32_t *traits)
{
    float weights[GRZ_WIDTH];
    for (uint32_t k = 0; k < GRZ_WIDTH; ++k) {
        weights[k] = traits[k] & GRZ_TRAIT_INFINITE_MASS ? 0.0f : 1.0f;
    }
    return load_floats(weights);
}

/// Findings on the rows so far, lane by lane.
typedef struct tally_lanes {
    ints traits;
    floats slow;
    floats doubt; ///< 0 as long as all ends are finite: infinity minus itself is not 0.
} tally_lanes;

static inline void predict_lanes(const grz_prediction *columns, grz_row row, bool falls,
                                 tally_lanes *tally)
{
    const floats zero = fill_floats(0), one = fill_floats(1), dt = fill_floats(columns->dt);
    floats x, y, speed_x, speed_y, half_x, half_y;
    load_points(columns->position + row, &x, &y);
    load_points(columns->velocity + row, &speed_x, &speed_y);
    load_points(columns->half + row, &half_x, &half_y);
    const floats weight = falls ? load_weights(columns->traits + row) : one;
    speed_x = add_floats(speed_x, mul_floats(fill_floats(columns->gravity_step.x), weight));
    speed_y = add_floats(speed_y, mul_floats(fill_floats(columns->gravity_step.y), weight));
    const floats end_x = add_floats(x, mul_floats(speed_x, dt));
    const floats end_y = add_floats(y, mul_floats(speed_y, dt));
    store_points(columns->end_velocity + row, speed_x, speed_y);
    store_points(columns->end + row, end_x, end_y);
    store_boxes(columns->boxes + row, lower_sides(x, end_x, half_x), lower_sides(y, end_y, half_y),
                upper_sides(x, end_x, half_x), upper_sides(y, end_y, half_y));
    const floats energy = add_floats(mul_floats(speed_x, speed_x), mul_floats(speed_y, speed_y));
    const floats gap = add_floats(sub_floats(end_x, end_x), sub_floats(end_y, end_y));
    tally->slow = add_floats(tally->slow, select_floats(at_most_floats(energy, zero), one, zero));
    tally->doubt = add_floats(tally->doubt, gap);
    tally->traits = or_ints(tally->traits, load_ints(columns->traits + row));
}

static inline void add_up_tally(const tally_lanes *tally, grz_predicted *found)
{
    uint32_t traits[GRZ_WIDTH];
    float slow[GRZ_WIDTH], doubt[GRZ_WIDTH];
    store_ints(traits, tally->traits);
    store_floats(slow, tally->slow);
    store_floats(doubt, tally->doubt);
    for (uint32_t k = 0; k < GRZ_WIDTH; ++k) {
        found->traits |= traits[k];
        found->slow += (uint32_t)slow[k];
        found->finite = found->finite && doubt[k] == 0;
    }
}

// HOT. bench: engine/step/gas
//
// Data    28 bytes of a row read, 32 written, all in order.
// Branch  None.
// Lanes   A row each; vectors are split into x and y on loading, joined on storing.
static grz_predicted predict_straight(const grz_prediction *columns, uint32_t first, uint32_t end)
{
    const grz_prediction local = *columns;
    grz_predicted found = {0, 0, true};
    tally_lanes tally = {fill_ints(0), fill_floats(0), fill_floats(0)};
    const bool falls = local.gravity_step.x != 0 || local.gravity_step.y != 0;
    grz_row row = first;
    for (; end - row >= GRZ_WIDTH; row += GRZ_WIDTH) {
        predict_lanes(&local, row, falls, &tally);
    }
    add_up_tally(&tally, &found);
    for (; row < end; ++row) {
        grz_predict_row(&local, row, &found);
    }
    return found;
}

// --- Rotations ---

static inline doubles add_up_terms(const double *terms, doubles z)
{
    doubles sum = fill_doubles(terms[GRZ_SINE_TERMS - 1]);
    for (int i = GRZ_SINE_TERMS - 1; i-- > 0;) {
        sum = add_doubles(fill_doubles(terms[i]), mul_doubles(z, sum));
    }
    return sum;
}

// Flips a number's sign where the quarters are above `high` or below `low`.
static inline doubles turn_signs(doubles number, doubles quarters, double low, double high)
{
    const doubles_mask turned = mask_or_d(less_doubles(fill_doubles(high), quarters),
                                          less_doubles(quarters, fill_doubles(low)));
    return mul_doubles(number, select_doubles(turned, fill_doubles(-1), fill_doubles(1)));
}

// As graze_rotation_from_angle does it. From -pi to pi there are -2 to 2 quarter turns: an odd
// number if its square is 1.
static inline void rotate_half(doubles angle, doubles *cosine, doubles *sine)
{
    const doubles one = fill_doubles(1), shifter = fill_doubles(grz_shifter);
    const doubles scaled = mul_doubles(angle, fill_doubles(grz_quarters_of_radian));
    const doubles quarters = sub_doubles(add_doubles(scaled, shifter), shifter);
    const doubles head = mul_doubles(quarters, fill_doubles(grz_half_pi_head));
    const doubles tail = mul_doubles(quarters, fill_doubles(grz_half_pi_tail));
    const doubles x = sub_doubles(sub_doubles(angle, head), tail);
    const doubles z = mul_doubles(x, x);
    const doubles s =
        add_doubles(x, mul_doubles(mul_doubles(x, z), add_up_terms(grz_sine_terms, z)));
    const doubles c = add_doubles(one, mul_doubles(z, add_up_terms(grz_cosine_terms, z)));
    const doubles square = mul_doubles(quarters, quarters);
    const doubles_mask odd = mask_and_d(at_most_doubles(square, one), at_most_doubles(one, square));
    *cosine = turn_signs(select_doubles(odd, s, c), quarters, -1.5, 0.5);
    *sine = turn_signs(select_doubles(odd, c, s), quarters, -0.5, 1.5);
}

// HOT. bench: engine/step/gas-mixed
//
// Data    4 bytes of an angle read, 8 written.
// Branch  None: what the quarter decides is selected.
static void rotate_angles(const float *angles, graze_rotation *rotations, uint32_t count)
{
    for (uint32_t k = 0; k < count; k += GRZ_WIDTH) {
        const floats angle = load_floats(angles + k);
        doubles cosine_low, sine_low, cosine_high, sine_high;
        rotate_half(widen_low(angle), &cosine_low, &sine_low);
        rotate_half(widen_high(angle), &cosine_high, &sine_high);
        graze_vec2 turned[GRZ_WIDTH];
        store_points(turned, narrow_doubles(cosine_low, cosine_high),
                     narrow_doubles(sine_low, sine_high));
        for (uint32_t i = 0; i < GRZ_WIDTH; ++i) {
            const graze_rotation rotation = {turned[i].x, turned[i].y};
            rotations[k + i] = rotation;
        }
    }
}

static inline floats measure_sizes(floats number)
{
    return max_floats(number, mul_floats(number, fill_floats(-1)));
}

// --- Boxes of rects, and of bodies that may be deflected or are the solver's ---

/// Half extents of turned rects.
typedef struct extent_lanes {
    floats x, y;
} extent_lanes;

// As rotated_extent in pair_sweep.c.
static inline extent_lanes rotated_extents(floats half_x, floats half_y,
                                           const graze_rotation *rotations)
{
    const floats margin = fill_floats(GRZ_ROTATION_MARGIN);
    floats cosine, sine;
    load_points(grz_as_points(rotations), &cosine, &sine);
    cosine = measure_sizes(cosine);
    sine = measure_sizes(sine);
    const floats x = add_floats(mul_floats(cosine, half_x), mul_floats(sine, half_y));
    const floats y = add_floats(mul_floats(sine, half_x), mul_floats(cosine, half_y));
    const floats least = fill_floats(grz_least_margin);
    const extent_lanes turned = {add_floats(mul_floats(x, margin), least),
                                 add_floats(mul_floats(y, margin), least)};
    return turned;
}

// As extent_in_turn in pair_sweep.c.
static inline extent_lanes extents_in_turns(extent_lanes half, extent_lanes at_ends, floats turn)
{
    const floats one = fill_floats(1);
    const floats square = mul_floats(turn, turn);
    const floats_mask is_far = less_floats(one, square);
    const floats factor = add_floats(one, mul_floats(square, fill_floats(0.25f)));
    const floats most = mul_floats(add_floats(half.x, half.y), fill_floats(GRZ_ROTATION_MARGIN));
    const extent_lanes reached = {select_floats(is_far, most, mul_floats(at_ends.x, factor)),
                                  select_floats(is_far, most, mul_floats(at_ends.y, factor))};
    return reached;
}

static inline floats_mask find_kinds(const uint32_t *traits, uint32_t wanted)
{
    float found[GRZ_WIDTH];
    for (uint32_t k = 0; k < GRZ_WIDTH; ++k) {
        found[k] = (float)(int32_t)(traits[k] & wanted);
    }
    return less_floats(fill_floats(0), load_floats(found));
}

static inline doubles lengths_of(doubles x, doubles y)
{
    return sqrt_doubles(add_doubles(mul_doubles(x, x), mul_doubles(y, y)));
}

/// What determines how far rows may go: their positions, ends and velocities.
typedef struct foreseen_lanes {
    floats x, y, end_x, end_y, speed_x, speed_y;
} foreseen_lanes;

// As grz_reach_of, with its margin, and the solver's for a size, for rows with these displacements
// and speeds.
static inline doubles measure_reaches(const grz_prediction *columns, doubles delta_x,
                                      doubles delta_y, doubles speed_x, doubles speed_y,
                                      doubles size)
{
    const double dt = (double)columns->dt;
    const doubles fall = fill_doubles(length_of(widen(columns->gravity_step)) * dt);
    const doubles distance = lengths_of(delta_x, delta_y);
    const doubles before = mul_doubles(lengths_of(speed_x, speed_y), fill_doubles(dt));
    const doubles reach = max_doubles(distance, min_doubles(before, add_doubles(distance, fall)));
    return add_doubles(mul_doubles(reach, fill_doubles(grz_reach_margin)),
                       mul_doubles(size, fill_doubles(grz_contact_margin)));
}

// `sizes` are those of rows that the solver moves, of others 0.
static inline floats reaches_of(const grz_prediction *columns, const foreseen_lanes *lanes,
                                floats sizes)
{
    const doubles low =
        measure_reaches(columns, sub_doubles(widen_low(lanes->end_x), widen_low(lanes->x)),
                        sub_doubles(widen_low(lanes->end_y), widen_low(lanes->y)),
                        widen_low(lanes->speed_x), widen_low(lanes->speed_y), widen_low(sizes));
    const doubles high =
        measure_reaches(columns, sub_doubles(widen_high(lanes->end_x), widen_high(lanes->x)),
                        sub_doubles(widen_high(lanes->end_y), widen_high(lanes->y)),
                        widen_high(lanes->speed_x), widen_high(lanes->speed_y), widen_high(sizes));
    return narrow_doubles(low, high);
}

// Round rows are turned, too, which changes nothing. A rect that does not spin has two equal
// rotations.
static inline extent_lanes extents_of(const grz_prediction *columns, grz_row row, bool has_rects)
{
    extent_lanes own;
    load_points(columns->half + row, &own.x, &own.y);
    if (has_rects) {
        const floats_mask rects = find_kinds(columns->traits + row, GRAZE_SHAPE_RECT);
        const extent_lanes from = rotated_extents(own.x, own.y, columns->rotation + row);
        const extent_lanes till = rotated_extents(own.x, own.y, columns->end_rotation + row);
        const extent_lanes all = {max_floats(from.x, till.x), max_floats(from.y, till.y)};
        const extent_lanes turning = extents_in_turns(own, all, load_floats(columns->turn + row));
        own.x = select_floats(rects, turning.x, own.x);
        own.y = select_floats(rects, turning.y, own.y);
    }
    return own;
}

// As box_of_rigid: a rect may turn until its corners are at their farthest.
static inline void turn_freely(const grz_prediction *columns, grz_row row, extent_lanes half,
                               floats_mask solved, extent_lanes *extents)
{
    const floats_mask rects = find_kinds(columns->traits + row, GRAZE_SHAPE_RECT);
    const floats_mask turning = mask_and(solved, rects);
    const floats radius =
        mul_floats(narrow_doubles(lengths_of(widen_low(half.x), widen_low(half.y)),
                                  lengths_of(widen_high(half.x), widen_high(half.y))),
                   fill_floats(GRZ_ROTATION_MARGIN));
    const floats spin = measure_sizes(load_floats(columns->spin + row));
    const floats turned = mul_floats(mul_floats(spin, fill_floats(columns->dt)), radius);
    extents->x =
        select_floats(turning, min_floats(add_floats(extents->x, turned), radius), extents->x);
    extents->y =
        select_floats(turning, min_floats(add_floats(extents->y, turned), radius), extents->y);
}

// Bodies that may be deflected, and those that the solver moves, get a box around all within their
// reach instead of the straight one.
static inline void spread_out(const grz_prediction *columns, grz_row row, bool has_rects,
                              foreseen_lanes *lanes, extent_lanes *extents)
{
    const uint32_t *traits = columns->traits + row;
    const floats zero = fill_floats(0);
    const floats_mask moved = find_kinds(traits, GRZ_TRAIT_TURNS | GRZ_TRAIT_RIGID);
    const floats solved =
        select_floats(find_kinds(traits, GRZ_TRAIT_TURNS), zero,
                      select_floats(find_kinds(traits, GRZ_TRAIT_RIGID), fill_floats(1), zero));
    extent_lanes half;
    load_points(columns->half + row, &half.x, &half.y);
    load_points(columns->velocity + row, &lanes->speed_x, &lanes->speed_y);
    if (has_rects) {
        turn_freely(columns, row, half, less_floats(zero, solved), extents);
    }
    const floats sizes = mul_floats(min_floats(half.x, half.y), solved);
    const floats reach = select_floats(moved, reaches_of(columns, lanes, sizes), zero);
    extents->x = add_floats(extents->x, reach);
    extents->y = add_floats(extents->y, reach);
    lanes->end_x = select_floats(moved, lanes->x, lanes->end_x);
    lanes->end_y = select_floats(moved, lanes->y, lanes->end_y);
}

static inline uint32_t fill_whole_lanes(const grz_prediction *columns, grz_row row, uint32_t end,
                                        bool has_rects, bool has_moved)
{
    for (; end - row >= GRZ_WIDTH; row += GRZ_WIDTH) {
        foreseen_lanes lanes;
        load_points(columns->position + row, &lanes.x, &lanes.y);
        load_points(columns->end + row, &lanes.end_x, &lanes.end_y);
        extent_lanes extents = extents_of(columns, row, has_rects);
        if (has_moved) {
            spread_out(columns, row, has_rects, &lanes, &extents);
        }
        store_boxes(columns->boxes + row, lower_sides(lanes.x, lanes.end_x, extents.x),
                    lower_sides(lanes.y, lanes.end_y, extents.y),
                    upper_sides(lanes.x, lanes.end_x, extents.x),
                    upper_sides(lanes.y, lanes.end_y, extents.y));
    }
    return row;
}

// HOT. bench: engine/step/gas-mixed, engine/step/gas-bounce
//
// Data    44 bytes of a row read, 12 more if some may be deflected; 16 written, all in order.
// Branch  None: a row's kind selects.
static uint32_t fill_boxes(const grz_prediction *columns, uint32_t first, uint32_t end,
                           uint32_t traits)
{
    const grz_prediction local = *columns;
    const bool moved = (traits & (GRZ_TRAIT_TURNS | GRZ_TRAIT_RIGID)) != 0;
    if (!(traits & GRAZE_SHAPE_RECT)) {
        return fill_whole_lanes(&local, first, end, false, true);
    }
    return moved ? fill_whole_lanes(&local, first, end, true, true)
                 : fill_whole_lanes(&local, first, end, true, false);
}

// --- Angles ---

// HOT. bench: engine/step/gas-mixed
//
// Data    8 bytes of a row read, 4 written, all in order.
// Branch  Whether any lane leaves [-pi, pi], which is rare: then all up to the last that does are
//         wrapped one by one, which leaves the others as they are.
static void spin_angles(const float *angles, const float *spins, float dt, uint32_t count,
                        float *turned)
{
    const floats half_turn = fill_floats(GRZ_PI);
    const uint32_t all = (1u << GRZ_WIDTH) - 1;
    uint32_t k = 0;
    for (; count - k >= GRZ_WIDTH; k += GRZ_WIDTH) {
        const floats turn = mul_floats(load_floats(spins + k), fill_floats(dt));
        const floats angle = add_floats(load_floats(angles + k), turn);
        const floats_mask plain =
            mask_and(at_most_floats(angle, half_turn), at_most_floats(fill_floats(-GRZ_PI), angle));
        store_floats(turned + k, add_floats(angle, fill_floats(0)));
        for (uint32_t rare = mask_bits(plain) ^ all, lane = 0; rare >> lane; ++lane) {
            turned[k + lane] = grz_wrap_angle(turned[k + lane]);
        }
    }
    for (; k < count; ++k) {
        turned[k] = grz_wrap_angle(angles[k] + spins[k] * dt);
    }
}

// --- Surroundings, in which trajectory.c looks for walls ---

static inline uint32_t surround_whole_lanes(const grz_prediction *columns, grz_row row,
                                            uint32_t end, bool has_rects, graze_vec2 *lower,
                                            graze_vec2 *upper)
{
    const floats margin = fill_floats((float)grz_clearance_margin);
    const floats rounding = fill_floats(grz_clearance_rounding);
    const uint32_t first = row;
    for (; end - row >= GRZ_WIDTH; row += GRZ_WIDTH) {
        foreseen_lanes lanes;
        load_points(columns->position + row, &lanes.x, &lanes.y);
        load_points(columns->end + row, &lanes.end_x, &lanes.end_y);
        load_points(columns->velocity + row, &lanes.speed_x, &lanes.speed_y);
        extent_lanes size;
        load_points(columns->half + row, &size.x, &size.y);
        const floats own = mul_floats(min_floats(size.x, size.y), margin);
        const floats beyond = add_floats(reaches_of(columns, &lanes, fill_floats(0)), own);
        const extent_lanes extents = extents_of(columns, row, has_rects);
        const floats blur_x = mul_floats(measure_sizes(lanes.x), rounding);
        const floats blur_y = mul_floats(measure_sizes(lanes.y), rounding);
        const floats extent_x = add_floats(add_floats(extents.x, beyond), blur_x);
        const floats extent_y = add_floats(add_floats(extents.y, beyond), blur_y);
        store_points(lower + (row - first), lower_sides(lanes.x, lanes.x, extent_x),
                     lower_sides(lanes.y, lanes.y, extent_y));
        store_points(upper + (row - first), upper_sides(lanes.x, lanes.x, extent_x),
                     upper_sides(lanes.y, lanes.y, extent_y));
    }
    return row;
}

// HOT. bench: engine/step/gas-bounce
//
// Data    36 bytes of a row read, 16 more of rects; 16 written, all in order.
// Branch  None.
static uint32_t surround(const grz_prediction *columns, uint32_t first, uint32_t end,
                         bool has_rects, graze_vec2 *lower, graze_vec2 *upper)
{
    const grz_prediction local = *columns;
    return has_rects ? surround_whole_lanes(&local, first, end, true, lower, upper)
                     : surround_whole_lanes(&local, first, end, false, lower, upper);
}

const grz_predict_table GRZ_WIDE(grz_predict_wide) = {predict_straight, rotate_angles, fill_boxes,
                                                      surround, spin_angles};
