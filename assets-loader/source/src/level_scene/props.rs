//! Models that stand in a map: static props and entities that show a model. Dossier sections 8.2, 9.2 and 10.5.

use std::collections::HashMap;

use ironlands_scene::{Aabb, Affine, AmbientCube, Instance, MaterialIdx, Model, ModelIdx};

use super::FORMAT;
use super::brush_models::{entity_name, is_drawn, tint};
use super::cells::Cells;
use super::direct_light::{DirectLights, PlaceLight};
use super::figures::{Figure, FirstSequence, first_pose, has_sound_bones};
use super::foliage::{DETAIL_RANGE, detail_scale};
use super::owners::{Owner, may_appear};
use super::placement::{moved_box, out_of_map, world_from_model};
use super::studio_parts;
use super::view_range;
use crate::bsp::game_lump::{DetailObject, StaticProp};
use crate::bsp::{FaceSet, is_place};
use crate::entities::Entity;
use crate::level::{SourceLevel, model_key, prop_model};
use crate::lightmap::linear_light;
use crate::materials::{Materials, Surface, SurfaceLight, Tint};
use crate::studio_model::{StudioMesh, StudioModel};
use crate::vhv::Vhv;
use ironlands_assets_core::bytes::{Finding, Severity};

/// Flag of a static prop: its light is that of `lighting_origin`.
const USES_LIGHTING_ORIGIN: u32 = 0x2;
/// Flag of a static prop: not drawn.
const NO_DRAW: u32 = 0x4;
/// Color of models without a texture.
const FALLBACK: [u8; 3] = [160; 3];

/// Props as models and instances of a scene that already has some models.
#[derive(Debug)]
pub struct Props<'a> {
    level: &'a SourceLevel,
    n_models_before: usize,
    /// Models so far; they follow those that the scene has.
    pub models: Vec<Model>,
    /// Static props, detail props that are models, then entities, each in file order.
    pub instances: Vec<Instance>,
    /// Whose they are.
    pub owners: Vec<Option<Owner>>,
    /// Instances whose bones move.
    pub figures: Vec<Figure>,
    known: HashMap<Look, Option<ModelIdx>>,
}

/// What distinguishes models.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Look {
    key: String,
    skin: i32,
    body: u32,
    tint: Tint,
    /// Number of the static prop whose light was baked.
    baked: Option<usize>,
    /// Number of the cubemap that it mirrors.
    probe: Option<usize>,
    /// Whether its bones move.
    moves: bool,
}

impl<'a> Props<'a> {
    /// All props that are seen at first, and without size those that may be seen later.
    pub fn new(
        level: &'a SourceLevel,
        lights: &DirectLights<'_>,
        n_models_before: usize,
        cells: &Cells<'_>,
        materials: &mut Materials<'_>,
        findings: &mut Vec<Finding>,
    ) -> Self {
        let mut props = Self {
            level,
            n_models_before,
            models: Vec::new(),
            instances: Vec::new(),
            owners: Vec::new(),
            figures: Vec::new(),
            known: HashMap::new(),
        };
        for (number, prop) in level.static_props.props.iter().enumerate() {
            props.add_static((number, prop), lights, cells, materials, findings);
        }
        let objects = level.detail.props.objects.iter();
        for object in objects.filter(|it| it.kind == DetailObject::MODEL) {
            props.add_detail(object, cells, materials);
        }
        for (index, entity) in level.entities.entities.iter().enumerate() {
            if is_drawn(entity) || may_appear(entity) {
                props.add_entity((index, entity), lights, cells, materials, findings);
            }
        }
        props
    }

    fn add_static(
        &mut self,
        (number, prop): (usize, &StaticProp),
        lights: &DirectLights<'_>,
        cells: &Cells<'_>,
        materials: &mut Materials<'_>,
        findings: &mut Vec<Finding>,
    ) -> Option<()> {
        let level = self.level;
        let flags = prop.flags(level.static_props.layout);
        if flags & NO_DRAW != 0 {
            return None;
        }
        let path = level.static_props.models.get(usize::from(prop.model))?;
        let key = model_key(&path.path());
        let studio = level.models.get(&key)?;
        if !is_place(prop.origin) || !is_place(prop.scale) {
            findings.push(out_of_map(&format!("static prop {number} ({key})")));
            return None;
        }
        let colors = match level.is_full_bright() {
            true => None,
            false => baked_colors(level, studio, number, findings),
        };
        let [r, g, b, alpha] = prop.diffuse;
        let probe = probe_of((prop.skin, 0), studio, prop.origin, materials);
        let look = Look {
            key: key.clone(),
            skin: prop.skin,
            body: 0,
            tint: Tint {
                color: [r, g, b],
                alpha,
                is_additive: false,
            },
            baked: colors.is_some().then_some(number),
            probe,
            moves: false,
        };
        let model = self.model(look, studio, colors.as_deref(), materials)?;
        let place = world_from_model(prop.origin, prop.angles, prop.scale);
        let lit_at = match flags & USES_LIGHTING_ORIGIN {
            0 => place.transform_point(studio.illumination_position),
            _ => prop.lighting_origin,
        };
        let PlaceLight { around, direct } = match colors {
            // The baked light of vertices is all that falls on them.
            Some(_) => PlaceLight {
                around: Some(AmbientCube::default()),
                ..PlaceLight::default()
            },
            None => lights.at(lit_at),
        };
        let leaves = level.static_props.leaves_of(prop);
        self.instances.push(Instance {
            name: format!("prop_static {key}"),
            model,
            world_from_model: place,
            light: around,
            direct_lights: direct,
            cells: cells.of_leaves_of_prop(leaves),
            range: view_range::of_static_prop(prop, flags, &place, studio),
            ..Instance::default()
        });
        self.owners.push(None);
        Some(())
    }

    /// A detail prop that is a model: lit as the map says, and seen no farther than grass.
    fn add_detail(
        &mut self,
        object: &DetailObject,
        cells: &Cells<'_>,
        materials: &mut Materials<'_>,
    ) -> Option<()> {
        let level = self.level;
        let path = (level.detail.props.models).get(usize::from(object.detail_model))?;
        let key = model_key(&path.path());
        let studio = level.models.get(&key)?;
        let scale = [detail_scale(object); 3];
        if !is_place(object.origin) || !is_place(scale) {
            return None;
        }
        let look = Look {
            key: key.clone(),
            skin: 0,
            body: 0,
            tint: Tint::default(),
            baked: None,
            probe: probe_of((0, 0), studio, object.origin, materials),
            moves: false,
        };
        let model = self.model(look, studio, None, materials)?;
        self.instances.push(Instance {
            name: format!("detail {key}"),
            model,
            world_from_model: world_from_model(object.origin, object.angles, scale),
            light: Some(AmbientCube([linear_light(object.lighting); 6])),
            cells: cells.of_leaves_of_prop(&[object.leaf.into()]),
            range: DETAIL_RANGE,
            ..Instance::default()
        });
        self.owners.push(None);
        Some(())
    }

    fn add_entity(
        &mut self,
        (index, entity): (usize, &Entity),
        lights: &DirectLights<'_>,
        cells: &Cells<'_>,
        materials: &mut Materials<'_>,
        findings: &mut Vec<Finding>,
    ) -> Option<()> {
        let level = self.level;
        let key = prop_model(entity)?;
        let studio = level.models.get(&key)?;
        let origin = entity.origin()?;
        let scale = entity.number("modelscale").filter(|scale| *scale > 0.0);
        let scale = [scale.unwrap_or(1.0); 3];
        if !is_place(origin) || !is_place(scale) {
            findings.push(out_of_map(&entity_name(entity)));
            return None;
        }
        // The casts saturate; a body below 0 is 0.
        let number = |key: &str| entity.number(key).unwrap_or_default();
        let body = entity.number("body").or(entity.number("SetBodyGroup"));
        let body = body.unwrap_or_default() as u32;
        let skin = number("skin") as i32;
        let motion = level.motions.get(&key).filter(|_| has_sound_bones(studio));
        let look = Look {
            key,
            skin,
            body,
            probe: probe_of((skin, body), studio, origin, materials),
            tint: tint(entity),
            baked: None,
            moves: motion.is_some(),
        };
        let model = self.model(look, studio, None, materials)?;
        let place = world_from_model(origin, entity.angles().unwrap_or_default(), scale);
        let lit_at = place.transform_point(studio.illumination_position);
        let PlaceLight { around, direct } = lights.at(lit_at);
        let cells = match entity.get_bytes("parentname") {
            Some(_) => Vec::new(),
            None => self.cells_of(model, studio, &place, cells),
        };
        let mut instance = Instance {
            name: entity_name(entity),
            model,
            world_from_model: place,
            light: around,
            direct_lights: direct,
            cells,
            range: view_range::of_entity(entity),
            ..Instance::default()
        };
        if let Some(motion) = motion {
            let first = FirstSequence::from_entity(entity, motion);
            instance.parent_from_nodes = first_pose(motion, first);
            self.figures.push(Figure {
                instance: self.instances.len(),
                entity: index,
                motion: motion.clone(),
                first,
            });
        }
        let owner = Owner::new(index, entity, &mut instance);
        self.instances.push(instance);
        self.owners.push(Some(owner));
        Some(())
    }

    #[expect(
        clippy::indexing_slicing,
        clippy::arithmetic_side_effects,
        reason = "models of props follow those before them"
    )]
    fn cells_of(
        &self,
        model: ModelIdx,
        studio: &StudioModel,
        place: &Affine,
        cells: &Cells<'_>,
    ) -> Vec<u32> {
        let own = model.0 as usize - self.n_models_before;
        let model = &self.models[own];
        // Bones that move take the vertices to where the file says.
        let view = match model.joints.is_empty() {
            true => &[][..],
            false if studio.view_bounds != [[0.0; 3]; 2] => &studio.view_bounds,
            false => &studio.hull,
        };
        let bounds = Aabb::around(model.mesh.positions.iter().chain(view));
        bounds.map_or_else(Vec::new, |bounds| cells.of_box(&moved_box(place, &bounds)))
    }

    #[expect(
        clippy::arithmetic_side_effects,
        reason = "models of props follow those before them"
    )]
    fn model(
        &mut self,
        look: Look,
        studio: &StudioModel,
        colors: Option<&[Vec<[f32; 3]>]>,
        materials: &mut Materials<'_>,
    ) -> Option<ModelIdx> {
        if let Some(known) = self.known.get(&look) {
            return *known;
        }
        let light = match self.level.is_full_bright() {
            true => SurfaceLight::FullBright,
            false => SurfaceLight::Ambient,
        };
        let appearance = Appearance {
            skin: look.skin,
            body: look.body,
        };
        let mut material_of = |mesh: &StudioMesh, skin: i32, lod: usize| {
            let paths = studio.material_paths(skin, mesh.material, lod);
            let shown = (look.tint, light.clone());
            material((mesh, paths), shown, look.probe, materials)
        };
        let parts = studio_parts::lay_out(studio, &[appearance], colors, &mut material_of);
        let model = parts.map(|parts| {
            // As many as there are props and entities.
            let index = ModelIdx((self.n_models_before + self.models.len()) as u32);
            let made = match look.moves {
                true => parts.on_bones(look.key.clone(), studio),
                false => parts.standing(look.key.clone()),
            };
            self.models.push(made);
            index
        });
        self.known.insert(look, model);
        model
    }
}

/// Which of the skins and bodies of a model are shown.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Appearance {
    /// Number of the skin; one that is not there is skin 0.
    pub skin: i32,
    /// Chooses a model of each body part.
    pub body: u32,
}

/// Number of the cubemap that a model mirrors at a place, if a material of what is shown takes the nearest.
fn probe_of(
    (skin, body): (i32, u32),
    studio: &StudioModel,
    place: [f32; 3],
    materials: &mut Materials<'_>,
) -> Option<usize> {
    let mut meshes = studio.meshes_of(body);
    meshes.find_map(|(_, mesh)| {
        let name = materials.first_there(&studio.material_paths(skin, mesh.material, 0))?;
        materials.probe_at(&name, place)
    })
}

/// The material of a mesh of a model that stands by itself, in a skin and at a level of detail.
pub fn material_alone(
    studio: &StudioModel,
    mesh: &StudioMesh,
    (skin, lod): (i32, usize),
    materials: &mut Materials<'_>,
) -> Option<MaterialIdx> {
    let paths = studio.material_paths(skin, mesh.material, lod);
    let shown = (Tint::default(), SurfaceLight::Ambient);
    material((mesh, paths), shown, None, materials)
}

/// The first material of some paths that is there, for a mesh.
fn material(
    (mesh, paths): (&StudioMesh, Vec<String>),
    (tint, light): (Tint, SurfaceLight),
    probe: Option<usize>,
    materials: &mut Materials<'_>,
) -> Option<MaterialIdx> {
    let name = materials.first_there(&paths);
    materials.surface(Surface {
        name: name.or_else(|| paths.into_iter().next())?,
        light,
        tint,
        fallback: FALLBACK,
        is_water: false,
        is_overlay: false,
        fades: false,
        is_model: true,
        is_seen_through: false,
        is_eye: !mesh.iris_uvs.is_empty(),
        probe,
    })
}

/// Light that the compiler stored for each vertex of a static prop, mesh by mesh.
fn baked_colors(
    level: &SourceLevel,
    studio: &StudioModel,
    number: usize,
    findings: &mut Vec<Finding>,
) -> Option<Vec<Vec<[f32; 3]>>> {
    let name = match level.face_set {
        FaceSet::Ldr => format!("sp_{number}.vhv"),
        FaceSet::Hdr => format!("sp_hdr_{number}.vhv"),
    };
    let pakfile = level.game_files.pakfile()?;
    let data = pakfile.open(&name).ok().flatten()?;
    let mut report = |reason: String| {
        let message = format!("{name}: {reason}; the prop is lit by its surroundings");
        findings.push(Finding::new(Severity::Note, FORMAT, message));
    };
    let vhv = Vhv::read(&data)
        .map_err(|error| report(error.to_string()))
        .ok()?;
    let colors = studio.baked_colors(&vhv);
    if colors.is_none() {
        report("it is of another model".to_owned());
    }
    colors
}
