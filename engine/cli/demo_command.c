#include "demo_command.h"

#include "demo_cave.h"
#include "output_file.h"
#include "picture.h"
#include "plural.h"
#include "progress.h"
#include "record_file.h"
#include "scene.h"
#include "totals.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
    TEAM_COUNT = CLI_EMITTER_COUNT,
    MOVER_COUNT = 1000,
    BULLET_COUNT = 10000,
    MAX_SHOTS = 400, ///< A step, all emitters together.
    MAX_TRIES = 200000,
    DEFAULT_STEPS = 600
};

static const float time_step = 1.0f / 60.0f;

/// A mover's own velocity: in the world it is zero once it has stopped.
typedef struct demo_mover {
    graze_body_id id;
    graze_vec2 velocity;
} demo_mover;

typedef struct demo_game {
    cli_scene scene; ///< Its bodies are the movers, in the order of `movers`.
    cli_stage stage;
    cli_random random;
    demo_mover *movers; ///< A list.
    uint64_t fired;     ///< Bullets, all in.
    cli_totals totals;
    cli_record_file record;
} demo_game;

// user_data of everything that moves: its team in the low bits, above them a mover's number from 1,
// or 0 for a bullet.
static uint64_t make_user_data(uint32_t team, size_t number)
{
    return (uint64_t)number << 8 | team;
}

static uint32_t tint_by_team(const graze_world *world, graze_body_id body, void *user)
{
    (void)user;
    return (uint32_t)graze_body_user_data(world, body) & 255;
}

static uint32_t mover_bit(uint32_t team)
{
    return 2u << team;
}

static uint32_t bullet_bit(uint32_t team)
{
    return 256u << team;
}

// Walls (category 1, the default) meet everything; a team's bullets hit walls and the next team.
static graze_filter filter_of_bullet(uint32_t team)
{
    graze_filter filter = {bullet_bit(team), 1 | mover_bit((team + 1) % TEAM_COUNT), 0, 0};
    return filter;
}

static graze_filter filter_of_mover(uint32_t team)
{
    uint32_t all_movers = mover_bit(TEAM_COUNT) - mover_bit(0);
    uint32_t enemy = bullet_bit((team + TEAM_COUNT - 1) % TEAM_COUNT);
    graze_filter filter = {mover_bit(team), 1 | all_movers | enemy, 0, 0};
    return filter;
}

static graze_vec2 pick_direction(cli_random *random, float speed)
{
    graze_rotation towards = graze_rotation_from_angle(cli_random_float(random, 0, 6.2831853f));
    graze_vec2 velocity = {speed * towards.cosine, speed * towards.sine};
    return velocity;
}

// One number per statement: the order in which arguments are evaluated is the compiler's choice.
static graze_shape pick_shape(cli_random *random)
{
    uint32_t kind = cli_random_below(random, 4);
    float size = cli_random_float(random, 0.3f, 0.75f);
    float other = cli_random_float(random, 0.25f, 0.45f);
    if (kind == 0) {
        return graze_shape_rect(1.2f * size, other);
    }
    return kind == 1 ? graze_shape_rect(0.8f * size, 0.8f * size) : graze_shape_circle(size);
}

static float reach_of(graze_shape shape)
{
    return shape.radius + graze_vec2_length(shape.half);
}

static bool is_free(const demo_game *demo, graze_vec2 at, float reach)
{
    for (size_t i = 0; i < grz_list_count(demo->scene.bodies); ++i) {
        const graze_body_def *other = &demo->scene.bodies[i].def;
        graze_vec2 off = graze_vec2_sub(at, other->position);
        if (graze_vec2_length(off) < reach + reach_of(other->shape)) {
            return false;
        }
    }
    return cli_cave_has_room(&demo->scene, at, reach + 0.2f);
}

static graze_body_def pick_mover(demo_game *demo)
{
    cli_random *random = &demo->random;
    size_t number = grz_list_count(demo->scene.bodies) + 1;
    uint32_t team = cli_random_below(random, TEAM_COUNT);
    graze_body_def def = cli_body_def();
    def.shape = pick_shape(random);
    def.velocity = pick_direction(random, cli_random_float(random, 2, 7));
    def.spin = def.shape.kind == GRAZE_SHAPE_RECT ? cli_random_float(random, -2, 2) : 0;
    def.response = GRAZE_STOP;
    def.filter = filter_of_mover(team);
    def.user_data = make_user_data(team, number);
    return def;
}

static void place_movers(demo_game *demo)
{
    for (int tries = 0; grz_list_count(demo->scene.bodies) < MOVER_COUNT; ++tries) {
        cli_body body = {pick_mover(demo), "a mover"};
        body.def.position.x = cli_random_float(&demo->random, 2, 158);
        body.def.position.y = cli_random_float(&demo->random, 2, 88);
        if (tries > MAX_TRIES || is_free(demo, body.def.position, reach_of(body.def.shape))) {
            cli_push(demo->scene.bodies, body);
        }
    }
}

static void collect_movers(demo_game *demo)
{
    for (size_t i = 0; i < grz_list_count(demo->scene.bodies); ++i) {
        demo_mover mover = {demo->stage.bodies[i], demo->scene.bodies[i].def.velocity};
        cli_push(demo->movers, mover);
    }
}

// Reflects a mover that moves towards `normal`: reverses its velocity along the normal.
static void turn_mover(demo_game *demo, graze_body_id body, graze_vec2 normal)
{
    uint64_t number = graze_body_user_data(demo->stage.world, body) >> 8;
    if (number == 0 || graze_body_is_sensor(demo->stage.world, body)) {
        return;
    }
    demo_mover *mover = &demo->movers[number - 1];
    float into = graze_vec2_dot(mover->velocity, normal);
    if (into > 0) {
        mover->velocity = graze_vec2_sub(mover->velocity, graze_vec2_scale(normal, 2 * into));
    }
    graze_body_set_velocity(demo->stage.world, mover->id, mover->velocity);
}

// Movers stop where they meet something solid; the contacts say how they continue. A normal points
// from a to b, so a is reflected by it, and b by its reverse.
static void turn_movers(demo_game *demo)
{
    graze_contact_list contacts = graze_world_contacts(demo->stage.world);
    for (uint32_t i = 0; i < contacts.count; ++i) {
        const graze_contact *contact = &contacts.data[i];
        if (contact->flags & GRAZE_CONTACT_BLOCKED) {
            turn_mover(demo, contact->a, contact->normal);
            turn_mover(demo, contact->b, graze_vec2_scale(contact->normal, -1));
        }
    }
}

/// How an emitter turns from shot to shot.
typedef struct firing_pattern {
    float turn;  ///< Radians from one shot to the next.
    float speed; ///< Units per second.
} firing_pattern;

static const firing_pattern patterns[CLI_EMITTER_COUNT] = {{2.39996323f, 15}, {1.25863f, 17},
                                                           {0.90260f, 14},    {0.52884f, 16},
                                                           {2.09910f, 18},    {0.70013f, 15}};

static graze_body_def make_bullet(uint32_t team, uint64_t shot, float early)
{
    const firing_pattern *pattern = &patterns[team];
    uint32_t turns = (uint32_t)(shot % 1000000);
    graze_rotation towards = graze_rotation_from_angle((float)turns * pattern->turn);
    graze_vec2 aim = {towards.cosine, towards.sine};
    graze_body_def def = cli_body_def();
    def.shape = graze_shape_ray();
    def.velocity = graze_vec2_scale(aim, pattern->speed);
    def.position = graze_vec2_add(cli_emitter_places[team],
                                  graze_vec2_scale(aim, 0.8f + pattern->speed * early));
    def.response = GRAZE_STOP;
    def.hit_limit = 1;
    def.filter = filter_of_bullet(team);
    def.user_data = make_user_data(team, 0);
    return def;
}

// Fires as many bullets as are missing, from each emitter in turn. Those of one step start as if
// fired one after the other within it, so that the spirals have no gaps.
static graze_status fire(demo_game *demo)
{
    graze_body_def shots[MAX_SHOTS];
    graze_world_stats stats = graze_world_get_stats(demo->stage.world);
    uint32_t wanted = MOVER_COUNT + BULLET_COUNT - stats.body_count;
    uint32_t count = wanted < MAX_SHOTS ? wanted : MAX_SHOTS;
    for (uint32_t i = 0; i < count; ++i) {
        uint64_t number = demo->fired + i;
        float early = time_step * (1 - (float)i / (float)count);
        shots[i] = make_bullet((uint32_t)(number % TEAM_COUNT), number / TEAM_COUNT, early);
    }
    demo->fired += count;
    uint32_t made = graze_body_create_many(demo->stage.world, shots, count, NULL);
    return made == count ? GRAZE_OK : graze_world_last_status(demo->stage.world);
}

static bool play_step(demo_game *demo, uint32_t step, cli_error *error)
{
    graze_status status = fire(demo);
    if (status == GRAZE_OK) {
        status = cli_totals_step(&demo->totals, demo->stage.world, time_step);
    }
    if (status != GRAZE_OK) {
        return cli_fail(error, "the demo's step %" PRIu32 ": %s", step, graze_status_text(status));
    }
    turn_movers(demo);
    return cli_record_file_check(&demo->record, demo->stage.world, error);
}

static bool play(demo_game *demo, uint32_t steps, cli_error *error)
{
    cli_progress progress = cli_progress_start(steps, false);
    bool done = true;
    for (uint32_t step = 1; done && step <= steps; ++step) {
        done = play_step(demo, step, error);
        cli_progress_update(&progress, step);
    }
    cli_progress_end(&progress);
    return done;
}

static bool play_recorded(demo_game *demo, const cli_options *options, cli_error *error)
{
    const uint32_t steps = options->has_steps ? options->steps : DEFAULT_STEPS;
    graze_world *world = demo->stage.world;
    return cli_output_check(options->record, error) && cli_output_check(options->picture, error) &&
           (!options->record ||
            cli_record_file_open(&demo->record, options->record, world, steps, error)) &&
           play(demo, steps, error) && cli_record_file_close(&demo->record, world, error);
}

static void print_report(const demo_game *demo, const char *picture)
{
    const cli_totals *totals = &demo->totals;
    graze_world_stats stats = graze_world_get_stats(demo->stage.world);
    graze_phase slowest = cli_totals_slowest(totals);
    printf("steps      %" PRIu32 " of 1/60 s\n", totals->steps);
    const uint32_t bullets = stats.body_count - MOVER_COUNT;
    printf("bodies     %d movers, %" PRIu32 " %s flying, %" PRIu64 " fired\n", MOVER_COUNT, bullets,
           grz_plural(bullets, "bullet", "bullets"), demo->fired);
    printf("terrain    %" PRIu32 " segments in %" PRIu32 " chains\n", stats.segment_count,
           stats.chain_count);
    printf("contacts   %" PRIu64 " begun, %" PRIu64 " ended\n", totals->begun, totals->ended);
    printf("hits       %" PRIu64 "\n", totals->hits);
    printf("time       %.3f ms a step; slowest phase: %s, %.3f ms\n",
           cli_totals_per_step(totals, totals->seconds), graze_phase_name(slowest),
           cli_totals_per_step(totals, totals->phase_seconds[slowest]));
    printf("hash       %016" PRIx64 "\n", graze_world_hash(demo->stage.world));
    cli_report(stdout, "picture    %s", picture);
}

static bool draw(const demo_game *demo, const char *path, cli_error *error)
{
    const cli_picture picture = {
        .scene = &demo->scene, .view = demo->scene.view, .streak = 0.055f, .tint = tint_by_team};
    cli_canvas canvas;
    cli_picture_draw(&picture, demo->stage.world, &canvas);
    bool done = cli_canvas_write(&canvas, path, error);
    cli_canvas_free(&canvas);
    return done;
}

static int play_and_report(demo_game *demo, const cli_options *options)
{
    cli_error error;
    if (!play_recorded(demo, options, &error) || !draw(demo, options->picture, &error)) {
        return cli_complain(CLI_FAILED, "%s", error.text);
    }
    print_report(demo, options->picture);
    return CLI_OK;
}

int cli_demo(const cli_options *options)
{
    demo_game demo;
    memset(&demo, 0, sizeof demo);
    demo.random.state = 2024;
    cli_error error;
    cli_scene_init(&demo.scene);
    cli_cave_build(&demo.scene, &demo.random);
    place_movers(&demo);
    bool is_built = cli_stage_build(&demo.stage, &demo.scene, "demo", &error);
    if (is_built) {
        collect_movers(&demo);
    }
    int status =
        is_built ? play_and_report(&demo, options) : cli_complain(CLI_FAILED, "%s", error.text);
    cli_record_file_close(&demo.record, demo.stage.world, &error);
    cli_stage_free(&demo.stage);
    cli_scene_free(&demo.scene);
    grz_list_free(demo.movers);
    return status;
}
