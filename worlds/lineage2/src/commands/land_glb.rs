//! Regions as binary glTF, for `ironlands export`.

use gltf_json::mesh::{Mesh, Mode, Primitive, Semantic};
use gltf_json::scene::Node;
use gltf_json::validation::Checked;
use gltf_json::{Index, Root};
use ironlands_assets_lineage2::Tolerance;
use ironlands_assets_lineage2::level::GeodataLevel;
use ironlands_assets_lineage2::level_mesh::{LandMesh, color_coordinates, height_colors};
use ironlands_exchange::picture::PictureAlpha;
use ironlands_exchange::write_gltf::{
    BinaryChunk, Glb, Pictures, material_of, new_root, push_scene, turning_node,
};
use ironlands_exchange::{ExportError, Findings};
use ironlands_scene::{Pass, TextureIdx};
use ironlands_world_kind::console::interrupt::{check_interrupt, watch_for_interrupt};
use ironlands_world_kind::console::progress;

use super::broken::BrokenRegions;
use crate::{LeftOut, Lineage2Error};

/// Most bytes of the vertices and triangles of all regions together.
pub(super) const MAX_BYTES: usize = 1 << 30;
/// Bytes of a position and of texture coordinates.
const VERTEX_BYTES: usize = 12 + 8;
const INDEX_BYTES: usize = 4;

/// The land of all regions that can be read, with a bar.
///
/// # Errors
/// If it would be too large, regions are broken that may not be left out, and
/// [`CommandError::Stopped`](ironlands_world_kind::CommandError::Stopped) on Ctrl-C.
pub fn land_glb(level: &GeodataLevel, broken_regions: BrokenRegions) -> Result<Glb, Lineage2Error> {
    watch_for_interrupt();
    let n_regions = level.files.len();
    let bar = progress::bar(n_regions);
    let mut writer = LandWriter::new()?;
    let mut left_out = Vec::new();
    for file in &level.files {
        check_interrupt()?;
        match file.open(Tolerance::STRICT) {
            Ok(region) => writer.add(&LandMesh::from_region(region.region())),
            Err(error) => left_out.push(LeftOut {
                id: file.name.id,
                error,
            }),
        }
        if writer.n_bytes > MAX_BYTES {
            return Err(Lineage2Error::LandTooLarge { n_regions });
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    broken_regions.log(left_out, n_regions)?;
    Ok(writer.finish(&level.name)?)
}

/// How land looks, with the texture of colors by height.
pub(super) fn land_pass() -> Pass {
    Pass {
        texture: Some(TextureIdx(0)),
        ..Pass::default()
    }
}

/// A file while it grows: a mesh and a node for each region, and one material.
pub(super) struct LandWriter {
    root: Root,
    bin: BinaryChunk,
    material: Index<gltf_json::Material>,
    nodes: Vec<Index<Node>>,
    pub(super) n_bytes: usize,
}

impl LandWriter {
    pub(super) fn new() -> Result<Self, ExportError> {
        let (mut root, mut bin) = (new_root(), BinaryChunk::default());
        let colors = height_colors();
        let alpha = PictureAlpha::Stored;
        let texture = Pictures::default().texture(0, &colors, alpha, &mut root, &mut bin)?;
        let material = material_of("land".to_owned(), &land_pass(), Some(texture))?;
        Ok(Self {
            material: root.push(material),
            root,
            bin,
            nodes: Vec::new(),
            n_bytes: 0,
        })
    }

    /// Without normals: glTF has faces flat then (section 3.7.2.1).
    pub(super) fn add(&mut self, land: &LandMesh) {
        let (root, bin) = (&mut self.root, &mut self.bin);
        let n_bytes = land.positions.len() * VERTEX_BYTES + land.indices.len() * INDEX_BYTES;
        self.n_bytes = self.n_bytes.saturating_add(n_bytes);
        let colors: Vec<_> = (land.positions.iter())
            .map(|[_, _, height]| color_coordinates(*height))
            .collect();
        let attributes = [
            (
                Checked::Valid(Semantic::Positions),
                bin.positions(root, &land.positions),
            ),
            (
                Checked::Valid(Semantic::TexCoords(0)),
                bin.vec2(root, &colors),
            ),
        ];
        let primitive = Primitive {
            attributes: attributes.into(),
            indices: Some(bin.indices(root, &land.indices)),
            material: Some(self.material),
            mode: Checked::Valid(Mode::Triangles),
            targets: None,
            extensions: None,
            extras: None,
        };
        let mesh = root.push(Mesh {
            name: Some(land.name.clone()),
            primitives: vec![primitive],
            weights: None,
            extensions: None,
            extras: None,
        });
        self.nodes.push(root.push(Node {
            name: Some(land.name.clone()),
            mesh: Some(mesh),
            ..Node::default()
        }));
    }

    pub(super) fn finish(mut self, name: &str) -> Result<Glb, ExportError> {
        let mut top = turning_node(name);
        top.children = (!self.nodes.is_empty()).then_some(self.nodes);
        let top = self.root.push(top);
        self.root.scene = Some(push_scene(&mut self.root, name, top));
        let mut findings = Findings::default();
        let message = "open sides and the lower heights of flat blocks are not in the file";
        findings.add("geodata", message);
        Glb::write(self.root, self.bin, findings)
    }
}
