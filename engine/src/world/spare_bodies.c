#include "world/spare_bodies.h"

#include "min_max.h"
#include "world/bodies.h"

#include <string.h>

static graze_world *make_spare(graze_world *world)
{
    const graze_allocator *allocator = &world->counting;
    graze_world *spare = allocator->allocate(sizeof *spare, GRZ_ALIGNMENT, allocator->user);
    if (spare) {
        memset(spare, 0, sizeof *spare);
        spare->counting = *allocator;
    }
    return spare;
}

static uint32_t columns_of(const graze_world *world)
{
    return (world->rows.rotation ? GRZ_NEED_ROTATIONS : 0u) |
           (world->materials.data ? GRZ_NEED_MATERIAL : 0u) |
           (world->lives.data ? GRZ_NEED_LIFE : 0u) | (world->filters.data ? GRZ_NEED_FILTER : 0u) |
           (world->user_data.data ? GRZ_NEED_USER_DATA : 0u) |
           (world->dynamics.data ? GRZ_NEED_DYNAMICS : 0u);
}

// If something has to grow, all is allocated again: no content needs a copy, and neither set
// becomes larger than the other, which would then have to grow, too.
bool grz_spare_reserve(graze_world *world, uint32_t indices, uint32_t rows, uint32_t needs)
{
    world->spare = world->spare ? world->spare : make_spare(world);
    graze_world *spare = world->spare;
    if (!spare) {
        return false;
    }
    indices = max_u32(indices, world->row_of_index.capacity);
    rows = max_u32(rows, world->rows.capacity);
    if (spare->row_of_index.capacity < indices || spare->rows.capacity < rows) {
        grz_bodies_free(spare);
    }
    spare->body_count = spare->bodies.count = 0;
    return grz_bodies_make_room(spare, indices, rows, needs | columns_of(world));
}

static void exchange(void *first, void *second, size_t size)
{
    unsigned char kept[sizeof(grz_rows)];
    memcpy(kept, first, size);
    memcpy(first, second, size);
    memcpy(second, kept, size);
}

#define EXCHANGE(world, member)                                                                    \
    exchange(&(world)->member, &(world)->spare->member, sizeof(world)->member)

void grz_spare_exchange(graze_world *world)
{
    EXCHANGE(world, rows);
    EXCHANGE(world, body_count);
    EXCHANGE(world, bodies);
    EXCHANGE(world, materials);
    EXCHANGE(world, lives);
    EXCHANGE(world, filters);
    EXCHANGE(world, filter_kinds);
    EXCHANGE(world, user_data);
    EXCHANGE(world, dynamics);
    EXCHANGE(world, row_of_index);
    EXCHANGE(world, vacancies);
    EXCHANGE(world, lowest_vacancy);
    EXCHANGE(world, unsorted);
    EXCHANGE(world, rect_count);
    EXCHANGE(world, rotation_count);
    EXCHANGE(world, ray_count);
}

void grz_spare_free(graze_world *world)
{
    if (world->spare) {
        grz_bodies_free(world->spare);
        world->counting.release(world->spare, sizeof *world->spare, world->counting.user);
    }
}
