//! What a sector's tables hold: vertices with their normals, and tiles.

use ironlands_assets_core::record::Record;

/// A point of the grid: moved aside, lifted, and lit from its normal.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Record)]
pub struct Vertex {
    /// How far it is from its grid point in x and y, in 254ths of a meter.
    #[field]
    pub shift: [i8; 2],
    /// Share of the zone's largest altitude, 65535 = all of it.
    #[field]
    pub altitude: u16,
    /// Which way the surface faces.
    #[field]
    pub normal: PackedNormal,
}

impl Vertex {
    /// Parts of a meter that a shift counts.
    const SHIFTS_PER_METER: f32 = 254.0;

    /// The vertex that is nearest to a place `offset` meters beside its grid point, at a height in meters where
    /// `max_altitude` is the zone's largest. What reaches beyond what can be stored is moved to the limit.
    pub fn draft(offset: [f32; 2], height: f32, max_altitude: f32, normal: [f32; 3]) -> Self {
        // The casts cut off, which is what the limit means; -128 is left out, since it is more than half a meter.
        let shift = |offset: f32| (offset * Self::SHIFTS_PER_METER).round().max(-127.0) as i8;
        Self {
            shift: offset.map(shift),
            altitude: (height / max_altitude * 65535.0).round() as u16,
            normal: PackedNormal::pack(normal),
        }
    }

    /// Meters beside its grid point in x and y: -0.504 to 0.5.
    pub fn offset(&self) -> [f32; 2] {
        self.shift
            .map(|shift| f32::from(shift) / Self::SHIFTS_PER_METER)
    }

    /// Height in meters where `max_altitude` is the zone's largest.
    pub fn height(&self, max_altitude: f32) -> f32 {
        f32::from(self.altitude) / 65535.0 * max_altitude
    }
}

/// A normal in 32 bits: thousandths of its z in 10 bits, and of its x and y, plus 1000, in 11 bits each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Record)]
pub struct PackedNormal(#[field] pub u32);

impl PackedNormal {
    /// Straight up.
    pub const UP: Self = Self(0xFA1F_43E8);

    /// The nearest to a vector; what reaches beyond what can be stored is moved to the limit.
    pub fn pack([x, y, z]: [f32; 3]) -> Self {
        // The casts cut off below 0 and turn what is no number into 0.
        let side = |value: f32| ((value * 1000.0 + 1000.0).round() as u32).min(0x7FF);
        let up = ((z * 1000.0).round() as u32).min(0x3FF);
        Self(up << 22 | side(x) << 11 | side(y))
    }

    /// The vector as stored: about a unit long in sound files, any length in others.
    pub fn unpack(self) -> [f32; 3] {
        let side = |bits: u32| (f32::from((bits & 0x7FF) as u16) - 1000.0) / 1000.0;
        let up = f32::from((self.0 >> 22) as u16) / 1000.0;
        [side(self.0 >> 11), side(self.0), up]
    }
}

impl Default for PackedNormal {
    fn default() -> Self {
        Self::UP
    }
}

/// What a tile shows: bits 0-5 which of the 64 tiles of its atlas, 6-13 which atlas, 14-15 how it is turned.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Record)]
pub struct Tile(#[field] pub u16);

impl Tile {
    /// A tile of an atlas, turned by `rotation` quarters. Of `index` and `rotation` the low 6 and 2 bits count.
    pub fn new(index: u8, texture: u8, rotation: u8) -> Self {
        let [index, texture, rotation] = [index & 63, texture, rotation & 3].map(u16::from);
        Self(index | texture << 6 | rotation << 14)
    }

    /// Place in the atlas, `0..64`, row by row.
    pub fn index(self) -> u8 {
        (self.0 & 63) as u8
    }

    /// Number of the atlas.
    pub fn texture(self) -> u8 {
        (self.0 >> 6 & 0xFF) as u8
    }

    /// Quarter turns, `0..4`.
    pub fn rotation(self) -> u8 {
        (self.0 >> 14) as u8
    }

    /// Global number: atlas * 64 + place in the atlas, as ground types and animations count.
    pub fn number(self) -> u16 {
        self.0 & 0x3FFF
    }
}
