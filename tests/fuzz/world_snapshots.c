#include "world_calls.h"

#include "forgery.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_CHANGES = 4, STEPS = 3 };

/// A saved world, in memory that is as large as it must be.
typedef struct saved {
    unsigned char *bytes;
    size_t size;
} saved;

static saved save(const graze_world *world)
{
    saved made = {NULL, graze_world_snapshot_size(world)};
    made.bytes = malloc(made.size);
    if (!made.bytes) {
        exit(2);
    }
    FUZZ_CHECK(graze_world_save(world, made.bytes, made.size - 1) == GRAZE_ERROR_LIMIT,
               "a snapshot fits where it does not");
    FUZZ_CHECK(graze_world_save(world, made.bytes, made.size) == GRAZE_OK, "it is not saved");
    return made;
}

// A snapshot of the same world again must have the same bytes.
static void expect_same(const graze_world *world, const saved *made)
{
    const saved again = save(world);
    FUZZ_CHECK(again.size == made->size && memcmp(again.bytes, made->bytes, made->size) == 0,
               "what was loaded is saved as something else");
    free(again.bytes);
}

// The world goes on in another one.
static void move_house(world_run *run, const saved *made)
{
    graze_world *house = graze_world_create(&run->def);
    if (!house) {
        run->status = GRAZE_ERROR_OUT_OF_MEMORY;
        return;
    }
    run->status = graze_world_load(house, made->bytes, made->size);
    if (run->status == GRAZE_OK) {
        graze_world_destroy(run->watch->world);
        run->watch->world = house;
    } else {
        graze_world_destroy(house);
    }
}

// Changes bytes that are drawn.
static void damage(world_run *run, saved *made)
{
    for (uint32_t i = 1 + fuzz_below(&run->bytes, MAX_CHANGES); i > 0; --i) {
        const size_t high = fuzz_byte(&run->bytes);
        const size_t place = (high << 8 | fuzz_byte(&run->bytes)) % made->size;
        made->bytes[place] = fuzz_byte(&run->bytes);
    }
}

// Counts are believed before all is checked: there may be no memory for them, or they are too many.
static bool is_refused(const world_run *run)
{
    return run->status == GRAZE_ERROR_FORMAT || run->status == GRAZE_ERROR_OUT_OF_MEMORY ||
           (run->status == GRAZE_ERROR_LIMIT && run->def.fixed_capacity);
}

static void load_damaged(world_run *run, saved *made)
{
    graze_world *world = run->watch->world;
    const uint64_t hash = graze_world_hash(world);
    const size_t cut = fuzz_below(&run->bytes, 4) == 3 ? fuzz_byte(&run->bytes) : made->size;
    const saved whole = save(world);
    damage(run, made);
    const bool damaged = cut < made->size || memcmp(made->bytes, whole.bytes, made->size) != 0;
    free(whole.bytes);
    run->status = graze_world_load(world, made->bytes, cut < made->size ? cut : made->size);
    FUZZ_CHECK(!damaged || is_refused(run), "status %d", (int)run->status);
    FUZZ_CHECK(graze_world_hash(world) == hash, "damaged bytes change the world");
}

// With a checksum that fits, changed bytes may be another world: then it is a sound one.
static void load_forged(world_run *run, saved *made)
{
    damage(run, made);
    forge_checksum(made->bytes, made->size);
    const graze_world_def def = graze_world_def_default();
    graze_world *world = graze_world_create(&def);
    const graze_ray ray = {{-9, -9}, {18, 18}};
    graze_query_hit closest;
    FUZZ_CHECK(world, "no world");
    if (graze_world_load(world, made->bytes, made->size) == GRAZE_OK) {
        expect_same(world, made);
        for (int i = 0; i < STEPS; ++i) {
            FUZZ_CHECK(graze_world_step(world, 1) == GRAZE_OK, "a loaded world does not step");
        }
        (void)graze_query_ray(world, ray, graze_filter_default(), &closest);
    }
    graze_world_destroy(world);
}

void world_save_and_load(world_run *run)
{
    const graze_world *world = run->watch->world;
    const uint64_t hash = graze_world_hash(world);
    saved made = save(world);
    switch (fuzz_below(&run->bytes, 4)) {
    case 0:
        run->status = graze_world_load(run->watch->world, made.bytes, made.size);
        expect_same(run->watch->world, &made);
        break;
    case 1:
        move_house(run, &made);
        expect_same(run->watch->world, &made);
        break;
    case 2:
        load_damaged(run, &made);
        break;
    default:
        load_forged(run, &made);
        break;
    }
    FUZZ_CHECK(graze_world_hash(run->watch->world) == hash, "the hash is another");
    free(made.bytes);
}
