#include <graze/version.h>

#define TEXT_OF(number)                   #number
#define VERSION_TEXT(major, minor, patch) TEXT_OF(major) "." TEXT_OF(minor) "." TEXT_OF(patch)

uint32_t graze_version(void)
{
    return GRAZE_VERSION;
}

const char *graze_version_text(void)
{
    return VERSION_TEXT(GRAZE_VERSION_MAJOR, GRAZE_VERSION_MINOR, GRAZE_VERSION_PATCH);
}
