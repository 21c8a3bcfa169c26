#include "median.h"

#include <stdlib.h>

static int compare_numbers(const void *first, const void *second)
{
    const double a = *(const double *)first;
    const double b = *(const double *)second;
    return (a > b) - (a < b);
}

void median_sort(double *numbers, uint32_t count)
{
    if (count) {
        qsort(numbers, count, sizeof *numbers, compare_numbers);
    }
}

double median_of(const double *numbers, uint32_t count)
{
    return count ? (numbers[(count - 1) / 2] + numbers[count / 2]) / 2 : 0;
}
