/// @file shooter.h
/// The interface of an engine to be tested with hard shots (shots.h): ours and the peers behind the
/// same functions, each used as in its games.
///
/// A range is a world with one loop of walls, at which bullets are shot from inside. The peers'
/// bullets there are rays, cast a step at a time: if a cast hits nothing the bullet continues from
/// its end. Ours are such rays, and also bodies of the world's own step: both must be stopped.
#ifndef GRAZE_BENCH_SHOOTER_H
#define GRAZE_BENCH_SHOOTER_H

#include "shots.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct shooter {
    const char *title; ///< Of its column.

    /// Makes a range: never null.
    void *(*build)(const shot_loop *loop);
    void (*destroy)(void *range);

    /// Whether a ray cast for the nearest hit hits something.
    bool (*cast)(void *range, graze_ray ray);
    /// How many hits a ray cast for all hits reports.
    uint32_t (*count_hits)(void *range, graze_ray ray);
    /// Shoots bodies of the engine's own, for `steps` times their delta. Writes whether each of the
    /// `count` was stopped. Null: the engine has no such bodies.
    void (*fire)(void *range, const graze_ray *shots, uint32_t count, uint32_t steps,
                 bool *stopped);

    /// Makes a world of `count` courses, bullets and targets being the engine's own bodies, and
    /// runs it for COURSE_STEPS steps of SCENE_STEP seconds. Writes whether each bullet and its
    /// target were reported to touch.
    void (*fly)(const course *courses, uint32_t count, bool *met);
    /// The same, with bullets that are rays, cast where bodies are after each step. Null: not
    /// needed, because the engine's own bodies are right.
    void (*fly_by_casts)(const course *courses, uint32_t count, bool *met);
} shooter;

extern const shooter shooter_graze;
extern const shooter shooter_chipmunk; ///< Only where Chipmunk was found.
extern const shooter shooter_box2d;    ///< Only where Box2D was found.

#endif
