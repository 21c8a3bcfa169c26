// Events come in the order that impact_queue.h promises, whenever they are added: against a search
// of all that are left.

#include "world_kit.h"

#include "world/world_state.h"

#include "solve/impact_queue.h"

enum { MOVERS = 6, EVENTS = 200, WORLDS = 50 };

static int compare_numbers(double a, double b)
{
    return (a > b) - (a < b);
}

// By time, walls first, then by ids, then as they were foreseen.
static int compare_events(const graze_world *world, const grz_event *a, const grz_event *b)
{
    const uint32_t *index = world->bodies.rows.index;
    const bool a_is_body = a->row_b != GRZ_NONE;
    const bool b_is_body = b->row_b != GRZ_NONE;
    const double of_a[] = {
        a->touch.time, a_is_body,    index[a->row_a],        a_is_body ? index[a->row_b] : 0,
        a->version_a,  a->version_b, a->segment.chain.index, a->segment.index};
    const double of_b[] = {
        b->touch.time, b_is_body,    index[b->row_a],        b_is_body ? index[b->row_b] : 0,
        b->version_a,  b->version_b, b->segment.chain.index, b->segment.index};
    int found = 0;
    for (size_t k = 0; k < sizeof of_a / sizeof of_a[0] && found == 0; ++k) {
        found = compare_numbers(of_a[k], of_b[k]);
    }
    return found;
}

// There are few numbers, so events tie in all of them.
static grz_event draw_event(random_state *random)
{
    const bool is_wall = random_below(random, 3) == 0;
    grz_event event = {.row_a = random_below(random, MOVERS - 1), .row_b = GRZ_NONE};
    event.touch.time = random_below(random, 3) * 0.5;
    event.version_a = 1 + random_below(random, 2);
    event.candidate = GRZ_NONE;
    if (is_wall) {
        event.segment.chain.index = random_below(random, 2);
        event.segment.index = random_below(random, 2);
    } else {
        event.row_b = event.row_a + 1 + random_below(random, MOVERS - 1 - event.row_a);
        event.version_b = random_below(random, 3);
    }
    return event;
}

/// The events that are left, in no order.
typedef struct pool {
    grz_event events[EVENTS];
    uint32_t count;
} pool;

static void add_event(graze_world *world, pool *left, random_state *random)
{
    const grz_event event = draw_event(random);
    left->events[left->count++] = event;
    grz_event *room = grz_event_room(&world->impacts.agenda);
    assert_non_null(room);
    *room = event;
    grz_event_add(world, &world->impacts.agenda);
}

static void take_event(graze_world *world, pool *left)
{
    uint32_t first = 0;
    for (uint32_t k = 1; k < left->count; ++k) {
        first = compare_events(world, &left->events[k], &left->events[first]) < 0 ? k : first;
    }
    assert_true(grz_events_are_left(&world->impacts.agenda));
    const grz_event taken = *grz_event_pop(&world->impacts.agenda);
    assert_int_equal(compare_events(world, &taken, &left->events[first]), 0);
    left->events[first] = left->events[--left->count];
}

static void events_come_in_order(void **state)
{
    (void)state;
    random_state random = random_seed(1);
    graze_world *world = kit_world();
    for (int k = 0; k < MOVERS; ++k) {
        (void)kit_add(world, kit_circle((float)(3 * (7 * k % MOVERS)), 0, 1));
    }
    for (int number = 0; number < WORLDS; ++number) {
        pool left = {.count = 0};
        grz_events_clear(&world->impacts.agenda);
        for (uint32_t count = random_below(&random, EVENTS / 2); count > 0; --count) {
            add_event(world, &left, &random);
        }
        for (uint32_t later = EVENTS / 2; left.count > 0;) {
            if (later > 0 && random_below(&random, 2) == 0) {
                add_event(world, &left, &random);
                --later;
            } else {
                take_event(world, &left);
            }
        }
        assert_false(grz_events_are_left(&world->impacts.agenda));
    }
    graze_world_destroy(world);
}

// There is room for as many events as trajectory.h promises; if there were more, it would have
// grown.
static void many_bodies_in_one_point_foresee_few_touches(void **state)
{
    (void)state;
    enum { BODIES = 300, PAIRS = BODIES * (BODIES - 1) / 2, MOST = 5 * PAIRS + 1024 * BODIES };
    random_state random = random_seed(7);
    for (int scene = 0; scene < 2; ++scene) {
        graze_world *world = kit_world();
        for (uint32_t i = 0; i < BODIES; ++i) {
            graze_body_def def = kit_circle(0, 0, 0.5f);
            def.response = scene ? GRAZE_BOUNCE : GRAZE_SLIDE;
            def.restitution = (float)scene;
            def.velocity.x = random_float(&random, -5, 5);
            def.velocity.y = random_float(&random, -5, 5);
            kit_add(world, def);
        }
        assert_true(
            grz_array_reserve_exact(&world->impacts.agenda.events, &world->config.counting, MOST));
        const uint32_t room = world->impacts.agenda.events.capacity;
        assert_true(room >= MOST && room < MOST + 64);
        for (uint32_t step = 0; step < 5; ++step) {
            kit_step(world, 1.0f / 60);
            assert_int_equal(world->impacts.agenda.events.capacity, room);
        }
        graze_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(events_come_in_order),
        cmocka_unit_test(many_bodies_in_one_point_foresee_few_touches),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
