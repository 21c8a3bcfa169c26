/// @file golden_scenes.h
/// The runs whose hashes are kept in hashes.txt. Each makes its world, runs it and destroys it.
///
/// All numbers come from random.h and scenes.h, one a statement, by + - * / and sqrt: whatever a
/// compiler may do in an order of its own is not used.
#ifndef GRAZE_TESTS_GOLDEN_SCENES_H
#define GRAZE_TESTS_GOLDEN_SCENES_H

#include "tape.h"

/// Circles that pass through each other.
void golden_gas(tape *run);

/// Circles and turning rects that pass through each other.
void golden_gas_mixed(tape *run);

/// Bullets, movers of every response, and terrain that is taken away and put elsewhere all along.
void golden_bullet_hell(tape *run);

/// So many of all kinds that several threads have work to do, for a second.
void golden_crowd(tape *run);

/// Circles and rects of all masses that slide and bounce in a room, under gravity.
void golden_room(tape *run);

/// A heavy, fast disc hits a pyramid of rigid boxes.
void golden_pyramid(tape *run);

/// Rigid discs and boxes of all sizes are poured into a bowl, with bodies of other responses among
/// them. At the end most are asleep.
void golden_pit(tape *run);

/// Rigid discs between bumpers and two rects of mass 0, which setters turn to and fro.
void golden_flippers(tape *run);

/// Rigid boxes and discs in a drum of four rects of mass 0, which turns.
void golden_tumbler(tape *run);

/// 10 000 random calls of everything, wrong ones and extreme numbers among them.
void golden_session(tape *run);

/// Other sessions of `calls` calls.
void golden_session_of(tape *run, uint64_t seed, uint32_t calls);

#endif
