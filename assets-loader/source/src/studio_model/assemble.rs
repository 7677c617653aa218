//! Puts the three files of a model together. Dossier section 10.5.

use std::collections::BTreeMap;

use ironlands_scene::{Affine, SkinVertex};

use super::{BodyChoices, StudioBone, StudioMesh, StudioModel, placed};
use crate::mdl::motion::BonePose;
use crate::mdl::{Bone, Mdl, MdlBodyPart, MdlMesh, MdlModel, MeshEye, eyes};
use crate::studio_file::{Text, text_of};
use crate::vtx::{Vtx, VtxBodyPart, VtxMesh, VtxModel, VtxReplacement, VtxReplacements};
use crate::vvd::{Vvd, VvdVertex};
use ironlands_assets_core::bytes::{FormatError, Reader};

/// Flags of a strip: how its indices make triangles.
const TRIANGLE_LIST: u8 = 1;
const TRIANGLE_STRIP: u8 = 2;

/// Levels of detail that a model has at most.
const MAX_LODS: usize = 8;

/// Three files of one model.
pub(super) struct Assembly<'a> {
    mdl: &'a Mdl,
    vvd: &'a Vvd,
    vtx: &'a Vtx,
    /// The vertices of the finest level of detail, as numbers of all.
    vertices: Vec<usize>,
    /// Vertices that no mesh has claimed yet: each has one mesh at most.
    n_vertices_left: usize,
    /// Switch points of levels of detail after the first, up to the one for shadows.
    lod_switches: Vec<f32>,
}

impl<'a> Assembly<'a> {
    pub(super) fn new(mdl: &'a Mdl, vvd: &'a Vvd, vtx: &'a Vtx) -> Result<Self, FormatError> {
        let checksum = mdl.header.checksum;
        for (format, offset, found) in [("vvd", 8, vvd.checksum), ("vtx", 16, vtx.checksum)] {
            if found != checksum {
                let expected = format!("{checksum:#x}, as the mdl has it");
                let r = Reader::nested(format, &[], offset);
                return Err(r.unexpected("checksum", expected, format!("{found:#x}")));
            }
        }
        let vertices = vvd.vertices_of_lod(0);
        Ok(Self {
            mdl,
            vvd,
            vtx,
            n_vertices_left: vertices.len(),
            vertices,
            lod_switches: lod_switches(&vtx.body_parts),
        })
    }

    pub(super) fn assemble(mut self) -> Result<StudioModel, FormatError> {
        let (mdl, vtx) = (self.mdl, self.vtx);
        mdl.header.refuse_wild_places()?;
        refuse_missing_textures(&mdl.skin_references, mdl.textures.len())?;
        let mut meshes = Vec::new();
        // Eyes that lead nowhere are a finding of the check.
        let eyes = eyes(mdl).unwrap_or_default();
        same_count("body parts", mdl.body_parts.len(), vtx.body_parts.len())?;
        for (index, parts) in mdl.body_parts.iter().zip(&vtx.body_parts).enumerate() {
            self.add_body_part(index, parts, &eyes, &mut meshes)?;
        }
        let texts = |texts: &mut dyn Iterator<Item = &Text>| {
            texts.map(|text| text.text().into_owned()).collect()
        };
        Ok(StudioModel {
            name: text_of(&mdl.header.name),
            checksum: mdl.header.checksum,
            flags: mdl.header.flags,
            bones: (mdl.bones.iter().enumerate())
                .map(|(index, bone)| studio_bone(index, bone))
                .collect(),
            meshes,
            lod_switches: self.lod_switches,
            body_parts: mdl
                .body_parts
                .iter()
                .map(choices)
                .collect::<Result<_, _>>()?,
            skins: mdl
                .skins()
                .map(|skin| skin.iter().copied().map(usize::from).collect())
                .collect(),
            textures: texts(&mut mdl.textures.iter().map(|texture| &texture.name)),
            lod_textures: vtx.replacements.iter().map(lod_textures).collect(),
            texture_folders: texts(&mut mdl.texture_folders.iter().map(|folder| &folder.path)),
            hull: mdl.header.hull,
            view_bounds: mdl.header.view_bounds,
            illumination_position: mdl.header.illumination_position,
            surface_property: mdl.surface_property.text().into_owned(),
            key_values: mdl.key_values().to_vec(),
        })
    }

    fn add_body_part(
        &mut self,
        body_part: usize,
        (mdl, vtx): (&MdlBodyPart, &VtxBodyPart),
        eyes: &[MeshEye],
        meshes: &mut Vec<StudioMesh>,
    ) -> Result<(), FormatError> {
        same_count("models", mdl.models.len(), vtx.models.len())?;
        for (model, models) in mdl.models.iter().zip(&vtx.models).enumerate() {
            for (number, mesh) in self.meshes_of_model(models)?.into_iter().enumerate() {
                // Eyes are in the order of meshes.
                let eye = eyes.binary_search_by_key(&[body_part, model, number], |it| it.mesh);
                let eye = eye.ok().and_then(|eye| eyes.get(eye));
                meshes.push(StudioMesh {
                    body_part,
                    model,
                    iris_uvs: eye.map_or_else(Vec::new, |eye| self.iris_uvs(eye, &mesh)),
                    ..mesh
                });
            }
        }
        Ok(())
    }

    /// How the iris of an eye is laid.
    fn iris_uvs(&self, MeshEye { eyeball, .. }: &MeshEye, mesh: &StudioMesh) -> Vec<[f32; 2]> {
        let bone = self.mdl.bones.get(eyeball.bone);
        let bone_from_model = bone.map_or(Affine::IDENTITY, |it| Affine(it.bone_from_model));
        let places = mesh.positions.iter();
        let uvs = places.map(|it| eyeball.iris_uv(bone_from_model.transform_point(*it)));
        uvs.collect()
    }

    fn meshes_of_model(
        &mut self,
        (mdl, vtx): (&MdlModel, &VtxModel),
    ) -> Result<Vec<StudioMesh>, FormatError> {
        let finest = meshes_of(vtx, 0);
        same_count("meshes", mdl.meshes.len(), finest.len())?;
        let first_vertex = usize::try_from(mdl.vertex_offset).ok();
        let first_vertex = first_vertex.filter(|offset| offset.is_multiple_of(VvdVertex::SIZE));
        let Some(first_vertex) = first_vertex.and_then(|o| o.checked_div(VvdVertex::SIZE)) else {
            let expected = "a multiple of 48";
            return Err(refuse("mdl", "model vertices", expected, mdl.vertex_offset));
        };
        let mut meshes = Vec::new();
        for (number, pair) in mdl.meshes.iter().zip(finest).enumerate() {
            let mut mesh = self.mesh(first_vertex, pair)?;
            let n_levels = self.lod_switches.len();
            mesh.coarser = coarser(vtx, (number, n_levels), |it| triangles_of(it, &mesh))?;
            meshes.push(mesh);
        }
        Ok(meshes)
    }

    fn mesh(
        &mut self,
        first_of_model: usize,
        (mdl, vtx): (&MdlMesh, &VtxMesh),
    ) -> Result<StudioMesh, FormatError> {
        let n_references = self.mdl.skins().next().map_or(0, <[u16]>::len);
        let material = usize::try_from(mdl.material).ok();
        let Some(material) = material.filter(|material| *material < n_references) else {
            let expected = format!("a skin reference below {n_references}");
            return Err(refuse("mdl", "mesh material", expected, mdl.material));
        };
        let mut vertices: Vec<&VvdVertex> = Vec::new();
        for index in self.claim_vertices(first_of_model, mdl)? {
            let Some(vertex) = self.vvd.vertices.get(index) else {
                continue;
            };
            self.vvd.refuse_wild_vertex(index, vertex)?;
            vertices.push(vertex);
        }
        let mut mesh = StudioMesh {
            material,
            positions: vertices.iter().map(|vertex| vertex.position).collect(),
            normals: vertices.iter().map(|vertex| vertex.normal).collect(),
            uvs: vertices.iter().map(|vertex| vertex.uv).collect(),
            skin: vertices
                .iter()
                .map(|vertex| skin_vertex(vertex, self.mdl.bones.len()))
                .collect(),
            ..StudioMesh::default()
        };
        mesh.indices = triangles_of(vtx, &mesh)?;
        for group in &vtx.strip_groups {
            let vertices = group.vertices.iter();
            mesh.color_vertices
                .extend(vertices.map(|it| u32::from(it.mesh_vertex)));
        }
        Ok(mesh)
    }

    /// The numbers of the vertices of a mesh, which no other mesh may have.
    fn claim_vertices(
        &mut self,
        first_of_model: usize,
        mesh: &MdlMesh,
    ) -> Result<Vec<usize>, FormatError> {
        let range = usize::try_from(mesh.first_vertex).ok().and_then(|first| {
            let first = first_of_model.checked_add(first)?;
            let n_vertices = usize::try_from(mesh.n_vertices).ok()?;
            self.n_vertices_left = self.n_vertices_left.checked_sub(n_vertices)?;
            Some(first..first.checked_add(n_vertices)?)
        });
        let vertices = range.and_then(|range| self.vertices.get(range));
        vertices.map(<[usize]>::to_vec).ok_or_else(|| {
            let expected = format!("some of {} vertices, each in one mesh", self.vertices.len());
            let found = format!("{} from {}", mesh.n_vertices, mesh.first_vertex);
            refuse("mdl", "mesh vertices", expected, found)
        })
    }
}

/// What a level of detail has in place of textures; one that is named twice has the first name.
fn lod_textures(replacements: &VtxReplacements) -> BTreeMap<usize, String> {
    let mut names = BTreeMap::new();
    for VtxReplacement { texture, name } in &replacements.textures {
        if let Ok(texture) = usize::try_from(*texture) {
            let name = || name.text().into_owned();
            names.entry(texture).or_insert_with(name);
        }
    }
    names
}

fn studio_bone(index: usize, bone: &Bone) -> StudioBone {
    let pose = BonePose::at_rest(bone);
    let parent = usize::try_from(bone.parent).ok();
    StudioBone {
        name: bone.name.text().into_owned(),
        // One that stands before its parent is reported by the check.
        parent: parent.filter(|parent| *parent < index),
        parent_from_bone: placed(pose.rotation.normalize(), pose.position),
        bone_from_model: Affine(bone.bone_from_model),
    }
}

/// The bones that carry a vertex. Weights are 1 together; a vertex without any hangs on the first bone.
fn skin_vertex(vertex: &VvdVertex, n_bones: usize) -> SkinVertex {
    let mut carried = SkinVertex::default();
    let named = vertex.weights.iter().zip(vertex.bones);
    let named = named.take(vertex.n_bones.into());
    let named = named.filter(|(weight, bone)| **weight > 0.0 && usize::from(*bone) < n_bones);
    let sum: f32 = named.clone().map(|(weight, _)| weight).sum();
    if !sum.is_normal() {
        return SkinVertex::rigid(0);
    }
    let slots = carried.joints.iter_mut().zip(&mut carried.weights);
    for ((joint, share), (weight, bone)) in slots.zip(named) {
        *joint = bone.into();
        *share = weight / sum;
    }
    carried
}

/// Switch points of levels of detail after the first, up to the one for shadows: the farthest that a model has of each.
pub(super) fn lod_switches<M>(body_parts: &[VtxBodyPart<M>]) -> Vec<f32> {
    let models = || body_parts.iter().flat_map(|part| part.models.iter());
    let n_lods = models().map(|model| model.lods.len()).max().unwrap_or(0);
    let switch = |lod: usize| {
        let lods = models().filter_map(|model| model.lods.get(lod));
        lods.map(|lod| lod.switch_point).fold(0.0, f32::max)
    };
    (1..n_lods.min(MAX_LODS))
        .map(switch)
        .take_while(|point| point.is_finite() && *point > 0.0)
        .collect()
}

/// The meshes of a level of detail.
pub(super) fn meshes_of<M>(vtx: &VtxModel<M>, lod: usize) -> &[M] {
    vtx.lods.get(lod).map_or(&[], |lod| &lod.meshes[..])
}

/// The triangles of a mesh at each coarser level of detail. A model that has fewer levels than others keeps its last one.
pub(super) fn coarser<M>(
    vtx: &VtxModel<M>,
    (number, n_levels): (usize, usize),
    triangles_of: impl Fn(&M) -> Result<Vec<u32>, FormatError>,
) -> Result<Vec<Vec<u32>>, FormatError> {
    let last = vtx.lods.len().saturating_sub(1);
    let levels = (1..=n_levels).map(|lod| meshes_of(vtx, lod.min(last)).get(number));
    levels
        .map(|mesh| mesh.map_or_else(|| Ok(Vec::new()), &triangles_of))
        .collect()
}

/// Refuses skins of textures that are not there.
pub(super) fn refuse_missing_textures(
    skin_references: &[u16],
    n_textures: usize,
) -> Result<(), FormatError> {
    let mut textures = skin_references.iter();
    match textures.find(|texture| usize::from(**texture) >= n_textures) {
        None => Ok(()),
        Some(texture) => {
            let expected = format!("less than {n_textures}");
            Err(refuse("mdl", "skins", expected, texture))
        }
    }
}

/// The triangles of a mesh at a level of detail.
fn triangles_of(vtx: &VtxMesh, mesh: &StudioMesh) -> Result<Vec<u32>, FormatError> {
    let mut triangles = Vec::new();
    for group in &vtx.strip_groups {
        let vertices = group.vertices.iter().map(|it| it.mesh_vertex).collect();
        let strips = group.strips.iter();
        let strips = strips.map(|strip| (strip.flags, strip.n_indices, strip.first_index));
        let group = Faces {
            vertices,
            indices: &group.indices,
            strips: strips.collect(),
        };
        group.add_to(mesh.positions.len(), &mut triangles)?;
    }
    Ok(triangles)
}

/// The faces of a strip group, of whatever version.
pub(super) struct Faces<'a> {
    /// For each vertex of the group its number in the mesh.
    pub(super) vertices: Vec<u16>,
    /// Numbers of vertices of the group.
    pub(super) indices: &'a [u16],
    /// Flags, number of indices and first index of each strip.
    pub(super) strips: Vec<(u8, i32, i32)>,
}

impl Faces<'_> {
    /// Adds the triangles to those of a mesh with this many vertices.
    pub(super) fn add_to(
        &self,
        n_vertices: usize,
        triangles: &mut Vec<u32>,
    ) -> Result<(), FormatError> {
        let mut vertices = self.vertices.iter();
        if let Some(vertex) = vertices.find(|vertex| usize::from(**vertex) >= n_vertices) {
            let expected = format!("a vertex of the mesh below {n_vertices}");
            return Err(refuse("vtx", "strip group vertex", expected, vertex));
        }
        let mut n_left = self.indices.len();
        for (flags, n_indices, first_index) in &self.strips {
            let indices = range(*first_index, *n_indices).and_then(|range| {
                n_left = n_left.checked_sub(range.len())?;
                self.indices.get(range)
            });
            let Some(indices) = indices else {
                let expected = format!("some of {} indices, each in one strip", self.indices.len());
                let found = format!("{n_indices} from {first_index}");
                return Err(refuse("vtx", "strip indices", expected, found));
            };
            add_strip(*flags, indices, &self.vertices, triangles)?;
        }
        Ok(())
    }
}

fn range(first: i32, n: i32) -> Option<std::ops::Range<usize>> {
    let start = usize::try_from(first).ok()?;
    Some(start..start.checked_add(usize::try_from(n).ok()?)?)
}

fn add_strip(
    flags: u8,
    indices: &[u16],
    group: &[u16],
    triangles: &mut Vec<u32>,
) -> Result<(), FormatError> {
    let vertices = indices.iter().map(|index| {
        let vertex = group.get(usize::from(*index));
        vertex.copied().map(u32::from).ok_or_else(|| {
            let expected = format!("a vertex of the group below {}", group.len());
            refuse("vtx", "strip group index", expected, index)
        })
    });
    let vertices = vertices.collect::<Result<Vec<_>, _>>()?;
    match flags & (TRIANGLE_LIST | TRIANGLE_STRIP) {
        TRIANGLE_LIST if vertices.len().is_multiple_of(3) => {
            for triangle in vertices.as_chunks().0 {
                push_turned(*triangle, triangles);
            }
        }
        TRIANGLE_STRIP => {
            for (index, triangle) in vertices.array_windows().enumerate() {
                let [a, b, c] = *triangle;
                // Every other triangle of a strip runs the other way round.
                match index.is_multiple_of(2) {
                    true => push_turned([a, b, c], triangles),
                    false => push_turned([b, a, c], triangles),
                }
            }
        }
        _ => {
            let found = format!("{} indices with flags {flags:#x}", vertices.len());
            return Err(refuse(
                "vtx",
                "strip flags",
                "a triangle list or strip",
                found,
            ));
        }
    }
    Ok(())
}

/// Appends a triangle that was clockwise, unless it has no area.
fn push_turned([a, b, c]: [u32; 3], indices: &mut Vec<u32>) {
    indices.extend([a, c, b]);
}

fn choices(part: &MdlBodyPart) -> Result<BodyChoices, FormatError> {
    let names = part.models.iter().map(|model| text_of(&model.name));
    body_choices(&part.name, part.base, names.collect())
}

pub(super) fn body_choices(
    name: &Text,
    base: i32,
    names: Vec<String>,
) -> Result<BodyChoices, FormatError> {
    let Some(base) = u32::try_from(base).ok().filter(|base| *base > 0) else {
        return Err(refuse("mdl", "body part base", "1 or more", base));
    };
    Ok(BodyChoices {
        name: name.text().into_owned(),
        base,
        names,
    })
}

pub(super) fn same_count(field: &'static str, mdl: usize, vtx: usize) -> Result<(), FormatError> {
    match mdl == vtx {
        true => Ok(()),
        false => Err(refuse(
            "vtx",
            field,
            format!("{mdl}, as the mdl has them"),
            vtx,
        )),
    }
}

/// An error of files that do not fit together, without a single wrong byte.
pub(super) fn refuse(
    format: &'static str,
    field: &'static str,
    expected: impl Into<std::borrow::Cow<'static, str>>,
    found: impl ToString,
) -> FormatError {
    Reader::new(format, &[]).unexpected(field, expected, found)
}
