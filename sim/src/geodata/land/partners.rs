//! In which layer of the neighbour a layer goes on, and between which there may be a wall.

use super::columns::{COLUMNS_SIDE, Columns, Sheet};

/// What goes on nowhere.
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

    /// The step beside; the caller stays in the grid.
    #[inline]
    pub fn neighbour(self, index: usize) -> usize {
        match self {
            Self::East => index + 1,
            Self::West => index - 1,
            Self::South => index - COLUMNS_SIDE,
            Self::North => index + COLUMNS_SIDE,
        }
    }
}

/// For each sheet of [`Columns`] and each side the place in the neighbour's column.
#[derive(Debug, Clone)]
pub(super) struct Partners {
    places: Vec<[u8; 4]>,
}

impl Partners {
    pub fn new(columns: &Columns) -> Self {
        let mut places = vec![[NONE; 4]; columns.sheets.len()];
        let last = COLUMNS_SIDE - 1;
        for y in 0..COLUMNS_SIDE {
            for x in 0..COLUMNS_SIDE {
                let index = y * COLUMNS_SIDE + x;
                for (side, is_inside) in [(Side::East, x < last), (Side::North, y < last)] {
                    if !is_inside {
                        continue;
                    }
                    let (here, there) =
                        (columns.range(index), columns.range(side.neighbour(index)));
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

    /// Place in the neighbour's column where a sheet goes on.
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

/// Calls `each` with the places of all between which there is a wall if they are not as high: those of [`pair`], and the
/// lowest two, since below the lowest layer of a cell is solid ground.
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
