/// @file grid_moves.h
/// Long diagonal moves: their boxes are nearly empty, and only what lies near their line matters.
/// graze_grid_moves (grid.h) says what is long, and what passes it by.
///
/// Margin     A box b is left out if it lies beside the band that a move covers: if, doubled,
///
///                |delta x (c - from)| > |delta.x| (b's height + 2 e.y)
///                                     + |delta.y| (b's width  + 2 e.x) + margin,
///
///            c being b's middle and e how far the mover reaches from its segment. The margin is
///            4e-15 of the sum of the magnitudes of all products on the left: fifteen roundings of
///            2^-53 each are less than half of it. So no box is left out that touches the band in
///            exact arithmetic.
///
///            Whoever decides about contacts may round, too, by some units in the last place of a
///            double, of the sizes of both boxes. That is covered by e if boxes are put out by
///            2^-23 of their sides, as the engine's are: e.x >= half + 2^-24 |delta.x|, likewise
///            e.y, so that the band is wider by at least 2^-24 of the shorter delta on either
///            side, which is 2^-40 of the longer one or more: eight thousand units in the last
///            place.
#ifndef GRZ_GRID_MOVES_H
#define GRZ_GRID_MOVES_H

#include "grid_scan.h"
#include "min_max.h"
#include "vec2d.h"

enum {
    GRZ_GRID_WINDOW_CELLS = 64 ///< From here on what a path crosses is little of its window.
};

/// Returns how many times as long, on both axes, as any side of a box a move is that can pass it.
/// Bullets are points and nearly as small as one likes: with the other factor, there would be
/// hardly a world of bullets and bodies that need not look for long moves.
static inline double grz_find_long_factor(bool point)
{
    return point ? 32 : 8;
}

/// Returns whether the item at a place, which is one of the class, is as good as a point.
static inline bool grz_is_point(const graze_grid *grid, const grz_grid_class *size_class,
                                uint32_t place)
{
    return size_class->points == GRZ_KINDS_MIXED
               ? grz_set_has_kind(grid->meets->points, grid->kinds[place])
               : size_class->points == GRZ_KINDS_MEET;
}

/// Of sums and products of coordinates in double, relative to the sum of their magnitudes: more
/// than the roundings made here can add up to.
static const double grz_rounding_share = 4e-15;

/// A box of these half extents that moves from `from` to `to`.
typedef struct grz_grid_path {
    graze_vec2 from, to;
    double half_width, half_height;
    double run; ///< The shorter delta, without its sign, of a long move; else 0.
} grz_grid_path;

/// Returns the path of what moves from `from` to `to` in `box`.
grz_grid_path grz_make_path(graze_aabb box, graze_vec2 from, graze_vec2 to);

/// Returns the path of what was put at a place, of a stream that has moves.
grz_grid_path grz_find_path(const graze_grid *grid, const graze_grid_moves *moves, uint32_t place);

/// Returns whether the whole box lies on one side of what the path's line covers, even if all
/// roundings were against it.
bool grz_lies_beside(const grz_grid_boxes *boxes, uint32_t place, const grz_grid_path *path);

/// Returns whether the move is so long that it may pass whatever box the class has.
static inline bool grz_is_long_to_class(const grz_grid_path *path, const grz_grid_class *size_class)
{
    const double size = 2 * max_double(size_class->x.reach, size_class->y.reach);
    return path->run > 0 &&
           path->run >= grz_find_long_factor(size_class->points != GRZ_KINDS_APART) * size;
}

/// Returns whether the move is long and passes the box at the place, which is one of the class.
bool grz_passes(const graze_grid *grid, const grz_grid_path *path, const grz_grid_class *size_class,
                uint32_t place);

/// Drops, of the sink's pairs from `first` on, those of which one passes the other: pairs of a
/// stage in which the class `scanner` looks through the class `target`.
void grz_drop_passing(const graze_grid *grid, const graze_grid_moves *moves, uint32_t scanner,
                      uint32_t target, uint32_t first, grz_grid_sink *sink);

/// Finds the places of the class whose boxes overlap `box`, and that do not lie beside the path,
/// row by row, from where the cursor's row, part and next stand. `box` is that of the path, which
/// may be clipped to where the class's boxes are. Returns false when the sink is full, and the
/// cursor says where; else these are 0.
bool grz_scan_path(const graze_grid *grid, const grz_grid_class *size_class,
                   const grz_grid_path *path, graze_aabb box, graze_grid_cursor *cursor,
                   grz_grid_sink *sink);

/// Finds which classes have moves that are long to which others, and about how much of their boxes
/// these leave empty: once the items have been placed.
void grz_grid_find_moves(graze_grid *grid, const graze_grid_items *items,
                         const grz_grid_measures *measures);

#endif
