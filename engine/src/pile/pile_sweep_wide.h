/// @file pile_sweep_wide.h
/// How the bodies of piles push each other, several constraints at a time: see lanes.h and
/// pile_push.c.

#include "pile/pile_sweep.h"

/// Velocities, parted.
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

/// The constraints of a block that come together.
typedef struct sweeping {
    grz_push_block *block;
    uint32_t first;
    speeds normal;
    doubles share, rest;    ///< Upper's and lower's.
    doubles_mask gives_way; ///< The lower one does.
} sweeping;

// Returns what part of the speed along the surface, and of what has been taken of it before, is
// taken in all. Where there is no friction it is none.
static inline doubles limit_rub(doubles before, doubles speed, doubles most)
{
    const doubles wanted = greater_doubles(add_doubles(before, speed), negate_doubles(most));
    return lesser_doubles(wanted, most);
}

static inline void apply_friction(const sweeping *of, doubles impulse, speeds *upper, speeds *lower)
{
    grz_push_block *block = of->block;
    const uint32_t k = of->first;
    const doubles most = mul_doubles(load_doubles(block->friction + k), impulse);
    const doubles other = select_doubles(of->gives_way, speed_across(*lower, of->normal),
                                         load_doubles(block->slip + k));
    const doubles slip = sub_doubles(speed_across(*upper, of->normal), other);
    const doubles upper_before = load_doubles(block->upper_tangent_impulse + k);
    const doubles lower_before = load_doubles(block->lower_tangent_impulse + k);
    const doubles upper_now =
        limit_rub(upper_before, mul_doubles(slip, of->share), mul_doubles(most, of->share));
    const doubles lower_now = limit_rub(lower_before, mul_doubles(negate_doubles(slip), of->rest),
                                        mul_doubles(most, of->rest));
    store_doubles(block->upper_tangent_impulse + k, upper_now);
    store_doubles(block->lower_tangent_impulse + k, lower_now);
    *upper = speed_up_across(*upper, of->normal, sub_doubles(upper_before, upper_now));
    *lower = speed_up_across(*lower, of->normal, sub_doubles(lower_before, lower_now));
}

// Returns how much faster than before they part along the normal.
static inline doubles change_impulses(const sweeping *of, doubles approach)
{
    double *kept = of->block->impulse + of->first;
    const doubles room = load_doubles(of->block->room + of->first);
    const doubles before = load_doubles(kept);
    const doubles wanted = sub_doubles(add_doubles(before, approach), room);
    const doubles impulse = greater_doubles(wanted, fill_doubles(0));
    store_doubles(kept, impulse);
    return sub_doubles(impulse, before);
}

static inline sweeping begin_some(grz_push_block *block, uint32_t first)
{
    const doubles share = load_doubles(block->share + first);
    const doubles gives_way = load_doubles(block->gives_way + first);
    const sweeping some = {
        .block = block,
        .first = first,
        .normal = {load_doubles(block->normal_x + first), load_doubles(block->normal_y + first)},
        .share = share,
        .rest = sub_doubles(fill_doubles(1), share),
        .gives_way = less_doubles(fill_doubles(0), gives_way),
    };
    return some;
}

static inline void push_some(grz_push_block *block, uint32_t first, graze_vec2d *velocities)
{
    const sweeping some = begin_some(block, first);
    speeds upper, lower;
    gather_pairs(velocities, block->upper + first, &upper.x, &upper.y);
    gather_pairs(velocities, block->lower + first, &lower.x, &lower.y);
    const doubles other = select_doubles(some.gives_way, speed_along(lower, some.normal),
                                         load_doubles(block->speed + first));
    const doubles approach = sub_doubles(speed_along(upper, some.normal), other);
    const doubles change = change_impulses(&some, approach);
    upper = slow_down(upper, some.normal, mul_doubles(change, some.share));
    lower = speed_up(lower, some.normal, mul_doubles(change, some.rest));
    if (block->has_friction) {
        apply_friction(&some, load_doubles(block->impulse + first), &upper, &lower);
    }
    scatter_pairs(velocities, block->upper + first, upper.x, upper.y);
    scatter_pairs(velocities, block->lower + first, lower.x, lower.y);
}

static inline void push_block(grz_push_block *block, graze_vec2d *velocities)
{
    for (uint32_t first = 0; first < block->count; first += GRZ_WIDTH_D) {
        push_some(block, first, velocities);
    }
}

// Down and up again: so one sweep brings the weight of all to the lowest, and support to the
// highest.
//
// HOT. bench: engine/step/heap
//
// Data    A constraint: 64 bytes read and 8 written, two velocities read and written; each way.
//         With friction 32 more read and 16 written.
// Branch  On friction, by block.
// Order   Most levels fill one block: each waits for what the one before it has computed, and it is
//         the length of that chain that counts.
// Lanes   Constraints of one block share no body, but for what gives no way.
static void sweep_down_and_up(grz_push_block *blocks, uint32_t count, graze_vec2d *velocities)
{
    for (uint32_t k = count; k-- > 0;) {
        push_block(&blocks[k], velocities);
    }
    for (uint32_t k = 0; k < count; ++k) {
        push_block(&blocks[k], velocities);
    }
}

const grz_sweep_loops GRZ_WIDE(grz_sweep_loops) = {sweep_down_and_up};
