//! Which nodes a file shows: those of one scene, each with one parent at most.

use gltf_json::scene::{Node, Scene};
use gltf_json::{Index, Root};

use super::document::{Document, unexpected};
use crate::error::ImportError;
use crate::findings::Findings;

/// The nodes at the top of what is taken of a file.
#[derive(Debug, Clone, PartialEq)]
pub struct Tops {
    /// The scene that they belong to; `None` in a file without scenes.
    pub scene: Option<Index<Scene>>,
    /// In its order.
    pub nodes: Vec<Index<Node>>,
}

/// The nodes of the default scene, else of the first; without scenes, all that have no parent, which is a finding.
///
/// # Errors
/// The default scene does not exist.
pub fn taken_tops(document: &Document<'_>, findings: &mut Findings) -> Result<Tops, ImportError> {
    let root = &document.root;
    let first = (!root.scenes.is_empty()).then(|| Index::new(0));
    let scene = root.scene.or(first);
    let nodes = match scene {
        Some(scene) => document.get(scene, "scene")?.nodes.clone(),
        None => {
            let what = "there is none; all nodes without a parent are taken";
            findings.add("scenes", what);
            nodes_without_parents(root)
        }
    };
    Ok(Tops { scene, nodes })
}

/// A node has one parent at most, and a node of a scene none; so what hangs below a scene is a tree.
///
/// # Errors
/// It is none.
pub fn check_parents(root: &Root) -> Result<(), ImportError> {
    let mut has_parent = vec![false; root.nodes.len()];
    for (index, node) in root.nodes.iter().enumerate() {
        for child in node.children.iter().flatten() {
            let place = format!("nodes[{index}].children");
            match has_parent.get_mut(child.value()) {
                Some(known) if !*known => *known = true,
                Some(_) => return Err(unexpected(&place, "a child of no other node", child)),
                None => return Err(unexpected(&place, "the index of a node", child)),
            }
        }
    }
    let mut last_scene = vec![None; root.nodes.len()];
    for (index, scene) in root.scenes.iter().enumerate() {
        for top in &scene.nodes {
            let place = format!("scenes[{index}].nodes");
            let is_top = has_parent.get(top.value()).is_some_and(|known| !*known);
            let before = last_scene.get_mut(top.value()).map(|it| it.replace(index));
            if !is_top || before == Some(Some(index)) {
                return Err(unexpected(&place, "nodes without parents, each once", top));
            }
        }
    }
    Ok(())
}

fn nodes_without_parents(root: &Root) -> Vec<Index<Node>> {
    let mut is_child = vec![false; root.nodes.len()];
    for child in root
        .nodes
        .iter()
        .flat_map(|node| node.children.iter().flatten())
    {
        if let Some(known) = is_child.get_mut(child.value()) {
            *known = true;
        }
    }
    let tops = (0u32..).zip(is_child).filter(|(_, is_child)| !is_child);
    tops.map(|(index, _)| Index::new(index)).collect()
}
