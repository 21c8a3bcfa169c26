/// @file snapshot_loops.h
/// The loops over whole columns of a snapshot, and over which indices are in use.
///
/// Numbers are checked by their patterns of bits, without a branch, so what the caller's rounding
/// mode does to denormals does not matter. Bytes may have any alignment. A check returns 0 when all
/// is right; what exactly is wrong is found by asking for one body at a time.
#ifndef GRZ_SNAPSHOT_LOOPS_H
#define GRZ_SNAPSHOT_LOOPS_H

#include "lanes_choice.h"
#include "state.h"

#include <stddef.h>

enum {
    GRZ_LANES_MOST = 16,        ///< In any set: the last lanes may overshoot by fewer.
    GRZ_INDICES_AT_ONCE = 4096, ///< A multiple of 64, like that of rows.
    GRZ_FORMS_LISTED = GRZ_INDICES_AT_ONCE + GRZ_LANES_MOST,
    GRZ_ROWS_AT_ONCE = 512,
    GRZ_ROWS_LISTED = GRZ_ROWS_AT_ONCE + GRZ_LANES_MOST
};

/// Up to GRZ_ROWS_AT_ONCE indices whose bodies get rows, one after the other.
typedef struct grz_row_filling {
    uint32_t first, count;    ///< Indices.
    uint32_t first_row;       ///< That the first of the bodies gets.
    const uint64_t *in_world; ///< A bit for each that has a body in the world; no others are set.
    /// What the columns below are filled with, lanes at a time. May be what they have.
    const unsigned char *body_bytes, *life_bytes;
    grz_body *bodies; ///< From the first index on, like the three below: padded to a
    grz_life *lives;  ///< multiple of 16. Null, like matters: all have what a def has.
    const grz_matter *matters;
    uint32_t *row_of_index;
    uint32_t *index, *generation, *traits; ///< Of the rows: room for GRZ_ROWS_LISTED.
} grz_row_filling;

/// The rows of the bodies in the world of up to GRZ_ROWS_AT_ONCE indices, in the order of these.
typedef struct grz_row_list {
    uint32_t count;
    uint32_t rows[GRZ_ROWS_LISTED];
    uint32_t rect_count;
    uint32_t rects[GRZ_ROWS_LISTED];          ///< The rows of rects, and
    uint32_t rect_places[GRZ_ROWS_LISTED];    ///< which of the rows they are.
    bool has_shapes;                          ///< Some are no rays.
    uint64_t in_world[GRZ_ROWS_AT_ONCE / 64]; ///< A bit for each index that has a row.
} grz_row_list;

/// What is kept of some bodies that depends on their kinds, as a snapshot has it.
typedef struct grz_kept_part {
    const unsigned char *halves;
    const unsigned char *angles, *spins; ///< Null: nothing turns.
} grz_kept_part;

typedef struct grz_kind_counts {
    uint32_t rects, rays;
} grz_kind_counts;

/// What the loops do: see lanes.h. The sections are those of snapshot.h.
typedef struct grz_snapshot_loops {
    /// Adds blocks of GRZ_CHECKSUM_BLOCK bytes to the GRZ_CHECKSUM_LANES words of a checksum.
    void (*add_blocks)(uint32_t *lanes, const unsigned char *bytes, size_t count);
    /// Adds blocks likewise, of floats, checks them as check_numbers does, and copies them where
    /// `copy` is not null.
    uint32_t (*add_numbers)(uint32_t *lanes, const unsigned char *bytes, size_t count,
                            unsigned char *copy);
    /// Lists the forms of up to GRZ_INDICES_AT_ONCE bodies, those whose bits are set, and returns
    /// how many there are. Room for GRZ_LANES_MOST more is needed. Of all of them no generation is
    /// 0, and every form is one; `wrong` becomes other than 0 if not.
    uint32_t (*list_forms)(const unsigned char *bodies, size_t count, const uint64_t *bits,
                           uint32_t *listed, uint32_t *wrong);
    /// Lists the rows of the bodies in the world, of up to GRZ_ROWS_AT_ONCE indices. Both
    /// columns are padded to a multiple of 16.
    void (*list_rows)(const uint32_t *row_of_index, const grz_body *bodies, uint32_t count,
                      grz_row_list *list);
    /// Writes those vectors of a column that are listed, to any address.
    void (*gather)(unsigned char *to, const graze_vec2 *column, const uint32_t *rows,
                   uint32_t count);
    /// Fills in rows, their traits but for what spins, and which index has which row; GRZ_NONE
    /// where no bit is set. Returns how many rows there are.
    uint32_t (*fill_rows)(const grz_row_filling *of);
    /// Adds to traits what spins.
    void (*add_spins)(uint32_t *traits, const unsigned char *spins, size_t count);
    /// Every word is a finite float and not -0.
    uint32_t (*check_numbers)(const unsigned char *words, size_t count);
    /// A rect has two half extents above 0; anything else one radius, twice, and a ray's is 0.
    /// Angles are in [-pi, pi], and only rects turn. Adds up which kinds there are.
    uint32_t (*check_kept)(const grz_kept_part *of, const uint32_t *forms, size_t count,
                           grz_kind_counts *counts);
    /// Masses are finite and not negative, restitution and friction in [0, 1].
    uint32_t (*check_matters)(const unsigned char *matters, size_t count);
    /// Lifetimes are finite and not negative, and without a limit no hits are counted. `spent`
    /// becomes other than 0 where the bit of one that has had its last hit (grz_is_spent) is not
    /// among the `retired`.
    uint32_t (*check_lives)(const unsigned char *lives, size_t count, const uint64_t *retired,
                            uint32_t *spent);
} grz_snapshot_loops;

GRZ_DECLARE_WIDE(grz_snapshot_loops, grz_snapshot_loops);

/// Returns the loops for a set of lanes.
const grz_snapshot_loops *grz_snapshot_loops_for(grz_lane_set lanes);

#endif
