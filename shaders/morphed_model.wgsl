// One pass of a material over pieces of models whose vertices have moved, each placed by the matrix of its node.
// Display space.

struct MorphedNode {
    // Which matrix places this piece.
    node: u32,
    // What moves it: a range of `active_morphs`.
    first_morph: u32,
    n_morphs: u32,
}

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

// Group 3 continues: x, y and z of all offsets of all targets.
@group(3) @binding(2) var<storage, read> morph_offsets: array<f32>;

// `piece` steps by instance: which of the morphed nodes this is.
@vertex
fn vs_main(vertex: VertexIn, @location(4) piece: u32, @builtin(vertex_index) index: u32) -> SurfacePoint {
    return placed_point(morphed_place(vertex.position, piece, index), vertex, morphed_nodes[piece].node);
}

@vertex
fn vs_depth(
    @location(0) position: vec3<f32>,
    @location(4) piece: u32,
    @builtin(vertex_index) index: u32,
) -> @builtin(position) vec4<f32> {
    return depth_position(placed_in_eye(morphed_place(position, piece, index), morphed_nodes[piece].node));
}

@vertex
fn vs_cutout(vertex: VertexIn, @location(4) piece: u32, @builtin(vertex_index) index: u32) -> SurfacePoint {
    let place = morphed_place(vertex.position, piece, index);
    return depth_point(placed_point(place, vertex, morphed_nodes[piece].node));
}

@fragment
fn fs_main(point: SurfacePoint) -> @location(0) vec4<f32> {
    return fogged(lit_color(point), point.position_in_eye);
}

// Where a vertex is once it has moved, in the space of its node.
fn morphed_place(position: vec3<f32>, piece: u32, index: u32) -> vec3<f32> {
    let morphed = morphed_nodes[piece];
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

fn morph_offset(at: u32) -> vec3<f32> {
    let first = at * 3u;
    return vec3(morph_offsets[first], morph_offsets[first + 1u], morph_offsets[first + 2u]);
}
