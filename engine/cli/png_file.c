// Writes a canvas as a PNG file with a palette.

#include "canvas.h"

#include "output_file.h"
#include "palette.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STBI_WRITE_NO_STDIO
#include <stb/stb_image_write.h>

enum { HARDEST = 64 }; ///< How far the compressor searches for repetitions.

static void put_number(unsigned char bytes[4], uint32_t number)
{
    for (int i = 0; i < 4; ++i) {
        bytes[i] = (unsigned char)(number >> (24 - 8 * i));
    }
}

// The checksum of a chunk is over its name and its data (PNG specification, 5.3).
static uint32_t update_checksum(uint32_t sum, const unsigned char *data, size_t size)
{
    for (size_t i = 0; i < size; ++i) {
        sum ^= data[i];
        for (int bit = 0; bit < 8; ++bit) {
            sum = sum >> 1 ^ (sum & 1 ? 0xEDB88320u : 0);
        }
    }
    return sum;
}

static void write_chunk(FILE *file, const char *name, const unsigned char *data, size_t size)
{
    unsigned char number[4];
    put_number(number, (uint32_t)size);
    fwrite(number, 1, 4, file);
    fwrite(name, 1, 4, file);
    fwrite(data, 1, size, file);
    uint32_t sum = update_checksum(UINT32_MAX, (const unsigned char *)name, 4);
    put_number(number, ~update_checksum(sum, data, size));
    fwrite(number, 1, 4, file);
}

static void write_header(FILE *file, const cli_canvas *canvas)
{
    static const unsigned char signature[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'};
    unsigned char header[13] = {0};
    put_number(header, canvas->width);
    put_number(header + 4, canvas->height);
    header[8] = 8; // Bits an index.
    header[9] = 3; // Indexed colours.
    fwrite(signature, 1, sizeof signature, file);
    write_chunk(file, "IHDR", header, sizeof header);
}

// Every row begins with the number of its filter: none.
static unsigned char *make_rows(const cli_canvas *canvas, const unsigned char *indices)
{
    size_t width = canvas->width;
    unsigned char *rows = malloc((width + 1) * canvas->height);
    cli_require_memory(rows);
    for (size_t y = 0; y < canvas->height; ++y) {
        rows[(width + 1) * y] = 0;
        memcpy(rows + (width + 1) * y + 1, indices + width * y, width);
    }
    return rows;
}

/// What a file holds besides what every file holds. It is all made before the file is opened: while
/// it is made, which takes long, a file of that name stays as it is.
typedef struct png_content {
    unsigned char colors[3 * CLI_PALETTE_SIZE];
    size_t color_count;
    unsigned char *packed; ///< The compressed rows.
    size_t packed_size;
} png_content;

static void pack_rows(png_content *content, const cli_canvas *canvas, const unsigned char *indices)
{
    unsigned char *rows = make_rows(canvas, indices);
    int size = 0;
    int row_size = (int)((canvas->width + 1) * canvas->height);
    content->packed = stbi_zlib_compress(rows, row_size, &size, HARDEST);
    cli_require_memory(content->packed);
    content->packed_size = (size_t)size;
    free(rows);
}

static png_content make_content(const cli_canvas *canvas)
{
    png_content content;
    size_t count = (size_t)canvas->width * canvas->height;
    unsigned char *bytes = cli_canvas_to_bytes(canvas);
    unsigned char *indices = malloc(count);
    cli_require_memory(indices);
    content.color_count = cli_palette_choose(bytes, count, content.colors, indices);
    pack_rows(&content, canvas, indices);
    free(indices);
    free(bytes);
    return content;
}

static void write_picture(FILE *file, const cli_canvas *canvas, const png_content *content)
{
    write_header(file, canvas);
    write_chunk(file, "PLTE", content->colors, 3 * content->color_count);
    write_chunk(file, "IDAT", content->packed, content->packed_size);
    write_chunk(file, "IEND", content->colors, 0);
}

static bool write_file(const cli_canvas *canvas, const png_content *content, const char *path,
                       cli_error *error)
{
    FILE *file = fopen(path, "wb");
    if (!file) {
        return cli_fail(error, "%s: cannot be written: %s", path, strerror(errno));
    }
    errno = 0;
    write_picture(file, canvas, content);
    bool failed = fflush(file) != 0 || ferror(file);
    int reason = errno;
    failed |= fclose(file) != 0;
    if (failed) {
        cli_output_discard(path);
    }
    return !failed || cli_fail(error, "%s: cannot be written: %s", path,
                               reason ? strerror(reason) : "the write failed");
}

bool cli_canvas_write(const cli_canvas *canvas, const char *path, cli_error *error)
{
    png_content content = make_content(canvas);
    bool done = write_file(canvas, &content, path, error);
    free(content.packed);
    return done;
}
