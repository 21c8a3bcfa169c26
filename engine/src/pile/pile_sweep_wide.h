/// @file pile_sweep_wide.h
/// The sweeps over the constraints of piles, several at a time: see lanes.h and pile_push.c.

#include "likely.h"
#include "pile/pile_sweep.h"

/// Velocities, as two vectors of lanes.
typedef struct speeds {
    doubles x, y;
} speeds;

static inline doubles speed_along(speeds of, speeds direction)
{
    return add_doubles(mul_doubles(of.x, direction.x), mul_doubles(of.y, direction.y));
}

static inline speeds speed_up(speeds of, speeds direction, doubles by)
{
    const speeds faster = {add_doubles(of.x, mul_doubles(direction.x, by)),
                           add_doubles(of.y, mul_doubles(direction.y, by))};
    return faster;
}

static inline speeds slow_down(speeds of, speeds direction, doubles by)
{
    const speeds slower = {sub_doubles(of.x, mul_doubles(direction.x, by)),
                           sub_doubles(of.y, mul_doubles(direction.y, by))};
    return slower;
}

/// Returns the speed along the surface: along the normal turned by +90 degrees.
static inline doubles speed_across(speeds of, speeds normal)
{
    return sub_doubles(mul_doubles(of.y, normal.x), mul_doubles(of.x, normal.y));
}

static inline speeds speed_up_across(speeds of, speeds normal, doubles by)
{
    const speeds faster = {sub_doubles(of.x, mul_doubles(normal.y, by)),
                           add_doubles(of.y, mul_doubles(normal.x, by))};
    return faster;
}

static inline speeds slow_down_across(speeds of, speeds normal, doubles by)
{
    const speeds slower = {add_doubles(of.x, mul_doubles(normal.y, by)),
                           sub_doubles(of.y, mul_doubles(normal.x, by))};
    return slower;
}

/// Some constraints of a block, and the velocities of their bodies.
typedef struct sweeping {
    grz_push_block *block;
    uint32_t first;
    speeds normal;
    doubles share, rest;    ///< Upper's and lower's.
    doubles_mask gives_way; ///< The lower one does.
    speeds upper, lower;
    doubles impulse;
} sweeping;

GRZ_IN_PLACE sweeping begin_some(grz_push_block *block, uint32_t first,
                                 const graze_vec2d *velocities)
{
    const doubles share = load_doubles(block->share + first);
    const doubles gives_way = load_doubles(block->gives_way + first);
    sweeping sweep = {
        .block = block,
        .first = first,
        .normal = {load_doubles(block->normal_x + first), load_doubles(block->normal_y + first)},
        .share = share,
        .rest = sub_doubles(fill_doubles(1), share),
        .gives_way = less_doubles(fill_doubles(0), gives_way),
    };
    gather_pairs(&velocities->x, block->upper + first, &sweep.upper.x, &sweep.upper.y);
    gather_pairs(&velocities->x, block->lower + first, &sweep.lower.x, &sweep.lower.y);
    return sweep;
}

// Returns by how much their impulses along the normal have changed.
static inline doubles change_impulses(sweeping *sweep, doubles approach)
{
    double *kept = sweep->block->impulse + sweep->first;
    const doubles max_approach = load_doubles(sweep->block->max_approach + sweep->first);
    const doubles before = load_doubles(kept);
    const doubles wanted = sub_doubles(add_doubles(before, approach), max_approach);
    sweep->impulse = max_doubles(wanted, fill_doubles(0));
    store_doubles(kept, sweep->impulse);
    return sub_doubles(sweep->impulse, before);
}

static inline void separate_any(sweeping *sweep)
{
    const doubles other = select_doubles(sweep->gives_way, speed_along(sweep->lower, sweep->normal),
                                         load_doubles(sweep->block->normal_speed + sweep->first));
    const doubles approach = sub_doubles(speed_along(sweep->upper, sweep->normal), other);
    const doubles change = change_impulses(sweep, approach);
    sweep->upper = slow_down(sweep->upper, sweep->normal, mul_doubles(change, sweep->share));
    sweep->lower = speed_up(sweep->lower, sweep->normal, mul_doubles(change, sweep->rest));
}

// For two that share equally.
static inline void separate_even(sweeping *sweep)
{
    const doubles approach = sub_doubles(speed_along(sweep->upper, sweep->normal),
                                         speed_along(sweep->lower, sweep->normal));
    const doubles half = mul_doubles(change_impulses(sweep, approach), fill_doubles(0.5));
    sweep->upper = slow_down(sweep->upper, sweep->normal, half);
    sweep->lower = speed_up(sweep->lower, sweep->normal, half);
}

// Returns how much friction takes of a speed along the surface in all: what it has taken before,
// and the rest of the speed, but no more than `most` either way. Without friction that is 0.
static inline doubles clamp_friction(doubles before, doubles speed, doubles most)
{
    const doubles wanted = max_doubles(add_doubles(before, speed), negate_doubles(most));
    return min_doubles(wanted, most);
}

static inline doubles max_friction(const sweeping *sweep)
{
    return mul_doubles(load_doubles(sweep->block->friction + sweep->first), sweep->impulse);
}

static inline void apply_any_friction(sweeping *sweep)
{
    grz_push_block *block = sweep->block;
    const uint32_t k = sweep->first;
    const doubles most = max_friction(sweep);
    const doubles other =
        select_doubles(sweep->gives_way, speed_across(sweep->lower, sweep->normal),
                       load_doubles(block->tangent_speed + k));
    const doubles slip = sub_doubles(speed_across(sweep->upper, sweep->normal), other);
    const doubles upper_before = load_doubles(block->upper_tangent_impulse + k);
    const doubles lower_before = load_doubles(block->lower_tangent_impulse + k);
    const doubles upper_now = clamp_friction(upper_before, mul_doubles(slip, sweep->share),
                                             mul_doubles(most, sweep->share));
    const doubles lower_now =
        clamp_friction(lower_before, mul_doubles(negate_doubles(slip), sweep->rest),
                       mul_doubles(most, sweep->rest));
    store_doubles(block->upper_tangent_impulse + k, upper_now);
    store_doubles(block->lower_tangent_impulse + k, lower_now);
    sweep->upper =
        speed_up_across(sweep->upper, sweep->normal, sub_doubles(upper_before, upper_now));
    sweep->lower =
        speed_up_across(sweep->lower, sweep->normal, sub_doubles(lower_before, lower_now));
}

// For two that share equally: what one loses the other gains.
static inline void apply_even_friction(sweeping *sweep)
{
    double *kept = sweep->block->upper_tangent_impulse + sweep->first;
    const doubles half = fill_doubles(0.5);
    const doubles slip = sub_doubles(speed_across(sweep->upper, sweep->normal),
                                     speed_across(sweep->lower, sweep->normal));
    const doubles before = load_doubles(kept);
    const doubles now =
        clamp_friction(before, mul_doubles(slip, half), mul_doubles(max_friction(sweep), half));
    const doubles change = sub_doubles(before, now);
    store_doubles(kept, now);
    sweep->upper = speed_up_across(sweep->upper, sweep->normal, change);
    sweep->lower = slow_down_across(sweep->lower, sweep->normal, change);
}

static inline void end_some(const sweeping *sweep, graze_vec2d *velocities)
{
    const grz_push_block *block = sweep->block;
    scatter_pairs(&velocities->x, block->upper + sweep->first, sweep->upper.x, sweep->upper.y);
    scatter_pairs(&velocities->x, block->lower + sweep->first, sweep->lower.x, sweep->lower.y);
}

// --- Blocks: for a constant `is_even`, whether all of their constraints share equally ---

GRZ_IN_PLACE void separate(sweeping *sweep, bool is_even)
{
    is_even ? separate_even(sweep) : separate_any(sweep);
}

GRZ_IN_PLACE void apply_friction(sweeping *sweep, bool is_even)
{
    is_even ? apply_even_friction(sweep) : apply_any_friction(sweep);
}

GRZ_IN_PLACE void push_one(grz_push_block *block, bool is_even, graze_vec2d *velocities)
{
    for (uint32_t first = 0; first < block->count; first += GRZ_WIDTH_D) {
        sweeping sweep = begin_some(block, first, velocities);
        separate(&sweep, is_even);
        if (block->has_friction) {
            apply_friction(&sweep, is_even);
        }
        end_some(&sweep, velocities);
    }
}

// Two blocks that share no body: one is computed while the other waits for its own results.
GRZ_IN_PLACE void push_two(grz_push_block *blocks, bool is_even, graze_vec2d *velocities)
{
    for (uint32_t first = 0; first < GRZ_PUSHES; first += GRZ_WIDTH_D) {
        sweeping sweep = begin_some(&blocks[0], first, velocities);
        sweeping others = begin_some(&blocks[1], first, velocities);
        separate(&sweep, is_even);
        separate(&others, is_even);
        if (blocks[0].has_friction | blocks[1].has_friction) {
            apply_friction(&sweep, is_even);
            apply_friction(&others, is_even);
        }
        end_some(&sweep, velocities);
        end_some(&others, velocities);
    }
}

static void push_block(grz_push_block *block, graze_vec2d *velocities)
{
    block->is_uneven ? push_one(block, false, velocities) : push_one(block, true, velocities);
}

static void push_blocks(grz_push_block *blocks, graze_vec2d *velocities)
{
    const bool is_uneven = blocks[0].is_uneven | blocks[1].is_uneven;
    is_uneven ? push_two(blocks, false, velocities) : push_two(blocks, true, velocities);
}

// Down and up again: so one sweep passes the weight of all to the lowest, and support to the
// highest.
//
// HOT. bench: engine/step/heap
//
// Data    A constraint: 40 bytes read and 8 written, two velocities read and written; each way.
//         With friction 16 more read and 8 written; 24 and 16 more where the two are uneven.
// Branch  For each block, or two: on friction, and on whether all share equally, as most do.
// Order   A block is a long chain of sums and products, each of which waits for the last. A
//         processor does not look far enough ahead to begin the next block, which need not wait:
//         so two blocks are swept side by side.
// Lanes   Constraints of one block share no body, except what gives no way. Each array of a block
//         is aligned to cache lines, so that no vector lies across two.
static void sweep_down_and_up(grz_push_block *blocks, uint32_t count, graze_vec2d *velocities)
{
    for (uint32_t k = count; k > 0;) {
        const bool two = k > 1 && blocks[k - 2].is_with_next;
        k -= two ? 2 : 1;
        two ? push_blocks(&blocks[k], velocities) : push_block(&blocks[k], velocities);
    }
    for (uint32_t k = 0; k < count;) {
        const bool two = blocks[k].is_with_next;
        two ? push_blocks(&blocks[k], velocities) : push_block(&blocks[k], velocities);
        k += two ? 2 : 1;
    }
}

const grz_sweep_loops GRZ_WIDE(grz_sweep_loops) = {sweep_down_and_up};
