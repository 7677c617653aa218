//! Nodes and scenes.

use std::collections::BTreeMap;

use gltf_json::scene::Node;
use gltf_json::{Index, Root};
use ironlands_assets_parkan::msh::{Msh, NodeTable};
use ironlands_exchange::write_gltf::{BinaryChunk, push_scene, turning_node};
use ironlands_exchange::{ExportError, from_extras, to_extras};

use super::super::extras::{NodeExtras, PieceExtras, RootExtras};
use super::super::geometry::{Piece, pieces};
use super::super::motions::{Motion, rest_poses};
use super::super::source::ModelSource;
use super::meshes::Meshes;

/// Where the nodes of the model begin, after the one that turns.
pub(super) const FIRST_NODE: usize = 1;

/// Adds all nodes and scenes, and the meshes that they show.
pub(super) fn add(
    source: &ModelSource<'_>,
    motions: &[Motion],
    meshes: &mut Meshes<'_>,
    root: &mut Root,
    bin: &mut BinaryChunk,
) -> Result<(), ExportError> {
    let (msh_materials, msh_lightmaps) = source.wear_names();
    let extras = RootExtras {
        msh_root: true,
        msh_materials,
        msh_lightmaps,
    };
    let top = root.push(Node {
        extras: to_extras(&extras)?,
        ..turning_node(source.name)
    });
    let children = match &source.msh.nodes {
        NodeTable::Nodes(_) => add_nodes(source.msh, motions, root)?,
        NodeTable::Stride24(_) => {
            let mesh = meshes.of_all_batches(root, bin)?;
            vec![root.push(Node {
                name: Some("all batches".to_owned()),
                mesh,
                ..Node::default()
            })]
        }
    };
    root.nodes[top.value()].children = (!children.is_empty()).then_some(children);
    root.scene = Some(push_scene(root, source.name, top));
    add_pieces(source.msh, motions, meshes, root, bin)
}

/// The nodes of the model, without what they show; returns the roots.
fn add_nodes(
    msh: &Msh,
    motions: &[Motion],
    root: &mut Root,
) -> Result<Vec<Index<Node>>, ExportError> {
    let mut roots = Vec::new();
    for (node_idx, (node, motion)) in msh.nodes.as_slice().iter().zip(motions).enumerate() {
        let extras = NodeExtras {
            msh_node: node_idx as u32,
            msh_flags: node.flags.bits(),
            msh_unnamed: msh.node_name(node_idx).is_none(),
            msh_empty: Vec::new(),
        };
        let written = root.push(Node {
            name: Some(node_name(msh, node_idx)),
            extras: to_extras(&extras)?,
            ..motion.rest().to_node()
        });
        match node.parent().filter(|parent| *parent < node_idx) {
            None => roots.push(written),
            Some(parent) => (root.nodes[FIRST_NODE + parent].children)
                .get_or_insert_default()
                .push(written),
        }
    }
    Ok(roots)
}

/// Hangs pieces on the nodes of the model, and on nodes of scenes of their own.
fn add_pieces(
    msh: &Msh,
    motions: &[Motion],
    meshes: &mut Meshes<'_>,
    root: &mut Root,
    bin: &mut BinaryChunk,
) -> Result<(), ExportError> {
    let world_from_nodes = rest_poses(msh, motions);
    let mut others: BTreeMap<(u8, u8), Vec<Index<Node>>> = BTreeMap::new();
    let mut empty: BTreeMap<usize, Vec<[u8; 2]>> = BTreeMap::new();
    for piece in pieces(msh) {
        let Piece {
            node,
            state,
            lod,
            slot,
        } = piece;
        let name = format!("{} state {state} lod {lod}", node_name(msh, node));
        let Some(mesh) = meshes.of_slot(slot, &name, root, bin)? else {
            empty.entry(node).or_default().push([state, lod]);
            continue;
        };
        if (state, lod) == (0, 0) {
            root.nodes[FIRST_NODE + node].mesh = Some(mesh);
            continue;
        }
        let extras = PieceExtras {
            msh_piece_of: node as u32,
            msh_state: state,
            msh_lod: lod,
        };
        let holder = root.push(Node {
            name: Some(name),
            mesh: Some(mesh),
            extras: to_extras(&extras)?,
            ..world_from_nodes[node].to_node()
        });
        others.entry((state, lod)).or_default().push(holder);
    }
    for ((state, lod), holders) in others {
        let name = format!("state {state} lod {lod}");
        let top = root.push(Node {
            children: Some(holders),
            ..turning_node(&name)
        });
        push_scene(root, &name, top);
    }
    for (node, msh_empty) in empty {
        let written = &mut root.nodes[FIRST_NODE + node];
        let mut extras: NodeExtras = from_extras(&written.extras).expect("it was written above");
        extras.msh_empty = msh_empty;
        written.extras = to_extras(&extras)?;
    }
    Ok(())
}

/// The name of a node; `node_K` where it has none.
fn node_name(msh: &Msh, node: usize) -> String {
    let name = msh.node_name(node);
    name.map_or_else(|| format!("node_{node}"), |name| name.into_owned())
}
