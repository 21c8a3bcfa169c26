/// @file segment_grid_find.h
/// Finding the segments near many moves: what the loops in lanes share with the code that calls
/// them.
#ifndef GRZ_SEGMENT_GRID_FIND_H
#define GRZ_SEGMENT_GRID_FIND_H

#include "lanes_choice.h"
#include "segment_grid_table.h"

enum {
    GRZ_MOVES_AT_ONCE = 64, ///< Cells and segments that these pass fit into the nearest cache.
    GRZ_CORNERS = 4,        ///< Cells of a move that spans two columns and two rows at most.
    GRZ_FAR_COLUMNS = 8,    ///< A move through more is long.
    GRZ_FAR_CELLS = 3 * GRZ_FAR_COLUMNS, ///< A move that passes more is long, too.
    GRZ_FAR_ROOM = 8 * GRZ_FAR_CELLS,    ///< Of a group, for moves through more than 2 x 2 cells.
    GRZ_PASSAGES = GRZ_MOVES_AT_ONCE * GRZ_CORNERS + GRZ_FAR_ROOM
};

/// Some moves, and where they are in one level.
typedef struct grz_move_group {
    const graze_vec2 *from, *to;                              ///< GRZ_MOVES_AT_ONCE can be read.
    float min_x[GRZ_MOVES_AT_ONCE], min_y[GRZ_MOVES_AT_ONCE]; ///< Boxes of the moves.
    float max_x[GRZ_MOVES_AT_ONCE], max_y[GRZ_MOVES_AT_ONCE];
    uint32_t cell[GRZ_MOVES_AT_ONCE];        ///< The one with the lowest column and row.
    uint32_t wanted[GRZ_MOVES_AT_ONCE];      ///< Corners passed, as in grz_segment_level.around; 0
                                             ///< past the last move.
    uint32_t is_far[GRZ_MOVES_AT_ONCE / 32]; ///< One bit per move: it spans more; `wanted` is 0.
    graze_vec2 rest[2][GRZ_MOVES_AT_ONCE];   ///< The last moves, padded.
    uint32_t count, first;                   ///< The group's share of the moves.
} grz_move_group;

/// The cells that hold something and that moves of a group pass in one level.
typedef struct grz_passages {
    uint32_t count;
    uint32_t move[GRZ_PASSAGES + GRZ_LANES_MAX]; ///< In the group.
    uint32_t cell[GRZ_PASSAGES + GRZ_LANES_MAX];
} grz_passages;

/// Up to four segments that lie in a cell which a move passes.
typedef struct grz_visit {
    uint32_t quad;
    uint16_t move;     ///< In the group.
    uint16_t segments; ///< A bit each.
} grz_visit;

/// Finds so far: handed on when there is no room for more.
typedef struct grz_find_sink {
    graze_segment_finds *finds;
    graze_segment_sink *take;
    void *context;
} grz_find_sink;

typedef struct grz_segment_loops {
    /// Fills the boxes of a group from its moves.
    void (*measure)(grz_move_group *group);
    /// Fills in where the moves are in one level. Those too far out for it count as far.
    void (*locate)(grz_move_group *group, const grz_segment_level *level);
    /// Lists the passages of the moves that are not far, in place of those listed before.
    void (*list)(const grz_move_group *group, const grz_segment_level *level,
                 grz_passages *passages);
    /// Finds what the visited cells hold near the moves.
    void (*visit)(const grz_segment_table *table, const grz_move_group *group,
                  const grz_visit *visits, uint32_t count, const grz_find_sink *sink);
} grz_segment_loops;

GRZ_DECLARE_WIDE(grz_segment_loops, grz_segment_loops);

#endif
