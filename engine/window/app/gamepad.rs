//! What a gamepad does in a flight.

use winit::event_loop::ActiveEventLoop;

use super::App;
use crate::camera::Controls;
use crate::gamepad::{PadAction, both};
use crate::input::Command;
use crate::window::desk::Desk;

impl App {
    /// Before a frame: takes what gamepads report.
    pub(super) fn take_gamepad(&mut self, desk: &mut Desk, event_loop: &ActiveEventLoop) {
        let pressed = desk.gamepads.update();
        if self.is_in_background {
            self.pad_controls = Controls::default();
            return desk.gamepads.release_all();
        }
        for button in pressed {
            let action = self.options.settings.pad.actions[button as usize];
            match action {
                PadAction::Faster => self.eye.roll(1.0),
                PadAction::Slower => self.eye.roll(-1.0),
                PadAction::NextBookmark => self.step_bookmark(desk, event_loop, 1),
                PadAction::PreviousBookmark => self.step_bookmark(desk, event_loop, -1),
                // Without a mouse there is nothing to hold.
                PadAction::Pick => {
                    if let Some(hit) = self.under_crosshair(&self.eye.pose()) {
                        self.picks.pick(hit);
                    }
                }
                action => {
                    if let Some(command) = command_of(action) {
                        self.obey(desk, event_loop, command);
                    }
                }
            }
        }
        self.pad_controls = desk.gamepads.controls(&self.options.settings.pad);
    }

    /// What keys and gamepad request of the camera.
    pub(super) fn controls(&self) -> Controls {
        both(self.keys.controls(), self.pad_controls)
    }

    /// Goes to the place that is remembered after or before the last one that a gamepad went to.
    fn step_bookmark(&mut self, desk: &mut Desk, event_loop: &ActiveEventLoop, step: isize) {
        let n_places = crate::bookmarks::N_PLACES as isize;
        let bookmarks = &self.options.bookmarks;
        let next = (1..=n_places)
            .map(|steps| (self.last_place as isize + step * steps).rem_euclid(n_places) as usize)
            .find(|index| bookmarks.recall(*index).is_some());
        self.last_place = next.unwrap_or(0);
        self.obey(desk, event_loop, Command::RecallBookmark(self.last_place));
    }
}

/// The command of an action that is done once and that keys have as well.
fn command_of(action: PadAction) -> Option<Command> {
    Some(match action {
        PadAction::ToggleMode => Command::ToggleMode,
        PadAction::Use => Command::Use,
        PadAction::Unpick => Command::Unpick,
        PadAction::GoHome => Command::GoHome,
        PadAction::TogglePanel => Command::TogglePanel,
        PadAction::ToggleHelp => Command::ToggleHelp,
        PadAction::ToggleMap => Command::ToggleMinimap,
        PadAction::ToggleStyle => Command::ToggleStyle,
        PadAction::Screenshot => Command::Screenshot,
        PadAction::TogglePhoto => Command::TogglePhoto,
        PadAction::Nothing
        | PadAction::Up
        | PadAction::Down
        | PadAction::Fast
        | PadAction::Faster
        | PadAction::Slower
        | PadAction::Pick
        | PadAction::NextBookmark
        | PadAction::PreviousBookmark => return None,
    })
}
