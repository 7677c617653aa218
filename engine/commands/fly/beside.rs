//! A second level beside the first, for comparison.

use std::io::Write;
use std::path::Path;
use std::sync::Arc;

use super::{FlyArgs, View, prepare_picture, write_picture};
use crate::cli::view_of;
use crate::comparison::{Comparison, Split, joined};
use crate::error::AppError;
use crate::flight::Flight;
use crate::headless::Studio;
use crate::kind::{Registry, Verdict};
use crate::level::LoadedLevel;
use crate::poser::Poser;
use crate::renderer::FrameState;
use crate::settings::Settings;
use crate::window::Loaded;

/// Opens a level or model as `ironlands view PATH` does, to be shown beside what a command line shows.
///
/// # Errors
/// If it is no such thing, or broken.
pub fn load(
    path: &Path,
    view: &View,
    registry: &Registry,
    settings: &Settings,
) -> Result<Loaded, AppError> {
    let mut second = view_of(path, registry);
    second.args.size = view.args.size;
    second.args.fov = view.args.fov;
    second.options.assets.clone_from(&view.options.assets);
    let mut loaded = super::load(&second, registry, settings, None)?;
    loaded.flight.gpu = view.args.gpu();
    loaded.flight.quality = view.args.quality();
    Ok(loaded)
}

/// Draws one picture with both.
pub fn draw(
    args: &FlyArgs,
    loaded: &Loaded,
    second: Arc<Loaded>,
    out: &mut dyn Write,
) -> Result<Verdict, AppError> {
    let Loaded { level, flight } = loaded;
    let split = Split::default();
    let [first_side, second_side] = split.sides(flight.size);
    let (mut state, mut poser) = (FrameState::default(), Poser::default());
    prepare_picture(args, level, flight, &mut poser, args.time, &mut state);
    let mut comparison = Comparison::new(Arc::clone(&second));
    comparison.let_pass(args.time.into());
    comparison.prepare((level, &flight.options), &state);
    let seen = (poser.poses(), first_side.size, &flight.options);
    args.picking.point_out(level, seen, &mut state, out)?;
    let first = picture(level, flight, first_side.size, &state)?;
    let (state, _) = comparison.frame();
    let second = picture(&second.level, &second.flight, second_side.size, state)?;
    write_picture(args, loaded, joined(&split, [first, second]), out)
}

fn picture(
    level: &LoadedLevel,
    flight: &Flight,
    size: [u32; 2],
    state: &FrameState,
) -> Result<image::RgbaImage, AppError> {
    let flight = Flight {
        size,
        ..flight.clone()
    };
    Studio::open(level, &flight)?.picture(state)
}
