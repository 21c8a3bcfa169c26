#include "misses.h"

#include "shooter.h"

#include <stdio.h>
#include <stdlib.h>

enum {
    SEED = 1,
    SHOTS = 100, ///< A loop.
    LOOPS = 1000,
    QUICK_LOOPS = 200,
    COURSES = 500, ///< A world.
    WORLDS = 20,
    QUICK_WORLDS = 4
};

static const shooter *const shooters[] = {
    &shooter_graze,
#ifdef GRAZE_BENCH_CHIPMUNK
    &shooter_chipmunk,
#endif
#ifdef GRAZE_BENCH_BOX2D
    &shooter_box2d,
#endif
};

enum { SHOOTER_COUNT = sizeof shooters / sizeof shooters[0] };

/// Of one kind of shot: how many were fired, and what went wrong by each engine.
typedef struct tally {
    uint32_t fired;
    uint32_t wrong[SHOOTER_COUNT];
    bool tried[SHOOTER_COUNT];
} tally;

// --- Loops ---

typedef struct loop_family {
    const char *name;
    shot_loop (*draw_loop)(random_state *random);
    graze_ray (*draw_shot)(random_state *random, const shot_loop *loop);
    uint32_t (*count_wrong)(const shooter *by, void *range, const graze_ray *shots);
} loop_family;

static bool is_stopped_by_casts(const shooter *by, void *range, graze_ray shot, uint32_t steps)
{
    bool stopped = false;
    for (uint32_t i = 0; i < steps && !stopped; ++i) {
        stopped = by->cast(range, shot);
        shot.origin = graze_vec2_add(shot.origin, shot.delta);
    }
    return stopped;
}

static uint32_t count_let_through(const shooter *by, void *range, const graze_ray *shots,
                                  uint32_t steps)
{
    bool stopped[SHOTS];
    uint32_t count = 0;
    for (uint32_t i = 0; i < SHOTS; ++i) {
        stopped[i] = true;
    }
    if (by->fire) {
        by->fire(range, shots, SHOTS, steps, stopped);
    }
    for (uint32_t i = 0; i < SHOTS; ++i) {
        count += !stopped[i] || !is_stopped_by_casts(by, range, shots[i], steps);
    }
    return count;
}

static uint32_t count_missed(const shooter *by, void *range, const graze_ray *shots)
{
    return count_let_through(by, range, shots, 1);
}

static uint32_t count_gone_on(const shooter *by, void *range, const graze_ray *shots)
{
    return count_let_through(by, range, shots, 2);
}

static uint32_t count_reported_twice(const shooter *by, void *range, const graze_ray *shots)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < SHOTS; ++i) {
        count += by->count_hits(range, shots[i]) > 1;
    }
    return count;
}

static void try_loop(const loop_family *family, const shot_loop *loop, const graze_ray *shots,
                     tally *found)
{
    for (uint32_t i = 0; i < SHOOTER_COUNT; ++i) {
        void *range = shooters[i]->build(loop);
        found->wrong[i] += family->count_wrong(shooters[i], range, shots);
        found->tried[i] = true;
        shooters[i]->destroy(range);
    }
    found->fired += SHOTS;
}

static tally try_loops(const loop_family *family, uint32_t loops)
{
    tally found = {.fired = 0};
    random_state random = random_seed(SEED);
    for (uint32_t i = 0; i < loops; ++i) {
        graze_ray shots[SHOTS];
        shot_loop loop = family->draw_loop(&random);
        for (uint32_t j = 0; j < SHOTS; ++j) {
            shots[j] = family->draw_shot(&random, &loop);
        }
        try_loop(family, &loop, shots, &found);
    }
    return found;
}

// --- Courses ---

typedef void fly_courses(const course *courses, uint32_t count, bool *met);

static uint32_t count_not_met(fly_courses *fly, const course *courses)
{
    bool met[COURSES];
    uint32_t count = 0;
    fly(courses, COURSES, met);
    for (uint32_t i = 0; i < COURSES; ++i) {
        count += !met[i];
    }
    return count;
}

static tally try_courses(float speed, bool by_casts, uint32_t worlds)
{
    tally found = {.fired = worlds * COURSES};
    random_state random = random_seed(SEED);
    for (uint32_t i = 0; i < worlds; ++i) {
        course courses[COURSES];
        shot_draw_courses(&random, speed, courses, COURSES);
        for (uint32_t j = 0; j < SHOOTER_COUNT; ++j) {
            fly_courses *fly = by_casts ? shooters[j]->fly_by_casts : shooters[j]->fly;
            found.tried[j] = fly != NULL;
            found.wrong[j] += fly ? count_not_met(fly, courses) : 0;
        }
    }
    return found;
}

// --- The table ---

/// Chipmunk says who it is when it is first used: not in the middle of the table.
static void wake_engines(void)
{
    random_state random = random_seed(SEED);
    shot_loop loop = shot_draw_near_loop(&random);
    for (uint32_t i = 0; i < SHOOTER_COUNT; ++i) {
        shooters[i]->destroy(shooters[i]->build(&loop));
    }
}

static void print_heading(void)
{
    printf("\nShots that went wrong, of those fired\n\n%-46s %9s", "", "fired");
    for (uint32_t i = 0; i < SHOOTER_COUNT; ++i) {
        printf(" %17s", shooters[i]->title);
    }
    printf("\n");
}

static void print_tally(const char *name, const tally *found)
{
    printf("  %-44s %9u", name, found->fired);
    for (uint32_t i = 0; i < SHOOTER_COUNT; ++i) {
        if (found->tried[i]) {
            double share = 100.0 * (double)found->wrong[i] / (double)found->fired;
            printf(" %8u %6.2f %%", found->wrong[i], share);
        } else {
            printf(" %17s", "-");
        }
    }
    printf("\n");
}

static bool run_loops(const char *heading, const loop_family *families, uint32_t count, bool quick)
{
    uint32_t wrong = 0;
    printf("%s\n", heading);
    for (uint32_t i = 0; i < count; ++i) {
        tally found = try_loops(&families[i], quick ? QUICK_LOOPS : LOOPS);
        print_tally(families[i].name, &found);
        wrong += found.wrong[0];
    }
    return wrong == 0;
}

static bool run_courses(const char *heading, bool by_casts, bool quick)
{
    static const float speeds[] = {20.0f, 60.0f, 120.0f, 199.0f};
    uint32_t wrong = 0;
    printf("%s\n", heading);
    for (uint32_t i = 0; i < sizeof speeds / sizeof speeds[0]; ++i) {
        char name[40];
        snprintf(name, sizeof name, "at %.0f units/s", (double)speeds[i]);
        tally found = try_courses(speeds[i], by_casts, quick ? QUICK_WORLDS : WORLDS);
        print_tally(name, &found);
        wrong += found.wrong[0];
    }
    return wrong == 0;
}

static bool run_vertices(bool quick)
{
    static const loop_family missed[] = {
        {"exactly, whole coordinates to 100", shot_draw_whole_loop, shot_draw_at_vertex,
         count_missed},
        {"within 20 units of the origin", shot_draw_near_loop, shot_draw_at_vertex, count_missed},
        {"within 1000 units", shot_draw_far_loop, shot_draw_at_vertex, count_missed},
    };
    static const loop_family twice[] = {
        {"exactly, whole coordinates to 100", shot_draw_whole_loop, shot_draw_at_vertex,
         count_reported_twice},
    };
    bool right = run_loops("Out of a closed loop, aimed at a vertex: missed", missed, 3, quick);
    return run_loops("The same: reported twice", twice, 1, quick) && right;
}

static bool run_landings(bool quick)
{
    static const loop_family gone_on[] = {
        {"exactly, whole coordinates to 100", shot_draw_whole_loop, shot_draw_onto_wall,
         count_gone_on},
        {"within 20 units of the origin", shot_draw_near_loop, shot_draw_onto_wall, count_gone_on},
        {"within 1000 units", shot_draw_far_loop, shot_draw_onto_wall, count_gone_on},
        {"walls along the axes, within 20 units", shot_draw_box, shot_draw_onto_wall,
         count_gone_on},
    };
    return run_loops("Onto a wall in one step, on in the next: let through", gone_on, 4, quick);
}

bool misses_run(bool quick)
{
    wake_engines();
    print_heading();
    bool right = run_vertices(quick);
    right = run_landings(quick) && right;
    right =
        run_courses("200 units/s at a moving circle of radius 0.5: missed", false, quick) && right;
    (void)run_courses("The same, a ray cast after each step: missed", true, quick);
    if (!right) {
        printf("\nWRONG: Graze lets shots through\n");
    }
    return right;
}
