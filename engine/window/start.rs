//! The start screen in the window: its events, its frames, and what becomes of the user's wishes.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use winit::event::{ElementState, WindowEvent};
use winit::event_loop::{ActiveEventLoop, ControlFlow};
use winit::keyboard::{KeyCode, PhysicalKey};

use super::app::App;
use super::desk::Desk;
use super::screen::Screen;
use crate::dialogs::DialogKind;
use crate::error::AppError;
use crate::hud::{self, StartReply, StartView};
use crate::input::{self, Command, Pressed};

/// How often what other threads found is looked for.
const POLL_TIME: Duration = Duration::from_millis(100);
/// How long a frame stays at most where nothing is expected.
const IDLE_TIME: Duration = Duration::from_secs(1);
/// How long it stays at least.
const SHORTEST: Duration = Duration::from_millis(1);

/// The start screen.
pub struct Start {
    pub screen: Option<Screen>,
    /// The flight that was left, to which one can go back.
    pub back: Option<Box<App>>,
    /// Whether the user goes back to it.
    pub goes_back: bool,
    /// The folder or archive whose files the user wants to see.
    pub browses: Option<PathBuf>,
    is_ctrl_held: bool,
    is_hidden: bool,
    next_frame: Instant,
}

impl Start {
    /// The start screen in a window, after a flight if there was one.
    pub fn new(screen: Option<Screen>, back: Option<Box<App>>) -> Self {
        Self {
            screen,
            back,
            goes_back: false,
            browses: None,
            is_ctrl_held: false,
            is_hidden: false,
            next_frame: Instant::now(),
        }
    }

    /// Acts on an event; true if a frame was shown.
    ///
    /// # Errors
    /// The driver gives up.
    pub fn on_event(
        &mut self,
        desk: &mut Desk,
        event_loop: &ActiveEventLoop,
        event: &WindowEvent,
    ) -> Result<bool, AppError> {
        let Some(screen) = &mut self.screen else {
            return Ok(false);
        };
        match event {
            WindowEvent::RedrawRequested => return self.frame(desk),
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
                    && self.on_key(desk, event_loop, key)
                {
                    self.next_frame = Instant::now();
                    return Ok(false);
                }
            }
            _ => {}
        }
        if let Some(screen) = &mut self.screen
            && screen.egui.on_window_event(&screen.window, event).repaint
        {
            self.next_frame = Instant::now();
        }
        Ok(false)
    }

    /// Acts on a key that does something here; false for all others.
    fn on_key(&mut self, desk: &mut Desk, event_loop: &ActiveEventLoop, key: KeyCode) -> bool {
        let Some(screen) = &self.screen else {
            return false;
        };
        match input::on_key(key, self.is_ctrl_held) {
            Some(Pressed::Once(Command::Quit)) => event_loop.exit(),
            Some(Pressed::Once(Command::ToggleFullscreen)) => screen.toggle_fullscreen(),
            Some(Pressed::Once(Command::OpenFile)) => {
                desk.dialogs.open(DialogKind::File, &screen.window);
            }
            Some(Pressed::Once(Command::ShowStart)) => self.goes_back = self.back.is_some(),
            Some(Pressed::Once(Command::Release)) if screen.is_typing() => screen.stop_typing(),
            Some(Pressed::Once(Command::Release)) => {
                let has_closed = desk.refusal.take().is_some() || desk.opening.stop();
                self.goes_back = !has_closed && self.back.is_some();
            }
            _ => return false,
        }
        true
    }

    fn frame(&mut self, desk: &mut Desk) -> Result<bool, AppError> {
        let Some(screen) = &mut self.screen else {
            return Ok(false);
        };
        screen.ui_scale = desk.settings.ui_scale;
        let view = StartView {
            shelves: desk.library.shelves(),
            recent: desk.library.recent(),
            is_searching: desk.library.is_searching(),
            back_to: self.back.as_ref().map(|app| app.level().name()),
        };
        let (mut reply, mut is_read) = (None, false);
        let start = &mut desk.start;
        let is_drawn = screen.draw_alone(|context| {
            context.root_ui(|ui| reply = start.show(ui, &view));
            is_read = desk
                .refusal
                .as_ref()
                .is_some_and(|refusal| refusal.show(context));
            if let Some(progress) = desk.opening.progress() {
                hud::show_progress(context, &progress);
            }
        })?;
        if is_read {
            desk.refusal = None;
        }
        let is_busy = desk.library.is_searching()
            || desk.start.pictures.are_awaited()
            || desk.opening.progress().is_some()
            || desk.dialogs.is_open();
        let longest = if is_busy { POLL_TIME } else { IDLE_TIME };
        self.next_frame = Instant::now() + screen.next_frame_in().clamp(SHORTEST, longest);
        match reply {
            Some(StartReply::Open(path)) => desk.open(path),
            Some(StartReply::ChooseFile) => desk.dialogs.open(DialogKind::File, &screen.window),
            Some(StartReply::ChooseFolder) => desk.dialogs.open(DialogKind::Folder, &screen.window),
            Some(StartReply::Forget(folder)) => desk.library.forget(&folder),
            Some(StartReply::Browse(root)) => self.browses = Some(root),
            Some(StartReply::Back) => self.goes_back = true,
            None => {}
        }
        Ok(is_drawn)
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
