//! Brushes as they are traced against: their sides, and bevels for boxes.

use ironlands_assets_source::bsp::{Brush, BrushSide};

use super::brushes::SurfaceMaterial;
use super::csg::PreparedBrush;
use super::planes::PlaneTable;
use super::polygon::{Cell, box_planes};
use super::texinfos::TexinfoTable;
use super::tree::{Child, Tree};
use crate::vector::{Plane, Vec3, cross, dot, length, sub};

/// Lumps 18 and 19.
pub fn lumps(
    brushes: &[PreparedBrush],
    planes: &mut PlaneTable,
    texinfos: &mut TexinfoTable,
    materials: &[SurfaceMaterial],
) -> (Vec<Brush>, Vec<BrushSide>) {
    let (mut lump, mut sides) = (Vec::new(), Vec::new());
    for prepared in brushes {
        let first_side = sides.len() as i32;
        for (side, plane) in prepared.brush.sides.iter().zip(&prepared.planes) {
            let texinfo = texinfos.number(materials, side.material, side.plane.normal);
            sides.push(BrushSide {
                plane: *plane,
                texinfo: texinfo as i32,
                ..BrushSide::default()
            });
        }
        for plane in bevels(prepared) {
            sides.push(BrushSide {
                plane: planes.number(plane),
                texinfo: sides[first_side as usize].texinfo,
                bevel: 1,
                ..BrushSide::default()
            });
        }
        lump.push(Brush {
            first_side,
            n_sides: sides.len() as i32 - first_side,
            contents: prepared.brush.contents as i32,
        });
    }
    (lump, sides)
}

/// The planes that a box is stopped by besides the sides: those of the box around the brush, and those through an edge
/// of the brush and an axis.
fn bevels(prepared: &PreparedBrush) -> Vec<Plane> {
    let mut known = prepared.brush.planes();
    let n_sides = known.len();
    for plane in box_planes(prepared.bounds) {
        if !known.iter().any(|other| is_near(other, &plane)) {
            known.push(plane);
        }
    }
    if prepared
        .brush
        .sides
        .iter()
        .all(|side| side.plane.is_axial())
    {
        return known.split_off(n_sides);
    }
    let corners: Vec<Vec3> = prepared
        .polygons
        .iter()
        .flat_map(|polygon| polygon.corners.iter().copied())
        .collect();
    for polygon in &prepared.polygons {
        let n = polygon.corners.len();
        for i in 0..n {
            let edge = sub(polygon.corners[(i + 1) % n], polygon.corners[i]);
            for axis in 0..3 {
                for sign in [1.0, -1.0] {
                    let mut direction = [0.0; 3];
                    direction[axis] = sign;
                    let normal = cross(edge, direction);
                    if length(normal) < 0.5 {
                        continue;
                    }
                    let plane = Plane::through(normal, polygon.corners[i]);
                    let bounds_all = corners.iter().all(|p| plane.distance(*p) < 0.1);
                    if bounds_all && !known.iter().any(|other| is_near(other, &plane)) {
                        known.push(plane);
                    }
                }
            }
        }
    }
    known.split_off(n_sides)
}

fn is_near(a: &Plane, b: &Plane) -> bool {
    dot(a.normal, b.normal) > 0.99999 && (a.dist - b.dist).abs() < 0.05
}

/// For each leaf of a tree, the brushes of `range` that have a part in it.
pub fn by_leaf(
    brushes: &[PreparedBrush],
    range: std::ops::Range<usize>,
    tree: &Tree,
    planes: &PlaneTable,
) -> Vec<Vec<usize>> {
    let mut leaves = vec![Vec::new(); tree.leaves.len()];
    for at in range {
        if let Some(cell) = Cell::behind(&brushes[at].brush.planes()) {
            let mut found = Vec::new();
            reach(tree, tree.root(), cell, planes, &mut found);
            for leaf in found {
                leaves[leaf].push(at);
            }
        }
    }
    leaves
}

/// The leaves that a cell has a part in.
fn reach(tree: &Tree, child: Child, cell: Cell, planes: &PlaneTable, found: &mut Vec<usize>) {
    let node = match child {
        Child::Leaf(leaf) => {
            found.push(leaf);
            return;
        }
        Child::Node(node) => &tree.nodes[node],
    };
    let plane = planes.get(node.plane);
    let (low, high) = cell
        .corners()
        .map(|p| plane.distance(p))
        .fold((f64::MAX, f64::MIN), |(low, high), d| {
            (low.min(d), high.max(d))
        });
    const TOUCH: f64 = 0.02;
    if low > -TOUCH {
        reach(tree, node.children[0], cell, planes, found);
    } else if high < TOUCH {
        reach(tree, node.children[1], cell, planes, found);
    } else {
        let (front, back) = match cell.split(plane) {
            Some((front, back, _)) => (front, back),
            None => (cell.clone(), cell),
        };
        reach(tree, node.children[0], front, planes, found);
        reach(tree, node.children[1], back, planes, found);
    }
}
