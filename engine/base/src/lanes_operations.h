/// @file lanes_operations.h
/// The operations of lanes.h that are written once for all sets and widths. Included by
/// lanes_begin.h alone, after what a set has of its own.
#ifndef GRZ_LANES_OPERATIONS_H
#define GRZ_LANES_OPERATIONS_H

// --- Vectors and memory ---

#define GRZ_MEMORY(type, number)                                                                   \
    static inline type load_##type(const number *from)                                             \
    {                                                                                              \
        return read_##type(from);                                                                  \
    }                                                                                              \
                                                                                                   \
    static inline void store_##type(number *to, type a)                                            \
    {                                                                                              \
        write_##type(to, a);                                                                       \
    }

GRZ_MEMORY(floats, float)
GRZ_MEMORY(doubles, double)
GRZ_MEMORY(ints, uint32_t)

#define GRZ_SAME(k) same

static inline floats fill_floats(float same)
{
    return GRZ_LIST(floats, GRZ_SAME);
}

static inline doubles fill_doubles(double same)
{
    return GRZ_LIST(doubles, GRZ_SAME);
}

static inline ints fill_ints(uint32_t same)
{
    return GRZ_LIST(ints, GRZ_SAME);
}

#define GRZ_NUMBER(k) k

static inline ints number_lanes(void)
{
    return GRZ_LIST(ints, GRZ_NUMBER);
}

// --- Arithmetic and masks ---

GRZ_FLOATS(add_floats, a + b)
GRZ_FLOATS(sub_floats, a - b)
GRZ_FLOATS(mul_floats, (a * b))
GRZ_FLOATS(div_floats, a / b)
GRZ_DOUBLES(add_doubles, a + b)
GRZ_DOUBLES(sub_doubles, a - b)
GRZ_DOUBLES(mul_doubles, (a * b))
GRZ_DOUBLES(div_doubles, a / b)
GRZ_INTS(add_ints, a + b)
GRZ_INTS(sub_ints, a - b)
GRZ_INTS(mul_ints, (a * b))
GRZ_INTS(and_ints, (a & b))
GRZ_INTS(or_ints, a | b)

// On x86 floats and doubles compute faster with masks of their own kind.
#if GRZ_LANES != GRZ_LANES_SSE2 && GRZ_LANES != GRZ_LANES_AVX2

GRZ_BINARY(floats_mask, mask_or, floats_mask, (floats_mask)(a | b))
GRZ_BINARY(doubles_mask, mask_and_d, doubles_mask, (doubles_mask)((a) & (b)))
GRZ_BINARY(doubles_mask, mask_or_d, doubles_mask, (doubles_mask)(a | b))
GRZ_BINARY(doubles_mask, mask_but_not_d, doubles_mask, (doubles_mask)(a & ~b))

#endif

// Where masks are vectors: all bits of a lane are set, or none.
#if GRZ_LANES != GRZ_LANES_SCALAR && GRZ_LANES != GRZ_LANES_AVX512

GRZ_BINARY(floats_mask, less_floats, floats, (floats_mask)(a < b))
GRZ_BINARY(floats_mask, at_most_floats, floats, (floats_mask)(a <= b))
GRZ_BINARY(doubles_mask, less_doubles, doubles, (doubles_mask)(a < b))
GRZ_BINARY(doubles_mask, at_most_doubles, doubles, (doubles_mask)(a <= b))
GRZ_BINARY(floats_mask, equal_ints, ints, (floats_mask)(a == b))
GRZ_BINARY(floats_mask, less_ints, ints, (floats_mask)((signed_ints)a < (signed_ints)b))

static inline floats_mask first_lanes(uint32_t count)
{
    return less_ints(number_lanes(), fill_ints(count));
}

#endif

#if !GRZ_LANES_X86

GRZ_BINARY(floats_mask, mask_and, floats_mask, ((a) & (b)))
GRZ_BINARY(floats, min_floats, floats, select_floats(less_floats(a, b), a, b))
GRZ_BINARY(floats, max_floats, floats, select_floats(less_floats(b, a), a, b))
GRZ_BINARY(doubles, min_doubles, doubles, select_doubles(less_doubles(a, b), a, b))
GRZ_BINARY(doubles, max_doubles, doubles, select_doubles(less_doubles(b, a), a, b))

#endif

// --- Orders of lanes ---

// Of two vectors: every second lane, from the first or second on; all lanes in turns, those of the
// lower or upper halves.
#define GRZ_EVEN(k)     2 * (k)
#define GRZ_ODD(k)      2 * (k) + 1
#define GRZ_ZIP_LOW(k)  (k) / 2 + (k) % 2 * GRZ_WIDTH
#define GRZ_ZIP_HIGH(k) GRZ_WIDTH / 2 + GRZ_ZIP_LOW(k)

// Of each four lanes of two vectors: the lower or upper two in turns; both of the lower or of the
// upper two; every second one.
#define GRZ_ZIP_LOWS(k)   (k) / 4 * 4 + (k) % 4 / 2 + (k) % 2 * GRZ_WIDTH
#define GRZ_ZIP_HIGHS(k)  GRZ_ZIP_LOWS(k) + 2
#define GRZ_LOW_TWOS(k)   (k) / 4 * 4 + (k) % 2 + (k) % 4 / 2 * GRZ_WIDTH
#define GRZ_HIGH_TWOS(k)  GRZ_LOW_TWOS(k) + 2
#define GRZ_EVEN_FOURS(k) (k) / 4 * 4 + (k) % 2 * 2 + (k) % 4 / 2 * GRZ_WIDTH
#define GRZ_ODD_FOURS(k)  GRZ_EVEN_FOURS(k) + 1

// Of one vector of `width` lanes: first the even ones, then the odd ones; the reverse of that.
#define GRZ_PART_OF(k, width) 2 * (k) % (width) + 2 * (k) / (width)
#define GRZ_JOIN_OF(k, width) (k) / 2 + (k) % 2 * ((width) / 2)
#define GRZ_PART(k)           GRZ_PART_OF(k, GRZ_WIDTH)
#define GRZ_JOIN(k)           GRZ_JOIN_OF(k, GRZ_WIDTH)
#define GRZ_PART_D(k)         GRZ_PART_OF(k, GRZ_WIDTH_D)
#define GRZ_JOIN_D(k)         GRZ_JOIN_OF(k, GRZ_WIDTH_D)

GRZ_BINARY(floats, low_halves, floats, GRZ_MIX(a, b, GRZ_LOW_TWOS))
GRZ_BINARY(floats, high_halves, floats, GRZ_MIX(a, b, GRZ_HIGH_TWOS))

static inline floats unzip_twos(floats a)
{
    const doubles twos = floats_in_twos(a);
    return twos_as_floats(GRZ_MIX_D(twos, twos, GRZ_PART_D));
}

static inline floats zip_twos(floats a)
{
    const doubles twos = floats_in_twos(a);
    return twos_as_floats(GRZ_MIX_D(twos, twos, GRZ_JOIN_D));
}

// Those of the even and odd places of two vectors. With AVX2 gcc needs fewer instructions if both
// steps are spelled out.
static inline void unzip_lanes(floats first, floats second, floats *even, floats *odd)
{
    if (GRZ_WIDTH == 8) {
        *even = unzip_twos(GRZ_MIX(first, second, GRZ_EVEN_FOURS));
        *odd = unzip_twos(GRZ_MIX(first, second, GRZ_ODD_FOURS));
    } else {
        *even = GRZ_MIX(first, second, GRZ_EVEN);
        *odd = GRZ_MIX(first, second, GRZ_ODD);
    }
}

static inline void zip_lanes(floats even, floats odd, floats *first, floats *second)
{
    *first = GRZ_MIX(even, odd, GRZ_ZIP_LOW);
    *second = GRZ_MIX(even, odd, GRZ_ZIP_HIGH);
}

// --- For sets that have no instruction of their own ---

#if GRZ_WIDTH == 4

static inline floats load_quads(const float *const from[1])
{
    return load_floats(from[0]);
}

static inline void store_quads(float *const to[1], floats a)
{
    store_floats(to[0], a);
}

#endif

#if GRZ_LANES != GRZ_LANES_AVX512

static inline floats load_half(const float *from)
{
    float half[GRZ_WIDTH] = {0};
    memcpy(half, from, sizeof half / 2);
    return load_floats(half);
}

#endif

#if !GRZ_LANES_X86

static inline uint32_t count_bits(uint32_t bits)
{
    return (uint32_t)(UINT64_C(0x4332322132212110) >> bits * 4) & 7;
}

static inline ints gather_vectors(const graze_vec2 *from, const uint32_t *index)
{
    const graze_vec2 both[GRZ_WIDTH_D] = {from[index[0]], from[index[1]]};
    return read_ints(both);
}

#endif

// --- Compaction ---

// All pairs, or `count` of them: with AVX-512 the second vector is hardly ever needed.
static inline void write_pairs(uint32_t *to, uint32_t a, ints seconds, uint32_t count)
{
    floats first, second;
    zip_lanes(floats_of_bits(fill_ints(a)), floats_of_bits(seconds), &first, &second);
    write_floats(to, first);
    if (GRZ_WIDTH < 16 || count > GRZ_WIDTH / 2) {
        write_floats(to + GRZ_WIDTH, second);
    }
}

#if GRZ_WIDTH == 4

// Stores lane by lane, each lane overwriting one that is left out: without a branch.
static inline void pack_ints(uint32_t *to, uint32_t bits, ints a)
{
    uint32_t lane[GRZ_WIDTH];
    store_ints(lane, a);
    for (uint32_t k = 0; k < GRZ_WIDTH; ++k) {
        *to = lane[k];
        to += bits >> k & 1;
    }
}

static inline uint32_t store_pairs(uint32_t *to, uint32_t bits, uint32_t a, ints b)
{
    uint32_t seconds[GRZ_WIDTH], count = 0;
    store_ints(seconds, b);
    for (uint32_t k = 0; k < GRZ_WIDTH; ++k) {
        to[2 * count] = a;
        to[2 * count + 1] = seconds[k];
        count += bits >> k & 1;
    }
    return count;
}

static inline uint32_t store_places(uint32_t *to, uint32_t bits, uint32_t a, uint32_t first)
{
    static const uint32_t lanes[1 << GRZ_WIDTH][GRZ_WIDTH] = {
        {0}, {0},    {1},    {0, 1},    {2},    {0, 2},    {1, 2},    {0, 1, 2},
        {3}, {0, 3}, {1, 3}, {0, 1, 3}, {2, 3}, {0, 2, 3}, {1, 2, 3}, {0, 1, 2, 3}};
    write_pairs(to, a, add_ints(fill_ints(first), load_ints(lanes[bits])), GRZ_WIDTH);
    return count_bits(bits);
}

#else

static inline void pack_ints(uint32_t *to, uint32_t bits, ints a)
{
    store_ints(to, compress_ints(bits, a));
}

static inline uint32_t store_pairs(uint32_t *to, uint32_t bits, uint32_t a, ints b)
{
    const uint32_t count = count_bits(bits);
    write_pairs(to, a, compress_ints(bits, b), count);
    return count;
}

static inline uint32_t store_places(uint32_t *to, uint32_t bits, uint32_t a, uint32_t first)
{
    return store_pairs(to, bits, a, add_ints(fill_ints(first), number_lanes()));
}

#endif

// --- Points and pairs ---

static inline void load_points(const graze_vec2 *from, floats *x, floats *y)
{
    unzip_lanes(load_floats(&from[0].x), load_floats(&from[GRZ_WIDTH / 2].x), x, y);
}

static inline void store_points(graze_vec2 *to, floats x, floats y)
{
    floats first, second;
    zip_lanes(x, y, &first, &second);
    store_floats(&to[0].x, first);
    store_floats(&to[GRZ_WIDTH / 2].x, second);
}

static inline void split_points(const graze_vec2 *from, floats *even, floats *odd)
{
    const doubles first = floats_in_twos(load_floats(&from[0].x));
    const doubles second = floats_in_twos(load_floats(&from[GRZ_WIDTH / 2].x));
    *even = twos_as_floats(GRZ_MIX_D(first, second, GRZ_EVEN));
    *odd = twos_as_floats(GRZ_MIX_D(first, second, GRZ_ODD));
}

static inline void load_pairs(const void *from, ints *a, ints *b)
{
    const char *next = (const char *)from;
    floats even, odd;
    unzip_lanes(read_floats(next), read_floats(next + sizeof even), &even, &odd);
    *a = bits_of_floats(even);
    *b = bits_of_floats(odd);
}

// Three vectors hold triples. As 3 divides no width, a word that is the first of its triple (or the
// second, or the third) lies in other lanes in each of the vectors. So blends bring all of them
// together, in lanes that GRZ_THIRD puts in order.
#define GRZ_THIRDS_IN(part, l, first) (((part)*GRZ_WIDTH + (l)) % 3 == (first))
#define GRZ_BLEND_0(k)                GRZ_THIRDS_IN(1, k, 0) ? GRZ_WIDTH + (k) : (k)
#define GRZ_BLEND_1(k)                GRZ_THIRDS_IN(1, k, 1) ? GRZ_WIDTH + (k) : (k)
#define GRZ_BLEND_2(k)                GRZ_THIRDS_IN(1, k, 2) ? GRZ_WIDTH + (k) : (k)
#define GRZ_LAST_0(k)                 GRZ_THIRDS_IN(2, k, 0) ? GRZ_WIDTH + (k) : (k)
#define GRZ_LAST_1(k)                 GRZ_THIRDS_IN(2, k, 1) ? GRZ_WIDTH + (k) : (k)
#define GRZ_LAST_2(k)                 GRZ_THIRDS_IN(2, k, 2) ? GRZ_WIDTH + (k) : (k)
#define GRZ_THIRD_0(k)                3 * (k) % GRZ_WIDTH
#define GRZ_THIRD_1(k)                (3 * (k) + 1) % GRZ_WIDTH
#define GRZ_THIRD_2(k)                (3 * (k) + 2) % GRZ_WIDTH

static inline void load_threes(const void *from, ints *a, ints *b, ints *c)
{
    const char *next = (const char *)from;
    const floats first = read_floats(next), second = read_floats(next + sizeof first);
    const floats third = read_floats(next + 2 * sizeof first);
    const floats all_a = GRZ_MIX(GRZ_MIX(first, second, GRZ_BLEND_0), third, GRZ_LAST_0);
    const floats all_b = GRZ_MIX(GRZ_MIX(first, second, GRZ_BLEND_1), third, GRZ_LAST_1);
    const floats all_c = GRZ_MIX(GRZ_MIX(first, second, GRZ_BLEND_2), third, GRZ_LAST_2);
    *a = bits_of_floats(GRZ_MIX(all_a, all_a, GRZ_THIRD_0));
    *b = bits_of_floats(GRZ_MIX(all_b, all_b, GRZ_THIRD_1));
    *c = bits_of_floats(GRZ_MIX(all_c, all_c, GRZ_THIRD_2));
}

// --- Elements by their indices: by a load each, since gathering instructions are microcode on some
// processors ---

#define GRZ_GATHERED(k) from[index[stride * (k)]]

static inline ints gather_ints(const uint32_t *from, const uint32_t *index, uint32_t stride)
{
    return GRZ_LIST(ints, GRZ_GATHERED);
}

#define GRZ_OF_HALVES(k) ((k) < GRZ_WIDTH_D ? low : high)[index[(k) % GRZ_WIDTH_D]]

static inline ints gather_halves(const uint32_t *low, const uint32_t *high, const uint32_t *index)
{
    return GRZ_LIST(ints, GRZ_OF_HALVES);
}

// Always inlined: where it is used many times gcc would call it, and save all vectors in memory
// around the call.
GRZ_IN_PLACE void gather_points(const graze_vec2 *from, const uint32_t *index, doubles *x,
                                doubles *y)
{
    const floats points = floats_of_bits(gather_vectors(from, index));
    const floats parted = GRZ_MIX(points, points, GRZ_PART);
    *x = widen_low(parted);
    *y = widen_high(parted);
}

// --- Boxes ---

// Turns four vectors, each of four lanes a row, into columns; and back.
static inline void transpose(floats rows[4])
{
    const floats low = GRZ_MIX(rows[0], rows[1], GRZ_ZIP_LOWS);
    const floats high = GRZ_MIX(rows[0], rows[1], GRZ_ZIP_HIGHS);
    const floats next_low = GRZ_MIX(rows[2], rows[3], GRZ_ZIP_LOWS);
    const floats next_high = GRZ_MIX(rows[2], rows[3], GRZ_ZIP_HIGHS);
    rows[0] = low_halves(low, next_low);
    rows[1] = high_halves(low, next_low);
    rows[2] = low_halves(high, next_high);
    rows[3] = high_halves(high, next_high);
}

GRZ_IN_PLACE void gather_boxes(const float *from, size_t stride, const uint32_t *index,
                               floats *lower_x, floats *lower_y, floats *upper_x, floats *upper_y)
{
    floats rows[4];
    GRZ_UNROLLED
    for (uint32_t k = 0; k < 4; ++k) {
        const float *boxes[GRZ_WIDTH / 4];
        GRZ_UNROLLED
        for (uint32_t j = 0; j < GRZ_WIDTH / 4; ++j) {
            boxes[j] = from + stride * index[4 * j + k];
        }
        rows[k] = load_quads(boxes);
    }
    transpose(rows);
    *lower_x = rows[0];
    *lower_y = rows[1];
    *upper_x = rows[2];
    *upper_y = rows[3];
}

GRZ_IN_PLACE void scatter_boxes(float *to, size_t stride, const uint32_t *index, floats lower_x,
                                floats lower_y, floats upper_x, floats upper_y)
{
    floats rows[4] = {lower_x, lower_y, upper_x, upper_y};
    transpose(rows);
    GRZ_UNROLLED
    for (uint32_t k = 0; k < 4; ++k) {
        float *boxes[GRZ_WIDTH / 4];
        GRZ_UNROLLED
        for (uint32_t j = 0; j < GRZ_WIDTH / 4; ++j) {
            boxes[j] = to + stride * index[4 * j + k];
        }
        store_quads(boxes, rows[k]);
    }
}

static const uint32_t all_lanes[] = {GRZ_PLACES(GRZ_NUMBER)};

static inline void load_boxes(const graze_aabb *from, floats *lower_x, floats *lower_y,
                              floats *upper_x, floats *upper_y)
{
    gather_boxes((const float *)(const void *)from, 4, all_lanes, lower_x, lower_y, upper_x,
                 upper_y);
}

static inline void store_boxes(graze_aabb *to, floats lower_x, floats lower_y, floats upper_x,
                               floats upper_y)
{
    scatter_boxes((float *)(void *)to, 4, all_lanes, lower_x, lower_y, upper_x, upper_y);
}

static inline floats_mask overlap_fours(floats a, floats b)
{
    return at_most_floats(low_halves(a, b), high_halves(b, a));
}

#if !GRZ_LANES_X86

static inline uint32_t store_fours(bool *to, floats_mask a, floats_mask b, floats_mask c,
                                   floats_mask d)
{
    to[0] = mask_bits(a) == 15;
    to[1] = mask_bits(b) == 15;
    to[2] = mask_bits(c) == 15;
    to[3] = mask_bits(d) == 15;
    return (uint32_t)to[0] + to[1] + to[2] + to[3];
}

#endif

// --- Rows ---

static inline floats load_every_second_row(const float *from, uint32_t stride)
{
    const float *rows[GRZ_WIDTH / 4];
    GRZ_UNROLLED
    for (uint32_t j = 0; j < GRZ_WIDTH / 4; ++j) {
        rows[j] = from + 2 * j * stride;
    }
    return load_quads(rows);
}

static inline void store_every_second_row(float *to, uint32_t stride, floats a)
{
    float *rows[GRZ_WIDTH / 4];
    GRZ_UNROLLED
    for (uint32_t j = 0; j < GRZ_WIDTH / 4; ++j) {
        rows[j] = to + 2 * j * stride;
    }
    store_quads(rows, a);
}

static inline void load_rows(const float *from, uint32_t stride, doubles columns[4])
{
    const floats even = load_every_second_row(from, stride);
    const floats odd = load_every_second_row(from + stride, stride);
    const floats low = unzip_twos(GRZ_MIX(even, odd, GRZ_ZIP_LOWS));
    const floats high = unzip_twos(GRZ_MIX(even, odd, GRZ_ZIP_HIGHS));
    columns[0] = widen_low(low);
    columns[1] = widen_high(low);
    columns[2] = widen_low(high);
    columns[3] = widen_high(high);
}

static inline void store_rows(float *to, uint32_t stride, doubles a, doubles b, doubles c,
                              doubles d)
{
    const floats low = zip_twos(narrow_doubles(a, b)), high = zip_twos(narrow_doubles(c, d));
    store_every_second_row(to, stride, GRZ_MIX(low, high, GRZ_EVEN_FOURS));
    store_every_second_row(to + stride, stride, GRZ_MIX(low, high, GRZ_ODD_FOURS));
}

// --- Records ---

static inline floats mix_halves(floats a)
{
    return GRZ_MIX(a, a, GRZ_JOIN);
}

static inline doubles keep_twos(doubles_mask mask, floats a)
{
    return select_doubles(mask, floats_in_twos(a), fill_doubles(0));
}

#define GRZ_FLAG(k) 1 - (k) % 2

// Two words at a time: they are one double.
static inline void store_sixes(void *to, doubles_mask mask, doubles a, doubles b, doubles c,
                               doubles d, doubles e)
{
    const floats after_flags = mix_halves(narrow_doubles(fill_doubles(0), a));
    const ints flagged = or_ints(bits_of_floats(after_flags), GRZ_LIST(ints, GRZ_FLAG));
    const doubles twos[3] = {keep_twos(mask, floats_of_bits(flagged)),
                             keep_twos(mask, mix_halves(narrow_doubles(b, c))),
                             keep_twos(mask, mix_halves(narrow_doubles(d, e)))};
    char *next = (char *)to;
    for (uint32_t k = 0; k < 3 * GRZ_WIDTH_D; ++k, next += sizeof(double)) {
        const double two = GRZ_LANE(twos[k % 3], k / 3);
        memcpy(next, &two, sizeof two);
    }
}

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

// Of mixed halves.
static inline void store_mixed(float *to, uint32_t stride, floats a, floats b, floats c, floats d)
{
    store_every_second_row(to, stride, low_halves(a, b));
    store_every_second_row(to + 4, stride, low_halves(c, d));
    store_every_second_row(to + stride, stride, high_halves(a, b));
    store_every_second_row(to + stride + 4, stride, high_halves(c, d));
}

static inline void store_octets(float *to, floats a, floats b, floats c, floats d)
{
    store_mixed(to, 8, mix_halves(a), mix_halves(b), mix_halves(c), mix_halves(d));
}

#if GRZ_WIDTH == 4

static inline void pack_octets(void *to, uint32_t stride, uint32_t bits, floats a, floats b,
                               floats c, floats d)
{
    store_mixed((float *)to, (bits & 1) * stride, mix_halves(a), mix_halves(b), mix_halves(c),
                mix_halves(d));
}

#else

static inline void pack_octets(void *to, uint32_t stride, uint32_t bits, floats a, floats b,
                               floats c, floats d)
{
    const floats mixed = floats_of_bits(GRZ_LIST(ints, GRZ_JOIN));
    const ints order =
        bits_of_floats(twos_as_floats(compress_doubles(bits, floats_in_twos(mixed))));
    store_mixed((float *)to, stride, permute(a, order), permute(b, order), permute(c, order),
                permute(d, order));
}

#endif

#endif
