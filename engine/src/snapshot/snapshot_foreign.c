#include "snapshot/snapshot_foreign.h"

#include "message.h"

#include <inttypes.h>

// A snapshot consists of words of 4 bytes, and the bytes of each are swapped. That converts numbers
// of 4 bytes, and the input of checksums, which are of words. Then the halves of numbers of 8 bytes
// are swapped, and single bytes are put back.

static uint32_t swap_word_bytes(uint32_t word)
{
    return word << 24 | (word & 0xff00) << 8 | (word >> 8 & 0xff00) | word >> 24;
}

static void swap_bytes_of_words(unsigned char *bytes, size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        const uint32_t word = swap_word_bytes(grz_word_at(bytes, i));
        memcpy(bytes + i * sizeof word, &word, sizeof word);
    }
}

static void exchange_halves(unsigned char *number)
{
    const uint32_t halves[] = {grz_word_at(number, 1), grz_word_at(number, 0)};
    memcpy(number, halves, sizeof halves);
}

// For a header whose words were swapped.
static void mend_header(unsigned char *header)
{
    swap_bytes_of_words(header + offsetof(grz_snapshot_header, magic), 2);
    exchange_halves(header + offsetof(grz_snapshot_header, size));
    exchange_halves(header + offsetof(grz_snapshot_header, checksum));
    exchange_halves(header + offsetof(grz_snapshot_header, step_count));
    exchange_halves(header + offsetof(grz_snapshot_header, pair_count));
    exchange_halves(header + offsetof(grz_snapshot_header, hit_count));
}

// Calls a function for the part of each element of a section that begins at an offset.
static void mend_section(unsigned char *bytes, const grz_snapshot_layout *layout,
                         grz_section section, size_t offset, void (*mend)(unsigned char *part))
{
    const size_t element = grz_snapshot_element_size(section);
    const size_t end = (size_t)layout->begin[section + 1];
    for (size_t at = (size_t)layout->begin[section]; at < end; at += element) {
        mend(bytes + at + offset);
    }
}

static void swap_form_bytes(unsigned char *form)
{
    swap_bytes_of_words(form, 1);
}

static void mend_sections(unsigned char *bytes, const grz_snapshot_layout *layout)
{
    mend_section(bytes, layout, GRZ_SECTION_BODIES, offsetof(grz_body, response), swap_form_bytes);
    mend_section(bytes, layout, GRZ_SECTION_USERS, 0, exchange_halves);
    mend_section(bytes, layout, GRZ_SECTION_VACANCIES, 0, exchange_halves);
    mend_section(bytes, layout, GRZ_SECTION_CHAINS, offsetof(grz_chain_record, user_data),
                 exchange_halves);
}

bool grz_snapshot_is_foreign(const void *bytes, size_t size)
{
    const grz_snapshot_header known = grz_snapshot_new_header();
    grz_snapshot_header header;
    if (size < sizeof header) {
        return false;
    }
    memcpy(&header, bytes, sizeof header);
    return memcmp(header.magic, known.magic, sizeof known.magic) == 0 &&
           header.byte_order == swap_word_bytes(known.byte_order);
}

static graze_status refuse(const graze_world *world, const char *what)
{
    return grz_fail(world, GRAZE_ERROR_FORMAT, "graze_world_load: %s", what);
}

// Returns the checksum of a snapshot whose words are as its writer had them.
static uint64_t sum_up(const graze_world *world, const unsigned char *bytes,
                       const grz_snapshot_layout *layout)
{
    const grz_snapshot_loops *loops = grz_snapshot_loops_for(world->lanes);
    grz_snapshot_header header;
    grz_snapshot_sums sums;
    memcpy(&header, bytes, sizeof header);
    grz_snapshot_begin_sums(&sums);
    for (int section = 0; section < GRZ_SECTION_COUNT; ++section) {
        const size_t begin = (size_t)layout->begin[section];
        grz_checksum_add(&sums.section[section], loops->checksum, bytes + begin,
                         (size_t)layout->begin[section + 1] - begin);
    }
    return grz_snapshot_end_sums(&sums, loops, &header);
}

// Converts a copy, and stores its new checksum if the old one was right.
static graze_status swap_bytes_of_copy(const graze_world *world, unsigned char *copy,
                                       const grz_snapshot_header *header,
                                       const grz_snapshot_layout *layout)
{
    swap_bytes_of_words(copy, (size_t)header->size / sizeof(uint32_t));
    const uint64_t sum = sum_up(world, copy, layout);
    if (sum != header->checksum) {
        return refuse(world, "the snapshot is damaged: its checksum does not match");
    }
    mend_header(copy);
    mend_sections(copy, layout);
    const uint64_t own_sum = sum_up(world, copy, layout);
    memcpy(copy + offsetof(grz_snapshot_header, checksum), &own_sum, sizeof own_sum);
    return GRAZE_OK;
}

static grz_snapshot_header read_header(const void *bytes)
{
    unsigned char turned[sizeof(grz_snapshot_header)];
    grz_snapshot_header header;
    memcpy(turned, bytes, sizeof turned);
    swap_bytes_of_words(turned, sizeof turned / sizeof(uint32_t));
    mend_header(turned);
    memcpy(&header, turned, sizeof header);
    return header;
}

graze_status grz_snapshot_translate(graze_world *world, const void *bytes, size_t size,
                                    unsigned char **translated)
{
    const graze_allocator *allocator = &world->counting;
    const grz_snapshot_header header = read_header(bytes);
    const grz_snapshot_layout layout = grz_snapshot_lay_out(&header);
    if (header.version != grz_snapshot_new_header().version) {
        return grz_fail(world, GRAZE_ERROR_FORMAT,
                        "graze_world_load: the snapshot's format has version %u, in another byte "
                        "order; this library reads version %u",
                        (unsigned)header.version, (unsigned)grz_snapshot_new_header().version);
    }
    if (header.size != layout.begin[GRZ_SECTION_COUNT] || header.size > size) {
        return grz_fail(
            world, GRAZE_ERROR_FORMAT,
            "graze_world_load: size is %zu; the snapshot, of another byte order, states "
            "%" PRIu64 " bytes, and its counts make %" PRIu64,
            size, header.size, layout.begin[GRZ_SECTION_COUNT]);
    }
    unsigned char *copy = allocator->allocate((size_t)header.size, GRZ_ALIGNMENT, allocator->user);
    if (!copy) {
        return grz_fail(world, GRAZE_ERROR_OUT_OF_MEMORY,
                        "graze_world_load: no memory to convert the byte order of %" PRIu64
                        " bytes",
                        header.size);
    }
    memcpy(copy, bytes, (size_t)header.size);
    const graze_status status = swap_bytes_of_copy(world, copy, &header, &layout);
    if (status) {
        allocator->release(copy, (size_t)header.size, allocator->user);
        return status;
    }
    *translated = copy;
    return GRAZE_OK;
}
