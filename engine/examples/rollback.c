// Rollback netcode: each of two machines plays without waiting, with the inputs that it knows, and
// predicts that the other player continues as before. When other inputs arrive, it goes back to the
// first wrong prediction and replays the frames from there. Inputs are up to 8 frames late; at the
// end both machines have the same world to the last bit.
#include <graze/graze.h>

#include <stdio.h>
#include <stdlib.h>

enum { FRAMES = 600, LATEST = 8, RING = LATEST + 1, PLAYERS = 2 };
enum { LEFT = 1, RIGHT = 2, UP = 4, DOWN = 8, FIRE = 16 };

/// The state saved for a frame: the world's snapshot, and the game's own data.
typedef struct saved_frame {
    void *snapshot;
    size_t size, capacity;
    int score[PLAYERS];
} saved_frame;

typedef struct machine_state {
    graze_world *world;
    graze_body_id ships[PLAYERS];
    int score[PLAYERS];
    uint8_t inputs[PLAYERS][FRAMES]; ///< As played: real, or predicted.
    int known[PLAYERS];              ///< Inputs before this frame are real.
    int frame;                       ///< The next one to play.
    int replayed;                    ///< Frames played again.
    saved_frame ring[RING];          ///< Frame f is in ring[f % RING], as it was before f.
} machine_state;

/// The inputs of a player, which both machines can compute.
static uint8_t read_controls(int player, int frame)
{
    uint32_t mixed = (uint32_t)(frame / 9 * PLAYERS + player + 1) * 2654435761u;
    uint8_t held = (uint8_t)(mixed >> 27); // Changes every ninth frame.
    return frame % 9 == 4 ? held : held & (LEFT | RIGHT | UP | DOWN);
}

/// The frame in which the other machine receives an input: inputs arrive in order, in bursts, and
/// the last ones when the game is over.
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
    def.friction = 0;
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
        def.friction = 0;
        def.restitution = 1;
        def.user_data = PLAYERS;
        graze_body_create(world, &def);
    }
}

static void start(machine_state *machine)
{
    graze_world_def def = graze_world_def_default();
    graze_chain_def arena = graze_chain_def_default();
    arena.points = (graze_vec2[]){{-20, -12}, {20, -12}, {20, 12}, {-20, 12}};
    arena.count = 4;
    arena.loop = true;
    *machine = (machine_state){.world = graze_world_create(&def)};
    graze_chain_create(machine->world, &arena);
    for (int player = 0; player < PLAYERS; ++player) {
        machine->ships[player] = add_ship(machine->world, player);
    }
    add_rocks(machine->world);
}

static void finish(machine_state *machine)
{
    for (int i = 0; i < RING; ++i) {
        free(machine->ring[i].snapshot);
    }
    graze_world_destroy(machine->world);
}

// The game's rules. They may query the world: it gives the same results when a frame is replayed.

static void fire(machine_state *machine, int player)
{
    graze_body_def bullet = graze_body_def_default();
    bullet.shape = graze_shape_ray();
    bullet.position = graze_body_position(machine->world, machine->ships[player]);
    bullet.position.x += player == 0 ? 1.2f : -1.2f;
    bullet.velocity.x = player == 0 ? 90.0f : -90.0f;
    bullet.response = GRAZE_STOP;
    bullet.hit_limit = 1;
    bullet.user_data = (uint64_t)player;
    graze_body_create(machine->world, &bullet);
}

static void steer(machine_state *machine, int player, uint8_t input)
{
    graze_vec2 velocity = {0, 0};
    velocity.x += (input & RIGHT ? 8.0f : 0.0f) - (input & LEFT ? 8.0f : 0.0f);
    velocity.y += (input & UP ? 8.0f : 0.0f) - (input & DOWN ? 8.0f : 0.0f);
    graze_body_set_velocity(machine->world, machine->ships[player], velocity);
    if (input & FIRE) {
        fire(machine, player);
    }
}

// A bullet that is spent on a rock is a point for the player who fired it.
static void count_points(machine_state *machine)
{
    graze_contact_list contacts = graze_world_contacts(machine->world);
    for (uint32_t i = 0; i < contacts.count; ++i) {
        uint64_t a = graze_body_user_data(machine->world, contacts.data[i].a);
        uint64_t b = graze_body_user_data(machine->world, contacts.data[i].b);
        bool spent = (contacts.data[i].flags & GRAZE_CONTACT_SPENT) != 0;
        if (spent && contacts.data[i].b.generation && (a == PLAYERS) != (b == PLAYERS)) {
            ++machine->score[a == PLAYERS ? b : a];
        }
    }
}

static void play_frame(machine_state *machine)
{
    for (int player = 0; player < PLAYERS; ++player) {
        steer(machine, player, machine->inputs[player][machine->frame]);
    }
    graze_world_step(machine->world, 1.0f / 60.0f);
    count_points(machine);
    ++machine->frame;
}

// Rollback itself.

static void save_frame(machine_state *machine)
{
    saved_frame *to = &machine->ring[machine->frame % RING];
    to->size = graze_world_snapshot_size(machine->world);
    if (to->size > to->capacity) {
        free(to->snapshot);
        to->capacity = 2 * to->size;
        to->snapshot = malloc(to->capacity);
    }
    for (int player = 0; player < PLAYERS; ++player) {
        to->score[player] = machine->score[player];
    }
    graze_world_save(machine->world, to->snapshot, to->size);
}

static void load_frame(machine_state *machine, int frame)
{
    const saved_frame *from = &machine->ring[frame % RING];
    graze_world_load(machine->world, from->snapshot, from->size);
    for (int player = 0; player < PLAYERS; ++player) {
        machine->score[player] = from->score[player];
    }
    machine->frame = frame;
}

// Predicts inputs from the first unknown one on: a player keeps steering, and does not fire.
static void guess(machine_state *machine, int player, int now)
{
    int known = machine->known[player];
    uint8_t last = known > 0 ? machine->inputs[player][known - 1] : 0;
    for (int frame = known; frame <= now && frame < FRAMES; ++frame) {
        machine->inputs[player][frame] = last & (LEFT | RIGHT | UP | DOWN);
    }
}

// Takes the inputs that have arrived. Returns the first frame that was played with a wrong one.
static int receive(machine_state *machine, int player, int now)
{
    int wrong = now;
    while (machine->known[player] < FRAMES && arrival(player, machine->known[player]) <= now) {
        int frame = machine->known[player]++;
        uint8_t input = read_controls(player, frame);
        if (input != machine->inputs[player][frame] && frame < wrong) {
            wrong = frame;
        }
        machine->inputs[player][frame] = input;
    }
    return wrong;
}

static void replay_from(machine_state *machine, int wrong, int now)
{
    if (wrong < now) {
        load_frame(machine, wrong);
        while (machine->frame < now) {
            save_frame(machine);
            play_frame(machine);
            ++machine->replayed;
        }
    }
}

static void run_frame(machine_state *machine, int self, int now)
{
    int other = 1 - self;
    int wrong = receive(machine, other, now);
    guess(machine, other, now);
    replay_from(machine, wrong, now);
    if (now < FRAMES) {
        machine->inputs[self][now] = read_controls(self, now);
        save_frame(machine);
        play_frame(machine);
    }
}

// The same game without delays.
static uint64_t play_straight(void)
{
    machine_state machine;
    start(&machine);
    for (int now = 0; now < FRAMES; ++now) {
        for (int player = 0; player < PLAYERS; ++player) {
            machine.inputs[player][now] = read_controls(player, now);
        }
        play_frame(&machine);
    }
    uint64_t hash = graze_world_hash(machine.world);
    finish(&machine);
    return hash;
}

int main(void)
{
    static machine_state machines[PLAYERS];
    uint64_t straight = play_straight();
    bool right = true;
    for (int self = 0; self < PLAYERS; ++self) {
        machine_state *machine = &machines[self];
        start(machine);
        for (int now = 0; now <= FRAMES; ++now) {
            run_frame(machine, self, now);
        }
        printf("machine %d: %d frames, %d played again, score %d : %d, hash %016llx\n", self,
               machine->frame, machine->replayed, machine->score[0], machine->score[1],
               (unsigned long long)graze_world_hash(machine->world));
        right = right && machine->replayed > 0 && graze_world_hash(machine->world) == straight &&
                machine->score[0] == machines[0].score[0] &&
                machine->score[1] == machines[0].score[1];
        finish(machine);
    }
    printf("%s\n", right ? "both ended where a game without delay ends" : "they differ");
    return right ? 0 : 1;
}
