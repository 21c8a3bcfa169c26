#include "solve/impact_walls.h"

#include "collide/terrain_sweep.h"
#include "solve/blocked.h"
#include "solve/ease.h"
#include "solve/glide.h"
#include "solve/impact_queue.h"
#include "solve/trajectory.h"
#include "vec2d.h"

static const double time_rounding = 0x1p-50; ///< Of the step: less apart, two times are one.

// Of an event whose touch and segment are filled in.
static void add_wall_event(const graze_world *world, grz_agenda *agenda,
                           const grz_trajectory *trajectory, grz_event *event)
{
    event->row_a = trajectory->row;
    event->row_b = GRZ_NONE;
    event->version_a = trajectory->version;
    event->version_b = 0;
    event->candidate = GRZ_NONE;
    grz_event_add(world, agenda);
}

static bool is_blocked_by_wall(const graze_world *world, const grz_trajectory *trajectory,
                               const grz_touch *touch)
{
    return grz_is_blocked(world, trajectory, touch, dot(trajectory->velocity, touch->normal));
}

// Returns whether a wall that is touched on the last piece of a trajectory turns it. Eases a touch
// that would: see grz_ease_touch.
static bool ease_and_check(const graze_world *world, const grz_trajectory *trajectory,
                           const grz_move *move, graze_segment_id segment, grz_touch *touch)
{
    if (!grz_chain_stops(world, segment, move->mover->filter) ||
        !is_blocked_by_wall(world, trajectory, touch)) {
        return false;
    }
    return !grz_ease_touch(world, trajectory, move, segment, touch) ||
           is_blocked_by_wall(world, trajectory, touch);
}

// The mover of the row that was asked for last is kept: what has turned asks again, and a isolated
// body before any other does.
static const grz_mover *find_mover(const graze_world *world, grz_agenda *agenda, grz_row row,
                                   double begin)
{
    if (agenda->mover_row != row) {
        grz_mover_fill(world, row, &agenda->mover);
        agenda->mover_row = row;
    }
    agenda->mover.begin = begin;
    return &agenda->mover;
}

// Turns the time of a touch on a piece of a trajectory into that of the step.
static void move_to_step(grz_touch *touch, const grz_piece *piece)
{
    touch->depth = piece->start_time > 0 ? 0 : touch->depth;
    touch->time = piece->start_time + touch->time * (piece->end_time - piece->start_time);
}

// Foresees touches with walls on the last piece of a trajectory, up to the first wall that turns
// it, and with those that come at the same time to within its rounding: which of these are known
// must not depend on the order in which cells list them. Sets `*limit` to where that ends, 0 to 1
// of the piece.
static bool find_impacts_on_piece(graze_world *world, grz_agenda *agenda, grz_row row,
                                  const grz_mover *mover, const grz_piece *piece, bool is_first,
                                  double *limit)
{
    const double length = piece->end_time - piece->start_time;
    grz_wall_walk walk;
    grz_wall_walk_begin(&walk, world, mover, piece->start, piece->end);
    grz_event *event;
    *limit = 1;
    while ((event = grz_event_room(agenda)) &&
           grz_wall_walk_next(&walk, *limit, &event->touch, &event->segment)) {
        if (!grz_trajectory_give(world, row)) {
            return false;
        }
        const grz_trajectory *trajectory = grz_trajectory_of(world, row);
        grz_touch *touch = &event->touch;
        if (trajectory->stands && touch->time == 0 && !is_first) {
            continue; // Where it stopped: what it touches there it has met already.
        }
        touch->approach /= length;
        const bool turns = ease_and_check(world, trajectory, &walk.move, event->segment, touch);
        if (turns && !trajectory->stands) { // What stands may go on turning after a touch.
            *limit = min_double(*limit, touch->time + time_rounding / length);
        }
        move_to_step(touch, piece);
        add_wall_event(world, agenda, trajectory, event);
    }
    return event != NULL;
}

bool grz_find_impacts_walls(graze_world *world, grz_agenda *agenda, grz_row row, bool is_first)
{
    grz_trajectory *trajectory = grz_trajectory_of(world, row);
    if (!world->terrain.segment_count || (trajectory && trajectory->clearance == GRZ_CLEAR)) {
        return true;
    }
    const grz_piece piece = grz_last_piece(world, row);
    const double length = piece.end_time - piece.start_time;
    if (!(length > 0)) {
        return true;
    }
    const grz_mover *mover = find_mover(world, agenda, row, piece.start_time);
    double limit = 1;
    if ((is_first || !grz_glides(world, agenda, trajectory, mover, &piece)) &&
        !find_impacts_on_piece(world, agenda, row, mover, &piece, is_first, &limit)) {
        return false;
    }
    trajectory = grz_trajectory_of(world, row);
    if (trajectory) {
        trajectory->walls_until = piece.start_time + limit * length;
    }
    return true;
}
