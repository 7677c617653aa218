//! Puts faces together to a mesh whose batches are ordered by material, then by where they are seen from.

use std::collections::{BTreeMap, HashMap};

use ironlands_scene::{Aabb, Batch, Cluster, MaterialIdx, Mesh};

use super::FORMAT;
use crate::bsp::{MAX_COORDINATE, is_place};
use ironlands_assets_core::bytes::{Finding, Severity};

/// A corner of a face.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Vertex {
    /// Place.
    pub position: [f32; 3],
    /// Unit normal.
    pub normal: [f32; 3],
    /// By which textures are laid.
    pub uv: [f32; 2],
    /// UV set of lightmaps.
    pub light_uv: [f32; 2],
    /// As in [`Mesh::colors`].
    pub color: [f32; 4],
}

/// A face, or a grid of a displacement.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Patch {
    /// Corners.
    pub vertices: Vec<Vertex>,
    /// Triangles, counter-clockwise seen from the front.
    pub triangles: Vec<[u32; 3]>,
}

/// A mesh that grows.
#[derive(Debug, Default)]
pub struct MeshBuilder {
    mesh: Mesh,
    has_colors: bool,
    /// Boxes around what is seen from the same cells.
    groups: Vec<Aabb>,
    group_of_cells: BTreeMap<Vec<u32>, usize>,
    /// Indices by material and group.
    runs: HashMap<(MaterialIdx, usize), Vec<u32>>,
    /// Patches that no scene can hold.
    n_refused: usize,
}

impl Vertex {
    /// Whether a scene can hold it: it lies in or near the map, and all other numbers are finite.
    fn is_sound(&self) -> bool {
        let Self {
            position,
            normal,
            uv,
            light_uv,
            color,
        } = self;
        let mut others = normal.iter().chain(uv).chain(light_uv).chain(color);
        is_place(*position) && others.all(|number| number.is_finite())
    }
}

#[expect(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "groups are ranked as they were made, and a mesh has at most `u32::MAX` vertices"
)]
impl MeshBuilder {
    /// An empty mesh.
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            mesh: Mesh {
                name: name.into(),
                ..Mesh::default()
            },
            ..Self::default()
        }
    }

    /// Whether there is nothing to draw.
    pub fn is_empty(&self) -> bool {
        self.runs.is_empty()
    }

    /// Adds a patch that lies in some cells, in rising order. One without triangles, or with more vertices than a mesh
    /// holds, is left out; so is one with a corner that no scene can hold, which is reported at the end. `true` if it was
    /// added.
    pub fn add(&mut self, patch: &Patch, material: MaterialIdx, cells: &[u32]) -> bool {
        let positions = patch.vertices.iter().map(|vertex| &vertex.position);
        let n_before = self.mesh.positions.len();
        let n_after = n_before.saturating_add(patch.vertices.len());
        let (Some(bounds), Ok(first)) = (Aabb::around(positions), u32::try_from(n_before)) else {
            return false;
        };
        if patch.triangles.is_empty() || u32::try_from(n_after).is_err() {
            return false;
        }
        if !patch.vertices.iter().all(Vertex::is_sound) {
            self.n_refused += 1;
            return false;
        }
        let group = self.group(cells, bounds);
        let run = self.runs.entry((material, group)).or_default();
        run.extend(patch.triangles.iter().flatten().map(|index| first + index));
        for vertex in &patch.vertices {
            self.mesh.positions.push(vertex.position);
            self.mesh.normals.push(vertex.normal);
            self.mesh.uv_sets[0].push(vertex.uv);
            self.mesh.uv_sets[1].push(vertex.light_uv);
            self.mesh.colors.push(vertex.color);
            self.has_colors |= vertex.color != [0.0; 4];
        }
        true
    }

    fn group(&mut self, cells: &[u32], bounds: Aabb) -> usize {
        if let Some(group) = self.group_of_cells.get(cells) {
            let all = &mut self.groups[*group];
            let corners = [all.min, all.max, bounds.min, bounds.max];
            *all = Aabb::around(&corners).unwrap_or(bounds);
            return *group;
        }
        let group = self.groups.len();
        self.groups.push(bounds);
        self.group_of_cells.insert(cells.to_vec(), group);
        group
    }

    /// The mesh with a cluster for all that is seen from the same cells.
    ///
    /// Indices go by material, then by cells, so that what is drawn together with one material mostly stands
    /// together.
    pub fn finish(mut self, findings: &mut Vec<Finding>) -> Mesh {
        self.report_refused(findings);
        self.order(true)
    }

    /// The mesh without clusters, as models have it: a batch for each material.
    pub fn finish_model(mut self, findings: &mut Vec<Finding>) -> Mesh {
        self.report_refused(findings);
        self.order(false)
    }

    fn report_refused(&self, findings: &mut Vec<Finding>) {
        if self.n_refused > 0 {
            let message = format!(
                "{}: {} faces have corners beyond {MAX_COORDINATE} units, or numbers that are not finite; they are \
                 left out",
                self.mesh.name, self.n_refused
            );
            findings.push(Finding::new(Severity::Warning, FORMAT, message));
        }
    }

    fn order(&mut self, has_clusters: bool) -> Mesh {
        let mut mesh = std::mem::take(&mut self.mesh);
        if !self.has_colors {
            mesh.colors.clear();
        }
        let by_cells: Vec<_> = std::mem::take(&mut self.group_of_cells)
            .into_iter()
            .collect();
        let mut rank = vec![0; by_cells.len()];
        for (position, (_, group)) in by_cells.iter().enumerate() {
            rank[*group] = position;
        }
        let mut runs: Vec<_> = std::mem::take(&mut self.runs).into_iter().collect();
        runs.sort_unstable_by_key(|((material, group), _)| (*material, rank[*group]));
        let mut of_group: Vec<Vec<Batch>> = vec![Vec::new(); by_cells.len()];
        for ((material, group), indices) in runs {
            let batch = Batch {
                first_index: u32::try_from(mesh.indices.len()).unwrap_or(u32::MAX),
                n_indices: u32::try_from(indices.len()).unwrap_or(u32::MAX),
                material,
            };
            mesh.indices.extend(indices);
            of_group[rank[group]].push(batch);
        }
        if !has_clusters {
            let mut batches: Vec<Batch> = of_group.into_iter().flatten().collect();
            batches.sort_by_key(|batch| batch.first_index);
            batches.dedup_by(|next, batch| {
                let joins = batch.material == next.material;
                if joins {
                    batch.n_indices = batch.n_indices.saturating_add(next.n_indices);
                }
                joins
            });
            mesh.batches = batches;
            return mesh;
        }
        for ((cells, group), batches) in by_cells.into_iter().zip(of_group) {
            // As many as there are runs of indices.
            let first = mesh.batches.len() as u32;
            mesh.batches.extend(batches);
            let only_lod = first..mesh.batches.len() as u32;
            mesh.clusters.push(Cluster {
                bounds: self.groups[group],
                cell: [0; 2],
                lods: [only_lod].to_vec(),
                cells,
            });
        }
        mesh
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn triangle(x: f32) -> Patch {
        let corner = |dx, dy| Vertex {
            position: [x + dx, dy, 0.0],
            ..Vertex::default()
        };
        Patch {
            vertices: vec![corner(0.0, 0.0), corner(1.0, 0.0), corner(0.0, 1.0)],
            triangles: vec![[0, 1, 2]],
        }
    }

    fn build() -> MeshBuilder {
        let mut builder = MeshBuilder::new("world");
        for (x, material, cells) in [
            (0.0, 1, &[2, 3][..]),
            (5.0, 0, &[4]),
            (9.0, 1, &[1]),
            (12.0, 0, &[2, 3]),
            (20.0, 1, &[2, 3]),
        ] {
            builder.add(&triangle(x), MaterialIdx(material), cells);
        }
        builder
    }

    #[test]
    fn indices_go_by_material_then_cells_and_clusters_by_cells() {
        let mesh = build().finish(&mut Vec::new());
        let xs: Vec<f32> = mesh
            .indices
            .iter()
            .step_by(3)
            .map(|index| mesh.positions[*index as usize][0])
            .collect();
        assert_eq!(xs, [12.0, 5.0, 9.0, 0.0, 20.0]);
        let cells: Vec<_> = mesh.clusters.iter().map(|it| &*it.cells).collect();
        assert_eq!(cells, [&[1][..], &[2, 3], &[4]]);
        let drawn = |cluster: usize| -> Vec<_> {
            let lod = mesh.clusters[cluster].lods[0].clone();
            let batches = &mesh.batches[lod.start as usize..lod.end as usize];
            let of = |it: &Batch| (it.material.0, it.first_index, it.n_indices);
            batches.iter().map(of).collect()
        };
        assert_eq!(drawn(0), [(1, 6, 3)]);
        assert_eq!(drawn(1), [(0, 0, 3), (1, 9, 6)]);
        assert_eq!(drawn(2), [(0, 3, 3)]);
        assert_eq!(mesh.clusters[1].bounds.min, [0.0; 3]);
        assert_eq!(mesh.clusters[1].bounds.max, [21.0, 1.0, 0.0]);
        assert_eq!(mesh.colors, [[0.0; 4]; 0]);
    }

    #[test]
    fn a_model_has_one_batch_a_material() {
        let mesh = build().finish_model(&mut Vec::new());
        let of = |it: &Batch| (it.material.0, it.first_index, it.n_indices);
        let batches: Vec<_> = mesh.batches.iter().map(of).collect();
        assert_eq!(batches, [(0, 0, 6), (1, 6, 9)]);
        assert_eq!(mesh.clusters, []);
    }
    #[test]
    fn corners_beyond_any_map_are_left_out_and_counted() {
        type Spoil = fn(&mut Vertex);
        let spoils: [Spoil; 5] = [
            |it| it.position[1] = 3.0e38,
            |it| it.position[2] = f32::NAN,
            |it| it.normal[0] = f32::INFINITY,
            |it| it.light_uv[0] = f32::NAN,
            |it| it.color[3] = f32::NAN,
        ];
        let mut builder = build();
        for spoil in spoils {
            let mut patch = triangle(30.0);
            spoil(&mut patch.vertices[1]);
            builder.add(&patch, MaterialIdx(0), &[]);
        }
        let mut findings = Vec::new();
        assert_eq!(
            builder.finish(&mut findings),
            build().finish(&mut Vec::new())
        );
        let [finding] = &findings[..] else {
            panic!("one finding: {findings:?}");
        };
        assert!(finding.message.starts_with("world: 5 faces"), "{finding:?}");
    }
}
