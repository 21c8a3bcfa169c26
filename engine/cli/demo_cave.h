/// @file demo_cave.h
/// The demo's terrain: a closed cave with islands and open spots for emitters, from a seed.
#ifndef CLI_DEMO_CAVE_H
#define CLI_DEMO_CAVE_H

#include "scene.h"

#include <graze/vec2.h>

#include <stdbool.h>
#include <stdint.h>

enum { CLI_EMITTER_COUNT = 6 };

/// Random numbers: equal seeds give equal sequences, on every machine.
///
/// Source     SplitMix64: G. L. Steele, D. Lea, C. H. Flood 2014, "Fast Splittable Pseudorandom
///            Number Generators".
typedef struct cli_random {
    uint64_t state;
} cli_random;

/// Returns a float in [low, high).
float cli_random_float(cli_random *random, float low, float high);

/// Returns an integer in [0, count).
uint32_t cli_random_below(cli_random *random, uint32_t count);

/// Where the emitters stand, in the cave's units.
extern const graze_vec2 cli_emitter_places[CLI_EMITTER_COUNT];

/// Makes the cave of an empty scene: 160 x 90 units, chain 0 is the outer wall, the rest islands.
void cli_cave_build(cli_scene *scene, cli_random *random);

/// Returns whether a circle lies in the open, as far as eight points on it can tell.
bool cli_cave_has_room(const cli_scene *scene, graze_vec2 center, float radius);

#endif
