#include "forgery.h"

#include <string.h>

static grz_snapshot_header header_of(const unsigned char *bytes)
{
    grz_snapshot_header header;
    memcpy(&header, bytes, sizeof header);
    return header;
}

void forge_checksum(unsigned char *bytes, size_t size)
{
    if (size < sizeof(grz_snapshot_header)) {
        return;
    }
    grz_snapshot_header header = header_of(bytes);
    const grz_snapshot_layout layout = grz_snapshot_lay_out(&header);
    if (layout.begin[GRZ_SECTION_COUNT] == size) {
        header.checksum = grz_snapshot_sum(bytes, &layout);
        memcpy(bytes, &header, sizeof header);
    }
}

// --- The other byte order ---

static void reverse(unsigned char *bytes, size_t count)
{
    for (size_t i = 0; i < count / 2; ++i) {
        const unsigned char kept = bytes[i];
        bytes[i] = bytes[count - 1 - i];
        bytes[count - 1 - i] = kept;
    }
}

// Fields as digits: the bytes of each. Returns the end of the fields.
static unsigned char *reverse_fields(unsigned char *bytes, const char *fields)
{
    for (; *fields; ++fields) {
        const size_t size = (size_t)(*fields - '0');
        reverse(bytes, size);
        bytes += size;
    }
    return bytes;
}

void forge_foreign(unsigned char *bytes, unsigned char *words, size_t size)
{
    static const char header_fields[] = "11111111"
                                        "44"
                                        "88888"
                                        "44"
                                        "4444444444444444";
    static const char *const fields[GRZ_SECTION_COUNT] = {
        [GRZ_SECTION_POSITIONS] = "44",
        [GRZ_SECTION_VELOCITIES] = "44",
        [GRZ_SECTION_HALVES] = "44",
        [GRZ_SECTION_ANGLES] = "4",
        [GRZ_SECTION_SPINS] = "4",
        [GRZ_SECTION_BODIES] = "41111",
        [GRZ_SECTION_MATERIALS] = "44444",
        [GRZ_SECTION_LIVES] = "444",
        [GRZ_SECTION_FILTERS] = "4444",
        [GRZ_SECTION_USERS] = "8",
        [GRZ_SECTION_VACANCIES] = "8",
        [GRZ_SECTION_REMOVED] = "4",
        [GRZ_SECTION_CHAINS] = "8444444444444",
        [GRZ_SECTION_POINTS] = "44",
        [GRZ_SECTION_DYNAMICS] = "444444",
        [GRZ_SECTION_SURFACES] = "4444",
        [GRZ_SECTION_KEYS] = "4444444",
        [GRZ_SECTION_ENDS] = "4444444",
        [GRZ_SECTION_CONTACTS] = "44444444",
        [GRZ_SECTION_BLOWS] = "44",
        [GRZ_SECTION_KEPT] = "444444444444444444444444444444",
    };
    const grz_snapshot_header header = header_of(bytes);
    const grz_snapshot_layout layout = grz_snapshot_lay_out(&header);
    reverse_fields(bytes, header_fields);
    for (int section = 0; section < GRZ_SECTION_COUNT; ++section) {
        unsigned char *next = bytes + (size_t)layout.begin[section];
        while (next < bytes + (size_t)layout.begin[section + 1]) {
            next = reverse_fields(next, fields[section]);
        }
    }
    memcpy(words, bytes, size);
    for (size_t at = 0; at < size; at += sizeof(uint32_t)) {
        reverse(words + at, sizeof(uint32_t));
    }
    const uint64_t sum = grz_snapshot_sum(words, &layout);
    memcpy(bytes + offsetof(grz_snapshot_header, checksum), &sum, sizeof sum);
    reverse(bytes + offsetof(grz_snapshot_header, checksum), sizeof sum);
}
