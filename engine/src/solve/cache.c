// What is kept of contacts while bodies are still.

#include "asserts.h"
#include "collide/sleep.h"
#include "solve/solve.h"
#include "world/contact_keys.h"

#include <string.h>

// Steps replace the contacts of active bodies, and do not visit those of still ones. So when bodies
// become still or active, theirs move to the other list. Which list a contact is in is derived, as
// it is which bodies are still: no result depends on it.

static bool is_still(const graze_world *world, graze_body_id body)
{
    const grz_row row = body.generation ? grz_bodies_find(world, body) : GRZ_NONE;
    return row != GRZ_NONE && row >= world->bodies.active_count;
}

static bool is_of_still(const graze_world *world, const grz_cached_contact *kept)
{
    return is_still(world, kept->key.a) &&
           (!kept->key.b.generation || is_still(world, kept->key.b));
}

// Moves all that is, or is not, of still bodies to the end of coming.
static void take_out(graze_world *world, grz_contact_cache *from, bool still)
{
    grz_contact_cache *taken = &world->solve.coming;
    uint32_t left = 0;
    taken->count = 0;
    for (uint32_t k = 0; k < from->count; ++k) {
        const grz_cached_contact kept = from->data[k];
        if (is_of_still(world, &kept) == still) {
            GRZ_ASSERT(taken->count < taken->capacity);
            taken->data[taken->count++] = kept;
        } else {
            from->data[left++] = kept;
        }
    }
    from->count = left;
}

// Merges coming into a list that has room, from the back.
static void put_in(grz_solve *solve, grz_contact_cache *to)
{
    const grz_contact_cache *taken = &solve->coming;
    uint32_t old = to->count, new = taken->count;
    GRZ_ASSERT(old + new <= to->capacity);
    to->count = old + new;
    while (new) {
        const bool is_old =
            old && grz_compare_keys(&to->data[old - 1].key, &taken->data[new - 1].key) > 0;
        to->data[old + new - 1] = is_old ? to->data[old - 1] : taken->data[new - 1];
        old -= is_old;
        new -= !is_old;
    }
    solve->coming.count = 0;
}

bool grz_solve_reserve_still(graze_world *world, uint32_t count)
{
    grz_solve *solve = &world->solve;
    return count == 0 ||
           (grz_array_reserve(&solve->cache, &world->config.counting, count) &&
            grz_array_reserve_more(&solve->still_cache, &world->config.counting, count));
}

void grz_solve_set_still_apart(graze_world *world)
{
    grz_solve *solve = &world->solve;
    take_out(world, &solve->cache, true);
    put_in(solve, &solve->still_cache);
}

bool grz_solve_put_woken_back(graze_world *world)
{
    grz_solve *solve = &world->solve;
    const uint32_t count = solve->still_cache.count;
    if (!grz_array_reserve(&solve->coming, &world->config.counting, count) ||
        !grz_array_reserve_more(&solve->cache, &world->config.counting, count)) {
        return false;
    }
    take_out(world, &solve->still_cache, false);
    put_in(solve, &solve->cache);
    return true;
}

// --- Both lists as one ---

uint32_t grz_kept_contact_count(const grz_solve *solve)
{
    return solve->cache.count + solve->still_cache.count;
}

const grz_cached_contact *grz_kept_contact_next(const grz_solve *solve, grz_kept_cursor *cursor)
{
    const grz_contact_cache *active = &solve->cache, *still = &solve->still_cache;
    const bool has_active = cursor->active < active->count,
               has_still = cursor->still < still->count;
    if (!has_active && !has_still) {
        return NULL;
    }
    const bool from_still =
        !has_active || (has_still && grz_compare_keys(&still->data[cursor->still].key,
                                                      &active->data[cursor->active].key) < 0);
    return from_still ? &still->data[cursor->still++] : &active->data[cursor->active++];
}

bool grz_kept_contacts_reserve(graze_world *world, size_t count)
{
    return grz_array_reserve(&world->solve.cache, &world->config.counting, count);
}

void grz_kept_contacts_replace(grz_solve *solve, const void *list, uint32_t count)
{
    solve->still_cache.count = 0;
    solve->woken = false;
    solve->stirred = true;
    solve->cache.count = count;
    if (count) {
        memcpy(solve->cache.data, list, count * sizeof *solve->cache.data);
    }
}

void grz_solve_forget_manifolds(grz_solve *solve, graze_body_id body)
{
    const graze_rotation none = {0, 0};
    grz_contact_cache *const lists[] = {&solve->cache, &solve->still_cache};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; ++i) {
        for (uint32_t k = 0; k < lists[i]->count; ++k) {
            grz_cached_contact *kept = &lists[i]->data[k];
            if (grz_is_same_id(kept->key.a, body) || grz_is_same_id(kept->key.b, body)) {
                kept->rotation_a = kept->rotation_b = none;
                kept->offset = (graze_vec2){0, 0};
            }
        }
    }
}

void grz_solve_wake_on(graze_world *world, graze_chain_id chain)
{
    grz_kept_cursor cursor = {0, 0};
    const grz_cached_contact *kept;
    while ((kept = grz_kept_contact_next(&world->solve, &cursor))) {
        const graze_chain_id met = kept->key.segment.chain;
        if (met.index == chain.index && met.generation == chain.generation &&
            grz_bodies_find(world, kept->key.a) != GRZ_NONE) {
            grz_sleep_wake(world, kept->key.a.index);
        }
    }
}
