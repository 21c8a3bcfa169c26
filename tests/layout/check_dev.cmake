# The script ./dev from outside, where it has nothing to build: from where it can be called, and what
# it says when it cannot do what it is told.
# cmake -DDEV=the script -DSCRATCH=a folder -P check_dev.cmake

cmake_minimum_required(VERSION 3.22)

set(project "${SCRATCH}/a project")
set(tools ${SCRATCH}/tools)
set(path $ENV{PATH})
file(REMOVE_RECURSE ${SCRATCH})
file(COPY ${DEV} DESTINATION ${project})
file(MAKE_DIRECTORY ${SCRATCH}/elsewhere ${tools} ${project}/tests/fuzz/corpus/world)
file(CREATE_LINK ${project}/dev ${SCRATCH}/elsewhere/link SYMBOLIC)

# expect(STATUS PATTERN ARGUMENT...): called by a link from another folder, it ends so, and says
# what matches.
function(expect wanted pattern)
    set(ENV{PATH} ${path})
    execute_process(COMMAND ./link ${ARGN} WORKING_DIRECTORY ${SCRATCH}/elsewhere
                    RESULT_VARIABLE status OUTPUT_VARIABLE text ERROR_VARIABLE text)
    if(NOT status EQUAL wanted OR NOT text MATCHES "${pattern}")
        message(SEND_ERROR "./dev ${ARGN}\nends with ${status}, not ${wanted}, and says\n${text}")
    endif()
    file(GLOB left RELATIVE ${SCRATCH}/elsewhere ${SCRATCH}/elsewhere/*)
    if(NOT left STREQUAL "link")
        message(SEND_ERROR "./dev ${ARGN}\nleaves ${left} where it was called")
    endif()
endfunction()

# make_tool(NAME TEXT): a program that is found instead of the system's.
function(make_tool name text)
    file(WRITE ${tools}/${name} "#!/bin/sh\n${text}\n")
    file(CHMOD ${tools}/${name} PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
endfunction()

expect(0 "^Usage: ./dev COMMAND")
expect(0 "^Usage: ./dev COMMAND" help)
expect(1 "there is no 'dance'\n$" dance)
expect(1 "^dev: soak takes a number of minutes, not 'many'\n$" soak many)
expect(1 "^dev: there is no fuzz target 'nothing'\n$" fuzz nothing)
expect(1 "^dev: fuzz takes a whole number of seconds from 1, not '0'\n$" fuzz world 0)
expect(1 "^dev: walk takes --list and .*, not '--list dance'\n$" walk --list dance)
expect(1 "^dev: examples takes nothing, not 'all'\n$" examples all)
expect(1 "^dev: amalgamate takes nothing, not 'all'\n$" amalgamate all)
expect(1 "^dev: there is no binding for 'dancing'\n$" bindings dancing)
expect(1 "^dev: play takes --check or nothing, not 'games'\n$" play games)
expect(1 "^dev: install takes nothing, not 'all'\n$" install all)
expect(1 "^dev: dist takes nothing, not 'all'\n$" dist all)
expect(1 "^dev: format takes --check or nothing, not '--check all'\n$" format --check all)

# --- a user who is not root, on a system with apt that has nothing else ---
foreach(name awk dirname find grep mkdir readlink sed tail tee tr)
    find_program(tool_${name} ${name} REQUIRED)
    file(CREATE_LINK ${tool_${name}} ${tools}/${name} SYMBOLIC)
endforeach()
make_tool(id "echo 1000")
make_tool(apt-get "exit 1")
make_tool(dpkg-query "exit 1")
set(path ${tools})
expect(1 "^dev: packages are missing, .*\nAs root: apt-get install gcc .*libstb-dev" demo)
file(WRITE ${project}/engine/bindings/lua/check.sh "")
file(CHMOD ${project}/engine/bindings/lua/check.sh PERMISSIONS OWNER_READ OWNER_EXECUTE)
expect(1 "install gcc libc6-dev python3 cmake [^\n]*\n$" bindings lua) # Each once.

make_tool(sudo "echo no rights >&2 && exit 1")
expect(1 "^Installing gcc .*\nno rights\n.*\ndev: apt-get update failed\n$" demo)

make_tool(dpkg-query "echo installed")
make_tool(cmake "echo no compiler >&2 && exit 1")
expect(1 "^Building in build/\nno compiler\ndev: failed: cmake [^\n]*configure.log[^\n]*\n$" demo)

# --- how far it is, and which tests are built and run ---
make_tool(cmake "case $* in
*targets*) echo tests/test_grid: LINK && echo tests/test_rays: LINK ;;
*--target*) echo \"[1/2] Compiling\" && echo \"[2/2] $*\" ;;
esac")
make_tool(ctest "case $* in
*-N*rays*) echo '  Test  #2: test_rays' ;;
*-N*-L*grids*) echo '  Test  #1: test_grid@scalar' ;;
*-N*-R*test_grid@scalar*) echo '  Test  #1: test_grid@scalar' ;;
*-N*) ;;
*) echo '1/1 Test  #2: test_rays ...   Passed    0.01 sec' && echo '100% tests passed' ;;
esac")
file(WRITE ${project}/build/CTestTestfile.cmake
     "add_test([=[test_grid@scalar]=] \"x\" \"${project}/build/tests/test_grid\")\n"
     "add_test([=[test_rays]=] \"${project}/build/tests/./test_rays\")\n")
set(progress "^Building in build/\n  50%, 1 of 2\n  100%, 2 of 2\nTesting release\n  100%, 1 of 1\n")
# expect_targets(TARGET): that is what was built.
function(expect_targets wanted)
    file(READ ${project}/build/build.log log)
    if(NOT log MATCHES "--target ${wanted}\n$")
        message(SEND_ERROR "not ${wanted} was built:\n${log}")
    endif()
endfunction()
expect(0 "${progress}100% tests passed\n$" test)
expect_targets(all)
expect(0 "${progress}100% tests passed\n$" test rays release)
expect_targets(tests/test_rays)
expect(0 "${progress}100% tests passed\n$" test grids)
expect_targets(tests/test_grid)
expect(1 "\ndev: no test is called 'fast', and no variant [^\n]*\n$" test fast)

make_tool(ctest "echo ' 1/10 Test #3: a ...***Failed    0.01 sec' && exit 8")
expect(8 "Testing release\n  10%, 1 of 10\n 1/10 Test #3: a ...[*]+Failed [^\n]*\n$" test)

# --- a folder in which nothing can be written ---
file(REMOVE_RECURSE ${project}/build)
file(TOUCH ${project}/build)
expect(1 "\ndev: cannot write to [^\n]*/a project/build/configure.log\n$" demo)
