//! What burns, smokes and glitters in a zone: sources of particles and torches.
//!
//! Dossier sections 11.7, 11.8 and 12.3. Files say of a source where it is, of which type and how large; how the game draws
//! each type is not known, so forms, colors and speeds are [`ironlands_scene::effects`], chosen by the type's name. Types
//! whose name does not say what they are made of are left out.

use glam::Vec3;
use ironlands_scene::effects::{EffectPictures, Fire, Fountain, Smoke, Sparkles};
use ironlands_scene::{Emitter, Texture};

use super::lights::flame;
use crate::mob::view::{MapObject, MapParticle, View};
use crate::zone::Zone;
use ironlands_assets_core::bytes::Severity;
use ironlands_assets_core::findings::Findings;

/// Height of a fire of scale 1, and of a torch's flame of strength 1; meters.
const FIRE_HEIGHT: f32 = 1.3;
const TORCH_HEIGHT: f32 = 0.5;
/// Width of smoke of scale 1 where it begins, meters.
const SMOKE_WIDTH: f32 = 1.2;
/// Radius of a cloud of sparkles of scale 1, meters.
const SPARKLES_RADIUS: f32 = 1.0;
const GRAVITY: f32 = 9.8;
/// Smoke drifts like this, meters per second.
const WIND: [f32; 3] = [0.5, 0.3, 0.0];
/// A source within this distance of a torch's flame is that flame; meters.
const SAME_PLACE: f32 = 1.0;
/// Scales are kept between these.
const SCALES: [f32; 2] = [0.01, 100.0];

/// What sources of a type are drawn as.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Appearance {
    Fire {
        smokes: bool,
    },
    /// Color and opacity.
    Smoke([f32; 4]),
    Fountain,
    Sparkles([f32; 3]),
}

/// Emitters of a zone, and the textures that they show, if there are any.
pub(super) fn emitters(
    zone: &Zone,
    textures: &mut Vec<Texture>,
    findings: &mut Findings,
) -> Vec<Emitter> {
    let placed = zone.mob.iter().flat_map(|mob| mob.placed());
    let sources: Vec<_> = placed.filter_map(MapParticle::from_node).collect();
    let torches: Vec<_> = zone
        .objects
        .iter()
        .filter_map(|object| flame_of(zone, object))
        .filter(|fire| !sources.iter().any(|source| is_at(source, fire)))
        .collect();
    if sources.is_empty() && torches.is_empty() {
        return Vec::new();
    }
    let pictures = EffectPictures::add_to(textures);
    let mut emitters = Vec::new();
    for (seed, source) in (0..).zip(&sources) {
        emitters.extend(emitters_of(source, seed, &pictures));
    }
    for (seed, torch) in (sources.len() as u32..).zip(&torches) {
        emitters.extend(torch.emitters("torch", seed, &pictures));
    }
    let n_left_out = Emitter::keep_possible(&mut emitters);
    if n_left_out > 0 {
        let message = format!("{n_left_out} emitters are left out: particles are too many");
        findings.rule(Severity::Warning, [(None, message)]);
    }
    emitters
}

/// The flame of a torch, if the object is one that burns.
fn flame_of(zone: &Zone, object: &MapObject) -> Option<Fire> {
    let (place, strength) = flame(zone, object)?;
    Some(Fire {
        place,
        height: TORCH_HEIGHT * strength.clamp(SCALES[0], SCALES[1]),
        smokes: false,
    })
}

fn is_at(source: &MapParticle, fire: &Fire) -> bool {
    let is_fire = matches!(appearance_of(source), Some(Appearance::Fire { .. }));
    is_fire && Vec3::from(source.position).distance(Vec3::from(fire.place)) <= SAME_PLACE
}

/// None for a source at no place, and of a type that is not drawn.
fn emitters_of(source: &MapParticle, seed: u32, pictures: &EffectPictures) -> Vec<Emitter> {
    let MapParticle {
        position: place,
        ref name,
        scale,
        ..
    } = *source;
    let is_somewhere = place.iter().all(|part| part.is_finite());
    let Some(appearance) = appearance_of(source).filter(|_| is_somewhere && scale > 0.0) else {
        return Vec::new();
    };
    let scale = scale.clamp(SCALES[0], SCALES[1]);
    match appearance {
        Appearance::Fire { smokes } => Fire {
            place,
            height: FIRE_HEIGHT * scale,
            smokes,
        }
        .emitters(name, seed, pictures),
        Appearance::Smoke(color) => {
            let smoke = Smoke {
                place,
                width: SMOKE_WIDTH * scale,
                color,
                wind: WIND,
            };
            vec![smoke.emitter(name, seed, pictures)]
        }
        Appearance::Fountain => Fountain {
            place,
            height: FIRE_HEIGHT * scale,
            gravity: GRAVITY,
        }
        .emitters(name, seed, pictures),
        Appearance::Sparkles(color) => {
            let sparkles = Sparkles {
                place,
                radius: SPARKLES_RADIUS * scale,
                color,
                count: 40,
            };
            vec![sparkles.emitter(name, seed, pictures)]
        }
    }
}

/// By the type's name.
fn appearance_of(source: &MapParticle) -> Option<Appearance> {
    let appearance = match &*source.type_name() {
        "fire" | "fireball" | "fireblast" | "firewall" | "spherefire" | "castingfire" => {
            Appearance::Fire { smokes: false }
        }
        "campfire" => Appearance::Fire { smokes: true },
        "smoke" => Appearance::Smoke([0.62, 0.6, 0.58, 0.5]),
        "vulcansmoke" => Appearance::Smoke([0.16, 0.14, 0.13, 0.6]),
        "poisonfog" => Appearance::Smoke([0.45, 0.62, 0.2, 0.35]),
        "aggressionfog" => Appearance::Smoke([0.65, 0.2, 0.16, 0.35]),
        "bluegas" => Appearance::Smoke([0.25, 0.45, 0.8, 0.35]),
        "geyser" => Appearance::Fountain,
        "healing" | "regeneration" | "castinghealing" => Appearance::Sparkles([0.4, 1.0, 0.5]),
        "firestar" | "sparks" => Appearance::Sparkles([1.0, 0.6, 0.2]),
        "acidstar" | "castingacid" | "sphereacid" => Appearance::Sparkles([0.6, 1.0, 0.2]),
        "castingelectricity" | "sphereelectricity" | "portalstar" | "teleport" => {
            Appearance::Sparkles([0.45, 0.65, 1.0])
        }
        "ballofstars" | "zoneexit" => Appearance::Sparkles([1.0, 0.95, 0.75]),
        _ => return None,
    };
    Some(appearance)
}
