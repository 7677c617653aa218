//! The planes of a map: pairs of opposite ones, each plane once.

use ironlands_assets_source::bsp;

use crate::vector::{Plane, main_axis};

/// Normals that differ less are the same.
const NORMAL_EPSILON: f64 = 1e-5;
/// Distances that differ less are the same.
const DIST_EPSILON: f64 = 0.01;

/// Planes `2k` and `2k + 1` are opposite; the even one of an axial pair has the positive normal.
#[derive(Debug, Clone, Default)]
pub struct PlaneTable {
    planes: Vec<Plane>,
}

impl PlaneTable {
    /// The number of a plane, which is new if none is the same.
    pub fn number(&mut self, plane: Plane) -> u32 {
        let plane = snapped(plane);
        if let Some(found) = self.planes.iter().position(|known| is_same(known, &plane)) {
            return found as u32;
        }
        let first = self.planes.len();
        let is_flipped = plane.is_axial() && plane.normal.contains(&-1.0);
        if is_flipped {
            self.planes.extend([plane.flipped(), plane]);
        } else {
            self.planes.extend([plane, plane.flipped()]);
        }
        (first + usize::from(is_flipped)) as u32
    }

    /// The plane with a number of [`Self::number`].
    pub fn get(&self, number: u32) -> &Plane {
        &self.planes[number as usize]
    }

    /// Lump 1.
    pub fn lump(&self) -> Vec<bsp::Plane> {
        self.planes
            .iter()
            .map(|plane| {
                // Adding 0 leaves no -0 behind. Equal components must still be equal once they are rounded.
                let normal = plane.normal.map(|c| c as f32 + 0.0);
                let axis = main_axis(normal.map(f64::from)) as i32;
                bsp::Plane {
                    normal,
                    dist: plane.dist as f32 + 0.0,
                    kind: if plane.is_axial() { axis } else { 3 + axis },
                }
            })
            .collect()
    }
}

/// With a normal that is exactly an axis, and a whole distance, where it nearly is.
fn snapped(plane: Plane) -> Plane {
    let mut plane = plane;
    for axis in 0..3 {
        for sign in [1.0, -1.0] {
            if (plane.normal[axis] - sign).abs() < NORMAL_EPSILON {
                plane.normal = [0.0; 3];
                plane.normal[axis] = sign;
            }
        }
    }
    let whole = (plane.dist + 0.5).floor();
    if (plane.dist - whole).abs() < 1e-6 {
        plane.dist = whole;
    }
    plane
}

fn is_same(a: &Plane, b: &Plane) -> bool {
    (a.dist - b.dist).abs() < DIST_EPSILON
        && (0..3).all(|k| (a.normal[k] - b.normal[k]).abs() < NORMAL_EPSILON)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plane_and_its_opposite_share_a_pair() {
        let mut table = PlaneTable::default();
        let down = Plane::through([0.0, 0.0, -1.0], [0.0, 0.0, 64.0]);
        assert_eq!(table.number(down), 1);
        assert_eq!(table.number(down.flipped()), 0);
        let slope = Plane::through([-3.0, 0.0, 4.0], [0.0, 0.0, 10.0]);
        assert_eq!(table.number(slope), 2);
        assert_eq!(table.number(slope), 2);
        assert_eq!(table.number(slope.flipped()), 3);
        let kinds: Vec<i32> = table.lump().iter().map(|plane| plane.kind).collect();
        assert_eq!(kinds, [2, 2, 5, 5]);
    }
}
