#include "machine.h"

#include "lanes_choice.h"

#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

/// Copies the text after the colon of the first line that begins with `key`; leaves `text` alone if
/// there is none.
static void read_processor_line(const char *key, char *text, size_t size)
{
    char line[1024];
    FILE *file = fopen("/proc/cpuinfo", "r");
    while (file && fgets(line, sizeof line, file)) {
        size_t length = strlen(key);
        const char *colon = strchr(line, ':');
        if (colon && strncmp(line, key, length) == 0 && strspn(line + length, " \t:") > 0) {
            line[strcspn(line, "\n")] = '\0';
            snprintf(text, size, "%s", colon + 1 + strspn(colon + 1, " "));
            break;
        }
    }
    if (file) {
        fclose(file);
    }
}

static void describe_processor(machine *to)
{
    char family[16] = "";
    char model[16] = "";
    char stepping[16] = "";
    snprintf(to->processor, sizeof to->processor, "unknown");
    read_processor_line("model name", to->processor, sizeof to->processor);
    read_processor_line("cpu family", family, sizeof family);
    read_processor_line("model", model, sizeof model);
    read_processor_line("stepping", stepping, sizeof stepping);
    if (family[0] != '\0') {
        snprintf(to->stepping, sizeof to->stepping, "family %s, model %s, stepping %s", family,
                 model, stepping);
    }
}

static void describe_caches(machine *to)
{
#ifdef _SC_LEVEL1_DCACHE_SIZE
    static const int names[] = {_SC_LEVEL1_DCACHE_SIZE, _SC_LEVEL2_CACHE_SIZE,
                                _SC_LEVEL3_CACHE_SIZE};
    for (int i = 0; i < 3; ++i) {
        long bytes = sysconf(names[i]);
        to->cache_kib[i] = bytes > 0 ? (uint32_t)(bytes / 1024) : 0;
    }
#endif
    to->processors = (uint32_t)sysconf(_SC_NPROCESSORS_ONLN);
}

/// The kernel's version without additions of its builder.
static void describe_system(machine *to)
{
    struct utsname name;
    if (uname(&name) == 0) {
        name.release[strspn(name.release, "0123456789.")] = '\0';
        snprintf(to->system, sizeof to->system, "%.30s %.60s %.30s", name.sysname, name.release,
                 name.machine);
    }
}

static void describe_build(machine *to)
{
#if defined __clang__
    snprintf(to->compiler, sizeof to->compiler, "clang %s", __clang_version__);
#elif defined __GNUC__
    snprintf(to->compiler, sizeof to->compiler, "gcc %s", __VERSION__);
#else
    snprintf(to->compiler, sizeof to->compiler, "unknown");
#endif
    snprintf(to->flags, sizeof to->flags, "%s", GRAZE_BENCH_FLAGS);
    snprintf(to->lanes, sizeof to->lanes, "%s", grz_lanes_name(grz_lanes_choose()));
}

machine machine_describe(const char *revision)
{
    machine described = {.processors = 0};
    time_t now = time(NULL);
    struct tm parts;
    describe_processor(&described);
    describe_caches(&described);
    describe_system(&described);
    describe_build(&described);
    snprintf(described.revision, sizeof described.revision, "%s", revision ? revision : "");
    if (gmtime_r(&now, &parts)) {
        strftime(described.date, sizeof described.date, "%Y-%m-%dT%H:%M:%SZ", &parts);
    }
    return described;
}

void machine_print(const machine *described)
{
    printf("%s (%s), %u processors, caches %u, %u and %u KiB\n%s; %s %s; lanes %s; %s\n\n",
           described->processor, described->stepping, described->processors,
           described->cache_kib[0], described->cache_kib[1], described->cache_kib[2],
           described->system, described->compiler, described->flags, described->lanes,
           described->date);
}
