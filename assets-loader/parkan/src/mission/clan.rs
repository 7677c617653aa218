//! Clans: those who own objects.

use super::{read_list, read_text, refuse_unstored, write_text};
use ironlands_assets_core::bytes::{FormatError, Reader, Writer};
use serde::{Deserialize, Serialize};

const MIN_GROUP_SIZE: usize = 4;
const GROUP_ITEM_SIZE: usize = 20;
const MIN_RELATION_SIZE: usize = 8;

/// One clan.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Clan {
    /// CP1251.
    #[serde(with = "crate::json::cp1251")]
    pub name: Vec<u8>,
    /// Number of the clan; objects go by the position of the clan instead.
    pub id: i32,
    /// World x and y, level units.
    pub position: [f32; 2],
    /// What sort of clan; see [`Clan::clan_type`].
    pub type_word: u32,
    /// Path of the clan's scripts, without ending. CP1251; stored from version 2 on, else empty.
    #[serde(with = "crate::json::cp1251")]
    pub script_base: Vec<u8>,
    /// Meaning unknown: groups of items of five floats, one item in all known groups. No clan but that of the
    /// environment has any. Stored from version 3 on, else none.
    pub groups: Vec<Vec<[f32; 5]>>,
    /// Path of the research tree (`.trf`). CP1251; stored from version 4 on, else empty.
    #[serde(with = "crate::json::cp1251")]
    pub research: Vec<u8>,
    /// Stored from version 5 on, else 0.
    pub brains: i32,
    /// What the clan is to others; stored from version 6 on, else none.
    pub relations: Vec<Relation>,
}

/// What a clan is to another.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Relation {
    /// Name of the other clan. CP1251.
    #[serde(with = "crate::json::cp1251")]
    pub clan: Vec<u8>,
    /// 0 or 1 as far as is known.
    pub relation: i32,
}

/// Who plays a clan.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ClanType {
    /// 0: trees, stones and whatever belongs to no one.
    Environment,
    /// 1.
    Player,
    /// 2: the computer.
    Ai,
    /// 3.
    Neutral,
}

impl Clan {
    /// Bytes of a clan of version 1 without a name.
    pub(super) const MIN_SIZE: usize = 20;

    /// Who plays the clan; `None` for a word that no known file has.
    pub const fn clan_type(&self) -> Option<ClanType> {
        match self.type_word {
            0 => Some(ClanType::Environment),
            1 => Some(ClanType::Player),
            2 => Some(ClanType::Ai),
            3 => Some(ClanType::Neutral),
            _ => None,
        }
    }

    /// The layout is the same for all types of clans (dossier section 10.1 names another reading).
    pub(super) fn read(r: &mut Reader<'_>, version: u32) -> Result<Self, FormatError> {
        let mut clan = Self {
            name: read_text(r, "clan name")?,
            id: r.i32("clan id")?,
            position: [r.f32("clan position")?, r.f32("clan position")?],
            type_word: r.u32("clan type")?,
            ..Self::default()
        };
        if version > 1 {
            clan.script_base = read_text(r, "clan script base")?;
        }
        if version > 2 {
            let n_groups = r.count("clan group count", MIN_GROUP_SIZE)?;
            clan.groups = read_list(n_groups, || read_group(r))?;
        }
        if version > 3 {
            clan.research = read_text(r, "clan research")?;
        }
        if version > 4 {
            clan.brains = r.i32("clan brains")?;
        }
        if version > 5 {
            let n_relations = r.count("clan relation count", MIN_RELATION_SIZE)?;
            clan.relations = read_list(n_relations, || Relation::read(r))?;
        }
        Ok(clan)
    }

    pub(super) fn write(&self, w: &mut Writer, version: u32) -> Result<(), FormatError> {
        let Self {
            name,
            id,
            position: [x, y],
            type_word,
            script_base,
            groups,
            research,
            brains,
            relations,
        } = self;
        write_text(w, "clan name", name)?;
        w.i32(*id);
        w.f32(*x);
        w.f32(*y);
        w.u32(*type_word);
        if version > 1 {
            write_text(w, "clan script base", script_base)?;
        } else {
            refuse_unstored(w, "clan script base", script_base, &Vec::new())?;
        }
        if version > 2 {
            w.count("clan group count", groups.len())?;
            for group in groups {
                write_group(w, group)?;
            }
        } else {
            refuse_unstored(w, "clan group count", groups, &Vec::new())?;
        }
        if version > 3 {
            write_text(w, "clan research", research)?;
        } else {
            refuse_unstored(w, "clan research", research, &Vec::new())?;
        }
        if version > 4 {
            w.i32(*brains);
        } else {
            refuse_unstored(w, "clan brains", brains, &0)?;
        }
        if version > 5 {
            w.count("clan relation count", relations.len())?;
            for relation in relations {
                relation.write(w)?;
            }
        } else {
            refuse_unstored(w, "clan relation count", relations, &Vec::new())?;
        }
        Ok(())
    }
}

impl Relation {
    fn read(r: &mut Reader<'_>) -> Result<Self, FormatError> {
        Ok(Self {
            clan: read_text(r, "clan relation name")?,
            relation: r.i32("clan relation")?,
        })
    }

    fn write(&self, w: &mut Writer) -> Result<(), FormatError> {
        let Self { clan, relation } = self;
        write_text(w, "clan relation name", clan)?;
        w.i32(*relation);
        Ok(())
    }
}

fn read_group(r: &mut Reader<'_>) -> Result<Vec<[f32; 5]>, FormatError> {
    let n_items = r.count("clan group size", GROUP_ITEM_SIZE)?;
    read_list(n_items, || {
        let mut item = [0.0; 5];
        for value in &mut item {
            *value = r.f32("clan group")?;
        }
        Ok(item)
    })
}

fn write_group(w: &mut Writer, group: &[[f32; 5]]) -> Result<(), FormatError> {
    w.count("clan group size", group.len())?;
    for value in group.as_flattened() {
        w.f32(*value);
    }
    Ok(())
}
