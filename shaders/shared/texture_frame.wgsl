// How a texture lies on a surface.

// World directions of u, v and of the surface, from how both change over the screen.
fn texture_frame(position: vec3<f32>, uv: vec2<f32>, normal: vec3<f32>) -> mat3x3<f32> {
    let right = dpdx(position);
    let down = dpdy(position);
    let uv_right = dpdx(uv);
    let uv_down = dpdy(uv);
    let across_right = cross(down, normal);
    let across_down = cross(normal, right);
    let side = select(-1.0, 1.0, dot(across_right, right) >= 0.0);
    let u = side * (across_right * uv_right.x + across_down * uv_down.x);
    let v = side * (across_right * uv_right.y + across_down * uv_down.y);
    return mat3x3(u / max(length(u), 1e-20), v / max(length(v), 1e-20), normal);
}
