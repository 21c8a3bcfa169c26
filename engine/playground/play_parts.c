#include "play_scene.h"

static const float pi = 3.14159265f;

static uint64_t next_bits(uint64_t *state)
{
    *state += 0x9E3779B97F4A7C15u;
    uint64_t bits = *state;
    bits = (bits ^ bits >> 30) * 0xBF58476D1CE4E5B9u;
    bits = (bits ^ bits >> 27) * 0x94D049BB133111EBu;
    return bits ^ bits >> 31;
}

float play_random(play *game, float low, float high)
{
    const uint64_t bits = next_bits(&game->state.random);
    return low + (high - low) * ((float)(bits >> 40) / 16777216.0f);
}

uint32_t play_random_below(play *game, uint32_t count)
{
    return (uint32_t)((next_bits(&game->state.random) >> 32) * count >> 32);
}

static float area_of(graze_shape shape)
{
    return pi * shape.radius * shape.radius + 4 * shape.half.x * shape.half.y;
}

graze_body_def play_rigid(graze_shape shape, float x, float y)
{
    graze_body_def def = graze_body_def_default();
    def.shape = shape;
    def.position.x = x;
    def.position.y = y;
    def.mass = area_of(shape);
    return def;
}

graze_body_def play_kinematic(graze_shape shape, float x, float y)
{
    graze_body_def def = play_rigid(shape, x, y);
    def.mass = 0;
    def.response = GRAZE_PASS;
    def.user_data = PLAY_TINT_CREAM;
    return def;
}

graze_body_id play_add(play *game, const graze_body_def *def)
{
    return graze_body_create(game->world, def);
}

graze_body_id play_add_part(play *game, const graze_body_def *def)
{
    const graze_body_id body = play_add(game, def);
    if (game->state.part_count < PLAY_PART_CAPACITY) {
        game->state.places[game->state.part_count] = def->position;
        game->state.parts[game->state.part_count++] = body;
    }
    return body;
}

graze_chain_id play_add_loop(play *game, const graze_vec2 *points, uint32_t count)
{
    graze_chain_def def = graze_chain_def_default();
    def.points = points;
    def.count = count;
    def.loop = true;
    def.user_data = PLAY_SOLID;
    ++game->terrain_version;
    return graze_chain_create(game->world, &def);
}

graze_chain_id play_add_line(play *game, const graze_vec2 *points, uint32_t count, bool one_sided)
{
    graze_chain_def def = graze_chain_def_default();
    def.points = points;
    def.count = count;
    def.one_sided = one_sided;
    def.filter.category = one_sided ? PLAY_PLATFORM : PLAY_GROUND;
    def.user_data = PLAY_LINE;
    ++game->terrain_version;
    return graze_chain_create(game->world, &def);
}

void play_drive_to(play *game, graze_body_id body, graze_vec2 position, float angle)
{
    const graze_vec2 way = graze_vec2_sub(position, graze_body_position(game->world, body));
    float turn = angle - graze_body_angle(game->world, body);
    turn += turn > pi ? -2 * pi : turn < -pi ? 2 * pi : 0;
    graze_body_set_velocity(game->world, body, graze_vec2_scale(way, PLAY_RATE));
    graze_body_set_spin(game->world, body, turn * PLAY_RATE);
}

float play_sine(float angle)
{
    return graze_rotation_from_angle(angle).sine;
}

graze_vec2 play_direction(float angle, float length)
{
    const graze_rotation towards = graze_rotation_from_angle(angle);
    const graze_vec2 direction = {length * towards.cosine, length * towards.sine};
    return direction;
}
