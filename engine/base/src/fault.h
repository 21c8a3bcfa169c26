/// @file fault.h
/// Lines that break a promise on purpose, so that a test can be seen to notice.
///
/// GRZ_FAULT(name, statement) is nothing in the library. Compiled with -DGRAZE_FAULT_name it is the
/// statement. tests/mutation compiles each file so, fault by fault, and expects a test to fail. It
/// takes `const` away: a fault may change what the code may not.
#ifndef GRZ_FAULT_H
#define GRZ_FAULT_H

#define GRZ_FAULT(name, statement) GRZ_FAULT_IF(GRAZE_FAULT_##name, statement)

// With the flag, is_on is 1, and a comma moves the statement to the second place.
#define GRZ_FAULT_IF(is_on, statement)       GRZ_FAULT_CHOOSE(is_on, statement)
#define GRZ_FAULT_CHOOSE(is_on, statement)   GRZ_FAULT_TAKE(GRZ_FAULT_COMMA_##is_on statement, , )
#define GRZ_FAULT_TAKE(...)                  GRZ_FAULT_SECOND(__VA_ARGS__)
#define GRZ_FAULT_SECOND(first, second, ...) second
#define GRZ_FAULT_COMMA_1                    ,

#endif
