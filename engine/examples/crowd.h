/// @file crowd.h
/// For both examples of threads: a crowd of bouncing discs, and bullets, in a box.
#ifndef GRAZE_EXAMPLES_CROWD_H
#define GRAZE_EXAMPLES_CROWD_H

#include <graze/world.h>

/// Runs the crowd for a third of a second in a world made from `def`, and returns the hash of its
/// state; 0 if the world could not be made.
uint64_t crowd_run(const graze_world_def *def);

#endif
