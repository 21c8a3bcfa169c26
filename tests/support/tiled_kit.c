#include "tiled_kit.h"

#include "tiled_scene.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

const scene_reader tiled_reader = {cli_scene_from_tiled, "m.tmj"};

cli_scene tiled_read(const char *text)
{
    return reader_accept(tiled_reader, text);
}

size_t tiled_chain_count(const cli_scene *scene)
{
    return grz_list_count(scene->chains);
}

void tiled_assert_loop(const cli_scene *scene, size_t index, const float *expected, uint32_t count)
{
    assert_in_range(index, 0, tiled_chain_count(scene) - 1);
    const cli_chain *chain = &scene->chains[index];
    assert_true(chain->def.loop);
    assert_int_equal(chain->def.count, count);
    const graze_vec2 *points = scene->points + chain->first;
    float best = INFINITY;
    for (uint32_t first = 0; first < count; ++first) {
        float worst = 0;
        for (uint32_t i = 0; i < count; ++i) {
            graze_vec2 point = points[(first + i) % count];
            worst = fmaxf(worst, fabsf(point.x - expected[2 * i]));
            worst = fmaxf(worst, fabsf(point.y - expected[2 * i + 1]));
        }
        best = fminf(best, worst);
    }
    if (best > 1e-4f) {
        fail_msg("chain %zu is off by %g; it starts at %g, %g", index, (double)best,
                 (double)points[0].x, (double)points[0].y);
    }
}
