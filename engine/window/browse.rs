//! The browser in the window: its events, its frames, the model that turns and the sound that plays in it.

mod model_view;
mod sound_view;
mod turning_model;

use std::path::PathBuf;
use std::time::Instant;

use glam::Vec2;
use winit::event::WindowEvent;
use winit::event_loop::ActiveEventLoop;

use self::model_view::ModelView;
use self::sound_view::SoundView;
pub use self::turning_model::TurningModel;
use super::app::App;
use super::desk::Desk;
use super::pane::{Pace, Pane, Request};
use super::screen::{LevelOnDevice, Screen};
use crate::browser::Browser;
use crate::dialogs::DialogKind;
use crate::error::AppError;
use crate::hud::{self, BrowserReply, WindowView};
use crate::renderer::FrameState;
use crate::scene::TileOptions;
use crate::words::tr;

/// The browser.
pub struct Browse {
    pub pane: Pane,
    /// The flight that was left.
    pub back: Option<Box<App>>,
    /// Whether one goes back to that flight, and not to the start screen.
    pub is_from_flight: bool,
    /// Whether the user goes back.
    pub goes_back: bool,
    /// The level of the flight that was left, as it is on the device.
    aside: Option<LevelOnDevice>,
    model: ModelView,
    sound: SoundView,
    last_frame: Option<Instant>,
}

impl Browse {
    /// The browser in a window, after a flight if there was one.
    pub fn new(
        mut screen: Option<Screen>,
        back: Option<Box<App>>,
        is_from_flight: bool,
        desk: &Desk,
    ) -> Self {
        let aside = screen.as_mut().and_then(Screen::take_level);
        Self {
            pane: Pane::new(screen),
            back,
            is_from_flight,
            goes_back: false,
            aside,
            model: ModelView::new(desk.opening.sibling()),
            sound: SoundView::default(),
            last_frame: None,
        }
    }

    /// The window, with the level of the flight that was left, and that flight.
    pub fn leave(&mut self) -> (Option<Screen>, Option<Box<App>>) {
        let mut screen = self.pane.screen.take();
        if let Some(screen) = &mut screen {
            screen.put_level(self.aside.take());
        }
        (screen, self.back.take())
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
            Request::ShowStart => {
                self.is_from_flight = false;
                self.goes_back = true;
            }
            Request::GoBack => self.goes_back = true,
        }
        Ok(false)
    }

    fn frame(&mut self, desk: &mut Desk) -> Result<bool, AppError> {
        let now = Instant::now();
        let elapsed = self.last_frame.replace(now).map(|last| now - last);
        let (Some(screen), Some(browser)) = (&mut self.pane.screen, &mut desk.browser) else {
            return Ok(false);
        };
        browser.update();
        screen.ui_scale = desk.settings.ui_scale;
        self.model.follow(browser.preview(), desk.settings);
        self.model.update(screen)?;
        self.model
            .change(|model| model.advance(elapsed.unwrap_or_default()));
        self.sound.follow(browser.preview());
        let heard_secs = self.sound.advance(desk.settings.volume);
        let back_to = match (&self.back, self.is_from_flight) {
            (Some(app), true) => app.level().name().to_owned(),
            _ => tr("all levels"),
        };
        let is_typing = screen.is_typing();
        let (mut reply, mut hole, mut is_read) = (None, None, false);
        let hud = &mut desk.browser_screen;
        let window = WindowView {
            is_model_shown: self.model.shown().is_some(),
            model_note: self.model.note(),
            animations: self.model.shown().map_or(&[], TurningModel::animations),
            animation: self.model.shown().and_then(TurningModel::animation),
            heard_secs,
            back_to: &back_to,
            is_typing,
        };
        let lay_out = |context: &egui::Context| {
            context.root_ui(|ui| (reply, hole) = hud.show(ui, browser, &window));
            is_read = (desk.refusal.as_ref()).is_some_and(|refusal| refusal.show(context));
            if let Some(progress) = desk.opening.progress() {
                hud::show_progress(context, &progress);
            }
        };
        let nothing = FrameState::default();
        let shown = self.model.shown().map(TurningModel::frame);
        let shown = shown.unwrap_or((&nothing, TileOptions::default()));
        let is_drawn = screen.draw(shown, lay_out)?.is_some();
        if is_read {
            desk.refusal = None;
        }
        let size = screen.egui.egui_ctx().content_rect().size();
        self.model.change(|model| model.place(hole, size));
        let is_moving = hole.is_some() || heard_secs.is_some();
        let is_busy = browser.is_busy()
            || self.model.is_opening()
            || desk.opening.progress().is_some()
            || desk.dialogs.is_open();
        self.pane.schedule(match (is_moving, is_busy) {
            (true, _) => Pace::Moving,
            (false, true) => Pace::Waiting,
            (false, false) => Pace::Idle,
        });
        if let Some(reply) = reply {
            self.grant(desk, reply);
        }
        Ok(is_drawn)
    }

    fn grant(&mut self, desk: &mut Desk, reply: BrowserReply) {
        match reply {
            BrowserReply::Back => self.goes_back = true,
            BrowserReply::Open(path) => desk.open(path),
            BrowserReply::Play => {
                let preview = desk.browser.as_ref().and_then(Browser::preview);
                if let Some(preview) = preview
                    && !self.sound.play(preview, desk.settings.volume)
                {
                    desk.refuse(hud::Refusal {
                        text: tr("There is no sound device."),
                    });
                }
            }
            BrowserReply::Stop => self.sound.stop(),
            BrowserReply::ChooseFolder => {
                if let Some(screen) = &self.pane.screen {
                    desk.dialogs.open(DialogKind::ExportFolder, &screen.window);
                }
            }
            BrowserReply::Turn(pixels) => {
                let pixels = Vec2::new(pixels.x, pixels.y);
                self.model.change(|model| model.turn(pixels));
            }
            BrowserReply::Near(notches) => self.model.change(|model| model.go_nearer(notches)),
            BrowserReply::Animate(animation) => {
                self.model.change(|model| model.animate(animation));
            }
        }
        self.pane.hurry();
    }
}

/// The folder whose files are browsed from a level or model: its own, or what a level's file or a model lies in.
pub fn files_of(path: &std::path::Path) -> (PathBuf, Option<PathBuf>) {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    match path.is_dir() {
        true => (path, None),
        false => {
            let root = path.ancestors().skip(1).find(|above| above.exists());
            (root.unwrap_or(&path).to_owned(), Some(path.clone()))
        }
    }
}
