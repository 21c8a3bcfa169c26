# %% [markdown]
# # A shot into a wall of crates
#
# Each cell goes on where the one before ended: in a notebook, or as `python example.py`, which
# writes crates.png.

# %%
import graze
import matplotlib.pyplot as plot
import numpy
from matplotlib.collections import PolyCollection

# %% [markdown]
# A floor, a wall of 12 x 20 crates, and a heavy ball. Columns are numpy arrays.

# %%
world = graze.World(gravity=(0, -10))
world.add_chain([(-60, 0), (90, 0)])
column, row = numpy.divmod(numpy.arange(240), 20)
start = numpy.column_stack([column * 1.01, row + 0.5])
crates = world.add_bodies(240, shape=graze.rect(0.5, 0.5), position=start)
ball = world.add_body(shape=graze.circle(1.5), position=(-20, 6), velocity=(30, 4), mass=40)

# %% [markdown]
# Six seconds of 60 steps each. What it measures: the kinetic energy, and the impulse of contacts.

# %%
energy, impulse = [], []
for step in range(360):
    world.step(1 / 60)
    speed = numpy.hypot(*world.velocities.T)
    energy.append((speed[world.indices != ball.id.index] ** 2).sum() / 2)
    impulse.append(world.contacts['impulse'].sum())

# %% [markdown]
# The crates as they lie, coloured by how far they were moved, and both curves.

# %%
index = world.indices
is_crate = index != ball.id.index
center, angle = world.positions[is_crate], world.angles[is_crate]
corners = numpy.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]])
axes = numpy.array([[numpy.cos(angle), numpy.sin(angle)], [-numpy.sin(angle), numpy.cos(angle)]])
boxes = center[:, None] + numpy.einsum('kj,jdn->nkd', corners, axes)
moved = numpy.hypot(*(center - start[index[is_crate]]).T)

figure, (scene, curves) = plot.subplots(2, figsize=(10, 6), layout='constrained')
drawn = PolyCollection(boxes, array=moved, cmap='viridis', edgecolor='white', linewidth=0.5)
scene.add_collection(drawn)
scene.add_patch(plot.Circle(ball.position, 1.5, color='firebrick'))
scene.axhline(0, color='black')
scene.set(xlim=(-22, 46), ylim=(-1, 13), aspect='equal', title='240 crates, after six seconds')
figure.colorbar(drawn, ax=scene, label='moved by')
curves.plot(numpy.arange(1, 361) / 60, energy, label='kinetic energy of the crates')
curves.plot(numpy.arange(1, 361) / 60, impulse, label='impulse of all contacts in a step')
curves.set(xlabel='seconds')
curves.legend()
figure.savefig('crates.png')
