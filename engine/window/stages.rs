//! What the window shows, one after the other: the start screen, the browser of files, and flights.

use std::sync::Arc;
use std::time::Duration;

use winit::application::ApplicationHandler;
use winit::event::{DeviceEvent, DeviceId, WindowEvent};
use winit::event_loop::ActiveEventLoop;
use winit::keyboard::PhysicalKey;
use winit::window::WindowId;

use super::First;
use super::app::App;
use super::browse::{Browse, files_of};
use super::desk::Desk;
use super::opening::{Loaded, Opened};
use super::screen::Screen;
use super::start::Start;
use crate::error::AppError;
use crate::headless::check_interrupt;
use crate::hud::Refusal;
use crate::input::learn_key;
use crate::program::running_for;

/// The window's stages, of which one is shown.
pub struct Stages {
    desk: Desk,
    stage: Stage,
    /// With a number, frames are measured along the circle and the window closes after them.
    n_frames: Option<u32>,
    failure: Option<AppError>,
    has_drawn: bool,
}

enum Stage {
    Start(Box<Start>),
    Browser(Box<Browse>),
    Flight(Box<App>),
}

impl Stages {
    /// Begins with the start screen or a flight when the window opens.
    pub fn new(first: First, mut desk: Desk, n_frames: Option<u32>) -> Self {
        let stage = match first {
            First::Start(path) => {
                if let Some(path) = path {
                    desk.open(path);
                }
                Stage::Start(Box::new(Start::new(None, None)))
            }
            First::Level(loaded, second) => {
                desk.note_opened(&loaded);
                let mut app = App::new(loaded, &desk.registry, n_frames);
                app.begin_beside(second);
                Stage::Flight(Box::new(app))
            }
        };
        Self {
            desk,
            stage,
            n_frames,
            failure: None,
            has_drawn: false,
        }
    }

    /// Whether a frame was shown.
    pub fn has_drawn(&self) -> bool {
        let is_flown = matches!(&self.stage, Stage::Flight(app) if app.has_drawn());
        self.has_drawn || is_flown
    }

    /// What the measured frames took, or why it ended early.
    ///
    /// # Errors
    /// What went wrong inside the event loop.
    pub fn finish(self) -> Result<Vec<Duration>, AppError> {
        match (self.failure, self.stage) {
            (Some(failure), _) => Err(failure),
            (None, Stage::Flight(app)) => app.finish(),
            (None, Stage::Start(_) | Stage::Browser(_)) => Ok(Vec::new()),
        }
    }

    fn screen_mut(&mut self) -> &mut Option<Screen> {
        match &mut self.stage {
            Stage::Start(start) => &mut start.pane.screen,
            Stage::Browser(browse) => &mut browse.pane.screen,
            Stage::Flight(app) => &mut app.screen,
        }
    }

    fn fail(&mut self, event_loop: &ActiveEventLoop, error: AppError) {
        self.failure.get_or_insert(error);
        event_loop.exit();
    }

    /// Takes what other threads and dialogs brought, and changes stages as the user wants.
    fn proceed(&mut self) {
        self.desk.library.update();
        self.desk.take_chosen();
        match self.desk.opening.fetch() {
            None => {}
            Some(Ok(Opened::One(loaded))) if self.desk.chooses_second => self.compare(*loaded),
            Some(Ok(Opened::One(loaded))) => {
                if let Err(error) = self.fly(*loaded) {
                    self.desk.refuse(Refusal::new(&error));
                }
            }
            Some(Ok(Opened::Several(path, entries))) => {
                self.desk.offer(&path, entries);
                self.show_start();
            }
            Some(Ok(Opened::Files { root, wanted })) => {
                self.desk.browse(&root, wanted);
                self.show_browser();
            }
            Some(Err(refusal)) => self.desk.refuse(refusal),
        }
        match &mut self.stage {
            Stage::Flight(app) if app.wants_start => {
                app.wants_start = false;
                self.show_start();
            }
            Stage::Flight(app) if app.wants_comparison => {
                app.wants_comparison = false;
                self.show_start();
                self.desk.chooses_second = true;
            }
            Stage::Flight(app) if app.wants_files => {
                app.wants_files = false;
                let (root, wanted) = files_of(&app.level().path);
                self.desk.browse(&root, wanted);
                self.show_browser();
            }
            Stage::Start(start) if start.goes_back => self.go_back(),
            Stage::Start(start) => {
                if let Some(root) = start.browses.take() {
                    self.desk.browse(&root, None);
                    self.show_browser();
                }
            }
            Stage::Browser(browse) if browse.goes_back => self.leave_browser(),
            _ => {}
        }
    }

    /// Goes back to the flight that was left, and shows another level beside it.
    fn compare(&mut self, second: Loaded) {
        match &self.stage {
            Stage::Start(_) => self.go_back(),
            Stage::Browser(_) => self.leave_browser(),
            Stage::Flight(_) => {}
        }
        self.desk.chooses_second = false;
        if let Stage::Flight(app) = &mut self.stage {
            app.compare_with(Arc::new(second));
        }
    }

    /// Begins a flight in the window of what was shown before.
    fn fly(&mut self, loaded: Loaded) -> Result<(), AppError> {
        if let Some(screen) = self.screen_mut() {
            screen.show_level(&loaded.level)?;
            screen.show_beside(None)?;
            screen.set_title(Some(&loaded.level));
        }
        self.desk.note_opened(&loaded);
        let mut next = App::new(Arc::new(loaded), &self.desk.registry, self.n_frames);
        next.screen = self.screen_mut().take();
        next.options.settings = self.desk.settings;
        if let Stage::Flight(before) = &mut self.stage {
            next.follow(before);
        }
        self.stage = Stage::Flight(Box::new(next));
        Ok(())
    }

    /// Leaves the flight for the start screen.
    fn show_start(&mut self) {
        let screen = self.screen_mut().take();
        if let Some(screen) = &screen {
            screen.set_title(None);
        }
        let start = Stage::Start(Box::new(Start::new(screen, None)));
        if let Stage::Flight(mut app) = std::mem::replace(&mut self.stage, start)
            && let Stage::Start(start) = &mut self.stage
        {
            if let Some(screen) = &start.pane.screen {
                app.pause(screen);
            }
            start.back = Some(app);
        }
    }

    /// Leaves the flight or the start screen for the browser.
    fn show_browser(&mut self) {
        if matches!(self.stage, Stage::Browser(_)) {
            return;
        }
        let screen = self.screen_mut().take();
        if let Some(screen) = &screen {
            screen.set_title(None);
        }
        self.desk.start.pictures.pause();
        let nothing = Stage::Start(Box::new(Start::new(None, None)));
        let (back, is_from_flight) = match std::mem::replace(&mut self.stage, nothing) {
            Stage::Flight(mut app) => {
                if let Some(screen) = &screen {
                    app.pause(screen);
                }
                (Some(app), true)
            }
            Stage::Start(start) => (start.back, false),
            Stage::Browser(_) => (None, false),
        };
        let browse = Browse::new(screen, back, is_from_flight, &self.desk);
        self.stage = Stage::Browser(Box::new(browse));
    }

    /// Leaves the browser for the flight that it was opened from, or for the start screen.
    fn leave_browser(&mut self) {
        let Stage::Browser(browse) = &mut self.stage else {
            return;
        };
        let goes_to_flight = browse.is_from_flight;
        let (screen, back) = browse.leave();
        let mut start = Start::new(screen, back);
        start.goes_back = goes_to_flight;
        self.stage = Stage::Start(Box::new(start));
        if goes_to_flight {
            self.go_back();
        }
    }

    /// Continues the flight that was left.
    fn go_back(&mut self) {
        self.desk.chooses_second = false;
        if let Stage::Start(start) = &mut self.stage
            && let Some(mut app) = start.back.take()
        {
            app.screen = start.pane.screen.take();
            app.options.settings = self.desk.settings;
            if let Some(screen) = &app.screen {
                screen.set_title(Some(app.level()));
            }
            app.resume();
            self.desk.start.pictures.pause();
            self.stage = Stage::Flight(app);
        }
    }
}

impl ApplicationHandler for Stages {
    fn resumed(&mut self, event_loop: &ActiveEventLoop) {
        if self.screen_mut().is_some() {
            return;
        }
        let opened = Screen::open(event_loop, &self.desk.screen_options).and_then(|mut screen| {
            if let Stage::Flight(app) = &mut self.stage {
                app.show_on(&mut screen)?;
                app.restart_clock();
            }
            Ok(screen)
        });
        match opened {
            Ok(screen) => *self.screen_mut() = Some(screen),
            Err(error) => self.fail(event_loop, error),
        }
    }

    fn window_event(&mut self, event_loop: &ActiveEventLoop, _: WindowId, event: WindowEvent) {
        match event {
            WindowEvent::CloseRequested => return event_loop.exit(),
            WindowEvent::DroppedFile(path) => return self.desk.open(path),
            // With Ctrl held, keys type control characters, which are on no cap.
            WindowEvent::KeyboardInput { ref event, .. } => {
                if let PhysicalKey::Code(key) = event.physical_key {
                    learn_key(key, &event.logical_key);
                }
            }
            _ => {}
        }
        match &mut self.stage {
            Stage::Flight(app) => app.on_event(&mut self.desk, event_loop, event),
            Stage::Start(start) => match start.on_event(&mut self.desk, event_loop, &event) {
                Ok(is_drawn) => {
                    if is_drawn && !self.has_drawn {
                        let millis = running_for().as_millis();
                        log::info!("the first frame is there after {millis} ms");
                    }
                    self.has_drawn |= is_drawn;
                }
                Err(error) => self.fail(event_loop, error),
            },
            Stage::Browser(browse) => match browse.on_event(&mut self.desk, event_loop, &event) {
                Ok(is_drawn) => self.has_drawn |= is_drawn,
                Err(error) => self.fail(event_loop, error),
            },
        }
    }

    fn device_event(&mut self, _: &ActiveEventLoop, _: DeviceId, event: DeviceEvent) {
        if let Stage::Flight(app) = &mut self.stage {
            app.on_device_event(event);
        }
    }

    fn about_to_wait(&mut self, event_loop: &ActiveEventLoop) {
        // Loading a level may have begun to listen for Ctrl-C.
        if let Err(error) = check_interrupt() {
            return self.fail(event_loop, error.into());
        }
        self.proceed();
        match &mut self.stage {
            Stage::Flight(app) => app.about_to_wait(event_loop),
            Stage::Start(start) => start.pane.about_to_wait(event_loop),
            Stage::Browser(browse) => browse.pane.about_to_wait(event_loop),
        }
    }

    fn exiting(&mut self, _: &ActiveEventLoop) {
        // The window closes before the process ends, while the event loop can still notify the system.
        *self.screen_mut() = None;
    }
}
