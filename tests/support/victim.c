#include "victim.h"

#include <stdlib.h>
#include <string.h>

void victim_make(victim *one)
{
    graze_world_def def = busy_def();
    memset(one, 0, sizeof *one);
    def.log = kit_write_log;
    def.log_user = &one->log;
    one->world = graze_world_create(&def);
    assert_non_null(one->world);
    random_state random = random_seed(77);
    busy_fill(one->world, &random);
    busy_frame(one->world, &random);
    one->before = kit_save(one->world, &one->before_size);
    memset(&one->log, 0, sizeof one->log);
}

void victim_free(victim *one)
{
    graze_world_destroy(one->world);
    free(one->before);
}

void victim_assert_unchanged(const victim *one, const char *what, size_t place)
{
    size_t size;
    void *now = kit_save(one->world, &size);
    if (size != one->before_size || memcmp(now, one->before, size) != 0) {
        fail_msg("%s %u: the world changed", what, (unsigned)place);
    }
    free(now);
}

void victim_assert_refuses(victim *one, const void *bytes, size_t size, const char *what,
                           size_t place)
{
    const graze_status status = graze_world_load(one->world, bytes, size);
    if (status != GRAZE_ERROR_FORMAT) {
        fail_msg("%s %u: status %d", what, (unsigned)place, (int)status);
    }
    kit_assert_logged(&one->log, GRAZE_ERROR_FORMAT, "graze_world_load");
}

unsigned char *victim_copy(const void *bytes, size_t size)
{
    unsigned char *copy = malloc(size ? size : 1);
    assert_non_null(copy);
    memcpy(copy, bytes, size);
    return copy;
}

void victim_assert_refuses_start(victim *one, const unsigned char *bytes, size_t length)
{
    unsigned char *copy = victim_copy(bytes, length);
    victim_assert_refuses(one, copy, length, "length", length);
    free(copy);
}

void victim_assert_every_byte_counts(victim *one, unsigned char *bytes, size_t size)
{
    random_state random = random_seed(1);
    for (size_t place = 0; place < size; ++place) {
        const unsigned char flip = (unsigned char)(1 + random_below(&random, 255));
        bytes[place] ^= flip;
        victim_assert_refuses(one, bytes, size, "byte", place);
        bytes[place] ^= flip;
    }
}
