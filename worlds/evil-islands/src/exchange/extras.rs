//! What glTF has no place for of a figure, in the `extras` of its objects. Import restores it.
//!
//! Names stand flat and begin with `ei_`, so that programs that keep `extras` as custom properties keep them.

use serde::{Deserialize, Serialize};

/// Of the node that turns the figure from +Z up to +Y up.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct FigureExtras {
    /// What the figure's files are called. Below this node the axes are those of the figure.
    pub(super) ei_figure: String,
    /// Dexterity, strength, height of the state that the file shows.
    pub(super) ei_complection: [f32; 3],
}

/// Of a node that is a part.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct PartExtras {
    /// Its offset from its parent in each extreme state; the node has the one of the complection.
    pub(super) ei_offsets: Vec<[f32; 3]>,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct MeshExtras {
    /// Names of the morph targets, where programs look for them.
    #[serde(rename = "targetNames", default, skip_serializing_if = "Vec::is_empty")]
    pub(super) target_names: Vec<String>,
    /// Number of states, 1 or 8.
    pub(super) ei_states: u32,
    /// Render group.
    pub(super) ei_group: u32,
    pub(super) ei_texture: u32,
    /// Bounds are stored from the part's origin, not from their center.
    #[serde(default, skip_serializing_if = "is_false")]
    pub(super) ei_bounds_from_origin: bool,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct AnimationExtras {
    /// Number of frames, at 15 a second.
    pub(super) ei_frames: u32,
}

fn is_false(value: &bool) -> bool {
    !value
}

/// What the morph target of a frame of an animation is called.
pub(super) fn frame_name(animation: &str, frame: usize) -> String {
    format!("{animation} frame {frame}")
}

/// The attribute of positions in an extreme state, where the sum of base and morph target is not exactly that.
pub(super) fn state_attribute(state: usize) -> String {
    format!("EI_STATE_{state}")
}
