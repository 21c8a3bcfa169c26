// What a game in TypeScript writes: tsc --strict accepts it, and refuses lines that say so.
import { load, circle, GrazeError, hasSimd, rect, ray, version } from 'graze-physics';
import type { Body, BodyDef, Chain, Contact, FilterCallback, Graze, List, QueryHit, ReplayState,
    Vec2, World, WorldDef, WorldStats } from 'graze-physics';

const graze: Graze = await load({ lanes: hasSimd() ? 'simd128' : 'scalar' });
const filter: FilterCallback = (a, b, chain) => !(b?.userData === a.userData && chain === null);
const worldDef: WorldDef = { gravity: [0, -10], substeps: 4, filter };
const world: World = new graze.World(worldDef);
const ground: Chain = world.createChain({ points: [[0, 0], { x: 1, y: 0 }],
    surfaces: [{ speed: 1 }] });
world.createChain({ points: new Float32Array(4), oneSided: true });
const def: BodyDef = { shape: circle(1), position: [0, 1], response: 'bounce', filter: { mask: 3 },
    surface: { friction: 0 }, hitLimit: 1, userData: 1n };
const body: Body = world.createBody(def);
const bodies: Body[] = world.createBodies([def, { shape: rect(1, 2) }, { shape: ray() }]);

body.position = { x: 1, y: 2 };
const position: Vec2 = body.position;
const [x, y]: readonly [number, number] = position;
body.filter = { group: -1 };
const mask: number = body.filter.mask;
body.surface = { ...body.surface, friction: 0.5 };
body.applyImpulse([x, y]);

world.step(1 / 60);
const positions: Float32Array = world.positions;
const contacts: List<Contact> = world.contacts;
for (const contact of contacts) {
    const other: Body | null = contact.b;
    if (contact.phase === 'begin' && other === bodies[0]) {
        console.log(contact.impulse, contact.point[0], contact.chain === ground);
    }
}
const hit: QueryHit | null = world.queryRay([0, 0], [1, 0], { mask: 2 });
const stats: WorldStats = world.stats;
const seconds: number = stats.phaseSeconds.respond;
const snapshot: Uint8Array = world.save();
world.load(snapshot);
const hash: bigint = world.hash();
const replay = new graze.Replay(snapshot);
const state: ReplayState = replay.advance();
world.debugDraw({ circle: ({ center, radius }, { index }) => console.log(center, radius, index) });
const disc = { center: [0, 0], radius: 1 } as const;
const overlaps: boolean = graze.overlapCircles(disc, { center: { x: 1, y: 0 }, radius: 1 });
try {
    body.mass = -1;
} catch (error) {
    if (error instanceof GrazeError && error.status === 'argument') {
        console.log(error.message, version, mask, positions, hit, seconds, hash, state, overlaps);
    }
}

// @ts-expect-error: a vector that was read is a copy.
body.velocity[0] = 1;
// @ts-expect-error: there is no such field.
world.createBody({ postion: [0, 0] });
// @ts-expect-error: there is no such response.
body.response = 'stick';
// @ts-expect-error: a def has no cookie.
world.createBody({ cookie: 1 });
// @ts-expect-error: a world is read through its views.
world.positions = positions;
