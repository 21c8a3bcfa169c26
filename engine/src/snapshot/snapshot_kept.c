#include "snapshot/snapshot_kept.h"

#include "body/bodies.h"
#include "contact/contact_keys.h"
#include "solve/solve.h"
#include "vec2d.h"

/// How far a lever may lead, in half extents of its rect: more than rounding adds.
static const double longest_lever = 2;

void grz_snapshot_put_kept(grz_writer *writer)
{
    grz_kept_cursor cursor = {0, 0};
    const grz_cached_contact *kept;
    while ((kept = grz_kept_contact_next(writer->world, &cursor))) {
        grz_writer_put(writer, GRZ_SECTION_KEPT, kept, sizeof *kept);
    }
}

// --- Keys ---

// A chain that is gone is not checked: its record has no points, or is another's.
static bool segment_is_right(const grz_snapshot *snapshot, graze_segment_id segment)
{
    grz_chain_record chain;
    if (segment.chain.generation == 0 || segment.chain.index >= snapshot->header.chain_count) {
        return false;
    }
    memcpy(&chain, grz_snapshot_element(snapshot, GRZ_SECTION_CHAINS, segment.chain.index),
           sizeof chain);
    return chain.generation != segment.chain.generation || chain.point_count == 0 ||
           segment.index < grz_record_segment_count(&chain);
}

static bool id_is_right(const grz_snapshot *snapshot, graze_body_id body)
{
    return body.generation != 0 && body.index < snapshot->header.index_count;
}

// Of two bodies, or of one and terrain.
static bool key_is_right(const grz_snapshot *snapshot, const graze_contact_end *key)
{
    static const graze_segment_id no_segment = {{0, 0}, 0};
    const bool pair = key->b.generation != 0;
    return id_is_right(snapshot, key->a) &&
           (pair ? id_is_right(snapshot, key->b) && key->a.index != key->b.index &&
                       grz_is_same_segment(key->segment, no_segment)
                 : key->b.index == 0 && segment_is_right(snapshot, key->segment));
}

// --- Numbers ---

static bool is_at_most_one(graze_vec2 vector)
{
    return absolute((double)vector.x) <= 1 && absolute((double)vector.y) <= 1;
}

static bool is_rotation(graze_rotation rotation)
{
    const graze_vec2 parts = {rotation.cosine, rotation.sine};
    return is_at_most_one(parts);
}

// Those of a manifold that may be kept lie on the body. Of a body that is gone none is.
static bool levers_are_right(const graze_world *world, const grz_snapshot *snapshot,
                             graze_body_id body, const graze_vec2 *levers)
{
    const graze_world *spare = world->spare;
    const uint32_t row = spare->row_of_index.data[body.index];
    unsigned char generation[sizeof(uint32_t)];
    memcpy(generation, grz_snapshot_element(snapshot, GRZ_SECTION_BODIES, body.index),
           sizeof generation);
    if (row >= GRZ_NONE || grz_word_at(generation, 0) != body.generation) {
        return true;
    }
    const double most = longest_lever * length_of(widen(spare->rows.half[row]));
    return length_of(widen(levers[0])) <= most && length_of(widen(levers[1])) <= most;
}

static bool manifold_is_right(const graze_world *world, const grz_snapshot *snapshot,
                              const grz_cached_contact *kept)
{
    const bool may_stay = kept->rotation_a.cosine != 0 || kept->rotation_a.sine != 0;
    return kept->count <= GRZ_MANIFOLD_POINTS && is_at_most_one(kept->normal) &&
           is_rotation(kept->rotation_a) && is_rotation(kept->rotation_b) &&
           (!may_stay || !kept->key.b.generation ||
            (levers_are_right(world, snapshot, kept->key.a, kept->levers_a) &&
             levers_are_right(world, snapshot, kept->key.b, kept->levers_b)));
}

// -0 is a number, too.
static bool numbers_are_finite(const unsigned char *words, size_t count)
{
    bool finite = true;
    for (size_t k = 0; k < count; ++k) {
        finite = finite && (grz_word_at(words, k) & GRZ_PATTERN_MAGNITUDE) < GRZ_PATTERN_INFINITE;
    }
    return finite;
}

bool grz_snapshot_kept_are_right(const graze_world *world, const grz_snapshot *snapshot)
{
    const size_t first = offsetof(grz_cached_contact, impulses);
    graze_contact_end last = {{0, 0}, {0, 0}, {{0, 0}, 0}};
    for (uint32_t k = 0; k < snapshot->header.kept_count; ++k) {
        const unsigned char *bytes = grz_snapshot_element(snapshot, GRZ_SECTION_KEPT, k);
        grz_cached_contact kept;
        memcpy(&kept, bytes, sizeof kept);
        if (!key_is_right(snapshot, &kept.key) || grz_compare_keys(&last, &kept.key) >= 0 ||
            !numbers_are_finite(bytes + first, (sizeof kept - first) / sizeof(float)) ||
            !manifold_is_right(world, snapshot, &kept)) {
            return false;
        }
        last = kept.key;
    }
    return true;
}
