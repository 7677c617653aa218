//! Painting a tile: grounds and how they meet, roads, and fields.

use rayon::prelude::*;

use super::cloth::{Cloth, Place, folded, mirrored};
use super::{Road, Shape, Tile};
use crate::evil_islands::island::{Ground, JOINS};
use crate::landscape::Class;
use crate::noise::{bump, fbm, hash2, mix, smoothstep, unit, wave};
use crate::textures::{Canvas, Rgb, dirt, of_class};

/// All that tiles are painted with.
pub struct Palette {
    cloths: Vec<(Ground, Cloth)>,
}

impl Palette {
    pub fn new() -> Self {
        let grounds = [
            Ground::Grass,
            Ground::DryGrass,
            Ground::Earth,
            Ground::Sand,
            Ground::Rock,
            Ground::Snow,
        ];
        let cloths = grounds
            .into_par_iter()
            .map(|ground| (ground, Cloth::new(&picture(ground))));
        Self {
            cloths: cloths.collect(),
        }
    }

    /// The color of a tile at a place.
    pub fn at(&self, tile: Tile, place: Place) -> Rgb {
        match tile {
            Tile::Plain(ground, variant) => self.plain(ground, variant, place),
            Tile::Join(pair, shape, variant) => self.join(pair, shape, variant, place),
            Tile::Road(road, variant) => self.road(road, variant, place),
            Tile::Field(ends) => self.field(ends, place),
        }
    }

    fn cloth(&self, ground: Ground) -> &Cloth {
        let found = self.cloths.iter().find(|(known, _)| *known == ground);
        &found.expect("every ground has its cloth").1
    }

    fn plain(&self, ground: Ground, variant: u8, place: Place) -> Rgb {
        let cut = 100 * ground as u32 + u32::from(variant);
        let color = self.cloth(ground).at(cut, place);
        let inside = smoothstep(0.03, 0.3, folded(place)[0]);
        let cloud = fbm(cut + 900, place[0] * 2.0, place[1] * 2.0, 2, 1 << 20);
        let color = color.map(|c| c * (1.0 + 0.09 * inside * cloud));
        match ground {
            Ground::Grass => flowers(color, variant, place),
            _ => color,
        }
    }

    fn join(&self, pair: u8, shape: Shape, variant: u8, place: Place) -> Rgb {
        let (below, above) = JOINS[usize::from(pair)];
        let cut = 40 + 7 * u32::from(pair) + 3 * shape as u32 + u32::from(variant);
        let below = self.cloth(below).at(1000 + cut, place);
        let above = self.cloth(above).at(2000 + cut, place);
        let cover = cover(shape, place);
        // On a border the line is ragged by how much is covered there alone, as the tile beside it has it.
        let [near, _] = folded(place);
        let on_border = 0.42 * fbm(0x71 + u32::from(pair), cover * 7.0, near * 9.0, 3, 1 << 20);
        let within = fbm(0x500 + cut, place[0] * 6.0, place[1] * 6.0, 4, 1 << 20);
        let ragged = mix(on_border, 0.5 * within, smoothstep(0.02, 0.13, near));
        let edge = cover + 2.6 * ragged * cover * (1.0 - cover);
        let mixed = smoothstep(0.43, 0.57, edge);
        // What lies above throws a little shade where it ends.
        let shade = 1.0 - 0.16 * smoothstep(0.24, 0.42, edge) * smoothstep(0.62, 0.5, edge);
        [0, 1, 2].map(|k| mix(below[k], above[k], mixed) * shade)
    }

    fn road(&self, road: Road, variant: u8, place: Place) -> Rgb {
        let cut = 3000 + 10 * road as u32 + u32::from(variant);
        let grass = self.cloth(Ground::Grass).at(cut, place);
        let earth = self.cloth(Ground::Earth).at(cut + 50, place);
        let distance = from_road(road, place);
        let [near, along] = folded(place);
        let on_border = fbm(0x81, along * 9.0, near * 9.0, 3, 1 << 20);
        let within = fbm(0x600 + cut, place[0] * 7.0, place[1] * 7.0, 4, 1 << 20);
        let noise = mix(on_border, within, smoothstep(0.02, 0.13, near));
        let rut = bump(((distance - 0.17) / 0.09).clamp(-1.0, 1.0));
        let crown = bump((distance / 0.1).min(1.0));
        let shade = 1.0 - 0.2 * rut + 0.05 * crown;
        let is_road = smoothstep(0.40, 0.27, distance + 0.13 * noise);
        let tufts = 0.7 * crown * smoothstep(0.0, 0.3, noise);
        let covered = is_road * (1.0 - tufts);
        [0, 1, 2].map(|k| mix(grass[k], earth[k] * shade, covered))
    }

    fn field(&self, ends: [bool; 4], place: Place) -> Rgb {
        let number = ends.iter().fold(0, |sum, end| 2 * sum + u32::from(*end));
        let grass = self.cloth(Ground::Grass).at(4000 + number, place);
        let [west, east, south, north] = ends;
        let inside = [
            (west, place[0]),
            (east, 1.0 - place[0]),
            (south, place[1]),
            (north, 1.0 - place[1]),
        ];
        let depth = inside
            .into_iter()
            .filter(|(is_end, _)| *is_end)
            .fold(1.0, |least, (_, depth)| depth.min(least));
        let ragged = 0.1 * tiled(0x91, place, 6, 3);
        let is_field = smoothstep(0.2, 0.3, depth + ragged);
        let soil = furrows(place);
        [0, 1, 2].map(|k| mix(grass[k], soil[k], is_field))
    }
}

/// The picture that a ground's tiles are cut from.
fn picture(ground: Ground) -> Canvas {
    let toned = |canvas: Canvas, mean: Rgb| canvas.with_mean(mean);
    match ground {
        Ground::Grass => toned(of_class(Class::Grass), [80.0, 108.0, 48.0]),
        Ground::DryGrass => toned(of_class(Class::Heath), [112.0, 120.0, 58.0]),
        Ground::Earth => toned(dirt(256), [138.0, 112.0, 78.0]),
        Ground::Sand => of_class(Class::Sand),
        Ground::Rock => toned(of_class(Class::Rock), [122.0, 114.0, 104.0]),
        Ground::Snow => of_class(Class::Snow),
    }
}

/// How much of a tile is covered, 0 to 1: the corners, and straight between them.
fn cover(shape: Shape, place: Place) -> f64 {
    let corners = shape.corners().map(|c| f64::from(u8::from(c)));
    let [x, y] = mirrored(place);
    mix(
        mix(corners[0], corners[1], x),
        mix(corners[2], corners[3], x),
        y,
    )
}

/// Distance from the middle of a road, in tiles.
fn from_road(road: Road, [x, y]: Place) -> f64 {
    match road {
        Road::Straight => (x - 0.5).abs(),
        Road::Curve => ((x * x + y * y).sqrt() - 0.5).abs(),
        Road::End => {
            let beyond = (y - 0.45).max(0.0);
            ((x - 0.5) * (x - 0.5) + beyond * beyond).sqrt()
        }
    }
}

/// Small flowers in some of the pictures of grass, away from the border.
fn flowers(color: Rgb, variant: u8, place: Place) -> Rgb {
    let n = match variant {
        2 => 10,
        5 => 16,
        9 => 7,
        _ => return color,
    };
    let petals = match variant {
        2 => [232.0, 226.0, 206.0],
        5 => [226.0, 192.0, 72.0],
        _ => [186.0, 92.0, 116.0],
    };
    for k in 0..n {
        let at = [0, 1].map(|axis| 0.14 + 0.72 * unit(hash2(0xF10 + u32::from(variant), k, axis)));
        let (dx, dy) = (place[0] - at[0], place[1] - at[1]);
        let far = (dx * dx + dy * dy).sqrt();
        if far < 0.016 {
            return petals;
        }
        if far < 0.03 {
            return [0, 1, 2].map(|i| mix(color[i], petals[i], 0.35));
        }
    }
    color
}

/// Plowed soil with rows of young plants, from west to east.
fn furrows(place: Place) -> Rgb {
    let bend = 0.05 * tiled(0xA1, place, 3, 2);
    let row = 5.0 * (place[1] + bend);
    let ridge = wave(row);
    let clod = tiled(0xA2, place, 20, 3);
    let light = 0.82 + 0.18 * ridge + 0.22 * clod;
    let soil = [104.0, 78.0, 52.0].map(|c| c * light);
    let plant = smoothstep(0.5, 0.95, ridge) * smoothstep(-0.25, 0.2, tiled(0xA3, place, 14, 2));
    let leaf = [106.0, 128.0, 48.0].map(|c| c * (0.9 + 0.5 * tiled(0xA4, place, 24, 2)));
    [0, 1, 2].map(|k| mix(soil[k], leaf[k], plant))
}

/// Noise that repeats from tile to tile.
fn tiled(seed: u32, [x, y]: Place, cells: i32, octaves: u32) -> f64 {
    let n = f64::from(cells);
    fbm(seed, x * n, y * n, octaves, cells)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evil_islands::tiles::{Placed, in_picture, join, road};

    /// The color of a placed tile at a place on the ground.
    fn on_ground(palette: &Palette, placed: Placed, place: Place) -> Rgb {
        palette.at(placed.tile, in_picture(place, placed.rotation))
    }

    /// The greatest difference between two tiles along their common border, the second being east of the first.
    fn step(palette: &Palette, west: Placed, east: Placed) -> f64 {
        let mut worst = 0.0_f64;
        for k in 0..48 {
            let y = (f64::from(k) + 0.5) / 48.0;
            let (a, b) = (
                on_ground(palette, west, [1.0 - 1e-6, y]),
                on_ground(palette, east, [1e-6, y]),
            );
            worst = (0..3).fold(worst, |worst, k| worst.max((a[k] - b[k]).abs()));
        }
        worst
    }

    #[test]
    fn tiles_meet_without_a_seam() {
        let palette = Palette::new();
        let plain = |ground, variant, rotation| Placed {
            tile: Tile::Plain(ground, variant),
            rotation,
        };
        let covered = |text: &str| {
            let bytes = text.as_bytes();
            [0, 1, 2, 3].map(|k| bytes[k] == b'#')
        };
        let pairs = [
            (plain(Ground::Grass, 0, 0), plain(Ground::Grass, 5, 3)),
            (plain(Ground::Rock, 1, 2), plain(Ground::Rock, 4, 1)),
            (join(3, covered("#.#."), 0), plain(Ground::Grass, 1, 1)),
            (join(3, covered(".#.#"), 0), plain(Ground::Rock, 1, 1)),
            (join(2, covered("##.."), 0), join(2, covered("#..."), 1)),
            (join(2, covered(".#.."), 1), join(2, covered("#..#"), 0)),
            (join(5, covered(".#.."), 1), join(5, covered("##.#"), 0)),
            (
                road([true, true, false, false], 0),
                road([true, false, true, false], 1),
            ),
            (
                road([false, true, false, true], 0),
                road([true, false, false, false], 1),
            ),
            (
                road([false, false, true, true], 0),
                plain(Ground::Grass, 7, 2),
            ),
        ];
        for (west, east) in pairs {
            let step = step(&palette, west, east);
            assert!(step < 2.0, "{west:?} beside {east:?}: {step}");
        }
        let field = |ends| Placed {
            tile: Tile::Field(ends),
            rotation: 0,
        };
        for (west, east) in [
            (field([false; 4]), field([false; 4])),
            (
                field([false, false, true, false]),
                field([false, true, true, false]),
            ),
            (field([true, false, false, false]), field([false; 4])),
            (
                field([false, true, false, true]),
                plain(Ground::Grass, 3, 1),
            ),
        ] {
            let step = step(&palette, west, east);
            assert!(step < 2.0, "{west:?} beside {east:?}: {step}");
        }
    }
}
