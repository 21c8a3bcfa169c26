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

// A floor of pieces whose tops are level, some of them crates. What goes over it sinks into those,
// as deep as springs let it: so it comes a little below what is next.
typedef struct bridge {
    graze_world *world;
    float direction, gap; ///< 1 or -1; the widest between two pieces.
    float end;            ///< How far it has come.
} bridge;

static void add_piece(random_state *random, bridge *to, bool gives_way)
{
    static const graze_response responses[] = {GRAZE_SLIDE, GRAZE_BOUNCE, GRAZE_RIGID};
    const float length = random_float(random, 1, 2.5f), left = to->end, right = to->end + length;
    const uint32_t kind = gives_way ? random_below(random, 3) : random_below(random, 5);
    if (kind == 3) {
        const float from = left * to->direction, until = right * to->direction;
        const graze_vec2 points[4] = {{from, 0.01f}, {from, 1}, {until, 1}, {until, 0.01f}};
        physics_chain(to->world, points, 4, false, physics_surface(0.6, 0));
    } else {
        const double middle = (double)(to->direction * (left + right) / 2);
        graze_body_def def = physics_box(middle, 0.5, (double)length / 2, 0.5, kind < 3 ? 20 : 0);
        def.response = kind < 3 ? responses[kind] : GRAZE_RIGID;
        kit_add(to->world, def);
    }
    to->end = right + (random_below(random, 2) ? 0 : random_float(random, 0, to->gap));
}

static void cross_bridge(uint64_t seed, physics_tally *tally)
{
    enum { PIECES = 10 };
    static const graze_response responses[] = {GRAZE_SLIDE, GRAZE_BOUNCE, GRAZE_RIGID};
    random_state random = random_seed(seed);
    const bool is_round = random_below(&random, 2);
    bridge over = {kit_world_with_gravity(0, -random_float(&random, 5, 25)),
                   random_below(&random, 2) ? 1.0f : -1.0f, is_round ? 0 : 0.15f, 0};
    physics_floor(over.world, -50, 0, 50, 0);
    for (int k = 0; k < PIECES; ++k) {
        add_piece(&random, &over, k == 0);
    }
    const double half = (double)random_float(&random, 0.2f, 0.4f);
    const float speed = over.direction * random_float(&random, 1, 10);
    graze_body_def def = is_round
                             ? physics_disc((double)over.direction * 0.5, 1 + half, half, 1)
                             : physics_box((double)over.direction * 0.5, 1 + half, 0.3, half, 1);
    def.response = responses[random_below(&random, 3)];
    def.friction = 0;
    graze_world *world = over.world;
    const graze_body_id body = kit_add(world, def);
    physics_run(world, 60);
    graze_body_set_velocity(world, body, (graze_vec2){speed, 0});
    double slowest = fabs((double)speed), x = 0;
    while (x < (double)over.end - 0.6 && slowest > 0.9 * fabs((double)speed)) {
        kit_step(world, physics_dt);
        x = (double)(graze_body_position(world, body).x * over.direction);
        slowest = fmin(slowest, (double)(graze_body_velocity(world, body).x * over.direction));
    }
    const double loss = 1 - slowest / fabs((double)speed);
    physics_note(tally, seed, loss / 0.02, "a %s of %g at %g: loses %g of its speed at %g",
                 is_round ? "disc" : "rect", half, (double)speed, loss, x);
    graze_world_destroy(world);
}

static void what_goes_from_crates_onto_level_ground_keeps_its_speed(void **state)
{
    (void)state;
    physics_play(300, cross_bridge);
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
        cmocka_unit_test(what_goes_from_crates_onto_level_ground_keeps_its_speed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
