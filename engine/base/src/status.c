#include <graze/status.h>

const char *graze_status_text(graze_status status)
{
    switch (status) {
    case GRAZE_OK:
        return "The call succeeded.";
    case GRAZE_ERROR_ARGUMENT:
        return "An argument is out of its range.";
    case GRAZE_ERROR_STALE_ID:
        return "The id is none, or what it named is gone.";
    case GRAZE_ERROR_OUT_OF_MEMORY:
        return "The allocator has no memory left; nothing was changed.";
    case GRAZE_ERROR_LIMIT:
        return "There is more than a fixed capacity, a buffer or a count can hold.";
    case GRAZE_ERROR_FORMAT:
        return "The data is damaged, of another kind, or of a version that is not read.";
    case GRAZE_ERROR_BUSY:
        return "The world is inside a step, or already being recorded.";
    case GRAZE_ERROR_WRITE:
        return "What was to be written could not be written.";
    }
    return "This is not a status that Graze knows.";
}
