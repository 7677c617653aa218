//! Light of lamps and sun on models of the demo map, against every lamp and every brush, one after the other.

use std::path::Path;

use glam::{DVec3, Vec3};
use ironlands_assets_source::bsp::{Contents, SurfaceFlags, WorldLight};
use ironlands_assets_source::entities::Entity;
use ironlands_assets_source::level::SourceLevel;
use ironlands_assets_source::level_scene::{all_hidden, to_scene};
use ironlands_scene::{AmbientCube, Instance, MAX_DIRECT_LIGHTS};
use ironlands_sim_brush::{BrushMap, BrushWorld, Obstacle};
use ironlands_world_source::{brush_map, brush_world, light_paths};

use crate::common::Numbers;

const N_MODELS: usize = 900;
const VASE: &str = "models/ironlands/vase.mdl";
/// The parts of the demo that are played in: where models and lamps are put.
const ROOM: [Vec3; 2] = [
    Vec3::new(-900.0, -900.0, -40.0),
    Vec3::new(900.0, 900.0, 400.0),
];
const AXES: [DVec3; 6] = [
    DVec3::X,
    DVec3::NEG_X,
    DVec3::Y,
    DVec3::NEG_Y,
    DVec3::Z,
    DVec3::NEG_Z,
];

/// The demo with lamps of all kinds and models whose light is not stored.
fn level() -> SourceLevel {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let path = root.join("DATA/SOURCE/demo.bsp");
    let mut level = SourceLevel::open(&path, &[], None).expect("the demo's map opens");
    let numbers = &mut Numbers(5);
    for _ in 0..N_MODELS {
        let [x, y, z] = numbers.vector(ROOM[0], ROOM[1]).to_array();
        let mut entity = Entity::new("prop_dynamic");
        entity.push("model", VASE);
        entity.push("origin", &format!("{x} {y} {z}"));
        level.entities.entities.push(entity);
    }
    let lights = &mut level.map.world_lights;
    for light in lights.iter_mut() {
        light.flags = 0;
    }
    for i in 0..40 {
        let direction = numbers.direction();
        lights.push(WorldLight {
            kind: [0, 1, 2, 4][i % 4],
            origin: numbers.vector(ROOM[0], ROOM[1]).to_array(),
            normal: direction.to_array(),
            intensity: match i % 4 {
                3 => [0.001, 0.002, 0.003],
                _ => [9000.0, 7000.0, 5000.0],
            },
            stop_dots: [0.9, 0.4],
            exponent: [0.0, 1.0, 2.0][i % 3],
            radius: [0.0, 600.0][i % 2],
            attenuation: match i % 4 {
                3 => [0.0, 500.0, 0.0],
                _ => [0.0, [0.0, 3.0][i % 2], 1.0],
            },
            ..WorldLight::default()
        });
    }
    level
}

#[test]
fn models_get_the_light_of_every_lamp_that_nothing_hides() {
    let level = level();
    let (in_ambient, _) = to_scene(&level, &all_hidden);
    let (lit, _) = to_scene(&level, &light_paths(&level));
    let plain = Plain::new(&level);
    let [mut n_sunlit, mut n_shaded, mut n_folded] = [0; 3];
    let models = in_ambient.instances.iter().zip(&lit.instances);
    let models = models.filter(|(it, _)| it.name.contains("prop_dynamic"));
    // In walls there is no ambient light.
    let models: Vec<_> = models.filter(|(it, _)| it.light.is_some()).collect();
    assert!(models.len() > N_MODELS / 4, "{}", models.len());
    for (ambient, lit) in models {
        assert_eq!(ambient.direct_lights, []);
        assert!(lit.direct_lights.len() <= MAX_DIRECT_LIGHTS);
        let studio = &level.models[VASE];
        let place = lit
            .world_from_model
            .transform_point(studio.illumination_position);
        let reaching = plain.reaching(&level, place.into());
        let is_sunlit = reaching.iter().any(|it| it.is_sun);
        n_sunlit += usize::from(is_sunlit);
        n_shaded += usize::from(!is_sunlit);
        n_folded += usize::from(reaching.len() > MAX_DIRECT_LIGHTS);
        for (axis, normal) in AXES.into_iter().enumerate() {
            let added = light_on(lit, axis, normal) - light_on(ambient, axis, normal);
            let expected: DVec3 = reaching.iter().map(|it| it.on(normal)).sum();
            // Sums of 32-bit numbers of this size, and of lamps that are too faint to be looked for.
            let tolerance = 1e-4 * (1.0 + expected.max_element()) + 40.0 * 1e-4;
            let off = (added - expected).abs().max_element();
            assert!(off < tolerance, "{place:?}, {normal}: {added}, {expected}");
        }
    }
    let n = [n_sunlit, n_shaded, n_folded];
    assert!(n.iter().all(|n| *n > 10), "all kinds of places: {n:?}");
}

/// On a surface along an axis.
fn light_on(instance: &Instance, axis: usize, normal: DVec3) -> DVec3 {
    let AmbientCube(sides) = instance.light.expect("it is not in a wall");
    let direct = instance.direct_lights.iter().map(|light| {
        let cosine = Vec3::from(light.direction_to_light).as_dvec3().dot(normal);
        Vec3::from(light.color).as_dvec3() * cosine.max(0.0)
    });
    Vec3::from(sides[axis]).as_dvec3() + direct.sum::<DVec3>()
}

/// A lamp that reaches a place.
struct Reaching {
    toward: DVec3,
    color: DVec3,
    is_sun: bool,
}

impl Reaching {
    fn on(&self, normal: DVec3) -> DVec3 {
        self.color * self.toward.dot(normal).max(0.0)
    }
}

/// All that hides light, as a list.
struct Plain {
    map: BrushMap,
    brushes: Vec<usize>,
    /// Of displacements, with their texinfo.
    triangles: Vec<([DVec3; 3], Option<u32>)>,
}

impl Plain {
    fn new(level: &SourceLevel) -> Self {
        let map = brush_map(&level.map, &level.entities).expect("a valid map");
        let world = brush_world(&level.map, &level.entities, &[]).expect("a valid map");
        let heads = map.entities.iter().map(|it| {
            assert_eq!(
                (it.origin, it.angles),
                (Vec3::ZERO, Vec3::ZERO),
                "as it was made"
            );
            map.head_nodes[it.model]
        });
        let mut brushes = Vec::new();
        for head in heads.chain([map.head_nodes[0]]) {
            add_brushes(&map, head, &mut brushes);
        }
        brushes.sort_unstable();
        brushes.dedup();
        Self {
            triangles: triangles(&world),
            map,
            brushes,
        }
    }

    /// By the formulas of the document, in 64 bits.
    fn reaching(&self, level: &SourceLevel, place: Vec3) -> Vec<Reaching> {
        let place = place.as_dvec3();
        let lights = level.map.world_lights.iter();
        let reaching = lights.filter(|it| it.kind != 5).filter_map(|light| {
            let [normal, origin, intensity] =
                [light.normal, light.origin, light.intensity].map(|it| Vec3::from(it).as_dvec3());
            let is_sun = light.kind == 3;
            let end = if is_sun {
                place - normal * 100_000.0
            } else {
                origin
            };
            let toward = (end - place).normalize();
            let distance = (end - place).length();
            let cosine = -toward.dot(normal);
            let [c, l, q] = light.attenuation.map(f64::from);
            let is_near = light.radius == 0.0 || distance <= f64::from(light.radius);
            let attenuated =
                f64::from(u8::from(is_near)) / (c + l * distance + q * distance * distance);
            let [inner, outer] = light.stop_dots.map(f64::from);
            let exponent = if light.exponent == 0.0 {
                1.0
            } else {
                f64::from(light.exponent)
            };
            let edge = ((cosine - outer) / (inner - outer)).clamp(0.0, 1.0);
            let share = match light.kind {
                0 => cosine.max(0.0) / (distance * distance),
                1 => attenuated,
                2 => attenuated * edge.powf(exponent) * cosine.max(0.0),
                3 => 1.0,
                4 => (l - distance).max(0.0),
                kind => panic!("{kind}"),
            };
            let met = self.first_between(place, end).map(|texinfo| {
                let texinfo = texinfo.map(|it| &level.map.texinfos[it as usize]);
                let flags = texinfo.map_or(0, |it| it.flags);
                SurfaceFlags::from_bits_retain(flags)
                    .intersects(SurfaceFlags::SKY | SurfaceFlags::SKY_2D)
            });
            let reaches = if is_sun {
                met == Some(true)
            } else {
                met.is_none()
            };
            (reaches && share > 0.0).then_some(Reaching {
                toward,
                color: intensity * share,
                is_sun,
            })
        });
        reaching.collect()
    }

    /// The texinfo of what a ray hits first.
    fn first_between(&self, from: DVec3, to: DVec3) -> Option<Option<u32>> {
        let mask = Contents::MASK_OPAQUE.bits();
        let brushes = self.brushes.iter().filter_map(|index| {
            let brush = &self.map.brushes[*index];
            let is_opaque = brush.contents.bits() & mask != 0;
            let sides =
                &self.map.brush_sides[brush.first_side as usize..][..brush.n_sides as usize];
            let (mut enter, mut leave, mut entered) = (f64::MIN, f64::MAX, None);
            for side in sides.iter().filter(|side| !side.is_bevel) {
                let plane = &self.map.planes[side.plane as usize];
                let normal = Vec3::from(plane.normal).as_dvec3();
                let [d1, d2] = [from, to].map(|it| normal.dot(it) - f64::from(plane.dist));
                let crossing = d1 / (d1 - d2);
                if d1 > 0.0 && d2 > 0.0 {
                    return None;
                } else if d1 > 0.0 && crossing > enter {
                    (enter, entered) = (crossing, Some(side.texinfo));
                } else if d1 <= 0.0 && d2 > 0.0 {
                    leave = leave.min(crossing);
                }
            }
            // What begins inside of all of it and ends there meets nothing else.
            let begins_inside = entered.is_none();
            let hits = is_opaque && !sides.is_empty() && enter < leave;
            let ends_inside = leave == f64::MAX;
            (hits && (!begins_inside || ends_inside))
                .then(|| (enter, entered.and_then(|it| u32::try_from(it).ok())))
        });
        let triangles = self.triangles.iter().filter_map(|([a, b, c], texinfo)| {
            let normal = (*b - *a).cross(*c - *a);
            let [d1, d2] = [from, to].map(|it| normal.dot(it - *a));
            let at = from + (to - from) * (d1 / (d1 - d2));
            let is_in = |[p, q]: [DVec3; 2]| (q - p).cross(at - p).dot(normal) >= 0.0;
            let hits =
                d1 > 0.0 && d2 <= 0.0 && [[*a, *b], [*b, *c], [*c, *a]].into_iter().all(is_in);
            hits.then_some((d1 / (d1 - d2), *texinfo))
        });
        let first = brushes.chain(triangles).min_by(|a, b| a.0.total_cmp(&b.0));
        first.map(|(_, texinfo)| texinfo)
    }
}

fn add_brushes(map: &BrushMap, head: i32, brushes: &mut Vec<usize>) {
    if let Ok(node) = usize::try_from(head) {
        for child in map.nodes[node].children {
            add_brushes(map, child, brushes);
        }
        return;
    }
    let leaf = &map.leaves[(-1 - head) as usize];
    let range = leaf.first_leaf_brush as usize..;
    let of_leaf = map.leaf_brushes[range]
        .iter()
        .take(leaf.n_leaf_brushes as usize);
    brushes.extend(of_leaf.map(|it| *it as usize));
}

fn triangles(world: &BrushWorld) -> Vec<([DVec3; 3], Option<u32>)> {
    let elements = (0..world.n_elements()).filter_map(|element| {
        let surface = world.surface(element)?;
        let is_displacement = matches!(surface.obstacle, Obstacle::Displacement { .. });
        is_displacement.then_some((element, surface.texinfo))
    });
    let triangles = elements.flat_map(|(element, texinfo)| {
        let corners = world.triangles_of(element).into_iter();
        corners.map(move |it| (it.map(|corner| corner.as_dvec3()), texinfo))
    });
    triangles.collect()
}
