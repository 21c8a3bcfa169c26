#include "families.h"

#include "body_defs.h"
#include "play.h"

#include <graze/shape.h>

#include <stdlib.h>

// Bullets in hard chains: sent to land on walls, at their ends, and a rounding step beside them,
// and sent on from there.

enum { BULLETS = 24 };

// Mostly rays; also shapes so small that their formulas have nothing but rounding to go by.
static graze_shape pick_shape(soak_case *test, const ground *place)
{
    static const float shares[] = {0x1p-4f, 0x1p-12f, 0x1p-20f, 0x1p-30f};
    const float size = place->unit * shares[soak_pick(test, 4)];
    switch (soak_pick(test, 6)) {
    case 3:
        return graze_shape_circle(0);
    case 4:
        return graze_shape_circle(size);
    case 5:
        return graze_shape_rect(size, size);
    default:
        return graze_shape_ray();
    }
}

static graze_response pick_response(soak_case *test)
{
    static const graze_response responses[] = {GRAZE_STOP, GRAZE_STOP, GRAZE_BOUNCE, GRAZE_SLIDE,
                                               GRAZE_RIGID};
    return responses[soak_pick(test, 5)];
}

// They never meet each other.
static graze_body_def pick_bullet(soak_case *test, const ground *place, const hard_loop *loop)
{
    static const float restitutions[] = {1, 0, 0.5f};
    graze_body_def def = test_body_def();
    def.shape = pick_shape(test, place);
    def.response = pick_response(test);
    def.filter.group = -1;
    def.restitution = restitutions[soak_pick(test, 3)];
    def.hit_limit = soak_chance(test, 16) ? 1 + soak_pick(test, 4) : 0;
    def.position = ground_point(test, place);
    def.position = hard_loop_aim(test, place, loop, def.position);
    return def;
}

static play_event pick_event(soak_case *test, const ground *place, const hard_loop *loop,
                             const play_event *last)
{
    static const float factors[] = {1, 2, 0.5f, 1.5f};
    play_event event = {.step = last->step, .factor = 1};
    event.step += soak_pick(test, 4) ? 1 : 0;
    event.action = soak_chance(test, 4) ? PLAY_AGAIN : PLAY_AIM;
    event.target = hard_loop_aim(test, place, loop, last->target);
    event.factor = factors[soak_pick(test, 4)];
    return event;
}

static void add_bullet(soak_case *test, const ground *place, play *plan)
{
    const hard_loop *loop = &plan->loops[soak_pick(test, plan->loop_count)].loop;
    const graze_body_def def = pick_bullet(test, place, loop);
    play_event event = {.target = def.position};
    play_add_body(plan, &def);
    while (event.step < plan->step_count && soak_more(test, 20)) {
        event = pick_event(test, place, loop, &event);
        play_add_event(plan, &event);
    }
}

void soak_run_landing(soak_case *test)
{
    play *plan = play_create(24);
    const ground place = ground_pick(test);
    plan->slow_steps = soak_chance(test, 4) ? UINT64_MAX : 0;
    do {
        play_loop *one = &plan->loops[plan->loop_count++];
        hard_loop_pick(test, &place, &one->loop);
        one->end_step = PLAY_STEPS;
    } while (plan->loop_count < 3 && soak_more(test, 1));
    do {
        add_bullet(test, &place, plan);
    } while (plan->body_count < BULLETS && soak_more(test, 30));
    play_run(test, plan);
    free(plan);
}
