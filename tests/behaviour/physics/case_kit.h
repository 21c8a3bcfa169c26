/// @file case_kit.h
/// A case of something that walks or slides over a level: what is drawn, how it runs, and what is
/// wrong with it in the end.
///
/// Use        case_draw() draws what all cases have. The test adds the ground, puts the body and
///            sets the steps. case_run() runs it. Then the test says what it wants, and
///            case_outcome_of() says how it ended.
#ifndef GRAZE_TESTS_CASE_KIT_H
#define GRAZE_TESTS_CASE_KIT_H

#include "level_kit.h"

/// How a case ends.
typedef enum case_outcome {
    GOES,   ///< As wanted.
    STOPS,  ///< Stays behind, and nothing else.
    GHOSTS, ///< Is wrong by less than its fastest step.
    STRAYS, ///< Is wrong by more.
    LEAKS,  ///< Its centre crosses a wall, or it is a quarter of its half size deep in one.
    OUTCOMES
} case_outcome;

extern const char *const case_outcome_names[OUTCOMES];

enum { CASE_OTHERS = 40, CASE_STEPS = 60, STEPS_A_SECOND = 60 };

/// Which components of its velocity are set before each step, and to what.
typedef struct case_steering {
    bool along, up;
    double speed, climb;
} case_steering;

/// What has become of a body.
typedef struct case_ride {
    double u, v;                ///< Where it is.
    double way, rise;           ///< How far it came along u and v.
    double highest, lowest;     ///< Of v, above where it began.
    double fastest;             ///< Of its steps, in units a second.
    double sine;                ///< Of its angle.
    double path[CASE_STEPS][2]; ///< u and v after each of the first steps.
    double other_u, other_v;    ///< Of the first and the last other body, where there are some.
    bool crossed;
} case_ride;

/// A case. Lengths are in units, u and v in the floor's frame.
typedef struct level_case {
    random_state random;
    level ground;
    level_frame floor;
    level_kind kind;
    bool slides;     ///< As GRAZE_SLIDE. Else it is a rigid body that does not turn.
    bool round, far; ///< A disc; 10^4 units from the origin.
    bool uneven;     ///< Its sizes are no round numbers.
    bool first;      ///< It is created before the ground.
    bool weightless;
    double length; ///< Of a piece.
    double half_x, half_y;
    double size;  ///< The smaller half size.
    double slop;  ///< What counts as touching: of the size, or of the places' rounding.
    double reach; ///< The largest coordinate of the frame.
    double edge;  ///< v or u that the judge has to know.
    double speed;
    uint32_t steps;
    case_steering steers;
    graze_body_def def;
    graze_body_def others[CASE_OTHERS];
    uint32_t other_count;
    case_ride ride;
    double late, astray, deep; ///< By how much it is wrong, where that is more than allowed.
    const char *what;          ///< The first thing that is wrong.
    double found, wanted;      ///< Its values.
} level_case;

double random_double(random_state *random, double low, double high);

/// Returns a number whose logarithm is even.
double random_power(random_state *random, double low, double high);

bool random_chance(random_state *random, double chance);

/// Draws place, sizes and speed. The case must be cleared.
void case_draw(level_case *of, uint64_t seed, bool slides);

/// Puts a character with its middle at u and v: it walks at the case's speed, without friction.
void case_put_character(level_case *of, double u, double v);

/// Puts a rigid body there, which has the case's speed at first, climbs and spins. Positive spins
/// are those of a frame that is not mirrored.
void case_put_crate(level_case *of, double u, double v, double climb, double spin);

uint32_t case_steps(double seconds);

/// Adds a row of pieces of the case's kind and length, which begins at u = `first`.
void case_lay(level_case *of, double first, double count, double height);

/// Returns how many pieces lie under its way, and some more on both sides.
double case_pieces(const level_case *of);

/// Adds a floor under its way. Its speed and its steps must be set.
void case_lay_floor(level_case *of);

void case_run(level_case *of);

/// Returns how far it should come.
double case_steered_way(const level_case *of);

/// Returns by how much rounding may have moved it in all its steps.
double case_rounding(const level_case *of);

/// It may come neither less far nor farther.
void case_want_way(level_case *of, double found, double wanted, double allowed);

/// It stops or stays behind if it comes less far.
void case_want_at_least(level_case *of, double found, double least, const char *what);

void case_want_at_most(level_case *of, double found, double most, const char *what);

/// It must not be in what is solid: `deep` is how deep it is.
void case_want_outside(level_case *of, double deep, double allowed, const char *what);

case_outcome case_outcome_of(const level_case *of);

#endif
