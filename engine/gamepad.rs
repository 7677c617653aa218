//! Gamepads: sticks that fly and look, triggers that change the height, and buttons.
//!
//! In: what devices report, on a thread of its own (`linux`, `others`), so that no frame waits. Out: [`Controls`] of the
//! camera, and what buttons do once ([`PadAction`]). A device can come and go at any time; without one, nothing happens
//! and nothing is said.
//!
//! Deliberately absent: what commands do.

mod actions;
mod axes;
#[cfg(target_os = "linux")]
mod kernel;
#[cfg_attr(target_os = "linux", path = "gamepad/linux.rs")]
#[cfg_attr(not(target_os = "linux"), path = "gamepad/others.rs")]
mod source;

use std::sync::mpsc::{Receiver, TryRecvError, channel};

use glam::Vec2;

pub use self::actions::{Button, PadAction};
use self::axes::shaped;
use crate::camera::Controls;

/// Axes of a gamepad. Sticks are -1..1 to the right and down, triggers 0..1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Axis {
    LeftX,
    LeftY,
    RightX,
    RightY,
    LeftTrigger,
    RightTrigger,
}

/// What a device reports.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum PadEvent {
    Moved(Axis, f32),
    Pressed(Button),
    Released(Button),
    /// The device is gone: nothing is held any more.
    Gone,
}

/// How gamepads are read.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PadSettings {
    /// How fast the right stick turns the view, beside the default.
    pub look_speed: f32,
    /// Whether the view goes down when the stick goes up.
    pub invert: bool,
    /// Part of the way of a stick, from its middle, that does nothing.
    pub dead_zone: f32,
    /// What each button does, in the order of [`Button::ALL`].
    pub actions: [PadAction; Button::ALL.len()],
}

impl Default for PadSettings {
    fn default() -> Self {
        Self {
            look_speed: 1.0,
            invert: false,
            dead_zone: 0.12,
            actions: Button::ALL.map(Button::default_action),
        }
    }
}

/// All gamepads as one.
#[derive(Default)]
pub struct Gamepads {
    /// Begun when it is first looked at; `None` for good where there is no way to read gamepads.
    events: Option<Receiver<PadEvent>>,
    has_begun: bool,
    held: Held,
}

/// What is held at the moment.
#[derive(Debug, Clone, Default, PartialEq)]
struct Held {
    /// In the order of [`Axis`].
    axes: [f32; 6],
    buttons: Vec<Button>,
}

impl Gamepads {
    /// Takes what happened since the last call; returns the buttons that were pressed.
    pub fn update(&mut self) -> Vec<Button> {
        if !std::mem::replace(&mut self.has_begun, true) {
            let (send, receive) = channel();
            source::listen(send);
            self.events = Some(receive);
        }
        let mut pressed = Vec::new();
        while let Some(events) = &self.events {
            match events.try_recv() {
                Ok(event) => pressed.extend(self.held.take(event)),
                Err(TryRecvError::Empty) => break,
                Err(TryRecvError::Disconnected) => self.events = None,
            }
        }
        pressed
    }

    /// What sticks, triggers and held buttons request of the camera.
    pub fn controls(&self, settings: &PadSettings) -> Controls {
        self.held.controls(settings)
    }

    /// Nothing counts as held until it is pressed again.
    pub fn release_all(&mut self) {
        self.held.buttons.clear();
    }
}

impl Held {
    /// Takes an event; returns the button that it presses.
    fn take(&mut self, event: PadEvent) -> Option<Button> {
        match event {
            PadEvent::Moved(axis, value) => self.axes[axis as usize] = value,
            PadEvent::Released(button) => self.buttons.retain(|held| *held != button),
            PadEvent::Gone => *self = Self::default(),
            PadEvent::Pressed(button) if self.buttons.contains(&button) => {}
            PadEvent::Pressed(button) => {
                self.buttons.push(button);
                return Some(button);
            }
        }
        None
    }

    fn controls(&self, settings: &PadSettings) -> Controls {
        let axis = |axis: Axis| self.axes[axis as usize];
        let stick = |x, y| shaped(Vec2::new(axis(x), axis(y)), settings.dead_zone);
        let moved = stick(Axis::LeftX, Axis::LeftY);
        let looked = stick(Axis::RightX, Axis::RightY) * settings.look_speed;
        let does = |action| {
            let mut held = self.buttons.iter();
            held.any(|button| settings.actions[*button as usize] == action)
        };
        let button = |action| f32::from(u8::from(does(action)));
        let up = axis(Axis::RightTrigger) - axis(Axis::LeftTrigger);
        Controls {
            forward: -moved.y,
            right: moved.x,
            up: (up + button(PadAction::Up) - button(PadAction::Down)).clamp(-1.0, 1.0),
            turn_left: -looked.x,
            turn_up: if settings.invert { looked.y } else { -looked.y },
            fast: does(PadAction::Fast),
        }
    }
}

/// What keys and a gamepad request together.
pub fn both(keys: Controls, pad: Controls) -> Controls {
    let sum = |a: f32, b: f32| (a + b).clamp(-1.0, 1.0);
    Controls {
        forward: sum(keys.forward, pad.forward),
        right: sum(keys.right, pad.right),
        up: sum(keys.up, pad.up),
        // A fast stick turns faster than a key.
        turn_left: keys.turn_left + pad.turn_left,
        turn_up: keys.turn_up + pad.turn_up,
        fast: keys.fast || pad.fast,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn held(events: &[PadEvent]) -> Held {
        let mut held = Held::default();
        for event in events {
            held.take(*event);
        }
        held
    }

    #[test]
    fn sticks_fly_and_look_and_triggers_change_the_height() {
        let settings = PadSettings::default();
        let held = held(&[
            PadEvent::Moved(Axis::LeftY, -1.0),
            PadEvent::Moved(Axis::RightX, 1.0),
            PadEvent::Moved(Axis::RightTrigger, 0.75),
            PadEvent::Moved(Axis::LeftTrigger, 0.25),
        ]);
        let controls = held.controls(&settings);
        assert_eq!((controls.forward, controls.right), (1.0, 0.0));
        assert_eq!((controls.turn_left, controls.turn_up), (-1.0, 0.0));
        assert_eq!((controls.up, controls.fast), (0.5, false));
    }

    #[test]
    fn the_view_can_be_inverted_and_faster() {
        let up = held(&[PadEvent::Moved(Axis::RightY, -1.0)]);
        let settings = PadSettings {
            look_speed: 2.0,
            ..PadSettings::default()
        };
        assert_eq!(up.controls(&settings).turn_up, 2.0);
        let inverted = PadSettings {
            invert: true,
            ..settings
        };
        assert_eq!(up.controls(&inverted).turn_up, -2.0);
    }

    #[test]
    fn buttons_are_pressed_once_and_held_until_they_are_released_or_gone() {
        let mut settings = PadSettings::default();
        settings.actions[Button::North as usize] = PadAction::Fast;
        let mut held = Held::default();
        let press = PadEvent::Pressed(Button::North);
        assert_eq!(held.take(press), Some(Button::North));
        assert_eq!(held.take(press), None, "a press that is repeated");
        assert!(held.controls(&settings).fast);
        held.take(PadEvent::Released(Button::North));
        assert!(!held.controls(&settings).fast);
        held.take(press);
        held.take(PadEvent::Moved(Axis::LeftX, 1.0));
        held.take(PadEvent::Gone);
        assert_eq!(held, Held::default());
    }

    #[test]
    fn keys_and_sticks_add_up_to_no_more_than_full_speed() {
        let keys = Controls {
            forward: 1.0,
            turn_left: 1.0,
            ..Controls::default()
        };
        let pad = Controls {
            forward: 0.5,
            right: -0.5,
            turn_left: 1.5,
            ..Controls::default()
        };
        let controls = both(keys, pad);
        assert_eq!((controls.forward, controls.right), (1.0, -0.5));
        assert_eq!(controls.turn_left, 2.5);
    }
}
