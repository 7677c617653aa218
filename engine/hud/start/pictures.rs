//! The pictures of levels on the device.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use egui::{ColorImage, Context, TextureHandle, TextureOptions};

use crate::thumbnails::Thumbnails;

/// Pictures beyond this many are dropped when they were not seen for long.
const MAX_PICTURES: usize = 400;

/// The picture of a level.
pub enum Picture {
    /// It is there, and the level took this long to open.
    There(TextureHandle, Duration),
    /// It will be there.
    Awaited,
    /// There can be none.
    None,
}

/// Pictures by the paths of their levels.
pub struct Pictures {
    thumbnails: Thumbnails,
    /// Each with the number of the frame that showed it last.
    pictures: HashMap<PathBuf, (Picture, u64)>,
    wanted: Vec<PathBuf>,
    frame: u64,
}

impl Pictures {
    /// None are there yet.
    pub fn new(thumbnails: Thumbnails) -> Self {
        Self {
            thumbnails,
            pictures: HashMap::new(),
            wanted: Vec::new(),
            frame: 0,
        }
    }

    /// Takes the pictures that are there now.
    pub fn begin_frame(&mut self, ctx: &Context) {
        self.frame += 1;
        while let Some((path, taken)) = self.thumbnails.fetch() {
            let picture = taken.map_or(Picture::None, |thumbnail| {
                let size =
                    [thumbnail.image.width(), thumbnail.image.height()].map(|it| it as usize);
                let image = ColorImage::from_rgba_unmultiplied(size, thumbnail.image.as_raw());
                let texture =
                    ctx.load_texture(path.to_string_lossy(), image, TextureOptions::LINEAR);
                Picture::There(texture, thumbnail.opening_time)
            });
            self.pictures.insert(path, (picture, self.frame));
        }
    }

    /// The picture of a level that is visible in this frame.
    pub fn of(&mut self, path: &Path) -> &Picture {
        let frame = self.frame;
        if !self.pictures.contains_key(path) {
            self.pictures
                .insert(path.to_owned(), (Picture::Awaited, frame));
        }
        let Some((picture, last)) = self.pictures.get_mut(path) else {
            return &Picture::Awaited;
        };
        *last = frame;
        if matches!(picture, Picture::Awaited) {
            self.wanted.push(path.to_owned());
        }
        picture
    }

    /// How long a level took to open, if that is known.
    pub fn opening_time(&self, path: &Path) -> Option<Duration> {
        match self.pictures.get(path) {
            Some((Picture::There(_, time), _)) => Some(*time),
            _ => None,
        }
    }

    /// Whether a visible one is to come.
    pub fn are_awaited(&self) -> bool {
        let mut pictures = self.pictures.values();
        pictures.any(|(picture, last)| matches!(picture, Picture::Awaited) && *last == self.frame)
    }

    /// Wants no picture while none is seen.
    pub fn pause(&self) {
        self.thumbnails.want(Vec::new());
    }

    /// Has those taken that were visible in this frame and are missing.
    pub fn end_frame(&mut self) {
        self.thumbnails.want(std::mem::take(&mut self.wanted));
        if self.pictures.len() > MAX_PICTURES {
            let frame = self.frame;
            self.pictures.retain(|_, (_, last)| *last == frame);
        }
    }
}
