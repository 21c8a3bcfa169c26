#include "pile/pile.h"

#include "motion/motion.h"
#include "pile/pile_crowd.h"
#include "pile/pile_find.h"
#include "pile/pile_push.h"
#include "pile/pile_settle.h"
#include "pile/pile_sort.h"
#include "vec2d.h"

static void start_motion(graze_world *world, uint32_t place)
{
    const grz_pile_body *body = &world->piles.bodies.data[place];
    grz_motion *motion = &world->motions.data[body->motion];
    motion->velocity = body->velocity;
    motion->pushed = body->velocity;
    motion->slide.desired = body->velocity;
    motion->rise = (float)body->rise;
    motion->piled = true;
    motion->squeezed = body->squeezed;
    grz_motion_turn(world, motion, 0,
                    scale(world->piles.step_velocities.data[place], (double)world->dt));
    grz_motion_note_course(world, motion);
}

static void mark_squeezed(grz_piles *piles)
{
    for (uint32_t k = 0; k < piles->order.count; ++k) {
        const grz_constraint *constraint = &piles->constraints.data[piles->order.data[k]];
        if (constraint->squeezes) {
            piles->bodies.data[constraint->upper].squeezed = true;
        }
        if (constraint->squeezes && constraint->kind == GRZ_CONSTRAINT_BODY) {
            piles->bodies.data[constraint->lower].squeezed = true;
        }
    }
}

// Bodies and motions are in different orders, so motions are prefetched.
static void start_motions(graze_world *world)
{
    enum { AHEAD = 8 }; // How many motions ahead one is prefetched.
    const grz_piles *piles = &world->piles;
    const uint32_t count = piles->bodies.count;
    for (uint32_t k = 0; k < count; ++k) {
        if (k + AHEAD < count) {
            grz_motion_prefetch(world, piles->bodies.data[k + AHEAD].motion);
        }
        start_motion(world, k);
    }
}

bool grz_piles_move(graze_world *world)
{
    grz_piles *piles = &world->piles;
    piles->bodies.count = 0;
    piles->drives = piles->shoves = piles->leans = piles->rubs = false;
    if (!grz_piles_find(world)) {
        return false;
    }
    if (!piles->keys.count) {
        return true;
    }
    if (!grz_piles_sort(world) || !grz_piles_push(world) || !grz_piles_settle(world)) {
        return false;
    }
    if (grz_piles_are_crowds(world)) {
        mark_squeezed(piles);
    }
    start_motions(world);
    return true;
}

// --- Rest ---

static void stop_if_creeping(const graze_world *world, const grz_pile_body *body, double fall)
{
    grz_motion *motion = &world->motions.data[body->motion];
    const graze_vec2 start = world->rows.position[motion->row];
    graze_vec2 *end = &motion->at[motion->count - 1];
    const graze_vec2d still = {0, 0};
    if (grz_piles_creep(body, start, *end, motion->velocity, fall)) {
        motion->velocity = still;
        *end = start;
    }
}

void grz_piles_stop_creeping(const graze_world *world)
{
    const grz_piles *piles = &world->piles;
    const double fall = length_of(widen(world->gravity)) * (double)world->dt;
    for (uint32_t body = 0; body < piles->bodies.count && fall > 0; ++body) {
        stop_if_creeping(world, &piles->bodies.data[body], fall);
    }
}

// --- In events ---

// The constraint of a body of a pile to a wall; null if there is none.
static const grz_constraint *find_wall(const grz_piles *piles, const grz_pile_body *body,
                                       graze_segment_id segment)
{
    for (uint32_t k = 0; k < body->edge_count; ++k) {
        const grz_constraint *constraint =
            &piles->constraints.data[piles->edges.data[body->first_edge + k].constraint];
        if (constraint->kind == GRZ_CONSTRAINT_WALL &&
            constraint->id == grz_constraint_wall_id(segment)) {
            return constraint;
        }
    }
    return NULL;
}

// The constraint of a body of a pile and what it touches in the event; null if there is none.
// Meetings that were added after the piles were found, those of rays, have none.
static const grz_constraint *find_constraint(const graze_world *world, const grz_motion *motion,
                                             const grz_event *event)
{
    const grz_piles *piles = &world->piles;
    if (!motion || !motion->piled) {
        return NULL;
    }
    if (event->row_b == GRZ_NONE) {
        const uint32_t place = piles->places.data[motion - world->motions.data];
        return find_wall(piles, &piles->bodies.data[place], event->segment);
    }
    const bool is_known = event->meeting < piles->of_meeting.count;
    const uint32_t place = is_known ? piles->of_meeting.data[event->meeting] : GRZ_NONE;
    return place == GRZ_NONE ? NULL : &piles->constraints.data[place];
}

bool grz_piles_are_near(const graze_world *world, const grz_motion *motion, const grz_event *event)
{
    return find_constraint(world, motion, event) != NULL;
}

// If both are of piles, both share the constraint: either one finds it.
bool grz_piles_press(const graze_world *world, const grz_event *event, const grz_motion *a,
                     const grz_motion *b)
{
    const grz_constraint *constraint = find_constraint(world, a && a->piled ? a : b, event);
    return constraint && constraint->impulse > 0;
}

static bool is_stuck(const grz_piles *piles, uint32_t place)
{
    return (piles->states.data[place] & GRZ_PILED_STUCK) != 0;
}

bool grz_piles_jam(const graze_world *world, const grz_motion *a, const grz_motion *b,
                   graze_vec2d *upright)
{
    const grz_piles *piles = &world->piles;
    const graze_vec2d gravity = widen(world->gravity);
    const double pull = length_of(gravity);
    if (!(pull > 0) || !a->piled || !b->piled) {
        return false;
    }
    const uint32_t place_a = piles->places.data[a - world->motions.data];
    const uint32_t place_b = piles->places.data[b - world->motions.data];
    *upright = scale(gravity, (place_a > place_b ? 1 : -1) / pull);
    return is_stuck(piles, place_a) && is_stuck(piles, place_b);
}

void grz_piles_free(grz_piles *piles, const graze_allocator *allocator)
{
    grz_array_free(&piles->constraints, allocator);
    grz_array_free(&piles->of_meeting, allocator);
    grz_array_free(&piles->bodies, allocator);
    grz_array_free(&piles->step_velocities, allocator);
    grz_array_free(&piles->edges, allocator);
    grz_array_free(&piles->limits, allocator);
    grz_array_free(&piles->order, allocator);
    grz_array_free(&piles->keys, allocator);
    grz_array_free(&piles->loose, allocator);
    grz_array_free(&piles->parents, allocator);
    grz_array_free(&piles->sizes, allocator);
    grz_array_free(&piles->places, allocator);
    grz_array_free(&piles->pushes, allocator);
    grz_array_free(&piles->rounds, allocator);
    grz_array_free(&piles->next_rounds, allocator);
    grz_array_free(&piles->open_rounds, allocator);
    grz_array_free(&piles->starts, allocator);
    grz_array_free(&piles->boxes, allocator);
    grz_array_free(&piles->states, allocator);
}
