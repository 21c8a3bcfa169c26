#include "tiled_load_kit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

graze_tiled_def text_def(const char *text)
{
    graze_tiled_def def = graze_tiled_def_default();
    def.path = "m.tmj";
    def.data = text;
    def.size = strlen(text);
    return def;
}

graze_tiled_map *load_text(const char *text)
{
    const graze_tiled_def def = text_def(text);
    graze_tiled_error error;
    graze_tiled_map *map = graze_tiled_load(&def, &error);
    if (!map) {
        fail_msg("%s\nis refused: %s: %s", text, error.place, error.message);
    }
    return map;
}
