#include "totals.h"

void cli_totals_add(cli_totals *totals, const graze_world *world)
{
    const graze_world_stats stats = graze_world_get_stats(world);
    ++totals->steps;
    totals->begun += stats.begin_count;
    totals->ended += stats.end_count;
    totals->contacts += stats.contact_count;
    totals->hits += stats.hit_count;
    totals->removed += stats.removed_count;
    totals->pairs += stats.pair_count;
    for (int i = 0; i < GRAZE_PHASE_COUNT; ++i) {
        totals->phase_seconds[i] += stats.phase_seconds[i];
        totals->seconds += stats.phase_seconds[i];
    }
}

graze_phase cli_totals_slowest(const cli_totals *totals)
{
    int slowest = 0;
    for (int i = 1; i < GRAZE_PHASE_COUNT; ++i) {
        slowest = totals->phase_seconds[i] > totals->phase_seconds[slowest] ? i : slowest;
    }
    return (graze_phase)slowest;
}

double cli_totals_per_step(const cli_totals *totals, double seconds)
{
    return totals->steps ? 1e3 * seconds / totals->steps : 0;
}
