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
