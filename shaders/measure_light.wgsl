// Counts the pixels of a picture by how bright they are. Each workgroup counts its own first.

@group(0) @binding(0) var picture: texture_2d<f32>;
@group(0) @binding(1) var<storage, read_write> counts: array<atomic<u32>, 256>;

const N_BINS: u32 = 256u;
// Invocations along a side of a workgroup, and pixels along a side of what each of them counts.
const SIDE: u32 = 16u;
const N_STEPS: u32 = 4u;

var<workgroup> own_counts: array<atomic<u32>, 256>;

@compute @workgroup_size(SIDE, SIDE)
fn cs_main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(local_invocation_id) invocation: vec3<u32>,
    @builtin(local_invocation_index) bin: u32,
) {
    atomicStore(&own_counts[bin], 0u);
    workgroupBarrier();
    let size = textureDimensions(picture);
    let first = group.xy * SIDE * N_STEPS + invocation.xy;
    for (var step = 0u; step < N_STEPS * N_STEPS; step++) {
        // Neighbors count neighboring pixels.
        let pixel = first + vec2(step % N_STEPS, step / N_STEPS) * SIDE;
        if all(pixel < size) {
            let display = textureLoad(picture, vec2<i32>(pixel), 0).rgb;
            let luminance = dot(linear_from_display(display), vec3(0.2126, 0.7152, 0.0722));
            let shown = display_from_linear(vec3(luminance)).x;
            atomicAdd(&own_counts[min(u32(shown * f32(N_BINS)), N_BINS - 1u)], 1u);
        }
    }
    workgroupBarrier();
    let count = atomicLoad(&own_counts[bin]);
    if count > 0u {
        atomicAdd(&counts[bin], count);
    }
}
