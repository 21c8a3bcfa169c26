#include "exact_shapes.h"

#include "exact.h"

static int compare_points(graze_vec2 a, graze_vec2 b)
{
    const int by_x = (a.x > b.x) - (a.x < b.x);
    return by_x != 0 ? by_x : (a.y > b.y) - (a.y < b.y);
}

static void sort_points(graze_vec2 *points, int count)
{
    for (int i = 1; i < count; ++i) {
        const graze_vec2 moved = points[i];
        int k = i;
        for (; k > 0 && compare_points(points[k - 1], moved) > 0; --k) {
            points[k] = points[k - 1];
        }
        points[k] = moved;
    }
}

/// While it is made, a hull can hold points of its lower chain again in its upper one.
typedef struct hull_chain {
    graze_vec2 points[2 * GRAZE_POLYGON_CAPACITY];
    int count;
} hull_chain;

// Takes off points at which the way on to `next` does not turn left, down to `least` points.
static void straighten(hull_chain *chain, int least, graze_vec2 next)
{
    while (chain->count > least && exact_orient(chain->points[chain->count - 2],
                                                chain->points[chain->count - 1], next) <= 0) {
        --chain->count;
    }
}

static void push_point(hull_chain *chain, int least, graze_vec2 point)
{
    straighten(chain, least, point);
    if (chain->count == 0 || compare_points(chain->points[chain->count - 1], point) != 0) {
        chain->points[chain->count++] = point;
    }
}

graze_polygon exact_hull(const graze_vec2 *points, int count)
{
    graze_vec2 sorted[GRAZE_POLYGON_CAPACITY];
    hull_chain chain = {{{0, 0}}, 0};
    for (int i = 0; i < count; ++i) {
        sorted[i] = points[i];
    }
    sort_points(sorted, count);
    for (int i = 0; i < count; ++i) {
        push_point(&chain, 1, sorted[i]);
    }
    const int below = chain.count;
    for (int i = count - 2; i > 0; --i) {
        push_point(&chain, below, sorted[i]);
    }
    straighten(&chain, below, sorted[0]);
    graze_polygon hull = {{{0, 0}}, (uint32_t)chain.count};
    for (int i = 0; i < chain.count; ++i) {
        hull.vertices[i] = chain.points[i];
    }
    return hull;
}

// Whether a point is inside, not on the rim.
static bool is_inside(graze_vec2 point, const graze_polygon *polygon)
{
    int sides = 0;
    for (uint32_t i = 0; i < polygon->count; ++i) {
        const graze_vec2 next = polygon->vertices[(i + 1) % polygon->count];
        sides += exact_orient(polygon->vertices[i], next, point);
    }
    return polygon->count > 2 && (sides == (int)polygon->count || -sides == (int)polygon->count);
}

// The sign of (distance between the segments) - radius. The distance is that of an end, unless they
// meet.
static int compare_segments(graze_segment a, graze_segment b, double radius)
{
    if (exact_segments_meet(a.a, a.b, b.a, b.b)) {
        return radius > 0 ? -1 : 0;
    }
    int least = exact_compare_distance(a.a, b.a, b.b, radius);
    const int others[3] = {exact_compare_distance(a.b, b.a, b.b, radius),
                           exact_compare_distance(b.a, a.a, a.b, radius),
                           exact_compare_distance(b.b, a.a, a.b, radius)};
    for (int i = 0; i < 3; ++i) {
        least = others[i] < least ? others[i] : least;
    }
    return least;
}

static graze_segment edge_of(const graze_polygon *polygon, uint32_t i)
{
    const graze_segment edge = {polygon->vertices[i], polygon->vertices[(i + 1) % polygon->count]};
    return edge;
}

int exact_compare_gap(const graze_polygon *a, const graze_polygon *b, double radius)
{
    int least = 1;
    if (is_inside(a->vertices[0], b) || is_inside(b->vertices[0], a)) {
        return -1;
    }
    for (uint32_t i = 0; i < a->count && least >= 0; ++i) {
        for (uint32_t k = 0; k < b->count; ++k) {
            const int order = compare_segments(edge_of(a, i), edge_of(b, k), radius);
            least = order < least ? order : least;
        }
    }
    return least;
}

bool exact_polygons_meet(const graze_polygon *a, const graze_polygon *b)
{
    return exact_compare_gap(a, b, 0) <= 0;
}

graze_polygon exact_rect(const graze_rect *rect)
{
    const bool turned = rect->rotation.cosine == 0;
    const graze_vec2 half = {turned ? rect->half.y : rect->half.x,
                             turned ? rect->half.x : rect->half.y};
    const graze_vec2 low = graze_vec2_sub(rect->center, half);
    const graze_vec2 high = graze_vec2_add(rect->center, half);
    const graze_polygon polygon = {{low, {high.x, low.y}, high, {low.x, high.y}}, 4};
    return polygon;
}

static graze_polygon segment_polygon(graze_vec2 from, graze_vec2 to)
{
    const graze_vec2 ends[2] = {from, to};
    return exact_hull(ends, 2);
}

// A disc touches what its centre comes near to.
static bool disc_meets(const moving_pair *pair, graze_vec2 delta)
{
    const graze_polygon path =
        segment_polygon(pair->a.center, graze_vec2_add(pair->a.center, delta));
    graze_polygon target = segment_polygon(pair->b.center, pair->b.center);
    double radius = (double)pair->a.half.x;
    if (pair->kind == PAIR_CIRCLES) {
        radius += (double)pair->b.half.x;
    } else if (pair->kind == PAIR_CIRCLE_RECT) {
        target = exact_rect(&pair->b);
    } else {
        target = segment_polygon(pair->wall.a, pair->wall.b);
    }
    return exact_compare_gap(&path, &target, radius) <= 0;
}

// A rect touches what, moved the other way, touches the rect where it started.
static bool rect_meets(const moving_pair *pair, graze_vec2 delta)
{
    const graze_polygon rect = exact_rect(&pair->a);
    graze_vec2 corners[GRAZE_POLYGON_CAPACITY];
    const graze_polygon other = pair->kind == PAIR_RECTS
                                    ? exact_rect(&pair->b)
                                    : segment_polygon(pair->wall.a, pair->wall.b);
    for (uint32_t i = 0; i < other.count; ++i) {
        corners[2 * i] = other.vertices[i];
        corners[2 * i + 1] = graze_vec2_sub(other.vertices[i], delta);
    }
    const graze_polygon swept = exact_hull(corners, 2 * (int)other.count);
    return exact_polygons_meet(&rect, &swept);
}

bool exact_pair_meets(const moving_pair *pair, bool still)
{
    const graze_vec2 rest = {0, 0};
    const graze_vec2 delta = still ? rest : pair->delta;
    const bool is_rect = pair->kind == PAIR_RECTS || pair->kind == PAIR_RECT_SEGMENT;
    return is_rect ? rect_meets(pair, delta) : disc_meets(pair, delta);
}
