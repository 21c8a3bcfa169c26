#include "tiled_tiles.h"

#include "text_file.h"
#include "tiled_types.h"

#include <stdlib.h>
#include <string.h>

enum { FARTHEST = 1 << 28 }; ///< Cells from the origin, so that sums of two stay in range.

static bool has_suffix(const char *text, const char *suffix)
{
    size_t length = strlen(text);
    size_t wanted = strlen(suffix);
    return length >= wanted && strcmp(text + length - wanted, suffix) == 0;
}

// Before Tiled 1.2 the properties of tiles were beside the tiles, both by the tiles' ids: moves
// them to where they are since.
static void move_properties_into_tiles(cJSON *tileset)
{
    cJSON *properties = cJSON_DetachItemFromObjectCaseSensitive(tileset, "tileproperties");
    cJSON *tiles = cJSON_GetObjectItemCaseSensitive(tileset, "tiles");
    if (cJSON_IsObject(properties) && !tiles) {
        tiles = cJSON_AddObjectToObject(tileset, "tiles");
    }
    while (cJSON_IsObject(properties) && cJSON_IsObject(tiles) && properties->child) {
        cJSON *own = cJSON_DetachItemViaPointer(properties, properties->child);
        cJSON *tile = cJSON_GetObjectItemCaseSensitive(tiles, own->string);
        tile = tile ? tile : cJSON_AddObjectToObject(tiles, own->string);
        cli_require_memory(tile && cJSON_AddItemToObject(tile, "properties", own));
    }
    cJSON_Delete(properties);
}

// Errors of the file also name the place in the map that refers to it.
static bool read_tileset_file(cli_tileset *set, const cli_json *map, const cJSON *entry)
{
    if (cli_json_read(&set->json, set->path, map->error)) {
        return true;
    }
    const cli_error cause = *map->error;
    return cli_json_fail(map, cli_json_get(entry, "source"), "%s", cause.text);
}

static bool open_tileset(cli_tileset *set, cli_scene *scene, const cli_json *map,
                         const cJSON *entry)
{
    const char *source = cli_json_text(entry, "source");
    set->json = *map;
    set->node = entry;
    if (!*source) {
        return true;
    }
    if (has_suffix(source, ".tsx")) {
        set->node = NULL;
        cli_scene_add_note(scene,
                           "tileset %s is XML: its tiles' collisions are not read; in Tiled, embed "
                           "it in the map or save it as .tsj",
                           source);
        return true;
    }
    set->path = cli_path_beside(map->path, source);
    cli_push(scene->files, cli_copy_text(set->path));
    if (!read_tileset_file(set, map, entry)) {
        return false;
    }
    move_properties_into_tiles(set->json.root);
    set->node = set->json.root;
    return cli_json_expect_object(&set->json, set->node) &&
           cli_tiled_check_types(&set->json, set->node);
}

static bool measure_tileset(cli_tileset *set)
{
    static const char *const sizes[] = {"tilewidth", "tileheight"};
    static const char *const places[] = {"x", "y"};
    const cJSON *offset = cli_json_get(set->node, "tileoffset");
    if (!cli_json_expect_numbers(&set->json, set->node, sizes, 2) ||
        !cli_json_expect_numbers(&set->json, offset, places, 2)) {
        return false;
    }
    set->tile_width = cli_json_number(set->node, "tilewidth", 0);
    set->tile_height = cli_json_number(set->node, "tileheight", 0);
    set->offset_x = cli_json_number(offset, "x", 0);
    set->offset_y = cli_json_number(offset, "y", 0);
    return true;
}

static bool count_tiles(cli_tileset *set)
{
    static const cli_field field = {"tilecount", CLI_UINT32, 0, 0, 0};
    const cJSON *count = cli_json_get(set->node, "tilecount");
    const bool is_one_image = *cli_json_text(set->node, "image") != 0;
    return !count || !is_one_image || cli_json_store(&set->json, count, &field, &set->tile_count);
}

// Tiles of an image collection have sizes of their own; all others have the tileset's.
static cli_tile make_tile(const cli_tileset *set, size_t index, const cJSON *node, uint32_t id)
{
    double width = cli_json_number(node, "imagewidth", set->tile_width);
    double height = cli_json_number(node, "imageheight", set->tile_height);
    cli_tile tile = {set->first_gid + id,
                     index,
                     node,
                     NULL,
                     CLI_ROLE_NONE,
                     cli_tiled_says_solid(node),
                     cli_json_number(node, "width", width),
                     cli_json_number(node, "height", height)};
    return tile;
}

// Since Tiled 1.2 a list of tiles with ids, before that an object whose keys are the ids.
static bool read_tile_id(const cli_json *json, const cJSON *node, uint32_t *id)
{
    static const cli_field field = {"id", CLI_UINT32, 0, 0, 0};
    const cJSON *value = cli_json_get(node, "id");
    if (value) {
        return cli_json_store(json, value, &field, id);
    }
    char *end = NULL;
    unsigned long number = node->string ? strtoul(node->string, &end, 10) : 0;
    *id = (uint32_t)number;
    return (end && *end == 0) || cli_json_fail(json, node, "\"id\" is missing");
}

// Finds whether any of a tile's shapes becomes terrain, and counts those that cannot.
static bool read_shapes(cli_tilesets *sets, const cli_json *json, cli_tile *tile)
{
    const cJSON *group = cli_json_get(tile->node, "objectgroup");
    const cJSON *shape;
    if (!cli_json_list(json, group, "objects", &shape)) {
        return false;
    }
    for (; shape; shape = shape->next) {
        cli_role role;
        if (!cli_json_expect_object(json, shape) || !cli_tiled_own_role(json, shape, &role)) {
            return false;
        }
        const bool has_outline = cli_tiled_has_outline(cli_tiled_object_kind(shape));
        const bool is_ignored = role == CLI_ROLE_IGNORE || tile->role == CLI_ROLE_IGNORE;
        tile->shapes = has_outline && !is_ignored ? cli_json_get(group, "objects") : tile->shapes;
        sets->left_out += !has_outline && !is_ignored;
    }
    return true;
}

static bool read_tiles(cli_tilesets *sets, size_t index)
{
    const cli_tileset *set = &sets->list[index];
    const cJSON *tiles = cli_json_get(set->node, "tiles");
    if (tiles && !cJSON_IsArray(tiles) && !cJSON_IsObject(tiles)) {
        return cli_json_refuse(&set->json, tiles, "a list of tiles");
    }
    for (const cJSON *node = tiles ? tiles->child : NULL; node; node = node->next) {
        uint32_t id;
        if (!cli_json_expect_object(&set->json, node) || !read_tile_id(&set->json, node, &id)) {
            return false;
        }
        cli_tile tile = make_tile(set, index, node, id);
        if (!cli_tiled_own_role(&set->json, node, &tile.role) ||
            !read_shapes(sets, &set->json, &tile)) {
            return false;
        }
        tile.solid |= tile.role == CLI_ROLE_TERRAIN || tile.role == CLI_ROLE_SENSOR;
        sets->collide |= (tile.shapes || tile.solid) && tile.role != CLI_ROLE_IGNORE;
        cli_push(sets->tiles, tile);
    }
    return true;
}

static int compare_tiles(const void *a, const void *b)
{
    uint32_t p = ((const cli_tile *)a)->gid;
    uint32_t q = ((const cli_tile *)b)->gid;
    return (p > q) - (p < q);
}

static int compare_sets(const void *a, const void *b)
{
    uint32_t p = ((const cli_tileset *)a)->first_gid;
    uint32_t q = ((const cli_tileset *)b)->first_gid;
    return (p > q) - (p < q);
}

static bool read_tileset(cli_tilesets *sets, cli_scene *scene, const cli_json *map,
                         const cJSON *entry)
{
    static const cli_field field = {"firstgid", CLI_UINT32, 0, 0, 0};
    cli_tileset set = {*map, NULL, NULL, 0, 0, 0, 0, 0, 0};
    const cJSON *first = cli_json_get(entry, "firstgid");
    if (!first) {
        return cli_json_fail(map, entry, "\"firstgid\" is missing");
    }
    bool done = cli_json_store(map, first, &field, &set.first_gid) &&
                open_tileset(&set, scene, map, entry) && measure_tileset(&set) && count_tiles(&set);
    cli_push(sets->list, set);
    return done;
}

bool cli_tilesets_read(cli_tilesets *sets, cli_scene *scene, const cli_json *map)
{
    memset(sets, 0, sizeof *sets);
    const cJSON *entry;
    if (!cli_json_list(map, map->root, "tilesets", &entry)) {
        return false;
    }
    cJSON *embedded = cJSON_GetObjectItemCaseSensitive(map->root, "tilesets");
    for (embedded = embedded ? embedded->child : NULL; embedded; embedded = embedded->next) {
        move_properties_into_tiles(embedded);
    }
    for (; entry; entry = entry->next) {
        if (!read_tileset(sets, scene, map, entry)) {
            return false;
        }
    }
    size_t count = grz_list_count(sets->list);
    if (count > 0) {
        qsort(sets->list, count, sizeof *sets->list, compare_sets);
    }
    for (size_t i = 0; i < count; ++i) {
        if (!read_tiles(sets, i)) {
            return false;
        }
    }
    if (sets->tiles) {
        qsort(sets->tiles, grz_list_count(sets->tiles), sizeof *sets->tiles, compare_tiles);
    }
    return true;
}

void cli_tilesets_free(cli_tilesets *sets)
{
    for (size_t i = 0; i < grz_list_count(sets->list); ++i) {
        if (sets->list[i].path) {
            cli_json_free(&sets->list[i].json);
            free(sets->list[i].path);
        }
    }
    grz_list_free(sets->list);
    grz_list_free(sets->tiles);
}

const cli_tileset *cli_tilesets_find(const cli_tilesets *sets, uint32_t gid)
{
    const cli_tileset *found = NULL;
    for (size_t i = 0; i < grz_list_count(sets->list); ++i) {
        if (sets->list[i].first_gid <= gid) {
            found = &sets->list[i];
        }
    }
    return found;
}

bool cli_tilesets_have(const cli_tilesets *sets, uint32_t gid)
{
    const cli_tileset *set = cli_tilesets_find(sets, gid);
    return set && (set->tile_count == 0 || gid - set->first_gid < set->tile_count);
}

const cli_tile *cli_tilesets_find_tile(const cli_tilesets *sets, uint32_t gid)
{
    size_t count = grz_list_count(sets->tiles);
    cli_tile key = {.gid = gid};
    return count ? bsearch(&key, sets->tiles, count, sizeof key, compare_tiles) : NULL;
}

/// The area of a block of tile data, and its encoding.
typedef struct tile_block {
    const cJSON *node; ///< The layer, or one of its chunks.
    int32_t x, y;
    uint32_t width, height;
    bool base64;
} tile_block;

static void push_cell(const tile_block *block, size_t index, uint32_t raw, cli_tile_cell **cells)
{
    uint32_t gid = raw & 0x0FFFFFFFu;
    if (gid) {
        cli_tile_cell cell = {{block->x + (int32_t)(index % block->width),
                               block->y + (int32_t)(index / block->width)},
                              gid,
                              raw >> 28};
        cli_push(*cells, cell);
    }
}

static bool check_count(const cli_json *json, const cJSON *data, const tile_block *block,
                        size_t count)
{
    return count == (uint64_t)block->width * block->height ||
           cli_json_fail(json, data, "holds %zu tiles where the size is %u x %u", count,
                         block->width, block->height);
}

static bool read_array(const cli_json *json, const cJSON *data, const tile_block *block,
                       cli_tile_cell **cells)
{
    static const cli_field field = {"tile", CLI_UINT32, 0, 0, 0};
    if (!check_count(json, data, block, (size_t)cJSON_GetArraySize(data))) {
        return false;
    }
    size_t index = 0;
    for (const cJSON *node = data->child; node; node = node->next) {
        uint32_t raw;
        if (!cli_json_store(json, node, &field, &raw)) {
            return false;
        }
        push_cell(block, index++, raw, cells);
    }
    return true;
}

static int digit_of(char letter)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *found = letter ? strchr(digits, letter) : NULL;
    return found ? (int)(found - digits) : -1;
}

// Appends the bytes; false if the text is not base64.
static bool decode_base64(const char *text, unsigned char **bytes)
{
    uint32_t bits = 0;
    int held = 0;
    for (; *text && *text != '='; ++text) {
        int digit = digit_of(*text);
        if (digit < 0) {
            return false;
        }
        bits = bits << 6 | (uint32_t)digit;
        held += 6;
        if (held >= 8) {
            held -= 8;
            cli_push(*bytes, (unsigned char)(bits >> held));
        }
    }
    return strspn(text, "=") == strlen(text);
}

static bool read_base64(const cli_json *json, const cJSON *data, const tile_block *block,
                        cli_tile_cell **cells)
{
    unsigned char *bytes = NULL;
    bool done =
        decode_base64(data->valuestring, &bytes) || cli_json_fail(json, data, "is not base64");
    size_t count = grz_list_count(bytes) / 4;
    done = done && check_count(json, data, block, count);
    for (size_t i = 0; done && i < count; ++i) {
        const unsigned char *raw = bytes + 4 * i;
        push_cell(block, i,
                  raw[0] | (uint32_t)raw[1] << 8 | (uint32_t)raw[2] << 16 | (uint32_t)raw[3] << 24,
                  cells);
    }
    grz_list_free(bytes);
    return done;
}

static bool is_in_reach(int32_t first, uint32_t count)
{
    return first > -FARTHEST && first < FARTHEST && count < FARTHEST;
}

static bool read_block(const cli_json *json, tile_block block, cli_tile_cell **cells)
{
    static const cli_field sizes[] = {{"width", CLI_UINT32, offsetof(tile_block, width), 0, 0},
                                      {"height", CLI_UINT32, offsetof(tile_block, height), 0, 0},
                                      {"x", CLI_INT32, offsetof(tile_block, x), 0, 0},
                                      {"y", CLI_INT32, offsetof(tile_block, y), 0, 0}};
    for (size_t i = 0; i < 4; ++i) {
        const cJSON *node = cli_json_get(block.node, sizes[i].name);
        if (node && !cli_json_store(json, node, &sizes[i], &block)) {
            return false;
        }
    }
    const cJSON *data = cli_json_get(block.node, "data");
    if (!data) {
        return cli_json_fail(json, block.node, "\"data\" is missing");
    }
    if (!is_in_reach(block.x, block.width) || !is_in_reach(block.y, block.height)) {
        return cli_json_fail(json, block.node, "its tiles lie more than %d cells out", FARTHEST);
    }
    if (block.base64 && cJSON_IsString(data)) {
        return read_base64(json, data, &block, cells);
    }
    return cJSON_IsArray(data) ? read_array(json, data, &block, cells)
                               : cli_json_refuse(json, data, "an array of tiles");
}

static bool check_compression(const cli_json *json, const cJSON *layer)
{
    const char *compression = cli_json_text(layer, "compression");
    return !*compression ||
           cli_json_fail(json, layer,
                         "is compressed (%s): in Tiled, set Map > Map Properties > Tile Layer "
                         "Format to CSV or Base64 (uncompressed) and save again",
                         compression);
}

bool cli_tiled_read_cells(const cli_json *json, const cJSON *layer, cli_tile_cell **cells)
{
    if (!check_compression(json, layer)) {
        return false;
    }
    bool base64 = strcmp(cli_json_text(layer, "encoding"), "base64") == 0;
    if (!cli_json_get(layer, "chunks")) {
        tile_block block = {layer, 0, 0, 0, 0, base64};
        return read_block(json, block, cells);
    }
    const cJSON *chunk;
    if (!cli_json_list(json, layer, "chunks", &chunk)) {
        return false;
    }
    for (; chunk; chunk = chunk->next) {
        tile_block block = {chunk, 0, 0, 0, 0, base64};
        if (!read_block(json, block, cells)) {
            return false;
        }
    }
    return true;
}
