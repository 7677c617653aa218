// One pass of a material over pieces of models whose vertices have moved: by weights, by joints, or by both. Without
// joints each is placed by the matrix of its node. Display space.

struct MorphedNode {
    // Which matrix places this piece.
    node: u32,
    // What moves it: a range of `active_morphs`.
    first_morph: u32,
    n_morphs: u32,
    // Where the matrices of its joints begin, or NO_JOINTS, and where what they carry does.
    first_joint: u32,
    first_skin: u32,
}

const NO_JOINTS: u32 = 0xffffffffu;

// A morph target and how much of it is shown.
struct ActiveMorph {
    // The vertices that it moves.
    first_vertex: u32,
    n_vertices: u32,
    // Where the offset of the first of them stands, in offsets.
    first_offset: u32,
    weight: f32,
}

// Group 0 continues: the pieces of this frame whose vertices have moved. Twins of `uniforms::MorphedNode` and
// `uniforms::ActiveMorph`.
@group(0) @binding(1) var<storage, read> morphed_nodes: array<MorphedNode>;
@group(0) @binding(2) var<storage, read> active_morphs: array<ActiveMorph>;
// World from mesh for the joints of all models of this frame that have some.
@group(0) @binding(9) var<storage, read> world_from_joints: array<NodeMatrix>;

// Group 3 continues: x, y and z of all offsets of all targets.
@group(3) @binding(2) var<storage, read> morph_offsets: array<f32>;
// Of each vertex that joints carry four joints, of 16 bits, and four weights, as parts of 65535.
@group(3) @binding(3) var<storage, read> skin_vertices: array<vec4<u32>>;

// `piece` steps by instance: which of the morphed nodes this is.
@vertex
fn vs_main(vertex: VertexIn, @location(4) piece: u32, @builtin(vertex_index) index: u32) -> SurfacePoint {
    let place = morphed_place(vertex.position, piece, index);
    return placed_by(matrix_of(piece, index), place, vertex, slot_of(piece));
}

@vertex
fn vs_depth(
    @location(0) position: vec3<f32>,
    @location(4) piece: u32,
    @builtin(vertex_index) index: u32,
) -> @builtin(position) vec4<f32> {
    return depth_position(in_eye(matrix_of(piece, index), morphed_place(position, piece, index)));
}

@vertex
fn vs_cutout(vertex: VertexIn, @location(4) piece: u32, @builtin(vertex_index) index: u32) -> SurfacePoint {
    let place = morphed_place(vertex.position, piece, index);
    return depth_point(placed_by(matrix_of(piece, index), place, vertex, slot_of(piece)));
}

@fragment
fn fs_main(point: SurfacePoint) -> @location(0) vec4<f32> {
    fade_out(point);
    return fogged(with_coverage(lit_color(point)), point.position_in_eye);
}

// The slot that its node would have.
fn slot_of(piece: u32) -> u32 {
    return morphed_nodes[piece & SLOT_MASK].node | (piece & ~SLOT_MASK);
}

// Where a vertex is once weights have moved it, in the space of its node or of its mesh.
fn morphed_place(position: vec3<f32>, piece: u32, index: u32) -> vec3<f32> {
    let morphed = morphed_nodes[piece & SLOT_MASK];
    var place = position;
    for (var i = 0u; i < morphed.n_morphs; i++) {
        let morph = active_morphs[morphed.first_morph + i];
        // Before the first vertex this wraps far beyond the last.
        let at = index - morph.first_vertex;
        if at < morph.n_vertices {
            place += morph.weight * morph_offset(morph.first_offset + at);
        }
    }
    return place;
}

// What places a vertex of a piece: its node, or the joints that carry it.
fn matrix_of(piece: u32, index: u32) -> NodeMatrix {
    let morphed = morphed_nodes[piece & SLOT_MASK];
    if morphed.first_joint == NO_JOINTS {
        return world_from_nodes[morphed.node];
    }
    return joint_matrix(morphed.first_joint, skin_vertices[morphed.first_skin + index]);
}

// The mean of the matrices of the joints that carry a vertex.
fn joint_matrix(first_joint: u32, skin: vec4<u32>) -> NodeMatrix {
    let joints = vec4(skin.x & 0xffffu, skin.x >> 16u, skin.y & 0xffffu, skin.y >> 16u);
    let parts = vec4(unpack2x16unorm(skin.z), unpack2x16unorm(skin.w));
    let weights = parts / (parts.x + parts.y + parts.z + parts.w);
    var matrix = NodeMatrix(vec4(0.0), vec4(0.0), vec4(0.0));
    for (var i = 0u; i < 4u; i++) {
        let joint = world_from_joints[first_joint + joints[i]];
        matrix.row_x += weights[i] * joint.row_x;
        matrix.row_y += weights[i] * joint.row_y;
        matrix.row_z += weights[i] * joint.row_z;
    }
    return matrix;
}

fn morph_offset(at: u32) -> vec3<f32> {
    let first = at * 3u;
    return vec3(morph_offsets[first], morph_offsets[first + 1u], morph_offsets[first + 2u]);
}
