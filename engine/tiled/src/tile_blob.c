#include "tile_blob.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char mark_byte = (char)0xFF;

static grz_blob *last_blob(grz_blobs *blobs)
{
    return &blobs->list[grz_list_count(blobs->list) - 1];
}

static void free_blobs(void *thing)
{
    grz_blobs *blobs = thing;
    while (grz_list_count(blobs->list) > 0) {
        grz_blobs_drop(blobs);
    }
    grz_list_free(blobs->list);
}

grz_blobs *grz_blobs_create(grz_memory *memory)
{
    grz_blobs *blobs = grz_memory_take(memory, sizeof *blobs);
    blobs->memory = memory;
    blobs->list = NULL;
    blobs->compressed_cells = 0;
    grz_memory_defer(memory, free_blobs, blobs);
    return blobs;
}

size_t grz_blobs_begin(grz_blobs *blobs, grz_blob_kind kind)
{
    const grz_blob blob = {.kind = kind, .is_separated = true};
    grz_push(blobs->memory, blobs->list, blob);
    return grz_list_count(blobs->list) - 1;
}

void grz_blobs_drop(grz_blobs *blobs)
{
    grz_blob blob = grz_list_pop(blobs->list);
    if (!blob.is_taken) {
        grz_list_free(blob.numbers);
        grz_list_free(blob.bytes);
    }
}

void grz_blobs_add(grz_blobs *blobs, uint32_t number)
{
    grz_push(blobs->memory, last_blob(blobs)->numbers, number);
}

// --- Numbers ---

static bool is_blank(char letter)
{
    return letter == ' ' || letter == '\n' || letter == '\r' || letter == '\t';
}

// Room has been reserved.
static void end_number(grz_blob *blob)
{
    if (blob->digit_count > 0) {
        grz_list_push(blob->numbers, (uint32_t)blob->number);
        blob->digit_count = 0;
        blob->number = 0;
    }
}

static const char *add_digit(grz_blob *blob, char letter)
{
    if (letter < '0' || letter > '9' || (blob->digit_count == 0 && !blob->is_separated) ||
        (blob->digit_count > 0 && blob->number == 0)) {
        return "is no list of whole numbers";
    }
    blob->number = 10 * blob->number + (uint64_t)(letter - '0');
    ++blob->digit_count;
    blob->is_separated = false;
    return blob->number > UINT32_MAX ? "has a number above 4294967295" : NULL;
}

static const char *add_letter(grz_blob *blob, char letter)
{
    if (letter == ',') {
        end_number(blob);
        const char *problem = blob->is_separated ? "has a comma without a number" : NULL;
        blob->is_separated = true;
        return problem;
    }
    if (is_blank(letter)) {
        end_number(blob);
        return NULL;
    }
    return add_digit(blob, letter);
}

static size_t count_commas(const char *text, size_t size)
{
    size_t count = 0;
    for (size_t i = 0; i < size; ++i) {
        count += text[i] == ',';
    }
    return count;
}

static void make_room_for_numbers(grz_blobs *blobs, grz_blob *blob, size_t count)
{
    grz_memory_require(blobs->memory,
                       grz_list_reserve(blob->numbers, &blobs->memory->inner, count));
}

// A number ends at a comma, and one more at the first blank.
static void feed_numbers(grz_blobs *blobs, grz_blob *blob, const char *text, size_t size)
{
    make_room_for_numbers(blobs, blob, count_commas(text, size) + 2);
    for (size_t i = 0; i < size && !blob->problem; ++i) {
        blob->problem = add_letter(blob, text[i]);
    }
}

// --- Base64 ---

enum { NOT_BASE64 = 64, BLANK = 65, PADDING = 66 };

static int value_of(unsigned char letter)
{
    if (letter >= 'A' && letter <= 'Z') {
        return letter - 'A';
    }
    if (letter >= 'a' && letter <= 'z') {
        return letter - 'a' + 26;
    }
    if (letter >= '0' && letter <= '9') {
        return letter - '0' + 52;
    }
    const int other = letter == '=' ? PADDING : is_blank((char)letter) ? BLANK : NOT_BASE64;
    return letter == '+' ? 62 : letter == '/' ? 63 : other;
}

// Room has been reserved.
static bool add_code(grz_blob *blob, int value)
{
    if (value >= NOT_BASE64) {
        blob->is_padded |= value == PADDING;
        return value != NOT_BASE64;
    }
    blob->bits = blob->bits << 6 | (uint32_t)value;
    blob->bit_count += 6;
    if (blob->bit_count >= 8) {
        blob->bit_count -= 8;
        grz_list_push(blob->bytes, (unsigned char)(blob->bits >> blob->bit_count));
    }
    return !blob->is_padded;
}

static void make_room_for_bytes(grz_blobs *blobs, grz_blob *blob, size_t size)
{
    const size_t count = size / 4 * 3 + 3;
    grz_memory_require(blobs->memory, grz_list_reserve(blob->bytes, &blobs->memory->inner, count));
}

static void feed_base64(grz_blobs *blobs, grz_blob *blob, const char *text, size_t size)
{
    unsigned char values[256];
    for (int i = 0; i < 256; ++i) {
        values[i] = (unsigned char)value_of((unsigned char)i);
    }
    make_room_for_bytes(blobs, blob, size);
    for (size_t i = 0; i < size && !blob->problem; ++i) {
        const bool fits = add_code(blob, values[(unsigned char)text[i]]);
        blob->problem = fits ? NULL : "is not base64";
    }
}

// With what the last piece asks for at most.
void grz_blobs_expect(grz_blobs *blobs, const char *text, size_t size)
{
    grz_blob *blob = last_blob(blobs);
    if (blob->kind == GRZ_BLOB_NUMBERS) {
        make_room_for_numbers(blobs, blob, count_commas(text, size) + 4);
    } else {
        make_room_for_bytes(blobs, blob, size + 8);
    }
}

void grz_blobs_feed(grz_blobs *blobs, const char *text, size_t size)
{
    grz_blob *blob = last_blob(blobs);
    if (blob->problem) {
        return;
    }
    if (blob->kind == GRZ_BLOB_NUMBERS) {
        feed_numbers(blobs, blob, text, size);
    } else {
        feed_base64(blobs, blob, text, size);
    }
}

// A last digit of six bits belongs to no byte.
void grz_blobs_end(grz_blobs *blobs)
{
    grz_blob *blob = last_blob(blobs);
    if (blob->kind == GRZ_BLOB_NUMBERS) {
        grz_blobs_feed(blobs, " ", 1);
    } else if (blob->bit_count >= 6 && !blob->problem) {
        blob->problem = "is not base64";
    }
}

// --- Marks ---

void grz_blob_mark(size_t number, char mark[GRZ_LONGEST_MARK])
{
    snprintf(mark, GRZ_LONGEST_MARK, "%c%zu", mark_byte, number);
}

bool grz_blob_is_mark(const cJSON *node)
{
    return cJSON_IsString(node) && node->valuestring[0] == mark_byte;
}

grz_blob *grz_blobs_find(const grz_blobs *blobs, const cJSON *node)
{
    if (!blobs || !grz_blob_is_mark(node)) {
        return NULL;
    }
    const size_t number = strtoul(node->valuestring + 1, NULL, 10);
    return number < grz_list_count(blobs->list) ? &blobs->list[number] : NULL;
}
