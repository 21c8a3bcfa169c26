#include "run_command.h"

#include "contact_csv.h"
#include "output_file.h"
#include "picture.h"
#include "plural.h"
#include "progress.h"
#include "record_file.h"
#include "same_file.h"
#include "scene.h"
#include "totals.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { LONGEST_PATH = 4096 + 16 }; ///< As long as systems allow, and a number.

/// A running run.
typedef struct scene_run {
    const cli_options *options;
    cli_scene scene;
    cli_stage stage;
    cli_contact_csv csv;
    cli_record_file record;
    cli_totals totals;
    cli_error error;
} scene_run;

static uint32_t tint_by_number(const graze_world *world, graze_body_id body, void *user)
{
    (void)world;
    const cli_stage *stage = user;
    return cli_picture_color(stage->body_numbers[body.index]);
}

// FILE.png becomes FILE-000010.png; the number goes to the end if there is no suffix.
static void number_path(const char *path, uint32_t step, char *numbered, size_t size)
{
    const char *dot = strrchr(path, '.');
    bool has_suffix = dot && !strpbrk(dot, "/\\");
    int stem = has_suffix ? (int)(dot - path) : (int)strlen(path);
    snprintf(numbered, size, "%.*s-%06" PRIu32 "%s", stem, path, step, path + stem);
}

static bool draw(scene_run *run, const char *path)
{
    float seconds = (float)run->scene.steps * run->scene.dt;
    const cli_picture picture = {.scene = &run->scene,
                                 .view = cli_picture_view(&run->scene, seconds),
                                 .streak = 3 * run->scene.dt,
                                 .tint = tint_by_number,
                                 .tint_user = &run->stage};
    cli_canvas canvas;
    cli_picture_draw(&picture, run->stage.world, &canvas);
    bool done = cli_canvas_write(&canvas, path, &run->error);
    cli_canvas_free(&canvas);
    return done;
}

static bool draw_numbered(scene_run *run, uint32_t step)
{
    char path[LONGEST_PATH];
    number_path(run->options->picture, step, path, sizeof path);
    return draw(run, path);
}

static bool run_step(scene_run *run, uint32_t step)
{
    graze_status status = graze_world_step(run->stage.world, run->scene.dt);
    if (status != GRAZE_OK) {
        return cli_fail(&run->error, "%s: step %" PRIu32 ": %s", run->options->scene, step,
                        graze_status_text(status));
    }
    cli_totals_add(&run->totals, run->stage.world);
    if (!cli_contact_csv_write(&run->csv, &run->stage, step)) {
        return cli_contact_csv_close(&run->csv, &run->error);
    }
    if (cli_contact_csv_warns(&run->csv, CLI_LARGE_TABLE)) {
        cli_complain(CLI_OK, "%s: note: more than 1 GiB after %" PRIu32 " of %" PRIu32 " steps",
                     run->csv.path, step, run->scene.steps);
    }
    if (!cli_record_file_check(&run->record, run->stage.world, &run->error)) {
        return false;
    }
    bool is_drawn = run->options->every > 0 && step % run->options->every == 0;
    return !is_drawn || draw_numbered(run, step);
}

static bool run_steps(scene_run *run)
{
    cli_progress progress =
        cli_progress_start(run->scene.steps, cli_options_prints_contacts(run->options));
    bool done = true;
    for (uint32_t step = 1; done && step <= run->scene.steps; ++step) {
        done = run_step(run, step);
        cli_progress_update(&progress, step);
    }
    cli_progress_end(&progress);
    return done;
}

// Of the last step.
static void print_grid(FILE *file, const graze_grid_choice *grid)
{
    const double bodies = grid->body_count ? grid->body_count : 1;
    fprintf(file,
            "grid       %" PRIu32 " %s in %" PRIu32 " %s of %.4g to %.4g units, %" PRIu32
            " size %s\n",
            grid->body_count, grz_plural(grid->body_count, "body", "bodies"), grid->cell_count,
            grz_plural(grid->cell_count, "cell", "cells"), grid->smallest_cell, grid->largest_cell,
            grid->class_count, grz_plural(grid->class_count, "class", "classes"));
    fprintf(file,
            "  chosen   %" PRIu32 " %s kept, %" PRIu32
            " made finer; crowding %.2f, at first %.2f\n",
            grid->kept_count, grz_plural(grid->kept_count, "class", "classes"), grid->refined_count,
            grid->crowding, grid->first_crowding);
    fprintf(file, "  tested   %.2f boxes a body\n", (double)grid->tested_count / bodies);
}

static void print_stats(FILE *file, const scene_run *run, graze_world_stats stats)
{
    const cli_totals *totals = &run->totals;
    fprintf(file, "pairs      %" PRIu64 " %s, %" PRIu64 " %s reported\n", totals->pairs,
            grz_plural(totals->pairs, "candidate", "candidates"), totals->contacts,
            grz_plural(totals->contacts, "contact", "contacts"));
    print_grid(file, &stats.grid);
    fprintf(file, "memory     %.1f KiB\n", (double)stats.byte_count / 1024);
    fprintf(file, "time       %.4f ms a step\n", cli_totals_per_step(totals, totals->seconds));
    for (int i = 0; i < GRAZE_PHASE_COUNT; ++i) {
        fprintf(file, "  %-8s %.4f ms\n", graze_phase_name((graze_phase)i),
                cli_totals_per_step(totals, totals->phase_seconds[i]));
    }
}

static void print_report(FILE *file, const scene_run *run)
{
    graze_world_stats stats = graze_world_get_stats(run->stage.world);
    const cli_totals *totals = &run->totals;
    cli_report(file, "scene      %s", run->options->scene);
    fprintf(file, "steps      %" PRIu32 " of %.6g s\n", totals->steps, (double)run->scene.dt);
    fprintf(file, "bodies     %zu at the start, %" PRIu32 " at the end\n",
            grz_list_count(run->scene.bodies), stats.body_count);
    fprintf(file, "terrain    %" PRIu32 " %s, %" PRIu32 " %s\n", stats.chain_count,
            grz_plural(stats.chain_count, "chain", "chains"), stats.segment_count,
            grz_plural(stats.segment_count, "segment", "segments"));
    fprintf(file, "contacts   %" PRIu64 " begun, %" PRIu64 " ended\n", totals->begun,
            totals->ended);
    fprintf(file, "hits       %" PRIu64 "\n", totals->hits);
    if (run->options->stats) {
        print_stats(file, run, stats);
    }
    if (run->options->hash) {
        fprintf(file, "hash       %016" PRIx64 "\n", graze_world_hash(run->stage.world));
    }
}

// Prints what the log said although every call succeeded: lanes that are not available, bodies
// stopped at the end of float's range.
static void print_last_log(const scene_run *run)
{
    if (run->stage.log.text[0]) {
        cli_complain(CLI_OK, "%s: note: %s", run->options->scene, run->stage.log.text);
    }
}

static void note_no_picture(const scene_run *run)
{
    const cli_options *options = run->options;
    if (options->every > run->scene.steps) {
        cli_complain(CLI_OK, "%s: note: no picture: --every %" PRIu32 ", but %" PRIu32 " %s",
                     options->scene, options->every, run->scene.steps,
                     grz_plural(run->scene.steps, "step", "steps"));
    }
}

static bool finish(scene_run *run)
{
    const cli_options *options = run->options;
    bool is_drawn = options->picture && options->every == 0;
    if (!cli_contact_csv_close(&run->csv, &run->error) ||
        !cli_record_file_close(&run->record, run->stage.world, &run->error) ||
        (is_drawn && !draw(run, options->picture))) {
        return false;
    }
    print_last_log(run);
    note_no_picture(run);
    print_report(cli_options_prints_contacts(options) ? stderr : stdout, run);
    return true;
}

typedef bool check_path(scene_run *run, const char *path);

// Takes microseconds for each, where drawing it takes milliseconds.
static bool check_numbered(scene_run *run, check_path *check)
{
    const cli_options *options = run->options;
    bool done = true;
    for (uint32_t step = options->every; done && step > 0 && step <= run->scene.steps;
         step += options->every) {
        char path[LONGEST_PATH];
        number_path(options->picture, step, path, sizeof path);
        done = check(run, path);
    }
    return done;
}

static bool check_output(scene_run *run, const char *path)
{
    return cli_output_check(path, &run->error);
}

static bool check_pictures(scene_run *run)
{
    const cli_options *options = run->options;
    return options->every > 0 ? check_numbered(run, check_output)
                              : check_output(run, options->picture);
}

// If one of them cannot be written, the others are left as they are. So the record is the first to
// be opened: it may be too large.
static bool open_outputs(scene_run *run)
{
    const cli_options *options = run->options;
    return cli_output_check(options->contacts, &run->error) &&
           cli_output_check(options->record, &run->error) && check_pictures(run) &&
           (!options->record ||
            cli_record_file_open(&run->record, options->record, run->stage.world, run->scene.steps,
                                 &run->error)) &&
           (!options->contacts || cli_contact_csv_open(&run->csv, options->contacts, &run->error));
}

static int run_stage(scene_run *run)
{
    bool done = open_outputs(run) && run_steps(run) && finish(run);
    cli_error unused;
    cli_contact_csv_discard(&run->csv);
    cli_record_file_close(&run->record, run->stage.world, &unused);
    cli_stage_free(&run->stage);
    return done ? CLI_OK : cli_complain(CLI_FAILED, "%s", run->error.text);
}

static void apply_options(cli_scene *scene, const cli_options *options)
{
    if (options->has_steps) {
        scene->steps = options->steps;
    }
    if (options->has_dt) {
        scene->dt = options->dt;
    }
}

static void print_notes(const cli_scene *scene, const char *path)
{
    for (size_t i = 0; i < grz_list_count(scene->notes); ++i) {
        cli_complain(CLI_OK, "%s: note: %s", path, scene->notes[i]);
    }
}

// A picture that exists may be one of them by a link, so each is compared.
static bool check_not_read(scene_run *run, const char *path)
{
    const cli_named_file picture = {"--picture", path};
    bool done = cli_options_check_file(run->options, "--picture", path, &run->error);
    for (size_t i = 0; done && i < grz_list_count(run->scene.files); ++i) {
        const cli_named_file tileset = {"the tileset", run->scene.files[i]};
        done = cli_check_two_files(tileset, picture, &run->error);
    }
    return done;
}

static bool check_files(scene_run *run)
{
    const cli_scene *scene = &run->scene;
    bool done = true;
    for (size_t i = 0; done && i < grz_list_count(scene->files); ++i) {
        done = cli_options_check_file(run->options, "the tileset", scene->files[i], &run->error);
    }
    return done && check_numbered(run, check_not_read);
}

int cli_run(const cli_options *options)
{
    scene_run run = {.options = options};
    if (!cli_scene_read(&run.scene, options->scene, &options->solid, &run.error)) {
        return cli_complain(CLI_REFUSED, "%s", run.error.text);
    }
    apply_options(&run.scene, options);
    bool is_built =
        check_files(&run) && cli_stage_build(&run.stage, &run.scene, options->scene, &run.error);
    if (is_built) {
        print_notes(&run.scene, options->scene);
    }
    int status = is_built ? run_stage(&run) : cli_complain(CLI_REFUSED, "%s", run.error.text);
    cli_scene_free(&run.scene);
    return status;
}
