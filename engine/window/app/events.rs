//! What each event of the window does.

use std::time::Instant;

use winit::dpi::PhysicalPosition;
use winit::event::{
    DeviceEvent, ElementState, KeyEvent, MouseButton, MouseScrollDelta, WindowEvent,
};
use winit::event_loop::{ActiveEventLoop, ControlFlow};
use winit::keyboard::{KeyCode, PhysicalKey};

use super::App;
use crate::input::{self, Drag, Keymap, Pressed};
use crate::settings::Settings;
use crate::window::desk::Desk;

/// A touchpad scrolls by pixels; this many are a notch of a wheel.
const PIXELS_PER_NOTCH: f64 = 40.0;

impl App {
    /// Acts on an event of the window.
    pub fn on_event(&mut self, desk: &mut Desk, event_loop: &ActiveEventLoop, event: WindowEvent) {
        let is_for_hud = self.is_for_hud(&event);
        match event {
            WindowEvent::RedrawRequested => self.frame(desk, event_loop),
            WindowEvent::Resized(size) => {
                if let Some(screen) = &mut self.screen
                    && let Err(error) = screen.resize(size)
                {
                    self.fail(event_loop, error);
                }
                self.is_hidden = size.width == 0 || size.height == 0;
            }
            WindowEvent::Occluded(is_occluded) => self.is_hidden = is_occluded,
            WindowEvent::Focused(false) => {
                // Key releases go elsewhere from now on.
                self.keys.release_all();
                self.is_ctrl_held = false;
                self.drag = None;
                self.drop_stroke();
                self.release_mouse();
                // A gamepad is not for this window then.
                self.is_in_background = true;
                desk.gamepads.release_all();
            }
            WindowEvent::Focused(true) => self.is_in_background = false,
            WindowEvent::HoveredFile(path) => {
                let name = path.file_name().unwrap_or(path.as_os_str());
                self.show_message(format!("drop {} here to open it", name.to_string_lossy()));
            }
            WindowEvent::CursorMoved { position, .. } => self.on_pointer(position),
            WindowEvent::ModifiersChanged(modifiers) => {
                self.is_ctrl_held = modifiers.state().control_key();
            }
            WindowEvent::KeyboardInput { event, .. } if !is_for_hud => {
                self.on_key(desk, event_loop, &event);
            }
            WindowEvent::MouseInput {
                state: ElementState::Pressed,
                button,
                ..
            } if !is_for_hud => self.on_button(desk, event_loop, button),
            WindowEvent::MouseInput {
                state: ElementState::Released,
                button,
                ..
            } => {
                self.drag = None;
                self.end_edit(button);
            }
            WindowEvent::MouseWheel { delta, .. } if !is_for_hud => {
                self.eye.roll(match delta {
                    MouseScrollDelta::LineDelta(_, lines) => lines,
                    MouseScrollDelta::PixelDelta(pixels) => (pixels.y / PIXELS_PER_NOTCH) as f32,
                });
            }
            // Other events concern egui alone, or are unused.
            _ => {}
        }
    }

    /// Turns the view with the mouse.
    pub fn on_device_event(&mut self, event: DeviceEvent) {
        if let DeviceEvent::MouseMotion { delta: (x, y) } = event
            && self.mouse.is_held()
        {
            let Settings {
                mouse_speed,
                invert_mouse,
                ..
            } = self.options.settings;
            let down = if invert_mouse { -y } else { y };
            self.eye
                .look(x as f32 * mouse_speed, down as f32 * mouse_speed);
        }
    }

    /// Before the event loop waits: frames go on while they are seen.
    pub fn about_to_wait(&mut self, event_loop: &ActiveEventLoop) {
        let now = Instant::now();
        self.retry_at.take_if(|retry_at| *retry_at <= now);
        match (self.retry_at, &self.screen) {
            (Some(retry_at), _) => event_loop.set_control_flow(ControlFlow::WaitUntil(retry_at)),
            (None, Some(screen)) => {
                event_loop.set_control_flow(ControlFlow::Wait);
                if self.is_hidden {
                    // The time until it is seen again is no frame.
                    self.last_frame = None;
                } else {
                    screen.window.request_redraw();
                }
            }
            (None, None) => event_loop.set_control_flow(ControlFlow::Wait),
        }
    }

    fn on_key(&mut self, desk: &mut Desk, event_loop: &ActiveEventLoop, event: &KeyEvent) {
        let PhysicalKey::Code(key) = event.physical_key else {
            return;
        };
        match event.state {
            ElementState::Released => self.keys.release(key),
            ElementState::Pressed if event.repeat => {}
            ElementState::Pressed if self.options.key_choice.awaited.is_some() => {
                self.choose_key(key);
            }
            ElementState::Pressed => match input::on_key(key, self.is_ctrl_held) {
                Some(Pressed::Hold(_)) => self.keys.press(key),
                Some(Pressed::Once(command)) => self.obey(desk, event_loop, command),
                None => {}
            },
        }
    }

    /// Gives the command that awaits one a key. Esc and the Ctrl keys themselves are none.
    fn choose_key(&mut self, key: KeyCode) {
        if matches!(key, KeyCode::ControlLeft | KeyCode::ControlRight) {
            return;
        }
        let awaited = self.options.key_choice.awaited.take();
        if let Some(index) = awaited.filter(|_| key != KeyCode::Escape) {
            let ctrl = self.is_ctrl_held;
            self.change_keys(|keymap| keymap.assign(index, key, ctrl));
        }
    }

    /// Changes the keys, and says why they are not kept.
    pub(super) fn change_keys(&mut self, change: impl FnOnce(&mut Keymap)) {
        self.keys.release_all();
        if let Err(error) = input::change_keymap(change) {
            self.show_message(error.chain());
        }
    }

    fn on_button(&mut self, desk: &mut Desk, event_loop: &ActiveEventLoop, button: MouseButton) {
        if self.edit_button(button) {
            return;
        }
        if self.eye.orbit().is_some() {
            self.drag = input::on_drag(button);
        } else if let Some(command) = input::on_button(button) {
            self.obey(desk, event_loop, command);
        }
    }

    fn on_pointer(&mut self, position: PhysicalPosition<f64>) {
        let Some(screen) = &mut self.screen else {
            return;
        };
        let moved = screen.move_pointer(position);
        match self.drag {
            Some(Drag::Turn) => self.eye.turn(moved),
            Some(Drag::Pan) => self.eye.pan(moved, screen.size()[0]),
            None => {}
        }
    }

    /// Lets egui have what is meant for it; true if it is not for the flight then.
    fn is_for_hud(&mut self, event: &WindowEvent) -> bool {
        let Some(screen) = &mut self.screen else {
            return false;
        };
        let is_pointer = matches!(
            event,
            WindowEvent::MouseInput { .. }
                | WindowEvent::MouseWheel { .. }
                | WindowEvent::CursorMoved { .. }
        );
        if let WindowEvent::KeyboardInput { event: key, .. } = event {
            let is_for_field = screen.is_typing() && is_for_field(key, self.is_ctrl_held);
            // The HUD gets every release, even if it did not get the press. Else keys must not walk through its switches.
            if is_for_field || key.state == ElementState::Released {
                let _ = screen.egui.on_window_event(&screen.window, event);
            }
            return is_for_field && key.state == ElementState::Pressed;
        }
        if is_pointer && self.mouse.is_held() {
            return false;
        }
        let is_over_hud = screen.is_pointer_over_hud();
        let is_consumed = screen.egui.on_window_event(&screen.window, event).consumed;
        if is_pointer { is_over_hud } else { is_consumed }
    }
}

/// Whether a key goes to the field that takes text.
fn is_for_field(event: &KeyEvent, is_ctrl_held: bool) -> bool {
    match event.physical_key {
        // It would only lead to the next switch.
        PhysicalKey::Code(KeyCode::Tab) => false,
        PhysicalKey::Code(key) => !input::acts_while_typing(key, is_ctrl_held),
        // It may type something nevertheless.
        PhysicalKey::Unidentified(_) => true,
    }
}
