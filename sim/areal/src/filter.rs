//! Which areals a query sees: by class, by logic flags, and by what is built on them.

use super::ArealIndex;
use glam::Vec2;
use ironlands_sim_core::MaskFilter;

/// What a query sees. An areal is seen if all parts of the filter accept it; the default sees all.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct ArealFilter<'a> {
    /// By the areal's `class_id`.
    pub classes: ClassFilter<'a>,
    /// By the areal's `logic_flag` (dossier section 5.2; what its bits mean is not known, Q-A4).
    pub logic_flags: MaskFilter,
    /// By the categories of the buildings that stand on the areal, bits as [`ArealBuildings`] was given them.
    pub categories: MaskFilter,
    /// The buildings on each areal; `None` for none.
    pub buildings: Option<&'a ArealBuildings>,
}

/// Which classes a query sees. A class is a number without a known name (dossier section 5.2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ClassFilter<'a> {
    /// Every class.
    #[default]
    All,
    /// These and no others. Searched linearly.
    Only(&'a [u32]),
    /// All but these. Searched linearly.
    Not(&'a [u32]),
}

/// Categories of the buildings on each areal. An areal itself carries no category: what has been put up where, and
/// which bit stands for which category, is for the caller to know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArealBuildings {
    /// Bits of categories by areal.
    by_areal: Vec<u32>,
}

impl ArealFilter<'_> {
    /// Sees every areal.
    pub const ALL: Self = Self {
        classes: ClassFilter::All,
        logic_flags: MaskFilter::ALL,
        categories: MaskFilter::ALL,
        buildings: None,
    };

    /// Whether an areal of the index is seen.
    #[expect(
        clippy::indexing_slicing,
        reason = "hot; each areal has a class and flags"
    )]
    #[inline]
    pub(super) fn accepts(&self, index: &ArealIndex, areal: u32) -> bool {
        let buildings = self.buildings.map_or(0, |buildings| buildings.on(areal));
        self.classes.accepts(index.class_ids[areal as usize])
            && self.logic_flags.accepts(index.logic_flags[areal as usize])
            && self.categories.accepts(buildings)
    }
}

impl ClassFilter<'_> {
    /// Whether a class is seen.
    #[inline]
    pub fn accepts(self, class_id: u32) -> bool {
        match self {
            Self::All => true,
            Self::Only(classes) => classes.contains(&class_id),
            Self::Not(classes) => !classes.contains(&class_id),
        }
    }
}

impl ArealBuildings {
    /// Puts each building, the bits of its categories and its position in the ground plane (world units), on the areal
    /// that holds the position. One that is in no areal stands on none.
    pub fn new(index: &ArealIndex, buildings: impl IntoIterator<Item = (u32, Vec2)>) -> Self {
        let mut by_areal = vec![0; index.n_areals()];
        for (categories, position) in buildings {
            let areal = index.areal_at(position);
            if let Some(bits) = areal.and_then(|areal| by_areal.get_mut(areal as usize)) {
                *bits |= categories;
            }
        }
        Self { by_areal }
    }

    /// Bits of the categories of the buildings on an areal; 0 for one that does not exist.
    #[inline]
    pub fn on(&self, areal: u32) -> u32 {
        self.by_areal.get(areal as usize).copied().unwrap_or(0)
    }
}
