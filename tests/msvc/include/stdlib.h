#include <stddef.h>
void free(void *memory);
char *getenv(const char *name);
void *malloc(size_t size);
void *realloc(void *memory, size_t size);
