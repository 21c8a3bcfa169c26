#include "play_scene.h"

#include <math.h>
#include <string.h>

enum { SHOT_EVERY = 5 }; ///< Steps.

static const float reach_of_grab = 0.6f;
static const float rate_of_grab = 18;     ///< Per second: how fast it comes to the pointer.
static const float longest_stroke = 0.5f; ///< Units, of drawn terrain.
static const float blast_radius = 6;
static const float dig_radius = 1.4f;

static bool is_movable(const play *game, graze_body_id body)
{
    return graze_body_mass(game->world, body) > 0 && !graze_body_is_sensor(game->world, body) &&
           graze_body_shape(game->world, body).kind != GRAZE_SHAPE_RAY;
}

// The nearest of those near the pointer that can be moved.
static graze_body_id find_body(const play *game, graze_vec2 at)
{
    enum { CANDIDATES = 16 };
    graze_body_id near[CANDIDATES];
    const graze_filter all = {~(uint32_t)0, ~(uint32_t)0, 0, 0};
    const uint32_t found =
        graze_query_nearest(game->world, at, reach_of_grab, all, near, CANDIDATES);
    for (uint32_t i = 0; i < found && i < CANDIDATES; ++i) {
        if (is_movable(game, near[i])) {
            return near[i];
        }
    }
    const graze_body_id none = {0, 0};
    return none;
}

static graze_vec2 rotate(graze_vec2 v, float angle)
{
    const graze_rotation turn = graze_rotation_from_angle(angle);
    const graze_vec2 turned = {turn.cosine * v.x - turn.sine * v.y,
                               turn.sine * v.x + turn.cosine * v.y};
    return turned;
}

static void grab(play *game, graze_vec2 at)
{
    const graze_body_id body = find_body(game, at);
    game->pointer.held = body;
    if (body.generation) {
        const graze_vec2 off = graze_vec2_sub(at, graze_body_position(game->world, body));
        const graze_shape shape = graze_body_shape(game->world, body);
        const float most = shape.radius + fminf(shape.half.x, shape.half.y);
        const float length = graze_vec2_length(off);
        const graze_vec2 inside = length > most ? graze_vec2_scale(off, most / length) : off;
        game->pointer.grip = rotate(inside, -graze_body_angle(game->world, body));
    }
}

// The impulse at `arm` from the centre of a rigid body that changes the velocity there by `change`.
static graze_vec2 impulse_for(float mass, float inertia, graze_vec2 arm, graze_vec2 change)
{
    const float inverse_mass = 1 / mass;
    const float inverse_inertia = inertia > 0 ? 1 / inertia : 0;
    const float xx = inverse_mass + inverse_inertia * arm.y * arm.y;
    const float yy = inverse_mass + inverse_inertia * arm.x * arm.x;
    const float xy = -inverse_inertia * arm.x * arm.y;
    const float scale = 1 / (xx * yy - xy * xy);
    const graze_vec2 impulse = {scale * (yy * change.x - xy * change.y),
                                scale * (xx * change.y - xy * change.x)};
    return impulse;
}

// Pulls the held point towards the pointer. It gives way where that would take too much force, so
// that what is held is not pressed through others.
static void pull_rigid(play *game, graze_vec2 wanted)
{
    const graze_body_id body = game->pointer.held;
    const float mass = graze_body_mass(game->world, body);
    const float inertia = graze_body_inertia(game->world, body);
    const float spin = graze_body_spin(game->world, body);
    const graze_vec2 arm = rotate(game->pointer.grip, graze_body_angle(game->world, body));
    const graze_vec2 turning = {-spin * arm.y, spin * arm.x};
    const graze_vec2 velocity = graze_vec2_add(graze_body_velocity(game->world, body), turning);
    graze_vec2 impulse = impulse_for(mass, inertia, arm, graze_vec2_sub(wanted, velocity));
    const float size = graze_vec2_length(impulse);
    const float most = 25 * mass;
    if (size > most) {
        impulse = graze_vec2_scale(impulse, most / size);
    }
    const graze_vec2 grip = graze_vec2_add(graze_body_position(game->world, body), arm);
    graze_body_apply_impulse(game->world, body, impulse, grip);
    graze_body_apply_spin_impulse(game->world, body, -0.12f * spin * inertia);
}

static void pull(play *game)
{
    const graze_body_id body = game->pointer.held;
    if (!graze_body_is_valid(game->world, body)) {
        game->pointer.held.generation = 0;
        return;
    }
    const graze_vec2 arm = rotate(game->pointer.grip, graze_body_angle(game->world, body));
    const graze_vec2 grip = graze_vec2_add(graze_body_position(game->world, body), arm);
    graze_vec2 wanted = graze_vec2_scale(graze_vec2_sub(game->pointer.target, grip), rate_of_grab);
    const float speed = graze_vec2_length(wanted);
    wanted = speed > 60 ? graze_vec2_scale(wanted, 60 / speed) : wanted;
    if (graze_body_response(game->world, body) == GRAZE_RIGID) {
        pull_rigid(game, wanted);
    } else {
        graze_body_set_velocity(game->world, body, wanted);
    }
}

static graze_vec2 find_muzzle(const play *game)
{
    const graze_body_id hero = game->state.hero.body;
    return hero.generation ? graze_body_position(game->world, hero) : game->scene->muzzle;
}

static void shoot(play *game)
{
    const float radius = game->scene->shot;
    const graze_vec2 muzzle = find_muzzle(game);
    const graze_vec2 way = graze_vec2_sub(game->pointer.target, muzzle);
    const graze_vec2 aim = graze_vec2_normalize(way);
    const graze_shape shape = radius > 0 ? graze_shape_circle(radius) : graze_shape_ray();
    const graze_vec2 at = graze_vec2_add(muzzle, graze_vec2_scale(aim, 1));
    graze_body_def def = play_rigid(shape, at.x, at.y);
    def.mass = radius > 0 ? 4 * def.mass : 1;
    def.velocity = graze_vec2_scale(aim, 40);
    def.lifetime = 6;
    def.response = radius > 0 ? GRAZE_RIGID : GRAZE_STOP;
    def.hit_limit = radius > 0 ? 0 : 1;
    def.filter.mask = ~(uint32_t)PLAY_HERO;
    def.user_data = PLAY_TINT_WHITE;
    play_add(game, &def);
}

static void draw_to(play *game, graze_vec2 at)
{
    if (game->scene->reshape) {
        game->scene->reshape(game, at, dig_radius, false);
        game->pointer.target = at;
        return;
    }
    const graze_vec2 way = graze_vec2_sub(at, game->pointer.target);
    if (graze_vec2_length(way) >= longest_stroke) {
        const graze_vec2 points[] = {game->pointer.target, at};
        play_add_line(game, points, 2, false);
        game->pointer.target = at;
    }
}

static void explode(play *game, graze_vec2 at)
{
    const float impulse = game->scene->gravity < 0 ? 14 : 20;
    const graze_filter all = {~(uint32_t)0, ~(uint32_t)0, 0, 0};
    if (game->scene->reshape) {
        game->scene->reshape(game, at, 0.5f * blast_radius, true);
    }
    graze_world_explode(game->world, at, blast_radius, impulse, all);
    play_flash *flash = &game->flashes[game->flash_count++ % PLAY_FLASH_COUNT];
    flash->at = at;
    flash->radius = blast_radius;
    flash->step = game->state.step;
}

static void begin(play *game, play_tool tool, graze_vec2 at)
{
    play_drop_tools(game);
    game->pointer.target = at;
    switch (tool) {
    case PLAY_DRAG:
        grab(game, at);
        break;
    case PLAY_SHOOT:
        game->pointer.is_shooting = true;
        break;
    case PLAY_DRAW:
        game->pointer.is_drawing = true;
        draw_to(game, at);
        break;
    case PLAY_EXPLODE:
        explode(game, at);
        break;
    case PLAY_DIG:
        game->pointer.is_digging = true;
        break;
    }
}

void play_drop_tools(play *game)
{
    const uint32_t shot_step = game->pointer.shot_step;
    memset(&game->pointer, 0, sizeof game->pointer);
    game->pointer.shot_step = shot_step;
}

void play_touch(play *game, play_tool tool, play_touch_phase phase, float x, float y)
{
    const graze_vec2 at = {x, y};
    if (!isfinite(x) || !isfinite(y)) {
        return;
    }
    if (phase == PLAY_DOWN) {
        begin(game, tool, at);
    } else if (phase == PLAY_UP) {
        play_drop_tools(game);
    } else if (game->pointer.is_drawing) {
        draw_to(game, at);
    } else {
        game->pointer.target = at;
    }
}

void play_use_tools(play *game)
{
    const uint32_t step = game->state.step;
    if (game->pointer.held.generation) {
        pull(game);
    }
    if (game->pointer.is_shooting && step >= game->pointer.shot_step + SHOT_EVERY) {
        shoot(game);
        game->pointer.shot_step = step;
    }
    if (game->pointer.is_digging && game->scene->reshape) {
        game->scene->reshape(game, game->pointer.target, dig_radius, true);
        game->state.is_played = true;
    }
}
