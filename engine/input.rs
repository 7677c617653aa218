//! Keys and mouse: one table that the window acts on and the help panel shows.

mod bindings;
mod held_keys;
mod help;
mod keymap;
mod layout;
mod relevance;

use winit::event::MouseButton;
use winit::keyboard::KeyCode;

use self::bindings::BINDINGS;
pub use self::held_keys::HeldKeys;
#[cfg(test)]
pub use self::help::every_help;
use self::help::key_name;
pub use self::help::{HelpLine, help_lines, key_of, trigger_name};
pub use self::keymap::{Keymap, change_keymap, keymap, load_keymap};
pub use self::layout::learn_key;
pub use self::relevance::Relevance;
use crate::editing::EditCommand;
use crate::land_options::LandCommand;
use crate::model_options::ModelCommand;
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
    /// What happens, in the help panel's words. Neighbors with the same words share a line there.
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
    /// The mouse with a button held down, around a model.
    Drag(MouseButton),
    /// The wheel.
    Wheel,
    /// The mouse, while it is held by the window.
    Motion,
}

/// What a trigger brings about.
#[derive(Debug, Clone, Copy)]
pub enum Does {
    /// Lasts as long as it is held.
    Hold(Held),
    /// Happens once.
    Once(Command),
    /// Happens once, for the bookmark with the digit's number, counted from 0.
    OnBookmark(fn(usize) -> Command),
    /// Changes the speed, or the distance to a model.
    Roll,
    /// Lasts while the mouse is dragged.
    Drag(Drag),
    /// Turns the view.
    Look,
}

/// The action of a held key.
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

/// The action of dragging the mouse.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Drag {
    /// Turn the model.
    Turn,
    /// Move the model across the picture.
    Pan,
}

/// The command of a pressed key, once per press.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Command {
    /// Hold the mouse, or pick what is under the crosshair if it is held.
    GrabOrPick,
    /// Forget what is picked.
    Unpick,
    /// Use what is under the crosshair.
    Use,
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
    /// Keep drawing what is seen from the cell where the camera is now, or stop that.
    ToggleLockedVisibility,
    Toggle(Feature),
    /// Show the level as its game did, or enhanced.
    ToggleStyle,
    /// Change how models are shown.
    Models(ModelCommand),
    /// Overlay of the level by its place in the list.
    ToggleOverlay(usize),
    /// Change how land is shown that comes in tiles.
    Land(LandCommand),
    /// Edit the level.
    Edit(EditCommand),
    /// Copy the place that is picked, or else pointed at, as text.
    CopyPlace,
    /// Whole hours of a level's day, on or back.
    StepHour(i8),
    /// Let a level's day go by, or stand still.
    ToggleDay,
    /// Add where the camera is to the path that the user makes.
    AddPathKey,
    /// Let the camera follow its path, or leave it.
    TogglePath,
    Screenshot,
    /// Begin or leave photo mode.
    TogglePhoto,
    /// Let time stand still, or pass.
    ToggleTime,
    /// What of surfaces is shown: the next of the views.
    NextSurfaceView,
    /// The map of the level in a corner.
    ToggleMinimap,
    /// Exchange the sides of two levels that are compared.
    SwapSides,
    /// Move the split between them by steps to the right.
    MoveSplit(i8),
    /// Leave the level for the start screen.
    ShowStart,
    /// Open the dialog for opening a file.
    OpenFile,
    Quit,
}

/// What pressing a key does; nothing for a key that is not in the table.
pub fn on_key(key: KeyCode, ctrl: bool) -> Option<Pressed> {
    let exact =
        keymap()
            .bindings()
            .iter()
            .find_map(|binding| match (binding.trigger, binding.does) {
                (Trigger::Key(bound), Does::Once(command)) if bound == key && !ctrl => {
                    Some(command)
                }
                (Trigger::CtrlKey(bound), Does::Once(command)) if bound == key && ctrl => {
                    Some(command)
                }
                (Trigger::Digit, Does::OnBookmark(command)) if !ctrl => {
                    digit_index(key).map(command)
                }
                (Trigger::CtrlDigit, Does::OnBookmark(command)) if ctrl => {
                    digit_index(key).map(command)
                }
                _ => None,
            });
    exact
        .map(Pressed::Once)
        .or_else(|| held_by(key).map(Pressed::Hold))
}

/// Whether a key that is pressed while a field takes text does what it always does, rather than go to the field: what
/// function keys and Ctrl with a key of the table do, no field does.
pub fn acts_while_typing(key: KeyCode, ctrl: bool) -> bool {
    let is_function_key = key_name(key)
        .strip_prefix('F')
        .is_some_and(|number| number.parse::<u8>().is_ok());
    (ctrl || is_function_key) && matches!(on_key(key, ctrl), Some(Pressed::Once(_)))
}

/// The action of a key while it is held, whatever else is.
fn held_by(key: KeyCode) -> Option<Held> {
    keymap()
        .bindings()
        .iter()
        .find_map(|binding| match (binding.trigger, binding.does) {
            (Trigger::Key(bound), Does::Hold(held)) if bound == key => Some(held),
            _ => None,
        })
}

/// What pressing a mouse button does.
pub fn on_button(button: MouseButton) -> Option<Command> {
    keymap()
        .bindings()
        .iter()
        .find_map(|binding| match (binding.trigger, binding.does) {
            (Trigger::Button(bound), Does::Once(command)) if bound == button => Some(command),
            _ => None,
        })
}

/// What dragging the mouse with a button held down does, around a model.
pub fn on_drag(button: MouseButton) -> Option<Drag> {
    keymap()
        .bindings()
        .iter()
        .find_map(|binding| match (binding.trigger, binding.does) {
            (Trigger::Drag(bound), Does::Drag(drag)) if bound == button => Some(drag),
            _ => None,
        })
}

/// The command of a pressed key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pressed {
    Hold(Held),
    Once(Command),
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
mod tests;
