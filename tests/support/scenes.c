#include "scenes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define PI          3.14159265358979323846
#define COVER       0.2    ///< Share of the square that a gas covers.
#define RADIUS      0.5f   ///< Of a gas.
#define SPEED       10.0f  ///< Largest on each axis, of a gas.
#define FAST_LENGTH 100.0f ///< Of the steps of the fast bodies of a gas.
#define WORLD_HALF  500.0f ///< Half the side of the squares with terrain.
#define WAVE_LENGTH 200u   ///< Segments of a polyline.
#define PATCHES     10u    ///< Squares that hold the crowd of a clustered scene.

static void *allocate_array(size_t count, size_t size)
{
    void *array = calloc(count ? count : 1, size);
    if (!array) {
        fprintf(stderr, "scenes: no memory for %zu elements of %zu bytes\n", count, size);
        abort();
    }
    return array;
}

// One number per statement: the order of evaluation inside an expression is the compiler's choice.

static graze_vec2 draw_point(random_state *random, graze_aabb box)
{
    float x = random_float(random, box.lower.x, box.upper.x);
    float y = random_float(random, box.lower.y, box.upper.y);
    graze_vec2 point = {x, y};
    return point;
}

/// Returns a unit vector: uniform in the disc by rejection, then scaled.
static graze_vec2 draw_direction(random_state *random)
{
    for (;;) {
        double x = (double)random_float(random, -1.0f, 1.0f);
        double y = (double)random_float(random, -1.0f, 1.0f);
        double squared = x * x + y * y;
        if (squared > 0.01 && squared <= 1.0) {
            double length = sqrt(squared);
            graze_vec2 direction = {(float)(x / length), (float)(y / length)};
            return direction;
        }
    }
}

/// Returns u^10 for a uniform u.
static double draw_tenth_power(random_state *random)
{
    double u = (double)random_float(random, 0.0f, 1.0f);
    double squared = u * u;
    double fourth = squared * squared;
    return fourth * fourth * squared;
}

static graze_aabb make_square(double side)
{
    float half = (float)(side * 0.5);
    graze_aabb square = {{-half, -half}, {half, half}};
    return square;
}

static scene make_movers(uint32_t movers, uint32_t bullets)
{
    scene made = {.body_count = movers + bullets, .bullet_count = bullets};
    made.bodies = allocate_array(made.body_count, sizeof *made.bodies);
    return made;
}

static void set_radius(scene_body *body, double radius)
{
    body->half.x = (float)radius;
    body->half.y = (float)radius;
}

/// The side of the square of which the movers cover COVER, each counted as a circle of radius
/// half.x: so a gas-mixed has the density of a gas.
static double find_side(const scene *made)
{
    double area = 0;
    for (uint32_t i = 0; i < made->body_count - made->bullet_count; ++i) {
        double radius = (double)made->bodies[i].half.x;
        area += PI * radius * radius;
    }
    return sqrt(area / COVER);
}

static void strew(scene *made, random_state *random)
{
    graze_aabb speeds = {{-SPEED, -SPEED}, {SPEED, SPEED}};
    for (uint32_t i = 0; i < made->body_count - made->bullet_count; ++i) {
        made->bodies[i].position = draw_point(random, made->bounds);
        made->bodies[i].velocity = draw_point(random, speeds);
    }
}

static scene make_gas_of(random_state *random, uint32_t count,
                         double (*draw_radius)(random_state *))
{
    scene made = make_movers(count, 0);
    for (uint32_t i = 0; i < count; ++i) {
        set_radius(&made.bodies[i], draw_radius(random));
    }
    made.bounds = make_square(find_side(&made));
    strew(&made, random);
    return made;
}

static double draw_same_radius(random_state *random)
{
    (void)random;
    return (double)RADIUS;
}

/// 0.1 * 100^u: the product of 100^(2^-k) over the bits k of u that are set.
static double draw_log_uniform_radius(random_state *random)
{
    uint32_t bits = random_bits(random);
    double power = 100.0;
    double radius = 0.1;
    for (uint32_t bit = 0x80000000u; bit >= 0x100u; bit >>= 1) {
        power = sqrt(power);
        radius = bits & bit ? radius * power : radius;
    }
    return radius;
}

static double draw_power_law_radius(random_state *random)
{
    double u = 1.0 - (double)random_float(random, 0.0f, 1.0f);
    double ratio = 1.0 / sqrt(u);
    return (double)RADIUS * (ratio < 32.0 ? ratio : 32.0);
}

static double draw_heavy_radius(random_state *random)
{
    return 0.5 * (1.0 + 99.0 * draw_tenth_power(random));
}

scene scene_make_gas(uint64_t seed, uint32_t count)
{
    random_state random = random_seed(seed);
    return make_gas_of(&random, count, draw_same_radius);
}

scene scene_make_gas_slow(uint64_t seed, uint32_t count)
{
    scene made = scene_make_gas(seed, count);
    for (uint32_t i = 0; i < count; ++i) {
        made.bodies[i].velocity = graze_vec2_scale(made.bodies[i].velocity, 0.05f);
    }
    return made;
}

static void turn_into_rect(scene_body *body, random_state *random)
{
    body->kind = SCENE_RECT;
    body->half.x = 0.5f;
    body->half.y = 0.3f;
    body->angle = random_float(random, -(float)PI, (float)PI);
    body->spin = random_float(random, -2.0f, 2.0f);
}

static void mix(scene *made, random_state *random)
{
    for (uint32_t i = 1; i < made->body_count - made->bullet_count; i += 2) {
        turn_into_rect(&made->bodies[i], random);
    }
}

scene scene_make_gas_mixed(uint64_t seed, uint32_t count)
{
    random_state random = random_seed(seed);
    scene made = make_gas_of(&random, count, draw_same_radius);
    mix(&made, &random);
    return made;
}

scene scene_make_gas_log_sizes(uint64_t seed, uint32_t count)
{
    random_state random = random_seed(seed);
    return make_gas_of(&random, count, draw_log_uniform_radius);
}

scene scene_make_gas_giants(uint64_t seed, uint32_t count)
{
    random_state random = random_seed(seed);
    scene made = make_movers(count, 0);
    for (uint32_t i = 0; i < count; ++i) {
        set_radius(&made.bodies[i], i % 100 == 99 ? 64.0 * (double)RADIUS : (double)RADIUS);
    }
    made.bounds = make_square(find_side(&made));
    strew(&made, &random);
    return made;
}

scene scene_make_gas_power_sizes(uint64_t seed, uint32_t count)
{
    random_state random = random_seed(seed);
    return make_gas_of(&random, count, draw_power_law_radius);
}

/// Puts `share` of the bodies into PATCHES squares that together are `area` of the bounds.
static scene make_clusters_of(uint64_t seed, uint32_t count, double share, double area)
{
    random_state random = random_seed(seed);
    scene made = make_gas_of(&random, count, draw_same_radius);
    float side = (float)(sqrt(area / PATCHES) * 2.0 * (double)made.bounds.upper.x);
    graze_aabb corners = {made.bounds.lower,
                          {made.bounds.upper.x - side, made.bounds.upper.y - side}};
    graze_aabb patches[PATCHES];
    for (uint32_t i = 0; i < PATCHES; ++i) {
        patches[i].lower = draw_point(&random, corners);
        patches[i].upper.x = patches[i].lower.x + side;
        patches[i].upper.y = patches[i].lower.y + side;
    }
    uint32_t crowd = (uint32_t)(share * count);
    for (uint32_t i = 0; i < crowd; ++i) {
        made.bodies[i].position = draw_point(&random, patches[i % PATCHES]);
    }
    return made;
}

scene scene_make_clusters(uint64_t seed, uint32_t count)
{
    return make_clusters_of(seed, count, 0.8, 0.1);
}

scene scene_make_dense_clusters(uint64_t seed, uint32_t count)
{
    return make_clusters_of(seed, count, 0.95, 0.015);
}

scene scene_make_debris(uint64_t seed, uint32_t count)
{
    static const graze_aabb spot = {{0, 0}, {2, 2}};
    random_state random = random_seed(seed);
    scene made = make_movers(count, 0);
    for (uint32_t i = 0; i < count; ++i) {
        set_radius(&made.bodies[i], i % 2 ? 0.01 * (double)RADIUS : (double)RADIUS);
    }
    made.bounds = make_square(find_side(&made));
    strew(&made, &random);
    for (uint32_t i = 1; i < count; i += 2) {
        made.bodies[i].position = draw_point(&random, spot);
        made.bodies[i].velocity = graze_vec2_scale(made.bodies[i].velocity, 0.01f);
    }
    return made;
}

scene scene_make_gas_fast(uint64_t seed, uint32_t count)
{
    scene made = scene_make_gas(seed, count);
    random_state random = random_seed(seed);
    for (uint32_t i = 99; i < count; i += 100) {
        made.bodies[i].velocity =
            graze_vec2_scale(draw_direction(&random), FAST_LENGTH / SCENE_STEP);
    }
    return made;
}

scene scene_make_rest(uint64_t seed, uint32_t count)
{
    scene made = scene_make_gas(seed, count);
    for (uint32_t i = 0; i < count; ++i) {
        if (i % 100 != 99) {
            made.bodies[i].velocity.x = 0.0f;
            made.bodies[i].velocity.y = 0.0f;
        }
    }
    return made;
}

scene scene_make_heavy_tail(uint64_t seed, uint32_t count)
{
    random_state random = random_seed(seed);
    scene made = make_gas_of(&random, count, draw_heavy_radius);
    for (uint32_t i = 0; i < count; ++i) {
        float speed = (float)(10.0 * draw_tenth_power(&random));
        made.bodies[i].velocity = graze_vec2_scale(draw_direction(&random), speed);
    }
    return made;
}

scene_body scene_new_bullet(const scene *place, random_state *random)
{
    scene_body bullet = {.kind = SCENE_BULLET, .position = draw_point(random, place->bounds)};
    graze_vec2 direction = draw_direction(random);
    float length = random_float(random, 0.1f, 5.0f);
    bullet.velocity = graze_vec2_scale(direction, length / SCENE_STEP);
    return bullet;
}

static void draw_bullets(scene *made, random_state *random)
{
    for (uint32_t i = made->body_count - made->bullet_count; i < made->body_count; ++i) {
        made->bodies[i] = scene_new_bullet(made, random);
    }
}

/// Rotates by the angle whose half has the tangent `t`: cosine and sine are rational in it.
static graze_vec2 turn_direction(graze_vec2 direction, double t)
{
    double x = (double)direction.x;
    double y = (double)direction.y;
    double scale = 1.0 / (1.0 + t * t);
    double cosine = (1.0 - t * t) * scale;
    double sine = 2.0 * t * scale;
    graze_vec2 turned = {(float)(x * cosine - y * sine), (float)(x * sine + y * cosine)};
    return turned;
}

static graze_vec2 advance(graze_vec2 point, graze_vec2 direction, float length)
{
    return graze_vec2_add(point, graze_vec2_scale(direction, length));
}

static void begin_chain(scene *made, graze_vec2 point)
{
    scene_chain *chain = &made->chains[made->chain_count++];
    chain->first = made->point_count;
    chain->count = 1;
    made->points[made->point_count++] = point;
}

static void append_point(scene *made, graze_vec2 point)
{
    ++made->chains[made->chain_count - 1].count;
    ++made->segment_count;
    made->points[made->point_count++] = point;
}

/// A path whose curvature varies a little from point to point, and which turns back at the bounds.
static void draw_wave(scene *made, random_state *random, uint32_t segments)
{
    graze_vec2 point = draw_point(random, made->bounds);
    graze_vec2 direction = draw_direction(random);
    double bend = 0.0;
    begin_chain(made, point);
    for (uint32_t i = 0; i < segments; ++i) {
        bend = 0.9 * bend + (double)random_float(random, -0.05f, 0.05f);
        direction = turn_direction(direction, bend);
        float length = random_float(random, 1.0f, 5.0f);
        (void)scene_turn_back(made, advance(point, direction, length), &direction);
        point = advance(point, direction, length);
        append_point(made, point);
    }
}

static void draw_single_segment(scene *made, random_state *random)
{
    graze_vec2 point = draw_point(random, made->bounds);
    graze_vec2 direction = draw_direction(random);
    float length = random_float(random, 1.0f, 5.0f);
    (void)scene_turn_back(made, advance(point, direction, length), &direction);
    begin_chain(made, point);
    append_point(made, advance(point, direction, length));
}

static void draw_terrain(scene *made, random_state *random, uint32_t segments)
{
    uint32_t in_waves = (uint32_t)((uint64_t)segments * 4 / 5);
    made->points = allocate_array((size_t)segments * 2 + 1, sizeof *made->points);
    made->chains = allocate_array((size_t)segments + 1, sizeof *made->chains);
    while (made->segment_count < in_waves) {
        uint32_t left = in_waves - made->segment_count;
        draw_wave(made, random, left < WAVE_LENGTH ? left : WAVE_LENGTH);
    }
    while (made->segment_count < segments) {
        draw_single_segment(made, random);
    }
}

scene scene_make_bullets_terrain(uint64_t seed, uint32_t segments, uint32_t bullets)
{
    return scene_make_bullet_hell(seed, 0, bullets, segments);
}

scene scene_make_bullets_bodies(uint64_t seed, uint32_t movers, uint32_t bullets)
{
    random_state random = random_seed(seed);
    scene gas = make_gas_of(&random, movers, draw_same_radius);
    scene made = make_movers(movers, bullets);
    made.bounds = gas.bounds;
    for (uint32_t i = 0; i < movers; ++i) {
        made.bodies[i] = gas.bodies[i];
    }
    scene_free(&gas);
    draw_bullets(&made, &random);
    return made;
}

scene scene_make_bullet_hell(uint64_t seed, uint32_t movers, uint32_t bullets, uint32_t segments)
{
    random_state random = random_seed(seed);
    scene made = make_movers(movers, bullets);
    made.bounds = make_square(2.0 * (double)WORLD_HALF);
    for (uint32_t i = 0; i < movers; ++i) {
        set_radius(&made.bodies[i], (double)RADIUS);
    }
    strew(&made, &random);
    mix(&made, &random);
    draw_bullets(&made, &random);
    draw_terrain(&made, &random, segments);
    return made;
}

void scene_free(scene *place)
{
    free(place->bodies);
    free(place->points);
    free(place->chains);
    place->bodies = NULL;
    place->points = NULL;
    place->chains = NULL;
}

static bool turn_axis(float position, float lower, float upper, float *velocity)
{
    bool leaves = (position < lower && *velocity < 0.0f) || (position > upper && *velocity > 0.0f);
    *velocity = leaves ? -*velocity : *velocity;
    return leaves;
}

bool scene_turn_back(const scene *place, graze_vec2 position, graze_vec2 *velocity)
{
    graze_aabb bounds = place->bounds;
    bool turned_x = turn_axis(position.x, bounds.lower.x, bounds.upper.x, &velocity->x);
    bool turned_y = turn_axis(position.y, bounds.lower.y, bounds.upper.y, &velocity->y);
    return turned_x || turned_y;
}

bool scene_is_inside(const scene *place, graze_vec2 position)
{
    graze_aabb bounds = place->bounds;
    return position.x >= bounds.lower.x && position.x <= bounds.upper.x &&
           position.y >= bounds.lower.y && position.y <= bounds.upper.y;
}
