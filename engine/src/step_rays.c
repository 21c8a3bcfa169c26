#include <graze/orient.h>

#include "meet.h"
#include "motion.h"
#include "prefetch.h"
#include "rays.h"
#include "response.h"
#include "rows.h"
#include "step.h"
#include "terrain.h"
#include "vec2d.h"

// Rays stop nobody: they come last, when all other courses are known, and none depends on another.
//
// Most rays touch nothing. Of those that do, most are bullets that the first thing they hit spends:
// what comes after it is void, whatever it is, so the first is all that has to be found. Both kinds
// are settled here, with the walls of many rays found together; all others go the general way, by
// events (step_respond.c), to the same end.

enum { NEAR_WALLS = 1024 };

/// A wall that a ray may come to on its way, or beside it by a rounding.
typedef struct near_wall {
    graze_segment wall;
    uint32_t chain;
    uint32_t next; ///< Of the same ray; GRZ_NONE: none.
} near_wall;

/// Some free rays, in the order of their rows.
typedef struct ray_group {
    graze_world *world;
    const grz_ray_loops *loops;
    uint32_t count;
    uint32_t rows[GRZ_RAYS_AT_ONCE];
    graze_vec2 from[GRZ_RAYS_AT_ONCE], to[GRZ_RAYS_AT_ONCE];
    uint8_t searched[GRZ_RAYS_AT_ONCE]; ///< graze_segment_search: what `near` has of a ray.
    grz_wall_hits walls;                ///< The first wall that each meets.
    uint32_t first_near[GRZ_RAYS_AT_ONCE];
    uint32_t near_count;
    near_wall near[NEAR_WALLS];
} ray_group;

// Loads the free rays from `row` on; returns the row to go on with.
static uint32_t load_rays(ray_group *group, uint32_t row)
{
    const grz_rows *rows = &group->world->rows;
    const uint32_t kinds = GRZ_TRAIT_KIND;
    uint32_t count = 0;
    for (; row < group->world->active_count && count < GRZ_RAYS_AT_ONCE; ++row) {
        const uint32_t traits = rows->traits[row];
        group->rows[count] = row;
        group->from[count] = rows->position[row];
        group->to[count] = rows->end[row];
        count += ((traits & kinds) == GRAZE_SHAPE_RAY) & ((traits & GRZ_TRAIT_FREE) != 0);
    }
    group->count = count;
    return row;
}

static grz_mover mover_of(const graze_world *world, uint32_t row)
{
    const grz_mover ray = {
        .kind = GRAZE_SHAPE_RAY,
        .filter = &world->bodies.data[world->rows.index[row]].filter,
        .body = grz_row_id(&world->rows, row),
    };
    return ray;
}

static graze_segment wall_of(const graze_segment_finds *finds, uint32_t place)
{
    const graze_segment wall = {{finds->ax[place], finds->ay[place]},
                                {finds->bx[place], finds->by[place]}};
    return wall;
}

// A ray whose walls find no room is searched anew where they are wanted.
static void keep_near_walls(ray_group *group, const graze_segment_finds *finds)
{
    for (uint32_t i = 0; i < finds->count; ++i) {
        const uint32_t ray = finds->move[i];
        if (group->near_count == NEAR_WALLS) {
            const uint8_t most = group->searched[ray];
            group->searched[ray] = most > GRAZE_SEARCHED_MOVE ? most : GRAZE_SEARCHED_MOVE;
            continue;
        }
        const near_wall near = {wall_of(finds, i), finds->owner[i], group->first_near[ray]};
        group->first_near[ray] = group->near_count;
        group->near[group->near_count++] = near;
    }
}

static void keep_crossings(ray_group *group, const graze_segment_finds *finds)
{
    const graze_world *world = group->world;
    grz_crossings crossings;
    const uint32_t count = group->loops->sift(finds, group->from, group->to, &crossings);
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t place = crossings.places[i];
        GRZ_PREFETCH(&world->chains[finds->owner[place]]);
        GRZ_PREFETCH(&world->bodies.data[world->rows.index[group->rows[finds->move[place]]]]);
    }
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t place = crossings.places[i];
        const uint32_t ray = finds->move[place];
        const grz_mover mover = mover_of(world, group->rows[ray]);
        if (grz_ray_meets(world, &mover, group->from[ray], wall_of(finds, place),
                          finds->owner[place])) {
            grz_wall_hits_keep(&group->walls, finds, place, crossings.times[place]);
        }
    }
}

static void keep_finds(void *context, const graze_segment_finds *finds)
{
    keep_near_walls(context, finds);
    keep_crossings(context, finds);
}

static void find_walls(ray_group *group)
{
    group->walls.count = 0;
    group->near_count = 0;
    for (uint32_t i = 0; i < group->count; ++i) {
        group->walls.time[i] = 2;
        group->first_near[i] = GRZ_NONE;
        group->searched[i] = GRAZE_SEARCHED_BOX;
    }
    if (group->world->segment_count) {
        graze_segment_grid_find(&group->world->terrain, group->from, group->to, group->count,
                                group->searched, keep_finds, group);
    }
}

// The order of events (step_respond.c), for one ray: walls come before bodies.
static bool is_before(const graze_world *world, const grz_event *first, const grz_event *second)
{
    const uint32_t *index = world->rows.index;
    if (first->touch.time != second->touch.time) {
        return first->touch.time < second->touch.time;
    }
    if (first->row_a != second->row_a) {
        return index[first->row_a] < index[second->row_a];
    }
    return index[first->row_b] < index[second->row_b];
}

static bool is_round_and_straight(const graze_world *world, uint32_t row)
{
    return !(world->rows.traits[row] & GRAZE_SHAPE_RECT) &&
           world->motion_of_row.data[row] == GRZ_NONE;
}

// Whether two round bodies on straight ways do not touch, as graze_sweep_circles has it: the
// kernel's own terms, but one answer to guess instead of five.
static bool is_clear_miss(const graze_world *world, const grz_meeting *meeting)
{
    const grz_rows *rows = &world->rows;
    const uint32_t a = meeting->row_a;
    const uint32_t b = meeting->row_b;
    if (!is_round_and_straight(world, a) || !is_round_and_straight(world, b)) {
        return false;
    }
    const graze_vec2d start = offset(rows->position[a], rows->position[b]);
    const graze_vec2d end = offset(rows->end[a], rows->end[b]);
    const graze_vec2d delta = subtract(end, start);
    const double reach = squared((double)rows->half[a].x + (double)rows->half[b].x);
    const double approach = -dot(start, delta);
    const double path = dot(delta, delta);
    const double chord = reach * path - squared(cross(start, delta));
    const graze_vec2d stop = add(start, delta);
    const bool is_away = !(approach > 0);
    const bool is_beside = (approach >= path) | (chord < 0);
    const bool ends_apart = dot(stop, stop) > reach;
    return (dot(start, start) > reach) & (is_away | (is_beside & ends_apart));
}

static bool find_first_body(const graze_world *world, uint32_t row, grz_event *first)
{
    bool found = false;
    const uint32_t end = world->meeting_first.data[row + 1];
    for (uint32_t i = world->meeting_first.data[row]; i < end; ++i) {
        const uint32_t index = world->meeting_list.data[i];
        const grz_meeting *meeting = &world->meetings.data[index];
        grz_event event = {.row_a = meeting->row_a, .row_b = meeting->row_b, .meeting = index};
        if (!is_clear_miss(world, meeting) &&
            grz_meeting_touches(world, meeting, 0, &event.touch) &&
            (!found || is_before(world, &event, first))) {
            *first = event;
            found = true;
        }
    }
    return found;
}

static grz_event wall_event(const ray_group *group, uint32_t ray)
{
    const grz_wall_hits *walls = &group->walls;
    const uint32_t chain = (uint32_t)(walls->id[ray] >> 32);
    const graze_segment wall = {walls->a[ray], walls->b[ray]};
    grz_event event = {
        .row_a = group->rows[ray],
        .row_b = GRZ_NONE,
        .meeting = GRZ_NONE,
        .segment = {{chain, group->world->chains[chain].generation}, (uint32_t)walls->id[ray]},
    };
    grz_touch_by_ray(group->from[ray], group->to[ray], wall, &event.touch);
    return event;
}

// Finds what the ray touches first; false when it touches nothing.
static bool find_first(const ray_group *group, uint32_t ray, grz_event *first)
{
    const double wall_time = group->walls.time[ray];
    const bool found = find_first_body(group->world, group->rows[ray], first);
    if (wall_time <= 1 && !(found && first->touch.time < wall_time)) {
        *first = wall_event(group, ray);
        return true;
    }
    return found;
}

static bool is_solid_to(const graze_world *world, const grz_event *event, uint32_t row)
{
    if (event->row_b == GRZ_NONE) {
        return grz_chain_is_solid(world, event->segment);
    }
    const uint32_t other = event->row_a == row ? event->row_b : event->row_a;
    return grz_is_solid(world->rows.traits[other]);
}

// Whether the touch is a hit, and the ray's last, whatever else it would touch.
static bool is_last(const graze_world *world, const grz_event *event, uint32_t row)
{
    const uint32_t index = world->rows.index[row];
    const grz_body *body = &world->bodies.data[index];
    const bool met = world->met_before.data[index / 32] >> index % 32 & 1;
    return !met && body->hit_limit != 0 && body->hit_count + 1 >= body->hit_limit &&
           is_solid_to(world, event, row);
}

static bool crosses_near(const ray_group *group, uint32_t ray, graze_vec2 to)
{
    const graze_world *world = group->world;
    const graze_vec2 from = group->from[ray];
    for (uint32_t i = group->first_near[ray]; i != GRZ_NONE; i = group->near[i].next) {
        const near_wall *near = &group->near[i];
        if (graze_crosses(from, to, near->wall) && !world->chains[near->chain].sensor) {
            const grz_mover mover = mover_of(world, group->rows[ray]);
            if (grz_ray_meets(world, &mover, from, near->wall, near->chain)) {
                return true;
            }
        }
    }
    return false;
}

static bool is_between(float v, float a, float b)
{
    return (v >= a && v <= b) || (v >= b && v <= a);
}

// As grz_certified_point, by the walls at hand: those near the box around the way, which holds the
// way to the point that is looked for.
static graze_vec2 find_point(const ray_group *group, uint32_t ray, double share)
{
    const graze_world *world = group->world;
    const graze_vec2 from = group->from[ray];
    const graze_vec2 to = group->to[ray];
    const uint32_t row = group->rows[ray];
    graze_vec2 point = grz_point_at(from, to, share);
    if (!world->segment_count || !(world->rows.traits[row] & GRZ_TRAIT_RESPONDS)) {
        return point;
    }
    if (group->searched[ray] != GRAZE_SEARCHED_BOX || !is_between(point.x, from.x, to.x) ||
        !is_between(point.y, from.y, to.y)) {
        const grz_mover mover = mover_of(world, row);
        return grz_certified_point(world, &mover, from, to, share);
    }
    double left_out = GRZ_LEAST_LEFT_OUT;
    while (crosses_near(group, ray, point)) {
        point = grz_next_point(from, to, share, point, &left_out);
    }
    return point;
}

static void note_first_contact(grz_motion *motion, uint32_t place)
{
    if (motion && motion->first_contact == GRZ_NONE) {
        motion->first_contact = place;
    }
}

// The ray is spent by the event. Returns false when there is no memory.
static bool spend(const ray_group *group, uint32_t ray, const grz_event *event)
{
    graze_world *world = group->world;
    const bool is_wall = event->row_b == GRZ_NONE;
    grz_motion *motion = grz_motion_begin(world, group->rows[ray]);
    if (!motion ||
        !grz_contact_add(world, event->row_a, event->row_b, event->segment, &event->touch)) {
        return false;
    }
    const uint32_t place = world->fresh.count - 1;
    const bool blocked = grz_is_blocked(world, motion, &event->touch, is_wall);
    world->fresh.data[place].flags |=
        GRAZE_CONTACT_SPENT | (blocked ? (uint32_t)GRAZE_CONTACT_BLOCKED : 0);
    if (!is_wall) {
        world->meetings.data[event->meeting].contact = place;
    }
    note_first_contact(grz_motion_of(world, event->row_a), place);
    ++world->hit_count;
    ++motion->hit_count;
    grz_motion_end_at(motion, event->touch.time, find_point(group, ray, event->touch.time));
    return true;
}

static bool respond_ray(const ray_group *group, uint32_t ray)
{
    graze_world *world = group->world;
    const uint32_t row = group->rows[ray];
    const bool is_open = group->searched[ray] == GRAZE_NOT_SEARCHED;
    const bool turns = (world->rows.traits[row] & GRZ_TRAIT_TURNS) != 0;
    grz_event first;
    if (!is_open && !find_first(group, ray, &first)) {
        return true;
    }
    if (!is_open && !turns && is_last(world, &first, row)) {
        return spend(group, ray, &first);
    }
    return grz_respond_by_events(world, row);
}

static bool has_candidates(const ray_group *group, uint32_t ray)
{
    const uint32_t *meetings = &group->world->meeting_first.data[group->rows[ray]];
    return (meetings[0] != meetings[1]) | (group->walls.time[ray] <= 1) |
           (group->searched[ray] == GRAZE_NOT_SEARCHED);
}

// HOT. bench: engine/step/bullets-terrain
//
// Data    Position, end and traits of a row, and the cells that it passes; of those that touch
//         something their meetings, walls, and the cold part of the body.
// Branch  Which rays have anything to touch is listed first: it cannot be guessed.
static bool respond_group(const ray_group *group)
{
    uint32_t rays[GRZ_RAYS_AT_ONCE];
    uint32_t count = 0;
    for (uint32_t i = 0; i < group->count; ++i) {
        rays[count] = i;
        count += has_candidates(group, i);
    }
    for (uint32_t k = 0; k < count; ++k) {
        if (!respond_ray(group, rays[k])) {
            return false;
        }
    }
    return true;
}

// A bit for each index that takes part in a touch of the last step.
static bool note_met_before(graze_world *world)
{
    const uint32_t words = world->bodies.count / 32 + 1;
    if (!grz_array_reserve(&world->met_before, &world->counting, words)) {
        return false;
    }
    uint32_t *bits = world->met_before.data;
    for (uint32_t i = 0; i < words; ++i) {
        bits[i] = 0;
    }
    for (uint32_t i = 0; i < world->keys.count; ++i) {
        const graze_contact_end *key = &world->keys.data[i];
        bits[key->a.index / 32] |= UINT32_C(1) << key->a.index % 32;
        bits[key->b.index / 32] |= UINT32_C(1) << key->b.index % 32;
    }
    return true;
}

bool grz_step_rays(graze_world *world)
{
    ray_group group;
    group.world = world;
    group.loops = grz_ray_loops_for(world->lanes);
    if (!note_met_before(world)) {
        return false;
    }
    for (uint32_t row = 0; row < world->active_count;) {
        row = load_rays(&group, row);
        find_walls(&group);
        if (!respond_group(&group)) {
            return false;
        }
    }
    return true;
}
