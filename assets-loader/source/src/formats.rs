//! The formats of the Source engine, for all that iterates formats.

#[cfg(test)]
mod tests;

use std::path::Path;

use ironlands_assets_core::format::{AnyFormat, FormatSet, Match, no_groups};
use ironlands_assets_core::formats;

use crate::ani::Ani;
use crate::bsp::game_lump::{DetailLights, DetailProps, GameLump, StaticProps};
use crate::bsp::{BspFile, PatchFile};
use crate::color_lookup::ColorLookup;
use crate::entities::Entities;
use crate::key_values::KeyValues;
use crate::mdl::Mdl;
use crate::pakfile::Pakfile;
use crate::pcf::Pcf;
use crate::phy::Phy;
use crate::tth::Tth;
use crate::ttz::Ttz;
use crate::vhv::Vhv;
use crate::vmf::Vmf;
use crate::vmt::Vmt;
use crate::vpk::{VpkDirectory, VtmbPack};
use crate::vtf::Vtf;
use crate::vtmb_mdl::VtmbMdl;
use crate::vtmb_vtx::VtmbVtx;
use crate::vtx::Vtx;
use crate::vvd::Vvd;

/// All formats.
pub const FORMATS: FormatSet = FormatSet {
    formats: formats![
        BspFile,
        PatchFile,
        GameLump,
        StaticProps,
        DetailProps,
        DetailLights,
        Entities,
        Pakfile,
        Vtf,
        Tth,
        Ttz,
        Vmt,
        VpkDirectory,
        VtmbPack,
        Mdl,
        VtmbMdl,
        Vvd,
        Vtx,
        VtmbVtx,
        Phy,
        Ani,
        Vhv,
        ColorLookup,
        Pcf,
        Vmf,
        KeyValues,
    ],
    inspect_folder: no_groups,
};

/// What a file in a map or an archive is, by its path and its first bytes; `None` if it is of no format of this world.
pub(crate) fn recognize(path: &Path, head: &[u8]) -> Option<&'static dyn AnyFormat> {
    let name = path.file_name()?.to_string_lossy().to_ascii_lowercase();
    let mut best: Option<(Match, &'static dyn AnyFormat)> = None;
    for format in FORMATS.formats {
        let found = format.recognize(&name, head);
        if let Some(found) = found.filter(|found| best.is_none_or(|(best, _)| *found > best)) {
            best = Some((found, *format));
        }
    }
    best.map(|(_, format)| format)
}
