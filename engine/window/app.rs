//! What the window keeps from event to event, and how it draws a frame.

mod commands;
mod compare;
mod editing;
mod events;
mod gamepad;
mod path_draft;

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::camera::{Controls, Eye, Pose};
use crate::frame_budget::FrameBudget;
use crate::frame_times::FrameTimes;
use crate::renderer::{Camera, FrameState, FrameStats};
use crate::sim::Ray;
use crate::sim::world::WorldHit;
use glam::{Vec2, Vec3};
use winit::event_loop::ActiveEventLoop;

use super::desk::Desk;
use super::mouse::MouseGrab;
use super::opening::Loaded;
use super::screen::Screen;
use crate::bookmarks::{self, Bookmarks};
use crate::comparison::Comparison;
use crate::editing::{Editing, take_editor};
use crate::error::AppError;
use crate::hearing::Hearing;
use crate::hud::{self, HudView, SecondView};
use crate::input::{Drag, HeldKeys, Keymap};
use crate::kind::Registry;
use crate::level::LoadedLevel;
use crate::minimap::{self, MapArea};
use crate::model_contents::triangles_of_node;
use crate::objects;
use crate::picks::Picks;
use crate::poser::Poser;
use crate::view_options::ViewOptions;

/// How long a message stays.
const MESSAGE_TIME: Duration = Duration::from_secs(4);
/// How high above the ground a click on the map leads at least, as the time in which that height is flown.
const LEAST_ABOVE_GROUND_SECS: f32 = 0.2;
/// When to check again whether a hidden window is visible.
const RETRY_TIME: Duration = Duration::from_millis(100);

/// One flight in a window.
pub struct App {
    loaded: Arc<Loaded>,
    /// Its worlds write camera paths.
    registry: Registry,
    /// With a number, frames are measured along the circle and the window closes after them.
    n_frames: Option<u32>,
    measured: Vec<Duration>,
    pub screen: Option<Screen>,
    /// Whether the start screen is to be shown.
    pub wants_start: bool,
    /// Whether the files of the level are to be shown.
    pub wants_files: bool,
    /// Whether a level to compare with is to be chosen.
    pub wants_comparison: bool,
    failure: Option<AppError>,

    eye: Eye,
    pub options: ViewOptions,
    /// What the map shows, in levels that have one.
    map_area: Option<MapArea>,
    /// Where culling stays while it is frozen.
    culling_camera: Option<Camera>,
    /// Whose cell decides what is seen while that is locked.
    visible_from: Option<Vec3>,
    picks: Picks,
    /// Where the level's world has an editor.
    editing: Option<Editing>,
    poser: Poser,
    /// What the level is compared with.
    comparison: Option<Comparison>,
    /// `None` where nothing is to be heard.
    hearing: Option<Hearing>,
    /// The frame that was drawn last.
    state: FrameState,
    message: Option<(String, Instant)>,

    keys: HeldKeys,
    /// What gamepads request.
    pad_controls: Controls,
    /// The remembered place that a gamepad went to last.
    last_place: usize,
    is_ctrl_held: bool,
    mouse: MouseGrab,
    /// What the mouse is dragged for.
    drag: Option<Drag>,

    start: Instant,
    paused_at: Option<Instant>,
    last_frame: Option<Instant>,
    frame_times: FrameTimes,
    frame_budget: FrameBudget,
    stats: FrameStats,
    has_drawn: bool,
    is_hidden: bool,
    is_in_background: bool,
    retry_at: Option<Instant>,
}

impl App {
    /// A flight that begins when the window opens.
    pub fn new(loaded: Arc<Loaded>, registry: &Registry, n_frames: Option<u32>) -> Self {
        let Loaded { level, flight } = &*loaded;
        Self {
            registry: registry.clone(),
            n_frames,
            measured: Vec::new(),
            screen: None,
            wants_start: false,
            wants_files: false,
            wants_comparison: false,
            failure: None,
            eye: flight.start.clone(),
            options: ViewOptions {
                bookmarks: Bookmarks::load(&level.path),
                ..flight.options.clone()
            },
            map_area: (level.model_bounds.is_none())
                .then(|| MapArea::from_bounds(level.world.bounds()))
                .flatten(),
            culling_camera: None,
            visible_from: None,
            picks: Picks::new(Arc::clone(&level.world), flight.options.tile_shape()),
            editing: take_editor(&level.editor),
            poser: Poser::default(),
            comparison: None,
            hearing: Hearing::open(&level.scene),
            state: FrameState::default(),
            message: None,
            keys: HeldKeys::default(),
            pad_controls: Controls::default(),
            last_place: 0,
            is_ctrl_held: false,
            mouse: MouseGrab::default(),
            drag: None,
            start: Instant::now(),
            paused_at: None,
            last_frame: None,
            frame_times: FrameTimes::default(),
            frame_budget: FrameBudget::default(),
            stats: FrameStats::default(),
            has_drawn: false,
            is_hidden: false,
            is_in_background: false,
            retry_at: None,
            loaded,
        }
    }

    /// What is flown.
    pub fn level(&self) -> &LoadedLevel {
        &self.loaded.level
    }

    /// Time passes from now on.
    pub fn restart_clock(&mut self) {
        self.start = Instant::now();
    }

    /// Takes on what lasts from one flight to the next.
    pub fn follow(&mut self, before: &mut Self) {
        self.options.panel = before.options.panel;
        self.options.vsync = before.options.vsync;
        self.mouse = std::mem::take(&mut before.mouse);
        self.keys = std::mem::take(&mut before.keys);
        self.is_ctrl_held = before.is_ctrl_held;
        self.has_drawn = before.has_drawn;
    }

    /// Time stands still while something else is shown in the window.
    pub fn pause(&mut self, screen: &Screen) {
        self.mouse.release(&screen.window);
        self.keys.release_all();
        self.is_ctrl_held = false;
        self.paused_at = Some(Instant::now());
        if let Some(hearing) = &mut self.hearing {
            hearing.hush();
        }
    }

    /// Time passes again.
    pub fn resume(&mut self) {
        if let Some(paused_at) = self.paused_at.take() {
            self.start += paused_at.elapsed();
        }
        self.last_frame = None;
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

    fn frame(&mut self, desk: &mut Desk, event_loop: &ActiveEventLoop) {
        let now = Instant::now();
        let elapsed = self.last_frame.replace(now).map(|last| now - last);
        self.take_gamepad(desk, event_loop);
        self.advance(elapsed.unwrap_or_default());
        let mut state = std::mem::take(&mut self.state);
        self.prepare(&mut state, now);
        state.exposure_secs = Some(elapsed.unwrap_or_default().as_secs_f32());
        let drawn = self.draw(desk, &state, now);
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
            if let Err(error) = self.keep_budget(elapsed) {
                return self.fail(event_loop, error);
            }
            self.measure(event_loop, elapsed);
        }
    }

    fn advance(&mut self, elapsed: Duration) {
        self.move_eye(elapsed);
        let options = &mut self.options;
        let go_to = options.objects.look_from.take();
        if let Some(pose) = go_to.or(options.camera_text.go_to.take()) {
            self.eye.fly_from(pose);
        }
        if let Some(place) = self.options.minimap.go_to.take() {
            self.fly_over(place);
        }
        match self.options.is_frozen() {
            true => self.start += elapsed,
            false => {
                self.options.let_pass(elapsed.as_secs_f64());
                if let Some(comparison) = &mut self.comparison {
                    comparison.let_pass(elapsed.as_secs_f64());
                }
            }
        }
    }

    /// Flies to a place of the map, as high above the ground as the eye is now, at least a little.
    fn fly_over(&mut self, place: Vec2) {
        let level = &self.loaded.level;
        let ground = |at: Vec3| level.world.ground_below(at.x, at.y, f32::MAX);
        let pose = self.eye.pose();
        let above = |at: Vec3| ground(at).map_or(0.0, |ground| at.z - ground);
        let there = ground(place.extend(0.0)).unwrap_or(pose.position.z);
        let least = level.fly_speed() * LEAST_ABOVE_GROUND_SECS;
        let height = above(pose.position).max(least);
        self.eye.jump_to(Pose {
            position: place.extend(there + height),
            ..pose
        });
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
        let controls = self.controls();
        self.eye.advance(elapsed, &controls, &self.loaded.level);
    }

    /// Takes what the device drew a frame in, or else what passed since the frame before.
    fn keep_budget(&mut self, elapsed: Duration) -> Result<(), AppError> {
        self.frame_budget.set(self.options.frame_budget());
        let Some(screen) = &mut self.screen else {
            return Ok(());
        };
        let is_measured = self.frame_budget.budget().is_some();
        let time = screen.frame_time(is_measured, elapsed)?;
        if let Some(time) = time {
            self.frame_budget.push(time);
        }
        Ok(())
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
        state.resolution = self.frame_budget.scale().unwrap_or(state.resolution);
        if let Some(n_frames) = self.n_frames {
            let share = self.measured.len() as f32 / n_frames as f32;
            self.loaded
                .flight
                .go_measured_way(state, &self.options, share);
        }
        let clock = self.options.model_clock();
        let clock_secs = clock.as_ref().map(|clock| clock.time_secs);
        self.poser.pose(&self.loaded.level, clock, state);
        if let Some(hearing) = &mut self.hearing {
            let secs = clock_secs.unwrap_or(time_secs.into());
            let volume = match self.options.is_muted {
                true => 0.0,
                false => self.options.settings.volume,
            };
            hearing.hear(state, secs, volume);
        }
        self.picks.update(self.options.tile_shape());
        self.point_out(state);
        self.edit(state);
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
        if let Some(comparison) = &mut self.comparison {
            comparison.prepare((&self.loaded.level, &self.options), state);
        }
    }

    /// What is picked in a level, the object that is selected, or the node of a model that is selected.
    fn point_out(&self, state: &mut FrameState) {
        self.picks.point_out(self.poser.poses(), state);
        if self.options.photo.is_on {
            state.highlight.clear();
            return state.lines.clear();
        }
        if !self.options.is_on_path() {
            state.lines.extend(self.options.draft.draft.lines());
        }
        let level = &self.loaded.level;
        let selected = self.options.objects.selected;
        if let Some(object) = selected.and_then(|index| level.objects.get(index)) {
            objects::point_out(object, &level.scene, level.fly_speed(), state);
        }
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

    fn draw(
        &mut self,
        desk: &mut Desk,
        state: &FrameState,
        now: Instant,
    ) -> Result<Option<FrameStats>, AppError> {
        self.message
            .take_if(|(_, shown_at)| now - *shown_at > MESSAGE_TIME);
        let pose = self.eye.pose();
        let picked = self.picks.last();
        let shown_hit = picked.or_else(|| self.under_crosshair(&pose));
        let facts = shown_hit
            .map(|hit| self.loaded.level.world.describe(&hit))
            .unwrap_or_default();
        let progress = desk.opening.progress();
        let place_text = shown_hit.map(|hit| self.loaded.level.world.place_text(&hit));
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
            frame_budget: &self.frame_budget,
            eye: &self.eye,
            frame: state,
            is_mouse_held: self.mouse.is_held(),
            facts: &facts,
            is_picked: picked.is_some(),
            relation: self.picks.relation_facts(),
            is_relating: self.picks.is_searching(),
            tile_memory,
            stats: self.stats,
            map_area: self.map_area.as_ref(),
            place_text: place_text.as_deref(),
            message: self.message.as_ref().map(|(text, _)| &**text),
            second: (self.comparison.as_ref()).map(|comparison| SecondView {
                level: comparison.level(),
                frame: comparison.frame().0,
                sides: comparison.split.sides(screen.size()),
            }),
        };
        let tiles = self.options.tile_options();
        if let Some(area) = &self.map_area
            && self.options.minimap.is_shown
            && self.options.minimap.picture.is_none()
        {
            let size = [minimap::SIDE; 2];
            let picture = screen.picture_with_land(&area.frame(state), tiles, size)?;
            self.options.minimap.picture = Some(Arc::new(picture));
        }
        let bookmarks = &mut self.options.bookmarks;
        if let Some(index) = bookmarks.wants_picture.take() {
            let picture = screen.picture(state, bookmarks::PICTURE_SIZE)?;
            if let Err(error) = bookmarks.keep_picture(index, picture) {
                log::warn!("{}", error.chain());
            }
        }
        let was_photo = self.options.photo.is_on;
        let mut is_read = false;
        let lay_out = |context: &egui::Context| {
            hud::show(context, &view, &mut self.options, self.editing.as_mut());
            is_read = (desk.refusal.as_ref()).is_some_and(|refusal| refusal.show(context));
            if let Some(progress) = &progress {
                hud::show_progress(context, progress);
            }
        };
        let stats = match &self.comparison {
            None => screen.draw((state, tiles), lay_out)?,
            Some(comparison) => {
                let both = [(state, tiles), comparison.frame()];
                screen.draw_beside(both, &comparison.split, lay_out)?
            }
        };
        if is_read {
            desk.refusal = None;
        }
        let is_changing = screen.egui.egui_ctx().egui_is_using_pointer();
        if self.options.photo.is_on && !was_photo {
            self.show_message(hud::photo_hint(&self.options.photo));
        }
        self.grant_draft_wish();
        self.grant_edit_wish();
        self.grant_compare_wish();
        if std::mem::take(&mut self.options.key_choice.wants_reset) {
            self.change_keys(Keymap::reset);
        }
        self.wants_start |= std::mem::take(&mut self.options.wants_start);
        self.wants_files |= std::mem::take(&mut self.options.wants_files);
        desk.settings = self.options.settings;
        desk.settings.set_language();
        if !is_changing && let Err(error) = desk.keep_settings() {
            self.show_message(error.chain());
        }
        let bookmarks = &mut self.options.bookmarks;
        if bookmarks.is_changed
            && let Err(error) = bookmarks.save()
        {
            self.show_message(error.chain());
        }
        Ok(stats)
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
