use super::*;
use crate::mdl::flexes::{FlexController, FlexOperation};
use crate::vtmb_mdl::sample::{MESHES, mdl, text};
use crate::vtmb_vtx::sample::Bytes;
use ironlands_assets_core::format::Format;
use ironlands_assets_proof::{assert_survives_mutations, set32};

/// Where rows of the face are, from the end of the model.
const CONTROLLER: usize = 8;
const RULE: usize = CONTROLLER + 20;
const OPERATIONS: usize = RULE + 12;
const FLEXES: usize = OPERATIONS + 3 * 8;
const VERTEX: usize = FLEXES + 2 * MESH_FLEX_SIZE;
const PACKED_VERTEX: usize = VERTEX + VERTEX_SIZE;
const FACE_SIZE: usize = PACKED_VERTEX + PACKED_VERTEX_SIZE;

/// The model, whose first mesh has two flexes, `open` of numbers and `blink` of a direction; a controller opens by half.
/// Also where its face begins.
fn with_a_face() -> (Vec<u8>, usize) {
    let mut file = Bytes(mdl());
    let start = file.0.len().next_multiple_of(4);
    file.put(start + FACE_SIZE - 1, &[0]);
    for (index, name) in ["open", "blink"].into_iter().enumerate() {
        let at = start + 4 * index;
        text(&mut file, at, at, name);
    }
    let at = start + CONTROLLER;
    text(&mut file, at, at, "mouth");
    text(&mut file, at + 4, at, "jaw");
    file.floats(at + 12, &[0.0, 1.0]);
    let at = start + RULE;
    file.words(at, &[0, 3, 12]);
    let half = 0.5_f32.to_bits() as i32;
    // The controller, a half, their product.
    file.words(start + OPERATIONS, &[2, 0, 1, half, 6, 0]);
    for (index, (vertices, kind)) in [(VERTEX, 0), (PACKED_VERTEX, 1)].into_iter().enumerate() {
        let at = FLEXES + index * MESH_FLEX_SIZE;
        file.words(start + at, &[index as i32]);
        file.floats(start + at + 4, &[0.0, 1.0, 1.0, 11.0]);
        // The upper half of the count is not read.
        file.words(start + at + 20, &[0x7_0001, (vertices - at) as i32, kind]);
    }
    file.shorts(start + VERTEX, &[2, 0]);
    file.floats(start + VERTEX + 4, &[1.5, -2.0, 0.25]);
    // The first direction on the equator is +X: 51 of 255 steps of 8 units.
    file.shorts(start + PACKED_VERTEX, &[1, 2593 * 12, 0]);
    file.put(start + PACKED_VERTEX + 6, &[51, 0]);
    file.words(MESHES + 16, &[2, (start + FLEXES - MESHES) as i32]);
    let tables = [(344, 2, 0), (352, 1, CONTROLLER), (360, 1, RULE)];
    for (at, count, row) in tables {
        file.words(at, &[count, (start + row) as i32]);
    }
    (file.0, start)
}

#[test]
fn flexes_move_vertices_by_numbers_or_directions() {
    let (file, _) = with_a_face();
    let mdl = VtmbMdl::read(&file).unwrap();
    assert_eq!(mdl.write().unwrap(), file);
    assert_eq!(Format::check(&mdl), []);
    let flexes = mdl.flexes().unwrap();
    assert_eq!(flexes.names, ["open", "blink"]);
    let jaw = FlexController {
        kind: "mouth".to_owned(),
        name: "jaw".to_owned(),
        min: 0.0,
        max: 1.0,
    };
    assert_eq!(flexes.controllers, [jaw]);
    let [_, _, product] = flexes.rules[0].operations[..] else {
        panic!("three operations");
    };
    assert_eq!(
        product,
        FlexOperation {
            code: 6,
            operand: 0
        }
    );
    assert_eq!(flexes.weights(&[0.5]), [0.25, 0.0]);
    let [open, blink] = &flexes.meshes[..] else {
        panic!("two flexes");
    };
    assert_eq!(
        (open.mesh, open.flex, blink.flex),
        ([0, 0, 0], 0, 1),
        "of the first mesh"
    );
    assert_eq!(open.share(0.25), 0.25);
    let [vertex] = open.vertices[..] else {
        panic!("one vertex");
    };
    assert_eq!((vertex.vertex, vertex.offset), (2, [1.5, -2.0, 0.25]));
    let [vertex] = blink.vertices[..] else {
        panic!("one vertex");
    };
    // Sines of a float's pi are off by so much.
    let is_near = |(a, b): (f32, f32)| (a - b).abs() < 1e-5;
    let near = vertex.offset.into_iter().zip([1.6, 0.0, 0.0]).all(is_near);
    assert!(near && vertex.vertex == 1, "{vertex:?}");
}

#[test]
fn a_direction_that_there_is_none_of_moves_nothing() {
    let (mut file, start) = with_a_face();
    file[start + PACKED_VERTEX + 2] += 1;
    let flexes = VtmbMdl::read(&file).unwrap().flexes().unwrap();
    assert_eq!(flexes.meshes[1].vertices[0].offset, [0.0; 3]);
}

#[test]
fn numbers_that_lead_nowhere_are_named() {
    let (sound, start) = with_a_face();
    let nan = f32::NAN.to_bits();
    let changes = [
        (start, 1 << 20, "flex name"),
        (start + RULE, 2, "mesh flex"),
        (start + OPERATIONS + 4, 1, "flex operand"),
        (start + FLEXES, 2, "mesh flex"),
        (start + FLEXES + 24, 1 << 20, "flex vertices"),
        (start + VERTEX, 3, "flex vertex"),
        (start + VERTEX + 8, nan, "flex vertex offset"),
        (MESHES + 16, u32::MAX, "mesh flexes"),
    ];
    for (at, number, field) in changes {
        let mut file = sound.clone();
        set32(&mut file, at, number);
        let mdl = VtmbMdl::read(&file).unwrap();
        let error = mdl.flexes().unwrap_err();
        assert_eq!(error.field, field, "{error}");
        assert_eq!(Format::check(&mdl).len(), 1);
    }
    assert_survives_mutations(&sound, 500, 64, |data| {
        VtmbMdl::read(data)?.flexes().map(drop)
    });
}
