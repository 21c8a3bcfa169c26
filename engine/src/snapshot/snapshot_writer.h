/// @file snapshot_writer.h
/// Writes a snapshot, section by section; the header comes last.
#ifndef GRZ_SNAPSHOT_WRITER_H
#define GRZ_SNAPSHOT_WRITER_H

#include "snapshot/snapshot.h"

#include <string.h>

/// A section being written.
typedef struct grz_progress {
    unsigned char *next;   ///< Where its next element goes.
    unsigned char *summed; ///< The first byte not in its sum yet.
} grz_progress;

typedef struct grz_writer {
    const graze_world *world;
    const grz_snapshot_loops *loops;
    const grz_snapshot_header *header;
    grz_progress columns[GRZ_SECTION_COUNT];
    grz_snapshot_sums sums;
} grz_writer;

/// Returns where the next `size` bytes of a section go, which the caller writes.
static inline unsigned char *grz_writer_advance(grz_writer *writer, grz_section section,
                                                size_t size)
{
    unsigned char *begin = writer->columns[section].next;
    writer->columns[section].next = begin + size;
    return begin;
}

static inline void grz_writer_put(grz_writer *writer, grz_section section, const void *elements,
                                  size_t size)
{
    if (size) {
        memcpy(grz_writer_advance(writer, section, size), elements, size);
    }
}

/// Returns where the next blocks of a section go, which the caller writes and adds to the lanes of
/// its sum. Before them are only whole blocks, which were added, too.
static inline unsigned char *grz_writer_advance_summed(grz_writer *writer, grz_section section,
                                                       size_t blocks)
{
    const size_t size = blocks * GRZ_CHECKSUM_BLOCK;
    writer->columns[section].summed += size;
    writer->sums.section[section].size += size;
    return grz_writer_advance(writer, section, size);
}

/// Writes the first elements of a section, and adds their whole blocks on the way.
static inline void grz_writer_put_first(grz_writer *writer, grz_section section,
                                        const void *elements, size_t size)
{
    const size_t blocks = size / GRZ_CHECKSUM_BLOCK, whole = blocks * GRZ_CHECKSUM_BLOCK;
    if (size) {
        unsigned char *next = grz_writer_advance_summed(writer, section, blocks);
        writer->loops->checksum->copy_blocks(writer->sums.section[section].lanes, next, elements,
                                             blocks);
        grz_writer_put(writer, section, (const unsigned char *)elements + whole, size - whole);
    }
}

/// Writes the columns of rows, of the bodies in the world and of the retired, and the indices of
/// the retired.
void grz_snapshot_put_rows(grz_writer *writer);

/// Writes the reports.
void grz_snapshot_put_reports(grz_writer *writer);

#endif
