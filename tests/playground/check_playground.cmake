# graze_playground from outside: what it prints, and what it refuses.
# cmake -DPROGRAM=graze_playground -DGRAZE=graze -DSCRATCH=a folder -P check_playground.cmake

cmake_minimum_required(VERSION 3.22)

file(MAKE_DIRECTORY ${SCRATCH})
set(touches ${SCRATCH}/touches.txt)

# play(STATUS PATTERN ARGUMENT...): it ends so, and prints what matches. Sets `hash`.
function(play wanted pattern)
    execute_process(COMMAND ${PROGRAM} ${ARGN} WORKING_DIRECTORY ${SCRATCH}
                    RESULT_VARIABLE status OUTPUT_VARIABLE text ERROR_VARIABLE text)
    if(NOT status EQUAL wanted OR NOT text MATCHES "${pattern}")
        message(SEND_ERROR "graze_playground ${ARGN}\nends with ${status}, not ${wanted}:\n${text}")
    endif()
    string(REGEX MATCH "hash +[0-9a-f]+" hash "${text}")
    set(hash "${hash}" PARENT_SCOPE)
endfunction()

play(0 "^scene     pit\nsteps     40\nbodies    20, .*\nhash      [0-9a-f]+\n$" pit 40)
set(alone "${hash}")
play(0 "hash" pit 40 3)
if(NOT hash STREQUAL alone)
    message(SEND_ERROR "threads change the hash: ${alone}, ${hash}")
endif()
file(WRITE ${touches} "10 touch 3 0 5 16\n10 touch 3 2 5 16\n20 keys 2\n")
play(0 "hash" pit 40 1 0 touches.txt)
if(hash STREQUAL alone)
    message(SEND_ERROR "an explosion changes nothing")
endif()
play(0 "bodies    1[0-9][0-9][0-9]," bullets 60 1 1000)

# The demo plays these scenes.
foreach(scene IN ITEMS pit pyramid flippers cave)
    play(0 "hash" ${scene} 100)
    execute_process(COMMAND ${GRAZE} demo --scene ${scene} --steps 100 WORKING_DIRECTORY ${SCRATCH}
                    OUTPUT_VARIABLE text COMMAND_ERROR_IS_FATAL ANY)
    string(REGEX REPLACE "^hash +" "\nhash +" pattern "${hash}")
    if(NOT text MATCHES "${pattern}\n")
        message(SEND_ERROR "graze demo does not end with the ${hash}:\n${text}")
    endif()
endforeach()

play(2 "^Usage: .*Scenes: bullets pit pyramid tumbler flippers cave platformer horde digging\n$")
play(2 "^Usage: " dance)
play(2 "^Usage: " pit many)
play(2 "^Usage: " pit -1)
play(1 "^graze_playground: cannot read nothing.txt\n$" pit 10 1 0 nothing.txt)
file(WRITE ${touches} "10 touch 9 0 5 16\n")
play(1 "^graze_playground: touches.txt:1: neither a touch nor keys: 10 touch 9 0 5 16\n$"
     pit 40 1 0 touches.txt)
file(WRITE ${touches} "10 keys 2\nsoon\n")
play(1 "^graze_playground: touches.txt:2: a line begins with a step: soon\n$"
     pit 40 1 0 touches.txt)
file(WRITE ${touches} "10 keys 2\n9 keys 0\n")
play(1 "^graze_playground: touches.txt:2: this step is before the last: 9 keys 0\n$"
     pit 40 1 0 touches.txt)
