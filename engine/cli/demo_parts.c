#include "demo_parts.h"

static const float pi = 3.14159265f;

static float area_of(graze_shape shape)
{
    return pi * shape.radius * shape.radius + 4 * shape.half.x * shape.half.y;
}

graze_body_def cli_rigid_body(graze_shape shape, float x, float y)
{
    graze_body_def def = graze_body_def_default();
    def.shape = shape;
    def.position.x = x;
    def.position.y = y;
    def.mass = area_of(shape);
    def.surface = graze_surface_default();
    def.response = GRAZE_RIGID;
    return def;
}

graze_body_def cli_kinematic_body(graze_shape shape, float x, float y)
{
    graze_body_def def = cli_rigid_body(shape, x, y);
    def.mass = 0;
    def.response = GRAZE_PASS;
    return def;
}

size_t cli_add_body(cli_scene *scene, graze_body_def def)
{
    const cli_body body = {def, "a body"};
    cli_push(scene->bodies, body);
    return grz_list_count(scene->bodies) - 1;
}

void cli_add_loop(cli_scene *scene, const graze_vec2 *points, size_t count, cli_fill fill)
{
    cli_chain chain = {graze_chain_def_default(), 0, fill, 0, "a loop"};
    chain.def.loop = true;
    chain.def.surface = graze_surface_default();
    cli_scene_add_chain(scene, chain, points, count);
}

void cli_set_view(cli_scene *scene, float low_x, float low_y, float high_x, float high_y)
{
    const graze_aabb view = {{low_x, low_y}, {high_x, high_y}};
    scene->has_view = true;
    scene->view = view;
}

graze_status cli_throw_in(cli_stage *stage, const graze_body_def *def)
{
    graze_body_id body = graze_body_create(stage->world, def);
    return body.generation ? GRAZE_OK : graze_world_last_status(stage->world);
}

graze_status cli_drive_to(cli_stage *stage, size_t place, graze_vec2 position, float angle)
{
    const graze_body_id body = stage->bodies[place];
    graze_vec2 way = graze_vec2_sub(position, graze_body_position(stage->world, body));
    float turn = angle - graze_body_angle(stage->world, body);
    graze_status status =
        graze_body_set_velocity(stage->world, body, graze_vec2_scale(way, CLI_RATE));
    return status ? status : graze_body_set_spin(stage->world, body, turn * CLI_RATE);
}
