// Counts the pixels of a picture by how bright they are. Each workgroup counts its own first.

@group(0) @binding(0) var picture: texture_2d<f32>;
@group(0) @binding(1) var<storage, read_write> counts: array<atomic<u32>, 256>;

const N_BINS: u32 = 256u;

var<workgroup> own_counts: array<atomic<u32>, 256>;

@compute @workgroup_size(16, 16)
fn cs_main(
    @builtin(global_invocation_id) pixel: vec3<u32>,
    @builtin(local_invocation_index) bin: u32,
) {
    atomicStore(&own_counts[bin], 0u);
    workgroupBarrier();
    let size = textureDimensions(picture);
    if all(pixel.xy < size) {
        let display = textureLoad(picture, vec2<i32>(pixel.xy), 0).rgb;
        let luminance = dot(linear_from_display(display), vec3(0.2126, 0.7152, 0.0722));
        let shown = display_from_linear(vec3(luminance)).x;
        atomicAdd(&own_counts[min(u32(shown * f32(N_BINS)), N_BINS - 1u)], 1u);
    }
    workgroupBarrier();
    atomicAdd(&counts[bin], atomicLoad(&own_counts[bin]));
}
