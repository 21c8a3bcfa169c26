#include "random.h"

random_state random_seed(uint64_t seed)
{
    random_state random = {seed * 0x9E3779B97F4A7C15u + 0xD1B54A32D192ED03u};
    (void)random_bits(&random);
    return random;
}

uint32_t random_bits(random_state *random)
{
    uint64_t old = random->state;
    random->state = old * 6364136223846793005u + 1442695040888963407u;
    uint32_t mixed = (uint32_t)(((old >> 18) ^ old) >> 27);
    uint32_t turn = (uint32_t)(old >> 59);
    return (mixed >> turn) | (mixed << ((0u - turn) & 31u));
}

uint32_t random_below(random_state *random, uint32_t count)
{
    return (uint32_t)(((uint64_t)random_bits(random) * count) >> 32);
}

int random_integer(random_state *random, int low, int high)
{
    return low + (int)random_below(random, (uint32_t)(high - low + 1));
}

float random_float(random_state *random, float low, float high)
{
    float unit = (float)(random_bits(random) >> 8) * (1.0f / 16777216.0f);
    return low + (high - low) * unit;
}

void random_fill(random_state *random, void *memory, size_t size)
{
    unsigned char *bytes = memory;
    for (size_t i = 0; i < size; ++i) {
        bytes[i] = (unsigned char)random_bits(random);
    }
}
