//! Whether the buildings of a mission stand on the ground: 151 of 167 in the game do so to a centimeter, all others within
//! a step (section 0.1).

use crate::land_msh::LandMsh;
use crate::mission::{Mission, ObjectKind};

/// Farther from the ground than this, in world units, a building stands beside it.
const NEAR_GROUND: f32 = 1.0;

/// For each building over the land of a mission whether it stands on the ground. Those with a start flag, such as bridges,
/// stay at their own height and do not count.
pub(super) fn buildings_on_ground(mission: &Mission, land: &LandMsh) -> Vec<bool> {
    let buildings = mission.objects.iter();
    let buildings = buildings.filter(|it| it.kind() == Some(ObjectKind::Building));
    let on_ground = buildings
        .filter(|it| it.unknown_word == 0)
        .filter_map(|it| {
            let [x, y, z] = it.position;
            let mut heights = heights_over(land, [x, y]).peekable();
            heights.peek()?;
            Some(heights.any(|height| (height - z).abs() <= NEAR_GROUND))
        });
    on_ground.collect()
}

/// Heights of the finest faces above or below a place.
fn heights_over(land: &LandMsh, place: [f32; 2]) -> impl Iterator<Item = f32> {
    let faces = land
        .lod0_face_indices()
        .filter_map(|idx| land.faces.get(idx));
    faces.filter_map(move |face| {
        let corner = |idx: u16| land.positions.get(usize::from(idx)).copied();
        let [a, b, c] = face.vertices.map(corner);
        height_in([a?, b?, c?], place)
    })
}

/// The height of a triangle at a place; `None` beside it.
fn height_in([a, b, c]: [[f32; 3]; 3], [x, y]: [f32; 2]) -> Option<f32> {
    let doubled = |from: [f32; 3], to: [f32; 3]| {
        (to[0] - from[0]) * (y - from[1]) - (x - from[0]) * (to[1] - from[1])
    };
    let weights = [doubled(b, c), doubled(c, a), doubled(a, b)];
    let area: f32 = weights.iter().sum();
    let weights = weights.map(|weight| weight / area);
    let is_inside = weights.iter().all(|weight| *weight >= 0.0);
    let heights = [a, b, c].map(|[_, _, z]| z);
    let height = weights.iter().zip(heights).map(|(weight, z)| weight * z);
    is_inside.then(|| height.sum())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mission::Object;
    use crate::test_level::land;

    #[test]
    fn buildings_stand_on_the_ground_below_them_or_beside_it() {
        // Rises by one in four units.
        let land = land(|x, _| 2.0 + 0.25 * x);
        let object = |position| Object {
            position,
            ..Object::default()
        };
        let mission = Mission {
            objects: vec![
                object([4.0, 4.0, 3.2]),
                object([8.0, 3.0, 7.0]),
                Object {
                    unknown_word: 1,
                    ..object([8.0, 3.0, 70.0])
                },
                Object {
                    kind_word: 2,
                    ..object([8.0, 3.0, 70.0])
                },
                object([-500.0, 0.0, 0.0]),
            ],
            ..Mission::default()
        };
        assert_eq!(buildings_on_ground(&mission, &land), [true, false]);
    }

    #[test]
    fn a_triangle_has_a_height_only_inside() {
        let triangle = [[0.0, 0.0, 1.0], [4.0, 0.0, 5.0], [0.0, 4.0, 9.0]];
        assert_eq!(height_in(triangle, [1.0, 1.0]), Some(4.0));
        assert_eq!(height_in(triangle, [0.0, 0.0]), Some(1.0));
        assert_eq!(height_in(triangle, [3.0, 3.0]), None);
        assert_eq!(height_in([[0.0; 3]; 3], [0.0, 0.0]), None);
    }
}
