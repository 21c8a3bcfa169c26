#include "exact.h"

#include <gmp.h>
#include <math.h>

// A number n means n * 2^-SCALE: fine enough for every float, every sum of a few floats in double,
// and the square of the shift.
#define SHIFT 512
#define SCALE (2 * SHIFT + 320)

typedef struct big_vec2 {
    mpz_t x, y;
} big_vec2;

static void set_number(mpz_t number, double value)
{
    int exponent;
    const double mantissa = frexp(value, &exponent);
    mpz_set_d(number, ldexp(mantissa, 53));
    mpz_mul_2exp(number, number, (mp_bitcnt_t)(exponent - 53 + SCALE));
}

static void init_point(big_vec2 *point, graze_vec2 v)
{
    mpz_inits(point->x, point->y, NULL);
    set_number(point->x, (double)v.x);
    set_number(point->y, (double)v.y);
}

static void shift_point(big_vec2 *point)
{
    mpz_t step;
    mpz_init_set_ui(step, 1);
    mpz_mul_2exp(step, step, SCALE - 2 * SHIFT);
    mpz_add(point->y, point->y, step);
    mpz_mul_2exp(step, step, SHIFT);
    mpz_add(point->x, point->x, step);
    mpz_clear(step);
}

static void init_difference(big_vec2 *difference, const big_vec2 *a, const big_vec2 *b)
{
    mpz_inits(difference->x, difference->y, NULL);
    mpz_sub(difference->x, a->x, b->x);
    mpz_sub(difference->y, a->y, b->y);
}

static void clear_points(big_vec2 *points, int count)
{
    for (int i = 0; i < count; ++i) {
        mpz_clears(points[i].x, points[i].y, NULL);
    }
}

static void set_cross(mpz_t result, const big_vec2 *a, const big_vec2 *b)
{
    mpz_mul(result, a->x, b->y);
    mpz_submul(result, a->y, b->x);
}

static void set_dot(mpz_t result, const big_vec2 *a, const big_vec2 *b)
{
    mpz_mul(result, a->x, b->x);
    mpz_addmul(result, a->y, b->y);
}

int exact_orient(graze_vec2 a, graze_vec2 b, graze_vec2 p)
{
    big_vec2 points[5];
    init_point(&points[0], a);
    init_point(&points[1], b);
    init_point(&points[2], p);
    init_difference(&points[3], &points[1], &points[0]);
    init_difference(&points[4], &points[2], &points[0]);
    mpz_t area;
    mpz_init(area);
    set_cross(area, &points[3], &points[4]);
    const int sign = mpz_sgn(area);
    mpz_clear(area);
    clear_points(points, 5);
    return sign;
}

/// Two segments p + t d and q + u e: they meet where t = numerator_t / denominator, u likewise.
typedef struct big_meeting {
    mpz_t denominator; // >= 0; 0 when they are parallel or one has no length
    mpz_t numerator_t, numerator_u;
} big_meeting;

static void init_meeting(big_meeting *meeting, const big_vec2 *p, const big_vec2 *d,
                         const big_vec2 *q, const big_vec2 *e)
{
    big_vec2 between;
    init_difference(&between, q, p);
    mpz_inits(meeting->denominator, meeting->numerator_t, meeting->numerator_u, NULL);
    set_cross(meeting->denominator, d, e);
    set_cross(meeting->numerator_t, &between, e);
    set_cross(meeting->numerator_u, &between, d);
    if (mpz_sgn(meeting->denominator) < 0) {
        mpz_neg(meeting->denominator, meeting->denominator);
        mpz_neg(meeting->numerator_t, meeting->numerator_t);
        mpz_neg(meeting->numerator_u, meeting->numerator_u);
    }
    clear_points(&between, 1);
}

static void clear_meeting(big_meeting *meeting)
{
    mpz_clears(meeting->denominator, meeting->numerator_t, meeting->numerator_u, NULL);
}

static bool is_within(const mpz_t numerator, const mpz_t denominator)
{
    return mpz_sgn(numerator) >= 0 && mpz_cmp(numerator, denominator) <= 0;
}

bool exact_crosses(graze_vec2 from, graze_vec2 to, graze_vec2 wall_a, graze_vec2 wall_b)
{
    big_vec2 points[6];
    init_point(&points[0], from);
    init_point(&points[1], to);
    init_point(&points[2], wall_a);
    init_point(&points[3], wall_b);
    shift_point(&points[0]);
    shift_point(&points[1]);
    init_difference(&points[4], &points[1], &points[0]);
    init_difference(&points[5], &points[3], &points[2]);
    big_meeting meeting;
    init_meeting(&meeting, &points[0], &points[4], &points[2], &points[5]);
    const bool crosses = mpz_sgn(meeting.denominator) != 0 &&
                         is_within(meeting.numerator_t, meeting.denominator) &&
                         is_within(meeting.numerator_u, meeting.denominator);
    clear_meeting(&meeting);
    clear_points(points, 6);
    return crosses;
}

// Whether the projections of the segments p-q and r-s on an axis share a point.
static bool shadows_meet(const big_vec2 points[4], const big_vec2 *axis)
{
    mpz_t shadow[4];
    for (int i = 0; i < 4; ++i) {
        mpz_init(shadow[i]);
        set_dot(shadow[i], &points[i], axis);
    }
    if (mpz_cmp(shadow[0], shadow[1]) > 0) {
        mpz_swap(shadow[0], shadow[1]);
    }
    if (mpz_cmp(shadow[2], shadow[3]) > 0) {
        mpz_swap(shadow[2], shadow[3]);
    }
    const bool meet = mpz_cmp(shadow[0], shadow[3]) <= 0 && mpz_cmp(shadow[2], shadow[1]) <= 0;
    for (int i = 0; i < 4; ++i) {
        mpz_clear(shadow[i]);
    }
    return meet;
}

/// The ends of two segments, their directions, and the way from the start of one to that of the
/// other.
typedef struct big_pair {
    big_vec2 points[7];
    big_meeting meeting;
} big_pair;

static void init_pair(big_pair *pair, graze_vec2 a0, graze_vec2 a1, graze_vec2 b0, graze_vec2 b1)
{
    big_vec2 *points = pair->points;
    init_point(&points[0], a0);
    init_point(&points[1], a1);
    init_point(&points[2], b0);
    init_point(&points[3], b1);
    init_difference(&points[4], &points[1], &points[0]);
    init_difference(&points[5], &points[3], &points[2]);
    init_difference(&points[6], &points[2], &points[0]);
    init_meeting(&pair->meeting, &points[0], &points[4], &points[2], &points[5]);
}

static void clear_pair(big_pair *pair)
{
    clear_meeting(&pair->meeting);
    clear_points(pair->points, 7);
}

bool exact_segments_meet(graze_vec2 a0, graze_vec2 a1, graze_vec2 b0, graze_vec2 b1)
{
    big_pair pair;
    init_pair(&pair, a0, a1, b0, b1);
    const big_meeting *meeting = &pair.meeting;
    bool meet = false;
    if (mpz_sgn(meeting->denominator) != 0) {
        meet = is_within(meeting->numerator_t, meeting->denominator) &&
               is_within(meeting->numerator_u, meeting->denominator);
    } else if (mpz_sgn(meeting->numerator_t) == 0 && mpz_sgn(meeting->numerator_u) == 0) {
        meet = shadows_meet(pair.points, &pair.points[4]) &&
               shadows_meet(pair.points, &pair.points[5]) &&
               shadows_meet(pair.points, &pair.points[6]);
    }
    clear_pair(&pair);
    return meet;
}

bool exact_are_parallel(graze_vec2 a0, graze_vec2 a1, graze_vec2 b0, graze_vec2 b1)
{
    big_pair pair;
    init_pair(&pair, a0, a1, b0, b1);
    const bool parallel = mpz_sgn(pair.meeting.denominator) == 0;
    clear_pair(&pair);
    return parallel;
}

double exact_place_of_crossing(graze_vec2 a0, graze_vec2 a1, graze_vec2 b0, graze_vec2 b1)
{
    big_pair pair;
    init_pair(&pair, a0, a1, b0, b1);
    mpq_t place;
    mpq_init(place);
    mpq_set_num(place, pair.meeting.numerator_t);
    mpq_set_den(place, pair.meeting.denominator);
    mpq_canonicalize(place);
    const double rounded = mpq_get_d(place);
    mpq_clear(place);
    clear_pair(&pair);
    return rounded;
}

// The sign of |numerator|^2 - radius^2 * factor.
static int compare_squares(const mpz_t numerator_squared, const mpz_t radius, const mpz_t factor)
{
    mpz_t limit;
    mpz_init(limit);
    mpz_mul(limit, radius, radius);
    mpz_mul(limit, limit, factor);
    const int order = mpz_cmp(numerator_squared, limit);
    mpz_clear(limit);
    return (order > 0) - (order < 0);
}

int exact_compare_distance(graze_vec2 point, graze_vec2 a, graze_vec2 b, double radius)
{
    big_vec2 points[6];
    init_point(&points[0], point);
    init_point(&points[1], a);
    init_point(&points[2], b);
    init_difference(&points[3], &points[2], &points[1]);
    init_difference(&points[4], &points[0], &points[1]);
    init_difference(&points[5], &points[0], &points[2]);
    mpz_t reach, value, factor;
    mpz_inits(reach, value, factor, NULL);
    set_number(reach, radius);
    set_dot(value, &points[4], &points[3]);
    const bool before_a = mpz_sgn(value) <= 0;
    set_dot(value, &points[5], &points[3]);
    const bool after_b = mpz_sgn(value) >= 0;
    if (before_a || after_b) {
        const big_vec2 *offset = before_a ? &points[4] : &points[5];
        set_dot(value, offset, offset);
        mpz_set_ui(factor, 1);
    } else {
        set_cross(value, &points[3], &points[4]);
        mpz_mul(value, value, value);
        set_dot(factor, &points[3], &points[3]);
    }
    const int order = compare_squares(value, reach, factor);
    mpz_clears(reach, value, factor, NULL);
    clear_points(points, 6);
    return order;
}
