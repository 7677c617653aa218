//! Statistics of a unit.
//!
//! Document: Evil Islands dossier, section 11.4.

use ironlands_assets_core::record::Record;

macro_rules! unit_stats {
    ($($(#[doc = $doc:literal])* $name:ident: $ty:ident,)*) => {
        /// All that a unit is and can. Six senses are in the order of [`sight`](Self::sight) to
        /// [`tracking`](Self::tracking).
        #[derive(Debug, Clone, Copy, PartialEq, Default, Record)]
        pub struct UnitStats {
            $($(#[doc = $doc])* #[field] pub $name: $ty,)*
        }

        impl UnitStats {
            /// Names and values of all fields, in file order.
            pub fn fields(&self) -> Vec<(&'static str, StatValue)> {
                let Self { $($name,)* } = self;
                vec![$((stringify!($name), StatValue::from(*$name)),)*]
            }

            /// Sets a field by its name; no, if there is none of this name or the value is not of its type.
            #[must_use = "says whether the field could be set"]
            pub fn set_field(&mut self, name: &str, value: StatValue) -> bool {
                match name {
                    $(stringify!($name) => value.$ty().map(|value| self.$name = value).is_some(),)*
                    _ => false,
                }
            }
        }
    };
}

unit_stats! {
    /// Health.
    hp: i32,
    /// Most health.
    max_hp: i32,
    /// Magic.
    mp: i32,
    /// Most magic.
    max_mp: i32,
    /// Tuning: movement.
    tuning_move: f32,
    /// Tuning: actions.
    tuning_actions: f32,
    /// Tuning: speed of running.
    speed_run: f32,
    /// Tuning: speed of walking.
    speed_walk: f32,
    /// Tuning: speed of crouching.
    speed_crouch: f32,
    /// Tuning: speed of crawling.
    speed_crawl: f32,
    /// Tuning: arc of vision.
    vision_arc: f32,
    /// Tuning: peripheral skills.
    peripheral_skills: f32,
    /// Tuning: peripheral arc.
    peripheral_arc: f32,
    /// Tuning: distance of attack.
    attack_distance: f32,
    /// Class for the graph of movement, standing.
    ai_class_standing: u8,
    /// Class for the graph of movement, lying.
    ai_class_lying: u8,
    /// Not known.
    reserved_3a: i16,
    /// Range.
    range: f32,
    /// Attack.
    attack: f32,
    /// Defence.
    defence: f32,
    /// Weight.
    weight: f32,
    /// Least damage.
    damage_min: f32,
    /// Range of damage above the least.
    damage_range: f32,
    /// Armor against impaling.
    armor_impaling: f32,
    /// Armor against slashing.
    armor_slashing: f32,
    /// Armor against crushing.
    armor_crushing: f32,
    /// Armor against heat.
    armor_thermal: f32,
    /// Armor against chemicals.
    armor_chemical: f32,
    /// Armor against electricity.
    armor_electrical: f32,
    /// Armor in general.
    armor_general: f32,
    /// Absorption.
    absorption: i32,
    /// Sight.
    sight: f32,
    /// Sight at night.
    night_sight: f32,
    /// Sense of life.
    sense_life: f32,
    /// Hearing.
    hearing: f32,
    /// Smell.
    smell: f32,
    /// Tracking.
    tracking: f32,
    /// How well it is seen.
    p_sight: f32,
    /// How well it is seen at night.
    p_night_sight: f32,
    /// How well its life is sensed.
    p_sense_life: f32,
    /// How well it is heard.
    p_hearing: f32,
    /// How well it is smelled.
    p_smell: f32,
    /// How well it is tracked.
    p_tracking: f32,
    /// Skill: science.
    skill_science: u8,
    /// Skill: stealing.
    skill_stealing: u8,
    /// Skill: taming.
    skill_tame: u8,
    /// First skill of magic.
    magic_skill_1: u8,
    /// Second skill of magic.
    magic_skill_2: u8,
    /// Third skill of magic.
    magic_skill_3: u8,
    /// Not known.
    reserved_aa: u8,
    /// Not known.
    reserved_ab: u8,
}

/// A field of [`UnitStats`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum StatValue {
    /// A whole number.
    Whole(i64),
    /// Any number.
    Float(f32),
}

macro_rules! whole_stats {
    ($($ty:ident),*) => {$(
        impl From<$ty> for StatValue {
            fn from(value: $ty) -> Self {
                Self::Whole(value.into())
            }
        }

        impl StatValue {
            fn $ty(self) -> Option<$ty> {
                match self {
                    Self::Whole(value) => value.try_into().ok(),
                    Self::Float(_) => None,
                }
            }
        }
    )*};
}

whole_stats!(u8, i16, i32);

impl From<f32> for StatValue {
    fn from(value: f32) -> Self {
        Self::Float(value)
    }
}

impl StatValue {
    fn f32(self) -> Option<f32> {
        match self {
            Self::Float(value) => Some(value),
            Self::Whole(_) => None,
        }
    }
}
