//! The faces of a model of Bloodlines, byte by byte from the public documents: three models of one mesh and one triangle
//! each.

pub(crate) const CHECKSUM: u32 = 0x1234_5678;

/// Bytes that grow where something is put.
#[derive(Default)]
pub(crate) struct Bytes(pub(crate) Vec<u8>);

impl Bytes {
    pub(crate) fn put(&mut self, at: usize, bytes: &[u8]) {
        let end = at + bytes.len();
        self.0.resize(self.0.len().max(end), 0);
        self.0[at..end].copy_from_slice(bytes);
    }

    pub(crate) fn words(&mut self, at: usize, words: &[i32]) {
        let bytes: Vec<u8> = words.iter().flat_map(|it| it.to_le_bytes()).collect();
        self.put(at, &bytes);
    }

    pub(crate) fn shorts(&mut self, at: usize, shorts: &[u16]) {
        let bytes: Vec<u8> = shorts.iter().flat_map(|it| it.to_le_bytes()).collect();
        self.put(at, &bytes);
    }

    pub(crate) fn floats(&mut self, at: usize, floats: &[f32]) {
        let bytes: Vec<u8> = floats.iter().flat_map(|it| it.to_le_bytes()).collect();
        self.put(at, &bytes);
    }
}

/// Where records of the sample's faces begin: levels of detail, meshes and groups.
pub(crate) const VTX_LODS: usize = 36 + 8 + 3 * 8;
pub(crate) const VTX_MESHES: usize = VTX_LODS + 4 * 12;
pub(crate) const VTX_GROUPS: usize = VTX_MESHES + 4 * 8;
pub(crate) const VTX_VERTICES: usize = VTX_GROUPS + 4 * 20;
/// Bytes of the first group's vertices, indices and strip.
const WITH_BONES: usize = 3 * 12 + 3 * 2 + 16;
/// Those of another group.
const PLAIN: usize = 3 * 2 + 3 * 2 + 16;
/// The strip of the first group.
pub(crate) const VTX_STRIP: usize = VTX_VERTICES + 3 * 12 + 3 * 2;

/// The file of its faces: the first model has two levels of detail, the vertices of the finer one have bones. The second
/// model is a triangle strip.
pub(crate) fn vtx() -> Vec<u8> {
    let mut file = Bytes::default();
    file.words(0, &[107, 24]);
    file.shorts(8, &[16, 3]);
    file.words(12, &[3, CHECKSUM as i32, 2, 0, 1, 36]);
    file.words(36, &[3, 8]);
    let mut lod = 0;
    for (model, n_lods) in [2, 1, 1].into_iter().enumerate() {
        let at = 44 + model * 8;
        file.words(at, &[n_lods, (VTX_LODS + lod * 12 - at) as i32]);
        lod += n_lods as usize;
    }
    for lod in 0..4 {
        let at = VTX_LODS + lod * 12;
        let mesh = VTX_MESHES + lod * 8;
        file.words(at, &[1, (mesh - at) as i32]);
        file.floats(at + 8, &[if lod == 1 { 30.0 } else { 0.0 }]);
        let group = VTX_GROUPS + lod * 20;
        file.shorts(mesh, &[1, 0]);
        file.words(mesh + 4, &[(group - mesh) as i32]);
        self::group(&mut file, lod);
    }
    file.0
}

fn group(file: &mut Bytes, index: usize) {
    let at = VTX_GROUPS + index * 20;
    let (vertices, vertex_size, flags) = match index {
        0 => (VTX_VERTICES, 12, 0x0A),
        _ => (VTX_VERTICES + WITH_BONES + (index - 1) * PLAIN, 2, 0x10),
    };
    let indices = vertices + 3 * vertex_size;
    let strip = indices + 3 * 2;
    file.shorts(at, &[3, 3, 1]);
    file.put(at + 6, &[flags, 0]);
    let offsets = [vertices, indices, strip].map(|it| (it - at) as i32);
    file.words(at + 8, &offsets);
    for vertex in 0..3 {
        // The last two bytes of either kind.
        let end = vertices + (vertex + 1) * vertex_size;
        file.shorts(end - 2, &[vertex as u16]);
    }
    file.shorts(indices, &[0, 1, 2]);
    file.shorts(strip, &[3, 0, 3, 0]);
    file.put(strip + 8, &[1, if index == 2 { 2 } else { 1 }]);
    file.put(strip + 10, &[0; 6]);
}
