#include "demo_scene.h"

#include "demo_parts.h"
#include "output_file.h"
#include "picture.h"
#include "plural.h"
#include "progress.h"
#include "record_file.h"
#include "totals.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { GAP = 8 }; ///< Pixels between two frames.

static const cli_demo_scene *const demo_scenes[] = {&cli_demo_pit, &cli_demo_pyramid,
                                                    &cli_demo_flippers, &cli_demo_lift};

/// A scene while it is played.
typedef struct scene_play {
    const cli_demo_scene *scene;
    const cli_options *options;
    cli_scene contents;
    cli_stage stage;
    cli_random random;
    cli_totals totals;
    cli_record_file record;
    cli_canvas canvas; ///< The picture so far.
    uint32_t steps;
    uint32_t drawn; ///< Frames.
} scene_play;

static const cli_demo_scene *find_scene(const char *name)
{
    for (size_t i = 0; i < sizeof demo_scenes / sizeof *demo_scenes; ++i) {
        if (strcmp(demo_scenes[i]->name, name) == 0) {
            return demo_scenes[i];
        }
    }
    return NULL;
}

bool cli_demo_has_scene(const char *name)
{
    return find_scene(name);
}

// The picture is as large as the first frame asks for.
static void place_frame(scene_play *play, const cli_canvas *frame)
{
    const uint32_t columns = play->scene->columns;
    const uint32_t rows = CLI_FRAME_COUNT / columns;
    if (play->drawn == 0) {
        cli_canvas_init(&play->canvas, columns * (frame->width + GAP) - GAP,
                        rows * (frame->height + GAP) - GAP, cli_color_from_hex(0x000000));
    }
    cli_canvas_paste(&play->canvas, frame, play->drawn % columns * (frame->width + GAP),
                     play->drawn / columns * (frame->height + GAP));
    ++play->drawn;
}

static void draw_frame(scene_play *play)
{
    const cli_picture picture = {.scene = &play->contents,
                                 .view = play->contents.view,
                                 .streak = 0.03f,
                                 .size = play->scene->frame_size,
                                 .hides_resting = true};
    cli_canvas frame;
    cli_picture_draw(&picture, play->stage.world, &frame);
    place_frame(play, &frame);
    cli_canvas_free(&frame);
}

// In a run of another length the frames are at the same parts of it.
static uint32_t step_of_frame(const scene_play *play, uint32_t frame)
{
    const uint32_t *frames = play->scene->frames;
    return (uint32_t)((uint64_t)frames[frame] * play->steps / frames[CLI_FRAME_COUNT - 1]);
}

static void draw_due_frames(scene_play *play, uint32_t step)
{
    while (play->drawn < CLI_FRAME_COUNT && step_of_frame(play, play->drawn) == step) {
        draw_frame(play);
    }
}

static bool play_step(scene_play *play, uint32_t step, cli_error *error)
{
    graze_status status =
        play->scene->drive ? play->scene->drive(&play->stage, &play->random, step) : GRAZE_OK;
    if (status == GRAZE_OK) {
        status = cli_totals_step(&play->totals, play->stage.world, 1.0f / CLI_RATE);
    }
    if (status != GRAZE_OK) {
        return cli_fail(error, "the step %" PRIu32 " of %s: %s", step, play->scene->name,
                        graze_status_text(status));
    }
    draw_due_frames(play, step);
    return cli_record_file_check(&play->record, play->stage.world, error);
}

static bool play_steps(scene_play *play, cli_error *error)
{
    cli_progress progress = cli_progress_start(play->steps, false);
    bool done = true;
    draw_due_frames(play, 0);
    for (uint32_t step = 1; done && step <= play->steps; ++step) {
        done = play_step(play, step, error);
        cli_progress_update(&progress, step);
    }
    cli_progress_end(&progress);
    return done;
}

static bool play_recorded(scene_play *play, cli_error *error)
{
    const cli_options *options = play->options;
    graze_world *world = play->stage.world;
    return cli_output_check(options->record, error) && cli_output_check(options->picture, error) &&
           (!options->record ||
            cli_record_file_open(&play->record, options->record, world, play->steps, error)) &&
           play_steps(play, error) && cli_record_file_close(&play->record, world, error) &&
           cli_canvas_write(&play->canvas, options->picture, error);
}

static uint32_t count_sleepers(const graze_world *world)
{
    uint32_t count;
    uint32_t asleep = 0;
    const uint32_t *indices = graze_world_indices(world, &count);
    for (uint32_t i = 0; i < count; ++i) {
        asleep += graze_body_is_asleep(world, graze_world_body_at(world, indices[i]));
    }
    return asleep;
}

static void print_report(const scene_play *play)
{
    const cli_totals *totals = &play->totals;
    graze_world_stats stats = graze_world_get_stats(play->stage.world);
    printf("scene      %s\n", play->scene->name);
    printf("steps      %" PRIu32 " of 1/%d s\n", totals->steps, CLI_RATE);
    printf("bodies     %" PRIu32 ", %" PRIu32 " of them asleep\n", stats.body_count,
           count_sleepers(play->stage.world));
    printf("terrain    %" PRIu32 " %s in %" PRIu32 " %s\n", stats.segment_count,
           grz_plural(stats.segment_count, "segment", "segments"), stats.chain_count,
           grz_plural(stats.chain_count, "chain", "chains"));
    printf("contacts   %" PRIu64 " begun, %" PRIu64 " ended\n", totals->begun, totals->ended);
    printf("time       %.3f ms a step\n", cli_totals_per_step(totals, totals->seconds));
    printf("hash       %016" PRIx64 "\n", graze_world_hash(play->stage.world));
    cli_report(stdout, "picture    %s", play->options->picture);
}

int cli_demo_scene_play(const cli_options *options)
{
    scene_play play = {.scene = find_scene(options->demo_scene), .options = options};
    cli_error error;
    play.random.state = 2024;
    play.steps = options->has_steps ? options->steps : play.scene->frames[CLI_FRAME_COUNT - 1];
    cli_scene_init(&play.contents);
    play.scene->build(&play.contents, &play.random);
    bool done = cli_stage_build(&play.stage, &play.contents, play.scene->name, &error) &&
                play_recorded(&play, &error);
    if (done) {
        print_report(&play);
    }
    cli_error unused;
    cli_record_file_close(&play.record, play.stage.world, &unused);
    cli_canvas_free(&play.canvas);
    cli_stage_free(&play.stage);
    cli_scene_free(&play.contents);
    return done ? CLI_OK : cli_complain(CLI_FAILED, "%s", error.text);
}
