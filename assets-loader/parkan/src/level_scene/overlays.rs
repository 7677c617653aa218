//! Debug layers: areals, the links between them, and the outlines of tiles.

use std::collections::BTreeSet;

use ironlands_scene::{LegendEntry, Overlay, OverlayVertex};

use super::FORMAT;
use super::drape::{Drape, Draping};
use super::ground::Ground;
use crate::land_map::{Areal, LandMap};
use crate::land_msh::LandMsh;
use ironlands_assets_core::bytes::{Finding, Severity};

/// Height above what they lie on, in world units, so that the ground does not cut them.
pub(super) const LIFT: f32 = 0.5;
/// Alpha of filled areals.
const FILL_ALPHA: u8 = 70;
/// Outlines with more corners are not filled: cutting ears takes time by the square of their number.
const MAX_FILLED_CORNERS: usize = 64;

const LINK_COLOR: [u8; 4] = [255, 220, 60, 255];
const TILE_COLOR: [u8; 4] = [255, 255, 255, 255];
/// Colors of classes, in turn: far apart in hue, none like ground.
const CLASS_COLORS: [[u8; 3]; 8] = [
    [64, 160, 255],
    [255, 96, 64],
    [160, 255, 64],
    [224, 64, 255],
    [64, 255, 224],
    [255, 192, 32],
    [255, 64, 144],
    [144, 112, 255],
];

/// All layers of a level; those of areals only if there are any.
#[expect(clippy::arithmetic_side_effects, reason = "counts of shapes in memory")]
pub(super) fn overlays(
    land_map: Option<&LandMap>,
    land_msh: &LandMsh,
    ground: &Ground,
    findings: &mut Vec<Finding>,
) -> Vec<Overlay> {
    let areal_layers = land_map.map(|map| {
        let drape = Drape::new(land_msh);
        let n_corners = map.areals.iter().map(|areal| areal.vertices.len()).sum();
        let [mut outlines, mut links] = [(); 2].map(|()| drape.layer(n_corners));
        let layers = [areals(map, &mut outlines), areal_links(map, &mut links)];
        let n_undraped = outlines.n_undraped() + links.n_undraped();
        if n_undraped > 0 {
            let message = format!(
                "{n_undraped} lines and fills of areals do not follow the ground: too many faces lie below them"
            );
            findings.push(Finding::new(Severity::Note, FORMAT, message));
        }
        layers
    });
    let layers = areal_layers.into_iter().flatten();
    layers.chain([tile_grid(ground)]).collect()
}

/// Outlines and fills as they lie on the ground.
#[expect(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "a color for each remainder"
)]
fn areals(map: &LandMap, drape: &mut Draping<'_>) -> Overlay {
    let mut overlay = named("areals");
    for areal in map.areals.iter().filter(|areal| is_finite(areal)) {
        let [r, g, b] = CLASS_COLORS[areal.class_id as usize % CLASS_COLORS.len()];
        let line = |position: [f32; 3]| lifted(position, [r, g, b, 255]);
        let outline = &areal.vertices;
        let next = outline.iter().skip(1).chain(outline.first());
        for (from, to) in outline.iter().zip(next) {
            let pieces = drape.line([*from, *to]);
            overlay.lines.extend(pieces.into_iter().flatten().map(line));
        }
        let fill = |position: [f32; 3]| lifted(position, [r, g, b, FILL_ALPHA]);
        let ears = cut_ears(outline).into_iter();
        let pieces = ears.flat_map(|ear| drape.triangle(ear)).flatten();
        overlay.triangles.extend(pieces.map(fill));
    }
    overlay.with_legend(class_legend(map))
}

/// For each color the classes that share it.
#[expect(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "a list for each remainder"
)]
fn class_legend(map: &LandMap) -> Vec<LegendEntry> {
    let classes: BTreeSet<u32> = map.areals.iter().map(|areal| areal.class_id).collect();
    let mut names = [const { Vec::new() }; CLASS_COLORS.len()];
    for class in classes {
        names[class as usize % CLASS_COLORS.len()].push(class.to_string());
    }
    let entry = |(color, names): (_, &Vec<String>)| {
        LegendEntry::new(color, format!("areal of class {}", names.join(", ")))
    };
    CLASS_COLORS.into_iter().zip(&names).map(entry).collect()
}

/// From each anchor to the middle of each linked edge; where the neighbor does not link back, on to its
/// anchor as well, so that every link leads from anchor to anchor.
#[expect(clippy::indexing_slicing, reason = "an item for each areal; axes")]
fn areal_links(map: &LandMap, drape: &mut Draping<'_>) -> Overlay {
    let mut overlay = named("areal links");
    // Once each: any number of links may lead to an areal of any number of corners.
    let is_finite: Vec<bool> = map.areals.iter().map(is_finite).collect();
    for (idx, areal) in map.areals.iter().enumerate() {
        if !is_finite[idx] {
            continue;
        }
        let next = areal.vertices.iter().skip(1).chain(areal.vertices.first());
        let edges = areal.vertices.iter().zip(next).zip(&areal.edge_links);
        for ((from, to), link) in edges {
            let neighbor_idx = usize::try_from(link.areal).ok();
            let neighbor_idx = neighbor_idx.filter(|idx| is_finite.get(*idx) == Some(&true));
            let Some(neighbor) = neighbor_idx.and_then(|idx| map.areals.get(idx)) else {
                continue;
            };
            let middle = std::array::from_fn(|axis| f32::midpoint(from[axis], to[axis]));
            let mut link_line = |from: [f32; 3], to: [f32; 3]| {
                let pieces = drape.line([from, to]).into_iter().flatten();
                let points = pieces.map(|position| lifted(position, LINK_COLOR));
                overlay.lines.extend(points);
            };
            link_line(areal.anchor, middle);
            let back = usize::try_from(link.edge)
                .ok()
                .and_then(|edge| neighbor.edge_links.get(edge));
            let links_back = back.is_some_and(|back| usize::try_from(back.areal) == Ok(idx));
            if !links_back {
                link_line(middle, neighbor.anchor);
            }
        }
    }
    overlay.with_legend([legend_entry(LINK_COLOR, "edge that leads to another areal")])
}

/// The outlines of the tiles at their finest, as they lie on the ground.
fn tile_grid(ground: &Ground) -> Overlay {
    let mut overlay = named("tile grid");
    let finest = ground.tiles.iter().filter_map(|tile| tile.lods.first());
    for edge in finest.flat_map(|lod| &lod.border) {
        overlay
            .lines
            .extend(edge.ends.map(|end| lifted(end, TILE_COLOR)));
    }
    overlay.with_legend([legend_entry(TILE_COLOR, "edge of a tile")])
}

fn legend_entry([r, g, b, _]: [u8; 4], text: &str) -> LegendEntry {
    LegendEntry::new([r, g, b], text)
}

/// Colors that are far apart, again and again.
pub(super) fn colors_in_turn() -> impl Iterator<Item = [u8; 3]> {
    CLASS_COLORS.into_iter().cycle()
}

pub(super) fn named(name: &str) -> Overlay {
    Overlay {
        name: name.to_owned(),
        ..Overlay::default()
    }
}

pub(super) fn lifted([x, y, z]: [f32; 3], color: [u8; 4]) -> OverlayVertex {
    OverlayVertex {
        position: [x, y, z + LIFT],
        color,
    }
}

fn is_finite(areal: &Areal) -> bool {
    let points = areal.vertices.iter().chain([&areal.anchor]);
    points.flatten().all(|v| v.is_finite())
}

/// Triangles that fill a polygon, convex or not, of either winding, seen in x and y.
///
/// A polygon that crosses itself is filled as far as ears can be cut.
#[expect(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "corners of a polygon, all around it"
)]
fn cut_ears(outline: &[[f32; 3]]) -> Vec<[[f32; 3]; 3]> {
    if outline.len() > MAX_FILLED_CORNERS {
        return Vec::new();
    }
    let mut corners = outline.to_vec();
    let mut triangles = Vec::new();
    let turn = signed_area(outline).signum();
    while corners.len() > 3 {
        let n = corners.len();
        let triangle_at = |idx: usize| {
            [
                corners[(idx + n - 1) % n],
                corners[idx],
                corners[(idx + 1) % n],
            ]
        };
        let ear = (0..n).find(|idx| {
            let triangle = triangle_at(*idx);
            let is_convex = signed_area(&triangle) * turn > 0.0;
            let mut others = corners.iter().filter(|corner| !triangle.contains(corner));
            is_convex && !others.any(|corner| is_inside(*corner, triangle))
        });
        // Flat corners hide nothing: where no ear is left they can go.
        let flat = || (0..n).find(|idx| signed_area(&triangle_at(*idx)) == 0.0);
        let Some(idx) = ear.or_else(flat) else {
            return triangles;
        };
        triangles.push(triangle_at(idx));
        corners.remove(idx);
    }
    if let [a, b, c] = corners[..] {
        triangles.push([a, b, c]);
    }
    triangles
}

/// Twice the area in x and y, above 0 if counter-clockwise.
fn signed_area(outline: &[[f32; 3]]) -> f32 {
    let next = outline.iter().skip(1).chain(outline.first());
    outline
        .iter()
        .zip(next)
        .map(|(a, b)| a[0] * b[1] - b[0] * a[1])
        .sum()
}

/// Whether a point is in a triangle or on its edge, seen in x and y.
fn is_inside(point: [f32; 3], [a, b, c]: [[f32; 3]; 3]) -> bool {
    let sides = [[a, b, point], [b, c, point], [c, a, point]].map(|side| signed_area(&side));
    sides.iter().all(|side| *side >= 0.0) || sides.iter().all(|side| *side <= 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn area(triangles: &[[[f32; 3]; 3]]) -> f32 {
        triangles
            .iter()
            .map(|triangle| signed_area(triangle).abs())
            .sum::<f32>()
            / 2.0
    }

    #[test]
    fn ears_fill_concave_polygons_once() {
        // An L of area 3, in both windings.
        let mut l = vec![
            [0.0, 0.0, 0.0],
            [2.0, 0.0, 0.0],
            [2.0, 1.0, 0.0],
            [1.0, 1.0, 0.0],
            [1.0, 2.0, 0.0],
            [0.0, 2.0, 0.0],
        ];
        for _ in 0..2 {
            let triangles = cut_ears(&l);
            assert_eq!(triangles.len(), 4);
            assert_eq!(area(&triangles), 3.0);
            let notch = [1.5, 1.5, 0.0];
            assert!(!triangles.iter().any(|t| is_inside(notch, *t)));
            l.reverse();
        }
    }

    #[test]
    fn ears_end_on_degenerate_polygons() {
        let line: Vec<_> = (0..6).map(|i| [i as f32, 0.0, 0.0]).collect();
        assert_eq!(area(&cut_ears(&line)), 0.0);
        assert_eq!(cut_ears(&[]).len(), 0);
        let bow_tie = [
            [0.0, 0.0, 0.0],
            [1.0, 1.0, 0.0],
            [1.0, 0.0, 0.0],
            [0.0, 1.0, 0.0],
        ];
        assert!(cut_ears(&bow_tie).len() <= 2);
    }
}
