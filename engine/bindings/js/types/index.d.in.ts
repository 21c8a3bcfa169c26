// Graze: physics for 2D games full of moving things and bullets.
// Units are the game's own; times are seconds, angles radians. What fails throws a GrazeError, and
// leaves everything as it was.

/// A vector as it is returned: x and y. It is a copy: to change a body's, assign to the property.
export type Vec2 = readonly [x: number, y: number];

/// A vector as it is taken.
export type Vec2Like = readonly [x: number, y: number] | { readonly x: number; readonly y: number };

/// Which instructions the WebAssembly uses. Both give the same bits.
export type Lanes = 'scalar' | 'simd128';

/// @enum graze_status

/// @enum graze_shape_kind

/// @enum graze_response

/// @enum graze_contact_phase

/// @enum graze_removal_reason

/// @enum graze_phase

/// @enum graze_replay_state

/// @enum graze_difference_kind

/// What a call throws that fails.
/// @covers graze_status_text
export class GrazeError extends Error {
    /// The kind of failure.
    readonly status: Status;
}

/// A shape, without a position: circle(), rect() and ray() make one.
export interface Shape {
    /// @fields graze_shape in kind
    kind: ShapeKind;
}

/// Returns the shape of a circle; the radius is finite and at least 0.
export function circle(radius: number): Shape;

/// Returns the shape of a rect, from half its width and half its height.
export function rect(halfX: number, halfY: number): Shape;

/// Returns the shape of a ray: a bullet, a point that is tested along the line it travels.
export function ray(): Shape;

/// The version of the package, such as "0.1.0".
export const version: string;

/// Returns whether this machine has the instructions of simd128.
export function hasSimd(): boolean;

export interface LoadOptions {
    /// Default: simd128 where the machine has it, otherwise scalar.
    lanes?: Lanes;
    /// The WebAssembly, instead of that in the package's modules: the address of
    /// graze.simd128.wasm or graze.scalar.wasm, or what was fetched or compiled from there.
    wasm?: string | URL | BufferSource | WebAssembly.Module | Response | Promise<Response>;
}

/// Loads the library: once in a program. Each call makes a library with a memory of its own.
export function load(options?: LoadOptions): Promise<Graze>;

/// @doc graze_surface
export interface Surface {
    /// @fields graze_surface in
}

/// @doc graze_filter
export interface Filter {
    /// @fields graze_filter in
}

/// The definition of a body. What is left out has its default.
/// @covers graze_body_def
export interface BodyDef {
    /// @fields graze_body_def in
}

/// The definition of a chain. What is left out has its default.
/// @covers graze_chain_def
export interface ChainDef {
    /// At least 2 points, each a vector, or x and y of all in turn. They are copied.
    points: readonly Vec2Like[] | ArrayLike<number>;
    /// One for each segment, instead of `surface`.
    surfaces?: readonly Surface[];
    /// @fields graze_chain_def in points surfaces count
}

/// A function of the game that vetoes contacts which the filters allow. If it returns false, a and
/// b do not meet in this step. Against terrain b is null, and chain is set. It is called during a
/// step, any number of times for a pair, or never: the answer must depend on the two things alone.
/// It may read bodies and query. It must not change the world: such calls throw. What it throws
/// itself step() throws again, after the step.
export type FilterCallback = (a: Body, b: Body | null, chain: Chain | null) => boolean;

/// The definition of a world. What is left out has its default.
/// @covers graze_world_def
export interface WorldDef {
    /// @fields graze_world_def in worker_count
    /// Default: only the filter of each body decides.
    filter?: FilterCallback | null;
    /// Receives a line for each call that fails, which also throws, and for a few that succeed
    /// although something went wrong: see step(). It must not call anything on the world.
    log?: ((status: Status, message: string) => void) | null;
}

/// A body. Its properties are read from the library when they are asked for; getters take constant
/// time, and are zeros for a body that is gone.
/// @covers graze_body_id graze_body_id_equal
/// @doc graze_body_set_position
export interface Body {
    readonly world: World;
    /// The number by which columns and contacts name it. It is used again when the body is gone.
    readonly index: number;
    readonly generation: number;
    /// @doc graze_body_is_valid
    readonly isValid: boolean;
    /// @doc graze_body_is_asleep
    readonly isAsleep: boolean;
    /// The position's x. This and the three below make no array.
    readonly x: number;
    readonly y: number;
    readonly velocityX: number;
    readonly velocityY: number;
    /// Centre, or a ray's tip. Setting it teleports the body: nothing in between is met.
    /// @covers graze_body_position graze_body_set_position
    get position(): Vec2;
    set position(position: Vec2Like);
    /// Units per second.
    /// @covers graze_body_velocity graze_body_set_velocity
    get velocity(): Vec2;
    set velocity(velocity: Vec2Like);
    /// Radians, in [-pi, pi].
    /// @covers graze_body_angle graze_body_set_angle
    angle: number;
    /// Radians per second.
    /// @covers graze_body_spin graze_body_set_spin
    spin: number;
    /// @covers graze_body_mass
    /// @doc graze_body_set_mass
    mass: number;
    /// @doc graze_body_inertia graze_body_set_inertia
    inertia: number;
    /// What is left out when it is set stays as it is.
    /// @covers graze_body_surface
    /// @doc graze_body_set_surface
    get surface(): Required<Surface>;
    set surface(surface: Surface);
    /// That of the surface, >= 0.
    /// @covers graze_body_set_friction
    friction: number;
    /// That of the surface, 0 to 1.
    /// @covers graze_body_set_restitution
    restitution: number;
    /// The velocity is divided by 1 + damping * dt in each step. >= 0.
    /// @covers graze_body_damping graze_body_set_damping
    damping: number;
    /// The same for the spin.
    /// @covers graze_body_spin_damping graze_body_set_spin_damping
    spinDamping: number;
    /// @covers graze_body_gravity_scale
    /// @doc graze_body_set_gravity_scale
    gravityScale: number;
    /// @covers graze_body_never_sleeps
    /// @doc graze_body_set_never_sleeps
    neverSleeps: boolean;
    /// @covers graze_body_is_sensor
    /// @doc graze_body_set_sensor
    sensor: boolean;
    /// @covers graze_body_shape
    /// @doc graze_body_set_shape
    get shape(): Shape & { readonly radius: number; readonly half: Vec2 };
    set shape(shape: Shape);
    /// Which things it meets. What is left out when it is set stays as it is.
    /// @covers graze_body_filter graze_body_set_filter
    get filter(): Required<Filter>;
    set filter(filter: Filter);
    /// @covers graze_body_response
    /// @doc graze_body_set_response
    response: BodyResponse;
    /// The game's own number: up to 2^53 - 1, or a BigInt of up to 64 bits, of which a number is
    /// read. It is in snapshots.
    /// @covers graze_body_user_data graze_body_set_user_data
    get userData(): number;
    set userData(data: number | bigint);
    /// @doc graze_body_lifetime graze_body_set_lifetime
    lifetime: number;
    /// @doc graze_body_hit_limit graze_body_set_hit_limit
    hitLimit: number;
    /// A view of the contacts of the last step in which the body is a or b, valid until the next.
    /// @covers graze_body_contacts
    readonly contacts: List<Contact>;
    /// Applies an impulse at a point of the world; without one, at the body's position.
    /// @doc graze_body_apply_impulse
    applyImpulse(impulse: Vec2Like, point?: Vec2Like): void;
    /// @doc graze_body_apply_spin_impulse
    applySpinImpulse(impulse: number): void;
    /// Removes the body at once. If the last step removed it nothing happens.
    /// @covers graze_body_destroy
    destroy(): void;
    /// Whether the other is the same body. Where no snapshot was loaded, === says it, too.
    equals(other: Body | null): boolean;
}

/// A chain of terrain.
/// @covers graze_chain_id graze_segment_id
export interface Chain {
    readonly world: World;
    readonly index: number;
    readonly generation: number;
    /// @doc graze_chain_is_valid
    readonly isValid: boolean;
    /// What the chain was made from; points are x and y in turn. It is a copy.
    /// @covers graze_chain_get_def
    readonly def: ChainDef & { readonly points: Float32Array };
    /// Returns the surface of a segment, counted from 0.
    /// @covers graze_chain_surface
    surface(segment?: number): Required<Surface>;
    /// Sets the surface of a segment, counted from 0, or without that of all. What is left out of
    /// it stays as it is (in the first one, where it is set for all).
    /// @covers graze_chain_set_surface
    setSurface(surface: Surface, segment?: number): void;
    /// Removes the terrain at once. The next step reports the ends of contacts with it.
    /// @covers graze_chain_destroy
    destroy(): void;
    equals(other: Chain | null): boolean;
}

/// A list in the library's memory, valid until the next step or load; it is empty from then on.
/// A loop over it makes one item, which moves on: keep its fields, not the item.
export interface List<Item> {
    readonly length: number;
    /// The item at an index; the same object in each call. Undefined past the end.
    at(index: number): Item | undefined;
    [Symbol.iterator](): IterableIterator<Item>;
}

/// @doc graze_contact
export interface Contact {
    /// The body with the smaller index. There is one object for each body: === says which it is.
    readonly a: Body;
    /// Null against terrain.
    readonly b: Body | null;
    readonly aIndex: number;
    /// 0 against terrain.
    readonly bIndex: number;
    /// Null against a body.
    readonly chain: Chain | null;
    /// Which segment of the chain.
    readonly segmentIndex: number;
    /// @fields graze_contact a b segment flags
    /// The components of the vectors above, without an array.
    readonly pointX: number;
    readonly pointY: number;
    readonly normalX: number;
    readonly normalY: number;
    /// Bits: 1 sensor, 2 blocked, 4 spent, 8 dropped.
    readonly flags: number;
    /// One of the two is a sensor.
    readonly isSensor: boolean;
    /// It stopped or deflected at least one of the two.
    readonly isBlocked: boolean;
    /// It removed at least one of the two, by its hitLimit.
    readonly isSpent: boolean;
    /// One of the two was deflected for the fourth time in this step: the rest of its motion is
    /// dropped.
    readonly isDropped: boolean;
}

/// @doc graze_contact_end
export interface ContactEnd {
    readonly a: Body;
    readonly b: Body | null;
    readonly aIndex: number;
    readonly bIndex: number;
    readonly chain: Chain | null;
    readonly segmentIndex: number;
}

/// @doc graze_removal
export interface Removal {
    readonly body: Body;
    readonly bodyIndex: number;
    /// @fields graze_removal id
    readonly pointX: number;
    readonly pointY: number;
}

/// @doc graze_query_hit
export interface QueryHit {
    /// Null if terrain was hit.
    readonly body: Body | null;
    /// Null if a body was hit.
    readonly chain: Chain | null;
    readonly segmentIndex: number;
    /// @fields graze_query_hit body segment
}

/// @doc graze_grid_choice
export interface GridChoice {
    /// @fields graze_grid_choice
}

/// @doc graze_world_stats
export interface WorldStats {
    /// Wall time of each phase, as exact as performance.now() is: browsers round it.
    readonly phaseSeconds: Record<Phase, number>;
    /// @fields graze_world_stats phase_seconds
}

/// What debugDraw() calls, after it has read the world. What is left out is not drawn.
/// @covers graze_painter
export interface Painter {
    segment?(segment: Segment, chain: Chain, index: number): void;
    circle?(circle: Circle, body: Body): void;
    rect?(rect: Rect & { readonly rotation: Rotation }, body: Body): void;
    /// Its origin is the body's position, its delta the velocity in units per second.
    ray?(ray: Ray, body: Body): void;
    contact?(contact: Contact): void;
}

export interface RecordOptions {
    /// Gets the next bytes of the record, and returns false if it cannot keep them. It must neither
    /// change the world nor start or stop a recording. Default: stopRecording() returns them all.
    write?: (bytes: Uint8Array) => boolean | void;
    /// Keep hashes by which a replay can name a body that differs. Default true.
    namesBodies?: boolean;
}

/// A world: bodies, terrain, and the step that moves them.
export interface World {
    /// @doc graze_world_step
    step(dt: number): void;
    /// Frees the world and everything in it. Without this call, its memory is freed some time after
    /// nothing refers to the world any more.
    /// @covers graze_world_destroy
    destroy(): void;
    /// Units per second squared. Where it changes, all that lies at rest wakes.
    /// @covers graze_world_gravity graze_world_set_gravity
    get gravity(): Vec2;
    set gravity(gravity: Vec2Like);
    /// Into how many parts a step divides the motion of rigid bodies: 1 to 64.
    /// @covers graze_world_substeps graze_world_set_substeps
    substeps: number;
    /// @doc graze_world_explode
    explode(center: Vec2Like, radius: number, impulse: number, filter?: Filter): void;
    /// @doc graze_world_sort
    sort(): void;
    /// @covers graze_world_get_stats
    readonly stats: WorldStats;

    /// Adds a body. Queries find it at once; other bodies meet it from the next step on.
    /// @covers graze_body_create
    createBody(def?: BodyDef): Body;
    /// Adds a body for each def: all of them, or none where one is refused.
    /// @covers graze_body_create_many
    createBodies(defs: readonly BodyDef[]): Body[];
    /// The body that has this index now, or null.
    /// @covers graze_world_body_at
    bodyAt(index: number): Body | null;
    /// All bodies, in the order of the columns.
    bodies(): IterableIterator<Body>;
    /// @covers graze_chain_create
    /// Adds terrain. It may overlap bodies. Queries find it at once, and bodies meet it from the
    /// next step on.
    createChain(def: ChainDef): Chain;

    readonly bodyCount: number;
    /// x and y of each body in turn: a view of the library's memory, without a copy. Element i of
    /// all columns belongs to the same body; the order is arbitrary. Read it anew after each call
    /// that changes the world: memory may have moved, and an old view is empty then. Not to be
    /// written to.
    /// @covers graze_world_positions
    readonly positions: Float32Array;
    /// Units per second, x and y of each body in turn.
    /// @covers graze_world_velocities
    readonly velocities: Float32Array;
    /// Radians. While no body turns it is an array of zeros.
    /// @covers graze_world_angles
    readonly angles: Float32Array;
    /// The `index` of each body.
    /// @covers graze_world_indices
    readonly indices: Uint32Array;

    /// The contacts of the last step.
    /// @covers graze_world_contacts graze_contact_list
    readonly contacts: List<Contact>;
    /// The pairs that met in the step before the last one and not in the last.
    /// @covers graze_world_contact_ends graze_contact_end_list
    readonly contactEnds: List<ContactEnd>;
    /// @doc graze_world_removals
    readonly removals: List<Removal>;

    /// The first thing that the ray meets, or null. At equal times terrain comes first.
    /// @covers graze_query_ray
    queryRay(origin: Vec2Like, delta: Vec2Like, filter?: Filter): QueryHit | null;
    /// Everything that the ray meets, ordered by time, then terrain before bodies, then by id.
    /// @covers graze_query_ray_all
    queryRayAll(origin: Vec2Like, delta: Vec2Like, filter?: Filter): QueryHit[];
    /// The first thing that each ray meets; body and chain are null, and time is 1, where that is
    /// nothing. A ray is four numbers: x, y, dx, dy. Rays are processed together: several times as
    /// fast as one by one. The list is valid until the next call on this world.
    /// @covers graze_query_ray_many
    queryRayMany(rays: Float32Array, filter?: Filter): List<QueryHit>;
    /// The bodies that contain the point, boundaries included, ordered by id.
    /// @covers graze_query_point
    queryPoint(point: Vec2Like, filter?: Filter): Body[];
    /// The bodies whose shape touches the box, ordered by id.
    /// @covers graze_query_box
    queryBox(lower: Vec2Like, upper: Vec2Like, filter?: Filter): Body[];
    /// The bodies whose shape is within the radius of the point, nearest first, then by id: all, or
    /// at most so many.
    /// @covers graze_query_nearest
    queryNearest(point: Vec2Like, radius: number, filter?: Filter, most?: number): Body[];
    /// Moves a shape in a straight line, and returns the first thing that it meets, or null.
    /// `angle` rotates a rect; it does not turn on the way.
    /// @covers graze_query_cast
    queryCast(shape: Shape, from: Vec2Like, delta: Vec2Like, angle?: number,
        filter?: Filter): QueryHit | null;

    /// @doc graze_world_hash
    hash(): bigint;
    /// How many bytes a snapshot has now.
    /// @covers graze_world_snapshot_size
    readonly snapshotSize: number;
    /// Returns a snapshot, in a new array, or in the bytes that are given.
    /// @covers graze_world_save
    save(into?: Uint8Array): Uint8Array;
    /// Goes on from a snapshot: every later call gives the bits that it would have given in the
    /// saved world, in the same package or in C on any machine.
    /// @covers graze_world_load
    load(snapshot: Uint8Array): void;

    /// Starts to record what happens to the world, for a Replay.
    /// @covers graze_record_start graze_record_def
    startRecording(options?: RecordOptions): void;
    /// Ends the record, and returns it; null where `write` has got it. It throws if the recording
    /// stopped by itself, and says why.
    /// @covers graze_record_stop graze_record_status
    stopRecording(): Uint8Array | null;
    /// @covers graze_record_is_on
    readonly isRecording: boolean;

    /// Calls the painter's functions for everything in the world: terrain, bodies, contacts.
    /// @covers graze_debug_draw
    debugDraw(painter: Painter): void;
}

/// @doc graze_replay_body
export interface ReplayBody {
    /// @fields graze_replay_body
}

/// @doc graze_replay_difference
export interface ReplayDifference {
    /// @fields graze_replay_difference
}

/// A record that is repeated step by step, and compared.
/// @covers graze_replay
export interface Replay {
    /// The world as it is after the last advance, for reading.
    /// @covers graze_replay_world
    readonly world: World;
    /// @doc graze_replay_advance
    advance(): ReplayState;
    /// @doc graze_replay_status
    readonly status: Status;
    /// One line of English about the result of the last advance.
    /// @covers graze_replay_message
    readonly message: string;
    /// @doc graze_replay_step_count
    readonly stepCount: number;
    /// @doc graze_replay_get_difference
    readonly difference: ReplayDifference;
    /// @covers graze_replay_destroy
    destroy(): void;
}

// --- shapes in a place, and the tests that need no world ---

/// @doc graze_rotation
export interface Rotation {
    cosine: number;
    sine: number;
}

/// @doc graze_circle
export interface Circle {
    center: Vec2Like;
    radius: number;
}

/// An oriented rectangle; without a rotation it is upright. `half` has half the width and
/// half the height.
/// @covers graze_rect
export interface Rect {
    center: Vec2Like;
    half: Vec2Like;
    rotation?: Rotation;
}

/// @doc graze_segment
export interface Segment {
    a: Vec2Like;
    b: Vec2Like;
}

/// @doc graze_line
export interface Line {
    a: Vec2Like;
    b: Vec2Like;
}

/// @doc graze_ray
export interface Ray {
    origin: Vec2Like;
    delta: Vec2Like;
}

/// A convex polygon of up to 8 vertices, in order, in either winding.
/// @covers graze_polygon
export interface Polygon {
    vertices: readonly Vec2Like[];
}

/// @doc graze_aabb
export interface Aabb {
    lower: Vec2Like;
    upper: Vec2Like;
}

/// @doc graze_crossing
export interface Crossing {
    /// @fields graze_crossing
}

/// @doc graze_manifold
export interface Manifold {
    /// @fields graze_manifold
}

/// @doc graze_hit
export interface Hit {
    /// @fields graze_hit
}

/// The library, loaded.
export interface Graze {
    /// Makes a new, empty world.
    /// @covers graze_world_create
    readonly World: new (def?: WorldDef) => World;
    /// Opens a record and makes the world that it starts from.
    /// @covers graze_replay_create
    readonly Replay: new (record: Uint8Array) => Replay;
    readonly GrazeError: typeof GrazeError;
    readonly circle: typeof circle;
    readonly rect: typeof rect;
    readonly ray: typeof ray;
    /// @covers graze_version graze_version_text
    readonly version: string;
    /// The memory of all worlds of this library.
    readonly memory: WebAssembly.Memory;
    /// @geometry
}
