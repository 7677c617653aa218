//! Geometry, visibility and surroundings.

use std::collections::HashSet;

use ironlands_assets_core::bytes::Severity;
use ironlands_assets_source::bsp::{Face, Map};
use ironlands_scene::{Mesh, PassKind, Scene};
use libtest_mimic::Failed;

use crate::facts::Facts;
use crate::{Opened, ensure};

/// Sky, trigger, nodraw, hint, skip (section 3.4).
const HIDDEN: i32 = 0x2 | 0x4 | 0x40 | 0x80 | 0x100 | 0x200;

pub fn valid(_: &Facts, opened: &Opened) -> Result<(), Failed> {
    opened.scene.validate().map_err(|error| error.to_string())?;
    let mut reported = HashSet::new();
    for finding in &opened.findings {
        ensure(reported.insert(&finding.message), || {
            format!("reported twice: {}", finding.message)
        })?;
        let is_error = finding.severity == Severity::Error;
        ensure(!is_error, || format!("an error: {}", finding.message))?;
    }
    Ok(())
}

pub fn triangles(facts: &Facts, Opened { scene, level, .. }: &Opened) -> Result<(), Failed> {
    let map = &level.map;
    let all: usize = map.faces.iter().map(|face| n_triangles(map, face)).sum();
    ensure(all == facts.all_triangles, || {
        format!("{all} triangles in the file")
    })?;
    let drawn = |model: usize| -> usize {
        let model = &map.models[model];
        let faces = map.faces.iter().skip(model.first_face as usize);
        let faces = faces
            .take(model.n_faces as usize)
            .filter(|face| is_drawn(map, face));
        faces.map(|face| n_triangles(map, face)).sum()
    };
    let world = n_drawn(scene, &scene.meshes[0]);
    ensure(world == drawn(0), || {
        format!("{world} triangles of the world, not {}", drawn(0))
    })?;
    for model in &scene.models {
        let Some(number) = model.name.strip_prefix('*') else {
            continue;
        };
        let number: usize = number.parse()?;
        let found = n_drawn(scene, &model.mesh);
        ensure(found == drawn(number), || {
            format!("{found} triangles of model {number}, not {}", drawn(number))
        })?;
    }
    Ok(())
}

/// Polygons are cut to as many, primitives or not; a displacement has two for each cell.
fn n_triangles(map: &Map, face: &Face) -> usize {
    match usize::try_from(face.disp_info) {
        Ok(displacement) => 2 << (2 * map.disp_infos[displacement].power),
        Err(_) => face.n_edges as usize - 2,
    }
}

fn is_drawn(map: &Map, face: &Face) -> bool {
    let texinfo = &map.texinfos[face.texinfo as usize];
    let texdata = &map.texdata[texinfo.texdata as usize];
    let start = map.texture_name_offsets[texdata.name as usize] as usize;
    let name = map.texture_names[start..].split(|byte| *byte == 0).next();
    let name = name.unwrap_or_default().to_ascii_lowercase();
    let is_tool = name.starts_with(b"tools/") && !name.starts_with(b"tools/toolsblack");
    texinfo.flags & HIDDEN == 0 && !is_tool
}

/// Triangles of all surfaces, without what is laid over them.
fn n_drawn(scene: &Scene, mesh: &Mesh) -> usize {
    let is_surface = |batch: &&ironlands_scene::Batch| {
        let passes = &scene.materials[batch.material.0 as usize].passes;
        passes.iter().any(|pass| pass.kind != PassKind::Detail)
    };
    let batches = mesh.batches.iter().filter(is_surface);
    batches.map(|batch| batch.n_indices as usize / 3).sum()
}

pub fn fronts(_: &Facts, Opened { scene, .. }: &Opened) -> Result<(), Failed> {
    let meshes = scene
        .meshes
        .iter()
        .chain(scene.models.iter().map(|it| &it.mesh));
    for mesh in meshes {
        for triangle in mesh.indices.as_chunks::<3>().0 {
            let [a, b, c] = triangle.map(|index| mesh.positions[index as usize].map(f64::from));
            let [ab, ac] = [b, c].map(|p| [p[0] - a[0], p[1] - a[1], p[2] - a[2]]);
            let front = [
                ab[1] * ac[2] - ab[2] * ac[1],
                ab[2] * ac[0] - ab[0] * ac[2],
                ab[0] * ac[1] - ab[1] * ac[0],
            ];
            let area = front.iter().map(|v| v * v).sum::<f64>().sqrt();
            for index in triangle {
                let normal = mesh.normals[*index as usize].map(f64::from);
                let length = normal.iter().map(|v| v * v).sum::<f64>().sqrt();
                ensure((length - 1.0).abs() < 1e-3, || {
                    format!("{normal:?} is no unit normal")
                })?;
                let cos: f64 = (0..3).map(|axis| front[axis] * normal[axis]).sum();
                // Smooth normals lean by less than the compiler's 45 degrees; those of displacements by more.
                let most = if area < 1e-3 { -1.0 } else { 0.0 };
                ensure(cos / area.max(1e-9) > most, || {
                    format!("{}: a triangle at {a:?} is seen from behind", mesh.name)
                })?;
            }
        }
    }
    Ok(())
}

pub fn clusters(_: &Facts, Opened { scene, .. }: &Opened) -> Result<(), Failed> {
    let n_cells = scene.visibility.as_ref().map_or(0, |it| it.n_cells());
    for mesh in &scene.meshes {
        let mut drawn = vec![0; mesh.indices.len()];
        for cluster in &mesh.clusters {
            let rises = cluster.cells.windows(2).all(|pair| pair[0] < pair[1]);
            let exist = cluster.cells.iter().all(|cell| (*cell as usize) < n_cells);
            ensure(rises && exist && !cluster.cells.is_empty(), || {
                format!("cells {:?}", cluster.cells)
            })?;
            let lod = cluster.lods[0].clone();
            for batch in &mesh.batches[lod.start as usize..lod.end as usize] {
                let first = batch.first_index as usize;
                let range = first..first + batch.n_indices as usize;
                for (n_times, index) in drawn[range.clone()].iter_mut().zip(range) {
                    *n_times += 1;
                    let at = mesh.positions[mesh.indices[index] as usize];
                    let (min, max) = (cluster.bounds.min, cluster.bounds.max);
                    let inside = (0..3).all(|axis| min[axis] <= at[axis] && at[axis] <= max[axis]);
                    ensure(inside, || {
                        format!("{at:?} lies outside of {:?}", cluster.bounds)
                    })?;
                }
            }
        }
        ensure(drawn.iter().all(|n| *n == 1), || {
            "not all is drawn once".to_owned()
        })?;
        let by_index: Vec<_> = {
            let mut batches = mesh.batches.clone();
            batches.sort_by_key(|batch| batch.first_index);
            batches.iter().map(|batch| batch.material).collect()
        };
        ensure(by_index.is_sorted(), || {
            "indices do not go by material".to_owned()
        })?;
    }
    Ok(())
}

pub fn visibility(facts: &Facts, Opened { scene, .. }: &Opened) -> Result<(), Failed> {
    let visibility = scene.visibility.as_ref().ok_or("no visibility")?;
    let cell = visibility.cell_at(facts.eye);
    ensure(cell == Some(facts.cluster), || {
        format!("the eye is in {cell:?}")
    })?;
    let mut seen = Vec::new();
    visibility.visible_from(cell, &mut seen);
    let n_seen = seen.iter().filter(|seen| **seen).count();
    ensure(n_seen == facts.n_seen, || {
        format!("{n_seen} cells are seen")
    })
}

pub fn spawns(facts: &Facts, Opened { scene, level, .. }: &Opened) -> Result<(), Failed> {
    // The camera of a background map comes before the players.
    let is_camera = |name: &str| {
        let cameras = level.entities.of_class("point_viewcontrol");
        cameras.filter_map(|it| it.name()).any(|it| it == name)
    };
    let has_camera = facts.file.contains("background");
    let n_cameras = scene.spawns.iter().filter(|it| is_camera(&it.name)).count();
    ensure(n_cameras == usize::from(has_camera), || {
        format!("{n_cameras} cameras to start from")
    })?;
    let first = scene.spawns.get(n_cameras).ok_or("no spawn")?;
    let near = (0..3).all(|axis| (first.position[axis] - facts.eye[axis]).abs() < 1e-3);
    ensure(near, || {
        format!("the first spawn is at {:?}", first.position)
    })
}

pub fn surroundings(facts: &Facts, Opened { scene, .. }: &Opened) -> Result<(), Failed> {
    if facts.file != "css-test.bsp" {
        return Ok(());
    }
    // Sections 8.3 and 11.7.
    let near = |a: [f32; 3], b: [f32; 3]| (0..3).all(|i| (a[i] - b[i]).abs() < 1e-3);
    let sun = scene.sun;
    ensure(
        near(sun.direction_to_sun, [-0.3657, -0.3410, 0.8660]),
        || format!("{sun:?}"),
    )?;
    let linear = sun.color.map(|shown| ((shown + 0.055) / 1.055).powf(2.4));
    ensure(near(linear, [2.2509, 2.0844, 1.6263]), || {
        format!("{linear:?}")
    })?;
    let backdrop = scene.backdrop.as_ref().ok_or("no backdrop")?;
    // The table has these numbers to one and two digits.
    let expected = [15222.9, -15568.3, 141.54];
    let at = backdrop.origin;
    let near = (0..3).all(|axis| (at[axis] - expected[axis]).abs() < 0.06);
    ensure(near, || format!("the backdrop is at {at:?}"))?;
    ensure(backdrop.scale == 2.0, || {
        format!("its scale is {}", backdrop.scale)
    })?;
    // Nine leaves, each a cell of its own.
    ensure(backdrop.cells.len() == 9, || {
        format!("it has the cells {:?}", backdrop.cells)
    })
}
