// Contacts through long random lives of worlds: each BEGIN has one END, lists are in order.

#include "world_model.h"

#include <stdlib.h>
#include <string.h>

// --- A seeded life of a world, with a model beside it ---

/// The contacts that have begun and not ended, by their phases alone.
typedef struct ledger {
    graze_contact_end open[MODEL_CONTACT_CAPACITY];
    uint32_t count;
    uint32_t begun, ended;
} ledger;

static bool is_same_key(const graze_contact_end *first, const graze_contact_end *second)
{
    return memcmp(first, second, sizeof *first) == 0;
}

static uint32_t find_open(const ledger *book, const graze_contact_end *key)
{
    uint32_t place = 0;
    while (place < book->count && !is_same_key(&book->open[place], key)) {
        ++place;
    }
    return place;
}

static void book_contacts(ledger *book, const graze_world *world)
{
    graze_contact_list contacts = graze_world_contacts(world);
    for (uint32_t i = 0; i < contacts.count; ++i) {
        const graze_contact *contact = &contacts.data[i];
        graze_contact_end key = {contact->a, contact->b, contact->segment};
        bool is_open = find_open(book, &key) < book->count;
        assert_int_equal(is_open, contact->phase == GRAZE_CONTACT_STAY);
        if (!is_open) {
            book->open[book->count++] = key;
            ++book->begun;
        }
    }
}

static void book_ends(ledger *book, const graze_world *world)
{
    graze_contact_end_list ends = graze_world_contact_ends(world);
    for (uint32_t i = 0; i < ends.count; ++i) {
        uint32_t place = find_open(book, &ends.data[i]);
        assert_true(place < book->count);
        book->open[place] = book->open[--book->count];
        ++book->ended;
    }
}

static void book_step(ledger *book, const graze_world *world)
{
    book_ends(book, world);
    book_contacts(book, world);
    assert_int_equal(book->count, graze_world_contacts(world).count);
}

enum { GONE_CAPACITY = 256 };

/// The latest ids that must stay invalid for ever.
typedef struct graveyard {
    graze_body_id bodies[GONE_CAPACITY];
    uint32_t count;
} graveyard;

static void bury(graveyard *gone, graze_body_id body)
{
    gone->bodies[gone->count++ % GONE_CAPACITY] = body;
}

static void assert_all_stale(const graveyard *gone, const graze_world *world)
{
    for (uint32_t i = 0; i < gone->count && i < GONE_CAPACITY; ++i) {
        assert_false(graze_body_is_valid(world, gone->bodies[i]));
    }
}

typedef struct life {
    world_model *model;
    random_state random;
    ledger *book;
    graveyard gone;
    float extent;
    uint32_t most_bodies;
} life;

static uint32_t choose_body(life *one)
{
    return random_below(&one->random, one->model->body_count);
}

static void create_one(life *one)
{
    if (one->model->body_count < one->most_bodies) {
        graze_body_def def =
            model_random_body(&one->random, one->extent, random_below(&one->random, 2));
        def.lifetime = random_below(&one->random, 4) ? 0 : random_float(&one->random, 0, 4);
        model_add_bodies(one->model, &def, 1);
    }
}

static void create_many(life *one)
{
    graze_body_def defs[8];
    uint32_t count = random_below(&one->random, 9);
    if (one->model->body_count + count <= one->most_bodies) {
        for (uint32_t i = 0; i < count; ++i) {
            defs[i] = model_random_body(&one->random, one->extent, true);
        }
        model_add_bodies(one->model, defs, count);
    }
}

static void destroy_one(life *one)
{
    uint32_t place = choose_body(one);
    bury(&one->gone, one->model->bodies[place].id);
    model_remove_body(one->model, place);
}

static void teleport_one(life *one)
{
    graze_vec2 position = {random_float(&one->random, -one->extent, one->extent),
                           random_float(&one->random, -one->extent, one->extent)};
    model_set_position(one->model, choose_body(one), position);
}

static void push_one(life *one)
{
    graze_vec2 velocity = {random_float(&one->random, -4, 4), random_float(&one->random, -4, 4)};
    model_set_velocity(one->model, choose_body(one), velocity);
}

static void turn_one(life *one)
{
    uint32_t place = choose_body(one);
    if (random_below(&one->random, 2)) {
        model_set_angle(one->model, place, random_float(&one->random, -3, 3));
    } else {
        model_set_spin(one->model, place,
                       random_below(&one->random, 2) ? 0 : random_float(&one->random, -4, 4));
    }
}

static void edit_terrain(life *one)
{
    uint32_t count = one->model->chain_count;
    if (count && (count > 8 || random_below(&one->random, 2))) {
        model_remove_chain(one->model, random_below(&one->random, count));
    } else {
        model_add_random_chain(one->model, &one->random, one->extent, true);
    }
}

static void step_once(life *one)
{
    const world_model *model = one->model;
    graze_body_id before[MODEL_BODY_CAPACITY];
    uint32_t count = model->body_count;
    for (uint32_t i = 0; i < count; ++i) {
        before[i] = model->bodies[i].id;
    }
    const float dts[] = {1.0f / 60, 0.25f, 1};
    model_step(one->model, dts[random_below(&one->random, 3)]);
    book_step(one->book, model->world);
    for (uint32_t i = 0; i < count; ++i) {
        if (!graze_body_is_valid(model->world, before[i])) {
            bury(&one->gone, before[i]);
        }
    }
}

static void do_something(life *one)
{
    uint32_t choice = one->model->body_count ? random_below(&one->random, 20) : 0;
    if (choice < 3) {
        create_one(one);
    } else if (choice < 4) {
        create_many(one);
    } else if (choice < 7) {
        destroy_one(one);
    } else if (choice < 9) {
        teleport_one(one);
    } else if (choice < 11) {
        push_one(one);
    } else if (choice < 12) {
        turn_one(one);
    } else if (choice < 14) {
        const graze_filter filter = model_random_filter(&one->random);
        model_set_filter(one->model, choose_body(one), filter);
    } else if (choice < 15) {
        edit_terrain(one);
    } else {
        step_once(one);
    }
}

static void live(uint64_t seed, uint32_t operations, uint32_t most_bodies, float extent,
                 uint32_t veto_modulus)
{
    print_message("seed %u\n", (unsigned)seed);
    const graze_vec2 gravity = {0, -1};
    life one = {.random = random_seed(seed), .extent = extent, .most_bodies = most_bodies};
    one.model = model_create(gravity, veto_modulus);
    one.book = calloc(1, sizeof *one.book);
    assert_non_null(one.book);
    for (uint32_t i = 0; i < operations; ++i) {
        do_something(&one);
        assert_all_stale(&one.gone, one.model->world);
    }
    while (one.model->body_count) {
        destroy_one(&one);
    }
    step_once(&one);
    assert_int_equal(one.book->begun, one.book->ended);
    assert_true(one.book->begun > operations / 20);
    free(one.book);
    model_destroy(one.model);
}

static void every_begin_has_one_end_through_10000_random_operations(void **state)
{
    (void)state;
    live(1, 4000, 60, 10, 0);
    live(2, 3000, 20, 4, 0);
    live(3, 3000, 60, 12, 5);
}

// --- Many that last, and many whose indices go to others ---

enum { NEIGHBOURS = 2800 };

static graze_body_def neighbour_at(float x, float y)
{
    graze_body_def def = kit_circle(x, y, 1);
    def.velocity.x = 0.001f;
    return def;
}

// The new body gets the index of the one that was there.
static void replace_body(graze_world *world, uint32_t index)
{
    const graze_body_id body = graze_world_body_at(world, index);
    const graze_vec2 position = graze_body_position(world, body);
    assert_int_equal(graze_body_destroy(world, body), GRAZE_OK);
    assert_int_equal(kit_add(world, neighbour_at(position.x, position.y)).index, index);
}

static void assert_ends_are_in_order(const graze_world *world)
{
    const graze_contact_end_list ends = graze_world_contact_ends(world);
    for (uint32_t i = 1; i < ends.count; ++i) {
        assert_true(ends.data[i - 1].a.index < ends.data[i].a.index);
    }
}

static void contacts_of_replaced_bodies_end_and_others_last(void **state)
{
    (void)state;
    random_state random = random_seed(5);
    graze_world *world = kit_world();
    ledger *book = calloc(1, sizeof *book);
    assert_non_null(book);
    for (uint32_t i = 0; i < NEIGHBOURS; ++i) {
        kit_add(world, neighbour_at((float)(i / 2) * 4, (float)(i % 2)));
    }
    for (uint32_t step = 0; step < 8; ++step) {
        for (uint32_t i = 0; i < NEIGHBOURS; ++i) {
            if (random_below(&random, 2 + step * step) == 0) {
                replace_body(world, i);
            }
        }
        kit_step(world, 0.125f);
        assert_ends_are_in_order(world);
        book_step(book, world);
        assert_int_equal(book->count, NEIGHBOURS / 2);
    }
    assert_true(book->ended > NEIGHBOURS / 2);
    free(book);
    graze_world_destroy(world);
}

// --- All responses, without a model ---

enum { WILD_INDICES = 128 };

static graze_body_def wild_body(random_state *random)
{
    const graze_response responses[] = {GRAZE_PASS, GRAZE_STOP, GRAZE_SLIDE, GRAZE_BOUNCE};
    graze_body_def def = model_random_body(random, 8, random_below(random, 2));
    def.response = responses[random_below(random, 4)];
    def.restitution = random_float(random, 0, 1);
    def.friction = random_float(random, 0, 1);
    def.mass = random_below(random, 5) ? random_float(random, 0.1f, 9) : 0;
    def.hit_limit = random_below(random, 2) ? 0 : random_below(random, 5);
    def.lifetime = random_below(random, 5) ? 0 : random_float(random, 0, 4);
    return def;
}

static graze_chain_id wild_chain(graze_world *world, random_state *random)
{
    graze_vec2 points[9];
    for (uint32_t i = 0; i < 9; ++i) {
        points[i].x = (float)random_integer(random, -8, 8);
        points[i].y = random_float(random, -8, 8);
    }
    graze_chain_def def = graze_chain_def_default();
    def.points = points;
    def.count = 2 + random_below(random, 8);
    def.loop = random_below(random, 2);
    def.sensor = random_below(random, 5) == 0;
    def.one_sided = random_below(random, 3) == 0;
    return graze_chain_create(world, &def);
}

// By a, then b; those of one pair by time, then by segment.
static bool is_in_order(const graze_contact *first, const graze_contact *second)
{
    if (first->a.index != second->a.index) {
        return first->a.index < second->a.index;
    }
    bool first_is_wall = kit_is_none(first->b);
    bool second_is_wall = kit_is_none(second->b);
    if (first_is_wall != second_is_wall) {
        return first_is_wall;
    }
    if (first->b.index != second->b.index) {
        return first->b.index < second->b.index;
    }
    if (first->time != second->time) {
        return first->time < second->time;
    }
    if (first->segment.chain.index != second->segment.chain.index) {
        return first->segment.chain.index < second->segment.chain.index;
    }
    return first->segment.index <= second->segment.index;
}

static void assert_contacts_are_sound(const graze_world *world)
{
    graze_contact_list contacts = graze_world_contacts(world);
    for (uint32_t i = 0; i < contacts.count; ++i) {
        const graze_contact *contact = &contacts.data[i];
        bool wall = kit_is_none(contact->b);
        assert_true(wall == graze_chain_is_valid(world, contact->segment.chain));
        assert_true(wall || contact->a.index < contact->b.index);
        assert_true(contact->time >= 0 && contact->time <= 1 && contact->depth >= 0);
        assert_true(contact->depth == 0 || contact->time == 0);
        kit_assert_near(graze_vec2_length(contact->normal), 1, 1e-5f);
        assert_true(contact->point.x * 0 == 0 && contact->point.y * 0 == 0);
        assert_true(i == 0 || is_in_order(&contacts.data[i - 1], contact));
    }
}

static void book_repeated_step(ledger *book, const graze_world *world)
{
    book_ends(book, world);
    uint32_t before = book->count;
    book_contacts(book, world);
    graze_world_stats stats = graze_world_get_stats(world);
    assert_int_equal(book->count - before, stats.begin_count);
    assert_true(book->count <= stats.contact_count);
}

static void disturb(graze_world *world, random_state *random)
{
    graze_body_id body = graze_world_body_at(world, random_below(random, WILD_INDICES));
    if (kit_is_none(body)) {
        kit_add(world, wild_body(random));
        return;
    }
    const graze_vec2 velocity = {random_float(random, -20, 20), random_float(random, -20, 20)};
    switch (random_below(random, 4)) {
    case 0:
        assert_int_equal(graze_body_destroy(world, body), GRAZE_OK);
        break;
    case 1:
        assert_int_equal(graze_body_set_filter(world, body, model_random_filter(random)), GRAZE_OK);
        break;
    default:
        assert_int_equal(graze_body_set_velocity(world, body, velocity), GRAZE_OK);
    }
}

static void live_wildly(uint64_t seed, uint32_t steps)
{
    random_state random = random_seed(seed);
    graze_world_def def = graze_world_def_default();
    def.gravity.y = -5;
    graze_world *world = graze_world_create(&def);
    ledger *book = calloc(1, sizeof *book);
    assert_true(world && book);
    graze_chain_id chains[4] = {{0, 0}};
    for (uint32_t step = 0; step < steps; ++step) {
        uint32_t chain = random_below(&random, 4);
        if (step % 16 == 0) {
            graze_chain_destroy(world, chains[chain]);
            chains[chain] = wild_chain(world, &random);
        }
        for (uint32_t i = 0; i < 12; ++i) {
            disturb(world, &random);
        }
        kit_step(world, random_below(&random, 2) ? 1.0f / 60 : 0.5f);
        assert_contacts_are_sound(world);
        book_repeated_step(book, world);
    }
    assert_true(book->begun > steps);
    free(book);
    graze_world_destroy(world);
}

// Each bullet gets the index of the last but one.
static void bullets_begin_among_contacts_that_last(void **state)
{
    (void)state;
    graze_world *world = kit_world();
    graze_body_id one = kit_add(world, kit_circle(0, 0, 1));
    graze_body_id other = kit_add(world, kit_circle(1.5f, 0, 1));
    graze_body_id target = kit_add(world, kit_circle(10, 0, 1));
    graze_body_id last = {0, 0};
    for (uint32_t step = 0; step < 6; ++step) {
        graze_body_id bullet = kit_add(world, kit_bullet(8, 0, 2, 0));
        kit_step(world, 1);
        const graze_contact *lasting = kit_find_contact(world, one, other);
        const graze_contact *hit = kit_find_contact(world, target, bullet);
        assert_non_null(lasting);
        assert_non_null(hit);
        assert_int_equal(lasting->phase, step ? GRAZE_CONTACT_STAY : GRAZE_CONTACT_BEGIN);
        assert_int_equal(hit->phase, GRAZE_CONTACT_BEGIN);
        const graze_contact_end_list ends = graze_world_contact_ends(world);
        assert_int_equal(ends.count, step ? 1 : 0);
        assert_true(step == 0 || kit_is_same(ends.data[0].b, last));
        last = bullet;
    }
    graze_world_destroy(world);
}

static void contacts_are_sound_whatever_the_responses(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 4; ++seed) {
        print_message("seed %u\n", (unsigned)seed);
        live_wildly(seed, 150);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_begin_has_one_end_through_10000_random_operations),
        cmocka_unit_test(contacts_of_replaced_bodies_end_and_others_last),
        cmocka_unit_test(bullets_begin_among_contacts_that_last),
        cmocka_unit_test(contacts_are_sound_whatever_the_responses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
