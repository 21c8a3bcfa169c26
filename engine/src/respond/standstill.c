#include "respond/standstill.h"

#include "body/rows.h"
#include "pile/forest.h"
#include "respond/meet.h"
#include "rest/rest.h"

// The forest is of motions: what may meet is in one tree. All that does not stand is in the tree of
// one more node, the last: whoever shares it does not stay as it is.

// The later node leads: so the last one stays a root.
static void join(uint32_t *parents, uint32_t a, uint32_t b)
{
    const uint32_t root_a = grz_forest_root(parents, a);
    const uint32_t root_b = grz_forest_root(parents, b);
    parents[root_a < root_b ? root_a : root_b] = root_a < root_b ? root_b : root_a;
}

// Whether the body ends as it began, to the last bit, and its hits do not go on. What passes
// through others costs too little to be kept out of the step.
static bool stands(const graze_world *world, const grz_motion *motion)
{
    const uint32_t changes = GRZ_TRAIT_SPINS | GRZ_TRAIT_EXPIRES;
    const uint32_t traits = world->rows.traits[motion->row];
    const graze_vec2 position = world->rows.position[motion->row];
    const graze_vec2 velocity = world->rows.velocity[motion->row];
    const graze_vec2 end = motion->at[motion->count - 1];
    return end.x == position.x && end.y == position.y && (float)motion->velocity.x == velocity.x &&
           (float)motion->velocity.y == velocity.y && !motion->was_hit && !(traits & changes) &&
           (traits & GRZ_TRAIT_RESPONDS) && grz_kind_of(traits) != GRAZE_SHAPE_RAY;
}

// The node of a body that another may meet; GRZ_NONE: nothing can change it.
static uint32_t node_of(const graze_world *world, uint32_t row)
{
    const grz_motion *motion = grz_motion_of(world, row);
    if (motion) {
        return (uint32_t)(motion - world->motions.data);
    }
    const bool is_fixed = row >= world->active_count || grz_rest_is_fixed(world, row);
    return is_fixed ? GRZ_NONE : world->motions.count;
}

static void join_meetings(const graze_world *world, uint32_t *parents)
{
    for (uint32_t k = 0; k < world->meetings.count; ++k) {
        const uint32_t a = node_of(world, world->meetings.data[k].row_a);
        const uint32_t b = node_of(world, world->meetings.data[k].row_b);
        if (a != GRZ_NONE && b != GRZ_NONE) {
            join(parents, a, b);
        }
    }
}

// Returns how many stand, whatever they may meet.
static uint32_t plant(const graze_world *world, uint32_t *parents)
{
    const uint32_t count = world->motions.count;
    uint32_t standing = 0;
    parents[count] = count;
    for (uint32_t m = 0; m < count; ++m) {
        const bool own = stands(world, &world->motions.data[m]);
        parents[m] = own ? m : count;
        standing += own;
    }
    return standing;
}

static void list_standing(graze_world *world, uint32_t *parents)
{
    grz_numbers *standing = &world->rest.standing;
    const uint32_t count = world->motions.count;
    for (uint32_t m = 0; m < count; ++m) {
        standing->data[standing->count] = world->motions.data[m].index;
        standing->count += grz_forest_root(parents, m) != count;
    }
}

bool grz_standstill_find(graze_world *world)
{
    grz_rest *rest = &world->rest;
    const size_t count = world->motions.count;
    if (rest->wait || !rest->steady || !count || world->totals.overflow) {
        return true;
    }
    if (!grz_array_reserve(&rest->parents, &world->counting, count + 1) ||
        !grz_array_reserve(&rest->standing, &world->counting, count)) {
        return false;
    }
    if (plant(world, rest->parents.data)) {
        join_meetings(world, rest->parents.data);
        list_standing(world, rest->parents.data);
    }
    return true;
}
