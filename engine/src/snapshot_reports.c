#include "snapshot_reports.h"

#include "contact_keys.h"

#include <string.h>

// --- Checks ---

static graze_contact_end key_at(const unsigned char *keys, size_t place)
{
    graze_contact_end key;
    memcpy(&key, keys + place * sizeof key, sizeof key);
    return key;
}

// A pair has a smaller index and no segment; what touches terrain has a segment, and no b. They
// come in no order that could be guessed: no branch.
static bool is_key(const grz_snapshot_header *header, const graze_contact_end *key)
{
    const bool pair = key->b.generation != 0;
    const graze_segment_id segment = key->segment;
    return (key->a.generation != 0) & (key->a.index < (pair ? key->b.index : header->index_count)) &
           (key->b.index < (pair ? header->index_count : 1)) &
           (segment.chain.index < (pair ? 1 : header->chain_count)) &
           ((segment.chain.generation == 0) == pair) & (segment.index < (pair ? 1 : GRZ_NONE));
}

// Few have the a of the one before.
static bool is_before(const graze_contact_end *first, const graze_contact_end *second)
{
    return first->a.index < second->a.index || grz_compare_keys(first, second) < 0;
}

// HOT. bench: engine/snapshot_load
//
// Data    28 bytes of a key read.
// Branch  Whether the next a is another one.
static bool keys_are_right(const grz_snapshot *snapshot, grz_section section, size_t count)
{
    const unsigned char *keys = grz_snapshot_section(snapshot, section);
    graze_contact_end last = {{0, 0}, {0, 0}, {{0, 0}, 0}};
    bool right = true;
    for (size_t i = 0; i < count; ++i) {
        const graze_contact_end key = key_at(keys, i);
        right &= is_key(&snapshot->header, &key);
        right &= is_before(&last, &key);
        last = key;
    }
    return right;
}

static bool contacts_are_right(const grz_snapshot *snapshot)
{
    const uint32_t flags =
        GRAZE_CONTACT_SENSOR | GRAZE_CONTACT_BLOCKED | GRAZE_CONTACT_SPENT | GRAZE_CONTACT_DROPPED;
    const unsigned char *contacts = grz_snapshot_section(snapshot, GRZ_SECTION_CONTACTS);
    bool right = true;
    for (size_t i = 0; i < snapshot->header.contact_count; ++i) {
        grz_contact_record record;
        memcpy(&record, contacts + i * sizeof record, sizeof record);
        right &= (record.key < snapshot->header.key_count) & (record.form >> 1 <= flags) &
                 (grz_pattern_of(record.time) <= GRZ_PATTERN_ONE);
    }
    return right;
}

bool grz_snapshot_reports_are_right(const grz_snapshot *snapshot)
{
    const grz_snapshot_header *header = &snapshot->header;
    return keys_are_right(snapshot, GRZ_SECTION_KEYS, header->key_count) &&
           keys_are_right(snapshot, GRZ_SECTION_ENDS, header->end_count) &&
           contacts_are_right(snapshot) && header->begin_count <= header->key_count;
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

// Copied at once: read from a record on the stack in other parts than it was written in, they would
// stall.
static void fill_touch(graze_contact *contact, const unsigned char *record)
{
    memcpy((unsigned char *)contact + offsetof(graze_contact, time),
           record + offsetof(grz_contact_record, time), GRZ_TOUCH_SIZE);
}

static void fill_contact(graze_contact *contact, const unsigned char *record,
                         const graze_contact_end *keys)
{
    const uint32_t form = grz_word_at(record, 1);
    const graze_contact_end *key = &keys[grz_word_at(record, 0)];
    contact->a = key->a;
    contact->b = key->b;
    contact->segment = key->segment;
    fill_touch(contact, record);
    contact->phase = form & 1 ? GRAZE_CONTACT_STAY : GRAZE_CONTACT_BEGIN;
    contact->flags = form >> 1;
}

static void copy_contacts(graze_world *world, const grz_snapshot *snapshot)
{
    const unsigned char *next = grz_snapshot_section(snapshot, GRZ_SECTION_CONTACTS);
    world->contacts.count = snapshot->header.contact_count;
    for (uint32_t i = 0; i < world->contacts.count; ++i, next += sizeof(grz_contact_record)) {
        fill_contact(&world->contacts.data[i], next, world->keys.data);
    }
}

void grz_snapshot_fill_reports(graze_world *world, const grz_snapshot *snapshot)
{
    world->renewed = true;
    world->keys_apart = true;
    copy_keys(&world->keys, snapshot, GRZ_SECTION_KEYS, snapshot->header.key_count);
    copy_keys(&world->ends, snapshot, GRZ_SECTION_ENDS, snapshot->header.end_count);
    copy_contacts(world, snapshot);
}
