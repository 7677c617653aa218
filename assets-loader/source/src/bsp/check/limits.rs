//! Largest counts that the original takes (dossier section 1.7).

use super::Findings;
use crate::bsp::map::{Map, ReusedLumps};

const NO_LIMIT: usize = usize::MAX;
/// Bytes of lighting and of visibility.
const MAX_BYTES: usize = 0x100_0000;
const MAX_BRUSH_SIDES: i32 = 128;
/// Bytes of a name of a texture.
const MAX_NAME: usize = 128;

pub(super) fn check(map: &Map, version: u32, findings: &mut Findings) {
    let is_wide = version >= 25;
    let too_many = counts(map)
        .into_iter()
        .filter_map(|(name, n, narrow, wide)| {
            let limit = if is_wide { wide } else { narrow };
            (n > limit).then(|| format!("{n} {name}, the limit is {limit}"))
        });
    findings.expect("counts keep to the limits of the original", too_many);
    let brushes = map.brushes.iter().enumerate();
    findings.expect(
        "a brush has at most 128 sides",
        brushes
            .filter(|(_, brush)| brush.n_sides > MAX_BRUSH_SIDES)
            .map(|(i, brush)| format!("brush {i}, {}", brush.n_sides)),
    );
    let names = map.texture_names.split(|byte| *byte == 0);
    findings.expect(
        "a name of a texture has fewer than 128 bytes",
        names
            .filter(|name| name.len() >= MAX_NAME)
            .map(|name| String::from_utf8_lossy(name).into_owned()),
    );
    let [max_side, max_disp_side] = if is_wide { [131, 512] } else { [35, 128] };
    let faces = map.faces_of(map.default_face_set()).iter().enumerate();
    let too_large = faces.filter(|(_, face)| {
        let limit = if face.disp_info < 0 {
            max_side
        } else {
            max_disp_side
        };
        // Stored is one less.
        face.light_offset != -1 && face.lightmap_size.iter().any(|size| *size >= limit)
    });
    findings.expect(
        &format!(
            "lightmaps have at most {max_side} luxels a side, of displacements {max_disp_side}"
        ),
        too_large.map(|(i, face)| format!("face {i}, {:?}", face.lightmap_size)),
    );
    let limit = if is_wide { 65_536.0 } else { 16_384.0 };
    let vertices = map.vertices.iter().enumerate();
    findings.expect(
        &format!("coordinates are at most {limit}"),
        vertices
            .filter(|(_, vertex)| vertex.iter().any(|c| c.abs() > limit))
            .map(|(i, vertex)| format!("vertex {i}, {vertex:?}")),
    );
}

/// Name, count, and the limits until version 21 and in version 25.
#[rustfmt::skip]
fn counts(map: &Map) -> Vec<(&'static str, usize, usize, usize)> {
    let visibility = map.visibility.as_ref();
    let n_clusters = visibility.map_or(0, |vis| vis.row_offsets.len());
    let portals = match map.reused_lumps.typed() {
        Some(ReusedLumps::Portals(it)) => [it.portals.len(), it.vertex_indices.len()],
        _ => [0; 2],
    };
    let [n_portals, n_portal_vertices] = portals;
    let n_visibility = visibility.map_or(0, |vis| vis.rows.len().saturating_add(vis.header_size()));
    vec![
        ("planes", map.planes.len(), 65_536, 1_048_576),
        ("vertices", map.vertices.len(), 65_536, 1_048_576),
        ("edges", map.edges.len(), 256_000, 4_096_000),
        ("surfedges", map.surfedges.len(), 512_000, 8_192_000),
        ("faces", map.faces.len(), 65_536, 1_048_576),
        ("original faces", map.original_faces.len(), 65_536, 1_048_576),
        ("leaf faces", map.leaf_faces.len(), 65_536, 1_048_576),
        ("leaf brushes", map.leaf_brushes.len(), 65_536, 1_048_576),
        ("nodes", map.nodes.len(), 65_536, 1_048_576),
        ("leaves", map.leaves.len(), 65_536, 1_048_576),
        ("clusters", n_clusters, 65_536, 1_048_576),
        ("visibility portals", n_portals, 65_536, NO_LIMIT),
        ("vertices of visibility portals", n_portal_vertices, 128_000, NO_LIMIT),
        ("brushes", map.brushes.len(), 8_192, 131_072),
        ("brush sides", map.brush_sides.len(), 65_536, 1_310_720),
        ("texinfos", map.texinfos.len(), 12_288, NO_LIMIT),
        ("texdata", map.texdata.len(), 2_048, 16_384),
        ("models", map.models.len(), 1_024, 65_536),
        ("areas", map.areas.len(), 256, 65_536),
        ("area portals", map.area_portals.len(), 1_024, 65_536),
        ("displacements", map.disp_infos.len(), 2_048, 262_144),
        ("vertex normals", map.vertex_normals.len(), 256_000, 1_048_576),
        ("vertex normal indices", map.vertex_normal_indices.len(), 256_000, 1_048_576),
        ("bytes of lighting", map.lighting.len(), MAX_BYTES, MAX_BYTES),
        ("bytes of HDR lighting", map.lighting_hdr.len(), MAX_BYTES, MAX_BYTES),
        ("bytes of visibility", n_visibility, MAX_BYTES, MAX_BYTES),
        ("lights", map.world_lights.len(), 8_192, NO_LIMIT),
        ("HDR lights", map.world_lights_hdr.len(), 8_192, NO_LIMIT),
        ("cubemaps", map.cubemaps.len(), 1_024, 16_384),
        ("overlays", map.overlays.len(), 512, 16_384),
        ("water overlays", map.water_overlays.len(), 16_384, 16_384),
        ("bytes of names", map.texture_names.len(), 256_000, 256_000),
        ("names", map.texture_name_offsets.len(), 65_536, 1_048_576),
        ("primitives", map.primitives.len(), 32_768, 1_048_576),
        ("primitive vertices", map.primitive_vertices.len(), 65_536, 1_048_576),
        ("primitive indices", map.primitive_indices.len(), 65_536, 1_048_576),
    ]
}
