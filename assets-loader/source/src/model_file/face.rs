//! The face of a model: flexes as morph targets of a scene's mesh, and their weights by the values of controllers.

use std::collections::BTreeMap;
use std::ops::Range;

use ironlands_scene::{MorphTarget, MorphWeight};

use crate::mdl::flexes::{FlexVertex, Flexes, MeshFlex};
use crate::studio_model::StudioModel;

/// A target continues over as many vertices that do not move, before it is cheaper to begin another one.
const LARGEST_GAP: u32 = 4;

/// What moves a face.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Face {
    flexes: Flexes,
    /// For each morph target what it shows.
    shown: Vec<Shown>,
}

/// Part of a flex of a mesh.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Shown {
    /// Number among [`Flexes::meshes`].
    flex: usize,
    /// Whether it follows the weight of the other side.
    is_other_side: bool,
}

impl Face {
    /// A face and its morph targets. `first_vertices` says for each mesh of the model where its vertices begin in that of the
    /// scene; flexes of meshes that are not there move nothing.
    pub fn new(
        flexes: &Flexes,
        studio: &StudioModel,
        first_vertices: &[Option<u32>],
    ) -> (Self, Vec<MorphTarget>) {
        let places = places(studio, first_vertices);
        let mut shown = Vec::new();
        let mut targets = Vec::new();
        for (number, flex) in flexes.meshes.iter().enumerate() {
            let Some(first) = places.get(&flex.mesh) else {
                continue;
            };
            for is_other_side in [false, true] {
                let own = flex.other_side.filter(|_| is_other_side);
                let name = flexes.names.get(own.unwrap_or(flex.flex));
                let name = name.map_or("", String::as_str);
                let offsets = offsets(flex, is_other_side);
                for run in runs(&offsets) {
                    targets.push(target(name, *first, &offsets, run));
                    shown.push(Shown {
                        flex: number,
                        is_other_side,
                    });
                }
            }
        }
        let flexes = flexes.clone();
        (Self { flexes, shown }, targets)
    }

    /// Its controllers, with values that change nothing.
    pub fn flexes(&self) -> &Flexes {
        &self.flexes
    }

    /// The weights of all morph targets that move, by the values of all controllers.
    pub fn weights(&self, values: &[f32]) -> Vec<MorphWeight> {
        let weights = self.flexes.weights(values);
        let share = |shown: &Shown| {
            let flex = self.flexes.meshes.get(shown.flex)?;
            let own = match shown.is_other_side {
                true => flex.other_side?,
                false => flex.flex,
            };
            Some(flex.share(*weights.get(own)?))
        };
        let shares = (0..).zip(&self.shown);
        let weights = shares.map(|(target, shown)| MorphWeight {
            target,
            weight: share(shown).unwrap_or(0.0),
        });
        weights.filter(|it| it.weight != 0.0).collect()
    }
}

/// Where the vertices of each mesh begin, by body part, model and number in it.
fn places(studio: &StudioModel, first_vertices: &[Option<u32>]) -> BTreeMap<[usize; 3], u32> {
    let mut numbers: BTreeMap<[usize; 2], usize> = BTreeMap::new();
    let mut places = BTreeMap::new();
    for (mesh, first) in studio.meshes.iter().zip(first_vertices) {
        let number = numbers.entry([mesh.body_part, mesh.model]).or_default();
        if let Some(first) = first {
            places.insert([mesh.body_part, mesh.model, *number], *first);
        }
        *number = number.saturating_add(1);
    }
    places
}

/// How far vertices move with one side of a flex.
fn offsets(flex: &MeshFlex, is_other_side: bool) -> BTreeMap<u32, [f32; 3]> {
    let mut offsets: BTreeMap<u32, [f32; 3]> = BTreeMap::new();
    let share = |vertex: &FlexVertex| match (flex.other_side, is_other_side) {
        (None, false) => 1.0,
        (None, true) => 0.0,
        (Some(_), false) => 1.0 - vertex.side,
        (Some(_), true) => vertex.side,
    };
    for vertex in &flex.vertices {
        let share = share(vertex);
        if share > 0.0 {
            let sum = offsets.entry(vertex.vertex.into()).or_default();
            for (axis, offset) in sum.iter_mut().zip(vertex.offset) {
                *axis += share * offset;
            }
        }
    }
    offsets
}

/// Ranges of vertices without large gaps.
fn runs(offsets: &BTreeMap<u32, [f32; 3]>) -> Vec<Range<u32>> {
    let mut runs: Vec<Range<u32>> = Vec::new();
    for vertex in offsets.keys() {
        let end = vertex.saturating_add(1);
        match runs.last_mut() {
            Some(run) if vertex.saturating_sub(run.end) <= LARGEST_GAP => run.end = end,
            _ => runs.push(*vertex..end),
        }
    }
    runs
}

fn target(
    name: &str,
    first: u32,
    offsets: &BTreeMap<u32, [f32; 3]>,
    run: Range<u32>,
) -> MorphTarget {
    let moved = run.clone().map(|vertex| offsets.get(&vertex).copied());
    MorphTarget {
        name: name.to_owned(),
        first_vertex: first.saturating_add(run.start),
        offsets: moved.map(Option::unwrap_or_default).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mdl::flexes::{FlexController, FlexOperation, FlexRule};
    use crate::studio_model::StudioMesh;

    /// Two flexes, of both sides of a mouth, that controllers of the same numbers set.
    fn flexes(vertices: Vec<FlexVertex>) -> Flexes {
        let controller = |name: &str| FlexController {
            name: name.to_owned(),
            max: 1.0,
            ..FlexController::default()
        };
        let rule = |flex: usize| FlexRule {
            flex,
            operations: vec![FlexOperation {
                code: 2,
                operand: flex as u32,
            }],
        };
        Flexes {
            names: vec!["left".to_owned(), "right".to_owned()],
            controllers: vec![controller("left"), controller("right")],
            rules: vec![rule(0), rule(1)],
            meshes: vec![MeshFlex {
                mesh: [0, 0, 1],
                flex: 0,
                other_side: Some(1),
                targets: [0.0, 1.0, 1.0, 2.0],
                vertices,
            }],
        }
    }

    fn moved(vertex: u16, side: f32, x: f32) -> FlexVertex {
        FlexVertex {
            vertex,
            side,
            offset: [x, 0.0, 0.0],
        }
    }

    fn studio() -> StudioModel {
        StudioModel {
            meshes: vec![StudioMesh::default(); 2],
            ..StudioModel::default()
        }
    }

    #[test]
    fn both_sides_of_a_pair_move_their_shares() {
        let flexes = flexes(vec![
            moved(2, 0.0, 8.0),
            moved(4, 0.5, 8.0),
            moved(3, 1.0, 8.0),
        ]);
        let (face, targets) = Face::new(&flexes, &studio(), &[Some(0), Some(100)]);
        let [left, right] = &targets[..] else {
            panic!("{targets:?}")
        };
        assert_eq!((left.first_vertex, right.first_vertex), (102, 103));
        assert_eq!((&*left.name, &*right.name), ("left", "right"));
        let xs = |target: &MorphTarget| target.offsets.iter().map(|it| it[0]).collect::<Vec<_>>();
        assert_eq!(xs(left), [8.0, 0.0, 4.0]);
        assert_eq!(xs(right), [8.0, 4.0]);
        let weights = face.weights(&[0.0, 0.25]);
        let expected = MorphWeight {
            target: 1,
            weight: 0.25,
        };
        assert_eq!(weights, [expected]);
        assert_eq!(face.weights(&[0.5, 1.0]).len(), 2);
        assert_eq!(face.weights(&[]), []);
    }

    #[test]
    fn vertices_far_apart_cost_no_more_than_they_are() {
        let mut flexes = flexes(vec![moved(0, 0.0, 1.0), moved(65_535, 0.0, 1.0)]);
        flexes.meshes[0].other_side = None;
        let (_, targets) = Face::new(&flexes, &studio(), &[Some(0), Some(0)]);
        let lengths: Vec<_> = targets.iter().map(|it| it.offsets.len()).collect();
        assert_eq!(lengths, [1, 1]);
    }

    #[test]
    fn a_mesh_that_is_not_there_moves_nothing() {
        let flexes = flexes(vec![moved(0, 0.0, 1.0)]);
        let (face, targets) = Face::new(&flexes, &studio(), &[Some(0), None]);
        assert_eq!(targets, []);
        assert_eq!(face.weights(&[1.0, 1.0]), []);
    }
}
