/// @file shooter.h
/// What a physics engine must do to be tried with hard shots (shots.h): ours and the peers, all
/// behind the same functions, each used as its games use it.
///
/// A range is a world with one loop of walls, which bullets are shot at from inside. The peers'
/// bullets there are rays, cast a step at a time: where a cast hits nothing the bullet goes on from
/// its end. Ours are that as well, and also bodies of the world's own step: both must be stopped.
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
    /// Lets bodies of the engine's own make the shots, `steps` times their delta. Writes whether
    /// each of the `count` was stopped. Null: the engine has no such bodies.
    void (*fire)(void *range, const graze_ray *shots, uint32_t count, uint32_t steps,
                 bool *stopped);

    /// Makes a world of `count` courses, bullets and targets being the engine's own bodies, and
    /// runs it for COURSE_STEPS steps of SCENE_STEP seconds. Writes whether each bullet and its
    /// target were reported to touch.
    void (*fly)(const course *courses, uint32_t count, bool *met);
    /// The same, with bullets that are rays, cast where bodies are after each step. Null: nobody
    /// would do that, as the engine's own bodies are right.
    void (*fly_by_casts)(const course *courses, uint32_t count, bool *met);
} shooter;

extern const shooter shooter_graze;
extern const shooter shooter_chipmunk; ///< Only where Chipmunk was found.
extern const shooter shooter_box2d;    ///< Only where Box2D was found.

#endif
