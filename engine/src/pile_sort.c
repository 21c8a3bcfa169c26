#include "pile_sort.h"

#include "tolerance.h"

#include <string.h>

static bool comes_before(const grz_pile_key *a, const grz_pile_key *b)
{
    return a->major != b->major ? a->major < b->major : a->minor < b->minor;
}

static void sift_down(grz_pile_key *keys, uint32_t place, uint32_t count)
{
    const grz_pile_key sinking = keys[place];
    for (uint32_t child; (child = 2 * place + 1) < count; place = child) {
        if (child + 1 < count && comes_before(&keys[child], &keys[child + 1])) {
            ++child;
        }
        if (!comes_before(&sinking, &keys[child])) {
            break;
        }
        keys[place] = keys[child];
    }
    keys[place] = sinking;
}

// Heapsort (Williams 1964): no worst case, no memory. Equal keys come in any order.
static void sort_keys(grz_pile_key *keys, uint32_t count)
{
    for (uint32_t place = count / 2; place-- > 0;) {
        sift_down(keys, place, count);
    }
    for (uint32_t end = count; end-- > 1;) {
        const grz_pile_key greatest = keys[0];
        keys[0] = keys[end];
        keys[end] = greatest;
        sift_down(keys, 0, end);
    }
}

// Numbers have the order of their bits, once the negative ones are turned around.
static uint64_t bits_in_order(double number)
{
    const double no_negative_zero = number + 0.0;
    uint64_t bits;
    memcpy(&bits, &no_negative_zero, sizeof bits);
    return bits >> 63 ? ~bits : bits | UINT64_C(1) << 63;
}

// Against gravity; in units of its own.
static double height_of(const graze_world *world, uint32_t row)
{
    return -dot(widen(world->rows.position[row]), widen(world->gravity));
}

static void make_bodies(graze_world *world)
{
    grz_piles *piles = &world->piles;
    for (uint32_t k = 0; k < piles->keys.count; ++k) {
        grz_pile_key *key = &piles->keys.data[k];
        const grz_motion *motion = &world->motions.data[key->item];
        key->major = bits_in_order(height_of(world, motion->row));
        key->minor = motion->index;
    }
    sort_keys(piles->keys.data, piles->keys.count);
    piles->bodies.count = piles->keys.count;
    for (uint32_t place = 0; place < piles->keys.count; ++place) {
        const uint32_t m = piles->keys.data[place].item;
        const grz_motion *motion = &world->motions.data[m];
        const grz_piled body = {.motion = m,
                                .first_link = GRZ_NONE,
                                .size = grz_size_of(world, motion->row),
                                .most = motion->reach / (double)world->dt,
                                .velocity = motion->velocity};
        piles->bodies.data[place] = body;
        piles->places.data[m] = place;
    }
}

static void turn_over(grz_near *near)
{
    const uint32_t upper = near->lower;
    near->lower = near->upper;
    near->upper = upper;
    near->normal = negate(near->normal);
    near->share = 1 - near->share;
}

static void put_places(const grz_piles *piles, grz_near *near)
{
    near->upper = piles->places.data[near->upper];
    if (near->kind == GRZ_NEAR_BODY) {
        near->lower = piles->places.data[near->lower];
        if (near->upper < near->lower) {
            turn_over(near);
        }
    }
}

static grz_pile_key key_of(const grz_near *near, uint32_t item)
{
    const grz_pile_key key = {(uint64_t)near->upper << 2 | near->kind,
                              near->kind == GRZ_NEAR_BODY ? near->lower : near->id, item};
    return key;
}

static bool is_closer(const grz_near *a, const grz_near *b)
{
    if (a->gap != b->gap) {
        return a->gap < b->gap;
    }
    return a->normal.x != b->normal.x ? a->normal.x < b->normal.x : a->normal.y < b->normal.y;
}

// A wall may have been found more than once.
static void put_in_order(grz_piles *piles)
{
    uint32_t count = 0;
    for (uint32_t k = 0; k < piles->keys.count; ++k) {
        const grz_near *near = &piles->nears.data[piles->keys.data[k].item];
        const bool again = k > 0 && !comes_before(&piles->keys.data[k - 1], &piles->keys.data[k]);
        if (!again) {
            piles->sorted.data[count++] = *near;
        } else if (is_closer(near, &piles->sorted.data[count - 1])) {
            piles->sorted.data[count - 1] = *near;
        }
    }
    piles->nears.count = count;
    memcpy(piles->nears.data, piles->sorted.data, (size_t)count * sizeof *piles->nears.data);
}

static void sort_nears(grz_piles *piles)
{
    piles->keys.count = piles->nears.count;
    for (uint32_t k = 0; k < piles->nears.count; ++k) {
        put_places(piles, &piles->nears.data[k]);
        piles->keys.data[k] = key_of(&piles->nears.data[k], k);
    }
    sort_keys(piles->keys.data, piles->keys.count);
    put_in_order(piles);
}

static void link_to(grz_piles *piles, uint32_t place, uint32_t link)
{
    piles->links.data[link] = piles->bodies.data[place].first_link;
    piles->bodies.data[place].first_link = link;
}

static void link_nears(grz_piles *piles)
{
    for (uint32_t k = piles->nears.count; k-- > 0;) {
        const grz_near *near = &piles->nears.data[k];
        link_to(piles, near->upper, 2 * k);
        if (near->kind == GRZ_NEAR_BODY) {
            link_to(piles, near->lower, 2 * k + 1);
        }
    }
}

bool grz_piles_sort(graze_world *world)
{
    grz_piles *piles = &world->piles;
    const graze_allocator *allocator = &world->counting;
    const uint32_t nears = piles->nears.count;
    if (!grz_array_reserve(&piles->bodies, allocator, piles->keys.count) ||
        !grz_array_reserve(&piles->places, allocator, world->motions.count) ||
        !grz_array_reserve(&piles->keys, allocator, nears) ||
        !grz_array_reserve(&piles->sorted, allocator, nears) ||
        !grz_array_reserve(&piles->links, allocator, 2 * (size_t)nears)) {
        return false;
    }
    make_bodies(world);
    sort_nears(piles);
    link_nears(piles);
    return true;
}
