//! Living entities of real maps.

use crate::maps::Loaded;
use ironlands_sim_world::{Clock, Play, Poses, World};
use libtest_mimic::Failed;

/// Connections are read, as many as a plain search of the text finds, and ten minutes pass.
pub fn connections(loaded: &Loaded) -> Result<(), Failed> {
    let expected = match loaded.expected.file {
        "opendm-background01" => [38, 9, 6],
        "scoutie-background01" => [1, 1, 0],
        _ => [0; 3],
    };
    let counts = loaded.world.connection_counts();
    if counts != expected {
        return Err(format!("{counts:?} connections, found and known").into());
    }
    let clock = Clock {
        time_secs: 600.0,
        play: Play::Level,
    };
    loaded.world.pose(&clock, &mut Poses::default());
    Ok(())
}
