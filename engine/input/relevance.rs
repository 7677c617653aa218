//! Which keys do something in a level: the list of keys shows no others.

use super::{Binding, Command, Does, Trigger};
use crate::level::LoadedLevel;
use crate::model_options::ModelCommand;
use crate::scene::PassKind;
use crate::view_options::{Feature, ViewOptions};

/// What a level has, as far as keys depend on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Relevance {
    is_model_alone: bool,
    has_models: bool,
    has_tiles: bool,
    has_day: bool,
    has_path: bool,
    has_cells: bool,
    has_water: bool,
    has_detail: bool,
    has_decals: bool,
    has_lightmaps: bool,
    has_particles: bool,
    has_foliage: bool,
    adapts: bool,
    is_corrected: bool,
    has_lamps: bool,
    has_clouds: bool,
    is_editable: bool,
    has_living: bool,
    n_overlays: usize,
}

impl Relevance {
    /// Of a level that has everything.
    #[cfg(test)]
    pub const EVERYTHING: Self = Self {
        is_model_alone: false,
        has_models: true,
        has_tiles: true,
        has_day: true,
        has_path: true,
        has_cells: true,
        has_water: true,
        has_detail: true,
        has_decals: true,
        has_lightmaps: true,
        has_particles: true,
        has_foliage: true,
        adapts: true,
        is_corrected: true,
        has_lamps: true,
        has_clouds: true,
        is_editable: true,
        has_living: true,
        n_overlays: usize::MAX,
    };

    /// Of a level as most are.
    #[cfg(test)]
    pub const USUAL: Self = Self {
        has_tiles: false,
        has_path: false,
        has_cells: false,
        has_lightmaps: false,
        is_editable: false,
        has_living: false,
        has_foliage: false,
        adapts: false,
        is_corrected: false,
        n_overlays: 4,
        ..Self::EVERYTHING
    };

    /// Of a model alone that has everything.
    #[cfg(test)]
    pub const MODEL_ALONE: Self = Self {
        is_model_alone: true,
        ..Self::EVERYTHING
    };

    /// Of what is flown.
    pub fn new(level: &LoadedLevel, options: &ViewOptions) -> Self {
        let scene = &level.scene;
        let has_pass = |kind| {
            let mut passes = scene.materials.iter().flat_map(|material| &material.passes);
            passes.any(|pass| pass.kind == kind)
        };
        Self {
            is_model_alone: level.model_bounds.is_some(),
            has_models: !level.contents.is_empty(),
            has_tiles: scene.tiles.is_some(),
            has_day: !scene.days.is_empty(),
            has_path: options.path.is_some(),
            has_cells: scene.visibility.is_some(),
            has_water: scene.water.is_some() || has_pass(PassKind::Water),
            has_detail: has_pass(PassKind::Detail),
            has_decals: has_pass(PassKind::Decal),
            has_lightmaps: has_pass(PassKind::Lightmap),
            has_particles: !scene.emitters.is_empty(),
            has_foliage: scene.foliage.is_some(),
            adapts: scene.auto_exposure.is_some(),
            is_corrected: !scene.color_corrections.is_empty(),
            has_lamps: !scene.lights.is_empty(),
            has_clouds: !scene.clouds.is_empty(),
            is_editable: level.is_editable,
            has_living: level.world.living_entities().is_some(),
            n_overlays: scene.overlays.len(),
        }
    }

    /// Whether a key does something.
    pub fn covers(&self, binding: &Binding) -> bool {
        match (binding.does, binding.trigger) {
            (_, Trigger::Drag(_)) => self.is_model_alone,
            (Does::Once(command), _) => self.covers_command(command),
            _ => true,
        }
    }

    fn covers_command(&self, command: Command) -> bool {
        match command {
            Command::Models(command) => self.covers_models(command),
            Command::Land(_) => self.has_tiles,
            Command::Edit(_) => self.is_editable,
            Command::Use => self.has_living,
            Command::Toggle(feature) => self.covers_feature(feature),
            Command::ToggleOverlay(index) => index < self.n_overlays,
            Command::StepHour(_) | Command::ToggleDay => self.has_day,
            Command::TogglePath => self.has_path,
            Command::ToggleLockedVisibility => self.has_cells,
            Command::ToggleFrozenCulling
            | Command::Unpick
            | Command::CopyPlace
            | Command::ToggleMinimap => !self.is_model_alone,
            _ => true,
        }
    }

    fn covers_models(&self, command: ModelCommand) -> bool {
        self.has_models
            && match command {
                ModelCommand::NextPlay => !self.is_model_alone,
                ModelCommand::StepFrame(_) => self.is_model_alone,
                _ => true,
            }
    }

    fn covers_feature(&self, feature: Feature) -> bool {
        match feature {
            Feature::Water
            | Feature::WaterReflection
            | Feature::DeepWater
            | Feature::Mirrors
            | Feature::Ripples => self.has_water,
            Feature::SeaBeyondEdge => self.has_water && !self.is_model_alone,
            Feature::Clouds => self.has_clouds,
            Feature::Decal => self.has_decals,
            Feature::Detail => self.has_detail,
            Feature::Models | Feature::BlobShadows => self.has_models,
            Feature::Particles => self.has_particles,
            Feature::Foliage => self.has_foliage,
            Feature::AutoExposure => self.adapts,
            Feature::ColorCorrection => self.is_corrected,
            Feature::Lightmap => self.has_lightmaps,
            Feature::Visibility => self.has_cells,
            Feature::LocalLights | Feature::LampShadows => self.has_lamps,
            Feature::Fog
            | Feature::Sky
            | Feature::RichSky
            | Feature::Haze
            | Feature::Lod
            | Feature::SunShadows
            | Feature::AmbientOcclusion
            | Feature::Bloom => !self.is_model_alone,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::help_lines;
    use super::*;

    const NOTHING: Relevance = Relevance {
        is_model_alone: false,
        has_models: false,
        has_tiles: false,
        has_day: false,
        has_path: false,
        has_cells: false,
        has_water: false,
        has_detail: false,
        has_decals: false,
        has_lightmaps: false,
        has_particles: false,
        has_foliage: false,
        adapts: false,
        is_corrected: false,
        has_lamps: false,
        has_clouds: false,
        is_editable: false,
        has_living: false,
        n_overlays: 0,
    };

    #[test]
    fn only_keys_of_what_a_level_has_are_listed() {
        let lists = |level: Relevance, help: &str| {
            let lines = help_lines(&level);
            lines.iter().any(|line| line.help.contains(help))
        };
        let with = |change: fn(&mut Relevance)| {
            let mut level = NOTHING;
            change(&mut level);
            level
        };
        for (help, level) in [
            ("what colors show", with(|it| it.has_tiles = true)),
            ("let the day go by", with(|it| it.has_day = true)),
            ("names, bones", with(|it| it.has_models = true)),
            ("follow the camera path", with(|it| it.has_path = true)),
            (
                "what this cell does not see",
                with(|it| it.has_cells = true),
            ),
            ("turn the model", with(|it| it.is_model_alone = true)),
            ("lightmaps", with(|it| it.has_lightmaps = true)),
            ("edit the level", with(|it| it.is_editable = true)),
            ("use a door", with(|it| it.has_living = true)),
            ("foliage", with(|it| it.has_foliage = true)),
            ("exposure", with(|it| it.adapts = true)),
            ("color correction", with(|it| it.is_corrected = true)),
            ("overlay", with(|it| it.n_overlays = 1)),
        ] {
            assert!(!lists(NOTHING, help), "{help}");
            assert!(lists(level, help), "{help}");
        }
        for help in ["forward", "start screen", "quit"] {
            assert!(lists(NOTHING, help), "{help}");
        }
    }
}
