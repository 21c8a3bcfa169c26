# Every fault in the sources has a test that must notice it. cmake -D... -P check_faults.cmake
#
# FAULTS         the names of those that have one, as a list
# SOURCES        patterns of the sources, as a list with bars

cmake_minimum_required(VERSION 3.22)

string(REPLACE "|" ";" SOURCES "${SOURCES}")
file(GLOB_RECURSE files ${SOURCES})
list(FILTER files EXCLUDE REGEX "/fault\\.h$")
set(count 0)
foreach(file IN LISTS files)
    file(STRINGS ${file} lines REGEX "GRZ_FAULT\\(")
    foreach(line IN LISTS lines)
        string(REGEX REPLACE "^.*GRZ_FAULT\\(([a-z_]+),.*$" "\\1" fault "${line}")
        math(EXPR count "${count} + 1")
        if(NOT fault IN_LIST FAULTS)
            message(SEND_ERROR "${file}: no test is named for the fault ${fault}")
        endif()
    endforeach()
endforeach()
list(LENGTH FAULTS wanted)
if(NOT count EQUAL wanted)
    message(SEND_ERROR "${count} faults in the sources, but ${wanted} with a test")
endif()
