// The reader of Tiled maps links with what is below it.

#include <graze/tiled.h>

#include <string.h>

int main(void)
{
    static const char text[] = "<map orientation='orthogonal' tilewidth='8' tileheight='8'/>";
    graze_tiled_def def = graze_tiled_def_default();
    def.data = text;
    def.size = strlen(text);
    graze_tiled_map *map = graze_tiled_load(&def, NULL);
    const bool is_empty = map && map->chain_count == 0;
    graze_tiled_free(map);
    return is_empty ? 0 : 1;
}
