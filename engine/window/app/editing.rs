//! Editing a level with the mouse and keys of the window.

use winit::event::MouseButton;

use super::App;
use crate::editing::{EditCommand, EditWish, Editing};
use crate::renderer::{Camera, FrameState};
use crate::sim::Ray;
use crate::sim::world::WorldHit;

impl App {
    /// Before a frame: takes a stroke on, and shows what would change.
    pub(super) fn edit(&mut self, state: &mut FrameState) {
        if self.options.photo.is_on {
            return;
        }
        let at = self.edited_place(&state.camera);
        let Some(editing) = &mut self.editing else {
            return;
        };
        editing.update(at.as_ref(), self.options.tile_shape(), state);
        if let Some(text) = editing.poll() {
            self.show_message(text);
        }
    }

    /// A button was pressed over the picture; whether that was for editing.
    pub(super) fn edit_button(&mut self, button: MouseButton) -> bool {
        let at = self.edited_place(&self.state.camera);
        let Some(editing) = self.editing.as_mut().filter(|editing| editing.is_on) else {
            return false;
        };
        match button {
            MouseButton::Left => {
                if let Some(at) = at {
                    editing.press(&at);
                }
            }
            MouseButton::Right if editing.cancel() => {}
            MouseButton::Right => self.toggle_mouse_hold(),
            _ => return false,
        }
        if let Some(screen) = &self.screen {
            screen.stop_typing();
        }
        true
    }

    /// A button was released.
    pub(super) fn end_edit(&mut self, button: MouseButton) {
        let editing = self
            .editing
            .as_mut()
            .filter(|_| button == MouseButton::Left);
        if let Some(text) = editing.and_then(Editing::release) {
            self.show_message(text);
        }
    }

    /// Keys go elsewhere from now on.
    pub(super) fn drop_stroke(&mut self) {
        if let Some(editing) = &mut self.editing {
            editing.cancel();
        }
    }

    pub(super) fn obey_edit(&mut self, command: EditCommand) {
        let text = match &mut self.editing {
            Some(editing) => editing.grant(EditWish::Command(command)),
            None => "this level cannot be edited".to_owned(),
        };
        self.show_message(text);
    }

    /// Grants what the panel wants.
    pub(super) fn grant_edit_wish(&mut self) {
        if let Some(editing) = &mut self.editing
            && let Some(wish) = editing.wish.take()
        {
            let text = editing.grant(wish);
            self.show_message(text);
        }
    }

    /// Copies the place that is picked, or else pointed at.
    pub(super) fn copy_place(&mut self) {
        let hit = self
            .picks
            .last()
            .or_else(|| self.under_crosshair(&self.eye.pose()));
        let (Some(hit), Some(screen)) = (hit, &self.screen) else {
            return self.show_message("there is no place to copy".to_owned());
        };
        let text = self.loaded.level.world.place_text(&hit);
        screen.egui.egui_ctx().copy_text(text.clone());
        self.show_message(format!("copied: {text}"));
    }

    fn toggle_mouse_hold(&mut self) {
        match (&self.screen, self.mouse.is_held()) {
            (Some(screen), false) => self.mouse.hold(&screen.window),
            _ => self.release_mouse(),
        }
    }

    /// What the crosshair is on while the mouse is held, else what the pointer is on; `None` unless the mouse edits.
    fn edited_place(&self, camera: &Camera) -> Option<WorldHit> {
        let editing = self.editing.as_ref()?;
        let screen = self.screen.as_ref().filter(|_| editing.is_on)?;
        if self.mouse.is_held() {
            return self.under_crosshair(&self.eye.pose());
        }
        if screen.is_pointer_over_hud() {
            return None;
        }
        let (pointer, size) = self.pointer_in_picture(screen)?;
        let ray = Ray {
            origin: camera.position,
            direction: camera.direction_through(pointer, size),
        };
        let land = self.options.land.as_ref();
        self.loaded.level.pick(&ray, self.poser.poses(), land)
    }
}
