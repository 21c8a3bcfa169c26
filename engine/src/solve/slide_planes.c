#include "solve/slide_planes.h"

#include "fault.h"
#include "vec2d.h"

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
    const double tolerance = 1e-9;
    const double speed = length_of(slide->desired);
    all->slide = slide;
    for (uint32_t i = 0; i < slide->count; ++i) {
        const double limit = slide->planes[i].limit;
        all->max_speed[i] = limit + tolerance * max_double(speed, absolute(limit));
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
static graze_vec2d find_nearest(const grz_slide *slide, double most)
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

graze_vec2d grz_planes_slide(const grz_slide *slide)
{
    return find_nearest(slide, 0);
}

graze_vec2d grz_planes_push(const grz_slide *slide, double most)
{
    return find_nearest(slide, most);
}

// The plane that holds the body least: at most two of them hold it at all, unless they leave it no
// way out.
static uint32_t find_loosest(const grz_slide *slide)
{
    const graze_vec2d velocity = grz_planes_slide(slide);
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
