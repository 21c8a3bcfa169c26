#include "physics_kit.h"

#include "body_defs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t read_number(const char *name, uint64_t otherwise)
{
    const char *text = getenv(name);
    return text ? strtoull(text, NULL, 10) : otherwise;
}

uint32_t physics_trials(uint32_t count)
{
    const uint64_t times = read_number("GRAZE_PHYSICS_TIMES", 1);
    const uint64_t trials = (uint64_t)count * times / PHYSICS_SHARE;
    return trials ? (uint32_t)trials : 1;
}

uint64_t physics_first_seed(void)
{
    return read_number("GRAZE_PHYSICS_SEED", 1);
}

static graze_body_def rigid(graze_body_def def, double mass)
{
    def.mass = (float)mass;
    def.response = GRAZE_RIGID;
    def.friction = 0.6f;
    return def;
}

graze_body_def physics_disc(double x, double y, double radius, double mass)
{
    return rigid(kit_circle((float)x, (float)y, (float)radius), mass);
}

graze_body_def physics_box(double x, double y, double half_x, double half_y, double mass)
{
    return rigid(kit_rect((float)x, (float)y, (float)half_x, (float)half_y), mass);
}

graze_body_def physics_block(double x, double y, double half_x, double half_y)
{
    graze_body_def def = kit_rect((float)x, (float)y, (float)half_x, (float)half_y);
    def.mass = 0;
    def.response = GRAZE_PASS;
    def.friction = 0.6f;
    return def;
}

graze_surface physics_surface(double friction, double restitution)
{
    const graze_surface surface = {(float)friction, (float)restitution, 0, 0};
    return surface;
}

graze_chain_id physics_chain(graze_world *world, const graze_vec2 *points, uint32_t count,
                             bool loop, graze_surface surface)
{
    graze_chain_def def = graze_chain_def_default();
    def.points = points;
    def.count = count;
    def.loop = loop;
    def.surface = surface;
    const graze_chain_id chain = graze_chain_create(world, &def);
    assert_true(graze_chain_is_valid(world, chain));
    return chain;
}

graze_chain_id physics_floor(graze_world *world, double ax, double ay, double bx, double by)
{
    const graze_vec2 points[2] = {{(float)ax, (float)ay}, {(float)bx, (float)by}};
    return physics_chain(world, points, 2, false, physics_surface(0.6, 0));
}

graze_chain_id physics_room(graze_world *world, double left, double low, double right, double high)
{
    const float x0 = (float)left, y0 = (float)low, x1 = (float)right, y1 = (float)high;
    const graze_vec2 points[4] = {{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}};
    return physics_chain(world, points, 4, true, physics_surface(0.6, 0));
}

void physics_run(graze_world *world, uint32_t steps)
{
    for (uint32_t step = 0; step < steps; ++step) {
        kit_step(world, physics_dt);
    }
}

static void add_body(physics_sums *sums, const graze_world *world, graze_body_id body)
{
    const graze_vec2 at = graze_body_position(world, body);
    const graze_vec2 velocity = graze_body_velocity(world, body);
    const graze_vec2 gravity = graze_world_gravity(world);
    const double mass = (double)graze_body_mass(world, body);
    const double spin = (double)graze_body_spin(world, body);
    const double inertia = (double)graze_body_inertia(world, body);
    const double x = (double)velocity.x, y = (double)velocity.y;
    const double scale = (double)graze_body_gravity_scale(world, body);
    const double angular = mass * ((double)at.x * y - (double)at.y * x) + inertia * spin;
    sums->mass += mass;
    sums->kinetic += mass * (x * x + y * y) / 2;
    sums->spin += inertia * spin * spin / 2;
    sums->potential -=
        scale * mass * ((double)gravity.x * (double)at.x + (double)gravity.y * (double)at.y);
    sums->momentum_x += mass * x;
    sums->momentum_y += mass * y;
    sums->momenta += mass * hypot(x, y);
    sums->angular += angular;
    sums->angulars += mass * hypot((double)at.x, (double)at.y) * hypot(x, y) + fabs(inertia * spin);
}

physics_sums physics_sum(const graze_world *world)
{
    physics_sums sums = {0};
    uint32_t count;
    const uint32_t *indices = graze_world_indices(world, &count);
    for (uint32_t i = 0; i < count; ++i) {
        add_body(&sums, world, graze_world_body_at(world, indices[i]));
    }
    return sums;
}

double physics_energy(const graze_world *world)
{
    const physics_sums sums = physics_sum(world);
    return sums.kinetic + sums.spin + sums.potential;
}

uint32_t physics_count_awake(const graze_world *world)
{
    uint32_t count, awake = 0;
    const uint32_t *indices = graze_world_indices(world, &count);
    for (uint32_t i = 0; i < count; ++i) {
        const graze_body_id body = graze_world_body_at(world, indices[i]);
        awake += graze_body_mass(world, body) > 0 && !graze_body_is_asleep(world, body);
    }
    return awake;
}

void physics_note(physics_tally *tally, uint64_t seed, double error, const char *format, ...)
{
    char words[sizeof tally->words];
    va_list values;
    va_start(values, format);
    vsnprintf(words, sizeof words, format, values);
    va_end(values);
    ++tally->played;
    tally->failed += !(error <= 1);
    if (!(error <= 1) && getenv("GRAZE_PHYSICS_ALL")) {
        print_message("seed %llu, by %.4g times: %s\n", (unsigned long long)seed, error, words);
    }
    if (!(error <= tally->worst)) {
        memcpy(tally->words, words, sizeof words);
        tally->worst = error;
        tally->worst_seed = seed;
    }
}

void physics_assert_none_failed(const physics_tally *tally)
{
    if (tally->failed) {
        fail_msg("%u of %u worlds; the worst, seed %llu, by %.4g times what is allowed: %s",
                 (unsigned)tally->failed, (unsigned)tally->played,
                 (unsigned long long)tally->worst_seed, tally->worst, tally->words);
    }
}

void physics_play(uint32_t count, void (*play)(uint64_t seed, physics_tally *tally))
{
    physics_tally tally = {0};
    const uint32_t trials = physics_trials(count);
    for (uint32_t k = 0; k < trials; ++k) {
        play(physics_first_seed() + k, &tally);
    }
    physics_assert_none_failed(&tally);
}

void physics_assert_share(double value, double wanted, double share, const char *words)
{
    if (!(fabs(value - wanted) <= share * fabs(wanted))) {
        fail_msg("%s: %.9g, wanted %.9g to %g", words, value, wanted, share);
    }
}
