//! Hit boxes of a model at rest as overlays, one for each set.

use glam::Vec3;
use ironlands_scene::{Affine, LegendEntry, Overlay, OverlayVertex};

use crate::mdl::{HitBox, Parts};

const OPACITY: u8 = 60;
/// What boxes of a group are part of, and their color.
const GROUPS: [(&str, [u8; 3]); 6] = [
    ("generic", [170, 170, 180]),
    ("head", [230, 80, 70]),
    ("chest and stomach", [235, 190, 70]),
    ("arms", [110, 200, 90]),
    ("legs", [90, 140, 235]),
    ("gear", [200, 110, 220]),
];

/// The boxes of each set; `bones` are the places of all bones.
pub fn overlays(parts: &Parts, bones: &[Affine]) -> Vec<Overlay> {
    let sets = (1..).zip(&parts.hit_box_sets);
    let overlays = sets.map(|(number, set)| {
        let mut layer = Overlay {
            name: match parts.hit_box_sets.len() {
                1 => "hit boxes".to_owned(),
                _ => format!("hit boxes {number}: {}", set.name),
            },
            ..Overlay::default()
        };
        let mut used = [false; GROUPS.len()];
        for hit_box in &set.boxes {
            let group = group_of(hit_box);
            if let (Some(bone), Some((_, color))) = (bones.get(hit_box.bone), GROUPS.get(group)) {
                add_box(hit_box, bone, *color, &mut layer);
            }
            if let Some(used) = used.get_mut(group) {
                *used = true;
            }
        }
        let shown = GROUPS.iter().zip(used).filter(|(_, used)| *used);
        let entries = shown.map(|((name, color), _)| LegendEntry::new(*color, *name));
        layer.with_legend(entries)
    });
    overlays.collect()
}

/// Which of [`GROUPS`] a box belongs to.
fn group_of(hit_box: &HitBox) -> usize {
    match hit_box.group {
        1 | 8 => 1,
        2 | 3 => 2,
        4 | 5 => 3,
        6 | 7 => 4,
        10 => 5,
        _ => 0,
    }
}

fn add_box(hit_box: &HitBox, bone: &Affine, [r, g, b]: [u8; 3], layer: &mut Overlay) {
    let [min, max] = hit_box.bounds.map(Vec3::from);
    let corner = |number: u32| {
        let axis = |bit: u32, low: f32, high: f32| match number >> bit & 1 {
            0 => low,
            _ => high,
        };
        let corner = [
            axis(0, min.x, max.x),
            axis(1, min.y, max.y),
            axis(2, min.z, max.z),
        ];
        bone.transform_point(corner)
    };
    let vertex = |number: u32, alpha: u8| OverlayVertex {
        position: corner(number),
        color: [r, g, b, alpha],
    };
    // Corners that differ in one bit are joined; those with one bit the same make a side.
    for number in 0..8 {
        for bit in [1, 2, 4].into_iter().filter(|bit| number & bit == 0) {
            let ends = [vertex(number, 255), vertex(number | bit, 255)];
            layer.lines.extend(ends);
        }
    }
    for (fixed, across, along) in [(1, 2, 4), (2, 4, 1), (4, 1, 2)] {
        for side in [0, fixed] {
            let [a, b, c, d] = [side, side | across, side | across | along, side | along];
            let corners = [a, b, c, a, c, d].map(|number| vertex(number, OPACITY));
            layer.triangles.extend(corners);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mdl::HitBoxSet;

    #[test]
    fn boxes_are_where_their_bones_are_in_the_color_of_their_group() {
        let mut bone = Affine::IDENTITY;
        bone.0[0][3] = 100.0;
        let hit_box = HitBox {
            bone: 1,
            group: 1,
            bounds: [[0.0, -1.0, 2.0], [4.0, 1.0, 3.0]],
            ..HitBox::default()
        };
        let set = HitBoxSet {
            name: "default".to_owned(),
            boxes: vec![hit_box],
        };
        let parts = Parts {
            hit_box_sets: vec![set],
            ..Parts::default()
        };
        let layers = overlays(&parts, &[Affine::IDENTITY, bone]);
        let [layer] = &layers[..] else {
            panic!("{layers:?}")
        };
        assert_eq!((layer.lines.len(), layer.triangles.len()), (24, 36));
        let length: f32 = layer
            .lines
            .chunks(2)
            .map(|ends| Vec3::from(ends[0].position).distance(Vec3::from(ends[1].position)))
            .sum();
        assert_eq!(length, 4.0 * (4.0 + 2.0 + 1.0));
        let xs = layer.triangles.iter().map(|it| it.position[0]);
        assert_eq!(xs.fold(f32::MAX, f32::min), 100.0);
        let area: f32 = layer
            .triangles
            .chunks(3)
            .map(|it| {
                let [a, b, c] = [it[0], it[1], it[2]].map(|it| Vec3::from(it.position));
                0.5 * (b - a).cross(c - a).length()
            })
            .sum();
        assert_eq!(area, 2.0 * (4.0 * 2.0 + 2.0 * 1.0 + 1.0 * 4.0));
        assert!(layer.lines.iter().all(|it| it.color == [230, 80, 70, 255]));
        assert_eq!(layer.legend.len(), 1);
    }
}
