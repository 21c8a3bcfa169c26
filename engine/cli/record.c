#include "record.h"

#include "text_file.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char magic[8] = {'g', 'r', 'a', 'z', 'e', 'r', 'e', 'c'};

enum {
    VERSION = 1,
    HEADER_SIZE = 32, ///< Magic, version, dt, steps, body count, size of the snapshot.
    BODY_SIZE = 2,
    HASH_SIZE = 8 ///< Of a step, and of the whole.
};

// --- numbers as bytes ---

static void put_number(unsigned char *bytes, uint64_t number, int size)
{
    for (int i = 0; i < size; ++i) {
        bytes[i] = (unsigned char)(number >> (8 * i));
    }
}

static uint64_t get_number(const unsigned char *bytes, int size)
{
    uint64_t number = 0;
    for (int i = 0; i < size; ++i) {
        number |= (uint64_t)bytes[i] << (8 * i);
    }
    return number;
}

static uint64_t start_hash(void)
{
    return UINT64_C(0xcbf29ce484222325);
}

// FNV-1a.
static uint64_t hash_bytes(uint64_t hash, const unsigned char *bytes, size_t size)
{
    for (size_t i = 0; i < size; ++i) {
        hash = (hash ^ bytes[i]) * UINT64_C(0x100000001b3);
    }
    return hash;
}

static uint32_t bits_of(float number)
{
    uint32_t bits;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}

static float float_of(uint32_t bits)
{
    float number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

static uint32_t hash_body(const graze_world *world, uint32_t index)
{
    graze_body_id body = graze_world_body_at(world, index);
    graze_vec2 position = graze_body_position(world, body);
    graze_vec2 velocity = graze_body_velocity(world, body);
    const uint32_t words[] = {
        body.generation,     bits_of(position.x), bits_of(position.y),
        bits_of(velocity.x), bits_of(velocity.y), bits_of(graze_body_angle(world, body)),
    };
    unsigned char bytes[sizeof words];
    for (size_t i = 0; i < sizeof words / sizeof *words; ++i) {
        put_number(bytes + 4 * i, words[i], 4);
    }
    uint64_t hash = hash_bytes(start_hash(), bytes, sizeof bytes);
    return (uint32_t)(hash >> 48 ^ hash >> 16) & 0xFFFF;
}

static uint64_t step_size(const cli_run_plan *plan)
{
    return HASH_SIZE + (uint64_t)BODY_SIZE * plan->body_count;
}

// No overflow while steps and bodies are below 2^31 and the snapshot is something in memory.
static uint64_t record_size(const cli_run_plan *plan, uint64_t snapshot_size)
{
    return HEADER_SIZE + snapshot_size + plan->steps * step_size(plan) + HASH_SIZE;
}

// --- writing ---

static bool write_bytes(cli_recorder *recorder, const unsigned char *bytes, size_t size)
{
    recorder->checksum = hash_bytes(recorder->checksum, bytes, size);
    return fwrite(bytes, 1, size, recorder->file) == size;
}

static void write_header(cli_recorder *recorder, const cli_run_plan *plan, size_t snapshot_size)
{
    unsigned char header[HEADER_SIZE];
    memcpy(header, magic, sizeof magic);
    put_number(header + 8, VERSION, 4);
    put_number(header + 12, bits_of(plan->dt), 4);
    put_number(header + 16, plan->steps, 4);
    put_number(header + 20, plan->body_count, 4);
    put_number(header + 24, snapshot_size, 8);
    write_bytes(recorder, header, sizeof header);
}

static void write_snapshot(cli_recorder *recorder, const graze_world *world, size_t size)
{
    unsigned char *snapshot = malloc(size);
    cli_require_memory(snapshot && graze_world_save(world, snapshot, size) == GRAZE_OK);
    write_bytes(recorder, snapshot, size);
    free(snapshot);
}

bool cli_recorder_open(cli_recorder *recorder, const char *path, const graze_world *world,
                       const cli_run_plan *plan, cli_error *error)
{
    size_t snapshot_size = graze_world_snapshot_size(world);
    uint64_t size = record_size(plan, snapshot_size);
    if (size > CLI_LARGEST_RECORD) {
        return cli_fail(error, "%s: the record would take %" PRIu64 " MiB, of at most %u", path,
                        size >> 20, CLI_LARGEST_RECORD >> 20);
    }
    recorder->path = path;
    recorder->checksum = start_hash();
    recorder->body_count = plan->body_count;
    recorder->file = fopen(path, "wb");
    if (!recorder->file) {
        return cli_fail(error, "%s: cannot be written: %s", path, strerror(errno));
    }
    write_header(recorder, plan, snapshot_size);
    write_snapshot(recorder, world, snapshot_size);
    return true;
}

bool cli_recorder_add(cli_recorder *recorder, const graze_world *world)
{
    if (!recorder->file) {
        return true;
    }
    unsigned char bytes[HASH_SIZE];
    put_number(bytes, graze_world_hash(world), HASH_SIZE);
    write_bytes(recorder, bytes, HASH_SIZE);
    for (uint32_t index = 0; index < recorder->body_count; ++index) {
        put_number(bytes, hash_body(world, index), BODY_SIZE);
        write_bytes(recorder, bytes, BODY_SIZE);
    }
    return !ferror(recorder->file);
}

bool cli_recorder_close(cli_recorder *recorder, cli_error *error)
{
    if (!recorder->file) {
        return true;
    }
    errno = 0;
    unsigned char checksum[HASH_SIZE];
    put_number(checksum, recorder->checksum, HASH_SIZE);
    write_bytes(recorder, checksum, sizeof checksum);
    bool failed = fflush(recorder->file) != 0 || ferror(recorder->file);
    int reason = errno;
    failed |= fclose(recorder->file) != 0;
    recorder->file = NULL;
    return !failed || cli_fail(error, "%s: cannot be written: %s", recorder->path,
                               reason ? strerror(reason) : "the write failed");
}

// --- reading ---

static bool check_header(const unsigned char *data, size_t size, const char *path, cli_error *error)
{
    if (size < sizeof magic || memcmp(data, magic, sizeof magic) != 0) {
        return cli_fail(error, "%s: not a record of graze run --record", path);
    }
    if (size < HEADER_SIZE + HASH_SIZE) {
        return cli_fail(error, "%s: cut short after %zu bytes", path, size);
    }
    uint64_t version = get_number(data + 8, 4);
    if (version != VERSION) {
        return cli_fail(error, "%s: a record of version %" PRIu64 "; this program reads %d", path,
                        version, VERSION);
    }
    return true;
}

static bool check_size(const cli_record *record, size_t size, const char *path, cli_error *error)
{
    const cli_run_plan *plan = &record->plan;
    bool fits = record->snapshot_size <= size && plan->steps <= size && plan->body_count <= size;
    uint64_t wanted = fits ? record_size(plan, record->snapshot_size) : UINT64_MAX;
    if (size < wanted) {
        return cli_fail(error, "%s: cut short after %zu bytes, or damaged", path, size);
    }
    size_t summed = size - HASH_SIZE;
    uint64_t checksum = hash_bytes(start_hash(), record->data, summed);
    if (size > wanted || checksum != get_number(record->data + summed, HASH_SIZE)) {
        return cli_fail(error, "%s: damaged: its checksum does not fit", path);
    }
    return true;
}

static bool take_parts(cli_record *record, size_t size, const char *path, cli_error *error)
{
    const unsigned char *data = record->data;
    if (!check_header(data, size, path, error)) {
        return false;
    }
    record->plan.dt = float_of((uint32_t)get_number(data + 12, 4));
    record->plan.steps = (uint32_t)get_number(data + 16, 4);
    record->plan.body_count = (uint32_t)get_number(data + 20, 4);
    uint64_t snapshot_size = get_number(data + 24, 8);
    record->snapshot_size = snapshot_size <= size ? (size_t)snapshot_size : SIZE_MAX;
    record->snapshot = data + HEADER_SIZE;
    if (!check_size(record, size, path, error)) {
        return false;
    }
    record->steps = record->snapshot + record->snapshot_size;
    return true;
}

bool cli_record_read(cli_record *record, const char *path, cli_error *error)
{
    cli_text file;
    memset(record, 0, sizeof *record);
    if (!cli_bytes_read(path, CLI_LARGEST_RECORD, &file, error)) {
        return false;
    }
    record->data = (unsigned char *)file.data;
    bool done = take_parts(record, file.size, path, error);
    if (!done) {
        free(record->data);
        memset(record, 0, sizeof *record);
    }
    return done;
}

cli_comparison cli_record_compare(const cli_record *record, const graze_world *world, uint32_t step)
{
    cli_comparison found = {.same = true};
    const unsigned char *was = record->steps + (step - 1) * step_size(&record->plan);
    if (get_number(was, HASH_SIZE) == graze_world_hash(world)) {
        return found;
    }
    found.same = false;
    for (uint32_t index = 0; index < record->plan.body_count && !found.has_body; ++index) {
        was = record->steps + (step - 1) * step_size(&record->plan) + HASH_SIZE + BODY_SIZE * index;
        found.has_body = get_number(was, BODY_SIZE) != hash_body(world, index);
        found.body = index;
    }
    return found;
}
