// What games do with a map.

#include "tiled_map.h"

#include "memory.h"

#include <string.h>

/// Being added to a world: the ids of what has been.
typedef struct addition {
    const graze_tiled_map *map;
    graze_world *world;
    graze_chain_id *chains;
    graze_body_id *bodies;
    uint32_t chain_count, body_count;
} addition;

static bool add_chains(addition *to)
{
    while (to->chain_count < to->map->chain_count) {
        const graze_chain_def *def = &to->map->chains[to->chain_count].def;
        const graze_chain_id id = graze_chain_create(to->world, def);
        if (id.generation == 0) {
            return false;
        }
        to->chains[to->chain_count++] = id;
    }
    return true;
}

static bool add_bodies(addition *to)
{
    while (to->body_count < to->map->body_count) {
        const graze_body_def *def = &to->map->bodies[to->body_count].def;
        const graze_body_id id = graze_body_create(to->world, def);
        if (id.generation == 0) {
            return false;
        }
        to->bodies[to->body_count++] = id;
    }
    return true;
}

static void remove_all(const addition *from)
{
    for (uint32_t i = 0; i < from->chain_count; ++i) {
        (void)graze_chain_destroy(from->world, from->chains[i]);
    }
    for (uint32_t i = 0; i < from->body_count; ++i) {
        (void)graze_body_destroy(from->world, from->bodies[i]);
    }
}

static graze_status add_all(addition *to)
{
    if (add_chains(to) && add_bodies(to)) {
        return GRAZE_OK;
    }
    const graze_status status = graze_world_last_status(to->world);
    remove_all(to);
    return status;
}

graze_status graze_tiled_add_to_world(const graze_tiled_map *map, graze_world *world,
                                      graze_chain_id *chains, graze_body_id *bodies)
{
    if (!map || !world) {
        return GRAZE_ERROR_ARGUMENT;
    }
    const graze_allocator allocator = grz_tiled_allocator(map);
    const size_t chain_bytes = map->chain_count * sizeof *chains;
    const size_t bytes = chain_bytes + map->body_count * sizeof *bodies;
    if (bytes == 0) {
        return GRAZE_OK;
    }
    char *ids = allocator.allocate(bytes, GRZ_ALIGNMENT, allocator.user);
    if (!ids) {
        return GRAZE_ERROR_OUT_OF_MEMORY;
    }
    addition to = {map, world, (graze_chain_id *)ids, (graze_body_id *)(ids + chain_bytes), 0, 0};
    memset(ids, 0, bytes);
    const graze_status status = add_all(&to);
    if (status != GRAZE_OK) {
        memset(ids, 0, bytes);
    }
    if (chains) {
        memcpy(chains, ids, chain_bytes);
    }
    if (bodies) {
        memcpy(bodies, ids + chain_bytes, bytes - chain_bytes);
    }
    allocator.release(ids, bytes, allocator.user);
    return status;
}

uint32_t graze_tiled_gid_at(const graze_tiled_layer *layer, int32_t x, int32_t y)
{
    for (uint32_t i = 0; i < layer->chunk_count; ++i) {
        const graze_tiled_chunk *chunk = &layer->chunks[i];
        const int64_t column = (int64_t)x - chunk->x;
        const int64_t row = (int64_t)y - chunk->y;
        if (column >= 0 && column < chunk->width && row >= 0 && row < chunk->height) {
            return chunk->gids[(size_t)row * chunk->width + (size_t)column];
        }
    }
    return 0;
}

const graze_tiled_tile *graze_tiled_find_tile(const graze_tiled_map *map, uint32_t gid)
{
    const uint32_t wanted = gid & GRAZE_TILED_GID_MASK;
    uint32_t first = 0, end = map->tile_count;
    while (first < end) {
        const uint32_t middle = first + (end - first) / 2;
        if (map->tiles[middle].gid < wanted) {
            first = middle + 1;
        } else {
            end = middle;
        }
    }
    const bool is_there = first < map->tile_count && map->tiles[first].gid == wanted;
    return is_there ? &map->tiles[first] : NULL;
}

const graze_tiled_object *graze_tiled_find_class(const graze_tiled_map *map, const char *name)
{
    for (uint32_t i = 0; i < map->object_count; ++i) {
        if (strcmp(map->objects[i].class_name, name) == 0) {
            return &map->objects[i];
        }
    }
    return NULL;
}

const graze_tiled_object *graze_tiled_find_object(const graze_tiled_map *map, const char *name)
{
    for (uint32_t i = 0; i < map->object_count; ++i) {
        if (strcmp(map->objects[i].name, name) == 0) {
            return &map->objects[i];
        }
    }
    return NULL;
}
