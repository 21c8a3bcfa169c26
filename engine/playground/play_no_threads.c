// Where there are no threads, as in WebAssembly here.

#include "play_scene.h"

void play_use_threads(play *game, uint32_t threads)
{
    (void)game;
    (void)threads;
}

void play_end_threads(play *game)
{
    (void)game;
}

void play_set_parallel(const play *game, graze_world_def *def)
{
    (void)game;
    (void)def;
}
