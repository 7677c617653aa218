//! The records of models, reader and writer side by side (dossier sections 7.3 to 7.9).

use super::{Batch, BatchFlags, LightProbe, Node, NodeFlags, TriDesc};
use crate::record::{Record, i16s, u16s};
use ironlands_assets_core::bytes::{FormatError, Reader, Writer};

impl Record for Node {
    const SIZE: usize = 38;

    fn read(r: &mut Reader<'_>) -> Result<Self, FormatError> {
        Ok(Self {
            flags: NodeFlags::from_bits_retain(r.u16("node flags")?),
            parent: r.u16("node parent")?,
            map_start: r.u16("node map start")?,
            fallback_key: r.u16("node fallback key")?,
            slots: u16s(r, "node slot")?,
        })
    }

    fn write(&self, w: &mut Writer) {
        let Self {
            flags,
            parent,
            map_start,
            fallback_key,
            slots,
        } = self;
        for word in [flags.bits(), *parent, *map_start, *fallback_key] {
            w.u16(word);
        }
        for word in slots {
            w.u16(*word);
        }
    }
}

/// A node that no one can read.
impl Record for [u8; 24] {
    const SIZE: usize = 24;

    fn read(r: &mut Reader<'_>) -> Result<Self, FormatError> {
        r.array("node of 24 bytes")
    }

    fn write(&self, w: &mut Writer) {
        w.bytes(self);
    }
}

impl Record for Batch {
    const SIZE: usize = 20;

    fn read(r: &mut Reader<'_>) -> Result<Self, FormatError> {
        Ok(Self {
            flags: BatchFlags::from_bits_retain(r.u16("batch flags")?),
            material_02: r.u16("batch material")?,
            wear_row: r.u8("batch WEAR row")?,
            lightmap_05: r.u8("batch lightmap")?,
            unknown_06: r.u16("batch unk6")?,
            index_count: r.u16("batch indexCount")?,
            index_start: r.u32("batch indexStart")?,
            unknown_0e: r.u16("batch unk14")?,
            base_vertex: r.u32("batch baseVertex")?,
        })
    }

    fn write(&self, w: &mut Writer) {
        let Self {
            flags,
            material_02,
            wear_row,
            lightmap_05,
            unknown_06,
            index_count,
            index_start,
            unknown_0e,
            base_vertex,
        } = self;
        w.u16(flags.bits());
        w.u16(*material_02);
        w.u8(*wear_row);
        w.u8(*lightmap_05);
        w.u16(*unknown_06);
        w.u16(*index_count);
        w.u32(*index_start);
        w.u16(*unknown_0e);
        w.u32(*base_vertex);
    }
}

impl Record for TriDesc {
    const SIZE: usize = 16;

    fn read(r: &mut Reader<'_>) -> Result<Self, FormatError> {
        Ok(Self {
            flags: r.u16("descriptor triFlags")?,
            links: u16s(r, "descriptor link")?,
            normal: i16s(r, "descriptor normal")?,
            packed_selectors: r.u16("descriptor selPacked")?,
        })
    }

    fn write(&self, w: &mut Writer) {
        let Self {
            flags,
            links,
            normal,
            packed_selectors,
        } = self;
        w.u16(*flags);
        for link in links {
            w.u16(*link);
        }
        for component in normal {
            w.i16(*component);
        }
        w.u16(*packed_selectors);
    }
}

impl Record for LightProbe {
    const SIZE: usize = 48;

    fn read(r: &mut Reader<'_>) -> Result<Self, FormatError> {
        Ok(Self {
            piece: r.i32("probe piece")?,
            position: r.f32x3("probe position")?,
            direction: r.f32x3("probe direction")?,
            color: [
                r.f32("probe colour")?,
                r.f32("probe colour")?,
                r.f32("probe colour")?,
                r.f32("probe colour")?,
            ],
            intensity: r.f32("probe intensity")?,
        })
    }

    fn write(&self, w: &mut Writer) {
        let Self {
            piece,
            position,
            direction,
            color,
            intensity,
        } = self;
        w.i32(*piece);
        w.f32x3(*position);
        w.f32x3(*direction);
        for component in color {
            w.f32(*component);
        }
        w.f32(*intensity);
    }
}

/// Eight bytes of unknown meaning.
impl Record for [u8; 8] {
    const SIZE: usize = 8;

    fn read(r: &mut Reader<'_>) -> Result<Self, FormatError> {
        r.array("extra vertex record")
    }

    fn write(&self, w: &mut Writer) {
        w.bytes(self);
    }
}

/// Two packed vectors.
impl Record for [[i8; 4]; 2] {
    const SIZE: usize = 8;

    fn read(r: &mut Reader<'_>) -> Result<Self, FormatError> {
        Ok([
            r.array("packed tangent")?.map(u8::cast_signed),
            r.array("packed bitangent")?.map(u8::cast_signed),
        ])
    }

    fn write(&self, w: &mut Writer) {
        for vector in self {
            w.bytes(&vector.map(i8::cast_unsigned));
        }
    }
}
