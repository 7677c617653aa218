//! Which parts of the sides of brushes show: what other brushes cover is cut away.

use super::brushes::Brush;
use super::merge::merged;
use super::planes::PlaneTable;
use super::polygon::{Polygon, Split};
use crate::vector::{Plane, Vec3, boxes_touch};

/// A brush with all that the steps need to know of it.
#[derive(Debug, Clone)]
pub struct PreparedBrush {
    /// The plan's brush.
    pub brush: Brush,
    /// Plane number of each side.
    pub planes: Vec<u32>,
    /// Polygon of each side.
    pub polygons: Vec<Polygon>,
    /// Box around it.
    pub bounds: [Vec3; 2],
}

impl PreparedBrush {
    /// Numbers the planes of a brush; its own planes become those of the table.
    pub fn new(brush: &Brush, table: &mut PlaneTable) -> Self {
        let mut brush = brush.clone();
        let planes: Vec<u32> = brush
            .sides
            .iter()
            .map(|side| table.number(side.plane))
            .collect();
        for (side, number) in brush.sides.iter_mut().zip(&planes) {
            side.plane = *table.get(*number);
        }
        let (polygons, bounds) = brush.polygons();
        Self {
            brush,
            planes,
            polygons,
            bounds,
        }
    }
}

/// A visible part of a side.
#[derive(Debug, Clone)]
pub struct SidePart {
    /// Index of the brush.
    pub brush: usize,
    /// Index of its side.
    pub side: usize,
    /// Plane number.
    pub plane: u32,
    /// Its shape.
    pub polygon: Polygon,
}

/// All parts of sides that no other brush covers, in the order of brushes and sides.
pub fn visible_parts(brushes: &[PreparedBrush]) -> Vec<SidePart> {
    let mut parts = Vec::new();
    for (a_idx, a) in brushes.iter().enumerate() {
        for (side, polygon) in a.polygons.iter().enumerate() {
            if polygon.is_sliver() {
                continue;
            }
            let mut pieces = vec![polygon.clone()];
            for (b_idx, b) in brushes.iter().enumerate() {
                if a_idx != b_idx && covers(&b.brush, &a.brush) {
                    let yields = b_idx > a_idx || !covers(&a.brush, &b.brush);
                    pieces = pieces
                        .into_iter()
                        .flat_map(|piece| outside(piece, a.planes[side], b, yields))
                        .collect();
                }
            }
            let pieces = merged(pieces, a.brush.sides[side].plane.normal);
            parts.extend(pieces.into_iter().map(|polygon| SidePart {
                brush: a_idx,
                side,
                plane: a.planes[side],
                polygon,
            }));
        }
    }
    parts
}

/// Whether what lies in `over` hides faces of `under`. The level's walls hide all; details and liquids hide only
/// their own kind, so that they never change what the walls look like below them.
fn covers(over: &Brush, under: &Brush) -> bool {
    if over.is_solid() && !over.is_detail() {
        return true;
    }
    let is_same_kind = over.is_detail() == under.is_detail() && over.is_water() == under.is_water();
    is_same_kind && (over.is_solid() || over.is_water())
}

/// The parts of a polygon on the plane with number `plane` that lie outside of `brush`. Of two sides in the same
/// plane that look the same way, one `yields`.
fn outside(polygon: Polygon, plane: u32, brush: &PreparedBrush, yields: bool) -> Vec<Polygon> {
    if !boxes_touch(&polygon.bounds(), &brush.bounds, 0.1) {
        return vec![polygon];
    }
    if brush.planes.contains(&plane) && !yields {
        return vec![polygon];
    }
    let mut rest = polygon.clone();
    let mut parts = Vec::new();
    for (side, number) in brush.brush.sides.iter().zip(&brush.planes) {
        if number / 2 == plane / 2 {
            continue;
        }
        let plane: &Plane = &side.plane;
        match rest.split(plane) {
            Split::Front | Split::On => return vec![polygon],
            Split::Back => {}
            Split::Both(front, back) => {
                if back.is_sliver() {
                    return vec![polygon];
                }
                if !front.is_sliver() {
                    parts.push(front);
                }
                rest = back;
            }
        }
    }
    parts
}
