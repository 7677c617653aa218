//! A figure of Evil Islands as binary glTF 2.0.
//!
//! A root turns +Z up to +Y up; below it each part is a node at its rest position, with its mesh. The mesh is the
//! first extreme state; the other seven are morph targets, whose weights are those of the complection, so that a
//! viewer shows the figure as the game would. Frames in which vertices move are further morph targets. Animations
//! turn the nodes: what files turn about the axes of the model is turned about those of the parent here.
//!
//! Pictures keep the row order of textures, so that texture coordinates stay as they are. What glTF has no place for
//! stands in `extras`.

mod animation;
mod meshes;

use gltf_json::scene::Node;
use gltf_json::{Index, Root};
use ironlands_assets_evil_islands::figure::{Figure, FigurePart};
use ironlands_assets_evil_islands::res::UNNAMED;
use ironlands_exchange::write_gltf::{BinaryChunk, Glb, new_root, push_scene, turning_node};
use ironlands_exchange::{ExportError, Findings, finite, to_extras};
use ironlands_scene::Texture;

use self::meshes::Meshes;
use super::extras::{FigureExtras, PartExtras};

/// Where the nodes of parts begin, after the one that turns.
const FIRST_PART: usize = 1;

/// A figure with what it wears.
#[derive(Debug, Clone, Copy)]
pub struct FigureSource<'a> {
    /// The figure.
    pub figure: &'a Figure,
    /// Its first texture; without one it is white.
    pub primary: Option<&'a Texture>,
    /// The texture of slot 2, for parts that name it; without one they get the first.
    pub secondary: Option<&'a Texture>,
    /// Dexterity, strength, height of the state that is shown; usually within 0..1.
    pub complection: [f32; 3],
}

/// Writes a figure with all its states, textures and animations as one file.
///
/// # Errors
/// Numbers that are not finite, indices that lead nowhere, a texture that cannot be encoded, a file beyond 4 GiB.
pub fn write_figure_glb(source: &FigureSource<'_>) -> Result<Glb, ExportError> {
    let figure = source.figure;
    finite(source.complection, || "the complection".to_owned())?;
    let mut root = new_root();
    let mut bin = BinaryChunk::default();
    let mut findings = Findings::default();
    let mut meshes = Meshes::new(source);
    add_nodes(source, &mut root, &mut findings)?;
    let mut morphs = Vec::with_capacity(figure.parts.len());
    for (index, part) in figure.parts.iter().enumerate() {
        let written = match &part.fig {
            Some(fig) => meshes.add(index, fig, &mut root, &mut bin, &mut findings)?,
            None => None,
        };
        if let Some(written) = &written {
            root.nodes[FIRST_PART + index].mesh = Some(written.mesh);
        }
        morphs.push(written.map(|it| it.morphs).unwrap_or_default());
    }
    animation::add(source, &morphs, &mut root, &mut bin, &mut findings)?;
    if figure.adb.is_some() {
        findings.add("adb", "the table of animations is left out");
    }
    Glb::write(root, bin, findings)
}

/// The scene, the node that turns, and those of parts, without meshes.
fn add_nodes(
    source: &FigureSource<'_>,
    root: &mut Root,
    findings: &mut Findings,
) -> Result<(), ExportError> {
    let figure = source.figure;
    let extras = FigureExtras {
        ei_figure: figure.name.clone(),
        ei_complection: source.complection,
    };
    let top = root.push(Node {
        extras: to_extras(&extras)?,
        ..turning_node(&figure.name)
    });
    for (index, part) in figure.parts.iter().enumerate() {
        if part.name.is_empty() {
            findings.add(
                &figure.name,
                format!("a part without a name is called {UNNAMED}"),
            );
        }
        let node = root.push(part_node(part, source.complection)?);
        let parent = part.parent.map(|parent| parent as usize);
        let parent = match parent {
            None => top.value(),
            Some(parent) if parent < index => FIRST_PART + parent,
            Some(index) => {
                return Err(ExportError::Missing {
                    what: "parent",
                    index,
                    len: figure.parts.len(),
                });
            }
        };
        root.nodes[parent]
            .children
            .get_or_insert_default()
            .push(node);
    }
    root.scene = Some(push_scene(root, &figure.name, top));
    Ok(())
}

fn part_node(part: &FigurePart, complection: [f32; 3]) -> Result<Node, ExportError> {
    let offsets = part.bon.as_ref().map_or(&[][..], |bon| &bon.offsets);
    for offset in offsets {
        finite(*offset, || format!("the rest position of {}", part.name))?;
    }
    let offset = part.bon.as_ref().map(|bon| bon.offset(complection));
    Ok(Node {
        name: Some(match part.name.is_empty() {
            // Importers want a name.
            true => UNNAMED.to_owned(),
            false => part.name.clone(),
        }),
        translation: offset.filter(|offset| *offset != [0.0; 3]),
        extras: to_extras(&PartExtras {
            ei_offsets: offsets.to_vec(),
        })?,
        ..Node::default()
    })
}

/// The node of a part.
fn node_of(part: usize) -> Index<Node> {
    // As many as records in a file of less than 4 GiB.
    Index::new((FIRST_PART + part) as u32)
}
