// Surfaces as a map of depths shows them.

// Where a place is in the map. What is in front of the map's near end is as if it were there, or left out.
fn depth_position(position_in_eye: vec3<f32>) -> vec4<f32> {
    let position = frame.clip_from_eye * vec4(position_in_eye, 1.0);
    return vec4(position.xy, min(position.z, position.w + frame.cut_off), position.w);
}

// With all that decides where a texture has holes.
fn depth_point(point: SurfacePoint) -> SurfacePoint {
    var flat = point;
    flat.position_in_clip = depth_position(point.position_in_eye);
    return flat;
}

@fragment
fn fs_cutout(point: SurfacePoint) {
    let alpha = textureSample(material_texture, material_sampler, point.uv).a * material.diffuse.a;
    if alpha < material.alpha_reference {
        discard;
    }
}

