//! What the window keeps from event to event, and how it draws a frame.

mod commands;
mod events;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::camera::{Eye, Pose};
use crate::frame_times::FrameTimes;
use crate::renderer::{Camera, FrameState, FrameStats};
use crate::sim::Ray;
use crate::sim::world::WorldHit;
use glam::Vec3;
use winit::event_loop::ActiveEventLoop;

use super::mouse::MouseGrab;
use super::opening::{Loaded, Open, Opening};
use super::screen::Screen;
use crate::bookmarks::Bookmarks;
use crate::error::AppError;
use crate::hud::{self, HudView, Refusal, RefusalReply};
use crate::input::{Drag, HeldKeys};
use crate::model_contents::triangles_of_node;
use crate::picks::Picks;
use crate::poser::Poser;
use crate::settings::Settings;
use crate::view_options::ViewOptions;

/// How long a message stays.
const MESSAGE_TIME: Duration = Duration::from_secs(4);
/// When to check again whether a hidden window is visible.
const RETRY_TIME: Duration = Duration::from_millis(100);

/// One flight in a window.
pub struct App {
    loaded: Arc<Loaded>,
    opening: Opening,
    /// Why the last path could not be opened, until that was read.
    refusal: Option<Refusal>,
    /// The settings as they are kept.
    kept_settings: Settings,
    /// With a number, frames are measured along the circle and the window closes after them.
    n_frames: Option<u32>,
    measured: Vec<Duration>,
    screen: Option<Screen>,
    failure: Option<AppError>,

    eye: Eye,
    bookmarks: Bookmarks,
    options: ViewOptions,
    /// Where culling stays while it is frozen.
    culling_camera: Option<Camera>,
    /// Whose cell decides what is seen while that is locked.
    visible_from: Option<Vec3>,
    picks: Picks,
    poser: Poser,
    /// The frame that was drawn last.
    state: FrameState,
    message: Option<(String, Instant)>,

    keys: HeldKeys,
    is_ctrl_held: bool,
    mouse: MouseGrab,
    /// What the mouse is dragged for.
    drag: Option<Drag>,

    start: Instant,
    last_frame: Option<Instant>,
    frame_times: FrameTimes,
    stats: FrameStats,
    has_drawn: bool,
    is_hidden: bool,
    retry_at: Option<Instant>,
}

impl App {
    /// A flight that begins when the window opens.
    pub fn new(loaded: Arc<Loaded>, open: Open, n_frames: Option<u32>) -> Self {
        let Loaded { level, flight } = &*loaded;
        Self {
            opening: Opening::new(open),
            refusal: None,
            kept_settings: flight.options.settings,
            n_frames,
            measured: Vec::new(),
            screen: None,
            failure: None,
            eye: flight.start.clone(),
            bookmarks: Bookmarks::default(),
            options: flight.options.clone(),
            culling_camera: None,
            visible_from: None,
            picks: Picks::new(Arc::clone(&level.world), flight.options.tile_shape()),
            poser: Poser::default(),
            state: FrameState::default(),
            message: None,
            keys: HeldKeys::default(),
            is_ctrl_held: false,
            mouse: MouseGrab::default(),
            drag: None,
            start: Instant::now(),
            last_frame: None,
            frame_times: FrameTimes::default(),
            stats: FrameStats::default(),
            has_drawn: false,
            is_hidden: false,
            retry_at: None,
            loaded,
        }
    }

    /// Opens a path in the background; the flight continues until that is done.
    fn open(&mut self, path: PathBuf) {
        self.refusal = None;
        self.opening.begin(path, self.options.settings);
    }

    /// Flies on in what was opened meanwhile, or says why it cannot be.
    fn take_opened(&mut self) {
        let flown = match self.opening.fetch() {
            None => return,
            Some(Ok(loaded)) => self.fly(*loaded),
            Some(Err(refusal)) => Err(refusal),
        };
        if let Err(refusal) = flown {
            log::error!("{}", refusal.text);
            self.refusal = Some(refusal);
        }
    }

    /// Begins a flight in the window of the one before.
    fn fly(&mut self, loaded: Loaded) -> Result<(), Refusal> {
        if let Some(screen) = &mut self.screen {
            let shown = screen.show_level(&loaded.level);
            shown.map_err(|error| Refusal::new(&error))?;
        }
        let mut next = Self::new(Arc::new(loaded), self.opening.how(), self.n_frames);
        next.options.panel = self.options.panel;
        next.options.settings = self.options.settings;
        next.kept_settings = self.kept_settings;
        next.options.vsync = self.options.vsync;
        next.screen = self.screen.take();
        next.mouse = std::mem::take(&mut self.mouse);
        next.keys = std::mem::take(&mut self.keys);
        next.is_ctrl_held = self.is_ctrl_held;
        next.has_drawn = self.has_drawn;
        *self = next;
        Ok(())
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
        self.take_opened();
        let now = Instant::now();
        let elapsed = self.last_frame.replace(now).map(|last| now - last);
        self.advance(elapsed.unwrap_or_default());
        let mut state = std::mem::take(&mut self.state);
        self.prepare(&mut state, now);
        let drawn = self.draw(&state, now);
        self.state = state;
        match drawn {
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

    fn advance(&mut self, elapsed: Duration) {
        self.move_eye(elapsed);
        let options = &mut self.options;
        let go_to = options.entities.look_from.take();
        if let Some(pose) = go_to.or(options.camera_text.go_to.take()) {
            self.eye.fly_from(pose);
        }
        self.options.let_pass(elapsed.as_secs_f64());
    }

    /// Along the camera path while the camera follows one, so that it is flown on from there.
    fn move_eye(&mut self, elapsed: Duration) {
        if let Some(path) = &mut self.options.path {
            let has_ended = path.advance(elapsed.as_secs_f64());
            if let Some(view) = path.view() {
                return self.eye.jump_to(view.pose());
            }
            if has_ended {
                self.show_message("the camera path has ended: fly on from here".to_owned());
            }
        }
        let controls = self.keys.controls();
        self.eye.advance(elapsed, &controls, &self.loaded.level);
    }

    fn measure(&mut self, event_loop: &ActiveEventLoop, elapsed: Duration) {
        if let Some(n_frames) = self.n_frames {
            self.measured.push(elapsed);
            if self.measured.len() >= n_frames as usize {
                event_loop.exit();
            }
        }
    }

    /// Sets up the frame for this moment.
    fn prepare(&mut self, state: &mut FrameState, now: Instant) {
        let time_secs = (now - self.start).as_secs_f32();
        self.loaded
            .flight
            .show_in(state, &self.eye.pose(), &self.options, time_secs);
        if let Some(n_frames) = self.n_frames {
            let share = self.measured.len() as f32 / n_frames as f32;
            self.loaded
                .flight
                .go_measured_way(state, &self.options, share);
        }
        let clock = self.options.model_clock();
        self.poser.pose(&self.loaded.level, clock, state);
        self.picks.update(self.options.tile_shape());
        self.point_out(state);
        self.culling_camera = self
            .options
            .frozen_culling
            .then(|| self.culling_camera.unwrap_or(state.camera));
        state.culling_camera = self.culling_camera;
        let seen_from = state.culling_camera.unwrap_or(state.camera).position;
        self.visible_from = self
            .options
            .locked_visibility
            .then(|| self.visible_from.unwrap_or(seen_from));
        state.visible_from = self.visible_from;
    }

    /// What is picked in a level, or the node of a model that is selected.
    fn point_out(&self, state: &mut FrameState) {
        self.picks.point_out(self.poser.poses(), state);
        let models = &self.options.models;
        if let Some(node) = models.selected_node
            && let Some(world_from_node) = state.poses.get(node)
        {
            let scene = &self.loaded.level.scene;
            let shown = models.state.unwrap_or_default();
            let weights = state.morphs.of(0);
            let triangles = triangles_of_node(scene, node, shown, world_from_node, weights);
            state.highlight.extend(triangles);
        }
    }

    fn draw(&mut self, state: &FrameState, now: Instant) -> Result<Option<FrameStats>, AppError> {
        self.message
            .take_if(|(_, shown_at)| now - *shown_at > MESSAGE_TIME);
        let pose = self.eye.pose();
        let picked = self.picks.last();
        let shown_hit = picked.or_else(|| self.under_crosshair(&pose));
        let facts = shown_hit
            .map(|hit| self.loaded.level.world.describe(&hit))
            .unwrap_or_default();
        let opening = self.opening.text();
        let Some(screen) = &mut self.screen else {
            return Ok(None);
        };
        screen.set_vsync(self.options.vsync)?;
        screen.ui_scale = self.options.settings.ui_scale;
        let adapter = screen.adapter().to_owned();
        let tile_memory = screen.tile_memory();
        let view = HudView {
            level: &self.loaded.level,
            adapter: &adapter,
            frame_times: &self.frame_times,
            eye: &self.eye,
            frame: state,
            is_mouse_held: self.mouse.is_held(),
            facts: &facts,
            is_picked: picked.is_some(),
            relation: self.picks.relation_facts(),
            is_relating: self.picks.is_searching(),
            tile_memory,
            stats: self.stats,
            message: (opening.as_deref()).or(self.message.as_ref().map(|(text, _)| &**text)),
        };
        let tiles = self.options.tile_options();
        let mut reply = None;
        let stats = screen.draw((state, tiles), |context| {
            hud::show(context, &view, &mut self.options);
            let refusal = self.refusal.as_ref();
            reply = refusal.and_then(|refusal| refusal.show(context));
        })?;
        let is_changing = screen.egui.egui_ctx().egui_is_using_pointer();
        if self.options.settings != self.kept_settings && !is_changing {
            self.keep_settings();
        }
        match reply {
            Some(RefusalReply::Open(path)) => self.open(path),
            Some(RefusalReply::Close) => self.refusal = None,
            None => {}
        }
        Ok(stats)
    }

    fn keep_settings(&mut self) {
        self.kept_settings = self.options.settings;
        match self.kept_settings.save() {
            Ok(Some(path)) => log::info!("settings kept in {}", path.display()),
            Ok(None) => {}
            Err(error) => self.show_message(error.chain()),
        }
    }

    fn under_crosshair(&self, pose: &Pose) -> Option<WorldHit> {
        let ray = Ray {
            origin: pose.position,
            direction: pose.forward(),
        };
        let land = self.options.land.as_ref();
        self.loaded.level.pick(&ray, self.poser.poses(), land)
    }
}
