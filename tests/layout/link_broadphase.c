// Links graze::broadphase and nothing else.
#include <graze/grid.h>

int main(void)
{
    graze_grid *grid = NULL;
    graze_status status = graze_grid_create(NULL, &grid);
    graze_grid_destroy(grid);
    return status == GRAZE_OK ? 0 : 1;
}
