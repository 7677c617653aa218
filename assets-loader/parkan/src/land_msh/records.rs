//! The records of terrain alone, reader and writer side by side (dossier sections 4.4, 4.7, 4.9).

use super::{Face, FaceKey, Node};
use crate::face_mask::FaceFlags;
use crate::record::{Record, i16s, u16s};
use ironlands_assets_core::bytes::{FormatError, Reader, Writer};

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
