/// @file guard_scenes.h
/// The scenes whose instructions are counted: fixed seeds, small enough for a simulated processor.
#ifndef GRAZE_BENCH_GUARD_SCENES_H
#define GRAZE_BENCH_GUARD_SCENES_H

#include <stdint.h>

/// Counted: all instructions from its first to its last, and nothing else.
#define GUARD_MEASURED "guard_measured"

/// The marks of work that workers share: each task begins with the first, a loop over tasks ends
/// with the second.
#define GUARD_TASK "guard_run_task"
#define GUARD_END  "guard_end_tasks"

typedef struct guard_scene {
    const char *name;   ///< The name of the benchmark that does the same at full length.
    uint32_t rounds;    ///< Rounds counted.
    uint32_t items;     ///< Bodies, rays or pairs per round: the unit of counts.
    uint32_t workers;   ///< Above 1: its span is counted; the scene before does the same for one.
    uint32_t size;      ///< See the file.
    const void *detail; ///< See the file.
    void (*run)(const struct guard_scene *scene);
} guard_scene;

/// All scenes; the last one has a null name.
extern const guard_scene guard_scenes[];

/// Runs `work(context)`: the function called GUARD_MEASURED.
void guard_measured(void (*work)(void *context), void *context);

/// Runs a task: the function called GUARD_TASK.
void guard_run_task(void (*task)(void *context, uint32_t index), void *context, uint32_t index);

/// Does nothing: the function called GUARD_END.
void guard_end_tasks(void);

#endif
