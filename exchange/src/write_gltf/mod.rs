//! What every glTF file that is written is made of: a document that grows beside its binary chunk.
//!
//! Files have +Y up: one node at the top turns, and everything below it keeps +Z up, so that vertices come back bit
//! for bit.

mod buffer;
mod material;
mod tracks;

use gltf_json::scene::{Node, Scene, UnitQuaternion};
use gltf_json::{Index, Root};

pub use self::buffer::BinaryChunk;
pub use self::material::{Pictures, material_of};
pub use self::tracks::Tracks;
use crate::container;
use crate::error::ExportError;
use crate::findings::{ExchangeFinding, Findings};
use crate::pose::Y_UP_FROM_Z_UP;

/// A file of binary glTF, and what it does not hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Glb {
    /// The file.
    pub bytes: Vec<u8>,
    /// What was left out.
    pub findings: Vec<ExchangeFinding>,
}

impl Glb {
    /// Puts the file together.
    ///
    /// # Errors
    /// Numbers that JSON has not, and a file beyond 4 GiB.
    pub fn write(
        mut root: Root,
        bin: BinaryChunk,
        findings: Findings,
    ) -> Result<Self, ExportError> {
        let bin = bin.finish(&mut root);
        Ok(Self {
            bytes: container::write(root.to_vec()?, bin)?,
            findings: findings.into_list(),
        })
    }
}

/// A document with nothing but who wrote it.
pub fn new_root() -> Root {
    let mut root = Root::default();
    root.asset.generator = Some("ironlands".to_owned());
    root
}

/// The node at the top, which turns +Z up to +Y up.
pub fn turning_node(name: &str) -> Node {
    Node {
        name: Some(name.to_owned()),
        rotation: Some(UnitQuaternion(Y_UP_FROM_Z_UP)),
        ..Node::default()
    }
}

/// A scene of one node and what hangs on it.
pub fn push_scene(root: &mut Root, name: &str, top: Index<Node>) -> Index<Scene> {
    root.push(Scene {
        name: Some(name.to_owned()),
        nodes: vec![top],
        extensions: None,
        extras: None,
    })
}
