#include "response_kit.h"

#include <math.h>
#include <string.h>

graze_world *kit_world_with_gravity(float x, float y)
{
    graze_world_def def = graze_world_def_default();
    def.gravity.x = x;
    def.gravity.y = y;
    graze_world *world = graze_world_create(&def);
    assert_non_null(world);
    return world;
}

graze_chain_id kit_chain(graze_world *world, const graze_vec2 *points, uint32_t count, bool loop,
                         bool one_sided)
{
    graze_chain_def def = graze_chain_def_default();
    def.points = points;
    def.count = count;
    def.loop = loop;
    def.one_sided = one_sided;
    graze_chain_id chain = graze_chain_create(world, &def);
    assert_true(graze_chain_is_valid(world, chain));
    return chain;
}

void kit_step_and_count(graze_world *world, float dt, kit_tally *tally)
{
    kit_step(world, dt);
    graze_contact_list contacts = graze_world_contacts(world);
    tally->contacts += contacts.count;
    tally->ends += graze_world_contact_ends(world).count;
    for (uint32_t i = 0; i < contacts.count; ++i) {
        const graze_contact *contact = &contacts.data[i];
        tally->begins += contact->phase == GRAZE_CONTACT_BEGIN;
        tally->blocked += (contact->flags & GRAZE_CONTACT_BLOCKED) != 0;
        tally->dropped += (contact->flags & GRAZE_CONTACT_DROPPED) != 0;
        tally->depth = contact->depth > tally->depth ? contact->depth : tally->depth;
    }
}

void kit_assert_held(graze_world *world, graze_body_id body, const graze_vec2 *velocity,
                     uint32_t steps, const char *name)
{
    graze_vec2 start = graze_body_position(world, body);
    kit_tally tally = {0};
    for (uint32_t step = 0; step < steps; ++step) {
        if (velocity) {
            graze_body_set_velocity(world, body, *velocity);
        }
        kit_step_and_count(world, 1.0f / 60, &tally);
        graze_vec2 now = graze_body_position(world, body);
        if (memcmp(&now, &start, sizeof now) != 0 || tally.begins || tally.ends) {
            fail_msg("%s: step %u: (%.9g, %.9g) was (%.9g, %.9g), %u begins, %u ends", name,
                     (unsigned)step, (double)now.x, (double)now.y, (double)start.x, (double)start.y,
                     (unsigned)tally.begins, (unsigned)tally.ends);
        }
    }
}

const double kit_reach[KIT_SHAPES] = {0.5, 0.4, 0};
const char *const kit_shape_names[KIT_SHAPES] = {"circle", "rect", "ray"};

graze_body_def kit_shape_at(int kind, double x, double y, double angle)
{
    graze_body_def def = kind == 0   ? kit_circle((float)x, (float)y, 0.5f)
                         : kind == 1 ? kit_rect((float)x, (float)y, 0.7f, 0.4f)
                                     : kit_bullet((float)x, (float)y, 0, 0);
    def.hit_limit = 0;
    def.angle = kind == 1 ? (float)angle : 0;
    return def;
}

float kit_friction_on_walls(double friction)
{
    return (float)(friction * friction / (double)graze_surface_default().friction);
}

graze_body_def kit_sliding(graze_body_def def, double velocity_x, double velocity_y)
{
    return kit_moving(def, (float)velocity_x, (float)velocity_y, GRAZE_SLIDE);
}

graze_chain_id kit_wall_at(graze_world *world, double x, double y, double angle, double half)
{
    double along_x = half * cos(angle);
    double along_y = half * sin(angle);
    return kit_wall(world, (float)(x - along_x), (float)(y - along_y), (float)(x + along_x),
                    (float)(y + along_y));
}

graze_body_def kit_moving_mass(graze_body_def def, float velocity_x, float velocity_y,
                               graze_response response, float mass)
{
    def = kit_moving(def, velocity_x, velocity_y, response);
    def.mass = mass;
    return def;
}

void kit_assert_velocity(const graze_world *world, graze_body_id body, double x, double y)
{
    kit_assert_near_vec2(graze_body_velocity(world, body), (float)x, (float)y, 2e-6f);
}

double kit_speed(const graze_world *world, graze_body_id body)
{
    graze_vec2 velocity = graze_body_velocity(world, body);
    return hypot((double)velocity.x, (double)velocity.y);
}

double kit_along(graze_vec2 vector, double angle)
{
    return (double)vector.x * cos(angle) + (double)vector.y * sin(angle);
}
