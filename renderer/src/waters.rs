//! Where the liquids of a scene are: which of their surfaces mirror, and whether an eye is in one. Plain arithmetic,
//! no GPU.

use glam::{Vec2, Vec3};
use ironlands_scene::{Aabb, Batch, Cluster, Liquid, Mesh, PassKind, Scene};

use crate::{cull::CullView, uniforms::MAX_MIRRORS, view_cells::ViewCells};

/// Surfaces whose heights differ by less than this are one, world units.
const LEVEL: f32 = 0.01;

/// The level surfaces of a scene's liquids.
#[derive(Debug, Default)]
pub(crate) struct Waters {
    surfaces: Vec<Surface>,
    sea: Option<Sea>,
}

/// A surface that is seen from above.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SeenSurface {
    /// From the eye.
    pub distance: f32,
    pub height: f32,
}

/// The level liquid of a cluster.
#[derive(Debug)]
struct Surface {
    height: f32,
    liquid: Liquid,
    bounds: Aabb,
    cells: Vec<u32>,
    triangles: Vec<[Vec2; 3]>,
}

/// The water beyond the edge of the level.
#[derive(Debug)]
struct Sea {
    height: f32,
    liquid: Liquid,
    level_min: Vec2,
    level_max: Vec2,
}

impl Waters {
    pub fn new(scene: &Scene) -> Self {
        let clusters = scene.meshes.iter().flat_map(|mesh| {
            let clusters = mesh.clusters.iter();
            clusters.flat_map(|cluster| surfaces_of(scene, mesh, cluster))
        });
        let sea = scene.water.and_then(|water| {
            Some(Sea {
                height: water.level,
                liquid: liquid_of(scene, water.material.0)?,
                level_min: water.level_min.into(),
                level_max: water.level_max.into(),
            })
        });
        Self {
            surfaces: clusters.collect(),
            sea,
        }
    }

    /// Lists the surfaces that are seen from above, the nearest of each height and no more than there are mirrors for.
    pub fn list_visible(
        &self,
        view: &CullView,
        cells: &ViewCells,
        has_sea: bool,
        seen: &mut Vec<SeenSurface>,
    ) {
        let eye = view.position();
        let visible = self
            .surfaces
            .iter()
            .filter(|surface| cells.is_seen(&surface.cells) && view.may_see_box(&surface.bounds));
        seen.clear();
        seen.extend(visible.map(|surface| SeenSurface {
            distance: distance_to(&surface.bounds, eye),
            height: surface.height,
        }));
        let sea = self.sea.as_ref().filter(|_| has_sea);
        seen.extend(sea.map(|sea| SeenSurface {
            distance: eye.z - sea.height,
            height: sea.height,
        }));
        seen.retain(|it| it.height < eye.z);
        seen.sort_unstable_by(|a, b| a.distance.total_cmp(&b.distance));
        let mut n_heights = 0;
        for index in 0..seen.len() {
            let own = seen[index];
            let mut nearer = seen[..n_heights].iter();
            if !nearer.any(|it| (it.height - own.height).abs() < LEVEL) {
                seen[n_heights] = own;
                n_heights += 1;
            }
        }
        seen.truncate(n_heights.min(MAX_MIRRORS));
    }

    /// Whether a surface is between an eye and a place.
    pub fn is_between(&self, eye: Vec3, place: Vec3, has_sea: bool) -> bool {
        // Where the line between them is at a height, if it reaches that.
        let crossed_at = |height: f32| {
            let share = (height - eye.z) / (place.z - eye.z);
            let is_reached = share > 0.0 && share < 1.0;
            is_reached.then(|| eye.lerp(place, share).truncate())
        };
        let is_crossed =
            |surface: &Surface| crossed_at(surface.height).is_some_and(|at| surface.holds(at));
        let sea = self.sea.as_ref().filter(|_| has_sea);
        sea.is_some_and(|sea| crossed_at(sea.height).is_some_and(|at| sea.holds(at)))
            || self.surfaces.iter().any(is_crossed)
    }

    /// The liquid that an eye is in.
    pub fn around(&self, eye: Vec3) -> Option<&Liquid> {
        let is_below =
            |height: f32, liquid: &Liquid| (0.0..liquid.depth).contains(&(height - eye.z));
        let at = eye.truncate();
        let sea = self.sea.as_ref();
        let sea = sea.filter(|sea| sea.holds(at) && is_below(sea.height, &sea.liquid));
        let surface = self
            .surfaces
            .iter()
            .find(|surface| is_below(surface.height, &surface.liquid) && surface.holds(at));
        let surface = surface.map(|surface| &surface.liquid);
        surface.or(sea.map(|sea| &sea.liquid))
    }
}

impl Surface {
    fn holds(&self, point: Vec2) -> bool {
        let [min, max] = [self.bounds.min, self.bounds.max].map(|it| Vec2::new(it[0], it[1]));
        let is_near = point.cmpge(min).all() && point.cmple(max).all();
        is_near && self.triangles.iter().any(|corners| holds(corners, point))
    }
}

impl Sea {
    fn holds(&self, point: Vec2) -> bool {
        point.cmplt(self.level_min).any() || point.cmpgt(self.level_max).any()
    }
}

/// For each liquid of a cluster its surface, if that is level.
fn surfaces_of(scene: &Scene, mesh: &Mesh, cluster: &Cluster) -> Vec<Surface> {
    let finest = cluster.lods.first().cloned().unwrap_or_default();
    let batches = &mesh.batches[finest.start as usize..finest.end as usize];
    let surfaces = batches.iter().filter_map(|batch| {
        let liquid = liquid_of(scene, batch.material.0)?;
        let corners = corners_of(mesh, batch);
        let bounds = Aabb::around(corners.iter())?;
        (bounds.max[2] - bounds.min[2] < LEVEL).then(|| Surface {
            height: bounds.max[2],
            liquid,
            bounds,
            cells: cluster.cells.clone(),
            triangles: corners
                .as_chunks()
                .0
                .iter()
                .map(|triangle: &[[f32; 3]; 3]| triangle.map(|[x, y, _]| Vec2::new(x, y)))
                .collect(),
        })
    });
    surfaces.collect()
}

fn corners_of(mesh: &Mesh, batch: &Batch) -> Vec<[f32; 3]> {
    let range = batch.first_index as usize..(batch.first_index + batch.n_indices) as usize;
    let indices = mesh.indices[range].iter();
    indices
        .map(|index| mesh.positions[*index as usize])
        .collect()
}

fn liquid_of(scene: &Scene, material: u32) -> Option<Liquid> {
    let mut passes = scene.materials[material as usize].passes.iter();
    passes.find(|pass| pass.kind == PassKind::Water)?.liquid
}

fn distance_to(bounds: &Aabb, eye: Vec3) -> f32 {
    let nearest = eye.clamp(bounds.min.into(), bounds.max.into());
    nearest.distance(eye)
}

/// Whether a point is in a triangle, whichever way that is wound.
fn holds([a, b, c]: &[Vec2; 3], point: Vec2) -> bool {
    let sides = [(a, b), (b, c), (c, a)].map(|(from, to)| (to - from).perp_dot(point - from));
    sides.iter().all(|side| *side >= 0.0) || sides.iter().all(|side| *side <= 0.0)
}

#[cfg(test)]
mod tests {
    use ironlands_scene::{Material, MaterialIdx, Pass, Water};

    use super::*;
    use crate::Camera;

    /// A pond of 10 x 10 at height 4, 3 deep, in the midst of land of 100 x 100 by a sea at height 1.
    fn scene() -> Scene {
        let water = Pass {
            kind: PassKind::Water,
            liquid: Some(Liquid {
                depth: 3.0,
                ..Liquid::default()
            }),
            ..Pass::default()
        };
        let sea = Pass {
            liquid: Some(Liquid::default()),
            ..water.clone()
        };
        let material = |pass| Material {
            passes: vec![pass],
            ..Material::default()
        };
        let corners = [[0.0, 0.0], [10.0, 0.0], [10.0, 10.0], [0.0, 10.0]];
        let pond = Mesh {
            positions: corners.map(|[x, y]| [x, y, 4.0]).to_vec(),
            normals: vec![[0.0, 0.0, 1.0]; 4],
            uv_sets: [vec![[0.0; 2]; 4], vec![[0.0; 2]; 4]],
            indices: vec![0, 1, 2, 0, 2, 3],
            batches: vec![Batch {
                first_index: 0,
                n_indices: 6,
                material: MaterialIdx(0),
            }],
            clusters: vec![Cluster {
                bounds: Aabb {
                    min: [0.0, 0.0, 4.0],
                    max: [10.0, 10.0, 4.0],
                },
                cell: [0, 0],
                lods: std::iter::once(0..1).collect(),
                cells: Vec::new(),
            }],
            ..Mesh::default()
        };
        Scene {
            materials: vec![material(water), material(sea)],
            meshes: vec![pond],
            water: Some(Water {
                level: 1.0,
                material: MaterialIdx(1),
                uv_per_unit: 1.0,
                level_min: [-50.0; 2],
                level_max: [50.0; 2],
                bed: None,
            }),
            ..Scene::default()
        }
    }

    #[test]
    fn an_eye_is_in_water_below_its_surface_and_above_its_bottom() {
        let waters = Waters::new(&scene());
        for (name, eye, depth) in [
            ("in the pond", [9.0, 2.0, 3.0], Some(3.0)),
            ("above it", [9.0, 2.0, 4.5], None),
            ("below its bottom", [9.0, 2.0, 0.5], None),
            ("beside it", [12.0, 2.0, 3.0], None),
            ("in the sea", [60.0, 2.0, -20.0], Some(f32::MAX)),
            ("below the land", [20.0, 2.0, -20.0], None),
        ] {
            let found = waters.around(eye.into()).map(|liquid| liquid.depth);
            assert_eq!(found, depth, "{name}");
        }
    }

    #[test]
    fn water_is_between_an_eye_and_a_place_where_the_line_crosses_it() {
        let waters = Waters::new(&scene());
        let above = [5.0, 5.0, 6.0];
        for (name, eye, place, has_sea, expected) in [
            (
                "on the ground of the pond",
                above,
                [6.0, 5.0, 2.0],
                true,
                true,
            ),
            ("the same from below", [6.0, 5.0, 2.0], above, true, true),
            ("above the pond", above, [6.0, 5.0, 4.5], true, false),
            ("beside it", [20.0, 5.0, 6.0], [21.0, 5.0, 2.0], true, false),
            (
                "beyond its shore",
                [-9.0, 5.0, 5.0],
                [9.0, 5.0, 3.9],
                true,
                true,
            ),
            (
                "under the land",
                [-9.0, 5.0, 5.0],
                [1.0, 5.0, 3.0],
                true,
                false,
            ),
            (
                "in the sea",
                [60.0, 5.0, 6.0],
                [62.0, 5.0, -2.0],
                true,
                true,
            ),
            (
                "without a sea",
                [60.0, 5.0, 6.0],
                [62.0, 5.0, -2.0],
                false,
                false,
            ),
            ("level with the eye", above, [9.0, 5.0, 6.0], true, false),
        ] {
            let found = waters.is_between(eye.into(), place.into(), has_sea);
            assert_eq!(found, expected, "{name}");
        }
    }

    #[test]
    fn mirrors_are_the_surfaces_in_view_from_above() {
        let waters = Waters::new(&scene());
        let heights = |position: [f32; 3], yaw_rad, has_sea| {
            let camera = Camera {
                position: position.into(),
                yaw_rad,
                ..Camera::default()
            };
            let view = CullView::new(&camera, 1.0, true);
            let mut seen = Vec::new();
            waters.list_visible(&view, &ViewCells::default(), has_sea, &mut seen);
            seen.iter().map(|it| it.height).collect::<Vec<_>>()
        };
        let away = std::f32::consts::PI;
        // The nearest first: the sea is 5 below the eye, the pool begins 5 ahead and 2 below.
        assert_eq!(heights([-5.0, 5.0, 6.0], 0.0, true), [1.0, 4.0]);
        assert_eq!(heights([-5.0, 5.0, 6.0], 0.0, false), [4.0]);
        assert_eq!(heights([-5.0, 5.0, 6.0], away, true), [1.0]);
        assert_eq!(heights([-5.0, 5.0, 3.0], 0.0, true), [1.0]);
        assert!(heights([-5.0, 5.0, 0.5], 0.0, true).is_empty());
    }
}
