//! Faces: the visible parts of sides, laid on the nodes of the tree, cut to the size of lightmaps.

use ironlands_assets_source::bsp::Texinfo;

use super::brushes::{MaterialIdx, SurfaceMaterial, flags};
use super::csg::{PreparedBrush, SidePart};
use super::merge::merged;
use super::planes::PlaneTable;
use super::polygon::{Polygon, Split};
use super::texinfos::{LuxelGrid, MAX_LUXELS, TexinfoTable};
use super::tree::{Child, Tree};
use crate::vector::{Plane, Vec3, add_scaled, dot, length, scale, sub};

/// A face before it is numbered.
#[derive(Debug, Clone)]
pub struct DraftFace {
    /// Plane number.
    pub plane: u32,
    /// Node on whose plane it lies; details and displacements have none.
    pub node: Option<usize>,
    /// Leaves whose lists it is in.
    pub leaves: Vec<usize>,
    /// Index of its texinfo.
    pub texinfo: usize,
    /// What covers it.
    pub material: MaterialIdx,
    /// Index of its original face.
    pub original: usize,
    /// Brush and side that it is a part of; of the world, or of its model.
    pub side: Option<[usize; 2]>,
    /// Displacement that stands in its place.
    pub displacement: Option<usize>,
    /// Its shape.
    pub polygon: Polygon,
}

/// A polygon before the tree cut it.
#[derive(Debug, Clone)]
pub struct OriginalFace {
    /// Plane number.
    pub plane: u32,
    /// Index of its texinfo.
    pub texinfo: usize,
    /// Its shape.
    pub polygon: Polygon,
}

/// All faces of one model, and what they are cut from.
#[derive(Debug, Default)]
pub struct FaceSet {
    /// By node; details at the end.
    pub faces: Vec<DraftFace>,
    /// Before the tree.
    pub originals: Vec<OriginalFace>,
}

/// What faces are made with.
pub struct FaceMaker<'a> {
    /// Materials of the plan.
    pub materials: &'a [SurfaceMaterial],
    /// Planes of the map.
    pub planes: &'a PlaneTable,
    /// Tree of the model.
    pub tree: &'a Tree,
    /// Which of its leaves hold a part of the level.
    pub is_open: &'a [bool],
}

impl FaceMaker<'_> {
    /// Makes the faces of a model. `first_original` original faces exist before.
    pub fn faces(
        &self,
        brushes: &[PreparedBrush],
        parts: &[SidePart],
        texinfos: &mut TexinfoTable,
        first_original: usize,
    ) -> FaceSet {
        let mut set = FaceSet::default();
        for part in parts {
            let brush = &brushes[part.brush].brush;
            let material = brush.sides[part.side].material;
            let is_detail = brush.is_detail();
            self.add(
                &mut set,
                part,
                material,
                is_detail,
                texinfos,
                first_original,
            );
            if let Some(beneath) = self.materials[material].beneath {
                let back = SidePart {
                    plane: part.plane ^ 1,
                    polygon: part.polygon.reversed(),
                    ..*part
                };
                self.add(
                    &mut set,
                    &back,
                    beneath,
                    is_detail,
                    texinfos,
                    first_original,
                );
            }
        }
        set.faces
            .sort_by_key(|face| face.node.unwrap_or(usize::MAX));
        set
    }

    fn add(
        &self,
        set: &mut FaceSet,
        part: &SidePart,
        material: MaterialIdx,
        is_detail: bool,
        texinfos: &mut TexinfoTable,
        first_original: usize,
    ) {
        let look = &self.materials[material];
        if look.flags & flags::NODRAW != 0 {
            return;
        }
        let normal = self.planes.get(part.plane).normal;
        let texinfo = texinfos.number(self.materials, material, normal);
        let original = first_original + set.originals.len();
        let mut n_new = 0;
        for (node, polygon) in self.pieces(part, is_detail) {
            for polygon in self.lightmap_sized(polygon, look, &texinfos.texinfos[texinfo]) {
                let leaves = self.open_leaves(part.plane, node, &polygon);
                if leaves.is_empty() {
                    continue;
                }
                n_new += 1;
                set.faces.push(DraftFace {
                    plane: part.plane,
                    node,
                    leaves,
                    texinfo,
                    material,
                    original,
                    side: Some([part.brush, part.side]),
                    displacement: None,
                    polygon,
                });
            }
        }
        if n_new > 0 {
            set.originals.push(OriginalFace {
                plane: part.plane,
                texinfo,
                polygon: part.polygon.clone(),
            });
        }
    }

    /// What is left of a side where it borders on the level, by the node that it lies on.
    fn pieces(&self, part: &SidePart, is_detail: bool) -> Vec<(Option<usize>, Polygon)> {
        let mut on_nodes = Vec::new();
        if is_detail {
            on_nodes.push((None, part.polygon.clone()));
        } else {
            self.lay(
                self.tree.root(),
                part.polygon.clone(),
                part.plane,
                &mut on_nodes,
            );
        }
        let normal = self.planes.get(part.plane).normal;
        let mut pieces = Vec::new();
        for (node, polygon) in on_nodes {
            let mut open: Vec<Polygon> = Vec::new();
            let parts = self.leaf_parts(part.plane, node, &polygon);
            let n_parts = parts.len();
            open.extend(
                parts
                    .into_iter()
                    .filter(|(leaf, _)| self.is_open[*leaf])
                    .map(|(_, polygon)| polygon),
            );
            if open.len() == n_parts && n_parts > 0 {
                pieces.push((node, polygon));
            } else {
                let open = merged(open, normal);
                pieces.extend(open.into_iter().map(|polygon| (node, polygon)));
            }
        }
        pieces
    }

    /// Cuts a polygon down to the nodes on whose plane it lies.
    fn lay(
        &self,
        child: Child,
        polygon: Polygon,
        plane: u32,
        laid: &mut Vec<(Option<usize>, Polygon)>,
    ) {
        let Child::Node(at) = child else {
            laid.push((None, polygon));
            return;
        };
        let node = &self.tree.nodes[at];
        if node.plane / 2 == plane / 2 {
            laid.push((Some(at), polygon));
            return;
        }
        match polygon.split(self.planes.get(node.plane)) {
            Split::Front => self.lay(node.children[0], polygon, plane, laid),
            Split::Back => self.lay(node.children[1], polygon, plane, laid),
            Split::On => {
                let side = node.children[self.side_of(node.plane, plane)];
                self.lay(side, polygon, plane, laid);
            }
            Split::Both(front, back) => {
                self.lay(node.children[0], front, plane, laid);
                self.lay(node.children[1], back, plane, laid);
            }
        }
    }

    /// The child of a node that a face in its plane looks into.
    fn side_of(&self, node_plane: u32, face_plane: u32) -> usize {
        let (node, face) = (self.planes.get(node_plane), self.planes.get(face_plane));
        usize::from(dot(node.normal, face.normal) < 0.0)
    }

    fn leaf_parts(
        &self,
        plane: u32,
        node: Option<usize>,
        polygon: &Polygon,
    ) -> Vec<(usize, Polygon)> {
        let start = match node {
            Some(node) => {
                let node = &self.tree.nodes[node];
                node.children[self.side_of(node.plane, plane)]
            }
            None => self.tree.root(),
        };
        let mut parts = Vec::new();
        let on_plane = |node_plane: u32| self.side_of(node_plane, plane);
        self.tree
            .spread(start, polygon.clone(), self.planes, &on_plane, &mut parts);
        parts
    }

    fn open_leaves(&self, plane: u32, node: Option<usize>, polygon: &Polygon) -> Vec<usize> {
        let parts = self.leaf_parts(plane, node, polygon);
        let mut leaves: Vec<usize> = parts
            .iter()
            .map(|(leaf, _)| *leaf)
            .filter(|leaf| self.is_open[*leaf])
            .collect();
        leaves.sort_unstable();
        leaves.dedup();
        leaves
    }

    /// Cuts along luxels until each part has few enough of them.
    fn lightmap_sized(
        &self,
        polygon: Polygon,
        look: &SurfaceMaterial,
        texinfo: &Texinfo,
    ) -> Vec<Polygon> {
        let (mut open, mut done) = (vec![polygon], Vec::new());
        while let Some(polygon) = open.pop() {
            let grid = LuxelGrid::around(texinfo, &polygon.corners);
            let Some(k) = (0..2).find(|k| grid.size[*k] > MAX_LUXELS) else {
                done.push(polygon);
                continue;
            };
            let at = f64::from(grid.mins[k] + MAX_LUXELS) * look.units_per_luxel;
            let [x, y, z, _] =
                texinfo.lightmap_vecs[k].map(|c| f64::from(c) * look.units_per_luxel);
            let plane = Plane {
                normal: [x, y, z],
                dist: at,
            };
            match polygon.split_with(&plane, 1e-6) {
                Split::Both(front, back) => open.extend([front, back]),
                _ => done.push(polygon),
            }
        }
        done.retain(|polygon| !polygon.is_sliver());
        done
    }
}

/// Adds to each edge the corners of other faces that lie on it, so that no cracks show.
pub fn fix_t_junctions(faces: &mut [DraftFace]) {
    let mut corners: Vec<_> = faces
        .iter()
        .filter(|face| face.displacement.is_none())
        .flat_map(|face| face.polygon.corners.iter().copied())
        .collect();
    corners.sort_by(|a, b| {
        a[0].total_cmp(&b[0])
            .then(a[1].total_cmp(&b[1]))
            .then(a[2].total_cmp(&b[2]))
    });
    corners.dedup();
    for face in faces.iter_mut().filter(|face| face.displacement.is_none()) {
        let ring = &face.polygon.corners;
        let mut fixed = Vec::new();
        for (i, a) in ring.iter().enumerate() {
            fixed.push(*a);
            fixed.extend(between(*a, ring[(i + 1) % ring.len()], &corners));
        }
        face.polygon.corners = fixed;
    }
}

/// A corner closer to an edge than this lies on it.
const ON_EDGE: f64 = 0.02;
/// A corner closer to the end of an edge than this is its end.
const AT_END: f64 = 0.1;

/// The corners between two ends of an edge, in order. `corners` ascend along x.
fn between(a: Vec3, b: Vec3, corners: &[Vec3]) -> Vec<Vec3> {
    let edge = sub(b, a);
    let length_ = length(edge);
    let along = scale(edge, 1.0 / length_.max(1e-9));
    let (low, high) = (a[0].min(b[0]) - ON_EDGE, a[0].max(b[0]) + ON_EDGE);
    let first = corners.partition_point(|p| p[0] < low);
    let mut found: Vec<(f64, Vec3)> = corners[first..]
        .iter()
        .take_while(|p| p[0] <= high)
        .filter_map(|p| {
            let t = dot(sub(*p, a), along);
            let is_between = t > AT_END && t < length_ - AT_END;
            let off = length(sub(*p, add_scaled(a, along, t)));
            (is_between && off < ON_EDGE).then_some((t, *p))
        })
        .collect();
    found.sort_by(|x, y| x.0.total_cmp(&y.0));
    found.dedup_by(|x, y| (x.0 - y.0).abs() < AT_END);
    found.into_iter().map(|(_, p)| p).collect()
}
