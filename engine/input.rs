//! Keys and mouse: one table that the window acts on and the help panel shows.

use std::collections::HashSet;

use ironlands::camera::Controls;
use winit::event::MouseButton;
use winit::keyboard::KeyCode;

use crate::view_options::Feature;

/// A key or button and what it does.
#[derive(Debug, Clone, Copy)]
pub struct Binding {
    /// Heading of the help panel that it stands under.
    pub group: &'static str,
    /// What is pressed.
    pub trigger: Trigger,
    /// What happens.
    pub does: Does,
    /// What happens, in the help panel's words. Neighbours with the same words share a line there.
    pub help: &'static str,
}

/// What is pressed, turned or moved. Keys are places on the keyboard, named as on a US one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trigger {
    /// A key, with or without Shift.
    Key(KeyCode),
    /// A key while Ctrl is held.
    CtrlKey(KeyCode),
    /// Any of the keys 1 to 9.
    Digit,
    /// Any of the keys 1 to 9 while Ctrl is held.
    CtrlDigit,
    /// A mouse button.
    Button(MouseButton),
    /// The wheel.
    Wheel,
    /// The mouse, while it is held by the window.
    Motion,
}

/// What a trigger brings about.
#[derive(Debug, Clone, Copy)]
pub enum Does {
    /// Goes on as long as it is held.
    Hold(Held),
    /// Happens once.
    Once(Command),
    /// Happens once, for the bookmark with the digit's number, counted from 0.
    OnBookmark(fn(usize) -> Command),
    /// Changes the speed.
    Speed,
    /// Turns the view.
    Look,
}

/// What a held key asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Held {
    Forward,
    Back,
    Left,
    Right,
    Up,
    Down,
    Fast,
    TurnLeft,
    TurnRight,
    TurnUp,
    TurnDown,
}

/// What a pressed key asks for, once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Command {
    /// Hold the mouse, or pick what is under the crosshair if it is held.
    GrabOrPick,
    /// Forget what is picked.
    Unpick,
    /// Let the mouse go; close the help.
    Release,
    ToggleMode,
    GoHome,
    StoreBookmark(usize),
    RecallBookmark(usize),
    ToggleHelp,
    TogglePanel,
    ToggleCrosshair,
    ToggleFullscreen,
    ToggleVsync,
    /// Keep culling for where the camera is now, or stop that.
    ToggleFrozenCulling,
    Toggle(Feature),
    /// Overlay of the level by its place in the list.
    ToggleOverlay(usize),
    Screenshot,
    Quit,
}

const MOVE: &str = "Move";
const POINT: &str = "Point";
const SHOW: &str = "Show";
const PICTURE: &str = "Picture";
const PROGRAM: &str = "Program";

/// Every key and button. The window acts on nothing that is not in here.
pub const BINDINGS: &[Binding] = &[
    hold(KeyCode::KeyW, Held::Forward, "forward"),
    hold(KeyCode::KeyS, Held::Back, "back"),
    hold(KeyCode::KeyA, Held::Left, "left"),
    hold(KeyCode::KeyD, Held::Right, "right"),
    hold(KeyCode::KeyE, Held::Up, "up (flying)"),
    hold(KeyCode::KeyQ, Held::Down, "down (flying)"),
    hold(KeyCode::ArrowLeft, Held::TurnLeft, "turn without the mouse"),
    hold(
        KeyCode::ArrowRight,
        Held::TurnRight,
        "turn without the mouse",
    ),
    hold(KeyCode::ArrowUp, Held::TurnUp, "turn without the mouse"),
    hold(KeyCode::ArrowDown, Held::TurnDown, "turn without the mouse"),
    hold(KeyCode::ShiftLeft, Held::Fast, "four times as fast"),
    hold(KeyCode::ShiftRight, Held::Fast, "four times as fast"),
    Binding {
        group: MOVE,
        trigger: Trigger::Wheel,
        does: Does::Speed,
        help: "faster, slower",
    },
    once(MOVE, KeyCode::KeyM, Command::ToggleMode, "walk or fly"),
    once(MOVE, KeyCode::Home, Command::GoHome, "back to the start"),
    Binding {
        group: MOVE,
        trigger: Trigger::CtrlDigit,
        does: Does::OnBookmark(Command::StoreBookmark),
        help: "remember this place until the end of the session",
    },
    Binding {
        group: MOVE,
        trigger: Trigger::Digit,
        does: Does::OnBookmark(Command::RecallBookmark),
        help: "go to a remembered place",
    },
    Binding {
        group: POINT,
        trigger: Trigger::Button(MouseButton::Left),
        does: Does::Once(Command::GrabOrPick),
        help: "hold the mouse; then: pick what is under the crosshair",
    },
    Binding {
        group: POINT,
        trigger: Trigger::Motion,
        does: Does::Look,
        help: "look around, while the mouse is held",
    },
    Binding {
        group: POINT,
        trigger: Trigger::Button(MouseButton::Right),
        does: Does::Once(Command::Unpick),
        help: "forget what is picked",
    },
    once(
        POINT,
        KeyCode::Escape,
        Command::Release,
        "let the mouse go; close this help",
    ),
    once(SHOW, KeyCode::F1, Command::ToggleHelp, "this help"),
    once(SHOW, KeyCode::F2, Command::TogglePanel, "panel"),
    once(SHOW, KeyCode::F3, Command::ToggleCrosshair, "crosshair"),
    overlay(KeyCode::F5, 0),
    overlay(KeyCode::F6, 1),
    overlay(KeyCode::F7, 2),
    overlay(KeyCode::F8, 3),
    once(SHOW, KeyCode::F11, Command::ToggleFullscreen, "full screen"),
    feature(KeyCode::KeyF, Feature::Fog),
    feature(KeyCode::KeyG, Feature::Water),
    feature(KeyCode::KeyR, Feature::WaterReflection),
    feature(KeyCode::KeyB, Feature::SeaBeyondEdge),
    feature(KeyCode::KeyK, Feature::Sky),
    feature(KeyCode::KeyC, Feature::Clouds),
    feature(KeyCode::KeyX, Feature::Decal),
    feature(KeyCode::KeyZ, Feature::Detail),
    feature(KeyCode::KeyL, Feature::Lod),
    once(
        PICTURE,
        KeyCode::KeyP,
        Command::ToggleFrozenCulling,
        "keep drawing only what is seen from here",
    ),
    once(
        PICTURE,
        KeyCode::KeyV,
        Command::ToggleVsync,
        "wait for the display (vsync)",
    ),
    once(
        PROGRAM,
        KeyCode::F12,
        Command::Screenshot,
        "write the picture as PNG into the current folder",
    ),
    Binding {
        group: PROGRAM,
        trigger: Trigger::CtrlKey(KeyCode::KeyQ),
        does: Does::Once(Command::Quit),
        help: "quit",
    },
];

const fn hold(key: KeyCode, held: Held, help: &'static str) -> Binding {
    Binding {
        group: MOVE,
        trigger: Trigger::Key(key),
        does: Does::Hold(held),
        help,
    }
}

const fn once(group: &'static str, key: KeyCode, command: Command, help: &'static str) -> Binding {
    Binding {
        group,
        trigger: Trigger::Key(key),
        does: Does::Once(command),
        help,
    }
}

const fn feature(key: KeyCode, feature: Feature) -> Binding {
    once(PICTURE, key, Command::Toggle(feature), feature.label())
}

const fn overlay(key: KeyCode, index: usize) -> Binding {
    once(
        SHOW,
        key,
        Command::ToggleOverlay(index),
        "first to fourth overlay of the level",
    )
}

/// What pressing a key does; nothing for a key that is not in the table.
pub fn on_key(key: KeyCode, ctrl: bool) -> Option<Pressed> {
    let exact = BINDINGS
        .iter()
        .find_map(|binding| match (binding.trigger, binding.does) {
            (Trigger::Key(bound), Does::Once(command)) if bound == key && !ctrl => Some(command),
            (Trigger::CtrlKey(bound), Does::Once(command)) if bound == key && ctrl => Some(command),
            (Trigger::Digit, Does::OnBookmark(command)) if !ctrl => digit_index(key).map(command),
            (Trigger::CtrlDigit, Does::OnBookmark(command)) if ctrl => {
                digit_index(key).map(command)
            }
            _ => None,
        });
    exact
        .map(Pressed::Once)
        .or_else(|| held_by(key).map(Pressed::Hold))
}

/// What a key asks for while it is held, whatever else is.
fn held_by(key: KeyCode) -> Option<Held> {
    BINDINGS
        .iter()
        .find_map(|binding| match (binding.trigger, binding.does) {
            (Trigger::Key(bound), Does::Hold(held)) if bound == key => Some(held),
            _ => None,
        })
}

/// What pressing a mouse button does.
pub fn on_button(button: MouseButton) -> Option<Command> {
    BINDINGS
        .iter()
        .find_map(|binding| match (binding.trigger, binding.does) {
            (Trigger::Button(bound), Does::Once(command)) if bound == button => Some(command),
            _ => None,
        })
}

/// What a pressed key asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pressed {
    Hold(Held),
    Once(Command),
}

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

    /// What the held keys ask of the camera; opposite keys cancel each other.
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

/// One line of the help panel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HelpLine {
    /// Heading that it stands under.
    pub group: &'static str,
    /// The keys, as in `W` or `F5 F6 F7 F8`.
    pub keys: String,
    /// What they do.
    pub help: &'static str,
}

/// The table as the help panel shows it: in order, lines with the same words joined.
pub fn help_lines() -> Vec<HelpLine> {
    let mut lines: Vec<HelpLine> = Vec::new();
    for binding in BINDINGS {
        let key = trigger_name(binding.trigger);
        match lines.last_mut() {
            Some(line) if line.help == binding.help && line.group == binding.group => {
                if line.keys != key {
                    line.keys.push(' ');
                    line.keys.push_str(&key);
                }
            }
            _ => lines.push(HelpLine {
                group: binding.group,
                keys: key,
                help: binding.help,
            }),
        }
    }
    lines
}

/// The key for a command, for the label beside its switch; some overlays have none.
pub fn key_of(command: Command) -> Option<String> {
    BINDINGS
        .iter()
        .find(|binding| matches!(binding.does, Does::Once(bound) if bound == command))
        .map(|binding| trigger_name(binding.trigger))
}

fn trigger_name(trigger: Trigger) -> String {
    match trigger {
        Trigger::Key(key) => key_name(key),
        Trigger::CtrlKey(key) => format!("Ctrl+{}", key_name(key)),
        Trigger::Digit => "1 to 9".to_owned(),
        Trigger::CtrlDigit => "Ctrl+1 to 9".to_owned(),
        Trigger::Button(MouseButton::Left) => "left click".to_owned(),
        Trigger::Button(MouseButton::Right) => "right click".to_owned(),
        Trigger::Button(button) => format!("{button:?} button").to_lowercase(),
        Trigger::Wheel => "wheel".to_owned(),
        Trigger::Motion => "mouse".to_owned(),
    }
}

/// The name on the key's cap: `KeyW` is W, `ArrowLeft` is Left.
fn key_name(key: KeyCode) -> String {
    match key {
        KeyCode::Escape => "Esc".to_owned(),
        KeyCode::ShiftLeft | KeyCode::ShiftRight => "Shift".to_owned(),
        _ => {
            let name = format!("{key:?}");
            ["Key", "Digit", "Arrow"]
                .iter()
                .find_map(|prefix| name.strip_prefix(prefix))
                .unwrap_or(&name)
                .to_owned()
        }
    }
}

/// 0 for the key 1, up to 8 for the key 9, on the main row or the number pad.
fn digit_index(key: KeyCode) -> Option<usize> {
    const DIGITS: [[KeyCode; 2]; 9] = [
        [KeyCode::Digit1, KeyCode::Numpad1],
        [KeyCode::Digit2, KeyCode::Numpad2],
        [KeyCode::Digit3, KeyCode::Numpad3],
        [KeyCode::Digit4, KeyCode::Numpad4],
        [KeyCode::Digit5, KeyCode::Numpad5],
        [KeyCode::Digit6, KeyCode::Numpad6],
        [KeyCode::Digit7, KeyCode::Numpad7],
        [KeyCode::Digit8, KeyCode::Numpad8],
        [KeyCode::Digit9, KeyCode::Numpad9],
    ];
    DIGITS.iter().position(|keys| keys.contains(&key))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_trigger_is_bound_twice() {
        for (index, binding) in BINDINGS.iter().enumerate() {
            let again = BINDINGS[..index]
                .iter()
                .find(|earlier| earlier.trigger == binding.trigger);
            assert!(again.is_none(), "{binding:?} and {again:?}");
        }
    }

    #[test]
    fn every_binding_stands_in_the_help_under_its_group() {
        let lines = help_lines();
        for binding in BINDINGS {
            let name = trigger_name(binding.trigger);
            let line = lines
                .iter()
                .find(|line| line.group == binding.group && line.help == binding.help)
                .unwrap_or_else(|| panic!("{binding:?} has no line"));
            assert!(line.keys.contains(&name), "{name} in {line:?}");
        }
        assert!(
            lines.len() < BINDINGS.len(),
            "keys with the same help share a line"
        );
    }

    #[test]
    fn every_feature_has_a_key_and_a_label_of_its_own() {
        for feature in Feature::ALL {
            assert!(key_of(Command::Toggle(feature)).is_some(), "{feature:?}");
            let same = Feature::ALL
                .iter()
                .filter(|other| other.label() == feature.label());
            assert_eq!(same.count(), 1, "{feature:?}");
        }
    }

    #[test]
    fn keys_read_as_on_their_caps() {
        let keys = [
            KeyCode::KeyW,
            KeyCode::ArrowLeft,
            KeyCode::F12,
            KeyCode::Escape,
        ];
        assert_eq!(keys.map(key_name), ["W", "Left", "F12", "Esc"]);
    }

    #[test]
    fn held_keys_become_controls_and_opposites_cancel() {
        let mut keys = HeldKeys::default();
        for key in [
            KeyCode::KeyW,
            KeyCode::KeyA,
            KeyCode::ShiftLeft,
            KeyCode::ArrowUp,
        ] {
            keys.press(key);
        }
        let expected = Controls {
            forward: 1.0,
            right: -1.0,
            turn_up: 1.0,
            fast: true,
            ..Controls::default()
        };
        assert_eq!(keys.controls(), expected);
        keys.press(KeyCode::KeyS);
        assert_eq!(keys.controls().forward, 0.0);
        keys.release(KeyCode::KeyS);
        assert_eq!(keys.controls().forward, 1.0);
        keys.release_all();
        assert_eq!(keys.controls(), Controls::default());
    }

    #[test]
    fn both_shift_keys_are_one_wish() {
        let mut keys = HeldKeys::default();
        keys.press(KeyCode::ShiftLeft);
        keys.press(KeyCode::ShiftRight);
        keys.release(KeyCode::ShiftLeft);
        assert!(keys.controls().fast);
    }

    #[test]
    fn ctrl_tells_storing_from_recalling() {
        let once = |command| Some(Pressed::Once(command));
        assert_eq!(
            on_key(KeyCode::Digit1, true),
            once(Command::StoreBookmark(0))
        );
        assert_eq!(
            on_key(KeyCode::Numpad9, false),
            once(Command::RecallBookmark(8))
        );
        assert_eq!(on_key(KeyCode::Digit0, false), None);
        assert_eq!(on_key(KeyCode::KeyQ, true), once(Command::Quit));
        assert_eq!(
            on_key(KeyCode::KeyQ, false),
            Some(Pressed::Hold(Held::Down))
        );
    }
}
