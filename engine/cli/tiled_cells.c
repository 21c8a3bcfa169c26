// Terrain from the tiles of a tile layer.

#include "tiled_data.h"
#include "tiled_reader.h"

/// A cell's tile, being converted.
typedef struct tile_frame {
    double x, y;          ///< Of the tile's upper left corner.
    double width, height; ///< Before rotation.
    uint32_t flips;
} tile_frame;

static graze_vec2d flip_point(const tile_frame *frame, graze_vec2d point)
{
    double width = frame->width;
    double height = frame->height;
    if (frame->flips & CLI_TILE_FLIPPED_DIAGONAL) {
        graze_vec2d mirrored = {point.y, point.x};
        point = mirrored;
        width = frame->height;
        height = frame->width;
    }
    point.x = frame->x + (frame->flips & CLI_TILE_FLIPPED_X ? width - point.x : point.x);
    point.y = frame->y + (frame->flips & CLI_TILE_FLIPPED_Y ? height - point.y : point.y);
    return point;
}

// Tiles stand on the lower left corner of their cell, and may be larger than it.
static tile_frame make_tile_frame(const cli_map_reader *reader, const cli_tile_cell *cell,
                                  const cli_tile *tile)
{
    const cli_tileset *set = cli_tilesets_find(&reader->sets, cell->gid);
    tile_frame frame = {cell->at.x * reader->tile_width, (cell->at.y + 1) * reader->tile_height,
                        reader->tile_width, reader->tile_height, cell->flips};
    if (tile && tile->width > 0 && tile->height > 0) {
        frame.width = tile->width;
        frame.height = tile->height;
    } else if (set && set->tile_width > 0 && set->tile_height > 0) {
        frame.width = set->tile_width;
        frame.height = set->tile_height;
    }
    bool is_turned = frame.flips & CLI_TILE_FLIPPED_DIAGONAL;
    frame.x += set ? set->offset_x : 0;
    frame.y += (set ? set->offset_y : 0) - (is_turned ? frame.width : frame.height);
    return frame;
}

static bool fills_cell(const cli_map_reader *reader, const cli_tile_cell *cell, tile_frame frame)
{
    return frame.width == reader->tile_width && frame.height == reader->tile_height &&
           frame.x == cell->at.x * reader->tile_width &&
           frame.y == cell->at.y * reader->tile_height;
}

// The role of a tile, or of one of its shapes, in a layer: what the nearest of them says.
static cli_role role_in_layer(const cli_layer_view *layer, const cli_tile *tile, cli_role own)
{
    const cli_role of_tile = tile ? tile->role : CLI_ROLE_NONE;
    return own != CLI_ROLE_NONE ? own : of_tile != CLI_ROLE_NONE ? of_tile : layer->role;
}

// Whether a tile, or its only shape if it has any, covers all of it, and is as the layer is: what
// becomes part of an outline has no properties of its own.
static bool is_plain(const cli_map_reader *reader, const cli_layer_view *layer,
                     const cli_tile *tile)
{
    if (!tile) {
        return true;
    }
    const cJSON *shape = tile->shapes ? tile->shapes->child : NULL;
    cli_role own = CLI_ROLE_NONE;
    if (shape) {
        (void)cli_tiled_own_role(&reader->sets.list[tile->tileset].json, shape, &own);
    }
    const cli_role role = role_in_layer(layer, tile, own);
    if (cli_tiled_has_chain_property(tile->node) ||
        (role == CLI_ROLE_SENSOR) != (layer->role == CLI_ROLE_SENSOR)) {
        return false;
    }
    if (!shape) {
        return true;
    }
    return !shape->next && cli_tiled_object_kind(shape) == CLI_OBJECT_RECT &&
           !cli_tiled_has_chain_property(shape) && cli_json_number(shape, "x", 0) == 0 &&
           cli_json_number(shape, "y", 0) == 0 && cli_json_number(shape, "rotation", 0) == 0 &&
           cli_json_number(shape, "width", 0) == tile->width &&
           cli_json_number(shape, "height", 0) == tile->height;
}

// Any two of the flips make a rotation.
static bool is_mirrored(const tile_frame *frame)
{
    const uint32_t flips = frame->flips;
    return !(flips & CLI_TILE_FLIPPED_X) ^ !(flips & CLI_TILE_FLIPPED_Y) ^
           !(flips & CLI_TILE_FLIPPED_DIAGONAL) ^ true;
}

// A mirrored open chain is reversed, so that its left side stays the same: a one-sided chain is
// landed on from above also if the tile is flipped from left to right.
static bool add_tile_chain(cli_map_reader *reader, const cli_layer_view *layer, cli_chain chain,
                           const tile_frame *frame, graze_vec2d *points)
{
    for (size_t i = 0; i < grz_list_count(points); ++i) {
        points[i] = flip_point(frame, points[i]);
    }
    if (!chain.def.loop && is_mirrored(frame)) {
        cli_tiled_reverse(points);
    }
    return cli_tiled_add_chain(reader, layer, chain, points);
}

static bool add_whole_tile(cli_map_reader *reader, const cli_layer_view *layer,
                           const cli_tile *tile, const tile_frame *frame)
{
    const cli_json *json = tile ? &reader->sets.list[tile->tileset].json : reader->json;
    const cli_scope scope = {json, tile ? tile->node : NULL, &layer->scope};
    const cli_role role = role_in_layer(layer, tile, CLI_ROLE_NONE);
    cli_chain chain;
    if (!cli_tiled_start_chain(reader, &scope, role == CLI_ROLE_SENSOR, layer->place, &chain)) {
        return false;
    }
    chain.def.loop = true;
    const graze_vec2d corners[4] = {
        {0, 0}, {0, frame->height}, {frame->width, frame->height}, {frame->width, 0}};
    graze_vec2d *points = NULL;
    for (int i = 0; i < 4; ++i) {
        cli_push(points, corners[i]);
    }
    bool done = add_tile_chain(reader, layer, chain, frame, points);
    grz_list_free(points);
    return done;
}

static bool add_tile_shape(cli_map_reader *reader, const cli_layer_view *layer,
                           const cli_tile *tile, const cJSON *shape, const tile_frame *frame)
{
    const cli_json *json = &reader->sets.list[tile->tileset].json;
    const cli_scope tile_scope = {json, tile->node, &layer->scope};
    const cli_scope scope = {json, shape, &tile_scope};
    cli_object_kind kind = cli_tiled_object_kind(shape);
    cli_role role;
    cli_chain chain;
    if (!cli_tiled_own_role(json, shape, &role)) {
        return false;
    }
    if (!cli_tiled_has_outline(kind) || role == CLI_ROLE_IGNORE) {
        return true;
    }
    const bool is_sensor = role_in_layer(layer, tile, role) == CLI_ROLE_SENSOR;
    graze_vec2d *points = NULL;
    bool done = cli_tiled_start_chain(reader, &scope, is_sensor, layer->place, &chain) &&
                cli_tiled_read_outline(json, shape, &points);
    chain.def.loop = kind != CLI_OBJECT_POLYLINE;
    done = done && add_tile_chain(reader, layer, chain, frame, points);
    grz_list_free(points);
    return done;
}

static bool add_tile_shapes(cli_map_reader *reader, const cli_layer_view *layer,
                            const cli_tile *tile, const tile_frame *frame)
{
    for (const cJSON *shape = tile->shapes->child; shape; shape = shape->next) {
        if (!add_tile_shape(reader, layer, tile, shape, frame)) {
            return false;
        }
    }
    return true;
}

/// The context of cli_outline_trace's loops.
typedef struct outline_sink {
    cli_map_reader *reader;
    const cli_layer_view *layer;
    bool done;
} outline_sink;

static void add_outline(const cli_cell *corners, size_t count, bool is_hole, void *user)
{
    outline_sink *sink = user;
    const cli_map_reader *reader = sink->reader;
    cli_chain chain;
    if (!sink->done ||
        !cli_tiled_start_chain(sink->reader, &sink->layer->scope,
                               sink->layer->role == CLI_ROLE_SENSOR, sink->layer->place, &chain)) {
        sink->done = false;
        return;
    }
    chain.def.loop = true;
    chain.fill = chain.def.sensor ? CLI_FILL_NONE : is_hole ? CLI_FILL_HOLE : CLI_FILL_INSIDE;
    graze_vec2d *points = NULL;
    for (size_t i = 0; i < count; ++i) {
        graze_vec2d point = {corners[i].x * reader->tile_width, corners[i].y * reader->tile_height};
        cli_push(points, point);
    }
    sink->done = cli_tiled_add_chain(sink->reader, sink->layer, chain, points);
    grz_list_free(points);
}

// Collects whole cells, which become outlines; everything else becomes a chain at once.
static bool read_cell(cli_map_reader *reader, const cli_layer_view *layer,
                      const cli_tile_cell *cell, cli_cell **whole)
{
    const cli_tile *tile = cli_tilesets_find_tile(&reader->sets, cell->gid);
    if (!tile && !cli_tilesets_have(&reader->sets, cell->gid)) {
        reader->strange_gid = reader->strange_tiles++ ? reader->strange_gid : cell->gid;
    }
    const bool is_ignored = tile && tile->role == CLI_ROLE_IGNORE;
    const bool collides = tile && (tile->shapes || tile->solid);
    if (is_ignored || !(collides || cli_tiled_is_solid(layer))) {
        return true;
    }
    tile_frame frame = make_tile_frame(reader, cell, tile);
    if (is_plain(reader, layer, tile) && fills_cell(reader, cell, frame)) {
        cli_push(*whole, cell->at);
        return true;
    }
    return tile && tile->shapes ? add_tile_shapes(reader, layer, tile, &frame)
                                : add_whole_tile(reader, layer, tile, &frame);
}

bool cli_tiled_read_tiles(cli_map_reader *reader, const cli_layer_view *layer)
{
    bool can_collide = cli_tiled_is_solid(layer) || reader->sets.collide;
    if (!can_collide || layer->role == CLI_ROLE_IGNORE) {
        return true;
    }
    cli_tile_cell *cells = NULL;
    cli_cell *whole = NULL;
    bool done = cli_tiled_read_cells(reader->json, layer->scope.node, &cells);
    for (size_t i = 0; done && i < grz_list_count(cells); ++i) {
        done = read_cell(reader, layer, &cells[i], &whole);
    }
    outline_sink sink = {reader, layer, done};
    if (done) {
        cli_outline_trace(whole, add_outline, &sink);
    }
    grz_list_free(cells);
    grz_list_free(whole);
    return sink.done;
}
