"""Tests the package. python -m unittest test_graze, where it is installed."""

import gc
import os
import pathlib
import re
import tempfile
import threading
import unittest
import warnings

import numpy

import graze

HERE = pathlib.Path(__file__).resolve().parent
BOWL = [(-30, 30), (-28, 0), (0, -2), (28, 0), (30, 30)]


def make_bowl(**fields):
    world = graze.World(gravity=(0, -10), **fields)
    world.add_chain(BOWL)
    return world


def add_bodies(world):
    """Those of bindings_scene.c."""
    i = numpy.arange(1000)
    kind = i % 3
    shapes = numpy.zeros(1000, graze.dtype('graze_shape'))
    shapes['kind'] = numpy.where(kind == 0, graze.ShapeKind.RECT, graze.ShapeKind.CIRCLE)
    shapes['radius'] = numpy.choose(kind, [0, 0.5, 0.375])
    shapes['half'][kind == 0] = 0.5, 0.375
    world.add_bodies(1000, shape=shapes, user_data=i,
                     position=numpy.column_stack([i % 40 * 1.25 - 24.375, 2 + i // 40 * 1.25]),
                     angle=numpy.where(kind == 0, i % 16 * 0.125, 0),
                     response=numpy.where(kind == 2, graze.BOUNCE, graze.RIGID),
                     restitution=numpy.where(kind == 2, 0.5, 0))


def play_step(world, step):
    """A step of bindings_scene.c; returns the world, which may be another."""
    if step % 10 == 1:
        world.add_body(shape=graze.ray(), position=(-25, 8), mass=0.125, response=graze.STOP,
                       velocity=(100, step // 10 % 8 * 4 - 20), hit_limit=1, lifetime=2)
    if step == 101:
        world.explode((0, 0), 10, 20)
    if step == 151:
        snapshot = world.save()
        world.close()
        world = graze.World(gravity=(0, -10))
        world.load(snapshot)
    if step == 201:
        for body in world.query_box((-5, -5), (5, 5)):
            body.destroy()
    world.step(1 / 64)
    return world


def play_scene(**fields):
    """The lines of hashes.txt."""
    world, lines, contacts, removals = make_bowl(**fields), '', 0, 0
    add_bodies(world)
    for step in range(1, 301):
        world = play_step(world, step)
        contacts += len(world.contacts)
        removals += len(world.removals)
        if step % 100 == 0:
            lines += f'{step} {world.hash():016x} {contacts} {removals}\n'
    return lines


class Scene(unittest.TestCase):
    def test_hashes_are_those_of_c(self):
        paths = [HERE.parent / 'hashes.txt', HERE / 'native/hashes.txt']
        text = next(path for path in paths if path.exists()).read_text()
        self.assertEqual(play_scene(), text)

    def test_threads_and_filters_change_no_result(self):
        self.assertEqual(play_scene(threads=2, filter=lambda a, b, chain: True), play_scene())


class Bodies(unittest.TestCase):
    def test_a_crate_falls_and_comes_to_rest(self):
        with make_bowl() as world:
            crate = world.add_body(shape=graze.rect(0.5, 0.5), position=(10, 3))
            for _ in range(200):
                world.step(1 / 60)
            self.assertLess(crate.position.y, 0)
            self.assertTrue(crate.asleep)

    def test_properties_are_of_one_body(self):
        world = graze.World()
        body, other = world.add_body(), world.add_body(position=numpy.array([5, 5]))
        body.position, body.velocity = numpy.array([1, 2], 'f4'), (3, 4)
        body.mass, body.user_data, body.response = 2, 2 ** 63 + 1, graze.SLIDE
        body.filter = graze.filter(category=2, pass_=4)
        body.surface = graze.surface(friction=0.25)
        body.shape = graze.circle(2)
        self.assertEqual(body.position + body.velocity, (1, 2, 3, 4))
        self.assertEqual((body.mass, body.user_data), (2, 2 ** 63 + 1))
        self.assertEqual((body.response, body.friction), (graze.SLIDE, 0.25))
        self.assertEqual((body.filter.category, getattr(body.filter, 'pass')), (2, 4))
        self.assertEqual((body.shape.radius, other.mass, other.position), (2, 1, (5, 5)))
        self.assertNotEqual(body, other)
        body.filter = {'mask': 8}
        self.assertEqual((body.filter.category, body.filter.mask), (2, 8))
        third = world.add_body(filter={'category': 4}, surface={'restitution': 0.5})
        self.assertEqual((third.filter.mask, third.restitution), (2 ** 32 - 1, 0.5))
        self.assertGreater(third.friction, 0.5)
        self.assertEqual({body, world.body_at(body.id.index)}, {body})

    def test_impulses_push(self):
        world = graze.World()
        body = world.add_body(mass=2)
        body.apply_impulse((4, 0))
        body.apply_spin_impulse(1)
        self.assertEqual(body.velocity, (2, 0))
        self.assertGreater(body.spin, 0)

    def test_many_are_added_by_columns(self):
        world = graze.World()
        ids = world.add_bodies(4, position=numpy.arange(8).reshape(4, 2), mass=[1, 2, 3, 4],
                               shape=[graze.circle(1), graze.rect(1, 2)] * 2)
        bodies = [world.body(id) for id in ids]
        self.assertEqual([body.mass for body in bodies], [1, 2, 3, 4])
        self.assertEqual(bodies[3].position, (6, 7))
        self.assertEqual([body.shape.kind for body in bodies], [0, 1, 0, 1])
        self.assertEqual(len(world.add_bodies(0)), 0)


class Chains(unittest.TestCase):
    def test_chains_have_surfaces(self):
        world = graze.World()
        chain = world.add_chain([(0, 0), (5, 0), (5, 5)], loop=True, surface={'friction': 0.25})
        chain.set_surface(graze.surface(speed=3), 1)
        definition = graze.lib.graze_chain_get_def(world.pointer, chain.id)
        self.assertEqual((definition.count, definition.loop), (3, True))
        self.assertEqual((definition.surfaces[0].friction, definition.surfaces[1].speed), (0.25, 3))
        self.assertEqual(definition.points[2].y, 5)
        chain.destroy()
        self.assertFalse(chain.valid)
        with self.assertRaises(graze.StaleIdError):
            chain.destroy()


class Views(unittest.TestCase):
    def test_columns_are_the_memory_of_the_world(self):
        world = graze.World()
        self.assertEqual(world.positions.shape, (0, 2))
        world.add_bodies(10, position=numpy.arange(20).reshape(10, 2), response=graze.PASS)
        positions = world.positions
        pointer = graze.lib.graze_world_positions(world.pointer, graze.ffi.NULL)
        self.assertEqual(positions.ctypes.data, int(graze.ffi.cast('uintptr_t', pointer)))
        self.assertEqual(positions.dtype, numpy.float32)
        numpy.testing.assert_array_equal(positions[:, 0], world.indices * 2)
        numpy.testing.assert_array_equal(world.angles, numpy.zeros(10))
        self.assertEqual(world.velocities.shape, (10, 2))
        with self.assertRaises(ValueError):
            positions[0] = 1, 1

    def test_a_view_keeps_its_world(self):
        world = graze.World()
        world.add_bodies(1000, position=(3, 4))
        positions = world.positions
        del world
        gc.collect()
        numpy.testing.assert_array_equal(positions, numpy.tile([3, 4], (1000, 1)))

    def test_contacts_name_bodies_and_terrain(self):
        world = make_bowl()
        crate = world.add_body(position=(0, -1.75), lifetime=1 / 32)
        world.step(1 / 64)
        contact = world.contacts[0]
        self.assertEqual(world.body(contact['a']), crate)
        self.assertGreater(contact['segment']['chain']['generation'], 0)
        self.assertEqual(contact['phase'], graze.ContactPhase.BEGIN)
        self.assertEqual(contact['normal'].shape, (2,))
        self.assertEqual(len(crate.contacts), len(world.contacts))
        world.step(1 / 64)
        self.assertEqual(world.removals['reason'], [graze.RemovalReason.LIFETIME])
        world.step(1 / 64)
        self.assertGreater(len(world.contact_ends), 0)

    def test_dtypes_are_those_of_c(self):
        for name in ('graze_body_def', 'graze_contact', 'graze_removal', 'graze_query_hit'):
            self.assertEqual(graze.dtype(name).itemsize, graze.ffi.sizeof(name))
        self.assertEqual(graze.dtype('graze_contact').fields['impulse'][1],
                         graze.ffi.offsetof('graze_contact', 'impulse'))


class Queries(unittest.TestCase):
    def setUp(self):
        self.world = graze.World()
        self.far = self.world.add_body(position=(5, 0))
        self.near = self.world.add_body(position=(3, 0))

    def test_rays_and_casts_hit(self):
        hit = self.world.ray((0, 0), (10, 0))
        self.assertEqual((hit.body, hit.segment, hit.normal), (self.near, None, (-1, 0)))
        self.assertAlmostEqual(hit.time, 0.25)
        self.assertIsNone(self.world.ray((0, 0), (-10, 0)))
        self.assertEqual(self.world.cast(graze.circle(0.5), (9, 0), (-9, 0)).body, self.far)
        hits = self.world.rays([(0, 0), (0, 0)], [(10, 0), (-10, 0)])
        self.assertEqual(hits['time'].tolist(), [0.25, 1])
        self.world.add_chain([(1, -1), (1, 1)])
        self.assertEqual(self.world.ray((0, 0), (10, 0)).segment[1], 0)

    def test_lists_are_ordered(self):
        self.assertEqual(self.world.query_nearest((0, 0), 10), [self.near, self.far])
        self.assertEqual(self.world.query_point((3, 0.25)), [self.near])
        self.world.add_bodies(100)
        self.assertEqual(len(self.world.query_box((-1, -1), (1, 1))), 100)
        self.assertEqual(self.world.query_box((-1, -1), (1, 1), graze.filter(mask=2)), [])


class Errors(unittest.TestCase):
    def test_messages_name_the_call_the_field_and_the_value(self):
        world = make_bowl()
        body = world.add_body()
        for text, call in [
                ('graze_body_set_mass: mass is -1', lambda: setattr(body, 'mass', -1)),
                ('graze_body_create: mass is -1', lambda: world.add_body(mass=-1)),
                ('graze_body_create_many: ', lambda: world.add_bodies(2, mass=[0, -1])),
                ('graze_chain_create: count is 1', lambda: world.add_chain([(0, 0)])),
                ('graze_world_step: dt is 0', lambda: world.step(0)),
                ('graze_world_create: substeps is 100', lambda: graze.World(substeps=100)),
                ('graze_query_nearest: ', lambda: world.query_nearest((0, 0), -1))]:
            with self.assertRaisesRegex(graze.ArgumentError, re.escape(text)) as caught:
                call()
            self.assertEqual(caught.exception.status, graze.Status.ERROR_ARGUMENT)
        with self.assertRaises(graze.Error) as caught:
            world.load(b'no snapshot')
        self.assertEqual(caught.exception.status, graze.Status.ERROR_FORMAT)
        self.assertEqual(len(world.positions), 1)

    def test_unknown_fields_are_refused(self):
        world = graze.World()
        for call in (world.add_body, lambda **fields: world.add_bodies(1, **fields), graze.World):
            with self.assertRaisesRegex(TypeError, "has no field 'weight'"):
                call(weight=1)

    def test_what_is_gone_is_gone(self):
        world = graze.World()
        body = world.add_body()
        body.destroy()
        self.assertFalse(body.valid)
        with self.assertRaises(graze.StaleIdError):
            body.mass = 1
        world.close()
        world.close()
        with self.assertRaisesRegex(ValueError, 'the world is closed'):
            body.position

    def test_full_worlds_say_so(self):
        world = graze.World(body_capacity=1, contact_capacity=1, fixed_capacity=True)
        world.add_body()
        with self.assertRaises(graze.Error) as caught:
            world.add_body()
        self.assertEqual(caught.exception.status, graze.Status.ERROR_LIMIT)


class Callbacks(unittest.TestCase):
    def test_a_filter_lets_pass(self):
        asked = []

        def meets(a, b, chain):
            asked.append((a, b, chain))
            return chain is None

        world = make_bowl(filter=meets)
        body = world.add_body(position=(0, -1.75))
        for _ in range(60):
            world.step(1 / 60)
        self.assertLess(body.position.y, -5)
        self.assertEqual((asked[0][0], asked[0][1]), (body, None))
        self.assertTrue(asked[0][2].valid)

    def test_what_a_filter_raises_comes_out_of_the_step(self):
        def meets(a, b, chain):
            raise KeyError('mine')

        world = make_bowl(filter=meets)
        world.add_body(position=(0, -1.75))
        with self.assertRaisesRegex(KeyError, 'mine'):
            world.step(1 / 60)
        self.assertEqual(world.stats['step_count'], 1)

    def test_two_threads_use_two_worlds(self):
        lines = []
        threads = [threading.Thread(target=lambda: lines.append(play_scene())) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(lines[0], lines[1])


class Memory(unittest.TestCase):
    @staticmethod
    def resident():
        path = pathlib.Path('/proc/self/statm')
        return int(path.read_text().split()[1]) * os.sysconf('SC_PAGE_SIZE') if path.exists() else 0

    @staticmethod
    def churn(count, close):
        for _ in range(count):
            world = graze.World(body_capacity=10000, filter=lambda a, b, chain: True)
            world.add_body()
            world.positions
            if close:
                world.close()

    def test_worlds_go_closed_or_forgotten(self):
        self.churn(50, False)
        before = self.resident()
        self.churn(300, False)
        self.churn(300, True)
        self.assertLess(self.resident() - before, 8e6)


class Pages(unittest.TestCase):
    def run_in_folder(self, program):
        import matplotlib.pyplot
        matplotlib.use('Agg')
        matplotlib.pyplot.close('all')
        folder = pathlib.Path(os.environ.get('GRAZE_PICTURES') or tempfile.mkdtemp())
        here = os.getcwd()
        os.chdir(folder)
        try:
            exec(compile(program, 'page', 'exec'), {'__name__': 'page'})
        finally:
            os.chdir(here)
        return folder

    def check(self, program, picture):
        try:
            import matplotlib.image
        except ImportError:
            self.skipTest('there is no matplotlib')
        with warnings.catch_warnings():
            warnings.simplefilter('ignore')
            pixels = matplotlib.image.imread(self.run_in_folder(program) / picture)
        self.assertGreater((pixels[:, :, :3].min(axis=2) < 0.9).mean(), 0.05)

    def test_readme_draws_1000_bodies(self):
        text = (HERE / 'README.md').read_text()
        self.check(re.search(r'```python\n(.*?)```', text, re.DOTALL)[1], 'bodies.png')

    def test_example_draws_a_plot(self):
        self.check((HERE / 'example.py').read_text(), 'crates.png')


if __name__ == '__main__':
    unittest.main()
