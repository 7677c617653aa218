//! Lumps 22 to 25 and 28: portals of the compiler, hulls of props, brushes of faces, physics of displacements.

use std::collections::HashSet;

use glam::Vec3;

use super::Findings;
use crate::bsp::map::{FaceBrushes, Map, PropCollision, ReusedLumps, Uncertain, VisPortals};

/// Largest distance of a corner from the plane of its portal, in units: that of faces whose corners are welded.
const MAX_OFF_PLANE: f32 = 1.0;

pub(super) fn check(map: &Map, findings: &mut Findings) {
    match &map.reused_lumps {
        Uncertain::Typed(ReusedLumps::Empty) => {}
        Uncertain::Typed(ReusedLumps::Portals(portals)) => check_portals(portals, map, findings),
        Uncertain::Typed(ReusedLumps::PropCollision(props)) => check_props(props, findings),
        Uncertain::Typed(ReusedLumps::FaceBrushes(lists)) => {
            check_face_brushes(lists, map, findings);
        }
        Uncertain::Bytes { reason } => {
            findings.note(
                "lumps 22 to 25 hold what is documented",
                [reason.clone()].into_iter(),
            );
        }
    }
    match &map.disp_hulls {
        Uncertain::Typed(hulls) => {
            let n_hulls = hulls.hulls.as_ref().map(Vec::len);
            let n_disps = map.disp_infos.len();
            let wrong = n_hulls.filter(|n_hulls| *n_hulls != n_disps);
            findings.expect(
                "physics of displacements is there for each",
                wrong.map(|n| format!("{n} for {n_disps}")).into_iter(),
            );
        }
        Uncertain::Bytes { reason } => {
            findings.note(
                "lump 28 holds what is documented",
                [reason.clone()].into_iter(),
            );
        }
    }
}

/// Clusters with a portal between them see each other. `sees` says whether one of two clusters of the visibility data
/// sees the other.
pub(super) fn check_sight(map: &Map, sees: impl Fn(usize, usize) -> bool, findings: &mut Findings) {
    let Some(ReusedLumps::Portals(portals)) = map.reused_lumps.typed() else {
        return;
    };
    let portals = portals.portals.iter().enumerate();
    let blind = portals.filter(|(_, portal)| {
        let [a, b] = portal.clusters.map(usize::from);
        !sees(a, b) || !sees(b, a)
    });
    findings.expect(
        "clusters see each other through their portal",
        blind.map(|(i, portal)| format!("portal {i}, clusters {:?}", portal.clusters)),
    );
}

fn check_portals(lumps: &VisPortals, map: &Map, findings: &mut Findings) {
    let portals = || lumps.portals.iter().enumerate();
    let thin = portals().filter(|(_, portal)| portal.n_vertices < 3);
    findings.expect(
        "a portal has three corners or more",
        thin.map(|(i, portal)| format!("portal {i}, {}", portal.n_vertices)),
    );
    let same = portals().filter(|(_, portal)| {
        let [a, b] = portal.clusters;
        a == b
    });
    findings.expect(
        "a portal lies between two clusters",
        same.map(|(i, portal)| format!("portal {i}, {:?}", portal.clusters)),
    );
    let off_plane = portals().filter_map(|(i, portal)| {
        let plane = usize::try_from(portal.plane).ok();
        let plane = plane.and_then(|plane| map.planes.get(plane))?;
        let corners = lumps.vertices_of(portal).iter();
        let corners = corners.filter_map(|index| map.vertices.get(usize::from(*index)));
        let off = corners.map(|corner| {
            let along = Vec3::from(plane.normal).dot(Vec3::from(*corner));
            (along - plane.dist).abs()
        });
        let off = off.fold(0.0, f32::max);
        (off > MAX_OFF_PLANE).then(|| format!("portal {i}, {off:?} units"))
    });
    findings.expect("the corners of a portal lie on its plane", off_plane);
    check_clusters(lumps, map, findings);
}

/// Both clusters of a portal list it, and no other does.
fn check_clusters(lumps: &VisPortals, map: &Map, findings: &mut Findings) {
    let mut n_lists = vec![0_u32; lumps.portals.len()];
    let mut strange = Vec::new();
    for (i, cluster) in lumps.clusters.iter().enumerate() {
        for index in lumps.portals_of(cluster) {
            let index = usize::from(*index);
            if let Some(n_lists) = n_lists.get_mut(index) {
                *n_lists = n_lists.saturating_add(1);
            }
            let portal = lumps.portals.get(index);
            if portal.is_some_and(|it| !it.clusters.iter().any(|it| usize::from(*it) == i)) {
                strange.push(format!("cluster {i}, portal {index}"));
            }
        }
    }
    let lost = n_lists.iter().enumerate().filter(|(_, n)| **n != 2);
    findings.expect(
        "both clusters of a portal list it",
        lost.map(|(i, n)| format!("portal {i}, {n} times")),
    );
    findings.expect("a cluster lists its own portals", strange.into_iter());
    let n_listed = lumps.clusters.len();
    let n_seen = map.visibility.as_ref().map(|it| it.row_offsets.len());
    let wrong = n_seen.filter(|n_seen| *n_seen != n_listed);
    findings.expect(
        "clusters of portals are those of visibility",
        wrong.map(|n| format!("{n_listed} for {n}")).into_iter(),
    );
}

fn check_props(lumps: &PropCollision, findings: &mut Findings) {
    let counts = [lumps.triangles.len(), lumps.hulls.len()];
    let [n_lists, n_hulls] = counts;
    let wrong = (n_lists != n_hulls).then(|| format!("{n_lists} for {n_hulls}"));
    findings.expect(
        "hulls of props have a list of triangles each",
        wrong.into_iter(),
    );
}

fn check_face_brushes(lumps: &FaceBrushes, map: &Map, findings: &mut Findings) {
    let (n_lists, n_faces) = (lumps.lists.len(), map.faces.len());
    let wrong = (n_lists != n_faces).then(|| format!("{n_lists} for {n_faces}"));
    findings.expect("brushes of faces are listed for each", wrong.into_iter());
    // Thousands of faces may claim one brush with thousands of sides.
    let brushes = (0_u32..).zip(&map.brushes);
    let sides =
        brushes.flat_map(|(i, brush)| map.sides_of(brush).iter().map(move |it| (i, it.plane)));
    let sides: HashSet<(u32, u32)> = sides.collect();
    let faces = map.faces.iter().zip(&lumps.lists).enumerate();
    let strange = faces.filter_map(|(i, (face, list))| {
        let mut brushes = lumps.brushes_of(list).iter();
        let brush = brushes.find(|brush| !sides.contains(&(**brush, face.plane)))?;
        Some(format!("face {i}, brush {brush}"))
    });
    findings.expect("the brushes of a face have a side on its plane", strange);
}
