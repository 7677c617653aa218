//! Bands through particles: a smooth line through all of them, cut into trapezoids that face the eye.

use glam::{Vec2, Vec3, Vec4};
use ironlands_scene::{Particle, Rope};

use super::{Shape, View};

/// A place on the line, and what the band has there.
#[derive(Debug, Clone, Copy)]
struct Joint {
    place: Vec3,
    /// Red, green, blue, alpha.
    color: Vec4,
    width: f32,
    /// Length of the line so far, in frames.
    along: f32,
}

/// A part of a band of one color.
pub(super) struct Piece {
    pub shape: Shape,
    pub color: [f32; 4],
}

impl View {
    /// The pieces of a band through particles at a time of their emitter.
    pub(super) fn rope(
        &self,
        rope: &Rope,
        particles: &[Particle],
        clock_secs: f64,
        mut add: impl FnMut(&Piece),
    ) {
        // The frame repeats: so does the offset.
        let offset = (clock_secs * f64::from(rope.frames_per_sec)).rem_euclid(1.0) as f32;
        let mut last: Option<Joint> = None;
        for index in 1..particles.len() {
            let around = [index.saturating_sub(2), index - 1, index, index + 1]
                .map(|it| &particles[it.min(particles.len() - 1)]);
            let first = if index == 1 { 0 } else { 1 };
            for segment in first..=rope.segments {
                let mut joint = joint_between(around, segment as f32 / rope.segments as f32);
                if let Some(last) = last {
                    let length = last.place.distance(joint.place);
                    joint.along = last.along + length / rope.frame_length;
                    self.pieces(&last, &joint, &mut add);
                } else {
                    joint.along = offset;
                }
                last = Some(joint);
            }
        }
    }

    /// A segment in as many pieces as it has frames; one for all of them where they are more than two.
    fn pieces(&self, from: &Joint, to: &Joint, add: &mut impl FnMut(&Piece)) {
        let frame = from.along.floor();
        let [first, end] = [from.along - frame, to.along - frame];
        if end <= 1.0 {
            add(&self.piece(from, to, [first, end]));
        } else if end <= 2.0 {
            let middle = from.mixed(to, (1.0 - first) / (end - first));
            add(&self.piece(from, &middle, [first, 1.0]));
            add(&self.piece(&middle, to, [0.0, end - 1.0]));
        } else {
            add(&self.piece(from, to, [0.0, 1.0]));
        }
    }

    /// `shown` is which part of the frame lies along it.
    fn piece(&self, from: &Joint, to: &Joint, shown: [f32; 2]) -> Piece {
        let center = from.place.midpoint(to.place);
        let half_y = (to.place - from.place) * 0.5;
        let width = from.width.max(to.width);
        let taper = |joint: &Joint| {
            if width > 0.0 {
                joint.width / width
            } else {
                0.0
            }
        };
        let across = self.across(half_y.normalize_or_zero(), center) * (width * 0.5);
        let [first, end] = shown;
        Piece {
            shape: Shape {
                uv: [
                    Vec2::new(0.5, first.midpoint(end)),
                    Vec2::X * 0.5,
                    Vec2::Y * ((end - first) * 0.5),
                ],
                taper: [taper(from), taper(to)],
                ..Shape::rectangle(center, across, half_y)
            },
            color: from.color.midpoint(to.color).to_array(),
        }
    }
}

impl Joint {
    fn new(particle: &Particle) -> Self {
        Self {
            place: particle.position.into(),
            color: particle.color.into(),
            width: particle.size[0].abs(),
            along: 0.0,
        }
    }

    fn mixed(&self, to: &Self, share: f32) -> Self {
        let mix = |from: f32, to: f32| from + (to - from) * share;
        Self {
            place: self.place.lerp(to.place, share),
            color: self.color.lerp(to.color, share),
            width: mix(self.width, to.width),
            along: mix(self.along, to.along),
        }
    }
}

/// Between the second and the third of four particles, on a Catmull-Rom spline through all of them.
fn joint_between(around: [&Particle; 4], share: f32) -> Joint {
    let [a, b, c, d] = around.map(|it| Vec3::from(it.position));
    let place = b
        + ((c - a) + ((a * 2.0 - b * 5.0 + c * 4.0 - d) + ((b - c) * 3.0 + d - a) * share) * share)
            * (0.5 * share);
    Joint {
        place,
        ..Joint::new(around[1]).mixed(&Joint::new(around[2]), share)
    }
}

#[cfg(test)]
mod tests {
    use ironlands_scene::{Affine, BirthPath, Birthplace, Burst, Emission, Emitter, ParticleForm};
    use ironlands_scene::{Curve, EmitterAt, EmitterState, SpriteFrame};

    use super::super::ParticleList;
    use crate::Camera;
    use glam::Vec3;

    /// A rope along a parabola from 0 0 0 over 4 4 0 to 8 0 0.
    fn rope(segments: u32, frame_length: f32, frames_per_sec: f32) -> Emitter {
        Emitter {
            emission: Emission::Bursts(vec![Burst {
                at_secs: 0.0,
                count: 9,
            }]),
            life_secs: [10.0; 2],
            birthplace: Birthplace::Path(BirthPath {
                points: [[0.0; 3], [4.0, 8.0, 0.0], [8.0, 0.0, 0.0]],
                radius: 0.0,
                count: 9,
            }),
            size: Curve::constant([0.5; 2]),
            frames: vec![SpriteFrame::default()],
            form: ParticleForm::Rope(super::Rope {
                segments,
                frame_length,
                frames_per_sec,
            }),
            ..Emitter::default()
        }
    }

    fn listed(emitter: &Emitter, secs: f64) -> ParticleList {
        let camera = Camera {
            position: Vec3::new(4.0, 2.0, 20.0),
            pitch_rad: -std::f32::consts::FRAC_PI_2,
            ..Camera::default()
        };
        let at = EmitterAt {
            clock_secs: secs,
            world_from_emitter: Affine::IDENTITY,
            velocity: [0.0; 3],
            eye: camera.position.to_array(),
            born_secs: EmitterState::EVER,
        };
        let mut list = ParticleList::default();
        list.add(emitter, &[], &at, &camera);
        list
    }

    #[test]
    fn a_rope_leads_through_its_particles_without_gaps() {
        let list = listed(&rope(4, 1.0e6, 0.0), 1.0);
        assert_eq!(list.quads.len(), 8 * 4);
        let ends = |index: usize| {
            let quad = &list.quads[index];
            let [center, along] = [quad.center_in_eye, quad.half_y].map(Vec3::from);
            [center - along, center + along].map(|it| it + Vec3::new(4.0, 2.0, 20.0))
        };
        for index in 0..32 {
            let [start, end] = ends(index);
            // A spline through points of a parabola at equal distances is that parabola but in its first and last segment.
            let is_inner = (4..28).contains(&index);
            let on = start.x * (8.0 - start.x) / 4.0;
            let tolerance = if is_inner { 1e-3 } else { 0.1 };
            assert!((start.y - on).abs() < tolerance, "{index}: {start}");
            if index + 1 < 32 {
                assert!(end.distance(ends(index + 1)[0]) < 1e-4, "{index}");
            }
        }
        assert!(ends(31)[1].distance(Vec3::new(8.0, 0.0, 0.0)) < 1e-4);
        assert!(list.quads.iter().all(|it| {
            let across = Vec3::from(it.half_x);
            (across.length() - 0.25).abs() < 1e-3 && across.z.abs() < 0.1
        }));
    }

    #[test]
    fn its_frame_repeats_along_it_and_moves() {
        let shown = |list: &ParticleList| -> Vec<[f32; 2]> {
            let of = |quad: &super::super::QuadVertex| {
                let middle = f32::from(quad.uv_center[1]) / 65_535.0;
                let half = f32::from(quad.uv_half[3]) / 32_767.0;
                [middle - half, middle + half]
            };
            list.quads.iter().map(of).collect()
        };
        for secs in [0.0, 1.5] {
            let list = listed(&rope(4, 1.5, 0.5), secs);
            let shown = shown(&list);
            let [first, _] = shown[0];
            assert!((f64::from(first) - 0.5 * secs).abs() < 1e-3);
            let mut length = 0.0;
            for (index, [from, to]) in shown.iter().enumerate() {
                assert!(*from > -1e-3 && from <= to && *to < 1.001, "{from} {to}");
                if let Some([next, _]) = shown.get(index + 1) {
                    let is_next = (next - to).abs() < 1e-3 || (*to > 0.999 && *next < 1e-3);
                    assert!(is_next, "{index}: {to} {next}");
                }
                length += to - from;
            }
            // Length of the parabola: 2 * integral of sqrt(1 + x^2 / 4) from 0 to 4, which is 4 sqrt(5) + 2 asinh(2).
            let expected = (4.0 * 5f32.sqrt() + 2.0 * 2f32.asinh()) / 1.5;
            assert!(
                (length - expected).abs() < 0.03 * expected,
                "{length} {expected}"
            );
        }
    }

    #[test]
    fn one_particle_is_no_rope() {
        let mut one = rope(4, 1.0, 0.0);
        one.emission = Emission::Bursts(vec![Burst {
            at_secs: 0.0,
            count: 1,
        }]);
        assert_eq!(listed(&one, 1.0).quads.len(), 0);
    }
}
