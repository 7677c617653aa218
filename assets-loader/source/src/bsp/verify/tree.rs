//! The tree, its leaves, what is attached to them, areas, occluders.

use super::Records;
use crate::bsp::file::BspFile;
use crate::bsp::lump_id::LumpId;
use crate::bsp::map::{LeafAmbientIndex, Map};
use ironlands_assets_core::bytes::FormatError;

/// Deepest tree.
const MAX_DEPTH: u32 = 4096;

pub(super) fn verify(map: &Map, file: &BspFile) -> Result<(), FormatError> {
    verify_nodes(map, file)?;
    verify_leaves(map, file)?;
    verify_models(map, file)?;
    verify_tree(map, file)?;
    verify_areas(map, file)?;
    verify_occlusion(map, file)?;
    let water = Records::new(file, LumpId::LeafWaterData, &map.leaf_water);
    for (i, record) in map.leaf_water.iter().enumerate() {
        water.optional_index(i, "texinfo", record.surface_texinfo, map.texinfos.len())?;
    }
    let n_samples = map.ambient_samples.len();
    verify_ambient(
        file,
        LumpId::LeafAmbientIndex,
        &map.ambient_index,
        n_samples,
    )?;
    let n_samples = map.ambient_samples_hdr.len();
    let id = LumpId::LeafAmbientIndexHdr;
    verify_ambient(file, id, &map.ambient_index_hdr, n_samples)
}

fn verify_nodes(map: &Map, file: &BspFile) -> Result<(), FormatError> {
    let nodes = Records::new(file, LumpId::Nodes, &map.nodes);
    let mut faces = nodes.ranges("faces", map.faces.len());
    for (i, node) in map.nodes.iter().enumerate() {
        nodes.index(i, "plane", node.plane, map.planes.len())?;
        for child in node.children {
            verify_child(map, &nodes, i, "child", child)?;
        }
        faces.take(i, node.first_face, node.n_faces)?;
    }
    Ok(())
}

/// A node, or `-1 - leaf`.
fn verify_child(
    map: &Map,
    records: &Records<'_>,
    index: usize,
    field: &str,
    child: i32,
) -> Result<(), FormatError> {
    match child {
        0.. => records.index(index, field, child, map.nodes.len()),
        _ => records.index(index, field, !child, map.leaves.len()),
    }
}

fn verify_leaves(map: &Map, file: &BspFile) -> Result<(), FormatError> {
    let leaves = Records::new(file, LumpId::Leafs, &map.leaves);
    let mut faces = leaves.ranges("faces", map.leaf_faces.len());
    let mut brushes = leaves.ranges("brushes", map.leaf_brushes.len());
    for (i, leaf) in map.leaves.iter().enumerate() {
        faces.take(i, leaf.first_leaf_face, leaf.n_leaf_faces)?;
        brushes.take(i, leaf.first_leaf_brush, leaf.n_leaf_brushes)?;
    }
    for (id, indices, limit) in [
        (LumpId::LeafFaces, &map.leaf_faces, map.faces.len()),
        (LumpId::LeafBrushes, &map.leaf_brushes, map.brushes.len()),
    ] {
        let records = Records::new(file, id, indices);
        for (i, index) in indices.iter().enumerate() {
            records.index(i, "index", *index, limit)?;
        }
    }
    Ok(())
}

fn verify_models(map: &Map, file: &BspFile) -> Result<(), FormatError> {
    let models = Records::new(file, LumpId::Models, &map.models);
    let mut faces = models.ranges("faces", map.faces.len());
    for (i, model) in map.models.iter().enumerate() {
        verify_child(map, &models, i, "head node", model.head_node)?;
        faces.take(i, model.first_face, model.n_faces)?;
    }
    Ok(())
}

/// Every node is reached at most once, so that a walk of the tree ends.
fn verify_tree(map: &Map, file: &BspFile) -> Result<(), FormatError> {
    let nodes = Records::new(file, LumpId::Nodes, &map.nodes);
    let mut is_visited = vec![false; map.nodes.len()];
    let mut waiting: Vec<(i32, u32)> = map.models.iter().map(|m| (m.head_node, 1)).collect();
    while let Some((child, depth)) = waiting.pop() {
        let Ok(index) = usize::try_from(child) else {
            continue;
        };
        let (Some(node), Some(is_visited)) = (map.nodes.get(index), is_visited.get_mut(index))
        else {
            continue;
        };
        if std::mem::replace(is_visited, true) {
            let expected = "to be reached once";
            return Err(nodes.refuse(index, "place in the tree", expected, "a second time"));
        }
        if depth > MAX_DEPTH {
            let expected = format!("at most {MAX_DEPTH}");
            return Err(nodes.refuse(index, "depth in the tree", expected, depth));
        }
        waiting.extend(node.children.map(|child| (child, depth.saturating_add(1))));
    }
    Ok(())
}

fn verify_areas(map: &Map, file: &BspFile) -> Result<(), FormatError> {
    let areas = Records::new(file, LumpId::Areas, &map.areas);
    let mut portals = areas.ranges("portals", map.area_portals.len());
    for (i, area) in map.areas.iter().enumerate() {
        portals.take(i, area.first_area_portal, area.n_area_portals)?;
    }
    let records = Records::new(file, LumpId::AreaPortals, &map.area_portals);
    let n_vertices = map.clip_portal_vertices.len();
    for (i, portal) in map.area_portals.iter().enumerate() {
        records.index(i, "other area", portal.other_area, map.areas.len())?;
        records.index(i, "plane", portal.plane, map.planes.len())?;
        // Both sides of a portal may have one winding, so these ranges may be shared.
        let mut vertices = records.ranges("vertices", n_vertices);
        let first = portal.first_clip_portal_vertex;
        vertices.take(i, first, portal.n_clip_portal_vertices)?;
    }
    Ok(())
}

fn verify_occlusion(map: &Map, file: &BspFile) -> Result<(), FormatError> {
    let occlusion = &map.occlusion;
    // Tables of different sizes share the lump: errors give its start.
    let records = Records {
        file,
        id: LumpId::Occlusion,
        n_records: usize::MAX,
    };
    let mut polys = records.ranges("occluder polygons", occlusion.polys.len());
    for (i, occluder) in occlusion.occluders.iter().enumerate() {
        polys.take(i, occluder.first_poly, occluder.n_polys)?;
    }
    let mut vertices = records.ranges("polygon vertices", occlusion.vertex_indices.len());
    for (i, poly) in occlusion.polys.iter().enumerate() {
        vertices.take(i, poly.first_vertex_index, poly.n_vertices)?;
        records.index(i, "polygon plane", poly.plane, map.planes.len())?;
    }
    for (i, vertex) in occlusion.vertex_indices.iter().enumerate() {
        records.index(i, "polygon vertex", *vertex, map.vertices.len())?;
    }
    Ok(())
}

fn verify_ambient(
    file: &BspFile,
    id: LumpId,
    indices: &[LeafAmbientIndex],
    n_samples: usize,
) -> Result<(), FormatError> {
    let mut samples = Records::new(file, id, indices).ranges("samples", n_samples);
    for (i, index) in indices.iter().enumerate() {
        samples.take(i, index.first_sample, index.n_samples)?;
    }
    Ok(())
}
