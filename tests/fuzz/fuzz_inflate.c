// Fuzz target: what decompresses the data of tile layers, with zlib, gzip and zstd. The first byte
// says which, the second how many cells are announced.

#include "fuzz_bytes.h"
#include "inflate_cells.h"
#include "memory.h"

typedef struct counter {
    uint64_t count, wanted;
    uint32_t sum;
} counter;

static bool count_cells(const uint32_t *cells, size_t count, void *user)
{
    counter *found = user;
    found->count += count;
    FUZZ_CHECK(found->count <= found->wanted, "%llu cells of %llu",
               (unsigned long long)found->count, (unsigned long long)found->wanted);
    for (size_t i = 0; i < count; ++i) {
        found->sum += cells[i];
    }
    return found->sum % 7 != 6;
}

static void try_input(grz_memory *memory, fuzz_bytes *bytes)
{
    const grz_compression compression =
        fuzz_below(bytes, 2) ? GRZ_COMPRESSION_ZLIB : GRZ_COMPRESSION_ZSTD;
    counter found = {0, (uint64_t)1 << fuzz_below(bytes, 18), 0};
    const grz_inflated all = grz_inflate_cells(memory, compression, bytes->data, bytes->size,
                                               found.wanted, count_cells, &found);
    FUZZ_CHECK(all.count <= found.wanted, "%llu cells", (unsigned long long)all.count);
    FUZZ_CHECK(all.is_stopped || all.has_more || all.count == found.count,
               "%llu cells, of which %llu were handed on", (unsigned long long)all.count,
               (unsigned long long)found.count);
    FUZZ_CHECK(all.rest < 4, "%u bytes are left", all.rest);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static grz_memory memory;
    fuzz_bytes bytes = {data, size};
    graze_allocator none = {0};
    grz_memory_init(&memory, grz_allocator_or_default(none));
    if (setjmp(memory.on_lack) == 0) {
        try_input(&memory, &bytes);
    }
    grz_memory_free(&memory);
    return 0;
}
