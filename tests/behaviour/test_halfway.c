// Bodies whose centre is exactly on the line of a wall: they are half sunk in, and which side they
// are on is what the fill rule says of their centre.

#include "response_kit.h"

#include <math.h>

/// A body that is made half sunk into a wall whose line leads through its centre.
typedef struct sinking {
    int kind;
    graze_response response;
    double along_x, along_y; ///< A direction;
    double from, to;         ///< where the wall begins and ends, as multiples of that.
    double angle;            ///< Of a rect.
    double push_x, push_y;   ///< The body's velocity, units per second.
} sinking;

static double depth_in_wall(const graze_world *world)
{
    const graze_contact_list contacts = graze_world_contacts(world);
    double deepest = 0;
    for (uint32_t i = 0; i < contacts.count; ++i) {
        deepest = fmax(deepest, (double)contacts.data[i].depth);
    }
    return deepest;
}

// Of what is exactly on the line.
static bool is_left_by_fill_rule(const sinking *from)
{
    const double x = from->along_x * (from->to - from->from);
    const double y = from->along_y * (from->to - from->from);
    return y < 0 || (y == 0 && x > 0);
}

static bool is_left(const sinking *from, graze_vec2 at)
{
    const double x = from->along_x * (from->to - from->from);
    const double y = from->along_y * (from->to - from->from);
    return x * (double)at.y - y * (double)at.x > 0;
}

static void assert_leaves(const sinking *from)
{
    graze_world *world = kit_world();
    kit_wall(world, (float)(from->along_x * from->from), (float)(from->along_y * from->from),
             (float)(from->along_x * from->to), (float)(from->along_y * from->to));
    const graze_body_def def =
        kit_moving_mass(kit_shape_at(from->kind, 0, 0, from->angle), (float)from->push_x,
                        (float)from->push_y, from->response, 1);
    const graze_body_id body = kit_add(world, def);
    for (int step = 0; step < 4; ++step) {
        kit_step(world, 1.0f / 64);
    }
    const bool is_over_end = from->from * from->to > 0; // It may leave over the end.
    const bool is_out = depth_in_wall(world) < 1e-4;
    const bool is_on_its_side = is_over_end || is_left(from, graze_body_position(world, body)) ==
                                                   is_left_by_fill_rule(from);
    if (!is_out || !is_on_its_side) {
        fail_msg("%s, response %d, wall along (%g, %g) from %g to %g, angle %g, push (%g, %g): %s",
                 kit_shape_names[from->kind], (int)from->response, from->along_x, from->along_y,
                 from->from, from->to, from->angle, from->push_x, from->push_y,
                 is_out ? "came through" : "still sunk in");
    }
    graze_world_destroy(world);
}

// Of what is moved out along -normal, the point that leaves the wall last is as far on the other
// side of the centre as the overlap is deep.
static void assert_leaves_last(const sinking *from)
{
    graze_world *world = kit_world();
    kit_wall(world, (float)(from->along_x * from->from), (float)(from->along_y * from->from),
             (float)(from->along_x * from->to), (float)(from->along_y * from->to));
    kit_add(world, kit_shape_at(from->kind, 0, 0, from->angle));
    kit_step(world, 1.0f / 64);
    const graze_contact_list contacts = graze_world_contacts(world);
    assert_int_equal(contacts.count, 1);
    const graze_contact contact = contacts.data[0];
    const double out = (double)contact.point.x * (double)contact.normal.x +
                       (double)contact.point.y * (double)contact.normal.y;
    const bool is_of_centre = from->kind == 0 && out == 0;
    if (!is_of_centre && fabs(out - (double)contact.depth) > 1e-6) {
        fail_msg("%s, wall along (%g, %g) from %g to %g, angle %g: point (%.9g, %.9g), normal "
                 "(%.9g, %.9g), depth %.9g",
                 kit_shape_names[from->kind], from->along_x, from->along_y, from->from, from->to,
                 from->angle, (double)contact.point.x, (double)contact.point.y,
                 (double)contact.normal.x, (double)contact.normal.y, (double)contact.depth);
    }
    graze_world_destroy(world);
}

static const double walls[][2] = {{1, 0}, {0, 1}, {1, 1}, {2, 1}, {-1, 3}, {-1, 1}};
static const double spans[][2] = {{-4, 4}, {-1, 8}, {0.125, 8}};
static const double angles[] = {0, 0.3, 0.785398163397448, 2};

static void the_point_of_what_is_half_sunk_leaves_the_wall_last(void **state)
{
    (void)state;
    for (int k = 0; k < 2 * 6 * 2 * 2 * 4; ++k) {
        const double *span = spans[k / 12 % 2];
        const int begin = k / 24 % 2;
        const sinking from = {
            .kind = k % 2,
            .along_x = walls[k / 2 % 6][0],
            .along_y = walls[k / 2 % 6][1],
            .from = span[begin],
            .to = span[1 - begin],
            .angle = angles[k / 48],
        };
        assert_leaves_last(&from);
    }
}

static void what_is_half_sunk_into_a_wall_leaves_it(void **state)
{
    (void)state;
    static const double pushes[][2] = {{0, 0}, {1, 0}, {0, -1}, {-0.5, 1}};
    for (int k = 0; k < 2 * 2 * 6 * 3 * 2 * 4 * 4; ++k) {
        const double *span = spans[k / 24 % 3];
        const int begin = k / 72 % 2;
        const sinking from = {
            .kind = k % 2,
            .response = k / 2 % 2 ? GRAZE_SLIDE : GRAZE_BOUNCE,
            .along_x = walls[k / 4 % 6][0],
            .along_y = walls[k / 4 % 6][1],
            .from = span[begin],
            .to = span[1 - begin],
            .angle = angles[k / 144 % 4],
            .push_x = pushes[k / 576][0],
            .push_y = pushes[k / 576][1],
        };
        assert_leaves(&from);
    }
}

int main(void)
{

    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_half_sunk_into_a_wall_leaves_it),
        cmocka_unit_test(the_point_of_what_is_half_sunk_leaves_the_wall_last),
    };
    return cmocka_run_group_tests_name("halfway", tests, NULL, NULL);
}
