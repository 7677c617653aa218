//! The formats of Evil Islands, for all that iterates formats.

use ironlands_assets_core::format::{FormatSet, no_groups};
use ironlands_assets_core::formats;

use crate::adb::Adb;
use crate::anm::Anm;
use crate::bon::Bon;
use crate::cam::Cam;
use crate::db::Db;
use crate::fig::Fig;
use crate::ini_text::IniText;
use crate::lights_config::LightsConfig;
use crate::lnk::Lnk;
use crate::mmp::Mmp;
use crate::mob::Mob;
use crate::mp::Mp;
use crate::mq_text::MqText;
use crate::reg::Reg;
use crate::res::ResArchive;
use crate::sec::Sec;
use crate::zone::ZoneArchive;

/// All formats.
pub const FORMATS: FormatSet = FormatSet {
    formats: formats![
        ZoneArchive,
        Mp,
        Sec,
        Mob,
        LightsConfig,
        ResArchive,
        Reg,
        Adb,
        Cam,
        Db,
        Mmp,
        Fig,
        Lnk,
        Bon,
        Anm,
        IniText,
        MqText,
    ],
    inspect_folder: no_groups,
};

#[cfg(test)]
mod tests;
