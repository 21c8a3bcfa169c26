// Joints cost nothing: what rolls or slides over chains, tiles and rows goes as on one segment.
#include "physics_kit.h"

/// What the way is made of.
typedef enum way { ONE_CHAIN, CHAINS, TILES, BLOCKS, MASSLESS, MIXED, CRATES, WAYS } way;

static const char *const way_names[WAYS] = {
    "one chain", "chains", "tiles", "driven rects", "rects of mass 0", "chains and rects of mass 0",
    "crates"};

static double random_double(random_state *random, double low, double high)
{
    return (double)random_float(random, (float)low, (float)high);
}

/// A ride along the x axis.
typedef struct ride {
    way kind;
    double length;   ///< Of a piece.
    double friction; ///< Of the way and the body.
    int pieces;
    bool first, falling; ///< The body is created first; pieces from right to left.
    graze_body_def body;
} ride;

static void add_chain(graze_world *world, const ride *of, int k, graze_surface surface)
{
    const float left = (float)(k * of->length), right = (float)((k + 1) * of->length);
    const graze_vec2 points[4] = {{left, 0}, {right, 0}, {right, -1}, {left, -1}};
    physics_chain(world, points, of->kind == TILES ? 4 : 2, of->kind == TILES, surface);
}

static void add_rect(graze_world *world, const ride *of, int k, graze_surface surface)
{
    graze_body_def def = physics_block((k + 0.5) * of->length, -0.5, of->length / 2, 0.5);
    def.response = of->kind == BLOCKS ? GRAZE_PASS : GRAZE_RIGID;
    def.mass = of->kind == CRATES ? 1e5f : 0;
    def.surface = surface;
    kit_add(world, def);
}

static void add_pieces(graze_world *world, const ride *of, graze_surface surface)
{
    for (int i = 0; i < of->pieces; ++i) {
        const int k = of->falling ? of->pieces - 1 - i : i;
        if (of->kind == CHAINS || of->kind == TILES || (of->kind == MIXED && k % 2)) {
            add_chain(world, of, k, surface);
        } else {
            add_rect(world, of, k, surface);
        }
    }
    if (of->kind == CRATES) { // They stand in a trough.
        const float end = (float)(of->pieces * of->length);
        const graze_vec2 trough[4] = {{0, -0.1f}, {0, -1}, {end, -1}, {end, -0.1f}};
        physics_chain(world, trough, 4, false, surface);
    }
}

static void add_way(graze_world *world, const ride *of, bool whole)
{
    enum { MOST = 128 };
    const graze_surface surface = physics_surface(of->friction, 0);
    const float end = (float)(of->pieces * of->length);
    graze_vec2 points[MOST] = {{0, 0}, {end, 0}};
    if (!whole && of->kind != ONE_CHAIN) {
        add_pieces(world, of, surface);
    } else {
        const uint32_t count = whole ? 2 : (uint32_t)of->pieces + 1;
        for (uint32_t i = 0; !whole && i < count; ++i) {
            points[of->falling ? count - 1 - i : i].x = (float)(i * of->length);
            points[i].y = 0;
        }
        physics_chain(world, points, count, false, surface);
    }
}

typedef struct outcome {
    double x, y, speed, spin, angle, highest, lowest;
} outcome;

static outcome play_ride(const ride *of, bool whole, int steps)
{
    graze_world *world = kit_world_with_gravity(0, -10);
    if (!of->first) {
        add_way(world, of, whole);
    }
    const graze_body_id body = kit_add(world, of->body);
    if (of->first) {
        add_way(world, of, whole);
    }
    outcome result = {.highest = -1, .lowest = 10};
    for (int step = 0; step < steps; ++step) {
        kit_step(world, physics_dt);
        const double y = (double)graze_body_position(world, body).y;
        result.highest = fmax(result.highest, y);
        result.lowest = fmin(result.lowest, y);
    }
    result.x = (double)graze_body_position(world, body).x;
    result.speed = (double)graze_body_velocity(world, body).x;
    result.spin = (double)graze_body_spin(world, body);
    result.angle = (double)graze_body_angle(world, body);
    graze_world_destroy(world);
    return result;
}

static void play_way(uint64_t seed, physics_tally *tally, way kind)
{
    random_state random = random_seed(seed);
    const bool is_round = random_below(&random, 2);
    const double size = random_double(&random, 0.2, 0.8),
                 half_x = size * random_double(&random, 0.8, 2);
    const double speed =
        pow(10, random_double(&random, 0, 1.4)) * (random_below(&random, 2) ? 1 : -1);
    ride of = {
        .kind = kind,
        .length = random_below(&random, 2) ? 1 : random_double(&random, 0.3, 3),
        .friction = is_round                   ? 0.6
                    : random_below(&random, 2) ? 0
                                               : 0.1,
        .pieces = 60,
        .first = random_below(&random, 2),
        .falling = random_below(&random, 2),
    };
    const double middle = of.length * of.pieces / 2;
    of.body =
        is_round ? physics_disc(middle, size, size, 1) : physics_box(middle, size, half_x, size, 1);
    of.body.position.x += (float)(random_below(&random, 2) ? 0 : random_double(&random, 0, 1));
    of.body.velocity.x = (float)speed;
    of.body.friction = (float)of.friction;
    of.body.spin = is_round ? (float)(-speed / size) : 0;
    of.body.never_sleeps = true;
    const double room = middle - fmax(half_x, size) - 1.5;
    const int steps = (int)fmin(120, room / fabs(speed) * 60);
    const outcome wanted = play_ride(&of, true, steps), found = play_ride(&of, false, steps);
    const double loss = fabs(found.speed - wanted.speed) / fabs(speed);
    const double rise = fmax(found.highest - wanted.highest, wanted.lowest - found.lowest) / size;
    const double turn = is_round ? fabs(found.spin - wanted.spin) * size / fabs(speed)
                                 : fabs(found.angle - wanted.angle);
    const double allowed = kind == CRATES ? 0.01 : 0.001;
    physics_note(
        tally, seed, fmax(loss, fmax(rise, turn)) / allowed,
        "%s of %.4g%s%s, a %s of %.4g at a speed of %.4g: speed %.6g, alone %.6g; rises by "
        "%.4g of its size; turns by %.4g",
        way_names[kind], of.length, of.falling ? ", right to left" : "",
        of.first ? ", created after the body" : "", is_round ? "disc" : "box", size, speed,
        found.speed, wanted.speed, rise, turn);
}

static void play_kind(way kind)
{
    physics_tally tally = {0};
    const uint32_t trials = physics_trials(300);
    for (uint32_t i = 0; i < trials; ++i) {
        play_way(physics_first_seed() + i, &tally, kind);
    }
    physics_assert_none_failed(&tally);
}

static void joints_of_a_chain_cost_nothing(void **state)
{
    (void)state;
    play_kind(ONE_CHAIN);
}

static void where_chains_meet_costs_nothing(void **state)
{
    (void)state;
    play_kind(CHAINS);
}

static void tiles_cost_nothing(void **state)
{
    (void)state;
    play_kind(TILES);
}

static void rows_of_driven_rects_cost_nothing(void **state)
{
    (void)state;
    play_kind(BLOCKS);
}

static void rows_of_rects_of_mass_0_cost_nothing(void **state)
{
    (void)state;
    play_kind(MASSLESS);
}

static void where_chains_meet_rects_of_mass_0_costs_nothing(void **state)
{
    (void)state;
    play_kind(MIXED);
}

static void rows_of_crates_cost_nothing(void **state)
{
    (void)state;
    play_kind(CRATES);
}

// A character presses against a stack of crates, which are not in line to the last bit, and jumps
// or falls along it: the joints are not in its way.
static void pass_stack(uint64_t seed, physics_tally *tally)
{
    static const graze_response responses[] = {GRAZE_SLIDE, GRAZE_BOUNCE, GRAZE_RIGID};
    random_state random = random_seed(seed);
    graze_world *world = kit_world_with_gravity(0, -20);
    physics_floor(world, -50, 0, 50, 0);
    physics_floor(world, 1, 0, 1, 20);
    graze_body_def crate = physics_box(0.5, 0, 0.5, 0.5, 50);
    crate.response = responses[random_below(&random, 3)];
    for (int k = 0; k < 8; ++k) {
        crate.position.y = 0.5f + (float)k;
        kit_add(world, crate);
    }
    physics_run(world, 90);
    const bool jumps = random_below(&random, 2);
    const float press = random_float(&random, 0.3f, 3);
    graze_body_def def =
        physics_box(-0.9 + (double)random_float(&random, 0, 0.3f), jumps ? 1 : 7, 0.3, 0.5, 1);
    def.response = GRAZE_SLIDE;
    def.friction = 0;
    def.velocity.y = jumps ? 14 : 0;
    const graze_body_id character = kit_add(world, def);
    double worst = 0;
    for (int step = 0; step < 35; ++step) {
        const float before = graze_body_velocity(world, character).y;
        graze_body_set_velocity(world, character, (graze_vec2){press, before});
        kit_step(world, physics_dt);
        const double fall = (double)before - (double)graze_body_velocity(world, character).y;
        const double height = (double)graze_body_position(world, character).y;
        const bool beside = height > 1 && height < 7.8;
        worst = beside ? fmax(worst, fabs(fall - 20 * (double)physics_dt)) : worst;
    }
    physics_note(tally, seed, worst / 0.5, "%s at %g: loses %g", jumps ? "jumps" : "falls",
                 (double)press, worst);
    graze_world_destroy(world);
}

static void joints_of_a_stack_are_not_in_the_way_of_what_presses_against_it(void **state)
{
    (void)state;
    physics_play(300, pass_stack);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(joints_of_a_chain_cost_nothing),
        cmocka_unit_test(where_chains_meet_costs_nothing),
        cmocka_unit_test(tiles_cost_nothing),
        cmocka_unit_test(rows_of_driven_rects_cost_nothing),
        cmocka_unit_test(rows_of_rects_of_mass_0_cost_nothing),
        cmocka_unit_test(where_chains_meet_rects_of_mass_0_costs_nothing),
        cmocka_unit_test(rows_of_crates_cost_nothing),
        cmocka_unit_test(joints_of_a_stack_are_not_in_the_way_of_what_presses_against_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
