// The contacts of a snapshot: the reports of the step before it, and what the solver keeps.

#include "fault.h"
#include "history/snapshot.h"
#include "solve/solve.h"
#include "step/report_lists.h"
#include "vec2d.h"
#include "world/bodies.h"
#include "world/contact_keys.h"

// --- Keys ---

static graze_contact_end key_at(const grz_snapshot *snapshot, grz_section section, size_t place)
{
    graze_contact_end key;
    memcpy(&key, grz_snapshot_element(snapshot, section, place), sizeof key);
    return key;
}

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

// Of two bodies, or of one and terrain; after the last key.
static bool key_follows(const grz_snapshot *snapshot, const graze_contact_end *last,
                        const graze_contact_end *key)
{
    const bool pair = key->b.generation != 0;
    return id_is_right(snapshot, key->a) &&
           (pair ? id_is_right(snapshot, key->b) && key->a.index != key->b.index &&
                       grz_is_same_segment(key->segment, grz_no_segment)
                 : key->b.index == 0 && segment_is_right(snapshot, key->segment)) &&
           grz_compare_keys(last, key) < 0;
}

// HOT. bench: engine/snapshot_load
//
// Data    28 bytes of a key read, and 12 of its chain.
static bool keys_are_right(const grz_snapshot *snapshot, grz_section section, uint32_t count)
{
    graze_contact_end last = {{0, 0}, {0, 0}, {{0, 0}, 0}};
    bool right = true;
    for (uint32_t k = 0; right && k < count; ++k) {
        const graze_contact_end key = key_at(snapshot, section, k);
        right = key_follows(snapshot, &last, &key) &&
                (key.b.generation ? key.a.index < key.b.index : key.segment.index < GRZ_NONE);
        last = key;
    }
    return right;
}

// --- Contacts ---

// By (a, b), as keys are; those of one a and b by time, then as keys. Times are in the order of
// their patterns.
//
// HOT. bench: engine/snapshot_load
//
// Data    8 bytes of a contact and 16 of its key read.
static bool order_is_right(const grz_snapshot *snapshot)
{
    const unsigned char *next = grz_snapshot_section(snapshot, GRZ_SECTION_CONTACTS);
    uint32_t wrong = 0, last_key = 0, last_time = 0;
    for (uint32_t i = 0; !wrong && i < snapshot->header.contact_count; ++i) {
        const uint32_t key = grz_word_at(next, offsetof(grz_contact_record, key) / 4);
        const uint32_t time = grz_word_at(next, offsetof(grz_contact_record, time) / 4);
        if (key >= snapshot->header.key_count) {
            return false;
        }
        const graze_contact_end now = key_at(snapshot, GRZ_SECTION_KEYS, key);
        const graze_contact_end last = key_at(snapshot, GRZ_SECTION_KEYS, last_key);
        const bool same_pair = grz_is_same_id(now.a, last.a) && grz_is_same_id(now.b, last.b);
        const uint32_t is_before = key < last_key;
        const uint32_t is_earlier = (time < last_time) | ((time == last_time) & is_before);
        GRZ_FAULT(touches_in_any_order, is_earlier = 0);
        wrong = same_pair ? is_earlier : is_before;
        last_key = key;
        last_time = time;
        next += sizeof(grz_contact_record);
    }
    return !wrong;
}

static bool reports_are_right(const grz_snapshot *snapshot)
{
    const grz_snapshot_header *header = &snapshot->header;
    return keys_are_right(snapshot, GRZ_SECTION_KEYS, header->key_count) &&
           keys_are_right(snapshot, GRZ_SECTION_ENDS, header->end_count) &&
           !grz_snapshot_find_wrong(snapshot, GRZ_SECTION_CONTACTS) &&
           !grz_snapshot_find_wrong(snapshot, GRZ_SECTION_BLOWS) && order_is_right(snapshot) &&
           header->begin_count <= header->key_count;
}

// --- What the solver keeps ---

/// How far a lever may lead, in half extents of its rect: more than rounding adds.
static const double longest_lever = 2;

// Those of a manifold that may be kept lie on the body. Of a body that is gone none is.
static bool levers_are_right(const grz_bodies *spare, graze_body_id body, const graze_vec2 *levers)
{
    const grz_row row = spare->row_of_index.data[body.index];
    if (row >= GRZ_NONE || spare->cold.data[body.index].generation != body.generation) {
        return true;
    }
    const double most = longest_lever * length_of(widen(spare->rows.half[row]));
    return length_of(widen(levers[0])) <= most && length_of(widen(levers[1])) <= most;
}

static bool kept_is_right(const grz_bodies *spare, const grz_cached_contact *kept)
{
    const bool may_stay = kept->rotation_a.cosine != 0 || kept->rotation_a.sine != 0;
    return !may_stay || !kept->key.b.generation ||
           (levers_are_right(spare, kept->key.a, kept->levers_a) &&
            levers_are_right(spare, kept->key.b, kept->levers_b));
}

static bool all_kept_are_right(const grz_bodies *spare, const grz_snapshot *snapshot)
{
    graze_contact_end last = {{0, 0}, {0, 0}, {{0, 0}, 0}};
    bool right = !grz_snapshot_find_wrong(snapshot, GRZ_SECTION_KEPT);
    for (uint32_t k = 0; right && k < snapshot->header.kept_count; ++k) {
        grz_cached_contact kept;
        memcpy(&kept, grz_snapshot_element(snapshot, GRZ_SECTION_KEPT, k), sizeof kept);
        right = key_follows(snapshot, &last, &kept.key) && kept_is_right(spare, &kept);
        last = kept.key;
    }
    return right;
}

graze_status grz_snapshot_read_contacts(const graze_world *world, const grz_snapshot *snapshot)
{
    if (!reports_are_right(snapshot)) {
        return grz_snapshot_refuse(world, "the snapshot's contacts are invalid or out of order");
    }
    return all_kept_are_right(world->bodies.spare, snapshot)
               ? GRAZE_OK
               : grz_snapshot_refuse(world, "what the snapshot keeps of contacts is invalid or out "
                                            "of order");
}

// --- In their place ---

static void copy_keys(grz_contact_keys *keys, const grz_snapshot *snapshot, grz_section section,
                      uint32_t count)
{
    keys->count = count;
    if (count) {
        memcpy(keys->data, grz_snapshot_section(snapshot, section), count * sizeof *keys->data);
    }
}

static graze_contact contact_at(const grz_snapshot *snapshot, uint32_t place,
                                const graze_contact_end *keys)
{
    grz_contact_record record;
    grz_blow blow;
    memcpy(&record, grz_snapshot_element(snapshot, GRZ_SECTION_CONTACTS, place), sizeof record);
    memcpy(&blow, grz_snapshot_element(snapshot, GRZ_SECTION_BLOWS, place), sizeof blow);
    const graze_contact contact = {
        .a = keys[record.key].a,
        .b = keys[record.key].b,
        .segment = keys[record.key].segment,
        .time = record.time,
        .point = record.point,
        .normal = record.normal,
        .depth = record.depth,
        .approach = blow.approach,
        .impulse = blow.impulse,
        .phase = record.form & 1 ? GRAZE_CONTACT_STAY : GRAZE_CONTACT_BEGIN,
        .flags = record.form >> 1,
    };
    return contact;
}

void grz_snapshot_fill_contacts(graze_world *world, const grz_snapshot *snapshot)
{
    const grz_snapshot_header *header = &snapshot->header;
    grz_report_lists_void(world);
    world->reports.renewed_from = 0;
    world->reports.keys_apart = true;
    copy_keys(&world->reports.keys, snapshot, GRZ_SECTION_KEYS, header->key_count);
    copy_keys(&world->reports.ends, snapshot, GRZ_SECTION_ENDS, header->end_count);
    world->reports.contacts.count = header->contact_count;
    for (uint32_t i = 0; i < header->contact_count; ++i) {
        world->reports.contacts.data[i] = contact_at(snapshot, i, world->reports.keys.data);
    }
    grz_kept_contacts_replace(&world->solve, grz_snapshot_section(snapshot, GRZ_SECTION_KEPT),
                              header->kept_count);
}
