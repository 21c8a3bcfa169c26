// Chains from outlines in a Tiled map.

#include "tiled_reader.h"

#include <float.h>
#include <math.h>

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

/// Terrain as a map's properties describe it.
static const grz_field chain_fields[] = {
    {"one_sided", GRZ_BOOL, offsetof(graze_chain_def, one_sided), 0, 0},
    {"sensor", GRZ_BOOL, offsetof(graze_chain_def, sensor), 0, 0},
    {"category", GRZ_UINT32, offsetof(graze_chain_def, filter.category), 0, 0},
    {"mask", GRZ_UINT32, offsetof(graze_chain_def, filter.mask), 0, 0},
    {"pass", GRZ_UINT32, offsetof(graze_chain_def, filter.pass), 0, 0},
    {"group", GRZ_INT32, offsetof(graze_chain_def, filter.group), 0, 0},
    {"user_data", GRZ_UINT64, offsetof(graze_chain_def, user_data), 0, 0},
};

bool grz_tiled_round(graze_vec2d exact, graze_vec2 *point)
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

void grz_tiled_reverse(graze_vec2d *points)
{
    const size_t count = grz_list_count(points);
    for (size_t i = 0; i < count / 2; ++i) {
        graze_vec2d kept = points[i];
        points[i] = points[count - 1 - i];
        points[count - 1 - i] = kept;
    }
}

bool grz_tiled_add_chain(grz_map_reader *reader, const grz_layer *layer, graze_tiled_chain chain,
                         graze_vec2d *points)
{
    size_t count = grz_list_count(points);
    if (count < 2) {
        ++reader->short_chains;
        return true;
    }
    if (chain.def.loop && chain.fill != GRAZE_TILED_HOLE && twice_area(points, count) > 0) {
        grz_tiled_reverse(points);
    }
    const size_t first = grz_list_count(reader->points);
    for (size_t i = 0; i < count; ++i) {
        graze_vec2d moved = {points[i].x + layer->offset_x, points[i].y + layer->offset_y};
        graze_vec2 point;
        if (!grz_tiled_round(moved, &point)) {
            return grz_tiled_fail(reader->json->error, reader->json->path, chain.place,
                                  "a point is beyond the range of float");
        }
        grz_push(reader->memory, reader->points, point);
    }
    chain.def.count = (uint32_t)count;
    chain.layer = layer->index;
    chain.fill = chain.def.loop && !chain.def.sensor ? chain.fill : GRAZE_TILED_LINE;
    grz_push(reader->memory, reader->chains, chain);
    grz_push(reader->memory, reader->firsts, first);
    return true;
}

bool grz_tiled_start_chain(grz_map_reader *reader, const grz_scope *scope, bool is_sensor,
                           const char *place, graze_tiled_chain *chain)
{
    chain->def = reader->def->chain;
    chain->def.sensor |= is_sensor;
    chain->fill = GRAZE_TILED_OUTLINE;
    chain->place = place;
    chain->layer = GRAZE_TILED_NONE;
    chain->object = reader->object;
    return grz_tiled_read_properties(scope, chain_fields, COUNT_OF(chain_fields), &chain->def);
}

bool grz_tiled_is_solid(const grz_layer *layer)
{
    return layer->role == GRZ_ROLE_TERRAIN || layer->role == GRZ_ROLE_SENSOR;
}

bool grz_tiled_has_chain_property(const cJSON *node)
{
    for (size_t i = 0; i < COUNT_OF(chain_fields); ++i) {
        if (grz_tiled_has_property(node, chain_fields[i].name)) {
            return true;
        }
    }
    return false;
}
