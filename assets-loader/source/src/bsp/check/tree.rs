//! Nodes, leaves, and what hangs on them (dossier sections 0.4 and 6).

use super::Findings;
use crate::bsp::flags::SurfaceFlags;
use crate::bsp::map::{Face, Map};

pub(super) fn check(map: &Map, findings: &mut Findings) {
    let nodes = map.nodes.iter().enumerate();
    let odd = nodes.filter(|(_, node)| node.plane & 1 != 0);
    findings.expect(
        "nodes have the first plane of a pair",
        odd.map(|(i, node)| format!("node {i}, plane {}", node.plane)),
    );
    check_reach(map, findings);
    check_faces(map, findings);
    let leaves = || map.leaves.iter().enumerate();
    let is_below = |index: i64, limit: usize| usize::try_from(index).is_ok_and(|i| i < limit);
    let lost = leaves().filter(|(_, leaf)| {
        let is_known = leaf.water == -1 || is_below(leaf.water.into(), map.leaf_water.len());
        !is_known
    });
    findings.expect(
        "the water of a leaf is there",
        lost.map(|(i, leaf)| format!("leaf {i}, water {}", leaf.water)),
    );
    if let Some(visibility) = &map.visibility {
        let n_clusters = visibility.row_offsets.len();
        let lost = leaves()
            .filter(|(_, leaf)| leaf.cluster != -1 && !is_below(leaf.cluster.into(), n_clusters));
        findings.expect(
            "the cluster of a leaf is there",
            lost.map(|(i, leaf)| format!("leaf {i}, cluster {}", leaf.cluster)),
        );
    }
    let lost = leaves().filter(|(_, leaf)| !is_below(leaf.area.into(), map.areas.len()));
    findings.expect(
        "the area of a leaf is there",
        lost.map(|(i, leaf)| format!("leaf {i}, area {}", leaf.area)),
    );
}

/// Every node is reached from some model, and every leaf but the first once.
fn check_reach(map: &Map, findings: &mut Findings) {
    let mut n_node_visits = vec![0_u32; map.nodes.len()];
    let mut n_leaf_visits = vec![0_u32; map.leaves.len()];
    let mut waiting: Vec<i32> = map.models.iter().map(|model| model.head_node).collect();
    while let Some(child) = waiting.pop() {
        let Ok(index) = usize::try_from(child) else {
            let leaf = usize::try_from(!child).unwrap_or(0);
            if let Some(n_visits) = n_leaf_visits.get_mut(leaf) {
                *n_visits = n_visits.saturating_add(1);
            }
            continue;
        };
        let (Some(node), Some(n_visits)) = (map.nodes.get(index), n_node_visits.get_mut(index))
        else {
            continue;
        };
        *n_visits = n_visits.saturating_add(1);
        if *n_visits == 1 {
            waiting.extend(node.children);
        }
    }
    let wrong = n_node_visits.iter().enumerate().filter(|(_, n)| **n != 1);
    findings.expect(
        "the trees of all models hold every node once",
        wrong.map(|(i, n)| format!("node {i}, {n} times")),
    );
    let leaves = n_leaf_visits.iter().enumerate();
    let wrong = leaves.filter(|(i, n)| **n != u32::from(*i != 0));
    findings.expect(
        "the trees of all models hold every leaf but leaf 0 once",
        wrong.map(|(i, n)| format!("leaf {i}, {n} times")),
    );
}

/// Faces hang on their node if they lie on one, and in every leaf that they touch.
fn check_faces(map: &Map, findings: &mut Findings) {
    let mut is_on_node = vec![false; map.faces.len()];
    for node in &map.nodes {
        let first = node.first_face as usize;
        let end = first.saturating_add(node.n_faces as usize);
        if let Some(faces) = is_on_node.get_mut(first..end) {
            faces.fill(true);
        }
    }
    let faces = map.faces.iter().zip(&is_on_node).enumerate();
    let wrong = faces.filter(|(_, (face, is_on_node))| (face.on_node != 0) != **is_on_node);
    findings.expect(
        "nodes hold the faces that lie on a node",
        wrong.map(|(i, _)| format!("face {i}")),
    );
    let mut is_in_leaf = vec![false; map.faces.len()];
    for face in &map.leaf_faces {
        if let Some(is_in_leaf) = is_in_leaf.get_mut(*face as usize) {
            *is_in_leaf = true;
        }
    }
    let world = map.models.first().map(|world| {
        let first = usize::try_from(world.first_face).unwrap_or(0);
        first..first.saturating_add(usize::try_from(world.n_faces).unwrap_or(0))
    });
    let world = world.unwrap_or_default();
    let faces = map.faces.iter().zip(&is_in_leaf).enumerate();
    let wrong = faces.filter(|(i, (face, is_in_leaf))| {
        world.contains(i) && **is_in_leaf == (face.disp_info >= 0)
    });
    let is_water = |face: &Face| {
        let texinfo = usize::try_from(face.texinfo).ok();
        let texinfo = texinfo.and_then(|texinfo| map.texinfos.get(texinfo));
        let flags = texinfo.map_or(0, |texinfo| texinfo.flags);
        SurfaceFlags::from_bits_retain(flags).contains(SurfaceFlags::WARP)
    };
    let (water, others): (Vec<_>, Vec<_>) = wrong.partition(|(_, (face, _))| is_water(face));
    let names = |faces: Vec<(usize, _)>| faces.into_iter().map(|(i, _)| format!("face {i}"));
    findings.expect(
        "faces of the world that have no displacement are in some leaf",
        names(others),
    );
    findings.note("faces of water are in some leaf", names(water));
}
