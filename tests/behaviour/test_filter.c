#include "body_defs.h"
#include "frame_kit.h"
#include "response_kit.h"
#include "world_kit.h"

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
    graze_body_def def = test_body_def();
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
        graze_body_apply_impulse(one->world, one->touched, zero, zero),
        graze_body_apply_spin_impulse(one->world, one->touched, 1),
        graze_world_explode(one->world, zero, 1, 1, graze_filter_default()),
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

// --- What is met, but deflects nothing ---

enum { ENEMY = 2, ROCK = 4, ENEMIES = 3 };

/// A bullet that pierces enemies, three of them, a rock wall, and one more behind it.
typedef struct gallery {
    const kit_frame *frame;
    graze_world *world;
    graze_body_id bullet, enemies[ENEMIES], hidden;
    graze_chain_id rock;
} gallery;

/// What a gallery is made of.
typedef struct range {
    int bullet; ///< 0: a disc, 1: a rect, 2: a ray.
    graze_response target;
    bool enemies_let; ///< Their filters let the bullet pass, not its own.
    bool is_last;     ///< The bullet is created last.
    uint32_t hit_limit;
} range;

static graze_body_id add_enemy(const gallery *of, const range *by, double x, bool is_round)
{
    const kit_xy at = {x, 0}, still = {0, 0};
    const graze_shape shape =
        is_round ? kit_frame_circle(of->frame, 0.5) : kit_frame_rect(of->frame, 0.5, 0.5);
    graze_body_def def = kit_frame_body(of->frame, shape, at, still, by->target);
    def.filter.category = ENEMY;
    def.filter.pass = by->enemies_let ? 1 : 0;
    def.restitution = 1;
    return kit_add(of->world, def);
}

static void shoot(gallery *of, const range *by)
{
    const kit_xy at = {0, 0.1}, velocity = {300, 0};
    const graze_shape shapes[] = {kit_frame_circle(of->frame, 0.1),
                                  kit_frame_rect(of->frame, 0.1, 0.1), graze_shape_ray()};
    graze_body_def def = kit_frame_body(of->frame, shapes[by->bullet], at, velocity, GRAZE_STOP);
    def.filter.pass = by->enemies_let ? 0 : ENEMY;
    def.hit_limit = by->hit_limit;
    of->bullet = kit_add(of->world, def);
}

static gallery make_gallery(const kit_frame *frame, const range *by)
{
    static const kit_xy rock[] = {{8, -5}, {8, 5}};
    const graze_filter filter = {ROCK, UINT32_MAX, 0, 0};
    gallery made = {.frame = frame, .world = kit_world()};
    if (!by->is_last) {
        shoot(&made, by);
    }
    made.rock = kit_frame_chain(frame, made.world, rock, 2, false, filter);
    made.hidden = add_enemy(&made, by, 10, true);
    for (int i = ENEMIES - 1; i >= 0; --i) {
        made.enemies[i] = add_enemy(&made, by, 2 + 2 * i, i % 2);
    }
    if (by->is_last) {
        shoot(&made, by);
    }
    return made;
}

static void assert_pierced(const gallery *of, int place)
{
    const kit_xy at = {2 + 2.0 * place, 0}, still = {0, 0};
    const kit_xy now = kit_frame_position(of->frame, of->world, of->enemies[place]);
    const graze_contact *contact = kit_find_contact(of->world, of->bullet, of->enemies[place]);
    assert_non_null(contact);
    assert_false(contact->flags & (GRAZE_CONTACT_BLOCKED | GRAZE_CONTACT_SENSOR));
    kit_assert_near(contact->time, (float)((1.5 + 2 * place) / 5), 0.05f);
    kit_frame_assert_near(of->frame, "an enemy", now, at, kit_frame_rounding(of->frame));
    kit_frame_assert_near(of->frame, "its speed",
                          kit_frame_velocity(of->frame, of->world, of->enemies[place]), still, 0);
}

static void assert_pierces(const kit_frame *frame, const range *by)
{
    gallery one = make_gallery(frame, by);
    uint64_t hits = 0;
    for (int step = 0; step < 3; ++step) {
        kit_step(one.world, 1.0f / 60);
        assert_null(kit_find_contact(one.world, one.bullet, one.hidden));
        hits += graze_world_get_stats(one.world).hit_count;
        for (int i = 0; step == 0 && i < 2; ++i) {
            assert_pierced(&one, i);
        }
    }
    const bool is_spent = by->hit_limit != 0;
    const kit_xy at = kit_frame_position(frame, one.world, one.bullet);
    assert_int_equal(graze_body_is_valid(one.world, one.bullet), !is_spent);
    assert_true(is_spent || (at.x > 7.8 && at.x <= 8));
    const uint64_t bullet_hits = is_spent ? by->hit_limit : ENEMIES + 1;
    const uint64_t enemy_hits = by->bullet == 2 ? 0 : by->hit_limit == 2 ? 2 : ENEMIES;
    const bool are_free = by->target != GRAZE_PASS;
    assert_int_equal(hits, bullet_hits + (are_free ? enemy_hits : 0));
    graze_world_destroy(one.world);
}

static void a_bullet_pierces_what_it_passes_and_stops_at_the_first_wall(void **state)
{
    (void)state;
    for (int f = 0; f < KIT_FRAMES; ++f) {
        for (int k = 0; k < 3 * 4 * 2 * 2 * 2; ++k) {
            const range one = {.bullet = k % 3,
                               .target = (graze_response)(k / 3 % 4),
                               .enemies_let = k / 12 % 2,
                               .is_last = k / 24 % 2,
                               .hit_limit = k / 48 % 2 ? 2 : 0};
            assert_pierces(&kit_frames[f], &one);
        }
    }
}

// Whoever lets pass, and whatever overlaps: nothing is pushed, in heaps either.
static void what_lets_pass_is_not_pushed_out_of(void **state)
{
    (void)state;
    for (int variant = 0; variant < 16; ++variant) {
        graze_world *world = kit_world_with_gravity(0, variant / 8 ? -10 : 0);
        kit_wall(world, -50, 0, 50, 0);
        graze_body_id bodies[2];
        for (int i = 0; i < 2; ++i) {
            const float x = 0.3f * (float)i;
            graze_body_def def =
                variant & 1 ? kit_rect(x, 0.5f, 0.5f, 0.5f) : kit_circle(x, 0.5f, 0.5f);
            def.response = variant & 2 ? GRAZE_BOUNCE : GRAZE_SLIDE;
            def.filter.category = i ? ENEMY : ROCK;
            def.filter.pass = i == 0 && !(variant & 4) ? ENEMY : i == 1 && (variant & 4) ? ROCK : 0;
            bodies[i] = kit_add(world, def);
        }
        for (int step = 0; step < 60; ++step) {
            kit_step(world, 1.0f / 60);
            const graze_contact *contact = kit_find_contact(world, bodies[0], bodies[1]);
            assert_non_null(contact);
            assert_false(contact->flags & GRAZE_CONTACT_BLOCKED);
        }
        kit_assert_near_vec2(graze_body_position(world, bodies[0]), 0, 0.5f, 1e-4f);
        kit_assert_near_vec2(graze_body_position(world, bodies[1]), 0.3f, 0.5f, 1e-4f);
        graze_world_destroy(world);
    }
}

// What would lie on it falls through it, in heaps as well.
static void what_lets_pass_carries_nothing(void **state)
{
    (void)state;
    for (int variant = 0; variant < 8; ++variant) {
        enum { COUNT = 4 };
        graze_world *world = kit_world_with_gravity(0, -10);
        kit_wall(world, -50, 0, 50, 0);
        graze_body_id bodies[COUNT];
        for (int i = 0; i < COUNT; ++i) {
            const float y = 0.5f + (float)i;
            graze_body_def def = variant & 1 ? kit_rect(0, y, 0.5f, 0.5f) : kit_circle(0, y, 0.5f);
            def.response = variant & 2 ? GRAZE_BOUNCE : GRAZE_SLIDE;
            def.filter.category = i % 2 ? ENEMY : ROCK;
            def.filter.pass = i % 2 ? (variant & 4 ? ROCK : 0) : (variant & 4 ? 0 : ENEMY);
            bodies[i] = kit_add(world, def);
        }
        kit_step(world, 1.0f / 60);
        for (int i = 1; i < COUNT; ++i) {
            kit_assert_near(graze_body_velocity(world, bodies[i]).y, -10.0f / 60, 1e-5f);
        }
        for (int step = 0; step < 120; ++step) {
            kit_step(world, 1.0f / 60);
        }
        kit_assert_near_vec2(graze_body_position(world, bodies[0]), 0, 0.5f, 1e-4f);
        kit_assert_near_vec2(graze_body_position(world, bodies[1]), 0, 0.5f, 1e-4f);
        kit_assert_near_vec2(graze_body_position(world, bodies[2]), 0, 1.5f, 1e-2f);
        kit_assert_near_vec2(graze_body_position(world, bodies[3]), 0, 1.5f, 1e-2f);
        graze_world_destroy(world);
    }
}

// Through a floor that lets pass, by whichever filter, on to the next; each is a hit.
static void chains_let_pass_as_bodies_do(void **state)
{
    (void)state;
    for (int variant = 0; variant < 3 * 3 * 2 * 2; ++variant) {
        const int kind = variant % 3;
        const bool chain_lets = variant / 9 % 2, is_loop = variant / 18;
        graze_world *world = kit_world_with_gravity(0, -10);
        graze_chain_def def = graze_chain_def_default();
        const graze_vec2 points[] = {{-9, 2}, {9, 2}, {9, 3}, {-9, 3}};
        def.points = points;
        def.count = is_loop ? 4 : 2;
        def.loop = is_loop;
        def.filter.category = ROCK;
        def.filter.pass = chain_lets ? 1 : 0;
        const graze_chain_id upper = graze_chain_create(world, &def);
        const graze_chain_id lower = kit_wall(world, -9, 0, 9, 0);
        graze_body_def body = kit_shape_at(kind, 0, 5, 0);
        body.response = (graze_response)(GRAZE_STOP + variant / 3 % 3);
        body.filter.pass = chain_lets ? 0 : ROCK;
        const graze_body_id falls = kit_add(world, body);
        bool met = false;
        uint64_t hits = 0;
        for (int step = 0; step < 120; ++step) {
            kit_step(world, 1.0f / 60);
            const graze_contact *contact = kit_find_wall_contact(world, falls, upper);
            met |= contact != NULL;
            hits += graze_world_get_stats(world).hit_count;
            assert_true(!contact || !(contact->flags & GRAZE_CONTACT_BLOCKED));
        }
        assert_true(met && hits >= 2);
        const float y = graze_body_position(world, falls).y;
        assert_true(y >= -1e-4f && y < 0.6f);
        assert_non_null(kit_find_wall_contact(world, falls, lower));
        graze_world_destroy(world);
    }
}

// Rays found together, all of which meet plain chains: those that pass these are not blocked,
// also where their hit removes them.
static void rays_pass_plain_chains_that_all_meet(void **state)
{
    (void)state;
    graze_world *world = kit_world();
    kit_wall(world, 0, -9, 0, 9);
    graze_body_id rays[40];
    for (uint32_t i = 0; i < 40; ++i) {
        graze_body_def ray = kit_circle(-1, (float)i / 5 - 4, 1);
        ray.shape = graze_shape_ray();
        ray.velocity.x = 2;
        ray.response = GRAZE_STOP;
        ray.hit_limit = i / 20;
        ray.filter.pass = i % 2;
        rays[i] = kit_add(world, ray);
    }
    kit_step(world, 1);
    for (uint32_t i = 0; i < 40; ++i) {
        const bool passes = i % 2 == 1, stays = i < 20;
        const float end = passes ? 1.0f : 0.0f;
        const graze_contact_list list = graze_body_contacts(world, rays[i]);
        assert_int_equal(list.count, 1);
        assert_int_equal((list.data[0].flags & GRAZE_CONTACT_BLOCKED) == 0, passes);
        assert_int_equal(list.data[0].impulse > 0, !passes);
        if (stays) {
            assert_float_equal(graze_body_position(world, rays[i]).x, end, 1e-6f);
        }
    }
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
        cmocka_unit_test(a_bullet_pierces_what_it_passes_and_stops_at_the_first_wall),
        cmocka_unit_test(what_lets_pass_is_not_pushed_out_of),
        cmocka_unit_test(what_lets_pass_carries_nothing),
        cmocka_unit_test(chains_let_pass_as_bodies_do),
        cmocka_unit_test(rays_pass_plain_chains_that_all_meet),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
