// Records in memory, which a page saves as a file.

#include "play_scene.h"

#include <stdlib.h>
#include <string.h>

static bool append(const void *bytes, size_t size, void *user)
{
    play_record_bytes *record = user;
    if (record->capacity - record->size < size) {
        const size_t capacity = 2 * record->capacity + size;
        char *data = realloc(record->data, capacity);
        if (!data) {
            return false;
        }
        record->data = data;
        record->capacity = capacity;
    }
    memcpy(record->data + record->size, bytes, size);
    record->size += size;
    return true;
}

bool play_record(play *game)
{
    graze_record_stop(game->world);
    game->record.size = 0;
    graze_record_def def = graze_record_def_default();
    def.write = append;
    def.write_user = &game->record;
    return graze_record_start(game->world, &def) == GRAZE_OK;
}

const void *play_end_record(play *game, uint32_t *size)
{
    const bool is_whole =
        graze_record_is_on(game->world) && graze_record_stop(game->world) == GRAZE_OK;
    *size = is_whole ? (uint32_t)game->record.size : 0;
    return is_whole ? game->record.data : NULL;
}
