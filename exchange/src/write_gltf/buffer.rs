//! The binary chunk: runs of numbers of one kind, the views over them, and accessors into them.

use std::collections::HashMap;

use gltf_json::accessor::{Accessor, ComponentType, GenericComponentType, Type};
use gltf_json::buffer::{Buffer, Stride, Target, View};
use gltf_json::validation::{Checked, USize64};
use gltf_json::{Index, Root};
use serde_json::Value;

/// Numbers of one kind; each kind has one view, each picture its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Run {
    Vec3,
    Vec2,
    Vec4,
    Bytes4,
    Joints,
    Index16,
    Index32,
    Keys,
    Picture,
}

/// The binary chunk while it grows.
#[derive(Debug, Default)]
pub struct BinaryChunk {
    /// In the order of the views.
    runs: Vec<(Run, Vec<u8>)>,
    /// Accessors of times by their bytes: nodes that move together share them.
    times: HashMap<Vec<u8>, Index<Accessor>>,
}

impl BinaryChunk {
    /// Positions, with the bounds that glTF requires.
    pub fn positions(&mut self, root: &mut Root, points: &[[f32; 3]]) -> Index<Accessor> {
        let accessor = self.vec3(root, points);
        let fold = |of: fn(f32, f32) -> f32| -> Value {
            let bounds = points.iter().copied().reduce(|a, b| {
                let axis = |axis: usize| of(a[axis], b[axis]);
                [axis(0), axis(1), axis(2)]
            });
            bounds.unwrap_or_default().map(f64::from).to_vec().into()
        };
        let written = &mut root.accessors[accessor.value()];
        (written.min, written.max) = (Some(fold(f32::min)), Some(fold(f32::max)));
        accessor
    }

    /// Normals and other vectors of three numbers a vertex, without bounds.
    pub fn vec3(&mut self, root: &mut Root, vectors: &[[f32; 3]]) -> Index<Accessor> {
        let bytes = f32_bytes(vectors.as_flattened());
        self.accessor(
            root,
            Run::Vec3,
            &bytes,
            vectors.len(),
            ComponentType::F32,
            Type::Vec3,
        )
    }

    /// Texture coordinates.
    pub fn vec2(&mut self, root: &mut Root, vectors: &[[f32; 2]]) -> Index<Accessor> {
        let bytes = f32_bytes(vectors.as_flattened());
        self.accessor(
            root,
            Run::Vec2,
            &bytes,
            vectors.len(),
            ComponentType::F32,
            Type::Vec2,
        )
    }

    /// Colors and other vectors of four numbers a vertex.
    pub fn vec4(&mut self, root: &mut Root, vectors: &[[f32; 4]]) -> Index<Accessor> {
        let bytes = f32_bytes(vectors.as_flattened());
        let (n, kind) = (vectors.len(), ComponentType::F32);
        self.accessor(root, Run::Vec4, &bytes, n, kind, Type::Vec4)
    }

    /// Which joints carry a vertex, and how much each of them does.
    pub fn skin(
        &mut self,
        root: &mut Root,
        joints: &[[u16; 4]],
        weights: &[[f32; 4]],
    ) -> [Index<Accessor>; 2] {
        let bytes = joints.as_flattened().iter().flat_map(|it| it.to_le_bytes());
        let bytes: Vec<u8> = bytes.collect();
        let (n_vertices, kind) = (joints.len(), ComponentType::U16);
        let joints = self.accessor(root, Run::Joints, &bytes, n_vertices, kind, Type::Vec4);
        [joints, self.vec4(root, weights)]
    }

    /// Matrices, column after column.
    pub fn matrices(&mut self, root: &mut Root, matrices: &[[f32; 16]]) -> Index<Accessor> {
        let bytes = f32_bytes(matrices.as_flattened());
        let (n, kind) = (matrices.len(), ComponentType::F32);
        self.accessor(root, Run::Keys, &bytes, n, kind, Type::Mat4)
    }

    /// Four signed bytes a vertex, as they are.
    pub fn bytes4(&mut self, root: &mut Root, values: &[[i8; 4]]) -> Index<Accessor> {
        let bytes = values.as_flattened().iter().map(|v| v.cast_unsigned());
        let bytes: Vec<u8> = bytes.collect();
        self.accessor(
            root,
            Run::Bytes4,
            &bytes,
            values.len(),
            ComponentType::I8,
            Type::Vec4,
        )
    }

    /// Indices, in the fewest bytes that hold them; the largest value of a kind is not an index.
    pub fn indices(&mut self, root: &mut Root, indices: &[u32]) -> Index<Accessor> {
        let is_small = indices.iter().all(|index| *index < u32::from(u16::MAX));
        let (run, kind, bytes) = if is_small {
            let bytes = indices.iter().flat_map(|i| (*i as u16).to_le_bytes());
            (Run::Index16, ComponentType::U16, bytes.collect::<Vec<u8>>())
        } else {
            let bytes = indices.iter().flat_map(|i| i.to_le_bytes());
            (Run::Index32, ComponentType::U32, bytes.collect())
        };
        self.accessor(root, run, &bytes, indices.len(), kind, Type::Scalar)
    }

    /// Times of keys in seconds, increasing; equal ones share an accessor.
    pub fn times(&mut self, root: &mut Root, times: &[f32]) -> Index<Accessor> {
        let bytes = f32_bytes(times);
        if let Some(known) = self.times.get(&bytes) {
            return *known;
        }
        let accessor = self.accessor(
            root,
            Run::Keys,
            &bytes,
            times.len(),
            ComponentType::F32,
            Type::Scalar,
        );
        let bound = |time: Option<&f32>| time.map(|time| vec![f64::from(*time)].into());
        let written = &mut root.accessors[accessor.value()];
        (written.min, written.max) = (bound(times.first()), bound(times.last()));
        self.times.insert(bytes, accessor);
        accessor
    }

    /// Translations, or rotations as x, y, z, w, one a key.
    pub fn keys<const N: usize>(
        &mut self,
        root: &mut Root,
        values: &[[f32; N]],
    ) -> Index<Accessor> {
        let kind = if N == 4 { Type::Vec4 } else { Type::Vec3 };
        let bytes = f32_bytes(values.as_flattened());
        self.accessor(
            root,
            Run::Keys,
            &bytes,
            values.len(),
            ComponentType::F32,
            kind,
        )
    }

    /// Weights of morph targets, all of one key after all of the one before.
    pub fn weights(&mut self, root: &mut Root, weights: &[f32]) -> Index<Accessor> {
        let bytes = f32_bytes(weights);
        self.accessor(
            root,
            Run::Keys,
            &bytes,
            weights.len(),
            ComponentType::F32,
            Type::Scalar,
        )
    }

    /// A picture file; the view over it.
    pub fn picture(&mut self, png: Vec<u8>) -> Index<View> {
        self.runs.push((Run::Picture, png));
        Index::new((self.runs.len() - 1) as u32)
    }

    /// Adds the views and the buffer; returns the bytes.
    pub fn finish(self, root: &mut Root) -> Vec<u8> {
        let mut bin = Vec::new();
        for (run, bytes) in self.runs {
            bin.resize(bin.len().next_multiple_of(4), 0);
            root.push(View {
                buffer: Index::new(0),
                byte_length: bytes.len().into(),
                byte_offset: Some(bin.len().into()),
                byte_stride: run.stride().map(Stride),
                name: None,
                target: run.target().map(Checked::Valid),
                extensions: None,
                extras: None,
            });
            bin.extend(bytes);
        }
        if !bin.is_empty() {
            root.push(Buffer {
                byte_length: bin.len().into(),
                name: None,
                uri: None,
                extensions: None,
                extras: None,
            });
        }
        bin
    }

    fn accessor(
        &mut self,
        root: &mut Root,
        run: Run,
        bytes: &[u8],
        count: usize,
        component_type: ComponentType,
        type_: Type,
    ) -> Index<Accessor> {
        let known = self.runs.iter().position(|(known, _)| *known == run);
        let view = known.unwrap_or_else(|| {
            self.runs.push((run, Vec::new()));
            self.runs.len() - 1
        });
        let data = &mut self.runs[view].1;
        let byte_offset = data.len();
        data.extend(bytes);
        root.push(Accessor {
            buffer_view: Some(Index::new(view as u32)),
            byte_offset: Some(USize64::from(byte_offset)),
            count: USize64::from(count),
            component_type: Checked::Valid(GenericComponentType(component_type)),
            type_: Checked::Valid(type_),
            min: None,
            max: None,
            name: None,
            normalized: false,
            sparse: None,
            extensions: None,
            extras: None,
        })
    }
}

impl Run {
    /// Distance of vertices; views of other things have none.
    fn stride(self) -> Option<usize> {
        match self {
            Self::Vec3 => Some(12),
            Self::Vec2 => Some(8),
            Self::Vec4 => Some(16),
            Self::Bytes4 => Some(4),
            Self::Joints => Some(8),
            Self::Index16 | Self::Index32 | Self::Keys | Self::Picture => None,
        }
    }

    fn target(self) -> Option<Target> {
        match self {
            Self::Vec4 | Self::Vec3 | Self::Vec2 | Self::Bytes4 | Self::Joints => {
                Some(Target::ArrayBuffer)
            }
            Self::Index16 | Self::Index32 => Some(Target::ElementArrayBuffer),
            Self::Keys | Self::Picture => None,
        }
    }
}

fn f32_bytes(values: &[f32]) -> Vec<u8> {
    values
        .iter()
        .flat_map(|value| value.to_le_bytes())
        .collect()
}
