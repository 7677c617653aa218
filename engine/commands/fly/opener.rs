//! What the window needs to open more than the command line names: levels in the background, and their pictures.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use image::imageops::{self, FilterType};

use super::{FlyArgs, View, load};
use crate::cli::{Size, view_of};
use crate::error::AppError;
use crate::flight::Quality;
use crate::headless::Studio;
use crate::kind::Registry;
use crate::level::{LoadedLevel, Subject};
use crate::library::{Found, look_at};
use crate::poser::Poser;
use crate::renderer::{FrameState, GpuOptions};
use crate::settings::Settings;
use crate::thumbnails::{self, Photograph, Thumbnail};
use crate::window::{self, Failure, First, Loaded, Means, Open, Opened, ScreenOptions};

/// Pictures of the start screen are drawn this much larger and made smaller then, which smooths edges.
const SUPERSAMPLING: u32 = 2;

/// Shows the start screen, and what is at a path as soon as that is known, until the window is closed.
///
/// # Errors
/// Those of the window.
pub fn show_start(
    view: &View,
    path: Option<PathBuf>,
    registry: &Registry,
    settings: Settings,
) -> Result<(), Failure> {
    let args = &view.args;
    let screen = ScreenOptions {
        size: args.size.0,
        gpu: args.gpu(),
        quality: args.quality(),
        vsync: !args.no_vsync,
    };
    let means = means(view, screen, registry, settings);
    window::run(First::Start(path), means, None).map(drop)
}

/// How a window opens what it does not show first.
pub fn means(view: &View, screen: ScreenOptions, registry: &Registry, settings: Settings) -> Means {
    let next = Next {
        size: view.args.size,
        fov: view.args.fov,
        assets: view.options.assets.clone(),
        gpu: screen.gpu,
        quality: screen.quality,
        registry: registry.clone(),
    };
    let next = Arc::new(next);
    Means {
        open: next.clone().opener(),
        photograph: next.photograph(),
        registry: registry.clone(),
        screen,
        settings,
    }
}

/// What holds for all that is opened later.
struct Next {
    size: Size,
    fov: Option<f32>,
    assets: Vec<PathBuf>,
    gpu: GpuOptions,
    quality: Quality,
    registry: Registry,
}

impl Next {
    /// Opens paths as `ironlands view PATH` does.
    fn opener(self: Arc<Self>) -> Open {
        Arc::new(
            move |path: &Path, settings: &Settings, is_unwanted: &AtomicBool| match look_at(
                path,
                &self.registry,
                is_unwanted,
            )? {
                Found::Several(path, entries) => Ok(Opened::Several(path, entries)),
                Found::Files { root, wanted } => Ok(Opened::Files { root, wanted }),
                Found::One(path) => {
                    let view = self.view(&path);
                    let mut loaded = load(&view, &self.registry, settings, None)?;
                    self.equip(&mut loaded);
                    Ok(Opened::One(Box::new(loaded)))
                }
            },
        )
    }

    /// Takes pictures of levels from where they open.
    fn photograph(self: Arc<Self>) -> Photograph {
        Arc::new(move |path: &Path| {
            let view = self.view(path);
            let since = Instant::now();
            let args: &FlyArgs = &view.args;
            let subject: Subject = args.subject.subject(&self.registry, &view.options)?;
            let level = LoadedLevel::open(&subject, &self.registry, &view.options)?;
            let flight = args.flight(&level, None, &Settings::default())?;
            let mut loaded = Loaded { level, flight };
            let opening_time = since.elapsed();
            self.equip(&mut loaded);
            Ok(Thumbnail {
                image: picture_of(loaded)?,
                opening_time,
            })
        })
    }

    fn view(&self, path: &Path) -> Box<View> {
        let mut view = view_of(path, &self.registry);
        view.args.size = self.size;
        view.args.fov = self.fov;
        view.options.assets.clone_from(&self.assets);
        view
    }

    fn equip(&self, loaded: &mut Loaded) {
        loaded.flight.gpu = self.gpu;
        loaded.flight.quality = self.quality;
    }
}

/// A small picture of a level, from where it opens.
fn picture_of(loaded: Loaded) -> Result<image::RgbaImage, AppError> {
    let Loaded { level, mut flight } = loaded;
    let [width, height] = thumbnails::SIZE;
    flight.size = thumbnails::SIZE.map(|side| side * SUPERSAMPLING);
    let mut studio = Studio::open(&level, &flight)?;
    let (mut state, mut poser) = (FrameState::default(), Poser::default());
    flight.show_in(&mut state, &flight.start.pose(), &flight.options, 0.0);
    poser.pose(&level, flight.options.model_clock(), &mut state);
    let picture = studio.picture(&state)?;
    Ok(imageops::resize(
        &picture,
        width,
        height,
        FilterType::Triangle,
    ))
}
