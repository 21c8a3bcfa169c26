#include "busy_world.h"

#include <stdlib.h>
#include <string.h>

// A game in lockstep, as rollback libraries test it: after every frame it goes back some frames and
// plays them again, and every frame that is played again must be what it was.

enum { FRAMES = 90, MAX_BACK = 8, RING = MAX_BACK + 1 };

/// A frame as it was first played: its snapshot, taken after the step.
typedef struct frame {
    void *bytes;
    size_t size;
} frame;

/// The frames that can be gone back to: frame n is in ring[n % RING].
typedef struct history {
    frame ring[RING];
} history;

static void keep(history *of, uint32_t number, const graze_world *world)
{
    frame *to = &of->ring[number % RING];
    free(to->bytes);
    to->bytes = kit_save(world, &to->size);
}

// Equal bytes: the state, what met, what ended, and who was removed.
static void assert_as_before(const history *of, uint32_t number, const graze_world *world)
{
    const frame *first = &of->ring[number % RING];
    size_t size;
    void *again = kit_save(world, &size);
    if (size != first->size || memcmp(again, first->bytes, size) != 0) {
        fail_msg("frame %u, played again, differs", (unsigned)number);
    }
    free(again);
}

// What the players do in a frame is a function of the frame.
static void play(graze_world *world, uint64_t seed, uint32_t number)
{
    random_state random = random_seed(seed * 1000 + number);
    busy_frame(world, &random);
}

static void go_back_and_play_again(graze_world *world, const history *of, uint64_t seed,
                                   uint32_t now, uint32_t back)
{
    const frame *past = &of->ring[(now - back) % RING];
    kit_load(world, past->bytes, past->size);
    for (uint32_t number = now - back + 1; number <= now; ++number) {
        play(world, seed, number);
        assert_as_before(of, number, world);
    }
}

static uint64_t play_and_check(uint64_t seed, uint32_t back)
{
    history of = {.ring = {{NULL, 0}}};
    graze_world *world = busy_empty_world();
    random_state random = random_seed(seed);
    busy_fill(world, &random);
    keep(&of, 0, world);
    for (uint32_t number = 1; number <= FRAMES; ++number) {
        play(world, seed, number);
        keep(&of, number, world);
        if (number >= back && back > 0) {
            go_back_and_play_again(world, &of, seed, number, back);
        }
    }
    const uint64_t hash = graze_world_hash(world);
    graze_world_destroy(world);
    for (uint32_t i = 0; i < RING; ++i) {
        free(of.ring[i].bytes);
    }
    return hash;
}

static void going_back_and_forth_ends_where_going_on_ends(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 2; ++seed) {
        const uint64_t straight = play_and_check(seed, 0);
        for (uint32_t back = 1; back <= MAX_BACK; back += 1 + back / 3) {
            if (play_and_check(seed, back) != straight) {
                fail_msg("seed %u, %u frames back", (unsigned)seed, (unsigned)back);
            }
        }
    }
}

// One machine plays on. The other hears of all inputs late, and guesses wrong ones until then.
static void a_wrong_guess_leaves_no_trace(void **state)
{
    (void)state;
    enum { LATE = 6 };
    graze_world *early = busy_empty_world();
    graze_world *late = busy_empty_world();
    history of = {.ring = {{NULL, 0}}};
    random_state one = random_seed(1);
    random_state other = random_seed(1);
    busy_fill(early, &one);
    busy_fill(late, &other);
    keep(&of, 0, late);
    for (uint32_t number = 1; number <= FRAMES; ++number) {
        play(early, 1, number);
        play(late, 2, number); // A guess.
        if (number % LATE == 0) {
            const frame *known = &of.ring[0];
            kit_load(late, known->bytes, known->size);
            for (uint32_t again = number - LATE + 1; again <= number; ++again) {
                play(late, 1, again);
            }
            busy_assert_same(early, late, number);
            keep(&of, 0, late);
        }
    }
    graze_world_destroy(early);
    graze_world_destroy(late);
    free(of.ring[0].bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(going_back_and_forth_ends_where_going_on_ends),
        cmocka_unit_test(a_wrong_guess_leaves_no_trace),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
