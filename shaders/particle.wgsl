// Particles: rectangles and trapezoids that the CPU has turned and sorted. Display space, premultiplied alpha, so that
// what covers and what adds up is drawn in one order.
//
// Goes with one of `shared/depth_single.wgsl` and `shared/depth_samples.wgsl`, which say what is behind.

// An instance; twin of `particle_list::GpuQuad`.
struct QuadIn {
    @location(0) center_in_eye: vec3<f32>,
    @location(1) half_x: vec3<f32>,
    @location(2) half_y: vec3<f32>,
    @location(3) color: vec4<f32>,
    @location(4) uv_center: vec2<f32>,
    @location(5) uv_half: vec4<f32>,
    @location(6) layer_and_flags: u32,
    // Two bytes and a half float.
    @location(7) taper_and_softness: u32,
}

struct QuadPoint {
    @builtin(position) position_in_clip: vec4<f32>,
    @location(0) uv: vec2<f32>,
    // Its alpha is how much of what is behind it is covered.
    @location(1) color: vec4<f32>,
    @location(2) fog: vec4<f32>,
    @location(3) @interpolate(flat) layer: u32,
    @location(4) @interpolate(flat) softness: f32,
}

const LAYER_MASK: u32 = 0xffffu;
const FLAG_ADDS: u32 = 0x10000u;
const FLAG_LIT: u32 = 0x20000u;
const FLAG_FOGGED: u32 = 0x40000u;
// Its color is linear light.
const FLAG_LINEAR: u32 = 0x80000u;

// Only what glows is drawn: what adds light of its own. The rest covers it.
override GLOW: bool = false;

@group(2) @binding(0) var particle_textures: texture_2d_array<f32>;
@group(2) @binding(1) var particle_sampler: sampler;

@vertex
fn vs_main(quad: QuadIn, @builtin(vertex_index) vertex: u32) -> QuadPoint {
    var corner = vec2(f32(vertex & 1u), f32(vertex >> 1u)) * 2.0 - 1.0;
    let taper = unpack4x8unorm(quad.taper_and_softness).xy;
    corner.x *= select(taper.x, taper.y, corner.y > 0.0);
    let position_in_eye = quad.center_in_eye + corner.x * quad.half_x + corner.y * quad.half_y;

    var point: QuadPoint;
    point.position_in_clip = frame.clip_from_eye * vec4(position_in_eye, 1.0);
    point.uv = quad.uv_center + corner.x * quad.uv_half.xy + corner.y * quad.uv_half.zw;
    point.layer = quad.layer_and_flags & LAYER_MASK;
    point.softness = unpack2x16float(quad.taper_and_softness).y;
    var rgb = exposed(quad.color.rgb, quad.color.r);
    if (quad.layer_and_flags & FLAG_LINEAR) != 0u {
        rgb = toned(quad.color.rgb);
    }
    if GLOW {
        let glows = (quad.layer_and_flags & (FLAG_ADDS | FLAG_LIT)) == FLAG_ADDS;
        rgb *= select(0.0, 1.0, glows);
    } else if (quad.layer_and_flags & FLAG_LIT) != 0u {
        rgb *= light(quad, corner);
    }
    let covers = select(1.0, 0.0, (quad.layer_and_flags & FLAG_ADDS) != 0u);
    point.color = vec4(rgb * quad.color.a, quad.color.a * covers);
    if (quad.layer_and_flags & FLAG_FOGGED) != 0u {
        // One amount for all of it: it has no depth of its own.
        let amount = fog_amount(quad.center_in_eye);
        point.color = vec4(point.color.rgb * (1.0 - amount), point.color.a);
        point.fog = vec4(exposed(environment.fog_color, quad.color.r) * amount * point.color.a * select(1.0, 0.0, GLOW), 0.0);
    }
    return point;
}

// As if the particle were a ball of something that lets part of the light through.
fn light(quad: QuadIn, corner: vec2<f32>) -> vec3<f32> {
    let x = quad.half_x / max(length(quad.half_x), 1e-20);
    let y = quad.half_y / max(length(quad.half_y), 1e-20);
    let to_eye = -quad.center_in_eye / max(length(quad.center_in_eye), 1e-20);
    let normal = normalize(corner.x * x + corner.y * y + to_eye);
    let wrapped = dot(normal, environment.direction_to_sun) * 0.5 + 0.5;
    return min(environment.ambient + environment.sun_color * wrapped, vec3(1.0));
}

@fragment
fn fs_main(point: QuadPoint) -> @location(0) vec4<f32> {
    // Premultiplied; what fog adds is covered like the particle itself.
    let texel = textureSample(particle_textures, particle_sampler, point.uv, point.layer);
    let color = vec4(texel.rgb * point.color.rgb + texel.a * point.fog.rgb, texel.a * point.color.a);
    return color * softened(point);
}

// How much is left of a particle near the surface behind it.
fn softened(point: QuadPoint) -> f32 {
    if point.softness <= 0.0 {
        return 1.0;
    }
    let near = frame.clip_from_eye[3].z;
    let behind = near / max(depth_at(vec2<i32>(point.position_in_clip.xy)), 1e-20);
    let own = near / point.position_in_clip.z;
    return saturate((behind - own) / point.softness);
}
