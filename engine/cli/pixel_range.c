#include "pixel_range.h"

#include "vec2d.h"

cli_pixel_range cli_pixels_between(float low, float high, uint32_t size)
{
    float least = low - 1 > 0 ? low - 1 : 0;
    float most = high + 2 < (float)size ? high + 2 : (float)size;
    cli_pixel_range range = {0, 0};
    if (least < most) {
        range.first = (uint32_t)least;
        range.end = (uint32_t)most;
    }
    return range;
}

/// From one part of a segment to another: 0 is its first point, 1 its second.
typedef struct segment_part {
    double first, last;
} segment_part;

// What of a part lies between two bounds on one axis; nothing does if it ends before it begins.
static segment_part keep_between(segment_part part, double from, double way, double low,
                                 double high)
{
    if (way == 0) {
        const segment_part none = {1, 0};
        return from >= low && from <= high ? part : none;
    }
    const double enter = (way < 0 ? high - from : low - from) / way;
    const double leave = (way < 0 ? low - from : high - from) / way;
    part.first = enter > part.first ? enter : part.first;
    part.last = leave < part.last ? leave : part.last;
    return part;
}

cli_pixel_range cli_pixels_near(graze_segment segment, float reach, uint32_t y, uint32_t width)
{
    const cli_pixel_range none = {0, 0};
    const graze_vec2d way = offset(segment.b, segment.a);
    const double middle = (double)y + 0.5;
    const segment_part whole = {0, 1};
    const segment_part part = keep_between(whole, (double)segment.a.y, way.y,
                                           middle - (double)reach, middle + (double)reach);
    if (part.first > part.last) {
        return none;
    }
    const float one = (float)((double)segment.a.x + part.first * way.x);
    const float other = (float)((double)segment.a.x + part.last * way.x);
    return one < other ? cli_pixels_between(one - reach, other + reach, width)
                       : cli_pixels_between(other - reach, one + reach, width);
}

bool cli_segment_cut(graze_vec2d *a, graze_vec2d *b, graze_vec2d size, double margin)
{
    const graze_vec2d from = *a;
    const graze_vec2d way = subtract(*b, from);
    segment_part part = {0, 1};
    part = keep_between(part, from.x, way.x, -margin, size.x + margin);
    part = keep_between(part, from.y, way.y, -margin, size.y + margin);
    if (part.first > 0) {
        *a = along(from, way, part.first);
    }
    if (part.last < 1) {
        *b = along(from, way, part.last);
    }
    return part.first <= part.last;
}
