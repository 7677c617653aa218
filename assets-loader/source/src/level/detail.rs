//! Detail props of a map, and their light that changes with time. Dossier sections 9.1 and 9.3.

use crate::bsp::game_lump::{DetailLight, DetailProps, GameLump, SubLumpId};
use crate::bsp::{BspFile, FaceSet, LumpId};
use ironlands_assets_core::bytes::FormatError;

/// What the game lump says of detail props.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Detail {
    /// Models, sprites, and where they stand.
    pub props: DetailProps,
    /// Lights of theirs, for the light that is shown.
    pub lights: Vec<DetailLight>,
}

impl Detail {
    /// None if the map has none.
    ///
    /// # Errors
    /// The game lump or one of its parts breaks its rules.
    pub(super) fn read(file: &BspFile, face_set: FaceSet) -> Result<Self, FormatError> {
        let lump = file.lump(LumpId::GameLump);
        if lump.is_empty() {
            return Ok(Self::default());
        }
        let offset = file.lump_offset(LumpId::GameLump).into();
        let game_lump = GameLump::read_within(lump, offset, file.budget())?;
        let lights = match face_set {
            FaceSet::Ldr => SubLumpId::DETAIL_LIGHTS,
            FaceSet::Hdr => SubLumpId::DETAIL_LIGHTS_HDR,
        };
        Ok(Self {
            props: game_lump.detail_props()?.unwrap_or_default(),
            lights: game_lump.detail_lights(lights)?.unwrap_or_default().lights,
        })
    }
}
