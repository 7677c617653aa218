//! What is shown: the choices that command line, keys and the panel's switches all change.

use std::time::Duration;

use crate::renderer::{FrameState, ResolutionScale, Style, SurfaceView, Switches};
use crate::scene::{Scene, TileOptions, TileShape};
use crate::sim::world::Clock;

use crate::bookmarks::Bookmarks;
use crate::day_clock::DayClock;
use crate::hud::{CameraText, CompareWish, DraftPanel, KeyChoice, ObjectChoice};
use crate::land_options::LandOptions;
use crate::minimap::Minimap;
use crate::model_options::ModelOptions;
use crate::path_flight::PathFlight;
use crate::photo::Photo;
use crate::settings::Settings;

/// A part of the picture that can be left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Feature {
    Fog,
    Water,
    WaterReflection,
    DeepWater,
    Mirrors,
    Ripples,
    SeaBeyondEdge,
    Sky,
    Clouds,
    RichSky,
    Haze,
    Decal,
    Detail,
    Models,
    Particles,
    Foliage,
    Lightmap,
    Lod,
    Visibility,
    SunShadows,
    BlobShadows,
    LocalLights,
    LampShadows,
    AmbientOcclusion,
    Bloom,
    AutoExposure,
    ColorCorrection,
}

impl Feature {
    /// In the order of the panel.
    pub const ALL: [Self; 27] = [
        Self::Fog,
        Self::Water,
        Self::WaterReflection,
        Self::DeepWater,
        Self::Mirrors,
        Self::Ripples,
        Self::SeaBeyondEdge,
        Self::Sky,
        Self::Clouds,
        Self::RichSky,
        Self::Haze,
        Self::Decal,
        Self::Detail,
        Self::Models,
        Self::Particles,
        Self::Foliage,
        Self::Lightmap,
        Self::Lod,
        Self::Visibility,
        Self::SunShadows,
        Self::BlobShadows,
        Self::LocalLights,
        Self::LampShadows,
        Self::AmbientOcclusion,
        Self::Bloom,
        Self::AutoExposure,
        Self::ColorCorrection,
    ];

    /// What it is, in a few words.
    pub const fn label(self) -> &'static str {
        match self {
            Self::Fog => "fog",
            Self::Water => "water",
            Self::WaterReflection => "reflections and waves",
            Self::DeepWater => "clear water",
            Self::Mirrors => "the level mirrored in clear water",
            Self::Ripples => "ripples in mirrors (faithful)",
            Self::SeaBeyondEdge => "sea beyond the level",
            Self::Sky => "sky",
            Self::Clouds => "clouds",
            Self::RichSky => "sun, moon and stars by the hour",
            Self::Haze => "haze",
            Self::Decal => "decal layers",
            Self::Detail => "detail textures",
            Self::Models => "models",
            Self::Particles => "particles",
            Self::Foliage => "foliage",
            Self::Lightmap => "lightmaps",
            Self::Lod => "coarse land and models far away",
            Self::Visibility => "leave out what the cell does not see",
            Self::SunShadows => "shadows of the sun (enhanced)",
            Self::BlobShadows => "round shadows in place of the sun's (enhanced)",
            Self::LocalLights => "light of lamps (enhanced)",
            Self::LampShadows => "shadows of lamps (enhanced)",
            Self::AmbientOcclusion => "ambient occlusion (enhanced)",
            Self::Bloom => "bloom (enhanced)",
            Self::AutoExposure => "exposure follows the picture",
            Self::ColorCorrection => "color correction",
        }
    }

    /// Whether a level may have it: of what few levels have, only if this one does.
    pub fn may_be_in(self, scene: &Scene) -> bool {
        match self {
            Self::Foliage => scene.foliage.is_some(),
            Self::AutoExposure => scene.auto_exposure.is_some(),
            Self::ColorCorrection => !scene.color_corrections.is_empty(),
            _ => true,
        }
    }

    /// The renderer's switch for it.
    pub fn switch(self, switches: &mut Switches) -> &mut bool {
        match self {
            Self::Fog => &mut switches.fog,
            Self::Water => &mut switches.water,
            Self::WaterReflection => &mut switches.water_reflection,
            Self::DeepWater => &mut switches.deep_water,
            Self::Mirrors => &mut switches.mirrors,
            Self::Ripples => &mut switches.ripples,
            Self::SeaBeyondEdge => &mut switches.sea_beyond_edge,
            Self::Sky => &mut switches.sky,
            Self::Clouds => &mut switches.clouds,
            Self::RichSky => &mut switches.rich_sky,
            Self::Haze => &mut switches.haze,
            Self::Decal => &mut switches.decal,
            Self::Detail => &mut switches.detail,
            Self::Models => &mut switches.models,
            Self::Particles => &mut switches.particles,
            Self::Foliage => &mut switches.foliage,
            Self::Lightmap => &mut switches.lightmap,
            Self::Lod => &mut switches.lod,
            Self::Visibility => &mut switches.visibility,
            Self::SunShadows => &mut switches.sun_shadows,
            Self::BlobShadows => &mut switches.blob_shadows,
            Self::LocalLights => &mut switches.local_lights,
            Self::LampShadows => &mut switches.lamp_shadows,
            Self::AmbientOcclusion => &mut switches.ambient_occlusion,
            Self::Bloom => &mut switches.bloom,
            Self::AutoExposure => &mut switches.auto_exposure,
            Self::ColorCorrection => &mut switches.color_correction,
        }
    }
}

/// What is shown of one level, or model.
#[derive(Debug, Clone, PartialEq)]
pub struct ViewOptions {
    /// As the game showed it, or enhanced.
    pub style: Style,
    /// Parts of the picture.
    pub switches: Switches,
    /// What of surfaces is shown.
    pub surfaces: SurfaceView,
    /// At which part of its size the picture is drawn without a budget.
    pub resolution: ResolutionScale,
    /// How long a frame may take; `None` for as long as it takes.
    pub frame_budget_ms: Option<f32>,
    /// For each overlay of the level, whether it is drawn.
    pub overlays: Vec<bool>,
    /// How models are shown.
    pub models: ModelOptions,
    /// The hour, for levels that have a day.
    pub day: Option<DayClock>,
    /// Which of the level's days is shown.
    pub day_idx: usize,
    /// How land is shown, for levels whose land comes in tiles.
    pub land: Option<LandOptions>,
    /// The requested camera path.
    pub path: Option<PathFlight>,
    /// What is chosen among the level's objects.
    pub objects: ObjectChoice,
    /// The camera path that the user makes.
    pub draft: DraftPanel,
    /// Places that are remembered.
    pub bookmarks: Bookmarks,
    /// Which command gets another key.
    pub key_choice: KeyChoice,
    /// The camera as text.
    pub camera_text: CameraText,
    /// Angle between the left and the right edge of the picture.
    pub fov_rad: f32,
    /// What the user chose for all levels.
    pub settings: Settings,
    /// How pictures are taken.
    pub photo: Photo,
    /// Whether models, water, particles and the day stand still.
    pub is_time_stopped: bool,
    /// Nothing is heard, whatever the volume.
    pub is_muted: bool,
    /// Frames wait for the display.
    pub vsync: bool,
    /// Only what is seen from one place is drawn, wherever the camera goes.
    pub frozen_culling: bool,
    /// Only what is seen from one cell is drawn, wherever the camera goes.
    pub locked_visibility: bool,
    /// The panel with figures and switches.
    pub panel: bool,
    /// The list of keys.
    pub help: bool,
    /// Whether the panel's button for the start screen was clicked; taken by the window.
    pub wants_start: bool,
    /// Likewise for the browser of the level's files.
    pub wants_files: bool,
    /// What the panel wants of a second level; taken by the window.
    pub compare_wish: Option<CompareWish>,
    /// The cross in the middle.
    pub crosshair: bool,
    /// The map in a corner.
    pub minimap: Minimap,
}

impl ViewOptions {
    /// The panel over the picture of a level or model.
    pub fn new(switches: Switches, overlays: Vec<bool>, models: ModelOptions) -> Self {
        Self {
            style: Style::default(),
            switches,
            surfaces: SurfaceView::Shaded,
            resolution: ResolutionScale::FULL,
            frame_budget_ms: None,
            overlays,
            models,
            day: None,
            day_idx: 0,
            land: None,
            path: None,
            objects: ObjectChoice::default(),
            draft: DraftPanel::default(),
            bookmarks: Bookmarks::default(),
            key_choice: KeyChoice::default(),
            camera_text: CameraText::default(),
            fov_rad: Settings::default().field_of_view_deg.to_radians(),
            settings: Settings::default(),
            photo: Photo::default(),
            is_time_stopped: false,
            is_muted: false,
            vsync: true,
            frozen_culling: false,
            locked_visibility: false,
            panel: true,
            help: false,
            wants_start: false,
            wants_files: false,
            compare_wish: None,
            crosshair: true,
            minimap: Minimap::default(),
        }
    }

    /// Whether the camera follows a path.
    pub fn is_on_path(&self) -> bool {
        self.path.as_ref().is_some_and(PathFlight::is_followed)
    }

    /// How long a frame may take: that of the faithful style as long as it takes.
    pub fn frame_budget(&self) -> Option<Duration> {
        let budget_ms = self.frame_budget_ms?;
        (self.style == Style::Enhanced).then(|| Duration::from_secs_f32(budget_ms * 1e-3))
    }

    /// Whether time stands still.
    pub fn is_frozen(&self) -> bool {
        self.is_time_stopped || self.photo.is_on
    }

    /// What is between steps of land of different heights.
    pub fn tile_shape(&self) -> TileShape {
        self.tile_options().shape
    }

    /// What is made of tiles of land.
    pub fn tile_options(&self) -> TileOptions {
        let options = self.land.as_ref().map(LandOptions::tile_options);
        options.unwrap_or_default()
    }

    /// The clock that poses are queried with; `None` where no model is shown.
    pub fn model_clock(&self) -> Option<Clock> {
        (self.switches.models).then(|| self.models.playback.clock())
    }

    /// Lets seconds pass for models and the day.
    pub fn let_pass(&mut self, secs: f64) {
        self.models.playback.advance(secs);
        if let Some(day) = &mut self.day {
            day.advance(secs);
        }
    }

    /// Sets what a frame shows.
    pub fn show_in(&self, state: &mut FrameState) {
        state.style = self.style;
        state.switches = self.switches;
        state.view = self.surfaces;
        if self.surfaces != SurfaceView::Shaded {
            // What is laid over a picture would only hide what the surfaces are made of.
            state.style = Style::Faithful;
            state.switches.sky = false;
            state.switches.water = false;
            state.switches.particles = false;
        }
        state.resolution = self.resolution;
        let shown = (0..self.overlays.len()).filter(|index| self.overlays[*index]);
        state.overlays.clear();
        state.overlays.extend(shown);
        state.day = self.day_idx;
        state.hour = self.day.as_ref().map(DayClock::hour);
        state.tiles = self.land.map(|land| land.view).unwrap_or_default();
        state.model_state = self.models.state;
        state.model_lod = self.models.lod;
        let hidden = self.models.hidden_pieces.iter();
        state.hidden_pieces.clear();
        state.hidden_pieces.extend(hidden.map(|piece| [0, *piece]));
    }
}
