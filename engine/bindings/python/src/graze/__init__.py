"""Graze: the physics step for 2D games full of moving things and bullets.

    import graze
    with graze.World(gravity=(0, -10)) as world:
        world.add_chain([(-20, 0), (20, 0)])
        crate = world.add_body(shape=graze.rect(0.5, 0.5), position=(0, 10))
        world.step(1 / 60)
        print(crate.position, world.positions)

Errors     What the library refuses raises an Error with its message, and changes nothing.
Views      Arrays such as world.positions are the world's own memory, read-only. README.md says how
           long they are valid.
Threads    Calls release Python's lock. Two threads may use two worlds at once. Calls that change a
           world must not overlap with any other call on it.
The rest   graze.lib has all functions and constants of the library, as in C, and graze.ffi makes
           what they take.
"""

import collections
import concurrent.futures
import enum
import itertools
import weakref

import numpy

from ._graze import ffi, lib

__version__ = ffi.string(lib.graze_version_text()).decode()


def _enum(base, name, prefix, words):
    return base(name, {word: getattr(lib, prefix + word) for word in words.split()})


Status = _enum(enum.IntEnum, 'Status', 'GRAZE_',
               'OK ERROR_ARGUMENT ERROR_STALE_ID ERROR_OUT_OF_MEMORY ERROR_LIMIT ERROR_FORMAT '
               'ERROR_BUSY ERROR_WRITE')
Response = _enum(enum.IntEnum, 'Response', 'GRAZE_', 'PASS STOP SLIDE BOUNCE RIGID')
ShapeKind = _enum(enum.IntEnum, 'ShapeKind', 'GRAZE_SHAPE_', 'CIRCLE RECT RAY')
ContactPhase = _enum(enum.IntEnum, 'ContactPhase', 'GRAZE_CONTACT_', 'BEGIN STAY')
ContactFlag = _enum(enum.IntFlag, 'ContactFlag', 'GRAZE_CONTACT_', 'SENSOR BLOCKED SPENT DROPPED')
RemovalReason = _enum(enum.IntEnum, 'RemovalReason', 'GRAZE_REMOVED_BY_', 'HITS LIFETIME')
PASS, STOP, SLIDE, BOUNCE, RIGID = Response

Vec2 = collections.namedtuple('Vec2', 'x y')
Hit = collections.namedtuple('Hit', 'body segment time point normal')
Hit.__doc__ = 'What a ray or a shape meets: a body, or else a segment of terrain (chain, index).'


# --- errors ---

class Error(Exception):
    """What the library says where a call fails; `status` is a Status."""

    status = Status.OK


class ArgumentError(Error, ValueError):
    """A value is out of its range."""


class StaleIdError(Error, LookupError):
    """The body or the chain is gone."""


class OutOfMemoryError(Error, MemoryError):
    """There is no memory; the same call may succeed later."""


_ERRORS = {Status.ERROR_ARGUMENT: ArgumentError, Status.ERROR_STALE_ID: StaleIdError,
           Status.ERROR_OUT_OF_MEMORY: OutOfMemoryError}


class _State:
    """What the callbacks of a world need: its last message, and what the game gave it."""

    def __init__(self, filter, threads):
        self.status, self.message, self.exception = Status.OK, None, None
        self.filter, self.world = filter, None
        self.pool = concurrent.futures.ThreadPoolExecutor(threads) if threads > 1 else None
        self.threads = threads

    def fail(self, status):
        exception, message = self.exception, self.message
        self.exception = self.message = None
        if exception:
            raise exception
        error = _ERRORS.get(status, Error)(
            message or ffi.string(lib.graze_status_text(status)).decode())
        error.status = Status(status)
        raise error

    def check(self, status):
        if status != lib.GRAZE_OK or self.exception:
            self.fail(status)


@ffi.def_extern()
def graze_python_log(status, message, user):
    state = ffi.from_handle(user)
    state.status, state.message = status, ffi.string(message).decode(errors='replace')


@ffi.def_extern(error=True)
def graze_python_filter(world, a, b, segment, user):
    state = ffi.from_handle(user)
    try:
        world = state.world()
        return bool(state.filter(world.body(a), world.body(b) if b.generation else None,
                                 Chain(world, segment.chain) if segment.chain.generation else None))
    except Exception as error:  # Raised again when the step is over.
        state.exception = state.exception or error
        return True


@ffi.def_extern()
def graze_python_parallel(task, context, count, user):
    state, numbers = ffi.from_handle(user), itertools.count()

    def work():
        for number in iter(numbers.__next__, None):
            if number >= count:
                return
            task(context, number)  # Without Python's lock.

    others = [state.pool.submit(work) for _ in range(state.threads - 1)]
    work()
    concurrent.futures.wait(others)


# --- arrays ---

_VEC2 = ffi.typeof('graze_vec2')
_SCALARS = {'float': 'f4', 'double': 'f8', 'uint8_t': 'u1', 'uint32_t': 'u4', 'int32_t': 'i4',
            'uint64_t': 'u8', '_Bool': '?', 'size_t': 'u8'}


def _flatten(ctype, base=0):
    for name, field in ctype.fields:
        if name:
            yield name, field.type, base + field.offset
        else:
            yield from _flatten(field.type, base + field.offset)


def _make_dtype(ctype):
    if ctype.kind == 'enum':
        return numpy.dtype('u4')
    if ctype.kind == 'pointer':
        return numpy.dtype('u8')
    if ctype.kind == 'primitive':
        return numpy.dtype(_SCALARS[ctype.cname])
    if ctype is _VEC2:
        return numpy.dtype(('f4', (2,)))
    names, types, offsets = zip(*_flatten(ctype))
    return numpy.dtype({'names': names, 'formats': [_make_dtype(kind) for kind in types],
                        'offsets': offsets, 'itemsize': ffi.sizeof(ctype)})


def dtype(name):
    """The numpy type of a struct of C, such as dtype('graze_contact')."""
    return _make_dtype(ffi.typeof(name))


_BODY_DEF, _BODY_ID = dtype('graze_body_def'), dtype('graze_body_id')
_RAY, _HIT = dtype('graze_ray'), dtype('graze_query_hit')
_CONTACT, _END, _REMOVAL = (dtype(f'graze_{name}') for name in
                            ('contact', 'contact_end', 'removal'))


def _array(name, array):
    return ffi.from_buffer(f'{name}[]', array)


def _record(value):
    """A struct of C, or a list of them, as numpy has it; anything else as it is."""
    if isinstance(value, ffi.CData):
        kind = _make_dtype(ffi.typeof(value))
        return numpy.frombuffer(bytes(ffi.buffer(ffi.addressof(value))), kind)[0]
    if isinstance(value, (list, tuple)) and value and isinstance(value[0], ffi.CData):
        return numpy.array([_record(item) for item in value])
    return value


class _Keep:
    """Called where a view is gone: what it looks at had to stay until then."""

    def __init__(self, owner):
        self.owner = owner

    def __call__(self, pointer):
        self.owner = None


# --- shapes, filters ---

def circle(radius):
    """A disc."""
    return lib.graze_shape_circle(radius)


def rect(half_x, half_y):
    """A rect, by half its width and half its height."""
    return lib.graze_shape_rect(half_x, half_y)


def ray():
    """A bullet: a point that is tested along the line it travels."""
    return lib.graze_shape_ray()


def _make(default, fields):
    """A new struct: the default, with these fields instead."""
    return _fill(ffi.new(ffi.getctype(ffi.typeof(default), '*'), default), fields)


def _fill(target, fields):
    for name, value in fields.items():
        if isinstance(value, numpy.ndarray):
            value = value.tolist()
        if not hasattr(target, name):
            raise TypeError(f'{ffi.typeof(target).item.cname} has no field {name!r}')
        if isinstance(value, dict):  # What it does not name stays as it is.
            _fill(ffi.addressof(target, name), value)
        else:
            setattr(target, name, value)
    return target


def filter(**fields):
    """A graze_filter: category, mask, pass_ (for `pass`), group."""
    fields = {name.rstrip('_'): value for name, value in fields.items()}
    return _make(lib.graze_filter_default(), fields)[0]


def surface(**fields):
    """A graze_surface: friction, restitution, rolling_resistance, speed."""
    return _make(lib.graze_surface_default(), fields)[0]


def _filter_or_default(filter):
    return lib.graze_filter_default() if filter is None else filter


# --- bodies ---

def _as_python(value):
    if isinstance(value, ffi.CData) and ffi.typeof(value) is _VEC2:
        return Vec2(value.x, value.y)
    return value


def _property(name, doc, settable=True):
    getter = getattr(lib, 'graze_body_' + ('is_' if name in ('sensor', 'asleep') else '') + name)
    setter = getattr(lib, f'graze_body_set_{name}') if settable else None

    def get(self):
        return _as_python(getter(self.world._pointer, self.id))

    def set(self, value):
        if isinstance(value, numpy.ndarray):
            value = value.tolist()
        if isinstance(value, dict):
            value = _make(getter(self.world._pointer, self.id), value)[0]
        self.world._state.check(setter(self.world._pointer, self.id, value))

    return property(get, set if settable else None, doc=doc)


class Body:
    """A body of a world, by its id. Two are equal if both are."""

    __slots__ = ('world', 'id')

    position = _property('position', 'The centre. Setting it teleports the body.')
    velocity = _property('velocity', 'Units per second.')
    angle = _property('angle', 'Radians, in [-pi, pi].')
    spin = _property('spin', 'Radians per second.')
    mass = _property('mass', '0 acts as infinite.')
    inertia = _property('inertia', 'As in force. Set to 0: from shape and mass.')
    surface = _property('surface', 'A graze_surface.')
    friction = _property('friction', 'Of its surface.')
    restitution = _property('restitution', 'Of its surface, 0 to 1.')
    damping = _property('damping', 'Per second.')
    spin_damping = _property('spin_damping', 'Per second.')
    gravity_scale = _property('gravity_scale', 'Of the gravity of the world.')
    never_sleeps = _property('never_sleeps', 'Whether it is kept from sleeping.')
    shape = _property('shape', 'A graze_shape.')
    filter = _property('filter', 'A graze_filter.')
    response = _property('response', 'A Response.')
    sensor = _property('sensor', 'Whether it is met but stops nothing.')
    lifetime = _property('lifetime', 'Seconds left; 0: no limit.')
    hit_limit = _property('hit_limit', 'At which hit it is removed; 0: none.')
    user_data = _property('user_data', 'A whole number of the game.')
    asleep = _property('asleep', 'Whether it sleeps.', settable=False)

    def __init__(self, world, id):
        self.world = world
        if not isinstance(id, ffi.CData):
            id = [int(number) for number in id]
        self.id = ffi.new('graze_body_id *', id)[0]

    def __eq__(self, other):
        return isinstance(other, Body) and self._key() == other._key()

    def __hash__(self):
        return hash(self._key())

    def __repr__(self):
        return f'<graze.Body {self.id.index}, {self.id.generation}>'

    def _key(self):
        return id(self.world), self.id.index, self.id.generation

    @property
    def valid(self):
        """Whether it is in the world."""
        return lib.graze_body_is_valid(self.world._pointer, self.id)

    @property
    def contacts(self):
        """Its contacts in the last step, as World.contacts."""
        found = lib.graze_body_contacts(self.world._pointer, self.id)
        return self.world._view(found.data, found.count, _CONTACT)

    def apply_impulse(self, impulse, point=None):
        """An impulse at a point of the world; without one, at the centre."""
        point = self.position if point is None else tuple(point)
        self.world._state.check(lib.graze_body_apply_impulse(self.world._pointer, self.id,
                                                             tuple(impulse), point))

    def apply_spin_impulse(self, impulse):
        """An impulse that only turns."""
        self.world._state.check(lib.graze_body_apply_spin_impulse(self.world._pointer, self.id,
                                                                  impulse))

    def destroy(self):
        self.world._state.check(lib.graze_body_destroy(self.world._pointer, self.id))


class Chain:
    """Terrain of a world."""

    __slots__ = ('world', 'id')

    def __init__(self, world, id):
        self.world = world
        self.id = ffi.new('graze_chain_id *', id)[0]

    def __eq__(self, other):
        return isinstance(other, Chain) and self._key() == other._key()

    def __hash__(self):
        return hash(self._key())

    def _key(self):
        return id(self.world), self.id.index, self.id.generation

    @property
    def valid(self):
        """Whether it is in the world."""
        return lib.graze_chain_is_valid(self.world._pointer, self.id)

    def set_surface(self, surface, segment=lib.GRAZE_ALL_SEGMENTS):
        """The surface of one segment, counted from 0, or of all."""
        self.world._state.check(lib.graze_chain_set_surface(self.world._pointer, self.id, segment,
                                                            surface))

    def destroy(self):
        self.world._state.check(lib.graze_chain_destroy(self.world._pointer, self.id))


# --- worlds ---

class World:
    """A world. Fields are those of graze_world_def, such as gravity=(0, -10) and substeps=8.

    filter     Called in a step with two bodies, or with a body, None and a Chain; returns whether
               they meet. What it raises comes out of step().
    threads    How many run a step. No result depends on it. It helps from some ten thousand bodies.
    """

    def __init__(self, *, filter=None, threads=1, **fields):
        self._state = _State(filter, threads)
        self._state.world = weakref.ref(self)
        handle = ffi.new_handle(self._state)
        definition = _make(lib.graze_world_def_default(), fields)
        definition.log, definition.log_user = lib.graze_python_log, handle
        if filter:
            definition.filter, definition.filter_user = lib.graze_python_filter, handle
        if threads > 1:
            definition.parallel, definition.parallel_user = lib.graze_python_parallel, handle
        world = lib.graze_world_create(definition)
        if not world:
            self._state.fail(self._state.status)

        def destroy(pointer, handle=handle):  # The handle is needed as long as the world.
            lib.graze_world_destroy(pointer)

        self._owner = ffi.gc(world, destroy)

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.close()

    def close(self):
        """Frees the world now. Otherwise that happens when nothing refers to it any more."""
        if self._owner is not None:
            ffi.release(self._owner)
            self._owner = None
            if self._state.pool:
                self._state.pool.shutdown()

    @property
    def _pointer(self):
        if self._owner is None:
            raise ValueError('the world is closed')
        return self._owner

    @property
    def pointer(self):
        """The world for functions of graze.lib."""
        return self._pointer

    def _view(self, pointer, count, kind):
        if not count or not pointer:
            return numpy.empty(0, kind)
        kept = ffi.gc(pointer, _Keep(self._owner))
        size = count * numpy.dtype(kind).itemsize
        view = numpy.frombuffer(ffi.buffer(kept, size), kind)
        view.flags.writeable = False
        return view

    # What is in it.

    def add_body(self, **fields):
        """Adds a Body: fields as in graze_body_def."""
        definition = _make(lib.graze_body_def_default(), fields)
        body = lib.graze_body_create(self._pointer, definition)
        if not body.generation:
            self._state.fail(lib.graze_world_last_status(self._pointer))
        return Body(self, body)

    def add_bodies(self, count, **columns):
        """Adds `count` bodies, all or none; returns an array of their ids (index, generation).

        Columns have the names of fields of graze_body_def. Each is one value for all, or an array
        of `count`: position=numpy.zeros((count, 2)), shape=graze.rect(1, 1).
        """
        default = bytes(ffi.buffer(_make(lib.graze_body_def_default(), {})))
        definitions = numpy.frombuffer(bytearray(default * count), _BODY_DEF) if count else \
            numpy.empty(0, _BODY_DEF)
        for name, value in columns.items():
            if name not in _BODY_DEF.names:
                raise TypeError(f'graze_body_def has no field {name!r}')
            definitions[name] = _record(value)
        ids = numpy.zeros(count, _BODY_ID)
        added = lib.graze_body_create_many(self._pointer, _array('graze_body_def', definitions),
                                           count, _array('graze_body_id', ids))
        if added != count:
            self._state.fail(lib.graze_world_last_status(self._pointer))
        return ids

    def body(self, id):
        """The Body of an id: an element of what add_bodies() returns, or contact['a']."""
        return Body(self, id)

    def body_at(self, index):
        """The Body that has this index now (World.indices), or None."""
        found = lib.graze_world_body_at(self._pointer, int(index))
        return Body(self, found) if found.generation else None

    def add_chain(self, points, **fields):
        """Adds terrain along points (an array of n x 2): fields as in graze_chain_def."""
        points = numpy.ascontiguousarray(points, 'f4').reshape(-1, 2)
        definition = _make(lib.graze_chain_def_default(), fields)
        definition.points, definition.count = _array('graze_vec2', points), len(points)
        chain = lib.graze_chain_create(self._pointer, definition)
        if not chain.generation:
            self._state.fail(lib.graze_world_last_status(self._pointer))
        return Chain(self, chain)

    # What happens.

    def step(self, dt):
        """Advances the world by dt seconds."""
        self._state.check(lib.graze_world_step(self._pointer, dt))

    def explode(self, center, radius, impulse, filter=None):
        """Pushes the bodies near a point away from it."""
        self._state.check(lib.graze_world_explode(self._pointer, tuple(center), radius, impulse,
                                                  _filter_or_default(filter)))

    @property
    def gravity(self):
        """Units per second squared."""
        return _as_python(lib.graze_world_gravity(self._pointer))

    @gravity.setter
    def gravity(self, gravity):
        self._state.check(lib.graze_world_set_gravity(self._pointer, tuple(gravity)))

    @property
    def substeps(self):
        """Parts into which a step divides the motion of rigid bodies."""
        return lib.graze_world_substeps(self._pointer)

    @substeps.setter
    def substeps(self, count):
        self._state.check(lib.graze_world_set_substeps(self._pointer, count))

    # Its state.

    def hash(self):
        """A number of 64 bits: equal states have equal ones."""
        return lib.graze_world_hash(self._pointer)

    def save(self):
        """The state as bytes."""
        buffer = bytearray(lib.graze_world_snapshot_size(self._pointer))
        self._state.check(lib.graze_world_save(self._pointer, ffi.from_buffer(buffer),
                                               len(buffer)))
        return bytes(buffer)

    def load(self, snapshot):
        """Goes back, or over, to a state that was saved."""
        self._state.check(lib.graze_world_load(self._pointer, ffi.from_buffer(snapshot),
                                               len(snapshot)))

    @property
    def stats(self):
        """Counts and times of the last step, as a dict: graze_world_stats."""
        stats = lib.graze_world_get_stats(self._pointer)
        found = {name: getattr(stats, name) for name in dir(stats)}
        found['lanes'] = ffi.string(stats.lanes).decode()
        found['phase_seconds'] = {ffi.string(lib.graze_phase_name(i)).decode(): seconds
                                  for i, seconds in enumerate(stats.phase_seconds)}
        found['grid'] = {name: getattr(stats.grid, name) for name in dir(stats.grid)}
        return found

    # Columns: element i of each belongs to the same body. Lists of the last step.

    def _column(self, getter, kind, width=1):
        count = ffi.new('uint32_t *')
        column = getter(self._pointer, count)
        view = self._view(column, count[0] * width, kind)
        return view.reshape(-1, width) if width > 1 else view

    @property
    def positions(self):
        """Of all bodies, n x 2: a view."""
        return self._column(lib.graze_world_positions, 'f4', 2)

    @property
    def velocities(self):
        """Of all bodies, n x 2: a view."""
        return self._column(lib.graze_world_velocities, 'f4', 2)

    @property
    def angles(self):
        """Of all bodies, radians: a view; zeros of its own while no body turns."""
        angles = self._column(lib.graze_world_angles, 'f4')
        return angles if len(angles) else numpy.zeros(len(self.indices), 'f4')

    @property
    def indices(self):
        """The indices of the ids of all bodies: a view."""
        return self._column(lib.graze_world_indices, 'u4')

    @property
    def contacts(self):
        """The contacts of the last step: a view, with the fields of graze_contact."""
        found = lib.graze_world_contacts(self._pointer)
        return self._view(found.data, found.count, _CONTACT)

    @property
    def contact_ends(self):
        """The pairs that no longer meet: a view, with the fields of graze_contact_end."""
        found = lib.graze_world_contact_ends(self._pointer)
        return self._view(found.data, found.count, _END)

    @property
    def removals(self):
        """The bodies that the last step removed: a view, with the fields of graze_removal."""
        found = lib.graze_world_removals(self._pointer)
        return self._view(found.data, found.count, _REMOVAL)

    # Queries.

    def _hit(self, hit):
        body = Body(self, hit.body) if hit.body.generation else None
        chain = hit.segment.chain
        segment = (Chain(self, chain), hit.segment.index) if chain.generation else None
        if not body and not segment:
            return None
        return Hit(body, segment, hit.time, _as_python(hit.point), _as_python(hit.normal))

    def ray(self, origin, delta, filter=None):
        """The first Hit of a ray on its way by delta, or None."""
        hit = ffi.new('graze_query_hit *')
        self._state.check(lib.graze_query_ray(self._pointer, (tuple(origin), tuple(delta)),
                                              _filter_or_default(filter), hit))
        return self._hit(hit)

    def rays(self, origins, deltas, filter=None):
        """The first hits of n rays: an array with the fields of graze_query_hit."""
        origins = numpy.asarray(origins, 'f4').reshape(-1, 2)
        rays = numpy.zeros(len(origins), _RAY)
        rays['origin'], rays['delta'] = origins, deltas
        hits = numpy.zeros(len(origins), _HIT)
        self._state.check(lib.graze_query_ray_many(
            self._pointer, _array('graze_ray', rays), len(rays), _filter_or_default(filter),
            _array('graze_query_hit', hits)))
        return hits

    def cast(self, shape, origin, delta, angle=0, filter=None):
        """The first Hit of a shape on its way by delta, or None."""
        hit = ffi.new('graze_query_hit *')
        self._state.check(lib.graze_query_cast(self._pointer, shape, tuple(origin), angle,
                                               tuple(delta), _filter_or_default(filter), hit))
        return self._hit(hit)

    def _query(self, find, *place, filter=None):
        """The bodies that a query lists; refused ones leave a line in the log, and no status."""
        self._state.message = None
        filter = _filter_or_default(filter)
        ids = ffi.new('graze_body_id[]', 64)
        count = find(self._pointer, *place, filter, ids, len(ids))
        if self._state.message:
            self._state.fail(self._state.status)
        if count > len(ids):
            ids = ffi.new('graze_body_id[]', count)
            find(self._pointer, *place, filter, ids, count)
        return [Body(self, ids[i]) for i in range(count)]

    def query_point(self, point, filter=None):
        """The bodies that contain the point."""
        return self._query(lib.graze_query_point, tuple(point), filter=filter)

    def query_box(self, lower, upper, filter=None):
        """The bodies that touch the box."""
        return self._query(lib.graze_query_box, (tuple(lower), tuple(upper)), filter=filter)

    def query_nearest(self, point, radius, filter=None):
        """The bodies within a radius, nearest first."""
        return self._query(lib.graze_query_nearest, tuple(point), radius, filter=filter)
