//! Brushes (dossier sections 0.4 and 7.1).

use std::collections::HashSet;

use super::Findings;
use crate::bsp::flags::SurfaceFlags;
use crate::bsp::map::Map;

pub(super) fn check(map: &Map, findings: &mut Findings) {
    let mut end = 0;
    let (mut apart, mut open) = (Vec::new(), Vec::new());
    for (i, brush) in map.brushes.iter().enumerate() {
        if brush.first_side != end {
            apart.push(format!("brush {i}, sides from {} on", brush.first_side));
        }
        end = brush.first_side.saturating_add(brush.n_sides);
        let normals = map.sides_of(brush).iter().filter_map(|side| {
            let plane = map.planes.get(side.plane as usize)?;
            Some(plane.normal)
        });
        let normals: Vec<_> = normals.collect();
        let axes = (0..3).flat_map(|axis| [-1.0, 1.0].map(|sign| (axis, sign)));
        let is_closed = axes.into_iter().all(|(axis, sign)| {
            let is_axis = |normal: &[f32; 3]| normal.get(axis) == Some(&sign);
            normals.iter().any(is_axis)
        });
        if !is_closed {
            open.push(format!("brush {i}"));
        }
    }
    findings.expect("sides of brushes follow each other", apart.into_iter());
    findings.expect("a brush has a side on every axis", open.into_iter());
    let sides = map.brush_sides.iter().enumerate();
    findings.expect(
        "a side is a bevel or not",
        sides
            .filter(|(_, side)| side.bevel > 1)
            .map(|(i, side)| format!("side {i}, {}", side.bevel)),
    );
    check_faces_of_sides(map, findings);
}

/// Undersides of water have no side: the compiler makes them of the upper ones (section 12.3). A few other faces have
/// none either, so this is no error.
fn check_faces_of_sides(map: &Map, findings: &mut Findings) {
    let sides: HashSet<(u32, i32)> = map
        .brush_sides
        .iter()
        .map(|side| (side.plane, side.texinfo))
        .collect();
    let of_water = map
        .brush_sides
        .iter()
        .filter(|side| is_water(map, side.texinfo));
    let planes_of_water: HashSet<u32> = of_water.map(|side| side.plane).collect();
    let faces = map.faces.iter().enumerate();
    let alone = faces.filter(|(_, face)| {
        face.disp_info < 0
            && !sides.contains(&(face.plane, face.texinfo))
            && !planes_of_water.contains(&(face.plane ^ 1))
    });
    findings.note(
        "a face is a side of a brush",
        alone.map(|(i, face)| format!("face {i}, plane {}", face.plane)),
    );
}

fn is_water(map: &Map, texinfo: i32) -> bool {
    let texinfo = usize::try_from(texinfo).ok();
    let texinfo = texinfo.and_then(|texinfo| map.texinfos.get(texinfo));
    texinfo.is_some_and(|it| SurfaceFlags::from_bits_retain(it.flags).contains(SurfaceFlags::WARP))
}
