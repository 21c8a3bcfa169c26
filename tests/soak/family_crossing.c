#include "families.h"

#include "fixed_point.h"
#include "hard_loop.h"

#include <graze/orient.h>

// A closed chain, and all moves between points of which it is known by other means whether they are
// inside: a move crosses the chain an odd number of times just when it leads from one to the other.

enum { POINTS = 14 };

typedef struct marked_point {
    graze_vec2 at;
    bool inside;
} marked_point;

static void mark_points(const hard_loop *loop, marked_point *points, uint32_t count)
{
    fixed_vec2 polygon[HARD_LOOP_CAPACITY];
    for (uint32_t i = 0; i < loop->count; ++i) {
        polygon[i] = fixed_from(loop->points[i]);
    }
    for (uint32_t i = 0; i < count; ++i) {
        points[i].inside = fixed_is_inside(polygon, loop->count, fixed_from(points[i].at));
    }
}

// Every second wall is tested against its direction: that must not matter.
static bool crosses_oddly(const hard_loop *loop, graze_vec2 from, graze_vec2 to)
{
    bool odd = false;
    for (uint32_t i = 0; i < loop->count; ++i) {
        const graze_vec2 next = loop->points[i + 1 < loop->count ? i + 1 : 0];
        const graze_segment along = {loop->points[i], next};
        const graze_segment against = {next, loop->points[i]};
        odd ^= graze_crosses(from, to, i & 1 ? against : along);
    }
    return odd;
}

static void check_move(soak_case *test, const hard_loop *loop, const marked_point *from,
                       const marked_point *to)
{
    ++test->trials;
    if (crosses_oddly(loop, from->at, to->at) != (from->inside != to->inside)) {
        const graze_vec2 move[] = {from->at, to->at};
        soak_tell_points(test, "loop", loop->points, loop->count);
        soak_tell_points(test, "move", move, 2);
        soak_fail(test, "the move leads from %s to %s and crosses an %s number of walls",
                  from->inside ? "inside" : "outside", to->inside ? "inside" : "outside",
                  from->inside == to->inside ? "odd" : "even");
    }
}

void soak_run_crossing(soak_case *test)
{
    const ground place = ground_pick(test);
    hard_loop loop;
    hard_loop_pick(test, &place, &loop);
    marked_point points[POINTS] = {{.at = ground_point(test, &place)}};
    for (uint32_t i = 1; i < POINTS; ++i) {
        points[i].at = hard_loop_aim(test, &place, &loop, points[i - 1].at);
    }
    mark_points(&loop, points, POINTS);
    for (uint32_t i = 0; i < POINTS && !test->failed; ++i) {
        for (uint32_t k = 0; k < i && !test->failed; ++k) {
            const bool back = (i + k) & 1;
            check_move(test, &loop, &points[back ? k : i], &points[back ? i : k]);
        }
    }
}
