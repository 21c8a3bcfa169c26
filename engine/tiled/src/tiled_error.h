/// @file tiled_error.h
/// Errors of files: one line, which says what is wrong, where, with which value.
#ifndef GRZ_TILED_ERROR_H
#define GRZ_TILED_ERROR_H

#include <graze/tiled.h>

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#if defined(__GNUC__)
#define GRZ_PRINTF(text, values) __attribute__((format(printf, text, values)))
#else
#define GRZ_PRINTF(text, values)
#endif

typedef graze_tiled_error grz_error;

/// Control characters become '?': one line of plain text, whatever names a file has.
void grz_error_clean(char *text);

/// Fill an error whose file is `path` and return false.
bool grz_tiled_fail(grz_error *error, const char *path, const char *place, const char *format, ...)
    GRZ_PRINTF(4, 5);
bool grz_tiled_fail_values(grz_error *error, const char *path, const char *place,
                           const char *format, va_list values);
bool grz_tiled_fail_at(grz_error *error, const char *path, size_t line, size_t column,
                       const char *format, ...) GRZ_PRINTF(5, 6);

#endif
