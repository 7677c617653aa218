//! The records of the chunks, reader and writer side by side (dossier sections 4.3, 4.4, 4.7, 4.9, 7.4).

use super::{Face, FaceKey, Node, Slot, SlotHeader};
use crate::bytes::{FormatError, Reader, Writer};
use crate::parkan::face_mask::FaceFlags;

/// A record of fixed size.
pub(super) trait Record: Sized {
    /// Bytes of a record, which is also attr3 of its chunk.
    const SIZE: usize;

    fn read(r: &mut Reader<'_>) -> Result<Self, FormatError>;

    fn write(&self, w: &mut Writer);
}

impl Record for Node {
    const SIZE: usize = 38;

    fn read(r: &mut Reader<'_>) -> Result<Self, FormatError> {
        Ok(Self {
            header: u16s(r, "node header")?,
            slots: u16s(r, "node slot")?,
        })
    }

    fn write(&self, w: &mut Writer) {
        let Self { header, slots } = self;
        for word in header.iter().chain(slots) {
            w.u16(*word);
        }
    }
}

impl Record for SlotHeader {
    const SIZE: usize = 0x8C;

    fn read(r: &mut Reader<'_>) -> Result<Self, FormatError> {
        let mut corners = [[0.0; 3]; 8];
        for corner in &mut corners {
            *corner = r.f32x3("hull corner")?;
        }
        Ok(Self {
            corners,
            sphere_center: r.f32x3("sphere centre")?,
            sphere_radius: r.f32("sphere radius")?,
            capsule_a: r.f32x3("capsule bottom")?,
            capsule_b: r.f32x3("capsule top")?,
            capsule_radius: r.f32("capsule radius")?,
        })
    }

    fn write(&self, w: &mut Writer) {
        let Self {
            corners,
            sphere_center,
            sphere_radius,
            capsule_a,
            capsule_b,
            capsule_radius,
        } = self;
        for corner in corners {
            w.f32x3(*corner);
        }
        w.f32x3(*sphere_center);
        w.f32(*sphere_radius);
        w.f32x3(*capsule_a);
        w.f32x3(*capsule_b);
        w.f32(*capsule_radius);
    }
}

impl Record for Slot {
    const SIZE: usize = 68;

    fn read(r: &mut Reader<'_>) -> Result<Self, FormatError> {
        Ok(Self {
            tri_start: r.u16("slot triStart")?,
            tri_count: r.u16("slot triCount")?,
            batch_start: r.u16("slot batchStart")?,
            batch_count: r.u16("slot batchCount")?,
            aabb_min: r.f32x3("slot AABB min")?,
            aabb_max: r.f32x3("slot AABB max")?,
            sphere_center: r.f32x3("slot sphere centre")?,
            sphere_radius: r.f32("slot sphere radius")?,
            unknown_30: [
                r.u32("slot unk30")?,
                r.u32("slot unk34")?,
                r.u32("slot unk38")?,
                r.u32("slot unk3C")?,
                r.u32("slot unk40")?,
            ],
        })
    }

    fn write(&self, w: &mut Writer) {
        let Self {
            tri_start,
            tri_count,
            batch_start,
            batch_count,
            aabb_min,
            aabb_max,
            sphere_center,
            sphere_radius,
            unknown_30,
        } = self;
        for word in [tri_start, tri_count, batch_start, batch_count] {
            w.u16(*word);
        }
        w.f32x3(*aabb_min);
        w.f32x3(*aabb_max);
        w.f32x3(*sphere_center);
        w.f32(*sphere_radius);
        for word in unknown_30 {
            w.u32(*word);
        }
    }
}

impl Record for FaceKey {
    const SIZE: usize = 4;

    fn read(r: &mut Reader<'_>) -> Result<Self, FormatError> {
        Ok(Self {
            key: r.u16("face key")?,
            flags: r.u16("face key flags")?,
        })
    }

    fn write(&self, w: &mut Writer) {
        let Self { key, flags } = self;
        w.u16(*key);
        w.u16(*flags);
    }
}

impl Record for Face {
    const SIZE: usize = 28;

    fn read(r: &mut Reader<'_>) -> Result<Self, FormatError> {
        Ok(Self {
            flags: FaceFlags::from_bits_retain(r.u32("face flags")?),
            base_material: r.u8("face materialId")?,
            overlay_material: r.u8("face auxByte")?,
            unknown_06: r.u16("face unk06")?,
            vertices: u16s(r, "face vertex")?,
            neighbors: u16s(r, "face neighbour")?,
            normal: i16s(r, "face normal")?,
            edge_class: r.u8("face edgeClass")?,
            unknown_1b: r.u8("face unk27")?,
        })
    }

    fn write(&self, w: &mut Writer) {
        let Self {
            flags,
            base_material,
            overlay_material,
            unknown_06,
            vertices,
            neighbors,
            normal,
            edge_class,
            unknown_1b,
        } = self;
        w.u32(flags.bits());
        w.u8(*base_material);
        w.u8(*overlay_material);
        w.u16(*unknown_06);
        for index in vertices.iter().chain(neighbors) {
            w.u16(*index);
        }
        for component in normal {
            w.i16(*component);
        }
        w.u8(*edge_class);
        w.u8(*unknown_1b);
    }
}

/// A vertex position.
impl Record for [f32; 3] {
    const SIZE: usize = 12;

    fn read(r: &mut Reader<'_>) -> Result<Self, FormatError> {
        r.f32x3("position")
    }

    fn write(&self, w: &mut Writer) {
        w.f32x3(*self);
    }
}

/// A packed normal.
impl Record for [i8; 4] {
    const SIZE: usize = 4;

    fn read(r: &mut Reader<'_>) -> Result<Self, FormatError> {
        Ok(r.array("packed normal")?.map(u8::cast_signed))
    }

    fn write(&self, w: &mut Writer) {
        w.bytes(&self.map(i8::cast_unsigned));
    }
}

/// A packed texture coordinate.
impl Record for [i16; 2] {
    const SIZE: usize = 4;

    fn read(r: &mut Reader<'_>) -> Result<Self, FormatError> {
        i16s(r, "packed UV")
    }

    fn write(&self, w: &mut Writer) {
        for component in self {
            w.i16(*component);
        }
    }
}

/// Four bytes of unknown meaning.
impl Record for [u8; 4] {
    const SIZE: usize = 4;

    fn read(r: &mut Reader<'_>) -> Result<Self, FormatError> {
        r.array("auxiliary record")
    }

    fn write(&self, w: &mut Writer) {
        w.bytes(self);
    }
}

fn u16s<const N: usize>(r: &mut Reader<'_>, field: &'static str) -> Result<[u16; N], FormatError> {
    let mut words = [0; N];
    for word in &mut words {
        *word = r.u16(field)?;
    }
    Ok(words)
}

fn i16s<const N: usize>(r: &mut Reader<'_>, field: &'static str) -> Result<[i16; N], FormatError> {
    Ok(u16s(r, field)?.map(u16::cast_signed))
}
