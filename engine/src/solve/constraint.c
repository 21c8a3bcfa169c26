// The contacts of rigid bodies, by key: with each other, with driven ones, and with terrain.

#include "solve/constraint.h"
#include "collide/joint.h"
#include "collide/pair_sweep.h"
#include "collide/terrain_sweep.h"
#include "collide/tolerance.h"
#include "fault.h"
#include "likely.h"
#include "solve/manifold.h"
#include "solve/solve.h"
#include "world/contact_keys.h"
#include "world/parallel.h"

#include <math.h>
#include <string.h>

// What is kept is in the same order as the contacts: a cursor in each goes along.

static const graze_body_id no_body = {0, 0};

// --- Bodies ---

// What slides or stops is not thrown back.
static bool throws_back(const grz_bodies *bodies, grz_row row)
{
    return bodies->cold.data[bodies->rows.index[row]].response >= (uint8_t)GRAZE_BOUNCE;
}

// Two bounce apart if one that gives way is thrown back.
static bool is_thrown(const grz_bodies *bodies, grz_row row)
{
    return throws_back(bodies, row) && !(bodies->rows.traits[row] & GRZ_TRAIT_INFINITE_MASS);
}

// Springs give way to what a game presses together, and throw it when the game lets go: so it has
// none. But stacks need theirs: what turns keeps them while it is slow.
static bool is_steered(const graze_world *world, const grz_contact_body *body, uint32_t traits)
{
    return (traits & GRZ_TRAIT_STEERED) &&
           (!body->turns || length_of(widen(body->velocity)) * (double)world->call.dt >
                                (double)body->size * grz_slow_way);
}

static void begin_body(const graze_world *world, grz_slot slot, grz_contact_body *body)
{
    const grz_rows *rows = &world->bodies.rows;
    const grz_row row = world->solve.row_of_slot.data[slot];
    const bool is_rect = grz_has_sides(rows->traits[row]), falls = slot < world->solve.rigid_count;
    const graze_vec2 now = rows->velocity[row], then = falls ? rows->end_velocity[row] : now;
    body->position = widen(rows->position[row]);
    body->velocity = now;
    body->change = (graze_vec2){then.x - now.x, then.y - now.y};
    body->end = rows->end[row];
    body->spin = grz_spin_of(rows, row);
    body->reach = grz_round_reach(rows, row);
    body->size = (float)grz_size_of(world, row);
    body->half = rows->half[row];
    body->rotation = grz_rotation_of(rows, row);
    body->surface = grz_material_of(world, rows->index[row]).surface;
    body->id = grz_row_id(rows, row);
    body->radius = is_rect ? 0 : rows->half[row].x;
    body->is_rect = is_rect;
    body->turns = grz_turns_by_contacts(world, row);
    body->throws_back = throws_back(&world->bodies, row);
    body->inverse_mass = falls ? 1 / grz_material_of(world, rows->index[row]).mass : 0;
    body->is_steered = is_steered(world, body, rows->traits[row]);
}

static void begin_some(void *context, uint32_t block, uint32_t first, uint32_t end)
{
    graze_world *world = context;
    const grz_solve *solve = &world->solve;
    (void)block;
    for (grz_slot slot = first; slot < end; ++slot) {
        begin_body(world, slot, &solve->contact_bodies.data[slot]);
    }
}

static bool begin_bodies(graze_world *world)
{
    grz_solve *solve = &world->solve;
    if (!grz_array_reserve(&solve->contact_bodies, &world->config.counting,
                           (size_t)solve->slot_count + 2)) {
        return false;
    }
    grz_run_blocks(world, solve->slot_count, GRZ_BLOCK_SLOTS, begin_some, world);
    return true;
}

// --- Surfaces ---

static inline grz_mixed_surface mix(const graze_surface *a, const graze_surface *b, bool throws,
                                    double speed_b)
{
    const float restitution = max_float(a->restitution, b->restitution);
    const grz_mixed_surface mixed = {
        a->friction == b->friction ? a->friction + 0.0f // To the bit: the product is exact.
                                   : (float)grz_sqrt((double)a->friction * (double)b->friction),
        restitution > 0 && throws ? restitution : 0,
        max_float(a->rolling_resistance, b->rolling_resistance),
        (float)((double)a->speed + speed_b),
    };
    return mixed;
}

// A belt moves along the surface, to the right as seen from inside, and along a chain.
static grz_mixed_surface mix_with_wall(const grz_terrain *terrain, const graze_surface *a,
                                       bool throws, graze_segment_id segment, graze_vec2d normal)
{
    const grz_chain *chain = &terrain->chains[segment.chain.index];
    const graze_surface b = grz_chain_surface(chain, segment.index);
    if (b.speed == 0) {
        return mix(a, &b, throws, 0);
    }
    const graze_segment wall = grz_chain_wall(chain, segment.index);
    const double along_wall = cross(normal, unit_or(offset(wall.b, wall.a), vec2d(0, 0)));
    return mix(a, &b, throws, (double)b.speed * along_wall);
}

grz_mixed_surface grz_mix_surfaces(const graze_world *world, grz_row row_a, grz_row row_b,
                                   graze_segment_id segment, graze_vec2d normal)
{
    const uint32_t *index = world->bodies.rows.index;
    const graze_surface a = grz_material_of(world, index[row_a]).surface;
    if (row_b == GRZ_NONE) {
        return mix_with_wall(&world->terrain, &a, throws_back(&world->bodies, row_a), segment,
                             normal);
    }
    const graze_surface b = grz_material_of(world, index[row_b]).surface;
    return mix(&a, &b, is_thrown(&world->bodies, row_a) || is_thrown(&world->bodies, row_b),
               (double)b.speed);
}

static void set_surface(grz_constraint_contact *contact, grz_mixed_surface mixed, float radius)
{
    contact->friction = mixed.friction;
    contact->restitution = mixed.restitution;
    contact->rolling = mixed.rolling * radius;
    contact->slip = mixed.slip;
}

// --- Speeds ---

static inline graze_vec2d velocity_at(const grz_contact_body *body, graze_vec2 lever)
{
    return along(widen(body->velocity), left_of(widen(lever)), (double)body->spin);
}

// How fast the two come together before gravity, and after it, before anything holds them. Terrain,
// which is null, stands.
static inline void find_approach(grz_constraint_contact *contact, const grz_contact_body *body_a,
                                 const grz_contact_body *body_b)
{
    double most = -(double)INFINITY;
    for (uint32_t k = 0; k < contact->manifold.count; ++k) {
        const graze_vec2d a = velocity_at(body_a, contact->manifold.levers_a[k]);
        const graze_vec2d b =
            body_b ? velocity_at(body_b, contact->manifold.levers_b[k]) : vec2d(0, 0);
        const double speed = dot(subtract(a, b), widen(contact->manifold.normal));
        contact->approaches[k] = (float)speed;
        most = max_double(most, speed);
    }
    const graze_vec2d change_a = widen(body_a->change);
    const graze_vec2d change = body_b ? subtract(change_a, widen(body_b->change)) : change_a;
    contact->speed = (float)(most + dot(change, widen(contact->manifold.normal)));
    contact->approach = (float)(0.5 * (most + absolute(most))); // No branch: the sign is random.
}

// --- Warm starting ---

static uint64_t number_of(const graze_contact_end *key)
{
    return (uint64_t)key->a.index << 32 | key->b.index;
}

// Returns what is kept under a key, or null. Keys must grow from call to call.
static GRZ_APART const grz_cached_contact *find_kept(grz_cache_cursor *cursor,
                                                     const graze_contact_end *key)
{
    const grz_cached_contact *cache = cursor->cache->data;
    const uint32_t count = cursor->cache->count;
    const uint64_t number = number_of(key);
    uint32_t k = cursor->place;
    int order = -1;
    while (k < count && number_of(&cache[k].key) < number) {
        ++k;
    }
    while (k < count && number_of(&cache[k].key) == number && order < 0) {
        order = grz_compare_keys(&cache[k++].key, key);
    }
    cursor->place = order > 0 ? k - 1 : k;
    return order == 0 ? &cache[k - 1] : NULL;
}

static bool is_near_point(graze_vec2 first, graze_vec2 second, double distance)
{
    const graze_vec2d apart = offset(first, second);
    return dot(apart, apart) < distance * distance;
}

static void keep_impulses(grz_constraint_contact *contact, const grz_cached_contact *kept)
{
    contact->kept = true;
    contact->jams = kept->features[0] == GRZ_NONE;
    contact->friction_impulse = kept->friction_impulse;
    contact->rolling_impulse = kept->rolling_impulse;
}

// What held other masses would throw what is lighter now: it is for each mass what it was.
static void lighten(grz_constraint_contact *contact, const grz_cached_contact *kept)
{
    bool lighter = kept->inverse_mass < contact->inverse_mass;
    GRZ_FAULT(impulses_of_other_masses, lighter = false);
    if (lighter) {
        grz_scale_impulses(contact, kept->inverse_mass / contact->inverse_mass);
    }
}

// A point that the last step had too begins with the impulse that it had then: by its features or,
// if these have changed, by its place.
static void warm_start(grz_constraint_contact *contact, const grz_cached_contact *kept, double size)
{
    const grz_manifold *manifold = &contact->manifold;
    if (dot(widen(kept->normal), widen(manifold->normal)) < grz_same_normal) {
        return;
    }
    keep_impulses(contact, kept);
    for (uint32_t k = 0; k < manifold->count; ++k) {
        for (uint32_t i = 0; i < kept->count; ++i) {
            const bool same = kept->features[i] == manifold->features[k] && contact->made;
            if (same ||
                is_near_point(kept->levers_a[i], manifold->levers_a[k], grz_same_point * size)) {
                contact->impulses[k] = kept->impulses[i];
                break;
            }
        }
    }
    lighten(contact, kept);
}

// --- Pairs of bodies ---

/// The two bodies of a pair, and where they are.
typedef struct body_pair {
    const grz_contact_body *a, *b;
    graze_vec2d apart; ///< From a's centre to b's.
    double size;       ///< The smaller half extent of both.
} body_pair;

static inline body_pair bodies_of(const grz_solve *solve, const grz_solver_pair *pair)
{
    const grz_contact_body *a = &solve->contact_bodies.data[pair->a];
    const grz_contact_body *b = &solve->contact_bodies.data[pair->b];
    const body_pair both = {a, b, subtract(b->position, a->position),
                            (double)min_float(a->size, b->size)};
    return both;
}

// What is kept of a pair is mostly what comes next.
static inline const grz_cached_contact *find_kept_pair(grz_cache_cursor *cursor,
                                                       const body_pair *both)
{
    const grz_contact_cache *cache = cursor->cache;
    const uint32_t place = cursor->place;
    if (place < cache->count && grz_is_same_id(cache->data[place].key.a, both->a->id) &&
        grz_is_same_id(cache->data[place].key.b, both->b->id)) {
        cursor->place = place + 1;
        return &cache->data[place];
    }
    const graze_contact_end key = {.a = both->a->id, .b = both->b->id};
    return find_kept(cursor, &key);
}

static inline graze_vec2d moves_apart(const body_pair *both)
{
    return subtract(subtract(widen(both->b->end), both->b->position),
                    subtract(widen(both->a->end), both->a->position));
}

/// How two bodies have turned since a manifold was made.
typedef struct pair_turn {
    graze_rotation a, b;
} pair_turn;

static inline pair_turn find_turn(const grz_cached_contact *kept, const body_pair *both)
{
    const pair_turn turn = {grz_rotation_between(kept->rotation_a, both->a->rotation),
                            grz_rotation_between(kept->rotation_b, both->b->rotation)};
    return turn;
}

static inline bool may_keep_manifold(const grz_cached_contact *kept, const body_pair *both,
                                     const pair_turn *turn)
{
    const graze_rotation turned = grz_rotation_between(turn->a, turn->b);
    const graze_vec2d moved = subtract(both->apart, grz_turned(widen(kept->offset), turn->a));
    const double reach = max_double(both->a->reach, both->b->reach);
    const double left = grz_contact_margin * both->size - absolute((double)turned.sine) * reach;
    return (left >= 0) & (dot(moved, moved) <= squared(left)) & (turned.cosine > 0) &
           ((double)turn->a.cosine > grz_same_normal) & (kept->count > 0);
}

// Normal and levers have turned with neither body, but the points have.
static inline void keep_manifold(grz_constraint_contact *contact, const grz_cached_contact *kept,
                                 const body_pair *both, const pair_turn *turn)
{
    grz_manifold *manifold = &contact->manifold;
    const graze_vec2d normal = widen(kept->normal);
    grz_manifold_clear(manifold, 0);
    for (uint32_t k = 0; k < kept->count; ++k) {
        const graze_vec2d on_a = grz_turned(widen(kept->levers_a[k]), turn->a);
        const graze_vec2d on_b = grz_turned(widen(kept->levers_b[k]), turn->b);
        manifold->gaps[k] = (float)dot(normal, subtract(add(both->apart, on_b), on_a));
    }
    manifold->count = kept->count;
    manifold->normal = kept->normal;
    memcpy(manifold->features, kept->features, sizeof kept->features);
    memcpy(manifold->levers_a, kept->levers_a, sizeof kept->levers_a);
    memcpy(manifold->levers_b, kept->levers_b, sizeof kept->levers_b);
    contact->offset = kept->offset;
    contact->rotation_a = kept->rotation_a;
    contact->rotation_b = kept->rotation_b;
}

static inline grz_figure figure_of(const grz_contact_body *body)
{
    const grz_figure figure = {body->is_rect ? GRAZE_SHAPE_RECT : GRAZE_SHAPE_CIRCLE, body->half,
                               body->rotation};
    return figure;
}

// The manifold at the place where two that are apart touch on their ways; its gaps are those now.
static void find_manifold_ahead(const body_pair *both, grz_manifold *manifold)
{
    const graze_vec2d move = moves_apart(both);
    const grz_figure a = figure_of(both->a), b = figure_of(both->b);
    const graze_sweep sweep = grz_sweep_figures(&a, &b, negate(both->apart), negate(move));
    grz_manifold_clear(manifold, 0);
    if (!sweep.hit) {
        return;
    }
    const graze_vec2d way = scale(move, sweep.time);
    grz_manifold_find(&a, &b, add(both->apart, way), grz_contact_slop * both->size, manifold);
    for (uint32_t k = 0; k < manifold->count; ++k) {
        manifold->gaps[k] -= (float)dot(way, widen(manifold->normal));
    }
    // Beside it now, and so at a corner of it: what leads it before it may be held by others.
    const graze_vec2d side = left_of(widen(manifold->normal));
    const double beside = grz_reach_of_figure(&a, side) + grz_reach_of_figure(&b, side) -
                          absolute(dot(both->apart, side));
    bool has_corners = ((uint32_t)a.kind | (uint32_t)b.kind) & GRAZE_SHAPE_RECT;
    GRZ_FAULT(corners_that_come, has_corners = false);
    manifold->at_end =
        has_corners && (manifold->at_end || beside < grz_contact_margin * both->size);
}

static void find_manifold(const body_pair *both, grz_manifold *manifold)
{
    const grz_figure a = figure_of(both->a), b = figure_of(both->b);
    grz_manifold_find(&a, &b, both->apart, grz_contact_margin * both->size, manifold);
    if (!manifold->count && !is_surely_shorter(moves_apart(both), (double)manifold->apart)) {
        find_manifold_ahead(both, manifold);
    }
}

// The place of the next contact. It becomes one of the list when it is counted.
static grz_constraint_contact *next_contact(const grz_contact_finder *finder, grz_slot a,
                                            grz_slot b)
{
    grz_constraint_contact *contact = &finder->contacts[finder->contact_count];
    memset(contact, 0, offsetof(grz_constraint_contact, key));
    contact->a = a;
    contact->b = b;
    contact->pack = GRZ_NONE;
    return contact;
}

static grz_constraint_contact *next_of_pair(const grz_contact_finder *finder,
                                            const grz_solver_pair *pair, const body_pair *both)
{
    grz_constraint_contact *contact = next_contact(finder, pair->a, pair->b);
    contact->key.a = both->a->id;
    contact->key.b = both->b->id;
    contact->key.segment = grz_no_segment;
    contact->fixed = pair->fixed;
    contact->firm = both->a->is_steered || both->b->is_steered;
    GRZ_FAULT(springs_in_hordes, contact->firm = false);
    return contact;
}

static void set_pair(grz_constraint_contact *contact, const body_pair *both)
{
    const grz_contact_body *a = both->a, *b = both->b;
    const grz_mixed_surface mixed =
        mix(&a->surface, &b->surface, a->throws_back || b->throws_back, (double)b->surface.speed);
    set_surface(contact, mixed, max_float(a->radius, b->radius));
    contact->push = (float)(grz_push_rate * both->size);
    contact->inverse_mass = a->inverse_mass + b->inverse_mass;
    find_approach(contact, a, b);
}

// Whether circles around two are near enough for a contact. May be false if only just so.
static inline bool are_near(const body_pair *both)
{
    return is_surely_shorter(both->apart,
                             both->a->reach + both->b->reach + grz_contact_margin * both->size);
}

// Whether two are too far apart to touch: circles around them, or discs on their ways.
static bool are_out_of_reach(const grz_solver_pair *pair, const body_pair *both, double gap)
{
    const graze_vec2d move = moves_apart(both);
    return pair->is_round ? grz_discs_miss(join_double2(both->apart), join_double2(move),
                                           squared(both->a->reach + both->b->reach))
                          : gap > length_of(move);
}

// Whether they are clearly too far for one.
static bool are_far(grz_solver_pair *pair, const body_pair *both)
{
    const double gap = length_of(both->apart) - both->a->reach - both->b->reach;
    const bool out = are_out_of_reach(pair, both, gap);
    const bool far = (gap > grz_contact_margin * both->size) & out;
    pair->apart = far ? (float)gap : pair->apart;
    return far;
}

// Of two that never turn one point says all: the deeper one, or the middle of both.
GRZ_APART static void join_points(grz_manifold *manifold, double slop)
{
    if (manifold->count < 2) {
        return;
    }
    const double difference = (double)manifold->gaps[1] - (double)manifold->gaps[0];
    const uint32_t deeper = difference < 0;
    const bool even = absolute(difference) <= slop;
    const uint32_t other = even ? 1 - deeper : deeper;
    manifold->levers_a[0] = narrow(
        scale(add(widen(manifold->levers_a[deeper]), widen(manifold->levers_a[other])), 0.5));
    manifold->levers_b[0] = narrow(
        scale(add(widen(manifold->levers_b[deeper]), widen(manifold->levers_b[other])), 0.5));
    manifold->gaps[0] = manifold->gaps[deeper];
    manifold->features[0] = manifold->features[deeper];
    manifold->count = 1;
}

static bool make_pair(grz_solver_pair *pair, const body_pair *both, grz_constraint_contact *contact)
{
    find_manifold(both, &contact->manifold);
    if (contact->made) {
        contact->offset = narrow(both->apart);
        contact->rotation_a = both->a->rotation;
        contact->rotation_b = both->b->rotation;
    }
    pair->apart = contact->manifold.apart;
    if (contact->manifold.count > 1 && !both->a->turns && !both->b->turns) {
        join_points(&contact->manifold, grz_contact_slop * both->size);
    }
    return contact->manifold.count > 0;
}

// Where two rects hardly move relative to each other, normal and levers stay as they are: made anew
// in each step, they would feed energy to a stack that never sleeps.
static void keep_contact(const grz_contact_finder *finder, const grz_solver_pair *pair,
                         const body_pair *both, const grz_cached_contact *kept,
                         const pair_turn *turn)
{
    grz_constraint_contact *contact = next_of_pair(finder, pair, both);
    contact->made = true;
    keep_manifold(contact, kept, both, turn);
    set_pair(contact, both);
    keep_impulses(contact, kept);
    memcpy(contact->impulses, kept->impulses, sizeof kept->impulses);
    lighten(contact, kept);
}

// Discs that touch need no search.
static bool make_contact(grz_contact_finder *finder, grz_solver_pair *pair, const body_pair *both,
                         const grz_cached_contact *kept)
{
    const bool near = are_near(both);
    if (!near && are_far(pair, both)) {
        return false;
    }
    grz_constraint_contact *contact = next_of_pair(finder, pair, both);
    contact->made = both->a->is_rect && both->b->is_rect;
    if (pair->is_round && near) {
        grz_manifold_set_discs(&contact->manifold, both->a->reach, both->b->reach, both->apart,
                               length_of(both->apart));
        pair->apart = 0;
    } else if (!make_pair(pair, both, contact)) {
        return false;
    }
    kept = contact->made ? kept : find_kept_pair(&finder->cursor, both);
    set_pair(contact, both);
    if (kept) {
        warm_start(contact, kept, both->size);
    }
    return true;
}

static bool find_pair(grz_contact_finder *finder, grz_solver_pair *pair)
{
    const body_pair both = bodies_of(&finder->world->solve, pair);
    const bool are_rects = both.a->is_rect && both.b->is_rect;
    const grz_cached_contact *kept = are_rects ? find_kept_pair(&finder->cursor, &both) : NULL;
    if (kept) {
        const pair_turn turn = find_turn(kept, &both);
        if (may_keep_manifold(kept, &both, &turn)) {
            keep_contact(finder, pair, &both, kept, &turn);
            return true;
        }
    }
    return make_contact(finder, pair, &both, kept);
}

// --- Obstacles ---

// The place of the first cached contact of a body with this index or a larger one.
static uint32_t find_cached(const grz_contact_cache *cache, grz_index index)
{
    uint32_t low = 0, high = cache->count;
    GRZ_BISECT(low, high, cache->data[middle].key.a.index < index);
    return low;
}

// Whether a body was in contact with a one-sided wall, or with one that it continues.
static bool met_wall_before(const graze_world *world, const grz_obstacle *wall, grz_row row)
{
    const grz_contact_cache *cache = &world->solve.cache;
    const graze_body_id body = grz_row_id(&world->bodies.rows, row);
    const graze_segment own =
        grz_chain_wall(&world->terrain.chains[wall->segment.chain.index], wall->segment.index);
    for (uint32_t k = find_cached(cache, body.index);
         k < cache->count && cache->data[k].key.a.index == body.index &&
         cache->data[k].key.b.generation == 0;
         ++k) {
        const graze_segment_id met = cache->data[k].key.segment;
        const grz_chain *chain = &world->terrain.chains[met.chain.index];
        if (cache->data[k].key.a.generation != body.generation || !chain->in_world ||
            chain->generation != met.chain.generation || !chain->one_sided) {
            continue;
        }
        const graze_segment other = grz_chain_wall(chain, met.index);
        if (grz_is_same_segment(met, wall->segment) || grz_is_continued_by(own, other)) {
            return true;
        }
    }
    return false;
}

static void list_walls(grz_contact_finder *finder, const grz_met_by *body, grz_slot slot)
{
    const graze_world *world = finder->world;
    const grz_solve *solve = &world->solve;
    for (uint32_t k = grz_first_of(&solve->wall_ends, slot); k < solve->wall_ends.data[slot]; ++k) {
        const grz_wall *wall = &solve->walls.data[k].wall;
        grz_obstacle *own = &finder->obstacles[finder->obstacle_count];
        grz_obstacle_of_wall(world, body, wall, own);
        own->passes = !grz_chain_stops_body(world, own->segment, body->row);
        own->met_before = own->one_sided && met_wall_before(world, own, body->row);
        ++finder->obstacle_count;
    }
}

void grz_finder_add(grz_contact_finder *finder, const grz_met_by *body, grz_row row)
{
    grz_obstacle_of_row(finder->world, body, row, &finder->obstacles[finder->obstacle_count++]);
}

static void list_driven(grz_contact_finder *finder, const grz_met_by *body, grz_slot slot)
{
    const grz_solve *solve = &finder->world->solve;
    for (uint32_t k = grz_first_of(&solve->pair_ends, slot); k < solve->pair_ends.data[slot]; ++k) {
        if (solve->pairs.data[k].fixed) {
            grz_finder_add(finder, body, solve->pairs.data[k].row_b);
        }
    }
}

static uint32_t most_obstacles(const grz_solve *solve, grz_slot slot)
{
    return grz_count_of(&solve->wall_ends, slot) + grz_count_of(&solve->pair_ends, slot) +
           grz_count_of(&solve->partner_ends, slot);
}

void grz_finder_list(grz_contact_finder *finder, const grz_met_by *body, grz_slot slot)
{
    finder->obstacle_count = 0;
    list_walls(finder, body, slot);
    list_driven(finder, body, slot);
}

// Apart: where gcc 12 packs two doubles, rounds them to floats and widens these in one function, it
// takes them for what they were.
//
// A disc is met along its normal: so its spin is no speed of it.
GRZ_APART static void set_manifold(grz_constraint_contact *contact, const grz_met_by *body,
                                   const grz_obstacle *obstacle)
{
    grz_manifold *manifold = &contact->manifold;
    const graze_vec2d normal = negate(obstacle->normal);
    const graze_vec2d centre =
        along(obstacle->centre, left_of(obstacle->normal), obstacle->aside); // When they touch.
    grz_manifold_clear(manifold, 0);
    manifold->normal = narrow(normal);
    for (uint32_t k = 0; k < obstacle->point_count; ++k) {
        const graze_vec2d point =
            body->is_round ? scale(obstacle->normal, obstacle->plane) : obstacle->points[k];
        const graze_vec2d on_body = along(point, normal, -obstacle->gaps[k]);
        manifold->levers_a[k] = narrow(on_body);
        manifold->levers_b[k] = narrow(subtract(obstacle->points[k], centre));
        manifold->gaps[k] = (float)obstacle->gaps[k];
        manifold->features[k] = k;
    }
    manifold->count = obstacle->point_count;
}

static bool holds(const grz_met_by *body, const grz_obstacle *obstacle)
{
    return !obstacle->dropped && obstacle->gap <= grz_obstacle_margin(body, obstacle);
}

// As find_kept. What is kept of a wall is mostly what comes next, too.
static inline const grz_cached_contact *find_kept_next(grz_cache_cursor *cursor,
                                                       const graze_contact_end *key)
{
    const grz_contact_cache *cache = cursor->cache;
    const uint32_t place = cursor->place;
    if (place < cache->count && grz_is_same_key(&cache->data[place].key, key)) {
        cursor->place = place + 1;
        return &cache->data[place];
    }
    return find_kept(cursor, key);
}

static void end_contact(grz_contact_finder *finder, grz_constraint_contact *contact, double size)
{
    const grz_cached_contact *kept = find_kept_next(&finder->cursor, &contact->key);
    if (kept) {
        warm_start(contact, kept, size);
    }
    ++finder->contact_count;
}

static void add_wall_contact(grz_contact_finder *finder, const grz_met_by *body,
                             const grz_obstacle *obstacle)
{
    const graze_world *world = finder->world;
    const grz_slot slot = world->solve.slot_of_row.data[body->row];
    const grz_contact_body *own = &world->solve.contact_bodies.data[slot];
    grz_constraint_contact *contact = next_contact(finder, slot, grz_terrain_slot(&world->solve));
    contact->key.a = own->id;
    contact->key.b = no_body;
    contact->key.segment = obstacle->segment;
    contact->fixed = true;
    set_manifold(contact, body, obstacle);
    if (!body->turns) {
        join_points(&contact->manifold, body->slop);
    }
    set_surface(contact,
                mix_with_wall(&world->terrain, &own->surface, own->throws_back, obstacle->segment,
                              widen(contact->manifold.normal)),
                own->radius);
    contact->push = (float)(grz_push_rate * body->size);
    contact->inverse_mass = own->inverse_mass;
    find_approach(contact, own, NULL);
    end_contact(finder, contact, body->size);
}

static void add_fixed_contact(grz_contact_finder *finder, const grz_met_by *body,
                              const grz_obstacle *obstacle, const grz_solver_pair *pair)
{
    const body_pair both = bodies_of(&finder->world->solve, pair);
    grz_constraint_contact *contact = next_of_pair(finder, pair, &both);
    set_manifold(contact, body, obstacle);
    if (!body->turns && obstacle->spin == 0) {
        join_points(&contact->manifold, body->slop);
    }
    set_pair(contact, &both);
    end_contact(finder, contact, body->size);
}

// --- One body ---

static void add_walls(grz_contact_finder *finder, const grz_met_by *body, grz_slot slot)
{
    grz_solve *solve = &finder->world->solve;
    const uint32_t first = grz_first_of(&solve->wall_ends, slot);
    for (uint32_t k = first; k < solve->wall_ends.data[slot]; ++k) {
        const grz_obstacle *obstacle = &finder->obstacles[k - first];
        grz_near_wall *near = &solve->walls.data[k];
        near->point = obstacle->points[0];
        near->normal = negate(obstacle->normal);
        near->gap = obstacle->gap;
        if (obstacle->joined != GRZ_NONE) {
            near->contact = solve->walls.data[first + obstacle->joined].contact;
        }
        if (holds(body, obstacle)) {
            near->contact = finder->contact_count;
            add_wall_contact(finder, body, obstacle);
        }
    }
}

static void add_pair_contact(grz_contact_finder *finder, grz_solver_pair *pair)
{
    if (find_pair(finder, pair)) {
        const grz_constraint_contact *contact = &finder->contacts[finder->contact_count];
        pair->contact = finder->contact_count++;
        pair->gap = (float)grz_least_gap(&contact->manifold);
        pair->at_corner = contact->manifold.at_end; // What is round has none.
        pair->is_new = !contact->kept;
    }
}

static void add_driven_contact(grz_contact_finder *finder, const grz_met_by *body,
                               const grz_obstacle *obstacle, grz_solver_pair *pair)
{
    if (holds(body, obstacle)) {
        pair->contact = finder->contact_count;
        add_fixed_contact(finder, body, obstacle, pair);
        pair->gap = (float)grz_least_gap(&finder->contacts[pair->contact].manifold);
        pair->is_new = !finder->contacts[pair->contact].kept;
    }
}

static bool has_obstacles(const grz_solve *solve, grz_slot slot)
{
    bool is_any = grz_count_of(&solve->wall_ends, slot) > 0;
    const uint32_t end = solve->slot_count > solve->rigid_count ? solve->pair_ends.data[slot] : 0;
    for (uint32_t k = grz_first_of(&solve->pair_ends, slot); k < end; ++k) {
        is_any |= solve->pairs.data[k].fixed;
    }
    return is_any;
}

static void find_pairs(grz_contact_finder *finder, uint32_t first, uint32_t end)
{
    grz_solver_pair *pairs = finder->world->solve.pairs.data;
    for (uint32_t k = first; k < end; ++k) {
        if (!pairs[k].fixed) {
            add_pair_contact(finder, &pairs[k]);
        }
    }
}

static void find_beside_obstacles(grz_contact_finder *finder, grz_slot slot)
{
    grz_solve *solve = &finder->world->solve;
    grz_met_by body;
    grz_met_by_fill(finder->world, solve->row_of_slot.data[slot], &body);
    grz_finder_list(finder, &body, slot);
    grz_obstacles_rule(&body, finder->obstacles, finder->obstacle_count);
    grz_obstacles_merge(&body, finder->obstacles, finder->obstacle_count);
    add_walls(finder, &body, slot);
    const grz_obstacle *driven = finder->obstacles + grz_count_of(&solve->wall_ends, slot);
    for (uint32_t k = grz_first_of(&solve->pair_ends, slot); k < solve->pair_ends.data[slot]; ++k) {
        grz_solver_pair *pair = &solve->pairs.data[k];
        if (pair->fixed) {
            add_driven_contact(finder, &body, driven++, pair);
        } else {
            add_pair_contact(finder, pair);
        }
    }
}

// --- Blocks of bodies ---

uint32_t grz_finder_end(const grz_solve *solve, uint32_t block)
{
    return min_u32((block + 1) * GRZ_BLOCK_CONTACTS, solve->rigid_count);
}

// How many contacts a block may have.
static uint32_t room_of_block(const graze_world *world, uint32_t block)
{
    const grz_solve *solve = &world->solve;
    const uint32_t first = block * GRZ_BLOCK_CONTACTS, end = grz_finder_end(solve, block);
    return solve->wall_ends.data[end - 1] - grz_first_of(&solve->wall_ends, first) +
           solve->pair_ends.data[end - 1] - grz_first_of(&solve->pair_ends, first);
}

static uint32_t most_obstacles_of_block(const grz_solve *solve, uint32_t block)
{
    uint32_t count = 0;
    for (grz_slot slot = block * GRZ_BLOCK_CONTACTS; slot < grz_finder_end(solve, block); ++slot) {
        count = max_u32(count, most_obstacles(solve, slot));
    }
    return count;
}

static bool place_obstacles(graze_world *world)
{
    const graze_allocator *allocator = &world->config.counting;
    grz_solve *solve = &world->solve;
    const uint32_t blocks = grz_count_blocks(solve->rigid_count, GRZ_BLOCK_CONTACTS);
    if (!grz_array_reserve(&solve->obstacle_firsts, allocator, blocks)) {
        return false;
    }
    uint32_t obstacles = 0;
    solve->obstacle_firsts.count = blocks;
    for (uint32_t block = 0; block < blocks; ++block) {
        solve->obstacle_firsts.data[block] = obstacles;
        obstacles += most_obstacles_of_block(solve, block);
    }
    // The list is not null: blocks count their places from its start.
    return grz_array_reserve(&solve->obstacles, allocator, (size_t)obstacles + 1);
}

grz_contact_finder grz_finder_of(graze_world *world, uint32_t block,
                                 grz_constraint_contact *contacts, uint32_t first)
{
    const grz_solve *solve = &world->solve;
    const grz_row row = solve->row_of_slot.data[block * GRZ_BLOCK_CONTACTS];
    const grz_contact_finder finder = {
        .world = world,
        .contacts = contacts,
        .contact_count = first,
        .obstacles = solve->obstacles.data + solve->obstacle_firsts.data[block],
        .cursor = {&solve->cache, find_cached(&solve->cache, world->bodies.rows.index[row])},
    };
    return finder;
}

static void find_of_block(graze_world *world, uint32_t block, grz_range *own)
{
    const grz_solve *solve = &world->solve;
    grz_contact_finder finder = grz_finder_of(world, block, own->items, own->first);
    const uint32_t begin = block * GRZ_BLOCK_CONTACTS, end = grz_finder_end(solve, block);
    uint32_t pair = grz_first_of(&solve->pair_ends, begin);
    for (grz_slot slot = begin; slot < end; ++slot) {
        if (has_obstacles(solve, slot)) {
            find_pairs(&finder, pair, grz_first_of(&solve->pair_ends, slot));
            find_beside_obstacles(&finder, slot);
            pair = solve->pair_ends.data[slot];
        }
    }
    find_pairs(&finder, pair, grz_first_of(&solve->pair_ends, end));
    own->count = finder.contact_count - own->first;
}

static void move_contacts_of_block(graze_world *world, uint32_t block, uint32_t by)
{
    grz_solve *solve = &world->solve;
    const grz_slot slot = block * GRZ_BLOCK_CONTACTS, last = grz_finder_end(solve, block) - 1;
    for (uint32_t k = grz_first_of(&solve->pair_ends, slot); k < solve->pair_ends.data[last]; ++k) {
        uint32_t *contact = &solve->pairs.data[k].contact;
        *contact += *contact == GRZ_NONE ? 0 : by;
    }
    for (uint32_t k = grz_first_of(&solve->wall_ends, slot); k < solve->wall_ends.data[last]; ++k) {
        uint32_t *contact = &solve->walls.data[k].contact;
        *contact += *contact == GRZ_NONE ? 0 : by;
    }
}

static bool find_in_blocks(graze_world *world)
{
    grz_solve *solve = &world->solve;
    const grz_finding finding = {
        .list_count = 1,
        .lists = {GRZ_FILLED(&solve->contacts)},
        .apart = {GRZ_FILLED(&solve->apart)},
        .room = room_of_block,
        .find = find_of_block,
        .move = move_contacts_of_block,
    };
    return grz_find_in_blocks(world, &finding, solve->obstacle_firsts.count, &solve->ranges);
}

bool grz_solve_find_contacts(graze_world *world)
{
    grz_solve *solve = &world->solve;
    solve->contacts.count = 0;
    return begin_bodies(world) && grz_solve_find_walls(world) && place_obstacles(world) &&
           find_in_blocks(world) && grz_solve_hide_ghosts(world);
}
