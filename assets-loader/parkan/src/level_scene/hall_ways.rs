//! Debug layer: the paths inside of buildings.

use ironlands_scene::{Affine, Instance, LegendEntry, Model, Overlay, OverlayVertex};

use super::overlays::named;
use crate::level_objects::LevelObjects;
use crate::msh::{HallFlags, HallWay};

/// Half the sides of the diamonds at places, world units.
const DIAMOND: f32 = 0.6;
/// Most lines and places that are shown: known buildings have some forty of each.
const MAX_SHOWN: usize = 1 << 16;
const PATH: [u8; 3] = [90, 230, 255];
/// What places are for, and their colors; the first that holds counts.
const PLACES: [(HallFlags, &str, [u8; 3]); 5] = [
    (HallFlags::EXIT, "way out", [80, 255, 80]),
    (HallFlags::CONTROL_POD, "control pod", [255, 60, 220]),
    (
        HallFlags::LOADING.union(HallFlags::UNLOADING),
        "loading and unloading",
        [255, 200, 40],
    ),
    (
        HallFlags::CREATION.union(HallFlags::SECOND_CREATION),
        "new units",
        [255, 120, 60],
    ),
    (HallFlags::TELEPORT_OUT, "teleport target", [200, 140, 255]),
];

/// The paths of all buildings as they stand; `instances` are in the order of the components of the objects.
pub(super) fn overlay(
    objects: &LevelObjects,
    models: &[Model],
    instances: &[Instance],
) -> Option<Overlay> {
    let hall_ways: Vec<Option<HallWay>> = (objects.models.iter())
        .map(|model| model.msh.hall_way())
        .collect();
    let mut overlay = named("paths inside");
    let mut world_from_nodes = Vec::new();
    for instance in instances {
        let idx = instance.model.0 as usize;
        let (Some(Some(hall_way)), Some(model)) = (hall_ways.get(idx), models.get(idx)) else {
            continue;
        };
        world_from_nodes.clear();
        instance.rest_pose(model, &mut world_from_nodes);
        add(&mut overlay, hall_way, &world_from_nodes);
        if overlay.lines.len().max(overlay.triangles.len()) > MAX_SHOWN {
            break;
        }
    }
    let is_empty = overlay.lines.is_empty() && overlay.triangles.is_empty();
    let legend = PLACES.map(|(_, name, color)| LegendEntry::new(color, name));
    let legend = [LegendEntry::new(PATH, "path")].into_iter().chain(legend);
    (!is_empty).then(|| overlay.with_legend(legend))
}

fn add(overlay: &mut Overlay, hall_way: &HallWay, world_from_nodes: &[Affine]) {
    let places = hall_way.places.iter().map(|place| {
        let world_from_node = world_from_nodes.get(place.node as usize)?;
        let position = world_from_node.transform_point(place.position);
        position.iter().all(|it| it.is_finite()).then_some(position)
    });
    let places: Vec<Option<[f32; 3]>> = places.collect();
    let at = |place: u32| places.get(place as usize).copied().flatten();
    let colored = |[r, g, b]: [u8; 3]| {
        move |position| OverlayVertex {
            position,
            color: [r, g, b, 255],
        }
    };
    for link in &hall_way.links {
        if let [Some(from), Some(to)] = link.ends.map(at) {
            overlay.lines.extend([from, to].map(colored(PATH)));
        }
    }
    for (place, position) in hall_way.places.iter().zip(&places) {
        let use_of = PLACES
            .iter()
            .find(|(flags, ..)| place.flags().intersects(*flags));
        if let (Some((_, _, color)), Some([x, y, z])) = (use_of, *position) {
            let [above, below] = [DIAMOND, -DIAMOND].map(|dz| [x, y, z + dz]);
            let around = [(1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)];
            let around = around.map(|(dx, dy)| [x + DIAMOND * dx, y + DIAMOND * dy, z]);
            for (from, to) in around.iter().zip(around.iter().cycle().skip(1)) {
                for end in [above, below] {
                    let corners = [*from, *to, end];
                    overlay.triangles.extend(corners.map(colored(*color)));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::msh::{HallLink, HallPlace};

    #[test]
    fn places_stand_on_their_nodes_and_links_join_them() {
        let place = |x: f32, flag_bits: u32, node: u32| HallPlace {
            position: [x, 0.0, 0.0],
            flag_bits,
            node,
        };
        let link = |from: u32, to: u32| HallLink {
            ends: [from, to],
            unknown_08: [u32::MAX; 8],
        };
        let hall_way = HallWay {
            places: vec![place(1.0, 1, 0), place(2.0, 0, 1), place(0.0, 8, 9)],
            // The last place hangs on nothing.
            links: vec![link(0, 1), link(1, 2), link(1, 7)],
        };
        let raised = Affine([
            [1.0, 0.0, 0.0, 10.0],
            [0.0, 1.0, 0.0, 0.0],
            [0.0, 0.0, 1.0, 5.0],
        ]);
        let mut overlay = named("paths inside");
        add(&mut overlay, &hall_way, &[Affine::IDENTITY, raised]);
        let lines: Vec<[f32; 3]> = overlay.lines.iter().map(|it| it.position).collect();
        assert_eq!(lines, [[1.0, 0.0, 0.0], [12.0, 0.0, 5.0]]);
        // One diamond of eight faces, in the color of ways out.
        assert_eq!(overlay.triangles.len(), 8 * 3);
        assert!(
            overlay
                .triangles
                .iter()
                .all(|it| it.color == [80, 255, 80, 255])
        );
    }
}
