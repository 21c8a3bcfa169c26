# What a static library defines and needs.
#
#   cmake -DNM=nm -DLIBRARY=lib.a -DBELOW=lib.a,lib.a -DALLOWED=name,name -DSANITIZE=...
#         -P check_symbols.cmake
#
# Every external symbol starts with graze_ or grz_. Whatever it lacks is in the libraries below it
# (BELOW), in ALLOWED, or of a package (PACKAGES: how their names begin). It has no variables: no global state, hence no writable data either.

cmake_minimum_required(VERSION 3.22)

# Compilers put these in by themselves.
set(compiler_made memcpy memmove memset memcmp bcmp __memcpy_chk __memmove_chk __memset_chk
    __stack_chk_fail _GLOBAL_OFFSET_TABLE_)

string(REPLACE "," ";" below "${BELOW}")
string(REPLACE "," ";" allowed "${ALLOWED}")

# Sets in the caller <prefix>_defined, _undefined and _variables.
function(read_symbols prefix library)
    execute_process(COMMAND ${NM} --format=sysv ${library} OUTPUT_VARIABLE text
                    COMMAND_ERROR_IS_FATAL ANY)
    string(REGEX REPLACE "[][;]" "_" text "${text}")
    string(REPLACE "\n" ";" lines "${text}")
    foreach(line IN LISTS lines)
        string(REPLACE " " "" line "${line}")
        # name|value|class|type|size|line|section
        if(NOT line MATCHES "^([^|]+)\\|[^|]*\\|([A-Za-z])\\|[^|]*\\|[^|]*\\|[^|]*\\|(.*)$")
            continue()
        endif()
        set(name ${CMAKE_MATCH_1})
        set(class ${CMAKE_MATCH_2})
        set(section ${CMAKE_MATCH_3})
        if(class STREQUAL "U")
            list(APPEND undefined ${name})
        elseif(class MATCHES "[A-Z]")
            list(APPEND defined ${name})
        endif()
        if(class MATCHES "[BbCcDdSs]" AND NOT section MATCHES "^\\.data\\.rel\\.ro")
            list(APPEND variables ${name})
        endif()
    endforeach()
    foreach(kind defined undefined variables)
        set(${prefix}_${kind} ${${kind}} PARENT_SCOPE)
    endforeach()
endfunction()

read_symbols(own ${LIBRARY})
if(NOT own_defined)
    message(FATAL_ERROR "${LIBRARY} defines nothing that ${NM} shows")
endif()
set(provided ${own_defined} ${allowed} ${compiler_made})
foreach(library IN LISTS below)
    read_symbols(lower ${library})
    list(APPEND provided ${lower_defined})
endforeach()

if(SANITIZE)
    list(FILTER own_defined EXCLUDE REGEX "^__odr_asan|^_?_?(asan|tsan)|^asan\\.")
    list(FILTER own_undefined EXCLUDE REGEX "^__(asan|ubsan|tsan|sanitizer)_|^__start_|^__stop_")
    set(own_variables)
endif()

foreach(name IN LISTS own_defined)
    if(NOT name MATCHES "^(graze|grz)_")
        message(SEND_ERROR "${LIBRARY} defines ${name}, without the prefix graze_ or grz_")
    endif()
endforeach()
string(REPLACE "," ";" packages "${PACKAGES}")
foreach(prefix IN LISTS packages)
    list(FILTER own_undefined EXCLUDE REGEX "^${prefix}")
endforeach()
foreach(name IN LISTS own_undefined)
    if(NOT name IN_LIST provided)
        message(SEND_ERROR "${LIBRARY} needs ${name}, which is not for it")
    endif()
endforeach()
foreach(name IN LISTS own_variables)
    message(SEND_ERROR "${LIBRARY} has the variable ${name}")
endforeach()
