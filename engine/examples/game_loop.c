// The loop of a game: steps of fixed length under frames of any length, and what a game does with
// contacts: damage, sparks, a zone that things enter and leave. A turning turret shoots drones.
#include <graze/graze.h>

#include <stdio.h>

enum { DRONES = 12, HEALTH = 3 };

/// The game's kind of a body: the low byte of its user_data. Above it is the number of a drone.
enum role { NOTHING, BULLET, DRONE };

/// Categories of filters: the zone is for drones alone.
enum { SOLID = 1, FOR_DRONES = 2 };

typedef struct drone {
    graze_body_id body;
    int health;
} drone;

typedef struct game_state {
    graze_world *world;
    graze_body_id zone;
    drone drones[DRONES];
    float unplayed;  ///< Seconds of frames not yet stepped.
    float aim;       ///< Of the turret, radians.
    int sparks;      ///< Bullets that ended at a wall.
    int in_the_zone; ///< Drones that are there now.
} game_state;

static const float step_seconds = 1.0f / 60.0f;
static const float longest_frame = 0.25f;

static void build_room(game_state *game)
{
    graze_chain_def room = graze_chain_def_default();
    room.points = (graze_vec2[]){{-20, -12}, {20, -12}, {20, 12}, {-20, 12}};
    room.count = 4;
    room.loop = true;
    graze_chain_create(game->world, &room);

    graze_body_def zone = graze_body_def_default();
    zone.shape = graze_shape_rect(5, 10);
    zone.position.x = 14;
    zone.response = GRAZE_PASS;
    zone.sensor = true;
    zone.filter.category = FOR_DRONES;
    game->zone = graze_body_create(game->world, &zone);
}

static void launch_drones(game_state *game)
{
    for (int i = 0; i < DRONES; ++i) {
        graze_body_def def = graze_body_def_default();
        def.position = (graze_vec2){(float)(i % 4) * 8 - 12, (float)(i / 4) * 8 - 8};
        def.velocity = (graze_vec2){(float)(i % 5) * 3 - 5, (float)(i % 3) * 4 - 3};
        def.response = GRAZE_BOUNCE;
        def.friction = 0;
        def.restitution = 1;
        def.user_data = DRONE | (uint64_t)i << 8;
        game->drones[i] = (drone){graze_body_create(game->world, &def), HEALTH};
    }
}

static void shoot(game_state *game)
{
    graze_rotation towards = graze_rotation_from_angle(game->aim);
    graze_body_def bullet = graze_body_def_default();
    bullet.shape = graze_shape_ray();
    bullet.velocity = (graze_vec2){300 * towards.cosine, 300 * towards.sine};
    bullet.response = GRAZE_STOP;
    bullet.hit_limit = 1;
    bullet.filter.mask = SOLID;
    bullet.user_data = BULLET;
    graze_body_create(game->world, &bullet);
    game->aim += 0.37f;
}

static enum role role_of(const game_state *game, graze_body_id body)
{
    return (enum role)(graze_body_user_data(game->world, body) & 255);
}

static bool is_same(graze_body_id one, graze_body_id other)
{
    return one.index == other.index && one.generation == other.generation;
}

// A body may be destroyed while the list of contacts is read: the list stays as it is.
static void damage(game_state *game, graze_body_id body)
{
    drone *hit = &game->drones[graze_body_user_data(game->world, body) >> 8];
    if (--hit->health == 0) {
        graze_body_destroy(game->world, body);
    }
}

// The user_data of a bullet that was spent in this step can still be read. That of a body that the
// game itself has destroyed cannot: it is NOTHING.
static void begin_contact(game_state *game, const graze_contact *contact)
{
    const enum role a = role_of(game, contact->a);
    const enum role b = role_of(game, contact->b);
    if (contact->b.generation == 0) { // Terrain.
        game->sparks += a == BULLET;  // A game draws it at contact->point.
    } else if (is_same(contact->a, game->zone) || is_same(contact->b, game->zone)) {
        ++game->in_the_zone;
    } else if (a == DRONE && b == BULLET) {
        damage(game, contact->a);
    } else if (a == BULLET && b == DRONE) {
        damage(game, contact->b);
    }
}

// The bodies of a contact that has ended may be gone: ids are only compared here.
static void end_contact(game_state *game, const graze_contact_end *end)
{
    game->in_the_zone -= is_same(end->a, game->zone) || is_same(end->b, game->zone);
}

// A step that fails, for want of memory, has changed nothing: contacts are still those of the step
// before.
static void step(game_state *game)
{
    if (graze_world_step(game->world, step_seconds) != GRAZE_OK) {
        return;
    }
    graze_contact_list contacts = graze_world_contacts(game->world);
    for (uint32_t i = 0; i < contacts.count; ++i) {
        if (contacts.data[i].phase == GRAZE_CONTACT_BEGIN) {
            begin_contact(game, &contacts.data[i]);
        }
    }
    graze_contact_end_list ends = graze_world_contact_ends(game->world);
    for (uint32_t i = 0; i < ends.count; ++i) {
        end_contact(game, &ends.data[i]);
    }
}

// Call this for each drawn frame. After a very long frame some time is dropped: catching up would
// make the next frame long, too.
static void advance(game_state *game, float frame_seconds)
{
    game->unplayed += frame_seconds < longest_frame ? frame_seconds : longest_frame;
    while (game->unplayed >= step_seconds) {
        game->unplayed -= step_seconds;
        shoot(game);
        step(game);
    }
}

int main(void)
{
    graze_world_def def = graze_world_def_default();
    game_state game = {.world = graze_world_create(&def)};
    if (!game.world) {
        return 1;
    }
    build_room(&game);
    launch_drones(&game);
    for (int frame = 0; frame < 3600; ++frame) {
        advance(&game, frame % 3 ? 1.0f / 144.0f : 1.0f / 50.0f);
    }
    step(&game); // The ends of the last contacts.
    int left = 0;
    for (int i = 0; i < DRONES; ++i) {
        left += graze_body_is_valid(game.world, game.drones[i].body);
    }
    printf("%d drones are left, %d in the zone; %d sparks\n", left, game.in_the_zone, game.sparks);
    graze_world_destroy(game.world);
    return left == 0 && game.in_the_zone == 0 && game.sparks > 0 ? 0 : 1;
}
