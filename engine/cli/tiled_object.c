#include "tiled_object.h"

#include "tiled_data.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MIN_CORNERS = 16, MAX_CORNERS = 1024 }; ///< Of an ellipse; multiples of 4.

static const double pi = 3.14159265358979323846;

static double size_of(const cJSON *object)
{
    return fabs(cli_json_number(object, "width", 0)) + fabs(cli_json_number(object, "height", 0));
}

cli_object_kind cli_tiled_object_kind(const cJSON *object)
{
    if (cli_json_get(object, "template")) {
        return CLI_OBJECT_TEMPLATE;
    }
    if (cli_json_get(object, "gid")) {
        return CLI_OBJECT_TILE;
    }
    if (cli_json_get(object, "text")) {
        return CLI_OBJECT_TEXT;
    }
    if (cli_json_get(object, "polygon")) {
        return CLI_OBJECT_POLYGON;
    }
    if (cli_json_get(object, "polyline")) {
        return CLI_OBJECT_POLYLINE;
    }
    if (cJSON_IsTrue(cli_json_get(object, "point")) || size_of(object) == 0) {
        return CLI_OBJECT_POINT;
    }
    return cJSON_IsTrue(cli_json_get(object, "ellipse")) ? CLI_OBJECT_ELLIPSE : CLI_OBJECT_RECT;
}

uint32_t cli_tiled_object_gid(const cJSON *object)
{
    const double raw = cli_json_number(object, "gid", 0);
    return raw >= 0 && raw <= (double)UINT32_MAX ? (uint32_t)raw & CLI_LAST_GID : 0;
}

bool cli_tiled_has_outline(cli_object_kind kind)
{
    return kind == CLI_OBJECT_RECT || kind == CLI_OBJECT_ELLIPSE || kind == CLI_OBJECT_POLYGON ||
           kind == CLI_OBJECT_POLYLINE;
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

static bool read_number(const cli_json *json, const cJSON *object, const char *key, double *value)
{
    const cJSON *node = cli_json_get(object, key);
    float rounded = 0;
    const cli_field field = {key, CLI_FLOAT, 0, 0, 0};
    if (node && !cli_json_store(json, node, &field, &rounded)) {
        return false;
    }
    *value = node ? node->valuedouble : 0;
    return true;
}

bool cli_tiled_read_frame(const cli_json *json, const cJSON *object, cli_frame *frame)
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

graze_vec2d cli_tiled_place(const cli_frame *frame, double x, double y)
{
    double cosine = (double)frame->rotation.cosine;
    double sine = (double)frame->rotation.sine;
    graze_vec2d placed = {frame->x + x * cosine - y * sine, frame->y + x * sine + y * cosine};
    return placed;
}

static void add_rect(const cli_frame *frame, graze_vec2d **points)
{
    cli_push(*points, cli_tiled_place(frame, 0, 0));
    cli_push(*points, cli_tiled_place(frame, 0, frame->height));
    cli_push(*points, cli_tiled_place(frame, frame->width, frame->height));
    cli_push(*points, cli_tiled_place(frame, frame->width, 0));
}

// A chord of an arc of angle a lies r * a * a / 8 inside of it.
static int count_corners(double radius)
{
    const double count = 2 * pi / sqrt(8 * 0.25 / (radius > 1 ? radius : 1));
    const int corners = count < MAX_CORNERS ? 4 * ((int)count / 4 + 1) : MAX_CORNERS;
    return corners < MIN_CORNERS ? MIN_CORNERS : corners;
}

static void add_ellipse(const cli_frame *frame, graze_vec2d **points)
{
    double half_x = frame->width / 2;
    double half_y = frame->height / 2;
    int count = count_corners(fabs(half_x) > fabs(half_y) ? fabs(half_x) : fabs(half_y));
    for (int i = 0; i < count; ++i) {
        graze_rotation at = rotation_of(-360.0 * i / count);
        double x = half_x + half_x * (double)at.cosine;
        double y = half_y + half_y * (double)at.sine;
        cli_push(*points, cli_tiled_place(frame, x, y));
    }
}

static bool add_points(const cli_json *json, const cJSON *array, const cli_frame *frame,
                       graze_vec2d **points)
{
    if (!cJSON_IsArray(array)) {
        return cli_json_refuse(json, array, "an array of points");
    }
    for (const cJSON *point = array->child; point; point = point->next) {
        double x;
        double y;
        if (!cli_json_expect_object(json, point) || !read_number(json, point, "x", &x) ||
            !read_number(json, point, "y", &y)) {
            return false;
        }
        cli_push(*points, cli_tiled_place(frame, x, y));
    }
    return true;
}

bool cli_tiled_read_outline(const cli_json *json, const cJSON *object, graze_vec2d **points)
{
    cli_frame frame;
    if (!cli_tiled_read_frame(json, object, &frame)) {
        return false;
    }
    cli_object_kind kind = cli_tiled_object_kind(object);
    if (kind == CLI_OBJECT_POLYGON || kind == CLI_OBJECT_POLYLINE) {
        const char *key = kind == CLI_OBJECT_POLYGON ? "polygon" : "polyline";
        return add_points(json, cli_json_get(object, key), &frame, points);
    }
    if (kind == CLI_OBJECT_ELLIPSE) {
        add_ellipse(&frame, points);
    } else {
        add_rect(&frame, points);
    }
    return true;
}

// Since Tiled 1.2 a list of {name, type, value}, before that an object of names.
static const cJSON *own_property(const cJSON *node, const char *name)
{
    const cJSON *properties = cli_json_get(node, "properties");
    if (cJSON_IsObject(properties)) {
        return cli_json_get(properties, name);
    }
    const cJSON *property = cJSON_IsArray(properties) ? properties->child : NULL;
    while (property && strcmp(cli_json_text(property, "name"), name) != 0) {
        property = property->next;
    }
    return cli_json_get(property, "value");
}

bool cli_tiled_has_property(const cJSON *node, const char *name)
{
    return own_property(node, name);
}

static const cli_scope *find_scope(const cli_scope *scope, const char *name)
{
    while (scope && !own_property(scope->node, name)) {
        scope = scope->outer;
    }
    return scope;
}

// Converts a text to the value that it spells; leaves other texts alone.
static void unquote(const cJSON *text, cJSON *value)
{
    char *end = NULL;
    double number = strtod(text->valuestring, &end);
    if (end != text->valuestring && *end == 0) {
        value->type = cJSON_Number;
        value->valuedouble = number;
    } else if (strcmp(text->valuestring, "true") == 0) {
        value->type = cJSON_True;
    } else if (strcmp(text->valuestring, "false") == 0) {
        value->type = cJSON_False;
    }
}

static bool store_property(const cli_json *json, const cJSON *node, const cli_field *field,
                           void *target)
{
    cJSON value = *node;
    if (cJSON_IsString(node)) {
        unquote(node, &value);
    }
    cli_error first;
    cli_json quiet = {json->path, &value, &first};
    return cli_json_store(&quiet, &value, field, target) ||
           cli_json_store(json, node, field, target);
}

bool cli_tiled_read_properties(const cli_scope *scope, const cli_field *fields, size_t count,
                               void *target)
{
    for (size_t i = 0; i < count; ++i) {
        const char *name = fields[i].name;
        const cli_scope *own = find_scope(scope, name);
        if (own && !store_property(own->json, own_property(own->node, name), &fields[i], target)) {
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

static cli_role role_from_word(const char *word)
{
    static const struct {
        const char *word;
        cli_role role;
    } roles[] = {{"terrain", CLI_ROLE_TERRAIN},
                 {"body", CLI_ROLE_BODY},
                 {"sensor", CLI_ROLE_SENSOR},
                 {"ignore", CLI_ROLE_IGNORE}};
    for (size_t i = 0; i < sizeof roles / sizeof *roles; ++i) {
        if (is_word(word, roles[i].word)) {
            return roles[i].role;
        }
    }
    return CLI_ROLE_NONE;
}

static cli_role role_from_class(const char *name)
{
    cli_role role = role_from_word(name);
    return role == CLI_ROLE_NONE && cli_tiled_names_solid(name) ? CLI_ROLE_TERRAIN : role;
}

bool cli_tiled_own_role(const cli_json *json, const cJSON *node, cli_role *role)
{
    const cJSON *said = own_property(node, "graze");
    if (said) {
        *role = role_from_word(cJSON_IsString(said) ? said->valuestring : "");
        return *role != CLI_ROLE_NONE ||
               cli_json_refuse(json, said, "\"terrain\", \"sensor\", \"body\" or \"ignore\"");
    }
    *role = role_from_class(cli_json_text(node, "class"));
    if (*role == CLI_ROLE_NONE) {
        *role = role_from_class(cli_json_text(node, "type"));
    }
    return true;
}

bool cli_tiled_says_solid(const cJSON *node)
{
    static const char *const names[] = {"solid",     "collides",   "collide",
                                        "collision", "collidable", "collider"};
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
        const cJSON *value = own_property(node, names[i]);
        if (cJSON_IsTrue(value) || (cJSON_IsString(value) && is_word(value->valuestring, "true"))) {
            return true;
        }
    }
    return false;
}

static bool contains_word(const char *text, const char *word)
{
    for (; *text; ++text) {
        size_t i = 0;
        while (word[i] && tolower((unsigned char)text[i]) == word[i]) {
            ++i;
        }
        if (!word[i]) {
            return true;
        }
    }
    return false;
}

bool cli_tiled_names_solid(const char *name)
{
    return contains_word(name, "collision") || contains_word(name, "collide") ||
           contains_word(name, "solid");
}
