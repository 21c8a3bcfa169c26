// Ground that can be dug and heaped up while the world runs. It is a grid of numbers; where they
// cross 128 is the surface, which is a chain for each piece in a cell. What changes, changes the
// chains of its cells alone.
//
// Source     W. E. Lorensen, H. E. Cline 1987, "Marching Cubes", in two dimensions.

#include "play_scene.h"

#include <string.h>

enum {
    WIDTH = PLAY_GROUND_WIDTH,
    HEIGHT = PLAY_GROUND_HEIGHT,
    LEVEL = 128,         ///< What is at least this is ground.
    STEP_OF_VALUE = 110, ///< From the surface to a cell's side away from it.
    BITE_EVERY = 5,      ///< Steps, of the mole.
    THING_EVERY = 14,
    THING_COUNT = 260
};

static const float cell_size = 0.75f;
static const float width = 64.5f; ///< Of all cells.
static const float top = 200;     ///< Of the walls.

/// A piece of the surface in a cell: from one of its sides to another (below, right, above, left).
typedef struct cell_piece {
    int8_t from, to;
} cell_piece;

// By which corners are ground: 1 lower left, 2 lower right, 4 upper right, 8 upper left.
static const cell_piece pieces[16][2] = {
    {{-1, -1}, {-1, -1}}, {{3, 0}, {-1, -1}}, {{0, 1}, {-1, -1}}, {{3, 1}, {-1, -1}},
    {{1, 2}, {-1, -1}},   {{3, 2}, {1, 0}},   {{0, 2}, {-1, -1}}, {{3, 2}, {-1, -1}},
    {{2, 3}, {-1, -1}},   {{2, 0}, {-1, -1}}, {{0, 3}, {2, 1}},   {{2, 1}, {-1, -1}},
    {{1, 3}, {-1, -1}},   {{1, 0}, {-1, -1}}, {{0, 3}, {-1, -1}}, {{-1, -1}, {-1, -1}}};

static graze_vec2 place_of_corner(uint32_t column, uint32_t row)
{
    const graze_vec2 place = {cell_size * (float)column, cell_size * (float)row};
    return place;
}

// Where the surface crosses from one corner to the next; both cells of a side get the same.
static graze_vec2 cross_side(const play *game, uint32_t column, uint32_t row, bool is_upright)
{
    const uint32_t next_column = column + (is_upright ? 0 : 1);
    const uint32_t next_row = row + (is_upright ? 1 : 0);
    const float low = (float)game->state.ground[row][column] - (LEVEL - 0.5f);
    const float high = (float)game->state.ground[next_row][next_column] - (LEVEL - 0.5f);
    const graze_vec2 from = place_of_corner(column, row);
    const graze_vec2 way = graze_vec2_sub(place_of_corner(next_column, next_row), from);
    return graze_vec2_add(from, graze_vec2_scale(way, low / (low - high)));
}

static graze_vec2 cross_side_of_cell(const play *game, uint32_t column, uint32_t row, int side)
{
    const bool is_upright = side % 2 == 1;
    return cross_side(game, column + (side == 1), row + (side == 2), is_upright);
}

static uint32_t corners_of(const play *game, uint32_t column, uint32_t row)
{
    const uint8_t *below = &game->state.ground[row][column];
    const uint8_t *above = &game->state.ground[row + 1][column];
    return (uint32_t)(below[0] >= LEVEL) | (uint32_t)(below[1] >= LEVEL) << 1 |
           (uint32_t)(above[1] >= LEVEL) << 2 | (uint32_t)(above[0] >= LEVEL) << 3;
}

static uint64_t name_piece(uint32_t column, uint32_t row, uint32_t piece)
{
    return (uint64_t)((row * WIDTH + column) * 2 + piece) << 8 | PLAY_LINE;
}

static void make_cell(play *game, uint32_t column, uint32_t row)
{
    const cell_piece *of_cell = pieces[corners_of(game, column, row)];
    for (uint32_t i = 0; i < 2; ++i) {
        graze_chain_id *chain = &game->ground_chains[row][column][i];
        if (chain->generation) {
            graze_chain_destroy(game->world, *chain);
            chain->generation = 0;
        }
        if (of_cell[i].from >= 0) {
            const graze_vec2 points[] = {cross_side_of_cell(game, column, row, of_cell[i].from),
                                         cross_side_of_cell(game, column, row, of_cell[i].to)};
            graze_chain_def def = graze_chain_def_default();
            def.points = points;
            def.count = 2;
            def.user_data = name_piece(column, row, i);
            *chain = graze_chain_create(game->world, &def);
        }
    }
}

/// Cells, or corners, from first up to, but not including, end.
typedef struct cell_range {
    uint32_t first, end;
} cell_range;

// Not those at the border, which stay as they are.
static cell_range corners_near(float place, float radius, uint32_t all)
{
    const float low = (place - radius) / cell_size - 1;
    const float high = (place + radius) / cell_size + 2;
    const float most = (float)(all - 1);
    const cell_range range = {low < 1      ? 1
                              : low > most ? all - 1
                                           : (uint32_t)low,
                              high < 1      ? 1
                              : high > most ? all - 1
                                            : (uint32_t)high};
    return range;
}

static uint8_t clamp_value(float value)
{
    return (uint8_t)(value < 0 ? 0 : value > 255 ? 255 : value);
}

// Of a disc: what is within the radius is 128 or more.
static uint8_t value_of_disc(graze_vec2 off, float radius)
{
    return clamp_value(LEVEL + STEP_OF_VALUE * (radius - graze_vec2_length(off)) / cell_size);
}

static bool reshape_corner(uint8_t *value, uint8_t disc, bool dig)
{
    const uint8_t wanted = dig ? (uint8_t)(255 - disc) : disc;
    const bool changes = dig ? wanted < *value : wanted > *value;
    *value = changes ? wanted : *value;
    return changes;
}

static bool reshape(play *game, graze_vec2 at, float radius, bool dig)
{
    const cell_range columns = corners_near(at.x, radius, WIDTH + 1);
    const cell_range rows = corners_near(at.y, radius, HEIGHT + 1);
    bool changes = false;
    for (uint32_t row = rows.first; row < rows.end; ++row) {
        for (uint32_t column = columns.first; column < columns.end; ++column) {
            const graze_vec2 off = graze_vec2_sub(place_of_corner(column, row), at);
            changes |=
                reshape_corner(&game->state.ground[row][column], value_of_disc(off, radius), dig);
        }
    }
    for (uint32_t row = rows.first - 1; changes && row < rows.end; ++row) {
        for (uint32_t column = columns.first - 1; column < columns.end; ++column) {
            make_cell(game, column, row);
        }
    }
    game->terrain_version += changes;
    return changes;
}

// Fills from above only where nothing is: no body is buried.
static bool reshape_carefully(play *game, graze_vec2 at, float radius, bool dig)
{
    const graze_aabb box = {{at.x - radius - 1, at.y - radius - 1},
                            {at.x + radius + 1, at.y + radius + 1}};
    return (dig || graze_query_box(game->world, box, graze_filter_default(), NULL, 0) == 0) &&
           reshape(game, at, radius, dig);
}

static float height_at(float x)
{
    return 20 + 2.2f * play_sine(0.21f * x) + 1.1f * play_sine(0.53f * x + 1);
}

static uint8_t first_value(uint32_t column, uint32_t row)
{
    if (column == 0 || row == 0 || column == WIDTH) {
        return LEVEL; // Where air is beside it, the surface is at the border.
    }
    const graze_vec2 at = place_of_corner(column, row);
    const float depth = height_at(at.x) - at.y;
    const float caves = 0.9f + play_sine(0.47f * at.x + 1.3f * play_sine(0.31f * at.y)) +
                        play_sine(0.52f * at.y + 1.1f * play_sine(0.27f * at.x));
    const float inside = depth < 3 ? 3 : 2.2f * caves;
    return clamp_value(LEVEL + 60 * (depth < inside ? depth : inside));
}

static void build(play *game)
{
    for (uint32_t row = 0; row <= HEIGHT; ++row) {
        for (uint32_t column = 0; column <= WIDTH; ++column) {
            game->state.ground[row][column] = first_value(column, row);
        }
    }
    for (uint32_t row = 0; row < HEIGHT; ++row) {
        for (uint32_t column = 0; column < WIDTH; ++column) {
            make_cell(game, column, row);
        }
    }
    const graze_vec2 corners[] = {{0, top}, {0, 0}, {width, 0}, {width, top}};
    play_add_line(game, corners, 4, false);
}

static void drop_thing(play *game)
{
    const uint32_t kind = play_random_below(game, 5);
    const float size = play_random(game, 0.22f, 0.5f);
    const float x = play_random(game, 6, 58);
    const graze_shape shape =
        kind < 3 ? graze_shape_circle(size) : graze_shape_rect(size, 0.8f * size);
    graze_body_def def = play_rigid(shape, x, 40);
    def.spin = play_random(game, -2, 2);
    def.surface.rolling_resistance = 0.02f;
    play_add(game, &def);
}

// A mole digs to and fro until someone else digs. Far behind it, ground is heaped up again.
static graze_vec2 place_of_mole(uint32_t step)
{
    const float turn = 6.2831853f * (float)(step % 1700) / 1700;
    const graze_vec2 place = {32 + 25 * play_sine(3 * turn), 11 + 8 * play_sine(2 * turn + 1.2f)};
    return place;
}

static void drive(play *game)
{
    const uint32_t step = game->state.step;
    if (step % BITE_EVERY == 0 && !game->state.is_played) {
        reshape(game, place_of_mole(step), 1.3f, true);
        if (step > 900) {
            reshape_carefully(game, place_of_mole(step - 900), 1.5f, false);
        }
    }
    if (step % THING_EVERY == 0 && graze_world_get_stats(game->world).body_count < THING_COUNT) {
        drop_thing(game);
    }
}

// The polygon of a cell's ground: its solid corners, and where the surface crosses its sides, in
// order around it. (A cell with two pieces has one polygon, too: pieces[] takes its middle as
// ground.)
static uint32_t polygon_of_cell(const play *game, uint32_t column, uint32_t row,
                                graze_vec2 polygon[8])
{
    const uint32_t corners = corners_of(game, column, row);
    uint32_t count = 0;
    for (int i = 0; i < 4; ++i) {
        const bool is_solid = corners >> i & 1;
        const bool is_next_solid = corners >> (i + 1) % 4 & 1;
        if (is_solid) {
            polygon[count++] =
                place_of_corner(column + (i == 1 || i == 2), row + (uint32_t)(i >= 2));
        }
        if (is_solid != is_next_solid) {
            polygon[count++] = cross_side_of_cell(game, column, row, i);
        }
    }
    return count;
}

// Whole cells of a row are one polygon. What is not between the walls is solid.
static void fill(const play *game, play_fill_fn *fill_polygon, void *user)
{
    const graze_vec2 between[] = {{0, 0}, {width, 0}, {width, top}, {0, top}};
    fill_polygon(between, 4, user);
    for (uint32_t row = 0; row < HEIGHT; ++row) {
        for (uint32_t column = 0; column < WIDTH; ++column) {
            uint32_t end = column;
            while (end < WIDTH && corners_of(game, end, row) == 15) {
                ++end;
            }
            graze_vec2 polygon[8];
            uint32_t count = end == column ? polygon_of_cell(game, column, row, polygon) : 0;
            if (end > column) {
                polygon[count++] = place_of_corner(column, row);
                polygon[count++] = place_of_corner(end, row);
                polygon[count++] = place_of_corner(end, row + 1);
                polygon[count++] = place_of_corner(column, row + 1);
                column = end - 1;
            }
            fill_polygon(polygon, count, user);
        }
    }
}

static void note_chain(graze_segment segment, graze_segment_id id, void *user)
{
    (void)segment;
    play *game = user;
    const uint64_t name = graze_chain_get_def(game->world, id.chain).user_data >> 8;
    const uint64_t cell = name / 2;
    if (cell > 0 && cell / WIDTH < HEIGHT) {
        game->ground_chains[cell / WIDTH][cell % WIDTH][name % 2] = id.chain;
    }
}

// The ids of the chains are those of the loaded world.
static void find_chains(play *game)
{
    memset(game->ground_chains, 0, sizeof game->ground_chains);
    const graze_painter painter = {.segment = note_chain, .user = game};
    graze_debug_draw(game->world, &painter);
}

const play_scene play_scene_digging = {
    .name = "digging",
    .hint = "Dig with the pointer, heap up ground with Draw. Explosions make holes.",
    .view = {{0, 0}, {64.5f, 34}},
    .gravity = -10,
    .shot = 0.3f,
    .muzzle = {3, 32},
    .is_room = true,
    .build = build,
    .drive = drive,
    .loaded = find_chains,
    .reshape = reshape_carefully,
    .fill = fill};
