//! What becomes of OBJ files that others wrote.

use ironlands_world_parkan::exchange::read_obj;

#[test]
fn groups_become_nodes_and_materials_rows() {
    let text = b"# a house\r\nmtllib house.mtl\r\no wall\r\nv 0 0 0\r\nv 1 0 0\r\nv 1 1 0\r\nv 0 1 -2\r\n\
        vt 0.25 0.75\r\nusemtl brick\r\nf 1/1 2/1 3/1 4/1\r\no roof\r\nusemtl tile\r\nf -4 -3 -1\r\n\
        g wall\r\nusemtl tile\r\nf 1 2 3\r\n";
    let imported = read_obj(text).unwrap();
    let nodes = &imported.draft.nodes;
    let names: Vec<&[u8]> = nodes.iter().map(|node| node.name.as_slice()).collect();
    assert_eq!(names, [b"wall", b"roof"]);
    assert_eq!(imported.materials, [b"brick".to_vec(), b"tile".to_vec()]);
    let wall = &nodes[0].pieces[0].batches;
    let shape: Vec<(u8, usize)> = wall
        .iter()
        .map(|it| (it.wear_row, it.triangles.len()))
        .collect();
    assert_eq!(shape, [(0, 2), (1, 1)]);
    // Up is y there, z here; v counts from the last row there.
    let last = wall[0].triangles[1][2];
    assert_eq!((last.position, last.uv), ([0.0, 2.0, 1.0], [0.25, 0.25]));
    assert_eq!(
        wall[0].triangles[0].map(|v| v.normal),
        [[0.0, -1.0, 0.0]; 3]
    );
    let reported: Vec<String> = imported.findings.iter().map(ToString::to_string).collect();
    let mtl = "line 2: colors and textures are left out: a model only names its materials";
    assert_eq!(reported[0], mtl);
    assert!(imported.draft.build().is_ok());
}

#[test]
fn faces_without_group_and_material_are_taken() {
    let text = "v 0 0 0\nv 1 0 0\nv 0 1 0\nvn 0 0 2\nf 1//1 2//1 3//1\n";
    let imported = read_obj(text.as_bytes()).unwrap();
    assert_eq!(imported.draft.nodes[0].name, b"");
    assert_eq!(imported.wear(), None);
    let vertex = imported.draft.nodes[0].pieces[0].batches[0].triangles[0][0];
    assert_eq!(vertex.normal, [0.0, -1.0, 0.0], "made unit length");
    let mixed = format!("{text}usemtl a\nf 1 2 3\n");
    let imported = read_obj(mixed.as_bytes()).unwrap();
    assert_eq!(imported.materials, [b"a".to_vec(), b"DEFAULT".to_vec()]);
}

#[test]
fn damage_is_named() {
    for (text, wanted) in [
        ("", "obj: the whole file: expected a face, found none"),
        (
            "v 1 2\n",
            "obj: line 1: expected a finite number, found \"\"",
        ),
        (
            "v 1 2 inf\n",
            "obj: line 1: expected a finite number, found \"inf\"",
        ),
        (
            "\nf 1 2 3\n",
            "obj: line 2: expected a number of one of the 0 before, found \"1\"",
        ),
        (
            "v 0 0 0\nf 1 1\n",
            "obj: line 2: expected three corners or more, found 2",
        ),
        (
            "v 0 0 0\nf 0 1 1\n",
            "obj: line 2: expected a number of one of the 1 before, found \"0\"",
        ),
        (
            "v 0 0 0\nf -2 1 1\n",
            "obj: line 2: expected a number of one of the 1 before, found \"-2\"",
        ),
        (
            "v 0 0 0\nf 1/1 1 1\n",
            "obj: line 2: expected a number of one of the 0 before, found \"1\"",
        ),
        (
            "v 0 0 0\nf 1///4 1 1\n",
            "obj: line 2: expected a corner as v/vt/vn, found \"1///4\"",
        ),
        (
            "v 0 0 3e38\n",
            "obj: line 1: it puts something at [0.0, -3e38, 0.0], beyond the 1e12 of a model",
        ),
        (
            "v 0 0 0\nvt 0\nvt 64\nf 1/1 1/2 1/1\n",
            "obj: line 4: texture coordinates of one triangle go from 0 to 64; a model has room for 63 repeats",
        ),
        (
            "p 1 \\\n",
            "obj: line 1: expected a whole line, found one that continues in the next",
        ),
    ] {
        assert_eq!(read_obj(text.as_bytes()).unwrap_err().to_string(), wanted);
    }
}

#[test]
fn more_than_a_model_holds_is_refused() {
    let corners = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
    let many = format!("{corners}{}", "f 1 2 3\n".repeat(65_536));
    let error = read_obj(many.as_bytes()).unwrap_err().to_string();
    assert_eq!(
        error,
        "obj: line 65539: with 65536 triangles it is beyond the 65535 of a model"
    );
    let names: String = (0..257)
        .map(|k| format!("usemtl m{k}\nf 1 2 3\n"))
        .collect();
    let error = read_obj(format!("{corners}{names}").as_bytes())
        .unwrap_err()
        .to_string();
    assert_eq!(
        error,
        "obj: line 516: with 257 materials it is beyond the 256 of a model"
    );
}
