#include "inflate_cells.h"

#include <string.h>

#include <zlib.h>
#include <zstd.h>

enum { WINDOW = 64 * 1024 }; ///< Bytes; a multiple of 4.

/// Where decompressed bytes go.
typedef struct cell_sink {
    grz_inflated result;
    uint64_t wanted;
    grz_cells_fn *found;
    void *user;
    bool is_stopped; ///< Nothing more is needed.
    z_stream stream;
    unsigned char bytes[WINDOW];
    uint32_t cells[WINDOW / 4];
    size_t held; ///< Bytes.
} cell_sink;

bool grz_compression_find(const char *name, grz_compression *compression)
{
    static const struct {
        const char *name;
        grz_compression compression;
    } known[] = {{"", GRZ_COMPRESSION_NONE},
                 {"zlib", GRZ_COMPRESSION_ZLIB},
                 {"gzip", GRZ_COMPRESSION_ZLIB},
                 {"zstd", GRZ_COMPRESSION_ZSTD}};
    size_t i = 0;
    while (i < sizeof known / sizeof *known && strcmp(known[i].name, name) != 0) {
        ++i;
    }
    if (i == sizeof known / sizeof *known) {
        return false;
    }
    *compression = known[i].compression;
    return true;
}

static uint32_t read_cell(const unsigned char *raw)
{
    return raw[0] | (uint32_t)raw[1] << 8 | (uint32_t)raw[2] << 16 | (uint32_t)raw[3] << 24;
}

// Hands on whole cells; keeps what follows the last.
static void flush(cell_sink *sink)
{
    grz_inflated *result = &sink->result;
    const uint64_t left = sink->wanted - result->count;
    const size_t whole = sink->held / 4;
    const size_t count = whole < left ? whole : (size_t)left;
    for (size_t i = 0; i < count; ++i) {
        sink->cells[i] = read_cell(sink->bytes + 4 * i);
    }
    result->has_more |= count < whole;
    result->count += count;
    result->rest = sink->held % 4;
    memmove(sink->bytes, sink->bytes + 4 * whole, result->rest);
    sink->held = result->rest;
    sink->is_stopped |= result->has_more;
    if (count > 0 && !sink->is_stopped) {
        result->is_stopped = !sink->found(sink->cells, count, sink->user);
        sink->is_stopped = result->is_stopped;
    }
}

// --- zlib and gzip ---

static void end_zlib(void *thing)
{
    inflateEnd(thing);
}

static void run_zlib(cell_sink *sink, const unsigned char *bytes, size_t size)
{
    z_stream *stream = &sink->stream;
    const unsigned char *const end = bytes + size;
    stream->next_in = (Bytef *)(uintptr_t)bytes;
    int status = Z_OK;
    while (status == Z_OK && !sink->is_stopped) {
        const size_t left = (size_t)(end - stream->next_in);
        stream->avail_in = left < WINDOW ? (uInt)left : WINDOW;
        stream->next_out = sink->bytes + sink->held;
        stream->avail_out = (uInt)(WINDOW - sink->held);
        status = inflate(stream, Z_NO_FLUSH);
        sink->held = WINDOW - stream->avail_out;
        flush(sink);
    }
    if (!sink->is_stopped && status != Z_STREAM_END) {
        sink->result.problem = status == Z_BUF_ERROR ? "ends in the middle" : "is damaged";
    }
}

static void take_zlib(grz_memory *memory, cell_sink *sink, const unsigned char *bytes, size_t size)
{
    const int either_form = 32 + MAX_WBITS;
    memset(&sink->stream, 0, sizeof sink->stream);
    const size_t deferred = grz_memory_defer(memory, end_zlib, NULL);
    grz_memory_require(memory, inflateInit2(&sink->stream, either_form) == Z_OK);
    grz_memory_update(memory, deferred, &sink->stream);
    run_zlib(sink, bytes, size);
    grz_memory_update(memory, deferred, NULL);
    inflateEnd(&sink->stream);
}

// --- zstd ---

static void end_zstd(void *thing)
{
    ZSTD_freeDCtx(thing);
}

static void run_zstd(cell_sink *sink, ZSTD_DCtx *context, const unsigned char *bytes, size_t size)
{
    ZSTD_inBuffer in = {bytes, size, 0};
    size_t status = 1;
    size_t taken = 0;
    do {
        ZSTD_outBuffer out = {sink->bytes, WINDOW, sink->held};
        const size_t before = in.pos + out.pos;
        status = ZSTD_decompressStream(context, &out, &in);
        taken = in.pos + out.pos - before;
        sink->held = out.pos;
        flush(sink);
    } while (!ZSTD_isError(status) && status != 0 && taken > 0 && !sink->is_stopped);
    if (!sink->is_stopped && status != 0) {
        sink->result.problem = ZSTD_isError(status) ? "is damaged" : "ends in the middle";
    }
}

static void take_zstd(grz_memory *memory, cell_sink *sink, const unsigned char *bytes, size_t size)
{
    const size_t deferred = grz_memory_defer(memory, end_zstd, NULL);
    ZSTD_DCtx *context = ZSTD_createDCtx();
    grz_memory_require(memory, context);
    grz_memory_update(memory, deferred, context);
    run_zstd(sink, context, bytes, size);
    grz_memory_update(memory, deferred, NULL);
    ZSTD_freeDCtx(context);
}

grz_inflated grz_inflate_cells(grz_memory *memory, grz_compression compression,
                               const unsigned char *bytes, size_t size, uint64_t wanted,
                               grz_cells_fn *found, void *user)
{
    static const grz_inflated nothing = {0};
    cell_sink *sink = NULL;
    grz_memory_require(memory, grz_list_reserve(sink, &memory->inner, 1));
    sink->result = nothing;
    sink->wanted = wanted;
    sink->found = found;
    sink->user = user;
    sink->is_stopped = false;
    sink->held = 0;
    if (compression == GRZ_COMPRESSION_ZSTD) {
        take_zstd(memory, sink, bytes, size);
    } else {
        take_zlib(memory, sink, bytes, size);
    }
    const grz_inflated result = sink->result;
    grz_list_free(sink);
    return result;
}
