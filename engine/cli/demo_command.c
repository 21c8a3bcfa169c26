#include "demo_command.h"

#include "output_file.h"
#include "picture.h"
#include "play_scene.h"
#include "plural.h"
#include "progress.h"
#include "record_file.h"
#include "scene.h"
#include "totals.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
    BULLET_COUNT = 10000,
    MOST_FRAMES = 4,
    GAP = 8 ///< Pixels between two frames.
};

/// A scene of the playground, and its picture.
typedef struct demo_scene {
    const char *name;
    uint32_t frames[MOST_FRAMES]; ///< The steps that the picture shows; the last one ends it.
    uint32_t rows, columns;       ///< Of frames.
    uint32_t frame_size;          ///< Pixels of a frame's longer side.
    float streak;                 ///< Seconds of flight that a bullet's streak shows.
} demo_scene;

static const demo_scene bullet_hell = {"bullets", {600}, 1, 1, 1280, 0.055f};
static const demo_scene demo_scenes[] = {{"pit", {150, 300, 600, 1200}, 2, 2, 800, 0.03f},
                                         {"pyramid", {110, 140, 185, 660}, 2, 2, 800, 0.03f},
                                         {"flippers", {4, 120, 305, 632}, 1, 4, 640, 0.03f},
                                         {"cave", {60, 200, 420, 900}, 2, 2, 800, 0.03f}};

/// The demo while it is played.
typedef struct demo_run {
    const demo_scene *scene;
    const cli_options *options;
    play *game;
    cli_scene terrain; ///< What pictures fill.
    cli_totals totals;
    cli_record_file record;
    cli_canvas canvas; ///< The picture so far.
    uint32_t steps;
    uint32_t drawn;        ///< Frames.
    uint32_t first_bodies; ///< How many there were at the start.
} demo_run;

static const demo_scene *find_scene(const char *name)
{
    for (size_t i = 0; i < sizeof demo_scenes / sizeof *demo_scenes; ++i) {
        if (strcmp(demo_scenes[i].name, name) == 0) {
            return &demo_scenes[i];
        }
    }
    return NULL;
}

bool cli_demo_has_scene(const char *name)
{
    return find_scene(name);
}

// Of a room the first loop is the wall.
static void collect_chain(graze_segment segment, graze_segment_id id, void *user)
{
    (void)segment;
    demo_run *run = user;
    if (id.index == 0) {
        const bool is_wall = run->game->scene->is_room && !run->terrain.chains;
        const graze_chain_def def = graze_chain_get_def(run->game->world, id.chain);
        const cli_chain chain = {def, 0, is_wall ? CLI_FILL_OUTSIDE : CLI_FILL_INSIDE, 0, "a loop"};
        cli_scene_add_chain(&run->terrain, chain, def.points, def.count);
    }
}

static void start(demo_run *run)
{
    uint32_t scene = 0;
    while (strcmp(play_scene_name(scene), run->scene->name) != 0) {
        ++scene;
    }
    run->game = play_create(1);
    cli_require_memory(run->game && play_start(run->game, scene, BULLET_COUNT));
    run->first_bodies = graze_world_get_stats(run->game->world).body_count;
    cli_scene_init(&run->terrain);
    const graze_painter painter = {.segment = collect_chain, .user = run};
    graze_debug_draw(run->game->world, &painter);
}

// The picture is as large as the first frame asks for.
static void place_frame(demo_run *run, const cli_canvas *frame)
{
    const uint32_t columns = run->scene->columns;
    if (run->drawn == 0) {
        cli_canvas_init(&run->canvas, columns * (frame->width + GAP) - GAP,
                        run->scene->rows * (frame->height + GAP) - GAP,
                        cli_color_from_hex(0x000000));
    }
    cli_canvas_paste(&run->canvas, frame, run->drawn % columns * (frame->width + GAP),
                     run->drawn / columns * (frame->height + GAP));
    ++run->drawn;
}

static uint32_t tint_of(const graze_world *world, graze_body_id body, void *user)
{
    (void)world;
    return play_color(user, body);
}

static void draw_frame(demo_run *run)
{
    const cli_picture picture = {.scene = &run->terrain,
                                 .view = run->game->scene->view,
                                 .streak = run->scene->streak,
                                 .tint = tint_of,
                                 .tint_user = run->game,
                                 .size = run->scene->frame_size,
                                 .hides_resting = true};
    cli_canvas frame;
    cli_picture_draw(&picture, run->game->world, &frame);
    place_frame(run, &frame);
    cli_canvas_free(&frame);
}

static uint32_t count_frames(const demo_scene *scene)
{
    return scene->rows * scene->columns;
}

// In a run of another length the frames are at the same parts of it.
static uint32_t step_of_frame(const demo_run *run, uint32_t frame)
{
    const uint32_t *frames = run->scene->frames;
    const uint32_t last = frames[count_frames(run->scene) - 1];
    return (uint32_t)((uint64_t)frames[frame] * run->steps / last);
}

static void draw_due_frames(demo_run *run, uint32_t step)
{
    while (run->drawn < count_frames(run->scene) && step_of_frame(run, run->drawn) == step) {
        draw_frame(run);
    }
}

static bool run_step(demo_run *run, uint32_t step, cli_error *error)
{
    if (!play_step(run->game) || play_message(run->game)[0]) {
        return cli_fail(error, "the step %" PRIu32 " of %s: %s", step, run->scene->name,
                        play_message(run->game));
    }
    cli_totals_add(&run->totals, run->game->world);
    draw_due_frames(run, step);
    return cli_record_file_check(&run->record, run->game->world, error);
}

static bool run_steps(demo_run *run, cli_error *error)
{
    cli_progress progress = cli_progress_start(run->steps, false);
    bool done = true;
    draw_due_frames(run, 0);
    for (uint32_t step = 1; done && step <= run->steps; ++step) {
        done = run_step(run, step, error);
        cli_progress_update(&progress, step);
    }
    cli_progress_end(&progress);
    return done;
}

static bool run_recorded(demo_run *run, cli_error *error)
{
    const cli_options *options = run->options;
    graze_world *world = run->game->world;
    return cli_output_check(options->record, error) && cli_output_check(options->picture, error) &&
           (!options->record ||
            cli_record_file_open(&run->record, options->record, world, run->steps, error)) &&
           run_steps(run, error) && cli_record_file_close(&run->record, world, error) &&
           cli_canvas_write(&run->canvas, options->picture, error);
}

static void print_bodies(const demo_run *run, uint32_t count)
{
    if (run->scene == &bullet_hell) {
        const uint32_t bullets = count - run->first_bodies;
        printf("bodies     %" PRIu32 " movers, %" PRIu32 " %s flying, %" PRIu64 " fired\n",
               run->first_bodies, bullets, grz_plural(bullets, "bullet", "bullets"),
               run->game->state.fired);
    } else {
        printf("bodies     %" PRIu32 ", %.0f of them asleep\n", count,
               (double)play_measure(run->game)->asleep);
    }
}

static void print_report(const demo_run *run)
{
    const cli_totals *totals = &run->totals;
    const graze_world_stats stats = graze_world_get_stats(run->game->world);
    const graze_phase slowest = cli_totals_slowest(totals);
    printf("scene      %s\n", run->scene->name);
    printf("steps      %" PRIu32 " of 1/%d s\n", totals->steps, PLAY_RATE);
    print_bodies(run, stats.body_count);
    printf("terrain    %" PRIu32 " %s in %" PRIu32 " %s\n", stats.segment_count,
           grz_plural(stats.segment_count, "segment", "segments"), stats.chain_count,
           grz_plural(stats.chain_count, "chain", "chains"));
    printf("contacts   %" PRIu64 " begun, %" PRIu64 " ended\n", totals->begun, totals->ended);
    printf("hits       %" PRIu64 "\n", totals->hits);
    printf("time       %.3f ms a step; slowest phase: %s, %.3f ms\n",
           cli_totals_per_step(totals, totals->seconds), graze_phase_name(slowest),
           cli_totals_per_step(totals, totals->phase_seconds[slowest]));
    printf("hash       %016" PRIx64 "\n", play_hash(run->game));
    cli_report(stdout, "picture    %s", run->options->picture);
}

int cli_demo(const cli_options *options)
{
    demo_run run = {.scene = &bullet_hell, .options = options};
    if (options->demo_scene) {
        run.scene = find_scene(options->demo_scene);
    }
    run.steps =
        options->has_steps ? options->steps : run.scene->frames[count_frames(run.scene) - 1];
    start(&run);
    cli_error error;
    const bool done = run_recorded(&run, &error);
    if (done) {
        print_report(&run);
    }
    cli_error unused;
    cli_record_file_close(&run.record, run.game->world, &unused);
    cli_canvas_free(&run.canvas);
    cli_scene_free(&run.terrain);
    play_destroy(run.game);
    return done ? CLI_OK : cli_complain(CLI_FAILED, "%s", error.text);
}
