// As often as it is included, as in C. Microsoft's function takes two texts of wide characters.
#undef assert
#if defined(NDEBUG)
#define assert(condition) ((void)0)
#else
void _wassert(const unsigned short *text, const unsigned short *file, unsigned line);
#define assert(condition) ((void)((condition) || (_wassert(0, 0, __LINE__), 0)))
#endif
