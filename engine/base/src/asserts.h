/// @file asserts.h
/// Asserts: what the code itself guarantees, stated where other code relies on it. What a caller
/// may get wrong is no assert, but a status and a message.
#ifndef GRZ_ASSERTS_H
#define GRZ_ASSERTS_H

#include <assert.h>

/// Stops the program where the condition does not hold. With NDEBUG it is not evaluated.
#define GRZ_ASSERT(condition) assert(condition)

#endif
