# A golden scene, or all of them, have their hashes.
# cmake -DPROGRAM=graze_golden -DSCENE=name -DOPTIONS=word;word -DHASHES=hashes.txt
#       -P check_golden.cmake

cmake_minimum_required(VERSION 3.22)

if(SCENE STREQUAL "all")
    set(SCENE "")
    file(READ ${HASHES} wanted)
    string(STRIP "${wanted}" wanted)
else()
    file(STRINGS ${HASHES} wanted REGEX "^${SCENE} ")
endif()
execute_process(COMMAND ${PROGRAM} ${OPTIONS} ${SCENE} OUTPUT_VARIABLE found
                RESULT_VARIABLE status OUTPUT_STRIP_TRAILING_WHITESPACE)
if(status EQUAL 77)
    execute_process(COMMAND ${CMAKE_COMMAND} -E echo "${found}")
elseif(NOT status EQUAL 0 OR NOT found STREQUAL wanted)
    message(FATAL_ERROR "${PROGRAM} ${OPTIONS} ${SCENE} ends with ${status} and prints\n${found}\n"
                        "but ${HASHES} has\n${wanted}")
endif()
