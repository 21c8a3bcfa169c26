// Bodies from objects of a Tiled map.

#include "tiled_reader.h"

#include <graze/shape.h>

#include <float.h>
#include <math.h>
#include <string.h>

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

static const grz_field body_fields[] = {
    {"velocity_x", GRZ_FLOAT, offsetof(graze_body_def, velocity.x), 0, 0},
    {"velocity_y", GRZ_FLOAT, offsetof(graze_body_def, velocity.y), 0, 0},
    {"spin", GRZ_FLOAT, offsetof(graze_body_def, spin), 0, 0},
    {"mass", GRZ_FLOAT, offsetof(graze_body_def, mass), 0, (double)FLT_MAX},
    {"restitution", GRZ_FLOAT, offsetof(graze_body_def, restitution), 0, 1},
    {"friction", GRZ_FLOAT, offsetof(graze_body_def, friction), 0, (double)FLT_MAX},
    {"rolling_resistance", GRZ_FLOAT, offsetof(graze_body_def, surface.rolling_resistance), 0,
     (double)FLT_MAX},
    {"surface_speed", GRZ_FLOAT, offsetof(graze_body_def, surface.speed), 0, 0},
    {"inertia", GRZ_FLOAT, offsetof(graze_body_def, inertia), 0, (double)FLT_MAX},
    {"damping", GRZ_FLOAT, offsetof(graze_body_def, damping), 0, (double)FLT_MAX},
    {"spin_damping", GRZ_FLOAT, offsetof(graze_body_def, spin_damping), 0, (double)FLT_MAX},
    {"gravity_scale", GRZ_FLOAT, offsetof(graze_body_def, gravity_scale), 0, 0},
    {"never_sleeps", GRZ_BOOL, offsetof(graze_body_def, never_sleeps), 0, 0},
    {"response", GRZ_RESPONSE, offsetof(graze_body_def, response), 0, 0},
    {"sensor", GRZ_BOOL, offsetof(graze_body_def, sensor), 0, 0},
    {"hit_limit", GRZ_UINT32, offsetof(graze_body_def, hit_limit), 0, 0},
    {"lifetime", GRZ_FLOAT, offsetof(graze_body_def, lifetime), 0, (double)FLT_MAX},
    {"category", GRZ_UINT32, offsetof(graze_body_def, filter.category), 0, 0},
    {"mask", GRZ_UINT32, offsetof(graze_body_def, filter.mask), 0, 0},
    {"pass", GRZ_UINT32, offsetof(graze_body_def, filter.pass), 0, 0},
    {"group", GRZ_INT32, offsetof(graze_body_def, filter.group), 0, 0},
    {"user_data", GRZ_UINT64, offsetof(graze_body_def, user_data), 0, 0},
};

static bool set_circle(const grz_json *json, const cJSON *object, const grz_frame *frame,
                       graze_body_def *def)
{
    double difference = fabs(frame->width - frame->height);
    def->shape = graze_shape_circle((float)(frame->width / 2));
    return difference <= 1e-3 * fabs(frame->width) ||
           grz_json_fail(json, object, "an ellipse of %g x %g is no circle, so it can't be a body",
                         frame->width, frame->height);
}

static bool set_rect(const grz_json *json, const cJSON *object, const grz_frame *frame,
                     graze_body_def *def)
{
    const double pi = 3.14159265358979323846;
    double degrees = frame->degrees - 360.0 * floor(frame->degrees / 360.0 + 0.5);
    def->angle = (float)(degrees * pi / 180.0);
    def->shape = graze_shape_rect((float)(frame->width / 2), (float)(frame->height / 2));
    return (def->shape.half.x > 0 && def->shape.half.y > 0) ||
           grz_json_fail(json, object, "a body of %g x %g has no area", frame->width,
                         frame->height);
}

// A point is a bullet, or a circle when it has a property `radius`.
static bool set_point(const grz_scope *scope, graze_body_def *def)
{
    static const grz_field field = {"radius", GRZ_FLOAT, 0, 0, (double)FLT_MAX};
    float radius = -1;
    if (!grz_tiled_read_properties(scope, &field, 1, &radius)) {
        return false;
    }
    def->shape = radius >= 0 ? graze_shape_circle(radius) : graze_shape_ray();
    return true;
}

static bool set_shape(const grz_json *json, const grz_scope *scope, const grz_frame *frame,
                      graze_body_def *def)
{
    switch (grz_tiled_object_kind(scope->node)) {
    case GRZ_OBJECT_ELLIPSE:
        return set_circle(json, scope->node, frame, def);
    case GRZ_OBJECT_RECT:
    case GRZ_OBJECT_TILE:
        return set_rect(json, scope->node, frame, def);
    case GRZ_OBJECT_POINT:
        return set_point(scope, def);
    default:
        return grz_json_fail(json, scope->node,
                             "can't be a body: only rectangles, circles, points and tiles can");
    }
}

bool grz_tiled_add_body(grz_map_reader *reader, const grz_layer *layer, const grz_scope *scope,
                        const char *place)
{
    const grz_json *json = reader->json;
    graze_tiled_body body = {reader->def->body, place, reader->object};
    grz_frame frame;
    if (!grz_tiled_read_frame(json, scope->node, &frame) ||
        !set_shape(json, scope, &frame, &body.def) ||
        !grz_tiled_read_properties(scope, body_fields, COUNT_OF(body_fields), &body.def)) {
        return false;
    }
    graze_vec2d center = grz_tiled_find_center(reader, scope->node, &frame);
    center.x += layer->offset_x;
    center.y += layer->offset_y;
    if (!grz_tiled_round(center, &body.def.position)) {
        return grz_json_fail(json, scope->node, "its place is beyond the range of float");
    }
    if (body.def.shape.kind != GRAZE_SHAPE_RECT && body.def.response != GRAZE_RIGID) {
        body.def.spin = 0;
    }
    grz_push(reader->memory, reader->bodies, body);
    return true;
}
