//! Pictures of a file: mip levels, channels, and pixels as large as one likes.

use egui::{
    Color32, ColorImage, ComboBox, Rect, ScrollArea, Sense, TextureHandle, TextureOptions, Ui,
    pos2, vec2,
};

use crate::browser::{Browser, Pixels};
use crate::words::tr;

/// Largest side of a texture that is shown; larger pictures are thinned out.
const MAX_SIDE: usize = 4096;
/// Side of the squares behind what is translucent, in logical points.
const SQUARE: f32 = 8.0;
/// Sizes of a pixel on the screen.
const ZOOMS: [f32; 7] = [0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0];

/// Which channels are shown.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Channels {
    /// Color, where it is opaque.
    #[default]
    All,
    /// Color without alpha.
    Color,
    Red,
    Green,
    Blue,
    Alpha,
}

impl Channels {
    const ALL: [Self; 6] = [
        Self::All,
        Self::Color,
        Self::Red,
        Self::Green,
        Self::Blue,
        Self::Alpha,
    ];

    fn name(self) -> &'static str {
        match self {
            Self::All => "RGBA",
            Self::Color => "RGB",
            Self::Red => "R",
            Self::Green => "G",
            Self::Blue => "B",
            Self::Alpha => "A",
        }
    }

    /// What a pixel looks like.
    fn color(self, [r, g, b, a]: [u8; 4]) -> Color32 {
        match self {
            Self::All => Color32::from_rgba_unmultiplied(r, g, b, a),
            Self::Color => Color32::from_rgb(r, g, b),
            Self::Red => Color32::from_gray(r),
            Self::Green => Color32::from_gray(g),
            Self::Blue => Color32::from_gray(b),
            Self::Alpha => Color32::from_gray(a),
        }
    }
}

/// How the picture is looked at.
#[derive(Default)]
pub struct PictureView {
    channels: Channels,
    /// `None` fits it into its place.
    zoom: Option<f32>,
    /// With what it shows.
    texture: Option<(usize, Channels, TextureHandle)>,
}

impl PictureView {
    /// Another file is looked at.
    pub fn forget(&mut self) {
        self.texture = None;
        self.zoom = None;
    }

    /// Lays it out; returns the index of another picture that is wanted.
    pub fn show(&mut self, ui: &mut Ui, browser: &Browser) -> Option<usize> {
        let infos = &browser.preview()?.pictures;
        let shown = browser.picture();
        let index = shown.map_or(0, |pixels| pixels.index);
        let label = |index: usize| {
            let info = &infos[index];
            let [width, height] = info.size;
            format!("{}: {width} x {height}", info.label)
        };
        let mut wanted = None;
        ui.horizontal_wrapped(|ui| {
            ComboBox::from_label(tr("level of detail"))
                .selected_text(infos.get(index).map(|_| label(index)).unwrap_or_default())
                .show_ui(ui, |ui| {
                    for other in 0..infos.len() {
                        if ui.selectable_label(other == index, label(other)).clicked() {
                            wanted = Some(other);
                        }
                    }
                });
            for channels in Channels::ALL {
                ui.selectable_value(&mut self.channels, channels, channels.name());
            }
            ui.separator();
            ui.selectable_value(&mut self.zoom, None, tr("fit"));
            for zoom in ZOOMS {
                let percent = format!("{:.0}%", zoom * 100.0);
                ui.selectable_value(&mut self.zoom, Some(zoom), percent);
            }
        });
        if let Some(problem) = &browser.picture_problem {
            ui.colored_label(ui.visuals().error_fg_color, problem);
        }
        match shown {
            Some(pixels) => self.paint(ui, pixels),
            None => drop(ui.weak(tr("decoding ..."))),
        }
        wanted
    }

    fn paint(&mut self, ui: &mut Ui, pixels: &Pixels) {
        let channels = self.channels;
        let is_there =
            |it: &&(usize, Channels, TextureHandle)| (it.0, it.1) == (pixels.index, channels);
        if self.texture.as_ref().filter(is_there).is_none() {
            let image = image_of(pixels, channels);
            let options = TextureOptions::NEAREST;
            let texture = ui.ctx().load_texture("picture of a file", image, options);
            self.texture = Some((pixels.index, channels, texture));
        }
        let Some((.., texture)) = &self.texture else {
            return;
        };
        let [width, height] = pixels.size.map(|side| side as f32);
        let room = ui.available_size();
        let zoom = self.zoom.map(|zoom| zoom / ui.ctx().pixels_per_point());
        let fitting = (room.x / width).min(room.y / height).min(16.0);
        let size = vec2(width, height) * zoom.unwrap_or(fitting);
        ScrollArea::both().auto_shrink(false).show(ui, |ui| {
            let (place, response) = ui.allocate_exact_size(size, Sense::hover());
            paint_squares(ui, place);
            let whole = Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0));
            ui.painter()
                .image(texture.id(), place, whole, Color32::WHITE);
            if let Some(pointer) = response.hover_pos() {
                let at = (pointer - place.min) / size;
                response.on_hover_text(text_of_pixel(pixels, [at.x, at.y]));
            }
        });
    }
}

/// The picture with some of its channels, as large as a texture may be.
fn image_of(pixels: &Pixels, channels: Channels) -> ColorImage {
    let [width, height] = pixels.size.map(|side| side as usize);
    let step = width.max(height).div_ceil(MAX_SIDE).max(1);
    let size = [width.div_ceil(step), height.div_ceil(step)];
    let (all, _) = pixels.rgba.as_chunks::<4>();
    let rows = (0..height).step_by(step);
    let colors = rows.flat_map(|y| {
        let row = (0..width).step_by(step);
        row.map(move |x| channels.color(all[y * width + x]))
    });
    ColorImage::new(size, colors.collect())
}

fn text_of_pixel(pixels: &Pixels, at: [f32; 2]) -> String {
    let [width, height] = pixels.size;
    let place = |share: f32, side: u32| ((share * side as f32) as u32).min(side.saturating_sub(1));
    let (x, y) = (place(at[0], width), place(at[1], height));
    let start = (y as usize * width as usize + x as usize) * 4;
    let rgba = pixels.rgba.get(start..start + 4).unwrap_or_default();
    format!("{x}, {y}: {rgba:?}")
}

/// What is seen through translucent pixels.
fn paint_squares(ui: &Ui, place: Rect) {
    let painter = ui.painter_at(place);
    painter.rect_filled(place, 0.0, Color32::from_gray(92));
    let visible = place.intersect(ui.clip_rect());
    let first = ((visible.min - place.min) / SQUARE).floor();
    let n = (visible.size() / SQUARE).ceil() + vec2(1.0, 1.0);
    for row in 0..n.y as usize {
        for column in 0..n.x as usize {
            let [x, y] = [first.x as usize + column, first.y as usize + row];
            if (x + y).is_multiple_of(2) {
                let min = place.min + vec2(x as f32, y as f32) * SQUARE;
                let square = Rect::from_min_size(min, vec2(SQUARE, SQUARE));
                painter.rect_filled(square, 0.0, Color32::from_gray(120));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn channels_are_shown_alone_and_large_pictures_thinned_out() {
        let pixels = Pixels {
            index: 0,
            size: [2, 1],
            rgba: vec![10, 20, 30, 40, 50, 60, 70, 255],
        };
        for (channels, expected) in [
            (Channels::Red, [10, 50]),
            (Channels::Green, [20, 60]),
            (Channels::Blue, [30, 70]),
            (Channels::Alpha, [40, 255]),
        ] {
            let image = image_of(&pixels, channels);
            assert_eq!(image.pixels, expected.map(Color32::from_gray));
        }
        let side = MAX_SIDE as u32 + 1;
        let large = Pixels {
            index: 0,
            size: [side, 1],
            rgba: vec![7; side as usize * 4],
        };
        let image = image_of(&large, Channels::Color);
        assert_eq!((image.size, image.pixels.len()), ([2049, 1], 2049));
        assert_eq!(
            text_of_pixel(&pixels, [0.99, 0.5]),
            "1, 0: [50, 60, 70, 255]"
        );
    }
}
