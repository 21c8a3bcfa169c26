#include "motion/exchange.h"

#include "meet/tolerance.h"

// Before its last turn only its course is known. That is what a ray has to keep away from.
graze_vec2d grz_velocity_at(const graze_world *world, uint32_t row, double time)
{
    const grz_motion *motion = row == GRZ_NONE ? NULL : grz_motion_of(world, row);
    if (motion && time < motion->time[motion->count - 2]) {
        return scale(grz_course_at(world, row, time), 1 / (double)world->dt);
    }
    return grz_velocity_of(world, row);
}

bool grz_is_movable(const graze_world *world, const grz_motion *motion)
{
    return motion && grz_response_of(world, motion) != GRAZE_STOP;
}

static float mass_of(const graze_world *world, const grz_motion *motion)
{
    return grz_is_movable(world, motion) ? grz_material_at(world, motion->row).mass : 0;
}

static double inverse_of(float mass)
{
    return mass > 0 ? 1 / (double)mass : 0;
}

// A shortcut: most have the same mass, and for these the sums below give two halves.
grz_shares grz_share_out(const graze_world *world, const grz_motion *a, const grz_motion *b)
{
    const float mass_a = mass_of(world, a);
    const float mass_b = mass_of(world, b);
    const grz_shares halves = {0.5, 0.5};
    if (mass_a == mass_b && mass_a > 0) {
        return halves;
    }
    const double inverse_a = inverse_of(mass_a);
    const double inverse_b = inverse_of(mass_b);
    const double sum = inverse_a + inverse_b;
    const grz_shares none = {0, 0};
    const grz_shares shares = {inverse_a / sum, inverse_b / sum};
    return sum > 0 ? shares : none;
}

double grz_restitution_of(const graze_world *world, uint32_t row_a, uint32_t row_b, bool bounces,
                          double approach)
{
    if (!bounces || approach <= grz_rest_speed(world)) {
        return 0;
    }
    const double restitution_a = (double)grz_material_at(world, row_a).surface.restitution;
    const double restitution_b =
        row_b == GRZ_NONE ? 0 : (double)grz_material_at(world, row_b).surface.restitution;
    return max_double(restitution_a, restitution_b);
}

static double own_friction(const graze_world *world, const grz_motion *motion)
{
    const bool slides = grz_response_of(world, motion) == GRAZE_SLIDE;
    return slides ? (double)grz_material_at(world, motion->row).surface.friction : 0;
}

double grz_friction_of(const graze_world *world, const grz_motion *motion, const grz_motion *other)
{
    const double own = own_friction(world, motion);
    const double others = other ? own_friction(world, other) : own;
    return own == others ? own : grz_sqrt(own * others);
}
