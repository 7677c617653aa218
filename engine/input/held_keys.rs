//! Keys that act as long as they are held.

use std::collections::HashSet;

use crate::camera::Controls;
use winit::keyboard::KeyCode;

use super::{Held, held_by};

/// The keys that are held down.
#[derive(Debug, Default)]
pub struct HeldKeys {
    keys: HashSet<KeyCode>,
}

impl HeldKeys {
    /// A key went down.
    pub fn press(&mut self, key: KeyCode) {
        self.keys.insert(key);
    }

    /// A key went up.
    pub fn release(&mut self, key: KeyCode) {
        self.keys.remove(&key);
    }

    /// All keys count as up: the window no longer hears of them.
    pub fn release_all(&mut self) {
        self.keys.clear();
    }

    /// What the held keys request of the camera; opposite keys cancel each other.
    pub fn controls(&self) -> Controls {
        let held: HashSet<Held> = self.keys.iter().filter_map(|key| held_by(*key)).collect();
        let axis = |plus, minus| {
            f32::from(i8::from(held.contains(&plus)) - i8::from(held.contains(&minus)))
        };
        Controls {
            forward: axis(Held::Forward, Held::Back),
            right: axis(Held::Right, Held::Left),
            up: axis(Held::Up, Held::Down),
            turn_left: axis(Held::TurnLeft, Held::TurnRight),
            turn_up: axis(Held::TurnUp, Held::TurnDown),
            fast: held.contains(&Held::Fast),
        }
    }
}
