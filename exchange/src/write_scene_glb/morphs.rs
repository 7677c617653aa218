//! Morph targets of a mesh: all that have one name are one target.

use std::collections::HashMap;

use gltf_json::extras::Extras;
use gltf_json::mesh::MorphTarget;
use serde::Serialize;

use super::SceneWriter;
use crate::error::ExportError;
use crate::extras::to_extras;

/// Most numbers of all targets of a mesh: each target names every vertex, so that a small scene could make a huge file.
const MAX_NUMBERS: usize = 1 << 26;

/// Names of targets, where programs look for them.
#[derive(Debug, Serialize)]
struct TargetNames {
    #[serde(rename = "targetNames")]
    target_names: Vec<String>,
}

/// Writes the targets that move some of the vertices that are used, with their names.
pub(super) fn add(
    writer: &mut SceneWriter<'_>,
    mesh: &ironlands_scene::Mesh,
    used: &[u32],
) -> (Vec<String>, Option<Vec<MorphTarget>>) {
    let targets = by_name(mesh, used);
    if targets.is_empty() {
        return (Vec::new(), None);
    }
    if targets.len().saturating_mul(3 * used.len()) > MAX_NUMBERS {
        let found = format!(
            "{} morph targets are left out: they are too large",
            targets.len()
        );
        writer.findings.add(&mesh.name, found);
        return (Vec::new(), None);
    }
    let mut names = Vec::new();
    let mut written = Vec::new();
    for (name, target) in targets {
        let moved = used.iter().map(|vertex| target.offset(*vertex));
        let moved: Vec<[f32; 3]> = moved.collect();
        names.push(name);
        written.push(MorphTarget {
            positions: Some(writer.bin.positions(&mut writer.root, &moved)),
            normals: None,
            tangents: None,
        });
    }
    (names, Some(written))
}

/// What a mesh says of its targets.
pub(super) fn extras(target_names: Vec<String>) -> Result<Extras, ExportError> {
    match target_names.is_empty() {
        true => Ok(None),
        false => to_extras(&TargetNames { target_names }),
    }
}

/// Targets of a scene that are one of a file.
struct Joined<'a> {
    parts: Vec<&'a ironlands_scene::MorphTarget>,
}

impl Joined<'_> {
    fn offset(&self, vertex: u32) -> [f32; 3] {
        let mut sum = [0.0; 3];
        for part in &self.parts {
            let place = vertex.checked_sub(part.first_vertex);
            let offset = place.and_then(|place| part.offsets.get(place as usize));
            for (axis, value) in sum.iter_mut().zip(offset.into_iter().flatten()) {
                *axis += value;
            }
        }
        sum
    }
}

/// The targets that move used vertices, in the order in which their names come first.
fn by_name<'a>(mesh: &'a ironlands_scene::Mesh, used: &[u32]) -> Vec<(String, Joined<'a>)> {
    let mut is_used = vec![false; mesh.positions.len()];
    for vertex in used {
        is_used[*vertex as usize] = true;
    }
    let moves = |target: &&ironlands_scene::MorphTarget| {
        let first = target.first_vertex as usize;
        is_used[first..first + target.offsets.len()].contains(&true)
    };
    let mut places: HashMap<&str, usize> = HashMap::new();
    let mut joined: Vec<(String, Joined<'a>)> = Vec::new();
    for target in mesh.morph_targets.iter().filter(moves) {
        let place = places.get(&*target.name).copied();
        match place.filter(|_| !target.name.is_empty()) {
            Some(place) => joined[place].1.parts.push(target),
            None => {
                places.insert(&target.name, joined.len());
                let parts = vec![target];
                joined.push((target.name.clone(), Joined { parts }));
            }
        }
    }
    joined
}
