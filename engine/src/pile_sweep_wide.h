/// @file pile_sweep_wide.h
/// How the bodies of piles push each other, several constraints at a time: see lanes.h and
/// pile_push.c.

#include "pile_sweep.h"

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

static inline speeds choose_speeds(doubles_mask mask, speeds a, speeds b)
{
    const speeds chosen = {select_doubles(mask, a.x, b.x), select_doubles(mask, a.y, b.y)};
    return chosen;
}

/// The constraints of a block that come together.
typedef struct sweeping {
    grz_push_block *block;
    uint32_t first;
    speeds normal;
    doubles share, rest;    ///< Upper's and lower's.
    doubles_mask gives_way; ///< The lower one does.
} sweeping;

// Takes from the speed along the surface, and from `tangent_impulse` what has been taken before.
static inline speeds take_slips(speeds velocity, speeds surface, doubles speed, doubles most,
                                doubles_mask has_friction, double *tangent_impulse)
{
    const doubles before = load_doubles(tangent_impulse);
    const doubles wanted = greater_doubles(add_doubles(before, speed), negate_doubles(most));
    const doubles now = lesser_doubles(wanted, most);
    const doubles change = sub_doubles(before, now);
    store_doubles(tangent_impulse, select_doubles(has_friction, now, before));
    return choose_speeds(has_friction, speed_up(velocity, surface, change), velocity);
}

static inline void apply_friction(const sweeping *of, doubles impulse, speeds *upper, speeds *lower)
{
    grz_push_block *block = of->block;
    const uint32_t k = of->first;
    const speeds surface = {negate_doubles(of->normal.y), of->normal.x};
    const doubles friction = load_doubles(block->friction + k);
    const doubles_mask has_friction = less_doubles(fill_doubles(0), friction);
    const doubles most = mul_doubles(friction, impulse);
    const doubles slip = sub_doubles(
        speed_along(*upper, surface),
        select_doubles(of->gives_way, speed_along(*lower, surface), load_doubles(block->slip + k)));
    *upper = take_slips(*upper, surface, mul_doubles(slip, of->share), mul_doubles(most, of->share),
                        has_friction, block->upper_tangent_impulse + k);
    *lower =
        take_slips(*lower, surface, mul_doubles(negate_doubles(slip), of->rest),
                   mul_doubles(most, of->rest), has_friction, block->lower_tangent_impulse + k);
}

// Returns how much faster than before they part along the normal.
static inline doubles change_impulses(const sweeping *of, doubles approach)
{
    double *kept = of->block->impulse + of->first;
    const doubles room = load_doubles(of->block->room + of->first);
    const doubles before = load_doubles(kept);
    const doubles wanted = sub_doubles(add_doubles(before, approach), room);
    const doubles impulse =
        mul_doubles(add_doubles(wanted, absolute_doubles(wanted)), fill_doubles(0.5));
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
    upper = speed_up(upper, some.normal, mul_doubles(negate_doubles(change), some.share));
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
// Data    A constraint: 72 bytes read and 8 written, 64 of velocities read and written; each way.
//         With friction 32 more read and 16 written.
// Branch  On friction, by block.
// Lanes   Nears of one block share no body, but for what gives no way.
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
