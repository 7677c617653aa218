//! Settings of the world, ranges of numbers, and folders of the editor.

use super::fields::{Fields, NodeList};
use crate::mob::Node;
use crate::mob::edit::EditError;
use crate::mob::node_id::{
    DIR_NAME, DIR_NINST, DIR_PARENT_FOLDER, DIR_TYPE, FOLDER, MAX_ID, MIN_ID, RANGE, WORLD_SET,
    WS_AMBIENT, WS_SUN_LIGHT, WS_TIME, WS_WIND_DIR, WS_WIND_STR,
};

/// Weather and light of a base map (dossier sections 11.9 and 12.4).
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct WorldSettings {
    /// Where the wind blows to.
    pub wind_direction: [f32; 3],
    /// How strong it is.
    pub wind_strength: f32,
    /// Time of day, in hours as it seems.
    pub time: f32,
    /// Multiplies the ambient light, as it seems.
    pub ambient: f32,
    /// Multiplies the light of the sun, as it seems. One editor stores the ambient light here by mistake.
    pub sun_light: f32,
}

/// A range that numbers of objects lie in, both ends included.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct IdRange {
    /// Least number.
    pub min: u32,
    /// Greatest number.
    pub max: u32,
}

/// A folder of the editor.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Folder {
    /// Its name.
    pub name: String,
    /// `DIR_NINST`, as stored.
    pub n_instances: u32,
    /// The folder around it, as stored.
    pub parent: u32,
    /// `DIR_TYPE`, as stored.
    pub folder_type: u8,
}

impl WorldSettings {
    pub(super) fn of_node(node: &Node) -> Self {
        let fields = Fields(node);
        Self {
            wind_direction: fields.plot(WS_WIND_DIR),
            wind_strength: fields.float(WS_WIND_STR),
            time: fields.float(WS_TIME),
            ambient: fields.float(WS_AMBIENT),
            sun_light: fields.float(WS_SUN_LIGHT),
        }
    }

    /// The record of the settings.
    pub fn to_node(&self) -> Node {
        let Self {
            wind_direction,
            wind_strength,
            time,
            ambient,
            sun_light,
        } = self;
        let mut nodes = NodeList::default();
        nodes.plot(WS_WIND_DIR, *wind_direction);
        nodes.float(WS_WIND_STR, *wind_strength);
        nodes.float(WS_TIME, *time);
        nodes.float(WS_AMBIENT, *ambient);
        nodes.float(WS_SUN_LIGHT, *sun_light);
        nodes.into_record(WORLD_SET)
    }
}

impl IdRange {
    pub(super) fn of_node(node: &Node) -> Self {
        let fields = Fields(node);
        Self {
            min: fields.dword(MIN_ID),
            max: fields.dword(MAX_ID),
        }
    }

    /// The record of the range.
    pub fn to_node(&self) -> Node {
        let Self { min, max } = self;
        let mut nodes = NodeList::default();
        nodes.dword(MIN_ID, *min);
        nodes.dword(MAX_ID, *max);
        nodes.into_record(RANGE)
    }

    /// Whether a number lies in it.
    pub fn contains(&self, id: u32) -> bool {
        (self.min..=self.max).contains(&id)
    }
}

impl Folder {
    pub(super) fn of_node(node: &Node) -> Self {
        let fields = Fields(node);
        Self {
            name: fields.text(DIR_NAME),
            n_instances: fields.dword(DIR_NINST),
            parent: fields.dword(DIR_PARENT_FOLDER),
            folder_type: fields.byte(DIR_TYPE),
        }
    }

    /// The record of the folder.
    ///
    /// # Errors
    /// A name with characters that CP1251 lacks.
    pub fn to_node(&self) -> Result<Node, EditError> {
        let Self {
            name,
            n_instances,
            parent,
            folder_type,
        } = self;
        let mut nodes = NodeList::default();
        nodes.text(DIR_NAME, name)?;
        nodes.dword(DIR_NINST, *n_instances);
        nodes.dword(DIR_PARENT_FOLDER, *parent);
        nodes.byte(DIR_TYPE, *folder_type);
        Ok(nodes.into_record(FOLDER))
    }
}
