#include "tiled_solid.h"

#include "tiled_properties.h"

#include <string.h>

static const char shapes[] = "@shapes";

grz_solid grz_solid_init(grz_memory *memory, const graze_tiled_def *def)
{
    grz_solid solid = {def->solid, def->solid_count, NULL};
    if (solid.count > 0) {
        solid.found = grz_memory_take(memory, solid.count * sizeof *solid.found);
        memset(solid.found, 0, solid.count * sizeof *solid.found);
    }
    return solid;
}

bool grz_solid_is_asked(const grz_solid *solid)
{
    return solid->count > 0;
}

static bool is_asked_for(const grz_solid *solid, const char *name)
{
    bool is_found = false;
    for (uint32_t i = 0; i < solid->count; ++i) {
        if (strcmp(solid->names[i], name) == 0) {
            solid->found[i] = is_found = true;
        }
    }
    return is_found;
}

grz_rank grz_solid_rank_name(const grz_solid *solid, const char *name)
{
    if (grz_solid_is_asked(solid)) {
        return *name && is_asked_for(solid, name) ? GRZ_RANK_COLLISION : GRZ_RANK_NONE;
    }
    return grz_name_rank(name);
}

// An empty text is a mark: games ask only whether the property is there.
static bool is_false_text(const char *text)
{
    static const char *const words[] = {"false", "False", "FALSE", "0",    "no",  "No",
                                        "NO",    "none",  "None",  "null", "nil", "off"};
    for (size_t i = 0; i < sizeof words / sizeof *words; ++i) {
        if (strcmp(text, words[i]) == 0) {
            return true;
        }
    }
    return false;
}

static bool is_true(const cJSON *value)
{
    if (cJSON_IsString(value)) {
        return !is_false_text(value->valuestring);
    }
    return cJSON_IsNumber(value) ? value->valuedouble != 0 : !cJSON_IsFalse(value);
}

/// What the properties of a node have said so far.
typedef struct property_survey {
    const grz_solid *solid;
    grz_rank rank;
} property_survey;

static bool hear_asked(property_survey *survey, const char *name, const cJSON *value)
{
    if (is_true(value) && is_asked_for(survey->solid, name)) {
        survey->rank = GRZ_RANK_COLLISION;
    }
    return survey->rank == GRZ_RANK_COLLISION;
}

static bool hear_property(const char *name, const cJSON *value, void *user)
{
    property_survey *survey = user;
    if (grz_solid_is_asked(survey->solid)) {
        return hear_asked(survey, name, value);
    }
    if (grz_name_is_solid_property(name)) {
        survey->rank = is_true(value) ? GRZ_RANK_COLLISION : GRZ_RANK_NOT;
    } else if (grz_name_is_open_property(name)) {
        survey->rank = is_true(value) ? GRZ_RANK_NOT : GRZ_RANK_COLLISION;
    } else if (grz_name_is_kind_property(name) && cJSON_IsString(value)) {
        const grz_rank rank = grz_name_rank(value->valuestring);
        survey->rank = rank >= GRZ_RANK_PLATFORM && rank != GRZ_RANK_NOT ? rank : survey->rank;
    }
    return survey->rank == GRZ_RANK_COLLISION;
}

grz_rank grz_solid_rank_properties(const grz_solid *solid, const cJSON *node)
{
    property_survey survey = {solid, GRZ_RANK_NONE};
    grz_properties_visit(node, hear_property, &survey);
    return survey.rank;
}

bool grz_solid_takes_shapes(const grz_solid *solid)
{
    return !grz_solid_is_asked(solid) || is_asked_for(solid, shapes);
}

const char *grz_class_of(const cJSON *node)
{
    const char *name = grz_json_text(node, "class");
    return *name ? name : grz_json_text(node, "type");
}
