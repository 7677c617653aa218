//! Queries of a block: the layers of a cell from the ground up.

use super::plane::{Pattern, Plane};
use super::{MARK_FLAT, MARK_MULTILAYER};
use ironlands_sim_regions::{Block, CELLS_PER_BLOCK, Cell, Flat, Multilayer, Nswe};

/// A block, borrowed from its bytes.
#[derive(Debug, Clone, Copy)]
pub(crate) enum BlockView<'a> {
    /// One ground.
    Flat {
        /// Its height.
        high: i16,
        /// The height that the limit of a step may use instead.
        low: i16,
    },
    /// One layer a cell.
    Complex(Plane<'a>),
    /// One or more.
    Multilayer(Planes<'a>),
}

/// The layers of a block.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Planes<'a> {
    record: &'a [u8],
    n: u8,
    patterns: &'a [Pattern],
}

/// A layer of a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Layer {
    /// Its height.
    pub z: i32,
    /// Its place from the ground up.
    pub index: u8,
}

impl<'a> Planes<'a> {
    #[inline]
    fn plane(&self, index: u8) -> Plane<'a> {
        let at = if index == 0 {
            2 * usize::from(self.n)
        } else {
            let at = 2 * usize::from(index);
            usize::from(u16::from_le_bytes([self.record[at], self.record[at + 1]]))
        };
        Plane::new(&self.record[at..], self.patterns)
    }
}

impl<'a> BlockView<'a> {
    /// The record at the start of `bytes`.
    #[inline]
    pub(crate) fn from_record(bytes: &'a [u8], patterns: &'a [Pattern]) -> Self {
        match bytes[0] {
            MARK_FLAT => Self::Flat {
                high: i16::from_le_bytes([bytes[2], bytes[3]]),
                low: i16::from_le_bytes([bytes[4], bytes[5]]),
            },
            MARK_MULTILAYER => Self::Multilayer(Planes {
                record: bytes,
                n: bytes[1],
                patterns,
            }),
            _ => Self::Complex(Plane::new(bytes, patterns)),
        }
    }

    /// Most layers that a cell can have.
    pub(crate) fn n_planes(&self) -> u8 {
        match self {
            Self::Flat { .. } | Self::Complex(_) => 1,
            Self::Multilayer(planes) => planes.n,
        }
    }

    /// Calls `each` with the layers of a cell, `0..64`, from the ground up, until it says no.
    #[inline(always)]
    pub(crate) fn layers_up(&self, cell: u32, mut each: impl FnMut(Layer) -> bool) {
        self.planes_up(cell, |layer, _| each(layer));
    }

    /// The same with the plane of each layer, which a flat block has not.
    #[inline(always)]
    fn planes_up(&self, cell: u32, mut each: impl FnMut(Layer, Option<&Plane<'a>>) -> bool) {
        match self {
            Self::Flat { high, .. } => {
                let z = i32::from(*high);
                each(Layer { z, index: 0 }, None);
            }
            Self::Complex(plane) => {
                let z = plane.height(cell);
                each(Layer { z, index: 0 }, Some(plane));
            }
            Self::Multilayer(planes) => {
                for index in 0..planes.n {
                    let plane = planes.plane(index);
                    // A cell that lacks a layer lacks all above it.
                    if !plane.has(cell) {
                        return;
                    }
                    let z = plane.height(cell);
                    if !each(Layer { z, index }, Some(&plane)) {
                        return;
                    }
                }
            }
        }
    }

    /// The layer nearest to `z`; of two, the upper one, and of equal heights the first of the file.
    #[inline]
    pub(crate) fn nearest(&self, cell: u32, z: i32) -> Layer {
        let mut best = Layer { z: 0, index: 0 };
        let mut best_distance = u32::MAX;
        self.layers_up(cell, |layer| {
            let distance = layer.z.abs_diff(z);
            if distance <= best_distance {
                (best, best_distance) = (layer, distance);
            }
            layer.z <= z
        });
        best
    }

    /// The highest layer that is not above `limit`.
    #[inline]
    pub(crate) fn highest_up_to(&self, cell: u32, limit: i32) -> Option<Layer> {
        let mut best = None;
        self.layers_up(cell, |layer| {
            let is_below = layer.z <= limit;
            if is_below {
                best = Some(layer);
            }
            is_below
        });
        best
    }

    /// The same with the sides of that layer.
    #[inline]
    pub(crate) fn stand_up_to(&self, cell: u32, limit: i32) -> Option<(Layer, Nswe)> {
        let mut best = None;
        self.planes_up(cell, |layer, plane| {
            let is_below = layer.z <= limit;
            if is_below {
                let sides = plane.map_or(Nswe::ALL_SIDES, |plane| plane.nswe(cell));
                best = Some((layer, sides));
            }
            is_below
        });
        best
    }

    /// The lowest layer that is not below `limit`.
    #[inline]
    pub(crate) fn lowest_from(&self, cell: u32, limit: i32) -> Option<Layer> {
        let mut best = None;
        self.layers_up(cell, |layer| {
            if layer.z >= limit {
                best = Some(layer);
            }
            layer.z < limit
        });
        best
    }

    /// The sides of a layer that the cell has.
    #[inline]
    pub(crate) fn nswe(&self, cell: u32, index: u8) -> Nswe {
        match self {
            Self::Flat { .. } => Nswe::ALL_SIDES,
            Self::Complex(plane) => plane.nswe(cell),
            Self::Multilayer(planes) => planes.plane(index).nswe(cell),
        }
    }

    /// The block as its formats have it.
    pub(crate) fn to_block(self) -> Block {
        let cell_of = |cell: u32, layer: Layer| {
            // Heights come from files, where they have 16 bits.
            Cell::new(layer.z as i16, self.nswe(cell, layer.index))
        };
        match self {
            Self::Flat { high, low } => Block::Flat(Flat::new(high, low)),
            Self::Complex(_) => {
                let mut cells = Box::new([Cell::default(); CELLS_PER_BLOCK]);
                for (cell, to) in (0..).zip(cells.iter_mut()) {
                    *to = cell_of(cell, self.nearest(cell, 0));
                }
                Block::Complex(cells)
            }
            Self::Multilayer(_) => {
                let columns: Vec<Vec<Cell>> = (0..CELLS_PER_BLOCK as u32)
                    .map(|cell| {
                        let mut column = Vec::new();
                        self.layers_up(cell, |layer| {
                            column.push(cell_of(cell, layer));
                            true
                        });
                        column.reverse();
                        column
                    })
                    .collect();
                let block = Multilayer::new(columns.iter().map(Vec::as_slice));
                Block::Multilayer(Box::new(block.expect("a packed cell has 1 to 255 layers")))
            }
        }
    }
}
