// The exact predicates: a filter decides nearly always, an exact sum of products the rest.

#include <graze/orient.h>

#include "determinant.h"
#include "fault.h"
#include "vec2d.h"

#include <float.h>

_Static_assert(FLT_EVAL_METHOD == 0, "exact sums need each operation rounded to its own type");

// A determinant is off by at most this times the sum of the sizes of the two products that it
// subtracts: (3 + 16 eps) eps, where eps is 2^-53 (Shewchuk 1997, ccwerrboundA).
static const double filter_bound = 3.3306690738754716e-16;

// Above this times that sum its relative error is at most 2^-32.
static const double accurate_bound = 3.3306690738754716e-16 * 4294967296.0;

// Adds terms without error: they become an expansion (non-overlapping, growing in size, with zeros
// in between). Returns its value rounded, whose sign is that of the exact sum. A term that is not
// finite makes it NaN, because the rounding error of an infinite sum is.
static double sum_exactly(double *terms, int count)
{
    for (int i = 1; i < count; ++i) {
        double total = terms[i];
        for (int j = 0; j < i; ++j) {
            const double term = terms[j];
            const double sum = total + term;
            const double term_part = sum - total;
            const double total_part = sum - term_part;
            terms[j] = (total - total_part) + (term - term_part);
            total = sum;
        }
        terms[i] = total;
    }
    double value = 0;
    for (int i = 0; i < count; ++i) {
        value += terms[i];
    }
    return value;
}

// Products of two floats are exact in double: 48 bits, and exponents far inside its range.
static double multiply(float a, float b)
{
    return (double)a * (double)b;
}

static double sum_orient_exactly(graze_vec2 a, graze_vec2 b, graze_vec2 p)
{
    double terms[6] = {multiply(a.x, b.y),  -multiply(a.y, b.x), multiply(b.x, p.y),
                       -multiply(b.y, p.x), multiply(p.x, a.y),  -multiply(p.y, a.x)};
    return sum_exactly(terms, 6);
}

static double sum_cross_exactly(graze_segment a, graze_segment b)
{
    double terms[8] = {multiply(a.b.x, b.b.y), -multiply(a.b.x, b.a.y), -multiply(a.a.x, b.b.y),
                       multiply(a.a.x, b.a.y), -multiply(a.b.y, b.b.x), multiply(a.b.y, b.a.x),
                       multiply(a.a.y, b.b.x), -multiply(a.a.y, b.a.x)};
    return sum_exactly(terms, 8);
}

// Returns the determinant in double if it is above `bound` times the sum of the sizes of its
// products, else the exact sum rounded. Not finite: the comparison is false for NaN and for
// infinity, and the sum gives NaN.
static inline double evaluate_orient(graze_vec2 a, graze_vec2 b, graze_vec2 p, double bound)
{
    const graze_vec2d to_a = offset(a, p);
    const graze_vec2d to_b = offset(b, p);
    const double left = to_a.x * to_b.y;
    const double right = to_a.y * to_b.x;
    const double value = left - right;
    if (absolute(value) > bound * (absolute(left) + absolute(right))) {
        return value;
    }
    // Differences of doubles are never 0 by rounding and products here do not underflow, so this is
    // an exact tie, the usual one: on a wall parallel to an axis.
    if (left == 0 && right == 0) {
        return 0;
    }
    return sum_orient_exactly(a, b, p);
}

double grz_orient_value(graze_vec2 a, graze_vec2 b, graze_vec2 p)
{
    return evaluate_orient(a, b, p, accurate_bound);
}

double grz_cross_value(graze_segment a, graze_segment b)
{
    const graze_vec2d along_a = offset(a.b, a.a);
    const graze_vec2d along_b = offset(b.b, b.a);
    const double left = along_a.x * along_b.y;
    const double right = along_a.y * along_b.x;
    const double value = left - right;
    if (absolute(value) > accurate_bound * (absolute(left) + absolute(right))) {
        return value;
    }
    return sum_cross_exactly(a, b);
}

int graze_orient(graze_vec2 a, graze_vec2 b, graze_vec2 p)
{
    const double value = evaluate_orient(a, b, p, filter_bound);
    return (value > 0) - (value < 0);
}

// Whether p is left of a->b, where a p on the line counts as left when `tie_is_left`.
static inline bool is_left(graze_vec2 a, graze_vec2 b, graze_vec2 p, bool tie_is_left)
{
    GRZ_FAULT(filter_constant, filter_bound = 3.3306690738754716e-18);
    const double value = evaluate_orient(a, b, p, filter_bound);
    return (value > 0) | (!(value < 0) & tie_is_left);
}

// Shifting a point by (eps, eps^2) adds (b.x - a.x) eps^2 - (b.y - a.y) eps to its determinant with
// a->b: the sign of that breaks ties. It depends on the segment alone.
static inline bool shifted_point_is_left(graze_vec2 a, graze_vec2 b)
{
    return b.y < a.y || (b.y == a.y && b.x > a.x);
}

// HOT. bench: narrowphase/crosses
//
// Branch  None per side: sides cannot be predicted, and a misprediction costs more than the two
//         determinants that a branch would save.
bool graze_crosses(graze_vec2 from, graze_vec2 to, graze_segment wall)
{
    if (is_same_point(from, to) || is_same_point(wall.a, wall.b)) {
        return false;
    }
    const bool tie = shifted_point_is_left(wall.a, wall.b);
    GRZ_FAULT(fill_rule_of_walls, tie = true);
    const bool from_is_left = is_left(wall.a, wall.b, from, tie);
    const bool to_is_left = is_left(wall.a, wall.b, to, tie);
    // Here the line is shifted instead of the point, so ties fall the other way.
    const bool move_tie = !shifted_point_is_left(from, to);
    GRZ_FAULT(fill_rule_of_moves, move_tie = true);
    const bool a_is_left = is_left(from, to, wall.a, move_tie);
    const bool b_is_left = is_left(from, to, wall.b, move_tie);
    return (from_is_left != to_is_left) & (a_is_left != b_is_left);
}
