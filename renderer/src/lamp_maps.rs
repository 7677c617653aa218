//! Which lamps throw shadows, and what they see: six square maps around each, one for each side of a cube. Plain
//! arithmetic, no GPU.

use bytemuck::{Pod, Zeroable};
use glam::{Mat4, Vec3, Vec4};
use ironlands_scene::Light;

use crate::cull::Frustum;

/// Lamps that throw shadows at a time.
pub(crate) const N_LAMPS: usize = 4;
pub(crate) const N_SIDES: usize = 6;

/// A lamp farther from the eye than this many times its range throws none: what it lights is small in the picture.
const FARTHEST: f32 = 8.0;
/// Shadows fade in over this part of the distance at which a lamp is the last to throw some.
const FADE: f32 = 0.25;
/// Maps begin at this part of a lamp's range: what is nearer carries the lamp or is its flame, and hides nothing.
const NEAR_PART: f32 = 0.1;

/// `shared/local_lights.wgsl`, `LampShadows`. A lamp that is not there has a strength of 0.
#[derive(Debug, Clone, Copy, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct LampShadowsUniform {
    /// Indices into the lights of the frame.
    pub lights: [u32; N_LAMPS],
    /// How much of the light that something hides is missing.
    pub strengths: [f32; N_LAMPS],
    pub near: [f32; N_LAMPS],
}

impl LampShadowsUniform {
    /// Whether a light of the frame throws shadows.
    pub fn has(&self, light: u32) -> bool {
        let mut lamps = self.lights.iter().zip(self.strengths);
        lamps.any(|(lamp, strength)| *lamp == light && strength > 0.0)
    }

    /// Whether any does.
    pub fn is_any(&self) -> bool {
        self.strengths.iter().any(|it| *it > 0.0)
    }
}

/// A lamp in view.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct LampInView {
    /// Index into the lights of the scene.
    pub light: usize,
    /// Index into those of the frame.
    pub index: u32,
    /// From the eye, in ranges of the lamp.
    pub distance: f32,
}

/// Which lamps have maps; kept between frames, so that maps are.
#[derive(Debug, Default)]
pub(crate) struct LampSlots {
    /// Indices into the lights of the scene.
    lamps: [Option<usize>; N_LAMPS],
}

impl LampSlots {
    /// Chooses the nearest of the lamps in view; those that had maps before keep them.
    pub fn choose(&mut self, in_view: &mut [LampInView], lights: &[Light]) -> LampShadowsUniform {
        in_view.sort_unstable_by(|a, b| {
            let by_distance = a.distance.total_cmp(&b.distance);
            by_distance.then(a.light.cmp(&b.light))
        });
        // The nearest that throws none is where those before it fade out.
        let end = in_view.get(N_LAMPS).map_or(FARTHEST, |it| it.distance);
        let end = end.min(FARTHEST);
        let nearest = in_view.iter().take(N_LAMPS);
        let chosen = || nearest.clone().filter(|it| it.distance < end);
        for lamp in &mut self.lamps {
            *lamp = lamp.filter(|lamp| chosen().any(|it| it.light == *lamp));
        }
        let mut uniform = LampShadowsUniform::default();
        for it in chosen() {
            let known = self.lamps.iter().position(|lamp| *lamp == Some(it.light));
            let free = || self.lamps.iter().position(Option::is_none);
            let Some(slot) = known.or_else(free) else {
                continue;
            };
            self.lamps[slot] = Some(it.light);
            uniform.lights[slot] = it.index;
            uniform.strengths[slot] = ((end - it.distance) / (FADE * end)).min(1.0);
            uniform.near[slot] = near(&lights[it.light]);
        }
        uniform
    }

    /// The lamp of each slot, as an index into the lights of the scene.
    pub fn lamps(&self) -> [Option<usize>; N_LAMPS] {
        self.lamps
    }
}

fn near(light: &Light) -> f32 {
    light.range * NEAR_PART
}

/// What a lamp sees to one side.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LampView {
    /// "Eye" is the lamp.
    pub clip_from_eye: Mat4,
    pub frustum: Frustum,
}

impl LampView {
    /// Sides are +x, -x, +y, -y, +z, -z; in each map one axis grows to the right and one upward: y and z, x and z, or x
    /// and y.
    pub fn new(light: &Light, side: usize) -> Self {
        let [ahead, right, up] = match side / 2 {
            0 => [Vec3::X, Vec3::Y, Vec3::Z],
            1 => [Vec3::Y, Vec3::X, Vec3::Z],
            _ => [Vec3::Z, Vec3::X, Vec3::Y],
        };
        let ahead = if side.is_multiple_of(2) {
            ahead
        } else {
            -ahead
        };
        let row = |axis: Vec3| axis.extend(0.0);
        let near_row = Vec4::new(0.0, 0.0, 0.0, near(light));
        let position = Vec3::from(light.position);
        let plane = |inward: Vec3| {
            let inward = inward.normalize();
            inward.extend(-inward.dot(position))
        };
        let far = (-ahead).extend(ahead.dot(position) + light.range);
        Self {
            clip_from_eye: Mat4::from_cols(row(right), row(up), near_row, row(ahead)).transpose(),
            frustum: Frustum::from_planes([
                plane(ahead + right),
                plane(ahead - right),
                plane(ahead + up),
                plane(ahead - up),
                far,
            ]),
        }
    }
}

/// Whether a ball is within reach of a lamp.
pub(crate) fn reaches(light: &Light, [x, y, z, radius]: [f32; 4]) -> bool {
    let distance = Vec3::new(x, y, z).distance(light.position.into());
    distance < light.range + radius
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lights(n: usize) -> Vec<Light> {
        vec![Light::default(); n]
    }

    fn in_view(distances: &[f32]) -> Vec<LampInView> {
        let lamps = (0..).zip(distances).map(|(light, distance)| LampInView {
            light,
            index: light as u32 + 100,
            distance: *distance,
        });
        lamps.collect()
    }

    #[test]
    fn the_nearest_lamps_have_shadows_and_keep_their_maps() {
        let mut slots = LampSlots::default();
        let lights = lights(6);
        slots.choose(&mut in_view(&[5.0, 1.0, 2.0, 3.0, 4.0, 6.0]), &lights);
        let mut before = slots.lamps();
        before.sort_unstable();
        assert_eq!(before, [1, 2, 3, 4].map(Some));
        let before = slots.lamps();
        // Lamp 0 comes nearer than lamp 4.
        let uniform = slots.choose(&mut in_view(&[3.5, 1.0, 2.0, 3.0, 4.0, 6.0]), &lights);
        for (slot, lamp) in before.into_iter().enumerate() {
            let expected = if lamp == Some(4) { Some(0) } else { lamp };
            assert_eq!(slots.lamps()[slot], expected);
            assert_eq!(uniform.lights[slot], expected.unwrap() as u32 + 100);
        }
    }

    #[test]
    fn shadows_fade_out_before_their_lamp_has_none() {
        let lights = lights(5);
        let strength_of = |distances: &[f32], lamp| {
            let mut slots = LampSlots::default();
            let uniform = slots.choose(&mut in_view(distances), &lights);
            let slot = slots.lamps().iter().position(|it| *it == Some(lamp));
            slot.map(|slot| uniform.strengths[slot])
        };
        assert_eq!(strength_of(&[0.5], 0), Some(1.0));
        assert_eq!(strength_of(&[0.5 * FARTHEST], 0), Some(1.0));
        assert_eq!(strength_of(&[FARTHEST * (1.0 - 0.5 * FADE)], 0), Some(0.5));
        assert_eq!(strength_of(&[FARTHEST], 0), None);
        // The fifth takes the place of the fourth where they are equally far.
        let just_before = strength_of(&[0.1, 0.2, 0.3, 0.999, 1.0], 3).unwrap();
        assert!(just_before < 0.01, "{just_before}");
        assert_eq!(strength_of(&[0.1, 0.2, 0.3, 1.0, 1.0], 3), None);
        assert_eq!(strength_of(&[0.1, 0.2, 0.3, 0.4, 1.0], 4), None);
    }

    #[test]
    fn every_place_within_range_is_in_the_map_of_its_largest_axis() {
        let light = Light {
            position: [10.0, -20.0, 5.0],
            range: 8.0,
            ..Light::default()
        };
        for i in 0..2000u16 {
            let turn = f32::from(i) * 0.7;
            let direction = Vec3::new(turn.cos(), turn.sin(), (turn * 0.37).sin()).normalize();
            let way = direction * (0.1 + 7.8 * f32::from(i % 97) / 97.0);
            let size = way.abs();
            let largest = size.max_element();
            let axis = size
                .to_array()
                .iter()
                .position(|it| *it == largest)
                .unwrap();
            let side = 2 * axis + usize::from(way[axis] < 0.0);
            let view = LampView::new(&light, side);
            assert!(
                view.frustum
                    .may_see_ball(way + Vec3::from(light.position), 1e-4)
            );
            let clip = view.clip_from_eye * way.extend(1.0);
            // As the shader looks it up.
            let flat = [[way.y, way.z], [way.x, way.z], [way.x, way.y]][axis];
            let expected = [flat[0] / largest, flat[1] / largest, near(&light) / largest];
            for (found, expected) in [clip.x, clip.y, clip.z].iter().zip(expected) {
                assert!(
                    (found / clip.w - expected).abs() < 1e-5,
                    "{clip}, {expected}"
                );
            }
            let behind = LampView::new(&light, side ^ 1);
            assert!(
                !behind
                    .frustum
                    .may_see_ball(way + Vec3::from(light.position), 0.0)
            );
        }
    }

    #[test]
    fn a_ball_that_touches_the_range_is_reached() {
        let light = Light {
            range: 5.0,
            ..Light::default()
        };
        assert!(reaches(&light, [7.0, 0.0, 0.0, 2.1]));
        assert!(!reaches(&light, [7.0, 0.0, 0.0, 1.9]));
        assert!(!reaches(&light, [f32::NAN; 4]), "what shows nothing");
    }
}
