/// @file pixel_range.h
/// Which pixels a shape can reach, so that only those are looked at.
///
/// Units      Those of canvas.h: the middle of the upper left pixel is (0.5, 0.5).
#ifndef CLI_PIXEL_RANGE_H
#define CLI_PIXEL_RANGE_H

#include <graze/shape.h>
#include <graze/vec2.h>

#include <stdbool.h>
#include <stdint.h>

/// Rows or columns [first, end) of a picture.
typedef struct cli_pixel_range {
    uint32_t first, end;
} cli_pixel_range;

/// Returns those that lie from `low` to `high`, and one more on each side, of a picture of this
/// width or height.
cli_pixel_range cli_pixels_between(float low, float high, uint32_t size);

/// Returns the columns of row `y` that can be within `reach` of a segment.
cli_pixel_range cli_pixels_near(graze_segment segment, float reach, uint32_t y, uint32_t width);

/// Cuts off what of the segment from a to b is outside of a picture by more than `margin`. False if
/// all of it is. Costs the same however long it is.
bool cli_segment_cut(graze_vec2d *a, graze_vec2d *b, graze_vec2d size, double margin);

#endif
