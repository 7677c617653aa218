//! Which material rows a level needs: the lines of its `Land1.wea` and `Land2.wea`.

use std::collections::BTreeSet;

use crate::landscape::Class;
use crate::surface::{Cover, Facet, Overlay};

/// "No overlay" in a face.
const NO_OVERLAY: u8 = 0xFF;

/// Rows of the two material tables of a level.
pub struct MaterialRows {
    overlays: Vec<Overlay>,
}

impl MaterialRows {
    /// Row 0 of `Land2.wea`, by the custom of the retail files.
    pub const DEFAULT: &str = "DEFAULT";

    /// The rows that these facets need.
    pub fn from_facets<'a>(facets: impl IntoIterator<Item = &'a Facet>) -> Self {
        let used: BTreeSet<Overlay> = facets
            .into_iter()
            .filter_map(|facet| match facet.cover {
                Cover::Ground { overlay, .. } => overlay,
                Cover::Water => None,
            })
            .collect();
        Self {
            overlays: used.into_iter().collect(),
        }
    }

    /// Overlays in row order.
    pub fn overlays(&self) -> &[Overlay] {
        &self.overlays
    }

    /// Material names of `Land2.wea`: the base materials.
    pub fn base_names() -> Vec<String> {
        let classes = Class::ALL.map(|class| class.name().to_owned());
        [Self::DEFAULT.to_owned()]
            .into_iter()
            .chain(classes)
            .chain([WATER.to_owned()])
            .collect()
    }

    /// Material names of `Land1.wea`: the overlays.
    pub fn overlay_names(&self) -> Vec<String> {
        self.overlays.iter().map(|overlay| overlay.name()).collect()
    }

    /// Rows of a cover in `Land2.wea` and `Land1.wea`.
    pub fn of_cover(&self, cover: Cover) -> (u8, u8) {
        match cover {
            Cover::Water => (Class::ALL.len() as u8 + 1, NO_OVERLAY),
            Cover::Ground { base, overlay } => {
                let row = |overlay| self.overlays.iter().position(|known| *known == overlay);
                (
                    base as u8 + 1,
                    overlay.and_then(row).map_or(NO_OVERLAY, |row| row as u8),
                )
            }
        }
    }
}

/// Name of the water material.
pub const WATER: &str = "WATER";

impl Class {
    /// Name of its base material; its texture is called the same with `.0` after it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Sand => "SAND",
            Self::Grass => "GRASS",
            Self::Heath => "HEATH",
            Self::Rock => "ROCK",
            Self::Snow => "SNOW",
        }
    }
}

impl Overlay {
    /// Name of its material: the class and the corners that it covers, or the sides that a road runs through.
    pub fn name(self) -> String {
        match self {
            Self::Join { class, corners } => format!("{}_{corners:02}", class.name()),
            Self::Road(link) => format!("ROAD_{:02}", link.0),
        }
    }
}
