#include "world/value_check.h"

#include "vec2d.h"
#include "world/message.h"

#include <stdio.h>

enum { PLACE_TEXT = 24 };

static const char *name_place(const grz_value_source *source, char text[PLACE_TEXT])
{
    text[0] = '\0';
    if (source->in_array) {
        snprintf(text, PLACE_TEXT, "def %u: ", (unsigned)source->place);
    }
    return text;
}

static graze_status refuse_number(const grz_value_source *source, const char *field, float value,
                                  const char *rule)
{
    char place[PLACE_TEXT];
    const int digits = value > 0 ? 8 : 6; // Eight tell the float above 1 from 1.
    const char *group = source->group ? source->group : "", *dot = source->group ? "." : "";
    return grz_fail(source->world, GRAZE_ERROR_ARGUMENT, "%s: %s%s%s%s is %.*g; it must be %s",
                    source->call, name_place(source, place), group, dot, field, digits,
                    (double)value, rule);
}

static graze_status refuse_choice(const grz_value_source *source, const char *field, int value,
                                  const char *type)
{
    char place[PLACE_TEXT];
    return grz_fail(source->world, GRAZE_ERROR_ARGUMENT, "%s: %s%s is %d, which is no %s",
                    source->call, name_place(source, place), field, value, type);
}

graze_status grz_refuse_cookie(const grz_value_source *source, uint32_t cookie, const char *maker)
{
    char place[PLACE_TEXT];
    return grz_fail(source->world, GRAZE_ERROR_ARGUMENT, "%s: %scookie is %u; start from %s",
                    source->call, name_place(source, place), (unsigned)cookie, maker);
}

graze_status grz_check_finite(const grz_value_source *source, const char *field, float value)
{
    return is_finite_sum((double)value) ? GRAZE_OK : refuse_number(source, field, value, "finite");
}

graze_status grz_check_finite_point(const grz_value_source *source, const char *field,
                                    graze_vec2 value)
{
    return is_finite(value) ? GRAZE_OK
                            : grz_fail(source->world, GRAZE_ERROR_ARGUMENT,
                                       "%s: %s is (%g, %g); it must be finite", source->call, field,
                                       (double)value.x, (double)value.y);
}

graze_status grz_check_at_least_zero(const grz_value_source *source, const char *field, float value)
{
    return is_finite_sum((double)value) && value >= 0
               ? GRAZE_OK
               : refuse_number(source, field, value, "finite and at least 0");
}

graze_status grz_check_share(const grz_value_source *source, const char *field, float value)
{
    return value >= 0 && value <= 1 ? GRAZE_OK : refuse_number(source, field, value, "0 to 1");
}

graze_status grz_check_numbers(const grz_value_source *source, const grz_number_check *checks,
                               size_t count)
{
    graze_status status = GRAZE_OK;
    for (size_t i = 0; !status && i < count; ++i) {
        status = checks[i].rule(source, checks[i].field, checks[i].value);
    }
    return status;
}

graze_status grz_check_surface(const grz_value_source *source, const char *field,
                               graze_surface surface)
{
    const grz_number_check numbers[] = {
        {"friction", surface.friction, grz_check_at_least_zero},
        {"restitution", surface.restitution, grz_check_share},
        {"rolling_resistance", surface.rolling_resistance, grz_check_at_least_zero},
        {"speed", surface.speed, grz_check_finite},
    };
    grz_value_source part = *source;
    part.group = field;
    return grz_check_numbers(&part, numbers, sizeof numbers / sizeof *numbers);
}

static graze_status check_extent(const grz_value_source *source, const char *field, float value)
{
    return is_finite_sum((double)value) && value > 0
               ? GRAZE_OK
               : refuse_number(source, field, value, "finite and above 0");
}

graze_status grz_check_shape(const grz_value_source *source, graze_shape shape)
{
    graze_status status;
    switch (shape.kind) {
    case GRAZE_SHAPE_CIRCLE:
        return grz_check_at_least_zero(source, "shape.radius", shape.radius);
    case GRAZE_SHAPE_RECT:
        status = check_extent(source, "shape.half.x", shape.half.x);
        return status ? status : check_extent(source, "shape.half.y", shape.half.y);
    case GRAZE_SHAPE_RAY:
        return GRAZE_OK;
    }
    return refuse_choice(source, "shape.kind", (int)shape.kind, "graze_shape_kind");
}

graze_status grz_check_response(const grz_value_source *source, graze_response response)
{
    switch (response) {
    case GRAZE_PASS:
    case GRAZE_STOP:
    case GRAZE_SLIDE:
    case GRAZE_BOUNCE:
    case GRAZE_RIGID:
        return GRAZE_OK;
    }
    return refuse_choice(source, "response", (int)response, "graze_response");
}
