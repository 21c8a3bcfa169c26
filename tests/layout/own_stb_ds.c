// A game that carries its own stb_ds, implementation and all, beside the one inside Graze.
#define STB_DS_IMPLEMENTATION
#include <stb/stb_ds.h>

#include <graze/graze.h>

static int sum_of_own_list(void)
{
    int *numbers = NULL;
    int sum = 0;
    for (int i = 0; i < 100; ++i) {
        arrput(numbers, i);
    }
    for (int i = 0; i < 100; ++i) {
        sum += numbers[i];
    }
    arrfree(numbers);
    return sum;
}

static int lookup_in_own_map(void)
{
    struct {
        char *key;
        int value;
    } *ages = NULL;
    shput(ages, "Ada", 36);
    int age = shget(ages, "Ada");
    shfree(ages);
    return age;
}

// Chains are kept in lists, so that Graze's stb_ds has work to do.
static int chain_is_made(void)
{
    graze_world_def world_def = graze_world_def_default();
    graze_world *world = graze_world_create(&world_def);
    const graze_vec2 points[] = {{0.0f, 0.0f}, {4.0f, 0.0f}, {4.0f, 3.0f}};
    graze_chain_def def = graze_chain_def_default();
    def.points = points;
    def.count = 3;
    graze_chain_id chain = graze_chain_create(world, &def);
    int made = graze_chain_is_valid(world, chain);
    graze_world_destroy(world);
    return made;
}

int main(void)
{
    return sum_of_own_list() == 4950 && lookup_in_own_map() == 36 && chain_is_made() ? 0 : 1;
}
