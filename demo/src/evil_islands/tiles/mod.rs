//! The tiles that the ground is laid with: which there are, where in the atlases they lie, and how one is turned to fit.
//!
//! A tile covers 2 x 2 m. Its corners are numbered south-west, south-east, north-west, north-east; in the picture, west
//! is left and north is up. In: grounds and roads. Out: [`Placed`] tiles, and the atlases.

mod atlas;
mod cloth;
mod paint;
mod water;

pub use atlas::atlases;
pub use water::{N_PHASES, N_WATER_TILES, Water, first_phase};

use super::island::{Ground, JOINS};

/// Tiles in an atlas.
pub const PER_ATLAS: usize = 64;
/// Atlases of the land; one more holds the water.
pub const N_LAND_ATLASES: usize = 2;

/// A picture of the land.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tile {
    /// One ground, in pictures that differ.
    Plain(Ground, u8),
    /// The second ground of a pair of [`JOINS`] over the first, at some corners.
    Join(u8, Shape, u8),
    /// A road over grass.
    Road(Road, u8),
    /// A plowed field that ends on these sides in grass: west, east, south, north.
    Field([bool; 4]),
}

/// Which corners a ground covers, before turning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// South-west.
    Corner,
    /// The two in the south.
    Half,
    /// South-west and north-east.
    Diagonal,
    /// All but the north-east.
    Bay,
}

/// A road's way through a tile, before turning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Road {
    /// From south to north.
    Straight,
    /// From south to west.
    Curve,
    /// From the south to the middle.
    End,
}

/// A tile and how often it is turned by a quarter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Placed {
    pub tile: Tile,
    pub rotation: u8,
}

impl Shape {
    const ALL: [Self; 4] = [Self::Corner, Self::Half, Self::Diagonal, Self::Bay];

    /// Corners that are covered.
    pub fn corners(self) -> [bool; 4] {
        match self {
            Self::Corner => [true, false, false, false],
            Self::Half => [true, true, false, false],
            Self::Diagonal => [true, false, false, true],
            Self::Bay => [true, true, true, false],
        }
    }
}

impl Road {
    const ALL: [Self; 3] = [Self::Straight, Self::Curve, Self::End];

    /// Sides that the road runs through: west, east, south, north.
    pub fn sides(self) -> [bool; 4] {
        match self {
            Self::Straight => [false, false, true, true],
            Self::Curve => [true, false, true, false],
            Self::End => [false, false, true, false],
        }
    }
}

impl Tile {
    /// All tiles of the land, in the order of the atlases.
    pub fn all() -> Vec<Self> {
        let plain = |ground, n: u8| (0..n).map(move |k| Self::Plain(ground, k));
        let mut tiles: Vec<Self> = plain(Ground::Grass, 20)
            .chain(plain(Ground::DryGrass, 10))
            .chain(plain(Ground::Earth, 6))
            .chain(plain(Ground::Sand, 10))
            .chain(plain(Ground::Rock, 16))
            .chain(plain(Ground::Snow, 6))
            .collect();
        for pair in 0..JOINS.len() as u8 {
            for shape in Shape::ALL {
                tiles.extend((0..variants(shape)).map(|k| Self::Join(pair, shape, k)));
            }
        }
        for road in Road::ALL {
            tiles.extend((0..2).map(|k| Self::Road(road, k)));
        }
        let ends = |k: usize| [k == 0, k == 2];
        for row in 0..3 {
            for column in 0..3 {
                let ([west, east], [south, north]) = (ends(column), ends(row));
                tiles.push(Self::Field([west, east, south, north]));
            }
        }
        tiles
    }

    /// How many pictures there are of a ground.
    pub fn n_plain(ground: Ground) -> u8 {
        let is_plain = |tile: &Self| matches!(tile, Self::Plain(g, _) if *g == ground);
        Self::all().into_iter().filter(is_plain).count() as u8
    }

    /// Ground types as the game numbers them.
    pub fn ground_type(self) -> u32 {
        let of = |ground| match ground {
            Ground::Grass => 0,
            Ground::Earth => 1,
            Ground::Sand => 3,
            Ground::Rock => 4,
            Ground::Snow => 9,
            Ground::DryGrass => 11,
        };
        match self {
            Self::Plain(ground, _) => of(ground),
            Self::Join(pair, Shape::Bay, _) => of(JOINS[usize::from(pair)].1),
            Self::Join(pair, ..) => of(JOINS[usize::from(pair)].0),
            Self::Road(..) => 7,
            Self::Field(_) => 5,
        }
    }
}

/// How many pictures there are of a shape.
pub fn variants(shape: Shape) -> u8 {
    match shape {
        Shape::Diagonal => 1,
        Shape::Corner | Shape::Half | Shape::Bay => 2,
    }
}

/// The tile for a pair of grounds, the second of which covers these corners.
pub fn join(pair: u8, covered: [bool; 4], variant: u8) -> Placed {
    for shape in Shape::ALL {
        for rotation in 0..4 {
            if turned_corners(shape.corners(), rotation) == covered {
                let variant = variant % variants(shape);
                return Placed {
                    tile: Tile::Join(pair, shape, variant),
                    rotation,
                };
            }
        }
    }
    unreachable!("some corners are covered, and some are not")
}

/// The tile for a road through these sides: west, east, south, north.
pub fn road(sides: [bool; 4], variant: u8) -> Placed {
    for road in Road::ALL {
        for rotation in 0..4 {
            if turned_sides(road.sides(), rotation) == sides {
                return Placed {
                    tile: Tile::Road(road, variant % 2),
                    rotation,
                };
            }
        }
    }
    unreachable!("roads of the island run straight, turn or end")
}

/// The place in the picture that a place on the ground shows, if the tile is turned; both 0 to 1, east and north.
///
/// This is the format's table of vertex rows and columns, written for any point.
fn in_picture([east, north]: [f64; 2], rotation: u8) -> [f64; 2] {
    match rotation {
        0 => [east, north],
        1 => [1.0 - north, east],
        2 => [1.0 - east, 1.0 - north],
        _ => [north, 1.0 - east],
    }
}

/// What is at the corners of a turned tile.
fn turned_corners(picture: [bool; 4], rotation: u8) -> [bool; 4] {
    [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]].map(|corner| {
        let [x, y] = in_picture(corner, rotation);
        picture[(x + 2.0 * y) as usize]
    })
}

/// What is at the sides of a turned tile.
fn turned_sides(picture: [bool; 4], rotation: u8) -> [bool; 4] {
    [[0.0, 0.5], [1.0, 0.5], [0.5, 0.0], [0.5, 1.0]].map(|side| {
        let [x, y] = in_picture(side, rotation);
        let at = match (x, y) {
            (0.0, _) => 0,
            (1.0, _) => 1,
            (_, 0.0) => 2,
            _ => 3,
        };
        picture[at]
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turned_places_follow_the_formats_table() {
        // Rows and columns 0 to 2 of a tile's vertices, and the row and column of the picture that they show.
        let table: [fn(f64, f64) -> [f64; 2]; 4] = [
            |r, c| [r, c],
            |r, c| [c, 2.0 - r],
            |r, c| [2.0 - r, 2.0 - c],
            |r, c| [2.0 - c, r],
        ];
        for (rotation, entry) in table.into_iter().enumerate() {
            for (row, column) in [(0.0, 0.0), (0.0, 2.0), (1.0, 2.0), (2.0, 1.0)] {
                let [t, s] = entry(row, column);
                let place = in_picture([column / 2.0, row / 2.0], rotation as u8);
                assert_eq!(place, [s / 2.0, t / 2.0], "rotation {rotation}");
            }
        }
    }

    #[test]
    fn every_way_of_corners_and_roads_has_its_tile() {
        let all = Tile::all();
        assert!(all.len() <= N_LAND_ATLASES * PER_ATLAS, "{}", all.len());
        for bits in 1..15_u8 {
            let covered = [0, 1, 2, 3].map(|k| bits >> k & 1 == 1);
            let placed = join(3, covered, 1);
            assert!(all.contains(&placed.tile), "{placed:?}");
            let Tile::Join(_, shape, _) = placed.tile else {
                panic!("{placed:?}")
            };
            assert_eq!(turned_corners(shape.corners(), placed.rotation), covered);
        }
        let mut rotations = std::collections::BTreeSet::new();
        for sides in [[0, 2], [0, 3], [1, 2], [1, 3]] {
            let placed = road([0, 1, 2, 3].map(|k| sides.contains(&k)), 0);
            rotations.insert(placed.rotation);
        }
        assert_eq!(rotations.len(), 4, "a curve turns all four ways");
    }
}
