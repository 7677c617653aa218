//! The window while panels fill it: its events, and when its next frame is due.
//!
//! The start screen and the browser draw only when something changes, and share what keys do in both.

use std::time::{Duration, Instant};

use winit::event::{ElementState, WindowEvent};
use winit::event_loop::{ActiveEventLoop, ControlFlow};
use winit::keyboard::{KeyCode, PhysicalKey};

use super::desk::Desk;
use super::screen::Screen;
use crate::dialogs::DialogKind;
use crate::error::AppError;
use crate::input::{self, Command, Pressed};

/// How often what other threads found is looked for.
const POLL_TIME: Duration = Duration::from_millis(50);
/// How long a frame stays at most where nothing is expected.
const IDLE_TIME: Duration = Duration::from_secs(1);
/// How long it stays at least.
const SHORTEST: Duration = Duration::from_millis(1);

/// The window, and what is held and due in it.
pub struct Pane {
    pub screen: Option<Screen>,
    is_ctrl_held: bool,
    is_hidden: bool,
    next_frame: Instant,
}

/// What an event requests of what fills the window.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Request {
    Nothing,
    /// Draw a frame.
    Frame,
    /// Go to the start screen.
    ShowStart,
    /// Go back to what was shown before.
    GoBack,
}

/// What is going on in a frame, which decides how long it stays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pace {
    /// Something moves.
    Moving,
    /// Other threads are about to bring something.
    Waiting,
    /// Nothing is expected.
    Idle,
}

impl Pane {
    /// A frame is due at once.
    pub fn new(screen: Option<Screen>) -> Self {
        Self {
            screen,
            is_ctrl_held: false,
            is_hidden: false,
            next_frame: Instant::now(),
        }
    }

    /// Takes an event of the window.
    ///
    /// # Errors
    /// The driver gives up.
    pub fn on_event(
        &mut self,
        desk: &mut Desk,
        event_loop: &ActiveEventLoop,
        event: &WindowEvent,
    ) -> Result<Request, AppError> {
        let Some(screen) = &mut self.screen else {
            return Ok(Request::Nothing);
        };
        match event {
            WindowEvent::RedrawRequested => return Ok(Request::Frame),
            WindowEvent::Resized(size) => {
                screen.resize(*size)?;
                self.is_hidden = size.width == 0 || size.height == 0;
            }
            WindowEvent::Occluded(is_occluded) => self.is_hidden = *is_occluded,
            WindowEvent::ModifiersChanged(modifiers) => {
                self.is_ctrl_held = modifiers.state().control_key();
            }
            WindowEvent::KeyboardInput { event, .. }
                if event.state == ElementState::Pressed && !event.repeat =>
            {
                if let PhysicalKey::Code(key) = event.physical_key
                    && let Some(request) = on_key(screen, desk, event_loop, key, self.is_ctrl_held)
                {
                    self.next_frame = Instant::now();
                    return Ok(request);
                }
            }
            _ => {}
        }
        if screen.egui.on_window_event(&screen.window, event).repaint {
            self.next_frame = Instant::now();
        }
        Ok(Request::Nothing)
    }

    /// A frame was drawn: the next one is due when its panels want it, or at the given pace.
    pub fn schedule(&mut self, pace: Pace) {
        let longest = match pace {
            Pace::Moving => SHORTEST,
            Pace::Waiting => POLL_TIME,
            Pace::Idle => IDLE_TIME,
        };
        let wanted = self.screen.as_ref().map(Screen::next_frame_in);
        let wanted = wanted.unwrap_or(longest).clamp(SHORTEST, longest);
        self.next_frame = Instant::now() + wanted;
    }

    /// A frame is due at once.
    pub fn hurry(&mut self) {
        self.next_frame = Instant::now();
    }

    /// Before the event loop waits: draws when it is time to.
    pub fn about_to_wait(&mut self, event_loop: &ActiveEventLoop) {
        let now = Instant::now();
        match &self.screen {
            Some(screen) if self.next_frame <= now && !self.is_hidden => {
                self.next_frame = now + POLL_TIME;
                screen.window.request_redraw();
            }
            _ => self.next_frame = self.next_frame.max(now),
        }
        let next = self.next_frame.max(now + SHORTEST);
        event_loop.set_control_flow(ControlFlow::WaitUntil(next));
    }
}

/// Acts on a key; `None` for one that does nothing here, which panels get.
fn on_key(
    screen: &Screen,
    desk: &mut Desk,
    event_loop: &ActiveEventLoop,
    key: KeyCode,
    is_ctrl_held: bool,
) -> Option<Request> {
    let Some(Pressed::Once(command)) = input::on_key(key, is_ctrl_held) else {
        return None;
    };
    match command {
        Command::Release if screen.is_typing() => screen.stop_typing(),
        // A field gets what it can type.
        _ if screen.is_typing() && !input::acts_while_typing(key, is_ctrl_held) => return None,
        Command::Quit => event_loop.exit(),
        Command::ToggleFullscreen => screen.toggle_fullscreen(),
        Command::OpenFile => desk.dialogs.open(DialogKind::File, &screen.window),
        Command::ShowStart => return Some(Request::ShowStart),
        Command::Release => {
            let has_closed = desk.refusal.take().is_some() || desk.opening.stop();
            return Some(match has_closed {
                true => Request::Nothing,
                false => Request::GoBack,
            });
        }
        _ => return None,
    }
    Some(Request::Nothing)
}
