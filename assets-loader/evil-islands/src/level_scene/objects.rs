//! The objects of a zone: a model of the scene for each figure in its textures, an instance for each object.
//!
//! Dossier sections 9.5 and 12.3. An object stands on the ground under its place, as much higher as its place says;
//! units stand on their lowest vertex. Magic traps are not seen: what the editor shows of them is a debug layer.

use std::collections::HashMap;

use glam::{Affine3A, Quat, Vec3};
use ironlands_scene::{
    Addressing, Affine, Instance, Material, MaterialIdx, Model, ModelIdx, TextureIdx,
};

use super::Surfaces;
use crate::figure::Figure;
use crate::figure_scene::{
    FigureTargets, PartSurface, TextureSlot, hidden_pieces, lowest_vertex, places_at_rest,
    to_model, weights_at_rest,
};
use crate::mob::view::{MapObject, ObjectKind};
use crate::zone::{DEFAULT_TEXTURE, Zone, texture_name};
use ironlands_assets_core::bytes::Severity;
use ironlands_assets_core::findings::{Findings, cut};

/// Models and instances of a zone.
pub(super) struct Objects {
    /// One for each figure in each pair of textures.
    pub(super) models: Vec<Model>,
    /// In the order of [`shown_objects`].
    pub(super) instances: Vec<Instance>,
}

/// The objects of a zone that are shown, in file order, each with its place in [`Zone::objects`]: the instances of the
/// zone's scene are these.
///
/// Left out are objects whose model is missing, those at no place, and magic traps.
pub fn shown_objects(zone: &Zone) -> impl Iterator<Item = (usize, &MapObject)> {
    let objects = zone.objects.iter().enumerate();
    objects.filter(|(_, object)| {
        let is_placed = is_finite(object) && !matches!(object.kind, ObjectKind::MagicTrap(_));
        is_placed && zone.figure_of(object).is_some()
    })
}

/// The morph targets of a figure's model: those of its extreme states and of the only animation that is played here,
/// the one of those who have nothing to do.
pub fn animation_targets(figure: &Figure) -> FigureTargets {
    let idle = figure.idle_animation();
    FigureTargets::new(figure, |animation, _| Some(animation) == idle)
}

/// Where an object stands on the ground: as its place says, and as it is turned. At rest units stand higher, on their
/// lowest vertex; their animations bring that height along.
pub fn place_on_ground(zone: &Zone, object: &MapObject) -> Affine {
    place_of(zone, object, 0.0)
}

impl Objects {
    pub(super) fn new(zone: &Zone, surfaces: &mut Surfaces, findings: &mut Findings) -> Self {
        let nowhere = zone.objects.iter().filter(|it| !is_finite(it));
        let nowhere = nowhere.map(|object| {
            let name = cut(&object.name).into_owned();
            (
                None,
                format!("object {} {name:?} stands at no place", object.nid),
            )
        });
        findings.rule(Severity::Error, nowhere);
        let mut wardrobe = Wardrobe::new(zone, surfaces);
        let mut models = Vec::new();
        let mut known: HashMap<[String; 3], ModelIdx> = HashMap::new();
        let mut instances = Vec::new();
        for (_, object) in shown_objects(zone) {
            let Some(figure) = zone.figure_of(object) else {
                continue;
            };
            let [template, primary, secondary] = [
                &object.template,
                &object.primary_texture,
                &object.secondary_texture,
            ]
            .map(|name| name.to_ascii_lowercase());
            let textures = [primary.clone(), secondary.clone()];
            let model = *known
                .entry([template, primary, secondary])
                .or_insert_with(|| {
                    let targets = animation_targets(figure);
                    let material_of = &mut |part| wardrobe.material(&textures, part);
                    models.push(to_model(figure, &targets, material_of));
                    ModelIdx(models.len() as u32 - 1)
                });
            let mut instance = Instance {
                name: object.name.clone(),
                model,
                world_from_model: place_of(zone, object, 0.0),
                parent_from_nodes: places_at_rest(figure, object.complection),
                morph: weights_at_rest(object.complection),
                ..Instance::default()
            };
            let scene_model = &models[model.0 as usize];
            instance.hidden_pieces = hidden_pieces(scene_model, &object.body_parts);
            stand(zone, object, scene_model, &mut instance);
            instances.push(instance);
        }
        findings.extend(wardrobe.findings.into_list());
        Self { models, instances }
    }
}

/// Lifts a unit until its lowest vertex is where its place says (section 12.3); its origin is at the hip.
fn stand(zone: &Zone, object: &MapObject, model: &Model, instance: &mut Instance) {
    if !matches!(object.kind, ObjectKind::Unit(_)) {
        return;
    }
    let Affine([.., [_, _, _, z]]) = instance.world_from_model;
    if let Some(lowest) = lowest_vertex(model, instance) {
        instance.world_from_model = place_of(zone, object, z - lowest);
    }
}

/// Where an object stands, and how it is turned; so much higher.
fn place_of(zone: &Zone, object: &MapObject, lift: f32) -> Affine {
    let [x, y, z] = object.position;
    let ground = zone.land().height_at([x, y]).unwrap_or(0.0);
    let [qw, qx, qy, qz] = object.rotation;
    let rotation = Quat::from_xyzw(qx, qy, qz, qw);
    let length = rotation.length();
    let rotation = match length.is_finite() && length > 0.0 {
        true => rotation / length,
        false => Quat::IDENTITY,
    };
    let place = Vec3::new(x, y, ground + z + lift);
    let turned = Affine3A::from_rotation_translation(rotation, place);
    let [a, b, c] = [
        turned.matrix3.row(0),
        turned.matrix3.row(1),
        turned.matrix3.row(2),
    ];
    Affine([
        [a.x, a.y, a.z, place.x],
        [b.x, b.y, b.z, place.y],
        [c.x, c.y, c.z, place.z],
    ])
}

/// Whether its numbers are such that it can be somewhere. Beyond that, sums would exceed the precision of f32.
fn is_finite(object: &MapObject) -> bool {
    const MAX: f32 = 1e6;
    let numbers = object.position.iter().chain(&object.complection);
    numbers.into_iter().all(|it| it.abs() <= MAX)
}

/// Materials of what objects wear, each made on first use.
struct Wardrobe<'a> {
    zone: &'a Zone,
    surfaces: &'a mut Surfaces,
    textures: HashMap<String, Option<TextureIdx>>,
    materials: HashMap<(Option<String>, PartSurface), MaterialIdx>,
    findings: Findings,
}

impl<'a> Wardrobe<'a> {
    fn new(zone: &'a Zone, surfaces: &'a mut Surfaces) -> Self {
        Self {
            zone,
            surfaces,
            textures: HashMap::new(),
            materials: HashMap::new(),
            findings: Findings::new(super::FORMAT),
        }
    }

    /// The material of a part of an object with these textures, the primary one first.
    fn material(&mut self, textures: &[String; 2], part: PartSurface) -> MaterialIdx {
        let [primary, secondary] = textures;
        let wanted = match part.texture {
            TextureSlot::Primary => primary,
            TextureSlot::Secondary => secondary,
        };
        let name = texture_name(wanted)
            .filter(|name| self.zone.textures.contains_key(name))
            .or_else(|| {
                let has_default = self.zone.textures.contains_key(DEFAULT_TEXTURE);
                has_default.then(|| DEFAULT_TEXTURE.to_owned())
            });
        let key = (name, part);
        if let Some(known) = self.materials.get(&key) {
            return *known;
        }
        let texture = key.0.as_ref().and_then(|name| self.texture(name));
        let material = self.surfaces.add_material(Material {
            name: format!(
                "{} group {}",
                key.0.as_deref().unwrap_or("plain"),
                part.group
            ),
            passes: vec![part.pass(texture)],
        });
        self.materials.insert(key, material);
        material
    }

    fn texture(&mut self, name: &str) -> Option<TextureIdx> {
        if let Some(known) = self.textures.get(name) {
            return *known;
        }
        let mmp = self.zone.textures.get(name)?;
        let texture = match mmp.to_texture(name, Addressing::Repeat) {
            Ok(texture) => Some(self.surfaces.add_texture(texture)),
            Err(error) => {
                let message = format!("texture {name}: {error}");
                self.findings.rule(Severity::Error, [(None, message)]);
                None
            }
        };
        self.textures.insert(name.to_owned(), texture);
        texture
    }
}
