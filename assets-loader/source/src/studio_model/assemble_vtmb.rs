//! Puts the two files of a model of Vampire: The Masquerade - Bloodlines together.

use ironlands_scene::{Affine, SkinVertex};

use super::assemble::{
    Faces, body_choices, coarser, lod_switches, meshes_of, refuse, refuse_missing_textures,
    same_count,
};
use super::{StudioBone, StudioMesh, StudioModel, placed};
use crate::bsp::{MAX_COORDINATE, is_place};
use crate::studio_file::{Text, text_of};
use crate::vtmb_mdl::{Vertex, VtmbBodyPart, VtmbBone, VtmbMdl, VtmbMesh, VtmbModel};
use crate::vtmb_vtx::{VtmbMesh as Strips, VtmbVtx};
use crate::vtx::{VtxBodyPart, VtxModel};
use ironlands_assets_core::bytes::FormatError;

/// Two files of one model.
pub(super) struct VtmbAssembly<'a> {
    mdl: &'a VtmbMdl,
    vtx: &'a VtmbVtx,
    /// Number of textures of a skin.
    n_references: usize,
    /// Switch points of levels of detail after the first.
    lod_switches: Vec<f32>,
}

impl<'a> VtmbAssembly<'a> {
    pub(super) fn new(mdl: &'a VtmbMdl, vtx: &'a VtmbVtx) -> Result<Self, FormatError> {
        let checksum = mdl.header.checksum;
        if vtx.checksum != checksum {
            let expected = format!("{checksum:#x}, as the mdl has it");
            let found = format!("{:#x}", vtx.checksum);
            return Err(refuse("vtx", "checksum", expected, found));
        }
        Ok(Self {
            mdl,
            vtx,
            n_references: mdl.skins().next().map_or(0, <[u16]>::len),
            lod_switches: lod_switches(&vtx.body_parts),
        })
    }

    pub(super) fn assemble(self) -> Result<StudioModel, FormatError> {
        let mdl = self.mdl;
        self.refuse_wild_header()?;
        let mut meshes = Vec::new();
        let n_parts = mdl.body_parts.len();
        same_count("body parts", n_parts, self.vtx.body_parts.len())?;
        for (body_part, parts) in mdl.body_parts.iter().zip(&self.vtx.body_parts).enumerate() {
            self.add_body_part(body_part, parts, &mut meshes)?;
        }
        let text = |text: &Text| text.text().into_owned();
        let bones = mdl.bones.iter().enumerate();
        let skins = mdl.skins();
        let folders = mdl.texture_folders.iter();
        Ok(StudioModel {
            name: text_of(&mdl.header.name),
            checksum: mdl.header.checksum,
            flags: mdl.header.flags,
            bones: bones.map(studio_bone).collect(),
            meshes,
            lod_switches: self.lod_switches,
            body_parts: mdl
                .body_parts
                .iter()
                .map(|part| {
                    let names = part.models.iter().map(|model| text_of(&model.name));
                    body_choices(&part.name, part.base, names.collect())
                })
                .collect::<Result<_, _>>()?,
            skins: skins
                .map(|skin| skin.iter().copied().map(usize::from).collect())
                .collect(),
            textures: mdl.textures.iter().map(|it| text(&it.name)).collect(),
            // Replacements of version 107 are kept as bytes.
            lod_textures: Vec::new(),
            texture_folders: folders.map(|it| text(&it.path)).collect(),
            hull: mdl.header.hull,
            view_bounds: mdl.header.view_bounds,
            illumination_position: mdl.header.illumination_position,
            surface_property: text(&mdl.surface_property),
            key_values: Vec::new(),
        })
    }

    /// Refuses places outside of any map, and skins of textures that are not there.
    fn refuse_wild_header(&self) -> Result<(), FormatError> {
        let header = &self.mdl.header;
        let [min, max] = header.hull;
        for place in [header.illumination_position, min, max] {
            if !is_place(place) {
                let expected = format!("coordinates up to {MAX_COORDINATE}");
                return Err(refuse("mdl", "hull", expected, format!("{place:?}")));
            }
        }
        refuse_missing_textures(&self.mdl.skin_references, self.mdl.textures.len())
    }

    fn add_body_part(
        &self,
        body_part: usize,
        (mdl, vtx): (&VtmbBodyPart, &VtxBodyPart<Strips>),
        meshes: &mut Vec<StudioMesh>,
    ) -> Result<(), FormatError> {
        same_count("models", mdl.models.len(), vtx.models.len())?;
        for (model, models) in mdl.models.iter().zip(&vtx.models).enumerate() {
            for mesh in self.meshes_of_model(models)? {
                meshes.push(StudioMesh {
                    body_part,
                    model,
                    ..mesh
                });
            }
        }
        Ok(())
    }

    fn meshes_of_model(
        &self,
        (mdl, vtx): (&VtmbModel, &VtxModel<Strips>),
    ) -> Result<Vec<StudioMesh>, FormatError> {
        let finest = meshes_of(vtx, 0);
        same_count("meshes", mdl.meshes.len(), finest.len())?;
        // Each vertex has one mesh at most.
        let mut n_left = mdl.vertices.len();
        let mut meshes = Vec::new();
        for (number, (mesh, strips)) in mdl.meshes.iter().zip(finest).enumerate() {
            let mut mesh = self.mesh(mdl, mesh, &mut n_left)?;
            mesh.indices = triangles_of(strips, &mesh)?;
            let n_levels = self.lod_switches.len();
            mesh.coarser = coarser(vtx, (number, n_levels), |it| triangles_of(it, &mesh))?;
            meshes.push(mesh);
        }
        Ok(meshes)
    }

    /// A mesh without its triangles.
    fn mesh(
        &self,
        model: &VtmbModel,
        mesh: &VtmbMesh,
        n_left: &mut usize,
    ) -> Result<StudioMesh, FormatError> {
        let material = usize::try_from(mesh.material).ok();
        let Some(material) = material.filter(|material| *material < self.n_references) else {
            let expected = format!("a skin reference below {}", self.n_references);
            return Err(refuse("mdl", "mesh material", expected, mesh.material));
        };
        let range = usize::try_from(mesh.first_vertex).ok().and_then(|first| {
            let n_vertices = usize::try_from(mesh.n_vertices).ok()?;
            *n_left = n_left.checked_sub(n_vertices)?;
            let end = first.checked_add(n_vertices)?;
            (end <= model.vertices.len()).then_some(first..end)
        });
        let Some(range) = range else {
            let expected = format!(
                "some of {} vertices, each in one mesh",
                model.vertices.len()
            );
            let found = format!("{} from {}", mesh.n_vertices, mesh.first_vertex);
            return Err(refuse("mdl", "mesh vertices", expected, found));
        };
        let mut made = StudioMesh {
            material,
            ..StudioMesh::default()
        };
        for vertex in range.filter_map(|index| model.vertex(index)) {
            refuse_wild_vertex(&vertex)?;
            made.positions.push(vertex.position);
            made.normals.push(vertex.normal);
            made.uvs.push(vertex.uv);
            made.skin.push(skin_vertex(&vertex, self.mdl.bones.len()));
        }
        Ok(made)
    }
}

/// Refuses a vertex that no scene can hold.
fn refuse_wild_vertex(vertex: &Vertex) -> Result<(), FormatError> {
    if !is_place(vertex.position) {
        let expected = format!("coordinates up to {MAX_COORDINATE}");
        let found = format!("{:?}", vertex.position);
        return Err(refuse("mdl", "vertex position", expected, found));
    }
    let mut others = vertex.normal.iter().chain(&vertex.uv);
    match others.find(|number| !number.is_finite()) {
        None => Ok(()),
        Some(number) => {
            let field = "vertex normal or u, v";
            Err(refuse("mdl", field, "finite numbers", number))
        }
    }
}

fn studio_bone((index, bone): (usize, &VtmbBone)) -> StudioBone {
    let rest = bone.at_rest();
    let parent = usize::try_from(bone.parent).ok();
    StudioBone {
        name: bone.name.text().into_owned(),
        // One that stands before its parent is reported by the check.
        parent: parent.filter(|parent| *parent < index),
        parent_from_bone: placed(rest.rotation, rest.position),
        bone_from_model: Affine(bone.bone_from_model),
    }
}

/// The bones that carry a vertex. Weights are 1 together; a vertex without any hangs on the first bone.
fn skin_vertex(vertex: &Vertex, n_bones: usize) -> SkinVertex {
    let known = |(bone, weight): (i16, f32)| {
        let bone = u16::try_from(bone).ok()?;
        (usize::from(bone) < n_bones && weight > 0.0).then_some((bone, weight))
    };
    let named = vertex.bones.into_iter().filter_map(known);
    let sum: f32 = named.clone().map(|(_, weight)| weight).sum();
    if !sum.is_normal() {
        return SkinVertex::rigid(0);
    }
    let mut carried = SkinVertex::default();
    let slots = carried.joints.iter_mut().zip(&mut carried.weights);
    for ((joint, share), (bone, weight)) in slots.zip(named) {
        *joint = bone;
        *share = weight / sum;
    }
    carried
}

/// The triangles of a mesh at a level of detail.
fn triangles_of(strips: &Strips, mesh: &StudioMesh) -> Result<Vec<u32>, FormatError> {
    let mut triangles = Vec::new();
    for group in &strips.strip_groups {
        let strips = group.strips.iter();
        let strips = strips.map(|it| (it.flags, it.n_indices.into(), it.first_index.into()));
        let faces = Faces {
            vertices: group.vertices.mesh_vertices(),
            indices: &group.indices,
            strips: strips.collect(),
        };
        faces.add_to(mesh.positions.len(), &mut triangles)?;
    }
    Ok(triangles)
}
