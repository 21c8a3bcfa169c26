/// @file palette.h
/// Reduces the colours of a picture: glow has a hundred thousand shades, and a PNG of 256 is a
/// third of the size.
#ifndef CLI_PALETTE_H
#define CLI_PALETTE_H

#include <stddef.h>

enum { CLI_PALETTE_SIZE = 256 };

/// Chooses at most CLI_PALETTE_SIZE colours for `count` pixels of three bytes each, and writes to
/// `indices` (count of them) which colour each pixel gets. Pictures of few colours are exact.
/// Returns how many colours there are; `colors` holds three bytes of each.
///
/// Source     Division of the colour space where the squared error is largest, at the mean of the
///            axis of largest variance, after X. Wu 1991, "Efficient Statistical Computations for
///            Optimal Color Quantization", without its tables.
size_t cli_palette_choose(const unsigned char *pixels, size_t count,
                          unsigned char colors[3 * CLI_PALETTE_SIZE], unsigned char *indices);

#endif
