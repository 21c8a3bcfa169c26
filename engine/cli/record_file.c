#include "record_file.h"

#include "output_file.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

enum { MIN_STEP = 45 }; ///< Bytes that a step takes: see graze/record.h.

static bool write_bytes(const void *bytes, size_t size, void *user)
{
    cli_record_file *file = user;
    file->size += size;
    file->is_too_large = file->size > CLI_LARGEST_RECORD;
    if (file->is_too_large) {
        return false;
    }
    errno = 0;
    const bool done = fwrite(bytes, 1, size, file->file) == size;
    file->reason = errno;
    return done;
}

static bool fail_to_write(const cli_record_file *file, cli_error *error)
{
    cli_output_discard(file->path);
    if (file->is_too_large) {
        return cli_fail(error, "%s: the record takes more than %u MiB", file->path,
                        CLI_LARGEST_RECORD >> 20);
    }
    return cli_fail(error, "%s: cannot be written: %s", file->path,
                    file->reason ? strerror(file->reason) : "the write failed");
}

bool cli_record_file_open(cli_record_file *file, const char *path, graze_world *world,
                          uint32_t steps, cli_error *error)
{
    const uint64_t least = (uint64_t)steps * MIN_STEP;
    if (least > CLI_LARGEST_RECORD) {
        return cli_fail(error, "%s: the record would take %" PRIu64 " MiB or more, of at most %u",
                        path, least >> 20, CLI_LARGEST_RECORD >> 20);
    }
    memset(file, 0, sizeof *file);
    file->path = path;
    file->file = fopen(path, "wb");
    if (!file->file) {
        return cli_fail(error, "%s: cannot be written: %s", path, strerror(errno));
    }
    graze_record_def def = graze_record_def_default();
    def.write = write_bytes;
    def.write_user = file;
    cli_require_memory(graze_record_start(world, &def) != GRAZE_ERROR_OUT_OF_MEMORY);
    return cli_record_file_check(file, world, error);
}

bool cli_record_file_check(cli_record_file *file, graze_world *world, cli_error *error)
{
    return !file->file || graze_record_is_on(world) || cli_record_file_close(file, world, error);
}

bool cli_record_file_close(cli_record_file *file, graze_world *world, cli_error *error)
{
    if (!file->file) {
        return true;
    }
    const graze_status status = graze_record_stop(world);
    cli_require_memory(status != GRAZE_ERROR_OUT_OF_MEMORY);
    errno = 0;
    const bool is_closed = fclose(file->file) == 0;
    file->file = NULL;
    if (status == GRAZE_OK && !is_closed) {
        file->reason = errno;
    }
    return (status == GRAZE_OK && is_closed) || fail_to_write(file, error);
}
