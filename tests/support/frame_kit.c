#include "frame_kit.h"

#include <math.h>

const kit_frame kit_frames[KIT_FRAMES] = {
    {"plain", 1, 0, 0, 1, 1, false},
    {"mirrored in x", 1, 0, 0, -1, 1, false},
    {"mirrored in y", 1, 0, 0, 1, -1, false},
    {"turned around", 1, 0, 0, -1, -1, false},
    {"swapped", 1, 0, 0, 1, 1, true},
    {"swapped, mirrored in x", 1, 0, 0, -1, 1, true},
    {"swapped, mirrored in y", 1, 0, 0, 1, -1, true},
    {"swapped, turned around", 1, 0, 0, -1, -1, true},
    {"large", 1e3, 0, 0, 1, 1, false},
    {"small", 1e-3, 0, 0, 1, 1, false},
    {"far", 1, 4096, -2048, 1, 1, false},
    {"far, odd", 1, 1000.3, 333.7, 1, 1, false},
    {"large and far", 16, 1e5, -1e5, 1, -1, true},
};

static kit_xy turn(const kit_frame *frame, kit_xy v)
{
    const kit_xy turned = {v.x * frame->mirror_x * frame->scale,
                           v.y * frame->mirror_y * frame->scale};
    const kit_xy swapped = {turned.y, turned.x};
    return frame->swaps ? swapped : turned;
}

static kit_xy turn_back(const kit_frame *frame, kit_xy v)
{
    const kit_xy turned = {frame->swaps ? v.y : v.x, frame->swaps ? v.x : v.y};
    const kit_xy back = {turned.x / frame->scale * frame->mirror_x,
                         turned.y / frame->scale * frame->mirror_y};
    return back;
}

static graze_vec2 point_of(const kit_frame *frame, kit_xy at)
{
    const kit_xy turned = turn(frame, at);
    const graze_vec2 point = {(float)(turned.x + frame->x), (float)(turned.y + frame->y)};
    return point;
}

graze_shape kit_frame_circle(const kit_frame *frame, double radius)
{
    return graze_shape_circle((float)(radius * frame->scale));
}

graze_shape kit_frame_rect(const kit_frame *frame, double half_x, double half_y)
{
    return graze_shape_rect((float)((frame->swaps ? half_y : half_x) * frame->scale),
                            (float)((frame->swaps ? half_x : half_y) * frame->scale));
}

graze_body_def kit_frame_body(const kit_frame *frame, graze_shape shape, kit_xy at, kit_xy velocity,
                              graze_response response)
{
    const kit_xy turned = turn(frame, velocity);
    graze_body_def def = graze_body_def_default();
    def.shape = shape;
    def.position = point_of(frame, at);
    def.velocity.x = (float)turned.x;
    def.velocity.y = (float)turned.y;
    def.response = response;
    return def;
}

graze_chain_id kit_frame_chain(const kit_frame *frame, graze_world *world, const kit_xy *points,
                               uint32_t count, bool loop, graze_filter filter)
{
    graze_vec2 turned[16];
    assert_true(count <= 16);
    const bool flips = (frame->mirror_x * frame->mirror_y < 0) != frame->swaps;
    for (uint32_t i = 0; i < count; ++i) {
        turned[flips ? count - 1 - i : i] = point_of(frame, points[i]);
    }
    graze_chain_def def = graze_chain_def_default();
    def.points = turned;
    def.count = count;
    def.loop = loop;
    def.filter = filter;
    const graze_chain_id chain = graze_chain_create(world, &def);
    assert_true(graze_chain_is_valid(world, chain));
    return chain;
}

graze_chain_id kit_frame_tile(const kit_frame *frame, graze_world *world, kit_xy lower,
                              kit_xy upper)
{
    const kit_xy corners[] = {lower, {upper.x, lower.y}, upper, {lower.x, upper.y}};
    return kit_frame_chain(frame, world, corners, 4, true, graze_filter_default());
}

kit_xy kit_frame_position(const kit_frame *frame, const graze_world *world, graze_body_id body)
{
    const graze_vec2 at = graze_body_position(world, body);
    const kit_xy own = {(double)at.x - frame->x, (double)at.y - frame->y};
    return turn_back(frame, own);
}

kit_xy kit_frame_velocity(const kit_frame *frame, const graze_world *world, graze_body_id body)
{
    const graze_vec2 velocity = graze_body_velocity(world, body);
    const kit_xy own = {(double)velocity.x, (double)velocity.y};
    return turn_back(frame, own);
}

double kit_frame_rounding(const kit_frame *frame)
{
    return (fmax(fabs(frame->x), fabs(frame->y)) / frame->scale + 64) * 0x1p-23;
}

void kit_frame_assert_near(const kit_frame *frame, const char *what, kit_xy actual, kit_xy expected,
                           double tolerance)
{
    if (!(fabs(actual.x - expected.x) <= tolerance) ||
        !(fabs(actual.y - expected.y) <= tolerance)) {
        fail_msg("%s, %s: %.9g %.9g is not %.9g %.9g within %g", what, frame->name, actual.x,
                 actual.y, expected.x, expected.y, tolerance);
    }
}
