use super::*;
use crate::mdl::motion::sample::{add_text_row, put, put_f32, word};
use crate::studio_model::sample::sample_files;

/// The sample model whose first mesh has a pair of flexes, with a controller and a rule for each. Also where the rows of the
/// flex, its vertex and the first rule stand.
fn with_a_face() -> (Vec<u8>, [usize; 3]) {
    let mut mdl = sample_files().mdl;
    let left = add_text_row(&mut mdl, 4, &[(0, "smile_left")]);
    let texts = mdl.len();
    mdl.extend(b"smile_right\0\0\0\0\0");
    // The second name follows the first row, which has no room: both rows again.
    let names = mdl.len();
    mdl.extend([0; 8]);
    let left_text = left as i32 + word(&mdl, left) as u32 as i32;
    put(&mut mdl, names, left_text - names as i32);
    put(&mut mdl, names + 4, texts as i32 - names as i32 - 4);
    let controller = add_text_row(&mut mdl, CONTROLLERS.1, &[(0, "mouth"), (4, "smile")]);
    put_f32(&mut mdl, controller + 12, -1.0);
    put_f32(&mut mdl, controller + 16, 1.0);
    let operations = mdl.len();
    for (code, operand) in [(15, 0), (16, 0)] {
        mdl.extend([code, operand].iter().flat_map(|it: &i32| it.to_le_bytes()));
    }
    let rules = mdl.len();
    mdl.resize(rules + 2 * RULES.1, 0);
    for rule in 0..2_usize {
        let at = rules + rule * RULES.1;
        put(&mut mdl, at, rule as i32);
        put(&mut mdl, at + 4, 1);
        put(
            &mut mdl,
            at + 8,
            (operations + rule * OPERATION_SIZE) as i32 - at as i32,
        );
    }
    let (part, flex) = (word(&mdl, 236), mdl.len());
    mdl.resize(flex + MESH_FLEX_SIZE, 0);
    let model = part + word(&mdl, part + 12);
    let mesh = model + word(&mdl, model + 76);
    put(&mut mdl, mesh + 16, 1);
    put(&mut mdl, mesh + 20, flex as i32 - mesh as i32);
    for (number, target) in [0.0, 1.0, 1.0, 11.0].into_iter().enumerate() {
        put_f32(&mut mdl, flex + 4 + 4 * number, target);
    }
    let vertex = mdl.len();
    put(&mut mdl, flex + 20, 1);
    put(&mut mdl, flex + 24, vertex as i32 - flex as i32);
    put(&mut mdl, flex + 28, 1);
    mdl.extend([2, 0, 255, 51]);
    for axis in [1.5_f32, -2.0, 0.25] {
        mdl.extend(f16::from_f32(axis).to_le_bytes());
    }
    mdl.extend([0; 6]);
    for ((at, _), count, row) in [
        (FLEXES, 2, names),
        (CONTROLLERS, 1, controller),
        (RULES, 2, rules),
    ] {
        put(&mut mdl, at, count);
        put(&mut mdl, at + 4, row as i32);
    }
    let len = mdl.len() as i32;
    put(&mut mdl, 76, len);
    (mdl, [flex, vertex, rules])
}

fn read(bytes: &[u8]) -> Result<Flexes, FormatError> {
    let mdl = Mdl::read(bytes).unwrap();
    assert_eq!(mdl.write().unwrap(), bytes);
    Flexes::read(&mdl)
}

#[test]
fn a_face_is_read_where_its_meshes_say() {
    let flexes = read(&with_a_face().0).unwrap();
    assert_eq!(flexes.names, ["smile_left", "smile_right"]);
    let controller = FlexController {
        kind: "mouth".to_owned(),
        name: "smile".to_owned(),
        min: -1.0,
        max: 1.0,
    };
    assert_eq!(flexes.controllers, [controller]);
    let vertex = FlexVertex {
        vertex: 2,
        side: 0.2,
        offset: [1.5, -2.0, 0.25],
    };
    let moved = MeshFlex {
        mesh: [0; 3],
        flex: 0,
        other_side: Some(1),
        targets: [0.0, 1.0, 1.0, 11.0],
        vertices: vec![vertex],
    };
    assert_eq!(flexes.meshes, [moved]);
    assert_eq!(flexes.weights(&[-0.25]), [0.25, 0.0]);
    assert_eq!(flexes.weights(&[2.0]), [0.0, 1.0]);
    assert_eq!(flexes.weights(&[]), [0.0, 0.0]);
}

#[test]
fn distances_may_be_whole_numbers() {
    let (mut bytes, [_, vertex, _]) = with_a_face();
    let flags = word(&bytes, 152) as i32;
    put(&mut bytes, 152, flags | FIXED_POINT as i32);
    put_f32(&mut bytes, FIXED_POINT_SCALE_AT, 0.5);
    bytes[vertex + 4..vertex + 6].copy_from_slice(&(-3_i16).to_le_bytes());
    let flexes = read(&bytes).unwrap();
    assert_eq!(flexes.meshes[0].vertices[0].offset[0], -1.5);
}

#[test]
fn what_leads_nowhere_is_refused_where_it_stands() {
    let (sound, [flex, vertex, rule]) = with_a_face();
    for (at, number, field) in [
        (flex, 2, "mesh flex"),
        (flex + 28, -1, "mesh flex"),
        (flex + 20, 1 << 28, "flex vertices"),
        (vertex, 4, "flex vertex"),
        (vertex + 4, 0x7C00, "flex vertex offset"),
        (rule, 7, "mesh flex"),
        (rule + 4, 0, "flex operations"),
        (CONTROLLERS.0, 1 << 20, "flex controllers"),
    ] {
        let mut bytes = sound.clone();
        put(&mut bytes, at, number);
        let error = read(&bytes).unwrap_err();
        assert_eq!(error.field, field, "{error}");
    }
}

#[test]
fn a_flex_moves_between_its_targets() {
    let flex = MeshFlex {
        targets: [0.2, 0.4, 0.6, 1.0],
        ..MeshFlex::default()
    };
    for (weight, share) in [
        (0.1, 0.0),
        (0.3, 0.5),
        (0.5, 1.0),
        (0.8, 0.5),
        (1.0, 0.0),
        (f32::NAN, 0.0),
    ] {
        assert!((flex.share(weight) - share).abs() < 1e-6, "{weight}");
    }
}

/// The weight that a rule gives of controllers from 0 to 1, the last of them from -1.
fn weight(operations: &[(i32, u32)], values: &[f32]) -> f32 {
    let operations = operations.iter();
    let controllers = (1..=values.len()).map(|number| FlexController {
        min: if number == values.len() { -1.0 } else { 0.0 },
        max: 1.0,
        ..FlexController::default()
    });
    let flexes = Flexes {
        names: vec!["a".to_owned()],
        controllers: controllers.collect(),
        rules: vec![FlexRule {
            flex: 0,
            operations: operations
                .map(|(code, operand)| FlexOperation {
                    code: *code,
                    operand: *operand,
                })
                .collect(),
        }],
        meshes: Vec::new(),
    };
    flexes.weights(values)[0]
}

#[test]
fn rules_compute_in_postfix_notation() {
    let constant = |value: f32| (1, value.to_bits());
    let values = [0.5, 0.25, -0.5];
    for (operations, expected) in [
        (vec![(2, 0), (2, 1), (4, 0)], 0.75),
        (vec![(2, 0), (2, 1), (5, 0)], 0.25),
        (vec![(2, 0), (2, 1), (6, 0)], 0.125),
        (vec![(2, 0), (2, 1), (7, 0)], 2.0),
        (vec![(2, 0), constant(0.0), (7, 0)], 0.0),
        (vec![(2, 0), (8, 0)], -0.5),
        (vec![(2, 0), (2, 1), (13, 0)], 0.5),
        (vec![(2, 0), (2, 1), (14, 0)], 0.25),
        (vec![(15, 2)], 0.5),
        (vec![(16, 2)], 0.0),
        (vec![(2, 0), (2, 1), constant(3.0), (18, 3)], 0.375),
        (vec![constant(8.0), (2, 0), (2, 1), (19, 2)], 7.0),
        // Controller 0 by where controller 1 is: halfway up to the full value.
        (
            vec![
                constant(0.0),
                constant(0.5),
                constant(0.75),
                constant(1.0),
                constant(1.0),
                (17, 0),
            ],
            0.25,
        ),
        // Lids that are half closed: controller 0 closes them, controller 1 is their line, the eye looks down.
        (
            vec![constant(2.0), constant(-1.0), constant(0.0), (20, 1)],
            0.375,
        ),
        (
            vec![constant(2.0), constant(-1.0), constant(0.0), (21, 1)],
            0.0625,
        ),
    ] {
        let found = weight(&operations, &values);
        assert!((found - expected).abs() < 1e-6, "{operations:?}: {found}");
    }
}
