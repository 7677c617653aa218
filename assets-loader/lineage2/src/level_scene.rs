//! Regions as a [`Scene`]: no more than a tree of tiles, light and a place to start from; `sim` makes the tiles.
//!
//! Engine axes: x = the game's x to the east, y = -(the game's y), to the north, z up; points. What the files do not
//! say is a documented choice: where the sun stands, how hazy it is, all colors, whether there is a sea.
#![expect(
    clippy::arithmetic_side_effects,
    reason = "numbers of regions, of which there are 32 a side"
)]

use ironlands_scene::{
    Blend, CloudLayer, ColorBy, FacetProperty, Fog, FogFalloff, LegendEntry, Lighting, Liquid,
    Material, MaterialIdx, Pass, PassKind, RampColor, Scene, Sky, Spawn, Sun, TileKey, TileTree,
    Water,
};

use super::grid::{CELL_SIZE, REGION_SIZE, RegionId, ZERO_REGION};
use super::level::GeodataLevel;
use super::picture::{KIND_COLORS, RAMP};

pub use ironlands_sim_regions::tiles::{LandMark, N_LEVELS, REGION_LEVEL, STEPS_PER_TILE};

/// Regions along a side of the grid.
const REGIONS_PER_SIDE: u8 = 32;

/// From the north-west, as maps are lit.
const TO_SUN: [f32; 3] = [-0.55, 0.55, 0.75];
/// Warm in the sun, cool in the shade.
const SUN: [f32; 3] = [0.66, 0.62, 0.54];
const AMBIENT: [f32; 3] = [0.50, 0.53, 0.58];
/// Where haze begins and where it is as dense as it gets, points: 16 regions away, so that a continent of that size is
/// seen whole from above.
const HAZE: [f32; 2] = [20_000.0, 524_288.0];
const HAZE_DENSITY: f32 = 0.6;
/// How far walls and ground keep light from each other, points: two cells.
const OCCLUSION_RADIUS: f32 = 2.0 * CELL_SIZE as f32;

/// What is seen where no region is: darker than any land, and far from the light color of haze.
const NO_LAND: [f32; 3] = [0.10, 0.11, 0.15];

/// Height of the first view, points: most ground lies about 3,500 below it.
const EYE_Z: f32 = 0.0;
/// Where it is, as a part of a region's side from the south-west corner.
const EYE_INSET: f32 = 0.06;
const EYE_PITCH_DEGREES: f32 = -14.0;

/// The sea where one is requested: how blue, and how much of the ground it hides.
const SEA_COLOR: [f32; 4] = [0.13, 0.33, 0.46, 0.78];
/// The same for deep water: about 50 points are a meter.
const SEA: Liquid = Liquid {
    color: [0.05, 0.20, 0.29],
    clarity: 700.0,
    waves: 1.0,
    wave_length: 1400.0,
    has_wave_texture: false,
    reflectance: [1.0; 3],
    depth: f32::MAX,
    sheet: None,
};
const SEA_UV_PER_UNIT: f32 = 1.0 / 512.0;

/// The level before any region is read.
pub fn to_scene(level: &GeodataLevel) -> Scene {
    let ids: Vec<RegionId> = level.files.iter().map(|file| file.name.id).collect();
    let sky = Sky {
        nadir: NO_LAND,
        ..Sky::default()
    };
    let fog = Fog {
        color: sky.horizon,
        start: HAZE[0],
        end: HAZE[1],
        falloff: FogFalloff::Linear,
        density: HAZE_DENSITY,
        layer: None,
    };
    let materials = level.water_level.map(|_| sea_material());
    Scene {
        name: level.name.clone(),
        materials: materials.into_iter().collect(),
        tiles: Some(tile_tree(&ids)),
        sun: Sun {
            direction_to_sun: glam::Vec3::from_array(TO_SUN).normalize().to_array(),
            color: SUN,
            ambient: AMBIENT,
            counter: [0.0; 3],
        },
        occlusion_radius: OCCLUSION_RADIUS,
        sky,
        clouds: CloudLayer::FAIR.to_vec(),
        fog: Some(fog),
        // All of it, far away: the sea goes over into the sky.
        haze: Some(Fog {
            density: 1.0,
            ..fog
        }),
        water: level.water_level.map(sea),
        spawns: overview(&ids).into_iter().collect(),
        ..Scene::default()
    }
}

/// The tree of these regions in the square of all 32 x 32.
pub fn tile_tree(ids: &[RegionId]) -> TileTree {
    let [x, y] = world_square()[0];
    TileTree {
        corner: [x, y],
        step: CELL_SIZE as f32,
        steps_per_tile: STEPS_PER_TILE,
        n_levels: N_LEVELS,
        z_unit: 1.0,
        // A flat block may be at any height that its word holds, and skirts reach below.
        z_range: [f32::from(i16::MIN), f32::from(i16::MAX)],
        land: ids.iter().map(|&id| region_tile(id)).collect(),
        ramp: RAMP
            .map(|(z, color)| RampColor {
                z: f32::from(z),
                color: display(color),
            })
            .to_vec(),
        color_by: color_by(),
    }
}

/// The tile that is a region.
pub fn region_tile(id: RegionId) -> TileKey {
    TileKey {
        level: REGION_LEVEL,
        x: u32::from(id.x()),
        // Tiles are counted to the north, regions to the south.
        y: u32::from(REGIONS_PER_SIDE - 1 - id.y()),
    }
}

/// Smallest and largest x and y of all 32 x 32 regions.
fn world_square() -> [[f32; 2]; 2] {
    let along = |regions: i32| (regions * REGION_SIZE) as f32;
    let (zero_x, zero_y) = (i32::from(ZERO_REGION.x()), i32::from(ZERO_REGION.y()));
    let n = i32::from(REGIONS_PER_SIDE);
    [
        [along(-zero_x), along(zero_y - n)],
        [along(n - zero_x), along(zero_y)],
    ]
}

fn color_by() -> Vec<ColorBy> {
    let by_property =
        |name: &str, property, colors: Vec<[f32; 4]>, meanings: &[(usize, &str)]| ColorBy {
            name: name.to_owned(),
            property,
            legend: meanings
                .iter()
                .filter_map(|(value, text)| {
                    Some(LegendEntry::new(bytes(*colors.get(*value)?), *text))
                })
                .collect(),
            colors,
        };
    let mark = |mark: LandMark, text| (mark as usize, text);
    vec![
        by_property(
            "sides",
            FacetProperty::OpenSides,
            (0..16).map(sides_color).collect(),
            &[
                (0b0111, "one side closed"),
                (0b0011, "two sides closed"),
                (0b0001, "three sides closed"),
                (0b0000, "all sides closed"),
            ],
        ),
        by_property(
            "block types",
            FacetProperty::Mark,
            LandMark::ALL.map(kind_color).to_vec(),
            &[
                mark(LandMark::Flat, "flat block"),
                mark(LandMark::Complex, "complex block"),
                mark(LandMark::Multilayer, "multilayer block"),
                mark(LandMark::Edited, "edited block"),
            ],
        ),
        by_property(
            "walls",
            FacetProperty::Mark,
            LandMark::ALL.map(wall_color).to_vec(),
            &[
                mark(LandMark::WallOpen, "open both ways"),
                mark(LandMark::WallOneWay, "open one way"),
                mark(LandMark::WallClosed, "closed"),
                mark(LandMark::WallNoData, "no data beyond"),
            ],
        ),
        by_property(
            "layers",
            FacetProperty::Layer,
            (0..32).map(layer_color).collect(),
            &[
                (1, "second layer"),
                (2, "third layer"),
                (3, "fourth layer"),
                (4, "fifth layer"),
            ],
        ),
    ]
}

/// A color of a look without its opacity.
fn bytes([r, g, b, _]: [f32; 4]) -> [u8; 3] {
    [r, g, b].map(|channel| (channel * 255.0).round() as u8)
}

const TRANSPARENT: [f32; 4] = [0.0; 4];

/// The fewer sides are open, the redder; open ground as it is.
fn sides_color(open_sides: u8) -> [f32; 4] {
    match open_sides.count_ones() {
        0 => [0.86, 0.06, 0.05, 1.0],
        1 => [0.92, 0.24, 0.07, 0.9],
        2 => [0.96, 0.48, 0.10, 0.8],
        3 => [0.98, 0.74, 0.20, 0.6],
        _ => TRANSPARENT,
    }
}

fn kind_color(mark: LandMark) -> [f32; 4] {
    let [flat, complex, multilayer] = KIND_COLORS;
    let covering = |color| {
        let [r, g, b] = display(color);
        [r, g, b, 0.9]
    };
    match mark {
        LandMark::Flat => covering(flat),
        LandMark::Complex => covering(complex),
        LandMark::Multilayer => covering(multilayer),
        LandMark::Edited => [0.84, 0.16, 0.72, 0.9],
        LandMark::WallOpen | LandMark::WallOneWay | LandMark::WallClosed | LandMark::WallNoData => {
            TRANSPARENT
        }
    }
}

fn wall_color(mark: LandMark) -> [f32; 4] {
    match mark {
        LandMark::Flat | LandMark::Complex | LandMark::Multilayer | LandMark::Edited => TRANSPARENT,
        LandMark::WallOpen => [0.20, 0.72, 0.30, 0.9],
        LandMark::WallOneWay => [0.97, 0.66, 0.12, 0.9],
        LandMark::WallClosed => [0.86, 0.08, 0.06, 0.9],
        LandMark::WallNoData => [0.35, 0.37, 0.42, 1.0],
    }
}

/// Hues a golden angle apart, so that neighbors differ; the ground below all is left as it is.
fn layer_color(layer: u8) -> [f32; 4] {
    if layer == 0 {
        return TRANSPARENT;
    }
    const GOLDEN: f32 = 0.381_966;
    let hue = f32::from(layer - 1) * GOLDEN;
    let [r, g, b] = [0.0, 1.0 / 3.0, 2.0 / 3.0].map(|shift: f32| {
        let along = (hue + shift).fract();
        let channel = ((along * 6.0 - 3.0).abs() - 1.0).clamp(0.0, 1.0);
        0.2 + 0.75 * channel
    });
    [r, g, b, 0.85]
}

fn display(color: [u8; 3]) -> [f32; 3] {
    color.map(|channel| f32::from(channel) / 255.0)
}

/// Over all of the world: what is left out of it is a line, not an area, since there is land below all of it.
fn sea(level: f32) -> Water {
    let [[x_min, _], [x_max, _]] = world_square();
    Water {
        level,
        material: MaterialIdx(0),
        uv_per_unit: SEA_UV_PER_UNIT,
        level_min: [x_min, 0.0],
        level_max: [x_max, 0.0],
        bed: None,
    }
}

fn sea_material() -> Material {
    Material {
        name: "sea".to_owned(),
        passes: vec![Pass {
            kind: PassKind::Water,
            diffuse: SEA_COLOR,
            ambient: [SEA_COLOR[0], SEA_COLOR[1], SEA_COLOR[2]],
            lighting: Lighting::Display,
            blend: Some(Blend::ALPHA),
            depth_write: false,
            liquid: Some(SEA),
            ..Pass::default()
        }],
    }
}

/// A view over the region in the midst of all, from above its south-west corner.
fn overview(ids: &[RegionId]) -> Option<Spawn> {
    let n = ids.len() as i32;
    let place = |id: &RegionId| [i32::from(id.x()), i32::from(id.y())];
    let sum = ids
        .iter()
        .map(place)
        .fold([0, 0], |a, b| [a[0] + b[0], a[1] + b[1]]);
    let distance = |id: &&RegionId| {
        let at = place(id);
        (at[0] * n - sum[0]).pow(2) + (at[1] * n - sum[1]).pow(2)
    };
    let (x, y) = ids.iter().min_by_key(distance)?.corner();
    let (west, south) = (x as f32, -(y + REGION_SIZE) as f32);
    let inset = EYE_INSET * REGION_SIZE as f32;
    Some(Spawn {
        name: "overview".to_owned(),
        position: [west + inset, south + inset, EYE_Z],
        yaw_rad: std::f32::consts::FRAC_PI_4,
        pitch_rad: EYE_PITCH_DEGREES.to_radians(),
    })
}

#[cfg(test)]
mod tests {
    use super::super::picture::{Picture, PictureOptions};
    use super::super::region::Region;
    use super::super::region_folder::RegionPath;
    use super::*;
    use std::path::Path;

    fn id(x: u8, y: u8) -> RegionId {
        RegionId::new(x, y).unwrap()
    }

    fn level(names: &[&str], water_level: Option<f32>) -> GeodataLevel {
        let file = |name: &&str| RegionPath::new(Path::new(name)).unwrap();
        GeodataLevel {
            path: "geodata".into(),
            name: "geodata".to_owned(),
            files: names.iter().map(file).collect(),
            water_level,
        }
    }

    #[test]
    fn a_region_is_the_tile_of_its_square() {
        // Dossier section 1.5: corners of regions, with y to the south.
        for (id, x, y) in [
            (id(20, 18), 0, 0),
            (id(19, 17), -32768, -32768),
            (id(0, 0), -655_360, -589_824),
            (id(31, 31), 360_448, 425_984),
        ] {
            let tree = tile_tree(&[id]);
            let (corner, side) = tree.square_of(tree.land[0]);
            assert_eq!(side, 32768.0, "{id}");
            assert_eq!(corner, [x as f32, -(y as f32) - 32768.0], "{id}");
        }
        let tree = tile_tree(&[]);
        assert_eq!(tree.square_of(tree.root()), (tree.corner, 32.0 * 32768.0));
    }

    #[test]
    fn scenes_are_valid_and_start_over_the_region_in_the_midst() {
        let names = ["16_10.l2j", "20_18.l2j", "20_19.l2j", "24_26.l2j"];
        let scene = to_scene(&level(&names, None));
        assert_eq!(scene.validate(), Ok(()));
        assert_eq!(scene.water, None);
        let spawn = &scene.spawns[0];
        assert!((0.0..8192.0).contains(&spawn.position[0]));
        assert!(
            (-32768.0..-24576.0).contains(&spawn.position[1]),
            "20_18 in {spawn:?}"
        );

        let sea = to_scene(&level(&names, Some(-3780.0)));
        assert_eq!(sea.validate(), Ok(()));
        let water = sea.water.unwrap();
        assert_eq!(water.level, -3780.0);
        let left_out = [0, 1].map(|axis| water.level_max[axis] - water.level_min[axis]);
        assert_eq!(left_out[0] * left_out[1], 0.0);
        assert_eq!(sea.materials[0].passes[0].kind, PassKind::Water);
    }

    #[test]
    fn haze_neither_hides_a_continent_nor_looks_like_missing_land() {
        let scene = to_scene(&level(&["20_18.l2j"], None));
        let fog = scene.fog.unwrap();
        // From above the middle of 16 x 16 regions, all of which are in view.
        let distance = (8 * REGION_SIZE) as f32;
        let share = (distance - fog.start) / (fog.end - fog.start) * fog.density;
        assert!(share < 0.4, "{share}");
        for (haze, missing) in fog.color.into_iter().zip(scene.sky.nadir) {
            assert!(haze - missing > 0.5, "{haze} {missing}");
        }
    }

    #[test]
    fn the_land_has_the_colors_of_the_map() {
        let tree = tile_tree(&[]);
        for RampColor { z, color } in tree.ramp {
            let region = Region::flat(id(20, 18), z as i16);
            let options = PictureOptions {
                cells_per_pixel: 2048,
                ..PictureOptions::default()
            };
            let picture = Picture::from_region(&region, &options).unwrap();
            let on_map = [0, 1, 2].map(|channel| f32::from(picture.rgba[channel]) / 255.0);
            assert_eq!(on_map, color, "at {z}");
        }
    }

    #[test]
    fn colors_show_the_property_that_they_are_named_after() {
        let tree = tile_tree(&[]);
        let color_by = |name: &str| tree.color_by.iter().find(|it| it.name == name).unwrap();
        let sides = color_by("sides");
        assert_eq!(sides.colors.len(), 16);
        assert_eq!(sides.colors[15][3], 0.0);
        assert_eq!(sides.colors[0][3], 1.0);
        for (kinds, is_shown) in [("block types", [true, false]), ("walls", [false, true])] {
            let colors = &color_by(kinds).colors;
            for mark in LandMark::ALL {
                let is_wall = mark >= LandMark::WallOpen;
                let color = colors[mark as usize];
                assert_eq!(
                    color[3] > 0.0,
                    is_shown[usize::from(is_wall)],
                    "{kinds} {mark:?}"
                );
                assert_eq!(LandMark::from_number(mark as u8), Some(mark));
            }
        }
        let layers = &color_by("layers").colors;
        for (at, color) in layers.iter().enumerate() {
            assert!(!layers[..at].contains(color), "layer {at}");
        }
    }
}
