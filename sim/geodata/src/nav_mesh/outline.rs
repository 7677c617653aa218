//! The outlines of rectangles: edges, each with one thing behind it, and convex polygons of at most six of them.

use super::NAV_TILE_CELLS;
use super::ground::{EAST, Ground, NONE, NORTH, SOUTH, WEST, opposite};
use super::rectangles::{Partition, Rectangle};

/// Corners of a polygon, at most.
const MAX_CORNERS: usize = 6;

/// The four sides as one passes them clockwise.
const CLOCKWISE: [usize; 4] = [NORTH, EAST, SOUTH, WEST];

/// A part of a side of a rectangle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Edge {
    /// Which side.
    pub direction: usize,
    /// The line that it lies on, as lattice corners from the west or the north.
    pub line: usize,
    /// Where it begins and ends on that line, the lower number first.
    pub from: usize,
    pub to: usize,
    /// The rectangle behind it, or [`NONE`].
    pub target: u32,
    /// Whether steps lead back over it, too.
    pub leads_back: bool,
    /// Whether the target is in another tile.
    pub leaves_tile: bool,
}

impl Edge {
    /// The lattice corners in the order of the outline.
    pub(super) fn ends(&self) -> [(usize, usize); 2] {
        let (from, to, line) = (self.from, self.to, self.line);
        match self.direction {
            NORTH => [(from, line), (to, line)],
            EAST => [(line, from), (line, to)],
            SOUTH => [(to, line), (from, line)],
            _ => [(line, to), (line, from)],
        }
    }

    /// The cell of its rectangle in the middle of it.
    pub(super) fn middle_cell(&self) -> (usize, usize) {
        let along = usize::midpoint(self.from, self.to - 1);
        match self.direction {
            NORTH => (along, self.line),
            SOUTH => (along, self.line - 1),
            EAST => (self.line - 1, along),
            _ => (self.line, along),
        }
    }
}

/// What is behind a side of a polygon.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    /// An edge of the rectangle by its place.
    Edge(usize),
    /// Another polygon of the rectangle by its place.
    Polygon(usize),
}

/// A part of a rectangle: a lattice corner and the side that begins there.
pub(super) type Part = Vec<((usize, usize), Side)>;

/// A rectangle as polygons.
pub(super) struct Outline {
    /// Clockwise.
    pub edges: Vec<Edge>,
    /// The polygons; most rectangles are one.
    pub parts: Vec<Part>,
    /// The polygon of each edge.
    pub part_of_edge: Vec<usize>,
}

impl Outline {
    /// The polygon with the edge that begins at a lattice corner; where a step falls onto ground that continues below its
    /// own, there is no edge, and it is the polygon that has the cell behind.
    pub(super) fn part_behind(&self, edge: &Edge) -> usize {
        let is_same = |own: &Edge| {
            own.direction == opposite(edge.direction)
                && own.line == edge.line
                && own.from == edge.from
        };
        match self.edges.iter().position(is_same) {
            Some(place) => self.part_of_edge[place],
            None => self.part_with(beside(edge.middle_cell(), edge.direction)),
        }
    }

    /// The polygon that has a cell, or a part of it.
    fn part_with(&self, (x, y): (usize, usize)) -> usize {
        // Twice the numbers of lattice corners, so that the middle of a cell is whole.
        let middle = (2 * x as i64 + 1, 2 * y as i64 + 1);
        let doubled = |(x, y): (usize, usize)| (2 * x as i64, 2 * y as i64);
        let holds = |part: &Part| {
            (0..part.len()).all(|at| {
                let (a, b) = (doubled(part[at].0), doubled(part[(at + 1) % part.len()].0));
                (b.0 - a.0) * (middle.1 - a.1) - (b.1 - a.1) * (middle.0 - a.0) >= 0
            })
        };
        self.parts.iter().position(holds).unwrap_or_default()
    }
}

/// The cell beside another.
pub(super) fn beside((x, y): (usize, usize), direction: usize) -> (usize, usize) {
    match direction {
        EAST => (x + 1, y),
        WEST => (x - 1, y),
        SOUTH => (x, y + 1),
        _ => (x, y - 1),
    }
}

pub(super) fn outlines(ground: &Ground, partition: &Partition) -> Vec<Outline> {
    let breaks = Breaks::new(ground, partition);
    let outlines = partition.rectangles.iter().map(|rectangle| {
        let edges = breaks.edges(ground, partition, rectangle);
        let (parts, part_of_edge) = split(&edges);
        Outline {
            edges,
            parts,
            part_of_edge,
        }
    });
    outlines.collect()
}

/// Lattice corners at which edges begin or end, so that those of all rectangles on a line do so at the same corners.
struct Breaks {
    /// Corners along y.
    n_y: usize,
    /// On lines from west to east.
    rows: Vec<bool>,
    /// On lines from north to south.
    columns: Vec<bool>,
}

/// What is behind a cell at a side: rectangle, whether steps lead back.
type Behind = (u32, bool);

impl Breaks {
    fn new(ground: &Ground, partition: &Partition) -> Self {
        let n = (ground.width + 1) * (ground.height + 1);
        let mut breaks = Self {
            n_y: ground.height + 1,
            rows: vec![false; n],
            columns: vec![false; n],
        };
        for rectangle in &partition.rectangles {
            for direction in CLOCKWISE {
                let (line, range) = side_of(rectangle, direction);
                let mut before: Behind = (NONE, false);
                for along in range.clone() {
                    let behind = behind(ground, partition, rectangle, direction, line, along);
                    if behind != before {
                        breaks.set(direction, line, along);
                    }
                    before = behind;
                }
                if before.0 != NONE {
                    breaks.set(direction, line, range.end);
                }
            }
        }
        breaks
    }

    fn is_row(direction: usize) -> bool {
        matches!(direction, NORTH | SOUTH)
    }

    fn set(&mut self, direction: usize, line: usize, along: usize) {
        match Self::is_row(direction) {
            true => self.rows[along * self.n_y + line] = true,
            false => self.columns[line * self.n_y + along] = true,
        }
    }

    fn has(&self, direction: usize, line: usize, along: usize) -> bool {
        match Self::is_row(direction) {
            true => self.rows[along * self.n_y + line],
            false => self.columns[line * self.n_y + along],
        }
    }

    /// The edges of a rectangle, clockwise.
    fn edges(&self, ground: &Ground, partition: &Partition, rectangle: &Rectangle) -> Vec<Edge> {
        let mut edges = Vec::new();
        for direction in CLOCKWISE {
            let (line, range) = side_of(rectangle, direction);
            let first = edges.len();
            for along in range.clone() {
                if along == range.start || self.has(direction, line, along) {
                    let (target, leads_back) =
                        behind(ground, partition, rectangle, direction, line, along);
                    let tile_side = usize::from(NAV_TILE_CELLS);
                    edges.push(Edge {
                        direction,
                        line,
                        from: along,
                        to: along,
                        target,
                        leads_back,
                        leaves_tile: target != NONE && line % tile_side == 0,
                    });
                }
                if let Some(last) = edges.last_mut() {
                    last.to = along + 1;
                }
            }
            if matches!(direction, SOUTH | WEST) {
                edges[first..].reverse();
            }
        }
        edges
    }
}

/// The line of a side of a rectangle, and its part of it.
fn side_of(rectangle: &Rectangle, direction: usize) -> (usize, std::ops::Range<usize>) {
    let ((x, y), (w, h)) = (rectangle.first, rectangle.size);
    match direction {
        NORTH => (y, x..x + w),
        SOUTH => (y + h, x..x + w),
        EAST => (x + w, y..y + h),
        _ => (x, y..y + h),
    }
}

fn behind(
    ground: &Ground,
    partition: &Partition,
    rectangle: &Rectangle,
    direction: usize,
    line: usize,
    along: usize,
) -> Behind {
    let layer = match direction {
        NORTH => rectangle.layer(along, line),
        SOUTH => rectangle.layer(along, line - 1),
        EAST => rectangle.layer(line - 1, along),
        _ => rectangle.layer(line, along),
    };
    let next = ground.steps[direction][layer as usize];
    if next == NONE {
        return (NONE, false);
    }
    let leads_back = ground.steps[opposite(direction)][next as usize] == layer;
    (partition.of_layer[next as usize], leads_back)
}

/// Cuts an outline into convex polygons of at most six corners, and returns them with the polygon of each edge.
fn split(edges: &[Edge]) -> (Vec<Part>, Vec<usize>) {
    let whole = edges.iter().enumerate();
    let whole: Part = whole
        .map(|(place, edge)| (edge.ends()[0], Side::Edge(place)))
        .collect();
    let mut parts = vec![whole];
    let mut next = 0;
    while let Some(part) = parts.get(next) {
        if part.len() <= MAX_CORNERS {
            next += 1;
            continue;
        }
        let (from, to) = best_cut(part);
        // The first keeps the place; what the other has knows its new one.
        let other_place = parts.len();
        let part = std::mem::take(&mut parts[next]);
        let mut other = part[from..to].to_vec();
        other.push((part[to].0, Side::Polygon(next)));
        let mut rest = part[..from].to_vec();
        rest.push((part[from].0, Side::Polygon(other_place)));
        rest.extend_from_slice(&part[to..]);
        for (_, side) in &other {
            if let Side::Polygon(neighbor) = side
                && *neighbor != next
            {
                let sides = parts[*neighbor].iter_mut().map(|(_, side)| side);
                for back in sides.filter(|side| **side == Side::Polygon(next)) {
                    *back = Side::Polygon(other_place);
                }
            }
        }
        parts[next] = rest;
        parts.push(other);
    }
    let mut part_of_edge = vec![0; edges.len()];
    for (place, part) in parts.iter().enumerate() {
        for (_, side) in part {
            if let Side::Edge(edge) = side {
                part_of_edge[*edge] = place;
            }
        }
    }
    (parts, part_of_edge)
}

/// Two corners between which a polygon is cut into two of about as many corners, both with an area.
fn best_cut(part: &Part) -> (usize, usize) {
    let n = part.len();
    // Twice the area from the first corner to each: of a piece, the sum of its sides.
    let point = |at: usize| (part[at % n].0.0 as i64, part[at % n].0.1 as i64);
    let cross = |a: (i64, i64), b: (i64, i64)| a.0 * b.1 - a.1 * b.0;
    let mut sums = vec![0];
    for at in 0..n {
        let last = sums[at];
        sums.push(last + cross(point(at), point(at + 1)));
    }
    let total = sums[n];
    let mut best = (usize::MAX, 0, 0);
    for from in 0..n {
        for to in from + 2..n {
            let n_other = to - from + 1;
            let n_rest = n - n_other + 2;
            let area = sums[to] - sums[from] + cross(point(to), point(from));
            let larger = n_other.max(n_rest);
            if n_rest >= 3 && area != 0 && area != total && larger < best.0 {
                best = (larger, from, to);
            }
        }
    }
    (best.1, best.2)
}
