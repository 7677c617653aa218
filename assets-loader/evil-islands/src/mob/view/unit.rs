//! Units: what they have, what they can, and how they behave.

use super::fields::{Fields, NodeList};
use crate::mob::edit::EditError;
use crate::mob::node_id::{
    ACTION_PT, ACTION_PT_FLAGS, ACTION_PT_LOOK_PT, ACTION_PT_TURN_SPEED, ACTION_PT_WAIT_SEG,
    GUARD_PT, GUARD_PT_POSITION, UNIT_ARMORS, UNIT_LOGIC, UNIT_LOGIC_AGRESSION_MODE,
    UNIT_LOGIC_ALARM_CONDITION, UNIT_LOGIC_ALWAYS_ACTIVE, UNIT_LOGIC_CYCLIC, UNIT_LOGIC_GUARD_PT,
    UNIT_LOGIC_GUARD_R, UNIT_LOGIC_HELP, UNIT_LOGIC_MODEL, UNIT_LOGIC_NALARM, UNIT_LOGIC_USE,
    UNIT_LOGIC_WAIT, UNIT_NEED_IMPORT, UNIT_PROTOTYPE, UNIT_QUEST_ITEMS, UNIT_QUICK_ITEMS,
    UNIT_SPELLS, UNIT_STATS, UNIT_WEAPONS,
};
use crate::mob::{Node, UnitStats, Value};

/// Somebody: what only units have.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Unit {
    /// Whether the statistics of this file are used instead of those of the prototype.
    pub needs_import: bool,
    /// Name in the database of units.
    pub prototype: String,
    /// Names of what it wears.
    pub armors: Vec<String>,
    /// Names of what it fights with.
    pub weapons: Vec<String>,
    /// Names of what it can cast.
    pub spells: Vec<String>,
    /// Names of what it has at hand.
    pub quick_items: Vec<String>,
    /// Names of what it carries for quests.
    pub quest_items: Vec<String>,
    /// Statistics; `None` if the record has none.
    pub stats: Option<UnitStats>,
    /// Behaviors, in file order: the first is in use.
    pub logics: Vec<UnitLogic>,
}

/// A behavior.
#[derive(Debug, Clone, PartialEq)]
pub struct UnitLogic {
    /// `ALARM_CONDITION`.
    pub alarm_condition: u8,
    /// Radius of calls for help, meters.
    pub help_radius: f32,
    /// Whether the patrol begins anew after its last point.
    pub is_cyclic: bool,
    /// 0 attack, 1 revenge, 2 fear, 3 fear of the player.
    pub aggression_mode: u8,
    /// `ALWAYS_ACTIVE`.
    pub is_always_active: bool,
    /// 0 idle, 1 guard radius, 2 path, 3 place, 4 briefing, 5 guard alarm.
    pub model: u32,
    /// Radius of guarding, meters.
    pub guard_radius: f32,
    /// In fifteenths of a second.
    pub wait: f32,
    /// What it guards: world meters.
    pub guard_point: [f32; 3],
    /// `USE`: whether it is in use.
    pub is_used: bool,
    /// `NALARM`.
    pub n_alarm: u8,
    /// The patrol.
    pub patrol: Vec<GuardPoint>,
}

/// A point of a patrol.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct GuardPoint {
    /// World meters, absolute height.
    pub position: [f32; 3],
    /// What is looked at there.
    pub actions: Vec<ActionPoint>,
}

/// A point to look at.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct ActionPoint {
    /// World meters, absolute height.
    pub look_at: [f32; 3],
    /// Time to wait, as stored.
    pub wait_segments: i32,
    /// Speed of turning, as stored.
    pub turn_speed: u32,
    /// Flags, as stored.
    pub flags: u8,
}

impl Default for UnitLogic {
    fn default() -> Self {
        Self {
            alarm_condition: 0,
            help_radius: 10.0,
            is_cyclic: false,
            aggression_mode: 0,
            is_always_active: false,
            model: 0,
            guard_radius: 0.0,
            wait: 0.0,
            guard_point: [0.0; 3],
            is_used: false,
            n_alarm: 0,
            patrol: Vec::new(),
        }
    }
}

impl Unit {
    /// The behavior in use: the first that says so, else the first.
    pub fn logic(&self) -> Option<&UnitLogic> {
        let used = self.logics.iter().find(|logic| logic.is_used);
        used.or_else(|| self.logics.first())
    }

    pub(super) fn of_fields(fields: Fields<'_>) -> Self {
        let stats = match fields.value(UNIT_STATS) {
            Some(Value::UnitStats(stats)) => Some(**stats),
            _ => None,
        };
        let logics = fields.0.children_of(UNIT_LOGIC);
        Self {
            needs_import: fields.flag(UNIT_NEED_IMPORT),
            prototype: fields.text(UNIT_PROTOTYPE),
            armors: fields.texts(UNIT_ARMORS),
            weapons: fields.texts(UNIT_WEAPONS),
            spells: fields.texts(UNIT_SPELLS),
            quick_items: fields.texts(UNIT_QUICK_ITEMS),
            quest_items: fields.texts(UNIT_QUEST_ITEMS),
            stats,
            logics: logics.map(UnitLogic::of_node).collect(),
        }
    }

    /// What stands before the fields that all objects have.
    pub(super) fn push_before_base(&self, nodes: &mut NodeList) -> Result<(), EditError> {
        let Self {
            needs_import,
            prototype,
            armors,
            weapons,
            spells,
            quick_items,
            quest_items,
            stats,
            logics: _,
        } = self;
        nodes.byte(UNIT_NEED_IMPORT, *needs_import);
        nodes.text(UNIT_PROTOTYPE, prototype)?;
        nodes.texts(UNIT_ARMORS, armors)?;
        nodes.texts(UNIT_WEAPONS, weapons)?;
        nodes.texts(UNIT_SPELLS, spells)?;
        nodes.texts(UNIT_QUICK_ITEMS, quick_items)?;
        nodes.texts(UNIT_QUEST_ITEMS, quest_items)?;
        if let Some(stats) = stats {
            nodes.push(UNIT_STATS, Value::UnitStats(Box::new(*stats)));
        }
        Ok(())
    }

    /// What stands behind them.
    pub(super) fn push_logics(&self, nodes: &mut NodeList) {
        nodes.0.extend(self.logics.iter().map(UnitLogic::to_node));
    }
}

impl UnitLogic {
    fn of_node(node: &Node) -> Self {
        let fields = Fields(node);
        Self {
            alarm_condition: fields.byte(UNIT_LOGIC_ALARM_CONDITION),
            help_radius: fields.float(UNIT_LOGIC_HELP),
            is_cyclic: fields.flag(UNIT_LOGIC_CYCLIC),
            aggression_mode: fields.byte(UNIT_LOGIC_AGRESSION_MODE),
            is_always_active: fields.flag(UNIT_LOGIC_ALWAYS_ACTIVE),
            model: fields.dword(UNIT_LOGIC_MODEL),
            guard_radius: fields.float(UNIT_LOGIC_GUARD_R),
            wait: fields.float(UNIT_LOGIC_WAIT),
            guard_point: fields.plot(UNIT_LOGIC_GUARD_PT),
            is_used: fields.flag(UNIT_LOGIC_USE),
            n_alarm: fields.byte(UNIT_LOGIC_NALARM),
            patrol: node
                .children_of(GUARD_PT)
                .map(GuardPoint::of_node)
                .collect(),
        }
    }

    fn to_node(&self) -> Node {
        let Self {
            alarm_condition,
            help_radius,
            is_cyclic,
            aggression_mode,
            is_always_active,
            model,
            guard_radius,
            wait,
            guard_point,
            is_used,
            n_alarm,
            patrol,
        } = self;
        let mut nodes = NodeList::default();
        nodes.byte(UNIT_LOGIC_ALARM_CONDITION, *alarm_condition);
        nodes.float(UNIT_LOGIC_HELP, *help_radius);
        nodes.byte(UNIT_LOGIC_CYCLIC, *is_cyclic);
        nodes.byte(UNIT_LOGIC_AGRESSION_MODE, *aggression_mode);
        nodes.byte(UNIT_LOGIC_ALWAYS_ACTIVE, *is_always_active);
        nodes.dword(UNIT_LOGIC_MODEL, *model);
        nodes.float(UNIT_LOGIC_GUARD_R, *guard_radius);
        nodes.float(UNIT_LOGIC_WAIT, *wait);
        nodes.plot(UNIT_LOGIC_GUARD_PT, *guard_point);
        nodes.byte(UNIT_LOGIC_USE, *is_used);
        nodes.byte(UNIT_LOGIC_NALARM, *n_alarm);
        nodes.0.extend(patrol.iter().map(GuardPoint::to_node));
        nodes.into_record(UNIT_LOGIC)
    }
}

impl GuardPoint {
    fn of_node(node: &Node) -> Self {
        Self {
            position: Fields(node).plot(GUARD_PT_POSITION),
            actions: node
                .children_of(ACTION_PT)
                .map(ActionPoint::of_node)
                .collect(),
        }
    }

    fn to_node(&self) -> Node {
        let Self { position, actions } = self;
        let mut nodes = NodeList::default();
        nodes.plot(GUARD_PT_POSITION, *position);
        nodes
            .0
            .extend(actions.iter().copied().map(ActionPoint::to_node));
        nodes.into_record(GUARD_PT)
    }
}

impl ActionPoint {
    fn of_node(node: &Node) -> Self {
        let fields = Fields(node);
        Self {
            look_at: fields.plot(ACTION_PT_LOOK_PT),
            wait_segments: fields.dword(ACTION_PT_WAIT_SEG).cast_signed(),
            turn_speed: fields.dword(ACTION_PT_TURN_SPEED),
            flags: fields.byte(ACTION_PT_FLAGS),
        }
    }

    fn to_node(self) -> Node {
        let Self {
            look_at,
            wait_segments,
            turn_speed,
            flags,
        } = self;
        let mut nodes = NodeList::default();
        nodes.plot(ACTION_PT_LOOK_PT, look_at);
        nodes.dword(ACTION_PT_WAIT_SEG, wait_segments.cast_unsigned());
        nodes.dword(ACTION_PT_TURN_SPEED, turn_speed);
        nodes.byte(ACTION_PT_FLAGS, flags);
        nodes.into_record(ACTION_PT)
    }
}
