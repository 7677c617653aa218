//! Ambient light and lights (dossier sections 6.3 and 11.4).
#![cfg_attr(
    not(test),
    deny(
        clippy::indexing_slicing,
        clippy::arithmetic_side_effects,
        clippy::unwrap_used
    )
)]

use super::face::{read_rgbe, write_rgbe};
use super::{Place, Record, Width, read_f32s, write_f32s, write_i32s};
use crate::bsp::map::{LeafAmbientIndex, LeafAmbientSample, WorldLight};
use ironlands_assets_core::bytes::{FormatError, Reader, Writer};

impl Record for LeafAmbientIndex {
    type Form = Width;

    fn form(place: &Place<'_>) -> Option<Width> {
        Width::of(place)
    }

    fn size(width: Width) -> usize {
        match width {
            Width::Narrow => 4,
            Width::Wide => 8,
        }
    }

    fn read(r: &mut Reader<'_>, width: Width) -> Result<Self, FormatError> {
        Ok(Self {
            n_samples: width.read_u32(r, "ambient sample count")?,
            first_sample: width.read_u32(r, "ambient first sample")?,
        })
    }

    fn write(&self, w: &mut Writer, width: Width) -> Result<(), FormatError> {
        let Self {
            n_samples,
            first_sample,
        } = *self;
        width.write_u32(w, "ambient sample count", n_samples)?;
        width.write_u32(w, "ambient first sample", first_sample)
    }
}

/// The two layouts of an ambient sample.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::bsp) enum SampleForm {
    /// 24 bytes: one cube for each leaf.
    OneALeaf,
    /// 28 bytes.
    Placed,
}

impl Record for LeafAmbientSample {
    type Form = SampleForm;

    fn form(place: &Place<'_>) -> Option<SampleForm> {
        match place.version {
            0 => Some(SampleForm::OneALeaf),
            1 => Some(SampleForm::Placed),
            _ => None,
        }
    }

    fn size(form: SampleForm) -> usize {
        match form {
            SampleForm::OneALeaf => 24,
            SampleForm::Placed => 28,
        }
    }

    fn read(r: &mut Reader<'_>, form: SampleForm) -> Result<Self, FormatError> {
        let mut sample = Self::default();
        for light in &mut sample.cube {
            *light = read_rgbe(r, "ambient cube")?;
        }
        if form == SampleForm::Placed {
            sample.place = r.array("ambient sample place")?;
            sample.unknown_1b = r.u8("ambient sample padding")?;
        }
        Ok(sample)
    }

    fn write(&self, w: &mut Writer, form: SampleForm) -> Result<(), FormatError> {
        let Self {
            cube,
            place,
            unknown_1b,
        } = *self;
        for light in cube {
            write_rgbe(w, light);
        }
        if form == SampleForm::Placed {
            w.bytes(&place);
            w.u8(unknown_1b);
        }
        Ok(())
    }
}

/// The three layouts of a light, by lump version.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::bsp) enum LightForm {
    V0,
    /// With an offset of shadows.
    V1,
    /// With a mode.
    V2,
}

impl Record for WorldLight {
    type Form = LightForm;

    fn form(place: &Place<'_>) -> Option<LightForm> {
        match place.version {
            0 => Some(LightForm::V0),
            1 => Some(LightForm::V1),
            2 => Some(LightForm::V2),
            _ => None,
        }
    }

    fn size(form: LightForm) -> usize {
        match form {
            LightForm::V0 => 88,
            LightForm::V1 => 100,
            LightForm::V2 => 104,
        }
    }

    fn read(r: &mut Reader<'_>, form: LightForm) -> Result<Self, FormatError> {
        Ok(Self {
            origin: r.f32x3("light origin")?,
            intensity: r.f32x3("light intensity")?,
            normal: r.f32x3("light normal")?,
            shadow_cast_offset: if form >= LightForm::V1 {
                r.f32x3("light shadow offset")?
            } else {
                [0.0; 3]
            },
            cluster: r.i32("light cluster")?,
            kind: r.i32("light type")?,
            v2_mode: if form >= LightForm::V2 {
                r.array("light mode")?
            } else {
                [0; 4]
            },
            style: r.i32("light style")?,
            stop_dots: read_f32s(r, "light cone")?,
            exponent: r.f32("light exponent")?,
            radius: r.f32("light radius")?,
            attenuation: r.f32x3("light attenuation")?,
            flags: r.i32("light flags")?,
            texinfo: r.i32("light texinfo")?,
            owner: r.i32("light owner")?,
        })
    }

    fn write(&self, w: &mut Writer, form: LightForm) -> Result<(), FormatError> {
        let Self {
            origin,
            intensity,
            normal,
            shadow_cast_offset,
            cluster,
            kind,
            v2_mode,
            style,
            stop_dots,
            exponent,
            radius,
            attenuation,
            flags,
            texinfo,
            owner,
        } = *self;
        for vector in [origin, intensity, normal] {
            w.f32x3(vector);
        }
        if form >= LightForm::V1 {
            w.f32x3(shadow_cast_offset);
        }
        write_i32s(w, &[cluster, kind]);
        if form >= LightForm::V2 {
            w.bytes(&v2_mode);
        }
        w.i32(style);
        write_f32s(w, &stop_dots);
        w.f32(exponent);
        w.f32(radius);
        w.f32x3(attenuation);
        write_i32s(w, &[flags, texinfo, owner]);
        Ok(())
    }
}
