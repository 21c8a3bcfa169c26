// The character of a platformer: walks over a hill without leaving the ground, jumps up through a
// platform and drops down from it, rides a lift, takes coins, and comes back to a checkpoint. It is
// a rect that slides; each step the game sets its velocity from what the player wants, and then
// looks for the ground in the contacts.
#include <graze/graze.h>

#include <stdio.h>
#include <stdlib.h>

/// Categories. A platform has one of its own, so that the character can leave it out of its mask.
enum { SOLID = 1, PLATFORM = 2, CHARACTER = 4, COIN = 8 };

/// The game's own state, which a checkpoint also saves.
typedef struct character {
    graze_body_id body;
    bool is_grounded;
    graze_body_id ground; ///< None if that is terrain, or nothing.
    int coins;
} character;

typedef struct game_state {
    graze_world *world;
    character hero;
    graze_body_id lift;
} game_state;

/// What the player wants in a step.
typedef struct command {
    float direction; ///< -1 left, 1 right.
    bool jump, down;
} command;

static const float step_seconds = 1.0f / 60.0f;
static const float speed = 6, jump_speed = 13, lift_speed = 2,
                   lift_top = 3.75f; ///< Units, seconds.
static const float reach = 0.25f;    ///< How far below its feet it sticks to the ground.
static const float least_up = 0.6f;  ///< Of a normal's y: it cannot stand on steeper ground.
static const graze_shape shape = {GRAZE_SHAPE_RECT, 0, {0.4f, 0.8f}};

static void add_chain(graze_world *world, const graze_vec2 *points, uint32_t count, bool one_sided)
{
    graze_chain_def def = graze_chain_def_default();
    def.points = points;
    def.count = count;
    def.one_sided = one_sided;
    def.filter.category = one_sided ? PLATFORM : SOLID;
    graze_chain_create(world, &def);
}

static void build_level(graze_world *world)
{
    static const graze_vec2 hill[] = {{-9, 0}, {0, 0}, {8, 4}, {12, 4}, {20, 0}, {31, 0}, {31, -3}};
    static const graze_vec2 platform[] = {{24, 2}, {28, 2}}; // Its left side is the upper one.
    static const graze_vec2 ledge[] = {{34, -3}, {34, 4}, {50, 4}};
    add_chain(world, hill, 7, false);
    add_chain(world, platform, 2, true);
    add_chain(world, ledge, 3, false);
    for (int i = 0; i < 4; ++i) {
        static const graze_vec2 positions[] = {{-2, 1}, {22, 1}, {26, 3}, {40, 5}};
        graze_body_def coin = graze_body_def_default();
        coin.position = positions[i];
        coin.response = GRAZE_PASS;
        coin.sensor = true;
        coin.mass = 0; // Otherwise gravity would pull it down.
        coin.filter.category = COIN;
        coin.filter.mask = CHARACTER;
        graze_body_create(world, &coin);
    }
}

static graze_body_id add_lift(graze_world *world)
{
    graze_body_def def = graze_body_def_default();
    def.shape = graze_shape_rect(1.45f, 0.25f);
    def.position = (graze_vec2){32.5f, -0.25f};
    def.response = GRAZE_PASS;
    def.mass = 0;
    return graze_body_create(world, &def);
}

static graze_body_id add_character(graze_world *world)
{
    graze_body_def def = graze_body_def_default();
    def.shape = shape;
    def.position = (graze_vec2){-6, 0.8f};
    def.response = GRAZE_SLIDE;
    def.friction = 0;
    def.filter.category = CHARACTER;
    return graze_body_create(world, &def);
}

static bool is_same(graze_body_id one, graze_body_id other)
{
    return one.index == other.index && one.generation == other.generation;
}

// To stand on a slope the character needs friction; to walk against a wall it must have none. It
// moves with the ground.
static void steer(game_state *game, command wanted)
{
    const graze_body_id body = game->hero.body;
    graze_vec2 velocity = graze_body_velocity(game->world, body);
    velocity.x = graze_body_velocity(game->world, game->hero.ground).x + speed * wanted.direction;
    if (wanted.jump && game->hero.is_grounded) {
        velocity.y = jump_speed;
        game->hero.is_grounded = false;
    }
    graze_filter filter = graze_body_filter(game->world, body);
    filter.mask = wanted.down ? ~(uint32_t)PLATFORM : ~(uint32_t)0;
    graze_body_set_filter(game->world, body, filter);
    graze_body_set_friction(game->world, body, wanted.direction == 0 ? 1 : 0);
    graze_body_set_velocity(game->world, body, velocity);
}

// The character may be either body of a contact; the normal points from a to b.
static void read_contact(game_state *game, const graze_contact *contact)
{
    character *hero = &game->hero;
    const bool is_a = is_same(contact->a, hero->body);
    if (!is_a && !is_same(contact->b, hero->body)) {
        return;
    }
    const graze_body_id other = is_a ? contact->b : contact->a;
    const float up = is_a ? -contact->normal.y : contact->normal.y;
    if (contact->flags & GRAZE_CONTACT_SENSOR) {
        hero->coins += graze_body_destroy(game->world, other) == GRAZE_OK;
    } else if (up > least_up) {
        hero->is_grounded = true;
        hero->ground = other;
    }
}

// If the ground slopes down from one step to the next, the character follows it instead of flying
// off. The cast leaves out its own category, or it would find itself.
static void stick_to_ground(game_state *game)
{
    const graze_body_id body = game->hero.body;
    const graze_vec2 position = graze_body_position(game->world, body);
    const graze_filter filter = {CHARACTER, SOLID | PLATFORM, 0, 0};
    graze_query_hit hit;
    graze_query_cast(game->world, shape, position, 0, (graze_vec2){0, -reach}, filter, &hit);
    if (hit.normal.y > least_up) {
        const graze_vec2 velocity = graze_body_velocity(game->world, body);
        const float into = graze_vec2_dot(velocity, hit.normal);
        graze_body_set_position(game->world, body,
                                (graze_vec2){position.x, position.y - hit.time * reach});
        graze_body_set_velocity(game->world, body,
                                graze_vec2_sub(velocity, graze_vec2_scale(hit.normal, into)));
        game->hero.is_grounded = true;
        game->hero.ground = hit.body;
    }
}

// The lift moves up with the character, and waits at the top.
static void move_lift(game_state *game)
{
    const bool goes = is_same(game->hero.ground, game->lift) &&
                      graze_body_position(game->world, game->lift).y < lift_top;
    graze_body_set_velocity(game->world, game->lift, (graze_vec2){0, goes ? lift_speed : 0});
}

static void step(game_state *game, command wanted)
{
    character *hero = &game->hero;
    move_lift(game);
    steer(game, wanted);
    const bool was_grounded = hero->is_grounded && !wanted.down;
    if (graze_world_step(game->world, step_seconds) != GRAZE_OK) {
        return; // Nothing has changed.
    }
    hero->is_grounded = false;
    hero->ground = (graze_body_id){0, 0};
    graze_contact_list contacts = graze_world_contacts(game->world);
    for (uint32_t i = 0; i < contacts.count; ++i) {
        read_contact(game, &contacts.data[i]);
    }
    if (was_grounded && !hero->is_grounded) {
        stick_to_ground(game);
    }
}

// Returns the number of steps in which the character was in the air.
static int play(game_state *game, int steps, command wanted)
{
    int in_the_air = 0;
    for (int i = 0; i < steps; ++i) {
        step(game, wanted);
        in_the_air += !game->hero.is_grounded;
        wanted.jump = false;
    }
    return in_the_air;
}

static bool arrives_at(const game_state *game, float x, float feet)
{
    const graze_vec2 at = graze_body_position(game->world, game->hero.body);
    printf("at %5.2f, feet at %5.2f, %d coins\n", (double)at.x, (double)(at.y - shape.half.y),
           game->hero.coins);
    const graze_vec2 off = {at.x - x, at.y - shape.half.y - feet};
    return graze_vec2_length(off) < 0.1f;
}

static bool ride(game_state *game)
{
    play(game, 65, (command){1, false, false});
    play(game, 150, (command){0, false, false});
    bool is_right = arrives_at(game, 32.5f, 4);
    play(game, 75, (command){1, false, false});
    return is_right && arrives_at(game, 40, 4);
}

// From a checkpoint everything happens again, to the last bit.
static bool ride_twice(game_state *game)
{
    const size_t size = graze_world_snapshot_size(game->world);
    void *checkpoint = malloc(size);
    const character hero = game->hero;
    bool is_right = checkpoint && graze_world_save(game->world, checkpoint, size) == GRAZE_OK;
    is_right = is_right && ride(game);
    const uint64_t hash = graze_world_hash(game->world);
    is_right = is_right && graze_world_load(game->world, checkpoint, size) == GRAZE_OK;
    game->hero = hero;
    is_right = is_right && ride(game) && graze_world_hash(game->world) == hash;
    free(checkpoint);
    return is_right;
}

int main(void)
{
    graze_world_def def = graze_world_def_default();
    def.gravity.y = -30;
    game_state game = {.world = graze_world_create(&def)};
    if (!game.world) {
        return 1;
    }
    build_level(game.world);
    game.lift = add_lift(game.world);
    game.hero.body = add_character(game.world);
    play(&game, 10, (command){0, false, false});
    bool is_right = play(&game, 320, (command){1, false, false}) == 0;
    is_right &= arrives_at(&game, 26, 0);
    play(&game, 60, (command){0, true, false});
    is_right &= arrives_at(&game, 26, 2);
    play(&game, 5, (command){0, false, true});
    play(&game, 60, (command){0, false, false});
    is_right &= arrives_at(&game, 26, 0);
    is_right &= ride_twice(&game) && game.hero.coins == 4;
    graze_world_destroy(game.world);
    return is_right ? 0 : 1;
}
