#define INFINITY ((float)(1e300 * 1e300))
double fabs(double x);
float fabsf(float x);
double floor(double x);
double sqrt(double x);
float sqrtf(float x);
