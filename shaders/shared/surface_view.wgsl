// An entry point of its own: pipelines of pictures do not have it.

@fragment
fn fs_view(point: SurfacePoint) -> @location(0) vec4<f32> {
    return view_color(point.normal, point.uv);
}
