// Where the matrix of its node puts a vertex of a model.

// Whether instances fade out: then slots of the instance buffer say how much.
override FADES: bool = false;

// A slot is the number of a node, or of what has moved, and above it in how many parts of 64 it is gone.
const SLOT_MASK: u32 = 0x3ffffffu;
const GONE_SHIFT: u32 = 26u;

// Leaves out as many pixels of an instance as it has faded, in a pattern that stands still on the screen.
fn fade_out(point: SurfacePoint) {
    if FADES {
        let noise = fract(52.9829189 * fract(dot(point.position_in_clip.xy, vec2(0.06711056, 0.00583715))));
        if noise * 64.0 < f32(point.node >> GONE_SHIFT) {
            discard;
        }
    }
}

// Group 3: all nodes of all instances.
@group(3) @binding(0) var<storage, read> world_from_nodes: array<NodeMatrix>;

// `place` in the space of the node, which a slot names.
fn placed_in_eye(place: vec3<f32>, node: u32) -> vec3<f32> {
    return in_eye(world_from_nodes[node & SLOT_MASK], place);
}

// `place` and the vertex's normal are in the space of the node.
fn placed_point(place: vec3<f32>, vertex: VertexIn, node: u32) -> SurfacePoint {
    return placed_by(world_from_nodes[node & SLOT_MASK], place, vertex, node);
}
