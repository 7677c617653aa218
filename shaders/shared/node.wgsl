// Where the matrix of its node puts a vertex of a model.

// Three rows of world from node. Twin of `uniforms::NodeMatrix`.
struct NodeMatrix {
    row_x: vec4<f32>,
    row_y: vec4<f32>,
    row_z: vec4<f32>,
}

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

// The same by another matrix than that of the node.
fn in_eye(matrix: NodeMatrix, place: vec3<f32>) -> vec3<f32> {
    // The camera is taken off before the vertex is added: both are large far from the world's origin.
    let node_in_eye = vec3(matrix.row_x.w, matrix.row_y.w, matrix.row_z.w) - frame.camera_in_world;
    return node_in_eye + vec3(dot(matrix.row_x.xyz, place), dot(matrix.row_y.xyz, place), dot(matrix.row_z.xyz, place));
}

// `place` and the vertex's normal are in the space of the node.
fn placed_point(place: vec3<f32>, vertex: VertexIn, node: u32) -> SurfacePoint {
    return placed_by(world_from_nodes[node & SLOT_MASK], place, vertex, node);
}

// The same by another matrix than that of the node.
fn placed_by(matrix: NodeMatrix, place: vec3<f32>, vertex: VertexIn, node: u32) -> SurfacePoint {
    let x = matrix.row_x.xyz;
    let y = matrix.row_y.xyz;
    let z = matrix.row_z.xyz;
    return surface_point(in_eye(matrix, place), turned_normal(x, y, z, vertex.normal), vertex, node);
}

// A normal as the rows of a matrix turn the surface that it stands on: by the inverse transpose, which is the
// matrix of cofactors but for its length, and for its sign where the matrix mirrors.
fn turned_normal(x: vec3<f32>, y: vec3<f32>, z: vec3<f32>, normal: vec3<f32>) -> vec3<f32> {
    let across_x = cross(y, z);
    let turned = vec3(dot(across_x, normal), dot(cross(z, x), normal), dot(cross(x, y), normal));
    let is_mirror = dot(x, across_x) < 0.0;
    return select(turned, -turned, is_mirror) / max(length(turned), 1e-18);
}

