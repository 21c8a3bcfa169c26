# Breaks one line of the library and expects a test to notice. cmake -D... -P check_mutation.cmake
#
# SOURCE         the file that is changed; BEFORE must stand in it exactly once, and becomes AFTER
# COMPILE        the compiler with its options, as a list with bars
# OBJECTS        what the test is linked from, besides the changed file, likewise: that comes
#                first, so the libraries' own is left out
# SCRATCH        a folder

cmake_minimum_required(VERSION 3.22)

foreach(list COMPILE OBJECTS)
    string(REPLACE "|" ";" ${list} "${${list}}")
endforeach()

# --- the change ---
file(READ ${SOURCE} text)
string(FIND "${text}" "${BEFORE}" first)
string(FIND "${text}" "${BEFORE}" last REVERSE)
if(first EQUAL -1 OR NOT first EQUAL last)
    message(FATAL_ERROR "not exactly once in ${SOURCE}: ${BEFORE}")
endif()
string(REPLACE "${BEFORE}" "${AFTER}" changed "${text}")
get_filename_component(name ${SOURCE} NAME)
file(REMOVE_RECURSE ${SCRATCH})
file(WRITE ${SCRATCH}/${name} "${changed}")

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

expect(succeed "the changed file does not compile" ${COMPILE} -w -O1 -c ${name} -o changed.o)
expect(succeed "the test does not link" ${COMPILE} changed.o ${OBJECTS} -o changed)
set(ENV{CMOCKA_TEST_ABORT} 1) # At the first failure: what is broken may take long.
expect(fail "nobody notices: ${AFTER}" ${SCRATCH}/changed)
