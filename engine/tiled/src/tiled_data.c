#include "tiled_data.h"

#include "inflate_cells.h"
#include "json_fields.h"
#include "plural.h"

#include <stddef.h>
#include <string.h>

enum { FARTHEST = 1 << 28 }; ///< Cells from the origin, so that sums of two stay in range.

/// A layer, being read.
typedef struct layer_data {
    const grz_json *json;
    const cJSON *layer;
    grz_compression compression;
    graze_tiled_chunk chunk; ///< The one being read.
    uint32_t *gids;          ///< Its own, once their number is known to be right,
    size_t count;            ///< of which so many have been read.
} layer_data;

static bool check_count(const layer_data *reader, const cJSON *data, size_t count)
{
    const graze_tiled_chunk *chunk = &reader->chunk;
    return count == (uint64_t)chunk->width * chunk->height ||
           grz_json_fail(reader->json, data, "holds %zu tiles where the size is %u x %u", count,
                         chunk->width, chunk->height);
}

static bool check_end(const layer_data *reader, const cJSON *data, unsigned rest)
{
    return rest == 0 || grz_json_fail(reader->json, data, "has %u %s after the last tile", rest,
                                      grz_plural(rest, "byte", "bytes"));
}

static void make_room(layer_data *reader, size_t count)
{
    reader->count = 0;
    reader->gids =
        count ? grz_memory_take(reader->json->memory, count * sizeof *reader->gids) : NULL;
}

// --- Kinds of data ---

static bool read_array(layer_data *reader, const cJSON *data)
{
    static const grz_field field = {"tile", GRZ_UINT32, 0, 0, 0};
    const size_t count = (size_t)cJSON_GetArraySize(data);
    if (!check_count(reader, data, count)) {
        return false;
    }
    make_room(reader, count);
    for (const cJSON *node = data->child; node; node = node->next) {
        if (!grz_json_store(reader->json, node, &field, &reader->gids[reader->count++])) {
            return false;
        }
    }
    return true;
}

static bool keep_cells(const uint32_t *cells, size_t count, void *user)
{
    layer_data *reader = user;
    memcpy(reader->gids + reader->count, cells, count * sizeof *cells);
    reader->count += count;
    return true;
}

// The map's memory has the list already.
static bool read_numbers(layer_data *reader, const cJSON *data, grz_blob *blob)
{
    if (!check_count(reader, data, grz_list_count(blob->numbers))) {
        return false;
    }
    reader->gids = blob->numbers;
    blob->is_taken = true;
    return true;
}

// Four bytes, the lowest first, become a number in their place: no other memory is needed.
static uint32_t *make_numbers(unsigned char *bytes, size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        const unsigned char *raw = bytes + 4 * i;
        const uint32_t gid =
            raw[0] | (uint32_t)raw[1] << 8 | (uint32_t)raw[2] << 16 | (uint32_t)raw[3] << 24;
        memcpy(bytes + 4 * i, &gid, sizeof gid);
    }
    return (uint32_t *)(void *)bytes;
}

static bool read_plain_bytes(layer_data *reader, const cJSON *data, grz_blob *blob)
{
    const size_t size = grz_list_count(blob->bytes);
    if (!check_count(reader, data, size / 4) || !check_end(reader, data, size % 4)) {
        return false;
    }
    reader->gids =
        blob->is_taken ? (uint32_t *)(void *)blob->bytes : make_numbers(blob->bytes, size / 4);
    blob->is_taken = true;
    return true;
}

// How much memory a map takes is no matter of how large its file is, if it is compressed.
static bool count_cells(const layer_data *reader, uint64_t count)
{
    grz_blobs *blobs = reader->json->blobs;
    blobs->compressed_cells += count;
    return (count <= GRZ_MOST_COMPRESSED_CELLS &&
            blobs->compressed_cells <= GRZ_MOST_COMPRESSED_CELLS) ||
           grz_json_fail(reader->json, reader->layer,
                         "with this layer, compressed layers have more than 134217728 cells");
}

static bool read_compressed(layer_data *reader, const cJSON *data, const grz_blob *blob)
{
    const graze_tiled_chunk *chunk = &reader->chunk;
    const uint64_t wanted = (uint64_t)chunk->width * chunk->height;
    if (!count_cells(reader, wanted)) {
        return false;
    }
    make_room(reader, (size_t)wanted);
    const grz_inflated all =
        grz_inflate_cells(reader->json->memory, reader->compression, blob->bytes,
                          grz_list_count(blob->bytes), wanted, keep_cells, reader);
    if (all.problem) {
        return grz_json_fail(reader->json, data, "its compressed data (%s) %s",
                             grz_json_text(reader->layer, "compression"), all.problem);
    }
    if (all.has_more) {
        return grz_json_fail(reader->json, data, "holds more tiles than its size, %u x %u",
                             chunk->width, chunk->height);
    }
    return check_count(reader, data, (size_t)all.count) && check_end(reader, data, all.rest);
}

// XML has a line, JSON a path of keys.
static bool fail_text(const layer_data *reader, const cJSON *data, const grz_blob *blob)
{
    if (blob->line == 0) {
        return grz_json_fail(reader->json, data, "%s", blob->problem);
    }
    return grz_tiled_fail_at(reader->json->error, reader->json->path, blob->line, blob->column,
                             "the data of layer \"%.40s\" %s", grz_json_text(reader->layer, "name"),
                             blob->problem);
}

// In XML, Tiled takes data without any text for a layer without tiles.
static bool is_empty_element(const grz_blob *blob)
{
    return blob->line > 0 && grz_list_count(blob->numbers) + grz_list_count(blob->bytes) == 0;
}

static bool read_blob(layer_data *reader, const cJSON *data, grz_blob *blob)
{
    if (blob->problem) {
        return fail_text(reader, data, blob);
    }
    if (is_empty_element(blob)) {
        reader->chunk.width = reader->chunk.height = 0;
        make_room(reader, 0);
        return true;
    }
    if (blob->kind == GRZ_BLOB_NUMBERS) {
        return read_numbers(reader, data, blob);
    }
    return reader->compression == GRZ_COMPRESSION_NONE ? read_plain_bytes(reader, data, blob)
                                                       : read_compressed(reader, data, blob);
}

// A text of JSON that was not decoded before has escapes, such as \/, or is wrong.
static bool read_text(layer_data *reader, const cJSON *data)
{
    grz_blobs *blobs = reader->json->blobs;
    const bool is_csv = strcmp(grz_json_text(reader->layer, "encoding"), "csv") == 0;
    const size_t number = grz_blobs_begin(blobs, is_csv ? GRZ_BLOB_NUMBERS : GRZ_BLOB_BASE64);
    grz_blobs_feed(blobs, data->valuestring, strlen(data->valuestring));
    grz_blobs_end(blobs);
    return read_blob(reader, data, &blobs->list[number]);
}

static bool read_data(layer_data *reader, const cJSON *data)
{
    grz_blob *blob = grz_blobs_find(reader->json->blobs, data);
    if (blob) {
        return read_blob(reader, data, blob);
    }
    if (cJSON_IsString(data) && *grz_json_text(reader->layer, "encoding")) {
        return read_text(reader, data);
    }
    return cJSON_IsArray(data) ? read_array(reader, data)
                               : grz_json_refuse(reader->json, data, "an array of tiles");
}

// --- Chunks ---

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

static bool read_chunk(layer_data *reader, const cJSON *node, graze_tiled_chunk **chunks)
{
    const grz_json *json = reader->json;
    graze_tiled_chunk *chunk = &reader->chunk;
    memset(chunk, 0, sizeof *chunk);
    if (!read_area(json, node, chunk)) {
        return false;
    }
    const cJSON *data = grz_json_get(node, "data");
    if (!data) {
        return grz_json_fail(json, node, "\"data\" is missing");
    }
    if (!is_in_reach(chunk->x, chunk->width) || !is_in_reach(chunk->y, chunk->height)) {
        return grz_json_fail(json, node, "its tiles lie more than %d cells out", FARTHEST);
    }
    if (!read_data(reader, data)) {
        return false;
    }
    chunk->gids = reader->gids;
    grz_push(json->memory, *chunks, *chunk);
    return true;
}

static bool read_compression(layer_data *reader)
{
    const char *name = grz_json_text(reader->layer, "compression");
    return grz_compression_find(name, &reader->compression) ||
           grz_json_fail(
               reader->json, reader->layer,
               "is compressed in a way that is not known (%.40s): zlib, gzip and zstd are", name);
}

bool grz_tiled_read_chunks(const grz_json *json, const cJSON *layer, graze_tiled_chunk **chunks)
{
    layer_data reader = {.json = json, .layer = layer};
    if (!read_compression(&reader)) {
        return false;
    }
    if (!grz_json_get(layer, "chunks")) {
        return read_chunk(&reader, layer, chunks);
    }
    const cJSON *node;
    if (!grz_json_list(json, layer, "chunks", &node)) {
        return false;
    }
    for (; node; node = node->next) {
        if (!read_chunk(&reader, node, chunks)) {
            return false;
        }
    }
    return true;
}
