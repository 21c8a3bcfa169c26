# The library as one file, as ./dev amalgamate makes it: it compiles without a warning, as C11, and
# its header as C++17; inexact arithmetic is refused. With PROGRAM, it also gives the golden hashes.
#
#   cmake -DTOOL=amalgamate.py -DPYTHON=... -DWORK_DIR=... -DCOMPILERS=gcc,clang
#         -DCXX=g++ -P check_one_file.cmake
#   cmake -DPROGRAM=file.o,lib.a -DWORK_DIR=... -DCOMPILERS=gcc -DLANES=scalar,avx2
#         -DHASHES=hashes.txt -P check_one_file.cmake

cmake_minimum_required(VERSION 3.22)

string(REPLACE "," ";" COMPILERS "${COMPILERS}")
string(REPLACE "," ";" PROGRAM "${PROGRAM}")
string(REPLACE "," ";" LANES "${LANES}")
set(strict -Wall -Wextra -Wpedantic -Werror)

# run(COMMAND...): in the folder of the two files.
function(run)
    execute_process(COMMAND ${ARGN} WORKING_DIRECTORY ${WORK_DIR} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

# expect_refusal(LINE COMMAND...)
function(expect_refusal line)
    execute_process(COMMAND ${ARGN} WORKING_DIRECTORY ${WORK_DIR} RESULT_VARIABLE status
                    OUTPUT_VARIABLE text ERROR_VARIABLE text)
    if(status EQUAL 0 OR NOT text MATCHES "${line}")
        message(SEND_ERROR "${ARGN}: ends with ${status}, not with '${line}'\n${text}")
    endif()
endfunction()

if(TOOL)
    file(REMOVE_RECURSE ${WORK_DIR})
    file(MAKE_DIRECTORY ${WORK_DIR})
    list(GET COMPILERS 0 first)
    run(${PYTHON} ${TOOL} ${WORK_DIR} --cc ${first})
    foreach(compiler IN LISTS COMPILERS)
        run(${compiler} -std=c11 ${strict} -fsyntax-only graze.c)
        expect_refusal("needs exact arithmetic" ${compiler} -ffast-math -Wfatal-errors -fsyntax-only
                       graze.c)
        expect_refusal("needs C11" ${compiler} -std=c99 -Wfatal-errors -fsyntax-only graze.c)
    endforeach()
    if(CXX)
        file(WRITE ${WORK_DIR}/game.cpp "#include \"graze.h\"\n#include \"graze.h\"\n"
             "int main() { return graze_world_def_default().substeps == 0; }\n")
        run(${CXX} -std=c++17 ${strict} -fsyntax-only game.cpp)
    endif()
endif()

# The machine's own instructions, among which may be fused ones.
if(PROGRAM)
    run(${COMPILERS} -std=c11 -O2 -march=native ${strict} -c graze.c)
    run(${COMPILERS} -o golden graze.o ${PROGRAM} -lm -pthread)
    file(READ ${HASHES} wanted)
    foreach(lanes IN LISTS LANES)
        set(ENV{GRAZE_LANES} ${lanes})
        execute_process(COMMAND ./golden --short WORKING_DIRECTORY ${WORK_DIR}
                        RESULT_VARIABLE status OUTPUT_VARIABLE found)
        if(NOT status EQUAL 77 AND NOT found STREQUAL wanted)
            message(SEND_ERROR "with ${lanes} it prints\n${found}but ${HASHES} has\n${wanted}")
        endif()
    endforeach()
endif()
