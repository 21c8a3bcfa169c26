#include "forgery.h"
#include "victim.h"

#include "history/snapshot.h"

#include <stdlib.h>
#include <string.h>

// Damaged snapshots whose checksum is right are refused, with a line that says what is wrong; or,
// if they happen to describe a valid world, they give that world.

// --- Forged at random ---

// Saving the world gives the accepted bytes, and the world can go on.
static void assert_accepted(victim *one, const unsigned char *bytes, size_t size, size_t place)
{
    size_t now_size;
    void *now = kit_save(one->world, &now_size);
    if (now_size != size || memcmp(now, bytes, size) != 0) {
        fail_msg("word %u: the world says something else", (unsigned)place);
    }
    free(now);
    graze_query_hit hit;
    const graze_ray ray = {{-20, -20}, {40, 41}};
    assert_int_equal(graze_query_ray(one->world, ray, graze_filter_default(), &hit), GRAZE_OK);
    for (uint32_t i = 0; i < 3; ++i) {
        assert_int_equal(graze_world_step(one->world, 1.0f / 60.0f), GRAZE_OK);
    }
    memset(&one->log, 0, sizeof one->log);
    kit_load(one->world, one->before, one->before_size);
}

static bool try_forgery(victim *one, unsigned char *bytes, size_t size, size_t place)
{
    forge_checksum(bytes, size);
    const graze_status status = graze_world_load(one->world, bytes, size);
    if (status == GRAZE_OK) {
        assert_accepted(one, bytes, size, place);
    } else {
        if (status != GRAZE_ERROR_FORMAT) {
            fail_msg("word %u: status %d", (unsigned)place, (int)status);
        }
        kit_assert_logged(&one->log, GRAZE_ERROR_FORMAT, "graze_world_load");
    }
    return status == GRAZE_OK;
}

static uint32_t strange_word(random_state *random, uint32_t old)
{
    const uint32_t words[] = {
        0,       1,        2,          3,          0x7f800000, 0x80000000, 0xff800000,
        old + 1, old - 1,  0x7fc00000, 0x7f7fffff, 0x3f800001, UINT32_MAX, UINT32_MAX / 2,
        old ^ 1, old << 1, 0x80000001, 0x00000001, 0x7fffffff, ~old,       0xbf800000,
    };
    const uint32_t count = sizeof words / sizeof *words;
    const uint32_t which = random_below(random, count + 2);
    return which < count ? words[which] : random_bits(random);
}

static void forged_words_are_refused_or_give_a_world_that_says_the_same(void **state)
{
    (void)state;
    victim one;
    victim_make(&one);
    random_state random = random_seed(3);
    uint32_t accepted = 0;
    uint32_t refused = 0;
    for (uint64_t seed = 1; seed <= 3; ++seed) {
        size_t size;
        unsigned char *bytes = busy_snapshot(seed, 6, &size);
        unsigned char *forged = victim_copy(bytes, size);
        for (size_t place = 0; place + 4 <= size; place += 4) {
            uint32_t word;
            memcpy(&word, bytes + place, sizeof word);
            word = strange_word(&random, word);
            memcpy(forged + place, &word, sizeof word);
            const bool taken = try_forgery(&one, forged, size, place / 4);
            accepted += taken;
            refused += !taken;
            memcpy(forged, bytes, size);
        }
        free(bytes);
        free(forged);
    }
    assert_true(accepted > 300 && refused > 1000);
    victim_assert_unchanged(&one, "after", 0);
    victim_free(&one);
}

// Many words at once, and counts of all sizes: what is read stays within the bytes.
static void forged_crowds_never_lead_outside(void **state)
{
    (void)state;
    victim one;
    size_t size;
    victim_make(&one);
    random_state random = random_seed(4);
    unsigned char *bytes = busy_snapshot(8, 6, &size);
    for (uint32_t round = 0; round < 3000; ++round) {
        const size_t length =
            size - random_below(&random, (uint32_t)(size - sizeof(grz_snapshot_header)));
        unsigned char *forged = victim_copy(bytes, length);
        for (uint32_t i = random_below(&random, 5); i > 0; --i) {
            const size_t place = 32 + 4 * random_below(&random, (uint32_t)(length - 36) / 4);
            const size_t header_place =
                offsetof(grz_snapshot_header, index_count) + 4 * random_below(&random, 16);
            const uint32_t word = random_below(&random, 200);
            memcpy(forged + (round % 2 ? place : header_place), &word, sizeof word);
        }
        const uint64_t stated = length;
        memcpy(forged + offsetof(grz_snapshot_header, size), &stated, sizeof stated);
        (void)try_forgery(&one, forged, length, round);
        free(forged);
    }
    victim_assert_unchanged(&one, "after", 0);
    free(bytes);
    victim_free(&one);
}

static void random_bytes_are_no_snapshot(void **state)
{
    (void)state;
    victim one;
    victim_make(&one);
    random_state random = random_seed(5);
    for (uint32_t round = 0; round < 2000; ++round) {
        const size_t size = random_below(&random, 400);
        unsigned char *bytes = malloc(size + 1);
        assert_non_null(bytes);
        random_fill(&random, bytes, size);
        if (size >= sizeof(grz_snapshot_header) && round % 2) {
            const grz_snapshot_header known = grz_snapshot_new_header();
            memcpy(bytes, &known, offsetof(grz_snapshot_header, size));
            forge_checksum(bytes, size);
        }
        victim_assert_refuses(&one, bytes, size, "round", round);
        free(bytes);
    }
    victim_assert_unchanged(&one, "after", 0);
    victim_free(&one);
}

// --- Each reason has its words ---

typedef struct reason {
    size_t place; ///< In bytes; from a section's begin where there is one.
    int section;  ///< A grz_section; below 0: the header.
    uint32_t word;
    bool fix; ///< The checksum.
    const char *words;
} reason;

static const reason reasons[] = {
    {0, -1, 0x12345678, false, "no snapshot"},
    {8, -1, 0x02010403, false, "byte order"},
    {8, -1, 0x04030201, false, "byte order"},
    {12, -1, 10, false, "version 10|reads version 9"},
    {16, -1, 1, false, "a size of|its counts make"},
    {offsetof(grz_snapshot_header, needs), -1, 111, true, "counts or flags"},
    {offsetof(grz_snapshot_header, gravity), -1, 0x7f800000, true, "gravity"},
    {offsetof(grz_snapshot_header, step_count), -1, 0, false, "damaged"},
    {4, GRZ_SECTION_POSITIONS, 0xff800000, true, "body 0 |position"},
    {12, GRZ_SECTION_VELOCITIES, 0x7fc00000, true, "body 1 |velocity"},
    {0, GRZ_SECTION_HALVES, 0xbf800000, true, "body 0 |size"},
    {8, GRZ_SECTION_HALVES, 0x3f800001, true, "body 1 |size"},
    {12, GRZ_SECTION_BODIES, UINT32_MAX, true, "body 1 |kind or response"},
    {0, GRZ_SECTION_BODIES, 0, true, "body 0 |generation"},
    {offsetof(grz_material, mass), GRZ_SECTION_MATERIALS, 0xbf800000, true, "body 0 |mass"},
    {offsetof(grz_material, surface.restitution), GRZ_SECTION_MATERIALS, 0x3f800001, true,
     "body 0 |surface"},
    {offsetof(grz_material, surface.friction), GRZ_SECTION_MATERIALS, 0xbf800000, true, "surface"},
    {offsetof(grz_material, surface.rolling_resistance), GRZ_SECTION_MATERIALS, 0x7fc00000, true,
     "surface"},
    {offsetof(grz_material, surface.speed), GRZ_SECTION_MATERIALS, 0x80000000, true, "surface"},
    {offsetof(grz_dynamics, inertia), GRZ_SECTION_DYNAMICS, 0xbf800000, true, "body 0 |inertia"},
    {offsetof(grz_dynamics, damping), GRZ_SECTION_DYNAMICS, 0x7f800000, true, "damping"},
    {offsetof(grz_dynamics, spin_damping), GRZ_SECTION_DYNAMICS, 0x80000000, true, "damping"},
    {offsetof(grz_dynamics, gravity_scale), GRZ_SECTION_DYNAMICS, 0x80000000, true,
     "gravity_scale"},
    {offsetof(grz_dynamics, quiet), GRZ_SECTION_DYNAMICS, 0xbf800000, true, "sleep"},
    {offsetof(grz_dynamics, flags), GRZ_SECTION_DYNAMICS, 8, true, "sleep"},
    {offsetof(grz_dynamics, gravity_scale), GRZ_SECTION_DYNAMICS, 0x3f800000, true,
     "do not match its bodies"},
    {4, GRZ_SECTION_BODIES, 5u << GRZ_FORM_RESPONSE_SHIFT | GRZ_FORM_RECT, true,
     "body 0 |kind or response"},
    {offsetof(grz_snapshot_header, substeps), -1, 0, true, "substeps is 0"},
    {offsetof(grz_snapshot_header, substeps), -1, 65, true, "substeps is 65"},
    {offsetof(grz_snapshot_header, mean_substep), -1, 0xbf800000, true, "mean substep is -1 s"},
    {offsetof(grz_snapshot_header, mean_substep), -1, 0x7f800000, true, "mean substep is inf s"},
    {offsetof(grz_life, lifetime), GRZ_SECTION_LIVES, 0x7f800000, true, "body 0 |lifetime"},
    {offsetof(grz_life, hit_count), GRZ_SECTION_LIVES, 3, true, "body 0 |hit_limit"},
    {sizeof(grz_life) + offsetof(grz_life, hit_count), GRZ_SECTION_LIVES, 1, true, "body 1 |hits"},
    {0, GRZ_SECTION_ANGLES, 0x40490fdc, true, "body 0 |angle"},
    {0, GRZ_SECTION_ANGLES, 0x7fc00000, true, "body 0 |angle"},
    {0, GRZ_SECTION_SPINS, 0x80000000, true, "body 0 |spin"},
    {4, GRZ_SECTION_SPINS, 0x3f800000, true, "body 1 |no rect or rigid circle"},
    {4, GRZ_SECTION_FILTERS, UINT32_MAX, true, "do not match its bodies"},
    {offsetof(grz_snapshot_header, rect_count), -1, 2, true, "do not match its bodies"},
    {0, GRZ_SECTION_VACANCIES, 1, true, "contradict each other"},
    {4, GRZ_SECTION_VACANCIES, 1, true, "contradict each other"},
    {offsetof(grz_chain_record, form), GRZ_SECTION_CHAINS, 16, true, "chain 0 "},
    {offsetof(grz_chain_record, form), GRZ_SECTION_CHAINS, 0, true, "surfaces; its header states"},
    {offsetof(grz_chain_record, surface.speed), GRZ_SECTION_CHAINS, 0x7f800000, true, "chain 0 "},
    {offsetof(graze_surface, friction), GRZ_SECTION_SURFACES, 0x7f800000, true, "a surface"},
    {offsetof(grz_chain_record, unused), GRZ_SECTION_CHAINS, 1, true, "chain 0 "},
    {offsetof(grz_chain_record, generation), GRZ_SECTION_CHAINS, 0, true, "chain 0 "},
    {offsetof(grz_chain_record, point_count), GRZ_SECTION_CHAINS, 7, true,
     "7 points|header states"},
    {0, GRZ_SECTION_POINTS, 0x7f800000, true, "a point"},
    {4, GRZ_SECTION_KEYS, 0, true, "contacts are invalid"},
    {offsetof(grz_contact_record, key), GRZ_SECTION_CONTACTS, 99, true, "contacts are invalid"},
    {offsetof(grz_contact_record, time), GRZ_SECTION_CONTACTS, 0x3f800001, true,
     "contacts are invalid"},
    {offsetof(grz_contact_record, point), GRZ_SECTION_CONTACTS, 0x7f800001, true,
     "contacts are invalid"},
    {offsetof(grz_contact_record, normal) + 4, GRZ_SECTION_CONTACTS, 0xbf800001, true,
     "contacts are invalid"},
    {offsetof(grz_contact_record, depth), GRZ_SECTION_CONTACTS, 0x80000001, true,
     "contacts are invalid"},
    {offsetof(grz_contact_record, depth), GRZ_SECTION_CONTACTS, 0x7f800001, true,
     "contacts are invalid"},
    {offsetof(grz_blow, approach), GRZ_SECTION_BLOWS, 0xbf800000, true, "contacts are invalid"},
    {offsetof(grz_blow, impulse), GRZ_SECTION_BLOWS, 0x7f800000, true, "contacts are invalid"},
};

static unsigned char *make_small_snapshot(size_t *size, grz_snapshot_layout *layout)
{
    graze_world *world = kit_world();
    graze_body_def def = kit_rect(0, 0, 1, 1);
    def.hit_limit = 3;
    def.spin = 1;
    def.filter.mask = 0x7fffffff;
    def.mass = 2;
    def.gravity_scale = 2;
    kit_add(world, def);
    kit_add(world, kit_circle(0.5f, 0, 1));
    const graze_chain_id wall = kit_wall(world, -9, 0, 9, 1);
    graze_chain_set_surface(world, wall, 0, (graze_surface){2, 0, 0, 0});
    kit_step(world, 0.25f);
    unsigned char *bytes = kit_save(world, size);
    graze_world_destroy(world);
    grz_snapshot_header header;
    memcpy(&header, bytes, sizeof header);
    *layout = grz_snapshot_lay_out(&header);
    return bytes;
}

// With `words` in the line that says why.
static void assert_refused(victim *one, const unsigned char *bytes, size_t size, const char *words)
{
    assert_int_equal(graze_world_load(one->world, bytes, size), GRAZE_ERROR_FORMAT);
    kit_assert_logged(&one->log, GRAZE_ERROR_FORMAT, words);
}

static void the_log_says_what_is_wrong(void **state)
{
    (void)state;
    victim one;
    size_t size;
    grz_snapshot_layout layout;
    victim_make(&one);
    unsigned char *bytes = make_small_snapshot(&size, &layout);
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; ++i) {
        const reason *why = &reasons[i];
        unsigned char *forged = victim_copy(bytes, size);
        const size_t begin = why->section < 0 ? 0 : (size_t)layout.begin[why->section];
        memcpy(forged + begin + why->place, &why->word, sizeof why->word);
        if (why->fix) {
            forge_checksum(forged, size);
        }
        assert_refused(&one, forged, size, why->words);
        free(forged);
    }
    assert_refused(&one, bytes, size - 1, "size is");
    assert_refused(&one, bytes, 7, "size is 7");
    victim_assert_unchanged(&one, "after", 0);
    free(bytes);
    victim_free(&one);
}

// --- Values that the rest of the snapshot does not allow ---

// Saves the world, which is destroyed. The bytes are to be freed.
static unsigned char *save_last(graze_world *world, size_t *size)
{
    unsigned char *bytes = kit_save(world, size);
    graze_world_destroy(world);
    return bytes;
}

static void forge(unsigned char *bytes, size_t size, grz_section section, size_t place,
                  const void *value, size_t value_size)
{
    grz_snapshot_header header;
    memcpy(&header, bytes, sizeof header);
    const size_t begin = (size_t)grz_snapshot_lay_out(&header).begin[section];
    memcpy(bytes + begin + place, value, value_size);
    forge_checksum(bytes, size);
}

static void assert_victim_refuses(const unsigned char *bytes, size_t size, const char *words)
{
    victim one;
    victim_make(&one);
    assert_refused(&one, bytes, size, words);
    victim_assert_unchanged(&one, "after", 0);
    victim_free(&one);
}

static void a_retired_body_has_no_hits_without_a_limit_either(void **state)
{
    (void)state;
    graze_world *world = kit_world();
    graze_body_def def = kit_circle(0, 0, 1);
    def.hit_limit = 3;
    kit_add(world, def);
    def.hit_limit = 0;
    def.lifetime = 0.25f;
    kit_add(world, def);
    kit_step(world, 0.25f);
    assert_int_equal(graze_world_get_stats(world).removed_count, 1);
    size_t size;
    unsigned char *bytes = save_last(world, &size);
    const uint32_t hits = 1;
    forge(bytes, size, GRZ_SECTION_LIVES, sizeof(grz_life) + offsetof(grz_life, hit_count), &hits,
          sizeof hits);
    assert_victim_refuses(bytes, size, "body 1 |hits");
    free(bytes);
}

// A crate on the ground, and one on top of it: the solver has kept something of both contacts.
static unsigned char *save_crates(size_t *size)
{
    graze_world_def world_def = graze_world_def_default();
    world_def.gravity.y = -10;
    graze_world *world = graze_world_create(&world_def);
    kit_wall(world, -9, 0, 9, 0);
    for (int k = 0; k < 2; ++k) {
        kit_add(world, kit_moving(kit_rect(0, 0.5f + (float)k, 0.5f, 0.5f), 0, 0, GRAZE_RIGID));
    }
    for (int step = 0; step < 3; ++step) {
        kit_step(world, 1.0f / 64);
    }
    assert_int_equal(world->solve.cache.count, 2);
    return save_last(world, size);
}

static void what_the_solver_keeps_is_refused_where_it_cannot_be(void **state)
{
    static const struct {
        size_t kept, place;
        uint32_t word;
    } cases[] = {
        {0, offsetof(grz_cached_contact, key.a.index), 2}, // No such index.
        {0, offsetof(grz_cached_contact, key.a.index), 1}, // Not in order.
        {0, offsetof(grz_cached_contact, key.a.generation), 0},
        {0, offsetof(grz_cached_contact, key.segment.chain.index), 1}, // No such chain.
        {0, offsetof(grz_cached_contact, key.segment.chain.generation), 0},
        {0, offsetof(grz_cached_contact, key.segment.index), 1}, // No such segment.
        {1, offsetof(grz_cached_contact, key.b.index), 0},       // In contact with itself.
        {1, offsetof(grz_cached_contact, key.b.index), 2},
        {1, offsetof(grz_cached_contact, key.segment.index), 1},
        {1, offsetof(grz_cached_contact, count), 3},
        {1, offsetof(grz_cached_contact, impulses), 0x7f800000},
        {1, offsetof(grz_cached_contact, friction_impulse), 0x7fc00000},
        {1, offsetof(grz_cached_contact, normal), 0x3f800001},
        {1, offsetof(grz_cached_contact, levers_a), 0x41000000}, // Off the crate.
        {1, offsetof(grz_cached_contact, levers_b), 0xff800000},
        {1, offsetof(grz_cached_contact, offset), 0x7f800000},
        {1, offsetof(grz_cached_contact, rotation_a), 0x40000000},
    };
    size_t size;
    unsigned char *bytes = save_crates(&size);
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        unsigned char *forged = victim_copy(bytes, size);
        forge(forged, size, GRZ_SECTION_KEPT,
              cases[i].kept * sizeof(grz_cached_contact) + cases[i].place, &cases[i].word,
              sizeof cases[i].word);
        assert_victim_refuses(forged, size, "keeps of contacts");
        free(forged);
    }
    free(bytes);
}

// Whatever else it says, the world can go on, and can be saved again.
static void what_the_solver_keeps_may_be_anything_else(void **state)
{
    size_t size;
    unsigned char *bytes = save_crates(&size);
    random_state random = random_seed(12);
    (void)state;
    for (uint32_t round = 0; round < 2000; ++round) {
        unsigned char *forged = victim_copy(bytes, size);
        for (uint32_t k = 0; k < 3; ++k) {
            const size_t word = random_below(&random, 2 * sizeof(grz_cached_contact) / 4);
            const uint32_t value = strange_word(&random, random_bits(&random));
            forge(forged, size, GRZ_SECTION_KEPT, 4 * word, &value, sizeof value);
        }
        graze_world *world = kit_world();
        if (graze_world_load(world, forged, size) == GRAZE_OK) {
            for (uint32_t step = 0; step < 3; ++step) {
                const graze_status status = graze_world_step(world, 1.0f / 64);
                assert_true(status == GRAZE_OK || status == GRAZE_ERROR_LIMIT);
            }
            size_t again_size;
            unsigned char *again = kit_save(world, &again_size);
            kit_load(world, again, again_size);
            free(again);
        }
        graze_world_destroy(world);
        free(forged);
    }
    free(bytes);
}

static void contacts_come_in_the_order_of_their_keys(void **state)
{
    (void)state;
    graze_world *world = kit_world();
    kit_add(world, kit_circle(0, 0, 1));
    kit_add(world, kit_circle(1.5f, 0, 1));
    kit_add(world, kit_circle(3, 0, 1));
    kit_step(world, 0.25f);
    assert_int_equal(graze_world_get_stats(world).contact_count, 2);
    size_t size;
    unsigned char *bytes = save_last(world, &size);
    const uint32_t first = 0, second = 1;
    forge(bytes, size, GRZ_SECTION_CONTACTS, offsetof(grz_contact_record, key), &second,
          sizeof second);
    forge(bytes, size, GRZ_SECTION_CONTACTS,
          sizeof(grz_contact_record) + offsetof(grz_contact_record, key), &first, sizeof first);
    assert_victim_refuses(bytes, size, "contacts are invalid");
    free(bytes);
}

// Of what one body touches of terrain the first comes first, whichever wall that is.
static void touches_of_one_body_come_in_the_order_of_time(void **state)
{
    (void)state;
    graze_world *world = kit_world();
    kit_wall(world, 6, -9, 6, 9);
    kit_wall(world, 3, -9, 3, 9);
    kit_add(world, kit_moving(kit_circle(0, 0, 1), 40, 0, GRAZE_PASS));
    kit_step(world, 0.25f);
    const graze_contact_list touches = graze_world_contacts(world);
    assert_int_equal(touches.count, 2);
    assert_int_equal(touches.data[0].segment.chain.index, 1);
    size_t size;
    unsigned char *bytes = save_last(world, &size);
    const float late = 0.75f;
    forge(bytes, size, GRZ_SECTION_CONTACTS, offsetof(grz_contact_record, time), &late,
          sizeof late);
    assert_victim_refuses(bytes, size, "contacts are invalid");
    free(bytes);
}

static void what_touches_terrain_is_refused_where_there_is_none(void **state)
{
    (void)state;
    graze_world *world = kit_world();
    kit_add(world, kit_circle(0, 0, 1));
    kit_add(world, kit_circle(0.5f, 0, 1));
    kit_step(world, 0.25f);
    assert_int_equal(graze_world_get_stats(world).contact_count, 1);
    size_t size;
    unsigned char *bytes = save_last(world, &size);
    const graze_contact_end touch = {.a = {0, 1}, .segment = {.chain = {0, 1}}};
    forge(bytes, size, GRZ_SECTION_KEYS, 0, &touch, sizeof touch);
    assert_victim_refuses(bytes, size, "contacts are invalid");
    free(bytes);
}

// Of the touch number `key` the second segment.
static unsigned char *forge_second(const unsigned char *bytes, size_t size, uint32_t key)
{
    const uint32_t second = 1;
    unsigned char *forged = victim_copy(bytes, size);
    forge(forged, size, GRZ_SECTION_KEYS,
          key * sizeof(graze_contact_end) + offsetof(graze_contact_end, segment.index), &second,
          sizeof second);
    return forged;
}

// Two walls, the second of which was destroyed after something touched both: so nothing is known of
// the second.
static void what_touches_a_chain_touches_a_segment_that_it_has(void **state)
{
    (void)state;
    graze_world *world = kit_world();
    kit_add(world, kit_circle(0, 0, 1));
    kit_wall(world, -9, 0, 9, 1);
    const graze_chain_id gone = kit_wall(world, -9, 1, 9, 0);
    kit_step(world, 0.25f);
    assert_int_equal(graze_world_contacts(world).count, 2);
    assert_int_equal(graze_chain_destroy(world, gone), GRAZE_OK);
    size_t size;
    unsigned char *bytes = save_last(world, &size);
    unsigned char *known = forge_second(bytes, size, 0);
    unsigned char *unknown = forge_second(bytes, size, 1);
    assert_victim_refuses(known, size, "contacts are invalid");
    graze_world *loaded = kit_world();
    kit_load(loaded, unknown, size);
    graze_world_destroy(loaded);
    free(known);
    free(unknown);
    free(bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forged_words_are_refused_or_give_a_world_that_says_the_same),
        cmocka_unit_test(forged_crowds_never_lead_outside),
        cmocka_unit_test(random_bytes_are_no_snapshot),
        cmocka_unit_test(the_log_says_what_is_wrong),
        cmocka_unit_test(a_retired_body_has_no_hits_without_a_limit_either),
        cmocka_unit_test(what_the_solver_keeps_is_refused_where_it_cannot_be),
        cmocka_unit_test(what_the_solver_keeps_may_be_anything_else),
        cmocka_unit_test(contacts_come_in_the_order_of_their_keys),
        cmocka_unit_test(touches_of_one_body_come_in_the_order_of_time),
        cmocka_unit_test(what_touches_terrain_is_refused_where_there_is_none),
        cmocka_unit_test(what_touches_a_chain_touches_a_segment_that_it_has),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
