//! The bits that say when an animation is used (dossier section 7.1).

use bitflags::bitflags;

use ironlands_assets_core::record::Record;

/// All 64 bits as stored.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Record)]
pub struct PackedAction(#[field] pub u64);

bitflags! {
    /// Weapons that an animation is for.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub struct Weapons: u8 {
        /// Sword.
        const SWORD = 1 << 0;
        /// Axe.
        const AXE = 1 << 1;
        /// Dagger.
        const DAGGER = 1 << 2;
        /// Spear.
        const SPEAR = 1 << 3;
        /// Hammer.
        const HAMMER = 1 << 4;
        /// Bow.
        const BOW = 1 << 5;
        /// Crossbow.
        const CROSSBOW = 1 << 6;
    }
}

bitflags! {
    /// What goes with an animation.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub struct ActionForms: u8 {
        /// Something is shown or hidden.
        const HIDES = 1 << 0;
        /// Steps are heard.
        const STEPS = 1 << 1;
        /// A blow strikes.
        const HIT = 1 << 2;
        /// Special sounds are heard.
        const SFXES = 1 << 3;
        /// The unit is low.
        const LOW_SHAPE = 1 << 4;
        /// The unit is high.
        const HIGH_SHAPE = 1 << 5;
    }
}

/// Where the action forms begin.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names say it")]
pub enum FormsShift {
    Bit32,
    Bit36,
}

/// The state that a unit must be in. Three bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names say all that is known")]
pub enum AllowedState {
    Neutral,
    Rest,
    Attack,
    Wary,
    Lie,
    All,
    /// 3 or 5, whose meaning is not known.
    Unknown(u8),
}

/// What a unit does. Four bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names say all that is known")]
pub enum ActionType {
    Special,
    Attack,
    CastSpell,
    Run,
    Walk,
    Idle,
    Death,
    Suffer,
    Cross,
    All,
    /// 0 or 10 to 14, whose meaning is not known.
    Unknown(u8),
}

/// Which part of an action an animation is. Two bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Stage {
    Unique,
    Start,
    Cycle,
    End,
}

impl PackedAction {
    /// Weapons: bits 0 to 6.
    pub fn weapons(self) -> Weapons {
        Weapons::from_bits_truncate(self.bits(0, 7))
    }

    /// The same action for other weapons.
    #[must_use]
    pub fn with_weapons(self, weapons: Weapons) -> Self {
        self.with_bits(0, 7, weapons.bits())
    }

    /// Bits 7 to 14, whose meaning is not known.
    pub fn unknown_7(self) -> u8 {
        self.bits(7, 8)
    }

    /// The allowed state: bits 15 to 17.
    pub fn state(self) -> AllowedState {
        match self.bits(15, 3) {
            0 => AllowedState::Neutral,
            1 => AllowedState::Rest,
            2 => AllowedState::Attack,
            4 => AllowedState::Wary,
            6 => AllowedState::Lie,
            7 => AllowedState::All,
            other => AllowedState::Unknown(other),
        }
    }

    /// The same action in another state. Of an unknown one the low three bits count.
    #[must_use]
    pub fn with_state(self, state: AllowedState) -> Self {
        let bits = match state {
            AllowedState::Neutral => 0,
            AllowedState::Rest => 1,
            AllowedState::Attack => 2,
            AllowedState::Wary => 4,
            AllowedState::Lie => 6,
            AllowedState::All => 7,
            AllowedState::Unknown(other) => other,
        };
        self.with_bits(15, 3, bits)
    }

    /// The action type: bits 18 to 21.
    pub fn action(self) -> ActionType {
        match self.bits(18, 4) {
            1 => ActionType::Special,
            2 => ActionType::Attack,
            3 => ActionType::CastSpell,
            4 => ActionType::Run,
            5 => ActionType::Walk,
            6 => ActionType::Idle,
            7 => ActionType::Death,
            8 => ActionType::Suffer,
            9 => ActionType::Cross,
            15 => ActionType::All,
            other => ActionType::Unknown(other),
        }
    }

    /// Another action. Of an unknown one the low four bits count.
    #[must_use]
    pub fn with_action(self, action: ActionType) -> Self {
        let bits = match action {
            ActionType::Special => 1,
            ActionType::Attack => 2,
            ActionType::CastSpell => 3,
            ActionType::Run => 4,
            ActionType::Walk => 5,
            ActionType::Idle => 6,
            ActionType::Death => 7,
            ActionType::Suffer => 8,
            ActionType::Cross => 9,
            ActionType::All => 15,
            ActionType::Unknown(other) => other,
        };
        self.with_bits(18, 4, bits)
    }

    /// The action modifier: bits 22 to 29.
    pub fn modifier(self) -> u8 {
        self.bits(22, 8)
    }

    /// The same action with another modifier.
    #[must_use]
    pub fn with_modifier(self, modifier: u8) -> Self {
        self.with_bits(22, 8, modifier)
    }

    /// The stage: bits 30 and 31.
    pub fn stage(self) -> Stage {
        match self.bits(30, 2) {
            0 => Stage::Unique,
            1 => Stage::Start,
            2 => Stage::Cycle,
            _ => Stage::End,
        }
    }

    /// Another stage of the same action.
    #[must_use]
    pub fn with_stage(self, stage: Stage) -> Self {
        let bits = match stage {
            Stage::Unique => 0,
            Stage::Start => 1,
            Stage::Cycle => 2,
            Stage::End => 3,
        };
        self.with_bits(30, 2, bits)
    }

    /// Action forms: six bits from 32 or 36 on. See [`Adb::forms_shift`](super::Adb::forms_shift).
    pub fn forms(self, shift: FormsShift) -> ActionForms {
        ActionForms::from_bits_truncate(self.bits(shift.bit(), 6))
    }

    /// The same action with other forms.
    #[must_use]
    pub fn with_forms(self, shift: FormsShift, forms: ActionForms) -> Self {
        self.with_bits(shift.bit(), 6, forms.bits())
    }

    /// At most eight bits.
    fn bits(self, from: u32, count: u32) -> u8 {
        let shifted = self.0.checked_shr(from).unwrap_or_default();
        (shifted & u64::from(mask(count))) as u8
    }

    fn with_bits(self, from: u32, count: u32, bits: u8) -> Self {
        let place = |bits: u8| u64::from(bits).checked_shl(from).unwrap_or_default();
        let mask = mask(count);
        Self(self.0 & !place(mask) | place(bits & mask))
    }
}

impl FormsShift {
    fn bit(self) -> u32 {
        match self {
            Self::Bit32 => 32,
            Self::Bit36 => 36,
        }
    }
}

/// That many low bits.
fn mask(count: u32) -> u8 {
    u8::MAX
        .checked_shr(8_u32.saturating_sub(count))
        .unwrap_or_default()
}
