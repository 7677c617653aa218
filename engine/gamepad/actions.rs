//! Buttons of a gamepad and what they do.

use crate::words::marked;

/// A button, by its place as on the kernel's gamepad.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Button {
    South,
    East,
    West,
    North,
    LeftShoulder,
    RightShoulder,
    Select,
    Start,
    LeftStick,
    RightStick,
    DpadUp,
    DpadDown,
    DpadLeft,
    DpadRight,
}

impl Button {
    pub const ALL: [Self; 14] = [
        Self::South,
        Self::East,
        Self::West,
        Self::North,
        Self::LeftShoulder,
        Self::RightShoulder,
        Self::Select,
        Self::Start,
        Self::LeftStick,
        Self::RightStick,
        Self::DpadUp,
        Self::DpadDown,
        Self::DpadLeft,
        Self::DpadRight,
    ];

    /// Its name in the settings.
    pub const fn key(self) -> &'static str {
        match self {
            Self::South => "gamepad_south",
            Self::East => "gamepad_east",
            Self::West => "gamepad_west",
            Self::North => "gamepad_north",
            Self::LeftShoulder => "gamepad_left_shoulder",
            Self::RightShoulder => "gamepad_right_shoulder",
            Self::Select => "gamepad_select",
            Self::Start => "gamepad_start",
            Self::LeftStick => "gamepad_left_stick",
            Self::RightStick => "gamepad_right_stick",
            Self::DpadUp => "gamepad_dpad_up",
            Self::DpadDown => "gamepad_dpad_down",
            Self::DpadLeft => "gamepad_dpad_left",
            Self::DpadRight => "gamepad_dpad_right",
        }
    }

    /// What it is called in the window.
    pub const fn label(self) -> &'static str {
        match self {
            Self::South => marked("lower button (A)"),
            Self::East => marked("right button (B)"),
            Self::West => marked("left button (X)"),
            Self::North => marked("upper button (Y)"),
            Self::LeftShoulder => marked("left shoulder button"),
            Self::RightShoulder => marked("right shoulder button"),
            Self::Select => marked("Select"),
            Self::Start => marked("Start"),
            Self::LeftStick => marked("left stick pressed"),
            Self::RightStick => marked("right stick pressed"),
            Self::DpadUp => marked("cross up"),
            Self::DpadDown => marked("cross down"),
            Self::DpadLeft => marked("cross left"),
            Self::DpadRight => marked("cross right"),
        }
    }

    pub const fn default_action(self) -> PadAction {
        match self {
            Self::South => PadAction::Up,
            Self::East => PadAction::Down,
            Self::West => PadAction::Use,
            Self::North => PadAction::ToggleMode,
            Self::LeftShoulder => PadAction::Fast,
            Self::RightShoulder => PadAction::Pick,
            Self::Select => PadAction::ToggleHelp,
            Self::Start => PadAction::TogglePanel,
            Self::LeftStick => PadAction::GoHome,
            Self::RightStick => PadAction::Screenshot,
            Self::DpadUp => PadAction::Faster,
            Self::DpadDown => PadAction::Slower,
            Self::DpadLeft => PadAction::PreviousBookmark,
            Self::DpadRight => PadAction::NextBookmark,
        }
    }
}

/// What a button does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PadAction {
    Nothing,
    Up,
    Down,
    Fast,
    Faster,
    Slower,
    ToggleMode,
    Use,
    Pick,
    Unpick,
    GoHome,
    TogglePanel,
    ToggleHelp,
    ToggleMap,
    ToggleStyle,
    NextBookmark,
    PreviousBookmark,
    Screenshot,
    TogglePhoto,
}

impl PadAction {
    pub const ALL: [Self; 19] = [
        Self::Nothing,
        Self::Up,
        Self::Down,
        Self::Fast,
        Self::Faster,
        Self::Slower,
        Self::ToggleMode,
        Self::Use,
        Self::Pick,
        Self::Unpick,
        Self::GoHome,
        Self::TogglePanel,
        Self::ToggleHelp,
        Self::ToggleMap,
        Self::ToggleStyle,
        Self::NextBookmark,
        Self::PreviousBookmark,
        Self::Screenshot,
        Self::TogglePhoto,
    ];

    /// Its name in the settings.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Nothing => "nothing",
            Self::Up => "up",
            Self::Down => "down",
            Self::Fast => "fast",
            Self::Faster => "faster",
            Self::Slower => "slower",
            Self::ToggleMode => "walk_or_fly",
            Self::Use => "use",
            Self::Pick => "pick",
            Self::Unpick => "unpick",
            Self::GoHome => "home",
            Self::TogglePanel => "panel",
            Self::ToggleHelp => "keys",
            Self::ToggleMap => "map",
            Self::ToggleStyle => "style",
            Self::NextBookmark => "next_bookmark",
            Self::PreviousBookmark => "previous_bookmark",
            Self::Screenshot => "screenshot",
            Self::TogglePhoto => "photo",
        }
    }

    /// The action of a name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|action| action.name() == name)
    }

    /// What it is called in the window.
    pub const fn label(self) -> &'static str {
        match self {
            Self::Nothing => marked("nothing"),
            Self::Up => marked("up; walking: jump"),
            Self::Down => marked("down; walking: duck"),
            Self::Fast => marked("four times as fast"),
            Self::Faster => marked("faster"),
            Self::Slower => marked("slower"),
            Self::ToggleMode => marked("walk or fly"),
            Self::Use => marked("use what is under the crosshair"),
            Self::Pick => marked("pick what is under the crosshair"),
            Self::Unpick => marked("forget what is picked"),
            Self::GoHome => marked("back to the start"),
            Self::TogglePanel => marked("panel"),
            Self::ToggleHelp => marked("keys"),
            Self::ToggleMap => marked("map of the level"),
            Self::ToggleStyle => marked("style"),
            Self::NextBookmark => marked("next remembered place"),
            Self::PreviousBookmark => marked("remembered place before"),
            Self::Screenshot => marked("write a picture"),
            Self::TogglePhoto => marked("photo mode"),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn buttons_and_actions_are_in_their_lists_once_and_under_their_names() {
        for (index, button) in Button::ALL.into_iter().enumerate() {
            assert_eq!(button as usize, index, "{button:?}");
        }
        for (index, action) in PadAction::ALL.into_iter().enumerate() {
            assert_eq!(action as usize, index, "{action:?}");
            assert_eq!(PadAction::from_name(action.name()), Some(action));
        }
        let keys: HashSet<_> = Button::ALL.iter().map(|button| button.key()).collect();
        assert_eq!(keys.len(), Button::ALL.len());
        assert_eq!(PadAction::from_name("tea"), None);
    }
}
