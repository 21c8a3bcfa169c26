/// @file lanes_nines.h
/// Stores nine words a lane by other operations, for sets of lanes that have no better way.
/// Included by these sets alone.
#ifndef GRZ_LANES_NINES_H
#define GRZ_LANES_NINES_H

static inline void store_nines(void *to, doubles_mask mask, doubles a, doubles b, doubles c,
                               doubles d, doubles e)
{
    const doubles zero = fill_doubles(0);
    float *next = (float *)to;
    store_rows(next + 1, 9, select_doubles(mask, a, zero), select_doubles(mask, b, zero), zero,
               zero);
    store_rows(next + 5, 9, select_doubles(mask, c, zero), zero, select_doubles(mask, d, zero),
               select_doubles(mask, e, zero));
    for (uint32_t k = 0; k < GRZ_WIDTH_D; ++k) {
        const uint32_t flag = mask_bits_d(mask) >> k & 1;
        memcpy(next + k * 9, &flag, sizeof flag);
    }
}

#endif
