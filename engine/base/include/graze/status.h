/// @file status.h
/// What a call that can fail returns, and how a message reaches the game.
///
/// Threads    Pure functions: any number of threads.
#ifndef GRAZE_STATUS_H
#define GRAZE_STATUS_H

#ifdef __cplusplus
extern "C" {
#endif

/// The outcome of a call. Whatever is not GRAZE_OK left everything as it was.
typedef enum graze_status {
    GRAZE_OK,                  ///< Done.
    GRAZE_ERROR_ARGUMENT,      ///< A value is out of its range; the message names it.
    GRAZE_ERROR_STALE_ID,      ///< The id is none, or what it named is gone.
    GRAZE_ERROR_OUT_OF_MEMORY, ///< The allocator returned null; the same call may succeed later.
    GRAZE_ERROR_LIMIT,         ///< A fixed capacity or a 32-bit count would be exceeded.
    GRAZE_ERROR_FORMAT,        ///< Bytes that are not what they should be: damaged, foreign, newer.
    GRAZE_ERROR_BUSY,          ///< Not now: the world is inside a step, or being recorded already.
    GRAZE_ERROR_WRITE          ///< A writer that the game gave could not write.
} graze_status;

/// Returns an English sentence for the status, without a line end; a value that is none of the
/// above gets a sentence that says so. The string is static: it is never null and not to be freed.
const char *graze_status_text(graze_status status);

/// A function of the game's that receives one line for every call that fails: the status, and a
/// message that names the call, the field and its value. `message` is valid during the call only;
/// `user` is the pointer that was given with the function.
typedef void graze_log_fn(graze_status status, const char *message, void *user);

#ifdef __cplusplus
}
#endif

#endif
