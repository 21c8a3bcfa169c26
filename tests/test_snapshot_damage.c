#include "support/busy_world.h"
#include "support/failing_allocator.h"

#include <stdlib.h>
#include <string.h>

#include "support/forgery.h"

#include "lanes_choice.h"

// Bytes that are not what was saved: refused with a line in the log, the world as it was; or, where
// they happen to say what a world can be, a world that says the same.

/// A world that damaged snapshots are loaded into, and what it has to stay.
typedef struct victim {
    kit_log log;
    graze_world *world;
    unsigned char *before; ///< Its own snapshot: state and reports.
    size_t before_size;
} victim;

static void make_victim(victim *one)
{
    graze_world_def def = busy_def();
    memset(one, 0, sizeof *one);
    def.log = kit_write_log;
    def.log_user = &one->log;
    one->world = graze_world_create(&def);
    assert_non_null(one->world);
    random_state random = random_seed(77);
    busy_fill(one->world, &random);
    busy_frame(one->world, &random);
    one->before = busy_save(one->world, &one->before_size);
    memset(&one->log, 0, sizeof one->log);
}

static void free_victim(victim *one)
{
    graze_world_destroy(one->world);
    free(one->before);
}

static void assert_unchanged(const victim *one, const char *what, size_t place)
{
    size_t size;
    void *now = busy_save(one->world, &size);
    if (size != one->before_size || memcmp(now, one->before, size) != 0) {
        fail_msg("%s %u: the world changed", what, (unsigned)place);
    }
    free(now);
}

static void assert_refused(victim *one, const void *bytes, size_t size, const char *what,
                           size_t place)
{
    const graze_status status = graze_world_load(one->world, bytes, size);
    if (status != GRAZE_ERROR_FORMAT) {
        fail_msg("%s %u: status %d", what, (unsigned)place, (int)status);
    }
    kit_assert_logged(&one->log, GRAZE_ERROR_FORMAT, "graze_world_load");
}

static unsigned char *make_snapshot(uint64_t seed, uint32_t frames, size_t *size)
{
    const graze_world_def def = busy_def();
    graze_world *world = graze_world_create(&def);
    random_state random = random_seed(seed);
    busy_fill(world, &random);
    for (uint32_t i = 0; i < frames; ++i) {
        busy_frame(world, &random);
    }
    unsigned char *bytes = busy_save(world, size);
    graze_world_destroy(world);
    return bytes;
}

// So that a read past the end is seen.
static unsigned char *copy_exactly(const void *bytes, size_t size)
{
    unsigned char *copy = malloc(size ? size : 1);
    assert_non_null(copy);
    memcpy(copy, bytes, size);
    return copy;
}

static void assert_every_byte_counts(victim *one, unsigned char *bytes, size_t size)
{
    random_state random = random_seed(1);
    for (size_t place = 0; place < size; ++place) {
        const unsigned char flip = (unsigned char)(1 + random_below(&random, 255));
        bytes[place] ^= flip;
        assert_refused(one, bytes, size, "byte", place);
        bytes[place] ^= flip;
    }
}

static void every_byte_changed_is_damage(void **state)
{
    (void)state;
    victim one;
    size_t size;
    make_victim(&one);
    unsigned char *bytes = make_snapshot(5, 9, &size);
    assert_every_byte_counts(&one, bytes, size);
    for (size_t place = 0; place < 8 * sizeof(grz_snapshot_header); ++place) {
        bytes[place / 8] ^= (unsigned char)(1 << place % 8);
        assert_refused(&one, bytes, size, "bit", place);
        bytes[place / 8] ^= (unsigned char)(1 << place % 8);
    }
    assert_unchanged(&one, "after byte", size);
    assert_int_equal(graze_world_load(one.world, bytes, size), GRAZE_OK);
    free(bytes);
    free_victim(&one);
}

static void every_shorter_length_is_cut_short(void **state)
{
    (void)state;
    victim one;
    size_t size;
    make_victim(&one);
    unsigned char *bytes = make_snapshot(6, 9, &size);
    for (size_t length = 0; length < size; ++length) {
        unsigned char *copy = copy_exactly(bytes, length);
        assert_refused(&one, copy, length, "length", length);
        free(copy);
    }
    assert_unchanged(&one, "after length", size);
    free(bytes);
    free_victim(&one);
}

// --- After a load that failed ---

static void add_grid_of(graze_world *world, uint32_t count, float apart, graze_vec2 velocity)
{
    for (uint32_t i = 0; i < count; ++i) {
        graze_body_def def = i % 3 ? kit_circle(0, 0, 0.4f) : kit_rect(0, 0, 0.4f, 0.3f);
        def.position.x = apart * (float)(i % 16);
        def.position.y = apart * (float)(i / 16);
        def.angle = i % 3 ? 0 : 0.1f * (float)(i % 9);
        def.velocity = velocity;
        def.hit_limit = i % 5 == 0 ? 2 : 0;
        (void)kit_add(world, def);
    }
}

static void assert_same_state(const graze_world *first, const graze_world *second)
{
    size_t size, other_size;
    void *bytes = busy_save(first, &size), *other = busy_save(second, &other_size);
    assert_int_equal(size, other_size);
    assert_memory_equal(bytes, other, size);
    free(bytes);
    free(other);
}

// What was copied of it is void. Bodies come to rest meanwhile; snapshots of more bodies and of
// fewer come in between.
static void after_a_failed_load_all_goes_on_as_if_there_had_been_none(void **state)
{
    (void)state;
    graze_world *one = kit_world(), *twin = kit_world();
    const graze_vec2 none = {0, 0}, way = {0.3f, 0.2f};
    add_grid_of(one, 20, 2.5f, way);
    add_grid_of(one, 400, 2, none);
    size_t size, small_size;
    unsigned char *bytes = busy_save(one, &size);
    graze_world *few = kit_world();
    add_grid_of(few, 90, 3, way);
    unsigned char *small = busy_save(few, &small_size);
    assert_int_equal(graze_world_load(twin, bytes, size), GRAZE_OK);
    uint32_t rested = 0;
    for (uint32_t frame = 0; frame < 90; ++frame) {
        const size_t place = size - 1 - frame * size / 90;
        bytes[place] ^= 1;
        small[small_size - 1] ^= 1;
        assert_int_equal(graze_world_load(one, bytes, size), GRAZE_ERROR_FORMAT);
        assert_int_equal(graze_world_load(one, small, small_size), GRAZE_ERROR_FORMAT);
        bytes[place] ^= 1;
        small[small_size - 1] ^= 1;
        if (frame % 29 == 28) {
            const bool whole = frame % 2;
            assert_int_equal(
                graze_world_load(one, whole ? bytes : small, whole ? size : small_size), GRAZE_OK);
            assert_int_equal(
                graze_world_load(twin, whole ? bytes : small, whole ? size : small_size), GRAZE_OK);
        }
        kit_step(one, 1.0f / 8);
        kit_step(twin, 1.0f / 8);
        rested += one->active_count < one->body_count;
        assert_same_state(one, twin);
    }
    assert_true(rested > 10);
    graze_world_destroy(one);
    graze_world_destroy(twin);
    graze_world_destroy(few);
    free(bytes);
    free(small);
}

// --- Bytes of the other byte order ---

static unsigned char *copy_as_foreign(const unsigned char *bytes, size_t size)
{
    unsigned char *foreign = copy_exactly(bytes, size);
    unsigned char *room = copy_exactly(bytes, size);
    forge_foreign(foreign, room, size);
    free(room);
    return foreign;
}

static void a_snapshot_of_the_other_byte_order_is_the_same_world(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 20; ++seed) {
        victim one;
        size_t size, now_size;
        make_victim(&one);
        unsigned char *bytes = make_snapshot(seed, (uint32_t)seed, &size);
        unsigned char *foreign = copy_as_foreign(bytes, size);
        assert_memory_not_equal(foreign, bytes, size);
        assert_int_equal(graze_world_load(one.world, foreign, size), GRAZE_OK);
        unsigned char *now = busy_save(one.world, &now_size);
        assert_int_equal(now_size, size);
        assert_memory_equal(now, bytes, size);
        free(now);
        free(foreign);
        free(bytes);
        free_victim(&one);
    }
}

static void every_foreign_byte_changed_is_damage(void **state)
{
    (void)state;
    victim one;
    size_t size;
    make_victim(&one);
    unsigned char *own = make_snapshot(5, 9, &size);
    unsigned char *bytes = copy_as_foreign(own, size);
    assert_every_byte_counts(&one, bytes, size);
    for (size_t length = 0; length < size; length += 1 + length / 16) {
        unsigned char *copy = copy_exactly(bytes, length);
        assert_refused(&one, copy, length, "length", length);
        free(copy);
    }
    assert_unchanged(&one, "after byte", size);
    free(own);
    free(bytes);
    free_victim(&one);
}

// Whatever is taken for it is given back.
static void without_memory_a_foreign_snapshot_changes_nothing(void **state)
{
    (void)state;
    failing_allocator memory = {.calls = 0};
    graze_world_def def = busy_def();
    size_t size;
    unsigned char *own = make_snapshot(5, 9, &size);
    unsigned char *bytes = copy_as_foreign(own, size);
    def.allocator = failing_allocator_interface(&memory);
    graze_world *world = graze_world_create(&def);
    bool failed = true;
    for (size_t n = 1; failed; ++n) {
        const uint64_t hash = graze_world_hash(world);
        failing_allocator_arm(&memory, n);
        const graze_status status = graze_world_load(world, bytes, size);
        failed = failing_allocator_disarm(&memory);
        assert_int_equal(status, failed ? GRAZE_ERROR_OUT_OF_MEMORY : GRAZE_OK);
        assert_true(!failed || graze_world_hash(world) == hash);
        assert_int_equal(graze_world_get_stats(world).byte_count, memory.live_bytes);
    }
    free(own);
    free(bytes);
    graze_world_destroy(world);
    failing_allocator_assert_empty(&memory);
}

// --- Bytes whose checksum is right ---

// What was accepted is what the world says now, and it can live on.
static void assert_accepted(victim *one, const unsigned char *bytes, size_t size, size_t place)
{
    size_t now_size;
    void *now = busy_save(one->world, &now_size);
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
    assert_int_equal(graze_world_load(one->world, one->before, one->before_size), GRAZE_OK);
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
    make_victim(&one);
    random_state random = random_seed(3);
    uint32_t accepted = 0;
    uint32_t refused = 0;
    for (uint64_t seed = 1; seed <= 3; ++seed) {
        size_t size;
        unsigned char *bytes = make_snapshot(seed, 6, &size);
        unsigned char *forged = copy_exactly(bytes, size);
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
    assert_unchanged(&one, "after", 0);
    free_victim(&one);
}

// Many words at once, and counts of all sizes: what is read stays within the bytes.
static void forged_crowds_never_lead_outside(void **state)
{
    (void)state;
    victim one;
    size_t size;
    make_victim(&one);
    random_state random = random_seed(4);
    unsigned char *bytes = make_snapshot(8, 6, &size);
    for (uint32_t round = 0; round < 3000; ++round) {
        const size_t length =
            size - random_below(&random, (uint32_t)(size - sizeof(grz_snapshot_header)));
        unsigned char *forged = copy_exactly(bytes, length);
        for (uint32_t i = random_below(&random, 5); i > 0; --i) {
            const size_t place = 32 + 4 * random_below(&random, (uint32_t)(length - 36) / 4);
            const size_t header_place =
                offsetof(grz_snapshot_header, index_count) + 4 * random_below(&random, 12);
            const uint32_t word = random_below(&random, 200);
            memcpy(forged + (round % 2 ? place : header_place), &word, sizeof word);
        }
        const uint64_t stated = length;
        memcpy(forged + offsetof(grz_snapshot_header, size), &stated, sizeof stated);
        (void)try_forgery(&one, forged, length, round);
        free(forged);
    }
    assert_unchanged(&one, "after", 0);
    free(bytes);
    free_victim(&one);
}

static void random_bytes_are_no_snapshot(void **state)
{
    (void)state;
    victim one;
    make_victim(&one);
    random_state random = random_seed(5);
    for (uint32_t round = 0; round < 2000; ++round) {
        const size_t size = random_below(&random, 400);
        unsigned char *bytes = malloc(size + 1);
        assert_non_null(bytes);
        for (size_t i = 0; i < size; ++i) {
            bytes[i] = (unsigned char)random_bits(&random);
        }
        if (size >= sizeof(grz_snapshot_header) && round % 2) {
            const grz_snapshot_header known = grz_snapshot_new_header();
            memcpy(bytes, &known, offsetof(grz_snapshot_header, size));
            forge_checksum(bytes, size);
        }
        assert_refused(&one, bytes, size, "round", round);
        free(bytes);
    }
    assert_unchanged(&one, "after", 0);
    free_victim(&one);
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
    {8, -1, 0x04030201, false, "version 33554432|another byte order"},
    {12, -1, 3, false, "version 3|known is 2"},
    {16, -1, 1, false, "size does not fit"},
    {offsetof(grz_snapshot_header, needs), -1, 32, false, "size does not fit"},
    {offsetof(grz_snapshot_header, gravity), -1, 0x7f800000, true, "gravity"},
    {offsetof(grz_snapshot_header, step_count), -1, 0, false, "damaged"},
    {4, GRZ_SECTION_POSITIONS, 0xff800000, true, "body 0 |position"},
    {12, GRZ_SECTION_VELOCITIES, 0x7fc00000, true, "body 1 |velocity"},
    {0, GRZ_SECTION_HALVES, 0xbf800000, true, "body 0 |size"},
    {8, GRZ_SECTION_HALVES, 0x3f800001, true, "body 1 |size"},
    {12, GRZ_SECTION_BODIES, UINT32_MAX, true, "body 1 |kind or response"},
    {0, GRZ_SECTION_BODIES, 0, true, "body 0 |generation"},
    {offsetof(grz_matter, mass), GRZ_SECTION_MATTERS, 0xbf800000, true, "body 0 |mass"},
    {offsetof(grz_matter, restitution), GRZ_SECTION_MATTERS, 0x7fc00000, true, "restitution"},
    {offsetof(grz_matter, friction), GRZ_SECTION_MATTERS, 0x3f800001, true, "friction"},
    {offsetof(grz_life, lifetime), GRZ_SECTION_LIVES, 0x7f800000, true, "body 0 |lifetime"},
    {offsetof(grz_life, hit_count), GRZ_SECTION_LIVES, 3, true, "body 0 |hit_limit"},
    {sizeof(grz_life) + offsetof(grz_life, hit_count), GRZ_SECTION_LIVES, 1, true, "body 1 |hits"},
    {0, GRZ_SECTION_ANGLES, 0x40490fdc, true, "body 0 |angle"},
    {0, GRZ_SECTION_ANGLES, 0x7fc00000, true, "body 0 |angle"},
    {0, GRZ_SECTION_SPINS, 0x80000000, true, "body 0 |spin"},
    {4, GRZ_SECTION_SPINS, 0x3f800000, true, "body 1 |no rect"},
    {4, GRZ_SECTION_FILTERS, UINT32_MAX, true, "what there is not"},
    {offsetof(grz_snapshot_header, rect_count), -1, 2, true, "what there is not"},
    {0, GRZ_SECTION_VACANCIES, 1, true, "not in order"},
    {4, GRZ_SECTION_VACANCIES, 1, true, "not in order"},
    {offsetof(grz_chain_record, form), GRZ_SECTION_CHAINS, 8, true, "a chain"},
    {offsetof(grz_chain_record, generation), GRZ_SECTION_CHAINS, 0, true, "a chain"},
    {offsetof(grz_chain_record, point_count), GRZ_SECTION_CHAINS, 7, true, "its points"},
    {0, GRZ_SECTION_POINTS, 0x7f800000, true, "a point"},
    {4, GRZ_SECTION_KEYS, 0, true, "what met"},
    {offsetof(grz_contact_record, key), GRZ_SECTION_CONTACTS, 99, true, "what met"},
    {offsetof(grz_contact_record, time), GRZ_SECTION_CONTACTS, 0x3f800001, true, "what met"},
};

static unsigned char *make_small_snapshot(size_t *size, grz_snapshot_layout *layout)
{
    graze_world *world = kit_world();
    graze_body_def def = kit_rect(0, 0, 1, 1);
    def.hit_limit = 3;
    def.spin = 1;
    def.filter.mask = 0x7fffffff;
    def.mass = 2;
    kit_add(world, def);
    kit_add(world, kit_circle(0.5f, 0, 1));
    kit_wall(world, -9, 0, 9, 1);
    kit_step(world, 0.25f);
    unsigned char *bytes = busy_save(world, size);
    graze_world_destroy(world);
    grz_snapshot_header header;
    memcpy(&header, bytes, sizeof header);
    *layout = grz_snapshot_lay_out(&header);
    return bytes;
}

static void the_log_says_what_is_wrong(void **state)
{
    (void)state;
    victim one;
    size_t size;
    grz_snapshot_layout layout;
    make_victim(&one);
    unsigned char *bytes = make_small_snapshot(&size, &layout);
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; ++i) {
        const reason *why = &reasons[i];
        unsigned char *forged = copy_exactly(bytes, size);
        const size_t begin = why->section < 0 ? 0 : (size_t)layout.begin[why->section];
        memcpy(forged + begin + why->place, &why->word, sizeof why->word);
        if (why->fix) {
            forge_checksum(forged, size);
        }
        assert_int_equal(graze_world_load(one.world, forged, size), GRAZE_ERROR_FORMAT);
        kit_assert_logged(&one.log, GRAZE_ERROR_FORMAT, why->words);
        free(forged);
    }
    assert_int_equal(graze_world_load(one.world, bytes, size - 1), GRAZE_ERROR_FORMAT);
    kit_assert_logged(&one.log, GRAZE_ERROR_FORMAT, "size is");
    assert_int_equal(graze_world_load(one.world, bytes, 7), GRAZE_ERROR_FORMAT);
    kit_assert_logged(&one.log, GRAZE_ERROR_FORMAT, "size is 7");
    assert_unchanged(&one, "after", 0);
    free(bytes);
    free_victim(&one);
}

static void a_retired_body_has_no_hits_without_a_limit_either(void **state)
{
    (void)state;
    victim one;
    size_t size;
    make_victim(&one);
    graze_world *world = kit_world();
    graze_body_def def = kit_circle(0, 0, 1);
    def.hit_limit = 3;
    kit_add(world, def);
    def.hit_limit = 0;
    def.lifetime = 0.25f;
    kit_add(world, def);
    kit_step(world, 0.25f);
    assert_int_equal(graze_world_get_stats(world).removed_count, 1);
    unsigned char *bytes = busy_save(world, &size);
    const uint32_t hits = 1;
    grz_snapshot_header header;
    memcpy(&header, bytes, sizeof header);
    const size_t lives = (size_t)grz_snapshot_lay_out(&header).begin[GRZ_SECTION_LIVES];
    memcpy(bytes + lives + sizeof(grz_life) + offsetof(grz_life, hit_count), &hits, sizeof hits);
    forge_checksum(bytes, size);
    assert_int_equal(graze_world_load(one.world, bytes, size), GRAZE_ERROR_FORMAT);
    kit_assert_logged(&one.log, GRAZE_ERROR_FORMAT, "body 1 |hits");
    free(bytes);
    graze_world_destroy(world);
    free_victim(&one);
}

// --- The checksum ---

static uint64_t sum_of(grz_lane_set lanes, const unsigned char *bytes, size_t size)
{
    grz_checksum sum;
    grz_checksum_begin(&sum);
    grz_checksum_add(&sum, grz_snapshot_loops_for(lanes), bytes, size);
    return grz_checksum_end(&sum);
}

// Lane by lane and word by word, as checksum.h says.
static uint64_t slow_sum_of(const unsigned char *bytes, size_t size)
{
    grz_checksum sum;
    grz_checksum_begin(&sum);
    sum.size = size;
    for (size_t begin = 0; begin < size; begin += GRZ_CHECKSUM_BLOCK) {
        unsigned char block[GRZ_CHECKSUM_BLOCK] = {0};
        memcpy(block, bytes + begin, size - begin < sizeof block ? size - begin : sizeof block);
        for (size_t lane = 0; lane < GRZ_CHECKSUM_LANES; ++lane) {
            const uint32_t mixed =
                (sum.lanes[lane] + grz_word_at(block, lane)) * GRZ_CHECKSUM_FACTOR;
            sum.lanes[lane] = mixed << GRZ_CHECKSUM_TURN | mixed >> (32 - GRZ_CHECKSUM_TURN);
        }
    }
    return grz_checksum_end(&sum);
}

static void every_set_of_lanes_gives_the_same_checksum(void **state)
{
    (void)state;
    unsigned char bytes[1400];
    random_state random = random_seed(7);
    for (size_t i = 0; i < sizeof bytes; ++i) {
        bytes[i] = (unsigned char)random_bits(&random);
    }
    for (uint32_t round = 0; round < 300; ++round) {
        const size_t shift = random_below(&random, 64);
        const size_t size = random_below(&random, (uint32_t)(sizeof bytes - shift));
        const uint64_t wanted = slow_sum_of(bytes + shift, size);
        for (int set = 0; set < GRZ_SET_COUNT; ++set) {
            if (grz_lanes_has((grz_lane_set)set)) {
                assert_true(sum_of((grz_lane_set)set, bytes + shift, size) == wanted);
            }
        }
    }
}

static void a_checksum_in_pieces_is_that_of_the_whole(void **state)
{
    (void)state;
    const unsigned char bytes[1000] = {1, 2, 3};
    grz_checksum sum;
    grz_checksum_begin(&sum);
    grz_checksum_add(&sum, grz_snapshot_loops_for(GRZ_SET_SCALAR), bytes, 512);
    grz_checksum_add(&sum, grz_snapshot_loops_for(GRZ_SET_SCALAR), bytes + 512, 488);
    assert_true(grz_checksum_end(&sum) == sum_of(GRZ_SET_SCALAR, bytes, 1000));
}

static void the_checksum_depends_on_every_bit_and_its_place(void **state)
{
    (void)state;
    unsigned char bytes[300];
    random_state random = random_seed(6);
    for (size_t i = 0; i < sizeof bytes; ++i) {
        bytes[i] = (unsigned char)random_bits(&random);
    }
    for (size_t size = 0; size <= sizeof bytes; size += 1 + size / 8) {
        const uint64_t sum = sum_of(GRZ_SET_SCALAR, bytes, size);
        for (size_t bit = 0; bit < 8 * size; ++bit) {
            bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
            assert_true(sum_of(GRZ_SET_SCALAR, bytes, size) != sum);
            bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
        }
        for (size_t i = 0; i + 1 < size; ++i) {
            const unsigned char first = bytes[i];
            const bool same = first == bytes[i + 1];
            bytes[i] = bytes[i + 1];
            bytes[i + 1] = first;
            assert_true(same || sum_of(GRZ_SET_SCALAR, bytes, size) != sum);
            bytes[i + 1] = bytes[i];
            bytes[i] = first;
        }
        assert_true(sum_of(GRZ_SET_SCALAR, bytes, size) == sum);
    }
}

static void bytes_of_zeros_of_other_lengths_have_other_checksums(void **state)
{
    (void)state;
    const unsigned char zeros[600] = {0};
    for (size_t size = 0; size < sizeof zeros; ++size) {
        for (size_t other = 0; other < size; ++other) {
            assert_true(sum_of(GRZ_SET_SCALAR, zeros, size) !=
                        sum_of(GRZ_SET_SCALAR, zeros, other));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_byte_changed_is_damage),
        cmocka_unit_test(every_shorter_length_is_cut_short),
        cmocka_unit_test(a_snapshot_of_the_other_byte_order_is_the_same_world),
        cmocka_unit_test(every_foreign_byte_changed_is_damage),
        cmocka_unit_test(without_memory_a_foreign_snapshot_changes_nothing),
        cmocka_unit_test(forged_words_are_refused_or_give_a_world_that_says_the_same),
        cmocka_unit_test(forged_crowds_never_lead_outside),
        cmocka_unit_test(random_bytes_are_no_snapshot),
        cmocka_unit_test(after_a_failed_load_all_goes_on_as_if_there_had_been_none),
        cmocka_unit_test(the_log_says_what_is_wrong),
        cmocka_unit_test(a_retired_body_has_no_hits_without_a_limit_either),
        cmocka_unit_test(every_set_of_lanes_gives_the_same_checksum),
        cmocka_unit_test(a_checksum_in_pieces_is_that_of_the_whole),
        cmocka_unit_test(the_checksum_depends_on_every_bit_and_its_place),
        cmocka_unit_test(bytes_of_zeros_of_other_lengths_have_other_checksums),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
