//! Areas, portals and occluders.

use super::{SceneError, ensure};
use crate::{MAX_AREAS, Scene};

impl Scene {
    pub(super) fn validate_areas(&self) -> Result<(), SceneError> {
        let n_cells = self.visibility.as_ref().map_or(0, |it| it.n_cells());
        let n_known = self.areas.of_cells.len();
        let is_whole = n_known == 0 || n_known == n_cells;
        ensure(is_whole, "areas.of_cells", n_known, "one for each cell")?;
        for (cell, area) in self.areas.of_cells.iter().enumerate() {
            let exists = area.is_none_or(|it| it < MAX_AREAS);
            ensure(exists, "areas.of_cells", cell, "a number of an area")?;
        }
        for (index, portal) in self.areas.portals.iter().enumerate() {
            let name = "areas.portals";
            let [a, b] = portal.areas;
            ensure(a != b, name, index, "a portal leads to another area")?;
            let exist = a.max(b) < MAX_AREAS;
            ensure(exist, name, index, "numbers of areas")?;
            let is_polygon = is_polygon(&portal.corners);
            ensure(is_polygon, name, index, "three finite corners at least")?;
            let is_distance = portal.max_distance > 0.0;
            ensure(is_distance, name, index, "the distance is above 0")?;
        }
        for (index, occluder) in self.occluders.iter().enumerate() {
            let are_polygons = occluder.polygons.iter().all(|it| is_polygon(it));
            let rule = "three finite corners of a polygon at least";
            ensure(are_polygons, "occluders", index, rule)?;
        }
        Ok(())
    }
}

fn is_polygon(corners: &[[f32; 3]]) -> bool {
    corners.len() >= 3 && corners.iter().flatten().all(|it| it.is_finite())
}
