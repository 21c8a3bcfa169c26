#include "pile/pile_sort.h"

#include "meet/tolerance.h"
#include "pile/pile_crowd.h"
#include "run_sort.h"

#include <string.h>

enum { RANKED_AT_ONCE = 16 }; // More keys are sorted by merging.

// Bucket sort: items are first distributed over as many buckets as there are bodies. Then each
// bucket, which holds a few, is sorted by comparing.

static void clear_starts(grz_piles *piles, uint32_t count)
{
    for (uint32_t k = 0; k <= count; ++k) {
        piles->starts.data[k] = 0;
    }
}

// Turns how many items each bucket has into where it starts. place_next() then fills the buckets,
// which leaves where each ends.
static void sum_up(grz_piles *piles, uint32_t count)
{
    uint32_t sum = 0;
    for (uint32_t k = 0; k <= count; ++k) {
        const uint32_t here = piles->starts.data[k];
        piles->starts.data[k] = sum;
        sum += here;
    }
}

static void place_next(grz_piles *piles, uint32_t bucket, uint32_t item)
{
    piles->order.data[piles->starts.data[bucket]++] = item;
}

// --- Bodies ---

static double height_of(const graze_world *world, uint32_t row)
{
    return -dot(widen(world->rows.position[row]), widen(world->gravity));
}

static int compare_positions(const graze_world *world, const grz_pile_key *a, const grz_pile_key *b)
{
    const graze_vec2 at_a = world->rows.position[world->motions.data[a->motion].row];
    const graze_vec2 at_b = world->rows.position[world->motions.data[b->motion].row];
    const int by_x = (at_a.x > at_b.x) - (at_a.x < at_b.x);
    return by_x ? by_x : (at_a.y > at_b.y) - (at_a.y < at_b.y);
}

static bool is_lower(const graze_world *world, const grz_pile_key *a, const grz_pile_key *b)
{
    if (a->height != b->height) {
        return a->height < b->height;
    }
    const int by_place = grz_piles_are_crowds(world) ? compare_positions(world, a, b) : 0;
    return by_place ? by_place < 0 : a->index < b->index;
}

/// The range of the heights of all bodies, and the factor that makes buckets of them.
typedef struct span {
    double lowest, factor;
} span;

static span find_span(const grz_piles *piles)
{
    double lowest = piles->keys.data[0].height;
    double highest = lowest;
    for (uint32_t k = 1; k < piles->keys.count; ++k) {
        lowest = min_double(lowest, piles->keys.data[k].height);
        highest = max_double(highest, piles->keys.data[k].height);
    }
    const double most = piles->keys.count - 1;
    const span found = {lowest, highest > lowest ? most / (highest - lowest) : 0};
    return found;
}

// Never decreases as the height grows, however it is rounded.
static uint32_t bucket_of(const span *heights, const grz_pile_key *key)
{
    return (uint32_t)((key->height - heights->lowest) * heights->factor);
}

static bool find_heights(graze_world *world)
{
    for (uint32_t k = 0; k < world->piles.keys.count; ++k) {
        grz_pile_key *key = &world->piles.keys.data[k];
        const grz_motion *motion = &world->motions.data[key->motion];
        key->height = height_of(world, motion->row);
        key->index = motion->index;
    }
    return !grz_piles_are_crowds(world) || grz_crowds_find_heights(world);
}

static bool are_in_order(const graze_world *world, const uint32_t *places, uint32_t count)
{
    const grz_pile_key *keys = world->piles.keys.data;
    for (uint32_t k = 1; k < count; ++k) {
        if (is_lower(world, &keys[places[k]], &keys[places[k - 1]])) {
            return false;
        }
    }
    return true;
}

// The place of each is the number of those that are lower. There is no branch on which of two is
// lower, which a processor cannot predict.
static void rank_some(const graze_world *world, uint32_t *places, uint32_t count)
{
    grz_pile_key keys[RANKED_AT_ONCE];
    uint32_t before[RANKED_AT_ONCE];
    uint32_t ranks[RANKED_AT_ONCE];
    for (uint32_t i = 0; i < count; ++i) {
        uint32_t rank = 0;
        before[i] = places[i];
        keys[i] = world->piles.keys.data[places[i]];
        for (uint32_t k = 0; k < i; ++k) {
            const bool lower = is_lower(world, &keys[i], &keys[k]);
            rank += !lower;
            ranks[k] += lower;
        }
        ranks[i] = rank;
    }
    for (uint32_t k = 0; k < count; ++k) {
        places[ranks[k]] = before[k];
    }
}

// Merges two halves, each in order.
static void merge(const graze_world *world, const uint32_t *from, uint32_t half, uint32_t count,
                  uint32_t *to)
{
    const grz_pile_key *keys = world->piles.keys.data;
    uint32_t left = 0;
    uint32_t right = half;
    for (uint32_t k = 0; k < count; ++k) {
        const bool takes_right =
            left == half ||
            (right < count && is_lower(world, &keys[from[right]], &keys[from[left]]));
        to[k] = from[takes_right ? right : left];
        right += takes_right;
        left += !takes_right;
    }
}

static void sort_by_height(const graze_world *world, uint32_t *places, uint32_t count,
                           uint32_t *scratch)
{
    if (are_in_order(world, places, count)) {
        return;
    }
    if (count <= RANKED_AT_ONCE) {
        rank_some(world, places, count);
        return;
    }
    const uint32_t half = count / 2;
    sort_by_height(world, places, half, scratch);
    sort_by_height(world, places + half, count - half, scratch);
    memcpy(scratch, places, count * sizeof *places);
    merge(world, scratch, half, count, places);
}

// Bodies that fell in rows lie in rows: dozens may share a bucket.
//
// HOT. bench: engine/step/heap-rough
//
// Data    A key: 16 bytes, read three times, and 4 of its place, written as often.
// Branch  On equal heights alone: with a branch on which is lower it took half as long again.
static void sort_heights(graze_world *world)
{
    grz_piles *piles = &world->piles;
    const uint32_t count = piles->keys.count;
    const span heights = find_span(piles);
    clear_starts(piles, count);
    for (uint32_t k = 0; k < count; ++k) {
        ++piles->starts.data[bucket_of(&heights, &piles->keys.data[k])];
    }
    sum_up(piles, count);
    for (uint32_t k = 0; k < count; ++k) {
        place_next(piles, bucket_of(&heights, &piles->keys.data[k]), k);
    }
    uint32_t first = 0;
    for (uint32_t k = 0; k < count; ++k) {
        const uint32_t end = piles->starts.data[k];
        sort_by_height(world, piles->order.data + first, end - first, piles->rounds.data);
        first = end;
    }
}

static void make_bodies(graze_world *world)
{
    grz_piles *piles = &world->piles;
    sort_heights(world);
    piles->bodies.count = piles->keys.count;
    for (uint32_t place = 0; place < piles->bodies.count; ++place) {
        const uint32_t m = piles->keys.data[piles->order.data[place]].motion;
        const grz_motion *motion = &world->motions.data[m];
        const grz_pile_body body = {.motion = m,
                                    .size = grz_size_of(world, motion->row),
                                    .max_speed = motion->reach / (double)world->dt,
                                    .before = widen(world->rows.velocity[motion->row]),
                                    .velocity = motion->velocity};
        piles->bodies.data[place] = body;
        piles->places.data[m] = place;
    }
}

// --- Constraints ---

static void flip(grz_constraint *constraint)
{
    const uint32_t upper = constraint->lower;
    constraint->lower = constraint->upper;
    constraint->upper = upper;
    constraint->normal = negate(constraint->normal);
    constraint->share = 1 - constraint->share;
}

static void put_places(const grz_piles *piles, grz_constraint *constraint)
{
    constraint->upper = piles->places.data[constraint->upper];
    if (constraint->kind == GRZ_CONSTRAINT_BODY) {
        constraint->lower = piles->places.data[constraint->lower];
        if (constraint->upper < constraint->lower) {
            flip(constraint);
        }
    }
}

// Tells a constraint from the others of its upper body that are of its kind.
static uint64_t other_of(const grz_constraint *constraint)
{
    return constraint->kind == GRZ_CONSTRAINT_BODY ? constraint->lower : constraint->id;
}

// Compares constraints of one upper body.
static int compare_constraints(const graze_world *world, uint32_t first, uint32_t second)
{
    const grz_constraint *a = &world->piles.constraints.data[first];
    const grz_constraint *b = &world->piles.constraints.data[second];
    if (a->kind != b->kind) {
        return a->kind < b->kind ? -1 : 1;
    }
    return (other_of(a) > other_of(b)) - (other_of(a) < other_of(b));
}

static bool is_closer(const grz_constraint *a, const grz_constraint *b)
{
    if (a->gap != b->gap) {
        return a->gap < b->gap;
    }
    return a->normal.x != b->normal.x ? a->normal.x < b->normal.x : a->normal.y < b->normal.y;
}

// A wall may have been found more than once.
static void drop_repeated(grz_piles *piles)
{
    uint32_t *order = piles->order.data;
    uint32_t count = 0;
    for (uint32_t k = 0; k < piles->constraints.count; ++k) {
        const grz_constraint *constraint = &piles->constraints.data[order[k]];
        const grz_constraint *last = &piles->constraints.data[order[count > 0 ? count - 1 : 0]];
        const bool again = count > 0 && constraint->upper == last->upper &&
                           constraint->kind == last->kind && other_of(constraint) == other_of(last);
        if (!again) {
            order[count++] = order[k];
        } else if (is_closer(constraint, last)) {
            order[count - 1] = order[k];
        }
    }
    piles->order.count = count;
}

static void sort_constraints(graze_world *world)
{
    grz_piles *piles = &world->piles;
    clear_starts(piles, piles->bodies.count);
    for (uint32_t k = 0; k < piles->constraints.count; ++k) {
        put_places(piles, &piles->constraints.data[k]);
        ++piles->starts.data[piles->constraints.data[k].upper];
    }
    sum_up(piles, piles->bodies.count);
    for (uint32_t k = 0; k < piles->constraints.count; ++k) {
        place_next(piles, piles->constraints.data[k].upper, k);
    }
    uint32_t first = 0;
    for (uint32_t k = 0; k < piles->bodies.count; ++k) {
        const uint32_t end = piles->starts.data[k];
        grz_sort_run(world, piles->order.data + first, piles->rounds.data, end - first,
                     compare_constraints);
        first = end;
    }
    drop_repeated(piles);
}

bool grz_piles_sort(graze_world *world)
{
    grz_piles *piles = &world->piles;
    const graze_allocator *allocator = &world->counting;
    const uint32_t bodies = piles->keys.count;
    const uint32_t most = bodies > piles->constraints.count ? bodies : piles->constraints.count;
    if (!grz_array_reserve(&piles->bodies, allocator, bodies) ||
        !grz_array_reserve(&piles->places, allocator, world->motions.count) ||
        !grz_array_reserve(&piles->starts, allocator, (size_t)bodies + 1) ||
        !grz_array_reserve(&piles->order, allocator, most) ||
        !grz_array_reserve(&piles->rounds, allocator, most) || !find_heights(world)) {
        return false;
    }
    make_bodies(world);
    sort_constraints(world);
    return true;
}
