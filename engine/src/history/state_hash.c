#include "history/state_hash.h"

#include <graze/world.h>

#include "bits.h"
#include "collide/tolerance.h"
#include "history/archive.h"
#include "likely.h"
#include "list.h"
#include "prefetch.h"
#include "solve/solve.h"
#include "world/bodies.h"
#include "world/contact_keys.h"
#include "world/rows.h"

#include <string.h>

enum { AHEAD = 16 }; ///< How far ahead bodies are prefetched.

static uint64_t join(uint32_t upper, uint32_t lower)
{
    return (uint64_t)upper << 32 | lower;
}

// --- Hashes ---

/// A hash that is being fed.
typedef struct hasher {
    uint64_t state;
} hasher;

static void feed(hasher *hash, uint64_t word)
{
    hash->state = (hash->state ^ word) * UINT64_C(0x100000001b3);
    hash->state ^= hash->state >> 29;
}

static void feed_pair(hasher *hash, float first, float second)
{
    feed(hash, join(grz_pattern_of(first), grz_pattern_of(second)));
}

// Feeds numbers of four bytes, or their patterns, two by two.
static inline void feed_words(hasher *hash, const void *words, size_t count)
{
    for (size_t k = 0; k < count; k += 2) {
        const uint32_t last = k + 1 < count ? grz_word_at(words, k + 1) : 0;
        feed(hash, join(grz_word_at(words, k), last));
    }
}

GRZ_IN_PLACE void feed_row(hasher *hash, const grz_rows *rows, grz_row row)
{
    feed_words(hash, &rows->position[row], 2);
    feed_words(hash, &rows->velocity[row], 2);
    feed_words(hash, &rows->half[row], 2);
    feed_pair(hash, grz_angle_of(rows, row), grz_spin_of(rows, row));
    feed(hash, rows->traits[row] & GRZ_TRAITS_OF_STATE);
}

// What is new since the first format is fed only where it differs from the default.
static void feed_surface(hasher *hash, graze_surface surface)
{
    if (surface.rolling_resistance != 0 || surface.speed != 0) {
        feed_pair(hash, surface.rolling_resistance, surface.speed);
    }
}

static void feed_dynamics(hasher *hash, const grz_dynamics *dynamics)
{
    const grz_dynamics *usual = &grz_optional_default.dynamics;
    if (memcmp(dynamics, usual, sizeof *dynamics) != 0) {
        feed_pair(hash, dynamics->inertia, dynamics->gravity_scale);
        feed_pair(hash, dynamics->damping, dynamics->spin_damping);
        feed(hash, join(grz_pattern_of(dynamics->quiet), dynamics->flags));
    }
}

GRZ_IN_PLACE void feed_body(hasher *hash, const graze_world *world, grz_index index)
{
    const grz_body *body = &world->bodies.cold.data[index];
    const grz_material material = grz_material_of(world, index);
    const grz_life life = grz_life_of(world, index);
    feed_pair(hash, material.mass, life.lifetime);
    const grz_dynamics dynamics = grz_dynamics_of(world, index);
    feed_pair(hash, material.surface.restitution, material.surface.friction);
    feed_surface(hash, material.surface);
    feed_dynamics(hash, &dynamics);
    feed(hash, join(life.hit_limit, life.hit_count));
    feed(hash, (uint64_t)body->response << 1 | body->sensor);
    feed_words(hash, grz_filter_of(world, index), sizeof(graze_filter) / 4);
    feed(hash, grz_user_data_of(world, index));
}

static void feed_key(hasher *hash, const graze_contact_end *key)
{
    feed_words(hash, key, sizeof *key / 4 - 1);
    feed(hash, key->segment.index);
}

// --- Of bodies, after a step ---

static graze_replay_body read_row(const graze_world *world, grz_row row)
{
    const grz_rows *rows = &world->bodies.rows;
    const graze_replay_body body = {
        .generation = rows->generation[row],
        .position = rows->position[row],
        .velocity = rows->velocity[row],
        .angle = grz_angle_of(rows, row),
        .spin = grz_spin_of(rows, row),
        .lifetime = grz_life_of(world, rows->index[row]).lifetime,
    };
    return body;
}

// Its upper bits depend on all others.
static uint64_t finish(const hasher *hash)
{
    const uint64_t odd_number = UINT64_C(0x9e3779b97f4a7c15); // 2^64 over the golden ratio.
    const uint64_t sum = (hash->state ^ hash->state >> 32) * odd_number;
    return sum ^ sum >> 29;
}

static uint64_t hash_body(const graze_world *world, grz_index index, grz_row row)
{
    hasher hash = {index}, rest = {world->bodies.rows.generation[row]};
    feed_row(&hash, &world->bodies.rows, row);
    feed_body(&rest, world, index);
    feed(&hash, rest.state);
    return finish(&hash);
}

static void add_row(grz_state_hash_block *blocks, const graze_world *world, grz_row row)
{
    const grz_rows *rows = &world->bodies.rows;
    const grz_index index = rows->index[row];
    const graze_replay_body body = read_row(world, row);
    const uint64_t hash = hash_body(world, index, row);
    grz_state_hash_block *block = &blocks[index / GRZ_STATE_HASH_BODIES];
    block->sum += hash;
    for (int i = 0; i < GRZ_STATE_HASH_WORDS; ++i) {
        block->joined[i] ^= grz_word_at((const unsigned char *)&body, (size_t)i);
    }
    block->bodies[index % GRZ_STATE_HASH_BODIES] = (uint16_t)(hash >> 48);
}

// The optional columns that exist.
static void prefetch_body(const graze_world *world, grz_index index)
{
#define PREFETCH_COLUMN(column, member, need)                                                      \
    if (world->bodies.column.data) {                                                               \
        GRZ_PREFETCH(&world->bodies.column.data[index]);                                           \
    }
    GRZ_PREFETCH(&world->bodies.cold.data[index]);
    GRZ_OPTIONAL_COLUMNS(PREFETCH_COLUMN)
#undef PREFETCH_COLUMN
}

// HOT. bench: engine/step_recorded
//
// Data    A row, 44 bytes in order; a grz_body, 8 bytes anywhere, and up to 76 more in optional
//         columns; 42 of a block, read and written.
// Branch  On which columns exist, the same for all rows.
// Order   Any: sums and exclusive ors do not depend on it. Two chains of multiplications a body,
//         independent of those of the next.
static void add_rows(grz_state_hash_block *blocks, const graze_world *world)
{
    const uint32_t *indices = world->bodies.rows.index;
    const uint32_t count = world->bodies.count;
    for (grz_row row = 0; row < count; ++row) {
        prefetch_body(world, indices[row + AHEAD < count ? row + AHEAD : row]);
        add_row(blocks, world, row);
    }
}

// So the number of blocks is a function of the state, not of its history.
static uint32_t count_blocks(const grz_state_hash_block *blocks, uint32_t count)
{
    static const grz_state_hash_block empty;
    while (count > 0 && memcmp(&blocks[count - 1], &empty, sizeof empty) == 0) {
        --count;
    }
    return count;
}

// Of the hashes of all keys, which are independent: none waits for another.
static uint64_t sum_up_keys(const graze_world *world)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < world->reports.keys.count; ++i) {
        const graze_contact_end key = grz_key_at(world, i);
        hasher hash = {0};
        feed_key(&hash, &key);
        sum += finish(&hash);
    }
    return sum;
}

static uint64_t sum_up(const grz_state_hash *digest, const graze_world *world)
{
    hasher hash = {join(world->bodies.count, world->reports.keys.count)};
    feed(&hash, sum_up_keys(world));
    for (uint32_t i = 0; i < digest->blocks.count; ++i) {
        feed(&hash, digest->blocks.data[i].sum);
    }
    return finish(&hash);
}

bool grz_state_hash_take(grz_state_hash *digest, const graze_world *world,
                         const graze_allocator *allocator)
{
    const uint32_t most =
        (world->bodies.cold.count + GRZ_STATE_HASH_BODIES - 1) / GRZ_STATE_HASH_BODIES;
    if (!grz_array_reserve(&digest->blocks, allocator, most)) {
        return false;
    }
    if (most > 0) {
        memset(digest->blocks.data, 0, most * sizeof *digest->blocks.data);
    }
    add_rows(digest->blocks.data, world);
    digest->blocks.count = count_blocks(digest->blocks.data, most);
    digest->sum = sum_up(digest, world);
    return true;
}

graze_replay_body grz_state_hash_read(const graze_world *world, grz_index index)
{
    const graze_replay_body nothing = {0};
    const bool is_there =
        index < world->bodies.cold.count && world->bodies.row_of_index.data[index] < GRZ_NONE;
    return is_there ? read_row(world, world->bodies.row_of_index.data[index]) : nothing;
}

// --- The hash of the whole state: graze_world_hash ---

// Includes the generations of vacant indices, and which of these are held until the next step: they
// determine the next ids.
static void feed_bodies(hasher *hash, const graze_world *world)
{
    feed(hash, world->bodies.count);
    for (grz_index index = 0; index < world->bodies.cold.count; ++index) {
        const grz_row row = world->bodies.row_of_index.data[index];
        const grz_body *body = &world->bodies.cold.data[index];
        const uint64_t held = grz_is_removed(row);
        feed(hash, (uint64_t)body->generation << 2 | held << 1 | (row < GRZ_NONE));
        if (row < GRZ_NONE) {
            feed_row(hash, &world->bodies.rows, row);
            feed_body(hash, world, index);
        }
    }
}

static bool has_default_surface(const grz_chain *chain)
{
    const graze_surface usual = grz_optional_default.material.surface;
    return !chain->surfaces && memcmp(&chain->surface, &usual, sizeof usual) == 0;
}

static void feed_chain(hasher *hash, const grz_chain *chain)
{
    feed(hash, (uint64_t)chain->generation << 1 | chain->in_world);
    if (!chain->in_world) {
        return;
    }
    const uint64_t kind = (uint64_t)(chain->loop << 2 | chain->one_sided << 1 | chain->sensor);
    feed(hash, kind << 32 | chain->segment_count);
    feed_words(hash, &chain->filter, sizeof chain->filter / 4);
    feed(hash, chain->user_data);
    if (!has_default_surface(chain)) {
        feed_words(hash, &chain->surface, sizeof chain->surface / 4);
        feed_words(hash, chain->surfaces,
                   grz_list_count(chain->surfaces) * sizeof chain->surface / 4);
    }
    feed_words(hash, chain->points, grz_list_count(chain->points) * sizeof *chain->points / 4);
}

static void feed_kept_contacts(hasher *hash, const graze_world *world)
{
    grz_kept_cursor cursor = {0, 0};
    const grz_cached_contact *kept;
    while ((kept = grz_kept_contact_next(&world->solve, &cursor))) {
        feed_key(hash, &kept->key);
        feed_words(hash, &kept->key + 1, (sizeof *kept - sizeof kept->key) / 4);
    }
}

uint64_t graze_world_hash(const graze_world *world)
{
    hasher hash = {UINT64_C(0xcbf29ce484222325)};
    feed_pair(&hash, world->config.gravity.x, world->config.gravity.y);
    if (world->config.substeps != GRZ_SUBSTEPS) {
        feed(&hash, world->config.substeps);
    }
    feed_bodies(&hash, world);
    for (size_t i = 0; i < grz_list_count(world->terrain.chains); ++i) {
        feed_chain(&hash, &world->terrain.chains[i]);
    }
    for (uint32_t i = 0; i < world->reports.keys.count; ++i) {
        const graze_contact_end key = grz_key_at(world, i);
        feed_key(&hash, &key);
    }
    if (grz_kept_contact_count(&world->solve)) {
        const uint64_t steps = world->reports.stats.step_count, most = (uint64_t)grz_steps_in_mean;
        feed_pair(&hash, world->solve.mean_substep, (float)(steps < most ? steps : most));
        feed_kept_contacts(&hash, world);
    }
    return hash.state;
}
