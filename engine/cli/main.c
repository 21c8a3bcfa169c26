// The `graze` program: one command of the command line.
#define _POSIX_C_SOURCE 200809L

#include "demo_command.h"
#include "help_text.h"
#include "map_command.h"
#include "options.h"
#include "replay_command.h"
#include "run_command.h"

#include <graze/version.h>

#include <stdio.h>

#ifdef _WIN32
static void hold_standard_files(void)
{
}
#else
#include <fcntl.h>
#include <unistd.h>

// If standard output is closed the first file to be opened would be in its place, and what is
// printed would go there. So something that cannot be written to is put there.
static void hold_standard_files(void)
{
    int file;
    do {
        file = open("/dev/null", O_RDONLY);
    } while (file >= 0 && file <= STDERR_FILENO);
    (void)close(file);
}
#endif

static int run_command(const cli_options *options)
{
    switch (options->command) {
    case CLI_COMMAND_HELP:
        cli_help_print(options->help_topic, stdout);
        return CLI_OK;
    case CLI_COMMAND_VERSION:
        printf("graze %s\n", graze_version_text());
        return CLI_OK;
    case CLI_COMMAND_RUN:
        return cli_run(options);
    case CLI_COMMAND_REPLAY:
        return cli_replay(options);
    case CLI_COMMAND_MAP:
        return cli_map(options);
    case CLI_COMMAND_DEMO:
        return cli_demo(options);
    }
    return CLI_FAILED;
}

int main(int count, char **words)
{
    cli_options options;
    cli_error error;
    hold_standard_files();
    if (!cli_options_read(&options, count, words, &error)) {
        return cli_complain(CLI_REFUSED, "%s", error.text);
    }
    int status = run_command(&options);
    if (fflush(stdout) != 0 && status == CLI_OK) {
        return cli_complain(CLI_FAILED, "the report could not be written");
    }
    return status;
}
