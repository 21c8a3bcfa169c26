# Every relative link of a Markdown page leads to a file or folder of the tree, and so does every
# path from the root that is set as code.
# cmake -DSOURCE_DIR=... -P check_links.cmake

cmake_minimum_required(VERSION 3.22)

set(folders engine narrowphase broadphase bench tests)
list(TRANSFORM folders PREPEND "${SOURCE_DIR}/")
list(TRANSFORM folders APPEND "/*.md" OUTPUT_VARIABLE patterns)
file(GLOB root_pages ${SOURCE_DIR}/*.md)
file(GLOB_RECURSE pages ${patterns})
list(APPEND pages ${root_pages})

set(count 0)
foreach(page IN LISTS pages)
    file(READ ${page} text)
    string(REGEX MATCHALL "`(engine|narrowphase|broadphase|bench|tests)/[a-z0-9_/]+\\.[a-z]+`" paths
           "${text}")
    foreach(path IN LISTS paths)
        string(REPLACE "`" "" path "${path}")
        if(NOT EXISTS ${SOURCE_DIR}/${path})
            message(SEND_ERROR "${page}: there is no ${path}")
        endif()
    endforeach()
    # Square brackets would join the elements of a list.
    string(REPLACE "](" "LINK(" text "${text}")
    string(REGEX MATCHALL "LINK\\([^)]+\\)" links "${text}")
    get_filename_component(folder ${page} DIRECTORY)
    foreach(link IN LISTS links)
        string(REGEX REPLACE "^LINK\\(([^)#]*).*$" "\\1" target "${link}")
        math(EXPR count "${count} + 1")
        if(target AND NOT target MATCHES "^https?:" AND NOT EXISTS ${folder}/${target})
            message(SEND_ERROR "${page}: there is no ${target}")
        endif()
    endforeach()
endforeach()

if(count LESS 10)
    message(FATAL_ERROR "only ${count} links found in ${SOURCE_DIR}")
endif()
