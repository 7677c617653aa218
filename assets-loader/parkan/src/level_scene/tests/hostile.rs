//! Levels that would take more than their size is worth: time and output stay in proportion.

use super::*;
use crate::land_map::LandMap;

#[test]
fn tiles_that_all_name_one_slot_draw_it_once() {
    const N_TILES: usize = 100_000;
    let mut land = land(|_, _| 5.0);
    land.nodes = vec![land.nodes[0]; N_TILES];
    let mut level = level(land, false);
    level.land_map = Some(land_map(vec![areal([0.0; 2], 0, [EdgeLink::NONE; 4])]));
    let (scene, findings) = to_scene(&level, PixelOptions::default());
    assert_eq!(scene.validate(), Ok(()));
    assert_eq!(findings.len(), 1, "{findings:#?}");
    let repeated = format!("{} slots name faces of another tile", 2 * (N_TILES - 1));
    assert!(findings[0].message.starts_with(&repeated), "{findings:#?}");
    // The square of 8 by 8 lies on one quad of the tile: four edges of one line each, two fills of a few parts.
    let areals = &scene.overlays[0];
    assert!(areals.lines.len() <= 4 * 2 * 2, "{}", areals.lines.len());
    assert!(
        areals.triangles.len() <= 8 * 3,
        "{}",
        areals.triangles.len()
    );
    assert!(scene.meshes[0].indices.len() < 1_000);
}

/// One areal of many edges, each linked to an areal of one point.
fn hedgehog(n_edges: usize) -> LandMap {
    let mut body = areal([0.0; 2], 0, [EdgeLink::NONE; 4]);
    let corner = |idx| {
        let angle = idx as f32 / n_edges as f32 * std::f32::consts::TAU;
        // Every other corner lies across the map.
        let radius = if idx % 2 == 0 { 40.0 } else { -40.0 };
        [
            48.0 + radius * angle.cos(),
            48.0 + radius * angle.sin(),
            0.0,
        ]
    };
    body.vertices = (0..n_edges).map(corner).collect();
    let link = |areal| EdgeLink { areal, edge: 0 };
    body.edge_links = (1..).take(n_edges).map(link).collect();
    let point = |idx| {
        let mut point = areal([0.0; 2], 0, [EdgeLink::NONE; 4]);
        point.vertices = vec![corner(idx)];
        point.edge_links = vec![EdgeLink::NONE];
        point
    };
    let points = (0..n_edges).map(point);
    land_map([body].into_iter().chain(points).collect())
}

#[test]
fn faces_and_areals_that_reach_over_everything_are_laid_out_in_proportion() {
    const N_FACES: usize = 2_000;
    const N_EDGES: usize = 5_000;
    let mut land = land(|_, _| 5.0);
    // From corner to corner of the map.
    let last = (land.positions.len() - 1) as u16;
    let side = (TILES * 2) as u16;
    let stretched = land_msh::Face {
        vertices: [0, last, side],
        ..land.faces[0]
    };
    land.slots[0].tri_start = land.faces.len() as u16;
    land.slots[0].tri_count = N_FACES as u16;
    let key = land.face_keys[1];
    land.faces.extend([stretched; N_FACES]);
    land.face_keys.extend([key; N_FACES]);
    let mut level = level(land, false);
    level.land_map = Some(hedgehog(N_EDGES));
    let (scene, findings) = to_scene(&level, PixelOptions::default());
    assert_eq!(scene.validate(), Ok(()));
    let undraped = findings
        .iter()
        .filter(|finding| finding.message.contains("do not follow the ground"));
    assert_eq!(undraped.count(), 1, "{findings:#?}");
    let n_parts = level.land_msh.faces.len() + 2 * N_EDGES;
    for overlay in &scene.overlays {
        let n_pieces = overlay.lines.len() / 2 + overlay.triangles.len() / 3;
        assert!(n_pieces <= 20 * n_parts, "{}: {n_pieces}", overlay.name);
    }
    // Links are there, laid out or not: to the middle of each edge and on to the point.
    assert!(scene.overlays[1].lines.len() >= 2 * 2 * N_EDGES);
}
