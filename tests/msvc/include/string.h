#include <stddef.h>
void *memchr(const void *memory, int byte, size_t size);
int memcmp(const void *first, const void *second, size_t size);
void *memcpy(void *to, const void *from, size_t size);
void *memmove(void *to, const void *from, size_t size);
void *memset(void *to, int byte, size_t size);
int strcmp(const char *first, const char *second);
size_t strlen(const char *text);
