// Rollback, as games over a network do it: each of two machines plays at once with what it knows,
// guesses that the other player goes on as before, and when inputs come that say otherwise, goes
// back to where the guess went wrong and plays those frames again. Inputs are up to 8 frames late,
// and at the end both machines have the same world to the last bit.
#include <graze/graze.h>

#include <stdio.h>
#include <stdlib.h>

enum { FRAMES = 600, LATEST = 8, RING = LATEST + 1, PLAYERS = 2 };
enum { LEFT = 1, RIGHT = 2, UP = 4, DOWN = 8, FIRE = 16 };

/// What is saved for a frame: the world's snapshot, and what the game keeps for itself.
typedef struct saved_frame {
    void *snapshot;
    size_t size, capacity;
    int score[PLAYERS];
} saved_frame;

typedef struct machine {
    graze_world *world;
    graze_body_id ships[PLAYERS];
    int score[PLAYERS];
    uint8_t inputs[PLAYERS][FRAMES]; ///< As played: real, or guessed.
    int known[PLAYERS];              ///< Inputs before this frame are real.
    int frame;                       ///< To be played next.
    int replayed;                    ///< Frames played again.
    saved_frame ring[RING];          ///< Frame f is in ring[f % RING], as it was before f.
} machine;

/// What a player does: anything that both machines can be told later.
static uint8_t read_controls(int player, int frame)
{
    uint32_t mixed = (uint32_t)(frame / 9 * PLAYERS + player + 1) * 2654435761u;
    uint8_t held = (uint8_t)(mixed >> 27); // Changes every ninth frame.
    return frame % 9 == 4 ? held : held & (LEFT | RIGHT | UP | DOWN);
}

/// The frame in which the other machine hears of it: inputs come in order, in bursts, and the last
/// ones when the game is over.
static int arrival(int player, int frame)
{
    const int burst = LATEST - 2 * player;
    const int heard = (frame + burst) / burst * burst;
    return heard < FRAMES ? heard : FRAMES;
}

static graze_body_id add_ship(graze_world *world, int player)
{
    graze_body_def def = graze_body_def_default();
    def.shape = graze_shape_rect(1, 0.5f);
    def.position.x = player == 0 ? -15.0f : 15.0f;
    def.response = GRAZE_SLIDE;
    def.user_data = (uint64_t)player;
    return graze_body_create(world, &def);
}

static void add_rocks(graze_world *world)
{
    for (int i = 0; i < 12; ++i) {
        graze_body_def def = graze_body_def_default();
        def.shape = graze_shape_circle(0.7f + 0.1f * (float)i);
        def.position = (graze_vec2){(float)(i % 4) * 5 - 7, (float)(i / 4) * 6 - 6};
        def.velocity = (graze_vec2){(float)(i % 5) - 2, (float)(i % 3) - 1};
        def.response = GRAZE_BOUNCE;
        def.restitution = 1;
        def.user_data = PLAYERS;
        graze_body_create(world, &def);
    }
}

static void start(machine *of)
{
    graze_world_def def = graze_world_def_default();
    graze_chain_def arena = graze_chain_def_default();
    arena.points = (graze_vec2[]){{-20, -12}, {20, -12}, {20, 12}, {-20, 12}};
    arena.count = 4;
    arena.loop = true;
    *of = (machine){.world = graze_world_create(&def)};
    graze_chain_create(of->world, &arena);
    for (int player = 0; player < PLAYERS; ++player) {
        of->ships[player] = add_ship(of->world, player);
    }
    add_rocks(of->world);
}

static void finish(machine *of)
{
    for (int i = 0; i < RING; ++i) {
        free(of->ring[i].snapshot);
    }
    graze_world_destroy(of->world);
}

// The game's rules. They may ask the world whatever they like: it answers the same when a frame is
// played again.

static void fire(machine *of, int player)
{
    graze_body_def bullet = graze_body_def_default();
    bullet.shape = graze_shape_ray();
    bullet.position = graze_body_position(of->world, of->ships[player]);
    bullet.position.x += player == 0 ? 1.2f : -1.2f;
    bullet.velocity.x = player == 0 ? 90.0f : -90.0f;
    bullet.response = GRAZE_STOP;
    bullet.hit_limit = 1;
    bullet.user_data = (uint64_t)player;
    graze_body_create(of->world, &bullet);
}

static void steer(machine *of, int player, uint8_t input)
{
    graze_vec2 velocity = {0, 0};
    velocity.x += (input & RIGHT ? 8.0f : 0.0f) - (input & LEFT ? 8.0f : 0.0f);
    velocity.y += (input & UP ? 8.0f : 0.0f) - (input & DOWN ? 8.0f : 0.0f);
    graze_body_set_velocity(of->world, of->ships[player], velocity);
    if (input & FIRE) {
        fire(of, player);
    }
}

// A bullet that is spent on a rock is a point for whoever fired it.
static void count_points(machine *of)
{
    graze_contact_list contacts = graze_world_contacts(of->world);
    for (uint32_t i = 0; i < contacts.count; ++i) {
        uint64_t a = graze_body_user_data(of->world, contacts.data[i].a);
        uint64_t b = graze_body_user_data(of->world, contacts.data[i].b);
        bool spent = (contacts.data[i].flags & GRAZE_CONTACT_SPENT) != 0;
        if (spent && contacts.data[i].b.generation && (a == PLAYERS) != (b == PLAYERS)) {
            ++of->score[a == PLAYERS ? b : a];
        }
    }
}

static void play_frame(machine *of)
{
    for (int player = 0; player < PLAYERS; ++player) {
        steer(of, player, of->inputs[player][of->frame]);
    }
    graze_world_step(of->world, 1.0f / 60.0f);
    count_points(of);
    ++of->frame;
}

// Rollback itself.

static void save_frame(machine *of)
{
    saved_frame *to = &of->ring[of->frame % RING];
    to->size = graze_world_snapshot_size(of->world);
    if (to->size > to->capacity) {
        free(to->snapshot);
        to->capacity = 2 * to->size;
        to->snapshot = malloc(to->capacity);
    }
    for (int player = 0; player < PLAYERS; ++player) {
        to->score[player] = of->score[player];
    }
    graze_world_save(of->world, to->snapshot, to->size);
}

static void load_frame(machine *of, int frame)
{
    const saved_frame *from = &of->ring[frame % RING];
    graze_world_load(of->world, from->snapshot, from->size);
    for (int player = 0; player < PLAYERS; ++player) {
        of->score[player] = from->score[player];
    }
    of->frame = frame;
}

// Fills inputs from the first unknown one on: a player goes on steering, and fires no more.
static void guess(machine *of, int player, int now)
{
    int known = of->known[player];
    uint8_t last = known > 0 ? of->inputs[player][known - 1] : 0;
    for (int frame = known; frame <= now && frame < FRAMES; ++frame) {
        of->inputs[player][frame] = last & (LEFT | RIGHT | UP | DOWN);
    }
}

// Takes the inputs that have come by now. Returns the first frame that was played with another one.
static int receive(machine *of, int player, int now)
{
    int wrong = now;
    while (of->known[player] < FRAMES && arrival(player, of->known[player]) <= now) {
        int frame = of->known[player]++;
        uint8_t input = read_controls(player, frame);
        if (input != of->inputs[player][frame] && frame < wrong) {
            wrong = frame;
        }
        of->inputs[player][frame] = input;
    }
    return wrong;
}

static void replay_from(machine *of, int wrong, int now)
{
    if (wrong < now) {
        load_frame(of, wrong);
        while (of->frame < now) {
            save_frame(of);
            play_frame(of);
            ++of->replayed;
        }
    }
}

static void run_frame(machine *of, int self, int now)
{
    int other = 1 - self;
    int wrong = receive(of, other, now);
    guess(of, other, now);
    replay_from(of, wrong, now);
    if (now < FRAMES) {
        of->inputs[self][now] = read_controls(self, now);
        save_frame(of);
        play_frame(of);
    }
}

// The same game where nothing comes late.
static uint64_t play_straight(void)
{
    machine of;
    start(&of);
    for (int now = 0; now < FRAMES; ++now) {
        for (int player = 0; player < PLAYERS; ++player) {
            of.inputs[player][now] = read_controls(player, now);
        }
        play_frame(&of);
    }
    uint64_t hash = graze_world_hash(of.world);
    finish(&of);
    return hash;
}

int main(void)
{
    static machine machines[PLAYERS];
    uint64_t straight = play_straight();
    bool right = true;
    for (int self = 0; self < PLAYERS; ++self) {
        machine *of = &machines[self];
        start(of);
        for (int now = 0; now <= FRAMES; ++now) {
            run_frame(of, self, now);
        }
        printf("machine %d: %d frames, %d played again, score %d : %d, hash %016llx\n", self,
               of->frame, of->replayed, of->score[0], of->score[1],
               (unsigned long long)graze_world_hash(of->world));
        right = right && of->replayed > 0 && graze_world_hash(of->world) == straight &&
                of->score[0] == machines[0].score[0] && of->score[1] == machines[0].score[1];
        finish(of);
    }
    printf("%s\n", right ? "both ended where a game without delay ends" : "they differ");
    return right ? 0 : 1;
}
