// Links graze::narrowphase and nothing else.
#include <graze/orient.h>

int main(void)
{
    graze_vec2 a = {0.0f, 0.0f}, b = {1.0f, 0.0f}, left = {0.0f, 1.0f};
    return graze_orient(a, b, left) == 1 ? 0 : 1;
}
