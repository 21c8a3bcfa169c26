// Boxes that move among boxes, as arcade collision libraries do it.
//
// The facts, scenes of boxes by left, top, width and height with where the moving one ends, are
// those that Enrique Garcia Cota 2012-2022, "bump.lua", publishes in its specification tests
// (spec/responses_spec.lua, rect_spec.lua, World_spec.lua). Its touch is GRAZE_STOP, its cross
// GRAZE_PASS, its slide GRAZE_SLIDE, its bounce GRAZE_BOUNCE with restitution 1. A move there is a
// step of one second here. Its normals are the obstacle's; those of a contact point into it.
//
// Two differences are intended: boxes that overlap at the start are pushed apart over several steps
// here, but placed outside at once there; and shapes that only touch are a contact only here.
#include "world_kit.h"

/// Left, top, width, height.
typedef struct box {
    float x, y, w, h;
} box;

/// What a moving box does at one obstacle.
typedef struct scene {
    box mover, obstacle;
    graze_vec2 goal;   ///< Left and top, where nothing is in the way.
    graze_vec2 touch;  ///< Left and top, where it touches.
    graze_vec2 normal; ///< The obstacle's.
    graze_vec2 end;    ///< Left and top, after the step.
} scene;

static const float tolerance = 1e-5f;

static graze_body_def body_of(box of)
{
    return kit_rect(of.x + of.w / 2, of.y + of.h / 2, of.w / 2, of.h / 2);
}

static graze_body_id add_obstacle(graze_world *world, box of)
{
    graze_body_def def = body_of(of);
    def.mass = 0;
    return kit_add(world, def);
}

static graze_body_id add_mover(graze_world *world, box of, graze_vec2 goal, graze_response response)
{
    graze_body_def def = kit_moving(body_of(of), goal.x - of.x, goal.y - of.y, response);
    def.restitution = 1;
    return kit_add(world, def);
}

static void assert_left_top(const graze_world *world, graze_body_id body, box of, graze_vec2 end)
{
    kit_assert_near_vec2(graze_body_position(world, body), end.x + of.w / 2, end.y + of.h / 2,
                         tolerance);
}

// Where the mover was at the time of the contact, if nothing deflected it before.
static void assert_touched_at(const graze_contact *contact, const scene *of)
{
    float x = of->mover.x + (of->goal.x - of->mover.x) * contact->time;
    float y = of->mover.y + (of->goal.y - of->mover.y) * contact->time;
    kit_assert_near(x, of->touch.x, tolerance);
    kit_assert_near(y, of->touch.y, tolerance);
}

static void assert_scene(const scene *of, graze_response response)
{
    graze_world *world = kit_world();
    graze_body_id obstacle = add_obstacle(world, of->obstacle);
    graze_body_id mover = add_mover(world, of->mover, of->goal, response);
    kit_step(world, 1);
    const graze_contact *contact = kit_find_contact(world, mover, obstacle);
    assert_non_null(contact);
    assert_touched_at(contact, of);
    kit_assert_near_vec2(contact->normal, of->normal.x, of->normal.y, tolerance);
    assert_true(contact->flags & GRAZE_CONTACT_BLOCKED);
    assert_left_top(world, mover, of->mover, of->end);
    graze_world_destroy(world);
}

static void assert_scenes(const scene *scenes, size_t count, graze_response response)
{
    for (size_t i = 0; i < count; ++i) {
        assert_scene(&scenes[i], response);
    }
}

static void a_box_that_touches_stops_where_it_touches(void **state)
{
    (void)state;
    const scene scenes[] = {
        {{-3, 3, 2, 2}, {0, 0, 8, 8}, {3, 3}, {-2, 3}, {-1, 0}, {-2, 3}},
        {{9, 3, 2, 2}, {0, 0, 8, 8}, {3, 3}, {8, 3}, {1, 0}, {8, 3}},
        {{3, -3, 2, 2}, {0, 0, 8, 8}, {3, 3}, {3, -2}, {0, -1}, {3, -2}},
        {{3, 9, 2, 2}, {0, 0, 8, 8}, {3, 3}, {3, 8}, {0, 1}, {3, 8}},
        {{32, 50, 20, 20}, {0, 0, 32, 100}, {30, 50}, {32, 50}, {1, 0}, {32, 50}},
    };
    assert_scenes(scenes, sizeof scenes / sizeof scenes[0], GRAZE_STOP);
}

static void a_box_that_slides_goes_on_along_the_side(void **state)
{
    (void)state;
    const scene scenes[] = {
        {{10, 10, 2, 2}, {0, 0, 8, 8}, {1, 4}, {7, 8}, {0, 1}, {1, 8}},
        {{10, 10, 2, 2}, {0, 0, 8, 8}, {4, 1}, {8, 7}, {1, 0}, {8, 1}},
    };
    assert_scenes(scenes, sizeof scenes / sizeof scenes[0], GRAZE_SLIDE);
}

static void a_box_that_bounces_comes_back_by_what_was_left(void **state)
{
    (void)state;
    const scene scenes[] = {
        {{10, 10, 2, 2}, {0, 0, 8, 8}, {1, 4}, {7, 8}, {0, 1}, {1, 12}},
        {{10, 10, 2, 2}, {0, 0, 8, 8}, {4, 1}, {8, 7}, {1, 0}, {12, 1}},
        {{0, 0, 1, 1}, {0, 2, 1, 2}, {0, 5}, {0, 1}, {0, -1}, {0, -3}},
    };
    assert_scenes(scenes, sizeof scenes / sizeof scenes[0], GRAZE_BOUNCE);
}

// Corner on corner both sides are touched at once: the vertical side counts.
static void a_box_that_comes_corner_on_corner_meets_the_upright_side(void **state)
{
    (void)state;
    const scene slide = {{10, 10, 2, 2}, {0, 0, 8, 8}, {1, 1}, {8, 8}, {1, 0}, {8, 1}};
    const scene bounce = {{10, 10, 2, 2}, {0, 0, 8, 8}, {1, 1}, {8, 8}, {1, 0}, {15, 1}};
    assert_scene(&slide, GRAZE_SLIDE);
    assert_scene(&bounce, GRAZE_BOUNCE);
}

static void the_time_of_a_touch_is_its_share_of_the_way(void **state)
{
    (void)state;
    const struct {
        box mover, obstacle;
        graze_vec2 goal;
        float time;
        graze_vec2 normal;
    } facts[] = {
        {{1, 1, 1, 1}, {5, 0, 1, 1}, {6, 0}, 0.6f, {-1, 0}},
        {{6, 0, 1, 1}, {1, 0, 1, 1}, {1, 1}, 0.8f, {1, 0}},
        {{0, 0, 1, 1}, {0, 4, 1, 1}, {0, 5}, 0.6f, {0, -1}},
        {{0, 4, 1, 1}, {0, 0, 1, 1}, {0, -1}, 0.6f, {0, 1}},
    };
    for (size_t i = 0; i < sizeof facts / sizeof facts[0]; ++i) {
        graze_world *world = kit_world();
        graze_body_id obstacle = add_obstacle(world, facts[i].obstacle);
        graze_body_id mover = add_mover(world, facts[i].mover, facts[i].goal, GRAZE_PASS);
        kit_step(world, 1);
        const graze_contact *contact = kit_find_contact(world, mover, obstacle);
        assert_non_null(contact);
        kit_assert_near(contact->time, facts[i].time, 1e-6f);
        kit_assert_near_vec2(contact->normal, facts[i].normal.x, facts[i].normal.y, tolerance);
        graze_world_destroy(world);
    }
}

static void a_box_far_from_the_way_is_not_met(void **state)
{
    (void)state;
    graze_world *world = kit_world();
    const box obstacle = {5, 5, 1, 1};
    const box of = {0, 0, 1, 1};
    const graze_vec2 goal = {0, 1};
    add_obstacle(world, obstacle);
    graze_body_id mover = add_mover(world, of, goal, GRAZE_STOP);
    kit_step(world, 1);
    assert_int_equal(kit_count_contacts(world, mover), 0);
    assert_left_top(world, mover, of, goal);
    graze_world_destroy(world);
}

static void a_box_that_leaves_the_corner_it_stands_at_is_not_caught_by_it(void **state)
{
    (void)state;
    const graze_response responses[] = {GRAZE_STOP, GRAZE_SLIDE, GRAZE_BOUNCE};
    const box corner = {16, 0, 16, 16};
    const box of = {0, 16, 16, 16};
    const graze_vec2 goal = {-1, 15};
    for (size_t i = 0; i < 3; ++i) {
        graze_world *world = kit_world();
        add_obstacle(world, corner);
        graze_body_id mover = add_mover(world, of, goal, responses[i]);
        kit_step(world, 1);
        assert_left_top(world, mover, of, goal);
        graze_world_destroy(world);
    }
}

/// One box that moves among two others.
typedef struct course {
    graze_world *world;
    graze_body_id mover, first, second;
} course;

static course run_course(box first, box second, graze_vec2 goal, graze_response response)
{
    const box of = {0, 0, 1, 1};
    course run = {.world = kit_world()};
    run.mover = add_mover(run.world, of, goal, response);
    run.first = add_obstacle(run.world, first);
    run.second = add_obstacle(run.world, second);
    kit_step(run.world, 1);
    return run;
}

static void of_two_boxes_the_first_is_touched_and_both_are_crossed(void **state)
{
    (void)state;
    const box of = {0, 0, 1, 1};
    const box near = {0, 2, 1, 1};
    const box far = {0, 3, 1, 1};
    const graze_vec2 goal = {0, 5};
    const graze_vec2 touch = {0, 1};
    course run = run_course(near, far, goal, GRAZE_STOP);
    assert_left_top(run.world, run.mover, of, touch);
    assert_int_equal(kit_count_contacts(run.world, run.mover), 1);
    assert_non_null(kit_find_contact(run.world, run.mover, run.first));
    graze_world_destroy(run.world);

    run = run_course(near, far, goal, GRAZE_PASS);
    assert_left_top(run.world, run.mover, of, goal);
    const graze_contact *first = kit_find_contact(run.world, run.mover, run.first);
    const graze_contact *second = kit_find_contact(run.world, run.mover, run.second);
    assert_non_null(first);
    assert_non_null(second);
    assert_true(first->time < second->time);
    graze_world_destroy(run.world);
}

// The box slides down the side of one, and past the corner of the other, which it only touches.
static void a_box_slides_between_two_boxes_that_leave_just_room_for_it(void **state)
{
    (void)state;
    const box of = {0, 0, 1, 1};
    const box below = {0, 2, 1, 2};
    const box beside = {2, 1, 1, 1};
    const graze_vec2 goal = {5, 5};
    const graze_vec2 end = {1, 5};
    course run = run_course(below, beside, goal, GRAZE_SLIDE);
    assert_left_top(run.world, run.mover, of, end);
    const graze_contact *hit = kit_find_contact(run.world, run.mover, run.second);
    assert_non_null(hit);
    assert_true(hit->flags & GRAZE_CONTACT_BLOCKED);
    const graze_contact *grazed = kit_find_contact(run.world, run.mover, run.first);
    assert_true(!grazed || !(grazed->flags & GRAZE_CONTACT_BLOCKED));
    graze_world_destroy(run.world);
}

static void crossed_boxes_are_met_in_order(void **state)
{
    (void)state;
    graze_world *world = kit_world();
    const box of = {110, 0, 10, 10};
    const graze_vec2 goal = {10, 0};
    const float lefts[3] = {70, 50, 90};
    const float times[3] = {0.3f, 0.5f, 0.1f};
    graze_body_id boxes[3];
    for (int i = 0; i < 3; ++i) {
        const box obstacle = {lefts[i], 0, 10, 10};
        boxes[i] = add_obstacle(world, obstacle);
    }
    graze_body_id mover = add_mover(world, of, goal, GRAZE_PASS);
    kit_step(world, 1);
    for (int i = 0; i < 3; ++i) {
        const graze_contact *contact = kit_find_contact(world, mover, boxes[i]);
        assert_non_null(contact);
        kit_assert_near(contact->time, times[i], 1e-6f);
    }
    graze_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_box_that_touches_stops_where_it_touches),
        cmocka_unit_test(a_box_that_slides_goes_on_along_the_side),
        cmocka_unit_test(a_box_that_bounces_comes_back_by_what_was_left),
        cmocka_unit_test(a_box_that_comes_corner_on_corner_meets_the_upright_side),
        cmocka_unit_test(the_time_of_a_touch_is_its_share_of_the_way),
        cmocka_unit_test(a_box_far_from_the_way_is_not_met),
        cmocka_unit_test(a_box_that_leaves_the_corner_it_stands_at_is_not_caught_by_it),
        cmocka_unit_test(of_two_boxes_the_first_is_touched_and_both_are_crossed),
        cmocka_unit_test(a_box_slides_between_two_boxes_that_leave_just_room_for_it),
        cmocka_unit_test(crossed_boxes_are_met_in_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
