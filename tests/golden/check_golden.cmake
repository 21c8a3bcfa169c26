# A golden scene has its hash.
# cmake -DPROGRAM=graze_golden -DSCENE=name -DHASHES=hashes.txt -P check_golden.cmake

cmake_minimum_required(VERSION 3.22)

file(STRINGS ${HASHES} wanted REGEX "^${SCENE} ")
execute_process(COMMAND ${PROGRAM} ${SCENE} OUTPUT_VARIABLE found RESULT_VARIABLE status
                OUTPUT_STRIP_TRAILING_WHITESPACE)
if(NOT status EQUAL 0 OR NOT found STREQUAL wanted)
    message(FATAL_ERROR "${PROGRAM} ${SCENE} ends with ${status} and prints\n  ${found}\n"
                        "but ${HASHES} has\n  ${wanted}")
endif()
