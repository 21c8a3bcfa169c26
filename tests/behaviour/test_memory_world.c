#include "failing_allocator.h"
#include "scene_defs.h"
#include "world_kit.h"

#include <stdlib.h>
#include <string.h>

// --- A life in calls, each of which may run out of memory ---

enum { CROWD = 40, CALLS = 19 };

/// A world, and what its life has made so far.
typedef struct life {
    failing_allocator memory;
    kit_log log;
    graze_world *world;
    graze_chain_id chain;
} life;

static graze_status create_world(life *one)
{
    graze_world_def def = graze_world_def_default();
    def.allocator = failing_allocator_interface(&one->memory);
    def.gravity.y = -3;
    def.body_capacity = 8;
    def.contact_capacity = 4;
    def.log = kit_write_log;
    def.log_user = &one->log;
    one->world = graze_world_create(&def);
    return one->world ? GRAZE_OK : GRAZE_ERROR_OUT_OF_MEMORY;
}

static graze_status create_two(life *one)
{
    const graze_body_def defs[2] = {kit_circle(-8, 8, 1), kit_circle(8, 8, 1)};
    (void)graze_body_create_many(one->world, defs, 2, NULL);
    return graze_world_last_status(one->world);
}

// The first body that differs from all others, and the first rect: each makes a column.
static graze_status set_hit_limit(life *one)
{
    return graze_body_set_hit_limit(one->world, graze_world_body_at(one->world, 1), 9);
}

static graze_status set_shape(life *one)
{
    const graze_shape rect = graze_shape_rect(1, 0.5f);
    return graze_body_set_shape(one->world, graze_world_body_at(one->world, 1), rect);
}

static graze_status create_one(life *one)
{
    graze_body_def def = kit_moving(kit_rect(0, 8, 1, 0.5f), 0, -1, GRAZE_STOP);
    def.spin = 2;
    graze_body_create(one->world, &def);
    return graze_world_last_status(one->world);
}

static graze_body_def make_member(random_state *random)
{
    float x = random_float(random, -9, 9);
    float y = random_float(random, -9, 9);
    uint32_t kind = random_below(random, 3);
    graze_body_def def = kind == 0   ? kit_circle(x, y, random_float(random, 0.2f, 2))
                         : kind == 1 ? kit_rect(x, y, random_float(random, 0.2f, 2), 0.5f)
                                     : kit_bullet(x, y, 0, 0);
    const graze_response responses[] = {GRAZE_PASS, GRAZE_STOP, GRAZE_SLIDE, GRAZE_BOUNCE};
    def.response = responses[random_below(random, 4)];
    def.velocity.x = random_float(random, -9, 9);
    def.velocity.y = random_float(random, -9, 9);
    def.spin = random_float(random, -2, 2);
    def.hit_limit = random_below(random, 3);
    def.lifetime = random_below(random, 3) ? 0 : random_float(random, 0, 1);
    def.sensor = random_below(random, 3) == 0;
    return def;
}

static graze_status create_crowd(life *one)
{
    random_state random = random_seed(9);
    graze_body_def defs[CROWD];
    for (uint32_t i = 0; i < CROWD; ++i) {
        defs[i] = make_member(&random);
    }
    graze_body_id ids[CROWD];
    uint32_t made = graze_body_create_many(one->world, defs, CROWD, ids);
    graze_status status = graze_world_last_status(one->world);
    assert_int_equal(made, status ? 0 : CROWD);
    return status;
}

static graze_status create_chain(life *one, uint32_t count)
{
    graze_vec2 points[100];
    random_state random = random_seed(count);
    for (uint32_t i = 0; i < count; ++i) {
        points[i].x = random_float(&random, -12, 12);
        points[i].y = random_float(&random, -12, 12);
    }
    graze_chain_def def = graze_chain_def_default();
    def.points = points;
    def.count = count;
    def.loop = true;
    graze_chain_id chain = graze_chain_create(one->world, &def);
    graze_status status = graze_world_last_status(one->world);
    assert_int_equal(graze_chain_is_valid(one->world, chain), !status);
    one->chain = status ? one->chain : chain;
    return status;
}

static graze_status create_short_chain(life *one)
{
    return create_chain(one, 5);
}

static graze_status create_long_chain(life *one)
{
    return create_chain(one, 100);
}

static graze_status step(life *one)
{
    return graze_world_step(one->world, 0.25f);
}

// This needs no memory, so it cannot fail.
static graze_status destroy_much(life *one)
{
    for (uint32_t index = 0; index < 40; index += 2) {
        graze_body_destroy(one->world, graze_world_body_at(one->world, index));
    }
    return graze_chain_destroy(one->world, one->chain);
}

// These three are the first of their kind: each makes a column for what only some bodies have.
static graze_status set_filter(life *one)
{
    const graze_filter filter = {2, UINT32_MAX, 0, 3};
    return graze_body_set_filter(one->world, graze_world_body_at(one->world, 1), filter);
}

static graze_status set_user_data(life *one)
{
    return graze_body_set_user_data(one->world, graze_world_body_at(one->world, 1), 77);
}

static graze_status set_friction(life *one)
{
    return graze_body_set_friction(one->world, graze_world_body_at(one->world, 1), 1);
}

static graze_status create_heavy(life *one)
{
    graze_body_def def = kit_circle(3, 3, 1);
    def.mass = 5;
    def.restitution = 0.5f;
    graze_body_create(one->world, &def);
    return graze_world_last_status(one->world);
}

typedef graze_status call_fn(life *one);

static call_fn *const calls[CALLS] = {
    create_world, create_two,   set_hit_limit, set_shape,    create_one,   create_short_chain,
    step,         create_crowd, step,          step,         destroy_much, create_long_chain,
    create_crowd, set_filter,   set_user_data, set_friction, create_heavy, step,
    step,
};

/// All that a failed call must leave alone.
typedef struct picture {
    uint64_t hash;
    graze_contact *contacts;
    graze_contact_end *ends;
    uint32_t contact_count, end_count;
    graze_world_stats stats;
} picture;

static void *copy_bytes(const void *bytes, size_t size)
{
    void *copy = malloc(size + 1);
    assert_non_null(copy);
    if (size) {
        memcpy(copy, bytes, size);
    }
    return copy;
}

static picture take_picture(const graze_world *world)
{
    graze_contact_list contacts = graze_world_contacts(world);
    graze_contact_end_list ends = graze_world_contact_ends(world);
    picture taken = {
        graze_world_hash(world),
        copy_bytes(contacts.data, contacts.count * sizeof *contacts.data),
        copy_bytes(ends.data, ends.count * sizeof *ends.data),
        contacts.count,
        ends.count,
        graze_world_get_stats(world),
    };
    return taken;
}

static void free_picture(picture *taken)
{
    free(taken->contacts);
    free(taken->ends);
}

static void assert_same_picture(const picture *first, const picture *second)
{
    assert_true(first->hash == second->hash);
    assert_int_equal(first->contact_count, second->contact_count);
    assert_memory_equal(first->contacts, second->contacts,
                        first->contact_count * sizeof *first->contacts);
    assert_int_equal(first->end_count, second->end_count);
    assert_memory_equal(first->ends, second->ends, first->end_count * sizeof *first->ends);
    assert_int_equal(first->stats.step_count, second->stats.step_count);
    assert_int_equal(first->stats.body_count, second->stats.body_count);
    assert_int_equal(first->stats.segment_count, second->stats.segment_count);
    assert_int_equal(first->stats.contact_count, second->stats.contact_count);
    assert_int_equal(first->stats.begin_count, second->stats.begin_count);
    assert_int_equal(first->stats.end_count, second->stats.end_count);
    assert_int_equal(first->stats.hit_count, second->stats.hit_count);
}

static void assert_bytes_are_counted(const life *one)
{
    assert_int_equal(graze_world_get_stats(one->world).byte_count, one->memory.live_bytes);
}

static void run_calls(life *one, uint32_t first, uint32_t end)
{
    for (uint32_t i = first; i < end; ++i) {
        assert_int_equal(calls[i](one), GRAZE_OK);
        assert_bytes_are_counted(one);
    }
}

static void end_life(life *one)
{
    graze_world_destroy(one->world);
    failing_allocator_assert_empty(&one->memory);
}

// Lets the n-th allocation of a call fail, and tries again. Returns false when it has fewer.
static bool fail_once(uint32_t call, size_t n, const picture *last)
{
    life one = {.chain = {0, 0}};
    run_calls(&one, 0, call);
    picture before = {0};
    if (call) {
        before = take_picture(one.world);
    }
    memset(&one.log, 0, sizeof one.log);
    failing_allocator_arm(&one.memory, n);
    graze_status status = calls[call](&one);
    bool failed = failing_allocator_disarm(&one.memory);
    assert_int_equal(status, failed ? GRAZE_ERROR_OUT_OF_MEMORY : GRAZE_OK);
    if (failed && call) {
        kit_assert_logged(&one.log, GRAZE_ERROR_OUT_OF_MEMORY, "graze_");
        picture after = take_picture(one.world);
        assert_same_picture(&before, &after);
        assert_bytes_are_counted(&one);
        free_picture(&after);
    } else if (failed) {
        kit_assert_logged(&one.log, GRAZE_ERROR_OUT_OF_MEMORY, "graze_world_create");
        failing_allocator_assert_empty(&one.memory);
    }
    run_calls(&one, failed ? call : call + 1, CALLS);
    picture end = take_picture(one.world);
    assert_same_picture(&end, last);
    free_picture(&end);
    if (call) {
        free_picture(&before);
    }
    end_life(&one);
    return failed;
}

static void after_any_failed_allocation_nothing_changed_and_the_next_call_succeeds(void **state)
{
    (void)state;
    life reference = {.chain = {0, 0}};
    run_calls(&reference, 0, CALLS);
    picture last = take_picture(reference.world);
    assert_true(last.contact_count > 20 && last.end_count > 0);
    size_t failures = 0;
    for (uint32_t call = 0; call < CALLS; ++call) {
        for (size_t n = 1; fail_once(call, n, &last); ++n) {
            ++failures;
        }
    }
    assert_true(failures > 50);
    free_picture(&last);
    end_life(&reference);
}

static void a_step_may_fail_many_times_in_a_row(void **state)
{
    (void)state;
    life reference = {.chain = {0, 0}};
    life one = {.chain = {0, 0}};
    run_calls(&reference, 0, 9);
    run_calls(&one, 0, 8);
    picture before = take_picture(one.world);
    for (uint32_t attempt = 0; attempt < 50; ++attempt) {
        failing_allocator_arm(&one.memory, 1);
        graze_status status = step(&one);
        if (!failing_allocator_disarm(&one.memory)) {
            fail_msg("the step needed no memory");
        }
        assert_int_equal(status, GRAZE_ERROR_OUT_OF_MEMORY);
        picture after = take_picture(one.world);
        assert_same_picture(&before, &after);
        free_picture(&after);
    }
    assert_int_equal(step(&one), GRAZE_OK);
    assert_true(graze_world_hash(one.world) == graze_world_hash(reference.world));
    free_picture(&before);
    end_life(&one);
    end_life(&reference);
}

// --- Warm-up ---

static void fill_world(graze_world *world, const scene *place)
{
    for (uint32_t i = 0; i < place->body_count; ++i) {
        graze_body_def def = scene_body_def(&place->bodies[i]);
        def.response = i % 3 ? GRAZE_PASS : GRAZE_STOP;
        kit_add(world, def);
    }
    for (uint32_t i = 0; i < place->chain_count; ++i) {
        const graze_chain_def def = scene_chain_def(place, i);
        graze_chain_create(world, &def);
        assert_int_equal(graze_world_last_status(world), GRAZE_OK);
    }
}

// The same again: it needs nothing that it has not needed before.
static void start_anew(graze_world *world, const scene *place)
{
    for (uint32_t index = 0; index < place->body_count; ++index) {
        const scene_body *body = &place->bodies[index];
        graze_body_id id = graze_world_body_at(world, index);
        assert_int_equal(graze_body_set_position(world, id, body->position), GRAZE_OK);
        assert_int_equal(graze_body_set_velocity(world, id, body->velocity), GRAZE_OK);
        assert_int_equal(graze_body_set_angle(world, id, body->angle), GRAZE_OK);
    }
}

// Three rounds of an odd number of steps: then both of two lists that are swapped had everything.
static void assert_steps_soon_allocate_nothing(scene place)
{
    enum { ROUND = 15 };
    failing_allocator memory = {.calls = 0};
    graze_world_def def = graze_world_def_default();
    def.allocator = failing_allocator_interface(&memory);
    graze_world *world = graze_world_create(&def);
    assert_non_null(world);
    fill_world(world, &place);
    size_t warm = 0;
    for (uint32_t number = 0; number < 5 * ROUND; ++number) {
        if (number % ROUND == 0) {
            start_anew(world, &place);
        }
        warm = number == 3 * ROUND ? memory.calls : warm;
        kit_step(world, SCENE_STEP);
    }
    assert_int_equal(memory.calls, warm);
    assert_int_equal(graze_world_get_stats(world).byte_count, memory.live_bytes);
    graze_world_destroy(world);
    failing_allocator_assert_empty(&memory);
    scene_free(&place);
}

static void after_warm_up_a_step_allocates_nothing(void **state)
{
    (void)state;
    assert_steps_soon_allocate_nothing(scene_make_gas_mixed(1, 300));
    assert_steps_soon_allocate_nothing(scene_make_gas_log_sizes(2, 300));
    assert_steps_soon_allocate_nothing(scene_make_bullet_hell(3, 100, 200, 400));
}

static void creating_and_destroying_does_not_grow_without_end(void **state)
{
    (void)state;
    failing_allocator memory = {.calls = 0};
    graze_world_def def = graze_world_def_default();
    def.allocator = failing_allocator_interface(&memory);
    graze_world *world = graze_world_create(&def);
    assert_non_null(world);
    size_t warm = 0;
    for (uint32_t round = 0; round < 1500; ++round) {
        graze_chain_id chain = kit_square(world, 0, (float)(1 + round % 20));
        graze_body_id body = kit_add(world, kit_circle(0, 0, 1));
        graze_body_def bullet = kit_bullet(5, 5, (float)(round % 7) - 3, 400);
        bullet.lifetime = 1;
        kit_add(world, bullet);
        kit_step(world, 1);
        assert_int_equal(graze_body_destroy(world, body), GRAZE_OK);
        assert_int_equal(graze_chain_destroy(world, chain), GRAZE_OK);
        kit_step(world, 1);
        warm = round == 500 ? memory.live_bytes : warm;
        assert_true(round <= 500 || memory.live_bytes == warm);
    }
    graze_world_destroy(world);
    failing_allocator_assert_empty(&memory);
}

// --- How much ---

/// What a world of some bodies may hold: see the head of world_state.h.
typedef struct bound {
    double a_body, a_contact, fixed;
} bound;

static const bound plain = {118, 191, 88 * 1024};
static const double a_rect = 28, all_asked = 81;

/// The most of all, which is said, and of others. With their contacts.
static const double a_responder = 1900, of_many = 1450, of_very_many = 1350;
static const double in_a_heap = 5100, in_a_rough_heap = 4700;

static void assert_bytes_at_most(const graze_world *world, uint32_t bodies, uint32_t contacts,
                                 bound most)
{
    const double limit = most.a_body * bodies + most.a_contact * contacts + most.fixed;
    const double bytes = (double)graze_world_get_stats(world).byte_count;
    if (bytes > limit) {
        fail_msg("%u bodies, %u contacts: %.1f bytes a body; the bound is %.1f", (unsigned)bodies,
                 (unsigned)contacts, bytes / bodies, limit / bodies);
    }
}

static void assert_steps_stay_within(graze_world *world, uint32_t bodies, bound most)
{
    uint32_t contacts = 0;
    for (uint32_t number = 0; number < 5; ++number) {
        kit_step(world, SCENE_STEP);
        const uint32_t count = graze_world_contacts(world).count;
        contacts = count > contacts ? count : contacts;
        assert_bytes_at_most(world, bodies, contacts, most);
    }
    assert_true(contacts > bodies / 3);
}

static graze_body_def *defs_of_gas(uint32_t count)
{
    scene gas = scene_make_gas(1, count);
    graze_body_def *defs = malloc(count * sizeof *defs);
    assert_non_null(defs);
    for (uint32_t i = 0; i < count; ++i) {
        defs[i] = scene_body_def(&gas.bodies[i]);
        defs[i].response = GRAZE_PASS;
        defs[i].surface = graze_body_def_default().surface; // Takes no memory.
    }
    scene_free(&gas);
    return defs;
}

// At a million bodies, and their 0.444 contacts each, this is less than 200 bytes per body.
static void a_body_takes_no_more_memory_than_is_said(void **state)
{
    (void)state;
    const uint32_t counts[] = {1000, 5000, 20000, 60000};
    for (uint32_t i = 0; i < sizeof counts / sizeof *counts; ++i) {
        graze_body_def *defs = defs_of_gas(counts[i]);
        graze_world *world = kit_world();
        assert_int_equal(graze_body_create_many(world, defs, counts[i], NULL), counts[i]);
        assert_steps_stay_within(world, counts[i], plain);
        graze_world_destroy(world);
        free(defs);
    }
}

static void bodies_made_one_by_one_take_a_quarter_more_at_most(void **state)
{
    (void)state;
    enum { COUNT = 60000 };
    const bound most = {1.25 * plain.a_body, plain.a_contact, plain.fixed};
    graze_body_def *defs = defs_of_gas(COUNT);
    graze_world *world = kit_world();
    for (uint32_t i = 0; i < COUNT; ++i) {
        kit_add(world, defs[i]);
    }
    assert_steps_stay_within(world, COUNT, most);
    graze_world_destroy(world);
    free(defs);
}

static void ask_for_all(graze_body_def *def)
{
    def->shape = graze_shape_rect(0.5f, 0.5f);
    def->mass = 2;
    def->lifetime = 100;
    def->filter.category = 3;
    def->user_data = 1;
    def->gravity_scale = 2;
}

static void a_body_that_asks_for_all_makes_all_of_them_larger_by_what_is_said(void **state)
{
    (void)state;
    enum { COUNT = 20000 };
    const bound most = {plain.a_body + a_rect + all_asked, plain.a_contact, plain.fixed};
    graze_body_def *defs = defs_of_gas(COUNT);
    ask_for_all(&defs[0]);
    graze_world *world = kit_world();
    assert_int_equal(graze_body_create_many(world, defs, COUNT, NULL), COUNT);
    assert_steps_stay_within(world, COUNT, most);
    graze_world_destroy(world);
    free(defs);
}

static void load_own_state(graze_world *world)
{
    size_t size;
    void *bytes = kit_save(world, &size);
    kit_load(world, bytes, size);
    free(bytes);
}

static double bytes_of(const graze_world *world)
{
    return (double)graze_world_get_stats(world).byte_count;
}

// And the keys of contacts, which steps do without as long as they can.
static void loading_takes_the_columns_of_bodies_a_second_time(void **state)
{
    (void)state;
    enum { COUNT = 20000 };
    const double columns = 64 + a_rect + all_asked;
    graze_body_def *defs = defs_of_gas(COUNT);
    ask_for_all(&defs[0]);
    graze_world *world = kit_world();
    assert_int_equal(graze_body_create_many(world, defs, COUNT, NULL), COUNT);
    kit_step(world, SCENE_STEP);
    const double before = bytes_of(world);
    const double keys = 1.125 * 28 * graze_world_contacts(world).count;
    load_own_state(world);
    const double after = bytes_of(world);
    assert_true(after > before + COUNT * columns);
    assert_true(after < before + COUNT * (columns + 1) + keys + plain.fixed);
    for (uint32_t round = 0; round < 3; ++round) {
        load_own_state(world);
        assert_true(bytes_of(world) == after);
    }
    graze_world_destroy(world);
    free(defs);
}

// Each of the two sets of columns makes room for what the other has, but for no more.
static void loading_a_world_that_grows_does_not_make_it_larger_than_needed(void **state)
{
    (void)state;
    enum { COUNT = 6000, BATCH = 100 };
    const double most = 1.5 * (plain.a_body + 64);
    graze_body_def *defs = defs_of_gas(COUNT);
    graze_world *world = kit_world();
    for (uint32_t count = 0; count < COUNT; count += BATCH) {
        assert_int_equal(graze_body_create_many(world, defs + count, BATCH, NULL), BATCH);
        load_own_state(world);
        load_own_state(world);
        assert_true(bytes_of(world) < (count + BATCH) * most + plain.fixed);
    }
    graze_world_destroy(world);
    free(defs);
}

static void assert_responders_stay_within(graze_world *world, uint32_t count, double a_body)
{
    for (uint32_t number = 0; number < 200; ++number) {
        kit_step(world, SCENE_STEP);
    }
    const bound most = {a_body, 0, plain.fixed};
    assert_bytes_at_most(world, count, 0, most);
}

static void a_body_that_responds_takes_no_more_memory_than_is_said(void **state)
{
    (void)state;
    const uint32_t counts[] = {1000, 5000, 20000};
    const double most[] = {a_responder, of_many, of_very_many};
    for (uint32_t i = 0; i < sizeof counts / sizeof *counts; ++i) {
        graze_body_def *defs = defs_of_gas(counts[i]);
        for (uint32_t k = 0; k < counts[i]; ++k) {
            defs[k].response = GRAZE_BOUNCE;
        }
        graze_world *world = kit_world();
        assert_int_equal(graze_body_create_many(world, defs, counts[i], NULL), counts[i]);
        assert_responders_stay_within(world, counts[i], most[i]);
        graze_world_destroy(world);
        free(defs);
    }
}

/// Of a heap of circles.
enum { HEAP = 1000 };

static graze_world *drop_heap(float friction)
{
    enum { COLUMNS = 32, SIDE = 33 };
    graze_world_def def = graze_world_def_default();
    def.gravity.y = -10;
    graze_world *world = graze_world_create(&def);
    assert_non_null(world);
    kit_square(world, 0, SIDE);
    random_state random = random_seed(1);
    for (uint32_t i = 0; i < HEAP; ++i) {
        const float x = (float)(i % COLUMNS) + random_float(&random, 0.5f, 0.9f);
        const float y = (float)(i / COLUMNS) + 0.5f;
        graze_body_def circle = kit_moving(kit_circle(x, y, 0.5f), 0, 0, GRAZE_SLIDE);
        circle.friction = friction;
        kit_add(world, circle);
    }
    return world;
}

static void a_body_of_a_heap_takes_no_more_memory_than_is_said(void **state)
{
    static const float frictions[] = {0, 0.5f};
    const double most[] = {in_a_heap, in_a_rough_heap};
    (void)state;
    for (size_t k = 0; k < sizeof frictions / sizeof *frictions; ++k) {
        graze_world *world = drop_heap(frictions[k]);
        assert_responders_stay_within(world, HEAP, most[k]);
        graze_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(after_any_failed_allocation_nothing_changed_and_the_next_call_succeeds),
        cmocka_unit_test(a_step_may_fail_many_times_in_a_row),
        cmocka_unit_test(after_warm_up_a_step_allocates_nothing),
        cmocka_unit_test(creating_and_destroying_does_not_grow_without_end),
        cmocka_unit_test(a_body_takes_no_more_memory_than_is_said),
        cmocka_unit_test(bodies_made_one_by_one_take_a_quarter_more_at_most),
        cmocka_unit_test(a_body_that_asks_for_all_makes_all_of_them_larger_by_what_is_said),
        cmocka_unit_test(a_body_that_responds_takes_no_more_memory_than_is_said),
        cmocka_unit_test(a_body_of_a_heap_takes_no_more_memory_than_is_said),
        cmocka_unit_test(loading_takes_the_columns_of_bodies_a_second_time),
        cmocka_unit_test(loading_a_world_that_grows_does_not_make_it_larger_than_needed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
