-- Graze for LuaJIT and LÖVE: the physics step for 2D games full of moving things and bullets.
--
--     local graze = require 'graze'
--     local world = graze.world { gravity = { 0, -10 } }
--     world:chain { points = { { -20, 0 }, { 20, 0 } } }
--     local crate = world:body { shape = graze.rect(0.5, 0.5), position = { 0, 10 } }
--     world:step(1 / 60)
--     print(crate:position())
--
-- Errors     What the library refuses raises an error with its message, and changes nothing.
-- Lists      positions(), contacts() and the like return a pointer and a count: elements 0 to
--            count - 1. They are views of the world's memory. README.md says how long they last.
-- Threads    A world belongs to the Lua state that made it.
-- The rest   graze.C has all functions of the library, as in C, and graze.C's types are known to
--            ffi. Constants are without their prefix here: graze.SLIDE is GRAZE_SLIDE.

local ffi = require 'ffi'
local bit = require 'bit'

-- The folder of this file, with its slash.
local folder = (debug.getinfo(1, 'S').source:match '^@(.*[/\\])' or './')

-- The declarations lie beside this file; LÖVE reads files of a game through its own functions.
local function read_declarations()
    local path = folder .. 'graze.cdef'
    local file = io.open(path, 'rb')
    local text = file and file:read '*a' or love and love.filesystem.read((path:gsub('^%./', '')))
    if file then
        file:close()
    end
    return text or error(path .. ' is missing: make_cdef.py makes it (README.md)')
end

-- What GRAZE_LIBRARY names, or what lies beside this file or beside the game, or the system's.
local function load_library()
    local named = os.getenv 'GRAZE_LIBRARY'
    if named then
        return ffi.load(named)
    end
    local name = ({ Windows = 'graze.dll', OSX = 'libgraze.dylib' })[ffi.os] or 'libgraze.so'
    local places = { folder }
    if love then
        local files = love.filesystem
        places = { folder, files.getSource() .. '/', files.getSourceBaseDirectory() .. '/' }
    end
    for _, place in ipairs(places) do
        local file = io.open(place .. name, 'rb')
        if file then
            file:close()
            return ffi.load(place .. name)
        end
    end
    return ffi.load 'graze'
end

if not pcall(ffi.typeof, 'graze_body_def') then
    ffi.cdef(read_declarations())
end
local C = load_library()

-- --- errors ---

-- The last line that the log received. Functions that may log are not compiled: compiled code must
-- not be called back.
local last_message
local log = ffi.cast('graze_log_fn *', function(_, message)
    last_message = ffi.string(message)
end)

-- An error where the caller's caller stands, `level` calls further up.
local function fail(status, level)
    local message = last_message or ffi.string(C.graze_status_text(status))
    last_message = nil
    error(message, 3 + (level or 0))
end

local function check(status)
    if status ~= C.GRAZE_OK then
        fail(status, 1)
    end
end

-- --- defs ---

local Point = ffi.typeof 'graze_vec2'
local Points = ffi.typeof 'graze_vec2[?]'
local Defs = ffi.typeof 'graze_body_def[?]'
local Ids = ffi.typeof 'graze_body_id[?]'
local Ray = ffi.typeof 'graze_ray'
local Box = ffi.typeof 'graze_aabb'
local Hit = ffi.typeof 'graze_query_hit'
local Count = ffi.typeof 'uint32_t[1]'

-- Fields have the names of the struct; others raise an error. Pairs may be { x, y }; what a table
-- of a filter or a surface does not name stays as it is.
local function fill(def, fields)
    for name, value in pairs(fields) do
        if type(value) == 'table' and type(next(value)) == 'string' then
            fill(def[name], value)
        else
            def[name] = value
        end
    end
    return def
end

-- Points as { { x, y }, ... } or { x, y, x, y, ... }.
local function make_points(list)
    local flat = type(list[1]) == 'number'
    local count = flat and #list / 2 or #list
    local points = Points(count)
    for i = 0, count - 1 do
        if flat then
            points[i].x, points[i].y = list[2 * i + 1], list[2 * i + 2]
        else
            points[i].x, points[i].y = list[i + 1][1], list[i + 1][2]
        end
    end
    return points, count
end

-- --- bodies ---

-- A body: its world and its id. Two are equal if both are.
local Body = {}
Body.__index = Body

function Body.__eq(first, second)
    return first.world == second.world and C.graze_body_id_equal(first.id, second.id)
end

function Body.__tostring(body)
    return ('graze body %d (%d)'):format(body.id.index, body.id.generation)
end

local function make_body(world, id)
    return setmetatable({ world = world, id = ffi.new('graze_body_id', id) }, Body)
end

-- The getters and setters that take or return one value.
for _, name in ipairs { 'angle', 'spin', 'mass', 'surface', 'restitution', 'friction', 'damping',
    'spin_damping', 'gravity_scale', 'never_sleeps', 'shape', 'filter', 'response', 'inertia',
    'lifetime', 'hit_limit', 'user_data', 'sensor' } do
    local get = C['graze_body_' .. (name == 'sensor' and 'is_' or '') .. name]
    local set = C['graze_body_set_' .. name]
    Body[name] = function(body)
        return get(body.world:pointer(), body.id)
    end
    Body['set_' .. name] = function(body, value)
        if type(value) == 'table' then
            value = fill(get(body.world:pointer(), body.id), value)
        end
        check(set(body.world:pointer(), body.id, value))
    end
    jit.off(Body['set_' .. name])
end

-- These are two numbers: body:position() returns x, y, and body:set_position(x, y) takes them.
for _, name in ipairs { 'position', 'velocity' } do
    local get, set = C['graze_body_' .. name], C['graze_body_set_' .. name]
    Body[name] = function(body)
        local pair = get(body.world:pointer(), body.id)
        return pair.x, pair.y
    end
    Body['set_' .. name] = function(body, x, y)
        check(set(body.world:pointer(), body.id, Point(x, y)))
    end
    jit.off(Body['set_' .. name])
end

function Body:user_data()
    return tonumber(C.graze_body_user_data(self.world:pointer(), self.id))
end

function Body:is_valid()
    return C.graze_body_is_valid(self.world:pointer(), self.id)
end

function Body:is_asleep()
    return C.graze_body_is_asleep(self.world:pointer(), self.id)
end

-- Applies an impulse at a point of the world; without a point at the body's centre.
function Body:apply_impulse(x, y, at_x, at_y)
    if not at_x then
        at_x, at_y = self:position()
    end
    check(C.graze_body_apply_impulse(self.world:pointer(), self.id, Point(x, y), Point(at_x, at_y)))
end

function Body:apply_spin_impulse(impulse)
    check(C.graze_body_apply_spin_impulse(self.world:pointer(), self.id, impulse))
end

-- Its contacts in the last step, as world:contacts().
function Body:contacts()
    local list = C.graze_body_contacts(self.world:pointer(), self.id)
    return list.data, list.count
end

function Body:destroy()
    check(C.graze_body_destroy(self.world:pointer(), self.id))
end

-- --- terrain ---

local Chain = {}
Chain.__index = Chain

function Chain:is_valid()
    return C.graze_chain_is_valid(self.world:pointer(), self.id)
end

-- Sets the surface of a segment, counted from 0, or without one of all: { friction = 0.1 }.
function Chain:set_surface(fields, segment)
    local surface = fill(C.graze_surface_default(), fields)
    check(C.graze_chain_set_surface(self.world:pointer(), self.id,
        segment or C.GRAZE_ALL_SEGMENTS, surface))
end

function Chain:destroy()
    check(C.graze_chain_destroy(self.world:pointer(), self.id))
end

-- --- worlds ---

local World = {}
World.__index = World

-- The world for functions of graze.C. An error if it has been destroyed.
function World:pointer()
    return self.handle or error('the world has been destroyed', 3)
end

-- Frees the world now; otherwise that happens when nothing refers to it any more.
function World:destroy()
    if self.handle then
        C.graze_world_destroy(ffi.gc(self.handle, nil))
        self.handle = nil
    end
end

-- Adds a body: fields as in graze_body_def.
function World:body(fields)
    local def = fill(C.graze_body_def_default(), fields or {})
    local id = C.graze_body_create(self:pointer(), def)
    if id.generation == 0 then
        fail(C.graze_world_last_status(self.handle))
    end
    return make_body(self, id)
end

-- Adds `count` bodies at once, all or none. fill_def(def, i) sets what is not default of the i-th,
-- from 1. Returns their ids, from 0: world:at(id) is a body. Fast: it makes no tables.
function World:bodies(count, fill_def)
    local defs, ids = Defs(math.max(count, 1)), Ids(math.max(count, 1))
    local default = C.graze_body_def_default()
    for i = 0, count - 1 do
        defs[i] = default
        fill_def(defs[i], i + 1)
    end
    if C.graze_body_create_many(self:pointer(), defs, count, ids) ~= count then
        fail(C.graze_world_last_status(self.handle))
    end
    return ids
end

-- The body with this id.
function World:at(id)
    return make_body(self, id)
end

-- The body that has this index now (world:indices()), or nil.
function World:body_at(index)
    local id = C.graze_world_body_at(self:pointer(), index)
    return id.generation > 0 and make_body(self, id) or nil
end

-- Adds terrain: fields as in graze_chain_def, but `points` is a list { { x, y }, ... }.
function World:chain(fields)
    local def = C.graze_chain_def_default()
    local points, count = make_points(fields.points or {})
    for name, value in pairs(fields) do
        fill(def, { [name] = name ~= 'points' and value or nil })
    end
    def.points, def.count = points, count
    local id = C.graze_chain_create(self:pointer(), def)
    if id.generation == 0 then
        fail(C.graze_world_last_status(self.handle))
    end
    return setmetatable({ world = self, id = ffi.new('graze_chain_id', id) }, Chain)
end

function World:step(dt)
    check(C.graze_world_step(self:pointer(), dt))
end

function World:gravity()
    local gravity = C.graze_world_gravity(self:pointer())
    return gravity.x, gravity.y
end

function World:set_gravity(x, y)
    check(C.graze_world_set_gravity(self:pointer(), Point(x, y)))
end

function World:substeps()
    return C.graze_world_substeps(self:pointer())
end

function World:set_substeps(count)
    check(C.graze_world_set_substeps(self:pointer(), count))
end

local function filter_or_default(filter)
    return filter or C.graze_filter_default()
end

function World:explode(x, y, radius, impulse, filter)
    check(C.graze_world_explode(self:pointer(), Point(x, y), radius, impulse,
        filter_or_default(filter)))
end

-- 16 digits; equal if and only if all of the state is (world.h).
function World:hash()
    return bit.tohex(C.graze_world_hash(self:pointer()))
end

-- The state as a string, and back.
function World:save()
    local size = C.graze_world_snapshot_size(self:pointer())
    local buffer = ffi.new('uint8_t[?]', size)
    check(C.graze_world_save(self.handle, buffer, size))
    return ffi.string(buffer, size)
end

function World:load(snapshot)
    check(C.graze_world_load(self:pointer(), snapshot, #snapshot))
end

-- Counts and times: graze_world_stats.
function World:stats()
    return C.graze_world_get_stats(self:pointer())
end

-- Columns of all bodies, row by row: positions()[row] belongs to indices()[row].
for _, name in ipairs { 'positions', 'velocities', 'angles', 'indices' } do
    local get = C['graze_world_' .. name]
    World[name] = function(world)
        local count = Count()
        local column = get(world:pointer(), count)
        return column, count[0]
    end
end

-- Lists of the last step: contacts, their ends, and the bodies that it removed.
for _, name in ipairs { 'contacts', 'contact_ends', 'removals' } do
    local get = C['graze_world_' .. name]
    World[name] = function(world)
        local list = get(world:pointer())
        return list.data, list.count
    end
end

-- --- queries ---

local function none_if_missed(hit)
    if hit.body.generation == 0 and hit.segment.chain.generation == 0 then
        return nil
    end
    return hit
end

-- The first thing that a ray from x, y meets on its way by dx, dy: graze_query_hit, or nil.
function World:ray(x, y, dx, dy, filter)
    local hit = Hit()
    local path = Ray(Point(x, y), Point(dx, dy))
    check(C.graze_query_ray(self:pointer(), path, filter_or_default(filter), hit))
    return none_if_missed(hit)
end

-- The same for a shape: graze.circle(1), for example.
function World:cast(shape, x, y, dx, dy, angle, filter)
    local hit = Hit()
    check(C.graze_query_cast(self:pointer(), shape, Point(x, y), angle or 0, Point(dx, dy),
        filter_or_default(filter), hit))
    return none_if_missed(hit)
end

-- What find(world, place..., filter, ids, capacity) finds, as bodies: from one of the functions.
local function make_query(find, read_place)
    return function(world, ...)
        local place, radius, filter = read_place(...)
        filter = filter or C.graze_filter_default()
        local function call(ids, capacity)
            if radius then
                return find(world:pointer(), place, radius, filter, ids, capacity)
            end
            return find(world:pointer(), place, filter, ids, capacity)
        end
        last_message = nil -- Lists have no status: a line in the log means that they are refused.
        local ids = Ids(64)
        local count = call(ids, 64)
        if last_message then
            fail(C.GRAZE_ERROR_ARGUMENT)
        end
        if count > 64 then
            ids = Ids(count)
            call(ids, count)
        end
        local bodies = {}
        for i = 0, count - 1 do
            bodies[i + 1] = make_body(world, ids[i])
        end
        return bodies
    end
end

-- world:query_point(x, y, filter): a list of the bodies that contain the point.
World.query_point = make_query(C.graze_query_point, function(x, y, filter)
    return Point(x, y), nil, filter
end)

-- world:query_box(x, y, to_x, to_y, filter): those that touch the box; the lower corner is first.
World.query_box = make_query(C.graze_query_box, function(x, y, to_x, to_y, filter)
    return Box(Point(x, y), Point(to_x, to_y)), nil, filter
end)

-- world:query_nearest(x, y, radius, filter): those within the radius, nearest first.
World.query_nearest = make_query(C.graze_query_nearest, function(x, y, radius, filter)
    return Point(x, y), radius, filter
end)

-- Whatever may call the log.
for _, class in ipairs { Body, Chain, World } do
    for _, name in ipairs { 'apply_impulse', 'apply_spin_impulse', 'contacts', 'destroy', 'body',
        'bodies', 'chain', 'step', 'set_gravity', 'set_substeps', 'explode', 'save', 'load', 'ray',
        'cast', 'query_point', 'query_box', 'query_nearest', 'set_surface', 'removals' } do
        if class[name] then
            jit.off(class[name], true)
        end
    end
end

-- --- the module ---

local graze = {
    C = C,
    circle = C.graze_shape_circle,
    rect = C.graze_shape_rect,
    ray = C.graze_shape_ray,
    version = ffi.string(C.graze_version_text()),
}

-- Makes a world: fields as in graze_world_def.
function graze.world(fields)
    local def = C.graze_world_def_default()
    def.log = log
    fill(def, fields or {})
    local handle = C.graze_world_create(def)
    if handle == nil then
        fail(C.GRAZE_ERROR_OUT_OF_MEMORY)
    end
    return setmetatable({ handle = ffi.gc(handle, C.graze_world_destroy) }, World)
end
jit.off(graze.world, true)

-- Makes a filter: { category = 2, mask = 1 }.
function graze.filter(fields)
    return fill(C.graze_filter_default(), fields)
end

-- Constants.
return setmetatable(graze, {
    __index = function(_, name)
        return C['GRAZE_' .. name]
    end,
})
