#include "soak_case.h"

#include <stdarg.h>

void soak_begin(soak_case *test, uint32_t *choices, uint64_t seed)
{
    const soak_case fresh = {.random = random_seed(seed), .choices = choices};
    *test = fresh;
}

void soak_begin_again(soak_case *test, uint32_t *choices, uint32_t count, FILE *story)
{
    const soak_case again = {
        .random = random_seed(0),
        .choices = choices,
        .given = count,
        .replays = true,
        .story = story,
    };
    *test = again;
}

static uint32_t choose(soak_case *test)
{
    const uint32_t end = test->replays ? test->given : SOAK_CHOICES;
    if (test->count >= end) {
        return 0;
    }
    if (!test->replays) {
        test->choices[test->count] = random_bits(&test->random);
    }
    return test->choices[test->count++];
}

uint32_t soak_pick(soak_case *test, uint32_t count)
{
    return (uint32_t)(((uint64_t)choose(test) * count) >> 32);
}

int soak_pick_integer(soak_case *test, int reach)
{
    const int number = (int)soak_pick(test, 2 * (uint32_t)reach + 1);
    return number % 2 ? (number + 1) / 2 : -number / 2;
}

float soak_pick_float(soak_case *test, float low, float high)
{
    const float unit = (float)(choose(test) >> 8) * 0x1p-24f;
    return low + (high - low) * unit;
}

float soak_pick_signed(soak_case *test, float reach)
{
    const uint32_t choice = choose(test);
    const float size = (float)(choice >> 8) * 0x1p-24f * reach;
    return choice & 1 ? -size : size;
}

bool soak_chance(soak_case *test, uint32_t odds)
{
    return soak_pick(test, odds) == odds - 1;
}

bool soak_more(soak_case *test, uint32_t mean)
{
    return soak_pick(test, mean + 1) != 0;
}

void soak_fail(soak_case *test, const char *format, ...)
{
    if (test->failed) {
        return;
    }
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(test->reason, sizeof test->reason, format, arguments);
    va_end(arguments);
    test->failed = true;
}

void soak_tell(const soak_case *test, const char *format, ...)
{
    if (!test->story) {
        return;
    }
    va_list arguments;
    va_start(arguments, format);
    fputs("  ", test->story);
    vfprintf(test->story, format, arguments);
    fputc('\n', test->story);
    va_end(arguments);
}

void soak_tell_points(const soak_case *test, const char *name, const graze_vec2 *points,
                      uint32_t count)
{
    if (!test->story) {
        return;
    }
    fprintf(test->story, "  %s", name);
    for (uint32_t i = 0; i < count; ++i) {
        fprintf(test->story, " (%.9g, %.9g)", (double)points[i].x, (double)points[i].y);
    }
    fputc('\n', test->story);
}
