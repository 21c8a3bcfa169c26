# Sources that are compiled with inexact arithmetic are refused, with a line that says why.
# cmake -DCOMPILER=... -DCOMPILER_ID=... -DSOURCE_DIR=... -P check_fast_math.cmake

cmake_minimum_required(VERSION 3.22)

# compile(FLAG...): sets `status` and `text`.
function(compile)
    execute_process(COMMAND ${COMPILER} -std=c11 -O1 ${ARGN} -fsyntax-only
                            ${SOURCE_DIR}/engine/base/src/fp_environment.c
                    RESULT_VARIABLE status OUTPUT_VARIABLE text ERROR_VARIABLE text)
    set(status "${status}" PARENT_SCOPE)
    set(text "${text}" PARENT_SCOPE)
endfunction()

function(expect_refusal line)
    if(status EQUAL 0 OR NOT text MATCHES "${line}")
        message(SEND_ERROR "${flag}: ends with ${status}, not with '${line}'\n${text}")
    endif()
endfunction()

set(flags -ffast-math -Ofast -ffinite-math-only)
if(COMPILER_ID STREQUAL "GNU") # clang does not tell of the others.
    list(APPEND flags -funsafe-math-optimizations -freciprocal-math -fno-signed-zeros)
    set(flag -fsingle-precision-constant)
    compile(${flag})
    expect_refusal("Graze needs constants that are doubles")
endif()
foreach(flag IN LISTS flags)
    compile(${flag})
    expect_refusal("Graze needs exact arithmetic")
    compile(${flag} -fno-fast-math)
    if(NOT status EQUAL 0)
        message(SEND_ERROR "${flag} -fno-fast-math: ends with ${status}\n${text}")
    endif()
endforeach()
