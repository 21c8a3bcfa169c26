// Discs that pass each other by are not in contact, and keep their velocities to the bit.

#include "response_kit.h"

#include <math.h>

#include "random.h"

enum { TRIALS = 3000, STEPS = 30 };

/// How far two miss each other, and how they come.
typedef struct passage {
    graze_vec2 way; ///< Unit.
    double speed;   ///< Units a second: a hundredth of a disc's size in a step, or five.
    double miss;    ///< Between both: a ten-thousandth of a disc's size, or all of it.
    double ahead;   ///< How far from the other it begins, along its way.
} passage;

// Numbers of all sizes between two.
static double draw_size(random_state *random, double least, double most)
{
    return least * pow(most / least, (double)random_float(random, 0, 1));
}

static passage draw_passage(random_state *random)
{
    const double angle = (double)random_float(random, 0, 6.2831853f);
    const double speed = draw_size(random, 0.3, 300);
    const passage drawn = {
        .way = {(float)cos(angle), (float)sin(angle)},
        .speed = speed,
        .miss = draw_size(random, 5e-5, 0.5),
        .ahead =
            speed / 60 * (double)random_float(random, 0, 1) + 0.3 * (double)random_below(random, 2),
    };
    return drawn;
}

// It comes from the left side of the origin, where the other is.
static graze_body_def come_by(const passage *of, graze_response response)
{
    const double x = (double)of->way.x, y = (double)of->way.y, aside = 1 + of->miss;
    graze_body_def def =
        kit_circle((float)(-y * aside - x * of->ahead), (float)(x * aside - y * of->ahead), 0.5f);
    def.response = response;
    def.velocity.x = (float)(x * of->speed);
    def.velocity.y = (float)(y * of->speed);
    return def;
}

static void assert_passes(const passage *of, graze_response response, graze_response other)
{
    graze_world *world = kit_world();
    graze_body_def def = kit_circle(0, 0, 0.5f);
    def.response = other;
    kit_add(world, def);
    const graze_body_def coming = come_by(of, response);
    const graze_body_id body = kit_add(world, coming);
    for (int step = 0; step < STEPS; ++step) {
        kit_step(world, 1.0f / 60);
        const graze_vec2 velocity = graze_body_velocity(world, body);
        if (graze_world_contacts(world).count || velocity.x != coming.velocity.x ||
            velocity.y != coming.velocity.y) {
            fail_msg("response %d, other %d: a miss by %g at speed %g is a hit in step %d",
                     (int)response, (int)other, of->miss, of->speed, step);
        }
    }
    graze_world_destroy(world);
}

static void what_passes_a_disc_by_does_not_touch_it(void **state)
{
    static const graze_response responses[] = {GRAZE_RIGID, GRAZE_SLIDE, GRAZE_BOUNCE, GRAZE_STOP};
    static const graze_response others[] = {GRAZE_RIGID, GRAZE_SLIDE, GRAZE_PASS};
    (void)state;
    random_state random = random_seed(1);
    for (int trial = 0; trial < TRIALS; ++trial) {
        const passage drawn = draw_passage(&random);
        assert_passes(&drawn, responses[trial % 4], others[trial % 3]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_passes_a_disc_by_does_not_touch_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
