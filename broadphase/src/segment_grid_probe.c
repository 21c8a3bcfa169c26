#include "prefetch.h"
#include "segment_grid_table.h"

enum {
    MOVES_AT_ONCE = 32,
    CORNERS = 4 ///< Cells of a move that spans two columns and two rows at most.
};

/// The cells that some moves may pass in one level.
typedef struct probe {
    uint32_t cells[MOVES_AT_ONCE][CORNERS];
} probe;

// Returns 1 for a move that passes more than two columns or rows: its walk has to find out.
static uint8_t find_cells(const grz_segment_level *level, graze_vec2 from, graze_vec2 to,
                          uint32_t cells[CORNERS])
{
    const double scale = level->inverse_side;
    const int64_t x[2] = {grz_cell_coordinate((double)from.x * scale),
                          grz_cell_coordinate((double)to.x * scale)};
    const int64_t y[2] = {grz_cell_coordinate((double)from.y * scale),
                          grz_cell_coordinate((double)to.y * scale)};
    for (uint32_t i = 0; i < CORNERS; ++i) {
        cells[i] = grz_cell_index(level, x[i & 1], y[i >> 1]);
        GRZ_PREFETCH(&level->cells[cells[i]]);
    }
    return (uint64_t)(x[1] - x[0] + 1) > 2 || (uint64_t)(y[1] - y[0] + 1) > 2;
}

static uint8_t holds_anything(const grz_segment_level *level, const uint32_t cells[CORNERS])
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < CORNERS; ++i) {
        count |= level->cells[cells[i]].count;
    }
    return count != 0;
}

static void probe_level(const grz_segment_level *level, const graze_vec2 *from,
                        const graze_vec2 *to, uint32_t count, uint8_t *near)
{
    probe found;
    for (uint32_t i = 0; i < count; ++i) {
        near[i] |= find_cells(level, from[i], to[i], found.cells[i]);
    }
    for (uint32_t i = 0; i < count; ++i) {
        near[i] |= holds_anything(level, found.cells[i]);
    }
}

// HOT. bench: broadphase/probe_rays/bullets-terrain
//
// Data    16 bytes of a move, 8 of each of its cells: asked for some moves ahead, because cells lie
//         far apart, and waiting for them one by one would be most of the time.
// Branch  None by move.
void graze_segment_grid_probe(const graze_segment_grid *grid, const graze_vec2 *from,
                              const graze_vec2 *to, uint32_t count, uint8_t *near)
{
    const grz_segment_table *table = grid->table;
    for (uint32_t first = 0; first < count; first += MOVES_AT_ONCE) {
        uint32_t some = count - first < MOVES_AT_ONCE ? count - first : MOVES_AT_ONCE;
        for (uint32_t i = 0; i < some; ++i) {
            near[first + i] = 0;
        }
        for (uint32_t k = 0; table && k < table->level_count; ++k) {
            if (table->levels[k].count > 0) {
                probe_level(&table->levels[k], from + first, to + first, some, near + first);
            }
        }
    }
}
