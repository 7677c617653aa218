//! Objects of the five kinds.

use super::fields::{NodeCodec, View};
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
use crate::mob::{Area, LeverStats, Node};

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
    /// A unit.
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
    /// Counted from 0.
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
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Torch {
    /// Where the flame is; in whose axes is not known.
    pub flame: [f32; 3],
    /// Strength of its light.
    pub strength: f32,
    /// Name of its sound file.
    pub sound: String,
}

/// A magic trap.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct MagicTrap {
    /// Row of the relations that says which units it is for.
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

/// Its records have the id of its kind.
impl View for MapObject {
    const ID: u32 = OBJECT;

    fn from_node(node: &Node) -> Option<Self> {
        let kind = match node.id {
            OBJECT => ObjectKind::Object,
            UNIT => ObjectKind::Unit(Box::default()),
            LEVER => ObjectKind::Lever(Lever::default()),
            TORCH => ObjectKind::Torch(Torch::default()),
            MAGIC_TRAP => ObjectKind::MagicTrap(MagicTrap::default()),
            _ => return None,
        };
        let object = Self {
            kind,
            ..Self::default()
        };
        Some(object.with_fields_of(node))
    }

    fn to_node(&self) -> Result<Node, EditError> {
        self.to_record(match self.kind {
            ObjectKind::Object => OBJECT,
            ObjectKind::Unit(_) => UNIT,
            ObjectKind::Lever(_) => LEVER,
            ObjectKind::Torch(_) => TORCH,
            ObjectKind::MagicTrap(_) => MAGIC_TRAP,
        })
    }

    fn walk(&mut self, c: &mut impl NodeCodec) {
        let default = Self::default();
        match &mut self.kind {
            ObjectKind::Object => {}
            ObjectKind::Unit(unit) => unit.walk(c),
            ObjectKind::Lever(lever) => lever.walk(c),
            ObjectKind::Torch(torch) => torch.walk(c),
            ObjectKind::MagicTrap(trap) => trap.walk(c),
        }
        c.field(OBJBODYPARTS, &mut self.body_parts);
        c.field(OBJ_PLAYER, &mut self.player);
        c.field(NID, &mut self.nid);
        c.field(OBJTYPE, &mut self.object_type);
        c.field(OBJNAME, &mut self.name);
        c.field(OBJTEMPLATE, &mut self.template);
        c.field(PARENTTEMPLATE, &mut self.parent_template);
        c.field(OBJPRIMTXTR, &mut self.primary_texture);
        c.field(OBJSECTXTR, &mut self.secondary_texture);
        c.field(OBJCOMMENTS, &mut self.comments);
        c.field(OBJPOSITION, &mut self.position);
        c.field_or(OBJROTATION, &mut self.rotation, default.rotation);
        c.field(OBJ_USE_IN_SCRIPT, &mut self.use_in_script);
        c.field(OBJ_IS_SHADOW, &mut self.is_shadow);
        let mut parent_id = self.parent_id.unwrap_or(NO_PARENT);
        c.field_or(OBJ_PARENT_ID, &mut parent_id, NO_PARENT);
        self.parent_id = Some(parent_id).filter(|id| *id != NO_PARENT);
        c.field(OBJ_QUEST_INFO, &mut self.quest_info);
        c.field_or(OBJCOMPLECTION, &mut self.complection, default.complection);
        if let ObjectKind::Unit(unit) = &mut self.kind {
            c.records(&mut unit.logics);
        }
    }
}

impl Lever {
    fn walk(&mut self, c: &mut impl NodeCodec) {
        let n_states = Self::default().total_states;
        c.field(LEVER_SCIENCE_STATS_NEW, &mut self.stats);
        c.field(LEVER_CUR_STATE, &mut self.current_state);
        c.field_or(LEVER_TOTAL_STATE, &mut self.total_states, n_states);
        c.field(LEVER_IS_CYCLED, &mut self.is_cycled);
        c.field(LEVER_IS_DOOR, &mut self.is_door);
        c.field(LEVER_RECALC_GRAPH, &mut self.recalculates_graph);
    }
}

impl Torch {
    fn walk(&mut self, c: &mut impl NodeCodec) {
        c.field(TORCH_PTLINK, &mut self.flame);
        c.field(TORCH_STRENGHT, &mut self.strength);
        c.field(TORCH_SOUND, &mut self.sound);
    }
}

impl MagicTrap {
    fn walk(&mut self, c: &mut impl NodeCodec) {
        c.field(MT_DIPLOMACY, &mut self.diplomacy);
        c.field(MT_SPELL, &mut self.spell);
        c.field(MT_CAST_INTERVAL, &mut self.cast_interval);
        c.field(LEVER_CAST_ONCE, &mut self.casts_once);
        c.field(MT_AREAS, &mut self.areas);
        c.field(MT_TARGETS, &mut self.targets);
    }
}
