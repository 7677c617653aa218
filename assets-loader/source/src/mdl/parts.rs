//! What hangs on the bones of a model: hit boxes, which shots are tested against, and attachments, which effects, weapons
//! and eyes are placed by. They are read from the bytes that an [`Mdl`] keeps, when they are shown. Layouts as `studio.h` of
//! the public SDK has them. Axes and units of the bones, +Z up.

use super::tables::{bone, table};
use super::{FORMAT, Mdl};
use crate::bsp::is_place;
use crate::studio_file::File;
use ironlands_assets_core::bytes::{FormatError, Reader};
use ironlands_scene::Affine;

/// Where counts and offsets of tables stand in the header, and bytes of their rows.
const HIT_BOX_SETS: (usize, usize) = (0xAC, 12);
const ATTACHMENTS: (usize, usize) = (0xF0, 92);
const HIT_BOX_SIZE: usize = 68;

/// What hangs on the bones of a model.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Parts {
    /// Sets of hit boxes in file order; a game uses one at a time, mostly the first.
    pub hit_box_sets: Vec<HitBoxSet>,
    /// Attachments in file order.
    pub attachments: Vec<Attachment>,
}

/// Boxes that shots are tested against.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct HitBoxSet {
    /// Its name, as in `default`.
    pub name: String,
    /// In file order.
    pub boxes: Vec<HitBox>,
}

/// A box on a bone.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct HitBox {
    /// Its name; empty = none.
    pub name: String,
    /// Number of the bone that carries it.
    pub bone: usize,
    /// What it is part of, by which damage counts: 0 generic, 1 head, 2 chest, 3 stomach, 4 and 5 arms, 6 and 7 legs, 10 gear.
    pub group: i32,
    /// Smallest and largest corner along the axes of the bone.
    pub bounds: [[f32; 3]; 2],
}

/// A named place on a bone.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Attachment {
    /// Its name, as in `muzzle`.
    pub name: String,
    /// As stored.
    pub flags: u32,
    /// Number of the bone that carries it.
    pub bone: usize,
    /// Its place there.
    pub bone_from_attachment: Affine,
}

impl Parts {
    /// Reads all that hangs on bones.
    ///
    /// # Errors
    /// Tables that do not lie in the file or share their bytes many times, bones that are not there, and places outside of
    /// any map.
    pub fn read(mdl: &Mdl) -> Result<Self, FormatError> {
        let file = File::new(FORMAT, mdl.image());
        let n_bones = mdl.bones.len();
        let sets = table(&file, "hitbox sets", HIT_BOX_SETS, |r, at| {
            hit_box_set(&file, r, at, n_bones)
        });
        let attachments = table(&file, "attachments", ATTACHMENTS, |r, at| {
            let name = file
                .take_text(r, "attachment name", at)?
                .text()
                .into_owned();
            let flags = r.u32("attachment flags")?;
            let bone = bone(r, "attachment bone", n_bones)?;
            let mut rows = [[0.0; 4]; 3];
            for value in rows.as_flattened_mut() {
                *value = finite(r, "attachment place")?;
            }
            Ok(Attachment {
                name,
                flags,
                bone,
                bone_from_attachment: Affine(rows),
            })
        });
        Ok(Self {
            hit_box_sets: sets?,
            attachments: attachments?,
        })
    }

    /// The number of an attachment of a name, in any case.
    pub fn attachment(&self, name: &str) -> Option<usize> {
        let mut attachments = self.attachments.iter();
        attachments.position(|it| it.name.eq_ignore_ascii_case(name))
    }
}

fn hit_box_set(
    file: &File<'_>,
    r: &mut Reader<'_>,
    at: usize,
    n_bones: usize,
) -> Result<HitBoxSet, FormatError> {
    let name = file
        .take_text(r, "hitbox set name", at)?
        .text()
        .into_owned();
    let at_count = r.clone();
    let count = r.i32("hitboxes")?;
    let offset = r.i32("hitboxes")?;
    let boxes = file.rows(
        &at_count,
        "hitboxes",
        (count, HIT_BOX_SIZE),
        (at, offset),
        |r, at| hit_box(file, r, at, n_bones),
    );
    Ok(HitBoxSet {
        name,
        boxes: boxes?,
    })
}

fn hit_box(
    file: &File<'_>,
    r: &mut Reader<'_>,
    at: usize,
    n_bones: usize,
) -> Result<HitBox, FormatError> {
    let bone = bone(r, "hitbox bone", n_bones)?;
    let group = r.i32("hitbox group")?;
    let at_bounds = r.clone();
    let bounds = [r.f32x3("hitbox min")?, r.f32x3("hitbox max")?];
    if !bounds.iter().all(|corner| is_place(*corner)) {
        return Err(at_bounds.unexpected(
            "hitbox min",
            "places within a map",
            format!("{bounds:?}"),
        ));
    }
    let name = file.take_name(r, "hitbox name", at)?;
    Ok(HitBox {
        name,
        bone,
        group,
        bounds,
    })
}

fn finite(r: &mut Reader<'_>, field: &'static str) -> Result<f32, FormatError> {
    let at = r.clone();
    let value = r.f32(field)?;
    match value.is_finite() {
        true => Ok(value),
        false => Err(at.unexpected(field, "a finite number", value)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mdl::motion::sample::{add_text_row, put, put_f32};
    use crate::studio_model::sample::sample_files;

    /// The sample model with a hit box and an attachment on its only bone, and where their rows stand.
    fn with_parts() -> (Vec<u8>, [usize; 2]) {
        let mut mdl = sample_files().mdl;
        let hit_box = add_text_row(&mut mdl, HIT_BOX_SIZE, &[(32, "skull")]);
        put(&mut mdl, hit_box + 4, 1);
        for (number, value) in [-1.0, -2.0, -3.0, 4.0, 5.0, 6.0].into_iter().enumerate() {
            put_f32(&mut mdl, hit_box + 8 + 4 * number, value);
        }
        let set = add_text_row(&mut mdl, HIT_BOX_SETS.1, &[(0, "default")]);
        put(&mut mdl, set + 4, 1);
        put(&mut mdl, set + 8, hit_box as i32 - set as i32);
        let attachment = add_text_row(&mut mdl, ATTACHMENTS.1, &[(0, "Muzzle")]);
        put(&mut mdl, attachment + 4, 7);
        for number in 0..12_u8 {
            let at = attachment + 12 + 4 * usize::from(number);
            put_f32(&mut mdl, at, number.into());
        }
        for ((at, _), row) in [(HIT_BOX_SETS, set), (ATTACHMENTS, attachment)] {
            put(&mut mdl, at, 1);
            put(&mut mdl, at + 4, row as i32);
        }
        let len = mdl.len() as i32;
        put(&mut mdl, 76, len);
        (mdl, [hit_box, attachment])
    }

    fn read(bytes: &[u8]) -> Result<Parts, FormatError> {
        let mdl = Mdl::read(bytes).unwrap();
        assert_eq!(mdl.write().unwrap(), bytes);
        Parts::read(&mdl)
    }

    #[test]
    fn boxes_and_attachments_are_read_where_the_header_says() {
        let parts = read(&with_parts().0).unwrap();
        let hit_box = HitBox {
            name: "skull".to_owned(),
            bone: 0,
            group: 1,
            bounds: [[-1.0, -2.0, -3.0], [4.0, 5.0, 6.0]],
        };
        let set = HitBoxSet {
            name: "default".to_owned(),
            boxes: vec![hit_box],
        };
        assert_eq!(parts.hit_box_sets, [set]);
        let attachment = Attachment {
            name: "Muzzle".to_owned(),
            flags: 7,
            bone: 0,
            bone_from_attachment: Affine([
                [0.0, 1.0, 2.0, 3.0],
                [4.0, 5.0, 6.0, 7.0],
                [8.0, 9.0, 10.0, 11.0],
            ]),
        };
        assert_eq!(parts.attachments, [attachment]);
        assert_eq!(parts.attachment("muzzle"), Some(0));
        assert_eq!(parts.attachment("eyes"), None);
    }

    #[test]
    fn what_leads_nowhere_is_refused_where_it_stands() {
        let (sound, [hit_box, attachment]) = with_parts();
        for (at, number, field) in [
            (hit_box, 1, "hitbox bone"),
            (hit_box + 8, 0x7F80_0000, "hitbox min"),
            (attachment + 8, -1, "attachment bone"),
            (attachment + 16, 0x7FC0_0000, "attachment place"),
            (HIT_BOX_SETS.0, 1 << 20, "hitbox sets"),
            (ATTACHMENTS.0 + 4, 1 << 30, "attachments"),
        ] {
            let mut bytes = sound.clone();
            put(&mut bytes, at, number);
            let error = read(&bytes).unwrap_err();
            assert_eq!(error.field, field, "{error}");
        }
    }
}
