//! What is shown: the choices that command line, keys and the panel's switches all change.

use ironlands::renderer::Switches;

/// A part of the picture that can be left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Feature {
    Fog,
    Water,
    WaterReflection,
    SeaBeyondEdge,
    Sky,
    Clouds,
    Decal,
    Detail,
    Lod,
}

impl Feature {
    /// In the order of the panel.
    pub const ALL: [Self; 9] = [
        Self::Fog,
        Self::Water,
        Self::WaterReflection,
        Self::SeaBeyondEdge,
        Self::Sky,
        Self::Clouds,
        Self::Decal,
        Self::Detail,
        Self::Lod,
    ];

    /// What it is, in a few words.
    pub const fn label(self) -> &'static str {
        match self {
            Self::Fog => "fog",
            Self::Water => "water",
            Self::WaterReflection => "reflections and waves",
            Self::SeaBeyondEdge => "sea beyond the level",
            Self::Sky => "sky",
            Self::Clouds => "clouds (made up)",
            Self::Decal => "second texture layers",
            Self::Detail => "fine structure",
            Self::Lod => "coarse land far away",
        }
    }

    /// The renderer's switch for it.
    pub fn switch(self, switches: &mut Switches) -> &mut bool {
        match self {
            Self::Fog => &mut switches.fog,
            Self::Water => &mut switches.water,
            Self::WaterReflection => &mut switches.water_reflection,
            Self::SeaBeyondEdge => &mut switches.sea_beyond_edge,
            Self::Sky => &mut switches.sky,
            Self::Clouds => &mut switches.clouds,
            Self::Decal => &mut switches.decal,
            Self::Detail => &mut switches.detail,
            Self::Lod => &mut switches.lod,
        }
    }
}

/// What is shown of one level.
#[derive(Debug, Clone, PartialEq)]
pub struct ViewOptions {
    /// Parts of the picture.
    pub switches: Switches,
    /// For each overlay of the level, whether it is drawn.
    pub overlays: Vec<bool>,
    /// Frames wait for the display.
    pub vsync: bool,
    /// Only what is seen from one place is drawn, wherever the camera goes.
    pub frozen_culling: bool,
    /// The panel with figures and switches.
    pub panel: bool,
    /// The list of keys.
    pub help: bool,
    /// The cross in the middle.
    pub crosshair: bool,
}

impl Default for ViewOptions {
    /// The panel and the crosshair over the picture.
    fn default() -> Self {
        Self {
            switches: Switches::default(),
            overlays: Vec::new(),
            vsync: true,
            frozen_culling: false,
            panel: true,
            help: false,
            crosshair: true,
        }
    }
}

impl ViewOptions {
    /// Indices of the overlays that are drawn.
    pub fn shown_overlays(&self) -> Vec<usize> {
        (0..self.overlays.len())
            .filter(|index| self.overlays[*index])
            .collect()
    }
}
