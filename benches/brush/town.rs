//! A town of brushes as a compiler would make it: houses on a floor, some with slanted roofs, under a tree that cuts
//! along their walls.

use glam::Vec3;
use ironlands::worlds::source::formats::bsp::{
    Brush, BrushSide, Contents, Leaf, Map, Model, Node, Plane,
};
use ironlands_query_bench::random::Random;

/// Houses along x and y, and how far apart.
const N_HOUSES: i32 = 40;
const APART: f32 = 100.0;
/// Most brushes of a leaf.
const LEAF_SIZE: usize = 4;

/// A brush as the box around it.
type Bounds = [Vec3; 2];

pub fn map() -> Map {
    let mut map = Map::default();
    let mut boxes: Vec<Bounds> = Vec::new();
    let mut random = Random(2);
    let far = N_HOUSES as f32 * APART * 0.5;
    let floor = [Vec3::new(-far, -far, -16.0), Vec3::new(far, far, 0.0)];
    boxes.push(add(&mut map, floor, None));
    for i in 0..N_HOUSES * N_HOUSES {
        let corner = Vec3::new((i % N_HOUSES) as f32, (i / N_HOUSES) as f32, 0.0) * APART - far;
        let low = corner.with_z(0.0)
            + random
                .vector(Vec3::ZERO, Vec3::new(20.0, 20.0, 0.0))
                .round();
        let size = random
            .vector(Vec3::new(20.0, 20.0, 60.0), Vec3::new(60.0, 60.0, 300.0))
            .round();
        let walls = [low, low + size];
        boxes.push(add(&mut map, walls, None));
        let roof = [low + Vec3::Z * size.z, low + size + Vec3::Z * 30.0];
        boxes.push(add(
            &mut map,
            roof,
            Some(Vec3::new(-30.0, 0.0, size.x).normalize()),
        ));
    }
    map.leaves.push(Leaf::default()); // the dummy that no node leads to
    let all: Vec<_> = (0..boxes.len() as u32).collect();
    let head_node = tree(&mut map, &boxes, &all, 24);
    map.models.push(Model {
        head_node,
        ..Model::default()
    });
    map
}

/// A box, or what of it is below a slope through its lower left edge; returns the box.
fn add(map: &mut Map, [low, high]: Bounds, slope: Option<Vec3>) -> Bounds {
    let first_side = map.brush_sides.len() as i32;
    let axial = [0, 1, 2].into_iter().flat_map(|axis| {
        let normal = Vec3::AXES[axis];
        [(normal, high[axis]), (-normal, -low[axis])]
    });
    // The top of a roof and its low wall only touch it: they are there for boxes.
    let is_bevel = |normal: Vec3| slope.is_some() && (normal == Vec3::Z || normal == Vec3::NEG_X);
    let axial: Vec<_> = axial
        .map(|(normal, dist)| (normal, dist, is_bevel(normal)))
        .collect();
    let slope = slope.map(|normal| (normal, normal.dot(low), false));
    for (normal, dist, is_bevel) in axial.into_iter().chain(slope) {
        map.brush_sides.push(BrushSide {
            plane: map.planes.len() as u32,
            texinfo: -1,
            bevel: is_bevel.into(),
            ..BrushSide::default()
        });
        map.planes.push(Plane {
            normal: normal.to_array(),
            dist,
            kind: 0,
        });
    }
    map.brushes.push(Brush {
        first_side,
        n_sides: map.brush_sides.len() as i32 - first_side,
        contents: Contents::SOLID.bits(),
    });
    [low, high]
}

/// A node, or a leaf where no cut leaves fewer brushes on both sides.
fn tree(map: &mut Map, boxes: &[Bounds], brushes: &[u32], depth: usize) -> i32 {
    let cut = best_cut(boxes, brushes).filter(|_| brushes.len() > LEAF_SIZE && depth > 0);
    let Some(Cut {
        axis,
        at,
        front,
        back,
    }) = cut
    else {
        map.leaves.push(Leaf {
            first_leaf_brush: map.leaf_brushes.len() as u32,
            n_leaf_brushes: brushes.len() as u32,
            ..Leaf::default()
        });
        map.leaf_brushes.extend(brushes);
        return -(map.leaves.len() as i32);
    };
    let node = map.nodes.len();
    map.nodes.push(Node {
        plane: map.planes.len() as i32,
        ..Node::default()
    });
    map.planes.push(Plane {
        normal: Vec3::AXES[axis].to_array(),
        dist: at,
        kind: axis as i32,
    });
    let children = [front, back].map(|part| tree(map, boxes, &part, depth - 1));
    map.nodes[node].children = children;
    node as i32
}

/// A plane across an axis, and what is in front of and behind it.
struct Cut {
    axis: usize,
    at: f32,
    front: Vec<u32>,
    back: Vec<u32>,
}

/// Of the cuts along the low wall of the brush in the middle of each axis, that with the fewest brushes on the side
/// that has more.
fn best_cut(boxes: &[Bounds], brushes: &[u32]) -> Option<Cut> {
    let cuts = [0, 1, 2].into_iter().filter_map(|axis| {
        let low = |brush: &u32| boxes[*brush as usize][0][axis];
        let high = |brush: &u32| boxes[*brush as usize][1][axis];
        let mut sorted = brushes.to_vec();
        sorted.sort_by(|a, b| low(a).total_cmp(&low(b)));
        let at = low(sorted.get(brushes.len() / 2)?);
        let side =
            |is_there: &dyn Fn(&u32) -> bool| brushes.iter().copied().filter(is_there).collect();
        Some(Cut {
            axis,
            at,
            front: side(&|brush| high(brush) >= at),
            back: side(&|brush| low(brush) <= at),
        })
    });
    let most = |cut: &Cut| cut.front.len().max(cut.back.len());
    cuts.min_by_key(most)
        .filter(|cut| most(cut) < brushes.len())
}
