//! The paths inside of buildings: from the door to where cargo is taken and left, units appear, and the post is taken over.

use ironlands_assets_parkan::msh::{HallFlags, HallLink, HallPlace, HallWay};

/// Height of the floor of the command post.
const FLOOR: f32 = 0.8;
/// Where its door is, the middle of its hall, and places for the pod, cargo and new units.
const PLACES: [([f32; 2], HallFlags); 6] = [
    ([10.5, 0.0], HallFlags::EXIT),
    ([1.0, 0.0], HallFlags::empty()),
    ([-5.0, 0.0], HallFlags::CONTROL_POD),
    ([2.5, 4.0], HallFlags::LOADING),
    ([2.5, -4.0], HallFlags::UNLOADING),
    ([-3.0, 3.5], HallFlags::CREATION),
];
const LINKS: [[u32; 2]; 5] = [[0, 1], [1, 2], [1, 3], [1, 4], [1, 5]];
/// What links have beside their ends.
const UNKNOWN: [u32; 8] = [u32::MAX; 8];

/// The paths inside a building's model; `None` for what is none.
pub fn of_model(stem: &str) -> Option<HallWay> {
    (stem == "FR_POST").then(|| HallWay {
        places: (PLACES.iter())
            .map(|([x, y], flags)| HallPlace {
                position: [*x, *y, FLOOR],
                flag_bits: flags.bits(),
                node: 0,
            })
            .collect(),
        links: (LINKS.iter())
            .map(|ends| HallLink {
                ends: *ends,
                unknown_08: UNKNOWN,
            })
            .collect(),
    })
}
