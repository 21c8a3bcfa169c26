#include "min_max.h"
#include "step/contact_order.h"
#include "step/step.h"

#include "world_kit.h"

#include "random.h"

#include <stdlib.h>
#include <string.h>

// The order of contacts, and which of them begin, stay and end, against a list that is sorted and
// searched as a whole. Contacts are put where Pairs and Respond put theirs.

enum {
    INDICES = 300,
    MOST = 12000, ///< Contacts of a step.
    MAX_OTHERS = 300,
    MAX_RAYS = 200, ///< Bullets that are spent in a step.
    STEPS = 6,
    PARTS = 3
};

/// A step's contacts as they should come out.
typedef struct lists {
    graze_contact contacts[MOST];
    graze_contact_end keys[MOST], ends[MOST];
    uint32_t count, key_count, end_count, begin_count;
} lists;

/// Where contacts are.
typedef struct layout {
    graze_parallel_fn *parallel;
    uint32_t parts;
    uint32_t spread; ///< From one index to the next.
} layout;

/// What is reported, step by step.
typedef struct reports {
    graze_world *world;
    random_state random; ///< Much the same in several steps,
    random_state whims;  ///< but for these.
    const layout *place;
    uint32_t generations[INDICES + MAX_RAYS]; ///< Those of rays come last.
    bool met[INDICES][INDICES];               ///< By a pair of this step.
    lists *wanted;
} reports;

static graze_contact_end make_key(const reports *all, uint32_t a, uint32_t b)
{
    const uint32_t spread = all->place->spread;
    const graze_contact_end key = {
        {a * spread, all->generations[a]}, {b * spread, all->generations[b]}, {{0, 0}, 0}};
    return key;
}

static graze_contact make_contact(graze_contact_end key, float time, uint32_t flags)
{
    const float a = (float)key.a.index;
    const float b = (float)(key.b.index + key.segment.index);
    graze_contact contact;
    memset(&contact, 0, sizeof contact);
    contact.a = key.a;
    contact.b = key.b;
    contact.segment = key.segment;
    contact.time = time;
    contact.point.x = a;
    contact.point.y = b + time;
    contact.normal.x = a - b;
    contact.normal.y = time;
    contact.depth = time > 0 ? 0 : a + b;
    contact.approach = a + 2 * b;
    contact.flags = flags;
    return contact;
}

static float draw_time(random_state *random)
{
    return (float)random_below(random, 4) / 4;
}

// --- Where a step leaves them ---

static grz_contact found(const graze_contact *contact)
{
    const grz_contact own = {.a = contact->a,
                             .b = contact->b,
                             .segment = contact->segment,
                             .time = contact->time,
                             .point = contact->point,
                             .normal = contact->normal,
                             .depth = contact->depth,
                             .approach = contact->approach,
                             .impulse = contact->impulse,
                             .flags = contact->flags};
    return own;
}

static void put_pair(reports *all, grz_range *part, uint32_t a, uint32_t b)
{
    graze_world *world = all->world;
    const bool sensor = random_below(&all->random, 5) == 0;
    const graze_contact contact = make_contact(make_key(all, a, b), draw_time(&all->random),
                                               sensor ? GRAZE_CONTACT_SENSOR : 0);
    world->found.contacts.data[part->closed + part->count++] = found(&contact);
    all->wanted->contacts[all->wanted->count++] = contact;
}

static grz_range *range_of_part(graze_world *world, uint32_t part)
{
    return &world->found.part_ranges.data[part * GRZ_PART_LISTS + GRZ_OF_CONTACTS];
}

static void put_pairs(reports *all, uint32_t count, uint32_t crowd)
{
    graze_world *world = all->world;
    const uint32_t parts = all->place->parts;
    memset(all->met, 0, sizeof all->met);
    world->found.parts.count = parts;
    for (uint32_t k = 0; k < parts; ++k) {
        grz_range *part = range_of_part(world, k);
        part->closed = k * (MOST / parts);
        part->count = 0;
        for (uint32_t i = 0; i < count / parts; ++i) {
            const uint32_t a = random_below(&all->random, crowd);
            const uint32_t b = a + 1 + random_below(&all->random, INDICES - a - 1);
            if (!all->met[a][b] && random_below(&all->whims, 10)) {
                all->met[a][b] = true;
                put_pair(all, part, a, b);
            }
        }
    }
    const grz_range *last = range_of_part(world, parts - 1);
    world->found.contacts.count = world->found.others_first = last->closed + last->count;
}

static void put_other(reports *all, const graze_contact *contact)
{
    graze_world *world = all->world;
    world->found.contacts.data[world->found.contacts.count++] = found(contact);
    all->wanted->contacts[all->wanted->count++] = *contact;
}

// In every step there are new rays, and each is spent by a body. If all contacts are said to be
// spent ones, only those of pairs are looked up among those of the last step.
static void put_rays(reports *all, uint32_t count, bool spend_all)
{
    graze_world *world = all->world;
    for (uint32_t k = 0; k < count; ++k) {
        const uint32_t ray = INDICES + k;
        ++all->generations[ray];
        const bool blocked = random_below(&all->whims, 2) == 0;
        const float time = draw_time(&all->whims);
        graze_contact contact = make_contact(
            make_key(all, random_below(&all->whims, INDICES), ray), time,
            (uint32_t)GRAZE_CONTACT_SPENT | (blocked ? (uint32_t)GRAZE_CONTACT_BLOCKED : 0u));
        contact.impulse = blocked ? contact.approach : 0; // Mass 1.
        put_other(all, &contact);
    }
    world->bullets.spent.count = spend_all ? count : 0;
    world->reports.renewed_from =
        min_u32(world->reports.renewed_from, count ? INDICES * all->place->spread : GRZ_NONE);
}

static graze_contact_end draw_other_key(reports *all)
{
    const uint32_t a = random_below(&all->random, 20);
    const uint32_t b = a + 1 + random_below(&all->random, 3);
    graze_contact_end key = make_key(all, a, b);
    if (all->met[a][b] || random_below(&all->random, 2)) {
        const graze_body_id none = {0, 0};
        key.b = none;
        key.segment.chain.index = random_below(&all->random, 2);
        key.segment.chain.generation = 1;
        key.segment.index = random_below(&all->random, 4);
    }
    return key;
}

static void put_others(reports *all, uint32_t count)
{
    for (uint32_t k = 0; k < count; ++k) {
        const graze_contact_end key = draw_other_key(all);
        const float time = draw_time(&all->random);
        const uint32_t blocked = random_below(&all->random, 2) ? GRAZE_CONTACT_BLOCKED : 0;
        const uint32_t spent = random_below(&all->random, 9) ? 0 : GRAZE_CONTACT_SPENT;
        graze_contact contact = make_contact(key, time, blocked | spent);
        contact.impulse = (float)random_below(&all->random, 8);
        put_other(all, &contact);
    }
}

// Some indices get new bodies, from one on.
static void renew(reports *all)
{
    const uint32_t from = random_below(&all->whims, INDICES);
    for (uint32_t k = 0; k < 10; ++k) {
        ++all->generations[from + random_below(&all->whims, INDICES - from)];
    }
    all->world->reports.renewed_from = from * all->place->spread;
}

// --- One list ---

static int compare_times(const graze_contact *first, const graze_contact *second)
{
    return (first->time > second->time) - (first->time < second->time);
}

static int by_key(const void *first, const void *second)
{
    const graze_contact_end one = grz_key_of(first);
    const graze_contact_end other = grz_key_of(second);
    const int order = grz_compare_keys(&one, &other);
    return order ? order : compare_times(first, second);
}

static int by_time(const void *first, const void *second)
{
    const graze_contact *one = first;
    const graze_contact *other = second;
    int order = grz_compare_ids(one->a, other->a);
    order = order ? order : grz_compare_ids(one->b, other->b);
    order = order ? order : compare_times(one, other);
    return order ? order : grz_compare_segments(one->segment, other->segment);
}

static int compare_keys(const void *first, const void *second)
{
    return grz_compare_keys(first, second);
}

static bool has_key(const graze_contact_end *keys, uint32_t count, const graze_contact_end *key)
{
    return bsearch(key, keys, count, sizeof *keys, compare_keys) != NULL;
}

static bool is_same_key(const graze_contact *first, const graze_contact *second)
{
    const graze_contact_end one = grz_key_of(first);
    const graze_contact_end other = grz_key_of(second);
    return grz_compare_keys(&one, &other) == 0;
}

static void drop_repeats(lists *wanted)
{
    uint32_t kept = 0;
    for (uint32_t k = 0; k < wanted->count; ++k) {
        const graze_contact own = wanted->contacts[k];
        graze_contact *before = kept ? &wanted->contacts[kept - 1] : NULL;
        if (before && is_same_key(before, &own) &&
            (!(own.flags & GRAZE_CONTACT_BLOCKED) || own.time == before->time)) {
            before->flags |= own.flags;
            before->impulse += own.impulse;
        } else {
            wanted->contacts[kept++] = own;
        }
    }
    wanted->count = kept;
}

static void match(lists *wanted, const lists *before)
{
    wanted->key_count = 0;
    wanted->end_count = 0;
    wanted->begin_count = 0;
    for (uint32_t k = 0; k < wanted->count; ++k) {
        graze_contact *own = &wanted->contacts[k];
        const graze_contact_end key = grz_key_of(own);
        if (k && is_same_key(&wanted->contacts[k - 1], own)) {
            own->phase = GRAZE_CONTACT_STAY;
            continue;
        }
        const bool stays = has_key(before->keys, before->key_count, &key);
        own->phase = stays ? GRAZE_CONTACT_STAY : GRAZE_CONTACT_BEGIN;
        wanted->begin_count += !stays;
        wanted->keys[wanted->key_count++] = key;
    }
    for (uint32_t k = 0; k < before->key_count; ++k) {
        if (!has_key(wanted->keys, wanted->key_count, &before->keys[k])) {
            wanted->ends[wanted->end_count++] = before->keys[k];
        }
    }
}

static void find_wanted(lists *wanted, const lists *before)
{
    qsort(wanted->contacts, wanted->count, sizeof *wanted->contacts, by_key);
    drop_repeats(wanted);
    match(wanted, before);
    qsort(wanted->contacts, wanted->count, sizeof *wanted->contacts, by_time);
}

// --- Both ---

static void assert_same_list(const void *found, uint32_t found_count, const void *wanted,
                             uint32_t count, size_t size)
{
    assert_int_equal(found_count, count);
    if (count) {
        assert_memory_equal(found, wanted, count * size);
    }
}

static void assert_reported(const graze_world *world, const lists *wanted)
{
    const graze_contact_list contacts = graze_world_contacts(world);
    const graze_contact_end_list ends = graze_world_contact_ends(world);
    assert_same_list(contacts.data, contacts.count, wanted->contacts, wanted->count,
                     sizeof *wanted->contacts);
    graze_contact_end keys[MOST];
    assert_true(world->reports.keys.count <= MOST);
    grz_keys_copy(world, keys);
    assert_same_list(keys, world->reports.keys.count, wanted->keys, wanted->key_count,
                     sizeof *wanted->keys);
    assert_same_list(ends.data, ends.count, wanted->ends, wanted->end_count, sizeof *wanted->ends);
    assert_int_equal(world->reports.stats.begin_count, wanted->begin_count);
}

static void report_and_check(reports *all, const lists *before)
{
    find_wanted(all->wanted, before);
    assert_int_equal(grz_step_collate(all->world), GRAZE_OK);
    grz_step_report(all->world);
    assert_reported(all->world, all->wanted);
}

static void begin(reports *all, uint64_t seed, const layout *place)
{
    graze_world_def def = graze_world_def_default();
    def.parallel = place->parallel;
    memset(all, 0, sizeof *all);
    all->place = place;
    all->whims = random_seed(seed);
    all->world = graze_world_create(&def);
    assert_non_null(all->world);
    for (uint32_t k = 0; k < INDICES + MAX_RAYS; ++k) {
        all->generations[k] = 1;
    }
    const graze_allocator *allocator = &all->world->config.counting;
    assert_true(
        grz_array_reserve(&all->world->found.contacts, allocator, MOST + MAX_RAYS + MAX_OTHERS));
    assert_true(
        grz_array_reserve(&all->world->found.part_ranges, allocator, PARTS * GRZ_PART_LISTS));
    // As many bits as indices have.
    const uint32_t count = (INDICES + MAX_RAYS) * place->spread;
    assert_true(grz_array_reserve(&all->world->bodies.cold, allocator, count));
    all->world->bodies.cold.count = count;
    for (uint32_t k = 0; k < INDICES + MAX_RAYS; ++k) {
        grz_body *body = &all->world->bodies.cold.data[k * place->spread];
        body->kind = k < INDICES ? GRAZE_SHAPE_CIRCLE : GRAZE_SHAPE_RAY;
    }
}

static void end(reports *all)
{
    all->world->bodies.cold.count = 0;
    all->world->bullets.spent.count = 0;
    graze_world_destroy(all->world);
}

// Each step has some contacts that the next does not have; every other step has new bodies.
static void check_steps(uint64_t seed, uint32_t pairs, uint32_t crowd, uint32_t others,
                        uint32_t rays, const layout *place)
{
    static reports all;
    static lists both[2]; // What a step wants, and the step before.
    begin(&all, seed, place);
    both[1].key_count = 0;
    for (uint32_t step = 0; step < STEPS; ++step) {
        all.wanted = &both[step % 2];
        all.wanted->count = 0;
        if (step % 2) {
            renew(&all);
        }
        all.random = random_seed(seed);
        put_pairs(&all, step == 4 ? 0 : pairs - random_below(&all.random, pairs / 4 + 1), crowd);
        put_rays(&all, step == 3 ? 0 : rays, others == 0);
        put_others(&all, step == 4 ? 0 : others);
        report_and_check(&all, &both[(step + 1) % 2]);
    }
    end(&all);
}

static void check_all(const layout *place)
{
    for (uint64_t seed = 1; seed < 60; ++seed) {
        const uint32_t pairs = (uint32_t)(seed * 7);
        check_steps(seed, pairs, INDICES - 1, 0, 0, place);
        check_steps(seed, pairs, 5, 0, 0, place);
        check_steps(seed, pairs, INDICES - 1, (uint32_t)seed * 3, 0, place);
        check_steps(seed, pairs, INDICES - 1, 0, (uint32_t)seed * 3, place);
        check_steps(seed, pairs, INDICES - 1, (uint32_t)seed, (uint32_t)seed, place);
    }
    check_steps(7, 9000, INDICES - 1, 0, 0, place);
    check_steps(8, 9000, INDICES - 1, 100, 0, place);
    check_steps(9, 9000, 40, 0, 0, place);
    check_steps(10, 9000, 40, 0, MAX_RAYS, place);
}

static void reports_are_those_of_one_sorted_list(void **state)
{
    (void)state;
    const layout place = {NULL, PARTS, 1};
    check_all(&place);
}

static void so_they_are_where_all_lie_together(void **state)
{
    (void)state;
    const layout place = {NULL, 1, 1};
    check_all(&place);
}

static void so_they_are_in_big_worlds(void **state)
{
    (void)state;
    const layout place = {NULL, PARTS, 5000}, together = {NULL, 1, 50};
    check_all(&place);
    check_all(&together);
}

static void so_they_are_when_blocks_come_in_another_order(void **state)
{
    (void)state;
    const layout place = {kit_run_backwards, PARTS, 1}, big = {kit_run_backwards, PARTS, 5000};
    check_all(&place);
    check_all(&big);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reports_are_those_of_one_sorted_list),
        cmocka_unit_test(so_they_are_where_all_lie_together),
        cmocka_unit_test(so_they_are_in_big_worlds),
        cmocka_unit_test(so_they_are_when_blocks_come_in_another_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
