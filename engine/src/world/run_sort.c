#include "world/run_sort.h"

enum { INSERTION_LIMIT = 12 }; ///< Runs up to here are sorted by insertion.

static void sort_by_insertion(const graze_world *world, uint32_t *places, uint32_t count,
                              grz_places_compare_fn *compare)
{
    for (uint32_t i = 1; i < count; ++i) {
        const uint32_t moved = places[i];
        uint32_t k = i;
        for (; k > 0 && compare(world, places[k - 1], moved) > 0; --k) {
            places[k] = places[k - 1];
        }
        places[k] = moved;
    }
}

void grz_sort_run(const graze_world *world, uint32_t *places, uint32_t *scratch, uint32_t count,
                  grz_places_compare_fn *compare)
{
    if (count <= INSERTION_LIMIT) {
        sort_by_insertion(world, places, count, compare);
        return;
    }
    const uint32_t half = count / 2;
    grz_sort_run(world, places, scratch, half, compare);
    grz_sort_run(world, places + half, scratch, count - half, compare);
    for (uint32_t k = 0; k < half; ++k) {
        scratch[k] = places[k];
    }
    uint32_t left = 0;
    uint32_t right = half;
    for (uint32_t k = 0; left < half; ++k) {
        const bool take_right = right < count && compare(world, places[right], scratch[left]) < 0;
        places[k] = take_right ? places[right++] : scratch[left++];
    }
}
