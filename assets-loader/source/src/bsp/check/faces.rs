//! Planes, edges, faces and displacements.

use glam::Vec3;

use super::Findings;
use crate::bsp::map::{Face, Map, Plane};

/// Largest distance of a corner from the plane of its face, in units.
const MAX_OFF_PLANE: f32 = 0.16;
/// As far off its plane a corner may come where compilers weld it to another one; farther off, it is on another plane.
const MAX_WELDED_OFF_PLANE: f32 = 1.0;
/// Faces of less area, in units², are slivers that compilers leave beside T-junctions: they have no front.
const SLIVER_AREA: f32 = 0.5;
/// Largest difference between stored and real area, relative to it.
const MAX_AREA_ERROR: f32 = 0.003;
/// Rounding of a normal's length.
const MAX_LENGTH_ERROR: f32 = 1e-4;

pub(super) fn check(map: &Map, findings: &mut Findings) {
    check_planes(&map.planes, findings);
    check_edges(map, findings);
    for (name, faces) in [("face", &map.faces), ("HDR face", &map.faces_hdr)] {
        check_faces(map, name, faces, findings);
    }
    check_counts(map, findings);
    check_displacements(map, findings);
}

fn check_planes(planes: &[Plane], findings: &mut Findings) {
    let pairs = planes.chunks(2).enumerate();
    let unpaired = pairs.filter(|(_, pair)| match pair {
        [a, b] => Vec3::from(a.normal) != -Vec3::from(b.normal) || a.dist != -b.dist,
        _ => true,
    });
    findings.expect(
        "planes stand beside their opposites",
        unpaired.map(|(i, _)| format!("pair {i}")),
    );
    let planes = || planes.iter().enumerate();
    let not_unit =
        planes().filter(|(_, p)| (Vec3::from(p.normal).length() - 1.0).abs() > MAX_LENGTH_ERROR);
    findings.expect(
        "normals of planes have length 1",
        not_unit.map(|(i, p)| format!("plane {i}, {:?}", p.normal)),
    );
    let wrong = planes().filter(|(_, plane)| plane.kind != kind_of(plane.normal));
    findings.expect(
        "the type of a plane is its axis",
        wrong.map(|(i, p)| format!("plane {i}, {:?}, type {}", p.normal, p.kind)),
    );
}

/// Section 2.1: 0 to 2 on an axis, else 3 to 5 by the largest component; the first of equals.
#[expect(clippy::arithmetic_side_effects, reason = "an axis")]
fn kind_of(normal: [f32; 3]) -> i32 {
    let [x, y, z] = normal.map(f32::abs);
    let axis = if x >= y && x >= z {
        0
    } else if y >= z {
        1
    } else {
        2
    };
    let is_on_axis = x.max(y).max(z) == 1.0;
    if is_on_axis { axis } else { axis + 3 }
}

fn check_edges(map: &Map, findings: &mut Findings) {
    let dummy = map.edges.first().filter(|edge| edge.vertices != [0, 0]);
    findings.expect(
        "edge 0 is a dummy",
        dummy.iter().map(|edge| format!("{:?}", edge.vertices)),
    );
    let surfedges = map.surfedges.iter().enumerate();
    let dummies = surfedges.filter(|(_, surfedge)| **surfedge == 0);
    findings.expect(
        "edge 0 belongs to no face",
        dummies.map(|(i, _)| format!("surfedge {i}")),
    );
    let mut is_used = vec![[false; 2]; map.edges.len()];
    let mut twice = Vec::new();
    for (i, face) in map.faces.iter().enumerate() {
        for surfedge in map.surfedges_of(face) {
            let directions = is_used.get_mut(surfedge.unsigned_abs() as usize);
            let Some([forward, backward]) = directions else {
                continue;
            };
            let is_used = if *surfedge < 0 { backward } else { forward };
            if std::mem::replace(is_used, true) {
                twice.push((i, *surfedge));
            }
        }
    }
    findings.note(
        "an edge has one face on each side",
        twice
            .iter()
            .map(|(i, edge)| format!("face {i}, edge {edge}")),
    );
}

fn check_faces(map: &Map, name: &str, faces: &[Face], findings: &mut Findings) {
    let sides = faces.iter().enumerate();
    let wrong = sides.filter(|(_, face)| u32::from(face.side) != face.plane & 1);
    findings.expect(
        &format!("the side of a {name} is that of its plane"),
        wrong.map(|(i, face)| format!("{name} {i}, plane {}, side {}", face.plane, face.side)),
    );
    let (mut off_plane, mut welded, mut areas) = (Vec::new(), Vec::new(), Vec::new());
    let (mut turns, mut slivers) = (Vec::new(), Vec::new());
    for (i, face) in faces.iter().enumerate() {
        let ring = map.ring(face);
        let Some(plane) = map.planes.get(face.plane as usize) else {
            continue;
        };
        let off = ring.iter().map(|corner| plane.distance(*corner).abs());
        let off = off.fold(0.0, f32::max);
        if off > MAX_WELDED_OFF_PLANE {
            off_plane.push(format!("{name} {i}, {off:?} units"));
        } else if off > MAX_OFF_PLANE {
            welded.push(format!("{name} {i}, {off:?} units"));
        }
        let normal = area_normal(&ring);
        let area = normal.length();
        if normal.dot(Vec3::from(plane.normal)) >= 0.0 {
            match area < SLIVER_AREA {
                true => slivers.push(format!("{name} {i}")),
                false => turns.push(format!("{name} {i}")),
            }
        }
        if (area - face.area).abs() > MAX_AREA_ERROR * area {
            areas.push(format!("{name} {i}, stored {}, real {area}", face.area));
        }
    }
    findings.expect(
        &format!("the corners of a {name} lie on its plane"),
        off_plane.into_iter(),
    );
    findings.note(
        &format!("the corners of a {name} lie on its plane before they are welded"),
        welded.into_iter(),
    );
    findings.expect(
        &format!("a {name} is clockwise seen from the front"),
        turns.into_iter(),
    );
    findings.note(&format!("a {name} is no sliver"), slivers.into_iter());
    findings.note(
        &format!("the area of a {name} is stored"),
        areas.into_iter(),
    );
    let lost = faces.iter().enumerate().filter(|(_, face)| {
        usize::try_from(face.original_face).is_ok_and(|i| i >= map.original_faces.len())
    });
    findings.expect(
        &format!("the original of a {name} is there"),
        lost.map(|(i, face)| format!("{name} {i}, original {}", face.original_face)),
    );
}

/// Normal of a polygon to the side from which it is counter-clockwise, as long as its area.
fn area_normal(ring: &[[f32; 3]]) -> Vec3 {
    let Some(first) = ring.first().copied().map(Vec3::from) else {
        return Vec3::ZERO;
    };
    // Relative to a corner: coordinates are large, areas may be small.
    let corners = ring.iter().map(|corner| Vec3::from(*corner) - first);
    let next = corners.clone().skip(1);
    corners.zip(next).map(|(a, b)| a.cross(b)).sum::<Vec3>() / 2.0
}

/// Tables with one record for each of another one, and their sizes.
fn check_counts(map: &Map, findings: &mut Findings) {
    let n_ring_corners = map.faces.iter().map(|face| i64::from(face.n_edges)).sum();
    let of_faces = map.faces.len() as i64;
    let of_leaves = map.leaves.len() as i64;
    let counts: [(&str, usize, i64); 6] = [
        (
            "vertex normal indices",
            map.vertex_normal_indices.len(),
            n_ring_corners,
        ),
        ("face ids", map.face_ids.len(), of_faces),
        (
            "face macro textures",
            map.face_macro_texture.len(),
            of_faces,
        ),
        (
            "distances to water",
            map.leaf_min_dist_to_water.len(),
            of_leaves,
        ),
        ("ambient indices", map.ambient_index.len(), of_leaves),
        (
            "HDR ambient indices",
            map.ambient_index_hdr.len(),
            of_leaves,
        ),
    ];
    let wrong = counts
        .iter()
        .filter(|(_, n, expected)| *n != 0 && *n as i64 != *expected);
    findings.expect(
        "tables that go with others are as long",
        wrong.map(|(name, n, expected)| format!("{n} {name} for {expected}")),
    );
}

fn check_displacements(map: &Map, findings: &mut Findings) {
    let disps = || map.disp_infos.iter().enumerate();
    let face_of = |map_face: u32| map.faces.get(map_face as usize);
    let strangers = disps().filter(|(i, disp)| {
        face_of(disp.map_face).is_none_or(|face| usize::try_from(face.disp_info) != Ok(*i))
    });
    findings.expect(
        "a displacement and its face know each other",
        strangers.map(|(i, disp)| format!("displacement {i}, face {}", disp.map_face)),
    );
    let aside = disps().filter(|(_, disp)| {
        face_of(disp.map_face).is_some_and(|face| !map.ring(face).contains(&disp.start_position))
    });
    findings.expect(
        "a displacement starts at a corner of its face",
        aside.map(|(i, disp)| format!("displacement {i}, {:?}", disp.start_position)),
    );
}
