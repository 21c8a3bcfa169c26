#define FE_TONEAREST 0
int fegetround(void);
int fesetround(int mode);
