/// @file demo_parts.h
/// What the scenes of `graze demo --scene` are made of.
///
/// Units      Metres and seconds; y points up.
#ifndef CLI_DEMO_PARTS_H
#define CLI_DEMO_PARTS_H

#include "demo_cave.h"
#include "scene.h"

#include <graze/world.h>

#include <stdint.h>

enum { CLI_FRAME_COUNT = 4, CLI_RATE = 60 /* Steps per second. */ };

/// A scene of the program itself.
typedef struct cli_demo_scene {
    const char *name;
    uint32_t frames[CLI_FRAME_COUNT]; ///< The steps that its picture shows; the last one ends it.
    uint32_t columns;                 ///< Of the picture.
    uint32_t frame_size;              ///< Pixels of a frame's longer side.

    /// Fills an empty scene.
    void (*build)(cli_scene *scene, cli_random *random);

    /// Is called before each step, counted from 1, and does what a game would do. May be null.
    graze_status (*drive)(cli_stage *stage, cli_random *random, uint32_t step);
} cli_demo_scene;

extern const cli_demo_scene cli_demo_pit;
extern const cli_demo_scene cli_demo_pyramid;
extern const cli_demo_scene cli_demo_flippers;
extern const cli_demo_scene cli_demo_lift;

/// Returns a rigid body: heavy by its area, with the default surface.
graze_body_def cli_rigid_body(graze_shape shape, float x, float y);

/// Returns a body that nothing moves, other than its own velocity and spin.
graze_body_def cli_kinematic_body(graze_shape shape, float x, float y);

/// Adds a body; returns its place in stage->bodies.
size_t cli_add_body(cli_scene *scene, graze_body_def def);

/// Adds a loop, and fills its inside or what is around it.
void cli_add_loop(cli_scene *scene, const graze_vec2 *points, size_t count, cli_fill fill);

/// Sets what pictures show.
void cli_set_view(cli_scene *scene, float low_x, float low_y, float high_x, float high_y);

/// Creates a body while the scene is played.
graze_status cli_throw_in(cli_stage *stage, const graze_body_def *def);

/// Gives a kinematic body the velocity and the spin that lead it to a place in one step.
graze_status cli_drive_to(cli_stage *stage, size_t place, graze_vec2 position, float angle);

#endif
