#include "tiled_object.h"

#include "tiled_data.h"
#include "tiled_properties.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MIN_CORNERS = 16, MAX_CORNERS = 1024 }; ///< Of an ellipse; multiples of 4.

static const double pi = 3.14159265358979323846;

static double size_of(const cJSON *object)
{
    return fabs(grz_json_number(object, "width", 0)) + fabs(grz_json_number(object, "height", 0));
}

grz_object_kind grz_tiled_object_kind(const cJSON *object)
{
    if (grz_json_get(object, "template")) {
        return GRZ_OBJECT_TEMPLATE;
    }
    if (grz_json_get(object, "gid")) {
        return GRZ_OBJECT_TILE;
    }
    if (grz_json_get(object, "text")) {
        return GRZ_OBJECT_TEXT;
    }
    if (cJSON_IsTrue(grz_json_get(object, "capsule")) && size_of(object) > 0) {
        return GRZ_OBJECT_CAPSULE;
    }
    if (grz_json_get(object, "polygon")) {
        return GRZ_OBJECT_POLYGON;
    }
    if (grz_json_get(object, "polyline")) {
        return GRZ_OBJECT_POLYLINE;
    }
    if (cJSON_IsTrue(grz_json_get(object, "point")) || size_of(object) == 0) {
        return GRZ_OBJECT_POINT;
    }
    return cJSON_IsTrue(grz_json_get(object, "ellipse")) ? GRZ_OBJECT_ELLIPSE : GRZ_OBJECT_RECT;
}

uint32_t grz_tiled_object_gid(const cJSON *object)
{
    const double raw = grz_json_number(object, "gid", 0);
    return raw >= 0 && raw <= (double)UINT32_MAX ? (uint32_t)raw & GRZ_LAST_GID : 0;
}

bool grz_tiled_has_outline(grz_object_kind kind)
{
    return kind == GRZ_OBJECT_RECT || kind == GRZ_OBJECT_ELLIPSE || kind == GRZ_OBJECT_CAPSULE ||
           kind == GRZ_OBJECT_POLYGON || kind == GRZ_OBJECT_POLYLINE;
}

static graze_rotation rotation_of(double degrees)
{
    static const graze_rotation quarters[4] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
    double rest = fmod(degrees, 360.0);
    double turned = rest < 0 ? rest + 360.0 : rest;
    double quarter = turned / 90.0;
    if (quarter == floor(quarter)) {
        return quarters[(int)quarter % 4];
    }
    return graze_rotation_from_angle((float)(turned * pi / 180.0));
}

static bool read_number(const grz_json *json, const cJSON *object, const char *key, double *value)
{
    const cJSON *node = grz_json_get(object, key);
    float rounded = 0;
    const grz_field field = {key, GRZ_FLOAT, 0, 0, 0};
    if (node && !grz_json_store(json, node, &field, &rounded)) {
        return false;
    }
    *value = node ? node->valuedouble : 0;
    return true;
}

bool grz_tiled_read_frame(const grz_json *json, const cJSON *object, grz_frame *frame)
{
    if (!read_number(json, object, "x", &frame->x) || !read_number(json, object, "y", &frame->y) ||
        !read_number(json, object, "width", &frame->width) ||
        !read_number(json, object, "height", &frame->height) ||
        !read_number(json, object, "rotation", &frame->degrees)) {
        return false;
    }
    frame->rotation = rotation_of(frame->degrees);
    return true;
}

graze_vec2d grz_tiled_place(const grz_frame *frame, double x, double y)
{
    double cosine = (double)frame->rotation.cosine;
    double sine = (double)frame->rotation.sine;
    graze_vec2d placed = {frame->x + x * cosine - y * sine, frame->y + x * sine + y * cosine};
    return placed;
}

static void add_rect(grz_memory *memory, const grz_frame *frame, graze_vec2d **points)
{
    grz_push(memory, *points, grz_tiled_place(frame, 0, 0));
    grz_push(memory, *points, grz_tiled_place(frame, 0, frame->height));
    grz_push(memory, *points, grz_tiled_place(frame, frame->width, frame->height));
    grz_push(memory, *points, grz_tiled_place(frame, frame->width, 0));
}

// A chord of an arc of angle a lies r * a * a / 8 inside of it.
static int count_corners(double radius)
{
    const double count = 2 * pi / sqrt(8 * 0.25 / (radius > 1 ? radius : 1));
    const int corners = count < MAX_CORNERS ? 4 * ((int)count / 4 + 1) : MAX_CORNERS;
    return corners < MIN_CORNERS ? MIN_CORNERS : corners;
}

static void add_ellipse(grz_memory *memory, const grz_frame *frame, graze_vec2d **points)
{
    double half_x = frame->width / 2;
    double half_y = frame->height / 2;
    int count = count_corners(fabs(half_x) > fabs(half_y) ? fabs(half_x) : fabs(half_y));
    for (int i = 0; i < count; ++i) {
        graze_rotation at = rotation_of(-360.0 * i / count);
        double x = half_x + half_x * (double)at.cosine;
        double y = half_y + half_y * (double)at.sine;
        grz_push(memory, *points, grz_tiled_place(frame, x, y));
    }
}

// Two half circles, whose diameter is the shorter side, and two straight sides between them.
static void add_capsule(grz_memory *memory, const grz_frame *frame, graze_vec2d **points)
{
    const double radius = fmin(fabs(frame->width), fabs(frame->height)) / 2;
    const int count = count_corners(radius);
    const graze_vec2d straight = {fmax(fabs(frame->width) / 2 - radius, 0),
                                  fmax(fabs(frame->height) / 2 - radius, 0)};
    const bool is_flat = straight.x > 0;
    for (int i = 0; i <= count + 1; ++i) {
        // Half a circle, then the other half: the corner between the two stands twice.
        const int step = i <= count / 2 ? i : i - 1;
        const bool is_first = i <= count / 2;
        const graze_rotation at = rotation_of((is_flat ? 90.0 : 0.0) - 360.0 * step / count);
        const double side = is_first ? 1 : -1;
        const double x = radius * (double)at.cosine + (is_flat ? side * straight.x : 0);
        const double y = radius * (double)at.sine - (is_flat ? 0 : side * straight.y);
        grz_push(memory, *points,
                 grz_tiled_place(frame, frame->width / 2 + x, frame->height / 2 + y));
    }
}

static bool add_points(const grz_json *json, const cJSON *array, const grz_frame *frame,
                       graze_vec2d **points)
{
    if (!cJSON_IsArray(array)) {
        return grz_json_refuse(json, array, "an array of points");
    }
    for (const cJSON *point = array->child; point; point = point->next) {
        double x;
        double y;
        if (!grz_json_expect_object(json, point) || !read_number(json, point, "x", &x) ||
            !read_number(json, point, "y", &y)) {
            return false;
        }
        grz_push(json->memory, *points, grz_tiled_place(frame, x, y));
    }
    return true;
}

bool grz_tiled_read_outline(const grz_json *json, const cJSON *object, graze_vec2d **points)
{
    grz_frame frame;
    if (!grz_tiled_read_frame(json, object, &frame)) {
        return false;
    }
    grz_object_kind kind = grz_tiled_object_kind(object);
    if (kind == GRZ_OBJECT_POLYGON || kind == GRZ_OBJECT_POLYLINE) {
        const char *key = kind == GRZ_OBJECT_POLYGON ? "polygon" : "polyline";
        return add_points(json, grz_json_get(object, key), &frame, points);
    }
    if (kind == GRZ_OBJECT_CAPSULE && fabs(frame.width) != fabs(frame.height)) {
        add_capsule(json->memory, &frame, points);
    } else if (kind == GRZ_OBJECT_ELLIPSE || kind == GRZ_OBJECT_CAPSULE) {
        add_ellipse(json->memory, &frame, points);
    } else {
        add_rect(json->memory, &frame, points);
    }
    return true;
}

// Since Tiled 1.2 a list of {name, type, value}, before that an object of names.
static const cJSON *own_property(const cJSON *node, const char *name)
{
    const cJSON *properties = grz_json_get(node, "properties");
    if (cJSON_IsObject(properties)) {
        return grz_json_get(properties, name);
    }
    const cJSON *property = cJSON_IsArray(properties) ? properties->child : NULL;
    while (property && strcmp(grz_json_text(property, "name"), name) != 0) {
        property = property->next;
    }
    return grz_json_get(property, "value");
}

bool grz_tiled_has_property(const cJSON *node, const char *name)
{
    return own_property(node, name);
}

static const grz_scope *find_scope(const grz_scope *scope, const char *name)
{
    while (scope && !own_property(scope->node, name)) {
        scope = scope->outer;
    }
    return scope;
}

// Converts a text to the value that it spells; leaves other texts alone.
static void unquote(const cJSON *text, cJSON *value)
{
    double number;
    if (grz_number_read(text->valuestring, &number)) {
        value->type = cJSON_Number;
        value->valuedouble = number;
    } else if (strcmp(text->valuestring, "true") == 0) {
        value->type = cJSON_True;
    } else if (strcmp(text->valuestring, "false") == 0) {
        value->type = cJSON_False;
    }
}

static bool store_property(const grz_json *json, const cJSON *node, const grz_field *field,
                           void *target)
{
    cJSON value = *node;
    if (cJSON_IsString(node)) {
        unquote(node, &value);
    }
    grz_error first;
    grz_json quiet = {json->path, &value, &first, json->memory, NULL};
    return grz_json_store(&quiet, &value, field, target) ||
           grz_json_store(json, node, field, target);
}

// Games have words of their own, which are no mistakes: a text such as "flowers" says that `group`
// is one of them.
static bool is_of_the_game(const cJSON *node, const grz_field *field)
{
    const bool takes_no_text = field->kind == GRZ_INT32 || field->kind == GRZ_UINT32 ||
                               field->kind == GRZ_UINT64 || field->kind == GRZ_BOOL;
    cJSON value = *node;
    if (!takes_no_text || !cJSON_IsString(node)) {
        return false;
    }
    unquote(node, &value);
    return cJSON_IsString(&value);
}

bool grz_tiled_read_properties(const grz_scope *scope, const grz_field *fields, size_t count,
                               void *target)
{
    for (size_t i = 0; i < count; ++i) {
        const char *name = fields[i].name;
        const grz_scope *own = find_scope(scope, name);
        const cJSON *value = own ? own_property(own->node, name) : NULL;
        if (value && !is_of_the_game(value, &fields[i]) &&
            !store_property(own->json, value, &fields[i], target)) {
            return false;
        }
    }
    return true;
}

static bool is_word(const char *text, const char *word)
{
    while (*text && tolower((unsigned char)*text) == *word) {
        ++text;
        ++word;
    }
    return *text == *word;
}

static grz_role role_from_word(const char *word)
{
    static const struct {
        const char *word;
        grz_role role;
    } roles[] = {{"terrain", GRZ_ROLE_TERRAIN},
                 {"body", GRZ_ROLE_BODY},
                 {"sensor", GRZ_ROLE_SENSOR},
                 {"ignore", GRZ_ROLE_IGNORE}};
    for (size_t i = 0; i < sizeof roles / sizeof *roles; ++i) {
        if (is_word(word, roles[i].word)) {
            return roles[i].role;
        }
    }
    return GRZ_ROLE_NONE;
}

bool grz_tiled_own_role(const grz_json *json, const cJSON *node, grz_role *role)
{
    const cJSON *said = own_property(node, "graze");
    if (said) {
        *role = role_from_word(cJSON_IsString(said) ? said->valuestring : "");
        return *role != GRZ_ROLE_NONE ||
               grz_json_refuse(json, said, "\"terrain\", \"sensor\", \"body\" or \"ignore\"");
    }
    *role = role_from_word(grz_json_text(node, "class"));
    if (*role == GRZ_ROLE_NONE) {
        *role = role_from_word(grz_json_text(node, "type"));
    }
    return true;
}
