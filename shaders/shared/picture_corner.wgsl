// A corner of one triangle that covers the picture, in clip space.
fn picture_corner(vertex: u32) -> vec2<f32> {
    return vec2(f32((vertex << 1u) & 2u), f32(vertex & 2u)) * 2.0 - 1.0;
}

