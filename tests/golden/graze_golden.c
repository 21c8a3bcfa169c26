#include "golden_scenes.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// graze_golden [SCENE] [TRACE]: runs all golden scenes, or one. Prints of each the name, the hash,
// and the hash of its snapshots' bytes: - where bytes have another order, as they say themselves.
// With TRACE also the hash after every TRACE steps: where two machines part can be seen.

static const struct {
    const char *name;
    void (*run)(tape *run);
} scenes[] = {
    {"gas", golden_gas},   {"gas-mixed", golden_gas_mixed}, {"bullet-hell", golden_bullet_hell},
    {"room", golden_room}, {"session", golden_session},
};

static bool is_little_endian(void)
{
    const uint16_t one = 1;
    unsigned char first;
    memcpy(&first, &one, 1);
    return first == 1;
}

static void print_result(const tape *run)
{
    printf("%s %016" PRIx64, run->name, run->hash);
    if (is_little_endian()) {
        printf(" %016" PRIx64 "\n", run->snapshots);
    } else {
        printf(" -\n");
    }
    fflush(stdout);
}

int main(int count, char **words)
{
    const char *wanted = count > 1 ? words[1] : NULL;
    bool is_known = !wanted;
    for (size_t i = 0; i < sizeof scenes / sizeof *scenes; ++i) {
        if (wanted && strcmp(wanted, scenes[i].name) != 0) {
            continue;
        }
        tape run = {.name = scenes[i].name, .trace = count > 2 ? (uint32_t)atoi(words[2]) : 0};
        scenes[i].run(&run);
        print_result(&run);
        is_known = true;
    }
    if (!is_known) {
        fprintf(stderr, "graze_golden: no scene is called %s\n", wanted);
    }
    return is_known ? EXIT_SUCCESS : EXIT_FAILURE;
}
