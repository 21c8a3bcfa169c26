/// @file snapshot.h
/// The format of snapshots: a header, then sections, which are arrays one after the other without
/// gaps. There are no pointers and no padding, numbers are in the writer's byte order
/// (snapshot_foreign.h reads the other one), and equal states give equal bytes.
///
/// A snapshot keeps the bodies in the world, and those that the last step removed (retired), which
/// can still be read. The columns of rows have an element for each kept body: first those in the
/// world, by index, then the retired, by index. The other columns are the world's own, by index; an
/// index that is neither in the world nor retired is vacant, and only its generation is kept. A
/// column that not all worlds have is there if any kept body needs it. Rows, traits, rotations and
/// the grids are not saved, because they follow from the rest.
#ifndef GRZ_SNAPSHOT_H
#define GRZ_SNAPSHOT_H

#include "bits.h"
#include "snapshot/snapshot_loops.h"
#include "state.h"

#include <string.h>

/// Sizes, times and counts of all that follows.
typedef struct grz_snapshot_header {
    char magic[8];       ///< The same in every snapshot.
    uint32_t byte_order; ///< Reads as another number in another byte order.
    uint32_t version;    ///< Of this format.
    uint64_t size;       ///< Of the whole snapshot, bytes.
    uint64_t checksum;   ///< Of all bytes after it: see grz_snapshot_sums.
    uint64_t step_count, pair_count, hit_count;
    graze_vec2 gravity;
    uint32_t index_count;   ///< Of bodies, vacant ones included.
    uint32_t body_count;    ///< In the world.
    uint32_t retired_count; ///< Removed by the last step.
    uint32_t rect_count;    ///< In the world.
    uint32_t needs;         ///< GRZ_NEED bits of the columns that are there.
    uint32_t chain_count;   ///< Vacant ones included.
    uint32_t point_count;   ///< Of all chains.
    uint32_t key_count, end_count, contact_count;
    uint32_t begin_count, overflow_count;
    uint32_t surface_count; ///< Of all segments with surfaces of their own.
    uint32_t substeps;
    uint32_t kept_count; ///< Contacts of which the solver keeps something.
    uint32_t unused;     ///< 0.
} grz_snapshot_header;

enum {
    /// Where the bytes begin that the checksum covers.
    GRZ_SNAPSHOT_SUMMED = offsetof(grz_snapshot_header, checksum) + sizeof(uint64_t)
};

/// The sections in their order.
typedef enum grz_section {
    GRZ_SECTION_POSITIONS,  ///< Of the kept: graze_vec2.
    GRZ_SECTION_VELOCITIES, ///< Of the kept: graze_vec2.
    GRZ_SECTION_HALVES,     ///< Of the kept: graze_vec2, as grz_rows has it.
    GRZ_SECTION_ANGLES,     ///< Of the kept, if one is a rect or a rigid circle: float.
    GRZ_SECTION_SPINS,      ///< Likewise.
    GRZ_SECTION_BODIES,     ///< By index: grz_body.
    GRZ_SECTION_MATERIALS,  ///< By index, where they are needed: grz_material.
    GRZ_SECTION_LIVES,      ///< Likewise: grz_life.
    GRZ_SECTION_FILTERS,    ///< Likewise: graze_filter.
    GRZ_SECTION_USERS,      ///< Likewise: uint64_t, user data.
    GRZ_SECTION_DYNAMICS,   ///< Likewise, and if a kept body is rigid: grz_dynamics.
    GRZ_SECTION_VACANCIES,  ///< A set of indices, 64 per uint64_t: those that are vacant.
    GRZ_SECTION_RETIRED,    ///< Indices of the retired: uint32_t, rising.
    GRZ_SECTION_CHAINS,     ///< By index: grz_chain_record.
    GRZ_SECTION_POINTS,     ///< Of one chain after the other: graze_vec2.
    GRZ_SECTION_SURFACES,   ///< Of single segments, likewise: graze_surface.
    GRZ_SECTION_KEYS,       ///< Keys of all that met in the last step: graze_contact_end.
    GRZ_SECTION_ENDS,       ///< Contact ends of the last step: graze_contact_end.
    GRZ_SECTION_CONTACTS,   ///< grz_contact_record.
    GRZ_SECTION_BLOWS,      ///< Of the contacts: grz_blow.
    GRZ_SECTION_KEPT,       ///< What the solver keeps of contacts, by key: grz_cached_contact.
    GRZ_SECTION_COUNT
} grz_section;

/// The form of a body: the four bytes of a grz_body from its response on, as one word; 0 for a
/// vacant index.
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
enum { GRZ_FORM_RESPONSE_SHIFT = 24, GRZ_FORM_SENSOR_SHIFT = 16, GRZ_FORM_KIND_SHIFT = 8 };
#else
enum { GRZ_FORM_RESPONSE_SHIFT = 0, GRZ_FORM_SENSOR_SHIFT = 8, GRZ_FORM_KIND_SHIFT = 16 };
#endif

#define GRZ_FORM_RESPONSE (7u << GRZ_FORM_RESPONSE_SHIFT)
#define GRZ_FORM_SENSOR   (1u << GRZ_FORM_SENSOR_SHIFT)
#define GRZ_FORM_RECT     ((uint32_t)GRAZE_SHAPE_RECT << GRZ_FORM_KIND_SHIFT)
#define GRZ_FORM_RAY      ((uint32_t)GRAZE_SHAPE_RAY << GRZ_FORM_KIND_SHIFT)
#define GRZ_FORM_ALL      (GRZ_FORM_RESPONSE | GRZ_FORM_SENSOR | GRZ_FORM_RECT | GRZ_FORM_RAY)

_Static_assert((GRAZE_SHAPE_CIRCLE | GRAZE_SHAPE_RECT << 4 | GRAZE_SHAPE_RAY << 8) == 0x210,
               "a rect and a ray each have a bit of their own");

/// A contact of the last step.
typedef struct grz_contact_record {
    uint32_t key;  ///< Place of its key.
    uint32_t form; ///< Its phase; from bit 1 on its flags.
    float time;
    graze_vec2 point, normal;
    float depth;
} grz_contact_record;

/// How hard two met.
typedef struct grz_blow {
    float approach, impulse;
} grz_blow;

enum {
    /// Where and when two met: the bytes of a graze_contact from its time on, as they are in a
    /// record.
    GRZ_TOUCH_SIZE = offsetof(graze_contact, approach) - offsetof(graze_contact, time)
};

_Static_assert(GRZ_TOUCH_SIZE == sizeof(grz_contact_record) - offsetof(grz_contact_record, time) &&
                   offsetof(graze_contact, point) - offsetof(graze_contact, time) ==
                       offsetof(grz_contact_record, point) - offsetof(grz_contact_record, time) &&
                   offsetof(graze_contact, normal) - offsetof(graze_contact, time) ==
                       offsetof(grz_contact_record, normal) - offsetof(grz_contact_record, time),
               "a record has what a contact has, in its order");
_Static_assert(sizeof(grz_snapshot_header) == 128, "a header has no padding");
_Static_assert(sizeof(grz_body) == 8 && offsetof(grz_body, unused) == 7, "a body has no padding");
_Static_assert(sizeof(grz_material) == 20, "a material has no padding");
_Static_assert(sizeof(grz_dynamics) == 24, "dynamics have no padding");
_Static_assert(sizeof(grz_life) == 12, "a life has no padding");
_Static_assert(sizeof(graze_filter) == 16, "a filter has no padding");
_Static_assert(sizeof(graze_surface) == 16, "a surface has no padding");
_Static_assert(sizeof(grz_chain_record) == 56, "a chain has no padding");
_Static_assert(sizeof(grz_contact_record) == 32, "a contact has no padding");
_Static_assert(sizeof(grz_blow) == 8, "a blow has no padding");
_Static_assert(sizeof(grz_cached_contact) == 120, "a kept contact has no padding");
_Static_assert(sizeof(graze_contact_end) == 28, "a key has no padding");
_Static_assert(sizeof(graze_vec2) == 8, "a vector has no padding");

/// Returns the size of an element of the section, in bytes.
static inline size_t grz_snapshot_element_size(grz_section section)
{
    static const uint8_t sizes[GRZ_SECTION_COUNT] = {
        [GRZ_SECTION_POSITIONS] = sizeof(graze_vec2),
        [GRZ_SECTION_VELOCITIES] = sizeof(graze_vec2),
        [GRZ_SECTION_HALVES] = sizeof(graze_vec2),
        [GRZ_SECTION_ANGLES] = sizeof(float),
        [GRZ_SECTION_SPINS] = sizeof(float),
        [GRZ_SECTION_BODIES] = sizeof(grz_body),
        [GRZ_SECTION_MATERIALS] = sizeof(grz_material),
        [GRZ_SECTION_LIVES] = sizeof(grz_life),
        [GRZ_SECTION_FILTERS] = sizeof(graze_filter),
        [GRZ_SECTION_USERS] = sizeof(uint64_t),
        [GRZ_SECTION_DYNAMICS] = sizeof(grz_dynamics),
        [GRZ_SECTION_VACANCIES] = sizeof(uint64_t),
        [GRZ_SECTION_RETIRED] = sizeof(uint32_t),
        [GRZ_SECTION_CHAINS] = sizeof(grz_chain_record),
        [GRZ_SECTION_POINTS] = sizeof(graze_vec2),
        [GRZ_SECTION_SURFACES] = sizeof(graze_surface),
        [GRZ_SECTION_KEYS] = sizeof(graze_contact_end),
        [GRZ_SECTION_ENDS] = sizeof(graze_contact_end),
        [GRZ_SECTION_CONTACTS] = sizeof(grz_contact_record),
        [GRZ_SECTION_BLOWS] = sizeof(grz_blow),
        [GRZ_SECTION_KEPT] = sizeof(grz_cached_contact),
    };
    return sizes[section];
}

/// Where each section begins, in bytes from the header; at the end the size of the whole.
typedef struct grz_snapshot_layout {
    uint64_t begin[GRZ_SECTION_COUNT + 1];
} grz_snapshot_layout;

/// Returns a header of this version and byte order; all else in it is 0.
grz_snapshot_header grz_snapshot_new_header(void);

/// Returns the layout that follows from the counts in a header, whatever they are.
grz_snapshot_layout grz_snapshot_lay_out(const grz_snapshot_header *header);

/// The checksums of the sections.
typedef struct grz_snapshot_sums {
    grz_checksum section[GRZ_SECTION_COUNT];
} grz_snapshot_sums;

/// Begins all of them.
void grz_snapshot_begin_sums(grz_snapshot_sums *sums);

/// Returns the checksum for the header: of the sums of all sections, whose sizes follow from the
/// counts, and of the header after its checksum.
uint64_t grz_snapshot_end_sums(const grz_snapshot_sums *sums, const grz_snapshot_loops *loops,
                               const grz_snapshot_header *header);

/// A snapshot, and where its sections are.
typedef struct grz_snapshot {
    const unsigned char *bytes; ///< The caller's, of any alignment.
    grz_snapshot_header header;
    grz_snapshot_layout layout;
    bool same_terrain; ///< Its terrain equals the world's, to the bit: known after reading.
} grz_snapshot;

/// Checks the header and fills `snapshot`, or tells the log of `world` what is wrong. Returns OK or
/// FORMAT. If OK, the counts are possible and agree with the size.
graze_status grz_snapshot_open(const graze_world *world, const void *bytes, size_t size,
                               grz_snapshot *snapshot);

/// Checks that all bytes describe a state that a world can be in, or tells the log of `world` what
/// is wrong. Returns OK or FORMAT. Fills the columns of world->spare, which has room for them.
graze_status grz_snapshot_check(graze_world *world, grz_snapshot *snapshot);

/// Returns where a section begins.
static inline const unsigned char *grz_snapshot_section(const grz_snapshot *snapshot,
                                                        grz_section section)
{
    return snapshot->bytes + (size_t)snapshot->layout.begin[section];
}

/// Returns the size of a section, in bytes.
static inline size_t grz_snapshot_section_size(const grz_snapshot *snapshot, grz_section section)
{
    return (size_t)(snapshot->layout.begin[section + 1] - snapshot->layout.begin[section]);
}

/// Returns where an element of a section is.
static inline const unsigned char *grz_snapshot_element(const grz_snapshot *snapshot,
                                                        grz_section section, size_t place)
{
    return grz_snapshot_section(snapshot, section) + place * grz_snapshot_element_size(section);
}

static inline bool grz_snapshot_has(const grz_snapshot *snapshot, uint32_t need)
{
    return (snapshot->header.needs & need) != 0;
}

/// A column by index that not all worlds have.
typedef struct grz_optional_column {
    grz_section section;
    uint32_t need;     ///< The GRZ_NEED bit of bodies that need it.
    const void *usual; ///< The default: the value of all others, and of vacant indices.
    void *of_world;    ///< Null when the world has none.
} grz_optional_column;

enum { GRZ_OPTIONAL_COLUMNS = 5 };

/// Fills in all these columns.
void grz_optional_columns(const graze_world *world,
                          grz_optional_column columns[GRZ_OPTIONAL_COLUMNS]);

/// Returns whether the column has the default at an index.
bool grz_column_is_default(const grz_optional_column *column, const unsigned char *elements,
                           size_t index);

/// Returns whether some index has another value than the default. Vacant ones have the default,
/// in a world and in a valid snapshot.
bool grz_column_is_needed(const grz_optional_column *column, const unsigned char *elements,
                          size_t count);

/// Returns how many bodies are kept.
static inline size_t grz_snapshot_kept(const grz_snapshot_header *header)
{
    return (size_t)header->body_count + header->retired_count;
}

static inline uint32_t grz_word_at(const unsigned char *words, size_t place)
{
    uint32_t word;
    memcpy(&word, words + place * sizeof word, sizeof word);
    return word;
}

/// Returns the traits of a form that say whether a body turns, and whether it is dynamic.
static inline uint32_t grz_turning_traits(uint32_t form)
{
    const uint32_t response = (form & GRZ_FORM_RESPONSE) >> GRZ_FORM_RESPONSE_SHIFT;
    return (form >> GRZ_FORM_KIND_SHIFT & GRZ_TRAIT_KIND) |
           (response == (uint32_t)GRAZE_RIGID   ? GRZ_TRAIT_RIGID
            : response >= (uint32_t)GRAZE_SLIDE ? GRZ_TRAIT_TURNS
                                                : 0u);
}

/// Returns whether a pattern is that of a number of at least 0, infinity excluded.
static inline bool grz_is_at_least_zero(uint32_t pattern)
{
    return pattern < GRZ_PATTERN_INFINITE;
}

/// Returns whether a pattern is that of a finite number but -0.
static inline bool grz_is_plain_number(uint32_t pattern)
{
    return (pattern << 1) - (pattern >> 31) < 0xfeffffff;
}

/// Returns whether the four words from this one on are no graze_surface.
static inline bool grz_surface_is_wrong(const unsigned char *words, size_t place)
{
    return !grz_is_at_least_zero(grz_word_at(words, place)) ||
           grz_word_at(words, place + 1) > GRZ_PATTERN_ONE ||
           !grz_is_at_least_zero(grz_word_at(words, place + 2)) ||
           !grz_is_plain_number(grz_word_at(words, place + 3));
}

/// Returns whether the six words from this one on are no grz_dynamics.
static inline bool grz_dynamics_are_wrong(const unsigned char *words, size_t place)
{
    return !grz_is_at_least_zero(grz_word_at(words, place)) ||
           !grz_is_at_least_zero(grz_word_at(words, place + 1)) ||
           !grz_is_at_least_zero(grz_word_at(words, place + 2)) ||
           !grz_is_plain_number(grz_word_at(words, place + 3)) ||
           !grz_is_at_least_zero(grz_word_at(words, place + 4)) ||
           grz_word_at(words, place + 5) > GRZ_DYNAMICS_FLAGS;
}

/// Returns whether a life has had its last hit.
static inline bool grz_is_spent(const unsigned char *life)
{
    const uint32_t limit = grz_word_at(life, 1), hits = grz_word_at(life, 2);
    return (limit != 0) & (hits >= limit);
}

#endif
