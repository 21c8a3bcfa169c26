// A level from the Tiled editor: its rock is terrain, its spawns say where things begin, and the
// hero walks to the exit, over a ramp.
//
//     example_tiled_level engine/examples/level/cave.tmx

#include <graze/graze.h>
#include <graze/tiled.h>

#include <stdio.h>
#include <string.h>

/// Who bodies are, in their user_data.
enum { HERO = 1, BAT = 2, EXIT = 3 };

typedef struct level_game {
    graze_world *world;
    graze_body_id hero;
    float speed; ///< Of the hero: pixels per second, of the level's property.
    int bat_count;
} level_game;

static graze_tiled_map *load_level(const char *path)
{
    graze_tiled_def def = graze_tiled_def_default();
    graze_tiled_error error;
    def.path = path;
    graze_tiled_map *map = graze_tiled_load(&def, &error);
    if (!map) {
        char line[512];
        graze_tiled_error_text(&error, line, sizeof line);
        fprintf(stderr, "%s\n", line);
        return NULL;
    }
    for (uint32_t i = 0; i < map->note_count; ++i) {
        printf("note: %s\n", map->notes[i]);
    }
    return map;
}

static void spawn_hero(level_game *game, const graze_tiled_object *spawn)
{
    graze_body_def def = graze_body_def_default();
    def.shape = graze_shape_circle(6.0f);
    def.position = spawn->position;
    def.response = GRAZE_SLIDE;
    def.user_data = HERO;
    game->hero = graze_body_create(game->world, &def);
    game->speed = (float)graze_tiled_number(spawn->properties, "speed", 40);
}

// Bats hang in the air, and stop nobody.
static void spawn_bat(level_game *game, const graze_tiled_object *spawn)
{
    graze_body_def def = graze_body_def_default();
    def.shape = graze_shape_circle(4.0f);
    def.position = spawn->position;
    def.gravity_scale = 0;
    def.sensor = true;
    def.response = GRAZE_PASS;
    def.user_data = BAT;
    graze_body_create(game->world, &def);
    ++game->bat_count;
}

// The exit is a place: it notices who comes in.
static void spawn_exit(level_game *game, const graze_tiled_object *area)
{
    graze_body_def def = graze_body_def_default();
    def.shape = graze_shape_rect(area->size.x / 2, area->size.y / 2);
    def.position = area->center;
    def.gravity_scale = 0;
    def.sensor = true;
    def.response = GRAZE_PASS;
    def.user_data = EXIT;
    graze_body_create(game->world, &def);
}

static void spawn_things(level_game *game, const graze_tiled_map *map)
{
    for (uint32_t i = 0; i < map->object_count; ++i) {
        const graze_tiled_object *object = &map->objects[i];
        if (strcmp(object->class_name, "spawn") == 0) {
            spawn_hero(game, object);
        } else if (strcmp(object->class_name, "enemy") == 0) {
            spawn_bat(game, object);
        } else if (strcmp(object->class_name, "exit") == 0) {
            spawn_exit(game, object);
        }
    }
}

// One contact has the hero and the exit as its two sides, in either order.
static bool has_left(const level_game *game)
{
    const graze_contact_list contacts = graze_world_contacts(game->world);
    for (uint32_t i = 0; i < contacts.count; ++i) {
        const graze_contact *contact = &contacts.data[i];
        if (contact->b.generation != 0) {
            const uint64_t a = graze_body_user_data(game->world, contact->a);
            const uint64_t b = graze_body_user_data(game->world, contact->b);
            if ((a == HERO && b == EXIT) || (a == EXIT && b == HERO)) {
                return true;
            }
        }
    }
    return false;
}

static int play(level_game *game)
{
    int step = 0;
    for (; step < 600 && !has_left(game); ++step) {
        graze_vec2 velocity = graze_body_velocity(game->world, game->hero);
        velocity.x = game->speed;
        graze_body_set_velocity(game->world, game->hero, velocity);
        graze_world_step(game->world, 1.0f / 60.0f);
    }
    return step;
}

int main(int count, char **words)
{
    graze_tiled_map *map = load_level(count > 1 ? words[1] : "cave.tmx");
    if (!map) {
        return 1;
    }
    graze_world_def def = graze_world_def_default();
    def.gravity = map->gravity;
    level_game game = {.world = graze_world_create(&def)};
    const graze_status status = graze_tiled_add_to_world(map, game.world, NULL, NULL);
    spawn_things(&game, map);
    printf("%s: %u chains, %u objects\n", graze_tiled_text(map->properties, "title", "no title"),
           map->chain_count, map->object_count);
    graze_tiled_free(map); // The world has copies of all it needs.

    const int steps = play(&game);
    const graze_vec2 end = graze_body_position(game.world, game.hero);
    printf("the hero is out after %d steps, at %.1f, %.1f\n", steps, (double)end.x, (double)end.y);
    graze_world_destroy(game.world);
    const bool is_right = status == GRAZE_OK && game.bat_count == 2 && game.speed == 60 &&
                          steps < 600 && end.x > 270 && end.y > 130 && end.y < 140;
    return is_right ? 0 : 1;
}
