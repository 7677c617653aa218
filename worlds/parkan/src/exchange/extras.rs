//! What glTF has no place for, in the `extras` of its objects. Import restores it.
//!
//! Names stand flat and begin with `msh_`, so that programs that keep `extras` as custom properties keep them.

use serde::{Deserialize, Serialize};

/// Of the node that turns the model from +Z up to +Y up.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct RootExtras {
    /// Always true: below it the axes are those of the model.
    pub(super) msh_root: bool,
    /// Names of the WEAR rows, used or not.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) msh_materials: Vec<String>,
    /// Names of the LIGHTMAPS rows.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) msh_lightmaps: Vec<String>,
}

/// Of a node of the model.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct NodeExtras {
    /// Its index.
    pub(super) msh_node: u32,
    /// Word 0 of its record.
    pub(super) msh_flags: u16,
    /// It has no name; the one that it bears here is made up.
    #[serde(default, skip_serializing_if = "is_false")]
    pub(super) msh_unnamed: bool,
    /// State and level of detail of pieces that show nothing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) msh_empty: Vec<[u8; 2]>,
}

/// Of a node outside of the default scene that shows a piece.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct PieceExtras {
    /// The node of the model that it hangs on.
    pub(super) msh_piece_of: u32,
    pub(super) msh_state: u8,
    /// Level of detail.
    pub(super) msh_lod: u8,
}

/// Of a primitive.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct BatchExtras {
    /// Index of the batch.
    pub(super) msh_batch: u32,
    /// Word 0 of its record.
    pub(super) msh_flags: u16,
    /// The row that it names.
    pub(super) msh_wear_row: u8,
    /// The lightmap that it names; valid with flag 0x2000.
    pub(super) msh_lightmap: u8,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct MaterialExtras {
    pub(super) msh_wear_row: u16,
    /// How it is blended, where that is not by its alpha: factors of source and destination.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) msh_blend: Option<[String; 2]>,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct AnimationExtras {
    /// Frames of the whole model.
    pub(super) msh_frame_count: u32,
    /// Frames that were taken for a second.
    pub(super) msh_frames_per_sec: f32,
}

fn is_false(value: &bool) -> bool {
    !value
}
