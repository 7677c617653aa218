//! Upright facets: walls between sheets that continue in each other at another height, skirts at the tile's sides.

use super::SIDE;
use super::columns::{Columns, Sheet};
use super::corners::Corners;
use super::partners::{Partners, Side};
use super::wall_mark::wall_mark;
use crate::Profile;
use ironlands_scene::{Facet, Facing};
use ironlands_sim_regions::tiles::LandMark;

/// How far the edge of the loaded land reaches down, points.
const EDGE_DEPTH: i32 = 512;

/// What walls are made of.
pub(super) struct Walls<'a> {
    pub columns: &'a Columns,
    pub partners: &'a Partners,
    pub corners: &'a Corners,
    pub profile: &'a Profile,
    pub level: u8,
    /// Whether solid ground is below the lowest sheet of each step.
    pub is_grounded: bool,
}

/// A side of a step of the tile itself.
#[derive(Clone, Copy)]
struct Border {
    /// Steps from the tile's corner.
    x: usize,
    y: usize,
    side: Side,
    /// Whether it is the tile's side, too.
    is_outer: bool,
}

/// The last facet of each layer along a line of borders, which a like one makes longer.
type Runs = Vec<Option<usize>>;

impl Walls<'_> {
    /// Adds all walls of the tile itself.
    pub fn add_to(&self, facets: &mut Vec<Facet>) {
        // One more for the ground below the lowest layers.
        let mut runs: Runs = vec![None; usize::from(self.columns.max_sheets()) + 1];
        for side in Side::ALL {
            for line in 0..SIDE {
                runs.fill(None);
                for at in 0..SIDE {
                    let (x, y) = match side {
                        Side::East | Side::West => (line, at),
                        Side::South | Side::North => (at, line),
                    };
                    let outer = match side {
                        Side::East | Side::North => SIDE - 1,
                        Side::West | Side::South => 0,
                    };
                    let border = Border {
                        x,
                        y,
                        side,
                        is_outer: line == outer,
                    };
                    self.add_border(&border, &mut runs, facets);
                }
            }
        }
    }

    fn add_border(&self, border: &Border, runs: &mut Runs, facets: &mut Vec<Facet>) {
        let index = self.index_of(border);
        let beside = self
            .columns
            .range(border.side.neighbor(index, self.columns.side));
        let here = self.columns.range(index);
        for (layer, sheet) in here.clone().enumerate() {
            let is_solid = self.is_solid(sheet, border);
            let upright = if beside.is_empty() {
                is_solid.then(|| self.edge_of_land(sheet, border))
            } else {
                let partner = self.partners.of(sheet, border.side);
                partner.and_then(|partner| {
                    let wall = self.between(sheet, beside.start + partner, border);
                    // What hangs over the ground has nothing below it: its skirt would be a fence.
                    let has_skirt = is_solid && border.is_outer;
                    wall.or_else(|| has_skirt.then(|| self.skirt(sheet, border)))
                })
            };
            self.add_upright(upright, sheet, border, &mut runs[layer], facets);
        }
        if here.is_empty() || beside.is_empty() || !self.is_grounded {
            return;
        }
        // Below the lowest layer of a cell is solid ground, wherever that layer continues.
        let is_joined = self.partners.of(here.start, border.side) == Some(0);
        let rock = match is_joined {
            true => None,
            false => self.wall(here.start, beside.start, border),
        };
        if let Some(run) = runs.last_mut() {
            self.add_upright(rock, here.start, border, run, facets);
        }
    }

    /// Adds an upright of a sheet, or makes the one before longer.
    fn add_upright(
        &self,
        upright: Option<([i16; 4], LandMark)>,
        sheet: usize,
        border: &Border,
        run: &mut Option<usize>,
        facets: &mut Vec<Facet>,
    ) {
        let Some((z, mark)) = upright else {
            *run = None;
            return;
        };
        let facet = self.facet(border, z, mark, &self.columns.sheets[sheet]);
        let before = run.and_then(|run| facets.get_mut(run));
        match before {
            Some(before) if joins(before, &facet) => {
                before.size = [0, 1].map(|axis| before.size[axis] + facet.size[axis]);
            }
            _ => {
                *run = Some(facets.len());
                facets.push(facet);
            }
        }
    }

    /// Place of a border's step among all columns.
    fn index_of(&self, border: &Border) -> usize {
        (border.y + 1) * self.columns.side + border.x + 1
    }

    /// Whether there is nothing but ground below a sheet.
    fn is_solid(&self, sheet: usize, border: &Border) -> bool {
        self.is_grounded && self.columns.range(self.index_of(border)).start == sheet
    }

    fn edge_of_land(&self, sheet: usize, border: &Border) -> ([i16; 4], LandMark) {
        let edge = self.corners.edge(sheet, border.side);
        (upright(edge, edge, EDGE_DEPTH), LandMark::WallNoData)
    }

    /// Below a sheet at the tile's side.
    fn skirt(&self, sheet: usize, border: &Border) -> ([i16; 4], LandMark) {
        let edge = self.corners.edge(sheet, border.side);
        let mark = self.columns.sheets[sheet].mark;
        (upright(edge, edge, self.skirt_depth()), mark)
    }

    /// Down from a sheet to the one it continues in.
    fn between(
        &self,
        sheet: usize,
        partner: usize,
        border: &Border,
    ) -> Option<([i16; 4], LandMark)> {
        let (here, there) = (&self.columns.sheets[sheet], &self.columns.sheets[partner]);
        match self.corners.meet(here, there, border.side) {
            true => None,
            false => self.wall(sheet, partner, border),
        }
    }

    /// The wall down from a sheet to a lower one beside it.
    fn wall(&self, sheet: usize, beside: usize, border: &Border) -> Option<([i16; 4], LandMark)> {
        let (here, there) = (&self.columns.sheets[sheet], &self.columns.sheets[beside]);
        let edges = [
            self.corners.edge(sheet, border.side),
            self.corners.edge(beside, border.side.opposite()),
        ];
        let is_wall = here.z > there.z && edges[0] != edges[1];
        let depth = if border.is_outer && self.is_solid(sheet, border) {
            self.skirt_depth()
        } else {
            0
        };
        is_wall.then(|| {
            let mark = wall_mark(self.profile, self.level, here, there, border.side);
            (upright(edges[0], edges[1], depth), mark)
        })
    }

    /// Two steps: what is shown at the next coarser level differs by less, mostly.
    fn skirt_depth(&self) -> i32 {
        32 << self.level
    }

    fn facet(&self, border: &Border, z: [i16; 4], mark: LandMark, sheet: &Sheet) -> Facet {
        let Border { x, y, side, .. } = *border;
        let (at, size, facing) = match side {
            Side::East => ([x + 1, y], [0, 1], Facing::East),
            Side::West => ([x, y], [0, 1], Facing::West),
            Side::South => ([x, y], [1, 0], Facing::South),
            Side::North => ([x, y + 1], [1, 0], Facing::North),
        };
        Facet {
            // A tile has at most 255 steps.
            at: at.map(|it| it as u8),
            size,
            z,
            facing,
            open_sides: sheet.open_sides,
            layer: sheet.layer,
            mark: mark as u8,
        }
    }
}

/// Lower and upper edge between those of two sheets.
pub(super) fn edges<T: Copy + PartialOrd>(a: [T; 2], b: [T; 2]) -> [[T; 2]; 2] {
    let order = |end: usize| match a[end] < b[end] {
        true => (a[end], b[end]),
        false => (b[end], a[end]),
    };
    let ends = [order(0), order(1)];
    [ends.map(|end| end.0), ends.map(|end| end.1)]
}

/// Lower edge, `depth` below both, and upper edge.
fn upright(a: [i16; 2], b: [i16; 2], depth: i32) -> [i16; 4] {
    let [lower, [start, end]] = edges(a, b);
    let deeper = lower.map(|z| (i32::from(z) - depth).max(i32::from(i16::MIN)) as i16);
    [deeper[0], deeper[1], start, end]
}

/// Whether a facet continues in another that follows it along its line.
fn joins(before: &Facet, facet: &Facet) -> bool {
    let Facet { at, size, z, .. } = *facet;
    let is_level = z[0] == z[1] && z[2] == z[3];
    let is_next = (0..2).all(|axis| before.at[axis] + before.size[axis] * size[axis] == at[axis]);
    let resized = Facet {
        at,
        size,
        ..*before
    };
    is_level && is_next && resized == *facet
}
