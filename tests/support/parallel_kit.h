/// @file parallel_kit.h
/// Worlds whose blocks are run in many ways. However they are run, and in any order, the contacts
/// of every step and the state after it are those of a world without a callback.
#ifndef PARALLEL_KIT_H
#define PARALLEL_KIT_H

#include "world_kit.h"

#include "scenes.h"

/// A way to run tasks: a callback and what it is given.
typedef struct parallel_runner {
    const char *name;
    graze_parallel_fn *run;
    void *user;
} parallel_runner;

/// Makes a world of a scene, with responses, hit limits and lifetimes by chance.
graze_world *parallel_make_world_of(const graze_world_def *def, const scene *from);

/// The same; its blocks are run so.
graze_world *parallel_make_world(const scene *from, const parallel_runner *by);

/// Steps a world without a callback, and beside it one for each way. Frees the scene.
void parallel_assert_same(scene from);

#endif
