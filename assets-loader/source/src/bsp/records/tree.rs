//! Nodes, leaves, brush models, areas, water (dossier section 6).
#![cfg_attr(
    not(test),
    deny(
        clippy::indexing_slicing,
        clippy::arithmetic_side_effects,
        clippy::unwrap_used
    )
)]

use super::face::{read_rgbe, write_rgbe};
use super::plain::only;
use super::{Place, Record, Width, read_i32s, write_i32s};
use crate::bsp::map::{Area, AreaPortal, Leaf, LeafWater, Model, Node};
use ironlands_assets_core::bytes::{FormatError, Reader, Writer};

impl Record for Node {
    type Form = Width;

    fn form(place: &Place<'_>) -> Option<Width> {
        Width::of(place)
    }

    fn size(width: Width) -> usize {
        match width {
            Width::Narrow => 32,
            Width::Wide => 48,
        }
    }

    fn read(r: &mut Reader<'_>, width: Width) -> Result<Self, FormatError> {
        Ok(Self {
            plane: r.i32("node plane")?,
            children: read_i32s(r, "node children")?,
            mins: width.read_corner(r, "node mins")?,
            maxs: width.read_corner(r, "node maxs")?,
            first_face: width.read_u32(r, "node first face")?,
            n_faces: width.read_u32(r, "node face count")?,
            area: r.i16("node area")?,
            unknown_1e: r.array("node padding")?,
        })
    }

    fn write(&self, w: &mut Writer, width: Width) -> Result<(), FormatError> {
        let Self {
            plane,
            children,
            mins,
            maxs,
            first_face,
            n_faces,
            area,
            unknown_1e,
        } = *self;
        w.i32(plane);
        write_i32s(w, &children);
        width.write_corner(w, "node mins", mins)?;
        width.write_corner(w, "node maxs", maxs)?;
        width.write_u32(w, "node first face", first_face)?;
        width.write_u32(w, "node face count", n_faces)?;
        w.i16(area);
        w.bytes(&unknown_1e);
        Ok(())
    }
}

/// The three layouts of a leaf.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::bsp) enum LeafForm {
    /// 56 bytes, with its ambient light.
    WithLight,
    /// 32 bytes.
    Narrow,
    /// Version 25: 56 bytes.
    Wide,
}

impl LeafForm {
    fn width(self) -> Width {
        match self {
            Self::Wide => Width::Wide,
            _ => Width::Narrow,
        }
    }

    /// Bits of the area; the bits above it are flags.
    fn area_bits(self) -> u32 {
        match self {
            Self::Wide => 17,
            _ => 9,
        }
    }

    /// Bits of area and flags together.
    fn word_bits(self) -> u32 {
        match self {
            Self::Wide => 32,
            _ => 16,
        }
    }
}

impl Record for Leaf {
    type Form = LeafForm;

    fn form(place: &Place<'_>) -> Option<LeafForm> {
        match (place.file.version, place.version) {
            (17 | 18, 0 | 1) | (19..=21, 1) => Some(LeafForm::Narrow),
            (19..=21, 0) => Some(LeafForm::WithLight),
            (25, 2) => Some(LeafForm::Wide),
            _ => None,
        }
    }

    fn size(form: LeafForm) -> usize {
        match form {
            LeafForm::Narrow => 32,
            LeafForm::WithLight | LeafForm::Wide => 56,
        }
    }

    fn read(r: &mut Reader<'_>, form: LeafForm) -> Result<Self, FormatError> {
        let width = form.width();
        let contents = r.i32("leaf contents")?;
        let cluster = width.read_i32(r, "leaf cluster")?;
        let word = width.read_u32(r, "leaf area and flags")?;
        let bits = form.area_bits();
        let mut leaf = Self {
            contents,
            cluster,
            area: word & low_bits(bits),
            flags: u16::try_from(word >> bits).unwrap_or(u16::MAX), // at most 15 bits
            mins: width.read_corner(r, "leaf mins")?,
            maxs: width.read_corner(r, "leaf maxs")?,
            first_leaf_face: width.read_u32(r, "leaf first face")?,
            n_leaf_faces: width.read_u32(r, "leaf face count")?,
            first_leaf_brush: width.read_u32(r, "leaf first brush")?,
            n_leaf_brushes: width.read_u32(r, "leaf brush count")?,
            water: width.read_i32(r, "leaf water")?,
            ..Self::default()
        };
        if form == LeafForm::WithLight {
            for light in &mut leaf.v0_ambient {
                *light = read_rgbe(r, "leaf ambient light")?;
            }
        }
        if form != LeafForm::Wide {
            leaf.unknown_end = r.array("leaf padding")?;
        }
        Ok(leaf)
    }

    fn write(&self, w: &mut Writer, form: LeafForm) -> Result<(), FormatError> {
        let Self {
            contents,
            cluster,
            area,
            flags,
            mins,
            maxs,
            first_leaf_face,
            n_leaf_faces,
            first_leaf_brush,
            n_leaf_brushes,
            water,
            v0_ambient,
            unknown_end,
        } = *self;
        let width = form.width();
        w.i32(contents);
        width.write_i32(w, "leaf cluster", cluster)?;
        let bits = form.area_bits();
        let max_area = low_bits(bits);
        let max_flags = low_bits(form.word_bits().saturating_sub(bits));
        if area > max_area {
            return Err(w.too_large("leaf area", u64::from(area), u64::from(max_area)));
        }
        if u32::from(flags) > max_flags {
            return Err(w.too_large("leaf flags", u64::from(flags), u64::from(max_flags)));
        }
        width.write_u32(w, "leaf area and flags", area | u32::from(flags) << bits)?;
        width.write_corner(w, "leaf mins", mins)?;
        width.write_corner(w, "leaf maxs", maxs)?;
        width.write_u32(w, "leaf first face", first_leaf_face)?;
        width.write_u32(w, "leaf face count", n_leaf_faces)?;
        width.write_u32(w, "leaf first brush", first_leaf_brush)?;
        width.write_u32(w, "leaf brush count", n_leaf_brushes)?;
        width.write_i32(w, "leaf water", water)?;
        if form == LeafForm::WithLight {
            for light in v0_ambient {
                write_rgbe(w, light);
            }
        }
        if form != LeafForm::Wide {
            w.bytes(&unknown_end);
        }
        Ok(())
    }
}

fn low_bits(n_bits: u32) -> u32 {
    u32::MAX >> 32_u32.saturating_sub(n_bits)
}

impl Record for Model {
    type Form = ();

    fn form(place: &Place<'_>) -> Option<()> {
        only(place)
    }

    fn size((): ()) -> usize {
        48
    }

    fn read(r: &mut Reader<'_>, (): ()) -> Result<Self, FormatError> {
        Ok(Self {
            mins: r.f32x3("model mins")?,
            maxs: r.f32x3("model maxs")?,
            origin: r.f32x3("model origin")?,
            head_node: r.i32("model head node")?,
            first_face: r.i32("model first face")?,
            n_faces: r.i32("model face count")?,
        })
    }

    fn write(&self, w: &mut Writer, (): ()) -> Result<(), FormatError> {
        let Self {
            mins,
            maxs,
            origin,
            head_node,
            first_face,
            n_faces,
        } = *self;
        w.f32x3(mins);
        w.f32x3(maxs);
        w.f32x3(origin);
        write_i32s(w, &[head_node, first_face, n_faces]);
        Ok(())
    }
}

impl Record for Area {
    type Form = ();

    fn form(place: &Place<'_>) -> Option<()> {
        only(place)
    }

    fn size((): ()) -> usize {
        8
    }

    fn read(r: &mut Reader<'_>, (): ()) -> Result<Self, FormatError> {
        Ok(Self {
            n_area_portals: r.i32("area portal count")?,
            first_area_portal: r.i32("area first portal")?,
        })
    }

    fn write(&self, w: &mut Writer, (): ()) -> Result<(), FormatError> {
        let Self {
            n_area_portals,
            first_area_portal,
        } = *self;
        write_i32s(w, &[n_area_portals, first_area_portal]);
        Ok(())
    }
}

impl Record for AreaPortal {
    type Form = Width;

    fn form(place: &Place<'_>) -> Option<Width> {
        Width::of(place)
    }

    fn size(width: Width) -> usize {
        match width {
            Width::Narrow => 12,
            Width::Wide => 20,
        }
    }

    fn read(r: &mut Reader<'_>, width: Width) -> Result<Self, FormatError> {
        Ok(Self {
            portal_key: width.read_u32(r, "area portal key")?,
            other_area: width.read_u32(r, "area portal other area")?,
            first_clip_portal_vertex: width.read_u32(r, "area portal first vertex")?,
            n_clip_portal_vertices: width.read_u32(r, "area portal vertex count")?,
            plane: r.i32("area portal plane")?,
        })
    }

    fn write(&self, w: &mut Writer, width: Width) -> Result<(), FormatError> {
        let Self {
            portal_key,
            other_area,
            first_clip_portal_vertex,
            n_clip_portal_vertices,
            plane,
        } = *self;
        width.write_u32(w, "area portal key", portal_key)?;
        width.write_u32(w, "area portal other area", other_area)?;
        width.write_u32(w, "area portal first vertex", first_clip_portal_vertex)?;
        width.write_u32(w, "area portal vertex count", n_clip_portal_vertices)?;
        w.i32(plane);
        Ok(())
    }
}

impl Record for LeafWater {
    type Form = Width;

    fn form(place: &Place<'_>) -> Option<Width> {
        Width::of(place)
    }

    fn size(_: Width) -> usize {
        12
    }

    fn read(r: &mut Reader<'_>, width: Width) -> Result<Self, FormatError> {
        Ok(Self {
            surface_z: r.f32("water surface")?,
            min_z: r.f32("water lowest height")?,
            surface_texinfo: width.read_i32(r, "water texinfo")?,
            unknown_0a: match width {
                Width::Narrow => r.array("water padding")?,
                Width::Wide => [0; 2],
            },
        })
    }

    fn write(&self, w: &mut Writer, width: Width) -> Result<(), FormatError> {
        let Self {
            surface_z,
            min_z,
            surface_texinfo,
            unknown_0a,
        } = *self;
        w.f32(surface_z);
        w.f32(min_z);
        width.write_i32(w, "water texinfo", surface_texinfo)?;
        if width == Width::Narrow {
            w.bytes(&unknown_0a);
        }
        Ok(())
    }
}
