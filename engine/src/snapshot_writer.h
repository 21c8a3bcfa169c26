/// @file snapshot_writer.h
/// A snapshot being written, section by section: its header comes last.
#ifndef GRZ_SNAPSHOT_WRITER_H
#define GRZ_SNAPSHOT_WRITER_H

#include "snapshot.h"

#include <string.h>

/// A section being written.
typedef struct grz_progress {
    unsigned char *next;   ///< Where its next element goes.
    unsigned char *summed; ///< So far its sum has come.
} grz_progress;

typedef struct grz_writer {
    const graze_world *world;
    const grz_snapshot_loops *loops;
    const grz_snapshot_header *header;
    grz_progress columns[GRZ_SECTION_COUNT];
    grz_snapshot_sums sums;
} grz_writer;

/// Returns where the next `size` bytes of a section go, which the caller writes.
static inline unsigned char *grz_writer_advance(grz_writer *to, grz_section section, size_t size)
{
    unsigned char *begin = to->columns[section].next;
    to->columns[section].next = begin + size;
    return begin;
}

static inline void grz_writer_put(grz_writer *to, grz_section section, const void *elements,
                                  size_t size)
{
    if (size) {
        memcpy(grz_writer_advance(to, section, size), elements, size);
    }
}

/// Sums up what was written lately, while it is near: whole blocks, the rest comes later.
static inline void grz_writer_sum_up(grz_writer *to, grz_section section)
{
    grz_progress *of = &to->columns[section];
    const size_t fresh = (size_t)(of->next - of->summed);
    const size_t size = fresh - fresh % GRZ_CHECKSUM_BLOCK;
    grz_checksum_add(&to->sums.of[section], to->loops, of->summed, size);
    of->summed += size;
}

/// Writes what rows have of the bodies in the world, and of the retired, and which those are.
void grz_snapshot_put_rows(grz_writer *to);

/// Writes what met.
void grz_snapshot_put_reports(grz_writer *to);

#endif
