#include "segment_grid_pool.h"

#include <string.h>

// A free block has the next one of its size in its first name.
static uint32_t *link_of(const grz_segment_pool *pool, uint32_t quad)
{
    return &grz_pool_names(pool, quad)->item;
}

static graze_status take_new_block(grz_segment_pool *pool, const graze_allocator *allocator,
                                   uint32_t quads, uint32_t *quad)
{
    if (quads > GRZ_QUADS_MAX - pool->quads_used) {
        return GRAZE_ERROR_LIMIT;
    }
    const size_t count = (size_t)pool->quads_used + quads;
    const size_t names_size = count * GRZ_QUAD * sizeof(graze_segment_name);
    if (!grz_block_reserve(&pool->quads, allocator, count * sizeof(grz_segment_quad)) ||
        !grz_block_reserve(&pool->names, allocator, names_size)) {
        return GRAZE_ERROR_OUT_OF_MEMORY;
    }
    *quad = pool->quads_used;
    pool->quads_used += quads;
    return GRAZE_OK;
}

static graze_status take_block(grz_segment_pool *pool, const graze_allocator *allocator,
                               uint32_t shift, uint32_t *place)
{
    if (shift >= GRZ_BLOCK_SHIFTS) {
        return GRAZE_ERROR_LIMIT;
    }
    uint32_t quad = pool->free[shift];
    if (quad != 0) {
        pool->free[shift] = *link_of(pool, quad);
    } else {
        const graze_status status = take_new_block(pool, allocator, UINT32_C(1) << shift, &quad);
        if (status) {
            return status;
        }
    }
    *place = quad << GRZ_SHIFT_BITS | shift;
    return GRAZE_OK;
}

static void release_block(grz_segment_pool *pool, grz_segment_cell cell)
{
    const uint32_t quad = grz_first_quad(cell), shift = grz_block_shift(cell);
    *link_of(pool, quad) = pool->free[shift];
    pool->free[shift] = quad;
}

static void move_quads(const grz_segment_pool *pool, grz_segment_cell from, grz_segment_cell to)
{
    const size_t count = (size_t)1 << grz_block_shift(from);
    memcpy(grz_pool_quads(pool) + grz_first_quad(to), grz_pool_quads(pool) + grz_first_quad(from),
           count * sizeof(grz_segment_quad));
    memcpy(grz_pool_names(pool, grz_first_quad(to)), grz_pool_names(pool, grz_first_quad(from)),
           count * GRZ_QUAD * sizeof(graze_segment_name));
}

void grz_segment_pool_begin(grz_segment_pool *pool)
{
    pool->quads_used = 1;
}

void grz_segment_pool_free(grz_segment_pool *pool, const graze_allocator *allocator)
{
    grz_block_free(&pool->quads, allocator);
    grz_block_free(&pool->names, allocator);
}

graze_status grz_segment_pool_grow(grz_segment_pool *pool, const graze_allocator *allocator,
                                   grz_segment_cell *cell)
{
    const uint32_t shift = cell->place ? grz_block_shift(*cell) + 1 : 0;
    grz_segment_cell grown = *cell;
    const graze_status status = take_block(pool, allocator, shift, &grown.place);
    if (status) {
        return status;
    }
    if (cell->place != 0) {
        move_quads(pool, *cell, grown);
        release_block(pool, *cell);
    }
    *cell = grown;
    return GRAZE_OK;
}

static bool are_equal(const grz_segment *first, const grz_segment *second)
{
    return first->item == second->item && first->owner == second->owner &&
           first->ax == second->ax && first->ay == second->ay && first->bx == second->bx &&
           first->by == second->by;
}

// Searches from the end: the last added is often the first removed.
bool grz_segment_pool_pull(grz_segment_pool *pool, grz_segment_cell *cell,
                           const grz_segment *segment)
{
    if (cell->count == 0) {
        return false;
    }
    const grz_segment last = grz_segment_pool_load(pool, *cell, cell->count - 1);
    grz_segment held;
    uint32_t index = cell->count;
    do {
        if (index == 0) {
            return false;
        }
        --index;
        held = grz_segment_pool_load(pool, *cell, index);
    } while (!are_equal(&held, segment));
    grz_segment_pool_store(pool, *cell, index, &last);
    --cell->count;
    if (cell->count == 0) {
        release_block(pool, *cell);
        cell->place = 0;
    }
    return true;
}
