//! Options without effect on what was opened: each is logged with the reason.

use crate::scene::{Lighting, Pass, PassKind, Scene};

use super::{FlyArgs, View};
use crate::flight::Flight;
use crate::level::LoadedLevel;

/// Logs which of the given options have no effect, and why; `time` as in [`Time`].
pub fn warn_of_unused_options(
    view: &View,
    level: &LoadedLevel,
    flight: &Flight,
    time: Option<Time>,
) {
    let args: &FlyArgs = &view.args;
    let mut unused = of_other_worlds(view, level);
    if !view.options.assets.is_empty() && !level.kind.uses_assets() {
        let users = view.given.iter().filter(|(kind, _)| kind.uses_assets());
        let users: Vec<_> = users.map(|(kind, _)| kind.name()).collect();
        unused.push(UnusedOption::new("--assets", &users.join(" and ")));
    }
    unused.extend(args.switches.unused_options(&level.scene));
    unused.extend(
        args.models
            .unused_options(level, &flight.options.models.playback, time),
    );
    unused.extend(args.path.unused_options(level, time));
    unused.extend(args.day.unused_options(time));
    unused.extend(args.land.unused_options(level));
    unused.extend(args.without_a_picture(time));
    let is_measured = time.is_none() || args.frames.is_some();
    unused.extend((args.resolution).unused_options(flight.options.style, is_measured));
    for UnusedOption { option, reason } in unused {
        log::warn!("{option} does nothing here: {reason}");
    }
}

/// Why what changes with time changes nothing.
pub const FIRST_MOMENT: &str = "the picture shows the first moment; --time sets another";

/// What pictures without a window show of time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Time {
    /// Its first moment.
    Begins,
    /// A later moment, or several.
    Passes,
}

/// An option that was given and does nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnusedOption {
    pub option: String,
    pub reason: String,
}

impl UnusedOption {
    /// An option that is for something else.
    pub fn new(option: &str, for_what: &str) -> Self {
        Self::because(option, &format!("it is for {for_what}"))
    }

    /// An option, and why it does nothing.
    pub fn because(option: &str, reason: &str) -> Self {
        Self {
            option: option.to_owned(),
            reason: reason.to_owned(),
        }
    }
}

/// Options of other worlds than the one that was opened. A camera path may be of any.
fn of_other_worlds(view: &View, level: &LoadedLevel) -> Vec<UnusedOption> {
    let others = view
        .given
        .iter()
        .filter(|(kind, _)| kind.name() != level.kind.name() && !view.args.path.is_of(*kind));
    let unused = others.flat_map(|(kind, options)| {
        let as_unused = |option: &String| UnusedOption::new(option, kind.name());
        options.iter().map(as_unused)
    });
    unused.collect()
}

/// What a scene has that can be left out of its picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Parts {
    pub fog: bool,
    pub water: bool,
    pub sea: bool,
    pub liquid: bool,
    pub mirror_sheets: bool,
    pub gradient_sky: bool,
    pub clouds: bool,
    pub haze: bool,
    pub decal: bool,
    pub detail: bool,
    pub lightmap: bool,
    pub models: bool,
    pub particles: bool,
    pub cutouts: bool,
    pub visibility: bool,
    pub coarse_forms: bool,
    pub sun_lit: bool,
}

impl Parts {
    /// What a scene has.
    pub fn new(scene: &Scene) -> Self {
        let has = |is_wanted: fn(&Pass) -> bool| {
            let materials = scene.materials.iter();
            materials.flat_map(|it| &it.passes).any(is_wanted)
        };
        let backdrop_fog = scene.backdrop.as_ref().and_then(|backdrop| backdrop.fog);
        Self {
            fog: scene.fog.or(backdrop_fog).is_some(),
            water: scene.water.is_some() || has(|pass| pass.kind == PassKind::Water),
            sea: scene.water.is_some(),
            liquid: has(|pass| pass.kind == PassKind::Water && pass.liquid.is_some()),
            mirror_sheets: has(|pass| pass.liquid.is_some_and(|it| it.sheet.is_some())),
            gradient_sky: scene.sky_box.is_none(),
            clouds: scene.sky_box.is_none() && !scene.clouds.is_empty(),
            haze: scene.sky_box.is_none() && scene.haze.is_some(),
            decal: has(|pass| pass.kind == PassKind::Decal),
            detail: has(|pass| pass.kind == PassKind::Detail || pass.detail.is_some()),
            lightmap: has(|pass| {
                pass.kind == PassKind::Lightmap
                    || matches!(pass.lighting, Lighting::Lightmap | Lighting::Ambient)
            }),
            models: !scene.instances.is_empty(),
            particles: !scene.emitters.is_empty(),
            cutouts: has(|pass| pass.alpha_test.is_some() && pass.blend.is_none()),
            visibility: scene.visibility.is_some(),
            coarse_forms: has_coarse_forms(scene),
            sun_lit: scene.tiles.is_some()
                || has(|pass| {
                    matches!(
                        pass.lighting,
                        Lighting::Display | Lighting::DisplayFloor | Lighting::Linear
                    )
                }),
        }
    }
}

/// Whether something is drawn coarser from afar.
fn has_coarse_forms(scene: &Scene) -> bool {
    let mut clusters = scene.meshes.iter().flat_map(|mesh| &mesh.clusters);
    let mut pieces = scene.models.iter().flat_map(|model| &model.pieces);
    clusters.any(|cluster| cluster.lods.len() > 1) || pieces.any(|piece| piece.lods.len() > 1)
}
