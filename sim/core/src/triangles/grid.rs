//! A grid over the ground plane, and which of its cells the faces of a block are over.

use super::blocks::{Block, pick};
use super::simd::{LaneMask, N_LANES, SimdVector};
use glam::Vec2;

/// Cells over a rectangle.
#[derive(Debug, Clone)]
pub(super) struct Grid {
    low: Vec2,
    high: Vec2,
    axes: [Axis; 2],
}

/// Cells along an axis.
///
/// A coordinate is made a fixed-point number by one addition: with `shift`, all between the corners are within one
/// power of two, where the bits of a float count equal steps. So a cell is found in few steps, each of which waits
/// for the one before, and outside are all whose bits are too many: what is below wraps around, and NaN and infinity
/// are far above.
#[derive(Debug, Clone)]
struct Axis {
    shift: f32,
    /// Bits of the low corner, shifted.
    first: u32,
    /// Steps from the low corner to the high one.
    last_step: u32,
    /// Times 2^[`FRACTION_BITS`].
    cells_per_step: u32,
    n: u32,
    /// Where the first cell begins, and its extent.
    start: f64,
    size: f64,
}

const FRACTION_BITS: u32 = 40;
/// A cell has 2^9 steps at least, where there is more than one.
const STEP_BITS: u32 = 9;

impl Axis {
    fn new(low: f32, high: f32, n: u32) -> Self {
        let (low64, high64) = (f64::from(low), f64::from(high));
        let extent = high64 - low64;
        // Room on both sides, also for what is lost of `shift` where the corners are far away.
        let farthest = low64.abs().max(high64.abs());
        let room = (2.0 * extent).max(16.0 * f64::from(f32::EPSILON) * farthest);
        let power = room.log2().ceil().exp2();
        let shift = (1.5 * power - 0.5 * (low64 + high64)) as f32;
        let [first, last] = [low, high].map(|corner| corner + shift);
        if !(f64::from(f32::MIN_POSITIVE)..=f64::from(f32::MAX / 2.0)).contains(&power) {
            return Self::from_single(low64, extent);
        }
        let last_step = last.to_bits() - first.to_bits();
        let n_steps = u64::from(last_step) + 1;
        let n = n.min((n_steps >> STEP_BITS) as u32).max(1);
        let Ok(cells_per_step) = u32::try_from((u64::from(n) << FRACTION_BITS) / n_steps) else {
            return Self::from_single(low64, extent);
        };
        let step = f64::from(first.next_up()) - f64::from(first);
        Self {
            shift,
            first: first.to_bits(),
            last_step,
            cells_per_step,
            n,
            start: f64::from(first) - f64::from(shift),
            size: n_steps as f64 / f64::from(n) * step,
        }
    }

    /// Everything is in one cell.
    fn from_single(start: f64, size: f64) -> Self {
        Self {
            shift: 0.0,
            first: 0,
            last_step: u32::MAX,
            cells_per_step: 0,
            n: 1,
            start,
            size,
        }
    }

    /// Steps from the low corner. Never falls while a coordinate between the corners grows, rounding included.
    #[inline(always)]
    fn steps(&self, coordinate: f32) -> u32 {
        (coordinate + self.shift).to_bits().wrapping_sub(self.first)
    }

    #[inline(always)]
    fn cell(&self, steps: u32) -> u32 {
        let cells = u64::from(steps) * u64::from(self.cells_per_step);
        (cells >> FRACTION_BITS) as u32
    }
}

impl Grid {
    /// With this number of cells along each axis, or fewer where the corners are too close for their distance from
    /// zero.
    pub fn new(low: Vec2, high: Vec2, n: [u32; 2]) -> Self {
        Self {
            low,
            high,
            axes: [
                Axis::new(low.x, high.x, n[0]),
                Axis::new(low.y, high.y, n[1]),
            ],
        }
    }

    /// With half as many cells along each axis.
    pub fn coarser(&self) -> Self {
        Self::new(self.low, self.high, self.n().map(|n| n.div_ceil(2)))
    }

    /// Cells along each axis.
    pub fn n(&self) -> [u32; 2] {
        [self.axes[0].n, self.axes[1].n]
    }

    pub fn n_cells(&self) -> u32 {
        self.axes[0].n * self.axes[1].n
    }

    /// Number of a cell.
    #[inline(always)]
    pub fn number(&self, x: u32, y: u32) -> u32 {
        x * self.axes[1].n + y
    }

    /// Number of the cell under a point, or `outside`. For points within rounding beside the corners either; an axis
    /// with one cell for everything takes in all.
    #[inline(always)]
    pub fn number_at(&self, point: Vec2, outside: u32) -> u32 {
        let [along_x, along_y] = &self.axes;
        let (x, y) = (along_x.steps(point.x), along_y.steps(point.y));
        if (x <= along_x.last_step) & (y <= along_y.last_step) {
            self.number(along_x.cell(x), along_y.cell(y))
        } else {
            outside
        }
    }

    /// The cell of a point within the corners. Never falls while a coordinate grows: a point within the bounds of a
    /// face is in a cell between those of their corners, and no margin is needed.
    #[inline(always)]
    pub fn cell_of(&self, point: Vec2) -> [u32; 2] {
        let [x, y] = &self.axes;
        [x.cell(x.steps(point.x)), y.cell(y.steps(point.y))]
    }
}

/// Columns whose cells with corners are known: more than most blocks are wide.
const N_COLUMNS: usize = 8;

/// The faces of a block against the cells under its bounds, sixteen faces at a time.
///
/// A face touches a cell unless an axis separates them: one of the grid, along which cells are compared by number, or
/// one across an edge of the face. The latter is f32 with margins: cells are taken larger by a 512th on each side,
/// for the cell of a point is off by less than a step and by the rounding of coordinates; a distance from an edge is
/// a sum of six products of two numbers below `reach`.
pub(super) struct BlockCells<L> {
    /// Smallest and largest cell.
    pub low: [u32; 2],
    pub high: [u32; 2],
    with_area: LaneMask,
    /// Of the first columns: the first cells in which a face has a corner, counted from `low`, one bit each.
    corner_cells: [u64; N_COLUMNS],
    /// By axis: smallest and largest cell of each face, counted from `low`.
    first: [L; 2],
    last: [L; 2],
    edges: [Edges<L>; 3],
    /// Middle of the smallest cell, from the origin of the edges, and the extent of a cell.
    middle: [f64; 2],
    size: [f64; 2],
}

/// An edge of each face: `dx * y - dy * x + at_origin` is the distance of a point from it, times its length. Middles of
/// cells that touch the face are between `least` and `most`.
struct Edges<L> {
    dx: L,
    dy: L,
    at_origin: L,
    least: L,
    most: L,
}

/// [`BlockCells`] of one x.
pub(super) struct ColumnOfCells<'a, L> {
    cells: &'a BlockCells<L>,
    /// Faces over any cell of the column.
    over: LaneMask,
    /// By edge: what does not depend on y.
    beside: [L; 3],
}

impl<L: SimdVector> BlockCells<L> {
    #[inline(always)]
    pub fn new(grid: &Grid, block: &Block) -> Self {
        let places = block.places::<L>();
        let [cells_x, cells_y] = cells_of_vertices(grid, block);
        let (low_x, high_x) = least_and_most(&cells_x);
        let (low_y, high_y) = least_and_most(&cells_y);
        let (first_x, last_x) = first_and_last::<L>(&cells_x, low_x, places);
        let (first_y, last_y) = first_and_last::<L>(&cells_y, low_y, places);

        let [along_x, along_y] = &grid.axes;
        let size = [along_x.size, along_y.size];
        let corner = [
            along_x.start + f64::from(low_x) * size[0],
            along_y.start + f64::from(low_y) * size[1],
        ];
        let origin = [corner[0] as f32, corner[1] as f32];
        let slack = 8.0 * f32::EPSILON * grid.low.abs().max(grid.high.abs()).max_element();
        let half = size.map(|size| (size * (0.5 + 1.0 / 512.0)) as f32 + slack);
        let reach =
            (f64::from(high_x - low_x + 2) * size[0]).max(f64::from(high_y - low_y + 2) * size[1]);
        let reach = reach as f32 + slack;
        let margin = 4.0 * reach * reach * (8.0 * f32::EPSILON) + f32::MIN_POSITIVE;

        let x = L::load(block.coordinates(0)).sub(L::splat(origin[0]));
        let y = L::load(block.coordinates(1)).sub(L::splat(origin[1]));
        let ([ax, bx, cx], [ay, by, cy]) = (pick(x, places), pick(y, places));
        Self {
            low: [low_x, low_y],
            high: [high_x, high_y],
            with_area: block.with_area(),
            corner_cells: corner_cells([&cells_x, &cells_y], [low_x, low_y]),
            first: [first_x, first_y],
            last: [last_x, last_y],
            edges: [
                Edges::new([ax, ay], [bx, by], [cx, cy], half, margin),
                Edges::new([bx, by], [cx, cy], [ax, ay], half, margin),
                Edges::new([cx, cy], [ax, ay], [bx, by], half, margin),
            ],
            middle: [
                corner[0] - f64::from(origin[0]) + 0.5 * size[0],
                corner[1] - f64::from(origin[1]) + 0.5 * size[1],
            ],
            size,
        }
    }

    /// Some of the cells from a y on in which a face has a corner, one bit each.
    #[inline(always)]
    pub fn corner_cells(&self, x: u32, y: u32) -> u64 {
        let [low_x, low_y] = self.low;
        let column = self.corner_cells.get((x - low_x) as usize);
        column.filter(|_| y == low_y).map_or(0, |&cells| cells)
    }

    #[inline(always)]
    pub fn column(&self, x: u32) -> ColumnOfCells<'_, L> {
        let middle = L::splat(self.middle_of(x, 0));
        let [a, b, c] = &self.edges;
        ColumnOfCells {
            over: self.with_area & self.over(x, 0),
            beside: [a.beside(middle), b.beside(middle), c.beside(middle)],
            cells: self,
        }
    }

    #[inline(always)]
    fn middle_of(&self, cell: u32, axis: usize) -> f32 {
        (self.middle[axis] + f64::from(cell - self.low[axis]) * self.size[axis]) as f32
    }

    /// Faces whose bounds along an axis touch a cell.
    #[inline(always)]
    fn over(&self, cell: u32, axis: usize) -> LaneMask {
        let cell = L::splat((cell - self.low[axis]) as f32);
        !(cell.is_below(self.first[axis]) | self.last[axis].is_below(cell))
    }
}

impl<L: SimdVector> ColumnOfCells<'_, L> {
    /// Whether any face touches the cell at a y.
    #[inline(always)]
    pub fn is_under_face(&self, y: u32) -> bool {
        let cells = self.cells;
        let middle = L::splat(cells.middle_of(y, 1));
        let ([a, b, c], [in_a, in_b, in_c]) = (&cells.edges, self.beside);
        let beside =
            a.separates(middle, in_a) | b.separates(middle, in_b) | c.separates(middle, in_c);
        self.over & cells.over(y, 1) & !beside != 0
    }
}

impl<L: SimdVector> Edges<L> {
    /// From a to b; of cells with these halves of their extents.
    #[inline(always)]
    fn new(a: [L; 2], b: [L; 2], c: [L; 2], half: [f32; 2], margin: f32) -> Self {
        let ([ax, ay], [bx, by], [cx, cy]) = (a, b, c);
        let zero = L::splat(0.0);
        let (dx, dy) = (bx.sub(ax), by.sub(ay));
        let third = dx.mul_sub(cy.sub(ay), dy.mul(cx.sub(ax)));
        let (width, height) = (dx.max(zero.sub(dx)), dy.max(zero.sub(dy)));
        let across = height.mul_add(L::splat(half[0]), L::splat(margin));
        let across = width.mul_add(L::splat(half[1]), across);
        Self {
            dx,
            dy,
            at_origin: dy.mul_sub(ax, dx.mul(ay)),
            least: third.min(zero).sub(across),
            most: third.max(zero).add(across),
        }
    }

    /// What the x of a point adds.
    #[inline(always)]
    fn beside(&self, x: L) -> L {
        self.at_origin.sub(self.dy.mul(x))
    }

    /// Faces that do not touch a cell, by the y of its middle and what its x adds.
    #[inline(always)]
    fn separates(&self, y: L, beside: L) -> LaneMask {
        let beside = self.dx.mul_add(y, beside);
        beside.is_below(self.least) | self.most.is_below(beside)
    }
}

/// By axis, then by vertex.
#[inline(always)]
fn cells_of_vertices(grid: &Grid, block: &Block) -> [[u32; N_LANES]; 2] {
    let mut cells = [[0; N_LANES]; 2];
    let vertices = block.coordinates(0).iter().zip(block.coordinates(1));
    for (vertex, (&x, &y)) in vertices.enumerate() {
        let [x, y] = grid.cell_of(Vec2::new(x, y));
        cells[0][vertex] = x;
        cells[1][vertex] = y;
    }
    cells
}

/// Cells of vertices, counted from the lowest: of the first columns the first 64.
#[inline(always)]
fn corner_cells([x, y]: [&[u32; N_LANES]; 2], low: [u32; 2]) -> [u64; N_COLUMNS] {
    let mut corner_cells = [0; N_COLUMNS];
    for (&x, &y) in x.iter().zip(y) {
        let (x, y) = (x - low[0], y - low[1]);
        if let Some(cells) = corner_cells.get_mut(x as usize) {
            *cells |= u64::from(y < 64) << (y % 64);
        }
    }
    corner_cells
}

#[inline(always)]
fn least_and_most(cells: &[u32; N_LANES]) -> (u32, u32) {
    let (mut least, mut most) = (u32::MAX, 0);
    for &cell in cells {
        least = least.min(cell);
        most = most.max(cell);
    }
    (least, most)
}

/// Smallest and largest cell of each face, counted from `low`.
#[inline(always)]
fn first_and_last<L: SimdVector>(
    cells: &[u32; N_LANES],
    low: u32,
    places: [L::Places; 3],
) -> (L, L) {
    let mut counted = [0.0; N_LANES];
    for (counted, &cell) in counted.iter_mut().zip(cells) {
        *counted = (cell - low) as f32;
    }
    let [a, b, c] = pick(L::load(&counted), places);
    (a.min(b).min(c), a.max(b).max(c))
}

#[cfg(test)]
mod tests {
    use super::*;

    const OUTSIDE: u32 = u32::MAX;

    /// Low and high corner of an axis: common, far from zero, a few floats wide, huge, tiny, without extent.
    const EXTENTS: [[f32; 2]; 12] = [
        [0.0, 1.0],
        [-520.5, 1310.25],
        [-1.0e-6, 3.0e-6],
        [1.0e6, 1.001e6],
        [-1_000_000.0, -999_999.0],
        [16_777_216.0, 16_777_220.0],
        [-8.0e18, 9.0e18],
        [-1.0e37, 3.0e37],
        [-3.0e38, 3.4e38],
        [1.0e-42, 1.0e-38],
        [0.0, 0.0],
        [-77.0, -77.0],
    ];

    /// Numbers from `low` to `high`, both among them, ascending.
    fn between([low, high]: [f32; 2]) -> Vec<f32> {
        let (low64, high64) = (f64::from(low), f64::from(high));
        let mut numbers: Vec<f32> = (0..=5000)
            .map(|i| (low64 + (high64 - low64) * f64::from(i) / 5000.0) as f32)
            .chain([0.0, -0.0, low.next_up(), high.next_down()])
            .filter(|number| (low..=high).contains(number))
            .collect();
        numbers.sort_by(f32::total_cmp);
        numbers
    }

    fn grid(along_x: [f32; 2], along_y: [f32; 2], n: [u32; 2]) -> Grid {
        let [low, high] = [0, 1].map(|corner| Vec2::new(along_x[corner], along_y[corner]));
        Grid::new(low, high, n)
    }

    #[test]
    fn cells_never_fall_and_reach_from_the_first_to_the_last() {
        for extent in EXTENTS {
            for n in [1, 2, 3, 191, 4096] {
                let grid = grid(extent, [0.0, 1.0], [n, 1]);
                let cells: Vec<u32> = between(extent)
                    .into_iter()
                    .map(|x| grid.cell_of(Vec2::new(x, 0.5))[0])
                    .collect();
                let last = grid.n()[0] - 1;
                assert!(last < n);
                assert!(cells.is_sorted(), "{extent:?} {n}");
                assert_eq!(
                    [cells[0], cells[cells.len() - 1]],
                    [0, last],
                    "{extent:?} {n}"
                );
            }
        }
    }

    #[test]
    fn only_corners_that_are_close_for_their_distance_take_cells_away() {
        for (extent, at_least) in EXTENTS
            .into_iter()
            .zip([4096, 4096, 4096, 4096, 4096, 64, 4096, 4096, 1, 1, 1, 1])
        {
            let grid = grid([0.0, 1.0], extent, [1, 4096]);
            assert!(grid.n()[1] >= at_least, "{extent:?}: {:?}", grid.n());
        }
    }

    #[test]
    fn a_point_is_within_a_512th_of_its_cell() {
        for extent in EXTENTS {
            for n in [1, 7, 300, 4096] {
                let grid = grid([0.0, 1.0], extent, [1, n]);
                let along_y = &grid.axes[1];
                let farthest = f64::from(extent[0].abs().max(extent[1].abs()));
                let slack = along_y.size / 512.0 + f64::from(f32::EPSILON) * farthest;
                for y in between(extent) {
                    let [_, cell] = grid.cell_of(Vec2::new(0.5, y));
                    let begin = along_y.start + f64::from(cell) * along_y.size;
                    let end = begin + along_y.size;
                    let is_within = (begin - slack..=end + slack).contains(&f64::from(y));
                    assert!(is_within, "{extent:?} {n}: {y} in {cell}, {begin} to {end}");
                }
            }
        }
    }

    #[test]
    fn points_within_have_a_number_and_points_beside_none() {
        for extent in &EXTENTS[..8] {
            let [low, high] = *extent;
            let grid = grid(*extent, *extent, [40, 30]);
            for x in between(*extent) {
                let point = Vec2::new(x, high);
                let [cell_x, cell_y] = grid.cell_of(point);
                assert_eq!(grid.number_at(point, OUTSIDE), cell_x * 30 + cell_y);
            }
            let middle = low + (high - low) * 0.5;
            let away = (high - low) * 0.5;
            let beside = [
                low - away,
                high + away,
                -f32::MAX,
                f32::MAX,
                f32::INFINITY,
                f32::NEG_INFINITY,
                f32::NAN,
                -f32::NAN,
            ];
            for at in beside {
                for point in [Vec2::new(at, middle), Vec2::new(middle, at)] {
                    assert_eq!(
                        grid.number_at(point, OUTSIDE),
                        OUTSIDE,
                        "{extent:?} {point}"
                    );
                }
            }
        }
    }
}
