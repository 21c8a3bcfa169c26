// What the examples in the headers of Graze take for granted: things of the game.
#include <graze/graze.h>
#include <graze/grid.h>
#include <graze/segment_grid.h>
#include <graze/sweep_turn.h>

#include <stdio.h>

extern graze_world *world;
extern graze_world_def def;
extern graze_chain_id chain;
extern graze_circle ball;
extern graze_rect crate;
extern graze_segment wall;
extern graze_vec2 from, to;
extern graze_vec2 points[3];
extern graze_ray rays[1000];
extern graze_circle circles[1000];
extern graze_aabb boxes[3];
extern const uint32_t count;
extern const void *bytes;
extern size_t size;
extern FILE *file;
extern int pool;
extern graze_rotation rotation;
extern float spin, dt;
extern graze_vec2d start, delta;

bool append(const void *record, size_t length, void *user);
void *pool_allocate(size_t length, size_t alignment, void *user);
void pool_release(void *memory, size_t length, void *user);
