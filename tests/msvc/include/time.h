typedef long long time_t;
struct timespec {
    time_t tv_sec;
    long tv_nsec;
};
#define TIME_UTC 1
int timespec_get(struct timespec *time, int base);
