#include "tape.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

uint32_t tape_length(const tape *run, uint32_t full)
{
    return run->is_short ? full / 10 : full;
}

graze_world_def tape_world_def(const tape *run)
{
    graze_world_def def = graze_world_def_default();
    def.parallel = run->parallel;
    def.parallel_user = run->parallel_user;
    def.worker_count = run->parallel ? run->worker_count : def.worker_count;
    return def;
}

void tape_add(tape *run, uint64_t number)
{
    run->hash = (run->hash ^ number) * UINT64_C(0x9E3779B97F4A7C15);
    run->hash ^= run->hash >> 29;
}

void tape_add_float(tape *run, float number)
{
    uint32_t bits;
    memcpy(&bits, &number, sizeof bits);
    tape_add(run, bits);
}

void tape_add_vec2(tape *run, graze_vec2 vector)
{
    tape_add_float(run, vector.x);
    tape_add_float(run, vector.y);
}

void tape_add_body(tape *run, graze_body_id body)
{
    tape_add(run, (uint64_t)body.index << 32 | body.generation);
}

void tape_add_segment(tape *run, graze_segment_id segment)
{
    tape_add(run, (uint64_t)segment.chain.index << 32 | segment.chain.generation);
    tape_add(run, segment.index);
}

static void add_contacts(tape *run, graze_contact_list contacts)
{
    tape_add(run, contacts.count);
    for (uint32_t i = 0; i < contacts.count; ++i) {
        const graze_contact *contact = &contacts.data[i];
        tape_add_body(run, contact->a);
        tape_add_body(run, contact->b);
        tape_add_segment(run, contact->segment);
        tape_add_float(run, contact->time);
        tape_add_vec2(run, contact->point);
        tape_add_vec2(run, contact->normal);
        tape_add_float(run, contact->depth);
        tape_add_float(run, contact->approach);
        tape_add_float(run, contact->impulse);
        tape_add(run, (uint64_t)contact->phase << 32 | contact->flags);
    }
}

static void add_ends(tape *run, graze_contact_end_list ends)
{
    tape_add(run, ends.count);
    for (uint32_t i = 0; i < ends.count; ++i) {
        tape_add_body(run, ends.data[i].a);
        tape_add_body(run, ends.data[i].b);
        tape_add_segment(run, ends.data[i].segment);
    }
}

static graze_status step(tape *run, graze_world *world, float dt)
{
    graze_status status = graze_world_step(world, dt);
    tape_add(run, (uint64_t)status);
    tape_add(run, graze_world_hash(world));
    add_contacts(run, graze_world_contacts(world));
    add_ends(run, graze_world_contact_ends(world));
    ++run->steps;
    if (run->trace && run->steps % run->trace == 0) {
        printf("%s %" PRIu32 " %016" PRIx64 "\n", run->name, run->steps, run->hash);
    }
    return status;
}

void tape_step(tape *run, graze_world *world, float dt)
{
    (void)step(run, world, dt);
}

void tape_step_surely(tape *run, graze_world *world, float dt)
{
    tape_require(run, step(run, world, dt) == GRAZE_OK, "a step failed");
}

static void add_bytes(uint64_t *hash, const unsigned char *bytes, size_t size)
{
    for (size_t i = 0; i < size; ++i) {
        *hash = (*hash ^ bytes[i]) * UINT64_C(0x100000001b3);
    }
}

graze_world *tape_reload(tape *run, graze_world *world, const graze_world_def *def)
{
    size_t size = graze_world_snapshot_size(world);
    unsigned char *snapshot = malloc(size);
    graze_world *other = graze_world_create(def);
    tape_require(run, snapshot && other, "no memory");
    tape_require(run, graze_world_save(world, snapshot, size) == GRAZE_OK, "a save failed");
    tape_require(run, graze_world_load(other, snapshot, size) == GRAZE_OK, "a load failed");
    add_bytes(&run->snapshots, snapshot, size);
    free(snapshot);
    graze_world_destroy(run->stays ? other : world);
    return run->stays ? world : other;
}

// --- exchange ---

static FILE *open_file(const tape *run, const char *folder, const char *mode)
{
    char path[512];
    const int length = snprintf(path, sizeof path, "%s/%s.graze", folder, run->name);
    tape_require(run, length > 0 && (size_t)length < sizeof path, "the folder's name is too long");
    FILE *file = fopen(path, mode);
    tape_require(run, file != NULL, "cannot open the file of its snapshot");
    return file;
}

static void write_snapshot(const tape *run, const graze_world *world)
{
    const size_t size = graze_world_snapshot_size(world);
    unsigned char *bytes = malloc(size);
    FILE *file = open_file(run, run->save_folder, "wb");
    tape_require(run, bytes != NULL, "no memory");
    tape_require(run, graze_world_save(world, bytes, size) == GRAZE_OK, "a save failed");
    tape_require(run, fwrite(bytes, 1, size, file) == size, "cannot write its snapshot");
    tape_require(run, fclose(file) == 0, "cannot write its snapshot");
    free(bytes);
}

// Takes the same number of bytes as the own world's snapshot has: it is to be of an equal world.
static graze_world *read_snapshot(const tape *run, graze_world *world, const graze_world_def *def)
{
    const size_t size = graze_world_snapshot_size(world);
    unsigned char *bytes = malloc(size + 1);
    FILE *file = open_file(run, run->load_folder, "rb");
    graze_world *other = graze_world_create(def);
    tape_require(run, bytes && other, "no memory");
    tape_require(run, fread(bytes, 1, size + 1, file) == size, "the file is of another world");
    const graze_status status = graze_world_load(other, bytes, size);
    fclose(file);
    free(bytes);
    tape_require(run, status == GRAZE_OK, "the load of a file failed");
    graze_world_destroy(world);
    return other;
}

graze_world *tape_exchange(tape *run, graze_world *world, const graze_world_def *def)
{
    if (run->save_folder) {
        write_snapshot(run, world);
    }
    return run->load_folder ? read_snapshot(run, world, def) : world;
}

void tape_require(const tape *run, bool fine, const char *what)
{
    if (!fine) {
        fprintf(stderr, "graze_golden: %s: step %" PRIu32 ": %s\n", run->name, run->steps, what);
        exit(EXIT_FAILURE);
    }
}
