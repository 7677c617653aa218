//! glTF 2.0, text or binary, as the draft of a model.
//!
//! +Y up becomes +Z up. A top node that does nothing else than turn the axes falls away; scale, shear and
//! mirroring go into the vertices; one animation is taken, at whole frames. What [`write_glb`](super::write_glb())
//! put into `extras` comes back: states and levels of detail, flags, rows, the order of nodes.

mod meshes;
mod motion;
mod rows;
mod tree;

use std::collections::BTreeMap;
use std::io;

use gltf_json::material::{AlphaMode, Material};
use gltf_json::scene::Node;
use gltf_json::validation::Checked;
use ironlands_assets_parkan::msh::{
    DraftKey, DraftNode, DraftPiece, ModelDraft, N_LODS, N_STATES, NodeFlags,
};
use ironlands_exchange::read_gltf::{Document, Residual, at_most, fetch_nothing, unexpected};
use ironlands_exchange::{Findings, ImportError};

use self::meshes::Meshes;
use self::motion::Motions;
use self::rows::Rows;
use self::tree::{Tree, TreeNode};
use super::import::{ImportedModel, node_name, row_name};

/// Nodes and pieces are numbered by 16 bits.
const MAX_NODES: usize = 65535;

/// How a file is taken.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct ImportOptions {
    /// Frames for a second of animation. `None`: those that the file was written with, else 15.
    pub frames_per_sec: Option<f32>,
}

/// Reads a binary glTF that names no other files, or a `.gltf` with all its data inside.
///
/// # Errors
/// As [`read_gltf`]; a file that it names is refused.
pub fn read_glb(data: &[u8], options: &ImportOptions) -> Result<ImportedModel, ImportError> {
    read_gltf(data, options, &mut fetch_nothing)
}

/// Reads glTF, binary or text; `fetch` gets the files that it names, by their URI as it is written there.
///
/// # Errors
/// A file that breaks a rule of glTF 2.0 that matters to models, what no rigid model can show (a node that turns
/// below a scale that differs by axis), and more nodes, triangles, rows or keys than a model can hold.
pub fn read_gltf(
    data: &[u8],
    options: &ImportOptions,
    fetch: &mut dyn FnMut(&str) -> io::Result<Vec<u8>>,
) -> Result<ImportedModel, ImportError> {
    let mut findings = Findings::default();
    let document = Document::read(data, fetch, &mut findings)?;
    name_what_models_lack(&document, &mut findings);
    let mut motions = Motions::read(&document, options.frames_per_sec, &mut findings)?;
    let tree = Tree::read(&document, &|node| motions.moves(node), &mut findings)?;
    at_most("nodes", tree.nodes.len(), MAX_NODES, "nodes")?;
    motions.name_strays(&tree.nodes, &mut findings);
    let rows = Rows::read(&document, tree.root_extras.as_ref(), &mut findings)?;
    let mut meshes = Meshes {
        document: &document,
        rows,
        n_triangles: 0,
    };
    let mut nodes = Vec::with_capacity(tree.nodes.len());
    for node in &tree.nodes {
        let keys = motions.keys(&document, node, &mut findings)?;
        nodes.push(draft_node(
            &document,
            node,
            keys,
            &mut meshes,
            &mut findings,
        )?);
    }
    hang_pieces(&document, &tree, &mut nodes, &mut meshes, &mut findings)?;
    let lightmaps = tree
        .root_extras
        .into_iter()
        .flat_map(|extras| extras.msh_lightmaps);
    let lightmaps = lightmaps.map(|name| row_name(&name, "extras.msh_lightmaps", &mut findings));
    Ok(ImportedModel {
        draft: ModelDraft {
            nodes,
            ..ModelDraft::default()
        },
        lightmaps: lightmaps.collect(),
        materials: meshes.rows.into_names(),
        findings: findings.into_list(),
    })
}

fn draft_node(
    document: &Document<'_>,
    node: &TreeNode,
    keys: Vec<DraftKey>,
    meshes: &mut Meshes<'_>,
    findings: &mut Findings,
) -> Result<DraftNode, ImportError> {
    let place = format!("nodes[{}]", node.index);
    let found = document.root.nodes.get(node.index);
    let found = found.ok_or_else(|| unexpected(&place, "a node", "none"))?;
    let name = found.name.as_deref().unwrap_or_default();
    let extras = node.extras.as_ref();
    for [state, lod] in extras.into_iter().flat_map(|extras| &extras.msh_empty) {
        let what = format!("state {state} at level of detail {lod} shows nothing; it is left out");
        findings.add(&place, what);
    }
    if found.mesh.is_some() && node.baked.flattens() {
        findings.add(&place, "a scale of 0 makes its mesh flat");
    }
    let batches = match found.mesh {
        None => Vec::new(),
        Some(mesh) => meshes.batches(mesh, &node.baked, findings)?,
    };
    let piece = (!batches.is_empty()).then_some(DraftPiece {
        state: 0,
        lod: 0,
        batches,
    });
    Ok(DraftNode {
        name: match extras.is_some_and(|extras| extras.msh_unnamed) {
            true => Vec::new(),
            false => node_name(name, &place, findings),
        },
        parent: node.parent,
        flags: extras.map_or(NodeFlags::empty(), |extras| {
            NodeFlags::from_bits_retain(extras.msh_flags)
        }),
        keys,
        pieces: piece.into_iter().collect(),
    })
}

/// Other states and levels of detail, which stand on nodes of their own.
fn hang_pieces(
    document: &Document<'_>,
    tree: &Tree,
    nodes: &mut [DraftNode],
    meshes: &mut Meshes<'_>,
    findings: &mut Findings,
) -> Result<(), ImportError> {
    let numbers = tree
        .nodes
        .iter()
        .enumerate()
        .filter_map(|(position, node)| {
            let number = node.extras.as_ref()?.msh_node;
            Some((number, position))
        });
    let by_number: BTreeMap<u32, usize> = numbers.collect();
    for holder in &tree.holders {
        let place = format!("nodes[{}]", holder.index);
        let mesh = document
            .root
            .nodes
            .get(holder.index)
            .and_then(|node: &Node| node.mesh);
        let position = by_number.get(&holder.extras.msh_piece_of).copied();
        let node = position.and_then(|position| nodes.get_mut(position));
        let (Some(mesh), Some(node)) = (mesh, node) else {
            findings.add(
                place,
                "it holds a piece of a node that is not there; it is left out",
            );
            continue;
        };
        let (state, lod) = (holder.extras.msh_state, holder.extras.msh_lod);
        let is_taken = node
            .pieces
            .iter()
            .any(|it| (it.state, it.lod) == (state, lod));
        let is_place = usize::from(state) < N_STATES && usize::from(lod) < N_LODS;
        if is_taken || !is_place {
            let what = format!("there is no place for state {state} at level of detail {lod}");
            findings.add(place, what);
            continue;
        }
        let baked = position.and_then(|position| tree.nodes.get(position));
        let baked = baked.map_or(Residual::IDENTITY, |node| node.baked);
        let batches = meshes.batches(mesh, &baked, findings)?;
        if !batches.is_empty() {
            node.pieces.push(DraftPiece {
                state,
                lod,
                batches,
            });
        }
    }
    Ok(())
}

/// What glTF has and models have not, wherever it stands.
fn name_what_models_lack(document: &Document<'_>, findings: &mut Findings) {
    let root = &document.root;
    if !root.skins.is_empty() {
        findings.add(
            "skins",
            "models are rigid; meshes with a skin stay as they were modeled",
        );
    }
    if !root.cameras.is_empty() {
        findings.add("cameras", "models have none; they are left out");
    }
    if !root.images.is_empty() {
        let what = "textures are left out: a model only names its materials";
        findings.add("images", what);
    }
    for (index, material) in root.materials.iter().enumerate() {
        if has_own_look(material) {
            let what = "colors and transparency are left out: a model only names its materials";
            findings.add(format!("materials[{index}]"), what);
        }
    }
}

/// Whether a material says more than which texture it has and from which sides it is seen.
fn has_own_look(material: &Material) -> bool {
    let Material {
        alpha_mode,
        pbr_metallic_roughness,
        emissive_factor,
        ..
    } = material;
    let is_opaque = matches!(alpha_mode, Checked::Valid(AlphaMode::Opaque));
    let is_white = pbr_metallic_roughness.base_color_factor.0 == [1.0; 4];
    !(is_opaque && is_white && emissive_factor.0 == [0.0; 3])
}
