//! Textures, painted by seeded noise: in, names of materials; out, `Texm` files.
//!
//! Those of ground and plates repeat seamlessly. Ground textures cover 2 x 2 quads; u runs east and v north over the
//! ground.

mod canvas;
mod fixtures;
mod ground;
pub mod objects;
mod water;

use ironlands_assets_parkan::texm::Texm;
use rayon::prelude::*;

pub use fixtures::{lightmap_texm, lightmaps};
pub use ground::{dirt, of_class};
pub use water::N_WATER_FRAMES;

use crate::landscape::Class;
use crate::rows;
pub use canvas::{Canvas, PixelKind, Rgb};

/// Side in pixels at which ground textures are painted.
const BASE_SIZE: usize = 256;

/// All entries of `Textures.lib`, by name.
pub fn library() -> Vec<(String, Texm)> {
    let mut textures = vec![("DEFAULT.0".to_owned(), fixtures::checker())];
    let classes = Class::ALL.par_iter();
    let classes = classes.map(|class| (class.name(), of_class(*class)));
    let mut grounds: Vec<(&str, Canvas)> = classes.collect();
    grounds.push((rows::ROAD, dirt(BASE_SIZE)));
    for (name, canvas) in &grounds {
        textures.push((format!("{name}.0"), canvas.to_texm(PixelKind::Rgb565)));
        textures.push((format!("{name}M.0"), fixtures::microtexture(canvas)));
    }
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
