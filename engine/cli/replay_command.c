#include "replay_command.h"

#include "record_file.h"
#include "text_file.h"
#include "world_log.h"

#include <graze/replay.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Users of the program need not know which call of the library reports it.
static const char *skip_call(const char *message)
{
    const char *colon = strstr(message, ": ");
    return colon ? colon + 2 : message;
}

static int complain_of_failure(graze_status status, const char *path, const char *message)
{
    cli_require_memory(status != GRAZE_ERROR_OUT_OF_MEMORY);
    return cli_complain(CLI_REFUSED, "%s: %s", path, message);
}

static int play(graze_replay *replay, const char *path)
{
    graze_replay_state state = GRAZE_REPLAY_STEPPED;
    while (state == GRAZE_REPLAY_STEPPED) {
        state = graze_replay_advance(replay);
    }
    const char *message = graze_replay_message(replay);
    switch (state) {
    case GRAZE_REPLAY_ENDED:
        cli_report(stdout, "record     %s", path);
        printf("replay     %s\n", message);
        printf("hash       %016" PRIx64 "\n", graze_world_hash(graze_replay_world(replay)));
        return CLI_OK;
    case GRAZE_REPLAY_DIFFERS:
        return cli_complain(CLI_FAILED, "%s: %s", path, message);
    default:
        return complain_of_failure(graze_replay_status(replay), path, message);
    }
}

static int replay_record(const cli_text *record, const char *path)
{
    cli_world_log log = {{0}};
    graze_replay *replay;
    graze_world_def def = graze_world_def_default();
    def.log = cli_world_log_keep;
    def.log_user = &log;
    const graze_status status = graze_replay_create(&def, record->data, record->size, &replay);
    if (status != GRAZE_OK) {
        return complain_of_failure(status, path, skip_call(log.text));
    }
    const int result = play(replay, path);
    graze_replay_destroy(replay);
    return result;
}

int cli_replay(const cli_options *options)
{
    cli_text record;
    cli_error error;
    if (!cli_bytes_read(options->scene, CLI_LARGEST_RECORD, &record, &error)) {
        return cli_complain(CLI_REFUSED, "%s", error.text);
    }
    const int result = replay_record(&record, options->scene);
    free(record.data);
    return result;
}
