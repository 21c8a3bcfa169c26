-- Tests graze.lua. luajit test.lua FOLDER HASHES: the folder that pack.sh made, and hashes.txt.
local folder, hashes = arg[1], arg[2]
package.path = folder .. '/?.lua;' .. package.path

local ffi = require 'ffi'
local graze = require 'graze'
local tests, names = {}, {}

local function test(name, run)
    names[#names + 1] = name
    tests[name] = run
end

local function expect(wanted, found)
    if wanted ~= found then
        error(('not %s but %s'):format(tostring(wanted), tostring(found)), 2)
    end
end

-- The call raises an error that has this text, and a place in this file.
local function expect_error(text, run, ...)
    local fine, message = pcall(run, ...)
    if fine or not tostring(message):find(text, 1, true) then
        error(('no error "%s" but "%s"'):format(text, tostring(message)), 2)
    end
end

local function make_bowl()
    local world = graze.world { gravity = { 0, -10 } }
    world:chain { points = { { -30, 30 }, { -28, 0 }, { 0, -2 }, { 28, 0 }, { 30, 30 } } }
    return world
end

-- The scene of bindings_scene.c; returns the lines of hashes.txt.
local function play_scene()
    local world = make_bowl()
    world:bodies(1000, function(body, number)
        local i = number - 1
        body.position = { i % 40 * 1.25 - 24.375, 2 + math.floor(i / 40) * 1.25 }
        body.user_data = i
        if i % 3 == 0 then
            body.shape = graze.rect(0.5, 0.375)
            body.angle = i % 16 * 0.125
        elseif i % 3 == 2 then
            body.shape = graze.circle(0.375)
            body.response = graze.BOUNCE
            body.restitution = 0.5
        end
    end)
    local lines, contacts, removals = {}, 0, 0
    for step = 1, 300 do
        if step % 10 == 1 then
            world:body { shape = graze.ray(), position = { -25, 8 }, mass = 0.125,
                velocity = { 100, math.floor(step / 10) % 8 * 4 - 20 }, response = graze.STOP,
                hit_limit = 1, lifetime = 2 }
        end
        if step == 101 then
            world:explode(0, 0, 10, 20)
        elseif step == 151 then
            local snapshot = world:save()
            world = graze.world { gravity = { 0, -10 } }
            world:load(snapshot)
        elseif step == 201 then
            for _, body in ipairs(world:query_box(-5, -5, 5, 5)) do
                body:destroy()
            end
        end
        world:step(1 / 64)
        contacts = contacts + select(2, world:contacts())
        removals = removals + select(2, world:removals())
        if step % 100 == 0 then
            lines[#lines + 1] = ('%d %s %d %d\n'):format(step, world:hash(), contacts, removals)
        end
    end
    return table.concat(lines)
end

test('the scene has the hashes that it has in C', function()
    local file = assert(io.open(hashes))
    expect(file:read '*a', play_scene())
    file:close()
end)

test('a crate falls and comes to rest', function()
    local world = make_bowl()
    local crate = world:body { shape = graze.rect(0.5, 0.5), position = { 10, 3 } }
    for _ = 1, 200 do
        world:step(1 / 60)
    end
    local _, y = crate:position()
    expect(true, y < 0 and crate:is_asleep())
end)

test('setters and getters are of one body', function()
    local world = graze.world()
    local body, other = world:body(), world:body { position = { 5, 5 } }
    body:set_position(1, 2)
    body:set_velocity(3, 4)
    body:set_mass(2)
    body:set_user_data(7)
    body:set_response(graze.SLIDE)
    body:set_filter(graze.filter { category = 2 })
    body:set_surface { friction = 0.25 }
    expect('1 2 3 4', table.concat({ body:position() }, ' ') .. ' '
        .. table.concat({ body:velocity() }, ' '))
    expect(2, body:mass())
    expect(7, body:user_data())
    expect(true, body:response() == graze.SLIDE)
    expect(2, body:filter().category)
    body:set_filter { mask = 8 }
    expect(2, body:filter().category)
    local third = world:body { filter = { category = 4 }, surface = { restitution = 0.5 } }
    expect('4 4294967295', third:filter().category .. ' ' .. third:filter().mask)
    expect(0.5, third:restitution())
    expect(true, third:friction() > 0.5)
    expect(0.25, body:friction())
    expect(1, other:mass())
    expect(true, body == world:at(body.id) and body ~= other)
end)

test('columns are views of the world', function()
    local world = graze.world()
    world:bodies(10, function(body, i)
        body.position, body.velocity, body.response = { i, 0 }, { 0, i }, graze.PASS
    end)
    local positions, count = world:positions()
    local velocities, indices = world:velocities(), world:indices()
    expect(10, count)
    for row = 0, count - 1 do
        expect(indices[row] + 1, positions[row].x)
        expect(indices[row] + 1, velocities[row].y)
    end
    expect(true, world:positions() == graze.C.graze_world_positions(world:pointer(), nil))
    expect(true, world:angles() == nil)
    expect(positions[3].x, (world:body_at(indices[3]):position()))
    expect(nil, world:body_at(10))
end)

test('contacts name bodies and terrain', function()
    local world = make_bowl()
    local crate = world:body { position = { 0, -1.75 } }
    world:step(1 / 60)
    local contacts, count = world:contacts()
    expect(true, count > 0 and crate == world:at(contacts[0].a))
    expect(true, contacts[0].segment.chain.generation > 0)
    expect(count, select(2, crate:contacts()))
    expect(true, contacts[0].phase == graze.CONTACT_BEGIN)
end)

test('chains have surfaces', function()
    local world = graze.world()
    local chain = world:chain { points = { 0, 0, 5, 0, 5, 5 }, loop = true,
        surface = { friction = 0.25 } }
    chain:set_surface({ friction = 0.5, speed = 3 }, 1)
    local def = graze.C.graze_chain_get_def(world:pointer(), chain.id)
    expect(3, def.count)
    expect(true, def.loop)
    expect(0.25, def.surfaces[0].friction)
    expect(3, def.surfaces[1].speed)
    expect(5, def.points[2].y)
    chain:destroy()
    expect(false, chain:is_valid())
end)

test('queries find bodies', function()
    local world = graze.world()
    local far, near = world:body { position = { 5, 0 } }, world:body { position = { 3, 0 } }
    local hit = world:ray(0, 0, 10, 0)
    expect(true, near == world:at(hit.body) and math.abs(hit.time - 0.25) < 1e-6)
    expect(nil, world:ray(0, 0, -10, 0))
    expect(true, near == world:at(world:cast(graze.circle(0.5), 0, 0, 10, 0).body))
    local found = world:query_nearest(0, 0, 10)
    expect(true, #found == 2 and found[1] == near and found[2] == far)
    expect(1, #world:query_point(3, 0.25))
    expect(2, #world:query_box(0, -1, 10, 1))
    world:bodies(100, function() end)
    expect(100, #world:query_point(0, 0))
end)

test('errors name the call, the field and the value', function()
    local world = make_bowl()
    local body = world:body()
    expect_error('graze_body_set_mass: mass is -1', body.set_mass, body, -1)
    expect_error('graze_body_create: mass is -1', world.body, world, { mass = -1 })
    expect_error("has no member named 'weight'", world.body, world, { weight = 1 })
    expect_error('graze_body_create_many: ', world.bodies, world, 2, function(def, i)
        def.mass = 1 - i
    end)
    expect_error('graze_chain_create: count is 1', world.chain, world, { points = { { 0, 0 } } })
    expect_error('graze_world_step: dt is 0', world.step, world, 0)
    expect_error('graze_world_create: substeps is 100', graze.world, { substeps = 100 })
    expect_error('graze_query_nearest: ', world.query_nearest, world, 0, 0, -1)
    expect_error('graze_world_load: ', world.load, world, 'no snapshot')
    body:destroy()
    expect_error('is not in the world', body.set_mass, body, 1)
    expect(false, body:is_valid())
    world:destroy()
    world:destroy()
    expect_error('the world has been destroyed', body.position, body)
    expect_error('test.lua', function()
        local _ = body:position()
    end)
    expect_error('SLYDE', function()
        return graze.SLYDE
    end)
end)

test('errors come from loops that are compiled, too', function()
    local world = graze.world()
    local body, count = world:body(), 0
    for i = 1, 2000 do
        count = count + (pcall(body.set_mass, body, i % 2 - 1) and 1 or 0)
    end
    expect(1000, count)
    for _ = 1, 2000 do
        count = count + (pcall(world.step, world, 0) and 1 or 0)
    end
    expect(1000, count)
end)

test('errors come out of coroutines', function()
    local world = graze.world()
    local run = coroutine.wrap(function()
        world:step(0)
    end)
    expect_error('dt is 0', run)
end)

-- Bytes that this process has in memory.
local function resident()
    local file = io.open '/proc/self/statm'
    local pages = file and file:read '*a':match '^%d+ (%d+)' or 0
    return file and file:close() and pages * 4096 or 0
end

test('worlds go, destroyed or forgotten', function()
    local function churn(count, forget)
        for i = 1, count do
            local world = graze.world { body_capacity = 10000 }
            world:body()
            if not forget then
                world:destroy()
            elseif i % 10 == 0 then
                collectgarbage()
            end
        end
        collectgarbage()
        collectgarbage()
    end
    churn(50, true)
    local before = resident()
    churn(300, true)
    churn(300, false)
    local grown = resident() - before
    expect(true, grown < 8e6 or grown)
end)

test("README's 1000 bodies are drawn", function()
    local file = assert(io.open(folder .. '/README.md'))
    local program = file:read '*a':match '```lua\n(.-)```'
    file:close()
    local drawn = 0
    love = { graphics = { circle = function(_, x, y)
        assert(x > -100 and x < 900 and y < 700)
        drawn = drawn + 1
    end } }
    assert(loadstring(program))()
    for _ = 1, 60 do
        love.update(1 / 60)
    end
    love.draw()
    expect(1000, drawn)
    love = nil
end)

local failed = 0
for _, name in ipairs(names) do
    local fine, message = xpcall(tests[name], debug.traceback)
    if not fine then
        failed = failed + 1
        print('not ok - ' .. name .. '\n' .. message)
    end
end
print(('lua: %d tests, %d failed; Graze %s'):format(#names, failed, graze.version))
os.exit(failed == 0)
