#include "terrain_image.h"

#include "list.h"

#include <string.h>

bool grz_terrain_image_reserve(graze_world *world, size_t chains, size_t points)
{
    return grz_array_reserve(&world->image.records, &world->counting, chains) &&
           grz_array_reserve(&world->image.points, &world->counting, points);
}

static void take_in(grz_terrain_image *image, const grz_chain *chain)
{
    const grz_chain_record record = grz_terrain_record(chain);
    image->records.data[image->records.count++] = record;
    if (record.point_count) {
        memcpy(image->points.data + image->points.count, chain->points,
               record.point_count * sizeof *chain->points);
        image->points.count += record.point_count;
    }
}

void grz_terrain_image_extend(graze_world *world, uint32_t most)
{
    const uint32_t count = (uint32_t)grz_list_count(world->chains);
    for (; most && world->image.records.count < count; --most) {
        take_in(&world->image, &world->chains[world->image.records.count]);
    }
}

// From the end: each chain that is left out was once taken in.
void grz_terrain_image_cut(graze_world *world, uint32_t index)
{
    grz_terrain_image *image = &world->image;
    while (image->records.count > index) {
        image->points.count -= image->records.data[--image->records.count].point_count;
    }
}

void grz_terrain_image_replace(graze_world *world, const void *records, uint32_t chains,
                               const void *points, uint32_t point_count)
{
    grz_terrain_image *image = &world->image;
    image->records.count = chains;
    image->points.count = point_count;
    if (chains) {
        memcpy(image->records.data, records, chains * sizeof *image->records.data);
    }
    if (point_count) {
        memcpy(image->points.data, points, point_count * sizeof *image->points.data);
    }
}

void grz_terrain_image_free(graze_world *world)
{
    grz_array_free(&world->image.records, &world->counting);
    grz_array_free(&world->image.points, &world->counting);
}
