// The hash of the whole state: graze_world_hash.

#include <graze/world.h>

#include "bits.h"
#include "list.h"
#include "solve/solve.h"
#include "world/bodies.h"
#include "world/contact_keys.h"

#include <string.h>

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
    feed(hash, (uint64_t)grz_pattern_of(first) << 32 | grz_pattern_of(second));
}

static void feed_filter(hasher *hash, graze_filter filter)
{
    feed(hash, (uint64_t)filter.category << 32 | filter.mask);
    feed(hash, (uint64_t)filter.pass << 32 | (uint32_t)filter.group);
}

static void feed_row(hasher *hash, const grz_rows *rows, grz_row row)
{
    feed_pair(hash, rows->position[row].x, rows->position[row].y);
    feed_pair(hash, rows->velocity[row].x, rows->velocity[row].y);
    feed_pair(hash, rows->half[row].x, rows->half[row].y);
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
        feed(hash, (uint64_t)grz_pattern_of(dynamics->quiet) << 32 | dynamics->flags);
    }
}

static void feed_body(hasher *hash, const graze_world *world, grz_index index)
{
    const grz_body *body = &world->bodies.cold.data[index];
    const grz_material material = grz_material_of(world, index);
    const grz_life life = grz_life_of(world, index);
    feed_pair(hash, material.mass, life.lifetime);
    const grz_dynamics dynamics = grz_dynamics_of(world, index);
    feed_pair(hash, material.surface.restitution, material.surface.friction);
    feed_surface(hash, material.surface);
    feed_dynamics(hash, &dynamics);
    feed(hash, (uint64_t)life.hit_limit << 32 | life.hit_count);
    feed(hash, (uint64_t)body->response << 1 | body->sensor);
    feed_filter(hash, *grz_filter_of(world, index));
    feed(hash, grz_user_data_of(world, index));
}

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

static void feed_whole_surface(hasher *hash, graze_surface surface)
{
    feed_pair(hash, surface.friction, surface.restitution);
    feed_pair(hash, surface.rolling_resistance, surface.speed);
}

static bool has_default_surface(const grz_chain *chain)
{
    const graze_surface usual = grz_optional_default.material.surface;
    return !chain->surfaces && memcmp(&chain->surface, &usual, sizeof usual) == 0;
}

static void feed_surfaces(hasher *hash, const grz_chain *chain)
{
    feed_whole_surface(hash, chain->surface);
    for (size_t i = 0; i < grz_list_count(chain->surfaces); ++i) {
        feed_whole_surface(hash, chain->surfaces[i]);
    }
}

static void feed_chain(hasher *hash, const grz_chain *chain)
{
    feed(hash, (uint64_t)chain->generation << 1 | chain->in_world);
    if (!chain->in_world) {
        return;
    }
    const uint64_t kind = (uint64_t)(chain->loop << 2 | chain->one_sided << 1 | chain->sensor);
    feed(hash, kind << 32 | chain->segment_count);
    feed_filter(hash, chain->filter);
    feed(hash, chain->user_data);
    if (!has_default_surface(chain)) {
        feed_surfaces(hash, chain);
    }
    for (size_t i = 0; i < grz_list_count(chain->points); ++i) {
        feed_pair(hash, chain->points[i].x, chain->points[i].y);
    }
}

static void feed_key(hasher *hash, const graze_contact_end *key)
{
    feed(hash, (uint64_t)key->a.index << 32 | key->a.generation);
    feed(hash, (uint64_t)key->b.index << 32 | key->b.generation);
    feed(hash, (uint64_t)key->segment.chain.index << 32 | key->segment.chain.generation);
    feed(hash, key->segment.index);
}

// All numbers and patterns of numbers, after the key.
static void feed_kept_contact(hasher *hash, const grz_cached_contact *kept)
{
    enum { FIRST = sizeof kept->key / 4, WORDS = sizeof *kept / 4 };
    uint32_t words[WORDS + 1] = {0};
    memcpy(words, kept, sizeof *kept);
    feed_key(hash, &kept->key);
    for (uint32_t k = FIRST; k < WORDS; k += 2) {
        feed(hash, (uint64_t)words[k] << 32 | words[k + 1]);
    }
}

static void feed_kept_contacts(hasher *hash, const graze_world *world)
{
    grz_kept_cursor cursor = {0, 0};
    const grz_cached_contact *kept;
    while ((kept = grz_kept_contact_next(world, &cursor))) {
        feed_kept_contact(hash, kept);
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
    feed_kept_contacts(&hash, world);
    return hash.state;
}
