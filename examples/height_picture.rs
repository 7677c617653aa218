//! Adds a world from outside: grayscale PNG pictures as height fields. Nothing in the engine knows of it.
//!
//! ```sh
//! cargo run --example height_picture -- --level hills.png --relief 60 --render hills-3d.png
//! cargo run --example height_picture -- check hills.png
//! cargo run --example height_picture -- info hills.png
//! ```
//!
//! It shows everything that a world must provide: one [`Format`] for its files, one [`World`] for the camera's
//! queries, and one [`WorldKind`] that joins them, with an option of its own (`--relief`). The program around it is the
//! whole engine: windows, pictures, picking with `--pick`, walking with `--mode walk`, `check`, `info` and `export`.

use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use clap::Args;
use image::{DynamicImage, ImageFormat};
use ironlands::assets::bytes::{Finding, FormatError, Reader, Severity};
use ironlands::assets::format::{Format, FormatSet, Match, no_groups};
use ironlands::assets::report::Report;
use ironlands::assets::vfs;
use ironlands::glam::Vec3;
use ironlands::kind::{
    Example, Level, LevelPlace, OpenError, Opened, Opener, Recognized, WorldKind,
};
use ironlands::scene::{
    Aabb, Batch, Cluster, Fog, FogFalloff, Material, MaterialIdx, Mesh, Pass, Scene, Spawn, Sun,
    Texture, TextureIdx, TileShape,
};
use ironlands::sim::triangles::{Face, TriangleIndex};
use ironlands::sim::world::{Fact, Poses, World, WorldHit, ground_below, slide_on};
use ironlands::sim::{MaskFilter, Ray};

fn main() -> ExitCode {
    ironlands::run(&ironlands::worlds::registry().with(&HeightPicture))
}

// ---------------------------------------------------------------------------------------------- the format

/// A picture as it is stored, and its samples.
struct HeightPng {
    /// The file: it is written back as it was read.
    bytes: Vec<u8>,
    width: u32,
    height: u32,
    /// Row by row from the north, `0.0..=1.0`.
    samples: Vec<f32>,
    is_16_bit: bool,
}

/// First bytes of every PNG.
const MAGIC: [u8; 8] = *b"\x89PNG\r\n\x1a\n";
/// Samples along a side: more would be hundreds of millions of triangles.
const MAX_SIDE: u32 = 4096;

impl Format for HeightPng {
    type Context = ();

    const NAME: &'static str = "height_png";
    const EXTENSIONS: &'static [&'static str] = &["png"];

    fn recognize(_name: &str, head: &[u8]) -> Option<Match> {
        head.starts_with(&MAGIC).then_some(Match::Content)
    }

    fn read(data: &[u8], (): &()) -> Result<Self, FormatError> {
        let mut r = Reader::new(Self::NAME, data);
        let broken = |r: &Reader<'_>, what: String| r.unexpected("picture", "a PNG", what);
        // The size stands in the header, so that a huge picture is refused before it is unpacked.
        let size = image::ImageReader::with_format(io::Cursor::new(data), ImageFormat::Png);
        let [width, height] = match size.into_dimensions() {
            Ok((width, height)) => [width, height],
            Err(error) => return Err(broken(&r, error.to_string())),
        };
        r.bytes("signature", MAGIC.len())?;
        if !(2..=MAX_SIDE).contains(&width) || !(2..=MAX_SIDE).contains(&height) {
            let found = format!("{width} x {height}");
            return Err(r.unexpected("size", "2 to 4096 samples along each side", found));
        }
        let picture = image::load_from_memory_with_format(data, ImageFormat::Png);
        let picture = picture.map_err(|error| broken(&r, error.to_string()))?;
        let samples = picture.to_luma16().into_raw();
        Ok(Self {
            bytes: data.to_vec(),
            width,
            height,
            samples: samples.iter().map(|it| f32::from(*it) / 65535.0).collect(),
            is_16_bit: matches!(picture, DynamicImage::ImageLuma16(_)),
        })
    }

    fn write(&self) -> Result<Vec<u8>, FormatError> {
        Ok(self.bytes.clone())
    }

    fn check(&self) -> Vec<Finding> {
        let steps = "heights come in 256 steps: a picture of 16 bits has none that can be seen";
        let coarse = (!self.is_16_bit).then(|| Finding::new(Severity::Note, Self::NAME, steps));
        let (least, most) = self.range();
        let flat = (least == most)
            .then(|| Finding::new(Severity::Warning, Self::NAME, "all samples are equal"));
        coarse.into_iter().chain(flat).collect()
    }

    fn describe(&self, report: &mut Report) {
        let (least, most) = self.range();
        report.fact("samples", format!("{} x {}", self.width, self.height));
        report.fact("heights", format!("{least:.3} to {most:.3} of the relief"));
    }
}

impl HeightPng {
    fn range(&self) -> (f32, f32) {
        let samples = self.samples.iter().copied();
        samples.fold((f32::MAX, f32::MIN), |(least, most), it| {
            (least.min(it), most.max(it))
        })
    }

    /// The point of a sample: a unit apart, x east, y north, z up.
    fn point(&self, x: u32, y: u32, relief: f32) -> Vec3 {
        let index = y as usize * self.width as usize + x as usize;
        let north = (self.height - 1 - y) as f32;
        Vec3::new(x as f32, north, self.samples[index] * relief)
    }

    fn points(&self, relief: f32) -> Vec<Vec3> {
        let rows = (0..self.height).flat_map(|y| (0..self.width).map(move |x| (x, y)));
        rows.map(|(x, y)| self.point(x, y, relief)).collect()
    }

    /// Two triangles a cell of the columns and rows in the ranges, counter-clockwise from above.
    fn faces(&self, columns: std::ops::Range<u32>, rows: std::ops::Range<u32>) -> Vec<[u32; 3]> {
        let width = self.width;
        let cells = rows.flat_map(|y| columns.clone().map(move |x| y * width + x));
        let faces = cells.flat_map(|at| {
            let [nw, ne, sw, se] = [at, at + 1, at + width, at + width + 1];
            [[nw, sw, se], [nw, se, ne]]
        });
        faces.collect()
    }
}

// ---------------------------------------------------------------------------------------------- what is drawn

/// Cells along a side of what is culled as a whole.
const CLUSTER: u32 = 64;
/// Colors from the lowest to the highest sample.
const RAMP: [[u8; 3]; 5] = [
    [58, 82, 60],
    [104, 124, 70],
    [150, 136, 96],
    [142, 132, 126],
    [236, 238, 242],
];

fn to_scene(picture: &HeightPng, name: &str, relief: f32) -> Scene {
    let points = picture.points(relief);
    let mut mesh = Mesh {
        name: name.to_owned(),
        normals: normals(picture, relief),
        uv_sets: [
            picture.samples.iter().map(|it| [0.5, *it]).collect(),
            vec![[0.0; 2]; points.len()],
        ],
        positions: points.iter().map(Vec3::to_array).collect(),
        ..Mesh::default()
    };
    for y in (0..picture.height - 1).step_by(CLUSTER as usize) {
        for x in (0..picture.width - 1).step_by(CLUSTER as usize) {
            let columns = x..(x + CLUSTER).min(picture.width - 1);
            let rows = y..(y + CLUSTER).min(picture.height - 1);
            add_cluster(&mut mesh, picture.faces(columns, rows));
        }
    }
    let ramp = RAMP.iter().flat_map(|[r, g, b]| [*r, *g, *b, 255]);
    let [width, depth] = [picture.width, picture.height].map(|side| side as f32);
    let sky = [0.62, 0.72, 0.82];
    Scene {
        name: name.to_owned(),
        textures: vec![Texture {
            name: "ramp".to_owned(),
            width: 1,
            height: RAMP.len() as u32,
            n_layers: 1,
            mips: vec![ramp.collect()],
            addressing: ironlands::scene::Addressing::Clamp,
            ..Texture::default()
        }],
        materials: vec![Material {
            name: "ground".to_owned(),
            passes: vec![Pass {
                texture: Some(TextureIdx(0)),
                ..Pass::default()
            }],
        }],
        meshes: vec![mesh],
        sun: Sun {
            direction_to_sun: Vec3::new(-0.5, 0.4, 0.6).normalize().to_array(),
            color: [0.8, 0.76, 0.68],
            ambient: [0.34, 0.37, 0.42],
            counter: [0.0; 3],
        },
        fog: Some(Fog {
            color: sky,
            start: width,
            end: 4.0 * width,
            falloff: FogFalloff::Linear,
            density: 0.8,
            layer: None,
        }),
        spawns: vec![Spawn {
            name: "from the southwest".to_owned(),
            position: [-0.15 * width, -0.15 * depth, relief + 0.25 * width],
            yaw_rad: depth.atan2(width),
            pitch_rad: -0.45,
        }],
        ..Scene::default()
    }
}

fn add_cluster(mesh: &mut Mesh, faces: Vec<[u32; 3]>) {
    let first_index = mesh.indices.len() as u32;
    let corners = faces.iter().flatten();
    let positions: Vec<[f32; 3]> = corners.map(|it| mesh.positions[*it as usize]).collect();
    let bounds = Aabb::around(&positions).expect("a cell has corners");
    mesh.indices.extend(faces.iter().flatten());
    let batch = mesh.batches.len() as u32;
    mesh.batches.push(Batch {
        first_index,
        n_indices: mesh.indices.len() as u32 - first_index,
        material: MaterialIdx(0),
    });
    mesh.clusters.push(Cluster {
        bounds,
        cell: [0; 2],
        lods: std::iter::once(batch..batch + 1).collect(),
        cells: Vec::new(),
    });
}

/// From the slopes to the neighbors; at the edges, from the samples themselves.
fn normals(picture: &HeightPng, relief: f32) -> Vec<[f32; 3]> {
    let [last_x, last_y] = [picture.width - 1, picture.height - 1];
    let normal = |x: u32, y: u32| {
        let east = picture.point((x + 1).min(last_x), y, relief);
        let west = picture.point(x.saturating_sub(1), y, relief);
        let north = picture.point(x, y.saturating_sub(1), relief);
        let south = picture.point(x, (y + 1).min(last_y), relief);
        (east - west).cross(north - south).normalize().to_array()
    };
    let rows = 0..picture.height;
    rows.flat_map(|y| (0..picture.width).map(move |x| normal(x, y)))
        .collect()
}

// ---------------------------------------------------------------------------------------------- what is queried

struct HeightWorld {
    land: TriangleIndex,
    width: u32,
}

impl HeightWorld {
    /// The northwestern sample of the cell that a face is half of.
    fn cell_of(&self, face: u32) -> [u32; 2] {
        let cells_per_row = self.width - 1;
        [face / 2 % cells_per_row, face / 2 / cells_per_row]
    }
}

impl World for HeightWorld {
    fn bounds(&self) -> (Vec3, Vec3) {
        self.land.bounds()
    }

    fn cast_ray(&self, ray: &Ray, t_max: f32, _: &Poses) -> Option<WorldHit> {
        let hit = self.land.cast_ray(ray, t_max, MaskFilter::ALL)?;
        Some(WorldHit {
            element: hit.face,
            t: hit.t,
            position: hit.position,
            normal: if hit.front { hit.normal } else { -hit.normal },
        })
    }

    fn line_of_sight(&self, a: Vec3, b: Vec3, _: &Poses) -> bool {
        a.is_finite() && b.is_finite() && !self.land.cast_segment(a, b, MaskFilter::ALL)
    }

    fn ground_below(&self, x: f32, y: f32, z: f32) -> Option<f32> {
        ground_below(&self.land, MaskFilter::ALL, [x, y, z])
    }

    fn slide(&self, a: Vec3, b: Vec3, radius: f32, motion: Vec3) -> Vec3 {
        slide_on(&self.land, MaskFilter::ALL, [a, b], radius, motion)
    }

    fn describe(&self, hit: &WorldHit) -> Vec<Fact> {
        let Vec3 { x, y, z } = hit.position;
        let [column, row] = self.cell_of(hit.element);
        let slope_deg = hit.normal.z.clamp(-1.0, 1.0).acos().to_degrees();
        vec![
            Fact::new("position", format!("{x:.2} {y:.2} {z:.2}")),
            Fact::new("pixel", format!("{column} {row}")),
            Fact::new("slope", format!("{slope_deg:.0} degrees")),
        ]
    }

    fn outline(&self, hit: &WorldHit, _: &Poses, _: TileShape) -> Vec<[Vec3; 3]> {
        let first = hit.element & !1;
        let faces = [first, first + 1];
        faces
            .into_iter()
            .filter_map(|face| self.land.face_corners(face))
            .collect()
    }
}

// ---------------------------------------------------------------------------------------------- the plug-in

/// The kind of world, for the registry.
struct HeightPicture;

#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Height pictures")]
struct HeightOptions {
    /// Height of white above black, in pixels; by default a sixth of the picture's width.
    #[arg(long, value_name = "PIXELS")]
    relief: Option<f32>,
}

impl WorldKind for HeightPicture {
    type Options = HeightOptions;

    const NAME: &'static str = "height pictures";
    const EXPECTED: &'static str = "a grayscale picture (*.png)";
    const FORMATS: FormatSet = FormatSet {
        formats: ironlands::assets::formats![HeightPng],
        inspect_folder: no_groups,
    };
    const EXAMPLES: &'static [Example] = &[Example {
        line: "ironlands --level hills.png --relief 60",
        effect: "Open a grayscale picture as a height field.",
    }];

    fn level_place(name: &str) -> Option<LevelPlace> {
        name.to_ascii_lowercase()
            .ends_with(".png")
            .then_some(LevelPlace::File)
    }

    fn recognize(path: &Path) -> io::Result<Option<Recognized>> {
        if !path.is_file() {
            return Ok(None);
        }
        let head = vfs::read_head(path, 8).map_err(io::Error::other)?;
        let picture = || Recognized::new(Opener::Level, "a picture");
        Ok((head == MAGIC).then(picture))
    }

    fn open(path: &Path, _: &[PathBuf], options: &HeightOptions) -> Result<Opened, OpenError> {
        let data = vfs::read_file(path).map_err(|error| OpenError::from_vfs(path, error))?;
        let picture = HeightPng::read(&data, &()).map_err(|error| OpenError::Format {
            path: path.to_owned(),
            error: Box::new(error),
        })?;
        let relief = options.relief.unwrap_or(picture.width as f32 / 6.0);
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        let points = picture.points(relief);
        let positions: Vec<_> = points.iter().map(Vec3::to_array).collect();
        let all = picture.faces(0..picture.width - 1, 0..picture.height - 1);
        let faces = all.into_iter().map(|corners| {
            Some(Face {
                corners,
                ..Face::default()
            })
        });
        let land = TriangleIndex::new(&positions, &faces.collect::<Vec<_>>());
        let land = land.map_err(OpenError::invalid_world(path))?;
        let findings = picture.check();
        let scene = to_scene(&picture, &name, relief);
        let width = picture.width;
        let level = Level::new(path, picture, &findings, (scene, Vec::new()))?;
        Ok(level.opened(Arc::new(HeightWorld { land, width })))
    }
}
