// The calls that lead from the library back into JavaScript. JavaScript's functions have no address
// in C, so these are imports, which the library gets as its callbacks. `user` is the number of a
// world. In wasm32 a struct is passed by its address.
#include "graze.h"

#define FROM_JS(name) __attribute__((import_module("graze"), import_name(#name)))

FROM_JS(log) extern void js_log(graze_status status, const char *message, void *user);
FROM_JS(filter)
extern bool js_filter(const graze_world *world, graze_body_id a, graze_body_id b,
                      graze_segment_id segment, void *user);
FROM_JS(write) extern bool js_write(const void *bytes, size_t size, void *user);
FROM_JS(segment) extern void js_segment(graze_segment segment, graze_segment_id id, void *user);
FROM_JS(circle) extern void js_circle(graze_circle circle, graze_body_id body, void *user);
FROM_JS(rect) extern void js_rect(graze_rect rect, graze_body_id body, void *user);
FROM_JS(ray) extern void js_ray(graze_ray ray, graze_body_id body, void *user);
FROM_JS(contact) extern void js_contact(const graze_contact *contact, void *user);

graze_world *graze_js_world_create(graze_world_def *def, bool has_filter, void *user);
graze_status graze_js_record_start(graze_world *world, bool names_bodies, void *user);
void graze_js_debug_draw(const graze_world *world, void *user);
graze_status graze_js_replay_create(const void *bytes, size_t size, void *user,
                                    graze_replay **replay);

graze_world *graze_js_world_create(graze_world_def *def, bool has_filter, void *user)
{
    def->log = js_log;
    def->log_user = user;
    def->filter = has_filter ? js_filter : NULL;
    def->filter_user = user;
    return graze_world_create(def);
}

graze_status graze_js_record_start(graze_world *world, bool names_bodies, void *user)
{
    graze_record_def def = graze_record_def_default();
    def.write = js_write;
    def.write_user = user;
    def.names_bodies = names_bodies;
    return graze_record_start(world, &def);
}

void graze_js_debug_draw(const graze_world *world, void *user)
{
    const graze_painter painter = {.segment = js_segment,
                                   .circle = js_circle,
                                   .rect = js_rect,
                                   .ray = js_ray,
                                   .contact = js_contact,
                                   .user = user};
    graze_debug_draw(world, &painter);
}

graze_status graze_js_replay_create(const void *bytes, size_t size, void *user,
                                    graze_replay **replay)
{
    graze_world_def def = graze_world_def_default();
    def.log = js_log;
    def.log_user = user;
    return graze_replay_create(&def, bytes, size, replay);
}
