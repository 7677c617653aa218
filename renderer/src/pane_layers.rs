//! Which panes of a frame are drawn over the same copy of the picture. Plain arithmetic, no GPU.
//!
//! A pane shows the picture behind it, so that what it must show is drawn, and the picture copied, before it is. One copy
//! serves all panes that do not show each other: a layer. A pane is in the first layer behind those of all panes that are
//! farther away and that it may show, by their places on the screen.

use glam::{Mat4, Vec2, Vec4};

use crate::panes::PlacedPane;

/// Layers are copies of the picture: of more than these the farthest share one, and do not show each other.
pub(crate) const MAX_LAYERS: usize = 3;

/// Of more panes than this the farthest are in the first layer: each is compared with all before it.
const MAX_COMPARED: usize = 512;

/// Part of the picture's sides by which a pane is taken to be larger than it is: what is blurred reaches a few pixels.
const MARGIN: f32 = 0.005;

/// A rectangle on the screen, in shares of the picture's width and height.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct ScreenRect {
    min: Vec2,
    max: Vec2,
}

impl ScreenRect {
    const EVERYTHING: Self = Self {
        min: Vec2::NEG_INFINITY,
        max: Vec2::INFINITY,
    };

    /// Around a pane; everything where it reaches behind the eye.
    pub fn around(pane: &PlacedPane, clip_from_world: &Mat4) -> Self {
        let corners = (pane.corners).map(|corner| *clip_from_world * corner.extend(1.0));
        if corners.iter().any(|corner| corner.w <= f32::EPSILON) {
            return Self::EVERYTHING;
        }
        let places =
            corners.map(|corner: Vec4| (corner.truncate().truncate() / corner.w + 1.0) * 0.5);
        let [min, max] = (places.iter()).fold([places[0]; 2], |[min, max], place| {
            [min.min(*place), max.max(*place)]
        });
        Self { min, max }
    }

    fn grown(self, by: f32) -> Self {
        Self {
            min: self.min - by,
            max: self.max + by,
        }
    }

    fn overlaps(self, other: Self) -> bool {
        self.min.cmple(other.max).all() && other.min.cmple(self.max).all()
    }
}

/// What the layers are made of.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LayeredPane {
    pub rect: ScreenRect,
    /// [`PlacedPane::reach`].
    pub reach: f32,
}

/// For each pane, of which the farthest is the first, the number of its layer, below [`MAX_LAYERS`].
pub(crate) fn layers_of(panes: &[LayeredPane]) -> Vec<usize> {
    let n_farthest = panes.len().saturating_sub(MAX_COMPARED);
    let mut layers = vec![0_usize; n_farthest];
    for (index, pane) in panes.iter().enumerate().skip(n_farthest) {
        let shown = pane.rect.grown(pane.reach + MARGIN);
        let farther = panes[n_farthest..index].iter().zip(&layers[n_farthest..]);
        let first = farther.map(|(other, layer)| {
            if shown.overlaps(other.rect) {
                layer + 1
            } else if other.rect.grown(other.reach + MARGIN).overlaps(pane.rect) {
                // The farther one would show what is in front of it.
                *layer
            } else {
                0
            }
        });
        layers.push(first.max().unwrap_or(0));
    }
    let n_layers = layers.iter().max().map_or(0, |last| last + 1);
    let n_too_many = n_layers.saturating_sub(MAX_LAYERS);
    for layer in &mut layers {
        *layer = layer.saturating_sub(n_too_many);
    }
    layers
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;
    use crate::Camera;

    fn pane(left: f32, right: f32, reach: f32) -> LayeredPane {
        LayeredPane {
            rect: ScreenRect {
                min: Vec2::new(left, 0.2),
                max: Vec2::new(right, 0.8),
            },
            reach,
        }
    }

    #[test]
    fn panes_that_show_each_other_are_in_layers_and_others_share_one() {
        let window = pane(0.1, 0.4, 0.0);
        let beside = pane(0.6, 0.9, 0.0);
        assert_eq!(layers_of(&[]), []);
        assert_eq!(layers_of(&[window, beside]), [0, 0]);
        assert_eq!(layers_of(&[window, beside, window, beside]), [0, 0, 1, 1]);
        assert_eq!(layers_of(&[window, window, beside]), [0, 1, 0]);
    }

    #[test]
    fn a_pane_shows_as_far_beside_itself_as_it_bends() {
        let [window, beside] = [pane(0.1, 0.4, 0.0), pane(0.6, 0.9, 0.0)];
        let bends = pane(0.6, 0.9, 0.25);
        assert_eq!(layers_of(&[window, bends]), [0, 1]);
        // The near one is not drawn before the far one, which would show it.
        assert_eq!(layers_of(&[beside, bends, window]), [0, 1, 1]);
    }

    #[test]
    fn the_farthest_of_too_many_layers_share_one() {
        let window = pane(0.1, 0.4, 0.0);
        assert_eq!(layers_of(&[window; 5]), [0, 0, 0, 1, 2]);
    }

    #[test]
    fn a_rectangle_is_where_the_camera_sees_the_corners() {
        let camera = Camera {
            position: Vec3::ZERO,
            ..Camera::default()
        };
        let clip_from_world = camera.clip_from_world(1.0);
        let half = (camera.horizontal_fov_rad * 0.5).tan();
        let place = |x: f32, right: f32, up: f32| Vec3::new(x, -right * half * x, up * half * x);
        let mut corners = [place(10.0, 0.5, -0.5); 8];
        corners[1] = place(20.0, 0.0, 0.5);
        let reach = 0.0;
        let rect = ScreenRect::around(&PlacedPane { corners, reach }, &clip_from_world);
        assert!(
            (rect.min - Vec2::new(0.5, 0.25)).length() < 1e-4,
            "{rect:?}"
        );
        assert!(
            (rect.max - Vec2::new(0.75, 0.75)).length() < 1e-4,
            "{rect:?}"
        );
        corners[2] = Vec3::new(-1.0, 0.0, 0.0);
        let rect = ScreenRect::around(&PlacedPane { corners, reach }, &clip_from_world);
        assert_eq!(rect, ScreenRect::EVERYTHING);
    }
}
