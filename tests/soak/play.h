/// @file play.h
/// Plans of what happens in a world for many steps, and what must hold while they are played: no
/// body that may not pass through walls ever leaves the region that it is in.
///
/// A region is a set of places that walls enclose: the closed chains that a place is inside of, or
/// the connected part of a tile map. A body that is teleported, or under which walls come and go,
/// is in another region from then on.
#ifndef GRAZE_TESTS_PLAY_H
#define GRAZE_TESTS_PLAY_H

#include "hard_loop.h"
#include "soak_case.h"
#include "tile_map.h"

#include <graze/body.h>

enum {
    PLAY_LOOPS = 6,
    PLAY_BODIES = 128,
    PLAY_EVENTS = 4096, ///< Of all bodies together.
    PLAY_STEPS = 64
};

typedef enum play_action {
    PLAY_GO,       ///< Gets `target` as its way in the next step.
    PLAY_AIM,      ///< Its way leads from where it is to `target`, and on if factor > 1.
    PLAY_AGAIN,    ///< The way that it got last.
    PLAY_TURN,     ///< Gets target.x as its angle, target.y as its spin.
    PLAY_TELEPORT, ///< Is put to `target`.
    PLAY_ACTION_COUNT
} play_action;

typedef struct play_event {
    uint32_t step; ///< Before which it happens.
    play_action action;
    graze_vec2 target;
    float factor; ///< Of the way.
} play_event;

typedef struct play_body {
    graze_body_def def;
    uint32_t first_event, event_count; ///< In the plan's events, by step.
} play_body;

typedef struct play_loop {
    hard_loop loop;
    uint32_t first_step, end_step; ///< It is there from before one step to before the other.
    bool one_sided;                ///< Simple and counter-clockwise: it only keeps things inside.
} play_loop;

typedef struct play {
    graze_vec2 gravity;
    uint32_t step_count; ///< At most PLAY_STEPS.
    uint64_t slow_steps; ///< Bit s: step s has dt = 1/60 instead of 1.
    uint32_t loop_count, body_count, event_count;
    play_loop loops[PLAY_LOOPS];
    play_body bodies[PLAY_BODIES];
    play_event events[PLAY_EVENTS];
    const tile_map *tiles; ///< Null: none. A plan has either tiles or loops.
} play;

/// Returns a new plan in which nothing happens, of `step_count` steps; free() it. Out of memory
/// ends the program.
play *play_create(uint32_t step_count);

/// Adds a body that nothing happens to yet. Returns null when there is no room.
play_body *play_add_body(play *plan, const graze_body_def *def);

/// Adds something that happens to the body added last, not before what happens to it already.
void play_add_event(play *plan, const play_event *event);

/// Plays: a trial is a body's step. Fails when a body leaves its region, a call does not succeed,
/// something is logged, or contacts are not as contact.h says.
void play_run(soak_case *test, const play *plan);

#endif
