// What nothing drives gains no energy: gas among bumpers, and heaps of light and heavy. Two discs
// of restitution 1 lose none either, nor does one at a wall.
#include "physics_kit.h"

static const double pi = 3.14159265358979323846;

enum { MOST_BODIES = 48 };

/// Where bodies are, so that none overlap at the start.
typedef struct crowd_place {
    double x[MOST_BODIES], y[MOST_BODIES], radius[MOST_BODIES];
    uint32_t count;
} crowd_place;

static double random_double(random_state *random, double low, double high)
{
    return (double)random_float(random, (float)low, (float)high);
}

// Finds room for a circle within a square of this half width around (0, half).
static bool find_room(crowd_place *place, random_state *random, double half, double radius)
{
    for (int attempt = 0; attempt < 40; ++attempt) {
        const double most = half - radius - 0.01;
        const double x = random_double(random, -most, most);
        const double y = half + random_double(random, -most, most);
        bool free = place->count < MOST_BODIES;
        for (uint32_t i = 0; i < place->count && free; ++i) {
            const double apart = radius + place->radius[i] + 0.02;
            free = hypot(x - place->x[i], y - place->y[i]) > apart;
        }
        if (free) {
            place->x[place->count] = x;
            place->y[place->count] = y;
            place->radius[place->count++] = radius;
            return true;
        }
    }
    return false;
}

static graze_body_def random_shape(random_state *random, double x, double y, double radius,
                                   double mass)
{
    const double turn = random_double(random, 0.3, pi / 2 - 0.3);
    graze_body_def def = random_below(random, 2)
                             ? physics_disc(x, y, radius, mass)
                             : physics_box(x, y, radius * cos(turn), radius * sin(turn), mass);
    def.angle = (float)random_double(random, -pi, pi);
    return def;
}

// A fixed bumper: a driven body that does not move, or a chain.
static void add_bumper(graze_world *world, random_state *random, const crowd_place *place,
                       graze_surface surface)
{
    const uint32_t i = place->count - 1;
    const double x = place->x[i], y = place->y[i], r = place->radius[i] * 0.7;
    if (random_below(random, 2)) {
        const graze_vec2 points[4] = {{(float)(x - r), (float)(y - r)},
                                      {(float)(x + r), (float)(y - r)},
                                      {(float)(x + r), (float)(y + r)},
                                      {(float)(x - r), (float)(y + r)}};
        physics_chain(world, points, 4, true, surface);
        return;
    }
    graze_body_def def = random_shape(random, x, y, place->radius[i], 0);
    def.response = GRAZE_PASS;
    def.surface = surface;
    kit_add(world, def);
}

static graze_surface random_surface(random_state *random)
{
    const double restitution =
        random_below(random, 3) ? random_double(random, 0, 1) : (double)random_below(random, 2);
    return physics_surface(random_below(random, 3) ? random_double(random, 0, 1) : 0, restitution);
}

static void fill(graze_world *world, random_state *random, bool heap)
{
    const double half = random_double(random, 4, 8), speed = pow(10, random_double(random, 0, 2));
    const graze_vec2 corners[4] = {{(float)-half, 0},
                                   {(float)half, 0},
                                   {(float)half, (float)(2 * half)},
                                   {(float)-half, (float)(2 * half)}};
    const graze_surface surface = random_surface(random);
    crowd_place place = {.count = 0};
    physics_chain(world, corners, 4, true, surface);
    for (uint32_t i = heap ? 0 : random_below(random, 6); i > 0; --i) {
        if (find_room(&place, random, half, random_double(random, 0.3, 1.5))) {
            add_bumper(world, random, &place, surface);
        }
    }
    const double span = random_double(random, 0, 3);
    for (uint32_t i = 10 + random_below(random, 30); i > 0; --i) {
        if (!find_room(&place, random, half, random_double(random, 0.3, 0.8))) {
            continue;
        }
        const uint32_t last = place.count - 1;
        const double mass = pow(10, random_double(random, 0, span));
        graze_body_def def =
            random_shape(random, place.x[last], place.y[last], place.radius[last], mass);
        def.surface = surface;
        def.velocity.x = (float)(heap ? 0 : random_double(random, -speed, speed));
        def.velocity.y = (float)(heap ? 0 : random_double(random, -speed, speed));
        def.spin = (float)(heap ? 0 : random_double(random, -speed, speed));
        kit_add(world, def);
    }
}

static void watch(graze_world *world, uint64_t seed, const char *name, physics_tally *tally)
{
    const double start = physics_energy(world);
    double most = start;
    int worst = 0;
    for (int step = 1; step <= 240; ++step) {
        kit_step(world, physics_dt);
        const double energy = physics_energy(world);
        worst = energy > most ? step : worst;
        most = fmax(most, energy);
    }
    physics_note(tally, seed, (most / start - 1) / 0.01,
                 "%s: energy %.6g at the start, %.6g in "
                 "step %d",
                 name, start, most, worst);
    graze_world_destroy(world);
}

static void play_gas(uint64_t seed, physics_tally *tally)
{
    random_state random = random_seed(seed);
    graze_world *world = kit_world();
    fill(world, &random, false);
    watch(world, seed, "gas", tally);
}

static void play_falling_gas(uint64_t seed, physics_tally *tally)
{
    random_state random = random_seed(seed);
    graze_world *world = kit_world_with_gravity(0, -10);
    fill(world, &random, false);
    watch(world, seed, "gas with gravity", tally);
}

static void play_heap(uint64_t seed, physics_tally *tally)
{
    random_state random = random_seed(seed);
    graze_world *world = kit_world_with_gravity(0, -10);
    fill(world, &random, true);
    watch(world, seed, "heap", tally);
}

static void a_gas_among_fixed_bumpers_gains_no_energy(void **state)
{
    (void)state;
    physics_play(334, play_gas);
}

static void a_gas_that_falls_gains_no_energy(void **state)
{
    (void)state;
    physics_play(333, play_falling_gas);
}

static void a_heap_of_masses_up_to_a_thousand_gains_no_energy(void **state)
{
    (void)state;
    physics_play(333, play_heap);
}

// Heavy boxes turn over light ones, deep in each other: they go on, and fall no faster than they
// sink. Or the centre of one is in a wall, or between two: what presses it, or gravity, gives it no
// speed while it stays there.
static void what_is_held_or_squeezed_gains_no_energy(void **state)
{
    (void)state;
    physics_tally tally = {0};
    play_falling_gas(925, &tally);
    play_heap(606, &tally);
    play_heap(734, &tally);
    play_gas(1002531, &tally);
    play_falling_gas(5001138, &tally);
    physics_assert_none_failed(&tally);
}

// Two discs, or one and a wall. Slow ones may lose what the soft contact has not given back.
static void play_hit(uint64_t seed, physics_tally *tally)
{
    static const double speeds[] = {3, 10, 50, 200};
    random_state random = random_seed(seed);
    graze_world *world = kit_world();
    const double speed = speeds[seed % 4];
    graze_body_def def = physics_disc(random_double(&random, 0, 1), 0, 0.5, 1);
    def.surface = physics_surface(0, 1);
    def.velocity = (graze_vec2){(float)speed, 0};
    if (seed % 8 < 4) {
        def.velocity.y = random_float(&random, -1, 1) * (float)speed;
        physics_floor(world, 6, -1000, 6, 1000);
        kit_add(world, def);
    } else {
        kit_add(world, def);
        def.position.x = random_float(&random, 4, 6);
        def.position.y = random_float(&random, -0.9f, 0.9f);
        def.velocity = (graze_vec2){0, 0};
        kit_add(world, def);
    }
    const double before = physics_energy(world);
    physics_run(world, 130);
    const double after = physics_energy(world);
    physics_note(tally, seed, fabs(after / before - 1) / 1e-3, "at %g", speed);
    graze_world_destroy(world);
}

static void what_hits_with_restitution_one_keeps_its_energy(void **state)
{
    (void)state;
    physics_play(400, play_hit);
}

// A box hits the floor, or another box, with any part of a side, and spins. A contact may have two
// points, and friction.
static void play_box_hit(uint64_t seed, physics_tally *tally)
{
    random_state random = random_seed(seed);
    graze_world *world = kit_world();
    const graze_surface surface =
        physics_surface(seed % 2 ? random_double(&random, 0, 1) : 0, seed % 3 ? 1 : 0.5);
    graze_body_def def =
        physics_box(0, random_double(&random, 1.5, 4), random_double(&random, 0.2, 1), 0.4, 1);
    def.surface = surface;
    def.angle = random_float(&random, -0.1f, 0.1f);
    def.velocity = (graze_vec2){random_float(&random, -10, 10), random_float(&random, -30, -3)};
    def.spin = random_float(&random, -20, 20);
    kit_add(world, def);
    if (seed % 5 < 2) {
        const graze_vec2 floor[2] = {{-100, 0}, {100, 0}};
        physics_chain(world, floor, 2, false, surface);
    } else {
        graze_body_def other =
            physics_box(0, 0, random_double(&random, 0.2, 1), 0.4, random_double(&random, 0.1, 10));
        other.surface = surface;
        other.angle = random_float(&random, -0.1f, 0.1f);
        kit_add(world, other);
    }
    const double start = physics_energy(world);
    physics_run(world, 60);
    const double end = physics_energy(world);
    physics_note(tally, seed, (end / start - 1) / 0.01, "energy %.6g, then %.6g", start, end);
    graze_world_destroy(world);
}

static void a_box_that_hits_gains_no_energy(void **state)
{
    (void)state;
    physics_play(2000, play_box_hit);
}

// A plank lands on one end, and slides and turns down. What it has lost by then it does not get
// back, but for a thirtieth of what it fell with: the other end comes down fast, and is pushed out
// again.
static void play_plank(uint64_t seed, physics_tally *tally)
{
    random_state random = random_seed(seed);
    graze_world *world = kit_world_with_gravity(0, -10);
    physics_floor(world, -100, 0, 100, 0);
    const double halves[4] = {0.25, 0.1, 0.05, 0.02};
    graze_body_def def = physics_box(0, 3, 1, halves[seed % 4], 1);
    def.angle = random_float(&random, -3, 3);
    def.velocity.x = random_float(&random, -2, 2);
    def.spin = random_float(&random, -1, 1);
    kit_add(world, def);
    double lowest = physics_energy(world), worst = 0;
    for (int step = 0; step < 300; ++step) {
        physics_run(world, 1);
        const double energy = physics_energy(world);
        lowest = fmin(lowest, energy);
        worst = fmax(worst, energy - lowest);
    }
    physics_note(tally, seed, worst, "it gets back %.6g", worst);
    graze_world_destroy(world);
}

static void a_plank_that_lands_on_one_end_gains_no_energy(void **state)
{
    (void)state;
    physics_play(400, play_plank);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_gas_among_fixed_bumpers_gains_no_energy),
        cmocka_unit_test(a_gas_that_falls_gains_no_energy),
        cmocka_unit_test(a_heap_of_masses_up_to_a_thousand_gains_no_energy),
        cmocka_unit_test(what_is_held_or_squeezed_gains_no_energy),
        cmocka_unit_test(a_box_that_hits_gains_no_energy),
        cmocka_unit_test(what_hits_with_restitution_one_keeps_its_energy),
        cmocka_unit_test(a_plank_that_lands_on_one_end_gains_no_energy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
