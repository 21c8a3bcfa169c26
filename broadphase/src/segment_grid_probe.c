#include "prefetch.h"
#include "segment_grid_table.h"

enum {
    MOVES_AT_ONCE = 32,
    CORNERS = 4 ///< Cells of a move that spans two columns and two rows at most.
};

/// Some moves, and the cells that they pass in one level.
typedef struct probe {
    const graze_vec2 *from, *to;
    uint8_t *near;
    uint32_t count;
    uint32_t cells[MOVES_AT_ONCE][CORNERS];
    uint8_t distinct[MOVES_AT_ONCE]; ///< Bit set: this one of the cells is not one of the others.
} probe;

/// A move that passes a cell that holds something.
typedef struct visit {
    uint32_t move, cell;
} visit;

// A move that passes more than two columns or rows is near: its walk has to find out.
static void find_cells(probe *of, const grz_segment_level *level, uint32_t move)
{
    const double scale = level->inverse_side;
    const int64_t x[2] = {grz_cell_coordinate((double)of->from[move].x * scale),
                          grz_cell_coordinate((double)of->to[move].x * scale)};
    const int64_t y[2] = {grz_cell_coordinate((double)of->from[move].y * scale),
                          grz_cell_coordinate((double)of->to[move].y * scale)};
    const uint32_t columns = x[0] != x[1] ? 3 : 1;
    of->distinct[move] = (uint8_t)(columns | (y[0] != y[1] ? columns << 2 : 0));
    of->near[move] |= (uint64_t)(x[1] - x[0] + 1) > 2 || (uint64_t)(y[1] - y[0] + 1) > 2;
    for (uint32_t i = 0; i < CORNERS; ++i) {
        of->cells[move][i] = grz_cell_index(level, x[i & 1], y[i >> 1]);
        GRZ_PREFETCH(&level->cells[of->cells[move][i]]);
    }
}

static uint32_t list_visits(const probe *of, const grz_segment_level *level, visit *visits)
{
    uint32_t count = 0;
    for (uint32_t move = 0; move < of->count; ++move) {
        for (uint32_t i = 0; i < CORNERS; ++i) {
            const uint32_t cell = of->cells[move][i];
            const visit listed = {move, cell};
            visits[count] = listed;
            count += (of->distinct[move] >> i & 1u) & (level->cells[cell].count > 0);
        }
    }
    return count;
}

// Whether the box of any of the segments overlaps that of the move: all are compared, because a
// branch for each would be a guess.
static bool meets_any(const graze_segment_span *span, graze_aabb box)
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < span->count; ++i) {
        const uint32_t left = (span->ax[i] < box.lower.x) & (span->bx[i] < box.lower.x);
        const uint32_t right = (span->ax[i] > box.upper.x) & (span->bx[i] > box.upper.x);
        const uint32_t below = (span->ay[i] < box.lower.y) & (span->by[i] < box.lower.y);
        const uint32_t above = (span->ay[i] > box.upper.y) & (span->by[i] > box.upper.y);
        found |= !(left | right | below | above);
    }
    return found != 0;
}

static graze_aabb box_of(graze_vec2 from, graze_vec2 to)
{
    const graze_aabb box = {
        {from.x < to.x ? from.x : to.x, from.y < to.y ? from.y : to.y},
        {from.x < to.x ? to.x : from.x, from.y < to.y ? to.y : from.y},
    };
    return box;
}

static void probe_level(probe *of, const grz_segment_table *table, const grz_segment_level *level)
{
    visit visits[MOVES_AT_ONCE * CORNERS];
    for (uint32_t move = 0; move < of->count; ++move) {
        find_cells(of, level, move);
    }
    const uint32_t count = list_visits(of, level, visits);
    for (uint32_t k = 0; k < count; ++k) {
        GRZ_PREFETCH(grz_cell_span(table, level->cells[visits[k].cell]).ax);
    }
    for (uint32_t k = 0; k < count; ++k) {
        const uint32_t move = visits[k].move;
        const graze_segment_span span = grz_cell_span(table, level->cells[visits[k].cell]);
        of->near[move] |= meets_any(&span, box_of(of->from[move], of->to[move]));
    }
}

// HOT. bench: engine/step/bullets-terrain
//
// Data    16 bytes of a move, 8 of each cell that it passes, 16 of each segment there. Cells, and
//         then their segments, are asked for some moves ahead: they lie far apart, and waiting for
//         them one by one would be most of the time.
// Branch  By level, and by how many cells hold anything; none by move.
void graze_segment_grid_probe(const graze_segment_grid *grid, const graze_vec2 *from,
                              const graze_vec2 *to, uint32_t count, uint8_t *near)
{
    const grz_segment_table *table = grid->table;
    for (uint32_t first = 0; first < count; first += MOVES_AT_ONCE) {
        probe some;
        some.from = from + first;
        some.to = to + first;
        some.near = near + first;
        some.count = count - first < MOVES_AT_ONCE ? count - first : MOVES_AT_ONCE;
        for (uint32_t i = 0; i < some.count; ++i) {
            some.near[i] = 0;
        }
        for (uint32_t k = 0; table && k < table->level_count; ++k) {
            if (table->levels[k].count > 0) {
                probe_level(&some, table, &table->levels[k]);
            }
        }
    }
}
