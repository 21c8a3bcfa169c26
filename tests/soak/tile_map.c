#include "tile_map.h"

#include <graze/chain.h>

#include <math.h>
#include <string.h>

enum { TILES = TILE_MAP_SIDE * TILE_MAP_SIDE };

// A choice a row: the simplest map is open, and the rows' patterns are independent.
static void pick_tiles(soak_case *test, tile_map *map)
{
    const uint32_t pattern = soak_pick(test, 4);
    for (uint32_t y = 0; y < map->height; ++y) {
        const uint32_t choice = soak_pick(test, UINT32_MAX);
        random_state row = random_seed(choice);
        for (uint32_t x = 0; x < map->width && choice; ++x) {
            const bool checker = (x + y) % 2 && random_below(&row, 8);
            map->solid[y][x] = pattern == 3 ? checker : random_below(&row, 2 + pattern) == 0;
        }
    }
}

// --- Regions ---

static bool is_on_map(const tile_map *map, int x, int y)
{
    return x >= 0 && y >= 0 && x < (int)map->width && y < (int)map->height;
}

static bool is_solid(const tile_map *map, int x, int y)
{
    return is_on_map(map, x, y) && map->solid[y][x];
}

// Whether a way leads from the tile to its neighbour, both on the map.
static bool is_joined(const tile_map *map, int x, int y, int other_x, int other_y)
{
    const bool both_solid = is_solid(map, x, y) && is_solid(map, other_x, other_y);
    return is_solid(map, x, y) == is_solid(map, other_x, other_y) &&
           !(both_solid && map->walls == TILE_WALLS_BLOCKS);
}

static const int steps[4][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};

static void fill_region(tile_map *map, uint32_t x, uint32_t y, uint32_t region)
{
    uint32_t stack[TILES];
    uint32_t count = 0;
    map->regions[y][x] = region;
    stack[count++] = y * TILE_MAP_SIDE + x;
    while (count) {
        const uint32_t tile = stack[--count];
        const int at_x = (int)(tile % TILE_MAP_SIDE);
        const int at_y = (int)(tile / TILE_MAP_SIDE);
        for (int i = 0; i < 4; ++i) {
            const int to_x = at_x + steps[i][0];
            const int to_y = at_y + steps[i][1];
            if (is_on_map(map, to_x, to_y) && !map->regions[to_y][to_x] &&
                is_joined(map, at_x, at_y, to_x, to_y)) {
                map->regions[to_y][to_x] = region;
                stack[count++] = (uint32_t)to_y * TILE_MAP_SIDE + (uint32_t)to_x;
            }
        }
    }
}

// The border is solid, so what is off the map is a region of its own.
static void close_border(tile_map *map)
{
    for (uint32_t y = 0; y < map->height; ++y) {
        map->solid[y][0] = true;
        map->solid[y][map->width - 1] = true;
    }
    for (uint32_t x = 0; x < map->width; ++x) {
        map->solid[0][x] = true;
        map->solid[map->height - 1][x] = true;
    }
}

static void find_regions(tile_map *map)
{
    uint32_t region = 0;
    for (uint32_t y = 0; y < map->height; ++y) {
        for (uint32_t x = 0; x < map->width; ++x) {
            if (!map->regions[y][x]) {
                fill_region(map, x, y, ++region);
            }
        }
    }
}

static void pick_origin(soak_case *test, tile_map *map)
{
    static const float distances[] = {0, 1024, 1e6f};
    static const float sizes[] = {1, 0.5f, 4};
    const float distance = distances[soak_pick(test, 3)];
    map->size = sizes[soak_pick(test, 3)];
    map->origin.x = distance * (float)soak_pick_integer(test, 1);
    map->origin.y = distance * (float)soak_pick_integer(test, 1);
}

void tile_map_pick(soak_case *test, tile_map *map)
{
    memset(map, 0, sizeof *map);
    map->width = 4 + soak_pick(test, TILE_MAP_SIDE - 3);
    map->height = 4 + soak_pick(test, TILE_MAP_SIDE - 3);
    map->walls = (tile_walls)soak_pick(test, TILE_WALLS_COUNT);
    pick_origin(test, map);
    pick_tiles(test, map);
    close_border(map);
    find_regions(map);
}

// Moved by (eps, eps^2), a place on a side is in the tile of larger coordinates: floor as it is.
uint32_t tile_map_region(const tile_map *map, graze_vec2 place)
{
    const double x = floor(((double)place.x - (double)map->origin.x) / (double)map->size);
    const double y = floor(((double)place.y - (double)map->origin.y) / (double)map->size);
    const bool is_on = x >= 0 && y >= 0 && x < map->width && y < map->height;
    return is_on ? map->regions[(uint32_t)y][(uint32_t)x] : 0;
}

// --- Walls ---

static graze_vec2 corner(const tile_map *map, uint32_t x, uint32_t y)
{
    const graze_vec2 point = {map->origin.x + map->size * (float)x,
                              map->origin.y + map->size * (float)y};
    return point;
}

static bool add_chain(graze_world *world, const graze_vec2 *points, uint32_t count, bool loop)
{
    graze_chain_def def = graze_chain_def_default();
    def.points = points;
    def.count = count;
    def.loop = loop;
    return graze_chain_create(world, &def).generation != 0;
}

static bool build_blocks(const tile_map *map, graze_world *world)
{
    bool built = true;
    for (uint32_t y = 0; y < map->height; ++y) {
        for (uint32_t x = 0; x < map->width; ++x) {
            const graze_vec2 block[4] = {corner(map, x, y), corner(map, x + 1, y),
                                         corner(map, x + 1, y + 1), corner(map, x, y + 1)};
            built = built && (!map->solid[y][x] || add_chain(world, block, 4, true));
        }
    }
    return built;
}

// Whether there is a side before column (upright) or row `line`, next to tile `along` of it.
static bool is_side(const tile_map *map, bool upright, uint32_t line, uint32_t along)
{
    const int after = (int)line;
    const int place = (int)along;
    return upright ? is_solid(map, after - 1, place) != is_solid(map, after, place)
                   : is_solid(map, place, after - 1) != is_solid(map, place, after);
}

static graze_vec2 side_corner(const tile_map *map, bool upright, uint32_t line, uint32_t along)
{
    return upright ? corner(map, line, along) : corner(map, along, line);
}

// Adds the run of sides from `first` to before `end` of a line.
static bool add_run(const tile_map *map, graze_world *world, bool upright, uint32_t line,
                    uint32_t first, uint32_t end)
{
    graze_vec2 points[TILE_MAP_SIDE + 1];
    uint32_t count = 0;
    for (uint32_t along = first; along <= end; ++along) {
        if (along == first || along == end || map->walls == TILE_WALLS_STEPS) {
            points[count++] = side_corner(map, upright, line, along);
        }
    }
    return add_chain(world, points, count, false);
}

static bool build_line(const tile_map *map, graze_world *world, bool upright, uint32_t line)
{
    const uint32_t length = upright ? map->height : map->width;
    bool built = true;
    uint32_t end;
    for (uint32_t first = 0; first < length && built; first = end) {
        end = first + 1;
        if (is_side(map, upright, line, first)) {
            while (map->walls != TILE_WALLS_SINGLE && end < length &&
                   is_side(map, upright, line, end)) {
                ++end;
            }
            built = add_run(map, world, upright, line, first, end);
        }
    }
    return built;
}

bool tile_map_build(const tile_map *map, graze_world *world)
{
    if (map->walls == TILE_WALLS_BLOCKS) {
        return build_blocks(map, world);
    }
    bool built = true;
    for (uint32_t line = 0; line <= map->width; ++line) {
        built = built && build_line(map, world, true, line);
    }
    for (uint32_t line = 0; line <= map->height; ++line) {
        built = built && build_line(map, world, false, line);
    }
    return built;
}
