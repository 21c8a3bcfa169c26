// The implementation of stb_ds, apart from list.c: compiled together, compilers would see unused
// parts of stb_ds grow a list from null, and warn of the missing prefix.
#define STB_DS_IMPLEMENTATION
#include "list.h"
