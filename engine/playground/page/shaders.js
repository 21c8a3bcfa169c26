// Shaders: all but the terrain's triangles pull their vertices from textures, whose texels are the
// columns of the world as they lie in memory. Corners are in pixels, so that lines have the same
// width at any zoom.

const common = `#version 300 es
precision highp float;
precision highp int;
precision highp sampler2D;
precision highp usampler2D;
uniform vec4 camera;   // Its middle, pixels per unit, unused.
uniform vec2 viewport; // Pixels.
`;

const pulling = `${common}
vec2 pixelOf(vec2 world) {
    return (world - camera.xy) * camera.z;
}
vec4 clipOf(vec2 pixel) {
    return vec4(pixel * 2.0 / viewport, 0.0, 1.0);
}
ivec2 texel(int i) {
    return ivec2(i & 1023, i >> 10);
}
// Four vertices an element.
int element() {
    return gl_VertexID >> 2;
}
vec2 corner() {
    return vec2((gl_VertexID & 1) * 2 - 1, (gl_VertexID & 2) - 1);
}
vec3 colorOf(uint color) {
    return vec3(color >> 16 & 255u, color >> 8 & 255u, color & 255u) / 255.0;
}
`;

export const bodyVertex = `${pulling}
uniform sampler2D positions, angles;
uniform usampler2D solids, indices, looks;
uniform bool hasAngles;
out vec2 place;
flat out vec2 size;
flat out vec3 color;
flat out uint kind;
void main() {
    ivec2 column = texel(int(texelFetch(solids, texel(element()), 0).r));
    uvec4 look = texelFetch(looks, texel(int(texelFetch(indices, column, 0).r)), 0);
    float angle = hasAngles ? texelFetch(angles, column, 0).r : 0.0;
    vec2 across = vec2(cos(angle), sin(angle));
    color = colorOf(look.z);
    kind = look.w;
    size = max(uintBitsToFloat(look.xy) * camera.z, vec2(0.8));
    place = corner() * (size + 1.5);
    vec2 middle = pixelOf(texelFetch(positions, column, 0).rg);
    gl_Position = clipOf(middle + across * place.x + vec2(-across.y, across.x) * place.y);
}`;

export const bodyFragment = `${common}
in vec2 place;
flat in vec2 size;
flat in vec3 color;
flat in uint kind;
out vec4 shade;
void main() {
    float inside = (kind & 3u) == 0u ? size.x - length(place)
                                     : min(size.x - abs(place.x), size.y - abs(place.y));
    float stroke = min(0.8 + min(size.x, size.y) / 8.0, 1.9);
    float fill = clamp(inside + 0.5, 0.0, 1.0);
    float rim = clamp(stroke + 0.5 - inside, 0.0, 1.0);
    if ((kind & 16u) != 0u && size.x > 4.0) {
        rim = max(rim, place.x > 0.0 ? clamp(0.5 * stroke + 0.5 - abs(place.y), 0.0, 1.0) : 0.0);
    }
    vec3 tone = (kind & 4u) != 0u ? mix(color, vec3(0.486, 0.529, 0.596), 0.6) : color;
    float body = (kind & 8u) != 0u ? 0.2 : 0.34;
    float alpha = fill * mix(body, 0.96, rim);
    shade = vec4(tone * alpha, alpha);
}`;

const rays = `${pulling}
uniform sampler2D positions, velocities;
uniform usampler2D rays, indices, looks;
uniform float glow, streak;
struct Ray {
    vec2 tip, across; // In pixels; a unit vector.
    float len;
    vec3 color;
};
Ray rayOf(int i) {
    ivec2 column = texel(int(texelFetch(rays, texel(i), 0).r));
    uvec4 look = texelFetch(looks, texel(int(texelFetch(indices, column, 0).r)), 0);
    vec2 velocity = texelFetch(velocities, column, 0).rg * camera.z;
    float speed = length(velocity);
    return Ray(pixelOf(texelFetch(positions, column, 0).rg),
               speed > 0.0 ? velocity / speed : vec2(1.0, 0.0),
               clamp(speed * streak, 2.5 * glow, 56.0), colorOf(look.z));
}
`;

// A bullet is a point as large as its streak: in software, many quads take twice as long.
export const rayVertex = `${rays}
flat out vec4 way; // Its direction, half its length, half its width.
flat out vec3 color;
void main() {
    Ray ray = rayOf(gl_VertexID);
    color = ray.color;
    way = vec4(ray.across, 0.5 * ray.len, glow);
    gl_PointSize = 2.0 * (max(abs(way.x), abs(way.y)) * way.z + way.w);
    gl_Position = clipOf(ray.tip - ray.across * way.z);
}`;

export const rayFragment = `${common}
uniform float brightness;
flat in vec4 way;
flat in vec3 color;
out vec4 shade;
void main() {
    float size = max(abs(way.x), abs(way.y)) * way.z + way.w;
    vec2 place = (gl_PointCoord - 0.5) * vec2(2.0, -2.0) * size;
    float ahead = dot(place, way.xy);
    float along = clamp(0.5 + 0.5 * ahead / way.z, 0.0, 1.0) * step(abs(ahead), way.z);
    float side = max(1.0 - abs(place.x * way.y - place.y * way.x) / way.w, 0.0);
    float light = along * side * side * brightness;
    float core = light * light * light;
    shade = vec4(color * light + 0.22 * core, 0.2 * light);
}`;

// Where frames are late, a thin line: no glow, in a third of the time.
export const thinRayVertex = `${rays}
out float along;
flat out vec3 color;
void main() {
    Ray ray = rayOf(gl_VertexID >> 1);
    color = ray.color;
    along = float(gl_VertexID & 1);
    gl_Position = clipOf(ray.tip - ray.across * ray.len * (1.0 - along));
}`;

export const thinRayFragment = `${common}
uniform float brightness;
in float along;
flat in vec3 color;
out vec4 shade;
void main() {
    float light = along * brightness;
    shade = vec4(color * light, 0.3 * light);
}`;

export const markVertex = `${pulling}
uniform usampler2D marks;
uniform float density;
out vec2 place;
flat out vec3 extent;
flat out vec4 color;
void main() {
    int i = element();
    uvec4 ends = texelFetch(marks, texel(2 * i), 0);
    uvec4 look = texelFetch(marks, texel(2 * i + 1), 0);
    vec2 a = pixelOf(uintBitsToFloat(ends.xy));
    vec2 b = pixelOf(uintBitsToFloat(ends.zw));
    float len = length(b - a);
    vec2 across = len > 0.0 ? (b - a) / len : vec2(1.0, 0.0);
    extent = vec3(0.5 * len, vec2(0.5, 1.0) * uintBitsToFloat(look.yz) * density);
    color = vec4(colorOf(look.x), float(look.x >> 24) / 255.0);
    place = corner() * (vec2(extent.x, 0.0) + extent.y + extent.z + 1.0);
    gl_Position = clipOf(0.5 * (a + b) + across * place.x + vec2(-across.y, across.x) * place.y);
}`;

export const markFragment = `${common}
in vec2 place;
flat in vec3 extent;
flat in vec4 color;
out vec4 shade;
void main() {
    float off = length(vec2(max(abs(place.x) - extent.x, 0.0), place.y));
    float core = clamp(extent.y + 0.5 - off, 0.0, 1.0);
    float halo = extent.z > 0.0 ? 1.0 - min(max(off - extent.y, 0.0) / extent.z, 1.0) : 0.0;
    float light = color.a * max(core, 0.45 * halo * halo);
    shade = vec4(color.rgb * light, core * color.a);
}`;

// Of the terrain one texture is made, when it changes or is seen from elsewhere: red tells what is
// solid, green how near the surface is.
export const solidVertex = `${common}
in vec2 point;
void main() {
    gl_Position = vec4((point - camera.xy) * camera.z * 2.0 / viewport, 0.0, 1.0);
}`;

export const solidFragment = `${common}
out vec4 shade;
void main() {
    shade = vec4(1.0);
}`;

export const rimVertex = `${pulling}
uniform sampler2D rims;
uniform float reach;
out vec2 place;
flat out float extent;
void main() {
    vec4 ends = texelFetch(rims, texel(element()), 0);
    vec2 a = pixelOf(ends.xy);
    vec2 b = pixelOf(ends.zw);
    float len = length(b - a);
    vec2 across = len > 0.0 ? (b - a) / len : vec2(1.0, 0.0);
    extent = 0.5 * len;
    place = corner() * (vec2(extent, 0.0) + reach);
    gl_Position = clipOf(0.5 * (a + b) + across * place.x + vec2(-across.y, across.x) * place.y);
}`;

export const rimFragment = `${common}
uniform float reach;
in vec2 place;
flat in float extent;
out vec4 shade;
void main() {
    float off = length(vec2(max(abs(place.x) - extent, 0.0), place.y));
    shade = vec4(1.0 - min(off / reach, 1.0));
}`;

export const groundVertex = `${common}
out vec2 place;
void main() {
    place = vec2(gl_VertexID == 1 ? 2.0 : 0.0, gl_VertexID == 2 ? 2.0 : 0.0);
    gl_Position = vec4(place * 2.0 - 1.0, 0.0, 1.0);
}`;

export const groundFragment = `${common}
uniform sampler2D terrain;
uniform float reach, density;
in vec2 place;
out vec4 shade;
// Lines each so many units, a pixel wide.
float gridOf(vec2 world, float units) {
    vec2 off = abs(fract(world / units + 0.5) - 0.5) * units * camera.z;
    return 1.0 - min(min(off.x, off.y) / density, 1.0);
}
vec3 hex(int color) {
    return vec3(color >> 16 & 255, color >> 8 & 255, color & 255) / 255.0;
}
void main() {
    vec2 found = texture(terrain, place).rg;
    vec2 off = place - 0.5;
    float distance = (1.0 - found.g) * reach;
    float near = found.g * found.g;
    vec3 sky = mix(hex(0x080B14), hex(0x10172A), 1.0 - 1.6 * dot(off, off));
    vec3 air = mix(sky, hex(0x21406A), 0.35 * near);
    vec3 rock = mix(hex(0x1B2230), hex(0x3D5573), 0.85 * near);
    vec2 world = camera.xy + (gl_FragCoord.xy - 0.5 * viewport) / camera.z;
    float grid = 0.05 * gridOf(world, 1.0) * smoothstep(10.0, 30.0, camera.z / density) +
        0.07 * gridOf(world, 5.0);
    air += grid * hex(0xA9C6E8) * 0.7;
    float line = clamp(1.4 * density - distance + 0.3, 0.0, 1.0) * step(0.001, found.g);
    shade = vec4(mix(mix(air, rock, found.r), hex(0xA9C6E8), line), 1.0);
}`;

export const copyFragment = `${common}
uniform sampler2D picture;
out vec4 shade;
void main() {
    shade = texelFetch(picture, ivec2(gl_FragCoord.xy), 0);
}`;
