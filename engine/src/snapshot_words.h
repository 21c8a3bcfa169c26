/// @file snapshot_words.h
/// The indices of a snapshot, 64 at a time.
#ifndef GRZ_SNAPSHOT_WORDS_H
#define GRZ_SNAPSHOT_WORDS_H

#include "snapshot.h"

/// Where reading stands.
typedef struct grz_word_reader {
    const grz_snapshot *snapshot;
    uint32_t next;         ///< Index.
    uint32_t next_retired; ///< Place of the first that was not met.
} grz_word_reader;

/// A bit for each of 64 indices.
typedef struct grz_index_word {
    uint32_t first;
    uint64_t all;      ///< Those that there are.
    uint64_t in_world; ///< Those of bodies in the world.
    uint64_t vacant;
    uint32_t generations[64], forms[64]; ///< Of those that there are.
} grz_index_word;

/// Begins before the first word.
grz_word_reader grz_read_words(const grz_snapshot *snapshot);

/// Reads the next word, and returns true; false when there is none left.
bool grz_read_word(grz_word_reader *from, grz_index_word *word);

#endif
