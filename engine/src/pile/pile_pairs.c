#include "pile/pile_pairs.h"

#include "meet/meet.h"
#include "meet/tolerance.h"
#include "motion/exchange.h"
#include "motion/motion.h"
#include "pile/pile_near.h"
#include "pile/pile_sets.h"

static const double inside = 0x1p-3; ///< Of the size: two that overlap deeper are inside.

static double lesser_size(const graze_world *world, uint32_t row_a, uint32_t row_b)
{
    return min_double(grz_size_of(world, row_a), grz_size_of(world, row_b));
}

// Whether two round bodies are too far apart to count as close.
static inline bool are_far(const graze_world *world, uint32_t a, uint32_t b)
{
    const graze_vec2d delta = offset(world->rows.position[b], world->rows.position[a]);
    const double radius_a = (double)world->rows.half[a].x;
    const double radius_b = (double)world->rows.half[b].x;
    const double most =
        radius_a + radius_b + grz_push_share(world) * min_double(radius_a, radius_b);
    return dot(delta, delta) > most * most;
}

// Of two circles that are not far. If they have the same centre, the normal is that of
// graze_sweep_circles.
static void find_gap_of_circles(const graze_world *world, uint32_t a, uint32_t b,
                                grz_constraint *constraint)
{
    const graze_vec2d delta = offset(world->rows.position[b], world->rows.position[a]);
    const double reach = (double)world->rows.half[a].x + (double)world->rows.half[b].x;
    const double distance = grz_sqrt(dot(delta, delta));
    constraint->normal = distance > 0 ? scale(delta, 1 / distance) : vec2d(1, 0);
    constraint->gap = distance - reach;
}

// Whether two rects are beside each other: as seen along the normal, more of one is behind the
// other than a corner that has sunk in. Else neither holds the other.
static bool are_beside(const graze_world *world, uint32_t a, uint32_t b, graze_vec2d normal)
{
    if (!(world->rows.traits[a] & world->rows.traits[b] & GRAZE_SHAPE_RECT)) {
        return true;
    }
    const graze_vec2d axis = left_of(normal);
    const graze_vec2 at = world->rows.position[a];
    const double apart = absolute(dot(offset(world->rows.position[b], at), axis));
    const double overlap = grz_rect_reach(world, a, axis) + grz_rect_reach(world, b, axis) - apart;
    return overlap > grz_corner_room_at(at, lesser_size(world, a, b), axis);
}

// One of the two is a rect: they are close if they overlap once a has grown by the margin.
static bool find_gap_of_figures(const graze_world *world, uint32_t a, uint32_t b,
                                grz_constraint *constraint)
{
    const float margin = (float)(grz_near_share * lesser_size(world, a, b));
    const graze_vec2d still = {0, 0};
    const graze_vec2d start = offset(world->rows.position[a], world->rows.position[b]);
    const graze_vec2 half = world->rows.half[a];
    const graze_vec2 grown = {half.x + margin, half.y + margin};
    const graze_sweep sweep = grz_sweep_bodies(&world->rows, a, grown, b, start, still);
    if (!sweep.hit) {
        return false;
    }
    constraint->normal = sweep.normal;
    constraint->gap = grz_growth_along(world, a, (double)margin, sweep.normal) - sweep.depth;
    return constraint->gap <= (double)margin &&
           (grz_piles_are_crowds(world) || are_beside(world, a, b, sweep.normal));
}

static bool find_gap(const graze_world *world, uint32_t a, uint32_t b, grz_constraint *constraint)
{
    const uint32_t traits = world->rows.traits[a] | world->rows.traits[b];
    if (traits & GRAZE_SHAPE_RECT) {
        return find_gap_of_figures(world, a, b, constraint);
    }
    find_gap_of_circles(world, a, b, constraint);
    return true;
}

// If one of the two has mass 0, only the other one gives way.
static double find_friction(const graze_world *world, const grz_motion *a, const grz_motion *b,
                            double share)
{
    const bool both = share > 0 && share < 1;
    return share > 0 ? grz_friction_of(world, a, both ? b : NULL) : grz_friction_of(world, b, NULL);
}

/// The rows of a meeting: one that is pushed, and the other.
typedef struct body_pair {
    uint32_t pushed, other;
    bool gives_way; ///< The other is pushed, too.
    bool is_void;   ///< None is, or the other is not solid to it.
} body_pair;

// The answer must not depend on the order of rows: if both are pushed, row_a is the first. Inline,
// because passing the result by memory took longer than all the rest (bench: engine/step/heap).
static inline body_pair find_body_pair(const graze_world *world, uint32_t place)
{
    const grz_meeting *meeting = &world->meetings.data[place];
    const bool first = grz_is_pushed(world, meeting->row_a);
    const bool second = grz_is_pushed(world, meeting->row_b);
    const uint32_t pushed = first ? meeting->row_a : meeting->row_b;
    const uint32_t other = first ? meeting->row_b : meeting->row_a;
    const bool is_void = !(first || second) || !grz_is_solid(world->rows.traits[other]) ||
                         grz_bodies_pass(world, pushed, other);
    const body_pair pair = {pushed, other, first && second, is_void};
    return pair;
}

static double find_approach(const graze_world *world, const body_pair *pair, graze_vec2d normal)
{
    return dot(subtract(grz_velocity_of(world, pair->pushed), grz_velocity_of(world, pair->other)),
               normal);
}

// Finds whether the two press on each other, which matters in crowds alone.
static void measure_press(const graze_world *world, const body_pair *pair,
                          grz_constraint *constraint)
{
    const double into = find_approach(world, pair, constraint->normal);
    const double size = lesser_size(world, pair->pushed, pair->other);
    const double dt = (double)world->dt;
    constraint->joins = constraint->gap <= grz_near_share * size || into * dt > constraint->gap;
    constraint->squeezes = grz_crowd_squeezes(constraint->gap, into, size, dt);
}

// Fills in what of a constraint needs no motion. Returns false if the two are not close.
static bool measure_pair(const graze_world *world, const body_pair *pair,
                         grz_constraint *constraint)
{
    if (!find_gap(world, pair->pushed, pair->other, constraint)) {
        return false;
    }
    constraint->kind = pair->gives_way ? GRZ_CONSTRAINT_BODY : GRZ_CONSTRAINT_FIXED;
    constraint->joins = true;
    constraint->squeezes = false;
    if (grz_piles_are_crowds(world)) {
        measure_press(world, pair, constraint);
    }
    return true;
}

static bool are_thrown_back(const graze_world *world, const body_pair *pair, graze_vec2d normal)
{
    const bool bounces = grz_bounces_at(world, pair->pushed) ||
                         (pair->gives_way && grz_bounces_at(world, pair->other));
    return bounces && grz_restitution_of(world, pair->pushed, pair->other, bounces,
                                         find_approach(world, pair, normal)) > 0;
}

static bool give_motions(graze_world *world, const body_pair *pair)
{
    return grz_motion_give(world, pair->pushed) &&
           (!pair->gives_way || grz_motion_give(world, pair->other));
}

// Counts for both that they are inside each other, if they are: see grz_motion_is_buried. Returns
// false if memory runs out.
static bool note_inside(graze_world *world, const body_pair *pair, double gap)
{
    if (!pair->gives_way || gap > -inside * lesser_size(world, pair->pushed, pair->other)) {
        return true;
    }
    if (!give_motions(world, pair)) {
        return false;
    }
    ++grz_motion_of(world, pair->pushed)->inside_count;
    ++grz_motion_of(world, pair->other)->inside_count;
    return true;
}

// Completes a measured constraint and adds it, unless the two bounce off each other.
static bool add_measured(graze_world *world, const body_pair *pair, grz_constraint *constraint)
{
    if (!note_inside(world, pair, constraint->gap)) {
        return false;
    }
    if (are_thrown_back(world, pair, constraint->normal)) {
        return true;
    }
    if (!give_motions(world, pair)) {
        return false;
    }
    const grz_motion *a = grz_motion_of(world, pair->pushed);
    const grz_motion *b = pair->gives_way ? grz_motion_of(world, pair->other) : NULL;
    constraint->upper = world->motion_of_row.data[pair->pushed];
    constraint->lower = pair->gives_way ? world->motion_of_row.data[pair->other] : GRZ_NONE;
    constraint->id = world->rows.index[pair->other];
    const graze_vec2d still = {0, 0};
    const graze_vec2d velocity = pair->gives_way ? still : grz_velocity_of(world, pair->other);
    constraint->normal_speed = dot(velocity, constraint->normal);
    constraint->tangent_speed = dot(velocity, left_of(constraint->normal));
    world->piles.shoves |= constraint->normal_speed < 0;
    constraint->is_recalled = false;
    constraint->impulse = constraint->tangent_impulse = 0;
    constraint->slack = grz_overlap_allowed(world, pair->pushed, constraint->normal) / 2;
    constraint->parting = 2 * constraint->slack;
    constraint->share = grz_share_out(world, a, b).a;
    constraint->friction = find_friction(world, a, b, constraint->share);
    ++world->piles.constraints.count;
    return true;
}

static bool note_loose(graze_world *world, uint32_t meeting)
{
    grz_piles *piles = &world->piles;
    if (!grz_array_reserve_more(&piles->loose, &world->counting, 1)) {
        return false;
    }
    piles->loose.data[piles->loose.count++] = meeting;
    return true;
}

// Two that are close, but not joined, are noted: they push each other only if both are of crowds.
static bool add_meeting(graze_world *world, uint32_t place)
{
    const body_pair pair = find_body_pair(world, place);
    if (pair.is_void) {
        return true;
    }
    grz_constraint *constraint = grz_next_constraint(world);
    if (!constraint) {
        return false;
    }
    constraint->meeting = place;
    if (!measure_pair(world, &pair, constraint)) {
        return true;
    }
    const bool is_loose = pair.gives_way && !constraint->joins;
    return is_loose ? note_loose(world, place) : add_measured(world, &pair, constraint);
}

static inline bool are_far_circles(const graze_world *world, const grz_meeting *meeting)
{
    const uint32_t a = meeting->row_a;
    const uint32_t b = meeting->row_b;
    const uint32_t traits = world->rows.traits[a] | world->rows.traits[b];
    return !(traits & GRAZE_SHAPE_RECT) && are_far(world, a, b);
}

// HOT. bench: engine/step/gas-bounce-fast
//
// Data    8 bytes of a meeting, 20 of each of its rows.
// Branch  Whether two circles are close, which most are not: tested first, and without a call.
bool grz_pile_pairs_add(graze_world *world)
{
    for (uint32_t k = 0; k < world->first_over_sensor; ++k) {
        if (!are_far_circles(world, &world->meetings.data[k]) && !add_meeting(world, k)) {
            return false;
        }
    }
    return true;
}

static bool row_is_in_pile(const graze_world *world, uint32_t row)
{
    return grz_motion_of(world, row) && grz_pile_has(world, world->motion_of_row.data[row]);
}

bool grz_pile_pairs_add_loose(graze_world *world)
{
    for (uint32_t k = 0; k < world->piles.loose.count; ++k) {
        const uint32_t place = world->piles.loose.data[k];
        const body_pair pair = find_body_pair(world, place);
        grz_constraint *constraint = grz_next_constraint(world);
        if (!constraint) {
            return false;
        }
        constraint->meeting = place;
        if (row_is_in_pile(world, pair.pushed) && row_is_in_pile(world, pair.other) &&
            measure_pair(world, &pair, constraint) && !add_measured(world, &pair, constraint)) {
            return false;
        }
    }
    return true;
}
