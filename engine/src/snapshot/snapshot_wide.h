/// @file snapshot_wide.h
/// The loops over whole columns of a snapshot: see lanes.h. By hand, because checksums need several
/// chains of operations, and elements of three words, or those whose bits are set, have to be
/// sorted out.

#include "body/bodies.h"
#include "snapshot/snapshot_check_lanes.h"
#include "snapshot/snapshot_reports_lanes.h"
#include "snapshot/snapshot_rows_lanes.h"

// --- Copying with a checksum ---

static const word_use written = {true, NULL, NULL};

static void clear_blocks(uint32_t *lanes, unsigned char *to, size_t count)
{
    const block_source source = {NULL, NULL};
    pass_blocks(lanes, to, &source, count, FROM_NOWHERE, written);
}

static void gather_listed_vectors(uint32_t *lanes, unsigned char *to, const graze_vec2 *column,
                                  const uint32_t *rows, size_t count)
{
    const block_source source = {column, rows};
    pass_blocks(lanes, to, &source, count, FROM_VECTORS, written);
}

static void gather_listed_numbers(uint32_t *lanes, unsigned char *to, const float *column,
                                  const uint32_t *rows, size_t count)
{
    const block_source source = {column, rows};
    pass_blocks(lanes, to, &source, count, FROM_NUMBERS, written);
}

static uint32_t copy_numbers(uint32_t *lanes, unsigned char *to, const unsigned char *bytes,
                             size_t count)
{
    const block_source source = {bytes, NULL};
    float_check found = check_no_floats();
    const word_use use = {true, &found, NULL};
    pass_blocks(lanes, to, &source, count, FROM_BYTES, use);
    return are_strange(&found);
}

// --- Rows of a world ---

// The bits of lanes whose bodies have a row. Places of retired bodies are negative: see
// grz_is_retired.
static uint32_t find_lanes_in_world(ints row, size_t left)
{
    const floats_mask retired = less_ints(row, fill_ints(0));
    const uint32_t some = mask_bits(mask_but_not(less_ints(row, fill_ints(GRZ_NONE)), retired));
    return left < GRZ_WIDTH ? some & ((1u << left) - 1) : some;
}

// HOT. bench: engine/snapshot_save
//
// Data    12 bytes per index read, 4 written.
// Branch  None.
static void list_rows(const uint32_t *row_of_index, const grz_body *bodies, uint32_t count,
                      grz_row_list *list)
{
    uint32_t next = list->count, shapes_end = list->shapes_end, turns_end = list->turns_end;
    const ints turning =
        fill_ints(GRZ_FORM_RECT | (uint32_t)GRAZE_RIGID << GRZ_FORM_RESPONSE_SHIFT);
    memset(list->in_world, 0, sizeof list->in_world);
    for (uint32_t k = 0; k < count; k += GRZ_WIDTH) {
        ints generation, form;
        const ints row = load_ints(row_of_index + k);
        const uint32_t some = find_lanes_in_world(row, count - k);
        load_pairs(bodies + k, &generation, &form);
        const floats_mask turns = less_ints(fill_ints(0), and_ints(form, turning));
        const floats_mask shapes = less_ints(and_ints(form, fill_ints(GRZ_FORM_RAY)), fill_ints(1));
        pack_ints(list->rows + next, some, row);
        next += count_bits(some);
        turns_end = some & mask_bits(turns) ? next : turns_end;
        shapes_end = some & mask_bits(shapes) ? next : shapes_end;
        list->in_world[k / 64] |= (uint64_t)some << k % 64;
    }
    list->count = next;
    list->turns_end = turns_end;
    list->shapes_end = shapes_end;
}

const grz_snapshot_loops GRZ_WIDE(grz_snapshot_loops) = {
    &GRZ_WIDE(grz_checksum_loops),
    copy_numbers,
    clear_blocks,
    gather_listed_vectors,
    gather_listed_numbers,
    list_rows,
    make_rows,
    check_numbers,
    check_kept,
    check_materials,
    check_dynamics,
    check_keys,
    check_contacts,
};
