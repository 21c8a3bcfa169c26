#include <stdarg.h>
#include <stddef.h>
int snprintf(char *to, size_t size, const char *format, ...);
int vsnprintf(char *to, size_t size, const char *format, va_list values);
