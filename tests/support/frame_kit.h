/// @file frame_kit.h
/// Scenes that are written once and tried in many frames: mirrored, with the axes swapped, small,
/// large, and far from the origin. All numbers of a scene are in its own lengths; times stay.
#ifndef GRAZE_TESTS_FRAME_KIT_H
#define GRAZE_TESTS_FRAME_KIT_H

#include "world_kit.h"

/// How a scene becomes a world: mirrored, then scaled, swapped and moved.
typedef struct kit_frame {
    const char *name;
    double scale, x, y;
    int mirror_x, mirror_y; ///< 1 or -1.
    bool swaps;             ///< x becomes y.
} kit_frame;

enum { KIT_FRAMES = 13 };

extern const kit_frame kit_frames[KIT_FRAMES];

/// A place or velocity in the lengths of a scene.
typedef struct kit_xy {
    double x, y;
} kit_xy;

graze_shape kit_frame_circle(const kit_frame *frame, double radius);
graze_shape kit_frame_rect(const kit_frame *frame, double half_x, double half_y);

/// Returns the def of a body with a place, a velocity and a response; all else is the default.
graze_body_def kit_frame_body(const kit_frame *frame, graze_shape shape, kit_xy at, kit_xy velocity,
                              graze_response response);

/// Adds a chain of up to 16 points. Its left side stays its left side.
graze_chain_id kit_frame_chain(const kit_frame *frame, graze_world *world, const kit_xy *points,
                               uint32_t count, bool loop, graze_filter filter);

/// Adds the outline of a box.
graze_chain_id kit_frame_tile(const kit_frame *frame, graze_world *world, kit_xy lower,
                              kit_xy upper);

kit_xy kit_frame_position(const kit_frame *frame, const graze_world *world, graze_body_id body);
kit_xy kit_frame_velocity(const kit_frame *frame, const graze_world *world, graze_body_id body);

/// Returns by how much rounding may move what is within 64 units of the scene's origin.
double kit_frame_rounding(const kit_frame *frame);

/// Fails the test, naming the frame and `what`, unless both coordinates differ by at most
/// `tolerance`.
void kit_frame_assert_near(const kit_frame *frame, const char *what, kit_xy actual, kit_xy expected,
                           double tolerance);

#endif
