#include "shots.h"

#include "scenes.h"

#include <graze/aabb.h>

#include <math.h>
#include <string.h>

enum { CORNERS = 4 }; ///< Points of a loop in a quarter of its circle, at most.

#define DOUBT 1e-4 ///< Units: closer to a wall is neither inside nor outside.

// One number per statement: the order of evaluation inside an expression is the compiler's choice.

static graze_vec2 draw_within(random_state *random, graze_vec2 center, float reach)
{
    float x = random_float(random, -reach, reach);
    float y = random_float(random, -reach, reach);
    graze_vec2 drawn = {center.x + x, center.y + y};
    return drawn;
}

/// A direction in the given quarter of the circle, the further round the larger `t`, 0 to 1.
static graze_vec2 find_direction(uint32_t quarter, float t)
{
    double scale = 1.0 / (1.0 + (double)t * (double)t);
    float cosine = (float)((1.0 - (double)t * (double)t) * scale);
    float sine = (float)(2.0 * (double)t * scale);
    const graze_vec2 turned[] = {
        {cosine, sine}, {-sine, cosine}, {-cosine, -sine}, {sine, -cosine}};
    return turned[quarter];
}

static graze_vec2 draw_direction(random_state *random)
{
    uint32_t quarter = random_below(random, 4);
    return find_direction(quarter, random_float(random, 0.0f, 1.0f));
}

static float round_to_grid(float x, float grid)
{
    return grid * rintf(x / grid);
}

static graze_vec2 round_point(graze_vec2 point, float grid)
{
    graze_vec2 rounded = {round_to_grid(point.x, grid), round_to_grid(point.y, grid)};
    return rounded;
}

/// How far the point lies left of the line through a and b; 0 when a and b coincide.
static double find_side(graze_vec2 a, graze_vec2 b, graze_vec2 point)
{
    double x = (double)b.x - (double)a.x;
    double y = (double)b.y - (double)a.y;
    double to_x = (double)point.x - (double)a.x;
    double to_y = (double)point.y - (double)a.y;
    double length = sqrt(x * x + y * y);
    return length > 0 ? (x * to_y - y * to_x) / length : 0.0;
}

/// How far inside all walls the point is; negative: outside of one at least.
static double find_depth(const shot_loop *loop, graze_vec2 point)
{
    double depth = HUGE_VAL;
    for (uint32_t i = 0; i < loop->count; ++i) {
        graze_vec2 next = loop->points[(i + 1) % loop->count];
        depth = fmin(depth, find_side(loop->points[i], next, point));
    }
    return depth;
}

/// Points follow each other around a circle, so a left turn at each of them is enough.
static bool is_convex(const shot_loop *loop)
{
    bool convex = true;
    for (uint32_t i = 0; i < loop->count; ++i) {
        graze_vec2 next = loop->points[(i + 1) % loop->count];
        graze_vec2 after = loop->points[(i + 2) % loop->count];
        convex = convex && find_side(loop->points[i], next, after) > DOUBT;
    }
    return convex;
}

static void place_points(shot_loop *loop, random_state *random)
{
    uint32_t corners = 1 + random_below(random, CORNERS);
    loop->count = 4 * corners;
    for (uint32_t i = 0; i < loop->count; ++i) {
        float t = ((float)(i % corners) + random_float(random, 0.0f, 1.0f)) / (float)corners;
        graze_vec2 way = graze_vec2_scale(find_direction(i / corners, t), loop->radius);
        graze_vec2 point = graze_vec2_add(loop->center, way);
        loop->points[i] = loop->whole ? round_point(point, SHOT_GRID) : point;
    }
}

/// The least and the greatest radius, and how far the centre may be from the origin.
typedef struct loop_range {
    float least, greatest, reach;
} loop_range;

static shot_loop draw_loop(random_state *random, loop_range range, bool whole)
{
    shot_loop loop = {.whole = whole};
    do {
        graze_vec2 center = draw_within(random, (graze_vec2){0.0f, 0.0f}, range.reach);
        loop.center = whole ? round_point(center, SHOT_GRID) : center;
        loop.radius = random_float(random, range.least, range.greatest);
        place_points(&loop, random);
    } while (!is_convex(&loop));
    return loop;
}

shot_loop shot_draw_whole_loop(random_state *random)
{
    const loop_range range = {40.0f, 80.0f, 20.0f};
    return draw_loop(random, range, true);
}

shot_loop shot_draw_near_loop(random_state *random)
{
    const loop_range range = {1.0f, 15.0f, 5.0f};
    return draw_loop(random, range, false);
}

shot_loop shot_draw_far_loop(random_state *random)
{
    const loop_range range = {1.0f, 20.0f, 980.0f};
    return draw_loop(random, range, false);
}

shot_loop shot_draw_box(random_state *random)
{
    shot_loop box = {.count = 4, .center = draw_within(random, (graze_vec2){0.0f, 0.0f}, 5.0f)};
    float half_x = random_float(random, 1.0f, 15.0f);
    float half_y = random_float(random, 1.0f, 15.0f);
    graze_aabb sides = {{box.center.x - half_x, box.center.y - half_y},
                        {box.center.x + half_x, box.center.y + half_y}};
    const graze_vec2 corners[] = {
        sides.lower, {sides.upper.x, sides.lower.y}, sides.upper, {sides.lower.x, sides.upper.y}};
    memcpy(box.points, corners, sizeof corners);
    box.radius = half_x > half_y ? half_x : half_y;
    return box;
}

static graze_vec2 draw_start(random_state *random, const shot_loop *loop)
{
    graze_vec2 start;
    do {
        start = draw_within(random, loop->center, 0.7f * loop->radius);
        start = loop->whole ? round_point(start, 1.0f) : start;
    } while (find_depth(loop, start) < DOUBT);
    return start;
}

/// A shot at `target`, `lengths` times as far as the target.
static graze_ray aim(graze_vec2 start, graze_vec2 target, float lengths)
{
    graze_ray shot = {start, graze_vec2_scale(graze_vec2_sub(target, start), lengths)};
    return shot;
}

static graze_vec2 find_end(graze_ray shot, uint32_t steps)
{
    graze_vec2 end = shot.origin;
    for (uint32_t i = 0; i < steps; ++i) {
        end = graze_vec2_add(end, shot.delta);
    }
    return end;
}

graze_ray shot_draw_at_vertex(random_state *random, const shot_loop *loop)
{
    graze_ray shot;
    do {
        graze_vec2 target = loop->points[random_below(random, loop->count)];
        shot = aim(draw_start(random, loop), target, 2.0f);
    } while (find_depth(loop, find_end(shot, 1)) > -DOUBT);
    return shot;
}

/// A point anywhere on a wall, also at its ends; if the loop is whole at a multiple of a
/// SHOT_GRIDth of the wall, computed without a rounded fraction, and so exact.
static graze_vec2 draw_landing(random_state *random, const shot_loop *loop)
{
    uint32_t wall = random_below(random, loop->count);
    graze_vec2 a = loop->points[wall];
    graze_vec2 way = graze_vec2_sub(loop->points[(wall + 1) % loop->count], a);
    if (loop->whole) {
        float part = (float)random_below(random, SHOT_GRID);
        graze_vec2 whole = {a.x + part * (way.x / SHOT_GRID), a.y + part * (way.y / SHOT_GRID)};
        return whole;
    }
    return graze_vec2_add(a, graze_vec2_scale(way, random_float(random, 0.0f, 1.0f)));
}

graze_ray shot_draw_onto_wall(random_state *random, const shot_loop *loop)
{
    graze_ray shot;
    do {
        graze_vec2 target = draw_landing(random, loop);
        shot = aim(draw_start(random, loop), target, 1.0f);
    } while (find_depth(loop, find_end(shot, 2)) > -DOUBT);
    return shot;
}

static graze_vec2 find_place_before(graze_vec2 meeting, graze_vec2 velocity, float seconds)
{
    return graze_vec2_sub(meeting, graze_vec2_scale(velocity, seconds));
}

static bool begins_apart(const course *drawn)
{
    graze_vec2 gap = graze_vec2_sub(drawn->bullet, drawn->target);
    float reach = 1.2f * (COURSE_TARGET_RADIUS + COURSE_BULLET_RADIUS);
    return gap.x * gap.x + gap.y * gap.y > reach * reach;
}

/// They meet at any time after the first step and before the last.
static course draw_course(random_state *random, float speed, graze_vec2 meeting)
{
    course drawn;
    do {
        float steps = random_float(random, 1.0f, COURSE_STEPS - 1);
        drawn.bullet_velocity = graze_vec2_scale(draw_direction(random), COURSE_SPEED);
        drawn.target_velocity = graze_vec2_scale(draw_direction(random), speed);
        drawn.bullet = find_place_before(meeting, drawn.bullet_velocity, steps * SCENE_STEP);
        drawn.target = find_place_before(meeting, drawn.target_velocity, steps * SCENE_STEP);
    } while (!begins_apart(&drawn));
    return drawn;
}

void shot_draw_courses(random_state *random, float speed, course *courses, uint32_t count)
{
    uint32_t row = (uint32_t)sqrt((double)count) + 1;
    for (uint32_t i = 0; i < count; ++i) {
        float x = (float)(i % row) - 0.5f * (float)row;
        float y = (float)(i / row) - 0.5f * (float)row;
        graze_vec2 meeting = {COURSE_LANE * x, COURSE_LANE * y};
        courses[i] = draw_course(random, speed, meeting);
    }
}
