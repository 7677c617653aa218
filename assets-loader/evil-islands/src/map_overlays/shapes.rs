//! Lines and areas that layers are drawn with.

use std::f32::consts::TAU;

use ironlands_scene::{Overlay, OverlayVertex};

/// Red, green, blue, alpha; display space, not premultiplied.
pub(super) type Color = [u8; 4];

/// Corners of a circle.
const CORNERS: u8 = 32;
/// Height above the ground that lies beneath, so that it does not cut what is drawn, meters.
pub(super) const LIFT: f32 = 0.1;
/// Height of a post in sizes of its head.
const POST: f32 = 4.0;

/// A layer that is being drawn. What is not finite is not drawn.
pub(super) struct Layer(Overlay);

impl Layer {
    pub(super) fn new(name: &str) -> Self {
        Self(Overlay {
            name: name.to_owned(),
            ..Overlay::default()
        })
    }

    pub(super) fn into_overlay(self) -> Overlay {
        self.0
    }

    pub(super) fn line(&mut self, from: [f32; 3], to: [f32; 3], color: Color) {
        push(&mut self.0.lines, [from, to], color);
    }

    pub(super) fn triangle(&mut self, corners: [[f32; 3]; 3], color: Color) {
        push(&mut self.0.triangles, corners, color);
    }

    /// Three lines that cross, each twice `size` long.
    pub(super) fn cross(&mut self, [x, y, z]: [f32; 3], size: f32, color: Color) {
        self.line([x - size, y, z], [x + size, y, z], color);
        self.line([x, y - size, z], [x, y + size, z], color);
        self.line([x, y, z - size], [x, y, z + size], color);
    }

    /// The edges of an octahedron.
    pub(super) fn diamond(&mut self, [x, y, z]: [f32; 3], size: f32, color: Color) {
        let belt = [
            [x - size, y, z],
            [x, y - size, z],
            [x + size, y, z],
            [x, y + size, z],
        ];
        let next = belt.iter().skip(1).chain(belt.first());
        for (from, to) in belt.iter().zip(next) {
            self.line(*from, *to, color);
            for tip in [z - size, z + size] {
                self.line(*from, [x, y, tip], color);
            }
        }
    }

    /// A line upward with a diamond on it.
    pub(super) fn post(&mut self, foot: [f32; 3], size: f32, color: Color) {
        let [x, y, z] = foot;
        let top = z + size * POST;
        self.line(foot, [x, y, top], color);
        self.diamond([x, y, top + size], size, color);
    }

    /// A level circle; none, if it has no radius.
    pub(super) fn circle(&mut self, [x, y, z]: [f32; 3], radius: f32, color: Color) {
        self.ring(radius, color, |a, b| [x + a, y + b, z]);
    }

    /// Three circles of a sphere.
    pub(super) fn sphere(&mut self, [x, y, z]: [f32; 3], radius: f32, color: Color) {
        self.ring(radius, color, |a, b| [x + a, y + b, z]);
        self.ring(radius, color, |a, b| [x + a, y, z + b]);
        self.ring(radius, color, |a, b| [x, y + a, z + b]);
    }

    /// A circle and what is within it, as they lie on the ground.
    pub(super) fn disc_on_ground(
        &mut self,
        [x, y]: [f32; 2],
        radius: f32,
        height: &dyn Fn(f32, f32) -> f32,
        outline: Color,
        fill: Color,
    ) {
        let on_ground = |a: f32, b: f32| {
            let (x, y) = (x + a, y + b);
            [x, y, height(x, y) + LIFT]
        };
        self.ring(radius, outline, on_ground);
        let middle = on_ground(0.0, 0.0);
        for [from, to] in ring_edges(radius) {
            let [from, to] = [from, to].map(|[a, b]| on_ground(a, b));
            self.triangle([middle, from, to], fill);
        }
    }

    fn ring(&mut self, radius: f32, color: Color, place: impl Fn(f32, f32) -> [f32; 3]) {
        for edge in ring_edges(radius) {
            let [from, to] = edge.map(|[a, b]| place(a, b));
            self.line(from, to, color);
        }
    }
}

/// Edges of a circle around 0, counter-clockwise; none, if it has no radius, or no finite one.
fn ring_edges(radius: f32) -> impl Iterator<Item = [[f32; 2]; 2]> {
    let corner = move |idx: u8| {
        let angle = TAU * f32::from(idx % CORNERS) / f32::from(CORNERS);
        [radius * angle.cos(), radius * angle.sin()]
    };
    let edges = (0..CORNERS).map(move |idx| [corner(idx), corner(idx + 1)]);
    edges.filter(move |_| radius > 0.0 && radius.is_finite())
}

fn push<const N: usize>(target: &mut Vec<OverlayVertex>, corners: [[f32; 3]; N], color: Color) {
    if corners.as_flattened().iter().all(|part| part.is_finite()) {
        target.extend(corners.map(|position| OverlayVertex { position, color }));
    }
}
