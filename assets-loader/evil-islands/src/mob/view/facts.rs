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
    fn tell(&mut self, label: &str, value: impl ToString) {
        let value = value.to_string();
        if !value.is_empty() {
            self.0.push((label.to_owned(), value));
        }
    }

    fn tell_if(&mut self, label: &str, is_so: bool) {
        if is_so {
            self.tell(label, "yes");
        }
    }

    fn tell_list(&mut self, label: &str, items: &[String]) {
        self.tell(label, items.join(", "));
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
        facts.tell("number", self.nid);
        facts.tell("type", object_type_name(self.object_type));
        facts.tell("template", &self.template);
        facts.tell("parent template", &self.parent_template);
        facts.tell("primary texture", &self.primary_texture);
        facts.tell("secondary texture", &self.secondary_texture);
        facts.tell("position", numbers(&self.position));
        facts.tell("rotation w x y z", numbers(&self.rotation));
        facts.tell("complection", numbers(&self.complection));
        facts.tell_list("body parts", &self.body_parts);
        facts.tell("player", self.player);
        facts.tell(
            "parent",
            self.parent_id.map_or_else(String::new, |id| id.to_string()),
        );
        facts.tell_if("used in the script", self.use_in_script);
        facts.tell_if("shadow", self.is_shadow);
        facts.tell("quest", &self.quest_info);
        facts.tell("comments", &self.comments);
        match &self.kind {
            ObjectKind::Object => {}
            ObjectKind::Unit(unit) => tell_unit(&mut facts, unit),
            ObjectKind::Lever(lever) => tell_lever(&mut facts, lever),
            ObjectKind::Torch(torch) => tell_torch(&mut facts, torch),
            ObjectKind::MagicTrap(trap) => tell_trap(&mut facts, trap),
        }
        facts.0
    }
}

impl MapLight {
    /// All that is known of it.
    pub fn facts(&self) -> Vec<FactText> {
        let mut facts = Facts::default();
        facts.tell("number", self.id);
        facts.tell("position", numbers(&self.position));
        facts.tell("color", numbers(&self.color));
        facts.tell("range", self.range);
        facts.tell_if("casts shadows", self.casts_shadow);
        facts.tell("comments", &self.comments);
        facts.0
    }
}

impl MapSound {
    /// All that is known of it.
    pub fn facts(&self) -> Vec<FactText> {
        let mut facts = Facts::default();
        facts.tell("number", self.id);
        facts.tell("position", numbers(&self.position));
        facts.tell("range", self.range);
        facts.tell("second range", self.range2);
        facts.tell("min", self.min);
        facts.tell("max", self.max);
        facts.tell_list("files", &self.files);
        facts.tell_if("ambient", self.is_ambient);
        facts.tell_if("music", self.is_music);
        facts.tell("comments", &self.comments);
        facts.0
    }
}

impl MapParticle {
    /// All that is known of it.
    pub fn facts(&self) -> Vec<FactText> {
        let mut facts = Facts::default();
        facts.tell("number", self.id);
        facts.tell("type", self.type_name());
        facts.tell("position", numbers(&self.position));
        facts.tell("scale", self.scale);
        facts.tell("comments", &self.comments);
        facts.0
    }
}

fn tell_unit(facts: &mut Facts, unit: &Unit) {
    facts.tell("prototype", &unit.prototype);
    facts.tell_if("own statistics", unit.needs_import);
    facts.tell_list("weapons", &unit.weapons);
    facts.tell_list("armors", &unit.armors);
    facts.tell_list("spells", &unit.spells);
    facts.tell_list("quick items", &unit.quick_items);
    facts.tell_list("quest items", &unit.quest_items);
    if let Some(logic) = unit.logic() {
        tell_logic(facts, logic);
    }
    for (name, value) in unit.stats.iter().flat_map(|stats| stats.fields()) {
        match value {
            StatValue::Whole(value) => facts.tell(name, value),
            StatValue::Float(value) => facts.tell(name, value),
        }
    }
}

fn tell_logic(facts: &mut Facts, logic: &UnitLogic) {
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
    facts.tell("behavior", model);
    let modes = ["attack", "revenge", "fear", "fear of the player"];
    let mode = modes.get(usize::from(logic.aggression_mode));
    let mode = mode.map_or_else(
        || logic.aggression_mode.to_string(),
        |name| (*name).to_owned(),
    );
    facts.tell("aggression", mode);
    facts.tell("guard radius", logic.guard_radius);
    facts.tell("help radius", logic.help_radius);
    facts.tell("wait", logic.wait);
    facts.tell("patrol points", logic.patrol.len());
    facts.tell_if("patrol is cyclic", logic.is_cyclic);
    facts.tell_if("always active", logic.is_always_active);
}

fn tell_lever(facts: &mut Facts, lever: &Lever) {
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
    facts.tell("opened", opened);
    facts.tell("key", lever.stats.key_id);
    facts.tell("sleight of hand", lever.stats.sleight_of_hand);
    facts.tell(
        "state",
        format!("{} of {}", lever.current_state, lever.total_states),
    );
    facts.tell_if("cycled", lever.is_cycled);
    facts.tell_if("door", lever.is_door);
    facts.tell_if("changes the movement graph", lever.recalculates_graph);
}

fn tell_torch(facts: &mut Facts, torch: &Torch) {
    facts.tell("flame", numbers(&torch.flame));
    facts.tell("strength", torch.strength);
    facts.tell("sound", &torch.sound);
}

fn tell_trap(facts: &mut Facts, trap: &MagicTrap) {
    facts.tell("spell", &trap.spell);
    facts.tell("relations of player", trap.diplomacy);
    facts.tell("cast interval", trap.cast_interval);
    facts.tell_if("casts once", trap.casts_once);
    facts.tell("areas", trap.areas.len());
    facts.tell("targets", trap.targets.len());
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
