#include "tiled_map.h"

#include "memory.h"

#include <stdlib.h>
#include <string.h>

enum { COOKIE = 0x7469AA01 };

/// A map with the memory that it is in.
typedef struct owned_map {
    graze_tiled_map map;
    grz_memory memory;
    grz_error error;
    graze_tiled_def def;
} owned_map;

graze_tiled_def graze_tiled_def_default(void)
{
    graze_tiled_def def;
    memset(&def, 0, sizeof def);
    def.path = "";
    def.chain = graze_chain_def_default();
    def.body = graze_body_def_default();
    def.cookie = COOKIE;
    return def;
}

static bool refuse(graze_tiled_error *error, graze_status status, const char *message)
{
    if (error) {
        memset(error, 0, sizeof *error);
        error->status = status;
        strcpy(error->message, message);
    }
    return false;
}

static bool check_def(const graze_tiled_def *def, graze_tiled_error *error)
{
    if (!def || def->cookie != COOKIE) {
        return refuse(error, GRAZE_ERROR_ARGUMENT,
                      "graze_tiled_load: the def must come from graze_tiled_def_default()");
    }
    for (uint32_t i = 0; i < def->solid_count; ++i) {
        if (!def->solid || !def->solid[i]) {
            return refuse(error, GRAZE_ERROR_ARGUMENT,
                          "graze_tiled_load: of solid_count names, one is null");
        }
    }
    if (!grz_allocator_is_valid(&def->allocator)) {
        return refuse(error, GRAZE_ERROR_ARGUMENT,
                      "graze_tiled_load: an allocator has both functions, or none");
    }
    return true;
}

static bool load(owned_map *owned)
{
    grz_files files = {&owned->def, &owned->memory, NULL, NULL, false, NULL};
    grz_json json = {"", NULL, &owned->error, &owned->memory, NULL};
    return grz_files_read_map(&files, &json) && grz_tiled_read_map(&owned->map, &files, &json);
}

// Nothing here changes between setjmp() and longjmp() but what `owned` points to.
static graze_status try_to_load(owned_map *owned)
{
    if (setjmp(owned->memory.on_lack) != 0) {
        return GRAZE_ERROR_OUT_OF_MEMORY;
    }
    return load(owned) ? GRAZE_OK : GRAZE_ERROR_FORMAT;
}

graze_tiled_map *graze_tiled_load(const graze_tiled_def *def, graze_tiled_error *error)
{
    if (!check_def(def, error)) {
        return NULL;
    }
    const graze_allocator outer = grz_allocator_or_default(def->allocator);
    owned_map *owned = outer.allocate(sizeof *owned, GRZ_ALIGNMENT, outer.user);
    if (!owned) {
        refuse(error, GRAZE_ERROR_OUT_OF_MEMORY, "out of memory");
        return NULL;
    }
    memset(owned, 0, sizeof *owned);
    owned->def = *def;
    grz_memory_init(&owned->memory, outer);
    const graze_status status = try_to_load(owned);
    grz_memory_release_deferred(&owned->memory);
    if (status == GRAZE_OK) {
        return &owned->map;
    }
    if (status == GRAZE_ERROR_OUT_OF_MEMORY) {
        refuse(error, status, "out of memory");
    } else if (error) {
        *error = owned->error;
    }
    graze_tiled_free(&owned->map);
    return NULL;
}

graze_allocator grz_tiled_allocator(const graze_tiled_map *map)
{
    return ((const owned_map *)map)->memory.outer; // Its first member.
}

void graze_tiled_free(graze_tiled_map *map)
{
    if (!map) {
        return;
    }
    owned_map *owned = (owned_map *)map; // Its first member.
    const graze_allocator outer = owned->memory.outer;
    grz_memory_free(&owned->memory);
    outer.release(owned, sizeof *owned, outer.user);
}
