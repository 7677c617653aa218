//! Pictures that lie on faces. Dossier section 11.1.
#![expect(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "corners of rectangles and of polygons in memory, and axes"
)]

use ironlands_scene::{Mesh, ViewRange};

use super::FORMAT;
use super::mesh_builder::{MeshBuilder, Patch, Vertex};
use super::world::World;
use super::{spray, view_range};
use crate::bsp::{Map, Overlay};
use crate::level::SourceLevel;
use crate::lightmap::LightBlock;
use crate::materials::Materials;
use crate::vmt::Transform;
use ironlands_assets_core::bytes::{Finding, Severity};

/// How far a picture is lifted off its face.
const LIFT: f32 = 0.2;
/// Most triangles and cells of faces that pictures are laid on, each counted for each picture. Only pictures that name
/// the same large faces over and over come near it.
const MAX_WORK: usize = 1 << 20;

/// A picture on some faces of the world.
#[derive(Debug)]
pub struct Decal {
    pub(super) quad: Quad,
    pub(super) cover: Cover,
    /// Indices of faces.
    pub(super) faces: Vec<usize>,
    /// From how far it is seen.
    range: ViewRange,
}

/// What a picture shows.
#[derive(Debug)]
pub(super) enum Cover {
    /// The material of a texinfo.
    Texinfo(i32),
    /// A material.
    Named(String),
}

/// Pictures as they are drawn.
#[derive(Debug, Default)]
pub struct DecalMeshes {
    /// Those that are seen from everywhere, in clusters as the faces that they lie on; `None` if there is none.
    pub all_around: Option<Mesh>,
    /// The others, as meshes of models, with the distances from which they are seen.
    pub near: Vec<(Mesh, ViewRange)>,
}

/// Overlays in the order in which they are drawn, then the `infodecal`s that are there when the level begins.
pub fn decals(
    level: &SourceLevel,
    materials: &mut Materials<'_>,
    findings: &mut Vec<Finding>,
) -> Vec<Decal> {
    let map = &level.map;
    let overlays = map.overlays.iter().enumerate();
    let mut overlays: Vec<(Option<usize>, &Overlay)> = overlays
        .map(|(index, overlay)| (Some(index), overlay))
        .chain(map.water_overlays.iter().map(|overlay| (None, overlay)))
        .collect();
    // Materials are drawn in the order of their first use.
    overlays.sort_by_key(|(_, overlay)| overlay.render_order);
    let faces = |overlay: &Overlay| {
        let faces = overlay.faces.iter();
        faces
            .filter_map(|face| usize::try_from(*face).ok())
            .collect()
    };
    let decals = overlays.into_iter().map(|(index, overlay)| Decal {
        quad: Quad::from_overlay(overlay),
        cover: Cover::Texinfo(overlay.texinfo),
        faces: faces(overlay),
        range: index.map_or(ViewRange::ALL, |index| fade_of(map, index)),
    });
    let mut decals: Vec<Decal> = decals.collect();
    decals.extend(spray::sprayed(level, materials, findings));
    decals
}

/// Lump 60: squares of distances.
fn fade_of(map: &Map, index: usize) -> ViewRange {
    let fade = map.overlay_fades.get(index);
    fade.map_or(ViewRange::ALL, |[from, to]| {
        view_range::between(from.max(0.0).sqrt(), to.max(0.0).sqrt())
    })
}

impl Decal {
    /// A picture that is seen from everywhere.
    pub(super) fn new(quad: Quad, material: String, faces: Vec<usize>) -> Self {
        Self {
            quad,
            cover: Cover::Named(material),
            faces,
            range: ViewRange::ALL,
        }
    }
}

/// All pictures as meshes. `world` has the flat light of [`blocks_below`].
pub fn meshes(
    decals: &[Decal],
    world: &World<'_>,
    materials: &mut Materials<'_>,
    findings: &mut Vec<Finding>,
) -> DecalMeshes {
    let mut all_around = MeshBuilder::new("overlays");
    let mut near = Vec::new();
    let mut n_left = MAX_WORK;
    let mut n_lost = 0_usize;
    for decal in decals {
        if decal.range == ViewRange::ALL {
            n_lost += lay(decal, world, materials, &mut n_left, &mut all_around);
            continue;
        }
        let mut builder = MeshBuilder::new("overlay");
        n_lost += lay(decal, world, materials, &mut n_left, &mut builder);
        if !builder.is_empty() {
            near.push((builder.finish_model(findings), decal.range));
        }
    }
    if n_lost > 0 {
        let message =
            format!("overlays lie on too many faces; on {n_lost} of them they are left out");
        findings.push(Finding::new(Severity::Warning, FORMAT, message));
    }
    let is_empty = all_around.is_empty();
    let mesh = all_around.finish(findings);
    DecalMeshes {
        all_around: (!is_empty).then_some(mesh),
        near,
    }
}

/// Lays a picture on its faces; gives on how many of them there was no time for it.
fn lay(
    decal: &Decal,
    world: &World<'_>,
    materials: &mut Materials<'_>,
    n_left: &mut usize,
    builder: &mut MeshBuilder,
) -> usize {
    let mut n_lost = 0;
    for index in decal.faces.iter().copied() {
        let Some(face) = world.face(index) else {
            continue;
        };
        let n_work = world.n_corners(face) + world.n_cells_of(index);
        let Some(left) = n_left.checked_sub(n_work) else {
            n_lost += 1;
            continue;
        };
        *n_left = left;
        let Some(ground) = world.patch(index, face, Transform::IDENTITY) else {
            continue;
        };
        let patch = decal.quad.over(&ground);
        let material = match &decal.cover {
            Cover::Texinfo(texinfo) => world.overlay_material(index, face, *texinfo, materials),
            Cover::Named(name) => world.decal_material(index, face, name, materials),
        };
        if let Some(material) = material {
            builder.add(&patch, material, &world.cells_of(index, &ground));
        }
    }
    n_lost
}

/// The light of faces that something lies on, in the order of the faces.
pub fn blocks_below(decals: &[Decal], blocks: &[Option<LightBlock>]) -> Vec<Option<LightBlock>> {
    let mut below = vec![None; blocks.len()];
    for index in decals.iter().flat_map(|decal| &decal.faces) {
        if let (Some(below), Some(block)) = (below.get_mut(*index), blocks.get(*index)) {
            below.clone_from(block);
        }
    }
    below
}

/// The picture before it is laid on faces.
#[derive(Debug)]
pub(super) struct Quad {
    origin: [f32; 3],
    /// Axes of its plane.
    axes: [[f32; 3]; 2],
    corners: [[f32; 2]; 4],
    uvs: [[f32; 2]; 4],
}

impl Quad {
    /// Around a place in a plane with this normal; `right` is a unit vector across it.
    pub(super) fn around(
        origin: [f32; 3],
        normal: [f32; 3],
        right: [f32; 3],
        [width, height]: [f32; 2],
    ) -> Self {
        let [x, y] = [0.5 * width, 0.5 * height];
        Self {
            origin,
            axes: [right, cross(normal, right)],
            corners: [[-x, -y], [-x, y], [x, y], [x, -y]],
            uvs: [[0.0, 1.0], [0.0, 0.0], [1.0, 0.0], [1.0, 1.0]],
        }
    }

    fn from_overlay(overlay: &Overlay) -> Self {
        let Overlay {
            u: [u0, u1],
            v: [v0, v1],
            corners,
            basis_u,
            is_v_flipped,
            origin,
            normal,
            ..
        } = *overlay;
        let sign = if is_v_flipped { -1.0 } else { 1.0 };
        Self {
            origin,
            axes: [basis_u, cross(normal, basis_u).map(|v| v * sign)],
            corners,
            uvs: [[u0, v0], [u0, v1], [u1, v1], [u1, v0]],
        }
    }

    /// What of a face lies below the picture, lifted off it.
    fn over(&self, ground: &Patch) -> Patch {
        let mut patch = Patch::default();
        for triangle in &ground.triangles {
            let corners = triangle.map(|index| ground.vertices.get(index as usize));
            let [Some(a), Some(b), Some(c)] = corners else {
                continue;
            };
            for half in [[0, 1, 2], [0, 2, 3]] {
                self.add_half(half, [*a, *b, *c], &mut patch);
            }
        }
        patch
    }

    fn add_half(&self, half: [usize; 3], triangle: [Vertex; 3], patch: &mut Patch) {
        let corners = half.map(|corner| self.corners[corner]);
        let area = signed_area(corners);
        if area == 0.0 || !area.is_finite() {
            return;
        }
        // Each corner's share of a point: what is below 0 lies outside.
        let shares = |position: [f32; 3]| {
            let point = self.in_plane(position);
            [[1, 2], [2, 0], [0, 1]]
                .map(|[i, j]| signed_area([point, corners[i], corners[j]]) / area)
        };
        let mut polygon = triangle.to_vec();
        for side in 0..3 {
            polygon = clip(&polygon, |vertex| shares(vertex.position)[side]);
        }
        let first = patch.vertices.len();
        for vertex in &mut polygon {
            let shares = shares(vertex.position);
            let uv = |axis: usize| (0..3).map(|i| shares[i] * self.uvs[half[i]][axis]).sum();
            vertex.uv = [uv(0), uv(1)];
            vertex.position = along(vertex.position, vertex.normal, LIFT);
            vertex.color = [0.0; 4];
        }
        // A triangle that is cut three times has at most six corners.
        for i in 2..polygon.len() {
            let [first, i] = [first as u32, i as u32];
            patch.triangles.push([first, first + i - 1, first + i]);
        }
        patch.vertices.extend(polygon);
    }

    fn in_plane(&self, position: [f32; 3]) -> [f32; 2] {
        let offset = [0, 1, 2].map(|axis| position[axis] - self.origin[axis]);
        self.axes.map(|axis| dot(offset, axis))
    }
}

/// The part of a polygon where a function that is linear in the place is not below 0.
fn clip(polygon: &[Vertex], value: impl Fn(&Vertex) -> f32) -> Vec<Vertex> {
    let mut clipped = Vec::with_capacity(polygon.len() + 1);
    for (index, vertex) in polygon.iter().enumerate() {
        let next = &polygon[(index + 1) % polygon.len()];
        let [here, there] = [value(vertex), value(next)];
        if here >= 0.0 {
            clipped.push(*vertex);
        }
        if (here >= 0.0) != (there >= 0.0) {
            clipped.push(mix(vertex, next, here / (here - there)));
        }
    }
    clipped
}

fn mix(from: &Vertex, to: &Vertex, share: f32) -> Vertex {
    fn each<const N: usize>(from: [f32; N], to: [f32; N], share: f32) -> [f32; N] {
        std::array::from_fn(|i| from[i] + (to[i] - from[i]) * share)
    }
    Vertex {
        position: each(from.position, to.position, share),
        normal: each(from.normal, to.normal, share),
        uv: each(from.uv, to.uv, share),
        light_uv: each(from.light_uv, to.light_uv, share),
        color: each(from.color, to.color, share),
    }
}

fn signed_area([a, b, c]: [[f32; 2]; 3]) -> f32 {
    (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
}

fn along(position: [f32; 3], normal: [f32; 3], distance: f32) -> [f32; 3] {
    [0, 1, 2].map(|axis| position[axis] + normal[axis] * distance)
}

pub(super) fn dot([a, b, c]: [f32; 3], [x, y, z]: [f32; 3]) -> f32 {
    a * x + b * y + c * z
}

pub(super) fn cross([a, b, c]: [f32; 3], [x, y, z]: [f32; 3]) -> [f32; 3] {
    [b * z - c * y, c * x - a * z, a * y - b * x]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn corner(x: f32, y: f32) -> Vertex {
        Vertex {
            position: [x, y, 5.0],
            normal: [0.0, 0.0, 1.0],
            light_uv: [x / 10.0, y / 10.0],
            ..Vertex::default()
        }
    }

    fn ground() -> Patch {
        Patch {
            vertices: vec![
                corner(0.0, 0.0),
                corner(10.0, 0.0),
                corner(10.0, 10.0),
                corner(0.0, 10.0),
            ],
            triangles: vec![[0, 1, 2], [0, 2, 3]],
        }
    }

    fn overlay(corners: [[f32; 2]; 4]) -> Overlay {
        Overlay {
            u: [0.0, 1.0],
            v: [1.0, 0.0],
            corners,
            basis_u: [1.0, 0.0, 0.0],
            origin: [8.0, 5.0, 7.0],
            normal: [0.0, 0.0, 1.0],
            ..Overlay::default()
        }
    }

    fn area(patch: &Patch) -> f32 {
        let flat = |index: u32| {
            let [x, y, _] = patch.vertices[index as usize].position;
            [x, y]
        };
        let areas = patch
            .triangles
            .iter()
            .map(|it| signed_area(it.map(flat)) / 2.0);
        areas.sum()
    }

    #[test]
    fn pictures_end_where_their_faces_do() {
        // Clockwise and the other way round: x from 5 to 11, of which 2 lie on the face, y from 3 to 7.
        let clockwise = [[-3.0, -2.0], [-3.0, 2.0], [3.0, 2.0], [3.0, -2.0]];
        let [a, b, c, d] = clockwise;
        for corners in [clockwise, [d, c, b, a]] {
            let patch = Quad::from_overlay(&overlay(corners)).over(&ground());
            assert!((area(&patch) - 5.0 * 4.0).abs() < 1e-4, "{}", area(&patch));
            for vertex in &patch.vertices {
                let [x, y, z] = vertex.position;
                assert!((z - 5.2).abs() < 1e-6);
                assert!((vertex.light_uv[0] - x / 10.0).abs() < 1e-5);
                let u = match corners[0] == a {
                    true => (x - 5.0) / 6.0,
                    false => (11.0 - x) / 6.0,
                };
                let v = 1.0 - (y - 3.0) / 4.0;
                assert!((vertex.uv[0] - u).abs() < 1e-5, "{vertex:?}");
                assert!((vertex.uv[1] - v).abs() < 1e-5, "{vertex:?}");
            }
        }
    }
}
