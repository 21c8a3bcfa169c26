#include "world/rows.h"

#include "likely.h"
#include "world/parallel.h"

#include <stddef.h>
#include <string.h>

/// A column: where grz_rows has it, the size of an element, and how many more lanes may read.
typedef struct column_plan {
    size_t at, size;
    uint32_t padding;
} column_plan;

/// Columns that share a block of memory, in its order.
typedef struct column_set {
    uint32_t count;
    column_plan plans[8];
} column_set;

#define COLUMN(member, padding)                                                                    \
    {                                                                                              \
        offsetof(grz_rows, member), sizeof *((grz_rows *)NULL)->member, padding                    \
    }

// 52 bytes per row.
static const column_set columns_of_all = {
    8,
    {COLUMN(position, 0), COLUMN(velocity, 0), COLUMN(half, 0), COLUMN(end, 0),
     COLUMN(end_velocity, 0), COLUMN(traits, GRZ_LANES_MAX), COLUMN(index, GRZ_LANES_MAX),
     COLUMN(generation, GRZ_LANES_MAX)}};

// 28 bytes per row.
static const column_set columns_of_rotations = {5,
                                                {COLUMN(rotation, 0), COLUMN(end_rotation, 0),
                                                 COLUMN(angle, 0), COLUMN(spin, 0),
                                                 COLUMN(turn, 0)}};

// Returns a size that is too large for any block if 32 bits cannot count the bytes.
static size_t size_of_columns(const column_set *set, uint32_t capacity)
{
    size_t row = 0, padding = 0;
    for (uint32_t i = 0; i < set->count; ++i) {
        row += set->plans[i].size;
        padding += set->plans[i].size * set->plans[i].padding;
    }
    const size_t elements = grz_array_bytes(capacity, row);
    return elements > SIZE_MAX - padding ? SIZE_MAX : elements + padding;
}

// Copies `count` elements of the columns that exist.
static bool reserve_columns(grz_rows *rows, const column_set *set, grz_block *memory,
                            const graze_allocator *allocator, uint32_t count, uint32_t capacity)
{
    grz_block grown = {NULL, 0};
    if (!grz_block_reserve_exact(&grown, allocator, size_of_columns(set, capacity))) {
        return false;
    }
    char *next = grown.data;
    for (uint32_t i = 0; i < set->count; ++i) {
        const column_plan *plan = &set->plans[i];
        const void *before;
        memcpy(&before, (char *)rows + plan->at, sizeof before);
        if (before && count) {
            memcpy(next, before, count * plan->size);
        }
        memcpy((char *)rows + plan->at, &next, sizeof next);
        next += plan->size * (capacity + plan->padding);
    }
    grz_block_free(memory, allocator);
    *memory = grown;
    return true;
}

static void clear_rotations(grz_rows *rows, uint32_t count)
{
    const graze_rotation upright = {1, 0};
    for (grz_row row = 0; row < count; ++row) {
        rows->rotation[row] = upright;
        rows->end_rotation[row] = upright;
        rows->angle[row] = 0;
        rows->spin[row] = 0;
        rows->turn[row] = 0;
    }
}

static bool reserve_rotations(grz_rows *rows, const graze_allocator *allocator, uint32_t count,
                              uint32_t capacity)
{
    const bool is_new = !rows->rotation;
    if (!reserve_columns(rows, &columns_of_rotations, &rows->rotation_memory, allocator, count,
                         capacity)) {
        return false;
    }
    if (is_new) {
        clear_rotations(rows, count);
    }
    return true;
}

// The columns of rotations may become larger than the others, if growing those fails afterwards.
bool grz_rows_reserve(grz_rows *rows, const graze_allocator *allocator, uint32_t count,
                      uint32_t capacity, bool rects)
{
    const uint32_t wanted = grz_next_capacity(rows->capacity, capacity);
    if (wanted > GRZ_NONE) {
        return false;
    }
    if ((rects || rows->rotation) &&
        rows->rotation_memory.size / size_of_columns(&columns_of_rotations, 1) < wanted &&
        !reserve_rotations(rows, allocator, count, wanted)) {
        return false;
    }
    if (wanted <= rows->capacity) {
        return true;
    }
    if (!reserve_columns(rows, &columns_of_all, &rows->memory, allocator, count, wanted)) {
        return false;
    }
    rows->capacity = wanted;
    return true;
}

void grz_rows_free(grz_rows *rows, const graze_allocator *allocator)
{
    grz_block_free(&rows->memory, allocator);
    grz_block_free(&rows->rotation_memory, allocator);
    memset(rows, 0, sizeof *rows);
}

void grz_rows_copy_state(grz_rows *rows, uint32_t to, uint32_t from)
{
    rows->position[to] = rows->position[from];
    rows->velocity[to] = rows->velocity[from];
    rows->half[to] = rows->half[from];
    rows->traits[to] = rows->traits[from];
    rows->index[to] = rows->index[from];
    rows->generation[to] = rows->generation[from];
    if (rows->rotation) {
        rows->rotation[to] = rows->rotation[from];
        rows->angle[to] = rows->angle[from];
        rows->spin[to] = rows->spin[from];
    }
}

void grz_rows_copy(grz_rows *rows, uint32_t to, uint32_t from)
{
    grz_rows_copy_state(rows, to, from);
    rows->end[to] = rows->end[from];
    rows->end_velocity[to] = rows->end_velocity[from];
    if (rows->rotation) {
        rows->end_rotation[to] = rows->end_rotation[from];
        rows->turn[to] = rows->turn[from];
    }
}

// Elements are as large as a vector, at most.
static void swap_elements(void *column, size_t size, uint32_t first, uint32_t second)
{
    char kept[sizeof(graze_vec2)];
    char *a = (char *)column + first * size, *b = (char *)column + second * size;
    memcpy(kept, a, size);
    memcpy(a, b, size);
    memcpy(b, kept, size);
}

void grz_rows_swap(grz_rows *rows, uint32_t first, uint32_t second)
{
    swap_elements(rows->position, sizeof *rows->position, first, second);
    swap_elements(rows->velocity, sizeof *rows->velocity, first, second);
    swap_elements(rows->half, sizeof *rows->half, first, second);
    swap_elements(rows->end, sizeof *rows->end, first, second);
    swap_elements(rows->end_velocity, sizeof *rows->end_velocity, first, second);
    swap_elements(rows->traits, sizeof *rows->traits, first, second);
    swap_elements(rows->index, sizeof *rows->index, first, second);
    swap_elements(rows->generation, sizeof *rows->generation, first, second);
    if (rows->rotation) {
        swap_elements(rows->rotation, sizeof *rows->rotation, first, second);
        swap_elements(rows->end_rotation, sizeof *rows->end_rotation, first, second);
        swap_elements(rows->angle, sizeof *rows->angle, first, second);
        swap_elements(rows->spin, sizeof *rows->spin, first, second);
        swap_elements(rows->turn, sizeof *rows->turn, first, second);
    }
}

void grz_rows_advance(grz_rows *rows, bool rects)
{
    graze_vec2 *position = rows->position;
    graze_vec2 *velocity = rows->velocity;
    graze_rotation *rotation = rows->rotation;
    rows->position = rows->end;
    rows->velocity = rows->end_velocity;
    rows->end = position;
    rows->end_velocity = velocity;
    if (rects) {
        rows->rotation = rows->end_rotation;
        rows->end_rotation = rotation;
    }
}

/// A column being sorted: elements of one size, of any type.
typedef struct column_sort {
    const void *from;
    void *to;
    const uint32_t *order;
} column_sort;

GRZ_IN_PLACE void sort_elements(const column_sort *column, size_t size, uint32_t first,
                                uint32_t end)
{
    const char *from = column->from;
    char *to = column->to;
    const uint32_t *order = column->order;
    for (uint32_t k = first; k < end; ++k) {
        memcpy(to + k * size, from + order[k] * size, size);
    }
}

static void sort_vector_block(void *context, uint32_t block, uint32_t first, uint32_t end)
{
    (void)block;
    sort_elements(context, sizeof(graze_vec2), first, end);
}

static void sort_number_block(void *context, uint32_t block, uint32_t first, uint32_t end)
{
    (void)block;
    sort_elements(context, sizeof(uint32_t), first, end);
}

static void copy_numbers_block(void *context, uint32_t block, uint32_t first, uint32_t end)
{
    const column_sort *column = context;
    const size_t offset = first * sizeof(uint32_t);
    (void)block;
    memcpy((char *)column->to + offset, (const char *)column->from + offset,
           (end - first) * sizeof(uint32_t));
}

/// Sorts all columns. `spare` has room for a column of vectors.
typedef struct row_sort {
    const graze_world *world;
    const uint32_t *order;
    void *spare;
} row_sort;

static void copy_still(const graze_world *world, void *to, const void *from)
{
    const size_t first = world->bodies.active_count * sizeof(graze_vec2);
    const size_t size = (world->bodies.count - world->bodies.active_count) * sizeof(graze_vec2);
    memcpy((char *)to + first, (const char *)from + first, size);
}

// Writes the sorted column to the spare one, and swaps the two.
static void *sort_vectors(row_sort *sort, void *column)
{
    column_sort moved = {column, sort->spare, sort->order};
    grz_run_blocks(sort->world, sort->world->bodies.active_count, GRZ_BLOCK_ROWS, sort_vector_block,
                   &moved);
    copy_still(sort->world, sort->spare, column);
    void *sorted = sort->spare;
    sort->spare = column;
    return sorted;
}

// Numbers are half as large as vectors, so their column cannot be swapped with the spare one: they
// are copied back.
static void sort_numbers(row_sort *sort, void *column)
{
    const uint32_t count = sort->world->bodies.active_count;
    column_sort moved = {column, sort->spare, sort->order};
    grz_run_blocks(sort->world, count, GRZ_BLOCK_ROWS, sort_number_block, &moved);
    column_sort back = {sort->spare, column, NULL};
    grz_run_blocks(sort->world, count, GRZ_BLOCK_ROWS, copy_numbers_block, &back);
}

// Swaps columns only within their own block.
static void sort_rotations(const graze_world *world, grz_rows *rows, const uint32_t *order)
{
    row_sort rotations = {world, order, rows->end_rotation};
    rows->rotation = sort_vectors(&rotations, rows->rotation);
    sort_numbers(&rotations, rows->angle);
    sort_numbers(&rotations, rows->spin);
    sort_numbers(&rotations, rows->turn);
    rows->end_rotation = rotations.spare;
    copy_still(world, rows->end_rotation, rows->rotation);
}

// HOT. bench: engine/step/gas
//
// Data    36 bytes of a row read and written, 52 with rects; 4 of `order` read per column. One
//         column after the other, so that one spare serves them all.
// Branch  None.
// Order   Rows come nearly in order from the last time, so the reads are nearly sequential.
void grz_rows_sort(const graze_world *world, grz_rows *rows, const uint32_t *order)
{
    row_sort sort = {world, order, rows->end};
    rows->position = sort_vectors(&sort, rows->position);
    rows->velocity = sort_vectors(&sort, rows->velocity);
    rows->half = sort_vectors(&sort, rows->half);
    sort_numbers(&sort, rows->traits);
    sort_numbers(&sort, rows->index);
    sort_numbers(&sort, rows->generation);
    rows->end = sort.spare;
    copy_still(world, rows->end, rows->position);
    if (world->bodies.rotation_count) {
        sort_rotations(world, rows, order);
    }
}

static void number_block(void *context, uint32_t block, uint32_t first, uint32_t end)
{
    graze_world *world = context;
    (void)block;
    for (grz_row row = first; row < end; ++row) {
        world->bodies.row_of_index.data[world->bodies.rows.index[row]] = row;
    }
}

void grz_rows_number(graze_world *world, uint32_t count)
{
    grz_run_blocks(world, count, GRZ_BLOCK_ROWS, number_block, world);
}
