/// @file rects_wide.h
/// Axes, faces and edges of two rects, a pair in each lane: mirrors separating_axis.h and
/// feature_pair.h. Included by wide loops alone.
#ifndef GRZ_RECTS_WIDE_H
#define GRZ_RECTS_WIDE_H

#include "numbers_wide.h"

/// Rects around the origin. The second axis is to the left of `axis`.
typedef struct frames {
    vectors half, axis;
} frames;

GRZ_IN_PLACE frames select_frames(marks which, frames a, frames b)
{
    const frames of = {select_vectors(which, a.half, b.half),
                       select_vectors(which, a.axis, b.axis)};
    return of;
}

// Half a rect's projection on an axis that makes an angle of this cosine and sine with its x axis.
GRZ_IN_PLACE numbers half_projection(vectors half, numbers cosine, numbers sine)
{
    return add_numbers(mul_numbers(half.x, cosine), mul_numbers(half.y, sine));
}

/// The axes of two rects, a's first, and how far both reach along them.
typedef struct rect_axes {
    vectors axis[4];
    numbers reach[4];
} rect_axes;

GRZ_IN_PLACE rect_axes find_axes(frames a, frames b)
{
    const vectors a_v = left_of_vectors(a.axis), b_v = left_of_vectors(b.axis);
    const numbers cosine = absolute_numbers(dot_vectors(a.axis, b.axis));
    const numbers sine = absolute_numbers(dot_vectors(a.axis, b_v));
    const rect_axes axes = {{a.axis, a_v, b.axis, b_v},
                            {add_numbers(a.half.x, half_projection(b.half, cosine, sine)),
                             add_numbers(a.half.y, half_projection(b.half, sine, cosine)),
                             add_numbers(b.half.x, half_projection(a.half, cosine, sine)),
                             add_numbers(b.half.y, half_projection(a.half, sine, cosine))}};
    return axes;
}

/// A side of one of two rects.
typedef struct faces {
    numbers toward; ///< 1 if b lies ahead on its axis, -1 if behind.
    marks by_v;     ///< The axis is its rect's v, not u.
    marks of_b;     ///< The rect is b, not a.
} faces;

// A face across the axis of this number in rect_axes.
GRZ_IN_PLACE faces face_across(uint32_t axis, numbers toward)
{
    const numbers one = fill_numbers(1);
    const marks all = at_most_numbers(one, one), none = less_numbers(one, one);
    const faces face = {toward, axis & 1 ? all : none, axis & 2 ? all : none};
    return face;
}

GRZ_IN_PLACE marks select_marks(marks which, marks a, marks b)
{
    return or_marks(and_marks(a, which), but_not_marks(b, which));
}

GRZ_IN_PLACE faces select_faces(marks which, faces a, faces b)
{
    const faces of = {select_numbers(which, a.toward, b.toward),
                      select_marks(which, a.by_v, b.by_v), select_marks(which, a.of_b, b.of_b)};
    return of;
}

/// The shallowest way out so far.
typedef struct penetrations {
    numbers depth;
    faces face;
} penetrations;

GRZ_IN_PLACE penetrations penetrations_along(const rect_axes *axes, uint32_t axis, vectors start)
{
    const numbers center = negate_numbers(dot_vectors(start, axes->axis[axis]));
    const numbers back = sub_numbers(axes->reach[axis], center);
    const numbers ahead = add_numbers(center, axes->reach[axis]);
    const numbers toward =
        select_numbers(at_most_numbers(back, ahead), fill_numbers(1), fill_numbers(-1));
    const penetrations found = {min_numbers(back, ahead), face_across(axis, toward)};
    return found;
}

// The first of two, unless the second is shallower.
GRZ_IN_PLACE penetrations shallower(penetrations first, penetrations second)
{
    const marks is_second = less_numbers(second.depth, first.depth);
    const penetrations best = {select_numbers(is_second, second.depth, first.depth),
                               select_faces(is_second, second.face, first.face)};
    return best;
}

// Mirrors unit_axis().
GRZ_IN_PLACE vectors unit_axes(vectors axis)
{
    const numbers half_square = mul_numbers(fill_numbers(0.5), dot_vectors(axis, axis));
    return scale_vectors(axis, sub_numbers(fill_numbers(1.5), half_square));
}

/// A reference face and its incident edge, the points middle + half * t for -1 <= t <= 1: see
/// feature_pair.h.
typedef struct feature_pairs {
    vectors center, normal, reference;
    numbers distance, half_width;
    vectors middle, half;
} feature_pairs;

// Mirrors find_incident_edge() and the swap in pair_features().
GRZ_IN_PLACE void find_incident_edges(feature_pairs *features, frames other, vectors between)
{
    const vectors u = other.axis, v = left_of_vectors(u);
    const numbers along_u = dot_vectors(u, features->reference);
    const numbers along_v = dot_vectors(v, features->reference);
    const numbers zero = fill_numbers(0);
    const marks by_u = at_most_numbers(absolute_numbers(along_v), absolute_numbers(along_u));
    const numbers extent = select_numbers(by_u, other.half.x, other.half.y);
    const numbers width = select_numbers(by_u, other.half.y, other.half.x);
    const marks is_against = less_numbers(select_numbers(by_u, along_u, along_v), zero);
    const numbers out = select_numbers(is_against, extent, negate_numbers(extent));
    features->middle = add_vectors(between, scale_vectors(select_vectors(by_u, u, v), out));
    const vectors half = scale_vectors(select_vectors(by_u, v, u), width);
    const marks turns = less_numbers(cross_vectors(features->reference, half), zero);
    features->half = select_vectors(turns, negate_vectors(half), half);
}

// Mirrors features_of_rects(). `start` is a's centre, as b's sees it.
GRZ_IN_PLACE feature_pairs features_of_pairs(frames a, frames b, vectors start, faces face)
{
    const frames owner = select_frames(face.of_b, b, a), other = select_frames(face.of_b, a, b);
    const vectors axis = select_vectors(face.by_v, left_of_vectors(owner.axis), owner.axis);
    const vectors nowhere = {fill_numbers(0), fill_numbers(0)};
    feature_pairs features;
    features.center = select_vectors(face.of_b, nowhere, start);
    features.normal = scale_vectors(unit_axes(axis), face.toward);
    features.reference =
        select_vectors(face.of_b, negate_vectors(features.normal), features.normal);
    features.distance = select_numbers(face.by_v, owner.half.y, owner.half.x);
    features.half_width = select_numbers(face.by_v, owner.half.x, owner.half.y);
    find_incident_edges(&features, other, select_vectors(face.of_b, start, negate_vectors(start)));
    return features;
}

GRZ_IN_PLACE vectors point_on_edge(const feature_pairs *features, numbers t)
{
    return add_vectors(features->middle, scale_vectors(features->half, t));
}

/// The part of an edge that is in front of the reference face.
typedef struct edge_parts {
    numbers from, until;
} edge_parts;

GRZ_IN_PLACE numbers clamp_numbers(numbers value)
{
    return min_numbers(max_numbers(value, fill_numbers(-1)), fill_numbers(1));
}

// Mirrors clip_incident_edge().
GRZ_IN_PLACE edge_parts clip_edges(const feature_pairs *features)
{
    const numbers one = fill_numbers(1);
    const numbers middle = cross_vectors(features->reference, features->middle);
    const numbers half = cross_vectors(features->reference, features->half);
    const marks is_wide = less_numbers(fill_numbers(0), half);
    const numbers inverse = div_numbers(one, half);
    const numbers low = sub_numbers(negate_numbers(features->half_width), middle);
    const numbers high = sub_numbers(features->half_width, middle);
    const edge_parts part = {
        select_numbers(is_wide, clamp_numbers(mul_numbers(low, inverse)), fill_numbers(-1)),
        select_numbers(is_wide, clamp_numbers(mul_numbers(high, inverse)), one)};
    return part;
}

#endif
