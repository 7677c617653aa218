//! Views as text: labels and values, in the order to show them.

use super::object::{Lever, MagicTrap, Torch};
use super::{MapLight, MapObject, MapParticle, MapSound, ObjectKind, Unit, UnitLogic};
use crate::mob::unit_stats::StatValue;

/// A label and what goes with it.
pub type FactText = (String, String);

/// Facts in the order in which they are shown; what is empty is not.
#[derive(Default)]
struct Facts(Vec<FactText>);

impl Facts {
    fn add(&mut self, label: &str, value: impl ToString) {
        let value = value.to_string();
        if !value.is_empty() {
            self.0.push((label.to_owned(), value));
        }
    }

    fn add_if(&mut self, label: &str, is_so: bool) {
        if is_so {
            self.add(label, "yes");
        }
    }

    fn add_list(&mut self, label: &str, items: &[String]) {
        self.add(label, items.join(", "));
    }
}

impl ObjectKind {
    /// What it is in one word: `object`, `unit`, `lever`, `torch` or `magic_trap`.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Object => "object",
            Self::Unit(_) => "unit",
            Self::Lever(_) => "lever",
            Self::Torch(_) => "torch",
            Self::MagicTrap(_) => "magic_trap",
        }
    }
}

impl MapObject {
    /// All that is known of it.
    pub fn facts(&self) -> Vec<FactText> {
        let mut facts = Facts::default();
        facts.add("number", self.nid);
        facts.add("type", object_type_name(self.object_type));
        facts.add("template", &self.template);
        facts.add("parent template", &self.parent_template);
        facts.add("primary texture", &self.primary_texture);
        facts.add("secondary texture", &self.secondary_texture);
        facts.add("position", numbers(&self.position));
        facts.add("rotation w x y z", numbers(&self.rotation));
        facts.add("complection", numbers(&self.complection));
        facts.add_list("body parts", &self.body_parts);
        facts.add("player", self.player);
        facts.add(
            "parent",
            self.parent_id.map_or_else(String::new, |id| id.to_string()),
        );
        facts.add_if("used in the script", self.use_in_script);
        facts.add_if("shadow", self.is_shadow);
        facts.add("quest", &self.quest_info);
        facts.add("comments", &self.comments);
        match &self.kind {
            ObjectKind::Object => {}
            ObjectKind::Unit(unit) => add_unit(&mut facts, unit),
            ObjectKind::Lever(lever) => add_lever(&mut facts, lever),
            ObjectKind::Torch(torch) => add_torch(&mut facts, torch),
            ObjectKind::MagicTrap(trap) => add_trap(&mut facts, trap),
        }
        facts.0
    }
}

impl MapLight {
    /// All that is known of it.
    pub fn facts(&self) -> Vec<FactText> {
        let mut facts = Facts::default();
        facts.add("number", self.id);
        facts.add("position", numbers(&self.position));
        facts.add("color", numbers(&self.color));
        facts.add("range", self.range);
        facts.add_if("casts shadows", self.casts_shadow);
        facts.add("comments", &self.comments);
        facts.0
    }
}

impl MapSound {
    /// All that is known of it.
    pub fn facts(&self) -> Vec<FactText> {
        let mut facts = Facts::default();
        facts.add("number", self.id);
        facts.add("position", numbers(&self.position));
        facts.add("range", self.range);
        facts.add("second range", self.range2);
        facts.add("min", self.min);
        facts.add("max", self.max);
        facts.add_list("files", &self.files);
        facts.add_if("ambient", self.is_ambient);
        facts.add_if("music", self.is_music);
        facts.add("comments", &self.comments);
        facts.0
    }
}

impl MapParticle {
    /// All that is known of it.
    pub fn facts(&self) -> Vec<FactText> {
        let mut facts = Facts::default();
        facts.add("number", self.id);
        facts.add("type", self.type_name());
        facts.add("position", numbers(&self.position));
        facts.add("scale", self.scale);
        facts.add("comments", &self.comments);
        facts.0
    }
}

fn add_unit(facts: &mut Facts, unit: &Unit) {
    facts.add("prototype", &unit.prototype);
    facts.add_if("own statistics", unit.needs_import);
    facts.add_list("weapons", &unit.weapons);
    facts.add_list("armors", &unit.armors);
    facts.add_list("spells", &unit.spells);
    facts.add_list("quick items", &unit.quick_items);
    facts.add_list("quest items", &unit.quest_items);
    if let Some(logic) = unit.logic() {
        add_logic(facts, logic);
    }
    for (name, value) in unit.stats.iter().flat_map(|stats| stats.fields()) {
        match value {
            StatValue::Whole(value) => facts.add(name, value),
            StatValue::Float(value) => facts.add(name, value),
        }
    }
}

fn add_logic(facts: &mut Facts, logic: &UnitLogic) {
    let models = [
        "idle",
        "guard radius",
        "path",
        "place",
        "briefing",
        "guard alarm",
    ];
    let model = usize::try_from(logic.model)
        .ok()
        .and_then(|idx| models.get(idx));
    let model = model.map_or_else(|| logic.model.to_string(), |name| (*name).to_owned());
    facts.add("behavior", model);
    let modes = ["attack", "revenge", "fear", "fear of the player"];
    let mode = modes.get(usize::from(logic.aggression_mode));
    let mode = mode.map_or_else(
        || logic.aggression_mode.to_string(),
        |name| (*name).to_owned(),
    );
    facts.add("aggression", mode);
    facts.add("guard radius", logic.guard_radius);
    facts.add("help radius", logic.help_radius);
    facts.add("wait", logic.wait);
    facts.add("patrol points", logic.patrol.len());
    facts.add_if("patrol is cyclic", logic.is_cyclic);
    facts.add_if("always active", logic.is_always_active);
}

fn add_lever(facts: &mut Facts, lever: &Lever) {
    let opened = match lever.stats.open_type {
        0 => "not at all".to_owned(),
        1 => "by hand".to_owned(),
        2 => "by picklock".to_owned(),
        4 => "by crowbar".to_owned(),
        5 => "by hand or crowbar".to_owned(),
        8 => "by key".to_owned(),
        9 => "by hand or key".to_owned(),
        other => other.to_string(),
    };
    facts.add("opened", opened);
    facts.add("key", lever.stats.key_id);
    facts.add("sleight of hand", lever.stats.sleight_of_hand);
    facts.add(
        "state",
        format!("{} of {}", lever.current_state, lever.total_states),
    );
    facts.add_if("cycled", lever.is_cycled);
    facts.add_if("door", lever.is_door);
    facts.add_if("changes the movement graph", lever.recalculates_graph);
}

fn add_torch(facts: &mut Facts, torch: &Torch) {
    facts.add("flame", numbers(&torch.flame));
    facts.add("strength", torch.strength);
    facts.add("sound", &torch.sound);
}

fn add_trap(facts: &mut Facts, trap: &MagicTrap) {
    facts.add("spell", &trap.spell);
    facts.add("relations of player", trap.diplomacy);
    facts.add("cast interval", trap.cast_interval);
    facts.add_if("casts once", trap.casts_once);
    facts.add("areas", trap.areas.len());
    facts.add("targets", trap.targets.len());
}

fn object_type_name(object_type: u32) -> String {
    let name = match object_type {
        50 => "human",
        51 => "animal",
        52 => "monster",
        54 => "object",
        58 => "torch",
        59 => "magic trap",
        60 => "lever",
        other => return other.to_string(),
    };
    name.to_owned()
}

/// Numbers with three digits behind the point, between spaces.
fn numbers(numbers: &[f32]) -> String {
    let texts: Vec<String> = numbers
        .iter()
        .map(|number| format!("{number:.3}"))
        .collect();
    texts.join(" ")
}
