#include "busy_world.h"

#include "history/snapshot.h"
#include "world/contact_keys.h"

#include <stdlib.h>
#include <string.h>

// The reports of snapshots are checked as a slower oracle does, and so are fields by their tables.

enum { MAX_KEYS = 40, MAX_INDEX = 50, MAX_CHAIN = 5, CONTACT_WORDS = 8 };

static graze_contact_end random_key(random_state *random)
{
    graze_contact_end key = {
        {random_below(random, MAX_INDEX), 1 + random_below(random, 3)}, {0, 0}, {{0, 0}, 0}};
    if (random_below(random, 2)) {
        const graze_body_id b = {key.a.index + 1 + random_below(random, 9), UINT32_MAX};
        key.b = b;
    } else {
        const graze_segment_id segment = {{random_below(random, MAX_CHAIN), 7},
                                          random_below(random, GRZ_NONE)};
        key.segment = segment;
    }
    return key;
}

static int compare(const void *first, const void *second)
{
    return grz_compare_keys(first, second);
}

// Makes sorted keys, sometimes with one word changed.
static void draw_keys(graze_contact_end *keys, uint32_t count, random_state *random)
{
    for (uint32_t i = 0; i < count; ++i) {
        keys[i] = random_key(random);
    }
    qsort(keys, count, sizeof *keys, compare);
    if (count && random_below(random, 2)) {
        static const uint32_t hard[] = {0, 1, MAX_INDEX - 1, MAX_INDEX, GRZ_NONE, UINT32_MAX};
        unsigned char *place = (unsigned char *)keys + random_below(random, 7 * count) * 4;
        memcpy(place, &hard[random_below(random, 6)], sizeof *hard);
    }
}

static bool is_right(const graze_contact_end *key)
{
    const bool pair = key->b.generation != 0;
    const graze_segment_id segment = key->segment;
    if (key->a.generation == 0 || key->a.index >= MAX_INDEX) {
        return false;
    }
    if (pair) {
        return key->a.index < key->b.index && key->b.index < MAX_INDEX &&
               segment.chain.index == 0 && segment.chain.generation == 0 && segment.index == 0;
    }
    return key->b.index == 0 && segment.chain.index < MAX_CHAIN && segment.chain.generation != 0 &&
           segment.index < GRZ_NONE;
}

static bool are_right(const graze_contact_end *keys, uint32_t count)
{
    bool right = true;
    for (uint32_t i = 0; i < count; ++i) {
        right = right && is_right(&keys[i]);
        right = right && (i == 0 || grz_compare_keys(&keys[i - 1], &keys[i]) < 0);
    }
    return right;
}

/// A snapshot that has nothing but chains, of which nothing is known, and keys.
typedef struct key_snapshot {
    grz_snapshot snapshot;
    unsigned char *bytes;
} key_snapshot;

static key_snapshot make_snapshot(const graze_contact_end *keys, uint32_t count)
{
    key_snapshot made;
    memset(&made, 0, sizeof made);
    grz_snapshot *snapshot = &made.snapshot;
    snapshot->header.index_count = MAX_INDEX;
    snapshot->header.chain_count = MAX_CHAIN;
    snapshot->header.key_count = count;
    snapshot->layout = grz_snapshot_lay_out(&snapshot->header);
    made.bytes = calloc(1, (size_t)snapshot->layout.begin[GRZ_SECTION_COUNT]);
    assert_non_null(made.bytes);
    memcpy(made.bytes + snapshot->layout.begin[GRZ_SECTION_KEYS], keys, count * sizeof *keys);
    snapshot->bytes = made.bytes;
    return made;
}

static void keys_are_checked_as_word_by_word(void **state)
{
    (void)state;
    random_state random = random_seed(11);
    graze_world *world = kit_world();
    uint32_t right = 0, wrong = 0;
    for (uint32_t round = 0; round < 20000; ++round) {
        graze_contact_end keys[MAX_KEYS];
        const uint32_t count = random_below(&random, round % 8 ? 5 : MAX_KEYS);
        draw_keys(keys, count, &random);
        const bool wanted = are_right(keys, count);
        right += wanted;
        wrong += !wanted;
        const key_snapshot made = make_snapshot(keys, count);
        const graze_status status = grz_snapshot_read_contacts(world, &made.snapshot);
        assert_int_equal(status, wanted ? GRAZE_OK : GRAZE_ERROR_FORMAT);
        free(made.bytes);
    }
    graze_world_destroy(world);
    assert_true(right > 3000 && wrong > 3000);
}

#define SMALL_TIMES GRZ_RULE_RANGE, 3, GRZ_PATTERN_ONE
#define ALL_DEPTHS  GRZ_RULE_DEPTH, 0, GRZ_PATTERN_MAGNITUDE

static const grz_form form =
    GRZ_FORM(grz_contact_record, GRZ_WORDS(grz_contact_record, key, key, GRZ_UP_TO(1000), "key"),
             GRZ_ANY_WORDS(grz_contact_record, form, form),
             GRZ_WORDS(grz_contact_record, time, time, SMALL_TIMES, "time"),
             GRZ_WORDS(grz_contact_record, normal.x, normal.x, GRZ_UNITS, "normal"),
             GRZ_WORDS(grz_contact_record, depth, depth, ALL_DEPTHS, "depth"));

static void fields_are_checked_as_word_by_word(void **state)
{
    (void)state;
    random_state random = random_seed(12);
    for (uint32_t round = 0; round < 5000; ++round) {
        uint32_t words[9 * CONTACT_WORDS];
        const uint32_t count = random_below(&random, 10);
        bool wanted = true;
        for (uint32_t i = 0; i < count; ++i) {
            uint32_t *contact = words + (size_t)i * CONTACT_WORDS;
            random_fill(&random, (unsigned char *)contact, CONTACT_WORDS * sizeof *contact);
            contact[0] = random_below(&random, random_below(&random, 20) ? 1001 : 1002);
            contact[2] = random_below(&random, 20) ? GRZ_PATTERN_ONE : random_below(&random, 6);
            contact[5] = random_below(&random, 20) ? UINT32_C(0xbf800000) : contact[5];
            contact[7] = random_below(&random, 20) ? contact[7] / 2 : UINT32_C(0x80000000);
            contact[7] |= (uint32_t)(random_below(&random, 20) == 0);
            wanted = wanted && contact[0] <= 1000 && contact[2] >= 3 && contact[7] <= 1u << 31 &&
                     (contact[5] & GRZ_PATTERN_MAGNITUDE) <= GRZ_PATTERN_ONE;
        }
        assert_int_equal(!grz_form_find_wrong(&form, words, count), wanted);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_are_checked_as_word_by_word),
        cmocka_unit_test(fields_are_checked_as_word_by_word),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
