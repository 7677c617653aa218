//! Meshes of parts, with extreme states and moving vertices as morph targets.

use std::collections::{BTreeMap, HashMap};

use gltf_json::accessor::Accessor;
use gltf_json::material::Material;
use gltf_json::mesh::{Mesh, Mode, MorphTarget, Primitive, Semantic};
use gltf_json::validation::Checked;
use gltf_json::{Index, Root};
use ironlands_assets_evil_islands::anm::Anm;
use ironlands_assets_evil_islands::complection::{N_STATES, STATE_NAMES, weights};
use ironlands_assets_evil_islands::fig::{BoundsConvention, Component, Fig};
use ironlands_exchange::picture::PictureAlpha;
use ironlands_exchange::write_gltf::{BinaryChunk, Pictures, material_of};
use ironlands_exchange::{ExportError, Findings, finite, to_extras};
use ironlands_scene::{Blend, Pass};

use super::super::extras::{MeshExtras, frame_name, state_attribute};
use super::FigureSource;

/// Parts of this texture number have the texture of slot 2 of an object.
const SECONDARY: u32 = 2;
/// Render groups that are opaque, and the one that is blended (dossier section 9.4.8).
const OPAQUE_GROUPS: [u32; 2] = [19, 22];
const BLENDED_GROUP: u32 = 25;
/// Alpha below this is a hole in all other groups.
const ALPHA_TEST: f32 = 0.5;
/// glTF requires normals of unit length; those within this distance are left as they are.
const NEAR_UNIT: f32 = 5e-3;
/// Moved vertices of all frames together; enough for the largest model at every frame of all its animations.
const MAX_MOVED: usize = 1 << 23;

/// The materials and pictures that are in the file already.
pub(super) struct Meshes<'a> {
    source: &'a FigureSource<'a>,
    materials: HashMap<(u32, u32), Index<Material>>,
    pictures: Pictures,
    n_moved: usize,
}

/// A mesh, and where the frames of animations begin among its morph targets.
pub(super) struct Written {
    pub(super) mesh: Index<Mesh>,
    pub(super) morphs: Morphs,
}

/// The morph targets of a part.
#[derive(Default)]
pub(super) struct Morphs {
    /// Weights at rest; as many as morph targets.
    pub(super) weights: Vec<f32>,
    /// The first target of each animation that has frames there, by its index.
    pub(super) first_of_animation: BTreeMap<usize, usize>,
}

/// The morph targets while they gather.
#[derive(Default)]
struct Targets {
    names: Vec<String>,
    targets: Vec<MorphTarget>,
    morphs: Morphs,
}

impl<'a> Meshes<'a> {
    pub(super) fn new(source: &'a FigureSource<'a>) -> Self {
        Self {
            source,
            materials: HashMap::new(),
            pictures: Pictures::default(),
            n_moved: 0,
        }
    }

    /// The mesh of a part; `None` for one without triangles, which glTF does not have.
    pub(super) fn add(
        &mut self,
        part: usize,
        fig: &Fig,
        root: &mut Root,
        bin: &mut BinaryChunk,
        findings: &mut Findings,
    ) -> Result<Option<Written>, ExportError> {
        let figure = self.source.figure;
        let name = &figure.parts[part].name;
        if fig.indices.is_empty() {
            findings.add(name, "a mesh without triangles is left out");
            return Ok(None);
        }
        check_indices(fig)?;
        let mut attributes = BTreeMap::new();
        let mut add = |semantic, accessor| attributes.insert(Checked::Valid(semantic), accessor);
        let base = positions(fig, 0, name)?;
        add(Semantic::Positions, bin.positions(root, &base));
        add(Semantic::Normals, normals(fig, name, root, bin, findings)?);
        add(Semantic::TexCoords(0), texcoords(fig, name, root, bin)?);
        let mut targets = Targets::default();
        if fig.states.len() >= N_STATES {
            let rest = weights(self.source.complection);
            for state in 1..N_STATES {
                let shown = positions(fig, state, name)?;
                let deltas: Vec<_> = base
                    .iter()
                    .zip(&shown)
                    .map(|(a, b)| apart(*a, *b))
                    .collect();
                let is_exact = |((a, d), b): ((&[f32; 3], &[f32; 3]), &[f32; 3])| {
                    (0..3).all(|axis| (a[axis] + d[axis]).to_bits() == b[axis].to_bits())
                };
                if !base.iter().zip(&deltas).zip(&shown).all(is_exact) {
                    add(
                        Semantic::Extras(state_attribute(state)),
                        bin.vec3(root, &shown),
                    );
                }
                targets.push(
                    STATE_NAMES[state].to_owned(),
                    rest[state],
                    &deltas,
                    root,
                    bin,
                );
            }
        }
        self.add_frames(part, fig, &mut targets, root, bin, findings)?;
        let indices: Vec<u32> = fig.indices.iter().map(|index| (*index).into()).collect();
        let Targets {
            names,
            targets,
            morphs,
        } = targets;
        let primitive = Primitive {
            attributes,
            indices: Some(bin.indices(root, &indices)),
            material: Some(self.material(fig, root, bin)?),
            mode: Checked::Valid(Mode::Triangles),
            targets: (!targets.is_empty()).then_some(targets),
            extensions: None,
            extras: None,
        };
        let extras = MeshExtras {
            target_names: names,
            ei_states: fig.states.len() as u32,
            ei_group: fig.group,
            ei_texture: fig.texture,
            ei_bounds_from_origin: fig.bounds_convention() == Some(BoundsConvention::FromOrigin),
        };
        let mesh = root.push(Mesh {
            name: Some(name.clone()),
            primitives: vec![primitive],
            weights: (!morphs.weights.is_empty()).then(|| morphs.weights.clone()),
            extensions: None,
            extras: to_extras(&extras)?,
        });
        Ok(Some(Written { mesh, morphs }))
    }

    /// Frames in which vertices move, animation after animation.
    fn add_frames(
        &mut self,
        part: usize,
        fig: &Fig,
        targets: &mut Targets,
        root: &mut Root,
        bin: &mut BinaryChunk,
        findings: &mut Findings,
    ) -> Result<(), ExportError> {
        for (index, animation) in self.source.figure.animations.iter().enumerate() {
            let Some(anm) = animation.parts.get(part).and_then(Option::as_ref) else {
                continue;
            };
            if anm.morphs.is_empty() {
                continue;
            }
            let n_frames = anm.n_morph_frames as usize;
            let n_moved = n_frames.saturating_mul(fig.components.len());
            if self.n_moved.saturating_add(n_moved) > MAX_MOVED {
                let what = "its vertices move in more frames than a file has room for; they stay";
                findings.add(&animation.name, what);
                continue;
            }
            self.n_moved += n_moved;
            let first = targets.names.len();
            targets.morphs.first_of_animation.insert(index, first);
            for frame in 0..n_frames {
                let moved = moved_vertices(fig, anm, frame);
                for offset in &moved {
                    finite(*offset, || format!("an offset of {}", animation.name))?;
                }
                targets.push(frame_name(&animation.name, frame), 0.0, &moved, root, bin);
            }
        }
        Ok(())
    }

    /// One material for each render group and texture.
    fn material(
        &mut self,
        fig: &Fig,
        root: &mut Root,
        bin: &mut BinaryChunk,
    ) -> Result<Index<Material>, ExportError> {
        let is_second = fig.texture == SECONDARY && self.source.secondary.is_some();
        let key = (fig.group, u32::from(is_second));
        if let Some(known) = self.materials.get(&key) {
            return Ok(*known);
        }
        let texture = match is_second {
            true => self.source.secondary,
            false => self.source.primary,
        };
        let picture = match texture {
            None => None,
            Some(texture) => {
                let alpha = PictureAlpha::Stored;
                let index = usize::from(is_second);
                Some(self.pictures.texture(index, texture, alpha, root, bin)?)
            }
        };
        let pass = Pass {
            blend: (fig.group == BLENDED_GROUP).then_some(Blend::ALPHA),
            alpha_test: (!OPAQUE_GROUPS.contains(&fig.group)).then_some(ALPHA_TEST),
            ..Pass::default()
        };
        let name = match texture {
            Some(texture) => format!("{} group {}", texture.name, fig.group),
            None => format!("group {}", fig.group),
        };
        let material = root.push(material_of(name, &pass, picture)?);
        self.materials.insert(key, material);
        Ok(material)
    }
}

impl Targets {
    fn push(
        &mut self,
        name: String,
        weight: f32,
        deltas: &[[f32; 3]],
        root: &mut Root,
        bin: &mut BinaryChunk,
    ) {
        self.names.push(name);
        self.morphs.weights.push(weight);
        self.targets.push(MorphTarget {
            positions: Some(bin.positions(root, deltas)),
            normals: None,
            tangents: None,
        });
    }
}

/// Every mesh that was read has only valid indices.
fn check_indices(fig: &Fig) -> Result<(), ExportError> {
    let missing = |what, index: u16, len| ExportError::Missing {
        what,
        index: index.into(),
        len,
    };
    let n_components = fig.components.len();
    if let Some(index) = fig
        .indices
        .iter()
        .find(|it| usize::from(**it) >= n_components)
    {
        return Err(missing("component", *index, n_components));
    }
    for component in &fig.components {
        let Component {
            position,
            normal,
            texcoord,
        } = *component;
        for (what, index, len) in [
            ("vertex", position, fig.n_vertices()),
            ("normal", normal, fig.normals.len()),
            ("texture coordinate", texcoord, fig.texcoords.len()),
        ] {
            if usize::from(index) >= len {
                return Err(missing(what, index, len));
            }
        }
    }
    Ok(())
}

/// Where the components of a mesh are in an extreme state.
fn positions(fig: &Fig, state: usize, name: &str) -> Result<Vec<[f32; 3]>, ExportError> {
    let components = fig.components.iter();
    let positions = components.map(|it| fig.state_position(state, it.position.into()));
    positions
        .map(|it| finite(it, || format!("a vertex of {name}")))
        .collect()
}

fn normals(
    fig: &Fig,
    name: &str,
    root: &mut Root,
    bin: &mut BinaryChunk,
    findings: &mut Findings,
) -> Result<Index<Accessor>, ExportError> {
    let mut normals = Vec::with_capacity(fig.components.len());
    for component in &fig.components {
        let stored = glam::Vec3::from(fig.normal(component.normal.into()));
        let is_unit = (stored.length() - 1.0).abs() <= NEAR_UNIT;
        if !is_unit {
            findings.add(name, "normals that are not of unit length are made so");
        }
        let normal = match is_unit {
            true => stored,
            false => stored.try_normalize().unwrap_or(glam::Vec3::Z),
        };
        normals.push(normal.into());
    }
    Ok(bin.vec3(root, &normals))
}

fn texcoords(
    fig: &Fig,
    name: &str,
    root: &mut Root,
    bin: &mut BinaryChunk,
) -> Result<Index<Accessor>, ExportError> {
    let components = fig.components.iter();
    let texcoords = components.map(|it| fig.texcoords[usize::from(it.texcoord)]);
    let texcoords: Vec<_> = texcoords
        .map(|it| finite(it, || format!("a texture coordinate of {name}")))
        .collect::<Result<_, _>>()?;
    Ok(bin.vec2(root, &texcoords))
}

fn apart(a: [f32; 3], b: [f32; 3]) -> [f32; 3] {
    std::array::from_fn(|axis| b[axis] - a[axis])
}

/// How far a frame moves each component. A vertex that several offsets move goes as far as their sum.
fn moved_vertices(fig: &Fig, anm: &Anm, frame: usize) -> Vec<[f32; 3]> {
    let offsets = anm.morphs_of(frame);
    let mut of_vertex = vec![[0.0_f32; 3]; fig.n_vertices()];
    for component in &fig.morphs {
        let offset = offsets.get(usize::from(component.morph));
        let target = of_vertex.get_mut(usize::from(component.vertex));
        if let (Some(offset), Some(target)) = (offset, target) {
            for (target, value) in target.iter_mut().zip(offset) {
                *target += value;
            }
        }
    }
    let components = fig.components.iter();
    components
        .map(|it| of_vertex[usize::from(it.position)])
        .collect()
}
