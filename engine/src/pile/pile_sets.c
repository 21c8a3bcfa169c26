#include "pile/pile_sets.h"

#include "vec2d.h"

static const double press_tolerance = 1e-6; ///< Of the speed: a slower approach is rounding.

static void join(grz_piles *piles, uint32_t a, uint32_t b)
{
    const uint32_t root_a = grz_pile_root_of(piles, a);
    const uint32_t root_b = grz_pile_root_of(piles, b);
    uint32_t *sizes = piles->sizes.data;
    if (root_a == root_b) {
        return;
    }
    const bool a_is_larger = sizes[root_a] > sizes[root_b];
    const uint32_t root = a_is_larger ? root_a : root_b;
    piles->parents.data[a_is_larger ? root_b : root_a] = root;
    sizes[root] = sizes[root_a] + sizes[root_b];
}

bool grz_pile_sets_join(graze_world *world)
{
    grz_piles *piles = &world->piles;
    const uint32_t motions = world->motions.count;
    if (!grz_array_reserve(&piles->parents, &world->counting, motions) ||
        !grz_array_reserve(&piles->sizes, &world->counting, motions)) {
        return false;
    }
    for (uint32_t m = 0; m < motions; ++m) {
        piles->parents.data[m] = m;
        piles->sizes.data[m] = 1;
    }
    for (uint32_t k = 0; k < piles->constraints.count; ++k) {
        const grz_constraint *constraint = &piles->constraints.data[k];
        if (constraint->kind == GRZ_CONSTRAINT_BODY && constraint->joins) {
            join(piles, constraint->upper, constraint->lower);
        }
    }
    return true;
}

static bool is_pressed(const graze_world *world, const grz_constraint *constraint)
{
    const bool gives_way = constraint->kind == GRZ_CONSTRAINT_BODY;
    const graze_vec2d velocity = world->motions.data[constraint->upper].velocity;
    const double speed =
        gives_way ? dot(world->motions.data[constraint->lower].velocity, constraint->normal)
                  : constraint->normal_speed;
    return dot(velocity, constraint->normal) - speed > press_tolerance * length_of(velocity);
}

// The bodies of crowds hold each other.
static bool holds(const graze_world *world, const grz_constraint *constraint)
{
    return constraint->kind != GRZ_CONSTRAINT_BODY ||
           (constraint->joins && grz_piles_are_crowds(world));
}

void grz_pile_sets_mark_held(graze_world *world)
{
    grz_piles *piles = &world->piles;
    for (uint32_t k = 0; k < piles->constraints.count; ++k) {
        const grz_constraint *constraint = &piles->constraints.data[k];
        if (holds(world, constraint) && is_pressed(world, constraint)) {
            piles->sizes.data[grz_pile_root_of(piles, constraint->upper)] |= GRZ_PILE_HELD;
        }
    }
}
