# The table of tolerance.h is true: each constant that it names has that value, in that file.
# cmake -DSOURCE_DIR=... -P check_tolerances.cmake

cmake_minimum_required(VERSION 3.22)

# Sets in the caller `result` to a value of the table as C has it.
function(write_as_c result value)
    string(REGEX REPLACE "^2\\^-([0-9]+)$" "0x1p-\\1" value "${value}")
    string(REPLACE "1/4" "0.25" value "${value}")
    set(${result} ${value} PARENT_SCOPE)
endfunction()

function(check_constant value name file)
    write_as_c(value ${value})
    string(REPLACE "." "\\." pattern "${value}")
    file(GLOB_RECURSE path ${SOURCE_DIR}/engine/src/${file})
    if(NOT path)
        message(SEND_ERROR "tolerance.h names ${file}, which there is not")
        return()
    endif()
    file(STRINGS ${path} lines REGEX "[ *]${name} = ${pattern};")
    if(NOT lines)
        message(SEND_ERROR "tolerance.h says that ${name} of ${file} is ${value}: it is not")
    endif()
endfunction()

file(GLOB_RECURSE table ${SOURCE_DIR}/engine/src/tolerance.h)
file(STRINGS ${table} lines REGEX "^///   [0-9][^ ]* +[a-z_]+ +[a-z_]+(\\.[ch])?  ")
foreach(line IN LISTS lines)
    string(REGEX MATCH "^///   ([^ ]+) +([^ ]+) +([^ ]+)" matched "${line}")
    set(value ${CMAKE_MATCH_1})
    set(name ${CMAKE_MATCH_2})
    string(REGEX REPLACE "^here$" "tolerance.h" file "${CMAKE_MATCH_3}")
    check_constant(${value} ${name} ${file})
endforeach()

list(LENGTH lines count)
if(count LESS 10)
    message(SEND_ERROR "only ${count} lines of the table found in ${table}")
endif()
message("${count} tolerances")
