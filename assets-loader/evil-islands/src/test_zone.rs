//! A small game folder with one zone, written by our own writers, for tests of what is made of zones.
#![cfg_attr(
    not(test),
    expect(
        clippy::arithmetic_side_effects,
        clippy::unwrap_used,
        reason = "a fixture of tests: what fails here is to stop them"
    )
)]
#![allow(
    missing_docs,
    clippy::new_without_default,
    reason = "fixtures say by their names what they are"
)]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use ironlands_scene::{PixelFormat, Texture};

use super::bon::Bon;
use super::fig::{DraftVertex, Fig, FigDraft};
use super::figure::{Figure, FigurePart};
use super::land::{atlas_name, sector_file_name};
use super::mmp::{Mmp, MmpDraft, MmpFormat, PixelRows};
use super::mob::draft::{MapRole, MobDraft};
use super::mob::view::{MapObject, WorldSettings};
use super::mp::{AnimatedTiles, Material, Mp};
use super::res::{NamesOrder, ResArchive};
use super::sec::{LiquidLayer, Liquids, PackedNormal, Sec, Tile, Vertex};
use super::zone::Zone;
use ironlands_assets_core::mips::MipChain;
use ironlands_assets_proof::Rng;

/// Pixels along a side of an atlas.
pub const ATLAS_SIDE: usize = 512;

/// A zone of two by two sectors; one of them, at 1 0, has liquid on its first tile.
pub struct TestZone {
    /// What its archive is named.
    pub file_stem: &'static str,
    /// What is in it is named after.
    pub stem: &'static str,
    pub mp: Mp,
    pub sectors: BTreeMap<[u32; 2], Sec>,
    pub atlases: Vec<Vec<[u8; 4]>>,
    pub objects: Option<Vec<MapObject>>,
    /// Models with one part each.
    pub figures: Vec<Figure>,
    pub textures: Vec<&'static str>,
    /// More files of the zone's archive.
    pub others: Vec<(String, Vec<u8>)>,
}

/// A gentle slope with bumps: no two vertices are equally high.
pub fn vertex_at([x, y]: [u32; 2]) -> impl Fn(usize, usize) -> Vertex {
    move |row, col| {
        let [row, col] = [row as u32 + 32 * y, col as u32 + 32 * x];
        let bits = Rng::new(u64::from(row * 1000 + col)).next_u64();
        Vertex {
            shift: [bits as i8 / 2, (bits >> 8) as i8 / 2],
            altitude: (1000 + row * 300 + col * 100 + (bits >> 16) as u32 % 90) as u16,
            normal: PackedNormal::UP,
        }
    }
}

/// Tiles of both atlases, turned every way; none of them animated.
pub fn tile_at(row: usize, col: usize) -> Tile {
    let at = row * 16 + col;
    Tile::new((at % 60) as u8, (at % 2) as u8, (at / 7 % 4) as u8)
}

impl TestZone {
    pub fn new() -> Self {
        let liquid = LiquidLayer::draft(
            |_, _| Vertex {
                altitude: 20_000,
                ..Vertex::default()
            },
            |row, col| (row == 0 && col == 0).then_some((Tile::new(9, 0, 1), 0)),
        );
        let places = [[0, 0], [1, 0], [0, 1], [1, 1]];
        let sectors = places.map(|place| {
            let liquids = match place {
                [1, 0] => Liquids::Layer(liquid.clone()),
                _ => Liquids::None,
            };
            (place, Sec::draft(vertex_at(place), tile_at, liquids))
        });
        Self {
            file_stem: "Zone9",
            stem: "zone9",
            mp: Mp {
                max_altitude: 60.0,
                x_sectors: 2,
                y_sectors: 2,
                n_textures: 2,
                texture_size: 512,
                tile_size: 64,
                materials: vec![Material {
                    kind: 3,
                    diffuse: [0.0, 0.25, 1.0, 0.5],
                    self_illumination: 0.25,
                    wave_multiplier: 1.0,
                    warp_speed: 1.0,
                    unknown_20: [0; 12],
                }],
                // The tile of the liquid is of water.
                ground_types: (0..128).map(|tile| if tile == 9 { 6 } else { 0 }).collect(),
                animated_tiles: vec![AnimatedTiles {
                    first: 60,
                    count: 4,
                }],
                trailing: Vec::new(),
            },
            sectors: sectors.into(),
            atlases: vec![atlas(1), atlas(2)],
            objects: Some(Vec::new()),
            figures: Vec::new(),
            textures: Vec::new(),
            others: Vec::new(),
        }
    }

    /// With one object of a model that is there.
    pub fn with_object(object: MapObject) -> Self {
        let mut zone = Self::new();
        zone.figures.push(pyramid(&object.template));
        zone.objects = Some(vec![object]);
        zone.textures = vec!["skin", "default0"];
        zone
    }

    /// Writes the game; the path of the zone's archive.
    pub fn write(&self, root: &Path) -> PathBuf {
        let [maps, archives] = ["Maps", "Res"].map(|name| root.join(name));
        fs::create_dir_all(&maps).unwrap();
        fs::create_dir_all(&archives).unwrap();
        let mut files = vec![(format!("{}.mp", self.stem), self.mp.write().unwrap())];
        files.extend(self.sectors.iter().map(|(place, sector)| {
            let name = sector_file_name(self.stem, *place);
            (name, sector.write().unwrap())
        }));
        files.extend(self.others.iter().cloned());
        let path = maps.join(format!("{}.mpr", self.file_stem));
        fs::write(&path, res(files)).unwrap();
        let atlases = (0..).zip(&self.atlases);
        let mut textures: Vec<_> = atlases
            .map(|(number, pixels)| {
                let name = format!("{}.mmp", atlas_name(self.stem, number));
                (name, mmp(pixels, ATLAS_SIDE))
            })
            .collect();
        let plain = vec![[10, 20, 30, 255]; 64];
        textures.extend((self.textures.iter()).map(|it| (format!("{it}.mmp"), mmp(&plain, 8))));
        fs::write(archives.join("textures.res"), res(textures)).unwrap();
        let figures = self.figures.iter().flat_map(|figure| {
            let name = &figure.name;
            [
                (format!("{name}.mod"), figure.write_mod().unwrap()),
                (format!("{name}.bon"), figure.write_bon().unwrap()),
            ]
        });
        fs::write(archives.join("figures.res"), res(figures.collect())).unwrap();
        if let Some(objects) = &self.objects {
            let mut draft = MobDraft::new(MapRole::Base(WorldSettings::default()));
            draft.objects.clone_from(objects);
            let mob = draft.build().unwrap().write().unwrap();
            fs::write(maps.join(format!("{}.MOB", self.file_stem)), mob).unwrap();
        }
        path
    }

    /// Writes the game, and opens the zone.
    pub fn open(&self) -> Zone {
        let root = tempfile::tempdir().unwrap();
        Zone::open(&self.write(root.path()), &[]).unwrap()
    }
}

fn res(files: Vec<(String, Vec<u8>)>) -> Vec<u8> {
    let files = files
        .into_iter()
        .map(|(name, data)| (name.into_bytes(), data));
    let archive = ResArchive::draft(files.collect(), NamesOrder::Insertion);
    archive.write().unwrap()
}

fn mmp(pixels: &[[u8; 4]], side: usize) -> Vec<u8> {
    let draft = MmpDraft {
        width: side as u32,
        height: side as u32,
        format: MmpFormat::Argb8888,
        mips: MipChain::LevelZero,
        rgba: pixels.as_flattened(),
        rows: PixelRows::Stored,
    };
    Mmp::encode(&draft).unwrap().write().unwrap()
}

/// Squares of four by four pixels in colors that blocks can hold to the bit.
fn atlas(seed: u64) -> Vec<[u8; 4]> {
    let squares = ATLAS_SIDE / 4;
    let mut rng = Rng::new(seed);
    let blocks = (0..squares * squares).flat_map(|_| {
        let color = (rng.next_u64() as u16).to_le_bytes();
        [color[0], color[1], color[0], color[1], 0, 0, 0, 0]
    });
    let texture = Texture {
        width: ATLAS_SIDE as u32,
        height: ATLAS_SIDE as u32,
        format: PixelFormat::Bc1,
        n_layers: 1,
        mips: vec![blocks.collect()],
        ..Texture::default()
    };
    let pixels = texture.rgba8(0, 0).unwrap();
    pixels.as_chunks::<4>().0.to_vec()
}

/// One part, from 2 m below its origin to 1 m above it; twice as high at full growth.
fn pyramid(name: &str) -> Figure {
    let small = vec![
        [-1.0, -1.0, -2.0],
        [1.0, -1.0, -2.0],
        [0.0, 1.0, -2.0],
        [0.0, 0.0, 1.0],
    ];
    let large: Vec<_> = small.iter().map(|[x, y, z]| [*x, *y, 2.0 * z]).collect();
    let vertex = |point| DraftVertex {
        point,
        normal: [0.0, 0.0, 1.0],
        texcoord: [0.0; 2],
    };
    let states = [
        &small, &small, &small, &small, &large, &large, &large, &large,
    ];
    let draft = FigDraft {
        points: states.map(Vec::clone).into(),
        vertices: (0..4).map(vertex).collect(),
        triangles: vec![[0, 1, 3], [1, 2, 3], [2, 0, 3], [0, 2, 1]],
        group: 22,
        texture: 1,
        ..FigDraft::default()
    };
    Figure {
        name: name.to_owned(),
        parts: vec![FigurePart {
            name: "hull".to_owned(),
            bon: Some(Bon {
                offsets: vec![[0.0; 3]; 8],
                ..Bon::default()
            }),
            fig: Some(Fig::draft(&draft).unwrap()),
            ..FigurePart::default()
        }],
        ..Figure::default()
    }
}
