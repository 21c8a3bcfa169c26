#include "pile/kept_impulses.h"

#include "asserts.h"
#include "motion/standstill.h"
#include "pile/pile_sets.h"
#include "vec2d.h"

#include <string.h>

static const double deep = 16;       ///< Of the slack: two that lean part only if they are deeper.
static const double upright = 1e-9;  ///< Sine: of what leans less it is rounding.
static const double jam_factor = 16; ///< Of a body's speed and what gravity adds in a step.

/// What a constraint is known by in the next step.
typedef struct identity {
    uint32_t upper, lower; ///< Indices; lower: GRZ_NONE if it gives no way.
    uint32_t kind, chain, other;
} identity;

static uint32_t index_of(const graze_world *world, uint32_t body)
{
    return world->motions.data[world->piles.bodies.data[body].motion].index;
}

static identity identify(const graze_world *world, const grz_constraint *constraint)
{
    const bool gives_way = constraint->kind == GRZ_CONSTRAINT_BODY;
    const uint32_t lower = gives_way ? index_of(world, constraint->lower) : GRZ_NONE;
    const uint64_t id = gives_way ? lower : constraint->id;
    const identity own = {.upper = index_of(world, constraint->upper),
                          .lower = lower,
                          .kind = (uint32_t)constraint->kind,
                          .chain = (uint32_t)(id >> 32),
                          .other = (uint32_t)id};
    return own;
}

// Those from a place on that have the same upper body.
static grz_kept_span span_at(const grz_kept_impulses *kept, uint32_t first)
{
    const grz_kept_impulse *list = kept->list.data;
    uint32_t end = first + 1;
    while (end < kept->list.count && list[end].upper == list[first].upper) {
        ++end;
    }
    const grz_kept_span span = {list + first, end - first};
    return span;
}

grz_kept_span grz_kept_of(const graze_world *world, uint32_t index)
{
    const grz_kept_impulses *kept = &world->kept_impulses;
    const grz_kept_span none = {NULL, 0};
    const bool has_some = index < kept->places.count && kept->places.data[index] != GRZ_NONE;
    return has_some ? span_at(kept, kept->places.data[index]) : none;
}

// Whether the entries from a place on are still those of their body: when it leaves the world they
// are forgotten, but stay in the list until the next step.
static bool is_valid(const grz_kept_impulses *kept, uint32_t place)
{
    return kept->places.data[kept->list.data[place].upper] == place;
}

uint32_t grz_kept_count(const graze_world *world)
{
    const grz_kept_impulses *kept = &world->kept_impulses;
    uint32_t count = 0;
    for (uint32_t k = 0, own; k < kept->list.count; k += own) {
        own = span_at(kept, k).count;
        count += is_valid(kept, k) ? own : 0;
    }
    return count;
}

// --- At the start of the sweeps ---

static bool leans(const grz_constraint *constraint, graze_vec2d gravity, double least)
{
    return absolute(dot(constraint->normal, gravity)) > least &&
           absolute(cross(constraint->normal, gravity)) > least;
}

static void find_leaning(graze_world *world)
{
    grz_piles *piles = &world->piles;
    const graze_vec2d gravity = widen(world->gravity);
    const double least = upright * length_of(gravity);
    for (uint32_t k = 0; k < piles->order.count; ++k) {
        const grz_constraint *constraint = &piles->constraints.data[piles->order.data[k]];
        if (leans(constraint, gravity, least)) {
            grz_pile_mark(piles, constraint->upper, GRZ_PILE_LEANS);
            piles->leans = true;
        }
        piles->rubs = piles->rubs || constraint->friction > 0;
    }
    for (uint32_t body = 0; body < piles->bodies.count && piles->leans; ++body) {
        piles->bodies.data[body].leans = grz_pile_is_marked(piles, body, GRZ_PILE_LEANS);
    }
}

// Whether a constraint begins with what it has kept, if there is something.
static inline bool recalls(const grz_piles *piles, const grz_constraint *constraint)
{
    return constraint->friction > 0 && piles->bodies.data[constraint->upper].leans;
}

static const grz_kept_impulse *find_in(grz_kept_span span, uint32_t kind, uint32_t chain,
                                       uint32_t other)
{
    for (uint32_t k = 0; k < span.count; ++k) {
        const grz_kept_impulse *kept = &span.data[k];
        if (kept->kind == kind && kept->chain == chain && kept->other == other) {
            return kept;
        }
    }
    return NULL;
}

// Of two bodies the other one may have been the upper one: their impulses are the same.
static const grz_kept_impulse *find_kept(const graze_world *world, const grz_constraint *constraint)
{
    const identity own = identify(world, constraint);
    const grz_kept_impulse *found =
        find_in(grz_kept_of(world, own.upper), own.kind, own.chain, own.other);
    return found || own.lower == GRZ_NONE
               ? found
               : find_in(grz_kept_of(world, own.lower), own.kind, 0, own.upper);
}

static void apply(const grz_piles *piles, const grz_constraint *constraint)
{
    const graze_vec2d normal = constraint->normal;
    const graze_vec2d change = add(scale(normal, constraint->impulse),
                                   scale(left_of(normal), constraint->tangent_impulse));
    graze_vec2d *upper = &piles->step_velocities.data[constraint->upper];
    *upper = along(*upper, change, -constraint->share);
    if (constraint->kind == GRZ_CONSTRAINT_BODY) {
        graze_vec2d *lower = &piles->step_velocities.data[constraint->lower];
        *lower = along(*lower, change, 1 - constraint->share);
    }
}

static void recall(const graze_world *world, grz_constraint *constraint)
{
    const double dt = (double)world->dt;
    const grz_kept_impulse *kept = find_kept(world, constraint);
    if (kept) {
        constraint->is_recalled = true;
        constraint->kept_normal = kept->normal;
        constraint->kept_tangent = kept->tangent;
        constraint->impulse = (double)kept->normal * dt;
        constraint->tangent_impulse = (double)kept->tangent * dt;
        apply(&world->piles, constraint);
    }
}

// In a heap that rests the impulses of a body cancel each other and gravity. But what a wall drives
// into a wedge cannot yield: there they grow from step to step, and once the wedge opens they would
// throw the bodies out.
static bool find_jams(const graze_world *world)
{
    const grz_piles *piles = &world->piles;
    const double fall = length_of(widen(world->gravity)) * (double)world->dt;
    bool found = false;
    for (uint32_t k = 0; k < piles->bodies.count; ++k) {
        const grz_pile_body *body = &piles->bodies.data[k];
        const graze_vec2d change = subtract(piles->step_velocities.data[k], body->velocity);
        const double most = jam_factor * (length_of(body->velocity) + fall);
        if (body->leans && dot(change, change) > most * most) {
            grz_pile_mark(piles, k, GRZ_PILE_JAMS);
            found = true;
        }
    }
    return found;
}

// The sweeps of piles that jam begin as if nothing had been kept.
static void forget_jams(const graze_world *world)
{
    const grz_piles *piles = &world->piles;
    for (uint32_t k = 0; k < piles->order.count; ++k) {
        grz_constraint *constraint = &piles->constraints.data[piles->order.data[k]];
        if (grz_pile_is_marked(piles, constraint->upper, GRZ_PILE_JAMS)) {
            constraint->is_recalled = false;
            constraint->impulse = constraint->tangent_impulse = 0;
        }
    }
    for (uint32_t k = 0; k < piles->bodies.count; ++k) {
        if (grz_pile_is_marked(piles, k, GRZ_PILE_JAMS)) {
            piles->step_velocities.data[k] = piles->bodies.data[k].velocity;
        }
    }
}

// HOT. bench: engine/step/heap-rough
//
// Data    A constraint: 24 bytes of what it kept read, 33 written, two velocities read and written.
void grz_kept_recall(graze_world *world)
{
    const grz_piles *piles = &world->piles;
    find_leaning(world);
    for (uint32_t k = 0; k < piles->order.count && piles->leans; ++k) {
        grz_constraint *constraint = &piles->constraints.data[piles->order.data[k]];
        if (piles->bodies.data[constraint->upper].leans) {
            constraint->parting = deep * constraint->slack;
        }
        if (recalls(piles, constraint)) {
            recall(world, constraint);
        }
    }
    if (piles->leans && piles->rubs && find_jams(world)) {
        forget_jams(world);
    }
}

// --- At their end ---

static bool reserve_places(grz_kept_impulses *kept, const graze_allocator *allocator, size_t count)
{
    if (!grz_array_reserve(&kept->places, allocator, count)) {
        return false;
    }
    while (kept->places.count < count) {
        kept->places.data[kept->places.count++] = GRZ_NONE;
    }
    return true;
}

bool grz_kept_reserve(graze_world *world, size_t count, size_t indices)
{
    grz_kept_impulses *kept = &world->kept_impulses;
    const graze_allocator *allocator = &world->counting;
    return count == 0 || (grz_array_reserve(&kept->list, allocator, count) &&
                          reserve_places(kept, allocator, indices));
}

static void find_moved(graze_world *world)
{
    grz_piles *piles = &world->piles;
    for (uint32_t body = 0; body < piles->bodies.count; ++body) {
        const grz_pile_body *own = &piles->bodies.data[body];
        if (own->leans && !grz_stands(world, &world->motions.data[own->motion])) {
            grz_pile_mark(piles, body, GRZ_PILE_MOVED);
        }
    }
    for (uint32_t body = 0; body < piles->bodies.count; ++body) {
        grz_pile_body *own = &piles->bodies.data[body];
        own->moves = own->leans && grz_pile_is_marked(piles, body, GRZ_PILE_MOVED);
    }
}

// Whether it has something to keep: what it ends with or, if the pile does not move, began with.
static bool is_kept(const grz_piles *piles, const grz_constraint *constraint)
{
    return recalls(piles, constraint) &&
           (piles->bodies.data[constraint->upper].moves || constraint->is_recalled);
}

static uint32_t count_kept(const grz_piles *piles)
{
    uint32_t count = 0;
    for (uint32_t k = 0; k < piles->order.count; ++k) {
        count += is_kept(piles, &piles->constraints.data[piles->order.data[k]]);
    }
    return count;
}

static void note_constraint(graze_world *world, const grz_constraint *constraint)
{
    const double dt = (double)world->dt;
    const identity own = identify(world, constraint);
    grz_kept_impulse noted = {.upper = own.upper,
                              .kind = own.kind,
                              .chain = own.chain,
                              .other = own.other,
                              .normal = constraint->kept_normal,
                              .tangent = constraint->kept_tangent};
    if (world->piles.bodies.data[constraint->upper].moves) {
        noted.normal = narrow_reported(constraint->impulse / dt);
        noted.tangent = narrow_reported(constraint->tangent_impulse / dt);
    }
    GRZ_ASSERT(world->kept_impulses.noted.count < world->kept_impulses.noted.capacity);
    world->kept_impulses.noted.data[world->kept_impulses.noted.count++] = noted;
}

// The constraints in order are those of one upper body after the other.
bool grz_kept_note(graze_world *world)
{
    const grz_piles *piles = &world->piles;
    grz_kept_impulses *kept = &world->kept_impulses;
    if (!piles->leans || !piles->rubs) {
        return true;
    }
    find_moved(world);
    const size_t count = count_kept(piles);
    if (!grz_array_reserve(&kept->noted, &world->counting, count) ||
        !grz_kept_reserve(world, kept->still_count + count, world->bodies.count)) {
        return false;
    }
    for (uint32_t k = 0; k < piles->order.count; ++k) {
        const grz_constraint *constraint = &piles->constraints.data[piles->order.data[k]];
        if (is_kept(piles, constraint)) {
            note_constraint(world, constraint);
        }
    }
    return true;
}

// --- From step to step ---

// Stores where each body's begin, from a place in the list on.
static void place_all(grz_kept_impulses *kept, uint32_t first)
{
    for (uint32_t k = first; k < kept->list.count; k += span_at(kept, k).count) {
        kept->places.data[kept->list.data[k].upper] = k;
    }
}

static void displace_all(grz_kept_impulses *kept, uint32_t first)
{
    for (uint32_t k = first; k < kept->list.count; ++k) {
        kept->places.data[kept->list.data[k].upper] = GRZ_NONE;
    }
}

static bool is_still(const graze_world *world, uint32_t index)
{
    const uint32_t row = world->row_of_index.data[index];
    return row >= world->active_count && row < GRZ_NONE;
}

// Drops those of bodies that have woken or are gone from the first part of the list, which is all
// that is left of it.
static void drop_woken(graze_world *world)
{
    grz_kept_impulses *kept = &world->kept_impulses;
    uint32_t left = 0;
    for (uint32_t k = 0, own; k < kept->list.count; k += own) {
        const uint32_t upper = kept->list.data[k].upper;
        own = span_at(kept, k).count;
        if (is_valid(kept, k) && is_still(world, upper)) {
            memmove(&kept->list.data[left], &kept->list.data[k], own * sizeof *kept->list.data);
            kept->places.data[upper] = left;
            left += own;
        } else if (kept->places.data[upper] == k) {
            kept->places.data[upper] = GRZ_NONE;
        }
    }
    kept->still_count = kept->list.count = left;
}

void grz_kept_commit(graze_world *world)
{
    grz_kept_impulses *kept = &world->kept_impulses;
    displace_all(kept, kept->still_count);
    kept->list.count = kept->still_count;
    if (kept->woken) {
        drop_woken(world);
        kept->woken = false;
    }
    if (kept->noted.count) {
        memcpy(kept->list.data + kept->list.count, kept->noted.data,
               kept->noted.count * sizeof *kept->noted.data);
        kept->list.count += kept->noted.count;
        place_all(kept, kept->still_count);
        kept->noted.count = 0;
    }
}

// Copies those of still bodies, or those of the others in the world, to the end of the list.
static void put_back(graze_world *world, uint32_t count, bool still)
{
    grz_kept_impulses *kept = &world->kept_impulses;
    for (uint32_t k = 0; k < count; ++k) {
        const grz_kept_impulse *own = &kept->noted.data[k];
        const bool is_forgotten = kept->places.data[own->upper] == GRZ_NONE;
        if (!is_forgotten && is_still(world, own->upper) == still) {
            kept->list.data[kept->list.count++] = *own;
        }
    }
}

// What the last step noted is as much as the second part of the list: there is room.
void grz_kept_set_still_apart(graze_world *world)
{
    grz_kept_impulses *kept = &world->kept_impulses;
    const uint32_t first = kept->still_count;
    const uint32_t count = kept->list.count - first;
    if (count) {
        memcpy(kept->noted.data, kept->list.data + first, count * sizeof *kept->noted.data);
        kept->list.count = first;
        put_back(world, count, true);
        kept->still_count = kept->list.count;
        put_back(world, count, false);
        place_all(kept, first);
    }
}

void grz_kept_replace(graze_world *world, const void *list, uint32_t count)
{
    grz_kept_impulses *kept = &world->kept_impulses;
    for (uint32_t k = 0; k < kept->places.count; ++k) {
        kept->places.data[k] = GRZ_NONE;
    }
    kept->still_count = kept->noted.count = 0;
    kept->woken = false;
    kept->list.count = count;
    if (count) {
        memcpy(kept->list.data, list, count * sizeof *kept->list.data);
        place_all(kept, 0);
    }
}

void grz_kept_free(grz_kept_impulses *kept, const graze_allocator *allocator)
{
    grz_array_free(&kept->list, allocator);
    grz_array_free(&kept->noted, allocator);
    grz_array_free(&kept->places, allocator);
}
