# The compiler tells the numbers of bodies apart (body_state.h): a row is no index, and neither is a
# slot. cmake -DCOMPILER=... -DSOURCE_DIR=... -DWORK_DIR=... -P check_index_types.cmake

cmake_minimum_required(VERSION 3.22)

file(MAKE_DIRECTORY ${WORK_DIR})
set(includes)
foreach(folder engine/base/include engine/base/src engine/include engine/src narrowphase/include
               broadphase/include)
    list(APPEND includes -I${SOURCE_DIR}/${folder})
endforeach()

# compile(RESULT FROM TO): whether a FROM passes for a TO.
function(compile result from to)
    file(WRITE ${WORK_DIR}/pass.c "#include \"world/body_state.h\"\n"
         "${to} pass(${from} number);\n${to} pass(${from} number)\n{\n    return number;\n}\n")
    execute_process(COMMAND ${COMPILER} -std=c11 -Wextra -Werror ${includes} -fsyntax-only
                            ${WORK_DIR}/pass.c
                    RESULT_VARIABLE status OUTPUT_VARIABLE text ERROR_VARIABLE text)
    set(${result} ${status} PARENT_SCOPE)
endfunction()

foreach(from grz_row grz_index grz_slot)
    foreach(to grz_row grz_index grz_slot uint32_t)
        compile(status ${from} ${to})
        set(passes ${to} STREQUAL ${from} OR ${to} STREQUAL uint32_t)
        if((${passes}) AND NOT status EQUAL 0)
            message(SEND_ERROR "a ${from} does not pass for a ${to}: ${status}")
        elseif(NOT (${passes}) AND status EQUAL 0)
            message(SEND_ERROR "a ${from} passes for a ${to}")
        endif()
    endforeach()
endforeach()
