/// @file archive.h
/// Structures as bytes: each is described once, by a table of its fields, and that table writes,
/// reads and checks it. Snapshots and records consist of nothing else.
///
///     static const grz_form life_form =
///         GRZ_FORM(grz_life, GRZ_WORDS(grz_life, lifetime, lifetime, GRZ_SIZES, "lifetime is x"),
///                  GRZ_ANY_WORDS(grz_life, hit_limit, hit_count));
///
/// In an archive, fields follow each other without gaps, and numbers are little-endian. Of most
/// structures, memory is the same on most machines: their sections are copied whole.
#ifndef GRZ_ARCHIVE_H
#define GRZ_ARCHIVE_H

#include "bits.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/// What a field is in memory, and in an archive if that is another thing.
typedef enum grz_field_type {
    GRZ_TYPE_BYTE, ///< uint8_t.
    GRZ_TYPE_BOOL, ///< bool; a byte, of which all but 0 are true.
    GRZ_TYPE_ENUM, ///< An enum; a byte.
    GRZ_TYPE_SHORT,
    GRZ_TYPE_WORD, ///< uint32_t, int32_t, float.
    GRZ_TYPE_LONG  ///< uint64_t.
} grz_field_type;

/// How a word is turned into a number that its range applies to.
typedef enum grz_field_rule {
    GRZ_RULE_RANGE,     ///< As it is.
    GRZ_RULE_NUMBER,    ///< Of a float twice its pattern without the sign; of -0 the largest.
    GRZ_RULE_MAGNITUDE, ///< Of a float its pattern without the sign.
    GRZ_RULE_DEPTH      ///< As it is, but -0 is 0.
} grz_field_rule;

/// A field, or some of one kind that follow each other.
typedef struct grz_field {
    uint16_t offset;
    uint16_t count;
    uint8_t type;         ///< grz_field_type.
    uint8_t rule;         ///< grz_field_rule, of a word.
    uint32_t least, most; ///< What it may be; of four bytes, each.
    const char *blame;    ///< What the log says if it is something else; null: it may be anything.
} grz_field;

/// A structure.
typedef struct grz_form {
    const grz_field *fields;
    uint32_t field_count;
    uint32_t size; ///< In memory.
} grz_form;

/// The form of a structure: the fields that an archive has of it, in this order. For constants
/// outside functions.
#define GRZ_FORM(structure, ...)                                                                   \
    {                                                                                              \
        (const grz_field[]){__VA_ARGS__},                                                          \
            sizeof((const grz_field[]){__VA_ARGS__}) / sizeof(grz_field), sizeof(structure)        \
    }

// One field, or all of one kind from the first to the last. Of four bytes, `most` has what each may
// be at most, below 128: that of the first in its lowest byte.
#define GRZ_FIELD(structure, first, count, type, ...)                                              \
    {                                                                                              \
        offsetof(structure, first), count, type, __VA_ARGS__                                       \
    }
#define GRZ_BYTES(structure, first, most, blame)                                                   \
    GRZ_FIELD(structure, first, 4, GRZ_TYPE_BYTE, GRZ_RULE_RANGE, 0, most, blame)
#define GRZ_BOOL(structure, member)                                                                \
    GRZ_FIELD(structure, member, 1, GRZ_TYPE_BOOL, GRZ_ANYTHING, NULL)
#define GRZ_ENUM(structure, member)                                                                \
    GRZ_FIELD(structure, member, 1, GRZ_TYPE_ENUM, GRZ_ANYTHING, NULL)
#define GRZ_WORDS(structure, first, last, rule, blame)                                             \
    GRZ_FIELD(structure, first, GRZ_SPAN(structure, first, last) / 4, GRZ_TYPE_WORD, rule, blame)
#define GRZ_ANY(structure, first, last, type, size)                                                \
    GRZ_FIELD(structure, first, GRZ_SPAN(structure, first, last) / (size), type, GRZ_ANYTHING, NULL)
#define GRZ_ANY_WORDS(structure, first, last) GRZ_ANY(structure, first, last, GRZ_TYPE_WORD, 4)
#define GRZ_ANY_LONGS(structure, first, last) GRZ_ANY(structure, first, last, GRZ_TYPE_LONG, 8)
#define GRZ_SPAN(structure, first, last)                                                           \
    (offsetof(structure, last) + sizeof(((structure *)0)->last) - offsetof(structure, first))

// What words may be: a rule and a range.
#define GRZ_ANYTHING    GRZ_RULE_RANGE, 0, UINT32_MAX
#define GRZ_FROM(least) GRZ_RULE_RANGE, least, UINT32_MAX
#define GRZ_UP_TO(most) GRZ_RULE_RANGE, 0, most
#define GRZ_NUMBERS     GRZ_RULE_NUMBER, 0, 2u * (GRZ_PATTERN_INFINITE - 1u) ///< Finite, not -0.
#define GRZ_SIZES       GRZ_UP_TO(GRZ_PATTERN_INFINITE - 1u)                 ///< And not below 0.
#define GRZ_SHARES      GRZ_UP_TO(GRZ_PATTERN_ONE)                           ///< 0 to 1.
#define GRZ_DISTANCES   GRZ_RULE_MAGNITUDE, 0, GRZ_PATTERN_INFINITE          ///< But no NaN.
#define GRZ_DEPTHS      GRZ_RULE_DEPTH, 0, GRZ_PATTERN_INFINITE              ///< At least 0 or -0.
#define GRZ_FINITE      GRZ_RULE_MAGNITUDE, 0, GRZ_PATTERN_INFINITE - 1u
#define GRZ_UNITS       GRZ_RULE_MAGNITUDE, 0, GRZ_PATTERN_ONE ///< -1 to 1.

/// Returns whether this machine's numbers are not those of archives.
static inline bool grz_is_big_endian(void)
{
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    return true;
#else
    return false;
#endif
}

/// Returns the first field that is wrong in any of the elements, at any address; null if none is.
///
/// Cost       A pass over each field that has a rule, which compilers vectorize where elements are
///            words.
const grz_field *grz_form_find_wrong(const grz_form *form, const void *elements, size_t count);

/// Reverses the bytes of each number of elements that have no gaps.
void grz_form_turn(const grz_form *form, void *elements, size_t count);

/// Returns the size of an element in an archive.
size_t grz_form_stored_size(const grz_form *form);

/// Writes some elements; there is room for them.
void grz_form_write(const grz_form *form, void *bytes, const void *elements, size_t count);

/// Bytes that are read, and not beyond their end.
typedef struct grz_archive {
    const unsigned char *at, *end;
    bool failed; ///< Some elements were not there.
} grz_archive;

static inline grz_archive grz_archive_of(const void *bytes, size_t size)
{
    const unsigned char *begin = bytes;
    const grz_archive archive = {begin, begin + size, false};
    return archive;
}

/// Returns how many bytes are left.
static inline size_t grz_archive_left(const grz_archive *archive)
{
    return (size_t)(archive->end - archive->at);
}

/// Returns whether so many elements may be left. If not, the archive has failed.
bool grz_archive_has(grz_archive *archive, const grz_form *form, size_t count);

/// Reads some elements. They may be anything, except that bools are true or false; if they are not
/// there they stay as they are.
void grz_archive_read(grz_archive *archive, const grz_form *form, void *elements, size_t count);

/// The forms of single numbers.
extern const grz_form grz_byte_form, grz_word_form, grz_long_form;

/// Returns the number of 4 bytes at any address.
static inline uint32_t grz_word_at(const unsigned char *words, size_t place)
{
    uint32_t word;
    memcpy(&word, words + place * sizeof word, sizeof word);
    return word;
}

#endif
