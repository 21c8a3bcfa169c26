// What is kept of contacts while bodies are still, and the memory of the solver.

#include "contact/contact_keys.h"
#include "solve/solve.h"

// Steps replace the contacts of active bodies, and do not visit those of still ones. When bodies
// become still, theirs are set apart; when any wakes, both lists are joined again, by key.

static bool is_still(const graze_world *world, graze_body_id body)
{
    const uint32_t row = body.generation ? grz_bodies_find(world, body) : GRZ_NONE;
    return row != GRZ_NONE && row >= world->active_count;
}

static bool is_of_still(const graze_world *world, const grz_cached_contact *kept)
{
    return is_still(world, kept->key.a) && (!kept->key.b.generation || is_still(world, kept->key.b));
}

bool grz_solve_set_still_apart(graze_world *world)
{
    grz_solve *solve = &world->solve;
    if (!grz_solve_join_cache(world) ||
        !grz_array_reserve(&solve->still_cache, &world->counting, solve->cache.count)) {
        return false;
    }
    uint32_t left = 0;
    solve->still_cache.count = 0;
    for (uint32_t k = 0; k < solve->cache.count; ++k) {
        const grz_cached_contact kept = solve->cache.data[k];
        if (is_of_still(world, &kept)) {
            solve->still_cache.data[solve->still_cache.count++] = kept;
        } else {
            solve->cache.data[left++] = kept;
        }
    }
    solve->cache.count = left;
    return true;
}

bool grz_solve_join_cache(graze_world *world)
{
    grz_solve *solve = &world->solve;
    const uint32_t count = solve->cache.count + solve->still_cache.count;
    if (!solve->still_cache.count) {
        return true;
    }
    if (!grz_array_reserve(&solve->coming, &world->counting, count)) {
        return false;
    }
    uint32_t active = 0, still = 0;
    for (uint32_t k = 0; k < count; ++k) {
        const bool from_still =
            active == solve->cache.count ||
            (still < solve->still_cache.count &&
             grz_compare_keys(&solve->still_cache.data[still].key, &solve->cache.data[active].key) <
                 0);
        solve->coming.data[k] =
            from_still ? solve->still_cache.data[still++] : solve->cache.data[active++];
    }
    solve->coming.count = count;
    solve->still_cache.count = 0;
    const grz_contact_cache joined = solve->coming;
    solve->coming = solve->cache;
    solve->cache = joined;
    return true;
}

void grz_solve_free(grz_solve *solve, const graze_allocator *allocator)
{
    grz_array_free(&solve->cache, allocator);
    grz_array_free(&solve->still_cache, allocator);
    grz_array_free(&solve->coming, allocator);
    grz_array_free(&solve->joined, allocator);
    grz_array_free(&solve->indices, allocator);
    grz_array_free(&solve->row_of_slot, allocator);
    grz_array_free(&solve->slot_of_row, allocator);
    grz_array_free(&solve->pairs, allocator);
    grz_array_free(&solve->found, allocator);
    grz_array_free(&solve->pair_ends, allocator);
    grz_array_free(&solve->partners, allocator);
    grz_array_free(&solve->partner_ends, allocator);
    grz_array_free(&solve->passes, allocator);
    grz_array_free(&solve->walls, allocator);
    grz_array_free(&solve->wall_ends, allocator);
    grz_array_free(&solve->obstacles, allocator);
    grz_array_free(&solve->met_before, allocator);
    grz_array_free(&solve->contacts, allocator);
    grz_array_free(&solve->bodies, allocator);
    grz_array_free(&solve->before, allocator);
    grz_array_free(&solve->ends, allocator);
    grz_array_free(&solve->ones, allocator);
    grz_array_free(&solve->twos, allocator);
    grz_array_free(&solve->groups, allocator);
    grz_array_free(&solve->colours, allocator);
    grz_array_free(&solve->order, allocator);
    grz_array_free(&solve->group_of, allocator);
    grz_array_free(&solve->parents, allocator);
}
