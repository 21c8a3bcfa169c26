#include "support/busy_world.h"

#include "contact/contact_keys.h"
#include "lanes_choice.h"
#include "snapshot/snapshot.h"

#include <stdlib.h>
#include <string.h>

// The reports of snapshots: lanes check them as a loop over words does.

enum { MAX_KEYS = 40, MAX_INDEX = 50, MAX_CHAIN = 5 };

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

static void limit(grz_word_limits *limits, int word, uint32_t least, uint32_t most)
{
    limits->least[word] = least;
    limits->span[word] = most - least;
}

// Those of terrain, then those of pairs.
static void limit_keys(grz_word_limits limits[2])
{
    memset(limits, 0xff, 2 * sizeof *limits);
    for (int word = 0; word < GRZ_LANES_MAX; ++word) {
        limit(&limits[0], word, 0, word < 2 || word > 6 ? UINT32_MAX : 0);
        limit(&limits[1], word, 0, word < 4 || word > 6 ? UINT32_MAX : 0);
    }
    limit(&limits[0], 0, 0, MAX_INDEX - 1);
    limit(&limits[1], 0, 0, MAX_INDEX - 1);
    limit(&limits[0], 1, 1, UINT32_MAX);
    limit(&limits[1], 1, 1, UINT32_MAX);
    limit(&limits[1], 2, 0, MAX_INDEX - 1);
    limit(&limits[0], 4, 0, MAX_CHAIN - 1);
    limit(&limits[0], 5, 1, UINT32_MAX);
    limit(&limits[0], 6, 0, GRZ_NONE - 1);
}

static void keys_are_checked_as_word_by_word(void **state)
{
    (void)state;
    random_state random = random_seed(11);
    grz_word_limits limits[2];
    uint32_t right = 0, wrong = 0;
    limit_keys(limits);
    for (uint32_t round = 0; round < 20000; ++round) {
        graze_contact_end keys[MAX_KEYS];
        const uint32_t count = random_below(&random, round % 8 ? 5 : MAX_KEYS);
        draw_keys(keys, count, &random);
        const bool wanted = are_right(keys, count);
        right += wanted;
        wrong += !wanted;
        for (int set = 0; set < GRZ_SET_COUNT; ++set) {
            if (grz_lanes_has((grz_lane_set)set)) {
                const grz_snapshot_loops *loops = grz_snapshot_loops_for((grz_lane_set)set);
                const bool found =
                    loops->check_keys((const unsigned char *)keys, count, limits) == 0;
                assert_int_equal(found, wanted);
            }
        }
    }
    assert_true(right > 3000 && wrong > 3000);
}

static void contacts_are_checked_as_word_by_word(void **state)
{
    (void)state;
    random_state random = random_seed(12);
    grz_word_limits limits;
    memset(limits.bits, 0xff, sizeof limits.bits);
    memset(limits.least, 0, sizeof limits.least);
    memset(limits.span, 0xff, sizeof limits.span);
    limit(&limits, 0, 0, 1000);
    limit(&limits, 2, 3, GRZ_PATTERN_ONE);
    limits.bits[5] = GRZ_PATTERN_MAGNITUDE;
    limit(&limits, 5, 0, GRZ_PATTERN_ONE);
    for (uint32_t round = 0; round < 5000; ++round) {
        uint32_t words[9 * GRZ_RECORD_WORDS];
        const uint32_t count = random_below(&random, 10);
        bool wanted = true;
        for (uint32_t i = 0; i < count; ++i) {
            uint32_t *contact = words + (size_t)i * GRZ_RECORD_WORDS;
            random_fill(&random, (unsigned char *)contact, GRZ_RECORD_WORDS * sizeof *contact);
            contact[0] = random_below(&random, random_below(&random, 20) ? 1001 : 1002);
            contact[2] = random_below(&random, 20) ? GRZ_PATTERN_ONE : random_below(&random, 6);
            contact[5] = random_below(&random, 20) ? UINT32_C(0xbf800000) : contact[5];
            contact[7] = random_below(&random, 20) ? contact[7] / 2 : UINT32_C(0x80000000);
            contact[7] |= (uint32_t)(random_below(&random, 20) == 0);
            wanted = wanted && contact[0] <= 1000 && contact[2] >= 3 && contact[7] <= 1u << 31 &&
                     (contact[5] & GRZ_PATTERN_MAGNITUDE) <= GRZ_PATTERN_ONE;
        }
        for (int set = 0; set < GRZ_SET_COUNT; ++set) {
            if (grz_lanes_has((grz_lane_set)set)) {
                const grz_snapshot_loops *loops = grz_snapshot_loops_for((grz_lane_set)set);
                const bool found =
                    loops->check_contacts((const unsigned char *)words, count, &limits) == 0;
                assert_int_equal(found, wanted);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_are_checked_as_word_by_word),
        cmocka_unit_test(contacts_are_checked_as_word_by_word),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
