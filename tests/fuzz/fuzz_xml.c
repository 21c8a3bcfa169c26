// Fuzz target: the reader of Tiled's files in XML, and of those that they name. What stands behind
// four zero bytes is the content of every other file.

#include "fuzz_bytes.h"

#include <graze/tiled.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool open_rest(const char *path, graze_tiled_file *file, void *user)
{
    (void)path;
    const fuzz_bytes *rest = user;
    file->data = rest->data;
    file->size = rest->size;
    return rest->size > 0;
}

static void check_line(const char *text)
{
    FUZZ_CHECK(*text, "%s", "a line is empty");
    for (size_t i = 0; text[i]; ++i) {
        const unsigned char letter = (unsigned char)text[i];
        FUZZ_CHECK(letter >= 32 && letter != 127, "byte %zu of a line is %u", i, letter);
    }
}

static void check_map(const graze_tiled_map *map)
{
    for (uint32_t i = 0; i < map->chain_count; ++i) {
        const graze_chain_def *def = &map->chains[i].def;
        FUZZ_CHECK(def->count >= 2, "chain %u has %u points", i, (unsigned)def->count);
        for (uint32_t k = 0; k < def->count; ++k) {
            FUZZ_CHECK(isfinite(def->points[k].x) && isfinite(def->points[k].y),
                       "point %u of chain %u is not finite", k, i);
        }
    }
    for (uint32_t i = 0; i < map->note_count; ++i) {
        check_line(map->notes[i]);
    }
}

static void check_error(const graze_tiled_error *error)
{
    char line[8192];
    FUZZ_CHECK(error->status == GRAZE_ERROR_FORMAT, "the status is %d", (int)error->status);
    graze_tiled_error_text(error, line, sizeof line);
    check_line(line);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    size_t map_size = 0;
    while (map_size < size &&
           (size - map_size < 4 || memcmp(data + map_size, "\0\0\0\0", 4) != 0)) {
        ++map_size;
    }
    const size_t rest_begin = map_size < size ? map_size + 4 : size;
    fuzz_bytes rest = {data + rest_begin, size - rest_begin};
    graze_tiled_def def = graze_tiled_def_default();
    def.path = "fuzz.tmx";
    def.data = map_size > 0 ? data : (const uint8_t *)"";
    def.size = map_size;
    def.open = open_rest;
    def.file_user = &rest;
    static graze_tiled_error error;
    graze_tiled_map *map = graze_tiled_load(&def, &error);
    if (map) {
        check_map(map);
        graze_tiled_free(map);
    } else {
        check_error(&error);
    }
    return 0;
}
