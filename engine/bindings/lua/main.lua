-- 1000 crates and discs fall into a bowl; a click is an explosion. README.md says how to run
-- it.
local graze = require 'graze'

local world = graze.world { gravity = { 0, 600 } }
world:chain { points = { { 0, 0 }, { 60, 500 }, { 400, 580 }, { 740, 500 }, { 800, 0 } } }

local function is_crate(index)
    return index % 2 == 0
end

world:bodies(1000, function(body, i)
    body.position = { 140 + i % 40 * 13, 380 - math.floor(i / 40) * 13 }
    body.shape = is_crate(i - 1) and graze.rect(6, 5) or graze.circle(5.5)
end)

function love.update()
    world:step(1 / 60)
end

function love.mousepressed(x, y)
    world:explode(x, y, 120, 500)
end

function love.draw()
    local positions, count = world:positions()
    local angles, indices = world:angles(), world:indices()
    for row = 0, count - 1 do
        local index = indices[row]
        love.graphics.push()
        love.graphics.translate(positions[row].x, positions[row].y)
        love.graphics.rotate(angles[row])
        if is_crate(index) then
            love.graphics.setColor(0.8, 0.55 + index % 7 * 0.04, 0.35)
            love.graphics.rectangle('fill', -6, -5, 12, 10)
        else
            love.graphics.setColor(0.3, 0.5 + index % 5 * 0.08, 0.8)
            love.graphics.circle('fill', 0, 0, 5.5)
        end
        love.graphics.pop()
    end
    love.graphics.setColor(1, 1, 1)
    love.graphics.line(0, 0, 60, 500, 400, 580, 740, 500, 800, 0)
    love.graphics.print(count .. ' bodies, ' .. world:stats().contact_count .. ' contacts', 10, 10)
end
