//! A level's land as a list with a height picture and masks, and back: `ironlands import land.json --to Land.msh`.
//!
//! The list names the pictures beside it. Pictures are gray, of 8 or 16 bits, north at the top; each pixel is a corner
//! of a quad, so that each side is a multiple of the tiles, and one.
#![expect(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "corners of a grid whose size is bounded, tables of all bytes, axes"
)]

use std::io::Cursor;
use std::path::Path;

use image::{DynamicImage, ImageBuffer, ImageFormat, Luma};
use serde::{Deserialize, Serialize};

use super::heights::{GridSize, HeightLand, Liquid, SurfaceLayer};
use crate::face_mask::FaceFlags;
use crate::land_msh::LandMsh;
use ironlands_assets_core::bytes::{Finding, Severity};
use ironlands_assets_core::format::{
    Conversion, ConversionError, ConversionRequest, Exported, Fidelity, text,
};
use ironlands_assets_core::vfs;

/// Of `Land.msh`.
pub const LAND_CONVERSIONS: &[Conversion] = &[Conversion {
    extension: "json",
    fidelity: Fidelity::Valid,
    options: &[],
    export: Some(export_land),
    import: Some(import_land),
}];

/// Of `Land.map`, which is made of the same list; what it is made of is exported from the land.
pub const AREAL_CONVERSIONS: &[Conversion] = &[Conversion {
    extension: "json",
    fidelity: Fidelity::Valid,
    options: &[],
    export: None,
    import: Some(import_areals),
}];

/// Most pixels of a picture: more corners than the format can number as vertices.
const MAX_PIXELS: u32 = 1 << 17;
/// Corners that the boxes of all faces may hold together: on sound land a few for each face.
const MAX_VISITS: usize = 1 << 24;
/// Quads along a tile of exported pictures, as in the retail levels.
const EXPORTED_QUADS: u32 = 8;

/// The list.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct LandList {
    /// Tiles in x and in y.
    tiles: [u32; 2],
    /// World units along a side of a tile.
    tile_size: f64,
    /// Name of the height picture.
    heights: String,
    /// World z of black and of white.
    height_range: [f32; 2],
    /// What covers the land, from below.
    layers: Vec<ListedLayer>,
    /// World units that a texture covers.
    texture_size: f64,
    /// Water or another liquid.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    liquid: Option<ListedLiquid>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ListedLayer {
    /// Row of both material tables.
    row: u8,
    /// Name of its mask: white where it is seen. The first has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    mask: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ListedLiquid {
    level: f32,
    row: u8,
}

fn import_land(data: &[u8], request: &ConversionRequest<'_>) -> Result<Vec<u8>, ConversionError> {
    let land = read_list(data, request.interchange)?.land_msh();
    Ok(land.map_err(ConversionError::other)?.write()?)
}

fn import_areals(data: &[u8], request: &ConversionRequest<'_>) -> Result<Vec<u8>, ConversionError> {
    let map = read_list(data, request.interchange)?.land_map();
    Ok(map.map_err(ConversionError::other)?.write()?)
}

/// The land of a list and the pictures beside it.
fn read_list(data: &[u8], list: &Path) -> Result<HeightLand, ConversionError> {
    let LandList {
        tiles,
        tile_size,
        heights,
        height_range: [black, white],
        layers,
        texture_size,
        liquid,
    } = serde_json::from_str(text(data)?).map_err(ConversionError::other)?;
    let picture = Picture::read_beside(list, &heights)?;
    let grid = picture.grid(tiles, &heights)?;
    let heights = picture.values.iter();
    let heights = heights
        .map(|value| black + (white - black) * value)
        .collect();
    let mut read_layers = Vec::with_capacity(layers.len());
    for (idx, ListedLayer { row, mask }) in layers.into_iter().enumerate() {
        let mask = match mask {
            None if idx == 0 => Vec::new(),
            None => {
                let message =
                    format!("layer {idx} has no mask, which only the first can do without");
                return Err(ConversionError::other(message));
            }
            Some(name) => Picture::read_beside(list, &name)?.values,
        };
        read_layers.push(SurfaceLayer { row, mask });
    }
    Ok(HeightLand {
        grid,
        tile_size,
        heights,
        layers: read_layers,
        liquid: liquid.map(|ListedLiquid { level, row }| Liquid { level, row }),
        texture_size,
    })
}

/// A gray picture, row by row from the south.
struct Picture {
    size: [u32; 2],
    /// 0 black, 1 white.
    values: Vec<f32>,
}

impl Picture {
    /// Reads a picture in the folder of the list.
    fn read_beside(list: &Path, name: &str) -> Result<Self, ConversionError> {
        let is_plain = Path::new(name).file_name() == Some(name.as_ref());
        if !is_plain {
            let message = format!("\"{name}\" is not the name of a file beside the list");
            return Err(ConversionError::other(message));
        }
        let path = list.with_file_name(name);
        let data = vfs::read(&path).map_err(ConversionError::other)?;
        let of_picture = |error: image::ImageError| {
            ConversionError::other(format!("{}: the picture: {error}", path.display()))
        };
        let mut reader = image::ImageReader::with_format(Cursor::new(&data), ImageFormat::Png);
        let mut limits = image::Limits::default();
        limits.max_image_width = Some(MAX_PIXELS);
        limits.max_image_height = Some(MAX_PIXELS);
        limits.max_alloc = Some(u64::from(MAX_PIXELS).saturating_mul(8));
        reader.limits(limits);
        let gray = reader.decode().map_err(of_picture)?.into_luma16();
        let size = [gray.width(), gray.height()];
        let rows = gray.rows().rev();
        let values = rows
            .flatten()
            .map(|Luma([value])| f32::from(*value) / f32::from(u16::MAX));
        Ok(Self {
            size,
            values: values.collect(),
        })
    }

    /// How tiles divide it.
    fn grid(&self, tiles: [u32; 2], name: &str) -> Result<GridSize, ConversionError> {
        let quads = self.size.iter().zip(tiles).map(|(pixels, tiles)| {
            let quads = pixels.checked_sub(1)?;
            let divides = quads.checked_rem(tiles) == Some(0);
            divides.then(|| quads.checked_div(tiles))?
        });
        let quads: Option<Vec<u32>> = quads.collect();
        match quads.as_deref() {
            Some([in_x, in_y]) if in_x == in_y && *in_x > 0 => Ok(GridSize {
                tiles,
                quads_per_tile: *in_x,
            }),
            _ => {
                let [width, height] = self.size;
                let [columns, rows] = tiles;
                Err(ConversionError::other(format!(
                    "{name} has {width} x {height} pixels, which do not fit {columns} x {rows} tiles: each side is a \
                     multiple of the tiles, the same for both, and one"
                )))
            }
        }
    }
}

/// Samples of the finest ground, what is seen there, and the list that names both.
fn export_land(data: &[u8], request: &ConversionRequest<'_>) -> Result<Exported, ConversionError> {
    let land = LandMsh::read(data)?;
    let samples = Samples::new(&land)?;
    let stem = request.interchange.file_stem().unwrap_or_default();
    let stem = stem.to_string_lossy();
    let beside = |name: &str| request.interchange.with_file_name(name);
    let heights = format!("{stem}_heights.png");
    let (low, high) = samples.height_range();
    let part = |z: &f32| {
        if high > low {
            (z - low) / (high - low)
        } else {
            0.0
        }
    };
    let gray: Vec<f32> = samples.heights.iter().map(part).collect();
    let mut files = vec![(beside(&heights), samples.png(&gray)?)];
    let mut layers = Vec::new();
    for row in samples.rows() {
        let mask = (!layers.is_empty()).then(|| format!("{stem}_row{row}.png"));
        if let Some(name) = &mask {
            files.push((beside(name), samples.png(&samples.mask(row, &layers))?));
        }
        layers.push(ListedLayer { row, mask });
    }
    let list = LandList {
        tiles: samples.grid.tiles,
        tile_size: samples.tile_size,
        heights,
        height_range: [low, high],
        layers,
        texture_size: samples.texture_size(&land),
        liquid: samples.liquid(&land),
    };
    let json = serde_json::to_string_pretty(&list).map_err(ConversionError::other)?;
    files.push((request.interchange.to_owned(), (json + "\n").into_bytes()));
    let lost = format!(
        "heights and materials are those at corners of {EXPORTED_QUADS} x {EXPORTED_QUADS} quads a tile; faces, normals and \
         coordinates of textures are made of them again"
    );
    let mut findings = land.check();
    findings.push(Finding::new(Severity::Note, "land_msh", lost));
    Ok(Exported { files, findings })
}

/// The finest ground at the corners of a grid.
struct Samples {
    grid: GridSize,
    tile_size: f64,
    heights: Vec<f32>,
    /// Rows of what is seen, and how opaque the second is.
    surfaces: Vec<(u8, Option<(u8, f32)>)>,
}

impl Samples {
    fn new(land: &LandMsh) -> Result<Self, ConversionError> {
        let tiles = [land.cells_x, land.cells_y()];
        let grid = land.grid().filter(|grid| {
            let [width, depth] = grid.cell_size;
            width.is_finite() && depth.is_finite() && width > 0.0 && depth > 0.0
        });
        let Some(grid) = grid else {
            return Err(ConversionError::other("its tiles have no extent"));
        };
        let size = GridSize {
            tiles,
            quads_per_tile: EXPORTED_QUADS,
        };
        let n_corners = tiles.map(|n| u64::from(n).saturating_mul(EXPORTED_QUADS.into()) + 1);
        let [n_x, n_y] = n_corners;
        if n_x.saturating_mul(n_y) > MAX_PIXELS.into() {
            let message = "it has more tiles than a terrain can have again";
            return Err(ConversionError::other(message));
        }
        let n_pixels = usize::try_from(n_x.saturating_mul(n_y)).unwrap_or(0);
        let mut samples = Self {
            grid: size,
            tile_size: f64::from(grid.cell_size[0]),
            heights: vec![f32::NAN; n_pixels],
            surfaces: vec![(0, None); n_pixels],
        };
        let step = grid
            .cell_size
            .map(|it| f64::from(it) / f64::from(EXPORTED_QUADS));
        let mut n_left = MAX_VISITS;
        for face in land
            .lod0_face_indices()
            .filter_map(|idx| land.faces.get(idx))
        {
            if !face.flags.contains(FaceFlags::WATER) {
                let origin = grid.origin.map(f64::from);
                let n_visited = samples.add(land, face, origin, step);
                n_left = n_left.checked_sub(n_visited).ok_or_else(|| {
                    ConversionError::other("its faces lie over each other, far too many of them")
                })?;
            }
        }
        samples.fill_gaps();
        Ok(samples)
    }

    /// Takes over a face at the corners of the grid that lie in it; how many were looked at. Of faces over each other the highest counts.
    fn add(
        &mut self,
        land: &LandMsh,
        face: &crate::land_msh::Face,
        origin: [f64; 2],
        step: [f64; 2],
    ) -> usize {
        let corners = face.vertices.map(|vertex| {
            let position = land.positions.get(usize::from(vertex)).copied();
            let [x, y, z] = position.unwrap_or([f32::NAN; 3]).map(f64::from);
            [(x - origin[0]) / step[0], (y - origin[1]) / step[1], z]
        });
        let [a, b, c] = corners;
        let turn = |[ax, ay, _]: [f64; 3], [bx, by, _]: [f64; 3], [px, py]: [f64; 2]| {
            (bx - ax) * (py - ay) - (by - ay) * (px - ax)
        };
        let area = turn(a, b, [c[0], c[1]]);
        let is_sound = area != 0.0 && corners.iter().flatten().all(|it| it.is_finite());
        let [n_x, n_y] = self.grid.corners();
        let range = |axis: usize, n: usize| {
            let values = corners.map(|corner| corner[axis]);
            let low = values.into_iter().fold(f64::INFINITY, f64::min) - SLACK;
            let high = values.into_iter().fold(f64::NEG_INFINITY, f64::max) + SLACK;
            // The casts saturate.
            (low.ceil() as usize)..((high.floor() + 1.0) as usize).min(n)
        };
        if !is_sound {
            return 0;
        }
        let (columns, rows) = (range(0, n_x), range(1, n_y));
        for y in rows.clone() {
            for x in columns.clone() {
                let place = [x as f64, y as f64];
                let weights = [turn(b, c, place), turn(c, a, place), turn(a, b, place)];
                let weights = weights.map(|it| it / area);
                if weights.iter().any(|it| *it < -SLACK) {
                    continue;
                }
                let z = weights
                    .iter()
                    .zip(corners)
                    .map(|(w, [.., z])| w * z)
                    .sum::<f64>() as f32;
                let second = face.second().map(|row| {
                    let of_vertices = face.vertices.iter().zip(weights);
                    let weight: f64 = of_vertices
                        .map(|(vertex, w)| f64::from(land.second_weight(*vertex)) * w)
                        .sum();
                    (row, weight as f32)
                });
                let idx = y * n_x + x;
                if self.heights[idx].is_nan() || self.heights[idx] <= z {
                    self.heights[idx] = z;
                    self.surfaces[idx] = (face.first_material, second);
                }
            }
        }
        columns.len().saturating_mul(rows.len())
    }

    /// Gives corners without ground the height and surface of their neighbor to the west, or of the first that there is.
    fn fill_gaps(&mut self) {
        let known = self.heights.iter().zip(&self.surfaces);
        let first = known.clone().find(|(z, _)| z.is_finite());
        let mut last = first.map_or((0.0, (0, None)), |(z, surface)| (*z, *surface));
        for (z, surface) in self.heights.iter_mut().zip(&mut self.surfaces) {
            if z.is_finite() {
                last = (*z, *surface);
            } else {
                (*z, *surface) = last;
            }
        }
    }

    fn height_range(&self) -> (f32, f32) {
        let heights = self.heights.iter().copied();
        let low = heights.clone().fold(f32::INFINITY, f32::min);
        (low, heights.fold(f32::NEG_INFINITY, f32::max))
    }

    /// All rows that are seen, most seen first, so that it fills everything.
    fn rows(&self) -> Vec<u8> {
        let mut seen = [0.0_f64; 256];
        for (first, second) in &self.surfaces {
            let weight = second.map_or(0.0, |(_, weight)| f64::from(weight));
            seen[usize::from(*first)] += 1.0 - weight;
            if let Some((row, _)) = second {
                seen[usize::from(*row)] += weight;
            }
        }
        let mut rows: Vec<u8> = (0..=u8::MAX)
            .filter(|row| seen[usize::from(*row)] > 0.0)
            .collect();
        rows.sort_by(|a, b| seen[usize::from(*b)].total_cmp(&seen[usize::from(*a)]));
        rows
    }

    /// How much of a row is seen, where no later layer covers it: its part of what it and those before it have.
    fn mask(&self, row: u8, below: &[ListedLayer]) -> Vec<f32> {
        let weight_of = |(first, second): &(u8, Option<(u8, f32)>), row: u8| {
            let over = second.map_or(0.0, |(_, weight)| weight);
            let of_first = if *first == row { 1.0 - over } else { 0.0 };
            let of_second = second
                .filter(|(it, _)| *it == row)
                .map_or(0.0, |(_, it)| it);
            of_first + of_second
        };
        let part = |surface| {
            let own = weight_of(surface, row);
            let under: f32 = below
                .iter()
                .map(|layer| weight_of(surface, layer.row))
                .sum();
            if own + under > 0.0 {
                own / (own + under)
            } else {
                0.0
            }
        };
        self.surfaces.iter().map(part).collect()
    }

    /// World units of a texture, as most faces have it.
    fn texture_size(&self, land: &LandMsh) -> f64 {
        let density = |face: &crate::land_msh::Face| {
            let corner = |vertex: u16| {
                let vertex = usize::from(vertex);
                let [x, y, _] = *land.positions.get(vertex)?;
                Some(([x, y], crate::land_msh::unpack_uv(*land.uv0.get(vertex)?)))
            };
            let [a, b, c] = face.vertices.map(corner);
            let (a, b, c) = (a?, b?, c?);
            let area = |p: [f32; 2], q: [f32; 2], r: [f32; 2]| {
                f64::from((q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])).abs()
            };
            let size = (area(a.0, b.0, c.0) / area(a.1, b.1, c.1)).sqrt();
            (size.is_finite() && size > 0.0).then_some(size)
        };
        let mut sizes: Vec<f64> = land.faces.iter().filter_map(density).collect();
        sizes.sort_by(f64::total_cmp);
        sizes
            .get(sizes.len() / 2)
            .copied()
            .unwrap_or(self.tile_size)
    }

    fn liquid(&self, land: &LandMsh) -> Option<ListedLiquid> {
        let face = land
            .faces
            .iter()
            .find(|face| face.flags.contains(FaceFlags::WATER))?;
        Some(ListedLiquid {
            level: land.water_level(),
            row: face.first_material,
        })
    }

    /// A picture of 16 bits.
    fn png(&self, values: &[f32]) -> Result<Vec<u8>, ConversionError> {
        let [n_x, n_y] = self.grid.corners();
        let rows = values.chunks(n_x).rev().flatten();
        let gray = rows.map(|value| (value * f32::from(u16::MAX)).round() as u16);
        let size = [n_x, n_y].map(|n| u32::try_from(n).unwrap_or(0));
        let picture =
            ImageBuffer::<Luma<u16>, _>::from_raw(size[0], size[1], gray.collect::<Vec<_>>());
        let picture = picture.ok_or_else(|| ConversionError::other("it has no corners"))?;
        let mut bytes = Vec::new();
        let written = DynamicImage::ImageLuma16(picture)
            .write_to(&mut Cursor::new(&mut bytes), ImageFormat::Png);
        written.map_err(|error| ConversionError::other(format!("the picture: {error}")))?;
        Ok(bytes)
    }
}

/// How far beside a face, in steps of the grid, a corner still counts as in it: rounding of vertices.
const SLACK: f64 = 1e-4;
