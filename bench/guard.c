// graze_guard: counts the instructions of fixed scenes, and compares them with those kept in a
// file.
//
// Counts do not depend on what else a machine does, so 3 % are seen where times differ by 30 % from
// run to run. They do not show everything: mispredicted branches and cache misses cost nothing
// here.
//
// Spans      For steps that workers share, the instructions of the busiest ones (span.h). The gain
//            beside them is how much faster they are than one worker alone, without a callback: the
//            line before. Clocks cannot measure that if processors share a core, or a machine has
//            other work.
// Repeats    Exactly: seeds are fixed, callgrind gives the same addresses each time, and the
//            program gets an environment of its own (its size moves the stack). glibc chooses its
//            copying functions by the processor: it is told to use those of every x86-64, so that
//            counts are equal on all machines.
// Compilers  Each generates different code: counts belong to one compiler of one version, at -O3.
//            Without counts for the present one nothing is checked.
// Faster     Fails like slower: a gain that is not recorded could be lost by the next change
//            without notice.

#include "guard_scenes.h"
#include "instructions.h"
#include "span.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define TOLERANCE 0.03 ///< Share of the kept count.

#define PLAIN_COPIES                                                                               \
    "GLIBC_TUNABLES=glibc.cpu.hwcaps=-AVX2,-AVX,-AVX512F,-AVX512VL,-ERMS,-FSRM,-SSSE3,-SSE4_2,-"   \
    "AVX_Fast_Unaligned_Load"

enum { FAILED = 1, BAD_USE = 2, SKIPPED = 0, CALLGRIND_LINE = 256 };

static const char *const lane_sets[] = {"sse2", "avx2"};

enum { LANES = sizeof lane_sets / sizeof lane_sets[0] };

static const char help[] =
    "graze_guard: how many instructions fixed scenes take, against those kept in a file\n"
    "\n"
    "Usage: graze_guard [--accept] FILE    compare, or write the file anew\n"
    "       graze_guard --run SCENE        only run one of them\n";

static const char *compiler_name(void)
{
#if defined __clang__
    return "clang-" __clang_version__;
#elif defined __GNUC__
    return "gcc-" __VERSION__;
#else
    return "unknown";
#endif
}

/// Its first word: versions may say more.
static void write_compiler(char *name, size_t size)
{
    snprintf(name, size, "%s", compiler_name());
    name[strcspn(name, " ")] = '\0';
}

static bool machine_has(const char *lanes)
{
#if defined __x86_64__
    return strcmp(lanes, "avx2") != 0 || __builtin_cpu_supports("avx2");
#else
    (void)lanes;
    return false;
#endif
}

/// Returns why counts cannot be compared here, null if they can.
static const char *find_hindrance(void)
{
#if !defined __x86_64__
    return "counts are kept for x86-64";
#endif
    if (strcmp(GRAZE_BENCH_FLAGS, "-O3 -DNDEBUG") != 0) {
        return "counts are kept for -O3 -DNDEBUG, this is built with " GRAZE_BENCH_FLAGS;
    }
    if (system("valgrind --version >/dev/null 2>&1") != 0) {
        return "there is no valgrind here";
    }
    return NULL;
}

// --- running a scene under callgrind ---

/// A callgrind that counts one scene with one set of lanes.
typedef struct counting {
    pid_t process;
    FILE *said;
    FILE *dumps; ///< For a span; else null.
} counting;

// callgrind writes into a file without a name, which it opens by the descriptor of this process.
static void name_dumps(FILE *dumps, pid_t owner, char *option, size_t size)
{
    if (dumps) {
        snprintf(option, size, "--callgrind-out-file=/proc/%d/fd/%d", (int)owner, fileno(dumps));
    } else {
        snprintf(option, size, "--callgrind-out-file=/dev/null");
    }
}

static _Noreturn void become_callgrind(const char *scene, const char *lanes, const char *out)
{
    char self[4096];
    char wish[64];
    char path[4096];
    const char *paths = getenv("PATH");
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    if (length < 0) {
        _exit(127);
    }
    self[length] = '\0';
    snprintf(wish, sizeof wish, "GRAZE_LANES=%s", lanes);
    snprintf(path, sizeof path, "PATH=%s", paths ? paths : "/usr/bin:/bin");
    execlp("env", "env", "-i", wish, path, PLAIN_COPIES, "valgrind", "--tool=callgrind", out,
           "--combine-dumps=yes", "--dump-line=no", "--dump-before=" GUARD_TASK,
           "--dump-before=" GUARD_END, "--toggle-collect=" GUARD_MEASURED, self, "--run", scene,
           (char *)NULL);
    _exit(127);
}

static void require(bool condition, const char *what)
{
    if (!condition) {
        perror(what);
        exit(FAILED);
    }
}

static counting start_counting(const guard_scene *scene, const char *lanes)
{
    char out[64];
    int ends[2];
    counting begun = {.dumps = scene->workers > 1 ? tmpfile() : NULL};
    require(scene->workers <= 1 || begun.dumps, "graze_guard: tmpfile");
    require(pipe(ends) == 0, "graze_guard: pipe");
    name_dumps(begun.dumps, getpid(), out, sizeof out);
    begun.process = fork();
    require(begun.process >= 0, "graze_guard: fork");
    if (begun.process == 0) {
        dup2(ends[1], STDERR_FILENO);
        close(ends[0]);
        close(ends[1]);
        become_callgrind(scene->name, lanes, out);
    }
    close(ends[1]);
    begun.said = fdopen(ends[0], "r");
    if (!begun.said) {
        perror("graze_guard: fdopen");
        exit(FAILED);
    }
    return begun;
}

static uint64_t read_span(FILE *dumps, uint32_t workers)
{
    rewind(dumps);
    const uint64_t length = span_read(dumps, GUARD_TASK, GUARD_END, workers);
    fclose(dumps);
    return length;
}

/// Returns the count, or the span; 0 if there is none, after printing callgrind's last line.
static uint64_t finish_counting(counting *begun, const guard_scene *scene)
{
    char line[CALLGRIND_LINE];
    char last[CALLGRIND_LINE] = "";
    uint64_t count = 0;
    while (fgets(line, sizeof line, begun->said)) {
        const char *found = strstr(line, "Collected : ");
        if (found) {
            count = strtoull(found + strlen("Collected : "), NULL, 10);
        }
        if (!strstr(line, "==\n")) {
            snprintf(last, sizeof last, "%s", line);
        }
    }
    fclose(begun->said);
    int status = 0;
    waitpid(begun->process, &status, 0);
    count = begun->dumps ? read_span(begun->dumps, scene->workers) : count;
    if (status != 0 || count == 0) {
        fprintf(stderr, "graze_guard: callgrind failed: %s\n", last);
        return 0;
    }
    return count;
}

// --- comparing ---

typedef struct comparison {
    instructions_file kept, now;
    char compiler[INSTRUCTIONS_NAME_CAPACITY];
    uint32_t scenes, far, unknown, failed;
} comparison;

static void print_heading(const comparison *made)
{
    printf("Instructions of fixed scenes, %s, by callgrind\n\n"
           "%-34s %-6s %12s %12s %9s %5s %9s\n",
           made->compiler, "", "lanes", "kept", "now", "an item", "gain", "change");
}

/// How many times shorter a span is than the work of one worker alone.
static void write_gain(const comparison *made, const guard_scene *scene,
                       const instructions_line *now, char *text, size_t size)
{
    const instructions_line *alone =
        scene->workers > 1
            ? instructions_find(&made->now, made->compiler, now->lanes, scene[-1].name)
            : NULL;
    *text = '\0';
    if (alone && now->count > 0) {
        snprintf(text, size, "%.2fx", (double)alone->count / (double)now->count);
    }
}

static void judge(comparison *made, const instructions_line *now, const guard_scene *scene)
{
    const instructions_line *kept =
        instructions_find(&made->kept, made->compiler, now->lanes, now->scene);
    const double items = (double)scene->items * scene->rounds;
    char before[24] = "-", gain[16], change[24] = "";
    bool far = false;
    if (kept) {
        const double share = (double)now->count / (double)kept->count - 1.0;
        far = fabs(share) > TOLERANCE;
        snprintf(before, sizeof before, "%" PRIu64, kept->count);
        snprintf(change, sizeof change, "%+.2f%%", share * 100.0);
    }
    write_gain(made, scene, now, gain, sizeof gain);
    made->unknown += kept == NULL;
    made->far += far;
    printf("%-34s %-6s %12s %12" PRIu64 " %9.1f %5s %9s%s\n", now->scene, now->lanes, before,
           now->count, (double)now->count / items, gain, change, far ? "  TOO FAR" : "");
}

static void add_count(comparison *made, const guard_scene *scene, const char *lanes, uint64_t count)
{
    instructions_line line = {.count = count};
    snprintf(line.compiler, sizeof line.compiler, "%s", made->compiler);
    snprintf(line.lanes, sizeof line.lanes, "%s", lanes);
    snprintf(line.scene, sizeof line.scene, "%s", scene->name);
    made->failed += count == 0;
    instructions_add(&made->now, &line);
    judge(made, &line, scene);
    fflush(stdout);
}

/// All lanes at a time: as many as a small machine has processors.
static void count_scene(comparison *made, const guard_scene *scene)
{
    counting begun[LANES];
    for (uint32_t i = 0; i < LANES; ++i) {
        if (machine_has(lane_sets[i])) {
            begun[i] = start_counting(scene, lane_sets[i]);
        }
    }
    for (uint32_t i = 0; i < LANES; ++i) {
        if (machine_has(lane_sets[i])) {
            add_count(made, scene, lane_sets[i], finish_counting(&begun[i], scene));
        }
    }
    ++made->scenes;
}

static bool accept_counts(comparison *made, const char *path)
{
    for (uint32_t i = 0; i < LANES; ++i) {
        if (machine_has(lane_sets[i])) {
            instructions_remove(&made->kept, made->compiler, lane_sets[i]);
        }
    }
    for (uint32_t i = 0; i < made->now.line_count; ++i) {
        instructions_add(&made->kept, &made->now.lines[i]);
    }
    bool written = instructions_write(&made->kept, path);
    if (written) {
        printf("\nWritten to %s\n", path);
    }
    return written;
}

static bool say_verdict(const comparison *made)
{
    if (made->far + made->unknown == 0) {
        printf("\nAll within %.0f %% of what is kept\n", TOLERANCE * 100.0);
        return true;
    }
    printf("\n%u of %u more than %.0f %% away from what is kept, %u not kept. Slower: find out "
           "why. Faster,\nor meant: write it down by ./dev guard --accept, so that it cannot be "
           "lost again unseen.\n",
           made->far, made->now.line_count, TOLERANCE * 100.0, made->unknown);
    return false;
}

static bool compare(comparison *made, const char *path, bool accept)
{
    print_heading(made);
    for (uint32_t i = 0; i < LANES; ++i) {
        if (!machine_has(lane_sets[i])) {
            printf("Skipped: this processor has no %s\n", lane_sets[i]);
        }
    }
    for (const guard_scene *scene = guard_scenes; scene->name; ++scene) {
        count_scene(made, scene);
    }
    if (made->failed > 0) {
        return false;
    }
    return accept ? accept_counts(made, path) : say_verdict(made);
}

static int guard(const char *path, bool accept)
{
    comparison made = {.scenes = 0};
    const char *hindrance = find_hindrance();
    write_compiler(made.compiler, sizeof made.compiler);
    if (hindrance) {
        printf("Guard: skipped: %s\n", hindrance);
        return SKIPPED;
    }
    if (!instructions_read(&made.kept, path)) {
        return BAD_USE;
    }
    if (!accept && !instructions_know(&made.kept, made.compiler)) {
        printf("Guard: skipped: %s has no counts for %s (./dev guard --accept adds them)\n", path,
               made.compiler);
        return SKIPPED;
    }
    bool right = compare(&made, path, accept);
    instructions_free(&made.kept);
    instructions_free(&made.now);
    return right ? 0 : FAILED;
}

// --- entry ---

// In this file, so that it is not inlined into scenes: it needs a first instruction.
void guard_measured(void (*work)(void *context), void *context)
{
    work(context);
}

void guard_run_task(void (*task)(void *context, uint32_t index), void *context, uint32_t index)
{
    task(context, index);
}

void guard_end_tasks(void)
{
}

static int run_scene(const char *name)
{
    for (const guard_scene *scene = guard_scenes; scene->name; ++scene) {
        if (strcmp(scene->name, name) == 0) {
            scene->run(scene);
            return 0;
        }
    }
    fprintf(stderr, "graze_guard: no scene is called '%s'\n", name);
    return BAD_USE;
}

int main(int argument_count, char **arguments)
{
    if (argument_count == 3 && strcmp(arguments[1], "--run") == 0) {
        return run_scene(arguments[2]);
    }
    bool accept = argument_count == 3 && strcmp(arguments[1], "--accept") == 0;
    if (argument_count != 2 + accept || arguments[1 + accept][0] == '-') {
        fputs(help, stderr);
        return BAD_USE;
    }
    return guard(arguments[1 + accept], accept);
}
