// Picking with the mouse: which button is under the pointer? Buttons are sensors, which stop
// nothing; of those that contain the point, the one drawn last (with the largest user_data) is on
// top.
#include <graze/graze.h>

#include <stdio.h>

enum { MAX_PICKED = 16 };

static void add_button(graze_world *world, graze_shape shape, graze_vec2 center, uint64_t layer)
{
    graze_body_def button = graze_body_def_default();
    button.shape = shape;
    button.position = center;
    button.response = GRAZE_PASS;
    button.sensor = true;
    button.user_data = layer;
    graze_body_create(world, &button);
}

// Returns the topmost layer at the point, 0 if there is none.
static uint64_t pick(const graze_world *world, graze_vec2 mouse)
{
    graze_body_id found[MAX_PICKED];
    uint32_t count = graze_query_point(world, mouse, graze_filter_default(), found, MAX_PICKED);
    uint64_t top = 0;
    for (uint32_t i = 0; i < count && i < MAX_PICKED; ++i) {
        uint64_t layer = graze_body_user_data(world, found[i]);
        top = layer > top ? layer : top;
    }
    return top;
}

int main(void)
{
    const struct {
        graze_vec2 mouse;
        uint64_t layer;
    } clicks[] = {{{50, 30}, 1}, {{115, 40}, 2}, {{160, 40}, 2}, {{160, 71}, 0}, {{-5, 30}, 0}};
    graze_world_def def = graze_world_def_default();
    graze_world *world = graze_world_create(&def);
    add_button(world, graze_shape_rect(60, 20), (graze_vec2){60, 30}, 1);
    add_button(world, graze_shape_circle(30), (graze_vec2){140, 40}, 2);
    int wrong = 0;
    for (size_t i = 0; i < sizeof clicks / sizeof *clicks; ++i) {
        uint64_t layer = pick(world, clicks[i].mouse);
        printf("a click at %g, %g finds button %d\n", (double)clicks[i].mouse.x,
               (double)clicks[i].mouse.y, (int)layer);
        wrong += layer != clicks[i].layer;
    }
    graze_world_destroy(world);
    return wrong;
}
