//! Buildings on a small terrain, compared with what is known of each place without looking at triangles.

use std::collections::BTreeMap;
use std::sync::Arc;

use ironlands_scene::Affine;
use proptest::prelude::*;

use super::*;
use crate::bas::{InnerRing, Ring};
use crate::face_mask::FaceFlags;
use crate::land_msh::{Face, NONE};
use crate::test_level::{self, TILE_SIZE, TILES, WATER};
use ironlands_assets_core::bytes::Severity;

const SIDE: f32 = TILE_SIZE * TILES as f32;
/// Areas and heights of single-precision vertices, in units of a level of a hundred.
const EXACT: f64 = 2e-3;

/// An eight-sided basement around a square.
fn basement() -> Bas {
    let at = |[x, y]: [f32; 2]| [x, y, 0.0];
    let outer = [
        [9.0, -4.0],
        [9.0, 4.0],
        [5.0, 8.0],
        [-5.0, 8.0],
        [-9.0, 4.0],
        [-9.0, -4.0],
        [-5.0, -8.0],
        [5.0, -8.0],
    ];
    let inner = [[5.0, -4.0], [5.0, 4.0], [-5.0, 4.0], [-5.0, -4.0]];
    Bas {
        inner: vec![InnerRing {
            ring: Ring::new(inner.map(at).to_vec()),
            words: [vec![0; 4], vec![0; 4]],
        }],
        outer: vec![Ring::new(outer.map(at).to_vec())],
    }
}

fn turned([x, y]: [f32; 2], angle: f32) -> Affine {
    let (sin, cos) = angle.sin_cos();
    Affine([
        [cos, -sin, 0.0, x],
        [sin, cos, 0.0, y],
        [0.0, 0.0, 1.0, 7.0],
    ])
}

fn building(at: [f32; 2], angle: f32) -> Basement {
    Basement {
        name: "hut".to_owned(),
        bas: Arc::new(basement()),
        world_from_object: turned(at, angle),
        keeps_height: false,
    }
}

/// Ground with all chunks that a file has.
fn land(height: impl Fn(f32, f32) -> f32) -> LandMsh {
    let land = test_level::land(height);
    LandMsh {
        second_weights: Some(vec![1.0; land.positions.len()]),
        ..land
    }
}

fn hills(x: f32, y: f32) -> f32 {
    10.0 + 3.0 * (x * 0.11).sin() + 2.0 * (y * 0.07).cos()
}

fn double([x, y, z]: [f32; 3]) -> [f64; 3] {
    [x, y, z].map(f64::from)
}

fn corners(land: &LandMsh, face: &Face) -> [[f32; 3]; 3] {
    face.vertices
        .map(|vertex| land.positions[usize::from(vertex)])
}

fn area(land: &LandMsh, face: &Face) -> f64 {
    let [[ax, ay, _], [bx, by, _], [cx, cy, _]] = corners(land, face).map(double);
    0.5 * ((bx - ax) * (cy - ay) - (by - ay) * (cx - ax))
}

/// Faces of a level of detail without water.
fn faces(land: &LandMsh, lod: usize) -> Vec<Face> {
    let slots = (0..land.nodes.len()).filter_map(|tile| land.tile_slot(tile, lod));
    let faces = slots.flat_map(|slot| land.slot_faces(slot).to_vec());
    faces
        .filter(|face| !face.flags.contains(FaceFlags::WATER))
        .collect()
}

/// Heights of faces at a place, of those that a building made and of the others; their edges count.
fn heights(land: &LandMsh, faces: &[Face], [x, y]: [f64; 2]) -> [Vec<f64>; 2] {
    let mut found = [Vec::new(), Vec::new()];
    for face in faces {
        let [a, b, c] = corners(land, face).map(double);
        let turn =
            |p: [f64; 3], q: [f64; 3]| (q[0] - p[0]) * (y - p[1]) - (q[1] - p[1]) * (x - p[0]);
        let weights = [turn(b, c), turn(c, a), turn(a, b)];
        let whole: f64 = weights.iter().sum();
        if weights.iter().all(|weight| weight / whole >= -1e-7) {
            let z = (weights[0] * a[2] + weights[1] * b[2] + weights[2] * c[2]) / whole;
            let is_made = face.first_material == 0;
            found[usize::from(!is_made)].push(z);
        }
    }
    found
}

/// How deep a place is inside of a polygon that is convex, in world units; below 0 outside.
fn depth(polygon: &[[f64; 2]], [x, y]: [f64; 2]) -> f64 {
    let next = polygon.iter().cycle().skip(1);
    let depths = polygon.iter().zip(next).map(|([ax, ay], [bx, by])| {
        let (dx, dy) = (bx - ax, by - ay);
        (dx * (y - ay) - dy * (x - ax)) / dx.hypot(dy)
    });
    depths.fold(f64::INFINITY, f64::min)
}

/// The corners of the contours where a building stands: outer and inner.
fn polygons(building: &Basement) -> [Vec<[f64; 2]>; 2] {
    let Bas { inner, outer } = &*building.bas;
    [&outer[0], &inner[0].ring].map(|ring| {
        let corners = ring.corners[1..].iter();
        let placed = corners.map(|it| double(building.world_from_object.transform_point(*it)));
        placed.map(|[x, y, _]| [x, y]).collect()
    })
}

/// All that must hold of a level of detail of a terrain that one building has cut.
fn assert_cut(before: &LandMsh, cut: &CutLand, building: &Basement, lod: usize, height: f64) {
    let [outer, inner] = polygons(building);
    let land = &cut.land;
    let (old, new) = (faces(before, lod), faces(land, lod));
    let area_of = |is_made: bool| -> f64 {
        let of = new
            .iter()
            .filter(|face| (face.first_material == 0) == is_made);
        of.map(|face| area(land, face)).sum()
    };
    let whole: f64 = old.iter().map(|face| area(before, face)).sum();
    let outer_area = building.bas.outer[0].area();
    let inner_area = building.bas.inner[0].ring.area();
    assert!(
        (area_of(true) - (outer_area - inner_area)).abs() < 0.05,
        "{}",
        area_of(true)
    );
    assert!(
        (area_of(false) - (whole - outer_area)).abs() < 0.05,
        "{}",
        area_of(false)
    );

    // No cracks: an edge that only one face has is the border of the map or the inner contour.
    let mut edges: BTreeMap<_, u32> = BTreeMap::new();
    for face in &new {
        let corners = corners(land, face);
        for edge in 0..3 {
            let mut ends = [corners[edge], corners[(edge + 1) % 3]].map(|it| it.map(f32::to_bits));
            ends.sort_unstable();
            *edges.entry(ends).or_default() += 1;
        }
    }
    for (ends, n_faces) in edges {
        let ends = ends.map(|end| double(end.map(f32::from_bits)));
        let on_border = |axis: usize| {
            [0.0, f64::from(SIDE)]
                .iter()
                .any(|side| ends.iter().all(|end| end[axis] == *side))
        };
        let on_inner = ends
            .iter()
            .all(|[x, y, z]| depth(&inner, [*x, *y]).abs() < EXACT && (z - height).abs() < EXACT);
        let is_open = on_border(0) || on_border(1) || on_inner;
        assert_eq!(n_faces, if is_open { 1 } else { 2 }, "{ends:?}");
    }

    for step in 0..1600 {
        let place = [step % 40, step / 40].map(|k| (f64::from(k) + 0.37) * f64::from(SIDE) / 40.0);
        let [made, kept] = heights(land, &new, place);
        let [in_outer, in_inner] = [&outer, &inner].map(|it| depth(it, place));
        if in_outer < -EXACT {
            let [_, expected] = heights(before, &old, place);
            assert!(made.is_empty() && !kept.is_empty(), "{place:?}");
            assert!(
                kept.iter().all(|z| (z - expected[0]).abs() < EXACT),
                "{place:?}"
            );
        } else if in_inner > EXACT {
            assert_eq!((made.len(), kept.len()), (0, 0), "{place:?}");
        } else if in_outer > EXACT && in_inner < -EXACT {
            assert!(!made.is_empty() && kept.is_empty(), "{place:?}");
        }
    }
    // Along the outer contour the foundation joins the land.
    for (from, to) in outer.iter().zip(outer.iter().cycle().skip(1)) {
        for part in [0.0, 0.21, 0.5, 0.83] {
            let place = [0, 1].map(|k| from[k] + (to[k] - from[k]) * part);
            let [_, expected] = heights(before, &old, place);
            let inward = [0, 1].map(|k| {
                let middle = outer.iter().map(|it| it[k]).sum::<f64>() / outer.len() as f64;
                place[k] + (middle - place[k]) * 1e-4
            });
            let [made, _] = heights(land, &new, inward);
            assert!(
                (made[0] - expected[0]).abs() < 0.02,
                "{place:?} {made:?} {expected:?}"
            );
        }
    }
}

/// The mean height of the corners of the outer contour and of where it crosses edges of the land, found edge by edge.
fn mean_height(land: &LandMsh, building: &Basement) -> f64 {
    let [outer, _] = polygons(building);
    let old = faces(land, 0);
    let mut points: Vec<[f64; 2]> = outer.clone();
    for (from, to) in outer.iter().zip(outer.iter().cycle().skip(1)) {
        for face in &old {
            let corners = corners(land, face).map(double);
            for edge in 0..3 {
                let (a, b) = (corners[edge], corners[(edge + 1) % 3]);
                let (dx, dy) = (to[0] - from[0], to[1] - from[1]);
                let (ex, ey) = (b[0] - a[0], b[1] - a[1]);
                let turned = dx * ey - dy * ex;
                let t = ((a[0] - from[0]) * ey - (a[1] - from[1]) * ex) / turned;
                let s = ((a[0] - from[0]) * dy - (a[1] - from[1]) * dx) / turned;
                if (0.0..=1.0).contains(&t) && (0.0..=1.0).contains(&s) {
                    points.push([from[0] + dx * t, from[1] + dy * t]);
                }
            }
        }
    }
    points.sort_by(|a, b| a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1])));
    points.dedup_by(|a, b| (a[0] - b[0]).abs() < 1e-6 && (a[1] - b[1]).abs() < 1e-6);
    let heights = points.iter().map(|it| heights(land, &old, *it)[1][0]);
    heights.sum::<f64>() / points.len() as f64
}

fn assert_sound(land: &LandMsh) {
    let findings = land.check();
    let bad: Vec<_> = findings
        .iter()
        .filter(|it| it.severity != Severity::Note)
        .collect();
    assert!(bad.is_empty(), "{bad:?}");
    let read = LandMsh::read(&land.write().unwrap()).unwrap();
    assert_eq!(read.faces, land.faces);
    for (idx, face) in land.faces.iter().enumerate() {
        for (neighbor, class) in face.neighbors.into_iter().zip(face.edge_classes()) {
            if neighbor == NONE {
                assert_eq!(class, 3);
                continue;
            }
            let back = land.faces[usize::from(neighbor)].neighbors[usize::from(class)];
            assert_eq!(usize::from(back), idx);
        }
    }
}

#[test]
fn land_ends_at_the_outer_contour_and_foundations_lead_to_the_inner_one() {
    let before = land(hills);
    // In the middle of a tile, over a corner of four, along the edges of faces, and over their diagonals.
    let places = [
        ([44.0, 51.0], 0.3),
        ([32.0, 64.0], 0.0),
        ([41.0, 40.0], 0.0),
        ([48.0, 48.0], std::f32::consts::FRAC_PI_4),
        ([15.0, 80.0], 2.0),
    ];
    for (at, angle) in places {
        let building = building(at, angle);
        let Foundations {
            cut,
            rises,
            findings,
        } = Foundations::new(&before, std::slice::from_ref(&building));
        assert_eq!(findings, [], "{at:?}");
        let cut = cut.unwrap();
        let height = mean_height(&before, &building);
        assert!(
            (f64::from(rises[0]) - (height - 7.0)).abs() < EXACT,
            "{at:?}: {rises:?}, {height}"
        );
        for lod in 0..2 {
            assert_cut(&before, &cut, &building, lod, height);
        }
        assert_sound(&cut.land);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]
    #[test]
    fn wherever_a_building_stands_the_land_around_it_stays(
        x in 13.0_f32..83.0, y in 13.0_f32..83.0, angle in 0.0_f32..6.3,
    ) {
        let before = land(hills);
        let building = building([x, y], angle);
        let Foundations { cut, findings, .. } =
            Foundations::new(&before, std::slice::from_ref(&building));
        prop_assert_eq!(findings, []);
        let height = mean_height(&before, &building);
        let cut = cut.unwrap();
        assert_cut(&before, &cut, &building, 0, height);
        assert_cut(&before, &cut, &building, 1, height);
        assert_sound(&cut.land);
    }
}

#[test]
fn what_stays_is_the_face_of_the_file_or_a_part_of_it() {
    let before = land(hills);
    let cut = Foundations::new(&before, &[building([44.0, 51.0], 0.3)])
        .cut
        .unwrap();
    let CutLand { land, sources } = &cut;
    assert_eq!(sources.len(), land.faces.len());
    for (face, source) in land.faces.iter().zip(sources) {
        let made = (
            face.first_material,
            face.second_material,
            face.flags.bits(),
            *source,
        );
        let Some(source) = source else {
            assert_eq!(made, (0, 0xFF, 0x300, None));
            for vertex in face.vertices.map(usize::from) {
                assert_eq!(land.normals[vertex], [0; 4]);
                let [x, y, _] = land.positions[vertex];
                let uv = crate::land_msh::unpack_uv(land.uv0[vertex]);
                for (found, place) in uv.into_iter().zip([x, y]) {
                    let turns = found - place * 0.066;
                    assert!((turns - turns.round()).abs() < 2e-3, "{turns}");
                }
            }
            continue;
        };
        let old = before.faces[usize::from(*source)];
        assert_eq!(
            (face.first_material, face.second_material, face.flags),
            (old.first_material, old.second_material, old.flags)
        );
        for vertex in face.vertices.map(usize::from) {
            let [x, y, _] = land.positions[vertex];
            let [u, v] = crate::land_msh::unpack_uv(land.uv0[vertex]);
            let expected = [x, y].map(|it| it * test_level::UV_PER_UNIT);
            assert!((u - expected[0]).abs() < 2e-3 && (v - expected[1]).abs() < 2e-3);
        }
    }
}

#[test]
fn a_building_that_keeps_its_height_stays_there() {
    let before = land(hills);
    let bridge = Basement {
        keeps_height: true,
        ..building([50.0, 40.0], 1.0)
    };
    let Foundations { cut, rises, .. } = Foundations::new(&before, std::slice::from_ref(&bridge));
    assert_eq!(rises, [0.0]);
    assert_cut(&before, &cut.unwrap(), &bridge, 0, 7.0);
}

#[test]
fn water_over_a_building_is_cut_and_not_closed() {
    let mut before = land(hills);
    let range = before.slot_face_range(before.tile_slot(4, 0).unwrap());
    for face in &mut before.faces[range] {
        face.first_material = WATER;
        face.flags = FaceFlags::WATER;
    }
    // A bed below it, so that there is land all around.
    let bed = land(hills);
    let n_old = before.faces.len() as u16;
    let slot = *bed.tile_slot(4, 0).unwrap();
    let faces = bed.slot_faces(&slot).to_vec();
    before
        .face_keys
        .extend(bed.slot_face_keys(&slot).iter().zip(0..).map(|(key, n)| {
            crate::land_msh::FaceKey {
                face: n_old + n,
                ..*key
            }
        }));
    before.faces.extend(faces);
    let last = before.slots.len() as u16;
    before.slots.push(crate::slots::Slot {
        tri_start: n_old,
        ..slot
    });
    before.nodes[8].slots[0] = last;
    let tile = f64::from(TILE_SIZE * TILE_SIZE);
    // Inside of the lake, and halfway beyond its shore.
    for (at, angle, share) in [([48.0, 48.0], 0.2, 1.0), ([64.0, 48.0], 0.0, 0.5)] {
        let building = building(at, angle);
        let Foundations { cut, findings, .. } =
            Foundations::new(&before, std::slice::from_ref(&building));
        assert_eq!(findings, []);
        let cut = cut.unwrap().land;
        let slot = *cut.tile_slot(4, 0).unwrap();
        let faces = cut.slot_faces(&slot).iter();
        let water = faces.filter(|face| face.flags.contains(FaceFlags::WATER));
        let water: f64 = water.map(|face| area(&cut, face)).sum();
        let expected = tile - share * building.bas.outer[0].area();
        assert!((water - expected).abs() < 0.05, "{water} {expected}");
    }
}

#[test]
fn buildings_side_by_side_share_the_land() {
    let before = land(hills);
    let both = [building([30.0, 40.0], 0.1), building([49.5, 41.0], 0.7)];
    let Foundations { cut, findings, .. } = Foundations::new(&before, &both);
    assert_eq!(findings, []);
    let land = cut.unwrap().land;
    assert_sound(&land);
    let total: f64 = faces(&land, 0).iter().map(|face| area(&land, face)).sum();
    let holes = 2.0 * both[0].bas.inner[0].ring.area();
    assert!(
        (total - (f64::from(SIDE * SIDE) - holes)).abs() < 0.1,
        "{total}"
    );
}

#[test]
fn what_does_not_fit_leaves_the_land_as_it_is() {
    let before = land(hills);
    let refused = |edit: fn(&mut Basement)| {
        let mut building = building([44.0, 51.0], 0.3);
        edit(&mut building);
        let Foundations {
            cut,
            rises,
            findings,
        } = Foundations::new(&before, &[building]);
        assert_eq!((cut, rises), (None, vec![0.0]));
        let [finding] = &findings[..] else {
            panic!("{findings:?}");
        };
        finding.message.clone()
    };
    fn bas(building: &mut Basement) -> &mut Bas {
        Arc::make_mut(&mut building.bas)
    }
    let of = |reason: &str| format!("hut does not cut the land: {reason}");
    assert_eq!(
        refused(|it| it.world_from_object = turned([2.0, 50.0], 0.0)),
        of("the contour reaches beyond the land")
    );
    assert_eq!(
        refused(|it| it.world_from_object = turned([9e7, 50.0], 0.0)),
        of("a corner of a contour is too far away")
    );
    assert_eq!(
        refused(|it| it.world_from_object = turned([f32::NAN, 50.0], 0.0)),
        of("a corner of a contour is too far away")
    );
    assert_eq!(
        refused(|it| bas(it).outer.clear()),
        of("there are 0 outer contours, not one")
    );
    assert_eq!(
        refused(|it| bas(it).outer[0].corners.swap(1, 4)),
        of("a contour crosses itself or surrounds nothing")
    );
    assert_eq!(
        refused(|it| bas(it).inner[0].ring.corners[1] = [30.0, 0.0, 0.0]),
        of("the inner contour is not inside of the outer one")
    );
    let many = |it: &mut Basement| bas(it).outer[0].corners = vec![[0.0; 3]; 300];
    assert_eq!(refused(many), of("a contour has 299 corners, too many"));
}

#[test]
fn rings_may_go_either_way_around() {
    let before = land(hills);
    let there = building([44.0, 51.0], 0.3);
    let mut back = there.clone();
    let bas = Arc::make_mut(&mut back.bas);
    bas.outer[0].corners.reverse();
    bas.inner[0].ring.corners.reverse();
    let [there, back] = [there, back].map(|it| Foundations::new(&before, &[it]).rises[0]);
    assert!((there - back).abs() < 1e-4, "{there} {back}");
}
