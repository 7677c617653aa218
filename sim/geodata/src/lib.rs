//! Geodata of Lineage II: a continent in memory, objects on it, steps, straight walks, line of sight and paths.
//!
//! In: plain regions ([`Region`](ironlands_sim_regions::Region)) or their blocks, packed once ([`RegionPack`]).
//! A [`Geodata`] is all loaded regions with edits (doors, blocks) over them; it is immutable, costs nothing to clone
//! and is queried without locks. An edit makes another one and shares all that it does not touch; [`SharedGeodata`]
//! returns the newest one. All coordinates are the game's own: x to the east, y to the south, z up, in points.
//!
//! A [`Profile`] is a step rule; steps, lines and line of sight are those of the geodata dossier,
//! section 4, and of paths those of section 5. [`land`] builds tiles for drawing,
//! [`nav_mesh`] polygons for other libraries. Deliberately absent:
//! files, drawing itself, water (no file has it).
#![cfg_attr(
    not(test),
    deny(
        clippy::indexing_slicing,
        clippy::arithmetic_side_effects,
        clippy::unwrap_used
    )
)]

#[expect(
    clippy::arithmetic_side_effects,
    reason = "rows of arrays have three or six numbers"
)]
pub mod arrays;
mod column;
mod edits;
#[expect(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "three axes; cells have 16 bits and heights too; sums of them are made in more"
)]
mod grid_line;
#[expect(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "hot; a picture of packed regions, whose tables are made for all of their cells"
)]
pub mod land;
#[expect(
    clippy::arithmetic_side_effects,
    reason = "hot; cells have 16 bits and heights too; sums of them are made in more"
)]
mod line;
#[expect(
    clippy::arithmetic_side_effects,
    reason = "hot; cells have 16 bits and heights too; sums of them are made in more"
)]
mod line_of_sight;
#[expect(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "layers, rectangles and edges by numbers that were made with them; cells have 16 bits"
)]
pub mod nav_mesh;
mod pack;
pub mod path;
mod profile;
#[expect(
    clippy::indexing_slicing,
    reason = "the place of a step rule that was just found or added"
)]
mod query;
mod shared;
#[expect(
    clippy::arithmetic_side_effects,
    reason = "hot; cells have 16 bits and heights too; sums of them are made in more"
)]
mod spots;
#[expect(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "hot; cells have 16 bits and heights too; sums of them are made in more"
)]
mod step;
mod straight_walk;
#[expect(
    clippy::arithmetic_side_effects,
    reason = "hot; cells have 16 bits and heights too; sums of them are made in more"
)]
mod swim;
#[expect(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "there is a place for every number of a region"
)]
mod world;

#[cfg(any(test, feature = "fixtures"))]
#[cfg_attr(
    not(test),
    expect(
        clippy::indexing_slicing,
        clippy::arithmetic_side_effects,
        reason = "fixtures of tests, as good as a test"
    )
)]
pub mod test_world;
#[cfg(test)]
mod tests;

pub use column::GroundLayer;
pub use edits::{GeoObject, ObjectCell, ObjectKind};
pub use line_of_sight::Viewer;
pub use pack::{PackBuilder, RegionPack};
pub use profile::{CornerRule, LineRule, NoDataRule, Profile, StepTarget};
pub use query::{
    GeoQuery, GeoQueryResult, NearLayers, NoStoredZones, QueryContext, QueryContexts,
    STEPS_CLOCKWISE, StepsFrom, ZoneSource,
};
pub use shared::{GeodataReader, SharedGeodata};
pub use spots::SpotOptions;
pub use straight_walk::{BlockedBy, StraightWalk, StraightWalkEnd};
pub use swim::{Flight, Swim, SwimEnd};
pub use world::{GeoPoint, Geodata, GeodataError, MemoryUse};
