// The world of index.html: a thousand discs and boxes in a bowl. The canvas's y axis points down.
export const bowl = [[0, 0], [0, 450], [400, 590], [800, 450], [800, 0]];

export function makeWorld(graze) {
    const world = new graze.World({ gravity: [0, 400] });
    world.createChain({ points: bowl });
    world.createBodies(Array.from({ length: 1000 }, (_, i) => ({
        position: [30 + i % 38 * 20, 430 - 20 * Math.floor(i / 38)],
        shape: i % 2 ? graze.circle(8) : graze.rect(8, 7),
        userData: i,
    })));
    return world;
}
