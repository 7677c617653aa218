//! Holding the mouse for looking around.

use winit::window::{CursorGrabMode, Window};

/// Whether the window holds the mouse.
#[derive(Debug, Default)]
pub struct MouseGrab {
    is_held: bool,
}

impl MouseGrab {
    /// Whether mouse movement turns the view.
    pub fn is_held(&self) -> bool {
        self.is_held
    }

    /// Hides the pointer and keeps it in the window. Where the system cannot do the one, the other helps.
    pub fn hold(&mut self, window: &Window) {
        // Locked keeps the pointer still; X11 only knows how to confine it.
        let held = window
            .set_cursor_grab(CursorGrabMode::Locked)
            .or_else(|_| window.set_cursor_grab(CursorGrabMode::Confined));
        if let Err(error) = held {
            log::warn!("the pointer cannot be kept in the window: {error}");
        }
        window.set_cursor_visible(false);
        self.is_held = true;
    }

    /// Shows the pointer again and lets it leave the window.
    pub fn release(&mut self, window: &Window) {
        if !self.is_held {
            return;
        }
        if let Err(error) = window.set_cursor_grab(CursorGrabMode::None) {
            log::warn!("the pointer cannot be let go: {error}");
        }
        window.set_cursor_visible(true);
        self.is_held = false;
    }
}
