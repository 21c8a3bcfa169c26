// Fuzz target: the reader of Tiled maps. Tilesets in files of their own are never found.

#include "fuzz_bytes.h"
#include "scene_checks.h"
#include "tiled_scene.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    scene_check_text(cli_scene_from_tiled, data, size);
    return 0;
}
