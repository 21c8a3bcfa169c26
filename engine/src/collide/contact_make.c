#include "collide/contact_make.h"

float grz_approach_of_wall(const graze_world *world, grz_row row, graze_vec2 normal)
{
    const graze_vec2d course =
        offset(world->bodies.rows.end[row], world->bodies.rows.position[row]);
    return grz_reported_approach(dot(course, widen(normal)), grz_steps_per_second(world));
}

grz_contact grz_contact_on_course(const graze_world *world, grz_row row, graze_segment_id segment,
                                  const grz_touch *touch)
{
    grz_contact contact;
    grz_contact_begin(world, row, GRZ_NONE, segment, touch, &contact);
    contact.approach = grz_approach_of_wall(world, row, contact.normal);
    return contact;
}

// In units per step. Touches of walls are known without it at the end of the step; and of walls the
// reported normal counts, as for many rays at once.
static double find_approach(const graze_world *world, grz_row row_a, grz_row row_b,
                            const grz_touch *touch, graze_vec2 normal)
{
    if (row_b != GRZ_NONE) {
        return touch->approach;
    }
    return dot(grz_course_at(world, row_a, touch->time), widen(normal));
}

void grz_contact_fill(const graze_world *world, grz_row row_a, grz_row row_b,
                      graze_segment_id segment, const grz_touch *touch, grz_contact *contact)
{
    grz_contact_begin(world, row_a, row_b, segment, touch, contact);
    const double approach = find_approach(world, row_a, row_b, touch, contact->normal);
    contact->approach = grz_reported_approach(approach, grz_steps_per_second(world));
}

bool grz_contact_add(graze_world *world, grz_row row_a, grz_row row_b, graze_segment_id segment,
                     const grz_touch *touch)
{
    if (!grz_array_reserve_more(&world->found.contacts, &world->config.counting, 1)) {
        return false;
    }
    grz_contact_fill(world, row_a, row_b, segment, touch,
                     &world->found.contacts.data[world->found.contacts.count++]);
    return true;
}
