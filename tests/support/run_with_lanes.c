#define _POSIX_C_SOURCE 200809L
#include "lanes_choice.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

// run_with_lanes SET PROGRAM [ARGUMENT...]: runs the program with GRAZE_LANES=SET. Ends with 77,
// which CTest shows as skipped, where build or machine lack that set.

enum { SKIPPED = 77, CANNOT_RUN = 126 };

int main(int count, char **words)
{
    if (count < 3) {
        fputs("run_with_lanes SET PROGRAM [ARGUMENT...]\n", stderr);
        return EXIT_FAILURE;
    }
    if (setenv("GRAZE_LANES", words[1], 1) == 0 && grz_lanes_refused()) {
        printf("There are no lanes called %s here\n", words[1]);
        return SKIPPED;
    }
    execvp(words[2], words + 2);
    perror(words[2]);
    return CANNOT_RUN;
}
