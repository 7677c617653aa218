//! Sheets: where the pictures of sprites lie in a texture, and in which order they are shown.

use std::ops::Range;

use super::{FORMAT, Resource, Vtf};
use ironlands_assets_core::bytes::{FormatError, FormatErrorKind, Reader, Writer};
use ironlands_assets_core::record::Codec;

/// The first version of textures that holds resources.
const WITH_RESOURCES: u32 = 3;
/// Pictures of a frame from version 1 of sheets on.
const N_PICTURES: usize = 4;
/// Bytes of a sequence and of a frame at least.
const MIN_SEQUENCE: usize = 16;
const MIN_FRAME: usize = 20;

/// The sheet of a texture.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SpriteSheet {
    /// 0, or 1 with four pictures a frame.
    pub version: u32,
    /// Sequences in file order.
    pub sequences: Vec<SheetSequence>,
}

/// Pictures that follow each other.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SheetSequence {
    /// What particles call it.
    pub number: u32,
    /// Not 0: after the last picture that one stays.
    pub clamps: u32,
    /// The time of all frames together.
    pub total_time: f32,
    /// Its frames.
    pub frames: Vec<SheetFrame>,
}

/// One frame of a sequence.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SheetFrame {
    /// Its part of the total time.
    pub time: f32,
    /// For each of its pictures left, upper, right and lower edge in the texture, 0 to 1: one, or four that are laid over
    /// each other.
    pub pictures: Vec<[f32; 4]>,
}

impl Vtf {
    /// The sheet, if it has one.
    ///
    /// # Errors
    /// Another version than 0 or 1, counts that the resource cannot hold, bytes after the last frame.
    pub fn sheet(&self) -> Result<Option<SpriteSheet>, FormatError> {
        let mut resources = self.resources.iter();
        let Some(resource) = resources.find(|it| it.is_sheet()) else {
            return Ok(None);
        };
        let offset = u64::from(resource.value);
        let start = offset.checked_sub(self.header_size());
        let bytes = start.and_then(|start| self.body.get(usize::try_from(start).ok()?..));
        let mut r = Reader::nested(FORMAT, bytes.unwrap_or_default(), offset);
        let size = r.u32("resource size")? as usize;
        let mut r = r.sub("sheet", r.position(), size)?;
        let mut sheet = SpriteSheet::default();
        walk(&mut r, &mut sheet)?;
        r.finish("after the last frame of the sheet")?;
        Ok(Some(sheet))
    }

    /// The same texture with a sheet, of version 7.3; for one of an older version, which has no thumbnail.
    ///
    /// # Errors
    /// A texture of another kind; frames without the pictures that the version of the sheet requires.
    pub fn with_sheet(mut self, sheet: &SpriteSheet) -> Result<Self, FormatError> {
        let mut w = Writer::new(FORMAT);
        if self.version >= WITH_RESOURCES || self.thumbnail_format.is_some() {
            let found = format!("7.{} with what it holds", self.version);
            return Err(w.unexpected("version", "7.0 to 7.2 without a thumbnail", found));
        }
        walk(&mut w, &mut sheet.clone())?;
        let bytes = w.finish();
        let mut w = Writer::new(FORMAT);
        w.count("resource size", bytes.len())?;
        w.bytes(&bytes);
        self.version = WITH_RESOURCES;
        self.header_tail.clear();
        let resource = |tag| Resource {
            tag,
            flags: 0,
            value: 0,
        };
        self.resources = vec![resource(Resource::SHEET), resource(Resource::IMAGE)];
        // The sheet follows the header, and the pictures follow the sheet.
        let places = [
            self.header_size(),
            self.header_size().saturating_add(w.offset()),
        ];
        for (resource, place) in self.resources.iter_mut().zip(places) {
            resource.value =
                u32::try_from(place).map_err(|_| w.too_large("sheet", place, u32::MAX.into()))?;
        }
        self.body = [w.finish(), self.body].concat();
        Ok(self)
    }
}

impl Resource {
    fn is_sheet(&self) -> bool {
        self.tag == Self::SHEET && self.flags & Self::IS_VALUE == 0
    }
}

fn walk<C: Codec>(c: &mut C, sheet: &mut SpriteSheet) -> Result<(), FormatError> {
    c.field("sheet version", &mut sheet.version)?;
    let n_pictures = match sheet.version {
        0 => 1,
        1 => N_PICTURES,
        other => return Err(c.unexpected("sheet version", "0 or 1", other)),
    };
    c.items(
        "sequence count",
        MIN_SEQUENCE,
        &mut sheet.sequences,
        |c, it| {
            c.field("sequence number", &mut it.number)?;
            c.field("sequence clamp", &mut it.clamps)?;
            let n_frames = c.count::<u32>("frame count", it.frames.len(), MIN_FRAME)?;
            c.field("sequence time", &mut it.total_time)?;
            it.frames.resize_with(n_frames, SheetFrame::default);
            for frame in &mut it.frames {
                c.field("frame time", &mut frame.time)?;
                let is_writer = c.reader().is_none();
                if is_writer && frame.pictures.len() != n_pictures {
                    let kind = FormatErrorKind::unexpected(
                        format!("{n_pictures} of each frame"),
                        frame.pictures.len(),
                    );
                    return Err(c.error("pictures", kind));
                }
                c.fields("picture", &mut frame.pictures, n_pictures as u64)?;
            }
            Ok(())
        },
    )
}

impl SpriteSheet {
    /// The sequence of a number; where there is none the one before, as the games do.
    pub fn sequence(&self, number: u32) -> Option<&SheetSequence> {
        let shown = self.sequences.iter().filter(|it| !it.frames.is_empty());
        let below = shown.filter(|it| it.number <= number);
        below.max_by_key(|it| it.number)
    }

    /// The numbers of sequences that have a frame and lie in a range.
    pub fn numbers(&self, range: Range<u32>) -> Vec<u32> {
        let shown = self.sequences.iter().filter(|it| !it.frames.is_empty());
        let mut numbers: Vec<_> = (shown.map(|it| it.number))
            .filter(|it| range.contains(it))
            .collect();
        numbers.sort_unstable();
        numbers.dedup();
        numbers
    }
}
