//! Faces and what they are made of, brushes, displacements, overlays.

use super::Records;
use crate::bsp::file::BspFile;
use crate::bsp::lump_id::LumpId;
use crate::bsp::map::{Face, Map, Overlay};
use ironlands_assets_core::bytes::FormatError;

/// Longest name of a texture: the game's longest path. Each face that has it would cost as much.
const MAX_NAME: usize = 260;
/// Powers of displacements.
const POWERS: std::ops::RangeInclusive<i32> = 2..=4;

pub(super) fn verify(map: &Map, file: &BspFile) -> Result<(), FormatError> {
    verify_points(map, file)?;
    verify_names(map, file)?;
    verify_edges(map, file)?;
    verify_primitives(map, file)?;
    verify_faces(map, file, LumpId::Faces, &map.faces)?;
    verify_faces(map, file, LumpId::FacesHdr, &map.faces_hdr)?;
    verify_faces(map, file, LumpId::OriginalFaces, &map.original_faces)?;
    if !map.faces_hdr.is_empty() && map.faces_hdr.len() != map.faces.len() {
        let faces = Records::new(file, LumpId::FacesHdr, &map.faces_hdr);
        let expected = format!("{}, as in lump Faces", map.faces.len());
        return Err(faces.refuse(0, "count", expected, map.faces_hdr.len()));
    }
    let normals = Records::new(file, LumpId::VertNormalIndices, &map.vertex_normal_indices);
    for (i, normal) in map.vertex_normal_indices.iter().enumerate() {
        normals.index(i, "normal", *normal, map.vertex_normals.len())?;
    }
    verify_brushes(map, file)?;
    verify_displacements(map, file)?;
    verify_overlays(map, file, LumpId::Overlays, &map.overlays)?;
    verify_overlays(map, file, LumpId::WaterOverlays, &map.water_overlays)
}

fn verify_points(map: &Map, file: &BspFile) -> Result<(), FormatError> {
    let planes = Records::new(file, LumpId::Planes, &map.planes);
    for (i, plane) in map.planes.iter().enumerate() {
        planes.finite(i, "normal", &plane.normal)?;
        planes.finite(i, "distance", &[plane.dist])?;
    }
    for (id, points) in [
        (LumpId::Vertexes, &map.vertices),
        (LumpId::PrimVerts, &map.primitive_vertices),
        (LumpId::VertNormals, &map.vertex_normals),
        (LumpId::ClipPortalVerts, &map.clip_portal_vertices),
    ] {
        let records = Records::new(file, id, points);
        for (i, point) in points.iter().enumerate() {
            records.finite(i, "point", point)?;
        }
    }
    Ok(())
}

fn verify_names(map: &Map, file: &BspFile) -> Result<(), FormatError> {
    let texinfos = Records::new(file, LumpId::Texinfo, &map.texinfos);
    for (i, texinfo) in map.texinfos.iter().enumerate() {
        texinfos.finite(i, "texture vectors", texinfo.texture_vecs.as_flattened())?;
        texinfos.finite(i, "lightmap vectors", texinfo.lightmap_vecs.as_flattened())?;
        texinfos.optional_index(i, "texdata", texinfo.texdata, map.texdata.len())?;
    }
    let texdata = Records::new(file, LumpId::Texdata, &map.texdata);
    for (i, record) in map.texdata.iter().enumerate() {
        texdata.index(i, "name", record.name, map.texture_name_offsets.len())?;
    }
    let id = LumpId::TexdataStringTable;
    let names = Records::new(file, id, &map.texture_name_offsets);
    let last_nul = map.texture_names.iter().rposition(|byte| *byte == 0);
    let limit = last_nul.map_or(0, |last| last.saturating_add(1));
    for (i, offset) in map.texture_name_offsets.iter().enumerate() {
        names.index(i, "offset of a name that ends with NUL", *offset, limit)?;
        let name = map.texture_names.get(*offset as usize..);
        let longest = name.and_then(|name| name.get(..=MAX_NAME));
        if longest.is_some_and(|name| !name.contains(&0)) {
            let expected = format!("at most {MAX_NAME} bytes");
            return Err(names.refuse(i, "name", expected, "more"));
        }
    }
    Ok(())
}

fn verify_edges(map: &Map, file: &BspFile) -> Result<(), FormatError> {
    let edges = Records::new(file, LumpId::Edges, &map.edges);
    for (i, edge) in map.edges.iter().enumerate() {
        for vertex in edge.vertices {
            edges.index(i, "vertex", vertex, map.vertices.len())?;
        }
    }
    let surfedges = Records::new(file, LumpId::Surfedges, &map.surfedges);
    for (i, surfedge) in map.surfedges.iter().enumerate() {
        surfedges.index(i, "edge", surfedge.unsigned_abs(), map.edges.len())?;
    }
    Ok(())
}

fn verify_primitives(map: &Map, file: &BspFile) -> Result<(), FormatError> {
    let records = Records::new(file, LumpId::Primitives, &map.primitives);
    let mut indices = records.ranges("indices", map.primitive_indices.len());
    let mut vertices = records.ranges("vertices", map.primitive_vertices.len());
    for (i, primitive) in map.primitives.iter().enumerate() {
        indices.take(i, primitive.first_index, primitive.n_indices)?;
        vertices.take(i, primitive.first_vertex, primitive.n_vertices)?;
    }
    Ok(())
}

fn verify_faces(map: &Map, file: &BspFile, id: LumpId, faces: &[Face]) -> Result<(), FormatError> {
    let records = Records::new(file, id, faces);
    let mut edges = records.ranges("edges", map.surfedges.len());
    let mut primitives = records.ranges("primitives", map.primitives.len());
    for (i, face) in faces.iter().enumerate() {
        records.index(i, "plane", face.plane, map.planes.len())?;
        if face.n_edges < 3 {
            return Err(records.refuse(i, "edge count", "3 or more", face.n_edges));
        }
        edges.take(i, face.first_edge, face.n_edges)?;
        // That of an original face is not kept up to date (section 2.4).
        if id != LumpId::OriginalFaces {
            records.optional_index(i, "texinfo", face.texinfo, map.texinfos.len())?;
        }
        records.optional_index(i, "dispinfo", face.disp_info, map.disp_infos.len())?;
        if face.disp_info >= 0 && face.n_edges != 4 {
            let expected = "4, as it has a displacement";
            return Err(records.refuse(i, "edge count", expected, face.n_edges));
        }
        primitives.take(i, face.first_primitive, face.n_primitives)?;
        verify_primitive_indices(map, &records, i, face)?;
    }
    Ok(())
}

/// Indices of primitives without vertices of their own count in the ring of the face.
fn verify_primitive_indices(
    map: &Map,
    records: &Records<'_>,
    index: usize,
    face: &Face,
) -> Result<(), FormatError> {
    let primitives = map.primitives_of(face);
    for primitive in primitives
        .iter()
        .filter(|primitive| primitive.n_vertices == 0)
    {
        let n_edges = u32::try_from(face.n_edges).unwrap_or(0);
        let indices = map.indices_of(primitive);
        if let Some(wrong) = indices.iter().find(|index| **index >= n_edges) {
            let expected = format!("below {n_edges}, its edge count");
            return Err(records.refuse(index, "primitive index", expected, wrong));
        }
    }
    Ok(())
}

fn verify_brushes(map: &Map, file: &BspFile) -> Result<(), FormatError> {
    let brushes = Records::new(file, LumpId::Brushes, &map.brushes);
    let mut ranges = brushes.ranges("sides", map.brush_sides.len());
    for (i, brush) in map.brushes.iter().enumerate() {
        ranges.take(i, brush.first_side, brush.n_sides)?;
    }
    let sides = Records::new(file, LumpId::BrushSides, &map.brush_sides);
    for (i, side) in map.brush_sides.iter().enumerate() {
        sides.index(i, "plane", side.plane, map.planes.len())?;
    }
    Ok(())
}

fn verify_displacements(map: &Map, file: &BspFile) -> Result<(), FormatError> {
    let verts = Records::new(file, LumpId::DispVerts, &map.disp_verts);
    for (i, vert) in map.disp_verts.iter().enumerate() {
        verts.finite(i, "vector", &vert.vector)?;
        verts.finite(i, "distance", &[vert.dist])?;
        verts.finite(i, "alpha", &[vert.alpha])?;
    }
    let records = Records::new(file, LumpId::DispInfo, &map.disp_infos);
    let mut verts = records.ranges("vertices", map.disp_verts.len());
    let mut tris = records.ranges("triangles", map.disp_tris.len());
    for (i, disp) in map.disp_infos.iter().enumerate() {
        records.finite(i, "start", &disp.start_position)?;
        if !POWERS.contains(&disp.power) {
            return Err(records.refuse(i, "power", "2 to 4", disp.power));
        }
        let n_cells = 1_i64 << disp.power.clamp(*POWERS.start(), *POWERS.end());
        let side = n_cells.saturating_add(1);
        verts.take(i, disp.first_vert, side.saturating_mul(side))?;
        if file.version > 17 {
            tris.take(i, disp.first_tri, n_cells.saturating_mul(n_cells) << 1)?;
        }
        records.index(i, "face", disp.map_face, map.faces.len())?;
        let face = map.faces.get(disp.map_face as usize);
        if let Some(face) = face.filter(|face| face.n_edges != 4) {
            let expected = "a face of 4 edges";
            return Err(records.refuse(i, "face", expected, format!("one of {}", face.n_edges)));
        }
    }
    Ok(())
}

fn verify_overlays(
    map: &Map,
    file: &BspFile,
    id: LumpId,
    overlays: &[Overlay],
) -> Result<(), FormatError> {
    let records = Records::new(file, id, overlays);
    for (i, overlay) in overlays.iter().enumerate() {
        records.optional_index(i, "texinfo", overlay.texinfo, map.texinfos.len())?;
        for face in &overlay.faces {
            records.index(i, "face", *face, map.faces.len())?;
        }
    }
    Ok(())
}
