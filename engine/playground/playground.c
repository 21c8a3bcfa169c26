#include "play_scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const play_scene *const scenes[] = {
    &play_scene_bullets,    &play_scene_pit,      &play_scene_pyramid,
    &play_scene_tumbler,    &play_scene_flippers, &play_scene_cave,
    &play_scene_platformer, &play_scene_horde,    &play_scene_digging};

uint32_t play_scene_count(void)
{
    return sizeof scenes / sizeof *scenes;
}

const char *play_scene_name(uint32_t scene)
{
    return scene < play_scene_count() ? scenes[scene]->name : NULL;
}

const char *play_scene_hint(uint32_t scene)
{
    return scene < play_scene_count() ? scenes[scene]->hint : NULL;
}

play *play_create(uint32_t threads)
{
    play *game = calloc(1, sizeof *game);
    if (!game) {
        return NULL;
    }
    game->history = play_history_create();
    game->drawing = play_drawing_create();
    play_use_threads(game, threads);
    if (!game->history || !game->drawing) {
        play_destroy(game);
        return NULL;
    }
    return game;
}

void play_destroy(play *game)
{
    if (game) {
        graze_world_destroy(game->world);
        play_end_threads(game);
        play_history_destroy(game->history);
        play_drawing_destroy(game->drawing);
        free(game->record.data);
        free(game);
    }
}

static void keep_message(graze_status status, const char *message, void *user)
{
    (void)status;
    play *game = user;
    snprintf(game->message, sizeof game->message, "%s", message);
}

static graze_world *make_world(play *game)
{
    graze_world_def def = graze_world_def_default();
    def.gravity.y = game->scene->gravity;
    def.log = keep_message;
    def.log_user = game;
    play_set_parallel(game, &def);
    return graze_world_create(&def);
}

// All that belongs to one game; the terrain's version goes on, so that it is drawn anew.
static void clear_game(play *game)
{
    graze_world_destroy(game->world);
    game->world = NULL;
    game->keys = 0;
    memset(&game->state, 0, sizeof game->state);
    memset(&game->pointer, 0, sizeof game->pointer);
    memset(game->phases, 0, sizeof game->phases);
    memset(game->ground_chains, 0, sizeof game->ground_chains);
    game->steps = 0;
    game->flash_count = 0;
    game->message[0] = 0;
    ++game->terrain_version;
    play_history_clear(game->history);
    play_drawing_forget(game->drawing);
}

bool play_start(play *game, uint32_t scene, uint32_t bullets)
{
    if (scene >= play_scene_count()) {
        return false;
    }
    clear_game(game);
    game->scene = scenes[scene];
    game->state.random = 2024;
    game->state.bullets = bullets ? bullets : PLAY_DEFAULT_BULLETS;
    game->world = make_world(game);
    if (!game->world) {
        return false;
    }
    game->scene->build(game);
    return true;
}

static void add_times(play *game)
{
    const graze_world_stats stats = graze_world_get_stats(game->world);
    for (int i = 0; i < GRAZE_PHASE_COUNT; ++i) {
        game->phases[i] += stats.phase_seconds[i];
    }
    ++game->steps;
}

bool play_step(play *game)
{
    play_history_note(game);
    game->state.is_played |= game->keys != 0;
    if (game->scene->drive) {
        game->scene->drive(game);
    }
    play_use_tools(game);
    if (graze_world_step(game->world, 1.0f / PLAY_RATE) != GRAZE_OK) {
        return false;
    }
    ++game->state.step;
    add_times(game);
    if (game->scene->follow) {
        game->scene->follow(game);
    }
    game->state.hero.keys = game->keys;
    return true;
}

void play_set_keys(play *game, uint32_t keys)
{
    game->keys = keys;
}

float play_gravity(const play *game)
{
    return graze_world_gravity(game->world).y;
}

void play_set_gravity(play *game, float gravity)
{
    const graze_vec2 down = {0, gravity};
    graze_world_set_gravity(game->world, down);
}

uint32_t play_substeps(const play *game)
{
    return graze_world_substeps(game->world);
}

void play_set_substeps(play *game, uint32_t substeps)
{
    graze_world_set_substeps(game->world, substeps);
}

uint64_t play_hash(const play *game)
{
    return graze_world_hash(game->world);
}

uint32_t play_step_number(const play *game)
{
    return game->state.step;
}

const char *play_message(const play *game)
{
    return game->message;
}

const char *play_note(play *game)
{
    game->note[0] = 0;
    if (game->scene->write_note) {
        game->scene->write_note(game, game->note, sizeof game->note);
    }
    return game->note;
}

static float clamp(float value, float low, float high)
{
    return value < low ? low : value > high ? high : value;
}

// It follows a hero, but does not leave the scene.
const graze_aabb *play_view(play *game)
{
    const graze_aabb all = game->scene->view;
    game->view = all;
    if (game->scene->has_hero) {
        const graze_vec2 hero = graze_body_position(game->world, game->state.hero.body);
        const graze_vec2 half = {13, 7.5f};
        const graze_vec2 middle = {clamp(hero.x + 2, all.lower.x + half.x, all.upper.x - half.x),
                                   clamp(hero.y + 2, all.lower.y + half.y, all.upper.y - half.y)};
        game->view.lower = graze_vec2_sub(middle, half);
        game->view.upper = graze_vec2_add(middle, half);
    }
    return &game->view;
}

static uint32_t count_sleepers(const graze_world *world)
{
    uint32_t count;
    uint32_t asleep = 0;
    const uint32_t *indices = graze_world_indices(world, &count);
    for (uint32_t i = 0; i < count; ++i) {
        asleep += graze_body_is_asleep(world, graze_world_body_at(world, indices[i]));
    }
    return asleep;
}

const play_report *play_measure(play *game)
{
    const graze_world_stats stats = graze_world_get_stats(game->world);
    play_report *report = &game->report;
    report->bodies = (float)stats.body_count;
    report->asleep = (float)count_sleepers(game->world);
    report->contacts = (float)stats.contact_count;
    report->pairs = (float)stats.pair_count;
    report->segments = (float)stats.segment_count;
    report->kilobytes = (float)(stats.byte_count / 1024);
    report->cells = (float)stats.grid.cell_count;
    report->smallest_cell = (float)stats.grid.smallest_cell;
    report->largest_cell = (float)stats.grid.largest_cell;
    for (int i = 0; i < GRAZE_PHASE_COUNT; ++i) {
        report->phases[i] = game->steps ? (float)(game->phases[i] * 1000 / game->steps) : 0;
        game->phases[i] = 0;
    }
    report->steps = (float)game->steps;
    game->steps = 0;
    return report;
}
