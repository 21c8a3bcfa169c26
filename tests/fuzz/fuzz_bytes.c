#include "fuzz_bytes.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

uint8_t fuzz_byte(fuzz_bytes *bytes)
{
    if (bytes->size == 0) {
        return 0;
    }
    --bytes->size;
    return *bytes->data++;
}

uint32_t fuzz_below(fuzz_bytes *bytes, uint32_t count)
{
    return fuzz_byte(bytes) % count;
}

int fuzz_integer(fuzz_bytes *bytes, int reach)
{
    const int number = (int)fuzz_below(bytes, 2 * (uint32_t)reach + 1);
    return number <= reach ? number : reach - number;
}

float fuzz_any_float(fuzz_bytes *bytes)
{
    uint32_t bits = 0;
    for (int i = 0; i < 4; ++i) {
        bits = bits << 8 | fuzz_byte(bytes);
    }
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static float draw_finite(fuzz_bytes *bytes)
{
    const float value = fuzz_any_float(bytes);
    return isfinite(value) ? value : 0;
}

fuzz_ground fuzz_ground_draw(fuzz_bytes *bytes)
{
    static const float distances[] = {1024, 65536, 1048576};
    const uint8_t choice = fuzz_byte(bytes);
    fuzz_ground ground = {(fuzz_kind)(choice % FUZZ_KIND_COUNT), {0, 0}, 1};
    const uint32_t variant = choice / FUZZ_KIND_COUNT;
    if (ground.kind == FUZZ_GRID) {
        ground.unit = ldexpf(1, (int)(variant % 5) - 2);
    } else if (ground.kind == FUZZ_FAR_GRID) {
        ground.unit = variant % 2 ? 0.125f : 1;
        ground.origin.x = distances[variant % 3];
        ground.origin.y = -distances[variant / 3 % 3];
    } else if (ground.kind == FUZZ_ROUNDED) {
        ground.unit = 0.1f;
    }
    return ground;
}

bool fuzz_ground_is_exact(const fuzz_ground *ground)
{
    return ground->kind == FUZZ_GRID || ground->kind == FUZZ_FAR_GRID;
}

float fuzz_number(fuzz_bytes *bytes, const fuzz_ground *ground, int reach)
{
    return ground->kind == FUZZ_ANY ? draw_finite(bytes)
                                    : (float)fuzz_integer(bytes, reach) * ground->unit;
}

graze_vec2 fuzz_way(fuzz_bytes *bytes, const fuzz_ground *ground, int reach)
{
    const float x = fuzz_number(bytes, ground, reach);
    const graze_vec2 way = {x, fuzz_number(bytes, ground, reach)};
    return way;
}

float fuzz_size(fuzz_bytes *bytes, const fuzz_ground *ground, int reach)
{
    if (ground->kind == FUZZ_ANY) {
        const float size = fabsf(draw_finite(bytes));
        return size > 0 ? size : 1;
    }
    return (float)(1 + fuzz_below(bytes, (uint32_t)reach)) * ground->unit;
}

graze_vec2 fuzz_place(fuzz_bytes *bytes, const fuzz_ground *ground, int reach)
{
    return graze_vec2_add(ground->origin, fuzz_way(bytes, ground, reach));
}

void fuzz_fail(const char *file, int line, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    fprintf(stderr, "%s:%d: ", file, line);
    vfprintf(stderr, format, values);
    fputc('\n', stderr);
    va_end(values);
    abort();
}
