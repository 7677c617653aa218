//! What keeps a map from being read or written.

use super::Problem;
use crate::bsp::test_map::{sample_file, sample_map};
use crate::bsp::*;

/// Lump, byte in it, new bytes, and the field that the error names.
type Damage = (LumpId, usize, &'static [u8], &'static str);

#[test]
fn damage_is_named_where_it_stands() {
    const NAN: &[u8] = &f32::NAN.to_le_bytes();
    const FAR: &[u8] = &0x7FFF_u16.to_le_bytes();
    const FAR_32: &[u8] = &0x7FFF_FFFF_u32.to_le_bytes();
    const MIN: &[u8] = &i32::MIN.to_le_bytes();
    let damages: [Damage; 41] = [
        (LumpId::Planes, 20, NAN, "normal of record 1 in lump Planes"),
        (
            LumpId::Vertexes,
            12,
            NAN,
            "point of record 1 in lump Vertexes",
        ),
        (
            LumpId::Texinfo,
            0,
            NAN,
            "texture vectors of record 0 in lump Texinfo",
        ),
        (
            LumpId::Texinfo,
            32,
            NAN,
            "lightmap vectors of record 0 in lump Texinfo",
        ),
        (
            LumpId::Texinfo,
            68,
            &[1, 0, 0, 0],
            "texdata of record 0 in lump Texinfo",
        ),
        (
            LumpId::Texdata,
            12,
            &[1],
            "name of record 0 in lump Texdata",
        ),
        (
            LumpId::TexdataStringTable,
            0,
            &[10],
            "offset of a name that ends with NUL of record 0 in lump TexdataStringTable",
        ),
        (LumpId::Edges, 4, &[12], "vertex of record 1 in lump Edges"),
        (
            LumpId::Surfedges,
            4,
            &[12],
            "edge of record 1 in lump Surfedges",
        ),
        (
            LumpId::Surfedges,
            4,
            MIN,
            "edge of record 1 in lump Surfedges",
        ),
        (LumpId::Faces, 56, &[14], "plane of record 1 in lump Faces"),
        (
            LumpId::Faces,
            56 + 4,
            MIN,
            "edges of record 1 in lump Faces",
        ),
        (
            LumpId::Faces,
            56 + 4,
            FAR_32,
            "edges of record 1 in lump Faces",
        ),
        (
            LumpId::Faces,
            56 + 8,
            &[2],
            "edge count of record 1 in lump Faces",
        ),
        (
            LumpId::Faces,
            56 + 8,
            &[5],
            "edges of record 2 in lump Faces",
        ),
        (
            LumpId::Faces,
            56 + 10,
            &[1],
            "texinfo of record 1 in lump Faces",
        ),
        (
            LumpId::Faces,
            56 + 12,
            &[1, 0],
            "dispinfo of record 1 in lump Faces",
        ),
        (
            LumpId::Faces,
            48,
            &[2],
            "primitives of record 0 in lump Faces",
        ),
        (
            LumpId::FacesHdr,
            10,
            &[1],
            "texinfo of record 0 in lump FacesHdr",
        ),
        (
            LumpId::OriginalFaces,
            0,
            FAR,
            "plane of record 0 in lump OriginalFaces",
        ),
        (
            LumpId::Primitives,
            4,
            &[7],
            "indices of record 0 in lump Primitives",
        ),
        (
            LumpId::PrimIndices,
            2,
            &[4],
            "primitive index of record 0 in lump Faces",
        ),
        (
            LumpId::VertNormalIndices,
            2,
            &[1],
            "normal of record 1 in lump VertNormalIndices",
        ),
        (
            LumpId::BrushSides,
            8,
            FAR,
            "plane of record 1 in lump BrushSides",
        ),
        (
            LumpId::Brushes,
            4,
            &[7],
            "sides of record 0 in lump Brushes",
        ),
        (
            LumpId::DispInfo,
            12,
            &[1],
            "vertices of record 0 in lump DispInfo",
        ),
        (
            LumpId::DispInfo,
            16,
            &[1],
            "triangles of record 0 in lump DispInfo",
        ),
        (
            LumpId::DispInfo,
            20,
            &[5],
            "power of record 0 in lump DispInfo",
        ),
        (
            LumpId::DispInfo,
            36,
            &[3],
            "face of record 0 in lump DispInfo",
        ),
        (
            LumpId::DispVerts,
            12,
            NAN,
            "distance of record 0 in lump DispVerts",
        ),
        (LumpId::Nodes, 0, FAR, "plane of record 0 in lump Nodes"),
        (LumpId::Nodes, 4, &[3], "child of record 0 in lump Nodes"),
        (
            LumpId::Nodes,
            32 + 4,
            &[0xF9],
            "child of record 1 in lump Nodes",
        ),
        (
            LumpId::Nodes,
            32 + 4,
            &[0, 0, 0, 0],
            "place in the tree of record 0 in lump Nodes",
        ),
        (
            LumpId::Leafs,
            32 + 22,
            &[3],
            "faces of record 1 in lump Leafs",
        ),
        (
            LumpId::LeafFaces,
            0,
            FAR,
            "index of record 0 in lump LeafFaces",
        ),
        (
            LumpId::LeafBrushes,
            0,
            FAR,
            "index of record 0 in lump LeafBrushes",
        ),
        (
            LumpId::Models,
            48 + 36,
            &[0xF9],
            "head node of record 1 in lump Models",
        ),
        (
            LumpId::Overlays,
            8,
            FAR_32,
            "face of record 0 in lump Overlays",
        ),
        (
            LumpId::LeafAmbientIndex,
            2,
            &[5],
            "samples of record 0 in lump LeafAmbientIndex",
        ),
        (
            LumpId::AreaPortals,
            8,
            FAR_32,
            "plane of record 0 in lump AreaPortals",
        ),
    ];
    for (id, at, bytes, field) in damages {
        let mut file = sample_file(20);
        let mut lump = file.lump(id).to_vec();
        lump[at..at + bytes.len()].copy_from_slice(bytes);
        file.set_lump(id, file.lump_version(id), lump);
        let data = file.write().unwrap();
        let file = BspFile::read(&data).unwrap();
        let error = Map::read(&file).expect_err(field);
        assert_eq!(error.field, field);
        let reported = LumpId::ALL
            .into_iter()
            .find(|id| error.field.ends_with(&format!("lump {id:?}")))
            .expect("the field names the lump");
        let begin = u64::from(file.lump_offset(reported));
        let end = begin + file.lump(reported).len() as u64;
        assert!((begin..end).contains(&error.offset), "{field}: {error}");
    }
}

#[test]
fn stale_indices_are_kept() {
    let mut map = sample_map(20);
    map.original_faces[0].texinfo = 7000;
    map.brush_sides[0].texinfo = -1;
    map.brush_sides[1].texinfo = 7000;
    map.disp_infos[0].edge_neighbors[0][0] = SubNeighbor {
        disp_info: 77,
        orientation: 200,
        span: 9,
        neighbor_span: 9,
        unknown_05: 1,
    };
    map.disp_infos[0].corner_neighbors[1].neighbors = [5, 6, 7, 8];
    map.faces[0].styles = [0, 255, 3, 4, 255, 255, 255, 255];
    let mut file = sample_file(20);
    map.write_into(&mut file).unwrap();
    assert_eq!(Map::read(&file), Ok(map));
}

#[test]
fn unknown_lump_versions_and_part_records_are_refused() {
    let mut file = sample_file(20);
    let nodes = file.lump(LumpId::Nodes).to_vec();
    file.set_lump(LumpId::Nodes, 3, nodes.clone());
    let error = Map::read(&file).unwrap_err().to_string();
    assert!(
        error.contains("version 3 of lump Nodes in a file of version 20 is not supported"),
        "{error}"
    );
    file.set_lump(LumpId::Nodes, 0, nodes[1..].to_vec());
    let error = Map::read(&file).unwrap_err().to_string();
    assert!(
        error.contains("length of lump Nodes: expected a multiple of 32 bytes, found 95"),
        "{error}"
    );
}

#[test]
fn values_that_do_not_fit_are_refused() {
    let problems: [Problem; 6] = [
        ("edge vertex", |m| m.edges[1].vertices[0] = 65_536),
        ("face texinfo", |m| m.faces[0].texinfo = 32_768),
        ("face primitive count", |m| m.faces[0].n_primitives = 32_768),
        ("leaf area", |m| m.leaves[0].area = 512),
        ("leaf mins", |m| m.leaves[0].mins[1] = 0.5),
        ("overlay face count", |m| m.overlays[0].faces = vec![0; 65]),
    ];
    for (field, problem) in problems {
        let mut map = sample_map(20);
        problem(&mut map);
        let error = map.write_into(&mut sample_file(20)).unwrap_err();
        assert_eq!(error.field, field);
    }
}

#[test]
fn rows_of_visibility_are_whole_and_apart() {
    let with_rows = |rows: &[u8], offsets: [[i32; 2]; 2]| {
        let mut lump = 2_u32.to_le_bytes().to_vec();
        lump.extend(offsets.as_flattened().iter().flat_map(|o| o.to_le_bytes()));
        lump.extend(rows);
        let mut file = sample_file(20);
        file.set_lump(LumpId::Visibility, 0, lump);
        Map::read(&file).map(|map| map.visibility.unwrap())
    };
    let shared = [[20, 21], [20, 21]];
    let visibility = with_rows(&[1, 0, 1], shared).unwrap();
    assert_eq!((visibility.row(20), visibility.row(21)), (vec![1], vec![0]));
    assert_eq!(visibility.row(0), [3], "without a row all is seen");
    for (name, rows, offsets) in [
        ("a run of nothing", &[1, 0, 0][..], shared),
        ("a run beyond the row", &[1, 0, 2], shared),
        ("a cut run", &[1, 0], shared),
        ("rows that overlap", &[0, 1, 1], [[20, 21], [20, 21]]),
        ("a row in the header", &[1, 1], [[19, 20], [20, 20]]),
        ("a row behind the lump", &[1, 1], [[20, 21], [20, 22]]),
        ("a negative offset", &[1, 1], [[20, 21], [20, -1]]),
    ] {
        assert!(with_rows(rows, offsets).is_err(), "{name}");
    }
}
