/// @file canvas.h
/// A small anti-aliased software rasteriser.
///
/// Units      Pixels; (0, 0) is the upper left corner of the upper left pixel, y points down.
/// Exactness  Coverage is a float a pixel; blending is in linear light.
#ifndef CLI_CANVAS_H
#define CLI_CANVAS_H

#include "common.h"

#include <graze/shape.h>
#include <graze/vec2.h>

#include <stddef.h>
#include <stdint.h>

/// Linear light, 0 to 1; sums of lights may be more.
typedef struct cli_color {
    float r, g, b;
} cli_color;

typedef struct cli_canvas {
    uint32_t width, height;
    cli_color *pixels; ///< Row by row, top first.
} cli_canvas;

/// One value a pixel, 0 to 1.
typedef struct cli_mask {
    uint32_t width, height;
    float *values;
} cli_mask;

/// Returns the linear light of an sRGB colour 0xRRGGBB.
cli_color cli_color_from_hex(uint32_t hex);
cli_color cli_color_mix(cli_color from, cli_color to, float part);

/// Makes a canvas of one colour; both sizes above 0. Free it with cli_canvas_free().
void cli_canvas_init(cli_canvas *canvas, uint32_t width, uint32_t height, cli_color color);
void cli_canvas_free(cli_canvas *canvas);

/// Copies another canvas onto this one, its upper left corner to (x, y). All of it must fit.
void cli_canvas_paste(cli_canvas *canvas, const cli_canvas *other, uint32_t x, uint32_t y);

void cli_mask_init(cli_mask *mask, uint32_t width, uint32_t height, float value);
void cli_mask_free(cli_mask *mask);

/// How a polygon's coverage changes a mask.
typedef enum cli_mask_operation {
    CLI_MASK_ADD,   ///< The larger of the two.
    CLI_MASK_REMOVE ///< The mask, at most 1 minus the coverage.
} cli_mask_operation;

/// Changes the mask by a polygon of `count` points, even-odd.
void cli_mask_polygon(cli_mask *mask, const graze_vec2 *points, size_t count,
                      cli_mask_operation operation);

/// How a shape is painted.
typedef struct cli_paint {
    cli_color color;
    float alpha;  ///< 0 to 1.
    float stroke; ///< Width of the outline; 0: the shape is filled.
} cli_paint;

void cli_canvas_circle(cli_canvas *canvas, graze_circle circle, cli_paint paint);
void cli_canvas_rect(cli_canvas *canvas, graze_rect rect, cli_paint paint);

/// A line with round ends; stroke is its width.
void cli_canvas_line(cli_canvas *canvas, graze_vec2 a, graze_vec2 b, cli_paint paint);

/// Adds light along a line: it grows from nothing at the tail to full at the tip, white in the core
/// and coloured in a halo of `radius`.
void cli_canvas_streak(cli_canvas *canvas, graze_vec2 tail, graze_vec2 tip, float radius,
                       cli_color color, float brightness);

/// Converts the canvas to bytes: width * height * 3 of sRGB, top row first; free() them. Light
/// above 1 fades into white.
unsigned char *cli_canvas_to_bytes(const cli_canvas *canvas);

/// Writes the canvas as a PNG file.
bool cli_canvas_write(const cli_canvas *canvas, const char *path, cli_error *error);

#endif
