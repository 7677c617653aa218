//! Zones that were kept, for a search that does not make them again.

use ironlands_sim_regions::zones::{ZoneClass, ZoneTile};
use std::error::Error;
use std::fmt::Debug;
use std::sync::Arc;

/// Zones of the same regions and for the same step rule as the search that queries them, as
/// [`NavGraph::zone_tiles`](super::NavGraph::zone_tiles) and [`NavGraph::zone_classes`](super::NavGraph::zone_classes)
/// return them. The caller decides where they are stored and makes sure that they match.
pub trait StoredZones: Debug + Send {
    /// The zones of a tile by its number; `None` if it is not kept. Damage is remembered, and the tile rebuilt.
    fn tile(&self, number: u32) -> Option<Result<ZoneTile, StoredZoneError>>;

    /// A class by its number.
    fn class(&self, number: u32) -> Option<ZoneClass>;
}

/// For searches on several threads.
impl<Store: StoredZones + Sync> StoredZones for Arc<Store> {
    fn tile(&self, number: u32) -> Option<Result<ZoneTile, StoredZoneError>> {
        (**self).tile(number)
    }

    fn class(&self, number: u32) -> Option<ZoneClass> {
        (**self).class(number)
    }
}

/// Why zones that were kept cannot be used.
pub type StoredZoneError = Box<dyn Error + Send + Sync>;
