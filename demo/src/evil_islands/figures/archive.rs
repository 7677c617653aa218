//! Figures as files: meshes with eight states, links, rest positions and animations, in archives within archives.

use std::collections::HashMap;

use ironlands_assets_core::bytes::FormatError;
use ironlands_assets_evil_islands::anm::Anm;
use ironlands_assets_evil_islands::bon::Bon;
use ironlands_assets_evil_islands::complection::N_STATES;
use ironlands_assets_evil_islands::fig::{Fig, FigDraft, MorphComponent};
use ironlands_assets_evil_islands::lnk::Lnk;
use ironlands_assets_evil_islands::res::{NamesOrder, ResArchive};

use super::{Build, FigurePlan, MotionPlan, PartMotion, PartPlan};
use crate::models::shape::{Corner, Shape};
use crate::models::turn::Turn;
use crate::vector::{add, normalized};

/// The files of a figure; names without extension are the plan's.
pub struct FigureFiles {
    pub model: Vec<u8>,
    pub bones: Vec<u8>,
    pub animations: Option<Vec<u8>>,
}

/// The files of a figure.
pub fn files(plan: &FigurePlan) -> Result<FigureFiles, FormatError> {
    let by_name = |name: &str| plan.parts.iter().position(|part| part.name == name);
    let links: Vec<_> = plan
        .parts
        .iter()
        .map(|part| {
            let parent = part.parent.and_then(by_name);
            (part.name.as_bytes().to_vec(), parent)
        })
        .collect();
    let mut meshes = vec![(plan.name.into(), Lnk::draft(&links)?.write()?)];
    let mut bones = Vec::new();
    for part in &plan.parts {
        meshes.push((part.name.into(), mesh(part)?.write()?));
        bones.push((part.name.into(), rest(part).write()?));
    }
    let mut animations = Vec::new();
    for motion in &plan.motions {
        animations.push((motion.name.into(), animation(plan, motion)?));
    }
    Ok(FigureFiles {
        model: packed(meshes)?,
        bones: packed(bones)?,
        animations: match animations.is_empty() {
            true => None,
            false => Some(packed(animations)?),
        },
    })
}

fn packed(entries: Vec<(Vec<u8>, Vec<u8>)>) -> Result<Vec<u8>, FormatError> {
    ResArchive::draft(entries, NamesOrder::Insertion).write()
}

/// Where a part hangs in each extreme state.
fn rest(part: &PartPlan) -> Bon {
    let offset = |k| (part.offset)(Build::state(k)).map(|c| c as f32);
    Bon {
        offsets: (0..N_STATES).map(offset).collect(),
        tail: Vec::new(),
    }
}

/// The mesh of a part in its eight extreme states, its vertices each once.
fn mesh(part: &PartPlan) -> Result<Fig, FormatError> {
    let shapes: Vec<Shape> = (0..N_STATES)
        .map(|k| (part.shape)(Build::state(k)))
        .collect();
    let corners: Vec<&[Corner]> = shapes
        .iter()
        .map(|shape| shape.triangles.as_flattened())
        .collect();
    let mut known = HashMap::new();
    let mut states = vec![Vec::new(); N_STATES];
    let (mut normals, mut texcoords, mut indices) = (Vec::new(), Vec::new(), Vec::new());
    for at in 0..corners[0].len() {
        let positions: Vec<[f32; 3]> = corners
            .iter()
            .map(|state| state[at].position.map(|c| c as f32))
            .collect();
        let all = corners.iter().map(|state| state[at].normal);
        // A mesh has one normal for all builds: the middle of all.
        let normal = normalized(all.fold([0.0; 3], add)).map(|c| c as f32);
        // Pictures are drawn from the top and stored from the bottom.
        let [u, v] = corners[0][at].uv;
        let texcoord = [u as f32, (1.0 - v) as f32];
        let key: Vec<u32> = positions
            .as_flattened()
            .iter()
            .chain(&normal)
            .chain(&texcoord)
            .map(|c| c.to_bits())
            .collect();
        let next = known.len() as u32;
        let index = *known.entry(key).or_insert(next);
        if index == next {
            for (state, position) in states.iter_mut().zip(positions) {
                state.push(position);
            }
            normals.push(normal);
            texcoords.push(texcoord);
        }
        indices.push(index);
    }
    let triangles = indices.as_chunks().0.to_vec();
    let mut draft = FigDraft::from_vertices(&states, &normals, &texcoords, triangles);
    draft.group = part.group;
    draft.texture = part.texture;
    let points = draft.points[0].clone();
    let mut fig = Fig::draft(&draft)?;
    if let Some(morph) = part.morph {
        let component = |(vertex, point): (usize, &[f32; 3])| MorphComponent {
            morph: morph(point.map(f64::from)),
            vertex: vertex as u16,
        };
        fig.morphs = points.iter().enumerate().map(component).collect();
    }
    Ok(fig)
}

/// The archive of one animation: all parts, those that do not move included.
fn animation(plan: &FigurePlan, motion: &MotionPlan) -> Result<Vec<u8>, FormatError> {
    let mut parts = Vec::new();
    for part in &plan.parts {
        let moved = motion.parts.iter().find(|moved| moved.part == part.name);
        let anm = match moved {
            Some(moved) => moving(moved)?,
            None => Anm::draft(
                vec![Turn::NONE.0.map(|c| c as f32); motion.n_frames],
                vec![[0.0; 3]; motion.n_frames],
                &[],
            )?,
        };
        parts.push((part.name.into(), anm.write()?));
    }
    packed(parts)
}

fn moving(motion: &PartMotion) -> Result<Anm, FormatError> {
    let single = |v: &[f64; 3]| v.map(|c| c as f32);
    let rotations = motion.rotations.iter().map(|turn| turn.0.map(|c| c as f32));
    let morphs: Vec<Vec<[f32; 3]>> = motion
        .morphs
        .iter()
        .map(|frame| frame.iter().map(single).collect())
        .collect();
    Anm::draft(
        rotations.collect(),
        motion.translations.iter().map(single).collect(),
        &morphs,
    )
}

#[cfg(test)]
mod tests {
    use super::super::all;
    use super::*;

    #[test]
    fn all_states_of_a_part_have_the_same_triangles() {
        for plan in all() {
            for part in &plan.parts {
                let counts: Vec<usize> = (0..N_STATES)
                    .map(|k| (part.shape)(Build::state(k)).triangles.len())
                    .collect();
                assert!(
                    counts.iter().all(|n| *n == counts[0] && *n > 0),
                    "{} {}: {counts:?}",
                    plan.name,
                    part.name
                );
            }
        }
    }

    #[test]
    fn parts_hang_on_parts_before_them() {
        for plan in all() {
            for (k, part) in plan.parts.iter().enumerate() {
                let is_there = |parent| plan.parts[..k].iter().any(|before| before.name == parent);
                assert_eq!(k > 0, part.parent.is_some(), "{}", plan.name);
                assert!(
                    part.parent.is_none_or(is_there),
                    "{} {}",
                    plan.name,
                    part.name
                );
            }
        }
    }
}
