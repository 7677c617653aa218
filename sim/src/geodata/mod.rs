//! Geodata of Lineage II: a continent in memory, what stands on it, who may go where, who sees whom, and the way there.
//!
//! In: regions of any format ([`Region`](ironlands_assets_loader::lineage2::Region)), packed once ([`RegionPack`]).
//! A [`Geodata`] is all loaded regions with edits (doors, blocks) over them; it is immutable, costs nothing to clone
//! and is asked without locks. An edit makes another one and shares all that it does not touch; [`SharedGeodata`]
//! hands the newest one out. All coordinates are the game's own: x to the east, y to the south, z up, in points.
//!
//! A [`Profile`] says how high one steps; the rules of steps, lines and sight are those of the geodata dossier,
//! section 4, and of paths those of section 5. [`land`] makes tiles of it that can be drawn. Deliberately absent: bytes,
//! drawing itself, water (no file has it).

mod column;
mod edits;
pub mod land;
mod line;
mod load;
mod movement;
mod pack;
pub mod path;
mod profile;
mod shared;
mod sight;
mod spots;
mod step;
mod swim;
mod world;

#[cfg(test)]
pub(crate) mod test_world;
#[cfg(test)]
mod tests;

pub use column::GroundLayer;
pub use edits::{GeoObject, ObjectCell, ObjectKind};
pub use load::{
    LeftOut, LoadError, LoadProgress, LoadedRegions, load_readable_regions, load_regions,
};
pub use movement::{BlockedBy, Movement, MovementEnd};
pub use pack::RegionPack;
pub use profile::{NoDataRule, Profile};
pub use shared::{GeodataReader, SharedGeodata};
pub use sight::Viewer;
pub use spots::SpotOptions;
pub use swim::{Flight, Swim, SwimEnd};
pub use world::{GeoPoint, Geodata, GeodataError, MemoryUse};
