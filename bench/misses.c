#include "misses.h"

#include "shooter.h"

#include <stdio.h>
#include <string.h>

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

_Static_assert((int)SHOOTER_COUNT <= (int)MISS_ENGINES, "each engine has a column");

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
                     miss_row *found)
{
    for (uint32_t i = 0; i < SHOOTER_COUNT; ++i) {
        void *range = shooters[i]->build(loop);
        found->wrong[i] += family->count_wrong(shooters[i], range, shots);
        found->tried[i] = true;
        shooters[i]->destroy(range);
    }
    found->fired += SHOTS;
}

static void try_loops(const loop_family *family, uint32_t loops, miss_row *found)
{
    random_state random = random_seed(SEED);
    for (uint32_t i = 0; i < loops; ++i) {
        graze_ray shots[SHOTS];
        shot_loop loop = family->draw_loop(&random);
        for (uint32_t j = 0; j < SHOTS; ++j) {
            shots[j] = family->draw_shot(&random, &loop);
        }
        try_loop(family, &loop, shots, found);
    }
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

static void try_courses(float speed, bool by_casts, uint32_t worlds, miss_row *found)
{
    found->fired = worlds * COURSES;
    random_state random = random_seed(SEED);
    for (uint32_t i = 0; i < worlds; ++i) {
        course courses[COURSES];
        shot_draw_courses(&random, speed, courses, COURSES);
        for (uint32_t j = 0; j < SHOOTER_COUNT; ++j) {
            fly_courses *fly = by_casts ? shooters[j]->fly_by_casts : shooters[j]->fly;
            found->tried[j] = fly != NULL;
            found->wrong[j] += fly ? count_not_met(fly, courses) : 0;
        }
    }
}

// --- The table ---

/// Chipmunk prints its version when it is first used: not in the middle of the table.
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

static miss_row *add_row(miss_table *table, const char *heading, const char *name)
{
    miss_row *row = &table->rows[table->row_count++];
    row->heading = heading;
    snprintf(row->name, sizeof row->name, "%s", name);
    return row;
}

static void print_row(const miss_row *found)
{
    printf("  %-44s %9u", found->name, found->fired);
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

static void run_loops(miss_table *table, const char *heading, const loop_family *families,
                      uint32_t count, bool quick)
{
    printf("%s\n", heading);
    for (uint32_t i = 0; i < count; ++i) {
        miss_row *found = add_row(table, heading, families[i].name);
        try_loops(&families[i], quick ? QUICK_LOOPS : LOOPS, found);
        print_row(found);
    }
}

static void run_courses(miss_table *table, const char *heading, bool by_casts, bool quick)
{
    static const float speeds[] = {20.0f, 60.0f, 120.0f, 199.0f};
    printf("%s\n", heading);
    for (uint32_t i = 0; i < sizeof speeds / sizeof speeds[0]; ++i) {
        char name[40];
        snprintf(name, sizeof name, "at %.0f units/s", (double)speeds[i]);
        miss_row *found = add_row(table, heading, name);
        try_courses(speeds[i], by_casts, quick ? QUICK_WORLDS : WORLDS, found);
        print_row(found);
    }
}

static void run_vertices(miss_table *table, bool quick)
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
    run_loops(table, "Out of a closed loop, aimed at a vertex: missed", missed, 3, quick);
    run_loops(table, "Out of a closed loop, aimed at a vertex: reported twice", twice, 1, quick);
}

static void run_landings(miss_table *table, bool quick)
{
    static const loop_family gone_on[] = {
        {"exactly, whole coordinates to 100", shot_draw_whole_loop, shot_draw_onto_wall,
         count_gone_on},
        {"within 20 units of the origin", shot_draw_near_loop, shot_draw_onto_wall, count_gone_on},
        {"within 1000 units", shot_draw_far_loop, shot_draw_onto_wall, count_gone_on},
        {"walls along the axes, within 20 units", shot_draw_box, shot_draw_onto_wall,
         count_gone_on},
    };
    run_loops(table, "Onto a wall in one step, on in the next: let through", gone_on, 4, quick);
}

static bool lets_none_through(const miss_table *table)
{
    uint32_t wrong = 0;
    for (uint32_t i = 0; i < table->row_count; ++i) {
        wrong += table->rows[i].wrong[0];
    }
    return wrong == 0;
}

bool misses_run(bool quick, miss_table *table)
{
    memset(table, 0, sizeof *table);
    for (; table->engine_count < SHOOTER_COUNT; ++table->engine_count) {
        table->engines[table->engine_count] = shooters[table->engine_count]->title;
    }
    wake_engines();
    print_heading();
    run_vertices(table, quick);
    run_landings(table, quick);
    run_courses(table, "200 units/s at a moving circle of radius 0.5: missed", false, quick);
    run_courses(table, "The same by a ray cast after each step: missed", true, quick);
    const bool right = lets_none_through(table);
    if (!right) {
        printf("\nWRONG: Graze lets shots through\n");
    }
    return right;
}
