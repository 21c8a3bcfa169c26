#include "world_kit.h"

/// What was drawn, in order: one letter each, and the ids.
typedef struct canvas {
    char letters[64];
    uint32_t count;
    uint32_t indices[64];
    graze_segment segments[16];
    graze_circle circle;
    graze_rect rect;
    graze_ray ray;
    graze_contact contact;
    uint32_t cell_bodies;
    bool bullet_is_in_cell;
} canvas;

static void note(canvas *drawn, char letter, uint32_t index)
{
    drawn->letters[drawn->count] = letter;
    drawn->indices[drawn->count++] = index;
}

static void draw_segment(graze_segment segment, graze_segment_id id, void *user)
{
    canvas *drawn = user;
    drawn->segments[drawn->count] = segment;
    note(drawn, 's', id.chain.index * 10 + id.index);
}

static void draw_circle(graze_circle circle, graze_body_id body, void *user)
{
    canvas *drawn = user;
    drawn->circle = circle;
    note(drawn, 'c', body.index);
}

static void draw_rect(graze_rect rect, graze_body_id body, void *user)
{
    canvas *drawn = user;
    drawn->rect = rect;
    note(drawn, 'r', body.index);
}

static void draw_ray(graze_ray ray, graze_body_id body, void *user)
{
    canvas *drawn = user;
    drawn->ray = ray;
    note(drawn, 'b', body.index);
}

static void draw_contact(const graze_contact *contact, void *user)
{
    canvas *drawn = user;
    drawn->contact = *contact;
    note(drawn, 'x', contact->a.index);
}

// Cells overlap where bodies have several sizes; what counts is that all bodies are in some.
static void draw_cell(graze_aabb cell, uint32_t bodies, void *user)
{
    canvas *drawn = user;
    const graze_vec2 bullet = {95, 96};
    drawn->cell_bodies += bodies;
    drawn->bullet_is_in_cell |= cell.lower.x <= bullet.x && bullet.x <= cell.upper.x &&
                                cell.lower.y <= bullet.y && bullet.y <= cell.upper.y;
}

static graze_world *make_scene(void)
{
    graze_world *world = kit_world();
    const graze_vec2 triangle[] = {{50, 50}, {60, 50}, {55, 60}};
    graze_chain_id gone = kit_wall(world, 0, 0, 1, 1);
    kit_loop(world, triangle, 3);
    kit_wall(world, 70, 0, 71, 0);
    assert_int_equal(graze_chain_destroy(world, gone), GRAZE_OK);
    graze_body_def rect = kit_rect(3, 4, 2, 1);
    rect.angle = 0.5f;
    kit_add(world, rect);
    graze_body_id removed = kit_add(world, kit_circle(9, 9, 1));
    graze_body_def bullet = kit_moving(kit_bullet(90, 90, 0, 0), 5, 6, GRAZE_PASS);
    kit_add(world, bullet);
    kit_add(world, kit_circle(3, 5, 1));
    assert_int_equal(graze_body_destroy(world, removed), GRAZE_OK);
    kit_step(world, 1);
    return world;
}

static void drawing_of_circles_rects_and_vectors_shows_all_once_in_order(void **state)
{
    (void)state;
    graze_world *world = make_scene();
    canvas drawn = {.count = 0};
    const graze_painter painter = {draw_segment, draw_circle, draw_rect, draw_ray,
                                   draw_contact, draw_cell,   &drawn};
    graze_debug_draw(world, &painter);
    assert_string_equal(drawn.letters, "ssssrbcx");
    const uint32_t indices[] = {10, 11, 12, 20, 0, 2, 3, 0};
    assert_memory_equal(drawn.indices, indices, sizeof indices);
    kit_assert_near_vec2(drawn.segments[2].a, 55, 60, 0);
    kit_assert_near_vec2(drawn.segments[2].b, 50, 50, 0);
    kit_assert_near_vec2(drawn.circle.center, 3, 5, 0);
    kit_assert_near(drawn.circle.radius, 1, 0);
    kit_assert_near_vec2(drawn.rect.half, 2, 1, 0);
    kit_assert_near(drawn.rect.rotation.sine, 0.47942554f, 1e-6f);
    kit_assert_near_vec2(drawn.ray.origin, 95, 96, 0);
    kit_assert_near_vec2(drawn.ray.delta, 5, 6, 0);
    assert_memory_equal(&drawn.contact, graze_world_contacts(world).data, sizeof drawn.contact);
    assert_int_equal(drawn.cell_bodies, 3);
    assert_true(drawn.bullet_is_in_cell);
    graze_world_destroy(world);
}

static void a_kind_without_a_function_is_left_out(void **state)
{
    (void)state;
    graze_world *world = make_scene();
    const char *const expected[] = {"rbcx", "ssssrbx", "ssssbcx", "ssssrcx", "ssssrbc", ""};
    for (uint32_t missing = 0; missing < 6; ++missing) {
        canvas drawn = {.count = 0};
        graze_painter painter = {draw_segment, draw_circle, draw_rect, draw_ray,
                                 draw_contact, draw_cell,   &drawn};
        painter.segment = missing == 0 || missing == 5 ? NULL : draw_segment;
        painter.circle = missing == 1 || missing == 5 ? NULL : draw_circle;
        painter.rect = missing == 2 || missing == 5 ? NULL : draw_rect;
        painter.ray = missing == 3 || missing == 5 ? NULL : draw_ray;
        painter.contact = missing == 4 || missing == 5 ? NULL : draw_contact;
        graze_debug_draw(world, &painter);
        assert_string_equal(drawn.letters, expected[missing]);
    }
    graze_world_destroy(world);
}

static void an_empty_world_draws_nothing(void **state)
{
    (void)state;
    graze_world *world = kit_world();
    canvas drawn = {.count = 0};
    const graze_painter painter = {draw_segment, draw_circle, draw_rect, draw_ray,
                                   draw_contact, draw_cell,   &drawn};
    graze_debug_draw(world, &painter);
    assert_int_equal(drawn.count, 0);
    assert_int_equal(drawn.cell_bodies, 0);
    graze_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(drawing_of_circles_rects_and_vectors_shows_all_once_in_order),
        cmocka_unit_test(a_kind_without_a_function_is_left_out),
        cmocka_unit_test(an_empty_world_draws_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
