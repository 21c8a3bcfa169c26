#include <graze/vec2.h>

#include "root.h"

// Squares of floats are exact in double, and neither they nor their sums leave its range.
static double measure_length(graze_vec2 v)
{
    const double x = (double)v.x;
    const double y = (double)v.y;
    return grz_sqrt(x * x + y * y);
}

float graze_vec2_length(graze_vec2 v)
{
    return (float)measure_length(v);
}

graze_vec2 graze_vec2_normalize(graze_vec2 v)
{
    const double length = measure_length(v);
    if (length == 0) {
        const graze_vec2 none = {0, 0};
        return none;
    }
    const graze_vec2 unit = {(float)((double)v.x / length), (float)((double)v.y / length)};
    return unit;
}

// On [0, tan(pi/16)] the first term left out is below 5e-16 of the sum.
static double arctangent_of_small(double t)
{
    static const double coefficients[] = {1.0 / 19, 1.0 / 17, 1.0 / 15, 1.0 / 13, 1.0 / 11,
                                          1.0 / 9,  1.0 / 7,  1.0 / 5,  1.0 / 3,  1.0};
    const double z = t * t;
    double sum = 0;
    for (int i = 0; i < 10; ++i) {
        sum = coefficients[i] - z * sum;
    }
    return t * sum;
}

// The angle of (x, y) with 0 <= y <= x and x > 0. The tangent of half an angle is y / (x + length):
// adding the length to x halves the angle of the vector, here twice.
static double measure_octant_angle(double x, double y)
{
    const double half_x = x + grz_sqrt(x * x + y * y);
    const double quarter_x = half_x + grz_sqrt(half_x * half_x + y * y);
    return 4 * arctangent_of_small(y / quarter_x);
}

// The angle of (x, y) from the x axis, in [0, pi], for y >= 0 and (x, y) not zero.
static double measure_half_plane_angle(double x, double y)
{
    static const double pi = 0x1.921fb54442d18p+1;
    const double width = x < 0 ? -x : x;
    const double acute =
        y <= width ? measure_octant_angle(width, y) : pi / 2 - measure_octant_angle(y, width);
    return x < 0 ? pi - acute : acute;
}

float graze_vec2_angle(graze_vec2 a, graze_vec2 b)
{
    const double ax = (double)a.x;
    const double ay = (double)a.y;
    const double x = ax * (double)b.x + ay * (double)b.y;
    const double y = ax * (double)b.y - ay * (double)b.x;
    if (x == 0 && y == 0) {
        return 0;
    }
    return (float)(y < 0 ? -measure_half_plane_angle(x, -y) : measure_half_plane_angle(x, y));
}
