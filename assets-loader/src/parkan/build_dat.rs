//! `BuildDat.lst`: building unit files by category, text (dossier section 6).

/// The categories in file order, each with its unit files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BuildDat {
    /// Sections in file order.
    pub sections: Vec<Section>,
    // The reader adds private state here that keeps line ends, blank lines and comments.
}

/// One category and its unit files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section {
    /// Category.
    pub category: Category,
    /// Paths as written, with backslashes.
    pub paths: Vec<String>,
}

/// Object categories; each has a mask.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(
    missing_docs,
    reason = "the original's names, table in dossier section 6"
)]
pub enum Category {
    BunkerSmall,
    BunkerMedium,
    BunkerLarge,
    Generator,
    Mine,
    Storage,
    Plant,
    Hangar,
    MainTeleport,
    Institute,
    TowerMedium,
    TowerLarge,
}
