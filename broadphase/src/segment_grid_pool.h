/// @file segment_grid_pool.h
/// The segments of a segment grid's cells: a pool of cache lines, from which cells take blocks.
///
/// A block is 2^shift quads, and a cell's list is one block: it moves to one of twice the size when
/// it is full, and goes back when it is empty. Free blocks of a size are linked.
#ifndef GRZ_SEGMENT_GRID_POOL_H
#define GRZ_SEGMENT_GRID_POOL_H

#include <graze/segment_grid.h>

#include "memory.h"

enum {
    GRZ_QUAD = 4,           ///< Segments in the smallest block of the pool.
    GRZ_BLOCK_SHIFTS = 27,  ///< Blocks hold GRZ_QUAD << shift segments, for shifts below this.
    GRZ_SHIFT_BITS = 5,     ///< Of a place: enough for every shift.
    GRZ_QUADS_MAX = 1 << 27 ///< A place has the other 27 bits for the quad.
};

typedef struct grz_segment {
    float ax, ay, bx, by;
    uint32_t owner, item;
} grz_segment;

/// Returns where a segment begins: a.
static inline graze_vec2 grz_segment_start(const grz_segment *segment)
{
    const graze_vec2 a = {segment->ax, segment->ay};
    return a;
}

/// Returns where it ends: b.
static inline graze_vec2 grz_segment_end(const grz_segment *segment)
{
    const graze_vec2 b = {segment->bx, segment->by};
    return b;
}

/// Up to four segments: a cache line. Names are stored apart, because few of them are read.
typedef struct grz_segment_quad {
    float ax[GRZ_QUAD], ay[GRZ_QUAD], bx[GRZ_QUAD], by[GRZ_QUAD];
} grz_segment_quad;

/// A cell's list: quads side by side, a block of the pool. All but the last are full.
typedef struct grz_segment_cell {
    uint32_t place; ///< The block's first quad << GRZ_SHIFT_BITS | its shift; 0 is none: quad 0 is
                    ///< never used.
    uint32_t count;
} grz_segment_cell;

typedef struct grz_segment_pool {
    grz_block quads;
    grz_block names;                 ///< GRZ_QUAD names for each quad.
    uint32_t quads_used;             ///< Quad 0 counts as used.
    uint32_t free[GRZ_BLOCK_SHIFTS]; ///< First free block of each size; 0 is none.
} grz_segment_pool;

/// Returns the first quad of a cell's list.
static inline uint32_t grz_first_quad(grz_segment_cell cell)
{
    return cell.place >> GRZ_SHIFT_BITS;
}

/// Returns the shift of a cell's block.
static inline uint32_t grz_block_shift(grz_segment_cell cell)
{
    return cell.place & ((1u << GRZ_SHIFT_BITS) - 1);
}

static inline grz_segment_quad *grz_pool_quads(const grz_segment_pool *pool)
{
    return pool->quads.data;
}

/// Returns the names of a quad's segments.
static inline graze_segment_name *grz_pool_names(const grz_segment_pool *pool, uint32_t quad)
{
    return (graze_segment_name *)pool->names.data + (size_t)quad * GRZ_QUAD;
}

static inline grz_segment grz_segment_pool_load(const grz_segment_pool *pool, grz_segment_cell cell,
                                                uint32_t index)
{
    const uint32_t quad = grz_first_quad(cell) + index / GRZ_QUAD, lane = index % GRZ_QUAD;
    const grz_segment_quad *ends = &grz_pool_quads(pool)[quad];
    const graze_segment_name *name = &grz_pool_names(pool, quad)[lane];
    const grz_segment segment = {ends->ax[lane], ends->ay[lane], ends->bx[lane],
                                 ends->by[lane], name->owner,    name->item};
    return segment;
}

static inline void grz_segment_pool_store(const grz_segment_pool *pool, grz_segment_cell cell,
                                          uint32_t index, const grz_segment *segment)
{
    const uint32_t quad = grz_first_quad(cell) + index / GRZ_QUAD, lane = index % GRZ_QUAD;
    grz_segment_quad *ends = &grz_pool_quads(pool)[quad];
    graze_segment_name *name = &grz_pool_names(pool, quad)[lane];
    ends->ax[lane] = segment->ax;
    ends->ay[lane] = segment->ay;
    ends->bx[lane] = segment->bx;
    ends->by[lane] = segment->by;
    name->owner = segment->owner;
    name->item = segment->item;
}

/// Returns whether a cell's list has no room for one more.
static inline bool grz_segment_pool_is_full(grz_segment_cell cell)
{
    return cell.place == 0 || cell.count == (uint32_t)GRZ_QUAD << grz_block_shift(cell);
}

/// Begins a pool that holds nothing, in zeroed memory.
void grz_segment_pool_begin(grz_segment_pool *pool);

void grz_segment_pool_free(grz_segment_pool *pool, const graze_allocator *allocator);

/// Moves a full list into a block of twice the size. Returns OUT_OF_MEMORY or LIMIT when there is
/// none; the list is as it was then.
graze_status grz_segment_pool_grow(grz_segment_pool *pool, const graze_allocator *allocator,
                                   grz_segment_cell *cell);

/// Appends to a list that is not full.
static inline void grz_segment_pool_push(const grz_segment_pool *pool, grz_segment_cell *cell,
                                         const grz_segment *segment)
{
    grz_segment_pool_store(pool, *cell, cell->count, segment);
    ++cell->count;
}

/// Removes a segment with these very values from a list; the last takes its place. Returns false
/// when there is none.
bool grz_segment_pool_pull(grz_segment_pool *pool, grz_segment_cell *cell,
                           const grz_segment *segment);

#endif
