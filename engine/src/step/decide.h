/// @file decide.h
/// Decides which pairs of bodies touch, some hundred at a time, as Pairs finds them.
#ifndef GRZ_DECIDE_H
#define GRZ_DECIDE_H

#include "world/contact_keys.h"
#include "world/world_state.h"

enum { GRZ_DECIDED_AT_ONCE = 256, GRZ_DECIDED_PADDING = GRZ_LANES_MAX };

/// Some pairs, the body with the smaller index being a.
typedef struct grz_ordered_pairs {
    _Alignas(GRZ_ALIGNMENT) uint32_t a[GRZ_DECIDED_AT_ONCE + GRZ_DECIDED_PADDING]; ///< Rows.
    uint32_t b[GRZ_DECIDED_AT_ONCE + GRZ_DECIDED_PADDING];
    /// Of plain rays alone: the ray's row in the upper half, the other's in the lower.
    uint64_t rays[GRZ_DECIDED_AT_ONCE + GRZ_DECIDED_PADDING];
    /// a's, and GRZ_TRAIT_SPINS also if b has it.
    uint32_t traits[GRZ_DECIDED_AT_ONCE + GRZ_DECIDED_PADDING];
    uint32_t count;
} grz_ordered_pairs;

/// Returns all bits if b's index is the smaller, else none: it cannot be predicted, so masks put
/// the two in order, not branches.
static inline uint32_t grz_turned_bits(const grz_rows *rows, uint32_t a, uint32_t b)
{
    return 0 - (uint32_t)(rows->index[b] < rows->index[a]);
}

/// Notes which of a pair is the ray, a. Then puts the body with the smaller index first. (One
/// function with the loop is what gcc 12.2 takes for one without effects, if it inlines nothing: it
/// drops the call.)
static inline void grz_order_ray(const grz_rows *rows, grz_ordered_pairs *pairs, uint32_t place)
{
    const uint32_t ray = pairs->a[place], other = pairs->b[place];
    const uint32_t apart = (ray ^ other) & grz_turned_bits(rows, ray, other);
    pairs->rays[place] = (uint64_t)ray << 32 | other;
    pairs->a[place] = ray ^ apart;
    pairs->b[place] = other ^ apart;
}

static inline void grz_order_rays(const grz_rows *rows, grz_ordered_pairs *pairs)
{
    for (uint32_t i = 0; i < pairs->count; ++i) {
        grz_order_ray(rows, pairs, i);
    }
}

/// Adds a pair with its traits.
static inline void grz_order_pair(const grz_rows *rows, graze_pair pair, grz_ordered_pairs *ordered)
{
    const uint32_t place = ordered->count++;
    const uint32_t traits_a = rows->traits[pair.a], traits_b = rows->traits[pair.b];
    const uint32_t turned = grz_turned_bits(rows, pair.a, pair.b);
    const uint32_t rows_apart = (pair.a ^ pair.b) & turned;
    const uint32_t traits = traits_a ^ ((traits_a ^ traits_b) & turned);
    ordered->a[place] = pair.a ^ rows_apart;
    ordered->b[place] = pair.b ^ rows_apart;
    ordered->traits[place] = traits | ((traits_a | traits_b) & GRZ_TRAIT_SPINS);
}

/// The list of contacts: room for the pairs that are decided, and GRZ_DECIDED_PADDING more.
typedef struct grz_contact_sink {
    grz_contact *contacts;
    uint32_t count;
    double steps_per_second;
} grz_contact_sink;

/// The list of pairs that the Respond phase decides: room for all.
typedef struct grz_candidate_sink {
    grz_candidate *candidates;
    uint32_t count;
} grz_candidate_sink;

/// The list of touches of plain rays: room for the pairs that are decided, and GRZ_DECIDED_PADDING
/// more.
typedef struct grz_touch_sink {
    grz_ray_touch *touches;
    uint32_t count;
    double steps_per_second;
} grz_touch_sink;

/// The results of pairs.
typedef struct grz_pair_sinks {
    grz_contact_sink contacts;
    grz_candidate_sink candidates;
    grz_touch_sink touches;
} grz_pair_sinks;

/// Kinds of pairs: one kernel each, except the last.
enum {
    GRZ_ROUND_PAIRS,   ///< Of circles and rays.
    GRZ_MIXED_PAIRS,   ///< Of one of these and a rect.
    GRZ_ANGULAR_PAIRS, ///< Of rects.
    GRZ_OPEN_PAIRS     ///< With a dynamic body: the Respond phase decides them.
};

/// Fills `ordered` with pairs, the body with the smaller index first. Without traits these need not
/// be filled.
typedef void grz_order_fn(const grz_rows *rows, const graze_pair *pairs, uint32_t count,
                          bool with_traits, grz_ordered_pairs *ordered);

/// Decides pairs of one kind, with the bits of grz_touch_straight; overwrites their list. Contacts
/// do not say whether they are with sensors. Pairs that need another formula (two points, and
/// touches that rounding makes near misses) are added to `left_over`, without their traits.
typedef void grz_decide_fn(const grz_rows *rows, grz_ordered_pairs *pairs, grz_contact_sink *sink,
                           grz_ordered_pairs *left_over);

/// Decides pairs of plain rays, likewise. They come with the ray as a: the order of indices matters
/// only for those that touch.
typedef void grz_decide_rays_fn(const grz_rows *rows, grz_ordered_pairs *pairs,
                                grz_touch_sink *sink, grz_ordered_pairs *left_over);

/// Decides one pair by grz_touch_turning: for the lanes, of which few have such a pair.
void grz_decide_turning(const grz_rows *rows, const grz_ordered_pairs *pairs, uint32_t place,
                        grz_contact_sink *sink);

/// The loops that exist for each set of lanes, by kind.
typedef struct grz_decide_loops {
    grz_order_fn *order;
    grz_decide_fn *of_kind[GRZ_OPEN_PAIRS];
    grz_decide_rays_fn *of_rays;
} grz_decide_loops;

GRZ_DECLARE_WIDE(grz_decide_loops, grz_decide_loops);

/// Prefetches the rows of the first pairs, before these are decided.
void grz_decide_begin(const graze_world *world, const graze_pair *pairs, uint32_t count);

/// Decides the first `count` pairs of rows, at most GRZ_DECIDED_AT_ONCE, of the `left` ones from
/// here on. Runs on any thread.
void grz_decide_pairs(const graze_world *world, const graze_pair *pairs, uint32_t count,
                      uint32_t left, grz_pair_sinks *sinks);

#endif
