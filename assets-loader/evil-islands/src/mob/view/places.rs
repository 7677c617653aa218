//! Lights, sounds and sources of particles.

use super::fields::{NodeCodec, View};
use super::particle_type::particle_type_name;
use crate::mob::node_id::{
    LIGHT, LIGHT_COLOR, LIGHT_COMMENTS, LIGHT_ID, LIGHT_NAME, LIGHT_POSITION, LIGHT_RANGE,
    LIGHT_SHADOW, PARTICL, PARTICL_COMMENTS, PARTICL_ID, PARTICL_NAME, PARTICL_POSITION,
    PARTICL_SCALE, PARTICL_TYPE, SOUND, SOUND_AMBIENT, SOUND_COMMENTS, SOUND_ID, SOUND_IS_MUSIC,
    SOUND_MAX, SOUND_MIN, SOUND_NAME, SOUND_POSITION, SOUND_RANGE, SOUND_RANGE2, SOUND_RESNAME,
};

/// A point light.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct MapLight {
    /// Unique number on the map.
    pub id: u32,
    /// Whether it casts shadows.
    pub casts_shadow: bool,
    /// World meters, absolute height.
    pub position: [f32; 3],
    /// Red, green, blue, 0 to 1.
    pub color: [f32; 3],
    /// Meters.
    pub range: f32,
    /// Name for the editor and scripts.
    pub name: String,
    /// What its author says of it.
    pub comments: String,
}

/// A sound.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct MapSound {
    /// Unique number on the map.
    pub id: u32,
    /// World meters, absolute height.
    pub position: [f32; 3],
    /// Meters.
    pub range: u32,
    /// Name for the editor and scripts.
    pub name: String,
    /// `SOUND_MIN`, as stored.
    pub min: u32,
    /// `SOUND_MAX`, as stored.
    pub max: u32,
    /// What its author says of it.
    pub comments: String,
    /// Names of the files.
    pub files: Vec<String>,
    /// Second range, meters.
    pub range2: u32,
    /// `SOUND_AMBIENT`.
    pub is_ambient: bool,
    /// Whether it is music.
    pub is_music: bool,
}

/// A source of particles.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct MapParticle {
    /// Unique number on the map.
    pub id: u32,
    /// World meters, absolute height.
    pub position: [f32; 3],
    /// Name for the editor and scripts.
    pub name: String,
    /// What its author says of it.
    pub comments: String,
    /// What it looks like, see [`particle_type_name`].
    pub particle_type: u32,
    /// Scale.
    pub scale: f32,
}

impl View for MapLight {
    const ID: u32 = LIGHT;

    fn walk(&mut self, c: &mut impl NodeCodec) {
        c.field(LIGHT_ID, &mut self.id);
        c.field(LIGHT_SHADOW, &mut self.casts_shadow);
        c.field(LIGHT_POSITION, &mut self.position);
        c.field(LIGHT_COLOR, &mut self.color);
        c.field(LIGHT_RANGE, &mut self.range);
        c.field(LIGHT_NAME, &mut self.name);
        c.field(LIGHT_COMMENTS, &mut self.comments);
    }
}

impl View for MapSound {
    const ID: u32 = SOUND;

    fn walk(&mut self, c: &mut impl NodeCodec) {
        c.field(SOUND_ID, &mut self.id);
        c.field(SOUND_POSITION, &mut self.position);
        c.field(SOUND_RANGE, &mut self.range);
        c.field(SOUND_NAME, &mut self.name);
        c.field(SOUND_MIN, &mut self.min);
        c.field(SOUND_MAX, &mut self.max);
        c.field(SOUND_COMMENTS, &mut self.comments);
        c.field(SOUND_RESNAME, &mut self.files);
        c.field(SOUND_RANGE2, &mut self.range2);
        c.field(SOUND_AMBIENT, &mut self.is_ambient);
        c.field(SOUND_IS_MUSIC, &mut self.is_music);
    }
}

impl View for MapParticle {
    const ID: u32 = PARTICL;

    fn walk(&mut self, c: &mut impl NodeCodec) {
        c.field(PARTICL_ID, &mut self.id);
        c.field(PARTICL_POSITION, &mut self.position);
        c.field(PARTICL_NAME, &mut self.name);
        c.field(PARTICL_COMMENTS, &mut self.comments);
        c.field(PARTICL_TYPE, &mut self.particle_type);
        c.field(PARTICL_SCALE, &mut self.scale);
    }
}

impl MapParticle {
    /// Name of its type; a number without a name is printed as it is.
    pub fn type_name(&self) -> String {
        let name = particle_type_name(self.particle_type).map(str::to_owned);
        name.unwrap_or_else(|| self.particle_type.to_string())
    }
}
