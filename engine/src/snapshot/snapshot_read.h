/// @file snapshot_read.h
/// Reads all bytes of a snapshot once: computes the checksum, and checks each section by itself.
#ifndef GRZ_SNAPSHOT_READ_H
#define GRZ_SNAPSHOT_READ_H

#include "snapshot/snapshot.h"

/// Findings. If the checksum differs (damage), the others may be anything.
typedef struct grz_findings {
    uint64_t checksum;
    bool in_order; ///< Vacant and retired indices are possible. If not, nothing below was checked,
                   ///< and counts are 0.
    bool wrong;    ///< Some body is: see snapshot_blame.h.
    bool kinds;    ///< The number of rects is the header's, and angles are there if anything turns.
    bool any_dynamic; ///< Among the kept bodies.
    bool reports;     ///< Keys and contacts are valid.
} grz_findings;

/// Reads the snapshot, whose size fits its counts, into world->spare. Sets its same_terrain.
grz_findings grz_snapshot_read(graze_world *world, grz_snapshot *snapshot,
                               const grz_snapshot_loops *loops);

/// Returns 64 bits of the snapshot's vacancies.
static inline uint64_t grz_vacancies_at(const grz_snapshot *snapshot, size_t word)
{
    uint64_t bits;
    memcpy(&bits, grz_snapshot_element(snapshot, GRZ_SECTION_VACANCIES, word), sizeof bits);
    return bits;
}

#endif
