//! Faces and displacements as patches of a mesh. Dossier sections 2.5, 2.6, 3.1, 4.3 and 5.

use ironlands_scene::Aabb;

use super::mesh_builder::{Patch, Vertex};
use crate::bsp::{DisplacementGrid, Face, Map, Texinfo};
use crate::lightmap::{Atlas, Place};
use crate::materials::CHANNELS;
use crate::vmt::Transform;

/// What faces are made of, beside the faces themselves.
#[derive(Debug)]
pub struct Faces<'a> {
    map: &'a Map,
    atlas: &'a Atlas,
    /// For each face where its normals begin in `Map::vertex_normal_indices`: all faces count, drawn or not.
    first_normals: Vec<usize>,
}

/// How the texture of a face is laid.
#[derive(Debug, Clone, Copy)]
pub struct Laying {
    texture_vecs: [[f32; 4]; 2],
    lightmap_vecs: [[f32; 4]; 2],
    size: [f32; 2],
    transform: Transform,
}

impl<'a> Faces<'a> {
    /// `atlas` holds the light of `faces`, all faces of the map in order.
    pub fn new(map: &'a Map, faces: &[Face], atlas: &'a Atlas) -> Self {
        let first_normals = faces
            .iter()
            .scan(0usize, |next, face| {
                let first = *next;
                let n = usize::try_from(face.n_edges).unwrap_or_default();
                *next = next.saturating_add(n);
                Some(first)
            })
            .collect();
        Self {
            map,
            atlas,
            first_normals,
        }
    }

    /// How the texture of a texinfo is laid; `None` if there is no such texinfo.
    pub fn laying(&self, texinfo: i32, transform: Transform) -> Option<Laying> {
        let texinfo: &Texinfo = self.map.texinfos.get(usize::try_from(texinfo).ok()?)?;
        let texdata = usize::try_from(texinfo.texdata).ok();
        let texdata = texdata.and_then(|texdata| self.map.texdata.get(texdata));
        // Without a size texels count; it is not that of the texture that was found (section 3.1).
        let size = texdata.map_or([1; 2], |it| it.size.map(|side| side.max(1)));
        Some(Laying {
            texture_vecs: texinfo.texture_vecs,
            lightmap_vecs: texinfo.lightmap_vecs,
            size: size.map(|side| side as f32),
            transform,
        })
    }

    /// A flat face.
    pub fn flat(&self, index: usize, face: &Face, laying: &Laying) -> Patch {
        let ring = self.map.ring(face);
        let mut triangles = Vec::new();
        self.map.triangles_of(face, &mut triangles);
        let place = self.atlas.places.get(index).copied().flatten();
        let vertices = ring.into_iter().enumerate().map(|(corner, position)| {
            let [s, t] = laying.luxel(position, face);
            Vertex {
                position,
                normal: self.normal(index, face, corner),
                uv: laying.uv(position),
                light_uv: self.light_uv(place, [s, t]),
                color: [0.0; 4],
            }
        });
        Patch {
            vertices: vertices.collect(),
            triangles,
        }
    }

    /// A displacement; its vertices are all of its grid.
    #[expect(
        clippy::indexing_slicing,
        clippy::arithmetic_side_effects,
        reason = "a grid has as many of everything as positions"
    )]
    pub fn displaced(
        &self,
        index: usize,
        face: &Face,
        grid: &DisplacementGrid,
        laying: &Laying,
    ) -> Patch {
        let place = self.atlas.places.get(index).copied().flatten();
        let size = face.lightmap_size.map(|side| side as f32);
        let step = (grid.side.max(2) - 1) as f32;
        let vertices = (0..grid.positions.len()).map(|vertex| {
            let [row, column] = [vertex / grid.side.max(1), vertex % grid.side.max(1)];
            let luxel = [column as f32 / step * size[0], row as f32 / step * size[1]];
            Vertex {
                position: grid.positions[vertex],
                normal: grid.normals[vertex],
                uv: laying.uv(grid.flat_positions[vertex]),
                light_uv: self.light_uv(place, luxel),
                color: color(grid, vertex),
            }
        });
        Patch {
            vertices: vertices.collect(),
            triangles: grid.drawn_triangles(),
        }
    }

    /// Normal of the plane of a face; straight up if it has none.
    pub fn plane_normal(&self, face: &Face) -> [f32; 3] {
        let plane = self.map.planes.get(face.plane as usize);
        plane.map_or([0.0, 0.0, 1.0], |plane| plane.normal)
    }

    fn normal(&self, index: usize, face: &Face, corner: usize) -> [f32; 3] {
        let stored = self.first_normals.get(index).and_then(|first| {
            let index = self
                .map
                .vertex_normal_indices
                .get(first.checked_add(corner)?)?;
            self.map.vertex_normals.get(*index as usize).copied()
        });
        let is_unit = |[x, y, z]: &[f32; 3]| (x * x + y * y + z * z - 1.0).abs() < 0.1;
        stored
            .filter(is_unit)
            .unwrap_or_else(|| self.plane_normal(face))
    }

    fn light_uv(&self, place: Option<Place>, luxel: [f32; 2]) -> [f32; 2] {
        place.map_or([0.0; 2], |place| self.atlas.uv(&place, luxel))
    }
}

impl Laying {
    /// Texture coordinates of a point of a model.
    pub fn uv(&self, position: [f32; 3]) -> [f32; 2] {
        let [s, t] = self.texture_vecs.map(|row| along(row, position));
        let [u, v] = [s / self.size[0], t / self.size[1]];
        transformed(self.transform, [u, v])
    }

    /// Where on the light of a face a point of a model lies, in samples from the middle of the first.
    #[expect(clippy::indexing_slicing, reason = "two axes")]
    pub fn luxel(&self, position: [f32; 3], face: &Face) -> [f32; 2] {
        std::array::from_fn(|axis| {
            along(self.lightmap_vecs[axis], position) - face.lightmap_mins[axis] as f32
        })
    }
}

impl Patch {
    /// The smallest box around it; `None` without vertices.
    pub fn bounds(&self) -> Option<Aabb> {
        Aabb::around(self.vertices.iter().map(|vertex| &vertex.position))
    }
}

/// Weights of a vertex of a displacement: of its layers over the first, and of the second of two.
#[expect(clippy::indexing_slicing, reason = "channels are those of a color")]
fn color(grid: &DisplacementGrid, vertex: usize) -> [f32; 4] {
    let weight = grid.weights.get(vertex).copied();
    let mut color = [0.0, 0.0, 0.0, weight.unwrap_or(0.0)];
    let [_, layers @ ..] = grid.layers.get(vertex).copied().unwrap_or_default();
    for (channel, weight) in CHANNELS.into_iter().zip(layers) {
        if weight.is_finite() {
            color[usize::from(channel)] = weight.clamp(0.0, 1.0);
        }
    }
    color
}

/// Texture coordinates after a transform of a material.
pub fn transformed(Transform(rows): Transform, [u, v]: [f32; 2]) -> [f32; 2] {
    rows.map(|[a, b, c]| a * u + b * v + c)
}

fn along([a, b, c, shift]: [f32; 4], [x, y, z]: [f32; 3]) -> f32 {
    a * x + b * y + c * z + shift
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bsp::test_map::sample_map;

    #[test]
    fn weights_of_layers_are_shares_beside_that_of_the_blend_texture() {
        let mut grid = DisplacementGrid::new(&sample_map(20), 0).unwrap();
        grid.weights[3] = 0.25;
        assert_eq!(color(&grid, 3), [0.0, 0.0, 0.0, 0.25]);
        grid.layers = vec![[9.0, f32::NAN, 2.0, 0.5]; 25];
        assert_eq!(color(&grid, 3), [0.0, 1.0, 0.5, 0.25]);
    }
}
