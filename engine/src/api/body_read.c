// The getters of bodies, and the columns.

#include <graze/body.h>

#include "world/bodies.h"

bool graze_body_id_equal(graze_body_id first, graze_body_id second)
{
    return first.index == second.index && first.generation == second.generation;
}

bool graze_body_is_valid(const graze_world *world, graze_body_id body)
{
    return grz_bodies_find(world, body) != GRZ_NONE;
}

// The hot part of a body that is in the world or removed; zeros for any other id. The compiler
// drops reads of parts that a caller does not use.
static grz_removed read_hot(const graze_world *world, graze_body_id body)
{
    const uint32_t row = grz_bodies_find(world, body);
    if (row != GRZ_NONE) {
        return grz_bodies_read_row(world, row);
    }
    const grz_removed *removed = grz_bodies_find_removed(world, body);
    const grz_removed nothing = {0};
    return removed ? *removed : nothing;
}

graze_vec2 graze_body_position(const graze_world *world, graze_body_id body)
{
    return read_hot(world, body).position;
}

graze_vec2 graze_body_velocity(const graze_world *world, graze_body_id body)
{
    return read_hot(world, body).velocity;
}

float graze_body_angle(const graze_world *world, graze_body_id body)
{
    return read_hot(world, body).angle;
}

float graze_body_spin(const graze_world *world, graze_body_id body)
{
    return read_hot(world, body).spin;
}

graze_shape graze_body_shape(const graze_world *world, graze_body_id body)
{
    return read_hot(world, body).shape;
}

// The cold part of a body that is in the world or removed; null for any other id.
static const grz_body *find_cold(const graze_world *world, graze_body_id body)
{
    const bool known =
        grz_bodies_find(world, body) != GRZ_NONE || grz_bodies_find_removed(world, body);
    return known ? &world->bodies.cold.data[body.index] : NULL;
}

graze_filter graze_body_filter(const graze_world *world, graze_body_id body)
{
    const graze_filter none = {0, 0, 0, 0};
    return find_cold(world, body) ? *grz_filter_of(world, body.index) : none;
}

graze_response graze_body_response(const graze_world *world, graze_body_id body)
{
    const grz_body *cold = find_cold(world, body);
    return cold ? (graze_response)cold->response : GRAZE_PASS;
}

// The material of a body that is in the world or removed; zeros for any other id.
static grz_material read_material(const graze_world *world, graze_body_id body)
{
    const grz_material nothing = {0, {0, 0, 0, 0}};
    return find_cold(world, body) ? grz_material_of(world, body.index) : nothing;
}

float graze_body_mass(const graze_world *world, graze_body_id body)
{
    return read_material(world, body).mass;
}

graze_surface graze_body_surface(const graze_world *world, graze_body_id body)
{
    return read_material(world, body).surface;
}

float graze_body_restitution(const graze_world *world, graze_body_id body)
{
    return read_material(world, body).surface.restitution;
}

float graze_body_friction(const graze_world *world, graze_body_id body)
{
    return read_material(world, body).surface.friction;
}

float graze_body_inertia(const graze_world *world, graze_body_id body)
{
    const grz_removed hot = read_hot(world, body);
    return find_cold(world, body) ? grz_inertia_of(world, body.index, hot.shape) : 0;
}

// How a body in the world or a removed one moves; zeros for any other id.
static grz_dynamics read_dynamics(const graze_world *world, graze_body_id body)
{
    const grz_dynamics nothing = {0, 0, 0, 0, 0, 0};
    return find_cold(world, body) ? grz_dynamics_of(world, body.index) : nothing;
}

float graze_body_damping(const graze_world *world, graze_body_id body)
{
    return read_dynamics(world, body).damping;
}

float graze_body_spin_damping(const graze_world *world, graze_body_id body)
{
    return read_dynamics(world, body).spin_damping;
}

float graze_body_gravity_scale(const graze_world *world, graze_body_id body)
{
    return read_dynamics(world, body).gravity_scale;
}

bool graze_body_never_sleeps(const graze_world *world, graze_body_id body)
{
    return (read_dynamics(world, body).flags & GRZ_NEVER_SLEEPS) != 0;
}

bool graze_body_is_asleep(const graze_world *world, graze_body_id body)
{
    return (read_dynamics(world, body).flags & GRZ_ASLEEP) != 0;
}

// A removed body has none left, whatever the columns still hold.
static grz_life read_life(const graze_world *world, graze_body_id body)
{
    const bool is_there = grz_bodies_find(world, body) != GRZ_NONE;
    return is_there ? grz_life_of(world, body.index) : grz_optional_default.life;
}

float graze_body_lifetime(const graze_world *world, graze_body_id body)
{
    return read_life(world, body).lifetime;
}

uint32_t graze_body_hit_limit(const graze_world *world, graze_body_id body)
{
    const grz_life life = read_life(world, body);
    return life.hit_limit - life.hit_count;
}

bool graze_body_is_sensor(const graze_world *world, graze_body_id body)
{
    const grz_body *cold = find_cold(world, body);
    return cold && cold->sensor;
}

uint64_t graze_body_user_data(const graze_world *world, graze_body_id body)
{
    return find_cold(world, body) ? grz_user_data_of(world, body.index) : 0;
}

static void give_count(const graze_world *world, uint32_t *count)
{
    if (count) {
        *count = world->bodies.count;
    }
}

const graze_vec2 *graze_world_positions(const graze_world *world, uint32_t *count)
{
    give_count(world, count);
    return world->bodies.count ? world->bodies.rows.position : NULL;
}

const graze_vec2 *graze_world_velocities(const graze_world *world, uint32_t *count)
{
    give_count(world, count);
    return world->bodies.count ? world->bodies.rows.velocity : NULL;
}

const float *graze_world_angles(const graze_world *world, uint32_t *count)
{
    give_count(world, count);
    return world->bodies.count ? world->bodies.rows.angle : NULL;
}

const uint32_t *graze_world_indices(const graze_world *world, uint32_t *count)
{
    give_count(world, count);
    return world->bodies.count ? world->bodies.rows.index : NULL;
}

graze_body_id graze_world_body_at(const graze_world *world, uint32_t index)
{
    const graze_body_id none = {0, 0};
    if (index >= world->bodies.cold.count || world->bodies.row_of_index.data[index] >= GRZ_NONE) {
        return none;
    }
    return grz_bodies_id(world, index);
}
