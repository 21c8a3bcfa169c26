#include "history/archive.h"

const grz_form grz_byte_form = GRZ_FORM(uint8_t, {0, 1, GRZ_TYPE_BYTE, GRZ_ANYTHING, NULL});
const grz_form grz_word_form = GRZ_FORM(uint32_t, {0, 1, GRZ_TYPE_WORD, GRZ_ANYTHING, NULL});
const grz_form grz_long_form = GRZ_FORM(uint64_t, {0, 1, GRZ_TYPE_LONG, GRZ_ANYTHING, NULL});

// In an archive.
static size_t size_of(const grz_field *field)
{
    static const uint8_t sizes[] = {1, 1, 1, sizeof(uint16_t), sizeof(uint32_t), sizeof(uint64_t)};
    return sizes[field->type];
}

size_t grz_form_stored_size(const grz_form *form)
{
    size_t size = 0;
    for (uint32_t i = 0; i < form->field_count; ++i) {
        size += size_of(&form->fields[i]) * form->fields[i].count;
    }
    return size;
}

// --- Checks ---

/// Numbers at equal distances.
typedef struct number_column {
    const unsigned char *first;
    size_t apart, count;
} number_column;

// Finds infinity, NaN and -0 as the largest numbers: twice the pattern without the sign, less one
// for negative numbers.
static inline uint32_t number_by(grz_field_rule rule, uint32_t word)
{
    switch (rule) {
    case GRZ_RULE_NUMBER:
        return (word << 1) - (word >> 31);
    case GRZ_RULE_MAGNITUDE:
        return word & GRZ_PATTERN_MAGNITUDE;
    case GRZ_RULE_DEPTH:
        return word == GRZ_PATTERN_MAGNITUDE + 1u ? 0 : word;
    default:
        return word;
    }
}

// HOT. bench: engine/snapshot_load
//
// Data    A word of each element.
// Branch  None: `rule` is known when this is compiled, and so is `apart` where words are dense.
static inline uint32_t words_outside(const number_column *column, size_t apart, grz_field_rule rule,
                                     const grz_field *field)
{
    const uint32_t least = field->least, span = field->most - field->least;
    const unsigned char *first = column->first;
    const size_t count = column->count;
    uint32_t outside = 0;
    for (size_t i = 0; i < count; ++i) {
        outside |= number_by(rule, grz_word_at(first + i * apart, 0)) - least > span;
    }
    return outside;
}

static inline uint32_t words_outside_by(const number_column *column, grz_field_rule rule,
                                        const grz_field *field)
{
    const bool dense = column->apart == sizeof(uint32_t);
    return dense ? words_outside(column, sizeof(uint32_t), rule, field)
                 : words_outside(column, column->apart, rule, field);
}

// Of each four bytes at once.
static uint32_t bytes_outside(const number_column *column, const grz_field *field)
{
    const uint32_t high_bits = 0x80808080u;
    uint32_t most = field->most, outside = 0;
    if (grz_is_big_endian()) {
        grz_form_turn(&grz_word_form, &most, 1);
    }
    const uint32_t room = (high_bits - 0x01010101u) - most;
    for (size_t i = 0; i < column->count; ++i) {
        const uint32_t bytes = grz_word_at(column->first + i * column->apart, 0);
        outside |= (bytes | (bytes + room)) & high_bits;
    }
    return outside;
}

static bool is_outside(const number_column *column, const grz_field *field)
{
    switch ((grz_field_rule)field->rule) {
    case GRZ_RULE_NUMBER:
        return words_outside_by(column, GRZ_RULE_NUMBER, field) != 0;
    case GRZ_RULE_MAGNITUDE:
        return words_outside_by(column, GRZ_RULE_MAGNITUDE, field) != 0;
    case GRZ_RULE_DEPTH:
        return words_outside_by(column, GRZ_RULE_DEPTH, field) != 0;
    default:
        return words_outside_by(column, GRZ_RULE_RANGE, field) != 0;
    }
}

// A structure of one kind of words is dense.
static bool is_wrong(const grz_form *form, const grz_field *field, const unsigned char *elements,
                     size_t count)
{
    const size_t each = size_of(field);
    const bool dense = field->count * each == form->size;
    if (field->type == GRZ_TYPE_BYTE) {
        const number_column bytes = {elements + field->offset, form->size, count};
        return bytes_outside(&bytes, field) != 0;
    }
    const number_column all = {elements, each, count * field->count};
    bool wrong = dense && is_outside(&all, field);
    for (uint32_t k = 0; !dense && k < field->count; ++k) {
        const number_column one = {elements + field->offset + k * each, form->size, count};
        wrong = wrong || is_outside(&one, field);
    }
    return wrong;
}

static const grz_field *find_wrong(const grz_form *form, const unsigned char *elements,
                                   size_t count)
{
    for (uint32_t i = 0; i < form->field_count; ++i) {
        const grz_field *field = &form->fields[i];
        if (field->blame && is_wrong(form, field, elements, count)) {
            return field;
        }
    }
    return NULL;
}

// Many columns are the same for hundreds of elements: of some that equal each other one is tested.
const grz_field *grz_form_find_wrong(const grz_form *form, const void *elements, size_t count)
{
    enum { AT_ONCE = 512 };
    const unsigned char *next = elements;
    const grz_field *wrong = NULL;
    for (size_t left = count; left && !wrong;) {
        const size_t some = left < AT_ONCE ? left : AT_ONCE;
        const bool all_equal = memcmp(next, next + form->size, (some - 1) * form->size) == 0;
        wrong = find_wrong(form, next, all_equal ? 1 : some);
        next += some * form->size;
        left -= some;
    }
    return wrong;
}

// --- Byte order ---

static void reverse(unsigned char *bytes, size_t size)
{
    for (size_t i = 0; i < size / 2; ++i) {
        const unsigned char kept = bytes[i];
        bytes[i] = bytes[size - 1 - i];
        bytes[size - 1 - i] = kept;
    }
}

static void reverse_each(unsigned char *numbers, size_t size, size_t count)
{
    for (size_t k = 0; k < count; ++k) {
        reverse(numbers + k * size, size);
    }
}

void grz_form_turn(const grz_form *form, void *elements, size_t count)
{
    unsigned char *next = elements;
    for (size_t i = 0; i < count; ++i, next += form->size) {
        for (uint32_t k = 0; k < form->field_count; ++k) {
            const grz_field *field = &form->fields[k];
            reverse_each(next + field->offset, size_of(field), field->count);
        }
    }
}

// --- Writing and reading ---

// A bool or an enum, which is a byte in an archive.
static void pass_choice(unsigned char *byte, unsigned char *value, bool is_bool, bool writes)
{
    bool truth = *byte != 0;
    int choice = *byte;
    if (is_bool && writes) {
        memcpy(&truth, value, sizeof truth);
        *byte = truth;
    } else if (writes) {
        memcpy(&choice, value, sizeof choice);
        *byte = (unsigned char)choice;
    } else {
        memcpy(value, is_bool ? (void *)&truth : &choice, is_bool ? sizeof truth : sizeof choice);
    }
}

static void pass_field(unsigned char *bytes, unsigned char *value, const grz_field *field,
                       bool writes)
{
    unsigned char *to = writes ? bytes : value;
    if (field->type == GRZ_TYPE_BOOL || field->type == GRZ_TYPE_ENUM) {
        pass_choice(bytes, value, field->type == GRZ_TYPE_BOOL, writes);
        return;
    }
    memcpy(to, writes ? value : bytes, size_of(field) * field->count);
    if (grz_is_big_endian()) {
        reverse_each(to, size_of(field), field->count);
    }
}

// The same code writes and reads, so that the two cannot differ.
static void pass(const grz_form *form, unsigned char *bytes, unsigned char *elements, size_t count,
                 bool writes)
{
    for (size_t i = 0; i < count; ++i, elements += form->size) {
        for (uint32_t k = 0; k < form->field_count; ++k) {
            const grz_field *field = &form->fields[k];
            pass_field(bytes, elements + field->offset, field, writes);
            bytes += size_of(field) * field->count;
        }
    }
}

void grz_form_write(const grz_form *form, void *bytes, const void *elements, size_t count)
{
    pass(form, bytes, (unsigned char *)(uintptr_t)elements, count, true);
}

bool grz_archive_has(grz_archive *archive, const grz_form *form, size_t count)
{
    const size_t left = grz_archive_left(archive);
    archive->failed = archive->failed || count > left / grz_form_stored_size(form);
    return !archive->failed;
}

void grz_archive_read(grz_archive *archive, const grz_form *form, void *elements, size_t count)
{
    if (grz_archive_has(archive, form, count)) {
        pass(form, (unsigned char *)(uintptr_t)archive->at, elements, count, false);
        archive->at += grz_form_stored_size(form) * count;
    }
}
