#include "grid_plan.h"
#include "vec2d.h"

#include <float.h>
#include <string.h>

// Chooses which sizes share cells: the classes of the last build, a single class, or classes made
// of buckets. Small items that crowd among large ones are separated from them once a count has
// shown it.

enum {
    MIN_MEMBERS = 16, ///< A smaller class joins the next coarser one,
    ALL_CLASSES = 30, ///< and so does one with less than its share of a list: all lists share
    LEAST_LISTS = 2,  ///< these classes, as if there were two of them at least.
};

// Sizes are separated into classes if one class would have longer cells than the number of items
// requires, by more than this factor.
static const double usual_coarseness = 1.5;

// Sizes are not separated below this ratio.
static const double bucket_factor = 4;

// The half extent was rounded: to 24 bits, and by at most two of the smallest normal numbers even
// where tiny results are flushed to zero.
static double bound_reach(float half)
{
    return (double)half * (1 + 1e-6) + 4 * (double)FLT_MIN;
}

// Adds a class of all larger half extents above that of the finer class of its list.
static grz_grid_class *add_class(grz_grid_plan *plan, const grz_grid_measures *members,
                                 uint32_t list)
{
    const grz_grid_class *finer = plan->class_count ? &plan->classes[plan->class_count - 1] : NULL;
    const bool finest = !finer || finer->list != list;
    grz_grid_class *made = &plan->classes[plan->class_count++];
    const float width = members->half_width, height = members->half_height;
    memset(made, 0, sizeof *made);
    made->count = made->first_count = members->count;
    made->x.reach = bound_reach(width);
    made->y.reach = bound_reach(height);
    made->first_half = width > height ? width : height;
    made->above = finest ? -1 : finer->most;
    made->most = FLT_MAX;
    made->list = (uint8_t)list;
    made->quiet = list != 0;
    return made;
}

static bool holds(const grz_grid_class *old, const grz_grid_measures *members)
{
    const float width = members->half_width, height = members->half_height;
    return grz_grid_is_near(members->count, old->first_count) &&
           grz_grid_is_near((double)(width > height ? width : height), (double)old->first_half) &&
           members->least_half >= old->first_least / 4;
}

bool grz_grid_keep_classes(grz_grid_plan *plan, const graze_grid *grid,
                           const grz_grid_measures *measures, const uint32_t counts[GRZ_GRID_LISTS])
{
    uint32_t members[GRZ_GRID_LISTS] = {0};
    plan->class_count = 0;
    for (uint32_t i = 0; i < grid->class_count; ++i) {
        const grz_grid_class *old = &grid->classes[i];
        if (!holds(old, &measures[i]) || (old->parted && grz_grid_is_due(old))) {
            return false;
        }
        grz_grid_class *kept = add_class(plan, &measures[i], old->list);
        kept->first_count = old->first_count;
        kept->first_half = old->first_half;
        kept->first_least = old->first_least;
        kept->most = old->most;
        kept->parted = old->parted;
        members[old->list] += measures[i].count;
    }
    return memcmp(members, counts, sizeof members) == 0;
}

static bool is_mixed(double reach, const grz_grid_measures *members)
{
    return reach > bucket_factor * (double)members->least_half;
}

bool grz_grid_plan_one_class(grz_grid_plan *plan, const grz_grid_measures *measures, uint32_t list)
{
    const float width = measures->half_width, height = measures->half_height;
    const double reach = bound_reach(width > height ? width : height);
    plan->class_count = 0;
    if (measures->count == 0) {
        return true;
    }
    if (is_mixed(reach, measures) &&
        2 * reach > usual_coarseness * grz_grid_choose_side(plan->world, measures->count)) {
        return false;
    }
    add_class(plan, measures, list);
    return true;
}

// Returns the largest half extent of a bucket: the bits of larger numbers are larger.
static float find_bucket_top(uint32_t bucket)
{
    const uint32_t bits = bucket << 24 | 0xFFFFFF;
    float top;
    memcpy(&top, &bits, sizeof top);
    return top;
}

static uint32_t count_list(const grz_grid_survey *sizes, uint32_t list)
{
    uint32_t total = 0;
    for (uint32_t i = 0; i < GRZ_GRID_LIST_BUCKETS; ++i) {
        total += sizes->counts[list * GRZ_GRID_LIST_BUCKETS + i];
    }
    return total;
}

// Returns how many items a class of this list must have.
static uint32_t choose_least_members(const grz_grid_survey *sizes, uint32_t list)
{
    uint32_t used = 0;
    for (uint32_t i = 0; i < GRZ_GRID_LISTS; ++i) {
        used += count_list(sizes, i) > 0;
    }
    const uint32_t classes = ALL_CLASSES / (used > LEAST_LISTS ? used : LEAST_LISTS);
    const uint32_t share = count_list(sizes, list) / classes + 1;
    return share > MIN_MEMBERS ? share : MIN_MEMBERS;
}

// Makes classes of one list's buckets, from fine to coarse. The finer items join the next bucket if
// they are too few for a class, or if its items fit the cells that as many items would get anyway:
// sizes are separated only where the coarser would make the cells of the finer too big, by more
// than `coarseness`. If that is 0 they are separated wherever they are enough for a class.
static void plan_list(grz_grid_plan *plan, const grz_grid_survey *sizes, uint32_t list,
                      double coarseness)
{
    const uint32_t first_bucket = list * GRZ_GRID_LIST_BUCKETS;
    const uint32_t least = choose_least_members(sizes, list);
    grz_grid_measures members = {0, 0, 0, 0};
    for (uint32_t i = first_bucket; i < first_bucket + GRZ_GRID_LIST_BUCKETS; ++i) {
        const float width = sizes->half_width[i], height = sizes->half_height[i];
        const uint32_t count = members.count + sizes->counts[i];
        const double reach = bound_reach(width > height ? width : height);
        if (count == members.count) {
            continue;
        }
        if (members.count >= least &&
            2 * reach > coarseness * grz_grid_choose_side(plan->world, count)) {
            add_class(plan, &members, list)->most = find_bucket_top(i - 1 - first_bucket);
            members.count = 0;
            members.half_width = members.half_height = 0;
        }
        members.count += sizes->counts[i];
        members.half_width = width > members.half_width ? width : members.half_width;
        members.half_height = height > members.half_height ? height : members.half_height;
    }
    if (members.count) {
        add_class(plan, &members, list);
    }
}

void grz_grid_plan_classes(grz_grid_plan *plan, const grz_grid_survey *sizes)
{
    plan->class_count = 0;
    for (uint32_t list = 0; list < GRZ_GRID_LISTS; ++list) {
        plan_list(plan, sizes, list, usual_coarseness);
    }
}

bool grz_grid_is_crowd_mixed(const grz_grid_plan *plan, const grz_grid_measures *measures)
{
    for (uint32_t i = 0; i < plan->class_count; ++i) {
        const grz_grid_class *size_class = &plan->classes[i];
        const bool is_crowded = plan->trials[i].over && size_class->crowding > GRZ_GRID_CROWDED;
        if (is_crowded && !size_class->quiet && !size_class->parted &&
            is_mixed(max_double(size_class->x.reach, size_class->y.reach), &measures[i])) {
            return true;
        }
    }
    return false;
}

bool grz_grid_part_classes(grz_grid_plan *plan, const grz_grid_survey *sizes)
{
    grz_grid_plan parted = {.world = plan->world};
    plan_list(&parted, sizes, 0, 0);
    for (uint32_t i = 0; i < parted.class_count; ++i) {
        parted.classes[i].parted = true;
    }
    for (uint32_t list = 1; list < GRZ_GRID_LISTS; ++list) {
        plan_list(&parted, sizes, list, usual_coarseness);
    }
    const bool more = parted.class_count > plan->class_count;
    if (more) {
        *plan = parted;
    }
    return more;
}
