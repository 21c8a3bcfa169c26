/// @file numbers_wide.h
/// Numbers and vectors of kernels on lanes: one for each pair of a block. Included by wide loops
/// alone, which choose how many vectors of doubles a block has: GRZ_BLOCK_VECTORS, 1 or 2.
///
/// Each operation is done on all vectors of a block. With two of them two chains of operations run
/// in parallel: a pair's chain may take more than a hundred cycles, and a processor does not look
/// far enough ahead to begin the next. This needs the 32 registers of AVX-512: three vectors are
/// slower than two, and with the 16 of AVX2 two are faster than one for rects, but slower for rays.
/// bench: narrowphase/collide_circle_rect_many
#ifndef GRZ_NUMBERS_WIDE_H
#define GRZ_NUMBERS_WIDE_H

#if GRZ_BLOCK_VECTORS == 2

enum { GRZ_BLOCK = 2 * GRZ_WIDTH_D };

typedef struct numbers {
    doubles low, high;
} numbers;

typedef struct marks {
    doubles_mask low, high;
} marks;

GRZ_IN_PLACE numbers join_numbers(doubles low, doubles high)
{
    const numbers both = {low, high};
    return both;
}

GRZ_IN_PLACE numbers fill_numbers(double number)
{
    return join_numbers(fill_doubles(number), fill_doubles(number));
}

GRZ_IN_PLACE numbers select_numbers(marks which, numbers a, numbers b)
{
    return join_numbers(select_doubles(which.low, a.low, b.low),
                        select_doubles(which.high, a.high, b.high));
}

GRZ_IN_PLACE uint32_t mark_bits(marks a)
{
    return mask_bits_d(a.low) | mask_bits_d(a.high) << GRZ_WIDTH_D;
}

GRZ_IN_PLACE void load_rows_of(const float *from, uint32_t stride, numbers columns[4])
{
    doubles low[4], high[4];
    load_rows(from, stride, low);
    load_rows(from + GRZ_WIDTH_D * stride, stride, high);
    GRZ_UNROLLED
    for (uint32_t i = 0; i < 4; ++i) {
        columns[i] = join_numbers(low[i], high[i]);
    }
}

GRZ_IN_PLACE void store_rows_of(float *to, uint32_t stride, numbers a, numbers b, numbers c,
                                numbers d)
{
    store_rows(to, stride, a.low, b.low, c.low, d.low);
    store_rows(to + GRZ_WIDTH_D * stride, stride, a.high, b.high, c.high, d.high);
}

GRZ_IN_PLACE void store_sixes_of(void *to, marks mark, numbers a, numbers b, numbers c, numbers d,
                                 numbers e)
{
    store_sixes(to, mark.low, a.low, b.low, c.low, d.low, e.low);
    store_sixes((float *)to + GRZ_WIDTH_D * 6, mark.high, a.high, b.high, c.high, d.high, e.high);
}

GRZ_IN_PLACE void store_nines_of(void *to, marks mark, numbers a, numbers b, numbers c, numbers d,
                                 numbers e)
{
    store_nines(to, mark.low, a.low, b.low, c.low, d.low, e.low);
    store_nines((float *)to + GRZ_WIDTH_D * 9, mark.high, a.high, b.high, c.high, d.high, e.high);
}

GRZ_IN_PLACE numbers round_numbers(numbers a)
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

#else

// The operations are those of lanes.h.
enum { GRZ_BLOCK = GRZ_WIDTH_D };

typedef doubles numbers;
typedef doubles_mask marks;

#define fill_numbers     fill_doubles
#define select_numbers   select_doubles
#define add_numbers      add_doubles
#define sub_numbers      sub_doubles
#define mul_numbers      mul_doubles
#define div_numbers      div_doubles
#define min_numbers      min_doubles
#define max_numbers      max_doubles
#define sqrt_numbers     sqrt_doubles
#define negate_numbers   negate_doubles
#define absolute_numbers absolute_doubles
#define less_numbers     less_doubles
#define at_most_numbers  at_most_doubles
#define mark_bits        mask_bits_d
#define and_marks        mask_and_d
#define or_marks         mask_or_d
#define but_not_marks    mask_but_not_d
#define load_rows_of     load_rows
#define store_rows_of    store_rows
#define store_sixes_of   store_sixes
#define store_nines_of   store_nines

GRZ_IN_PLACE numbers round_numbers(numbers a)
{
    return widen_low(narrow_doubles(a, a));
}

#endif

typedef struct vectors {
    numbers x, y;
} vectors;

GRZ_IN_PLACE vectors join(numbers x, numbers y)
{
    const vectors v = {x, y};
    return v;
}

GRZ_IN_PLACE vectors add_vectors(vectors a, vectors b)
{
    return join(add_numbers(a.x, b.x), add_numbers(a.y, b.y));
}

GRZ_IN_PLACE vectors sub_vectors(vectors a, vectors b)
{
    return join(sub_numbers(a.x, b.x), sub_numbers(a.y, b.y));
}

GRZ_IN_PLACE vectors scale_vectors(vectors v, numbers factor)
{
    return join(mul_numbers(v.x, factor), mul_numbers(v.y, factor));
}

GRZ_IN_PLACE vectors negate_vectors(vectors v)
{
    return join(negate_numbers(v.x), negate_numbers(v.y));
}

GRZ_IN_PLACE vectors left_of_vectors(vectors v)
{
    return join(negate_numbers(v.y), v.x);
}

GRZ_IN_PLACE numbers dot_vectors(vectors a, vectors b)
{
    return add_numbers(mul_numbers(a.x, b.x), mul_numbers(a.y, b.y));
}

GRZ_IN_PLACE numbers cross_vectors(vectors a, vectors b)
{
    return sub_numbers(mul_numbers(a.x, b.y), mul_numbers(a.y, b.x));
}

GRZ_IN_PLACE vectors select_vectors(marks mask, vectors a, vectors b)
{
    return join(select_numbers(mask, a.x, b.x), select_numbers(mask, a.y, b.y));
}

GRZ_IN_PLACE numbers square_numbers(numbers a)
{
    return mul_numbers(a, a);
}

// Where a number is neither NaN nor infinite.
GRZ_IN_PLACE marks have_limits(numbers number)
{
    return at_most_numbers(sub_numbers(number, number), fill_numbers(0));
}

/// What sweeps find. Of lanes that miss all but the marks may be infinite or NaN.
typedef struct sweeps {
    marks hit;
    marks rare; ///< Left to the single kernel; none is in `hit`.
    marks far;  ///< However the bodies turn, they stay apart. Not for discs.
    numbers time, depth;
    numbers approach; ///< How fast they come together, in units per step.
    vectors normal;
    vectors point; ///< Relative to b's centre.
} sweeps;

GRZ_IN_PLACE vectors place_at(vectors start, vectors delta, numbers time)
{
    return add_vectors(start, scale_vectors(delta, time));
}

#if GRZ_BLOCK_VECTORS == 1
static inline vectors load_vectors(const graze_vec2 *points, const uint32_t *places)
{
    vectors v;
    gather_points(points, places, &v.x, &v.y);
    return v;
}
#endif

// Zeros have no sign.
static inline floats round_doubles(doubles low, doubles high)
{
    return add_floats(narrow_doubles(low, high), fill_floats(0));
}

#endif
