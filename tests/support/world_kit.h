/// @file world_kit.h
/// For every test of the engine: worlds with a log, defs in one line, contacts by their bodies.
///
/// Errors     A broken promise of a function fails the running cmocka test.
#ifndef GRAZE_TESTS_WORLD_KIT_H
#define GRAZE_TESTS_WORLD_KIT_H

// cmocka.h needs these four before it.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <graze/graze.h>

#include "random.h"

/// A world's log.
typedef struct kit_log {
    uint32_t count;      ///< Lines so far.
    graze_status status; ///< Of the last line.
    char line[256];      ///< The last line.
} kit_log;

/// A graze_log_fn; `user` is a kit_log.
void kit_write_log(graze_status status, const char *message, void *user);

/// Fails the test unless the log has exactly one line, of this status and with all the words
/// (separated by '|'); empties the log.
void kit_assert_logged(kit_log *log, graze_status status, const char *words);

/// Returns a world of defaults.
graze_world *kit_world(void);

/// Returns a world of defaults that logs to `log`, which is emptied.
graze_world *kit_world_logging(kit_log *log);

/// Defs at a position; everything else is the default.
graze_body_def kit_circle(float x, float y, float radius);
graze_body_def kit_rect(float x, float y, float half_x, float half_y);

/// A bullet: GRAZE_STOP, hit_limit 1.
graze_body_def kit_bullet(float x, float y, float velocity_x, float velocity_y);

/// The same body, moving, with a response.
graze_body_def kit_moving(graze_body_def def, float velocity_x, float velocity_y,
                          graze_response response);

graze_body_id kit_add(graze_world *world, graze_body_def def);

/// Adds one segment as a chain of its own.
graze_chain_id kit_wall(graze_world *world, float ax, float ay, float bx, float by);

/// Adds a closed chain.
graze_chain_id kit_loop(graze_world *world, const graze_vec2 *points, uint32_t count);

/// Adds a closed axis-parallel square with one corner at (low, low) and one at (high, high).
graze_chain_id kit_square(graze_world *world, float low, float high);

void kit_step(graze_world *world, float dt);

/// Returns the first contact of the two bodies, in either order; null if they did not meet.
const graze_contact *kit_find_contact(const graze_world *world, graze_body_id first,
                                      graze_body_id second);

/// Returns the first contact of the body with the chain; null if they did not meet.
const graze_contact *kit_find_wall_contact(const graze_world *world, graze_body_id body,
                                           graze_chain_id chain);

/// Returns how many of the last step's contacts the body is part of.
uint32_t kit_count_contacts(const graze_world *world, graze_body_id body);

/// Returns a snapshot in memory of its own, to be freed.
void *kit_save(const graze_world *world, size_t *size);

/// Loads a snapshot; it must succeed.
void kit_load(graze_world *world, const void *bytes, size_t size);

/// Fails the test unless the world's snapshot is these bytes.
void kit_assert_saves(const graze_world *world, const void *bytes, size_t size);

/// Fails the test unless both save the same bytes: state and reports.
void kit_assert_same_bytes(const graze_world *first, const graze_world *second);

/// Returns whether two filters let their things meet, as body.h defines it.
bool kit_filters_allow(graze_filter a, graze_filter b);

/// Compares the reports of both worlds' last steps, to the bit and in order, and their hashes.
/// Returns a word for the first difference; null if there is none.
const char *kit_find_difference(const graze_world *one, const graze_world *other);

/// A graze_parallel_fn that runs the tasks from the last to the first.
void kit_run_backwards(void (*task)(void *context, uint32_t index), void *context, uint32_t count,
                       void *user);

bool kit_is_none(graze_body_id body);
bool kit_is_same(graze_body_id first, graze_body_id second);

/// Fails the test unless the two are equal to the last bit (-0 and 0 are different).
void kit_assert_same_vec2(graze_vec2 actual, graze_vec2 expected);

/// Fails the test unless both coordinates differ by at most `tolerance`.
void kit_assert_near_vec2(graze_vec2 actual, float x, float y, float tolerance);
void kit_assert_near(float actual, float expected, float tolerance);

/// Returns how deep a body and what it touched in the last step overlap in the mean, over all
/// contacts of the world.
double kit_mean_depth(const graze_world *world);

#endif
