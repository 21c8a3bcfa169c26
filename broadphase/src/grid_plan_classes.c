#include "grid_plan_sides.h"
#include "vec2d.h"

#include <float.h>
#include <string.h>

// Chooses which sizes share cells: the classes of the last build, a single class, or classes made
// of buckets. Small items that crowd among large ones are separated from them once a count has
// shown it.

enum {
    MIN_MEMBERS = 16, ///< A smaller class joins the next coarser one,
    KIND_CLASSES = 15 ///< and so does one with less than a 15th of its kind.
};

// Sizes are separated into classes if one class would have longer cells than the number of items
// requires, by more than this factor;
static const double usual_coarseness = 1.5;

// or by this one, for quiet items that are this many times as many as the others: for these few,
// scanning one class costs less than scanning several with smaller windows.
static const double quiet_coarseness = 8;
static const double quiet_share = 4;

// Sizes are not separated below this ratio.
static const double bucket_factor = 4;

// The half extent was rounded: to 24 bits, and by at most two of the smallest normal numbers even
// where tiny results are flushed to zero.
static double bound_reach(float half)
{
    return (double)half * (1 + 1e-6) + 4 * (double)FLT_MIN;
}

// Adds a class of all larger half extents above that of the finer class of its kind.
static grz_grid_class *add_class(grz_grid_plan *plan, const grz_grid_measures *members, bool quiet)
{
    const grz_grid_class *finer = plan->class_count ? &plan->classes[plan->class_count - 1] : NULL;
    const bool finest = !finer || finer->quiet != quiet;
    grz_grid_class *made = &plan->classes[plan->class_count++];
    const float width = members->half_width, height = members->half_height;
    memset(made, 0, sizeof *made);
    made->count = made->first_count = members->count;
    made->x.reach = bound_reach(width);
    made->y.reach = bound_reach(height);
    made->first_half = width > height ? width : height;
    made->above = finest ? -1 : finer->most;
    made->most = FLT_MAX;
    made->quiet = quiet;
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
                           const grz_grid_measures *measures, uint32_t count, uint32_t quiet_count)
{
    uint32_t members = 0, quiet_members = 0;
    plan->class_count = 0;
    for (uint32_t i = 0; i < grid->class_count; ++i) {
        const grz_grid_class *old = &grid->classes[i];
        if (!holds(old, &measures[i]) || (old->parted && grz_grid_is_due(old))) {
            return false;
        }
        grz_grid_class *kept = add_class(plan, &measures[i], old->quiet);
        kept->first_count = old->first_count;
        kept->first_half = old->first_half;
        kept->first_least = old->first_least;
        kept->most = old->most;
        kept->parted = old->parted;
        members += measures[i].count;
        quiet_members += old->quiet ? measures[i].count : 0;
    }
    return members == count && quiet_members == quiet_count;
}

static bool is_mixed(double reach, const grz_grid_measures *members)
{
    return reach > bucket_factor * (double)members->least_half;
}

bool grz_grid_plan_one_class(grz_grid_plan *plan, const grz_grid_measures *measures, bool quiet)
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
    add_class(plan, measures, quiet);
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

static uint32_t count_kind(const grz_grid_survey *sizes, uint32_t first_bucket)
{
    uint32_t total = 0;
    for (uint32_t i = 0; i < GRZ_GRID_QUIET_BUCKETS; ++i) {
        total += sizes->counts[first_bucket + i];
    }
    return total;
}

static double choose_quiet_coarseness(const grz_grid_survey *sizes)
{
    const double quiet = count_kind(sizes, GRZ_GRID_QUIET_BUCKETS);
    return quiet < quiet_share * count_kind(sizes, 0) ? usual_coarseness : quiet_coarseness;
}

// Makes classes of one kind's buckets, from fine to coarse. The finer items join the next bucket if
// they are too few for a class, or if its items fit the cells that as many items would get anyway:
// sizes are separated only where the coarser would make the cells of the finer too big, by more
// than `coarseness`. If that is 0 they are separated wherever they are enough for a class.
static void plan_kind(grz_grid_plan *plan, const grz_grid_survey *sizes, uint32_t first_bucket,
                      double coarseness)
{
    const bool quiet = first_bucket == GRZ_GRID_QUIET_BUCKETS;
    const uint32_t share = count_kind(sizes, first_bucket) / KIND_CLASSES + 1;
    const uint32_t least = share > MIN_MEMBERS ? share : MIN_MEMBERS;
    grz_grid_measures members = {0, 0, 0, 0};
    for (uint32_t i = first_bucket; i < first_bucket + GRZ_GRID_QUIET_BUCKETS; ++i) {
        const float width = sizes->half_width[i], height = sizes->half_height[i];
        const uint32_t count = members.count + sizes->counts[i];
        const double reach = bound_reach(width > height ? width : height);
        if (count == members.count) {
            continue;
        }
        if (members.count >= least &&
            2 * reach > coarseness * grz_grid_choose_side(plan->world, count)) {
            add_class(plan, &members, quiet)->most = find_bucket_top(i - 1 - first_bucket);
            members.count = 0;
            members.half_width = members.half_height = 0;
        }
        members.count += sizes->counts[i];
        members.half_width = width > members.half_width ? width : members.half_width;
        members.half_height = height > members.half_height ? height : members.half_height;
    }
    if (members.count) {
        add_class(plan, &members, quiet);
    }
}

void grz_grid_plan_classes(grz_grid_plan *plan, const grz_grid_survey *sizes)
{
    plan->class_count = 0;
    plan_kind(plan, sizes, 0, usual_coarseness);
    plan_kind(plan, sizes, GRZ_GRID_QUIET_BUCKETS, choose_quiet_coarseness(sizes));
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
    plan_kind(&parted, sizes, 0, 0);
    for (uint32_t i = 0; i < parted.class_count; ++i) {
        parted.classes[i].parted = true;
    }
    plan_kind(&parted, sizes, GRZ_GRID_QUIET_BUCKETS, choose_quiet_coarseness(sizes));
    const bool more = parted.class_count > plan->class_count;
    if (more) {
        *plan = parted;
    }
    return more;
}
