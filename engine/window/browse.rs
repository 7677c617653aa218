//! The browser in the window: its events, its frames, the model that turns and the sound that plays in it.

mod model_view;
mod sound_view;

use std::path::PathBuf;
use std::time::{Duration, Instant};

use glam::Vec2;
use winit::event::{ElementState, WindowEvent};
use winit::event_loop::{ActiveEventLoop, ControlFlow};
use winit::keyboard::{KeyCode, PhysicalKey};

use self::model_view::ModelView;
use self::sound_view::SoundView;
use super::app::App;
use super::desk::Desk;
use super::screen::{LevelOnDevice, Screen};
use crate::browser::Browser;
use crate::dialogs::DialogKind;
use crate::error::AppError;
use crate::hud::{self, BrowserReply, WindowView};
use crate::input::{self, Command, Pressed};
use crate::renderer::FrameState;
use crate::scene::TileOptions;

/// How often what other threads found is looked for.
const POLL_TIME: Duration = Duration::from_millis(50);
/// How long a frame stays at most where nothing is expected.
const IDLE_TIME: Duration = Duration::from_secs(1);
/// How long it stays at least.
const SHORTEST: Duration = Duration::from_millis(1);

/// The browser.
pub struct Browse {
    pub screen: Option<Screen>,
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
    is_ctrl_held: bool,
    is_hidden: bool,
    last_frame: Option<Instant>,
    next_frame: Instant,
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
            screen,
            back,
            is_from_flight,
            goes_back: false,
            aside,
            model: ModelView::new(desk.opening.sibling()),
            sound: SoundView::default(),
            is_ctrl_held: false,
            is_hidden: false,
            last_frame: None,
            next_frame: Instant::now(),
        }
    }

    /// The window, with the level of the flight that was left, and that flight.
    pub fn leave(&mut self) -> (Option<Screen>, Option<Box<App>>) {
        let mut screen = self.screen.take();
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
            Some(Pressed::Once(Command::ShowStart)) if !screen.is_typing() => {
                self.is_from_flight = false;
                self.goes_back = true;
            }
            Some(Pressed::Once(Command::Release)) if screen.is_typing() => screen.stop_typing(),
            Some(Pressed::Once(Command::Release)) => {
                let has_closed = desk.refusal.take().is_some() || desk.opening.stop();
                self.goes_back = !has_closed;
            }
            _ => return false,
        }
        true
    }

    fn frame(&mut self, desk: &mut Desk) -> Result<bool, AppError> {
        let now = Instant::now();
        let elapsed = self.last_frame.replace(now).map(|last| now - last);
        let (Some(screen), Some(browser)) = (&mut self.screen, &mut desk.browser) else {
            return Ok(false);
        };
        browser.update();
        screen.ui_scale = desk.settings.ui_scale;
        self.model.follow(browser.preview(), desk.settings);
        self.model.update(screen)?;
        self.model.advance(elapsed.unwrap_or_default());
        self.sound.follow(browser.preview());
        let heard_secs = self.sound.advance(desk.settings.volume);
        let back_to = match (&self.back, self.is_from_flight) {
            (Some(app), true) => app.level().name().to_owned(),
            _ => "all levels".to_owned(),
        };
        let is_typing = screen.is_typing();
        let (mut reply, mut hole, mut is_read) = (None, None, false);
        let hud = &mut desk.browser_screen;
        let window = WindowView {
            is_model_shown: self.model.is_shown(),
            model_note: self.model.note(),
            animations: self.model.animations(),
            animation: self.model.animation(),
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
        let is_drawn = match self.model.frame() {
            Some((state, tiles)) => screen.draw((state, tiles), lay_out)?.is_some(),
            None => {
                let nothing = FrameState::default();
                let tiles = TileOptions::default();
                screen.draw((&nothing, tiles), lay_out)?.is_some()
            }
        };
        if is_read {
            desk.refusal = None;
        }
        let size = screen.egui.egui_ctx().content_rect().size();
        self.model.place(hole, size);
        let is_moving = hole.is_some() || heard_secs.is_some();
        let is_busy = browser.is_busy()
            || self.model.is_opening()
            || desk.opening.progress().is_some()
            || desk.dialogs.is_open();
        let longest = match (is_moving, is_busy) {
            (true, _) => SHORTEST,
            (false, true) => POLL_TIME,
            (false, false) => IDLE_TIME,
        };
        self.next_frame = Instant::now() + screen.next_frame_in().clamp(SHORTEST, longest);
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
                        text: "There is no sound device.".to_owned(),
                    });
                }
            }
            BrowserReply::Stop => self.sound.stop(),
            BrowserReply::ChooseFolder => {
                if let Some(screen) = &self.screen {
                    desk.dialogs.open(DialogKind::ExportFolder, &screen.window);
                }
            }
            BrowserReply::Turn(pixels) => self.model.turn(Vec2::new(pixels.x, pixels.y)),
            BrowserReply::Near(notches) => self.model.go_nearer(notches),
            BrowserReply::Animate(animation) => self.model.animate(animation),
        }
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
