// The sections of a snapshot with the columns of bodies, in the order of their indices.

#include "bits.h"
#include "body/bodies.h"
#include "min_max.h"
#include "snapshot/snapshot_writer.h"

// --- In the world ---

// Writes the indices of those that are neither in the world nor vacant.
static void put_retired_indices(grz_writer *writer, uint32_t first, uint64_t others)
{
    uint64_t left = others & ~writer->world->vacancies.data[first / 64];
    for (; left; left &= left - 1) {
        const uint32_t index = first + grz_lowest_bit(left);
        grz_writer_put(writer, GRZ_SECTION_RETIRED, &index, sizeof index);
    }
}

static void put_others(grz_writer *writer, uint32_t first, uint32_t count, const uint64_t *in_world)
{
    for (uint32_t k = 0; k < count; k += 64) {
        const uint64_t all = count - k < 64 ? (UINT64_C(1) << (count - k)) - 1 : UINT64_MAX;
        if (in_world[k / 64] != all) {
            put_retired_indices(writer, first + k, all & ~in_world[k / 64]);
        }
    }
}

// Returns how many blocks of the checksum `rows` elements of a section fill.
static size_t blocks_of(grz_section section, uint32_t rows)
{
    return rows * grz_snapshot_element_size(section) / GRZ_CHECKSUM_BLOCK;
}

// Writes the first listed rows, a multiple of GRZ_ROWS_WHOLE; so do the next two functions.
static void gather_vectors(grz_writer *writer, grz_section section, const graze_vec2 *column,
                           const grz_row_list *list, uint32_t rows)
{
    const size_t blocks = blocks_of(section, rows);
    unsigned char *next = grz_writer_advance_summed(writer, section, blocks);
    writer->loops->gather_vectors(writer->sums.section[section].lanes, next, column, list->rows,
                                  blocks);
}

static void gather_numbers(grz_writer *writer, grz_section section, const float *column,
                           const grz_row_list *list, uint32_t rows)
{
    const size_t blocks = blocks_of(section, rows);
    unsigned char *next = grz_writer_advance_summed(writer, section, blocks);
    writer->loops->gather_numbers(writer->sums.section[section].lanes, next, column, list->rows,
                                  blocks);
}

static void put_zeros(grz_writer *writer, grz_section section, uint32_t rows)
{
    const size_t blocks = blocks_of(section, rows);
    unsigned char *next = grz_writer_advance_summed(writer, section, blocks);
    writer->loops->clear_blocks(writer->sums.section[section].lanes, next, blocks);
}

static uint32_t whole_up_to(uint32_t end, uint32_t rows)
{
    const uint32_t whole = (end + GRZ_ROWS_WHOLE - 1) / GRZ_ROWS_WHOLE * GRZ_ROWS_WHOLE;
    return whole < rows ? whole : rows;
}

// If only retired bodies turned, rows may lack the columns.
static void put_turns(grz_writer *writer, const grz_row_list *list, uint32_t rows)
{
    const uint32_t turning = whole_up_to(list->turns_end, rows);
    gather_numbers(writer, GRZ_SECTION_ANGLES, writer->world->rows.angle, list, turning);
    put_zeros(writer, GRZ_SECTION_ANGLES, rows - turning);
    gather_numbers(writer, GRZ_SECTION_SPINS, writer->world->rows.spin, list, turning);
    put_zeros(writer, GRZ_SECTION_SPINS, rows - turning);
}

// HOT. bench: engine/snapshot_save
//
// Data    16 bytes of a row from anywhere, 24 if it has a size, 32 if one turns; as many written in
//         order.
// Branch  Where the last that turns is, and from where on all are rays, which have no size.
// Order   One column after the other, some thousand rows of each: in smaller parts side by side,
//         each part would be a cache miss again.
static void put_listed(grz_writer *writer, const grz_row_list *list, uint32_t rows)
{
    const uint32_t shapes = whole_up_to(list->shapes_end, rows);
    gather_vectors(writer, GRZ_SECTION_POSITIONS, writer->world->rows.position, list, rows);
    gather_vectors(writer, GRZ_SECTION_VELOCITIES, writer->world->rows.velocity, list, rows);
    gather_vectors(writer, GRZ_SECTION_HALVES, writer->world->rows.half, list, shapes);
    put_zeros(writer, GRZ_SECTION_HALVES, rows - shapes);
    if (writer->header->needs & GRZ_NEED_ROTATIONS) {
        put_turns(writer, list, rows);
    }
}

static void put_row(grz_writer *writer, uint32_t row)
{
    const grz_rows *rows = &writer->world->rows;
    const float angle = grz_angle_of(rows, row), spin = grz_spin_of(rows, row);
    grz_writer_put(writer, GRZ_SECTION_POSITIONS, &rows->position[row], sizeof *rows->position);
    grz_writer_put(writer, GRZ_SECTION_VELOCITIES, &rows->velocity[row], sizeof *rows->velocity);
    grz_writer_put(writer, GRZ_SECTION_HALVES, &rows->half[row], sizeof *rows->half);
    if (writer->header->needs & GRZ_NEED_ROTATIONS) {
        grz_writer_put(writer, GRZ_SECTION_ANGLES, &angle, sizeof angle);
        grz_writer_put(writer, GRZ_SECTION_SPINS, &spin, sizeof spin);
    }
}

static uint32_t move_up(uint32_t place, uint32_t rows)
{
    return place > rows ? place - rows : 0;
}

// Rows that do not fill a block are kept for the next call.
static void put_whole(grz_writer *writer, grz_row_list *list)
{
    const uint32_t rows = list->count - list->count % GRZ_ROWS_WHOLE;
    put_listed(writer, list, rows);
    list->count -= rows;
    list->shapes_end = move_up(list->shapes_end, rows);
    list->turns_end = move_up(list->turns_end, rows);
    memmove(list->rows, list->rows + rows, list->count * sizeof *list->rows);
}

static void put_bodies(grz_writer *writer)
{
    const graze_world *world = writer->world;
    const uint32_t count = world->bodies.count;
    grz_row_list list;
    list.count = list.shapes_end = list.turns_end = 0;
    for (uint32_t first = 0; first < count; first += GRZ_ROWS_AT_ONCE) {
        const uint32_t left = count - first;
        const uint32_t some = min_u32(left, GRZ_ROWS_AT_ONCE);
        writer->loops->list_rows(world->row_of_index.data + first, world->bodies.data + first, some,
                                 &list);
        put_others(writer, first, some, list.in_world);
        put_whole(writer, &list);
    }
    for (uint32_t k = 0; k < list.count; ++k) {
        put_row(writer, list.rows[k]);
    }
}

// --- Gone ---

static void put_retired_body(grz_writer *writer, const grz_retired *retired)
{
    const graze_vec2 half = grz_half_of(retired->shape);
    grz_writer_put(writer, GRZ_SECTION_POSITIONS, &retired->position, sizeof retired->position);
    grz_writer_put(writer, GRZ_SECTION_VELOCITIES, &retired->velocity, sizeof retired->velocity);
    grz_writer_put(writer, GRZ_SECTION_HALVES, &half, sizeof half);
    if (writer->header->needs & GRZ_NEED_ROTATIONS) {
        grz_writer_put(writer, GRZ_SECTION_ANGLES, &retired->angle, sizeof retired->angle);
        grz_writer_put(writer, GRZ_SECTION_SPINS, &retired->spin, sizeof retired->spin);
    }
}

// They retired in any order; the snapshot has them by index.
static void put_retired(grz_writer *writer)
{
    const graze_world *world = writer->world;
    const unsigned char *end = writer->columns[GRZ_SECTION_RETIRED].next;
    for (const unsigned char *next = writer->columns[GRZ_SECTION_RETIRED].summed; next < end;
         next += sizeof(uint32_t)) {
        const uint32_t row = world->row_of_index.data[grz_word_at(next, 0)];
        put_retired_body(writer, &world->retired[grz_retired_place(row)]);
    }
}

void grz_snapshot_put_rows(grz_writer *writer)
{
    put_bodies(writer);
    put_retired(writer);
}
