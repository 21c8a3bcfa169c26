#include "support/world_kit.h"

#include <string.h>

// --- Categories, masks and groups ---

static bool do_meet(graze_filter first, graze_filter second)
{
    graze_world *world = kit_world();
    graze_body_def def = kit_circle(0, 0, 1);
    def.filter = first;
    graze_body_id a = kit_add(world, def);
    def.filter = second;
    graze_body_id b = kit_add(world, def);
    kit_step(world, 1);
    bool met = kit_find_contact(world, a, b) != NULL;
    graze_world_destroy(world);
    return met;
}

static void two_meet_when_each_is_in_the_others_mask(void **state)
{
    (void)state;
    const struct {
        graze_filter first, second;
        bool meet;
    } cases[] = {
        {{1, UINT32_MAX, 0, 0}, {1, UINT32_MAX, 0, 0}, true},
        {{1, 2, 0, 0}, {2, 1, 0, 0}, true},
        {{1, 2, 0, 0}, {2, 2, 0, 0}, false},
        {{1, 1, 0, 0}, {2, 1, 0, 0}, false},
        {{0, UINT32_MAX, 0, 0}, {1, UINT32_MAX, 0, 0}, false},
        {{1, 0, 0, 0}, {1, UINT32_MAX, 0, 0}, false},
        {{6, 8, 0, 0}, {8, 2, 0, 0}, true},
        {{1u << 31, 1, 0, 0}, {1, 1u << 31, 0, 0}, true},
    };
    for (uint32_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        assert_int_equal(do_meet(cases[i].first, cases[i].second), cases[i].meet);
        assert_int_equal(do_meet(cases[i].second, cases[i].first), cases[i].meet);
    }
}

static void a_shared_group_decides_and_other_groups_do_not_matter(void **state)
{
    (void)state;
    const graze_filter open = {1, UINT32_MAX, 0, 0};
    const graze_filter shut = {0, 0, 0, 0};
    const int32_t groups[] = {INT32_MIN, -1, 1, INT32_MAX};
    for (uint32_t i = 0; i < 4; ++i) {
        for (uint32_t k = 0; k < 4; ++k) {
            graze_filter first = open;
            graze_filter second = open;
            first.group = groups[i];
            second.group = groups[k];
            assert_int_equal(do_meet(first, second), i != k || groups[i] > 0);
            first = shut;
            second = shut;
            first.group = groups[i];
            second.group = groups[k];
            assert_int_equal(do_meet(first, second), i == k && groups[i] > 0);
        }
    }
}

static void a_filter_changed_between_steps_holds_from_the_next_step_on(void **state)
{
    (void)state;
    graze_world *world = kit_world();
    graze_body_id a = kit_add(world, kit_circle(0, 0, 1));
    graze_body_id b = kit_add(world, kit_circle(0, 0, 1));
    kit_step(world, 1);
    assert_non_null(kit_find_contact(world, a, b));
    graze_filter none = graze_filter_default();
    none.mask = 0;
    assert_int_equal(graze_body_set_filter(world, a, none), GRAZE_OK);
    kit_step(world, 1);
    assert_null(kit_find_contact(world, a, b));
    assert_int_equal(graze_world_contact_ends(world).count, 1);
    assert_int_equal(graze_body_set_filter(world, a, graze_filter_default()), GRAZE_OK);
    kit_step(world, 1);
    const graze_contact *contact = kit_find_contact(world, a, b);
    assert_non_null(contact);
    assert_int_equal(contact->phase, GRAZE_CONTACT_BEGIN);
    graze_world_destroy(world);
}

// --- The game's own filter ---

/// What a callback was asked, and what it answers.
typedef struct judge {
    graze_world *world;
    uint32_t body_questions, chain_questions;
    uint64_t outlaw;         ///< user_data of the body that meets nobody.
    graze_chain_id no_chain; ///< Nobody meets this one.
    graze_body_id touched;   ///< For attempts to change the world.
    graze_chain_id chain;
} judge;

static bool decide(const graze_world *world, graze_body_id a, graze_body_id b,
                   graze_segment_id segment, void *user)
{
    judge *one = user;
    assert_ptr_equal(world, one->world);
    assert_true(graze_body_is_valid(world, a));
    if (kit_is_none(b)) {
        ++one->chain_questions;
        assert_true(graze_chain_is_valid(world, segment.chain));
        assert_int_equal(segment.index, 0);
        if (segment.chain.generation == one->no_chain.generation &&
            segment.chain.index == one->no_chain.index) {
            return false;
        }
    } else {
        ++one->body_questions;
        assert_true(graze_body_is_valid(world, b) && segment.chain.generation == 0);
        if (graze_body_user_data(world, b) == one->outlaw) {
            return false;
        }
    }
    return graze_body_user_data(world, a) != one->outlaw;
}

static graze_world *world_with_judge(judge *one, graze_filter_fn *filter)
{
    memset(one, 0, sizeof *one);
    graze_world_def def = graze_world_def_default();
    def.filter = filter;
    def.filter_user = one;
    one->world = graze_world_create(&def);
    assert_non_null(one->world);
    return one->world;
}

static void the_games_filter_may_veto_bodies_and_chains(void **state)
{
    (void)state;
    judge one;
    graze_world *world = world_with_judge(&one, decide);
    one.outlaw = 13;
    graze_body_id still = kit_add(world, kit_circle(5, 0, 1));
    graze_chain_id open = kit_wall(world, 8, -5, 8, 5);
    graze_chain_id wall = kit_wall(world, 9, -5, 9, 5);
    one.no_chain = open;
    graze_body_id bullet = kit_add(world, kit_moving(kit_bullet(0, 0, 0, 0), 20, 0, GRAZE_PASS));
    graze_body_def outlaw = kit_moving(kit_circle(0, 0, 1), 20, 0, GRAZE_STOP);
    outlaw.user_data = 13;
    graze_body_id free = kit_add(world, outlaw);
    graze_body_id disc = kit_add(world, kit_moving(kit_circle(0, 3, 1), 20, 0, GRAZE_STOP));
    kit_step(world, 1);
    assert_non_null(kit_find_contact(world, bullet, still));
    assert_null(kit_find_wall_contact(world, disc, open));
    assert_non_null(kit_find_wall_contact(world, disc, wall));
    kit_assert_near_vec2(graze_body_position(world, disc), 8, 3, 1e-5f);
    kit_assert_near_vec2(graze_body_position(world, free), 20, 0, 1e-5f);
    assert_int_equal(kit_count_contacts(world, free), 0);
    assert_true(one.body_questions > 0 && one.chain_questions > 0);
    graze_world_destroy(world);
}

static bool expect_order(const graze_world *world, graze_body_id a, graze_body_id b,
                         graze_segment_id segment, void *user)
{
    (void)world;
    (void)segment;
    judge *one = user;
    ++one->body_questions;
    assert_true(a.index < b.index);
    return true;
}

// In any order of the grid: with ids that rise, that fall, and with bodies that change places.
static void the_games_filter_is_asked_in_the_order_of_ids(void **state)
{
    (void)state;
    judge one;
    graze_world *world = world_with_judge(&one, expect_order);
    for (int i = 0; i < 200; ++i) {
        const float x = i < 100 ? (float)i : (float)(300 - i);
        kit_add(world, kit_moving(kit_circle(x, 0, 1), i % 2 ? 50 : -50, 0, GRAZE_PASS));
        kit_add(world, kit_moving(kit_bullet(x, 0, 0, 0), i % 3 ? 90 : -90, 0, GRAZE_STOP));
    }
    for (int step = 0; step < 10; ++step) {
        kit_step(world, 1.0f / 16);
    }
    assert_true(one.body_questions > 1000);
    graze_world_destroy(world);
}

static void queries_do_not_ask_the_games_filter(void **state)
{
    (void)state;
    judge one;
    graze_world *world = world_with_judge(&one, decide);
    kit_add(world, kit_circle(0, 0, 1));
    kit_wall(world, 3, -1, 3, 1);
    const graze_vec2 origin = {0, 0};
    const graze_ray ray = {{5, 0}, {-9, 0}};
    graze_query_hit hit;
    graze_body_id found;
    assert_int_equal(graze_query_ray(world, ray, graze_filter_default(), &hit), GRAZE_OK);
    assert_int_equal(graze_query_point(world, origin, graze_filter_default(), &found, 1), 1);
    assert_int_equal(one.body_questions + one.chain_questions, 0);
    graze_world_destroy(world);
}

/// What queries find before a step, and are to find inside it.
typedef struct witness {
    graze_body_id at[64];
    uint32_t count_at[64];
    graze_query_hit hit[64];
    uint32_t questions;
} witness;

static void look(const graze_world *world, uint32_t place, graze_body_id *at, uint32_t *count,
                 graze_query_hit *hit)
{
    const graze_vec2 point = {(float)(place % 8) * 6, (float)(place / 8) * 6};
    const graze_ray ray = {point, {30, (float)place - 32}};
    *at = (graze_body_id){0};
    *count = graze_query_point(world, point, graze_filter_default(), at, 1);
    memset(hit, 0, sizeof *hit);
    graze_query_ray(world, ray, graze_filter_default(), hit);
}

static bool look_again(const graze_world *world, graze_body_id a, graze_body_id b,
                       graze_segment_id segment, void *user)
{
    (void)segment;
    witness *before = user;
    const uint32_t place = before->questions++ % 64;
    graze_body_id at;
    uint32_t count;
    graze_query_hit hit;
    look(world, place, &at, &count, &hit);
    assert_int_equal(count, before->count_at[place]);
    assert_memory_equal(&at, &before->at[place], sizeof at);
    assert_memory_equal(&hit, &before->hit[place], sizeof hit);
    return (a.index + b.index) % 3 != 0;
}

static void inside_a_step_queries_find_what_was_there_before(void **state)
{
    (void)state;
    witness before = {.questions = 0};
    graze_world_def def = graze_world_def_default();
    def.gravity = (graze_vec2){0, -10};
    def.filter = look_again;
    def.filter_user = &before;
    graze_world *world = graze_world_create(&def);
    kit_wall(world, -1, -1, 60, -1);
    kit_wall(world, 20, 0, 30, 40);
    for (int i = 0; i < 300; ++i) {
        const float x = (float)(i * 7 % 50), y = (float)(i * 11 % 47);
        const graze_response response = i % 2 ? GRAZE_BOUNCE : i % 3 ? GRAZE_SLIDE : GRAZE_PASS;
        kit_add(world, kit_moving(i % 5 ? kit_circle(x, y, 1) : kit_bullet(x, y, 0, 0),
                                  (float)(i * 13 % 81) - 40, (float)(i % 9), response));
    }
    for (int step = 0; step < 20; ++step) {
        for (uint32_t i = 0; i < 64; ++i) {
            look(world, i, &before.at[i], &before.count_at[i], &before.hit[i]);
        }
        kit_step(world, 1.0f / 16);
        kit_add(world, kit_moving(kit_circle((float)step, 20, 1), -9, 9, GRAZE_SLIDE));
    }
    assert_true(before.questions > 5000);
    graze_world_destroy(world);
}

static bool meddle(const graze_world *world, graze_body_id a, graze_body_id b,
                   graze_segment_id segment, void *user)
{
    (void)world;
    (void)a;
    (void)b;
    (void)segment;
    judge *one = user;
    const graze_vec2 zero = {0, 0};
    const graze_vec2 points[] = {{0, 0}, {1, 1}};
    graze_chain_def chain = graze_chain_def_default();
    chain.points = points;
    chain.count = 2;
    graze_body_def def = graze_body_def_default();
    const graze_status got[] = {
        graze_world_step(one->world, 1),
        graze_body_destroy(one->world, one->touched),
        graze_body_set_position(one->world, one->touched, zero),
        graze_body_set_velocity(one->world, one->touched, zero),
        graze_body_set_angle(one->world, one->touched, 0),
        graze_body_set_spin(one->world, one->touched, 0),
        graze_body_set_filter(one->world, one->touched, graze_filter_default()),
        graze_body_set_response(one->world, one->touched, GRAZE_PASS),
        graze_body_set_mass(one->world, one->touched, 2),
        graze_body_set_restitution(one->world, one->touched, 1),
        graze_body_set_friction(one->world, one->touched, 1),
        graze_body_set_lifetime(one->world, one->touched, 1),
        graze_body_set_hit_limit(one->world, one->touched, 1),
        graze_body_set_sensor(one->world, one->touched, true),
        graze_body_set_shape(one->world, one->touched, graze_shape_ray()),
        graze_body_set_user_data(one->world, one->touched, 1),
        graze_chain_destroy(one->world, one->chain),
    };
    for (uint32_t i = 0; i < sizeof got / sizeof *got; ++i) {
        assert_int_equal(got[i], GRAZE_ERROR_BUSY);
    }
    assert_true(kit_is_none(graze_body_create(one->world, &def)));
    assert_int_equal(graze_world_last_status(one->world), GRAZE_ERROR_BUSY);
    assert_int_equal(graze_body_create_many(one->world, &def, 1, NULL), 0);
    assert_int_equal(graze_chain_create(one->world, &chain).generation, 0);
    assert_int_equal(graze_world_last_status(one->world), GRAZE_ERROR_BUSY);
    ++one->body_questions;
    return true;
}

static void inside_a_step_what_would_change_the_world_is_busy(void **state)
{
    (void)state;
    judge one;
    graze_world *world = world_with_judge(&one, meddle);
    one.touched = kit_add(world, kit_rect(0, 0, 1, 1));
    kit_add(world, kit_moving(kit_circle(1, 0, 1), 1, 0, GRAZE_STOP));
    one.chain = kit_wall(world, -2, 0, 2, 0);
    kit_step(world, 1);
    assert_true(one.body_questions >= 2);
    assert_int_equal(graze_world_get_stats(world).body_count, 2);
    assert_int_equal(graze_world_get_stats(world).chain_count, 1);
    assert_int_equal(graze_world_get_stats(world).step_count, 1);
    graze_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_meet_when_each_is_in_the_others_mask),
        cmocka_unit_test(a_shared_group_decides_and_other_groups_do_not_matter),
        cmocka_unit_test(a_filter_changed_between_steps_holds_from_the_next_step_on),
        cmocka_unit_test(the_games_filter_may_veto_bodies_and_chains),
        cmocka_unit_test(the_games_filter_is_asked_in_the_order_of_ids),
        cmocka_unit_test(queries_do_not_ask_the_games_filter),
        cmocka_unit_test(inside_a_step_queries_find_what_was_there_before),
        cmocka_unit_test(inside_a_step_what_would_change_the_world_is_busy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
