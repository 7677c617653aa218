//! Pictures against golden ones.

use std::path::Path;

use image::RgbaImage;

use super::studio::root;

/// A channel may differ by this much: drivers round filtering, interpolation and blending differently in the
/// last bits, and three blended passes and the microtexture's factor of 2 add up.
const CHANNEL_TOLERANCE: u8 = 10;

/// This share of the pixels may differ by more: along the outlines of triangles a driver is free in which
/// sample belongs to which triangle, and a level has outlines on about every hundredth pixel.
const OUTLIER_SHARE: f64 = 0.01;

/// Why a picture is not what it was, if it is not.
pub fn compare_with_golden(name: &str, actual: &RgbaImage) -> Result<(), String> {
    let golden_path = root().join("tests/golden").join(format!("{name}.png"));
    if std::env::var_os("BLESS").is_some() {
        actual.save(&golden_path).expect("goldens can be written");
        return Ok(());
    }
    let golden = image::open(&golden_path)
        .map_err(|error| format!("{}: {error}", golden_path.display()))?
        .to_rgba8();
    if golden.dimensions() != actual.dimensions() {
        return Err(format!(
            "{name}: {:?} instead of {:?}",
            actual.dimensions(),
            golden.dimensions()
        ));
    }
    let mut n_outliers = 0u32;
    let mut difference = RgbaImage::new(actual.width(), actual.height());
    for (x, y, pixel) in actual.enumerate_pixels() {
        let expected = golden.get_pixel(x, y);
        let apart: [u8; 3] = std::array::from_fn(|c| pixel[c].abs_diff(expected[c]));
        n_outliers += u32::from(apart.iter().any(|d| *d > CHANNEL_TOLERANCE));
        let [r, g, b] = apart.map(|d| d.saturating_mul(8));
        difference.put_pixel(x, y, image::Rgba([r, g, b, 255]));
    }
    let share = f64::from(n_outliers) / f64::from(actual.width() * actual.height());
    if share <= OUTLIER_SHARE {
        return Ok(());
    }
    let folder = root().join("target/golden");
    std::fs::create_dir_all(&folder).expect("target can be written");
    save(actual, &folder.join(format!("{name}_actual.png")));
    save(&difference, &folder.join(format!("{name}_difference.png")));
    Err(format!(
        "{name}: {:.2} % of the pixels differ by more than {CHANNEL_TOLERANCE}; see {}",
        share * 100.0,
        folder.display()
    ))
}

fn save(picture: &RgbaImage, path: &Path) {
    picture.save(path).expect("target can be written");
}
