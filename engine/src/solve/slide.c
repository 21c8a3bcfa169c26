#include "solve/slide.h"

#include "bounds.h"
#include "collide/certify.h"
#include "collide/pair_sweep.h"
#include "collide/predict.h"
#include "collide/terrain_sweep.h"
#include "collide/tolerance.h"
#include "fault.h"
#include "solve/impulse.h"
#include "vec2d.h"
#include "world/contact_keys.h"

static const double parallel_tolerance = 1e-7; ///< Sine: below what slides allow (tolerance.h).

static graze_vec2d project(graze_vec2d velocity, const grz_plane *plane)
{
    return along(velocity, plane->normal, plane->limit - dot(velocity, plane->normal));
}

// Whether two planes may squeeze a body out, from one velocity to another, by so much besides what
// they do alone. What goes along a wall has to be turned faster than it is pushed: this depends on
// differences of velocities alone, so that what is pushed up a slope goes on, however fast it is.
static inline bool may_squeeze(const grz_plane *first, const grz_plane *second, double most,
                               graze_vec2d desired, graze_vec2d velocity)
{
    const double change = length_of(subtract(velocity, desired));
    const double to_first = absolute(first->limit - dot(desired, first->normal));
    const double to_second = absolute(second->limit - dot(desired, second->normal));
    GRZ_FAULT(pushing_along_walls, return change <= to_first + to_second + most);
    return change <= 2 * (to_first + to_second) + most;
}

// The velocity that two planes leave no choice of. Returns false when they are parallel, or nearly,
// and would squeeze the body out.
static inline bool intersect(const grz_plane *first, const grz_plane *second, double most,
                             graze_vec2d desired, graze_vec2d *velocity)
{
    const graze_vec2d n = first->normal;
    const graze_vec2d m = second->normal;
    const double area = cross(n, m);
    if (absolute(area) < parallel_tolerance) {
        return false;
    }
    velocity->x = (first->limit * m.y - second->limit * n.y) / area;
    velocity->y = (second->limit * n.x - first->limit * m.x) / area;
    return may_squeeze(first, second, most, desired, *velocity);
}

/// The planes of a slide.
typedef struct planes {
    const grz_slide *slide;
    double max_speed[GRZ_DEFLECTIONS]; ///< By plane: along its normal, units per second.
} planes;

// The tolerance is for rounding: of the desired velocity, and of the plane's own speed where that
// is faster, as it is for a body that stood still before it was hit.
static inline void find_max_speeds(const grz_slide *slide, planes *all)
{
    const double speed = length_of(slide->desired);
    all->slide = slide;
    for (uint32_t i = 0; i < slide->count; ++i) {
        const double limit = slide->planes[i].limit;
        all->max_speed[i] = limit + grz_speed_rounding * max_double(speed, absolute(limit));
    }
}

static inline bool is_allowed(const planes *all, graze_vec2d velocity)
{
    for (uint32_t i = 0; i < all->slide->count; ++i) {
        if (dot(velocity, all->slide->planes[i].normal) > all->max_speed[i]) {
            return false;
        }
    }
    return true;
}

/// The best velocity so far.
typedef struct choice {
    bool found;
    double distance;
    graze_vec2d velocity;
} choice;

// By value: in memory each would wait for the one before it to be stored.
static inline choice better_of(const planes *all, choice best, graze_vec2d velocity)
{
    if (!is_allowed(all, velocity)) {
        return best;
    }
    const double distance = length_of(along(velocity, all->slide->desired, -1));
    const choice found = {true, distance, velocity};
    return !best.found || distance < best.distance ? found : best;
}

// The velocity nearest to the desired one that no plane forbids, all taken together; none at all
// where they leave no way out. The nearest point of a convex region in the plane lies inside it, on
// one of its sides, or at a corner: so few candidates are enough.
//
// HOT. bench: engine/step/walkers
//
// Data    The desired velocity and the planes.
// Branch  On the desired velocity alone, and one plane alone, which most bodies come to.
graze_vec2d grz_planes_slide(const grz_slide *slide, double most)
{
    planes all;
    choice best = {.found = false};
    find_max_speeds(slide, &all);
    if (is_allowed(&all, slide->desired)) {
        return slide->desired;
    }
    if (slide->count == 1) {
        const graze_vec2d held = project(slide->desired, &slide->planes[0]);
        return is_allowed(&all, held) ? held : best.velocity;
    }
    for (uint32_t i = 0; i < slide->count; ++i) {
        best = better_of(&all, best, project(slide->desired, &slide->planes[i]));
    }
    for (uint32_t i = 0; i < slide->count; ++i) {
        for (uint32_t k = i + 1; k < slide->count; ++k) {
            graze_vec2d corner;
            if (intersect(&slide->planes[i], &slide->planes[k], most, slide->desired, &corner)) {
                best = better_of(&all, best, corner);
            }
        }
    }
    return best.velocity;
}

// The plane that holds the body least: at most two of them hold it at all, unless they leave it no
// way out.
static uint32_t find_loosest(const grz_slide *slide)
{
    const graze_vec2d velocity = grz_planes_slide(slide, 0);
    uint32_t loosest = 0;
    double most = 0;
    for (uint32_t i = 0; i < slide->count; ++i) {
        const double room = slide->planes[i].limit - dot(velocity, slide->planes[i].normal);
        if (i == 0 || room > most) {
            most = room;
            loosest = i;
        }
    }
    return loosest;
}

void grz_planes_add(grz_slide *slide, graze_vec2d normal, double limit)
{
    for (uint32_t i = 0; i < slide->count; ++i) {
        grz_plane *plane = &slide->planes[i];
        const bool parallel = absolute(cross(plane->normal, normal)) < parallel_tolerance;
        if (parallel && dot(plane->normal, normal) > 0) {
            plane->limit = min_double(plane->limit, limit);
            return;
        }
    }
    const bool is_full = slide->count == GRZ_DEFLECTIONS;
    const uint32_t place = is_full ? find_loosest(slide) : slide->count++;
    const grz_plane plane = {normal, limit};
    slide->planes[place] = plane;
}

// --- Pushes ---

static const double push_share = 0.25;   ///< Of an overlap of bodies, per step.
static const double rounding = 1e-7;     ///< Of the size: how far into a wall a push may lead.
static const double longest_way_out = 4; ///< Of the size: out of a wedge.

static void lengthen(graze_vec2d *push, graze_vec2d out, double distance)
{
    const double missing = distance - dot(*push, out);
    if (missing > 0) {
        *push = along(*push, out, missing);
    }
}

// Of several pushes to one side the longest counts, not their sum. But pushes to opposite sides add
// up: if only the later one counted, bodies in the middle of a row that overlaps would be pushed
// into each other, until they are at one place.
static void shove(grz_trajectory *trajectory, graze_vec2d out, double distance)
{
    extend_by_point(&trajectory->pushes, narrow(scale(out, distance)));
    trajectory->shoved = true;
}

// Of a body that gives no way.
static void push_off_body(grz_trajectory *trajectory, graze_vec2d out, double depth)
{
    if (trajectory) {
        shove(trajectory, out, push_share * depth);
        lengthen(&trajectory->driven, out, push_share * depth);
    }
}

// Whether others can move a body: `trajectory` is null for a kinematic one.
static bool is_movable(const graze_world *world, const grz_trajectory *trajectory)
{
    return trajectory && grz_response_of(world, trajectory) != GRAZE_STOP;
}

// By a wall; by a body only if it has a finite mass: not even by nothing, which would be led off
// walls.
static bool is_pushed(const graze_world *world, const grz_trajectory *trajectory, bool by_wall)
{
    GRZ_FAULT(rays_come_out, if (grz_size_of(world, trajectory->row) == 0) return false);
    return is_movable(world, trajectory) &&
           (world->bodies.rows.traits[trajectory->row] & GRZ_TRAIT_RESPONDS) != 0 &&
           !grz_is_rigid(world->bodies.rows.traits[trajectory->row]) &&
           (by_wall || !grz_is_driving(world, trajectory->row));
}

// A body that stops at a wall is lifted out if it has sunk in by rounding, step by step; one over
// which a new wall was laid is left where it is.
static bool is_left_in(const graze_world *world, const grz_trajectory *trajectory,
                       const grz_touch *touch)
{
    return grz_response_of(world, trajectory) == GRAZE_STOP &&
           !(touch->depth < grz_sink_limit * grz_size_of(world, trajectory->row));
}

static void lift_stopped(const graze_world *world, const grz_event *event, grz_trajectory *a,
                         double depth)
{
    const bool stops = a && event->row_b == GRZ_NONE && grz_response_of(world, a) == GRAZE_STOP;
    if (stops && !is_left_in(world, a, &event->touch)) {
        shove(a, negate(event->touch.normal), depth);
    }
}

static void note_excess(const graze_world *world, const grz_event *event, double depth,
                        grz_trajectory *a, grz_trajectory *b)
{
    const graze_vec2d normal = event->touch.normal;
    lift_stopped(world, event, a, depth);
    const bool by_wall = event->row_b == GRZ_NONE;
    a = is_pushed(world, a, by_wall) ? a : NULL;
    b = is_pushed(world, b, by_wall) ? b : NULL;
    if (by_wall && a) {
        shove(a, negate(normal), depth);
    } else if (!by_wall && !(a && b)) { // Two that give way are the solver's.
        push_off_body(a, negate(normal), depth);
        push_off_body(b, normal, depth);
    }
}

void grz_push_apart(const graze_world *world, const grz_event *event, grz_trajectory *a,
                    grz_trajectory *b)
{
    const grz_touch *touch = &event->touch;
    const double depth = touch->depth - grz_overlap_allowed(world, event->row_a, touch->normal);
    if (depth > 0) {
        note_excess(world, event, depth, a, b);
    }
}

/// A wall that a push leads into.
typedef struct hindrance {
    graze_segment_id segment;
    graze_vec2d out; ///< Unit.
    double missing;  ///< How much farther along this the push has to lead, units.
} hindrance;

// Cells list walls in any order: of two that are equally in the way the id decides.
static bool is_worse(const hindrance *found, const hindrance *than)
{
    GRZ_FAULT(pushing_off_walls, return false);
    if (found->missing != than->missing) {
        return found->missing > than->missing;
    }
    return found->missing > 0 && grz_compare_segments(found->segment, than->segment) < 0;
}

static graze_vec2 pushed_by(graze_vec2 from, graze_vec2d push)
{
    const graze_vec2 pushed = {(float)((double)from.x + push.x) + 0.0f,
                               (float)((double)from.y + push.y) + 0.0f};
    return pushed;
}

// The wall that the push of a body leads deepest into; nothing is missing where there is none.
static hindrance find_worst(const graze_world *world, const grz_mover *mover,
                            const grz_trajectory *trajectory, graze_vec2 from, graze_vec2d push)
{
    hindrance worst = {.missing = 0};
    grz_wall_walk walk;
    grz_wall_walk_begin(&walk, world, mover, from, pushed_by(from, push));
    grz_touch touch;
    graze_segment_id segment;
    while (grz_wall_walk_next(&walk, 1, &touch, &segment)) {
        const double gap = touch.approach * touch.time - touch.depth;
        const double room = gap + grz_overlap_allowed(world, trajectory->row, touch.normal);
        const hindrance found = {segment, negate(touch.normal), dot(push, touch.normal) - room};
        const bool stays = is_left_in(world, trajectory, &touch);
        GRZ_FAULT(lifting_out_of_all, stays = false);
        if (!stays && grz_chain_stops(world, segment, mover->filter) && is_worse(&found, &worst)) {
            worst = found;
        }
    }
    return worst;
}

// What gives no way comes after all other bodies: those that lie on a body must not push it back
// in.
static graze_vec2d sum_up(const grz_trajectory *trajectory)
{
    graze_vec2d push = add(widen(trajectory->pushes.lower), widen(trajectory->pushes.upper));
    const double distance = length_of(trajectory->driven);
    if (distance > 0) {
        lengthen(&push, scale(trajectory->driven, 1 / distance), distance);
    }
    return push;
}

// But terrain comes last of all: bodies push none into it, nor back into a wall that it is to
// leave. Otherwise the first body of a row that is pressed at a wall would get in a little deeper
// in each step, and a body in a one-sided wall that it has not met would be taken for one that came
// through it. All walls in the way are solved together: one after the other, the two of a wedge
// would let the body in between them.
static graze_vec2d push_off_walls(const graze_world *world, const grz_mover *mover,
                                  const grz_trajectory *trajectory, graze_vec2d push)
{
    const graze_vec2 from = trajectory->at[trajectory->count - 1];
    const double size = grz_size_of(world, trajectory->row);
    grz_slide slide = {.desired = push};
    hindrance worst = find_worst(world, mover, trajectory, from, push);
    for (int k = 0; worst.missing > rounding * size && k < GRZ_DEFLECTIONS; ++k) {
        GRZ_FAULT(pushing_out_of_wedges, slide = (grz_slide){.desired = push});
        grz_planes_add(&slide, negate(worst.out), -worst.missing - dot(push, worst.out));
        push = grz_planes_slide(&slide, longest_way_out * size);
        worst = find_worst(world, mover, trajectory, from, push);
    }
    const graze_vec2d nowhere = {0, 0};
    return worst.missing > rounding * size ? nowhere : push;
}

// A body that stops has moved in a straight line, and must seem to have done so: the line to where
// it is lifted must not cross a wall around whose end it came.
static bool leads_straight(const graze_world *world, const grz_mover *mover,
                           const grz_trajectory *trajectory, graze_vec2 to)
{
    const graze_vec2 point = grz_certified_point(world, mover, trajectory->at[0], to, 1);
    return is_same_point(point, to);
}

// A body that is clear has no wall within a margin of all that it can reach by itself; but a push
// may lead farther.
static bool may_push_into_walls(const graze_world *world, const grz_trajectory *trajectory,
                                graze_vec2d push)
{
    const double margin = grz_clearance_margin * grz_size_of(world, trajectory->row);
    GRZ_FAULT(pushing_farther_than_clear, margin = 1e9);
    return world->terrain.segment_count && (!trajectory->is_clear || length_of(push) > margin);
}

void grz_correct_position(const graze_world *world, grz_trajectory *trajectory)
{
    graze_vec2 *end = &trajectory->at[trajectory->count - 1];
    graze_vec2d push = sum_up(trajectory);
    grz_mover mover;
    grz_mover_fill(world, trajectory->row, trajectory, &mover);
    if (may_push_into_walls(world, trajectory, push)) {
        push = push_off_walls(world, &mover, trajectory, push);
    }
    const graze_vec2 point = grz_certified_push(world, &mover, *end, pushed_by(*end, push));
    if (is_movable(world, trajectory) || leads_straight(world, &mover, trajectory, point)) {
        *end = point;
    }
}
