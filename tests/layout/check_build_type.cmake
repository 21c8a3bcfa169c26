# How Graze is compiled in the tree of a game: optimised if the game says nothing, otherwise as the
# game says; and the game's own files always as the game says. By itself it is a Release build.
# Nothing is built.
#
#   cmake -DSOURCE_DIR=... -DWORK_DIR=... -DGENERATOR=... -DCOMPILER=... -P check_build_type.cmake

cmake_minimum_required(VERSION 3.22)

set(notice "Graze: CMAKE_BUILD_TYPE is not set, so the library is compiled with -O3 -DNDEBUG")

# configure(FOLDER ARGUMENT...): sets `text` to what CMake says.
function(configure folder)
    file(REMOVE_RECURSE ${WORK_DIR})
    execute_process(COMMAND ${CMAKE_COMMAND} -S ${folder} -B ${WORK_DIR}
                            -G ${GENERATOR} -DCMAKE_C_COMPILER=${COMPILER}
                            -DCMAKE_EXPORT_COMPILE_COMMANDS=ON ${ARGN}
                    OUTPUT_VARIABLE text ERROR_VARIABLE text COMMAND_ERROR_IS_FATAL ANY)
    set(text "${text}" PARENT_SCOPE)
endfunction()

# list_flags(PATTERN): sets `flags` to the options that optimise, or switch assertions off, of all
# files that match, each combination once.
function(list_flags pattern)
    file(READ ${WORK_DIR}/compile_commands.json commands)
    string(JSON count LENGTH "${commands}")
    math(EXPR last "${count} - 1")
    set(flags)
    foreach(i RANGE ${last})
        string(JSON file GET "${commands}" ${i} file)
        string(JSON command GET "${commands}" ${i} command)
        if(file MATCHES "${pattern}")
            string(REGEX MATCHALL " (-O[^ ]*|-DNDEBUG)" found "${command}")
            string(REPLACE ";" "" found "${found}")
            list(APPEND flags "<${found}>")
        endif()
    endforeach()
    list(REMOVE_DUPLICATES flags)
    set(flags "${flags}" PARENT_SCOPE)
endfunction()

# expect(LIBRARY GAME ARGUMENT...): configured so, the files of the library and of the game have
# these flags, and CMake gives notice if it is Graze who chose them.
function(expect library game)
    configure(${SOURCE_DIR}/tests/consumer ${ARGN})
    list_flags("consumer\\.c$")
    if(NOT flags STREQUAL "<${game}>")
        message(SEND_ERROR "${ARGN}: the game is compiled with ${flags}, not <${game}>")
    endif()
    list_flags("/src/[^;]*\\.c$")
    if(NOT flags STREQUAL "<${library}>")
        message(SEND_ERROR "${ARGN}: the library is compiled with ${flags}, not <${library}>")
    endif()
    string(FIND "${text}" "${notice}" place)
    if((library STREQUAL game AND place GREATER -1) OR (NOT library STREQUAL game AND place LESS 0))
        message(SEND_ERROR "${ARGN}: notice is given where it is not due, or not where it is:\n${text}")
    endif()
endfunction()

set(ENV{CFLAGS} "")
set(ENV{CMAKE_BUILD_TYPE} "")
expect(" -O3 -DNDEBUG" "" -DGRAZE_FOLDER=${SOURCE_DIR})
expect(" -O3 -DNDEBUG" "" -DFETCHCONTENT_SOURCE_DIR_GRAZE=${SOURCE_DIR})
expect("" "" -DGRAZE_FOLDER=${SOURCE_DIR} -DCMAKE_BUILD_TYPE=Debug)
expect(" -Os -DNDEBUG" " -Os -DNDEBUG" -DGRAZE_FOLDER=${SOURCE_DIR} -DCMAKE_BUILD_TYPE=MinSizeRel)
expect(" -O1" " -O1" -DGRAZE_FOLDER=${SOURCE_DIR} -DCMAKE_C_FLAGS=-O1)

configure(${SOURCE_DIR} -DGRAZE_BUILD_TESTS=OFF -DGRAZE_BUILD_BENCH=OFF -DGRAZE_BUILD_CLI=OFF)
list_flags("/src/[^;]*\\.c$")
if(NOT flags STREQUAL "< -O3 -DNDEBUG>" OR text MATCHES "CMAKE_BUILD_TYPE is not set")
    message(SEND_ERROR "by itself, the library is compiled with ${flags}:\n${text}")
endif()
