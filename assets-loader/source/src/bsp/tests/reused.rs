//! Lumps that games use in different ways: bytes of another kind keep no map from being read or written.

use super::rules::assert_reported;
use crate::bsp::test_map::{face_brushes, portals, sample_file, sample_map};
use crate::bsp::*;

const IDS: [LumpId; 4] = [
    LumpId::Portals,
    LumpId::Clusters,
    LumpId::PortalVerts,
    LumpId::ClusterPortals,
];

/// File version, lump, byte in it, new bytes, and what the reason names.
type Misfit = (u32, LumpId, usize, &'static [u8], &'static str);

#[test]
fn bytes_that_do_not_fit_stay_as_they_are() {
    const NEGATIVE: &[u8] = &[0xFF; 4];
    const NAN: &[u8] = &f32::NAN.to_le_bytes();
    let [first, second, third, fourth] = IDS;
    let rows: [Misfit; 17] = [
        (19, first, 0, &[1], "vertices of record 0 in lump Portals"),
        (
            19,
            first,
            4,
            NEGATIVE,
            "vertices of record 0 in lump Portals",
        ),
        (19, first, 8, &[14], "plane of record 0 in lump Portals"),
        (19, first, 14, &[2], "cluster of record 0 in lump Portals"),
        (19, second, 8, &[2], "portals of record 1 in lump Clusters"),
        (19, second, 4, &[2], "portals of record 1 in lump Clusters"),
        (19, third, 6, &[12], "index of record 3 in lump PortalVerts"),
        (
            19,
            fourth,
            2,
            &[1],
            "index of record 1 in lump ClusterPortals",
        ),
        (21, first, 0, &[3], "hulls of record 0 in lump Portals"),
        (
            21,
            second,
            20,
            &[5],
            "vertices of record 1 in lump Clusters",
        ),
        (21, third, 12, NAN, "point of record 1 in lump PortalVerts"),
        (25, first, 4, &[1], "index of record 1 in lump Portals"),
        (25, second, 4, &[1], "brush of record 0 in lump Clusters"),
        (25, second, 20, &[1], "brushes of record 2 in lump Clusters"),
        (20, LumpId::PhysDisp, 0, &[2], "displacement hull"),
        (
            20,
            LumpId::PhysDisp,
            2,
            &[4],
            "after the last displacement hull",
        ),
        (25, LumpId::PhysDisp, 2, &[1], "displacement hull sizes"),
    ];
    for (version, id, at, bytes, field) in rows {
        let mut file = sample_file(version);
        let mut lump = file.lump(id).to_vec();
        lump[at..at + bytes.len()].copy_from_slice(bytes);
        file.set_lump(id, file.lump_version(id), lump);
        assert_left_alone(&file, id, field);
    }
}

/// Asserts that a file can be read, that a lump of it is bytes for a reason, and that writing its content changes nothing.
fn assert_left_alone(file: &BspFile, id: LumpId, field: &str) {
    let mut file = BspFile::read(&file.write().unwrap()).unwrap();
    let map = Map::read(&file).unwrap();
    let reason = match id {
        LumpId::PhysDisp => reason_of(&map.disp_hulls),
        _ => reason_of(&map.reused_lumps),
    };
    assert!(reason.contains(field), "{field}: {reason}");
    let findings = map.check();
    let is_noted = |it: &ironlands_assets_core::bytes::Finding| it.message.contains(reason);
    assert!(findings.iter().any(is_noted), "{findings:?}");
    let before = file.clone();
    map.write_into(&mut file).unwrap();
    assert_eq!(file, before, "{field}");
}

fn reason_of<T>(lump: &Uncertain<T>) -> &str {
    match lump {
        Uncertain::Bytes { reason } => reason,
        Uncertain::Typed(_) => panic!("the bytes fit"),
    }
}

#[test]
fn parts_of_records_versions_and_foreign_lumps_stay_bytes() {
    for (version, id, lump_version, n_bytes, field) in [
        (19, LumpId::Portals, 0, 15, "length of lump Portals"),
        (20, LumpId::PortalVerts, 0, 9, "length of lump PortalVerts"),
        (21, LumpId::Clusters, 1, 32, "version 1 of lump Clusters"),
        (25, LumpId::Clusters, 0, 24, "version 0 of lump Clusters"),
        (25, LumpId::PortalVerts, 0, 1, "lump of no known use"),
        (20, LumpId::PhysDisp, 1, 4, "version 1 of lump PhysDisp"),
    ] {
        let mut file = sample_file(version);
        file.set_lump(id, lump_version, vec![0; n_bytes]);
        assert_left_alone(&file, id, field);
    }
}

#[test]
fn brushes_of_faces_are_narrow_in_version_21() {
    let lists = [1_u16, 0, 1, 0, 2, 0].map(u16::to_le_bytes).concat();
    let mut file = sample_file(21);
    for id in IDS {
        file.set_lump(id, 0, Vec::new());
    }
    file.set_lump(LumpId::Portals, 0, vec![0; 4]);
    file.set_lump(LumpId::Clusters, 0, lists);
    let map = Map::read(&file).unwrap();
    assert_eq!(
        map.reused_lumps,
        Uncertain::Typed(ReusedLumps::FaceBrushes(face_brushes()))
    );
    let mut again = file.clone();
    map.write_into(&mut again).unwrap();
    assert_eq!(again, file);
    // One list too many for the faces is none of them.
    let lists = [&[1, 0, 0, 0], file.lump(LumpId::Clusters)].concat();
    file.set_lump(LumpId::Clusters, 0, lists);
    assert_left_alone(&file, LumpId::Clusters, "length of lump Portals");
}

#[test]
fn one_brush_of_a_face_is_its_number_and_more_are_a_range() {
    let lumps = FaceBrushes {
        lists: Vec::new(),
        brushes: vec![5, 6, 7],
    };
    let brushes = |n_brushes, start| {
        let list = FaceBrushList { n_brushes, start };
        lumps.brushes_of(&list).to_vec()
    };
    assert_eq!(brushes(1, 900), [900]);
    assert_eq!(brushes(2, 1), [6, 7]);
    assert!(brushes(0, 1).is_empty());
    assert!(brushes(2, 2).is_empty(), "beyond the end");
}

/// Typed from dossier section 7.7: count, sizes, blobs.
#[test]
fn displacements_without_physics_have_the_largest_size() {
    let rows: [(u32, u32, &[u8]); 2] = [
        (20, 0, b"\x03\0\x02\0\xFF\xFF\x01\0abc"),
        (25, 2, b"\x03\0\0\0\x02\0\0\0\xFF\xFF\xFF\xFF\x01\0\0\0abc"),
    ];
    for (version, lump_version, lump) in rows {
        let mut file = sample_file(version);
        file.set_lump(LumpId::PhysDisp, lump_version, lump.to_vec());
        let mut map = Map::read(&file).unwrap();
        let hulls = vec![Some(b"ab".to_vec()), None, Some(b"c".to_vec())];
        let hulls = DispHulls { hulls: Some(hulls) };
        assert_eq!(map.disp_hulls, Uncertain::Typed(hulls));
        let findings = map.check();
        let rule = "physics of displacements is there for each: broken 1 times, first by 3 for 1";
        assert!(findings.iter().any(|it| it.message == rule), "{findings:?}");
        let before = file.clone();
        map.write_into(&mut file).unwrap();
        assert_eq!(file, before);
        // None of them is no lump of no bytes.
        let none = DispHulls {
            hulls: Some(Vec::new()),
        };
        map.disp_hulls = Uncertain::Typed(none);
        map.write_into(&mut file).unwrap();
        assert_eq!(
            file.lump(LumpId::PhysDisp),
            vec![0; if version == 20 { 2 } else { 4 }]
        );
    }
    let mut map = sample_map(20);
    for (n_bytes, words) in [(0xFFFF, "this one means none"), (0x1_0000, "65535")] {
        let hulls = Some(vec![Some(vec![0; n_bytes])]);
        map.disp_hulls = Uncertain::Typed(DispHulls { hulls });
        let error = map.write_into(&mut sample_file(20)).unwrap_err();
        assert_eq!(error.field, "displacement hull size");
        assert!(error.to_string().contains(words), "{error}");
    }
}

#[test]
fn lumps_of_another_version_are_not_written() {
    for (from, to) in [(20, 21), (21, 20), (25, 20), (21, 25)] {
        let mut map = sample_map(to);
        map.reused_lumps = sample_map(from).reused_lumps;
        let error = map.write_into(&mut sample_file(to)).unwrap_err();
        assert_eq!(error.field, "lump version", "{from} to {to}");
    }
}

/// A change of portals.
fn change(map: &mut Map, change: impl FnOnce(&mut VisPortals)) {
    let mut lumps = portals();
    change(&mut lumps);
    map.reused_lumps = Uncertain::Typed(ReusedLumps::Portals(lumps));
}

#[test]
fn broken_rules_of_portals_are_found() {
    let problems: [super::Problem; 7] = [
        ("clusters see each other through their portal", |m| {
            m.visibility.as_mut().unwrap().rows[1] = 2;
        }),
        ("a portal has three corners or more", |m| {
            change(m, |it| it.portals[0].n_vertices = 2);
        }),
        ("a portal lies between two clusters", |m| {
            change(m, |it| it.portals[0].clusters = [1, 1]);
        }),
        ("the corners of a portal lie on its plane", |m| {
            change(m, |it| it.vertex_indices[2] = 3);
        }),
        ("both clusters of a portal list it", |m| {
            change(m, |it| it.clusters[1].n_portals = 0);
        }),
        ("a cluster lists its own portals", |m| {
            change(m, |it| it.clusters.push(it.clusters[0]));
        }),
        ("clusters of portals are those of visibility", |m| {
            change(m, |it| it.clusters.push(VisCluster::default()));
        }),
    ];
    for (rule, problem) in problems {
        assert_reported(rule, 20, problem);
    }
}

#[test]
fn broken_rules_of_hulls_and_brushes_are_found() {
    assert_reported("hulls of props have a list of triangles each", 21, |m| {
        if let Uncertain::Typed(ReusedLumps::PropCollision(it)) = &mut m.reused_lumps {
            it.triangles.pop();
        }
    });
    assert_reported("brushes of faces are listed for each", 25, |m| {
        if let Uncertain::Typed(ReusedLumps::FaceBrushes(it)) = &mut m.reused_lumps {
            it.lists.pop();
        }
    });
    assert_reported("the brushes of a face have a side on its plane", 25, |m| {
        m.brush_sides[4].plane = 9;
    });
}
