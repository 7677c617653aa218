use ironlands_assets_proof::{Change, Damage, Fact, RecordPlace, Truncations, proof, set32};
use proptest::prelude::*;

use super::sample::{CHECKSUM, VTX_GROUPS, VTX_LODS, VTX_MESHES, VTX_STRIP, VTX_VERTICES, vtx};
use super::*;

proof! {
    VtmbVtx {
        facts: facts(),
        damage: damage(),
        truncations: Truncations::Refused,
        values: any_vtx(),
        growth: 64,
        runs: 2_000,
        records: [
            RecordPlace::from_fields(0, [
                ("version", 4), ("sizes of caches", 12), ("checksum", 4), ("lod count", 4),
                ("material replacements", 4), ("body part count", 4), ("body parts", 4),
            ]),
            RecordPlace::from_fields(VTX_MESHES, [("strip group count", 2), ("mesh flags", 2), ("strip groups", 4)]),
            RecordPlace::from_fields(VTX_GROUPS, [
                ("vertex count", 2), ("index count", 2), ("strip count", 2), ("flags", 1), ("strip group", 1),
                ("vertices", 4), ("indices", 4), ("strips", 4),
            ]),
            RecordPlace::new::<VtmbVertex>(VTX_VERTICES, ()),
            RecordPlace::new::<VtmbStrip>(VTX_STRIP, ()),
        ],
    }
}

fn facts() -> Vec<Fact<VtmbVtx>> {
    vec![Fact::from_bytes("four meshes", vtx())]
}

#[test]
fn fields_stand_where_the_documents_say() {
    let file = VtmbVtx::read(&vtx()).unwrap();
    assert_eq!((file.checksum, file.n_lods), (CHECKSUM, 2));
    assert_eq!(file.unknown_04[..4], [24, 0, 0, 0]);
    let models = &file.body_parts[0].models;
    let n_lods: Vec<_> = models.iter().map(|it| it.lods.len()).collect();
    assert_eq!(n_lods, [2, 1, 1]);
    assert_eq!(models[0].lods[1].switch_point, 30.0);
    let group = |model: usize| &models[model].lods[0].meshes[0].strip_groups[0];
    let first = group(0);
    assert_eq!(
        (first.flags, first.vertices.mesh_vertices()),
        (0x0A, vec![0, 1, 2])
    );
    assert!(matches!(first.vertices, GroupVertices::WithBones(_)));
    assert!(matches!(group(1).vertices, GroupVertices::Plain(_)));
    assert_eq!(group(1).vertices.mesh_vertices(), [0, 1, 2]);
    assert_eq!(group(1).indices[..], [0, 1, 2]);
    let strip = VtmbStrip {
        n_indices: 3,
        n_vertices: 3,
        n_bones: 1,
        flags: 2,
        ..VtmbStrip::default()
    };
    assert_eq!(group(1).strips[..], [strip]);
    assert_eq!(group(2).strips[0].flags, 1);
}

fn damage() -> Vec<Damage> {
    const GROUP: u64 = VTX_GROUPS as u64;
    let changes: [Change; 8] = [
        (|f| set32(f, 0, 7), "version", 0),
        (|f| set32(f, 28, 1 << 20), "body parts", 28),
        (|f| set32(f, VTX_LODS, 1 << 20), "meshes", VTX_LODS as u64),
        (
            |f| f[VTX_MESHES + 1] = 0xFF,
            "strip groups",
            VTX_MESHES as u64,
        ),
        // Both kinds of vertices, and none.
        (|f| f[VTX_GROUPS + 6] = 0x18, "strip group flags", GROUP + 6),
        (|f| f[VTX_GROUPS + 6] = 0x02, "strip group flags", GROUP + 6),
        (|f| f[VTX_GROUPS + 1] = 1, "strip group vertices", GROUP),
        (|f| set32(f, VTX_GROUPS + 16, 1 << 20), "strips", GROUP),
    ];
    Damage::from_changes(&vtx(), changes)
}

/// Numbers are changed, never added: a file keeps its tables where they are.
fn any_vtx() -> impl Strategy<Value = VtmbVtx> {
    let numbers = any::<(u32, u16, [u8; 10], i16)>();
    (numbers, prop::num::f32::NORMAL).prop_map(|((checksum, index, bones, n), switch_point)| {
        let mut file = VtmbVtx::read(&vtx()).unwrap();
        file.checksum = checksum;
        let lod = &mut file.body_parts[0].models[0].lods[0];
        lod.switch_point = switch_point;
        let group = &mut lod.meshes[0].strip_groups[0];
        group.indices[1] = index;
        group.strips[0].n_indices = n;
        if let GroupVertices::WithBones(vertices) = &mut group.vertices {
            vertices[2].unknown_00 = bones;
        }
        file.image = file.write().unwrap();
        file
    })
}
