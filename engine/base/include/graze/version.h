/// @file version.h
/// The version of the headers and of the linked library.
///
/// Versions follow Semantic Versioning 2.0.0. Before 1.0.0 a new minor version may change
/// functions, the layout of structs, and results. So compile a game with the headers of the version
/// that it links.
///
/// Threads    Pure functions: any number of threads.
#ifndef GRAZE_VERSION_H
#define GRAZE_VERSION_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define GRAZE_VERSION_MAJOR 0
#define GRAZE_VERSION_MINOR 1
#define GRAZE_VERSION_PATCH 0

/// The headers' version as one number: major * 1000000 + minor * 1000 + patch.
#define GRAZE_VERSION                                                                              \
    (GRAZE_VERSION_MAJOR * 1000000 + GRAZE_VERSION_MINOR * 1000 + GRAZE_VERSION_PATCH)

/// Returns GRAZE_VERSION as it was when the library was compiled.
uint32_t graze_version(void);

/// Returns the library's version as text, such as "0.1.0". The string is static.
const char *graze_version_text(void);

#ifdef __cplusplus
}
#endif

#endif
