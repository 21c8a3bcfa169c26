#include "world/spare_bodies.h"

#include "min_max.h"
#include "world/bodies.h"

#include <string.h>

static graze_world *make_spare(graze_world *world)
{
    const graze_allocator *allocator = &world->config.counting;
    graze_world *spare = allocator->allocate(sizeof *spare, GRZ_ALIGNMENT, allocator->user);
    if (spare) {
        memset(spare, 0, sizeof *spare);
        spare->config.counting = *allocator;
    }
    return spare;
}

static uint32_t columns_of(const graze_world *world)
{
    return (world->bodies.rows.rotation ? GRZ_NEED_ROTATIONS : 0u) |
           (world->bodies.materials.data ? GRZ_NEED_MATERIAL : 0u) |
           (world->bodies.lives.data ? GRZ_NEED_LIFE : 0u) |
           (world->bodies.filters.data ? GRZ_NEED_FILTER : 0u) |
           (world->bodies.user_data.data ? GRZ_NEED_USER_DATA : 0u) |
           (world->bodies.dynamics.data ? GRZ_NEED_DYNAMICS : 0u);
}

// If something has to grow, all is allocated again: no content needs a copy, and neither set
// becomes larger than the other, which would then have to grow, too.
bool grz_spare_reserve(graze_world *world, uint32_t indices, uint32_t rows, uint32_t needs)
{
    world->bodies.spare = world->bodies.spare ? world->bodies.spare : make_spare(world);
    graze_world *spare = world->bodies.spare;
    if (!spare) {
        return false;
    }
    indices = max_u32(indices, world->bodies.row_of_index.capacity);
    rows = max_u32(rows, world->bodies.rows.capacity);
    if (spare->bodies.row_of_index.capacity < indices || spare->bodies.rows.capacity < rows) {
        grz_bodies_free(spare);
    }
    spare->bodies.count = spare->bodies.cold.count = 0;
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
    exchange(&(world)->member, &(world)->bodies.spare->member, sizeof(world)->member)

void grz_spare_exchange(graze_world *world)
{
    EXCHANGE(world, bodies.rows);
    EXCHANGE(world, bodies.count);
    EXCHANGE(world, bodies.cold);
    EXCHANGE(world, bodies.materials);
    EXCHANGE(world, bodies.lives);
    EXCHANGE(world, bodies.filters);
    EXCHANGE(world, bodies.filter_kinds);
    EXCHANGE(world, bodies.user_data);
    EXCHANGE(world, bodies.dynamics);
    EXCHANGE(world, bodies.row_of_index);
    EXCHANGE(world, bodies.vacancies);
    EXCHANGE(world, bodies.lowest_vacancy);
    EXCHANGE(world, grid.unsorted);
    EXCHANGE(world, bodies.rect_count);
    EXCHANGE(world, bodies.rotation_count);
    EXCHANGE(world, bodies.ray_count);
}

void grz_spare_free(graze_world *world)
{
    if (world->bodies.spare) {
        grz_bodies_free(world->bodies.spare);
        world->config.counting.release(world->bodies.spare, sizeof *world->bodies.spare,
                                       world->config.counting.user);
    }
}
