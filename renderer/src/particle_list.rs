//! The particles of a frame as rectangles, far ones before near ones. Plain arithmetic, no GPU.

mod rope;

use bytemuck::{Pod, Zeroable};
use glam::{Vec2, Vec3, Vec3Swizzles};
use half::f16;
use ironlands_scene::{
    Affine, Beam, Emission, Emitter, EmitterAt, FoliagePatch, LightStyle, Particle, ParticleBlend,
    ParticleForm, Rope,
};

use crate::{Camera, FrameState, radix_sort::RadixSort, scene_upload::GpuFoliage};

const FLAG_ADDS: u32 = 1 << 16;
const FLAG_LIT: u32 = 1 << 17;
const FLAG_FOGGED: u32 = 1 << 18;
const FLAG_LINEAR: u32 = 1 << 19;

/// A rectangle, or a trapezoid, as the device wants it: an instance of `particle.wgsl`.
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct QuadVertex {
    pub center_in_eye: [f32; 3],
    /// From the middle to the right edge.
    pub half_x: [f32; 3],
    /// From the middle to the upper edge.
    pub half_y: [f32; 3],
    /// Red, green, blue, alpha; bits of half floats.
    pub color: [u16; 4],
    /// Middle of what is shown of the texture, from 0 to 1.
    pub uv_center: [u16; 2],
    /// What `half_x` and `half_y` are in the texture, from -1 to 1.
    pub uv_half: [i16; 4],
    /// Layer of the texture, and flags.
    pub layer_and_flags: u32,
    /// Width of the lower and of the upper edge, as shares of the width.
    pub taper: [u8; 2],
    /// Bits of a half float.
    pub softness: u16,
}

/// The particles of a frame; kept between frames for its memory.
#[derive(Debug, Clone, Default)]
pub struct ParticleList {
    quads: Vec<QuadVertex>,
    order: RadixSort,
    /// Those of one rope.
    joints: Vec<Particle>,
}

impl ParticleList {
    /// Forgets all particles.
    pub fn clear(&mut self) {
        self.quads.clear();
        self.order.clear();
    }

    /// Adds the particles of an emitter, as they are seen from the place of the camera. `layers` has the layer of each frame;
    /// a frame without one has layer 0.
    pub fn add(&mut self, emitter: &Emitter, layers: &[u32], at: &EmitterAt, camera: &Camera) {
        let view = View::new(camera);
        if let ParticleForm::Rope(rope) = &emitter.form {
            return self.add_rope(&view, rope, emitter, layers, at);
        }
        emitter.for_each_particle(at, |particle| {
            if particle.color[3] <= 0.0 {
                return;
            }
            let appearance = Appearance::new(emitter, layers, particle.frame, particle.color);
            let mut add = |shape: &Shape| self.push(&view, &appearance, shape);
            match &emitter.form {
                ParticleForm::Sprite => add(&view.sprite(particle, view.right, view.up)),
                ParticleForm::Upright => add(&view.upright(particle)),
                ParticleForm::Flat => {
                    let axis = |unit| Vec3::from(at.world_from_emitter.transform_vector(unit));
                    let [x, y] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]].map(axis);
                    let [x, y] = [x, y].map(Vec3::normalize_or_zero);
                    add(&view.sprite(particle, x, y));
                }
                ParticleForm::Streak { secs } => add(&view.streak(particle, *secs)),
                ParticleForm::Dome { segments, rings } => {
                    dome(particle, &at.world_from_emitter, [*segments, *rings], add);
                }
                ParticleForm::Beam(beam) => {
                    view.beam(beam, particle, at, add);
                }
                // All of its particles are one band.
                ParticleForm::Rope(_) => {}
            }
        });
    }

    fn add_rope(
        &mut self,
        view: &View,
        rope: &Rope,
        emitter: &Emitter,
        layers: &[u32],
        at: &EmitterAt,
    ) {
        let mut joints = std::mem::take(&mut self.joints);
        joints.clear();
        emitter.for_each_particle(at, |particle| joints.push(*particle));
        // Of those that are always as many each begins in its own time.
        if matches!(emitter.emission, Emission::Steady { .. }) && !emitter.is_in_turn() {
            joints.sort_by(|a, b| b.secs.total_cmp(&a.secs));
        }
        let frame = joints.first().map_or(0, |it| it.frame);
        view.rope(rope, &joints, at.clock_secs, |piece| {
            if piece.color[3] > 0.0 {
                let appearance = Appearance::new(emitter, layers, frame, piece.color);
                self.push(view, &appearance, &piece.shape);
            }
        });
        self.joints = joints;
    }

    /// Adds the sprites of a patch of foliage, as they are seen from the place of the camera.
    pub(crate) fn add_patch(
        &mut self,
        GpuFoliage { foliage, layers }: &GpuFoliage,
        patch: &FoliagePatch,
        state: &FrameState,
        styles: &[LightStyle],
    ) {
        let view = View::new(&state.camera);
        let (eye, secs) = (state.camera.position.to_array(), state.time_secs);
        foliage.for_each_standing(patch, eye, secs, styles, |sprite| {
            let frame = &foliage.frames[sprite.frame as usize];
            let [r, g, b] = sprite.light;
            let [corner, end] = [frame.min, frame.max].map(Vec2::from);
            let appearance = Appearance {
                color: [r, g, b, sprite.alpha].map(half),
                corner,
                size: end - corner,
                layer_and_flags: layers[sprite.frame as usize] | FLAG_FOGGED | FLAG_LINEAR,
                softness: 0,
            };
            let [center, half_x, half_y] =
                [sprite.center, sprite.half_x, sprite.half_y].map(Vec3::from);
            self.push(
                &view,
                &appearance,
                &Shape::rectangle(center, half_x, half_y),
            );
        });
    }

    /// Puts far particles before near ones.
    pub fn sort(&mut self) {
        self.order.sort();
    }

    /// Number of rectangles.
    pub fn len(&self) -> usize {
        self.quads.len()
    }

    /// Whether nothing is seen of any particle.
    pub fn is_empty(&self) -> bool {
        self.quads.is_empty()
    }

    /// How far the rectangles are from the camera, in their order: squares.
    pub fn distances_sq(&self) -> impl ExactSizeIterator<Item = f32> {
        self.sorted()
            .map(|quad| Vec3::from(quad.center_in_eye).length_squared())
    }

    /// The rectangles in their order.
    pub(crate) fn sorted(&self) -> impl ExactSizeIterator<Item = &QuadVertex> {
        self.order.values().map(|index| &self.quads[index as usize])
    }

    /// Whether any of them fades out before surfaces.
    pub(crate) fn is_any_soft(&self) -> bool {
        self.quads.iter().any(|quad| quad.softness != 0)
    }

    /// Whether any of them is light of its own.
    pub(crate) fn is_any_glowing(&self) -> bool {
        let glows = |quad: &QuadVertex| quad.layer_and_flags & (FLAG_ADDS | FLAG_LIT) == FLAG_ADDS;
        self.quads.iter().any(glows)
    }

    /// How many of the sorted rectangles are farther away than this.
    pub(crate) fn n_beyond(&self, distance_sq: f32) -> usize {
        self.order.n_below(nearness(distance_sq))
    }

    /// Adds a rectangle unless all of it is behind the eye.
    fn push(&mut self, view: &View, appearance: &Appearance, shape: &Shape) {
        let Shape {
            center,
            half_x,
            half_y,
            uv,
            taper,
        } = *shape;
        let center_in_eye = center - view.eye;
        let reach = half_x.abs() + half_y.abs();
        if view.forward.dot(center_in_eye) + view.forward.abs().dot(reach) <= 0.0 {
            return;
        }
        let distance_sq = center_in_eye.length_squared();
        if !(distance_sq.is_finite() && reach.is_finite()) {
            return;
        }
        self.order
            .push(nearness(distance_sq), self.quads.len() as u32);
        let [uv_center, uv_x, uv_y] = uv;
        let uv_half = [uv_x.x, uv_x.y, uv_y.x, uv_y.y];
        self.quads.push(QuadVertex {
            center_in_eye: center_in_eye.to_array(),
            half_x: half_x.to_array(),
            half_y: half_y.to_array(),
            color: appearance.color,
            uv_center: appearance.placed(uv_center).to_array().map(unorm),
            uv_half: [
                uv_half[0] * appearance.size.x,
                uv_half[1] * appearance.size.y,
                uv_half[2] * appearance.size.x,
                uv_half[3] * appearance.size.y,
            ]
            .map(snorm),
            layer_and_flags: appearance.layer_and_flags,
            taper: taper.map(|share| (share.clamp(0.0, 1.0) * 255.0).round() as u8),
            softness: appearance.softness,
        });
    }
}

/// What falls with the distance, so that the farthest comes first: bits of floats from 0 up rise like the floats.
fn nearness(distance_sq: f32) -> u32 {
    !distance_sq.to_bits()
}

fn half(value: f32) -> u16 {
    f16::from_f32(value).to_bits()
}

fn unorm(value: f32) -> u16 {
    (value.clamp(0.0, 1.0) * 65_535.0).round() as u16
}

fn snorm(value: f32) -> i16 {
    (value.clamp(-1.0, 1.0) * 32_767.0).round() as i16
}

/// What all rectangles of a particle share.
struct Appearance {
    color: [u16; 4],
    /// Upper left corner of its frame, and from there to the lower right one.
    corner: Vec2,
    size: Vec2,
    layer_and_flags: u32,
    softness: u16,
}

impl Appearance {
    fn new(emitter: &Emitter, layers: &[u32], frame: u32, color: [f32; 4]) -> Self {
        let layer = layers.get(frame as usize).copied().unwrap_or(0);
        let frame = &emitter.frames[frame as usize];
        let flags = [
            (emitter.blend == ParticleBlend::Add, FLAG_ADDS),
            (emitter.is_lit, FLAG_LIT),
            (emitter.is_fogged, FLAG_FOGGED),
        ];
        let flags = flags.iter().filter(|(on, _)| *on);
        let [corner, end] = [frame.min, frame.max].map(Vec2::from);
        Self {
            color: color.map(half),
            corner,
            size: end - corner,
            layer_and_flags: flags.fold(layer, |all, (_, flag)| all | flag),
            softness: half(emitter.softness),
        }
    }

    /// Where a point of the whole frame is in the texture.
    fn placed(&self, uv: Vec2) -> Vec2 {
        self.corner + self.size * uv
    }
}

/// A rectangle or trapezoid in the world.
struct Shape {
    center: Vec3,
    half_x: Vec3,
    half_y: Vec3,
    /// Of the frame: what the middle shows, and how it changes to the right and to the upper edge.
    uv: [Vec2; 3],
    /// Shares of the width that the lower and the upper edge have.
    taper: [f32; 2],
}

impl Shape {
    /// A rectangle that shows all of its frame.
    fn rectangle(center: Vec3, half_x: Vec3, half_y: Vec3) -> Self {
        Self {
            center,
            half_x,
            half_y,
            uv: [Vec2::splat(0.5), Vec2::X * 0.5, Vec2::Y * -0.5],
            taper: [1.0; 2],
        }
    }
}

/// From where particles are seen.
struct View {
    eye: Vec3,
    forward: Vec3,
    right: Vec3,
    up: Vec3,
}

impl View {
    fn new(camera: &Camera) -> Self {
        Self {
            eye: camera.position,
            forward: camera.forward(),
            right: camera.right(),
            up: camera.up(),
        }
    }

    /// Across two unit vectors, turned by its angle.
    fn sprite(&self, particle: &Particle, right: Vec3, up: Vec3) -> Shape {
        let (sin, cos) = particle.angle_rad.sin_cos();
        let [half_width, half_height] = particle.size.map(|side| side * 0.5);
        Shape::rectangle(
            particle.position.into(),
            (right * cos + up * sin) * half_width,
            (up * cos - right * sin) * half_height,
        )
    }

    fn upright(&self, particle: &Particle) -> Shape {
        let to_eye = self.eye - Vec3::from(particle.position);
        let across = Vec2::new(-to_eye.y, to_eye.x).try_normalize();
        let right = across.map_or(self.right, |across| across.extend(0.0));
        self.sprite(particle, right, Vec3::Z)
    }

    fn streak(&self, particle: &Particle, secs: f32) -> Shape {
        let way = Vec3::from(particle.velocity) * (secs * particle.stretch).min(particle.secs);
        let head = Vec3::from(particle.position);
        let along = way.normalize_or_zero();
        if along == Vec3::ZERO {
            return self.sprite(particle, self.right, self.up);
        }
        let center = head - way * 0.5;
        let half_y = way * 0.5 + along * (particle.size[1] * 0.5);
        let across = self.across(along, center) * (particle.size[0] * 0.5);
        Shape::rectangle(center, across, half_y)
    }

    /// A unit vector to the right of a direction, in the plane that the eye sees least slanted.
    fn across(&self, along: Vec3, at: Vec3) -> Vec3 {
        let across = along.cross(self.eye - at).try_normalize();
        across.unwrap_or(self.right)
    }

    fn beam(&self, beam: &Beam, particle: &Particle, at: &EmitterAt, mut add: impl FnMut(&Shape)) {
        let start = Vec3::from(particle.position);
        let end = Vec3::from(at.world_from_emitter.transform_point(beam.to));
        let along = (end - start).normalize_or_zero();
        let side = self.across(along, start.midpoint(end));
        let above = along.cross(side);
        let noise = beam.noise * at.world_from_emitter.max_scale();
        let jump = (at.clock_secs * f64::from(beam.jumps_per_sec)).floor() as i64 as u32;
        let joint = |index: u32| {
            let share = index as f32 / beam.segments as f32;
            let straight = start.lerp(end, share);
            if noise == 0.0 || index == 0 || index == beam.segments {
                return straight;
            }
            let [x, y] = signed_pair(particle.random ^ jump.wrapping_mul(0x9E37_79B9), index);
            straight + (side * x + above * y) * noise
        };
        let width = |index: u32| {
            let share = index as f32 / beam.segments as f32;
            1.0 + (beam.end_width - 1.0) * share
        };
        for index in 0..beam.segments {
            let [from, to] = [index, index + 1].map(joint);
            let center = from.midpoint(to);
            let half_y = (to - from) * 0.5;
            let across = self.across(half_y, center) * (particle.size[0] * 0.5);
            add(&Shape {
                // Along the beam is along u.
                uv: [Vec2::splat(0.5), Vec2::Y * 0.5, Vec2::X * 0.5],
                taper: [width(index), width(index + 1)],
                ..Shape::rectangle(center, across, half_y)
            });
        }
    }
}

/// Two numbers from -1 to 1 without a pattern.
fn signed_pair(seed: u32, index: u32) -> [f32; 2] {
    let mut bits = (seed ^ index.wrapping_mul(0x85EB_CA6B)).wrapping_mul(0x7FEB_352D);
    bits = (bits ^ bits >> 15).wrapping_mul(0x846C_A68B);
    bits ^= bits >> 16;
    [bits & 0xFFFF, bits >> 16].map(|half| half as f32 / 32_767.5 - 1.0)
}

/// The upper half of a ball in the axes of its emitter: trapezoids between rings of equal height angles.
fn dome(
    particle: &Particle,
    world_from_emitter: &Affine,
    [segments, rings]: [u32; 2],
    mut add: impl FnMut(&Shape),
) {
    let middle = Vec3::from(particle.position);
    let [width, height] = particle.size.map(|side| side * 0.5);
    let axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
        .map(|axis| Vec3::from(world_from_emitter.transform_vector(axis)).normalize_or_zero());
    let to_world = |unit: Vec3| {
        axes[0] * (unit.x * width) + axes[1] * (unit.y * width) + axes[2] * (unit.z * height)
    };
    // Half the angle of a segment: its edges are chords.
    let half_turn = std::f32::consts::PI / segments as f32;
    for ring in 0..rings {
        let [low, high] = [ring, ring + 1].map(|ring| {
            let (sin, cos) = (ring as f32 / rings as f32 * std::f32::consts::FRAC_PI_2).sin_cos();
            Vec2::new(cos, sin)
        });
        for segment in 0..segments {
            let (sin, cos) = (particle.angle_rad + 2.0 * half_turn * segment as f32).sin_cos();
            let edge = |at: Vec2| {
                let out = at.x * half_turn.cos();
                Vec3::new(cos * out, sin * out, at.y)
            };
            let [below, above] = [low, high].map(edge);
            let half_x = Vec3::new(-sin, cos, 0.0) * half_turn.sin();
            let [center, half_y] = [below.midpoint(above), (above - below) * 0.5];
            add(&Shape {
                center: middle + to_world(center),
                half_x: to_world(half_x),
                half_y: to_world(half_y),
                uv: [
                    center.xy() * 0.5 + 0.5,
                    half_x.xy() * 0.5,
                    half_y.xy() * 0.5,
                ],
                taper: [low.x, high.x],
            });
        }
    }
}
