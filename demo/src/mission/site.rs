//! A mission as it grows: the placed objects, and what is kept free.

use ironlands_assets_parkan::mission::{Mission, Object, Path, Property};

use super::ground::Ground;
use crate::noise::hash2;

/// Circles that nothing else may reach into, and the objects so far.
pub struct Site<'a> {
    pub ground: &'a Ground,
    pub mission: Mission,
    taken: Vec<([f64; 2], f64)>,
}

/// An object to be.
#[derive(Debug, Clone, Copy)]
pub struct Plan {
    /// Kind of the object: 0 building, 1 machine, 2 plant or prop, 3 stone.
    pub kind: u32,
    pub resource: &'static str,
    pub clan: i32,
    /// Radius that it needs for itself.
    pub radius: f64,
    /// Radians about the z axis.
    pub turn: f64,
    pub scale: f64,
}

/// How an object moves; our own convention, no known file has such properties.
#[derive(Debug, Clone, Copy)]
pub struct Clip {
    pub first: u32,
    pub last: u32,
    /// Frames a second.
    pub rate: f64,
}

impl<'a> Site<'a> {
    pub fn new(ground: &'a Ground, mission: Mission) -> Self {
        Self {
            ground,
            mission,
            taken: Vec::new(),
        }
    }

    /// Whether a circle is free of everything that stands already.
    pub fn is_free(&self, [x, y]: [f64; 2], radius: f64) -> bool {
        self.taken.iter().all(|([ox, oy], other)| {
            let (dx, dy, reach) = (x - ox, y - oy, radius + other);
            dx * dx + dy * dy >= reach * reach
        })
    }

    /// Keeps a circle free.
    pub fn take(&mut self, at: [f64; 2], radius: f64) {
        self.taken.push((at, radius));
    }

    /// The place nearest to a wish where a circle of ground is dry, free, off the road and even: no sample of its
    /// rim is more than `step` above or below the middle.
    pub fn level_place(&self, wish: [f64; 2], radius: f64, step: f64) -> Option<[f64; 2]> {
        for ring in 0..40 {
            for k in 0..24 {
                let [ux, uy] = crate::models::direction(15.0 * f64::from(k));
                let far = 3.0 * f64::from(ring);
                let at = [wish[0] + far * ux, wish[1] + far * uy];
                if self.is_free(at, radius) && self.is_even(at, radius, step) {
                    return Some(at);
                }
            }
        }
        None
    }

    fn is_even(&self, [x, y]: [f64; 2], radius: f64, step: f64) -> bool {
        let Some(middle) = self.ground.dry(x, y, 1.0) else {
            return false;
        };
        (0..24).all(|k| {
            let [ux, uy] = crate::models::direction(30.0 * f64::from(k));
            // An inner and an outer ring.
            let far = if k < 12 { radius } else { 0.5 * radius };
            let spot = self.ground.dry(x + far * ux, y + far * uy, 1.0);
            spot.is_some_and(|spot| (spot.z - middle.z).abs() <= step && !spot.is_road)
        })
    }

    /// Puts an object on the ground at a place that is known to be dry, and returns it for its properties.
    pub fn put(&mut self, plan: Plan, at: [f64; 2]) -> &mut Object {
        let [x, y] = at;
        let spot = self.ground.at(x, y).expect("the place is on the level");
        self.take(at, plan.radius);
        let order = self.mission.objects.len() as u32 + 1;
        self.mission.objects.push(Object {
            kind_word: plan.kind,
            resource: plan.resource.as_bytes().to_vec(),
            clan_idx: plan.clan,
            order,
            position: [x as f32, y as f32, spot.z as f32],
            orientation: [0.0, 0.0, plan.turn as f32],
            scale: [plan.scale as f32; 3],
            ..Object::default()
        });
        self.mission.objects.last_mut().expect("it was put there")
    }

    /// A closed path around a middle, as near to a wish as the ground allows; its id.
    pub fn loop_path(&mut self, wish: [f64; 2], radii: [f64; 2]) -> Option<i32> {
        for ring in 0..30 {
            for k in 0..16 {
                let [ux, uy] = crate::models::direction(22.5 * f64::from(k));
                let far = 6.0 * f64::from(ring);
                let points = self.round([wish[0] + far * ux, wish[1] + far * uy], radii);
                let Some(points) = points else { continue };
                for [x, y, _] in &points {
                    self.take([f64::from(*x), f64::from(*y)], PATH_WIDTH);
                }
                let id = self.mission.paths.len() as i32 + 1;
                self.mission.paths.push(Path { id, points });
                return Some(id);
            }
        }
        None
    }

    /// Points of an uneven oval on walkable ground, about ten units apart.
    fn round(&self, [x, y]: [f64; 2], [rx, ry]: [f64; 2]) -> Option<Vec<[f32; 3]>> {
        let n = ((rx + ry) * std::f64::consts::PI / 10.0) as u32;
        let point = |k: u32| {
            let degrees = 360.0 * f64::from(k) / f64::from(n);
            let [ux, uy] = crate::models::direction(degrees);
            let [bulge, _] = crate::models::direction(3.0 * degrees);
            let swell = 1.0 + 0.08 * bulge;
            let at = [x + rx * swell * ux, y + ry * swell * uy];
            let spot = self.ground.dry(at[0], at[1], 0.3)?;
            let is_free = self.is_free(at, PATH_WIDTH);
            is_free.then_some([at[0] as f32, at[1] as f32, spot.z as f32])
        };
        (0..n).map(point).collect()
    }
}

/// What a walker needs to each side of its path.
const PATH_WIDTH: f64 = 4.5;

/// Gives an object a clip to loop, each from a frame of its own, so that a wood does not sway as one.
pub fn set_clip(object: &mut Object, clip: Clip) {
    let [x, y, _] = object.position.map(f32::to_bits);
    let start = lot(x, y) * f64::from(clip.last - clip.first);
    object.properties.extend([
        Property::int("Ironlands.ClipFirst", [clip.first as i32; 3]),
        Property::int("Ironlands.ClipLast", [clip.last as i32; 3]),
        Property::float("Ironlands.ClipRate", [clip.rate as f32; 3]),
        Property::float("Ironlands.ClipStart", [start as f32; 3]),
    ]);
}

/// Sends an object along a path at a speed in units a second, from `start` units behind its first point.
pub fn set_path(object: &mut Object, path: i32, speed: f64, start: f64) {
    object.properties.extend([
        Property::int("Ironlands.Path", [path; 3]),
        Property::float("Ironlands.PathSpeed", [speed as f32; 3]),
        Property::float("Ironlands.PathStart", [start as f32; 3]),
    ]);
}

/// A number `0.0..1.0` that belongs to a count.
pub fn lot(seed: u32, k: u32) -> f64 {
    crate::noise::unit(hash2(seed, k as i32, 0x1015))
}
