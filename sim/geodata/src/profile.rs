//! How high one steps. Dossier sections 4.2 and 4.4.

/// What limits a step besides closed sides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Profile {
    /// Highest step up, in points.
    pub max_up: i32,
    /// Whether the lower height of a flat block counts for that limit. Characters stand on the upper one nevertheless.
    pub uses_flat_pair: bool,
    /// Deepest step down, in points; `None` for any.
    pub max_down: Option<i32>,
    /// What cells are where no region is loaded.
    pub no_data: NoDataRule,
}

/// What cells without a region are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum NoDataRule {
    /// Nothing: no step leads there, and no sight over them.
    #[default]
    Blocked,
    /// Open ground at the height of the character, as common servers have it.
    Open,
}

impl Profile {
    /// The original server: 32 up, with both heights of flat blocks. For regions from `_conv.dat`.
    pub const PTS: Self = Self {
        max_up: 32,
        uses_flat_pair: true,
        max_down: None,
        no_data: NoDataRule::Blocked,
    };

    /// aCis: less than 48 up, which is 40 in cell heights. For regions from `.l2j`, and the default.
    pub const ACIS: Self = Self {
        max_up: 47,
        uses_flat_pair: false,
        max_down: None,
        no_data: NoDataRule::Blocked,
    };

    /// L2-Scripts: less than 64 up.
    pub const LOOSE: Self = Self {
        max_up: 63,
        uses_flat_pair: false,
        max_down: None,
        no_data: NoDataRule::Blocked,
    };

    /// All rules that have names, with them.
    pub const NAMED: [(&str, Self); 3] = [
        ("pts", Self::PTS),
        ("acis", Self::ACIS),
        ("loose", Self::LOOSE),
    ];

    /// The rule of a name.
    pub fn from_name(name: &str) -> Option<Self> {
        let named = Self::NAMED.iter().find(|(known, _)| *known == name);
        named.map(|(_, profile)| *profile)
    }

    /// Its name, whatever cells without a region are; `None` for rules without one.
    pub fn name(&self) -> Option<&'static str> {
        let named = Self::NAMED
            .iter()
            .find(|(_, known)| known.with_no_data(self.no_data) == *self);
        named.map(|(name, _)| *name)
    }

    /// The same with a rule for cells without a region.
    #[must_use]
    pub fn with_no_data(self, no_data: NoDataRule) -> Self {
        Self { no_data, ..self }
    }
}

impl Default for Profile {
    fn default() -> Self {
        Self::ACIS
    }
}
