/// @file status.h
/// The result of calls that can fail, and the log that receives their messages.
///
///     static void print(graze_status status, const char *message, void *user)
///     {
///         fprintf(stderr, "%s\n", message);
///     }
///     ... def.log = print; ...
///
/// Threads    graze_status_text() is pure: any number of threads. graze_log_fn says on which thread
///            a log is called.
/// Errors     None here: every value has a text.
#ifndef GRAZE_STATUS_H
#define GRAZE_STATUS_H

#ifdef __cplusplus
extern "C" {
#endif

/// The result of a call. A call that does not return GRAZE_OK left everything as it was, unless its
/// comment says otherwise.
typedef enum graze_status {
    GRAZE_OK,                  ///< Done.
    GRAZE_ERROR_ARGUMENT,      ///< A value is out of its range; the message names it.
    GRAZE_ERROR_STALE_ID,      ///< The id is none, or of something that is gone.
    GRAZE_ERROR_OUT_OF_MEMORY, ///< The allocator returned null; the same call may succeed later.
    GRAZE_ERROR_LIMIT,         ///< More than a fixed capacity, a buffer or a count can hold.
    GRAZE_ERROR_FORMAT,        ///< Bytes that cannot be read: damaged, of another kind or version.
    GRAZE_ERROR_BUSY,          ///< The world is inside a step, or already being recorded.
    GRAZE_ERROR_WRITE          ///< The game's writer function failed.
} graze_status;

/// Returns an English sentence for the status, without a line end, also for a value that is none of
/// the above. The string is static; it is never null and must not be freed.
const char *graze_status_text(graze_status status);

/// A function of the game that receives one line for every call that fails. A few calls that
/// succeed send a line, too, if something else went wrong: see graze_world_step(),
/// graze_record_status() and GRAZE_LANES (world.h).
///
/// status     What the call returns, or, of a call that succeeds, what kind of thing went wrong.
///            Never GRAZE_OK.
/// message    English, at most 255 bytes, without a line end, never null: it names the call, the
///            field and its value. Valid during the call only.
/// user       The pointer that was given with the function; may be null.
/// Threads    Called on the thread that made the failing call, before that returns; never from a
///            task (tasks.h). Calls that take a const world may fail on several threads at once,
///            and then call it on all of them. If a game queries from several threads, its log must
///            allow for that.
/// Re-entry   It must return to its caller (no longjmp, no exception), and must not call any
///            function on the world.
typedef void graze_log_fn(graze_status status, const char *message, void *user);

#ifdef __cplusplus
}
#endif

#endif
