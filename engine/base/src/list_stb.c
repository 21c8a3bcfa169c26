// The implementation of stb_ds, apart from list.c: where the two are compiled as one, compilers see
// parts of stb_ds that are not used grow a list from null, and warn of the prefix that it lacks.
#define STB_DS_IMPLEMENTATION
#include "list.h"
