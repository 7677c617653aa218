// Where a matrix puts a vertex.

// Three rows of world from node. Twin of `uniforms::NodeMatrix`.
struct NodeMatrix {
    row_x: vec4<f32>,
    row_y: vec4<f32>,
    row_z: vec4<f32>,
}

// `place` in the space that the matrix leads from.
fn in_eye(matrix: NodeMatrix, place: vec3<f32>) -> vec3<f32> {
    // The camera is taken off before the vertex is added: both are large far from the world's origin.
    let node_in_eye = vec3(matrix.row_x.w, matrix.row_y.w, matrix.row_z.w) - frame.camera_in_world;
    return node_in_eye + vec3(dot(matrix.row_x.xyz, place), dot(matrix.row_y.xyz, place), dot(matrix.row_z.xyz, place));
}

// `place` and the vertex's normal are in the space that the matrix leads from.
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

