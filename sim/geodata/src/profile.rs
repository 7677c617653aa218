//! How characters step, walk and see. Dossier sections 4.2, 4.4 and 5.1.

/// What limits a step besides closed sides, and how lines go.
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
    /// Which layer of a neighboring cell a step leads to.
    pub target: StepTarget,
    /// What a diagonal step needs.
    pub corners: CornerRule,
    /// Which cells a straight walk and a line of sight pass.
    pub lines: LineRule,
}

/// Which layer of a neighboring cell a step leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum StepTarget {
    /// The highest that is not too high.
    #[default]
    Highest,
    /// The nearest in height, which may be too high.
    Nearest,
}

/// What a diagonal step needs besides the two open sides of its cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum CornerRule {
    /// Both ways around the corner.
    #[default]
    BothWays,
    /// Nothing: corners are cut.
    SourceOnly,
}

/// Which cells a straight line passes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum LineRule {
    /// All that it crosses, from any point of a cell; eyes see over plateaus by their heights.
    #[default]
    EveryCell,
    /// Bresenham's line from cell to cell; ground may reach 48 above a line of sight, whatever the eyes.
    Bresenham,
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
        target: StepTarget::Highest,
        corners: CornerRule::BothWays,
        lines: LineRule::EveryCell,
    };

    /// aCis: less than 48 up, which is 40 in cell heights. For regions from `.l2j`, and the default.
    pub const ACIS: Self = Self {
        max_up: 47,
        uses_flat_pair: false,
        max_down: None,
        no_data: NoDataRule::Blocked,
        target: StepTarget::Highest,
        corners: CornerRule::BothWays,
        lines: LineRule::EveryCell,
    };

    /// L2-Scripts: less than 64 up.
    pub const LOOSE: Self = Self {
        max_up: 63,
        uses_flat_pair: false,
        max_down: None,
        no_data: NoDataRule::Blocked,
        target: StepTarget::Highest,
        corners: CornerRule::BothWays,
        lines: LineRule::EveryCell,
    };

    /// L2J with its driver of geodata: the nearest layer, at any height; diagonals by the sides of their cell alone.
    pub const L2J: Self = Self {
        max_up: i32::MAX,
        uses_flat_pair: false,
        max_down: None,
        no_data: NoDataRule::Blocked,
        target: StepTarget::Nearest,
        corners: CornerRule::SourceOnly,
        lines: LineRule::Bresenham,
    };

    /// L2J Mobius: as L2J, without cutting corners.
    pub const MOBIUS: Self = Self {
        corners: CornerRule::BothWays,
        ..Self::L2J
    };

    /// All rules that have names, with them.
    pub const NAMED: [(&str, Self); 5] = [
        ("pts", Self::PTS),
        ("acis", Self::ACIS),
        ("loose", Self::LOOSE),
        ("l2j", Self::L2J),
        ("mobius", Self::MOBIUS),
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
