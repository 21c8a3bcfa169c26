#include "tiled_tiles.h"

#include "tiled_data.h"
#include "tiled_types.h"

#include <stdlib.h>
#include <string.h>

enum {
    ID_DIGITS = 9,        ///< Of the last gid.
    LAST_PLACED = 1 << 20 ///< The last gid of a tile that is found without a search.
};

// Before Tiled 1.2 the properties of tiles were beside the tiles, both by the tiles' ids: moves
// them to where they are since.
static void move_properties_into_tiles(grz_memory *memory, cJSON *tileset)
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
        grz_memory_require(memory, tile && cJSON_AddItemToObject(tile, "properties", own));
    }
    cJSON_Delete(properties);
}

static bool check_tileset(const grz_json *json)
{
    const char *type = grz_json_text(json->root, "type");
    if (*type && strcmp(type, "tileset") != 0) {
        return grz_json_fail(json, grz_json_get(json->root, "type"),
                             "this is a Tiled %.40s, not a tileset", type);
    }
    if (!*type && !grz_json_get(json->root, "tilewidth") && !grz_json_get(json->root, "tiles")) {
        return grz_json_fail(json, json->root, "\"tilewidth\" is missing: no Tiled tileset");
    }
    return true;
}

// What its tiles are, nobody knows: in a layer that is called solid they are solid as a whole.
static bool note_missing(grz_tileset *set, grz_files *files)
{
    set->node = NULL;
    grz_files_note(files,
                   "tileset %s cannot be opened: its tiles have neither shapes nor properties",
                   set->json.path);
    return true;
}

static bool open_tileset(grz_tileset *set, grz_files *files, const grz_json *map,
                         const cJSON *entry)
{
    set->json = *map;
    set->node = entry;
    if (!*grz_json_text(entry, "source")) {
        return true;
    }
    if (!grz_files_read(files, &set->json, map, grz_json_get(entry, "source"))) {
        return files->is_missing && note_missing(set, files);
    }
    set->node = set->json.root;
    if (!grz_json_expect_object(&set->json, set->node) || !check_tileset(&set->json)) {
        return false;
    }
    move_properties_into_tiles(map->memory, set->json.root);
    return grz_tiled_check_types(&set->json, set->node);
}

static bool measure_tileset(grz_tileset *set)
{
    static const char *const sizes[] = {"tilewidth", "tileheight"};
    static const char *const places[] = {"x", "y"};
    const cJSON *offset = grz_json_get(set->node, "tileoffset");
    if (!grz_json_expect_numbers(&set->json, set->node, sizes, 2) ||
        !grz_json_expect_numbers(&set->json, offset, places, 2)) {
        return false;
    }
    set->tile_width = grz_json_number(set->node, "tilewidth", 0);
    set->tile_height = grz_json_number(set->node, "tileheight", 0);
    set->offset_x = grz_json_number(offset, "x", 0);
    set->offset_y = grz_json_number(offset, "y", 0);
    return true;
}

static bool count_tiles(grz_tileset *set)
{
    static const grz_field field = {"tilecount", GRZ_UINT32, 0, 0, 0};
    const cJSON *count = grz_json_get(set->node, "tilecount");
    const bool is_one_image = *grz_json_text(set->node, "image") != 0;
    return !count || !is_one_image || grz_json_store(&set->json, count, &field, &set->tile_count);
}

// Tiles of an image collection have sizes of their own; all others have the tileset's.
static grz_tile make_tile(const grz_tileset *set, size_t index, const cJSON *node, uint32_t id)
{
    double width = grz_json_number(node, "imagewidth", set->tile_width);
    double height = grz_json_number(node, "imageheight", set->tile_height);
    grz_tile tile = {set->first_gid + id,
                     index,
                     node,
                     NULL,
                     GRZ_ROLE_NONE,
                     false,
                     false,
                     grz_json_number(node, "width", width),
                     grz_json_number(node, "height", height)};
    return tile;
}

// Before Tiled 1.2 the tiles were an object whose keys are the ids.
static bool read_key(const grz_json *json, const cJSON *node, uint32_t *id)
{
    const size_t digits = strspn(node->string, "0123456789");
    if (digits == 0 || digits > ID_DIGITS || node->string[digits] != 0) {
        return grz_json_fail(json, node, "is not the id of a tile");
    }
    *id = (uint32_t)strtoul(node->string, NULL, 10);
    return true;
}

static bool read_tile_id(const grz_json *json, const cJSON *node, uint32_t *id)
{
    static const grz_field field = {"id", GRZ_UINT32, 0, 0, 0};
    const cJSON *value = grz_json_get(node, "id");
    if (value) {
        return grz_json_store(json, value, &field, id);
    }
    return node->string ? read_key(json, node, id) : grz_json_fail(json, node, "\"id\" is missing");
}

// A shape with a class of its own is something else: where to hit an enemy, say.
static bool is_of_a_class(const grz_solid *solid, const cJSON *shape, grz_role role)
{
    const char *name = grz_class_of(shape);
    return *name && role == GRZ_ROLE_NONE && !grz_solid_is_asked(solid) &&
           (grz_name_rank(name) == GRZ_RANK_NONE || grz_name_rank(name) == GRZ_RANK_NOT);
}

// Finds whether any of a tile's shapes becomes terrain, and counts those that cannot.
static bool read_shapes(grz_tilesets *sets, const grz_json *json, grz_tile *tile)
{
    const cJSON *group = grz_json_get(tile->node, "objectgroup");
    const cJSON *shape;
    if (!grz_json_list(json, group, "objects", &shape)) {
        return false;
    }
    for (; shape; shape = shape->next) {
        grz_role role;
        if (!grz_json_expect_object(json, shape) || !grz_tiled_own_role(json, shape, &role)) {
            return false;
        }
        const bool has_outline = grz_tiled_has_outline(grz_tiled_object_kind(shape));
        const bool is_ignored = role == GRZ_ROLE_IGNORE || tile->role == GRZ_ROLE_IGNORE ||
                                is_of_a_class(sets->solid, shape, role);
        tile->shapes = has_outline && !is_ignored ? grz_json_get(group, "objects") : tile->shapes;
        sets->left_out += !has_outline && !is_ignored;
    }
    return true;
}

static void rank_tile(const grz_solid *solid, grz_tile *tile)
{
    const grz_rank said = grz_solid_rank_properties(solid, tile->node);
    const grz_rank called = grz_solid_rank_name(solid, grz_class_of(tile->node));
    const bool is_called = called >= GRZ_RANK_PLATFORM && called != GRZ_RANK_NOT;
    tile->open = said == GRZ_RANK_NOT;
    tile->solid = tile->role == GRZ_ROLE_TERRAIN || tile->role == GRZ_ROLE_SENSOR ||
                  (!tile->open && (said != GRZ_RANK_NONE || is_called));
}

static bool read_tile(grz_tilesets *sets, size_t index, const cJSON *node)
{
    const grz_tileset *set = &sets->list[index];
    uint32_t id;
    if (!grz_json_expect_object(&set->json, node) || !read_tile_id(&set->json, node, &id)) {
        return false;
    }
    if (id > GRZ_LAST_GID - set->first_gid) {
        return grz_json_fail(&set->json, node, "id %u after the firstgid %u is beyond the last, %u",
                             id, set->first_gid, GRZ_LAST_GID);
    }
    grz_tile tile = make_tile(set, index, node, id);
    if (grz_tilesets_find(sets, tile.gid) != set) {
        return true; // It grew into the next tileset since the map was saved: the gid means that.
    }
    if (!grz_tiled_own_role(&set->json, node, &tile.role) ||
        !read_shapes(sets, &set->json, &tile)) {
        return false;
    }
    rank_tile(sets->solid, &tile);
    sets->collide |= grz_tile_collides(sets, &tile);
    grz_push(set->json.memory, sets->tiles, tile);
    return true;
}

static bool read_tiles(grz_tilesets *sets, size_t index)
{
    const grz_tileset *set = &sets->list[index];
    const cJSON *tiles = grz_json_get(set->node, "tiles");
    if (tiles && !cJSON_IsArray(tiles) && !cJSON_IsObject(tiles)) {
        return grz_json_refuse(&set->json, tiles, "a list of tiles");
    }
    for (const cJSON *node = tiles ? tiles->child : NULL; node; node = node->next) {
        if (!read_tile(sets, index, node)) {
            return false;
        }
    }
    return true;
}

static int compare_tiles(const void *a, const void *b)
{
    uint32_t p = ((const grz_tile *)a)->gid;
    uint32_t q = ((const grz_tile *)b)->gid;
    return (p > q) - (p < q);
}

// An empty tileset has the same firstgid as the next, to which the gid belongs.
static int compare_sets(const void *a, const void *b)
{
    const grz_tileset *p = a, *q = b;
    if (p->first_gid != q->first_gid) {
        return p->first_gid > q->first_gid ? 1 : -1;
    }
    return (p->place > q->place) - (p->place < q->place);
}

static bool sort_tiles(grz_tilesets *sets)
{
    const size_t count = grz_list_count(sets->tiles);
    if (count > 0) {
        qsort(sets->tiles, count, sizeof *sets->tiles, compare_tiles);
    }
    for (size_t i = 1; i < count; ++i) {
        const grz_tile *tile = &sets->tiles[i];
        if (tile->gid == tile[-1].gid) {
            const grz_tileset *set = &sets->list[tile->tileset];
            return grz_json_fail(&set->json, grz_json_get(set->node, "tiles"),
                                 "two tiles have the id %u", tile->gid - set->first_gid);
        }
    }
    return true;
}

// Maps have millions of cells, so that a search for each would take long.
static void place_tiles(grz_tilesets *sets, grz_memory *memory)
{
    const size_t count = grz_list_count(sets->tiles);
    const uint32_t last = count > 0 ? sets->tiles[count - 1].gid : 0;
    if (last == 0 || last > LAST_PLACED) {
        return;
    }
    grz_memory_require(memory, grz_list_reserve(sets->places, &memory->inner, last + 1));
    memset(sets->places, 0, (last + 1) * sizeof *sets->places);
    grz_list_extend(sets->places, last + 1);
    for (size_t i = 0; i < count; ++i) {
        sets->places[sets->tiles[i].gid] = (uint32_t)i + 1;
    }
}

static bool read_tileset(grz_tilesets *sets, grz_files *files, const grz_json *map,
                         const cJSON *entry)
{
    static const grz_field field = {"firstgid", GRZ_UINT32, 0, 0, 0};
    grz_tileset set = {.json = *map, .place = grz_list_count(sets->list)};
    const cJSON *first = grz_json_get(entry, "firstgid");
    if (!first) {
        return grz_json_fail(map, entry, "\"firstgid\" is missing");
    }
    if (!grz_json_store(map, first, &field, &set.first_gid)) {
        return false;
    }
    if (set.first_gid == 0 || set.first_gid > GRZ_LAST_GID) {
        return grz_json_fail(map, first, "must be a whole number from 1 to %u, not %u",
                             GRZ_LAST_GID, set.first_gid);
    }
    bool done = open_tileset(&set, files, map, entry) && measure_tileset(&set) && count_tiles(&set);
    grz_push(map->memory, sets->list, set);
    return done;
}

bool grz_tilesets_read(grz_tilesets *sets, grz_files *files, const grz_json *map)
{
    const cJSON *entry;
    if (!grz_json_list(map, map->root, "tilesets", &entry)) {
        return false;
    }
    cJSON *embedded = cJSON_GetObjectItemCaseSensitive(map->root, "tilesets");
    for (embedded = embedded ? embedded->child : NULL; embedded; embedded = embedded->next) {
        move_properties_into_tiles(map->memory, embedded);
    }
    for (; entry; entry = entry->next) {
        if (!read_tileset(sets, files, map, entry)) {
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
    if (!sort_tiles(sets)) {
        return false;
    }
    place_tiles(sets, map->memory);
    return true;
}

const grz_tileset *grz_tilesets_find(const grz_tilesets *sets, uint32_t gid)
{
    const grz_tileset *found = NULL;
    for (size_t i = 0; i < grz_list_count(sets->list); ++i) {
        if (sets->list[i].first_gid <= gid) {
            found = &sets->list[i];
        }
    }
    return found;
}

bool grz_tilesets_have(const grz_tilesets *sets, uint32_t gid)
{
    const grz_tileset *set = grz_tilesets_find(sets, gid);
    return set && (set->tile_count == 0 || gid - set->first_gid < set->tile_count);
}

const grz_tile *grz_tilesets_find_tile(const grz_tilesets *sets, uint32_t gid)
{
    const size_t count = grz_list_count(sets->tiles);
    if (gid < grz_list_count(sets->places)) {
        return sets->places[gid] ? &sets->tiles[sets->places[gid] - 1] : NULL;
    }
    if (sets->places) {
        return NULL;
    }
    const grz_tile key = {.gid = gid};
    return count ? bsearch(&key, sets->tiles, count, sizeof key, compare_tiles) : NULL;
}

bool grz_tile_collides(const grz_tilesets *sets, const grz_tile *tile)
{
    return tile && tile->role != GRZ_ROLE_IGNORE &&
           (tile->solid || (tile->shapes && sets->take_shapes));
}
