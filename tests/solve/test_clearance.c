// Bodies that trajectory.c says have no wall within reach, against all walls, one after the other.

#include "response_kit.h"
#include "world_kit.h"

#include "world/world_state.h"

#include <graze/overlap.h>

#include <math.h>

#include "random.h"

enum { WORLDS = 40, BODIES = 60, WALLS = 24, STEPS = 30 };

#define ROOM 30.0f ///< Half of the side of what the bodies are strewn over.

typedef struct strewn {
    graze_world *world;
    uint64_t seed;
    graze_segment walls[WALLS];
    graze_vec2 starts[BODIES + 1]; ///< Positions before the step, by index.
    uint32_t counts[2];            ///< Bodies seen: near walls, and clear of them.
} strewn;

static graze_vec2 draw_point(random_state *random, graze_vec2 middle, float half)
{
    const graze_vec2 point = {middle.x + random_float(random, -half, half),
                              middle.y + random_float(random, -half, half)};
    return point;
}

// Some walls are short, as in a curve, and far from the origin everything is rounded.
static void add_walls(strewn *of, random_state *random, graze_vec2 middle)
{
    for (int k = 0; k < WALLS; ++k) {
        graze_segment *wall = &of->walls[k];
        wall->a = draw_point(random, middle, ROOM);
        wall->b = draw_point(random, wall->a, k % 3 ? 2 : ROOM);
        kit_wall(of->world, wall->a.x, wall->a.y, wall->b.x, wall->b.y);
    }
}

static void add_bodies(const strewn *of, random_state *random, graze_vec2 middle)
{
    static const graze_response responses[] = {GRAZE_SLIDE, GRAZE_BOUNCE, GRAZE_STOP};
    for (int k = 0; k < BODIES; ++k) {
        const graze_vec2 at = draw_point(random, middle, ROOM);
        const float half = random_float(random, 0.1f, 1);
        graze_body_def def = k % 2 ? kit_circle(at.x, at.y, half) : kit_rect(at.x, at.y, 1, half);
        def.velocity = draw_point(random, (graze_vec2){0, 0}, k % 5 ? 6 : 200);
        def.spin = k % 4 ? 0 : 3;
        def.response = responses[random_below(random, 3)];
        kit_add(of->world, def);
    }
}

static bool is_near(graze_segment wall, graze_vec2 at, double reach)
{
    const graze_rotation upright = {1, 0};
    const graze_rect around = {at, {(float)reach, (float)reach}, upright};
    return graze_overlap_rect_segment(around, wall);
}

static double size_of(const strewn *of, uint32_t index)
{
    const graze_vec2 half = of->world->bodies.rows.half[of->world->bodies.row_of_index.data[index]];
    return (double)(half.x < half.y ? half.x : half.y);
}

static void fail_near(const strewn *of, int step, uint32_t index, int wall)
{
    fail_msg("seed %llu, step %d: body %u is not clear of wall %d", (unsigned long long)of->seed,
             step, index, wall);
}

// The smaller half size of a body fits any box around it. Bodies that overlapped are pushed apart
// at the end of the step, and may leave their reach then.
static void check_motion(const strewn *of, const grz_trajectory *motion, int step)
{
    const double size = size_of(of, motion->index);
    const uint32_t knots = motion->count - motion->shoved;
    for (int k = 0; k < WALLS; ++k) {
        bool near = is_near(of->walls[k], motion->at[0], motion->reach + size * (1 + 0x1p-8));
        for (uint32_t knot = 0; knot < knots; ++knot) {
            near = near || is_near(of->walls[k], motion->at[knot], size);
        }
        if (near) {
            fail_near(of, step, motion->index, k);
        }
    }
}

// A body without a motion went straight.
static void check_straight(const strewn *of, uint32_t index, int step)
{
    const graze_vec2 start = of->starts[index];
    const graze_vec2 end =
        of->world->bodies.rows.position[of->world->bodies.row_of_index.data[index]];
    const double way = hypot((double)end.x - (double)start.x, (double)end.y - (double)start.y);
    const double size = size_of(of, index);
    for (int k = 0; k < WALLS; ++k) {
        if (is_near(of->walls[k], start, way + size * (1 + 0x1p-8))) {
            fail_near(of, step, index, k);
        }
    }
}

static void note_starts(strewn *of)
{
    const grz_rows *rows = &of->world->bodies.rows;
    for (uint32_t row = 0; row < BODIES; ++row) {
        assert_true((uint32_t)rows->index[row] <= BODIES);
        of->starts[rows->index[row]] = rows->position[row];
    }
}

static bool is_solved(const graze_world *world, uint32_t index)
{
    bool found = false;
    for (uint32_t slot = 0; slot < world->solve.rigid_count; ++slot) {
        found = found ||
                (world->solve.ends.data[slot].index == index && !world->solve.flies.data[slot]);
    }
    return found;
}

// A body without a motion is clear, unless the solver has moved it.
static void check_step(strewn *of, int step)
{
    const graze_world *world = of->world;
    bool has_motion[BODIES + 1] = {false};
    note_starts(of);
    kit_step(of->world, 1.0f / 60);
    for (uint32_t m = 0; m < world->impacts.trajectories.count; ++m) {
        const grz_trajectory *motion = &world->impacts.trajectories.data[m];
        has_motion[motion->index] = true;
        ++of->counts[motion->is_clear];
        if (motion->is_clear) {
            check_motion(of, motion, step);
        }
    }
    for (uint32_t row = 0; row < world->bodies.active_count; ++row) {
        if (!has_motion[world->bodies.rows.index[row]] &&
            !is_solved(world, world->bodies.rows.index[row])) {
            ++of->counts[1];
            check_straight(of, world->bodies.rows.index[row], step);
        }
    }
}

static void what_is_clear_has_no_wall_within_reach(void **state)
{
    (void)state;
    uint32_t clear = 0, walled = 0;
    for (uint64_t seed = 1; seed <= WORLDS; ++seed) {
        random_state random = random_seed(seed);
        const graze_vec2 middle = {seed % 2 ? 0 : 1e6f, seed % 3 ? 0 : -3e5f};
        strewn of = {.world = kit_world_with_gravity(0, seed % 2 ? -10 : 0), .seed = seed};
        add_walls(&of, &random, middle);
        add_bodies(&of, &random, middle);
        for (int step = 0; step < STEPS; ++step) {
            check_step(&of, step);
        }
        clear += of.counts[1];
        walled += of.counts[0];
        graze_world_destroy(of.world);
    }
    assert_true(clear > WORLDS * BODIES * STEPS / 8);
    assert_true(walled > WORLDS * BODIES * STEPS / 50);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_clear_has_no_wall_within_reach),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
