//! The uniform grid over x and y, and the walk of a ray through it.
//!
//! A face is listed in every cell that it touches *with a margin* that is far larger than the rounding of the
//! walk. So when rounding puts a point of the ray into the neighbour of its true cell, that neighbour lists the
//! face too, and the walk needs no case for borders and corners.

use super::Triangle;

/// Cells a side, at most; cell coordinates fit u16.
const MAX_CELLS: u32 = 2048;
/// A grid may hold this many entries a face; beyond it cells are made larger.
const ENTRIES_PER_FACE: u64 = 24;
/// Triangles that an [`Entry`] can tell apart.
pub(super) const MAX_TRIANGLES: usize = 1 << 30;
/// Faces a cell that the first choice of the cell size aims at: a square of ground is two triangles.
const FACES_PER_CELL: usize = 2;

#[derive(Debug, Clone)]
pub(super) struct Grid {
    min: [f64; 2],
    max: [f64; 2],
    cell_size: [f64; 2],
    cells_per_unit: [f64; 2],
    n: [u32; 2],
    margin: f64,
    /// `n[0] * n[1]` cells, x outer, and one more that ends the last.
    cells: Vec<Cell>,
    /// Ascending within each half of a cell.
    entries: Vec<Entry>,
}

/// A triangle in the list of a cell: its position in the triangle list, and whether the cell is in the first
/// column and the first row of the cells that its bounds touch. A box query tells by these alone in which of its
/// cells it takes the triangle, without reading it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Entry(u32);

impl Entry {
    /// Bits for the position.
    const POSITION: u32 = MAX_TRIANGLES as u32 - 1;
    const FIRST_COLUMN: u32 = 1 << 31;
    const FIRST_ROW: u32 = 1 << 30;

    /// Position in the triangle list.
    pub fn triangle(self) -> usize {
        (self.0 & Self::POSITION) as usize
    }

    fn is_first(self, in_first_column: bool, in_first_row: bool) -> bool {
        (in_first_column || self.0 & Self::FIRST_COLUMN != 0)
            && (in_first_row || self.0 & Self::FIRST_ROW != 0)
    }
}

/// 16 bytes: a ray that flies above the cell reads nothing else.
#[derive(Debug, Clone, Copy)]
struct Cell {
    /// First entry of the faces that touch the cell in plan and have area.
    touching: u32,
    /// First entry of the rest: those whose bounds alone touch it.
    bounds_only: u32,
    /// Heights of the faces that touch it, with the margin.
    z_min: f32,
    z_max: f32,
}

const EMPTY_CELL: Cell = Cell {
    touching: 0,
    bounds_only: 0,
    z_min: f32::INFINITY,
    z_max: f32::NEG_INFINITY,
};

impl Grid {
    /// Sorts the triangles into cells. All vertices must be finite, and there are at most [`MAX_TRIANGLES`].
    pub fn new(triangles: &[Triangle]) -> Self {
        let mut grid = Self::choose_cells(triangles);
        grid.fill(triangles);
        grid
    }

    fn choose_cells(triangles: &[Triangle]) -> Self {
        let (min, max) = triangles
            .iter()
            .map(plan_bounds)
            .reduce(join)
            .unwrap_or(([0.0; 2], [0.0; 2]));
        let extent = [max[0] - min[0], max[1] - min[1]];
        let n_wanted = (triangles.len() / FACES_PER_CELL).max(1) as f64;
        let aspect = if extent[0] > 0.0 && extent[1] > 0.0 {
            extent[0] / extent[1]
        } else {
            1.0
        };
        let n_x = (n_wanted * aspect)
            .sqrt()
            .round()
            .clamp(1.0, f64::from(MAX_CELLS));
        let n_y = (n_wanted / n_x).round().clamp(1.0, f64::from(MAX_CELLS));
        let mut n = [n_x as u32, n_y as u32];
        loop {
            let grid = Self::with_cells(min, max, n);
            let n_entries: u64 = triangles
                .iter()
                .map(|t| grid.n_cells_in(grid.cell_range(plan_bounds(t))))
                .sum();
            if n_entries <= ENTRIES_PER_FACE * triangles.len() as u64 || n == [1, 1] {
                return grid;
            }
            // Many faces larger than a cell: a hostile file could ask for faces x cells entries.
            n = n.map(|side| side.div_ceil(2));
        }
    }

    fn with_cells(min: [f64; 2], max: [f64; 2], n: [u32; 2]) -> Self {
        let cell_size = [0, 1].map(|axis| (max[axis] - min[axis]) / f64::from(n[axis]));
        let cells_per_unit = cell_size.map(|size| if size > 0.0 { 1.0 / size } else { 0.0 });
        let largest = min.iter().chain(&max).fold(0.0_f64, |m, v| m.max(v.abs()));
        let margin = 1e-4 * cell_size[0].max(cell_size[1]) + 1e-9 * largest;
        Self {
            min,
            max,
            cell_size,
            cells_per_unit,
            n,
            margin,
            cells: Vec::new(),
            entries: Vec::new(),
        }
    }

    fn fill(&mut self, triangles: &[Triangle]) {
        let n_cells = self.n[0] as usize * self.n[1] as usize;
        let mut n_touching = vec![0_u32; n_cells];
        let mut n_bounds_only = vec![0_u32; n_cells];
        let mut cells = vec![EMPTY_CELL; n_cells + 1];
        for triangle in triangles {
            self.for_cells_of(triangle, |cell, touches, _| {
                if touches {
                    n_touching[cell] += 1;
                    cells[cell].grow(triangle, self.margin);
                } else {
                    n_bounds_only[cell] += 1;
                }
            });
        }
        let mut end = 0;
        for (i, cell) in cells.iter_mut().enumerate() {
            cell.touching = end;
            cell.bounds_only = end + n_touching.get(i).copied().unwrap_or(0);
            end = cell.bounds_only + n_bounds_only.get(i).copied().unwrap_or(0);
        }
        let mut entries = vec![Entry(0); end as usize];
        let mut next_touching: Vec<u32> = cells.iter().map(|c| c.touching).collect();
        let mut next_bounds_only: Vec<u32> = cells.iter().map(|c| c.bounds_only).collect();
        for (i, triangle) in triangles.iter().enumerate() {
            self.for_cells_of(triangle, |cell, touches, place| {
                let next = if touches {
                    &mut next_touching
                } else {
                    &mut next_bounds_only
                };
                entries[next[cell] as usize] = Entry(i as u32 | place);
                next[cell] += 1;
            });
        }
        self.cells = cells;
        self.entries = entries;
    }

    /// Calls `visit(cell, touches in plan and has area, entry bits)` for every cell that the triangle's bounds touch.
    fn for_cells_of(&self, triangle: &Triangle, mut visit: impl FnMut(usize, bool, u32)) {
        let [low, high] = self.cell_range(plan_bounds(triangle));
        let has_area = triangle.normal() != glam::Vec3::ZERO;
        for x in low[0]..=high[0] {
            for y in low[1]..=high[1] {
                let touches = has_area && touches_in_plan(triangle, self.cell_rectangle(x, y));
                let column = if x == low[0] { Entry::FIRST_COLUMN } else { 0 };
                let row = if y == low[1] { Entry::FIRST_ROW } else { 0 };
                visit(self.cell_index(x, y), touches, column | row);
            }
        }
    }

    /// The faces with area that may cover or touch a point of the ground plane; none outside the terrain.
    pub fn at_point(&self, x: f64, y: f64) -> &[Entry] {
        let inside = x >= self.min[0] && x <= self.max[0] && y >= self.min[1] && y <= self.max[1];
        if !inside || self.cells.is_empty() {
            return &[];
        }
        let cell = self.cell_index(self.cell_along(0, x), self.cell_along(1, y));
        self.touching(cell)
    }

    /// Calls `visit` once with every triangle whose bounds share a cell with a rectangle of the ground plane.
    pub fn for_triangles_near(&self, rectangle: Rectangle, mut visit: impl FnMut(usize)) {
        let [low, high] = self.cell_range(rectangle);
        for x in low[0]..=high[0] {
            for y in low[1]..=high[1] {
                let cell = self.cell_index(x, y);
                let (begin, end) = (self.cells[cell].touching, self.cells[cell + 1].touching);
                for &entry in &self.entries[begin as usize..end as usize] {
                    if entry.is_first(x == low[0], y == low[1]) {
                        visit(entry.triangle());
                    }
                }
            }
        }
    }

    /// Cell coordinates that a rectangle of the ground plane touches with the margin, both ends inclusive.
    fn cell_range(&self, (min, max): Rectangle) -> [[u32; 2]; 2] {
        [
            [0, 1].map(|axis| self.cell_along(axis, min[axis] - self.margin)),
            [0, 1].map(|axis| self.cell_along(axis, max[axis] + self.margin)),
        ]
    }

    /// Walks the cells that `origin + t * direction` crosses for t in `0..=t_max`, in the order of the ray.
    ///
    /// `visit(faces)` returns the largest t that still matters; the walk ends behind it.
    pub fn walk(
        &self,
        origin: [f64; 3],
        direction: [f64; 3],
        t_max: f64,
        z: (f32, f32),
        mut visit: impl FnMut(&[Entry]) -> f32,
    ) {
        let Some((mut t_enter, t_end)) = self.clip(origin, direction, t_max, z) else {
            return;
        };
        let mut axes = [0, 1].map(|axis| AxisWalk::new(self, axis, origin, direction, t_enter));
        loop {
            let axis = usize::from(axes[1].t_next < axes[0].t_next);
            let t_exit = axes[axis].t_next.min(t_end).max(t_enter);
            let cell = self.cell_index(axes[0].cell, axes[1].cell);
            let (z_a, z_b) = (
                origin[2] + t_enter * direction[2],
                origin[2] + t_exit * direction[2],
            );
            let Cell { z_min, z_max, .. } = self.cells[cell];
            if z_a.max(z_b) >= f64::from(z_min) && z_a.min(z_b) <= f64::from(z_max) {
                let t_limit = visit(self.touching(cell));
                // Compared as f32: a face further on may still give the same rounded t and a lower index.
                if t_exit as f32 > t_limit {
                    return;
                }
            }
            if axes[axis].t_next >= t_end {
                return;
            }
            axes[axis].step(self, axis, origin);
            t_enter = t_exit;
        }
    }

    /// The part of `0..=t_max` inside the box of the terrain, with the margin.
    fn clip(
        &self,
        origin: [f64; 3],
        direction: [f64; 3],
        t_max: f64,
        z: (f32, f32),
    ) -> Option<(f64, f64)> {
        if self.entries.is_empty() {
            return None;
        }
        let low = [self.min[0], self.min[1], f64::from(z.0)];
        let high = [self.max[0], self.max[1], f64::from(z.1)];
        let (mut t_begin, mut t_end) = (0.0_f64, t_max);
        for axis in 0..3 {
            let (low, high) = (
                low[axis] - self.margin - origin[axis],
                high[axis] + self.margin - origin[axis],
            );
            if direction[axis] == 0.0 {
                if low > 0.0 || high < 0.0 {
                    return None;
                }
                continue;
            }
            let (t_low, t_high) = (low / direction[axis], high / direction[axis]);
            t_begin = t_begin.max(t_low.min(t_high));
            t_end = t_end.min(t_low.max(t_high));
        }
        (t_begin <= t_end).then_some((t_begin, t_end))
    }

    fn touching(&self, cell: usize) -> &[Entry] {
        let Cell {
            touching,
            bounds_only,
            ..
        } = self.cells[cell];
        &self.entries[touching as usize..bounds_only as usize]
    }

    fn cell_index(&self, x: u32, y: u32) -> usize {
        x as usize * self.n[1] as usize + y as usize
    }

    /// Cell coordinate of a position; positions outside get the first or last cell.
    fn cell_along(&self, axis: usize, position: f64) -> u32 {
        // A float cast saturates, so far away and negative need no case.
        let cell = ((position - self.min[axis]) * self.cells_per_unit[axis]) as u32;
        cell.min(self.n[axis] - 1)
    }

    /// A cell's rectangle with the margin.
    fn cell_rectangle(&self, x: u32, y: u32) -> Rectangle {
        let low = |axis: usize, c: u32| {
            self.min[axis] + f64::from(c) * self.cell_size[axis] - self.margin
        };
        let high = |axis: usize, c: u32| {
            self.min[axis] + f64::from(c + 1) * self.cell_size[axis] + self.margin
        };
        ([low(0, x), low(1, y)], [high(0, x), high(1, y)])
    }

    fn n_cells_in(&self, [low, high]: [[u32; 2]; 2]) -> u64 {
        u64::from(high[0] - low[0] + 1) * u64::from(high[1] - low[1] + 1)
    }
}

/// Smallest and largest corner in the ground plane.
pub(super) type Rectangle = ([f64; 2], [f64; 2]);

fn plan_bounds(triangle: &Triangle) -> Rectangle {
    let corner = |i: usize| {
        [
            f64::from(triangle.vertices[i][0]),
            f64::from(triangle.vertices[i][1]),
        ]
    };
    [1, 2]
        .into_iter()
        .map(corner)
        .fold((corner(0), corner(0)), |bounds, c| join(bounds, (c, c)))
}

fn join(a: Rectangle, b: Rectangle) -> Rectangle {
    (
        [0, 1].map(|i| a.0[i].min(b.0[i])),
        [0, 1].map(|i| a.1[i].max(b.1[i])),
    )
}

/// Separating axes of the triangle's three edges in plan; bounds are known to overlap. A face that stands
/// upright is a line here, and the same test serves.
fn touches_in_plan(triangle: &Triangle, (low, high): Rectangle) -> bool {
    let v = triangle
        .vertices
        .map(|v| [f64::from(v[0]), f64::from(v[1])]);
    (0..3).all(|i| {
        let (a, b, c) = (v[i], v[(i + 1) % 3], v[(i + 2) % 3]);
        let side = |p: [f64; 2]| (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]);
        let corners = [
            side(low),
            side(high),
            side([low[0], high[1]]),
            side([high[0], low[1]]),
        ];
        let least = corners.into_iter().fold(f64::INFINITY, f64::min);
        let most = corners.into_iter().fold(f64::NEG_INFINITY, f64::max);
        let apex = side(c);
        most >= apex.min(0.0) && least <= apex.max(0.0)
    })
}

impl Cell {
    fn grow(&mut self, triangle: &Triangle, margin: f64) {
        for [_, _, z] in triangle.vertices {
            self.z_min = self.z_min.min((f64::from(z) - margin) as f32).next_down();
            self.z_max = self.z_max.max((f64::from(z) + margin) as f32).next_up();
        }
    }
}

/// Where a walk stands along one axis.
struct AxisWalk {
    cell: u32,
    forward: bool,
    /// Infinite when the ray does not move along the axis.
    inverse_direction: f64,
    /// t at which the ray leaves the cell along this axis; infinite in the last cell of its way.
    t_next: f64,
}

impl AxisWalk {
    fn new(grid: &Grid, axis: usize, origin: [f64; 3], direction: [f64; 3], t: f64) -> Self {
        let mut walk = Self {
            cell: grid.cell_along(axis, origin[axis] + t * direction[axis]),
            forward: direction[axis] > 0.0,
            inverse_direction: 1.0 / direction[axis],
            t_next: f64::INFINITY,
        };
        walk.find_next(grid, axis, origin);
        walk
    }

    /// Goes to the next cell; only called when there is one.
    fn step(&mut self, grid: &Grid, axis: usize, origin: [f64; 3]) {
        self.cell = if self.forward {
            self.cell + 1
        } else {
            self.cell - 1
        };
        self.find_next(grid, axis, origin);
    }

    fn find_next(&mut self, grid: &Grid, axis: usize, origin: [f64; 3]) {
        let last = if self.forward { grid.n[axis] - 1 } else { 0 };
        self.t_next = if self.cell == last || self.inverse_direction.is_infinite() {
            f64::INFINITY
        } else {
            // From the cell, not from the last t: the error does not grow along the way.
            let border = grid.min[axis]
                + f64::from(self.cell + u32::from(self.forward)) * grid.cell_size[axis];
            (border - origin[axis]) * self.inverse_direction
        };
    }
}
