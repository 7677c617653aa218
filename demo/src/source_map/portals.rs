//! The openings between leaves, and which leaves the entities can reach through them.

use super::brushes::flags;
use super::planes::PlaneTable;
use super::polygon::Polygon;
use super::tree::Tree;
use crate::vector::{Vec3, bounds};

/// An opening between two leaves.
#[derive(Debug, Clone)]
pub struct Portal {
    /// Number of its plane, an even one.
    pub plane: u32,
    /// The leaves in front and behind.
    pub leaves: [usize; 2],
    /// Its shape, seen from the front.
    pub polygon: Polygon,
}

/// The level has a hole.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{entity} at ({:.0} {:.0} {:.0}) leaks into the void at ({:.0} {:.0} {:.0})",
    origin[0], origin[1], origin[2], hole[0], hole[1], hole[2])]
pub struct Leak {
    /// Class of the entity that reaches the void.
    pub entity: String,
    /// Where it stands.
    pub origin: Vec3,
    /// The middle of the last opening on the way.
    pub hole: Vec3,
}

/// All openings between leaves of a tree, solid ones too.
pub fn portals(tree: &Tree, planes: &PlaneTable) -> Vec<Portal> {
    let mut portals = Vec::new();
    for node in &tree.nodes {
        let mut fronts = Vec::new();
        let to_front = |_: u32| 0;
        let section = node.section.clone();
        tree.spread(node.children[0], section, planes, &to_front, &mut fronts);
        for (front, polygon) in fronts {
            let mut backs = Vec::new();
            tree.spread(node.children[1], polygon, planes, &to_front, &mut backs);
            portals.extend(backs.into_iter().map(|(back, polygon)| Portal {
                plane: node.plane,
                leaves: [front, back],
                polygon,
            }));
        }
    }
    portals
}

/// The leaves that entities reach through open leaves, each marked with the number of its space, from 1 on; 0 = not
/// reached, or solid. `entities` are class and place.
pub fn reached(
    tree: &Tree,
    planes: &PlaneTable,
    portals: &[Portal],
    entities: &[(String, Vec3)],
) -> Result<Vec<u32>, Leak> {
    let neighbors = neighbors(tree.leaves.len(), portals);
    let world = tree.leaves.iter().map(|leaf| leaf.cell.bounds());
    let world = bounds(world.flatten());
    let mut spaces = vec![0; tree.leaves.len()];
    let mut n_spaces = 0;
    for (entity, origin) in entities {
        let start = tree.leaf_at(*origin, planes);
        if is_solid(tree, start) || spaces[start] != 0 {
            continue;
        }
        n_spaces += 1;
        spaces[start] = n_spaces;
        let mut open = vec![(start, *origin)];
        while let Some((leaf, entered_at)) = open.pop() {
            let [low, high] = tree.leaves[leaf].cell.bounds();
            if (0..3).any(|k| low[k] < world[0][k] + 1.0 || high[k] > world[1][k] - 1.0) {
                return Err(Leak {
                    entity: entity.clone(),
                    origin: *origin,
                    hole: entered_at,
                });
            }
            for (portal, next) in &neighbors[leaf] {
                if spaces[*next] == 0 && !is_solid(tree, *next) {
                    spaces[*next] = n_spaces;
                    open.push((*next, portals[*portal].polygon.middle()));
                }
            }
        }
    }
    Ok(spaces)
}

fn is_solid(tree: &Tree, leaf: usize) -> bool {
    tree.leaves[leaf].contents & flags::SOLID != 0
}

/// For each leaf, portals and the leaves beyond.
fn neighbors(n_leaves: usize, portals: &[Portal]) -> Vec<Vec<(usize, usize)>> {
    let mut neighbors = vec![Vec::new(); n_leaves];
    for (at, portal) in portals.iter().enumerate() {
        let [front, back] = portal.leaves;
        neighbors[front].push((at, back));
        neighbors[back].push((at, front));
    }
    neighbors
}
