/// @file many_numbers_wide.h
/// Numbers of the batch kernels: one for each pair of a block. Included by many_wide.h alone.
///
/// A block is GRZ_BLOCK pairs: with AVX-512 two vectors of doubles, else one. Each operation is
/// done on both, so that two chains of operations run in parallel: a pair's chain takes more than a
/// hundred cycles, and a processor does not look far enough ahead to begin the next. This needs 32
/// registers: three vectors are slower than two, and with the 16 of AVX2 two are faster than one
/// for rects, but slower for rays. bench: narrowphase/collide_circle_rect_many

#if GRZ_LANES == GRZ_LANES_AVX512

enum { GRZ_BLOCK = 2 * GRZ_WIDTH_D };

typedef struct numbers {
    doubles low, high;
} numbers;

typedef struct marks {
    doubles_mask low, high;
} marks;

static inline numbers join_numbers(doubles low, doubles high)
{
    const numbers both = {low, high};
    return both;
}

static inline numbers fill_numbers(double number)
{
    return join_numbers(fill_doubles(number), fill_doubles(number));
}

static inline numbers select_numbers(marks which, numbers a, numbers b)
{
    return join_numbers(select_doubles(which.low, a.low, b.low),
                        select_doubles(which.high, a.high, b.high));
}

static inline uint32_t mark_bits(marks a)
{
    return mask_bits_d(a.low) | mask_bits_d(a.high) << GRZ_WIDTH_D;
}

static inline void load_rows_of(const float *from, uint32_t stride, numbers columns[4])
{
    doubles low[4], high[4];
    load_rows(from, stride, low);
    load_rows(from + GRZ_WIDTH_D * stride, stride, high);
    for (uint32_t i = 0; i < 4; ++i) {
        columns[i] = join_numbers(low[i], high[i]);
    }
}

static inline void store_rows_of(float *to, uint32_t stride, numbers a, numbers b, numbers c,
                                 numbers d)
{
    store_rows(to, stride, a.low, b.low, c.low, d.low);
    store_rows(to + GRZ_WIDTH_D * stride, stride, a.high, b.high, c.high, d.high);
}

static inline void store_sixes_of(void *to, marks mark, numbers a, numbers b, numbers c, numbers d,
                                  numbers e)
{
    store_sixes(to, mark.low, a.low, b.low, c.low, d.low, e.low);
    store_sixes((float *)to + GRZ_WIDTH_D * 6, mark.high, a.high, b.high, c.high, d.high, e.high);
}

static inline void store_nines_of(void *to, marks mark, numbers a, numbers b, numbers c, numbers d,
                                  numbers e)
{
    store_nines(to, mark.low, a.low, b.low, c.low, d.low, e.low);
    store_nines((float *)to + GRZ_WIDTH_D * 9, mark.high, a.high, b.high, c.high, d.high, e.high);
}

static inline numbers round_numbers(numbers a)
{
    const floats rounded = narrow_doubles(a.low, a.high);
    return join_numbers(widen_low(rounded), widen_high(rounded));
}

#define GRZ_BOTH(result, name, type, operation)                                                    \
    static inline result name(type a, type b)                                                      \
    {                                                                                              \
        const result both = {operation(a.low, b.low), operation(a.high, b.high)};                  \
        return both;                                                                               \
    }
#define GRZ_EACH(name, operation)                                                                  \
    static inline numbers name(numbers a)                                                          \
    {                                                                                              \
        return join_numbers(operation(a.low), operation(a.high));                                  \
    }

#else

enum { GRZ_BLOCK = GRZ_WIDTH_D };

typedef doubles numbers;
typedef doubles_mask marks;

static inline numbers fill_numbers(double number)
{
    return fill_doubles(number);
}

static inline numbers select_numbers(marks which, numbers a, numbers b)
{
    return select_doubles(which, a, b);
}

static inline uint32_t mark_bits(marks a)
{
    return mask_bits_d(a);
}

static inline void load_rows_of(const float *from, uint32_t stride, numbers columns[4])
{
    load_rows(from, stride, columns);
}

static inline void store_rows_of(float *to, uint32_t stride, numbers a, numbers b, numbers c,
                                 numbers d)
{
    store_rows(to, stride, a, b, c, d);
}

static inline void store_sixes_of(void *to, marks mark, numbers a, numbers b, numbers c, numbers d,
                                  numbers e)
{
    store_sixes(to, mark, a, b, c, d, e);
}

static inline void store_nines_of(void *to, marks mark, numbers a, numbers b, numbers c, numbers d,
                                  numbers e)
{
    store_nines(to, mark, a, b, c, d, e);
}

static inline numbers round_numbers(numbers a)
{
    return widen_low(narrow_doubles(a, a));
}

#define GRZ_BOTH(result, name, type, operation)                                                    \
    static inline result name(type a, type b)                                                      \
    {                                                                                              \
        return operation(a, b);                                                                    \
    }
#define GRZ_EACH(name, operation)                                                                  \
    static inline numbers name(numbers a)                                                          \
    {                                                                                              \
        return operation(a);                                                                       \
    }

#endif

GRZ_BOTH(numbers, add_numbers, numbers, add_doubles)
GRZ_BOTH(numbers, sub_numbers, numbers, sub_doubles)
GRZ_BOTH(numbers, mul_numbers, numbers, mul_doubles)
GRZ_BOTH(numbers, div_numbers, numbers, div_doubles)
GRZ_BOTH(numbers, min_numbers, numbers, min_doubles)
GRZ_BOTH(numbers, max_numbers, numbers, max_doubles)
GRZ_EACH(sqrt_numbers, sqrt_doubles)
GRZ_EACH(negate_numbers, negate_doubles)
GRZ_EACH(absolute_numbers, absolute_doubles)
GRZ_BOTH(marks, less_numbers, numbers, less_doubles)
GRZ_BOTH(marks, at_most_numbers, numbers, at_most_doubles)
GRZ_BOTH(marks, and_marks, marks, mask_and_d)
GRZ_BOTH(marks, or_marks, marks, mask_or_d)
GRZ_BOTH(marks, but_not_marks, marks, mask_but_not_d)

#undef GRZ_BOTH
#undef GRZ_EACH
