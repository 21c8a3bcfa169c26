// Discs in a channel narrower than two of them never change places.
#include "physics_kit.h"

enum { DISCS = 8, STEPS = 40 };

/// Discs from left to right in a channel along the x axis, with lifts between them.
typedef struct channel {
    graze_world *world;
    graze_body_id bodies[DISCS];
    bool is_lift[DISCS];
    double way[DISCS]; ///< How far a lift goes to and fro.
    double width;      ///< In radii.
} channel;

static double random_double(random_state *random, double low, double high)
{
    return (double)random_float(random, (float)low, (float)high);
}

static graze_body_def lift_at(double x, double width, bool is_round, double radius)
{
    graze_body_def def = is_round ? kit_circle((float)x, 0, (float)(width / 2))
                                  : physics_block(x, 0, radius / 2, width / 2);
    def.mass = 0;
    def.response = GRAZE_PASS;
    return def;
}

// Discs of one radius; a channel of up to 1.95 diameters; lifts fill it.
static void open_channel(channel *of, random_state *random, double speed, double gravity,
                         bool lifts)
{
    const double radius = random_double(random, 0.2, 1);
    of->width = random_double(random, 2.02, 3.9);
    const double width = radius * of->width;
    of->world =
        kit_world_with_gravity((float)(random_below(random, 2) ? gravity : 0), (float)-gravity);
    const double restitution = random_below(random, 2) ? random_double(random, 0, 1) : 0;
    double x = radius;
    for (int i = 0; i < DISCS; ++i) {
        of->is_lift[i] = lifts && i % 4 == 2;
        x += of->is_lift[i] ? 2 * radius : random_double(random, 0.05, 1) * radius;
        const double y = (width / 2 - radius) * random_double(random, -0.95, 0.95);
        graze_body_def def = physics_disc(x, y, radius, pow(10, random_double(random, -1, 1)));
        def.velocity.x = (float)random_double(random, -speed, speed);
        def.velocity.y = (float)(random_double(random, -speed, speed) / 4);
        def.restitution = (float)restitution;
        if (of->is_lift[i]) {
            def = lift_at(x, width, random_below(random, 2), radius);
        }
        of->way[i] = radius / 2;
        of->bodies[i] = kit_add(of->world, def);
        x += of->is_lift[i] ? 3 * radius : 2 * radius;
    }
    const graze_vec2 corners[4] = {{0, (float)(-width / 2)},
                                   {(float)(x + radius), (float)(-width / 2)},
                                   {(float)(x + radius), (float)(width / 2)},
                                   {0, (float)(width / 2)}};
    physics_chain(of->world, corners, 4, true,
                  physics_surface(random_double(random, 0, 1), restitution));
}

// Lifts go to and fro, at a tenth of the discs' speeds and no faster than 2 radii a second.
static void drive(const channel *of, int step, double speed)
{
    for (int i = 0; i < DISCS; ++i) {
        if (of->is_lift[i]) {
            const double fast = fmin(speed / 10, 4 * of->way[i]);
            const bool back = ((int)(step * fast / 60 / of->way[i]) + i) % 2 != 0;
            const graze_vec2 velocity = {(float)(back ? -fast : fast), 0};
            graze_body_set_velocity(of->world, of->bodies[i], velocity);
        }
    }
}

static int find_swap(const channel *of)
{
    for (int i = 1; i < DISCS; ++i) {
        if (!(graze_body_position(of->world, of->bodies[i - 1]).x <
              graze_body_position(of->world, of->bodies[i]).x)) {
            return i;
        }
    }
    return 0;
}

static void play_channel(uint64_t seed, physics_tally *tally, double speed, bool lifts,
                         double gravity)
{
    random_state random = random_seed(seed);
    channel of;
    open_channel(&of, &random, speed, gravity, lifts);
    int swap = 0, step = 0;
    while (step < STEPS && !swap) {
        drive(&of, step, speed);
        kit_step(of.world, physics_dt);
        swap = find_swap(&of);
        ++step;
    }
    physics_note(tally, seed, swap ? 2 : 0,
                 "speed %g%s, gravity %g, %.4g radii wide: %d and %d change places in step %d",
                 speed, lifts ? ", lifts" : "", gravity, of.width, swap - 1, swap, step);
    graze_world_destroy(of.world);
}

static void play_all(const double *speeds, uint32_t count, bool lifts, double gravity)
{
    physics_tally tally = {0};
    const uint32_t trials = physics_trials(160);
    for (uint32_t k = 0; k < count; ++k) {
        for (uint32_t i = 0; i < trials; ++i) {
            play_channel(physics_first_seed() + i, &tally, speeds[k], lifts, gravity);
        }
    }
    physics_assert_none_failed(&tally);
}

enum { SPEEDS = 7 };

static const double speeds[SPEEDS] = {1, 3, 10, 30, 100, 300, 1000};

static void discs_keep_their_order(void **state)
{
    (void)state;
    play_all(speeds, SPEEDS, false, 0);
}

static void discs_keep_their_order_under_gravity(void **state)
{
    (void)state;
    play_all(speeds, SPEEDS, false, 10);
}

static void discs_and_lifts_keep_their_order(void **state)
{
    (void)state;
    play_all(speeds, SPEEDS, true, 0);
}

static void discs_and_lifts_keep_their_order_under_gravity(void **state)
{
    (void)state;
    play_all(speeds, SPEEDS, true, 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(discs_keep_their_order),
        cmocka_unit_test(discs_keep_their_order_under_gravity),
        cmocka_unit_test(discs_and_lifts_keep_their_order),
        cmocka_unit_test(discs_and_lifts_keep_their_order_under_gravity),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
