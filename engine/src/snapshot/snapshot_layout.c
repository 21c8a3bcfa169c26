// Where each section of a snapshot is, which columns it has, and its checksums.

#include "snapshot/snapshot.h"

enum { VERSION = 8, BYTE_ORDER = 0x01020304 };

grz_snapshot_header grz_snapshot_new_header(void)
{
    const grz_snapshot_header header = {
        .magic = {'G', 'R', 'A', 'Z', 'E', 'S', 'N', 'P'},
        .byte_order = BYTE_ORDER,
        .version = VERSION,
    };
    return header;
}

static uint64_t count_of_elements(const grz_snapshot_header *header, grz_section section)
{
    const uint64_t kept = (uint64_t)header->body_count + header->retired_count;
    const uint64_t indices = header->index_count;
    switch (section) {
    case GRZ_SECTION_ANGLES:
    case GRZ_SECTION_SPINS:
        return header->needs & GRZ_NEED_ROTATIONS ? kept : 0;
    case GRZ_SECTION_BODIES:
        return indices;
    case GRZ_SECTION_MATERIALS:
        return header->needs & GRZ_NEED_MATERIAL ? indices : 0;
    case GRZ_SECTION_LIVES:
        return header->needs & GRZ_NEED_LIFE ? indices : 0;
    case GRZ_SECTION_FILTERS:
        return header->needs & GRZ_NEED_FILTER ? indices : 0;
    case GRZ_SECTION_USERS:
        return header->needs & GRZ_NEED_USER_DATA ? indices : 0;
    case GRZ_SECTION_DYNAMICS:
        return header->needs & GRZ_NEED_DYNAMICS ? indices : 0;
    case GRZ_SECTION_VACANCIES:
        return (indices + 63) / 64;
    case GRZ_SECTION_RETIRED:
        return header->retired_count;
    case GRZ_SECTION_CHAINS:
        return header->chain_count;
    case GRZ_SECTION_POINTS:
        return header->point_count;
    case GRZ_SECTION_SURFACES:
        return header->surface_count;
    case GRZ_SECTION_KEYS:
        return header->key_count;
    case GRZ_SECTION_ENDS:
        return header->end_count;
    case GRZ_SECTION_CONTACTS:
    case GRZ_SECTION_BLOWS:
        return header->contact_count;
    case GRZ_SECTION_KEPT:
        return header->kept_count;
    default:
        return kept;
    }
}

// Each section has less than 2^39 bytes: the sum does not overflow.
grz_snapshot_layout grz_snapshot_lay_out(const grz_snapshot_header *header)
{
    grz_snapshot_layout layout;
    layout.begin[0] = sizeof *header;
    for (int section = 0; section < GRZ_SECTION_COUNT; ++section) {
        layout.begin[section + 1] =
            layout.begin[section] + count_of_elements(header, (grz_section)section) *
                                        grz_snapshot_element_size((grz_section)section);
    }
    return layout;
}

void grz_optional_columns(const graze_world *world,
                          grz_optional_column columns[GRZ_OPTIONAL_COLUMNS])
{
    const grz_optional_column all[GRZ_OPTIONAL_COLUMNS] = {
        {GRZ_SECTION_MATERIALS, GRZ_NEED_MATERIAL, &grz_optional_default.material,
         world->materials.data},
        {GRZ_SECTION_LIVES, GRZ_NEED_LIFE, &grz_optional_default.life, world->lives.data},
        {GRZ_SECTION_FILTERS, GRZ_NEED_FILTER, &grz_optional_default.filter, world->filters.data},
        {GRZ_SECTION_USERS, GRZ_NEED_USER_DATA, &grz_optional_default.user_data,
         world->user_data.data},
        {GRZ_SECTION_DYNAMICS, GRZ_NEED_DYNAMICS, &grz_optional_default.dynamics,
         world->dynamics.data},
    };
    memcpy(columns, all, sizeof all);
}

// All equal the first if each equals the one before it.
static bool are_defaults(const grz_optional_column *column, const unsigned char *elements,
                         size_t count)
{
    const size_t size = grz_snapshot_element_size(column->section);
    return memcmp(elements, column->usual, size) == 0 &&
           memcmp(elements, elements + size, (count - 1) * size) == 0;
}

// Returns the first element that is not the default; `count` if all are. Whole blocks first: many
// columns have defaults nearly from end to end.
static size_t find_not_default(const grz_optional_column *column, const unsigned char *elements,
                               size_t count)
{
    enum { AT_ONCE = 256 };
    const size_t size = grz_snapshot_element_size(column->section);
    size_t from = 0;
    while (count - from >= AT_ONCE && are_defaults(column, elements + from * size, AT_ONCE)) {
        from += AT_ONCE;
    }
    while (from < count && are_defaults(column, elements + from * size, 1)) {
        ++from;
    }
    return from;
}

bool grz_column_is_default(const grz_optional_column *column, const unsigned char *elements,
                           size_t index)
{
    const size_t size = grz_snapshot_element_size(column->section);
    return are_defaults(column, elements + index * size, 1);
}

// If many bodies need a column, a small sample contains one of them.
static bool is_needed_by_some(const grz_optional_column *column, const unsigned char *elements,
                              size_t count)
{
    enum { APART = 67 };
    for (size_t index = 0; index < count; index += APART) {
        if (!grz_column_is_default(column, elements, index)) {
            return true;
        }
    }
    return false;
}

bool grz_column_is_needed(const grz_optional_column *column, const unsigned char *elements,
                          size_t count)
{
    return is_needed_by_some(column, elements, count) ||
           find_not_default(column, elements, count) < count;
}

void grz_snapshot_begin_sums(grz_snapshot_sums *sums)
{
    for (int section = 0; section < GRZ_SECTION_COUNT; ++section) {
        grz_checksum_begin(&sums->section[section]);
    }
}

uint64_t grz_snapshot_end_sums(const grz_snapshot_sums *sums, const grz_snapshot_loops *loops,
                               const grz_snapshot_header *header)
{
    const size_t begin = GRZ_SNAPSHOT_SUMMED;
    grz_checksum all;
    grz_checksum_begin(&all);
    for (int section = 0; section < GRZ_SECTION_COUNT; ++section) {
        grz_checksum_add_sum(&all, loops->checksum, &sums->section[section]);
    }
    grz_checksum_add(&all, loops->checksum, (const unsigned char *)header + begin,
                     sizeof *header - begin);
    return grz_checksum_end(&all);
}
