#include "bench_goals.h"

#include <stdio.h>

/// How a goal's value is computed from the medians. More is better, except for `at most`.
typedef enum goal_kind {
    GOAL_CHIPMUNK,   ///< Chipmunk's time, its better index, by ours.
    GOAL_PEERS,      ///< The faster peer's time by ours; reach is ns: engines not measured here.
    GOAL_FASTER,     ///< Our time for `other` by that for `work`.
    GOAL_AT_MOST,    ///< Our time for `work` by that for `other`, at most.
    GOAL_MEMCPY,     ///< Our time in memcpys of the same bytes, timed alternately, at most.
    GOAL_NS_AT_MOST, ///< Our time, at most.
    GOAL_STEPS,      ///< Steps a second, at HELL_ITEMS items each.
    GOAL_BYTES,      ///< Bytes an item, all in, at most.
    GOAL_GROWTH      ///< Longest by shortest time of gas 1k to 1M, at most.
} goal_kind;

typedef struct goal {
    const char *title;
    goal_kind kind;
    const char *work, *other;
    double must, reach; ///< The goal, and the best that seemed possible, by a prototype compared
                        ///< with the peers. Reach 0: no more than the goal.
} goal;

#define HELL_ITEMS 1e5 ///< Bullets of bullet-hell, the unit of its times.

#define GAS_10K  "step/gas/10k"
#define GAS_100K "step/gas/100k"
#define RAYS     "query_ray_many/"
#define HALF     "/half-hits/16k"

/// Arrays of pairs compared with one pair after the other, both storing their results.
#define BATCH(title, kernel)                                                                       \
    {                                                                                              \
        title, GOAL_FASTER, kernel "_many" HALF, kernel "_each" HALF, 3, 6                         \
    }

static const goal goals[] = {
    {"gas 10k", GOAL_CHIPMUNK, GAS_10K, 0, 13, 25},
    {"gas 100k", GOAL_CHIPMUNK, GAS_100K, 0, 30, 50},
    {"gas 1M, against 100k", GOAL_AT_MOST, "step/gas/1M", GAS_100K, 1.5, 1},
    {"gas-mixed 10k", GOAL_CHIPMUNK, "step/gas-mixed/10k", 0, 10, 20},
    {"gas-sizes 10k, against gas", GOAL_AT_MOST, "step/gas-sizes/10k", GAS_10K, 1.5, 1.2},
    {"gas-giants 10k, against gas", GOAL_AT_MOST, "step/gas-giants/10k", GAS_10K, 1.5, 1.2},
    {"gas-power 10k, against gas", GOAL_AT_MOST, "step/gas-power/10k", GAS_10K, 1.5, 1.2},
    {"heavy-tail 10k, against gas", GOAL_AT_MOST, "step/heavy-tail/10k", GAS_10K, 1.5, 1.2},
    {"gas at a twentieth of the speeds", GOAL_CHIPMUNK, "step/gas-slow/10k", 0, 7, 15},
    {"clusters 80/10, against gas", GOAL_AT_MOST, "step/clusters/10k", GAS_10K, 2, 1.5},
    {"clusters 95/1.5, against gas", GOAL_AT_MOST, "step/clusters-dense/10k", GAS_10K, 3, 2},
    {"debris 10k, against gas", GOAL_AT_MOST, "step/debris/10k", GAS_10K, 2, 1.5},
    {"rest 10k, 99 % still", GOAL_NS_AT_MOST, "step/rest/10k", 0, 4, 1},
    {"closest hit, 1k segments", GOAL_CHIPMUNK, RAYS "bullets-terrain/1k", 0, 15, 28},
    {"closest hit, 10k segments", GOAL_CHIPMUNK, RAYS "bullets-terrain/10k", 0, 15, 28},
    {"closest hit, 100k segments", GOAL_CHIPMUNK, RAYS "bullets-terrain/100k", 0, 35, 60},
    {"closest hit, 10k circles", GOAL_CHIPMUNK, RAYS "bullets-bodies/10k", 0, 9, 20},
    {"bullets-bodies, whole step", GOAL_CHIPMUNK, "step/bullets-bodies/10k", 0, 9, 20},
    {"bullet-hell, steps a second", GOAL_STEPS, "step/bullet-hell/10k", 0, 120, 240},
    {"circle-circle manifold", GOAL_PEERS, "collide_circles" HALF, 0, 1, 1.9},
    {"circle-rect manifold", GOAL_PEERS, "collide_circle_rect" HALF, 0, 1, 17},
    {"rect-rect manifold", GOAL_PEERS, "collide_rects" HALF, 0, 1, 92},
    {"circle-segment manifold", GOAL_PEERS, "collide_circle_segment" HALF, 0, 1, 19},
    {"ray-segment", GOAL_PEERS, "cast_ray_segment" HALF, 0, 1, 11},
    {"ray-circle", GOAL_PEERS, "cast_ray_circle" HALF, 0, 1, 7},
    BATCH("batch, boxes", "overlap_aabbs"),
    BATCH("batch, circle-circle overlap", "overlap_circles"),
    BATCH("batch, circle-circle manifold", "collide_circles"),
    BATCH("batch, circle-rect manifold", "collide_circle_rect"),
    BATCH("batch, rect-rect manifold", "collide_rects"),
    BATCH("batch, circle-segment manifold", "collide_circle_segment"),
    BATCH("batch, ray-segment", "cast_ray_segment"),
    BATCH("batch, ray-circle", "cast_ray_circle"),
    BATCH("batch, moving circle-circle", "cast_circle_circle"),
    {"two threads, gas 100k", GOAL_FASTER, GAS_100K "/threads:2", GAS_100K "/threads:1", 1.6, 1.9},
    {"two threads, bullet-hell", GOAL_FASTER, "step/bullet-hell/10k/threads:2",
     "step/bullet-hell/10k/threads:1", 1.6, 1.9},
    {"saving 10k bodies, 10k bullets", GOAL_MEMCPY, "snapshot_save/bullet-hell/10k", 0, 2, 0},
    {"loading them", GOAL_MEMCPY, "snapshot_load/bullet-hell/10k", 0, 5, 0},
    {"memory, all in, gas 1M", GOAL_BYTES, "step/gas/1M", 0, 200, 120},
    {"growth of the step, 1k to 1M", GOAL_GROWTH, "step/gas/1M", 0, 1.5, 0},
};

enum { GOAL_COUNT = sizeof goals / sizeof goals[0] };

typedef struct measured {
    double ours, against, value;
    const char *unit;
} measured;

static measured compare_with_peer(const bench_table *table, const goal *which, bench_peer peer)
{
    measured found = {bench_table_own(table, which->work),
                      bench_table_peer(table, peer, which->work), 0, "x"};
    found.value = found.ours > 0 ? found.against / found.ours : 0;
    return found;
}

static measured compare_with_peers(const bench_table *table, const goal *which)
{
    measured chipmunk = compare_with_peer(table, which, BENCH_CHIPMUNK);
    measured box2d = compare_with_peer(table, which, BENCH_BOX2D);
    return chipmunk.value > 0 && (box2d.value <= 0 || chipmunk.value < box2d.value) ? chipmunk
                                                                                    : box2d;
}

static measured compare_with_copy(const bench_table *table, const goal *which)
{
    return (measured){bench_table_own(table, which->work),
                      bench_table_counter(table, which->work, "memcpy_ns"),
                      bench_table_counter(table, which->work, "memcpys"), "x"};
}

static measured compare_times(const bench_table *table, const goal *which)
{
    measured found = {bench_table_own(table, which->work), bench_table_own(table, which->other), 0,
                      "x"};
    if (found.ours > 0 && found.against > 0) {
        found.value =
            which->kind == GOAL_FASTER ? found.against / found.ours : found.ours / found.against;
    }
    return found;
}

static measured find_growth(const bench_table *table)
{
    static const char *const sizes[] = {"step/gas/1k", GAS_10K, GAS_100K, "step/gas/1M"};
    measured found = {0, 0, 0, "x"};
    for (uint32_t i = 0; i < sizeof sizes / sizeof sizes[0]; ++i) {
        double time = bench_table_own(table, sizes[i]);
        if (time <= 0) {
            return (measured){0, 0, 0, "x"};
        }
        found.ours = time > found.ours ? time : found.ours;
        found.against = i == 0 || time < found.against ? time : found.against;
    }
    found.value = found.ours / found.against;
    return found;
}

static measured measure(const bench_table *table, const goal *which)
{
    double own = bench_table_own(table, which->work);
    switch (which->kind) {
    case GOAL_CHIPMUNK:
        return compare_with_peer(table, which, BENCH_CHIPMUNK);
    case GOAL_PEERS:
        return compare_with_peers(table, which);
    case GOAL_FASTER:
    case GOAL_AT_MOST:
        return compare_times(table, which);
    case GOAL_MEMCPY:
        return compare_with_copy(table, which);
    case GOAL_NS_AT_MOST:
        return (measured){own, 0, own, " ns"};
    case GOAL_STEPS:
        return (measured){own, 0, own > 0 ? 1e9 / (own * HELL_ITEMS) : 0, "/s"};
    case GOAL_BYTES:
        return (measured){0, 0, bench_table_counter(table, which->work, "bytes"), " B"};
    case GOAL_GROWTH:
        break;
    }
    return find_growth(table);
}

static bool is_at_most(goal_kind kind)
{
    return kind == GOAL_AT_MOST || kind == GOAL_MEMCPY || kind == GOAL_NS_AT_MOST ||
           kind == GOAL_BYTES || kind == GOAL_GROWTH;
}

static bool holds(const goal *which, double value, double bound)
{
    return is_at_most(which->kind) ? value <= bound : value >= bound;
}

static bool is_reached(const goal *which, const measured *found)
{
    if (which->kind == GOAL_PEERS) {
        return found->ours <= which->reach;
    }
    return which->reach > 0 && holds(which, found->value, which->reach);
}

static void write_bound(char *text, size_t size, const goal *which, double bound, const char *unit)
{
    if (bound > 0) {
        snprintf(text, size, "%s%g%s", is_at_most(which->kind) ? "<=" : "", bound, unit);
    }
}

static void write_against(goal_result *result, const goal *which, const measured *found)
{
    if (found->against > 0) {
        const char *who = which->kind == GOAL_CHIPMUNK ? "Chipmunk"
                          : which->kind == GOAL_PEERS  ? "best peer"
                          : which->kind == GOAL_MEMCPY ? "memcpy"
                                                       : "Graze";
        snprintf(result->against, sizeof result->against, "%s %.1f ns", who, found->against);
    }
}

uint32_t bench_goal_count(void)
{
    return GOAL_COUNT;
}

// Small ratios in hundredths: so 1.55x is seen to be more than 1.5x.
static int digits_of(double value)
{
    return value < 10 ? 2 : value < 100 ? 1 : 0;
}

goal_result bench_goal_judge(const bench_table *table, uint32_t number)
{
    const goal *which = &goals[number];
    goal_result result = {.title = which->title};
    measured found = measure(table, which);
    result.known = found.value > 0;
    result.met = result.known && holds(which, found.value, which->must);
    result.reached = result.met && is_reached(which, &found);
    if (found.ours > 0) {
        snprintf(result.ours, sizeof result.ours, "%.1f ns", found.ours);
    }
    write_against(&result, which, &found);
    snprintf(result.value, sizeof result.value, "%.*f%s", digits_of(found.value), found.value,
             found.unit);
    write_bound(result.must, sizeof result.must, which, which->must, found.unit);
    if (which->kind == GOAL_PEERS) {
        snprintf(result.reach, sizeof result.reach, "%g ns", which->reach);
    } else {
        write_bound(result.reach, sizeof result.reach, which, which->reach, found.unit);
    }
    return result;
}

static void print_goal(const goal_result *result)
{
    printf("%-34s %12s %20s %9s %9s %9s  %s\n", result->title, result->ours, result->against,
           result->value, result->must, result->reach,
           result->reached ? "REACHED"
           : result->met   ? "met"
                           : "not met");
}

void bench_goals_print(const bench_table *table)
{
    uint32_t known = 0;
    uint32_t met = 0;
    uint32_t reached = 0;
    for (uint32_t i = 0; i < GOAL_COUNT; ++i) {
        goal_result result = bench_goal_judge(table, i);
        if (result.known) {
            if (known++ == 0) {
                printf("\n%-34s %12s %20s %9s %9s %9s\n", "Goals", "Graze", "against", "is", "must",
                       "reach");
            }
            print_goal(&result);
            met += result.met;
            reached += result.reached;
        }
    }
    if (known > 0) {
        printf("%u of %u goals are met, %u of these reached; %u were not measured\n", met, known,
               reached, GOAL_COUNT - known);
    }
}
