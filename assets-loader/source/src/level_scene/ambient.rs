//! Ambient light on objects by their place. Dossier section 6.3.

use ironlands_scene::AmbientCube;

use crate::bsp::{FaceSet, Leaf, LeafAmbientIndex, LeafAmbientSample, Map, Rgbe};

/// Samples nearer than this count as being there.
const NEAR: f32 = 1.0;
/// Samples farther than this count as being there: leaves of newer maps have corners in any single number.
const FAR: f32 = 1e9;
/// Most samples of a leaf that count; compilers write at most 16. All objects in a leaf visit them.
const MAX_SAMPLES: usize = 256;
/// Brighter samples are cut to this: a half float, in which other light is kept, holds no more.
const BRIGHTEST: f32 = 65_504.0;

/// The light of the leaf that a point is in; `None` where the map knows of none.
pub fn light_at(map: &Map, set: FaceSet, point: [f32; 3]) -> Option<AmbientCube> {
    let head_node = map.models.first()?.head_node;
    let index = map.leaf_at(head_node, point);
    let leaf = map.leaves.get(index)?;
    let (indices, samples) = match set {
        FaceSet::Ldr => (&map.ambient_index, &map.ambient_samples),
        FaceSet::Hdr => (&map.ambient_index_hdr, &map.ambient_samples_hdr),
    };
    if samples.is_empty() {
        let is_stored = leaf.v0_ambient.iter().any(|it| *it != Rgbe::default());
        return is_stored.then(|| cube(&leaf.v0_ambient));
    }
    if indices.is_empty() {
        // Old files have one sample for each leaf.
        return samples.get(index).map(|sample| cube(&sample.cube));
    }
    let (leaf, of_leaf) = samples_of(map, indices, samples, index)?;
    Some(blend(leaf, of_leaf, point))
}

/// The mean of all light that the map knows of, from all sides; `None` where it knows of none.
#[expect(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "three channels, and samples in memory"
)]
pub fn mean_light(map: &Map, set: FaceSet) -> Option<[f32; 3]> {
    let samples = match set {
        FaceSet::Ldr => &map.ambient_samples,
        FaceSet::Hdr => &map.ambient_samples_hdr,
    };
    let of_leaves = map.leaves.iter().map(|leaf| &leaf.v0_ambient);
    let of_leaves = of_leaves.filter(|it| it.iter().any(|side| *side != Rgbe::default()));
    let (mut sum, mut n_cubes) = ([0.0; 3], 0);
    for stored in samples.iter().map(|sample| &sample.cube).chain(of_leaves) {
        n_cubes += 1;
        for (channel, sum) in sum.iter_mut().enumerate() {
            let sides = cube(stored).0;
            *sum += sides.iter().map(|side| side[channel]).sum::<f32>() / 6.0;
        }
    }
    (n_cubes > 0).then(|| sum.map(|value| value / n_cubes as f32))
}

/// A leaf without samples names another one that has some.
fn samples_of<'a>(
    map: &'a Map,
    indices: &[LeafAmbientIndex],
    samples: &'a [LeafAmbientSample],
    leaf: usize,
) -> Option<(&'a Leaf, &'a [LeafAmbientSample])> {
    let own = indices.get(leaf)?;
    let (leaf, index) = match own.n_samples {
        0 => {
            let near = own.first_sample as usize;
            (near, indices.get(near)?)
        }
        _ => (leaf, own),
    };
    let first = index.first_sample as usize;
    let end = first.checked_add((index.n_samples as usize).min(MAX_SAMPLES))?;
    let samples = samples.get(first..end).filter(|it| !it.is_empty())?;
    Some((map.leaves.get(leaf)?, samples))
}

/// Samples by the inverse of their distance.
#[expect(clippy::indexing_slicing, reason = "three axes")]
fn blend(leaf: &Leaf, samples: &[LeafAmbientSample], point: [f32; 3]) -> AmbientCube {
    let mut sum = [[0.0; 3]; 6];
    let mut weights = 0.0;
    for sample in samples {
        let along = |axis: usize| {
            let share = f32::from(sample.place[axis]) / 255.0;
            let place = leaf.mins[axis] + (leaf.maxs[axis] - leaf.mins[axis]) * share;
            (place - point[axis]).powi(2)
        };
        let distance_sq = along(0) + along(1) + along(2);
        // A place that is no number is near.
        let distance = distance_sq.sqrt().max(NEAR);
        let weight = 1.0 / distance.min(FAR);
        weights += weight;
        for (sum, side) in sum.iter_mut().zip(cube(&sample.cube).0) {
            for (sum, value) in sum.iter_mut().zip(side) {
                *sum += value * weight;
            }
        }
    }
    AmbientCube(sum.map(|side| side.map(|value| value / weights)))
}

/// Unlike lightmaps, 1 is fully lit without division by 255.
fn cube(stored: &[Rgbe; 6]) -> AmbientCube {
    AmbientCube(stored.map(|side| {
        let scale = 2f32.powi(side.exponent.into());
        side.mantissas
            .map(|mantissa| (f32::from(mantissa) * scale).min(BRIGHTEST))
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lit(mantissa: u8, place: [u8; 3]) -> LeafAmbientSample {
        LeafAmbientSample {
            cube: [Rgbe {
                mantissas: [mantissa, 0, 0],
                exponent: -7,
            }; 6],
            place,
            ..LeafAmbientSample::default()
        }
    }

    fn map() -> Map {
        let leaf = Leaf {
            maxs: [255.0; 3],
            ..Leaf::default()
        };
        Map {
            leaves: vec![leaf; 2],
            models: vec![crate::bsp::Model {
                head_node: -2,
                ..Default::default()
            }],
            ambient_samples: vec![lit(128, [0; 3]), lit(64, [0, 0, 90])],
            ..Map::default()
        }
    }

    #[test]
    fn samples_are_blended_by_inverse_distance() {
        let mut map = map();
        let index = |n_samples, first_sample| LeafAmbientIndex {
            n_samples,
            first_sample,
        };
        // The second leaf has two samples, at 30 and 60 units.
        map.ambient_index = vec![index(0, 0), index(2, 0)];
        let red = |map: &Map| light_at(map, FaceSet::Ldr, [0.0, 0.0, 30.0]).map(|it| it.0[0][0]);
        let blended = red(&map).unwrap();
        assert!(
            (blended - (2.0 * 1.0 + 0.5) / 3.0).abs() < 1e-6,
            "{blended}"
        );
        // It has none and names the first leaf.
        map.ambient_index = vec![index(1, 1), index(0, 0)];
        assert_eq!(red(&map), Some(0.5));
        // Neither has any.
        map.ambient_index = vec![index(0, 0); 2];
        assert_eq!(red(&map), None);
        // Files without an index.
        map.ambient_index.clear();
        assert_eq!(red(&map), Some(0.5));
        assert_eq!(light_at(&map, FaceSet::Hdr, [0.0; 3]), None);
    }
}
