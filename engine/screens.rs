//! Pictures of the window's screens without a window: for goldens and documents.
//!
//! What depends on the machine or the moment (its games, its graphics card, times of frames) is left out.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use image::{Rgba, RgbaImage};

use crate::browser::Browser;
use crate::cli::view_of;
use crate::commands::fly;
use crate::error::AppError;
use crate::frame_budget::FrameBudget;
use crate::frame_times::FrameTimes;
use crate::hud::{self, BrowserScreen, HudView, Pictures, StartScreen, StartView, WindowView};
use crate::kind::{Opener, Registry};
use crate::library::Library;
use crate::minimap::{self, MapArea};
use crate::model_options::ModelOptions;
use crate::playback::{LevelPlay, Playback, What};
use crate::poser::Poser;
use crate::renderer::{
    FrameState, FrameStats, Gpu, GpuOptions, HudFrame, OffscreenTarget, RenderSettings, Renderer,
    SceneGpu, Switches, capture,
};
use crate::scene::Scene;
use crate::settings::Settings;
use crate::thumbnails::{SIZE, Thumbnail, Thumbnails};
use crate::view_options::ViewOptions;
use crate::window::{Loaded, TurningModel};

/// Frames that a layout takes to settle.
const N_FRAMES: usize = 4;
/// How long other threads may take for what a screen shows.
const PATIENCE: Duration = Duration::from_secs(120);
/// How long models have turned.
const TURNED: Duration = Duration::from_secs(3);

/// A screen of the window.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Screen {
    /// The start screen with the levels of a folder, without their pictures.
    Start(PathBuf),
    /// The browser of a folder or archive, with one of its files.
    Files {
        /// What is browsed.
        root: PathBuf,
        /// The file that is looked at; a model has turned for three seconds.
        wanted: PathBuf,
    },
    /// A level with its panel, and with the list of keys and the map over it if they are wanted.
    Level {
        /// Path of the level.
        path: PathBuf,
        /// Whether the keys are listed.
        has_keys: bool,
        /// Whether the map of the level is in its corner.
        has_map: bool,
    },
    /// The settings alone.
    Settings,
}

/// Draws a screen of a size in pixels.
///
/// # Errors
/// A level that cannot be opened, no adapter, and a driver that gives up; in words.
pub fn picture_of_screen(
    screen: &Screen,
    size: [u32; 2],
    registry: &Registry,
) -> Result<RgbaImage, String> {
    draw(screen, size, registry).map_err(|error| error.chain())
}

fn draw(screen: &Screen, size: [u32; 2], registry: &Registry) -> Result<RgbaImage, AppError> {
    match screen {
        Screen::Start(folder) => draw_start(folder, size, registry),
        Screen::Files { root, wanted } => draw_files(root, wanted, size, registry),
        Screen::Level {
            path,
            has_keys,
            has_map,
        } => draw_level(path, [*has_keys, *has_map], size, registry),
        Screen::Settings => {
            let models = ModelOptions::new(Playback::new(What::Level(LevelPlay::Level), 15.0));
            let mut options = ViewOptions::new(Switches::default(), Vec::new(), models);
            draw_settings(size, &mut options)
        }
    }
}

fn draw_start(folder: &Path, size: [u32; 2], registry: &Registry) -> Result<RgbaImage, AppError> {
    let mut library = Library::from_folder(registry, folder);
    let since = Instant::now();
    while library.is_searching() && since.elapsed() < PATIENCE {
        library.update();
        std::thread::sleep(Duration::from_millis(1));
    }
    let [width, height] = SIZE;
    let photograph = Arc::new(move |_: &Path| {
        Ok(Thumbnail {
            image: RgbaImage::from_pixel(width, height, Rgba([70, 84, 96, 255])),
            opening_time: Duration::from_secs(1),
        })
    });
    let mut start = StartScreen::new(Pictures::new(Thumbnails::kept_in(None, photograph)));
    draw_until(size, |ui, n_drawn| {
        let view = StartView {
            shelves: library.shelves(),
            recent: &[],
            is_searching: false,
            back_to: None,
            chooses_second: false,
        };
        start.show(ui, &view);
        n_drawn >= N_FRAMES && !start.pictures.are_awaited()
    })
}

fn draw_files(
    root: &Path,
    wanted: &Path,
    size: [u32; 2],
    registry: &Registry,
) -> Result<RgbaImage, AppError> {
    let mut easel = Easel::open(size)?;
    let (mut model, scene) = match opened_model(wanted, registry)? {
        Some(loaded) => {
            let scene = loaded.level.upload(&easel.gpu, &mut easel.renderer)?;
            (Some(TurningModel::new(Box::new(loaded))), scene)
        }
        None => (None, easel.nothing()?),
    };
    if let Some(model) = &mut model {
        model.advance(TURNED);
    }
    let mut browser = Browser::new(root, Some(wanted.to_owned()), registry);
    let mut screen = BrowserScreen::default();
    let mut n_quiet = 0;
    let pages = pages_until(size, |ui, _| {
        browser.update();
        let window = WindowView {
            back_to: "all levels",
            is_model_shown: model.is_some(),
            animations: model.as_ref().map_or(&[], TurningModel::animations),
            ..WindowView::default()
        };
        let (_, hole) = screen.show(ui, &mut browser, &window);
        if let Some(model) = &mut model {
            model.place(hole, ui.ctx().content_rect().size());
        }
        n_quiet = if browser.is_busy() { 0 } else { n_quiet + 1 };
        n_quiet >= N_FRAMES
    });
    let empty = FrameState::default();
    let state = model.as_ref().map_or(&empty, |model| model.frame().0);
    easel.picture(&scene, state, pages.frame())
}

/// What is to be looked at, if it is a model.
fn opened_model(path: &Path, registry: &Registry) -> Result<Option<Loaded>, AppError> {
    let found = registry.recognize(path).ok().flatten();
    match found {
        Some((_, found)) if found.opener == Opener::Model => fly::load(
            &view_of(path, registry),
            registry,
            &Settings::default(),
            None,
        )
        .map(Some),
        _ => Ok(None),
    }
}

fn draw_settings(size: [u32; 2], options: &mut ViewOptions) -> Result<RgbaImage, AppError> {
    draw_until(size, |ui, n_drawn| {
        let frame = egui::Frame::new().fill(hud::PANEL_FILL).inner_margin(8.0);
        frame.show(ui, |ui| {
            ui.set_min_size(ui.available_size());
            hud::show_settings(ui, options);
        });
        n_drawn >= N_FRAMES
    })
}

/// Lays out frames over nothing until one says that it is the last, and draws that.
fn draw_until(
    size: [u32; 2],
    lay_out: impl FnMut(&mut egui::Ui, usize) -> bool,
) -> Result<RgbaImage, AppError> {
    let pages = pages_until(size, lay_out);
    let mut easel = Easel::open(size)?;
    let nothing = easel.nothing()?;
    easel.picture(&nothing, &FrameState::default(), pages.frame())
}

/// Lays out frames until one says that it is the last.
fn pages_until(size: [u32; 2], mut lay_out: impl FnMut(&mut egui::Ui, usize) -> bool) -> Pages {
    let mut pages = Pages::new(size);
    let since = Instant::now();
    let mut is_last = false;
    for n_drawn in 0.. {
        pages.lay_out(|context| {
            context.root_ui(|ui| is_last = lay_out(ui, n_drawn));
        });
        if is_last || since.elapsed() > PATIENCE {
            break;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    pages
}

fn draw_level(
    path: &Path,
    [has_keys, has_map]: [bool; 2],
    size: [u32; 2],
    registry: &Registry,
) -> Result<RgbaImage, AppError> {
    let view = view_of(path, registry);
    let Loaded { level, flight } = fly::load(&view, registry, &Settings::default(), None)?;
    let mut easel = Easel::open(size)?;
    let scene = level.upload(&easel.gpu, &mut easel.renderer)?;
    let (mut state, mut poser) = (FrameState::default(), Poser::default());
    let mut options = flight.options.clone();
    options.help = has_keys;
    flight.show_in(&mut state, &flight.start.pose(), &options, 0.0);
    poser.pose(&level, options.model_clock(), &mut state);
    let map_area = MapArea::from_bounds(level.world.bounds()).filter(|_| has_map);
    if let Some(area) = &map_area {
        let picture = easel.side_picture(&scene, &area.frame(&state), [minimap::SIDE; 2])?;
        options.minimap.is_shown = true;
        options.minimap.picture = Some(Arc::new(picture));
    }
    let mut pages = Pages::new(size);
    let (frame_times, frame_budget) = (FrameTimes::default(), FrameBudget::default());
    for _ in 0..N_FRAMES {
        let view = HudView {
            level: &level,
            adapter: "graphics card",
            frame_times: &frame_times,
            frame_budget: &frame_budget,
            eye: &flight.start,
            frame: &state,
            is_mouse_held: false,
            facts: &[],
            is_picked: false,
            relation: &[],
            is_relating: false,
            tile_memory: None,
            stats: FrameStats::default(),
            map_area: map_area.as_ref(),
            place_text: None,
            message: None,
            second: None,
        };
        pages.lay_out(|context| hud::show(context, &view, &mut options, None));
    }
    easel.picture(&scene, &state, pages.frame())
}

/// A device without a window, and a picture to draw on.
struct Easel {
    gpu: Gpu,
    target: OffscreenTarget,
    renderer: Renderer,
}

impl Easel {
    /// The software adapter where there is one: pictures are the same everywhere then.
    fn open(size: [u32; 2]) -> Result<Self, AppError> {
        let software = GpuOptions {
            force_software: true,
        };
        let gpu = Gpu::offscreen(&software).or_else(|_| Gpu::offscreen(&GpuOptions::default()));
        let gpu = gpu.map_err(AppError::OpenGpu)?;
        let target = OffscreenTarget::new(&gpu, size).map_err(AppError::Draw)?;
        let renderer = Renderer::new(&gpu, target.format(), RenderSettings::default());
        Ok(Self {
            renderer: renderer.map_err(AppError::Draw)?,
            gpu,
            target,
        })
    }

    /// A scene to draw panels over.
    fn nothing(&mut self) -> Result<SceneGpu, AppError> {
        let nothing = self.renderer.upload(&self.gpu, &Scene::default());
        nothing.map_err(AppError::Draw)
    }

    /// A picture of another size, with nothing over it.
    fn side_picture(
        &mut self,
        scene: &SceneGpu,
        state: &FrameState,
        size: [u32; 2],
    ) -> Result<RgbaImage, AppError> {
        let target = OffscreenTarget::new(&self.gpu, size).map_err(AppError::Draw)?;
        self.renderer
            .draw(&self.gpu, scene, state, target.view(), None)
            .map_err(AppError::Draw)?;
        capture(&self.gpu, &target).map_err(AppError::Draw)
    }

    fn picture(
        &mut self,
        scene: &SceneGpu,
        state: &FrameState,
        hud: HudFrame,
    ) -> Result<RgbaImage, AppError> {
        let view = self.target.view();
        self.renderer
            .draw(&self.gpu, scene, state, view, Some(hud))
            .map_err(AppError::Draw)?;
        capture(&self.gpu, &self.target).map_err(AppError::Draw)
    }
}

/// Frames of egui, whose textures are gathered until one is drawn.
struct Pages {
    context: egui::Context,
    size: [u32; 2],
    textures: egui::TexturesDelta,
    last: Option<egui::FullOutput>,
    n_frames: usize,
}

impl Pages {
    fn new(size: [u32; 2]) -> Self {
        let context = egui::Context::default();
        hud::apply_theme(&context);
        Self {
            context,
            size,
            textures: egui::TexturesDelta::default(),
            last: None,
            n_frames: 0,
        }
    }

    fn lay_out(&mut self, mut lay_out: impl FnMut(&egui::Context)) {
        let [width, height] = self.size.map(|side| side as f32);
        let input = egui::RawInput {
            screen_rect: Some(egui::Rect::from_min_size(
                egui::Pos2::ZERO,
                egui::vec2(width, height),
            )),
            // Animations are over in each.
            time: Some(self.n_frames as f64 * 10.0),
            ..egui::RawInput::default()
        };
        self.n_frames += 1;
        let mut output = self.context.run_pass(input, |context| lay_out(context));
        (self.textures).append(std::mem::take(&mut output.textures_delta));
        self.last = Some(output);
    }

    fn frame(self) -> HudFrame {
        let Self {
            context,
            textures,
            last,
            ..
        } = self;
        let output = last.unwrap_or_default();
        HudFrame {
            paint_jobs: context.tessellate(output.shapes, output.pixels_per_point),
            textures_delta: textures,
            pixels_per_point: output.pixels_per_point,
        }
    }
}
