//! `*.trf`: the research tree of a mission: what can be researched and built, what it costs and what it takes.
//!
//! Document: "Parkan: what is settled since", section 7.2. An NRes of twelve tables, TRF0 to TRFB, of which the lists of
//! prerequisites (TRF3) and of unlocks (TRF5) may be missing. An item is a row of TRF0; parts name the item that gives
//! them. In: bytes. Out: the tables, and the archive that they came from.
//!
//! Deliberately absent: research in play.

mod check;
mod codec;
mod describe;
#[cfg(test)]
pub(crate) mod tests;

use serde::{Deserialize, Serialize};

use crate::json;
use crate::nres::NRes;
use ironlands_assets_core::format::{
    Conversion, Fidelity, FileKind, Format, Match, inherent_methods,
};
use ironlands_assets_core::record::Record;
use ironlands_assets_core::report::Report;
use ironlands_assets_core::text::until_nul;

const FORMAT: &str = ResearchTree::NAME;
/// What files end in.
const ENDING: &str = ".trf";
/// What every entry of known files is called.
pub const ENTRY_NAME: &str = "ResTree";
/// attr2 of TRF0, which the game demands.
pub const VERSION: u32 = 3;

/// A research tree.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ResearchTree {
    /// TRF0: what can be researched.
    pub items: Vec<Item>,
    /// TRF1: where each item begins; one for each item in known files.
    pub states: Vec<u8>,
    /// TRF2 and TRF3: what must be researched before.
    pub prerequisites: ItemLists,
    /// TRF4 and TRF5: what it is a prerequisite of.
    pub unlocks: ItemLists,
    /// TRF6: ids of parts, each with a NUL behind it.
    #[serde(with = "json::cp1251")]
    pub part_ids: Vec<u8>,
    /// TRF7: short codes of items, likewise.
    #[serde(with = "json::cp1251")]
    pub codes: Vec<u8>,
    /// TRF8: names of items.
    #[serde(with = "json::cp1251")]
    pub names: Vec<u8>,
    /// TRF9: descriptions of items.
    #[serde(with = "json::cp1251")]
    pub descriptions: Vec<u8>,
    /// TRFA: what a panel shows of items.
    #[serde(with = "json::cp1251")]
    pub stat_lines: Vec<u8>,
    /// TRFB: which item gives each part.
    pub parts: Vec<Part>,
    /// The archive: the order of its entries, their attributes and names, and unknown ones. What the fields above say is
    /// not repeated in it.
    #[serde(with = "codec::container")]
    pub container: NRes,
}

/// Something to research or build (40 bytes). Texts are offsets into the tables of texts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Record, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Item {
    /// Energy and ore of the research.
    #[field("research costs")]
    pub research_costs: [f32; 2],
    /// Energy and ore of building it.
    #[field("build costs")]
    pub build_costs: [f32; 2],
    /// In [`ResearchTree::codes`].
    #[field("short code")]
    pub code: u32,
    /// In [`ResearchTree::names`].
    #[field("item name")]
    pub name: u32,
    /// In [`ResearchTree::descriptions`].
    #[field("item description")]
    pub description: u32,
    /// In [`ResearchTree::stat_lines`].
    #[field("stat lines")]
    pub stat_lines: u32,
    /// Its own row of [`ResearchTree::parts`].
    #[field("part row")]
    pub part: u16,
    /// 1 a turret of bunkers and towers, 2 to 5 of battle, transport, builder and HQ, 6 the hero, 7 an animal, 255 else.
    #[field("role")]
    pub role: u8,
    /// 8 building, 9 chassis or creature, 10 ammunition, 11 device, 12 weapon.
    #[field("item kind")]
    pub kind: u8,
    /// By kind.
    #[field("sub-kind")]
    pub sub_kind: u8,
    /// Second sub-kind of parts of buildings, 255 else.
    #[field("branch")]
    pub branch: u8,
    /// 0 tiny, 1 small, 2 medium, 3 large, 4 and 5 others.
    #[field("item size")]
    pub size: u8,
    /// Level of upgrades.
    #[field("upgrade level")]
    pub upgrade_level: u8,
}

/// A list of items for each item.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ItemLists {
    /// How many each has.
    pub counts: Vec<u32>,
    /// The items, one list after the other; `None` where the file has no such table.
    pub items: Option<Vec<u32>>,
}

/// A part, and what gives it (4 bytes).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Record, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Part {
    /// In [`ResearchTree::part_ids`].
    #[field("part id")]
    pub id: u16,
    /// The item that gives it.
    #[field("part item")]
    pub item: u16,
}

impl Format for ResearchTree {
    type Context = ();

    const NAME: &'static str = "trf";
    const EXTENSIONS: &'static [&'static str] = &["trf"];
    const KIND: FileKind = FileKind::Table;

    inherent_methods!(read, write, check);

    fn recognize(name: &str, _head: &[u8]) -> Option<Match> {
        name.ends_with(ENDING).then_some(Match::Name)
    }

    fn describe(&self, report: &mut Report) {
        describe::describe(self, report);
    }

    fn conversions() -> &'static [Conversion] {
        const { &[json::conversion::<Self>(Fidelity::Valid)] }
    }
}

impl ItemLists {
    /// The list of an item; empty beyond the tables.
    pub fn of(&self, item: usize) -> &[u32] {
        let before = self.counts.get(..item).unwrap_or_default().iter();
        let start = before.fold(0_usize, |sum, n| sum.saturating_add(*n as usize));
        let len = self.counts.get(item).map_or(0, |n| *n as usize);
        let all = self.items.as_deref().unwrap_or_default();
        all.get(start..start.saturating_add(len))
            .unwrap_or_default()
    }

    /// The lists of all items, without searching for each.
    fn iter(&self) -> impl Iterator<Item = &[u32]> {
        let mut rest = self.items.as_deref().unwrap_or_default();
        self.counts.iter().map(move |n| {
            let (list, behind) = rest.split_at_checked(*n as usize).unwrap_or_default();
            rest = behind;
            list
        })
    }

    fn n_counted(&self) -> u64 {
        let counts = self.counts.iter().map(|n| u64::from(*n));
        counts.fold(0, u64::saturating_add)
    }
}

/// The text at an offset of a table of texts; `None` beyond it.
fn text_at(table: &[u8], offset: usize) -> Option<&[u8]> {
    let rest = table.get(offset..).filter(|rest| !rest.is_empty())?;
    Some(until_nul(rest))
}
