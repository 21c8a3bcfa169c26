#include "scene_json.h"

#include "json_fields.h"
#include "json_reader.h"

#include <graze/shape.h>

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MAX_REPEATS = 1000000, MAX_SUBSTEPS = 64 };

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

/// A body as in the file: the shape's parts are beside the other keys.
typedef struct body_entry {
    graze_body_def def;
    float radius;
    graze_vec2 half;
} body_entry;

/// Copy number k of a body is k offsets away and rotated k times by `turn`.
typedef struct repeat_entry {
    uint32_t count;    ///< Copies in all, the first one included.
    graze_vec2 offset; ///< Units.
    float turn;        ///< Radians.
} repeat_entry;

static const grz_field filter_fields[] = {
    {"category", GRZ_UINT32, offsetof(graze_filter, category), 0, 0},
    {"mask", GRZ_UINT32, offsetof(graze_filter, mask), 0, 0},
    {"pass", GRZ_UINT32, offsetof(graze_filter, pass), 0, 0},
    {"group", GRZ_INT32, offsetof(graze_filter, group), 0, 0},
};

static const grz_field repeat_fields[] = {
    {"count", GRZ_UINT32, offsetof(repeat_entry, count), 0, 0},
    {"offset", GRZ_VEC2, offsetof(repeat_entry, offset), 0, 0},
    {"turn", GRZ_FLOAT, offsetof(repeat_entry, turn), 0, 0},
};

static const grz_field chain_fields[] = {
    {"points", GRZ_ELSEWHERE, 0, 0, 0},
    {"loop", GRZ_BOOL, offsetof(graze_chain_def, loop), 0, 0},
    {"one_sided", GRZ_BOOL, offsetof(graze_chain_def, one_sided), 0, 0},
    {"sensor", GRZ_BOOL, offsetof(graze_chain_def, sensor), 0, 0},
    {"surface", GRZ_ELSEWHERE, 0, 0, 0},
    {"surfaces", GRZ_ELSEWHERE, 0, 0, 0},
    {"filter", GRZ_ELSEWHERE, 0, 0, 0},
    {"user_data", GRZ_UINT64, offsetof(graze_chain_def, user_data), 0, 0},
};

#define BODY_FIELD(name) offsetof(body_entry, def) + offsetof(graze_body_def, name)

static const grz_field body_fields[] = {
    {"shape", GRZ_ELSEWHERE, 0, 0, 0},
    {"radius", GRZ_FLOAT, offsetof(body_entry, radius), 0, (double)FLT_MAX},
    {"half", GRZ_VEC2, offsetof(body_entry, half), (double)FLT_TRUE_MIN, (double)FLT_MAX},
    {"position", GRZ_VEC2, BODY_FIELD(position), 0, 0},
    {"velocity", GRZ_VEC2, BODY_FIELD(velocity), 0, 0},
    {"angle", GRZ_FLOAT, BODY_FIELD(angle), 0, 0},
    {"spin", GRZ_FLOAT, BODY_FIELD(spin), 0, 0},
    {"mass", GRZ_FLOAT, BODY_FIELD(mass), 0, (double)FLT_MAX},
    {"restitution", GRZ_FLOAT, BODY_FIELD(restitution), 0, 1},
    {"friction", GRZ_FLOAT, BODY_FIELD(friction), 0, (double)FLT_MAX},
    {"surface", GRZ_ELSEWHERE, 0, 0, 0},
    {"inertia", GRZ_FLOAT, BODY_FIELD(inertia), 0, (double)FLT_MAX},
    {"damping", GRZ_FLOAT, BODY_FIELD(damping), 0, (double)FLT_MAX},
    {"spin_damping", GRZ_FLOAT, BODY_FIELD(spin_damping), 0, (double)FLT_MAX},
    {"gravity_scale", GRZ_FLOAT, BODY_FIELD(gravity_scale), 0, 0},
    {"never_sleeps", GRZ_BOOL, BODY_FIELD(never_sleeps), 0, 0},
    {"response", GRZ_RESPONSE, BODY_FIELD(response), 0, 0},
    {"sensor", GRZ_BOOL, BODY_FIELD(sensor), 0, 0},
    {"hit_limit", GRZ_UINT32, BODY_FIELD(hit_limit), 0, 0},
    {"lifetime", GRZ_FLOAT, BODY_FIELD(lifetime), 0, (double)FLT_MAX},
    {"filter", GRZ_ELSEWHERE, 0, 0, 0},
    {"user_data", GRZ_UINT64, BODY_FIELD(user_data), 0, 0},
    {"repeat", GRZ_ELSEWHERE, 0, 0, 0},
};

static const grz_field scene_fields[] = {
    {"gravity", GRZ_VEC2, offsetof(cli_scene, gravity), 0, 0},
    {"dt", GRZ_FLOAT, offsetof(cli_scene, dt), (double)FLT_MIN, (double)FLT_MAX},
    {"steps", GRZ_UINT32, offsetof(cli_scene, steps), 0, CLI_MAX_STEPS},
    {"substeps", GRZ_UINT32, offsetof(cli_scene, substeps), 0, MAX_SUBSTEPS},
    {"y_down", GRZ_BOOL, offsetof(cli_scene, y_down), 0, 0},
    {"view", GRZ_ELSEWHERE, 0, 0, 0},
    {"terrain", GRZ_ELSEWHERE, 0, 0, 0},
    {"bodies", GRZ_ELSEWHERE, 0, 0, 0},
};

static bool read_filter(const grz_json *json, const cJSON *owner, graze_filter *filter)
{
    const cJSON *node = grz_json_get(owner, "filter");
    return !node ||
           grz_json_read_fields(json, node, filter_fields, COUNT_OF(filter_fields), filter);
}

static bool read_surface(const grz_json *json, const cJSON *node, graze_surface *surface)
{
    return !node ||
           grz_json_read_fields(json, node, grz_surface_fields, grz_surface_field_count, surface);
}

// One for each segment. What one does not say is as the chain's own.
static bool read_surfaces(const grz_json *json, const cJSON *node, const cli_chain *chain,
                          size_t segments, graze_surface **surfaces)
{
    const cJSON *array;
    if (!grz_json_get(node, "surfaces")) {
        return true;
    }
    if (!grz_json_expect_array(json, node, "surfaces", &array)) {
        return false;
    }
    for (const cJSON *child = array->child; child; child = child->next) {
        graze_surface surface = chain->def.surface;
        if (!read_surface(json, child, &surface)) {
            return false;
        }
        cli_push(*surfaces, surface);
    }
    return grz_list_count(*surfaces) == segments ||
           grz_json_fail(json, array, "must hold %zu, one for each segment, not %zu", segments,
                         grz_list_count(*surfaces));
}

static bool read_points(const grz_json *json, const cJSON *node, graze_vec2 **points)
{
    static const grz_field point = {"point", GRZ_VEC2, 0, 0, 0};
    const cJSON *array;
    if (!grz_json_expect_array(json, node, "points", &array)) {
        return false;
    }
    for (const cJSON *child = array->child; child; child = child->next) {
        graze_vec2 value;
        if (!grz_json_store(json, child, &point, &value)) {
            return false;
        }
        cli_push(*points, value);
    }
    if (grz_list_count(*points) < 2) {
        return grz_json_fail(json, array, "must hold at least 2 points, not %zu",
                             grz_list_count(*points));
    }
    return true;
}

static bool read_chain(cli_scene *scene, const grz_json *json, const cJSON *node, const char *place)
{
    cli_chain chain = {graze_chain_def_default(), 0, CLI_FILL_AUTO, 0, NULL};
    graze_vec2 *points = NULL;
    graze_surface *surfaces = NULL;
    chain.def.surface = cli_plain_surface;
    bool done =
        grz_json_read_fields(json, node, chain_fields, COUNT_OF(chain_fields), &chain.def) &&
        read_filter(json, node, &chain.def.filter) && read_points(json, node, &points) &&
        read_surface(json, grz_json_get(node, "surface"), &chain.def.surface) &&
        read_surfaces(json, node, &chain, grz_list_count(points) - !chain.def.loop, &surfaces);
    if (done) {
        chain.place = cli_scene_add_place(scene, place);
        chain.def.surfaces = surfaces;
        cli_scene_add_chain(scene, chain, points, grz_list_count(points));
    }
    if (done && surfaces) {
        cli_push(scene->surfaces, surfaces);
    } else {
        grz_list_free(surfaces);
    }
    grz_list_free(points);
    return done;
}

static bool fail_part(const grz_json *json, const cJSON *node, const char *part, const char *shape)
{
    return grz_json_fail(json, node, "a %s has no %s", shape, part);
}

// Only the parts that a shape has may be given.
static bool read_shape(const grz_json *json, const cJSON *node, body_entry *entry)
{
    const cJSON *shape = grz_json_get(node, "shape");
    const cJSON *radius = grz_json_get(node, "radius");
    const cJSON *half = grz_json_get(node, "half");
    const char *name = shape ? cJSON_GetStringValue(shape) : "circle";
    name = name ? name : "";
    if (strcmp(name, "circle") == 0) {
        entry->def.shape = graze_shape_circle(entry->radius);
        return !half || fail_part(json, half, "half", name);
    }
    if (strcmp(name, "ray") == 0) {
        entry->def.shape = graze_shape_ray();
        return (!half || fail_part(json, half, "half", name)) &&
               (!radius || fail_part(json, radius, "radius", name));
    }
    if (strcmp(name, "rect") == 0) {
        entry->def.shape = graze_shape_rect(entry->half.x, entry->half.y);
        return (half || grz_json_fail(json, node, "a rect needs \"half\": [x, y]")) &&
               (!radius || fail_part(json, radius, "radius", name));
    }
    return grz_json_refuse(json, shape, "\"circle\", \"rect\" or \"ray\"");
}

static bool read_repeat(const grz_json *json, const cJSON *body, repeat_entry *repeat)
{
    const cJSON *node = grz_json_get(body, "repeat");
    if (!node) {
        return true;
    }
    if (!grz_json_read_fields(json, node, repeat_fields, COUNT_OF(repeat_fields), repeat)) {
        return false;
    }
    if (repeat->count < 1 || repeat->count > MAX_REPEATS) {
        return grz_json_fail(json, node, "\"count\" must be from 1 to %d, not %u", MAX_REPEATS,
                             repeat->count);
    }
    return true;
}

static graze_vec2 turn(graze_vec2 v, graze_rotation by)
{
    graze_vec2 turned = {v.x * by.cosine - v.y * by.sine, v.x * by.sine + v.y * by.cosine};
    return turned;
}

static bool is_finite(const graze_body_def *def)
{
    return isfinite(def->position.x) && isfinite(def->position.y) && isfinite(def->velocity.x) &&
           isfinite(def->velocity.y) && isfinite(def->angle);
}

static bool add_copies(cli_scene *scene, const grz_json *json, const cJSON *node, cli_body body,
                       const repeat_entry *repeat)
{
    const graze_body_def first = body.def;
    for (uint32_t i = 0; i < repeat->count; ++i) {
        float angle = (float)i * repeat->turn;
        graze_vec2 offset = graze_vec2_scale(repeat->offset, (float)i);
        body.def.position = graze_vec2_add(first.position, offset);
        body.def.velocity = turn(first.velocity, graze_rotation_from_angle(angle));
        body.def.angle = first.angle + (first.shape.kind == GRAZE_SHAPE_RECT ? angle : 0.0f);
        if (!is_finite(&body.def)) {
            return grz_json_fail(json, grz_json_get(node, "repeat"),
                                 "copy %u is beyond the range of float", i);
        }
        cli_push(scene->bodies, body);
    }
    return true;
}

static bool read_body(cli_scene *scene, const grz_json *json, const cJSON *node, const char *place)
{
    body_entry entry = {cli_body_def(), 0.5f, {0, 0}};
    repeat_entry repeat = {1, {0, 0}, 0};
    if (!grz_json_read_fields(json, node, body_fields, COUNT_OF(body_fields), &entry) ||
        !read_surface(json, grz_json_get(node, "surface"), &entry.def.surface) ||
        !read_filter(json, node, &entry.def.filter) || !read_shape(json, node, &entry) ||
        !read_repeat(json, node, &repeat)) {
        return false;
    }
    const cli_body body = {entry.def, cli_scene_add_place(scene, place)};
    return add_copies(scene, json, node, body, &repeat);
}

typedef bool read_element(cli_scene *scene, const grz_json *json, const cJSON *node,
                          const char *place);

static bool read_list(cli_scene *scene, const grz_json *json, const char *key, read_element *read)
{
    const cJSON *array;
    if (!grz_json_get(json->root, key)) {
        return true;
    }
    if (!grz_json_expect_array(json, json->root, key, &array)) {
        return false;
    }
    size_t index = 0;
    for (const cJSON *node = array->child; node; node = node->next) {
        char place[64];
        snprintf(place, sizeof place, "%s[%zu]", key, index++);
        if (!read(scene, json, node, place)) {
            return false;
        }
    }
    return true;
}

static bool read_view(cli_scene *scene, const grz_json *json)
{
    static const grz_field corner = {"view", GRZ_VEC2, 0, 0, 0};
    const cJSON *node = grz_json_get(json->root, "view");
    if (!node) {
        return true;
    }
    if (!cJSON_IsArray(node) || cJSON_GetArraySize(node) != 2) {
        return grz_json_refuse(json, node, "two corners [[x, y], [x, y]]");
    }
    if (!grz_json_store(json, node->child, &corner, &scene->view.lower) ||
        !grz_json_store(json, node->child->next, &corner, &scene->view.upper)) {
        return false;
    }
    scene->has_view =
        scene->view.lower.x < scene->view.upper.x && scene->view.lower.y < scene->view.upper.y;
    return scene->has_view ||
           grz_json_fail(json, node,
                         "the first corner must be lower in x and in y: %g, %g is not below %g, %g",
                         (double)scene->view.lower.x, (double)scene->view.lower.y,
                         (double)scene->view.upper.x, (double)scene->view.upper.y);
}

static bool check_substeps(const cli_scene *scene, const grz_json *json)
{
    return scene->substeps > 0 ||
           grz_json_refuse(json, grz_json_get(json->root, "substeps"), "at least 1");
}

static bool read_scene(cli_scene *scene, const grz_json *json)
{
    return grz_json_read_fields(json, json->root, scene_fields, COUNT_OF(scene_fields), scene) &&
           check_substeps(scene, json) && read_view(scene, json) &&
           read_list(scene, json, "terrain", read_chain) &&
           read_list(scene, json, "bodies", read_body);
}

bool cli_scene_from_json(cli_scene *scene, const char *path, const char *text, size_t size,
                         cli_error *error)
{
    grz_error cause;
    grz_memory memory;
    grz_memory_init(&memory, *cli_allocator());
    cli_require_memory(setjmp(memory.on_lack) == 0);
    grz_json json = {path, NULL, &cause, &memory, NULL};
    const bool done = grz_json_parse(&json, text, size) && read_scene(scene, &json);
    if (!done) {
        graze_tiled_error_text(&cause, error->text, sizeof error->text);
    }
    grz_memory_free(&memory);
    return done;
}
