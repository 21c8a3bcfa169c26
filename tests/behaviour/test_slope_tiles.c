// Slopes that are put together from chains: a box that comes down with its corner at a joint slides
// off, or bounces, as on a slope of one wall.

#include "response_kit.h"
#include "world_kit.h"

#include <math.h>

#include "random.h"

/// How a slope is made.
typedef enum slope_kind { SLOPE_OF_WALLS, SLOPE_OF_TILES, SLOPE_ONE_SIDED, SLOPE_KINDS } slope_kind;

static const char *const kind_names[SLOPE_KINDS] = {"walls", "tiles", "one-sided walls"};

/// One of the eight symmetries of the square.
typedef struct symmetry {
    bool swaps, flips_x, flips_y;
} symmetry;

/// A slope that rises by (x, y) on either side of the origin, where its joint is, and a box that
/// meets it there with its lower right corner; all of it as seen in a symmetry.
typedef struct landing {
    slope_kind kind;
    symmetry view;
    int x, y;
    bool first, reversed; ///< The order in which the walls are created, and their direction.
    graze_response response;
    double velocity_x, velocity_y; ///< Units per second.
    double aside;                  ///< How far up the slope the corner meets it, units.
    double time;                   ///< When; seconds.
} landing;

static graze_vec2 see(const landing *from, double x, double y)
{
    const double a = from->view.flips_x ? -x : x, b = from->view.flips_y ? -y : y;
    const graze_vec2 seen = {(float)(from->view.swaps ? b : a), (float)(from->view.swaps ? a : b)};
    return seen;
}

// A mirror image has its other side on the left.
static bool is_mirrored(const landing *from)
{
    return (from->view.swaps ^ from->view.flips_x ^ from->view.flips_y) & 1;
}

static void add_wall(graze_world *world, const landing *from, int ax, int ay, int bx, int by)
{
    graze_vec2 ends[2] = {see(from, ax, ay), see(from, bx, by)};
    const bool is_one_sided = from->kind == SLOPE_ONE_SIDED;
    const bool is_turned = is_one_sided ? is_mirrored(from) : from->reversed;
    if (is_turned) {
        const graze_vec2 a = ends[0];
        ends[0] = ends[1];
        ends[1] = a;
    }
    kit_chain(world, ends, 2, false, is_one_sided);
}

// The corners of each tile follow each other against the clock, but for mirror images.
static void add_tile(graze_world *world, const landing *from, const int corners[][2],
                     uint32_t count)
{
    graze_vec2 points[4];
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t place = is_mirrored(from) ? count - 1 - i : i;
        points[place] = see(from, corners[i][0], corners[i][1]);
    }
    kit_chain(world, points, count, true, false);
}

static void add_half(graze_world *world, const landing *from, bool upper)
{
    const int x = from->x, y = from->y;
    if (from->kind != SLOPE_OF_TILES) {
        add_wall(world, from, upper ? 0 : -x, upper ? 0 : -y, upper ? x : 0, upper ? y : 0);
    } else if (upper) {
        const int wedge[3][2] = {{0, 0}, {x, 0}, {x, y}};
        const int block[4][2] = {{0, -y}, {x, -y}, {x, 0}, {0, 0}};
        add_tile(world, from, wedge, 3);
        add_tile(world, from, block, 4);
    } else {
        const int wedge[3][2] = {{-x, -y}, {0, -y}, {0, 0}};
        add_tile(world, from, wedge, 3);
    }
}

static landing choose_landing(random_state *random)
{
    static const int slopes[][2] = {{1, 1}, {2, 1}, {1, 2}, {4, 3}, {3, 4}, {12, 5}, {5, 12}};
    static const double asides[] = {0, 0, 0, 1e-7, -1e-7, 1e-5, -1e-5, 1e-3, -1e-3, 1e-2, -1e-2};
    const int *slope = slopes[random_below(random, 7)];
    landing chosen = {
        .kind = (slope_kind)random_below(random, SLOPE_KINDS),
        .view = {random_below(random, 2), random_below(random, 2), random_below(random, 2)},
        .x = slope[0],
        .y = slope[1],
        .first = random_below(random, 2),
        .reversed = random_below(random, 2),
        .response = random_below(random, 2) ? GRAZE_SLIDE : GRAZE_BOUNCE,
        .aside = asides[random_below(random, 11)],
        .time = random_below(random, 4) * 0.25,
    };
    do {
        chosen.velocity_x = (double)(1 + random_below(random, 8)) / 32;
        chosen.velocity_y = ((double)random_below(random, 17) - 8) / 32;
    } while (chosen.velocity_x * chosen.y <= chosen.velocity_y * chosen.x);
    return chosen;
}

// What is left of its velocity: all that leads along the slope, and, if it bounces, the rest
// turned around.
static graze_vec2 expect_velocity(const landing *from)
{
    const double length2 = (double)(from->x * from->x + from->y * from->y);
    const double into = (from->velocity_x * from->y - from->velocity_y * from->x) / length2;
    const double share = from->response == GRAZE_BOUNCE ? 2 * into : into;
    return see(from, from->velocity_x - share * from->y, from->velocity_y + share * from->x);
}

static graze_body_id add_box(graze_world *world, const landing *from)
{
    const double length = hypot(from->x, from->y);
    const double corner_x = from->aside * from->x / length - from->velocity_x * from->time;
    const double corner_y = from->aside * from->y / length - from->velocity_y * from->time;
    const graze_vec2 position = see(from, corner_x - 0.5, corner_y + 0.5);
    const graze_vec2 velocity = see(from, from->velocity_x, from->velocity_y);
    graze_body_def def = kit_rect(position.x, position.y, 0.5f, 0.5f);
    def.restitution = 1;
    return kit_add(world, kit_moving(def, velocity.x, velocity.y, from->response));
}

static void land(const landing *from, uint64_t seed)
{
    graze_world *world = kit_world();
    add_half(world, from, from->first);
    add_half(world, from, !from->first);
    const graze_body_id box = add_box(world, from);
    kit_step(world, 1);
    const graze_vec2 velocity = graze_body_velocity(world, box);
    const graze_vec2 expected = expect_velocity(from);
    const float off = graze_vec2_length(graze_vec2_sub(velocity, expected));
    if (off > 1e-5f) {
        fail_msg("seed %u: a slope of %s, %d x %d: velocity %g, %g, not %g, %g", (unsigned)seed,
                 kind_names[from->kind], from->x, from->y, (double)velocity.x, (double)velocity.y,
                 (double)expected.x, (double)expected.y);
    }
    graze_world_destroy(world);
}

static void a_box_lands_on_a_joint_as_on_a_single_wall(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 20000; ++seed) {
        random_state random = random_seed(seed);
        const landing chosen = choose_landing(&random);
        land(&chosen, seed);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_box_lands_on_a_joint_as_on_a_single_wall),
    };
    return cmocka_run_group_tests_name("slope_tiles", tests, NULL, NULL);
}
