// A picture with its colors as a table has them, as far as there is such. Display space.

@group(2) @binding(0) var picture: texture_2d<f32>;
@group(2) @binding(1) var picture_sampler: sampler;

// Group 3: what colors become, and how much of that is shown. Twin of `passes::grade::GradeUniform`.
struct Grade {
    weight: f32,
    // Entries of the table along each axis.
    side: f32,
    // To the size that uniforms have on every device.
    unused: vec2<f32>,
}

@group(3) @binding(0) var<uniform> grade: Grade;
@group(3) @binding(1) var table: texture_3d<f32>;
@group(3) @binding(2) var table_sampler: sampler;

@vertex
fn vs_main(@builtin(vertex_index) vertex: u32) -> @builtin(position) vec4<f32> {
    return vec4(picture_corner(vertex), 0.0, 1.0);
}

@fragment
fn fs_main(@builtin(position) position: vec4<f32>) -> @location(0) vec4<f32> {
    let color = textureLoad(picture, vec2<i32>(position.xy), 0).rgb;
    // From the middle of the first entry to the middle of the last.
    let place = (color * (grade.side - 1.0) + 0.5) / grade.side;
    let corrected = textureSampleLevel(table, table_sampler, place, 0.0).rgb;
    return vec4(mix(color, corrected, grade.weight), 1.0);
}
