#include "scene_reader.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

bool reader_try(scene_reader by, cli_scene *scene, const char *text, cli_error *error)
{
    cli_scene_init(scene);
    return by.read(scene, by.file, text, strlen(text), error);
}

cli_scene reader_accept(scene_reader by, const char *text)
{
    cli_scene scene;
    cli_error error = {""};
    if (!reader_try(by, &scene, text, &error)) {
        fail_msg("%s\nis refused: %s", text, error.text);
    }
    return scene;
}

void reader_refuse(scene_reader by, const char *text, const char *line)
{
    cli_scene scene;
    cli_error error = {""};
    if (reader_try(by, &scene, text, &error)) {
        fail_msg("%s\nis accepted", text);
    }
    if (strncmp(error.text, line, strlen(line)) != 0) {
        fail_msg("%s\nsays \"%s\"\nnot  \"%s\"", text, error.text, line);
    }
    cli_scene_free(&scene);
}
