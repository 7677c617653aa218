//! Which clusters a camera may see, and at which level of detail. Plain arithmetic, no GPU.

use std::ops::Range;

use glam::{Vec3, Vec4};
use ironlands_scene::{Aabb, Cluster, LodGrid};

use crate::Camera;

/// The four sides and the near plane of what a camera sees; there is no far plane.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Frustum {
    /// `xyz` points inwards, `w` is the offset: a point is inside where `xyz . point + w >= 0`.
    planes: [Vec4; 5],
}

impl Frustum {
    /// `aspect` is width / height.
    pub fn new(camera: &Camera, aspect: f32) -> Self {
        let half = camera.half_extent(aspect);
        let [forward, right, up] = [camera.forward(), camera.right(), camera.up()];
        let through = |normal: Vec3, point: Vec3| normal.extend(-normal.dot(point));
        let side = |normal: Vec3| through(normal, camera.position);
        Self {
            planes: [
                side(forward * half.x + right),
                side(forward * half.x - right),
                side(forward * half.y + up),
                side(forward * half.y - up),
                through(forward, camera.position + forward * camera.near),
            ],
        }
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

/// From where clusters are judged.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CullView {
    pub frustum: Frustum,
    pub position: [f32; 3],
    /// Whether coarse levels of detail are used at all.
    pub lod: bool,
}

impl CullView {
    /// The batches of each visible cluster, at the level of detail that its distance asks for.
    ///
    /// The cluster of the camera's own cell is always visible: its box is no help for who stands in it.
    pub fn visible<'a>(
        &'a self,
        clusters: &'a [Cluster],
        grid: Option<&'a LodGrid>,
    ) -> impl Iterator<Item = Range<u32>> + 'a {
        let camera_cell = grid.map(|grid| grid.cell_of(self.position));
        clusters.iter().filter_map(move |cluster| {
            let is_own_cell = camera_cell == Some(cluster.cell);
            (is_own_cell || self.frustum.may_see(&cluster.bounds))
                .then(|| self.level_of_detail(cluster, grid.zip(camera_cell)))
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
        }
    }

    fn view(position: [f32; 3], lod: bool) -> CullView {
        let camera = Camera {
            position: position.into(),
            ..square_camera()
        };
        CullView {
            frustum: Frustum::new(&camera, 1.0),
            position,
            lod,
        }
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
        let visible: Vec<_> = high_above.visible(&clusters, Some(&grid())).collect();
        assert_eq!(visible, [0..1]);
        assert_eq!(
            high_above.visible(&clusters, None).count(),
            0,
            "without a grid there are no cells"
        );
    }
}
