// Which layers are solid.
//
// What says so most clearly counts, and what says it less clearly only where the first is missing:
//
//   1. layers that are called collision, or have a property that says so, and tiles that have one,
//      or collision shapes;
//   2. layers that are called walls, or platforms, unless some layer of tiles or objects is of 1;
//   3. those called ground, unless there is something of 1, or walls beside a floor;
//   4. those called world or the like, unless there is anything of the above;
//   5. a layer of tiles that is alone, or else objects without names.
//
// From the ground on it is a guess, which a note names.

#include "tiled_properties.h"
#include "tiled_reader.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/// What the layers are like, taken together.
typedef struct layer_survey {
    bool has_collision; ///< Some layer is called collision, and is not empty.
    bool is_marked;     ///< Some layer is called so, but it may be empty.
    bool has_tiles;     ///< Some tiles collide by themselves.
    bool has_walls, has_platforms;
    bool has_ground;
    uint32_t tile_layers; ///< Those that are not empty.
} layer_survey;

static bool is_empty(const grz_layer *layer)
{
    return layer->filled == 0 && layer->object_count == 0;
}

static bool has_role(const grz_layer *layer)
{
    return layer->role != GRZ_ROLE_NONE;
}

// Whether nearly all of its cells have a tile: nothing could move in there.
static bool is_everywhere(const grz_layer *layer)
{
    return layer->cells > 0 && (double)layer->filled > 0.97 * (double)layer->cells;
}

static layer_survey survey_layers(const grz_map_reader *reader)
{
    layer_survey survey = {0};
    for (size_t i = 0; i < grz_list_count(reader->layers); ++i) {
        const grz_layer *layer = reader->layers[i];
        const bool is_there = !is_empty(layer) && layer->role != GRZ_ROLE_IGNORE;
        survey.has_collision |=
            is_there && (layer->rank == GRZ_RANK_COLLISION || layer->role == GRZ_ROLE_TERRAIN);
        survey.is_marked |= layer->rank == GRZ_RANK_COLLISION && layer->role != GRZ_ROLE_IGNORE;
        survey.has_tiles |= is_there && layer->has_solid_tiles;
        survey.has_walls |= is_there && layer->rank == GRZ_RANK_WALL;
        survey.has_platforms |= is_there && layer->rank == GRZ_RANK_PLATFORM;
        survey.has_ground |= is_there && (layer->rank == GRZ_RANK_GROUND ||
                                          (layer->rank == GRZ_RANK_FLOOR && !is_everywhere(layer)));
        survey.tile_layers += is_there && layer->kind == GRAZE_TILED_TILES;
    }
    return survey;
}

// Seen from above, the ground is what one walks on: it is everywhere, or has walls around it.
static bool is_floor(const grz_layer *layer, const layer_survey *survey)
{
    return layer->kind == GRAZE_TILED_TILES &&
           (survey->has_walls || (survey->tile_layers > 1 && is_everywhere(layer)));
}

// Finds the chunk in the same place. Layers have theirs in the same order, so that it is mostly the
// next one.
static const graze_tiled_chunk *find_twin(const grz_layer *layer, const graze_tiled_chunk *chunk,
                                          size_t *next)
{
    const size_t count = grz_list_count(layer->chunks);
    for (size_t tried = 0; tried < count; ++tried) {
        const graze_tiled_chunk *other = &layer->chunks[(*next + tried) % count];
        if (other->x == chunk->x && other->y == chunk->y && other->width == chunk->width &&
            other->height == chunk->height) {
            *next = (*next + tried + 1) % count;
            return other;
        }
    }
    return NULL;
}

// The part of a layer's tiles upon which another has tiles, too.
static double share_of(const grz_layer *layer, const grz_layer *other)
{
    size_t shared = 0, next = 0;
    for (size_t i = 0; i < grz_list_count(layer->chunks); ++i) {
        const graze_tiled_chunk *chunk = &layer->chunks[i];
        const graze_tiled_chunk *twin = find_twin(other, chunk, &next);
        for (size_t k = 0; twin && k < (size_t)chunk->width * chunk->height; ++k) {
            shared += chunk->gids[k] && twin->gids[k];
        }
    }
    return layer->filled > 0 ? (double)shared / (double)layer->filled : 0;
}

// Platforms beside tiles that are called collision, where none of these are upon them: to jump up
// through. Otherwise the platforms are what these look like.
static bool is_besides_collision(const grz_map_reader *reader, const grz_layer *layer)
{
    bool is_beside = false;
    for (size_t i = 0; i < grz_list_count(reader->layers); ++i) {
        const grz_layer *other = reader->layers[i];
        if (other->rank == GRZ_RANK_COLLISION && !is_empty(other)) {
            is_beside = other->kind == GRAZE_TILED_TILES && share_of(layer, other) < 0.1;
            if (!is_beside) {
                return false;
            }
        }
    }
    return is_beside && layer->kind == GRAZE_TILED_TILES;
}

// Objects that are called so are drawn to be met.
static bool is_ground(const grz_layer *layer, const layer_survey *survey)
{
    const bool is_drawn = layer->kind == GRAZE_TILED_OBJECTS || !survey->has_tiles;
    return !survey->is_marked && is_drawn && !is_floor(layer, survey);
}

static bool is_chosen(const grz_map_reader *reader, const grz_layer *layer,
                      const layer_survey *survey)
{
    switch (layer->rank) {
    case GRZ_RANK_COLLISION:
        return true;
    case GRZ_RANK_WALL:
        return !survey->has_collision && !layer->has_solid_tiles;
    case GRZ_RANK_PLATFORM:
        return !layer->has_solid_tiles &&
               (!survey->has_collision || is_besides_collision(reader, layer));
    case GRZ_RANK_FLOOR:
        return is_ground(layer, survey) && !is_everywhere(layer);
    case GRZ_RANK_GROUND:
        return is_ground(layer, survey);
    case GRZ_RANK_WHOLE:
        return !survey->is_marked && !survey->has_tiles && !survey->has_walls &&
               !survey->has_platforms && !survey->has_ground && !is_everywhere(layer);
    default:
        return false;
    }
}

/// A line that grows.
typedef struct line {
    char text[900];
    size_t length;
} line;

static void append(line *to, const char *format, ...) GRZ_PRINTF(2, 3);

static void append(line *to, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    const size_t left = sizeof to->text - to->length;
    const int added = vsnprintf(to->text + to->length, left, format, values);
    va_end(values);
    const size_t length = added > 0 ? (size_t)added : 0;
    to->length += length < left ? length : left - 1;
}

static const char *name_of(const grz_layer *layer)
{
    return grz_json_text(layer->scope.node, "name");
}

static void append_name(line *to, const char *name)
{
    append(to, "%s\"%.40s\"", to->length ? ", " : "", name);
}

static bool take_layer(grz_layer *layer, line *guessed)
{
    layer->role = GRZ_ROLE_TERRAIN;
    if (layer->rank <= GRZ_RANK_GROUND) {
        append_name(guessed, name_of(layer));
    }
    return true;
}

static bool choose_by_rank(grz_map_reader *reader, const layer_survey *survey, line *guessed)
{
    bool is_any = false;
    for (size_t i = 0; i < grz_list_count(reader->layers); ++i) {
        grz_layer *layer = reader->layers[i];
        if (!has_role(layer) && layer->kind != GRAZE_TILED_GROUP && !is_empty(layer) &&
            is_chosen(reader, layer, survey)) {
            is_any |= take_layer(layer, guessed);
        }
    }
    return is_any;
}

// Objects that have no names and no classes are for nothing else: no game could tell them apart. In
// a layer with names they may be of the game, too.
static bool choose_nameless(grz_map_reader *reader, line *guessed)
{
    bool is_any = false;
    for (size_t i = 0; i < grz_list_count(reader->layers); ++i) {
        grz_layer *layer = reader->layers[i];
        if (!has_role(layer) && layer->rank == GRZ_RANK_NONE && layer->nameless > 0 &&
            layer->named == 0 && !grz_name_is_thing(name_of(layer))) {
            is_any |= take_layer(layer, guessed);
        }
    }
    return is_any;
}

// One layer of tiles that is no background, unless there are no others, and that is not full.
static bool choose_only_layer(grz_map_reader *reader, const layer_survey *survey, line *guessed)
{
    grz_layer *only = NULL;
    uint32_t count = 0;
    for (size_t i = 0; i < grz_list_count(reader->layers); ++i) {
        grz_layer *layer = reader->layers[i];
        const bool is_scenery = survey->tile_layers > 1 && grz_name_is_scenery(name_of(layer));
        if (layer->filled > 0 && !has_role(layer) && layer->rank != GRZ_RANK_NOT && !is_scenery &&
            !is_everywhere(layer)) {
            only = layer;
            ++count;
        }
    }
    return count == 1 && take_layer(only, guessed);
}

// Objects of which something says that they are solid, whatever their layer is.
static bool survey_objects(grz_map_reader *reader)
{
    bool is_any = false;
    for (size_t i = 0; i < grz_list_count(reader->layers); ++i) {
        const grz_layer *layer = reader->layers[i];
        const cJSON *object = NULL;
        if (layer->kind == GRAZE_TILED_OBJECTS) {
            (void)grz_json_list(reader->json, layer->scope.node, "objects", &object);
        }
        for (; object; object = object->next) {
            const grz_rank rank = grz_tiled_rank_object(reader, layer, object);
            is_any |= rank >= reader->least && rank != GRZ_RANK_NOT;
        }
    }
    return is_any;
}

/// A name, and how often it was met.
typedef struct counted_name {
    const char *name;
    uint32_t count;
} counted_name;

static void count_name(grz_map_reader *reader, counted_name **names, const char *name)
{
    enum { MOST = 40 };
    for (size_t i = 0; i < grz_list_count(*names); ++i) {
        if (strcmp((*names)[i].name, name) == 0) {
            ++(*names)[i].count;
            return;
        }
    }
    const counted_name added = {name, 1};
    if (*name && grz_list_count(*names) < MOST) {
        grz_push(reader->memory, *names, added);
    }
}

/// The context of count_property().
typedef struct property_counter {
    grz_map_reader *reader;
    counted_name **names;
} property_counter;

static bool count_property(const char *name, const cJSON *value, void *user)
{
    (void)value;
    const property_counter *counter = user;
    count_name(counter->reader, counter->names, name);
    return false;
}

static void append_names(line *to, const char *title, counted_name *names)
{
    for (size_t i = 0; i < grz_list_count(names); ++i) {
        append(to, "%s\"%.40s\" (%u)", i ? ", " : title, names[i].name, names[i].count);
    }
    grz_list_free(names);
}

static void append_layers(line *to, const grz_map_reader *reader)
{
    const char *before = "; layers: ";
    for (size_t i = 0; i < grz_list_count(reader->layers); ++i) {
        const grz_layer *layer = reader->layers[i];
        if (!is_empty(layer)) {
            append(to, "%s\"%.40s\" (%zu %s)", before, name_of(layer),
                   layer->filled + layer->object_count, layer->filled ? "tiles" : "objects");
            before = ", ";
        }
    }
}

// Writes what has a name in the map, with how often: "; layers: ...; classes: ...".
static void list_names(grz_map_reader *reader, line *text)
{
    counted_name *classes = NULL, *properties = NULL;
    property_counter counter = {reader, &properties};
    for (size_t i = 0; i < grz_list_count(reader->layers); ++i) {
        const grz_layer *layer = reader->layers[i];
        const cJSON *objects = grz_json_get(layer->scope.node, "objects");
        for (const cJSON *one = objects ? objects->child : NULL; one; one = one->next) {
            count_name(reader, &classes, grz_class_of(one));
            grz_properties_visit(one, count_property, &counter);
        }
        grz_properties_visit(layer->scope.node, count_property, &counter);
    }
    for (size_t i = 0; i < grz_list_count(reader->sets.tiles); ++i) {
        count_name(reader, &classes, grz_class_of(reader->sets.tiles[i].node));
        grz_properties_visit(reader->sets.tiles[i].node, count_property, &counter);
    }
    append_layers(text, reader);
    append_names(text, "; classes: ", classes);
    append_names(text, "; properties: ", properties);
}

void grz_tiled_note_nothing(grz_map_reader *reader)
{
    line text = {"", 0};
    list_names(reader, &text);
    grz_files_note(reader->files,
                   "the map has no terrain: say what is solid by --solid NAME, or call a layer "
                   "\"Collision\"%s",
                   text.text);
}

static bool check_names(grz_map_reader *reader)
{
    const grz_solid *solid = &reader->solid;
    for (uint32_t i = 0; i < solid->count; ++i) {
        if (!solid->found[i] && strcmp(solid->names[i], "@shapes") != 0) {
            line text = {"", 0};
            list_names(reader, &text);
            return grz_tiled_fail(reader->json->error, reader->json->path, "",
                                  "nothing is called \"%.60s\", nor has it as a true property%s",
                                  solid->names[i], text.text);
        }
    }
    return true;
}

bool grz_tiled_decide(grz_map_reader *reader)
{
    const layer_survey survey = survey_layers(reader);
    line guessed = {"", 0};
    reader->least = survey.has_collision ? GRZ_RANK_COLLISION : GRZ_RANK_FLOOR;
    bool is_any = choose_by_rank(reader, &survey, &guessed);
    is_any |= survey.has_tiles || survey.has_collision;
    if (!is_any || grz_solid_is_asked(&reader->solid)) {
        is_any |= survey_objects(reader);
    }
    if (grz_solid_is_asked(&reader->solid)) {
        return check_names(reader);
    }
    is_any = is_any || survey.is_marked || choose_only_layer(reader, &survey, &guessed);
    is_any = is_any || choose_nameless(reader, &guessed);
    if (guessed.length > 0) {
        grz_files_note(reader->files,
                       "guessed as solid by the name, or for want of one: %s (--solid NAME says "
                       "what is)",
                       guessed.text);
    }
    return true;
}
