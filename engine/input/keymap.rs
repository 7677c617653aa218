//! The keys as the user has them: the table of all keys, with those in place that were chosen.

use std::sync::{LazyLock, PoisonError, RwLock, RwLockReadGuard};

use toml::{Table, Value};
use winit::keyboard::KeyCode;

use super::{BINDINGS, Binding, Does, Trigger};
use crate::console::output::{Existing, make_folder_of, write_file};
use crate::error::AppError;
use crate::settings::text_of;
use crate::user_folders::beside_settings;

/// The file's name. It has a line for each command whose key was chosen.
const FILE_NAME: &str = "keys.toml";
/// Before a key that acts while Ctrl is held.
const CTRL: &str = "Ctrl+";

/// Keys and what they do. Labels everywhere name them, so that there is one for the program.
static KEYMAP: LazyLock<RwLock<Keymap>> = LazyLock::new(RwLock::default);

/// The table of all keys and buttons with the keys of the user.
#[derive(Debug, Clone)]
pub struct Keymap {
    bindings: Vec<Binding>,
}

impl Default for Keymap {
    fn default() -> Self {
        Self {
            bindings: BINDINGS.to_vec(),
        }
    }
}

/// The keymap of the program.
pub fn keymap() -> RwLockReadGuard<'static, Keymap> {
    // It is whole whatever another thread did.
    KEYMAP.read().unwrap_or_else(PoisonError::into_inner)
}

/// Reads the user's keys; what is wrong with them is logged.
pub fn load_keymap() {
    let Some(path) = beside_settings(FILE_NAME) else {
        return;
    };
    let text = text_of(&path).map_err(|error| error.to_string());
    let (keymap, problems) = match text.and_then(|text| Keymap::from_text(&text)) {
        Ok(read) => read,
        Err(error) => (Keymap::default(), vec![error]),
    };
    for problem in problems {
        log::warn!("{}: {problem}", path.display());
    }
    *KEYMAP.write().unwrap_or_else(PoisonError::into_inner) = keymap;
}

/// Changes the keymap of the program and writes it.
///
/// # Errors
/// The file cannot be written; the change holds until the program ends.
pub fn change_keymap(change: impl FnOnce(&mut Keymap)) -> Result<(), AppError> {
    let mut keymap = KEYMAP.write().unwrap_or_else(PoisonError::into_inner);
    change(&mut keymap);
    let text = keymap.to_text();
    drop(keymap);
    let Some(path) = beside_settings(FILE_NAME) else {
        return Ok(());
    };
    make_folder_of(&path)?;
    Ok(write_file(&path, Existing::Replace, text.as_bytes())?)
}

impl Keymap {
    /// All keys and buttons, in the order of the help.
    pub fn bindings(&self) -> &[Binding] {
        &self.bindings
    }

    /// Whether another key can be chosen for a binding.
    pub fn is_changeable(&self, index: usize) -> bool {
        let trigger = self.bindings.get(index).map(|binding| binding.trigger);
        matches!(trigger, Some(Trigger::Key(_) | Trigger::CtrlKey(_)))
    }

    /// Gives a binding a key; another one that had it gets the key that is free then. What lasts as long as a key is held
    /// does so with and without Ctrl.
    pub fn assign(&mut self, index: usize, key: KeyCode, ctrl: bool) {
        if !self.is_changeable(index) {
            return;
        }
        let binding = self.bindings[index];
        let wanted = match (binding.does, ctrl) {
            (Does::Once(_), true) => Trigger::CtrlKey(key),
            _ => Trigger::Key(key),
        };
        if let Some(other) = self
            .bindings
            .iter_mut()
            .find(|other| other.trigger == wanted)
        {
            other.trigger = binding.trigger;
        }
        self.bindings[index].trigger = wanted;
    }

    /// All keys as they are in the table.
    pub fn reset(&mut self) {
        *self = Self::default();
    }

    /// The keymap of a text, and what is wrong with that.
    fn from_text(text: &str) -> Result<(Self, Vec<String>), String> {
        let table: Table = text
            .parse()
            .map_err(|error: toml::de::Error| error.to_string())?;
        let (mut keymap, mut problems) = (Self::default(), Vec::new());
        for (name, value) in &table {
            let index = (0..BINDINGS.len()).find(|index| name_of(*index) == *name);
            let trigger = value.as_str().and_then(parse_trigger);
            match (index.filter(|index| keymap.is_changeable(*index)), trigger) {
                (None, _) => problems.push(format!("{name} is no command")),
                (Some(_), None) => problems.push(format!(
                    "{name} must be a key, such as \"KeyF\" or \"Ctrl+KeyF\""
                )),
                (Some(index), Some(trigger)) => keymap.bindings[index].trigger = trigger,
            }
        }
        for (index, binding) in keymap.bindings.iter().enumerate() {
            let mut before = keymap.bindings[..index].iter();
            if before.any(|other| other.trigger == binding.trigger) {
                problems.push(format!("{} has the key of another command", name_of(index)));
            }
        }
        Ok((keymap, problems))
    }

    /// A line for each key that is not that of the table.
    fn to_text(&self) -> String {
        let bindings = self.bindings.iter().enumerate();
        let is_changed =
            |(index, binding): &(usize, &Binding)| binding.trigger != BINDINGS[*index].trigger;
        let lines = bindings.filter(is_changed).filter_map(|(index, binding)| {
            let text = match binding.trigger {
                Trigger::Key(key) => format!("{key:?}"),
                Trigger::CtrlKey(key) => format!("{CTRL}{key:?}"),
                _ => return None,
            };
            Some((name_of(index), Value::from(text)))
        });
        Table::from_iter(lines).to_string()
    }
}

/// The name of a command in the file, such as `toggle_fog`, by the index of its binding. Where several keys do the same,
/// those after the first are numbered.
fn name_of(index: usize) -> String {
    let name = base_name(&BINDINGS[index]);
    let before = BINDINGS[..index]
        .iter()
        .filter(|other| base_name(other) == name);
    match before.count() {
        0 => name,
        n => format!("{name}_{}", n + 1),
    }
}

fn base_name(binding: &Binding) -> String {
    let name = match binding.does {
        Does::Hold(held) => format!("{held:?}"),
        Does::Once(command) => format!("{command:?}"),
        does => format!("{does:?}"),
    };
    let mut snake = String::new();
    for letter in name.chars() {
        if letter == '-' {
            snake.push_str("back");
        } else if letter.is_ascii_alphanumeric() {
            if letter.is_ascii_uppercase() && !snake.is_empty() && !snake.ends_with('_') {
                snake.push('_');
            }
            snake.push(letter.to_ascii_lowercase());
        } else if !snake.ends_with('_') {
            snake.push('_');
        }
    }
    snake.trim_end_matches('_').to_owned()
}

fn parse_trigger(text: &str) -> Option<Trigger> {
    let (ctrl, name) = match text.strip_prefix(CTRL) {
        Some(name) => (true, name),
        None => (false, text),
    };
    let key = KEYS.into_iter().find(|key| format!("{key:?}") == name)?;
    Some(match ctrl {
        true => Trigger::CtrlKey(key),
        false => Trigger::Key(key),
    })
}

/// Keys that commands can have.
#[rustfmt::skip]
const KEYS: [KeyCode; 99] = {
    use KeyCode::*;
    [
        KeyA, KeyB, KeyC, KeyD, KeyE, KeyF, KeyG, KeyH, KeyI, KeyJ, KeyK, KeyL, KeyM, KeyN, KeyO, KeyP, KeyQ, KeyR,
        KeyS, KeyT, KeyU, KeyV, KeyW, KeyX, KeyY, KeyZ, Digit0, Digit1, Digit2, Digit3, Digit4, Digit5, Digit6, Digit7,
        Digit8, Digit9, F1, F2, F3, F4, F5, F6, F7, F8, F9, F10, F11, F12, ArrowLeft, ArrowRight, ArrowUp, ArrowDown,
        ShiftLeft, ShiftRight, AltLeft, AltRight, Space, Enter, Escape, Tab, Backspace, Insert, Delete, Home, End,
        PageUp, PageDown, Pause, ScrollLock, CapsLock, Comma, Period, Slash, Semicolon, Quote, BracketLeft,
        BracketRight, Backslash, Minus, Equal, Backquote, IntlBackslash, Numpad0, Numpad1, Numpad2, Numpad3, Numpad4,
        Numpad5, Numpad6, Numpad7, Numpad8, Numpad9, NumpadAdd, NumpadSubtract, NumpadMultiply, NumpadDivide,
        NumpadDecimal, NumpadEnter, ContextMenu,
    ]
};

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::super::{Command, Held};
    use super::*;

    fn index_of(is_it: impl Fn(&Does) -> bool) -> usize {
        let found = BINDINGS.iter().position(|binding| is_it(&binding.does));
        found.expect("a binding")
    }

    fn triggers(keymap: &Keymap) -> Vec<Trigger> {
        keymap.bindings.iter().map(|it| it.trigger).collect()
    }

    fn forward() -> usize {
        index_of(|does| matches!(does, Does::Hold(Held::Forward)))
    }

    fn home() -> usize {
        index_of(|does| matches!(does, Does::Once(Command::GoHome)))
    }

    #[test]
    fn every_command_has_a_name_of_its_own_and_every_default_key_can_be_chosen() {
        let names: HashSet<_> = (0..BINDINGS.len()).map(name_of).collect();
        assert_eq!(names.len(), BINDINGS.len());
        assert_eq!(name_of(forward()), "forward");
        assert_eq!(name_of(home()), "go_home");
        assert!(
            names.contains("toggle_fog") && names.contains("fast_2"),
            "{names:?}"
        );
        for binding in BINDINGS {
            if let Trigger::Key(key) | Trigger::CtrlKey(key) = binding.trigger {
                assert!(KEYS.contains(&key), "{key:?}");
            }
        }
    }

    #[test]
    fn a_key_that_is_taken_is_swapped() {
        let mut keymap = Keymap::default();
        let forward_before = BINDINGS[forward()].trigger;
        keymap.assign(home(), KeyCode::KeyW, false);
        assert_eq!(
            keymap.bindings()[home()].trigger,
            Trigger::Key(KeyCode::KeyW)
        );
        assert_eq!(
            keymap.bindings()[forward()].trigger,
            BINDINGS[home()].trigger
        );
        assert_eq!(forward_before, Trigger::Key(KeyCode::KeyW));
        // What is held needs no Ctrl.
        keymap.assign(forward(), KeyCode::KeyY, true);
        assert_eq!(
            keymap.bindings()[forward()].trigger,
            Trigger::Key(KeyCode::KeyY)
        );
        let wheel = index_of(|does| matches!(does, Does::Roll));
        keymap.assign(wheel, KeyCode::KeyY, false);
        assert_eq!(keymap.bindings()[wheel].trigger, Trigger::Wheel);
        keymap.reset();
        assert_eq!(triggers(&keymap), triggers(&Keymap::default()));
    }

    #[test]
    fn chosen_keys_are_written_and_read_and_problems_named() {
        assert_eq!(Keymap::default().to_text(), "");
        let mut keymap = Keymap::default();
        keymap.assign(forward(), KeyCode::ArrowUp, false);
        keymap.assign(home(), KeyCode::KeyH, true);
        let text = keymap.to_text();
        assert!(text.contains("go_home = \"Ctrl+KeyH\""), "{text}");
        let (read, problems) = Keymap::from_text(&text).unwrap();
        assert_eq!((triggers(&read), problems), (triggers(&keymap), Vec::new()));
        for (text, problem) in [
            ("tea = \"KeyT\"", "tea is no command"),
            ("roll = \"KeyT\"", "roll is no command"),
            ("go_home = \"green\"", "go_home must be a key"),
            ("go_home = \"KeyW\"", "go_home has the key of another"),
        ] {
            let (_, problems) = Keymap::from_text(text).unwrap();
            assert!(
                problems.iter().any(|it| it.starts_with(problem)),
                "{problems:?}"
            );
        }
        assert!(Keymap::from_text("= 2").is_err());
    }
}
