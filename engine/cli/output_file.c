#define _POSIX_C_SOURCE 200809L

#include "output_file.h"

#include <errno.h>
#include <signal.h>
#include <string.h>

#ifdef _WIN32
static bool is_pipe_or_device(const char *path)
{
    (void)path;
    return false;
}

static bool is_plain_file(const char *path)
{
    (void)path;
    return true;
}

static bool is_there(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (file) {
        fclose(file);
    }
    return file || errno != ENOENT;
}

static unsigned long process_number(void)
{
    return 0;
}

static void remove_name(const char *path)
{
    remove(path);
}
#else
#include <sys/stat.h>
#include <unistd.h>

// Opening a pipe would wait for its writer.
static bool is_there(const char *path)
{
    struct stat status;
    return lstat(path, &status) == 0 || errno != ENOENT;
}

static unsigned long process_number(void)
{
    return (unsigned long)getpid();
}

static void remove_name(const char *path)
{
    (void)unlink(path);
}

static bool is_pipe_or_device(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
}

static bool is_plain_file(const char *path)
{
    struct stat status;
    return lstat(path, &status) == 0 && S_ISREG(status.st_mode);
}
#endif

static bool try_mode(const char *path, const char *mode)
{
    FILE *file = fopen(path, mode);
    if (file) {
        fclose(file);
    }
    return file;
}

bool cli_output_check(const char *path, cli_error *error)
{
    if (!path || cli_is_standard_stream(path) || is_pipe_or_device(path)) {
        return true;
    }
    if (try_mode(path, "wbx")) {
        remove(path);
        return true;
    }
    return try_mode(path, "ab") ||
           cli_fail(error, "%s: cannot be written: %s", path, strerror(errno));
}

void cli_output_discard(const char *path)
{
    if (is_plain_file(path)) {
        remove(path);
    }
}

// What an interruption removes; read by a signal's handler.
static char interrupted_part[CLI_LONGEST_PART];
static volatile sig_atomic_t is_interruptible;

static void handle_interruption(int number)
{
    if (is_interruptible) {
        remove_name(interrupted_part);
    }
    signal(number, SIG_DFL);
    raise(number);
}

// One that is ignored stays so: nohup.
static void catch_signal(int number)
{
    if (signal(number, handle_interruption) == SIG_IGN) {
        signal(number, SIG_IGN);
    }
}

static void catch_interruptions(const char *part)
{
    is_interruptible = 0;
    memcpy(interrupted_part, part, strlen(part) + 1);
    is_interruptible = 1;
    catch_signal(SIGINT);
    catch_signal(SIGTERM);
#ifdef SIGHUP
    catch_signal(SIGHUP);
#endif
}

bool cli_output_open(cli_output *output, const char *path, cli_error *error)
{
    output->path = path;
    output->file = NULL;
    const int length =
        snprintf(output->part, sizeof output->part, "%s.part-%lu", path, process_number());
    const bool fits = length > 0 && length < (int)sizeof output->part;
    if (fits && (is_plain_file(path) || !is_there(path))) {
        output->file = fopen(output->part, "wbx");
    }
    if (output->file) {
        catch_interruptions(output->part);
        return true;
    }
    output->part[0] = 0;
    output->file = fopen(path, "w");
    return output->file || cli_fail(error, "%s: cannot be written: %s", path, strerror(errno));
}

bool cli_output_close(cli_output *output, bool is_whole)
{
    bool done = fclose(output->file) == 0;
    output->file = NULL;
    if (output->part[0] && done && is_whole) {
        done = rename(output->part, output->path) == 0;
    }
    if (!done || !is_whole) {
        const int reason = errno;
        cli_output_discard(output->part[0] ? output->part : output->path);
        errno = reason;
    }
    is_interruptible = 0;
    return done;
}
