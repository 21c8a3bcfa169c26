/// @file snapshot_wide.h
/// The loops over whole columns of a snapshot: see lanes.h. Sums need more than one chain, and what
/// is made of threes of words, or of those bodies whose bits are set, has to be parted.

#include "bodies.h"
#include "checksum.h"
#include "snapshot_check_lanes.h"
#include "snapshot_reports_lanes.h"
#include "snapshot_rows_lanes.h"

// --- The checksum ---

static inline ints mix_lanes(ints sum, ints words)
{
    return swap_shorts(mul_ints(add_ints(sum, words), fill_ints(GRZ_CHECKSUM_FACTOR)));
}

_Static_assert(GRZ_CHECKSUM_TURN == 16, "what mix_lanes does");

enum {
    /// Vectors at a time, none of which waits for another: as many as a block has, or 8. Fours.
    SUMS = GRZ_CHECKSUM_LANES / GRZ_WIDTH < 8 ? GRZ_CHECKSUM_LANES / GRZ_WIDTH : 8
};

static inline void load_sums(ints sums[SUMS], const uint32_t *lanes)
{
    for (uint32_t v = 0; v < SUMS; ++v) {
        sums[v] = load_ints(lanes + v * GRZ_WIDTH);
    }
}

static inline void store_sums(uint32_t *lanes, const ints sums[SUMS])
{
    for (uint32_t v = 0; v < SUMS; ++v) {
        store_ints(lanes + v * GRZ_WIDTH, sums[v]);
    }
}

/// The least patterns of floats, less that of infinity: as uint32_t such as are infinite, NaN or -0
/// are the least, up to FIRST_PLAIN, and as int32_t those that are below 0 besides.
typedef struct float_check {
    ints lowest, least;
} float_check;

enum { FIRST_PLAIN = 0x00800001 };

static inline void check_floats(float_check *found, ints pattern)
{
    const ints distance = sub_ints(pattern, fill_ints(GRZ_PATTERN_INFINITE));
    found->lowest = lower_ints(found->lowest, distance);
    found->least = lesser_ints(found->least, distance);
}

static uint32_t are_strange(const float_check *found)
{
    const ints plain = lower_ints(found->lowest, fill_ints(FIRST_PLAIN));
    const floats_mask negative = less_ints(found->least, fill_ints(0x80000000 + FIRST_PLAIN - 1));
    return mask_bits(mask_or(less_ints(plain, fill_ints(FIRST_PLAIN)), negative));
}

/// Where the words of blocks come from. What is written from nowhere is 0.
typedef enum word_source { FROM_BYTES, FROM_VECTORS, FROM_NUMBERS, FROM_NOWHERE } word_source;

typedef struct block_source {
    const void *from;     ///< Bytes, or a column.
    const uint32_t *rows; ///< Of the column.
} block_source;

static inline ints take_words(const block_source *of, size_t word, word_source source)
{
    switch (source) {
    case FROM_BYTES:
        return read_ints((const unsigned char *)of->from + word * sizeof(uint32_t));
    case FROM_VECTORS:
        return gather_vectors(of->from, of->rows + word / 2);
    case FROM_NUMBERS:
        return gather_ints(of->from, of->rows + word, 1);
    default:
        return fill_ints(0);
    }
}

// Four vectors are read, then written, then added: all of them wait for memory at once.
static inline void pass_four(ints sums[4], unsigned char *to, const block_source *of, size_t word,
                             word_source source, bool writes, float_check *found)
{
    ints words[4];
    for (uint32_t v = 0; v < 4; ++v) {
        words[v] = take_words(of, word + v * GRZ_WIDTH, source);
    }
    if (writes) {
        for (uint32_t v = 0; v < 4; ++v) {
            write_ints(to + word * sizeof(uint32_t) + v * sizeof *words, words[v]);
        }
    }
    for (uint32_t v = 0; v < 4; ++v) {
        sums[v] = mix_lanes(sums[v], words[v]);
    }
    if (found) {
        for (uint32_t v = 0; v < 4; ++v) {
            check_floats(found, words[v]);
        }
    }
}

// Adds blocks to a sum. Writes them, too, if it `writes`, and checks floats if `found` is not null:
// known when this is compiled, as the source is.
//
// HOT. bench: engine/snapshot_save, engine/snapshot_load
//
// Data    256 bytes a block, read once and written once: what waits for memory has time for more.
// Branch  None.
// Order   Lane k adds words k, k + 64 ... Where lanes are few, half of each block comes after the
//         other half of some kilobytes.
static inline void pass_blocks(uint32_t *lanes, unsigned char *to, const block_source *of,
                               size_t count, word_source source, bool writes, float_check *found)
{
    enum { BLOCKS_AT_ONCE = 16 };
    for (size_t done = 0; done < count; done += BLOCKS_AT_ONCE) {
        const size_t end = count - done < BLOCKS_AT_ONCE ? count : done + BLOCKS_AT_ONCE;
        for (uint32_t first = 0; first < GRZ_CHECKSUM_LANES; first += SUMS * GRZ_WIDTH) {
            ints sums[SUMS];
            load_sums(sums, lanes + first);
            for (size_t i = done; i < end; ++i) {
                for (uint32_t v = 0; v < SUMS; v += 4) {
                    const size_t word = i * GRZ_CHECKSUM_LANES + first + v * GRZ_WIDTH;
                    pass_four(sums + v, to, of, word, source, writes, found);
                }
            }
            store_sums(lanes + first, sums);
        }
    }
}

static void add_blocks(uint32_t *lanes, const unsigned char *bytes, size_t count)
{
    const block_source source = {bytes, NULL};
    pass_blocks(lanes, NULL, &source, count, FROM_BYTES, false, NULL);
}

static void copy_blocks(uint32_t *lanes, unsigned char *to, const unsigned char *bytes,
                        size_t count)
{
    const block_source source = {bytes, NULL};
    pass_blocks(lanes, to, &source, count, FROM_BYTES, true, NULL);
}

static void clear_blocks(uint32_t *lanes, unsigned char *to, size_t count)
{
    const block_source source = {NULL, NULL};
    pass_blocks(lanes, to, &source, count, FROM_NOWHERE, true, NULL);
}

static void gather_listed_vectors(uint32_t *lanes, unsigned char *to, const graze_vec2 *column,
                                  const uint32_t *rows, size_t count)
{
    const block_source source = {column, rows};
    pass_blocks(lanes, to, &source, count, FROM_VECTORS, true, NULL);
}

static void gather_listed_numbers(uint32_t *lanes, unsigned char *to, const float *column,
                                  const uint32_t *rows, size_t count)
{
    const block_source source = {column, rows};
    pass_blocks(lanes, to, &source, count, FROM_NUMBERS, true, NULL);
}

static uint32_t add_numbers(uint32_t *lanes, const unsigned char *bytes, size_t count,
                            unsigned char *copy)
{
    const block_source source = {bytes, NULL};
    float_check found = {fill_ints(UINT32_MAX), fill_ints(INT32_MAX)};
    if (copy) {
        pass_blocks(lanes, copy, &source, count, FROM_BYTES, true, &found);
    } else {
        pass_blocks(lanes, NULL, &source, count, FROM_BYTES, false, &found);
    }
    return are_strange(&found);
}

// --- Rows of a world ---

// The bits of the lanes whose bodies have a row. Places of retired bodies are negative numbers: see
// grz_is_retired.
static uint32_t find_lanes_in_world(ints row, size_t left)
{
    const floats_mask retired = less_ints(row, fill_ints(0));
    const uint32_t some = mask_bits(mask_but_not(less_ints(row, fill_ints(GRZ_NONE)), retired));
    return left < GRZ_WIDTH ? some & ((1u << left) - 1) : some;
}

// HOT. bench: engine/snapshot_save
//
// Data    12 bytes an index read, 4 written.
// Branch  None.
static void list_rows(const uint32_t *row_of_index, const grz_body *bodies, uint32_t count,
                      grz_row_list *list)
{
    uint32_t next = list->count, shapes_end = list->shapes_end, rects_end = list->rects_end;
    memset(list->in_world, 0, sizeof list->in_world);
    for (uint32_t k = 0; k < count; k += GRZ_WIDTH) {
        ints generation, form;
        const ints row = load_ints(row_of_index + k);
        const uint32_t some = find_lanes_in_world(row, count - k);
        load_pairs(bodies + k, &generation, &form);
        const floats_mask rects = less_ints(fill_ints(0), and_ints(form, fill_ints(GRZ_FORM_RECT)));
        const floats_mask shapes = less_ints(and_ints(form, fill_ints(GRZ_FORM_RAY)), fill_ints(1));
        pack_ints(list->rows + next, some, row);
        next += count_bits(some);
        rects_end = some & mask_bits(rects) ? next : rects_end;
        shapes_end = some & mask_bits(shapes) ? next : shapes_end;
        list->in_world[k / 64] |= (uint64_t)some << k % 64;
    }
    list->count = next;
    list->rects_end = rects_end;
    list->shapes_end = shapes_end;
}

const grz_snapshot_loops GRZ_WIDE(grz_snapshot_loops) = {
    add_blocks,
    add_numbers,
    copy_blocks,
    clear_blocks,
    gather_listed_vectors,
    gather_listed_numbers,
    list_rows,
    make_rows,
    number_rows,
    check_numbers,
    check_kept,
    check_matters,
    check_keys,
    check_contacts,
};
