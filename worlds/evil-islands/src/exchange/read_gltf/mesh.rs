//! Meshes with morph targets as meshes of parts.

use std::collections::{BTreeMap, HashMap};

use gltf_json::Index;
use gltf_json::accessor::Accessor;
use gltf_json::mesh::{Mesh, Mode, MorphTarget, Primitive, Semantic};
use gltf_json::validation::Checked;
use ironlands_assets_evil_islands::complection::{N_STATES, STATE_NAMES};
use ironlands_assets_evil_islands::fig::{BoundsConvention, DraftVertex, Fig, FigDraft};
use ironlands_exchange::read_gltf::{
    Document, Elements, at_most, attribute, unexpected, unsupported,
};
use ironlands_exchange::{Findings, ImportError, from_extras};

use super::super::extras::{MeshExtras, state_attribute};

/// Components are numbered by 16 bits.
const MAX_VERTICES: usize = 65_536;
/// Render group of meshes that do not say: alpha-tested, as most are.
const DEFAULT_GROUP: u32 = 18;
const DEFAULT_TEXTURE: u32 = 1;

/// How far morph targets that are no states move the points of a mesh.
#[derive(Default)]
pub(super) struct MovedPoints {
    /// Number of morph targets, states too.
    pub(super) n_targets: usize,
    pub(super) n_points: usize,
    /// By the index of the target.
    pub(super) by_target: BTreeMap<usize, Vec<[f32; 3]>>,
}

/// Vertices of all primitives of a mesh, one after the other.
#[derive(Default)]
struct Geometry {
    /// In each state.
    states: Vec<Vec<[f32; 3]>>,
    normals: Vec<[f32; 3]>,
    texcoords: Vec<[f32; 2]>,
    triangles: Vec<[u32; 3]>,
    /// How far other targets move vertices, by the index of the target.
    moved: BTreeMap<usize, Vec<[f32; 3]>>,
}

/// What morph targets are for.
struct Targets {
    n_targets: usize,
    /// The target of each state; the first is the base and has none.
    states: Vec<Option<usize>>,
    /// Targets that are no states.
    others: Vec<usize>,
}

/// The mesh of a part, and what its other morph targets move.
pub(super) fn read(
    document: &Document<'_>,
    index: Index<Mesh>,
    findings: &mut Findings,
) -> Result<(Fig, MovedPoints), ImportError> {
    let mesh = document.get(index, "mesh")?;
    let place = format!("meshes[{index}]");
    let extras: Option<MeshExtras> = from_extras(&mesh.extras);
    let targets = Targets::from_mesh(mesh, extras.as_ref(), &place)?;
    let mut geometry = Geometry {
        states: vec![Vec::new(); targets.states.len()],
        ..Geometry::default()
    };
    for (number, primitive) in mesh.primitives.iter().enumerate() {
        let place = format!("{place}.primitives[{number}]");
        geometry.add(document, primitive, &targets, &place, findings)?;
    }
    let (points, point_of_vertex, moved) = geometry.welded();
    let vertices = point_of_vertex
        .iter()
        .zip(&geometry.normals)
        .zip(&geometry.texcoords);
    let vertices = vertices.map(|((point, normal), texcoord)| DraftVertex {
        point: *point,
        normal: *normal,
        texcoord: *texcoord,
    });
    let n_points = points.first().map_or(0, Vec::len);
    let extras = extras.unwrap_or_else(|| {
        findings.add(&place, "it does not say its render group; 18 is taken");
        MeshExtras {
            ei_group: DEFAULT_GROUP,
            ei_texture: DEFAULT_TEXTURE,
            ..MeshExtras::default()
        }
    });
    let draft = FigDraft {
        points,
        vertices: vertices.collect(),
        triangles: geometry.triangles,
        group: extras.ei_group,
        texture: extras.ei_texture,
        bounds: match extras.ei_bounds_from_origin {
            true => BoundsConvention::FromOrigin,
            false => BoundsConvention::FromCenter,
        },
    };
    let fig = Fig::draft(&draft).map_err(|error| unsupported(&place, error.to_string()))?;
    let moved = MovedPoints {
        n_targets: targets.n_targets,
        n_points,
        by_target: moved,
    };
    Ok((fig, moved))
}

impl Targets {
    fn from_mesh(
        mesh: &Mesh,
        extras: Option<&MeshExtras>,
        place: &str,
    ) -> Result<Self, ImportError> {
        let of_primitive = |it: &Primitive| it.targets.as_ref().map_or(0, Vec::len);
        let n_targets = mesh.primitives.first().map_or(0, of_primitive);
        if let Some(odd) = mesh
            .primitives
            .iter()
            .find(|it| of_primitive(it) != n_targets)
        {
            let expected = format!("{n_targets} morph targets in each primitive");
            return Err(unexpected(place, &expected, of_primitive(odd)));
        }
        let names = extras.map_or(&[][..], |extras| &extras.target_names);
        let named = |name: &str| {
            let index = names.iter().position(|it| it == name)?;
            (index < n_targets).then_some(index)
        };
        let is_single = extras.is_some_and(|extras| extras.ei_states == 1);
        let states: Vec<_> = match is_single {
            true => vec![None],
            false => (0..N_STATES)
                .map(|state| named(STATE_NAMES.get(state)?).filter(|_| state > 0))
                .collect(),
        };
        let is_other = |target: &usize| !states.contains(&Some(*target));
        Ok(Self {
            n_targets,
            others: (0..n_targets).filter(is_other).collect(),
            states,
        })
    }
}

impl Geometry {
    fn add(
        &mut self,
        document: &Document<'_>,
        primitive: &Primitive,
        targets: &Targets,
        place: &str,
        findings: &mut Findings,
    ) -> Result<(), ImportError> {
        if primitive.mode != Checked::Valid(Mode::Triangles) {
            findings.add(place, "what is no list of triangles is left out");
            return Ok(());
        }
        let attribute = |semantic| attribute(primitive, semantic);
        let Some(positions) = attribute(Semantic::Positions) else {
            findings.add(place, "it has no positions and is left out");
            return Ok(());
        };
        let Some(normals) = attribute(Semantic::Normals) else {
            return Err(unexpected(place, "normals", "none"));
        };
        let first = self.normals.len();
        let base: Vec<[f32; 3]> = vectors(document, positions, None, place)?;
        let n_vertices = base.len();
        at_most(
            "vertices",
            first.saturating_add(n_vertices),
            MAX_VERTICES,
            place,
        )?;
        self.normals
            .extend(vectors::<3>(document, normals, Some(n_vertices), place)?);
        match attribute(Semantic::TexCoords(0)) {
            Some(texcoords) => {
                let texcoords = vectors::<2>(document, texcoords, Some(n_vertices), place)?;
                self.texcoords.extend(texcoords);
            }
            None => {
                findings.add(place, "it has no texture coordinates; all become 0");
                self.texcoords
                    .resize(first.saturating_add(n_vertices), [0.0; 2]);
            }
        }
        for (state, target) in targets.states.iter().enumerate() {
            let exact = attribute(Semantic::Extras(state_attribute(state)));
            let exact = match exact {
                Some(exact) => Some(vectors(document, exact, Some(n_vertices), place)?),
                None => None,
            };
            let deltas = match target {
                Some(target) => deltas(document, primitive, *target, n_vertices, place)?,
                None => None,
            };
            let shown = shown(&base, deltas.as_deref(), exact.as_deref());
            if let Some(target) = self.states.get_mut(state) {
                target.extend(shown);
            }
        }
        for target in &targets.others {
            let deltas = deltas(document, primitive, *target, n_vertices, place)?;
            let deltas = deltas.unwrap_or_else(|| vec![[0.0; 3]; n_vertices]);
            self.moved.entry(*target).or_default().extend(deltas);
        }
        self.add_triangles(document, primitive, first, n_vertices, place)
    }

    fn add_triangles(
        &mut self,
        document: &Document<'_>,
        primitive: &Primitive,
        first: usize,
        n_vertices: usize,
        place: &str,
    ) -> Result<(), ImportError> {
        let corners: Vec<usize> = match primitive.indices {
            None => (0..n_vertices).collect(),
            Some(indices) => {
                let indices: Elements<'_, 1> = Elements::open(document, indices, place)?;
                document.spend(indices.len, place)?;
                (0..indices.len)
                    .map(|at| indices.index(at))
                    .collect::<Result<_, _>>()?
            }
        };
        for corners in corners.as_chunks::<3>().0 {
            if let Some(beyond) = corners.iter().find(|it| **it >= n_vertices) {
                let expected = format!("vertices below {n_vertices}");
                return Err(unexpected(place, &expected, beyond));
            }
            // Vertices are counted in 16 bits by now.
            self.triangles
                .push(corners.map(|corner| first.saturating_add(corner) as u32));
        }
        Ok(())
    }

    /// Points in each state, the point of each vertex, and how far targets move points. Vertices that nothing ever
    /// parts are one point.
    #[expect(clippy::type_complexity, reason = "three tables of one walk")]
    fn welded(&self) -> (Vec<Vec<[f32; 3]>>, Vec<u32>, BTreeMap<usize, Vec<[f32; 3]>>) {
        let mut points = vec![Vec::new(); self.states.len()];
        let mut moved: BTreeMap<usize, Vec<[f32; 3]>> = self
            .moved
            .keys()
            .map(|target| (*target, Vec::new()))
            .collect();
        let mut known = HashMap::new();
        let mut point_of_vertex = Vec::with_capacity(self.normals.len());
        for vertex in 0..self.normals.len() {
            let tables = self.states.iter().chain(self.moved.values());
            let places = tables.filter_map(|table| table.get(vertex).copied());
            let places: Vec<[f32; 3]> = places.collect();
            let bits: Vec<u32> = places.as_flattened().iter().map(|v| v.to_bits()).collect();
            let next = known.len();
            let point = *known.entry(bits).or_insert(next);
            if point == next {
                let tables = points.iter_mut().chain(moved.values_mut());
                for (table, place) in tables.zip(places) {
                    table.push(place);
                }
            }
            // Vertices are counted in 16 bits by now.
            point_of_vertex.push(point as u32);
        }
        (points, point_of_vertex, moved)
    }
}

/// Vertices of a state: the base and what is added, or exactly what was written where that is the same but for
/// rounding.
fn shown(
    base: &[[f32; 3]],
    deltas: Option<&[[f32; 3]]>,
    exact: Option<&[[f32; 3]]>,
) -> Vec<[f32; 3]> {
    let sum = |vertex: usize, base: &[f32; 3]| -> [f32; 3] {
        let delta = deltas.and_then(|deltas| deltas.get(vertex));
        let Some([dx, dy, dz]) = delta else {
            return *base;
        };
        let [x, y, z] = base;
        let sums = [x + dx, y + dy, z + dz];
        let Some(exact) = exact.and_then(|exact| exact.get(vertex)) else {
            return sums;
        };
        let sizes = [x.abs() + dx.abs(), y.abs() + dy.abs(), z.abs() + dz.abs()];
        let mut axes = sums.iter().zip(exact).zip(sizes);
        let is_same = axes.all(|((sum, exact), size)| (sum - exact).abs() <= f32::EPSILON * size);
        if is_same { *exact } else { sums }
    };
    base.iter()
        .enumerate()
        .map(|(vertex, base)| sum(vertex, base))
        .collect()
}

/// What a morph target adds to positions; `None` for one that adds nothing to them.
fn deltas(
    document: &Document<'_>,
    primitive: &Primitive,
    target: usize,
    n_vertices: usize,
    place: &str,
) -> Result<Option<Vec<[f32; 3]>>, ImportError> {
    let found: Option<&MorphTarget> = primitive.targets.iter().flatten().nth(target);
    match found.and_then(|target| target.positions) {
        None => Ok(None),
        Some(accessor) => vectors(document, accessor, Some(n_vertices), place).map(Some),
    }
}

/// All elements of an accessor, which must be of the given number.
fn vectors<const N: usize>(
    document: &Document<'_>,
    accessor: Index<Accessor>,
    n_expected: Option<usize>,
    place: &str,
) -> Result<Vec<[f32; N]>, ImportError> {
    let elements: Elements<'_, N> = Elements::open(document, accessor, place)?;
    if n_expected.is_some_and(|n| n != elements.len) {
        let expected = format!("{} elements", n_expected.unwrap_or(0));
        return Err(unexpected(place, &expected, elements.len));
    }
    document.spend(elements.len, place)?;
    (0..elements.len).map(|at| elements.floats(at)).collect()
}
