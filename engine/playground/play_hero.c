// A character: a rect that slides. Each step sets its velocity from the keys, and then looks for
// the ground in the contacts (engine/examples/platformer.c explains how).

#include "play_scene.h"

enum {
    GRACE = 6 ///< Steps for which a jump is still allowed after an edge, or wished before landing.
};

static const float reach = 0.25f;   ///< How far below its feet it sticks to the ground.
static const float least_up = 0.6f; ///< Of a normal's y: it cannot stand on steeper ground.

static void jump_if_wished(play *game, graze_vec2 *velocity, float jump_speed)
{
    play_hero *hero = &game->state.hero;
    const bool is_new = (game->keys & ~hero->keys & PLAY_JUMP) != 0;
    hero->steps_of_wish = is_new ? 0 : hero->steps_of_wish + 1;
    if (hero->steps_of_wish < GRACE && hero->steps_in_air < GRACE) {
        velocity->y = jump_speed;
        hero->steps_of_wish = GRACE;
        hero->steps_in_air = GRACE;
    } else if (!(game->keys & PLAY_JUMP) && hero->keys & PLAY_JUMP && velocity->y > 0) {
        velocity->y *= 0.5f; // A short press is a low jump.
    }
}

// To stand on a slope it needs friction; to walk against a wall it must have none.
void play_hero_steer(play *game, float speed, float jump_speed)
{
    play_hero *hero = &game->state.hero;
    const int direction = ((game->keys & PLAY_RIGHT) != 0) - ((game->keys & PLAY_LEFT) != 0);
    graze_vec2 velocity = graze_body_velocity(game->world, hero->body);
    const float carried = graze_body_velocity(game->world, hero->ground).x;
    hero->looks_left = direction < 0 || (direction == 0 && hero->looks_left);
    velocity.x = carried + speed * (float)direction;
    jump_if_wished(game, &velocity, jump_speed);
    graze_filter filter = graze_body_filter(game->world, hero->body);
    filter.mask = game->keys & PLAY_FALL ? ~(uint32_t)PLAY_PLATFORM : ~(uint32_t)0;
    graze_body_set_filter(game->world, hero->body, filter);
    graze_body_set_friction(game->world, hero->body, direction == 0 ? 1.0f : 0.0f);
    graze_body_set_velocity(game->world, hero->body, velocity);
}

// The hero may be either body of a contact; the normal points from a to b.
static bool read_contact(play *game, const graze_contact *contact)
{
    play_hero *hero = &game->state.hero;
    const bool is_a = graze_body_id_equal(contact->a, hero->body);
    const graze_body_id other = is_a ? contact->b : contact->a;
    const float up = is_a ? -contact->normal.y : contact->normal.y;
    if (contact->flags & GRAZE_CONTACT_SENSOR) {
        hero->coins += graze_body_destroy(game->world, other) == GRAZE_OK;
        return false;
    }
    if (up > least_up) {
        hero->ground = other;
        return true;
    }
    return false;
}

// If the ground slopes down from one step to the next, it follows instead of flying off. The cast
// leaves out its own category, or it would find itself.
static bool stick_to_ground(play *game)
{
    play_hero *hero = &game->state.hero;
    const graze_vec2 position = graze_body_position(game->world, hero->body);
    const graze_filter filter = {PLAY_HERO, PLAY_GROUND | PLAY_PLATFORM, 0, 0};
    const graze_vec2 down = {0, -reach};
    graze_query_hit hit = {0};
    graze_query_cast(game->world, graze_body_shape(game->world, hero->body), position, 0, down,
                     filter, &hit);
    if (hit.normal.y <= least_up) {
        return false;
    }
    const graze_vec2 velocity = graze_body_velocity(game->world, hero->body);
    const float into = graze_vec2_dot(velocity, hit.normal);
    const graze_vec2 lower = {position.x, position.y - hit.time * reach};
    graze_body_set_position(game->world, hero->body, lower);
    graze_body_set_velocity(game->world, hero->body,
                            graze_vec2_sub(velocity, graze_vec2_scale(hit.normal, into)));
    hero->ground = hit.body;
    return true;
}

void play_hero_follow(play *game)
{
    play_hero *hero = &game->state.hero;
    const graze_body_id none = {0, 0};
    const bool stood = hero->steps_in_air == 0 && !(game->keys & PLAY_FALL);
    bool stands = false;
    hero->ground = none;
    const graze_contact_list contacts = graze_body_contacts(game->world, hero->body);
    for (uint32_t i = 0; i < contacts.count; ++i) {
        stands |= read_contact(game, &contacts.data[i]);
    }
    stands = stands || (stood && stick_to_ground(game));
    hero->steps_in_air = stands ? 0 : hero->steps_in_air + 1;
}
