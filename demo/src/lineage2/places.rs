//! Places of the two regions that are worth a visit: ground that one can stand on, in world points: x to the east, y to
//! the south, z up.

/// The market of the town, north of the fountain.
pub const MARKET: [i32; 3] = [17512, 18376, -3640];
/// The end of the middle jetty of the harbour.
pub const HARBOUR: [i32; 3] = [17496, 22728, -3736];
/// The platform of the lighthouse.
pub const LIGHTHOUSE: [i32; 3] = [17800, 23464, -3240];
/// The deck of the bridge; below it are [`GALLERY`] and [`RIVER_BED`].
pub const BRIDGE: [i32; 3] = [23240, 18504, -3544];
/// The gallery under the deck of the bridge.
pub const GALLERY: [i32; 3] = [23240, 18504, -3736];
/// The bed of the river under both, below the water.
pub const RIVER_BED: [i32; 3] = [23240, 18504, -3904];
/// One of the fields on the hillside.
pub const FIELD: [i32; 3] = [17992, 15368, -3504];
/// The roof of the keep.
pub const KEEP: [i32; 3] = [16792, 17368, -3064];
/// The roof of the inn at the market, which one may jump off.
pub const INN: [i32; 3] = [18184, 18808, -3448];
/// The green of the hamlet, in the eastern region.
pub const HAMLET: [i32; 3] = [46248, 15096, -3520];
/// The cave in the middle of the tunnel.
pub const CAVE: [i32; 3] = [51272, 14440, -3552];
/// The platform of the beacon, at the far end of the eastern region.
pub const BEACON: [i32; 3] = [60296, 8664, -2376];

/// All of them with their names.
pub const ALL: [(&str, [i32; 3]); 12] = [
    ("market", MARKET),
    ("harbour", HARBOUR),
    ("lighthouse", LIGHTHOUSE),
    ("bridge", BRIDGE),
    ("gallery", GALLERY),
    ("river bed", RIVER_BED),
    ("field", FIELD),
    ("keep", KEEP),
    ("inn", INN),
    ("hamlet", HAMLET),
    ("cave", CAVE),
    ("beacon", BEACON),
];
