#include "rows.h"

#include <string.h>

enum {
    ROW_GRANULE = 16 ///< Of capacities: so every column starts a cache line.
};

static void *carve(char **next, size_t element_size, uint32_t capacity)
{
    void *column = *next;
    *next += element_size * capacity;
    return column;
}

// Columns in memory order; 88 bytes a row.
static void lay_out(grz_rows *rows, char *memory, uint32_t capacity)
{
    char *next = memory;
    rows->position = carve(&next, sizeof *rows->position, capacity);
    rows->velocity = carve(&next, sizeof *rows->velocity, capacity);
    rows->half = carve(&next, sizeof *rows->half, capacity);
    rows->rotation = carve(&next, sizeof *rows->rotation, capacity);
    rows->angle = carve(&next, sizeof *rows->angle, capacity);
    rows->spin = carve(&next, sizeof *rows->spin, capacity);
    rows->traits = carve(&next, sizeof *rows->traits, capacity);
    rows->index = carve(&next, sizeof *rows->index, capacity);
    rows->generation = carve(&next, sizeof *rows->generation, capacity);
    rows->end = carve(&next, sizeof *rows->end, capacity);
    rows->end_velocity = carve(&next, sizeof *rows->end_velocity, capacity);
    rows->end_rotation = carve(&next, sizeof *rows->end_rotation, capacity);
    rows->spare_vectors = carve(&next, sizeof *rows->spare_vectors, capacity);
    rows->spare_numbers = carve(&next, sizeof *rows->spare_numbers, capacity);
    rows->capacity = capacity;
}

static size_t row_size(void)
{
    grz_rows rows;
    return 4 * sizeof *rows.position + 2 * sizeof *rows.rotation + sizeof *rows.velocity +
           sizeof *rows.angle + sizeof *rows.spin + sizeof *rows.traits + sizeof *rows.index +
           sizeof *rows.generation + sizeof *rows.spare_vectors + sizeof *rows.spare_numbers;
}

static void copy_columns(grz_rows *to, const grz_rows *from, uint32_t count)
{
    memcpy(to->position, from->position, count * sizeof *to->position);
    memcpy(to->velocity, from->velocity, count * sizeof *to->velocity);
    memcpy(to->half, from->half, count * sizeof *to->half);
    memcpy(to->rotation, from->rotation, count * sizeof *to->rotation);
    memcpy(to->angle, from->angle, count * sizeof *to->angle);
    memcpy(to->spin, from->spin, count * sizeof *to->spin);
    memcpy(to->traits, from->traits, count * sizeof *to->traits);
    memcpy(to->index, from->index, count * sizeof *to->index);
    memcpy(to->generation, from->generation, count * sizeof *to->generation);
}

bool grz_rows_reserve(grz_rows *rows, const graze_allocator *allocator, uint32_t count,
                      uint32_t capacity)
{
    if (capacity <= rows->capacity) {
        return true;
    }
    size_t target = (size_t)rows->capacity + rows->capacity / 2;
    target = target > capacity ? target : capacity;
    target = (target + ROW_GRANULE - 1) / ROW_GRANULE * ROW_GRANULE;
    if (target > GRZ_NONE) {
        return false;
    }
    grz_rows grown = {0};
    if (!grz_block_reserve(&grown.memory, allocator, target * row_size())) {
        return false;
    }
    lay_out(&grown, grown.memory.data, (uint32_t)target);
    if (count) {
        copy_columns(&grown, rows, count);
    }
    grz_rows_free(rows, allocator);
    *rows = grown;
    return true;
}

void grz_rows_free(grz_rows *rows, const graze_allocator *allocator)
{
    grz_block_free(&rows->memory, allocator);
    memset(rows, 0, sizeof *rows);
}

void grz_rows_copy(grz_rows *rows, uint32_t to, uint32_t from)
{
    rows->position[to] = rows->position[from];
    rows->velocity[to] = rows->velocity[from];
    rows->half[to] = rows->half[from];
    rows->rotation[to] = rows->rotation[from];
    rows->angle[to] = rows->angle[from];
    rows->spin[to] = rows->spin[from];
    rows->traits[to] = rows->traits[from];
    rows->index[to] = rows->index[from];
    rows->generation[to] = rows->generation[from];
}

// Fills the spare column with the sorted one; the two change places.
static void sort_vectors(grz_rows *rows, graze_vec2 **column, const uint32_t *order, uint32_t count)
{
    graze_vec2 *sorted = rows->spare_vectors;
    const graze_vec2 *from = *column;
    for (uint32_t k = 0; k < count; ++k) {
        sorted[k] = from[order[k]];
    }
    rows->spare_vectors = *column;
    *column = sorted;
}

static void sort_numbers(grz_rows *rows, uint32_t **column, const uint32_t *order, uint32_t count)
{
    uint32_t *sorted = rows->spare_numbers;
    const uint32_t *from = *column;
    for (uint32_t k = 0; k < count; ++k) {
        sorted[k] = from[order[k]];
    }
    rows->spare_numbers = *column;
    *column = sorted;
}

// Rotations and floats go through spare columns of the same size.
static void sort_rotations(grz_rows *rows, graze_rotation **column, const uint32_t *order,
                           uint32_t count)
{
    graze_rotation *sorted = (graze_rotation *)(void *)rows->spare_vectors;
    const graze_rotation *from = *column;
    for (uint32_t k = 0; k < count; ++k) {
        sorted[k] = from[order[k]];
    }
    rows->spare_vectors = (graze_vec2 *)(void *)*column;
    *column = sorted;
}

static void sort_floats(grz_rows *rows, float **column, const uint32_t *order, uint32_t count)
{
    float *sorted = (float *)(void *)rows->spare_numbers;
    const float *from = *column;
    for (uint32_t k = 0; k < count; ++k) {
        sorted[k] = from[order[k]];
    }
    rows->spare_numbers = (uint32_t *)(void *)*column;
    *column = sorted;
}

// HOT. bench: engine/step/gas
//
// Data    52 bytes of a row read and written, 76 with rects; 4 of order read a column. One column
//         after the other, so that one spare of each size serves them all.
// Branch  None.
// Order   Rows come nearly in order from the last step, so the reads are nearly sequential.
void grz_rows_sort(grz_rows *rows, const uint32_t *order, uint32_t count, bool rects)
{
    sort_vectors(rows, &rows->position, order, count);
    sort_vectors(rows, &rows->velocity, order, count);
    sort_vectors(rows, &rows->half, order, count);
    sort_vectors(rows, &rows->end, order, count);
    sort_vectors(rows, &rows->end_velocity, order, count);
    sort_numbers(rows, &rows->traits, order, count);
    sort_numbers(rows, &rows->index, order, count);
    sort_numbers(rows, &rows->generation, order, count);
    if (rects) {
        sort_rotations(rows, &rows->rotation, order, count);
        sort_rotations(rows, &rows->end_rotation, order, count);
        sort_floats(rows, &rows->angle, order, count);
        sort_floats(rows, &rows->spin, order, count);
    }
}
