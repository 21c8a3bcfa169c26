#include "tiled_data.h"

#include "json_fields.h"
#include "plural.h"

#include <stddef.h>
#include <string.h>

enum { FARTHEST = 1 << 28 }; ///< Cells from the origin, so that sums of two stay in range.

/// A chunk, or a whole layer, being read.
typedef struct tile_block {
    graze_tiled_chunk chunk;
    const cJSON *node; ///< The layer, or one of its chunks.
    uint32_t *gids;    ///< The chunk's, once their number is known to be right.
    bool base64;
} tile_block;

// Makes room for the tiles, if there are as many as the size says.
static bool make_room(const grz_json *json, const cJSON *data, tile_block *block, size_t count)
{
    const graze_tiled_chunk *chunk = &block->chunk;
    if (count != (uint64_t)chunk->width * chunk->height) {
        return grz_json_fail(json, data, "holds %zu tiles where the size is %u x %u", count,
                             chunk->width, chunk->height);
    }
    block->gids = count ? grz_memory_take(json->memory, count * sizeof *block->gids) : NULL;
    return true;
}

static bool read_array(const grz_json *json, const cJSON *data, tile_block *block)
{
    static const grz_field field = {"tile", GRZ_UINT32, 0, 0, 0};
    if (!make_room(json, data, block, (size_t)cJSON_GetArraySize(data))) {
        return false;
    }
    size_t index = 0;
    for (const cJSON *node = data->child; node; node = node->next) {
        if (!grz_json_store(json, node, &field, &block->gids[index++])) {
            return false;
        }
    }
    return true;
}

static int digit_of(char letter)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *found = letter ? strchr(digits, letter) : NULL;
    return found ? (int)(found - digits) : -1;
}

// Appends the bytes; false if the text is not base64, or its last digit belongs to no byte.
static bool decode_base64(grz_memory *memory, const char *text, unsigned char **bytes)
{
    uint32_t bits = 0;
    int held = 0;
    for (; *text && *text != '='; ++text) {
        int digit = digit_of(*text);
        if (digit < 0) {
            return false;
        }
        bits = bits << 6 | (uint32_t)digit;
        held += 6;
        if (held >= 8) {
            held -= 8;
            grz_push(memory, *bytes, (unsigned char)(bits >> held));
        }
    }
    return held < 6 && strspn(text, "=") == strlen(text);
}

static bool check_end(const grz_json *json, const cJSON *data, size_t byte_count)
{
    const unsigned rest = byte_count % 4;
    return rest == 0 || grz_json_fail(json, data, "has %u %s after the last tile", rest,
                                      grz_plural(rest, "byte", "bytes"));
}

static bool read_base64(const grz_json *json, const cJSON *data, tile_block *block)
{
    unsigned char *bytes = NULL;
    bool done = decode_base64(json->memory, data->valuestring, &bytes) ||
                grz_json_fail(json, data, "is not base64");
    size_t count = grz_list_count(bytes) / 4;
    done =
        done && make_room(json, data, block, count) && check_end(json, data, grz_list_count(bytes));
    for (size_t i = 0; done && i < count; ++i) {
        const unsigned char *raw = bytes + 4 * i;
        block->gids[i] =
            raw[0] | (uint32_t)raw[1] << 8 | (uint32_t)raw[2] << 16 | (uint32_t)raw[3] << 24;
    }
    grz_list_free(bytes);
    return done;
}

static bool is_in_reach(int32_t first, uint32_t count)
{
    return first > -FARTHEST && first < FARTHEST && count < FARTHEST;
}

static bool read_area(const grz_json *json, const cJSON *node, graze_tiled_chunk *chunk)
{
    static const grz_field sizes[] = {
        {"width", GRZ_UINT32, offsetof(graze_tiled_chunk, width), 0, 0},
        {"height", GRZ_UINT32, offsetof(graze_tiled_chunk, height), 0, 0},
        {"x", GRZ_INT32, offsetof(graze_tiled_chunk, x), 0, 0},
        {"y", GRZ_INT32, offsetof(graze_tiled_chunk, y), 0, 0}};
    for (size_t i = 0; i < 4; ++i) {
        const cJSON *value = grz_json_get(node, sizes[i].name);
        if (value && !grz_json_store(json, value, &sizes[i], chunk)) {
            return false;
        }
    }
    return true;
}

static bool read_data(const grz_json *json, const cJSON *data, tile_block *block)
{
    if (block->base64 && cJSON_IsString(data)) {
        return read_base64(json, data, block);
    }
    return cJSON_IsArray(data) ? read_array(json, data, block)
                               : grz_json_refuse(json, data, "an array of tiles");
}

static bool read_block(const grz_json *json, const cJSON *node, bool base64,
                       graze_tiled_chunk **chunks)
{
    tile_block block = {{0, 0, 0, 0, NULL}, node, NULL, base64};
    const graze_tiled_chunk *area = &block.chunk;
    if (!read_area(json, node, &block.chunk)) {
        return false;
    }
    const cJSON *data = grz_json_get(node, "data");
    if (!data) {
        return grz_json_fail(json, node, "\"data\" is missing");
    }
    if (!is_in_reach(area->x, area->width) || !is_in_reach(area->y, area->height)) {
        return grz_json_fail(json, node, "its tiles lie more than %d cells out", FARTHEST);
    }
    if (!read_data(json, data, &block)) {
        return false;
    }
    block.chunk.gids = block.gids;
    grz_push(json->memory, *chunks, block.chunk);
    return true;
}

static bool check_compression(const grz_json *json, const cJSON *layer)
{
    const char *compression = grz_json_text(layer, "compression");
    return !*compression ||
           grz_json_fail(json, layer,
                         "is compressed (%s): in Tiled, set Map > Map Properties > Tile Layer "
                         "Format to CSV or Base64 (uncompressed) and save again",
                         compression);
}

bool grz_tiled_read_chunks(const grz_json *json, const cJSON *layer, graze_tiled_chunk **chunks)
{
    if (!check_compression(json, layer)) {
        return false;
    }
    const bool base64 = strcmp(grz_json_text(layer, "encoding"), "base64") == 0;
    if (!grz_json_get(layer, "chunks")) {
        return read_block(json, layer, base64, chunks);
    }
    const cJSON *chunk;
    if (!grz_json_list(json, layer, "chunks", &chunk)) {
        return false;
    }
    for (; chunk; chunk = chunk->next) {
        if (!read_block(json, chunk, base64, chunks)) {
            return false;
        }
    }
    return true;
}
