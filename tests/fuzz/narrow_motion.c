#include "narrow_checks.h"

#include "exact.h"
#include "exact_shapes.h"
#include "moving_pair.h"

#include <graze/cast.h>

#include <math.h>

enum { WAY_REACH = 16, SEARCH_STEPS = 60 };

// --- Sweeps ---

static moving_pair draw_pair(fuzz_bytes *bytes, const fuzz_ground *ground)
{
    moving_pair pair = {.kind = (pair_kind)fuzz_below(bytes, PAIR_KIND_COUNT)};
    pair.delta = fuzz_way(bytes, ground, WAY_REACH);
    pair.a = narrow_draw_rect(bytes, ground);
    const bool is_round = pair.kind != PAIR_RECTS && pair.kind != PAIR_RECT_SEGMENT;
    if (is_round && fuzz_below(bytes, 8) == 7) {
        pair.a.half.x = 0;
    }
    if (pair.kind == PAIR_CIRCLE_SEGMENT || pair.kind == PAIR_RECT_SEGMENT) {
        pair.wall = narrow_draw_segment(bytes, ground);
    } else {
        pair.b = narrow_draw_rect(bytes, ground);
    }
    return pair;
}

// The least gap of the motion: the gap of convex shapes is a convex function of time.
static long double find_least_gap(const moving_pair *pair)
{
    const long double golden = 0.6180339887498948482L;
    long double low = 0;
    long double high = 1;
    long double least = fminl(moving_pair_gap(pair, 0), moving_pair_gap(pair, 1));
    for (int i = 0; i < SEARCH_STEPS; ++i) {
        const long double first = high - golden * (high - low);
        const long double second = low + golden * (high - low);
        const long double gap_first = moving_pair_gap(pair, first);
        const long double gap_second = moving_pair_gap(pair, second);
        least = fminl(least, fminl(gap_first, gap_second));
        low = gap_first <= gap_second ? low : first;
        high = gap_first <= gap_second ? second : high;
    }
    return least;
}

// Rotations are floats, which are unit vectors but for 1e-7: a rect is as large as they make it.
static void expect_near(const moving_pair *pair, const graze_sweep *sweep)
{
    const long double slack = 1e-5L;
    const long double least = find_least_gap(pair);
    FUZZ_CHECK(sweep->hit ? least <= slack : least >= -slack, "hit %d, but a gap of %Lg",
               sweep->hit, least);
}

static void expect_touch(const moving_pair *pair, const graze_sweep *sweep)
{
    const long double slack = 1e-5L;
    const long double gap = moving_pair_gap(pair, (long double)sweep->time);
    const long double before = moving_pair_gap(pair, 0.999L * (long double)sweep->time);
    FUZZ_CHECK(fabsl(gap) <= slack, "a gap of %Lg at time %a", gap, sweep->time);
    FUZZ_CHECK(before >= -slack, "a gap of %Lg before time %a", before, sweep->time);
}

void narrow_check_sweeps(fuzz_bytes *bytes, const fuzz_ground *ground)
{
    const moving_pair pair = draw_pair(bytes, ground);
    const graze_sweep sweep = moving_pair_sweep(&pair);
    const bool overlaps = moving_pair_overlaps(&pair);
    FUZZ_CHECK(overlaps == (sweep.hit && sweep.time <= 0), "overlap %d, but hit %d at time %a",
               overlaps, sweep.hit, sweep.time);
    if (fuzz_ground_is_exact(ground)) {
        const bool meets = exact_pair_meets(&pair, false);
        FUZZ_CHECK(sweep.hit == meets, "kind %d: hit %d", (int)pair.kind, sweep.hit);
        FUZZ_CHECK(overlaps == exact_pair_meets(&pair, true), "overlap %d", overlaps);
    } else if (ground->kind == FUZZ_ROUNDED) {
        expect_near(&pair, &sweep);
    }
    if (!sweep.hit) {
        return;
    }
    FUZZ_CHECK(sweep.time >= 0 && sweep.time <= 1 && sweep.depth >= 0, "time %a, depth %a",
               sweep.time, sweep.depth);
    narrow_expect_unit(sweep.normal.x, sweep.normal.y);
    if (sweep.time > 0 && ground->kind != FUZZ_ANY) {
        expect_touch(&pair, &sweep);
    }
}

// --- Casts ---

static graze_hit cast_pair(const moving_pair *pair)
{
    const graze_circle mover = {pair->a.center, pair->a.half.x};
    const graze_circle target = {pair->b.center, pair->b.half.x};
    switch (pair->kind) {
    case PAIR_CIRCLES:
        return graze_cast_circle_circle(mover, pair->delta, target);
    case PAIR_CIRCLE_RECT:
        return graze_cast_circle_rect(mover, pair->delta, pair->b);
    case PAIR_RECTS:
        return graze_cast_rect_rect(pair->a, pair->delta, pair->b);
    case PAIR_CIRCLE_SEGMENT:
        return graze_cast_circle_segment(mover, pair->delta, pair->wall);
    default:
        return graze_cast_rect_segment(pair->a, pair->delta, pair->wall);
    }
}

static void expect_same(const graze_hit *hit, const graze_sweep *sweep)
{
    FUZZ_CHECK(hit->hit == sweep->hit, "the cast says %d", hit->hit);
    FUZZ_CHECK(fabs((double)hit->time - sweep->time) <= 1e-7, "time %a, not %a", (double)hit->time,
               sweep->time);
    FUZZ_CHECK(fabs((double)hit->normal.x + sweep->normal.x) <= 1e-6 &&
                   fabs((double)hit->normal.y + sweep->normal.y) <= 1e-6,
               "normal (%a, %a), not against (%a, %a)", (double)hit->normal.x,
               (double)hit->normal.y, sweep->normal.x, sweep->normal.y);
}

static void expect_ray_line(graze_ray ray, graze_segment segment)
{
    const graze_line line = {segment.a, segment.b};
    const graze_vec2 end = graze_vec2_add(ray.origin, ray.delta);
    const graze_hit hit = graze_cast_ray_line(ray, line);
    const bool is_line = segment.a.x != segment.b.x || segment.a.y != segment.b.y;
    const bool is_finite = isfinite(end.x) && isfinite(end.y);
    const bool reaches =
        is_line && is_finite &&
        exact_orient(segment.a, segment.b, ray.origin) * exact_orient(segment.a, segment.b, end) <=
            0;
    FUZZ_CHECK(hit.hit == reaches, "a ray meets a line: not %d", reaches);
}

static void expect_ray_shapes(graze_ray ray, graze_circle circle, graze_rect rect)
{
    moving_pair pair = {.kind = PAIR_CIRCLES, .delta = ray.delta};
    pair.a.center = ray.origin;
    pair.b.center = circle.center;
    pair.b.half.x = circle.radius;
    const graze_hit on_circle = graze_cast_ray_circle(ray, circle);
    FUZZ_CHECK(on_circle.hit == exact_pair_meets(&pair, false), "a ray hits a disc: %d",
               on_circle.hit);
    pair.kind = PAIR_CIRCLE_RECT;
    pair.b = rect;
    const graze_hit on_rect = graze_cast_ray_rect(ray, rect);
    FUZZ_CHECK(on_rect.hit == exact_pair_meets(&pair, false), "a ray hits a rect: %d", on_rect.hit);
}

void narrow_check_casts(fuzz_bytes *bytes, const fuzz_ground *ground)
{
    const moving_pair pair = draw_pair(bytes, ground);
    const graze_sweep sweep = moving_pair_sweep(&pair);
    const graze_hit hit = cast_pair(&pair);
    expect_same(&hit, &sweep);
    const graze_ray ray = {fuzz_place(bytes, ground, WAY_REACH),
                           fuzz_way(bytes, ground, WAY_REACH)};
    expect_ray_line(ray, narrow_draw_segment(bytes, ground));
    if (fuzz_ground_is_exact(ground)) {
        const graze_circle circle = narrow_draw_circle(bytes, ground);
        expect_ray_shapes(ray, circle, narrow_draw_rect(bytes, ground));
    }
}
