// What filters cost, in whole steps and in queries: nanoseconds a bullet, a body where there are no
// bullets, or a query. All move straight, and nothing responds.
//
// The first step of each is checked against a world that asks the game about each pair.

#include "bench_memory.h"
#include "bench_shim.h"
#include "bench_suites.h"

#include <graze/graze.h>

#include "random.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { SEED = 1, WARM_UP_STEPS = 4, SEARCHES = 1000, LITTLE_WORK = 40, MUCH_WORK = 8 };

static const float step_seconds = 1.0f / 60;

/// Which filters bodies have. Movers meet each other, and bullets do not, unless it says so.
typedef enum filter_rule {
    RULE_DEFAULT, ///< All meet, without filters.
    RULE_OPEN,    ///< All meet, bullets too, but movers and bullets have filters of their own.
    RULE_TEAMS,   ///< Bullets meet movers.
    RULE_SIDES,   ///< Two kinds of bullets, each of which meets one of three kinds of movers.
    RULE_GROUPS,  ///< The same, and each body has one of a thousand negative groups.
    RULE_FORTY,   ///< Twenty kinds of bullets, and twenty of movers, which not all meet.
    RULE_MANY     ///< 300 filters of movers, which all meet.
} filter_rule;

static const char *const rule_names[] = {"default", "open",  "teams", "sides",
                                         "groups",  "forty", "many"};

/// Circles of radius 0.5 that move, and bullets among them, so that both together cover a part of
/// a square.
typedef struct filter_stage {
    const char *name;
    filter_rule rule;
    uint32_t movers, bullets;
    double cover;
    bool rays;    ///< Bullets are rays; else circles of half the radius.
    bool clumped; ///< Bullets are in one point.
    bool quick;
    uint32_t steps;
} filter_stage;

static const filter_stage stages[] = {
    {"gas/10k", RULE_DEFAULT, 10000, 0, 0.2, false, false, false, LITTLE_WORK},
    {"gas/10k", RULE_FORTY, 10000, 0, 0.2, false, false, false, LITTLE_WORK},
    {"gas/10k", RULE_MANY, 10000, 0, 0.2, false, false, false, LITTLE_WORK},
    {"cover-02/10k", RULE_DEFAULT, 10000, 100000, 0.2, false, false, false, MUCH_WORK},
    {"cover-02/10k", RULE_OPEN, 10000, 100000, 0.2, false, false, false, MUCH_WORK},
    {"cover-02/10k", RULE_TEAMS, 10000, 100000, 0.2, false, false, true, MUCH_WORK},
    {"cover-2/10k", RULE_DEFAULT, 10000, 100000, 2, false, false, false, MUCH_WORK},
    {"cover-2/10k", RULE_OPEN, 10000, 100000, 2, false, false, false, MUCH_WORK},
    {"cover-2/10k", RULE_TEAMS, 10000, 100000, 2, false, false, true, MUCH_WORK},
    {"cover-2/10k", RULE_SIDES, 10000, 100000, 2, false, false, false, MUCH_WORK},
    {"cover-2/10k", RULE_GROUPS, 10000, 100000, 2, false, false, false, MUCH_WORK},
    {"cover-2/10k", RULE_FORTY, 10000, 100000, 2, false, false, false, MUCH_WORK},
    {"cover-10/10k", RULE_TEAMS, 10000, 100000, 10, false, false, false, MUCH_WORK},
    {"cover-10/10k", RULE_FORTY, 10000, 100000, 10, false, false, false, MUCH_WORK},
    {"point/10k", RULE_TEAMS, 0, 10000, 1, false, true, false, MUCH_WORK},
    {"rays/10k", RULE_DEFAULT, 10000, 100000, 0.2, true, false, false, MUCH_WORK},
    {"rays/10k", RULE_TEAMS, 10000, 100000, 0.2, true, false, true, MUCH_WORK},
};

enum { STAGE_COUNT = sizeof stages / sizeof stages[0] };

static void set_sides(graze_filter *filter, bool mover, uint32_t number)
{
    static const uint32_t mover_masks[] = {16, 8, 0};
    const uint32_t side = number % 3, kind = number % 2;
    filter->category = mover ? UINT32_C(1) << side : UINT32_C(8) << kind;
    filter->mask = mover ? mover_masks[side] | 7 : kind ? 5 : 6;
}

static void set_forty(graze_filter *filter, bool mover, uint32_t number)
{
    const uint32_t kind = number % 20;
    filter->category = mover ? UINT32_C(1) << kind : UINT32_C(1) << 31;
    filter->mask = mover ? ~(UINT32_C(1) << (kind + 1) % 20) : 0xFFFFF & ~(UINT32_C(1) << kind);
}

static graze_filter make_filter(filter_rule rule, bool mover, uint32_t number)
{
    graze_filter filter = graze_filter_default();
    filter.category = mover || rule == RULE_DEFAULT ? 1 : 2;
    if (rule == RULE_TEAMS && !mover) {
        filter.mask = 1;
    } else if (rule == RULE_SIDES || rule == RULE_GROUPS) {
        set_sides(&filter, mover, number);
        filter.group = rule == RULE_GROUPS ? -(int32_t)(number / 6 % 1000) - 1 : 0;
    } else if (rule == RULE_FORTY) {
        set_forty(&filter, mover, number);
    } else if (rule == RULE_MANY) {
        filter.category = 1 + 2 * (number % 300);
    }
    return filter;
}

static float find_side(const filter_stage *on)
{
    const double quarter = 0.7853981633974483; // The area of a circle of radius 0.5.
    const bool round = !on->rays && !on->clumped;
    const double area = quarter * on->movers + (round ? quarter / 4 * on->bullets : 0);
    return (float)sqrt(area / on->cover);
}

static graze_vec2 draw_vector(random_state *random, float low, float high)
{
    const float x = random_float(random, low, high);
    const graze_vec2 drawn = {x, random_float(random, low, high)};
    return drawn;
}

static graze_body_def draw_body(random_state *random, const filter_stage *on, uint32_t number)
{
    const bool mover = number < on->movers;
    const float side = find_side(on);
    graze_body_def def = graze_body_def_default();
    def.response = GRAZE_PASS;
    def.shape = mover      ? graze_shape_circle(0.5f)
                : on->rays ? graze_shape_ray()
                           : graze_shape_circle(0.25f);
    def.position = draw_vector(random, 0, side);
    def.velocity = draw_vector(random, -10, 10);
    if (!mover && on->clumped) {
        def.position.x = def.position.y = side / 2;
    }
    if (!mover && on->rays) {
        def.velocity = draw_vector(random, -60, 60);
    }
    def.filter = make_filter(on->rule, mover, random_below(random, 60000));
    return def;
}

/// A world, and the filters of its bodies, by index.
typedef struct filter_world {
    graze_world *world;
    graze_filter *filters;
} filter_world;

static bool do_meet(graze_filter a, graze_filter b)
{
    return a.group && a.group == b.group ? a.group > 0
                                         : (a.category & b.mask) != 0 && (b.category & a.mask) != 0;
}

static bool ask(const graze_world *world, graze_body_id a, graze_body_id b,
                graze_segment_id segment, void *user)
{
    const filter_world *own = user;
    (void)world;
    (void)segment;
    return do_meet(own->filters[a.index], own->filters[b.index]);
}

// With `asks`, the bodies have no filters, and the game is asked for them.
static void make_world(filter_world *made, const filter_stage *on, bool asks)
{
    const uint32_t count = on->movers + on->bullets;
    random_state random = random_seed(SEED);
    graze_world_def def = graze_world_def_default();
    def.filter = asks ? ask : NULL;
    def.filter_user = made;
    made->world = graze_world_create(&def);
    made->filters = bench_allocate(count, sizeof *made->filters);
    for (uint32_t i = 0; i < count; ++i) {
        graze_body_def body = draw_body(&random, on, i);
        made->filters[i] = body.filter;
        body.filter = asks ? graze_filter_default() : body.filter;
        if (graze_body_create(made->world, &body).index != i) {
            fprintf(stderr, "graze_bench: filters: no body\n");
            exit(1);
        }
    }
}

static void free_world(filter_world *made)
{
    graze_world_destroy(made->world);
    free(made->filters);
}

static bool check_step(bench_state *state, const filter_stage *on, graze_world *world)
{
    filter_world asked;
    make_world(&asked, on, true);
    (void)graze_world_step(asked.world, step_seconds);
    const uint32_t expected = graze_world_contacts(asked.world).count;
    const uint32_t count = graze_world_contacts(world).count;
    free_world(&asked);
    if (count != expected) {
        char message[80];
        snprintf(message, sizeof message, "%u contacts, not %u", (unsigned)count,
                 (unsigned)expected);
        bench_fail(state, message);
    }
    return count == expected;
}

static void set_counters(bench_state *state, const graze_world *world, double items)
{
    const graze_world_stats stats = graze_world_get_stats(world);
    bench_set_items(state, items);
    bench_set_counter(state, "pairs", (double)stats.pair_count / items);
    bench_set_counter(state, "tested", (double)stats.grid.tested_count / items);
    bench_set_counter(state, "contacts", stats.contact_count / items);
    bench_set_counter(state, "classes", stats.grid.class_count);
}

static void run_steps(bench_state *state, const void *argument)
{
    const filter_stage *on = argument;
    filter_world made;
    make_world(&made, on, false);
    bool right = graze_world_step(made.world, step_seconds) == GRAZE_OK;
    right = right && check_step(state, on, made.world);
    for (uint32_t i = 1; right && i < WARM_UP_STEPS; ++i) {
        (void)graze_world_step(made.world, step_seconds);
    }
    while (right && bench_next(state)) {
        bench_start(state);
        (void)graze_world_step(made.world, step_seconds);
        bench_stop(state);
    }
    set_counters(state, made.world, on->bullets ? on->bullets : on->movers);
    free_world(&made);
}

// --- Queries ---

/// The nearest of 2000 among 20 000 rays, which are in a clump around half of the searches.
static const filter_stage among = {
    "among-bullets/2k", RULE_TEAMS, 2000, 20000, 0.043, true, true, true, 10};

static uint32_t search(const graze_world *world, graze_vec2 point)
{
    const graze_filter hunter = {.category = 2, .mask = 1};
    graze_body_id nearest;
    return graze_query_nearest(world, point, 15, hunter, &nearest, 1);
}

static uint32_t count_movers_near(const graze_world *world, graze_vec2 point)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < among.movers; ++i) {
        const graze_vec2 at = graze_body_position(world, graze_world_body_at(world, i));
        const graze_circle around = {at, 15.5f};
        count += graze_overlap_point_circle(point, around);
    }
    return count;
}

static graze_vec2 draw_search(random_state *random, uint32_t number)
{
    const float side = find_side(&among);
    return number % 2 ? draw_vector(random, side / 2 - 10, side / 2 + 10)
                      : draw_vector(random, 0, side);
}

static uint32_t search_all(const graze_world *world)
{
    random_state random = random_seed(SEED);
    uint32_t found = 0;
    for (uint32_t i = 0; i < SEARCHES; ++i) {
        found += search(world, draw_search(&random, i));
    }
    return found;
}

static uint32_t count_all(const graze_world *world)
{
    random_state random = random_seed(SEED);
    uint32_t count = 0;
    for (uint32_t i = 0; i < SEARCHES; ++i) {
        count += count_movers_near(world, draw_search(&random, i));
    }
    return count;
}

static void run_searches(bench_state *state, const void *argument)
{
    filter_world made;
    make_world(&made, argument, false);
    (void)graze_world_step(made.world, step_seconds);
    const uint32_t found = search_all(made.world);
    if (found != count_all(made.world)) {
        bench_fail(state, "not all that are near were found");
    }
    while (bench_next(state)) {
        bench_start(state);
        (void)search_all(made.world);
        bench_stop(state);
    }
    bench_set_items(state, SEARCHES);
    bench_set_counter(state, "found", (double)found / SEARCHES);
    free_world(&made);
}

void bench_register_filters(bench_plan plan)
{
    for (uint32_t i = 0; i < STAGE_COUNT; ++i) {
        if (!plan.quick || stages[i].quick) {
            char name[80];
            snprintf(name, sizeof name, "engine/step_filtered/%s-%s", rule_names[stages[i].rule],
                     stages[i].name);
            bench_register(name, run_steps, &stages[i], stages[i].steps);
        }
    }
    bench_register("engine/query_nearest/among-bullets/2k", run_searches, &among, among.steps);
}
