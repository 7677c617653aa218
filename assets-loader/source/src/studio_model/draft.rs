//! Makes the three files of a model. Dossier section 10.5, and what the original compiler puts beside it: a
//! hitbox, and without sequences of its own an animation and a sequence of one frame that leaves all bones where they are.

use glam::Vec3;

use super::draft_mdl::MdlDraft;
use super::{DraftMesh, StudioDraft, StudioFiles};
use crate::mdl;
use crate::mdl::motion::SequenceLayer;
use crate::vtx::{Strip, StripLayout, VtxVertex, size};
use crate::vvd::{Vvd, VvdVertex};
use ironlands_assets_core::bytes::{FormatError, FormatErrorKind, Writer};
use ironlands_assets_core::record::Record;

/// Most vertices that a mesh can number.
const MAX_VERTICES: usize = 1 << 16;
/// Most frames of a sequence: offsets over its tracks have 16 bits.
const MAX_FRAMES: usize = 4096;
/// The highest number of a bone.
const MAX_BONE: usize = 127;

/// The files of a draft.
pub(super) fn build(draft: &StudioDraft) -> Result<StudioFiles, FormatError> {
    check(draft)?;
    let body = vvd_body(draft)?;
    let checksum = checksum(draft, &body);
    Ok(StudioFiles {
        mdl: MdlDraft::new(draft).build(checksum)?,
        vvd: vvd(draft, checksum, &body)?,
        vtx: vtx(draft, checksum)?,
    })
}

/// Refuses what the files cannot hold.
fn check(draft: &StudioDraft) -> Result<(), FormatError> {
    let w = Writer::new(mdl::FORMAT);
    let refuse = |field: &'static str, expected: &'static str, found: String| {
        let expected = expected.into();
        Err(w.error(field, FormatErrorKind::Unexpected { expected, found }))
    };
    if draft.name.len() > 63 {
        return refuse("name", "at most 63 bytes", draft.name.clone());
    }
    let texts = draft.textures.iter().chain(&draft.texture_folders);
    let of_bones = draft.bones.iter().map(|it| &it.name);
    let of_sequences = draft
        .sequences
        .iter()
        .flat_map(|it| [&it.name, &it.activity]);
    let texts = texts.chain(of_bones).chain(of_sequences);
    for text in texts.chain([&draft.name, &draft.surface_property]) {
        if text.contains('\0') || text.len() > 255 {
            return refuse("text", "at most 255 bytes without NUL", text.clone());
        }
    }
    let n_textures = draft.textures.len();
    for skin in &draft.more_skins {
        if skin.len() != n_textures || skin.iter().any(|texture| *texture >= n_textures) {
            return refuse("skin", "a texture for each reference", format!("{skin:?}"));
        }
    }
    for (index, bone) in draft.bones.iter().enumerate() {
        if index > MAX_BONE || bone.parent.is_some_and(|parent| parent >= index) {
            let expected = "up to 128 bones, parents before children";
            return refuse("bone", expected, format!("bone {index}"));
        }
    }
    for sequence in &draft.sequences {
        let is_whole = |frame: &Vec<[f32; 3]>| frame.len() == draft.bones.len();
        let mut turns = sequence.frames.iter().flatten().flatten();
        let is_finite = turns.all(|it| it.is_finite()) && sequence.fps.is_finite();
        let is_too_long = sequence.frames.len() > MAX_FRAMES;
        let is_there = |it: &SequenceLayer| usize::from(it.sequence) < draft.sequences.len();
        let n_weights = sequence.weights.len();
        if n_weights != 0 && n_weights != draft.bones.len() || !sequence.layers.iter().all(is_there)
        {
            let expected = "a weight for each bone or none, and layers that are there";
            return refuse("sequence", expected, sequence.name.clone());
        }
        if is_too_long
            || !is_finite
            || sequence.fps <= 0.0
            || sequence.frames.is_empty()
            || !sequence.frames.iter().all(is_whole)
        {
            let expected = "1 to 4096 frames with a turn for each bone, and a rate above 0";
            return refuse("sequence", expected, sequence.name.clone());
        }
    }
    for (index, mesh) in draft.meshes.iter().enumerate() {
        let n_vertices = mesh.positions.len();
        let is_sound = n_vertices <= MAX_VERTICES
            && mesh.normals.len() == n_vertices
            && mesh.uvs.len() == n_vertices
            && mesh.material < n_textures
            && mesh.bone < draft.bones.len().max(1)
            && mesh.indices.len().is_multiple_of(3)
            && mesh
                .indices
                .iter()
                .all(|vertex| (*vertex as usize) < n_vertices);
        if !is_sound {
            let expected = "a texture, a bone, up to 65536 whole vertices, and triangles of these";
            return refuse("mesh", expected, format!("mesh {index}"));
        }
    }
    Ok(())
}

/// Vertices, then tangents.
fn vvd_body(draft: &StudioDraft) -> Result<Vec<u8>, FormatError> {
    let mut w = Writer::new("vvd");
    for mesh in &draft.meshes {
        for ((position, normal), uv) in mesh.positions.iter().zip(&mesh.normals).zip(&mesh.uvs) {
            let vertex = VvdVertex {
                weights: [1.0, 0.0, 0.0],
                // Fewer than 128.
                bones: [mesh.bone as u8, 0, 0],
                n_bones: 1,
                position: *position,
                normal: *normal,
                uv: *uv,
            };
            Record::write(&vertex, &mut w, ())?;
        }
    }
    for mesh in &draft.meshes {
        for tangent in tangents(mesh) {
            w.f32x3(tangent.to_array());
            w.f32(1.0);
        }
    }
    Ok(w.finish())
}

/// The direction of growing u at each vertex, in the plane of its normal.
fn tangents(mesh: &DraftMesh) -> Vec<Vec3> {
    let at = |vertex: u32| {
        let vertex = vertex as usize;
        let position = mesh.positions.get(vertex).copied().unwrap_or_default();
        let uv = mesh.uvs.get(vertex).copied().unwrap_or_default();
        (Vec3::from(position), glam::Vec2::from(uv))
    };
    let mut sums = vec![Vec3::ZERO; mesh.positions.len()];
    for triangle in mesh.indices.as_chunks::<3>().0 {
        let [(a, uv_a), (b, uv_b), (c, uv_c)] = triangle.map(at);
        let (ab, ac, uv_ab, uv_ac) = (b - a, c - a, uv_b - uv_a, uv_c - uv_a);
        let along_u = (ab * uv_ac.y - ac * uv_ab.y) * uv_ab.perp_dot(uv_ac).signum();
        for vertex in triangle {
            if let Some(sum) = sums.get_mut(*vertex as usize) {
                *sum += along_u;
            }
        }
    }
    let normals = mesh.normals.iter().map(|normal| Vec3::from(*normal));
    let pairs = sums.into_iter().zip(normals);
    pairs
        .map(|(sum, normal)| {
            let in_plane = sum - normal * sum.dot(normal);
            in_plane.try_normalize().unwrap_or_else(|| {
                let normal = normal.try_normalize().unwrap_or(Vec3::Z);
                normal.any_orthonormal_vector()
            })
        })
        .collect()
}

/// A number that differs where the model does (FNV-1a).
fn checksum(draft: &StudioDraft, body: &[u8]) -> u32 {
    let indices = draft.meshes.iter().flat_map(|mesh| &mesh.indices);
    let indices = indices.flat_map(|index| index.to_le_bytes());
    let bytes = draft
        .name
        .bytes()
        .chain(body.iter().copied())
        .chain(indices);
    bytes.fold(0x811C_9DC5, |hash: u32, byte| {
        (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)
    })
}

fn vvd(draft: &StudioDraft, checksum: u32, body: &[u8]) -> Result<Vec<u8>, FormatError> {
    let n_vertices = draft
        .meshes
        .iter()
        .map(|mesh| mesh.positions.len())
        .sum::<usize>();
    let mut w = Writer::new("vvd");
    w.bytes(b"IDSV");
    w.i32(4);
    w.u32(checksum);
    w.i32(1);
    for _ in 0..8 {
        w.count("vertices of lod", n_vertices)?;
    }
    w.i32(0);
    w.count("fixups", Vvd::HEADER_SIZE)?;
    w.count("vertices", Vvd::HEADER_SIZE)?;
    let tangents = n_vertices.saturating_mul(VvdVertex::SIZE);
    w.count("tangents", Vvd::HEADER_SIZE.saturating_add(tangents))?;
    w.bytes(body);
    Ok(w.finish())
}

/// One strip group of one list a mesh; the records of a kind stand together, in the order of the file's tree.
#[expect(
    clippy::arithmetic_side_effects,
    reason = "offsets in a file in memory that is being written"
)]
fn vtx(draft: &StudioDraft, checksum: u32) -> Result<Vec<u8>, FormatError> {
    let meshes = &draft.meshes;
    let mut w = Writer::new("vtx");
    w.i32(7);
    w.i32(24);
    w.u16(53);
    w.u16(9);
    w.i32(3);
    w.u32(checksum);
    w.i32(1);
    w.count("material replacements", size::HEADER)?;
    w.i32(1);
    let body_part = size::HEADER + 8;
    w.count("body parts", body_part)?;
    // No material is replaced in the only level of detail.
    w.i32(0);
    w.i32(8);
    w.i32(1);
    w.count("models", size::BODY_PART)?;
    w.i32(1);
    w.count("lods", size::MODEL)?;
    w.count("mesh count", meshes.len())?;
    w.count("meshes", size::LOD)?;
    w.f32(0.0);
    let first_mesh = w.offset();
    let group_size = size::strip_group(StripLayout::Short);
    let strip_size = Strip::size(StripLayout::Short);
    let mut group = first_mesh + (meshes.len() * size::MESH) as u64;
    for index in 0..meshes.len() {
        let mesh = first_mesh + (index * size::MESH) as u64;
        w.i32(1);
        w.count("strip groups", (group - mesh) as usize)?;
        w.u8(0);
        group += group_size as u64;
    }
    let mut data = Writer::new("vtx");
    let mut left = meshes.len() * group_size;
    for mesh in meshes {
        let (n_vertices, n_indices) = (mesh.positions.len(), mesh.indices.len());
        let vertices = left + data.offset() as usize;
        let indices = vertices + n_vertices * VtxVertex::SIZE;
        let strip = indices + n_indices * 2;
        for (count, offset) in [(n_vertices, vertices), (n_indices, indices), (1, strip)] {
            w.count("strip group", count)?;
            w.count("strip group", offset)?;
        }
        w.u8(2);
        append_group(&mut data, mesh, strip_size)?;
        left -= group_size;
    }
    w.bytes(&data.finish());
    Ok(w.finish())
}

/// Vertices, indices, the strip and its one bone.
fn append_group(w: &mut Writer, mesh: &DraftMesh, strip_size: usize) -> Result<(), FormatError> {
    let n_vertices = mesh.positions.len();
    for vertex in 0..n_vertices {
        let vertex = VtxVertex {
            weight_indices: [0, 1, 2],
            n_bones: 1,
            mesh_vertex: vertex as u16,
            // Of the bones of the strip, which is one.
            bones: [0; 3],
        };
        Record::write(&vertex, w, ())?;
    }
    for [a, b, c] in mesh.indices.as_chunks().0 {
        for vertex in [a, c, b] {
            w.u16(*vertex as u16);
        }
    }
    w.count("strip indices", mesh.indices.len())?;
    w.i32(0);
    w.count("strip vertices", n_vertices)?;
    w.i32(0);
    w.i16(1);
    w.u8(1);
    w.i32(1);
    w.count("bone state changes", strip_size)?;
    w.i32(0);
    w.count("bone", mesh.bone)?;
    Ok(())
}
