// What runs a fuzz target where there is no fuzzer: the inputs of its corpus, and random ones.
//
//     fuzz_TARGET CORPUS... [--random COUNT] [--seed SEED]
//
// A CORPUS is a file, or a folder of files. Random inputs are bytes, or a file of the corpus with a
// few changes. When one fails it is said which, and it is written to a file: failed_input.

#define _POSIX_C_SOURCE 200809L

#include "fuzz_bytes.h"

#include "random.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LARGEST_INPUT = 4096, LARGEST_CORPUS = 1024, LARGEST_PATH = 1024 };

typedef struct input {
    uint8_t data[LARGEST_INPUT];
    size_t size;
} input;

typedef struct corpus {
    input *inputs; ///< LARGEST_CORPUS of them.
    uint32_t count;
} corpus;

/// What is being tried: for the handler of signals, which has no other way to know.
static struct {
    input now;
    char name[LARGEST_PATH];
} trial;

static void write_text(int file, const char *text)
{
    if (write(file, text, strlen(text)) < 0) {
        _exit(3);
    }
}

static void tell_failure(int number)
{
    const int file = open("failed_input", O_WRONLY | O_CREAT | O_TRUNC, 0644);
    if (file >= 0 && write(file, trial.now.data, trial.now.size) >= 0) {
        write_text(STDERR_FILENO, "failed, and written to ./failed_input: ");
    }
    write_text(STDERR_FILENO, trial.name);
    write_text(STDERR_FILENO, "\n");
    signal(number, SIG_DFL);
    raise(number);
}

// From memory of its own, so that reading past its end is seen.
static void try_input(void)
{
    uint8_t *data = malloc(trial.now.size);
    if (!data && trial.now.size > 0) {
        exit(2);
    }
    if (trial.now.size > 0) {
        memcpy(data, trial.now.data, trial.now.size);
    }
    LLVMFuzzerTestOneInput(data, trial.now.size);
    free(data);
}

// --- The corpus ---

static void try_file(corpus *kept, const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file) {
        fprintf(stderr, "%s: cannot be opened\n", path);
        exit(2);
    }
    trial.now.size = fread(trial.now.data, 1, LARGEST_INPUT, file);
    fclose(file);
    snprintf(trial.name, sizeof trial.name, "%s", path);
    if (kept->count < LARGEST_CORPUS) {
        kept->inputs[kept->count++] = trial.now;
    }
    try_input();
}

static int is_visible(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

static void try_path(corpus *kept, const char *path)
{
    struct dirent **entries;
    const int count = scandir(path, &entries, is_visible, alphasort);
    if (count < 0) {
        try_file(kept, path);
        return;
    }
    for (int i = 0; i < count; ++i) {
        char name[LARGEST_PATH];
        snprintf(name, sizeof name, "%s/%s", path, entries[i]->d_name);
        try_file(kept, name);
        free(entries[i]);
    }
    free(entries);
}

// --- Random inputs ---

static void draw_bytes(random_state *random, input *drawn)
{
    drawn->size = random_below(random, 256);
    for (size_t i = 0; i < drawn->size; ++i) {
        drawn->data[i] = (uint8_t)random_bits(random);
    }
}

static uint32_t draw_place(random_state *random, const input *changed)
{
    return random_below(random, (uint32_t)changed->size + 1);
}

static void cut_out(random_state *random, input *changed)
{
    const uint32_t from = draw_place(random, changed);
    const uint32_t count = random_below(random, (uint32_t)changed->size - from + 1);
    memmove(changed->data + from, changed->data + from + count, changed->size - from - count);
    changed->size -= count;
}

static void copy_in(random_state *random, input *changed, const input *other)
{
    const uint32_t from = draw_place(random, other);
    const uint32_t to = draw_place(random, changed);
    uint32_t count = random_below(random, (uint32_t)other->size - from + 1);
    count = count < LARGEST_INPUT - changed->size ? count : LARGEST_INPUT - (uint32_t)changed->size;
    memmove(changed->data + to + count, changed->data + to, changed->size - to);
    memcpy(changed->data + to, other->data + from, count);
    changed->size += count;
}

static void change_byte(random_state *random, input *changed)
{
    const uint32_t place = random_below(random, (uint32_t)changed->size);
    if (changed->size > 0) {
        const uint8_t bit = (uint8_t)(1u << random_below(random, 8));
        const bool flips = random_below(random, 2);
        changed->data[place] =
            flips ? changed->data[place] ^ bit : (uint8_t)random_below(random, 256);
    }
}

static void draw_change(random_state *random, const corpus *kept, input *drawn)
{
    *drawn = kept->inputs[random_below(random, kept->count)];
    for (uint32_t i = random_below(random, 6); i > 0; --i) {
        switch (random_below(random, 4)) {
        case 0:
            cut_out(random, drawn);
            break;
        case 1:
            copy_in(random, drawn, &kept->inputs[random_below(random, kept->count)]);
            break;
        default:
            change_byte(random, drawn);
            break;
        }
    }
}

static void try_random(const corpus *kept, uint64_t seed)
{
    random_state random = random_seed(seed);
    snprintf(trial.name, sizeof trial.name, "--random 1 --seed %llu", (unsigned long long)seed);
    if (kept->count == 0 || random_below(&random, 4) == 0) {
        draw_bytes(&random, &trial.now);
    } else {
        draw_change(&random, kept, &trial.now);
    }
    try_input();
}

int main(int argc, char **argv)
{
    corpus kept = {calloc(LARGEST_CORPUS, sizeof(input)), 0};
    uint64_t count = 0;
    uint64_t seed = 1;
    if (!kept.inputs) {
        return 2;
    }
    signal(SIGABRT, tell_failure);
    signal(SIGSEGV, tell_failure);
    for (int i = 1; i < argc; ++i) {
        const bool has_value = i + 1 < argc;
        if (has_value && strcmp(argv[i], "--random") == 0) {
            count = strtoull(argv[++i], NULL, 10);
        } else if (has_value && strcmp(argv[i], "--seed") == 0) {
            seed = strtoull(argv[++i], NULL, 10);
        } else {
            try_path(&kept, argv[i]);
        }
    }
    for (uint64_t i = 0; i < count; ++i) {
        try_random(&kept, seed + i);
    }
    printf("%u inputs of the corpus, %llu random ones\n", (unsigned)kept.count,
           (unsigned long long)count);
    free(kept.inputs);
    return 0;
}
