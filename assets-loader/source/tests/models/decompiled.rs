//! Each map as an editor file: its text, its solids, its sides.

use std::collections::BTreeMap;

use glam::{DVec3, Vec3};
use ironlands_assets_source::bsp::{Face, SurfaceFlags};
use ironlands_assets_source::decompile::{original_material, side_polygons, to_vmf};
use ironlands_assets_source::vmf::{Solid, Vmf};
use libtest_mimic::Failed;

use super::solids::{Polygon, polygons as polygons_of};
use super::{Subject, same};

/// How far a corner may be off, in units (section 12.2).
const NEAR: f64 = 0.5;

/// The map as its own text is read again.
fn vmf(subject: &Subject) -> Result<Vmf, Failed> {
    let (vmf, _) = to_vmf(&subject.map, &subject.entities, &subject.props);
    Ok(Vmf::read(&vmf.write()?)?)
}

fn solids(vmf: &Vmf) -> impl Iterator<Item = &Solid> {
    let entities = [&vmf.world].into_iter().chain(&vmf.entities);
    entities.flat_map(|entity| &entity.solids)
}

fn is_displaced(solid: &Solid) -> bool {
    solid.sides.iter().any(|side| side.displacement.is_some())
}

pub(super) fn round_trip(subject: &Subject) -> Result<(), Failed> {
    let (vmf, findings) = to_vmf(&subject.map, &subject.entities, &subject.props);
    same("findings", findings, Vec::new())?;
    let text = vmf.write()?;
    let again = Vmf::read(&text)?;
    same("value", again == vmf, true)?;
    same("text", again.write()? == text, true)?;
    same("problems", again.check(), Vec::new())
}

pub(super) fn counts(subject: &Subject) -> Result<(), Failed> {
    let vmf = vmf(subject)?;
    let n_displaced = solids(&vmf).filter(|solid| is_displaced(solid)).count();
    let n_of_world = vmf.world.solids.len() - n_displaced;
    let n_of_others = solids(&vmf).count() - vmf.world.solids.len();
    let found = (n_of_world, n_of_others, n_displaced);
    same("solids", found, subject.expected.solids)?;
    same(
        "all brushes",
        n_of_world + n_of_others,
        subject.map.brushes.len(),
    )?;
    let mut classes = BTreeMap::new();
    for entity in &vmf.entities {
        *classes.entry(entity.class().to_owned()).or_insert(0) += 1;
    }
    let n = |class: &str| classes.get(class).copied().unwrap_or(0);
    same("props", n("prop_static"), subject.props.props.len())?;
    same("cubemaps", n("env_cubemap"), subject.map.cubemaps.len())?;
    let n_made = n("prop_static")
        + n("env_cubemap")
        + n("func_detail")
        + n("func_ladder")
        + n("info_lighting");
    let n_entities = subject.entities.entities.len();
    same(
        "entities with the world",
        vmf.entities.len() - n_made + 1,
        n_entities,
    )?;
    let outputs = vmf
        .entities
        .iter()
        .filter_map(|entity| entity.connections.as_ref());
    let n_outputs: usize = outputs.map(|connections| connections.outputs.len()).sum();
    let expected = subject
        .entities
        .entities
        .iter()
        .map(|entity| entity.outputs().len())
        .sum();
    same("outputs", n_outputs, expected)
}

/// Every polygon of a brush is that of a side in the text, corner by corner, and the other way round.
pub(super) fn polygons(subject: &Subject) -> Result<(), Failed> {
    let vmf = vmf(subject)?;
    let map = &subject.map;
    let found: Vec<Polygon<'_>> = solids(&vmf)
        .filter(|solid| !is_displaced(solid))
        .flat_map(polygons_of)
        .collect();
    let mut n_expected = 0;
    for (model, origin) in origins(subject) {
        for brush in map.world_brushes(model) {
            for polygon in side_polygons(map, brush as usize) {
                let corners: Vec<DVec3> = polygon
                    .points
                    .iter()
                    .map(|p| DVec3::from(*p) + origin)
                    .collect();
                let is_same = |found: &&Polygon<'_>| {
                    let near = |a: &DVec3, b: &DVec3| a.distance(*b) <= NEAR;
                    corners
                        .iter()
                        .all(|a| found.corners.iter().any(|b| near(a, b)))
                        && found
                            .corners
                            .iter()
                            .all(|a| corners.iter().any(|b| near(a, b)))
                };
                if !found.iter().any(|found| is_same(&found)) {
                    return Err(format!("brush {brush}: no side has {corners:?}").into());
                }
                n_expected += 1;
            }
        }
    }
    same("sides", found.len(), n_expected)
}

/// Every face that is seen lies, with its texture as it was, on a side of the text.
pub(super) fn faces(subject: &Subject) -> Result<(), Failed> {
    let vmf = vmf(subject)?;
    let map = &subject.map;
    let sides: Vec<Polygon<'_>> = solids(&vmf)
        .filter(|solid| !is_displaced(solid))
        .flat_map(polygons_of)
        .collect();
    let (mut n_seen, mut without) = (0, Vec::new());
    for (model, origin) in origins(subject) {
        let model = map.models[model];
        for index in model.first_face..model.first_face + model.n_faces {
            let face = &map.faces[index as usize];
            if face.disp_info >= 0 || !is_seen(subject, face) {
                continue;
            }
            n_seen += 1;
            let points = points_of(&map.ring(face));
            let is_covered = |point: &DVec3| {
                let mut sides = sides.iter();
                sides.any(|side| lies_on(subject, face, (*point, origin), side))
            };
            if !points.iter().all(is_covered) {
                without.push(index);
            }
        }
    }
    same(
        &format!("faces, faces without a side (of {without:?})"),
        (n_seen, without.len()),
        subject.expected.faces,
    )
}

fn is_seen(subject: &Subject, face: &Face) -> bool {
    let texinfo = usize::try_from(face.texinfo)
        .ok()
        .and_then(|index| subject.map.texinfos.get(index));
    texinfo.is_some_and(|texinfo| SurfaceFlags::from_bits_retain(texinfo.flags).is_visible())
}

/// Points all over a face. The compiler joins faces of several brushes, so each point may lie on another side.
fn points_of(ring: &[[f32; 3]]) -> Vec<DVec3> {
    const STEPS: i32 = 6;
    let ring: Vec<DVec3> = ring.iter().map(|p| Vec3::from(*p).as_dvec3()).collect();
    let triangles = ring[1..].windows(2).map(|pair| [ring[0], pair[0], pair[1]]);
    let points = triangles.flat_map(|[a, b, c]| {
        let steps = (0..=STEPS).flat_map(|i| (0..=STEPS - i).map(move |j| (i, j)));
        steps.map(move |(i, j)| {
            let [i, j] = [i, j].map(|step| f64::from(step) / f64::from(STEPS));
            a + (b - a) * i + (c - a) * j
        })
    });
    points.collect()
}

/// Whether a point of a face is within half a unit of the side's polygon, which looks the same way and has the same
/// material and texels there.
fn lies_on(
    subject: &Subject,
    face: &Face,
    (point, origin): (DVec3, DVec3),
    polygon: &Polygon<'_>,
) -> bool {
    let map = &subject.map;
    let normal = Vec3::from(map.planes[face.plane as usize].normal).as_dvec3();
    if normal.dot(polygon.normal) < 0.999 || polygon.distance(point + origin) > NEAR {
        return false;
    }
    let texinfo = map.texinfos[face.texinfo as usize];
    let name = map.texture_name(face.texinfo).unwrap_or_default();
    let axes = [polygon.side.u_axis, polygon.side.v_axis];
    let mut texels = axes
        .into_iter()
        .zip(texinfo.texture_vecs)
        .map(|(axis, [x, y, z, shift])| {
            let reported = DVec3::from(axis.axis).dot(point + origin) / axis.scale + axis.shift;
            let stored = Vec3::new(x, y, z).as_dvec3().dot(point) + f64::from(shift);
            (reported - stored).abs()
        });
    polygon.side.material == original_material(&name).0 && texels.all(|off| off <= NEAR)
}

/// Each model with the place of its entity.
fn origins(subject: &Subject) -> Vec<(usize, DVec3)> {
    let of_entities = subject.entities.entities.iter().filter_map(|entity| {
        let origin = entity.origin().unwrap_or_default();
        Some((entity.brush_model()?, Vec3::from(origin).as_dvec3()))
    });
    [(0, DVec3::ZERO)].into_iter().chain(of_entities).collect()
}
