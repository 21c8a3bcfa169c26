// Fuzz target: the reader of Graze's own scene files.

#include "fuzz_bytes.h"
#include "scene_checks.h"
#include "scene_json.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    scene_check_text(cli_scene_from_json, data, size);
    return 0;
}
