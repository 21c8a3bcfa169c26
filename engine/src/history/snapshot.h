/// @file snapshot.h
/// The format of snapshots: a header, then sections, which are arrays one after the other without
/// gaps. There are no pointers and no padding, numbers are little-endian, and equal states give
/// equal bytes. (Older libraries wrote the byte order of their machine, and marked it.)
///
/// A snapshot keeps the bodies in the world, and those that the last step removed (removed), which
/// can still be read. The columns of rows have an element for each kept body: first those in the
/// world, by index, then the removed, by index. The other columns are the world's own, by index; an
/// index that is neither in the world nor removed is vacant, and only its generation is kept. A
/// column that not all worlds have is there if any kept body needs it. Rows, traits, rotations and
/// the grids are not saved, because they follow from the rest.
#ifndef GRZ_SNAPSHOT_H
#define GRZ_SNAPSHOT_H

#include "history/archive.h"
#include "world/message.h"
#include "world/world_state.h"

/// Sizes, times and counts of all that follows.
typedef struct grz_snapshot_header {
    char magic[8];       ///< The same in every snapshot.
    uint32_t byte_order; ///< Reads as another number in another byte order.
    uint32_t version;    ///< Of this format.
    uint64_t size;       ///< Of the whole snapshot, bytes.
    uint64_t checksum;   ///< Of all bytes after it: see grz_snapshot_sum.
    uint64_t step_count, pair_count, hit_count;
    graze_vec2 gravity;
    uint32_t index_count;   ///< Of bodies, vacant ones included.
    uint32_t body_count;    ///< In the world.
    uint32_t removed_count; ///< Removed by the last step.
    uint32_t rect_count;    ///< In the world.
    uint32_t needs;         ///< GRZ_NEED bits of the columns that are there.
    uint32_t chain_count;   ///< Vacant ones included.
    uint32_t point_count;   ///< Of all chains.
    uint32_t key_count, end_count, contact_count;
    uint32_t begin_count, overflow_count;
    uint32_t surface_count; ///< Of all segments with surfaces of their own.
    uint32_t substeps;
    uint32_t kept_count; ///< Contacts of which the solver keeps something.
    float mean_substep;  ///< Seconds; 0: there was none.
} grz_snapshot_header;

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
    GRZ_SECTION_REMOVED,    ///< Indices of the removed: uint32_t, rising.
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

/// The sections whose bodies are listed by index: columns of the world as they are.
#define GRZ_SECTIONS_BY_INDEX_BEGIN GRZ_SECTION_BODIES
#define GRZ_SECTIONS_BY_INDEX_END   GRZ_SECTION_VACANCIES

/// A chain without its points, in the form of snapshots: no padding. In a vacant one all but the
/// generation is 0.
typedef struct grz_chain_record {
    uint64_t user_data;
    graze_filter filter;
    uint32_t generation;
    uint32_t point_count; ///< 0: vacant.
    uint32_t form;        ///< GRZ_CHAIN bits.
    graze_surface surface;
    uint32_t unused; ///< 0.
} grz_chain_record;

enum {
    GRZ_CHAIN_LOOP = 1,
    GRZ_CHAIN_ONE_SIDED = 2,
    GRZ_CHAIN_SENSOR = 4,
    GRZ_CHAIN_SURFACES = 8, ///< Its segments have surfaces of their own.
    GRZ_CHAIN_ALL = 15
};

/// Returns how many segments a chain in the form of snapshots has.
static inline uint32_t grz_record_segment_count(const grz_chain_record *record)
{
    return record->point_count - (record->point_count > 0 && !(record->form & GRZ_CHAIN_LOOP));
}

/// Returns how many surfaces of their own its segments have.
static inline uint32_t grz_record_surface_count(const grz_chain_record *record)
{
    return record->form & GRZ_CHAIN_SURFACES ? grz_record_segment_count(record) : 0;
}

/// Returns how many points a chain has; 0 when it is not in the world.
static inline uint32_t grz_chain_point_count(const grz_chain *chain)
{
    return chain->in_world ? chain->segment_count + !chain->loop : 0;
}

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

/// What a section consists of.
typedef struct grz_section_plan {
    const grz_form *form; ///< Of its elements.
    size_t count_at;      ///< Where the header has their number, or what else it is.
    size_t column_at;     ///< Where grz_bodies has their column, if it does.
    uint32_t need;        ///< The GRZ_NEED bit without which there is no such section; 0: none.
    const void *usual;    ///< Of a column that is there if any body needs another value: the
                          ///< value of all others, and of vacant indices.
} grz_section_plan;

extern const grz_section_plan grz_section_plans[GRZ_SECTION_COUNT];

/// Where each section begins, in bytes from the header; at the end the size of the whole.
typedef struct grz_snapshot_layout {
    uint64_t begin[GRZ_SECTION_COUNT + 1];
} grz_snapshot_layout;

/// Returns a header of this version; all else in it is 0.
grz_snapshot_header grz_snapshot_new_header(void);

/// Returns the layout that follows from the counts in a header, whatever they are.
grz_snapshot_layout grz_snapshot_lay_out(const grz_snapshot_header *header);

/// Returns the checksum of a snapshot: of the sums of all sections, whose sizes follow from the
/// counts, and of the header after its checksum.
uint64_t grz_snapshot_sum(const unsigned char *bytes, const grz_snapshot_layout *layout);

/// Reverses the bytes of all numbers of a header, of all sections.
void grz_snapshot_turn_header(unsigned char *bytes);
void grz_snapshot_turn_sections(unsigned char *bytes, const grz_snapshot_layout *layout);

/// Returns the column that the section has the elements of, by row or by index; null if the bodies
/// do not have it.
void *grz_snapshot_column(const grz_bodies *bodies, grz_section section);

/// Returns how many points all chains of the world have.
uint32_t grz_world_point_count(const graze_world *world);

/// Returns a chain as a snapshot has it.
grz_chain_record grz_chain_to_record(const grz_chain *chain);

/// Returns whether so many elements of a section are the default.
bool grz_section_is_usual(grz_section section, const unsigned char *elements, size_t count);

/// A snapshot, and where its sections are.
typedef struct grz_snapshot {
    const unsigned char *bytes; ///< The caller's, or the copy; of any alignment.
    unsigned char *copy;        ///< On a big-endian machine, from the world's allocator; or null.
    grz_snapshot_header header;
    grz_snapshot_layout layout;
    bool same_terrain; ///< Its terrain equals the world's, to the bit.
} grz_snapshot;

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
    return grz_snapshot_section(snapshot, section) + place * grz_section_plans[section].form->size;
}

static inline bool grz_snapshot_has(const grz_snapshot *snapshot, uint32_t need)
{
    return (snapshot->header.needs & need) != 0;
}

/// Returns how many bodies are kept.
static inline size_t grz_snapshot_kept(const grz_snapshot_header *header)
{
    return (size_t)header->body_count + header->removed_count;
}

// --- Parts of graze_world_load ---
//
// Reading checks a part of a snapshot whose checksum is right, and tells the log of `world` what is
// wrong: OK or FORMAT. Filling changes the world, which has room for all of it, and cannot fail.

/// Tells the log what is wrong, by a format and its values. Yields FORMAT.
#define grz_snapshot_refuse(world, ...)                                                            \
    grz_fail(world, GRAZE_ERROR_FORMAT, "graze_world_load: " __VA_ARGS__)

/// Returns the first field that is wrong in any element of a section; null if none is.
const grz_field *grz_snapshot_find_wrong(const grz_snapshot *snapshot, grz_section section);

/// Copies the bodies into the columns of world->bodies.spare, which have room for them, and makes
/// rows.
graze_status grz_snapshot_read_bodies(const graze_world *world, const grz_snapshot *snapshot);

/// Replaces the bodies by these. All are unsorted, and none is at rest.
void grz_snapshot_fill_bodies(graze_world *world, const grz_snapshot *snapshot);

/// The reports of the last step, and what the solver keeps of contacts: when bodies and terrain are
/// right.
graze_status grz_snapshot_read_contacts(const graze_world *world, const grz_snapshot *snapshot);
void grz_snapshot_fill_contacts(graze_world *world, const grz_snapshot *snapshot);

graze_status grz_snapshot_read_terrain(const graze_world *world, const grz_snapshot *snapshot);

/// Returns whether the snapshot's chains equal the world's in every field, point and surface.
bool grz_terrain_is_same(const graze_world *world, const grz_snapshot *snapshot);

/// Returns how many segments the snapshot's chains have.
uint64_t grz_snapshot_segment_count(const grz_snapshot *snapshot);

/// For terrain that differs: makes a list of its chains, with all memory that they need, and adds
/// their new lines to the grid, beside the old ones. Returns OK; or OUT_OF_MEMORY or LIMIT, the
/// terrain as it was.
graze_status grz_terrain_prepare(graze_world *world, const grz_snapshot *snapshot,
                                 grz_chain **chains);

/// Removes the lines of these chains from the grid, and frees the list.
void grz_terrain_free(graze_world *world, grz_chain *chains);

/// Removes the old lines from the grid, and replaces the chains. Lines that are the same stay.
void grz_terrain_commit(graze_world *world, const grz_snapshot *snapshot, grz_chain *chains);

#endif
