#include "pile/pile_crowd.h"

#include "bounds.h"
#include "meet/meet.h"
#include "meet/tolerance.h"
#include "pile/pile.h"
#include "pile/pile_push.h"
#include "pile/pile_sets.h"

enum { SWEEPS = 32 };

static const double relaxation = 1.375; ///< The part of an approach that each sweep takes.
static const double recovery = 0.75;    ///< The part of an overlap that a step separates.

// As parts of the size, or of the size per step.
static const double touch_depth = 0x1p-13;   ///< A touch leaves an overlap of no more.
static const double least_pressure = 0x1p-7; ///< Two that are squeezed approach at least so fast.
static const double free_creep = 0x1p-13;    ///< How much any two may come closer in a step,
static const double squeezed_creep = 0x1p-4; ///< and two that are squeezed;
static const double squeezed_depth = 0x1p-3; ///< and how deep these may overlap.

bool grz_crowd_squeezes(double gap, double into, double size, double dt)
{
    return gap < -touch_depth * size && into * dt > least_pressure * size;
}

// --- Order ---

static graze_vec2 position_of(const graze_world *world, uint32_t motion)
{
    return world->rows.position[world->motions.data[motion].row];
}

// Finds, by root, the box of the positions of a crowd's bodies: its middle does not depend on their
// order.
static void find_boxes(graze_world *world)
{
    const grz_piles *piles = &world->piles;
    graze_aabb *boxes = piles->boxes.data;
    for (uint32_t k = 0; k < piles->keys.count; ++k) {
        const uint32_t motion = piles->keys.data[k].motion;
        const graze_vec2 at = position_of(world, motion);
        boxes[grz_pile_root_of(piles, motion)] = box_of_point(at);
    }
    for (uint32_t k = 0; k < piles->keys.count; ++k) {
        const uint32_t motion = piles->keys.data[k].motion;
        const graze_vec2 at = position_of(world, motion);
        extend_by_point(&boxes[grz_pile_root_of(piles, motion)], at);
    }
}

static double height_of(const graze_world *world, uint32_t motion)
{
    const grz_piles *piles = &world->piles;
    const graze_aabb *box = &piles->boxes.data[grz_pile_root_of(piles, motion)];
    const graze_vec2d middle = scale(add(widen(box->lower), widen(box->upper)), 0.5);
    const graze_vec2d from = subtract(middle, widen(position_of(world, motion)));
    const graze_vec2d velocity = world->motions.data[motion].velocity;
    const double speed = length_of(velocity);
    return speed > 0 ? dot(from, velocity) / speed : 0;
}

bool grz_crowds_find_heights(graze_world *world)
{
    grz_piles *piles = &world->piles;
    if (!grz_array_reserve(&piles->boxes, &world->counting, world->motions.count)) {
        return false;
    }
    find_boxes(world);
    for (uint32_t k = 0; k < piles->keys.count; ++k) {
        piles->keys.data[k].height = height_of(world, piles->keys.data[k].motion);
    }
    return true;
}

// --- Velocities of this step ---

static void find_max_approaches(grz_piles *piles, double dt)
{
    for (uint32_t b = 0; b < piles->pushes.count; ++b) {
        grz_push_block *block = &piles->pushes.data[b];
        for (uint32_t k = 0; k < block->count; ++k) {
            const grz_constraint *constraint = &piles->constraints.data[block->constraint[k]];
            const double speed =
                constraint->kind == GRZ_CONSTRAINT_BODY ? 0 : constraint->normal_speed;
            block->max_approach[k] =
                speed + grz_constraint_parting_approach(constraint, recovery, dt);
        }
    }
}

// Unlike impulses these changes are not summed up: any velocities that separate the two will do.
static void separate_two(const grz_push_block *block, uint32_t k, graze_vec2d *velocities)
{
    const graze_vec2d normal = {block->normal_x[k], block->normal_y[k]};
    graze_vec2d *upper = &velocities[block->upper[k] / 2];
    graze_vec2d *lower = &velocities[block->lower[k] / 2];
    const bool gives_way = block->gives_way[k] > 0;
    const double speed = gives_way ? dot(*lower, normal) : 0;
    const double over = dot(*upper, normal) - speed - block->max_approach[k];
    const double change = relaxation * (over + absolute(over)) / 2; // 0 if over < 0: no branch.
    *upper = along(*upper, normal, -change * block->share[k]);
    if (gives_way) {
        *lower = along(*lower, normal, change * (1 - block->share[k]));
    }
}

static void separate_block(const grz_push_block *block, graze_vec2d *velocities)
{
    for (uint32_t k = 0; k < block->count; ++k) {
        separate_two(block, k, velocities);
    }
}

// No body may leave the box by which its pairs were found.
static void hold_back(grz_piles *piles)
{
    for (uint32_t k = 0; k < piles->bodies.count; ++k) {
        graze_vec2d *velocity = &piles->step_velocities.data[k];
        const double most = piles->bodies.data[k].max_speed;
        const double speed = length_of(*velocity);
        *velocity = speed > most ? scale(*velocity, most / speed) : *velocity;
    }
}

void grz_crowds_separate(graze_world *world)
{
    grz_piles *piles = &world->piles;
    const uint32_t count = piles->pushes.count;
    find_max_approaches(piles, (double)world->dt);
    for (int sweep = 0; sweep < SWEEPS; ++sweep) {
        for (uint32_t k = count; k-- > 0;) {
            separate_block(&piles->pushes.data[k], piles->step_velocities.data);
        }
        for (uint32_t k = 0; k < count; ++k) {
            separate_block(&piles->pushes.data[k], piles->step_velocities.data);
        }
        hold_back(piles);
    }
}

// --- Overlap ---

bool grz_crowd_bears(const graze_world *world, const grz_event *event, double distance)
{
    const grz_motion *a = grz_motion_of(world, event->row_a);
    const grz_motion *b = grz_motion_of(world, event->row_b);
    const double size_a = grz_size_of(world, event->row_a);
    const double size = min_double(size_a, grz_size_of(world, event->row_b));
    const bool squeezed = a->squeezed || b->squeezed;
    const double creep = squeezed ? squeezed_creep : free_creep;
    const double depth = squeezed ? squeezed_depth : touch_depth;
    return distance < creep * size && event->touch.depth < depth * size &&
           grz_piles_are_near(world, a, event);
}
