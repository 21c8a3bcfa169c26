// The plan: where the items lie, which the sides of cells follow from.

#include "grid_plan_sides.h"
#include "root.h"

enum { SAMPLES = 32 }; ///< Items from which the extent of the world is estimated.

// Sorts the few values by insertion.
static void sort_values(double *values, uint32_t count)
{
    for (uint32_t i = 1; i < count; ++i) {
        const double value = values[i];
        uint32_t hole = i;
        for (; hole > 0 && values[hole - 1] > value; --hole) {
            values[hole] = values[hole - 1];
        }
        values[hole] = value;
    }
}

// Stores where the values begin and how far they extend, estimated from the inner three quarters of
// a few of them.
static void judge_spread(double *values, uint32_t count, double *low, double *length)
{
    sort_values(values, count);
    if (count < 2) {
        *low = count ? values[0] : 0;
        *length = 0;
        return;
    }
    const uint32_t first = count / 8, last = count - 1 - count / 8;
    *length = (values[last] - values[first]) * (count + 1) / (last - first);
    *low = (values[last] + values[first] - *length) * 0.5;
}

grz_grid_extent grz_grid_judge_extent(const graze_grid_items *items)
{
    const uint32_t count = items->count < SAMPLES ? items->count : SAMPLES;
    double x[SAMPLES], y[SAMPLES];
    for (uint32_t sample = 0; sample < count; ++sample) {
        const uint32_t i = (uint32_t)((uint64_t)sample * items->count / count);
        x[sample] = ((double)items->boxes[i].lower.x + (double)items->boxes[i].upper.x) * 0.5;
        y[sample] = ((double)items->boxes[i].lower.y + (double)items->boxes[i].upper.y) * 0.5;
    }
    grz_grid_extent judged;
    judge_spread(x, count, &judged.low_x, &judged.width);
    judge_spread(y, count, &judged.low_y, &judged.height);
    return judged;
}

static double count_wanted_cells(uint32_t count)
{
    return count / GRZ_GRID_DENSITY - 1 > 1 ? count / GRZ_GRID_DENSITY - 1 : 1;
}

double grz_grid_choose_side(grz_grid_extent world, uint32_t count)
{
    const double cells = count_wanted_cells(count);
    const double sum = world.width + world.height;
    const double root = grz_sqrt(sum * sum + 4 * cells * world.width * world.height);
    return (sum + root) / (2 * cells);
}
