#include "terrain/terrain_image.h"

#include "checksum/checksum.h"
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

void grz_terrain_image_begin(graze_world *world)
{
    grz_checksum_begin(&world->image.record_sum);
    grz_checksum_begin(&world->image.point_sum);
}

static void sum_up(const graze_world *world, grz_checksum *sum, const void *bytes, size_t size,
                   uint32_t most)
{
    const size_t left = (size - (size_t)sum->size) / GRZ_CHECKSUM_BLOCK;
    const size_t blocks = left < most ? left : most;
    if (blocks) {
        grz_checksum_add(sum, grz_checksum_loops_for(world->lanes),
                         (const unsigned char *)bytes + (size_t)sum->size,
                         blocks * GRZ_CHECKSUM_BLOCK);
    }
}

// A checksum that covers what is left out begins again.
static void forget_sum(grz_checksum *sum, size_t size)
{
    if (sum->size > size) {
        grz_checksum_begin(sum);
    }
}

void grz_terrain_image_extend(graze_world *world, uint32_t most)
{
    grz_terrain_image *image = &world->image;
    const uint32_t count = (uint32_t)grz_list_count(world->chains);
    for (uint32_t i = 0; i < most && image->records.count < count; ++i) {
        take_in(image, &world->chains[image->records.count]);
    }
    sum_up(world, &image->record_sum, image->records.data,
           image->records.count * sizeof *image->records.data, most);
    sum_up(world, &image->point_sum, image->points.data,
           image->points.count * sizeof *image->points.data, most);
}

// From the end: each chain that is left out was once added.
void grz_terrain_image_cut(graze_world *world, uint32_t index)
{
    grz_terrain_image *image = &world->image;
    while (image->records.count > index) {
        image->points.count -= image->records.data[--image->records.count].point_count;
    }
    forget_sum(&image->record_sum, image->records.count * sizeof *image->records.data);
    forget_sum(&image->point_sum, image->points.count * sizeof *image->points.data);
}

void grz_terrain_image_replace(graze_world *world, const void *records, uint32_t chains,
                               const void *points, uint32_t point_count)
{
    grz_terrain_image *image = &world->image;
    grz_terrain_image_begin(world);
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
