//! The world: all faces of the first model. Dossier sections 5.8 and 14.

use ironlands_scene::{MaterialIdx, Mesh};

use super::FORMAT;
use super::cells::Cells;
use super::faces::{Faces, transformed};
use super::mesh_builder::{MeshBuilder, Patch};
use super::surfaces::Surfaces;
use super::water_light::WaterLight;
use crate::bsp::{DisplacementGrid, Face, Map, Model};
use crate::level::SourceLevel;
use crate::lightmap::{Atlas, LightBlock};
use crate::materials::{Materials, Tint};
use crate::vmt::Transform;
use ironlands_assets_core::bytes::{Finding, Severity};

/// Faces of a map with all that is needed to draw them.
#[derive(Debug)]
pub struct World<'a> {
    map: &'a Map,
    all_faces: &'a [Face],
    cells: &'a Cells<'a>,
    faces: Faces<'a>,
    surfaces: Surfaces<'a>,
    /// By displacement; `None` for one that is broken.
    grids: Vec<Option<DisplacementGrid>>,
}

impl<'a> World<'a> {
    /// Hands the pages of the atlas to the materials, and builds the displacements.
    pub fn new(
        level: &'a SourceLevel,
        atlas: &'a Atlas,
        blocks: &'a [Option<LightBlock>],
        water_light: &'a WaterLight,
        cells: &'a Cells<'a>,
        materials: &mut Materials<'_>,
        findings: &mut Vec<Finding>,
    ) -> Self {
        let map = &level.map;
        let all_faces = map.faces_of(level.face_set);
        let first_page = materials.add_textures(atlas.pages.iter().cloned());
        Self {
            map,
            all_faces,
            cells,
            faces: Faces::new(map, all_faces, atlas),
            surfaces: Surfaces::new(map, atlas, blocks, water_light, first_page),
            grids: grids(map, findings),
        }
    }

    /// The faces of the first model, in clusters by the cells that they lie in.
    pub fn mesh(&self, materials: &mut Materials<'_>, findings: &mut Vec<Finding>) -> Mesh {
        let mut builder = MeshBuilder::new("world");
        if let Some(world) = self.map.models.first() {
            for (index, face) in self.faces_of(world) {
                self.draw(
                    index,
                    face,
                    Tint::default(),
                    materials,
                    |patch, material| {
                        let cells = self.cells_of(index, patch);
                        builder.add(patch, material, &cells);
                    },
                );
            }
        }
        builder.finish(findings)
    }

    /// The faces of a brush model, relative to the entity that shows it.
    pub fn model_mesh(
        &self,
        model: usize,
        tint: Tint,
        materials: &mut Materials<'_>,
        findings: &mut Vec<Finding>,
    ) -> Mesh {
        let mut builder = MeshBuilder::new(format!("*{model}"));
        if let Some(model) = self.map.models.get(model) {
            for (index, face) in self.faces_of(model) {
                self.draw(index, face, tint, materials, |patch, material| {
                    builder.add(patch, material, &[]);
                });
            }
        }
        builder.finish_model(findings)
    }

    /// The faces of a model with their indices.
    pub fn faces_of(&self, model: &Model) -> impl Iterator<Item = (usize, &'a Face)> + use<'a> {
        let first = usize::try_from(model.first_face).unwrap_or(usize::MAX);
        let n_faces = usize::try_from(model.n_faces).unwrap_or_default();
        let faces = self.all_faces.iter().enumerate();
        faces.skip(first).take(n_faces)
    }

    /// A face by its index.
    pub fn face(&self, index: usize) -> Option<&'a Face> {
        self.all_faces.get(index)
    }

    /// Corners of all faces of a brush model.
    pub fn n_corners_of(&self, model: usize) -> usize {
        let faces = self.map.models.get(model).map(|model| self.faces_of(model));
        faces
            .into_iter()
            .flatten()
            .map(|(_, face)| self.n_corners(face))
            .sum()
    }

    /// Corners of a face, or of the grid of its displacement.
    pub fn n_corners(&self, face: &Face) -> usize {
        let displacement = usize::try_from(face.disp_info).ok();
        let grid = displacement.and_then(|displacement| self.grids.get(displacement)?.as_ref());
        match grid {
            Some(grid) => grid.positions.len(),
            None => usize::try_from(face.n_edges).unwrap_or_default(),
        }
    }

    /// Cells of the leaves that list a face.
    pub fn n_cells_of(&self, face: usize) -> usize {
        self.cells.of_face(face).len()
    }

    /// The material of a picture that lies on a face: lit as the face is.
    pub fn overlay_material(
        &self,
        index: usize,
        face: &Face,
        texinfo: i32,
        materials: &mut Materials<'_>,
    ) -> Option<MaterialIdx> {
        self.surfaces.of_overlay(index, face, texinfo, materials)
    }

    /// The same for a picture of a material that no texinfo names.
    pub fn decal_material(
        &self,
        index: usize,
        face: &Face,
        name: &str,
        materials: &mut Materials<'_>,
    ) -> Option<MaterialIdx> {
        self.surfaces.of_decal(index, face, name, materials)
    }

    /// What a face looks like, whatever it is drawn with; `None` if it is nothing that could be drawn.
    pub fn patch(&self, index: usize, face: &Face, transform: Transform) -> Option<Patch> {
        let laying = self.faces.laying(face.texinfo, transform)?;
        Some(match usize::try_from(face.disp_info) {
            Ok(displacement) => {
                let grid = self.grids.get(displacement)?.as_ref()?;
                self.faces.displaced(index, face, grid, &laying)
            }
            Err(_) => self.faces.flat(index, face, &laying),
        })
    }

    /// Gives the patches of a face, each with its material: the surface, and the detail texture over it.
    fn draw(
        &self,
        index: usize,
        face: &Face,
        tint: Tint,
        materials: &mut Materials<'_>,
        mut take: impl FnMut(&Patch, MaterialIdx),
    ) {
        let Some(material) = self.surfaces.of_face(index, face, tint, materials) else {
            return;
        };
        let name = self.map.texture_name(face.texinfo).unwrap_or_default();
        let transform = materials.transform(&name);
        let Some(mut patch) = self.patch(index, face, transform) else {
            return;
        };
        take(&patch, material);
        if let Some((material, detail)) = materials.detail(&name) {
            for vertex in &mut patch.vertices {
                vertex.uv = transformed(detail, vertex.uv);
                vertex.color = [0.0; 4];
            }
            take(&patch, material);
        }
    }

    /// Cells of a face. Displacements are in no list of a leaf, and neither is what a broken map forgot.
    pub fn cells_of(&self, face: usize, patch: &Patch) -> Vec<u32> {
        match (self.cells.of_face(face), patch.bounds()) {
            ([], Some(bounds)) => self.cells.of_box(&bounds),
            (cells, _) => cells.to_vec(),
        }
    }
}

/// All grids; if one is broken, those that are not, without smooth seams.
fn grids(map: &Map, findings: &mut Vec<Finding>) -> Vec<Option<DisplacementGrid>> {
    if let Ok(grids) = DisplacementGrid::all(map) {
        return grids.into_iter().map(Some).collect();
    }
    let mut grid = |index| match DisplacementGrid::new(map, index) {
        Ok(grid) => Some(grid),
        Err(error) => {
            let message = format!("displacement {index} is left out: {error}");
            findings.push(Finding::new(Severity::Error, FORMAT, message));
            None
        }
    };
    (0..map.disp_infos.len()).map(&mut grid).collect()
}
