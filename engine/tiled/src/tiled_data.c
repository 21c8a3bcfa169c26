#include "tiled_data.h"

#include "json_fields.h"
#include "plural.h"

#include <stddef.h>
#include <string.h>

enum { FARTHEST = 1 << 28 }; ///< Cells from the origin, so that sums of two stay in range.

/// The area of a block of tile data, and its encoding.
typedef struct tile_block {
    const cJSON *node; ///< The layer, or one of its chunks.
    int32_t x, y;
    uint32_t width, height;
    bool base64;
} tile_block;

static void push_cell(grz_memory *memory, const tile_block *block, size_t index, uint32_t raw,
                      grz_tile_cell **cells)
{
    uint32_t gid = raw & GRZ_LAST_GID;
    if (gid) {
        grz_tile_cell cell = {{block->x + (int32_t)(index % block->width),
                               block->y + (int32_t)(index / block->width)},
                              gid,
                              raw >> 28};
        grz_push(memory, *cells, cell);
    }
}

static bool check_count(const grz_json *json, const cJSON *data, const tile_block *block,
                        size_t count)
{
    return count == (uint64_t)block->width * block->height ||
           grz_json_fail(json, data, "holds %zu tiles where the size is %u x %u", count,
                         block->width, block->height);
}

static bool read_array(const grz_json *json, const cJSON *data, const tile_block *block,
                       grz_tile_cell **cells)
{
    static const grz_field field = {"tile", GRZ_UINT32, 0, 0, 0};
    if (!check_count(json, data, block, (size_t)cJSON_GetArraySize(data))) {
        return false;
    }
    size_t index = 0;
    for (const cJSON *node = data->child; node; node = node->next) {
        uint32_t raw;
        if (!grz_json_store(json, node, &field, &raw)) {
            return false;
        }
        push_cell(json->memory, block, index++, raw, cells);
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

static bool read_base64(const grz_json *json, const cJSON *data, const tile_block *block,
                        grz_tile_cell **cells)
{
    unsigned char *bytes = NULL;
    bool done = decode_base64(json->memory, data->valuestring, &bytes) ||
                grz_json_fail(json, data, "is not base64");
    size_t count = grz_list_count(bytes) / 4;
    done = done && check_count(json, data, block, count) &&
           check_end(json, data, grz_list_count(bytes));
    for (size_t i = 0; done && i < count; ++i) {
        const unsigned char *raw = bytes + 4 * i;
        push_cell(json->memory, block, i,
                  raw[0] | (uint32_t)raw[1] << 8 | (uint32_t)raw[2] << 16 | (uint32_t)raw[3] << 24,
                  cells);
    }
    grz_list_free(bytes);
    return done;
}

static bool is_in_reach(int32_t first, uint32_t count)
{
    return first > -FARTHEST && first < FARTHEST && count < FARTHEST;
}

static bool read_block(const grz_json *json, tile_block block, grz_tile_cell **cells)
{
    static const grz_field sizes[] = {{"width", GRZ_UINT32, offsetof(tile_block, width), 0, 0},
                                      {"height", GRZ_UINT32, offsetof(tile_block, height), 0, 0},
                                      {"x", GRZ_INT32, offsetof(tile_block, x), 0, 0},
                                      {"y", GRZ_INT32, offsetof(tile_block, y), 0, 0}};
    for (size_t i = 0; i < 4; ++i) {
        const cJSON *node = grz_json_get(block.node, sizes[i].name);
        if (node && !grz_json_store(json, node, &sizes[i], &block)) {
            return false;
        }
    }
    const cJSON *data = grz_json_get(block.node, "data");
    if (!data) {
        return grz_json_fail(json, block.node, "\"data\" is missing");
    }
    if (!is_in_reach(block.x, block.width) || !is_in_reach(block.y, block.height)) {
        return grz_json_fail(json, block.node, "its tiles lie more than %d cells out", FARTHEST);
    }
    if (block.base64 && cJSON_IsString(data)) {
        return read_base64(json, data, &block, cells);
    }
    return cJSON_IsArray(data) ? read_array(json, data, &block, cells)
                               : grz_json_refuse(json, data, "an array of tiles");
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

bool grz_tiled_read_cells(const grz_json *json, const cJSON *layer, grz_tile_cell **cells)
{
    if (!check_compression(json, layer)) {
        return false;
    }
    bool base64 = strcmp(grz_json_text(layer, "encoding"), "base64") == 0;
    if (!grz_json_get(layer, "chunks")) {
        tile_block block = {layer, 0, 0, 0, 0, base64};
        return read_block(json, block, cells);
    }
    const cJSON *chunk;
    if (!grz_json_list(json, layer, "chunks", &chunk)) {
        return false;
    }
    for (; chunk; chunk = chunk->next) {
        tile_block block = {chunk, 0, 0, 0, 0, base64};
        if (!read_block(json, block, cells)) {
            return false;
        }
    }
    return true;
}
