/// @file message.h
/// How a call fails: one line to the world's log, and the status to return.
#ifndef GRZ_MESSAGE_H
#define GRZ_MESSAGE_H

#include <graze/status.h>

#include "world/world_state.h"

// MinGW prints as in standard C, but its gcc checks for the formats of older Windows unless it is
// told.
#if defined(__MINGW32__) && !defined(__clang__)
#define GRZ_PRINTF(line, values) __attribute__((format(gnu_printf, line, values)))
#elif defined(__GNUC__)
#define GRZ_PRINTF(line, values) __attribute__((format(printf, line, values)))
#else
#define GRZ_PRINTF(line, values)
#endif

/// Tells the log, if there is one, and returns the status. The line names the call, the field and
/// the value.
graze_status grz_fail_to(graze_log_fn *log, void *user, graze_status status, const char *format,
                         ...) GRZ_PRINTF(4, 5);

/// The same for the log of a world: its status, the format and its values.
#define grz_fail(world, ...) grz_fail_to((world)->config.log, (world)->config.log_user, __VA_ARGS__)

/// Why nothing more can be created.
typedef struct grz_shortage {
    const char *call, *one, *many; ///< What the call creates.
    const char *field;             ///< The capacity's name.
    uint32_t extra, present, capacity;
} grz_shortage;

/// Tells the log of LIMIT or OUT_OF_MEMORY, and returns it.
graze_status grz_fail_for_room(const graze_world *world, graze_status status, grz_shortage of);

/// Returns BUSY, after telling the log, for a call from inside a step (by a game's callback).
static inline graze_status grz_check_not_busy(const graze_world *world, const char *call)
{
    return world->call.busy
               ? grz_fail(world, GRAZE_ERROR_BUSY, "%s: called from inside a step", call)
               : GRAZE_OK;
}

/// Returns ARGUMENT, after telling the log, where an argument or a field is null.
static inline graze_status grz_check_not_null(const graze_world *world, const char *call,
                                              const char *name, bool is_there)
{
    return is_there ? GRAZE_OK
                    : grz_fail(world, GRAZE_ERROR_ARGUMENT, "%s: %s is null", call, name);
}

#endif
