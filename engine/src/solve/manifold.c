#include "solve/manifold.h"

#include "collide/tolerance.h"

/// A point of a manifold while it is made: from a's centre.
typedef struct surface_point {
    graze_vec2d on_a, on_b;
    double gap;
    uint32_t feature;
} surface_point;

static void add_point(grz_manifold *manifold, graze_vec2d offset, const surface_point *point)
{
    const uint32_t k = manifold->count++;
    manifold->levers_a[k] = narrow(point->on_a);
    manifold->levers_b[k] = narrow(subtract(point->on_b, offset));
    manifold->gaps[k] = (float)point->gap;
    manifold->features[k] = point->feature;
}

// --- Discs ---

void grz_manifold_set_discs(grz_manifold *manifold, double radius_a, double radius_b,
                            graze_vec2d offset, double distance)
{
    const graze_vec2d normal = distance > 0 ? scale(offset, 1 / distance) : vec2d(1, 0);
    const surface_point point = {scale(normal, radius_a), along(offset, normal, -radius_b),
                                 distance - radius_a - radius_b, 0};
    grz_manifold_clear(manifold, 0);
    manifold->normal = narrow(normal);
    add_point(manifold, offset, &point);
}

static void of_discs(double radius_a, double radius_b, graze_vec2d offset, double margin,
                     grz_manifold *manifold)
{
    const double distance = length_of(offset);
    const double gap = distance - radius_a - radius_b;
    if (gap > margin) {
        grz_manifold_clear(manifold, gap);
    } else {
        grz_manifold_set_discs(manifold, radius_a, radius_b, offset, distance);
    }
}

/// The point of a rect that is nearest to a disc's centre, in the rect's axes.
typedef struct nearest_side {
    graze_vec2d point, normal; ///< Unit, out of the rect.
    double distance;           ///< Below 0: the centre is inside.
} nearest_side;

static nearest_side nearest_inside(graze_vec2d half, graze_vec2d centre)
{
    const double to_x = half.x - absolute(centre.x), to_y = half.y - absolute(centre.y);
    const double side_x = centre.x < 0 ? -1 : 1, side_y = centre.y < 0 ? -1 : 1;
    const nearest_side by_x = {vec2d(side_x * half.x, centre.y), vec2d(side_x, 0), -to_x};
    const nearest_side by_y = {vec2d(centre.x, side_y * half.y), vec2d(0, side_y), -to_y};
    return to_x < to_y ? by_x : by_y;
}

static nearest_side nearest_of_rect(graze_vec2d half, graze_vec2d centre)
{
    const graze_vec2d point = {clamp(centre.x, -half.x, half.x), clamp(centre.y, -half.y, half.y)};
    const graze_vec2d out = subtract(centre, point);
    const double square = dot(out, out);
    if (!(square > 0)) { // Asked of the square, this does not wait for the root.
        return nearest_inside(half, centre);
    }
    const double distance = grz_sqrt(square);
    const nearest_side outside = {point, scale(out, 1 / distance), distance};
    return outside;
}

static bool is_near_corner(graze_vec2d half, graze_vec2d point, double distance)
{
    const bool near_x = absolute(point.x) > half.x - distance;
    const bool near_y = absolute(point.y) > half.y - distance;
    return near_x & near_y;
}

// `offset` leads from the rect's centre to the disc's. Where the disc is a, all is turned around.
static void of_rect_and_disc(const grz_figure *rect, double radius, graze_vec2d offset,
                             double margin, bool disc_is_a, grz_manifold *manifold)
{
    const nearest_side side =
        nearest_of_rect(widen(rect->half), grz_turned_back(offset, rect->rotation));
    const double gap = side.distance - radius;
    grz_manifold_clear(manifold, gap > margin ? gap : 0);
    if (gap > margin) {
        return;
    }
    const graze_vec2d normal = grz_turned(side.normal, rect->rotation);
    const double size = min_double(radius, (double)min_float(rect->half.x, rect->half.y));
    const graze_vec2 on_rect = narrow(grz_turned(side.point, rect->rotation));
    const graze_vec2 on_disc = narrow(subtract(along(offset, normal, -radius), offset));
    manifold->at_end = is_near_corner(widen(rect->half), side.point, grz_contact_margin * size);
    manifold->normal = narrow(disc_is_a ? negate(normal) : normal);
    manifold->levers_a[0] = disc_is_a ? on_disc : on_rect;
    manifold->levers_b[0] = disc_is_a ? on_rect : on_disc;
    manifold->gaps[0] = (float)gap;
    manifold->features[0] = 0;
    manifold->count = 1;
}

// --- Rects ---

/// The face of one rect to which the other is clipped, and how far apart they are along its normal.
typedef struct reference_face {
    double separation;
    graze_vec2d normal; ///< Unit, out of the face; towards the other rect.
    double distance;    ///< Of the face from the rect's centre.
    double half_width;
    uint32_t feature;
} reference_face;

double grz_reach_of_figure(const grz_figure *figure, graze_vec2d direction)
{
    const graze_vec2d axis = grz_x_axis(figure->rotation);
    return figure->kind == GRAZE_SHAPE_CIRCLE
               ? (double)figure->half.x
               : (double)figure->half.x * absolute(dot(axis, direction)) +
                     (double)figure->half.y * absolute(cross(axis, direction));
}

// The better of the two axes of `rect`. `offset` leads from its centre to that of the other.
static reference_face find_face(const grz_figure *rect, const grz_figure *other, graze_vec2d offset)
{
    const graze_vec2d axes[2] = {grz_x_axis(rect->rotation), left_of(grz_x_axis(rect->rotation))};
    const double halves[2] = {(double)rect->half.x, (double)rect->half.y};
    reference_face best = {.separation = 0};
    for (uint32_t k = 0; k < 2; ++k) {
        const double along_axis = dot(offset, axes[k]);
        const double separation =
            absolute(along_axis) - halves[k] - grz_reach_of_figure(other, axes[k]);
        if (k == 0 || separation > best.separation) {
            const bool backward = along_axis < 0;
            const reference_face face = {separation, backward ? negate(axes[k]) : axes[k],
                                         halves[k], halves[1 - k], 2 * k + backward};
            best = face;
        }
    }
    return best;
}

/// The side of the other rect that faces the reference face, from the reference's centre.
typedef struct incident_side {
    graze_vec2d from, to;
    uint32_t feature;
} incident_side;

static incident_side find_incident(const grz_figure *rect, graze_vec2d centre, graze_vec2d normal)
{
    const graze_vec2d x = grz_x_axis(rect->rotation), y = left_of(x);
    const double along_x = dot(normal, x), along_y = dot(normal, y);
    const bool by_x = absolute(along_x) > absolute(along_y);
    const bool positive = by_x ? along_x < 0 : along_y < 0; // It faces against the normal.
    const double sign = positive ? 1 : -1;
    const graze_vec2d out =
        by_x ? scale(x, sign * (double)rect->half.x) : scale(y, sign * (double)rect->half.y);
    const graze_vec2d side = by_x ? scale(y, (double)rect->half.y) : scale(x, (double)rect->half.x);
    const graze_vec2d middle = add(centre, out);
    const incident_side incident = {subtract(middle, side), add(middle, side),
                                    2 * by_x + (uint32_t)positive};
    return incident;
}

static void swap_ends(incident_side *side)
{
    const graze_vec2d from = side->from;
    side->from = side->to;
    side->to = from;
}

// The point of the side at a place along the reference face.
static graze_vec2d point_at(const incident_side *side, graze_vec2d tangent, double place)
{
    const graze_vec2d along_side = subtract(side->to, side->from);
    const double length = dot(along_side, tangent);
    const double share = length > 0 ? (place - dot(side->from, tangent)) / length : 0;
    return along(side->from, along_side, clamp(share, 0, 1));
}

/// How two rects are clipped.
typedef struct rect_clip {
    const reference_face *face;
    graze_vec2d offset, tangent;
    bool is_a;            ///< The face is a's.
    double margin, near;  ///< What is so near to an end of the face is at that end.
    bool at_low, at_high; ///< So far all points are there.
} rect_clip;

static void note_end(rect_clip *clip, graze_vec2d point)
{
    const double place = dot(point, clip->tangent);
    clip->at_low = clip->at_low && place < clip->near - clip->face->half_width;
    clip->at_high = clip->at_high && place > clip->face->half_width - clip->near;
}

// Both surfaces from the reference's centre.
static void add_clipped(grz_manifold *manifold, rect_clip *clip, graze_vec2d on_other,
                        uint32_t feature)
{
    const double gap = dot(on_other, clip->face->normal) - clip->face->distance;
    const graze_vec2d on_face = along(on_other, clip->face->normal, -gap);
    if (gap > clip->margin) {
        return;
    }
    const surface_point by_a = {on_face, on_other, gap, feature};
    const surface_point by_b = {add(on_other, clip->offset), add(on_face, clip->offset), gap,
                                feature};
    note_end(clip, on_face);
    add_point(manifold, clip->offset, clip->is_a ? &by_a : &by_b);
}

static void clip_rects(rect_clip *clip, const grz_figure *other, grz_manifold *manifold)
{
    const reference_face *face = clip->face;
    grz_manifold_clear(manifold, face->separation);
    const graze_vec2d tangent = clip->tangent;
    const graze_vec2d centre = clip->is_a ? clip->offset : negate(clip->offset);
    incident_side side = find_incident(other, centre, face->normal);
    if (dot(side.from, tangent) > dot(side.to, tangent)) {
        swap_ends(&side);
    }
    const double from = max_double(dot(side.from, tangent), -face->half_width);
    const double to = min_double(dot(side.to, tangent), face->half_width);
    if (from > to) {
        return;
    }
    const uint32_t feature = (clip->is_a ? 0 : 64u) + 16 * face->feature + 2 * side.feature;
    manifold->normal = narrow(clip->is_a ? face->normal : negate(face->normal));
    add_clipped(manifold, clip, point_at(&side, tangent, from), feature);
    if (to > from) {
        add_clipped(manifold, clip, point_at(&side, tangent, to), feature + 1);
    }
    manifold->at_end = clip->at_low || clip->at_high;
}

// Of two faces that are nearly as good that of a is taken, so that the choice does not change from
// step to step.
static void of_rects(const grz_figure *a, const grz_figure *b, graze_vec2d offset, double margin,
                     grz_manifold *manifold)
{
    const reference_face of_a = find_face(a, b, offset);
    const reference_face of_b = find_face(b, a, negate(offset));
    const double separation = max_double(of_a.separation, of_b.separation);
    if (separation > margin) {
        grz_manifold_clear(manifold, separation);
        return;
    }
    const float least_a = min_float(a->half.x, a->half.y),
                least_b = min_float(b->half.x, b->half.y);
    const double size = (double)min_float(least_a, least_b);
    const bool is_a = of_b.separation <= of_a.separation + grz_contact_slop * size;
    const reference_face *face = is_a ? &of_a : &of_b;
    rect_clip clip = {face, offset, left_of(face->normal), is_a, margin, grz_contact_margin * size,
                      true, true};
    clip_rects(&clip, is_a ? b : a, manifold);
}

void grz_manifold_find(const grz_figure *a, const grz_figure *b, graze_vec2d offset, double margin,
                       grz_manifold *manifold)
{
    const bool rect_a = a->kind == GRAZE_SHAPE_RECT, rect_b = b->kind == GRAZE_SHAPE_RECT;
    if (rect_a && rect_b) {
        of_rects(a, b, offset, margin, manifold);
    } else if (rect_a || rect_b) {
        of_rect_and_disc(rect_a ? a : b, (double)(rect_a ? b : a)->half.x,
                         scale(offset, rect_a ? 1 : -1), margin, rect_b, manifold);
    } else {
        of_discs((double)a->half.x, (double)b->half.x, offset, margin, manifold);
    }
}
