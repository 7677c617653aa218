//! Land as a GLB.

use std::collections::{BTreeMap, HashMap};

use gltf_json::material::{AlphaMode, Material};
use gltf_json::mesh::{Mesh, Mode, Primitive, Semantic};
use gltf_json::scene::Node;
use gltf_json::validation::Checked;
use gltf_json::{Index, Root};
use ironlands_assets_core::text::decode_cp1251;
use ironlands_assets_parkan::land_draft::N_LODS;
use ironlands_assets_parkan::land_msh::{LandMsh, pack_normal, unpack_uv};
use ironlands_assets_parkan::level::ParkanLevel;
use ironlands_assets_parkan::material_scene::{BatchLook, model_material, to_texture};
use ironlands_assets_parkan::texm::PixelOptions;
use ironlands_assets_parkan::wear::Wear;
use ironlands_exchange::picture::{PictureAlpha, main_pass, texture_at};
use ironlands_exchange::write_gltf::{
    BinaryChunk, Glb, Pictures, material_of, new_root, push_scene, turning_node,
};
use ironlands_exchange::{ExportError, finite, to_extras};
use ironlands_scene::{Pass, Texture};

use super::super::write_glb::{PACKED_NORMAL, unit_normal};
use super::extras::{FacesExtras, RootExtras, SurfaceExtras, TileExtras};
use super::left_out;

/// What the rows of a level's tables look like and are called.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct LandAppearance {
    /// By row of `Land1.wea`.
    rows: BTreeMap<u8, ironlands_scene::Material>,
    textures: Vec<Texture>,
    /// Names of the rows of both tables.
    names: [Vec<String>; 2],
}

impl LandAppearance {
    /// That of a level.
    pub fn new(level: &ParkanLevel) -> Self {
        let table = &level.materials;
        let material =
            |(row, idx): (&u8, &usize)| (*row, model_material(table, *idx, BatchLook::default()));
        let texture = |texture| to_texture(texture, PixelOptions::default());
        let names = |wear: &Option<Wear>| {
            let rows = wear.iter().flat_map(|wear| &wear.materials);
            rows.map(|row| decode_cp1251(&row.name).into_owned())
                .collect()
        };
        Self {
            rows: level.terrain_rows.surfaces.iter().map(material).collect(),
            textures: table.textures.iter().map(texture).collect(),
            names: [&level.material_wear, &level.microtexture_wear].map(names),
        }
    }

    fn name(&self, row: u8) -> String {
        let name = self.names[0].get(usize::from(row)).cloned();
        name.unwrap_or_else(|| format!("row {row}"))
    }
}

/// Writes both levels of detail of all tiles. The second material of a surface is not seen; its row and its weights are
/// in the file.
///
/// # Errors
/// A terrain whose tiles have no extent, numbers that are not finite, a file beyond 4 GiB.
pub fn write_land(name: &str, land: &LandMsh, look: &LandAppearance) -> Result<Glb, ExportError> {
    let grid = land.grid().ok_or(ExportError::Missing {
        what: "tile",
        index: 0,
        len: 0,
    })?;
    let [x, y] = grid.origin;
    let [width, depth] = grid.cell_size;
    finite([x, y, width, depth], || "the size of the tiles".to_owned())?;
    let [land_materials, land_microtextures] = look.names.clone();
    let extras = RootExtras {
        land_tiles: grid.cells,
        land_origin: grid.origin,
        land_tile_size: grid.cell_size,
        land_weights: land.second_weights.is_some(),
        land_materials,
        land_microtextures,
    };
    let mut writer = Writer {
        land,
        look,
        root: new_root(),
        bin: BinaryChunk::default(),
        pictures: Pictures::default(),
        materials: HashMap::new(),
    };
    for lod in 0..N_LODS {
        let tiles = writer.tiles(lod)?;
        let scene_name = match lod {
            0 => name.to_owned(),
            _ => format!("{name} lod {lod}"),
        };
        let top = writer.root.push(Node {
            children: (!tiles.is_empty()).then_some(tiles),
            extras: match lod {
                0 => to_extras(&extras)?,
                _ => None,
            },
            ..turning_node(&scene_name)
        });
        let scene = push_scene(&mut writer.root, &scene_name, top);
        if lod == 0 {
            writer.root.scene = Some(scene);
        }
    }
    let Writer { root, bin, .. } = writer;
    Glb::write(root, bin, left_out::of_land(land))
}

struct Writer<'a> {
    land: &'a LandMsh,
    look: &'a LandAppearance,
    root: Root,
    bin: BinaryChunk,
    pictures: Pictures,
    materials: HashMap<SurfaceKey, Index<Material>>,
}

/// Rows and flags.
type SurfaceKey = (u8, u8, u32);

impl Writer<'_> {
    /// A node for each tile that has faces at a level of detail.
    fn tiles(&mut self, lod: usize) -> Result<Vec<Index<Node>>, ExportError> {
        let rows = self.land.cells_y().max(1) as usize;
        let mut nodes = Vec::new();
        for tile in 0..self.land.nodes.len() {
            let name = match lod {
                0 => format!("tile {} {}", tile / rows, tile % rows),
                _ => format!("tile {} {} lod {lod}", tile / rows, tile % rows),
            };
            let Some(mesh) = self.mesh(&name, tile, lod)? else {
                continue;
            };
            let extras = TileExtras {
                land_tile: tile as u32,
                land_lod: lod as u8,
            };
            nodes.push(self.root.push(Node {
                name: Some(name),
                mesh: Some(mesh),
                extras: to_extras(&extras)?,
                ..Node::default()
            }));
        }
        Ok(nodes)
    }

    fn mesh(
        &mut self,
        name: &str,
        tile: usize,
        lod: usize,
    ) -> Result<Option<Index<Mesh>>, ExportError> {
        let land = self.land;
        let faces = land.tile_slot(tile, lod);
        let faces = faces.map_or(0..0, |slot| land.slot_face_range(slot));
        let mut surfaces: BTreeMap<SurfaceKey, Vec<usize>> = BTreeMap::new();
        for idx in faces {
            let face = &land.faces[idx];
            let key = (face.first_material, face.second_material, face.flags.bits());
            surfaces.entry(key).or_default().push(idx);
        }
        if surfaces.is_empty() {
            return Ok(None);
        }
        let mut numbers: HashMap<u16, u32> = HashMap::new();
        let mut vertices = Vec::new();
        let mut indices_of = Vec::with_capacity(surfaces.len());
        for faces in surfaces.values() {
            let corners = faces.iter().flat_map(|idx| land.faces[*idx].vertices);
            let indices = corners.map(|vertex| {
                *numbers.entry(vertex).or_insert_with(|| {
                    vertices.push(usize::from(vertex));
                    vertices.len() as u32 - 1
                })
            });
            indices_of.push(indices.collect::<Vec<_>>());
        }
        let attributes = self.attributes(&vertices)?;
        let mut primitives = Vec::with_capacity(surfaces.len());
        for ((surface, faces), indices) in surfaces.into_iter().zip(indices_of) {
            let extras = FacesExtras {
                land_faces: faces.into_iter().map(|idx| idx as u32).collect(),
            };
            primitives.push(Primitive {
                attributes: attributes.clone(),
                indices: Some(self.bin.indices(&mut self.root, &indices)),
                material: Some(self.material(surface)?),
                mode: Checked::Valid(Mode::Triangles),
                targets: None,
                extensions: None,
                extras: to_extras(&extras)?,
            });
        }
        Ok(Some(self.root.push(Mesh {
            name: Some(name.to_owned()),
            primitives,
            weights: None,
            extensions: None,
            extras: None,
        })))
    }

    fn attributes(
        &mut self,
        vertices: &[usize],
    ) -> Result<BTreeMap<Checked<Semantic>, Index<gltf_json::Accessor>>, ExportError> {
        let Self {
            land, root, bin, ..
        } = self;
        let place = || "a vertex of the land".to_owned();
        let positions = vertices
            .iter()
            .map(|idx| finite(land.positions[*idx], place));
        let positions = positions.collect::<Result<Vec<_>, _>>()?;
        let packed: Vec<[i8; 4]> = vertices.iter().map(|idx| land.normals[*idx]).collect();
        let normals: Vec<[f32; 3]> = packed.iter().map(|it| unit_normal(*it)).collect();
        let uvs = |stream: &[[i16; 2]]| -> Vec<[f32; 2]> {
            vertices.iter().map(|idx| unpack_uv(stream[*idx])).collect()
        };
        let mut attributes = BTreeMap::new();
        let mut add = |semantic, accessor| attributes.insert(Checked::Valid(semantic), accessor);
        add(Semantic::Positions, bin.positions(root, &positions));
        add(Semantic::Normals, bin.vec3(root, &normals));
        let repacked = normals.iter().map(|it| pack_normal(*it, 0));
        if !repacked.eq(packed.iter().copied()) {
            let semantic = Semantic::Extras(PACKED_NORMAL.to_owned());
            add(semantic, bin.bytes4(root, &packed));
        }
        add(Semantic::TexCoords(0), bin.vec2(root, &uvs(&land.uv0)));
        add(Semantic::TexCoords(1), bin.vec2(root, &uvs(&land.micro_uv)));
        if let Some(weights) = &land.second_weights {
            let colors = vertices.iter().map(|idx| {
                let [weight] = finite([weights[*idx]], || "a weight of the land".to_owned())?;
                Ok([1.0, 1.0, 1.0, weight])
            });
            let colors = colors.collect::<Result<Vec<_>, ExportError>>()?;
            add(Semantic::Colors(0), bin.vec4(root, &colors));
        }
        Ok(attributes)
    }

    /// The material of a surface, which looks like the first of its two: opaque, whatever lies in its alpha.
    fn material(&mut self, surface: SurfaceKey) -> Result<Index<Material>, ExportError> {
        if let Some(known) = self.materials.get(&surface) {
            return Ok(*known);
        }
        let (first, second, flags) = surface;
        let extras = SurfaceExtras {
            land_first: first,
            land_second: second,
            land_flags: flags,
        };
        let look = self.look;
        let known = look.rows.get(&first).and_then(main_pass);
        let pass = Pass {
            blend: None,
            alpha_test: None,
            ..known.cloned().unwrap_or_default()
        };
        let texture = match pass.texture {
            None => None,
            Some(index) => {
                let index = index.0 as usize;
                let texture = texture_at(&look.textures, index)?;
                let alpha = PictureAlpha::from_pass(&pass);
                let (root, bin) = (&mut self.root, &mut self.bin);
                Some(self.pictures.texture(index, texture, alpha, root, bin)?)
            }
        };
        let name = match second {
            u8::MAX => look.name(first),
            _ => format!("{} + {}", look.name(first), look.name(second)),
        };
        let material = self.root.push(Material {
            alpha_mode: Checked::Valid(AlphaMode::Opaque),
            extras: to_extras(&extras)?,
            ..material_of(name, &pass, texture)?
        });
        self.materials.insert(surface, material);
        Ok(material)
    }
}
