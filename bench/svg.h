/// @file svg.h
/// Drawing into an SVG file: a few shapes, and axes whose steps are powers of ten.
///
/// Units      Pixels from the upper left corner. Colours are CSS's. Text is escaped.
#ifndef GRAZE_BENCH_SVG_H
#define GRAZE_BENCH_SVG_H

#include <stdbool.h>
#include <stdio.h>

typedef enum svg_anchor { SVG_LEFT, SVG_MIDDLE, SVG_RIGHT } svg_anchor;

typedef struct svg_text_style {
    const char *color;
    int size;
    svg_anchor anchor;
    bool bold;
    bool halo; ///< White around it, above lines.
} svg_text_style;

/// A logarithmic axis: `least` lies at `from`, `most` at `to`, in pixels.
typedef struct svg_axis {
    double least, most, from, to;
} svg_axis;

/// Writes head and a white background. `title` and `description` are for screen readers.
void svg_begin(FILE *to, int width, int height, const char *title, const char *description);
void svg_end(FILE *to);

void svg_text(FILE *to, double x, double y, const svg_text_style *style, const char *text);

/// Text that reads upwards, with its middle at x, y.
void svg_text_upwards(FILE *to, double x, double y, const svg_text_style *style, const char *text);
void svg_line(FILE *to, double x1, double y1, double x2, double y2, const char *color,
              double width);
void svg_bar(FILE *to, double x, double y, double width, double height, const char *color);

/// A mark of a point: the first kind is a disc, then a square, then a triangle.
void svg_mark(FILE *to, double x, double y, int kind, const char *color);

/// Returns an axis that begins and ends at powers of ten and holds both values, which are above 0.
svg_axis svg_axis_around(double least, double most, double from, double to);

/// Returns the position of a value, in pixels.
double svg_place(const svg_axis *axis, double value);

#endif
