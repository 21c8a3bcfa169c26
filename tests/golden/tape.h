/// @file tape.h
/// The hash of everything that a world does in a run: its states, its reports, its answers.
///
/// Errors     A call that must not fail and does ends the program with a line.
#ifndef GRAZE_TESTS_TAPE_H
#define GRAZE_TESTS_TAPE_H

#include <graze/graze.h>

#include <stdbool.h>
#include <stdint.h>

/// One run.
typedef struct tape {
    const char *name; ///< Of the scene, for what is printed.
    uint64_t hash;
    uint64_t snapshots; ///< Hash of the bytes of all snapshots.
    uint32_t steps;     ///< So far.
    uint32_t trace;     ///< Print the hash each time after this many steps; 0: never.
    bool stays;         ///< tape_reload() returns the world as it is.
    bool is_short;      ///< The scenes take a tenth of their steps.

    graze_parallel_fn *parallel; ///< The worlds' callback; null: none.
    void *parallel_user;
    uint32_t worker_count;
    const char *save_folder; ///< Where tape_exchange() writes to; null: it does not.
    const char *load_folder; ///< Where it reads from; null: it does not.
    /// Told of the world of a session when it is new; null: nobody is.
    void (*started)(graze_world *world, void *user);
    void *started_user;
} tape;

/// Returns how many steps, or calls, a run takes that has `full` of them when it is not short.
uint32_t tape_length(const tape *run, uint32_t full);

/// Returns the def that the run's worlds start from.
graze_world_def tape_world_def(const tape *run);

/// Adds a number to the hash.
void tape_add(tape *run, uint64_t number);

/// Adds the bits of a float, of two.
void tape_add_float(tape *run, float number);
void tape_add_vec2(tape *run, graze_vec2 vector);

/// Adds ids.
void tape_add_body(tape *run, graze_body_id body);
void tape_add_segment(tape *run, graze_segment_id segment);

/// Steps the world by `dt` seconds; adds its status, its hash, its contacts and their ends.
void tape_step(tape *run, graze_world *world, float dt);

/// The same, and ends the program unless the step succeeds.
void tape_step_surely(tape *run, graze_world *world, float dt);

/// Saves the world, adds the snapshot's bytes to their hash, and loads them into a new world made
/// from `def`, which is returned; the old one is destroyed. Nothing that comes after shows it.
graze_world *tape_reload(tape *run, graze_world *world, const graze_world_def *def);

/// To be called once, in the middle of a run. Writes a snapshot of the world to save_folder, under
/// the run's name. With a load_folder the world goes on as the one whose snapshot lies there under
/// that name, written by any build on any machine, of any byte order. Returns the world to go on
/// with, in place of this one. Nothing that comes after shows it.
graze_world *tape_exchange(tape *run, graze_world *world, const graze_world_def *def);

/// Ends the program with a line unless `fine`.
void tape_require(const tape *run, bool fine, const char *what);

#endif
