#include "bodies.h"
#include "checksum.h"
#include "message.h"
#include "snapshot.h"
#include "step.h"

#include <string.h>

// Numbers are checked by their patterns of bits: whole columns of them without a branch, and what
// the caller's rounding mode does to denormals does not matter.

enum {
    ONE = 0x3f800000,       ///< 1.0f.
    INFINITE = 0x7f800000,  ///< Above every finite number that is not negative.
    HALF_TURN = 0x40490fdb, ///< The float nearest to pi.
    MAGNITUDE = 0x7fffffff  ///< All but the sign.
};

static graze_status refuse(const graze_world *world, const char *what)
{
    return grz_fail(world, GRAZE_ERROR_FORMAT, "graze_world_load: %s", what);
}

static uint32_t word_at(const unsigned char *section, size_t place)
{
    uint32_t word;
    memcpy(&word, section + place * sizeof word, sizeof word);
    return word;
}

// Whether the pattern is no number that a state has: infinite, NaN, or -0. Without the sign bit,
// and one less for negative numbers, these are the largest.
static uint32_t is_wrong(uint32_t pattern)
{
    return (pattern << 1) - (pattern >> 31) >= 0xfeffffff;
}

static bool numbers_are_right(const unsigned char *numbers, size_t count)
{
    uint32_t wrong = 0;
    for (size_t i = 0; i < count; ++i) {
        wrong |= is_wrong(word_at(numbers, i));
    }
    return !wrong;
}

// --- Header ---

static graze_status check_signature(const graze_world *world, const grz_snapshot_header *header)
{
    const grz_snapshot_header known = grz_snapshot_new_header();
    if (memcmp(header->magic, known.magic, sizeof known.magic) != 0) {
        return refuse(world, "this is no snapshot");
    }
    if (header->byte_order != known.byte_order) {
        return refuse(world, "the snapshot is from a machine with another byte order");
    }
    if (header->version != known.version) {
        return grz_fail(world, GRAZE_ERROR_FORMAT,
                        "graze_world_load: the snapshot has version %lu; known is %lu",
                        (unsigned long)header->version, (unsigned long)known.version);
    }
    return GRAZE_OK;
}

static graze_status check_size(const graze_world *world, const grz_snapshot *snapshot, size_t size)
{
    const uint64_t stated = snapshot->header.size;
    if (stated != snapshot->layout.begin[GRZ_SECTION_COUNT]) {
        return refuse(world, "the snapshot's size does not fit its counts");
    }
    if (stated > size) {
        return grz_fail(world, GRAZE_ERROR_FORMAT,
                        "graze_world_load: size is %lu; the snapshot has %lu bytes",
                        (unsigned long)size, (unsigned long)stated);
    }
    return GRAZE_OK;
}

static graze_status check_header(const graze_world *world, const grz_snapshot *snapshot,
                                 size_t size)
{
    const grz_snapshot_header *header = &snapshot->header;
    graze_status status = check_signature(world, header);
    status = status ? status : check_size(world, snapshot, size);
    if (!status && header->checksum != grz_checksum(snapshot->bytes + GRZ_SNAPSHOT_SUMMED,
                                                    (size_t)header->size - GRZ_SNAPSHOT_SUMMED)) {
        status = refuse(world, "the snapshot is damaged: its checksum differs");
    }
    return status;
}

// --- Bodies ---

// Whether indices rise and stay below the end.
static bool indices_rise(const unsigned char *indices, size_t count, uint32_t end)
{
    uint32_t wrong = 0;
    for (size_t i = 1; i < count; ++i) {
        wrong |= word_at(indices, i - 1) >= word_at(indices, i);
    }
    return !wrong && (count == 0 || word_at(indices, count - 1) < end);
}

// Halves without a branch: where it goes cannot be guessed. A wanted index that is there stays
// among the `left` from `low` on.
static bool holds(const unsigned char *indices, size_t count, uint32_t wanted)
{
    size_t low = 0;
    for (size_t left = count; left > 1; left -= left / 2) {
        const size_t before = word_at(indices, low + left / 2 - 1) < wanted;
        low += before * (left / 2);
    }
    return count > 0 && word_at(indices, low) == wanted;
}

// Whether no index is in both lists, of which the first rises; the second is short as a rule.
static bool lists_are_apart(const unsigned char *first, size_t first_count,
                            const unsigned char *second, size_t second_count)
{
    for (size_t i = 0; i < second_count; ++i) {
        if (holds(first, first_count, word_at(second, i))) {
            return false;
        }
    }
    return true;
}

static bool indices_are_right(const grz_snapshot *snapshot)
{
    const grz_snapshot_header *header = &snapshot->header;
    const unsigned char *bodies = grz_snapshot_section(snapshot, GRZ_SECTION_INDICES);
    const unsigned char *retired = bodies + header->body_count * sizeof(uint32_t);
    return header->index_count <= GRZ_NONE / 2 &&
           indices_rise(bodies, header->body_count, header->index_count) &&
           indices_rise(retired, header->retired_count, header->index_count) &&
           lists_are_apart(bodies, header->body_count, retired, header->retired_count);
}

static bool generations_are_right(const grz_snapshot *snapshot)
{
    const unsigned char *generations = grz_snapshot_section(snapshot, GRZ_SECTION_GENERATIONS);
    uint32_t wrong = 0;
    for (size_t i = 0; i < snapshot->header.index_count; ++i) {
        wrong |= word_at(generations, i) == 0;
    }
    return !wrong;
}

static uint32_t pattern_of(float number)
{
    uint32_t pattern;
    memcpy(&pattern, &number, sizeof pattern);
    return pattern;
}

enum {
    BODIES_AT_ONCE = 256,
    PASSES_NOT = GRZ_FORM_RESPONSE << GRZ_FORM_RESPONSE_SHIFT ///< Bits of a form.
};

/// Some bodies; what their shapes may be is a matter of their kinds.
typedef struct batch {
    size_t first, count;                                ///< Among the kept.
    uint32_t rect[BODIES_AT_ONCE], ray[BODIES_AT_ONCE]; ///< 1: it is one; 0: it is not.
} batch;

static uint32_t record_is_wrong(const grz_body_record *record)
{
    uint32_t wrong = record->form > GRZ_FORM_ALL;
    wrong |= (record->form & GRZ_FORM_KIND) > GRAZE_SHAPE_RAY;
    wrong |= pattern_of(record->mass) >= INFINITE;
    wrong |= pattern_of(record->restitution) > ONE;
    wrong |= pattern_of(record->friction) > ONE;
    wrong |= pattern_of(record->lifetime) >= INFINITE;
    return wrong;
}

// As of a def: see grz_bodies_needs_of. Hits that a body counted before it became one that goes on
// are still there.
static uint32_t needs_of(const grz_body_record *record)
{
    const uint32_t matter = (pattern_of(record->mass) ^ ONE) | pattern_of(record->restitution) |
                            pattern_of(record->friction);
    const uint32_t life = pattern_of(record->lifetime) | record->hit_limit | record->hit_count |
                          (record->form & PASSES_NOT);
    return (matter ? GRZ_NEED_MATTER : 0u) | (life ? GRZ_NEED_LIFE : 0u) |
           (grz_filter_is_default(record->filter) ? 0u : GRZ_NEED_FILTER) |
           (record->user_data ? GRZ_NEED_USER_DATA : 0u);
}

// Checks the records of a batch, and notes what kinds they are of and what they need.
static uint32_t records_are_wrong(grz_snapshot *snapshot, batch *of)
{
    const unsigned char *next =
        grz_snapshot_section(snapshot, GRZ_SECTION_BODIES) + of->first * sizeof(grz_body_record);
    uint32_t wrong = 0, needs = 0;
    for (size_t k = 0; k < of->count; ++k, next += sizeof(grz_body_record)) {
        grz_body_record record;
        memcpy(&record, next, sizeof record);
        const uint32_t in_world = of->first + k < snapshot->header.body_count;
        of->rect[k] = (record.form & GRZ_FORM_KIND) == GRAZE_SHAPE_RECT;
        of->ray[k] = (record.form & GRZ_FORM_KIND) == GRAZE_SHAPE_RAY;
        needs |= needs_of(&record);
        wrong |= record_is_wrong(&record);
        wrong |= in_world & (record.hit_limit != 0) & (record.hit_count >= record.hit_limit);
    }
    snapshot->needs |= needs;
    return wrong;
}

// A rect has two half extents above 0; anything else one radius, twice, and a ray's is 0.
static uint32_t halves_are_wrong(const grz_snapshot *snapshot, const batch *of)
{
    const unsigned char *halves = grz_snapshot_section(snapshot, GRZ_SECTION_HALVES);
    uint32_t wrong = 0;
    for (size_t k = 0; k < of->count; ++k) {
        const uint32_t x = word_at(halves, 2 * (of->first + k));
        const uint32_t y = word_at(halves, 2 * (of->first + k) + 1);
        wrong |= (x >= INFINITE) | (y >= INFINITE);
        wrong |= of->rect[k] & ((x == 0) | (y == 0));
        wrong |= (of->rect[k] ^ 1) & (x != y);
        wrong |= of->ray[k] & (x != 0);
    }
    return wrong;
}

// Only rects turn.
static uint32_t turns_are_wrong(const grz_snapshot *snapshot, const batch *of)
{
    const unsigned char *angles = grz_snapshot_section(snapshot, GRZ_SECTION_ANGLES);
    const unsigned char *spins = grz_snapshot_section(snapshot, GRZ_SECTION_SPINS);
    uint32_t wrong = 0;
    for (size_t k = 0; k < of->count; ++k) {
        const uint32_t angle = word_at(angles, of->first + k);
        const uint32_t spin = word_at(spins, of->first + k);
        wrong |= (angle & MAGNITUDE) > HALF_TURN;
        wrong |= (of->rect[k] ^ 1) & ((angle | spin) != 0);
    }
    return wrong;
}

static uint32_t count_rects(const grz_snapshot *snapshot, const batch *of)
{
    const size_t in_world = snapshot->header.body_count;
    const size_t left = of->first < in_world ? in_world - of->first : 0;
    const size_t end = left < of->count ? left : of->count;
    uint32_t count = 0;
    for (size_t k = 0; k < end; ++k) {
        count += of->rect[k];
    }
    return count;
}

// Counts the rects, too.
static bool bodies_are_right(grz_snapshot *snapshot)
{
    const size_t kept = (size_t)snapshot->header.body_count + snapshot->header.retired_count;
    uint32_t wrong = 0;
    batch some;
    snapshot->rect_count = 0;
    snapshot->needs = 0;
    for (some.first = 0; some.first < kept; some.first += BODIES_AT_ONCE) {
        const size_t left = kept - some.first;
        some.count = left < BODIES_AT_ONCE ? left : BODIES_AT_ONCE;
        wrong |= records_are_wrong(snapshot, &some);
        wrong |= halves_are_wrong(snapshot, &some);
        wrong |= turns_are_wrong(snapshot, &some);
        snapshot->rect_count += count_rects(snapshot, &some);
    }
    return !wrong;
}

static graze_status check_bodies(const graze_world *world, grz_snapshot *snapshot)
{
    const unsigned char *first = grz_snapshot_section(snapshot, GRZ_SECTION_POSITIONS);
    const unsigned char *end = grz_snapshot_section(snapshot, GRZ_SECTION_BODIES);
    if (!indices_are_right(snapshot) || !generations_are_right(snapshot)) {
        return refuse(world, "the snapshot's bodies are not in order");
    }
    if (!numbers_are_right(first, (size_t)(end - first) / sizeof(float))) {
        return refuse(world, "a position, velocity, size, angle or spin is not finite");
    }
    return bodies_are_right(snapshot)
               ? GRAZE_OK
               : refuse(world, "a body of the snapshot is out of range or of unknown kind");
}

// --- Terrain ---

static bool is_vacant_chain(const grz_chain_record *record)
{
    return record->point_count == 0 && record->form == 0 && record->user_data == 0 &&
           record->filter.category == 0 && record->filter.mask == 0 && record->filter.group == 0;
}

static bool is_chain(const grz_chain_record *record)
{
    return record->point_count >= 2 && record->form <= GRZ_CHAIN_ALL;
}

static graze_status check_terrain(const graze_world *world, const grz_snapshot *snapshot)
{
    const unsigned char *chains = grz_snapshot_section(snapshot, GRZ_SECTION_CHAINS);
    uint64_t points = 0;
    for (size_t i = 0; i < snapshot->header.chain_count; ++i) {
        grz_chain_record record;
        memcpy(&record, chains + i * sizeof record, sizeof record);
        if (record.generation == 0 || (!is_chain(&record) && !is_vacant_chain(&record))) {
            return refuse(world, "a chain of the snapshot is out of range or of unknown kind");
        }
        points += record.point_count;
    }
    if (points != snapshot->header.point_count || points > GRZ_NONE) {
        return refuse(world, "the snapshot's chains do not fit its points");
    }
    return numbers_are_right(grz_snapshot_section(snapshot, GRZ_SECTION_POINTS), 2 * (size_t)points)
               ? GRAZE_OK
               : refuse(world, "a point of the snapshot's terrain is not finite");
}

// --- What met ---

static graze_contact_end key_at(const unsigned char *keys, size_t place)
{
    graze_contact_end key;
    memcpy(&key, keys + place * sizeof key, sizeof key);
    return key;
}

static bool is_pair(const grz_snapshot_header *header, const graze_contact_end *key)
{
    const graze_segment_id segment = key->segment;
    return key->a.index < key->b.index && key->b.index < header->index_count &&
           segment.chain.index == 0 && segment.chain.generation == 0 && segment.index == 0;
}

static bool is_on_terrain(const grz_snapshot_header *header, const graze_contact_end *key)
{
    return key->b.index == 0 && key->a.index < header->index_count &&
           key->segment.chain.generation != 0 && key->segment.chain.index < header->chain_count &&
           key->segment.index < GRZ_NONE;
}

static bool keys_are_right(const grz_snapshot *snapshot, grz_section section, size_t count)
{
    const unsigned char *keys = grz_snapshot_section(snapshot, section);
    graze_contact_end last = {{0, 0}, {0, 0}, {{0, 0}, 0}};
    for (size_t i = 0; i < count; ++i) {
        const graze_contact_end key = key_at(keys, i);
        const bool known = key.b.generation ? is_pair(&snapshot->header, &key)
                                            : is_on_terrain(&snapshot->header, &key);
        if (!known || key.a.generation == 0 || grz_key_compare(&last, &key) >= 0) {
            return false;
        }
        last = key;
    }
    return true;
}

static bool contacts_are_right(const grz_snapshot *snapshot)
{
    const uint32_t flags =
        GRAZE_CONTACT_SENSOR | GRAZE_CONTACT_BLOCKED | GRAZE_CONTACT_SPENT | GRAZE_CONTACT_DROPPED;
    const unsigned char *contacts = grz_snapshot_section(snapshot, GRZ_SECTION_CONTACTS);
    for (size_t i = 0; i < snapshot->header.contact_count; ++i) {
        grz_contact_record record;
        memcpy(&record, contacts + i * sizeof record, sizeof record);
        if (record.key >= snapshot->header.key_count || record.form >> 1 > flags ||
            pattern_of(record.time) > ONE) {
            return false;
        }
    }
    return true;
}

static graze_status check_reports(const graze_world *world, const grz_snapshot *snapshot)
{
    const grz_snapshot_header *header = &snapshot->header;
    bool right = keys_are_right(snapshot, GRZ_SECTION_KEYS, header->key_count) &&
                 keys_are_right(snapshot, GRZ_SECTION_ENDS, header->end_count) &&
                 contacts_are_right(snapshot) && header->begin_count <= header->key_count;
    return right ? GRAZE_OK : refuse(world, "what met in the snapshot is not in order");
}

static graze_status check_contents(const graze_world *world, grz_snapshot *snapshot)
{
    const grz_snapshot_header *header = &snapshot->header;
    if (is_wrong(pattern_of(header->gravity.x)) || is_wrong(pattern_of(header->gravity.y))) {
        return refuse(world, "the snapshot's gravity is not finite");
    }
    graze_status status = check_bodies(world, snapshot);
    status = status ? status : check_terrain(world, snapshot);
    return status ? status : check_reports(world, snapshot);
}

graze_status grz_snapshot_open(const graze_world *world, const void *bytes, size_t size,
                               grz_snapshot *snapshot)
{
    snapshot->bytes = bytes;
    if (size < sizeof snapshot->header) {
        return grz_fail(world, GRAZE_ERROR_FORMAT,
                        "graze_world_load: size is %lu; that is less than any snapshot has",
                        (unsigned long)size);
    }
    memcpy(&snapshot->header, bytes, sizeof snapshot->header);
    snapshot->layout = grz_snapshot_lay_out(&snapshot->header);
    const graze_status status = check_header(world, snapshot, size);
    return status ? status : check_contents(world, snapshot);
}
