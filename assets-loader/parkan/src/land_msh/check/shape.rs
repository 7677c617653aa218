//! Bounds, the hull and the grid of tiles.

use super::super::tiles::TileGrid;
use super::{Checker, Findings, Severity};
use crate::land_msh::{Slot, SlotHeader};
use crate::record::record_offset;
use crate::slots::box_around;

/// How far a vertex may stand outside its box, as a share of the box: other tools round bounds their own way.
const BOUNDS_SLACK: f32 = 1e-4;

impl Checker<'_> {
    pub(super) fn check_shape(&self, findings: &mut Findings) {
        self.check_finite(findings);
        self.check_slot_bounds(findings);
        self.check_hull(findings);
        self.check_grid(findings);
    }

    fn check_finite(&self, findings: &mut Findings) {
        let vertices = self.land.positions.iter().enumerate();
        findings.rule(
            Severity::Error,
            vertices
                .filter(|(_, position)| !position.iter().all(|c| c.is_finite()))
                .map(|(idx, position)| {
                    let message = format!("vertex {idx} stands at {position:?}");
                    (self.at(3, record_offset(0, idx, 12)), message)
                }),
        );
        let slots = self.land.slots.iter().enumerate();
        findings.rule(
            Severity::Error,
            slots
                .filter(|(_, slot)| !slot_bounds(slot).iter().all(|c| c.is_finite()))
                .map(|(idx, _)| {
                    let message = format!("slot {idx} has bounds that are not finite");
                    (self.at_slot(idx), message)
                }),
        );
        let hull = !header_numbers(&self.land.header)
            .iter()
            .all(|c| c.is_finite());
        findings.rule(
            Severity::Error,
            hull.then(|| (self.at(2, 0), "the hull is not finite".to_owned())),
        );
    }

    /// Boxes the wrong way round, and faces outside the bounds of their slot.
    fn check_slot_bounds(&self, findings: &mut Findings) {
        let slots = || self.land.slots.iter().enumerate();
        let inverted = slots().filter(|(_, slot)| {
            slot.aabb_min
                .iter()
                .zip(slot.aabb_max)
                .any(|(min, max)| *min > max)
        });
        findings.rule(
            Severity::Warning,
            inverted.map(|(idx, slot)| {
                let (min, max) = (slot.aabb_min, slot.aabb_max);
                let message = format!("slot {idx} has a box from {min:?} to {max:?}");
                (self.at_slot(idx), message)
            }),
        );
        if !self.may_visit_faces_of_slots() {
            let (n_named, n_faces) = (self.n_faces_of_slots(), self.land.faces.len());
            let message = format!(
                "slots name {n_named} faces, there are {n_faces}: faces are not compared with what their slots say"
            );
            return findings.rule(Severity::Warning, [(self.at(2, 0), message)]);
        }
        let outside = slots().filter_map(|(idx, slot)| {
            let bounds = self.land.bounds_of(slot)?;
            (!box_holds((slot.aabb_min, slot.aabb_max), bounds)).then_some((idx, bounds))
        });
        findings.rule(
            Severity::Warning,
            outside.map(|(idx, (min, max))| {
                let message = format!(
                    "slot {idx} has faces outside its box: they reach from {min:?} to {max:?}"
                );
                (self.at_slot(idx), message)
            }),
        );
        let outside_sphere = slots().filter(|(_, slot)| {
            let reach = self.reach_from(slot, slot.sphere_center);
            reach > slot.sphere_radius * (1.0 + BOUNDS_SLACK)
        });
        findings.rule(
            Severity::Warning,
            outside_sphere.map(|(idx, slot)| {
                let message = format!(
                    "slot {idx} has faces outside its sphere of radius {}",
                    slot.sphere_radius
                );
                (self.at_slot(idx), message)
            }),
        );
    }

    /// Distance from a point to the farthest vertex of a slot; 0 without faces.
    fn reach_from(&self, slot: &Slot, [x, y, z]: [f32; 3]) -> f32 {
        let vertices = self
            .land
            .slot_faces(slot)
            .iter()
            .flat_map(|face| face.vertices);
        let positions = vertices.filter_map(|v| self.land.positions.get(usize::from(v)));
        positions
            .map(|[px, py, pz]| f32::hypot(f32::hypot(px - x, py - y), pz - z))
            .fold(0.0, f32::max)
    }

    fn check_hull(&self, findings: &mut Findings) {
        let header = &self.land.header;
        let Some((min, max)) = box_around(header.corners) else {
            return;
        };
        let [first, ..] = header.corners;
        let wrong_origin = first != min;
        findings.rule(
            Severity::Warning,
            wrong_origin.then(|| {
                let message =
                    format!("hull corner 0, the origin of the grid, is {first:?}, not {min:?}");
                (self.at(2, 0), message)
            }),
        );
        let other_order = !wrong_origin && header.corners != SlotHeader::from_box(min, max).corners;
        findings.rule(
            Severity::Note,
            other_order.then(|| {
                (
                    self.at(2, 0),
                    "the hull is no box in the engine's order of corners".to_owned(),
                )
            }),
        );
        let ground = box_around(self.land.positions.iter().copied());
        let outside = ground.filter(|ground| !box_holds((min, max), *ground));
        findings.rule(
            Severity::Warning,
            outside.map(|(min, max)| {
                let message =
                    format!("vertices stand outside the hull: they reach from {min:?} to {max:?}");
                (self.at(2, 0), message)
            }),
        );
    }

    /// Slot 0 gives the size of a cell, and every tile lies in its own cell (Q-M17: give or take one cell).
    fn check_grid(&self, findings: &mut Findings) {
        let grid = self.land.grid();
        let Some(grid) = grid.filter(|grid| grid.cell_size.iter().all(|size| *size > 0.0)) else {
            let message = "slot 0 is missing or flat, so the cells of the grid have no size";
            findings.rule(
                Severity::Error,
                std::iter::once((self.at_slot(0), message.to_owned())),
            );
            return;
        };
        let tiles = 0..self.land.nodes.len();
        let astray = tiles.filter_map(|tile| {
            let slot = self.land.tile_slot(tile, 0)?;
            (slot.tri_count > 0 && !lies_in_cell(slot, &grid, tile)?).then_some(tile)
        });
        findings.rule(
            Severity::Warning,
            astray.map(|tile| {
                let message = format!("tile {tile} reaches more than a cell beyond its own cell");
                (self.at(1, record_offset(0, tile, 38)), message)
            }),
        );
    }
}

/// Whether a slot's box lies within one cell of the cell of `tile`; `None` without such a cell.
fn lies_in_cell(slot: &Slot, grid: &TileGrid, tile: usize) -> Option<bool> {
    let [_, cells_y] = grid.cells;
    let tile = u32::try_from(tile).ok()?;
    let cell = [tile.checked_div(cells_y)?, tile.checked_rem(cells_y)?];
    let (cell_min, cell_max) = grid.cell_bounds(cell);
    let axis = |min: f32, max: f32, cell_min: f32, cell_max: f32, size: f32| {
        min >= cell_min - size && max <= cell_max + size
    };
    let ([min_x, min_y, _], [max_x, max_y, _]) = (slot.aabb_min, slot.aabb_max);
    let [width, depth] = grid.cell_size;
    let ([cell_x0, cell_y0], [cell_x1, cell_y1]) = (cell_min, cell_max);
    Some(axis(min_x, max_x, cell_x0, cell_x1, width) && axis(min_y, max_y, cell_y0, cell_y1, depth))
}

/// Whether the first box holds the second, give or take [`BOUNDS_SLACK`] of the first one's largest side.
fn box_holds(outer: ([f32; 3], [f32; 3]), inner: ([f32; 3], [f32; 3])) -> bool {
    let sides = outer.0.into_iter().zip(outer.1).map(|(min, max)| max - min);
    let slack = sides.fold(0.0, f32::max) * BOUNDS_SLACK;
    let above = outer
        .0
        .into_iter()
        .zip(inner.0)
        .all(|(outer, inner)| inner >= outer - slack);
    let below = outer
        .1
        .into_iter()
        .zip(inner.1)
        .all(|(outer, inner)| inner <= outer + slack);
    above && below
}

fn slot_bounds(slot: &Slot) -> [f32; 10] {
    let ([a, b, c], [d, e, f], [g, h, i]) = (slot.aabb_min, slot.aabb_max, slot.sphere_center);
    [a, b, c, d, e, f, g, h, i, slot.sphere_radius]
}

fn header_numbers(header: &SlotHeader) -> Vec<f32> {
    let SlotHeader {
        corners,
        sphere_center,
        sphere_radius,
        capsule_a,
        capsule_b,
        capsule_radius,
    } = header;
    let points = corners.iter().chain([sphere_center, capsule_a, capsule_b]);
    points
        .flatten()
        .chain([sphere_radius, capsule_radius])
        .copied()
        .collect()
}
