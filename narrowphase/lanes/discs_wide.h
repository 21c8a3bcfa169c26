/// @file discs_wide.h
/// Discs that move or overlap, a pair in each lane: mirrors sweep_disc.h. Included by wide loops
/// alone.
#ifndef GRZ_DISCS_WIDE_H
#define GRZ_DISCS_WIDE_H

#include "numbers_wide.h"

/// Points that move past discs of `radius` around the origin: the terms of enter_disc() before its
/// root.
typedef struct passages {
    numbers approach, reach, path, side, chord, gap;
    marks touches; ///< At the start; then it does not matter what the next two say.
    marks enters;  ///< It may: it comes closer, and within reach before the step ends.
    marks rare;    ///< The same, but left to the single kernel: by rounding alone, or two points.
} passages;

GRZ_IN_PLACE passages follow_points(vectors start, vectors delta, numbers radius)
{
    const numbers zero = fill_numbers(0);
    passages way;
    way.reach = square_numbers(radius);
    way.approach = negate_numbers(dot_vectors(start, delta));
    way.path = dot_vectors(delta, delta);
    way.side = cross_vectors(start, delta);
    way.chord = sub_numbers(mul_numbers(way.reach, way.path), square_numbers(way.side));
    way.gap = dot_vectors(start, start);
    way.touches = at_most_numbers(way.gap, way.reach);
    const vectors end = add_vectors(start, delta);
    const marks passes = less_numbers(way.chord, zero);
    const marks ends_before = or_marks(at_most_numbers(way.path, way.approach), passes);
    const marks is_beyond = less_numbers(way.reach, dot_vectors(end, end));
    const marks is_ahead = less_numbers(zero, way.approach);
    const marks meets = but_not_marks(is_ahead, and_marks(ends_before, is_beyond));
    const marks is_round = but_not_marks(less_numbers(zero, radius), passes);
    way.enters = and_marks(meets, is_round);
    way.rare = but_not_marks(meets, is_round);
    return way;
}

// When a point first touches the disc, if it does not at the start.
GRZ_IN_PLACE numbers time_of_entry(const passages *way, numbers root)
{
    return div_numbers(sub_numbers(way->gap, way->reach), add_numbers(root, way->approach));
}

// The normal of enter_disc(), before it is divided by its length.
GRZ_IN_PLACE vectors turn_inward(const passages *way, vectors delta, numbers root)
{
    return join(sub_numbers(mul_numbers(delta.x, root), mul_numbers(delta.y, way->side)),
                add_numbers(mul_numbers(delta.y, root), mul_numbers(delta.x, way->side)));
}

// The rest of enter_disc(), for those that do not touch at the start.
GRZ_IN_PLACE sweeps enter_discs(const passages *way, vectors delta, numbers radius,
                                numbers radius_b)
{
    const numbers one = fill_numbers(1);
    const numbers root = sqrt_numbers(way->chord);
    const numbers inverse = div_numbers(one, mul_numbers(radius, way->path));
    const numbers time = time_of_entry(way, root);
    const vectors normal = scale_vectors(turn_inward(way, delta, root), inverse);
    const sweeps sweep = {
        .hit = and_marks(way->enters, at_most_numbers(fill_numbers(0), time)),
        .rare = way->rare,
        .time = min_numbers(time, one),
        .depth = fill_numbers(0),
        .approach = dot_vectors(delta, normal),
        .normal = normal,
        .point = scale_vectors(normal, negate_numbers(radius_b)),
    };
    return sweep;
}

// The normals of discs that overlap: see initial_overlap_with_disc(). `factor` is -1 / distance.
GRZ_IN_PLACE vectors part_discs(vectors start, numbers distance, numbers factor)
{
    const vectors fallback = {fill_numbers(1), fill_numbers(0)};
    const marks is_apart = less_numbers(fill_numbers(0), distance);
    return select_vectors(is_apart, scale_vectors(start, factor), fallback);
}

// All of sweep_discs(). Touching at the start and on the way share one root and one division.
GRZ_IN_PLACE sweeps cast_discs(const passages *way, vectors start, vectors delta, numbers radius,
                               numbers radius_b)
{
    const numbers zero = fill_numbers(0), one = fill_numbers(1);
    const marks touches = way->touches;
    const numbers root = sqrt_numbers(select_numbers(touches, way->gap, way->chord));
    const numbers time = time_of_entry(way, root);
    const vectors inward = turn_inward(way, delta, root);
    const numbers span = select_numbers(touches, root, mul_numbers(radius, way->path));
    const numbers inverse = div_numbers(select_numbers(touches, negate_numbers(one), one), span);
    const vectors unit = scale_vectors(select_vectors(touches, start, inward), inverse);
    const marks is_same = and_marks(touches, at_most_numbers(root, zero));
    const vectors normal = select_vectors(is_same, join(one, zero), unit);
    const marks enters = and_marks(way->enters, at_most_numbers(zero, time));
    const marks is_inside = but_not_marks(touches, less_numbers(radius_b, root));
    const sweeps sweep = {
        .hit = or_marks(touches, enters),
        .rare = but_not_marks(way->rare, touches),
        .time = select_numbers(touches, zero, min_numbers(time, one)),
        .depth = select_numbers(touches, sub_numbers(radius, root), zero),
        .approach = dot_vectors(delta, normal),
        .normal = normal,
        .point = select_vectors(is_inside, start, scale_vectors(normal, negate_numbers(radius_b))),
    };
    return sweep;
}

#endif
