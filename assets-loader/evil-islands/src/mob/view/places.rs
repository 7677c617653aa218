//! Lights, sounds and sources of particles.

use super::fields::{Fields, NodeList};
use super::particle_type::particle_type_name;
use crate::mob::Node;
use crate::mob::edit::EditError;
use crate::mob::node_id::{
    LIGHT, LIGHT_COLOR, LIGHT_COMMENTS, LIGHT_ID, LIGHT_NAME, LIGHT_POSITION, LIGHT_RANGE,
    LIGHT_SHADOW, PARTICL, PARTICL_COMMENTS, PARTICL_ID, PARTICL_NAME, PARTICL_POSITION,
    PARTICL_SCALE, PARTICL_TYPE, SOUND, SOUND_AMBIENT, SOUND_COMMENTS, SOUND_ID, SOUND_IS_MUSIC,
    SOUND_MAX, SOUND_MIN, SOUND_NAME, SOUND_POSITION, SOUND_RANGE, SOUND_RANGE2, SOUND_RESNAME,
};

/// A point light.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct MapLight {
    /// Its number.
    pub id: u32,
    /// Whether it casts shadows.
    pub casts_shadow: bool,
    /// World meters, absolute height.
    pub position: [f32; 3],
    /// Red, green, blue, 0 to 1.
    pub color: [f32; 3],
    /// Meters.
    pub range: f32,
    /// Its name.
    pub name: String,
    /// What its author says of it.
    pub comments: String,
}

/// A sound.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct MapSound {
    /// Its number.
    pub id: u32,
    /// World meters, absolute height.
    pub position: [f32; 3],
    /// Meters.
    pub range: u32,
    /// Its name.
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
    /// Its number.
    pub id: u32,
    /// World meters, absolute height.
    pub position: [f32; 3],
    /// Its name.
    pub name: String,
    /// What its author says of it.
    pub comments: String,
    /// What it looks like, see [`particle_type_name`].
    pub particle_type: u32,
    /// Scale.
    pub scale: f32,
}

impl MapLight {
    /// The light of a record; `None` of a node that is none.
    pub fn of_node(node: &Node) -> Option<Self> {
        let fields = Fields(node);
        (node.id == LIGHT).then(|| Self {
            id: fields.dword(LIGHT_ID),
            casts_shadow: fields.flag(LIGHT_SHADOW),
            position: fields.plot(LIGHT_POSITION),
            color: fields.plot(LIGHT_COLOR),
            range: fields.float(LIGHT_RANGE),
            name: fields.text(LIGHT_NAME),
            comments: fields.text(LIGHT_COMMENTS),
        })
    }

    /// The record of the light, as the newest editor writes it.
    ///
    /// # Errors
    /// Text with characters that CP1251 lacks.
    pub fn to_node(&self) -> Result<Node, EditError> {
        let Self {
            id,
            casts_shadow,
            position,
            color,
            range,
            name,
            comments,
        } = self;
        let mut nodes = NodeList::default();
        nodes.dword(LIGHT_ID, *id);
        nodes.byte(LIGHT_SHADOW, *casts_shadow);
        nodes.plot(LIGHT_POSITION, *position);
        nodes.plot(LIGHT_COLOR, *color);
        nodes.float(LIGHT_RANGE, *range);
        nodes.text(LIGHT_NAME, name)?;
        nodes.text(LIGHT_COMMENTS, comments)?;
        Ok(nodes.into_record(LIGHT))
    }
}

impl MapSound {
    /// The sound of a record; `None` of a node that is none.
    pub fn of_node(node: &Node) -> Option<Self> {
        let fields = Fields(node);
        (node.id == SOUND).then(|| Self {
            id: fields.dword(SOUND_ID),
            position: fields.plot(SOUND_POSITION),
            range: fields.dword(SOUND_RANGE),
            name: fields.text(SOUND_NAME),
            min: fields.dword(SOUND_MIN),
            max: fields.dword(SOUND_MAX),
            comments: fields.text(SOUND_COMMENTS),
            files: fields.texts(SOUND_RESNAME),
            range2: fields.dword(SOUND_RANGE2),
            is_ambient: fields.flag(SOUND_AMBIENT),
            is_music: fields.flag(SOUND_IS_MUSIC),
        })
    }

    /// The record of the sound, as the newest editor writes it.
    ///
    /// # Errors
    /// Text with characters that CP1251 lacks.
    pub fn to_node(&self) -> Result<Node, EditError> {
        let Self {
            id,
            position,
            range,
            name,
            min,
            max,
            comments,
            files,
            range2,
            is_ambient,
            is_music,
        } = self;
        let mut nodes = NodeList::default();
        nodes.dword(SOUND_ID, *id);
        nodes.plot(SOUND_POSITION, *position);
        nodes.dword(SOUND_RANGE, *range);
        nodes.text(SOUND_NAME, name)?;
        nodes.dword(SOUND_MIN, *min);
        nodes.dword(SOUND_MAX, *max);
        nodes.text(SOUND_COMMENTS, comments)?;
        nodes.texts(SOUND_RESNAME, files)?;
        nodes.dword(SOUND_RANGE2, *range2);
        nodes.byte(SOUND_AMBIENT, *is_ambient);
        nodes.byte(SOUND_IS_MUSIC, *is_music);
        Ok(nodes.into_record(SOUND))
    }
}

impl MapParticle {
    /// The source of particles of a record; `None` of a node that is none.
    pub fn of_node(node: &Node) -> Option<Self> {
        let fields = Fields(node);
        (node.id == PARTICL).then(|| Self {
            id: fields.dword(PARTICL_ID),
            position: fields.plot(PARTICL_POSITION),
            name: fields.text(PARTICL_NAME),
            comments: fields.text(PARTICL_COMMENTS),
            particle_type: fields.dword(PARTICL_TYPE),
            scale: fields.float(PARTICL_SCALE),
        })
    }

    /// The record of the source, as the newest editor writes it.
    ///
    /// # Errors
    /// Text with characters that CP1251 lacks.
    pub fn to_node(&self) -> Result<Node, EditError> {
        let Self {
            id,
            position,
            name,
            comments,
            particle_type,
            scale,
        } = self;
        let mut nodes = NodeList::default();
        nodes.dword(PARTICL_ID, *id);
        nodes.plot(PARTICL_POSITION, *position);
        nodes.text(PARTICL_NAME, name)?;
        nodes.text(PARTICL_COMMENTS, comments)?;
        nodes.dword(PARTICL_TYPE, *particle_type);
        nodes.float(PARTICL_SCALE, *scale);
        Ok(nodes.into_record(PARTICL))
    }

    /// Name of its type; a number without a name is told as it is.
    pub fn type_name(&self) -> String {
        let name = particle_type_name(self.particle_type).map(str::to_owned);
        name.unwrap_or_else(|| self.particle_type.to_string())
    }
}
