#include "stream.h"

#include "random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { ROOM = 300, COPIES = 4000 };

static void any_bytes_are_copied_to_any_place(void **state)
{
    (void)state;
    random_state random = random_seed(1);
    for (uint32_t copy = 0; copy < COPIES; ++copy) {
        unsigned char from[ROOM], to[ROOM], want[ROOM];
        const uint32_t size = random_below(&random, ROOM + 1);
        const uint32_t at = random_below(&random, ROOM - size + 1);
        const uint32_t source = random_below(&random, ROOM - size + 1);
        random_fill(&random, from, sizeof from);
        random_fill(&random, to, sizeof to);
        memcpy(want, to, sizeof to);
        memcpy(want + at, from + source, size);
        grz_stream(to + at, from + source, size);
        grz_stream_end();
        if (memcmp(to, want, sizeof to) != 0) {
            fail_msg("%u bytes from %u to %u", (unsigned)size, (unsigned)source, (unsigned)at);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_bytes_are_copied_to_any_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
