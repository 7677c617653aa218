//! Bounds, which files store in two ways (dossier section 9.4.5).

use super::Fig;

/// The box and the sphere about a mesh.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct FigBounds {
    /// Middle of both, from the part's origin.
    pub center: [f32; 3],
    /// From the middle of the box to its largest corner.
    pub half_extent: [f32; 3],
    /// Radius of the sphere.
    pub radius: f32,
}

/// From where the corners of stored bounds are measured.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum BoundsConvention {
    /// From the center, as the game's own files have it: the smallest corner is minus the largest.
    #[default]
    FromCenter,
    /// From the part's origin, as a later exporter has it: the center is the mean of the corners.
    FromOrigin,
}

impl Fig {
    /// The bounds for dexterity, strength, height, whatever the convention; zero where they are no numbers, as those
    /// of meshes without vertices.
    pub fn bounds(&self, complection: [f32; 3]) -> FigBounds {
        let center = self.blend_of(complection, |state| Some(state.center));
        let [ax, ay, az] = self.blend_of(complection, |state| Some(state.min));
        let [bx, by, bz] = self.blend_of(complection, |state| Some(state.max));
        let bounds = FigBounds {
            center,
            half_extent: [(bx - ax) / 2.0, (by - ay) / 2.0, (bz - az) / 2.0],
            radius: self.blended_radius(complection),
        };
        let numbers = [bounds.center, bounds.half_extent, [bounds.radius; 3]];
        let is_sound = numbers.as_flattened().iter().all(|v| v.is_finite());
        if is_sound {
            bounds
        } else {
            FigBounds::default()
        }
    }

    /// How the stored bounds of the first state are measured; `None` where both readings, or none, are possible.
    pub fn bounds_convention(&self) -> Option<BoundsConvention> {
        let state = self.states.first()?;
        // Corners are sums of f32 of the size of a model.
        let near = |a: f32, b: f32| (a - b).abs() <= 1e-4 * (1.0 + a.abs().max(b.abs()));
        let axes = |holds: &dyn Fn(f32, f32, f32) -> bool| {
            let corners = state.min.iter().zip(&state.max).zip(&state.center);
            corners
                .into_iter()
                .all(|((min, max), center)| holds(*min, *max, *center))
        };
        let from_center = axes(&|min, max, _| near(min, -max));
        let from_origin = axes(&|min, max, center| near(f32::midpoint(min, max), center));
        match (from_center, from_origin) {
            (true, false) => Some(BoundsConvention::FromCenter),
            (false, true) => Some(BoundsConvention::FromOrigin),
            _ => None,
        }
    }
}
