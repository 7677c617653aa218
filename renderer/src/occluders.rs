//! What polygons hide from an eye. Plain arithmetic, no GPU.

use glam::{Vec3, Vec4};
use ironlands_scene::{CullingState, Occluder};

/// Most planes that each instance is tested against; with more, nothing is hidden.
const MAX_PLANES: usize = 1 << 12;

/// What is behind the active polygons of a scene; kept between frames for its memory.
#[derive(Debug, Default)]
pub(crate) struct HiddenSpaces {
    /// Of all spaces, one after the other. `xyz` points into the space and has unit length.
    planes: Vec<Vec4>,
    /// Where each begins in `planes`, and where the last ends.
    ends: Vec<usize>,
}

impl HiddenSpaces {
    /// Nothing is hidden.
    pub fn clear(&mut self) {
        self.planes.clear();
        self.ends.clear();
    }

    /// What polygons hide from an eye.
    pub fn update(&mut self, occluders: &[Occluder], culling: &CullingState, eye: Vec3) {
        self.clear();
        for (index, occluder) in occluders.iter().enumerate() {
            let is_active = culling.active_occluders.get(index);
            if *is_active.unwrap_or(&occluder.is_active) {
                for polygon in &occluder.polygons {
                    self.add(polygon, eye);
                    if self.planes.len() > MAX_PLANES {
                        self.clear();
                        return;
                    }
                }
            }
        }
    }

    /// The space behind a polygon; none for an eye in its plane, or a polygon without an area.
    fn add(&mut self, polygon: &[[f32; 3]], eye: Vec3) {
        let corners = || polygon.iter().copied().map(Vec3::from);
        let Some(first) = corners().next() else {
            return;
        };
        let edges = || corners().zip(corners().cycle().skip(1));
        // Newell's sum has the area as its length, and does not mind corners on one line.
        let sum: Vec3 = edges().map(|(a, b)| (a - first).cross(b - first)).sum();
        let Some(normal) = sum.try_normalize() else {
            return;
        };
        let height = normal.dot(eye - first);
        if height == 0.0 {
            return;
        }
        // Away from the eye.
        let away = if height > 0.0 { -normal } else { normal };
        let start = self.planes.len();
        self.planes.push(away.extend(-away.dot(first)));
        for (a, b) in edges() {
            let inward = (a - eye).cross(b - eye) * -height.signum();
            match inward.try_normalize() {
                Some(inward) => self.planes.push(inward.extend(-inward.dot(eye))),
                // Two corners at one place, or an eye on the line of an edge.
                None if a == b => {}
                None => {
                    self.planes.truncate(start);
                    return;
                }
            }
        }
        self.ends.push(self.planes.len());
    }

    /// Whether a ball is hidden: all of it is behind one polygon.
    pub fn hide_ball(&self, center: Vec3, radius: f32) -> bool {
        let center = center.extend(1.0);
        let mut start = 0;
        self.ends.iter().any(|&end| {
            let planes = &self.planes[start..end];
            start = end;
            planes.iter().all(|plane| plane.dot(center) >= radius)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A wall across X at 10, from -4 to 4 along Y and from 0 to 6 along Z.
    fn wall() -> Occluder {
        let corner = |y: f32, z: f32| [10.0, y, z];
        Occluder {
            polygons: vec![vec![
                corner(-4.0, 0.0),
                corner(4.0, 0.0),
                // On an edge.
                corner(4.0, 3.0),
                corner(4.0, 6.0),
                corner(-4.0, 6.0),
            ]],
            is_active: true,
        }
    }

    fn hides(occluder: &Occluder, active: &[bool], eye: Vec3, center: Vec3, radius: f32) -> bool {
        let culling = CullingState {
            active_occluders: active.to_vec(),
            ..CullingState::default()
        };
        let mut hidden = HiddenSpaces::default();
        hidden.update(std::slice::from_ref(occluder), &culling, eye);
        hidden.hide_ball(center, radius)
    }

    #[test]
    fn balls_behind_a_wall_are_hidden() {
        let wall = wall();
        let eye = Vec3::new(0.0, 0.0, 3.0);
        for (name, center, radius, expected) in [
            ("behind", Vec3::new(20.0, 0.0, 3.0), 2.0, true),
            ("before", Vec3::new(5.0, 0.0, 3.0), 1.0, false),
            ("in it", Vec3::new(10.5, 0.0, 3.0), 1.0, false),
            ("beside", Vec3::new(20.0, 12.0, 3.0), 1.0, false),
            ("over its edge", Vec3::new(20.0, 7.5, 3.0), 1.0, false),
            ("above", Vec3::new(20.0, 0.0, 9.5), 1.0, false),
            ("nowhere", Vec3::NAN, 1.0, false),
        ] {
            assert_eq!(hides(&wall, &[], eye, center, radius), expected, "{name}");
        }
        let behind = Vec3::new(20.0, 0.0, 3.0);
        assert!(!hides(&wall, &[false], eye, behind, 1.0), "switched off");
        let other_side = Vec3::new(30.0, 0.0, 3.0);
        assert!(hides(&wall, &[], other_side, Vec3::new(5.0, 0.0, 3.0), 1.0));
        let in_its_plane = Vec3::new(10.0, 20.0, 3.0);
        assert!(!hides(&wall, &[], in_its_plane, behind, 1.0));
        let off = Occluder {
            is_active: false,
            ..wall
        };
        assert!(!hides(&off, &[], eye, behind, 1.0));
        assert!(hides(&off, &[true], eye, behind, 1.0));
    }

    #[test]
    fn lines_to_all_of_a_hidden_ball_cross_the_wall() {
        let wall = wall();
        let [mut n_hidden, mut n_open] = [0, 0];
        for step in 0..3000u32 {
            let eye = Vec3::new(
                (step % 9) as f32,
                (step % 13) as f32 - 6.0,
                (step % 5) as f32,
            );
            let center = Vec3::new(
                8.0 + (step % 17) as f32,
                (step % 29) as f32 - 14.0,
                (step % 11) as f32,
            );
            let is_hidden = hides(&wall, &[], eye, center, 1.0);
            n_hidden += u32::from(is_hidden);
            n_open += u32::from(!is_hidden);
            let crosses = |point: Vec3| {
                let at = eye.lerp(point, (10.0 - eye.x) / (point.x - eye.x));
                let is_behind = point.x > 10.0 - 1e-3;
                is_behind && at.y.abs() <= 4.001 && (-0.001..=6.001).contains(&at.z)
            };
            let around = (0..100u32).map(|number| {
                let [turn, rise] = [number % 10, number / 10].map(|it| it as f32 * 0.65);
                center + Vec3::new(turn.cos() * rise.cos(), turn.sin() * rise.cos(), rise.sin())
            });
            assert!(!is_hidden || around.clone().all(crosses), "{eye} {center}");
        }
        assert!(n_hidden > 100 && n_open > 100, "{n_hidden} {n_open}");
    }
}
