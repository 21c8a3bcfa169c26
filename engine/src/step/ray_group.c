// The outcome of each ray of a group: what it meets first, and whether that spends it.

#include "step/rays.h"

#include "bits.h"
#include "collide/certify.h"
#include "collide/contact_make.h"
#include "collide/pair_sweep.h"
#include "collide/terrain_sweep.h"
#include "fault.h"
#include "min_max.h"
#include "solve/find_impacts.h"
#include "solve/impact_queue.h"
#include "solve/impulse.h"
#include "world/adjacency.h"
#include "world/bodies.h"
#include "world/contact_keys.h"
#include "world/rows.h"

#include <string.h>

// --- Walls on the paths: crossed ones, and those near by ---

const grz_ray_loops *grz_ray_loops_for(grz_lane_set lanes)
{
    static const grz_ray_loops *const tables[] = GRZ_WIDE_TABLES(grz_ray_loops);
    return tables[lanes];
}

// Returns the data of a ray that decides which walls it meets. Its filter and id are read only if
// some body has a filter of its own or the game has a callback: else all rays are alike.
static grz_mover mover_of(const graze_world *world, grz_row row)
{
    static const graze_filter plain = {1, UINT32_MAX, 0, 0};
    grz_mover ray = {.kind = GRAZE_SHAPE_RAY, .filter = &plain};
    if (world->bodies.filter_count || world->config.filter) {
        ray.filter = grz_filter_of(world, world->bodies.rows.index[row]);
        ray.body = grz_row_id(&world->bodies.rows, row);
    }
    return ray;
}

// Returns whether filters may let some of the rays pass through chains that they meet.
static bool may_pass(const grz_ray_group *group)
{
    return group->world->bodies.filter_count || group->world->terrain.odd_chain_count;
}

// Returns whether chains treat all rays alike, and all chains are plain.
static bool meets_all_walls(const grz_ray_group *group)
{
    const graze_world *world = group->world;
    return !world->config.filter && !world->terrain.odd_chain_count && grz_all_meet_default(world);
}

// Returns whether a ray that crosses a wall meets it: by its chain's filter, and from its side.
// The name is not read if neither matters.
static bool meets_wall(const grz_ray_group *group, uint32_t ray, graze_segment wall,
                       const graze_segment_name *name)
{
    const graze_world *world = group->world;
    if (meets_all_walls(group) || (!world->config.filter && grz_all_meet_default(world) &&
                                   grz_chain_is_plain(&world->terrain.chains[name->owner]))) {
        return true;
    }
    const grz_mover mover = mover_of(world, group->rays.rows[ray]);
    return grz_ray_meets(world, &mover, group->from[ray], wall, name->owner);
}

// If a ray's walls do not fit, they are searched again when needed.
static void forgo_near_walls(grz_ray_group *group, const graze_segment_finds *finds)
{
    for (uint32_t i = 0; i < finds->count; ++i) {
        uint8_t *searched = &group->searched[finds->move[i]];
        *searched = *searched > GRAZE_SEGMENT_SEARCH_MOVE ? *searched : GRAZE_SEGMENT_SEARCH_MOVE;
    }
}

static void keep_near_walls(grz_ray_group *group, const graze_segment_finds *finds)
{
    if (group->near_count + finds->count > GRZ_NEAR_WALLS) {
        forgo_near_walls(group, finds);
        return;
    }
    for (uint32_t place = 0; place < finds->count; ++place) {
        const uint32_t ray = finds->move[place];
        const grz_wall_near_ray near = {grz_found_wall(finds, place), finds->names[place],
                                        group->last_near[ray]};
        group->last_near[ray] = group->near_count;
        group->near[group->near_count++] = near;
    }
}

static void keep_crossings(grz_ray_group *group, const graze_segment_finds *finds)
{
    grz_crossings crossings;
    const bool meets_all = meets_all_walls(group);
    const uint32_t count = group->loops->sift(finds, group->from, group->to, &crossings);
    grz_prefetch_names(finds, crossings.places, count,
                       meets_all ? NULL : group->world->terrain.chains);
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t place = crossings.places[i];
        if (meets_all || meets_wall(group, finds->move[place], grz_found_wall(finds, place),
                                    finds->names[place])) {
            grz_wall_hits_keep(&group->walls, finds, place, crossings.times[place]);
        }
    }
}

static void keep_finds(void *context, const graze_segment_finds *finds)
{
    keep_near_walls(context, finds);
    keep_crossings(context, finds);
}

void grz_ray_group_find_walls(grz_ray_group *group)
{
    group->walls.count = 0;
    group->walls.tie_count = 0;
    group->near_count = 0;
    for (uint32_t i = 0; i < group->rays.count; ++i) {
        group->walls.time[i] = 2;
        group->last_near[i] = GRZ_NONE;
    }
    const graze_segment_search worst =
        graze_segment_grid_find(&group->world->terrain.grid, group->from, group->to,
                                group->rays.count, group->searched, keep_finds, group);
    grz_wall_hits_resolve_ties(&group->walls);
    grz_prefetch_chains(&group->walls, group->world->terrain.chains);
    group->has_unsearched = worst == GRAZE_SEGMENT_SEARCH_NONE;
}

// --- The points where rays end ---

// Without a branch: which way rays go cannot be predicted.
static bool is_between(float v, float a, float b)
{
    const float least = min_float(a, b), most = max_float(a, b);
    return (v >= least) & (v <= most);
}

// Whether all walls that may separate the point from the ray's start are known.
static bool has_near_walls(const grz_ray_group *group, uint32_t ray, graze_vec2 point)
{
    const graze_vec2 from = group->from[ray];
    const graze_vec2 to = group->to[ray];
    const bool along_x = is_between(point.x, from.x, to.x);
    const bool along_y = is_between(point.y, from.y, to.y);
    return (group->searched[ray] == GRAZE_SEGMENT_SEARCH_BOX) & along_x & along_y;
}

static bool is_kept_off(const grz_ray_group *group, uint32_t ray, const grz_wall_near_ray *near)
{
    GRZ_FAULT(certified_rays, return false);
    const uint32_t chain = near->name->owner;
    return (meets_all_walls(group) && !may_pass(group)) ||
           (!group->world->terrain.chains[chain].sensor &&
            !grz_chain_lets_pass(group->world, chain, group->rays.rows[ray]) &&
            meets_wall(group, ray, near->segment, near->name));
}

// Whether a wall near the ray separates the point from its start.
static bool is_beyond_wall(const grz_ray_group *group, uint32_t ray, graze_vec2 point)
{
    for (uint32_t k = group->last_near[ray]; k != GRZ_NONE; k = group->near[k].before) {
        const grz_wall_near_ray *near = &group->near[k];
        if (graze_sweep_point_segment(group->from[ray], point, near->segment).hit &&
            is_kept_off(group, ray, near)) {
            return true;
        }
    }
    return false;
}

// Returns where the ray is after `share` of its move, on its own side of the walls. Half of all
// rounded points lie beyond the wall that is hit.
static graze_vec2 certified_end(const grz_ray_group *group, uint32_t ray, double share)
{
    const graze_vec2 from = group->from[ray], to = group->to[ray];
    graze_vec2 point = grz_point_at(from, to, share);
    double left_out = GRZ_MIN_LEFT_OUT;
    if (!has_near_walls(group, ray, point)) {
        grz_mover mover;
        grz_mover_fill(group->world, group->rays.rows[ray], NULL, &mover);
        return grz_certified_point(group->world, &mover, from, to, share);
    }
    while (is_beyond_wall(group, ray, point)) {
        point = grz_next_point(from, to, share, point, &left_out);
    }
    return point;
}

// --- Outcomes ---

/// The first touch of a ray.
typedef struct first_touch {
    enum { NOTHING, WALL, TOUCH, MEETING } of;
    uint32_t place; ///< Among the touches or candidate pairs.
    double time;
} first_touch;

// The other body of a touch that is not with a wall.
static uint32_t other_of(const graze_world *world, const first_touch *first, grz_row row)
{
    if (first->of == TOUCH) {
        return world->found.ray_touches.data[first->place].other;
    }
    const grz_candidate *candidate = &world->found.candidates.data[first->place];
    return candidate->row_a == row ? candidate->row_b : candidate->row_a;
}

// As events are ranked; of walls only the first is known.
static uint64_t rank_touch(const graze_world *world, const first_touch *touch, grz_row row)
{
    if (touch->of == WALL) {
        return 0;
    }
    const uint32_t first = world->bodies.rows.index[row];
    const uint32_t second = world->bodies.rows.index[other_of(world, touch, row)];
    return grz_touch_rank(min_u32(first, second), max_u32(first, second));
}

// Ranks, whose order cannot be predicted, are compared only where times are equal.
static void keep_earlier(const graze_world *world, grz_row row, const first_touch *other,
                         first_touch *first)
{
    const bool earlier = other->time < first->time ||
                         (other->time == first->time &&
                          rank_touch(world, other, row) < rank_touch(world, first, row));
    if (first->of == NOTHING || earlier) {
        *first = *other;
    }
}

static bool find_candidate(const graze_world *world, uint32_t place, first_touch *found)
{
    const grz_candidate *candidate = &world->found.candidates.data[place];
    double from = 0;
    grz_touch touch;
    if (grz_candidate_is_clear_miss(world, candidate) ||
        !grz_touch_moving(world, candidate->row_a, candidate->row_b, &from, &touch)) {
        return false;
    }
    const first_touch met = {MEETING, place, touch.time};
    *found = met;
    return true;
}

// Its earliest touch is listed first.
static void find_first_body(const graze_world *world, grz_row row, first_touch *first)
{
    first_touch found;
    uint32_t link = grz_link_first(world, row);
    for (; link != GRZ_NONE && grz_link_is_candidate(world, link);
         link = grz_link_next(world, link)) {
        if (find_candidate(world, grz_link_candidate(link), &found)) {
            keep_earlier(world, row, &found, first);
        }
    }
    if (link != GRZ_NONE) {
        const uint32_t place = grz_link_touch(world, link);
        const first_touch touch = {TOUCH, place, world->found.ray_touches.data[place].time};
        keep_earlier(world, row, &touch, first);
    }
}

// Of equal times walls come before bodies.
static first_touch find_first(const grz_ray_group *group, uint32_t ray)
{
    const double wall_time = group->walls.time[ray];
    first_touch first = {NOTHING, 0, 2};
    if (wall_time <= 1) {
        const first_touch wall = {WALL, 0, wall_time};
        first = wall;
    }
    find_first_body(group->world, group->rays.rows[ray], &first);
    return first;
}

static graze_segment_id segment_of(const grz_ray_group *group, uint32_t ray)
{
    const graze_segment_name name = *group->walls.names[ray];
    const graze_segment_id segment = {
        {name.owner, group->world->terrain.chains[name.owner].generation}, name.item};
    return segment;
}

static bool is_solid(const grz_ray_group *group, uint32_t ray, const first_touch *first)
{
    const graze_world *world = group->world;
    if (first->of == WALL) {
        return !world->terrain.chains[group->walls.names[ray]->owner].sensor;
    }
    return grz_is_solid(world->bodies.rows.traits[other_of(world, first, group->rays.rows[ray])]);
}

static bool is_plain(const graze_world *world, grz_row row)
{
    const uint32_t traits = world->bodies.rows.traits[row];
    return (traits & (GRZ_TRAIT_TURNS | GRZ_TRAIT_LAST)) == GRZ_TRAIT_LAST &&
           !grz_has_met_before(world, world->bodies.rows.index[row]);
}

static void fill_touch(const graze_world *world, const grz_ray_touch *touch, grz_contact *contact)
{
    const graze_body_id ray = grz_row_id(&world->bodies.rows, touch->ray);
    const graze_body_id other = grz_row_id(&world->bodies.rows, touch->other);
    const bool in_order = ray.index < other.index;
    contact->a = in_order ? ray : other;
    contact->b = in_order ? other : ray;
    contact->segment = grz_no_segment;
    contact->time = (float)touch->time + 0.0f;
    contact->point = touch->point;
    contact->normal = touch->normal;
    contact->depth = touch->depth;
    contact->approach = touch->approach;
}

// The points of all rays are found together, and what follows from them: fill_wall_points.
static void fill_wall(const grz_ray_group *group, uint32_t ray, grz_contact *contact)
{
    const graze_body_id none = {0, 0};
    contact->a = grz_row_id(&group->world->bodies.rows, group->rays.rows[ray]);
    contact->b = none;
    contact->segment = segment_of(group, ray);
    contact->time = (float)group->walls.time[ray] + 0.0f;
    contact->depth = 0;
}

// Fills the contact that spends the ray. Returns whether it blocks the ray, if that responds.
static bool fill_contact(const grz_ray_group *group, uint32_t ray, const first_touch *first,
                         grz_contact *contact)
{
    const graze_world *world = group->world;
    grz_touch touch;
    if (first->of == TOUCH) {
        const grz_ray_touch *found = &world->found.ray_touches.data[first->place];
        fill_touch(world, found, contact);
        return found->comes_in != 0;
    }
    if (first->of == WALL) {
        fill_wall(group, ray, contact);
        return true;
    }
    const grz_candidate *candidate = &world->found.candidates.data[first->place];
    double from = 0;
    grz_touch_moving(world, candidate->row_a, candidate->row_b, &from, &touch);
    grz_contact_fill(world, candidate->row_a, candidate->row_b, grz_no_segment, &touch, contact);
    return touch.approach > 0;
}

/// The outcomes of a group, being found.
typedef struct outcome_search {
    grz_ray_group *group;
    grz_ray_outcomes *outcomes;
    /// By ray: the contact with a wall that spends it, or null.
    grz_contact *with_wall[GRZ_RAYS_AT_ONCE];
    float mass[GRZ_RAYS_AT_ONCE]; ///< By ray, of those that may touch something.
} outcome_search;

// Returns where the ray is after `share` of its move: only walls keep it off, if it responds.
static graze_vec2 find_end(const grz_ray_group *group, uint32_t ray, double share)
{
    const graze_world *world = group->world;
    const uint32_t traits = world->bodies.rows.traits[group->rays.rows[ray]];
    return world->terrain.segment_count && (traits & GRZ_TRAIT_RESPONDS)
               ? certified_end(group, ray, share)
               : grz_point_at(group->from[ray], group->to[ray], share);
}

// Bodies deflect nothing that has mass 0.
static inline bool is_held_by_bodies(uint32_t traits)
{
    return (traits & (GRZ_TRAIT_RESPONDS | GRZ_TRAIT_INFINITE_MASS)) == GRZ_TRAIT_RESPONDS;
}

// Notes that a ray is spent at a time. Returns its traits.
static inline uint32_t note_spent(outcome_search *search, uint32_t ray, double time)
{
    const grz_rows *rows = &search->group->world->bodies.rows;
    grz_spent *spent = &search->outcomes->spent[search->outcomes->spent_count++];
    spent->row = search->group->rays.rows[ray];
    spent->index = rows->index[spent->row];
    spent->candidate = GRZ_NONE;
    spent->at = find_end(search->group, ray, time);
    return rows->traits[spent->row];
}

// Of a contact with its flags: what stops the ray.
static void fill_impulse(const outcome_search *search, uint32_t ray, grz_contact *contact)
{
    const bool blocked = (contact->flags & GRAZE_CONTACT_BLOCKED) != 0;
    contact->impulse = blocked ? grz_impulse_of_stop(search->mass[ray], contact->approach) : 0;
}

// Whether a ray that is spent pushes what it has come into.
static bool pushes(const outcome_search *search, const first_touch *first, grz_row row)
{
    const graze_world *world = search->group->world;
    const uint32_t traits = world->bodies.rows.traits[row];
    return first->of == MEETING && is_held_by_bodies(traits) && !(traits & GRZ_TRAIT_SENSOR) &&
           grz_gives_way(world, other_of(world, first, row));
}

// Spends a ray by its first touch.
static void spend(outcome_search *search, uint32_t ray, const first_touch *first)
{
    const grz_ray_group *group = search->group;
    grz_ray_outcomes *outcomes = search->outcomes;
    grz_contact *contact = &outcomes->contacts[outcomes->spent_count];
    const bool comes_in = fill_contact(group, ray, first, contact);
    const uint32_t traits = note_spent(search, ray, first->time);
    const bool holds =
        first->of == WALL ? (traits & GRZ_TRAIT_RESPONDS) != 0 : is_held_by_bodies(traits);
    const bool blocked = comes_in && holds;
    if (blocked && pushes(search, first, group->rays.rows[ray])) {
        outcomes->spent[outcomes->spent_count - 1].candidate = first->place;
    }
    contact->flags = (uint32_t)GRAZE_CONTACT_SPENT |
                     (blocked ? (uint32_t)GRAZE_CONTACT_BLOCKED : 0u) |
                     (traits & GRZ_TRAIT_SENSOR ? (uint32_t)GRAZE_CONTACT_SENSOR : 0u);
    if (first->of == WALL) {
        search->with_wall[ray] = contact;
    } else {
        fill_impulse(search, ray, contact);
    }
}

static void leave_open(outcome_search *search, uint32_t ray)
{
    search->outcomes->open[search->outcomes->open_count++] = search->group->rays.rows[ray];
}

// Whether a ray passes through what it touches first.
static bool is_let_pass(const grz_ray_group *group, uint32_t ray, const first_touch *first)
{
    const graze_world *world = group->world;
    const grz_row row = group->rays.rows[ray];
    GRZ_FAULT(letting_rays_pass_plain_chains, if (first->of == WALL) return false);
    return first->of == WALL
               ? may_pass(group) && grz_chain_lets_pass(world, group->walls.names[ray]->owner, row)
               : grz_bodies_pass(world, row, other_of(world, first, row));
}

// Whether the first touch spends the ray. Only plain rays have touches.
static bool is_spent_by(const grz_ray_group *group, uint32_t ray, const first_touch *first)
{
    const bool plain = first->of == TOUCH || is_plain(group->world, group->rays.rows[ray]);
    const bool may_be_spent = plain && is_solid(group, ray, first);
    GRZ_FAULT(letting_rays_pass, return may_be_spent);
    return may_be_spent && !is_let_pass(group, ray, first);
}

static void find_outcome(outcome_search *search, uint32_t ray)
{
    const grz_ray_group *group = search->group;
    search->with_wall[ray] = NULL;
    const first_touch first = find_first(group, ray);
    if (group->searched[ray] == GRAZE_SEGMENT_SEARCH_NONE) {
        leave_open(search, ray);
    } else if (first.of != NOTHING && is_spent_by(group, ray, &first)) {
        spend(search, ray, &first);
    } else if (first.of != NOTHING) {
        leave_open(search, ray);
    }
}

// A contact's normal leads into the wall.
static void fill_wall_points(const outcome_search *search)
{
    grz_ray_group *group = search->group;
    grz_wall_hits *walls = &group->walls;
    grz_wall_points points;
    group->loops->locate(walls, group->from, group->to, &points);
    for (uint32_t k = 0; k < walls->count; ++k) {
        grz_contact *contact = search->with_wall[walls->rays[k]];
        if (contact) {
            contact->point = points.point[k];
            contact->normal.x = 0.0f - points.normal[k].x;
            contact->normal.y = 0.0f - points.normal[k].y;
            const grz_row row = group->rays.rows[walls->rays[k]];
            contact->approach = grz_approach_of_wall(group->world, row, contact->normal);
            fill_impulse(search, walls->rays[k], contact);
        }
    }
}

/// A bit for each ray of a group.
typedef struct ray_set {
    uint64_t words[GRZ_RAYS_AT_ONCE / 64];
} ray_set;

static void put_rays(ray_set *set, const uint32_t *rays, uint32_t count)
{
    for (uint32_t k = 0; k < count; ++k) {
        set->words[rays[k] / 64] |= UINT64_C(1) << rays[k] % 64;
    }
}

static void put_unsearched(ray_set *set, const grz_ray_group *group)
{
    for (uint32_t i = 0; i < group->rays.count; ++i) {
        if (group->searched[i] == GRAZE_SEGMENT_SEARCH_NONE) {
            put_rays(set, &i, 1);
        }
    }
}

// Lists rays that touch something, or may.
static ray_set find_candidates(const grz_ray_group *group)
{
    ray_set set = {{0}};
    put_rays(&set, group->rays.linked, group->rays.linked_count);
    put_rays(&set, group->walls.rays, group->walls.count);
    if (group->has_unsearched) {
        put_unsearched(&set, group);
    }
    return set;
}

// Lists them, and returns how many.
static uint32_t list_candidates(const grz_ray_group *group, uint32_t rays[GRZ_RAYS_AT_ONCE])
{
    const ray_set set = find_candidates(group);
    uint32_t count = 0;
    for (uint32_t word = 0; word < GRZ_RAYS_AT_ONCE / 64; ++word) {
        for (uint64_t left = set.words[word]; left; left &= left - 1) {
            rays[count++] = word * 64 + grz_lowest_bit(left);
        }
    }
    return count;
}

_Static_assert((int)GRZ_RAYS_AT_ONCE <= (int)GRZ_ADJACENCY_PREFETCHED,
               "a group is prefetched at once");

// Rows may lie in any order: what is needed of them is prefetched far ahead.
static void prefetch_needs(const grz_ray_group *group, const uint32_t *rays, uint32_t count)
{
    uint32_t rows[GRZ_RAYS_AT_ONCE];
    if (count == 0) {
        return;
    }
    for (uint32_t k = 0; k < count; ++k) {
        rows[k] = group->rays.rows[rays[k]];
    }
    grz_adjacency_prefetch(group->world, rows, count);
}

// Masses may be by index, in no order of the rays. So they are loaded side by side, in a loop of
// their own: what is prefetched from other pages may be left out.
static void load_masses(outcome_search *search, const uint32_t *rays, uint32_t count)
{
    const grz_ray_group *group = search->group;
    for (uint32_t k = 0; k < count; ++k) {
        search->mass[rays[k]] = grz_mass_at(group->world, group->rays.rows[rays[k]]);
    }
}

// HOT. bench: engine/step/bullets-terrain
//
// Data    Position, end and traits of a row, and the cells that it passes; for rays that touch
//         something their mass, touches, candidate pairs and walls; 84 bytes of those spent
//         written.
// Branch  Rays that may touch something are listed first, because they cannot be predicted.
void grz_ray_group_find_outcomes(grz_ray_group *group, grz_ray_outcomes *outcomes)
{
    uint32_t rays[GRZ_RAYS_AT_ONCE];
    const uint32_t count = list_candidates(group, rays);
    prefetch_needs(group, rays, count);
    outcome_search search;
    search.group = group;
    search.outcomes = outcomes;
    load_masses(&search, rays, count);
    for (uint32_t k = 0; k < count; ++k) {
        find_outcome(&search, rays[k]);
    }
    if (group->walls.count) {
        fill_wall_points(&search);
    }
}
