//! What is drawn.

use crate::renderer::{Style, SurfaceView, Switches};
use crate::scene::Scene;
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};

use super::unused_options::{Parts, UnusedOption};
use crate::error::AppError;
use crate::level::LoadedLevel;
use crate::settings::Settings;

/// What is drawn, beside the defaults.
#[derive(Debug, Args)]
#[command(next_help_heading = "Picture")]
pub struct SwitchArgs {
    /// Show the level as its game did, or with better light and air; by default as `ironlands.ini` beside the level or
    /// in a folder above it says (`style = enhanced`), else faithful.
    #[arg(long, value_name = "STYLE", value_parser = style_parser())]
    style: Option<Style>,
    /// Show what surfaces are made of instead of how they look: their edges, normals or texture coordinates, or how many
    /// lie over each other.
    #[arg(long, value_name = "VIEW", value_parser = view_parser())]
    pub surfaces: Option<SurfaceView>,
    /// Disable distance fog.
    #[arg(long)]
    no_fog: bool,
    /// Disable water.
    #[arg(long)]
    no_water: bool,
    /// Draw flat water, without reflections and waves.
    #[arg(long)]
    no_reflection: bool,
    /// Draw water as a colored surface: neither clear nor with mirrors.
    #[arg(long)]
    no_deep_water: bool,
    /// Mirror only the sky in water; in the faithful style, draw water as a colored surface.
    #[arg(long)]
    no_mirrors: bool,
    /// Mirror the level in water as it is: without ripples and color, in the faithful style.
    #[arg(long)]
    no_ripples: bool,
    /// Do not extend the sea beyond the edge of the level.
    #[arg(long)]
    no_sea: bool,
    /// Disable the sky.
    #[arg(long)]
    no_sky: bool,
    /// Disable clouds.
    #[arg(long)]
    no_clouds: bool,
    /// Draw the sky in the colors of the level alone: no stars, no sun that moves with the hour.
    #[arg(long)]
    no_rich_sky: bool,
    /// Draw the fog of the level itself instead of haze that melts into the sky.
    #[arg(long)]
    no_haze: bool,
    /// Disable decal layers.
    #[arg(long)]
    no_decal: bool,
    /// Disable detail textures.
    #[arg(long)]
    no_detail: bool,
    /// Disable lightmaps.
    #[arg(long)]
    no_lightmap: bool,
    /// Disable models.
    #[arg(long, conflicts_with = "model")]
    no_models: bool,
    /// Disable particles: fire, smoke, glows, rain.
    #[arg(long)]
    no_particles: bool,
    /// Cut particles off at surfaces in the enhanced style, too, where they otherwise fade out.
    #[arg(long)]
    no_soft_particles: bool,
    /// Leave the edges of holes in leaves and fences jagged in the enhanced style, too.
    #[arg(long)]
    no_smooth_cutouts: bool,
    /// Disable grass and other small pictures on the ground.
    #[arg(long)]
    no_foliage: bool,
    /// Draw distant land and models at full detail.
    #[arg(long)]
    no_lod: bool,
    /// Disable visibility culling.
    #[arg(long)]
    no_visibility: bool,
    /// Disable shadows of the sun, which the enhanced style adds.
    #[arg(long)]
    no_shadows: bool,
    /// Draw round shadows below models in place of those of the sun, which cost more.
    #[arg(long)]
    blob_shadows: bool,
    /// Disable the light of lamps and torches, which the enhanced style adds.
    #[arg(long)]
    no_lights: bool,
    /// Disable shadows of lamps and torches, which the enhanced style adds for the nearest four.
    #[arg(long)]
    no_lamp_shadows: bool,
    /// Disable ambient occlusion, which the enhanced style adds: darker corners.
    #[arg(long)]
    no_occlusion: bool,
    /// Disable bloom, which the enhanced style adds: soft light around what glows.
    #[arg(long)]
    no_bloom: bool,
    /// Show linear light as it is, in levels where exposure follows the picture; without bloom there, too.
    #[arg(long)]
    no_auto_exposure: bool,
    /// Disable color correction.
    #[arg(long)]
    no_color_correction: bool,
    /// Show this overlay of the level or model; can be given several times.
    #[arg(long, value_name = "NAME")]
    overlay: Vec<String>,
}

impl SwitchArgs {
    /// The requested style, else that of the settings, else that of the level.
    pub fn style(&self, level: &LoadedLevel, settings: &Settings) -> Style {
        let wanted = self.style.or(settings.style);
        wanted.unwrap_or(level.defaults.style)
    }

    /// The renderer's words for it.
    pub fn switches(&self) -> Switches {
        let Self {
            style: _,
            surfaces: _,
            no_fog,
            no_water,
            no_reflection,
            no_deep_water,
            no_mirrors,
            no_ripples,
            no_sea,
            no_sky,
            no_clouds,
            no_rich_sky,
            no_haze,
            no_decal,
            no_detail,
            no_lightmap,
            no_models,
            no_particles,
            no_soft_particles,
            no_smooth_cutouts,
            no_foliage,
            no_lod,
            no_visibility,
            no_shadows,
            blob_shadows,
            no_lights,
            no_lamp_shadows,
            no_occlusion,
            no_bloom,
            no_auto_exposure,
            no_color_correction,
            overlay: _,
        } = *self;
        Switches {
            fog: !no_fog,
            water: !no_water,
            water_reflection: !no_reflection,
            deep_water: !no_deep_water,
            mirrors: !no_mirrors,
            ripples: !no_ripples,
            sea_beyond_edge: !no_sea,
            sky: !no_sky,
            clouds: !no_clouds,
            rich_sky: !no_rich_sky,
            haze: !no_haze,
            decal: !no_decal,
            detail: !no_detail,
            lightmap: !no_lightmap,
            models: !no_models,
            particles: !no_particles,
            soft_particles: !no_soft_particles,
            smooth_cutouts: !no_smooth_cutouts,
            foliage: !no_foliage,
            lod: !no_lod,
            visibility: !no_visibility,
            sun_shadows: !no_shadows,
            blob_shadows,
            local_lights: !no_lights,
            lamp_shadows: !no_lamp_shadows,
            ambient_occlusion: !no_occlusion,
            bloom: !no_bloom,
            auto_exposure: !no_auto_exposure,
            color_correction: !no_color_correction,
        }
    }

    /// Switches that were given for what the scene does not have.
    pub fn unused_options(&self, scene: &Scene) -> Vec<UnusedOption> {
        let parts = Parts::new(scene);
        let given = [
            ("--no-fog", self.no_fog, parts.fog, "it has no fog"),
            ("--no-water", self.no_water, parts.water, "it has no water"),
            (
                "--no-reflection",
                self.no_reflection,
                parts.water,
                "it has no water",
            ),
            (
                "--no-deep-water",
                self.no_deep_water,
                parts.liquid,
                "it has no clear water",
            ),
            (
                "--no-mirrors",
                self.no_mirrors,
                parts.liquid,
                "it has no clear water",
            ),
            (
                "--no-ripples",
                self.no_ripples,
                parts.mirror_sheets,
                "it has no water that is a mirror",
            ),
            ("--no-sea", self.no_sea, parts.sea, "it has no sea"),
            (
                "--no-clouds",
                self.no_clouds,
                parts.clouds,
                "it has no clouds of ours",
            ),
            (
                "--no-rich-sky",
                self.no_rich_sky,
                parts.gradient_sky,
                "its sky is a picture",
            ),
            ("--no-haze", self.no_haze, parts.haze, "it has no haze"),
            (
                "--no-decal",
                self.no_decal,
                parts.decal,
                "it has no decal layers",
            ),
            (
                "--no-detail",
                self.no_detail,
                parts.detail,
                "it has no detail textures",
            ),
            (
                "--no-lightmap",
                self.no_lightmap,
                parts.lightmap,
                "it has no lightmaps",
            ),
            (
                "--no-models",
                self.no_models,
                parts.models,
                "it has no models",
            ),
            (
                "--no-particles",
                self.no_particles,
                parts.particles,
                "it has no particles",
            ),
            (
                "--no-soft-particles",
                self.no_soft_particles,
                parts.particles,
                "it has no particles",
            ),
            (
                "--no-smooth-cutouts",
                self.no_smooth_cutouts,
                parts.cutouts,
                "nothing in it has holes",
            ),
            (
                "--no-foliage",
                self.no_foliage,
                scene.foliage.is_some(),
                "it has no foliage",
            ),
            (
                "--no-lod",
                self.no_lod,
                scene.tiles.is_none(),
                "--land-detail sets how fine its land is drawn",
            ),
            (
                "--no-lod",
                self.no_lod,
                parts.coarse_forms || scene.tiles.is_some(),
                "nothing in it has coarser forms",
            ),
            (
                "--no-visibility",
                self.no_visibility,
                parts.visibility,
                "it does not know what is seen from where",
            ),
            (
                "--no-shadows",
                self.no_shadows,
                parts.sun_lit,
                "the sun lights nothing in it",
            ),
            (
                "--no-lights",
                self.no_lights,
                !scene.lights.is_empty(),
                "it has no lamps",
            ),
            (
                "--no-lamp-shadows",
                self.no_lamp_shadows,
                !scene.lights.is_empty(),
                "it has no lamps",
            ),
            (
                "--no-occlusion",
                self.no_occlusion,
                scene.occlusion_radius > 0.0,
                "a model alone has none",
            ),
            (
                "--no-auto-exposure",
                self.no_auto_exposure,
                scene.auto_exposure.is_some(),
                "its exposure follows nothing",
            ),
            (
                "--no-color-correction",
                self.no_color_correction,
                !scene.color_corrections.is_empty(),
                "it has no color correction",
            ),
        ];
        let unused = given
            .into_iter()
            .filter(|(_, is_given, has, _)| *is_given && !has);
        unused
            .map(|(option, _, _, reason)| UnusedOption::because(option, reason))
            .collect()
    }

    /// For each overlay of the level, whether it is shown at first or was requested.
    ///
    /// # Errors
    /// For an overlay that is not there.
    pub fn overlays(&self, level: &LoadedLevel) -> Result<Vec<bool>, AppError> {
        let overlays = level.scene.overlays.iter();
        let mut shown: Vec<bool> = overlays.map(|overlay| overlay.is_shown).collect();
        for name in &self.overlay {
            let index = level
                .scene
                .overlay_index(name)
                .ok_or_else(|| AppError::NoOverlay {
                    of: level.noun(),
                    name: name.clone(),
                    known: known_overlays(level),
                })?;
            shown[index] = true;
        }
        Ok(shown)
    }
}

fn known_overlays(level: &LoadedLevel) -> String {
    match &*level.scene.overlays {
        [] => "none".to_owned(),
        overlays => {
            let names: Vec<_> = overlays.iter().map(|overlay| &*overlay.name).collect();
            names.join(", ")
        }
    }
}

fn view_parser() -> impl TypedValueParser<Value = SurfaceView> {
    /// In the order of [`SurfaceView::ALL`].
    const NAMES: [&str; SurfaceView::ALL.len()] =
        ["shaded", "wireframe", "normals", "uv", "overdraw"];
    PossibleValuesParser::new(NAMES).map(|name| {
        let place = NAMES.iter().position(|known| *known == name);
        place.map_or(SurfaceView::Shaded, |place| SurfaceView::ALL[place])
    })
}

fn style_parser() -> impl TypedValueParser<Value = Style> {
    let names = PossibleValuesParser::new(Style::ALL.map(Style::name));
    names.map(|name| Style::from_name(&name).expect("one of the names"))
}
