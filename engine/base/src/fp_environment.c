#include "fp_environment.h"

#include "likely.h"

#if defined(__SSE__) || defined(_M_X64)
#include <xmmintrin.h>

// MXCSR, and above it the rounding of the x87, which Graze does not use, but fegetround() and long
// double in a game's callback do. Bits 0 to 5 are status flags, not settings, and are left alone.
enum { HAPPENED = 0x3F, WANTED = 0x1F80, X87_ROUNDING = 0xC00, X87_SHIFT = 32 };

#if defined(__GNUC__)
static unsigned read_x87(void)
{
    uint16_t control;
    __asm__ __volatile__("fnstcw %0" : "=m"(control));
    return control;
}

static void write_x87_rounding(unsigned rounding)
{
    const unsigned others = read_x87() & ~(unsigned)X87_ROUNDING;
    const uint16_t control = (uint16_t)(others | rounding);
    __asm__ __volatile__("fldcw %0" : : "m"(control));
}
#else
static unsigned read_x87(void)
{
    return 0;
}

static void write_x87_rounding(unsigned rounding)
{
    (void)rounding;
}
#endif

static uint64_t read_control(void)
{
    return _mm_getcsr() | (uint64_t)(read_x87() & X87_ROUNDING) << X87_SHIFT;
}

static void write_control(uint64_t control)
{
    _mm_setcsr((unsigned)control);
    write_x87_rounding((unsigned)(control >> X87_SHIFT));
}

#elif defined(__aarch64__) && defined(__GNUC__)

// FPCR holds settings only.
enum { HAPPENED = 0, WANTED = 0 };

static uint64_t read_control(void)
{
    uint64_t control;
    __asm__ __volatile__("mrs %0, fpcr" : "=r"(control));
    return control;
}

static void write_control(uint64_t control)
{
    __asm__ __volatile__("msr fpcr, %0" : : "r"(control) : "memory");
}

#elif defined(__arm__) && defined(__ARM_FP) && defined(__GNUC__)

// FPSCR: the other bits say what has happened, and are left alone.
enum { SETTINGS = 0x07FFFF60, HAPPENED = ~SETTINGS, WANTED = 0 };

static uint64_t read_control(void)
{
    uint32_t control;
    __asm__ __volatile__("vmrs %0, fpscr" : "=r"(control));
    return control;
}

static void write_control(uint64_t control)
{
    __asm__ __volatile__("vmsr fpscr, %0" : : "r"((uint32_t)control) : "memory");
}

#elif defined(__wasm__)

// There is only one setting, and it is the right one.
enum { HAPPENED = 0, WANTED = 0 };

static uint64_t read_control(void)
{
    return WANTED;
}

static void write_control(uint64_t control)
{
    (void)control;
}

#else
#include <fenv.h>

// The part that standard C has: the rounding mode.
enum { HAPPENED = 0, WANTED = FE_TONEAREST };

static uint64_t read_control(void)
{
    return (uint64_t)fegetround();
}

static void write_control(uint64_t control)
{
    (void)fesetround((int)control);
}

#endif

// What all of memory holds may be read and written here, as far as the compiler knows: it moves no
// arithmetic on it to the other side.
#if defined(__GNUC__)
#define TOUCH_ALL_MEMORY() __asm__ __volatile__("" : : : "memory")
#else
#define TOUCH_ALL_MEMORY() ((void)0)
#endif

GRZ_APART grz_fp_environment grz_fp_enter(void)
{
    TOUCH_ALL_MEMORY();
    const grz_fp_environment before = {read_control()};
    if ((before.control & ~(uint64_t)HAPPENED) != WANTED) {
        write_control(WANTED);
    }
    return before;
}

GRZ_APART void grz_fp_leave(grz_fp_environment before)
{
    TOUCH_ALL_MEMORY();
    if ((before.control & ~(uint64_t)HAPPENED) != WANTED) {
        write_control(before.control);
    }
}
