-- main.lua of a test: each program that is named draws a hundred frames. The last one is kept as a
-- picture, and must not be blank.
local frames, least_drawn = 100, 50000
local programs, current, frame = {}, 0, 0
local keep_picture

function love.errorhandler(message)
    io.stderr:write(tostring(message), '\n', debug.traceback(), '\n')
    os.exit(1)
end

local function next_program()
    current, frame = current + 1, 0
    if not programs[current] then
        love.event.quit(0)
        return
    end
    love.filesystem.load(programs[current])()
    local draw = love.draw
    function love.draw()
        draw()
        frame = frame + 1
        if frame == frames then
            love.graphics.captureScreenshot(keep_picture)
        end
    end
end

function keep_picture(image)
    local drawn = 0
    image:mapPixel(function(_, _, r, g, b)
        drawn = drawn + (r + g + b > 0 and 1 or 0)
        return r, g, b, 1
    end)
    image:encode('png', (programs[current]:gsub('%.lua$', '.png')))
    print(('love: %s drew %d pixels'):format(programs[current], drawn))
    if drawn < least_drawn then
        error(programs[current] .. ' draws next to nothing')
    end
    next_program()
end

function love.load(arguments)
    programs = arguments
    next_program()
end
