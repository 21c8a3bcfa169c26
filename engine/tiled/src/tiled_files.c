#include "tiled_files.h"

#include "tiled_disk.h"
#include "tiled_text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void grz_files_note(grz_files *files, const char *format, ...)
{
    char text[1024];
    va_list values;
    va_start(values, format);
    vsnprintf(text, sizeof text, format, values);
    va_end(values);
    grz_error_clean(text);
    grz_push(files->memory, files->notes, grz_memory_copy(files->memory, text));
}

/// A file that is open, with what closes it.
typedef struct open_file {
    graze_tiled_file file;
    graze_tiled_close_fn *close; ///< Null: nothing to do.
    void *user;
} open_file;

static void close_file(void *thing)
{
    open_file *open = thing;
    if (open->close) {
        open->close(&open->file, open->user);
    }
}

static bool fail_to_open(const grz_json *json, const char *reason)
{
    return grz_tiled_fail(json->error, json->path, "", "cannot be opened%s%s", reason ? ": " : "",
                          reason ? reason : "");
}

// Whatever happens, what was opened is closed: so there is a place for it before.
static bool read_file(grz_files *files, grz_json *json, bool is_map)
{
    const graze_tiled_def *def = files->def;
    open_file *open = grz_memory_take(files->memory, sizeof *open);
    memset(open, 0, sizeof *open);
    open->close = def->open ? def->close : grz_disk_close;
    open->user = def->file_user;
    const size_t deferred = grz_memory_defer(files->memory, close_file, NULL);
    const bool is_open = def->open ? def->open(json->path, &open->file, def->file_user)
                                   : grz_disk_open(json->path, !is_map, &open->file);
    files->is_missing = !is_open;
    if (!is_open) {
        return fail_to_open(json, open->file.reason);
    }
    grz_memory_update(files->memory, deferred, open);
    const bool done = grz_tiled_parse(json, open->file.data, open->file.size);
    grz_memory_update(files->memory, deferred, NULL);
    close_file(open);
    return done;
}

bool grz_files_read_map(grz_files *files, grz_json *json)
{
    const graze_tiled_def *def = files->def;
    json->path = def->path ? def->path : "";
    return def->data ? grz_tiled_parse(json, def->data, def->size) : read_file(files, json, true);
}

bool grz_files_read(grz_files *files, grz_json *json, const grz_json *from, const cJSON *name)
{
    json->memory = from->memory;
    json->error = from->error;
    json->root = NULL;
    json->path = grz_path_beside(files->memory, from->path, name->valuestring);
    grz_push(files->memory, files->paths, (char *)json->path);
    if (read_file(files, json, false)) {
        return true;
    }
    char line[sizeof from->error->file + sizeof from->error->message];
    graze_tiled_error_text(from->error, line, sizeof line);
    return grz_json_fail(from, name, "%s", line);
}

static bool is_separator(char letter)
{
    return letter == '/' || letter == '\\';
}

static bool is_absolute(const char *name)
{
    return is_separator(name[0]) || (name[0] && name[1] == ':');
}

static size_t folder_length(const char *path)
{
    size_t length = strlen(path);
    while (length > 0 && !is_separator(path[length - 1])) {
        --length;
    }
    return length;
}

char *grz_path_beside(grz_memory *memory, const char *path, const char *name)
{
    const size_t kept = is_absolute(name) ? 0 : folder_length(path);
    const size_t length = strlen(name);
    char *joined = grz_memory_take(memory, kept + length + 1);
    memcpy(joined, path, kept);
    memcpy(joined + kept, name, length + 1);
    for (char *letter = joined + kept; *letter; ++letter) {
        *letter = *letter == '\\' ? '/' : *letter;
    }
    return joined;
}
