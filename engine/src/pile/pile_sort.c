#include "pile/pile_sort.h"

#include "contact/contact_run_sort.h"
#include "pile/pile_crowd.h"
#include "respond/tolerance.h"

// Bucket sort: what is sorted is first distributed over as many ranges as there are bodies. Then
// each range, which has a few, is sorted by comparing.

static void clear_starts(grz_piles *piles, uint32_t count)
{
    for (uint32_t k = 0; k <= count; ++k) {
        piles->starts.data[k] = 0;
    }
}

// From how many there are of each to where they start; place_next() fills in what starts there, and
// leaves where they end.
static void sum_up(grz_piles *piles, uint32_t count)
{
    uint32_t sum = 0;
    for (uint32_t k = 0; k <= count; ++k) {
        const uint32_t here = piles->starts.data[k];
        piles->starts.data[k] = sum;
        sum += here;
    }
}

static void place_next(grz_piles *piles, uint32_t range, uint32_t item)
{
    piles->order.data[piles->starts.data[range]++] = item;
}

static void sort_ranges(const graze_world *world, uint32_t count, grz_places_compare_fn *compare)
{
    const grz_piles *piles = &world->piles;
    uint32_t first = 0;
    for (uint32_t k = 0; k < count; ++k) {
        const uint32_t end = piles->starts.data[k];
        grz_sort_run(world, piles->order.data + first, piles->levels.data, end - first, compare);
        first = end;
    }
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

static int compare_heights(const graze_world *world, uint32_t first, uint32_t second)
{
    const grz_pile_key *a = &world->piles.keys.data[first];
    const grz_pile_key *b = &world->piles.keys.data[second];
    if (a->height != b->height) {
        return a->height < b->height ? -1 : 1;
    }
    const int by_place = grz_piles_are_crowds(world) ? compare_positions(world, a, b) : 0;
    return by_place ? by_place : (a->index > b->index) - (a->index < b->index);
}

/// The heights of all bodies.
typedef struct span {
    double lowest, factor;
} span;

static span find_span(const grz_piles *piles)
{
    double lowest = piles->keys.data[0].height;
    double highest = lowest;
    for (uint32_t k = 1; k < piles->keys.count; ++k) {
        lowest = lesser(lowest, piles->keys.data[k].height);
        highest = greater(highest, piles->keys.data[k].height);
    }
    const double most = piles->keys.count - 1;
    const span found = {lowest, highest > lowest ? most / (highest - lowest) : 0};
    return found;
}

// Never falls as the height grows, however it is rounded.
static uint32_t range_of(const span *heights, const grz_pile_key *key)
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

static void sort_heights(graze_world *world)
{
    grz_piles *piles = &world->piles;
    const uint32_t count = piles->keys.count;
    const span heights = find_span(piles);
    clear_starts(piles, count);
    for (uint32_t k = 0; k < count; ++k) {
        ++piles->starts.data[range_of(&heights, &piles->keys.data[k])];
    }
    sum_up(piles, count);
    for (uint32_t k = 0; k < count; ++k) {
        place_next(piles, range_of(&heights, &piles->keys.data[k]), k);
    }
    sort_ranges(world, count, compare_heights);
}

static void make_bodies(graze_world *world)
{
    grz_piles *piles = &world->piles;
    sort_heights(world);
    piles->bodies.count = piles->keys.count;
    for (uint32_t place = 0; place < piles->bodies.count; ++place) {
        const uint32_t m = piles->keys.data[piles->order.data[place]].motion;
        const grz_motion *motion = &world->motions.data[m];
        const grz_piled body = {.motion = m,
                                .size = grz_size_of(world, motion->row),
                                .most = motion->reach / (double)world->dt,
                                .before = widen(world->rows.velocity[motion->row]),
                                .velocity = motion->velocity};
        piles->bodies.data[place] = body;
        piles->places.data[m] = place;
    }
}

// --- Constraints ---

static void turn_over(grz_constraint *constraint)
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
            turn_over(constraint);
        }
    }
}

// What tells a constraint from the others of its upper body that are of its kind.
static uint64_t other_of(const grz_constraint *constraint)
{
    return constraint->kind == GRZ_CONSTRAINT_BODY ? constraint->lower : constraint->id;
}

// Of those of one upper body.
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
    sort_ranges(world, piles->bodies.count, compare_constraints);
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
        !grz_array_reserve(&piles->levels, allocator, most) || !find_heights(world)) {
        return false;
    }
    make_bodies(world);
    sort_constraints(world);
    return true;
}
