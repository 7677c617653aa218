//! WEAR: material table of a model or of a level's terrain, text (dossier section 9.4).

/// A material table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wear {
    /// Material rows; position selects.
    pub materials: Vec<WearRow>,
    /// Rows of the LIGHTMAPS block, if there is one.
    pub lightmaps: Option<Vec<WearRow>>,
    // The reader adds private state here that keeps line ends and spacing, so that rewriting is byte-identical.
}

/// One row: an id that is read and ignored, and a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WearRow {
    /// Ignored by the original; kept.
    pub legacy_id: i32,
    /// Material or lightmap name, raw CP1251 bytes.
    pub name: Vec<u8>,
}
