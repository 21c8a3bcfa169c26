/// @file prefetch.h
/// Asks for memory before it is needed.
#ifndef GRZ_PREFETCH_H
#define GRZ_PREFETCH_H

/// Starts to load the cache line at the address, for reading; does nothing where there is no way.
#if defined(__GNUC__)
#define GRZ_PREFETCH(address) __builtin_prefetch(address)
#else
#define GRZ_PREFETCH(address) ((void)(address))
#endif

#endif
