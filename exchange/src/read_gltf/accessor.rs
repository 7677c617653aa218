//! Elements of accessors, one at a time: nothing is copied, whatever a file claims.

use std::cmp::Ordering;

use gltf_json::Index;
use gltf_json::accessor::{Accessor, ComponentType, Type, sparse};
use gltf_json::buffer::View;
use gltf_json::validation::Checked;

use super::document::{Document, unexpected};
use crate::error::ImportError;

/// Elements of `N` components each.
#[derive(Clone)]
pub struct Elements<'a, const N: usize> {
    /// Number of elements.
    pub len: usize,
    place: String,
    kind: ComponentType,
    normalized: bool,
    /// `None` where all are 0 but the sparse ones.
    dense: Option<Run<'a>>,
    sparse: Option<Sparse<'a>>,
}

/// Evenly spaced elements.
#[derive(Clone, Copy)]
struct Run<'a> {
    bytes: &'a [u8],
    stride: usize,
}

/// Elements that replace others.
#[derive(Clone, Copy)]
struct Sparse<'a> {
    /// Increasing.
    indices: Run<'a>,
    /// Bytes of an index.
    index_size: usize,
    count: usize,
    values: Run<'a>,
}

impl<'a, const N: usize> Elements<'a, N> {
    /// Opens an accessor; every element of it can be read then. `place` is what names the accessor.
    ///
    /// # Errors
    /// Another type than `N` components, or bytes outside of the file.
    pub fn open(
        document: &'a Document<'_>,
        index: Index<Accessor>,
        place: &str,
    ) -> Result<Self, ImportError> {
        let accessor = document.get(index, place)?;
        let place = format!("accessors[{index}]");
        let (kind, type_) = match (accessor.component_type, accessor.type_) {
            (Checked::Valid(kind), Checked::Valid(type_)) => (kind.0, type_),
            _ => return Err(unexpected(&place, "types of glTF 2.0", "others")),
        };
        if type_ != type_of(N) {
            let found = format!("{type_:?}");
            return Err(unexpected(&place, &format!("{:?}", type_of(N)), found));
        }
        let len = usize::try_from(accessor.count.0).unwrap_or(usize::MAX);
        let size = kind.size().saturating_mul(N);
        let offset = accessor.byte_offset.unwrap_or_default().0;
        let dense = match accessor.buffer_view {
            None => None,
            Some(view) => Some(Run::open(document, view, offset, size, len, &place)?),
        };
        let sparse = match &accessor.sparse {
            None => None,
            Some(sparse) => Some(Sparse::open(document, sparse, size, len, &place)?),
        };
        Ok(Self {
            len,
            place,
            kind,
            normalized: accessor.normalized,
            dense,
            sparse,
        })
    }

    /// An element as it stands, in bytes; zeros where nothing does.
    fn components(&self, index: usize) -> Option<[[u8; 4]; N]> {
        if index >= self.len {
            return None;
        }
        let size = self.kind.size();
        let replaced = self.sparse.as_ref().and_then(|sparse| sparse.find(index));
        let bytes = match (replaced, &self.dense) {
            (Some(bytes), _) => bytes,
            (None, Some(run)) => run.get(index)?,
            (None, None) => return Some([[0; 4]; N]),
        };
        let mut components = [[0; 4]; N];
        for (component, bytes) in components.iter_mut().zip(bytes.chunks_exact(size)) {
            for (target, byte) in component.iter_mut().zip(bytes) {
                *target = *byte;
            }
        }
        Some(components)
    }

    fn no_element(&self, index: usize) -> ImportError {
        unexpected(
            &self.place,
            &format!("an element below {}", self.len),
            index,
        )
    }

    /// An element as finite numbers; whole ones are divided where the accessor says so.
    ///
    /// # Errors
    /// No such element, or one with infinities or NaN.
    pub fn floats(&self, index: usize) -> Result<[f32; N], ImportError> {
        let components = self.components(index);
        let components = components.ok_or_else(|| self.no_element(index))?;
        let values = components.map(|bytes| self.float(bytes));
        if values.iter().any(|value| !value.is_finite()) {
            let found = format!("{values:?} at {index}");
            return Err(unexpected(&self.place, "finite numbers", found));
        }
        Ok(values)
    }

    fn float(&self, bytes: [u8; 4]) -> f32 {
        let [a, b, _, _] = bytes;
        let (value, largest) = match self.kind {
            ComponentType::F32 => return f32::from_le_bytes(bytes),
            ComponentType::U32 => return u32::from_le_bytes(bytes) as f32,
            ComponentType::I8 => (f32::from(a.cast_signed()), f32::from(i8::MAX)),
            ComponentType::U8 => (f32::from(a), f32::from(u8::MAX)),
            ComponentType::I16 => (f32::from(i16::from_le_bytes([a, b])), f32::from(i16::MAX)),
            ComponentType::U16 => (f32::from(u16::from_le_bytes([a, b])), f32::from(u16::MAX)),
        };
        match self.normalized {
            true => (value / largest).max(-1.0),
            false => value,
        }
    }
}

impl Elements<'_, 1> {
    /// An element as an index.
    ///
    /// # Errors
    /// No such element, or an accessor of other than unsigned whole numbers.
    pub fn index(&self, index: usize) -> Result<usize, ImportError> {
        let [bytes] = self
            .components(index)
            .ok_or_else(|| self.no_element(index))?;
        match self.kind {
            // Shorter ones are filled with zeros.
            ComponentType::U8 | ComponentType::U16 | ComponentType::U32 => {
                Ok(u32::from_le_bytes(bytes) as usize)
            }
            kind => Err(unexpected(
                &self.place,
                "whole numbers",
                format!("{kind:?}"),
            )),
        }
    }
}

impl Elements<'_, 4> {
    /// An element as four signed bytes.
    ///
    /// # Errors
    /// No such element, or an accessor of other numbers.
    pub fn bytes(&self, index: usize) -> Result<[i8; 4], ImportError> {
        if self.kind != ComponentType::I8 {
            let found = format!("{:?}", self.kind);
            return Err(unexpected(&self.place, "I8", found));
        }
        let components = self.components(index);
        let components = components.ok_or_else(|| self.no_element(index))?;
        Ok(components.map(|[byte, ..]| byte.cast_signed()))
    }
}

impl<'a> Run<'a> {
    fn open(
        document: &'a Document<'_>,
        view: Index<View>,
        offset: u64,
        size: usize,
        len: usize,
        place: &str,
    ) -> Result<Self, ImportError> {
        let bytes = document.view(view)?;
        let stride = document.get(view, place)?.byte_stride;
        let stride = stride.map_or(size, |stride| stride.0);
        if stride < size {
            return Err(unexpected(
                place,
                &format!("a stride of {size} or more"),
                stride,
            ));
        }
        let from = usize::try_from(offset).ok();
        let bytes_of_run = from.and_then(|from| bytes.get(from..)).filter(|rest| {
            let last = len.checked_sub(1).map(|last| last.checked_mul(stride));
            let needed = match last {
                None => Some(0),
                Some(start_of_last) => start_of_last.and_then(|start| start.checked_add(size)),
            };
            needed.is_some_and(|needed| needed <= rest.len())
        });
        match bytes_of_run {
            Some(bytes) => Ok(Self { bytes, stride }),
            None => {
                let expected = format!("elements inside of the {} bytes of the view", bytes.len());
                let found = format!("{len} every {stride} bytes from {offset}");
                Err(unexpected(place, &expected, found))
            }
        }
    }

    fn get(&self, index: usize) -> Option<&'a [u8]> {
        self.bytes.get(index.checked_mul(self.stride)?..)
    }
}

impl<'a> Sparse<'a> {
    fn open(
        document: &'a Document<'_>,
        sparse: &sparse::Sparse,
        size: usize,
        len: usize,
        place: &str,
    ) -> Result<Self, ImportError> {
        let count = usize::try_from(sparse.count.0).unwrap_or(usize::MAX);
        let Checked::Valid(kind) = sparse.indices.component_type else {
            return Err(unexpected(place, "indices of a type of glTF 2.0", "others"));
        };
        let (indices, values) = (&sparse.indices, &sparse.values);
        let offset = indices.byte_offset.0;
        let size_of_index = kind.0.size();
        let view = indices.buffer_view;
        let run = Run::open(document, view, offset, size_of_index, count, place)?;
        let offset = values.byte_offset.0;
        let sparse = Self {
            indices: run,
            index_size: size_of_index,
            count,
            values: Run::open(document, values.buffer_view, offset, size, count, place)?,
        };
        document.spend(count, place)?;
        let mut before = None;
        for position in 0..count {
            let index = sparse.index(position);
            if before.is_some_and(|before| before >= index) || index >= len {
                return Err(unexpected(place, "increasing sparse indices", index));
            }
            before = Some(index);
        }
        Ok(sparse)
    }

    fn index(&self, position: usize) -> usize {
        let mut bytes = [0; 4];
        let found = self.indices.get(position).unwrap_or_default().iter();
        for (target, byte) in bytes.iter_mut().zip(found.take(self.index_size)) {
            *target = *byte;
        }
        u32::from_le_bytes(bytes) as usize
    }

    fn find(&self, index: usize) -> Option<&'a [u8]> {
        let (mut low, mut high) = (0, self.count);
        while low < high {
            let middle = usize::midpoint(low, high);
            match self.index(middle).cmp(&index) {
                Ordering::Equal => return self.values.get(middle),
                Ordering::Less => low = middle.saturating_add(1),
                Ordering::Greater => high = middle,
            }
        }
        None
    }
}

fn type_of(n_components: usize) -> Type {
    match n_components {
        1 => Type::Scalar,
        2 => Type::Vec2,
        3 => Type::Vec3,
        _ => Type::Vec4,
    }
}
