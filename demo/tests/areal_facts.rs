//! What the areals of both levels promise, held against slow methods that share nothing with the generator: the
//! grid lists exactly the areals that touch a cell, and the areals tile the ground that can be walked.

use std::fs;
use std::path::Path;

use ironlands_assets_parkan::land_map::LandMap;
use ironlands_assets_parkan::land_msh::{Face, LandMsh};

/// Level, and its quads along each side: materials and areals are laid out in quads, each cut crosswise into four.
const LEVELS: [(&str, usize); 2] = [("Map01", 48), ("Map02", 128)];

const WATER: u32 = 0x0002_0000;

type Point = [f64; 2];

fn read(level: &str) -> (LandMsh, LandMap) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../DATA/MAPS");
    let file = |name: &str| fs::read(folder.join(level).join(name)).unwrap();
    (
        LandMsh::read(&file("Land.msh")).unwrap(),
        LandMap::read(&file("Land.map")).unwrap(),
    )
}

fn outlines(map: &LandMap) -> Vec<Vec<Point>> {
    let flat = |v: &[f32; 3]| [f64::from(v[0]), f64::from(v[1])];
    map.areals
        .iter()
        .map(|areal| areal.vertices.iter().map(flat).collect())
        .collect()
}

/// Smallest and largest x and y.
fn bounds(points: &[Point]) -> [Point; 2] {
    let low = |k: usize| points.iter().map(|p| p[k]).fold(f64::MAX, f64::min);
    let high = |k: usize| points.iter().map(|p| p[k]).fold(f64::MIN, f64::max);
    [[low(0), low(1)], [high(0), high(1)]]
}

/// Twice the signed area of a triangle; positive if it turns left.
fn cross(a: Point, b: Point, c: Point) -> f64 {
    (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
}

fn edges<P: Copy>(outline: &[P]) -> impl Iterator<Item = (P, P)> + '_ {
    let next = outline.iter().cycle().skip(1);
    outline.iter().copied().zip(next.copied())
}

fn area(outline: &[Point]) -> f64 {
    edges(outline)
        .map(|(p, q)| cross(outline[0], p, q) / 2.0)
        .sum()
}

/// A cell lists an areal when the two, both with their borders, have a point in common: one that only meets a
/// corner counts. Where borders fall together, rounding to `f32` parts them by up to 2.4e-4 units, so the cell is
/// taken larger on all sides, and no pair is excused: nothing changes between a growth of 1/512 and one of 1/32.
/// All is decided in whole numbers, on what the files hold.
#[test]
fn cells_list_exactly_the_areals_that_touch_them() {
    for (level, _) in LEVELS {
        let (land, map) = read(level);
        let outlines: Vec<Vec<[i128; 2]>> = outlines(&map)
            .iter()
            .map(|outline| outline.iter().map(|p| p.map(exact)).collect())
            .collect();
        let boxes: Vec<_> = outlines.iter().map(|outline| exact_box(outline)).collect();
        let corners = [land.header.corners[0], land.header.corners[7]];
        let line = |axis: usize, i: u32| {
            let [low, high] = corners.map(|corner| f64::from(corner[axis]));
            low + (high - low) * f64::from(i) / 128.0
        };
        assert_eq!((map.cells_x, map.cells_y), (128, 128), "{level}");
        for (x, y) in (0..128).flat_map(|x| (0..128).map(move |y| (x, y))) {
            let mut listed = map.cell(x, y).unwrap().to_vec();
            listed.sort_unstable();
            for growth in [1.0 / 512.0, 1.0 / 32.0] {
                let low = [line(0, x), line(1, y)].map(|v| exact(v - growth));
                let high = [line(0, x + 1), line(1, y + 1)].map(|v| exact(v + growth));
                let touches = |id: &usize| {
                    boxes_meet(boxes[*id], [low, high]) && touch(&outlines[*id], [low, high])
                };
                let touching: Vec<u16> = (0..outlines.len())
                    .filter(touches)
                    .map(|id| id as u16)
                    .collect();
                assert_eq!(listed, touching, "{level}: cell {x}, {y} grown by {growth}");
            }
        }
    }
}

/// In units of 2^-24, of which every coordinate of these levels is a multiple.
fn exact(v: f64) -> i128 {
    let scaled = v * f64::from(1 << 24);
    assert_eq!(scaled.fract(), 0.0, "{v}");
    scaled as i128
}

fn exact_box(points: &[[i128; 2]]) -> [[i128; 2]; 2] {
    let low = |k: usize| points.iter().map(|p| p[k]).min().unwrap();
    let high = |k: usize| points.iter().map(|p| p[k]).max().unwrap();
    [[low(0), low(1)], [high(0), high(1)]]
}

fn boxes_meet(a: [[i128; 2]; 2], b: [[i128; 2]; 2]) -> bool {
    (0..2).all(|k| a[0][k] <= b[1][k] && b[0][k] <= a[1][k])
}

/// Whether a simple polygon and a rectangle have a point in common: an edge meets the rectangle, or the rectangle
/// lies wholly inside. Coordinates stay below 2^36, products below 2^74.
fn touch(outline: &[[i128; 2]], cell: [[i128; 2]; 2]) -> bool {
    let [[x0, y0], [x1, y1]] = cell;
    let corners = [[x0, y0], [x1, y0], [x1, y1], [x0, y1]];
    let side = |p: [i128; 2], q: [i128; 2], r: [i128; 2]| {
        (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])
    };
    let edge_meets = |(p, q): ([i128; 2], [i128; 2])| {
        let sides = corners.map(|corner| side(p, q, corner).signum());
        boxes_meet(exact_box(&[p, q]), cell) && !(sides == [1; 4] || sides == [-1; 4])
    };
    // A ray to the east from a corner crosses the outline an odd number of times if the corner is inside.
    let crosses_ray = |(p, q): &([i128; 2], [i128; 2])| {
        (p[1] > y0) != (q[1] > y0) && (side(*p, *q, [x0, y0]) > 0) == (q[1] > p[1])
    };
    edges(outline).any(edge_meets) || edges(outline).filter(crosses_ray).count() % 2 == 1
}

#[test]
fn touching_is_closed_on_both_sides() {
    let diamond = [[4, 0], [8, 4], [4, 8], [0, 4]];
    let facts = [
        ("a corner of the cell on an edge", [[0, 0], [2, 2]], true),
        ("a corner of the cell short of it", [[0, 0], [2, 1]], false),
        (
            "the diamond's tip on the cell's side",
            [[8, 0], [9, 9]],
            true,
        ),
        ("a cell inside", [[3, 3], [5, 5]], true),
        ("a cell around it", [[-1, -1], [9, 9]], true),
        ("a cell beside it", [[9, 3], [10, 5]], false),
        ("a cell before it on the ray", [[-3, 4], [-1, 5]], false),
    ];
    for (name, cell, expected) in facts {
        assert_eq!(touch(&diamond, cell), expected, "{name}");
    }
}

#[test]
fn areals_do_not_overlap() {
    for (level, _) in LEVELS {
        let outlines = outlines(&read(level).1);
        let boxes: Vec<[Point; 2]> = outlines.iter().map(|outline| bounds(outline)).collect();
        let apart =
            |a: [Point; 2], b: [Point; 2]| (0..2).any(|k| a[1][k] <= b[0][k] || b[1][k] <= a[0][k]);
        for a in 0..outlines.len() {
            for b in a + 1..outlines.len() {
                if apart(boxes[a], boxes[b]) {
                    continue;
                }
                // Coordinates are rounded by up to 1.2e-4, over edges of up to 300 units; the smallest areal has
                // 86 square units.
                let shared = area(&clipped(&outlines[a], &outlines[b]));
                assert!(
                    shared < 0.05,
                    "{level}: areals {a} and {b} share {shared} square units"
                );
            }
        }
    }
}

/// What is left of a polygon inside a convex one (Sutherland and Hodgman).
fn clipped(polygon: &[Point], window: &[Point]) -> Vec<Point> {
    let mut left = polygon.to_vec();
    for (a, b) in edges(window) {
        let mut kept = Vec::new();
        for (p, q) in edges(&left) {
            let (at_p, at_q) = (cross(a, b, p), cross(a, b, q));
            if at_p >= 0.0 {
                kept.push(p);
            }
            if (at_p < 0.0) != (at_q < 0.0) {
                let t = at_p / (at_p - at_q);
                kept.push([0, 1].map(|k| p[k] + t * (q[k] - p[k])));
            }
        }
        left = kept;
        if left.is_empty() {
            return vec![[0.0; 2]];
        }
    }
    left
}

/// A quarter of a quad: 0 south, 1 east, 2 north, 3 west.
struct Quarters {
    n_quads: usize,
    quad_size: f64,
}

impl Quarters {
    fn len(&self) -> usize {
        4 * self.n_quads * self.n_quads
    }

    fn area(&self) -> f64 {
        self.quad_size * self.quad_size / 4.0
    }

    /// The quad of a quarter.
    fn quad(&self, quarter: usize) -> [usize; 2] {
        [quarter / 4 / self.n_quads, quarter / 4 % self.n_quads]
    }

    /// The center, and points near each of the corners: a tenth of the way from there.
    fn points(&self, quarter: usize) -> [Point; 4] {
        let [x, y] = self.quad(quarter).map(|q| q as f64);
        let ring = [[x, y], [x + 1.0, y], [x + 1.0, y + 1.0], [x, y + 1.0]];
        let corners = [
            ring[quarter % 4],
            ring[(quarter + 1) % 4],
            [x + 0.5, y + 0.5],
        ];
        let center = [0, 1].map(|k| corners.iter().map(|c| c[k]).sum::<f64>() / 3.0);
        let near = |c: Point| [0, 1].map(|k| (0.9 * c[k] + 0.1 * center[k]) * self.quad_size);
        let [a, b, c] = corners.map(near);
        [center.map(|v| v * self.quad_size), a, b, c]
    }

    /// Those that share an edge with a quarter.
    fn around(&self, quarter: usize) -> Vec<usize> {
        let quad = quarter - quarter % 4;
        let [x, y] = self.quad(quarter).map(|q| q as i64);
        let (x, y) = match quarter % 4 {
            0 => (x, y - 1),
            1 => (x + 1, y),
            2 => (x, y + 1),
            _ => (x - 1, y),
        };
        let mut around = vec![quad + (quarter + 1) % 4, quad + (quarter + 3) % 4];
        let range = 0..self.n_quads as i64;
        if range.contains(&x) && range.contains(&y) {
            let beyond = x as usize * self.n_quads + y as usize;
            around.push(4 * beyond + (quarter + 2) % 4);
        }
        around
    }

    /// For each quarter, for each of its points, the areals that hold it.
    fn owners(&self, outlines: &[Vec<Point>]) -> Vec<[Vec<usize>; 4]> {
        let mut owners = vec![[const { Vec::new() }; 4]; self.len()];
        for (id, outline) in outlines.iter().enumerate() {
            let [low, high] = bounds(outline);
            let quads = |k: usize| {
                let first = (low[k] / self.quad_size) as usize;
                first.saturating_sub(1)..((high[k] / self.quad_size) as usize + 1).min(self.n_quads)
            };
            for quad in quads(0).flat_map(|x| quads(1).map(move |y| x * self.n_quads + y)) {
                for (i, owners) in owners[4 * quad..][..4].iter_mut().enumerate() {
                    for (owners, point) in owners.iter_mut().zip(self.points(4 * quad + i)) {
                        if edges(outline).all(|(p, q)| cross(p, q, point) >= 0.0) {
                            owners.push(id);
                        }
                    }
                }
            }
        }
        owners
    }
}

/// The finest ground that is not water, from the mesh alone.
struct Ground {
    n_quads: usize,
    quad_size: f64,
    corners: Vec<[[f64; 3]; 3]>,
    normals: Vec<[[f64; 3]; 3]>,
    /// Triangles of each quad.
    by_quad: Vec<Vec<usize>>,
}

impl Ground {
    fn new(land: &LandMsh, n_quads: usize) -> Self {
        let quad_size = f64::from(land.header.corners[7][0]) / n_quads as f64;
        let fine = land.slots[..land.nodes.len()]
            .iter()
            .map(|slot| usize::from(slot.tri_count))
            .sum();
        let mut ground = Self {
            n_quads,
            quad_size,
            corners: Vec::new(),
            normals: Vec::new(),
            by_quad: vec![Vec::new(); n_quads * n_quads],
        };
        for face in land.faces[..fine].iter().filter(|face| !is_water(face)) {
            let vertices = face.vertices.map(usize::from);
            let corners = vertices.map(|i| land.positions[i].map(f64::from));
            for quad in ground.quads_below(corners) {
                ground.by_quad[quad].push(ground.corners.len());
            }
            ground.corners.push(corners);
            ground.normals.push(vertices.map(|i| {
                let [x, y, z, _] = land.normals[i].map(f64::from);
                [x, y, z]
            }));
        }
        ground
    }

    /// Quads that the bounds of a triangle overlap by more than rounding.
    fn quads_below(&self, corners: [[f64; 3]; 3]) -> Vec<usize> {
        let [low, high] = bounds(&corners.map(flat));
        let quads = |k: usize| {
            let first = (low[k] / self.quad_size + 0.01) as usize;
            first..=(high[k] / self.quad_size - 0.01) as usize
        };
        quads(0)
            .flat_map(|x| quads(1).map(move |y| x * self.n_quads + y))
            .collect()
    }

    /// World z at a point, and how steep (rise over run) it is there: by the plane of the face, and by the
    /// normals of its vertices.
    fn at(&self, quad: [usize; 2], point: Point) -> (f64, [f64; 2]) {
        let weights = |corners: &[[f64; 3]; 3]| {
            let [a, b, c] = corners.map(flat);
            let whole = cross(a, b, c);
            [cross(b, c, point), cross(c, a, point), cross(a, b, point)].map(|w| w / whole)
        };
        let (triangle, weights) = self.by_quad[quad[0] * self.n_quads + quad[1]]
            .iter()
            .map(|triangle| (*triangle, weights(&self.corners[*triangle])))
            .find(|(_, weights)| weights.iter().all(|w| *w > -1e-6))
            .expect("the ground has no holes");
        let mix = |values: [f64; 3]| (0..3).map(|k| weights[k] * values[k]).sum::<f64>();
        let [a, b, c] = self.corners[triangle];
        let (u, v) = (
            [0, 1, 2].map(|k| b[k] - a[k]),
            [0, 1, 2].map(|k| c[k] - a[k]),
        );
        let plane = [
            u[1] * v[2] - u[2] * v[1],
            u[2] * v[0] - u[0] * v[2],
            u[0] * v[1] - u[1] * v[0],
        ];
        let smooth = [0, 1, 2].map(|k| mix(self.normals[triangle].map(|n| n[k])));
        let slope = |n: [f64; 3]| n[0].hypot(n[1]) / n[2];
        (mix([a[2], b[2], c[2]]), [slope(plane), slope(smooth)])
    }
}

fn is_water(face: &Face) -> bool {
    face.flags.bits() & WATER != 0
}

fn flat([x, y, _]: [f64; 3]) -> Point {
    [x, y]
}

/// What the mesh says about whether a quarter can be walked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Walk {
    Yes,
    No,
    /// Near a limit: the generator looks at heights that are finer than the mesh.
    Unclear,
}

/// Ground can be walked where it is no steeper than 0.8 and no deeper below water than 1.5 units.
fn walk(z_above_water: f64, slopes: [f64; 2]) -> Walk {
    let [gentle, steep] = [slopes[0].min(slopes[1]), slopes[0].max(slopes[1])];
    if steep < 0.8 - SLOPE_MARGIN && z_above_water > -1.5 + DEPTH_MARGIN {
        Walk::Yes
    } else if gentle > 0.8 + SLOPE_MARGIN || z_above_water < -1.5 - DEPTH_MARGIN {
        Walk::No
    } else {
        Walk::Unclear
    }
}

/// The rule is for the height field, which has eight samples to a quad where the mesh has one or two. The two differ
/// by less than this wherever the mesh says that ground cannot be walked.
const SLOPE_MARGIN: f64 = 0.2;
const DEPTH_MARGIN: f64 = 1.0;

/// Fewer adjacent quarters than these make no areal.
const SMALLEST_ISLAND: usize = 8;

#[test]
fn areals_tile_the_walkable_ground() {
    for (level, n_quads) in LEVELS {
        let (land, map) = read(level);
        let ground = Ground::new(&land, n_quads);
        let quarters = Quarters {
            n_quads,
            quad_size: ground.quad_size,
        };
        let outlines = outlines(&map);
        let owners = quarters.owners(&outlines);
        let water = f64::from(land.water_level());
        let mut is_hole = vec![false; quarters.len()];
        let mut n_of = [0usize; 3];
        let mut n_covered = 0;
        for quarter in 0..quarters.len() {
            let points = &owners[quarter];
            assert!(
                points[0].len() <= 1 && points.iter().all(|owner| *owner == points[0]),
                "{level}: quarter {quarter} is in areals {points:?}"
            );
            let is_covered = !points[0].is_empty();
            n_covered += usize::from(is_covered);
            let (z, slopes) = ground.at(quarters.quad(quarter), quarters.points(quarter)[0]);
            let walk = walk(z - water, slopes);
            n_of[walk as usize] += 1;
            assert!(
                !(walk == Walk::No && is_covered),
                "{level}: quarter {quarter} at z {z}, slopes {slopes:?}, is in areal {points:?}"
            );
            is_hole[quarter] = walk == Walk::Yes && !is_covered;
        }
        assert_holes_are_specks(level, &quarters, &is_hole, n_of[Walk::Yes as usize]);
        let n_clear = quarters.len() - n_of[Walk::Unclear as usize];
        assert!(10 * n_clear > 8 * quarters.len(), "{level}: {n_of:?}");
        assert_areas_add_up(level, &map, &outlines, n_covered as f64 * quarters.area());
    }
}

/// What the mesh shows as walkable and no areal holds: pockets between cliffs that are too small to keep, and
/// quarters where a crest or gully of the height field falls between the vertices of the mesh.
fn assert_holes_are_specks(level: &str, quarters: &Quarters, is_hole: &[bool], n_walkable: usize) {
    let n_holes = is_hole.iter().filter(|hole| **hole).count();
    assert!(
        1000 * n_holes < 15 * n_walkable,
        "{level}: {n_holes} of {n_walkable} walkable quarters are in no areal"
    );
    let mut is_open = is_hole.to_vec();
    for start in 0..is_open.len() {
        let mut size = 0;
        let mut open = vec![start];
        while let Some(quarter) = open.pop() {
            if std::mem::take(&mut is_open[quarter]) {
                size += 1;
                open.extend(quarters.around(quarter));
            }
        }
        assert!(
            size < SMALLEST_ISLAND,
            "{level}: a hole of {size} quarters at {:?}",
            quarters.points(start)[0]
        );
    }
}

/// The areals have the area of the quarters that they hold, so that none reaches beyond those; each states its own.
fn assert_areas_add_up(level: &str, map: &LandMap, outlines: &[Vec<Point>], covered: f64) {
    let total: f64 = outlines.iter().map(|outline| area(outline)).sum();
    assert!(
        (total / covered - 1.0).abs() < 1e-6,
        "{level}: areals of {total} square units over {covered}"
    );
    for (id, (areal, outline)) in map.areals.iter().zip(outlines).enumerate() {
        let reported = f64::from(areal.area_metric);
        assert!(
            (reported / area(outline) - 1.0).abs() < 1e-6,
            "{level}: areal {id} states {reported}"
        );
    }
}
