use super::*;
use crate::Block;
use crate::diff::{DiffOptions, diff};
use crate::test_regions::{id, open};

fn draw(region: &Region, cells_per_pixel: usize) -> Option<Picture> {
    let options = PictureOptions {
        cells_per_pixel,
        ..PictureOptions::default()
    };
    Picture::from_region(region, &options)
}

fn pixel(picture: &Picture, x: usize, y: usize) -> [u8; 4] {
    let at = (y * picture.width + x) * 4;
    picture.rgba[at..at + 4].try_into().unwrap()
}

/// The block in the north-east, so that a turned picture shows.
fn with_north_east(cells: [Cell; 64]) -> Region {
    let mut region = Region::flat(id(), 0);
    region.blocks_mut()[255 * 256] = Block::Complex(Box::new(cells));
    region
}

#[test]
fn north_is_up_and_east_is_right() {
    let region = with_north_east([open(4992); 64]);
    let picture = draw(&region, 8).unwrap();
    assert_eq!((picture.width, picture.height), (256, 256));
    let ground = pixel(&picture, 10, 10);
    assert_eq!(pixel(&picture, 255, 255), ground);
    assert_ne!(pixel(&picture, 255, 0), ground);
    assert_ne!(pixel(&picture, 255, 0), pixel(&picture, 0, 255));
    assert_eq!(draw(&region, 3), None);
    assert_eq!(draw(&region, 4096), None);
}

#[test]
fn closed_sides_are_red_and_changes_are_marked() {
    let mut cells = [open(0); 64];
    let before = with_north_east(cells);
    cells[0].nswe = Nswe::empty();
    let after = with_north_east(cells);
    let options = PictureOptions {
        layer: ShownLayer::Lowest,
        coloring: Coloring::Nswe,
        cells_per_pixel: 1,
    };
    let mut picture = Picture::from_region(&after, &options).unwrap();
    let (x, y) = (2040, 0);
    let [r, g, b, _] = pixel(&picture, x, y);
    let [ground_r, ground_g, ..] = pixel(&picture, x, y + 1);
    assert!(r > ground_r && g < ground_g && b < g, "{r} {g} {b}");
    picture.mark(&diff(&before, &after, &DiffOptions::default()), 1);
    assert_eq!(pixel(&picture, x, y), [60, 140, 255, 255]);
    assert_eq!(pixel(&picture, x, y + 1)[0], ground_r);
}

#[test]
fn a_mosaic_puts_regions_where_they_are() {
    let of = |height| draw(&Region::flat(id(), height), 512).unwrap();
    let (low, high) = (of(-5000), of(5000));
    let at = |x, y| RegionId::new(x, y).unwrap();
    let map = Picture::mosaic([(at(20, 18), &low), (at(21, 19), &high)], 4).unwrap();
    assert_eq!((map.width, map.height), (8, 8));
    assert_eq!(pixel(&map, 0, 0), pixel(&low, 0, 0));
    assert_eq!(pixel(&map, 7, 7), pixel(&high, 3, 3));
    assert_eq!(pixel(&map, 7, 0), [0; 4]);
    assert_eq!(Picture::mosaic([], 4), None);
}

#[test]
fn a_pixel_is_the_mean_of_its_cells() {
    let mut cells = [open(0); 64];
    cells[0].nswe = Nswe::empty();
    let region = with_north_east(cells);
    let [fine, coarse] = [1, 8].map(|cells_per_pixel| {
        let options = PictureOptions {
            coloring: Coloring::Nswe,
            cells_per_pixel,
            ..PictureOptions::default()
        };
        Picture::from_region(&region, &options).unwrap()
    });
    let (closed, ground) = (pixel(&fine, 2040, 0), pixel(&fine, 2041, 0));
    for (channel, mean) in pixel(&coarse, 255, 0).into_iter().enumerate().take(3) {
        // One of sixteen cells that are looked at.
        let sum = f32::from(closed[channel]) + 15.0 * f32::from(ground[channel]);
        assert!(
            (f32::from(mean) - sum / 16.0).abs() <= 1.0,
            "{channel}: {mean}"
        );
    }
    assert_ne!(pixel(&coarse, 255, 0), ground);
}

#[test]
fn blocks_have_the_colors_of_their_kinds_and_faded_ones_are_gray() {
    let region = with_north_east([open(0); 64]);
    let options = PictureOptions {
        coloring: Coloring::Blocks,
        cells_per_pixel: 8,
        ..PictureOptions::default()
    };
    let mut picture = Picture::from_region(&region, &options).unwrap();
    assert_eq!(pixel(&picture, 255, 0), [84, 122, 176, 255]);
    assert_eq!(pixel(&picture, 0, 0), [98, 134, 88, 255]);
    picture.fade();
    assert_eq!(pixel(&picture, 255, 0), [63, 63, 63, 255]);
}
