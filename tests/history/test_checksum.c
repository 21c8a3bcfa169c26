#include "world_kit.h"

#include "history/archive.h"
#include "history/checksum.h"

#include <string.h>

// Lane by lane and word by word, as checksum.h says.
static uint64_t slow_sum_of(const unsigned char *bytes, size_t size)
{
    grz_checksum sum;
    grz_checksum_begin(&sum);
    sum.size = size;
    for (size_t begin = 0; begin < size; begin += GRZ_CHECKSUM_BLOCK) {
        unsigned char block[GRZ_CHECKSUM_BLOCK] = {0};
        memcpy(block, bytes + begin, size - begin < sizeof block ? size - begin : sizeof block);
        for (size_t lane = 0; lane < GRZ_CHECKSUM_LANES; ++lane) {
            const uint32_t mixed =
                (sum.lanes[lane] + grz_word_at(block, lane)) * GRZ_CHECKSUM_FACTOR;
            sum.lanes[lane] = mixed << GRZ_CHECKSUM_TURN | mixed >> (32 - GRZ_CHECKSUM_TURN);
        }
    }
    return grz_checksum_end(&sum);
}

static void a_checksum_is_that_of_each_lane_by_itself(void **state)
{
    (void)state;
    unsigned char bytes[1400];
    random_state random = random_seed(7);
    random_fill(&random, bytes, sizeof bytes);
    for (uint32_t round = 0; round < 300; ++round) {
        const size_t shift = random_below(&random, 64);
        const size_t size = random_below(&random, (uint32_t)(sizeof bytes - shift));
        const uint64_t wanted = slow_sum_of(bytes + shift, size);
        assert_true(grz_checksum_of(bytes + shift, size) == wanted);
    }
}

static void a_checksum_in_pieces_is_that_of_the_whole(void **state)
{
    (void)state;
    const unsigned char bytes[1000] = {1, 2, 3};
    grz_checksum sum;
    grz_checksum_begin(&sum);
    grz_checksum_add(&sum, bytes, 512);
    grz_checksum_add(&sum, bytes + 512, 488);
    assert_true(grz_checksum_end(&sum) == grz_checksum_of(bytes, 1000));
}

static void the_checksum_depends_on_every_bit_and_its_place(void **state)
{
    (void)state;
    unsigned char bytes[300];
    random_state random = random_seed(6);
    random_fill(&random, bytes, sizeof bytes);
    for (size_t size = 0; size <= sizeof bytes; size += 1 + size / 8) {
        const uint64_t sum = grz_checksum_of(bytes, size);
        for (size_t bit = 0; bit < 8 * size; ++bit) {
            bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
            assert_true(grz_checksum_of(bytes, size) != sum);
            bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
        }
        for (size_t i = 0; i + 1 < size; ++i) {
            const unsigned char first = bytes[i];
            const bool same = first == bytes[i + 1];
            bytes[i] = bytes[i + 1];
            bytes[i + 1] = first;
            assert_true(same || grz_checksum_of(bytes, size) != sum);
            bytes[i + 1] = bytes[i];
            bytes[i] = first;
        }
        assert_true(grz_checksum_of(bytes, size) == sum);
    }
}

static void bytes_of_zeros_of_other_lengths_have_other_checksums(void **state)
{
    (void)state;
    const unsigned char zeros[600] = {0};
    for (size_t size = 0; size < sizeof zeros; ++size) {
        for (size_t other = 0; other < size; ++other) {
            assert_true(grz_checksum_of(zeros, size) != grz_checksum_of(zeros, other));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_checksum_is_that_of_each_lane_by_itself),
        cmocka_unit_test(a_checksum_in_pieces_is_that_of_the_whole),
        cmocka_unit_test(the_checksum_depends_on_every_bit_and_its_place),
        cmocka_unit_test(bytes_of_zeros_of_other_lengths_have_other_checksums),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
