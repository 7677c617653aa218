//! What a camera may see, and at which level of detail. Plain arithmetic, no GPU.

use std::ops::Range;

use glam::{Mat4, Vec3, Vec4};
use ironlands_scene::{Aabb, Affine, Cluster, LodGrid};

use crate::Camera;

/// The four sides and the near plane of what a camera sees; there is no far plane.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Frustum {
    /// `xyz` points inward and has unit length: `xyz . point + w` is how far inside a point is.
    planes: [Vec4; 5],
    /// The same numbers of all but the last, by axis, for all four at once.
    first_four: Mat4,
}

/// How much of a ball is inside of a frustum.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Inside {
    Nothing,
    /// Perhaps only a part.
    Part,
    Everything,
}

impl Frustum {
    /// Of planes whose `xyz` points inward and has unit length.
    pub fn from_planes(planes: [Vec4; 5]) -> Self {
        let [a, b, c, d, _] = planes;
        Self {
            planes,
            first_four: Mat4::from_cols(a, b, c, d).transpose(),
        }
    }

    /// `aspect` is width / height.
    pub fn new(camera: &Camera, aspect: f32) -> Self {
        let half = camera.half_extent(aspect);
        let [forward, right, up] = [camera.forward(), camera.right(), camera.up()];
        let through = |inward: Vec3, point: Vec3| {
            let normal = inward.normalize();
            normal.extend(-normal.dot(point))
        };
        let side = |normal: Vec3| through(normal, camera.position);
        Self::from_planes([
            side(forward * half.x + right),
            side(forward * half.x - right),
            side(forward * half.y + up),
            side(forward * half.y - up),
            through(forward, camera.position + forward * camera.near),
        ])
    }

    /// How much of a ball is inside: nothing only if all of it is outside of one plane, or if it is nowhere, as its
    /// numbers are not finite.
    #[inline]
    pub fn holds_ball(&self, center: Vec3, radius: f32) -> Inside {
        let center = center.extend(1.0);
        let last = self.planes[4].dot(center);
        let least = (self.first_four * center).min_element().min(last);
        if !(center.is_finite() && radius.is_finite()) || least < -radius {
            Inside::Nothing
        } else if least < radius {
            Inside::Part
        } else {
            Inside::Everything
        }
    }

    /// Whether part of the ball may be inside.
    #[inline]
    pub fn may_see_ball(&self, center: Vec3, radius: f32) -> bool {
        self.holds_ball(center, radius) != Inside::Nothing
    }

    /// Whether part of the box may be inside: false only if all of it is outside of one plane.
    pub fn may_see(&self, aabb: &Aabb) -> bool {
        let [min, max] = [aabb.min, aabb.max].map(Vec3::from);
        self.planes.iter().all(|plane| {
            let normal = plane.truncate();
            let innermost_corner = Vec3::select(normal.cmpge(Vec3::ZERO), max, min);
            normal.dot(innermost_corner) + plane.w >= 0.0
        })
    }
}

/// Whether a transform turns a right hand into a left one.
pub(crate) fn is_mirror(transform: &Affine) -> bool {
    let [a, b, c] = transform.0;
    let [x, y, z] = [0, 1, 2].map(|i| Vec3::new(a[i], b[i], c[i]));
    x.dot(y.cross(z)) < 0.0
}

/// The viewpoint for culling clusters and models.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CullView {
    frustum: Frustum,
    position: Vec3,
    /// Tangent of half the vertical field of view.
    half_height: f32,
    /// Whether coarse levels of detail are used at all.
    lod: bool,
}

impl CullView {
    /// `aspect` is width / height.
    pub fn new(camera: &Camera, aspect: f32, lod: bool) -> Self {
        Self {
            frustum: Frustum::new(camera, aspect),
            position: camera.position,
            half_height: camera.half_extent(aspect).y,
            lod,
        }
    }

    /// What is inside of another frustum, at the levels of detail that this view shows.
    pub fn within(&self, frustum: Frustum) -> Self {
        Self { frustum, ..*self }
    }

    #[inline]
    pub fn holds_ball(&self, center: Vec3, radius: f32) -> Inside {
        self.frustum.holds_ball(center, radius)
    }

    pub fn may_see_ball(&self, center: Vec3, radius: f32) -> bool {
        self.frustum.may_see_ball(center, radius)
    }

    pub fn may_see_box(&self, aabb: &Aabb) -> bool {
        self.frustum.may_see(aabb)
    }

    /// From where.
    pub fn position(&self) -> Vec3 {
        self.position
    }

    /// The level of detail for a ball on the screen: how many of `sizes`, descending parts of the picture's
    /// height, its diameter falls below. Who stands in the ball sees the finest.
    pub fn level_for_size(&self, center: Vec3, radius: f32, sizes: &[f32]) -> usize {
        let distance = self.position.distance(center);
        if !self.lod || distance <= radius {
            return 0;
        }
        let size = radius / (distance * self.half_height);
        sizes.partition_point(|least| size < *least)
    }

    /// Each visible cluster and its batches, at the level of detail for its distance.
    ///
    /// The cluster of the camera's own cell is always visible: its box is no help for who stands in it.
    pub fn visible<'a>(
        &'a self,
        clusters: &'a [Cluster],
        grid: Option<&'a LodGrid>,
    ) -> impl Iterator<Item = (&'a Cluster, Range<u32>)> + 'a {
        let camera_cell = grid.map(|grid| grid.cell_of(self.position.to_array()));
        clusters.iter().filter_map(move |cluster| {
            let is_own_cell = camera_cell == Some(cluster.cell);
            (is_own_cell || self.frustum.may_see(&cluster.bounds)).then(|| {
                (
                    cluster,
                    self.level_of_detail(cluster, grid.zip(camera_cell)),
                )
            })
        })
    }

    fn level_of_detail(
        &self,
        cluster: &Cluster,
        grid_and_camera_cell: Option<(&LodGrid, [i32; 2])>,
    ) -> Range<u32> {
        let is_coarse = self.lod
            && grid_and_camera_cell
                .is_some_and(|(grid, camera_cell)| grid.is_coarse(cluster.cell, camera_cell));
        let level = usize::from(is_coarse && cluster.lods.len() > 1);
        cluster.lods[level].clone()
    }
}

#[cfg(test)]
#[expect(
    clippy::single_range_in_vec_init,
    reason = "levels of detail are lists of ranges"
)]
mod tests {
    use super::*;

    fn box_around(center: [f32; 3], half: f32) -> Aabb {
        Aabb {
            min: center.map(|v| v - half),
            max: center.map(|v| v + half),
        }
    }

    /// At the origin, along +X, 90 degrees wide and high.
    fn square_camera() -> Camera {
        Camera {
            horizontal_fov_rad: std::f32::consts::FRAC_PI_2,
            near: 1.0,
            ..Camera::default()
        }
    }

    #[test]
    fn boxes_are_seen_as_far_as_they_reach_in() {
        let frustum = Frustum::new(&square_camera(), 1.0);
        for (name, center, half, seen) in [
            ("ahead", [10.0, 0.0, 0.0], 1.0, true),
            ("far ahead, no far plane", [1e6, 0.0, 0.0], 1.0, true),
            ("behind", [-10.0, 0.0, 0.0], 1.0, false),
            ("before the near plane", [0.5, 0.0, 0.0], 0.25, false),
            ("reaching over the near plane", [0.5, 0.0, 0.0], 0.75, true),
            ("left, outside", [10.0, 12.5, 0.0], 1.0, false),
            ("left, reaching in", [10.0, 11.5, 0.0], 1.0, true),
            ("right, outside", [10.0, -12.5, 0.0], 1.0, false),
            ("right, reaching in", [10.0, -11.5, 0.0], 1.0, true),
            ("above, outside", [10.0, 0.0, 12.5], 1.0, false),
            ("above, reaching in", [10.0, 0.0, 11.5], 1.0, true),
            ("below, outside", [10.0, 0.0, -12.5], 1.0, false),
            ("all around the camera", [0.0, 0.0, 0.0], 100.0, true),
        ] {
            assert_eq!(frustum.may_see(&box_around(center, half)), seen, "{name}");
        }
    }

    #[test]
    fn balls_are_seen_as_far_as_they_reach_in() {
        let frustum = Frustum::new(&square_camera(), 1.0);
        let root_half = 0.5f32.sqrt();
        for (name, center, radius, seen) in [
            ("ahead", [10.0, 0.0, 0.0], 1.0, true),
            ("behind", [-10.0, 0.0, 0.0], 1.0, false),
            ("before the near plane", [0.5, 0.0, 0.0], 0.4, false),
            ("reaching over the near plane", [0.5, 0.0, 0.0], 0.6, true),
            // 12 to the left at a distance of 10: the slanted plane is 2 / sqrt 2 away.
            (
                "left, outside",
                [10.0, 12.0, 0.0],
                2.0 * root_half - 0.01,
                false,
            ),
            (
                "left, reaching in",
                [10.0, 12.0, 0.0],
                2.0 * root_half + 0.01,
                true,
            ),
            (
                "above, outside",
                [10.0, 0.0, 12.0],
                2.0 * root_half - 0.01,
                false,
            ),
            (
                "below, reaching in",
                [10.0, 0.0, -12.0],
                2.0 * root_half + 0.01,
                true,
            ),
            ("all around the camera", [0.0, 0.0, 0.0], 100.0, true),
            ("a point", [10.0, 0.0, 0.0], 0.0, true),
            ("nowhere", [f32::NAN, 0.0, 0.0], 1.0, false),
            ("infinitely far", [f32::INFINITY, 0.0, 0.0], 1.0, false),
            ("without an end", [10.0, 0.0, 0.0], f32::INFINITY, false),
        ] {
            assert_eq!(frustum.may_see_ball(center.into(), radius), seen, "{name}");
        }
    }

    #[test]
    fn a_ball_is_inside_with_all_that_is_in_it() {
        let frustum = Frustum::new(&square_camera(), 1.0);
        // At a distance of 10, each side is 10 / sqrt 2 away.
        let root_half = 0.5f32.sqrt();
        for (radius, inside) in [
            (10.0 * root_half - 0.01, Inside::Everything),
            (10.0 * root_half + 0.01, Inside::Part),
            (f32::INFINITY, Inside::Nothing),
        ] {
            let found = frustum.holds_ball(Vec3::new(10.0, 0.0, 0.0), radius);
            assert_eq!(found, inside, "{radius}");
        }
        // The near plane is 1 away from the eye.
        let near = |radius| frustum.holds_ball(Vec3::new(1.5, 0.0, 0.0), radius);
        assert_eq!([near(0.49), near(0.51)], [Inside::Everything, Inside::Part]);
    }

    #[test]
    fn an_odd_number_of_turned_axes_mirrors() {
        let scaled = |x: f32, y: f32, z: f32| {
            Affine([[x, 0.0, 0.0, 9.0], [0.0, y, 0.0, 9.0], [0.0, 0.0, z, 9.0]])
        };
        assert!(!is_mirror(&scaled(1.0, 2.0, 3.0)));
        assert!(is_mirror(&scaled(1.0, -2.0, 3.0)));
        assert!(!is_mirror(&scaled(-1.0, -2.0, 3.0)));
        assert!(is_mirror(&scaled(-1.0, -2.0, -3.0)));
    }

    #[test]
    fn coarser_levels_serve_what_is_small_on_the_screen() {
        // 90 degrees high: at a distance of d the picture is 2 d high, so a diameter of 2 is 1 / d of it.
        let sizes = [0.2, 0.1];
        let level = |distance: f32, lod| {
            let center = Vec3::new(10.0 + distance, 0.0, 0.0);
            view([10.0, 0.0, 0.0], lod).level_for_size(center, 1.0, &sizes)
        };
        for (distance, expected) in [
            (0.0, 0),
            (1.0, 0),
            (4.9, 0),
            (5.1, 1),
            (9.9, 1),
            (10.1, 2),
            (1e6, 2),
        ] {
            assert_eq!(level(distance, true), expected, "{distance}");
            assert_eq!(level(distance, false), 0, "switched off, {distance}");
        }
        let no_sizes = view([0.0; 3], true).level_for_size(Vec3::X * 1e6, 1.0, &[]);
        assert_eq!(no_sizes, 0, "a model without sizes has one level");
    }

    #[test]
    fn no_box_whose_corner_is_in_the_picture_is_lost() {
        let camera = Camera {
            position: Vec3::new(100.0, -50.0, 30.0),
            yaw_rad: 2.5,
            pitch_rad: -0.7,
            ..Camera::default()
        };
        let frustum = Frustum::new(&camera, 1.6);
        let clip_from_world = camera.clip_from_world(1.6);
        let mut n_in_picture = 0;
        for i in 0..4000u32 {
            // A lattice of points around the camera, in no special direction.
            let point = camera.position
                + Vec3::new((i % 20) as f32, (i / 20 % 20) as f32, (i / 400) as f32) * 13.0
                - Vec3::new(125.0, 125.0, 65.0);
            let clip = clip_from_world * point.extend(1.0);
            let in_picture = clip.x.abs() <= clip.w
                && clip.y.abs() <= clip.w
                && clip.z > 0.0
                && clip.z <= clip.w;
            if in_picture {
                n_in_picture += 1;
                assert!(
                    frustum.may_see(&box_around(point.to_array(), 0.01)),
                    "{point}"
                );
            }
        }
        assert!(
            n_in_picture > 100,
            "only {n_in_picture} points test anything"
        );
    }

    fn grid() -> LodGrid {
        LodGrid {
            origin: [0.0, 0.0],
            cell_size: [10.0, 10.0],
            coarse_beyond_sq: 8,
        }
    }

    fn cluster(cell: [i32; 2], lods: Vec<Range<u32>>) -> Cluster {
        let center = [
            cell[0] as f32 * 10.0 + 5.0,
            cell[1] as f32 * 10.0 + 5.0,
            0.0,
        ];
        Cluster {
            bounds: box_around(center, 5.0),
            cell,
            lods,
            cells: Vec::new(),
        }
    }

    fn view(position: [f32; 3], lod: bool) -> CullView {
        let camera = Camera {
            position: position.into(),
            ..square_camera()
        };
        CullView::new(&camera, 1.0, lod)
    }

    #[test]
    fn coarse_levels_begin_beyond_the_grid_distance() {
        // Along +X from cell (0, 0): 2 cells are 4, 3 cells are 9 > 8.
        let clusters = [
            cluster([2, 0], vec![0..1, 1..2]),
            cluster([3, 0], vec![2..3, 3..4]),
            cluster([4, 0], vec![4..5]),
        ];
        let visible = |lod| -> Vec<_> {
            view([5.0, 5.0, 0.0], lod)
                .visible(&clusters, Some(&grid()))
                .map(|(_, batches)| batches)
                .collect()
        };
        assert_eq!(
            visible(true),
            [0..1, 3..4, 4..5],
            "a lone level serves for all distances"
        );
        assert_eq!(visible(false), [0..1, 2..3, 4..5]);
    }

    #[test]
    fn the_cell_of_the_camera_is_never_culled() {
        // High above and looking along +X, the ground's box is out of sight.
        let high_above = view([5.0, 5.0, 1000.0], true);
        let clusters = [cluster([0, 0], vec![0..1]), cluster([1, 0], vec![1..2])];
        let visible: Vec<_> = high_above
            .visible(&clusters, Some(&grid()))
            .map(|(_, batches)| batches)
            .collect();
        assert_eq!(visible, [0..1]);
        assert_eq!(
            high_above.visible(&clusters, None).count(),
            0,
            "without a grid there are no cells"
        );
    }
}
