// Boxes in maps of tiles, at whole pixels and speeds: touches at the very end of a step, sides in
// line with joints, and pushes at exactly 45 degrees are the rule there.

#include "response_kit.h"
#include "world_kit.h"

#include <math.h>
#include <string.h>

#include "random.h"

enum {
    TILE = 16,
    SIDE = 24, ///< Tiles along each side of a map.
    WALKERS = 12,
    STEPS = 60
};

typedef enum tile_kind { TILE_OF_LOOP, TILE_OF_EDGES, TILE_OF_BODY, TILE_KINDS } tile_kind;

static const char *const kind_names[TILE_KINDS] = {"loops", "edges", "bodies"};

/// Which tiles of a map are solid. All at its border are.
typedef struct tile_map {
    bool solid[SIDE][SIDE]; ///< By y, then x.
} tile_map;

static bool is_solid(const tile_map *map, int x, int y)
{
    return x < 0 || y < 0 || x >= SIDE || y >= SIDE || map->solid[y][x];
}

static void add_edge(graze_world *world, float ax, float ay, float bx, float by)
{
    const graze_vec2 ends[2] = {{ax * TILE, ay * TILE}, {bx * TILE, by * TILE}};
    kit_chain(world, ends, 2, false, false);
}

// Only those between a tile and the open, as some editors write them.
static void add_edges(graze_world *world, const tile_map *map, int x, int y)
{
    const float left = (float)x, low = (float)y;
    if (!is_solid(map, x, y - 1)) {
        add_edge(world, left, low, left + 1, low);
    }
    if (!is_solid(map, x + 1, y)) {
        add_edge(world, left + 1, low, left + 1, low + 1);
    }
    if (!is_solid(map, x, y + 1)) {
        add_edge(world, left + 1, low + 1, left, low + 1);
    }
    if (!is_solid(map, x - 1, y)) {
        add_edge(world, left, low + 1, left, low);
    }
}

static void add_loop(graze_world *world, float x, float y)
{
    const graze_vec2 corners[4] = {{x, y}, {x + TILE, y}, {x + TILE, y + TILE}, {x, y + TILE}};
    kit_chain(world, corners, 4, true, false);
}

// Of a category of its own: tiles do not meet each other.
static void add_body(graze_world *world, float x, float y)
{
    graze_body_def def = kit_rect(x + TILE / 2.0f, y + TILE / 2.0f, TILE / 2.0f, TILE / 2.0f);
    def.mass = 0;
    def.filter.category = 2;
    def.filter.mask = 1;
    kit_add(world, def);
}

static void add_tile(graze_world *world, const tile_map *map, tile_kind kind, int x, int y)
{
    if (kind == TILE_OF_LOOP) {
        add_loop(world, (float)(x * TILE), (float)(y * TILE));
    } else if (kind == TILE_OF_EDGES) {
        add_edges(world, map, x, y);
    } else {
        add_body(world, (float)(x * TILE), (float)(y * TILE));
    }
}

static graze_world *make_world(const tile_map *map, tile_kind kind)
{
    graze_world *world = kit_world();
    for (int y = 0; y < SIDE; ++y) {
        for (int x = 0; x < SIDE; ++x) {
            if (map->solid[y][x]) {
                add_tile(world, map, kind, x, y);
            }
        }
    }
    return world;
}

static tile_map draw_map(random_state *random)
{
    tile_map map;
    const uint32_t density = 1 + random_below(random, 5);
    for (int y = 0; y < SIDE; ++y) {
        for (int x = 0; x < SIDE; ++x) {
            const bool at_border = x == 0 || y == 0 || x == SIDE - 1 || y == SIDE - 1;
            map.solid[y][x] = at_border || random_below(random, 20) < density;
        }
    }
    for (uint32_t wall = random_below(random, 12); wall > 0; --wall) {
        const uint32_t y = random_below(random, SIDE);
        const uint32_t x = random_below(random, SIDE - 8);
        memset(&map.solid[y][x], true, 8);
    }
    return map;
}

// --- The model: a point among tiles that are larger by the half sizes of the box ---

/// A box, or what is left of its move.
typedef struct model_box {
    double at[2], half[2], move[2];
} model_box;

/// The first tile in the way.
typedef struct model_hit {
    double time;       ///< Of the move; above 1: none.
    bool blocks[2];    ///< On which axes.
    bool is_by_chance; ///< It meets a corner, so that either axis may block it.
} model_hit;

static void meet_tile(const model_box *box, const int tile[2], model_hit *hit)
{
    double enters[2], leaves[2];
    for (int axis = 0; axis < 2; ++axis) {
        const double lower = tile[axis] * TILE - box->half[axis] - box->at[axis];
        const double upper = lower + TILE + 2 * box->half[axis];
        const double move = box->move[axis];
        if (move == 0) {
            const bool is_between = lower < 0 && upper > 0;
            enters[axis] = is_between ? -(double)INFINITY : (double)INFINITY;
            leaves[axis] = is_between ? (double)INFINITY : -(double)INFINITY;
        } else {
            enters[axis] = (move > 0 ? lower : upper) / move;
            leaves[axis] = (move > 0 ? upper : lower) / move;
        }
    }
    const double tiny = 1e-9;
    const double enter = fmax(enters[0], enters[1]);
    const double leave = fmin(leaves[0], leaves[1]);
    if (!(enter > -tiny && enter < 1 - tiny && enter < leave - tiny && enter <= hit->time + tiny)) {
        return;
    }
    if (enter < hit->time - tiny) {
        const model_hit first = {enter, {false, false}, false};
        *hit = first;
    }
    hit->is_by_chance |= fabs(enters[0] - enters[1]) < tiny;
    hit->blocks[enters[0] > enters[1] ? 0 : 1] = true;
}

static model_hit find_hit(const tile_map *map, const model_box *box)
{
    model_hit hit = {2, {false, false}, false};
    for (int y = 0; y < SIDE; ++y) {
        for (int x = 0; x < SIDE; ++x) {
            if (map->solid[y][x]) {
                const int tile[2] = {x, y};
                meet_tile(box, tile, &hit);
            }
        }
    }
    return hit;
}

// Returns false where chance decides how it goes on.
static bool move_model(const tile_map *map, model_box *box)
{
    for (;;) {
        const model_hit hit = find_hit(map, box);
        const double time = fmin(hit.time, 1);
        for (int axis = 0; axis < 2; ++axis) {
            box->at[axis] += box->move[axis] * time;
            box->move[axis] *= hit.blocks[axis] ? 0 : 1 - time;
            box->at[axis] = hit.blocks[axis] ? rint(box->at[axis]) : box->at[axis];
        }
        if (hit.time > 1 || hit.is_by_chance) {
            return !hit.is_by_chance;
        }
    }
}

static bool is_in_tile(const tile_map *map, const model_box *box)
{
    for (int y = 0; y < SIDE; ++y) {
        for (int x = 0; x < SIDE; ++x) {
            if (map->solid[y][x] &&
                fabs(box->at[0] - (x + 0.5) * TILE) < box->half[0] + TILE / 2.0 &&
                fabs(box->at[1] - (y + 0.5) * TILE) < box->half[1] + TILE / 2.0) {
                return true;
            }
        }
    }
    return false;
}

// --- Random walks in random maps ---

static model_box draw_box(random_state *random, const tile_map *map)
{
    model_box box;
    for (int axis = 0; axis < 2; ++axis) {
        box.half[axis] = random_below(random, 2) ? 8 : 2 + random_below(random, 9);
        box.move[axis] = 0;
    }
    do {
        box.at[0] = TILE + random_below(random, (SIDE - 2) * TILE);
        box.at[1] = TILE + random_below(random, (SIDE - 2) * TILE);
    } while (is_in_tile(map, &box));
    return box;
}

// A push of more than the half size may hold it (chain.h, Joints).
static int draw_push(random_state *random, const model_box *box)
{
    const uint32_t most = (uint32_t)fmin(box->half[0], box->half[1]) - 1;
    return random_below(random, 3) ? (int)random_below(random, 2 * most + 1) - (int)most : 0;
}

static void walk(graze_world *world, const tile_map *map, random_state *random, const char *what,
                 unsigned seed)
{
    model_box box = draw_box(random, map);
    graze_body_def def =
        kit_rect((float)box.at[0], (float)box.at[1], (float)box.half[0], (float)box.half[1]);
    def.response = random_below(random, 2) ? GRAZE_SLIDE : GRAZE_BOUNCE;
    const graze_body_id body = kit_add(world, def);
    int push[2] = {0, 0};
    for (int step = 0; step < STEPS && !is_in_tile(map, &box); ++step) {
        for (int axis = 0; axis < 2; ++axis) {
            push[axis] = random_below(random, 4) ? push[axis] : draw_push(random, &box);
            box.move[axis] = push[axis];
        }
        const model_box start = box;
        const graze_vec2 velocity = {(float)push[0], (float)push[1]};
        graze_body_set_velocity(world, body, velocity);
        kit_step(world, 1);
        const graze_vec2 at = graze_body_position(world, body);
        if (move_model(map, &box) &&
            (fabs((double)at.x - box.at[0]) > 0.01 || fabs((double)at.y - box.at[1]) > 0.01)) {
            fail_msg("%s, seed %u, step %d: %g x %g at %g, %g pushed by %d, %d comes to %.9g, %.9g "
                     "instead of %g, %g",
                     what, seed, step, 2 * box.half[0], 2 * box.half[1], start.at[0], start.at[1],
                     push[0], push[1], (double)at.x, (double)at.y, box.at[0], box.at[1]);
        }
        box.at[0] = rint((double)at.x);
        box.at[1] = rint((double)at.y);
        const graze_vec2 whole = {(float)box.at[0], (float)box.at[1]};
        graze_body_set_position(world, body, whole);
    }
    graze_body_destroy(world, body);
}

static void boxes_go_where_a_model_of_tiles_lets_them(void **state)
{
    (void)state;
    for (unsigned seed = 0; seed < 90; ++seed) {
        random_state random = random_seed(seed);
        const tile_map map = draw_map(&random);
        const tile_kind kind = (tile_kind)(seed % TILE_KINDS);
        graze_world *world = make_world(&map, kind);
        for (int walker = 0; walker < WALKERS; ++walker) {
            walk(world, &map, &random, kind_names[kind], seed);
        }
        graze_world_destroy(world);
    }
}

// --- Straight ways ---

enum { FLOOR = 60 }; ///< Tiles of a floor.

static graze_world *make_floor(tile_kind kind, float gravity)
{
    graze_world *world = kit_world_with_gravity(0, gravity);
    for (int x = -4; x < FLOOR; ++x) {
        const float left = (float)(x * TILE);
        if (kind == TILE_OF_LOOP) {
            add_loop(world, left, -TILE);
        } else if (kind == TILE_OF_EDGES) {
            add_edge(world, (float)x, 0, (float)(x + 1), 0);
        } else {
            add_body(world, left, -TILE);
        }
    }
    return world;
}

// A side reaches a joint as a step ends, sooner or later.
static void a_box_keeps_its_speed_on_a_floor_of_tiles(void **state)
{
    (void)state;
    static const int speeds[] = {60, 80, 90, 100, 120, 150, 160, 180, 200, 240, 320, 400};
    for (unsigned run = 0; run < 12 * TILE * TILE_KINDS * 2; ++run) {
        const float speed = (float)speeds[run % 12];
        const float start = (float)(run / 12 % TILE);
        const tile_kind kind = (tile_kind)(run / 12 / TILE % TILE_KINDS);
        const float rate = run % 2 ? 64 : 60;
        graze_world *world = make_floor(kind, -500);
        graze_body_def def = kit_rect(start, TILE / 2.0f, TILE / 2.0f, TILE / 2.0f);
        def = kit_moving(def, speed, 0, run % 5 ? GRAZE_SLIDE : GRAZE_BOUNCE);
        const graze_body_id body = kit_add(world, def);
        for (int step = 0; step < 100; ++step) {
            kit_step(world, 1 / rate);
            const float now = graze_body_velocity(world, body).x;
            if (now != speed) {
                fail_msg("%s, from %g at %g: speed %g in step %d", kind_names[kind], (double)start,
                         (double)speed, (double)now, step);
            }
        }
        graze_world_destroy(world);
    }
}

static void a_box_that_is_steered_at_a_wall_of_tiles_goes_along_it(void **state)
{
    (void)state;
    for (unsigned run = 0; run < 7 * TILE * TILE_KINDS * 2; ++run) {
        const float speed = (float)(60 * (1 + run % 7));
        const float start = (float)(run / 7 % TILE);
        const tile_kind kind = (tile_kind)(run / 7 / TILE % TILE_KINDS);
        graze_world *world = make_floor(kind, 0);
        graze_body_def def = kit_rect(start, TILE / 2.0f, TILE / 2.0f, TILE / 2.0f);
        def.response = run % 2 ? GRAZE_SLIDE : GRAZE_BOUNCE;
        const graze_body_id body = kit_add(world, def);
        for (int step = 0; step < 60; ++step) {
            const graze_vec2 steered = {speed, -speed};
            graze_body_set_velocity(world, body, steered);
            kit_step(world, 1.0f / 60);
        }
        const float end = graze_body_position(world, body).x;
        if (!(fabsf(end - start - speed) < 0.1f)) {
            fail_msg("%s, from %g at %g a second: at %g", kind_names[kind], (double)start,
                     (double)speed, (double)end);
        }
        graze_world_destroy(world);
    }
}

// --- Crates ---

enum { CRATES = 3 };

/// How the crates lie: the first is pushed.
typedef enum crate_form { IN_A_ROW, STACKED, PYRAMID, CRATE_FORMS } crate_form;

static float push_crates(tile_kind kind, crate_form form, float start, float speed, float half)
{
    static const float places[CRATE_FORMS][CRATES][2] = {
        {{0, 0}, {1, 0}, {2, 0}}, {{0, 0}, {0, 1}, {0, 2}}, {{0, 0}, {1, 0}, {0.5f, 1}}};
    graze_world *world = make_floor(kind, -500);
    graze_body_id crates[CRATES];
    for (int i = 0; i < CRATES; ++i) {
        const float x = start + 2 * half * places[form][i][0];
        const float y = half + 2 * half * places[form][i][1];
        const graze_body_def def = kit_rect(x, y, half, half);
        crates[i] = kit_add(world, kit_moving(def, 0, 0, GRAZE_SLIDE));
    }
    for (int step = 0; step < 180; ++step) {
        for (int i = 0; i < (form == STACKED ? CRATES : 1); ++i) {
            const graze_vec2 pushed = {speed, graze_body_velocity(world, crates[i]).y};
            graze_body_set_velocity(world, crates[i], pushed);
        }
        kit_step(world, 1.0f / 60);
    }
    const float moved = graze_body_position(world, crates[0]).x - start;
    graze_world_destroy(world);
    return moved;
}

// The first crate shares its speed with the others, until all have it.
static void crates_are_pushed_over_tiles_as_over_one_wall(void **state)
{
    (void)state;
    for (unsigned run = 0; run < 600; ++run) {
        const crate_form form = (crate_form)(run % CRATE_FORMS);
        const tile_kind kind = (tile_kind)(run / CRATE_FORMS % TILE_KINDS);
        const float start = (float)(run / 9 % TILE);
        const float speed = (float)(60 + 10 * (run % 13));
        const float half = run % 4 ? TILE / 2.0f : TILE / 2.0f - (float)(run % 3);
        const float moved = push_crates(kind, form, start, speed, half);
        if (!(moved > 2.8f * speed && moved <= 3.001f * speed)) {
            fail_msg("%s, form %d of %g, from %g at %g a second: moved %g", kind_names[kind],
                     (int)form, (double)half, (double)start, (double)speed, (double)moved);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes_go_where_a_model_of_tiles_lets_them),
        cmocka_unit_test(a_box_keeps_its_speed_on_a_floor_of_tiles),
        cmocka_unit_test(a_box_that_is_steered_at_a_wall_of_tiles_goes_along_it),
        cmocka_unit_test(crates_are_pushed_over_tiles_as_over_one_wall),
    };
    return cmocka_run_group_tests_name("tile map", tests, NULL, NULL);
}
