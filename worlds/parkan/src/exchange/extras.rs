//! What glTF has no place for, in the `extras` of its objects. Import restores it.
//!
//! Names stand flat and begin with `msh_`, so that programs that keep `extras` as custom properties keep them.

use gltf_json::extras::Extras;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// Of the node that turns the model from +Z up to +Y up.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct RootExtras {
    /// Always true: below it the axes are those of the model.
    pub(crate) msh_root: bool,
    /// Names of the WEAR rows, used or not.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) msh_materials: Vec<String>,
    /// Names of the LIGHTMAPS rows.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) msh_lightmaps: Vec<String>,
}

/// Of a node of the model.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct NodeExtras {
    /// Its index.
    pub(crate) msh_node: u32,
    /// Word 0 of its record.
    pub(crate) msh_flags: u16,
    /// It has no name; the one that it bears here is made up.
    #[serde(default, skip_serializing_if = "is_false")]
    pub(crate) msh_unnamed: bool,
    /// State and level of detail of pieces that show nothing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) msh_empty: Vec<[u8; 2]>,
}

/// Of a node outside of the default scene that shows a piece.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct PieceExtras {
    /// The node of the model that it hangs on.
    pub(crate) msh_piece_of: u32,
    /// State.
    pub(crate) msh_state: u8,
    /// Level of detail.
    pub(crate) msh_lod: u8,
}

/// Of a primitive.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct BatchExtras {
    /// Index of the batch.
    pub(crate) msh_batch: u32,
    /// Word 0 of its record.
    pub(crate) msh_flags: u16,
    /// The row that it names.
    pub(crate) msh_wear_row: u8,
    /// The lightmap that it names; valid with flag 0x2000.
    pub(crate) msh_lightmap: u8,
}

/// Of a material.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct MaterialExtras {
    /// Its WEAR row.
    pub(crate) msh_wear_row: u16,
    /// How it is blended, where that is not by its alpha: factors of source and destination.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) msh_blend: Option<[String; 2]>,
}

/// Of the animation.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct AnimationExtras {
    /// Frames of the whole model.
    pub(crate) msh_frame_count: u32,
    /// Frames that were taken for a second.
    pub(crate) msh_frames_per_sec: f32,
}

fn is_false(value: &bool) -> bool {
    !value
}

/// As JSON.
pub(crate) fn to_extras(value: &impl Serialize) -> Result<Extras, serde_json::Error> {
    serde_json::value::to_raw_value(value).map(Some)
}

/// What of ours is in there; `None` for extras of others.
pub(crate) fn from_extras<T: DeserializeOwned>(extras: &Extras) -> Option<T> {
    serde_json::from_str(extras.as_ref()?.get()).ok()
}
