//! Pictures against golden ones.

use std::path::Path;

use image::{Pixel, Rgba, RgbaImage};

use super::studio::root;

/// A channel may differ by this much: drivers round filtering, interpolation and blending differently in the
/// last bits, and three blended passes and the microtexture's factor of 2 add up.
const CHANNEL_TOLERANCE: u8 = 10;

/// This share of the subject may differ by more: along the outlines of triangles a driver is free in which
/// sample belongs to which triangle, and a level has outlines on about every hundredth pixel. Of a model alone
/// only the pixels that it changes count, or a small one could be anything.
const OUTLIER_SHARE: f64 = 0.01;

/// Why a picture is not what it was, if it is not. `n_subject` of its pixels show what it is about.
pub fn compare_with_golden(name: &str, actual: &RgbaImage, n_subject: usize) -> Result<(), String> {
    let golden_path = root().join("tests/golden").join(format!("{name}.png"));
    if std::env::var_os("BLESS").is_some() {
        actual.save(&golden_path).expect("goldens can be written");
        return Ok(());
    }
    let golden = image::open(&golden_path)
        .map_err(|error| format!("{}: {error}", golden_path.display()))?
        .to_rgba8();
    compare(&golden, actual, n_subject).map_err(|why| {
        let folder = root().join("target/golden");
        std::fs::create_dir_all(&folder).expect("target can be written");
        save(actual, &folder.join(format!("{name}_actual.png")));
        if golden.dimensions() == actual.dimensions() {
            let difference = folder.join(format!("{name}_difference.png"));
            let mut bright = difference_of(&golden, actual);
            for pixel in bright.pixels_mut() {
                pixel.apply_without_alpha(|channel| channel.saturating_mul(8));
            }
            save(&bright, &difference);
        }
        format!("{name}: {why}; see {}", folder.display())
    })
}

/// Why two pictures are not alike, if they are not.
pub fn compare(golden: &RgbaImage, actual: &RgbaImage, n_subject: usize) -> Result<(), String> {
    if golden.dimensions() != actual.dimensions() {
        return Err(format!(
            "{:?} instead of {:?}",
            actual.dimensions(),
            golden.dimensions()
        ));
    }
    let pixels = difference_of(golden, actual);
    let is_outlier = |apart: &&Rgba<u8>| apart.0[..3].iter().any(|d| *d > CHANNEL_TOLERANCE);
    let n_outliers = pixels.pixels().filter(is_outlier).count();
    if n_outliers as f64 <= OUTLIER_SHARE * n_subject as f64 {
        return Ok(());
    }
    Err(format!(
        "{n_outliers} pixels, of {n_subject} that matter, differ by more than {CHANNEL_TOLERANCE}"
    ))
}

/// How far apart the channels of two pictures of one size are; opaque.
fn difference_of(golden: &RgbaImage, actual: &RgbaImage) -> RgbaImage {
    RgbaImage::from_fn(golden.width(), golden.height(), |x, y| {
        let (expected, found) = (golden.get_pixel(x, y), actual.get_pixel(x, y));
        let [r, g, b] = [0, 1, 2].map(|c| found[c].abs_diff(expected[c]));
        Rgba([r, g, b, 255])
    })
}

fn save(picture: &RgbaImage, path: &Path) {
    picture.save(path).expect("target can be written");
}
