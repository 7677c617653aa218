//! `infodecal`: pictures that the game sprays on the brushes of the world when a level begins. Dossier section 8.2.
//!
//! From memory of the engine, as no document has it: a decal lands where the nearest face is within 5 units along each axis of its
//! entity, and on all faces whose plane is within 4 units of there; u runs to the right on walls and along +x on floors and
//! ceilings, which is where the normal is within 45 degrees of the vertical. Displacements and brushes of entities get
//! none here.
#![expect(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "three axes, and counts of what is in memory"
)]

use ironlands_scene::Aabb;

use super::FORMAT;
use super::decals::{Decal, Quad, cross, dot};
use super::surfaces::{flags_of, visible_name};
use crate::bsp::{SurfaceFlags, is_place};
use crate::level::SourceLevel;
use crate::materials::Materials;
use ironlands_assets_core::bytes::{Finding, Severity};

/// How far along each axis a face is looked for.
const REACH: f32 = 5.0;
/// Faces whose planes are farther than this from where a decal lands stay clean.
const THICKNESS: f32 = 4.0;
/// Sine of 45 degrees.
const STEEP: f32 = std::f32::consts::FRAC_1_SQRT_2;
/// Most pairs of faces and decals that are looked at; real maps have some hundred decals.
const MAX_PAIRS: usize = 1 << 28;

/// A face that can get a picture.
struct Wall {
    face: usize,
    normal: [f32; 3],
    distance: f32,
    bounds: Aabb,
}

/// Where a decal lands.
struct Spot {
    place: [f32; 3],
    normal: [f32; 3],
}

/// Those of all entities that wait for no input.
pub fn sprayed(
    level: &SourceLevel,
    materials: &mut Materials<'_>,
    findings: &mut Vec<Finding>,
) -> Vec<Decal> {
    let entities = level.entities.of_class("infodecal");
    let mut entities = entities.filter(|it| it.name().is_none()).peekable();
    if entities.peek().is_none() {
        return Vec::new();
    }
    let walls = walls(level);
    let mut n_left = MAX_PAIRS;
    let [mut n_nowhere, mut n_missing] = [0_usize; 2];
    let mut decals = Vec::new();
    for entity in entities {
        let Some(left) = n_left.checked_sub(walls.len()) else {
            n_nowhere += 1;
            continue;
        };
        n_left = left;
        let origin = entity.origin().filter(|it| is_place(*it));
        let Some(spot) = origin.and_then(|origin| landing(&walls, origin)) else {
            n_nowhere += 1;
            continue;
        };
        let material = entity.get("texture").unwrap_or_default();
        let Some(size) = materials
            .decal_size(&material)
            .filter(|it| it.iter().all(|it| *it > 0.0))
        else {
            n_missing += 1;
            continue;
        };
        decals.extend(around(&walls, &spot, &material, size));
    }
    for (n, what) in [
        (n_nowhere, "are not near any face of the world"),
        (n_missing, "have no picture"),
    ] {
        if n > 0 {
            let message = format!("{n} decals {what}; they are left out");
            findings.push(Finding::new(Severity::Note, FORMAT, message));
        }
    }
    decals
}

/// Drawn flat faces of the world that take decals.
fn walls(level: &SourceLevel) -> Vec<Wall> {
    let map = &level.map;
    let faces = map.faces_of(level.face_set);
    let of_world = map.models.first().map_or(0..0, |world| {
        let first = usize::try_from(world.first_face).unwrap_or_default();
        let n_faces = usize::try_from(world.n_faces).unwrap_or_default();
        first..first.saturating_add(n_faces)
    });
    let faces = faces.iter().enumerate();
    let faces = faces.skip(of_world.start).take(of_world.len());
    let walls = faces.filter_map(|(index, face)| {
        let is_clean = flags_of(map, face).contains(SurfaceFlags::NO_DECALS);
        if is_clean || face.disp_info >= 0 || visible_name(map, face).is_none() {
            return None;
        }
        let plane = map.planes.get(face.plane as usize)?;
        Some(Wall {
            face: index,
            normal: plane.normal,
            distance: plane.dist,
            bounds: Aabb::around(&map.ring(face))?,
        })
    });
    walls.collect()
}

/// On the nearest face before which the place is, or a little behind.
fn landing(walls: &[Wall], place: [f32; 3]) -> Option<Spot> {
    let met = walls.iter().filter_map(|wall| {
        let height = dot(wall.normal, place) - wall.distance;
        // As far as a line between two corners of the box around the place leads along the normal.
        let reach = REACH * wall.normal.iter().map(|it| it.abs()).sum::<f32>();
        let spot = [0, 1, 2].map(|axis: usize| place[axis] - wall.normal[axis] * height);
        let is_met = height.abs() <= reach && is_within(&wall.bounds, spot, 0.5);
        is_met.then_some((height.abs(), spot, wall.normal))
    });
    let nearest = met.min_by(|a, b| a.0.total_cmp(&b.0))?;
    let (_, place, normal) = nearest;
    Some(Spot { place, normal })
}

/// A picture for each way that the faces at a spot look.
fn around(walls: &[Wall], spot: &Spot, material: &str, size: [f32; 2]) -> Vec<Decal> {
    let radius = 0.5 * size[0].hypot(size[1]);
    let mut decals: Vec<([f32; 3], Vec<usize>)> = Vec::new();
    for wall in walls {
        let height = dot(wall.normal, spot.place) - wall.distance;
        let is_turned_away = dot(wall.normal, spot.normal) < -0.01;
        if height.abs() > THICKNESS
            || is_turned_away
            || !is_within(&wall.bounds, spot.place, radius)
        {
            continue;
        }
        match decals.iter_mut().find(|(normal, _)| *normal == wall.normal) {
            Some((_, faces)) => faces.push(wall.face),
            None => decals.push((wall.normal, vec![wall.face])),
        }
    }
    let decal = |(normal, faces): ([f32; 3], Vec<usize>)| {
        let right = right_of(normal);
        let quad = Quad::around(spot.place, normal, right, size);
        Decal::new(quad, material.to_owned(), faces)
    };
    decals.into_iter().map(decal).collect()
}

/// Where u runs on a face.
fn right_of(normal: [f32; 3]) -> [f32; 3] {
    if normal[2].abs() > STEEP {
        // Across the normal, as far along +x as that can be.
        let ahead = cross([1.0, 0.0, 0.0], normal);
        return unit(cross(normal, ahead));
    }
    unit(cross(normal, [0.0, 0.0, -1.0]))
}

fn unit(vector: [f32; 3]) -> [f32; 3] {
    let length = dot(vector, vector).sqrt();
    vector.map(|it| it / length)
}

fn is_within(bounds: &Aabb, place: [f32; 3], margin: f32) -> bool {
    (0..3).all(|axis| {
        let range = bounds.min[axis] - margin..=bounds.max[axis] + margin;
        range.contains(&place[axis])
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wall(face: usize, normal: [f32; 3], min: [f32; 3], max: [f32; 3]) -> Wall {
        Wall {
            face,
            normal,
            distance: dot(normal, min),
            bounds: Aabb { min, max },
        }
    }

    /// A floor, a wall to its north that is seen from the south, and a pane of 2 units before it.
    fn room() -> Vec<Wall> {
        let south = [0.0, -1.0, 0.0];
        vec![
            wall(7, [0.0, 0.0, 1.0], [0.0, 0.0, 0.0], [100.0, 100.0, 0.0]),
            wall(8, south, [0.0, 100.0, 0.0], [100.0, 100.0, 100.0]),
            wall(9, south, [0.0, 98.0, 40.0], [10.0, 98.0, 60.0]),
            wall(
                10,
                [0.0, 1.0, 0.0],
                [0.0, 103.0, 0.0],
                [100.0, 103.0, 100.0],
            ),
        ]
    }

    #[test]
    fn decals_land_on_the_nearest_face_and_on_those_that_lie_as_deep() {
        let walls = room();
        let spot = landing(&walls, [8.0, 95.5, 50.0]).expect("the pane is near");
        assert_eq!(spot.place, [8.0, 98.0, 50.0]);
        let decals = around(&walls, &spot, "a", [16.0, 16.0]);
        let faces: Vec<_> = decals.iter().map(|it| it.faces.clone()).collect();
        // Both look south; the back of the wall looks away.
        assert_eq!(faces, [vec![8, 9]]);
    }

    #[test]
    fn corners_get_a_picture_for_each_of_their_faces() {
        let walls = room();
        let spot = landing(&walls, [50.0, 98.0, 1.0]).expect("the floor is near");
        assert_eq!(spot.normal, [0.0, 0.0, 1.0]);
        let decals = around(&walls, &spot, "a", [16.0, 16.0]);
        let faces: Vec<_> = decals.iter().map(|it| it.faces.clone()).collect();
        assert_eq!(faces, [vec![7], vec![8]]);
        assert!(
            landing(&walls, [50.0, 50.0, 6.0]).is_none(),
            "nothing is near"
        );
    }

    #[test]
    fn pictures_are_upright_on_walls_and_along_x_on_floors() {
        for (normal, right) in [
            ([0.0, -1.0, 0.0], [1.0, 0.0, 0.0]),
            ([0.0, 1.0, 0.0], [-1.0, 0.0, 0.0]),
            ([1.0, 0.0, 0.0], [0.0, 1.0, 0.0]),
            ([0.0, 0.0, 1.0], [1.0, 0.0, 0.0]),
            ([0.0, 0.0, -1.0], [1.0, 0.0, 0.0]),
        ] {
            let found = right_of(normal);
            let is_near = (0..3).all(|axis: usize| (found[axis] - right[axis]).abs() < 1e-6);
            assert!(is_near, "{normal:?}: {found:?}");
        }
    }
}
