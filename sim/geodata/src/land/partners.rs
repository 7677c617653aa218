//! In which layer of the neighbor a layer continues, and between which there may be a wall.

use super::columns::{Columns, Sheet};
use ironlands_sim_regions::GeoCell;

/// A layer that ends.
const NONE: u8 = u8::MAX;

/// A side of a step, in the order of the bits of open sides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    East = 0,
    West = 1,
    South = 2,
    North = 3,
}

impl Side {
    pub const ALL: [Self; 4] = [Self::East, Self::West, Self::South, Self::North];

    /// Its bit of open sides.
    pub fn bit(self) -> u8 {
        1 << self as u8
    }

    pub fn opposite(self) -> Self {
        match self {
            Self::East => Self::West,
            Self::West => Self::East,
            Self::South => Self::North,
            Self::North => Self::South,
        }
    }

    /// The side of a cell that it shares with another; `None` if they are not side by side.
    pub fn between(cell: GeoCell, beside: GeoCell) -> Option<Self> {
        let apart = |at: u16, other: u16| i32::from(other) - i32::from(at);
        match (apart(cell.x, beside.x), apart(cell.y, beside.y)) {
            (1, 0) => Some(Self::East),
            (-1, 0) => Some(Self::West),
            (0, 1) => Some(Self::South),
            (0, -1) => Some(Self::North),
            _ => None,
        }
    }

    /// Places of its corners among south-west, south-east, north-west and north-east, from the smaller coordinate on.
    #[inline]
    pub fn ends(self) -> [usize; 2] {
        match self {
            Self::East => [1, 3],
            Self::West => [0, 2],
            Self::South => [0, 1],
            Self::North => [2, 3],
        }
    }

    /// The step beside, of [`Columns`] with this number of steps along their side; the caller stays in them.
    #[inline]
    pub fn neighbor(self, index: usize, side: usize) -> usize {
        match self {
            Self::East => index + 1,
            Self::West => index - 1,
            Self::South => index - side,
            Self::North => index + side,
        }
    }
}

/// For each sheet of [`Columns`] and each side the place in the neighbor's column.
#[derive(Debug, Clone)]
pub(super) struct Partners {
    places: Vec<[u8; 4]>,
}

impl Partners {
    pub fn new(columns: &Columns) -> Self {
        let mut places = vec![[NONE; 4]; columns.sheets.len()];
        let n = columns.side;
        let last = n - 1;
        for y in 0..n {
            for x in 0..n {
                let index = y * n + x;
                for (side, is_inside) in [(Side::East, x < last), (Side::North, y < last)] {
                    if !is_inside {
                        continue;
                    }
                    let (here, there) =
                        (columns.range(index), columns.range(side.neighbor(index, n)));
                    let (here_at, there_at) = (here.start, there.start);
                    pair(&columns.sheets[here], &columns.sheets[there], |a, b| {
                        // A column has at most 255 sheets.
                        places[here_at + a][side as usize] = b as u8;
                        places[there_at + b][side.opposite() as usize] = a as u8;
                    });
                }
            }
        }
        Self { places }
    }

    /// Place in the neighbor's column where a sheet continues.
    #[inline]
    pub fn of(&self, sheet: usize, side: Side) -> Option<usize> {
        let place = self.places[sheet][side as usize];
        (place != NONE).then_some(usize::from(place))
    }
}

/// A height in a column.
pub(super) trait Height {
    fn height(&self) -> i32;
}

impl Height for Sheet {
    #[inline]
    fn height(&self) -> i32 {
        i32::from(self.z)
    }
}

impl Height for i32 {
    #[inline]
    fn height(&self) -> i32 {
        *self
    }
}

/// Calls `each` with the places of all that are nearest to each other, in two columns from the ground up.
#[inline]
pub(super) fn pair<T: Height>(a: &[T], b: &[T], mut each: impl FnMut(usize, usize)) {
    if let ([_], [_]) = (a, b) {
        return each(0, 0);
    }
    for (at, here) in a.iter().enumerate() {
        if let Some(there) = nearest(b, here.height())
            && nearest(a, b[there].height()) == Some(at)
        {
            each(at, there);
        }
    }
}

/// Calls `each` with the places of all between which there is a wall if they are not as high: those of [`pair`], and
/// the lowest two, since below the lowest layer of a cell is solid ground.
#[inline]
pub(super) fn walled<T: Height>(a: &[T], b: &[T], mut each: impl FnMut(usize, usize)) {
    let mut has_lowest = a.is_empty() || b.is_empty();
    pair(a, b, |at, there| {
        has_lowest |= (at, there) == (0, 0);
        each(at, there);
    });
    if !has_lowest {
        each(0, 0);
    }
}

/// Of two that are as near, the upper one.
#[inline]
fn nearest<T: Height>(column: &[T], z: i32) -> Option<usize> {
    let distances = column.iter().map(|it| it.height().abs_diff(z)).enumerate();
    distances
        .min_by_key(|&(at, distance)| (distance, std::cmp::Reverse(at)))
        .map(|(at, _)| at)
}
