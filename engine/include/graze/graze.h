/// @file graze.h
/// The umbrella header: all that a game needs of Graze, the physics step for 2D games full of
/// moving things and bullets. The grids by themselves are in grid.h and segment_grid.h.
#ifndef GRAZE_GRAZE_H
#define GRAZE_GRAZE_H

#include <graze/aabb.h>
#include <graze/allocator.h>
#include <graze/body.h>
#include <graze/cast.h>
#include <graze/chain.h>
#include <graze/collide.h>
#include <graze/contact.h>
#include <graze/cross.h>
#include <graze/debug_draw.h>
#include <graze/id.h>
#include <graze/many.h>
#include <graze/orient.h>
#include <graze/overlap.h>
#include <graze/query.h>
#include <graze/record.h>
#include <graze/replay.h>
#include <graze/response.h>
#include <graze/shape.h>
#include <graze/status.h>
#include <graze/surface.h>
#include <graze/sweep.h>
#include <graze/tasks.h>
#include <graze/vec2.h>
#include <graze/version.h>
#include <graze/world.h>

#endif
