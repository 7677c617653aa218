//! The table of keys in words.

use winit::event::MouseButton;
use winit::keyboard::KeyCode;

use super::layout::learned_cap;
use super::{Command, Does, Relevance, Trigger, keymap};

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

/// The keys of a level as the help panel shows them: in order, lines with the same words joined.
pub fn help_lines(level: &Relevance) -> Vec<HelpLine> {
    let mut lines: Vec<HelpLine> = Vec::new();
    for binding in keymap().bindings().iter().filter(|it| level.covers(it)) {
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

/// All that keys do, and the headings of that.
#[cfg(test)]
pub fn every_help() -> impl Iterator<Item = &'static str> {
    let bindings = super::BINDINGS.iter();
    bindings.flat_map(|binding| [binding.group, binding.help])
}

/// The key for a command, for the label beside its switch; some overlays have none.
pub fn key_of(command: Command) -> Option<String> {
    keymap()
        .bindings()
        .iter()
        .find(|binding| matches!(binding.does, Does::Once(bound) if bound == command))
        .map(|binding| trigger_name(binding.trigger))
}

pub fn trigger_name(trigger: Trigger) -> String {
    match trigger {
        Trigger::Key(key) => key_name(key),
        Trigger::CtrlKey(key) => format!("Ctrl+{}", key_name(key)),
        Trigger::Digit => "1 to 9".to_owned(),
        Trigger::CtrlDigit => "Ctrl+1 to 9".to_owned(),
        Trigger::Button(button) => format!("{} click", button_name(button)),
        Trigger::Drag(button) => format!("{} drag", button_name(button)),
        Trigger::Wheel => "wheel".to_owned(),
        Trigger::Motion => "mouse".to_owned(),
    }
}

fn button_name(button: MouseButton) -> String {
    format!("{button:?}").to_lowercase()
}

/// The name on the key's cap: `KeyW` is W, `ArrowLeft` is Left; once it was pressed, what it types.
pub(super) fn key_name(key: KeyCode) -> String {
    learned_cap(key).unwrap_or_else(|| name_on_us_keyboard(key))
}

fn name_on_us_keyboard(key: KeyCode) -> String {
    match key {
        KeyCode::Escape => "Esc".to_owned(),
        KeyCode::Comma => ",".to_owned(),
        KeyCode::Period => ".".to_owned(),
        KeyCode::BracketLeft => "[".to_owned(),
        KeyCode::BracketRight => "]".to_owned(),
        KeyCode::Backslash => "\\".to_owned(),
        KeyCode::Quote => "'".to_owned(),
        KeyCode::Slash => "/".to_owned(),
        KeyCode::Semicolon => ";".to_owned(),
        KeyCode::Backquote => "`".to_owned(),
        KeyCode::Minus => "-".to_owned(),
        KeyCode::Equal => "=".to_owned(),
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
