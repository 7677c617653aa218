//! Debug layers of a map: what it places and cannot be seen, or not from afar.
//!
//! In: a map, and the height of the ground. Out: one layer a kind of thing, each only if the map has any of it. World
//! axes (right-handed, +Z up), meters. Documents: Evil Islands dossier, sections 11.5, 11.7 and 12.3.
//!
//! What has numbers that are not finite is left out.
#![cfg_attr(
    not(test),
    expect(
        clippy::arithmetic_side_effects,
        reason = "places of cells and corners of shapes that are in memory"
    )
)]

mod ai_graph;
mod shapes;
#[cfg(test)]
mod tests;

use ironlands_scene::{LegendEntry, Overlay};

use self::shapes::{Color, Layer};
use super::map_entities::{GroundHeight, finite, height, on_ground};
use super::mob::Mob;
use super::mob::view::{GuardPoint, MagicTrap, MapObject, ObjectKind, Torch, UnitLogic};

/// Half the size of marks, meters.
const MARK: f32 = 0.5;
/// How far a torch's flame may be from it, if the file gives it in the axes of the world, meters.
const TORCH_REACH: f32 = 8.0;
/// `UNIT_LOGIC_MODEL` of those who guard what is around them.
const GUARD_RADIUS_MODEL: u32 = 1;

const SOUND: Color = [80, 220, 120, 255];
const SOUND_2: Color = [40, 140, 90, 255];
const PARTICLE: Color = [220, 120, 255, 255];
const TRAP: Color = [255, 60, 60, 255];
const TRAP_FILL: Color = [255, 60, 60, 60];
const TARGET: Color = [255, 200, 40, 255];
const LEVER: Color = [90, 190, 255, 255];
const DOOR: Color = [255, 150, 60, 255];
const TORCH: Color = [255, 180, 60, 255];
const PATROL: Color = [120, 255, 120, 255];
const LOOK: Color = [255, 255, 120, 255];
const GUARD: Color = [120, 160, 255, 255];
const OBJECT: Color = [220, 220, 220, 255];
const UNIT: Color = [255, 90, 200, 255];

/// All layers that the map fills.
pub fn map_overlays(mob: &Mob, ground: &GroundHeight<'_>) -> Vec<Overlay> {
    let objects = mob.objects();
    let layers = [
        lights(mob),
        sounds(mob),
        particles(mob),
        traps(&objects, ground),
        levers(&objects, ground),
        torches(&objects, ground),
        patrols(&objects, ground),
        marks(&objects, ground),
        ai_graph::cells(mob, ground),
    ];
    let layers = layers.map(Layer::into_overlay).into_iter();
    layers
        .filter(|layer| !layer.lines.is_empty() || !layer.triangles.is_empty())
        .map(|layer| match legend_of(&layer.name) {
            [] => layer,
            legend => layer.with_legend(
                legend
                    .iter()
                    .map(|([r, g, b, _], text)| LegendEntry::new([*r, *g, *b], *text)),
            ),
        })
        .collect()
}

/// What the colors of a layer mean; nothing for layers whose colors are those of what they show.
fn legend_of(layer: &str) -> &'static [(Color, &'static str)] {
    match layer {
        "sounds" => &[(SOUND, "range of a sound"), (SOUND_2, "its second range")],
        "particles" => &[(PARTICLE, "source of particles")],
        "magic traps" => &[
            (TRAP, "trap, and what sets it off"),
            (TARGET, "what it casts at"),
        ],
        "levers" => &[(LEVER, "lever"), (DOOR, "door")],
        "torches" => &[(TORCH, "flame of a torch")],
        "patrols" => &[
            (PATROL, "way of a patrol"),
            (LOOK, "what it looks at"),
            (GUARD, "what is guarded"),
        ],
        "objects" => &[
            (OBJECT, "object"),
            (UNIT, "unit"),
            (LEVER, "lever"),
            (TORCH, "torch"),
            (TRAP, "magic trap"),
        ],
        "movement graph" => &[(
            ai_graph::OUTLINE,
            "border between cells of different records",
        )],
        _ => &[],
    }
}

/// A mark in the color of each light, and how far it reaches.
fn lights(mob: &Mob) -> Layer {
    let mut layer = Layer::new("lights");
    for light in mob.lights() {
        let Some(position) = finite(light.position) else {
            continue;
        };
        let [r, g, b] = light
            .color
            .map(|part| (part.clamp(0.0, 1.0) * 255.0).round() as u8);
        layer.cross(position, MARK, [r, g, b, 255]);
        layer.sphere(position, light.range, [r, g, b, 255]);
    }
    layer
}

/// A mark for each sound, and its two ranges.
fn sounds(mob: &Mob) -> Layer {
    let mut layer = Layer::new("sounds");
    for sound in mob.sounds() {
        let Some(position) = finite(sound.position) else {
            continue;
        };
        layer.cross(position, MARK, SOUND);
        // Ranges that no f32 holds are beyond any map.
        layer.circle(position, sound.range as f32, SOUND);
        layer.circle(position, sound.range2 as f32, SOUND_2);
    }
    layer
}

fn particles(mob: &Mob) -> Layer {
    let mut layer = Layer::new("particles");
    for particle in mob.particles() {
        if let Some(position) = finite(particle.position) {
            layer.diamond(position, MARK, PARTICLE);
        }
    }
    layer
}

/// Areas that set traps off, as they lie on the ground, and what they cast at.
fn traps(objects: &[MapObject], ground: &GroundHeight<'_>) -> Layer {
    let mut layer = Layer::new("magic traps");
    for (object, position) in placed(objects, ground) {
        let ObjectKind::MagicTrap(MagicTrap { areas, targets, .. }) = &object.kind else {
            continue;
        };
        layer.cross(position, MARK, TRAP);
        let [_, _, z] = position;
        let height = |x: f32, y: f32| height(x, y, ground).unwrap_or(z);
        for area in areas {
            layer.disc_on_ground(area.center, area.radius, &height, TRAP, TRAP_FILL);
        }
        for [x, y] in targets {
            if let Some(target) = finite([*x, *y, height(*x, *y)]) {
                layer.cross(target, MARK, TARGET);
                layer.line(position, target, TARGET);
            }
        }
    }
    layer
}

fn levers(objects: &[MapObject], ground: &GroundHeight<'_>) -> Layer {
    let mut layer = Layer::new("levers");
    for (object, position) in placed(objects, ground) {
        if let ObjectKind::Lever(lever) = &object.kind {
            layer.diamond(position, MARK, if lever.is_door { DOOR } else { LEVER });
        }
    }
    layer
}

/// The flame of each torch, with a line from its foot.
fn torches(objects: &[MapObject], ground: &GroundHeight<'_>) -> Layer {
    let mut layer = Layer::new("torches");
    for (object, position) in placed(objects, ground) {
        if let ObjectKind::Torch(torch) = &object.kind
            && let Some(flame) = finite(flame(torch, position))
        {
            layer.line(position, flame, TORCH);
            layer.diamond(flame, MARK, TORCH);
        }
    }
    layer
}

/// Where the flame of a torch is. It is undocumented in whose axes the file gives it: what is near the torch is taken for
/// a place in the world, all else for a way from the torch.
pub fn flame(torch: &Torch, torch_in_world: [f32; 3]) -> [f32; 3] {
    let [x, y, z] = torch_in_world;
    let [flame_x, flame_y, flame_z] = torch.flame;
    let is_in_world = (flame_x - x).hypot(flame_y - y) < TORCH_REACH;
    if is_in_world {
        torch.flame
    } else {
        [x + flame_x, y + flame_y, z + flame_z]
    }
}

/// The patrols of all units, what they look at on the way, and what they guard.
fn patrols(objects: &[MapObject], ground: &GroundHeight<'_>) -> Layer {
    let mut layer = Layer::new("patrols");
    for (object, position) in placed(objects, ground) {
        if let ObjectKind::Unit(unit) = &object.kind
            && let Some(logic) = unit.logic()
        {
            patrol(&mut layer, position, logic);
        }
    }
    layer
}

fn patrol(layer: &mut Layer, start: [f32; 3], logic: &UnitLogic) {
    if logic.model == GUARD_RADIUS_MODEL
        && let Some(guarded) = finite(logic.guard_point)
    {
        layer.line(start, guarded, GUARD);
        layer.circle(guarded, logic.guard_radius, GUARD);
    }
    let is_finite = |point: &&GuardPoint| finite(point.position).is_some();
    let points: Vec<&GuardPoint> = logic.patrol.iter().filter(is_finite).collect();
    let mut from = start;
    for point in &points {
        layer.line(from, point.position, PATROL);
        layer.cross(point.position, MARK, PATROL);
        from = point.position;
        for action in &point.actions {
            if let Some(look_at) = finite(action.look_at) {
                layer.line(point.position, look_at, LOOK);
            }
        }
    }
    if let (true, [first, _, ..]) = (logic.is_cyclic, points.as_slice()) {
        layer.line(from, first.position, PATROL);
    }
}

/// A post on each object, in the color of its kind: those without a model are seen too.
fn marks(objects: &[MapObject], ground: &GroundHeight<'_>) -> Layer {
    let mut layer = Layer::new("objects");
    for (object, position) in placed(objects, ground) {
        let color = match object.kind {
            ObjectKind::Object => OBJECT,
            ObjectKind::Unit(_) => UNIT,
            ObjectKind::Lever(_) => LEVER,
            ObjectKind::Torch(_) => TORCH,
            ObjectKind::MagicTrap(_) => TRAP,
        };
        layer.post(position, MARK, color);
    }
    layer
}

/// All objects that are somewhere, and where.
fn placed<'a>(
    objects: &'a [MapObject],
    ground: &'a GroundHeight<'_>,
) -> impl Iterator<Item = (&'a MapObject, [f32; 3])> {
    let place = |object: &'a MapObject| Some((object, finite(on_ground(object.position, ground))?));
    objects.iter().filter_map(place)
}
