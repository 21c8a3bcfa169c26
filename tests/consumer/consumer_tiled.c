/* A small game that has a level: a ball falls on its ground. */
#include <graze/graze.h>
#include <graze/tiled.h>

#include <stdio.h>
#include <string.h>

static const char level[] =
    "<map orientation='orthogonal' width='8' height='8' tilewidth='16' tileheight='16'>"
    "<objectgroup name='Collision'><object id='1' x='0' y='96' width='128' height='32'/>"
    "</objectgroup>"
    "<objectgroup name='Things'><object id='2' class='spawn' x='64' y='16'><point/></object>"
    "</objectgroup></map>";

int main(void)
{
    graze_world_def def = graze_world_def_default();
    def.gravity.y = 300.0f;
    graze_world *world = graze_world_create(&def);
    graze_tiled_def map_def = graze_tiled_def_default();
    map_def.data = level;
    map_def.size = strlen(level);
    graze_tiled_error error;
    graze_tiled_map *map = graze_tiled_load(&map_def, &error);
    const graze_tiled_object *spawn = map ? graze_tiled_find_class(map, "spawn") : NULL;
    if (!spawn || graze_tiled_add_to_world(map, world, NULL, NULL) != GRAZE_OK) {
        puts("no level");
        return 1;
    }
    graze_body_def ball = graze_body_def_default();
    ball.shape = graze_shape_circle(8.0f);
    ball.position = spawn->position;
    ball.response = GRAZE_STOP;
    graze_body_id id = graze_body_create(world, &ball);
    for (int i = 0; i < 120; ++i) {
        graze_world_step(world, 1.0f / 60.0f);
    }
    const float y = graze_body_position(world, id).y;
    graze_tiled_free(map);
    graze_world_destroy(world);
    printf("it lies at %.1f\n", (double)y);
    return y > 87.0f && y < 89.0f ? 0 : 1;
}
