//! A typed model to a [`Model`] of the scene (dossier sections 7.1, 7.3, 7.13, 8.3 and 8.4).
//!
//! A model's axes are the engine's: right-handed, +Z up. Levels of detail change with the size on the picture
//! (Q-S10); what a unit's own view draws is left out. Both sides of a triangle are drawn where its batch says so, and
//! where the normals of the model do not show which one is the front. The rest pose is that of frame 0, key by key;
//! poses at other times are `sim`'s.
#![expect(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "a model that was read names nodes, vertices and batches that exist"
)]

#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::ops::Range;

use ironlands_scene::{
    Affine, Batch, Cull, Material, MaterialIdx, Mesh, Model, ModelNode, ModelPiece, PieceLod,
    Sphere,
};

use super::mat0::Mat0;
use super::material_scene::{BatchLook, model_material};
use super::material_table::{MaterialTable, TableMaterial, WearRows};
use super::msh::{
    self, BatchFlags, MaterialReading, Msh, N_STATES, NodeTable, OWN_VIEW, RowSource,
};
use super::msh_animation::AnimKey;
use super::slots::sphere_of_box;
use ironlands_assets_core::bytes::{Finding, Severity};
use ironlands_assets_core::text::decode_cp1251;

/// What findings of this module name as their format.
const FORMAT: &str = "parkan model";

/// Parts of the picture's height below which a model takes the next coarser level of detail.
pub const LOD_SIZES: [f32; OWN_VIEW - 1] = [0.20, 0.10, 0.05];

/// What becomes of the first node of a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FirstNode {
    /// It is a node like all others.
    Own,
    /// It stands for the node of another model that this one is attached to: its geometry and its pose are left
    /// out (section 7.13, Q-K7).
    AttachRoot,
}

/// The materials of batches, each made once.
pub struct BatchMaterials<'a> {
    table: &'a MaterialTable,
    first: usize,
    known: HashMap<(Option<*const Mat0>, BatchLook), MaterialIdx>,
    materials: Vec<Material>,
}

impl<'a> BatchMaterials<'a> {
    /// Materials out of a table, to be put behind `first` others in a scene.
    pub fn new(table: &'a MaterialTable, first: usize) -> Self {
        Self {
            table,
            first,
            known: HashMap::new(),
            materials: Vec::new(),
        }
    }

    /// The materials of the batches of a model whose material table has these rows. A batch without a row is plain
    /// white, and without coordinates for it there is no lightmap.
    pub fn of_model(
        &mut self,
        msh: &Msh,
        rows: &WearRows,
    ) -> impl FnMut(&msh::Batch) -> MaterialIdx {
        let one_sided = match msh.is_counter_clockwise() {
            true => Cull::Back,
            false => Cull::None,
        };
        move |batch| self.of_batch(msh, batch, rows, one_sided)
    }

    fn of_batch(
        &mut self,
        msh: &Msh,
        batch: &msh::Batch,
        rows: &WearRows,
        one_sided: Cull,
    ) -> MaterialIdx {
        let row = batch.material_row(MaterialReading::default(), rows.materials.len());
        let material = row.and_then(|row| rows.materials.get(row.row).copied());
        let lightmap = batch.lightmap().filter(|_| msh.lightmap_uv.is_some());
        let lightmap = lightmap.map(usize::from);
        let lightmap = lightmap.and_then(|row| *rows.lightmaps.get(row)?);
        let next = MaterialIdx((self.first + self.materials.len()) as u32);
        let look = BatchLook {
            lightmap,
            cull: match batch.flags.contains(BatchFlags::TWO_SIDED) {
                true => Cull::None,
                false => one_sided,
            },
            is_see_through: batch.is_see_through(),
        };
        // A fallback for many is drawn as one.
        let shown = material.and_then(|idx| self.table.materials.get(idx));
        let shown = shown.map(TableMaterial::look);
        let known = self.known.entry((shown, look));
        *known.or_insert_with(|| {
            // A number that no table has stands for "no row".
            let material = material.unwrap_or(usize::MAX);
            let made = model_material(self.table, material, look);
            self.materials.push(made);
            next
        })
    }

    /// All materials that were requested, in the order of their numbers.
    pub fn finish(self) -> Vec<Material> {
        self.materials
    }
}

/// What is to be said of batches that name no row of their material table of `n_rows` (section 7.6).
pub fn check_rows(name: &str, msh: &Msh, n_rows: usize) -> Option<Finding> {
    let rows = msh.batches.iter().map(|batch| {
        let row = batch.material_row(MaterialReading::default(), n_rows);
        row.map(|row| row.source)
    });
    let n_astray = rows.filter(|it| *it != Some(RowSource::Chosen)).count();
    let message =
        format!("{name}: {n_astray} batches name no row of its table of {n_rows} materials");
    (n_astray > 0 && n_rows > 0).then(|| Finding::new(Severity::Warning, FORMAT, message))
}

/// Valid models name each index about once; a table of overlapping ranges could name so large a number that no memory
/// holds them, or no patience.
const MAX_VISITS_PER_INDEX: usize = 16;

/// The model, drawn with the material that `material_of` names for each batch.
///
/// Batches and bounds are made as long as they name each index some 16 times at most, and so are pieces. Batches and
/// pieces beyond that are left empty, bounds beyond it are believed as they are stored.
pub fn to_model(
    name: &str,
    msh: &Msh,
    first_node: FirstNode,
    material_of: &mut dyn FnMut(&msh::Batch) -> MaterialIdx,
) -> Model {
    let pieces = match &msh.nodes {
        NodeTable::Nodes(_) => pieces_of(msh, first_node),
        NodeTable::Stride24(_) => vec![piece_of_all(msh)],
    };
    let n_lods = pieces.iter().map(|piece| piece.lods.len()).max();
    let mut model = Model {
        name: name.to_owned(),
        nodes: nodes_of(msh, first_node),
        mesh: mesh_of(name, msh, material_of),
        pieces,
        joints: Vec::new(),
        lod_sizes: LOD_SIZES[..n_lods.unwrap_or(1) - 1].to_vec(),
        bounds: Sphere::default(),
    };
    model.bounds = bounds_at_rest(&model);
    model
}

/// The key that says how a node is at rest; `None` for one without keys, which stays in place.
///
/// It is the first one, whatever its time. All known ones begin at time 0. Where one does not, a pose at frame 0 may
/// lie before the first key and be another; [`Msh::check`] warns of that.
fn rest_key(msh: &Msh, node: usize) -> Option<&AnimKey> {
    let link = msh.nodes.as_slice().get(node)?.track_link();
    let first = msh
        .animation
        .map_of(link)
        .and_then(|map| map.first().copied());
    let key = first.map_or(link.fallback, |first| first.min(link.fallback));
    msh.animation.keys.get(usize::from(key))
}

/// The nodes of [`to_model`]. Those that no one can read are one that stays in place (section 7.14).
pub(super) fn nodes_of(msh: &Msh, first_node: FirstNode) -> Vec<ModelNode> {
    let NodeTable::Nodes(nodes) = &msh.nodes else {
        return vec![ModelNode::default()];
    };
    let order = msh.quaternion_order();
    let nodes = nodes.iter().enumerate();
    nodes
        .map(|(idx, node)| {
            let is_in_place = idx == 0 && first_node == FirstNode::AttachRoot;
            let key = rest_key(msh, idx).filter(|_| !is_in_place);
            let mut parent_from_node =
                key.map_or(Affine::IDENTITY, |key| Affine(key.parent_from_node(order)));
            if idx == 0 && msh.is_first_node_animated() {
                // Its track turns it only: the object stands where it stands.
                parent_from_node.0.iter_mut().for_each(|row| row[3] = 0.0);
            }
            ModelNode {
                name: node_name(msh, idx),
                parent: node.parent().map(|parent| parent as u32),
                parent_from_node,
            }
        })
        .collect()
}

fn node_name(msh: &Msh, node: usize) -> String {
    let names = msh.names.as_deref().unwrap_or_default();
    let name = names.get(node).map_or(&[][..], Vec::as_slice);
    decode_cp1251(name).into_owned()
}

fn pieces_of(msh: &Msh, first_node: FirstNode) -> Vec<ModelPiece> {
    let slots = slot_lods(msh);
    let costs = slot_costs(msh);
    // Any number of nodes can name one slot, and a walk over the pieces visits its batches for each of them.
    let mut visits = Visits::from_msh(msh);
    let empty = PieceLod {
        bounds: Sphere::default(),
        batches: 0..0,
    };
    let first_drawn = match first_node {
        FirstNode::Own => 0,
        FirstNode::AttachRoot => 1,
    };
    let nodes_and_states = (first_drawn..msh.nodes.len())
        .flat_map(|node| (0..N_STATES).map(move |state| (node, state)));
    nodes_and_states
        .filter_map(|(node, state)| {
            let words = msh.nodes.as_slice()[node];
            let last = (0..OWN_VIEW)
                .rev()
                .find(|lod| words.slot_word(state, *lod).is_some())?;
            // Where a level is absent the next finer one serves.
            let lods = (0..=last).scan(&empty, |before, lod| {
                if let Some(slot) = words.slot_word(state, lod).map(usize::from) {
                    let is_allowed = costs.get(slot).is_some_and(|cost| visits.spend(*cost));
                    *before = slots.get(slot).filter(|_| is_allowed).unwrap_or(&empty);
                }
                Some((*before).clone())
            });
            Some(ModelPiece {
                node: node as u32,
                state: state as u8,
                lods: lods.collect(),
            })
        })
        .collect()
}

/// What each slot draws.
fn slot_lods(msh: &Msh) -> Vec<PieceLod> {
    let mut visits = Visits::from_msh(msh);
    let slots = msh.slots.iter();
    slots
        .map(|slot| {
            let stored = Sphere {
                center: slot.sphere_center,
                radius: slot.sphere_radius.max(0.0),
            };
            let batches = msh.slot_batches(slot).iter();
            let vertices = batches
                .take_while(|batch| visits.allow(batch))
                .flat_map(|batch| msh.batch_vertices(batch));
            let points = vertices.filter_map(|vertex| msh.positions.get(vertex));
            let bounds = grown_around(stored, points);
            let Range { start, end } = msh.slot_batch_range(slot);
            PieceLod {
                bounds,
                batches: start as u32..end as u32,
            }
        })
        .collect()
}

/// What it takes to go through the batches of each slot.
fn slot_costs(msh: &Msh) -> Vec<usize> {
    let mut sum = 0;
    let before: Vec<usize> = std::iter::once(0)
        .chain(msh.batches.iter().map(|batch| {
            sum += batch_cost(batch);
            sum
        }))
        .collect();
    let ranges = msh.slots.iter().map(|slot| msh.slot_batch_range(slot));
    ranges
        .map(|range| before[range.end] - before[range.start])
        .collect()
}

/// A batch without indices costs something as well.
fn batch_cost(batch: &msh::Batch) -> usize {
    usize::from(batch.index_count) + 1
}

/// How many indices may still be looked at.
struct Visits(usize);

impl Visits {
    fn from_msh(msh: &Msh) -> Self {
        let n_steps = msh.indices.len() + msh.batches.len();
        Self(n_steps.saturating_mul(MAX_VISITS_PER_INDEX))
    }

    /// Whether the batch may be looked at, too.
    fn allow(&mut self, batch: &msh::Batch) -> bool {
        self.spend(batch_cost(batch))
    }

    /// Whether there was so much left. What is too much leaves nothing.
    fn spend(&mut self, cost: usize) -> bool {
        let rest = self.0.checked_sub(cost);
        self.0 = rest.unwrap_or(0);
        rest.is_some()
    }
}

/// Stored bounds are believed as far as they hold all vertices: a piece must not vanish for a wrong number.
fn grown_around<'a>(sphere: Sphere, points: impl Iterator<Item = &'a [f32; 3]>) -> Sphere {
    let radius = points
        .map(|point| distance(*point, sphere.center))
        .fold(sphere.radius, f32::max);
    // Around vertices near the ends of f32 it is beyond them.
    let radius = radius.min(f32::MAX);
    Sphere { radius, ..sphere }
}

fn distance(a: [f32; 3], b: [f32; 3]) -> f32 {
    let [dx, dy, dz]: [f32; 3] = std::array::from_fn(|axis| a[axis] - b[axis]);
    (dx * dx + dy * dy + dz * dz).sqrt()
}

/// All batches on one node, of a model whose nodes no one can read.
fn piece_of_all(msh: &Msh) -> ModelPiece {
    let batches = 0..msh.batches.len() as u32;
    let middle = Sphere {
        center: msh.header.sphere_center,
        radius: msh.header.sphere_radius.max(0.0),
    };
    let middle = match middle.center.iter().all(|v| v.is_finite()) && middle.radius.is_finite() {
        true => middle,
        false => Sphere::default(),
    };
    ModelPiece {
        node: 0,
        state: 0,
        lods: vec![PieceLod {
            bounds: grown_around(middle, msh.positions.iter()),
            batches,
        }],
    }
}

/// All vertices as they are, and a batch for each of the model's, with the same number.
fn mesh_of(name: &str, msh: &Msh, material_of: &mut dyn FnMut(&msh::Batch) -> MaterialIdx) -> Mesh {
    let n_vertices = msh.positions.len();
    let mut indices: Vec<u32> = Vec::with_capacity(msh.indices.len());
    let mut batches = Vec::with_capacity(msh.batches.len());
    let mut visits = Visits::from_msh(msh);
    for batch in &msh.batches {
        let first_index = indices.len() as u32;
        if !is_suppressed(batch) && visits.allow(batch) {
            indices.extend(msh.batch_vertices(batch).map(|vertex| vertex as u32));
            // A part triangle cannot be drawn.
            indices.truncate(indices.len() - (indices.len() - first_index as usize) % 3);
        }
        batches.push(Batch {
            first_index,
            n_indices: indices.len() as u32 - first_index,
            material: material_of(batch),
        });
    }
    let unpacked = |stream: Option<&Vec<[i16; 2]>>| match stream {
        Some(uvs) => uvs.iter().map(|uv| msh::unpack_uv(*uv)).collect(),
        None => vec![[0.0; 2]; n_vertices],
    };
    let normals = match &msh.normals {
        Some(normals) => normals.iter().map(|n| msh::unpack_normal(*n)).collect(),
        None => normals_of_faces(&msh.positions, &indices),
    };
    Mesh {
        name: name.to_owned(),
        positions: msh.positions.clone(),
        normals,
        uv_sets: [msh.uv0.as_ref(), msh.lightmap_uv.as_ref()].map(unpacked),
        indices,
        batches,
        ..Mesh::default()
    }
}

fn is_suppressed(batch: &msh::Batch) -> bool {
    batch
        .flags
        .contains(BatchFlags::PORTAL | BatchFlags::SUPPRESSED)
}

/// For models without stored normals: those of the faces, added up at their corners.
fn normals_of_faces(positions: &[[f32; 3]], indices: &[u32]) -> Vec<[f32; 3]> {
    let mut sums = vec![[0.0f32; 3]; positions.len()];
    for corners in indices.chunks_exact(3) {
        let [a, b, c] = [0, 1, 2].map(|i| positions[corners[i] as usize]);
        let ab: [f32; 3] = std::array::from_fn(|i| b[i] - a[i]);
        let ac: [f32; 3] = std::array::from_fn(|i| c[i] - a[i]);
        let normal = [
            ab[1] * ac[2] - ab[2] * ac[1],
            ab[2] * ac[0] - ab[0] * ac[2],
            ab[0] * ac[1] - ab[1] * ac[0],
        ];
        for corner in corners {
            let sum = &mut sums[*corner as usize];
            *sum = std::array::from_fn(|i| sum[i] + normal[i]);
        }
    }
    sums.into_iter()
        .map(|sum| {
            let length = distance(sum, [0.0; 3]);
            let is_usable = length > 0.0 && length.is_finite();
            if is_usable {
                sum.map(|v| v / length)
            } else {
                [0.0, 0.0, 1.0]
            }
        })
        .collect()
}

/// Around all pieces of the whole state, or of any state where there are none, at rest.
fn bounds_at_rest(model: &Model) -> Sphere {
    let mut model_from_nodes = Vec::new();
    model.rest_pose(&Affine::IDENTITY, &mut model_from_nodes);
    let balls = |is_wanted: fn(&ModelPiece) -> bool| -> Vec<Sphere> {
        let pieces = model.pieces.iter().filter(|piece| is_wanted(piece));
        let lods = pieces.flat_map(|piece| piece.lods.iter().map(move |lod| (piece.node, lod)));
        lods.filter(|(_, lod)| !lod.batches.is_empty())
            .map(|(node, lod)| {
                let model_from_node = &model_from_nodes[node as usize];
                Sphere {
                    center: model_from_node.transform_point(lod.bounds.center),
                    radius: lod.bounds.radius * model_from_node.max_scale(),
                }
            })
            .filter(|ball| ball.radius.is_finite() && ball.center.iter().all(|v| v.is_finite()))
            .collect()
    };
    let whole = balls(|piece| piece.state == 0);
    let balls = if whole.is_empty() {
        balls(|_| true)
    } else {
        whole
    };
    let Some(first) = balls.first() else {
        return Sphere::default();
    };
    let corner = |ball: &Sphere, sign: f32| ball.center.map(|v| v + sign * ball.radius);
    let (min, max) = balls.iter().fold(
        (corner(first, -1.0), corner(first, 1.0)),
        |(min, max), ball| {
            let (low, high) = (corner(ball, -1.0), corner(ball, 1.0));
            (
                std::array::from_fn(|axis| f32::min(min[axis], low[axis])),
                std::array::from_fn(|axis| f32::max(max[axis], high[axis])),
            )
        },
    );
    let (center, _) = sphere_of_box(min, max);
    let reach = |ball: &Sphere| distance(ball.center, center) + ball.radius;
    let radius = balls.iter().map(reach).fold(0.0, f32::max);
    match radius.is_finite() && center.iter().all(|v| v.is_finite()) {
        true => Sphere { center, radius },
        false => Sphere::default(),
    }
}
