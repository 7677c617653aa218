//! What is heard of a frame.

use crate::renderer::FrameState;
use ironlands_sound::{Listener, SoundFrame};

/// What is heard where a picture is taken from, at its time.
pub fn sound_frame(state: &FrameState) -> SoundFrame<'_> {
    SoundFrame {
        secs: state.time_secs.into(),
        hour: state.hour,
        listener: Listener {
            position: state.camera.position,
            right: state.camera.right(),
        },
        world_from_nodes: &state.poses,
    }
}
