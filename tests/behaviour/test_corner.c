// A box whose corner meets a corner of terrain exactly: the side that takes least of its motion
// deflects it, whichever chains the corner is of. It never sticks there.

#include "response_kit.h"
#include "world_kit.h"

#include <math.h>

#include "random.h"

/// Numbers that double holds exactly, but for faces that are not along an axis.
typedef struct direction {
    double x, y;
} direction;

/// Two walls that end at the origin, where a box meets them with one of its corners.
typedef struct meeting {
    int wall_x[2], wall_y[2];
    bool is_one_chain, reversed;
    int corner_x, corner_y; ///< Of the box: 1 or -1, each.
    direction velocity;     ///< Units per step.
} meeting;

static double product(direction one, direction other)
{
    return one.x * other.x + one.y * other.y;
}

// The direction into the face of a wall, for the box.
static direction face_of(const meeting *from, int wall)
{
    const double x = from->wall_x[wall], y = from->wall_y[wall];
    const double side = -x * from->corner_y + y * from->corner_x > 0 ? 1 : -1;
    const direction face = {side * y / hypot(x, y), -side * x / hypot(x, y)};
    return face;
}

// Whether the corner of terrain is met with this normal: it leads into neither wall from behind.
static bool is_of_terrain(const meeting *from, direction normal)
{
    const double rounding = 1e-12;
    for (int k = 0; k < 2; ++k) {
        const direction wall = {from->wall_x[k], from->wall_y[k]};
        if (product(wall, normal) < -rounding) {
            return false;
        }
    }
    return true;
}

static bool is_of_box(const meeting *from, direction normal)
{
    const double rounding = 1e-12;
    return normal.x * from->corner_x >= -rounding && normal.y * from->corner_y >= -rounding;
}

// Of the normals with which both corners may meet: those between two of the sides and faces.
static direction expect_velocity(const meeting *from)
{
    const direction normals[4] = {
        {from->corner_x, 0}, {0, from->corner_y}, face_of(from, 0), face_of(from, 1)};
    double least = (double)INFINITY;
    direction best = {0, 0};
    for (int k = 0; k < 4; ++k) {
        const double taken = product(from->velocity, normals[k]);
        if (is_of_box(from, normals[k]) && is_of_terrain(from, normals[k]) && taken < least) {
            least = taken;
            best = normals[k];
        }
    }
    least = fmax(least, 0); // It passes.
    const direction left = {from->velocity.x - least * best.x, from->velocity.y - least * best.y};
    return left;
}

static void add_walls(graze_world *world, const meeting *from)
{
    graze_vec2 points[3] = {{(float)from->wall_x[0], (float)from->wall_y[0]},
                            {0, 0},
                            {(float)from->wall_x[1], (float)from->wall_y[1]}};
    if (from->reversed) {
        const graze_vec2 first = points[0];
        points[0] = points[2];
        points[2] = first;
    }
    if (from->is_one_chain) {
        kit_chain(world, points, 3, false, false);
    } else {
        kit_chain(world, points, 2, false, false);
        kit_chain(world, points + 1, 2, false, false);
    }
}

static void meet(const meeting *from, uint64_t seed)
{
    graze_world *world = kit_world();
    add_walls(world, from);
    const float x = (float)(-0.5 * from->corner_x - from->velocity.x / 2);
    const float y = (float)(-0.5 * from->corner_y - from->velocity.y / 2);
    const graze_body_def def = kit_rect(x, y, 0.5f, 0.5f);
    const graze_body_id box = kit_add(world, kit_sliding(def, from->velocity.x, from->velocity.y));
    kit_step(world, 1);
    // Of two that take as much either may.
    const graze_vec2 velocity = graze_body_velocity(world, box);
    const direction expected = expect_velocity(from);
    const double speed = hypot((double)velocity.x, (double)velocity.y);
    const double expected_speed = hypot(expected.x, expected.y);
    if (fabs(speed - expected_speed) > 1e-6) {
        fail_msg("seed %u: walls to (%d, %d) and (%d, %d)%s, box with corner (%d, %d), velocity "
                 "(%g, %g): then (%g, %g), not (%g, %g)",
                 (unsigned)seed, from->wall_x[0], from->wall_y[0], from->wall_x[1], from->wall_y[1],
                 from->is_one_chain ? " of one chain" : "", from->corner_x, from->corner_y,
                 from->velocity.x, from->velocity.y, (double)velocity.x, (double)velocity.y,
                 expected.x, expected.y);
    }
    graze_world_destroy(world);
}

// The walls lead neither into the box nor along it, and make a corner that sticks out.
static bool is_fit(const meeting *from)
{
    for (int k = 0; k < 2; ++k) {
        const int x = from->wall_x[k] * from->corner_x, y = from->wall_y[k] * from->corner_y;
        if (x <= 0 && y <= 0) {
            return false;
        }
    }
    return from->wall_x[0] * from->wall_y[1] != from->wall_y[0] * from->wall_x[1] &&
           is_of_terrain(from, face_of(from, 0)) && is_of_terrain(from, face_of(from, 1)) &&
           (from->velocity.x * from->corner_x > 0 || from->velocity.y * from->corner_y > 0);
}

static int small_number(random_state *random)
{
    return (int)random_below(random, 9) - 4;
}

static meeting choose_meeting(random_state *random)
{
    meeting chosen;
    do {
        for (int k = 0; k < 2; ++k) {
            chosen.wall_x[k] = small_number(random);
            chosen.wall_y[k] = small_number(random);
        }
        chosen.is_one_chain = random_below(random, 2);
        chosen.reversed = random_below(random, 2);
        chosen.corner_x = random_below(random, 2) ? 1 : -1;
        chosen.corner_y = random_below(random, 2) ? 1 : -1;
        chosen.velocity.x = small_number(random) / 32.0;
        chosen.velocity.y = small_number(random) / 32.0;
    } while (!is_fit(&chosen));
    return chosen;
}

static void a_corner_at_a_corner_gives_way_as_little_as_it_can(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 10000; ++seed) {
        random_state random = random_seed(seed);
        const meeting chosen = choose_meeting(&random);
        meet(&chosen, seed);
    }
}

enum {
    TILE = 16,
    HALF = 12 ///< Of a box that does not fit a gap as large as a tile.
};

/// A wall of two tiles with a gap between, seen from one of eight sides.
typedef struct gap_wall {
    int turns;     ///< Quarters to the left,
    bool mirrored; ///< of what is mirrored before.
    bool is_faces; ///< The tiles are but the faces of the wall.
    bool far_first;
} gap_wall;

static graze_vec2 turn(const gap_wall *wall, float x, float y)
{
    graze_vec2 at = {x, wall->mirrored ? -y : y};
    for (int k = 0; k < wall->turns; ++k) {
        const graze_vec2 turned = {-at.y, at.x};
        at = turned;
    }
    return at;
}

static void add_tile(graze_world *world, const gap_wall *wall, float low)
{
    const graze_vec2 points[4] = {turn(wall, 0, low), turn(wall, 0, low + TILE),
                                  turn(wall, TILE, low + TILE), turn(wall, TILE, low)};
    kit_chain(world, points, wall->is_faces ? 2 : 4, !wall->is_faces, false);
}

// The box begins `ahead` steps before its corner meets that of the far tile.
static void steer_along(const gap_wall *wall, int push, int speed, int ahead)
{
    graze_world *world = kit_world();
    add_tile(world, wall, wall->far_first ? -2.0f * TILE : 0);
    add_tile(world, wall, wall->far_first ? 0 : -2.0f * TILE);
    const float y = (float)(HALF - TILE + speed * ahead);
    const graze_vec2 start = turn(wall, -HALF, y);
    const graze_body_def def = kit_rect(start.x, start.y, HALF, HALF);
    const graze_body_id box = kit_add(world, kit_sliding(def, 0, 0));
    const graze_vec2 velocity = turn(wall, (float)push, (float)-speed);
    enum { STEPS = 8 };
    for (int step = 0; step < STEPS; ++step) {
        graze_body_set_velocity(world, box, velocity);
        kit_step(world, 1);
    }
    const graze_vec2 end = turn(wall, -HALF, y - (float)(STEPS * speed));
    kit_assert_near_vec2(graze_body_position(world, box), end.x, end.y, 1e-2f);
    graze_world_destroy(world);
}

static void a_box_steered_at_a_wall_with_gaps_goes_along_it(void **state)
{
    (void)state;
    for (unsigned k = 0; k < 32; ++k) {
        const gap_wall wall = {(int)(k % 4), k / 4 % 2, k / 8 % 2, k / 16 % 2};
        for (int push = 1; push <= 4; ++push) {
            for (int speed = 1; speed <= 4; ++speed) {
                for (int ahead = 0; ahead < 3; ++ahead) {
                    steer_along(&wall, push, speed, ahead);
                }
            }
        }
    }
}

// A box that falls on a gap whose ends are both in its way by this much.
static graze_vec2 fall_on_gap(graze_response response, float x, float half, float lip)
{
    graze_world *world = kit_world_with_gravity(0, -10);
    kit_wall(world, x + half - lip, 0, x + 4 * half, 0);
    kit_wall(world, x - 4 * half, 0, x - half + lip, 0);
    graze_body_def box = kit_rect(x, 1.1f * half, half, half);
    box.response = response;
    const graze_body_id body = kit_add(world, box);
    for (int step = 0; step < 240; ++step) {
        assert_int_equal(graze_world_step(world, 1.0f / 60), GRAZE_OK);
    }
    const graze_vec2 place = graze_body_position(world, body);
    graze_world_destroy(world);
    return place;
}

// As chain.h has it: a 2^14th of its half size, plus a 2^20th of its coordinates, may be passed.
static void the_ends_of_a_gap_hold_what_they_are_in_the_way_of(void **state)
{
    (void)state;
    const graze_response responses[] = {GRAZE_STOP, GRAZE_SLIDE, GRAZE_BOUNCE};
    const float places[] = {0, 10, 100, 1000};
    const float halves[] = {0.5f, 1, 30};
    for (int k = 0; k < 36; ++k) {
        const float x = places[k % 4], half = halves[k / 4 % 3];
        const float passed = 0x1p-14f * half + 0x1p-20f * (x + 2 * half);
        const graze_vec2 place = fall_on_gap(responses[k / 12], x, half, 1.25f * passed);
        if (!(place.y > 0.99f * half)) {
            fail_msg("half %g at %g, response %d: it falls to %g", (double)half, (double)x,
                     (int)responses[k / 12], (double)place.y);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_ends_of_a_gap_hold_what_they_are_in_the_way_of),
        cmocka_unit_test(a_box_steered_at_a_wall_with_gaps_goes_along_it),
        cmocka_unit_test(a_corner_at_a_corner_gives_way_as_little_as_it_can),
    };
    return cmocka_run_group_tests_name("corner", tests, NULL, NULL);
}
