/// @file level_kit.h
/// What levels are made of, for tests of what walks on them: chains, loops, tiles, rects, one-sided
/// chains, and mixtures.
///
/// Frames     Ways are laid in a frame: u runs along the way, v out of what is solid. A floor, a
///            wall and a ceiling are the same way in three frames.
/// Order      Nothing is in a world before level_create(): so the pieces may come first or last,
///            and in either order.
/// Memory     A level holds its points. It needs no call to free it.
#ifndef GRAZE_TESTS_LEVEL_KIT_H
#define GRAZE_TESTS_LEVEL_KIT_H

#include "physics_kit.h"

typedef enum level_kind {
    LEVEL_CHAIN,
    LEVEL_LOOP,
    LEVEL_TILES, ///< Each a loop of its own.
    LEVEL_RECTS, ///< Bodies of mass 0. Those that should lean are tiles.
    LEVEL_ONE_SIDED,
    LEVEL_MIXED, ///< Segments, tiles, deep tiles and rects.
    LEVEL_KINDS,
    LEVEL_WHOLE = LEVEL_KINDS ///< One segment, without joints.
} level_kind;

extern const char *const level_names[LEVEL_KINDS + 1];

enum { LEVEL_POINTS = 8192, LEVEL_PIECES = 2048, LEVEL_LONGEST = 600 };

/// Where u = v = 0 is, and the unit vectors of u and v.
typedef struct level_frame {
    double x, y;
    double along_x, along_y;
    double out_x, out_y;
} level_frame;

typedef struct level_piece {
    uint32_t first, count; ///< Of the points. A rect has two: its centre and its half extents.
    bool rect, loop, one_sided;
} level_piece;

typedef struct level {
    graze_vec2 points[LEVEL_POINTS];
    level_piece pieces[LEVEL_PIECES];
    uint32_t point_count, piece_count;
    bool backwards; ///< Chains run against u, and the last piece is created first.
} level;

/// A row of pieces of one length.
typedef struct level_way {
    level_kind kind;
    double first, length;  ///< Where u begins; of a piece.
    uint32_t count;        ///< Pieces, at most LEVEL_LONGEST.
    double height;         ///< v of all joints, unless there are heights.
    const double *heights; ///< v of the count + 1 joints, or null.
} level_way;

/// Returns the place of u and v in the world.
graze_vec2 level_point(const level_frame *frame, double u, double v);

/// Returns u and v of a place.
double level_u(const level_frame *frame, graze_vec2 place);
double level_v(const level_frame *frame, graze_vec2 place);

/// Adds a chain through points of u and v. One that is one-sided is solid from v above it.
void level_add_line(level *of, const level_frame *frame, const double (*points)[2], uint32_t count,
                    bool loop, bool one_sided);

/// Adds a rect between two corners. The frame is parallel to the axes.
void level_add_rect(level *of, const level_frame *frame, double u0, double v0, double u1,
                    double v1);

void level_add_way(level *of, const level_frame *frame, const level_way *way);

/// Puts all pieces into a world, with friction 0.6.
void level_create(const level *of, graze_world *world);

/// Returns whether a straight way crosses a chain or a side of a rect.
bool level_is_crossed(const level *of, graze_vec2 from, graze_vec2 to);

#endif
