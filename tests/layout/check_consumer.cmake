# Builds and runs tests/consumer against Graze as users get it.
#
#   cmake -DWAY=find_package|add_subdirectory|fetch_content|pkg_config|shared -DSOURCE_DIR=...
#         -DBUILD_DIR=... -DWORK_DIR=... -DVERSION=... -DGENERATOR=... -DCOMPILER=...
#         -DBUILD_TYPE=... -DSANITIZE=... -DPKG_CONFIG=... -DLIBDIR=... -DNM=...
#         -P check_consumer.cmake

cmake_minimum_required(VERSION 3.22)

set(consumer_dir ${SOURCE_DIR}/tests/consumer)
set(prefix ${WORK_DIR}/prefix)
set(program ${WORK_DIR}/build/consumer)

# Runs a command; prints what it said only when it fails.
function(run)
    execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE text
                    ERROR_VARIABLE text)
    if(NOT result EQUAL 0)
        string(REPLACE ";" " " command "${ARGN}")
        message(FATAL_ERROR "${command}\n${text}")
    endif()
endfunction()

function(install_graze)
    run(${CMAKE_COMMAND} --install ${BUILD_DIR} --config ${BUILD_TYPE} --prefix ${prefix})
endfunction()

function(build_with_cmake)
    if(SANITIZE)
        string(APPEND flags " -fsanitize=${SANITIZE}")
    endif()
    run(${CMAKE_COMMAND} -S ${consumer_dir} -B ${WORK_DIR}/build -G ${GENERATOR}
        -DCMAKE_C_COMPILER=${COMPILER} -DCMAKE_BUILD_TYPE=${BUILD_TYPE} -DCMAKE_C_FLAGS=${flags}
        -DCMAKE_EXPORT_COMPILE_COMMANDS=ON ${ARGN})
    run(${CMAKE_COMMAND} --build ${WORK_DIR}/build)
endfunction()

# The flags with which the consumer's own file was compiled are the consumer's own; those of Graze do
# for a cross compiler.
function(check_flags)
    file(READ ${WORK_DIR}/build/compile_commands.json commands)
    string(JSON count LENGTH "${commands}")
    math(EXPR last "${count} - 1")
    foreach(i RANGE ${last})
        string(JSON file GET "${commands}" ${i} file)
        string(JSON command GET "${commands}" ${i} command)
        if(file MATCHES "consumer\\.c$" AND command MATCHES "-ffp-contract|-Wconversion|-Wshadow")
            message(FATAL_ERROR "Graze's own flags reach its users: ${command}")
        endif()
        if(command MATCHES "-isystem /usr/include ")
            message(FATAL_ERROR "a cross compiler would see this machine's headers: ${command}")
        endif()
    endforeach()
endfunction()

function(build_with_pkg_config)
    set(ENV{PKG_CONFIG_PATH} ${prefix}/${LIBDIR}/pkgconfig)
    run(${PKG_CONFIG} --exact-version ${VERSION} graze)
    compile_with_pkg_config(consumer graze)
endfunction()

# compile_with_pkg_config(NAME MODULE [OPTION])
function(compile_with_pkg_config name module)
    execute_process(COMMAND ${PKG_CONFIG} ${ARGN} --cflags --libs ${module} OUTPUT_VARIABLE flags
                    OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
    separate_arguments(flags UNIX_COMMAND "${flags}")
    if(SANITIZE)
        list(APPEND flags -fsanitize=${SANITIZE})
    endif()
    file(MAKE_DIRECTORY ${WORK_DIR}/build)
    run(${COMPILER} -std=c11 -Wall -Wextra -Werror -pedantic -o ${WORK_DIR}/build/${name}
        ${consumer_dir}/${name}.c ${flags})
endfunction()

# Writes the README's recipe for FetchContent, and a repository as it says: of what is here, with its
# tag, which is that of this version.
function(make_repository recipe)
    set(origin ${WORK_DIR}/origin)
    file(READ ${SOURCE_DIR}/README.md text)
    if(NOT text MATCHES "\n```cmake\n(include.FetchContent.\n[^`]* GIT_TAG v([0-9.]+)[^`]*)```")
        message(FATAL_ERROR "no recipe for FetchContent in README.md")
    endif()
    set(text "${CMAKE_MATCH_1}")
    if(NOT CMAKE_MATCH_2 STREQUAL VERSION)
        message(FATAL_ERROR "README.md fetches ${CMAKE_MATCH_2}, but this is ${VERSION}")
    endif()
    string(REPLACE "URL_OF_GRAZE" "file://${origin}" text "${text}")
    file(WRITE ${WORK_DIR}/recipe.cmake "${text}")
    set(${recipe} ${WORK_DIR}/recipe.cmake PARENT_SCOPE)

    foreach(part CMakeLists.txt LICENSE broadphase engine narrowphase)
        file(COPY ${SOURCE_DIR}/${part} DESTINATION ${origin})
    endforeach()
    set(git ${GIT} -C ${origin} -c user.name=test -c user.email=test@localhost
        -c commit.gpgsign=false -c tag.gpgsign=false)
    run(${git} init --quiet)
    run(${git} add .)
    run(${git} commit --quiet --message=all)
    run(${git} tag v${VERSION})
endfunction()

function(build_fetched)
    make_repository(recipe)
    set(BUILD_TYPE Debug)
    build_with_cmake(-DGRAZE_RECIPE=${recipe})
endfunction()

# Builds it as one shared library, and installs that. What it exports is the same unoptimised, which
# takes a third of the time.
function(install_shared_graze)
    set(build ${WORK_DIR}/graze)
    run(${CMAKE_COMMAND} -S ${SOURCE_DIR} -B ${build} -G ${GENERATOR} -DBUILD_SHARED_LIBS=ON
        -DCMAKE_C_COMPILER=${COMPILER} -DCMAKE_BUILD_TYPE=Debug -DGRAZE_BUILD_TESTS=OFF
        -DGRAZE_BUILD_BENCH=OFF -DGRAZE_BUILD_CLI=OFF)
    run(${CMAKE_COMMAND} --build ${build})
    run(${CMAKE_COMMAND} --install ${build} --config Debug --prefix ${prefix})
endfunction()

# Whoever looks into the library sees the public functions and nothing else.
function(check_exports)
    set(library ${prefix}/${LIBDIR}/libgraze.so)
    execute_process(COMMAND ${NM} --dynamic --defined-only --format=posix ${library}
                    OUTPUT_VARIABLE text COMMAND_ERROR_IS_FATAL ANY)
    if(NOT text MATCHES "graze_world_step T" OR NOT text MATCHES "graze_orient T")
        message(FATAL_ERROR "${library} lacks public functions:\n${text}")
    endif()
    string(REGEX MATCHALL "[^\n]+" lines "${text}")
    list(FILTER lines EXCLUDE REGEX "^graze_[a-z0-9_]+ T")
    if(lines)
        message(FATAL_ERROR "${library} shows what is not public: ${lines}")
    endif()
    file(GLOB archives ${prefix}/${LIBDIR}/*.a)
    if(archives)
        message(FATAL_ERROR "static libraries beside the shared one: ${archives}")
    endif()
endfunction()

file(REMOVE_RECURSE ${WORK_DIR})
set(ENV{LD_LIBRARY_PATH} ${prefix}/${LIBDIR}:$ENV{LD_LIBRARY_PATH})
if(WAY STREQUAL "add_subdirectory")
    set(flags "-ffast-math -funsigned-char -Werror") # A game's own, with which Graze is compiled, too.
    build_with_cmake(-DGRAZE_FOLDER=${SOURCE_DIR} -DCMAKE_UNITY_BUILD=ON)
    check_flags()
elseif(WAY STREQUAL "fetch_content")
    build_fetched()
    check_flags()
elseif(WAY STREQUAL "find_package")
    install_graze()
    build_with_cmake(-DCMAKE_PREFIX_PATH=${prefix} -DGRAZE_VERSION=${VERSION} -DTILED=${TILED})
    check_flags()
    if(TILED)
        run(${program}_tiled)
    endif()
elseif(WAY STREQUAL "pkg_config")
    install_graze()
    build_with_pkg_config()
    if(TILED)
        compile_with_pkg_config(consumer_tiled graze_tiled --static)
        run(${program}_tiled)
    endif()
else()
    install_shared_graze()
    check_exports()
    build_with_cmake(-DCMAKE_PREFIX_PATH=${prefix} -DGRAZE_VERSION=${VERSION})
    check_flags()
    run(${program})
    build_with_pkg_config()
endif()
run(${program})
