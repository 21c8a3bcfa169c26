/// @file play_scene.h
/// What scenes of the playground are made of, and what its parts know of each other.
#ifndef PLAY_SCENE_H
#define PLAY_SCENE_H

#include "playground.h"

enum {
    PLAY_RATE = 60, ///< Steps per second.
    PLAY_PART_CAPACITY = 32,
    PLAY_DEFAULT_BULLETS = 20000,
    PLAY_GROUND_WIDTH = 86, ///< Cells of the ground that can be dug.
    PLAY_GROUND_HEIGHT = 46
};

/// Colours as user_data of bodies: 0 is one by the body's index, or for kinematic bodies cream.
typedef enum play_tint {
    PLAY_TINT_ANY,
    PLAY_TINT_BLUE,
    PLAY_TINT_PINK,
    PLAY_TINT_AMBER,
    PLAY_TINT_GREEN,
    PLAY_TINT_VIOLET,
    PLAY_TINT_RED,
    PLAY_TINT_CREAM,
    PLAY_TINT_GREY,
    PLAY_TINT_WHITE,
    PLAY_TINT_COUNT
} play_tint;

/// user_data of chains: which are drawn as solid.
enum { PLAY_LINE = 1, PLAY_SOLID = 2 };

/// The hero of the platformer, or of the horde.
typedef struct play_hero {
    graze_body_id body;
    graze_body_id ground;   ///< What it stands on; none if that is terrain, or nothing.
    uint32_t steps_in_air;  ///< Since it stood.
    uint32_t steps_of_wish; ///< Since the key to jump went down; it counts for a moment.
    uint32_t coins, all_coins;
    uint32_t keys; ///< Of the step before.
    bool looks_left;
} play_hero;

/// All that a game keeps besides the world: plain data, which is saved with each past state.
typedef struct play_state {
    uint64_t random;
    uint32_t step;
    uint32_t bullets; ///< How many fly at most.
    uint64_t fired;
    uint32_t part_count;
    graze_body_id parts[PLAY_PART_CAPACITY]; ///< Bodies that the scene drives.
    graze_vec2 places[PLAY_PART_CAPACITY];   ///< Where they began.
    play_hero hero;
    float turns[2]; ///< Of the flippers, radians.
    bool is_played; ///< A key was pressed: the scene no longer plays by itself.
    /// Of the corners of cells: what is 128 or more is ground.
    uint8_t ground[PLAY_GROUND_HEIGHT + 1][PLAY_GROUND_WIDTH + 1];
} play_state;

/// Takes a convex polygon of ground.
typedef void play_fill_fn(const graze_vec2 *points, uint32_t count, void *user);

/// A scene. Functions may be null, but for build.
typedef struct play_scene {
    const char *name;
    const char *hint;
    graze_aabb view;
    float gravity;
    float shot;        ///< The radius of what the tool fires; 0: bullets.
    graze_vec2 muzzle; ///< Where from, where there is no hero.
    bool is_room;      ///< What is outside of all loops is solid.
    bool has_hero;     ///< The view follows it.
    void (*build)(play *game);
    void (*drive)(play *game);  ///< Before each step: what a game does.
    void (*follow)(play *game); ///< After it: reads the contacts.
    void (*loaded)(play *game); ///< After a past state was loaded.
    bool (*reshape)(play *game, graze_vec2 at, float radius, bool dig); ///< Changes the ground.
    void (*fill)(const play *game, play_fill_fn *fill, void *user); ///< Says what of it is solid.
    void (*write_note)(const play *game, char *text, size_t size);
} play_scene;

extern const play_scene play_scene_bullets;
extern const play_scene play_scene_pit;
extern const play_scene play_scene_pyramid;
extern const play_scene play_scene_tumbler;
extern const play_scene play_scene_flippers;
extern const play_scene play_scene_cave;
extern const play_scene play_scene_platformer;
extern const play_scene play_scene_horde;
extern const play_scene play_scene_digging;

/// What the pointer holds or does.
typedef struct play_pointer {
    graze_body_id held; ///< None if it holds nothing.
    graze_vec2 grip;    ///< Where it holds it, in the body's frame.
    graze_vec2 target;
    bool is_shooting, is_drawing, is_digging;
    uint32_t shot_step; ///< When it fired last.
} play_pointer;

/// An explosion that still glows.
typedef struct play_flash {
    graze_vec2 at;
    float radius;
    uint32_t step;
} play_flash;

enum { PLAY_FLASH_COUNT = 8 };

typedef struct play_history play_history;
typedef struct play_drawing play_drawing;

/// A record in memory.
typedef struct play_record_bytes {
    char *data;
    size_t size, capacity; ///< Bytes.
} play_record_bytes;
typedef struct worker_pool worker_pool;

struct play {
    graze_world *world;
    const play_scene *scene;
    uint32_t keys;
    play_state state;
    play_pointer pointer;
    play_flash flashes[PLAY_FLASH_COUNT];
    uint32_t flash_count; ///< All that there were.
    uint32_t terrain_version;
    play_history *history;
    play_drawing *drawing;
    play_record_bytes record;
    play_report report;
    double phases[GRAZE_PHASE_COUNT]; ///< Seconds since the last report.
    uint32_t steps;                   ///< Since then.
    graze_aabb view;
    worker_pool *pool; ///< Null without threads.
    /// The ids of the ground's chains, two a cell, which follow from the world.
    graze_chain_id ground_chains[PLAY_GROUND_HEIGHT][PLAY_GROUND_WIDTH][2];
    char message[256];
    char note[96];
};

// --- parts of scenes: play_parts.c ---

/// Returns a float in [low, high), and an integer in [0, count). They follow from the state, so
/// that a game goes on after a rewind as it did before.
///
/// Source     SplitMix64: G. L. Steele, D. Lea, C. H. Flood 2014, "Fast Splittable Pseudorandom
///            Number Generators".
float play_random(play *game, float low, float high);
uint32_t play_random_below(play *game, uint32_t count);

/// Returns a rigid body: heavy by its area, with the default surface.
graze_body_def play_rigid(graze_shape shape, float x, float y);

/// Returns a body that nothing moves, other than its own velocity and spin.
graze_body_def play_kinematic(graze_shape shape, float x, float y);

/// Adds a body; play_add_part() also notes it as a part.
graze_body_id play_add(play *game, const graze_body_def *def);
graze_body_id play_add_part(play *game, const graze_body_def *def);

/// Adds terrain: a loop, drawn as solid (or, in a room, as open), or a line.
graze_chain_id play_add_loop(play *game, const graze_vec2 *points, uint32_t count);
graze_chain_id play_add_line(play *game, const graze_vec2 *points, uint32_t count, bool one_sided);

/// Gives a kinematic body the velocity and the spin that lead it to a place in one step.
void play_drive_to(play *game, graze_body_id body, graze_vec2 position, float angle);

/// Returns the sine of an angle: the same bits on every machine, unlike that of math.h.
float play_sine(float angle);
graze_vec2 play_direction(float angle, float length);

// --- the cave of the bullet hell: play_cave.c ---

enum { PLAY_EMITTER_COUNT = 6 };

extern const graze_vec2 play_emitters[PLAY_EMITTER_COUNT];

/// Makes a closed cave with islands, 160 x 90, open around the emitters.
void play_build_cave(play *game);

/// Returns whether a circle lies in the open, as far as eight points on it can tell.
bool play_is_open(const play *game, graze_vec2 center, float radius);

// --- the hero: play_hero.c ---

/// Before and after a step: walks, jumps and falls as the keys say; stands, takes coins.
void play_hero_steer(play *game, float speed, float jump_speed);
void play_hero_follow(play *game);
/// Categories of the platformer.
enum { PLAY_GROUND = 1, PLAY_PLATFORM = 2, PLAY_HERO = 4, PLAY_COIN = 8 };

// --- tools: play_tools.c ---

/// Before a step: pulls what is held, fires, digs.
void play_use_tools(play *game);
void play_drop_tools(play *game);

// --- the past: play_history.c ---

play_history *play_history_create(void);
void play_history_destroy(play_history *history);
void play_history_clear(play_history *history);

/// Before a step: keeps the state, if it is its turn.
void play_history_note(play *game);

// --- drawing: play_draw.c ---

play_drawing *play_drawing_create(void);
void play_drawing_destroy(play_drawing *drawing);

/// Returns the colour of a body, 0xRRGGBB: that of its tint.
uint32_t play_color(const play *game, graze_body_id body);

/// Forgets how bodies look: other bodies may have their ids.
void play_drawing_forget(play_drawing *drawing);

// --- threads: play_threads.c, or play_no_threads.c ---

/// Sets def->parallel, if there are threads.
void play_use_threads(play *game, uint32_t threads);
void play_end_threads(play *game);
void play_set_parallel(const play *game, graze_world_def *def);

#endif
