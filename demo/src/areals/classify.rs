//! Which ground can be walked, and as what.

use std::collections::BTreeMap;

use ironlands_assets_parkan::land_draft::Polygon;

use crate::landscape::Landscape;
use crate::surface::GridPoint;

/// Classes of this demo's areals; the original's are numbers without known names.
const PLAIN: u32 = 1;
const ROAD: u32 = 2;
const SHORE: u32 = 3;
const HILL: u32 = 4;

/// Steepest ground that can be walked, rise over run.
const WALKABLE_SLOPE: f64 = 0.80;

/// Deepest water that can be waded, world units.
const WADING_DEPTH: f64 = 1.5;

/// Fewer triangles than these, on their own, are no place to stand.
const SMALLEST_ISLAND: usize = 8;

/// A quarter of each walkable quad, with its class.
pub fn triangles(land: &Landscape) -> Vec<Polygon> {
    let n = land.plan.n_quads();
    let mut triangles = Vec::new();
    for qx in 0..n {
        for qy in 0..n {
            let [x, y] = [2 * qx as u16, 2 * qy as u16];
            let center = [x + 1, y + 1];
            let corners = [[x, y], [x + 2, y], [x + 2, y + 2], [x, y + 2]];
            for k in 0..4 {
                let points = [corners[k], corners[(k + 1) % 4], center];
                if let Some(class) = class_of(land, [qx, qy], points) {
                    triangles.push(Polygon {
                        points: points.to_vec(),
                        class,
                    });
                }
            }
        }
    }
    for _ in 0..6 {
        adopt_specks(&mut triangles);
    }
    whole_quads(without_small_islands(triangles))
}

/// Joins the four quarters of a quad where they are all there and of one class.
fn whole_quads(triangles: Vec<Polygon>) -> Vec<Polygon> {
    let mut quads: BTreeMap<GridPoint, Vec<Polygon>> = BTreeMap::new();
    for triangle in triangles {
        // The last point of a quarter is the quad's middle.
        quads.entry(triangle.points[2]).or_default().push(triangle);
    }
    let join = |quarters: Vec<Polygon>| {
        let class = quarters[0].class;
        if quarters.len() < 4 || quarters.iter().any(|quarter| quarter.class != class) {
            return quarters;
        }
        let points = quarters.iter().map(|quarter| quarter.points[0]).collect();
        vec![Polygon { points, class }]
    };
    quads.into_values().flat_map(join).collect()
}

fn class_of(land: &Landscape, [qx, qy]: [usize; 2], points: [GridPoint; 3]) -> Option<u32> {
    let plan = &land.plan;
    let to_world = plan.world_size() / (2 * plan.n_quads()) as f64;
    let middle =
        |axis: usize| points.iter().map(|p| f64::from(p[axis])).sum::<f64>() / 3.0 * to_world;
    let (x, y) = (middle(0), middle(1));
    let above = land.heights.sample(x, y) - plan.water_level;
    let slope = land.heights.slope(x, y, plan.quad_size() * 0.4);
    if slope > WALKABLE_SLOPE || above < -WADING_DEPTH {
        return None;
    }
    Some(match () {
        () if land.roads.link(qx, qy).is_some() => ROAD,
        () if above < 3.0 => SHORE,
        () if slope > 0.30 || above > 0.45 * plan.snow_line => HILL,
        () => PLAIN,
    })
}

/// For each triangle those that share an edge with it.
fn neighbors(triangles: &[Polygon]) -> Vec<Vec<usize>> {
    let mut by_edge = BTreeMap::new();
    for (i, triangle) in triangles.iter().enumerate() {
        for edge in triangle.edges() {
            by_edge.insert(edge, i);
        }
    }
    let across = |(p, q)| by_edge.get(&(q, p)).copied();
    triangles
        .iter()
        .map(|triangle| triangle.edges().filter_map(across).collect())
        .collect()
}

/// Gives a triangle that none or only one of its neighbors agrees with the class that most of them have.
fn adopt_specks(triangles: &mut [Polygon]) {
    let neighbors = neighbors(triangles);
    let classes: Vec<u32> = triangles.iter().map(|t| t.class).collect();
    for (i, around) in neighbors.iter().enumerate() {
        let votes = |class: u32| around.iter().filter(|k| classes[**k] == class).count();
        let favorite = [PLAIN, SHORE, HILL]
            .into_iter()
            .max_by_key(|class| votes(*class))
            .unwrap_or(PLAIN);
        if classes[i] != ROAD && votes(favorite) >= 2 {
            triangles[i].class = favorite;
        }
    }
}

fn without_small_islands(triangles: Vec<Polygon>) -> Vec<Polygon> {
    let neighbors = neighbors(&triangles);
    let mut keep = vec![false; triangles.len()];
    let mut seen = vec![false; triangles.len()];
    for start in 0..triangles.len() {
        if seen[start] {
            continue;
        }
        seen[start] = true;
        let mut island = vec![start];
        let mut next = 0;
        while next < island.len() {
            for k in &neighbors[island[next]] {
                if !seen[*k] {
                    seen[*k] = true;
                    island.push(*k);
                }
            }
            next += 1;
        }
        for k in &island {
            keep[*k] = island.len() >= SMALLEST_ISLAND;
        }
    }
    let mut kept = keep.into_iter();
    let mut triangles = triangles;
    triangles.retain(|_| kept.next().unwrap_or(false));
    triangles
}
