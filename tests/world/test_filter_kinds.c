#include "failing_allocator.h"
#include "world/filter_kinds.h"
#include "world_kit.h"

#include <stdlib.h>
#include <string.h>

// Filters as the grid knows them, against asking each pair for its filters.

// --- The kinds ---

static bool has_kind(const uint32_t *kinds, uint32_t kind)
{
    return kinds[kind / 32] >> kind % 32 & 1;
}

/// Filters and shapes that give kinds.
typedef struct sample {
    graze_filter filter;
    bool is_ray;
    uint8_t kind;
} sample;

static graze_filter draw_filter(random_state *random)
{
    graze_filter filter = graze_filter_default();
    if (random_below(random, 4)) {
        filter.category = random_bits(random) & random_bits(random) & 15;
        filter.mask = random_bits(random) & 15;
    }
    filter.group = random_below(random, 3) ? 0 : random_integer(random, -2, 2);
    return filter;
}

// A pair that kinds let meet may still have to be asked, and one that they do not let meet does
// not meet.
static void assert_kinds_agree(const grz_filter_kinds *kinds, const sample *a, const sample *b)
{
    const bool meet = grz_filters_meet(a->filter, b->filter) && !(a->is_ray && b->is_ray);
    const bool paired = has_kind(kinds->meets.rows[a->kind], b->kind);
    assert_int_equal(paired, has_kind(kinds->meets.rows[b->kind], a->kind));
    const grz_filter_answer answer = grz_filter_kinds_judge(
        kinds, grz_filter_tag(a->kind, a->filter.group), grz_filter_tag(b->kind, b->filter.group));
    if (answer == GRZ_FILTERS_ASK) {
        assert_true(paired || !meet);
    } else {
        assert_int_equal(paired && answer == GRZ_FILTERS_MEET, meet);
    }
}

static void kinds_pair_as_their_filters_meet(void **state)
{
    (void)state;
    enum { SAMPLES = 300 };
    static grz_filter_kinds kinds;
    static sample samples[SAMPLES];
    random_state random = random_seed(1);
    grz_filter_kinds_clear(&kinds);
    for (uint32_t i = 0; i < SAMPLES; ++i) {
        samples[i].filter = draw_filter(&random);
        samples[i].is_ray = random_below(&random, 2);
        samples[i].kind = grz_filter_kinds_find(&kinds, samples[i].filter, samples[i].is_ray);
    }
    for (uint32_t i = 0; i < SAMPLES; ++i) {
        const sample *a = &samples[i];
        uint32_t met[GRAZE_GRID_KIND_WORDS];
        assert_int_equal(grz_filter_kinds_find(&kinds, a->filter, a->is_ray), a->kind);
        grz_filter_kinds_list(&kinds, a->filter, met);
        for (uint32_t k = 0; k < SAMPLES; ++k) {
            assert_kinds_agree(&kinds, a, &samples[k]);
            assert_true(has_kind(met, samples[k].kind) ||
                        !grz_filters_meet(a->filter, samples[k].filter));
        }
    }
}

static void the_default_filter_has_the_first_kinds(void **state)
{
    (void)state;
    static grz_filter_kinds kinds;
    grz_filter_kinds_clear(&kinds);
    assert_int_equal(grz_filter_kinds_find(&kinds, graze_filter_default(), false), 0);
    assert_int_equal(grz_filter_kinds_find(&kinds, graze_filter_default(), true), 1);
}

static void filters_past_the_last_kind_share_one_that_is_asked(void **state)
{
    (void)state;
    static grz_filter_kinds kinds;
    grz_filter_kinds_clear(&kinds);
    for (uint32_t i = 0; i < 400; ++i) {
        const bool is_ray = i % 2;
        const graze_filter filter = {.category = 2 + i, .mask = i};
        const uint8_t kind = grz_filter_kinds_find(&kinds, filter, is_ray);
        assert_int_equal(kinds.full, i >= GRAZE_GRID_KINDS - GRZ_KIND_FIRST);
        if (kinds.full) {
            assert_int_equal(kind, GRZ_KIND_OTHER + is_ray);
            const uint32_t tag = grz_filter_tag(kind, 0), usual = grz_filter_tag(0, 0);
            assert_int_equal(grz_filter_kinds_judge(&kinds, tag, usual), GRZ_FILTERS_ASK);
            assert_true(has_kind(kinds.meets.rows[kind], 0));
            assert_int_equal(has_kind(kinds.meets.rows[kind], 1), !is_ray);
        }
    }
}

// --- Whole steps ---

enum { BODIES = 400, MOST_FILTERS = 400 };

/// Two equal worlds, of which one has the filters, and the other has the game's own filter ask for
/// them.
typedef struct twins {
    graze_world *own, *asked;
    graze_body_id ids[BODIES];
    graze_filter filters[BODIES]; ///< By index of the id.
    graze_filter choice[MOST_FILTERS];
    uint32_t choice_count;
    uint32_t veto; ///< A pair whose sum of indices this divides does not meet; 0: none.
} twins;

static bool game_lets_meet(const twins *both, uint32_t a, uint32_t b)
{
    return !both->veto || (a + b) % both->veto != 0;
}

static bool ask_both(const graze_world *world, graze_body_id a, graze_body_id b,
                     graze_segment_id segment, void *user)
{
    const twins *both = user;
    (void)world;
    (void)segment;
    if (kit_is_none(b)) {
        return kit_filters_allow(both->filters[a.index], graze_filter_default());
    }
    return kit_filters_allow(both->filters[a.index], both->filters[b.index]) &&
           game_lets_meet(both, a.index, b.index);
}

static bool ask_veto(const graze_world *world, graze_body_id a, graze_body_id b,
                     graze_segment_id segment, void *user)
{
    const twins *both = user;
    (void)world;
    (void)segment;
    return kit_is_none(b) || game_lets_meet(both, a.index, b.index);
}

static graze_body_def draw_body(random_state *random, bool responds)
{
    const float x = random_float(random, 0, 30), y = random_float(random, 0, 30);
    graze_body_def def = kit_circle(x, y, random_float(random, 0.2f, 1));
    const uint32_t shape = random_below(random, 4);
    if (shape == 0) {
        def.shape = graze_shape_ray();
    } else if (shape == 1) {
        def.shape = graze_shape_rect(random_float(random, 0.2f, 1), random_float(random, 0.2f, 1));
    }
    def.velocity.x = random_below(random, 3) ? random_float(random, -20, 20) : 0;
    def.velocity.y = random_below(random, 3) ? random_float(random, -20, 20) : 0;
    def.response = responds ? (graze_response)random_below(random, 4) : GRAZE_PASS;
    return def;
}

// Few filters make lists of kinds, many run out of kinds.
static void draw_choice(random_state *random, uint32_t count, bool grouped, twins *both)
{
    const uint32_t bits = count > 64 ? UINT32_MAX : 15;
    both->choice_count = count;
    for (uint32_t i = 0; i < count; ++i) {
        graze_filter filter = graze_filter_default();
        if (i % 5) {
            filter.category = random_bits(random) & bits;
            filter.mask = i % 5 == 1 ? ~filter.category : random_bits(random) & bits;
        }
        if (grouped && random_below(random, 3) == 0) {
            filter.group = random_integer(random, -3, 3);
        }
        both->choice[i] = filter;
    }
}

static void put_body(twins *both, uint32_t i, graze_body_def def)
{
    const graze_filter filter = def.filter;
    both->ids[i] = graze_body_create(both->own, &def);
    assert_true(both->ids[i].index < BODIES);
    both->filters[both->ids[i].index] = filter;
    def.filter = graze_filter_default();
    assert_true(kit_is_same(graze_body_create(both->asked, &def), both->ids[i]));
}

static graze_body_def draw_filtered(random_state *random, const twins *both, bool responds)
{
    graze_body_def def = draw_body(random, responds);
    def.filter = both->choice[random_below(random, both->choice_count)];
    return def;
}

/// What a run of twins is like.
typedef struct setting {
    uint32_t filters, veto;
    bool grouped, responds, shared;
    bool still; ///< Nearly all bodies stand, and come to rest.
} setting;

static twins *make_twins(random_state *random, const setting *chosen)
{
    twins *both = calloc(1, sizeof *both);
    assert_non_null(both);
    graze_world_def def = graze_world_def_default();
    both->veto = chosen->veto;
    def.filter_user = both;
    def.filter = ask_both;
    both->asked = graze_world_create(&def);
    def.filter = chosen->veto ? ask_veto : NULL;
    def.parallel = chosen->shared ? kit_run_backwards : NULL;
    both->own = graze_world_create(&def);
    for (uint32_t i = 0; i < 4; ++i) {
        (void)kit_wall(both->own, 5, 7.0f * (float)i, 25, 9.0f * (float)i);
        (void)kit_wall(both->asked, 5, 7.0f * (float)i, 25, 9.0f * (float)i);
    }
    draw_choice(random, chosen->filters, chosen->grouped, both);
    for (uint32_t i = 0; i < BODIES; ++i) {
        graze_body_def body = draw_filtered(random, both, chosen->responds);
        if (chosen->still && i % 20) {
            body.velocity.x = body.velocity.y = 0;
        }
        put_body(both, i, body);
    }
    return both;
}

// Between steps bodies get other filters, shapes and places, and others take their places.
static void change_some(random_state *random, twins *both, const setting *chosen)
{
    const bool responds = chosen->responds;
    const uint32_t many = chosen->still ? 0 : BODIES / 2, few = chosen->still ? 2 : 12;
    const uint32_t changes = random_below(random, 5) ? random_below(random, few) : many;
    for (uint32_t change = 0; change < changes; ++change) {
        const uint32_t i = random_below(random, BODIES);
        const graze_body_id id = both->ids[i];
        const graze_body_def drawn = draw_filtered(random, both, responds);
        const uint32_t what = random_below(random, 8);
        if (what == 0) {
            (void)graze_body_destroy(both->own, id);
            (void)graze_body_destroy(both->asked, id);
            put_body(both, i, drawn);
        } else if (what == 1) {
            (void)graze_body_set_shape(both->own, id, drawn.shape);
            (void)graze_body_set_shape(both->asked, id, drawn.shape);
        } else if (what == 2) {
            (void)graze_body_set_position(both->own, id, drawn.position);
            (void)graze_body_set_position(both->asked, id, drawn.position);
        } else {
            (void)graze_body_set_filter(both->own, id, drawn.filter);
            (void)graze_body_set_filter(both->asked, id, graze_filter_default());
            both->filters[id.index] = drawn.filter;
        }
    }
}

static void assert_same_reports(const twins *both)
{
    const graze_contact_list own = graze_world_contacts(both->own);
    const graze_contact_list asked = graze_world_contacts(both->asked);
    assert_int_equal(own.count, asked.count);
    for (uint32_t i = 0; i < own.count; ++i) {
        assert_memory_equal(&own.data[i], &asked.data[i], sizeof *own.data);
    }
    for (uint32_t i = 0; i < BODIES; ++i) {
        kit_assert_same_vec2(graze_body_position(both->own, both->ids[i]),
                             graze_body_position(both->asked, both->ids[i]));
        kit_assert_same_vec2(graze_body_velocity(both->own, both->ids[i]),
                             graze_body_velocity(both->asked, both->ids[i]));
    }
}

static bool is_listed(const graze_body_id *list, uint32_t count, graze_body_id id)
{
    for (uint32_t i = 0; i < count; ++i) {
        if (kit_is_same(list[i], id)) {
            return true;
        }
    }
    return false;
}

// The world without filters finds all that is near; some of these pass the filter.
static void assert_queries_filter(random_state *random, const twins *both)
{
    graze_body_id all[BODIES], some[BODIES];
    const graze_vec2 point = {random_float(random, 0, 30), random_float(random, 0, 30)};
    const graze_filter filter = both->choice[random_below(random, both->choice_count)];
    const graze_filter any = graze_filter_default();
    const uint32_t near = graze_query_nearest(both->asked, point, 5, any, all, BODIES);
    const uint32_t count = graze_query_nearest(both->own, point, 5, filter, some, BODIES);
    uint32_t expected = 0;
    for (uint32_t i = 0; i < near; ++i) {
        const bool wanted = kit_filters_allow(filter, both->filters[all[i].index]);
        expected += wanted;
        assert_int_equal(is_listed(some, count, all[i]), wanted);
    }
    assert_int_equal(count, expected);
}

static void run_twins(const setting *chosen, uint64_t seed)
{
    random_state random = random_seed(seed);
    twins *both = make_twins(&random, chosen);
    uint32_t contacts = 0;
    for (uint32_t step = 0; step < (chosen->still ? 60 : 24); ++step) {
        kit_step(both->own, 1.0f / 60);
        kit_step(both->asked, 1.0f / 60);
        assert_same_reports(both);
        contacts += graze_world_contacts(both->own).count;
        assert_queries_filter(&random, both);
        change_some(&random, both, chosen);
        assert_queries_filter(&random, both);
    }
    assert_true(contacts > 0);
    graze_world_destroy(both->own);
    graze_world_destroy(both->asked);
    free(both);
}

static void filters_meet_as_if_each_pair_were_asked(void **state)
{
    (void)state;
    static const setting settings[] = {
        {2, 0, false, false, false, false}, {3, 0, false, true, false, false},
        {6, 0, false, false, true, false},  {6, 3, true, false, false, false},
        {20, 0, true, true, true, false},   {60, 0, false, false, false, false},
        {60, 5, true, true, true, false},   {400, 0, false, false, false, false},
        {400, 0, true, false, true, false}, {400, 4, true, true, false, false},
        {3, 0, false, false, false, true},  {6, 0, true, false, true, true},
        {60, 0, false, false, false, true}, {400, 0, true, false, false, true},
    };
    for (uint32_t i = 0; i < sizeof settings / sizeof settings[0]; ++i) {
        for (uint64_t seed = 0; seed < 3; ++seed) {
            print_message("setting %u, seed %u\n", (unsigned)i, (unsigned)seed);
            run_twins(&settings[i], 10 * i + seed);
        }
    }
}

static void a_loaded_world_filters_as_the_one_saved(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 6; ++seed) {
        const setting chosen = {seed % 2 ? 6 : 400, 0, seed % 3 == 0, seed % 2, false, false};
        random_state random = random_seed(seed);
        twins *both = make_twins(&random, &chosen);
        kit_step(both->own, 0.02f);
        size_t size;
        void *bytes = kit_save(both->own, &size);
        kit_load(both->asked, bytes, size);
        graze_world *fresh = kit_world();
        kit_load(fresh, bytes, size);
        for (uint32_t step = 0; step < 5; ++step) {
            kit_step(both->own, 0.02f);
            kit_step(fresh, 0.02f);
            kit_assert_same_bytes(both->own, fresh);
        }
        free(bytes);
        graze_world_destroy(fresh);
        graze_world_destroy(both->own);
        graze_world_destroy(both->asked);
        free(both);
    }
}

// Still bodies count as candidates as active ones do.
static void candidates_are_counted_alike_at_rest(void **state)
{
    (void)state;
    random_state random = random_seed(5);
    const setting chosen = {6, 0, true, false, false, false};
    twins *both = make_twins(&random, &chosen);
    graze_vec2 none = {0, 0};
    for (uint32_t i = 0; i < BODIES; ++i) {
        (void)graze_body_set_velocity(both->own, both->ids[i], none);
    }
    kit_step(both->own, 0.02f);
    const uint64_t active = graze_world_get_stats(both->own).pair_count;
    for (uint32_t step = 0; step < 20; ++step) {
        kit_step(both->own, 0.02f);
        assert_int_equal(graze_world_get_stats(both->own).pair_count, active);
    }
    for (uint32_t i = 0; i < BODIES; i += 40) {
        graze_filter filter = both->filters[both->ids[i].index];
        (void)graze_body_set_filter(both->own, both->ids[i], filter);
    }
    kit_step(both->own, 0.02f);
    assert_int_equal(graze_world_get_stats(both->own).pair_count, active);
    graze_world_destroy(both->own);
    graze_world_destroy(both->asked);
    free(both);
}

// Before there are filters, only their shapes tell the kinds of bodies.
static void the_first_filter_leaves_rays_apart(void **state)
{
    (void)state;
    graze_world *world = kit_world();
    graze_body_def ray = kit_circle(0, 0, 1);
    ray.shape = graze_shape_ray();
    ray.velocity.x = 1;
    for (uint32_t i = 0; i < 100; ++i) {
        (void)kit_add(world, ray);
    }
    const graze_body_id circle = kit_add(world, kit_circle(0, 0, 1));
    kit_step(world, 0.02f);
    assert_int_equal(graze_world_contacts(world).count, 100);
    const graze_filter filter = {.category = 2, .mask = UINT32_MAX};
    assert_int_equal(graze_body_set_filter(world, circle, filter), GRAZE_OK);
    kit_step(world, 0.02f);
    assert_int_equal(graze_world_contacts(world).count, 100);
    assert_int_equal(graze_world_get_stats(world).pair_count, 100);
    graze_world_destroy(world);
}

static void assert_each_is_found(const graze_world *world, uint32_t count)
{
    for (uint32_t i = 0; i < count; ++i) {
        const graze_body_id id = graze_world_body_at(world, i);
        const graze_filter own = graze_body_filter(world, id);
        const graze_filter filter = {.category = own.mask, .mask = own.category};
        graze_body_id nearest[4];
        const graze_vec2 at = graze_body_position(world, id);
        const uint32_t found = graze_query_nearest(world, at, 0.1f, filter, nearest, 4);
        assert_true(found >= 1 && is_listed(nearest, 4, id));
    }
}

// Two of these filters meet only if the category of each is the mask of the other.
static graze_filter number_filter(uint32_t number, uint32_t shift)
{
    const graze_filter filter = {.category = UINT32_C(1) << number % 16 << shift,
                                 .mask = UINT32_C(1) << number / 16 % 16 << shift};
    return filter;
}

// When kinds run out, a step gives them new numbers. If it then fails, the grid has the old ones.
static bool renew_and_fail(size_t n)
{
    enum { COUNT = 200 };
    failing_allocator memory = {0};
    graze_world_def def = graze_world_def_default();
    def.allocator = failing_allocator_interface(&memory);
    graze_world *world = graze_world_create(&def);
    for (uint32_t i = 0; i < COUNT; ++i) {
        graze_body_def body = kit_circle(5.0f * (float)i, 0, 1);
        body.filter = number_filter(i, 0);
        body.velocity.y = 1; // Bodies at rest are in a grid without kinds.
        (void)kit_add(world, body);
    }
    kit_step(world, 0.02f);
    for (uint32_t i = 0; i <= COUNT / 2 + 60; ++i) {
        const graze_filter filter = number_filter(i, 16);
        (void)graze_body_set_filter(world, graze_world_body_at(world, 0), filter);
    }
    for (uint32_t i = 0; i < COUNT / 2; ++i) {
        (void)graze_body_set_filter(world, graze_world_body_at(world, i), number_filter(0, 0));
    }
    for (uint32_t i = 0; i < 300; ++i) {
        (void)kit_add(world, kit_circle(0, 9, 1));
    }
    failing_allocator_arm(&memory, n);
    (void)graze_world_step(world, 0.02f);
    const bool failed = failing_allocator_disarm(&memory);
    assert_each_is_found(world, COUNT);
    graze_world_destroy(world);
    failing_allocator_assert_empty(&memory);
    return failed;
}

static void queries_hold_when_a_step_fails_after_kinds_were_renewed(void **state)
{
    (void)state;
    size_t n = 1;
    while (renew_and_fail(n)) {
        ++n;
    }
    assert_true(n > 2);
}

static void bodies_at_rest_are_found_after_kinds_were_renewed(void **state)
{
    (void)state;
    enum { COUNT = 120 };
    graze_world *world = kit_world();
    for (uint32_t i = 0; i < COUNT; ++i) {
        graze_body_def body = kit_circle(5.0f * (float)i, 0, 1);
        body.filter = number_filter(i, 0);
        (void)kit_add(world, body);
    }
    graze_body_def walker = kit_circle(0, 90, 1);
    walker.velocity.x = 1;
    walker.filter.category = 3;
    const graze_body_id active = kit_add(world, walker);
    for (uint32_t step = 0; step < 40; ++step) {
        kit_step(world, 0.02f);
    }
    assert_int_equal(graze_world_get_stats(world).grid.body_count, 1);
    assert_each_is_found(world, COUNT);
    for (uint32_t i = 0; i < 200; ++i) {
        assert_int_equal(graze_body_set_filter(world, active, number_filter(i, 16)), GRAZE_OK);
    }
    kit_step(world, 0.02f);
    assert_int_equal(graze_world_get_stats(world).grid.body_count, 1);
    assert_each_is_found(world, COUNT);
    graze_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kinds_pair_as_their_filters_meet),
        cmocka_unit_test(the_default_filter_has_the_first_kinds),
        cmocka_unit_test(filters_past_the_last_kind_share_one_that_is_asked),
        cmocka_unit_test(filters_meet_as_if_each_pair_were_asked),
        cmocka_unit_test(a_loaded_world_filters_as_the_one_saved),
        cmocka_unit_test(candidates_are_counted_alike_at_rest),
        cmocka_unit_test(the_first_filter_leaves_rays_apart),
        cmocka_unit_test(queries_hold_when_a_step_fails_after_kinds_were_renewed),
        cmocka_unit_test(bodies_at_rest_are_found_after_kinds_were_renewed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
