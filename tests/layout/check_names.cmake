# File names are unique in the tree: a name says which file is meant, and an include finds one file
# only. cmake -DSOURCE_DIR=... -P check_names.cmake

cmake_minimum_required(VERSION 3.22)

set(folders engine narrowphase broadphase bench tests)
list(TRANSFORM folders PREPEND "${SOURCE_DIR}/")
list(TRANSFORM folders APPEND "/*.[ch]*" OUTPUT_VARIABLE patterns)
file(GLOB_RECURSE files RELATIVE ${SOURCE_DIR} ${patterns})
list(FILTER files INCLUDE REGEX "\\.(c|h|cpp|hpp|cmake)$")

list(LENGTH files count)
if(count LESS 20)
    message(FATAL_ERROR "only ${count} files found in ${SOURCE_DIR}")
endif()

foreach(file IN LISTS files)
    get_filename_component(name ${file} NAME)
    if(DEFINED first_${name})
        message(SEND_ERROR "${file} has the name of ${first_${name}}")
    endif()
    set(first_${name} ${file})
    if(NOT name MATCHES "^[a-z0-9_]+\\.[a-z]+$")
        message(SEND_ERROR "${file}: names are snake_case")
    endif()
endforeach()
