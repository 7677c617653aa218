//! Units: what they have, what they can, and how they behave.

use super::fields::{NodeCodec, View};
use crate::mob::UnitStats;
use crate::mob::node_id::{
    ACTION_PT, ACTION_PT_FLAGS, ACTION_PT_LOOK_PT, ACTION_PT_TURN_SPEED, ACTION_PT_WAIT_SEG,
    GUARD_PT, GUARD_PT_POSITION, UNIT_ARMORS, UNIT_LOGIC, UNIT_LOGIC_AGRESSION_MODE,
    UNIT_LOGIC_ALARM_CONDITION, UNIT_LOGIC_ALWAYS_ACTIVE, UNIT_LOGIC_CYCLIC, UNIT_LOGIC_GUARD_PT,
    UNIT_LOGIC_GUARD_R, UNIT_LOGIC_HELP, UNIT_LOGIC_MODEL, UNIT_LOGIC_NALARM, UNIT_LOGIC_USE,
    UNIT_LOGIC_WAIT, UNIT_NEED_IMPORT, UNIT_PROTOTYPE, UNIT_QUEST_ITEMS, UNIT_QUICK_ITEMS,
    UNIT_SPELLS, UNIT_STATS, UNIT_WEAPONS,
};

/// A unit: what only units have.
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
    /// Whether the patrol starts over after its last point.
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

    /// The fields before those that all objects have; the behaviors follow them.
    pub(super) fn walk(&mut self, c: &mut impl NodeCodec) {
        c.field(UNIT_NEED_IMPORT, &mut self.needs_import);
        c.field(UNIT_PROTOTYPE, &mut self.prototype);
        c.field(UNIT_ARMORS, &mut self.armors);
        c.field(UNIT_WEAPONS, &mut self.weapons);
        c.field(UNIT_SPELLS, &mut self.spells);
        c.field(UNIT_QUICK_ITEMS, &mut self.quick_items);
        c.field(UNIT_QUEST_ITEMS, &mut self.quest_items);
        c.field(UNIT_STATS, &mut self.stats);
    }
}

impl View for UnitLogic {
    const ID: u32 = UNIT_LOGIC;

    fn walk(&mut self, c: &mut impl NodeCodec) {
        c.field(UNIT_LOGIC_ALARM_CONDITION, &mut self.alarm_condition);
        c.field(UNIT_LOGIC_HELP, &mut self.help_radius);
        c.field(UNIT_LOGIC_CYCLIC, &mut self.is_cyclic);
        c.field(UNIT_LOGIC_AGRESSION_MODE, &mut self.aggression_mode);
        c.field(UNIT_LOGIC_ALWAYS_ACTIVE, &mut self.is_always_active);
        c.field(UNIT_LOGIC_MODEL, &mut self.model);
        c.field(UNIT_LOGIC_GUARD_R, &mut self.guard_radius);
        c.field(UNIT_LOGIC_WAIT, &mut self.wait);
        c.field(UNIT_LOGIC_GUARD_PT, &mut self.guard_point);
        c.field(UNIT_LOGIC_USE, &mut self.is_used);
        c.field(UNIT_LOGIC_NALARM, &mut self.n_alarm);
        c.records(&mut self.patrol);
    }
}

impl View for GuardPoint {
    const ID: u32 = GUARD_PT;

    fn walk(&mut self, c: &mut impl NodeCodec) {
        c.field(GUARD_PT_POSITION, &mut self.position);
        c.records(&mut self.actions);
    }
}

impl View for ActionPoint {
    const ID: u32 = ACTION_PT;

    fn walk(&mut self, c: &mut impl NodeCodec) {
        c.field(ACTION_PT_LOOK_PT, &mut self.look_at);
        c.field(ACTION_PT_WAIT_SEG, &mut self.wait_segments);
        c.field(ACTION_PT_TURN_SPEED, &mut self.turn_speed);
        c.field(ACTION_PT_FLAGS, &mut self.flags);
    }
}
