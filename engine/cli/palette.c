#include "palette.h"

#include "common.h"

#include <stdint.h>
#include <stdlib.h>

/// A colour that occurs, how often, and which colour replaces it.
typedef struct color_use {
    uint32_t color; ///< 0xRRGGBB.
    uint32_t count;
    uint32_t index;
} color_use;

/// A part of the list of colours, and the best single colour for it.
typedef struct color_box {
    color_use *first;
    size_t count;
    double mean[3];
    double error; ///< Squared, over all pixels and channels.
    int widest;   ///< The channel with most of the error.
} color_box;

static uint32_t channel_of(uint32_t color, int channel)
{
    return color >> (16 - 8 * channel) & 255;
}

static int compare_colors(const void *a, const void *b)
{
    uint32_t p = ((const color_use *)a)->color;
    uint32_t q = ((const color_use *)b)->color;
    return (p > q) - (p < q);
}

static color_box measure_box(color_use *first, size_t count)
{
    color_box box = {first, count, {0, 0, 0}, 0, 0};
    double widest = -1;
    for (int channel = 0; channel < 3; ++channel) {
        double weight = 0;
        double sum = 0;
        double squares = 0;
        for (size_t i = 0; i < count; ++i) {
            double value = channel_of(first[i].color, channel);
            weight += first[i].count;
            sum += value * first[i].count;
            squares += value * value * first[i].count;
        }
        double error = squares - sum * sum / weight;
        box.mean[channel] = sum / weight;
        box.error += error;
        if (error > widest) {
            widest = error;
            box.widest = channel;
        }
    }
    return box;
}

// Those not above the mean come first. If the colours differ, neither part is empty.
static size_t partition_box(const color_box *box)
{
    size_t low = 0;
    for (size_t i = 0; i < box->count; ++i) {
        if ((double)channel_of(box->first[i].color, box->widest) <= box->mean[box->widest]) {
            color_use kept = box->first[low];
            box->first[low++] = box->first[i];
            box->first[i] = kept;
        }
    }
    return low;
}

static size_t divide(color_use *uses, size_t count, color_box boxes[CLI_PALETTE_SIZE])
{
    size_t box_count = 1;
    boxes[0] = measure_box(uses, count);
    while (box_count < CLI_PALETTE_SIZE) {
        size_t worst = 0;
        for (size_t i = 1; i < box_count; ++i) {
            worst = boxes[i].error > boxes[worst].error ? i : worst;
        }
        size_t low = partition_box(&boxes[worst]);
        if (low == 0 || low == boxes[worst].count) {
            break;
        }
        boxes[box_count++] = measure_box(boxes[worst].first + low, boxes[worst].count - low);
        boxes[worst] = measure_box(boxes[worst].first, low);
    }
    return box_count;
}

static color_use *collect_uses(const unsigned char *pixels, size_t count, size_t *used)
{
    color_use *uses = malloc(count * sizeof *uses);
    cli_require_memory(uses);
    for (size_t i = 0; i < count; ++i) {
        const unsigned char *pixel = pixels + 3 * i;
        uses[i].color = (uint32_t)pixel[0] << 16 | (uint32_t)pixel[1] << 8 | pixel[2];
        uses[i].count = 1;
        uses[i].index = 0;
    }
    qsort(uses, count, sizeof *uses, compare_colors);
    size_t last = 0;
    for (size_t i = 1; i < count; ++i) {
        if (uses[i].color == uses[last].color) {
            ++uses[last].count;
        } else {
            uses[++last] = uses[i];
        }
    }
    *used = last + 1;
    return uses;
}

size_t cli_palette_choose(const unsigned char *pixels, size_t count,
                          unsigned char colors[3 * CLI_PALETTE_SIZE], unsigned char *indices)
{
    size_t used;
    color_use *uses = collect_uses(pixels, count, &used);
    color_box boxes[CLI_PALETTE_SIZE];
    size_t box_count = divide(uses, used, boxes);
    for (size_t i = 0; i < box_count; ++i) {
        for (size_t k = 0; k < boxes[i].count; ++k) {
            boxes[i].first[k].index = (uint32_t)i;
        }
        for (int channel = 0; channel < 3; ++channel) {
            colors[3 * i + (size_t)channel] = (unsigned char)(boxes[i].mean[channel] + 0.5);
        }
    }
    qsort(uses, used, sizeof *uses, compare_colors);
    for (size_t i = 0; i < count; ++i) {
        const unsigned char *pixel = pixels + 3 * i;
        color_use key = {(uint32_t)pixel[0] << 16 | (uint32_t)pixel[1] << 8 | pixel[2], 0, 0};
        const color_use *use = bsearch(&key, uses, used, sizeof *uses, compare_colors);
        indices[i] = (unsigned char)(use ? use->index : 0);
    }
    free(uses);
    return box_count;
}
