# A claim about speed names its benchmark: every `HOT.` has a `bench: NAME[, NAME...]`, and each name
# is one that graze_bench knows, or the beginning of some up to a slash.
# cmake -DSOURCE_DIR=... -DBENCH=... -P check_benchmarks.cmake; an empty BENCH: not built.

cmake_minimum_required(VERSION 3.22)

if(NOT BENCH)
    message("skipped: the benchmarks are not built")
    return()
endif()

execute_process(COMMAND ${BENCH} --large --list OUTPUT_VARIABLE known RESULT_VARIABLE result)
if(NOT result EQUAL 0)
    message(FATAL_ERROR "${BENCH} --list: ${result}")
endif()

set(folders engine narrowphase broadphase)
list(TRANSFORM folders PREPEND "${SOURCE_DIR}/")
list(TRANSFORM folders APPEND "/*.[ch]" OUTPUT_VARIABLE patterns)
file(GLOB_RECURSE files RELATIVE ${SOURCE_DIR} ${patterns})

function(check_names file names)
    string(REGEX REPLACE "[ ,]+" ";" names "${names}")
    foreach(name IN LISTS names)
        string(FIND "\n${known}" "\n${name}/" place)
        string(FIND "\n${known}" "\n${name}\n" whole)
        if(place LESS 0 AND whole LESS 0)
            message(SEND_ERROR "${file}: no benchmark is called ${name}")
        endif()
    endforeach()
endfunction()

set(count 0)
foreach(file IN LISTS files)
    file(STRINGS ${SOURCE_DIR}/${file} lines REGEX "HOT\\.|[^a-z_]bench: ")
    foreach(line IN LISTS lines)
        if(NOT line MATCHES "[^a-z_]bench: ([a-zA-Z0-9_/-]+(, [a-zA-Z0-9_/-]+)*)")
            message(SEND_ERROR "${file}: names no benchmark: ${line}")
        else()
            check_names(${file} "${CMAKE_MATCH_1}")
            math(EXPR count "${count} + 1")
        endif()
    endforeach()
endforeach()

if(count LESS 10)
    message(SEND_ERROR "only ${count} claims found in ${SOURCE_DIR}")
endif()
message("${count} claims about speed")
