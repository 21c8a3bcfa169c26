/// @file snapshot.h
/// What a snapshot is made of: a header, then sections, each an array, one after the other without
/// a gap. There are no pointers in it and no padding, numbers are in the writer's byte order, and
/// equal states give equal bytes.
///
/// Bodies come by index: first those in the world, then those that the last step removed, which can
/// still be read. What neither of the two lists names is vacant; of these the generation remains.
/// Rows, traits, rotations, vacancies and the grids follow from what is saved.
#ifndef GRZ_SNAPSHOT_H
#define GRZ_SNAPSHOT_H

#include "state.h"

/// Sizes, times and counts of all that follows.
typedef struct grz_snapshot_header {
    char magic[8];       ///< The same in every snapshot.
    uint32_t byte_order; ///< Reads as another number where bytes have another order.
    uint32_t version;    ///< Of all that is said here.
    uint64_t size;       ///< Of the whole snapshot, bytes.
    uint64_t checksum;   ///< Of all that comes after it.
    uint64_t step_count, pair_count, hit_count;
    graze_vec2 gravity;
    uint32_t index_count;   ///< Of bodies, vacant ones included.
    uint32_t body_count;    ///< In the world.
    uint32_t retired_count; ///< Removed by the last step.
    uint32_t chain_count;   ///< Vacant ones included.
    uint32_t point_count;   ///< Of all chains.
    uint32_t key_count, end_count, contact_count;
    uint32_t begin_count, overflow_count;
} grz_snapshot_header;

enum {
    /// Where what the checksum is of begins.
    GRZ_SNAPSHOT_SUMMED = offsetof(grz_snapshot_header, checksum) + sizeof(uint64_t)
};

/// The sections in their order. "Kept" are the bodies in the world and the retired ones.
typedef enum grz_section {
    GRZ_SECTION_INDICES,     ///< Of the kept: uint32_t, rising in each of the two lists.
    GRZ_SECTION_POSITIONS,   ///< Of the kept: graze_vec2.
    GRZ_SECTION_VELOCITIES,  ///< Of the kept: graze_vec2.
    GRZ_SECTION_HALVES,      ///< Of the kept: graze_vec2, as grz_rows has it.
    GRZ_SECTION_ANGLES,      ///< Of the kept: float.
    GRZ_SECTION_SPINS,       ///< Of the kept: float.
    GRZ_SECTION_BODIES,      ///< Of the kept: grz_body_record.
    GRZ_SECTION_GENERATIONS, ///< By index: uint32_t.
    GRZ_SECTION_CHAINS,      ///< By index: grz_chain_record.
    GRZ_SECTION_POINTS,      ///< Of one chain after the other: graze_vec2.
    GRZ_SECTION_KEYS,        ///< What met in the last step: graze_contact_end.
    GRZ_SECTION_ENDS,        ///< What had met before: graze_contact_end.
    GRZ_SECTION_CONTACTS,    ///< grz_contact_record.
    GRZ_SECTION_COUNT
} grz_section;

/// The cold part of a body.
typedef struct grz_body_record {
    uint32_t form; ///< Its kind, its response from bit 2 on, its being a sensor from bit 4 on.
    float mass, restitution, friction, lifetime;
    uint32_t hit_limit, hit_count;
    graze_filter filter;
    uint64_t user_data;
} grz_body_record;

enum {
    GRZ_FORM_KIND = 3,
    GRZ_FORM_RESPONSE_SHIFT = 2,
    GRZ_FORM_RESPONSE = 3,
    GRZ_FORM_SENSOR = 16,
    GRZ_FORM_ALL = 31
};

/// A chain; of a vacant one all but the generation is 0.
typedef struct grz_chain_record {
    uint64_t user_data;
    graze_filter filter;
    uint32_t generation;
    uint32_t point_count; ///< 0: vacant.
    uint32_t form;        ///< GRZ_CHAIN bits.
} grz_chain_record;

enum { GRZ_CHAIN_LOOP = 1, GRZ_CHAIN_ONE_SIDED = 2, GRZ_CHAIN_SENSOR = 4, GRZ_CHAIN_ALL = 7 };

/// A contact of the last step.
typedef struct grz_contact_record {
    uint32_t key;  ///< Which of the keys it is of.
    uint32_t form; ///< Its phase; from bit 1 on its flags.
    float time;
    graze_vec2 point, normal;
    float depth;
} grz_contact_record;

_Static_assert(sizeof(grz_snapshot_header) == 104, "a header has no padding");
_Static_assert(sizeof(grz_body_record) == 48, "a body has no padding");
_Static_assert(sizeof(grz_chain_record) == 32, "a chain has no padding");
_Static_assert(sizeof(grz_contact_record) == 32, "a contact has no padding");
_Static_assert(sizeof(graze_contact_end) == 28, "a key has no padding");
_Static_assert(sizeof(graze_vec2) == 8, "a vector has no padding");

/// Returns how many bytes an element of the section has.
size_t grz_snapshot_element_size(grz_section section);

/// Where each section begins, in bytes from the header; at the end the size of the whole.
typedef struct grz_snapshot_layout {
    uint64_t begin[GRZ_SECTION_COUNT + 1];
} grz_snapshot_layout;

/// Returns a header of this version and byte order that is 0 otherwise.
grz_snapshot_header grz_snapshot_new_header(void);

/// Returns the layout that the counts in a header give. Any counts are allowed.
grz_snapshot_layout grz_snapshot_lay_out(const grz_snapshot_header *header);

/// A snapshot whose every number was checked: what it says is a state that a world can be in.
typedef struct grz_snapshot {
    const unsigned char *bytes; ///< The caller's, of any alignment.
    grz_snapshot_header header;
    grz_snapshot_layout layout;
    uint32_t rect_count; ///< Of the bodies in the world.
    uint32_t needs;      ///< Of all bodies: GRZ_NEED bits, but for rects.
} grz_snapshot;

/// Checks the bytes and fills `snapshot`, or tells the log of `world` what is wrong with them.
/// Returns OK or FORMAT.
graze_status grz_snapshot_open(const graze_world *world, const void *bytes, size_t size,
                               grz_snapshot *snapshot);

/// Returns where a section begins.
static inline const unsigned char *grz_snapshot_section(const grz_snapshot *snapshot,
                                                        grz_section section)
{
    return snapshot->bytes + (size_t)snapshot->layout.begin[section];
}

#endif
