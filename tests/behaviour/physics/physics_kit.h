/// @file physics_kit.h
/// For the tests of rigid bodies against mechanics: worlds, bodies, energies and momenta in double.
///
/// Counts     physics_trials() says how many worlds a test plays. The variable GRAZE_PHYSICS_TIMES
///            of the environment multiplies them: ten or a hundred for a long run.
/// Seeds      World k of a test has seed physics_first_seed() + k. A failure prints its seed:
///            GRAZE_PHYSICS_SEED=n begins there. GRAZE_PHYSICS_ALL=1 prints all failures, not only
///            the worst one of a test.
/// Errors     As in world_kit.h.
#ifndef GRAZE_TESTS_PHYSICS_KIT_H
#define GRAZE_TESTS_PHYSICS_KIT_H

#include "response_kit.h"

#include <math.h>

static const float physics_dt = 1.0f / 60;

/// Returns how many of `count` worlds to play: all in Release, fewer where it is slow, at least 1.
uint32_t physics_trials(uint32_t count);

/// Returns the seed of the first world.
uint64_t physics_first_seed(void);

/// Defs of rigid bodies of this mass; friction 0.6, restitution 0.
graze_body_def physics_disc(double x, double y, double radius, double mass);
graze_body_def physics_box(double x, double y, double half_x, double half_y, double mass);

/// A rect that is driven: GRAZE_PASS and mass 0. Friction 0.6.
graze_body_def physics_block(double x, double y, double half_x, double half_y);

/// Adds terrain with this surface.
graze_chain_id physics_chain(graze_world *world, const graze_vec2 *points, uint32_t count,
                             bool loop, graze_surface surface);

/// Adds a segment with friction 0.6.
graze_chain_id physics_floor(graze_world *world, double ax, double ay, double bx, double by);

/// Adds a closed box that is solid from both sides, with friction 0.6.
graze_chain_id physics_room(graze_world *world, double left, double low, double right, double high);

/// Returns a surface of this friction and restitution.
graze_surface physics_surface(double friction, double restitution);

void physics_run(graze_world *world, uint32_t steps);

/// The sums over all bodies of finite mass.
typedef struct physics_sums {
    double mass;
    double kinetic, spin, potential;        ///< Energies; potential energy is 0 at the origin.
    double momentum_x, momentum_y, angular; ///< About the origin.
    double momenta, angulars;               ///< Of their absolute values.
} physics_sums;

physics_sums physics_sum(const graze_world *world);
double physics_energy(const graze_world *world);

/// Returns how many bodies of the world are awake and have a finite mass.
uint32_t physics_count_awake(const graze_world *world);

/// Worlds of a test that went wrong: all are played, so that a failure says how many there are.
typedef struct physics_tally {
    uint32_t played, failed;
    double worst; ///< Error, in units of what is allowed.
    uint64_t worst_seed;
    char words[256]; ///< What the worst one says.
} physics_tally;

/// Notes a world that is off by so many times what is allowed; above 1 it has failed.
void physics_note(physics_tally *tally, uint64_t seed, double error, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/// Fails the test if a world has failed.
void physics_assert_none_failed(const physics_tally *tally);

/// Plays that many worlds, or as many as physics_trials() makes of them, and fails if one does.
void physics_play(uint32_t count, void (*play)(uint64_t seed, physics_tally *tally));

/// Fails, with the words, unless the value is as wanted, to within the share of it.
void physics_assert_share(double value, double wanted, double share, const char *words);

#endif
