#include "probes.h"

#include "plural.h"

#include <graze/overlap.h>
#include <graze/shape.h>

#include <math.h>

enum { PROBE_COUNT = 300 }; ///< At most, about.

/// A scene without bodies, and its map.
typedef struct probe_kit {
    cli_scene *scene;
    const graze_tiled_map *map;
} probe_kit;

// A place where a game has put something is most likely in the open.
static bool is_thing(const graze_tiled_object *object)
{
    return (object->kind == GRAZE_TILED_POINT || object->kind == GRAZE_TILED_TILE) &&
           object->chain == GRAZE_TILED_NONE && object->body == GRAZE_TILED_NONE;
}

// By majority: some may stand on a wall, or in it.
static bool holds_things(const probe_kit *kit, const cli_chain *chain)
{
    size_t count = 0;
    size_t inside = 0;
    for (uint32_t i = 0; i < kit->map->object_count; ++i) {
        const graze_tiled_object *object = &kit->map->objects[i];
        count += is_thing(object);
        inside += is_thing(object) && cli_scene_chain_contains(kit->scene, chain, object->center);
    }
    return count == 0 || 2 * inside > count;
}

// A loop around most of the map is a room if the map's things stand in it.
static bool is_rock(const probe_kit *kit, const cli_chain *chain)
{
    graze_aabb view = kit->scene->view;
    graze_aabb box = cli_scene_chain_box(kit->scene, chain);
    bool is_large = box.upper.x - box.lower.x > 0.6f * (view.upper.x - view.lower.x) &&
                    box.upper.y - box.lower.y > 0.6f * (view.upper.y - view.lower.y);
    bool is_room = chain->fill == CLI_FILL_AUTO && is_large && holds_things(kit, chain);
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

/// What is found out once about a chain.
typedef struct obstacle {
    graze_aabb box;
    bool is_rock;
} obstacle;

static bool is_near(const obstacle *thing, graze_circle circle)
{
    const double x = (double)circle.center.x;
    const double y = (double)circle.center.y;
    const double reach = 1.01 * (double)circle.radius;
    return x + reach >= (double)thing->box.lower.x && x - reach <= (double)thing->box.upper.x &&
           y + reach >= (double)thing->box.lower.y && y - reach <= (double)thing->box.upper.y;
}

// Whether all of a circle is in the open; things[i] is chain i.
static bool is_open(const cli_scene *scene, const obstacle *things, graze_circle circle)
{
    int depth = 0;
    for (size_t i = 0; i < grz_list_count(scene->chains); ++i) {
        const cli_chain *chain = &scene->chains[i];
        if (!is_near(&things[i], circle)) {
            continue;
        }
        if (is_touched(scene, chain, circle)) {
            return false;
        }
        if (things[i].is_rock && cli_scene_chain_contains(scene, chain, circle.center)) {
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

static cli_body make_probe(const probe_kit *kit)
{
    cli_body probe = {cli_body_def(), "probe"};
    probe.def.shape = graze_shape_circle((float)(0.3 * (double)kit->map->tile_size.y));
    probe.def.response = GRAZE_STOP;
    return probe;
}

// At least two tiles, and at most PROBE_COUNT of them, whatever the proportions.
static double space_probes(const probe_kit *kit, double width, double height)
{
    double longer = width > height ? width : height;
    double by_side = longer / PROBE_COUNT;
    double by_area = sqrt(width * height / PROBE_COUNT);
    double least = (double)kit->map->tile_size.x + (double)kit->map->tile_size.y;
    double spacing = by_side > by_area ? by_side : by_area;
    return spacing > least ? spacing : least;
}

// They begin in the middle of a tile, because walls are at the edges of tiles.
static void add_probes(const probe_kit *kit)
{
    cli_scene *scene = kit->scene;
    cli_body probe = make_probe(kit);
    obstacle *things = NULL;
    for (size_t i = 0; i < grz_list_count(scene->chains); ++i) {
        const cli_chain *chain = &scene->chains[i];
        const obstacle thing = {cli_scene_chain_box(scene, chain), is_rock(kit, chain)};
        cli_push(things, thing);
    }
    graze_aabb view = scene->view;
    double width = (double)view.upper.x - (double)view.lower.x;
    double height = (double)view.upper.y - (double)view.lower.y;
    double spacing = space_probes(kit, width, height);
    for (double y = (spacing - (double)kit->map->tile_size.y) / 2; y < height; y += spacing) {
        for (double x = (spacing - (double)kit->map->tile_size.x) / 2; x < width; x += spacing) {
            probe.def.position.x = (float)((double)view.lower.x + x);
            probe.def.position.y = (float)((double)view.lower.y + y);
            const graze_circle circle = {probe.def.position, probe.def.shape.radius};
            if (is_open(scene, things, circle)) {
                cli_push(scene->bodies, probe);
            }
        }
    }
    grz_list_free(things);
}

void cli_probes_add(cli_scene *scene, const graze_tiled_map *map)
{
    const probe_kit kit = {scene, map};
    if (grz_list_count(scene->chains) == 0 || grz_list_count(scene->bodies) > 0) {
        return;
    }
    if (!scene->has_view) {
        show_terrain(scene);
    }
    if (scene->gravity.x == 0 && scene->gravity.y == 0) {
        scene->gravity.y = 20 * map->tile_size.y;
    }
    add_probes(&kit);
    const size_t count = grz_list_count(scene->bodies);
    cli_scene_add_note(scene, "no object has the class \"body\": %zu small %s on the terrain",
                       count, grz_plural(count, "circle falls", "circles fall"));
}
