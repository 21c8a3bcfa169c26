#include "contact_run_sort.h"

enum { INSERTION_LIMIT = 12 }; // Runs up to here are sorted by insertion.

static bool is_sorted(const graze_world *world, const grz_sorted *items, uint32_t count,
                      grz_sorted_compare_fn *compare)
{
    for (uint32_t k = 1; k < count; ++k) {
        if (compare(world, items[k - 1], items[k]) > 0) {
            return false;
        }
    }
    return true;
}

static void sort_by_insertion(const graze_world *world, grz_sorted *items, uint32_t count,
                              grz_sorted_compare_fn *compare)
{
    for (uint32_t i = 1; i < count; ++i) {
        grz_sorted moved = items[i];
        uint32_t k = i;
        for (; k > 0 && compare(world, items[k - 1], moved) > 0; --k) {
            items[k] = items[k - 1];
        }
        items[k] = moved;
    }
}

void grz_sort_run(const graze_world *world, grz_sorted *items, grz_sorted *scratch, uint32_t count,
                  grz_sorted_compare_fn *compare)
{
    if (is_sorted(world, items, count, compare)) {
        return;
    }
    if (count <= INSERTION_LIMIT) {
        sort_by_insertion(world, items, count, compare);
        return;
    }
    uint32_t half = count / 2;
    grz_sort_run(world, items, scratch, half, compare);
    grz_sort_run(world, items + half, scratch, count - half, compare);
    for (uint32_t k = 0; k < half; ++k) {
        scratch[k] = items[k];
    }
    uint32_t left = 0;
    uint32_t right = half;
    for (uint32_t k = 0; left < half; ++k) {
        bool take_right = right < count && compare(world, items[right], scratch[left]) < 0;
        items[k] = take_right ? items[right++] : scratch[left++];
    }
}
