// The contacts of rigid bodies, by key: with each other, with driven ones, and with terrain.

#include "solve/constraint.h"
#include "collide/joint.h"
#include "collide/terrain_sweep.h"
#include "collide/tolerance.h"
#include "likely.h"
#include "solve/manifold.h"
#include "solve/solve.h"
#include "world/contact_keys.h"
#include "world/parallel.h"

#include <math.h>
#include <string.h>

// What is kept is in the same order as the contacts: a cursor in each goes along.

// --- Bodies ---

// What slides or stops is not thrown back.
static bool throws_back(const grz_bodies *bodies, grz_row row)
{
    return bodies->cold.data[bodies->rows.index[row]].response >= (uint8_t)GRAZE_BOUNCE;
}

static grz_contact_body contact_body(const graze_world *world, grz_row row)
{
    const grz_rows *rows = &world->bodies.rows;
    const bool is_round = grz_kind_of(rows->traits[row]) == GRAZE_SHAPE_CIRCLE;
    const grz_contact_body body = {
        .reach = grz_round_reach(rows, row),
        .position = rows->position[row],
        .velocity = rows->velocity[row],
        .end = rows->end[row],
        .rotation = grz_rotation_of(rows, row),
        .spin = grz_spin_of(rows, row),
        .radius = is_round ? rows->half[row].x : 0,
        .surface = grz_material_of(world, rows->index[row]).surface,
        .id = grz_row_id(rows, row),
        .size = (float)grz_least_half(rows, row),
        .throws_back = throws_back(&world->bodies, row),
    };
    return body;
}

static void begin_some(void *context, uint32_t block, uint32_t first, uint32_t end)
{
    graze_world *world = context;
    grz_solve *solve = &world->solve;
    (void)block;
    for (grz_slot slot = first; slot < end; ++slot) {
        solve->contact_bodies.data[slot] = contact_body(world, solve->row_of_slot.data[slot]);
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
        (float)grz_sqrt((double)a->friction * (double)b->friction),
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
    return mix(&a, &b, throws_back(&world->bodies, row_a) || throws_back(&world->bodies, row_b),
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

static inline graze_vec2d velocity_at(graze_vec2 velocity, float spin, graze_vec2 lever)
{
    return along(widen(velocity), left_of(widen(lever)), (double)spin);
}

// How fast the two come together before gravity, and before anything holds them. Terrain, which is
// null, stands.
static inline void find_approach(grz_constraint_contact *contact, const grz_contact_body *body_a,
                                 const grz_contact_body *body_b)
{
    double most = -(double)INFINITY;
    for (uint32_t k = 0; k < contact->manifold.count; ++k) {
        const graze_vec2d a =
            velocity_at(body_a->velocity, body_a->spin, contact->manifold.levers_a[k]);
        const graze_vec2d b =
            body_b ? velocity_at(body_b->velocity, body_b->spin, contact->manifold.levers_b[k])
                   : vec2d(0, 0);
        const double speed = dot(subtract(a, b), widen(contact->manifold.normal));
        contact->approaches[k] = (float)speed;
        most = max_double(most, speed);
    }
    contact->speed = (float)most;
    contact->approach = (float)max_double(most, 0);
}

// --- Warm starting ---

static uint64_t number_of(const graze_contact_end *key)
{
    return (uint64_t)key->a.index << 32 | key->b.index;
}

// Returns what is kept under a key, or null. Keys must not decrease from call to call. There are no
// two bodies of one index: so indices decide about most.
static const grz_cached_contact *find_kept(grz_cache_cursor *cursor, const graze_contact_end *key)
{
    const grz_contact_cache *cache = cursor->cache;
    const uint64_t number = number_of(key);
    for (; cursor->place < cache->count; ++cursor->place) {
        const grz_cached_contact *kept = &cache->data[cursor->place];
        const uint64_t other = number_of(&kept->key);
        if (other == number && grz_is_same_key(&kept->key, key)) {
            return kept;
        }
        if (other > number || (other == number && grz_compare_keys(&kept->key, key) > 0)) {
            return NULL;
        }
    }
    return NULL;
}

static bool is_near_point(graze_vec2 first, graze_vec2 second, double distance)
{
    const graze_vec2d apart = offset(first, second);
    return dot(apart, apart) < distance * distance;
}

// A point that the last step had too begins with the impulse that it had then: by its features or,
// if these have changed, by its place.
static void warm_start(grz_constraint_contact *contact, const grz_cached_contact *kept, double size)
{
    const grz_manifold *manifold = &contact->manifold;
    if (dot(widen(kept->normal), widen(manifold->normal)) < grz_same_normal) {
        return;
    }
    contact->kept = true;
    contact->jams = kept->features[0] == GRZ_NONE;
    contact->friction_impulse = kept->friction_impulse;
    contact->rolling_impulse = kept->rolling_impulse;
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
    const grz_contact_body *bodies = solve->contact_bodies.data;
    const grz_contact_body *a = &bodies[solve->slot_of_row.data[pair->row_a]];
    const grz_contact_body *b = &bodies[solve->slot_of_row.data[pair->row_b]];
    const body_pair both = {a, b, offset(b->position, a->position),
                            (double)min_float(a->size, b->size)};
    return both;
}

static inline graze_vec2d moves_apart(const body_pair *both)
{
    return subtract(offset(both->b->end, both->b->position),
                    offset(both->a->end, both->a->position));
}

static bool may_keep_manifold(const grz_cached_contact *kept, const body_pair *both)
{
    if (!(kept->rotation_a.cosine != 0 || kept->rotation_a.sine != 0) || !kept->count) {
        return false;
    }
    const graze_rotation now_a = both->a->rotation, now_b = both->b->rotation;
    const graze_vec2d moved = subtract(grz_turned_back(both->apart, now_a),
                                       grz_turned_back(widen(kept->offset), kept->rotation_a));
    const graze_rotation then = grz_rotation_between(kept->rotation_a, kept->rotation_b);
    const graze_rotation turned = grz_rotation_between(then, grz_rotation_between(now_a, now_b));
    const graze_rotation own = grz_rotation_between(kept->rotation_a, now_a);
    const double reach = max_double(both->a->reach, both->b->reach);
    const double distance = length_of(moved) + absolute((double)turned.sine) * reach;
    return distance <= grz_contact_margin * both->size && turned.cosine > 0 &&
           (double)own.cosine > grz_same_normal;
}

static void keep_manifold(grz_constraint_contact *contact, const grz_cached_contact *kept,
                          const body_pair *both)
{
    grz_manifold *manifold = &contact->manifold;
    manifold->count = kept->count;
    manifold->normal = kept->normal;
    memcpy(manifold->features, kept->features, sizeof kept->features);
    memcpy(manifold->levers_a, kept->levers_a, sizeof kept->levers_a);
    memcpy(manifold->levers_b, kept->levers_b, sizeof kept->levers_b);
    contact->offset = kept->offset;
    contact->rotation_a = kept->rotation_a;
    contact->rotation_b = kept->rotation_b;
    grz_manifold_update_gaps(contact, both->a->rotation, both->b->rotation, both->apart,
                             manifold->gaps);
}

// The manifold at the place where two that are apart touch on their ways; its gaps are those now.
static grz_manifold manifold_ahead(const grz_rows *rows, const grz_solver_pair *pair,
                                   const body_pair *both)
{
    const graze_vec2d move = moves_apart(both);
    const grz_figure a = grz_figure_of(rows, pair->row_a), b = grz_figure_of(rows, pair->row_b);
    const graze_sweep sweep = grz_sweep_figures(&a, &b, negate(both->apart), negate(move));
    grz_manifold manifold = {0};
    if (!sweep.hit) {
        return manifold;
    }
    const graze_vec2d way = scale(move, sweep.time);
    manifold = grz_manifold_of(&a, &b, add(both->apart, way), grz_contact_slop * both->size);
    for (uint32_t k = 0; k < manifold.count; ++k) {
        manifold.gaps[k] -= (float)dot(way, widen(manifold.normal));
    }
    return manifold;
}

static grz_manifold find_manifold(const grz_rows *rows, const grz_solver_pair *pair,
                                  const body_pair *both)
{
    const grz_figure a = grz_figure_of(rows, pair->row_a), b = grz_figure_of(rows, pair->row_b);
    const grz_manifold near = grz_manifold_of(&a, &b, both->apart, grz_contact_margin * both->size);
    if (near.count || !((double)near.apart <= length_of(moves_apart(both)))) {
        return near;
    }
    return manifold_ahead(rows, pair, both);
}

// The place of the next contact, cleared. It becomes one of the list when it is counted.
static grz_constraint_contact *next_contact(const grz_contact_finder *finder)
{
    grz_constraint_contact *contact = &finder->contacts[finder->contact_count];
    memset(contact, 0, sizeof *contact);
    contact->pack = GRZ_NONE;
    return contact;
}

static void begin_contact(const grz_solve *solve, const grz_solver_pair *pair,
                          const body_pair *both, grz_constraint_contact *contact)
{
    contact->key.a = both->a->id;
    contact->key.b = both->b->id;
    contact->a = (uint32_t)(both->a - solve->contact_bodies.data);
    contact->b = (uint32_t)(both->b - solve->contact_bodies.data);
    contact->fixed = pair->fixed;
}

static void set_pair(grz_constraint_contact *contact, const body_pair *both)
{
    const grz_contact_body *a = both->a, *b = both->b;
    const grz_mixed_surface mixed =
        mix(&a->surface, &b->surface, a->throws_back || b->throws_back, (double)b->surface.speed);
    set_surface(contact, mixed, max_float(a->radius, b->radius));
    contact->push = (float)(grz_push_rate * both->size);
    find_approach(contact, a, b);
}

static bool both_are_rects(const grz_rows *rows, grz_row row_a, grz_row row_b)
{
    return (rows->traits[row_a] & rows->traits[row_b] & GRAZE_SHAPE_RECT) != 0;
}

// Whether two, of which circles around them are this far apart, are clearly too far for a contact.
static inline bool is_far(grz_solver_pair *pair, const body_pair *both, double gap)
{
    const bool far = gap > grz_contact_margin * both->size && gap > length_of(moves_apart(both));
    pair->apart = far ? (float)gap : pair->apart;
    return far;
}

// Of two that never turn one point says all: the deeper one, or the middle of both.
static void join_points(grz_manifold *manifold, double slop)
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

static bool make_pair(const graze_world *world, grz_solver_pair *pair, const body_pair *both,
                      grz_constraint_contact *contact)
{
    const grz_rows *rows = &world->bodies.rows;
    contact->manifold = find_manifold(rows, pair, both);
    if (contact->made) {
        contact->offset = narrow(both->apart);
        contact->rotation_a = both->a->rotation;
        contact->rotation_b = both->b->rotation;
    }
    pair->apart = contact->manifold.apart;
    if (contact->manifold.count > 1 && !grz_turns_by_contacts(world, pair->row_a) &&
        !grz_turns_by_contacts(world, pair->row_b)) {
        join_points(&contact->manifold, grz_contact_slop * both->size);
    }
    return contact->manifold.count > 0;
}

// Where two rects hardly move relative to each other, normal and levers stay as they are: made anew
// in each step, they would feed energy to a stack that never sleeps.
static bool find_manifolds(const graze_world *world, grz_solver_pair *pair, const body_pair *both,
                           double gap, grz_constraint_contact *contact,
                           const grz_cached_contact *kept)
{
    if (kept && may_keep_manifold(kept, both)) {
        keep_manifold(contact, kept, both);
        return true;
    }
    return !is_far(pair, both, gap) && make_pair(world, pair, both, contact);
}

static bool find_pair(grz_contact_finder *finder, grz_solver_pair *pair)
{
    const graze_world *world = finder->world;
    const body_pair both = bodies_of(&world->solve, pair);
    const double distance = length_of(both.apart);
    const double gap = distance - both.a->reach - both.b->reach;
    const bool made = both_are_rects(&world->bodies.rows, pair->row_a, pair->row_b);
    if (!made && is_far(pair, &both, gap)) {
        return false;
    }
    grz_constraint_contact *contact = next_contact(finder);
    begin_contact(&world->solve, pair, &both, contact);
    contact->made = made;
    if (pair->is_round && gap <= grz_contact_margin * both.size) {
        grz_manifold_set_discs(&contact->manifold, both.a->reach, both.b->reach, both.apart,
                               distance);
        pair->apart = 0;
    } else if (!made && !make_pair(world, pair, &both, contact)) {
        return false;
    }
    const grz_cached_contact *kept = find_kept(&finder->cursor, &contact->key);
    if (made && !find_manifolds(world, pair, &both, gap, contact, kept)) {
        return false;
    }
    set_pair(contact, &both);
    if (kept) {
        warm_start(contact, kept, both.size);
    }
    return true;
}

// --- Obstacles ---

static bool shares_an_end(graze_segment first, graze_segment second)
{
    return is_same_point(first.b, second.a) || is_same_point(first.a, second.b);
}

// The place of the first cached contact of a body with this index or a larger one.
static uint32_t find_cached(const grz_contact_cache *cache, grz_index index)
{
    uint32_t low = 0, high = cache->count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        const bool before = cache->data[middle].key.a.index < index;
        low = before ? middle + 1 : low;
        high = before ? high : middle;
    }
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
        if (grz_is_same_segment(met, wall->segment) || shares_an_end(own, other)) {
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
        const bool one_sided = world->terrain.chains[wall->chain].one_sided;
        grz_obstacle *own = &finder->obstacles[finder->obstacle_count];
        grz_obstacle_of_wall(world, body, wall->segment, grz_wall_id(world, wall), one_sided, own);
        own->passes = !grz_chain_stops_body(world, own->segment, body->row);
        own->met_before = one_sided && met_wall_before(world, own, body->row);
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
GRZ_APART static void set_manifold(grz_constraint_contact *contact, const grz_obstacle *obstacle)
{
    grz_manifold *manifold = &contact->manifold;
    const graze_vec2d normal = negate(obstacle->normal);
    manifold->normal = narrow(normal);
    for (uint32_t k = 0; k < obstacle->point_count; ++k) {
        const graze_vec2d on_body = along(obstacle->points[k], normal, -obstacle->gaps[k]);
        manifold->levers_a[k] = narrow(on_body);
        manifold->levers_b[k] = narrow(subtract(obstacle->points[k], obstacle->centre));
        manifold->gaps[k] = (float)obstacle->gaps[k];
        manifold->features[k] = k;
    }
    manifold->count = obstacle->point_count;
}

static bool holds(const grz_met_by *body, const grz_obstacle *obstacle)
{
    return !obstacle->dropped && obstacle->gap <= grz_obstacle_margin(body, obstacle);
}

static void end_contact(grz_contact_finder *finder, grz_constraint_contact *contact, double size)
{
    const grz_cached_contact *kept = find_kept(&finder->cursor, &contact->key);
    if (kept) {
        warm_start(contact, kept, size);
    }
    ++finder->contact_count;
}

static void add_wall_contact(grz_contact_finder *finder, const grz_met_by *body,
                             const grz_obstacle *obstacle)
{
    const graze_world *world = finder->world;
    grz_constraint_contact *contact = next_contact(finder);
    const grz_slot slot = world->solve.slot_of_row.data[body->row];
    const grz_contact_body *own = &world->solve.contact_bodies.data[slot];
    contact->key.a = own->id;
    contact->key.segment = obstacle->segment;
    contact->a = slot;
    contact->b = grz_terrain_slot(&world->solve);
    contact->fixed = true;
    set_manifold(contact, obstacle);
    if (!body->turns) {
        join_points(&contact->manifold, body->slop);
    }
    set_surface(contact,
                mix_with_wall(&world->terrain, &own->surface, own->throws_back, obstacle->segment,
                              widen(contact->manifold.normal)),
                own->radius);
    contact->push = (float)(grz_push_rate * body->size);
    find_approach(contact, own, NULL);
    end_contact(finder, contact, body->size);
}

static void add_fixed_contact(grz_contact_finder *finder, const grz_met_by *body,
                              const grz_obstacle *obstacle, const grz_solver_pair *pair)
{
    const graze_world *world = finder->world;
    grz_constraint_contact *contact = next_contact(finder);
    const body_pair both = bodies_of(&world->solve, pair);
    begin_contact(&world->solve, pair, &both, contact);
    set_manifold(contact, obstacle);
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
        pair->contact = finder->contact_count;
        pair->at_corner =
            finder->contacts[finder->contact_count++].manifold.at_end && !pair->is_round;
    }
}

static void add_driven_contact(grz_contact_finder *finder, const grz_met_by *body,
                               const grz_obstacle *obstacle, grz_solver_pair *pair)
{
    if (holds(body, obstacle)) {
        pair->contact = finder->contact_count;
        add_fixed_contact(finder, body, obstacle, pair);
    }
}

static bool has_obstacles(const grz_solve *solve, grz_slot slot)
{
    bool is_any = grz_count_of(&solve->wall_ends, slot) > 0;
    for (uint32_t k = grz_first_of(&solve->pair_ends, slot); k < solve->pair_ends.data[slot]; ++k) {
        is_any = is_any || solve->pairs.data[k].fixed;
    }
    return is_any;
}

static void find_pairs(grz_contact_finder *finder, grz_slot slot)
{
    grz_solve *solve = &finder->world->solve;
    for (uint32_t k = grz_first_of(&solve->pair_ends, slot); k < solve->pair_ends.data[slot]; ++k) {
        add_pair_contact(finder, &solve->pairs.data[k]);
    }
}

static void find_of_slot(grz_contact_finder *finder, grz_slot slot)
{
    grz_solve *solve = &finder->world->solve;
    if (!has_obstacles(solve, slot)) {
        find_pairs(finder, slot);
        return;
    }
    const grz_met_by body = grz_met_by_row(finder->world, solve->row_of_slot.data[slot]);
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

static uint32_t find_of_block(graze_world *world, uint32_t block, void *contacts, uint32_t first,
                              uint32_t room)
{
    grz_contact_finder finder = grz_finder_of(world, block, contacts, first);
    const uint32_t end = grz_finder_end(&world->solve, block);
    (void)room;
    for (grz_slot slot = block * GRZ_BLOCK_CONTACTS; slot < end; ++slot) {
        find_of_slot(&finder, slot);
    }
    return finder.contact_count - first;
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
    const grz_finding finding = {room_of_block, find_of_block, move_contacts_of_block, false};
    const bool done =
        grz_find_in_blocks(world, &finding, solve->obstacle_firsts.count, &solve->ranges,
                           GRZ_FILLED(&solve->contacts), GRZ_FILLED(&solve->apart));
    solve->contacts.data = solve->contacts.memory.data;
    solve->apart.data = solve->apart.memory.data;
    return done;
}

static bool add_number(const graze_world *world, grz_numbers *list, uint32_t number)
{
    if (!grz_array_reserve_more(list, &world->config.counting, 1)) {
        return false;
    }
    list->data[list->count++] = number;
    return true;
}

static bool list_kinds(graze_world *world)
{
    grz_solve *solve = &world->solve;
    bool done = true;
    solve->fixed.count = solve->rolling.count = 0;
    for (uint32_t k = 0; done && k < solve->contacts.count; ++k) {
        const grz_constraint_contact *contact = &solve->contacts.data[k];
        done = (!contact->fixed || add_number(world, &solve->fixed, k)) &&
               (!(contact->rolling > 0) || contact->manifold.count != 1 ||
                add_number(world, &solve->rolling, k));
    }
    return done;
}

bool grz_solve_find_contacts(graze_world *world)
{
    grz_solve *solve = &world->solve;
    solve->contacts.count = 0;
    return begin_bodies(world) && grz_solve_find_walls(world) && place_obstacles(world) &&
           find_in_blocks(world) && grz_solve_hide_ghosts(world) && list_kinds(world);
}
