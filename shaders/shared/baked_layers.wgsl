// What surfaces with lightmaps, with a blend or detail texture, with layers that fade, or with textures of linear light
// are made of. Group 2 continues, and group 1; twins of `uniforms::BakedUniform` and `uniforms::StylesUniform`.
//
// Goes with one of `baked_color.wgsl` and `effect_color.wgsl`, which say what color a surface has.

struct Baked {
    // Indices into the light styles; the first N_STYLES of them count.
    styles: vec4<u32>,
    // Whether the first texture is linear light, where that depends on what the material shows now.
    is_linear: u32,
    // 1 for the component of colors that is the weight of a layer.
    fade_channel: vec4<f32>,
    // Of the edge of a layer: what is dark and what bright, and weights where nothing and where all of it is seen.
    edge: vec4<f32>,
}

struct Styles {
    // What the light of each style is multiplied by now, four to a vector.
    factors: array<vec4<f32>, 64>,
}

// What a pipeline is made for, as `passes::pipeline_key` has it: no pixel decides again what its material has.
override BAKED: u32 = 0u;
override N_STYLES: u32 = 1u;

const BAKED_LINEAR_TEXTURE: u32 = 1u;
const BAKED_BLEND_TEXTURE: u32 = 2u;
const BAKED_LINEAR_BLEND_TEXTURE: u32 = 4u;
const BAKED_TRANSITION: u32 = 8u;
const BAKED_LINEAR_LIGHT: u32 = 16u;
const BAKED_NORMAL_MAP: u32 = 32u;
const BAKED_SELF_SHADOWED: u32 = 64u;
const BAKED_CHANGES_LINEAR: u32 = 128u;
const BAKED_FADES_BY_WEIGHT: u32 = 256u;
const BAKED_DETAIL: u32 = 512u;
const BAKED_EDGE: u32 = 1024u;

// What makes the first texture another than its own texels in display space.
const BAKED_IN_LINEAR_LIGHT: u32 = BAKED_LINEAR_TEXTURE | BAKED_BLEND_TEXTURE | BAKED_CHANGES_LINEAR;

@group(1) @binding(1) var<uniform> styles: Styles;
@group(2) @binding(3) var<uniform> baked: Baked;
@group(2) @binding(4) var blend_texture: texture_2d<f32>;
@group(2) @binding(5) var transition_texture: texture_2d<f32>;
@group(2) @binding(6) var normal_texture: texture_2d<f32>;
@group(2) @binding(7) var light_texture: texture_2d_array<f32>;
@group(2) @binding(8) var light_sampler: sampler;
@group(2) @binding(9) var detail_texture: texture_2d<f32>;
@group(2) @binding(10) var detail_sampler: sampler;

// The share of each color in how bright light is.
const LUMINANCE = vec3(0.2126, 0.7152, 0.0722);

// The directions that light of normal-mapped surfaces was stored for: x along u, y along v, z out of the surface.
const LIGHT_DIRECTIONS = mat3x3<f32>(
    vec3(0.81649658, 0.0, 0.57735027),
    vec3(-0.40824829, 0.70710678, 0.57735027),
    vec3(-0.40824829, -0.70710678, 0.57735027),
);

struct VertexIn {
    @location(0) position: vec3<f32>,
    @location(1) normal: vec3<f32>,
    @location(2) uv_0: vec2<f32>,
    @location(3) uv_1: vec2<f32>,
    // Baked light, linear, and the weight of the blend texture or of the pass.
    @location(5) color: vec4<f32>,
}

struct SurfacePoint {
    // Invariant, so that every pass over a triangle finds the depth that the first one left.
    @builtin(position) @invariant position_in_clip: vec4<f32>,
    @location(0) position_in_eye: vec3<f32>,
    @location(1) normal: vec3<f32>,
    @location(2) uv: vec2<f32>,
    @location(3) light_uv: vec2<f32>,
    @location(4) color: vec4<f32>,
    @location(5) @interpolate(flat) node: u32,
}

// `normal` in the world; `node` is the slot of a piece of a model.
fn surface_point(position_in_eye: vec3<f32>, normal: vec3<f32>, vertex: VertexIn, node: u32) -> SurfacePoint {
    let uv = select(vertex.uv_0, vertex.uv_1, UV_SET == 1u);
    var point: SurfacePoint;
    point.position_in_eye = position_in_eye;
    point.position_in_clip = frame.clip_from_eye * vec4(point.position_in_eye, 1.0);
    point.normal = normal;
    point.uv = cell_uv(uv);
    point.light_uv = vertex.uv_1;
    point.color = vertex.color;
    point.node = node;
    return point;
}

// The alpha of a texel whose color is linear light, where layers fade. That of a layer with an edge is no alpha.
fn alpha_of_pass(point: SurfacePoint, linear: vec3<f32>, alpha: f32) -> f32 {
    if !is_baked(BAKED_FADES_BY_WEIGHT) {
        return alpha;
    }
    let weight = saturate(dot(point.color, baked.fade_channel));
    if !is_baked(BAKED_EDGE) {
        return alpha * weight;
    }
    let luminance = dot(linear, LUMINANCE);
    let reaching = weight * (1.0 + risen(baked.edge.x, baked.edge.y, luminance));
    return risen(baked.edge.z, baked.edge.w, reaching);
}

fn is_baked(flag: u32) -> bool {
    return (BAKED & flag) != 0u;
}

// The first texture, or what it has faded to, which is laid by the second coordinates; linear light.
fn blended_texel(point: SurfacePoint, second_uv: vec2<f32>) -> vec4<f32> {
    let first_texel = textureSample(material_texture, material_sampler, point.uv);
    return blended_with(first_texel, point, second_uv);
}

fn blended_with(first_texel: vec4<f32>, point: SurfacePoint, second_uv: vec2<f32>) -> vec4<f32> {
    var first = linear_texel(first_texel, BAKED_LINEAR_TEXTURE);
    if is_baked(BAKED_CHANGES_LINEAR) {
        first = select(first, first_texel, baked.is_linear != 0u);
    }
    if !is_baked(BAKED_BLEND_TEXTURE) {
        return first;
    }
    let second_texel = textureSample(blend_texture, material_sampler, second_uv);
    let second = linear_texel(second_texel, BAKED_LINEAR_BLEND_TEXTURE);
    return mix(first, second, blend_weight(point));
}

// How much of the blend texture there is.
fn blend_weight(point: SurfacePoint) -> f32 {
    if !is_baked(BAKED_TRANSITION) {
        return point.color.a;
    }
    let transition = textureSample(transition_texture, material_sampler, point.uv);
    return risen(transition.g - transition.r, transition.g + transition.r, point.color.a);
}

// `smoothstep`, which promises nothing where both edges are one.
fn risen(low: f32, high: f32, value: f32) -> f32 {
    let share = saturate((value - low) / max(high - low, 1e-6));
    return share * share * (3.0 - 2.0 * share);
}

fn linear_texel(texel: vec4<f32>, linear_flag: u32) -> vec4<f32> {
    if is_baked(linear_flag) {
        return texel;
    }
    return vec4(linear_from_display(texel.rgb), texel.a);
}

// The sum over the styles of the light that was stored for each; of light from three directions these shares.
fn lightmap_color(point: SurfacePoint, shares: vec3<f32>) -> vec3<f32> {
    let has_normals = is_baked(BAKED_NORMAL_MAP);
    var light = vec3(0.0);
    for (var i = 0u; i < N_STYLES; i++) {
        let style = baked.styles[i];
        let factor = styles.factors[style / 4u][style % 4u];
        if has_normals {
            let from_directions = mat3x3(
                light_of_layer(point.light_uv, i * 4u + 1u),
                light_of_layer(point.light_uv, i * 4u + 2u),
                light_of_layer(point.light_uv, i * 4u + 3u),
            );
            light += factor * (from_directions * shares);
        } else {
            light += factor * light_of_layer(point.light_uv, i);
        }
    }
    return light;
}

fn light_of_layer(uv: vec2<f32>, layer: u32) -> vec3<f32> {
    return linear_texel(textureSample(light_texture, light_sampler, uv, layer), BAKED_LINEAR_LIGHT).rgb;
}

// How much of each direction's light arrives. Normals and directions stand in the same frame, that of the texture,
// so that none has to be turned.
fn shares_of_directions(texel: vec3<f32>) -> vec3<f32> {
    if is_baked(BAKED_SELF_SHADOWED) {
        return texel;
    }
    let cosines = max((texel * 2.0 - 1.0) * LIGHT_DIRECTIONS, vec3(0.0));
    let squares = cosines * cosines;
    return squares / max(squares.x + squares.y + squares.z, 1e-6);
}
