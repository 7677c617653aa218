//! A plan with its space divided: trees, clusters, sight and faces, before light and numbers.

use std::ops::Range;

use super::brushes::{Brush, flags};
use super::csg::{self, PreparedBrush};
use super::displacement::Displacement;
use super::faces::{DraftFace, FaceMaker, OriginalFace, fix_t_junctions};
use super::planes::PlaneTable;
use super::polygon::Cell;
use super::portals::{self, Leak};
use super::texinfos::TexinfoTable;
use super::tree::{Splitter, Tree};
use super::vis::Sight;
use super::{MapPlan, brush_sides};
use crate::vector::{Plane, Vec3, bounds, boxes_touch, cross, sub};

/// Space around the level that no wall may leave open.
const VOID_MARGIN: f64 = 64.0;

/// A plan with its space divided.
pub struct Level {
    pub(super) planes: PlaneTable,
    pub(super) texinfos: TexinfoTable,
    /// Brushes of all models, one model after the other.
    pub(super) brushes: Vec<PreparedBrush>,
    /// The world, then the models of entities.
    pub(super) models: Vec<ModelSpace>,
    /// Faces of all models, one model after the other.
    pub(super) faces: Vec<DraftFace>,
    pub(super) originals: Vec<OriginalFace>,
    /// Clusters of the world's leaves.
    pub(super) clusters: Vec<Option<usize>>,
    /// Number of the space that each leaf of the world belongs to; 0 = none.
    pub(super) spaces: Vec<u32>,
    pub(super) sight: Sight,
}

/// What belongs to one model.
pub struct ModelSpace {
    pub(super) tree: Tree,
    pub(super) brushes: Range<usize>,
    pub(super) leaf_brushes: Vec<Vec<usize>>,
    pub(super) faces: Range<usize>,
    pub(super) bounds: [Vec3; 2],
}

impl Level {
    /// Divides the space of a plan.
    ///
    /// # Errors
    /// An entity that reaches the outside of the level.
    pub fn new(plan: &MapPlan) -> Result<Self, Leak> {
        let mut planes = PlaneTable::default();
        let world = prepare(&plan.brushes, &mut planes);
        let parts = csg::visible_parts(&world);
        let splitters = parts
            .iter()
            .filter(|part| divides(&world[part.brush].brush))
            .map(|part| Splitter {
                plane: part.plane,
                polygon: part.polygon.clone(),
            })
            .collect();
        let everything = bounds(world.iter().flat_map(|brush| brush.bounds));
        let cell = Cell::from_box(grown(everything, VOID_MARGIN));
        let contents_at = |point: Vec3| contents(&world, point);
        let whole = Tree::build(cell, splitters, &planes, &contents_at);

        let places = places(plan);
        let openings = portals::portals(&whole, &planes);
        let reached = portals::reached(&whole, &planes, &openings, &places)?;
        let closed: Vec<bool> = reached.iter().map(|space| *space == 0).collect();
        let tree = whole.pruned(&closed, flags::SOLID);
        let openings = portals::portals(&tree, &planes);
        let spaces = portals::reached(&tree, &planes, &openings, &places)?;
        let clusters = numbered(&spaces);
        let n_clusters = clusters.iter().flatten().count();
        let sight = Sight::new(&openings, &planes, &clusters, n_clusters);

        let is_open: Vec<bool> = spaces.iter().map(|space| *space != 0).collect();
        let mut texinfos = TexinfoTable::default();
        let maker = FaceMaker {
            materials: &plan.materials,
            planes: &planes,
            tree: &tree,
            is_open: &is_open,
        };
        let mut set = maker.faces(&world, &parts, &mut texinfos, 0);
        fix_t_junctions(&mut set.faces);
        let displaced = displacements(plan, &mut planes, &mut texinfos, set.originals.len());
        for (face, original) in displaced {
            set.faces.push(face);
            set.originals.push(original);
        }
        let leaf_brushes = brush_sides::by_leaf(&world, 0..world.len(), &tree, &planes);
        let mut level = Self {
            planes,
            texinfos,
            models: vec![ModelSpace {
                tree,
                brushes: 0..world.len(),
                leaf_brushes,
                faces: 0..set.faces.len(),
                bounds: everything,
            }],
            brushes: world,
            faces: set.faces,
            originals: set.originals,
            clusters,
            spaces,
            sight,
        };
        for brushes in &plan.models {
            level.add_model(plan, brushes);
        }
        Ok(level)
    }

    /// The world's tree.
    pub(super) fn tree(&self) -> &Tree {
        &self.models[0].tree
    }

    /// A model of an entity: a tree of its own around its brushes.
    fn add_model(&mut self, plan: &MapPlan, brushes: &[Brush]) {
        let prepared = prepare(brushes, &mut self.planes);
        let parts = csg::visible_parts(&prepared);
        let splitters = parts
            .iter()
            .map(|part| Splitter {
                plane: part.plane,
                polygon: part.polygon.clone(),
            })
            .collect();
        let box_ = bounds(prepared.iter().flat_map(|brush| brush.bounds));
        let contents_at = |point: Vec3| contents(&prepared, point);
        let cell = Cell::from_box(grown(box_, VOID_MARGIN));
        let tree = Tree::build(cell, splitters, &self.planes, &contents_at);
        let is_open: Vec<bool> = tree
            .leaves
            .iter()
            .map(|leaf| leaf.contents & flags::SOLID == 0)
            .collect();
        let maker = FaceMaker {
            materials: &plan.materials,
            planes: &self.planes,
            tree: &tree,
            is_open: &is_open,
        };
        let first_original = self.originals.len();
        let mut set = maker.faces(&prepared, &parts, &mut self.texinfos, first_original);
        fix_t_junctions(&mut set.faces);
        let leaf_brushes = brush_sides::by_leaf(&prepared, 0..prepared.len(), &tree, &self.planes);
        let first_brush = self.brushes.len();
        let (n_brushes, n_faces) = (prepared.len(), set.faces.len());
        let first_face = self.faces.len();
        self.brushes.extend(prepared);
        self.faces.extend(set.faces);
        self.originals.extend(set.originals);
        self.models.push(ModelSpace {
            tree,
            brushes: first_brush..first_brush + n_brushes,
            leaf_brushes: leaf_brushes
                .into_iter()
                .map(|leaf| leaf.into_iter().map(|brush| brush + first_brush).collect())
                .collect(),
            faces: first_face..first_face + n_faces,
            bounds: box_,
        });
    }

    /// Leaves of the world that a box touches and that belong to the level.
    pub(super) fn leaves_touching(&self, box_: &[Vec3; 2]) -> Vec<usize> {
        let leaves = self.tree().leaves.iter().enumerate();
        leaves
            .filter(|(at, leaf)| {
                self.clusters[*at].is_some() && boxes_touch(&leaf.cell.bounds(), box_, 1.0)
            })
            .map(|(at, _)| at)
            .collect()
    }
}

fn prepare(brushes: &[Brush], planes: &mut PlaneTable) -> Vec<PreparedBrush> {
    let prepared = brushes
        .iter()
        .map(|brush| PreparedBrush::new(brush, planes));
    prepared.collect()
}

/// Walls and liquids divide space; details do not.
fn divides(brush: &Brush) -> bool {
    !brush.is_detail() && (brush.is_solid() || brush.is_water())
}

/// Contents of a leaf from what divides space.
fn contents(brushes: &[PreparedBrush], point: Vec3) -> u32 {
    let around = brushes
        .iter()
        .filter(|prepared| prepared.brush.contains(point, 0.0));
    let contents = around.fold(0, |contents, prepared| {
        if prepared.brush.is_detail() {
            contents
        } else {
            contents | prepared.brush.contents
        }
    });
    if contents & flags::SOLID != 0 {
        flags::SOLID
    } else {
        contents
    }
}

/// Class and place of all points that must lie inside.
fn places(plan: &MapPlan) -> Vec<(String, Vec3)> {
    let lamps = plan.lamps.iter().map(|lamp| lamp.entity());
    let sun = plan.sun.iter().map(|sun| sun.entity());
    plan.entities
        .iter()
        .cloned()
        .chain(lamps)
        .chain(sun)
        .filter(|entity| {
            entity
                .get("model")
                .is_none_or(|model| !model.starts_with('*'))
        })
        .filter_map(|entity| {
            let class = entity.get("classname")?.to_owned();
            Some((class, entity.origin()?))
        })
        .collect()
}

fn numbered(spaces: &[u32]) -> Vec<Option<usize>> {
    let mut n = 0;
    let number = |space: &u32| {
        (*space != 0).then(|| {
            n += 1;
            n - 1
        })
    };
    spaces.iter().map(number).collect()
}

fn grown([low, high]: [Vec3; 2], by: f64) -> [Vec3; 2] {
    [low.map(|c| c - by), high.map(|c| c + by)]
}

/// Faces in whose place displacements stand.
fn displacements(
    plan: &MapPlan,
    planes: &mut PlaneTable,
    texinfos: &mut TexinfoTable,
    first_original: usize,
) -> Vec<(DraftFace, OriginalFace)> {
    let face = |(at, displacement): (usize, &Displacement)| {
        let [c0, c1, _, c3] = displacement.corners;
        let plane = Plane::through(cross(sub(c3, c0), sub(c1, c0)), c0);
        let normal = plane.normal;
        let plane = planes.number(plane);
        let material = displacement.material;
        let texinfo = texinfos.number(&plan.materials, material, normal);
        let polygon = displacement.polygon();
        let original = OriginalFace {
            plane,
            texinfo,
            polygon: polygon.clone(),
        };
        let face = DraftFace {
            plane,
            node: None,
            leaves: Vec::new(),
            texinfo,
            material,
            original: first_original + at,
            side: None,
            displacement: Some(at),
            polygon,
        };
        (face, original)
    };
    plan.displacements.iter().enumerate().map(face).collect()
}
