#include <stdint.h>
#define PRIu32 "u"
#define PRIx32 "x"
#define PRIu64 "llu"
