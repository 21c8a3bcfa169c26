#include "bodies.h"
#include "meet.h"
#include "rest.h"
#include "step.h"

enum { PAIRS_AT_ONCE = 4096 };

// Drops the pairs from `first` on that do not meet.
static void filter_pairs(graze_world *world, uint32_t first)
{
    if (!world->filter_count && !world->filter) {
        return;
    }
    uint32_t kept = first;
    for (uint32_t i = first; i < world->pairs.count; ++i) {
        graze_pair pair = world->pairs.data[i];
        world->pairs.data[kept] = pair;
        kept += grz_bodies_meet(world, pair.a, pair.b);
    }
    world->pairs.count = kept;
}

// Pairs of an active and a still body.
static graze_status add_rest(graze_world *world)
{
    grz_rest_cursor cursor = {0};
    world->candidate_count += world->rest.pair_count;
    for (;;) {
        if (!grz_array_reserve_more(&world->pairs, &world->counting, PAIRS_AT_ONCE)) {
            return GRAZE_ERROR_OUT_OF_MEMORY;
        }
        uint32_t first = world->pairs.count;
        uint32_t found = grz_rest_next_pairs(world, &cursor, world->pairs.data + first,
                                             world->pairs.capacity - first);
        if (!found) {
            return GRAZE_OK;
        }
        world->pairs.count += found;
        world->candidate_count += found;
        filter_pairs(world, first);
    }
}

graze_status grz_step_pairs(graze_world *world)
{
    graze_grid_cursor cursor = graze_grid_begin_pairs(world->grid);
    world->pairs.count = 0;
    world->candidate_count = 0;
    for (;;) {
        if (!grz_array_reserve_more(&world->pairs, &world->counting, PAIRS_AT_ONCE)) {
            return GRAZE_ERROR_OUT_OF_MEMORY;
        }
        uint32_t first = world->pairs.count;
        uint32_t found = graze_grid_next_pairs(world->grid, &cursor, world->pairs.data + first,
                                               world->pairs.capacity - first);
        if (!found) {
            return add_rest(world);
        }
        grz_rows_of_places(world, world->pairs.data + first, found);
        world->pairs.count += found;
        world->candidate_count += found;
        filter_pairs(world, first);
    }
}
