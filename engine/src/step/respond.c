// Respond: the trajectories of dynamic bodies, event by event.

#include "collide/box.h"
#include "collide/pair_sweep.h"
#include "collide/predict.h"
#include "fault.h"
#include "prefetch.h"
#include "solve/apply_impact.h"
#include "solve/deflect.h"
#include "solve/find_impacts.h"
#include "solve/impact_queue.h"
#include "solve/impulse.h"
#include "solve/slices.h"
#include "solve/slide.h"
#include "solve/solve.h"
#include "solve/trajectory.h"
#include "step/step.h"
#include "world/adjacency.h"
#include "world/contact_keys.h"
#include "world/parallel.h"

// How the trajectories of dynamic bodies are found
//
// Touches are found along the trajectories as they are known (find_impacts.c), and happen in
// the order of time (impact_queue.c, apply_impact.c). A touch that deflects, stops or removes a
// body changes its trajectory from then on: its later events are void, and are found anew. So every
// touch is between things where they really are. Events at equal times are ordered by ids, so the
// result is a function of the state alone.
//
// A body is deflected at most four times in a step (GRZ_DEFLECTIONS), and a few more times by walls
// that it touches at one time (grz_trajectory_spare_deflection): so the events come to an end.
// Bodies that lie on each other would need more: the solver moves them.
//
// Where hundreds of bodies overlap, each change of one makes all touches with it found anew:
// grz_trajectory_is_worn_out bounds that.
//
// Rays stop nobody: they come last, when all other courses are known (rays.c). Nor do sensors:
// kinematic ones have no events, but with bodies that have a hit_limit (find_impacts.h).

static void prefetch_trajectory(const graze_world *world, grz_row row)
{
    const grz_trajectory *trajectory = grz_trajectory_of(world, row);
    if (!trajectory) {
        return;
    }
    grz_prefetch_lines(trajectory, sizeof *trajectory);
    const uint32_t link = grz_link_first(world, row);
    if (link != GRZ_NONE && grz_link_is_candidate(world, link)) {
        GRZ_PREFETCH(&world->impacts.next_link.data[link]);
        GRZ_PREFETCH(&world->found.candidates.data[grz_link_candidate(link)]);
    }
}

enum { FEW_TRAJECTORIES = 512 }; ///< So many are in the cache.

// Consecutive events are anywhere in the world: in a large world the bodies of the next ones are
// not in the cache.
static void prefetch_next(const graze_world *world)
{
    const bool is_large = world->impacts.trajectories.count > FEW_TRAJECTORIES;
    for (uint32_t place = 1; is_large && place <= 2; ++place) {
        const grz_event *event = grz_event_at(&world->impacts.agenda, place);
        if (event) {
            prefetch_trajectory(world, event->row_a);
            prefetch_trajectory(world, event->row_b);
        }
    }
}

// HOT. bench: engine/step/gas-bounce-fast
//
// Data    96 bytes of an event, 400 of each trajectory that it changes.
// Order   By time.
static bool let_happen_until(graze_world *world, double end)
{
    grz_agenda *agenda = &world->impacts.agenda;
    while (grz_events_are_left(agenda) && grz_event_at(agenda, 0)->touch.time < end) {
        prefetch_next(world);
        if (!grz_apply_impact(world, agenda, grz_event_pop(agenda))) {
            return false;
        }
    }
    return true;
}

static bool let_happen(graze_world *world)
{
    const double never = 2; // Of the step.
    const bool done = let_happen_until(world, never);
    grz_events_clear(&world->impacts.agenda);
    return done;
}

// Slice by slice of the step, if it is cut.
static bool let_all_happen(graze_world *world)
{
    if (!grz_is_sliced(world)) {
        return let_happen(world);
    }
    bool done = let_happen_until(world, world->impacts.slices.end);
    while (done && world->impacts.slices.now + 1 < world->impacts.slices.count) {
        done = grz_slices_next(world) && let_happen_until(world, world->impacts.slices.end);
    }
    grz_events_clear(&world->impacts.agenda);
    grz_slices_end(world);
    return done;
}

// Bullets that their first hit removes have no events: if there is nothing else, the index of what
// met in the last step is not needed. `reported`: some contacts of the solver may be hits.
static bool respond_others(graze_world *world, bool reported)
{
    const uint32_t end = reported ? world->found.contacts.count : 0;
    return ((!world->found.totals.free_shapes && !reported) || grz_keys_index(world)) &&
           grz_respond_isolated(world) && grz_foresee_reported(world, end) &&
           grz_find_impacts_all(world) && let_all_happen(world) && grz_sensors_note_ends(world);
}

bool grz_respond_by_events(graze_world *world, grz_row row)
{
    return grz_keys_index(world) && grz_find_impacts_ray(world, row) && let_happen(world);
}

// Whether a push has led a body out of the box that the grid knows: queries test such bodies one by
// one. Most pushes are shorter than the body's reach, and the box allows for that.
static bool has_left_box(const graze_world *world, const grz_trajectory *trajectory,
                         graze_vec2 gravity_step)
{
    GRZ_FAULT(pushed_out_of_boxes, return false);
    const grz_rows *rows = &world->bodies.rows;
    const grz_row row = trajectory->row;
    const graze_vec2 place = trajectory->at[trajectory->count - 1];
    const graze_aabb known =
        grz_predicted_box(rows, row, rows->end[row], gravity_step, world->call.dt);
    const graze_aabb own = grz_swept_box(place, place, grz_extent_of(rows, row));
    return !grz_holds_box(&known, &own);
}

static void settle_some(void *context, uint32_t block, uint32_t first, uint32_t end)
{
    graze_world *world = context;
    const graze_vec2 gravity_step = grz_gravity_step(world->config.gravity, world->call.dt);
    (void)block;
    for (uint32_t m = first; m < end; ++m) {
        grz_trajectory *trajectory = &world->impacts.trajectories.data[m];
        grz_trajectory_drop_rest(world, trajectory);
        if (grz_is_solved(world->bodies.rows.traits[trajectory->row])) {
            continue;
        }
        grz_undo_rounding(world, trajectory);
        if (!trajectory->gone && trajectory->shoved) {
            grz_correct_position(world, trajectory);
            trajectory->strays = has_left_box(world, trajectory, gravity_step);
        }
    }
}

// The game's own filter is asked on the game's own thread.
static void settle_and_push_apart(graze_world *world)
{
    if (world->config.filter) {
        settle_some(world, 0, 0, world->impacts.trajectories.count);
    } else {
        grz_run_blocks(world, world->impacts.trajectories.count, GRZ_BLOCK_TRAJECTORIES,
                       settle_some, world);
    }
}

graze_status grz_step_respond(graze_world *world)
{
    const bool reported = world->solve.rigid_count && world->bodies.lives.data;
    world->found.totals.free += reported;
    world->impacts.hit_count = 0;
    world->impacts.trajectories.count = 0;
    world->impacts.agenda.mover_row = GRZ_NONE;
    world->impacts.agenda.hit_count = 0;
    world->bullets.spent.count = 0;
    world->impacts.impulses.count = 0;
    grz_events_clear(&world->impacts.agenda);
    if (!world->found.totals.free) {
        return GRAZE_OK;
    }
    bool done = grz_trajectories_start(world) && grz_sensors_set_apart(world) &&
                grz_adjacency_list(world) && respond_others(world, reported) &&
                grz_step_rays(world);
    if (!done) {
        return GRAZE_ERROR_OUT_OF_MEMORY;
    }
    if (reported) {
        grz_drop_void(world);
    }
    world->impacts.hit_count += world->impacts.agenda.hit_count;
    settle_and_push_apart(world);
    done = grz_impulses_apply(world) && grz_standstill_find(world);
    grz_solve_note_flights(world);
    return done ? GRAZE_OK : GRAZE_ERROR_OUT_OF_MEMORY;
}
