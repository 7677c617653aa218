//! What follows from the lumps without a choice: rings and triangles of faces, names, leaves of points.

use std::borrow::Cow;
use std::collections::HashSet;

use super::map::{Brush, BrushSide, Face, FaceSet, Map, Model, Plane, Primitive, WorldLight};

/// [`Primitive::kind`] of strips.
const STRIP: u8 = 1;
/// Beyond any map, whose coordinates end at 65,536 (section 1.7), with room for models that reach out of it. Squares of
/// such numbers are still finite.
pub const MAX_COORDINATE: f32 = (1 << 21) as f32;

/// Whether a point can lie in or near a map: its numbers are finite and at most [`MAX_COORDINATE`].
pub fn is_place(point: [f32; 3]) -> bool {
    point
        .iter()
        .all(|component| component.abs() <= MAX_COORDINATE)
}

impl Map {
    /// The faces of a set: those of HDR are the plain ones where the map has no others.
    pub fn faces_of(&self, set: FaceSet) -> &[Face] {
        match set {
            FaceSet::Hdr if !self.faces_hdr.is_empty() => &self.faces_hdr,
            _ => &self.faces,
        }
    }

    /// The light of a set.
    pub fn lighting_of(&self, set: FaceSet) -> &[u8] {
        match set {
            FaceSet::Ldr => &self.lighting,
            FaceSet::Hdr => &self.lighting_hdr,
        }
    }

    /// The lights that a set was lit by: those of HDR are the plain ones where the map has no others.
    pub fn world_lights_of(&self, set: FaceSet) -> &[WorldLight] {
        match set {
            FaceSet::Hdr if !self.world_lights_hdr.is_empty() => &self.world_lights_hdr,
            _ => &self.world_lights,
        }
    }

    /// The set that has light: LDR, unless only HDR has some.
    pub fn default_face_set(&self) -> FaceSet {
        if self.lighting.is_empty() && !self.lighting_hdr.is_empty() {
            FaceSet::Hdr
        } else {
            FaceSet::Ldr
        }
    }

    /// Corners of a face in file axes, clockwise seen from the front (section 2.3).
    pub fn ring(&self, face: &Face) -> Vec<[f32; 3]> {
        let corners = self.ring_vertices(face);
        corners
            .filter_map(|vertex| self.vertices.get(vertex as usize).copied())
            .collect()
    }

    /// Indices of the corners of a face in [`Self::vertices`].
    pub fn ring_vertices(&self, face: &Face) -> impl Iterator<Item = u32> {
        self.surfedges_of(face).iter().filter_map(|surfedge| {
            let edge = self.edges.get(surfedge.unsigned_abs() as usize)?;
            let [first, second] = edge.vertices;
            Some(if *surfedge >= 0 { first } else { second })
        })
    }

    /// The surfedges of a face, one a corner.
    pub fn surfedges_of(&self, face: &Face) -> &[i32] {
        range_of(&self.surfedges, face.first_edge, face.n_edges)
    }

    /// Appends the triangles of a face as indices of its [`ring`](Self::ring), counter-clockwise seen from the front:
    /// those of its primitives, or a fan around corner 0 (section 2.5).
    ///
    /// A face whose primitives have vertices of their own, as water has, is a fan as well.
    pub fn triangles_of(&self, face: &Face, triangles: &mut Vec<[u32; 3]>) {
        let primitives = self.primitives_of(face);
        let n_corners = u32::try_from(face.n_edges).unwrap_or(0);
        if primitives.is_empty() || primitives.iter().any(|p| p.n_vertices != 0) {
            let fan = (2..n_corners).map(|corner| [0, corner, corner.saturating_sub(1)]);
            triangles.extend(fan);
            return;
        }
        for primitive in primitives {
            let indices = self.indices_of(primitive);
            let is_ours = |triangle: &[u32; 3]| triangle.iter().all(|index| *index < n_corners);
            if primitive.kind == STRIP {
                let strip = indices.windows(3).enumerate();
                let clockwise = strip.filter_map(|(i, corners)| match (i & 1, corners) {
                    (0, &[a, b, c]) => Some([a, b, c]),
                    (_, &[a, b, c]) => Some([b, a, c]),
                    _ => None,
                });
                triangles.extend(clockwise.map(reversed).filter(is_ours));
            } else {
                let (list, _) = indices.as_chunks();
                triangles.extend(list.iter().copied().map(reversed).filter(is_ours));
            }
        }
    }

    /// The primitives of a face.
    pub fn primitives_of(&self, face: &Face) -> &[Primitive] {
        range_of(&self.primitives, face.first_primitive, face.n_primitives)
    }

    /// The indices of a primitive.
    pub fn indices_of(&self, primitive: &Primitive) -> &[u32] {
        let Primitive {
            first_index,
            n_indices,
            ..
        } = *primitive;
        range_of(&self.primitive_indices, first_index, n_indices)
    }

    /// Indices of the faces of a leaf.
    pub fn faces_of_leaf(&self, leaf: usize) -> &[u32] {
        match self.leaves.get(leaf) {
            Some(leaf) => range_of(&self.leaf_faces, leaf.first_leaf_face, leaf.n_leaf_faces),
            None => &[],
        }
    }

    /// Indices of the brushes of a leaf.
    pub fn brushes_of_leaf(&self, leaf: usize) -> &[u32] {
        match self.leaves.get(leaf) {
            Some(leaf) => range_of(
                &self.leaf_brushes,
                leaf.first_leaf_brush,
                leaf.n_leaf_brushes,
            ),
            None => &[],
        }
    }

    /// The sides of a brush.
    pub fn sides_of(&self, brush: &Brush) -> &[BrushSide] {
        range_of(&self.brush_sides, brush.first_side, brush.n_sides)
    }

    /// Name of the texture of a texinfo as stored: no `materials/`, no extension, either case (section 3.3).
    pub fn texture_name(&self, texinfo: i32) -> Option<Cow<'_, str>> {
        let texinfo = self.texinfos.get(usize::try_from(texinfo).ok()?)?;
        self.texdata_name(texinfo.texdata)
    }

    /// Name of the texture of a texdata, as in [`Self::texture_name`].
    pub fn texdata_name(&self, texdata: i32) -> Option<Cow<'_, str>> {
        let texdata = self.texdata.get(usize::try_from(texdata).ok()?)?;
        let name = usize::try_from(texdata.name).ok()?;
        let offset = usize::try_from(*self.texture_name_offsets.get(name)?).ok()?;
        let name = self.texture_names.get(offset..)?.split(|byte| *byte == 0);
        Some(String::from_utf8_lossy(name.take(1).next()?))
    }

    /// The leaf that a point is in, below `head_node` (a node, or `-1 - leaf`); ties go to the front (section 6.4).
    ///
    /// Leaf 0, which is solid, if the tree leads nowhere.
    pub fn leaf_at(&self, head_node: i32, point: [f32; 3]) -> usize {
        let mut child = head_node;
        for _ in 0..=self.nodes.len() {
            let Ok(index) = usize::try_from(child) else {
                return usize::try_from(!child).unwrap_or(0);
            };
            let Some(node) = self.nodes.get(index) else {
                return 0;
            };
            let [front, back] = node.children;
            let plane = usize::try_from(node.plane).ok();
            let plane = plane.and_then(|plane| self.planes.get(plane));
            let is_in_front = plane.is_none_or(|plane| plane.distance(point) >= 0.0);
            child = if is_in_front { front } else { back };
        }
        0
    }

    /// Leaves below a node (or `-1 - leaf`), front first, each once: nodes of a broken map may share one.
    pub fn leaves_below(&self, head_node: i32) -> Vec<usize> {
        let mut leaves = Vec::new();
        let mut known = HashSet::new();
        let mut waiting = vec![head_node];
        // A tree of n nodes has 2n + 1 places.
        let n_places = self.nodes.len().saturating_mul(2).saturating_add(1);
        for _ in 0..n_places {
            let Some(child) = waiting.pop() else {
                break;
            };
            match usize::try_from(child) {
                Ok(index) => {
                    let [front, back] = self.nodes.get(index).map_or([-1; 2], |n| n.children);
                    waiting.extend([back, front]);
                }
                Err(_) if known.insert(child) => leaves.push(usize::try_from(!child).unwrap_or(0)),
                Err(_) => {}
            }
        }
        leaves
    }

    /// Brushes of a model in ascending order: all between the first and the last one of its leaves (section 7.1),
    /// which holds those that are in no leaf as well.
    pub fn world_brushes(&self, model: usize) -> Vec<u32> {
        let Some(Model { head_node, .. }) = self.models.get(model) else {
            return Vec::new();
        };
        let leaves = self.leaves_below(*head_node);
        let brushes = leaves.iter().flat_map(|leaf| self.brushes_of_leaf(*leaf));
        match (brushes.clone().min(), brushes.max()) {
            (Some(first), Some(last)) => (*first..=*last).collect(),
            _ => Vec::new(),
        }
    }
}

impl Plane {
    /// Distance of a point, positive in front.
    pub fn distance(&self, point: [f32; 3]) -> f32 {
        let [a, b, c] = self.normal;
        let [x, y, z] = point;
        a * x + b * y + c * z - self.dist
    }
}

/// A range of a table; nothing if it leaves the table.
pub(crate) fn range_of<T>(table: &[T], first: impl TryInto<usize>, n: impl TryInto<usize>) -> &[T] {
    let (Ok(first), Ok(n)) = (first.try_into(), n.try_into()) else {
        return &[];
    };
    let end = first.checked_add(n);
    end.and_then(|end| table.get(first..end))
        .unwrap_or_default()
}

/// Faces are clockwise in the file.
fn reversed([a, b, c]: [u32; 3]) -> [u32; 3] {
    [a, c, b]
}
