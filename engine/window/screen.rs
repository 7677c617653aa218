//! A window with a device, a level on it, and egui over it.

mod beside;

use std::sync::Arc;
use std::time::Duration;

use crate::renderer::{
    FrameState, FrameStats, Gpu, GpuOptions, HudFrame, OffscreenTarget, RenderSettings, Renderer,
    ResolutionScale, SceneGpu, TileMemory, WindowTarget, capture,
};
use crate::scene::{Scene, TileOptions};
use glam::Vec2;
use image::RgbaImage;
use winit::dpi::{PhysicalPosition, PhysicalSize};
use winit::event_loop::ActiveEventLoop;
use winit::window::{Fullscreen, Window};

use self::beside::Beside;
use crate::error::AppError;
use crate::flight::Quality;
use crate::hud;
use crate::level::LoadedLevel;
use crate::tile_feed::TileFeed;

/// What the window is called.
const PROGRAM: &str = "Ironlands";

/// How the window is opened.
#[derive(Debug, Clone)]
pub struct ScreenOptions {
    /// Width and height in pixels.
    pub size: [u32; 2],
    /// How the device is chosen.
    pub gpu: GpuOptions,
    /// The requested quality.
    pub quality: Quality,
    /// Frames wait for the display.
    pub vsync: bool,
}

/// A level as it is drawn.
pub struct LevelOnDevice {
    scene: SceneGpu,
    feed: TileFeed,
}

impl LevelOnDevice {
    fn new(level: &LoadedLevel, gpu: &Gpu, renderer: &mut Renderer) -> Result<Self, AppError> {
        Ok(Self {
            scene: level.upload(gpu, renderer)?,
            feed: TileFeed::new(Arc::clone(&level.world)),
        })
    }
}

/// Everything that lives as long as the window.
pub struct Screen {
    pub window: Arc<Window>,
    pub egui: egui_winit::State,
    gpu: Gpu,
    target: WindowTarget,
    renderer: Renderer,
    settings: RenderSettings,
    /// The level that is flown.
    level: Option<LevelOnDevice>,
    /// Another one that is drawn beside it.
    beside: Option<Beside>,
    /// What is behind the start screen.
    nothing: SceneGpu,
    is_vsync: bool,
    /// Size of the HUD, beside what the display makes of it.
    pub ui_scale: f32,
    next_frame_in: Duration,
    /// Where the pointer was last seen, in pixels.
    pointer: Vec2,
}

impl Screen {
    /// Opens the window, without a level.
    ///
    /// # Errors
    /// If the window system or the device refuses.
    pub fn open(event_loop: &ActiveEventLoop, options: &ScreenOptions) -> Result<Self, AppError> {
        let [width, height] = options.size;
        let attributes = Window::default_attributes()
            .with_title(PROGRAM)
            .with_inner_size(PhysicalSize::new(width, height));
        let window = event_loop
            .create_window(attributes)
            .map_err(AppError::OpenWindow)?;
        let window = Arc::new(window);
        let is_vsync = options.vsync;
        let size = window.inner_size().into();
        let (gpu, target) = Gpu::for_surface(Arc::clone(&window), size, is_vsync, &options.gpu)
            .map_err(AppError::OpenGpu)?;
        let settings = options.quality.settings(gpu.caps())?;
        let mut renderer =
            Renderer::new(&gpu, target.format(), settings).map_err(AppError::Draw)?;
        let nothing = renderer.upload(&gpu, &Scene::default());
        let nothing = nothing.map_err(AppError::Draw)?;
        let egui = egui_winit::State::new(
            egui::Context::default(),
            egui::ViewportId::ROOT,
            &window,
            Some(window.scale_factor() as f32),
            window.theme(),
            Some(gpu.caps().max_texture_side as usize),
        );
        hud::apply_theme(egui.egui_ctx());
        // The window's size decides it.
        (egui.egui_ctx()).options_mut(|options| options.zoom_with_keyboard = false);
        log::info!("drawing in a window with {}", gpu.caps().adapter);
        Ok(Self {
            window,
            egui,
            gpu,
            target,
            renderer,
            settings,
            level: None,
            beside: None,
            nothing,
            is_vsync,
            ui_scale: 1.0,
            next_frame_in: Duration::ZERO,
            pointer: Vec2::ZERO,
        })
    }

    /// Puts another level on the device, in place of the one before.
    ///
    /// # Errors
    /// If the device has no room for both; then nothing has changed.
    pub fn show_level(&mut self, level: &LoadedLevel) -> Result<(), AppError> {
        self.level = Some(LevelOnDevice::new(level, &self.gpu, &mut self.renderer)?);
        Ok(())
    }

    /// Takes the level off what is drawn, for later.
    pub fn take_level(&mut self) -> Option<LevelOnDevice> {
        self.level.take()
    }

    /// Draws a level that was taken off before, or none.
    pub fn put_level(&mut self, level: Option<LevelOnDevice>) {
        self.level = level;
    }

    /// Names what is shown in the title of the window.
    pub fn set_title(&self, level: Option<&LoadedLevel>) {
        let of_level = level.map(|level| format!("{} - {PROGRAM}", level.name()));
        self.window
            .set_title(of_level.as_deref().unwrap_or(PROGRAM));
    }

    /// When egui wants the next frame, counted from the last.
    pub fn next_frame_in(&self) -> Duration {
        self.next_frame_in
    }

    /// What the tiles of the land take.
    pub fn tile_memory(&self) -> Option<TileMemory> {
        self.level.as_ref()?.scene.tile_memory()
    }

    /// Name of the graphics adapter.
    pub fn adapter(&self) -> &str {
        &self.gpu.caps().adapter
    }

    /// Takes the window's new inner size in pixels.
    ///
    /// # Errors
    /// If the driver gives up.
    pub fn resize(&mut self, size: PhysicalSize<u32>) -> Result<(), AppError> {
        self.target
            .resize(&self.gpu, size.into())
            .map_err(AppError::Draw)
    }

    /// Width and height in pixels.
    pub fn size(&self) -> [u32; 2] {
        self.target.size()
    }

    /// Remembers where the pointer is; returns how far it moved, in pixels.
    pub fn move_pointer(&mut self, position: PhysicalPosition<f64>) -> Vec2 {
        let before = self.pointer;
        self.pointer = Vec2::new(position.x as f32, position.y as f32);
        self.pointer - before
    }

    /// Where the pointer is, in pixels.
    pub fn pointer(&self) -> Vec2 {
        self.pointer
    }

    /// Whether a click belongs to the HUD. egui itself knows only where the pointer was a frame ago, which is
    /// long at low frame rates.
    pub fn is_pointer_over_hud(&self) -> bool {
        let context = self.egui.egui_ctx();
        let pointer = egui::pos2(self.pointer.x, self.pointer.y) / context.pixels_per_point();
        let layer = context.layer_id_at(pointer);
        context.egui_is_using_pointer()
            || layer.is_some_and(|layer| layer.order != egui::Order::Background)
    }

    /// Whether a field of the HUD takes what is typed.
    pub fn is_typing(&self) -> bool {
        self.egui.egui_ctx().text_edit_focused()
    }

    /// No field takes what is typed any more.
    pub fn stop_typing(&self) {
        self.egui.egui_ctx().memory_mut(|it| it.stop_text_input());
    }

    /// Fills the whole display, or a window again.
    pub fn toggle_fullscreen(&self) {
        let is_full = self.window.fullscreen().is_some();
        let wanted = (!is_full).then_some(Fullscreen::Borderless(None));
        self.window.set_fullscreen(wanted);
    }

    /// Lets frames wait for the display, or not.
    ///
    /// # Errors
    /// If the driver gives up.
    pub fn set_vsync(&mut self, is_vsync: bool) -> Result<(), AppError> {
        if self.is_vsync != is_vsync {
            self.is_vsync = is_vsync;
            self.target
                .set_vsync(&self.gpu, is_vsync)
                .map_err(AppError::Draw)?;
        }
        Ok(())
    }

    /// Draws one frame with what `lay_out` puts over it; `None`, and nothing is laid out, while the window
    /// cannot be seen.
    ///
    /// # Errors
    /// If the window's surface is lost for good, or the driver gives up.
    pub fn draw(
        &mut self,
        (state, tiles): (&FrameState, TileOptions),
        lay_out: impl FnMut(&egui::Context),
    ) -> Result<Option<FrameStats>, AppError> {
        let Some(frame) = self.target.acquire(&self.gpu).map_err(AppError::Draw)? else {
            return Ok(None);
        };
        let hud = self.run_egui(lay_out);
        let size = self.target.size();
        if let Some(LevelOnDevice { scene, feed }) = &mut self.level {
            feed.feed(&self.gpu, scene, (state, tiles), size)?;
        }
        let scene = self
            .level
            .as_ref()
            .map_or(&self.nothing, |level| &level.scene);
        let drawn = self
            .renderer
            .draw(&self.gpu, scene, state, frame.view(), Some(hud));
        let stats = drawn.map_err(AppError::Draw)?;
        self.window.pre_present_notify();
        frame.present(&self.gpu).map_err(AppError::Draw)?;
        Ok(Some(stats))
    }

    /// Draws what is laid out over nothing; false while the window cannot be seen.
    ///
    /// # Errors
    /// As [`draw`](Self::draw).
    pub fn draw_alone(&mut self, lay_out: impl FnMut(&egui::Context)) -> Result<bool, AppError> {
        let level = self.level.take();
        let state = FrameState::default();
        let drawn = self.draw((&state, TileOptions::default()), lay_out);
        self.level = level;
        Ok(drawn?.is_some())
    }

    /// How long the device drew a frame, each measured time once; `elapsed` where the device does not measure.
    ///
    /// # Errors
    /// If the driver gives up.
    pub fn frame_time(
        &mut self,
        is_measured: bool,
        elapsed: Duration,
    ) -> Result<Option<Duration>, AppError> {
        self.renderer
            .measure_frames(&self.gpu, is_measured)
            .map_err(AppError::Draw)?;
        Ok(match self.gpu.caps().has_timestamps {
            true => self.renderer.frame_time(),
            false => Some(elapsed),
        })
    }

    /// As [`picture`](Self::picture), with all tiles of land that it shows, for which it waits.
    ///
    /// # Errors
    /// As [`picture`](Self::picture).
    pub fn picture_with_land(
        &mut self,
        state: &FrameState,
        tiles: TileOptions,
        size: [u32; 2],
    ) -> Result<RgbaImage, AppError> {
        if let Some(LevelOnDevice { scene, feed }) = &mut self.level {
            feed.fill(&self.gpu, scene, (state, tiles), size)?;
        }
        self.picture(state, size)
    }

    /// The frame as a picture of a size in pixels, without anything over it, and drawn at that size.
    ///
    /// # Errors
    /// If the size is more than the device draws, or the driver gives up.
    pub fn picture(&mut self, state: &FrameState, size: [u32; 2]) -> Result<RgbaImage, AppError> {
        let target = OffscreenTarget::with_format(&self.gpu, size, self.target.format())
            .map_err(AppError::Draw)?;
        let scene = self
            .level
            .as_ref()
            .map_or(&self.nothing, |level| &level.scene);
        let state = FrameState {
            resolution: ResolutionScale::FULL,
            ..state.clone()
        };
        self.renderer
            .draw(&self.gpu, scene, &state, target.view(), None)
            .map_err(AppError::Draw)?;
        capture(&self.gpu, &target).map_err(AppError::Draw)
    }

    fn run_egui(&mut self, mut lay_out: impl FnMut(&egui::Context)) -> HudFrame {
        let native = self.window.scale_factor() as f32;
        let zoom = hud::zoom_factor(native, self.target.size()) * self.ui_scale;
        self.egui.egui_ctx().set_zoom_factor(zoom);
        let input = self.egui.take_egui_input(&self.window);
        let context = self.egui.egui_ctx().clone();
        let output = context.run_pass(input, |context| lay_out(context));
        let root = output.viewport_output.get(&egui::ViewportId::ROOT);
        self.next_frame_in = root.map_or(Duration::ZERO, |root| root.repaint_delay);
        self.egui
            .handle_platform_output(&self.window, output.platform_output);
        HudFrame {
            paint_jobs: context.tessellate(output.shapes, output.pixels_per_point),
            textures_delta: output.textures_delta,
            pixels_per_point: output.pixels_per_point,
        }
    }
}
