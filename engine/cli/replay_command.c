#include "replay_command.h"

#include "progress.h"
#include "record.h"
#include "world_log.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static graze_world *make_world(cli_world_log *log)
{
    graze_world_def def = graze_world_def_default();
    def.log = cli_world_log_keep;
    def.log_user = log;
    graze_world *world = graze_world_create(&def);
    cli_require_memory(world);
    return world;
}

static int complain_of_step(const graze_world *world, const char *path, uint32_t step,
                            cli_comparison found)
{
    if (!found.has_body) {
        return cli_complain(CLI_FAILED,
                            "%s: step %" PRIu32 " differs, the first; no body does, so terrain or "
                            "what met does",
                            path, step);
    }
    graze_body_id body = graze_world_body_at(world, found.body);
    if (body.generation == 0) {
        return cli_complain(CLI_FAILED,
                            "%s: step %" PRIu32 " differs, the first, in body %" PRIu32
                            " and perhaps later ones: now it is gone",
                            path, step, found.body);
    }
    graze_vec2 at = graze_body_position(world, body);
    return cli_complain(CLI_FAILED,
                        "%s: step %" PRIu32 " differs, the first, in body %" PRIu32
                        " and perhaps later ones: now it is at (%.9g, %.9g)",
                        path, step, found.body, (double)at.x, (double)at.y);
}

static int replay_step(graze_world *world, const cli_record *record, const char *path,
                       uint32_t step)
{
    graze_status status = graze_world_step(world, record->plan.dt);
    if (status != GRAZE_OK) {
        return cli_complain(CLI_FAILED, "%s: step %" PRIu32 ": %s", path, step,
                            graze_status_text(status));
    }
    cli_comparison found = cli_record_compare(record, world, step);
    return found.same ? CLI_OK : complain_of_step(world, path, step, found);
}

static int replay_steps(graze_world *world, const cli_record *record, const char *path)
{
    uint32_t steps = record->plan.steps;
    cli_progress progress = cli_progress_start(steps);
    int status = CLI_OK;
    for (uint32_t step = 1; status == CLI_OK && step <= steps; ++step) {
        status = replay_step(world, record, path, step);
        cli_progress_update(&progress, step);
    }
    cli_progress_end(&progress);
    if (status == CLI_OK) {
        printf("record     %s\n", path);
        printf("steps      %" PRIu32 " of %.6g s, all the same\n", steps, (double)record->plan.dt);
        printf("hash       %016" PRIx64 "\n", graze_world_hash(world));
    }
    return status;
}

int cli_replay(const cli_options *options)
{
    const char *path = options->scene;
    cli_record record;
    cli_error error;
    if (!cli_record_read(&record, path, &error)) {
        return cli_complain(CLI_REFUSED, "%s", error.text);
    }
    cli_world_log log = {{0}};
    graze_world *world = make_world(&log);
    graze_status loaded = graze_world_load(world, record.snapshot, record.snapshot_size);
    cli_require_memory(loaded != GRAZE_ERROR_OUT_OF_MEMORY);
    int status = loaded == GRAZE_OK ? replay_steps(world, &record, path)
                                    : cli_complain(CLI_REFUSED, "%s: %s", path, log.text);
    graze_world_destroy(world);
    free(record.data);
    return status;
}
