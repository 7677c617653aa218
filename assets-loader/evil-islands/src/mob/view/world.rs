//! Settings of the world, ranges of numbers, and folders of the editor.

use super::fields::{NodeCodec, View};
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

impl View for WorldSettings {
    const ID: u32 = WORLD_SET;

    fn walk(&mut self, c: &mut impl NodeCodec) {
        c.field(WS_WIND_DIR, &mut self.wind_direction);
        c.field(WS_WIND_STR, &mut self.wind_strength);
        c.field(WS_TIME, &mut self.time);
        c.field(WS_AMBIENT, &mut self.ambient);
        c.field(WS_SUN_LIGHT, &mut self.sun_light);
    }
}

impl View for IdRange {
    const ID: u32 = RANGE;

    fn walk(&mut self, c: &mut impl NodeCodec) {
        c.field(MIN_ID, &mut self.min);
        c.field(MAX_ID, &mut self.max);
    }
}

impl IdRange {
    /// Whether a number lies in it.
    pub fn contains(&self, id: u32) -> bool {
        (self.min..=self.max).contains(&id)
    }
}

impl View for Folder {
    const ID: u32 = FOLDER;

    fn walk(&mut self, c: &mut impl NodeCodec) {
        c.field(DIR_NAME, &mut self.name);
        c.field(DIR_NINST, &mut self.n_instances);
        c.field(DIR_PARENT_FOLDER, &mut self.parent);
        c.field(DIR_TYPE, &mut self.folder_type);
    }
}
