// Threads of POSIX, by the pool of the examples.

#include "play_scene.h"

#include "worker_pool.h"

void play_use_threads(play *game, uint32_t threads)
{
    game->pool = threads > 1 ? worker_pool_create(threads) : NULL;
}

void play_end_threads(play *game)
{
    worker_pool_destroy(game->pool);
    game->pool = NULL;
}

void play_set_parallel(const play *game, graze_world_def *def)
{
    if (game->pool) {
        def->parallel = worker_pool_run;
        def->parallel_user = game->pool;
    }
}
