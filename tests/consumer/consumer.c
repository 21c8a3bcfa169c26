/* A small game: a bullet flies at a ball and is spent. */
#include <graze/graze.h>

#include <stdio.h>

static graze_body_id add_ball(graze_world *world)
{
    graze_body_def ball = graze_body_def_default();
    ball.shape = graze_shape_circle(1.0f);
    ball.position.x = 5.0f;
    ball.response = GRAZE_PASS;
    return graze_body_create(world, &ball);
}

static graze_body_id add_bullet(graze_world *world)
{
    graze_body_def bullet = graze_body_def_default();
    bullet.shape = graze_shape_ray();
    bullet.velocity.x = 100.0f;
    bullet.response = GRAZE_STOP;
    bullet.hit_limit = 1;
    return graze_body_create(world, &bullet);
}

int main(void)
{
    graze_world_def def = graze_world_def_default();
    graze_world *world = graze_world_create(&def);
    graze_body_id ball = add_ball(world);
    graze_body_id bullet = add_bullet(world);
    graze_status status = graze_world_step(world, 0.1f);
    graze_contact_list contacts = graze_world_contacts(world);
    int expected = status == GRAZE_OK && contacts.count == 1 && graze_body_is_valid(world, ball) &&
                   !graze_body_is_valid(world, bullet);
    printf("Graze %s: %s, %u contact\n", graze_version_text(), graze_status_text(status),
           (unsigned)contacts.count);
    graze_world_destroy(world);
    return expected ? 0 : 1;
}
