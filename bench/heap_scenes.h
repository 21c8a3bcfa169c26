/// @file heap_scenes.h
/// Bodies that push each other, or walls: scenes for settlers (settler.h). Most fall on each other
/// and come to rest; how well they rest is measured in the same way for all engines.
///
/// Units      As in scenes.h. The lowest floor lies at y = 0.
/// Exactness  As in scenes.h.
/// Memory     scene_free() frees the scene.
#ifndef GRAZE_BENCH_HEAP_SCENES_H
#define GRAZE_BENCH_HEAP_SCENES_H

#include "scenes.h"

#define HEAP_GRAVITY  10.0f ///< Downwards.
#define HEAP_FRICTION 0.5f  ///< Coulomb's coefficient of each two that touch.
#define HEAP_NEAR     0.02  ///< Units: peers keep their rects apart by 0.015.

typedef struct heap_scene {
    scene place; ///< Its terrain is one chain.
    bool has_friction;
    bool sleeps;           ///< Bodies may sleep.
    bool bounces;          ///< No gravity; bodies bounce with restitution 1.
    bool lands;            ///< If it bounces: with restitution 0 instead.
    bool bursts;           ///< Bodies begin inside each other, and are to part.
    bool turns;            ///< Bodies are rigid: they turn, and their mass is their area.
    uint32_t sensor_count; ///< The last of the bodies: circles that stand, and are sensors.
    uint32_t drum_count;   ///< The last of the bodies: walls that turn about the origin,
    float drum_spin;       ///< radians per second, whatever they meet.
} heap_scene;

typedef heap_scene heap_make_fn(uint32_t count);

/// `count` bodies, all zeros, and a chain of these points.
heap_scene heap_make_empty(uint32_t count, const graze_vec2 *points, uint32_t point_count);

/// Circles of radius 0.5 above a box, slightly out of line.
heap_make_fn heap_make_circles;
/// The same, with friction.
heap_make_fn heap_make_rough;
/// The same, every second one a rect of 1 x 0.8 that leans by up to half a radian; with friction.
heap_make_fn heap_make_mixed;
/// A pyramid of crates, as wide at its foot as it is high, set up with gaps; with friction. It has
/// as many as fit, at most `count`.
heap_make_fn heap_make_pyramid;

/// Circles of radius 0.5 that bounce off each other and off the sides of a square, of which they
/// cover a fifth; speeds up to 10 units a second along each axis. Nothing overlaps at the start.
heap_make_fn heap_make_bouncing;
/// The same, five times as fast: up to 0.8 units a step.
heap_make_fn heap_make_bouncing_fast;

/// The same, up to `speed` units a second along each axis.
heap_scene heap_make_bouncing_at(uint32_t count, float speed);

/// The first of these, but a hundredth of the circles are sensors of radius 8, anywhere: every
/// second circle is inside one.
heap_make_fn heap_make_sensors;

/// Circles of radius 0.5 that burst apart, as coins or debris do: fifty at each of some points
/// above the ground, up to 10 units a second along each axis.
heap_make_fn heap_make_bursts;

/// Bodies that slide over rolling ground, and now and then into each other, as the characters of a
/// platformer do: circles of radius 0.5 and crates of 1 x 1 in turn, up to 3 units a second to
/// either side. The ground is of segments 2 units long and up to 0.4 high; all in one chain, one
/// floor above the other, each with a wall at both ends.
heap_make_fn heap_make_walkers;

/// How bodies lie. Means are of all bodies, but for the overlap. Sensors count only for `seen`, and
/// the drum only as what others touch.
typedef struct heap_rest {
    double contacts; ///< Others and walls nearer than HEAP_NEAR, each counted once.
    double overlap;  ///< Of these: how deep, 0 where there is a gap; units.
    double deepest;  ///< The deepest overlap.
    double sunk;     ///< The deepest overlap with a wall.
    double energy;   ///< Of motion, at mass 1.
    double height;   ///< Of the bodies.
    double seen;     ///< Bodies in a sensor by more than rounding, one by one for each sensor.
} heap_rest;

/// Measures by brute force and hull.h.
heap_rest heap_judge(const heap_scene *heap, const scene_body *bodies);

#endif
