// Links graze::base and nothing else.
#include <graze/status.h>

int main(void)
{
    return graze_status_text(GRAZE_OK) ? 0 : 1;
}
