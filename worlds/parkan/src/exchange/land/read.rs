//! Land from glTF: triangles with the rows of their materials, in tiles.

use std::collections::BTreeSet;
use std::io;

use glam::{DAffine3, DMat3, DQuat, DVec3};
use gltf_json::mesh::{Mesh, Primitive, Semantic};
use gltf_json::scene::Node;
use gltf_json::validation::Checked;
use gltf_json::{Index, Root};
use ironlands_assets_parkan::land_draft::{
    DraftFace, LandDraft, LandDraftError, LandVertex, LooseFace, N_LODS,
};
use ironlands_assets_parkan::land_msh::{LandMsh, TileGrid, pack_normal, pack_uv};
use ironlands_exchange::read_gltf::{
    Document, Elements, FORMAT, Surface, Z_UP_FROM_Y_UP, at_most, attribute, check_parents,
    taken_tops, unexpected,
};
use ironlands_exchange::{ExchangeFinding, Findings, ImportError, from_extras, within_reach};

use super::super::import::{flat_normal, wrap_uvs};
use super::super::write_glb::PACKED_NORMAL;
use super::base;
use super::extras::{FacesExtras, RootExtras, TileExtras};
use super::surfaces::{FaceSurface, Surfaces};

/// Faces have numbers of 16 bits at both levels of detail together; cutting makes more of some.
const MAX_TRIANGLES: usize = 65535;
/// What looking at a primitive costs, in triangles.
const WORK_OF_A_PRIMITIVE: usize = 64;
/// Tiles along a side where nothing says how many, as most known maps have.
const DEFAULT_TILES: u32 = 16;
/// World units that a texture covers where a mesh has no coordinates, and those of a microtexture on all known maps.
const DEFAULT_REPEATS: [f64; 2] = [200.0, 20.0];
/// Nearer to the identity a transform is the rounding of f32.
const ROUNDING: f64 = 1e-6;

/// What a glTF file says of land.
#[derive(Debug, Clone, PartialEq)]
pub struct ImportedLand {
    /// The faces of its tiles.
    pub draft: LandDraft,
    /// The tiles.
    pub grid: TileGrid,
    /// Whether vertices have weights.
    pub has_weights: bool,
    /// What the file holds and land does not.
    pub findings: Vec<ExchangeFinding>,
}

impl ImportedLand {
    /// The land.
    ///
    /// # Errors
    /// More than the format can number.
    pub fn land(&self) -> Result<LandMsh, LandDraftError> {
        let mut land = self.draft.build_on(&self.grid)?;
        if !self.has_weights {
            land.second_weights = None;
        }
        Ok(land)
    }

    /// The land with what glTF has no place for from the file that it was made of: all of it where no face has changed.
    ///
    /// # Errors
    /// As [`land`](Self::land).
    pub fn land_on(&self, old: &LandMsh) -> Result<LandMsh, LandDraftError> {
        let is_same_grid = old.grid().as_ref() == Some(&self.grid);
        let has_same_streams = old.second_weights.is_some() == self.has_weights;
        if is_same_grid && has_same_streams && base::has_same_faces(&self.draft, old) {
            return Ok(old.clone());
        }
        let mut land = self.land()?;
        base::take_over(&mut land, old);
        Ok(land)
    }
}

/// Reads glTF, binary or text; `fetch` gets the files that it names, by their URI as it is written there. A base gives
/// the tiles where the file does not.
///
/// # Errors
/// A file that breaks a rule of glTF 2.0 that matters here, and more triangles or tiles than land can have.
pub fn read_land(
    data: &[u8],
    base: Option<&LandMsh>,
    fetch: &mut dyn FnMut(&str) -> io::Result<Vec<u8>>,
) -> Result<ImportedLand, ImportError> {
    let mut findings = Findings::default();
    let document = Document::read(data, fetch, &mut findings)?;
    name_what_land_lacks(&document.root, &mut findings);
    let placed = placed_meshes(&document, &mut findings)?;
    let known = document.root.nodes.iter().find_map(root_extras);
    let mut reader = Reader {
        document: &document,
        surfaces: Surfaces::new(known.as_ref()),
        lods: Default::default(),
        n_triangles: 0,
        has_weights: false,
    };
    for mesh in &placed {
        reader.add_mesh(mesh, &mut findings)?;
    }
    let Reader {
        mut lods,
        has_weights,
        ..
    } = reader;
    let grid = grid_of(known.as_ref(), base, &lods, &mut findings)?;
    fill_coordinates(&mut lods, &grid, &mut findings)?;
    let mut lods = lods.map(in_order);
    if lods[0].is_empty() {
        return Err(unexpected("scenes", "triangles of land", "none"));
    }
    if lods[1].is_empty() {
        let what = "there is no coarse level of detail; the finest serves for both";
        findings.add("nodes", what);
        lods[1] = lods[0].clone();
    }
    let draft = LandDraft::from_faces(&grid, &lods);
    let draft =
        draft.map_err(|error| ImportError::unsupported(FORMAT, "nodes", error.to_string()))?;
    Ok(ImportedLand {
        draft,
        grid,
        has_weights: has_weights || known.is_none_or(|it| it.land_weights),
        findings: findings.into_list(),
    })
}

fn root_extras(node: &Node) -> Option<RootExtras> {
    from_extras(&node.extras)
}

/// A mesh where the default scene, or the scene of another level of detail, has it.
struct PlacedMesh {
    node: usize,
    mesh: Index<Mesh>,
    /// World with +Z up from the mesh's own space; `None` where they are the same.
    world_from_mesh: Option<DAffine3>,
    tile: Option<TileExtras>,
}

fn placed_meshes(
    document: &Document<'_>,
    findings: &mut Findings,
) -> Result<Vec<PlacedMesh>, ImportError> {
    let root = &document.root;
    check_parents(root)?;
    let tops = taken_tops(document, findings)?;
    let mut waiting: Vec<(Index<Node>, DAffine3, bool)> = Vec::new();
    let z_up = DAffine3::from_quat(Z_UP_FROM_Y_UP);
    // Reversed, so that the first is on top.
    for (index, scene) in root.scenes.iter().enumerate().rev() {
        if tops.scene.map(|it| it.value()) != Some(index) {
            waiting.extend(scene.nodes.iter().rev().map(|top| (*top, z_up, false)));
        }
    }
    waiting.extend(tops.nodes.iter().rev().map(|top| (*top, z_up, true)));
    let mut seen = BTreeSet::new();
    let mut placed = Vec::new();
    while let Some((index, world_from_parent, is_shown)) = waiting.pop() {
        let node = document.get(index, "nodes")?;
        let place = format!("nodes[{index}]");
        let world_from_node = world_from_parent * parent_from_node(node, &place)?;
        if let Some(mesh) = node.mesh {
            let tile: Option<TileExtras> = from_extras(&node.extras);
            if (is_shown || tile.is_some()) && seen.insert(index.value()) {
                placed.push(PlacedMesh {
                    node: index.value(),
                    mesh,
                    world_from_mesh: (!is_identity(&world_from_node)).then_some(world_from_node),
                    tile,
                });
            } else if !is_shown {
                findings.add(&place, "a mesh of another scene is left out");
            }
        }
        let children = node.children.iter().flatten().rev();
        waiting.extend(children.map(|child| (*child, world_from_node, is_shown)));
    }
    Ok(placed)
}

fn parent_from_node(node: &Node, place: &str) -> Result<DAffine3, ImportError> {
    let place_of = match node.matrix {
        Some(matrix) => {
            let columns = glam::DMat4::from_cols_array(&matrix.map(f64::from));
            DAffine3::from_mat4(columns)
        }
        None => {
            let rotation = DQuat::from_array(node.rotation.unwrap_or_default().0.map(f64::from));
            if !rotation.length().is_normal() {
                return Err(unexpected(place, "a rotation of length 1", rotation));
            }
            let scale = node.scale.unwrap_or([1.0; 3]).map(f64::from);
            let translation = node.translation.unwrap_or_default().map(f64::from);
            DAffine3::from_scale_rotation_translation(
                scale.into(),
                rotation.normalize(),
                translation.into(),
            )
        }
    };
    match place_of.is_finite() {
        true => Ok(place_of),
        false => Err(unexpected(place, "a finite transform", "another")),
    }
}

fn is_identity(transform: &DAffine3) -> bool {
    let turn = transform.matrix3 - DMat3::IDENTITY;
    let is_close = |v: &f64| v.abs() <= ROUNDING;
    turn.to_cols_array().iter().all(is_close)
        && transform.translation.to_array().iter().all(is_close)
}

/// A face while it is read.
#[derive(Clone, Copy)]
struct ReadFace {
    loose: LooseFace,
    /// Its place among the faces of the file that it was exported from.
    order: Option<u32>,
    /// Texture coordinates, of both sets, that still have to be made of its place.
    lacks_uv: [bool; 2],
}

struct Reader<'a> {
    document: &'a Document<'a>,
    surfaces: Surfaces,
    lods: [Vec<ReadFace>; N_LODS],
    n_triangles: usize,
    has_weights: bool,
}

impl Reader<'_> {
    fn add_mesh(
        &mut self,
        placed: &PlacedMesh,
        findings: &mut Findings,
    ) -> Result<(), ImportError> {
        let lod = placed.tile.map_or(0, |tile| usize::from(tile.land_lod));
        let node = placed.node;
        if lod >= N_LODS {
            findings.add(
                format!("nodes[{node}]"),
                format!("land has {N_LODS} levels of detail; level {lod} is left out"),
            );
            return Ok(());
        }
        let mesh = placed.mesh;
        let primitives = &self.document.get(mesh, "mesh")?.primitives;
        for (index, primitive) in primitives.iter().enumerate() {
            let place = format!("meshes[{mesh}].primitives[{index}]");
            let Some(streams) = Streams::open(self.document, primitive, &place, findings)? else {
                continue;
            };
            let n_triangles = streams.surface.n_triangles();
            self.document
                .spend(WORK_OF_A_PRIMITIVE.saturating_add(n_triangles), &place)?;
            self.n_triangles = self.n_triangles.saturating_add(n_triangles);
            at_most("triangles", self.n_triangles, MAX_TRIANGLES, &place)?;
            self.has_weights |= streams.weights.is_some();
            let surface = (self.surfaces).of_primitive(self.document, primitive, findings)?;
            let order: Option<FacesExtras> = from_extras(&primitive.extras);
            let order = order.filter(|it| it.land_faces.len() == n_triangles);
            for triangle in 0..n_triangles {
                let corners = streams.triangle(triangle, placed, &place, findings)?;
                let FaceSurface {
                    flags,
                    first,
                    second,
                } = surface;
                self.lods[lod].push(ReadFace {
                    loose: LooseFace {
                        face: DraftFace {
                            flags,
                            first_material: first,
                            second_material: second,
                            corners,
                        },
                        tile: placed.tile.map(|tile| tile.land_tile as usize),
                    },
                    order: order.as_ref().map(|it| it.land_faces[triangle]),
                    lacks_uv: streams.uvs.each_ref().map(Option::is_none),
                });
            }
        }
        Ok(())
    }
}

/// The streams of a primitive.
struct Streams<'a> {
    surface: Surface<'a>,
    normals: Option<Elements<'a, 3>>,
    packed_normals: Option<Elements<'a, 4>>,
    /// Of the material and of the microtexture.
    uvs: [Option<Elements<'a, 2>>; 2],
    /// The alpha of colors.
    weights: Option<Elements<'a, 4>>,
}

impl<'a> Streams<'a> {
    /// `None` for what is no surface.
    fn open(
        document: &'a Document<'a>,
        primitive: &'a Primitive,
        place: &str,
        findings: &mut Findings,
    ) -> Result<Option<Self>, ImportError> {
        let Some(surface) = Surface::open(document, primitive, place, findings)? else {
            return Ok(None);
        };
        name_other_attributes(primitive, place, findings);
        let colors = attribute(primitive, Semantic::Colors(0));
        let has_alpha = match colors {
            None => false,
            Some(colors) => {
                let type_ = document.get(colors, place)?.type_;
                type_ == Checked::Valid(gltf_json::accessor::Type::Vec4)
            }
        };
        let streams = Self {
            normals: surface.stream(Semantic::Normals)?,
            packed_normals: surface.stream(Semantic::Extras(PACKED_NORMAL.to_owned()))?,
            uvs: [
                surface.stream(Semantic::TexCoords(0))?,
                surface.stream(Semantic::TexCoords(1))?,
            ],
            weights: match has_alpha {
                true => surface.stream(Semantic::Colors(0))?,
                false => None,
            },
            surface,
        };
        if streams.normals.is_none() {
            findings.add(place, "it has no normals; each triangle gets its own");
        }
        Ok(Some(streams))
    }

    fn triangle(
        &self,
        triangle: usize,
        placed: &PlacedMesh,
        place: &str,
        findings: &mut Findings,
    ) -> Result<[LandVertex; 3], ImportError> {
        let transform = placed.world_from_mesh.as_ref();
        let mut corners = self.surface.corners(triangle)?;
        if transform.is_some_and(|it| it.matrix3.determinant() < 0.0) {
            corners.swap(1, 2);
        }
        let mut positions = [[0.0; 3]; 3];
        for (position, corner) in positions.iter_mut().zip(corners) {
            let own = self.surface.positions.floats(corner)?;
            let moved = transform.map_or(own, |it| {
                let own = DVec3::from(own.map(f64::from));
                it.transform_point3(own).as_vec3().to_array()
            });
            *position = within_reach(moved, FORMAT, place)?;
        }
        let mut uvs = [[[0.0; 2]; 3]; 2];
        for (set, stream) in uvs.iter_mut().zip(&self.uvs) {
            let Some(stream) = stream else { continue };
            for (uv, corner) in set.iter_mut().zip(corners) {
                *uv = stream.floats(corner)?;
            }
            wrap_uvs(set, FORMAT, place, findings)?;
        }
        let flat = flat_normal(positions);
        let mut vertices = [NO_VERTEX; 3];
        for (k, vertex) in vertices.iter_mut().enumerate() {
            *vertex = LandVertex {
                position: positions[k],
                normal: self.normal(corners[k], transform, flat)?,
                uv0: pack_uv(uvs[0][k]),
                micro_uv: pack_uv(uvs[1][k]),
                second_weight: match &self.weights {
                    Some(colors) => colors.floats(corners[k])?[3],
                    None => 1.0,
                },
            };
        }
        Ok(vertices)
    }

    fn normal(
        &self,
        corner: usize,
        transform: Option<&DAffine3>,
        flat: [f32; 3],
    ) -> Result<[i8; 4], ImportError> {
        if let (Some(packed), None) = (&self.packed_normals, transform) {
            return packed.bytes(corner);
        }
        let Some(normals) = &self.normals else {
            return Ok(pack_normal(flat, 0));
        };
        let normal = DVec3::from(normals.floats(corner)?.map(f64::from));
        let turned = transform.map_or(normal, |it| {
            // Flat transforms have no inverse; the length decides below.
            it.matrix3.inverse().transpose() * normal
        });
        let normal = turned.try_normalize().map(|it| it.as_vec3().to_array());
        Ok(pack_normal(normal.unwrap_or(flat), 0))
    }
}

const NO_VERTEX: LandVertex = LandVertex {
    position: [0.0; 3],
    normal: [0; 4],
    uv0: [0; 2],
    micro_uv: [0; 2],
    second_weight: 1.0,
};

/// The tiles: as the file says, else as the base has them, else some over the box of all faces.
fn grid_of(
    known: Option<&RootExtras>,
    base: Option<&LandMsh>,
    lods: &[Vec<ReadFace>; N_LODS],
    findings: &mut Findings,
) -> Result<TileGrid, ImportError> {
    if let Some(known) = known {
        return Ok(TileGrid {
            origin: known.land_origin,
            cell_size: known.land_tile_size,
            cells: known.land_tiles,
        });
    }
    if let Some(grid) = base.and_then(LandMsh::grid) {
        return Ok(grid);
    }
    let corners = lods.iter().flatten().flat_map(|it| it.loose.face.corners);
    let positions = corners.map(|it| it.position);
    let low = positions
        .clone()
        .reduce(|a, b| [0, 1, 2].map(|k| a[k].min(b[k])));
    let high = positions.reduce(|a, b| [0, 1, 2].map(|k| a[k].max(b[k])));
    let (Some(low), Some(high)) = (low, high) else {
        return Err(unexpected("scenes", "triangles of land", "none"));
    };
    let what = format!(
        "nothing says how the land is divided; it gets {DEFAULT_TILES} x {DEFAULT_TILES} tiles"
    );
    findings.add("extras.land_tiles", what);
    Ok(TileGrid {
        origin: [low[0], low[1]],
        cell_size: [0, 1].map(|k| (high[k] - low[k]) / DEFAULT_TILES as f32),
        cells: [DEFAULT_TILES; 2],
    })
}

/// Lays textures flat over faces that have no coordinates for them, as known maps have them: from the north-west.
fn fill_coordinates(
    lods: &mut [Vec<ReadFace>; N_LODS],
    grid: &TileGrid,
    findings: &mut Findings,
) -> Result<(), ImportError> {
    let (_, [_, north]) = grid.cell_bounds(grid.cells.map(|n| n.saturating_sub(1)));
    for face in lods.iter_mut().flatten() {
        for (set, repeat) in DEFAULT_REPEATS.into_iter().enumerate() {
            if !face.lacks_uv[set] {
                continue;
            }
            let place = format!("TEXCOORD_{set}");
            let what = "there are no texture coordinates; they are made of the place";
            findings.add(&place, what);
            let corners = &mut face.loose.face.corners;
            let mut uvs = corners.map(|corner| {
                let [x, y, _] = corner.position.map(f64::from);
                let v = (f64::from(north) - y) / repeat;
                [(x / repeat) as f32, v as f32]
            });
            // Whole repeats less are the same picture.
            let whole = uvs[0].map(f32::floor);
            for uv in &mut uvs {
                *uv = [uv[0] - whole[0], uv[1] - whole[1]];
            }
            wrap_uvs(&mut uvs, FORMAT, &place, findings)?;
            for (corner, uv) in corners.iter_mut().zip(uvs) {
                match set {
                    0 => corner.uv0 = pack_uv(uv),
                    _ => corner.micro_uv = pack_uv(uv),
                }
            }
        }
    }
    Ok(())
}

/// As in the file that they were exported from; new ones last.
fn in_order(mut faces: Vec<ReadFace>) -> Vec<LooseFace> {
    faces.sort_by_key(|face| face.order.unwrap_or(u32::MAX));
    faces.into_iter().map(|face| face.loose).collect()
}

fn name_what_land_lacks(root: &Root, findings: &mut Findings) {
    for (is_there, place, what) in [
        (
            !root.skins.is_empty(),
            "skins",
            "land has no skins; meshes stay as they were modeled",
        ),
        (
            !root.cameras.is_empty(),
            "cameras",
            "land has none; they are left out",
        ),
        (
            !root.animations.is_empty(),
            "animations",
            "land does not move; they are left out",
        ),
        (
            !root.images.is_empty(),
            "images",
            "textures are left out: land only names rows of its tables of materials",
        ),
    ] {
        if is_there {
            findings.add(place, what);
        }
    }
}

fn name_other_attributes(primitive: &Primitive, place: &str, findings: &mut Findings) {
    for semantic in primitive.attributes.keys() {
        let Checked::Valid(semantic) = semantic else {
            findings.add(place, "an attribute of no known name is left out");
            continue;
        };
        let is_known = match semantic {
            Semantic::Positions
            | Semantic::Normals
            | Semantic::TexCoords(0 | 1)
            | Semantic::Colors(0) => true,
            Semantic::Extras(name) => name == PACKED_NORMAL,
            _ => false,
        };
        if !is_known {
            let name = Checked::Valid(semantic.clone()).to_string();
            findings.add(
                place,
                format!("vertices of land have no {name}; it is left out"),
            );
        }
    }
}
