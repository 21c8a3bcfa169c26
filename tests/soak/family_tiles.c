#include "families.h"

#include "body_defs.h"
#include "play.h"

#include <graze/shape.h>

#include <stdlib.h>

// Bodies in tile maps: walls share every vertex with others, and all coordinates are whole, so ways
// run along walls and through vertices all the time.

/// Of a tile: places of bodies are multiples of it in half of the cases.
static const float lattice = 0.25f;

/// What a case's bodies have in common.
typedef struct style {
    const tile_map *map;
    bool on_lattice;
} style;

static float pick_coordinate(soak_case *test, const style *all, float origin, uint32_t tiles)
{
    if (all->on_lattice) {
        const float steps = (float)soak_pick(test, 4 * tiles + 1);
        return origin + all->map->size * lattice * steps;
    }
    return origin + all->map->size * soak_pick_float(test, 0, (float)tiles);
}

static graze_vec2 pick_place(soak_case *test, const style *all)
{
    const float x = pick_coordinate(test, all, all->map->origin.x, all->map->width);
    const graze_vec2 place = {x, pick_coordinate(test, all, all->map->origin.y, all->map->height)};
    return place;
}

static float pick_length(soak_case *test, const style *all, int tiles)
{
    if (all->on_lattice) {
        return all->map->size * lattice * (float)soak_pick_integer(test, 4 * tiles);
    }
    return all->map->size * soak_pick_signed(test, (float)tiles);
}

static graze_vec2 pick_way(soak_case *test, const style *all)
{
    static const int reaches[] = {1, 3, 20};
    const int reach = reaches[soak_pick(test, 3)];
    const float x = pick_length(test, all, reach);
    const graze_vec2 way = {x, pick_length(test, all, reach)};
    return way;
}

static float pick_extent(soak_case *test, const style *all)
{
    const uint32_t steps = soak_pick(test, 3);
    const float share =
        all->on_lattice ? lattice * (float)(steps + 1) : soak_pick_float(test, 0.01f, 0.8f);
    return all->map->size * share;
}

static graze_shape pick_shape(soak_case *test, const style *all)
{
    switch (soak_pick(test, 3)) {
    case 0:
        return graze_shape_ray();
    case 1:
        return graze_shape_circle(pick_extent(test, all));
    default: {
        const float half_x = pick_extent(test, all);
        return graze_shape_rect(half_x, pick_extent(test, all));
    }
    }
}

static graze_body_def pick_body(soak_case *test, const style *all)
{
    graze_body_def def = test_body_def();
    def.shape = pick_shape(test, all);
    def.response = (graze_response)(GRAZE_STOP + soak_pick(test, 4));
    def.position = pick_place(test, all);
    def.velocity = pick_way(test, all);
    def.restitution = (float)soak_pick(test, 3) / 2;
    def.friction = (float)soak_pick(test, 3) / 2;
    def.angle = soak_chance(test, 4) ? soak_pick_signed(test, 3) : 0;
    def.spin = soak_chance(test, 4) ? soak_pick_signed(test, 20) : 0;
    def.filter.group = soak_chance(test, 2) ? -1 : 0;
    return def;
}

// The nearest vertex of the map to any place.
static graze_vec2 pick_vertex(soak_case *test, const tile_map *map)
{
    const float x = (float)soak_pick(test, map->width + 1);
    const graze_vec2 vertex = {map->origin.x + map->size * x,
                               map->origin.y + map->size * (float)soak_pick(test, map->height + 1)};
    return vertex;
}

static play_event pick_event(soak_case *test, const style *all)
{
    play_event event = {.action = PLAY_GO, .factor = 1};
    switch (soak_pick(test, 8)) {
    case 6:
        event.action = PLAY_AGAIN;
        break;
    case 7:
        event.action = PLAY_AIM;
        event.target = pick_vertex(test, all->map);
        break;
    default:
        event.target = pick_way(test, all);
        break;
    }
    return event;
}

static void add_body(soak_case *test, const style *all, play *plan)
{
    const graze_body_def def = pick_body(test, all);
    uint32_t step = 0;
    play_add_body(plan, &def);
    while (step < plan->step_count && soak_more(test, 12)) {
        play_event event = pick_event(test, all);
        step += soak_pick(test, 4);
        event.step = step;
        play_add_event(plan, &event);
    }
}

void soak_run_tiles(soak_case *test)
{
    tile_map map;
    tile_map_pick(test, &map);
    const style all = {&map, soak_pick(test, 2) == 0};
    play *plan = play_create(32);
    plan->tiles = &map;
    plan->slow_steps = soak_chance(test, 3) ? UINT64_MAX : 0;
    plan->gravity.y = soak_chance(test, 3) ? -20 : 0;
    do {
        add_body(test, &all, plan);
    } while (plan->body_count < PLAY_BODIES && soak_more(test, 200));
    play_run(test, plan);
    free(plan);
}
