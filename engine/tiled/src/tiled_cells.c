// Terrain from the tiles of a tile layer.

#include "outline_grid.h"
#include "tiled_data.h"
#include "tiled_reader.h"

/// A cell that is not empty.
typedef struct grz_tile_cell {
    grz_cell at;
    uint32_t gid;   ///< Without flags.
    uint32_t flips; ///< The flags.
} grz_tile_cell;

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
    if (frame->flips & GRZ_TILE_FLIPPED_DIAGONAL) {
        graze_vec2d mirrored = {point.y, point.x};
        point = mirrored;
        width = frame->height;
        height = frame->width;
    }
    point.x = frame->x + (frame->flips & GRZ_TILE_FLIPPED_X ? width - point.x : point.x);
    point.y = frame->y + (frame->flips & GRZ_TILE_FLIPPED_Y ? height - point.y : point.y);
    return point;
}

// Tiles stand on the lower left corner of their cell, and may be larger than it.
static tile_frame make_tile_frame(const grz_map_reader *reader, const grz_tile_cell *cell,
                                  const grz_tile *tile)
{
    const grz_tileset *set = grz_tilesets_find(&reader->sets, cell->gid);
    tile_frame frame = {cell->at.x * reader->tile_width, (cell->at.y + 1) * reader->tile_height,
                        reader->tile_width, reader->tile_height, cell->flips};
    if (tile && tile->width > 0 && tile->height > 0) {
        frame.width = tile->width;
        frame.height = tile->height;
    } else if (set && set->tile_width > 0 && set->tile_height > 0) {
        frame.width = set->tile_width;
        frame.height = set->tile_height;
    }
    bool is_turned = frame.flips & GRZ_TILE_FLIPPED_DIAGONAL;
    frame.x += set ? set->offset_x : 0;
    frame.y += (set ? set->offset_y : 0) - (is_turned ? frame.width : frame.height);
    return frame;
}

static bool fills_cell(const grz_map_reader *reader, const grz_tile_cell *cell, tile_frame frame)
{
    return frame.width == reader->tile_width && frame.height == reader->tile_height &&
           frame.x == cell->at.x * reader->tile_width &&
           frame.y == cell->at.y * reader->tile_height;
}

// The role of a tile, or of one of its shapes, in a layer: what the nearest of them says.
static grz_role role_in_layer(const grz_layer *layer, const grz_tile *tile, grz_role own)
{
    const grz_role of_tile = tile ? tile->role : GRZ_ROLE_NONE;
    return own != GRZ_ROLE_NONE ? own : of_tile != GRZ_ROLE_NONE ? of_tile : layer->role;
}

// Whether a tile, or its only shape if it has any, covers all of it, and is as the layer is: what
// becomes part of an outline has no properties of its own.
static bool is_plain(const grz_map_reader *reader, const grz_layer *layer, const grz_tile *tile)
{
    if (!tile) {
        return true;
    }
    const cJSON *shape = tile->shapes ? tile->shapes->child : NULL;
    grz_role own = GRZ_ROLE_NONE;
    if (shape) {
        (void)grz_tiled_own_role(&reader->sets.list[tile->tileset].json, shape, &own);
    }
    const grz_role role = role_in_layer(layer, tile, own);
    if (grz_tiled_has_chain_property(tile->node) ||
        (role == GRZ_ROLE_SENSOR) != (layer->role == GRZ_ROLE_SENSOR)) {
        return false;
    }
    if (!shape) {
        return true;
    }
    return !shape->next && grz_tiled_object_kind(shape) == GRZ_OBJECT_RECT &&
           !grz_tiled_has_chain_property(shape) && grz_json_number(shape, "x", 0) == 0 &&
           grz_json_number(shape, "y", 0) == 0 && grz_json_number(shape, "rotation", 0) == 0 &&
           grz_json_number(shape, "width", 0) == tile->width &&
           grz_json_number(shape, "height", 0) == tile->height;
}

// Any two of the flips make a rotation.
static bool is_mirrored(const tile_frame *frame)
{
    const uint32_t flips = frame->flips;
    return !(flips & GRZ_TILE_FLIPPED_X) ^ !(flips & GRZ_TILE_FLIPPED_Y) ^
           !(flips & GRZ_TILE_FLIPPED_DIAGONAL) ^ true;
}

// A mirrored open chain is reversed, so that its left side stays the same: a one-sided chain is
// landed on from above also if the tile is flipped from left to right.
static bool add_tile_chain(grz_map_reader *reader, const grz_layer *layer, graze_tiled_chain chain,
                           const tile_frame *frame, graze_vec2d *points)
{
    for (size_t i = 0; i < grz_list_count(points); ++i) {
        points[i] = flip_point(frame, points[i]);
    }
    chain.fill = GRAZE_TILED_SOLID;
    if (!chain.def.loop && is_mirrored(frame)) {
        grz_tiled_reverse(points);
    }
    return grz_tiled_add_chain(reader, layer, chain, points);
}

static bool add_whole_tile(grz_map_reader *reader, const grz_layer *layer, const grz_tile *tile,
                           const tile_frame *frame)
{
    const grz_json *json = tile ? &reader->sets.list[tile->tileset].json : reader->json;
    const grz_scope scope = {json, tile ? tile->node : NULL, &layer->scope};
    const grz_role role = role_in_layer(layer, tile, GRZ_ROLE_NONE);
    graze_tiled_chain chain;
    if (!grz_tiled_start_chain(reader, &scope, role == GRZ_ROLE_SENSOR, layer->place, &chain)) {
        return false;
    }
    chain.def.loop = true;
    const graze_vec2d corners[4] = {
        {0, 0}, {0, frame->height}, {frame->width, frame->height}, {frame->width, 0}};
    graze_vec2d *points = NULL;
    for (int i = 0; i < 4; ++i) {
        grz_push(reader->memory, points, corners[i]);
    }
    bool done = add_tile_chain(reader, layer, chain, frame, points);
    grz_list_free(points);
    return done;
}

static bool add_tile_shape(grz_map_reader *reader, const grz_layer *layer, const grz_tile *tile,
                           const cJSON *shape, const tile_frame *frame)
{
    const grz_json *json = &reader->sets.list[tile->tileset].json;
    const grz_scope tile_scope = {json, tile->node, &layer->scope};
    const grz_scope scope = {json, shape, &tile_scope};
    grz_object_kind kind = grz_tiled_object_kind(shape);
    grz_role role;
    graze_tiled_chain chain;
    if (!grz_tiled_own_role(json, shape, &role)) {
        return false;
    }
    if (!grz_tiled_has_outline(kind) || role == GRZ_ROLE_IGNORE) {
        return true;
    }
    const bool is_sensor = role_in_layer(layer, tile, role) == GRZ_ROLE_SENSOR;
    graze_vec2d *points = NULL;
    bool done = grz_tiled_start_chain(reader, &scope, is_sensor, layer->place, &chain) &&
                grz_tiled_read_outline(json, shape, &points);
    chain.def.loop = kind != GRZ_OBJECT_POLYLINE;
    done = done && add_tile_chain(reader, layer, chain, frame, points);
    grz_list_free(points);
    return done;
}

static bool add_tile_shapes(grz_map_reader *reader, const grz_layer *layer, const grz_tile *tile,
                            const tile_frame *frame)
{
    for (const cJSON *shape = tile->shapes->child; shape; shape = shape->next) {
        if (!add_tile_shape(reader, layer, tile, shape, frame)) {
            return false;
        }
    }
    return true;
}

/// The context of grz_outline_trace's loops.
typedef struct outline_sink {
    grz_map_reader *reader;
    const grz_layer *layer;
    bool done;
} outline_sink;

static void add_outline(const grz_cell *corners, size_t count, bool is_hole, void *user)
{
    outline_sink *sink = user;
    const grz_map_reader *reader = sink->reader;
    graze_tiled_chain chain;
    if (!sink->done ||
        !grz_tiled_start_chain(sink->reader, &sink->layer->scope,
                               sink->layer->role == GRZ_ROLE_SENSOR, sink->layer->place, &chain)) {
        sink->done = false;
        return;
    }
    chain.def.loop = true;
    chain.fill = chain.def.sensor ? GRAZE_TILED_LINE
                 : is_hole        ? GRAZE_TILED_HOLE
                                  : GRAZE_TILED_SOLID;
    graze_vec2d *points = NULL;
    for (size_t i = 0; i < count; ++i) {
        graze_vec2d point = {corners[i].x * reader->tile_width, corners[i].y * reader->tile_height};
        grz_push(reader->memory, points, point);
    }
    sink->done = grz_tiled_add_chain(sink->reader, sink->layer, chain, points);
    grz_list_free(points);
}

// Collects whole cells, which become outlines; everything else becomes a chain at once.
static bool read_cell(grz_map_reader *reader, const grz_layer *layer, const grz_tile_cell *cell,
                      grz_run **whole)
{
    const grz_tile *tile = grz_tilesets_find_tile(&reader->sets, cell->gid);
    if (!tile && !grz_tilesets_have(&reader->sets, cell->gid)) {
        reader->strange_gid = reader->strange_tiles++ ? reader->strange_gid : cell->gid;
    }
    const bool is_open = tile && tile->open && !grz_solid_is_asked(&reader->solid);
    const bool is_ignored = tile && tile->role == GRZ_ROLE_IGNORE;
    if (is_ignored ||
        !(grz_tile_collides(&reader->sets, tile) || (grz_tiled_is_solid(layer) && !is_open))) {
        return true;
    }
    tile_frame frame = make_tile_frame(reader, cell, tile);
    if (is_plain(reader, layer, tile) && fills_cell(reader, cell, frame)) {
        grz_runs_add(reader->memory, whole, cell->at);
        return true;
    }
    return tile && tile->shapes ? add_tile_shapes(reader, layer, tile, &frame)
                                : add_whole_tile(reader, layer, tile, &frame);
}

static bool read_chunk(grz_map_reader *reader, const grz_layer *layer,
                       const graze_tiled_chunk *chunk, grz_run **whole)
{
    const size_t count = (size_t)chunk->width * chunk->height;
    for (size_t i = 0; i < count; ++i) {
        const uint32_t raw = chunk->gids[i];
        if (!raw) {
            continue;
        }
        const grz_tile_cell cell = {
            {chunk->x + (int32_t)(i % chunk->width), chunk->y + (int32_t)(i / chunk->width)},
            raw & GRZ_LAST_GID,
            raw >> 28};
        if (cell.gid && !read_cell(reader, layer, &cell, whole)) {
            return false;
        }
    }
    return true;
}

bool grz_tiled_read_tiles(grz_map_reader *reader, const grz_layer *layer)
{
    bool can_collide = grz_tiled_is_solid(layer) || reader->sets.collide;
    if (!can_collide || layer->role == GRZ_ROLE_IGNORE) {
        return true;
    }
    grz_run *whole = NULL;
    bool done = true;
    for (size_t i = 0; done && i < grz_list_count(layer->chunks); ++i) {
        done = read_chunk(reader, layer, &layer->chunks[i], &whole);
    }
    outline_sink sink = {reader, layer, done};
    if (done) {
        grz_outline_trace_runs(reader->memory, whole, add_outline, &sink);
    }
    grz_list_free(whole);
    return sink.done;
}
