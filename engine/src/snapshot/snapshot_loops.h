/// @file snapshot_loops.h
/// The loops over whole columns of a snapshot, and over which indices are in use: a table for each
/// set of lanes (lanes.h).
///
/// Numbers are checked by their patterns of bits, without a branch; so it does not matter whether
/// the caller's floating-point settings flush denormals. Bytes may have any alignment. A check
/// returns 0 if all is right. Otherwise snapshot_blame.c checks one body at a time, to say what is
/// wrong.
#ifndef GRZ_SNAPSHOT_LOOPS_H
#define GRZ_SNAPSHOT_LOOPS_H

#include "body/body_state.h"
#include "checksum/checksum.h"
#include "lanes_choice.h"

#include <stddef.h>

enum {
    GRZ_INDICES_AT_ONCE = 8192, ///< Indices in a call of make_rows; a multiple of 64.
    GRZ_ROWS_AT_ONCE = 4096,    ///< Indices in a call of list_rows; a multiple of 64.
    GRZ_ROWS_WHOLE = 64,        ///< The vectors or floats of this many rows fill checksum blocks.
    GRZ_ROWS_LISTED = GRZ_ROWS_AT_ONCE + GRZ_ROWS_WHOLE + GRZ_LANES_MAX,
    GRZ_RECORD_WORDS = 8 ///< 32-bit words of a contact; a key has one less.
};

/// A column of a snapshot, which is checked, copied and added to a checksum in one pass.
typedef struct grz_column_copy {
    const unsigned char *from; ///< Null: there is no such column.
    unsigned char *to;
    uint32_t *sum; ///< The checksum's lanes. Null: the column is only checked.
} grz_column_copy;

/// The columns of rows that are made from columns by index.
typedef struct grz_row_columns {
    uint32_t *index, *generation, *traits;
} grz_row_columns;

/// Up to GRZ_INDICES_AT_ONCE indices of a snapshot, and the rows to make for those of them that are
/// in the world.
typedef struct grz_row_making {
    uint32_t first, count;              ///< Indices.
    const uint64_t *in_world, *retired; ///< A bit for each; no others are set.
    grz_column_copy bodies, lives;      ///< Copied up to a multiple of 64 indices.
    const unsigned char *materials;     ///< Null: all have the default.
    grz_row_columns to;                 ///< With room for GRZ_LANES_MAX more than there are.
    uint32_t *row_of_index;             ///< Begins at `first`; padded to a multiple of 16.
    uint32_t first_row;                 ///< The row at which `to` begins.
} grz_row_making;

/// The rows of those of up to GRZ_ROWS_AT_ONCE indices that are in the world, in the order of
/// indices. Before them are fewer than GRZ_ROWS_WHOLE rows that are left of the indices before.
typedef struct grz_row_list {
    uint32_t count;
    uint32_t turns_end;  ///< From here on no row has a rotation.
    uint32_t shapes_end; ///< From here on all rows are rays.
    uint32_t rows[GRZ_ROWS_LISTED];
    uint64_t in_world[GRZ_ROWS_AT_ONCE / 64]; ///< A bit for each index that has a row.
} grz_row_list;

/// The columns in the order of rows whose valid values depend on a body's kind. They are copied up
/// to a multiple of GRZ_ROWS_WHOLE bodies.
typedef struct grz_kept_part {
    grz_column_copy halves;
    grz_column_copy angles, spins; ///< Without columns, all of these are 0.
} grz_kept_part;

typedef struct grz_kind_counts {
    uint32_t rects, rays, rotations;
} grz_kind_counts;

/// Limits of the words of a record: those bits of each that are in `bits` are from `least` to
/// `least + span`. Words that the record does not have, or that may have any value, have the limits
/// 0 and UINT32_MAX.
typedef struct grz_word_limits {
    uint32_t bits[GRZ_LANES_MAX], least[GRZ_LANES_MAX], span[GRZ_LANES_MAX];
} grz_word_limits;

/// What the loops do: see lanes.h. The sections are those of snapshot.h.
typedef struct grz_snapshot_loops {
    const grz_checksum_loops *checksum; ///< Those of the same lanes.
    /// Adds blocks of floats to a checksum, copies them, and checks them as check_numbers does.
    uint32_t (*copy_numbers)(uint32_t *lanes, unsigned char *to, const unsigned char *bytes,
                             size_t count);
    /// Writes blocks of zeros, and adds them to a checksum.
    void (*clear_blocks)(uint32_t *lanes, unsigned char *to, size_t count);
    /// Writes blocks of the vectors of a column whose rows are listed, and adds them to a checksum.
    void (*gather_vectors)(uint32_t *lanes, unsigned char *to, const graze_vec2 *column,
                           const uint32_t *rows, size_t count);
    /// The same with a column of floats.
    void (*gather_numbers)(uint32_t *lanes, unsigned char *to, const float *column,
                           const uint32_t *rows, size_t count);
    /// Appends to the list the rows of those of up to GRZ_ROWS_AT_ONCE indices that are in the
    /// world. Both columns are padded to a multiple of 16.
    void (*list_rows)(const uint32_t *row_of_index, const grz_body *bodies, uint32_t count,
                      grz_row_list *list);
    /// Makes rows, with all traits but that of spin, and returns how many. Indices that are not in
    /// the world get row GRZ_NONE. Sets `wrong` to a value other than 0 if a generation
    /// is 0, a form is invalid, a lifetime is negative or not finite, hits are counted without a
    /// limit, or a body that is not retired has had its last hit (grz_is_spent).
    uint32_t (*make_rows)(const grz_row_making *making, uint32_t *wrong);
    /// Every word is a finite float and not -0.
    uint32_t (*check_numbers)(const unsigned char *words, size_t count);
    /// A rect has two half extents above 0; a circle has its radius twice, a ray 0 twice. Angles
    /// are in [-pi, pi], and only rects and rigid circles have angles and spins other than 0. Reads
    /// the kinds from the traits, adds the trait of spin to these, and counts the kinds.
    uint32_t (*check_kept)(const grz_kept_part *kept, uint32_t *traits, size_t count,
                           grz_kind_counts *counts);
    /// Masses are finite and not negative, and surfaces are right.
    uint32_t (*check_materials)(const unsigned char *materials, size_t count);
    /// All are as a def may have them, and the rest as a step may.
    uint32_t (*check_dynamics)(const unsigned char *dynamics, size_t count);
    /// Keys of two bodies are within limits[1], with the smaller index first; those with terrain
    /// within limits[0]. They are strictly ascending, compared word by word.
    uint32_t (*check_keys)(const unsigned char *keys, size_t count, const grz_word_limits *limits);
    /// Contacts are within limits, and no depth is below 0.
    uint32_t (*check_contacts)(const unsigned char *contacts, size_t count,
                               const grz_word_limits *limits);
} grz_snapshot_loops;

GRZ_DECLARE_WIDE(grz_snapshot_loops, grz_snapshot_loops);

/// Returns the loops for a set of lanes.
const grz_snapshot_loops *grz_snapshot_loops_for(grz_lane_set lanes);

/// Adds floats to a checksum and copies them, as grz_checksum_copy() does. Returns 0 if all are
/// finite and none is -0.
uint32_t grz_snapshot_copy_numbers(grz_checksum *sum, const grz_snapshot_loops *loops,
                                   unsigned char *to, const unsigned char *bytes, size_t size);

#endif
