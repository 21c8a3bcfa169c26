// Rigid bodies never leak: no centre crosses terrain, whatever they hit, and whatever presses them.
// A body that something deflects may go around the end of a line within a step: then only what is
// closed is asked whether it is still on the same side.
#include "physics_kit.h"

static const double pi = 3.14159265358979323846;

enum { MOST_WALLS = 400, MOST_LOOPS = 64, MOST_BODIES = 40, STEPS = 50 };

/// Walls that close.
typedef struct loop {
    uint32_t first, count;
    bool one_sided;
} loop;

/// Terrain that nothing may cross, and what flies in it.
typedef struct maze {
    graze_world *world;
    graze_segment walls[MOST_WALLS];
    uint32_t wall_count;
    loop loops[MOST_LOOPS];
    uint32_t loop_count;
    graze_body_id bodies[MOST_BODIES], crushers[8];
    uint32_t body_count, crusher_count;
} maze;

static double random_double(random_state *random, double low, double high)
{
    return (double)random_float(random, (float)low, (float)high);
}

static void add_chain(maze *of, random_state *random, const graze_vec2 *points, uint32_t count,
                      bool closed, bool one_sided)
{
    graze_chain_def def = graze_chain_def_default();
    def.points = points;
    def.count = count;
    def.loop = closed;
    def.one_sided = one_sided;
    def.surface = physics_surface(random_double(random, 0, 1), random_double(random, 0, 1));
    const graze_chain_id chain = graze_chain_create(of->world, &def);
    assert_true(graze_chain_is_valid(of->world, chain));
    if (closed) {
        of->loops[of->loop_count].first = of->wall_count;
        of->loops[of->loop_count].count = count;
        of->loops[of->loop_count++].one_sided = one_sided;
    }
    for (uint32_t i = 0; i < count - !closed; ++i) {
        const graze_segment wall = {points[i], points[(i + 1) % count]};
        of->walls[of->wall_count++] = wall;
    }
}

static graze_vec2 point_at(double x, double y)
{
    const graze_vec2 point = {(float)x, (float)y};
    return point;
}

// A room, solid from both sides or only from within.
static void add_room(maze *of, random_state *random, double half)
{
    const graze_vec2 points[4] = {point_at(-half, -half), point_at(half, -half),
                                  point_at(half, half), point_at(-half, half)};
    add_chain(of, random, points, 4, true, random_below(random, 3) == 0);
}

// A line that bends at random, open or closed.
static void add_line(maze *of, random_state *random, double half)
{
    graze_vec2 points[8];
    double x = random_double(random, -half, half), y = random_double(random, -half, half);
    double angle = random_double(random, -pi, pi);
    const uint32_t count = 2 + random_below(random, 7);
    for (uint32_t i = 0; i < count; ++i) {
        points[i] = point_at(x, y);
        angle += random_double(random, -2, 2);
        const double length = random_double(random, 0.2, 4);
        x = fmax(-half, fmin(half, x + length * cos(angle)));
        y = fmax(-half, fmin(half, y + length * sin(angle)));
    }
    add_chain(of, random, points, count, count > 2 && random_below(random, 2), false);
}

// Squares in a row, each a loop of its own.
static void add_tiles(maze *of, random_state *random, double half)
{
    const double x = floor(random_double(random, -half, half - 5));
    const double y = floor(random_double(random, -half, half - 2));
    for (uint32_t i = 0; i < 2 + random_below(random, 4); ++i) {
        const double left = x + i;
        const graze_vec2 points[4] = {point_at(left, y), point_at(left + 1, y),
                                      point_at(left + 1, y + 1), point_at(left, y + 1)};
        add_chain(of, random, points, 4, true, false);
    }
}

static void add_body(maze *of, random_state *random, double half, double speed)
{
    const double x = random_double(random, -half, half), y = random_double(random, -half, half);
    const double size = random_double(random, 0.1, 0.7);
    graze_body_def def = random_below(random, 2)
                             ? physics_disc(x, y, size, 1)
                             : physics_box(x, y, size, random_double(random, 0.05, 0.7), 1);
    const double angle = random_double(random, -pi, pi);
    def.angle = (float)random_double(random, -pi, pi);
    def.velocity = point_at(speed * cos(angle), speed * sin(angle));
    def.spin = (float)random_double(random, -20, 20);
    def.mass = (float)pow(10, random_double(random, -1.5, 1.5));
    def.surface = physics_surface(random_double(random, 0, 1), random_double(random, 0, 1));
    of->bodies[of->body_count++] = kit_add(of->world, def);
}

static void add_crusher(maze *of, random_state *random, double half)
{
    graze_body_def def =
        physics_block(random_double(random, -half, half), random_double(random, -half, half),
                      random_double(random, 0.3, 2), random_double(random, 0.3, 2));
    def.angle = (float)random_double(random, -pi, pi);
    def.velocity = point_at(random_double(random, -10, 10), random_double(random, -10, 10));
    def.spin = (float)random_double(random, -3, 3);
    of->crushers[of->crusher_count++] = kit_add(of->world, def);
}

static void build(maze *of, random_state *random, double speed)
{
    const double half = random_double(random, 6, 10);
    of->world = random_below(random, 2) ? kit_world_with_gravity(0, -10) : kit_world();
    of->wall_count = of->loop_count = of->body_count = of->crusher_count = 0;
    add_room(of, random, half);
    for (uint32_t i = random_below(random, 8); i > 0; --i) {
        add_line(of, random, half);
    }
    for (uint32_t i = random_below(random, 4); i > 0; --i) {
        add_tiles(of, random, half);
    }
    for (uint32_t i = random_below(random, 4); i > 0; --i) {
        add_crusher(of, random, half);
    }
    for (int i = 0; i < MOST_BODIES; ++i) {
        add_body(of, random, half - 0.8, speed);
    }
}

// Whether a loop is around a place: a way from far outside crosses an odd number of its walls.
static bool is_within(const maze *of, const loop *around, graze_vec2 place)
{
    const graze_vec2 far = {123.25f, 917.5f};
    bool within = false;
    for (uint32_t i = around->first; i < around->first + around->count; ++i) {
        within ^= graze_crosses(far, place, of->walls[i]);
    }
    return within;
}

static const graze_segment *find_broken_loop(const maze *of, graze_vec2 from, graze_vec2 to)
{
    for (uint32_t i = 0; i < of->loop_count; ++i) {
        const loop *around = &of->loops[i];
        const bool before = is_within(of, around, from), after = is_within(of, around, to);
        if (before != after && (before || !around->one_sided)) {
            return &of->walls[around->first];
        }
    }
    return NULL;
}

static const graze_segment *find_crossed(const maze *of, graze_vec2 from, graze_vec2 to)
{
    for (uint32_t i = 0; i < of->wall_count; ++i) {
        if (graze_crosses(from, to, of->walls[i])) {
            return &of->walls[i];
        }
    }
    return NULL;
}

static bool was_deflected(const maze *of, graze_body_id body)
{
    const graze_contact_list contacts = graze_world_contacts(of->world);
    for (uint32_t i = 0; i < contacts.count; ++i) {
        const graze_contact *contact = &contacts.data[i];
        if ((contact->flags & GRAZE_CONTACT_BLOCKED) &&
            (graze_body_id_equal(contact->a, body) || graze_body_id_equal(contact->b, body))) {
            return true;
        }
    }
    return false;
}

static const graze_segment *find_leak(const maze *of, graze_body_id body, graze_vec2 from,
                                      graze_vec2 to)
{
    const graze_segment *broken = find_broken_loop(of, from, to);
    return broken ? broken : was_deflected(of, body) ? NULL : find_crossed(of, from, to);
}

static bool step_maze(maze *of, uint64_t seed, int step, double speed, physics_tally *tally)
{
    graze_vec2 before[MOST_BODIES];
    for (uint32_t i = 0; i < of->body_count; ++i) {
        before[i] = graze_body_position(of->world, of->bodies[i]);
    }
    kit_step(of->world, physics_dt);
    for (uint32_t i = 0; i < of->body_count; ++i) {
        const graze_vec2 to = graze_body_position(of->world, of->bodies[i]);
        const graze_segment *wall = find_leak(of, of->bodies[i], before[i], to);
        if (wall) {
            physics_note(tally, seed, 2,
                         "speed %g, step %d: body %u from (%.9g, %.9g) to (%.9g, %.9g) through "
                         "(%.9g, %.9g) to (%.9g, %.9g)",
                         speed, step, (unsigned)i, (double)before[i].x, (double)before[i].y,
                         (double)to.x, (double)to.y, (double)wall->a.x, (double)wall->a.y,
                         (double)wall->b.x, (double)wall->b.y);
            return false;
        }
    }
    return true;
}

static void play_maze(uint64_t seed, physics_tally *tally)
{
    random_state random = random_seed(seed);
    const double speed = 5 * pow(160, random_double(&random, 0, 1));
    maze of;
    build(&of, &random, speed);
    int step = 0;
    while (step < STEPS && step_maze(&of, seed, step, speed, tally)) {
        ++step;
    }
    if (step == STEPS) {
        physics_note(tally, seed, 0, "nothing leaks");
    }
    graze_world_destroy(of.world);
}

// 40 bodies for 50 steps: 500 worlds are a million.
static void no_centre_of_a_rigid_body_crosses_terrain(void **state)
{
    (void)state;
    physics_play(500, play_maze);
}

enum { PEAKS = 21 };

static void add_peaks(graze_world *world, random_state *random, graze_vec2 *points)
{
    for (uint32_t i = 0; i < PEAKS; ++i) {
        points[i] = point_at((double)i - PEAKS / 2, random_double(random, -2, 2));
    }
    graze_chain_def def = graze_chain_def_default();
    def.points = points;
    def.count = PEAKS;
    def.one_sided = true;
    assert_true(graze_chain_is_valid(world, graze_chain_create(world, &def)));
}

static graze_body_id add_plank(graze_world *world, random_state *random)
{
    graze_body_def def =
        physics_box(random_double(random, -3, 3), random_double(random, 3.5, 5),
                    random_double(random, 0.1, 0.5), random_double(random, 0.4, 1), 1);
    def.angle = random_float(random, -3, 3);
    def.spin = random_float(random, -8, 8);
    def.velocity = point_at(random_double(random, -3, 3), -exp(random_double(random, 0, 4)));
    def.restitution = fmaxf(random_float(random, -1, 1), 0);
    return graze_body_create(world, &def);
}

static double height_over(const graze_vec2 *points, graze_vec2 place)
{
    const double along_x = (double)place.x - (double)points[0].x;
    const uint32_t k = (uint32_t)along_x;
    const double low = (double)points[k].y, high = (double)points[k + 1].y;
    return (double)place.y - low - (high - low) * (along_x - k);
}

static void drop_plank(uint64_t seed, physics_tally *tally)
{
    random_state random = random_seed(seed);
    graze_vec2 points[PEAKS], place;
    graze_world *world = kit_world_with_gravity(0, -10);
    add_peaks(world, &random, points);
    const graze_body_id body = add_plank(world, &random);
    double height = 0;
    for (int step = 0; step < 100 && height >= -1e-3; ++step) {
        kit_step(world, physics_dt);
        place = graze_body_position(world, body);
        height = fabs((double)place.x) < PEAKS / 2 ? height_over(points, place) : height;
    }
    physics_note(tally, seed, -height / 1e-3, "it is %g over the ground", height);
    graze_world_destroy(world);
}

// What is between two peaks is on the left of both sides of each. It turns far in a step in which
// it hits one of them, and rolls over them.
static void a_rect_does_not_turn_through_one_sided_peaks(void **state)
{
    (void)state;
    physics_play(2200, drop_plank);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_centre_of_a_rigid_body_crosses_terrain),
        cmocka_unit_test(a_rect_does_not_turn_through_one_sided_peaks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
