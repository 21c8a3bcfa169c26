# graze_bench from outside: what it lists, and how it ends when it is used wrongly.
# cmake -DBENCH=the program -P check_bench_program.cmake

cmake_minimum_required(VERSION 3.22)

# expect(STATUS OUT ERR ARGUMENT...): the program ends so, and says what matches.
function(expect wanted out_pattern err_pattern)
    execute_process(COMMAND ${BENCH} ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE out
                    ERROR_VARIABLE err)
    if(NOT status STREQUAL wanted OR NOT out MATCHES "${out_pattern}" OR
       NOT err MATCHES "${err_pattern}")
        message(SEND_ERROR "graze_bench ${ARGN}\nends with ${status}, not ${wanted}\n${out}${err}")
    endif()
endfunction()

expect(0 "Usage: graze_bench" "^$" --help)

# --- the list ---
expect(0 "engine/step/.*narrowphase/" "^$" --list)
expect(0 "^engine/step/gas/1k\n$" "^$" --list --filter ^engine/step/gas/1k$)
expect(0 "^(engine/[^\n]*gas/1k\n|engine/[^\n]*gas/10k\n)+$" "^$" --list
       "--filter=^engine/.*gas/(1k|10k)$")
expect(1 "^$" "^graze_bench: no benchmark has a name that the filter matches\n$" --list
       --filter nonsense)

# --- bad use ---
foreach(filter "gas[" "(gas" "*")
    expect(2 "^$" "^graze_bench: the filter '[^\n]*\n$" --filter ${filter})
    expect(2 "^$" "^graze_bench: the filter '[^\n]*\n$" --list --filter=${filter})
endforeach()
expect(2 "^$" "^graze_bench: --threads=0: not a number from 1 to 1000\n$" --threads 0)
expect(2 "^$" "^graze_bench: '--filter' is no option, or lacks its value; see --help\n$" --filter)
