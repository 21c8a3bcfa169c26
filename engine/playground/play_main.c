// graze_playground: plays a scene without a picture, and prints the hash of its state. The page
// gives the same hash after the same steps and the same touches, which a file may hold.

#include "play_scene.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "Usage: graze_playground SCENE [STEPS [THREADS [BULLETS [TOUCHES]]]]\n"
    "\n"
    "Plays the scene for STEPS steps (600 by default), with THREADS threads (1) and, in the "
    "bullet\n"
    "hell, up to BULLETS bullets (20000), and prints the hash of its state.\n"
    "TOUCHES is a file of lines such as \"30 touch 0 0 1.5 2\" (before step 30: the tool, its "
    "phase\n"
    "and the place, as in playground.h), or \"30 keys 2\".\n"
    "\n"
    "Scenes:";

static int show_usage(void)
{
    fputs(usage, stderr);
    for (uint32_t i = 0; i < play_scene_count(); ++i) {
        fprintf(stderr, " %s", play_scene_name(i));
    }
    fputc('\n', stderr);
    return 2;
}

static uint32_t find_scene(const char *name)
{
    uint32_t scene = 0;
    while (scene < play_scene_count() && strcmp(play_scene_name(scene), name) != 0) {
        ++scene;
    }
    return scene;
}

// Reads a whole number up to a million; false if the text is none.
static bool read_number(const char *text, uint32_t *number)
{
    char *end;
    const unsigned long value = strtoul(text, &end, 10);
    *number = (uint32_t)value;
    return text[0] >= '0' && text[0] <= '9' && *end == 0 && value <= 1000000;
}

/// A file of touches, and its next line.
typedef struct touch_file {
    const char *path;
    FILE *file;            ///< Null if there is none.
    unsigned number, step; ///< Of the line; before which step it happens.
    char line[128];
    bool has_line;
} touch_file;

static bool complain_of_line(const touch_file *touches, const char *fault)
{
    fprintf(stderr, "graze_playground: %s:%u: %s: %s\n", touches->path, touches->number, fault,
            touches->line);
    return false;
}

// Returns false if the line is none of touches.
static bool read_line(touch_file *touches)
{
    const unsigned before = touches->step;
    touches->has_line =
        touches->file && fgets(touches->line, sizeof touches->line, touches->file) != NULL;
    ++touches->number;
    if (!touches->has_line) {
        return true;
    }
    touches->line[strcspn(touches->line, "\r\n")] = 0;
    if (sscanf(touches->line, "%u", &touches->step) != 1) {
        return complain_of_line(touches, "a line begins with a step");
    }
    return touches->step >= before || complain_of_line(touches, "this step is before the last");
}

static bool use_line(play *game, const touch_file *touches)
{
    unsigned tool;
    unsigned phase;
    unsigned keys;
    float x;
    float y;
    if (sscanf(touches->line, "%*u touch %u %u %f %f", &tool, &phase, &x, &y) == 4 &&
        tool <= PLAY_DIG && phase <= PLAY_UP) {
        play_touch(game, (play_tool)tool, (play_touch_phase)phase, x, y);
        return true;
    }
    if (sscanf(touches->line, "%*u keys %u", &keys) == 1) {
        play_set_keys(game, keys);
        return true;
    }
    return complain_of_line(touches, "neither a touch nor keys");
}

// What happens before a step.
static bool use_lines(play *game, touch_file *touches, uint32_t step)
{
    while (touches->has_line && touches->step <= step) {
        if (!use_line(game, touches) || !read_line(touches)) {
            return false;
        }
    }
    return true;
}

static bool play_steps(play *game, uint32_t steps, touch_file *touches)
{
    if (!read_line(touches)) {
        return false;
    }
    for (uint32_t step = 0; step < steps; ++step) {
        if (!use_lines(game, touches, step)) {
            return false;
        }
        if (!play_step(game)) {
            fprintf(stderr, "graze_playground: step %" PRIu32 ": %s\n", step, play_message(game));
            return false;
        }
    }
    return use_lines(game, touches, steps);
}

static void print_report(play *game)
{
    const play_report *report = play_measure(game);
    double milliseconds = 0;
    for (int i = 0; i < GRAZE_PHASE_COUNT; ++i) {
        milliseconds += (double)report->phases[i];
    }
    printf("scene     %s\n", game->scene->name);
    printf("steps     %" PRIu32 "\n", play_step_number(game));
    printf("bodies    %.0f, %.0f of them asleep\n", (double)report->bodies, (double)report->asleep);
    printf("contacts  %.0f\n", (double)report->contacts);
    printf("time      %.3f ms a step\n", milliseconds);
    if (play_note(game)[0]) {
        printf("note      %s\n", play_note(game));
    }
    printf("hash      %016" PRIx64 "\n", play_hash(game));
}

int main(int argc, char **argv)
{
    uint32_t numbers[] = {600, 1, 0}; // Steps, threads, bullets.
    const uint32_t scene = argc > 1 ? find_scene(argv[1]) : UINT32_MAX;
    if (argc > 6 || scene >= play_scene_count()) {
        return show_usage();
    }
    for (int i = 2; i < argc && i < 5; ++i) {
        if (!read_number(argv[i], &numbers[i - 2])) {
            return show_usage();
        }
    }
    touch_file touches = {.path = argc > 5 ? argv[5] : NULL};
    touches.file = touches.path ? fopen(touches.path, "r") : NULL;
    if (touches.path && !touches.file) {
        fprintf(stderr, "graze_playground: cannot read %s\n", touches.path);
        return 1;
    }
    play *game = play_create(numbers[1]);
    const bool done =
        game && play_start(game, scene, numbers[2]) && play_steps(game, numbers[0], &touches);
    if (done) {
        print_report(game);
    }
    play_destroy(game);
    if (touches.file) {
        fclose(touches.file);
    }
    return done ? 0 : 1;
}
