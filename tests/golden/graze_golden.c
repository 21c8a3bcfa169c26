#include "golden_scenes.h"
#include "lanes_check.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef __wasm__
#include "worker_pool.h"
#endif

static const char help[] =
    "graze_golden [OPTION...] [SCENE] runs all golden scenes, or one. Prints of each the name,\n"
    "the hash, and the hash of its snapshots' bytes.\n"
    "  --short        with a tenth of the steps\n"
    "  --threads N    in worlds with N threads\n"
    "  --save FOLDER  write a snapshot from the middle of each run there\n"
    "  --load FOLDER  go on from the snapshots there in the middle of each run\n"
    "  --trace N      print the hash after every N steps, too: see where two machines part\n"
    "  --lanes        check each operation of all SIMD lanes there are, and run nothing\n"
    "GRAZE_LANES in the environment chooses the lanes. What cannot be had here, lanes or threads,\n"
    "is a line that begins with skipped, and exit status 77.\n";

enum { SKIPPED = 77, LANES_ROUNDS = 2000 };

static const struct {
    const char *name;
    void (*run)(tape *run);
} scenes[] = {
    {"gas", golden_gas},
    {"gas-mixed", golden_gas_mixed},
    {"bullet-hell", golden_bullet_hell},
    {"room", golden_room},
    {"session", golden_session},
    {"crowd", golden_crowd},
    {"pyramid", golden_pyramid},
    {"pit", golden_pit},
    {"flippers", golden_flippers},
    {"tumbler", golden_tumbler},
};

/// What the command line asks for.
typedef struct wishes {
    const char *scene; ///< Null: all.
    const char *save_folder, *load_folder;
    uint32_t threads; ///< 0: a world without a callback.
    uint32_t trace;
    bool is_short, lanes;
} wishes;

static void print_result(const tape *run)
{
    printf("%s %016" PRIx64 " %016" PRIx64 "\n", run->name, run->hash, run->snapshots);
    fflush(stdout);
}

static int skip(const char *what, const char *name)
{
    printf("skipped: there are no %s %s here\n", what, name);
    return SKIPPED;
}

// --- threads, where the platform has them ---

#ifdef __wasm__

static bool open_threads(tape *run, uint32_t count)
{
    (void)run;
    (void)count;
    return false;
}

static void close_threads(tape *run)
{
    (void)run;
}

#else

static bool open_threads(tape *run, uint32_t count)
{
    run->parallel = worker_pool_run;
    run->parallel_user = worker_pool_create(count);
    run->worker_count = count;
    return run->parallel_user != NULL;
}

static void close_threads(tape *run)
{
    worker_pool_destroy(run->parallel_user);
}

#endif

// --- scenes ---

static int run_scene(const wishes *want, size_t number)
{
    tape run = {
        .name = scenes[number].name,
        .trace = want->trace,
        .is_short = want->is_short,
        .save_folder = want->save_folder,
        .load_folder = want->load_folder,
    };
    if (want->threads && !open_threads(&run, want->threads)) {
        return skip("threads", "for this");
    }
    scenes[number].run(&run);
    if (want->threads) {
        close_threads(&run);
    }
    print_result(&run);
    return EXIT_SUCCESS;
}

static int run_scenes(const wishes *want)
{
    int result = EXIT_FAILURE;
    for (size_t i = 0; i < sizeof scenes / sizeof *scenes; ++i) {
        if (!want->scene || strcmp(want->scene, scenes[i].name) == 0) {
            result = run_scene(want, i);
            if (result) {
                return result;
            }
        }
    }
    if (result) {
        fprintf(stderr, "graze_golden: no scene is called %s\n", want->scene);
    }
    return result;
}

// --- lanes ---

static int check_lanes(void)
{
    int result = EXIT_SUCCESS;
    for (uint32_t i = 0; i < GRZ_SET_COUNT; ++i) {
        const grz_lane_set set = (grz_lane_set)i;
        uint32_t round = 0;
        const char *wrong = NULL;
        const bool has = grz_lanes_has(set);
        wrong = has ? lanes_check_set(set, LANES_ROUNDS, &round) : NULL;
        printf("%s %s\n", grz_lanes_name(set), !has ? "skipped" : wrong ? wrong : "right");
        result = wrong ? EXIT_FAILURE : result;
    }
    return result;
}

// --- the command line ---

// Returns the word that follows, null when there is none.
static const char *take_word(char ***words)
{
    return **words ? *(*words)++ : NULL;
}

static uint32_t take_number(char ***words)
{
    const char *word = take_word(words);
    return word ? (uint32_t)strtoul(word, NULL, 10) : 0;
}

static bool read_word(wishes *want, const char *word, char ***words)
{
    if (strcmp(word, "--threads") == 0) {
        return (want->threads = take_number(words)) > 0;
    }
    if (strcmp(word, "--trace") == 0) {
        return (want->trace = take_number(words)) > 0;
    }
    if (strcmp(word, "--save") == 0) {
        return (want->save_folder = take_word(words)) != NULL;
    }
    if (strcmp(word, "--load") == 0) {
        return (want->load_folder = take_word(words)) != NULL;
    }
    if (strcmp(word, "--short") == 0) {
        return want->is_short = true;
    }
    if (strcmp(word, "--lanes") == 0) {
        return want->lanes = true;
    }
    want->scene = word;
    return word[0] != '-';
}

int main(int count, char **words)
{
    wishes want = {0};
    words += count > 0;
    while (*words) {
        const char *word = *words++;
        if (!read_word(&want, word, &words)) {
            fputs(help, stderr);
            return EXIT_FAILURE;
        }
    }
    if (grz_lanes_refused()) {
        return skip("lanes called", grz_lanes_refused());
    }
    return want.lanes ? check_lanes() : run_scenes(&want);
}
