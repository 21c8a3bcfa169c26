#include "instructions.h"

#include "bench_memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char heading[] =
    "# Instructions of fixed scenes, counted by callgrind: what ./dev guard compares with.\n"
    "# Written by ./dev guard --accept. A line: compiler, lanes, scene, instructions.\n";

static bool is_blank(const char *text)
{
    return text[strspn(text, " \t\n")] == '\0' || text[0] == '#';
}

static bool read_lines(instructions_file *file, FILE *from, const char *path)
{
    char text[256];
    while (fgets(text, sizeof text, from)) {
        instructions_line line;
        if (is_blank(text)) {
            continue;
        }
        if (sscanf(text, "%39s %39s %39s %" SCNu64, line.compiler, line.lanes, line.scene,
                   &line.count) != 4) {
            fprintf(stderr, "%s: not compiler, lanes, scene, instructions: %s", path, text);
            return false;
        }
        instructions_add(file, &line);
    }
    return true;
}

bool instructions_read(instructions_file *file, const char *path)
{
    FILE *from = fopen(path, "r");
    if (!from) {
        return true;
    }
    bool right = read_lines(file, from, path);
    fclose(from);
    return right;
}

bool instructions_write(const instructions_file *file, const char *path)
{
    FILE *to = fopen(path, "w");
    if (!to) {
        perror(path);
        return false;
    }
    fputs(heading, to);
    for (uint32_t i = 0; i < file->line_count; ++i) {
        const instructions_line *line = &file->lines[i];
        fprintf(to, "%s %s %s %" PRIu64 "\n", line->compiler, line->lanes, line->scene,
                line->count);
    }
    bool written = !ferror(to);
    return fclose(to) == 0 && written;
}

void instructions_free(instructions_file *file)
{
    free(file->lines);
    file->lines = NULL;
    file->line_count = 0;
}

instructions_line *instructions_find(const instructions_file *file, const char *compiler,
                                     const char *lanes, const char *scene)
{
    for (uint32_t i = 0; i < file->line_count; ++i) {
        instructions_line *line = &file->lines[i];
        if (strcmp(line->compiler, compiler) == 0 && strcmp(line->lanes, lanes) == 0 &&
            strcmp(line->scene, scene) == 0) {
            return line;
        }
    }
    return NULL;
}

bool instructions_know(const instructions_file *file, const char *compiler)
{
    for (uint32_t i = 0; i < file->line_count; ++i) {
        if (strcmp(file->lines[i].compiler, compiler) == 0) {
            return true;
        }
    }
    return false;
}

void instructions_add(instructions_file *file, const instructions_line *line)
{
    instructions_line *lines = bench_allocate(file->line_count + 1, sizeof *lines);
    if (file->line_count > 0) {
        memcpy(lines, file->lines, file->line_count * sizeof *lines);
    }
    free(file->lines);
    file->lines = lines;
    file->lines[file->line_count++] = *line;
}

void instructions_remove(instructions_file *file, const char *compiler, const char *lanes)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < file->line_count; ++i) {
        const instructions_line *line = &file->lines[i];
        if (strcmp(line->compiler, compiler) != 0 || strcmp(line->lanes, lanes) != 0) {
            file->lines[kept++] = *line;
        }
    }
    file->line_count = kept;
}
