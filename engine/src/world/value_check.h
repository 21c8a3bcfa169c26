/// @file value_check.h
/// The values that a call or a def may give: each check returns OK, or ARGUMENT after telling the
/// log the call, the field and the value.
#ifndef GRZ_VALUE_CHECK_H
#define GRZ_VALUE_CHECK_H

#include <graze/body.h>
#include <graze/status.h>

#include <stddef.h>

/// Where a value came from: the call, its def's place in an array of defs, if it is in one, and the
/// field that it is a part of, such as a surface, or null.
typedef struct grz_value_source {
    const graze_world *world;
    const char *call;
    bool in_array;
    uint32_t place;
    const char *group;
} grz_value_source;

graze_status grz_check_finite(const grz_value_source *source, const char *field, float value);
graze_status grz_check_at_least_zero(const grz_value_source *source, const char *field,
                                     float value);

graze_status grz_check_finite_point(const grz_value_source *source, const char *field,
                                    graze_vec2 value);

/// From 0 to 1.
graze_status grz_check_share(const grz_value_source *source, const char *field, float value);

/// One of these checks, of a number.
typedef graze_status grz_number_rule(const grz_value_source *source, const char *field,
                                     float value);
typedef struct grz_number_check {
    const char *field;
    float value;
    grz_number_rule *rule;
} grz_number_check;

/// Returns the first that is not OK.
graze_status grz_check_numbers(const grz_value_source *source, const grz_number_check *checks,
                               size_t count);

/// Every number of a surface. `field` is its name.
graze_status grz_check_surface(const grz_value_source *source, const char *field,
                               graze_surface surface);

/// A known kind, of a size that it may have.
graze_status grz_check_shape(const grz_value_source *source, graze_shape shape);

/// A known one.
graze_status grz_check_response(const grz_value_source *source, graze_response response);

/// Refuses a def that does not come from `maker`.
graze_status grz_refuse_cookie(const grz_value_source *source, uint32_t cookie, const char *maker);

#endif
