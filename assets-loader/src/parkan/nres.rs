//! NRes: the archive of the Iron3D engine, of models and of terrain (dossier section 2).

/// An NRes archive, entries in directory order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NRes {
    /// Entries in directory order.
    pub entries: Vec<Entry>,
    // The reader adds private state here that keeps gaps, tails and unindexed regions for a lossless edit.
}

/// One entry: a row of the directory and its payload.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Resource type: a fourcc or a chunk number.
    pub type_id: u32,
    /// Usually an element count.
    pub attr1: u32,
    /// Format specific.
    pub attr2: u32,
    /// Usually a stride in bytes.
    pub attr3: u32,
    /// All 36 name bytes; those after the first NUL are kept.
    pub name: [u8; 36],
    /// Payload.
    pub data: Vec<u8>,
}
