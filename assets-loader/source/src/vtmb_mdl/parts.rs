//! What hangs on the bones of a model: hit boxes and attachments, read when they are shown.

use super::{FORMAT, HIT_BOX_SETS_AT, PARTS_AT, VtmbMdl};
use crate::bsp::is_place;
use crate::mdl::tables::{bone, table};
use crate::mdl::{Attachment, HitBox, HitBoxSet, Parts};
use crate::studio_file::File;
use ironlands_assets_core::bytes::{FormatError, Reader};
use ironlands_scene::Affine;

/// Where counts and offsets of tables stand in the header, and bytes of their rows.
const HIT_BOX_SETS: (usize, usize) = (HIT_BOX_SETS_AT, 12);
const ATTACHMENTS: (usize, usize) = (PARTS_AT, 60);
const HIT_BOX_SIZE: usize = 32;

impl VtmbMdl {
    /// Hit boxes, which have no names, and attachments.
    ///
    /// # Errors
    /// Tables that do not lie in the file or share their bytes many times, bones that are not there, and places outside of
    /// any map.
    pub fn parts(&self) -> Result<Parts, FormatError> {
        let file = File::new(FORMAT, &self.image);
        let n_bones = self.bones.len();
        let sets = table(&file, "hitbox sets", HIT_BOX_SETS, |r, at| {
            hit_box_set(&file, r, at, n_bones)
        });
        let attachments = table(&file, "attachments", ATTACHMENTS, |r, at| {
            attachment(&file, r, at, n_bones)
        });
        Ok(Parts {
            hit_box_sets: sets?,
            attachments: attachments?,
        })
    }
}

fn hit_box_set(
    file: &File<'_>,
    r: &mut Reader<'_>,
    at: usize,
    n_bones: usize,
) -> Result<HitBoxSet, FormatError> {
    let name = file.take_name(r, "hitbox set name", at)?;
    let at_count = r.clone();
    let place = (r.i32("hitboxes")?, HIT_BOX_SIZE);
    let offset = r.i32("hitboxes")?;
    let boxes = file.rows(&at_count, "hitboxes", place, (at, offset), |r, _| {
        Ok(HitBox {
            name: String::new(),
            bone: bone(r, "hitbox bone", n_bones)?,
            group: r.i32("hitbox group")?,
            bounds: [place_of(r, "hitbox min")?, place_of(r, "hitbox max")?],
        })
    })?;
    Ok(HitBoxSet { name, boxes })
}

fn attachment(
    file: &File<'_>,
    r: &mut Reader<'_>,
    at: usize,
    n_bones: usize,
) -> Result<Attachment, FormatError> {
    let name = file.take_name(r, "attachment name", at)?;
    let flags = r.u32("attachment type")?;
    let bone = bone(r, "attachment bone", n_bones)?;
    let mut rows = [[0.0; 4]; 3];
    for row in &mut rows {
        let [x, y, z] = place_of(r, "attachment place")?;
        let at = r.clone();
        let from = r.f32("attachment place")?;
        if !is_place([from; 3]) {
            return Err(at.unexpected("attachment place", "a place in a map", from));
        }
        *row = [x, y, z, from];
    }
    Ok(Attachment {
        name,
        flags,
        bone,
        bone_from_attachment: Affine(rows),
    })
}

fn place_of(r: &mut Reader<'_>, field: &'static str) -> Result<[f32; 3], FormatError> {
    let at = r.clone();
    let place = r.f32x3(field)?;
    match is_place(place) {
        true => Ok(place),
        false => Err(at.unexpected(field, "a place in a map", format!("{place:?}"))),
    }
}
