// The loop of a game: steps of fixed length under frames of any length, and what a game does with
// contacts: damage, sparks, a zone that things enter and leave. A turret that turns shoots drones.
#include <graze/graze.h>

#include <stdio.h>

enum { DRONES = 12, HEALTH = 3 };

/// What a body is to the game: the low byte of its user_data. Above it is the number of a drone.
enum role { NOTHING, BULLET, DRONE };

/// Categories of filters: the zone is for drones alone.
enum { SOLID = 1, FOR_DRONES = 2 };

typedef struct drone {
    graze_body_id body;
    int health;
} drone;

typedef struct game {
    graze_world *world;
    graze_body_id zone;
    drone drones[DRONES];
    float unplayed;  ///< Seconds of frames that are still to be stepped.
    float aim;       ///< Of the turret, radians.
    int sparks;      ///< Bullets that ended at a wall.
    int in_the_zone; ///< Drones that are there now.
} game;

static const float step_seconds = 1.0f / 60.0f;

static void build_room(game *of)
{
    graze_chain_def room = graze_chain_def_default();
    room.points = (graze_vec2[]){{-20, -12}, {20, -12}, {20, 12}, {-20, 12}};
    room.count = 4;
    room.loop = true;
    graze_chain_create(of->world, &room);

    graze_body_def zone = graze_body_def_default();
    zone.shape = graze_shape_rect(5, 10);
    zone.position.x = 14;
    zone.sensor = true;
    zone.filter.category = FOR_DRONES;
    of->zone = graze_body_create(of->world, &zone);
}

static void launch_drones(game *of)
{
    for (int i = 0; i < DRONES; ++i) {
        graze_body_def def = graze_body_def_default();
        def.position = (graze_vec2){(float)(i % 4) * 8 - 12, (float)(i / 4) * 8 - 8};
        def.velocity = (graze_vec2){(float)(i % 5) * 3 - 5, (float)(i % 3) * 4 - 3};
        def.response = GRAZE_BOUNCE;
        def.restitution = 1;
        def.user_data = DRONE | (uint64_t)i << 8;
        of->drones[i] = (drone){graze_body_create(of->world, &def), HEALTH};
    }
}

static void shoot(game *of)
{
    graze_rotation towards = graze_rotation_from_angle(of->aim);
    graze_body_def bullet = graze_body_def_default();
    bullet.shape = graze_shape_ray();
    bullet.velocity = (graze_vec2){300 * towards.cosine, 300 * towards.sine};
    bullet.response = GRAZE_STOP;
    bullet.hit_limit = 1;
    bullet.filter.mask = SOLID;
    bullet.user_data = BULLET;
    graze_body_create(of->world, &bullet);
    of->aim += 0.37f;
}

static enum role role_of(const game *of, graze_body_id body)
{
    return (enum role)(graze_body_user_data(of->world, body) & 255);
}

static bool is_same(graze_body_id one, graze_body_id other)
{
    return one.index == other.index && one.generation == other.generation;
}

// A body may be destroyed while the list of contacts is read: the list stays as it is.
static void damage(game *of, graze_body_id body)
{
    drone *hit = &of->drones[graze_body_user_data(of->world, body) >> 8];
    if (--hit->health == 0) {
        graze_body_destroy(of->world, body);
    }
}

// A bullet that was spent in this step can still be asked for its user_data. What the game itself
// has destroyed cannot: it is NOTHING.
static void begin_contact(game *of, const graze_contact *contact)
{
    const enum role a = role_of(of, contact->a);
    const enum role b = role_of(of, contact->b);
    if (contact->b.generation == 0) { // Terrain.
        of->sparks += a == BULLET;    // To be drawn at contact->point.
    } else if (is_same(contact->a, of->zone) || is_same(contact->b, of->zone)) {
        ++of->in_the_zone;
    } else if (a == DRONE && b == BULLET) {
        damage(of, contact->a);
    } else if (a == BULLET && b == DRONE) {
        damage(of, contact->b);
    }
}

// What has ended may be gone: ids are compared, and nothing is asked of them.
static void end_contact(game *of, const graze_contact_end *end)
{
    of->in_the_zone -= is_same(end->a, of->zone) || is_same(end->b, of->zone);
}

static void step(game *of)
{
    graze_world_step(of->world, step_seconds);
    graze_contact_list contacts = graze_world_contacts(of->world);
    for (uint32_t i = 0; i < contacts.count; ++i) {
        if (contacts.data[i].phase == GRAZE_CONTACT_BEGIN) {
            begin_contact(of, &contacts.data[i]);
        }
    }
    graze_contact_end_list ends = graze_world_contact_ends(of->world);
    for (uint32_t i = 0; i < ends.count; ++i) {
        end_contact(of, &ends.data[i]);
    }
}

// What the game calls for each frame that it draws.
static void advance(game *of, float frame_seconds)
{
    of->unplayed += frame_seconds;
    while (of->unplayed >= step_seconds) {
        of->unplayed -= step_seconds;
        shoot(of);
        step(of);
    }
}

int main(void)
{
    graze_world_def def = graze_world_def_default();
    game played = {.world = graze_world_create(&def)};
    build_room(&played);
    launch_drones(&played);
    for (int frame = 0; frame < 3600; ++frame) {
        advance(&played, frame % 3 ? 1.0f / 144.0f : 1.0f / 50.0f);
    }
    step(&played); // The ends of the last contacts.
    int left = 0;
    for (int i = 0; i < DRONES; ++i) {
        left += graze_body_is_valid(played.world, played.drones[i].body);
    }
    printf("%d drones are left, %d in the zone; %d sparks\n", left, played.in_the_zone,
           played.sparks);
    graze_world_destroy(played.world);
    return left == 0 && played.in_the_zone == 0 && played.sparks > 0 ? 0 : 1;
}
