//! Objects of the five kinds.

use super::fields::{Fields, NodeList};
use super::unit::Unit;
use crate::mob::edit::EditError;
use crate::mob::node_id::{
    LEVER, LEVER_CAST_ONCE, LEVER_CUR_STATE, LEVER_IS_CYCLED, LEVER_IS_DOOR, LEVER_RECALC_GRAPH,
    LEVER_SCIENCE_STATS_NEW, LEVER_TOTAL_STATE, MAGIC_TRAP, MT_AREAS, MT_CAST_INTERVAL,
    MT_DIPLOMACY, MT_SPELL, MT_TARGETS, NID, OBJ_IS_SHADOW, OBJ_PARENT_ID, OBJ_PLAYER,
    OBJ_QUEST_INFO, OBJ_USE_IN_SCRIPT, OBJBODYPARTS, OBJCOMMENTS, OBJCOMPLECTION, OBJECT, OBJNAME,
    OBJPOSITION, OBJPRIMTXTR, OBJROTATION, OBJSECTXTR, OBJTEMPLATE, OBJTYPE, PARENTTEMPLATE, TORCH,
    TORCH_PTLINK, TORCH_SOUND, TORCH_STRENGHT, UNIT,
};
use crate::mob::{Area, LeverStats, Node, Value};

/// How `OBJ_PARENT_ID` says that there is none.
const NO_PARENT: u32 = u32::MAX;

/// Something that stands on the map.
#[derive(Debug, Clone, PartialEq)]
pub struct MapObject {
    /// `NID`: its number, unique on the map.
    pub nid: u32,
    /// `OBJTYPE`: 50 human, 51 animal, 52 monster, 54 plain object, 58 torch, 59 magic trap, 60 lever.
    pub object_type: u32,
    /// `OBJNAME`.
    pub name: String,
    /// `OBJTEMPLATE`: its model, without the ending.
    pub template: String,
    /// `PARENTTEMPLATE`.
    pub parent_template: String,
    /// `OBJPRIMTXTR`: its primary texture, without the ending.
    pub primary_texture: String,
    /// `OBJSECTXTR`: its secondary texture, without the ending.
    pub secondary_texture: String,
    /// `OBJCOMMENTS`.
    pub comments: String,
    /// `OBJ_QUEST_INFO`.
    pub quest_info: String,
    /// `OBJPOSITION`, meters; the height counts from the ground.
    pub position: [f32; 3],
    /// `OBJROTATION`: an active rotation, w, x, y, z.
    pub rotation: [f32; 4],
    /// `OBJCOMPLECTION`: dexterity, strength, height.
    pub complection: [f32; 3],
    /// `OBJBODYPARTS`: names of visible parts; empty = all.
    pub body_parts: Vec<String>,
    /// `OBJ_PLAYER`: row of the relations, 0 to 31.
    pub player: u8,
    /// `OBJ_PARENT_ID`.
    pub parent_id: Option<u32>,
    /// `OBJ_USE_IN_SCRIPT`.
    pub use_in_script: bool,
    /// `OBJ_IS_SHADOW`.
    pub is_shadow: bool,
    /// What it is, with what only its kind has.
    pub kind: ObjectKind,
}

/// What an object is.
#[derive(Debug, Clone, PartialEq)]
pub enum ObjectKind {
    /// A plain object.
    Object,
    /// Somebody.
    Unit(Box<Unit>),
    /// A lever or a door.
    Lever(Lever),
    /// A torch.
    Torch(Torch),
    /// A magic trap.
    MagicTrap(MagicTrap),
}

/// A lever or a door.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lever {
    /// How it is opened.
    pub stats: LeverStats,
    /// State that it is in.
    pub current_state: u8,
    /// Number of its states.
    pub total_states: u8,
    /// Whether the first state follows the last.
    pub is_cycled: bool,
    /// Whether it is a door.
    pub is_door: bool,
    /// Whether the movement graph changes with it.
    pub recalculates_graph: bool,
}

/// A torch.
#[derive(Debug, Clone, PartialEq)]
pub struct Torch {
    /// Where the flame is; in whose axes is not known.
    pub flame: [f32; 3],
    /// Its strength.
    pub strength: f32,
    /// Its sound.
    pub sound: String,
}

/// A magic trap.
#[derive(Debug, Clone, PartialEq)]
pub struct MagicTrap {
    /// Row of the relations that tells whom it is for.
    pub diplomacy: u32,
    /// What it casts.
    pub spell: String,
    /// Time between casts, as stored.
    pub cast_interval: u32,
    /// Whether it casts but once.
    pub casts_once: bool,
    /// Circles that set it off.
    pub areas: Vec<Area>,
    /// Points that it casts at: x, y.
    pub targets: Vec<[f32; 2]>,
}

impl Default for MapObject {
    fn default() -> Self {
        Self {
            nid: 0,
            object_type: 54,
            name: String::new(),
            template: String::new(),
            parent_template: String::new(),
            primary_texture: String::new(),
            secondary_texture: String::new(),
            comments: String::new(),
            quest_info: String::new(),
            position: [0.0; 3],
            rotation: [1.0, 0.0, 0.0, 0.0],
            complection: [1.0; 3],
            body_parts: Vec::new(),
            player: 0,
            parent_id: None,
            use_in_script: false,
            is_shadow: false,
            kind: ObjectKind::Object,
        }
    }
}

impl Default for Lever {
    fn default() -> Self {
        Self {
            stats: LeverStats::default(),
            current_state: 0,
            total_states: 2,
            is_cycled: false,
            is_door: false,
            recalculates_graph: false,
        }
    }
}

impl MapObject {
    /// The object of a record; `None` of a node that is none.
    pub fn of_node(node: &Node) -> Option<Self> {
        let fields = Fields(node);
        let kind = match node.id {
            OBJECT => ObjectKind::Object,
            UNIT => ObjectKind::Unit(Box::new(Unit::of_fields(fields))),
            LEVER => ObjectKind::Lever(Lever::of_fields(fields)),
            TORCH => ObjectKind::Torch(Torch::of_fields(fields)),
            MAGIC_TRAP => ObjectKind::MagicTrap(MagicTrap::of_fields(fields)),
            _ => return None,
        };
        let default = Self::default();
        let plot = |id, default| fields.value(id).and_then(Value::as_plot).unwrap_or(default);
        let rotation = fields.value(OBJROTATION).and_then(Value::as_quaternion);
        let parent_id = fields.value(OBJ_PARENT_ID).and_then(Value::as_dword);
        Some(Self {
            nid: fields.dword(NID),
            object_type: fields.dword(OBJTYPE),
            name: fields.text(OBJNAME),
            template: fields.text(OBJTEMPLATE),
            parent_template: fields.text(PARENTTEMPLATE),
            primary_texture: fields.text(OBJPRIMTXTR),
            secondary_texture: fields.text(OBJSECTXTR),
            comments: fields.text(OBJCOMMENTS),
            quest_info: fields.text(OBJ_QUEST_INFO),
            position: fields.plot(OBJPOSITION),
            rotation: rotation.unwrap_or(default.rotation),
            complection: plot(OBJCOMPLECTION, default.complection),
            body_parts: fields.texts(OBJBODYPARTS),
            player: fields.byte(OBJ_PLAYER),
            parent_id: parent_id.filter(|id| *id != NO_PARENT),
            use_in_script: fields.flag(OBJ_USE_IN_SCRIPT),
            is_shadow: fields.flag(OBJ_IS_SHADOW),
            kind,
        })
    }

    /// The record of the object, as the newest editor writes it.
    ///
    /// # Errors
    /// Text with characters that CP1251 lacks.
    pub fn to_node(&self) -> Result<Node, EditError> {
        let mut nodes = NodeList::default();
        let id = match &self.kind {
            ObjectKind::Object => OBJECT,
            ObjectKind::Unit(unit) => {
                unit.push_before_base(&mut nodes)?;
                UNIT
            }
            ObjectKind::Lever(lever) => {
                lever.push(&mut nodes);
                LEVER
            }
            ObjectKind::Torch(torch) => {
                torch.push(&mut nodes)?;
                TORCH
            }
            ObjectKind::MagicTrap(trap) => {
                trap.push(&mut nodes)?;
                MAGIC_TRAP
            }
        };
        self.push_base(&mut nodes)?;
        if let ObjectKind::Unit(unit) = &self.kind {
            unit.push_logics(&mut nodes);
        }
        Ok(nodes.into_record(id))
    }

    fn push_base(&self, nodes: &mut NodeList) -> Result<(), EditError> {
        let Self {
            nid,
            object_type,
            name,
            template,
            parent_template,
            primary_texture,
            secondary_texture,
            comments,
            quest_info,
            position,
            rotation,
            complection,
            body_parts,
            player,
            parent_id,
            use_in_script,
            is_shadow,
            kind: _,
        } = self;
        nodes.texts(OBJBODYPARTS, body_parts)?;
        nodes.byte(OBJ_PLAYER, *player);
        nodes.dword(NID, *nid);
        nodes.dword(OBJTYPE, *object_type);
        nodes.text(OBJNAME, name)?;
        nodes.text(OBJTEMPLATE, template)?;
        nodes.text(PARENTTEMPLATE, parent_template)?;
        nodes.text(OBJPRIMTXTR, primary_texture)?;
        nodes.text(OBJSECTXTR, secondary_texture)?;
        nodes.text(OBJCOMMENTS, comments)?;
        nodes.plot(OBJPOSITION, *position);
        nodes.push(OBJROTATION, Value::Quaternion(*rotation));
        nodes.byte(OBJ_USE_IN_SCRIPT, *use_in_script);
        nodes.byte(OBJ_IS_SHADOW, *is_shadow);
        nodes.dword(OBJ_PARENT_ID, parent_id.unwrap_or(NO_PARENT));
        nodes.text(OBJ_QUEST_INFO, quest_info)?;
        nodes.plot(OBJCOMPLECTION, *complection);
        Ok(())
    }
}

impl Lever {
    fn of_fields(fields: Fields<'_>) -> Self {
        let stats = match fields.value(LEVER_SCIENCE_STATS_NEW) {
            Some(Value::LeverStats(stats)) => *stats,
            _ => LeverStats::default(),
        };
        let total_states = fields.value(LEVER_TOTAL_STATE).and_then(Value::as_byte);
        Self {
            stats,
            current_state: fields.byte(LEVER_CUR_STATE),
            total_states: total_states.unwrap_or(Self::default().total_states),
            is_cycled: fields.flag(LEVER_IS_CYCLED),
            is_door: fields.flag(LEVER_IS_DOOR),
            recalculates_graph: fields.flag(LEVER_RECALC_GRAPH),
        }
    }

    fn push(&self, nodes: &mut NodeList) {
        let Self {
            stats,
            current_state,
            total_states,
            is_cycled,
            is_door,
            recalculates_graph,
        } = self;
        nodes.push(LEVER_SCIENCE_STATS_NEW, Value::LeverStats(*stats));
        nodes.byte(LEVER_CUR_STATE, *current_state);
        nodes.byte(LEVER_TOTAL_STATE, *total_states);
        nodes.byte(LEVER_IS_CYCLED, *is_cycled);
        nodes.byte(LEVER_IS_DOOR, *is_door);
        nodes.byte(LEVER_RECALC_GRAPH, *recalculates_graph);
    }
}

impl Torch {
    fn of_fields(fields: Fields<'_>) -> Self {
        Self {
            flame: fields.plot(TORCH_PTLINK),
            strength: fields.float(TORCH_STRENGHT),
            sound: fields.text(TORCH_SOUND),
        }
    }

    fn push(&self, nodes: &mut NodeList) -> Result<(), EditError> {
        let Self {
            flame,
            strength,
            sound,
        } = self;
        nodes.plot(TORCH_PTLINK, *flame);
        nodes.float(TORCH_STRENGHT, *strength);
        nodes.text(TORCH_SOUND, sound)
    }
}

impl MagicTrap {
    fn of_fields(fields: Fields<'_>) -> Self {
        let areas = match fields.value(MT_AREAS) {
            Some(Value::AreaArray(areas)) => areas.clone(),
            _ => Vec::new(),
        };
        let targets = match fields.value(MT_TARGETS) {
            Some(Value::PointArray(points)) => points.clone(),
            _ => Vec::new(),
        };
        Self {
            diplomacy: fields.dword(MT_DIPLOMACY),
            spell: fields.text(MT_SPELL),
            cast_interval: fields.dword(MT_CAST_INTERVAL),
            casts_once: fields.flag(LEVER_CAST_ONCE),
            areas,
            targets,
        }
    }

    fn push(&self, nodes: &mut NodeList) -> Result<(), EditError> {
        let Self {
            diplomacy,
            spell,
            cast_interval,
            casts_once,
            areas,
            targets,
        } = self;
        nodes.dword(MT_DIPLOMACY, *diplomacy);
        nodes.text(MT_SPELL, spell)?;
        nodes.dword(MT_CAST_INTERVAL, *cast_interval);
        nodes.byte(LEVER_CAST_ONCE, *casts_once);
        if !areas.is_empty() {
            nodes.push(MT_AREAS, Value::AreaArray(areas.clone()));
        }
        if !targets.is_empty() {
            nodes.push(MT_TARGETS, Value::PointArray(targets.clone()));
        }
        Ok(())
    }
}
