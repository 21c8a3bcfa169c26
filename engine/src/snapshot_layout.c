#include "snapshot.h"

enum { VERSION = 1, BYTE_ORDER = 0x01020304 };

grz_snapshot_header grz_snapshot_new_header(void)
{
    grz_snapshot_header header = {
        .magic = {'G', 'R', 'A', 'Z', 'E', 'S', 'N', 'P'},
        .byte_order = BYTE_ORDER,
        .version = VERSION,
    };
    return header;
}

size_t grz_snapshot_element_size(grz_section section)
{
    static const uint8_t sizes[GRZ_SECTION_COUNT] = {
        [GRZ_SECTION_INDICES] = sizeof(uint32_t),
        [GRZ_SECTION_POSITIONS] = sizeof(graze_vec2),
        [GRZ_SECTION_VELOCITIES] = sizeof(graze_vec2),
        [GRZ_SECTION_HALVES] = sizeof(graze_vec2),
        [GRZ_SECTION_ANGLES] = sizeof(float),
        [GRZ_SECTION_SPINS] = sizeof(float),
        [GRZ_SECTION_BODIES] = sizeof(grz_body_record),
        [GRZ_SECTION_GENERATIONS] = sizeof(uint32_t),
        [GRZ_SECTION_CHAINS] = sizeof(grz_chain_record),
        [GRZ_SECTION_POINTS] = sizeof(graze_vec2),
        [GRZ_SECTION_KEYS] = sizeof(graze_contact_end),
        [GRZ_SECTION_ENDS] = sizeof(graze_contact_end),
        [GRZ_SECTION_CONTACTS] = sizeof(grz_contact_record),
    };
    return sizes[section];
}

static uint64_t count_of_elements(const grz_snapshot_header *header, grz_section section)
{
    switch (section) {
    case GRZ_SECTION_GENERATIONS:
        return header->index_count;
    case GRZ_SECTION_CHAINS:
        return header->chain_count;
    case GRZ_SECTION_POINTS:
        return header->point_count;
    case GRZ_SECTION_KEYS:
        return header->key_count;
    case GRZ_SECTION_ENDS:
        return header->end_count;
    case GRZ_SECTION_CONTACTS:
        return header->contact_count;
    default:
        return (uint64_t)header->body_count + header->retired_count;
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
