// Chains from outlines in a Tiled map.

#include "tiled_reader.h"

#include <float.h>
#include <math.h>

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

/// Terrain as a map's properties describe it.
static const cli_field chain_fields[] = {
    {"one_sided", CLI_BOOL, offsetof(graze_chain_def, one_sided), 0, 0},
    {"sensor", CLI_BOOL, offsetof(graze_chain_def, sensor), 0, 0},
    {"category", CLI_UINT32, offsetof(graze_chain_def, filter.category), 0, 0},
    {"mask", CLI_UINT32, offsetof(graze_chain_def, filter.mask), 0, 0},
    {"pass", CLI_UINT32, offsetof(graze_chain_def, filter.pass), 0, 0},
    {"group", CLI_INT32, offsetof(graze_chain_def, filter.group), 0, 0},
    {"user_data", CLI_UINT64, offsetof(graze_chain_def, user_data), 0, 0},
};

bool cli_tiled_round(graze_vec2d exact, graze_vec2 *point)
{
    bool fits = fabs(exact.x) <= (double)FLT_MAX && fabs(exact.y) <= (double)FLT_MAX;
    if (fits) {
        point->x = (float)exact.x;
        point->y = (float)exact.y;
    }
    return fits;
}

static double twice_area(const graze_vec2d *points, size_t count)
{
    double area = 0;
    for (size_t i = 0; i < count; ++i) {
        graze_vec2d a = points[i];
        graze_vec2d b = points[(i + 1) % count];
        area += (a.x - points[0].x) * (b.y - points[0].y);
        area -= (a.y - points[0].y) * (b.x - points[0].x);
    }
    return area;
}

void cli_tiled_reverse(graze_vec2d *points)
{
    const size_t count = grz_list_count(points);
    for (size_t i = 0; i < count / 2; ++i) {
        graze_vec2d kept = points[i];
        points[i] = points[count - 1 - i];
        points[count - 1 - i] = kept;
    }
}

bool cli_tiled_add_chain(cli_map_reader *reader, const cli_layer_view *layer, cli_chain chain,
                         graze_vec2d *points)
{
    size_t count = grz_list_count(points);
    if (count < 2) {
        ++reader->short_chains;
        return true;
    }
    if (chain.def.loop && chain.fill != CLI_FILL_HOLE && twice_area(points, count) > 0) {
        cli_tiled_reverse(points);
    }
    graze_vec2 *rounded = NULL;
    bool fits = true;
    for (size_t i = 0; fits && i < count; ++i) {
        graze_vec2d moved = {points[i].x + layer->offset_x, points[i].y + layer->offset_y};
        graze_vec2 point;
        fits = cli_tiled_round(moved, &point);
        cli_push(rounded, point);
    }
    if (fits) {
        cli_scene_add_chain(reader->scene, chain, rounded, count);
    }
    grz_list_free(rounded);
    return fits || cli_fail(reader->json->error, "%s: %s: a point is beyond the range of float",
                            reader->json->path, chain.place);
}

bool cli_tiled_start_chain(cli_map_reader *reader, const cli_scope *scope, bool is_sensor,
                           const char *place, cli_chain *chain)
{
    chain->def = graze_chain_def_default();
    chain->def.surface = cli_plain_surface;
    chain->def.sensor = is_sensor;
    chain->first = 0;
    chain->fill = CLI_FILL_AUTO;
    chain->place = cli_scene_add_place(reader->scene, place);
    return cli_tiled_read_properties(scope, chain_fields, COUNT_OF(chain_fields), &chain->def);
}

bool cli_tiled_is_solid(const cli_layer_view *layer)
{
    return layer->role == CLI_ROLE_TERRAIN || layer->role == CLI_ROLE_SENSOR;
}

bool cli_tiled_has_chain_property(const cJSON *node)
{
    for (size_t i = 0; i < COUNT_OF(chain_fields); ++i) {
        if (cli_tiled_has_property(node, chain_fields[i].name)) {
            return true;
        }
    }
    return false;
}
