#include "terrain/terrain_image.h"

#include "list.h"

#include <string.h>

bool grz_terrain_image_reserve(graze_world *world, size_t chains, size_t points, size_t surfaces)
{
    return grz_array_reserve(&world->image.records, &world->counting, chains) &&
           grz_array_reserve(&world->image.points, &world->counting, points) &&
           grz_array_reserve(&world->image.surfaces, &world->counting, surfaces);
}

static void take_in(grz_terrain_image *image, const grz_chain *chain)
{
    const grz_chain_record record = grz_terrain_record(chain);
    const uint32_t surfaces = grz_record_surface_count(&record);
    image->records.data[image->records.count++] = record;
    if (record.point_count) {
        memcpy(image->points.data + image->points.count, chain->points,
               record.point_count * sizeof *chain->points);
        image->points.count += record.point_count;
    }
    if (surfaces) {
        memcpy(image->surfaces.data + image->surfaces.count, chain->surfaces,
               surfaces * sizeof *chain->surfaces);
        image->surfaces.count += surfaces;
    }
}

void grz_terrain_image_extend(graze_world *world, uint32_t most)
{
    grz_terrain_image *image = &world->image;
    const uint32_t count = (uint32_t)grz_list_count(world->chains);
    for (uint32_t i = 0; i < most && image->records.count < count; ++i) {
        take_in(image, &world->chains[image->records.count]);
    }
}

// From the end: each chain that is left out was once added.
void grz_terrain_image_cut(graze_world *world, uint32_t index)
{
    grz_terrain_image *image = &world->image;
    while (image->records.count > index) {
        const grz_chain_record *last = &image->records.data[--image->records.count];
        image->points.count -= last->point_count;
        image->surfaces.count -= grz_record_surface_count(last);
    }
}

static void copy_elements(void *to, const void *from, size_t size)
{
    if (size) {
        memcpy(to, from, size);
    }
}

void grz_terrain_image_replace(graze_world *world, const grz_image_source *source)
{
    grz_terrain_image *image = &world->image;
    image->records.count = source->record_count;
    image->points.count = source->point_count;
    image->surfaces.count = source->surface_count;
    copy_elements(image->records.data, source->records,
                  source->record_count * sizeof *image->records.data);
    copy_elements(image->points.data, source->points,
                  source->point_count * sizeof *image->points.data);
    copy_elements(image->surfaces.data, source->surfaces,
                  source->surface_count * sizeof *image->surfaces.data);
}

void grz_terrain_image_free(graze_world *world)
{
    grz_array_free(&world->image.records, &world->counting);
    grz_array_free(&world->image.points, &world->counting);
    grz_array_free(&world->image.surfaces, &world->counting);
}
