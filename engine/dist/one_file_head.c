// How graze.c begins: what it asks of a compiler.

#if defined(__cplusplus)
#error "graze.c is C: compile it with a C compiler. graze.h is for C++, too"
#elif !defined(__STDC_VERSION__) || __STDC_VERSION__ < 201112L
#error "graze.c needs C11: compile it with -std=c11"
#endif

// A product and a sum that become one instruction are rounded once, not twice: other bits. So
// contraction is off here, also with -march=native (but -ffp-contract=fast would make clang ignore
// this line). gcc also keeps pairs of doubles apart, which it would read back before they are
// stored, or take for what they were before they were rounded.
#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#pragma clang diagnostic ignored "-Wunused-function"
#elif defined(__GNUC__)
#pragma GCC optimize("fp-contract=off", "no-tree-slp-vectorize")
#pragma GCC diagnostic ignored "-Wunused-function"
#elif defined(_MSC_VER)
#pragma fp_contract(off)
#elif !defined(GRAZE_NO_CONTRACTION)
#error "Switch the contraction of floats off, and compile with -DGRAZE_NO_CONTRACTION"
#endif
