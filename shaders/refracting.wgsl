// One pass of a material that shows what is behind it, bent by its normals, over the faces of a mesh. Display space.

@vertex
fn vs_main(vertex: VertexIn) -> SurfacePoint {
    return surface_point(vertex.position - frame.camera_in_world, vertex.normal, vertex, 0u);
}

@fragment
fn fs_main(point: SurfacePoint) -> @location(0) vec4<f32> {
    let texel = textureSample(material_texture, material_sampler, point.uv).rgb * 2.0 - 1.0;
    let pixel = point.position_in_clip.xy;
    let bent = pixel + texel.xy * material.waves.x * frame.viewport_px;
    // What is in front of the surface is not seen through it.
    let is_behind = ahead_at(bent) > dot(point.position_in_eye, frame.ray_forward);
    let shown = select(pixel, bent, is_behind);
    let seen = textureSampleLevel(behind_texture, screen_sampler, shown / frame.viewport_px, 0.0).rgb;
    return vec4(seen * material.diffuse.rgb, 1.0);
}
