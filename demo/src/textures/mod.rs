//! Textures, painted by seeded noise: in, names of materials; out, `Texm` files.
//!
//! Those of ground and plates repeat seamlessly. Ground textures cover 2 x 2 quads; u runs east and v north over the
//! ground.

mod canvas;
mod fixtures;
mod ground;
pub mod objects;
mod overlays;
mod water;

use ironlands_assets_parkan::texm::Texm;
use rayon::prelude::*;

pub use fixtures::{lightmap_texm, lightmaps};
pub use ground::{dirt, of_class};
pub use water::N_WATER_FRAMES;

use crate::landscape::Class;
use crate::surface::Overlay;
pub use canvas::{Canvas, PixelKind, Rgb};

/// Side in pixels at which ground textures are painted.
const BASE_SIZE: usize = 256;

/// All entries of `Textures.lib` for these overlays, by name.
pub fn library(overlays: &[Overlay]) -> Vec<(String, Texm)> {
    let classes: Vec<Canvas> = Class::ALL
        .par_iter()
        .map(|class| of_class(*class))
        .collect();
    let dirt = dirt(overlays::SIZE);
    let small: Vec<Canvas> = classes
        .iter()
        .map(|canvas| canvas.shrunk_to(overlays::SIZE))
        .collect();
    let mut textures = vec![
        ("DEFAULT.0".to_owned(), fixtures::checker()),
        ("MICROTEX.0".to_owned(), fixtures::microtexture()),
    ];
    for (class, canvas) in Class::ALL.iter().zip(&classes) {
        textures.push((
            format!("{}.0", class.name()),
            canvas.to_texm(PixelKind::Rgb565),
        ));
    }
    let painted: Vec<Texm> = overlays
        .par_iter()
        .map(|overlay| match *overlay {
            Overlay::Join { class, corners } => overlays::join(&small[class as usize], corners),
            Overlay::Road(link) => overlays::road(&dirt, link),
        })
        .collect();
    textures.extend(
        overlays
            .iter()
            .map(|overlay| format!("{}.0", overlay.name()))
            .zip(painted),
    );
    let frames: Vec<Texm> = (0..N_WATER_FRAMES)
        .into_par_iter()
        .map(water::frame)
        .collect();
    textures.extend((0..N_WATER_FRAMES).map(water_frame_name).zip(frames));
    textures.extend(objects::library());
    textures
}

/// Texture name of a frame of the water's animation.
pub fn water_frame_name(frame: usize) -> String {
    format!("WATER{frame:02}.0")
}
