#include "tiled_map.h"

#include "plural.h"
#include "tiled_reader.h"
#include "tiled_types.h"

#include <graze/overlap.h>
#include <graze/shape.h>

#include <float.h>
#include <math.h>
#include <string.h>

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

enum { PROBE_COUNT = 300 }; ///< At most, about, if nothing else moves.

static const cli_field map_fields[] = {
    {"gravity_x", CLI_FLOAT, offsetof(cli_scene, gravity.x), 0, 0},
    {"gravity_y", CLI_FLOAT, offsetof(cli_scene, gravity.y), 0, 0},
    {"dt", CLI_FLOAT, offsetof(cli_scene, dt), (double)FLT_MIN, (double)FLT_MAX},
    {"steps", CLI_UINT32, offsetof(cli_scene, steps), 0, CLI_MAX_STEPS},
};

static bool is_kind(const cJSON *layer, const char *kind)
{
    return strcmp(cli_json_text(layer, "type"), kind) == 0;
}

static bool enter_layer(const cli_map_reader *reader, const cJSON *node,
                        const cli_layer_view *outer, cli_layer_view *layer)
{
    static const char *const numbers[] = {"offsetx", "offsety"};
    if (!cli_json_expect_object(reader->json, node) ||
        !cli_json_expect_numbers(reader->json, node, numbers, COUNT_OF(numbers)) ||
        !cli_tiled_own_role(reader->json, node, &layer->role)) {
        return false;
    }
    bool is_called_solid =
        cli_tiled_names_solid(cli_json_text(node, "name")) || cli_tiled_says_solid(node);
    if (layer->role == CLI_ROLE_NONE && is_called_solid) {
        layer->role = CLI_ROLE_TERRAIN;
    }
    layer->role = layer->role == CLI_ROLE_NONE ? outer->role : layer->role;
    layer->scope.json = reader->json;
    layer->scope.node = node;
    layer->scope.outer = &outer->scope;
    layer->offset_x = outer->offset_x + cli_json_number(node, "offsetx", 0);
    layer->offset_y = outer->offset_y + cli_json_number(node, "offsety", 0);
    cli_json_path(reader->json, node, layer->place, sizeof layer->place);
    return true;
}

typedef bool visit_layer(cli_map_reader *reader, const cli_layer_view *layer);

static bool visit_layers(cli_map_reader *reader, const cli_layer_view *outer, visit_layer *visit)
{
    const cJSON *node;
    if (!cli_json_list(reader->json, outer->scope.node, "layers", &node)) {
        return false;
    }
    for (; node; node = node->next) {
        cli_layer_view layer;
        if (!enter_layer(reader, node, outer, &layer)) {
            return false;
        }
        if (is_kind(node, "group") ? !visit_layers(reader, &layer, visit)
                                   : !visit(reader, &layer)) {
            return false;
        }
    }
    return true;
}

static bool survey_layer(cli_map_reader *reader, const cli_layer_view *layer)
{
    const cJSON *node = layer->scope.node;
    reader->has_terrain_layer |= cli_tiled_is_solid(layer) && is_kind(node, "objectgroup");
    reader->has_solid_tiles |= cli_tiled_is_solid(layer) && is_kind(node, "tilelayer");
    return true;
}

static bool read_layer(cli_map_reader *reader, const cli_layer_view *layer)
{
    if (is_kind(layer->scope.node, "objectgroup")) {
        return cli_tiled_read_objects(reader, layer);
    }
    if (is_kind(layer->scope.node, "tilelayer")) {
        return cli_tiled_read_tiles(reader, layer);
    }
    reader->strange_layers += !is_kind(layer->scope.node, "imagelayer");
    return true;
}

static void note_left_out(cli_map_reader *reader)
{
    static const char not_solid[] = "their layers are not called solid";
    static const struct {
        cli_object_kind kind;
        const char *name, *reason;
    } notes[] = {
        {CLI_OBJECT_POLYGON, "polygons", not_solid},
        {CLI_OBJECT_POLYLINE, "polylines", not_solid},
        {CLI_OBJECT_RECT, "rectangles", not_solid},
        {CLI_OBJECT_ELLIPSE, "ellipses", not_solid},
        {CLI_OBJECT_POINT, "points", "the class \"body\" makes bullets of them"},
        {CLI_OBJECT_TILE, "tile objects", "the class \"body\" lets them move"},
        {CLI_OBJECT_TEXT, "text objects", "they are nothing to meet"},
        {CLI_OBJECT_TEMPLATE, "objects from templates", "in Tiled, detach them"},
    };
    for (size_t i = 0; i < COUNT_OF(notes); ++i) {
        uint32_t count = reader->left_out[notes[i].kind];
        if (count > 0) {
            cli_scene_add_note(reader->scene, "%s left out: %u (%s)", notes[i].name, count,
                               notes[i].reason);
        }
    }
    if (reader->short_chains > 0) {
        cli_scene_add_note(reader->scene, "polylines and polygons of one point left out: %u",
                           reader->short_chains);
    }
    if (reader->sets.left_out > 0) {
        cli_scene_add_note(reader->scene,
                           "points, texts and the like among the collision shapes of tiles left "
                           "out: %u",
                           reader->sets.left_out);
    }
    if (reader->strange_layers > 0) {
        cli_scene_add_note(reader->scene, "layers of an unknown type left out: %u",
                           reader->strange_layers);
    }
    if (reader->strange_tiles > 0) {
        cli_scene_add_note(reader->scene,
                           "tiles that no tileset has: %u, the first with gid %u (left out where "
                           "their layer is not called solid)",
                           reader->strange_tiles, reader->strange_gid);
    }
}

// By majority: some may stand on a wall, or in it.
static bool holds_things(const cli_map_reader *reader, const cli_chain *chain)
{
    size_t count = grz_list_count(reader->things);
    size_t inside = 0;
    for (size_t i = 0; i < count; ++i) {
        inside += cli_scene_chain_contains(reader->scene, chain, reader->things[i]);
    }
    return count == 0 || 2 * inside > count;
}

// A loop around most of the map is a room if the map's things stand in it.
static bool is_rock(const cli_map_reader *reader, const cli_chain *chain)
{
    graze_aabb view = reader->scene->view;
    graze_aabb box = cli_scene_chain_box(reader->scene, chain);
    bool is_large = box.upper.x - box.lower.x > 0.6f * (view.upper.x - view.lower.x) &&
                    box.upper.y - box.lower.y > 0.6f * (view.upper.y - view.lower.y);
    bool is_room = chain->fill == CLI_FILL_AUTO && is_large && holds_things(reader, chain);
    return chain->def.loop && !chain->def.sensor && !is_room;
}

static bool is_touched(const cli_scene *scene, const cli_chain *chain, graze_circle circle)
{
    const graze_vec2 *points = scene->points + chain->first;
    const uint32_t count = chain->def.count;
    bool touches = false;
    for (uint32_t i = 0; !touches && i + !chain->def.loop < count; ++i) {
        const graze_segment segment = {points[i], points[i + 1 < count ? i + 1 : 0]};
        touches = graze_overlap_circle_segment(circle, segment);
    }
    return touches && !chain->def.sensor;
}

// Whether all of a circle is in the open; rocks[i]: chain i is a rock.
static bool is_open(const cli_scene *scene, const bool *rocks, graze_circle circle)
{
    int depth = 0;
    for (size_t i = 0; i < grz_list_count(scene->chains); ++i) {
        const cli_chain *chain = &scene->chains[i];
        if (is_touched(scene, chain, circle)) {
            return false;
        }
        if (rocks[i] && cli_scene_chain_contains(scene, chain, circle.center)) {
            depth += chain->fill == CLI_FILL_HOLE ? -1 : 1;
        }
    }
    return depth <= 0;
}

// An infinite map is as large as its contents.
static void show_terrain(cli_scene *scene)
{
    scene->view = cli_scene_chain_box(scene, &scene->chains[0]);
    for (size_t i = 1; i < grz_list_count(scene->chains); ++i) {
        graze_aabb box = cli_scene_chain_box(scene, &scene->chains[i]);
        graze_aabb *view = &scene->view;
        view->lower.x = box.lower.x < view->lower.x ? box.lower.x : view->lower.x;
        view->lower.y = box.lower.y < view->lower.y ? box.lower.y : view->lower.y;
        view->upper.x = box.upper.x > view->upper.x ? box.upper.x : view->upper.x;
        view->upper.y = box.upper.y > view->upper.y ? box.upper.y : view->upper.y;
    }
    scene->has_view = true;
}

static cli_body make_probe(const cli_map_reader *reader)
{
    cli_body probe = {cli_body_def(), "probe"};
    probe.def.shape = graze_shape_circle((float)(0.3 * reader->tile_height));
    probe.def.response = GRAZE_STOP;
    return probe;
}

// At least two tiles, and at most PROBE_COUNT of them, whatever the proportions.
static double space_probes(const cli_map_reader *reader, double width, double height)
{
    double longer = width > height ? width : height;
    double by_side = longer / PROBE_COUNT;
    double by_area = sqrt(width * height / PROBE_COUNT);
    double least = reader->tile_width + reader->tile_height;
    double spacing = by_side > by_area ? by_side : by_area;
    return spacing > least ? spacing : least;
}

// They begin in the middle of a tile, because walls are at the edges of tiles.
static void add_probes(cli_map_reader *reader)
{
    cli_scene *scene = reader->scene;
    cli_body probe = make_probe(reader);
    bool *rocks = NULL;
    for (size_t i = 0; i < grz_list_count(scene->chains); ++i) {
        cli_push(rocks, is_rock(reader, &scene->chains[i]));
    }
    graze_aabb view = scene->view;
    double width = (double)view.upper.x - (double)view.lower.x;
    double height = (double)view.upper.y - (double)view.lower.y;
    double spacing = space_probes(reader, width, height);
    for (double y = (spacing - reader->tile_height) / 2; y < height; y += spacing) {
        for (double x = (spacing - reader->tile_width) / 2; x < width; x += spacing) {
            probe.def.position.x = (float)((double)view.lower.x + x);
            probe.def.position.y = (float)((double)view.lower.y + y);
            const graze_circle circle = {probe.def.position, probe.def.shape.radius};
            if (is_open(scene, rocks, circle)) {
                cli_push(scene->bodies, probe);
            }
        }
    }
    grz_list_free(rocks);
}

// In a map without bodies probes fall on the terrain, to show it.
static void add_probes_where_nothing_moves(cli_map_reader *reader)
{
    cli_scene *scene = reader->scene;
    if (grz_list_count(scene->chains) == 0) {
        cli_scene_add_note(scene, "the map has no terrain: call an object layer \"Collision\", or "
                                  "give tiles collision shapes or a property \"solid\"");
        return;
    }
    if (grz_list_count(scene->bodies) > 0) {
        return;
    }
    if (!scene->has_view) {
        show_terrain(scene);
    }
    if (scene->gravity.x == 0 && scene->gravity.y == 0) {
        scene->gravity.y = (float)(20 * reader->tile_height);
    }
    add_probes(reader);
    const size_t count = grz_list_count(scene->bodies);
    cli_scene_add_note(scene, "no object has the class \"body\": %zu small %s on the terrain",
                       count, grz_plural(count, "circle falls", "circles fall"));
}

static bool check_map(const cli_json *json)
{
    const char *type = cli_json_text(json->root, "type");
    const char *orientation = cli_json_text(json->root, "orientation");
    if (*type && strcmp(type, "map") != 0) {
        return cli_json_fail(json, cli_json_get(json->root, "type"),
                             "this is a Tiled %.40s, not a map", type);
    }
    if (!*type && !cli_json_get(json->root, "layers")) {
        return cli_json_fail(json, json->root, "\"layers\" is missing: no Tiled map");
    }
    const cJSON *said = cli_json_get(json->root, "orientation");
    if (said && !cJSON_IsString(said)) {
        return cli_json_refuse(json, said, "\"orthogonal\"");
    }
    return !*orientation || strcmp(orientation, "orthogonal") == 0 ||
           cli_json_fail(json, said, "must be \"orthogonal\", not \"%.40s\"", orientation);
}

static bool read_size(cli_map_reader *reader)
{
    static const char *const numbers[] = {"width", "height", "tilewidth", "tileheight"};
    const cJSON *root = reader->json->root;
    if (!cli_json_expect_numbers(reader->json, root, numbers, COUNT_OF(numbers))) {
        return false;
    }
    reader->tile_width = cli_json_number(root, "tilewidth", 16);
    reader->tile_height = cli_json_number(root, "tileheight", 16);
    if (!(reader->tile_width > 0 && reader->tile_height > 0)) {
        return cli_json_fail(reader->json, root, "its tiles measure %g x %g", reader->tile_width,
                             reader->tile_height);
    }
    graze_vec2d size = {cli_json_number(root, "width", 0) * reader->tile_width,
                        cli_json_number(root, "height", 0) * reader->tile_height};
    bool is_infinite = cJSON_IsTrue(cli_json_get(root, "infinite"));
    cli_scene *scene = reader->scene;
    scene->has_view =
        !is_infinite && size.x > 0 && size.y > 0 && cli_tiled_round(size, &scene->view.upper);
    return true;
}

static bool read_map(cli_map_reader *reader)
{
    const cli_json *json = reader->json;
    const cli_layer_view all = {{json, json->root, NULL}, CLI_ROLE_NONE, 0, 0, ""};
    if (!cli_json_expect_object(json, json->root) || !cli_tiled_check_types(json, json->root) ||
        !check_map(json) || !read_size(reader) ||
        !cli_tiled_read_properties(&all.scope, map_fields, COUNT_OF(map_fields), reader->scene) ||
        !cli_tilesets_read(&reader->sets, reader->scene, json)) {
        return false;
    }
    reader->has_solid_tiles = reader->sets.collide;
    if (!visit_layers(reader, &all, survey_layer) || !visit_layers(reader, &all, read_layer)) {
        return false;
    }
    note_left_out(reader);
    add_probes_where_nothing_moves(reader);
    return true;
}

bool cli_scene_from_tiled(cli_scene *scene, const cli_json *json)
{
    cli_map_reader reader = {.scene = scene, .json = json};
    scene->y_down = true;
    bool done = read_map(&reader);
    cli_tilesets_free(&reader.sets);
    grz_list_free(reader.things);
    return done;
}
