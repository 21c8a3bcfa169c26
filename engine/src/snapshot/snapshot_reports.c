#include "snapshot/snapshot_reports.h"

#include "contact/report_lists.h"

#include <string.h>

// --- Checks ---

static grz_word_limits no_limits(void)
{
    grz_word_limits limits;
    memset(limits.bits, 0xff, sizeof limits.bits);
    memset(limits.least, 0, sizeof limits.least);
    memset(limits.span, 0xff, sizeof limits.span);
    return limits;
}

/// The words of a key, in the order of keys.
enum { A_INDEX, A_GENERATION, B_INDEX, B_GENERATION, CHAIN_INDEX, CHAIN_GENERATION, SEGMENT_INDEX };

_Static_assert(offsetof(graze_contact_end, b) == 4 * B_INDEX &&
                   offsetof(graze_contact_end, segment) == 4 * CHAIN_INDEX &&
                   offsetof(graze_segment_id, index) == 4 * (SEGMENT_INDEX - CHAIN_INDEX),
               "a key's words");

static void set_limits(grz_word_limits *limits, int word, uint32_t least, uint32_t most)
{
    limits->least[word] = least;
    limits->span[word] = most - least;
}

// A key on terrain has a segment, and no b, whose generation is 0 then. If there are no chains
// there is no such key: its generation would have to be 1. A pair has no segment. There are
// indices.
static void limit_keys(const grz_snapshot_header *header, grz_word_limits limits[2])
{
    const uint32_t no_chains = header->chain_count == 0;
    for (int pair = 0; pair < 2; ++pair) {
        limits[pair] = no_limits();
        set_limits(&limits[pair], A_INDEX, 0, header->index_count - 1);
        set_limits(&limits[pair], A_GENERATION, 1, UINT32_MAX);
    }
    set_limits(&limits[0], B_INDEX, 0, 0);
    set_limits(&limits[0], B_GENERATION, no_chains, no_chains);
    set_limits(&limits[0], CHAIN_INDEX, 0, header->chain_count - 1);
    set_limits(&limits[0], CHAIN_GENERATION, 1, UINT32_MAX);
    set_limits(&limits[0], SEGMENT_INDEX, 0, GRZ_NONE - 1);
    set_limits(&limits[1], B_INDEX, 0, header->index_count - 1);
    set_limits(&limits[1], CHAIN_INDEX, 0, 0);
    set_limits(&limits[1], CHAIN_GENERATION, 0, 0);
    set_limits(&limits[1], SEGMENT_INDEX, 0, 0);
}

/// The words of a chain's record that say which segments it has.
enum { GENERATION = 6, POINT_COUNT, FORM };

_Static_assert(offsetof(grz_chain_record, generation) == 4 * GENERATION &&
                   offsetof(grz_chain_record, point_count) == 4 * POINT_COUNT &&
                   offsetof(grz_chain_record, form) == 4 * FORM,
               "a chain's words");

// HOT. bench: engine/snapshot_load
//
// Data    16 bytes of a key read, and 12 of its chain.
// Branch  None: a pair has chain 0 of generation 0, which no chain has. A chain that is gone is not
//         checked; its record has no points, or is another's.
static uint32_t find_wrong_segments(const unsigned char *chains, const unsigned char *keys,
                                    size_t count)
{
    uint32_t wrong = 0;
    for (size_t i = 0; i < count; ++i, keys += sizeof(graze_contact_end)) {
        const unsigned char *chain =
            chains + (size_t)grz_word_at(keys, CHAIN_INDEX) * sizeof(grz_chain_record);
        const uint32_t points = grz_word_at(chain, POINT_COUNT);
        const uint32_t is_open = (grz_word_at(chain, FORM) & GRZ_CHAIN_LOOP) == 0;
        const uint32_t is_there =
            (grz_word_at(chain, GENERATION) == grz_word_at(keys, CHAIN_GENERATION)) & (points > 0);
        wrong |= is_there & (grz_word_at(keys, SEGMENT_INDEX) >= points - is_open);
    }
    return wrong;
}

// For keys within their limits.
static bool segments_are_right(const grz_snapshot *snapshot, const unsigned char *keys,
                               size_t count)
{
    const unsigned char *chains = grz_snapshot_section(snapshot, GRZ_SECTION_CHAINS);
    return snapshot->header.chain_count == 0 || find_wrong_segments(chains, keys, count) == 0;
}

static bool keys_are_right(const grz_snapshot *snapshot, const grz_snapshot_loops *loops,
                           grz_section section, size_t count)
{
    const grz_snapshot_header *header = &snapshot->header;
    const unsigned char *keys = grz_snapshot_section(snapshot, section);
    grz_word_limits limits[2];
    limit_keys(header, limits);
    return count == 0 || (header->index_count > 0 && loops->check_keys(keys, count, limits) == 0 &&
                          segments_are_right(snapshot, keys, count));
}

// A float or vector, from this byte of a contact's record on: -most to most, and no NaN.
static void limit_magnitudes(grz_word_limits *limits, size_t begin, size_t size, uint32_t most)
{
    for (size_t word = begin / 4; word < (begin + size) / 4; ++word) {
        limits->bits[word] = GRZ_PATTERN_MAGNITUDE;
        set_limits(limits, (int)word, 0, most);
    }
}

// Points and depths may be past the range of float: only those that are no numbers are wrong.
static void limit_touches(grz_word_limits *limits)
{
    limit_magnitudes(limits, offsetof(grz_contact_record, point), sizeof(graze_vec2),
                     GRZ_PATTERN_INFINITE);
    limit_magnitudes(limits, offsetof(grz_contact_record, normal), sizeof(graze_vec2),
                     GRZ_PATTERN_ONE);
    limit_magnitudes(limits, offsetof(grz_contact_record, depth), sizeof(float),
                     GRZ_PATTERN_INFINITE);
}

static uint32_t meet_the_same(const unsigned char *keys, uint32_t first, uint32_t second)
{
    const unsigned char *one = keys + (size_t)first * sizeof(graze_contact_end);
    const unsigned char *other = keys + (size_t)second * sizeof(graze_contact_end);
    uint32_t apart = 0;
    for (size_t word = A_INDEX; word <= B_GENERATION; ++word) {
        apart |= grz_word_at(one, word) ^ grz_word_at(other, word);
    }
    return apart == 0;
}

// By (a, b), as keys are; those of one a and b by time, then as keys. For contacts within limits.
//
// HOT. bench: engine/snapshot_load
//
// Data    8 bytes of a contact and 16 of its key read.
// Branch  None.
static uint32_t find_disorder(const unsigned char *contacts, uint32_t count,
                              const unsigned char *keys)
{
    uint32_t wrong = 0, last_key = 0, last_time = 0;
    for (uint32_t i = 0; i < count; ++i, contacts += sizeof(grz_contact_record)) {
        const uint32_t key = grz_word_at(contacts, offsetof(grz_contact_record, key) / 4);
        const uint32_t time = grz_word_at(contacts, offsetof(grz_contact_record, time) / 4);
        const uint32_t is_before = key < last_key;
        const uint32_t is_earlier = (time < last_time) | ((time == last_time) & is_before);
        wrong |= meet_the_same(keys, last_key, key) ? is_earlier : is_before;
        last_key = key;
        last_time = time;
    }
    return wrong;
}

static bool contacts_are_right(const grz_snapshot *snapshot, const grz_snapshot_loops *loops)
{
    const grz_snapshot_header *header = &snapshot->header;
    const uint32_t flags =
        GRAZE_CONTACT_SENSOR | GRAZE_CONTACT_BLOCKED | GRAZE_CONTACT_SPENT | GRAZE_CONTACT_DROPPED;
    const unsigned char *contacts = grz_snapshot_section(snapshot, GRZ_SECTION_CONTACTS);
    grz_word_limits limits = no_limits();
    set_limits(&limits, 0, 0, header->key_count - 1);
    set_limits(&limits, 1, 0, flags << 1 | 1);
    set_limits(&limits, 2, 0, GRZ_PATTERN_ONE);
    limit_touches(&limits);
    return header->contact_count == 0 ||
           (header->key_count > 0 &&
            loops->check_contacts(contacts, header->contact_count, &limits) == 0 &&
            find_disorder(contacts, header->contact_count,
                          grz_snapshot_section(snapshot, GRZ_SECTION_KEYS)) == 0);
}

// HOT. bench: engine/snapshot_load
//
// Data    8 bytes of a contact read, twice.
// Branch  None.
static bool blows_are_right(const grz_snapshot *snapshot, const grz_snapshot_loops *loops)
{
    const size_t words = (size_t)snapshot->header.contact_count * 2;
    const unsigned char *blows = grz_snapshot_section(snapshot, GRZ_SECTION_BLOWS);
    uint32_t signs = 0;
    for (size_t word = 0; word < words; ++word) {
        signs |= grz_word_at(blows, word) >> 31;
    }
    return signs == 0 && (words == 0 || loops->check_numbers(blows, words) == 0);
}

bool grz_snapshot_reports_are_right(const grz_snapshot *snapshot, const grz_snapshot_loops *loops)
{
    const grz_snapshot_header *header = &snapshot->header;
    return keys_are_right(snapshot, loops, GRZ_SECTION_KEYS, header->key_count) &&
           keys_are_right(snapshot, loops, GRZ_SECTION_ENDS, header->end_count) &&
           contacts_are_right(snapshot, loops) && blows_are_right(snapshot, loops) &&
           header->begin_count <= header->key_count;
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

// Copied as a whole: store forwarding would fail from a record on the stack written in other parts.
static void fill_touch(graze_contact *contact, const unsigned char *record)
{
    memcpy((unsigned char *)contact + offsetof(graze_contact, time),
           record + offsetof(grz_contact_record, time), GRZ_TOUCH_SIZE);
}

static void fill_contact(graze_contact *contact, const unsigned char *record,
                         const unsigned char *blow, const graze_contact_end *keys)
{
    const uint32_t form = grz_word_at(record, 1);
    const graze_contact_end *key = &keys[grz_word_at(record, 0)];
    contact->a = key->a;
    contact->b = key->b;
    contact->segment = key->segment;
    fill_touch(contact, record);
    memcpy(&contact->approach, blow, sizeof contact->approach);
    memcpy(&contact->impulse, blow + offsetof(grz_blow, impulse), sizeof contact->impulse);
    contact->phase = form & 1 ? GRAZE_CONTACT_STAY : GRAZE_CONTACT_BEGIN;
    contact->flags = form >> 1;
}

static void copy_contacts(graze_world *world, const grz_snapshot *snapshot)
{
    const uint32_t count = snapshot->header.contact_count;
    const unsigned char *next = grz_snapshot_section(snapshot, GRZ_SECTION_CONTACTS);
    const unsigned char *blows = grz_snapshot_section(snapshot, GRZ_SECTION_BLOWS);
    const graze_contact_end *keys = world->keys.data;
    graze_contact *contacts = world->contacts.data;
    world->contacts.count = count;
    for (uint32_t i = 0; i < count; ++i, next += sizeof(grz_contact_record)) {
        fill_contact(&contacts[i], next, blows + i * sizeof(grz_blow), keys);
    }
}

void grz_snapshot_fill_reports(graze_world *world, const grz_snapshot *snapshot)
{
    grz_report_lists_void(world);
    world->renewed_from = 0;
    world->keys_apart = true;
    copy_keys(&world->keys, snapshot, GRZ_SECTION_KEYS, snapshot->header.key_count);
    copy_keys(&world->ends, snapshot, GRZ_SECTION_ENDS, snapshot->header.end_count);
    copy_contacts(world, snapshot);
}
