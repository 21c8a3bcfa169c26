/// @file demo_scene.h
/// `graze demo --scene NAME`: a scene of rigid bodies, played and drawn.
#ifndef CLI_DEMO_SCENE_H
#define CLI_DEMO_SCENE_H

#include "options.h"

#include <stdbool.h>

/// The names that --scene takes, as in a sentence.
#define CLI_DEMO_SCENES "pit, pyramid, flippers or cave"

/// Returns whether --scene takes this name.
bool cli_demo_has_scene(const char *name);

/// Plays the scene that the options name, prints a report, and writes its picture. Returns the
/// program's exit status.
int cli_demo_scene_play(const cli_options *options);

#endif
