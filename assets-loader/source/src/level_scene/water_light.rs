//! Light on water: its faces have none stored, so they take that of the place, one for each body of water. Dossier
//! sections 6.3 and 11.5.

use std::collections::HashMap;

use super::ambient::{light_at, mean_light};
use super::surfaces::{flags_of, middle};
use crate::bsp::{Face, Map, SurfaceFlags};
use crate::level::SourceLevel;
use crate::materials::display_from_linear;

/// How far above the surface its light is taken, and how far below it its body is looked for, in units.
const ABOVE: f32 = 8.0;
const BELOW: f32 = 4.0;
/// The side of an ambient cube that is light from above.
const UP: usize = 4;
/// As bright as it gets.
const FULL: [u8; 3] = [255; 3];

/// What the colors of water are multiplied by: display space, 255 = fully lit.
#[derive(Debug)]
pub struct WaterLight {
    by_body: HashMap<Option<i32>, [u8; 3]>,
    elsewhere: [u8; 3],
}

impl WaterLight {
    /// The light on all water of the world.
    pub fn new(level: &SourceLevel) -> Self {
        if level.is_full_bright() {
            return Self {
                by_body: HashMap::new(),
                elsewhere: FULL,
            };
        }
        let (map, set) = (&level.map, level.face_set);
        let mut sums = HashMap::<Option<i32>, Sum>::new();
        for face in map.faces_of(set) {
            if !flags_of(map, face).contains(SurfaceFlags::WARP) {
                continue;
            }
            let Some([x, y, z]) = middle(map, face) else {
                continue;
            };
            if let Some(light) = light_at(map, set, [x, y, z + ABOVE]) {
                let sum = sums.entry(body(map, face)).or_default();
                sum.add(light.0[UP], face.area);
            }
        }
        let shown = |light: [f32; 3]| {
            // The cast saturates.
            light.map(|value| (display_from_linear(value.min(1.0)) * 255.0).round() as u8)
        };
        let bodies = sums.into_iter();
        Self {
            by_body: bodies
                .map(|(body, sum)| (body, shown(sum.mean())))
                .collect(),
            elsewhere: mean_light(map, set).map_or(FULL, shown),
        }
    }

    /// The light on a face of water.
    pub fn of_face(&self, map: &Map, face: &Face) -> [u8; 3] {
        let known = self.by_body.get(&body(map, face)).copied();
        known.unwrap_or(self.elsewhere)
    }
}

/// Light by the area that it falls on.
#[derive(Debug, Default)]
struct Sum {
    light: [f32; 3],
    area: f32,
}

impl Sum {
    fn add(&mut self, light: [f32; 3], area: f32) {
        // A map may say anything of areas.
        let area = if area.is_finite() { area.max(1.0) } else { 1.0 };
        self.area += area;
        for (sum, value) in self.light.iter_mut().zip(light) {
            *sum += value * area;
        }
    }

    fn mean(&self) -> [f32; 3] {
        self.light.map(|value| value / self.area)
    }
}

/// The body of water below a face; `None` where the map knows of none.
fn body(map: &Map, face: &Face) -> Option<i32> {
    let [x, y, z] = middle(map, face)?;
    let world = map.models.first()?;
    let leaf = map.leaf_at(world.head_node, [x, y, z - BELOW]);
    map.leaves
        .get(leaf)
        .map(|it| it.water)
        .filter(|it| *it >= 0)
}
