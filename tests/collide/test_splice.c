#include "world/splice.h"

#include "world_kit.h"

#include "random.h"

#include <string.h>

// A plan that is carried out, against a list that is merged element by element.

enum { SEEDS = 4000, MOST = 40 };

typedef struct lists {
    graze_contact_end old[MOST], coming[MOST], spliced[2 * MOST], merged[2 * MOST];
    uint32_t old_count, coming_count, merged_count;
    bool passes[MOST];
} lists;

// Ranks of elements that stay are even, and apart; those of elements that go or come are odd.
static graze_contact_end make_key(uint32_t rank, uint32_t tag)
{
    const graze_contact_end key = {{rank / 8, 1}, {100 + rank % 8, 1}, {{0, 0}, tag}};
    return key;
}

static uint32_t rank_of(const graze_contact_end *key)
{
    return key->a.index * 8 + key->b.index - 100;
}

static void fill_old(lists *all, random_state *random)
{
    uint32_t rank = random_below(random, 4);
    all->old_count = random_below(random, MOST);
    for (uint32_t k = 0; k < all->old_count; ++k) {
        all->passes[k] = rank % 2;
        all->old[k] = make_key(rank, k);
        rank += rank % 2 ? random_below(random, 4) : 1 + random_below(random, 4);
    }
}

static void fill_coming(lists *all, random_state *random)
{
    uint32_t rank = 1 + 2 * random_below(random, 4);
    all->coming_count = random_below(random, MOST);
    for (uint32_t k = 0; k < all->coming_count; ++k) {
        all->coming[k] = make_key(rank, 1000 + k);
        rank += 2 * random_below(random, 3);
    }
}

static void merge(lists *all)
{
    uint32_t next = 0;
    all->merged_count = 0;
    for (uint32_t k = 0; k < all->old_count; ++k) {
        while (!all->passes[k] && next < all->coming_count &&
               rank_of(&all->coming[next]) < rank_of(&all->old[k])) {
            all->merged[all->merged_count++] = all->coming[next++];
        }
        if (!all->passes[k]) {
            all->merged[all->merged_count++] = all->old[k];
        }
    }
    while (next < all->coming_count) {
        all->merged[all->merged_count++] = all->coming[next++];
    }
}

static void splice(lists *all, grz_splice *of, const graze_allocator *allocator)
{
    assert_true(grz_array_reserve(&of->places, allocator, MOST));
    of->places.count = 0;
    for (uint32_t k = 0; k < all->old_count; ++k) {
        of->places.data[of->places.count] = k;
        of->places.count += all->passes[k];
    }
    assert_true(grz_splice_reserve(of, allocator, all->coming_count));
    memcpy(all->spliced, all->old, sizeof all->old);
    grz_splicing plan = grz_splice_begin(of, all->spliced, sizeof *all->spliced, all->old_count);
    for (uint32_t k = 0; k < all->coming_count; ++k) {
        const graze_contact_end *key = &all->coming[k];
        grz_splice_plan(&plan, (uint64_t)key->a.index << 32 | key->b.index);
    }
    assert_int_equal(grz_splice_end(&plan), all->merged_count);
    assert_int_equal(of->coming.count, all->coming_count);
    grz_splice_move(of, all->spliced, sizeof *all->spliced);
    for (uint32_t k = 0; k < all->coming_count; ++k) {
        all->spliced[of->coming.data[k]] = all->coming[k];
    }
}

static void a_spliced_list_is_the_merged_one(void **state)
{
    (void)state;
    static lists all;
    const graze_allocator none = {0};
    const graze_allocator allocator = grz_allocator_or_default(none);
    grz_splice of;
    memset(&of, 0, sizeof of);
    for (uint64_t seed = 0; seed < SEEDS; ++seed) {
        random_state random = random_seed(seed);
        fill_old(&all, &random);
        fill_coming(&all, &random);
        merge(&all);
        splice(&all, &of, &allocator);
        assert_memory_equal(all.spliced, all.merged, all.merged_count * sizeof *all.merged);
    }
    grz_array_free(&of.places, &allocator);
    grz_array_free(&of.coming, &allocator);
    grz_array_free(&of.stretches, &allocator);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_spliced_list_is_the_merged_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
