# Puts a fault into the library and expects a test to notice. cmake -D... -P check_mutation.cmake
#
# FAULT          its name; GRZ_FAULT(FAULT, ...) must stand in exactly one of the files of
# SOURCES        patterns, as a list with bars
# COMPILE        the compiler with its options, likewise
# OBJECTS        what the test is linked from, besides the file with the fault, likewise: that comes
#                first, so the libraries' own is left out
# SCRATCH        a folder

cmake_minimum_required(VERSION 3.22)

foreach(list SOURCES COMPILE OBJECTS)
    string(REPLACE "|" ";" ${list} "${${list}}")
endforeach()

# --- the file that has the fault ---
set(found)
file(GLOB_RECURSE files ${SOURCES})
foreach(file IN LISTS files)
    file(STRINGS ${file} lines REGEX "GRZ_FAULT\\(${FAULT},")
    if(lines)
        list(APPEND found ${file})
    endif()
endforeach()
list(LENGTH found count)
if(NOT count EQUAL 1)
    message(FATAL_ERROR "GRZ_FAULT(${FAULT}, ...) is in ${count} files: ${found}")
endif()
file(REMOVE_RECURSE ${SCRATCH})
file(MAKE_DIRECTORY ${SCRATCH})

# --- the test ---
# expect(DOES WORDS COMMAND...): runs a command in the scratch folder, which must succeed, or not.
# What is broken may also go on for ever.
function(expect does words)
    set(limit)
    if(does STREQUAL "fail")
        set(limit TIMEOUT 60)
    endif()
    execute_process(COMMAND ${ARGN} WORKING_DIRECTORY ${SCRATCH} RESULT_VARIABLE result
                    OUTPUT_VARIABLE output ERROR_VARIABLE output ${limit})
    if(does STREQUAL "succeed" AND NOT result EQUAL 0)
        message(FATAL_ERROR "${words}: ${result}\n${output}")
    elseif(does STREQUAL "fail" AND result EQUAL 0)
        message(FATAL_ERROR "${words}\n${output}")
    endif()
endfunction()

expect(succeed "with the fault it does not compile" ${COMPILE} -DGRAZE_FAULT_${FAULT} -Dconst= -w
       -O1 -c ${found} -o changed.o)
expect(succeed "the test does not link" ${COMPILE} changed.o ${OBJECTS} -o changed)
set(ENV{CMOCKA_TEST_ABORT} 1) # At the first failure: what is broken may take long.
expect(fail "nobody notices: ${FAULT}" ${SCRATCH}/changed)
