//! The start screen in the window: its events, its frames, and what becomes of the user's wishes.

use std::path::PathBuf;

use winit::event::WindowEvent;
use winit::event_loop::ActiveEventLoop;

use super::app::App;
use super::desk::Desk;
use super::pane::{Pace, Pane, Request};
use super::screen::Screen;
use crate::dialogs::DialogKind;
use crate::error::AppError;
use crate::hud::{self, StartReply, StartView};

/// The start screen.
pub struct Start {
    pub pane: Pane,
    /// The flight that was left, to which one can go back.
    pub back: Option<Box<App>>,
    /// Whether the user goes back to it.
    pub goes_back: bool,
    /// The folder or archive whose files the user wants to see.
    pub browses: Option<PathBuf>,
}

impl Start {
    /// The start screen in a window, after a flight if there was one.
    pub fn new(screen: Option<Screen>, back: Option<Box<App>>) -> Self {
        Self {
            pane: Pane::new(screen),
            back,
            goes_back: false,
            browses: None,
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
        match self.pane.on_event(desk, event_loop, event)? {
            Request::Nothing => {}
            Request::Frame => return self.frame(desk),
            Request::ShowStart | Request::GoBack => self.goes_back = self.back.is_some(),
        }
        Ok(false)
    }

    fn frame(&mut self, desk: &mut Desk) -> Result<bool, AppError> {
        let Some(screen) = &mut self.pane.screen else {
            return Ok(false);
        };
        screen.ui_scale = desk.settings.ui_scale;
        let view = StartView {
            shelves: desk.library.shelves(),
            recent: desk.library.recent(),
            is_searching: desk.library.is_searching(),
            back_to: self.back.as_ref().map(|app| app.level().name()),
            chooses_second: desk.chooses_second,
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
        match reply {
            Some(StartReply::Open(path)) => desk.open(path),
            Some(StartReply::ChooseFile) => desk.dialogs.open(DialogKind::File, &screen.window),
            Some(StartReply::ChooseFolder) => desk.dialogs.open(DialogKind::Folder, &screen.window),
            Some(StartReply::Forget(folder)) => desk.library.forget(&folder),
            Some(StartReply::Browse(root)) => self.browses = Some(root),
            Some(StartReply::Back) => self.goes_back = true,
            None => {}
        }
        let is_busy = desk.library.is_searching()
            || desk.start.pictures.are_awaited()
            || desk.opening.progress().is_some()
            || desk.dialogs.is_open();
        self.pane.schedule(match is_busy {
            true => Pace::Waiting,
            false => Pace::Idle,
        });
        Ok(is_drawn)
    }
}
