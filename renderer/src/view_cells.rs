//! Which cells of a scene belong to what is drawn from one place, and which of them are seen. No GPU.

use std::sync::Arc;

use glam::Vec3;
use ironlands_scene::{CullingState, Scene, Visibility};

use crate::portals::{AreaGraph, PortalEye};

/// What is known of a scene's cells.
#[derive(Debug, Default)]
pub(crate) struct SceneCells {
    visibility: Visibility,
    /// For each cell.
    is_backdrop: Vec<bool>,
    areas: AreaGraph,
}

impl SceneCells {
    pub fn new(scene: &Scene) -> Self {
        let visibility = scene.visibility.clone().unwrap_or_default();
        let mut is_backdrop = vec![false; visibility.n_cells()];
        for cell in scene.backdrop.iter().flat_map(|backdrop| &backdrop.cells) {
            is_backdrop[*cell as usize] = true;
        }
        Self {
            visibility,
            is_backdrop,
            areas: AreaGraph::new(&scene.areas),
        }
    }

    /// The cell of a point, if there is one.
    pub fn cell_at(&self, point: Vec3) -> Option<u32> {
        self.visibility.cell_at(point.to_array())
    }

    /// Whether a point is in a cell of the backdrop.
    pub fn is_in_backdrop(&self, point: Vec3) -> bool {
        let cell = self.cell_at(point);
        cell.is_some_and(|cell| self.is_backdrop.get(cell as usize) == Some(&true))
    }
}

/// What of a scene is drawn from one place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    /// All but the backdrop.
    Level,
    /// The cells of the backdrop alone.
    Backdrop,
    /// All, for who stands in the backdrop.
    Everything,
}

/// The cells that are drawn from one place; kept between frames, as without portals they change only where the cell does.
#[derive(Debug, Default)]
pub(crate) struct ViewCells {
    /// What all else was made for.
    made_for: Option<(Arc<SceneCells>, Part, Option<u32>)>,
    is_part: Vec<bool>,
    /// Wherever the eye looks in its cell, and whatever is open.
    is_seen_from_cell: Vec<bool>,
    is_seen: Vec<bool>,
    /// For each area.
    is_area_seen: Vec<bool>,
}

impl ViewCells {
    /// Takes what is seen of a part from a cell; from none, all of it is.
    pub fn update(&mut self, cells: &Arc<SceneCells>, part: Part, cell: Option<u32>) {
        let is_known = self.made_for.as_ref().is_some_and(|known| {
            // The list that is kept alive cannot be another one at the same place.
            Arc::ptr_eq(&known.0, cells) && (known.1, known.2) == (part, cell)
        });
        if is_known {
            return;
        }
        self.is_part.clear();
        let is_part = |is_backdrop: &bool| match part {
            Part::Level => !is_backdrop,
            Part::Backdrop => *is_backdrop,
            Part::Everything => true,
        };
        self.is_part.extend(cells.is_backdrop.iter().map(is_part));
        let is_seen = &mut self.is_seen_from_cell;
        cells.visibility.visible_from(cell, is_seen);
        for (is_seen, is_part) in is_seen.iter_mut().zip(&self.is_part) {
            *is_seen &= is_part;
        }
        self.is_seen.clone_from(is_seen);
        self.made_for = Some((Arc::clone(cells), part, cell));
    }

    /// Leaves out cells of areas that no portal leads the eye to, which is in the cell that they were taken for.
    pub fn look_through_portals(&mut self, eye: &PortalEye, culling: &CullingState) {
        let Some((cells, _, cell)) = &self.made_for else {
            return;
        };
        let areas = &cells.areas;
        if !areas.hides() {
            return;
        }
        self.is_seen.clone_from(&self.is_seen_from_cell);
        let area = cell.and_then(|cell| areas.area_of(cell as usize));
        let Some(area) = area else {
            return;
        };
        areas.seen_from(area, eye, culling, &mut self.is_area_seen);
        for (cell, is_seen) in self.is_seen.iter_mut().enumerate() {
            if let Some(area) = areas.area_of(cell) {
                *is_seen &= self.is_area_seen[area as usize];
            }
        }
    }

    /// Whether something that reaches into these cells is part of what is drawn. What is in no cell is part of the
    /// level.
    pub fn is_part(&self, cells: &[u32]) -> bool {
        let is_backdrop = matches!(self.made_for, Some((_, Part::Backdrop, _)));
        any(cells, &self.is_part, !is_backdrop)
    }

    /// Whether it is seen too.
    pub fn is_seen(&self, cells: &[u32]) -> bool {
        let is_backdrop = matches!(self.made_for, Some((_, Part::Backdrop, _)));
        any(cells, &self.is_seen, !is_backdrop)
    }
}

fn any(cells: &[u32], holds: &[bool], without_cells: bool) -> bool {
    if cells.is_empty() {
        return without_cells;
    }
    cells.iter().any(|cell| holds[*cell as usize])
}

#[cfg(test)]
mod tests {
    use ironlands_scene::Backdrop;

    use super::*;

    /// Three cells; the first sees itself and the second, the third is the backdrop.
    fn cells() -> Arc<SceneCells> {
        let scene = Scene {
            visibility: Some(Visibility {
                nodes: Vec::new(),
                leaf_cells: vec![Some(2)],
                rows: vec![Some(0), None, None],
                coded: vec![0b011],
            }),
            backdrop: Some(Backdrop {
                origin: [0.0; 3],
                scale: 16.0,
                fog: None,
                cells: vec![2],
            }),
            ..Scene::default()
        };
        Arc::new(SceneCells::new(&scene))
    }

    #[test]
    fn parts_are_apart_and_hide_what_their_cell_does_not_see() {
        let cells = cells();
        let mut view = ViewCells::default();
        let mut seen = |part, cell| {
            view.update(&cells, part, cell);
            let each = [0, 1, 2].map(|cell| view.is_seen(&[cell]));
            (each, view.is_seen(&[]), view.is_seen(&[2, 1]))
        };
        assert_eq!(
            seen(Part::Level, Some(0)),
            ([true, true, false], true, true)
        );
        assert_eq!(seen(Part::Level, None), ([true, true, false], true, true));
        assert_eq!(seen(Part::Backdrop, Some(0)), ([false; 3], false, false));
        assert_eq!(
            seen(Part::Backdrop, Some(2)),
            ([false, false, true], false, true)
        );
        assert_eq!(seen(Part::Everything, Some(2)), ([true; 3], true, true));
        assert_eq!(
            seen(Part::Everything, Some(0)),
            ([true, true, false], true, true)
        );
        assert!(view.is_part(&[2]), "though it is not seen");
        assert!(cells.is_in_backdrop(Vec3::ZERO));
    }

    #[test]
    fn another_scene_is_looked_at_anew() {
        let mut view = ViewCells::default();
        view.update(&cells(), Part::Backdrop, Some(2));
        let other = Scene {
            visibility: Some(Visibility {
                rows: vec![None; 3],
                ..Visibility::default()
            }),
            ..Scene::default()
        };
        view.update(&Arc::new(SceneCells::new(&other)), Part::Backdrop, Some(2));
        assert!(!view.is_seen(&[2]), "it has no backdrop");
    }
}
