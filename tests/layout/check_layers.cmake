# Layers point down, and siblings are strangers: whatever a module includes is its own, or stands
# below it. cmake -DSOURCE_DIR=... -P check_layers.cmake
#
# A file may include, besides the C standard library: every header of its own module, the public
# headers of the modules below, and the private headers of base. Kernels on lanes are inlined into
# the loops of their users, so that they are headers: those of narrowphase/lanes are for narrowphase
# and the engine, and include only each other and base. In the engine the folders of src are layers,
# too, in the order of the table in step.h.

cmake_minimum_required(VERSION 3.22)

set(base_dir engine/base)
set(narrowphase_dir narrowphase)
set(broadphase_dir broadphase)
set(engine_dir engine)
set(tiled_dir engine/tiled)

set(base_below)
set(narrowphase_below base)
set(broadphase_below base)
set(engine_below base narrowphase broadphase)
set(tiled_below base narrowphase broadphase engine)

# Nothing that reads files, prints or has a locale belongs into the pure modules.
set(standard assert.h float.h limits.h math.h stdbool.h stddef.h stdint.h string.h)
set(base_foreign ${standard} arm_neon.h emmintrin.h fenv.h immintrin.h stdlib.h sys/mman.h
    wasm_simd128.h xmmintrin.h)
set(narrowphase_foreign ${standard})
set(broadphase_foreign ${standard})
set(engine_foreign ${standard} inttypes.h stdarg.h stdio.h time.h)
set(tiled_foreign ${standard} ctype.h errno.h locale.h setjmp.h stdarg.h stdio.h stdlib.h sys/stat.h
    cjson/cJSON.h expat.h zlib.h zstd.h)

# Sets in the caller `result` to what the headers in a folder are included as.
function(list_headers result folder prefix)
    file(GLOB_RECURSE headers RELATIVE ${SOURCE_DIR}/${folder} ${SOURCE_DIR}/${folder}/*.h)
    list(TRANSFORM headers PREPEND "${prefix}")
    set(${result} ${headers} PARENT_SCOPE)
endfunction()

function(list_includes result file)
    file(STRINGS ${SOURCE_DIR}/${file} lines REGEX "^[ \t]*#[ \t]*include")
    set(includes)
    foreach(line IN LISTS lines)
        string(REGEX REPLACE "^[^\"<]*[\"<]([^\">]*)[\">].*$" "\\1" include "${line}")
        list(APPEND includes "${include}")
    endforeach()
    set(${result} ${includes} PARENT_SCOPE)
endfunction()

function(check_file module file)
    list_includes(includes ${file})
    foreach(include IN LISTS includes)
        if(NOT include IN_LIST ARGN)
            message(SEND_ERROR "${file} includes ${include}, which is not for ${module}")
        endif()
    endforeach()
endfunction()

function(check_module module)
    set(folder ${${module}_dir})
    list_headers(public ${folder}/include/graze "graze/")
    list_headers(private ${folder}/src "")
    set(below ${public} ${${module}_foreign})
    set(inside ${private})
    foreach(lower IN LISTS ${module}_below)
        list_headers(headers ${${lower}_dir}/include/graze "graze/")
        list(APPEND below ${headers})
    endforeach()
    list_headers(floor engine/base/src "")
    list(APPEND inside ${floor})
    if(module MATCHES "^(narrowphase|engine)$")
        list_headers(lanes narrowphase/lanes "")
        list(APPEND inside ${lanes})
    endif()

    file(GLOB public_files RELATIVE ${SOURCE_DIR} ${SOURCE_DIR}/${folder}/include/graze/*)
    file(GLOB_RECURSE private_files RELATIVE ${SOURCE_DIR} ${SOURCE_DIR}/${folder}/src/*)
    if(NOT public_files OR NOT private_files)
        message(SEND_ERROR "${module}: nothing found in ${folder}")
    endif()
    foreach(file IN LISTS public_files)
        check_file(${module} ${file} ${below})
    endforeach()
    foreach(file IN LISTS private_files)
        check_file(${module} ${file} ${below} ${inside})
    endforeach()
endfunction()

foreach(module base narrowphase broadphase engine tiled)
    check_module(${module})
endforeach()

# Kernels on lanes know no arrays and no rows.
function(check_lanes)
    list_headers(lanes narrowphase/lanes "")
    list_headers(floor engine/base/src "")
    foreach(file IN LISTS lanes)
        check_file(lanes narrowphase/lanes/${file} ${lanes} ${floor} ${standard})
    endforeach()
endfunction()

check_lanes()

# Sets in the caller `result` to the folders of engine/src, from the top down: the table in step.h,
# which must name all that there are.
function(list_folders result)
    set(folders)
    file(STRINGS ${SOURCE_DIR}/engine/src/step/step.h lines REGEX "^///   [a-z]+/ ")
    foreach(line IN LISTS lines)
        string(REGEX REPLACE "^///   ([a-z]+)/.*$" "\\1" folder "${line}")
        list(APPEND folders ${folder})
    endforeach()
    file(GLOB present RELATIVE ${SOURCE_DIR}/engine/src ${SOURCE_DIR}/engine/src/*)
    list(FILTER present EXCLUDE REGEX "\\.")
    set(named ${folders})
    list(SORT named)
    if(NOT named STREQUAL present)
        message(SEND_ERROR "step.h names ${named}, but there are ${present}")
    endif()
    set(${result} ${folders} PARENT_SCOPE)
endfunction()

# Reports what a file of engine/src includes from folders other than the `allowed` ones.
function(check_layer file folders allowed)
    list_includes(includes ${file})
    foreach(include IN LISTS includes)
        string(REGEX REPLACE "/.*$" "" folder "${include}")
        if(folder IN_LIST folders AND NOT folder IN_LIST allowed)
            message(SEND_ERROR "${file} includes ${include}, which is not below it")
        endif()
    endforeach()
endfunction()

function(check_folders)
    list_folders(folders)
    set(allowed)
    list(REVERSE folders)
    foreach(folder IN LISTS folders)
        list(APPEND allowed ${folder})
        file(GLOB_RECURSE files RELATIVE ${SOURCE_DIR} ${SOURCE_DIR}/engine/src/${folder}/*.[ch])
        if(NOT files)
            message(SEND_ERROR "nothing found in engine/src/${folder}")
        endif()
        foreach(file IN LISTS files)
            check_layer(${file} "${folders}" "${allowed}")
        endforeach()
    endforeach()
endfunction()

check_folders()

# Examples are users: they see public headers only. The program may take lists and blocks from base,
# and JSON from the reader of maps.
function(check_users folder)
    file(GLOB_RECURSE files RELATIVE ${SOURCE_DIR} ${SOURCE_DIR}/${folder}/*.[ch])
    foreach(file IN LISTS files)
        list_includes(includes ${file})
        foreach(include IN LISTS includes)
            if(include IN_LIST ARGN)
                message(SEND_ERROR "${file} includes ${include}, which is private")
            endif()
        endforeach()
    endforeach()
endfunction()

foreach(module base narrowphase broadphase engine tiled)
    list_headers(${module}_private ${${module}_dir}/src "")
endforeach()
list_headers(lanes narrowphase/lanes "")
set(all_but_base ${lanes} ${narrowphase_private} ${broadphase_private} ${engine_private})
check_users(engine/cli ${all_but_base})
check_users(engine/examples ${all_but_base} ${base_private} ${tiled_private})
check_users(engine/bindings ${all_but_base} ${base_private} ${tiled_private})
