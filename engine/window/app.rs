//! What the window keeps from event to event, and what each event does.

use std::path::Path;
use std::time::{Duration, Instant};

use ironlands::camera::{Pose, Rig};
use ironlands::frame_times::FrameTimes;
use ironlands::output::write_numbered_png;
use ironlands::renderer::{Camera, FrameState, FrameStats};
use ironlands::sim::Ray;
use ironlands::sim::world::WorldHit;
use winit::application::ApplicationHandler;
use winit::event::{
    DeviceEvent, DeviceId, ElementState, KeyEvent, MouseButton, MouseScrollDelta, WindowEvent,
};
use winit::event_loop::{ActiveEventLoop, ControlFlow};
use winit::keyboard::PhysicalKey;
use winit::window::{Fullscreen, WindowId};

use super::mouse::MouseGrab;
use super::screen::Screen;
use crate::bookmarks::Bookmarks;
use crate::error::AppError;
use crate::flight::Flight;
use crate::headless::on_circle;
use crate::hud::{self, HudView};
use crate::input::{self, Command, HeldKeys, Pressed};
use crate::level::LoadedLevel;
use crate::view_options::ViewOptions;

/// How far the crosshair reaches, in units: beyond any level.
const REACH: f32 = 1.0e6;
/// How long a message stays.
const MESSAGE_TIME: Duration = Duration::from_secs(4);
/// When a window that cannot be seen is asked again.
const RETRY_TIME: Duration = Duration::from_millis(100);
/// A touchpad scrolls by pixels; this many are a notch of a wheel.
const PIXELS_PER_NOTCH: f64 = 40.0;

/// One flight in a window.
pub struct App<'a> {
    level: &'a LoadedLevel,
    flight: &'a Flight,
    /// With a number, frames are measured along the circle and the window closes after them.
    n_frames: Option<u32>,
    measured: Vec<Duration>,
    screen: Option<Screen>,
    failure: Option<AppError>,

    rig: Rig,
    bookmarks: Bookmarks,
    options: ViewOptions,
    /// Where culling stays while it is frozen.
    culling_camera: Option<Camera>,
    picked: Option<WorldHit>,
    message: Option<(String, Instant)>,

    keys: HeldKeys,
    is_ctrl_held: bool,
    mouse: MouseGrab,

    start: Instant,
    last_frame: Option<Instant>,
    frame_times: FrameTimes,
    stats: FrameStats,
    has_drawn: bool,
    is_hidden: bool,
    retry_at: Option<Instant>,
}

impl<'a> App<'a> {
    /// A flight that begins when the window opens.
    pub fn new(level: &'a LoadedLevel, flight: &'a Flight, n_frames: Option<u32>) -> Self {
        Self {
            level,
            flight,
            n_frames,
            measured: Vec::new(),
            screen: None,
            failure: None,
            rig: flight.start.clone(),
            bookmarks: Bookmarks::default(),
            options: flight.options.clone(),
            culling_camera: None,
            picked: None,
            message: None,
            keys: HeldKeys::default(),
            is_ctrl_held: false,
            mouse: MouseGrab::default(),
            start: Instant::now(),
            last_frame: None,
            frame_times: FrameTimes::default(),
            stats: FrameStats::default(),
            has_drawn: false,
            is_hidden: false,
            retry_at: None,
        }
    }

    /// Whether a frame was shown.
    pub fn has_drawn(&self) -> bool {
        self.has_drawn
    }

    /// What the measured frames took, or why the flight ended early.
    ///
    /// # Errors
    /// What went wrong inside the event loop.
    pub fn finish(self) -> Result<Vec<Duration>, AppError> {
        match self.failure {
            Some(failure) => Err(failure),
            None => Ok(self.measured),
        }
    }

    fn fail(&mut self, event_loop: &ActiveEventLoop, error: AppError) {
        self.failure.get_or_insert(error);
        event_loop.exit();
    }

    fn frame(&mut self, event_loop: &ActiveEventLoop) {
        let now = Instant::now();
        let elapsed = self.last_frame.replace(now).map(|last| now - last);
        let level = self.level;
        self.rig
            .advance(elapsed.unwrap_or_default(), &self.keys.controls(), &|at| {
                level.ground_below(at)
            });
        let state = self.frame_state(now);
        match self.draw(&state, now) {
            Ok(Some(stats)) => {
                self.stats = stats;
                self.has_drawn = true;
            }
            Ok(None) => {
                self.retry_at = Some(now + RETRY_TIME);
                return;
            }
            Err(error) => return self.fail(event_loop, error),
        }
        if let Some(elapsed) = elapsed {
            self.frame_times.push(elapsed);
            self.measure(event_loop, elapsed);
        }
    }

    fn measure(&mut self, event_loop: &ActiveEventLoop, elapsed: Duration) {
        if let Some(n_frames) = self.n_frames {
            self.measured.push(elapsed);
            if self.measured.len() >= n_frames as usize {
                event_loop.exit();
            }
        }
    }

    fn frame_state(&mut self, now: Instant) -> FrameState {
        let mut state = FrameState {
            camera: self.flight.camera(&self.rig.pose()),
            time_secs: (now - self.start).as_secs_f32(),
            switches: self.options.switches,
            overlays: self.options.shown_overlays(),
            highlight: self
                .picked
                .map(|hit| self.level.world.outline(&hit))
                .unwrap_or_default(),
            ..FrameState::default()
        };
        if let Some(n_frames) = self.n_frames {
            state = on_circle(&state, self.measured.len() as f32 / n_frames as f32);
        }
        self.culling_camera = self
            .options
            .frozen_culling
            .then(|| self.culling_camera.unwrap_or(state.camera));
        state.culling_camera = self.culling_camera;
        state
    }

    fn draw(&mut self, state: &FrameState, now: Instant) -> Result<Option<FrameStats>, AppError> {
        self.message
            .take_if(|(_, shown_at)| now - *shown_at > MESSAGE_TIME);
        let pose = self.rig.pose();
        let shown_hit = self.picked.or_else(|| self.under_crosshair(&pose));
        let facts = shown_hit
            .map(|hit| self.level.world.describe(&hit))
            .unwrap_or_default();
        let Some(screen) = &mut self.screen else {
            return Ok(None);
        };
        screen.set_vsync(self.options.vsync)?;
        let adapter = screen.adapter().to_owned();
        let view = HudView {
            level: self.level,
            adapter: &adapter,
            frame_times: &self.frame_times,
            pose,
            mode: self.rig.mode(),
            speed: self.rig.speed(),
            is_mouse_held: self.mouse.is_held(),
            facts: &facts,
            is_picked: self.picked.is_some(),
            stats: self.stats,
            message: self.message.as_ref().map(|(text, _)| &**text),
        };
        screen.draw(state, |context| {
            hud::show(context, &view, &mut self.options)
        })
    }

    fn under_crosshair(&self, pose: &Pose) -> Option<WorldHit> {
        let ray = Ray {
            origin: pose.position,
            direction: pose.forward(),
        };
        self.level.world.cast_ray(&ray, REACH)
    }

    fn obey(&mut self, event_loop: &ActiveEventLoop, command: Command) {
        let options = &mut self.options;
        match command {
            Command::GrabOrPick if self.mouse.is_held() => {
                self.picked = self.under_crosshair(&self.rig.pose());
            }
            Command::GrabOrPick => {
                if let Some(screen) = &self.screen {
                    self.mouse.hold(&screen.window);
                }
            }
            Command::Unpick => self.picked = None,
            Command::Release if self.mouse.is_held() => self.release_mouse(),
            Command::Release => options.help = false,
            Command::ToggleMode => self.rig.toggle_mode(),
            Command::GoHome => self.rig.jump_to(self.flight.home),
            Command::StoreBookmark(index) => {
                self.bookmarks.store(index, self.rig.pose());
                let number = index + 1;
                self.tell(format!(
                    "place {number} remembered, key {number} goes back to it"
                ));
            }
            Command::RecallBookmark(index) => match self.bookmarks.recall(index) {
                Some(pose) => self.rig.jump_to(pose),
                None => {
                    let number = index + 1;
                    self.tell(format!(
                        "no place {number} yet, Ctrl+{number} remembers one"
                    ));
                }
            },
            Command::ToggleHelp => toggle(&mut options.help),
            Command::TogglePanel => toggle(&mut options.panel),
            Command::ToggleCrosshair => toggle(&mut options.crosshair),
            Command::ToggleVsync => toggle(&mut options.vsync),
            Command::ToggleFrozenCulling => toggle(&mut options.frozen_culling),
            Command::Toggle(feature) => toggle(feature.switch(&mut options.switches)),
            Command::ToggleOverlay(index) => {
                if let Some(is_shown) = options.overlays.get_mut(index) {
                    toggle(is_shown);
                }
            }
            Command::ToggleFullscreen => self.toggle_fullscreen(),
            Command::Screenshot => self.write_screenshot(),
            Command::Quit => event_loop.exit(),
        }
    }

    fn toggle_fullscreen(&self) {
        if let Some(screen) = &self.screen {
            let is_full = screen.window.fullscreen().is_some();
            screen
                .window
                .set_fullscreen((!is_full).then_some(Fullscreen::Borderless(None)));
        }
    }

    fn write_screenshot(&mut self) {
        let state = self.frame_state(Instant::now());
        let Some(screen) = &mut self.screen else {
            return;
        };
        let stem = format!("ironlands-{}", self.level.name());
        let written = screen
            .picture(&state)
            .and_then(|image| Ok(write_numbered_png(Path::new(""), &stem, image)?));
        match written {
            Ok(path) => self.tell(format!("picture written: {}", path.display())),
            Err(error) => {
                log::error!("{}", error.chain());
                self.tell(format!("no picture: {}", error.chain()));
            }
        }
    }

    fn tell(&mut self, text: String) {
        log::info!("{text}");
        self.message = Some((text, Instant::now()));
    }

    fn release_mouse(&mut self) {
        if let Some(screen) = &self.screen {
            self.mouse.release(&screen.window);
        }
    }

    fn on_key(&mut self, event_loop: &ActiveEventLoop, event: &KeyEvent) {
        let PhysicalKey::Code(key) = event.physical_key else {
            return;
        };
        match event.state {
            ElementState::Released => self.keys.release(key),
            ElementState::Pressed if event.repeat => {}
            ElementState::Pressed => match input::on_key(key, self.is_ctrl_held) {
                Some(Pressed::Hold(_)) => self.keys.press(key),
                Some(Pressed::Once(command)) => self.obey(event_loop, command),
                None => {}
            },
        }
    }

    fn on_button(&mut self, event_loop: &ActiveEventLoop, button: MouseButton) {
        if let Some(command) = input::on_button(button) {
            self.obey(event_loop, command);
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
        // Nothing in the HUD takes text, and keys must not walk through its switches.
        let is_key = matches!(
            event,
            WindowEvent::KeyboardInput { .. } | WindowEvent::Ime(_)
        );
        if is_key || is_pointer && self.mouse.is_held() {
            return false;
        }
        let is_over_hud = screen.is_pointer_over_hud();
        let is_consumed = screen.egui.on_window_event(&screen.window, event).consumed;
        if is_pointer { is_over_hud } else { is_consumed }
    }
}

impl ApplicationHandler for App<'_> {
    fn resumed(&mut self, event_loop: &ActiveEventLoop) {
        if self.screen.is_some() {
            return;
        }
        match Screen::open(event_loop, self.level, self.flight) {
            Ok(screen) => self.screen = Some(screen),
            Err(error) => self.fail(event_loop, error),
        }
        self.start = Instant::now();
    }

    fn window_event(&mut self, event_loop: &ActiveEventLoop, _: WindowId, event: WindowEvent) {
        let is_for_hud = self.is_for_hud(&event);
        match event {
            WindowEvent::CloseRequested => event_loop.exit(),
            WindowEvent::RedrawRequested => self.frame(event_loop),
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
                self.release_mouse();
            }
            WindowEvent::CursorMoved { position, .. } => {
                if let Some(screen) = &mut self.screen {
                    screen.move_pointer(position);
                }
            }
            WindowEvent::ModifiersChanged(modifiers) => {
                self.is_ctrl_held = modifiers.state().control_key();
            }
            WindowEvent::KeyboardInput { event, .. } => self.on_key(event_loop, &event),
            WindowEvent::MouseInput {
                state: ElementState::Pressed,
                button,
                ..
            } if !is_for_hud => self.on_button(event_loop, button),
            WindowEvent::MouseWheel { delta, .. } if !is_for_hud => {
                self.rig.change_speed(match delta {
                    MouseScrollDelta::LineDelta(_, lines) => lines,
                    MouseScrollDelta::PixelDelta(pixels) => (pixels.y / PIXELS_PER_NOTCH) as f32,
                });
            }
            // Other events concern egui alone, or nobody.
            _ => {}
        }
    }

    fn device_event(&mut self, _: &ActiveEventLoop, _: DeviceId, event: DeviceEvent) {
        if let DeviceEvent::MouseMotion { delta: (x, y) } = event
            && self.mouse.is_held()
        {
            self.rig.look(x as f32, y as f32);
        }
    }

    fn about_to_wait(&mut self, event_loop: &ActiveEventLoop) {
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

    fn exiting(&mut self, _: &ActiveEventLoop) {
        // The window closes before the process ends, while the event loop can still tell the system.
        self.screen = None;
    }
}

fn toggle(is_on: &mut bool) {
    *is_on = !*is_on;
}
