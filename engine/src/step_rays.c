#include <graze/orient.h>

#include "bodies.h"
#include "event_foresee.h"
#include "links.h"
#include "meet.h"
#include "parallel.h"
#include "prefetch.h"
#include "rays.h"
#include "rows.h"
#include "step.h"
#include "terrain.h"
#include "vec2d.h"

// Rays stop nobody: they come last, when all other courses are known, and none depends on another.
//
// Most rays touch nothing. Of those that do, most are bullets that the first thing they hit spends:
// what comes after it is void, whatever it is, so the first is all that has to be found. Such a ray
// is plain: its next hit is its last, nothing it met in the last step can keep it from being one,
// and up to there it goes straight. What it touches of round bodies on fixed courses Decide has
// found; here the walls of many rays are found together, and the first of all is chosen.
//
// That only reads the world: threads take a block of rows each. Then each block lists those that
// are spent; all other rays go the general way, one after the other, by events (step_respond.c), to
// the same end.

enum { NEAR_WALLS = 1024, BLOCK_ROWS = 1024 };

/// A wall that a ray may come to on its way, or beside it by a rounding.
typedef struct near_wall {
    graze_segment wall;
    uint32_t chain;
    uint32_t next; ///< Of the same ray; GRZ_NONE: none.
} near_wall;

/// Some free rays, in the order of their rows.
typedef struct ray_group {
    const graze_world *world;
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

// Loads the free rays from `row` on, up to `end`, that may meet anything; returns the row to go on
// with.
static uint32_t load_rays(ray_group *group, uint32_t row, uint32_t end)
{
    const graze_world *world = group->world;
    const grz_rows *rows = &world->rows;
    const uint32_t kinds = GRZ_TRAIT_KIND;
    const bool all = world->segment_count || world->all_by_events;
    uint32_t count = 0;
    for (; row < end && count < GRZ_RAYS_AT_ONCE; ++row) {
        const uint32_t traits = rows->traits[row];
        group->rows[count] = row;
        group->from[count] = rows->position[row];
        group->to[count] = rows->end[row];
        count += ((traits & kinds) == GRAZE_SHAPE_RAY) & ((traits & GRZ_TRAIT_FREE) != 0) &
                 (all | (grz_link_first(world, row) != GRZ_NONE));
    }
    group->count = count;
    return row;
}

// What of a ray tells whether it meets a wall. Where no body has a filter, none of the game's is
// asked, and all are alike: the cold part is left alone.
static grz_mover mover_of(const graze_world *world, uint32_t row)
{
    static const graze_filter plain = {1, UINT32_MAX, 0};
    grz_mover ray = {.kind = GRAZE_SHAPE_RAY, .filter = &plain};
    if (world->filter_count || world->filter) {
        ray.filter = grz_filter_of(world, world->rows.index[row]);
        ray.body = grz_row_id(&world->rows, row);
    }
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

/// What a ray touches first.
typedef struct first_touch {
    enum { NOTHING, WALL, TOUCH, MEETING } of;
    uint32_t place; ///< Among the touches or meetings.
    double time;
    uint64_t rank; ///< By the ids of the two: the order of equal times.
} first_touch;

static void keep_earlier(first_touch *first, const first_touch *other)
{
    const bool earlier =
        (other->time < first->time) | ((other->time == first->time) & (other->rank < first->rank));
    if (first->of == NOTHING || earlier) {
        *first = *other;
    }
}

static uint64_t rank_rows(const graze_world *world, uint32_t row, uint32_t other)
{
    const uint64_t first = world->rows.index[row];
    const uint64_t second = world->rows.index[other];
    return first < second ? first << 32 | second : second << 32 | first;
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

static bool find_meeting(const graze_world *world, uint32_t place, first_touch *found)
{
    const grz_meeting *meeting = &world->meetings.data[place];
    grz_touch touch;
    if (is_clear_miss(world, meeting) || !grz_meeting_touches(world, meeting, 0, &touch)) {
        return false;
    }
    const first_touch met = {MEETING, place, touch.time,
                             rank_rows(world, meeting->row_a, meeting->row_b)};
    *found = met;
    return true;
}

static first_touch touch_at(const graze_world *world, uint32_t place)
{
    const grz_ray_touch *touch = &world->ray_touches.data[place];
    const first_touch found = {TOUCH, place, touch->time,
                               rank_rows(world, touch->ray, touch->other)};
    return found;
}

static void find_first_body(const graze_world *world, uint32_t row, first_touch *first)
{
    for (uint32_t link = grz_link_first(world, row); link != GRZ_NONE;
         link = grz_link_next(world, link)) {
        first_touch found;
        if (!grz_link_is_meeting(world, link)) {
            found = touch_at(world, grz_link_touch(world, link));
        } else if (!find_meeting(world, grz_link_meeting(link), &found)) {
            continue;
        }
        keep_earlier(first, &found);
    }
}

// Of equal times walls come before bodies.
static first_touch find_first(const ray_group *group, uint32_t ray)
{
    const double wall_time = group->walls.time[ray];
    first_touch first = {NOTHING, 0, 2, 0};
    if (wall_time <= 1) {
        const first_touch wall = {WALL, 0, wall_time, 0};
        first = wall;
    }
    find_first_body(group->world, group->rows[ray], &first);
    return first;
}

static graze_segment_id segment_of(const ray_group *group, uint32_t ray)
{
    const uint64_t id = group->walls.id[ray];
    const uint32_t chain = (uint32_t)(id >> 32);
    const graze_segment_id segment = {{chain, group->world->chains[chain].generation},
                                      (uint32_t)id};
    return segment;
}

// The other body of a touch that is not with a wall.
static uint32_t other_of(const graze_world *world, const first_touch *first, uint32_t row)
{
    if (first->of == TOUCH) {
        return world->ray_touches.data[first->place].other;
    }
    const grz_meeting *meeting = &world->meetings.data[first->place];
    return meeting->row_a == row ? meeting->row_b : meeting->row_a;
}

static bool is_solid(const ray_group *group, uint32_t ray, const first_touch *first)
{
    const graze_world *world = group->world;
    if (first->of == WALL) {
        return !world->chains[group->walls.id[ray] >> 32].sensor;
    }
    return grz_is_solid(world->rows.traits[other_of(world, first, group->rows[ray])]);
}

static bool is_plain(const graze_world *world, uint32_t row)
{
    const uint32_t traits = world->rows.traits[row];
    return (traits & (GRZ_TRAIT_TURNS | GRZ_TRAIT_LAST)) == GRZ_TRAIT_LAST &&
           !world->all_by_events && !grz_has_met_before(world, world->rows.index[row]);
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

static void fill_touch(const graze_world *world, const grz_ray_touch *touch, graze_contact *contact)
{
    const graze_body_id ray = grz_row_id(&world->rows, touch->ray);
    const graze_body_id other = grz_row_id(&world->rows, touch->other);
    const bool in_order = ray.index < other.index;
    const graze_segment_id none = {{0, 0}, 0};
    contact->a = in_order ? ray : other;
    contact->b = in_order ? other : ray;
    contact->segment = none;
    contact->time = (float)touch->time + 0.0f;
    contact->point = touch->point;
    contact->normal = touch->normal;
    contact->depth = touch->depth;
}

// Fills the contact in which the ray is spent. Returns whether it is blocked there, if it responds.
static bool fill_contact(const ray_group *group, uint32_t ray, const first_touch *first,
                         graze_contact *contact)
{
    const graze_world *world = group->world;
    grz_touch touch;
    if (first->of == TOUCH) {
        const grz_ray_touch *found = &world->ray_touches.data[first->place];
        fill_touch(world, found, contact);
        return found->comes_in != 0;
    }
    if (first->of == WALL) {
        const graze_segment wall = {group->walls.a[ray], group->walls.b[ray]};
        grz_touch_by_ray(group->from[ray], group->to[ray], wall, &touch);
        *contact =
            grz_contact_of(world, group->rows[ray], GRZ_NONE, segment_of(group, ray), &touch);
        return true;
    }
    const grz_meeting *meeting = &world->meetings.data[first->place];
    const graze_segment_id none = {{0, 0}, 0};
    grz_meeting_touches(world, meeting, 0, &touch);
    *contact = grz_contact_of(world, meeting->row_a, meeting->row_b, none, &touch);
    return touch.approach > 0;
}

static void spend(const ray_group *group, uint32_t ray, const first_touch *first,
                  grz_ray_fate *fate)
{
    const uint32_t traits = group->world->rows.traits[group->rows[ray]];
    const bool comes_in = fill_contact(group, ray, first, &fate->contact);
    const bool blocked = comes_in && (traits & GRZ_TRAIT_RESPONDS);
    fate->contact.flags = (uint32_t)GRAZE_CONTACT_SPENT |
                          (blocked ? (uint32_t)GRAZE_CONTACT_BLOCKED : 0u) |
                          (traits & GRZ_TRAIT_SENSOR ? (uint32_t)GRAZE_CONTACT_SENSOR : 0u);
    fate->at = find_point(group, ray, first->time);
}

// Returns false when nothing becomes of it.
static bool find_fate(const ray_group *group, uint32_t ray, grz_ray_fate *fate)
{
    fate->row = group->rows[ray];
    fate->is_open = true;
    if (group->searched[ray] == GRAZE_NOT_SEARCHED || group->world->all_by_events) {
        return true;
    }
    const first_touch first = find_first(group, ray);
    if (first.of == NOTHING) {
        return false;
    }
    if (is_plain(group->world, fate->row) && is_solid(group, ray, &first)) {
        fate->is_open = false;
        spend(group, ray, &first, fate);
    }
    return true;
}

static bool has_candidates(const ray_group *group, uint32_t ray)
{
    return (grz_link_first(group->world, group->rows[ray]) != GRZ_NONE) |
           (group->walls.time[ray] <= 1) | (group->searched[ray] == GRAZE_NOT_SEARCHED) |
           group->world->all_by_events;
}

_Static_assert((int)GRZ_RAYS_AT_ONCE <= (int)GRZ_LINKS_ASKED, "a group is asked for at once");

// Where rows are in order what the rays need is near. Elsewhere it is asked for far ahead.
static void ask_for_needs(const ray_group *group, const uint32_t *rays, uint32_t count)
{
    uint32_t rows[GRZ_RAYS_AT_ONCE];
    if (group->world->places_are_rows) {
        return;
    }
    for (uint32_t k = 0; k < count; ++k) {
        rows[k] = group->rows[rays[k]];
    }
    grz_links_ask(group->world, rows, count);
}

// HOT. bench: engine/step/bullets-terrain
//
// Data    Position, end and traits of a row, and the cells that it passes; of those that touch
//         something their touches, meetings and walls; 76 bytes written.
// Branch  Which rays have anything to touch is listed first: it cannot be guessed.
static uint32_t find_fates(const ray_group *group, grz_ray_fate *fates)
{
    uint32_t rays[GRZ_RAYS_AT_ONCE];
    uint32_t count = 0;
    for (uint32_t i = 0; i < group->count; ++i) {
        rays[count] = i;
        count += has_candidates(group, i);
    }
    ask_for_needs(group, rays, count);
    uint32_t found = 0;
    for (uint32_t k = 0; k < count; ++k) {
        found += find_fate(group, rays[k], &fates[found]);
    }
    return found;
}

static void find_block(void *context, uint32_t block, uint32_t first, uint32_t end)
{
    graze_world *world = context;
    grz_ray_fate *fates = world->fates.data + (first - world->fates_from);
    grz_fate_block found = {0, 0, 0};
    ray_group group;
    group.world = world;
    group.loops = grz_ray_loops_for(world->lanes);
    for (uint32_t row = first; row < end;) {
        row = load_rays(&group, row, end);
        find_walls(&group);
        found.count += find_fates(&group, fates + found.count);
    }
    for (uint32_t k = 0; k < found.count; ++k) {
        found.spent += !fates[k].is_open;
    }
    world->fate_blocks.data[block] = found;
}

static grz_ray_fate *fates_of(const graze_world *world, uint32_t block)
{
    return world->fates.data + (size_t)block * BLOCK_ROWS;
}

// Lists those of a block that are spent, in room that the blocks share.
static void spend_block(void *context, uint32_t block, uint32_t first, uint32_t end)
{
    graze_world *world = context;
    const grz_fate_block *of = &world->fate_blocks.data[block];
    const grz_ray_fate *fates = fates_of(world, block);
    grz_spent *spent = world->spent.data + world->spent.count + of->first;
    graze_contact *contacts = world->fresh.data + world->fresh.count + of->first;
    (void)first;
    (void)end;
    for (uint32_t k = 0; k < of->count; ++k) {
        if (!fates[k].is_open) {
            const grz_spent own = {fates[k].row, world->rows.index[fates[k].row], fates[k].at};
            *spent++ = own;
            *contacts++ = fates[k].contact;
        }
    }
}

// Returns false when there is no memory.
static bool let_be_spent(graze_world *world, uint32_t blocks)
{
    uint32_t sum = 0;
    for (uint32_t block = 0; block < blocks; ++block) {
        world->fate_blocks.data[block].first = sum;
        sum += world->fate_blocks.data[block].spent;
    }
    if (!grz_array_reserve_more(&world->spent, &world->counting, sum) ||
        !grz_array_reserve_more(&world->fresh, &world->counting, sum)) {
        return false;
    }
    grz_run_blocks(world, blocks, 1, spend_block, world);
    world->spent.count += sum;
    world->fresh.count += sum;
    world->hit_count += sum;
    return true;
}

static bool let_others_respond(graze_world *world, uint32_t block)
{
    const grz_fate_block of = world->fate_blocks.data[block];
    const grz_ray_fate *fates = fates_of(world, block);
    for (uint32_t k = 0; of.spent < of.count && k < of.count; ++k) {
        if (fates[k].is_open && !grz_respond_by_events(world, fates[k].row)) {
            return false;
        }
    }
    return true;
}

// A bit for each index that takes part in a touch of the last step.
bool grz_note_met_before(graze_world *world)
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

// One block after the other takes the same room, and the caches keep it.
static bool respond_in_turn(graze_world *world)
{
    for (uint32_t first = 0; first < world->active_count; first += BLOCK_ROWS) {
        const uint32_t rest = world->active_count - first;
        world->fates_from = first;
        find_block(world, 0, first, first + (rest < BLOCK_ROWS ? rest : BLOCK_ROWS));
        if (!let_be_spent(world, 1) || !let_others_respond(world, 0)) {
            return false;
        }
    }
    return true;
}

static bool respond_at_once(graze_world *world, uint32_t blocks)
{
    world->fates_from = 0;
    grz_run_blocks(world, world->active_count, BLOCK_ROWS, find_block, world);
    if (!let_be_spent(world, blocks)) {
        return false;
    }
    for (uint32_t block = 0; block < blocks; ++block) {
        if (!let_others_respond(world, block)) {
            return false;
        }
    }
    return true;
}

// The game's own filter is asked on the game's own thread.
bool grz_step_rays(graze_world *world)
{
    const graze_allocator *allocator = &world->counting;
    const uint32_t blocks = grz_count_blocks(world->active_count, BLOCK_ROWS);
    const bool at_once = world->parallel && !world->filter && blocks > 1;
    const size_t room = at_once ? world->active_count : BLOCK_ROWS;
    if (!grz_array_reserve(&world->fates, allocator, room) ||
        !grz_array_reserve(&world->fate_blocks, allocator, at_once ? blocks : 1)) {
        return false;
    }
    return at_once ? respond_at_once(world, blocks) : respond_in_turn(world);
}
