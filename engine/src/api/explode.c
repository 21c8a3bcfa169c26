// graze_world_explode: impulses away from a point.

#include <graze/world.h>

#include "api/query_api.h"
#include "collide/sleep.h"
#include "plural.h"
#include "vec2d.h"
#include "world/bodies.h"
#include "world/call_hook.h"
#include "world/message.h"
#include "world/rows.h"
#include "world/value_check.h"

// Bodies are found first, and pushed then: those at rest wake, which moves them between the grids
// that are searched. None depends on another.

/// An explosion, and the bodies that it may reach.
typedef struct blast {
    graze_world *world;
    grz_record_blast from;
    grz_numbers indices;
    bool has_memory;
} blast;

static void list_body(void *context, grz_row row)
{
    blast *all = context;
    graze_world *world = all->world;
    if (!grz_takes_impulses(world->bodies.rows.traits[row]) || !all->has_memory) {
        return;
    }
    all->has_memory = grz_array_reserve_more(&all->indices, &world->config.counting, 1);
    if (all->has_memory) {
        all->indices.data[all->indices.count++] = world->bodies.rows.index[row];
    }
}

// More than the rounding of its sides: which bodies are reached is decided one by one.
static graze_aabb box_around(graze_vec2 center, float radius)
{
    const double x = (double)center.x, y = (double)center.y;
    const double reach =
        (double)radius + ((double)radius + absolute(x) + absolute(y)) * grz_query_margin;
    const graze_aabb box = {narrow_reported2(vec2d(x - reach, y - reach)),
                            narrow_reported2(vec2d(x + reach, y + reach))};
    return box;
}

static graze_vec2d clamp_to_half(graze_vec2d v, graze_vec2 half)
{
    const double x = (double)half.x, y = (double)half.y;
    return vec2d(clamp(v.x, -x, x), clamp(v.y, -y, y));
}

// The point of a body that is nearest to one that lies at `to`, and is that itself inside, to the
// last bit; both are relative to its centre.
static graze_vec2d find_nearest(const grz_rows *rows, grz_row row, graze_vec2d to)
{
    const graze_vec2 half = rows->half[row];
    if (!grz_has_sides(rows->traits[row])) {
        const double distance = length_of(to);
        const double radius = (double)half.x;
        return distance > radius ? scale(to, radius / distance) : to;
    }
    const graze_rotation rotation = grz_rotation_of(rows, row);
    const graze_vec2d u = vec2d((double)rotation.cosine, (double)rotation.sine);
    const graze_vec2d v = left_of(u);
    const graze_vec2d turned = vec2d(dot(to, u), dot(to, v)), own = clamp_to_half(turned, half);
    const bool is_inside = own.x == turned.x && own.y == turned.y;
    return is_inside ? to : add(scale(u, own.x), scale(v, own.y));
}

// From inside a body the impulse leads towards its centre, and from its very centre nowhere.
static void push_body(const blast *all, grz_index index)
{
    graze_world *world = all->world;
    const grz_record_blast *from = &all->from;
    const grz_row row = world->bodies.row_of_index.data[index];
    const graze_vec2d to = offset(from->center, world->bodies.rows.position[row]);
    const graze_vec2d nearest = find_nearest(&world->bodies.rows, row, to);
    const graze_vec2d gap = subtract(nearest, to);
    const double distance = length_of(gap);
    const double radius = (double)from->radius;
    const graze_vec2d way = distance > 0 ? gap : negate(to);
    const double length = length_of(way);
    if (!(distance < radius) || !(length > 0) || from->impulse == 0) {
        return;
    }
    const double strength = (double)from->impulse * (1 - distance / radius);
    const graze_vec2d impulse = scale(way, strength / length);
    grz_sleep_wake(world, index);
    grz_bodies_push(world, world->bodies.row_of_index.data[index], impulse,
                    cross(nearest, impulse));
}

static graze_status push_all(graze_world *world, const grz_record_blast *from)
{
    blast all = {.world = world, .from = *from, .has_memory = true};
    const grz_visitor visitor = {world, from->filter, list_body, &all};
    grz_visit_box(&visitor, box_around(from->center, from->radius));
    for (uint32_t k = 0; all.has_memory && k < all.indices.count; ++k) {
        push_body(&all, all.indices.data[k]);
    }
    const uint32_t count = all.indices.count;
    grz_array_free(&all.indices, &world->config.counting);
    return all.has_memory ? GRAZE_OK
                          : grz_fail(world, GRAZE_ERROR_OUT_OF_MEMORY,
                                     "graze_world_explode: no memory for more than %u %s",
                                     (unsigned)count, grz_plural(count, "body", "bodies"));
}

graze_status graze_world_explode(graze_world *world, graze_vec2 center, float radius, float impulse,
                                 graze_filter filter)
{
    const grz_record_blast from = {center, radius, impulse, filter};
    grz_change call = grz_change_begin(world, GRZ_RECORD_EXPLODE);
    graze_status status = call.status;
    status = status ? status : grz_check_finite_point(&call.source, "center", center);
    status = status ? status : grz_check_at_least_zero(&call.source, "radius", radius);
    status = status ? status : grz_check_finite(&call.source, "impulse", impulse);
    call.status = status ? status : push_all(world, &from);
    return grz_change_end(&call, &from);
}
