//! Skirts between tiles at different levels of detail.

use super::*;

/// Heights at a point of the border plane at `axis` = `plane`: of the ground, and down to where it is hidden.
fn border_span(
    triangles: &[[[f32; 3]; 3]],
    axis: usize,
    plane: f32,
    at: f32,
) -> (Option<f32>, Option<f32>) {
    let edges = |triangle: &[[f32; 3]; 3]| {
        let [a, b, c] = *triangle;
        [[a, b], [b, c], [c, a]]
    };
    let height = |[a, b]: [[f32; 3]; 2]| {
        let (from, to) = (a[1 - axis], b[1 - axis]);
        let lies_here = a[axis] == plane && b[axis] == plane && from != to;
        let t = (at - from) / (to - from);
        (lies_here && (0.0..=1.0).contains(&t)).then(|| a[2] + (b[2] - a[2]) * t)
    };
    let (skirts, ground): (Vec<_>, Vec<_>) = triangles.iter().partition(|t| is_vertical(t));
    let heights = |of: Vec<&[[f32; 3]; 3]>| -> Vec<f32> {
        of.into_iter().flat_map(edges).filter_map(height).collect()
    };
    let top = heights(ground).into_iter().reduce(f32::max);
    let bottom = heights(skirts).into_iter().reduce(f32::min);
    (top, bottom)
}

#[test]
fn skirts_close_every_crack_between_any_levels_of_detail() {
    for seed in 0..20 {
        let mut rng = Rng::new(seed);
        let heights: Vec<f32> = (0..64).map(|_| rng.below(400) as f32 * 0.1).collect();
        let scene = scene_of(land(|x, y| {
            heights[(x / 16.0) as usize * 8 + (y / 16.0) as usize]
        }));
        let clusters = &scene.meshes[0].clusters;
        for (tile, cluster) in clusters.iter().enumerate() {
            for axis in 0..2 {
                let step = if axis == 0 { TILES } else { 1 };
                if cluster.cell[axis] as usize + 1 == TILES {
                    continue;
                }
                let neighbor = &clusters[tile + step];
                let plane = (cluster.cell[axis] + 1) as f32 * TILE_SIZE;
                let start = cluster.cell[1 - axis] as f32 * TILE_SIZE;
                for (lod, neighbor_lod) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
                    let ours = triangles(&scene, cluster, lod);
                    let theirs = triangles(&scene, neighbor, neighbor_lod);
                    for sample in 0..=16 {
                        let at = start + sample as f32 * TILE_SIZE / 16.0;
                        let (our_top, our_bottom) = border_span(&ours, axis, plane, at);
                        let (their_top, their_bottom) = border_span(&theirs, axis, plane, at);
                        let (our_top, their_top) = (our_top.unwrap(), their_top.unwrap());
                        let (high, low, bottom) = match our_top > their_top {
                            true => (our_top, their_top, our_bottom),
                            false => (their_top, our_top, their_bottom),
                        };
                        let is_closed = high - low < 1e-4 || bottom.is_some_and(|z| z <= low);
                        assert!(
                            is_closed,
                            "seed {seed}, tile {tile}: {high} to {low} is open"
                        );
                    }
                }
            }
        }
    }
}

#[test]
fn skirts_are_no_deeper_than_their_cracks() {
    // One bump of 5 in the middle of the border between tiles 0 and 3, which only the fine level has.
    let bump = |x: f32, y: f32| if (x, y) == (32.0, 16.0) { 5.0 } else { 0.0 };
    let scene = scene_of(land(bump));
    let mesh = &scene.meshes[0];
    let lowest = |lod| {
        let triangles = triangles(&scene, &mesh.clusters[0], lod);
        triangles
            .iter()
            .flatten()
            .map(|p| p[2])
            .reduce(f32::min)
            .unwrap()
    };
    // From the bump at 5 to 0 in the fine level; nothing but the margin in the coarse one. At its ends the
    // same edge is at 0 already, and its strip is as deep there.
    assert_eq!(lowest(0), -5.0 - skirts::MARGIN);
    assert_eq!(lowest(1), -skirts::MARGIN);
    assert_eq!(mesh.clusters[0].bounds.min[2], -5.0 - skirts::MARGIN);
}

#[test]
fn the_outer_edge_and_water_have_no_skirts() {
    let mut land = land(|x, y| (x * 7.0 + y * 3.0) % 11.0);
    for tile in 0..TILES {
        edit_tile(&mut land, tile, |face| face.flags = FaceFlags::WATER);
    }
    let scene = scene_of(land);
    let end = TILES as f32 * TILE_SIZE;
    let mut n_skirts = 0;
    for (tile, cluster) in scene.meshes[0].clusters.iter().enumerate() {
        for lod in 0..2 {
            for skirt in triangles(&scene, cluster, lod)
                .iter()
                .filter(|t| is_vertical(t))
            {
                n_skirts += 1;
                assert!(tile >= TILES, "water tile {tile} has a skirt");
                for axis in 0..2 {
                    let is_outer = |plane| skirt.iter().all(|p| p[axis] == plane);
                    assert!(!is_outer(0.0) && !is_outer(end), "{skirt:?}");
                }
            }
        }
    }
    assert!(n_skirts > 0);
}

#[test]
fn skirts_look_like_the_edge_that_they_hang_from() {
    let scene = scene_of(land(|x, y| (x * 7.0 + y * 3.0) % 11.0));
    let Mesh {
        positions,
        normals,
        uv_sets,
        ..
    } = &scene.meshes[0];
    let n_ground = 49;
    assert!(positions.len() > n_ground);
    for lower in n_ground..positions.len() {
        let above = (0..n_ground)
            .find(|v| positions[*v][..2] == positions[lower][..2])
            .unwrap();
        assert_eq!(normals[lower], normals[above]);
        assert_eq!(uv_sets[0][lower], uv_sets[0][above]);
        assert!(positions[lower][2] < positions[above][2]);
    }
}
